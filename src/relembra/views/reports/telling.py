"""Weekly and monthly reports as Markdown, in the person's language; a part with nothing to say is left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import fold
from relembra.recall.rendering import doubts
from relembra.views.held import said
from relembra.views.reports.material import Material, areas_learnt, is_goal, learnt
from relembra.views.reports.periods import Period, covering
from relembra.views.reports.words import (
    AREAS,
    LONG_MONTHS,
    WORDS,
    counted,
    day,
    dotted,
    full_day,
    quoted,
    span,
)

__all__ = ["monthly", "titled", "told", "weekly"]

_SURE_FROM = ConfidencePolicy().medium
_LEAST = 3  # messages in which nothing was learnt are a quiet time up to here


def weekly(material: Material, *, lines: int) -> str:
    """The week's report; `lines`: the most each part shows, with a word on how many more there are."""
    return _told(material, _by_day(material, lines), lines)


def monthly(material: Material, *, lines: int) -> str:
    """The month's report: what happened is told week by week."""
    return _told(material, _by_week(material, lines), lines)


def told(material: Material, *, lines: int) -> str:
    """The report of whichever kind the period asks for."""
    return (weekly if material.period.kind is NoteKind.WEEKLY else monthly)(material, lines=lines)


def titled(period: Period, language: str) -> str:
    words = WORDS[language]
    if period.kind is NoteKind.WEEKLY:
        return words["weekly"].format(span=span(period.first, period.last, language))
    name = LONG_MONTHS[language][period.first.month - 1]
    return words["monthly"].format(month=name[0].upper() + name[1:], year=period.first.year)


def _told(material: Material, happened: list[str], lines: int) -> str:
    parts = {
        "happened": happened,
        "learnt": _learnt(material, lines),
        "changed": _changed(material, lines),
        "questions": _questions(material, lines),
        "moods": _moods(material, lines),
        "goals": _goals(material, lines),
        "people": _people(material, lines),
        "insights": _insights(material, lines),
        "coming": _coming(material, lines),
    }
    words = WORDS[material.language]
    told = [f"## {words[name]}\n\n" + "\n".join(inside) for name, inside in parts.items() if inside]
    return "\n\n".join([_opening(material), *told]) + "\n"


def _opening(material: Material) -> str:
    """The numbers in a sentence or two; where little happened, that."""
    language, words = material.language, WORDS[material.language]
    kind = material.period.kind.value
    new = len(material.items)
    quiet = not new and not material.changed and material.messages <= _LEAST and len(material.notes) <= 1
    spoken = counted("message", material.messages, language, more=material.more)
    numbers = [f"{spoken} ({counted('conversation', material.conversations, language)})" if material.messages else ""]
    numbers.append(counted("learnt", new, language) if new else words["nothing_new"])
    numbers += [
        counted(thing, count, language)
        for thing, count in (
            ("change", len(material.changed)),
            ("question", len(material.questions)),
            ("insight", len(_found(material))),
        )
        if count
    ]
    opening = f"{words[f'quiet_{kind}' if quiet else f'full_{kind}']}: {', '.join(part for part in numbers if part)}."
    if material.is_over:
        return opening
    return f"{opening} {words['so_far'].format(day=full_day(material.period.day(material.now), language))}"


def _by_day(material: Material, lines: int) -> list[str]:
    rows = []
    for when, notes in _days(material).items():
        rows.append(f"- **{day(when, material.language, weekday=True)}:** {_titles(notes, lines, material.language)}")
    return rows


def _by_week(material: Material, lines: int) -> list[str]:
    language = material.language
    weeks: dict[date, list[str]] = defaultdict(list)
    for when, notes in _days(material).items():
        first = covering(NoteKind.WEEKLY, when, material.period.zone).first
        weeks[first].append(f"- **{day(when, language)}:** {_titles(notes, max(1, lines // 3), language)}")
    rows = []
    for first, inside in sorted(weeks.items()):
        week = covering(NoteKind.WEEKLY, first, material.period.zone)
        begins, ends = max(first, material.period.first), min(week.last, material.period.last)
        rows += ["", f"### {WORDS[language]['week'].format(span=span(begins, ends, language))}", "", *inside]
    return rows[1:]


def _days(material: Material) -> dict[date, list[Note]]:
    days: dict[date, list[Note]] = defaultdict(list)
    for note in sorted(material.notes, key=lambda note: (note.happened_at, note.id)):
        days[material.period.day(note.happened_at)].append(note)
    return days


