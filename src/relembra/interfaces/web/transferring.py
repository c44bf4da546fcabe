"""Taking a memory along and bringing one in, with how far it is; what was prepared waits for an hour."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO

from starlette.responses import FileResponse, Response

from relembra.domain.access import Right
from relembra.domain.text import fold
from relembra.errors import BusyError, InvalidInputError, NotFoundError
from relembra.interfaces.http.files import file_answer
from relembra.interfaces.http.transfer import KINDS, Format, alone
from relembra.interfaces.web import erasing
from relembra.interfaces.web.errands import Errand
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import Visit
from relembra.transfer.facts import ImportReport
from relembra.transfer.importing import Imported
from relembra.transfer.writing import Exported

pages = Pages()

EXPORT, IMPORT = "export", "import"
EVERYBODY = "everybody"
SQLITE = b"SQLite format 3\x00"
UPLOAD = "upload"
MOST_NAMED = 12
ENDINGS = {Format.JSON: "json", Format.JSONL: "jsonl", Format.MARKDOWN: "md", Format.NOTES: "zip"}


@dataclass(frozen=True, slots=True)
class Written:
    """An export that lies ready."""

    what: Exported
    path: Path
    media: str


@dataclass(frozen=True, slots=True)
class Taken:
    """An import that was done, or looked at."""

    what: Imported | ImportReport
    dry_run: bool
    into: str  # everybody, or the person


def offered(visit: Visit) -> dict[str, Any]:
    """What a visitor may choose when they take a memory along or bring one in."""
    return {"formats": [Format.JSON, Format.JSONL, Format.MARKDOWN, Format.NOTES], "for_all": _is_for_all(visit)}


# ── taking along ──────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/export")
async def export(visit: Visit) -> Response:
    return visit.page("export.html", title=visit.words("page.export.title"), **offered(visit))


@pages.post("/export")
async def prepare(visit: Visit) -> Response:
    """Write the file in the background; the page that follows says how far it is, and has the file."""
    whose, format = _whose(visit), _format(visit.field("format"))
    memory, name, language = visit.memory, _file_name(visit, format, whose["user"]), visit.words.language

    async def work(errand: Errand) -> Written:
        path = errand.folder / name
        what = await memory.export(path, format=format.value, language=language, progress=errand.progress, **whose)
        return Written(what, path, KINDS[format][1])

    return _begun(visit, EXPORT, work, is_of_all=whose["user"] is None)


@pages.get("/export/file")
async def at_once(visit: Visit) -> Response:
    """The file in the answer itself: nothing waits for it here, and no script is needed."""
    format = _format(visit.asked("format"))
    name, media = _file_name(visit, format, visit.user), KINDS[format][1]
    write = partial(visit.memory.export, format=format.value, language=visit.words.language, **visit.whose)
    return await file_answer(write, name=name, media_type=media)


def _whose(visit: Visit) -> dict[str, Any]:
    """Whose memory is exported: one person's, or for whoever administers a tenant everybody's."""
    if visit.field("format") == EVERYBODY and _is_for_all(visit):
        return {"user": None, "tenant": visit.tenant}
    return dict(visit.whose)


def _format(word: str) -> Format:
    if word == EVERYBODY:
        return Format.JSONL
    if word and word not in set(Format):
        raise InvalidInputError(f"no format {word!r}; choose one of {', '.join(Format)}", field="format")
    return Format(word or Format.JSON)


def _file_name(visit: Visit, format: Format, user: str | None) -> str:
    plain = "".join(char if char.isascii() and char.isalnum() else "-" for char in fold(user or EVERYBODY))[:60]
    return f"relembra-{plain}-{visit.clock.here(visit.now):%Y-%m-%d}.{ENDINGS[format]}"


# ── bringing in ───────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/import", Right.WRITE)
async def bring(visit: Visit) -> Response:
    return _import_page(visit)


@pages.post("/import")
async def brought(visit: Visit) -> Response:
    """Take a file in, or with `look` only say what would come in; the file may be one that was looked at before."""
    upload, before = visit.file("file"), visit.field("again")
    if upload is None and not before:
        return _import_page(visit, wrong=visit.words("page.import.none"), status=HTTPStatus.UNPROCESSABLE_ENTITY)
    source: Path | BinaryIO
    if upload is not None:
        source = upload.file
    else:
        held = await _looked_at(visit, before)
        if held is None:
            return _import_page(visit, wrong=visit.words("page.import.gone"), status=HTTPStatus.UNPROCESSABLE_ENTITY)
        source = held
    is_facts = await asyncio.to_thread(_is_sqlite, source)
    if is_facts and not visit.may("admin"):
        return _import_page(visit, wrong=visit.words("page.import.admin"), status=HTTPStatus.FORBIDDEN)
    into_all = visit.field("into") == EVERYBODY and _is_for_all(visit)
    given: dict[str, Any] = {"user": None if into_all else visit.user, "tenant": visit.tenant}
    dry_run, spaces, memory = bool(visit.field("look")), visit.caller.user is None, visit.memory
    importing: set[str] = visit.request.app.state.importing
    arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def work(errand: Errand) -> Taken:
        await arrived
        path = errand.folder / UPLOAD
        what: Imported | ImportReport
        with alone(importing, errand.owner.caller):
            if is_facts:
                what = await memory.import_facts(path, dry_run=dry_run, **given)
            else:
                told = errand.progress
                what = await memory.import_export(path, spaces=spaces, dry_run=dry_run, progress=told, **given)
        return Taken(what, dry_run, EVERYBODY if into_all else given["user"])

    try:
        with alone(importing, visit.owner.caller):  # also of those that come by the API
            errand = visit.errands.start(IMPORT, owner=visit.owner, work=work, is_of_all=into_all)
    except BusyError:
        return _import_page(visit, wrong=visit.words("page.errand.busy"), status=HTTPStatus.CONFLICT)
    try:
        await asyncio.to_thread(_kept, source, errand.folder / UPLOAD)
    except BaseException:
        arrived.cancel()
        raise
    arrived.set_result(None)
    return visit.to(f"/errand/{errand.id}")


async def _looked_at(visit: Visit, id: str) -> Path | None:
    """The file of an import that was only looked at, where it is still there."""
    try:
        errand = await visit.errands.get(id, owner=visit.owner)
    except NotFoundError:
        return None
    path = errand.folder / UPLOAD
    return path if errand.kind == IMPORT and errand.state != "running" and path.is_file() else None


def _is_sqlite(source: Path | BinaryIO) -> bool:
    if isinstance(source, Path):
        with source.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    begins = source.read(len(SQLITE)) == SQLITE
    source.seek(0)
    return begins


def _kept(source: Path | BinaryIO, path: Path) -> None:
    """Put a file where its errand finds it, a block at a time."""
    if isinstance(source, Path):
        shutil.copyfile(source, path)
        return
    with path.open("wb") as file:
        shutil.copyfileobj(source, file)


def _import_page(visit: Visit, *, wrong: str = "", status: int = HTTPStatus.OK) -> Response:
    title = visit.words("page.import.title")
    return visit.page("import.html", status=status, title=title, wrong=wrong, **offered(visit))


# ── how far it is ─────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/errand/{id}")
async def errand(visit: Visit) -> Response:
    """How far a piece of work is, or what came of it."""
    words = visit.words
    try:
        one = await visit.errands.get(visit.id, owner=visit.owner)
    except NotFoundError:
        return visit.page("errand_gone.html", status=HTTPStatus.NOT_FOUND, title=words("page.errand.gone"))
    failed = visit.sentence(one.error) if one.error is not None else ""
    size = await asyncio.to_thread(_size, one.result.path) if isinstance(one.result, Written) else 0
    return visit.page(
        "errand.html",
        title=words(_headline(one)),
        errand=one,
        failed=failed,
        size=size,
        came=came(one.result) if isinstance(one.result, Taken) else {},
        rest=rest(one.result) if isinstance(one.result, Taken) else {},
        nobody=_nobody(visit, one.result),
    )


@pages.get("/errand/{id}/file")
async def file(visit: Visit) -> Response:
    """The file an errand wrote."""
    one = await visit.errands.get(visit.id, owner=visit.owner)
    if not isinstance(one.result, Written) or not one.result.path.is_file():
        raise NotFoundError("errand", visit.id)
    return FileResponse(one.result.path, media_type=one.result.media, filename=one.result.path.name)


def came(taken: Taken) -> dict[str, int]:
    """What came in, or would, by part or by person."""
    return {name: number for name, number in taken.what.added.items() if number}


def rest(taken: Taken) -> dict[str, int]:
    """What did not, by why."""
    what = taken.what
    if isinstance(what, Imported):
        told = {"take_in.skipped": what.skipped, "take_in.conflicted": what.conflicted}
        told["take_in.left_out"] = what.left_out
    else:
        told = {"import.known": what.known, "import.repeated": what.repeated, "import.left_out": what.left_out}
    return {why: number for why, number in told.items() if number}


def _nobody(visit: Visit, result: object) -> str:
    """Whom an older program's file knows, where it knows nothing of who was asked for."""
    if not isinstance(result, Taken) or not isinstance(result.what, ImportReport):
        return ""
    what = result.what
    if what.total or what.known or what.repeated or not what.people:
        return ""
    named = ", ".join(what.people[:MOST_NAMED]) + ("…" if len(what.people) > MOST_NAMED else "")
    return visit.words("page.import.nobody", user=visit.user, people=named)


def _headline(one: Errand) -> str:
    if one.state == "failed":
        return "page.errand.failed"
    if one.kind == EXPORT:
        return "page.export.working" if one.state == "running" else "page.export.done"
    if not isinstance(one.result, Taken):
        return "page.import.working"
    if not one.result.what.total:
        return "page.import.nothing"
    return "page.import.would" if one.result.dry_run else "page.import.done"


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _begun(visit: Visit, kind: str, work: Any, *, is_of_all: bool) -> Response:
    """On to the page of a new errand, or of the one of its kind that is under way."""
    errands = visit.errands
    if (running := errands.running(kind, owner=visit.owner)) is not None:
        return visit.to(f"/errand/{running.id}")
    try:
        started = errands.start(kind, owner=visit.owner, work=work, is_of_all=is_of_all)
        return visit.to(f"/errand/{started.id}")
    except BusyError:
        said, title = visit.words("page.errand.busy"), visit.words("page.trouble")
        return visit.page("error.html", status=HTTPStatus.CONFLICT, title=title, said=said)


def _is_for_all(visit: Visit) -> bool:
    return visit.may("admin") and visit.caller.user is None


pages.pages.extend(erasing.pages.pages)
