"""One item: what is known, where from, its line through time, and everything a person may do to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.audit import AuditEntry, Target
from relembra.domain.changes import titled
from relembra.domain.confidence import level
from relembra.domain.insight import InsightKind
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.message import Note
from relembra.errors import ConflictError, InvalidInputError, NotFoundError, StaleError
from relembra.interfaces.web import playing
from relembra.interfaces.web.adding import LONGEST_CONTENT, fit
from relembra.interfaces.web.filtering import bounds
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.telling import Held, line, trail, why_replaced
from relembra.interfaces.web.visits import Visit
from relembra.interfaces.words import Words
from relembra.learn.trail import merge_of
from relembra.memory import History
from relembra.tend.insight import TAG as INSIGHT_TAG

pages = Pages()

RELATED = 4
MOST_REPORTS = 20
"""How many of the reports that go with an item are named."""
LONGEST_LINE = 20
"""How many steps of a line through time are walked and explained."""
BOOKKEEPING = "key:"
"""How tags begin that say something to the engine only."""
GONE = ("items", "audit", "cases", "pointers", "notes", "jobs", "terms", "vectors")
"""What a receipt of forgetting one item counts, by its words in the catalogue `gone`."""

Verb = Callable[..., Awaitable[KnowledgeItem]]


@pages.get("/item/forgotten")
async def forgotten(visit: Visit) -> Response:
    """The receipt: how much went from where."""
    counts = [(name, int(number)) for name in GONE if (number := visit.asked(name)).isdecimal() and len(number) < 10]
    return visit.page(
        "item_forgotten.html",
        title=visit.words("page.item.forgotten"),
        counts=[(visit.words.name("gone", name), number) for name, number in counts if number],
        traces=visit.asked("traces") == "1",
    )


@pages.get("/item/{id}")
async def item(visit: Visit) -> Response:
    return await _shown(visit)


@pages.get("/item/{id}/correct", Right.WRITE)
async def correcting(visit: Visit) -> Response:
    held = await visit.memory.get(visit.id, **visit.whose)
    return _correcting(visit, held, content=held.content)


@pages.post("/item/{id}/correct")
async def correct(visit: Visit) -> Response:
    """Put right words in the place of wrong ones; what was typed stays where they are refused."""
    content, why = visit.field("content"), visit.field("why")
    held = await visit.memory.get(visit.id, **visit.whose)
    try:
        fit(content, max(LONGEST_CONTENT, len(held.content)))
        right = await visit.memory.correct(visit.id, content, why=why or None, version=_version(visit), **visit.whose)
    except (InvalidInputError, ConflictError) as error:
        held = await visit.memory.get(visit.id, **visit.whose)
        said = visit.words("page.item.stale") if isinstance(error, StaleError) else visit.sentence(error)
        status = HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(error, InvalidInputError) else HTTPStatus.CONFLICT
        return _correcting(visit, held, content=content, why=why, trouble=said, status=status)
    return visit.to(f"/item/{right.id}", done="corrected", undo=await _last_change(visit, right.id))


@pages.post("/item/{id}/confirm")
async def confirm(visit: Visit) -> Response:
    return await _done(visit, visit.memory.validate, done="confirmed")


@pages.post("/item/{id}/delete")
async def delete(visit: Visit) -> Response:
    return await _done(visit, visit.memory.delete, done="deleted")


@pages.post("/item/{id}/restore")
async def restore(visit: Visit) -> Response:
    return await _done(visit, visit.memory.restore, done="restored")


@pages.post("/item/{id}/archive")
async def archive(visit: Visit) -> Response:
    return await _done(visit, visit.memory.archive, done="archived")


@pages.post("/item/{id}/recover")
async def recover(visit: Visit) -> Response:
    return await _done(visit, visit.memory.recover, done="recovered")


@pages.post("/item/{id}/local")
async def local(visit: Visit) -> Response:
    is_local = visit.field("local") == "1"
    return await _done(visit, visit.memory.keep_local, done="kept_local" if is_local else "let_out", local=is_local)


async def acted_on(visit: Visit) -> Response:
    """The item, for whoever loads again the address something was done at."""
    return visit.to(f"/item/{visit.id}")


for _deed in ("confirm", "delete", "restore", "archive", "recover", "local"):
    pages.get(f"/item/{{id}}/{_deed}")(acted_on)


@pages.get("/item/{id}/forget", Right.WRITE)
async def forgetting(visit: Visit) -> Response:
    return await _forgetting(visit)


@pages.post("/item/{id}/forget")
async def forget(visit: Visit) -> Response:
    """Remove an item for good, once the person has said that they know what that means."""
    if visit.field("sure") != "yes":
        return await _forgetting(visit, trouble=visit.words("page.item.forget.unsure"))
    gone = await visit.memory.forget(item=visit.id, **visit.whose)
    counts = {name: str(gone.counts.get(name, 0)) for name in GONE if gone.counts.get(name)}
    return visit.to("/item/forgotten", **counts, traces="" if gone.erased else "1")


@pages.post("/undo")
async def undo(visit: Visit) -> Response:
    """Take back a change of any page; who looks at something that is no more goes on to what came back instead."""
    undone = await visit.memory.undo(visit.field("id"), **visit.whose)
    here = visit.field("back").partition("?")[0]
    if here in {f"/item/{id}" for id in _made(undone)}:
        back = [entry.target_id for entry in undone if entry.target is Target.ITEM and entry.before is not None]
        return visit.to(f"/item/{back[0]}" if back else "/", done="undone")
    return visit.back(done="undone")


def _made(undone: list[AuditEntry]) -> set[str]:
    """Items that are no more, since what made them is undone."""
    return {entry.target_id for entry in undone if entry.target is Target.ITEM and entry.before is None}


async def _done(visit: Visit, verb: Verb, *, done: str, **parts: Any) -> Response:
    """Change the item and go back; where it changed meanwhile it is shown as it is now, and why nothing was done."""
    began, before = visit.now, await visit.memory.get(visit.id, **visit.whose)
    try:
        after = await verb(visit.id, version=_version(visit), **parts, **visit.whose)
    except ConflictError as error:
        said = visit.words("page.item.stale") if isinstance(error, StaleError) else visit.sentence(error)
        return await _shown(visit, trouble=said, status=HTTPStatus.CONFLICT)
    if after.id != before.id:  # it was merged since it was shown: whoever decided sees what that was done to
        undo = await _last_change(visit, after.id) if after.updated_at >= began else ""
        return visit.to(f"/item/{after.id}", done=done, undo=undo)
    undo = await _last_change(visit, visit.id) if after.version != before.version else ""
    return visit.back(done=done, undo=undo, otherwise=f"/item/{visit.id}")


def _version(visit: Visit) -> int | None:
    """The version whoever sent a form had seen."""
    word = visit.field("version")
    return int(word) if word.isdecimal() and len(word) < 10 else None


async def _last_change(visit: Visit, id: str) -> str:
    told = await visit.memory.history(id, **visit.whose)
    return told.trail[-1].change if told.trail else ""


async def _shown(visit: Visit, *, trouble: str = "", status: int = HTTPStatus.OK) -> Response:
    memory, whose = visit.memory, visit.whose
    try:
        told = await memory.history(visit.id, **whose)
    except NotFoundError:
        return visit.page("item_missing.html", status=HTTPStatus.NOT_FOUND, title=visit.words("page.item.missing"))
    held = told.item
    policy = visit.settings.chosen_policy()
    messages, related, note, through_time = await asyncio.gather(
        memory.sources(held.id, **whose),
        memory.related(held.id, limit=RELATED, **whose),
        _note(visit, held),
        _line(visit, told),
    )
    return visit.page(
        "item.html",
        status=status,
        title=titled(held.content),
        trouble=trouble,
        item=held,
        tags=tags(visit.words, held),
        least=bounds(level(held.confidence, policy.confidence), policy.confidence)[0] or 0.0,
        heading="" if held.title in (held.content, titled(held.content)) else held.title,
        state=_state(visit, told),
        successor=through_time[0].item if held.superseded_at and through_time[0].item.id != held.id else None,
        wrong=_wrong(told),
        messages=messages,
        lost=len(held.message_ids) - len(messages),
        note=note,
        line=through_time,
        trail=trail(visit, told.trail),
        related=[
            hit.item
            for hit in related
            if hit.item.id in held.related or hit.why.similarity >= policy.ranking.least_similarity
        ],
    )


def tags(words: Words, held: KnowledgeItem) -> list[tuple[str, str]]:
    """The tags a person reads, each with how it is called: a machine's in their language, others as they are."""
    known = {playing.DEMO, *((INSIGHT_TAG, *InsightKind) if held.type is KnowledgeType.INSIGHT else ())}
    shown = [tag for tag in held.tags if not tag.startswith(BOOKKEEPING)]
    return [(tag, words.name("tag", tag) if tag in known else tag) for tag in shown]


