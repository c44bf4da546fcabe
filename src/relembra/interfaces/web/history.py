"""History: what happened on which day, and the memory as it was one day."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from starlette.responses import Response

from relembra.domain.knowledge import KnowledgeItem, LifeArea
from relembra.domain.message import NoteKind
from relembra.domain.text import fold
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.web.visits import DAY, Paging, Period, Visit, get, read_day, start_of
from relembra.views.timeline import Moment

MOMENTS = 40
ITEMS = 30


# ── timeline ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Day:
    """A day and what happened on it; headings that are on the page already are not repeated."""

    day: date
    starts_day: bool
    starts_month: bool
    moments: list[Moment] = field(default_factory=list)


@get("/history")
async def timeline(visit: Visit) -> Response:
    """Notes and events under their days, newest first; with `kind`, the notes of one kind."""
    kind, paging = visit.chosen("kind", NoteKind), Paging(visit, MOMENTS)
    try:
        period, wrong = Period.read(visit.asked("from"), visit.asked("to")), False
        shown = read_day(visit.asked("shown")) if visit.is_fragment else None
    except InvalidInputError:
        period, wrong, shown = Period(), True, None
    moments: Sequence[Moment]
    if kind:
        notes = await visit.memory.notes(kind=kind, **paging.portion, **visit.whose)
        moments, onward = [Moment(at=note.happened_at, note=note) for note in notes], notes.next
    else:
        since, until = period.since(visit.zone), period.until(visit.zone)
        listing = await visit.memory.timeline(since=since, until=until, **paging.portion, **visit.whose)
        moments, onward = listing, listing.next
    days = by_day(moments, zone=visit.zone, shown=shown)
    return visit.page(
        "history.html",
        days=days,
        more=paging.more(onward, shown=days[-1].day.isoformat()) if days else None,
        kind=kind or "",
        period=period,
        wrong=wrong,
        others=lambda names: [name for name in names if fold(name) != fold(visit.user)],
    )


def by_day(moments: Sequence[Moment], *, zone: tzinfo, shown: date | None = None) -> list[Day]:
    """Moments, newest first, under their days; `shown`: the last day already on the page."""
    days: list[Day] = []
    before = shown
    for moment in moments:
        day = moment.at.astimezone(zone).date()
        if not days or days[-1].day != day:
            is_new_month = before is None or (before.year, before.month) != (day.year, day.month)
            days.append(Day(day, day != before, is_new_month))
            before = day
        days[-1].moments.append(moment)
    return days


# ── one day ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Then(NamedTuple):
    """An item as it was believed on a day, and what became of it since: deleted, replaced, archived or nothing."""

    item: KnowledgeItem
    fate: str
    at: datetime | None
    successor: KnowledgeItem | None


@get("/history/day")
async def day(visit: Visit) -> Response:
    """What was believed when a day ended, and what became of it."""
    try:
        chosen_day, wrong = min(read_day(visit.asked("on")) or visit.today, visit.today), False
    except InvalidInputError:
        chosen_day, wrong = visit.today, True
    area, paging = visit.chosen("area", LifeArea), Paging(visit, ITEMS)
    moment = min(start_of(chosen_day + DAY, visit.zone) - timedelta(microseconds=1), visit.now)
    as_of = moment if chosen_day < visit.today else None  # what is believed now is counted already
    listing = await visit.memory.list(as_of=as_of, area=area, **paging.portion, **visit.whose)

    async def then(item: KnowledgeItem) -> Then:
        fate, at = fate_after(item, moment)
        with suppress(NotFoundError):
            if fate == "replaced" and item.superseded_by is not None:
                return Then(item, fate, at, await visit.memory.get(item.superseded_by, **visit.whose))
        return Then(item, fate, at, None)

    return visit.page(
        "history_day.html",
        day=chosen_day,
        wrong=wrong,
        area=area,
        counts=await visit.memory.count(as_of=as_of, **visit.whose),
        items=[await then(item) for item in listing],
        more=paging.more(listing.next),
        steps={"week_before": -7 * DAY, "day_before": -DAY, "day_after": DAY, "week_after": 7 * DAY},
    )


def fate_after(item: KnowledgeItem, moment: datetime) -> tuple[str, datetime | None]:
    """What happened to an item after a moment, the last word first; and when."""
    for fate, at in (("deleted", item.deleted_at), ("replaced", item.superseded_at), ("archived", item.archived_at)):
        if at is not None and at > moment:
            return fate, at
    return "", None
