"""Talk: a conversation with the memory, and trying out what it would recall or learn without keeping anything."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

from starlette.responses import Response

from relembra.contexts import Trace
from relembra.domain.access import Right
from relembra.domain.jobs import READ
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Note, Role
from relembra.domain.scope import new_id
from relembra.domain.text import checked_language, shortened
from relembra.errors import InvalidInputError, MissingExtraError, RelembraError, SettingsError, UpstreamError
from relembra.interfaces.failures import trouble
from relembra.interfaces.http.problems import problem_of
from relembra.interfaces.trace import Manner, Recalled, arms, beside_of, likeness, most_telling, note_text, text_of
from relembra.interfaces.upstream import RECALL, SAVE, Answering, Reply
from relembra.interfaces.web.visits import Visit, get, post
from relembra.lessons import Foreseen
from relembra.recall.assembly import MemoryContext
from relembra.recall.ranking import Why
from relembra.store.port import ItemOrder, Kind

PREFIX = "page-"
"""What the ids of conversations held here begin with."""
SHOWN = 100
MOST_CONVERSATIONS = 50
PATIENCE_SECONDS = 180
SOON = timedelta(minutes=1)
"""How long the page waits for something to be learnt from what was just said."""
TROUBLES = {401: "key", 403: "key", 404: "model", 429: "busy", 503: "busy", 504: "slow"}
"""What a model server's status means to the user; any other: out of reach."""
UNREACHED = "unreached"
KNOWN_TROUBLES = (*dict.fromkeys(TROUBLES.values()), UNREACHED, RECALL)


NOTHING_SAID = dict.fromkeys(("command", "typed", "wrong", "learnt", "waiting", "why", "unkept", "refused", "gone"))
"""What the page shows of something just said: here, nothing."""


class Thread(NamedTuple):
    """A conversation held here, by the day it was begun on."""

    id: str
    is_today: bool
    conversation: Conversation | None = None  # None: nothing was said in it yet


@post("/talk")
async def say(visit: Visit) -> Response:
    """Say something, have it answered again or learnt from now, or forget a conversation."""
    match visit.field("do"):
        case "learn":
            learnt = await visit.memory.learn(**visit.whose)
            rows = [Foreseen.of(decision) for decision in learnt.decisions]
            told = trouble(visit.words, learnt.why) if learnt.why else None
            return await _page(visit, learnt=rows, waiting=learnt.waiting, why=told or "")
        case "again":  # the answer that did not come; what was said is kept once
            thread = await _today(visit)
            said = await visit.memory.messages(conversation=thread.id, limit=1, **visit.whose)
            if not said or said[0].role is not Role.USER or not _has_model(visit):
                return visit.to("/talk")
            return await _answered(visit, said[0].text, thread.id, said[0].external_id or new_id())
        case "forget":  # for good, with what only it taught
            id = visit.field("id")
            if not id.startswith(PREFIX):
                raise InvalidInputError("only conversations held on this page are forgotten here", field="talk")
            if visit.field("sure") != "yes":
                return visit.to("/talk", on=id, unsure="1")
            gone = await visit.memory.forget(conversation=id, **visit.whose)
            return await _page(visit, gone=(gone.counts["messages"], gone.counts["items"]))
    text, once, thread = visit.field("said"), visit.field("once") or new_id(), await _today(visit)
    asked = partial(visit.memory.command, text, language=visit.words.language, **visit.whose)
    try:
        if _has_model(visit):
            return await _answered(visit, text, thread.id, once)
        command = await visit.done_once(asked, text) if text else None  # None: it is said like anything else
        if command is not None:
            return await _page(visit, command=(text, command.text))
        saved = await visit.memory.save(said=text, conversation=thread.id, external_id=once, **visit.whose)
    except InvalidInputError as error:
        return await _page(visit, typed=text, wrong=visit.sentence(error))
    return visit.to("/talk") if saved.refused is None else await _page(visit, typed=text, refused=True)


