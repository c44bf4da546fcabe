"""Whether a question is about how things were before, whether it wants several things, and of what time it asks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from relembra.domain.searchable import Period
from relembra.minds.languages import LANGUAGES, Language, in_any, known, pattern_of
from relembra.minds.offline.dates.calendar import plus_months, shifted
from relembra.minds.offline.dates.finder import read_dates
from relembra.minds.offline.dates.grammar import grammar_of
from relembra.minds.offline.dates.mention import DateMention, Kind, Precision
from relembra.minds.offline.flat import Flat, flattened

_asks = partial(in_any, "questions")


def asks_of_before(core: str) -> bool:
    """Whether it asks how things were, not how they are: "used to", "antigamente", "onde eu morava"."""
    core = _asks("earlier_talk").sub(" ", core)
    if _asks("before").search(core):
        return True
    lasting = _asks("before_something").search(core) and _asks("lasting").search(core)
    return bool(lasting and not _asks("not_before").search(core))


def asks_for_several(core: str) -> bool:
    """Whether one thing is not enough: a count, a list, or which came first."""
    return bool(_asks("several").search(core) or (_asks("which").search(core) and _asks("ranked").search(core)))


def speaks_of_past(core: str) -> bool:
    """Whether any verb looks back."""
    return _asks("past").search(core) is not None


RECENT = timedelta(days=30)
LONG_AGO_MONTHS = 12 * 50
MOST_DATES = 4
"""More than these do not narrow anything."""
_DAY = timedelta(days=1)
_HOURS = frozenset({Precision.MINUTE, Precision.HOUR})
_QUOTED = re.compile(r"\"[^\"]{1,200}\"|(?<!\w)'[^']{1,200}'(?!\w)|«[^»]{1,200}»")
_OPENING = re.compile(r"(?:^|[.!?,;:\n]\s*)$")
_GOES_ON = re.compile(rf"\s*(?:$|[^\w\s']|{_asks('goes_on').pattern})")
_LOOSE_IN = re.compile(_asks("loose_in").pattern, re.IGNORECASE)
# Said of itself, a mention is a time; otherwise it needs a word before it that makes it one.
_TOLD = _asks("told", r"\d{1,2}[/.-]\d{1,2}|\b(?:19|20)\d\d-")
_CAPITAL_BEFORE = re.compile(r"[A-ZÀ-Ý][\wÀ-ÿ]* (?:d[eo] |of )?$")
_CAPITAL_AFTER = re.compile(r" (?!I\b)[A-ZÀ-Ý][a-zà-ÿ]+")


@dataclass(frozen=True, slots=True)
class _Stretch:
    begins: datetime
    ends: datetime
    start: int
    end: int
    precise: bool


def period_of(text: str, *, now: datetime, language: Language | None, past: bool) -> Period | None:
    """The one period named, or the whole that several span; `past`: the question's verbs look back."""
    text = _LOOSE_IN.sub("", text)
    flat = flattened(text)
    rolling = _rolling(flat, now)
    stretches = [rolling] if rolling else []
    quoted = [match.span() for match in _QUOTED.finditer(flat.text)]
    plain = Flat(flat.raw, flat.text)  # without places: spans stay those of the flat text until the end
    for mention in read_dates(flat.raw, plain, said_at=now, language=language):
        within = any(first <= mention.start < last for first, last in quoted)
        rolled = rolling is not None and mention.start < rolling.end and rolling.start < mention.end
        if within or rolled or _asks("vague").match(flat.text, mention.start) or not _narrows(flat, mention, past=past):
            continue
        try:
            stretch = _stretch(flat, mention, now=now, language=language, past=past)
        except (ValueError, OverflowError):
            continue
        if stretch is not None:
            stretches.append(stretch)
    if len(stretches) > MOST_DATES:
        return None
    if not stretches:
        return _vague(text, flat, now)
    return _whole(text, flat, stretches)


def _whole(text: str, flat: Flat, stretches: list[_Stretch]) -> Period | None:
    begins, ends = min(one.begins for one in stretches), max(one.ends for one in stretches)
    start, end = flat.span(min(one.start for one in stretches), max(one.end for one in stretches))
    try:
        begins, ends = begins.astimezone(UTC), ends.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if begins >= ends:
        return None
    return Period(start=begins, end=ends, text=text[start:end], precise=all(one.precise for one in stretches))


