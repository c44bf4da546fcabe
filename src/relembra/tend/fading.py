"""What time and use do to items and notes by themselves: weights fade, priorities move, notes are put away.

Plain functions of a row and a moment. Each gives the row itself where nothing changes, and what it gives is left alone
when it is asked again at the same moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from relembra.domain.attributes import Section, about
from relembra.domain.changes import archived, archived_note
from relembra.domain.decay import WEEK, can_fade, faded, should_archive, silent_weeks
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import DecayPolicy, GardenPolicy, Policy

USUAL = 5
LEARNT = frozenset({Source.CONVERSATION, Source.AI_INFERENCE})
LASTING = frozenset({Section.BIO, Section.RELATIONSHIPS})


@dataclass(frozen=True, slots=True)
class Turn:
    """What becomes of a row by itself: the verb it is recorded with, and why, in words and in numbers."""

    verb: str  # fade, archive, raise, lower
    row: KnowledgeItem | Note
    why: str
    numbers: Mapping[str, float]


def turned(item: KnowledgeItem, now: datetime, policy: Policy, brought_back: datetime | None = None) -> Turn | None:
    """What time and use do to an item; nothing to one the person validated, or about which they are being asked.

    `brought_back`: when it was last taken out of the archive; it then stays for a week at least.
    """
    if item.validated or item.needs_resolution or not item.is_current(now):
        return None
    return _weighed(item, now, policy.decay, brought_back) if can_fade(item) else _moved(item, now, policy.garden)


def is_restless(item: KnowledgeItem, now: datetime, policy: GardenPolicy) -> bool:
    """Whether time alone may still change it."""
    if item.validated or not item.is_current(now):
        return False
    return can_fade(item) or (has_moving_priority(item) and item.priority > _least(item, policy))


def has_moving_priority(item: KnowledgeItem) -> bool:
    """Whether its priority is the gardener's: that of something learnt is, one a person or an import gave is theirs."""
    return not item.validated and item.source in LEARNT and item.type is not KnowledgeType.EMOTION


def used_priority(item: KnowledgeItem, now: datetime, policy: GardenPolicy) -> int:
    """5, one more each time its uses double (1, 3, 7, 15), one less for each idle month since it was used or said.

    What tells who somebody is, or who belongs to them, never sinks below 5.
    """
    raised = min(policy.raised_at_most, (item.accesses + 1).bit_length() - 1)
    last = max(item.created_at, item.last_access or item.created_at, item.reinforced_at or item.created_at)
    return max(_least(item, policy), USUAL + raised - max(0, (now - last) // policy.idle))


def _least(item: KnowledgeItem, policy: GardenPolicy) -> int:
    lasting = item.type is KnowledgeType.PERSON or about(item.attribute).section in LASTING
    return USUAL if lasting else USUAL - policy.lowered_at_most


def _weighed(item: KnowledgeItem, now: datetime, policy: DecayPolicy, brought_back: datetime | None) -> Turn | None:
    weeks = silent_weeks(item, now)
    lighter = faded(item, now, policy)
    numbers: dict[str, float] = {"weeks": weeks, "before": item.weight, "after": lighter.weight}
    kept_out = brought_back is not None and now - brought_back < WEEK
    if should_archive(lighter.weight, item, policy) and weeks > 0 and not kept_out:
        away = replace(archived(lighter, now), version=item.version + 1)
        why = f"a feeling not said again for {_weeks(weeks)}, and now under {policy.archive_under:g}"
        return Turn("archive", away, why, numbers | {"under": policy.archive_under})
    if lighter is item:
        return None
    return Turn("fade", lighter, f"a feeling not said again for {_weeks(weeks)}", numbers)


def _moved(item: KnowledgeItem, now: datetime, policy: GardenPolicy) -> Turn | None:
    if not has_moving_priority(item):
        return None
    priority = used_priority(item, now, policy)
    if priority == item.priority:
        return None
    moved = replace(item, priority=priority, updated_at=now, version=item.version + 1)
    numbers = {"accesses": item.accesses, "before": item.priority, "after": priority}
    if priority > item.priority:
        return Turn("raise", moved, f"used {item.accesses} times", numbers)
    last = max(item.created_at, item.last_access or item.created_at, item.reinforced_at or item.created_at)
    idle = max(0, (now - last).days)
    return Turn("lower", moved, f"neither used nor said for {idle} days", numbers | {"days": idle})


def _weeks(number: int) -> str:
    return "1 week" if number == 1 else f"{number} weeks"


# ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def put_away(note: Note, now: datetime, policy: Policy, brought_back: datetime | None = None) -> Turn | None:
    """A note nobody looked at for as long as its kind is kept at hand, archived; reports of months and such stay."""
    kept_for = {
        NoteKind.CONVERSATION: policy.layers.medium_for,
        NoteKind.TOPIC_CLUSTER: policy.garden.clusters_for,
        NoteKind.WEEKLY: policy.garden.clusters_for,
    }.get(note.kind)
    if kept_for is None or note.archived_at is not None or note.deleted_at is not None:
        return None
    last = max(note.happened_at, note.last_access or note.happened_at, brought_back or note.happened_at)
    if now - last < kept_for:
        return None
    days = (now - last).days
    return Turn("archive", archived_note(note, now), f"not looked at for {days} days", {"days": days})


def tokens_for(note: Note, now: datetime, policy: GardenPolicy) -> int | None:
    """In how many tokens a note's summary should be told by now; None: it may be as long as it is."""
    if note.kind is not NoteKind.CONVERSATION or note.deleted_at is not None:
        return None
    age = now - note.happened_at
    if age >= policy.condense_again_after:
        return min(policy.condensed_tokens, policy.condensed_again_tokens)
    return policy.condensed_tokens if age >= policy.condense_after else None


def retold(note: Note, summary: str) -> Note:
    """The note with another summary; its title, people and messages stay."""
    return replace(note, summary=summary, version=note.version + 1)
