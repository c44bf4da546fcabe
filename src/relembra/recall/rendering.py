"""Remembered things as lines of text, in the reader's language, quoted and escaped.

Remembered text is data: it stays on one line, inside quotation marks, with markup escaped, so that nothing said
once can pass for an instruction or close a block later.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, assert_never

from relembra.domain.knowledge import (
    FAVORITE,
    FAVORITES,
    FORMER,
    HEALTH,
    TITLES,
    DoubtedItem,
    KnowledgeItem,
    Section,
    Source,
    is_known,
    is_state,
)
from relembra.domain.message import FROM_FILES, LONGEST_TITLE, Message, Note, Role
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import as_words, escaped, fold, quoted, shortened, without_controls
from relembra.domain.time import local
from relembra.recall.ranking import Hit, MessageHit, NoteHit

LONGEST_PASSAGE = 2_000
_WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def _by_language(name: str) -> dict[str, Any]:
    return {language: words[name] for language, words in _WORDS.items()}


HEADINGS: dict[str, dict[str, str]] = _by_language("headings")
MEMORY_TITLES: dict[str, dict[str, str]] = _by_language("memory")
SECTION_TITLES: dict[str, dict[str, str]] = _by_language("sections")
LAYER_TITLES: dict[str, dict[str, str]] = _by_language("layers")
BRACKETED: dict[str, dict[str, str]] = _by_language("bracketed")
MONTHS: dict[str, list[str]] = _by_language("months")
WEEKDAYS: dict[str, list[str]] = _by_language("weekdays")
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
_WORD = re.compile(r"\w+")
_STRAY = re.compile(r"&(?!(?:amp|lt|gt|quot);)")
_VERB = re.compile(f"(?:{'|'.join(words['verbs'] for words in _WORDS.values())}) ", re.IGNORECASE)
_GLAD = re.compile(rf"\b(?:{'|'.join(words['glad'] for words in _WORDS.values())})")
_NOT = re.compile(r"\b(?:nao|not|never|nunca|no longer|sem|without|un\w+|in(?:feliz|felic)\w*|des(?:anim|content)\w*)")


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
    spoken, said_at = "pt" if language == "pt" else "en", item.doubt.said_at
    of = " de " if spoken == "pt" else " "
    day = f"{said_at.day}{of}{LONG_MONTHS[spoken][said_at.month - 1]}"
    if not item.doubt.of_this_year:
        day += f"{of}{said_at.year}"
    return worded("said_later", spoken, day=day, words=quote(item.doubt.words))


def hedged(words: str, item: KnowledgeItem, language: str, sure: ConfidencePolicy) -> str:
    """What an item says, with a word before it where it is not sure, or concluded and not said."""
    if item.confidence >= (sure.high if item.source is Source.AI_INFERENCE else sure.medium):
        return words
    return worded("perhaps" if item.confidence < sure.medium else "probably", language, words=continued(words))


def is_telling(item: KnowledgeItem, sure: ConfidencePolicy) -> bool:
    """Whether an item may stand in a context: what is unsure may not, unless it concerns somebody's health."""
    return item.confidence >= sure.medium or item.attribute in HEALTH


def doubts(item: KnowledgeItem, language: str, *, sure_from: float, names: Names = NOBODY) -> list[str]:
    """That an item is unsure, and who claimed it where that is not the owner."""
    marks = [UNSURE[language]] if item.confidence < sure_from or item.needs_resolution else []
    if item.speaker is not None and item.speaker != item.scope.user:
        marks.append(worded("said_by", language, name=unbracketed(quoted(names.get(item.speaker, item.speaker)))))
    return marks


def author_of(message: Message, language: str, names: Names = NOBODY) -> str:
    """Who said it, in words: by a name they stated, else as an app shows them, else by their id."""
    return ASSISTANT[language] if message.role is Role.ASSISTANT else names.get(message.author, message.author_name)


def speaker(message: Message, language: str, names: Names = NOBODY) -> str:
    """Who said it, as shown in a prompt: a name is quoted, so that none passes for the assistant."""
    said_by = author_of(message, language, names)
    if message.role is Role.ASSISTANT:
        return said_by
    return f"{quoted(said_by)} ({worded(message.form, language)})" if message.form else quoted(said_by)


