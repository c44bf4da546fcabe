"""The memory proxy: OpenAI's chat completions and responses, with what is remembered put before the model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from relembra.domain.scope import Whose, new_id
from relembra.domain.text import checked_name
from relembra.domain.time import Clock, system_clock
from relembra.errors import InvalidInputError, NotFoundError, RelembraError, UpstreamError
from relembra.ingest.intake import place_of
from relembra.interfaces.answering import RECALL, RECALL_SECONDS
from relembra.interfaces.failures import in_utf8
from relembra.interfaces.http.callers import THIS_MACHINE, Caller, Gate, Reading, Writing, memory_of
from relembra.interfaces.http.completions import ChatRequest, Replying, Requested, ResponsesRequest
from relembra.interfaces.http.problems import LONGEST_DETAIL, problem_of
from relembra.interfaces.http.relay import (
    EVENT_STREAM,
    KEEP_SECONDS,
    KeepReply,
    KeepSaid,
    Relayed,
    error_body,
    passed_on,
)
from relembra.interfaces.turns import LONGEST_QUERY, VIA, Turn, Via, digest_of, plain
from relembra.interfaces.upstream import MAIN, Upstream, Upstreams
from relembra.locale import Words
from relembra.recall.formats import rendering
from relembra.recall.ranking import MessageHit
from relembra.recall.rendering import BeforeLine, EarlierLine, Line, RecentLine

if TYPE_CHECKING:
    from relembra.memory import Memory
    from relembra.recall.assembly import MemoryContext
    from relembra.tools.commands import CommandAnswer


OPENING_TOKENS = 90
"""More than the opening has in either language, with the line breaks around it."""


def block_of(context: MemoryContext, sent: Collection[str], *, held: str | None = None) -> str | None:
    """What is put before the model, from a context in Markdown: without what the request says itself (`sent`), and
    without the conversation the model's server holds (`held`)."""
    if not context.text or context.frame is None:
        return None
    kept = [line for line in context.lines if not _is_sent(line, sent, held)]
    if not any(isinstance(line, RecentLine) for line in kept) and len(kept) < len(context.lines):
        kept = [line for line in kept if not isinstance(line, BeforeLine)]  # a summary of what is sent whole
    text = rendering(context.format).text(kept, context.frame)
    return f"{Words(context.language, 'context')('opening')}\n\n{text}" if text else None


def _is_sent(line: Line, sent: Collection[str], held: str | None) -> bool:
    match line:
        case RecentLine(message=message) | EarlierLine(hit=MessageHit(message=message)):
            return plain(message.text) in sent or message.conversation == held
        case _:
            return False


log = logging.getLogger(__name__)

NO_UPSTREAM = (
    "no model is set to answer: set upstream, like RELEMBRA_UPSTREAM=https://api.openai.com/v1, and start again"
)
MOST_THREADS = 30_000  # marks of conversations, three a reply
LOOKED_AT = 500
"""How many of a person's last messages are looked through for the reply another one follows."""
PAGE = 100
RESPONSE = "response"  # the metadata a reply's id is kept under


