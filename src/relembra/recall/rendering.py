"""Remembered things as lines of text, in the reader's language, quoted and escaped.

Remembered text is data: it stays on one line, inside quotation marks, with markup escaped, so that nothing said
once can pass for an instruction or close a block later.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from relembra.domain.attributes import FAVORITE, FAVORITES, FORMER, TITLES, Section, is_known, is_state
from relembra.domain.knowledge import Doubt, DoubtedItem, KnowledgeItem
from relembra.domain.message import LONGEST_TITLE, Message, Note, Role
from relembra.domain.text import LONGEST_LINE, as_words, escaped, fold, quoted, shortened
from relembra.domain.time import local
from relembra.recall.ranking import Hit, Layer, MessageHit, NoteHit

_WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def _by_language(name: str) -> dict[str, Any]:
    return {language: words[name] for language, words in _WORDS.items()}


HEADINGS: dict[str, dict[str, str]] = _by_language("headings")
MEMORY_TITLES: dict[str, dict[str, str]] = _by_language("memory")
SECTION_TITLES: dict[str, dict[str, str]] = _by_language("sections")
LAYER_TITLES: dict[str, dict[str, str]] = _by_language("layers")
BRACKETED: dict[str, dict[str, str]] = _by_language("bracketed")
MONTHS: dict[str, list[str]] = _by_language("months")
LONG_MONTHS: dict[str, list[str]] = _by_language("long_months")
UNSURE: dict[str, str] = _by_language("unsure")
ASSISTANT: dict[str, str] = _by_language("assistant")


def worded(key: str, language: str, /, **parts: str) -> str:
    """A few words of a language with their parts filled in."""
    words: str = _WORDS[language][key]
    return words.format(**parts)


Quote = Callable[[str], str]
"""How remembered text is put in quotation marks."""
Names = Mapping[str, str]
"""What people are called, by who they are."""
NOBODY: Names = MappingProxyType({})
_ROUND = str.maketrans("[]［］【】〔〕〖〗⟦⟧﹝﹞⁅⁆", "()" * 8)
T = TypeVar("T")
K = TypeVar("K")

_SAME_OCCASION = timedelta(days=1)
_STRAY = re.compile(r"&(?!(?:amp|lt|gt|quot);)")
_VERB = re.compile(f"(?:{'|'.join(words['verbs'] for words in _WORDS.values())}) ", re.IGNORECASE)
_GLAD = re.compile(rf"\b(?:{'|'.join(words['glad'] for words in _WORDS.values())})")
_NOT = re.compile(r"\b(?:nao|not|never|nunca|no longer|sem|without|un\w+|in(?:feliz|felic)\w*|des(?:anim|content)\w*)")


def heading(name: str, part: str, language: str) -> str:
    return "## " + HEADINGS[language][part].format(name=quoted(name))


def told(item: KnowledgeItem, language: str | None, text: str | None = None, *, quote: Quote = as_words) -> str:
    """What an item says, in its own text or the one given, and beside it the newer words that stand against it."""
    said, newer = item.content if text is None else text, against(item, language, quote=quote)
    return f"{said.rstrip(' .')}; {newer}" if newer else said


def against(item: KnowledgeItem, language: str | None, *, quote: Quote = as_words) -> str:
    """The newer words that put an item in doubt, and their day: "em 3 de março disse: “o time acabou”". Else no text.

    `quote`: how they are quoted; where the whole is not escaped later, this has to.
    """
    if not isinstance(item, DoubtedItem):
        return ""
    spoken = "pt" if language == "pt" else "en"
    return worded("said_later", spoken, day=_long_day(item.doubt, spoken), words=quote(item.doubt.words))


def _long_day(doubt: Doubt, language: str) -> str:
    """3 March, 3 de março; with its year where that is another."""
    of = " de " if language == "pt" else " "
    day = f"{doubt.said_at.day}{of}{LONG_MONTHS[language][doubt.said_at.month - 1]}"
    return day if doubt.of_this_year else f"{day}{of}{doubt.said_at.year}"


def doubts(item: KnowledgeItem, language: str, *, sure_from: float, names: Names = NOBODY) -> list[str]:
    """That an item is unsure, and who claimed it where that is not the owner."""
    marks = [UNSURE[language]] if is_unsure(item, sure_from) else []
    if is_claim(item):
        speaker = item.speaker or ""
        marks.append(worded("said_by", language, name=unbracketed(quoted(names.get(speaker, speaker)))))
    return marks


def is_unsure(item: KnowledgeItem, sure_from: float) -> bool:
    return item.confidence < sure_from or item.needs_resolution


def is_claim(item: KnowledgeItem) -> bool:
    return item.speaker is not None and item.speaker != item.scope.user


def author_of(message: Message, language: str, names: Names = NOBODY) -> str:
    """Who said it, in words: by a name they stated, else as an app shows them, else by their id."""
    return ASSISTANT[language] if message.role is Role.ASSISTANT else names.get(message.author, message.author_name)


def speaker(message: Message, language: str, names: Names = NOBODY) -> str:
    """Who said it, as shown in a prompt: a name is quoted, so that none passes for the assistant."""
    said_by = author_of(message, language, names)
    return said_by if message.role is Role.ASSISTANT else quoted(said_by)


def unbracketed(text: str) -> str:
    """The text with round brackets for square ones, so that it can close or open none of ours."""
    return text.translate(_ROUND)


def short_date(moment: datetime, language: str) -> str:
    """1 mar 2026 in Portuguese, Mar 1, 2026 in English."""
    month = MONTHS[language][moment.month - 1]
    return f"{moment.day} {month} {moment.year}" if language == "pt" else f"{month} {moment.day}, {moment.year}"


class Part(StrEnum):
    """The parts of a context in the order they stand in: what changes least comes first, so that a prompt's
    beginning stays the same from one turn to the next."""

    MEMORY = "memory"  # the compact memory of the person
    PROFILES = "profiles"  # of those who take part, are mentioned, or were there
    KNOWN = "known"  # recalled knowledge
    NOTES = "notes"  # recalled notes
    EARLIER = "earlier"  # recalled messages
    RECENT = "recent"  # the conversation at hand, with what came before it
    ASK = "ask"  # one gentle question


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A line of the compact memory: its field ("location", "current_goals", …) and what it says."""

    field: str
    text: str

    part = Part.MEMORY


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """A line of somebody's profile, with where it was learnt."""

    person: str
    section: Section
    text: str
    source: str | None  # the note's title
    date: datetime  # on the clock of whoever said it
    unsure: bool

    part = Part.PROFILES


