"""Errors in words a model can act on; nothing of a traceback, and nothing remembered, leaves this door."""

from __future__ import annotations

import logging

from relembra.errors import (
    BusyError,
    MindError,
    NotFoundError,
    RelembraError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)
from relembra.interfaces.mcp.words import Words

log = logging.getLogger(__name__)


def sentence_of(error: Exception, words: Words) -> str:
    """What went wrong and what to do, in the server's language where the sentence is this door's."""
    match error:
        case NotFoundError(what=what, id=id):
            key = f"error.{what}" if words.has(f"error.{what}") else "error.other"
            return words(key, what=what, id=repr(id))
        case BusyError() | StoreUnavailableError():
            return words("error.busy")
        case StoreFullError():
            return words("error.full")
        case StoreReadOnlyError():
            return words("error.read_only")
        case StoreError():
            return words("error.store")
        case MindError():
            return words("error.mind")
        case RelembraError():
            return str(error)
        case _:
            return words("error.unexpected", type=type(error).__name__)


def logged(error: Exception, doing: str) -> None:
    """Leave a trace of what should not happen: where, without the message, which may quote what somebody said."""
    if isinstance(error, StoreError | MindError):
        log.warning("%s: %s", doing, type(error).__name__)
    elif not isinstance(error, RelembraError):
        bare = RuntimeError(type(error).__name__)
        log.error("%s failed: %s", doing, type(error).__name__, exc_info=(RuntimeError, bare, error.__traceback__))
