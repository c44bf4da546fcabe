"""How somebody is: tastes, habits, hours, wishes, feelings, values and patterns, each with how often it was seen."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from relembra.domain.attributes import FAVORITE
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.text import fold, shortened
from relembra.recall.rendering import quoted, told
from relembra.views.held import held, of_owner, said

__all__ = ["Trait", "cognitive_profile", "is_pattern", "rendered", "trait_key"]

LONGEST_KEY = 40
HEADING = {"en": "How {name} is", "pt": "Como {name} é"}
SEEN = {"en": "seen {times}×", "pt": "visto {times}×"}

_ALONE = frozenset({"communication", "wake_time", "bedtime", "nickname"})
_BY_TOPIC = frozenset({"likes", "dislikes", "habit", "schedule", "emotion", "value", "opinion", "diet"})
_BY_TYPE = {
    KnowledgeType.PREFERENCE: "preference",
    KnowledgeType.INSIGHT: "pattern",
    KnowledgeType.EMOTION: "emotion",
}
_PATTERNS = frozenset({"habit", "schedule", "wake_time", "bedtime"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """Something that marks a person, under a key like `communication` or `likes.coffee`, and how well it is known."""

    key: str
    value: str
    confidence: float
    observations: int
    updated_at: datetime
    item_ids: tuple[str, ...]

    @property
    def strength(self) -> float:
        """How often it was seen, times how sure it is: what traits are sorted by."""
        return self.observations * self.confidence


def cognitive_profile(
    items: Iterable[KnowledgeItem], *, now: datetime, speaker: str | None = None
) -> tuple[Trait, ...]:
    """The traits of the owner of these items, the strongest first and each key once.

    Items of one key are one trait: their words are joined, their observations added, their confidence is the average
    an observation has.
    """
    grouped: dict[str, list[KnowledgeItem]] = defaultdict(list)
    for item in of_owner(held(items, now, speaker=speaker)):
        if (key := trait_key(item)) is not None:
            grouped[key].append(item)
    traits = [_trait(key, group) for key, group in grouped.items()]
    return tuple(sorted(traits, key=lambda trait: (-trait.strength, -trait.updated_at.timestamp(), trait.key)))


def trait_key(item: KnowledgeItem) -> str | None:
    """The key an item's trait has; None when it says nothing of how somebody is."""
    attribute = item.attribute
    if attribute is not None:
        if attribute in _ALONE or attribute.startswith(FAVORITE):
            return attribute
        if attribute in _BY_TOPIC:
            return f"{attribute}.{_slug(said(item))}"
    if item.type in _BY_TYPE:
        return f"{_BY_TYPE[item.type]}.{_slug(item.value or item.title)}"
    return None


def is_pattern(item: KnowledgeItem) -> bool:
    """Whether it tells of something that recurs: an insight, a habit, an hour, or a feeling seen more than once."""
    recurs = item.type is KnowledgeType.EMOTION and item.observations > 1
    return item.type is KnowledgeType.INSIGHT or item.attribute in _PATTERNS or recurs


def rendered(traits: Sequence[Trait], language: str, *, name: str) -> str:
    """The traits as lines of text, with what is remembered quoted; no traits, no text."""
    if not traits:
        return ""
    rows = [
        f"- {quoted(trait.key)}: {quoted(trait.value)}"
        f" [{SEEN[language].format(times=trait.observations)}, {round(trait.confidence * 100)} %]"
        for trait in traits
    ]
    return "\n".join(["## " + HEADING[language].format(name=quoted(name)), *rows])


def _trait(key: str, group: Sequence[KnowledgeItem]) -> Trait:
    observations = sum(item.observations for item in group)
    sure = sum(item.confidence * item.observations for item in group) / max(observations, 1)
    return Trait(
        key=key,
        value="; ".join(dict.fromkeys(told(item, item.language) for item in group)),
        confidence=round(sure, 4),
        observations=observations,
        updated_at=max(item.reinforced_at or item.updated_at for item in group),
        item_ids=tuple(item.id for item in group),
    )


def _slug(text: str) -> str:
    words = re.findall(r"[^\W_]+", fold(shortened(text, LONGEST_KEY)))
    return "_".join(words) or "other"
