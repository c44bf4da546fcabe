"""What a recall found, what let each row through, and what kept the others out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from relembra.domain.inquiry import Inquiry
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.scope import may_hear
from relembra.recall.ranking import Hit, MessageHit, NoteHit, Why
from relembra.store.port import ItemFilter


class Miss(StrEnum):
    """Why a row that matched is not among what was recalled."""

    DELETED = "deleted"
    ELSEWHERE = "elsewhere"  # learnt where it may not be heard from here
    UNKNOWN_THEN = "unknown then"  # learnt after the moment asked for
    UNTRUE_THEN = "untrue then"  # not held at the moment asked for
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"  # and the match is not strong enough to bring it back
    EXPIRED = "expired"
    OUTDONE = "outdone"  # a newer value of the same attribute is shown
    FILTERED = "filtered"  # of another kind, person or time than asked for
    SHOWN = "shown"  # a message that stands in the conversation at hand already
    TOLD = "told"  # a note of nothing but a message that is shown itself
    WEAK = "weak"  # too little like the question
    OUTRANKED = "outranked"  # others were better, and there is room for so many
    CUT = "cut"  # chosen, and the token budget was spent


@dataclass(frozen=True, slots=True)
class Missed:
    """A row that matched and was left out."""

    row: KnowledgeItem | Note | Message
    miss: Miss
    score: float
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What a question brought back, each list best first. Conversations are ranked by all their messages."""

    query: str
    inquiry: Inquiry
    items: tuple[Hit, ...] = ()
    notes: tuple[NoteHit, ...] = ()
    messages: tuple[MessageHit, ...] = ()
    conversations: tuple[str, ...] = ()
    missed: tuple[Missed, ...] = ()  # only where a trace was asked for


def barred(item: KnowledgeItem, wanted: ItemFilter) -> Miss | None:
    """What keeps an item out of an answer, the gravest reason first; None where nothing does."""

    wanted = wanted.spelt_out()

    def counts(mark: datetime | None) -> bool:
        """Whether it had happened by the moment asked for."""
        return mark is not None and (wanted.as_of is None or mark <= wanted.as_of)

    if not may_hear(item.place, wanted.asked_in):
        return Miss.ELSEWHERE
    if counts(item.deleted_at) and not wanted.deleted:
        return Miss.DELETED
    if not _is_asked_for(item, wanted):
        return Miss.FILTERED
    if wanted.as_of is not None and item.created_at > wanted.as_of:
        return Miss.UNKNOWN_THEN
    if wanted.true_at is not None and not _held_at(item, wanted.true_at, ended=counts(item.superseded_at)):
        return Miss.UNTRUE_THEN
    if wanted.history:
        return None
    if counts(item.superseded_at) and wanted.true_at is None:
        return Miss.SUPERSEDED
    if counts(item.archived_at) and not wanted.archived:
        return Miss.ARCHIVED
    if item.expires_at is not None and item.expires_at <= (wanted.true_at or wanted.as_of or wanted.now):
        return Miss.EXPIRED
    return None


def _is_asked_for(item: KnowledgeItem, wanted: ItemFilter) -> bool:
    """Whether it is of the kinds, the person and the time a caller narrowed the question to."""
    return (
        (not wanted.types or item.type in wanted.types)
        and wanted.takes(item.area)
        and (not wanted.sources or item.source in wanted.sources)
        and set(wanted.tags) <= set(item.tags)
        and wanted.subject in (None, item.subject)
        and wanted.attribute in (None, item.attribute)
        and (wanted.confidence_at_least is None or item.confidence >= wanted.confidence_at_least)
        and (wanted.confidence_below is None or item.confidence < wanted.confidence_below)
        and (not wanted.note_ids or item.note_id in wanted.note_ids)
        and (wanted.only is None or item.is_in(wanted.only, wanted.as_of))
        and _is_within(item.created_at, wanted.since, wanted.until)
        and (wanted.period is None or any(_is_within(moment, *wanted.period) for moment in _moments(item)))
    )


def _moments(item: KnowledgeItem) -> Iterator[datetime]:
    """When it was learnt, began to hold and was last said."""
    return (moment for moment in (item.created_at, item.held_from, item.reinforced_at) if moment is not None)


def _is_within(moment: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or moment >= since) and (until is None or moment < until)


def _held_at(item: KnowledgeItem, moment: datetime, *, ended: bool) -> bool:
    """Whether it was held at a moment; an end that came with a successor counts once that was known."""
    until = item.held_until if ended or item.superseded_at is None else None
    return item.held_from <= moment and (until is None or until > moment)
