"""What the renderings share: lines by their part, days, marks and rows of quoted text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from relembra.domain.attributes import is_state
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import LONGEST_TITLE, Message
from relembra.domain.moment import local
from relembra.domain.text import LONGEST_LINE, escaped, quoted, shortened
from relembra.recall.entries import AskLine, Frame, KnownLine, Line, MemoryLine, NoteLine, Part, ProfileLine
from relembra.recall.rendering import (
    MONTHS,
    SECTION_TITLES,
    UNSURE,
    doubts,
    item_line,
    message_line,
    short_date,
    unbracketed,
)
from relembra.recall.renderings.words import FROM, UNTIL, memory_title

Day = Callable[[datetime, Frame], str]
T = TypeVar("T")
K = TypeVar("K")

_SAME_OCCASION = timedelta(days=1)
_STRAY = re.compile(r"&(?!(?:amp|lt|gt|quot);)")


def grouped(values: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The values by a key, both in the order they came in."""
    groups: dict[K, list[T]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups


def by_part(lines: Iterable[Line]) -> dict[Part, list[Line]]:
    """The lines of each part that has any, in the order of parts."""
    groups = grouped(lines, lambda line: line.part)
    return {part: groups[part] for part in Part if part in groups}


def whole_day(moment: datetime, frame: Frame) -> str:
    return short_date(moment, frame.language)


def day(moment: datetime, frame: Frame) -> str:
    """The day without its year where that is this year."""
    if moment.year != frame.now.year:
        return short_date(moment, frame.language)
    month = MONTHS[frame.language][moment.month - 1]
    return f"{moment.day} {month}" if frame.language == "pt" else f"{month} {moment.day}"


def note_day(line: NoteLine, frame: Frame) -> datetime:
    """When a note happened, on the reader's clock, for a note has many speakers."""
    return line.hit.note.happened_at.astimezone(frame.now.tzinfo)


def title(text: str) -> str:
    """A note's title, also among marks in square brackets."""
    return unbracketed(quoted(shortened(text, LONGEST_TITLE)))


def plain(text: str) -> str:
    """The text on one line, shortened, without invisible controls, and otherwise as it is."""
    line = shortened(text, LONGEST_LINE)
    return "".join(char for char in line if unicodedata.category(char) not in ("Cc", "Cf") or char == "\u200d")


def learnt(line: KnownLine, frame: Frame, day: Day) -> str:
    """Where an item was learnt and since when it holds; its own day apart where the talk was on another."""
    item, note = line.hit.item, line.note
    since = day(local(item.held_from, item.zone), frame)
    if note is not None and abs(note.happened_at - item.held_from) <= _SAME_OCCASION:
        since = f"{title(note.title)}, {since}"
    elif note is not None:
        since += f"; {title(note.title)}, {day(local(note.happened_at, item.zone), frame)}"
    return ", ".join([since, *ended(item, frame, day)])


def ended(item: KnowledgeItem, frame: Frame, day: Day) -> list[str]:
    """Until when an item held that holds no longer, and from when a value holds that is only planned."""
    if is_state(item.attribute, item.type) and item.is_planned(frame.now):
        return [FROM[frame.language].format(day=day(local(item.held_from, item.zone), frame))]
    end = over_since(item, frame)
    return [] if end is None else [UNTIL[frame.language].format(day=day(end, frame))]


def over_since(item: KnowledgeItem, frame: Frame) -> datetime | None:
    """When an item ceased to hold; None while it holds, and for what was of one day."""
    ends = [moment for moment in (item.held_until, item.superseded_at) if moment is not None and moment <= frame.now]
    if not ends:
        return None
    end = local(ends[0], item.zone)
    return None if end.date() == local(item.held_from, item.zone).date() else end


def known_row(line: KnownLine, frame: Frame, day: Day) -> str:
    return item_line(
        line.hit.item, frame.language, sure_from=frame.sure_from, learnt=learnt(line, frame, day), names=frame.names
    )


def marks(line: KnownLine, frame: Frame) -> list[str]:
    """What must be said of an item even where its day is not: that it is over, unsure, or another's claim."""
    item = line.hit.item
    return [*ended(item, frame, day), *doubts(item, frame.language, sure_from=frame.sure_from, names=frame.names)]


def note_row(line: NoteLine, frame: Frame, day: Day) -> str:
    note = line.hit.note
    return f"- [{day(note_day(line, frame), frame)}] {title(note.title)} — {quoted(note.summary)}"


def said_row(message: Message, text: str, frame: Frame, day: Day | None) -> str:
    """An utterance with who said it, and its day unless none is to be shown."""
    when = None if day is None else day(local(message.sent_at, message.zone), frame)
    return message_line(message, frame.language, dated=day is not None, text=text, when=when, names=frame.names)


def recent_row(message: Message, frame: Frame, day: Day) -> str:
    return said_row(message, message.text, frame, day if is_idle(message, frame) else None)


def is_idle(message: Message, frame: Frame) -> bool:
    """Whether it is of a session that is over."""
    return frame.now - message.sent_at > frame.idle


def ask_row(line: AskLine) -> str:
    return f"- {asked(line)}"


def asked(line: AskLine) -> str:
    """The question on one line; what it quotes is escaped already, and anything that is not is so now."""
    text = "".join(
        char
        for char in " ".join(line.question.text.split())
        if unicodedata.category(char) not in ("Cc", "Cf") or char == "\u200d"
    )
    return _STRAY.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")


def memory_rows(lines: Sequence[MemoryLine], frame: Frame) -> list[str]:
    """A row a field, with all it says."""
    return [
        f"- {memory_title(field, frame.language)}: " + "; ".join(value(line.text) for line in inside)
        for field, inside in grouped(lines, lambda line: line.field).items()
    ]


def profile_rows(lines: Sequence[ProfileLine], frame: Frame, day: Day) -> list[str]:
    """The sections of one person's profile: a title each, and a row a line."""
    rows = []
    for section, inside in grouped(lines, lambda line: line.section).items():
        rows.append(f"{SECTION_TITLES[frame.language][section]}:")
        rows += [_profile_row(line, frame, day) for line in inside]
    return rows


def _profile_row(line: ProfileLine, frame: Frame, day: Day) -> str:
    marks = [] if line.source is None else [title(line.source)]
    marks.append(day(line.date, frame))
    if line.unsure:
        marks.append(UNSURE[frame.language])
    return f"- {quoted(line.text)} [{', '.join(marks)}]"


def value(text: str) -> str:
    """A number as it is, words in quotation marks."""
    return escaped(text) if text.isascii() and text.isdecimal() else quoted(text)
