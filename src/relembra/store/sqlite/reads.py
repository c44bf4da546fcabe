"""Fetching rows: by id, by page, by what they point to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import islice, takewhile
from typing import Any, TypeVar

import apsw

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Message, Note, NoteKind, Role
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.minds.port import Vector
from relembra.store import rows
from relembra.store.port import (
    Buffer,
    Cursor,
    Fate,
    Filter,
    ItemCount,
    ItemFilter,
    ItemOrder,
    Kind,
    MessageFilter,
    Named,
    Page,
    Passing,
    R,
    RunFilter,
    Use,
    Withheld,
)
from relembra.store.rows import Table
from relembra.store.sqlite.connection import SQL, fetched, filled, first_value
from relembra.store.sqlite.filters import (
    ORDERS,
    Wanted,
    wanted_anywhere,
    wanted_by,
    wanted_items,
    wanted_kinds,
    wanted_messages,
)
from relembra.store.traces import reports_quoting, words_of

T = TypeVar("T")

_PREDECESSORS = filled("predecessors", columns=rows.ITEMS.of_row())
_TRAIL = filled("trail", columns=rows.ENTRIES.columns)
_CHANGES = filled("changes", columns=rows.ENTRIES.columns)
_PAGE_TRAIL = filled("page_trail", columns=rows.ENTRIES.columns)
_HEX = set("0123456789abcdef-")
FEW = 1_000
"""So many rows are read and sorted as quickly as fifty are found among many more."""


def get(db: apsw.Connection, scope: Scope, of: type[R], ids: Sequence[str]) -> list[R]:
    """Rows in the order asked, each as often as asked; unknown ids are left out."""
    table: Table[R] = rows.TABLES[of]
    raw = tuple({known for id in ids if (known := table.raw_key(id)) is not None})
    if not raw:
        return []
    statement = filled("rows_by_id", table=table.name, columns=table.columns, key=table.key)
    found = db.execute(statement, (scope.tenant, scope.user, apsw.carray(raw))).fetchall()
    held = {getattr(value := table.of(scope, row), table.key): value for row in found}
    if of is Buffer:
        held = {id: _filled_buffer(db, buffer) for id, buffer in held.items()}
    return [held[id] for id in ids if id in held]


def find(db: apsw.Connection, scope: Scope, of: type[R], id: str) -> R | None:
    found = get(db, scope, of, [id])
    return found[0] if found else None


def buffers(db: apsw.Connection, scope: Scope) -> list[Buffer]:
    found = fetched(db, filled("buffers", columns=rows.BUFFERS.columns), (scope.tenant, scope.user))
    return [_filled_buffer(db, rows.BUFFERS.of(scope, row)) for row in found]


def _filled_buffer(db: apsw.Connection, buffer: Any) -> Any:
    key = (buffer.scope.tenant, buffer.scope.user, rows.id_bytes(buffer.id))
    held = db.execute(SQL["buffered"], key)
    return replace(buffer, messages=tuple((person, rows.id_text(id)) for person, id in held))


def ids_like(db: apsw.Connection, scope: Scope, ledger: Named, fragment: str, *, limit: int = 2) -> list[str]:
    """Ids that start or end with the fragment, in order."""
    return _like(db, filled("ids_like", table=ledger.value), (scope.tenant, scope.user), fragment, limit)


def job_ids(db: apsw.Connection, fragment: str, *, limit: int = 2) -> list[str]:
    """Ids of everybody's jobs that start or end with the fragment, in order."""
    return _like(db, SQL["job_ids_like"], (), fragment, limit)


def _like(db: apsw.Connection, statement: str, whose: tuple[str, ...], fragment: str, limit: int) -> list[str]:
    if not set(fragment) <= _HEX:
        return []
    digits = fragment.replace("-", "")
    found = (rows.id_text(raw) for (raw,) in db.execute(statement, (*whose, f"{digits}%", f"%{digits}")))
    # The hyphens have to stand right as well.
    return list(islice((id for id in found if id.startswith(fragment) or id.endswith(fragment)), max(0, limit)))


