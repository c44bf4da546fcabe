"""The memory proxy: OpenAI's chat completions and responses, with what is remembered put before the model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from relembra.errors import NotFoundError, RelembraError, UpstreamError
from relembra.interfaces.http.callers import THIS_MACHINE, Caller, Gate, Reading, Writing, memory_of
from relembra.interfaces.http.problems import LONGEST_DETAIL, problem_of
from relembra.interfaces.http.proxying import CHAT, NO_UPSTREAM, RESPONSES, Proxy, Wire, Wishes
from relembra.interfaces.http.relaying import error_body, passed_back, passed_on
from relembra.interfaces.turns import Turn
from relembra.interfaces.upstream import MAIN, Upstream, read
from relembra.interfaces.whose import Whose


class Route(APIRoute):
    """A route whose errors are told as OpenAI's clients read them."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        done = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await done(request)
            except RelembraError as error:
                return _error_of(error)
            except HTTPException as error:
                return _error(error.status_code, str(error.detail))

        return handler


LONG = 64 * 1024
router = APIRouter(prefix="/v1", route_class=Route, tags=["chat"])


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_KINDS = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}


def _error(status: int, message: str, *, code: str | None = None, headers: Mapping[str, str] | None = None) -> Response:
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    return Response(
        error_body(message[:LONGEST_DETAIL], kind=kind, code=code),
        status,
        headers=dict(headers or {}),
        media_type="application/json",
    )


def _error_of(error: RelembraError) -> Response:
    """An error of ours as OpenAI's clients read it."""
    if isinstance(error, UpstreamError):
        headers = {} if error.retry_after is None else {"Retry-After": error.retry_after}
        code = "no_upstream" if error.status == 503 else "upstream_unreachable"
        return _error(error.status, str(error), code=code, headers=headers)
    if isinstance(error, NotFoundError) and error.what == "upstream":
        told = (
            "several model servers are set and none is the main one: put a name before the model's, like ollama/llama3"
        )
        return _error(404, told, code="model_not_found")
    told_of = problem_of(error)
    kept = {name: told_of.headers[name] for name in ("retry-after", "www-authenticate") if name in told_of.headers}
    status = 400 if told_of.status_code == 422 else told_of.status_code
    return _error(status, str(error), code="invalid_api_key" if status == 401 else None, headers=kept)


# ── routes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def proxy_of(request: Request) -> Proxy:
    """The one proxy of an application."""
    state = request.app.state
    held: Proxy | None = getattr(state, "proxy", None)
    if held is None:
        budget = state.settings.chosen_policy().context.budget_tokens
        held = state.proxy = Proxy(memory_of(request), state.upstreams, budget)
    return held


async def _answered(wire: Wire, request: Request, caller: Caller) -> Response:
    wishes = Wishes.of(request.headers)
    caller.enter(wishes.space)

    def whose(turn: Turn) -> Whose:
        named = wishes.user
        if named is None and caller.user is None:
            named = turn.user or None
        return caller.whose(named)

    own = await _own_key(request, caller)

    def sent(upstream: Upstream) -> dict[str, str]:
        return passed_on(request.headers, upstream, own)

    body = await request.body()
    is_long = len(body) > LONG  # others are not kept waiting for it
    read_request = await asyncio.to_thread(wire.request, body) if is_long else wire.request(body)
    return await proxy_of(request).answered(wire, read_request, wishes=wishes, whose=whose, sent=sent)


async def _own_key(request: Request, caller: Caller) -> str | None:
    """The key a client has for the model itself: one that neither let it in here nor would."""
    shown = request.headers.get("authorization")
    apart = request.headers.get("x-relembra-key", "").strip()
    if shown is None or not (apart or caller.id == THIS_MACHINE) or (apart and apart in shown):
        return None
    gate: Gate = request.app.state.gate
    return None if await gate.is_token(shown.partition(" ")[2].strip()) else shown


def _documented(example: dict[str, Any], **properties: Any) -> dict[str, Any]:
    """How a request looks, for the document; what it holds besides goes on unread."""
    schema = {"type": "object", "properties": properties, "additionalProperties": True}
    return {
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema, "example": example}}},
        "parameters": [
            {"name": f"X-Relembra-{name}", "in": "header", "required": False, "schema": kind, "description": said}
            for name, kind, said in _HEADERS
        ],
    }


