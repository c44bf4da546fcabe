"""Which operations change something a reader could see, and so the stamps of a scope."""

from __future__ import annotations

from relembra.domain.message import NoteKind
from relembra.errors import StaleError
from relembra.store.port import (
    Accounted,
    CountUse,
    Due,
    Enqueue,
    ExpectHeld,
    ExpectJob,
    ExpectOpen,
    ExpectStamp,
    FinishJob,
    IndexMessages,
    NameNote,
    Op,
    PutCase,
    PutItem,
    PutNote,
    PutRun,
    PutVectors,
    Stamp,
    TouchItems,
    TouchNotes,
)

UNSEEN = (
    PutVectors,
    IndexMessages,
    TouchItems,
    TouchNotes,
    CountUse,
    Enqueue,
    ExpectOpen,
    ExpectJob,
    FinishJob,
    ExpectHeld,
    ExpectStamp,
    PutRun,
    Due,
    Accounted,
)
"""Operations that leave every answer as it was, but for scores and counters."""


def expect_stamp(held: Stamp, expected: Stamp) -> None:
    if held != expected:
        raise StaleError("something of this scope changed or was forgotten meanwhile: read it again")


def is_known(op: Op) -> bool:
    """Whether an operation changes what is known, and not only what was said; a working summary retells what was."""
    match op:
        case PutItem() | PutCase() | NameNote():
            return True
        case PutNote(note, _):
            return note.kind is not NoteKind.SESSION
        case _:
            return False