def _titles(notes: Sequence[Note], lines: int, language: str) -> str:
    titles = list(dict.fromkeys(note.title for note in notes))
    told = "; ".join(quoted(title) for title in titles[:lines])
    left = len(titles) - lines
    return f"{told}; {WORDS[language]['more'].format(count=left)}" if left > 0 else told


def _learnt(material: Material, lines: int) -> list[str]:
    fresh = learnt(material)
    rows: list[str] = []
    for area in areas_learnt(fresh):
        inside = [item for item in fresh if item.area is area]
        inside.sort(key=lambda item: (-item.weight, item.created_at, item.id))
        rows += ["", f"### {AREAS[material.language][area]}", ""]
        rows += _capped([_line(item, material) for item in inside], lines, material.language)
    return rows[1:]


def _line(item: KnowledgeItem, material: Material, *, opening: str = "") -> str:
    marks = [day(material.day_of(item), material.language)]
    marks += doubts(item, material.language, sure_from=_SURE_FROM)
    return f"- {opening}{quoted(item.content)} [{', '.join(marks)}]"


def _changed(material: Material, lines: int) -> list[str]:
    rows = []
    for old, new in material.changed:
        ended = material.period.day(old.superseded_at or new.created_at)
        when = day(material.said_on.get(new.id, ended), material.language)
        rows.append(f"- {quoted(old.content)} → {quoted(new.content)} [{when}]")
    return _capped(rows, lines, material.language)


def _questions(material: Material, lines: int) -> list[str]:
    language = material.language
    rows = [
        f"- {quoted(old.content)} [{full_day(material.period.day(old.created_at), language)}] {WORDS[language]['or']} "
        f"{quoted(new.content)} [{full_day(material.period.day(new.created_at), language)}]?"
        for old, new in material.questions
    ]
    return _capped(rows, lines, language)


def _moods(material: Material, lines: int) -> list[str]:
    by_day: dict[date, Counter[str]] = defaultdict(Counter)
    for feeling in material.feelings:
        by_day[feeling.day][said(feeling.item)] += 1
    rows = []
    for when, feelings in sorted(by_day.items()):
        several = WORDS[material.language]["times"]
        told = [quoted(text) + (f" ({several.format(count=n)})" if n > 1 else "") for text, n in feelings.items()]
        rows.append(f"- {day(when, material.language, weekday=True)}: {', '.join(told)}")
    return _capped(rows, lines if material.period.kind is NoteKind.WEEKLY else 31, material.language)


def _goals(material: Material, lines: int) -> list[str]:
    words = WORDS[material.language]
    groups: list[tuple[str, Iterable[KnowledgeItem]]] = [
        ("achieved", (item for item in material.items if item.attribute == "achieved")),
        ("dropped", (item for item in material.items if item.attribute == "dropped_goal")),
        ("new", (item for item in material.items if is_goal(item) and item.superseded_at is None)),
        ("again", material.goals_again),
    ]
    rows = []
    for name, inside in groups:
        ordered = sorted(inside, key=lambda item: (item.created_at, item.id))
        rows += _capped(
            [_line(item, material, opening=f"{words[name]}: ") for item in ordered], lines, material.language
        )
    if rows and material.goals_open:
        rows += ["", words["open"].format(count=material.goals_open)]
    return rows


def _people(material: Material, lines: int) -> list[str]:
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
        told = WORDS[material.language]["times"].format(count=count) if count > 1 else ""
        rows.append(f"- {dotted([quoted(names[key]) + relation, told])}")
    return _capped(rows, lines, material.language)


def _found(material: Material) -> list[KnowledgeItem]:
    return [item for item in material.items if item.type is KnowledgeType.INSIGHT]


def _insights(material: Material, lines: int) -> list[str]:
    rows = []
    for item in sorted(_found(material), key=lambda item: (-item.confidence, item.id)):
        resting = WORDS[material.language]["evidence"].format(text=quoted(item.evidence)) if item.evidence else ""
        rows.append(_line(item, material) + (f" — {resting}" if resting else ""))
    return _capped(rows, lines, material.language)


def _coming(material: Material, lines: int) -> list[str]:
    words = WORDS[material.language]
    rows = []
    for one in material.coming:
        text = quoted(one.text)
        if one.is_birthday:
            name = one.birthday_of
            text = words["own_birthday"] if name is None else words["birthday"].format(name=quoted(name))
        rows.append(f"- {day(one.day, material.language, weekday=True)}: {text}")
    return _capped(rows, lines, material.language)


def _capped(rows: list[str], lines: int, language: str) -> list[str]:
    left = len(rows) - lines
    return [*rows[:lines], f"- {WORDS[language]['more'].format(count=left)}"] if left > 0 else rows