_TEXT: dict[str, Any] = {"type": "string"}
_HEADERS: list[tuple[str, dict[str, Any], str]] = [
    ("User", _TEXT, "Whose memory; a key bound to a person needs none."),
    ("Conversation", _TEXT, "Which conversation; without one, that which began with the same words."),
    ("Space", _TEXT, "The team or group it is said in."),
    ("Channel", _TEXT, "The channel of the space."),
    ("Budget", {"type": "integer", "minimum": 0}, "The most tokens of memory put before the model."),
    ("Skip", {"type": "boolean"}, "Neither recall nor keep anything."),
    ("Trailer", {"type": "string", "enum": ["text", "none"]}, "Name the memories used in a last line of the reply."),
]


@router.post(
    "/chat/completions",
    summary="Chat with a model that remembers",
    response_class=Response,
    openapi_extra=_documented(
        {"model": "gpt-4.1", "user": "ana", "messages": [{"role": "user", "content": "Where do I live?"}]},
        messages={"type": "array", "items": {"type": "object"}},
        model=_TEXT,
        user=_TEXT,
        stream={"type": "boolean"},
    ),
)
async def chat_completions(request: Request, caller: Writing) -> Response:
    """OpenAI's chat completions: point a client's `base_url` here and it has a memory. Answers come as the model's
    server gives them, its errors too; `X-Relembra-…` headers say what was remembered for them."""
    return await _answered(CHAT, request, caller)


@router.post(
    "/responses",
    summary="The same for OpenAI's responses",
    response_class=Response,
    openapi_extra=_documented(
        {"model": "gpt-4.1", "user": "ana", "input": "Where do I live?"},
        input={"anyOf": [_TEXT, {"type": "array", "items": {"type": "object"}}]},
        model=_TEXT,
        user=_TEXT,
        previous_response_id=_TEXT,
        stream={"type": "boolean"},
    ),
)
async def responses(request: Request, caller: Writing) -> Response:
    """OpenAI's responses; `previous_response_id` goes on with the conversation of that reply."""
    return await _answered(RESPONSES, request, caller)


@router.get("/models", summary="The models there are to chat with", response_class=Response)
async def models(request: Request, caller: Reading) -> Response:
    """What the model's server lists; of several, each server's under its name, like ollama/llama3."""
    upstreams = proxy_of(request).upstreams
    if not upstreams:
        raise UpstreamError(NO_UPSTREAM, status=503)

    main, own = upstreams.main, await _own_key(request, caller)

    async def listed(upstream: Upstream) -> Response | UpstreamError:
        sent = passed_on(request.headers, upstream, own if upstream is main else None)  # it is no other's
        try:
            answer = await upstreams.send(upstream, "models", method="GET", headers=sent)
            try:
                body = await read(upstream, answer)
            finally:
                await answer.aclose()
        except UpstreamError as error:
            return error
        told = Response(body, answer.status_code)
        told.raw_headers = [*passed_back(answer.headers), (b"content-length", str(len(body)).encode())]
        return told

    every = list(upstreams)
    lists = await asyncio.gather(*(listed(upstream) for upstream in every))
    if len(every) > 1 and any(isinstance(one, Response) and one.status_code == 200 for one in lists):
        data = [model for upstream, one in zip(every, lists, strict=True) for model in _models(upstream, one)]
        return Response(msgspec.json.encode({"object": "list", "data": data}), media_type="application/json")
    if isinstance(lists[0], UpstreamError):
        raise lists[0]
    return lists[0]


def _models(upstream: Upstream, listed: Response | UpstreamError) -> list[dict[str, Any]]:
    """The models of one of several servers, under the names they are asked for by."""
    if isinstance(listed, UpstreamError) or listed.status_code != 200:
        return []
    try:
        told = msgspec.json.decode(bytes(listed.body))
    except msgspec.DecodeError:
        return []
    rows = told.get("data") if isinstance(told, dict) else None
    named = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [row if upstream.name == MAIN else row | {"id": f"{upstream.name}/{row.get('id')}"} for row in named]
