"""Verbs whose routes do more than call them: files, streams, and answers shaped by what the request asks for."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, BinaryIO

from fastapi import Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from relembra.domain.access import EVERY_TENANT, Right
from relembra.domain.ids import is_id
from relembra.domain.jobs import Job
from relembra.domain.text import is_blank
from relembra.errors import BusyError, InvalidInputError, NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.http.events import LAST, STREAM, watch
from relembra.interfaces.http.parameters import FileFormat, Format
from relembra.interfaces.http.routes import Call, Handler, name_of
from relembra.interfaces.http.schemas import (
    IF_NONE_MATCH,
    TAG,
    HitRow,
    ItemRow,
    JobRow,
    Shape,
    answered,
    binary,
    documented,
    many,
    record,
    tag_of,
    takes,
)
from relembra.learn.drafts import Draft
from relembra.tools.arguments import Tool
from relembra.verbs import VERBS

READ_ONLY_TOOLS = frozenset({Tool.SEARCH_KNOWLEDGE, Tool.ANALYZE_CONTEXT})
NO_COMMAND: dict[str, Any] = {"name": None, "text": None, "done": False, "items": []}
BLOCK = 256 * 1024

Run = Callable[[Call], Awaitable[Any]]
HANDLERS: dict[str, Handler] = {}


def handles(name: str, **more: Any) -> Callable[[Run], Run]:
    """Have a function answer a verb; `more` is what a `Handler` takes."""

    def keep(run: Run) -> Run:
        HANDLERS[name] = Handler(run, **more)
        return run

    return keep


handles("watch", responses={200: STREAM}, extra={"parameters": [LAST]})(watch)


@handles("save")
async def save(call: Call) -> Any:
    if (once := await name_of(call.request, call.caller)) is not None:
        call.given.setdefault("external_id", once)
    return await call.run()


# ── what is known ─────────────────────────────────────────────────────────────────────────────────────────────────────

_KNOWN = record(
    "Known",
    "A page of what is known; with `q` the best answers, and why each is one under `hits`.",
    {"hits": many(HitRow)},
    items=many(ItemRow),
    next=str | None,
)


@handles("list", responses=documented(VERBS["list"], Shape(_KNOWN)))
async def list_items(call: Call) -> Any:
    """What is known, newest first or in another order; with `q`, what answers it best.

    An empty `q` is none. A search has no pages, so that `next` is null, and an order of its own.
    """
    question = call.given.pop("q", "")
    if is_blank(question):
        return await call.run()
    for name, said in (("after", "a search has no pages"), ("order", "a search gives the best answers first")):
        if name in call.given:
            raise InvalidInputError(f"{said}; leave out {name}, or q", field=name)
    hits = await call.memory.search(question, **call.given)
    return answered(shapes.wire({"items": [hit.item for hit in hits], "next": None, "hits": hits}))


@handles("add_many")
async def add_many(call: Call) -> Any:
    call.given["drafts"] = [Draft(**draft) for draft in call.given["drafts"]]
    return await call.run()


@handles(
    "get",
    also={304: {"description": "It is still the version you have.", "headers": TAG}},
    extra={"parameters": [IF_NONE_MATCH]},
)
async def get(call: Call) -> Any:
    item = await call.run()
    tag = tag_of(item)
    had = {one.strip().removeprefix("W/") for one in call.request.headers.get("if-none-match", "").split(",")}
    return Response(status_code=304, headers={"ETag": tag}) if had & {tag, "*"} else item


@handles("why")
async def why(call: Call) -> Any:
    most = call.given.pop("limit", None)
    trace = await call.run()
    best = sorted(trace.missed, key=lambda one: one.score, reverse=True)
    return answered(shapes.trace(trace, best[:most]))


# ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@handles("tools")
async def tools(call: Call) -> Any:
    return call.memory.tools(call.given.get("format", "openai"), call.given.get("language", "en"))


@handles("call_tool")
async def call_tool(call: Call) -> Any:
    """Run one of the tools with the arguments a model gave; add_knowledge needs the right to write."""
    if call.given["name"] not in READ_ONLY_TOOLS:
        call.caller.must(Right.WRITE)
    call.given.setdefault("arguments", None)
    return await call.run()


@handles("command")
async def command(call: Call) -> Any:
    return await call.run() or answered(NO_COMMAND)


# ── night work ────────────────────────────────────────────────────────────────────────────────────────────────────────


@handles("consolidations")
async def consolidations(call: Call) -> Any:
    """The records of night work, newest first: a person's, a space's, or for an administrator everybody's.

    A page of everybody's may hold fewer than asked for, even none, and still have a next one.
    """
    listing = await call.run()
    listing[:] = [run for run in listing if run.scope.tenant == call.caller.tenant]
    return listing


@handles("consolidation")
async def consolidation(call: Call) -> Any:
    raw = call.given.pop("raw", False)
    return answered(shapes.record(await call.run(), raw=raw))


# ── jobs ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _is_theirs(call: Call, job: Job) -> bool:
    return job.scope.tenant == call.caller.tenant and call.caller.user in (None, job.scope.user)


async def _theirs(call: Call) -> Job:
    """The job of a whole id; another tenant's or person's is as if it were not there."""
    id = call.given["id"]
    job = await call.memory.job(id) if is_id(id) else None
    if job is None or not _is_theirs(call, job):
        raise NotFoundError("job", id)
    return job


@handles("jobs")
async def jobs(call: Call) -> Any:
    return await call.memory.jobs(within=call.caller.tenant, **call.given)


@handles("failed_jobs")
async def failed_jobs(call: Call) -> Any:
    """The tenant's work that was tried and is not done; the `error` of each says why."""
    return [job for job in await call.memory.failed_jobs(within=call.caller.tenant) if _is_theirs(call, job)]


