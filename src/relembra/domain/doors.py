"""Who and what is not listened to, by decision of whoever administers a tenant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from relembra.domain.text import fold


class DoorKind(StrEnum):
    """What a door leads to."""

    PERSON = "person"  # nothing of theirs is kept or recalled
    SPACE = "space"  # nothing is kept or recalled there


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A door that is closed. Names are compared without case and accents, and shown as they were given."""

    kind: DoorKind
    name: str
    since: datetime | None  # None: only the settings close it
    by_settings: bool = False  # the settings name it, and no verb opens it

    @property
    def key(self) -> str:
        return fold(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceState:
    """Whether anything is kept and recalled in a space."""

    name: str
    on: bool
    by_settings: bool = False  # the settings switch it off, and no verb switches it on
