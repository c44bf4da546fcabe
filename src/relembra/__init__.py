"""Relembra: a long-term memory engine for AI assistants."""

from __future__ import annotations

from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.policy import Policy
from relembra.errors import (
    ConflictError,
    InvalidInputError,
    MindError,
    NotFoundError,
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
