"""When a buffer of messages begins and ends. One definition for every adapter."""

from __future__ import annotations

from relembra.domain.jobs import FLUSH, Job
from relembra.domain.scope import shelf_of
from relembra.store.port import Buffer, BufferMessage


def opened(op: BufferMessage) -> Buffer:
    """The buffer a message opens, before it takes it."""
    message = op.message
    return Buffer(
        id=op.buffer_id,
        scope=shelf_of(message.scope, message.place),
        place=message.place,
        conversation=message.conversation,
        opened_at=op.now,
        last_at=message.sent_at,
        is_open=True,
        messages=(),
    )


def flush_of(buffer: Buffer, op: BufferMessage) -> Job:
    """The job that comes with a new buffer."""
    return Job(
        id=buffer.id,
        scope=buffer.scope,
        kind=FLUSH,
        payload={"buffer": buffer.id},
        due_at=op.now + op.quiet,
        created_at=op.now,
    )


def is_over(buffer: Buffer, op: BufferMessage) -> bool:
    """Whether the message comes too late for it, or tells of another time."""
    return buffer.opened_at <= op.now - op.window or abs(op.message.sent_at - buffer.last_at) > op.quiet
