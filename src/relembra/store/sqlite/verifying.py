"""Checking the store against itself: the file, rows' terms, counts, vectors, pointers, buffers and records."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterator

import apsw

from relembra.domain.scope import Scope
from relembra.errors import RelembraError
from relembra.minds.port import Analyzer
from relembra.store import rows
from relembra.store.port import Kind, Verification
from relembra.store.sqlite.errors import UNREADABLE
from relembra.store.sqlite.indexing import TABLES
from relembra.store.sqlite.statements import SQL, fetched, filled, first_value
from relembra.store.sqlite.upkeep import BATCH, COLUMNS, FIRST, INDEXED

_MOST_PROBLEMS = 1_000
_UNIT_TOLERANCE = 1e-3

Slice = tuple[str, str, int]


class _Expected:
    """What the rows say the postings and counts of each person should be; some numbers a person, never rows."""

    def __init__(self) -> None:
        self.documents: Counter[Slice] = Counter()
        self.lengths: Counter[Slice] = Counter()
        self.postings: Counter[Slice] = Counter()


def verify(db: apsw.Connection, analyzer: Analyzer) -> Verification:
    """Read everything once, on one consistent state; problems beyond the first thousand are only counted."""
    checked: Counter[str] = Counter(rows=0, terms=0, vectors=0, unindexed=0)
    problems: list[str] = []
    more = 0
    try:
        for problem in _problems(db, analyzer, checked):
            if len(problems) < _MOST_PROBLEMS:
                problems.append(problem)
            else:
                more += 1
    except (apsw.Error, RelembraError, *UNREADABLE) as exc:  # a page, or a value in a row
        problems.append(f"what comes after could not be read: {exc or type(exc).__name__}")
    if more:
        problems.append(f"and {more} more")
    return Verification(dict(checked), tuple(problems))


def _problems(db: apsw.Connection, analyzer: Analyzer, checked: Counter[str]) -> Iterator[str]:
    yield from (f"file: {found}" for (found,) in db.execute("PRAGMA integrity_check") if found != "ok")
    expected = _Expected()
    for kind in Kind:
        yield from _row_problems(db, analyzer, kind, expected, checked)
    yield from _count_problems(db, expected)
    for tenant, owner, counted, held in db.execute(SQL["wrong_tallies"]):
        yield f"{tenant}/{owner} items: {counted} of a kind are tallied, not {held}"
    yield from _vector_problems(db, checked)
    for (id,) in db.execute(SQL["lost_successors"]):
        yield f"item {rows.id_text(id)} was superseded by an item that is not there"
    for buffer, message in db.execute(SQL["lost_buffered"]):
        yield f"message {rows.id_text(message)} of buffer {rows.id_text(buffer)} is not there"
    for (buffer,) in db.execute(SQL["stray_buffered"]):
        yield f"messages wait in buffer {rows.id_text(buffer)}, which is gone"
    for (buffer,) in db.execute(SQL["jobless_buffers"]):
        yield f"buffer {rows.id_text(buffer)} is open and has no job"
    for (id,) in db.execute(SQL["lost_unaccounted"]):
        yield f"message {rows.id_text(id)} is due to be accounted for and is not there"
    yield from _run_problems(db, checked)
    checked["buffers"] = first_value(db, filled("count_rows", table="buffer", person=""))
    checked["unindexed"] = first_value(db, SQL["count_unindexed"])


def _run_problems(db: apsw.Connection, checked: Counter[str]) -> Iterator[str]:
    """Whether every record can be read."""
    for tenant, owner, *row in db.execute(filled("every_run", columns=rows.RUN_COLUMNS)):
        checked["runs"] += 1
        try:
            rows.run_of(Scope(tenant, owner), row)
        except (ValueError, TypeError) as exc:
            yield f"run {rows.id_text(row[0])} cannot be read: {exc}"


def _row_problems(
    db: apsw.Connection, analyzer: Analyzer, kind: Kind, expected: _Expected, checked: Counter[str]
) -> Iterator[str]:
    """Whether every row's postings are those its text gives."""
    number = rows.KIND_NUMBERS[kind]
    for tenant, owner, version, length, *row in _every(db, kind):
        checked["rows"] += 1
        checked[f"{kind.value}s"] += 1
        if version == 0 and kind is Kind.MESSAGE:
            continue
        if version != analyzer.version:
            yield f"{kind} {rows.id_text(row[0])} was indexed by analyzer {version}, not {analyzer.version}"
            continue
        terms = Counter(analyzer.terms(INDEXED[kind](Scope(tenant, owner), row)))
        part: Slice = (tenant, owner, number)
        expected.documents[part] += 1
        expected.lengths[part] += terms.total()
        expected.postings[part] += len(terms)
        checked["terms"] += len(terms)
        values = (rows.to_json(terms), tenant, owner, number, row[0], terms.total())
        held = first_value(db, SQL["matching_postings"], values)
        if held != len(terms) or length != terms.total():
            yield f"{kind} {rows.id_text(row[0])} has other terms than its text"


def _every(db: apsw.Connection, kind: Kind) -> Iterator[rows.Row]:
    """All rows of a kind, a batch at a time."""
    statement = filled("every_row", table=TABLES[kind], columns=COLUMNS[kind], only="")
    place = FIRST
    while found := fetched(db, statement, (*place, BATCH)):
        yield from found
        place = (found[-1][0], found[-1][1], found[-1][4])


def _count_problems(db: apsw.Connection, expected: _Expected) -> Iterator[str]:
    """Whether there are postings or counts no row accounts for."""
    held = {(tenant, owner, kind): count for tenant, owner, kind, count in db.execute(SQL["count_postings"])}
    for part in sorted({*held, *expected.postings}):
        if held.get(part, 0) != expected.postings[part]:
            yield f"{_name(part)}: {held.get(part, 0)} postings, not {expected.postings[part]}"
    counted = {part[:3]: part[3:] for part in db.execute(SQL["every_slice"])}
    for part in sorted({*counted, *expected.documents}):
        right = (expected.documents[part], expected.lengths[part])
        if tuple(counted.get(part, (0, 0))) != right:
            yield f"{_name(part)}: counted as {counted.get(part, (0, 0))}, not {right}"


def _name(part: Slice) -> str:
    tenant, owner, kind = part
    return f"{tenant}/{owner} {rows.KINDS.get(kind, kind)}s"


def _vector_problems(db: apsw.Connection, checked: Counter[str]) -> Iterator[str]:
    found: Counter[tuple[str, str, int, int]] = Counter()
    earlier: tuple[object, ...] = ()
    parts = 0
    for tenant, owner, model, kind, id, part, vector, dimensions, has_row in db.execute(SQL["every_vector"]):
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
    counted = {(tenant, owner, model, kind): number for tenant, owner, model, kind, number in _vector_slices(db)}
    for tenant, owner, model, kind in sorted({*counted, *found}):
        held, right = counted.get((tenant, owner, model, kind), 0), found[tenant, owner, model, kind]
        if held != right:
            yield f"{_name((tenant, owner, kind))}: {held} vectors counted, not {right}"


def _vector_slices(db: apsw.Connection) -> list[tuple[str, str, int, int, int]]:
    return [(*row,) for row in fetched(db, SQL["every_vector_slice"])]
