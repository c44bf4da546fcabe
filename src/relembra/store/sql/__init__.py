"""How the modules of this package speak to a database: statements by name, inside a transaction its adapter began.

All statements stand in statements.sql, written for any SQL engine as far as that is natural. An adapter gives the
connection the methods of `Session`, and may change the text first: `INDEXED BY` is a hint, `carray(?)` a list given as
one value, and a statement an engine says otherwise is a statement of the adapter's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Protocol

from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.port import Stamp
from relembra.store.rows import Table

Row = tuple[Any, ...]

_HEAD = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


class Session(Protocol):
    """A connection in a transaction. Values may be a `Scope` (tenant and owner), moments, and tuples (as a list).

    A statement is a name in statements.sql or a text of `inserting`; its {parts} are SQL of ours, never anybody's
    words. A `table` fills in {table}, {columns} and {key}.
    """

    def rows(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> list[Row]:
        """All rows at once; what their columns hold, the statement knows and a type checker cannot."""

    def each(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> Iterator[Row]:
        """The same one after another, for statements that find much."""

    def first(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> Any:
        """The first column of the first row; None without rows."""

    def run(self, statement: str, /, *values: Any, **parts: str | Table[Any]) -> int:
        """How many rows were changed."""

    def add(self, statement: str, /, *values: Any, taken: str, **parts: str | Table[Any]) -> int:
        """The same; where a key is taken already, a `ConflictError` that says so."""

    def batch(self, statement: str, values: Iterable[Sequence[Any]], /, **parts: str | Table[Any]) -> list[list[Row]]:
        """All rows for each of several values, which an engine far away is asked for together."""

    def many(self, statement: str, values: Iterable[Sequence[Any]], /, **parts: str | Table[Any]) -> None:
        """Run it once for each."""


def load(package: str) -> dict[str, str]:
    """The statements a package has in its statements.sql, by name, with the columns of tables filled in."""
    text = files(package).joinpath("statements.sql").read_text(encoding="utf-8")
    for table in (*rows.TABLES.values(), rows.KEYS):
        text = text.replace(f"{{{table.name}.*}}", table.columns)
        text = text.replace(f"{{row.{table.name}.*}}", ", ".join(f"row.{name}" for name in table.names))
    parts = _HEAD.split(text)[1:]
    return {name: body.strip().rstrip(";") for name, body in zip(parts[::2], parts[1::2], strict=True)}


STATEMENTS = load(__package__)


@lru_cache(maxsize=1_000)
def text_of(statement: str, **parts: str | Table[Any]) -> str:
    """A statement with its parts filled in."""
    return filled(STATEMENTS.get(statement, statement), parts)


def filled(text: str, parts: Mapping[str, str | Table[Any]]) -> str:
    """The text of a statement with its parts in it."""
    for name, part in parts.items():
        if isinstance(part, Table):
            text = text.replace("{columns}", part.columns).replace("{key}", part.key)
        text = text.replace(f"{{{name}}}", part.name if isinstance(part, Table) else part)
    return text


@cache
def inserting(table: Table[Any], *more: str, replaces: bool = False) -> str:
    """A statement that adds a row, with `more` columns before its own; `replaces`: in the place of the one before."""
    names = ("tenant", "owner", *more, *table.names)
    given = ", ".join(f"excluded.{name}" for name in table.names)
    or_else = text_of("or_replace", table=table, given=given) if replaces else ""
    return text_of(
        "insert", table=table.name, columns=", ".join(names), marks=", ".join("?" * len(names)), or_else=or_else
    )


# ── the clock of changes ──────────────────────────────────────────────────────────────────────────────────────────


def tick(db: Session) -> int:
    """The next moment of the store's clock; no two transactions get the same."""
    return int(db.rows("tick")[0][0])


def stamp(db: Session, scopes: Mapping[Scope, bool]) -> None:
    """Note that something to be read of each of these changed just now; True: something known as well."""
    changed = sorted((scope.tenant, scope.user, known) for scope, known in scopes.items())
    if changed:
        now = tick(db)
        db.many("stamp", [(tenant, owner, now, now if known else 0) for tenant, owner, known in changed])


def stamps(db: Session, scopes: Sequence[Scope]) -> tuple[Stamp, ...]:
    found = (db.rows("stamp_of", scope) for scope in scopes)
    return tuple(Stamp(*held[0]) if held else Stamp(0, 0) for held in found)
