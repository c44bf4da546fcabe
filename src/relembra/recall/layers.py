"""The five layers of a work assistant's memory: which layer a row lies in, and how many of each are chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.message import Message, Note, NoteKind
from relembra.domain.policy import LayerPolicy, Policy
from relembra.domain.relevance import work_relevance
from relembra.recall.ranking import NOTE_PRIORITY, Hit, MessageHit, NoteHit

T = TypeVar("T")


class Layer(StrEnum):
    SHORT = "short"  # the session going on
    MEDIUM = "medium"  # notes and exchanges of the last two weeks
    LONG = "long"  # older ones, told briefly or archived
    EPISODIC = "episodic"  # what happened that matters
    SEMANTIC = "semantic"  # facts, preferences, people, goals, patterns


_OCCASIONS = (NoteKind.APPOINTMENT,)


def item_layer(item: KnowledgeItem) -> Layer:
    """Items are what is known, but for what happened, and what was put away."""
    if item.archived_at is not None:
        return Layer.LONG
    return Layer.EPISODIC if item.type is KnowledgeType.MEMORY else Layer.SEMANTIC


def note_layer(note: Note, now: datetime, policy: LayerPolicy) -> Layer:
    """A note is of the medium term until it is too old or put away; one of an occasion stays an episode."""
    if note.kind in _OCCASIONS:
        return Layer.EPISODIC
    if note.archived_at is not None or now - note.happened_at > policy.medium_for:
        return Layer.LONG
    return Layer.MEDIUM


def message_layer(message: Message, now: datetime, policy: LayerPolicy) -> Layer:
    """A message of an earlier talk; those of the session at hand are asked for apart."""
    return Layer.LONG if now - message.sent_at > policy.medium_for else Layer.MEDIUM


def by_layer(
    hits: Sequence[Hit],
    notes: Sequence[NoteHit],
    messages: Sequence[MessageHit],
    *,
    now: datetime,
    policy: Policy,
) -> tuple[list[Hit], list[NoteHit], list[MessageHit]]:
    """The best of each layer, as many as the policy chooses; notes and messages share the medium and the long term.

    A message is weighed by the work assistant's formula, as a note is, so that the two can be compared.
    """
    layers = policy.layers
    most = {layer: getattr(layers, layer.value) for layer in Layer}
    kept_items = _first_of_each(hits, lambda hit: item_layer(hit.item), most)
    told: list[NoteHit | MessageHit] = sorted([*notes, *messages], key=lambda hit: -_work_score(hit))
    medium = [hit for hit in told if _layer(hit, now, layers) is Layer.MEDIUM][: layers.medium_most]
    older = [hit for hit in told if _layer(hit, now, layers) is not Layer.MEDIUM]
    kept = _first_of_each([*medium, *older], lambda hit: _layer(hit, now, layers), most)
    return (
        kept_items,
        [hit for hit in kept if isinstance(hit, NoteHit)],
        [hit for hit in kept if isinstance(hit, MessageHit)],
    )


def _layer(hit: NoteHit | MessageHit, now: datetime, policy: LayerPolicy) -> Layer:
    if isinstance(hit, NoteHit):
        return note_layer(hit.note, now, policy)
    return message_layer(hit.message, now, policy)


def _work_score(hit: NoteHit | MessageHit) -> float:
    accesses = hit.note.accesses if isinstance(hit, NoteHit) else 0
    return work_relevance(NOTE_PRIORITY, hit.why.recency, hit.why.similarity, accesses)


def _first_of_each(rows: Sequence[T], layer_of: Callable[[T], Layer], most: Mapping[Layer, int]) -> list[T]:
    taken: Counter[Layer] = Counter()
    kept = []
    for row in rows:
        layer = layer_of(row)
        if taken[layer] < most[layer]:
            taken[layer] += 1
            kept.append(row)
    return kept
