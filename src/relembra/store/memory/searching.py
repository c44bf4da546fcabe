"""The two arms over a shelf: nearest vectors, and BM25 over its own terms."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import islice

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.relevance import bm25_term, inverse_document_frequency
from relembra.minds.port import Vector
from relembra.store.memory.shelf import Shelf
from relembra.store.port import (
    Candidate,
    Kind,
    Query,
)


def search_shelf(
    shelf: Shelf,
    kind: Kind,
    rows: Mapping[str, KnowledgeItem] | Mapping[str, Message] | Mapping[str, Note],
    query: Query,
    terms: Mapping[str, Counter[str]],
) -> list[Candidate]:
    """The union of both arms' best among these rows, whose terms are given, and of what is asked for by id."""
    cosines = _cosines(shelf, kind, rows, query)
    nearest = _best({id: max(parts) for id, parts in cosines.items()}, query.limit)
    indexed = [counted for (other, _), counted in shelf.terms.items() if other is kind]
    idf = _rarities(indexed, query)
    scores = _scores(indexed, terms, idf)
    whole = sum(idf.values()) or 1.0
    by_keyword = _best(scores, query.limit)
    found = []
    chosen = nearest | by_keyword | {id for id in query.also if id in rows}
    for id in chosen | ({id for id in _openings(shelf, rows, chosen) if id in rows} if query.limit > 0 else set()):
        candidate = _weighed(rows[id])._replace(length=shelf.terms.get((kind, id), Counter()).total())
        if candidate.conversation is not None:
            candidate = candidate._replace(opens=_opening(shelf, candidate.conversation) == id)
        if id in scores:
            held = tuple(term for term in query.terms if term in terms[id])
            shares = tuple(idf[term] / whole for term in held)
            candidate = candidate._replace(bm25=scores[id], terms=held, shares=shares)
        if parts := cosines.get(id):
            candidate = candidate._replace(cosine=max(parts), whole=parts[0], part=parts.index(max(parts)))
        found.append(candidate)
    return found


def _openings(
    shelf: Shelf, rows: Mapping[str, KnowledgeItem] | Mapping[str, Message] | Mapping[str, Note], ids: Iterable[str]
) -> set[str]:
    """The first messages of the conversations these messages are of."""
    found = [rows[id] for id in ids]
    return {_opening(shelf, name) for name in {row.conversation for row in found if isinstance(row, Message)}}


def _opening(shelf: Shelf, conversation: str) -> str:
    """The id of a conversation's first message."""
    said = (message for message in shelf.messages.values() if message.conversation == conversation)
    return min(said, key=lambda message: (message.sent_at, message.id)).id


def _weighed(row: KnowledgeItem | Message | Note) -> Candidate:
    """A candidate without evidence."""
    if isinstance(row, Message):
        return Candidate(row.id, None, None, (), row.sent_at, conversation=row.conversation, role=row.role)
    if isinstance(row, Note):
        archived = row.archived_at is not None
        return Candidate(row.id, None, None, (), row.happened_at, accesses=row.accesses, archived=archived)
    moment = row.reinforced_at or row.held_from
    weighed = Candidate(row.id, None, None, (), moment, row.weight, row.priority, row.accesses)
    weighed = weighed._replace(archived=row.archived_at is not None)
    return weighed._replace(type=row.type, area=row.area, subject=row.subject, note_id=row.note_id)


def _best(scores: Mapping[str, float], limit: int) -> set[str]:
    return set(heapq.nsmallest(limit, scores, key=lambda id: (-scores[id], id)))


def _cosines(shelf: Shelf, kind: Kind, ids: Iterable[str], query: Query) -> dict[str, list[float]]:
    """The cosines of every row that has vectors of the query's model, part by part."""
    if query.vector is None or query.model is None:
        return {}
    import numpy as np  # slow to load, and a store without vectors does without

    asked = np.frombuffer(query.vector, dtype="<f4")
    vectors = {id: parts for id in ids if (parts := shelf.vectors.get((kind, id, query.model))) is not None}
    if not vectors:
        return {}
    every = [vector for row in vectors.values() for vector in row]
    cosines = iter((np.frombuffer(b"".join(every), dtype="<f4").reshape(len(every), -1) @ asked).tolist())
    return {id: list(islice(cosines, len(row))) for id, row in vectors.items()}


def nearest(
    shelf: Shelf, kind: Kind, model: str, vector: Vector, limit: int, at_least: float
) -> list[tuple[str, float]]:
    """The rows of a kind nearest to a vector, nearest first and then by id."""
    ids = [id for other, id, name in shelf.vectors if (other, name) == (kind, model)]
    query = Query(terms=(), vector=vector, model=model, limit=limit)
    best = {id: max(parts) for id, parts in _cosines(shelf, kind, ids, query).items()}
    found = sorted((-cosine, id) for id, cosine in best.items() if cosine >= at_least)
    return [(id, -cosine) for cosine, id in found[: max(0, limit)]]


def _rarities(indexed: Collection[Counter[str]], query: Query) -> dict[str, float]:
    """How telling each of the query's terms is, times its weight, by the statistics of all indexed rows of a kind."""
    documents = max(len(indexed), 1)
    return {
        term: weight * inverse_document_frequency(documents, sum(term in counted for counted in indexed))
        for term, weight in zip(query.terms, query.weights or [1.0] * len(query.terms), strict=True)
    }


def _scores(
    indexed: Collection[Counter[str]], terms: Mapping[str, Counter[str]], idf: Mapping[str, float]
) -> dict[str, float]:
    """The BM25 score of every row that holds a term."""
    average = sum(counted.total() for counted in indexed) / max(len(indexed), 1) or 1.0
    return {
        id: sum(bm25_term(idf[term], counted[term], counted.total(), average) for term in idf if term in counted)
        for id, counted in terms.items()
        if any(term in counted for term in idf)
    }
