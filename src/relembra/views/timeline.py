"""What is held and when: days and clocks as people write them, how reports word them, and what came and went."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from relembra.domain.jobs import at_hour, on_clock
from relembra.domain.knowledge import (
    ENDS_A_GOAL,
    FORMER,
    SELF,
    KnowledgeItem,
    KnowledgeType,
    LifeArea,
    is_state,
    told_beside,
)
from relembra.domain.message import Note
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import LONGEST_LINE, bare_words, escaped, fold
from relembra.domain.time import local
from relembra.errors import InvalidInputError
from relembra.locale import Words
from relembra.recall.rendering import LONG_MONTHS, MONTHS, doubts, short_date, unbracketed

_MONTH_OF = {
    fold(name): number
    for months in (*MONTHS.values(), *LONG_MONTHS.values())
    for number, name in enumerate(months, start=1)
} | {"sept": 9}
_NAMES = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?!\d)")
_WRITTEN = (
    _ISO,
    re.compile(r"^-?-?(?P<month>\d{2})-(?P<day>\d{2})$"),
    re.compile(r"\b(?P<first>\d{1,2})[/.](?P<second>\d{1,2})(?:[/.](?P<year>\d{4}))?(?![\d/.]\d)"),
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|o|º)?\s+(?:de |of )?(?P<name>{_NAMES})\b"
        r"(?:,?\s+(?:de )?(?P<year>\d{4}))?"
    ),
    re.compile(rf"\b(?P<name>{_NAMES})\.?\s+(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>\d{{4}}))?"),
)
_LEAP_YEAR = 2024

OLDEST = 130
"""Years no one outlives; a greater age was misread."""


@dataclass(frozen=True, slots=True, order=True)
class Birthday:
    """A day that comes round each year; the year of birth is often not known."""

    month: int
    day: int
    year: int | None = None

    def age(self, today: date) -> int | None:
        """Full years on a day; None without a year of birth, or with one that cannot be right."""
        if self.year is None:
            return None
        years = today.year - self.year - ((today.month, today.day) < (self.month, self.day))
        return years if 0 <= years <= OLDEST else None

    def next(self, today: date) -> date:
        """The next time it is kept, today included; 29 February is kept on 1 March in a common year."""
        kept = self._kept(today.year)
        return kept if kept >= today else self._kept(today.year + 1)

    def _kept(self, year: int) -> date:
        try:
            return date(year, self.month, self.day)
        except ValueError:
            return date(year, 3, 1)

    def __str__(self) -> str:
        """1990-03-15, or --03-15 without a year."""
        return f"{'-' if self.year is None else f'{self.year:04d}'}-{self.month:02d}-{self.day:02d}"


def read_birthday(text: str, *, language: str | None = None) -> Birthday | None:
    """The birthday a text names: 1990-03-15, 15/03/1990, "15 de março", "March 15, 1990"; None when it names none.

    Numbers are day first, but in English month first where both readings are possible.
    """
    small = fold(text)
    for pattern in _WRITTEN:
        if found := pattern.search(small):
            parts = found.groupdict()
            year = int(parts["year"]) if parts.get("year") else None
            if parts.get("first"):
                first, second = int(parts["first"]), int(parts["second"])
                if language == "en" and first <= 12:
                    return _birthday(first, second, year)
                return _birthday(second, first, year) or _birthday(first, second, year)
            month = _MONTH_OF[parts["name"]] if parts.get("name") else int(parts["month"])
            return _birthday(month, int(parts["day"]), year)
    return None


def birthday_of(item: KnowledgeItem) -> Birthday | None:
    """The birthday an item names, in its value or else in its words."""
    texts = (item.value or "", item.content)
    return next(filter(None, (read_birthday(text, language=item.language) for text in texts)), None)


def date_in(text: str | None) -> date | None:
    """The first date written as 2026-03-12; None without one."""
    found = _ISO.search(text or "")
    if found is None:
        return None
    try:
        return date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return None


def is_zone(name: str) -> bool:
    """Whether a name or offset is one clocks are known by."""
    if re.fullmatch(r"[+-]([01]\d|2[0-3]):[0-5]\d", name):
        return True
    try:
        ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return False
    return True


def day_of(moment: datetime, zone: str) -> datetime:
    """The moment on a clock; UTC where no one knows that clock."""
    return local(moment, zone if is_zone(zone) else "+00:00")


UNTOLD = "+00:00"
"""The clock of a server as much as of a person: where nothing else tells, it says nothing of them."""


def zone_lived_in(items: Iterable[KnowledgeItem], stated: str | None) -> str | None:
    """The clock someone lives by: the stated one where it is known, else that of what they said last."""
    if stated is not None and is_zone(stated):
        return stated
    last = max(items, key=lambda item: (item.created_at, item.id), default=None)
    return None if last is None or last.zone == UNTOLD else last.zone


def _birthday(month: int, day: int, year: int | None) -> Birthday | None:
    try:
        date(year or _LEAP_YEAR, month, day)
    except ValueError:
        return None
    return Birthday(month, day, year)


GOES_BY = ("nickname", "name")
Rank = tuple[float, float, str]


def held(items: Iterable[KnowledgeItem], now: datetime, *, speaker: str | None = None) -> list[KnowledgeItem]:
    """What is true now by the owner's own words, the most important first and each id once.

    Left out: what was deleted, superseded, archived, has expired or come to its end, what someone else claimed, a
    value that is only planned where one at a time is true, and words that stand beside what they put in doubt.
    `speaker`: a name the owner speaks under, where it is not their user name.
    """
    current: dict[str, KnowledgeItem] = {}
    for item in items:
        if not item.is_current(now) or (is_state(item.attribute, item.type) and item.is_planned(now)):
            continue
        tells_of_the_past = item.type is KnowledgeType.MEMORY or (item.attribute or "").startswith(FORMER)
        lasts = tells_of_the_past or item.held_until is None or item.held_until > now
        if lasts and not is_claim(item, speaker=speaker):
            current[item.id] = item
    beside = told_beside(current.values())
    return sorted((item for item in current.values() if item.id not in beside), key=by_importance)


def of_owner(items: Iterable[KnowledgeItem]) -> list[KnowledgeItem]:
    """Those about the owner of the memory, in the order given."""
    return [item for item in items if item.subject == SELF]


def is_claim(item: KnowledgeItem, *, speaker: str | None = None) -> bool:
    """Whether someone other than the owner said it; what people say of themselves is no claim."""
    if item.speaker is None:
        return False
    owner_names = {fold(item.scope.user)} | ({fold(speaker)} if speaker else set())
    said_by = fold(item.speaker)
    return said_by not in owner_names and said_by != fold(item.subject)


def by_importance(item: KnowledgeItem) -> Rank:
    """A key that sorts by weight, then the newest, then id, so that an order never depends on how items came."""
    return (-item.weight, -item.held_from.timestamp(), item.id)


def newest(items: Iterable[KnowledgeItem], attribute: str, now: datetime) -> KnowledgeItem | None:
    """The item of an attribute that holds now: what the person confirmed first, then the one begun last."""
    begun = [item for item in items if item.attribute == attribute and item.held_from <= now]
    return max(begun, key=lambda item: (item.validated, item.held_from, item.id), default=None)


def called(items: Iterable[KnowledgeItem], now: datetime) -> str | None:
    """The name the owner goes by: what they want to be called, else the name they gave."""
    mine = of_owner(held(items, now))
    stated = (newest(mine, attribute, now) for attribute in GOES_BY)
    return next((item.value for item in stated if item is not None and item.value), None)


def next_turn(items: Iterable[KnowledgeItem], now: datetime) -> datetime:
    """When the first of some items begins to hold, ends or expires: until then time alone makes no view another."""
    moments = (moment for item in items for moment in (item.held_from, item.held_until, item.expires_at))
    return min((one for one in moments if one is not None and one > now), default=datetime.max.replace(tzinfo=UTC))


def said(item: KnowledgeItem) -> str:
    """Its value in few words where it has one, else its sentence."""
    return item.value or item.content


def without(items: Iterable[KnowledgeItem], used: Sequence[KnowledgeItem]) -> list[KnowledgeItem]:
    """Those not used yet, in the order given."""
    ids = {item.id for item in used}
    return [item for item in items if item.id not in ids]


DATED = ("meeting", "deadline", "contract", "event")
"""Attributes of things planned for a day."""


def planned_for(item: KnowledgeItem) -> date | None:
    """The day of something planned: as its words say, when it begins to hold, or when it ends or expires."""
    if item.attribute not in DATED:
        return None
    if (written := date_in(item.value) or date_in(item.content)) is not None:
        return written
    moments = (item.held_from, item.held_until, item.expires_at)
    return next((day_of(one, item.zone).date() for one in moments if one is not None and one > item.created_at), None)


def is_goal(item: KnowledgeItem) -> bool:
    """Whether it is a goal that is neither reached nor dropped."""
    return (item.type is KnowledgeType.GOAL or item.attribute == "goal") and item.attribute not in ENDS_A_GOAL


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


_SURE_FROM = ConfidencePolicy().medium
_MARKS = str.maketrans({"*": r"\*", "_": r"\_", "`": r"\`", "\\": r"\\", "|": r"\|", "~": r"\~", "$": r"\$"})


def quoted(text: str, limit: int = LONGEST_LINE) -> str:
    """Remembered text in quotation marks, with nothing in it that Markdown or HTML would act on."""
    return f"“{bare(bare_words(text), limit)}”"


def bare(text: str, limit: int = LONGEST_LINE) -> str:
    """The same without the quotation marks, for names."""
    return unbracketed(escaped(text, limit)).translate(_MARKS)


def counted(thing: str, count: int, language: str, *, more: bool = False) -> str:
    """3 messages, 1 mensagem; `more`: there are more than were counted."""
    words = Words(language, "reports")
    told = words("at_least", count=count) if more else str(count)
    return words(f"count.{thing}.{'one' if count == 1 and not more else 'many'}", count=told)


def area_name(area: LifeArea | None, language: str) -> str:
    return Words(language, "reports")(f"area.{area or 'none'}")


def short_weekday(of: date, language: str) -> str:
    """Mon or seg."""
    return Words(language, "formats")(f"weekday.short.{of.weekday()}")


def day(of: date, language: str, *, weekday: bool = False) -> str:
    """9 nov or Nov 9, with the day of the week where asked."""
    told = Words(language, "formats")("day", day=of.day, month=MONTHS[language][of.month - 1])
    return f"{short_weekday(of, language)}, {told}" if weekday else told


def full_day(of: date, language: str) -> str:
    """9 nov 2026 or Nov 9, 2026."""
    return short_date(datetime.combine(of, time()), language)


def long_day(of: date, language: str) -> str:
    """Tuesday, March 3, 2026, or terça-feira, 3 de março de 2026."""
    formats = Words(language, "formats")
    weekday = formats(f"weekday.{of.weekday()}")
    return formats("day.long", weekday=weekday, day=of.day, month=month_name(of, language), year=of.year)


def span(first: date, last: date, language: str) -> str:
    """2 a 8 de março de 2026, March 2–8, 2026; with both months or years where they differ."""
    month, last_month = month_name(first, language), month_name(last, language)
    key = "span.years" if first.year != last.year else "span.month" if month == last_month else "span.year"
    starts = {"first": first.day, "month": month, "year": first.year}
    ends = {"last": last.day, "last_month": last_month, "last_year": last.year}
    return Words(language, "formats")(key, **starts, **ends)


def month_name(of: date, language: str) -> str:
    """March or março."""
    return LONG_MONTHS[language][of.month - 1]


def item_line(item: KnowledgeItem, when: str, language: str) -> str:
    """An item with its day, and a mark where it is unsure or someone's claim."""
    marks = [when, *doubts(item, language, sure_from=_SURE_FROM)]
    return f"{quoted(item.content)} [{', '.join(marks)}]"


def capped(rows: Sequence[str], lines: int, language: str) -> list[str]:
    """The first so many rows as a list, and how many more there are."""
    left = len(rows) - lines
    shown = [*rows[:lines], *([Words(language, "reports")("more", count=left)] if left > 0 else [])]
    return [f"- {row}" for row in shown]