def unbracketed(text: str) -> str:
    """The text with round brackets for square ones, so that it can close or open none of ours."""
    return text.translate(_ROUND)


def short_date(moment: datetime, language: str) -> str:
    """1 mar 2026 in Portuguese, Mar 1, 2026 in English."""
    month = MONTHS[language][moment.month - 1]
    return f"{moment.day} {month} {moment.year}" if language == "pt" else f"{month} {moment.day}, {moment.year}"


def today(now: datetime, language: str) -> str:
    """The day with its weekday, by which an assistant reads "next Friday"."""
    return f"{WEEKDAYS[language][now.weekday()]}, {short_date(now, language)}"


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
    TELL = "tell"  # one pattern found in what the person said, which they were not told yet


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A line of the compact memory: its field ("location", "current_goals", …) and what it says."""

    field: str
    text: str

    part = Part.MEMORY


@dataclass(frozen=True, slots=True)
class FurtherLine(MemoryLine):
    """A line of the compact memory there was room for behind what answers."""

    part = Part.KNOWN


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """A line of a person's profile, with where it was learnt."""

    person: str
    section: Section
    text: str
    source: str | None  # the note's title
    date: datetime  # on the speaker's clock
    unsure: bool

    part = Part.PROFILES


@dataclass(frozen=True, slots=True)
class KnownLine:
    """A recalled item and the note it was learnt in, where there is one that may be shown."""

    hit: Hit
    note: Note | None

    part = Part.KNOWN


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A recalled note."""

    hit: NoteHit

    part = Part.NOTES


@dataclass(frozen=True, slots=True)
class EarlierLine:
    """A recalled message."""

    hit: MessageHit

    part = Part.EARLIER


@dataclass(frozen=True, slots=True)
class BeforeLine:
    """A summary of what came before the recent messages."""

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


@dataclass(frozen=True, slots=True)
class TellLine:
    """An insight the assistant may mention, with what speaks for it."""

    item: KnowledgeItem

    part = Part.TELL


Line = MemoryLine | ProfileLine | KnownLine | NoteLine | EarlierLine | BeforeLine | RecentLine | AskLine | TellLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What is the same for all lines of a context."""

    name: str  # whose memory it is, as shown
    language: str  # pt or en
    now: datetime
    idle: timedelta  # a recent message older than this shows its date
    medium_for: timedelta  # notes and messages older than this are of the long term
    sure: ConfidencePolicy = field(default_factory=ConfidencePolicy)  # from which confidence on nothing is said of it
    names: Mapping[str, str] = field(default_factory=dict)  # what people are called, by their ids
    years: bool = False  # whether days show their year even where it is this one

    def called(self, id: str) -> str:
        """A person's name where one is known, else their id."""
        return self.names.get(id, id)

    def day(self, moment: datetime) -> str:
        """The day, without its year where that is this year."""
        if self.years or moment.year != self.now.year:
            return short_date(moment, self.language)
        month = MONTHS[self.language][moment.month - 1]
        return f"{moment.day} {month}" if self.language == "pt" else f"{month} {moment.day}"


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


