"""Discord without Discord: the real library fed with what its gateway sends, and a stand-in for the wire below it.

What is parsed, how requests are built and which events come of it is all discord.py's own doing.
"""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from relembra import Memory
from relembra.interfaces.upstream import Answering

with warnings.catch_warnings():  # its voice calls need a module that later Pythons do not have
    warnings.filterwarnings("ignore", "'audioop' is deprecated", DeprecationWarning)
    from relembra.interfaces.chat.discord import DiscordBot
from relembra.interfaces.upstream import Upstream, Upstreams
from relembra.settings import Settings

Payload = dict[str, Any]

BOT, APPLICATION = 900, 901
GUILD, EVERYBODY, OWN_ROLE = 10, 10, 11
GENERAL, ADMINS, THREAD, SECRET_THREAD, DIRECT = 100, 101, 102, 103, 104
VIEW, MANAGE_GUILD = 1 << 10, 1 << 5
EPHEMERAL, NO_CARDS = 1 << 6, 1 << 2
EPOCH_MS = 1_420_070_400_000


def snowflake(moment_ms: int, number: int = 0) -> int:
    """An id of a moment, as Discord makes them."""
    return ((moment_ms - EPOCH_MS) << 22) | number


ANA: Payload = {"id": "1", "username": "ana", "global_name": "Ana Souza", "discriminator": "0", "avatar": None}
RUI: Payload = {"id": "2", "username": "rui", "global_name": "Rui", "discriminator": "0", "avatar": None}
ANA_NAME, RUI_NAME = "discord:ana", "discord:rui"
"""Whom they are remembered as."""

US: Payload = {"id": str(BOT), "username": "relembra", "discriminator": "0001", "avatar": None, "bot": True}
OTHER_BOT: Payload = {"id": "3", "username": "weather", "discriminator": "0002", "avatar": None, "bot": True}


def a_role(id: int, name: str, permissions: int, **parts: Any) -> Payload:
    return {
        "id": str(id), "name": name, "permissions": str(permissions), "position": 0, "color": 0, "hoist": False,
        "managed": False, "mentionable": False, **parts,
    }  # fmt: skip


def a_channel(id: int, name: str, type: int = 0, **parts: Any) -> Payload:
    return {"id": str(id), "name": name, "type": type, "position": 0, "permission_overwrites": [], **parts}


def a_thread(id: int, name: str, parent: int, type: int = 11) -> Payload:
    kept = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": "2026-03-01T10:00:00+00:00"}
    return {
        "id": str(id), "name": name, "type": type, "guild_id": str(GUILD), "parent_id": str(parent), "owner_id": "1",
        "message_count": 0, "member_count": 1, "thread_metadata": {**kept, "locked": False},
    }  # fmt: skip


def a_guild(**parts: Any) -> Payload:
    """A guild with a channel for all, one that is hidden from most, and a thread in each."""
    hidden = [{"id": str(EVERYBODY), "type": 0, "allow": "0", "deny": str(VIEW)}]
    own = a_role(OWN_ROLE, "Relembra", VIEW, managed=True, tags={"bot_id": str(BOT)})
    roles = [a_role(EVERYBODY, "@everyone", VIEW), own, a_role(12, "mods", VIEW | MANAGE_GUILD)]
    channels = [a_channel(GENERAL, "geral"), a_channel(ADMINS, "admins", permission_overwrites=hidden)]
    threads = [a_thread(THREAD, "festa", GENERAL), a_thread(SECRET_THREAD, "segredo", GENERAL, type=12)]
    return {
        "id": str(GUILD), "name": "Vila", "owner_id": "1", "preferred_locale": "pt-BR", "unavailable": False,
        "roles": roles, "channels": channels, "threads": threads, **parts,
    }  # fmt: skip


def a_message(
    text: str, *, id: int, author: Payload = ANA, channel: int = GENERAL, guild: int | None = GUILD, **parts: Any
) -> Payload:
    """What the gateway sends when a person writes; without a guild it is a direct message."""
    member = {"roles": [], "joined_at": "2025-01-01T00:00:00+00:00", "deaf": False, "mute": False, "flags": 0}
    there: Payload = {} if guild is None else {"guild_id": str(guild), "member": member}
    return {
        "id": str(id), "channel_id": str(channel), "author": author, "content": text,
        "timestamp": "2026-03-01T10:00:00+00:00", "edited_timestamp": None, "tts": False, "mention_everyone": False,
        "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "pinned": False, "type": 0, **there,
        **parts,
    }  # fmt: skip


def an_interaction(name: str, *options: Payload, id: int = 5_000, **parts: Any) -> Payload:
    """What the gateway sends when somebody in the guild uses a slash command."""
    member = {"roles": [], "joined_at": "2025-01-01T00:00:00+00:00", "deaf": False, "mute": False, "flags": 0}
    return {
        "id": str(id), "application_id": str(APPLICATION), "type": 2, "token": f"token-{id}", "version": 1,
        "attachment_size_limit": 1, "locale": "en-US", "guild_id": str(GUILD), "guild_locale": "pt-BR",
        "channel": {"id": str(GENERAL), "type": 0}, "member": {"user": ANA, "permissions": str(VIEW), **member},
        "data": {"id": "77", "name": name, "type": 1, "options": list(options)}, **parts,
    }  # fmt: skip