def _vague(text: str, flat: Flat, now: datetime) -> Period | None:
    for pattern, begins in (
        (_asks("earlier_today"), now.replace(hour=0, minute=0, second=0, microsecond=0)),
        (_asks("vague"), now - RECENT if now.year > 1 else now),
    ):
        match = pattern.search(flat.text)
        if match:
            return _whole(text, flat, [_Stretch(begins, now, match.start(), match.end(), False)])
    return None


def _rolling(flat: Flat, now: datetime) -> _Stretch | None:
    """ "In the past week": so long, up to now."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for language in LANGUAGES:
        pattern = pattern_of(language, "questions", "rolling")
        if pattern and (match := pattern.search(flat.text)):
            begins = shifted(today, grammar_of(language).value("unit", match["unit"]), -1)
            return _Stretch(begins, now, *match.span("said"), True)
    return None


def _narrows(flat: Flat, mention: DateMention, *, past: bool) -> bool:
    """Whether a mention tells when, rather than naming an event, a habit, a length of time or a yearly day."""
    if mention.kind is not Kind.MOMENT:
        return False
    said = flat.text[mention.start : mention.end]
    if _TOLD.search(said):
        return True
    before, after = flat.text[max(0, mention.start - 40) : mention.start], flat.text[mention.end : mention.end + 20]
    if not past and _asks("birthday").search(flat.text):
        return False
    if _asks("event_before").search(before) or _CAPITAL_AFTER.match(flat.raw, mention.end):
        return False
    led = _asks("led").search(before)
    if said.isdigit():
        return (
            led is not None
            and not _asks("made_in").search(before)
            and not _CAPITAL_BEFORE.search(flat.raw, max(0, mention.start - 30), mention.start)
        )
    if after.startswith("'s") or not _GOES_ON.match(after):
        return False
    if led is not None or _OPENING.search(before):
        return True
    return _asks("alone", r"\d").match(said) is not None and not _asks("of").search(before)


def _stretch(
    flat: Flat, mention: DateMention, *, now: datetime, language: Language | None, past: bool
) -> _Stretch | None:
    said = flat.text[mention.start : mention.end]
    begins, ends, precise = mention.begins, mention.ends, not mention.approximate
    if _asks("ago").search(said) and mention.precision not in _HOURS:
        begins, ends = _about(mention, now)
    elif past and begins > now and not _asks("ahead").search(said):
        begins, ends = _last_time(flat.raw[mention.start : mention.end], now, language) or (begins, ends)
    before = flat.text[max(0, mention.start - 20) : mention.start]
    if _asks("until").match(said) or _asks("until_date").search(before):
        begins, precise = plus_months(begins, -LONG_AGO_MONTHS), False
    elif _asks("before_date").search(before):
        begins, ends, precise = plus_months(begins, -LONG_AGO_MONTHS), begins, False
    elif _asks("after_date").search(before):
        begins, ends, precise = ends, max(now, ends), False
    if begins >= ends:
        return None
    return _Stretch(begins, ends, mention.start, mention.end, precise)


def _about(mention: DateMention, now: datetime) -> tuple[datetime, datetime]:
    """Around so long ago: days exactly, weeks by three days, months and years by half of one; twice that if "some"."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    times = 2 if mention.approximate else 1
    months = (today.year - mention.begins.year) * 12 + today.month - mention.begins.month
    if mention.precision is Precision.WEEK:
        monday = today - today.weekday() * _DAY
        weeks = round((monday.date() - mention.begins.date()) / (7 * _DAY))
        middle = today - weeks * 7 * _DAY
        return middle - 3 * times * _DAY, middle + (3 * times + 1) * _DAY
    if mention.precision is Precision.MONTH:
        middle = plus_months(today, -months)
        return middle - 15 * times * _DAY, middle + (15 * times + 1) * _DAY
    if mention.precision is Precision.YEAR:
        middle = plus_months(today, -12 * (today.year - mention.begins.year))
        return plus_months(middle, -6 * times), plus_months(middle, 6 * times) + _DAY
    if mention.approximate:
        return mention.begins - _DAY, mention.ends + _DAY
    return mention.begins, mention.ends


def _last_time(said: str, now: datetime, language: Language | None) -> tuple[datetime, datetime] | None:
    """The occurrence that has begun already of something that was read as lying ahead."""
    for one in (language,) if language else LANGUAGES:
        clause = known(one, "questions")["looking_back"] + said
        for mention in read_dates(clause, flattened(clause), said_at=now, language=one):
            if mention.begins <= now:
                return mention.begins, mention.ends
    return None
