"""Fetching rows: by id, by page, by what they point to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import islice, takewhile
from operator import attrgetter
from typing import Any, TypeVar

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.jobs import Job, Run
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Message, Note, NoteKind, Role
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.domain.searchable import item_text, note_text
from relembra.domain.traces import reports_quoting, words_of
from relembra.minds.port import Vector
from relembra.store import port, rows
from relembra.store.rows import Table
from relembra.store.sql import Session, text_of
from relembra.store.sql.conditions import CURRENT, Wanted, wanted_by, wanted_items

T = TypeVar("T")

_HEX = set("0123456789abcdef-")


def get(db: Session, scope: Scope, of: type[port.R], ids: Sequence[str]) -> list[port.R]:
    """Rows in the order asked, each as often as asked; unknown ids are left out."""
    table: Table[port.R] = rows.TABLES[of]
    raw = tuple({known for id in ids if (known := table.raw_key(id)) is not None})
    found = db.rows("rows_by_id", scope, raw, table=table) if raw else []
    held = {getattr(value := table.of(scope, row), table.key): value for row in found}
    if of is port.Buffer:
        held = {id: _filled_buffer(db, buffer) for id, buffer in held.items()}
    return [held[id] for id in ids if id in held]


def find(db: Session, scope: Scope, of: type[port.R], id: str) -> port.R | None:
    return next(iter(get(db, scope, of, [id])), None)


def values(db: Session, table: Table[T], scope: Scope, statement: str, *given: object, **parts: str) -> list[T]:
    """What a statement finds of a scope, as values."""
    return [table.of(scope, row) for row in db.rows(statement, scope, *given, **parts)]


def buffers(db: Session, scope: Scope) -> list[port.Buffer]:
    return [_filled_buffer(db, buffer) for buffer in values(db, rows.BUFFERS, scope, "buffers")]


def _filled_buffer(db: Session, buffer: Any) -> Any:
    held = db.rows("buffered", buffer.scope, rows.id_bytes(buffer.id))
    return replace(buffer, messages=tuple((person, rows.id_text(id)) for person, id in held))


def ids_like(
    db: Session, scope: Scope | None, of: type[KnowledgeItem | Run | Job], fragment: str, *, limit: int = 2
) -> list[str]:
    if not set(fragment) <= _HEX:
        return []
    digits = fragment.replace("-", "")
    person, whose = ("", ()) if scope is None else ("AND tenant = ?3 AND owner = ?4", (scope,))
    like = db.rows("ids_like", f"{digits}%", f"%{digits}", *whose, table=rows.TABLES[of], person=person)
    found = (rows.id_text(raw) for (raw,) in like)
    # The hyphens have to stand right as well.
    return list(islice((id for id in found if id.startswith(fragment) or id.endswith(fragment)), max(0, limit)))


OF = "\n"
"""Between an owner and an id, in neither of which it may be."""


def page(
    db: Session, scope: Scope | None, wanted: port.Filter[T], *, after: port.Cursor | None = None, limit: int = 50
) -> port.Page[T]:
    """One row more than asked is read, to know whether there is more."""
    if limit <= 0:
        return port.Page((), None)
    sql = wanted_by(wanted)
    if isinstance(wanted, port.RunFilter) and scope is None:
        sql.index = "run_by_start"
    keys = [f"row.{name}" for name in (sql.led_by, sql.moment, "owner" if sql.of_many else "", "id") if name]
    given: list[Any] = [] if scope is None else [scope]
    conditions = [] if scope is None else ["row.tenant = ? AND row.owner = ?"]
    if after is not None:
        conditions.append(f"({', '.join(keys)}) {'>' if sql.rising else '<'} ({', '.join('?' * len(keys))})")
        owner, _, id = after.id.rpartition(OF) if sql.of_many else ("", "", after.id)
        whose = [sql.table.raw_key(owner)] if sql.of_many else []
        given += [*([after.confidence] if sql.led_by else []), after.at, *whose, sql.table.raw_key(id)]
    found = db.rows(
        "page",
        *given,
        *sql.values,
        limit + 1,
        table=sql.table,
        index=sql.indexed_by,
        wanted=" AND ".join([*conditions, sql.sql]),
        order=", ".join(f"{key} {'ASC' if sql.rising else 'DESC'}" for key in keys),
    )
    taken = tuple(sql.table.of(scope or Scope(*row[-2:]), row) for row in found[:limit])
    if len(found) <= limit:
        return port.Page(taken, None)
    last = taken[-1]
    id = f"{last.scope.user}{OF}{last.id}" if sql.of_many else last.id
    return port.Page(taken, port.Cursor(getattr(last, sql.moment), id, last.confidence if sql.led_by else None))


def beside(
    db: Session, scope: Scope, ids: Sequence[str], *, before: int, after: int, wanted: port.MessageFilter
) -> dict[str, tuple[Message, ...]]:
    """For each message the wanted ones of its conversation, or channel, just before and after it, in time's order."""
    sql = wanted_by(wanted)
    place = wanted.asked_in

    def near(message: Message, side: str, order: str, limit: int) -> list[Message]:
        if wanted.owners:
            at = (scope.tenant, place.space, place.channel, wanted.owners, message.sent_at, rows.known_id(message.id))
            given = (*at, *sql.values, max(limit, 0))
            found = db.rows("beside_in_channel", *given, wanted=sql.sql, side=side, order=order)
            return [rows.MESSAGES.of(Scope(scope.tenant, owner), row) for *row, owner in found]
        given = (message.conversation, message.sent_at, rows.known_id(message.id), *sql.values, max(limit, 0))
        return values(db, rows.MESSAGES, scope, "beside", *given, wanted=sql.sql, side=side, order=order)

    return {
        message.id: (*reversed(near(message, "<", "DESC", before)), *near(message, ">", "ASC", after))
        for owner in wanted.owners or (scope.user,)
        for message in get(db, Scope(scope.tenant, owner), Message, ids)
    }


