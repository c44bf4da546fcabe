"""Carrying out operations on a shelf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from relembra.domain.audit import AuditEntry
from relembra.domain.jobs import Job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.scope import Scope
from relembra.errors import ConflictError, StaleError
from relembra.store.memory.choosing import state_of
from relembra.store.memory.shelf import Row, Shelf
from relembra.store.port import (
    ExpectHeld,
    Op,
    PutMessage,
    TouchConversation,
)


def refuse_foreign(scope: Scope, op: Op) -> None:
    """Only rows know whose they are; an operation that names an id finds it on this person's shelf or not at all."""
    for part in fields(op):
        row = getattr(op, part.name)
        if isinstance(row, (Message, Conversation, KnowledgeItem, Note, AuditEntry, Job)) and row.scope != scope:
            raise ValueError(f"{part.name} {row.id!r} belongs to {row.scope}, not to {scope}")


def put_message(shelf: Shelf, message: Message) -> Message | None:
    if message.external_id is not None:
        name = (message.external_id, message.role)
        if name in shelf.external:
            return shelf.messages[shelf.external[name]]
        shelf.external[name] = message.id
    add_new(shelf.messages, message, "message")
    return None


def idle_touches(shelf: Shelf, ops: Sequence[Op]) -> list[TouchConversation]:
    """The touches that go without effect: messages are put, and none of that conversation is new."""
    puts = [op.message for op in ops if isinstance(op, PutMessage)]
    names = set(shelf.external)
    spoken_in: set[str] = set()
    for message in puts:
        if message.external_id is None or (message.external_id, message.role) not in names:
            spoken_in.add(message.conversation)
        if message.external_id is not None:
            names.add((message.external_id, message.role))
    touches = [op for op in ops if isinstance(op, TouchConversation)]
    return [op for op in touches if puts and op.conversation.id not in spoken_in]


def touch_conversation(shelf: Shelf, given: Conversation) -> None:
    held = shelf.conversations.get(given.id)
    if held is None:
        shelf.conversations[given.id] = given
        return
    shelf.conversations[given.id] = replace(
        held,
        title=held.title or given.title,
        updated_at=max(held.updated_at, given.updated_at),
        deleted_at=None,
        version=held.version if held.deleted_at is None else held.version + 1,
    )


def set_hidden(shelf: Shelf, conversation: str, *, was: datetime | None, becomes: datetime | None) -> None:
    for message in shelf.messages.values():
        if message.conversation == conversation and message.deleted_at == was:
            shelf.messages[message.id] = replace(message, deleted_at=becomes)


def expect_version(held: Conversation | KnowledgeItem | Note | None, expects: int | None, what: str, id: str) -> None:
    version = None if held is None else held.version
    if version != expects:
        raise StaleError(f"{what} {id!r} is at version {version}, not {expects}: read it and decide again")


def expect_held(shelf: Shelf, expected: ExpectHeld) -> None:
    held = {
        item.id
        for item in shelf.items.values()
        if (item.subject, item.attribute) == (expected.subject, expected.attribute) and state_of(item) == "current"
    }
    if held != expected.ids:
        raise StaleError(f"{len(held ^ expected.ids)} items held of this attribute came or went: decide again")


def add_new(rows: dict[str, Row], row: Any, what: str) -> None:
    if row.id in rows:
        raise ConflictError(f"{what} {row.id!r} is there already")
    rows[row.id] = row
