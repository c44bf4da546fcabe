"""Moving what one store holds into another, row by row as the rows lie, person after person.

Pages go over in the order of their keys, so that what is there already says where to go on; every row is then read
again on both sides and compared. Stamps and the vectors' counts belong to a store's own clock and are made anew; who is
signed in and what a store notes for itself stay behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import zip_longest
from typing import Any

from relembra.domain.scope import Scope
from relembra.errors import ConflictError, InvalidInputError, StoreVersionError
from relembra.store.port import Moved
from relembra.store.sql import Row, Session, reads, tick
from relembra.store.sql.store import SqlStore, Whose
from relembra.store.sql.vectors import model_number

PAGE = 4_000
UNDER_WAY = "moving"
"""In `meta` of the target, from the first row of somebody until all of theirs were compared: whose, as a digest."""

Progress = Callable[[int, int], None]
"""Called with how many rows were copied or compared, and how many are to be."""

Holder = tuple[str, str | None]
"""A tenant, and a person or space of it; None for what is the tenant's as a whole."""


@dataclass(frozen=True, slots=True)
class Part:
    """A table's rows of one holder; `model`: those of this embedding model."""

    table: str
    key: tuple[str, ...]
    leaves: tuple[str, ...] = ()  # columns in which each store has its own numbers
    model: str = ""

    @property
    def is_numbered(self) -> bool:
        return self.key == ("number",)


def _numbered(table: str) -> Part:
    return Part(table, ("number",), ("number",))


VECTORS = Part("embedding", ("kind", "id", "part"), ("model", "tick"))
BLOCKS = Part("block", ("kind", "key"))
PARTS = (
    Part("conversation", ("id",)),
    Part("message", ("id",)),
    Part("note", ("id",)),
    Part("item", ("id",)),
    Part("case_file", ("id",)),
    _numbered("audit"),
    Part("run", ("id",)),
    Part("stored_view", ("name",)),
    Part("buffer", ("id",)),
    Part("buffered", ("buffer", "sent_at", "message", "person")),
    _numbered("unaccounted"),
    Part("job", ("id",)),
    Part("use", ("day", "task", "model")),
    Part("access_key", ("id",)),
    Part("link", ("channel", "id")),
    _numbered("kept_reply"),
    BLOCKS,
    Part("slice", ("kind",)),
    Part("posting", ("kind", "term", "id")),
    VECTORS,
)
MADE_ANEW = ("clock", "model", "stamp", "vector_slice")
LEFT_BEHIND = ("access_session", "meta")
_WITHOUT_OWNER = ("access_key", "kept_reply", "block")


# ── one side ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _columns(db: Session, part: Part) -> tuple[str, ...]:
    """The columns that are carried over, those of the key first."""
    named = [name for (name,) in db.rows("columns_of", part.table)]
    rest = sorted(name for name in named if name not in ("tenant", "owner", *part.key, *part.leaves))
    return (*part.key, *rest)


def _whose(holder: Holder, part: Part) -> tuple[str, tuple[Any, ...]]:
    """A condition that means one holder's rows, and its values."""
    tenant, owner = holder
    if owner is not None:
        return "tenant = ? AND owner = ?", (tenant, owner)
    return ("tenant = ?" if part is BLOCKS else "tenant = ? AND owner IS NULL"), (tenant,)


def _chosen(db: Session, holder: Holder, part: Part) -> tuple[str, tuple[Any, ...]]:
    whose, values = _whose(holder, part)
    return (f"{whose} AND model = ?", (*values, db.first("model", part.model) or 0)) if part.model else (whose, values)


def _rows(db: Session, holder: Holder, part: Part, after: Sequence[Any]) -> list[Row]:
    columns, (whose, values) = _columns(db, part), _chosen(db, holder, part)
    key = ", ".join(part.key)
    beyond = f"AND ({key}) > ({', '.join('?' * len(part.key))})" if after else ""
    given = {"table": part.table, "columns": ", ".join(columns), "key": key, "whose": whose, "after": beyond}
    return db.rows("moved_rows", *values, *after, PAGE, **given)


def _put(db: Session, holder: Holder, part: Part, found: Sequence[Row]) -> None:
    names: list[str] = ["tenant"]
    fixed: list[Any] = [holder[0]]
    if part is not BLOCKS:
        names.append("owner")
        fixed.append(holder[1])
    columns = _columns(db, part)
    if part.model:
        names += ["model", "tick"]
        fixed += [model_number(db, part.model, len(found[0][columns.index("vector")])), tick(db)]
    skipped = 1 if part.is_numbered else 0
    names += columns[skipped:]
    marks = ", ".join("?" * len(names))
    listed = ", ".join(f'"{name}"' for name in names)
    rows = [(*fixed, *row[skipped:]) for row in found]
    db.many("put_salvaged", rows, table=part.table, columns=listed, marks=marks)


