"""Talk: a conversation with the memory, and trying out what it would recall or learn without keeping anything."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

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
from relembra.interfaces.trace import Manner, Recalled, arms, beside_of, likeness, most_telling, note_text, text_of
from relembra.interfaces.upstream import RECALL, SAVE, Answering
from relembra.interfaces.web.visits import Visit, get, post
from relembra.lessons import Forecast, Foreseen
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


NOTHING_SAID = dict.fromkeys(("command", "typed", "learnt", "waiting", "why", "unkept", "refused", "gone"))
"""What the page shows of something just said: here, nothing."""


@get("/talk")
async def talk(visit: Visit, **parts: Any) -> Response:
    """Today's conversation, or one of those held earlier; `parts`: what is shown of something just said."""
    threads = await _threads(visit)
    wanted = next((one for one in threads if one.id == visit.asked("on")), None)
    id, thread = _today(visit, threads) if wanted is None else (wanted.id, wanted)
    is_today = id.startswith(_begins_today(visit))
    messages = (await visit.memory.messages(conversation=id, limit=SHOWN, **visit.whose))[::-1]
    last = messages[-1] if messages else None
    waits = last is not None and last.role is Role.USER and is_today
    told = None
    if waits and last is not None and not _has_model(visit) and not parts and not visit.wrong:
        told = (await visit.memory.why(last.text, **visit.whose)).context
    reads = False  # whether what was just said may teach something any moment, so that the page looks again
    if is_today and last is not None and visit.now - last.saved_at <= SOON:  # asked before what was learnt is listed
        reads = any(job.error is None for job in await visit.memory.jobs(kind=READ, limit=1, **visit.whose))
    taught: dict[str, list[KnowledgeItem]] = {}  # what was learnt of late, by the message that taught it
    if is_today:
        shown = {message.id for message in messages}
        for item in await visit.memory.list(order=ItemOrder.CHANGED, limit=SHOWN, **visit.whose):
            for message_id in shown.intersection(item.message_ids):
                taught.setdefault(message_id, []).insert(0, item)
    return visit.page(
        "talk.html",
        id=id,
        thread=thread,
        is_today=is_today,
        others=[other for other in threads if other.id != id],
        messages=messages,
        has_model=_has_model(visit),
        waits=waits,
        told=told,
        taught=taught,
        reads=reads,
        trouble=visit.asked("trouble") if visit.asked("trouble") in KNOWN_TROUBLES else "",
        **(NOTHING_SAID | {"typed": visit.wrong and visit.field("said")} | parts),
    )


@post("/talk", again=talk)
async def say(visit: Visit) -> Response:
    """Say something, have it answered again or learnt from now, or forget a conversation."""
    match visit.field("do"):
        case "learn":
            learnt = await visit.memory.learn(**visit.whose)
            rows = [Foreseen.of(decision) for decision in learnt.decisions]
            told = trouble(visit.words, learnt.why) if learnt.why else None
            return await talk(visit, learnt=rows, waiting=learnt.waiting, why=told or "")
        case "again":  # the answer that did not come; what was said is kept once
            id, _ = _today(visit, await _threads(visit))
            said = await visit.memory.messages(conversation=id, limit=1, **visit.whose)
            if not said or said[0].role is not Role.USER or not _has_model(visit):
                return visit.to("/talk")
            return await _answered(visit, said[0].text, id, said[0].external_id or new_id())
        case "journal":
            entry = visit.field("said")
            once = visit.field("once") or new_id()
            kept = await visit.memory.save(said=entry, kind="journal", external_id=once, **visit.whose)
            if kept.refused is None:
                return visit.to("/history", kind="journal")
            return await talk(visit, typed=entry, refused=True)
        case "forget":  # for good, with what only it taught
            id = visit.field("id")
            if not id.startswith(PREFIX):
                raise InvalidInputError("only conversations held on this page are forgotten here", field="talk")
            if visit.field("sure") != "yes":
                return visit.to("/talk", on=id, unsure="1")
            gone = await visit.memory.forget(conversation=id, **visit.whose)
            return await talk(visit, gone=(gone.counts["messages"], gone.counts["items"]))
    text, once = visit.field("said"), visit.field("once") or new_id()
    id, _ = _today(visit, await _threads(visit))
    if _has_model(visit):
        return await _answered(visit, text, id, once)
    if text:
        command = await visit.memory.command(text, language=visit.words.language, **visit.whose)
        if command is not None:  # else it is said like anything else
            return await talk(visit, command=(text, command.text))
    saved = await visit.memory.save(said=text, conversation=id, external_id=once, **visit.whose)
    return visit.to("/talk") if saved.refused is None else await talk(visit, typed=text, refused=True)


async def _answered(visit: Visit, text: str, conversation: str, once: str) -> Response:
    """What a model answers. What was said is kept before the model is asked, so that no trouble of its loses it."""
    answering = Answering(visit.memory, visit.upstreams)
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            reply = await answering.answer(text, conversation=conversation, external_id=once, **visit.whose)
    except UpstreamError as error:
        return visit.to("/talk", trouble=TROUBLES.get(error.status, UNREACHED))
    except (MissingExtraError, SettingsError):
        return visit.to("/talk", trouble="model")
    except TimeoutError:
        return visit.to("/talk", trouble="slow")
    if reply.command:
        return await talk(visit, command=(text, reply.text or ""))
    is_refused = reply.saved is not None and reply.saved.refused is not None
    if is_refused or SAVE in (reply.trouble or ""):
        return await talk(visit, typed=text, unkept=reply.text, refused=is_refused)  # the only place it stands in now
    return visit.to("/talk", trouble=reply.trouble or "")


