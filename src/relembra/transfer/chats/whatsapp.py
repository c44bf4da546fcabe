"""WhatsApp: the text of one chat, as Android and iPhones write it, in whatever language and order of day and month.

The order is told by the whole file: a number that can be no month, then whether time would go backwards, then the words
WhatsApp itself writes. What it writes in the place of messages is no message. Signal's text exports look the same.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from relembra.domain.text import LONGEST_TEXT_BYTES
from relembra.transfer.chats import Context, Found, Left, LocalTimes, Said, Sample, Why, nothing, texts, unmarked
from relembra.transfer.sources import File

NAME, SIGNAL = "whatsapp", "signal"

_DATA: dict[str, dict[str, list[str]]] = tomllib.loads((Path(__file__).parent / "whatsapp.toml").read_text("utf-8"))


def _any(part: str, languages: Iterable[str] = _DATA) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for name in languages for one in _DATA[name][part]), re.IGNORECASE)


_MEDIA, _DELETED, _BY_YOU, _SERVICE = _any("media"), _any("deleted"), _any("deleted_by_you"), _any("service")
_EDITED = re.compile(rf"\s*(?:{_any('edited').pattern})\s*\Z", re.IGNORECASE)
_OF_GROUP, _CREATED, _TITLES = _any("of_group"), _any("created"), _any("titles")
_PORTUGUESE = re.compile("|".join(_any(part, ["pt"]).pattern for part in ("media", "deleted", "service")), re.IGNORECASE)

_MARK, _BLANK = "[\u200e\u200f\ufeff]", "[ \u00a0\u202f]"
_MOMENT = (
    rf"(\d{{1,4}})([./-])(\d{{1,2}})\2(\d{{1,4}})\.?,?{_BLANK}(?:às |at )?(\d{{1,2}})[:.](\d{{2}})(?:[:.](\d{{2}}))?"
    rf"(?:{_BLANK}?([AaPp]\.?{_BLANK}?[Mm]\.?|da (?:manhã|tarde|noite|madrugada)))?"
)
_ANDROID = re.compile(rf"^{_MARK}*{_MOMENT} [-–] ", re.MULTILINE)
_IPHONE = re.compile(rf"^{_MARK}*\[{_MOMENT}\] ", re.MULTILINE)
_SPEAKER = re.compile(r"([^:\n“”\"]{1,120}?):(?: |$)", re.MULTILINE)
_ISO = re.compile(r"\[\d{4}-\d\d-\d\d, \d\d:\d\d\] ")
LONGEST = 2 * LONGEST_TEXT_BYTES
MOST_AUTHORS = 5_000

Parts = tuple[str, ...]
"""What a line begins with: three numbers of a date with what parts them, hour, minute, second, half of the day."""


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
    known: tuple[Parts, datetime | None] = (("",), None)
    for parts, body in _messages(file):
        if parts != known[0]:
            known = (parts, _moment(parts, chat.order))
        wall = known[1]
        if wall is None:
            yield Left(Why.TIME)
            continue
        found = _SPEAKER.match(body)
        if found is None:
            yield Left(Why.SERVICE)
            continue
        author = unmarked(found[1]).strip().lstrip("~").strip()
        text, why = _said(body[found.end() :])
        if why is not None or not author:
            yield Left(why or Why.UNREADABLE)
            continue
        yield Said(talk=chat.key, text=text, at=times(wall), author=author, title=chat.title, group=group)


def _said(body: str) -> tuple[str, Why | None]:
    """What somebody said, or why it is nothing they said."""
    if len(body) > LONGEST:
        return "", Why.LONG
    text = _EDITED.sub("", body).strip()
    plain = unmarked(text).strip()
    if len(plain) < 300 and (plain[:1] in "<" or text != plain or plain[-1:] in ").ae>dtosml" or len(plain) < 60):
        alone = plain.rstrip(".")
        if _DELETED.fullmatch(alone):
            return "", Why.DELETED
        if _MEDIA.fullmatch(alone):
            return "", Why.MEDIA
        if _SERVICE.fullmatch(alone):
            return "", Why.SERVICE
    if text[:1] == "\u200e":  # iPhones put this mark before whatever is theirs: a picture with words below it
        first, _, rest = plain.partition("\n")
        plain = rest if _MEDIA.fullmatch(first.rstrip(".")) else plain
    return (plain, Why.EMPTY) if nothing(plain) else (plain, None)


def _messages(file: File) -> Iterator[tuple[Parts, str]]:
    """Each message with its date's parts; its further lines belong to it."""
    header: re.Pattern[str] | None = None
    rest = ""
    parts: Parts | None = None  # of the message that goes on in the next block
    for block in texts(file):
        text = rest + block
        if header is None:
            header = next((one for one in (_ANDROID, _IPHONE) if one.search(text)), None)
        at = 0
        for found in () if header is None else header.finditer(text):
            if parts is not None:
                yield parts, text[at : found.start()].rstrip("\n")
            parts, at = found.groups(""), found.end()
        rest = text[at : at + LONGEST + 1] if parts is not None else ""
    if parts is not None:
        yield parts, rest.rstrip("\n")