def acquaintances(db: Session, scope: Scope, *, without: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    return [(subject, called) for subject, called in db.rows("acquaintances", scope, rows.known_ids(without))]


def speakers(db: Session, scope: Scope) -> list[tuple[str, str]]:
    newest = values(db, rows.MESSAGES, scope, "newest_of_each_author")
    return [(message.author, message.author_name) for message in newest]


def voices(db: Session, tenant: str, place: Place, *, messages: int) -> list[port.Voice]:
    found = db.rows("voices", tenant, place.space, place.channel, messages)
    return [port.Voice(Scope(tenant, owner), author, shown) for owner, author, shown, _ in found]


def vectors(
    db: Session, scope: Scope, kind: port.Kind, model: str, parts: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Vector]:
    ids = {raw: id for id in dict.fromkeys(id for id, _ in parts) if (raw := rows.known_id(id)) is not None}
    number = db.first("model", model)
    found = db.rows("vectors_of_rows", scope, number, rows.KIND_NUMBERS[kind], tuple(ids))
    held = {(ids[raw], part): vector for raw, part, vector in found}
    return {part: held[part] for part in parts if part in held}


def predecessors(db: Session, scope: Scope, id: str) -> list[KnowledgeItem]:
    return values(db, rows.ITEMS, scope, "predecessors", rows.known_id(id))


def trail(db: Session, scope: Scope, target: Target, id: str) -> list[AuditEntry]:
    return values(db, rows.ENTRIES, scope, "trail", target.value, id)


def changes(db: Session, scope: Scope, changes: Sequence[str]) -> list[AuditEntry]:
    return values(db, rows.ENTRIES, scope, "changes", tuple(set(changes)))


def page_trail(db: Session, scope: Scope, *, after: int = 0, limit: int = 1_000) -> list[tuple[int, AuditEntry]]:
    found = db.rows("page_trail", scope, after, max(0, limit))
    return [(number, rows.ENTRIES.of(scope, row)) for number, *row in found]


def last_entry(db: Session, scope: Scope) -> int:
    return int(db.first("last_entry", scope))


def usage(db: Session, scope: Scope | None = None, *, since: date | None = None) -> list[port.Use]:
    person, whose = ("", ()) if scope is None else ("AND tenant = ?2 AND owner = ?3", (scope,))
    found = db.rows("usage", "" if since is None else since.isoformat(), *whose, person=person)
    names = ("task", "model", "calls", "input_tokens", "output_tokens")
    return [port.Use(day=date.fromisoformat(day), **dict(zip(names, rest, strict=True))) for day, *rest in found]


def case_scope(db: Session, tenant: str, id: str) -> Scope | None:
    owner = db.first("case_owner", tenant, rows.known_id(id))
    return None if owner is None else Scope(tenant, owner)


def owners(db: Session, tenant: str, *, after: str = "", limit: int = 500) -> list[Scope]:
    """Each next one is a step in every table's key, so that nobody's rows are gone through."""
    found: list[Scope] = []
    while len(found) < limit and (owner := db.first("next_owner", tenant, after)) is not None:
        found.append(Scope(tenant, owner))
        after = owner
    return found


# ── counting ──────────────────────────────────────────────────────────────────────────────────────────────────────

_MOMENTS = {
    port.Fate.LEARNT: ("created_at", "item_by_time"),
    port.Fate.ENDED: ("superseded_at", "item_ended"),
    port.Fate.ARCHIVED: ("archived_at", "item_archived"),
    port.Fate.DELETED: ("deleted_at", "item_deleted"),
}


def count_items(db: Session, scope: Scope, wanted: port.ItemFilter) -> list[port.ItemCount]:
    sql = wanted_items(wanted)
    if not sql.index and set(sql.conditions) >= CURRENT:
        sql.index = "item_current"
    found = db.rows("count_items", scope, *sql.values, index=sql.indexed_by, wanted=sql.sql)
    return [
        port.ItemCount(_area(area), KnowledgeType(type), Source(source), sure, validated == 1, unresolved == 1, items)
        for area, type, source, sure, validated, unresolved, items in found
    ]


def _area(stored: str | None) -> LifeArea | None:
    return None if stored is None else LifeArea(stored)


def passings(
    db: Session,
    scope: Scope,
    moments: Sequence[datetime],
    *,
    asked_in: Place = DIRECT,
    without: frozenset[str] = frozenset(),
) -> list[port.Passing]:
    """One statement: each fate's stretches are ranges of an index of its own."""
    wanted = Wanted()  # whatever may be heard there, whatever became of it
    wanted.heard_in(asked_in)
    wanted.leave_out(without)
    parts = [
        text_of(
            "passing",
            fate=fate.value,
            moment=moment,
            index=index,
            wanted=wanted.sql,
            area="row.area" if fate is port.Fate.LEARNT else "CAST(NULL AS TEXT)",
        )
        for fate, (moment, index) in _MOMENTS.items()
    ]
    parts.append(text_of("fading", wanted=wanted.sql))
    starts = rows.to_json([rows.micros(moment) for moment in moments])
    whose = (scope, *wanted.values)
    found = db.rows("passings", starts, *whose * len(_MOMENTS), scope, *whose, parts="\nUNION ALL\n".join(parts))
    return [port.Passing(stretch, port.Fate(fate), _area(area), items) for stretch, fate, area, items in found]


# ── what stays on this machine ────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Found:
    """What was found of one person or space so far."""

    items: dict[str, KnowledgeItem] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)  # id → conversation
    notes: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)

    def tells(self, note: Note) -> bool:
        """Whether a note was made of something found."""
        return not (self.messages.keys().isdisjoint(note.message_ids) and self.notes.isdisjoint(note.note_ids))


