"""Files that come in and go out, a block at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from fastapi import Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from relembra.interfaces.http.documents import Responses

BLOCK = 256 * 1024
BYTES = {"type": "string", "format": "binary"}


def binary(description: str, *media: str) -> Responses:
    """What an operation answers that gives a file."""
    content = {kind: {"schema": {"type": "object"} if kind == "application/json" else BYTES} for kind in media}
    return {200: {"description": description, "content": content}}


def takes(description: str, *media: str) -> dict[str, Any]:
    """What an operation takes whose body is a file."""
    content = {kind: {"schema": BYTES} for kind in media}
    return {"requestBody": {"required": True, "description": description, "content": content}}


async def file_answer(write: Callable[[Path], Awaitable[object]], *, name: str, media_type: str) -> Response:
    """A file as it was just written, which is gone once it was sent or could not be."""
    folder = TemporaryDirectory(prefix="relembra-")
    try:
        path = Path(folder.name) / name
        await write(path)
        return _Sent(path, folder, name=name, media_type=media_type)
    except BaseException:
        folder.cleanup()
        raise


class _Sent(StreamingResponse):
    """A file in blocks, and the folder that goes with it."""

    def __init__(self, path: Path, folder: TemporaryDirectory[str], *, name: str, media_type: str) -> None:
        size = path.stat().st_size
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(size)}
        super().__init__(_blocks(path), media_type=media_type, headers=headers)
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._folder:
            await super().__call__(scope, receive, send)


async def _blocks(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while block := await asyncio.to_thread(file.read, BLOCK):
            yield block


async def taken(request: Request, file: BinaryIO) -> None:
    """Keep the body of a request aside as it comes."""
    try:
        async for block in request.stream():
            file.write(block)
    except ClientDisconnect:
        raise HTTPException(400, "the request ended before its body did; send it again") from None
    file.seek(0)
