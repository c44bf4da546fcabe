"""Reading JSON as it is written down, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from fastapi import Request, Response
from fastapi.routing import APIRoute

from relembra.domain.text import holds_more_than
from relembra.interfaces.http.problems import TooManyValuesError

MOST_VALUES = 60_000
"""In one body; a thousand drafts with everything that can be said of each have fewer."""


class StrictRequest(Request):
    """A request whose JSON is RFC 8259's: no NaN, no number nobody can hold, no half characters, no endless nesting.

    Nor a heap of small values, each of which takes a hundred times its room once it is read.
    """

    async def json(self) -> Any:
        body = await self.body()
        if holds_more_than(MOST_VALUES, body):
            raise TooManyValuesError(MOST_VALUES)
        return msgspec.json.decode(body)


class Strict(APIRoute):
    """A route that reads its JSON so."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        done = super().get_route_handler()

        async def handler(plain: Request) -> Response:
            return await done(StrictRequest(plain.scope, plain.receive))

        return handler