def withheld(db: Session, scope: Scope) -> port.Withheld:
    """What of a scope a model on another machine may not see."""
    found = _Found()
    if scope.space is None:
        _learnt(db, scope, found)
    else:
        for (owner,) in db.rows("local_people", scope.tenant, scope.space):
            _learnt(db, Scope(scope.tenant, owner), found)
    if found.items:
        _noted(db, scope, found)
    return port.Withheld(
        items=frozenset(found.items) if scope.space is None else frozenset(),
        messages=frozenset(found.messages),
        notes=frozenset(found.notes),
        conversations=frozenset(found.messages.values()),
    )


def _learnt(db: Session, scope: Scope, found: _Found) -> None:
    """A person's items, what they replaced, the messages behind them, and the insights that rest on these."""
    items = {item.id: item for item in values(db, rows.ITEMS, scope, "local_items")}
    latest: Collection[str] = list(items)
    while latest:
        replaced = values(db, rows.ITEMS, scope, "superseded_by", rows.known_ids(latest))
        earlier = {item.id: item for item in replaced if item.id not in items}
        items |= earlier
        latest = list(earlier)
    if not items:
        return
    messages = get(db, scope, Message, list({id for item in items.values() for id in item.message_ids}))
    for message in messages:
        found.messages[message.id] = message.conversation
        place = (message.conversation, message.sent_at, rows.id_bytes(message.id))
        answers = takewhile(lambda row: row[1] != Role.USER.value, db.each("answers", message.scope, *place))
        found.messages |= {rows.id_text(id): message.conversation for id, _ in answers}
    for item in values(db, rows.ITEMS, scope, "insights"):
        if not found.messages.keys().isdisjoint(item.message_ids):
            items.setdefault(item.id, item)
    found.items |= items
    found.notes |= {item.note_id for item in items.values() if item.note_id is not None}
    found.texts = found.texts.union(*map(words_of, items.values()), *map(words_of, messages))


