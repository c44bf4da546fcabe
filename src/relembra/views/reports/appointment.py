"""What to tell a doctor, dentist, therapist or nutritionist: gathered from what was said, each line with its day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from relembra.domain.attributes import FORMER
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.policy import ConfidencePolicy
from relembra.recall.rendering import doubts
from relembra.views.calendar import day_of
from relembra.views.held import is_claim, said
from relembra.views.reports.appointment_words import WORDS
from relembra.views.reports.complaints import Heard, Mention
from relembra.views.reports.material import Feeling, Tone, tone_of
from relembra.views.reports.professions import Profession
from relembra.views.reports.words import WEEKDAYS, bare, full_day, quoted

__all__ = ["MEASURED", "Visit", "appointment", "appointment_title"]

MEASURED = ("weight", "height", "blood_type")
_SURE_FROM = ConfidencePolicy().medium
_MOST_VALUES = 6  # of one measure
_ALLERGIES = ("allergy", "intolerance")
_SLEEP = ("bedtime", "wake_time")
_KNOWN = frozenset({*MEASURED, *_ALLERGIES, *_SLEEP, "medication", "condition", "diet", "emotion"})

_ORDER = (
    *("symptoms", "questions", "medication", "allergies", "conditions", "changes", "measures", "diet", "sleep"),
    *("moods", "other"),
)
_ORDER_OF_FEELINGS = (
    *("moods", "sleep", "questions", "symptoms", "changes", "medication", "conditions", "allergies", "measures"),
    *("diet", "other"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What an appointment note is made of. Items: the owner's about health, ended ones too; nothing deleted."""

    profession: Profession
    language: str
    zone: str
    now: datetime
    called: str | None = None  # the professional in the person's own words, where no profession of ours fits
    at: datetime | None = None  # when the appointment is
    is_whole_day: bool = True  # the hour is not known
    item: KnowledgeItem | None = None  # what was said of it
    last: date | None = None  # the one before
    since: datetime  # what is read reaches back to here
    items: tuple[KnowledgeItem, ...] = ()
    feelings: tuple[Feeling, ...] = ()
    heard: Heard = field(default_factory=Heard)  # in what they said since then

    def day(self, moment: datetime) -> date:
        return day_of(moment, self.zone).date()

    @property
    def told(self) -> tuple[KnowledgeItem, ...]:
        """All items the note may quote, each once."""
        further = [feeling.item for feeling in self.feelings] + ([] if self.item is None else [self.item])
        return tuple({item.id: item for item in (*self.items, *further)}.values())

    @property
    def sources(self) -> tuple[str, ...]:
        """The messages it quotes, and those behind what is known, so that forgetting them finds the note."""
        return tuple(dict.fromkeys([*self.quotes, *(id for item in self.told for id in item.message_ids)]))

    @property
    def quotes(self) -> tuple[str, ...]:
        """The messages whose words it may give."""
        return tuple(dict.fromkeys(mention.of for mention in self.heard.mentions))


def appointment_title(visit: Visit) -> str:
    words = WORDS[visit.language]
    name = visit.profession.called[visit.language] if visit.called is None else bare(visit.called)
    if visit.at is None:
        return words["title"].format(name=name)
    return words["title_on"].format(name=name, day=full_day(visit.day(visit.at), visit.language))


def appointment(visit: Visit, *, lines: int) -> str:
    """The note in Markdown; `lines`: the most each part shows."""
    words = WORDS[visit.language]
    mine = [item for item in visit.items if item.subject == SELF and not is_claim(item)]
    parts: dict[str, Callable[[], list[str]]] = {
        "symptoms": lambda: _symptoms(visit),
        "questions": lambda: [_said(mention, visit) for mention in visit.heard.questions],
        "medication": lambda: _medication(mine, visit),
        "allergies": lambda: _held(mine, _ALLERGIES, visit),
        "conditions": lambda: _held(mine, ("condition",), visit),
        "changes": lambda: _changes(mine, visit),
        "measures": lambda: _measures(mine, visit),
        "diet": lambda: _held(mine, ("diet",), visit),
        "sleep": lambda: _sleep(mine, visit),
        "moods": lambda: _moods(visit),
        "other": lambda: _others(mine, visit),
    }
    since = full_day(visit.last or visit.day(visit.since), visit.language)
    told = [f"*{words['made_of'].format(day=full_day(visit.day(visit.now), visit.language))}*", _about(visit)]
    found = False
    for name in _ORDER_OF_FEELINGS if visit.profession.feelings_first else _ORDER:
        if rows := parts[name]():
            found = True
            told.append(f"## {words[name].format(day=since)}\n\n" + "\n".join(_capped(rows, lines, visit.language)))
    if not found:
        told.append(words["nothing"])
    return "\n\n".join(told) + "\n"


