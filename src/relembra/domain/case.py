"""The case file: one record for every contradiction, with both sides, who judged, why, how it ended, and its undo."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from relembra.domain.scope import DIRECT, Place, Scope


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
