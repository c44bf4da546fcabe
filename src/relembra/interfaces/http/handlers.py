"""Verbs whose routes do more than call them: files, streams, and answers shaped by what the request asks for."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, BinaryIO

import msgspec
from fastapi import Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from relembra.domain.access import EVERY_TENANT, Right
from relembra.domain.jobs import Job
from relembra.domain.scope import is_id
from relembra.errors import BusyError, InvalidInputError, NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.http.callers import Gate
from relembra.interfaces.http.problems import ForbiddenError, UnauthorizedError
from relembra.interfaces.http.routes import Call, Handler, name_of
from relembra.interfaces.http.schemas import Format, answered, binary, header, record, takes
from relembra.items import Told
from relembra.learn.drafts import Draft
from relembra.tools.answers import Tool

READ_ONLY_TOOLS = frozenset({Tool.SEARCH_KNOWLEDGE, Tool.ANALYZE_CONTEXT})
NO_COMMAND: dict[str, Any] = {"name": None, "text": None, "done": False, "items": []}

Run = Callable[[Call], Awaitable[Any]]
HANDLERS: dict[str, Handler] = {}


def handles(name: str, **more: Any) -> Callable[[Run], Run]:
    """Have a function answer a verb; `more` is what a `Handler` takes."""

    def keep(run: Run) -> Run:
        HANDLERS[name] = Handler(run, **more)
        return run

    return keep


@handles("save")
async def save(call: Call) -> Any:
    if (once := await name_of(call.request, call.caller)) is not None:
        call.given.setdefault("external_id", once)
    return await call.run()


# ── what is known ─────────────────────────────────────────────────────────────────────────────────────────────────────


@handles("add_many")
async def add_many(call: Call) -> Any:
    call.given["drafts"] = [Draft(**draft) for draft in call.given["drafts"]]
    return await call.run()


@handles("why")
async def why(call: Call) -> Any:
    most = call.given.pop("limit", None)
    trace = await call.run()
    best = sorted(trace.missed, key=lambda one: one.score, reverse=True)
    return answered(shapes.trace(trace, best[:most]))


# ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


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


_DONE = record("JobDone", "Whether the job is done; else the job with its error.", done=bool, left=Job | None)


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

BLOCK_BYTES = 1 << 18
EXPORTS = {
    Format.JSONL: ("relembra.jsonl", "application/x-ndjson"),
    Format.JSON: ("relembra.json", "application/json"),
    Format.MARKDOWN: ("relembra.md", "text/markdown"),
    Format.NOTES: ("relembra-notes.zip", "application/zip"),
    Format.VAULT: ("relembra-vault.zip", "application/zip"),
    Format.MEM0: ("relembra-mem0.json", "application/json"),
    Format.CSV: ("relembra.csv", "text/csv"),
}


@handles("export", responses=binary("The memory.", *dict.fromkeys(media for _, media in EXPORTS.values())))
async def export(call: Call) -> Response:
    """All of a person's memory; as jsonl without a user everybody's of the tenant."""
    format = call.given.setdefault("format", Format.JSONL)
    name, media = EXPORTS[format]
    return await file_answer(partial(call.memory.export, **call.given), name=name, media_type=media)


@handles("backup", responses=binary("A copy of the whole store.", "application/octet-stream"))
async def backup(call: Call) -> Response:
    """A consistent copy of everything, made while in use, to download."""
    return await file_answer(call.memory.backup, name="relembra.db", media_type="application/octet-stream")


@handles("note_files", responses=binary("The note as Markdown.", "text/markdown"))
async def note_files(call: Call) -> Response:
    """A note as a Markdown file."""
    files: dict[str, bytes] = await call.run()
    [(name, text)] = files.items()
    return Response(text, media_type="text/markdown", headers=_attached(name))


IMPORTED = ("application/x-ndjson", "application/json", "application/zip", "application/octet-stream")


@handles(
    "import_",
    extra=takes("An export of ours or of another program: a file or a zip, whatever it is called.", *IMPORTED),
)
async def import_(call: Call) -> Any:
    """Take in an export of ours, of a chat program or of another memory, told by what is in it.

    What is there already stays as it is, and a second time adds nothing. `user`: whose memory it goes into; of
    everybody's export of ours that person alone. The file is read through before anything is stored. Without a user it
    needs the right to administer; a key bound to a person brings in nothing of spaces, and keeps groups in private.
    """
    with alone(call.request.app.state.importing, call.caller.id), TemporaryFile() as file:
        await _taken(call.request, file)
        return await call.memory.import_(file, spaces=call.caller.user is None, **call.given)


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


class _Closing(StreamingResponse):
    """A stream that is closed with the connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert isinstance(self.body_iterator, AsyncGenerator)
        async with contextlib.aclosing(self.body_iterator):
            await super().__call__(scope, receive, send)


