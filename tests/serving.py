"""Clients that hold every answer against what the document says of it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel

from houses import LOOPBACK, House
from relembra.interfaces.http.schemas import WITH_A_VERSION, Problem

ANYTIME = frozenset({400, 401, 403, 404, 408, 409, 413, 415, 422, 429, WITH_A_VERSION})


@dataclass(frozen=True)
class Operation:
    """One operation of the document, and what it says it answers."""

    id: str
    method: str
    path: str
    tag: str
    answers: dict[int, Any]
    endpoint: Callable[..., Any]

    def is_at(self, request: httpx.Request) -> bool:
        pattern = re.sub(r"{\w+:path}", ".+", re.sub(r"{\w+}", "[^/]+", self.path))
        return self.method == request.method and re.fullmatch(pattern, request.url.path) is not None


def operations(app: FastAPI, prefix: str = "/v1/") -> Iterator[Operation]:
    """Every operation under a prefix, in the order they are tried."""
    for one in iter_route_contexts(app.routes):
        if str(one.path).startswith(prefix):
            route: Any = one
            answers = {int(status): said for status, said in (route.responses or {}).items()}
            for method in sorted(one.methods or ()):
                id = route.operation_id or route.unique_id
                yield Operation(id, method, str(one.path), route.tags[0], answers, route.endpoint)


def client_of(house: House, key: str | None = None, **headers: str) -> httpx.AsyncClient:
    """A client whose answers are all as documented; without a key it is on this machine."""
    client = house.client(key, **headers) if key else house.client(peer=LOOPBACK, **headers)
    client.event_hooks = {"response": [checked(house.app)]}
    return client


def checked(app: FastAPI) -> Callable[[httpx.Response], Awaitable[None]]:
    known = list(operations(app))

    async def check(response: httpx.Response) -> None:
        await response.aread()
        operation = next((one for one in known if one.is_at(response.request)), None)
        if response.status_code >= 400:
            assert response.headers["content-type"] == "application/problem+json", response.text
            assert response.status_code in ANYTIME, response.text
            Problem.model_validate_json(response.content, extra="forbid")
        elif operation is not None and operation.tag not in ("chat", "webhooks"):
            assert response.status_code in operation.answers, (operation.id, response.status_code)
            model: type[BaseModel] | None = operation.answers[response.status_code].get("model")
            if model is not None:
                extra: Any = "allow" if model.model_config.get("extra") == "allow" else "forbid"
                model.model_validate_json(response.content, extra=extra)

    return check