async def _threads(visit: Visit) -> list[Conversation]:
    """The conversations held here, last used first."""
    listing = await visit.memory.conversations(limit=MOST_CONVERSATIONS, **visit.whose)
    return [one for one in listing if one.id.startswith(PREFIX) and one.place.is_private]


def _today(visit: Visit, threads: list[Conversation]) -> tuple[str, Conversation | None]:
    """Today's conversation by its id, None while nothing was said in it; one that was deleted is not continued."""
    today = _begins_today(visit)
    found = next((one for one in threads if one.id.startswith(today)), None)
    return (found.id, found) if found else (f"{today}-{visit.now.astimezone(visit.zone):%H%M%S}", None)


def _begins_today(visit: Visit) -> str:
    return f"{PREFIX}{visit.today}"


def _has_model(visit: Visit) -> bool:
    """Whether there is a model to answer where none is named."""
    return visit.upstreams.main is not None


# ── what would be recalled ────────────────────────────────────────────────────────────────────────────────────────

LONGEST_QUOTE, LONGEST_LINE = 60, 280
SHOWN_MISSES, MOST_MISSES = 8, 100
LARGEST_BUDGET = 100_000


@get("/talk/recall")
async def recall(visit: Visit) -> Response:
    """What the assistant would be told if it were asked a question."""
    parts: dict[str, Any] = {
        "usual": visit.settings.chosen_policy().context.budget_tokens, "largest": LARGEST_BUDGET, "found": None,
        "is_empty": False,
    }  # fmt: skip
    if not visit.asked("q"):
        parts["is_empty"] = not await visit.memory.list(limit=1, **visit.whose)
        return visit.page("talk_recall.html", **parts)
    asked, language = visit.asked("budget"), checked_language(visit.asked("lang") or None)
    if asked and not (asked.isdecimal() and len(asked) < 9 and int(asked) <= LARGEST_BUDGET):
        visit.refuse(InvalidInputError(f"budget {asked[:20]!r} is no whole number of tokens", field="budget"))
        visit.wrong = visit.words("page.recall.budget.wrong", most=visit.words.whole(LARGEST_BUDGET))
        return visit.page("talk_recall.html", **parts)
    try:
        budget = int(asked) if asked else None
        told = await visit.memory.why(visit.asked("q"), budget=budget, language=language, **visit.whose)
        parts["found"] = await _found(visit, told)
    except InvalidInputError as error:
        visit.refuse(error)
    return visit.page("talk_recall.html", **parts)


async def _found(visit: Visit, told: Trace) -> dict[str, Any]:
    """Everything the page shows of one question: the context, what is in it by kind, and what was left out."""
    words, made, policy = visit.words, told.context, visit.settings.chosen_policy().ranking
    near = most_telling(told.missed)[: MOST_MISSES if visit.asked("all") else SHOWN_MISSES]
    beside = await beside_of(visit.memory, told, near, visit.whose)
    manner = Manner(words, visit.clock.day, visit.clock.moment, lambda text: shortened(text, LONGEST_QUOTE))

    def line(row: Recalled, text: str, score: float, why: Why, rest: str = "") -> dict[str, Any]:
        """A row as it is shown: with where it is from, what found it and what else its score is made of."""
        is_note = isinstance(row, Note) and row.place.is_private
        numbers = {name: words.number(getattr(why, name)) for name in ("similarity", "weight", "recency")}
        return {
            "text": shortened(text, LONGEST_LINE),
            "link": f"/item/{row.id}" if isinstance(row, KnowledgeItem) else f"/note/{row.id}" if is_note else "",
            "score": score,
            "about": manner.source(row, beside),
            "arms": arms(words, why),
            "rest": rest or words("page.recall.rest", rule=words.name("rule", why.rule), **numbers),
        }

    groups = {
        Kind.ITEM: [line(one.item, one.item.content, one.score, one.why) for one in made.hits],
        Kind.NOTE: [line(one.note, note_text(one.note), one.score, one.why) for one in made.notes],
        Kind.MESSAGE: [line(one.message, one.excerpt or one.message.text, one.score, one.why) for one in made.earlier],
    }
    missed = [
        line(one.row, text_of(one.row), likeness(one.why), one.why, manner.why_missed(one, beside, policy))
        for one in near
    ]
    shown = [(words(f"recalled.{kind}"), some) for kind, some in groups.items() if some]
    return {"context": made, "groups": shown, "missed": missed, "total": len(told.missed)}


# ── what would be learnt ──────────────────────────────────────────────────────────────────────────────────────────


@get("/talk/learn")
async def learn_form(visit: Visit, foreseen: Forecast | None = None) -> Response:
    return visit.page("talk_learn.html", text=visit.field("text"), foreseen=foreseen)


@post("/talk/learn", Right.READ)
async def learn(visit: Visit) -> Response:
    """What would be learnt from a message."""
    try:
        return await learn_form(visit, await visit.memory.preview(visit.field("text"), **visit.whose))
    except RelembraError as error:
        visit.refuse(error)
        return await learn_form(visit)
