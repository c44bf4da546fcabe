"""What a memory is compared with: whole messages ranked by BM25, by cosine, and by the sum of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from relembra.evaluation.datasets.values import Turn
from relembra.minds.port import Analyzer, Tokens, Vector

K1 = 1.2
B = 0.75
METHODS = ("bm25", "vectors", "hybrid")

Numbers = NDArray[np.float32]


class Plain:
    """One person's turns, ranked without a memory."""

    def __init__(self, turns: Sequence[Turn], vectors: Numbers, analyzer: Analyzer) -> None:
        self._turns = turns
        self._vectors = vectors
        self._terms = analyzer.terms
        counts = [Counter(analyzer.terms(turn.text)) for turn in turns]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float32)
        self._norms = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))
        postings: dict[str, tuple[list[int], list[int]]] = {}
        for place, count in enumerate(counts):
            for term, times in count.items():
                where, often = postings.setdefault(term, ([], []))
                where.append(place)
                often.append(times)
        self._postings = {term: (np.array(where), np.array(often)) for term, (where, often) in postings.items()}

    def words(self, text: str) -> Numbers:
        """Every turn's BM25 score."""
        scores = np.zeros(len(self._turns), dtype=np.float32)
        for term in dict.fromkeys(self._terms(text)):
            if term in self._postings:
                where, often = self._postings[term]
                rarity = np.log(1 + (len(self._turns) - len(where) + 0.5) / (len(where) + 0.5))
                scores[where] += rarity * often * (K1 + 1) / (often + self._norms[where])
        return scores

    def scores(self, text: str, vector: Vector) -> dict[str, Numbers]:
        """Every turn's score by each method."""
        words = self.words(text)
        cosines: Numbers = self._vectors @ np.frombuffer(vector, dtype="<f4")
        return {"bm25": words, "vectors": cosines, "hybrid": standard(words) + standard(cosines)}

    def ranked(self, scores: Numbers) -> list[Turn]:
        """All turns, best first; those of one score in the order of time."""
        return [self._turns[place] for place in np.argsort(-scores, kind="stable")]


def standard(scores: Numbers) -> Numbers:
    """Scores with a mean of 0 and a deviation of 1; all 0 where they are all alike."""
    spread = float(scores.std())
    return (scores - scores.mean()) / spread if spread > 0 else np.zeros_like(scores)


def first_sessions(ranked: Sequence[Turn], most: int) -> tuple[str, ...]:
    """Conversations in the order of their best turn."""
    found: dict[str, None] = {}
    for turn in ranked:
        found.setdefault(turn.conversation)
        if len(found) == most:
            break
    return tuple(found)


def filled(ranked: Sequence[Turn], budget: int, count: Callable[[str], int]) -> tuple[tuple[str, ...], int]:
    """Whole messages in rank order as long as they fit, passing over those that do not; their ids and their tokens."""
    kept, spent = [], 0
    for turn in ranked:
        if spent >= budget:
            break
        cost = count(turn.text)
        if spent + cost <= budget:
            kept.append(turn.id)
            spent += cost
    return tuple(kept), spent


class Counted:
    """A token counter that counts each text once."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._known: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = self._tokens.count(text)
        return self._known[text]


def everybody(
    people: Mapping[str, Sequence[Turn]], places: Mapping[tuple[str, str], int], vectors: Numbers, analyzer: Analyzer
) -> Callable[[str], Plain]:
    """A person's baselines, made when they are first asked for; `places` says where a turn's vector stands."""
    made: dict[str, Plain] = {}

    def of(person: str) -> Plain:
        if person not in made:
            turns = people[person]
            rows = [places[person, turn.id] for turn in turns]
            made[person] = Plain(turns, vectors[rows], analyzer)
        return made[person]

    return of
