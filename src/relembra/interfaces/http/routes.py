"""A route for every verb, made from its row in `relembra.verbs`; what a verb needs beyond that stands in `handlers`."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from fastapi import Query, Request, Response
from fastapi.routing import APIRoute
from starlette.responses import StreamingResponse

from relembra.domain.access import Right
from relembra.domain.audit import ActorKind
from relembra.domain.text import checked_name, holds_more_than
from relembra.errors import InvalidInputError
from relembra.interfaces.http.callers import Administering, Caller, MemoryDep, Reading, Writing, caller_of, memory_of
from relembra.interfaces.http.problems import ForbiddenError, too_many_values
from relembra.interfaces.http.schemas import (
    IDEMPOTENCY_KEY,
    IF_MATCH,
    ONCE,
    READ_ONLY,
    Asked,
    Responses,
    answer,
    answer_model,
    doc_of,
    documented,
    expected_version,
    is_versioned,
    path_of,
    request_model,
)
from relembra.interfaces.requests import USER_HEADER, in_utf8
from relembra.memory import Memory
from relembra.verbs import VERBS, About, Verb

NEEDS = {Right.READ: Reading, Right.WRITE: Writing, Right.ADMIN: Administering}
MOST_VALUES = 60_000
"""In one body; a thousand drafts with everything that can be said of each have fewer."""
KEPT = ("content-type", "etag", "location")


@dataclass(frozen=True, slots=True)
class Call:
    """One request for a verb, and what is given to the verb."""

    verb: Verb
    request: Request
    caller: Caller
    memory: Memory
    given: dict[str, Any]

    async def run(self) -> Any:
        value = getattr(self.memory, self.verb.name)(**self.given)
        return await value if inspect.isawaitable(value) else value


@dataclass(frozen=True, slots=True)
class Handler:
    """What one verb does in its own way; returns a response, or what the verb returns."""

    run: Callable[[Call], Awaitable[Any]]
    responses: Responses | None = None  # instead of the usual ones
    extra: dict[str, Any] = field(default_factory=dict)  # for the document


# ── who is meant ──────────────────────────────────────────────────────────────────────────────────────────────────────


def arguments(verb: Verb, parts: dict[str, Any], caller: Caller) -> dict[str, Any]:
    """What was asked as the verb takes it; `ForbiddenError` where the caller may not."""
    if not verb.bound:
        unbound(caller)
    if verb.about is About.INSTALLATION:
        caller.must_operate()
    if verb.about in (About.INSTALLATION, About.NOBODY):
        return parts
    if verb.about is About.TENANT:
        return parts | {"tenant": caller.tenant}
    named = parts.pop("user", None)
    if verb.about in (About.SPACE, About.ANY_SPACE) and "space" in parts:
        whose: dict[str, Any] = {"tenant": caller.tenant} | ({} if named is None else {"user": named})
    elif verb.about in (About.ANYONE, About.EVERYONE, About.ANY_SPACE):
        whose = {"user": caller.user_or_all(named), "tenant": caller.tenant}
    else:
        whose = dict(caller.whose(named))
    caller.enter(parts.get("space"))
    kind, _, name = parts.get("by", "").partition(":")
    if caller.user is not None and kind == ActorKind.PERSON and name != caller.user:
        raise ForbiddenError(f"this key is for {caller.user!r} and cannot speak for another user")
    if "space" in parts:
        caller.meant = None  # the answer may quote others who talk there
    if verb.about is About.EVERYONE and whose["user"] is None:
        caller.must_operate()
    return whose | parts


def named(verb: Verb, parts: dict[str, Any], request: Request) -> dict[str, Any]:
    """What was asked, with the person a header names where the request itself does not; the two may not differ."""
    name = in_utf8(request.headers.get(USER_HEADER, "").strip())
    is_of_space = verb.about in (About.SPACE, About.ANY_SPACE) and "space" in parts
    if not name or is_of_space or verb.about in (About.TENANT, About.INSTALLATION, About.NOBODY):
        return parts
    if parts.get("user", name) != name:
        raise InvalidInputError("user and X-Relembra-User name two people; name one", field="user")
    return {**parts, "user": checked_name(name, "X-Relembra-User")}


def unbound(caller: Caller) -> None:
    """Refuse a key of one person: what follows concerns the tenant."""
    if caller.user is not None:
        raise ForbiddenError("this key is for one person alone; what concerns everybody needs a key of the tenant")


# ── routes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class StrictRequest(Request):
    """A request whose JSON is RFC 8259's: no NaN, no number out of range, no half characters, no endless nesting.

    Nor a heap of small values, each of which takes a hundred times its room once it is read.
    """

    async def json(self) -> Any:
        body = await self.body()
        if holds_more_than(MOST_VALUES, body):
            raise too_many_values(MOST_VALUES)
        return msgspec.json.decode(body)


class Strict(APIRoute):
    """A route that reads its JSON so. `once`: writes are done once for each `Idempotency-Key`, kept for a day."""

    once = False

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        done = super().get_route_handler()

        async def handler(plain: Request) -> Response:
            return await self._answered(StrictRequest(plain.scope, plain.receive), done)

        return handler

    async def _answered(self, request: Request, done: Callable[[Request], Awaitable[Response]]) -> Response:
        key = request.headers.get("idempotency-key")
        if not self.once or key is None or request.method in READ_ONLY:
            return await done(request)
        checked_name(key, IDEMPOTENCY_KEY)
        caller = await caller_of(request)
        whose = {"caller": caller.id, "key": key, "tenant": caller.tenant}
        fingerprint = await _fingerprint(request)
        return await once(memory_of(request), lambda: done(request), lambda: caller.meant, fingerprint, whose)


async def once(
    memory: Memory,
    do: Callable[[], Awaitable[Response]],
    about: Callable[[], str | None],
    fingerprint: str,
    whose: dict[str, str],
) -> Response:
    """Do what was sent under a key once, and answer it the same for a day; what fails may be tried again.

    `about`: whom it turned out to be about, whose forgetting takes the answer along. `fingerprint`: of what was sent.
    """
    kept = await memory.begin_reply(fingerprint=fingerprint, **whose)
    if kept is not None:
        return Response(kept.body, kept.status, headers={**kept.headers, "Idempotent-Replayed": "true"})
    try:
        response = await do()
    except BaseException:
        await memory.drop_reply(**whose)
        raise
    if isinstance(response, StreamingResponse) or response.status_code >= 300:
        await memory.drop_reply(**whose)
        return response
    headers = {name: response.headers[name] for name in KEPT if name in response.headers}
    body = bytes(response.body)
    await memory.end_reply(user=about(), status=response.status_code, body=body, headers=headers, **whose)
    return response


async def name_of(request: Request, caller: Caller) -> str | None:
    """A name for a request sent under a key, by which what it wrote is known again after a crash."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    named = f"{caller.id}\0{key}\0{await _fingerprint(request)}"
    return "once:" + hashlib.blake2b(named.encode(), digest_size=16).hexdigest()


