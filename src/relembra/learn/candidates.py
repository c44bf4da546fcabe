"""From what a reader proposed to an item: subject and speaker, confidence by the rules, dates, where it came from."""

from __future__ import annotations

from datetime import datetime

from relembra.domain.attributes import about
from relembra.domain.candidate import Candidate
from relembra.domain.changes import titled
from relembra.domain.confidence import first_confidence
from relembra.domain.knowledge import SELF, KnowledgeItem, Source
from relembra.domain.message import Message
from relembra.domain.moment import nearest_to_keep
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Scope
from relembra.domain.text import fold


def item_of(
    candidate: Candidate,
    message: Message,
    *,
    id: str,
    scope: Scope,
    note_id: str | None,
    policy: ConfidencePolicy,
    now: datetime,
) -> KnowledgeItem:
    """The item a candidate would be. What somebody says of another is a claim with its speaker."""
    subject, speaker = whose(candidate, message, scope)
    of_speaker = candidate.subject == SELF and subject != SELF
    content = f"{subject}: {candidate.content}" if of_speaker else candidate.content
    fixed = about(candidate.attribute)
    source = Source.AI_INFERENCE if candidate.inferred else Source.CONVERSATION
    held_from = message.sent_at if candidate.held_from is None else nearest_to_keep(candidate.held_from)
    return KnowledgeItem(
        id=id,
        scope=scope,
        place=message.place,
        type=candidate.type,
        area=candidate.area or fixed.area,
        sub_area=candidate.sub_area or fixed.sub_area,
        subject=subject,
        speaker=speaker,
        attribute=candidate.attribute,
        value=candidate.value,
        title=candidate.title or titled(content),
        content=content,
        language=candidate.language,
        source=source,
        note_id=note_id,
        message_ids=(message.id,),
        evidence=candidate.evidence if candidate.inferred else None,
        confidence=first_confidence(source, candidate.confidence, policy),
        weight=fixed.weight if candidate.weight is None else candidate.weight,
        tags=candidate.tags,
        person=candidate.person,
        held_from=held_from,
        held_until=None if candidate.held_until is None else nearest_to_keep(candidate.held_until),
        expires_at=None if candidate.expires_at is None else nearest_to_keep(candidate.expires_at),
        zone=message.zone,
        created_at=now,
        updated_at=now,
    )


def whose(candidate: Candidate, message: Message, scope: Scope) -> tuple[str, str | None]:
    """Whom it is about and, when that is not the speaker's own self in their own memory, who claims it."""
    owner_speaks = fold(message.author) == fold(scope.user)
    if candidate.subject == SELF:
        return (SELF, None) if owner_speaks else (message.author, message.author)
    if not owner_speaks and fold(candidate.subject) == fold(scope.user):
        return SELF, message.author  # gossip about the owner: kept apart from what they say themselves
    return candidate.subject, message.author
