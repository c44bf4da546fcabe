"""What of an export is here already: the same, or something else, which then stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from relembra.domain.audit import AuditEntry
from relembra.domain.case import Case
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.domain.run import Run, RunKind
from relembra.domain.scope import Scope
from relembra.store.port import Store, View
from relembra.transfer.parts import Part


@dataclass(frozen=True, slots=True)
class Compared:
    """Rows told apart: new ones, each with whether it is due; how many are the same here; and those that differ."""

    new: list[tuple[Any, bool]]
    same: int
    differing: list[Any]


@dataclass(slots=True)
class Standing:
    """Compares rows with those in a store."""

    store: Store
    _differing: set[tuple[Scope, str, str]] = field(default_factory=set)  # rows that stay as they are, by kind and id

    def stays(self, target: Scope, part: Part, rows: Sequence[Any]) -> None:
        """These rows are others here; what the file records of them tells of another row from now on."""
        self._differing |= {(target, part.value, name_of(row)) for row in rows}

    async def compared(self, target: Scope, part: Part, rows: Sequence[tuple[Any, bool]]) -> Compared:
        """Rows of one part beside what is there under their names."""
        held = await self._held(target, part, [row for row, _ in rows])
        new: list[tuple[Any, bool]] = []
        skipped, differing = 0, list[Any]()
        for row, due in rows:
            there = held.get(name_of(row))
            if there is None:
                if isinstance(row, AuditEntry) and (target, row.target.value, row.target_id) in self._differing:
                    continue  # it tells of a row that stays another one here
                held[name_of(row)] = row
                new.append((row, due))
            elif _same(there, row):
                skipped += 1
            else:
                differing.append(row)
        return Compared(new, skipped, differing)

    async def _held(self, target: Scope, part: Part, rows: Sequence[Any]) -> dict[str, Any]:
        """What is there under the names of these rows."""
        ids = [name_of(row) for row in rows]
        found: Sequence[Any]
        match part:
            case Part.NOTE:
                found = await self.store.notes(target, ids)
            case Part.ITEM:
                found = await self.store.items(target, ids)
            case Part.MESSAGE:
                found = await self.store.messages(target, ids)
            case Part.ENTRY:
                found = await self.store.changes(target, list(dict.fromkeys(row.change for row in rows)))
            case Part.CASE:
                found = await self.store.cases(target, ids)
                strangers = [row for row in rows if await self._is_others(target, row)]
                found = [*found, *(replace(row, scope=Scope(target.tenant, "\x1fanybody")) for row in strangers)]
            case Part.CONVERSATION:
                each = [await self.store.conversation(target, id) for id in ids]
                found = [row for row in each if row is not None]
            case Part.VIEW:
                views = [await self.store.view(target, id) for id in ids]
                found = [row for row in views if row is not None]
            case Part.RUN:
                return await self._runs_held(target, rows)
            case _:
                found = ()
        return {name_of(row): row for row in found}

    async def _runs_held(self, target: Scope, rows: Sequence[Run]) -> dict[str, Any]:
        """Runs by id; one whose night has another record here counts as that one."""
        held: dict[str, Any] = {}
        nights: dict[tuple[RunKind, Any], Run] = {}
        for row in rows:
            there = await self.store.run(target, row.id)
            if there is None and row.night is not None:
                there = await self.store.run_of_night(target, row.kind, row.night) or nights.get((row.kind, row.night))
                nights.setdefault((row.kind, row.night), row)
            if there is not None:
                held[row.id] = there
        return held

    async def _is_others(self, target: Scope, case: Case) -> bool:
        return await self.store.case_scope(target.tenant, case.id) not in (None, target)


def name_of(row: Any) -> str:
    """What a row is told from others of its part by."""
    return str(row.name if isinstance(row, View) else row.id)


def _same(held: Any, row: Any) -> bool:
    """Whether a row says nothing else than the one that is there, how often it was read and asked for apart."""
    match held, row:
        case (View(), _):
            return True  # computed from the rest, and so never in conflict
        case (KnowledgeItem(), KnowledgeItem()) | (Note(), Note()):
            return bool(replace(held, accesses=row.accesses, last_access=row.last_access) == row)
        case (Case(), Case()):
            return bool(replace(held, asked=row.asked, asked_at=row.asked_at, version=row.version) == row)
        case _:
            return bool(held == row)