async def _answered(visit: Visit, text: str, conversation: str, once: str) -> Response:
    """What a model answers. What was said is kept before the model is asked, so that no trouble of its loses it."""
    answering = Answering(visit.memory, visit.upstreams)

    async def asked() -> Reply:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await answering.answer(text, conversation=conversation, external_id=once, **visit.whose)

    try:
        reply = await visit.done_once(asked, text)
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
        return await _page(visit, typed=text, unkept=reply.text, refused=True)
    return visit.to("/talk", trouble=reply.trouble or "")


@get("/talk")
async def _page(visit: Visit, **parts: Any) -> Response:
    threads = await _threads(visit)
    wanted = next((one for one in threads if one.id == visit.asked("on")), None)
    if wanted is None:
        thread = await _today(visit, threads)
    else:
        thread = Thread(wanted.id, wanted.id.startswith(_begins_today(visit)), wanted)
    messages = (await visit.memory.messages(conversation=thread.id, limit=SHOWN, **visit.whose))[::-1]
    last = messages[-1] if messages else None
    waits = last is not None and last.role is Role.USER and thread.is_today
    told = None
    if waits and last is not None and not _has_model(visit) and not parts:
        told = (await visit.memory.why(last.text, **visit.whose)).context
    taught: dict[str, list[KnowledgeItem]] = {}  # what was learnt of late, by the message that taught it
    reads = False  # whether what was just said may teach something any moment, so that the page looks again
    if thread.is_today:
        shown = {message.id for message in messages}
        for item in await visit.memory.list(order=ItemOrder.CHANGED, limit=SHOWN, **visit.whose):
            for id in shown.intersection(item.message_ids):
                taught.setdefault(id, []).insert(0, item)
        if last is not None and visit.now - last.saved_at <= SOON:
            reads = any(job.error is None for job in await visit.memory.jobs(kind=READ, limit=1, **visit.whose))
    return visit.page(
        "talk.html",
        thread=thread,
        others=[other for other in threads if other.id != thread.id],
        messages=messages,
        has_model=_has_model(visit),
        waits=waits,
        told=told,
        taught=taught,
        reads=reads,
        trouble=visit.asked("trouble") if visit.asked("trouble") in KNOWN_TROUBLES else "",
        **(NOTHING_SAID | parts),
    )


async def _threads(visit: Visit) -> list[Conversation]:
    """The conversations held here, last used first."""
    listing = await visit.memory.conversations(limit=MOST_CONVERSATIONS, **visit.whose)
    return [one for one in listing if one.id.startswith(PREFIX) and one.place.is_private]


async def _today(visit: Visit, threads: list[Conversation] | None = None) -> Thread:
    """Today's conversation; one that was deleted is not continued."""
    known, today = await _threads(visit) if threads is None else threads, _begins_today(visit)
    for one in known:
        if one.id.startswith(today):
            return Thread(one.id, True, one)
    return Thread(f"{today}-{visit.now.astimezone(visit.zone):%H%M%S}", True)


def _begins_today(visit: Visit) -> str:
    return f"{PREFIX}{visit.now.astimezone(visit.zone):%Y-%m-%d}"


def _has_model(visit: Visit) -> bool:
    """Whether there is a model to answer where none is named."""
    return visit.upstreams.main is not None


# ── what would be recalled ────────────────────────────────────────────────────────────────────────────────────────

LONGEST_QUOTE, LONGEST_LINE = 60, 280
SHOWN_MISSES, MOST_MISSES = 8, 100
LARGEST_BUDGET = 100_000


class Line(NamedTuple):
    """A row, recalled or left out, as it is shown."""

    text: str
    link: str  # empty: it has no page
    score: float
    about: list[str]  # where it is from
    arms: list[str]  # what found it
    rest: str  # what else its score is made of, or why it was left out


class Found(NamedTuple):
    """Everything the page shows of one question."""

    context: MemoryContext
    groups: list[tuple[str, list[Line]]]
    missed: list[Line]
    total: int  # how many were left out