def _last(db: Session, holder: Holder, part: Part) -> tuple[int, Row]:
    """How many rows of a part are here, and the last one's key."""
    whose, values = _chosen(db, holder, part)
    count = int(db.first("count_moved", *values, table=part.table, whose=whose))
    backwards = ", ".join(f"{name} DESC" for name in part.key)
    last = {"table": part.table, "key": ", ".join(part.key), "whose": whose, "backwards": backwards}
    return count, db.rows("last_moved", *values, **last)[0] if count else ()


def _number_at(db: Session, holder: Holder, part: Part, count: int) -> Row:
    """The number of a part's so-manieth row."""
    whose, values = _chosen(db, holder, part)
    found = db.rows("number_at", *values, count - 1, table=part.table, whose=whose)
    return found[0] if found else ()


def _held(db: Session, only: Collection[str], wanted: Callable[[Holder], bool]) -> dict[Holder, Counter[str]]:
    """How many rows of each table each holder has."""
    found: dict[Holder, Counter[str]] = {}
    for part in PARTS:
        owner = "CAST(NULL AS TEXT)" if part is BLOCKS else "owner"
        by = "tenant" if part is BLOCKS else "tenant, owner"
        where = " WHERE tenant = ?" if only else ""
        for tenant, whose, count in db.rows("count_held", *only, table=part.table, owner=owner, by=by, where=where):
            if wanted((tenant, whose)):
                found.setdefault((tenant, whose), Counter())[part.table] = count
    return found


def _finish(db: Session, holder: Holder) -> None:
    """Let this store's own clock know of what came."""
    tenant, owner = holder
    if owner is not None:
        now = tick(db)
        db.run("stamp", tenant, owner, now, now)
        db.run("drop_moved_counts", tenant, owner)
        db.run("count_moved_vectors", now, now, tenant, owner)
    db.run("drop_meta", UNDER_WAY)


# ── both ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Move:
    """One move under way."""

    def __init__(self, source: SqlStore, target: SqlStore, progress: Progress | None) -> None:
        self._source, self._target = source, target
        self._progress = progress
        self._models: Sequence[str] = ()
        self.done = self.total = 0

    async def prepare(self) -> None:
        """Refuse stores whose rows mean something else."""
        for part in PARTS:
            if await self._ask(self._source, _columns, part) != await self._ask(self._target, _columns, part):
                raise StoreVersionError("the two memories are of different versions; open both once with this one")
        versions = [await store._read(lambda db: db.first("get_meta", "analyzer"), None) for store in self._both]
        if versions[0] != versions[1]:
            raise StoreVersionError("the memory to move is of an earlier version; open it once with this one")
        self._models = await self._source._read(reads.model_names, None)

    @property
    def _both(self) -> tuple[SqlStore, SqlStore]:
        return self._source, self._target

    async def _ask(self, store: SqlStore, ask: Callable[..., Any], *args: Any) -> Any:
        return await store._read(lambda db: ask(db, *args), None)

    def parts(self, holder: Holder) -> list[Part]:
        """What a holder may have, each model's vectors by themselves."""
        if holder[1] is None:
            return [part for part in PARTS if part.table in _WITHOUT_OWNER]
        vectors = [replace(VECTORS, model=name) for name in sorted(self._models)]
        return [*(part for part in PARTS if part not in (BLOCKS, VECTORS)), *vectors]

    def _step(self, rows: int) -> None:
        self.done += rows
        if self._progress is not None:
            self._progress(self.done, max(self.total, self.done))

    async def copy(self, holder: Holder, mark: str) -> None:
        """Bring over what is not there yet; `mark` says meanwhile that it is under way."""
        write = self._target._write
        await write(lambda db: db.run("set_meta", UNDER_WAY, mark), None, (None,))
        for part in self.parts(holder):
            count, after = await self._ask(self._target, _last, holder, part)
            if count and part.is_numbered:
                after = await self._ask(self._source, _number_at, holder, part, count)
            self._step(count)
            while found := await self._ask(self._source, _rows, holder, part, after):
                after = found[-1][: len(part.key)]
                put = (holder, part, found)
                await write(lambda db, put=put: _put(db, *put), None, (None,))  # type: ignore[misc]
                self._step(len(found))
                if len(found) < PAGE:
                    break

    async def compared(self, holder: Holder) -> tuple[int, list[str]]:
        """How many rows were compared, and where the first that differ are: table by table, with the row's key."""
        rows, problems = 0, list[str]()
        for part in self.parts(holder):
            ours: Sequence[Any] = ()
            theirs: Sequence[Any] = ()
            while True:
                here = await self._ask(self._source, _rows, holder, part, ours)
                there = await self._ask(self._target, _rows, holder, part, theirs)
                rows += len(here)
                self._step(len(here))
                skipped = 1 if part.is_numbered else 0
                for one, other in zip_longest(here, there):
                    if one is None or other is None or _plain(one[skipped:]) != _plain(other[skipped:]):
                        problems.append(f"{part.table} {_named(one or other, part)}")
                        break
                if problems[-1:] and problems[-1].startswith(f"{part.table} "):
                    break
                if len(here) < PAGE:
                    break
                ours, theirs = here[-1][: len(part.key)], there[-1][: len(part.key)]
        return rows, problems


