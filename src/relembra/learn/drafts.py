"""Something to be known, as a caller words it, and the item the rules make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from relembra.domain.audit import Actor, ActorKind
from relembra.domain.changes import titled
from relembra.domain.choices import one, several
from relembra.domain.confidence import first_confidence
from relembra.domain.ids import is_id
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.moment import in_utc, to_keep, zone_of
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Place, Scope
from relembra.domain.text import checked_name, checked_text
from relembra.errors import InvalidInputError


class DraftParts(TypedDict, total=False):
    """What may be said about a new item beside its content; see `KnowledgeItem` for what each part means."""

    type: str
    area: str | None
    sub_area: str | None
    title: str | None
    subject: str
    attribute: str | None
    value: str | None
    source: str | None
    confidence: float | None
    weight: float
    priority: int
    tags: Iterable[str]
    related: Iterable[str]
    evidence: str | None
    message_ids: Iterable[str]
    held_from: datetime | None
    expires_at: datetime | None
    local_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An item before it is one; what is left out follows the rules."""

    content: str
    type: str = KnowledgeType.FACT
    area: str | None = None
    sub_area: str | None = None
    title: str | None = None
    subject: str = SELF
    attribute: str | None = None
    value: str | None = None
    source: str | None = None  # user_input from a person, conversation from a machine
    confidence: float | None = None
    weight: float = 1.0
    priority: int = 5
    tags: Iterable[str] = ()
    related: Iterable[str] = ()
    evidence: str | None = None
    message_ids: Iterable[str] = ()
    held_from: datetime | None = None
    expires_at: datetime | None = None
    local_only: bool = False


def worded(
    draft: Draft,
    *,
    id: str,
    scope: Scope,
    place: Place,
    zoned_now: datetime,
    actor: Actor,
    policy: ConfidencePolicy,
    language_of: Callable[[str], str | None],
) -> KnowledgeItem:
    """The item of a draft: every part checked, the rest by the rules. What a person enters is confirmed."""
    content = checked_text(draft.content, "content")
    now = in_utc(zoned_now, "clock")
    held_from = now if draft.held_from is None else to_keep(draft.held_from, "held_from")
    if not isinstance(draft.weight, (int, float)) or not 0.0 <= draft.weight <= 1.0:
        raise InvalidInputError(f"weight {draft.weight!r} is not a number between 0 and 1", field="weight")
    if not isinstance(draft.priority, int) or not 1 <= draft.priority <= 10:
        raise InvalidInputError(f"priority {draft.priority!r} is not a whole number between 1 and 10", field="priority")
    by_hand = actor.is_owner(scope.user)
    source = one(Source, draft.source or (Source.USER_INPUT if by_hand else Source.CONVERSATION), "source")
    if source is Source.USER_INPUT and not by_hand:
        raise InvalidInputError(f"{actor} cannot enter something by hand; use another source", field="source")
    return KnowledgeItem(
        id=id,
        scope=scope,
        place=place,
        type=one(KnowledgeType, draft.type, "type"),
        area=None if draft.area is None else one(LifeArea, draft.area, "area"),
        sub_area=None if draft.sub_area is None else checked_name(draft.sub_area, "sub_area"),
        subject=checked_name(draft.subject, "subject"),
        speaker=actor.name if actor.kind is ActorKind.PERSON and not by_hand else None,
        attribute=None if draft.attribute is None else _attribute(draft.attribute),
        value=None if draft.value is None else checked_text(draft.value, "value"),
        title=titled(content) if draft.title is None else checked_text(draft.title, "title"),
        content=content,
        language=language_of(content),
        source=source,
        message_ids=_ids(draft.message_ids, "message_ids"),
        evidence=None if draft.evidence is None else checked_text(draft.evidence, "evidence"),
        confidence=first_confidence(source, draft.confidence, policy),
        weight=draft.weight,
        priority=draft.priority,
        validated=source is Source.USER_INPUT,
        related=_ids(draft.related, "related"),
        tags=tuple(dict.fromkeys(checked_name(tag, "tag") for tag in several(draft.tags, "tags"))),
        held_from=held_from,
        zone=zone_of(draft.held_from or zoned_now),
        expires_at=None if draft.expires_at is None else to_keep(draft.expires_at, "expires_at"),
        local_only=bool(draft.local_only),
        created_at=now,
        updated_at=now,
    )


def _attribute(name: str) -> str:
    """The attribute's name as rules know it: small letters, words joined."""
    return "_".join(checked_name(name, "attribute").casefold().split())


def _ids(ids: Iterable[str], field: str) -> tuple[str, ...]:
    given = several(ids, field)
    wrong = next((id for id in given if not isinstance(id, str) or not is_id(id)), None)
    if wrong is not None:
        raise InvalidInputError(f"{field} holds {wrong!r}, which is no id", field=field)
    return given
