"""Counting items: from the tally kept beside them, or the rows where it does not tell; and what became of them when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import apsw

from relembra.domain.knowledge import ItemState
from relembra.domain.scope import Place, Scope
from relembra.store import rows
from relembra.store.port import Fate, ItemCount, ItemFilter, Passing
from relembra.store.sqlite.filters import Wanted, wanted_anywhere, wanted_items, wanted_kinds
from relembra.store.sqlite.statements import filled

TALLIED = (ItemState.CONFIRMED, ItemState.UNCONFIRMED, ItemState.QUESTIONED)
_MOMENTS = {
    Fate.LEARNT: ("created_at", "item_by_time"),
    Fate.ENDED: ("superseded_at", "item_ended"),
    Fate.ARCHIVED: ("archived_at", "item_archived"),
    Fate.DELETED: ("deleted_at", "item_deleted"),
}


def counts(db: apsw.Connection, scope: Scope, wanted: ItemFilter) -> list[ItemCount]:
    found: dict[tuple[Any, ...], int] = {}
    for sign, statement, narrowed in _parts(wanted):
        for row in db.execute(statement, (scope.tenant, scope.user, *narrowed.values)):
            alike = row[:-1]
            found[alike] = found.get(alike, 0) + sign * row[-1]
    return rows.item_counts_of(found)


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
    db: apsw.Connection, scope: Scope, moments: Sequence[datetime], asked_in: Place, without: frozenset[str]
) -> list[Passing]:
    """One statement: each fate's stretches are ranges of an index of its own."""
    wanted = wanted_anywhere(asked_in, without)
    whose = (scope.tenant, scope.user, *wanted.values)
    parts = [
        filled("passing", fate=fate.value, moment=moment, index=index, wanted=wanted.sql, area=_area(fate))
        for fate, (moment, index) in _MOMENTS.items()
    ]
    parts.append(filled("fading", wanted=wanted.sql))
    statement = filled("passings", parts="\nUNION ALL\n".join(parts))
    starts = rows.to_json([rows.micros(moment) for moment in moments])
    values = (starts, *whose * len(_MOMENTS), scope.tenant, scope.user, *whose)
    return [
        Passing(stretch, Fate(fate), rows.area_of(area), items)
        for stretch, fate, area, items in db.execute(statement, values)
    ]


def _area(fate: Fate) -> str:
    return "row.area" if fate is Fate.LEARNT else "NULL"
