"""Taking back everything one piece of night work did, but for what somebody changed since."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from relembra.domain.audit import ActorKind, AuditEntry, Target
from relembra.domain.jobs import Run, RunStatus
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Scope
from relembra.errors import ConflictError, NotFoundError
from relembra.learn.keeper import Field, Keeper, deciding
from relembra.learn.trail import Change, Row, reversed_row
from relembra.store.port import Op, Put

Key = tuple[Target, str]

TENDED = frozenset({"relate", "fade", "raise", "lower", "archive", "recover", "condense"})
"""What a program does to rows by itself, which nobody decided: it keeps nothing from being taken back."""
_MOVING = frozenset({"version", "updated_at"})


@dataclass(frozen=True, slots=True)
class Left:
    """A row that stays as it is, or goes back only part of the way, since it was changed by others meanwhile."""

    target: Target
    id: str
    why: str


@dataclass(frozen=True, slots=True)
class RolledBack:
    """What a rollback did: rows that are as they were before, rows that were left, and the change it is itself."""

    run: Run
    restored: tuple[str, ...]
    left: tuple[Left, ...]
    change: str | None  # by which it can be undone; None: nothing was to be restored


@dataclass(frozen=True, slots=True)
class _Step:
    """A row as it is and as it was, and the entries between, newest first."""

    current: Row
    earlier: Row
    mine: tuple[AuditEntry, ...]

    @property
    def replaced_by(self) -> str | None:
        """What ended it in these entries."""
        if not isinstance(self.current, KnowledgeItem) or not isinstance(self.earlier, KnowledgeItem):
            return None
        return self.current.superseded_by if self.earlier.superseded_at is None else None


@dataclass(frozen=True, slots=True)
class Rollback:
    """Reverses a record's changes, whole, in one transaction."""

    keeper: Keeper

    async def roll_back(self, scope: Scope, id: str, by: str | None) -> RolledBack:
        """Every row the record's changes touched becomes what it was before, unless somebody changed it since."""

        async def decide() -> RolledBack:
            run = await self.keeper.store.find(scope, Run, id)
            if run is None:
                raise NotFoundError("record", id)
            if run.status is RunStatus.RUNNING and await self.keeper.store.job(id) is not None:
                raise ConflictError(
                    f"record {id} is of work still under way; wait for its end, or cancel its job", "under_way"
                )
            if run.status is RunStatus.ROLLED_BACK:
                raise ConflictError(f"record {id} was rolled back already", "rolled_back")
            own = await self.keeper.store.changes(scope, run.changes)
            change = self.keeper.change(scope, "rollback", by)
            ops, restored, left = await self._reversed(scope, own, change)
            after = replace(run, status=RunStatus.ROLLED_BACK, version=run.version + 1)
            await self.keeper.store.apply(scope, [*ops, Put(after, run.version)])
            return RolledBack(after, tuple(restored), tuple(left), change.id if restored else None)

        return await deciding(decide)

    async def _reversed(
        self, scope: Scope, own: Sequence[AuditEntry], change: Change
    ) -> tuple[list[Op], list[str], list[Left]]:
        steps, left = await self._steps(scope, own)
        seen: dict[tuple[str, str | None], Field] = {}
        opened: list[Op] = []
        reversed_entries: list[AuditEntry] = []
        ids = {step.current.id for step in steps}
        for step in steps:
            earlier = step.earlier
            if isinstance(step.current, KnowledgeItem) and isinstance(earlier, KnowledgeItem):
                others = await self.keeper.field(scope, step.current, seen)
                earlier, doubts = self.keeper.questioned(earlier, others, change, apart_from=ids)
                opened += doubts
            change.put(earlier, step.current)
            reversed_entries += step.mine
        expected = [op for field in seen.values() for op in field.expected]
        cases = await self.keeper.undone_cases(scope, reversed_entries)
        again = self.keeper.embedded_anew(scope, change)
        return [*expected, *change.ops, *cases, *opened, *again], [step.current.id for step in steps], left

    async def _steps(self, scope: Scope, own: Sequence[AuditEntry]) -> tuple[list[_Step], list[Left]]:
        """What goes back, the last touched first, and what stays."""
        keys: dict[Key, None] = dict.fromkeys((entry.target, entry.target_id) for entry in reversed(own))
        ids = {entry.id for entry in own}
        steps: dict[Key, _Step] = {}
        left: list[Left] = []
        staying: set[str] = set()
        for target, id in keys:
            trail = await self.keeper.store.trail(scope, target, id)
            mine, later = _newest_own(trail, ids)
            if len(mine) < sum(entry.id in ids for entry in trail):
                left.append(Left(target, id, _changed_since(trail, ids)))
            current = await self.keeper.row(scope, next(entry for entry in trail if entry.id in ids)) if trail else None
            if current is None:
                continue
            if not mine:
                is_corrected = isinstance(current, KnowledgeItem) and current.superseded_by is not None
                staying |= {id} if current.deleted_at is None or is_corrected else set()
                continue
            try:
                steps[target, id] = _Step(current, self._earlier(mine, current, later), tuple(mine))
            except ConflictError as exc:
                left.append(Left(target, id, str(exc)))
                staying.add(id)
        while replaced := [key for key, step in steps.items() if step.replaced_by in staying]:
            for key in replaced:
                left.append(Left(*key, f"item {steps.pop(key).replaced_by}, which took its place, stays"))
                staying.add(key[1])
        return list(steps.values()), left

    def _earlier(self, mine: Sequence[AuditEntry], current: Row, later: Sequence[AuditEntry]) -> Row:
        """The row before the first of these entries, newest first; what was tended since stays as it was left.

        What tending since did not touch has to stand as these entries left it.
        """
        tended = {name for entry in later for name in _changed(entry)} - _MOVING
        earlier = current
        for entry in mine:
            earlier = reversed_row(_without(entry, tended), earlier, self.keeper.clock())
        return replace(earlier, version=current.version + 1)


def _without(entry: AuditEntry, parts: Collection[str]) -> AuditEntry:
    """The entry as if it had not told of some parts."""

    def left_of(row: Mapping[str, Any] | None) -> dict[str, Any] | None:
        return None if row is None else {name: part for name, part in row.items() if name not in parts}

    return replace(entry, before=left_of(entry.before), after=left_of(entry.after))


def _changed(entry: AuditEntry) -> set[str]:
    before, after = entry.before or {}, entry.after or {}
    return {name for name, part in after.items() if name not in before or before[name] != part}


def _newest_own(trail: Sequence[AuditEntry], own: set[str]) -> tuple[list[AuditEntry], list[AuditEntry]]:
    """The newest entries of a trail that are all of these, newest first, and what tended the row between and since."""
    mine: list[AuditEntry] = []
    later: list[AuditEntry] = []
    for entry in reversed(trail):
        if entry.id in own:
            mine.append(entry)
        elif entry.verb in TENDED and entry.actor.kind is ActorKind.PROGRAM:
            later.append(entry)
        else:
            break
    return mine, later if mine else []


def _changed_since(trail: Sequence[AuditEntry], own: set[str]) -> str:
    others = [entry for entry in reversed(trail) if entry.id not in own]
    other = next((entry for entry in others if entry.verb not in TENDED), others[0])
    return f"{other.actor} changed it since ({other.verb})"
