"""Weekly and monthly reports: the period, what is read of it, and its text in Markdown in the person's language.

A part with nothing to say is left out.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import IntEnum
from uuid import UUID, uuid5

from relembra.domain.jobs import at_hour
from relembra.domain.knowledge import ENDS_A_GOAL, SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Note, NoteKind
from relembra.domain.scope import Scope
from relembra.domain.text import LONGEST_TEXT_BYTES, fold, visible_line
from relembra.locale import Words
from relembra.views.profile import is_hard_feeling, said_as
from relembra.views.timeline import (
    area_name,
    bare,
    birthday_of,
    capped,
    counted,
    day,
    day_of,
    full_day,
    is_goal,
    item_line,
    month_name,
    planned_for,
    quoted,
    said,
    span,
)

_DAY = timedelta(days=1)
_LAST_MOMENT = timedelta(microseconds=1)
_NAMES = UUID("6f0a4c1e-93f5-4d07-9a52-3f1f6f3f0c11")
_NOT_YAML = dict.fromkeys((0xFFFE, 0xFFFF))
_PERIODIC = (NoteKind.WEEKLY, NoteKind.MONTHLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A week from Monday to Sunday, or a month, where someone lives."""

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
    happened = note.happened_at.date()
    near = (covering(note.kind, other, zone) for other in (happened, happened - _DAY, happened + _DAY))
    fitting = (one for one in near if note_id(note.scope, note.kind, one.name) == note.id)
    return next(fitting, None) or covering(note.kind, day_of(note.happened_at, zone).date(), zone)


Pair = tuple[KnowledgeItem, KnowledgeItem]
"""An older item and a newer one."""


class Tone(IntEnum):
    HARD = -1
    NEITHER = 0
    GLAD = 1


@dataclass(frozen=True, slots=True)
class Feeling:
    """A feeling told on a day."""

    day: date
    item: KnowledgeItem


@dataclass(frozen=True, slots=True, order=True)
class Coming:
    """Something of a day to come: what was said of it, or whose birthday it is (None: the owner's)."""

    day: date
    text: str
    birthday_of: str | None = None
    is_birthday: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All of one period that a report tells of; nothing deleted or forgotten is in it."""

    period: Period
    language: str
    now: datetime
    notes: tuple[Note, ...] = ()  # of talk, not of other reports
    items: tuple[KnowledgeItem, ...] = ()  # learnt in it, also those that have ended since
    said_on: Mapping[str, date] = field(default_factory=dict)  # the day an item was said, where that is in the period
    changed: tuple[Pair, ...] = ()
    questions: tuple[Pair, ...] = ()  # that only the person can settle
    feelings: tuple[Feeling, ...] = ()
    goals_again: tuple[KnowledgeItem, ...] = ()  # older ones that were said again
    goals_open: int = 0
    ties: Mapping[str, str] = field(default_factory=dict)  # what someone is to the owner, by name
    coming: tuple[Coming, ...] = ()
    messages: int = 0  # of the person
    conversations: int = 0
    more: bool = False  # there were more than were read

    @property
    def words(self) -> Words:
        return Words(self.language, "reports")

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened in the period; what is open or to come is no news."""
        return not (self.notes or self.items or self.changed or self.feelings or self.goals_again or self.messages)

    def day_of(self, item: KnowledgeItem) -> date:
        """The day an item was said within the period; else the day it was learnt."""
        return self.said_on.get(item.id) or self.period.day(item.created_at)

    @property
    def insights(self) -> list[KnowledgeItem]:
        return [item for item in self.items if item.type is KnowledgeType.INSIGHT]

    @property
    def told(self) -> tuple[KnowledgeItem, ...]:
        """All items the report may quote, each once."""
        pairs = [item for pair in (*self.changed, *self.questions) for item in pair]
        feelings = [feeling.item for feeling in self.feelings]
        return tuple({item.id: item for item in (*self.items, *pairs, *self.goals_again, *feelings)}.values())

    @property
    def sources(self) -> tuple[str, ...]:
        """The messages behind what is told, so that forgetting them finds the report."""
        return tuple(dict.fromkeys(id for item in self.told for id in item.message_ids))


def tone_of(item: KnowledgeItem) -> Tone:
    """Whether a feeling is a hard or a glad one, as far as its words tell."""
    if is_hard_feeling(item):
        return Tone.HARD
    words = fold(said(item))
    is_glad = said_as("glad_feeling").search(words) and not said_as("denied").search(words)
    return Tone.GLAD if is_glad else Tone.NEITHER


def coming_of(
    planned: Iterable[KnowledgeItem], birthdays: Iterable[KnowledgeItem], *, first: date, last: date
) -> tuple[Coming, ...]:
    """What lies between two days, both included, the soonest first and each once."""
    found = {
        Coming(planned_day, item.content)
        for item in planned
        if (planned_day := planned_for(item)) is not None and first <= planned_day <= last
    }
    for item in birthdays:
        birthday = birthday_of(item)
        if birthday is not None and birthday.next(first) <= last:
            name = None if item.subject == SELF else item.person.get("name") or item.subject
            found.add(Coming(birthday.next(first), name or "", name, is_birthday=True))
    return tuple(sorted(found, key=lambda one: (one.day, one.is_birthday, one.text)))


