"""What a question asks for: whom, when, about what, and in whose words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.message import Role

__all__ = ["Inquiry", "Period"]


_TELLING = 0.5  # the least weight of a word that tells what is asked about; it may have two stems


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time named in a question, from `start` up to, not including, `end`, both in UTC."""

    start: datetime
    end: datetime
    text: str  # the words that named it
    precise: bool  # False: vague, as "lately" or "a few days ago" are


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """A question, or the last thing said, as recall needs it. Empty and None: it does not tell."""

    text: str
    language: str | None = None  # pt or en
    core: str  # without greetings and polite wrapping; never empty unless the text is
    names: tuple[str, ...] = ()  # subjects named, as this memory calls them, in order of mention
    mentions: tuple[str, ...] = ()  # handles, without the @
    period: Period | None = None  # when what is asked about was said or happened
    topics: tuple[str, ...] = ()  # most told first
    about: str | None = None  # the first topic in a few words, to compare in meaning
    types: tuple[KnowledgeType, ...] = ()  # to look at first; empty: any
    areas: tuple[LifeArea, ...] = ()  # to look at first; empty: any
    role: Role | None = None  # assistant: asks what the assistant said; user: is about the asker
    weights: Mapping[str, float] = field(default_factory=dict)  # the terms to find it by, each with what it weighs
    past: bool = False  # asks how things were before, not how they are
    ordered: bool = False  # asks for several things, a count, or an order in time

    @property
    def time_alone(self) -> bool:
        """Whether it asks for whatever was in a time: no word of it tells of anything else."""
        return self.period is not None and bool(self.weights) and max(self.weights.values()) < _TELLING
