"""The memory proxy: OpenAI's chat completions and responses, with what is remembered put before the model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from relembra.domain.scope import Whose, new_id
from relembra.domain.text import checked_name
from relembra.domain.time import Clock, system_clock
from relembra.errors import InvalidInputError, NotFoundError, RelembraError, UpstreamError
from relembra.ingest.intake import place_of
from relembra.interfaces.http.callers import (
    KEY_START,
    THIS_MACHINE,
    Caller,
    Gate,
    Reading,
    Writing,
    memory_of,
    secret_in,
)
from relembra.interfaces.http.openai import (
    ChatRequest,
    Reply,
    Requested,
    ResponsesRequest,
    data_of,
    digest_of,
    event_of,
    events_of,
    plain,
)
from relembra.interfaces.http.problems import LONGEST_DETAIL, problem_of
from relembra.interfaces.http.schemas import answered
from relembra.interfaces.requests import VIA, Via, in_utf8
from relembra.interfaces.upstream import MAIN, RECALL, RECALL_SECONDS, Upstream, Upstreams, read, unreachable
from relembra.locale import Words
from relembra.recall.formats import rendering
from relembra.recall.ranking import MessageHit
from relembra.recall.rendering import BeforeLine, EarlierLine, Line, RecentLine

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from relembra.memory import Memory
    from relembra.recall.assembly import MemoryContext

log = logging.getLogger(__name__)

OPENING_TOKENS = 90
"""More than the opening has in either language, with the line breaks around it."""
NO_UPSTREAM = (
    "no model is set to answer: set upstream, like RELEMBRA_UPSTREAM=https://api.openai.com/v1, and start again"
)
LONGEST_QUERY = 4_000
"""Characters of what was said that are looked up; a text pasted along with a question tells little more."""
MOST_MARKS = 40_000  # of conversations, four a reply
LONG = 64 * 1024
KEEP_SECONDS = 2.0
"""The longest an answer waits for both sides to be kept; a store that takes longer goes on keeping behind it."""
EVENT_STREAM = "text/event-stream"
KEPT = ("retry-after", "www-authenticate")
Raw = list[tuple[bytes, bytes]]


def block_of(context: MemoryContext, sent: Collection[str], *, held: str | None = None) -> str | None:
    """What is put before the model, from a context in Markdown: without what the request says itself (`sent`), and
    without the conversation the model's server holds (`held`)."""
    if not context.text or context.frame is None:
        return None

    def is_sent(line: Line) -> bool:
        match line:
            case RecentLine(message=message) | EarlierLine(hit=MessageHit(message=message)):
                return plain(message.text) in sent or message.conversation == held
        return False

    kept = [line for line in context.lines if not is_sent(line)]
    if not any(isinstance(line, RecentLine) for line in kept) and len(kept) < len(context.lines):
        kept = [line for line in kept if not isinstance(line, BeforeLine)]  # a summary of what is sent whole
    text = rendering(context.format).text(kept, context.frame)
    return f"{Words(context.language, 'context')('opening')}\n\n{text}" if text else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a client's headers ask of the memory."""

    user: str | None
    conversation: str | None
    space: str | None
    channel: str | None
    budget: int | None
    skip: bool

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Wishes:
        names = ("user", "conversation", "space", "channel", "budget", "skip")
        said: dict[str, Any] = {name: in_utf8(headers.get(f"x-relembra-{name}", "").strip()) or None for name in names}
        if (budget := said["budget"]) is not None:
            if not (budget.isascii() and budget.isdecimal() and len(budget) < 10):
                raise InvalidInputError("X-Relembra-Budget must be a whole number of tokens", field="X-Relembra-Budget")
            said["budget"] = int(budget)
        if said["conversation"] is not None:
            checked_name(said["conversation"], "X-Relembra-Conversation")
        place_of(said["space"], said["channel"])
        return cls(**said | {"skip": (said["skip"] or "").lower() in ("true", "1", "yes")})