# ── the text ──────────────────────────────────────────────────────────────────────────────────────────────────────

_QUIET_MESSAGES = 3  # in which nothing was learnt: a quiet time up to here


def report_title(period: Period, language: str) -> str:
    words = Words(language, "reports")
    if period.kind is NoteKind.WEEKLY:
        return words("weekly", span=span(period.first, period.last, language))
    name = month_name(period.first, language)
    return words("monthly", month=name[0].upper() + name[1:], year=period.first.year)


def report_text(material: Material, *, lines: int) -> str:
    """The report; of a month what happened is told week by week. `lines`: the most each part shows."""
    language, words = material.language, material.words
    changed = {item.id for pair in material.changed for item in pair}
    fresh = [item for item in material.items if item.id not in changed and not _has_own_heading(item)]
    fresh.sort(key=lambda item: (-item.weight, item.created_at, item.id))
    by_area = {area: [_line(item, material) for item in fresh if item.area is area] for area in (*LifeArea, None)}
    found = sorted(material.insights, key=lambda item: (-item.confidence, item.id))
    parts = {
        "happened": _happened(material, lines),
        "learnt": _headed(
            {area_name(area, language): capped(rows, lines, language) for area, rows in by_area.items() if rows}
        ),
        "changed": capped([_change(old, new, material) for old, new in material.changed], lines, language),
        "questions": capped([_question(old, new, material) for old, new in material.questions], lines, language),
        "moods": capped(_moods(material), max(lines, 31), language),
        "goals": _goals(material, lines),
        "people": capped(_people(material), lines, language),
        "insights": capped([_insight(item, material) for item in found], lines, language),
        "coming": capped([_coming(one, material) for one in material.coming], lines, language),
    }
    blocks = [f"## {words(name)}\n\n" + "\n".join(inside) for name, inside in parts.items() if inside]
    return "\n\n".join([_opening(material), *blocks]) + "\n"


def _has_own_heading(item: KnowledgeItem) -> bool:
    """Whether it is shown under another heading than what was learnt."""
    apart = item.type in (KnowledgeType.EMOTION, KnowledgeType.INSIGHT)
    return apart or is_goal(item) or item.attribute in ENDS_A_GOAL


def _headed(parts: Mapping[str, list[str]]) -> list[str]:
    """Rows under headings of their own."""
    return [row for heading, rows in parts.items() for row in ("", f"### {heading}", "", *rows)][1:]


def _opening(material: Material) -> str:
    """The numbers in a sentence or two; where little happened, that."""
    language, words, kind = material.language, material.words, material.period.kind.value
    new = len(material.items)
    quiet = not new and not material.changed and material.messages <= _QUIET_MESSAGES and len(material.notes) <= 1
    numbers = []
    if material.messages:
        spoken = counted("message", material.messages, language, more=material.more)
        numbers.append(f"{spoken} ({counted('conversation', material.conversations, language)})")
    numbers.append(counted("learnt", new, language) if new else words("nothing_new"))
    further = (("change", material.changed), ("question", material.questions), ("insight", material.insights))
    numbers += [counted(thing, len(rows), language) for thing, rows in further if rows]
    opening = f"{words(f'quiet_{kind}' if quiet else f'full_{kind}')}: {', '.join(numbers)}."
    if material.now >= material.period.end:
        return opening
    return f"{opening} {words('so_far', day=full_day(material.period.day(material.now), language))}"


