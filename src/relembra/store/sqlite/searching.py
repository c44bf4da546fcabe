"""The two arms over one person's rows: nearest vectors, by an exact scan, and BM25 over their own postings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

import apsw

from relembra.domain.relevance import BM25_B, BM25_K1, bm25_term, inverse_document_frequency
from relembra.domain.scope import Scope
from relembra.domain.searchable import message_text
from relembra.errors import InvalidInputError
from relembra.minds.port import Analyzer, Vector
from relembra.store import rows
from relembra.store.port import Candidate, Kind, Query
from relembra.store.sqlite.filters import Wanted
from relembra.store.sqlite.indexing import TABLES
from relembra.store.sqlite.statements import SQL, fetched, filled

_WIDER = 8
_WEIGHED = {
    Kind.ITEM: ("row.id, coalesce(row.reinforced_at, row.held_from), row.weight, row.priority, row.accesses"),
    Kind.MESSAGE: "row.id, row.sent_at",
}
_TAIL = filled("unindexed_messages", columns=rows.MESSAGE_COLUMNS)


class _Hit(NamedTuple):
    """A row as an arm found it, before anybody looked whether it is wanted."""

    id: bytes
    score: float
    terms: tuple[int, ...]  # places in the query, of the keyword arm only


@dataclass(slots=True)
class _Slice:
    """One person's rows of a kind, and what a ranking weighs of those a search has looked at so far."""

    db: apsw.Connection
    scope: Scope
    kind: Kind
    wanted: Wanted
    fetched: dict[bytes, rows.Row]

    @property
    def number(self) -> int:
        return rows.KIND_NUMBERS[self.kind]

    def kept(self, hits: list[_Hit]) -> list[_Hit]:
        """Those whose rows are wanted, in the same order."""
        missing = tuple(hit.id for hit in hits if hit.id not in self.fetched)
        if missing:
            statement = filled(
                "wanted_rows", columns=_WEIGHED[self.kind], table=TABLES[self.kind], wanted=self.wanted.sql
            )
            values = (apsw.carray(missing), self.scope.tenant, self.scope.user, *self.wanted.values)
            self.fetched.update((row[0], row) for row in self.db.execute(statement, values))
        return [hit for hit in hits if hit.id in self.fetched]

    def best(self, arm: Callable[[int], list[_Hit]], limit: int) -> list[_Hit]:
        """The arm's best wanted rows; it looks further down while too few of those it found are wanted."""
        asked = limit + limit // 4 + 8
        while True:
            hits = arm(asked)
            kept = self.kept(hits)
            if len(kept) >= limit or len(hits) < asked:
                return kept[:limit]
            asked *= _WIDER


def search(
    db: apsw.Connection,
    scope: Scope,
    kind: Kind,
    query: Query,
    wanted: Wanted,
    *,
    analyzer: Analyzer,
) -> list[Candidate]:
    """The union of both arms' best, nearest first and then those only the keywords found."""
    if query.limit <= 0:
        return []
    part = _Slice(db, scope, kind, wanted, {})
    by_keyword = {hit.id: hit for hit in _by_keyword(part, query, analyzer)}
    cosines: dict[bytes, float] = {}
    model = None if query.vector is None or query.model is None else _model(db, query.model, query.vector)
    if query.vector is not None and model is not None:
        vector = query.vector
        cosines = {
            hit.id: hit.score for hit in part.best(lambda most: _nearest(part, model, vector, most), query.limit)
        }
        cosines |= _cosines(part, model, vector, tuple(by_keyword.keys() - cosines.keys()))
    found = []
    for id in dict.fromkeys((*cosines, *by_keyword)):
        hit = by_keyword.get(id)
        terms = () if hit is None else tuple(query.terms[place] for place in hit.terms)
        _, moment, *weighed = part.fetched[id]
        found.append(
            Candidate(
                rows.id_text(id),
                cosines.get(id),
                None if hit is None else hit.score,
                terms,
                rows.moment(moment),
                *weighed,
            )
        )
    return found


# ── nearest ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _model(db: apsw.Connection, name: str, vector: Vector) -> int | None:
    """The model's number; None when it left no vectors here."""
    for number, dimensions in db.execute(SQL["model"], (name,)):
        if len(vector) != dimensions * 4:
            raise InvalidInputError(f"a vector of {name} has {dimensions} numbers, not {len(vector) / 4:g}")
        return int(number)
    return None


def _nearest(part: _Slice, model: int, vector: Vector, most: int) -> list[_Hit]:
    values = (vector, part.scope.tenant, part.scope.user, model, part.number, most)
    return [_Hit(id, 1.0 - distance, ()) for id, distance in part.db.execute(SQL["nearest"], values)]


def _cosines(part: _Slice, model: int, vector: Vector, ids: tuple[bytes, ...]) -> dict[bytes, float]:
    if not ids:
        return {}
    values = (vector, part.scope.tenant, part.scope.user, model, part.number, apsw.carray(ids))
    return {id: 1.0 - distance for id, distance in part.db.execute(SQL["distances"], values)}


# ── keywords ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _by_keyword(part: _Slice, query: Query, analyzer: Analyzer) -> list[_Hit]:
    """The best by BM25: rows with postings, and messages still waiting for theirs, by the statistics of the former.

    Each term's postings are read once, which tells how many rows hold it as well; adding them up here is quicker than
    grouping them in SQL after counting them first.
    """
    if not query.terms:
        return []
    slice_key = (part.scope.tenant, part.scope.user, part.number)
    documents, total_length = next(iter(fetched(part.db, SQL["slice"], slice_key)), (0, 0))
    documents = max(documents, 1)
    average = total_length / documents or 1.0  # nothing indexed yet, or nothing with words
    base, slope = BM25_K1 * (1 - BM25_B), BM25_K1 * BM25_B / average
    idf: list[float] = []
    scores: dict[bytes, float] = {}
    places: dict[bytes, list[int]] = {}
    for place, term in enumerate(query.terms):
        postings = fetched(part.db, SQL["postings"], (*slice_key, term))
        idf.append(inverse_document_frequency(documents, len(postings)))
        gain = idf[place] * (BM25_K1 + 1)
        for id, frequency, length in postings:
            share = gain * frequency / (frequency + base + slope * length)  # relevance.bm25_term, worked out above
            scores[id] = scores.get(id, 0.0) + share
            places.setdefault(id, []).append(place)
    if part.kind is Kind.MESSAGE:
        for hit in _scored_tail(_tail(part, analyzer), query, idf, average):
            scores[hit.id], places[hit.id] = hit.score, list(hit.terms)

    def arm(most: int) -> list[_Hit]:
        best = nsmallest(most, scores.items(), key=lambda scored: (-scored[1], scored[0]))
        return [_Hit(id, score, tuple(places[id])) for id, score in best]

    return part.best(arm, query.limit)


def _tail(part: _Slice, analyzer: Analyzer) -> dict[bytes, Counter[str]]:
    """The terms of this person's messages that have no postings yet."""
    found = part.db.execute(_TAIL, (part.scope.tenant, part.scope.user))
    return {row[0]: Counter(analyzer.terms(message_text(rows.message_of(part.scope, row)))) for row in found}


def _scored_tail(tail: dict[bytes, Counter[str]], query: Query, idf: list[float], average_length: float) -> list[_Hit]:
    hits = []
    for id, terms in tail.items():
        places = tuple(place for place, term in enumerate(query.terms) if term in terms)
        if places:
            length = terms.total()
            shares = (bm25_term(idf[place], terms[query.terms[place]], length, average_length) for place in places)
            hits.append(_Hit(id, sum(shares), places))
    return hits
