"""The two arms over a shelf: nearest vectors, and BM25 over its own terms."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.relevance import bm25_term, inverse_document_frequency
from relembra.store.memory.shelf import Shelf
from relembra.store.port import (
    Candidate,
    Kind,
    Query,
)


def search_shelf(
    shelf: Shelf,
    kind: Kind,
    rows: Mapping[str, KnowledgeItem] | Mapping[str, Message],
    query: Query,
    terms: Mapping[str, Counter[str]],
) -> list[Candidate]:
    """The union of both arms' best among these rows, whose terms are given."""
    cosines = _cosines(shelf, kind, rows, query)
    indexed = [counted for (other, _), counted in shelf.terms.items() if other is kind]
    scores = _scores(indexed, terms, query.terms)
    by_keyword = _best(scores, query.limit)
    return [
        _candidate(
            rows[id],
            cosines.get(id),
            scores[id] if id in by_keyword else None,
            tuple(term for term in query.terms if term in terms[id]) if id in by_keyword else (),
        )
        for id in _best(cosines, query.limit) | by_keyword
    ]


def _candidate(
    row: KnowledgeItem | Message, cosine: float | None, bm25: float | None, terms: tuple[str, ...]
) -> Candidate:
    if isinstance(row, Message):
        return Candidate(row.id, cosine, bm25, terms, row.sent_at)
    moment = row.reinforced_at or row.held_from
    weighed = (row.weight, row.priority, row.accesses)
    return Candidate(row.id, cosine, bm25, terms, moment, *weighed)


def _best(scores: Mapping[str, float], limit: int) -> set[str]:
    return set(heapq.nsmallest(limit, scores, key=lambda id: (-scores[id], id)))


def _cosines(shelf: Shelf, kind: Kind, ids: Iterable[str], query: Query) -> dict[str, float]:
    """The cosine of every row that has a vector of the query's model."""
    if query.vector is None or query.model is None:
        return {}
    import numpy as np  # slow to load, and a store without vectors does without

    vectors = {id: vector for id in ids if (vector := shelf.vectors.get((kind, id, query.model))) is not None}
    if not vectors:
        return {}
    matrix = np.frombuffer(b"".join(vectors.values()), dtype="<f4").reshape(len(vectors), -1)
    cosines = matrix @ np.frombuffer(query.vector, dtype="<f4")
    return dict(zip(vectors, cosines.tolist(), strict=True))


def _scores(
    indexed: Collection[Counter[str]], terms: Mapping[str, Counter[str]], asked: Sequence[str]
) -> dict[str, float]:
    """The BM25 score of every row that holds a term, by the statistics of all indexed rows of its kind."""
    documents = max(len(indexed), 1)
    average = sum(counted.total() for counted in indexed) / documents or 1.0
    idf = {term: inverse_document_frequency(documents, sum(term in counted for counted in indexed)) for term in asked}
    return {
        id: sum(bm25_term(idf[term], counted[term], counted.total(), average) for term in asked if term in counted)
        for id, counted in terms.items()
        if any(term in counted for term in asked)
    }