def _noted(db: Session, shelf: Scope, found: _Found) -> None:
    """The notes of a shelf that tell of what was found, and those made of such notes."""
    for note in values(db, rows.NOTES, shelf, "notes_of_conversations", tuple(set(found.messages.values()))):
        if note.kind is NoteKind.SESSION or found.tells(note):
            found.notes.add(note.id)
    derived = values(db, rows.NOTES, shelf, "derived_notes")
    found.notes |= reports_quoting(found.texts, derived)
    left = [note for note in derived if note.id not in found.notes]
    while more := {note.id for note in left if found.tells(note)}:
        found.notes |= more
        left = [note for note in left if note.id not in more]


# ── how much there is, and what is still to be embedded ──────────────────────────────────────────────────────────

_EMBEDDED: dict[port.Kind, Callable[[Any], str]] = {
    port.Kind.ITEM: item_text,
    port.Kind.MESSAGE: attrgetter("text"),
    port.Kind.NOTE: note_text,
}
"""The text a row is embedded by."""
FIRST: tuple[str, str, bytes] = ("", "", b"")
"""Before every row, in the order of tenant, owner and id."""


def model_names(db: Session) -> list[str]:
    return [name for (name,) in db.rows("model_names")]


def drop_other_vectors(db: Session, model: str) -> int:
    dropped = db.run("drop_other_vectors", model)
    db.run("drop_other_vector_slices", model)
    db.run("drop_other_models", model)
    return dropped


def unindexed(db: Session, *, limit: int) -> list[tuple[Scope, str]]:
    found = db.rows("oldest_unindexed", max(0, limit))
    return [(Scope(tenant, owner), rows.id_text(id)) for tenant, owner, id in found]


def unembedded(db: Session, model: str, *, limit: int, after: port.Unembedded | None = None) -> list[port.Unembedded]:
    """By kind, tenant, owner and id."""
    number = db.first("model", model) or 0
    found: list[port.Unembedded] = []
    for kind in port.Kind:
        place = FIRST
        if after is not None:
            if rows.KIND_NUMBERS[kind] < rows.KIND_NUMBERS[after.kind]:
                continue
            if kind is after.kind:
                place = (after.scope.tenant, after.scope.user, rows.id_bytes(after.id))
        table, left = rows.SEARCHED[kind], max(0, limit - len(found))
        for tenant, owner, *row in db.rows("unembedded", *place, number, rows.KIND_NUMBERS[kind], left, table=table):
            value = table.of(Scope(tenant, owner), row)
            found.append(port.Unembedded(value.scope, kind, value.id, _EMBEDDED[kind](value)))
    return found


def stats(db: Session, scope: Scope | None, *, file_bytes: int) -> port.Stats:
    person, whose = ("", ()) if scope is None else ("WHERE tenant = ?1 AND owner = ?2", (scope,))

    def counted(name: str, **parts: str) -> dict[str, int]:
        return dict(db.rows(name, *whose, person=person, **parts))

    def count(name: str, **parts: str) -> int:
        return int(db.first(name, *whose, person=person, **parts))

    return port.Stats(
        people=count("people"),
        conversations=count("count_rows", table="conversation"),
        messages=count("count_rows", table="message"),
        notes=count("count_rows", table="note"),
        items=counted("count_states"),
        items_by_type=counted("count_by", table="item", column="type"),
        items_by_area=counted("count_by", table="item", column="area"),
        vectors=counted("models"),
        jobs=counted("count_by", table="job", column="state"),
        bytes=file_bytes if scope is None else count("person_bytes"),
    )