@dataclass(frozen=True, slots=True)
class KnownLine:
    """A recalled item and the note it was learnt in, where there is one that may be heard."""

    hit: Hit
    note: Note | None
    layer: Layer

    part = Part.KNOWN


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A recalled note."""

    hit: NoteHit
    layer: Layer

    part = Part.NOTES


@dataclass(frozen=True, slots=True)
class EarlierLine:
    """A recalled message: the words of it that matter, with … where some were left out."""

    hit: MessageHit
    excerpt: str
    layer: Layer

    part = Part.EARLIER


@dataclass(frozen=True, slots=True)
class BeforeLine:
    """What came before the recent messages, told briefly."""

    text: str

    part = Part.RECENT


@dataclass(frozen=True, slots=True)
class RecentLine:
    """A message of the conversation at hand."""

    message: Message

    part = Part.RECENT


class Question(Protocol):
    """What to ask the person, and the case the answer settles."""

    @property
    def case_id(self) -> str: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class AskLine:
    """The question to put gently; its text quotes and escapes what is remembered already."""

    question: Question

    part = Part.ASK


Line = MemoryLine | ProfileLine | KnownLine | NoteLine | EarlierLine | BeforeLine | RecentLine | AskLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What is the same for all lines of a context."""

    name: str  # whose memory it is, as shown
    language: str  # pt or en
    now: datetime
    idle: timedelta  # a recent message older than this shows its date
    sure_from: float  # a confidence below this is marked as unsure
    names: Mapping[str, str] = field(default_factory=dict)  # what people are called, by who they are

    def called(self, id: str) -> str:
        """Somebody's name where one is known, else who they are."""
        return self.names.get(id, id)


class Rendering(Protocol):
    """A form a context is given in. Pure: the same lines and frame give the same bytes.

    All remembered text, names and titles too, is escaped so that nothing said once can close a block, open one, or
    pass for an instruction.
    """

    def line(self, line: Line, frame: Frame) -> str:
        """What one line adds to the text, about; for sharing the budget before all is laid out."""

    def heading(self, part: Part, frame: Frame) -> str:
        """What a part adds to the text around its lines, about."""

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        """All of it. Lines come in the order of their parts and, within one, in the order they are to stand in."""


# ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def memory_title(field: str, language: str) -> str:
    """What a field of the compact memory is called."""
    return MEMORY_TITLES[language].get(field) or quoted(field.replace("_", " "))


