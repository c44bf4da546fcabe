"""What happened, as lines of a page: notes and events under the days they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo

from relembra import KnowledgeItem, Moment, Note
from relembra.domain.message import NoteKind
from relembra.domain.text import fold
from relembra.interfaces.web.markdown import opening
from relembra.interfaces.web.rendering import AREAS, NO_AREA

LONGEST_SUMMARY = 320
ICONS = {
    NoteKind.CONVERSATION: "messages-square",
    NoteKind.TOPIC_CLUSTER: "layers",
    NoteKind.SESSION: "message-circle",
    NoteKind.APPOINTMENT: "calendar-days",
    NoteKind.WEEKLY: "notebook-text",
    NoteKind.MONTHLY: "notebook-text",
    NoteKind.DOCUMENT: "file-text",
}
_TIMELESS = (NoteKind.TOPIC_CLUSTER, NoteKind.WEEKLY, NoteKind.MONTHLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One line: a note, or an event, which is an item."""

    at: datetime
    has_hour: bool  # whether its hour says anything
    is_to_come: bool
    icon: str
    colour: str = ""  # the area of an event
    kind: str = ""  # the kind of a note
    address: str
    title: str
    summary: str = ""
    people: tuple[str, ...] = ()
    space: str | None = None


@dataclass(slots=True)
class Day:
    """A day and what happened on it; headings that stand on the page already are not repeated."""

    day: date
    starts_day: bool
    starts_month: bool
    happenings: list[Happening] = field(default_factory=list)


def by_day(
    moments: Sequence[Moment], *, zone: tzinfo, now: datetime, user: str, shown: date | None = None
) -> list[Day]:
    """Moments, newest first, under their days; `shown`: the last day already on the page, which these go on from."""
    days: list[Day] = []
    before = shown
    for moment in moments:
        day = moment.at.astimezone(zone).date()
        if not days or days[-1].day != day:
            is_new_month = before is None or (before.year, before.month) != (day.year, day.month)
            days.append(Day(day, day != before, is_new_month))
            before = day
        days[-1].happenings.append(happening(moment, zone=zone, now=now, user=user))
    return days


def happening(moment: Moment, *, zone: tzinfo, now: datetime, user: str) -> Happening:
    if moment.note is not None:
        return _noted(moment.note, now, user)
    assert moment.item is not None, "a moment is a note or an item"
    return _event(moment.item, zone, now)


def _noted(note: Note, now: datetime, user: str) -> Happening:
    return Happening(
        at=note.happened_at,
        has_hour=note.kind not in _TIMELESS,
        is_to_come=note.kind not in _TIMELESS and note.happened_at > now,
        icon=ICONS[note.kind],
        kind=note.kind,
        address=f"/notes/{note.id}",
        title=note.title,
        summary=_summary(note),
        people=tuple(name for name in note.participants if fold(name) != fold(user)),
        space=note.place.space,
    )


def _summary(note: Note) -> str:
    """The first paragraph; nothing where it only says the title again."""
    text = opening(note.summary, LONGEST_SUMMARY)
    return "" if fold(text).rstrip(" .!?…") == fold(note.title).rstrip(" .!?…") else text


def _event(item: KnowledgeItem, zone: tzinfo, now: datetime) -> Happening:
    at = item.held_from.astimezone(zone)
    return Happening(
        at=item.held_from,
        has_hour=(at.hour, at.minute) != (0, 0),
        is_to_come=item.held_from > now,
        icon=NO_AREA if item.area is None else AREAS[item.area],
        colour=item.area or "none",
        address=f"/item/{item.id}",
        title=item.content,
        space=item.place.space,
    )
