"""Buffers on a shelf: taking messages in, closing, dropping, and taking out what is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime

from relembra.domain.jobs import Job, JobState
from relembra.domain.message import Message, Role
from relembra.domain.scope import Scope
from relembra.errors import ConflictError, StaleError
from relembra.store.buffers import flush_of, is_over, opened
from relembra.store.memory.shelf import Shelf
from relembra.store.port import Buffer, BufferMessage

Shelves = Callable[[Scope], Shelf]
"""Where to look up people's messages."""


def take(shelf: Shelf, op: BufferMessage, shelves: Shelves) -> tuple[Buffer, Job | None]:
    """Put a message into the open buffer of its conversation; the buffer, and the job of one opened just now."""
    buffer = _open_buffer(shelf, op.message)
    job = None
    if buffer is not None and is_over(buffer, op):
        close_buffer(shelf, buffer.id)
        _set_due(shelf, buffer.id, op.now)
        buffer = None
    if buffer is None:
        buffer = opened(op)
        job = flush_of(buffer, op)
        if buffer.id in shelf.buffers:
            raise ConflictError(f"buffer {buffer.id!r} is there already")
    else:
        _set_due(shelf, buffer.id, op.now + op.quiet)
    held = [*messages_in(shelves, buffer), op.message]
    held.sort(key=lambda message: (message.sent_at, message.id, message.scope.user))
    taken = replace(
        buffer,
        last_at=max(buffer.last_at, op.message.sent_at),
        messages=tuple((message.scope.user, message.id) for message in held),
    )
    shelf.buffers[taken.id] = taken
    return taken, job


def messages_in(shelves: Shelves, buffer: Buffer) -> list[Message]:
    return [shelves(Scope(buffer.scope.tenant, user)).messages[id] for user, id in buffer.messages]


def waiting_in(shelves: Shelves, buffer: Buffer) -> int:
    return sum(message.role is Role.USER for message in messages_in(shelves, buffer))


def close_buffer(shelf: Shelf, id: str) -> None:
    if id in shelf.buffers:
        shelf.buffers[id] = replace(shelf.buffers[id], is_open=False)


def drop_buffer(shelf: Shelf, id: str, noted: frozenset[str] | None) -> None:
    buffer = shelf.buffers.pop(id, None)
    if buffer is None:
        raise ConflictError(f"buffer {id!r} is gone already")
    if noted is not None and noted != {message for _, message in buffer.messages}:
        raise StaleError(f"buffer {id!r} holds other messages than those noted: read it again")


def take_out(shelf: Shelf, user: str, messages: Collection[str]) -> None:
    """Take a person's messages out of the buffers here; one that is left without any goes with its job."""
    for buffer in list(shelf.buffers.values()):
        left = tuple((who, id) for who, id in buffer.messages if who != user or id not in messages)
        if left == buffer.messages:
            continue
        if left:
            shelf.buffers[buffer.id] = replace(buffer, messages=left)
        else:
            del shelf.buffers[buffer.id]
            shelf.jobs.pop(buffer.id, None)


def _open_buffer(shelf: Shelf, message: Message) -> Buffer | None:
    for buffer in shelf.buffers.values():
        if buffer.is_open and (buffer.place, buffer.conversation) == (message.place, message.conversation):
            return buffer
    return None


def _set_due(shelf: Shelf, id: str, at: datetime) -> None:
    """Move a buffer's flush, if it still waits."""
    job = shelf.jobs.get(id)
    if job is not None and job.state is JobState.WAITING:
        shelf.jobs[id] = replace(job, due_at=at)
