"""Who and what is listened to at all: blacklisted people, switched-off spaces, and messages marked to be skipped."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from relembra.domain.doors import Door, DoorKind
from relembra.domain.message import Message, Role
from relembra.domain.scope import Place
from relembra.domain.text import fold


class Refusal(StrEnum):
    """Why something said was not kept."""

    BLOCKED = "blocked"  # the person, or whoever spoke, is on the blacklist
    SWITCHED_OFF = "switched_off"  # nothing is remembered in that space
    SKIPPED = "skipped"  # the caller asked for this message to be passed over


REFUSALS = {DoorKind.PERSON: Refusal.BLOCKED, DoorKind.SPACE: Refusal.SWITCHED_OFF}
SETTINGS = {DoorKind.PERSON: "blocked", DoorKind.SPACE: "spaces_off"}
"""The setting that closes doors of a kind."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Which doors the settings close, for every tenant, by names folded alike. The same check guards what is captured
    and what is recalled.
    """

    blocked: frozenset[str] = frozenset()
    spaces_off: frozenset[str] = frozenset()
    names: tuple[Door, ...] = ()  # as they are spelt in the settings

    @classmethod
    def of(cls, blocked: Collection[str], spaces_off: Collection[str]) -> Doors:
        people = [Door(kind=DoorKind.PERSON, name=name, since=None, by_settings=True) for name in blocked]
        spaces = [Door(kind=DoorKind.SPACE, name=name, since=None, by_settings=True) for name in spaces_off]
        return cls(frozenset(map(fold, blocked)), frozenset(map(fold, spaces_off)), (*people, *spaces))

    def closes(self, kind: DoorKind, name: str) -> bool:
        """Whether the settings name this person or space."""
        return fold(name) in (self.blocked if kind is DoorKind.PERSON else self.spaces_off)

    def hears(self, message: Message) -> bool:
        """Whether a message that was kept may still be learnt from."""
        author = message.author if message.role is Role.USER else None
        return self.refusal(message.scope.user, message.place, author=author) is None

    def refusal(self, user: str, place: Place, *, author: str | None = None, skip: bool = False) -> Refusal | None:
        if fold(user) in self.blocked or (author is not None and fold(author) in self.blocked):
            return Refusal.BLOCKED
        if place.space is not None and fold(place.space) in self.spaces_off:
            return Refusal.SWITCHED_OFF
        return Refusal.SKIPPED if skip else None
