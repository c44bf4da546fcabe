"""A topic: the words it is told by, and where to look first when it is."""

from __future__ import annotations

from dataclasses import dataclass

from relembra.domain.knowledge import KnowledgeType, LifeArea

__all__ = ["Topic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Words are folded and separated by spaces, any form of each will do; `_` joins the words of an expression."""

    name: str
    portuguese: str
    english: str
    types: tuple[KnowledgeType, ...]
    areas: tuple[LifeArea, ...]