def _about(visit: Visit) -> str:
    """When it is, what was said of it, and when the last one was."""
    words, rows = WORDS[visit.language], []
    if visit.at is not None:
        here = day_of(visit.at, visit.zone)
        when = f"{WEEKDAYS[visit.language][here.weekday()]}, {full_day(here.date(), visit.language)}"
        rows.append(f"- {words['when'].format(when=when if visit.is_whole_day else f'{when}, {here:%H:%M}')}")
    if visit.item is not None:
        rows.append(_line(visit.item, visit))
    reaches = full_day(visit.last or visit.day(visit.since), visit.language)
    rows.append(f"- {words['last' if visit.last else 'no_last'].format(day=reaches)}")
    return f"## {words['appointment']}\n\n" + "\n".join(rows)


def _symptoms(visit: Visit) -> list[str]:
    """Each complaint in its fullest words, since when, how often it was told, and whether it is over."""
    words, rows = WORDS[visit.language], []
    for one in visit.heard.symptoms:
        last = one.mentions[-1]
        day = full_day(last.day, visit.language)
        shown = max(one.mentions, key=lambda mention: (not mention.is_over, len(mention.text), mention.day))
        marks = [words["since"].format(day=full_day(one.since, visit.language))] if one.since != shown.day else []
        if len(one.mentions) > 1:
            marks.append(words["told"].format(count=len(one.mentions), day=day))
        if last.is_over:
            marks.append(words["over"].format(day=day))
        rest = f" ({'; '.join(marks)})" if marks else ""
        rows.append(f"- **{one.called(visit.language)}**: {_said(shown, visit)[2:]}{rest}")
    return rows


