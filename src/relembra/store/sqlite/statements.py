"""The named statements, read once from the file beside this one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import apsw

_HEAD = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def _load() -> dict[str, str]:
    text = files(__package__).joinpath("statements.sql").read_text(encoding="utf-8")
    parts = _HEAD.split(text)[1:]
    return {name: body.strip().rstrip(";") for name, body in zip(parts[::2], parts[1::2], strict=True)}


SQL = _load()


def filled(name: str, **parts: str) -> str:
    """A named statement with its {parts} filled in; the parts are SQL of ours, never anybody's words."""
    statement = SQL[name]
    for part, text in parts.items():
        statement = statement.replace("{" + part + "}", text)
    return statement


def fetched(db: apsw.Connection, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """All rows at once; what their columns hold, the statement knows and a type checker cannot."""
    return db.execute(statement, values).fetchall()


def first_value(db: apsw.Connection, statement: str, values: Sequence[Any] = ()) -> Any:
    """The first column of the first row; None without rows."""
    return next((row[0] for row in db.execute(statement, values)), None)