def _plain(row: Sequence[Any]) -> list[Any]:
    """As every engine can keep it: PostgreSQL has no NUL in a text."""
    return [cell.replace("\0", "\ufffd") if type(cell) is str else cell for cell in row]


def _named(row: Row, part: Part) -> str:
    """A row's id or number; a word is in no message."""
    return "/".join(cell.hex() for cell in row if isinstance(cell, bytes) and len(cell) == 16) or f"of {part.key[0]}"


async def move(
    source: SqlStore,
    target: SqlStore,
    place: str,
    *,
    tenant: str | None = None,
    user: str | None = None,
    progress: Progress | None = None,
    moved: Callable[[str, str | None, int], None] | None = None,
) -> Moved:
    """Bring everything, a tenant or one person over; `place`: where the source lies, by which it is known again.

    Nothing is changed where the target holds something else of anybody who is to come. The source is only read.
    """
    whose: Whose = Scope(tenant, user) if tenant is not None and user is not None else tenant
    if isinstance(whose, Scope):
        await _refuse_waiting(source, whose)

    def wanted(holder: Holder) -> bool:
        return user is None or holder[1] == user

    only = () if tenant is None else (tenant,)
    move = _Move(source, target, progress)
    await move.prepare()
    held = await source._read(lambda db: _held(db, only, wanted), None)
    there = await target._read(lambda db: _held(db, only, wanted), None)
    under_way = await target._read(lambda db: db.first("get_meta", UNDER_WAY), None)
    move.total = 2 * sum(count.total() for count in held.values())
    order = sorted(held, key=lambda holder: (holder[0], holder[1] or "", holder[1] is not None))
    marks = {holder: _mark(place, holder) for holder in order}
    if under_way is not None and under_way not in marks.values():
        raise ConflictError("the move of another memory into this one was not ended; end it first")
    known = {holder for holder in order if holder in there and marks[holder] != under_way}
    rows: Counter[str] = Counter()
    for holder in sorted(known, key=order.index):
        count, problems = await move.compared(holder)
        move.done += count
        if problems:
            raise ConflictError(f"the memory to move into holds other data of {_of(holder)} already")
    for holder in order:
        if holder not in known:
            await move.copy(holder, marks[holder])
            _, problems = await move.compared(holder)
            if problems:
                return Moved(rows=dict(rows), people=0, known=len(known), problems=tuple(problems), of=_of(holder))
            await target._write(lambda db, holder=holder: _finish(db, holder), None, (None,))  # type: ignore[misc]
        rows.update(held[holder])
        if moved is not None:
            moved(holder[0], holder[1], held[holder].total())
    people = {holder for holder in order if holder[1] is not None and Scope(holder[0], holder[1]).space is None}
    return Moved(rows=dict(rows), people=len(people), known=len(known))


def _of(holder: Holder) -> str:
    tenant, owner = holder
    scope = None if owner is None else Scope(tenant, owner)
    return f"tenant {tenant}" if scope is None else scope.space or scope.user


def _mark(place: str, holder: Holder) -> str:
    return blake2b(repr((place, holder)).encode(), digest_size=16).hexdigest()


async def _refuse_waiting(source: SqlStore, scope: Scope) -> None:
    """Messages somebody wrote in a space are noted with it, so that they cannot go alone."""
    args = (scope.tenant, scope.user, scope.user)
    if waiting := await source._read(lambda db: db.first("waiting_elsewhere", *args), None):
        raise InvalidInputError(
            f"{waiting} messages wait to be noted in spaces; learn from them first (relembra learn), or move everybody",
            field="user",
        )
