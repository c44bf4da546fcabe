"""Exporting, importing and erasing a memory; what was prepared waits for an hour."""

from __future__ import annotations

import asyncio
import json
import shutil
from datetime import datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.text import fold
from relembra.errors import BusyError, InvalidInputError, NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.http.handlers import EXPORTS as KINDS
from relembra.interfaces.http.handlers import alone, file_answer
from relembra.interfaces.http.parameters import Format
from relembra.interfaces.web.background import IMPORT, STORY, BackgroundJob
from relembra.interfaces.web.visits import Pages, Visit
from relembra.locale import Words
from relembra.store.port import Gone
from relembra.transfer.imports import Imported

pages = Pages()

UNFIT = HTTPStatus.UNPROCESSABLE_ENTITY
EVERYBODY = "everybody"
UPLOAD = "upload"
ENDINGS = {Format.JSON: "json", Format.JSONL: "jsonl", Format.MARKDOWN: "md", Format.NOTES: "zip"}


# ── erasing ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/erase", Right.WRITE)
async def erase(visit: Visit) -> Response:
    return await _erase_form(visit)


@pages.post("/erase")
async def erased(visit: Visit) -> Response:
    """Forget everything of the person, where their name was typed; a caller whose key goes with it is signed out."""
    whose, user, words = visit.whose, visit.user, visit.words
    if visit.field("name") != user:
        return await _erase_form(visit, wrong=words("page.erase.name.wrong"), status=UNFIT)

    async def work() -> tuple[Gone, datetime]:
        visit.jobs.drop(visit.owner.person)
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


async def _erase_form(visit: Visit, *, wrong: str = "", status: int = HTTPStatus.OK) -> Response:
    would = await visit.memory.forget(all=True, dry_run=True, **visit.whose)
    names = ("item", "message", "conversation", "note")
    return visit.page(
        "erase.html",
        status=status,
        is_own=visit.caller.user is not None or visit.user == visit.caller.usual,
        held={name: number for name in names if (number := would.counts[f"{name}s"])},
        shared=would.counts["notes"] - (await visit.memory.stats(**visit.whose)).notes,
        wrong=wrong,
    )


# ── exporting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _is_for_all(visit: Visit) -> bool:
    """Whether a visitor may export and import everybody's."""
    return visit.may("admin") and visit.caller.user is None


@pages.get("/settings/data")
async def data(visit: Visit) -> Response:
    return _data(visit)


@pages.get("/export/file")
async def export_file(visit: Visit) -> Response:
    """The export, written as it is asked for; that of everybody for whoever may see everybody."""
    word, is_all = visit.asked("format"), visit.asked("format") == EVERYBODY and _is_for_all(visit)
    if word and word not in (*Format, EVERYBODY):
        raise InvalidInputError(f"no format {word!r}; choose one of {', '.join(Format)}", field="format")
    format = Format.JSONL if word == EVERYBODY else Format(word or Format.JSON)
    user = None if is_all else visit.user
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in fold(user or EVERYBODY))[:60]
    write = partial(visit.memory.export, format=format.value, language=visit.words.language, user=user)
    return await file_answer(
        partial(write, tenant=visit.tenant),
        name=f"relembra-{name}-{visit.today}.{ENDINGS[format]}",
        media_type=KINDS[format][1],
    )


# ── importing ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Taken(NamedTuple):
    """An import that was done, or only previewed."""

    what: Imported
    dry_run: bool
    into: str  # everybody, or the person

    @property
    def came(self) -> dict[str, int]:
        """What came in, or would, by part or by person."""
        return {name: number for name, number in self.what.added.items() if number}

    @property
    def rest(self) -> dict[str, int]:
        """What did not, by why."""
        names = ("skipped", "conflicted", "left_out")
        return {f"take_in.{name}": number for name in names if (number := getattr(self.what, name))}


@pages.post("/import")
async def take_in(visit: Visit) -> Response:
    """Import a file, or with `look` only say what would come in; the file may be one that was previewed before."""
    upload, before = visit.file("file"), visit.field("again")
    source = await _previewed(visit, before) if upload is None and before else None if upload is None else upload.file
    if source is None:
        return _data(visit, wrong="page.import.gone" if before else "page.import.none")
    into_all = visit.field("into") == EVERYBODY and _is_for_all(visit)
    given: dict[str, Any] = {"user": None if into_all else visit.user, "tenant": visit.tenant}
    dry_run, spaces, memory = bool(visit.field("look")), visit.caller.user is None, visit.memory
    importing: set[str] = visit.request.app.state.importing
    arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def work(job: BackgroundJob) -> Taken:
        await arrived
        path = job.folder / UPLOAD
        with alone(importing, job.owner.caller):
            what = await memory.import_export(path, spaces=spaces, dry_run=dry_run, progress=job.progress, **given)
        return Taken(what, dry_run, EVERYBODY if into_all else given["user"])

    try:
        with alone(importing, visit.owner.caller):  # also of those that come by the API
            job = visit.jobs.start(IMPORT, owner=visit.owner, work=work, is_of_all=into_all)
    except BusyError:
        return _data(visit, wrong="page.job.busy", status=HTTPStatus.CONFLICT)
    try:
        await asyncio.to_thread(_kept, source, job.folder / UPLOAD)
    except BaseException:
        arrived.cancel()
        raise
    arrived.set_result(None)
    return visit.to(f"/progress/{job.id}")


async def _previewed(visit: Visit, id: str) -> Path | None:
    """The file of an import that was only previewed, where it is still there."""
    job = await visit.jobs.find(id, owner=visit.owner, kinds=(IMPORT,))
    path = None if job is None or job.state == "running" else job.folder / UPLOAD
    return path if path is not None and path.is_file() else None


def _kept(source: Path | BinaryIO, path: Path) -> None:
    """Put a file where its job finds it, a block at a time."""
    if isinstance(source, Path):
        shutil.copyfile(source, path)
        return
    with path.open("wb") as file:
        shutil.copyfileobj(source, file)


def _data(visit: Visit, *, wrong: str = "", status: int = UNFIT) -> Response:
    """The page with everything about files; `wrong`: why one was not imported."""
    said = visit.words(wrong) if wrong else ""
    given = {"wrong": said, "formats": list(ENDINGS), "for_all": _is_for_all(visit)}
    return visit.page("settings_data.html", status=status if wrong else HTTPStatus.OK, **given)


# ── progress ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/progress/{id}")
async def progress(visit: Visit) -> Response:
    """How far a job is, or its result; a story that is there leads on to the memory."""
    try:
        job = await visit.jobs.get(visit.id, owner=visit.owner)
    except NotFoundError:
        return visit.page("progress_gone.html", status=HTTPStatus.NOT_FOUND)
    if job.kind == STORY and job.state == "done":
        return Response(headers={"HX-Redirect": "/?done=story"}) if visit.is_fragment else visit.to("/", done="story")
    taken = job.result if isinstance(job.result, Taken) else None
    return visit.page(
        "progress.html",
        headline=_headline(job, taken),
        job=job,
        failed=visit.sentence(job.error) if job.error is not None else "",
        taken=taken,
    )


def _headline(job: BackgroundJob, taken: Taken | None) -> str:
    if job.kind == STORY:
        return "page.welcome.loading"
    if job.state == "failed":
        return "page.job.failed"
    if taken is None:
        return "page.import.working"
    if not taken.what.total:
        return "page.import.nothing"
    return "page.import.would" if taken.dry_run else "page.import.done"