def page(
    db: apsw.Connection, scope: Scope | None, wanted: Filter[T], *, after: Cursor | None = None, limit: int = 50
) -> Page[T]:
    """One row more than asked is read, to know whether there is more."""
    if limit <= 0:
        return Page((), None)
    sql = wanted_by(wanted)
    table = sql.table
    if isinstance(wanted, ItemFilter) and scope is not None:
        sql.index = sql.index or _cornered(db, scope, sql) or ORDERS[wanted.order][2]
    if isinstance(wanted, RunFilter) and wanted.night is None:
        sql.index = "INDEXED BY run_by_start" if scope is None else "INDEXED BY run_by_time"
    keys = [f"row.{name}" for name in (sql.led_by, sql.moment, "id") if name]
    values: list[Any] = [] if scope is None else [scope.tenant, scope.user]
    conditions = [] if scope is None else ["row.tenant = ? AND row.owner = ?"]
    if after is not None:
        conditions.append(f"({', '.join(keys)}) {'>' if sql.rising else '<'} ({', '.join('?' * len(keys))})")
        values += [*([after.confidence] if sql.led_by else []), rows.micros(after.at), table.raw_key(after.id)]
    order = ", ".join(f"{key} {'ASC' if sql.rising else 'DESC'}" for key in keys)
    columns = table.columns if scope is not None else f"{table.columns}, tenant, owner"
    statement = filled(
        "page",
        table=table.name,
        columns=columns,
        order=order,
        index=sql.index,
        wanted=" AND ".join([*conditions, sql.sql]),
    )
    found = fetched(db, statement, (*values, *sql.values, limit + 1))
    taken = tuple(table.of(scope or Scope(*row[-2:]), row) for row in found[:limit])
    if len(found) <= limit:
        return Page(taken, None)
    last = taken[-1]
    return Page(taken, Cursor(getattr(last, sql.moment), last.id, last.confidence if sql.led_by else None))


def _cornered(db: apsw.Connection, scope: Scope, sql: Wanted) -> str:
    """The index of a corner, where it has the order asked for or so few rows that all of them may be sorted."""
    corner = sql.corner
    if corner is None:
        return ""
    if not (corner.is_by_time and sql.moment == "created_at" and not sql.led_by):
        statement = filled("rows_in_corner", index=corner.index, condition=corner.condition)
        if first_value(db, statement, (scope.tenant, scope.user, *corner.values, FEW + 1)) > FEW:
            return ""
    return f"INDEXED BY {corner.index}"


def beside(
    db: apsw.Connection, scope: Scope, ids: Sequence[str], *, before: int, after: int, wanted: MessageFilter
) -> dict[str, tuple[Message, ...]]:
    """For each message the wanted ones of its conversation just before and after it, in the order of time."""
    sql = wanted_messages(wanted)

    def near(message: Message, side: str, order: str, limit: int) -> list[Message]:
        statement = filled("beside", columns=rows.MESSAGES.columns, wanted=sql.sql, side=side, order=order)
        place = (message.conversation, rows.micros(message.sent_at), rows.known_id(message.id))
        found = db.execute(statement, (scope.tenant, scope.user, *place, *sql.values, max(limit, 0)))
        return [rows.MESSAGES.of(scope, row) for row in found]

    return {
        message.id: (*reversed(near(message, "<", "DESC", before)), *near(message, ">", "ASC", after))
        for message in get(db, scope, Message, ids)
    }