@handles("job")
async def job(call: Call) -> Any:
    """One job that is not done yet."""
    return await _theirs(call)


@handles("retry_job")
@handles("cancel_job")
async def changed_job(call: Call) -> Any:
    await _theirs(call)
    return await call.run()


_DONE = record("JobDone", "Whether the job is done; else the job with its error.", done=bool, left=JobRow | None)


@handles("run_job", responses={200: {"model": _DONE, "description": _DONE.__doc__}})
async def run_job(call: Call) -> Any:
    await _theirs(call)
    left = await call.run()
    return answered({"done": left is None, "left": shapes.wire(left)})


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


@handles("keys")
async def keys(call: Call) -> Any:
    """All keys of the tenant, newest first, without their secrets."""
    if call.given.pop("every_tenant", False):
        call.caller.must_operate()
        call.given["tenant"] = None
    return await call.run()


@handles("create_key")
async def create_key(call: Call) -> Any:
    """Make a key; its secret is in this answer and nowhere else."""
    if call.given.pop("every_tenant", False):
        call.caller.must_operate()
        call.given["tenant"] = EVERY_TENANT
    return await call.run()


@handles("revoke_key")
async def revoke_key(call: Call) -> Any:
    if call.caller.everywhere:
        call.given["tenant"] = None
    return await call.run()


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

EXPORTS = {
    Format.JSONL: ("relembra.jsonl", "application/x-ndjson"),
    Format.JSON: ("relembra.json", "application/json"),
    Format.MARKDOWN: ("relembra.md", "text/markdown"),
    Format.NOTES: ("relembra-notes.zip", "application/zip"),
}


