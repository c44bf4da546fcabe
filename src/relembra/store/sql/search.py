"""The two arms over one person's rows: nearest vectors, and BM25 over their own postings, which are written here."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from math import inf
from typing import Any

from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.message import Role
from relembra.domain.scope import Scope
from relembra.domain.searchable import (
    BM25_B,
    BM25_K1,
    bm25_term,
    indexed_text,
    inverse_document_frequency,
)
from relembra.errors import InvalidInputError, RelembraError
from relembra.minds.port import Analyzer, Vector
from relembra.store import rows
from relembra.store.port import Candidate, ItemFilter, Kind, MessageFilter, NoteFilter, Query, Verification
from relembra.store.sql import Row, Session
from relembra.store.sql.conditions import Wanted, wanted_by
from relembra.store.sql.reads import FIRST, values
from relembra.store.sql.vectors import HotSlices, Nearby, nearest_to_each

_WEIGHED = {
    Kind.ITEM: (
        "row.id, coalesce(row.reinforced_at, row.held_from), row.weight, row.priority, row.accesses, row.length,"
        " NULL, NULL, row.type, row.area, row.subject, row.note_id, row.archived_at, NULL, NULL, NULL"
    ),
    Kind.MESSAGE: (
        "row.id, row.sent_at, 1.0, 5, 0, row.length, row.conversation, row.role, NULL, NULL, NULL, NULL, NULL,"
        " row.author, row.owner,"
        " (SELECT id FROM message AS first WHERE first.tenant = row.tenant AND first.owner = row.owner"
        " AND first.conversation = row.conversation ORDER BY first.sent_at, first.id LIMIT 1)"
    ),
    Kind.NOTE: (
        "row.id, row.happened_at, 1.0, 5, row.accesses, row.length, NULL, NULL, NULL, NULL, NULL, NULL,"
        " row.archived_at, NULL, NULL, NULL"
    ),
}
_ROLES = {role.value: role for role in Role}
_TYPES = {type.value: type for type in KnowledgeType}
_AREAS = {area.value: area for area in LifeArea}
BATCH = 500
MOST_IN_CHANNEL = 2_000
"""Messages of a channel that are searched, the newest."""
_UNIT_TOLERANCE = 1e-3

_Near = tuple[float | None, float | None, int]
"""The cosine of the nearest vector, that of the whole text, and the nearest part."""

_UNKNOWN: _Near = (None, None, 0)


_Arm = Callable[[int, "Collection[bytes] | None"], list[bytes]]
"""The ids of so many of an arm's best, of all rows or of some, before anybody looked whether they are wanted."""


@dataclass(slots=True)
class _Slice:
    """One person's rows of a kind, and what a ranking weighs of those a search has looked at so far."""

    db: Session
    scope: Scope
    kind: Kind
    wanted: Wanted
    fetched: dict[bytes, rows.Row] = field(default_factory=dict)
    chosen: set[bytes] | None = None

    def kept(self, ids: Collection[bytes]) -> list[bytes]:
        """Those whose rows are wanted, in the same order."""
        missing = tuple(id for id in ids if id not in self.fetched)
        if missing:
            parts = {"weighed": _WEIGHED[self.kind], "table": self.wanted.table.name, "wanted": self.wanted.sql}
            found = self.db.rows("wanted_rows", missing, self.scope, *self.wanted.values, **parts)
            self.fetched.update((row[0], row) for row in found)
        return [id for id in ids if id in self.fetched]

    def best(self, arm: _Arm, limit: int) -> list[bytes]:
        """The arm's best wanted rows; where too few of its best are wanted, it looks again among those that are."""
        hits = arm(limit, None)
        kept = self.kept(hits)
        if len(kept) >= limit or len(hits) < limit:
            return kept
        return self.kept(arm(limit, self.wanted_ids()))

    def wanted_ids(self) -> set[bytes]:
        """All of the person's rows of the kind that are wanted."""
        if self.chosen is None:
            wanted = self.wanted
            found = self.db.rows("wanted_ids", self.scope, *wanted.values, table=wanted.table, wanted=wanted.sql)
            self.chosen = {id for (id,) in found}
        return self.chosen


