"""What single operations do to a shelf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime

from relembra.domain.case import Case
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, Role
from relembra.domain.run import Run
from relembra.domain.scope import Scope
from relembra.errors import ConflictError, StaleError
from relembra.store.memory.choosing import added, state_of
from relembra.store.memory.shelf import Shelf
from relembra.store.port import CountUse, Enqueue, ExpectHeld, Op, PutMessage, TouchConversation, Use, View


def refuse_foreign(scope: Scope, op: Op) -> None:
    """Only rows know whose they are; an operation that names an id finds it on this person's shelf or not at all."""
    for part in fields(op):
        owner = getattr(getattr(op, part.name), "scope", scope)
        if owner != scope and not (isinstance(op, Enqueue) and owner.tenant == scope.tenant):
            raise ValueError(f"the {part.name} belongs to {owner}, not to {scope}")


def put_message(shelf: Shelf, message: Message) -> Message | None:
    if message.external_id is not None:
        name = (message.external_id, message.role)
        if name in shelf.external:
            return shelf.messages[shelf.external[name]]
        shelf.external[name] = message.id
    if message.id in shelf.messages:
        raise ConflictError(f"message {message.id!r} is there already")
    shelf.messages[message.id] = message
    if message.role is Role.USER:
        shelf.due_messages.add(message.id)
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


def expect_version(
    held: Conversation | KnowledgeItem | Note | Case | View | Run | None, expects: int | None, what: str, id: str
) -> None:
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


def put_run(shelf: Shelf, run: Run, expects: int | None) -> None:
    """One of each kind a night."""
    expect_version(shelf.runs.get(run.id), expects, "run", run.id)
    others = (held for held in shelf.runs.values() if held.id != run.id)
    if run.night is not None and any((held.kind, held.night) == (run.kind, run.night) for held in others):
        raise ConflictError(f"there is a record of {run.kind} for the night of {run.night} already")
    shelf.runs[run.id] = run


def count_use(shelf: Shelf, op: CountUse) -> None:
    use = Use(
        day=op.at.astimezone(UTC).date(),
        task=op.task,
        model=op.model,
        calls=op.calls,
        input_tokens=op.input_tokens,
        output_tokens=op.output_tokens,
    )
    key = (use.day, use.task, use.model)
    shelf.uses[key] = added(shelf.uses[key], use) if key in shelf.uses else use
