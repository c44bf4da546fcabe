"""Reading JSON as it is written down, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from fastapi import Request, Response
from fastapi.routing import APIRoute


class StrictRequest(Request):
    """A request whose JSON is RFC 8259's: no NaN, no number nobody can hold, no half characters, no endless nesting."""

    async def json(self) -> Any:
        return msgspec.json.decode(await self.body())


class Strict(APIRoute):
    """A route that reads its JSON so."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        done = super().get_route_handler()

        async def handler(plain: Request) -> Response:
            return await done(StrictRequest(plain.scope, plain.receive))

        return handler
