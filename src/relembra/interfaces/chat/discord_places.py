"""Where something is said on Discord, who hears it there, and what its marks mean in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import discord

from relembra.interfaces.chat.words import spoken

__all__ = ["APP", "LONGEST", "Spot", "plain", "spot_of", "tongue"]

APP = "discord"
LONGEST = 2_000
"""The longest message Discord takes."""

_MARK = re.compile(
    r"<(?:@!?(?P<user>\d+)|@&(?P<role>\d+)|#(?P<channel>\d+)|a?:(?P<emoji>\w+):\d+|/(?P<slash>[^:>]+):\d+)>"
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on Discord as the memory knows it; in a direct conversation all is None."""

    space: str | None = None
    channel: str | None = None
    guild: int | None = None


def spot_of(channel: object, guild_id: int | None) -> Spot | None:
    """Where a channel is; None where that cannot be told, so that nobody's words are taken for private ones.

    What everybody of a guild can see is one space. A channel or thread that only some can see is a space of its own:
    what is said there is not heard elsewhere.
    """
    if isinstance(channel, discord.DMChannel):
        return Spot() if guild_id is None else None
    id = getattr(channel, "id", None)
    if guild_id is None or id is None:
        return None
    apart = _apart(channel)
    space = f"{APP}:{guild_id}" if apart is None else f"{APP}:{guild_id}:{apart}"
    return Spot(space, str(id), guild_id)


def _apart(channel: object) -> int | None:
    """The channel or thread that is a space of its own here; None where everybody of the guild can see it."""
    if isinstance(channel, discord.Thread):
        if channel.is_private() or channel.parent is None:
            return channel.id
        channel = channel.parent
    if not isinstance(channel, discord.abc.GuildChannel):
        return int(channel.id)  # type: ignore[attr-defined]  # a channel not known yet has nothing but its id
    everybody = channel.guild.default_role
    if everybody is not None and channel.permissions_for(everybody).view_channel:
        return None
    return channel.id


def plain(message: discord.Message, names: Mapping[int, str]) -> str:
    """What a message says, with names where Discord has numbers; people not in `names` as they call themselves there.

    An empty name leaves a mention out.
    """
    called = {user.id: user.display_name for user in message.mentions} | dict(names)
    guild = message.guild

    def worded(found: re.Match[str]) -> str:
        if found["user"]:
            name = called.get(int(found["user"]))
            return "" if name == "" else f"@{name or found['user']}"
        if found["role"]:
            role = guild.get_role(int(found["role"])) if guild is not None else None
            is_ours = guild is not None and role == guild.self_role
            return "" if role is None or is_ours else f"@{role.name}"
        if found["channel"]:
            place = guild.get_channel_or_thread(int(found["channel"])) if guild is not None else None
            return f"#{place.name}" if place is not None else "#…"
        return f":{found['emoji']}:" if found["emoji"] else f"/{found['slash']}"

    return _MARK.sub(worded, message.content).strip()


def tongue(locale: discord.Locale | None, otherwise: str) -> str:
    return spoken(None if locale is None else str(locale.value), otherwise)