def _state(visit: Visit, told: History) -> str:
    """Why an item is not held now; empty where it is."""
    held = told.item
    if held.deleted_at is not None:
        merge = merge_of(held, told.trail)
        return "corrected" if held.superseded_at is not None and merge is None else "deleted"
    if held.superseded_at is not None:
        return "replaced"
    if held.archived_at is not None:
        return "archived"
    return "" if held.is_current(visit.now) else "expired"


def _wrong(told: History) -> KnowledgeItem | None:
    """What the person put right with this item, where that is how it came to be."""
    is_corrected = any(entry.verb == "correct" and entry.before is None for entry in told.trail)
    wrong = [old for old in told.predecessors if old.superseded_by == told.item.id and old.deleted_at is not None]
    return wrong[-1] if is_corrected and wrong else None


async def _note(visit: Visit, held: KnowledgeItem) -> Note | None:
    """The note it was learnt in, where it may be read here."""
    with suppress(NotFoundError):
        if held.note_id is not None:
            return await visit.memory.note(held.note_id, **visit.whose)
    return None


async def _line(visit: Visit, told: History) -> list[Held]:
    """Everything that was held in this one's place, before and after it."""
    seen = {told.item.id}
    last = told
    while last.successor is not None and last.successor.id not in seen and len(seen) < LONGEST_LINE:
        seen.add(last.successor.id)
        last = await visit.memory.history(last.successor.id, **visit.whose)
    items = [*last.predecessors, last.item][-LONGEST_LINE:]
    if told.item.id not in {item.id for item in items}:
        items = [told.item, *items]
    before = await asyncio.gather(*(visit.memory.history(item.id, **visit.whose) for item in items[:-1]))
    whys = [*(why_replaced(visit, one.trail) for one in before), ""]
    return line(visit, told.item, items, whys)


def _correcting(
    visit: Visit,
    held: KnowledgeItem,
    *,
    content: str,
    why: str = "",
    trouble: str = "",
    status: int = HTTPStatus.OK,
) -> Response:
    return visit.page(
        "item_correct.html",
        status=status,
        title=visit.words("page.item.correct"),
        named=(held.content,),
        item=held,
        content=content,
        why=why,
        trouble=trouble,
    )


async def _forgetting(visit: Visit, *, trouble: str = "") -> Response:
    """What goes with an item and what stays, found out by a dry run, before anything is done."""
    memory, whose = visit.memory, visit.whose
    told = await memory.history(visit.id, **whose)
    would = await memory.forget(item=visit.id, dry_run=True, **whose)
    return visit.page(
        "item_forget.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if trouble else HTTPStatus.OK,
        title=visit.words("page.item.forget"),
        named=(told.item.content,),
        item=told.item,
        changes=len(told.trail),
        reports=[await memory.note(id, **whose) for id in would.notes[:MOST_REPORTS]],
        report_count=len(would.notes),
        messages=len(await memory.sources(visit.id, **whose)),
        note=await _note(visit, told.item),
        has_past=bool(told.predecessors),
        trouble=trouble,
    )
