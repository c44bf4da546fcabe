"""When a kept item is the thing a label expects: the same subject, and all the label's words in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta

from bench.hygiene.labels import Label
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.moment import local
from relembra.domain.text import fold

Ties = frozenset[tuple[str, str]]
"""A relation and the name of somebody who is it to the person, both folded."""


def ties_of(items: Iterable[KnowledgeItem]) -> Ties:
    """Who is who, by the items that say so: "mãe" and "Helena" are then one person."""
    found = set()
    for item in items:
        relation = item.person.get("relation") or (item.value if item.attribute == "relation" else None)
        if relation:
            found |= {(fold(relation), fold(name)) for name in (item.subject, item.person.get("name")) if name}
    return frozenset(found)


def fits(label: Label, item: KnowledgeItem, ties: Ties = frozenset()) -> bool:
    return same_subject(label, item, ties) and holds_words(label, item)


def same_subject(label: Label, item: KnowledgeItem, ties: Ties = frozenset()) -> bool:
    wanted, had = fold(label.subject), fold(item.subject)
    return wanted == had or (wanted, had) in ties or (had, wanted) in ties


def holds_words(label: Label, *items: KnowledgeItem) -> bool:
    """Whether each word of the label, in one of its forms, stands in what these items say together.

    Every item has a day and "12" is an age more often, so a day counts as said only for a label with a date, and for
    one whose attribute is a day ("10-14") in an item of that attribute.
    """
    said = fold(" ".join(part for item in items for part in _parts(item)))
    days = " ".join(day_of(item) for item in items)
    named = any(item.attribute == label.attribute for item in items)
    return all(
        any(_stands(one, said) or ((label.date or (named and "-" in one)) and _stands(one, days)) for one in word)
        for word in label.words
    )


def dated_right(label: Label, item: KnowledgeItem) -> bool:
    """Whether the item begins, ends or is over on the label's day, or in its month, or says that day in figures."""
    if label.date is None:
        return False
    last = None if item.expires_at is None else item.expires_at - timedelta(microseconds=1)
    moments = [local(moment, item.zone) for moment in (item.held_from, item.held_until, last) if moment is not None]
    written = "/".join(reversed(label.date.split("-")))
    return any(moment.date().isoformat().startswith(label.date) for moment in moments) or any(
        day in f"{item.content} {item.value or ''}" for day in (label.date, written)
    )


def assigned(labels: Sequence[Label], items: Sequence[KnowledgeItem], ties: Ties) -> dict[int, int]:
    """Which item stands for which label, by their places: as many as can be, those needed first, each item once.

    Of several items that fit, one with the label's own attribute is taken where that costs no other label its item.
    """
    choices = [
        sorted(
            (number for number, item in enumerate(items) if fits(label, item, ties)),
            key=lambda number: items[number].attribute != label.attribute,
        )
        for label in labels
    ]
    taken: dict[int, int] = {}  # item: label

    def placed(label: int, tried: set[int]) -> bool:
        for item in choices[label]:
            if item not in tried:
                tried.add(item)
                if item not in taken or placed(taken[item], tried):
                    taken[item] = label
                    return True
        return False

    for number in sorted(range(len(labels)), key=lambda number: (labels[number].optional, len(choices[number]))):
        placed(number, set())
    return {label: item for item, label in taken.items()}


def day_of(item: KnowledgeItem) -> str:
    """The day it began, on the clock of whoever said it."""
    return local(item.held_from, item.zone).date().isoformat()


def _parts(item: KnowledgeItem) -> Iterable[str]:
    yield item.content
    yield item.value or ""
    yield item.subject
    yield from item.person.values()


def _stands(word: str, text: str) -> bool:
    """A part of a word is enough, but a number is one only whole: 6 is not in 16."""
    before = r"(?<!\d)" if word[:1].isdigit() else ""
    after = r"(?!\d)" if word[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(word)}{after}", text) is not None