@lru_cache(maxsize=8)
def chat_of(file: File) -> Chat:
    """What is told by all lines together: the order of the date, who spoke, whether they are a group."""
    dates: dict[Parts, None] = {}  # in their order, each day once
    authors: dict[str, None] = {}
    own: dict[str, None] = {}
    created, first, is_group, is_portuguese, halves = "", "", False, False, False
    last: Parts | None = None
    for parts, body in _messages(file):
        first = first or f"{parts} {body[:200]}"
        day = (parts[0], parts[2], parts[3])
        if day != last:
            dates[day], last = None, day
            halves = halves or bool(parts[7])
        found = _SPEAKER.match(body)
        if found is None:
            is_group = is_group or bool(_OF_GROUP.search(body))
            created = created or ((name := _CREATED.search(body)) is not None and next(filter(None, name.groups()), "")) or ""
            is_portuguese = is_portuguese or bool(_PORTUGUESE.search(body))
            continue
        name = unmarked(found[1]).strip().lstrip("~").strip()
        if name not in authors or len(body) < 60:
            alone = unmarked(body[found.end() :]).strip().rstrip(".")
            if _BY_YOU.fullmatch(alone):
                own[name] = None
            is_portuguese = is_portuguese or bool(_PORTUGUESE.fullmatch(alone))
            if not _SERVICE.fullmatch(alone) and len(authors) < MOST_AUTHORS:
                authors[name] = None
    title = _title(file) or created
    is_group = is_group or len(authors) > 2
    two = " & ".join(sorted(authors))
    digest = blake2b(first.encode("utf-8", "replace"), digest_size=12).hexdigest()
    key = (title or digest) if is_group else (two or title or digest)
    order = order_of(list(dates), is_portuguese=is_portuguese, has_halves=halves)
    others = [name for name in authors if name not in own]
    return Chat(key, title or (others[0] if len(others) == 1 else two or "WhatsApp"), is_group, order, tuple(own))


def order_of(dates: list[Parts], *, is_portuguese: bool, has_halves: bool) -> str:
    """The order of year, month and day that all dates of a file fit."""
    if any(len(one[0]) == 4 for one in dates):
        return "ymd"
    late = [sum(int(one[place]) > 12 for one in dates) for place in (0, 1)]
    if late[0] != late[1]:
        return "dmy" if late[0] > late[1] else "mdy"
    back = {order: _times_back(dates, order) for order in ("dmy", "mdy")}
    if back["dmy"] != back["mdy"]:
        return min(back, key=lambda order: back[order])
    return "mdy" if has_halves and not is_portuguese else "dmy"


def _times_back(dates: list[Parts], order: str) -> int:
    """How often time would go backwards."""
    found = [(int(one[2]), *((int(one[1]), int(one[0])) if order == "dmy" else (int(one[0]), int(one[1])))) for one in dates]
    return sum(later < earlier for earlier, later in zip(found, found[1:], strict=False))


def _moment(parts: Parts, order: str) -> datetime | None:
    one, _, two, three, hour, minute, second, half = parts
    year, month, day = {"ymd": (one, two, three), "dmy": (three, two, one), "mdy": (three, one, two)}[order]
    hours, half = int(hour), half.lower()
    if half and hours <= 12:
        is_late = half.startswith("p") or half == "da tarde" or (half == "da noite" and hours != 12)
        hours = hours % 12 + 12 * is_late
    try:
        return datetime(int(year) + (2000 if len(year) <= 2 else 0), int(month), int(day), hours, int(minute), int(second or 0))
    except ValueError:
        return None


def _title(file: File) -> str:
    """The name of the chat, where the file or what it is in is called as WhatsApp calls them."""
    for name in (file.stem, file.inside):
        if (found := _TITLES.fullmatch(re.sub(r"\s*\(\d+\)\Z", "", name))) is not None:
            return next(filter(None, found.groups()), "")
    return ""
