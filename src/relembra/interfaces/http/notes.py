"""What happened: notes, their files, and reports written on demand."""

from __future__ import annotations

import io
import zipfile
from enum import StrEnum
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import ConfigDict, Field

from relembra.domain.message import NoteKind
from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered, page_answer
from relembra.interfaces.http.callers import MemoryDep, Reading, Writing
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import BODY, By, Day, Handed, Id, Moment, Paged, Spoken, Where, Whose, asked

router = group("notes")


class FileFormat(StrEnum):
    ZIP = "zip"
    MARKDOWN = "markdown"


class Period(StrEnum):
    WEEKLY = NoteKind.WEEKLY.value
    MONTHLY = NoteKind.MONTHLY.value


class NotesQuery(Handed, Paged, Where):
    kind: list[NoteKind] | None = Field(
        None, fail_fast=True, description="Only of these kinds; none: of conversations."
    )
    conversation: str | None = Field(None, description="Only about this conversation.")


class NoteQuery(Handed, Where):
    pass


class FilesQuery(Spoken, Whose):
    format: FileFormat = Field(FileFormat.ZIP, description="zip: with its pictures; markdown: the text alone.")


class ReportBody(By, Spoken, Whose):
    model_config = ConfigDict(
        **BODY, json_schema_extra={"examples": [{"user": "ana", "kind": "weekly", "day": "2026-03-01"}]}
    )

    kind: Period | None = Field(None, strict=False, description="weekly or monthly; none: weekly.")
    day: Day | None = Field(
        None,
        description="A day of it; none: of the last that is over, else the one going on.",
    )


class AppointmentBody(By, Spoken, Whose):
    model_config = ConfigDict(
        **BODY, json_schema_extra={"examples": [{"user": "ana", "profession": "cardiologista", "language": "pt"}]}
    )

    profession: str | None = Field(None, description="Whom it is with; none: the next one known of.")
    at: Moment | None = Field(None, description="When it is.")


@router.get("/notes", responses=told(schemas.Notes, paged=True))
async def notes(
    request: Request, query: Annotated[NotesQuery, Query()], caller: Reading, memory: MemoryDep
) -> Response:
    """What happened, newest first: a space's notes, or in private the person's own and those they took part in."""
    return page_answer(request, await memory.notes(**asked(query, caller)))


@router.get("/notes/{id}", responses=told(schemas.NoteRow))
async def note(id: Id, query: Annotated[NoteQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """One note."""
    return answered(shapes.flat(await memory.note(id, **asked(query, caller))))


@router.get(
    "/notes/{id}/files",
    response_class=Response,
    responses={
        200: {
            "description": "A zip of the Markdown file and its pictures, or the Markdown alone.",
            "content": {
                "application/zip": {"schema": {"type": "string", "format": "binary"}},
                "text/markdown": {"schema": {"type": "string"}},
            },
        }
    },
)
async def note_files(id: Id, query: Annotated[FilesQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """A note as a Markdown file with the pictures that go with it."""
    given = asked(query, caller)
    format = given.pop("format")
    files = await memory.note_files(id, **given)
    name, text = next((name, text) for name, text in files.items() if name.endswith(".md"))
    if format is FileFormat.MARKDOWN:
        return Response(text, media_type="text/markdown", headers=_named(name))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in files.items():
            archive.writestr(zipfile.ZipInfo(each), content)
    return Response(packed.getvalue(), media_type="application/zip", headers=_named(f"{name.removesuffix('.md')}.zip"))


@router.post("/report", status_code=201, responses=told(schemas.NoteOrNone, 201))
async def report(body: ReportBody, caller: Writing, memory: MemoryDep) -> Response:
    """The report of a week or month, written now."""
    made = await memory.report(**asked(body, caller))
    return answered({"note": None if made is None else shapes.flat(made)}, 201)


@router.post("/appointment", status_code=201, responses=told(schemas.NoteRow, 201))
async def appointment(body: AppointmentBody, caller: Writing, memory: MemoryDep) -> Response:
    """What to tell a doctor or another professional, written now for the next appointment."""
    return answered(shapes.flat(await memory.appointment(**asked(body, caller))), 201)


def _named(file: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file}"'}