@handles("export", responses=binary("The memory.", *(media for _, media in EXPORTS.values())))
async def export(call: Call) -> Response:
    """All of a person's memory; as jsonl it comes as it is read, and without a user holds everybody of the tenant.

    The last line of a whole jsonl export says so; one that broke off has none and cannot be imported.
    """
    format = call.given.setdefault("format", Format.JSONL)
    name, media = EXPORTS[format]
    if format is Format.JSONL:
        lines = call.memory.export_stream(user=call.given["user"], tenant=call.given["tenant"])
        return StreamingResponse(lines, media_type=media, headers=_attached(name))
    return await file_answer(partial(call.memory.export, **call.given), name=name, media_type=media)


@handles("backup", responses=binary("A copy of the whole store.", "application/octet-stream"))
async def backup(call: Call) -> Response:
    """A consistent copy of everything, made while in use, to download."""
    return await file_answer(call.memory.backup, name="relembra.db", media_type="application/octet-stream")


@handles(
    "note_files",
    responses=binary(
        "A zip of the Markdown file and its pictures, or the Markdown alone.", "application/zip", "text/markdown"
    ),
)
async def note_files(call: Call) -> Response:
    """A note as a Markdown file with the pictures that go with it."""
    format = call.given.pop("format", FileFormat.ZIP)
    files: dict[str, bytes] = await call.run()
    name, text = next((name, text) for name, text in files.items() if name.endswith(".md"))
    if format is FileFormat.MARKDOWN:
        return Response(text, media_type="text/markdown", headers=_attached(name))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in files.items():
            archive.writestr(zipfile.ZipInfo(each), content)
    zipped = f"{name.removesuffix('.md')}.zip"
    return Response(packed.getvalue(), media_type="application/zip", headers=_attached(zipped))


@handles("import_export", extra=takes("An export, json or jsonl.", "application/x-ndjson", "application/json"))
async def import_export(call: Call) -> Any:
    """Take an export in. What is there already stays as it is, and a second time adds nothing.

    `user`: under another name, or of everybody's export that person alone. The file is checked whole before anything
    is stored. Without a user it needs the right to administer; a key bound to a person brings in nothing of spaces.
    """
    with alone(call.request.app.state.importing, call.caller.id), TemporaryFile() as file:
        await _taken(call.request, file)
        return await call.memory.import_export(file, spaces=call.caller.user is None, **call.given)


@handles("import_facts", extra=takes("The SQLite file of an older program.", "application/octet-stream"))
async def import_facts(call: Call) -> Any:
    with alone(call.request.app.state.importing, call.caller.id), TemporaryDirectory(prefix="relembra-") as folder:
        path = Path(folder) / "facts.db"
        with path.open("w+b") as file:
            await _taken(call.request, file)
        try:
            return await call.memory.import_facts(path, **call.given)
        except InvalidInputError as error:  # it names the file, which is one of ours
            raise InvalidInputError(str(error).replace(str(path), "the body"), field="body") from None


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


async def file_answer(write: Callable[[Path], Awaitable[object]], *, name: str, media_type: str) -> Response:
    """A file as it was just written, which is gone once it was sent or could not be."""
    folder = TemporaryDirectory(prefix="relembra-")
    try:
        path = Path(folder.name) / name
        await write(path)
        return _File(path, folder, name=name, media_type=media_type)
    except BaseException:
        folder.cleanup()
        raise


class _File(StreamingResponse):
    """A file in blocks, and the folder that goes with it."""

    def __init__(self, path: Path, folder: TemporaryDirectory[str], *, name: str, media_type: str) -> None:
        headers = _attached(name) | {"Content-Length": str(path.stat().st_size)}
        super().__init__(_blocks(path), media_type=media_type, headers=headers)
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._folder:
            await super().__call__(scope, receive, send)


async def _blocks(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while block := await asyncio.to_thread(file.read, BLOCK):
            yield block


async def _taken(request: Request, file: BinaryIO) -> None:
    """Keep the body of a request aside as it comes."""
    try:
        async for block in request.stream():
            file.write(block)
    except ClientDisconnect:
        raise HTTPException(400, "the request ended before its body did; send it again") from None
    file.seek(0)


def _attached(file: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file}"'}
