"""One item: what is known, where from, its past versions, and everything a person may do to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.audit import Actor, ActorKind, AuditEntry, Target, level
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.errors import NotFoundError
from relembra.interfaces import sentences
from relembra.interfaces.sentences import differences, part_said, reason
from relembra.interfaces.web.memory import LONGEST_CONTENT, bounds, fit
from relembra.interfaces.web.visits import FormError, Visit, get, post
from relembra.learn.trail import merge_of
from relembra.memory import History, Memory

REPLACING = ("supersede", "correct", "merge", "learn", "resolve")
"""Verbs that put one item in the place of another."""
LONGEST_LINE = 20
"""How many past versions are walked and explained."""
ACTIONS: dict[str, tuple[Callable[..., Awaitable[KnowledgeItem]], str]] = {
    "confirm": (Memory.validate, "confirmed"),
    "delete": (Memory.delete, "deleted"),
    "restore": (Memory.restore, "restored"),
    "archive": (Memory.archive, "archived"),
    "recover": (Memory.recover, "recovered"),
    "local": (partial(Memory.keep_local, local=True), "kept_local"),
    "shared": (partial(Memory.keep_local, local=False), "let_out"),
}
"""What a button does to an item, and the name of what is said afterwards."""


# ── the page ──────────────────────────────────────────────────────────────────────────────────────────────────────


@get("/item/{id}")
async def item(visit: Visit) -> Response:
    memory, whose, words = visit.memory, visit.whose, visit.words

    def who(actor: Actor) -> str:
        """Who made a change: the person as "you", the engine's own parts by what they do."""
        if actor.is_owner(visit.user):
            return words("page.item.who.you")
        key = f"page.item.who.{actor.name}"
        is_ours = actor.kind is not ActorKind.PERSON and words.has(key)
        return words(key) if is_ours else sentences.who(words, actor)

    def changes(entry: AuditEntry) -> list[tuple[str, str, str]]:
        """What a change changed: a name, before and after; an empty side says there was nothing."""
        side = partial(part_said, words, moment=visit.clock.moment)
        parts = [part for row in differences([entry]) for part in row.parts]
        return [(words(f"aspect.{name}"), side(name, before), side(name, after)) for name, before, after in parts]

    try:
        found = await memory.history(visit.id, **whose)
    except NotFoundError:
        return visit.page("item_missing.html", status=HTTPStatus.NOT_FOUND)
    held = found.item
    policy = visit.settings.chosen_policy()
    messages, related, note, versions = await asyncio.gather(
        memory.sources(held.id, **whose),
        memory.related(held.id, limit=4, **whose),
        _note(visit, held),
        _versions(visit, found),
    )
    least = policy.ranking.least_similarity
    state = "" if held.is_current(visit.now) else "expired"  # why it is not current
    if held.deleted_at is not None:
        is_corrected = held.superseded_at is not None and merge_of(held, found.trail) is None
        state = "corrected" if is_corrected else "deleted"
    elif held.superseded_at is not None:
        state = "replaced"
    elif held.archived_at is not None:
        state = "archived"
    return visit.page(
        "item.html",
        item=held,
        tags=[tag for tag in held.tags if not tag.startswith("key:")],  # others say something to the engine
        least=bounds(level(held.confidence, policy.confidence), policy.confidence)[0] or 0.0,
        state=state,
        successor=versions[0][0] if held.superseded_at and versions[0][0].id != held.id else None,
        messages=messages,
        lost=len(held.message_ids) - len(messages),
        note=note,
        versions=versions,
        trail=found.trail[::-1],
        who=who,
        changes=changes,
        related=[hit.item for hit in related if hit.item.id in held.related or hit.why.similarity >= least],
    )


async def _note(visit: Visit, held: KnowledgeItem) -> Note | None:
    """The note it was learnt in, where it may be read here."""
    with suppress(NotFoundError):
        if held.note_id is not None:
            return await visit.memory.note(held.note_id, **visit.whose)
    return None