def acquaintances(db: apsw.Connection, scope: Scope, *, without: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    raw = rows.known_ids(without)
    statement = filled("acquaintances", without="AND id NOT IN carray(?)" if raw else "")
    found = db.execute(statement, (scope.tenant, scope.user, *([apsw.carray(raw)] if raw else [])))
    return [(subject, called) for subject, called in found]


def vectors(
    db: apsw.Connection, scope: Scope, kind: Kind, model: str, parts: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Vector]:
    ids = {raw: id for id in dict.fromkeys(id for id, _ in parts) if (raw := rows.known_id(id)) is not None}
    number = first_value(db, SQL["model"], (model,))
    if number is None or not ids:
        return {}
    key = (scope.tenant, scope.user, number, rows.KIND_NUMBERS[kind], apsw.carray(tuple(ids)))
    found = {(ids[raw], part): vector for raw, part, vector in db.execute(SQL["vectors_of_rows"], key)}
    return {part: found[part] for part in parts if part in found}


def predecessors(db: apsw.Connection, scope: Scope, id: str) -> list[KnowledgeItem]:
    found = db.execute(_PREDECESSORS, (scope.tenant, scope.user, rows.known_id(id)))
    return [rows.ITEMS.of(scope, row) for row in found]


def trail(db: apsw.Connection, scope: Scope, target: Target, id: str) -> list[AuditEntry]:
    found = db.execute(_TRAIL, (scope.tenant, scope.user, target.value, id))
    return [rows.ENTRIES.of(scope, row) for row in found]


def changes(db: apsw.Connection, scope: Scope, changes: Sequence[str]) -> list[AuditEntry]:
    if not changes:
        return []
    found = db.execute(_CHANGES, (scope.tenant, scope.user, apsw.carray(tuple(set(changes)))))
    return [rows.ENTRIES.of(scope, row) for row in found]


def page_trail(
    db: apsw.Connection, scope: Scope, *, after: int = 0, limit: int = 1_000
) -> list[tuple[int, AuditEntry]]:
    found = db.execute(_PAGE_TRAIL, (scope.tenant, scope.user, after, max(0, limit)))
    return [(row[0], rows.ENTRIES.of(scope, row[1:])) for row in found]


def last_entry(db: apsw.Connection, scope: Scope) -> int:
    return int(first_value(db, SQL["last_entry"], (scope.tenant, scope.user)))


def usage(db: apsw.Connection, scope: Scope | None = None, *, since: date | None = None) -> list[Use]:
    person = "" if scope is None else "AND tenant = ?2 AND owner = ?3"
    values = () if scope is None else (scope.tenant, scope.user)
    found = fetched(db, filled("usage", person=person), ("" if since is None else since.isoformat(), *values))
    names = ("task", "model", "calls", "input_tokens", "output_tokens")
    return [Use(day=date.fromisoformat(day), **dict(zip(names, rest, strict=True))) for day, *rest in found]


def case_scope(db: apsw.Connection, tenant: str, id: str) -> Scope | None:
    owner = first_value(db, SQL["case_owner"], (tenant, rows.known_id(id)))
    return None if owner is None else Scope(tenant, owner)


TALLIED = (ItemState.CONFIRMED, ItemState.UNCONFIRMED, ItemState.QUESTIONED)
_MOMENTS = {
    Fate.LEARNT: ("created_at", "item_by_time"),
    Fate.ENDED: ("superseded_at", "item_ended"),
    Fate.ARCHIVED: ("archived_at", "item_archived"),
    Fate.DELETED: ("deleted_at", "item_deleted"),
}


def count_items(db: apsw.Connection, scope: Scope, wanted: ItemFilter) -> list[ItemCount]:
    found: dict[tuple[Any, ...], int] = {}
    for sign, statement, narrowed in _parts(wanted):
        for row in db.execute(statement, (scope.tenant, scope.user, *narrowed.values)):
            alike = row[:-1]
            found[alike] = found.get(alike, 0) + sign * row[-1]
    return [
        ItemCount(
            _area_of(area), KnowledgeType(type), Source(source), confidence, validated == 1, unresolved == 1, items
        )
        for (area, type, source, confidence, validated, unresolved), items in found.items()
        if items
    ]


def _area_of(stored: str | None) -> LifeArea | None:
    return None if stored is None else LifeArea(stored)


def _parts(wanted: ItemFilter) -> Iterator[tuple[int, str, Wanted]]:
    """What is to be counted, and whether it is added or taken away."""
    wanted = wanted.spelt_out()
    if not _is_tallied(wanted):
        yield 1, *_of_rows(wanted_items(wanted))
        return
    kinds = wanted_kinds(wanted)
    yield 1, filled("tallied", wanted=kinds.sql), kinds
    yield 1, *_of_rows(_ending(wanted))
    if wanted.without:
        yield -1, *_of_rows(_left_out(wanted))


def _is_tallied(wanted: ItemFilter) -> bool:
    """Whether only current items are wanted, and by no more than the tally tells apart."""
    asked = replace(
        wanted,
        types=(),
        areas=(),
        no_area=False,
        sources=(),
        confidence_at_least=None,
        confidence_below=None,
        without=frozenset(),
        order=ItemOrder.NEWEST,
        only=None if wanted.only in TALLIED else wanted.only,
    )
    return asked == ItemFilter(now=wanted.now, asked_in=wanted.asked_in)


def _ending(wanted: ItemFilter) -> Wanted:
    """Those wanted that time alone ends, which the tally leaves out."""
    sql = wanted_items(wanted)
    sql.add("row.expires_at > ?", rows.micros(wanted.now))
    sql.index = "INDEXED BY item_expiring"
    return sql


def _left_out(wanted: ItemFilter) -> Wanted:
    """Those in the tally that are to be left out by their ids."""
    sql = wanted_items(replace(wanted, without=frozenset()))
    sql.add("row.expires_at IS NULL")
    sql.only(wanted.without)
    sql.corner = None
    return sql


def _of_rows(wanted: Wanted) -> tuple[str, Wanted]:
    corner = f"INDEXED BY {wanted.corner.index}" if wanted.corner is not None else ""
    return filled("count_items", index=wanted.index or corner, wanted=wanted.sql), wanted


def passings(
    db: apsw.Connection,
    scope: Scope,
    moments: Sequence[datetime],
    *,
    asked_in: Place = DIRECT,
    without: frozenset[str] = frozenset(),
) -> list[Passing]:
    """One statement: each fate's stretches are ranges of an index of its own."""
    wanted = wanted_anywhere(asked_in, without)
    whose = (scope.tenant, scope.user, *wanted.values)
    parts = [
        filled(
            "passing",
            fate=fate.value,
            moment=moment,
            index=index,
            wanted=wanted.sql,
            area="row.area" if fate is Fate.LEARNT else "NULL",
        )
        for fate, (moment, index) in _MOMENTS.items()
    ]
    parts.append(filled("fading", wanted=wanted.sql))
    statement = filled("passings", parts="\nUNION ALL\n".join(parts))
    starts = rows.to_json([rows.micros(moment) for moment in moments])
    values = (starts, *whose * len(_MOMENTS), scope.tenant, scope.user, *whose)
    return [
        Passing(stretch, Fate(fate), _area_of(area), items)
        for stretch, fate, area, items in db.execute(statement, values)
    ]


_LOCAL = filled("local_items", columns=rows.ITEMS.columns)
_REPLACED = filled("superseded_by", columns=rows.ITEMS.columns)
_INSIGHTS = filled("insights", columns=rows.ITEMS.columns)
_NOTES = filled("notes_of_conversations", columns=rows.NOTES.columns)
_DERIVED = filled("derived_notes", columns=rows.NOTES.columns)


@dataclass(slots=True)
class _Found:
    """What was found of one person or space so far."""

    items: dict[str, KnowledgeItem] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)  # id → conversation
    notes: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)


