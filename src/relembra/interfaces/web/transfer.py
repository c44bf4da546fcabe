"""Exporting, importing and erasing a memory, and how far longer work is."""

from __future__ import annotations

import asyncio
import json
import shutil
from datetime import datetime
from functools import partial
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import BinaryIO
from urllib.parse import quote

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.text import fold
from relembra.errors import BusyError, InvalidInputError, NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.http.handlers import EXPORTS as KINDS
from relembra.interfaces.http.handlers import alone, file_answer
from relembra.interfaces.http.schemas import Format
from relembra.interfaces.web.background import BackgroundJob
from relembra.interfaces.web.visits import Pages, Visit
from relembra.locale import Words
from relembra.store.port import Gone
from relembra.transfer.imports import Imported

pages = Pages()

IMPORT = "import"
ENDINGS = {Format.JSON: "json", Format.JSONL: "jsonl", Format.MARKDOWN: "md", Format.NOTES: "zip"}


@pages.get("/settings/data")
async def data(visit: Visit) -> Response:
    return _data(visit)


@pages.get("/export/file")
async def export_file(visit: Visit) -> Response:
    """The export, written as it is asked for."""
    word = visit.asked("format")
    if word and word not in set(Format):
        raise InvalidInputError(f"no format {word!r}; choose one of {', '.join(Format)}", field="format")
    format = Format(word or Format.JSON)
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in fold(visit.user))[:60]
    return await file_answer(
        partial(visit.memory.export, format=format.value, language=visit.words.language, **visit.whose),
        name=f"relembra-{name}-{visit.today}.{ENDINGS[format]}",
        media_type=KINDS[format][1],
    )


@pages.post("/import")
async def take_in(visit: Visit) -> Response:
    """Import an export into this memory; a page says how far it is."""
    upload = visit.file("file")
    if upload is None:
        return _data(visit, wrong="page.import.none")
    file = await asyncio.to_thread(_copied, upload.file)
    importing, spaces = visit.request.app.state.importing, visit.caller.user is None
    memory, whose = visit.memory, visit.whose

    async def work(job: BackgroundJob) -> Imported:
        with file, alone(importing, job.owner.caller):  # also of those that come by the API
            return await memory.import_export(file, spaces=spaces, progress=job.progress, **whose)

    try:
        job = visit.jobs.start(IMPORT, owner=visit.owner, work=work)
    except BusyError:
        file.close()
        return _data(visit, wrong="page.job.busy", status=HTTPStatus.CONFLICT)
    return visit.to(f"/progress/{job.id}")


def _copied(source: BinaryIO) -> BinaryIO:
    """A file that is there after its request, and gone once it is closed."""
    file = TemporaryFile()  # noqa: SIM115 - the job that reads it closes it
    shutil.copyfileobj(source, file)
    file.seek(0)
    return file


def _data(visit: Visit, *, wrong: str = "", status: int | None = None) -> Response:
    """The page with everything about files; `wrong`: why one was not imported."""
    said = visit.words(wrong) if wrong else ""
    return visit.page("settings_data.html", status=status, wrong=said, formats=list(ENDINGS))


@pages.get("/progress/{id}")
async def progress(visit: Visit) -> Response:
    """How far a job is, or its result; one whose result is an address leads there."""
    try:
        job = visit.jobs.get(visit.id, owner=visit.owner)
    except NotFoundError:
        return visit.page("progress_gone.html", status=HTTPStatus.NOT_FOUND)
    if isinstance(job.result, str):
        return Response(headers={"HX-Redirect": job.result}) if visit.is_fragment else visit.to(job.result)
    what = job.result if isinstance(job.result, Imported) else Imported(added={})
    rest = {"skipped": what.skipped, "conflicted": what.conflicted, "left_out": what.left_out}
    return visit.page(
        "progress.html",
        job=job,
        failed=visit.sentence(job.error) if job.error is not None else "",
        what=what,
        came={name: number for name, number in what.added.items() if number},
        rest={name: number for name, number in rest.items() if number},
    )


# ── erasing ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/erase", Right.WRITE)
async def erase(visit: Visit) -> Response:
    return await _erase_form(visit)


@pages.post("/erase")
async def erased(visit: Visit) -> Response:
    """Forget everything of the person, where their name was typed; a caller whose key goes with it is signed out."""
    whose, user, words = visit.whose, visit.user, visit.words
    if visit.field("name") != user:
        return await _erase_form(visit, wrong=words("page.erase.name.wrong"))

    async def work() -> tuple[Gone, datetime]:
        visit.jobs.drop(visit.owner)
        return await visit.memory.forget(all=True, **whose), visit.now

    gone, when = await visit.done_once(work)
    is_out = visit.caller.user is not None
    if is_out:
        visit.known = None
        await visit.sign_out()
    told = {"user": user, "tenant": whose["tenant"], "erased_at": when.isoformat(), **shapes.wire(gone)}
    return visit.page(
        "erased.html",
        user=user,
        when=when,
        gone={name: number for name, number in gone.counts.items() if number},
        total=gone.total,
        is_clean=gone.erased,
        is_out=is_out,
        as_json=file_in_page("application/json", json.dumps(told, ensure_ascii=False, indent=2)),
        as_text=file_in_page("text/markdown", receipt(words, user, visit.clock.exact(when), gone)),
    )


def receipt(words: Words, user: str, moment: str, gone: Gone) -> str:
    """The receipt as a text to keep."""
    name = "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in user)
    lines = [f"- {words.name('gone', name)}: {words.whole(number)}" for name, number in gone.counts.items() if number]
    clean = words("page.erase.clean" if gone.erased else "page.erase.traces")
    head = f"# {words('page.erase.receipt')}\n\n{words('page.erase.whose')}: {name}  \n"
    head += f"{words('page.erase.when')}: {moment}\n"
    return "\n".join([head, *lines, f"- **{words('page.erase.total')}: {words.whole(gone.total)}**", "", clean, ""])


def file_in_page(media: str, text: str) -> str:
    """A small file as an address, for what no server keeps."""
    return f"data:{media};charset=utf-8,{quote(text)}"


async def _erase_form(visit: Visit, *, wrong: str = "") -> Response:
    would = await visit.memory.forget(all=True, dry_run=True, **visit.whose)
    names = ("item", "message", "conversation", "note")
    return visit.page(
        "erase.html",
        is_own=visit.caller.user is not None or visit.user == visit.caller.usual,
        held={name: number for name in names if (number := would.counts[f"{name}s"])},
        shared=would.counts["notes"] - (await visit.memory.stats(**visit.whose)).notes,
        wrong=wrong,
    )
