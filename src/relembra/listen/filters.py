"""Who and what is listened to at all: blacklisted people, switched-off spaces, and messages marked to be skipped."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from relembra.domain.scope import Place
from relembra.domain.text import fold


class Refusal(StrEnum):
    """Why something said was not kept."""

    BLOCKED = "blocked"  # the person, or whoever spoke, is on the blacklist
    SWITCHED_OFF = "switched_off"  # nothing is remembered in that space
    SKIPPED = "skipped"  # the caller asked for this message to be passed over


@dataclass(frozen=True, slots=True)
class Doors:
    """Which doors are closed, by names folded alike. The same check guards what is captured and what is recalled."""

    blocked: frozenset[str] = frozenset()
    spaces_off: frozenset[str] = frozenset()

    @classmethod
    def of(cls, blocked: Collection[str], spaces_off: Collection[str]) -> Doors:
        return cls(frozenset(map(fold, blocked)), frozenset(map(fold, spaces_off)))

    def refusal(self, user: str, place: Place, *, author: str | None = None, skip: bool = False) -> Refusal | None:
        if fold(user) in self.blocked or (author is not None and fold(author) in self.blocked):
            return Refusal.BLOCKED
        if place.space is not None and fold(place.space) in self.spaces_off:
            return Refusal.SWITCHED_OFF
        return Refusal.SKIPPED if skip else None