async def _versions(visit: Visit, found: History) -> list[tuple[KnowledgeItem, str]]:
    """Everything that was known in this one's place, before and after it, the last one first; why it was replaced."""

    def why_replaced(entries: Iterable[AuditEntry]) -> str:
        """Why something took an item's place, as its own trail has it."""
        for entry in reversed(list(entries)):
            if entry.verb in REPLACING and (entry.after or {}).get("superseded_at"):
                said = visit.words("page.item.corrected") if entry.verb == "correct" else ""
                return reason(visit.words, entry.why) if entry.why else said
        return ""

    seen = {found.item.id}
    last = found
    while last.successor is not None and last.successor.id not in seen and len(seen) < LONGEST_LINE:
        seen.add(last.successor.id)
        last = await visit.memory.history(last.successor.id, **visit.whose)
    items: Sequence[KnowledgeItem] = [*last.predecessors, last.item][-LONGEST_LINE:]
    if found.item.id not in {item.id for item in items}:
        items = [found.item, *items]
    before = await asyncio.gather(*(visit.memory.history(item.id, **visit.whose) for item in items[:-1]))
    whys = [*(why_replaced(one.trail) for one in before), ""]
    return list(zip(items, whys, strict=True))[::-1]


# ── actions ───────────────────────────────────────────────────────────────────────────────────────────────────────


@get("/item/{id}/correct", Right.WRITE)
async def correct_form(visit: Visit) -> Response:
    held = await visit.memory.get(visit.id, **visit.whose)
    content = visit.field("content") if visit.wrong else held.content
    return visit.page("item_correct.html", item=held, content=content)


@post("/item/{id}/correct", again=correct_form)
async def correct(visit: Visit) -> Response:
    """Put right words in the place of wrong ones; what was typed stays where they are refused."""
    content, why = visit.field("content"), visit.field("why") or None
    held = await visit.memory.get(visit.id, **visit.whose)
    fit(content, max(LONGEST_CONTENT, len(held.content)))
    right = await visit.memory.correct(visit.id, content, why=why, version=_version(visit), **visit.whose)
    return visit.back(done="corrected", undo=await _last_change(visit, right.id), otherwise=f"/item/{right.id}")


@get("/item/{id}/forget", Right.WRITE)
async def forget_form(visit: Visit) -> Response:
    """What goes with an item and what stays, found out by a dry run, before anything is done."""
    memory, whose = visit.memory, visit.whose
    found = await memory.history(visit.id, **whose)
    would = await memory.forget(item=visit.id, dry_run=True, **whose)
    return visit.page(
        "item_forget.html",
        item=found.item,
        changes=len(found.trail),
        reports=[await memory.note(id, **whose) for id in would.notes[:20]],
        report_count=len(would.notes),
        messages=len(await memory.sources(visit.id, **whose)),
        note=await _note(visit, found.item),
        has_past=bool(found.predecessors),
    )


@post("/item/{id}/forget", again=forget_form)
async def forget(visit: Visit) -> Response:
    """Remove an item for good, once the person has said that they know what that means."""
    if visit.field("sure") != "yes":
        raise FormError("page.item.forget.unsure", field="sure")
    return visit.page("item_forgotten.html", gone=await visit.memory.forget(item=visit.id, **visit.whose))


async def act(visit: Visit, *, action: str) -> Response:
    """Change the item and go back; where it changed meanwhile it is shown as it is now, and why nothing was done."""
    verb, done = ACTIONS[action]
    began, before = visit.now, await visit.memory.get(visit.id, **visit.whose)
    after = await verb(visit.memory, visit.id, version=_version(visit), **visit.whose)
    if after.id != before.id:  # it was merged since it was shown: the user sees what was changed instead
        undo = await _last_change(visit, after.id) if after.updated_at >= began else ""
        return visit.to(f"/item/{after.id}", done=done, undo=undo)
    undo = await _last_change(visit, visit.id) if after.version != before.version else ""
    return visit.back(done=done, undo=undo, otherwise=f"/item/{visit.id}")


for _action in ACTIONS:
    post(f"/item/{{id}}/{_action}", again=item)(partial(act, action=_action))


@post("/undo")
async def undo(visit: Visit) -> Response:
    """Take back a change of any page; who looks at something that is no more goes on to what came back instead."""
    undone = await visit.memory.undo(visit.field("id"), **visit.whose)
    here = visit.field("back").partition("?")[0]
    items = [entry for entry in undone if entry.target is Target.ITEM]
    if here in {f"/item/{entry.target_id}" for entry in items if entry.before is None}:  # what made them is undone
        back = [entry.target_id for entry in items if entry.before is not None]
        return visit.to(f"/item/{back[0]}" if back else "/", done="undone")
    return visit.back(done="undone")


def _version(visit: Visit) -> int | None:
    """The version the form was filled in for."""
    word = visit.field("version")
    return int(word) if word.isdecimal() and len(word) < 10 else None


async def _last_change(visit: Visit, id: str) -> str:
    found = await visit.memory.history(id, **visit.whose)
    return found.trail[-1].change if found.trail else ""
