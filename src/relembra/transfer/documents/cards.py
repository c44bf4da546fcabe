"""Calendars (iCalendar, RFC 5545) and contacts (vCard, RFC 6350): lines of names, parameters and values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo

from relembra.domain.text import visible_line
from relembra.domain.time import EARLIEST, check_time
from relembra.transfer.chats import Context, Fact, Found, Left, Why
from relembra.transfer.documents import Block, content, text_of
from relembra.transfer.sources import File

CALENDAR, CONTACTS = "ics", "vcf"

_FOLD = re.compile(r"\r?\n[ \t]")
_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^:\"]*(?:\"[^\"]*\"[^:\"]*)*)?):(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ZONE = re.compile(r";TZID=\"?([^;:\"]+)", re.IGNORECASE)
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_BORN = re.compile(r"(\d{4}|--)-?(\d\d)-?(\d\d)(?:T.*)?")
_TOLD = ("LOCATION", "DESCRIPTION", "ORGANIZER", "ATTENDEE", "RRULE")
_QUOTED_PRINTABLE = re.compile(r"ENCODING=(QUOTED-PRINTABLE|BASE64|B)\b", re.IGNORECASE)
_MAIL = re.compile(r"^mailto:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Property:
    about: str  # its parameters
    value: str


def _parts(file: File, *kinds: str) -> Iterator[dict[str, list[_Property]]]:
    """The parts of these kinds, what lies within them apart."""
    held: dict[str, list[_Property]] = {}
    within: list[str] = []
    for line in re.split(r"\r?\n", _FOLD.sub("", text_of(content(file)))):
        check_time()
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        name, about, value = found[1].upper(), found[2], found[3]
        if name == "BEGIN":
            within.append(value.strip().upper())
            held = {} if within[-1] in kinds else held
        elif name == "END":
            if within and within.pop() in kinds:
                yield held
                held = {}
        elif within and within[-1] in kinds:
            held.setdefault(name, []).append(_Property(about, value))


def _words(part: dict[str, list[_Property]], name: str) -> str:
    """The values of a name on one line."""
    texts = (_ESCAPE.sub(lambda sign: "\n" if sign[1] in "nN" else sign[1], one.value) for one in part.get(name, ()))
    return ", ".join(filter(None, (visible_line(_MAIL.sub("", text)) for text in texts)))


def read_calendar(file: File) -> Iterator[Block]:
    """An event a passage, under the day it begins."""
    for event in _parts(file, "VEVENT", "VTODO"):
        title = _words(event, "SUMMARY")
        start, end = (_moment(event, *names) for names in (("DTSTART", "DUE"), ("DTEND", "DUE")))
        if not title and start is None:
            continue
        days = " – ".join(dict.fromkeys(_shown(one) for one in (start, end) if one is not None))
        lines = [f"{days} {title}".strip(), *(text for name in _TOLD if (text := _words(event, name)))]
        at = start if isinstance(start, datetime) else None if start is None else _noon(start)
        yield Block(text="\n".join(lines), heading=title, at=at, alone=True)


def _moment(event: dict[str, list[_Property]], *names: str) -> date | datetime | None:
    found = next((one for name in names for one in event.get(name, ())), None)
    told = None if found is None else _TIME.match(found.value)
    if found is None or told is None:
        return None
    numbers = [int(number) for number in told.groups()[:6] if number is not None]
    try:
        if told[4] is None:
            return date(*numbers)
        return datetime(*numbers, tzinfo=UTC if told[7] else _zone(found.about))  # type: ignore[arg-type, misc]
    except ValueError:
        return None


def _zone(about: str) -> tzinfo | None:
    named = _ZONE.search(about)
    try:
        return None if named is None else ZoneInfo(named[1])
    except (KeyError, ValueError, OSError):
        return None


def _noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12)


def _shown(moment: date | datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if isinstance(moment, datetime) else moment.isoformat()


def read_contacts(file: File, _: Context) -> Iterator[Found]:
    """Whoever has a birthday there, with it; of the others nothing is told that a memory is for."""
    for card in _parts(file, "VCARD"):
        about = "".join(one.about for one in card.get("FN", ()))
        name = _words(card, "FN") or " ".join(reversed(_words(card, "N").split(";")[:2])).strip()
        if not name or _QUOTED_PRINTABLE.search(about):
            yield Left(Why.UNREADABLE)
            continue
        if (day := _birthday(_words(card, "BDAY").replace("/", "-"))) is None:
            yield Left(Why.CONTACT)
            continue
        yield Fact(
            id=f"{name} {_words(card, 'UID')}", text=f"{name}: {day}", subject=name, attribute="birthday", value=day
        )


def _birthday(written: str) -> str | None:
    """1990-03-15, or --03-15 where the year is not told, or stands for that."""
    born = _BORN.fullmatch(written)
    if born is None:
        return None
    year = 0 if born[1] == "--" else int(born[1])
    try:
        day = date(year if year >= EARLIEST.year else 2024, int(born[2]), int(born[3]))
    except ValueError:
        return None
    return day.isoformat() if year >= EARLIEST.year else f"--{day:%m-%d}"
