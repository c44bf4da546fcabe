"""How well candidates agree with labels: found, junk, and what is right of what was found. Plain functions over rows."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .examples import DETERMINERS, Label, Row


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a reader says of one message; `subject` is a span of words, None for the writer."""

    start: int
    end: int
    tag: str
    status: str
    subject: tuple[int, int] | None
    score: float
    changed: float = 0.0
    verified: float = -1.0
    persons: tuple[tuple[tuple[int, int] | None, float], ...] = ()

    @property
    def rank(self) -> float:
        return self.score if self.verified < 0 else (self.score * self.verified) ** 0.5


def folded(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in plain if unicodedata.category(c) != "Mn")


def name_of(row: Row, subject: tuple[int, int] | None) -> frozenset[str]:
    """The words that name a person, without determiners; empty for the writer."""
    if subject is None:
        return frozenset()
    words = {folded(w.text) for w in row.words[subject[0] : subject[1]] if re.match(r"\w", w.text)}
    return frozenset(words - DETERMINERS) or frozenset(words)


def same_person(row: Row, one: tuple[int, int] | None, other: tuple[int, int] | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(name_of(row, one) & name_of(row, other))


def same_value(one: Candidate | Label, other: Candidate | Label, row: Row) -> bool:
    """Half of the shorter value's words are the other's, by place or, said twice, by word."""
    common = min(one.end, other.end) - max(one.start, other.start)
    shorter = min(one.end - one.start, other.end - other.start)
    if common * 2 >= shorter and common > 0:
        return True
    left, right = (
        {folded(w.text) for w in row.words[x.start : x.end] if re.match(r"\w", w.text)} for x in (one, other)
    )
    return bool(left) and left == right


def count(row: Row, kept: Iterable[Candidate]) -> Counter[str]:
    """What was wanted, found, kept and junk in one message."""
    kept = list(kept)
    total: Counter[str] = Counter(
        wanted=sum(not x.optional for x in row.labels), kept=len(kept), messages=1, empty=int(not row.labels)
    )
    total["empty_left"] = int(not row.labels and bool(kept))
    matched: dict[int, Candidate] = {}
    for one in kept:
        near = [n for n, label in enumerate(row.labels) if same_value(one, label, row)]
        right = [n for n in near if same_person(row, one.subject, row.labels[n].subject)]
        total["junk"] += not right
        total["wrong_person"] += bool(near) and not right
        for n in right:
            better = matched.get(n)
            if better is None or (one.tag == row.labels[n].tag, one.rank) > (
                better.tag == row.labels[n].tag,
                better.rank,
            ):
                matched[n] = one
    for n, one in matched.items():
        label = row.labels[n]
        total["matched"] += 1
        total["found"] += not label.optional
        total["attribute_right"] += one.tag == label.tag or one.tag in label.others
        total["status_right"] += one.status == label.status
    return total


def curve(
    rows: Sequence[Row], candidates: Sequence[Sequence[Candidate]], junks: Sequence[float] = (0.05, 0.1, 0.15, 0.2, 0.3)
) -> dict[str, object]:
    """Most found at each level of junk, with its threshold."""
    out: dict[str, object] = {}
    points = []
    for step in range(5, 100):
        least = step / 100
        total: Counter[str] = Counter()
        for row, mine in zip(rows, candidates, strict=True):
            total += count(row, [c for c in mine if c.rank >= least])
        if total["kept"]:
            points.append((total["junk"] / total["kept"], total["found"] / max(1, total["wanted"]), least, total))
    for level in junks:
        fit = [p for p in points if p[0] <= level]
        if fit:
            _, found, least, total = max(fit, key=lambda p: p[1])
            out[f"{level:.2f}"] = {
                "found": round(found, 3),
                "least": least,
                "empty_left": round(total["empty_left"] / max(1, total["empty"]), 3),
                "attribute": round(total["attribute_right"] / max(1, total["matched"]), 3),
                "status": round(total["status_right"] / max(1, total["matched"]), 3),
                "wrong_person": round(total["wrong_person"] / max(1, total["kept"]), 3),
            }
    return out
