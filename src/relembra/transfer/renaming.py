"""A memory under another name: whoever spoke, took part or decided as its owner does so under the new one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from relembra.domain.audit import Actor, ActorKind, AuditEntry
from relembra.domain.case import Case
from relembra.domain.message import Message, Note
from relembra.domain.scope import Scope
from relembra.store.port import View
from relembra.transfer.parts import Row


def renamed(row: Row, old: str, scope: Scope) -> Row:
    """The row of somebody called `old`, as one of this scope. What texts say stays as it was said."""
    if old == scope.user:
        return row
    match row:
        case Message():
            return replace(row, author=scope.user) if row.author == old else row
        case Note():
            return replace(row, participants=tuple(_people(row.participants, old, scope.user)))
        case Case():
            settled_by = None if row.settled_by is None else str(_actor(Actor.parse(row.settled_by), old, scope.user))
            return replace(row, id=_another_id(row.id, scope), settled_by=settled_by)
        case AuditEntry():
            return replace(
                row,
                actor=_actor(row.actor, old, scope.user),
                before=_snapshot(row.before, old, scope.user),
                after=_snapshot(row.after, old, scope.user),
            )
        case View():
            return replace(row, body=None)  # it names the person, and can be made anew
        case _:
            return row


def _actor(actor: Actor, old: str, new: str) -> Actor:
    return Actor(ActorKind.PERSON, new) if actor.is_owner(old) else actor


def _people(names: Sequence[Any], old: str, new: str) -> list[Any]:
    return [new if name == old else name for name in names]


def _snapshot(snapshot: Mapping[str, Any] | None, old: str, new: str) -> Mapping[str, Any] | None:
    if snapshot is None or not isinstance(snapshot.get("participants"), list):
        return snapshot
    return {**snapshot, "participants": _people(snapshot["participants"], old, new)}


def _another_id(id: str, scope: Scope) -> str:
    """The same id for the same person every time: in a tenant a case's belongs to one person alone."""
    name = "\0".join((scope.tenant, scope.user, id))
    digits = hashlib.blake2b(name.encode(), digest_size=9).hexdigest()
    return f"{id[:14]}7{digits[:3]}-8{digits[3:6]}-{digits[6:18]}"
