"""Letting go of what waits behind a door that is being closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from relembra.domain.doors import Door
from relembra.domain.jobs import LEARNING
from relembra.domain.message import Message
from relembra.domain.run import RunKind, RunStatus
from relembra.domain.scope import Scope
from relembra.store import doors
from relembra.store.memory.buffering import take_out
from relembra.store.memory.shelf import Shelf


def let_go(shelves: dict[Scope, Shelf], tenant: str, door: Door, new_id: Callable[[], str]) -> dict[Scope, Shelf]:
    """All shelves, those of the tenant without what lies behind the door in buffers, in learning and for the night."""
    theirs = {scope: shelf.copy() for scope, shelf in shelves.items() if scope.tenant == tenant}
    for scope, shelf in theirs.items():
        behind = {id for id, message in shelf.messages.items() if _is_behind(door, message)}
        for other in theirs.values():
            take_out(other, scope.user, behind)
        _learn_without(shelf, behind, new_id)
        if not behind.isdisjoint(shelf.due_messages):
            shelf.due_messages -= behind
            _unsettle_runs(shelf)
    left = {scope: shelf for scope, shelf in shelves.items() if scope.tenant != tenant}
    return left | {scope: shelf for scope, shelf in theirs.items() if not shelf.is_empty}


def _is_behind(door: Door, message: Message) -> bool:
    return doors.is_behind(
        door.kind,
        door.key,
        owner=message.scope.user,
        author=message.author,
        role=message.role,
        space=message.place.space,
    )


def _learn_without(shelf: Shelf, behind: set[str], new_id: Callable[[], str]) -> None:
    for job in list(shelf.jobs.values()):
        if job.kind in LEARNING and not behind.isdisjoint(job.payload["messages"]):
            del shelf.jobs[job.id]
            if (left := doors.let_go(job, behind, new_id)) is not None:
                shelf.jobs[left.id] = left


def _unsettle_runs(shelf: Shelf) -> None:
    """Let a consolidation that is reading them decide again."""
    for id, run in shelf.runs.items():
        if (run.kind, run.status) == (RunKind.CONSOLIDATION, RunStatus.RUNNING):
            shelf.runs[id] = replace(run, version=run.version + 1)
