"""Which rows are wanted, as SQL: what is current, what may be heard, and all a filter narrows by, in this one place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from relembra.domain.case import Outcome
from relembra.domain.knowledge import ItemState
from relembra.domain.message import PROMPTERS, Role
from relembra.domain.scope import Place
from relembra.store import port
from relembra.store.rows import CASES, CONVERSATIONS, ITEMS, MESSAGES, NOTES, RUNS, Table, known_ids, micros

SHOWN = "row.deleted_at IS NULL"
CURRENT = {SHOWN, "row.superseded_at IS NULL", "row.archived_at IS NULL"}
UNEXPIRED = "(row.expires_at IS NULL OR row.expires_at > ?)"
HAPPENS = (  # `domain.knowledge.EVENTS`, word for word as in the index
    "(row.type = 'memory' OR row.attribute IN ('contract', 'meeting', 'deadline', 'achieved', 'dropped_goal', 'event'))"
)
_DECIDED: dict[ItemState, tuple[str, str]] = {
    ItemState.CONFIRMED: ("row.validated = 1", "item_confirmed"),
    ItemState.UNCONFIRMED: ("row.validated = 0", ""),
    ItemState.QUESTIONED: ("row.needs_resolution = 1", "item_questioned"),
    ItemState.LOCAL: ("row.local_only = 1", "item_local"),
    ItemState.DELETED: ("row.deleted_at IS NOT NULL", "item_deleted"),
}
"""Each with the index that has such rows by themselves, few among many."""
TAGGED = (  # with all of them
    "NOT EXISTS (SELECT 1 FROM json_each(?) AS asked"
    " WHERE asked.value NOT IN (SELECT tag.value FROM json_each(row.tags) AS tag))"
)
LEARNT_FROM = (
    "EXISTS (SELECT 1 FROM json_each(row.message_ids) AS source"
    " WHERE source.value IN (SELECT asked.value FROM json_each(?) AS asked))"
)
TOOK_PART = "EXISTS (SELECT 1 FROM json_each(row.participants) AS name WHERE name.value = ?)"


@dataclass(slots=True)
class Wanted:
    """Conditions over a table called `row`, and what stands for their question marks."""

    conditions: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    table: Table[Any] = ITEMS
    moment: str = ""  # the column a page is ordered by, before the id
    led_by: str = ""  # the one before that, if any
    rising: bool = False
    of_many: bool = False  # whose ids are their owner's alone
    index: str = ""  # the one rows are to be read by, where an engine may choose the order of time

    @property
    def sql(self) -> str:
        return " AND ".join(self.conditions) if self.conditions else "TRUE"

    @property
    def indexed_by(self) -> str:
        return f"INDEXED BY {self.index}" if self.index else ""

    def add(self, condition: str, *values: Any) -> None:
        self.conditions.append(condition)
        self.values.extend(values)

    def one_of(self, column: str, choices: Sequence[str], *, or_else: str = "") -> None:
        """Nothing chosen, and no condition that will do instead: any."""
        parts = [f"row.{column} IN ({', '.join('?' * len(choices))})"] if choices else []
        parts += [or_else] if or_else else []
        if parts:
            self.add(parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})", *(str(choice) for choice in choices))

    def equals(self, column: str, value: str | None) -> None:
        if value is not None:
            self.add(f"row.{column} = ?", value)

    def between(self, column: str, since: datetime | None, until: datetime | None) -> None:
        if since is not None:
            self.add(f"row.{column} >= ?", micros(since))
        if until is not None:
            self.add(f"row.{column} < ?", micros(until))

    def unmarked(self, column: str, as_of: datetime | None) -> None:
        """Not marked with that moment, or not yet at `as_of`."""
        if as_of is None:
            self.add(f"row.{column} IS NULL")
        else:
            self.add(f"(row.{column} IS NULL OR row.{column} > ?)", micros(as_of))

    def leave_out(self, ids: frozenset[str]) -> None:
        """As if these rows were not there."""
        if ids:
            self.add("row.id NOT IN carray(?)", known_ids(ids))

    def taken_from(self, space: str | None, channel: str | None) -> None:
        """Of that very space and channel, whatever may be heard of it; see there for the plus."""
        for column, name in (("space", space), ("channel", channel)):
            if name is not None:
                self.add(f"+row.{column} = ?", name)

    def heard_in(self, asked_in: Place) -> None:
        """The SQL of `domain.scope.may_hear`; the plus keeps an engine from reading a whole channel for one person."""
        if not asked_in.is_private:
            self.add("+row.space = ?", asked_in.space)

    def said_in(self, place: Place) -> None:
        """Said in that very space and channel, or in private."""
        if place.is_private:
            self.add("row.space IS NULL")
        else:
            self.add("+row.space = ? AND +row.channel = ?", place.space, place.channel)


_ORDERS = {
    port.ItemOrder.SUREST: ("confidence", "created_at", "item_by_confidence"),
    port.ItemOrder.UNSURE: ("confidence", "created_at", "item_by_confidence"),
    port.ItemOrder.CHANGED: ("", "updated_at", "item_by_change"),
}
"""Which column leads, which moment follows, and the index that has this order, where it is not that of time."""

_LEDGERS: dict[port.Ledger, tuple[Table[Any], str]] = {
    port.Ledger.CONVERSATION: (CONVERSATIONS, "created_at"),
    port.Ledger.NOTE: (NOTES, "happened_at"),
    port.Ledger.ITEM: (ITEMS, "created_at"),
    port.Ledger.CASE: (CASES, "opened_at"),
    port.Ledger.RUN: (RUNS, "started_at"),
    port.Ledger.MESSAGE: (MESSAGES, "sent_at"),
}


def wanted_by(wanted: port.Filter[Any]) -> Wanted:
    """A filter as SQL, with the order its pages come in."""
    match wanted:
        case port.ItemFilter():
            sql = wanted_items(wanted)
        case port.TimeFilter():
            sql = _of_some_time(wanted)
        case port.CaseFilter():
            sql = Wanted(table=CASES)
            sql.heard_in(wanted.asked_in)
            if wanted.open_only:
                sql.index = "case_open"
                sql.add(f"row.outcome = '{Outcome.OPEN.value}'")  # word for word as in the index
            if wanted.items is not None:
                raw = known_ids(wanted.items)
                sql.add("(row.old_id IN carray(?) OR row.new_id IN carray(?))", raw, raw)
        case port.RunFilter():
            sql = Wanted(table=RUNS, index="run_by_time" if wanted.night is None else "")
            sql.one_of("kind", wanted.kinds)
            sql.equals("night", None if wanted.night is None else wanted.night.isoformat())
        case port.ConversationFilter():
            sql = Wanted([SHOWN], table=CONVERSATIONS, of_many=wanted.tenant is not None)
            sql.equals("tenant", wanted.tenant)
        case port.Whole(ledger):
            table, moment = _LEDGERS[ledger]
            sql = Wanted(table=table, moment=moment, rising=True)
        case _:
            raise TypeError(f"{type(wanted).__name__} is no filter of this store")
    sql.moment = sql.moment or sql.table.moment
    return sql


def _of_some_time(wanted: port.TimeFilter[Any]) -> Wanted:
    match wanted:
        case port.NoteFilter():
            index = "" if wanted.conversation is None else "note_by_conversation"
            sql = Wanted([SHOWN], table=NOTES, moment="happened_at", index=index)
            if not wanted.archived:
                sql.add("row.archived_at IS NULL")
            sql.one_of("kind", wanted.kinds)
            if wanted.participant is not None:
                sql.add(TOOK_PART, wanted.participant)
        case port.EventFilter():
            sql = Wanted([HAPPENS, SHOWN, "row.superseded_at IS NULL"], moment="held_from", index="item_event")
        case port.MessageFilter():
            sql = Wanted([SHOWN], table=MESSAGES, moment="sent_at")
            sql.one_of("role", wanted.roles)
            if not wanted.prompts:
                authors = ", ".join("?" * len(PROMPTERS))
                sql.add(f"NOT (row.role = '{Role.SYSTEM.value}' AND row.author IN ({authors}))", *PROMPTERS)
        case _:
            raise TypeError(f"{type(wanted).__name__} is no filter of this store")
    if wanted.said_there:
        sql.said_in(wanted.asked_in)
    else:
        sql.heard_in(wanted.asked_in)
    sql.taken_from(wanted.from_space, wanted.from_channel)
    sql.equals("conversation", wanted.conversation)
    sql.between(sql.moment, wanted.since, wanted.until)
    sql.leave_out(wanted.without)
    return sql


def wanted_items(wanted: port.ItemFilter) -> Wanted:
    decided, corner = ("", "") if wanted.only is None else _DECIDED[wanted.only]
    if not corner and len(wanted.areas) + wanted.no_area == 1:
        corner = "item_by_area"
    led_by, moment, index = _ORDERS.get(wanted.order, ("", "created_at", corner))
    sql = Wanted(moment=moment, led_by=led_by, rising=wanted.order.is_rising, index=index)
    spelt = wanted.spelt_out()
    if spelt.as_of is not None:
        sql.add("row.created_at <= ?", micros(spelt.as_of))
    if not spelt.deleted:
        sql.unmarked("deleted_at", spelt.as_of)
    if spelt.true_at is not None:
        sql.add("row.held_from <= ?", micros(spelt.true_at))
        ends = "row.held_until IS NULL OR row.held_until > ?"
        if spelt.as_of is None:
            sql.add(f"({ends})", micros(spelt.true_at))
        else:
            sql.add(f"({ends} OR row.superseded_at > ?)", micros(spelt.true_at), micros(spelt.as_of))
    if not spelt.history:
        if spelt.true_at is None:
            sql.unmarked("superseded_at", spelt.as_of)
        if not spelt.archived:
            sql.unmarked("archived_at", spelt.as_of)
        sql.add(UNEXPIRED, micros(spelt.true_at or spelt.as_of or spelt.now))
    sql.heard_in(wanted.asked_in)
    sql.taken_from(wanted.from_space, wanted.from_channel)
    sql.one_of("type", wanted.types)
    sql.one_of("area", wanted.areas, or_else="row.area IS NULL" if wanted.no_area else "")
    sql.equals("sub_area", wanted.sub_area)
    sql.one_of("source", wanted.sources)
    if wanted.confidence_at_least is not None:
        sql.add("row.confidence >= ?", wanted.confidence_at_least)
    if wanted.confidence_below is not None:
        sql.add("row.confidence < ?", wanted.confidence_below)
    if wanted.only is ItemState.DELETED and wanted.as_of is not None:
        sql.add("row.deleted_at <= ?", micros(wanted.as_of))
    elif decided:
        sql.add(decided)
    if wanted.tags:
        sql.add(TAGGED, json.dumps(list(wanted.tags)))
    sql.equals("subject", wanted.subject)
    sql.equals("attribute", wanted.attribute)
    if wanted.subject is not None and wanted.attribute is not None:
        sql.index = "item_by_attribute"  # by time it would read everything held to find a few
    if wanted.note_ids:
        sql.add("row.note_id IN carray(?)", known_ids(wanted.note_ids))
        sql.index = "item_by_note"
    if wanted.message_ids:
        sql.add(LEARNT_FROM, json.dumps(wanted.message_ids))
    sql.between("created_at", wanted.since, wanted.until)
    if wanted.period is not None:
        start, end = (micros(moment) for moment in wanted.period)
        said = [f"(row.{column} >= ? AND row.{column} < ?)" for column in ("created_at", "held_from", "reinforced_at")]
        sql.add(f"({' OR '.join(said)})", *(start, end) * len(said))
    sql.leave_out(wanted.without)
    return sql
