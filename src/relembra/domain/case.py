"""The case file: one record for every contradiction, with both sides, who judged, why, how it ended, and its undo."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import assert_never

from relembra.domain.knowledge import FORMER, KnowledgeItem, Source, SupersessionRule, about
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.domain.text import fold


class Outcome(StrEnum):
    OPEN = "open"  # only the person can tell
    NEW = "new"
    OLD = "old"
    BOTH = "both"
    NEITHER = "neither"
    UNDONE = "undone"  # the decision was reversed: both are as they were before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Two items that could not both be current. It names them and never quotes them."""

    id: str
    scope: Scope
    place: Place = DIRECT  # where the new side was said, if the old one may be heard there too; else in private
    old_id: str
    new_id: str
    judged_by: str  # "rule", or the name of a reader
    why: str  # the rule's words or the judge's, without anything remembered
    certainty: float = 1.0
    outcome: Outcome = Outcome.OPEN
    settled_by: str | None = None  # an actor, as text; None while it is open
    change: str | None = None  # the audit change that carried the outcome out, to undo it by
    asked: int = 0  # how often the person was asked
    asked_at: datetime | None = None
    opened_at: datetime
    settled_at: datetime | None = None
    version: int = 1


def may_ask(case: Case, now: datetime, *, again_after: timedelta, at_most: int, within: timedelta) -> bool:
    """Whether the question may be put now: not again and again, and what only a reader doubts not for ever."""
    if case.outcome is not Outcome.OPEN or case.asked >= at_most:
        return False
    if case.judged_by != "rule" and now - case.opened_at > within:
        return False
    return case.asked_at is None or now - case.asked_at >= again_after


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
        new_wins, why = new.validated, "confirmed by the person"
    elif old.confidence != new.confidence:
        new_wins, why = new.confidence > old.confidence, "more certain"
    else:
        new_wins, why = new.created_at >= old.created_at, "newer"
    return Wins(new, old, why) if new_wins else Wins(old, new, why)


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
    rule = about(old.attribute).rule
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


_DATA = tomllib.loads((Path(__file__).parent / "states.toml").read_text("utf-8"))
_PARTS = {name: part.format(**_DATA["parts"]) for name, part in _DATA["parts"].items()}
PHRASES: dict[str, str] = {state: phrase.format(**_PARTS) for state, phrase in _DATA["phrases"].items()}
"""How each plain state is said; one may be its own and only member."""
NARROWER: dict[str, list[str]] = _DATA["narrower"]
"""A state and those that follow from it at once."""

_STATES = re.compile("|".join(f"(?P<{state}>{phrase})" for state, phrase in PHRASES.items()))
_LONGEST = 80  # characters; a longer text says more than a state
_MARKS = re.compile(r"[^\w\s-]")
_OPENING = re.compile(
    r"(?:(?:i|he|she|they|ele|ela|eu|the user|o usuario|a usuaria) )?"
    r"(?:(?:am|is|are|im|hes|shes|e|sou|eh|diet|dieta) )?"
)


def state_of(text: str, subject: str = "") -> str | None:
    """The state a statement is of, where it says just that; a subject's name may open it ("Clara is vegan")."""
    if len(text) > _LONGEST:
        return None
    plain = " ".join(_MARKS.sub("", fold(text)).split())
    name = fold(subject)
    if name and plain.startswith(f"{name} "):
        plain = plain[len(name) + 1 :]
    said = _OPENING.match(plain)
    bare = plain[said.end() :] if said else plain
    found = _STATES.fullmatch(bare)
    return None if found is None else found.lastgroup


def state(item: KnowledgeItem) -> str | None:
    """The plain state it tells of, by its words or its value."""
    if item.attribute is not None and item.attribute.startswith(FORMER):
        return None
    said = state_of(item.content, item.subject)
    if said is None and item.attribute == "diet" and item.value is not None:
        return state_of(item.value)
    return said


@lru_cache(maxsize=64)
def implied(state: str) -> frozenset[str]:
    """Every state that follows from one, itself not among them."""
    found: set[str] = set()
    waiting = list(NARROWER.get(state, ()))
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += NARROWER.get(one, ())
    return frozenset(found)


def agree(one: KnowledgeItem, other: KnowledgeItem) -> bool:
    """Whether two items tell the same state, or one that follows from the other."""
    first, second = state(one), state(other)
    if first is None or second is None:
        return False
    return first == second or second in implied(first) or first in implied(second)
