"""A memory looked at from above: how much is known of what, and what came and went over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from relembra.domain.jobs import at_hour, on_clock
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.errors import InvalidInputError

__all__ = ["MOST_STEPS", "STEPS", "Counts", "Moment", "OverTime", "Step", "stretches"]

STEPS = ("day", "week", "month")
MOST_STEPS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many items there are, in all and of each kind; what there is none of is left out."""

    total: int
    areas: Mapping[str | None, int]  # None: of no area
    types: Mapping[str, int]
    sources: Mapping[str, int]
    levels: Mapping[str, int]  # high, medium, low, doubtful, as the policy names them
    validated: int
    unresolved: int  # about which the person is being asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What came and went in a day, week or month."""

    start: date  # its first day: of a week the Monday
    learnt: Mapping[str | None, int] = field(default_factory=dict)  # by area, whatever became of it; None: of no area
    ended: int = 0  # superseded
    archived: int = 0
    deleted: int = 0
    faded: int = 0  # lost weight since no one said them again
    moods: Mapping[str, int] = field(default_factory=dict)  # how often feelings were told: glad, hard or neither


@dataclass(frozen=True, slots=True, kw_only=True)
class OverTime:
    """Steps without gaps, the oldest first."""

    step: str  # day, week or month
    zone: str  # the clock its days are of
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Something that happened: a note or an event, one of them."""

    at: datetime
    note: Note | None = None
    item: KnowledgeItem | None = None

    @property
    def id(self) -> str:
        """The note's or the item's."""
        row = self.note or self.item
        return "" if row is None else row.id


def stretches(first: datetime, last: datetime, step: str, zone: str) -> tuple[tuple[date, ...], tuple[datetime, ...]]:
    """The first days of the steps two moments and all between them lie in; and the moments these begin, and end."""
    if step not in STEPS:
        raise InvalidInputError(f"no step {step!r}; choose one of {', '.join(STEPS)}", field="step")
    longest = {"day": timedelta(days=1), "week": timedelta(weeks=1), "month": timedelta(days=31)}[step]

    def start(day: date) -> date:
        back = {"day": 0, "week": day.weekday(), "month": day.day - 1}[step]
        return day - timedelta(days=back)

    try:
        day, end = (start(on_clock(moment, zone).date()) for moment in (first, last))
        days = [day]
        while days[-1] < end and len(days) <= MOST_STEPS:
            days.append(start(days[-1] + longest))
        if len(days) > MOST_STEPS:
            told = f"more than {MOST_STEPS} steps; choose a longer one than {step!r}, or less time"
            raise InvalidInputError(told, field="step")
        moments = tuple(at_hour(one, 0, zone) for one in (*days, start(days[-1] + longest)))
    except OverflowError as exc:
        raise InvalidInputError("this time is beyond the calendar", field="since") from exc
    return tuple(days), moments
