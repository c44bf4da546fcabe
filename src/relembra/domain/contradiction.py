"""What happens when two beliefs cannot both be current: priority, and supersession by attribute.

These functions judge values only. Finding the pairs, and asking the person, is for `learn`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from relembra.domain.attributes import SupersessionRule, rule_for
from relembra.domain.knowledge import KnowledgeItem, Source


@dataclass(frozen=True, slots=True)
class Wins:
    """One side is kept and the other superseded, and why."""

    winner: KnowledgeItem
    loser: KnowledgeItem
    why: str


@dataclass(frozen=True, slots=True)
class BothStand:
    """Nothing has to go."""

    why: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Only the person can tell."""

    why: str


Verdict = Wins | BothStand | Ask

TURNS = (SupersessionRule.REPLACE, SupersessionRule.KEEP_HISTORY, SupersessionRule.ON_CHANGE)
"""Rules by which one value follows another in time."""


def prevails(old: KnowledgeItem, new: KnowledgeItem) -> Wins:
    """The three tiers between two that conflict: validated, then confidence, then newer."""
    if old.validated != new.validated:
        return _wins(old, new, new_wins=new.validated, why="confirmed by the person")
    if old.confidence != new.confidence:
        return _wins(old, new, new_wins=new.confidence > old.confidence, why="more certain")
    return _wins(old, new, new_wins=new.created_at >= old.created_at, why="newer")


def judge(
    old: KnowledgeItem,
    new: KnowledgeItem,
    *,
    completed: bool = False,
    changed: bool = False,
    said_at: datetime | None = None,
    certainty: float = 1.0,
    threshold: float = 0.7,
    now: datetime | None = None,
) -> Verdict:
    """What a new item does to an older one of the same subject that says otherwise.

    `certainty`: how sure it is that they contradict, ignored under `threshold`; `completed`: the new one says that
    the old goal was reached; `changed`: it says that things are different now; `said_at`: when the new one was said to
    be so, for what began before is still news ("I moved in March"). What is only planned by `now` ends nothing that
    holds, and nothing that holds ends a plan; of two plans for one day the newer one stands.
    """
    if certainty < threshold:
        return BothStand(f"contradiction at {certainty:.2f}, under {threshold:.2f}")
    if old.attribute is None or old.attribute != new.attribute:
        return Ask("they disagree and no rule covers it")
    rule = rule_for(old.attribute)
    if now is not None and rule in TURNS and (old.is_planned(now) or new.is_planned(now)):
        if old.held_from.date() == new.held_from.date():
            return _temporal(old, new, f"a plan for the {old.attribute} changed")
        return BothStand("one of them is only planned")
    match rule:
        case SupersessionRule.REPLACE:
            if max(new.held_from, said_at or new.held_from) < old.held_from:
                return _temporal(new, old, f"an earlier {old.attribute}")
            return _temporal(old, new, f"{old.attribute} changed")
        case SupersessionRule.KEEP_HISTORY:
            if new.held_from < old.held_from:
                return _temporal(new, old, f"an earlier {old.attribute}")
            return _temporal(old, new, f"a later {old.attribute}")
        case SupersessionRule.CHECK_COMPLETION:
            return _temporal(old, new, "goal completed") if completed else BothStand("goals may coexist")
        case SupersessionRule.ON_CHANGE:
            return _temporal(old, new, f"{old.attribute} changed") if changed else BothStand("both may be true")
        case SupersessionRule.FIXED:
            return Ask(f"{old.attribute} cannot change, so one of the two is wrong")
        case SupersessionRule.COEXIST:
            return Ask(f"{old.attribute} has two values and no rule covers it")
        case other:
            assert_never(other)


def superseded(loser: KnowledgeItem, winner: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """The loser, pointing to its successor; its confidence and content stay what they were."""
    until = max(loser.held_from, winner.held_from)
    return replace(
        loser,
        superseded_by=winner.id,
        superseded_at=now,
        held_until=loser.held_until or until,
        needs_resolution=False,
        updated_at=now,
        version=loser.version + 1,
    )


def questioned(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """The item, still held, with the mark that something stands against it."""
    return replace(item, needs_resolution=True, updated_at=now, version=item.version + 1)


def inheriting(winner: KnowledgeItem, losers: Iterable[KnowledgeItem]) -> KnowledgeItem:
    """The winner at its version, local-only where it takes the place of something that is."""
    if winner.local_only or not any(loser.local_only for loser in losers):
        return winner
    return replace(winner, local_only=True)


def _temporal(earlier: KnowledgeItem, later: KnowledgeItem, why: str) -> Verdict:
    """A change of state follows time, unless the earlier one rests on more: the person's word, or words at all."""
    if earlier.validated and not later.validated:
        return Ask(f"{why}, but the person had confirmed the earlier one")
    if later.source is Source.AI_INFERENCE and earlier.source is not Source.AI_INFERENCE and not later.validated:
        return Ask(f"{why}, but only by inference")
    return Wins(later, earlier, why)


def _wins(old: KnowledgeItem, new: KnowledgeItem, *, new_wins: bool, why: str) -> Wins:
    return Wins(new, old, why) if new_wins else Wins(old, new, why)