# ── what a request says ───────────────────────────────────────────────────────────────────────────────────────────────


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
        def named(name: str) -> str | None:
            return in_utf8(headers.get(f"x-relembra-{name}", "").strip()) or None

        budget = named("budget")
        if budget is not None and not (budget.isascii() and budget.isdecimal() and len(budget) < 10):
            raise InvalidInputError("X-Relembra-Budget must be a whole number of tokens", field="X-Relembra-Budget")
        conversation = named("conversation")
        wishes = cls(
            user=named("user"),
            conversation=conversation and checked_name(conversation, "X-Relembra-Conversation"),
            space=named("space"),
            channel=named("channel"),
            budget=None if budget is None else int(budget),
            skip=(named("skip") or "").lower() in ("true", "1", "yes"),
        )
        place_of(wishes.space, wishes.channel)
        return wishes


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
    _threads: dict[tuple[str, str, str], str] = field(default_factory=dict)  # whose, and by what it is known again

    async def answered(
        self,
        request: Requested,
        *,
        wishes: Wishes,
        whose: Callable[[Turn], Whose],
        sent: Callable[[Upstream], Mapping[str, str]],  # the headers a model's server gets
    ) -> Response:
        """The answer to a request: a command's own, or a model's."""
        turn = request.turn
        upstream, model = self.upstreams.chosen(turn.model) if self.upstreams else (None, "")
        command = None if wishes.skip else await self._command(turn, wishes, whose, upstream)
        if command is not None:
            return _command_answer(request, command)
        if upstream is None:
            raise UpstreamError(NO_UPSTREAM, status=503)
        relayed = partial(
            Relayed, self.upstreams, upstream, request.path, sent=sent(upstream), keep_seconds=self.keep_seconds
        )
        reply = request.reply()
        if wishes.skip:
            return relayed(content=request.body(model=model, block=None), reply=reply)
        who = whose(turn)
        conversation = await self._conversation(turn, wishes, who)
        headers = {"X-Relembra-Conversation": conversation}
        block, troubles = None, []
        context = await self._recalled(turn, wishes, who, conversation, outside=not upstream.local)
        if context is None:
            troubles.append(RECALL)
        else:
            block = block_of(context, turn.sent, held=conversation if turn.previous or turn.thread else None)
            if block is not None and context.items:
                headers["X-Relembra-Memories"] = ",".join(item.id for item in context.items)
        keep_said, keep_reply = self._keeping(turn, wishes, who, conversation, reply)
        return relayed(
            content=request.body(model=model, block=block),
            headers=headers,
            reply=reply,
            keep_said=keep_said,
            keep_reply=keep_reply,
            troubles=troubles,
        )

    async def _command(
        self, turn: Turn, wishes: Wishes, whose: Callable[[Turn], Whose], upstream: Upstream | None
    ) -> CommandAnswer | None:
        if turn.said is None or not turn.said.lstrip().startswith("/"):
            return None
        # What is answered stands in the chat the model sees next time, so it may tell no more than the model may see.
        outside = upstream is not None and not upstream.local
        return await self.memory.command(
            turn.said, space=wishes.space, channel=wishes.channel, outside=outside, **whose(turn)
        )

    # ── which conversation ────────────────────────────────────────────────────────────────────────────────────────

    async def _conversation(self, turn: Turn, wishes: Wishes, who: Whose) -> str:
        """The one named; else that of the reply this one follows; else one that grows from the same first words.

        A client that leaves out the oldest words of a long talk is known by the last reply it tells.
        """
        if wishes.conversation is not None:
            return wishes.conversation
        if turn.thread is not None:
            return turn.thread if _is_name(turn.thread) else f"chat-{digest_of([turn.thread])}"
        if turn.previous is not None and (known := await self._followed(turn.previous, who)) is not None:
            return known
        opened = (who["tenant"], who["user"], wishes.space or "", wishes.channel or "", turn.opening)
        opening = f"chat-{digest_of(opened)}"
        if self._thread(opening, who) is None and turn.answered is not None:
            return self._thread(turn.answered, who) or opening
        return opening

    async def _followed(self, previous: str, who: Whose) -> str | None:
        """The conversation of an earlier reply: from those of this process, else from what was kept with it."""
        if (known := self._thread(previous, who)) is not None:
            return known
        after: str | None = None
        try:
            for _ in range(0, LOOKED_AT, PAGE):
                page = await self.memory.messages(limit=PAGE, after=after, **who)
                for message in page:
                    if message.metadata.get(RESPONSE) == previous:
                        return message.conversation
                if (after := page.next) is None:
                    break
        except RelembraError as exc:
            log.warning("a conversation could not be found again: %s", type(exc).__name__)
        return None

    def _thread(self, mark: str, who: Whose) -> str | None:
        return self._threads.get((who["tenant"], who["user"], mark))

    def _follow(self, mark: str, conversation: str, who: Whose) -> None:
        self._threads.pop((who["tenant"], who["user"], mark), None)
        self._threads[who["tenant"], who["user"], mark] = conversation
        while len(self._threads) > MOST_THREADS:
            del self._threads[next(iter(self._threads))]

    # ── what is remembered ────────────────────────────────────────────────────────────────────────────────────────

    async def _recalled(
        self, turn: Turn, wishes: Wishes, who: Whose, conversation: str, *, outside: bool
    ) -> MemoryContext | None:
        """What the model should know; None where the memory fails or takes too long."""
        budget = self.budget if wishes.budget is None else wishes.budget
        try:
            async with asyncio.timeout(self.recall_seconds):
                return await self.memory.load(
                    query=None if turn.asked is None else turn.asked[:LONGEST_QUERY],
                    budget=max(0, budget - OPENING_TOKENS),
                    conversation=conversation,
                    space=wishes.space,
                    channel=wishes.channel,
                    outside=outside,
                    **who,
                )
        except Exception as exc:  # noqa: BLE001 - whatever ails the memory, the chat goes on
            log.warning("nothing could be recalled for a chat: %s", type(exc).__name__)
            return None

    # ── what is kept ──────────────────────────────────────────────────────────────────────────────────────────────

    def _mark(self, turn: Turn, wishes: Wishes, conversation: str, who: Whose) -> tuple[str, bool]:
        """What a turn is known again by when it is sent again, and whether the words alone would not tell.

        A client that names its conversation and tells nothing of it may say the same twice: it does so where the first
        was answered, and else tries again.
        """
        today = self.clock().date().isoformat()  # the same words in a new chat another day are said anew
        is_bare = turn.answered is None and (wishes.conversation or turn.thread) is not None
        known = (conversation, turn.digest, today, self._started if is_bare else "")
        said = digest_of(known)
        while is_bare and self._thread(said, who) is not None:
            said = digest_of((*known, said))
        return said, is_bare

    def _keeping(
        self, turn: Turn, wishes: Wishes, who: Whose, conversation: str, reply: Replying
    ) -> tuple[KeepSaid | None, KeepReply]:
        """How the two sides of a turn are kept."""
        said, is_bare = self._mark(turn, wishes, conversation, who)
        save = partial(self.memory.save, conversation=conversation, space=wishes.space, channel=wishes.channel, **who)

        async def keep_reply(text: str, is_partial: bool) -> None:
            metadata = {VIA: Via.PROXY.value} | ({"partial": "true"} if is_partial else {})
            if reply.id:
                metadata[RESPONSE] = reply.id
            for mark in (reply.id, digest_of([plain(text)]), conversation):
                self._follow(mark, conversation, who)
            await save(replied=text, external_id=f"chat-{digest_of((said, text))}", metadata=metadata)
            if is_bare and not is_partial:
                self._follow(said, conversation, who)

        async def keep_said() -> None:
            via = {VIA: Via.PROXY.value}
            await save(said=turn.said, author_name=turn.name, external_id=f"chat-{said}", metadata=via)

        return (keep_said if turn.said is not None else None), keep_reply


