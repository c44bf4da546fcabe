"""Whose memory it is, where something was said, and so who may hear it again."""

from __future__ import annotations

from dataclasses import dataclass

from relembra.domain.text import checked_name

DEFAULT_TENANT = "default"
DIRECT_CHANNEL = "direct"


@dataclass(frozen=True, slots=True)
class Scope:
    """A tenant and a user: whose memory. Nothing ever crosses a tenant."""

    tenant: str
    user: str

    def __post_init__(self) -> None:
        checked_name(self.tenant, "tenant")
        checked_name(self.user, "user")


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
