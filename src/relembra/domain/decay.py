"""How a belief's weight fades. Biography never does, and nothing the person validated does."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.policy import DecayPolicy

WEEK = timedelta(weeks=1)


def can_fade(item: KnowledgeItem) -> bool:
    """Whether time takes anything from its weight."""
    return item.type is KnowledgeType.EMOTION and not item.validated


def decayed_weight(item: KnowledgeItem, since: datetime, now: datetime, policy: DecayPolicy) -> float:
    """The weight at `now` of an item whose stored weight was right at `since`; whole weeks of silence count.

    Counting whole weeks from `since` makes it the same whether the gardener comes nightly or once a month.
    """
    if not can_fade(item):
        return item.weight
    start = max(since, item.reinforced_at or since)
    weeks = max(0, (now - start) // WEEK)
    return max(0.0, round(item.weight - policy.emotion_a_week * weeks, 6))


def should_archive(weight: float, item: KnowledgeItem, policy: DecayPolicy) -> bool:
    """Whether natural forgetting has come: only what can decay is ever archived for its weight."""
    return can_fade(item) and weight < policy.archive_under


def weighed_until(item: KnowledgeItem) -> datetime:
    """The moment up to which fading is in an item's weight, or from which it counts: when it was last said."""
    return max(item.weighed_at or item.created_at, item.reinforced_at or item.created_at)


def silent_weeks(item: KnowledgeItem, now: datetime) -> int:
    """Whole weeks nobody said it that are not in its weight yet."""
    return max(0, (now - weighed_until(item)) // WEEK)


def faded(item: KnowledgeItem, now: datetime, policy: DecayPolicy) -> KnowledgeItem:
    """The item with the silent weeks taken from its weight, counted as taken; the item itself where there are none.

    It fades no further once it is light enough to be archived, so that one looked at rarely ends where one looked at
    every night does.
    """
    since = weighed_until(item)
    for weeks in range(silent_weeks(item, now) + 1):
        until = since + weeks * WEEK
        weight = decayed_weight(item, since, until, policy)
        if should_archive(weight, item, policy):
            break
    if weight == item.weight:
        return item
    return replace(item, weight=weight, weighed_at=until, updated_at=now, version=item.version + 1)
