"""What a new item does to those already held of the same subject and attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from relembra.domain.attributes import SupersessionRule, rule_for
from relembra.domain.contradiction import Ask, BothStand, Wins, inheriting, judge, superseded
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.text import fold


@dataclass(frozen=True, slots=True)
class Settled:
    """The new item as it is to be stored, the older ones it ended, and why each decision fell."""

    item: KnowledgeItem
    ended: tuple[KnowledgeItem, ...]
    why: str | None
    asked: tuple[tuple[KnowledgeItem, str], ...] = ()  # older ones only the person can weigh against it, and why


def follows_a_rule(attribute: str | None) -> bool:
    """Whether values of this attribute end one another without being asked."""
    return rule_for(attribute) in (SupersessionRule.REPLACE, SupersessionRule.KEEP_HISTORY, SupersessionRule.FIXED)


def settle(new: KnowledgeItem, held: Sequence[KnowledgeItem], now: datetime) -> Settled:
    """Apply the attribute's own rule against everything held; what only the person can tell is marked so."""
    ended: list[KnowledgeItem] = []
    reasons: list[str] = []
    asked: list[tuple[KnowledgeItem, str]] = []
    for old in held:
        if same_value(old, new):
            continue
        match judge(old, new, now=now):
            case Wins(winner, _, why) if winner is new:
                ended.append(superseded(old, new, now))
                reasons.append(why)
            case Wins(winner, _, why):
                new = replace(superseded(new, winner, now), version=new.version)
                reasons.append(why)
            case Ask(why):
                new = replace(new, needs_resolution=True)
                asked.append((old, why))
                reasons.append(why)
            case BothStand():
                pass
            case other:
                assert_never(other)
    new = inheriting(new, ended)
    return Settled(new, tuple(ended), "; ".join(dict.fromkeys(reasons)) or None, tuple(asked))


def same_value(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether both say the same value, however it is written."""
    return old.value is not None and new.value is not None and fold(old.value) == fold(new.value)