# ── the proxy ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Proxy:
    """Puts a memory between chats and models."""

    memory: Memory
    upstreams: Upstreams
    budget: int  # where a request names none
    clock: Clock = system_clock
    recall_seconds: float = RECALL_SECONDS
    keep_seconds: float = KEEP_SECONDS
    _started: str = field(default_factory=new_id)
    _marks: dict[tuple[str, str, str], str] = field(default_factory=dict)  # whose, and by what it is known again

    async def answered(
        self,
        request: Requested,
        *,
        wishes: Wishes,
        who: Whose | None,
        sent: Callable[[Upstream], Mapping[str, str]],  # the headers a model's server gets
    ) -> Response:
        """The answer to a request: a command's own, or a model's. `who`: None where nothing is recalled or kept."""
        where: dict[str, Any] = {"space": wishes.space, "channel": wishes.channel}
        upstream, model = self.upstreams.chosen(request.model) if self.upstreams else (None, "")
        outside = upstream is not None and not upstream.local
        if who is not None and request.said is not None and request.said.lstrip().startswith("/"):
            # What is answered stands in the chat the model sees next time, so it may tell no more than the model sees.
            command = await self.memory.command(request.said, outside=outside, **where, **who)
            if command is not None:
                media, named = EVENT_STREAM if request.streamed else "application/json", command.name
                return Response(request.answer(command.text), media_type=media, headers={"X-Relembra-Command": named})
        if upstream is None:
            raise UpstreamError(NO_UPSTREAM, status=503)
        relayed = Relayed(self.upstreams, upstream, request.path, sent(upstream), request.reply(), self.keep_seconds)
        block = None
        if who is not None:
            conversation = self._conversation(request, wishes, who)
            relayed.own_headers["X-Relembra-Conversation"] = conversation
            budget = self.budget if wishes.budget is None else wishes.budget
            try:
                async with asyncio.timeout(self.recall_seconds):
                    context = await self.memory.load(
                        query=None if request.asked is None else request.asked[:LONGEST_QUERY],
                        budget=max(0, budget - OPENING_TOKENS),
                        conversation=conversation,
                        outside=outside,
                        **where,
                        **who,
                    )
            except Exception as exc:  # noqa: BLE001 - whatever ails the memory, the chat goes on
                log.warning("nothing could be recalled for a chat: %s", type(exc).__name__)
                relayed.troubles.append(RECALL)
            else:
                block = block_of(
                    context, request.sent, held=conversation if request.previous or request.thread else None
                )
                if block is not None and context.items:
                    relayed.own_headers["X-Relembra-Memories"] = ",".join(item.id for item in context.items)
            self._keep_with(relayed, request, wishes, who, conversation)
        relayed.content = request.body(model=model, block=block)
        return relayed

    def _conversation(self, request: Requested, wishes: Wishes, who: Whose) -> str:
        """The one named; else that of the reply this one follows; else one that grows from the same first words.

        A client that leaves out the oldest words of a long talk is known by the last reply it tells.
        """
        if wishes.conversation is not None:
            return wishes.conversation
        if request.thread is not None:
            try:
                return checked_name(request.thread, "conversation")
            except InvalidInputError:
                return f"chat-{digest_of([request.thread])}"
        if request.previous is not None and (known := self._marked(request.previous, who)) is not None:
            return known
        opened = (who["tenant"], who["user"], wishes.space or "", wishes.channel or "", request.opening)
        opening = f"chat-{digest_of(opened)}"
        if self._marked(opening, who) is None and request.answered is not None:
            return self._marked(request.answered, who) or opening
        return opening

    def _marked(self, mark: str, who: Whose) -> str | None:
        return self._marks.get((who["tenant"], who["user"], mark))

    def _keep_with(self, relayed: Relayed, request: Requested, wishes: Wishes, who: Whose, conversation: str) -> None:
        """Have both sides of a turn kept, each known again by a mark when it is sent again.

        A client that names its conversation and tells nothing of it may say the same twice: it does so where the first
        was answered, and else tries again.
        """
        today = self.clock().date().isoformat()  # the same words in a new chat another day are said anew
        is_bare = request.answered is None and (wishes.conversation or request.thread) is not None
        before = (self._marked(f"last of {conversation}", who) or self._started) if is_bare else ""
        said = digest_of((conversation, request.digest, today, before))
        save = partial(self.memory.save, conversation=conversation, space=wishes.space, channel=wishes.channel, **who)
        via = {VIA: Via.PROXY.value}

        async def keep_reply(text: str, is_partial: bool) -> None:
            marks = dict.fromkeys((relayed.reply.id, digest_of([plain(text)]), conversation), conversation)
            if not is_partial:
                marks[f"last of {conversation}"] = said
            for mark, meant in marks.items():
                self._marks.pop((who["tenant"], who["user"], mark), None)
                self._marks[who["tenant"], who["user"], mark] = meant
            while len(self._marks) > MOST_MARKS:
                del self._marks[next(iter(self._marks))]
            metadata = via | ({"partial": "true"} if is_partial else {})
            await save(replied=text, external_id=f"chat-{digest_of((said, text))}", metadata=metadata)

        relayed.keep_reply = keep_reply
        if request.said is not None:
            relayed.keep_said = partial(
                save, said=request.said, author_name=request.name, external_id=f"chat-{said}", metadata=via
            )


