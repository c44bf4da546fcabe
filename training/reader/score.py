"""How well candidates agree with labels: found, junk, and what is right of what was found. Plain functions over rows."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from relembra.minds.reader.facts import certainty
from relembra.minds.reader.networks import DOES, Person, Span

from .examples import DETERMINERS, Label, Row


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span the tagger claims, what speaks for it, and how sure that makes it; -1: nobody judged it."""

    span: Span
    clues: tuple[float, ...] = ()
    sure: float = -1.0

    @property
    def rank(self) -> float:
        return self.span.score if self.sure < 0 else self.sure


def folded(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in plain if unicodedata.category(c) != "Mn")


def name_of(row: Row, subject: Person) -> frozenset[str]:
    """The words that name a person, without determiners; empty for the writer."""
    if subject is None:
        return frozenset()
    words = {folded(w.text) for w in row.words[subject[0] : subject[1]] if re.match(r"\w", w.text)}
    return frozenset(words - DETERMINERS) or frozenset(words)


def same_person(row: Row, one: Person, other: Person) -> bool:
    """Whether both name one person: in common words, or by the tie a label gives ("Clara", "my sister")."""
    if one is None or other is None:
        return one is other
    mine, theirs = name_of(row, one), name_of(row, other)
    if mine & theirs:
        return True
    ties = [
        (name_of(row, x.subject), name_of(row, (x.start, x.end)))
        for x in row.labels
        if x.tag == "relation" and x.subject
    ]
    return any((mine & a and theirs & b) or (mine & b and theirs & a) for a, b in ties)


def same_value(one: Span | Label, other: Span | Label, row: Row) -> bool:
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
        near = [n for n, label in enumerate(row.labels) if same_value(one.span, label, row)]
        right = [n for n in near if same_person(row, one.span.person, row.labels[n].subject)]
        total["junk"] += not right
        total["wrong_person"] += bool(near) and not right
        for n in right:
            better = matched.get(n)
            if better is None or (one.span.tag == row.labels[n].tag, one.rank) > (
                better.span.tag == row.labels[n].tag,
                better.rank,
            ):
                matched[n] = one
    for n, one in matched.items():
        label = row.labels[n]
        total["matched"] += 1
        total["found"] += not label.optional
        total["attribute_right"] += one.span.tag == label.tag or one.span.tag in label.others
        total["status_right"] += one.span.status == label.status
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


def is_right(row: Row, one: Candidate) -> bool:
    return any(same_value(one.span, x, row) and same_person(row, one.span.person, x.subject) for x in row.labels)


def fitted(rows: Sequence[Row], candidates: Sequence[Sequence[Candidate]], without: str = "") -> list[float]:
    """How much each clue counts, by logistic regression (Newton's steps); one author's rows may be left out."""
    pairs = [
        (c.clues, is_right(row, c))
        for row, own in zip(rows, candidates, strict=True)
        if row.author != without
        for c in own
    ]
    x, y = np.array([clues for clues, _ in pairs]), np.array([right for _, right in pairs], float)
    weights = np.zeros(x.shape[1])
    for _ in range(40):
        likely = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (likely - y) / len(y) + 1e-4 * weights
        bend = (x * (likely * (1 - likely))[:, None]).T @ x / len(y) + 1e-4 * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return [float(w) for w in weights]


def weighed(rows: Sequence[Row], candidates: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    """Candidates with how sure they are, each author's by what the others' taught."""
    learnt = {author: fitted(rows, candidates, author) for author in {row.author for row in rows}}
    return [
        [replace(c, sure=certainty(learnt[row.author], c.clues)) for c in own]
        for row, own in zip(rows, candidates, strict=True)
    ]


def calibration_error(rows: Sequence[Row], candidates: Sequence[Sequence[Candidate]], bins: int = 10) -> float:
    """Mean distance of what is said to be sure from what proves right, over equal bins, weighed by how many are in each."""
    seen = [(c.sure, is_right(row, c)) for row, own in zip(rows, candidates, strict=True) for c in own]
    groups = [[one for one in seen if min(int(one[0] * bins), bins - 1) == k] for k in range(bins)]
    gaps = [abs(sum(s for s, _ in g) - sum(r for _, r in g)) for g in groups]
    return sum(gaps) / max(1, len(seen))


def pair_figures(wanted: Sequence[str], does: np.ndarray) -> dict[str, object]:
    """How well what messages do to known things is told: macro F1, and how many endings are caught at a precision."""
    truth = np.array([DOES.index(x) for x in wanted])
    said = does.argmax(1)
    scores = []
    for k in range(len(DOES)):
        hit = int(((said == k) & (truth == k)).sum())
        scores.append(2 * hit / max(1, int((said == k).sum()) + int((truth == k).sum())))
    over = np.isin(truth, [DOES.index("replaces"), DOES.index("ends")])
    likely = does[:, DOES.index("replaces")] + does[:, DOES.index("ends")]
    order = np.argsort(-likely)
    hits = np.cumsum(over[order])
    precision = hits / np.arange(1, len(order) + 1)
    caught = {
        f"caught at precision {p}": round(float(hits[precision >= p].max(initial=0) / max(1, over.sum())), 3)
        for p in (0.98, 0.95, 0.9, 0.8)
    }
    ranks = np.empty(len(order))
    ranks[np.argsort(likely)] = np.arange(1, len(order) + 1)
    area = (ranks[over].sum() - over.sum() * (over.sum() + 1) / 2) / max(1, over.sum() * (~over).sum())
    f1 = {name: round(score, 3) for name, score in zip(DOES, scores, strict=True)}
    return {
        "pairs": len(wanted),
        "macro": round(float(np.mean(scores)), 3),
        "f1": f1,
        "area": round(float(area), 3),
        **caught,
    }
