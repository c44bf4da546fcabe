"""The two arms over one person's rows: nearest vectors, and BM25 over their own postings, which are written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import inf
from typing import NamedTuple, Protocol

import apsw

from relembra.domain.inquiry import BM25_B, BM25_K1, bm25_term, inverse_document_frequency
from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.message import Role
from relembra.domain.scope import Scope
from relembra.domain.searchable import message_text
from relembra.errors import InvalidInputError
from relembra.minds.port import Analyzer, Vector
from relembra.store import rows
from relembra.store.port import Candidate, ItemFilter, Kind, MessageFilter, NoteFilter, Query
from relembra.store.sqlite.connection import SQL, fetched, filled
from relembra.store.sqlite.filters import Wanted, wanted_by
from relembra.store.sqlite.vectors import HotSlices, Key, Nearness, nearest_to_each, nearness

_WEIGHED = {
    Kind.ITEM: (
        "row.id, coalesce(row.reinforced_at, row.held_from), row.weight, row.priority, row.accesses, row.length,"
        " NULL, NULL, row.type, row.area, row.subject, row.note_id, row.archived_at, NULL"
    ),
    Kind.MESSAGE: (
        "row.id, row.sent_at, 1.0, 5, 0, row.length, row.conversation, row.role, NULL, NULL, NULL, NULL, NULL,"
        " (SELECT id FROM message AS first WHERE first.tenant = row.tenant AND first.owner = row.owner"
        " AND first.conversation = row.conversation ORDER BY first.sent_at, first.id LIMIT 1)"
    ),
    Kind.NOTE: (
        "row.id, row.happened_at, 1.0, 5, row.accesses, row.length, NULL, NULL, NULL, NULL, NULL, NULL,"
        " row.archived_at, NULL"
    ),
}
_ROLES = {role.value: role for role in Role}
_TYPES = {type.value: type for type in KnowledgeType}
_AREAS = {area.value: area for area in LifeArea}
_TAIL = filled("unindexed_messages", columns=rows.MESSAGES.columns)
_UNINDEXED = filled("unindexed_message", columns=rows.MESSAGES.columns)


_Near = tuple[float | None, float | None, int]
"""The cosine of the nearest vector, that of the whole text, and the nearest part."""

_UNKNOWN: _Near = (None, None, 0)


_Arm = Callable[[int, "Collection[bytes] | None"], "list[_Hit]"]
"""So many of an arm's best, of all rows or of some."""


class _Hit(NamedTuple):
    """A row as an arm found it, before anybody looked whether it is wanted."""

    id: bytes
    score: float


@dataclass(slots=True)
class _Slice:
    """One person's rows of a kind, and what a ranking weighs of those a search has looked at so far."""

    db: apsw.Connection
    scope: Scope
    kind: Kind
    wanted: Wanted
    fetched: dict[bytes, rows.Row] = field(default_factory=dict)
    chosen: set[bytes] | None = None

    @property
    def number(self) -> int:
        return rows.KIND_NUMBERS[self.kind]

    def kept(self, hits: list[_Hit]) -> list[_Hit]:
        """Those whose rows are wanted, in the same order."""
        missing = tuple(hit.id for hit in hits if hit.id not in self.fetched)
        if missing:
            statement = filled(
                "wanted_rows", columns=_WEIGHED[self.kind], table=rows.SEARCHED[self.kind].name, wanted=self.wanted.sql
            )
            values = (apsw.carray(missing), self.scope.tenant, self.scope.user, *self.wanted.values)
            self.fetched.update((row[0], row) for row in self.db.execute(statement, values))
        return [hit for hit in hits if hit.id in self.fetched]

    def best(self, arm: _Arm, limit: int) -> list[_Hit]:
        """The arm's best wanted rows; where too few of its best are wanted, it looks again among those that are."""
        hits = arm(limit, None)
        kept = self.kept(hits)
        if len(kept) >= limit or len(hits) < limit:
            return kept
        return self.kept(arm(limit, self.wanted_ids()))

    def wanted_ids(self) -> set[bytes]:
        """All of the person's rows of the kind that are wanted."""
        if self.chosen is None:
            statement = filled("wanted_ids", table=rows.SEARCHED[self.kind].name, wanted=self.wanted.sql)
            values = (self.scope.tenant, self.scope.user, *self.wanted.values)
            self.chosen = {id for (id,) in self.db.execute(statement, values)}
        return self.chosen


