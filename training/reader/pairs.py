"""Pairs of something known and a message, made from labels: what they repeat, replace, end, or leave alone.

The pairs people wrote are few and hard; these are many and plain, and teach what a message does not touch.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from relembra.domain.knowledge import is_single
from relembra.domain.text import fold
from relembra.minds.offline.text import listed
from relembra.minds.reader.wording import Phrase, called, sentence

from .examples import Label, Row

LASTING = frozenset(
    ("age", "allergy", "birthday", "birthplace", "blood_type", "favorite", "height", "language", "name", "nationality")
)
"""What hardly any message ends."""
MANY = frozenset(("likes", "dislikes", "skill", "language", "possession", "condition", "allergy", "medication"))
"""Of which one more says nothing of the others."""
TIES = frozenset(
    listed(
        "mãe pai irmã irmão filha filho marido esposa tia tio avó avô mom mum mother dad father sister brother daughter"
        " son husband wife aunt uncle grandmother grandfather"
    )
)

Pair = tuple[str, str]
"""Something known, and what the message does to it."""


@dataclass(frozen=True, slots=True)
class Known:
    """A label as the memory would hold it."""

    tag: str
    value: str
    whose: str | None
    text: str


def known(row: Row, label: Label) -> Known | None:
    """The statement a label would have become were it current; None where no template words it."""
    value, who = said(row, label.start, label.end), said(row, *label.subject) if label.subject else None
    text = worded(row.lang, label.tag, value, who)
    return Known(label.tag, value, who, text) if text else None


def said(row: Row, start: int, end: int) -> str:
    return row.text[row.words[start].start : row.words[end - 1].end]


def worded(language: str, tag: str, value: str, who: str | None) -> str | None:
    tie = who.lower() if who and who.lower() in TIES else None
    name = called(who, tie, "pt" if language == "pt" else "en") if who else None
    return sentence(Phrase(tag, "current", value, None, name), "pt" if language == "pt" else "en")


def made(rows: Sequence[Row], seed: int) -> Iterator[tuple[Row, Pair]]:
    """Some pairs of every row."""
    rng = random.Random(seed)
    bank: dict[tuple[str, str], list[Known]] = defaultdict(list)
    for row in rows:
        for label in row.labels:
            if label.status == "current" and not label.optional and (one := known(row, label)):
                bank[row.lang, label.tag].append(one)
    everything = {
        lang: [one for (own, _), ones in bank.items() if own == lang for one in ones] for lang in ("pt", "en")
    }
    for row in rows:
        if row.lang in everything:
            yield from ((row, pair) for pair in of_row(row, bank, everything[row.lang], rng))


def of_row(row: Row, bank: dict, everything: Sequence[Known], rng: random.Random) -> Iterator[Pair]:
    turns = row.kind == "change" or any(does in ("replaces", "ends") for _, does in row.held)
    told = {label.tag for label in row.labels}
    folded = fold(row.text)
    for _ in range(2 if turns else 1):
        other = rng.choice(everything)
        if fold(other.value) not in folded and other.tag not in told and (not turns or other.tag in LASTING):
            yield other.text, "nothing"
    for label in row.labels:
        own = known(row, label)
        if own is None or label.optional:
            continue
        others = bank[row.lang, label.tag]
        if label.status == "current" and rng.random() < 0.2:
            yield own.text, "repeats"
        if label.status in ("former", "denied") and rng.random() < 0.6:
            yield own.text, "ends"
        if label.status != "current" or not others:
            continue
        another = rng.choice(others)
        if shares(another.value, folded):
            continue
        same_one = worded(row.lang, label.tag, another.value, own.whose)
        if same_one and is_single(label.tag) and label.tag != "relation" and rng.random() < 0.4:
            yield same_one, "replaces"
        if same_one and label.tag in MANY and rng.random() < 0.4:
            yield same_one, "nothing"
        whose = another.whose if own.whose is None else None
        if (own.whose is None) != (whose is None) and rng.random() < 0.4:
            told_of = worded(row.lang, label.tag, another.value, whose)
            if told_of and (whose is None or fold(whose) not in folded) and not turns:
                yield told_of, "nothing"


def shares(value: str, said: str) -> bool:
    """Whether a word of a value that says something stands in a folded text."""
    return any(word in said for word in fold(value).split() if len(word) > 3 or word.isdigit())