def withheld(db: apsw.Connection, scope: Scope) -> Withheld:
    """What of a scope a model on another machine may not see."""
    found = _Found()
    if scope.space is None:
        _learnt(db, scope, found)
    else:
        for (owner,) in fetched(db, SQL["local_people"], (scope.tenant, scope.space)):
            _learnt(db, Scope(scope.tenant, owner), found)
    if found.items:
        _noted(db, scope, found)
    return Withheld(
        items=frozenset(found.items) if scope.space is None else frozenset(),
        messages=frozenset(found.messages),
        notes=frozenset(found.notes),
        conversations=frozenset(found.messages.values()),
    )


def _values(db: apsw.Connection, table: Table[T], scope: Scope, statement: str, *values: object) -> list[T]:
    found = db.execute(statement, (scope.tenant, scope.user, *values))
    return [table.of(scope, row) for row in found]


def _learnt(db: apsw.Connection, scope: Scope, found: _Found) -> None:
    """A person's items, what they replaced, the messages behind them, and the insights that rest on these."""
    items = {item.id: item for item in _values(db, rows.ITEMS, scope, _LOCAL)}
    latest: Collection[str] = list(items)
    while latest:
        replaced = _values(db, rows.ITEMS, scope, _REPLACED, apsw.carray(tuple(rows.id_bytes(id) for id in latest)))
        earlier = {item.id: item for item in replaced if item.id not in items}
        items |= earlier
        latest = list(earlier)
    if not items:
        return
    messages = get(db, scope, Message, list({id for item in items.values() for id in item.message_ids}))
    for message in messages:
        found.messages[message.id] = message.conversation
        found.messages |= dict.fromkeys(_answers(db, message), message.conversation)
    for item in _values(db, rows.ITEMS, scope, _INSIGHTS):
        if not found.messages.keys().isdisjoint(item.message_ids):
            items.setdefault(item.id, item)
    found.items |= items
    found.notes |= {item.note_id for item in items.values() if item.note_id is not None}
    found.texts |= {text for item in items.values() for text in words_of(item)}
    found.texts |= {text for message in messages for text in words_of(message)}


def _answers(db: apsw.Connection, message: Message) -> list[str]:
    """The messages that follow one in its conversation, up to the next of role user."""
    scope, place = message.scope, (rows.micros(message.sent_at), rows.id_bytes(message.id))
    following = db.execute(SQL["answers"], (scope.tenant, scope.user, message.conversation, *place))
    return [rows.id_text(id) for id, _ in takewhile(lambda row: row[1] != Role.USER.value, following)]


def _noted(db: apsw.Connection, shelf: Scope, found: _Found) -> None:
    """The notes of a shelf that tell of what was found, and those made of such notes."""
    if found.messages:
        conversations = apsw.carray(tuple(set(found.messages.values())))
        for note in _values(db, rows.NOTES, shelf, _NOTES, conversations):
            if note.kind is NoteKind.SESSION or _tells(note, found):
                found.notes.add(note.id)
    derived = _values(db, rows.NOTES, shelf, _DERIVED)
    found.notes |= reports_quoting(found.texts, derived)
    left = [note for note in derived if note.id not in found.notes]
    while more := {note.id for note in left if _tells(note, found)}:
        found.notes |= more
        left = [note for note in left if note.id not in more]


def _tells(note: Note, found: _Found) -> bool:
    return not (found.messages.keys().isdisjoint(note.message_ids) and found.notes.isdisjoint(note.note_ids))


def owners(db: apsw.Connection, tenant: str, *, after: str = "", limit: int = 500) -> list[Scope]:
    """Each next one is a step in every table's key, so that nobody's rows are gone through."""
    found: list[Scope] = []
    while len(found) < limit and (owner := first_value(db, SQL["next_owner"], (tenant, after))) is not None:
        found.append(Scope(tenant, owner))
        after = owner
    return found