def search(
    db: apsw.Connection,
    scope: Scope,
    query: Query,
    wanted: ItemFilter | MessageFilter | NoteFilter,
    *,
    analyzer: Analyzer,
    hot: HotSlices,
    epoch: int,
) -> list[Candidate]:
    """The union of both arms' best, nearest first and then those only the keywords found, or that were asked for.

    `epoch`: that of the slices kept at hand, from before the transaction saw anything.
    """
    sql = wanted_by(wanted)
    kind = Kind(sql.table.name)
    part = _Slice(db, scope, kind, sql)
    words = query.words if isinstance(query.words, Keywords) else Keywords(db, scope, kind, query, analyzer)
    by_keyword = part.best(words.best, query.limit) if query.limit > 0 else []
    also = [_Hit(id, 0.0) for text in query.also if (id := rows.known_id(text)) is not None]
    others = [hit.id for hit in (*by_keyword, *part.kept(also))]
    nearest: list[_Hit] = []
    vectors = _vectors(part, query, hot, epoch)
    if vectors is not None and query.limit > 0:
        arm = vectors.nearest
        nearest = part.best(lambda most, among: [_Hit(*near) for near in arm(most, among)], query.limit)
    found = dict.fromkeys([*(hit.id for hit in nearest), *others])
    if kind is Kind.MESSAGE and query.limit > 0:
        openings = dict.fromkeys(part.fetched[id][-1] for id in found)
        found |= dict.fromkeys(hit.id for hit in part.kept([_Hit(id, 0.0) for id in openings]))
    near = {} if vectors is None else vectors.of(found)
    return [_candidate(part.fetched[id], query, near.get(id, _UNKNOWN), words) for id in found]


def _candidate(row: rows.Row, query: Query, near: _Near, words: Keywords) -> Candidate:
    id, moment, weight, priority, accesses, length, conversation, role, *told, archived_at, opening = row
    type, area, subject, note = told
    places = words.places(id)
    return Candidate(
        rows.id_text(id),
        near[0],
        words.score(id),
        tuple([query.terms[place] for place in places]),
        rows.moment(moment),
        weight,
        priority,
        accesses,
        near[1],
        near[2],
        length,
        conversation,
        None if role is None else _ROLES[role],
        None if type is None else _TYPES[type],
        None if area is None else _AREAS[area],
        subject,
        None if note is None else rows.id_text(note),
        archived_at is not None,
        id == opening,
        tuple([words.shares[place] for place in places]),
    )


# ── nearest ───────────────────────────────────────────────────────────────────────────────────────────────────────


class _Vectors(Protocol):
    """How near rows are to the query."""

    def nearest(self, most: int, among: Collection[bytes] | None = None) -> list[tuple[bytes, float]]:
        """The nearest rows, of all or of some, with their cosines, nearest first and then by id."""

    def of(self, ids: Iterable[bytes]) -> dict[bytes, Nearness]:
        """How near these rows are, those that have vectors."""