def search(
    db: Session,
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
    if isinstance(wanted, MessageFilter) and wanted.owners:
        return _search_channel(db, scope.tenant, query, wanted, analyzer=analyzer, hot=hot, epoch=epoch)
    sql = wanted_by(wanted)
    kind = Kind(sql.table.name)
    part = _Slice(db, scope, kind, sql)
    words = query.words if isinstance(query.words, Keywords) else Keywords(db, [scope], kind, query, analyzer)
    nearby = _nearby(db, scope, kind, query, hot, epoch)
    found: dict[bytes, None] = {}
    if query.limit > 0:
        found |= dict.fromkeys(part.best(nearby.nearest, query.limit) if nearby is not None else ())
        found |= dict.fromkeys(part.best(words.best, query.limit))
    found |= dict.fromkeys(part.kept(rows.known_ids(query.also)))
    if kind is Kind.MESSAGE and query.limit > 0:
        found |= dict.fromkeys(part.kept(dict.fromkeys(part.fetched[id][-1] for id in found)))
    near = {} if nearby is None else nearby.of(found)
    return [
        _candidate(part.fetched[id], query, near.get(id, _UNKNOWN), words, held)
        for id, held in _held(found, words).items()
    ]


def _held(found: Collection[bytes], words: Keywords) -> dict[bytes, list[int]]:
    """For each row the places of the query's terms it holds."""
    places: dict[bytes, list[int]] = {id: [] for id in found}
    for place, holders in enumerate(words.holders):
        for id in places.keys() & holders:
            places[id].append(place)
    return places


def _nearby(db: Session, scope: Scope, kind: Kind, query: Query, hot: HotSlices, epoch: int) -> Nearby | None:
    """How near a scope's rows of a kind are to the question; None where it or they have no vector."""
    vector = query.vector
    if vector is None:
        return None
    for number, dimensions in db.rows("model", query.model):
        if len(vector) != dimensions * 4:
            raise InvalidInputError(f"a vector of {query.model} has {dimensions} numbers, not {len(vector) / 4:g}")
        key = (scope.tenant, scope.user, number, rows.KIND_NUMBERS[kind])
        return hot.nearby(db, key, vector, dimensions=dimensions, epoch=epoch)
    return None


def _search_channel(
    db: Session,
    tenant: str,
    query: Query,
    wanted: MessageFilter,
    *,
    analyzer: Analyzer,
    hot: HotSlices,
    epoch: int,
) -> list[Candidate]:
    """The union of both arms' best among the newest wanted messages of a channel, as if they were one person's."""
    sql, place = wanted_by(wanted), wanted.asked_in
    where = (tenant, place.space, place.channel, wanted.owners)
    newest: dict[bytes, str] = dict(db.rows("channel_messages", *where, *sql.values, MOST_IN_CHANNEL, wanted=sql.sql))
    scopes = [Scope(tenant, owner) for owner in wanted.owners]
    own: dict[str, list[bytes]] = defaultdict(list)
    for id, owner in newest.items():
        own[owner].append(id)
    also = rows.known_ids(query.also)
    words = Keywords(db, scopes, Kind.MESSAGE, query, analyzer, among=newest)
    nearest: dict[bytes, float] = {}
    near: dict[Scope, Nearby] = {}
    for scope in scopes:
        nearby = _nearby(db, scope, Kind.MESSAGE, query, hot, epoch)
        if nearby is not None:
            near[scope] = nearby
            first = nearby.nearest(query.limit, own[scope.user])
            nearest |= {id: nearness.cosine for id, nearness in nearby.of(first).items()}
    best = sorted(nearest, key=lambda id: (-nearest[id], id))[: query.limit]
    found = [*best, *words.best(query.limit)]
    candidates: list[Candidate] = []
    for scope in scopes:
        part = _Slice(db, scope, Kind.MESSAGE, sql)
        kept = part.kept(dict.fromkeys([*(id for id in found if newest[id] == scope.user), *also]))
        nearness = near[scope].of(kept) if scope in near else {}
        candidates += [
            _candidate(part.fetched[id], query, nearness.get(id, _UNKNOWN), words, held)
            for id, held in _held(kept, words).items()
        ]
    return candidates


def _candidate(row: rows.Row, query: Query, near: _Near, words: Keywords, held: list[int]) -> Candidate:
    """`held`: the places of the query's terms the row holds."""
    id, moment, weight, priority, accesses, length, conversation, role, type, area, subject, note, *last = row
    archived_at, author, owner, opening = last
    return Candidate(
        rows.id_text(id),
        near[0],
        words.scores.get(id),
        tuple([query.terms[place] for place in held]),
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
        tuple([words.shares[place] for place in held]),
        author,
        owner,
    )


# ── nearest ───────────────────────────────────────────────────────────────────────────────────────────────────────


def nearest(
    db: Session,
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
    """For each vector the nearest rows of a kind, nearest first."""
    for number, dimensions in db.rows("model", model) if vectors and limit > 0 else ():
        key = (scope.tenant, scope.user, number, rows.KIND_NUMBERS[kind])
        view = hot.view(db, key, dimensions=dimensions, epoch=epoch)
        if view is not None:
            found = nearest_to_each(view, vectors, limit)
            return [[(rows.id_text(id), cosine) for id, cosine in near if cosine >= at_least] for near in found]
    return [[] for _ in vectors]


# ── keywords ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Keywords:
    """The postings of the query's terms, added up here, which is quicker than grouping them in SQL.

    Each term's are read once, which tells how many rows hold it as well. Messages that still wait for theirs are
    weighed by the statistics of the others.
    """

    def __init__(
        self,
        db: Session,
        scopes: Sequence[Scope],
        kind: Kind,
        query: Query,
        analyzer: Analyzer,
        *,
        among: Collection[bytes] | None = None,
    ) -> None:
        """`among`: only these rows are looked at and counted."""
        keys = [(scope.tenant, scope.user, rows.KIND_NUMBERS[kind]) for scope in scopes]
        self.shares: list[float] = []
        self.scores: dict[bytes, float] = {}  # BM25 of the rows that hold one of the terms
        self.holders: list[set[bytes]] = []  # of each term
        if not query.terms:
            return
        if among is None:
            documents, total_length = next(iter(db.rows("slice", *keys[0])), (0, 0))
            found = db.batch("postings", [(*keys[0], term) for term in query.terms])
        else:
            found = [
                [
                    posting
                    for postings in db.batch("postings", [(*key, term) for key in keys])
                    for posting in postings
                    if posting[0] in among
                ]
                for term in query.terms
            ]
            lengths = [length for postings in found for _, _, length in postings]
            documents = len(among)
            total_length = documents * sum(lengths) / max(len(lengths), 1)  # about, for only those that match are read
        if not documents and kind is not Kind.MESSAGE:  # a message is found before it is indexed
            self.shares = [0.0] * len(query.terms)
            self.holders = [set() for _ in query.terms]
            return
        documents = max(documents, 1)
        average = total_length / documents or 1.0  # nothing indexed yet, or nothing with words
        base, slope = BM25_K1 * (1 - BM25_B), BM25_K1 * BM25_B / average
        idf: list[float] = []
        scores = self.scores
        held = scores.get
        for postings, weight in zip(found, query.weights or [1.0] * len(query.terms), strict=True):
            idf.append(weight * inverse_document_frequency(documents, len(postings)))
            gain = idf[-1] * (BM25_K1 + 1)
            for id, frequency, length in postings:
                # relevance.bm25_term, worked out above
                scores[id] = held(id, 0.0) + gain * frequency / (frequency + base + slope * length)
            self.holders.append({posting[0] for posting in postings})
        whole = sum(idf) or 1.0
        self.shares = [share / whole for share in idf]
        waiting = [scope for scope in scopes if kind is Kind.MESSAGE]
        for message in (one for scope in waiting for one in values(db, rows.MESSAGES, scope, "unindexed_messages")):
            id = rows.id_bytes(message.id)
            if among is not None and id not in among:
                continue
            terms = Counter(analyzer.terms(message.text))
            places = [place for place, term in enumerate(query.terms) if term in terms]
            if places:
                length = terms.total()
                scores[id] = sum(bm25_term(idf[place], terms[query.terms[place]], length, average) for place in places)
                for place in places:
                    self.holders[place].add(id)

    def best(self, most: int, among: Collection[bytes] | None = None) -> list[bytes]:
        """The best rows, of all or of some, best first and then by id."""
        scores = self.scores
        if among is not None:
            scores = {id: score for id, score in scores.items() if id in among}
        least = sorted(scores.values())[-most] if len(scores) > most else -inf
        best = sorted([(-score, id) for id, score in scores.items() if score >= least])[:most]
        return [id for _, id in best]


# ── postings ──────────────────────────────────────────────────────────────────────────────────────────────────────


def add_terms(db: Session, scope: Scope, kind: Kind, id: bytes, terms: Counter[str]) -> int:
    """Write a row's postings and count it in; its length."""
    number = rows.KIND_NUMBERS[kind]
    length = terms.total()
    # In the order of the key, so that neighbours are written together.
    db.many("put_posting", [(scope, number, term, id, tf, length) for term, tf in sorted(terms.items())])
    db.run("count_in_slice", scope, number, 1, length)
    return length


def drop_terms(db: Session, scope: Scope, kind: Kind, id: bytes, length: int, terms: Collection[str] | None) -> None:
    """Take a row's postings out and count it out; `terms`: None where they are not known any more."""
    number = rows.KIND_NUMBERS[kind]
    if terms is None:
        db.run("drop_postings_of", scope, number, (id,))
    else:
        db.many("drop_posting", [(scope, number, term, id) for term in sorted(terms)])
    db.run("count_in_slice", scope, number, -1, -length)


def index_message(db: Session, scope: Scope, id: str, analyzer: Analyzer) -> None:
    """Write the terms of a message that has none yet; any other is passed over."""
    raw = rows.known_id(id)
    for message in values(db, rows.MESSAGES, scope, "unindexed_message", raw):
        length = add_terms(db, scope, Kind.MESSAGE, rows.id_bytes(id), Counter(analyzer.terms(message.text)))
        db.run("set_length", analyzer.version, length, scope, raw, table=rows.MESSAGES)


def index_anew(db: Session, analyzer: Analyzer, transaction: Callable[[], AbstractContextManager[None]]) -> None:
    """Make the terms again that an analyzer of another version made; killed half-way, it goes on at the next start."""
    version = str(analyzer.version)
    if db.first("get_meta", "analyzer") == version:
        return
    for kind in Kind:
        place: tuple[str, str, bytes] | None = FIRST
        while place is not None:
            with transaction():
                place = _index_batch(db, kind, place, analyzer)
    with transaction():
        db.run("set_meta", "analyzer", version)


def _index_batch(
    db: Session, kind: Kind, place: tuple[str, str, bytes], analyzer: Analyzer
) -> tuple[str, str, bytes] | None:
    """Index some rows anew after a place; where to go on, None at the end."""
    table = rows.SEARCHED[kind]
    found = db.rows("every_row", *place, analyzer.version, BATCH, table=table, only="AND analyzer NOT IN (0, ?)")
    for tenant, owner, version, length, *row in found:
        value = table.of(Scope(tenant, owner), row)
        if version > 0:  # else it was never counted in
            drop_terms(db, value.scope, kind, row[0], length, None)
        length = add_terms(db, value.scope, kind, row[0], Counter(analyzer.terms(indexed_text(value))))
        db.run("set_length", analyzer.version, length, value.scope, row[0], table=table)
    return (found[-1][0], found[-1][1], found[-1][4]) if found else None


# ── checking ──────────────────────────────────────────────────────────────────────────────────────────────────────

_Part = tuple[str, str, int]
"""One person's rows of a kind: tenant, owner, the kind's number."""

_LOST = {
    "lost_successors": "item {} was superseded by an item that is not there",
    "lost_buffered": "message {1} of buffer {0} is not there",
    "stray_buffered": "messages wait in buffer {}, which is gone",
    "jobless_buffers": "buffer {} is open and has no job",
    "lost_unaccounted": "message {} is due to be accounted for and is not there",
}
"""Statements that find what points to nothing, and what to say of it."""


_MOST_PROBLEMS = 1_000


def verified(
    db: Session, analyzer: Analyzer, file: Iterable[str], *, unreadable: tuple[type[Exception], ...]
) -> Verification:
    """Read everything once, after what is wrong with the file; problems beyond the first thousand are only counted.

    `unreadable`: what an adapter's driver raises where a page cannot be read.
    """
    checked: Counter[str] = Counter(rows=0, terms=0, vectors=0, unindexed=0)
    found: list[str] = []
    broken: tuple[type[Exception], ...] = (*unreadable, RelembraError, *rows.UNREADABLE)  # a page, or a value in a row
    try:
        found += file
        found += problems(db, analyzer, checked)
    except broken as exc:
        found.append(f"what comes after could not be read: {exc or type(exc).__name__}")
    if len(found) > _MOST_PROBLEMS:
        found[_MOST_PROBLEMS:] = [f"and {len(found) - _MOST_PROBLEMS} more"]
    return Verification(dict(checked), tuple(found))


def problems(db: Session, analyzer: Analyzer, checked: Counter[str]) -> Iterator[str]:
    """What does not agree with what it should be; `checked` counts what was looked at."""
    # Of each person's rows of a kind: how many, how many terms they hold, and how many postings. No rows are kept.
    expected: dict[_Part, list[int]] = defaultdict(lambda: [0, 0, 0])
    for kind in Kind:
        yield from _row_problems(db, analyzer, kind, expected, checked)
    held: dict[_Part, list[int]] = defaultdict(lambda: [0, 0, 0])
    for tenant, owner, kind_number, *counts in db.rows("every_slice"):
        held[tenant, owner, kind_number][:2] = counts
    for tenant, owner, kind_number, count in db.rows("count_postings"):
        held[tenant, owner, kind_number][2] = count
    for part in sorted({*held, *expected}):
        if held[part] != expected[part]:
            yield f"{_name(part)}: rows, terms and postings are counted as {held[part]}, not {expected[part]}"
    yield from _vector_problems(db, checked)
    for statement, problem in _LOST.items():
        for ids in db.rows(statement):
            yield problem.format(*map(rows.id_text, ids))
    for tenant, owner, *row in db.each("every_run"):
        checked["runs"] += 1
        try:
            rows.RUNS.of(Scope(tenant, owner), row)
        except rows.UNREADABLE as exc:
            yield f"run {rows.id_text(row[0])} cannot be read: {exc}"
    checked["buffers"] = db.first("count_rows", table="buffer", person="")
    checked["unindexed"] = db.first("count_unindexed")


def _row_problems(
    db: Session, analyzer: Analyzer, kind: Kind, expected: dict[_Part, list[int]], checked: Counter[str]
) -> Iterator[str]:
    """Whether every row's postings are those its text gives."""
    number, table = rows.KIND_NUMBERS[kind], rows.SEARCHED[kind]
    for tenant, owner, version, length, *row in _every(db, table):
        checked["rows"] += 1
        checked[f"{kind.value}s"] += 1
        if version == 0 and kind is Kind.MESSAGE:
            continue
        if version != analyzer.version:
            yield f"{kind} {rows.id_text(row[0])} was indexed by analyzer {version}, not {analyzer.version}"
            continue
        terms = Counter(analyzer.terms(indexed_text(table.of(Scope(tenant, owner), row))))
        for place, more in enumerate((1, terms.total(), len(terms))):
            expected[tenant, owner, number][place] += more
        checked["terms"] += len(terms)
        held = db.first("matching_postings", rows.to_json(terms), tenant, owner, number, row[0], terms.total())
        if held != len(terms) or length != terms.total():
            yield f"{kind} {rows.id_text(row[0])} has other terms than its text"


def _every(db: Session, table: rows.Table[Any]) -> Iterator[Row]:
    """All rows of a table, a batch at a time."""
    place = FIRST
    while found := db.rows("every_row", *place, BATCH, table=table, only=""):
        yield from found
        place = (found[-1][0], found[-1][1], found[-1][4])


def _name(part: _Part) -> str:
    tenant, owner, kind = part
    return f"{tenant}/{owner} {rows.KINDS.get(kind, kind)}s"


def _vector_problems(db: Session, checked: Counter[str]) -> Iterator[str]:
    found: Counter[tuple[str, str, int, int]] = Counter()
    earlier: tuple[object, ...] = ()
    parts = 0
    for tenant, owner, model, kind, id, part, vector, dimensions, has_row in db.each("every_vector"):
        checked["vectors"] += 1
        found[tenant, owner, model, kind] += 1
        row = (tenant, owner, model, kind, id)
        parts = parts + 1 if row == earlier else 0
        earlier = row
        name = f"the vector of {rows.KINDS.get(kind, kind)} {rows.id_text(id)}"
        if part != parts:
            yield f"{name} is part {part}, where {parts} would come"
        if not has_row:
            yield f"{name}: there is no such row"
        if dimensions is None or len(vector) != dimensions * 4:
            yield f"{name} has {len(vector)} bytes, not {4 * (dimensions or 0)}"
        elif abs(math.hypot(*array("f", vector)) - 1.0) > _UNIT_TOLERANCE:
            yield f"{name} is not of unit length"
    counted = Counter(
        {(tenant, owner, model, kind): count for tenant, owner, model, kind, count in db.rows("every_vector_slice")}
    )
    for key in sorted({*counted, *found}):
        if counted[key] != found[key]:
            yield f"{_name((key[0], key[1], key[3]))}: {counted[key]} vectors counted, not {found[key]}"
