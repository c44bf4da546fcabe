"""WhatsApp: the text of one chat, as Android and iPhones write it, in whatever language and order of day and month.

The order is told by the whole file: a number that can be no month, then whether time would go backwards, then the words
WhatsApp itself writes. What it writes in the place of messages is no message. Signal's text exports look the same.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any
from unicodedata import normalize

from relembra.domain.text import LONGEST_TEXT_BYTES, fold, is_blank
from relembra.transfer.chats import Context, Found, Left, LocalTimes, Said, Sample, Why, texts, unmarked, with_files
from relembra.transfer.sources import File

_DATA: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "whatsapp.toml").read_text("utf-8"))


def _any(*parts: str, languages: Iterable[str] = _DATA) -> re.Pattern[str]:
    found = (one for name in languages for part in parts for one in _DATA[name][part])
    return re.compile("|".join(f"(?:{one})" for one in found), re.IGNORECASE)


_MEDIA, _DELETED, _BY_YOU, _POLL = _any("media"), _any("deleted"), _any("deleted_by_you"), _any("poll")
_ENCRYPTED, _SERVICE = _any("encrypted"), _any("service", "encrypted")
_EDITED = re.compile(rf"(?:{_any('edited').pattern})\Z", re.IGNORECASE)
_OF_GROUP, _CREATED, _TITLES = _any("of_group"), _any("created"), _any("titles")
_DAY_FIRST = _any(
    "media", "deleted", "service", "encrypted", languages=[name for name in _DATA if _DATA[name]["day_first"]]
)

_THEIRS = "\u200e"  # what iPhones put before whatever they write themselves, under the name of a person or of the group
_MARK, _BLANK = "[\u200e\u200f\ufeff]", "[ \u00a0\u202f]"
_MOMENT = (
    rf"(\d{{1,4}})([./-])(\d{{1,2}})\2(\d{{1,4}})\.?,?{_BLANK}(?:às |at )?(\d{{1,2}})[:.](\d{{2}})(?:[:.](\d{{2}}))?"
    rf"(?:{_BLANK}?([AaPp]\.?{_BLANK}?[Mm]\.?|da (?:manhã|tarde|noite|madrugada)))?"
)
_SPEAKER = r"(?:([^:\n“”\"]{1,120}):(?: |$))?"
_ANDROID = re.compile(rf"^{_MARK}*{_MOMENT}( [-–]) {_SPEAKER}", re.MULTILINE)
_IPHONE = re.compile(rf"^{_MARK}*\[{_MOMENT}(\]) {_SPEAKER}", re.MULTILINE)
_ISO = re.compile(r"\[\d{4}-\d\d-\d\d, \d\d:\d\d\] ")
_ATTACHED = re.compile(r"<[^<>:]+: ([^<>]+)>|(\S.*) \([^()]+\)")
"""The name of a file, where a line is known to be about one."""
_STICKER = re.compile(r"STK-|[\d-]+STICKER-")
_COPY = re.compile(r"(?:copy|copia|\d)*")
"""What is left of the name of a copied file."""
LONGEST_OF_THEIRS = 300
_BEGINNINGS = frozenset(word for words in _DATA.values() for word in words["beginnings"])
LONGEST = 2 * LONGEST_TEXT_BYTES
MOST_AUTHORS = 5_000

Parts = Sequence[str]
"""What a line begins with: three numbers of a date with what parts them, hour, minute, second, half of the day, end."""


def fits(sample: Sample) -> bool:
    return not sample.is_json_text and any(map(_begins, sample.text.splitlines()[:20]))


def fits_signal(sample: Sample) -> bool:
    return bool(_ISO.match(sample.text))


def _begins(line: str) -> bool:
    return bool(_ANDROID.match(line) or _IPHONE.match(line))


@dataclass(frozen=True, slots=True)
class Chat:
    """What the whole of a file tells."""

    key: str
    title: str
    is_group: bool
    order: str  # of year, month and day
    own: tuple[str, ...]  # who exported it, where a line tells


def own_names(file: File) -> Iterable[str]:
    return chat_of(file).own


def read(file: File, context: Context) -> Iterator[Found]:
    chat, times = chat_of(file), LocalTimes(context.zone)
    group = chat.title if chat.is_group else None
    for parts, author, body in _messages(file):
        wall = _moment(parts, chat.order)
        if wall is None:
            yield Left(Why.TIME)
            continue
        if not author:
            yield Left(Why.SERVICE)
            continue
        name = _called(author)
        text, why = _said(body) if name else ("", Why.UNREADABLE)
        said = Said(talk=chat.key, text=text, at=times(wall), author=name, title=chat.title, group=group)
        if why in (Why.MEDIA, Why.ATTACHMENT) and (attached := _attached(body)):
            yield from with_files(said, [attached], file)
            continue
        if text:
            yield said
        if why is not None:
            yield Left(why)


def _said(body: str) -> tuple[str, Why | None]:
    """What somebody said, and what is left out beside or instead of it."""
    if len(body) > LONGEST:
        return "", Why.LONG
    plain = (body if body.isascii() else unmarked(body)).strip()
    if is_blank(plain):
        return "", Why.EMPTY
    if not _may_be_theirs(body, plain):
        return plain, None
    plain = (plain[:-LONGEST_OF_THEIRS] + _EDITED.sub("", plain[-LONGEST_OF_THEIRS:])).rstrip()
    alone = plain.rstrip(".")
    for pattern, why in ((_DELETED, Why.DELETED), (_MEDIA, Why.MEDIA), (_SERVICE, Why.SERVICE)):
        if len(alone) < LONGEST_OF_THEIRS and pattern.fullmatch(alone):
            return "", why
    first, _, rest = plain.partition("\n")
    if len(first) < LONGEST_OF_THEIRS and _MEDIA.fullmatch(first.rstrip(".")):
        return (rest, Why.ATTACHMENT) if not is_blank(rest) else ("", Why.MEDIA)
    if _POLL.match(plain):
        return "", Why.MEDIA
    if body.lstrip().startswith(_THEIRS):
        return "", Why.SERVICE
    return ("", Why.EMPTY) if is_blank(plain) else (plain, None)


def _attached(body: str) -> str:
    """The name of the file that a message is; of none, or of a sticker, nothing."""
    found = _ATTACHED.search(unmarked(body).strip().partition("\n")[0][:LONGEST_OF_THEIRS])
    name = "" if found is None else found[1] or found[2]
    return "" if _STICKER.match(name) else name


def _may_be_theirs(body: str, plain: str) -> bool:
    """Whether it begins or ends like what WhatsApp writes itself; most of what is said is told apart by this alone."""
    return (
        plain[:4].lower() in _BEGINNINGS
        or plain[-1:] in ">)"
        or _THEIRS in body
        or ("\n" in plain and plain.partition("\n")[0][-1:] in ">)")
    )


def _messages(file: File) -> Iterator[tuple[Parts, str, str]]:
    """The parts of each message's date, who said it, and what; its further lines belong to it."""
    header: re.Pattern[str] | None = None
    rest = author = ""
    parts: Parts | None = None  # of the message that goes on in the next block
    for block in texts(file):
        text = rest + block
        if header is None:
            header = next((one for one in (_ANDROID, _IPHONE) if one.search(text)), None)
        at = 0
        for found in () if header is None else header.finditer(text):
            if parts is not None:
                yield parts, author, text[at : found.start() - 1]
            *parts, author = found.groups("")
            at = found.end()
        rest = text[at : at + LONGEST + 1] if parts is not None else ""
    if parts is not None:
        yield parts, author, rest.removesuffix("\n")


