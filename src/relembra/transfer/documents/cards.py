"""Calendars (iCalendar, RFC 5545) and contacts (vCard, RFC 6350): lines of names, parameters and values."""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from relembra.domain.text import visible_line
from relembra.domain.time import EARLIEST, check_time
from relembra.locale import Words
from relembra.transfer.chats import Context, Fact, Found, Left, Why
from relembra.transfer.documents import Block, content, person, text_of, within_limits
from relembra.transfer.documents.text import blocks_of_html
from relembra.transfer.slices import refuse
from relembra.transfer.sources import File
from relembra.views.timeline import full_day, long_day, span

_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^:\"]*(?:\"[^\"]*\"[^:\"]*)*)?):(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ZONE = re.compile(r";TZID=\"?([^;:\"]+)", re.IGNORECASE)
_REGION = re.compile(r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/.+")
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_BORN = re.compile(r"(\d{4}|--)-?(\d\d)-?(\d\d)(?:T.*)?")
_CALLED = re.compile(r";CN=\"?([^;:\"]+)", re.IGNORECASE)
_ABSENT = re.compile(r"PARTSTAT=DECLINED|CUTYPE=(ROOM|RESOURCE)", re.IGNORECASE)
_CALL = re.compile(r"-::[~:]*-.*?(?:-::[~:]*-|\Z)", re.DOTALL)  # how to join, which a program writes below
_MARKUP = re.compile(r"</?(?:p|br|a|b|i|u|ul|ol|li|div|span|html)\b[^<>]*>", re.IGNORECASE)
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_ON = re.compile(r"\+?([1-5]|-1|)(MO|TU|WE|TH|FR|SA|SU)")
_READ = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTH", "BYMONTHDAY"}
LONGEST_NAME = 200  # of a property, with what it is about
MOST_NAMED = 20  # people of an event, or days it is not on
_QUOTED = "QUOTED-PRINTABLE"
_OMITTED = re.compile(r"X-APPLE-OMIT-YEAR=(\d{4})", re.IGNORECASE)
_DETAILS = ("RELATED", "X-ABRELATEDNAMES", "X-SPOUSE", "ANNIVERSARY", "X-ANNIVERSARY", "X-ABDATE")
_MAIL = re.compile(r"^mailto:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Property:
    about: str  # its parameters
    value: str


_Part = dict[str, list[_Property]]


def _parts(file: File, *kinds: str) -> Iterator[_Part]:
    """The parts of these kinds, what lies within them apart."""
    held: _Part = {}
    within: list[str] = []
    for line in _lines(text_of(content(file))):
        check_time()
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        name, about, value = found[1].upper(), found[2], found[3]
        value = text_of(quopri.decodestring(value.encode())) if _QUOTED in about.upper() else value
        if name == "BEGIN":
            within.append(value.strip().upper())
            held = {} if within[-1] in kinds else held
        elif name == "END":
            if within and within.pop() in kinds:
                yield held
                held = {}
        elif within and within[-1] in kinds:
            held.setdefault(name, []).append(_Property(about, value))
    if within:
        refuse("it is cut off: its end is missing", "cut")


def _lines(text: str) -> Iterator[str]:
    """The lines, with those that go on in the next put together, as each of two ways marks them."""
    held: list[str] = []
    for line in re.split(r"\r?\n", text):
        if held and held[-1].endswith("=") and _QUOTED in held[0][:LONGEST_NAME].upper():
            held[-1] = held[-1][:-1]
            held.append(line)
        elif held and line.startswith((" ", "\t")):
            held.append(line[1:])
        else:
            yield "".join(held)
            held = [line]
    yield "".join(held)


def _words(part: _Part, name: str) -> str:
    """The values of a name on one line."""
    texts = (_unescaped(one.value) for one in part.get(name, ()))
    return ", ".join(filter(None, (visible_line(_MAIL.sub("", text)) for text in texts)))


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda sign: "\n" if sign[1] in "nN" else sign[1], value)


def read_calendar(file: File, context: Context) -> Iterator[Found]:
    """An event a passage, on the day it begins; what was called off is left out."""
    yield from within_limits(lambda: _events(file, context))


def _events(file: File, context: Context) -> Iterator[Block | Left]:
    words = Words(context.language, "events", "formats")
    for event in _parts(file, "VEVENT", "VTODO"):
        title, state = _words(event, "SUMMARY"), _words(event, "STATUS").upper()
        start, end = (
            next((_moment(one, context.zone) for named in (name, "DUE") for one in event.get(named, ())), None)
            for name in ("DTSTART", "DTEND")
        )
        if state == "CANCELLED" or (not title and start is None):
            yield Left(Why.CANCELLED if state == "CANCELLED" else Why.EMPTY)
            continue
        who = _names(event)
        lines = [
            words("done") if state == "COMPLETED" else "",
            "" if start is None else _when(start, end, words) + _repeats(event, start, context.zone, words),
            _words(event, "LOCATION"),
            *_description(event),
            words("with", names=", ".join(who[:MOST_NAMED])) if who else "",
        ]
        at = start if isinstance(start, datetime) else None if start is None else _noon(start)
        yield Block(text="\n".join(filter(None, map(_ended, lines))) or title, title=title, at=at, is_event=True)


def _ended(line: str) -> str:
    """The line with an end, for what is shown on one line."""
    return line if not line or line[-1] in ".!?…:" else f"{line}."


def _names(event: _Part) -> list[str]:
    """Who takes part, by name where that is told, without those who declined and rooms."""
    found = [
        named[1] if (named := _CALLED.search(one.about)) else _MAIL.sub("", one.value)
        for one in (*event.get("ORGANIZER", ()), *event.get("ATTENDEE", ()))
        if not _ABSENT.search(one.about)
    ]
    return list(dict.fromkeys(filter(None, map(person, found))))


def _description(event: _Part) -> list[str]:
    """What is told of an event, line by line, without what a program adds for calls."""
    text = "\n".join(_unescaped(one.value) for one in event.get("DESCRIPTION", ()))
    text = _CALL.sub("", text)
    if _MARKUP.search(text):
        text = "\n".join(block.text for block in blocks_of_html(text.replace("\n", "<br>")))
    return [visible_line(line) for line in text.splitlines()]


def _moment(written: _Property, zone: tzinfo) -> date | datetime | None:
    """A day, or a moment on the person's clock."""
    told = _TIME.match(written.value)
    if told is None:
        return None
    numbers = [int(number) for number in told.groups()[:6] if number is not None]
    try:
        if told[4] is None:
            return date(*numbers)
        of = UTC if told[7] else _zone(written.about) or zone
        return datetime(*numbers, tzinfo=of).astimezone(zone)  # type: ignore[arg-type, misc]
    except (ValueError, OverflowError):
        return None


def _zone(about: str) -> tzinfo | None:
    found = _ZONE.search(about)
    named = "" if found is None else found[1]
    try:
        return ZoneInfo(region[0] if (region := _REGION.search(named)) else named)
    except (KeyError, ValueError, OSError):
        return None


def _noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12)


