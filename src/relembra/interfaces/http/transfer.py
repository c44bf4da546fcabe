"""Taking a memory along: exports to download, and exports and older programs' files taken in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import Field
from starlette.responses import StreamingResponse

from relembra.errors import BusyError, InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import Administering, MemoryDep, Reading, Writing
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.files import binary, file_answer, taken, takes
from relembra.interfaces.http.inputs import Spoken, Whose, anybody_asked

router = group("transfer", once=False)  # what is taken in twice is there once anyway, and may be large


class Format(StrEnum):
    JSONL = "jsonl"
    JSON = "json"
    MARKDOWN = "markdown"
    NOTES = "notes"


KINDS = {
    Format.JSONL: ("relembra.jsonl", "application/x-ndjson"),
    Format.JSON: ("relembra.json", "application/json"),
    Format.MARKDOWN: ("relembra.md", "text/markdown"),
    Format.NOTES: ("relembra-notes.zip", "application/zip"),
}


class ExportQuery(Spoken, Whose):
    format: Format = Field(
        Format.JSONL,
        description="jsonl and json hold everything and can be imported; markdown is for reading, notes a zip of them.",
    )


class ImportQuery(Whose):
    dry_run: bool = Field(False, description="Only say what would be taken in.")


@router.get(
    "/export",
    response_class=Response,
    responses=binary("The memory.", *(media for _, media in KINDS.values())),
)
async def export(query: Annotated[ExportQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """All of a person's memory; as jsonl it comes as it is read, and without a user holds everybody of the tenant.

    The last line of a whole jsonl export says so; one that broke off has none and cannot be imported.
    """
    given = anybody_asked(query, caller)
    name, media = KINDS[given["format"]]
    if given["format"] is Format.JSONL:
        lines = memory.export_stream(user=given["user"], tenant=given["tenant"])
        return StreamingResponse(
            lines, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )
    return await file_answer(partial(memory.export, **given), name=name, media_type=media)


@contextmanager
def alone(importing: set[str], caller: str) -> Iterator[None]:
    """Let a caller take in one file at a time: each takes room and time for itself."""
    if caller in importing:
        raise BusyError("an import of yours is under way; wait until it is done")
    importing.add(caller)
    try:
        yield
    finally:
        importing.discard(caller)


@router.post(
    "/import",
    responses=told(schemas.TakenIn),
    openapi_extra=takes("An export, json or jsonl.", "application/x-ndjson", "application/json"),
)
async def import_export(
    request: Request, query: Annotated[ImportQuery, Query()], caller: Writing, memory: MemoryDep
) -> Response:
    """Take an export in. What is there already stays as it is, and a second time adds nothing.

    `user`: under another name, or of everybody's export that person alone. The file is checked whole before anything
    is stored. Without a user it needs the right to administer; a key bound to a person brings in nothing of spaces.
    """
    given = anybody_asked(query, caller)
    with alone(request.app.state.importing, caller.id), TemporaryFile() as file:
        await taken(request, file)
        return answered(shapes.taken_in(await memory.import_export(file, spaces=caller.user is None, **given)))


@router.post(
    "/import_facts",
    responses=told(schemas.FactsTakenIn),
    openapi_extra=takes("The SQLite file of an older program.", "application/octet-stream"),
)
async def import_facts(
    request: Request, query: Annotated[ImportQuery, Query()], caller: Administering, memory: MemoryDep
) -> Response:
    """Take over the facts of an older program's file, everybody's or one person's; a second time adds nothing."""
    given = anybody_asked(query, caller)
    with alone(request.app.state.importing, caller.id), TemporaryDirectory(prefix="relembra-") as folder:
        path = Path(folder) / "facts.db"
        with path.open("w+b") as file:
            await taken(request, file)
        try:
            return answered(shapes.imported(await memory.import_facts(path, **given)))
        except InvalidInputError as error:  # it names the file, which is one of ours
            raise InvalidInputError(str(error).replace(str(path), "the body"), field="body") from None