@dataclass(slots=True)
class _Evidence:
    """What the lines of a file tell, gathered one after another."""

    dates: dict[tuple[str, ...], None] = field(default_factory=dict)  # in their order, each day once
    authors: dict[str, None] = field(default_factory=dict)
    deleting: dict[str, None] = field(default_factory=dict)  # whose message "you" deleted
    created: str = ""  # what a group was called when it was made
    called: str = ""  # under whose name WhatsApp begins: the other's or the group's, as iPhones have it
    is_called: bool = False  # for certain
    beginning: blake2b = field(default_factory=lambda: blake2b(digest_size=12))  # as far as the first who speaks
    is_group: bool = False
    is_day_first: bool = False
    has_halves: bool = False
    last: Parts = ()

    def note(self, parts: Parts, author: str, body: str) -> None:
        is_first = not self.last
        if not self.authors:
            self.beginning.update(f"{parts} {author} {body[:200]}".encode("utf-8", "replace"))
        day = [parts[0], parts[2], parts[3]]
        if day != self.last:
            self.dates[tuple(day)], self.last = None, day
            self.has_halves = self.has_halves or bool(parts[7])
        if not author:
            self._note_service(body[:LONGEST_OF_THEIRS])
            return
        name = _called(author)
        if name in self.authors and not _may_be_theirs(body, body):
            return
        alone = unmarked(body[:LONGEST_OF_THEIRS]).strip().rstrip(".")
        if body.lstrip().startswith(_THEIRS) and _BY_YOU.fullmatch(alone):  # else somebody typed those words
            self.deleting[name] = None
        if _said(body)[1] is Why.SERVICE:
            self._note_service(alone)
            if is_first and body.lstrip().startswith(_THEIRS):
                self.called, self.is_called = name, _ENCRYPTED.fullmatch(alone) is not None
            return
        self.is_day_first = self.is_day_first or _DAY_FIRST.fullmatch(alone) is not None
        if len(self.authors) < MOST_AUTHORS:
            self.authors[name] = None

    def _note_service(self, body: str) -> None:
        self.is_group = self.is_group or _OF_GROUP.search(body) is not None
        self.is_day_first = self.is_day_first or _DAY_FIRST.search(body) is not None
        if not self.created and (named := _CREATED.search(body)) is not None:
            self.created = next(filter(None, named.groups()), "")