def _when(start: date | datetime, end: date | datetime | None, words: Words) -> str:
    """When an event is: its day, or from when to when."""
    day = long_day(start, words.language)
    if not isinstance(start, datetime):
        last = start if end is None or isinstance(end, datetime) else end - timedelta(days=1)
        return day if last <= start else span(start, last, words.language)
    told = f"{day}, {start:%H:%M}"
    if not isinstance(end, datetime) or end <= start:
        return told
    is_short = end - start < timedelta(days=1)
    return f"{told}–{end:%H:%M}" if is_short else f"{told} – {long_day(end, words.language)}, {end:%H:%M}"


def _repeats(event: _Part, start: date, zone: tzinfo, words: Words) -> str:
    """How an event repeats, in plain words: every Tuesday until Jun 3, 2025."""
    rule = dict(part.split("=", 1) for part in _words(event, "RRULE").upper().split(";") if "=" in part)
    if not rule:
        return ""
    said = _rhythm(rule, start, words)
    if count := rule.get("COUNT"):
        said = words("times", rule=said, n=count)
    if until := _moment(_Property("", rule.get("UNTIL", "")), zone):
        said = words("until", rule=said, day=full_day(until, words.language))
    skipped = [_Property(one.about, day) for one in event.get("EXDATE", ()) for day in one.value.split(",")]
    days = (_moment(one, zone) for one in skipped[:MOST_NAMED])
    told = ", ".join(full_day(day, words.language) for day in days if day is not None)
    return f", {words('except', rule=said, days=told) if told else said}"


def _rhythm(rule: dict[str, str], start: date, words: Words) -> str:
    """A common rule as it is said; of any other, that the event repeats."""
    unit, every = _UNITS.get(rule.get("FREQ", "")), rule.get("INTERVAL", "1")
    found = [_ON.fullmatch(day) for day in rule.get("BYDAY", "").split(",") if day]
    on = [(one[1], _DAYS.index(one[2])) for one in found if one is not None]
    month, day = (rule.get(name, "1") for name in ("BYMONTH", "BYMONTHDAY"))
    is_plain = rule.keys() <= _READ and all(part.isdecimal() for part in (every, month, day)) and len(on) == len(found)
    s = "" if every == "1" else "s"
    match unit if is_plain else None, on:
        case "week", _:
            first, *others = [day for _, day in on] or [start.weekday()]
            named = [f"weekday.{first}" if s else f"every.{first}", *(f"weekday.{day}" for day in others)]
            told = ", ".join(map(words, named))
        case "month", [(nth, of)] if nth:
            told = words(f"nth.{nth}", the=words(f"the.{of}"), day=words(f"weekday.{of}"))
        case "month", []:
            told = words("month_day", n=rule.get("BYMONTHDAY", start.day))
        case (("day" | "year"), []):
            told = ""
        case _:
            return words("repeats")
    return words(f"every.{unit}{s}", n=every, on=told)


def read_contacts(file: File, _: Context) -> Iterator[Found]:
    """Whoever has a birthday there, with it; of the others nothing is told that a memory is for."""
    for card in _parts(file, "VCARD"):
        name = _words(card, "FN") or " ".join(reversed(_words(card, "N").split(";")[:2])).strip()
        if details := sum(len(card.get(detail, ())) for detail in _DETAILS):
            yield Left(Why.DETAIL, details)
        day = _birthday(card)
        if day is None or not name:
            yield Left(Why.CONTACT if day is None else Why.UNREADABLE)
            continue
        yield Fact(text=f"{name}: {day}", subject=name, attribute="birthday", value=day)


def _birthday(card: _Part) -> str | None:
    """1990-03-15, or --03-15 where the year is not told, or stands for that."""
    born = _BORN.fullmatch(_words(card, "BDAY").replace("/", "-"))
    if born is None:
        return None
    omitted = _OMITTED.search(card["BDAY"][0].about)
    year = 0 if born[1] == "--" or (omitted and omitted[1] == born[1]) else int(born[1])
    try:
        day = date(year if year >= EARLIEST.year else 2024, int(born[2]), int(born[3]))
    except ValueError:
        return None
    return day.isoformat() if year >= EARLIEST.year else f"--{day:%m-%d}"
