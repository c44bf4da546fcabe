"""Something to be known, as a caller words it, and the item the rules make of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypedDict

from relembra.domain.audit import Actor, ActorKind, first_confidence, titled
from relembra.domain.candidate import Candidate, Talk
from relembra.domain.knowledge import (
    EVENTS,
    SELF,
    TITLES,
    TOPICS,
    KnowledgeItem,
    KnowledgeType,
    LifeArea,
    Source,
    about,
    first_priority,
    is_known,
)
from relembra.domain.message import Message, Role
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Place, Scope, is_id
from relembra.domain.text import checked_name, checked_text, fold, one, several
from relembra.domain.time import in_utc, local, nearest_to_keep, read_as_of, to_keep, zone_of
from relembra.errors import InvalidInputError
from relembra.learn import pattern
from relembra.learn.values import words_in

_MIND, _BODY, _NOT_BODY = pattern("mind"), pattern("body"), pattern("not_body")
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
    sure = candidate.confidence if candidate.measured else None
    sure = first_confidence(source, candidate.confidence, policy) if sure is None else sure
    is_late = candidate.type is KnowledgeType.EMOTION and read_as_of(message.sent_at, now) != now
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
        confidence=sure,
        weight=fixed.weight if candidate.weight is None else candidate.weight,
        priority=first_priority(candidate.type),
        tags=candidate.tags,
        person=candidate.person,
        held_from=held_from,
        held_until=None if candidate.held_until is None else nearest_to_keep(candidate.held_until),
        expires_at=None if candidate.expires_at is None else nearest_to_keep(candidate.expires_at),
        zone=message.zone,
        created_at=now,
        updated_at=now,
        weighed_at=message.sent_at if is_late else None,  # a feeling of long ago has faded since
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


def by_topic(item: KnowledgeItem, topics: Sequence[str], language: str) -> KnowledgeItem:
    """The item sorted by the topics of its words: they are its tags unless somebody named some, and they tell the area
    of something that happened. `language`: where none is known of the item."""
    spoken = item.language if item.language in TITLES["name"] else language
    area = item.area
    if area is None and item.attribute in EVENTS:
        area = next((area for topic in topics for area in TOPICS[topic].areas), LifeArea.LEISURE)
    return replace(item, area=area, tags=item.tags or tuple(TOPICS[topic].names[spoken] for topic in topics))


LONGEST_STATEMENT = 200  # characters; a longer text tells more than one thing
_JOINED = pattern("joined")
_COPULA = re.compile(r"\A(is|was)(?= [^?]+\Z)", re.IGNORECASE)
_SPOKEN = {"is": "I am", "was": "I was"}


class DraftParts(TypedDict, total=False):
    """What may be said about a new item beside its content; see `KnowledgeItem` for what each part means."""

    type: str | None
    area: str | None
    sub_area: str | None
    title: str | None
    subject: str | None
    attribute: str | None
    value: str | None
    source: str | None
    confidence: float | None
    weight: float
    priority: int | None
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
    type: str | None = None  # what a reader finds in the words, else a fact
    area: str | None = None
    sub_area: str | None = None
    title: str | None = None
    subject: str | None = None  # whom a reader finds in the words, else the person themselves
    attribute: str | None = None
    value: str | None = None
    source: str | None = None  # user_input from a person, conversation from a machine
    confidence: float | None = None
    weight: float = 1.0
    priority: int | None = None  # by its type
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
    if draft.priority is not None and (not isinstance(draft.priority, int) or not 1 <= draft.priority <= 10):
        raise InvalidInputError(f"priority {draft.priority!r} is not a whole number between 1 and 10", field="priority")
    by_hand = actor.is_owner(scope.user)
    type = KnowledgeType.FACT if draft.type is None else one(KnowledgeType, draft.type, "type")
    source = one(Source, draft.source or (Source.USER_INPUT if by_hand else Source.CONVERSATION), "source")
    if source is Source.USER_INPUT and not by_hand:
        raise InvalidInputError(f"{actor} cannot enter something by hand; use another source", field="source")
    return KnowledgeItem(
        id=id,
        scope=scope,
        place=place,
        type=type,
        area=None if draft.area is None else one(LifeArea, draft.area, "area"),
        sub_area=None if draft.sub_area is None else checked_name(draft.sub_area, "sub_area"),
        subject=SELF if draft.subject is None else checked_name(draft.subject, "subject"),
        speaker=actor.name if actor.kind is ActorKind.PERSON and not by_hand else None,
        attribute=None
        if draft.attribute is None
        else "_".join(checked_name(draft.attribute, "attribute").casefold().split()),
        value=None if draft.value is None else checked_text(draft.value, "value"),
        title=titled(content) if draft.title is None else checked_text(draft.title, "title"),
        content=content,
        language=language_of(content),
        source=source,
        message_ids=_ids(draft.message_ids, "message_ids"),
        evidence=None if draft.evidence is None else checked_text(draft.evidence, "evidence"),
        confidence=first_confidence(source, draft.confidence, policy),
        weight=draft.weight,
        priority=draft.priority or first_priority(type),
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


def said_as(item: KnowledgeItem, *, language: str) -> Talk:
    """What was typed, as its person would say it to whoever reads talk."""
    text = _COPULA.sub(lambda found: _SPOKEN[found[1].lower()], item.content.strip())
    message = Message(
        id=item.id, scope=item.scope, conversation=item.id, role=Role.USER, author=item.scope.user, text=text,
        sent_at=item.created_at, zone=item.zone, place=item.place, saved_at=item.created_at,
    )  # fmt: skip
    return Talk((message,), language=language)


def told_whole(talk: Talk, found: Iterable[Candidate]) -> Candidate | None:
    """The one thing a text says; None where it says several, or more than that one."""
    candidates, [message] = list(found), talk.messages
    if len(candidates) != 1 or words_in(candidates[0].evidence or "") != words_in(message.text):
        return None
    value = set(words_in(candidates[0].value or ""))
    if any(value.isdisjoint(words_in(part)) for part in _JOINED.split(message.text)):
        return None  # "Lives in Lisbon and works at Acme"
    is_owner = fold(candidates[0].subject) == fold(message.author)  # "Ana lives in Natal", typed by Ana
    return replace(candidates[0], subject=SELF, person={}) if is_owner else candidates[0]


def understood(item: KnowledgeItem, draft: Draft, read: Candidate | None) -> KnowledgeItem:
    """The item with what a reader found in its words and the caller left out; the words stay as they were typed."""
    if read is None or not _agrees(draft, read):
        return item
    type = item.type if draft.type else read.type
    return replace(
        item,
        type=type,
        priority=draft.priority or first_priority(type),
        area=item.area or area_of(read),
        sub_area=item.sub_area or (None if item.area else read.sub_area),
        subject=item.subject if draft.subject else read.subject,
        attribute=read.attribute,
        value=item.value or (read.value if read.attribute else None),
        person=read.person,
        held_from=nearest_to_keep(read.held_from) if read.held_from and not draft.held_from else item.held_from,
        held_until=nearest_to_keep(read.held_until) if read.held_until else None,
        expires_at=nearest_to_keep(read.expires_at) if read.expires_at and not draft.expires_at else item.expires_at,
    )


def put_right(right: KnowledgeItem, wrong: KnowledgeItem, read: Candidate | None) -> KnowledgeItem:
    """A corrected item with what a reader found in its new words, where they are not those it had with another value.

    An attribute of the caller's own stays, and so does a person whom the words never named.
    """
    is_own = wrong.attribute is not None and not is_known(wrong.attribute)
    if read is None or read.attribute is None or right.value is not None or is_own:
        return right
    is_unnamed = read.subject == SELF and fold(wrong.subject) not in fold(wrong.content)
    is_other = read.attribute != wrong.attribute
    return replace(
        right,
        type=read.type if is_other else right.type,
        area=area_of(read) if is_other else right.area,
        sub_area=read.sub_area if is_other else right.sub_area,
        subject=right.subject if is_unnamed else read.subject,
        attribute=read.attribute,
        value=read.value,
        person=right.person if is_unnamed else read.person,
        held_from=nearest_to_keep(read.held_from) if read.held_from else right.held_from,
        held_until=right.held_until or (nearest_to_keep(read.held_until) if read.held_until else None),
        expires_at=nearest_to_keep(read.expires_at) if read.expires_at else right.expires_at,
    )


def _agrees(draft: Draft, read: Candidate) -> bool:
    """Whether a reading is of what the caller says it is: of that person, and of that type unless it is a mere fact."""
    one_subject = draft.subject is None or read.subject == SELF or fold(read.subject) == fold(draft.subject)
    return one_subject and draft.type in (None, KnowledgeType.FACT, read.type)


def _ids(ids: Iterable[str], field: str) -> tuple[str, ...]:
    given = several(ids, field)
    wrong = next((id for id in given if not isinstance(id, str) or not is_id(id)), None)
    if wrong is not None:
        raise InvalidInputError(f"{field} holds {wrong!r}, which is no id", field=field)
    return given
