"""Which items a view may speak of, and in which order: the part all views share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from relembra.domain.attributes import FORMER, is_state
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, told_beside
from relembra.domain.text import fold

__all__ = ["by_importance", "called", "held", "is_claim", "newest", "next_turn", "of_owner", "said", "without"]

GOES_BY = ("nickname", "name")
Rank = tuple[float, float, str]


def held(items: Iterable[KnowledgeItem], now: datetime, *, speaker: str | None = None) -> list[KnowledgeItem]:
    """What is true now by the owner's own words, the most important first and each id once.

    Left out: what was deleted, superseded, archived, has expired or come to its end, what somebody else claimed, a
    value that is only planned where one at a time is true, and words that stand beside what they put in doubt.
    `speaker`: a name the owner speaks under, where it is not their user name.
    """
    current = {item.id: item for item in items if _is_held(item, now) and not is_claim(item, speaker=speaker)}
    beside = told_beside(current.values())
    return sorted((item for item in current.values() if item.id not in beside), key=by_importance)


def of_owner(items: Iterable[KnowledgeItem]) -> list[KnowledgeItem]:
    """Those about the owner of the memory, in the order given."""
    return [item for item in items if item.subject == SELF]


def is_claim(item: KnowledgeItem, *, speaker: str | None = None) -> bool:
    """Whether somebody other than the owner said it; what people say of themselves is no claim."""
    if item.speaker is None:
        return False
    owner_names = {fold(item.scope.user)} | ({fold(speaker)} if speaker else set())
    said_by = fold(item.speaker)
    return said_by not in owner_names and said_by != fold(item.subject)


def by_importance(item: KnowledgeItem) -> Rank:
    """A key that sorts by weight, then the newest, then id, so that an order never depends on how items came."""
    return (-item.weight, -item.held_from.timestamp(), item.id)


def newest(items: Iterable[KnowledgeItem], attribute: str, now: datetime) -> KnowledgeItem | None:
    """The item of an attribute that holds now: what the person confirmed first, then the one begun last."""
    begun = [item for item in items if item.attribute == attribute and item.held_from <= now]
    return max(begun, key=lambda item: (item.validated, item.held_from, item.id), default=None)


def called(items: Iterable[KnowledgeItem], now: datetime) -> str | None:
    """The name the owner goes by: what they want to be called, else the name they gave."""
    mine = of_owner(held(items, now))
    stated = (newest(mine, attribute, now) for attribute in GOES_BY)
    return next((item.value for item in stated if item is not None and item.value), None)


def next_turn(items: Iterable[KnowledgeItem], now: datetime) -> datetime:
    """When the first of some items begins to hold, ends or expires: until then time alone makes no view another."""
    moments = (moment for item in items for moment in (item.held_from, item.held_until, item.expires_at))
    return min((one for one in moments if one is not None and one > now), default=datetime.max.replace(tzinfo=UTC))


def said(item: KnowledgeItem) -> str:
    """Its value in few words where it has one, else its sentence."""
    return item.value or item.content


def _is_held(item: KnowledgeItem, now: datetime) -> bool:
    if not item.is_current(now) or (is_state(item.attribute, item.type) and item.is_planned(now)):
        return False
    tells_of_the_past = item.type is KnowledgeType.MEMORY or (item.attribute or "").startswith(FORMER)
    return tells_of_the_past or item.held_until is None or item.held_until > now


def without(items: Iterable[KnowledgeItem], used: Sequence[KnowledgeItem]) -> list[KnowledgeItem]:
    """Those not used yet, in the order given."""
    ids = {item.id for item in used}
    return [item for item in items if item.id not in ids]
