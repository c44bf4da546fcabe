"""What a context is made of, one value a line, before anybody words it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from relembra.domain.attributes import Section
from relembra.domain.message import Message, Note
from relembra.recall.layers import Layer
from relembra.recall.ranking import Hit, MessageHit, NoteHit


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
