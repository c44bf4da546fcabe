"""What a caller asked for in plain words, checked and turned into the store's values."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Generic, TypedDict, TypeVar

from relembra.domain.choices import Choice, each, one, several
from relembra.domain.ids import is_id
from relembra.domain.knowledge import ItemState, KnowledgeType, LifeArea, Source
from relembra.domain.moment import in_utc
from relembra.domain.scope import Place
from relembra.errors import InvalidInputError
from relembra.store.port import Cursor, ItemFilter, ItemOrder, Page

T = TypeVar("T")

NO_AREA = "none"
"""What having no area is called by whoever asks for it."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ItemWishes(TypedDict, total=False):
    """Which items: each part narrows, but for `history` (superseded, archived, expired too) and `deleted`."""

    type: Choice
    area: Choice  # "none": of no area
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


def item_filter(
    now: datetime,
    asked_in: Place,
    *,
    type: Choice = None,
    area: Choice = None,
    source: Choice = None,
    tags: Iterable[str] = (),
    subject: str | None = None,
    attribute: str | None = None,
    confidence: float | None = None,
    below: float | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    true_at: datetime | None = None,
    note: str | None = None,
    only: str | None = None,
    history: bool = False,
    deleted: bool = False,
) -> ItemFilter:
    areas, no_area = _areas(area)
    return ItemFilter(
        now=now,
        asked_in=asked_in,
        types=each(KnowledgeType, type, "type"),
        areas=areas,
        no_area=no_area,
        sources=each(Source, source, "source"),
        tags=several(tags, "tags"),
        subject=subject,
        attribute=attribute,
        confidence_at_least=confidence,
        confidence_below=below,
        since=None if since is None else in_utc(since, "since"),
        until=None if until is None else in_utc(until, "until"),
        as_of=None if as_of is None else in_utc(as_of, "as_of"),
        true_at=None if true_at is None else in_utc(true_at, "true_at"),
        note_ids=() if note is None else (_whole_id(note, "note"),),
        only=None if only is None else one(ItemState, only, "only"),
        history=history,
        deleted=deleted,
    ).spelt_out()


def _areas(words: Choice) -> tuple[tuple[LifeArea, ...], bool]:
    """The areas several words name, and whether having none is among them."""
    named = [words] if isinstance(words, str) else list(words or ())
    known = (*LifeArea, NO_AREA)
    for word in named:
        if word not in known:
            raise InvalidInputError(f"no area {word!r}; choose one of {', '.join(known)}", field="area")
    return tuple(LifeArea(word) for word in named if word != NO_AREA), NO_AREA in named


def _whole_id(word: str, field: str) -> str:
    if not is_id(word):
        raise InvalidInputError(f"{word!r} is not the whole id of a {field}", field=field)
    return word


def checked_limit(limit: int, largest: int) -> int:
    if not 1 <= limit <= largest:
        raise InvalidInputError(f"limit {limit} is not between 1 and {largest}", field="limit")
    return limit


def cursor_text(cursor: Cursor | None, order: ItemOrder = ItemOrder.NEWEST) -> str | None:
    """A cursor as one opaque word, which names its order unless that is the usual one."""
    if cursor is None:
        return None
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
        self.next = cursor_text(page.next, order)