def _happened(material: Material, lines: int) -> list[str]:
    """The titles of the notes by day; of a month under the weeks they lie in."""
    language, words, period = material.language, material.words, material.period
    is_week = period.kind is NoteKind.WEEKLY
    most = lines if is_week else max(1, lines // 3)
    days: dict[date, dict[str, None]] = defaultdict(dict)
    for note in sorted(material.notes, key=lambda note: (note.happened_at, note.id)):
        days[period.day(note.happened_at)][note.title] = None
    weeks: dict[date, list[str]] = defaultdict(list)
    for when, titles in days.items():
        shown = [quoted(title) for title in list(titles)[:most]]
        shown += [words("more", count=len(titles) - most)] if len(titles) > most else []
        row = f"- **{day(when, language, weekday=is_week)}:** {'; '.join(shown)}"
        weeks[covering(NoteKind.WEEKLY, when, period.zone).first].append(row)
    if is_week:
        return [row for rows in weeks.values() for row in rows]
    spans = {first: (max(first, period.first), min(first + 6 * _DAY, period.last)) for first in weeks}
    return _headed({words("week", span=span(*spans[first], language)): rows for first, rows in weeks.items()})


def _line(item: KnowledgeItem, material: Material) -> str:
    return item_line(item, day(material.day_of(item), material.language), material.language)


def _change(old: KnowledgeItem, new: KnowledgeItem, material: Material) -> str:
    ended = material.period.day(old.superseded_at or new.created_at)
    when = day(material.said_on.get(new.id, ended), material.language)
    return f"{quoted(old.content)} → {quoted(new.content)} [{when}]"


def _question(old: KnowledgeItem, new: KnowledgeItem, material: Material) -> str:
    sides = (
        f"{quoted(item.content)} [{full_day(material.period.day(item.created_at), material.language)}]"
        for item in (old, new)
    )
    return f" {material.words('or')} ".join(sides) + "?"


def _moods(material: Material) -> list[str]:
    by_day: dict[date, Counter[str]] = defaultdict(Counter)
    for feeling in material.feelings:
        by_day[feeling.day][said(feeling.item)] += 1
    rows = []
    for when, feelings in sorted(by_day.items()):
        shown = [
            quoted(text) + (f" ({material.words('times', count=n)})" if n > 1 else "") for text, n in feelings.items()
        ]
        rows.append(f"{day(when, material.language, weekday=True)}: {', '.join(shown)}")
    return rows


def _goals(material: Material, lines: int) -> list[str]:
    groups = {
        "achieved": [item for item in material.items if item.attribute == "achieved"],
        "dropped": [item for item in material.items if item.attribute == "dropped_goal"],
        "new": [item for item in material.items if is_goal(item) and item.superseded_at is None],
        "again": material.goals_again,
    }
    rows: list[str] = []
    for name, inside in groups.items():
        ordered = sorted(inside, key=lambda item: (item.created_at, item.id))
        told = [f"{material.words(name)}: {_line(item, material)}" for item in ordered]
        rows += capped(told, lines, material.language)
    if rows and material.goals_open:
        rows += ["", material.words("open", count=material.goals_open)]
    return rows


def _people(material: Material) -> list[str]:
    """Who was spoken of, the most first, with what they are to the owner and how many things were learnt of them."""
    times: Counter[str] = Counter()
    names: dict[str, str] = {}
    for item in material.items:
        name = item.subject if item.subject != SELF else item.person.get("name", "")
        if name:
            names.setdefault(fold(name), item.person.get("name") or name)
            times[fold(name)] += 1
    rows = []
    for key, count in sorted(times.items(), key=lambda pair: (-pair[1], pair[0])):
        tie = material.ties.get(key)
        relation = f" ({quoted(tie)})" if tie and fold(tie) != key else ""
        often = f" · {material.words('times', count=count)}" if count > 1 else ""
        rows.append(f"{quoted(names[key])}{relation}{often}")
    return rows


def _insight(item: KnowledgeItem, material: Material) -> str:
    resting = f" — {material.words('evidence', text=quoted(item.evidence))}" if item.evidence else ""
    return _line(item, material) + resting


def _coming(one: Coming, material: Material) -> str:
    text, name = quoted(one.text), one.birthday_of
    if one.is_birthday:
        text = material.words("own_birthday") if name is None else material.words("birthday", name=quoted(name))
    return f"{day(one.day, material.language, weekday=True)}: {text}"


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────

LONGEST_SLUG = 60


def as_markdown(note: Note, *, zone: str = "+00:00") -> dict[str, bytes]:
    """It as a file, by its name: 2026-W46.md. `zone`: the clock its day is told by; a report's own name needs none."""
    head = {
        "title": note.title,
        "date": _day(note, zone).isoformat(),
        "kind": note.kind.value,
        "participants": list(note.participants),
        "id": note.id,
        "space": note.place.space,
    }
    said = [quoted(line, LONGEST_TEXT_BYTES) for line in note.summary.splitlines() if line.strip()]
    body = note.summary.strip() if is_markdown(note) else "\n".join(said)
    text = "\n".join([*front_matter(head), f"# {bare(note.title)}", "", body, ""])
    return {f"{file_stem(note, zone=zone)}.md": text.encode()}


def front_matter(values: Mapping[str, str | list[str] | None]) -> list[str]:
    """The lines before a document that say what it is, each value on one line in quotation marks, as YAML reads it."""
    told = {name: _one_line(value) for name, value in values.items() if value is not None}
    return ["---", *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in told.items()), "---", ""]


def _one_line(value: str | list[str]) -> str | list[str]:
    if isinstance(value, list):
        return [visible_line(one).translate(_NOT_YAML) for one in value]
    return visible_line(value).translate(_NOT_YAML)


def is_markdown(note: Note) -> bool:
    """Whether its summary was written as Markdown by us; any other summary is text someone may have said."""
    return is_of_period(note) or note.kind is NoteKind.APPOINTMENT


def file_stem(note: Note, *, zone: str = "+00:00") -> str:
    """What its files are called, without an ending: the period of a report, else the day and the title."""
    if is_of_period(note):
        return period_of(note, zone).name
    return f"{_day(note, zone).isoformat()}-{slug(note.title) or note.kind.value}"


def slug(text: str) -> str:
    """The text as part of a file's name on any system."""
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")[:LONGEST_SLUG].strip("-")


def _day(note: Note, zone: str) -> date:
    if is_of_period(note):
        period = period_of(note, zone)
        return min(period.last, max(period.first, day_of(note.happened_at, zone).date()))
    return day_of(note.happened_at, zone).date()
