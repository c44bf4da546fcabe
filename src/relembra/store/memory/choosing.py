"""Which rows are wanted, and in which order they come."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from relembra.domain.attributes import EVENTS
from relembra.domain.jobs import Job, JobState
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, Note
from relembra.domain.scope import Place, Scope, may_hear
from relembra.store.memory.shelf import Row
from relembra.store.port import (
    Cursor,
    EventFilter,
    Fate,
    ItemCount,
    ItemFilter,
    MessageFilter,
    NoteFilter,
    Page,
    Passing,
    Unembedded,
    Use,
)


def known_rows(rows: Mapping[str, Row], ids: Iterable[str]) -> Iterator[Row]:
    return (rows[id] for id in ids if id in rows)


def is_wanted(item: KnowledgeItem, wanted: ItemFilter) -> bool:
    return (
        is_believed(item, wanted.spelt_out())
        and (wanted.only is None or item.is_in(wanted.only, wanted.as_of))
        and may_hear(item.place, wanted.asked_in)
        and (not wanted.types or item.type in wanted.types)
        and wanted.takes(item.area)
        and (not wanted.sources or item.source in wanted.sources)
        and set(wanted.tags) <= set(item.tags)
        and wanted.subject in (None, item.subject)
        and wanted.attribute in (None, item.attribute)
        and (wanted.confidence_at_least is None or item.confidence >= wanted.confidence_at_least)
        and (wanted.confidence_below is None or item.confidence < wanted.confidence_below)
        and (not wanted.note_ids or item.note_id in wanted.note_ids)
        and _is_between(item.created_at, wanted.since, wanted.until)
        and (wanted.period is None or _is_of(item, *wanted.period))
        and item.id not in wanted.without
    )


def is_believed(item: KnowledgeItem, wanted: ItemFilter) -> bool:
    """Whether it is believed now or was at `as_of`, and was true at `true_at`, with whatever else is asked for."""

    def counts(mark: datetime | None) -> bool:
        return mark is not None and (wanted.as_of is None or mark <= wanted.as_of)

    if wanted.as_of is not None and item.created_at > wanted.as_of:
        return False
    if counts(item.deleted_at) and not wanted.deleted:
        return False
    is_superseded = counts(item.superseded_at)
    if wanted.true_at is not None:
        has_end = item.superseded_at is None or is_superseded
        if not _is_between(wanted.true_at, item.held_from, item.held_until if has_end else None):
            return False
    by = wanted.true_at or wanted.as_of or wanted.now
    return wanted.history or (
        (not is_superseded or wanted.true_at is not None)
        and (not counts(item.archived_at) or wanted.archived)
        and (item.expires_at is None or item.expires_at > by)
    )


def _is_of(item: KnowledgeItem, start: datetime, end: datetime) -> bool:
    """Whether it was said, or began to hold, in this time."""
    moments = (item.created_at, item.held_from, item.reinforced_at)
    return any(moment is not None and _is_between(moment, start, end) for moment in moments)


def is_wanted_message(message: Message, wanted: MessageFilter) -> bool:
    return (
        message.deleted_at is None
        and may_hear(message.place, wanted.asked_in)
        and (not wanted.said_there or _is_said_there(message.place, wanted.asked_in))
        and wanted.conversation in (None, message.conversation)
        and (not wanted.roles or message.role in wanted.roles)
        and _is_between(message.sent_at, wanted.since, wanted.until)
        and message.id not in wanted.without
    )


def is_wanted_note(note: Note, wanted: NoteFilter) -> bool:
    return (
        note.deleted_at is None
        and (wanted.archived or note.archived_at is None)
        and may_hear(note.place, wanted.asked_in)
        and (not wanted.said_there or _is_said_there(note.place, wanted.asked_in))
        and (not wanted.kinds or note.kind in wanted.kinds)
        and wanted.conversation in (None, note.conversation)
        and (wanted.participant is None or wanted.participant in note.participants)
        and _is_between(note.happened_at, wanted.since, wanted.until)
        and note.id not in wanted.without
    )


def neighbours(message: Message, rows: Iterable[Message], before: int, after: int) -> tuple[Message, ...]:
    """Those of its conversation just before and after it, in the order of time."""

    def place(row: Message) -> tuple[datetime, str]:
        return (row.sent_at, row.id)

    told = sorted((row for row in rows if row.conversation == message.conversation), key=place)
    earlier = [row for row in told if place(row) < place(message)]
    later = [row for row in told if place(row) > place(message)]
    return (*earlier[len(earlier) - min(max(before, 0), len(earlier)) :], *later[: max(after, 0)])


def _is_said_there(said: Place, asked: Place) -> bool:
    return said.is_private if asked.is_private else said == asked


def _is_between(moment: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or moment >= since) and (until is None or moment < until)


def is_wanted_event(item: KnowledgeItem, wanted: EventFilter) -> bool:
    return (
        (item.type is KnowledgeType.MEMORY or item.attribute in EVENTS)
        and item.deleted_at is None
        and item.superseded_at is None
        and may_hear(item.place, wanted.asked_in)
        and _is_between(item.held_from, wanted.since, wanted.until)
        and item.id not in wanted.without
    )


def page_of(
    rows: Iterable[Row], cursor: Callable[[Row], Cursor], *, after: Cursor | None, limit: int, rising: bool = False
) -> Page[Row]:
    def position(place: Cursor) -> tuple[float, datetime, str]:
        return (place.confidence or 0.0, place.at, place.id)

    def is_beyond(row: Row, end: Cursor) -> bool:
        here, there = position(cursor(row)), position(end)
        return here > there if rising else here < there

    if limit <= 0:
        return Page((), None)
    left = sorted(rows, key=lambda row: position(cursor(row)), reverse=not rising)
    if after is not None:
        left = [row for row in left if is_beyond(row, after)]
    taken = tuple(left[:limit])
    return Page(taken, cursor(taken[-1]) if len(left) > limit else None)


def counted(items: Iterable[KnowledgeItem]) -> list[ItemCount]:
    """Items that are alike, counted together."""
    alike = Counter(
        (item.area, item.type, item.source, item.confidence, item.validated, item.needs_resolution) for item in items
    )
    return [ItemCount(*parts, items) for parts, items in alike.items()]


def passings(
    items: Iterable[KnowledgeItem], faded: Iterable[tuple[str, datetime]], moments: Sequence[datetime]
) -> list[Passing]:
    """What became of items between each two moments; `faded`: which of them lost weight when."""
    met: set[tuple[int, Fate, LifeArea | None, str]] = set()

    def meet(fate: Fate, id: str, at: datetime | None, area: LifeArea | None = None) -> None:
        stretch = -1 if at is None else bisect_right(moments, at) - 1
        if 0 <= stretch < len(moments) - 1:
            met.add((stretch, fate, area, id))

    for item in items:
        meet(Fate.LEARNT, item.id, item.created_at, item.area)
        meet(Fate.ENDED, item.id, item.superseded_at)
        meet(Fate.ARCHIVED, item.id, item.archived_at)
        meet(Fate.DELETED, item.id, item.deleted_at)
    for id, at in faded:
        meet(Fate.FADED, id, at)
    return [Passing(*parts, items) for parts, items in Counter(key[:3] for key in met).items()]


def state_of(item: KnowledgeItem) -> str:
    if item.deleted_at is not None:
        return "deleted"
    if item.superseded_at is not None:
        return "superseded"
    return "current" if item.archived_at is None else "archived"


def is_due(job: Job, now: datetime) -> bool:
    return (at := due_at(job)) is not None and at <= now


def due_at(job: Job) -> datetime | None:
    """When somebody may take it next; a dead one never."""
    match job.state:
        case JobState.WAITING:
            return job.due_at
        case JobState.RUNNING:
            return job.lease_until
        case JobState.DEAD:
            return None


def free_jobs(jobs: Iterable[Job], busy: Collection[Scope]) -> list[Job]:
    """The first job of each scope in which nothing else is done."""
    first: dict[Scope, Job] = {}
    for job in jobs:
        if job.scope not in busy:
            first.setdefault(job.scope, job)
    return list(first.values())


def ids_like(rows: Iterable[str], fragment: str, limit: int) -> list[str]:
    """Ids that start or end with the fragment, in order."""
    return [id for id in sorted(rows) if id.startswith(fragment) or id.endswith(fragment)][:limit]


def order_of(row: Unembedded) -> tuple[str, str, str, str]:
    return (row.scope.tenant, row.scope.user, row.kind, row.id)


def summed(uses: Iterable[Use]) -> list[Use]:
    """One row for each day, task and model, in that order."""
    sums: dict[tuple[date, str, str], Use] = {}
    for use in uses:
        key = (use.day, use.task, use.model)
        held = sums.get(key)
        sums[key] = use if held is None else added(held, use)
    return [sums[key] for key in sorted(sums)]


def added(one: Use, other: Use) -> Use:
    return replace(
        one,
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
    )