@lru_cache(maxsize=1024)
def _called(author: str) -> str:
    return " ".join(unmarked(author).split()).lstrip("~ ")


@lru_cache(maxsize=8)
def chat_of(file: File) -> Chat:
    """What is told by all lines together: the order of the date, who spoke, whether they are a group."""
    told = _Evidence()
    for parts, author, body in _messages(file):
        told.note(parts, author, body)
    title = told.called if told.is_called else _title(file)
    title = title or ("" if told.called in told.authors else told.called) or told.created
    by_letters = {_letters(name): name for name in told.authors}
    two = () if told.is_group or len(told.authors) > 2 or not title else tuple(by_letters)
    other = next((name for name in two if _COPY.fullmatch(_letters(title).removeprefix(name))), "")
    title = by_letters[other] if other and other != _letters(title) else title
    is_named = len(told.authors) == 2 and any(map(str.isalpha, title)) and not other
    is_group = told.is_group or len(told.authors) > 2 or is_named  # else it is called as one of the two
    order = order_of(list(told.dates), is_day_first=told.is_day_first, has_halves=told.has_halves)
    own = tuple(told.deleting) if len(told.deleting) == 1 else ()
    if other:  # whose name it has
        own = tuple(name for letters, name in by_letters.items() if letters != other)
    others = [name for name in told.authors if name not in own]
    shown = title or (others[0] if len(others) == 1 else " & ".join(sorted(told.authors)) or "WhatsApp")
    both = sorted({*by_letters, *([other or _letters(title)] if title else [])})  # also before the other one answers
    key = " & ".join(both) if len(both) == 2 and not is_group else title or told.beginning.hexdigest()
    return Chat(key, shown, is_group, order, own)


def _letters(name: str) -> str:
    """A name as files can be called; of nothing but pictures as it is."""
    return "".join(filter(str.isalnum, fold(name))) or name


def order_of(dates: Sequence[Parts], *, is_day_first: bool, has_halves: bool) -> str:
    """The order of year, month and day that all dates of a file fit."""
    if any(len(one[0]) == 4 for one in dates):
        return "ymd"
    late = [sum(int(one[place]) > 12 for one in dates) for place in (0, 1)]
    if late[0] != late[1]:
        return "dmy" if late[0] > late[1] else "mdy"
    back = {order: _times_back(dates, order) for order in ("dmy", "mdy")}
    if back["dmy"] != back["mdy"]:
        return min(back, key=lambda order: back[order])
    return "mdy" if has_halves and not is_day_first else "dmy"


def _times_back(dates: Sequence[Parts], order: str) -> int:
    """How often time would go backwards."""
    found = [
        (int(one[2]), *((int(one[1]), int(one[0])) if order == "dmy" else (int(one[0]), int(one[1])))) for one in dates
    ]
    return sum(later < earlier for earlier, later in pairwise(found))


def _moment(parts: Parts, order: str) -> datetime | None:
    day, time = _day(parts[0], parts[2], parts[3], order), _time(*parts[4:8])
    return None if day is None or time is None else datetime.combine(day, time)


@lru_cache(maxsize=1024)
def _day(one: str, two: str, three: str, order: str) -> date | None:
    year, month, day = {"ymd": (one, two, three), "dmy": (three, two, one), "mdy": (three, one, two)}[order]
    try:
        return date(int(year) + (2000 if len(year) <= 2 else 0), int(month), int(day))
    except ValueError:
        return None


@lru_cache(maxsize=2048)
def _time(hour: str, minute: str, second: str, half: str) -> time | None:
    hours, half = int(hour), half.lower()
    if half and hours <= 12:
        is_late = half.startswith("p") or half == "da tarde" or (half == "da noite" and hours != 12)
        hours = hours % 12 + 12 * is_late
    try:
        return time(hours, int(minute), int(second or 0))
    except ValueError:
        return None


def _title(file: File) -> str:
    """The name of the chat, where the file or what it is in is called as WhatsApp calls them."""
    for name in (file.stem, file.inside):
        if (found := _TITLES.fullmatch(re.sub(r"\s*\(\d+\)\Z", "", name[:LONGEST_OF_THEIRS]))) is not None:
            return normalize("NFC", next(filter(None, found.groups()), ""))
    return ""
