"""Writes that may be sent twice: with an `Idempotency-Key` the second gets the first one's answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.responses import StreamingResponse

from relembra.domain.text import checked_name
from relembra.interfaces.http.bodies import StrictRequest
from relembra.interfaces.http.callers import Caller, caller_of, memory_of

READ_ONLY = frozenset({"GET", "HEAD", "OPTIONS"})
KEPT = ("content-type", "etag", "location")


class Idempotent(APIRoute):
    """A route whose writes are done once for each `Idempotency-Key` of a caller; kept for a day."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        done = super().get_route_handler()

        async def handler(plain: Request) -> Response:
            request = StrictRequest(plain.scope, plain.receive)
            key = request.headers.get("idempotency-key")
            if key is None or request.method in READ_ONLY:
                return await done(request)
            checked_name(key, "Idempotency-Key")
            caller, memory = await caller_of(request), memory_of(request)
            whose = {"caller": caller.id, "key": key, "tenant": caller.tenant}
            kept = await memory.begin_reply(fingerprint=await _fingerprint(request), **whose)
            if kept is not None:
                return Response(kept.body, kept.status, headers={**kept.headers, "Idempotent-Replayed": "true"})
            try:
                response = await done(request)
            except BaseException:
                await memory.drop_reply(**whose)
                raise
            if isinstance(response, StreamingResponse) or response.status_code >= 300:
                await memory.drop_reply(**whose)
                return response
            headers = {name: response.headers[name] for name in KEPT if name in response.headers}
            await memory.end_reply(
                user=caller.meant,
                status=response.status_code,
                body=bytes(response.body),
                headers=headers,
                **whose,
            )
            return response

        return handler


async def name_of(request: Request, caller: Caller) -> str | None:
    """A name for a request sent under a key, by which what it wrote is known again after a crash."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    told = f"{caller.id}\0{key}\0{await _fingerprint(request)}"
    return "once:" + hashlib.blake2b(told.encode(), digest_size=16).hexdigest()


async def _fingerprint(request: Request) -> str:
    """What was asked, so that a key used for something else is told from a repetition."""
    said = hashlib.blake2b(digest_size=16)
    for part in (request.method.encode(), str(request.url.path).encode(), request.url.query.encode()):
        said.update(part + b"\0")
    said.update(await request.body())
    return said.hexdigest()