async def _fingerprint(request: Request) -> str:
    """What was asked, so that a key used for something else is not taken for a repetition."""
    said = hashlib.blake2b(digest_size=16)
    whose = request.headers.get(USER_HEADER, "")
    for part in (request.method.encode(), str(request.url.path).encode(), request.url.query.encode(), whose.encode()):
        said.update(part + b"\0")
    said.update(await request.body())
    return said.hexdigest()


def endpoint_of(verb: Verb, handler: Handler | None) -> Callable[..., Awaitable[Response]]:
    """The function behind a verb's route, with the parameters FastAPI is to read from requests."""
    versioned = is_versioned(verb)

    async def endpoint(
        request: Request, caller: Caller, memory: Memory, said: Asked | None = None, **path: str
    ) -> Response:
        parts = {} if said is None else said.model_dump(exclude_none=True)
        given = path | arguments(verb, named(verb, parts, request), caller)
        if versioned:
            given["version"] = expected_version(request)
        call = Call(verb, request, caller, memory, given)
        value = await (call.run() if handler is None else handler.run(call))
        return value if isinstance(value, Response) else answer(verb, request, value)

    annotations: dict[str, Any] = path_of(verb)
    if (model := request_model(verb)) is not None:
        annotations["said"] = model if verb.has_body else Annotated[model, Query()]
    annotations |= {"request": Request, "caller": NEEDS[verb.right], "memory": MemoryDep}
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(name, keyword, annotation=kind) for name, kind in annotations.items()]
    vars(endpoint)["__signature__"] = inspect.Signature(parameters)
    endpoint.__annotations__ = annotations
    endpoint.__name__ = verb.name
    endpoint.__doc__ = (handler and handler.run.__doc__) or doc_of(verb)
    return endpoint


def verb_routes(handlers: Mapping[str, Handler]) -> list[APIRoute]:
    """Every verb's route, in the order they are tried."""
    routes: list[APIRoute] = []
    for verb in VERBS.values():
        handler = handlers.get(verb.name)
        is_kept = verb.idempotent and verb.http_method not in READ_ONLY
        headers = ([ONCE] if is_kept else []) + ([IF_MATCH] if is_versioned(verb) else [])
        route = Strict(
            verb.path,
            endpoint_of(verb, handler),
            methods=[verb.http_method],
            status_code=verb.status,
            operation_id=verb.name,
            tags=[verb.group],
            response_class=Response,
            responses=(handler and handler.responses) or documented(verb, answer_model(verb)),
            openapi_extra=({"parameters": headers} if headers else {}) | (handler.extra if handler else {}),
        )
        route.once = verb.idempotent
        routes.append(route)
    return routes
