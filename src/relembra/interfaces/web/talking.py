"""Talking with the memory: what was said today, a box to say more, and what was learnt from it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from relembra.domain.ids import new_id
from relembra.domain.jobs import READ
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Role
from relembra.errors import InvalidInputError, MissingExtraError, SettingsError, UpstreamError
from relembra.interfaces.answering import RECALL, SAVE, Answering, Reply
from relembra.interfaces.troubles import trouble
from relembra.interfaces.upstream import Upstreams
from relembra.interfaces.web.once import done_once
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import Visit
from relembra.store.port import ItemOrder
from relembra.tools.commands import CommandAnswer
from relembra.understanding import Foreseen

pages = Pages()

PREFIX = "page-"
"""What the ids of conversations held here begin with."""
SHOWN = 60
MOST_CONVERSATIONS = 50
PATIENCE_SECONDS = 180
SOON = timedelta(minutes=1)
"""How long the page waits for something to be learnt from what was just said."""
TROUBLES = {401: "key", 403: "key", 404: "model", 429: "busy", 503: "busy", 504: "slow"}
"""What a model server's status means to whoever waits for an answer; any other: out of reach."""
UNREACHED = "unreached"
KNOWN_TROUBLES = (*dict.fromkeys(TROUBLES.values()), UNREACHED, RECALL)


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation held here, by the day it was begun on."""

    id: str
    is_today: bool
    conversation: Conversation | None = None  # None: nothing was said in it yet


@pages.get("/talk")
async def talk(visit: Visit) -> Response:
    return await _page(visit)


@pages.post("/talk")
async def say(visit: Visit) -> Response:
    """Say something, have what was said asked again, or have it learnt from now."""
    match visit.field("do"):
        case "learn":
            return await _learnt(visit)
        case "again":
            return await _again(visit)
        case _:
            return await _said(visit)


@pages.post("/talk/delete")
async def delete(visit: Visit) -> Response:
    """Hide a conversation; what was learnt from it stays known."""
    id = _own(visit)
    await visit.memory.delete_conversation(id, **visit.whose)
    return visit.to("/talk", done="talk_deleted", undo=id)


@pages.post("/talk/forget")
async def forget(visit: Visit) -> Response:
    """Remove a conversation for good, with what only it taught."""
    id = _own(visit)
    if visit.field("sure") != "yes":
        return visit.to("/talk", on=id, unsure="1")
    gone = await visit.memory.forget(conversation=id, **visit.whose)
    return visit.to("/talk", gone=f"{gone.counts['messages']}-{gone.counts['items']}")


# ── what is said ──────────────────────────────────────────────────────────────────────────────────────────────────


async def _said(visit: Visit) -> Response:
    text, once = visit.field("said"), visit.field("once") or new_id()
    thread = await _today(visit)
    try:
        if _has_model(visit):
            return await _answered(visit, text, thread.id, once)
        command = await done_once(visit, partial(_command, visit, text), text)
        if command is not None:
            return await _page(visit, command=(text, command.text))
        saved = await visit.memory.save(said=text, conversation=thread.id, external_id=once, **visit.whose)
    except InvalidInputError as error:
        return await _page(visit, typed=text, wrong=visit.sentence(error), status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return visit.to("/talk") if saved.refused is None else await _refused(visit, text)


async def _command(visit: Visit, text: str) -> CommandAnswer | None:
    """The answer to a command; None: it is none, and is said like anything else."""
    return await visit.memory.command(text, language=visit.words.language, **visit.whose) if text else None


async def _again(visit: Visit) -> Response:
    """Ask for the answer that did not come; what was said is kept once."""
    thread = await _today(visit)
    said = await visit.memory.messages(conversation=thread.id, limit=1, **visit.whose)
    if not said or said[0].role is not Role.USER or not _has_model(visit):
        return visit.to("/talk")
    return await _answered(visit, said[0].text, thread.id, said[0].external_id or new_id())


async def _answered(visit: Visit, text: str, conversation: str, once: str) -> Response:
    """What a model answers. What was said is kept before the model is asked, so that no trouble of its loses it."""
    answering = Answering(visit.memory, visit.request.app.state.upstreams)

    async def asked() -> Reply:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await answering.answer(text, conversation=conversation, external_id=once, **visit.whose)

    try:
        reply = await done_once(visit, asked, text)
    except UpstreamError as error:
        return visit.to("/talk", trouble=TROUBLES.get(error.status, UNREACHED))
    except (MissingExtraError, SettingsError):
        return visit.to("/talk", trouble="model")
    except TimeoutError:
        return visit.to("/talk", trouble="slow")
    if reply.command:
        return await _page(visit, command=(text, reply.text or ""))
    if SAVE in (reply.trouble or ""):
        return await _page(visit, typed=text, unkept=reply.text)  # the only place it stands in now
    if reply.saved is not None and reply.saved.refused is not None:
        return await _refused(visit, text, reply.text)
    return visit.to("/talk", trouble=reply.trouble or "")


async def _refused(visit: Visit, text: str, answer: str | None = None) -> Response:
    """Nothing of this person is kept: what they typed stays before them."""
    return await _page(visit, typed=text, unkept=answer, refused=True)


async def _learnt(visit: Visit) -> Response:
    learnt = await visit.memory.learn(**visit.whose)
    rows = [Foreseen.of(decision) for decision in learnt.decisions]
    told = trouble(visit.words, learnt.why) if learnt.why else None
    return await _page(visit, learnt=rows, waiting=learnt.waiting, why=told or "")


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def _page(visit: Visit, *, status: int = HTTPStatus.OK, **parts: Any) -> Response:
    threads = await _threads(visit)
    thread = await _chosen(visit, threads)
    listing = await visit.memory.messages(
        conversation=thread.id, limit=SHOWN, after=visit.asked("before") or None, **visit.whose
    )
    messages = list(reversed(listing))
    last = messages[-1] if messages and not visit.asked("before") else None
    waits = last is not None and last.role is Role.USER and thread.is_today
    told = None
    if waits and last is not None and not _has_model(visit) and not parts:
        told = (await visit.memory.why(last.text, **visit.whose)).context
    taught = await _taught(visit, messages) if thread.is_today else {}
    said = {
        "command": None, "typed": "", "wrong": "", "learnt": None, "waiting": 0, "why": "", "unkept": None,
        "refused": False,
    }  # fmt: skip
    return visit.page(
        "talk.html",
        status=status,
        title=visit.words("page.talk"),
        named=(thread.conversation.title or "",) if thread.conversation and visit.asked("on") else (),
        thread=thread,
        others=[other for other in threads if other.id != thread.id],
        days=by_day(messages, visit.zone),
        earlier=listing.next,
        has_model=_has_model(visit),
        waits=waits,
        told=told,
        taught=taught,
        reads=last is not None and thread.is_today and await _is_being_read(visit, last),
        trouble=visit.asked("trouble") if visit.asked("trouble") in KNOWN_TROUBLES else "",
        gone=_gone(visit.asked("gone")),
        unsure=bool(visit.asked("unsure")),
        once=new_id(),
        **(said | parts),
    )


async def _taught(visit: Visit, messages: list[Message]) -> dict[str, list[KnowledgeItem]]:
    """What was learnt of late, by the message that taught it."""
    shown = {message.id for message in messages}
    found: dict[str, list[KnowledgeItem]] = {}
    for item in await visit.memory.list(order=ItemOrder.CHANGED, limit=SHOWN, **visit.whose):
        for id in shown.intersection(item.message_ids):
            found.setdefault(id, []).insert(0, item)
    return found


async def _is_being_read(visit: Visit, last: Message) -> bool:
    """Whether what was just said may teach something any moment, so that the page looks again."""
    if visit.now - last.saved_at > SOON:
        return False
    return any(job.error is None for job in await visit.memory.jobs(kind=READ, limit=1, **visit.whose))


async def _threads(visit: Visit) -> list[Conversation]:
    """The conversations held here, last used first."""
    listing = await visit.memory.conversations(limit=MOST_CONVERSATIONS, **visit.whose)
    return [one for one in listing if one.id.startswith(PREFIX) and one.place.is_private]


async def _chosen(visit: Visit, threads: list[Conversation]) -> Thread:
    """The conversation asked for, else today's."""
    wanted = visit.asked("on")
    today = _begins_today(visit)
    for one in threads:
        if one.id == wanted:
            return Thread(one.id, one.id.startswith(today), one)
    return await _today(visit, threads)


