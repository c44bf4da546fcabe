"""What a reader proposes: things that may be worth knowing, before any rule has decided about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One atomic thing a person said, or that follows from what they said. A proposal: it decides nothing.

    `content` is a short sentence in the speaker's language without a subject ("Mora em Recife", "Lives in Recife",
    for another person with the name: "Clara é médica"); `attribute` is one of `ATTRIBUTES`, or None.
    """

    content: str
    message_id: str  # the message that says it
    type: KnowledgeType
    area: LifeArea | None = None
    sub_area: str | None = None
    subject: str = SELF  # the speaker, or the name (else the relation) of the person it is about
    attribute: str | None = None
    value: str | None = None
    title: str | None = None
    language: str | None = None
    tags: tuple[str, ...] = ()
    person: Mapping[str, str] = field(default_factory=dict)  # name, relation, birthday, likes … of a person item
    changed: bool = False  # the words say that this is new: "agora", "virei", "no longer … but"
    inferred: bool = False  # concluded, not said
    evidence: str | None = None  # the words it rests on, quoted
    confidence: float | None = None  # None: by the rules
    measured: bool = False  # the confidence is a share that proved right, and stands as it is
    weight: float | None = None  # None: the attribute's
    held_from: datetime | None = None  # None: when it was said
    held_until: datetime | None = None
    expires_at: datetime | None = None
    ends: tuple[str, ...] = ()  # ids of held items the words say are no longer so
    why: str = ""  # the rule or prompt that proposed it, for the record


@dataclass(frozen=True, slots=True)
class Talk:
    """A stretch of talk as a reader gets it: what was said, oldest first, and whose words are to be learnt from."""

    messages: tuple[Message, ...]
    speaker: str | None = None  # learn from this person's messages only; None: from every person's
    only: frozenset[str] | None = None  # learn from these messages only, by their ids
    is_noted: bool = True  # False: only what it teaches is wanted, and no note of it
    taught: tuple[KnowledgeItem, ...] = ()  # what the others taught when they were read before
    language: str = "en"  # of prompts, and of a summary no words decide
    known: tuple[str, ...] = ()  # what is held already, as short lines, so that a model need not repeat it,
    known_ids: tuple[str, ...] = ()  # and which item each line is, so that it can be said which are over
    vectors: Mapping[str, bytes] = field(default_factory=dict)  # of texts among them, where they are at hand,
    embedded_by: str | None = None  # and the name of the embedder they are from


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """A stretch of talk told briefly."""

    title: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A talk read once: its note, and what is worth knowing of it in the order said, which is often nothing."""

    note: NoteText
    candidates: tuple[Candidate, ...] = ()
    reader: str = "offline"  # the reader's name
    unread: tuple[str, ...] = ()  # ids of messages that took too long to read
    turning: tuple[str, ...] = ()  # ids of messages that may end or change something known


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """What a second, more careful reading of a talk proposes beyond what is known already, conclusions included."""

    candidates: tuple[Candidate, ...] = ()
    reader: str = "offline"
    raw: str | None = None  # a model's answer as it came, for the record


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Notes that tell of one matter, told together."""

    title: str
    summary: str
    note_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a model was asked for one task."""

    task: str  # digest, summary, compare, reread, topics, retell
    model: str
    calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How a new statement stands to an older one, and how sure that is."""

    contradicts: float  # 0–1
    same: float  # 0–1
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a message does to something known, as probabilities that add up to 1."""

    nothing: float = 0.0
    repeats: float = 0.0
    details: float = 0.0
    replaces: float = 0.0
    ends: float = 0.0
    asks: float = 0.0  # both cannot be true, and only the person can tell which is

    @property
    def over(self) -> float:
        """How likely what is known holds no longer, replaced or not."""
        return self.replaces + self.ends
