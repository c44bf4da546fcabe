"""What Relembra asks of a mind. A mind proposes; it never writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from relembra.domain.candidate import Comparison, Digest, Effect, Reread, Spent, Talk, Topic
from relembra.domain.insight import Observation
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.searchable import Inquiry

Vector = bytes
"""Float32 numbers, little-endian, of unit length: the dot product of two is their cosine."""


def family_of(name: str) -> str:
    """A model's name without its version: "pt-en-minilm@6ef56f4f" and "pt-en-minilm@f734bbc3" are one family."""
    return name.partition("@")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Which minds ask another machine, and so are told nothing that is marked local-only."""

    reader: bool = False
    night: bool = False
    embedder: bool = False


class Embedder(Protocol):
    """Turns texts into vectors that lie close when the texts mean the same."""

    @property
    def name(self) -> str:
        """Name and version in one word. Vectors of two names are never compared."""

    @property
    def dimensions(self) -> int:
        """How many numbers a vector holds."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order; `MindUnavailableError` when it cannot answer now. No text gives no vector."""

    async def close(self) -> None:
        """Let go of threads, files and connections; safe to call twice."""


@dataclass(frozen=True, slots=True)
class InWords:
    """What is said in a recording or seen in a picture, and what is kept of the file in a message's metadata."""

    text: str
    metadata: Mapping[str, str]
    taken_at: datetime | None = None
    spent: tuple[Spent, ...] = ()  # what models were asked for it, which whoever asked counts


class Transcriber(Protocol):
    """Turns what is said in a recording into words."""

    @property
    def name(self) -> str:
        """Name and version in one word, recorded beside its words."""

    async def transcribe(self, audio: bytes, name: str) -> str:
        """What is said, empty where nothing is; `name` tells by its ending what kind of recording it is.

        `MindUnavailableError` when it cannot answer now, `MindError` when it cannot read this one.
        """

    async def close(self) -> None:
        """Let go of connections; safe to call twice."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is in a picture, in words, empty where there is nothing; and what the camera wrote into it."""

    words: str
    taken_at: datetime | None = None  # without a zone where the camera did not know it
    taken_in: str = ""  # latitude and longitude; empty: it does not tell
    spent: tuple[Spent, ...] = ()  # what models were asked for it


class ImageReader(Protocol):
    """Puts into words what a picture shows, or the words that stand in it."""

    @property
    def name(self) -> str:
        """Name and version in one word, recorded beside its words."""

    async def look(self, image: bytes) -> Seen:
        """What is in one picture.

        `MindUnavailableError` when it cannot answer now, `MindError` when it cannot read this one.
        """

    async def close(self) -> None:
        """Let go of threads and connections; safe to call twice."""


class Matcher(Protocol):
    """Compares a question with each of a few texts, word by word or by reading both: finer than whole vectors."""

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text meets the question, −1 to 1, in order; `MindError` when it cannot, and nothing is lost."""


class Analyzer(Protocol):
    """Turns text into the terms it is found by."""

    @property
    def version(self) -> int:
        """Positive; grows whenever the same text would give other terms."""

    def terms(self, text: str) -> list[str]:
        """The terms in order, repeats kept; deterministic, and empty for text without words."""


class Tokens(Protocol):
    """Counts what a language model will count, without asking it."""

    def count(self, text: str) -> int:
        """Never less than a common model's own count for ordinary prose; 0 for empty text."""


class Reader(Protocol):
    """Says what people's words mean. It proposes; plain functions decide, and it never writes.

    Every call may raise `MindUnavailableError` (out of reach, busy, too slow: try later) or `MindError` (it answered,
    and the answer could not be used even after one repair).
    """

    @property
    def name(self) -> str:
        """Name and version in one word, recorded beside what it proposed."""

    async def digest(self, talk: Talk) -> Digest:
        """The talk's note, in its own language, and what its people said that is worth knowing.

        Candidates come from messages of role user only, and only the speaker's where one is named.
        """

    async def working_summary(self, talk: Talk, previous: str | None) -> str:
        """Where the talk stands, in one dense sentence with the person's mood; `previous`: what it was before."""

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        """How each second statement, the newer, stands to its first, in order."""

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:
        """What a message of the talk, read with the turns before it, does to each statement, in order."""

    def spent(self) -> list[Spent]:
        """What models were asked since this was last called, failed calls too; an offline reader spends nothing."""

    async def close(self) -> None:
        """Let go of threads, files and connections; safe to call twice."""


class NightReader(Protocol):
    """What night work asks of a mind, which may take its time. It proposes; errors are those of a `Reader`."""

    @property
    def name(self) -> str:
        """Name and version in one word, recorded beside what it proposed."""

    @property
    def rereads(self) -> bool:
        """Whether reading again may find anything the day's reader did not."""

    async def reread(self, talk: Talk) -> Reread:
        """What the talk says, or lets one conclude, beyond `talk.known`; each proposal names its message."""

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        """The matters these notes tell of, at most so many, each note in one of them at most.

        A note that stands alone may be left out. Every summary rests on its notes.
        """

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        """The texts told again in at most so many tokens, in that language, with nothing that is not in them."""

    def spent(self) -> list[Spent]:
        """What models were asked since this was last called, failed calls too."""

    async def close(self) -> None:
        """Let go of connections; safe to call twice."""


class Observer(Protocol):
    """Notices what messages tell of a person's days. It proposes; chance decides what recurs."""

    async def observe(self, messages: Sequence[Message], items: Sequence[KnowledgeItem] = ()) -> list[Observation]:
        """What these messages tell, on the days they tell of; deterministic. `items`: what was learnt from them."""


class Inquirer(Protocol):
    """Says what a question asks for. Quick, in memory, and never a refusal of the text it is given."""

    def topics(self, text: str, language: str | None) -> tuple[str, ...]:
        """The `TOPICS` a text tells of by its first words, most told first; `language` None: it may be in any."""

    def read(
        self, text: str, *, now: datetime, known: Mapping[str, str] = {}, speakers: Mapping[str, str] = {}
    ) -> Inquiry:
        """The question taken apart; deterministic.

        `now` carries the asker's timezone, by which days are told. `known`: folded names, nicknames and relation words
        ("bia", "sister") and the subject each stands for. `speakers`: the same of those whose messages are
        kept.
        """
