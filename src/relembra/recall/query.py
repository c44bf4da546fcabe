"""What a caller asked for in plain words, checked and turned into the store's values."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Generic, Literal, TypedDict, TypeVar, Unpack

from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Message, Note
from relembra.domain.scope import Place, is_id, may_hear
from relembra.domain.searchable import Inquiry
from relembra.domain.text import Choice, each, one, several
from relembra.domain.time import in_utc
from relembra.errors import InvalidInputError
from relembra.recall.ranking import Hit, MessageHit, NoteHit, Why
from relembra.store.port import Cursor, ItemFilter, ItemOrder, Page

T = TypeVar("T")

NO_AREA = "none"
"""The word that asks for items without an area."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ItemWishes(TypedDict, total=False):
    """Which items: each part narrows, but for `history` (superseded, archived, expired too) and `deleted`."""

    type: Choice
    area: Choice  # "none": of no area
    sub_area: str | None
    source: Choice
    tags: Iterable[str]  # all of them
    subject: str | None
    attribute: str | None
    confidence: float | None  # at least
    below: float | None  # confidence strictly under
    since: datetime | None  # learnt at or after
    until: datetime | None  # learnt before
    as_of: datetime | None  # what was believed at that moment
    true_at: datetime | None  # what was true at that moment, by what is believed now or then
    note: str | None  # learnt in the note of this id
    only: str | None  # confirmed, unconfirmed, questioned, deleted or local
    history: bool
    deleted: bool


def item_filter(now: datetime, asked_in: Place, **wishes: Unpack[ItemWishes]) -> ItemFilter:
    """The store's filter for what a caller asks for; a word or moment that cannot be meant is refused."""
    if unknown := wishes.keys() - ItemWishes.__annotations__.keys():
        raise TypeError(f"items cannot be chosen by {', '.join(sorted(unknown))}")
    note, only, area = wishes.get("note"), wishes.get("only"), wishes.get("area")
    named = [area] if isinstance(area, str) else list(area or ())
    for word in named:
        if word not in (*LifeArea, NO_AREA):
            known = ", ".join((*LifeArea, NO_AREA))
            raise InvalidInputError(f"no area {word!r}; choose one of {known}", field="area", kind="none")
    if note is not None and not is_id(note):
        raise InvalidInputError(f"{note!r} is not the whole id of a note", field="note")

    def moment(name: Literal["since", "until", "as_of", "true_at"]) -> datetime | None:
        given = wishes.get(name)
        return None if given is None else in_utc(given, name)

    return ItemFilter(
        now=now,
        asked_in=asked_in,
        types=each(KnowledgeType, wishes.get("type"), "type"),
        areas=tuple(LifeArea(word) for word in named if word != NO_AREA),
        no_area=NO_AREA in named,
        sub_area=wishes.get("sub_area"),
        sources=each(Source, wishes.get("source"), "source"),
        tags=several(wishes.get("tags", ()), "tags"),
        subject=wishes.get("subject"),
        attribute=wishes.get("attribute"),
        confidence_at_least=wishes.get("confidence"),
        confidence_below=wishes.get("below"),
        since=moment("since"),
        until=moment("until"),
        as_of=moment("as_of"),
        true_at=moment("true_at"),
        note_ids=() if note is None else (note,),
        only=None if only is None else one(ItemState, only, "only"),
        history=wishes.get("history", False),
        deleted=wishes.get("deleted", False),
    ).spelt_out()


def checked_limit(limit: int, largest: int) -> int:
    if not 1 <= limit <= largest:
        raise InvalidInputError(f"limit {limit} is not between 1 and {largest}", field="limit")
    return limit


def cursor_text(cursor: Cursor, order: ItemOrder) -> str:
    """A cursor as one opaque word, which names its order unless that is the usual one."""
    micros = (cursor.at - _EPOCH) // timedelta(microseconds=1)
    confidence = [] if cursor.confidence is None else [repr(cursor.confidence)]
    plain = ":".join([*_named(order), *confidence, str(micros), cursor.id])
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def cursor_from(word: str | None, order: ItemOrder = ItemOrder.NEWEST) -> Cursor | None:
    """The cursor of an order a word stands for; anything else is refused."""
    if word is None:
        return None
    try:
        left = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode()
        for name in _named(order):
            named, _, left = left.partition(":")
            if named != name:
                raise ValueError(f"it is no cursor of the order {order}")
        confidence = None
        if order in (ItemOrder.SUREST, ItemOrder.UNSURE):
            sure, _, left = left.partition(":")
            confidence = float(sure)
        micros, _, id = left.partition(":")
        return Cursor(_EPOCH + timedelta(microseconds=int(micros)), id, confidence)
    except (binascii.Error, ValueError, OverflowError) as exc:
        raise InvalidInputError(f"{word!r} is no cursor a listing in this order gave", field="after") from exc


def _named(order: ItemOrder) -> list[str]:
    return [] if order is ItemOrder.NEWEST else [order.value]


class Listing(list[T], Generic[T]):
    """A page of rows as a list; `next` is the word to pass as `after` for the page behind it, None on the last."""

    def __init__(self, page: Page[T], order: ItemOrder = ItemOrder.NEWEST) -> None:
        super().__init__(page.rows)
        self.next = None if page.next is None else cursor_text(page.next, order)


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
    if wanted.true_at is not None:  # an end that came with a successor counts once that was known
        until = item.held_until if item.superseded_at is None or counts(item.superseded_at) else None
        if item.held_from > wanted.true_at or (until is not None and until <= wanted.true_at):
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
        and wanted.sub_area in (None, item.sub_area)
        and (not wanted.sources or item.source in wanted.sources)
        and set(wanted.tags) <= set(item.tags)
        and wanted.subject in (None, item.subject)
        and wanted.attribute in (None, item.attribute)
        and (wanted.confidence_at_least is None or item.confidence >= wanted.confidence_at_least)
        and (wanted.confidence_below is None or item.confidence < wanted.confidence_below)
        and (not wanted.note_ids or item.note_id in wanted.note_ids)
        and (not wanted.message_ids or not set(wanted.message_ids).isdisjoint(item.message_ids))
        and (wanted.only is None or item.is_in(wanted.only, wanted.as_of))
        and _is_within(item.created_at, wanted.since, wanted.until)
        # when it was learnt, began to hold or was last said
        and (
            wanted.period is None
            or any(
                moment is not None and _is_within(moment, *wanted.period)
                for moment in (item.created_at, item.held_from, item.reinforced_at)
            )
        )
    )


def _is_within(moment: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or moment >= since) and (until is None or moment < until)