# ── one chat passed on to a model ─────────────────────────────────────────────────────────────────────────────────────

_ONE_HOP = frozenset({
    "connection", "content-length", "host", "keep-alive", "proxy-authenticate", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
})  # fmt: skip
_NOT_SENT = frozenset({"accept-encoding", "authorization", "cookie", "expect", "origin", "referer"})
_NOT_SENT_BACK = frozenset({
    "alt-svc", "content-encoding", "content-security-policy", "date", "server", "set-cookie",
    "strict-transport-security",
})  # fmt: skip
_KEYS = frozenset({"api-key", "x-api-key"})
_OURS = "x-relembra-"
_NEVER = (_OURS, "access-control-")  # sent back


def passed_on(headers: Mapping[str, str], upstream: Upstream, own_key: str | None) -> dict[str, str]:
    """The headers of a request as the model's server gets them; `own_key`: what the client would show it itself."""
    hop = _ONE_HOP | _NOT_SENT | _named(headers.get("connection")) | (_KEYS if upstream.api_key else frozenset())
    sent = {name: value for name, value in headers.items() if name not in hop and not name.startswith(_OURS)}
    sent |= {"authorization": own_key} if own_key else {}
    shown = secret_in(headers)
    ours = (KEY_START,) if shown is None or shown in (own_key or "") else (KEY_START, shown)
    sent = {name: value for name, value in sent.items() if not any(one in value for one in ours)}
    return sent | ({"authorization": f"Bearer {upstream.api_key}"} if upstream.api_key else {})


def passed_back(headers: httpx.Headers) -> Raw:
    """The headers of a model server's answer as the client gets them."""
    hop = _ONE_HOP | _NOT_SENT_BACK | _named(headers.get("connection"))
    given = [(name.lower().decode("latin-1"), value) for name, value in headers.raw]
    return [(name.encode("latin-1"), part) for name, part in given if name not in hop and not name.startswith(_NEVER)]


def _named(connection: str | None) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in (connection or "").split(","))


def error_body(message: str, *, kind: str, code: str | None = None) -> bytes:
    """An error as OpenAI's clients read it."""
    return msgspec.json.encode({"error": {"message": message, "type": kind, "param": None, "code": code}})