@get("/talk/recall")
async def recall(visit: Visit) -> Response:
    """What the assistant would be told if it were asked a question."""
    if not visit.asked("q"):
        return _trial(visit, "talk_recall.html", is_empty=not await visit.memory.list(limit=1, **visit.whose))
    asked, language = visit.asked("budget"), visit.asked("lang") or None
    try:
        if asked and not (asked.isdecimal() and len(asked) < 9 and int(asked) <= LARGEST_BUDGET):
            raise InvalidInputError(f"budget {asked[:20]!r} is no whole number of tokens", field="budget")
        budget = int(asked) if asked else None
        told = await visit.memory.why(
            visit.asked("q"), budget=budget, language=checked_language(language), **visit.whose
        )
    except InvalidInputError as error:
        is_budget = error.field == "budget"
        most = visit.words.whole(LARGEST_BUDGET)
        said = visit.words("page.recall.budget.wrong", most=most) if is_budget else visit.sentence(error)
        wrong = {"budget" if is_budget else "q": said}
        return _trial(visit, "talk_recall.html", wrong=wrong)
    return _trial(visit, "talk_recall.html", found=await _found(visit, told))


def _trial(visit: Visit, template: str, *, status: int | None = None, **parts: object) -> Response:
    given = {"wrong": {}, "text": "", "foreseen": None, "found": None, "is_empty": False} | parts
    usual = visit.settings.chosen_policy().context.budget_tokens
    return visit.page(template, status=status, usual=usual, largest=LARGEST_BUDGET, **given)


async def _found(visit: Visit, told: Trace) -> Found:
    words, made, policy = visit.words, told.context, visit.settings.chosen_policy().ranking
    near = most_telling(told.missed)[: MOST_MISSES if visit.asked("all") else SHOWN_MISSES]
    beside = await beside_of(visit.memory, told, near, visit.whose)
    manner = Manner(words, visit.clock.day, visit.clock.moment, lambda text: shortened(text, LONGEST_QUOTE))

    def line(row: Recalled, text: str, score: float, why: Why, rest: str) -> Line:
        is_note = isinstance(row, Note) and row.place.is_private
        link = f"/item/{row.id}" if isinstance(row, KnowledgeItem) else f"/note/{row.id}" if is_note else ""
        source, found = manner.source(row, beside), arms(words, why)
        return Line(shortened(text, LONGEST_LINE), link, score, source, found, rest)

    def hit(row: Recalled, text: str, score: float, why: Why) -> Line:
        numbers = {name: words.number(getattr(why, name)) for name in ("similarity", "weight", "recency")}
        return line(row, text, score, why, words("page.recall.rest", rule=words.name("rule", why.rule), **numbers))

    groups = {
        Kind.ITEM: [hit(one.item, one.item.content, one.score, one.why) for one in made.hits],
        Kind.NOTE: [hit(one.note, note_text(one.note), one.score, one.why) for one in made.notes],
        Kind.MESSAGE: [hit(one.message, one.excerpt or one.message.text, one.score, one.why) for one in made.earlier],
    }
    missed = [
        line(one.row, text_of(one.row), likeness(one.why), one.why, manner.why_missed(one, beside, policy))
        for one in near
    ]
    shown = [(words(f"recalled.{kind}"), some) for kind, some in groups.items() if some]
    return Found(context=made, groups=shown, missed=missed, total=len(told.missed))


# ── what would be learnt ──────────────────────────────────────────────────────────────────────────────────────────


@get("/talk/learn")
async def learn_form(visit: Visit) -> Response:
    return _trial(visit, "talk_learn.html")


@post("/talk/learn", Right.READ)
async def learn(visit: Visit) -> Response:
    """What would be learnt from a message."""
    text = visit.field("text")
    try:
        foreseen = await visit.memory.preview(text, **visit.whose)
    except RelembraError as error:
        status = None if isinstance(error, InvalidInputError) else problem_of(error).status_code
        return _trial(visit, "talk_learn.html", text=text, wrong={"text": visit.sentence(error)}, status=status)
    return _trial(visit, "talk_learn.html", text=text, foreseen=foreseen)
