"""Relembra: a long-term memory engine for AI assistants.

Names are imported when first used, so that a command which only prints its help does not load the engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from relembra.conversations import Saved, Thread
    from relembra.domain.access import Block, BlockKind, Key, Link, NewKey, Right, SpaceState
    from relembra.domain.audit import ConfidenceLevel
    from relembra.domain.case import Case, Outcome
    from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
    from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
    from relembra.domain.policy import Policy
    from relembra.errors import (
        BusyError,
        ConflictError,
        InvalidInputError,
        MindError,
        NotFoundError,
        ProtectedError,
        RelembraError,
        SettingsError,
        StoreError,
    )
    from relembra.items import History, Told
    from relembra.learn.casework import Conflict, Question
    from relembra.learn.drafts import Draft
    from relembra.learn.learner import Learnt
    from relembra.lessons import Forecast, Foreseen
    from relembra.memory import Memory
    from relembra.recall.assembly import MemoryContext
    from relembra.recall.query import Listing
    from relembra.recall.ranking import Hit, MessageHit, Why
    from relembra.store.port import Gone, Restored, Salvaged, Stats, Use, Verification
    from relembra.views.memory import UserMemory
    from relembra.views.profile import Person, Profile, Trait
    from relembra.views.timeline import Counts, Moment, OverTime, Step

__version__ = "0.1.0"

__all__ = [
    "Block", "BlockKind", "BusyError", "Case", "ConfidenceLevel", "Conflict", "ConflictError", "Conversation",
    "Counts", "Draft", "Forecast", "Foreseen", "Gone", "History", "Hit", "InvalidInputError", "Key",
    "KnowledgeItem", "KnowledgeType", "Learnt", "LifeArea", "Link", "Listing", "Memory", "MemoryContext", "Message",
    "MessageHit", "MindError", "Moment", "NewKey", "NotFoundError", "Note", "NoteKind", "Outcome", "OverTime",
    "Person", "Policy", "Profile", "ProtectedError", "Question", "RelembraError", "Restored", "Right", "Role",
    "Salvaged", "Saved", "SettingsError", "Source", "SpaceState", "Stats", "Step", "StoreError", "Thread", "Told",
    "Trait", "Use", "UserMemory", "Verification", "Why",
]  # fmt: skip

_HOMES = {
    "relembra.conversations": "Saved Thread",
    "relembra.domain.access": "Block BlockKind Key Link NewKey Right SpaceState",
    "relembra.domain.audit": "ConfidenceLevel",
    "relembra.domain.case": "Case Outcome",
    "relembra.domain.knowledge": "KnowledgeItem KnowledgeType LifeArea Source",
    "relembra.domain.message": "Conversation Message Note NoteKind Role",
    "relembra.domain.policy": "Policy",
    "relembra.errors": "BusyError ConflictError InvalidInputError MindError NotFoundError ProtectedError"
    " RelembraError SettingsError StoreError",
    "relembra.items": "History Told",
    "relembra.learn.casework": "Conflict Question",
    "relembra.learn.drafts": "Draft",
    "relembra.learn.learner": "Learnt",
    "relembra.lessons": "Forecast Foreseen",
    "relembra.memory": "Memory",
    "relembra.recall.query": "Listing",
    "relembra.recall.assembly": "MemoryContext",
    "relembra.recall.ranking": "Hit MessageHit Why",
    "relembra.store.port": "Gone Restored Salvaged Stats Use Verification",
    "relembra.views.profile": "Person Profile Trait",
    "relembra.views.timeline": "Counts Moment OverTime Step",
    "relembra.views.memory": "UserMemory",
}
"""Where each name is defined."""
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'relembra' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
