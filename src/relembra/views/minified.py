"""Facts in the fewest characters: one-letter keys, three-letter types, dates of six digits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypedDict

from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.errors import InvalidInputError
from relembra.recall.rendering import escaped, told
from relembra.views.calendar import day_of
from relembra.views.held import held

__all__ = ["SHORT_NAMES", "MinifiedFact", "dumped", "item_of", "minified", "type_of"]

SHORT_NAMES = {
    KnowledgeType.FACT: "bio",
    KnowledgeType.PREFERENCE: "pref",
    KnowledgeType.EMOTION: "emo",
    KnowledgeType.GOAL: "obj",
    KnowledgeType.PERSON: "per",
    KnowledgeType.MEMORY: "mem",
    KnowledgeType.INSIGHT: "ins",
}
_TYPES = {short: type for type, short in SHORT_NAMES.items()}

SHORTEST_ID = 8


class MinifiedFact(TypedDict):
    """One item in short: id, type, content, weight, and since when as YYMMDD."""

    i: str
    t: str
    c: str
    w: float
    d: str


def minified(items: Iterable[KnowledgeItem], *, now: datetime, speaker: str | None = None) -> list[MinifiedFact]:
    """What is held now, the most important first; ids are as long as telling these items apart takes."""
    current = held(items, now, speaker=speaker)
    length = _telling_apart([item.id for item in current])
    return [
        MinifiedFact(
            i=_digits(item.id)[-length:],
            t=SHORT_NAMES[item.type],
            c=escaped(told(item, item.language)),
            w=round(item.weight, 2),
            d=f"{day_of(item.held_from, item.zone):%y%m%d}",
        )
        for item in current
    ]


def dumped(facts: Sequence[MinifiedFact]) -> str:
    """The list as JSON without a character too many."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def type_of(short: str) -> KnowledgeType:
    """The type a short name stands for."""
    if short not in _TYPES:
        raise InvalidInputError(f"no short type {short!r}; choose one of {', '.join(_TYPES)}", field="t")
    return _TYPES[short]


def item_of(short_id: str, items: Iterable[KnowledgeItem]) -> KnowledgeItem | None:
    """The item a short id stands for among these; None when it is none of them, or more than one."""
    found = [item for item in items if short_id and _digits(item.id).endswith(short_id)]
    return found[0] if len(found) == 1 else None


def _telling_apart(ids: Sequence[str]) -> int:
    """How many of the last digits make all ids different; the first ones are a time, and much alike."""
    digits = [_digits(id) for id in ids]
    longest = max(map(len, digits), default=SHORTEST_ID)
    for length in range(SHORTEST_ID, longest):
        if len({one[-length:] for one in digits}) == len(digits):
            return length
    return longest


def _digits(id: str) -> str:
    return id.replace("-", "")
