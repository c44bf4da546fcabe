"""Relembra: a long-term memory engine for AI assistants.

Names are imported when first used, so that a command which only prints its help does not load the engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from relembra.domain.confidence import ConfidenceLevel
    from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
    from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
    from relembra.domain.policy import Policy
    from relembra.errors import (
        ConflictError,
        InvalidInputError,
        MindError,
        NotFoundError,
        ProtectedError,
        RelembraError,
        SettingsError,
        StoreError,
    )
    from relembra.learn.drafts import Draft
    from relembra.memory import History, Listing, Memory, Saved
    from relembra.recall.assembly import MemoryContext
    from relembra.recall.ranking import Hit, MessageHit, Why
    from relembra.store.port import Gone, Stats, Verification

__version__ = "0.1.0"

__all__ = [
    "ConfidenceLevel",
    "ConflictError",
    "Conversation",
    "Draft",
    "Gone",
    "History",
    "Hit",
    "InvalidInputError",
    "KnowledgeItem",
    "KnowledgeType",
    "LifeArea",
    "Listing",
    "Memory",
    "MemoryContext",
    "Message",
    "MessageHit",
    "MindError",
    "NotFoundError",
    "Note",
    "NoteKind",
    "Policy",
    "ProtectedError",
    "RelembraError",
    "Role",
    "Saved",
    "SettingsError",
    "Source",
    "Stats",
    "StoreError",
    "Verification",
    "Why",
]

_HOMES = {
    "relembra.domain.confidence": ("ConfidenceLevel",),
    "relembra.domain.knowledge": ("KnowledgeItem", "KnowledgeType", "LifeArea", "Source"),
    "relembra.domain.message": ("Conversation", "Message", "Note", "NoteKind", "Role"),
    "relembra.domain.policy": ("Policy",),
    "relembra.errors": (
        "ConflictError",
        "InvalidInputError",
        "MindError",
        "NotFoundError",
        "ProtectedError",
        "RelembraError",
        "SettingsError",
        "StoreError",
    ),
    "relembra.learn.drafts": ("Draft",),
    "relembra.memory": ("History", "Listing", "Memory", "Saved"),
    "relembra.recall.assembly": ("MemoryContext",),
    "relembra.recall.ranking": ("Hit", "MessageHit", "Why"),
    "relembra.store.port": ("Gone", "Stats", "Verification"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'relembra' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