@dataclass(eq=False)
class Relayed(Response):
    """The answer of a model's server. The call ends with the client's; what came until then is kept."""

    upstreams: Upstreams
    upstream: Upstream
    path: str
    sent: Mapping[str, str]
    reply: Reply
    keep_seconds: float
    content: bytes = b""
    own_headers: dict[str, str] = field(default_factory=dict)
    keep_said: Callable[[], Awaitable[object]] | None = None
    keep_reply: Callable[[str, bool], Awaitable[object]] | None = None  # its text, and whether it broke off
    troubles: list[str] = field(default_factory=list)  # what the memory could not do

    def __post_init__(self) -> None:
        super().__init__()
        self._keeping: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI has it
        async def left() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        relaying = asyncio.create_task(self._relay(send))
        saying = self._saying = asyncio.create_task(self._tried(self.keep_said and self.keep_said()))
        leaving = asyncio.create_task(left())
        try:
            await asyncio.wait({relaying, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            relaying.cancel()
            leaving.cancel()
            await asyncio.wait({relaying, leaving, saying})
            await (self._keeping or self._keep(partial=not self.reply.finished))
        if not relaying.cancelled():
            relaying.result()

    async def _relay(self, send: Send) -> None:
        try:
            answer = await self.upstreams.send(self.upstream, self.path, content=self.content, headers=self.sent)
            try:
                if answer.headers.get("content-type", "").startswith(EVENT_STREAM):
                    await self._stream(answer, send)
                    return
                body = await read(self.upstream, answer)
            finally:
                await answer.aclose()
        except UpstreamError as error:
            await asyncio.wait({self._saying}, timeout=self.keep_seconds)
            body = error_body(str(error), kind="upstream_error", code="upstream_unreachable")
            status, headers = error.status, [(b"content-type", b"application/json")]
        else:
            status, headers = answer.status_code, passed_back(answer.headers)
            if status == 200:
                self.reply.whole(body)
            await self._kept(partial=False)
        await self._start(send, status, [*headers, (b"content-length", str(len(body)).encode())])
        await send({"type": "http.response.body", "body": body})

    async def _stream(self, answer: httpx.Response, send: Send) -> None:
        """Every event as soon as it is whole, but for the last, which waits until the reply is kept."""
        await self._start(send, answer.status_code, passed_back(answer.headers))
        last = b""
        try:
            async for event in events_of(answer.aiter_bytes()):
                data = data_of(event)
                if last or (data and self.reply.event(data)):
                    last += event
                else:
                    await send({"type": "http.response.body", "body": event, "more_body": True})
        except httpx.TransportError as exc:
            said = str(unreachable(self.upstream, exc))
            last = event_of(error_body(said, kind="upstream_error", code="upstream_broke_off"), "error")
        await self._kept(partial=not self.reply.finished)
        await send({"type": "http.response.body", "body": last})

    async def _start(self, send: Send, status: int, headers: Raw) -> None:
        troubles = {"X-Relembra-Trouble": ",".join(dict.fromkeys(self.troubles))} if self.troubles else {}
        ours = [(name.lower().encode(), value.encode()) for name, value in {**self.own_headers, **troubles}.items()]
        await send({"type": "http.response.start", "status": status, "headers": [*headers, *ours]})

    async def _kept(self, *, partial: bool) -> None:
        """Wait until both sides are kept, but no longer than a chat bears."""
        self._keeping = asyncio.create_task(self._keep(partial=partial))
        await asyncio.wait({self._keeping}, timeout=self.keep_seconds)
        if not self._keeping.done():
            log.warning("a chat is still being kept; its answer goes out before")
            self.troubles.append("save")

    async def _keep(self, *, partial: bool) -> None:
        await asyncio.wait({self._saying})
        if self.keep_reply is not None and self.reply.text.strip():
            await self._tried(self.keep_reply(self.reply.text, partial))

    async def _tried(self, keeping: Awaitable[object] | None) -> None:
        """Keep one side; what goes wrong is noted and never raised, so that the chat goes on."""
        try:
            if keeping is not None:
                await keeping
        except Exception as exc:  # noqa: BLE001 - whatever ails the memory
            log.warning("a chat could not be kept: %s", type(exc).__name__)
            self.troubles.append("save")


# ── routes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Route(APIRoute):
    """A route whose errors have the form OpenAI's clients read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        done = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await done(request)
            except (RelembraError, HTTPException) as error:
                return _error_of(error)

        return handler


router = APIRouter(prefix="/v1", route_class=Route, tags=["chat"])


_KINDS = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
SEVERAL = "several model servers are set and none is the main one: put a name before the model's, like ollama/llama3"


def _error_of(error: RelembraError | HTTPException) -> Response:
    """An error of ours as OpenAI's clients read it."""
    message, code = str(error), None
    headers: Mapping[str, str] = {}
    match error:
        case HTTPException():
            status, message = error.status_code, str(error.detail)
        case UpstreamError():
            status, code = error.status, "no_upstream" if error.status == 503 else "upstream_unreachable"
            headers = {} if error.retry_after is None else {"Retry-After": error.retry_after}
        case NotFoundError(what="upstream"):
            status, message, code = 404, SEVERAL, "model_not_found"
        case _:
            plain_answer = problem_of(error)
            headers = {name: plain_answer.headers[name] for name in KEPT if name in plain_answer.headers}
            status = 400 if plain_answer.status_code == 422 else plain_answer.status_code
            code = "invalid_api_key" if status == 401 else None
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    body = error_body(message[:LONGEST_DETAIL], kind=kind, code=code)
    return Response(body, status, headers=dict(headers), media_type="application/json")


def proxy_of(request: Request) -> Proxy:
    """The one proxy of an application."""
    state = request.app.state
    held: Proxy | None = getattr(state, "proxy", None)
    if held is None:
        budget = state.settings.chosen_policy().context.budget_tokens
        held = state.proxy = Proxy(memory_of(request), state.upstreams, budget)
    return held


async def _answered(kind: type[Requested], request: Request, caller: Caller) -> Response:
    wishes = Wishes.of(request.headers)
    caller.enter(wishes.space)
    own = await _own_key(request, caller)
    body = await request.body()
    is_long = len(body) > LONG  # others are not kept waiting for it
    asked = await asyncio.to_thread(kind, body) if is_long else kind(body)
    named = asked.user if wishes.user is None and caller.user is None else wishes.user

    def sent(upstream: Upstream) -> dict[str, str]:
        return passed_on(request.headers, upstream, own)

    who = None if wishes.skip else caller.whose(named)
    return await proxy_of(request).answered(asked, wishes=wishes, who=who, sent=sent)


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
    return await _answered(ChatRequest, request, caller)


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
    return await _answered(ResponsesRequest, request, caller)


@router.get("/models", summary="The models there are to chat with", response_class=Response)
async def models(request: Request, caller: Reading) -> Response:
    """What the model's server lists; of several, each server's under its name, like ollama/llama3."""
    upstreams = proxy_of(request).upstreams
    if not upstreams:
        raise UpstreamError(NO_UPSTREAM, status=503)
    own = await _own_key(request, caller)  # for the main server, and no other's
    every = list(upstreams)
    asked = (
        upstreams.models(one, passed_on(request.headers, one, own if one is upstreams.main else None)) for one in every
    )
    lists = await asyncio.gather(*asked, return_exceptions=True)
    if all(isinstance(rows, BaseException) for rows in lists) and isinstance(lists[0], BaseException):
        raise lists[0]
    data = [
        row | {"id": f"{one.name}/{row.get('id')}"} if len(every) > 1 and one.name != MAIN else row
        for one, rows in zip(every, lists, strict=True)
        if not isinstance(rows, BaseException)
        for row in rows
    ]
    return answered({"object": "list", "data": data})
