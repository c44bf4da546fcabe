"""What every data set becomes: people's turns in the order of time, and questions that know their evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Literal

Half = Literal["first", "second", "all"]
HALVES: tuple[Half, ...] = ("first", "second", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message to save, in somebody's memory, under an id of the data set's own."""

    id: str
    person: str
    conversation: str
    text: str
    at: datetime
    assistant: bool = False
    author: str | None = None  # who spoke, where that is neither the person nor the assistant


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a memory at a moment, and the ids of the turns and conversations that answer it."""

    id: str
    person: str
    text: str
    type: str
    at: datetime
    evidence: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    newest: tuple[str, ...] = ()  # the evidence that holds now
    older: tuple[str, ...] = ()  # what it replaced
    answer: str = ""


@dataclass(frozen=True)
class Dataset:
    """Turns and questions; `left_out` counts the questions without evidence."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    left_out: int = 0

    @cached_property
    def by_id(self) -> dict[tuple[str, str], Turn]:
        """Each turn by its person and id."""
        return {(turn.person, turn.id): turn for turn in self.turns}

    @cached_property
    def people(self) -> dict[str, list[Turn]]:
        """Everybody's turns."""
        found: dict[str, list[Turn]] = {}
        for turn in self.turns:
            found.setdefault(turn.person, []).append(turn)
        return found

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same turns in the same order, whatever is asked of them."""
        digest = hashlib.sha256()
        for turn in self.turns:
            parts = (turn.id, turn.person, turn.conversation, turn.text, turn.at.isoformat(), str(turn.assistant))
            digest.update("\x1f".join((*parts, turn.author or "")).encode() + b"\x1e")
        return digest.hexdigest()[:16]

    def chosen(self, half: Half = "all", limit: int | None = None) -> Dataset:
        """The same turns with some of the questions: a half that never changes, and at most so many of it."""
        kept = [question for question in self.questions if half == "all" or half_of(question.id) == half]
        return replace(self, questions=tuple(kept[:limit]))


def half_of(id: str) -> Half:
    """Which half a question belongs to, by its id alone; the policy's numbers were chosen on the first halves."""
    return "first" if hashlib.sha1(id.encode(), usedforsecurity=False).digest()[-1] % 2 == 0 else "second"


def in_order(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Turns in the order of time; those of one moment stay as they came."""
    return tuple(sorted(turns, key=lambda turn: turn.at))


def sessions_of(evidence: Iterable[str], conversations: dict[str, str]) -> tuple[str, ...]:
    """The conversations the evidence is in, each once."""
    return tuple(dict.fromkeys(conversations[id] for id in evidence))