def an_option(name: str, value: str) -> Payload:
    return {"name": name, "type": 3, "value": value}


@dataclass
class Asked:
    """A request that reached the wire."""

    method: str
    path: str
    body: Payload


@dataclass
class Wire:
    """Takes the place of the HTTP connection: notes what is asked and answers as Discord would."""

    asked: list[Asked] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)  # by the end of a path: the status it is refused with
    closed: bool = False

    def request(self, method: str, url: str, *, data: Any = None, **_: Any) -> _Answered:
        path = url.split("/api/v10", 1)[-1].split("?", 1)[0]
        body = json.loads(data) if isinstance(data, str | bytes) else {}
        self.asked.append(Asked(method, path, body))
        refusal = next((status for end, status in self.refused.items() if path.endswith(end)), None)
        if refusal is not None:
            return _Answered(refusal, {"message": "no", "code": 0})
        return _Answered(*self._answer(method, path, body))

    def _answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if path.endswith("/typing"):
            return 204, None
        if path.endswith("/callback"):
            return 200, {"interaction": {"id": "5000", "type": 2}}
        if path.endswith("/messages") or path.startswith("/webhooks/"):
            content = body.get("content", "") if isinstance(body, dict) else ""
            return 200, a_message(content, id=8_000 + len(self.asked), author=US, guild=None)
        return 200, []

    async def close(self) -> None:
        self.closed = True

    def sent(self) -> list[Payload]:
        """The messages written in channels."""
        return [one.body for one in self.asked if one.method == "POST" and one.path.endswith("/messages")]

    def whispered(self) -> list[Payload]:
        """The answers to slash commands."""
        return [one.body for one in self.asked if one.path.startswith("/webhooks/")]


class _Answered:
    """An answer on the wire."""

    def __init__(self, status: int, body: Any) -> None:
        self.status = status
        self.reason = "as scripted"
        self.headers = {"content-type": "application/json"}
        self._body = body

    async def text(self, encoding: str = "utf-8") -> str:
        return json.dumps(self._body)

    async def __aenter__(self) -> _Answered:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None


class Upstage(Upstreams):
    """A model that says what is written for it, and notes what it was given."""

    def __init__(self, *replies: str | Exception, local: bool = True) -> None:
        super().__init__([Upstream(name="default", url="http://127.0.0.1:9/v1", model="scripted", local=local)])
        self._replies = list(replies)
        self.given: list[list[Payload]] = []

    async def complete(self, messages: Any, *, model: str | None = None) -> str:
        self.given.append([dict(message) for message in messages])
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    @property
    def prompts(self) -> list[str]:
        return ["\n".join(str(message["content"]) for message in given) for given in self.given]


class Discord:
    """A bot on a scripted Discord."""

    def __init__(self, bot: DiscordBot, wire: Wire, slept: list[float]) -> None:
        self.bot = bot
        self.wire = wire
        self.slept = slept  # the pauses it made, none of which took any time

    async def event(self, name: str, payload: Any) -> None:
        """What the gateway sends, and everything that comes of it."""
        self.bot._connection.parsers[name](payload)
        while tasks := [
            task for task in asyncio.all_tasks() if task.get_name().startswith(("discord.py:", "CommandT"))
        ]:
            await asyncio.gather(*tasks)

    async def says(self, text: str, *, id: int, **parts: Any) -> list[str]:
        """Somebody writes a message; what is written back."""
        before = len(self.wire.sent())
        await self.event("MESSAGE_CREATE", a_message(text, id=id, **parts))
        return [body["content"] for body in self.wire.sent()[before:]]

    async def uses(self, name: str, *options: Payload, **parts: Any) -> list[str]:
        """Somebody uses a slash command; what only they see."""
        before = len(self.wire.whispered())
        await self.event("INTERACTION_CREATE", an_interaction(name, *options, **parts))
        return [body["content"] for body in self.wire.whispered()[before:]]


@asynccontextmanager
async def a_discord(memory: Memory, upstreams: Upstreams | None = None, **settings: Any) -> AsyncIterator[Discord]:
    """A bot that is logged in and knows its guild."""
    chosen = Settings(**{"user": "operator", **settings})
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    bot = DiscordBot(memory, Answering(memory, upstreams or Upstreams(), recall_seconds=60), chosen, sleep=sleep)
    wire = Wire()
    await bot._async_setup_hook()
    state = bot._connection
    state.guild_ready_timeout = 0.0
    bot.http.token = "scripted"
    bot.http._global_over = asyncio.Event()
    bot.http._global_over.set()
    bot.http._HTTPClient__session = wire  # type: ignore[attr-defined]  # the name the library hides it under
    state.application_id = APPLICATION
    await bot.setup_hook()
    there = Discord(bot, wire, slept)
    guild = {"id": str(GUILD), "unavailable": True}
    await there.event("READY", {"user": US, "guilds": [guild], "application": {"id": str(APPLICATION), "flags": 0}})
    await there.event("GUILD_CREATE", a_guild())
    try:
        yield there
    finally:
        await bot.close()
        task = state._ready_task
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
