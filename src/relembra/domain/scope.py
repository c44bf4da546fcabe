"""Whose memory it is, where something was said, and so who may hear it again; and the ids rows have."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from typing import TypedDict
from uuid import UUID

from relembra.domain.text import checked_name

DEFAULT_TENANT = "default"
DIRECT_CHANNEL = "direct"
_SPACE_MARK = "\x1f"  # not printable, so that no person can have a name that begins with it


@dataclass(frozen=True, slots=True)
class Scope:
    """A tenant and a user: whose memory. Nothing ever crosses a tenant.

    What belongs to a space as a whole, its notes and its channels' buffers, has a scope of its own (`shelf_of`).
    """

    tenant: str
    user: str

    def __post_init__(self) -> None:
        checked_name(self.tenant, "tenant")
        if self.user.startswith(_SPACE_MARK):
            checked_name(self.space or "", "space")
        else:
            checked_name(self.user, "user")

    @property
    def space(self) -> str | None:
        """The space whose scope this is; None for a person's."""
        return self.user.removeprefix(_SPACE_MARK) if self.user.startswith(_SPACE_MARK) else None


class Whose(TypedDict):
    """A person and their tenant, as every verb takes them."""

    user: str
    tenant: str


def person(tenant: str, user: str) -> Scope:
    """The scope of a person named by a caller, which can never be a space's."""
    checked_name(user, "user")
    return Scope(tenant, user)


@dataclass(frozen=True, slots=True)
class Place:
    """A space (guild, team, group) and a channel of it; no space means a private conversation."""

    space: str | None = None
    channel: str = DIRECT_CHANNEL

    def __post_init__(self) -> None:
        if self.space is not None:
            checked_name(self.space, "space")
        checked_name(self.channel, "channel")

    @property
    def is_private(self) -> bool:
        return self.space is None


DIRECT = Place()


def shelf_of(scope: Scope, place: Place) -> Scope:
    """Whom the notes and buffers of talk in a place belong to: the person in private, else the space as a whole."""
    return scope if place.space is None else Scope(scope.tenant, _SPACE_MARK + place.space)


def reaches(new: Place, old: Place) -> bool:
    """Whether what was learnt in one place is heard wherever what was learnt in another is.

    Only then may it end the other: otherwise people of a space would see something vanish and learn of a change
    that was told elsewhere.
    """
    return old.is_private or new.space == old.space


def may_hear(learnt: Place, asked: Place) -> bool:
    """Whether what was learnt in one place may be recalled in another, for the person it belongs to.

    In private the owner hears all of theirs. In a space only what was learnt in that same space is heard.
    """
    return asked.is_private or learnt.space == asked.space


_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """A UUIDv7 (RFC 9562): greater than every one this process made before, also when the clock goes back."""
    global _last
    chance = int.from_bytes(os.urandom(10))
    with _lock:
        stamp = time.time_ns() // 1_000_000 << 12 | chance & 0x3FF
        _last = max(stamp, _last + 1)
        stamp = _last
    milliseconds, sequence = stamp >> 12, stamp & 0xFFF
    tail = chance >> 16 & 0x3FFF_FFFF_FFFF_FFFF
    digits = f"{milliseconds << 80 | 0x7 << 76 | sequence << 64 | 0x2 << 62 | tail:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def is_id(text: str) -> bool:
    """Whether it is the canonical text of a UUID."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