async def file_answer(write: Callable[[Path], Awaitable[object]], *, name: str, media_type: str) -> Response:
    """A file as it was just written; open and without a name, so that nothing of it stays."""
    with TemporaryDirectory(prefix="relembra-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / name
        await write(path)
        file = await asyncio.to_thread(path.open, "rb")
        size = os.fstat(file.fileno()).st_size
    headers = {**_attached(name), "Content-Length": str(size)}
    return _Closing(_blocks(file), media_type=media_type, headers=headers)


async def _blocks(file: BinaryIO) -> AsyncGenerator[bytes, None]:
    with file:
        while block := await asyncio.to_thread(file.read, BLOCK_BYTES):
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


# ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────────

QUIET_SECONDS = 15.0
MEDIA = "text/event-stream"
LAST = header("Last-Event-ID", "The id of the last event you got, as browsers send it; comes before `after`.")
STREAM = {
    "description": "Events named change, each an entry of the audit trail with its item as it is now.",
    "content": {MEDIA: {"schema": {"type": "string"}, "example": 'id: 7\nevent: change\ndata: {"number":7,…}\n\n'}},
}


@handles("watch", responses={200: STREAM}, extra={"parameters": [LAST]})
async def watch(call: Call) -> Response:
    """What is learnt and changed of a person, as it is recorded, by whatever program.

    A comment comes every 15 seconds in which nothing happens. When the server stops, the stream ends: connect again
    with the id of the last event and nothing is missed.
    """
    request, state = call.request, call.request.app.state
    given = call.given | _last(request)
    gate: Gate = state.gate

    async def is_welcome() -> bool:
        """Whether the key still opens this; a stream may outlive it."""
        with contextlib.suppress(UnauthorizedError, ForbiddenError):
            await gate.known(request.headers, request.client.host if request.client else None)
            return True
        return False

    stream = events(call.memory.watch(**given), stopping=state.stopping, is_welcome=is_welcome)
    return _Closing(stream, media_type=MEDIA, headers={"X-Accel-Buffering": "no"})


async def events(
    changes: AsyncIterator[Told],
    *,
    stopping: asyncio.Event,
    is_welcome: Callable[[], Awaitable[bool]],
    quiet: float = QUIET_SECONDS,
) -> AsyncGenerator[bytes, None]:
    """The stream, until the server stops or the key ends. `quiet`: how often it says that it is still there."""
    yield b": listening\n\n"
    stopped = asyncio.ensure_future(stopping.wait())
    next_one = asyncio.ensure_future(anext(changes, None))
    clock = asyncio.get_running_loop().time
    checked = clock()
    try:
        while not stopped.done():
            await asyncio.wait({stopped, next_one}, timeout=quiet, return_when=asyncio.FIRST_COMPLETED)
            if clock() - checked >= quiet:
                checked = clock()
                if not await is_welcome():
                    return
            if next_one.done():
                one = next_one.result()
                if one is None:
                    return
                next_one = asyncio.ensure_future(anext(changes, None))
                yield event(one)
            elif not stopped.done():
                yield b": still here\n\n"
    finally:
        stopped.cancel()
        next_one.cancel()
        await asyncio.gather(stopped, next_one, return_exceptions=True)
        if isinstance(changes, AsyncGenerator):
            await changes.aclose()


def event(one: Told) -> bytes:
    """One event; its data is JSON on one line."""
    return b"id: %d\nevent: change\ndata: %b\n\n" % (one.number, msgspec.json.encode(shapes.wire(one)))


def _last(request: Request) -> dict[str, int]:
    """The number a client that was cut off goes on after."""
    given = request.headers.get("last-event-id", "").strip()
    if not given:
        return {}
    if not (given.isascii() and given.isdecimal() and len(given) < 16):
        raise InvalidInputError("Last-Event-ID is no id an event had", field="Last-Event-ID")
    return {"after": int(given)}