def nearest(
    db: apsw.Connection,
    scope: Scope,
    kind: Kind,
    model: str,
    vectors: Sequence[Vector],
    *,
    limit: int,
    at_least: float,
    hot: HotSlices,
    epoch: int,
) -> list[list[tuple[str, float]]]:
    """For each vector the nearest rows of a kind, nearest first; those kept at hand in one product for all of them."""
    for number, dimensions in fetched(db, SQL["model"], (model,)):
        key = (scope.tenant, scope.user, number, rows.KIND_NUMBERS[kind])
        view = hot.view(db, key, dimensions=dimensions, epoch=epoch) if vectors and limit > 0 else None
        if view is not None:
            found = nearest_to_each(view, vectors, limit)
        else:
            found = [_Scan(db, key, vector).nearest(max(0, limit)) for vector in vectors]
        return [[(rows.id_text(id), cosine) for id, cosine in near if cosine >= at_least] for near in found]
    return [[] for _ in vectors]


def _vectors(part: _Slice, query: Query, hot: HotSlices, epoch: int) -> _Vectors | None:
    """The person's vectors, at hand or in the file; None without a vector to compare or a model that left some."""
    if query.vector is None or query.model is None:
        return None
    for number, dimensions in fetched(part.db, SQL["model"], (query.model,)):
        if len(query.vector) != dimensions * 4:
            raise InvalidInputError(
                f"a vector of {query.model} has {dimensions} numbers, not {len(query.vector) / 4:g}"
            )
        key = (part.scope.tenant, part.scope.user, number, part.number)
        view = hot.view(part.db, key, dimensions=dimensions, epoch=epoch)
        if view is None:
            return _Scan(part.db, key, query.vector)
        return hot.nearby(key, view, query.vector, epoch=epoch)
    return None


@dataclass(frozen=True, slots=True)
class _Scan:
    """Vectors as they lie in the file."""

    db: apsw.Connection
    key: Key
    vector: Vector

    def nearest(self, most: int, among: Collection[bytes] | None = None) -> list[tuple[bytes, float]]:
        if among is not None:
            best = sorted((-near.cosine, id) for id, near in self.of(among).items())
            return [(id, -cosine) for cosine, id in best[:most]]
        found = fetched(self.db, SQL["nearest"], (self.vector, *self.key, most))
        return [(id, 1.0 - distance) for id, distance in found]

    def of(self, ids: Iterable[bytes]) -> dict[bytes, Nearness]:
        asked = tuple(ids)
        if not asked:
            return {}
        found = fetched(self.db, SQL["distances"], (self.vector, *self.key, apsw.carray(asked)))
        return {
            id: nearness((number, 1.0 - distance) for _, number, distance in parts)
            for id, parts in groupby(found, key=lambda row: row[0])
        }


# ── keywords ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Keywords:
    """The postings of the query's terms, added up here, which is quicker than grouping them in SQL.

    Each term's are read once, which tells how many rows hold it as well. Messages that still wait for theirs are
    weighed by the statistics of the others.
    """

    def __init__(self, db: apsw.Connection, scope: Scope, kind: Kind, query: Query, analyzer: Analyzer) -> None:
        key = (scope.tenant, scope.user, rows.KIND_NUMBERS[kind])
        self.shares: list[float] = []
        self._scores: dict[bytes, float] = {}
        self._holders: list[set[bytes]] = []  # of each term
        if not query.terms:
            return
        documents, total_length = next(iter(fetched(db, SQL["slice"], key)), (0, 0))
        if not documents and kind is not Kind.MESSAGE:  # a message is found before it is indexed
            self.shares = [0.0] * len(query.terms)
            self._holders = [set() for _ in query.terms]
            return
        documents = max(documents, 1)
        average = total_length / documents or 1.0  # nothing indexed yet, or nothing with words
        base, slope = BM25_K1 * (1 - BM25_B), BM25_K1 * BM25_B / average
        idf: list[float] = []
        scores = self._scores
        held = scores.get
        for term, weight in zip(query.terms, query.weights or [1.0] * len(query.terms), strict=True):
            postings = fetched(db, SQL["postings"], (*key, term))
            idf.append(weight * inverse_document_frequency(documents, len(postings)))
            gain = idf[-1] * (BM25_K1 + 1)
            for id, frequency, length in postings:
                # relevance.bm25_term, worked out above
                scores[id] = held(id, 0.0) + gain * frequency / (frequency + base + slope * length)
            self._holders.append({posting[0] for posting in postings})
        whole = sum(idf) or 1.0
        self.shares = [share / whole for share in idf]
        if kind is Kind.MESSAGE:
            self._add_tail(_tail(db, scope, analyzer), query, idf, average)

    def _add_tail(self, tail: dict[bytes, Counter[str]], query: Query, idf: list[float], average: float) -> None:
        for id, terms in tail.items():
            places = [place for place, term in enumerate(query.terms) if term in terms]
            if places:
                length = terms.total()
                shares = (bm25_term(idf[place], terms[query.terms[place]], length, average) for place in places)
                self._scores[id] = sum(shares)
                for place in places:
                    self._holders[place].add(id)

    def best(self, most: int, among: Collection[bytes] | None = None) -> list[_Hit]:
        """The best rows, of all or of some, best first and then by id."""
        scores = self._scores
        if among is not None:
            scores = {id: score for id, score in scores.items() if id in among}
        least = sorted(scores.values())[-most] if len(scores) > most else -inf
        best = sorted([(-score, id) for id, score in scores.items() if score >= least])[:most]
        return [_Hit(id, -score) for score, id in best]

    def score(self, id: bytes) -> float | None:
        """A row's BM25; None where it holds none of the terms."""
        return self._scores.get(id)

    def places(self, id: bytes) -> tuple[int, ...]:
        """The places in the query of the terms a row holds."""
        return tuple([place for place, holders in enumerate(self._holders) if id in holders])