def _is_name(given: str) -> bool:
    try:
        checked_name(given, "conversation")
    except InvalidInputError:
        return False
    return True


def _command_answer(request: Requested, command: CommandAnswer) -> Response:
    media = EVENT_STREAM if request.turn.streamed else "application/json"
    return Response(request.answer(command.text), media_type=media, headers={"X-Relembra-Command": command.name})


class Route(APIRoute):
    """A route whose errors have the form OpenAI's clients read."""

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
        advice = (
            "several model servers are set and none is the main one: put a name before the model's, like ollama/llama3"
        )
        return _error(404, advice, code="model_not_found")
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


async def _answered(kind: type[Requested], request: Request, caller: Caller) -> Response:
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
    read_request: Requested = await asyncio.to_thread(kind, body) if is_long else kind(body)
    return await proxy_of(request).answered(read_request, wishes=wishes, whose=whose, sent=sent)


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
    lists = await asyncio.gather(
        *(
            upstreams.models(one, passed_on(request.headers, one, own if one is upstreams.main else None))
            for one in every
        ),
        return_exceptions=True,
    )
    listed = [(one, rows) for one, rows in zip(every, lists, strict=True) if not isinstance(rows, BaseException)]
    if not listed and isinstance(lists[0], BaseException):
        raise lists[0]
    several = len(every) > 1
    data = [
        row | {"id": f"{one.name}/{row.get('id')}"} if several and one.name != MAIN else row
        for one, rows in listed
        for row in rows
    ]
    return Response(msgspec.json.encode({"object": "list", "data": data}), media_type="application/json")