def _medication(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """What is taken with its dose, each with the doses before it; then what was stopped since the last time."""
    words, rows = WORDS[visit.language], []
    for item in _current(mine, ("medication",), visit):
        before = [old for old in mine if old.superseded_by == item.id and old.attribute == "medication"]
        doses = [f"{quoted(said(old))} [{_day(old, visit)}]" for old in sorted(before, key=_age)]
        rows.append(" → ".join([*doses, _line(item, visit)[2:]]))
    rows = [f"- {row}" for row in rows]
    ended = [item for item in mine if item.attribute == f"{FORMER}medication" and item.created_at >= visit.since]
    rows += [f"- {words['stopped'].format(text=_line(item, visit)[2:])}" for item in sorted(ended, key=_age)]
    return rows


def _changes(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """What took the place of something else since the last time, and what is new; measures are told apart."""
    words = WORDS[visit.language]
    by_id = {item.id: item for item in mine}
    rows: list[tuple[datetime, str]] = []
    replacing: set[str] = set()
    for old in mine:
        new = by_id.get(old.superseded_by or "")
        if old.attribute in MEASURED:
            continue
        if new is not None and old.superseded_at is not None and old.superseded_at >= visit.since:
            replacing.add(new.id)
            when = full_day(visit.day(old.superseded_at), visit.language)
            rows.append((old.superseded_at, f"- {quoted(old.content)} → {quoted(new.content)} [{when}]"))
    shown = ("medication", "condition", *_ALLERGIES, "diet")
    rows += [
        (item.created_at, f"- {words['new'].format(text=_line(item, visit)[2:])}")
        for item in _current(mine, shown, visit)
        if item.created_at >= visit.since and item.id not in replacing and visit.last is not None
    ]
    return [row for _, row in sorted(rows)]


def _measures(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """Each measure over time, as known or as told in passing."""
    words, rows = WORDS[visit.language], []
    for name in MEASURED:
        known = sorted((item for item in mine if item.attribute == name), key=lambda item: (item.held_from, item.id))
        if known:
            course = [f"{quoted(said(item))} [{_measured_on(item, visit)}]" for item in known[-_MOST_VALUES:]]
            rows.append(f"- {words[name]}: {' → '.join(course)}")
    for name, mentions in visit.heard.measures.items():
        told = [_said(mention, visit)[2:] for mention in mentions[-_MOST_VALUES:]]
        rows.append(f"- {words[name]}: {'; '.join(told)}")
    return rows


def _sleep(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    return [*_held(mine, _SLEEP, visit), *(_said(mention, visit) for mention in visit.heard.sleep[-_MOST_VALUES:])]


def _moods(visit: Visit) -> list[str]:
    """On how many days hard and glad feelings were told, then the feelings themselves, the newest first."""
    words = WORDS[visit.language]
    counts = []
    for name, tone in (("hard", Tone.HARD), ("glad", Tone.GLAD)):
        days = {feeling.day for feeling in visit.feelings if tone_of(feeling.item) is tone}
        if days:
            counts.append(words[name if len(days) > 1 else f"{name}_one"].format(count=len(days)))
    newest: dict[str, date] = {}
    for feeling in visit.feelings:
        text = said(feeling.item)
        newest[text] = max(feeling.day, newest.get(text, feeling.day))
    ordered = sorted(newest.items(), key=lambda pair: (-pair[1].toordinal(), pair[0]))
    rows = [f"- {quoted(text)} [{full_day(day, visit.language)}]" for text, day in ordered]
    return [f"- {'; '.join(counts)}", *rows] if counts else rows


def _others(mine: Sequence[KnowledgeItem], visit: Visit) -> list[str]:
    """What was learnt about health since the last time that no other part tells; complaints are told as symptoms."""
    told = {mention.of for mention in visit.heard.mentions}
    rest = [
        item
        for item in mine
        if item.area in (LifeArea.HEALTH, LifeArea.MENTAL_HEALTH)
        and item.type not in (KnowledgeType.EMOTION, KnowledgeType.INSIGHT)
        and (item.attribute or "").removeprefix(FORMER) not in _KNOWN
        and item.created_at >= visit.since
        and item.superseded_at is None
        and not (item.attribute is None and told & set(item.message_ids))
    ]
    return [_line(item, visit) for item in sorted(rest, key=_age)]


def _held(mine: Sequence[KnowledgeItem], attributes: Sequence[str], visit: Visit) -> list[str]:
    return [_line(item, visit) for item in _current(mine, attributes, visit)]


def _current(mine: Sequence[KnowledgeItem], attributes: Sequence[str], visit: Visit) -> list[KnowledgeItem]:
    return sorted((item for item in mine if item.attribute in attributes and item.is_current(visit.now)), key=_age)


def _age(item: KnowledgeItem) -> tuple[datetime, str]:
    return (item.created_at, item.id)


def _line(item: KnowledgeItem, visit: Visit) -> str:
    marks = [_day(item, visit), *doubts(item, visit.language, sure_from=_SURE_FROM)]
    return f"- {quoted(item.content)} [{', '.join(marks)}]"


def _day(item: KnowledgeItem, visit: Visit) -> str:
    return full_day(visit.day(min(item.held_from, item.created_at)), visit.language)


def _measured_on(item: KnowledgeItem, visit: Visit) -> str:
    return full_day(day_of(item.held_from, item.zone).date(), visit.language)


def _said(mention: Mention, visit: Visit) -> str:
    return f"- {quoted(mention.text)} [{full_day(mention.day, visit.language)}]"


def _capped(rows: list[str], lines: int, language: str) -> list[str]:
    left = len(rows) - lines
    return [*rows[:lines], f"- {WORDS[language]['more'].format(count=left)}"] if left > 0 else rows
