"""How a belief's weight fades. Biography never does, and nothing the person validated does."""

from __future__ import annotations

from datetime import datetime, timedelta

from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.policy import DecayPolicy

_WEEK = timedelta(weeks=1)


def decayed_weight(item: KnowledgeItem, since: datetime, now: datetime, policy: DecayPolicy) -> float:
    """The weight at `now` of an item whose stored weight was right at `since`; whole weeks of silence count.

    Counting whole weeks from `since` makes it the same whether the gardener comes nightly or once a month.
    """
    if item.type is not KnowledgeType.EMOTION or item.validated:
        return item.weight
    start = max(since, item.reinforced_at or since)
    weeks = max(0, (now - start) // _WEEK)
    return max(0.0, round(item.weight - policy.emotion_a_week * weeks, 6))


def should_archive(weight: float, item: KnowledgeItem, policy: DecayPolicy) -> bool:
    """Whether natural forgetting has come: only what can decay is ever archived for its weight."""
    return item.type is KnowledgeType.EMOTION and not item.validated and weight < policy.archive_under