async def _today(visit: Visit, threads: list[Conversation] | None = None) -> Thread:
    """Today's conversation; one that was deleted is not gone on with."""
    known = await _threads(visit) if threads is None else threads
    today = _begins_today(visit)
    for one in known:
        if one.id.startswith(today):
            return Thread(one.id, True, one)
    return Thread(f"{today}-{visit.now.astimezone(visit.zone):%H%M%S}", True)


def _begins_today(visit: Visit) -> str:
    return f"{PREFIX}{visit.now.astimezone(visit.zone):%Y-%m-%d}"


def _own(visit: Visit) -> str:
    """The conversation a form names, where it is one held here."""
    id = visit.field("id")
    if not id.startswith(PREFIX):
        raise InvalidInputError("only conversations held on this page are deleted here", field="talk")
    return id


def _has_model(visit: Visit) -> bool:
    """Whether there is a model to answer: one that is meant where none is named."""
    upstreams: Upstreams = visit.request.app.state.upstreams
    return upstreams.main is not None


def _gone(receipt: str) -> tuple[int, int] | None:
    """How many messages and items were forgotten, as the address tells."""
    messages, dash, items = receipt.partition("-")
    is_told = dash and messages.isdecimal() and items.isdecimal() and len(receipt) < 16
    return (int(messages), int(items)) if is_told else None


def by_day(messages: list[Message], zone: tzinfo) -> list[tuple[datetime, list[Message]]]:
    """Messages under the day they were said on, both in order."""
    days: list[tuple[datetime, list[Message]]] = []
    for message in messages:
        if not days or days[-1][0].astimezone(zone).date() != message.sent_at.astimezone(zone).date():
            days.append((message.sent_at, []))
        days[-1][1].append(message)
    return days
