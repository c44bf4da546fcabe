"""Filing a case: the record two items leave when they could not both be current."""

from __future__ import annotations

from datetime import datetime

from relembra.domain.audit import Actor
from relembra.domain.case import Case, Outcome
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import DIRECT, may_hear


def filed(
    new: KnowledgeItem,
    old: KnowledgeItem,
    *,
    id: str,
    why: str,
    outcome: Outcome,
    actor: Actor,
    change: str,
    now: datetime,
    judged_by: str = "rule",
    certainty: float = 1.0,
) -> Case:
    """The case of a new item against an older one; heard in a shared place only where both its sides are."""
    is_open = outcome is Outcome.OPEN
    return Case(
        id=id,
        scope=new.scope,
        place=new.place if may_hear(old.place, new.place) else DIRECT,
        old_id=old.id,
        new_id=new.id,
        judged_by=judged_by,
        why=why,
        certainty=certainty,
        outcome=outcome,
        settled_by=None if is_open else str(actor),
        change=None if is_open else change,
        opened_at=now,
        settled_at=None if is_open else now,
    )