def _tail(db: apsw.Connection, scope: Scope, analyzer: Analyzer) -> dict[bytes, Counter[str]]:
    """The terms of this person's messages that have no postings yet."""
    found = db.execute(_TAIL, (scope.tenant, scope.user))
    return {row[0]: Counter(analyzer.terms(message_text(rows.MESSAGES.of(scope, row)))) for row in found}


# ── postings ────────────────────────────────────────────────────────────────────────────────────────────────────────


def add_terms(db: apsw.Connection, scope: Scope, kind: Kind, id: bytes, terms: Counter[str]) -> int:
    """Write a row's postings and count it in; its length."""
    number = rows.KIND_NUMBERS[kind]
    length = terms.total()
    # In the order of the key, so that neighbours are written together.
    postings = [(scope.tenant, scope.user, number, term, id, tf, length) for term, tf in sorted(terms.items())]
    if postings:
        db.executemany(SQL["put_posting"], postings)
    db.execute(SQL["count_in_slice"], (scope.tenant, scope.user, number, 1, length))
    return length


def drop_terms(
    db: apsw.Connection, scope: Scope, kind: Kind, id: bytes, length: int, terms: Collection[str] | None
) -> None:
    """Take a row's postings out and count it out; `terms`: None where they are not known any more."""
    number = rows.KIND_NUMBERS[kind]
    if terms is None:
        db.execute(SQL["drop_postings_of"], (scope.tenant, scope.user, number, apsw.carray((id,))))
    elif terms:
        db.executemany(SQL["drop_posting"], [(scope.tenant, scope.user, number, term, id) for term in sorted(terms)])
    db.execute(SQL["count_in_slice"], (scope.tenant, scope.user, number, -1, -length))


def index_message(db: apsw.Connection, scope: Scope, id: str, analyzer: Analyzer) -> None:
    """Write the terms of a message that has none yet; any other is passed over."""
    raw = rows.known_id(id)
    if raw is None:
        return
    found = db.execute(_UNINDEXED, (scope.tenant, scope.user, raw)).fetchall()
    if not found:
        return
    terms = Counter(analyzer.terms(message_text(rows.MESSAGES.of(scope, found[0]))))
    length = add_terms(db, scope, Kind.MESSAGE, raw, terms)
    db.execute(SQL["message_is_indexed"], (analyzer.version, length, scope.tenant, scope.user, raw))