def attribute_title(attribute: str | None, language: str) -> str | None:
    """What an attribute of ours is called; none for one we do not know."""
    if attribute is None or not is_known(attribute):
        return None
    if attribute.startswith(FORMER):
        inner = attribute_title(attribute.removeprefix(FORMER), language)
        return inner and worded("former", language, name=inner)
    if attribute.startswith(FAVORITE):
        thing = attribute.removeprefix(FAVORITE)
        if language == "pt" and thing in FAVORITES:
            return FAVORITES[thing]
        words = thing.replace("_", " ")
        return worded("favorite", language, name=words if thing in FAVORITES else quoted(words))
    return TITLES[attribute][language]


def continued(text: str) -> str:
    """The text after a semicolon: a verb that opened a sentence gets a small letter, a name keeps its own."""
    return text[:1].lower() + text[1:] if _VERB.match(text) else text


def is_hard(feeling: str) -> bool:
    """Whether a feeling asks for gentleness: any but a plainly glad one."""
    words = fold(feeling)
    return not _GLAD.search(words) or _NOT.search(words) is not None


Day = Callable[[datetime, Frame], str]


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
    return _visible(shortened(text, LONGEST_LINE))


def _visible(line: str) -> str:
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
        return [worded("planned_from", frame.language, day=day(local(item.held_from, item.zone), frame))]
    end = over_since(item, frame)
    return [] if end is None else [worded("until", frame.language, day=day(end, frame))]


def over_since(item: KnowledgeItem, frame: Frame) -> datetime | None:
    """When an item ceased to hold; None while it holds, and for what was of one day."""
    ends = [moment for moment in (item.held_until, item.superseded_at) if moment is not None and moment <= frame.now]
    if not ends:
        return None
    end = local(ends[0], item.zone)
    return None if end.date() == local(item.held_from, item.zone).date() else end


def marks(line: KnownLine, frame: Frame) -> list[str]:
    """What must be said of an item even where its day is not: that it is over, unsure, or another's claim."""
    item = line.hit.item
    return [*ended(item, frame, day), *doubts(item, frame.language, sure_from=frame.sure_from, names=frame.names)]


def talk_row(line: EarlierLine | BeforeLine | RecentLine | AskLine, frame: Frame, day: Day) -> str:
    """What was said, or is to be asked; a message with who said it, and its day if it is of a session that is over."""
    match line:
        case EarlierLine():
            return _said(line.hit.message, line.excerpt, frame, day)
        case BeforeLine(text=text):
            return f"- ({worded('before', frame.language)}) {quoted(text)}"
        case RecentLine(message=message):
            return _said(message, message.text, frame, day if is_idle(message, frame) else None)
        case AskLine():
            return f"- {asked(line)}"


def _said(message: Message, text: str, frame: Frame, day: Day | None) -> str:
    when = "" if day is None else day(local(message.sent_at, message.zone), frame) + ", "
    return f"- {when}{speaker(message, frame.language, frame.names)}: {quoted(text)}"


def is_idle(message: Message, frame: Frame) -> bool:
    """Whether it is of a session that is over."""
    return frame.now - message.sent_at > frame.idle


def asked(line: AskLine) -> str:
    """The question on one line; what it quotes is escaped already, and anything that is not is so now."""
    text = _visible(" ".join(line.question.text.split()))
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


def part_rows(lines: Sequence[Line], frame: Frame, day: Day) -> list[str]:
    """The rows of one part, or of one person's profile."""
    memory = [line for line in lines if isinstance(line, MemoryLine)]
    profile = [line for line in lines if isinstance(line, ProfileLine)]
    if memory or profile:
        return [*memory_rows(memory, frame), *profile_rows(profile, frame, day)]
    return [_row(line, frame, day) for line in lines]


def _row(line: Line, frame: Frame, day: Day) -> str:
    match line:
        case KnownLine():
            item = line.hit.item
            since = [learnt(line, frame, day)]
            since += doubts(item, frame.language, sure_from=frame.sure_from, names=frame.names)
            return f"- {told(item, frame.language, quoted(item.content), quote=quoted)} [{', '.join(since)}]"
        case NoteLine():
            note = line.hit.note
            return f"- [{day(note_day(line, frame), frame)}] {title(note.title)} — {quoted(note.summary)}"
        case MemoryLine() | ProfileLine():
            return part_rows([line], frame, day)[-1]
        case said:
            return talk_row(said, frame, day)
