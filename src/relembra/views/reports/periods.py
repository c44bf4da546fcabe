"""The stretches of time a report covers: weeks and months on a person's own clock, and what each is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID, uuid5

from relembra.domain.message import Note, NoteKind
from relembra.domain.nights import at_hour
from relembra.domain.scope import Scope
from relembra.views.calendar import day_of

__all__ = ["Period", "before", "covering", "is_of_period", "note_id", "period_of"]

_DAY = timedelta(days=1)
_LAST_MOMENT = timedelta(microseconds=1)
_NAMES = UUID("6f0a4c1e-93f5-4d07-9a52-3f1f6f3f0c11")
_PERIODIC = (NoteKind.WEEKLY, NoteKind.MONTHLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A week from Monday to Sunday, or a month, where somebody lives."""

    kind: NoteKind
    first: date
    last: date
    zone: str

    @property
    def start(self) -> datetime:
        return at_hour(self.first, 0, self.zone)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return at_hour(self.last + _DAY, 0, self.zone)

    @property
    def last_moment(self) -> datetime:
        return self.end - _LAST_MOMENT

    @property
    def days(self) -> list[date]:
        return [self.first + _DAY * number for number in range((self.last - self.first).days + 1)]

    @property
    def name(self) -> str:
        """2026-W46 or 2026-11."""
        if self.kind is NoteKind.WEEKLY:
            year, week, _ = self.first.isocalendar()
            return f"{year}-W{week:02d}"
        return f"{self.first:%Y-%m}"

    def day(self, moment: datetime) -> date:
        """The day a moment is of, there."""
        return day_of(moment, self.zone).date()


def covering(kind: NoteKind, day: date, zone: str) -> Period:
    """The week or month a day lies in."""
    if kind is NoteKind.WEEKLY:
        first = day - _DAY * day.weekday()
        return Period(kind=kind, first=first, last=first + _DAY * 6, zone=zone)
    if kind is NoteKind.MONTHLY:
        first = day.replace(day=1)
        return Period(kind=kind, first=first, last=(first + _DAY * 31).replace(day=1) - _DAY, zone=zone)
    raise ValueError(f"a note of kind {kind} covers no period")


def before(kind: NoteKind, moment: datetime, zone: str) -> Period:
    """The last week or month that was over at a moment."""
    return covering(kind, covering(kind, day_of(moment, zone).date(), zone).first - _DAY, zone)


def note_id(scope: Scope, kind: NoteKind, name: str) -> str:
    """The id the note of a period or an appointment has, so that there is never a second one."""
    return str(uuid5(_NAMES, "\x1f".join((scope.tenant, scope.user, kind.value, name))))


def is_of_period(note: Note) -> bool:
    return note.kind in _PERIODIC


def period_of(note: Note, zone: str = "+00:00") -> Period:
    """The period a report covers: as its id says, whatever the clock it was made by, else by when it happened."""
    by_clock = covering(note.kind, day_of(note.happened_at, zone).date(), zone)
    fitting = (one for one in _near(note, zone) if note_id(note.scope, note.kind, one.name) == note.id)
    return next(fitting, by_clock)


def _near(note: Note, zone: str) -> Iterator[Period]:
    day = note.happened_at.date()
    for other in (day, day - _DAY, day + _DAY):
        yield covering(note.kind, other, zone)
