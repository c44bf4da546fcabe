"""Finds the dates in a message, in one pass over its words."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from relembra.domain.deadline import check_time
from relembra.minds.offline.dates import (  # noqa: F401 - loading the others teaches the grammars
    calendar,
    english_habits,
    english_hours,
    english_periods,
    portuguese_habits,
    portuguese_hours,
    portuguese_periods,
)
from relembra.minds.offline.dates.calendar import DAY
from relembra.minds.offline.dates.english import ENGLISH
from relembra.minds.offline.dates.joining import Atom, joined
from relembra.minds.offline.dates.mention import DateMention, Frame, Reading, Tense, TimeOfDay
from relembra.minds.offline.dates.numeric import add_numeric_rules
from relembra.minds.offline.dates.portuguese import PORTUGUESE
from relembra.minds.offline.dates.rules import DIGIT, Rule
from relembra.minds.offline.dates.tense import tense_around
from relembra.minds.offline.flat import Flat, flattened, listed
from relembra.minds.offline.language import Language, language_of

__all__ = ["find_dates", "read_dates", "worth_reading"]

add_numeric_rules(PORTUGUESE, day_first=True)
add_numeric_rules(ENGLISH, day_first=False)

_RULES: dict[Language, dict[str, list[Rule]]] = {"pt": PORTUGUESE.rules, "en": ENGLISH.rules}
# Words that begin a rule but mean nothing without a later one are no reason to look closer.
_IDLE = frozenset(listed("a as o e em de do da no na nos nas tem the in at on for this an one um uma over some more"))
_LATER = frozenset(
    listed(
        "segundas tercas quartas quintas sextas sabados domingos cada minutos hora horas dia dias semana "
        "semanas mes meses"
        " anos decadas trimestres semestres trimestre semestre ano decada desses twenties thirties forties "
        "fifties sixties"
        " seventies eighties nineties day days week weeks month months year years hour hours minutes quarter "
        "decade nights"
    )
)
_TRIGGERS: dict[Language | None, frozenset[str]] = {
    language: frozenset(rules) - _IDLE | _LATER for language, rules in _RULES.items()
}
_TRIGGERS[None] = _TRIGGERS["pt"] | _TRIGGERS["en"]
_WORD = re.compile(r"[a-z0-9]+")
_FIGURE = re.compile(r"\d")


def find_dates(
    text: str, *, said_at: datetime, language: Language | None = None, tense: Tense | None = None
) -> list[DateMention]:
    """Mentions in reading order, never overlapping, with intervals on the clock of `said_at`.

    Without a language the text is asked, and both grammars are tried when it does not tell. `tense`: whether they look
    back or ahead, where that is known better than the verbs around them tell.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at needs a timezone")
    flat = flattened(text)
    if not worth_reading(flat.text, language):
        return []
    return read_dates(text, flat, said_at=said_at, language=language, tense=tense)


def worth_reading(flat: str, language: Language | None) -> bool:
    """The cheap question first: without a figure or one of a few hundred words there is no date."""
    return _FIGURE.search(flat) is not None or not _TRIGGERS[language].isdisjoint(_WORD.findall(flat))


def read_dates(
    text: str, flat: Flat, *, said_at: datetime, language: Language | None, tense: Tense | None = None
) -> list[DateMention]:
    """`find_dates` without its first question, on text flattened already."""
    if language is None:
        language = language_of(text)
    now = said_at.replace(tzinfo=None)
    tongues: tuple[Language, ...] = (language,) if language else ("pt", "en")
    frames = [Frame(now=now, language=one, raw=flat.raw, tense=tense) for one in tongues]
    found = []
    for atom in joined(flat.text, _atoms(flat, frames)):
        mention = _mention(text, flat, atom, said_at.tzinfo or UTC)
        if mention is not None:
            found.append(mention)
    return _apart(found)


def _atoms(flat: Flat, frames: list[Frame]) -> list[Atom]:
    atoms: list[Atom] = []
    done = 0
    for word in _WORD.finditer(flat.text):
        check_time()
        start = word.start()
        if start < done or (start and (flat.text[start - 1].isalnum() or flat.text[start - 1] in "@#_")):
            continue
        key = DIGIT if word[0][0].isdigit() else word[0]
        candidates = [
            (match, rule, frame)
            for frame in frames
            for rule in _RULES[frame.language].get(key, ())
            if (match := rule.pattern.match(flat.text, start))
        ]
        candidates.sort(key=lambda candidate: -candidate[0].end())
        for match, rule, frame in candidates:
            atom = _read(flat.text, match, rule, frame)
            if atom is not None:
                atoms.append(atom)
                done = atom.end
                break
    return atoms


def _read(flat: str, match: re.Match[str], rule: Rule, frame: Frame) -> Atom | None:
    tense = frame.tense or tense_around(flat, match.start(), match.end(), language=frame.language)
    frame = replace(frame, tense=tense)
    try:
        value = rule.read(match, frame)
    except (ValueError, OverflowError, IndexError):
        return None  # no such day, or outside the years that can be told
    return None if value is None else Atom(match.start(), match.end(), value, frame, match, rule.read)


def _mention(text: str, flat: Flat, atom: Atom, zone: tzinfo) -> DateMention | None:
    value = atom.value
    if isinstance(value, TimeOfDay):
        if not value.alone:
            return None
        value = _time_alone(value, atom.frame)
    start, end = flat.span(atom.start, atom.end)
    begins, ends = (
        (value.begins.astimezone(zone), value.ends.astimezone(zone))
        if value.zoned
        else (value.begins.replace(tzinfo=zone), value.ends.replace(tzinfo=zone))
    )
    return DateMention(
        start=start,
        end=end,
        text=text[start:end],
        begins=begins,
        ends=ends,
        precision=value.precision,
        kind=value.kind,
        approximate=value.approximate,
    )


def _time_alone(time: TimeOfDay, frame: Frame) -> Reading:
    """An hour without a day is today's, unless the tense says it must be yesterday's or tomorrow's."""
    found = calendar.within(frame.today, time)
    if frame.past and found.begins > frame.now:
        return calendar.within(frame.today - DAY, time)
    if frame.tense == "future" and found.ends <= frame.now:
        return calendar.within(frame.today + DAY, time)
    return found


def _apart(mentions: list[DateMention]) -> list[DateMention]:
    """Leading words may reach back over an earlier mention; the earlier one is then kept."""
    kept: list[DateMention] = []
    for mention in mentions:
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
