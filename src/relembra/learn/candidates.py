"""From what a reader proposed to an item: subject and speaker, confidence by the rules, dates, where it came from."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from relembra.domain.attributes import EVENTS, about
from relembra.domain.candidate import Candidate
from relembra.domain.changes import titled
from relembra.domain.confidence import first_confidence
from relembra.domain.knowledge import SELF, KnowledgeItem, LifeArea, Source
from relembra.domain.message import Message
from relembra.domain.moment import in_utc, local, nearest_to_keep
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Scope
from relembra.domain.text import fold

_MIND = re.compile(r"\b(?:psic(?:olog|anal|oterap)|psiquiatr|terapeuta|terapia|psych|therap(?:y|ist)\b|counsell?or)")
_BODY = re.compile(
    r"\b(?:consultas?\b|medic[oa]s?\b|doctor|dra?\.? |gp\b|dentist|ortodon|orthodon|optic|oculista|cirurg|"
    r"surg(?:ery|eon)|exames? (?:de|do|da|medic)|check-?up|vacina|vaccin|ultrass?o[mu]|ressonancia|tomografia|"
    r"hemograma|endoscopia|colonoscop|mamogra|mammogra|raio-? ?x|x-?ray|mri\b|blood test|scan\b|quimio|chemo|"
    r"fisio|physio|nutricion|nutritionist|pediatr|geriatr|ortoped|orthop|parteira|midwife|hospital\b|clinica\b|clinic\b|"
    r"(?:cardi|dermat|neur|onc|ginec|gynec|gynaec|ur|oftalm|ophthalm|endocrin|gastr|pneum|reumat|rheumat|hemat|nefr|"
    r"nephr|radi|alerg|otorrin|podo|proct|hepat|infect)\w*olog(?:ist|o|a)|alergista)"
)
_NOT_BODY = re.compile(
    r"\b(?:advogad|juridic|contador|lawyer|solicitor|accountant|veterin|vet\b|tarot|taro\b|direcao|motorista|driving)"
)
_HOURLY = timedelta(hours=1)
_ENDS_WITH_A_DAY = re.compile(r"\((?:\d{2}/\d{2}/\d{4}|\d{4}-\d{2}-\d{2})\)$")


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
    told = _with_hour(candidate, message)
    content = f"{subject}: {told}" if of_speaker else told
    fixed = about(candidate.attribute)
    source = Source.AI_INFERENCE if candidate.inferred else Source.CONVERSATION
    held_from = min(message.sent_at, now) if candidate.held_from is None else nearest_to_keep(candidate.held_from)
    return KnowledgeItem(
        id=id,
        scope=scope,
        place=message.place,
        type=candidate.type,
        area=area_of(candidate),
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


def area_of(candidate: Candidate) -> LifeArea | None:
    """What the reader found out, or an attribute says; an appointment may be about one's health all the same."""
    usual = about(candidate.attribute).area
    words = fold(f"{candidate.value or ''} {candidate.content}")
    if candidate.area not in (None, usual) or candidate.attribute not in EVENTS or _NOT_BODY.search(words):
        return candidate.area or usual
    if _MIND.search(words):
        return LifeArea.MENTAL_HEALTH
    return LifeArea.HEALTH if _BODY.search(words) else usual


def _with_hour(candidate: Candidate, message: Message) -> str:
    """What is said of something on a day, with the hour where one was told: "Tem consulta (19/11/2026, 15h)"."""
    begins, ends = candidate.held_from, candidate.expires_at
    if begins is None or ends is None or ends - begins > _HOURLY or not _ENDS_WITH_A_DAY.search(candidate.content):
        return candidate.content
    at = local(in_utc(begins, "held_from"), message.zone)
    hour = f"{at:%H:%M}" if candidate.language != "pt" else f"{at.hour}h{at:%M}" if at.minute else f"{at.hour}h"
    return f"{candidate.content[:-1]}, {hour})"