def grouped(values: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The values by a key, both in the order they came in."""
    groups: dict[K, list[T]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups


def note_day(note: Note, frame: Frame) -> str:
    """When a note happened, on the reader's clock, for a note has many speakers."""
    return frame.day(note.happened_at.astimezone(frame.now.tzinfo))


def title(text: str) -> str:
    """A note's title, also among marks in square brackets."""
    return unbracketed(quoted(shortened(text, LONGEST_TITLE)))


def ended(item: KnowledgeItem, frame: Frame) -> list[str]:
    """Until when an item held that holds no longer, and from when a value holds that is only planned."""
    began = local(item.held_from, item.zone)
    if is_state(item.attribute, item.type) and item.is_planned(frame.now):
        return [worded("planned_from", frame.language, day=frame.day(began))]
    ends = [moment for moment in (item.held_until, item.superseded_at) if moment is not None and moment <= frame.now]
    end = local(ends[0], item.zone) if ends else began
    return [] if end.date() == began.date() else [worded("until", frame.language, day=frame.day(end))]


def marks(item: KnowledgeItem, frame: Frame) -> list[str]:
    """What must be said of an item even where its day is not: that it is over, doubted, or another's claim."""
    return [*ended(item, frame), *doubts(item, frame.language, sure_from=0.0, names=frame.names)]


def said(line: EarlierLine | RecentLine, frame: Frame) -> str:
    """A message with who said it, and its day if it is of a session that is over."""
    if isinstance(line, RecentLine):
        message, words = line.message, line.message.text
    else:
        message, words = line.hit.message, line.hit.excerpt or line.hit.message.text
    is_dated = isinstance(line, EarlierLine) or frame.now - message.sent_at > frame.idle
    when = frame.day(local(message.sent_at, message.zone)) + ", " if is_dated else ""
    return f"{when}{speaker(message, frame.language, frame.names)}: {quoted(words)}"


def asked(line: AskLine) -> str:
    """The question on one line; what it quotes is escaped already, and anything that is not is so now."""
    text = without_controls(" ".join(line.question.text.split()))
    return _STRAY.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")


def value(text: str) -> str:
    """A number as it is, words in quotation marks."""
    return escaped(text) if text.isascii() and text.isdecimal() else quoted(text)


def rows(lines: Sequence[Line], frame: Frame) -> list[str]:
    """The rows of lines of one part: a profile with a title for each section, the compact memory a row a field."""
    made: list[str] = []
    profiles = (line for line in lines if isinstance(line, ProfileLine))
    for section, told_of in grouped(profiles, lambda one: one.section).items():
        made.append(f"{SECTION_TITLES[frame.language][section]}:")
        made += [row(line, frame) for line in told_of]
    made += [row(line, frame) for line in lines if not isinstance(line, MemoryLine | ProfileLine)]
    memory = (line for line in lines if isinstance(line, MemoryLine))
    for name, told in grouped(memory, lambda one: one.field).items():
        made.append(f"- {memory_title(name, frame.language)}: " + "; ".join(value(line.text) for line in told))
    return made


def summary(note: Note) -> str:
    """What a note says, in quotation marks; a passage of a document is longer than any summary."""
    if note.kind in FROM_FILES:
        return f"“{escaped(note.summary, LONGEST_PASSAGE)}”"
    return quoted(note.summary)


def headed(note: Note, mark: str, language: str) -> str:
    """A note's title and a mark after it, nothing where its summary has all its words; of a document, which it is."""
    if note.kind in FROM_FILES:
        return f"{worded(f'in_{note.kind}', language, title=unbracketed(quoted(note.title)))}{mark}"
    said = set(_WORD.findall(fold(note.title)))
    return "" if said.issubset(_WORD.findall(fold(note.summary))) else f"{title(note.title)}{mark}"


def row(line: Line, frame: Frame) -> str:
    match line:
        case MemoryLine():
            return rows([line], frame)[0]
        case ProfileLine():
            marked = [] if line.source is None else [title(line.source)]
            marked += [frame.day(line.date), *([UNSURE[frame.language]] if line.unsure else ())]
            return f"- {quoted(line.text)} [{', '.join(marked)}]"
        case KnownLine(hit=hit, note=note):
            item = hit.item
            since = frame.day(local(item.held_from, item.zone))
            if note is not None and abs(note.happened_at - item.held_from) <= _SAME_OCCASION:
                since = f"{title(note.title)}, {since}"
            elif note is not None:  # its own day apart, for the talk was on another
                since += f"; {title(note.title)}, {frame.day(local(note.happened_at, item.zone))}"
            words = told(item, frame.language, quoted(item.content), quote=quoted)
            words = hedged(words, item, frame.language, frame.sure)
            return f"- {words} [{', '.join([since, *marks(item, frame)])}]"
        case NoteLine(hit=hit):
            return f"- [{note_day(hit.note, frame)}] {headed(hit.note, ' — ', frame.language)}{summary(hit.note)}"
        case BeforeLine(text=text):
            return f"- ({worded('before', frame.language)}) {quoted(text)}"
        case AskLine():
            return f"- {asked(line)}"
        case TellLine(item=item):
            return f"- {quoted(item.content)} — {quoted(item.evidence or '')}"
        case EarlierLine() | RecentLine():
            return f"- {said(line, frame)}"
        case other:
            assert_never(other)
