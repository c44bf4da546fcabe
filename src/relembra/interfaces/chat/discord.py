"""Discord: keeps what people say in guilds, threads and direct conversations, and answers what is meant for it.

Slash commands are in `discord_commands`; what both do is in what chat apps share.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord import app_commands

from relembra.errors import RelembraError, StoreError
from relembra.interfaces.chat.commands import Asker, Commands
from relembra.interfaces.chat.discord_commands import InPortuguese, offer
from relembra.interfaces.chat.discord_places import APP, LONGEST, Spot, plain, spot_of, tongue
from relembra.interfaces.chat.people import People
from relembra.interfaces.chat.replies import pieces
from relembra.interfaces.chat.switches import Switches
from relembra.interfaces.chat.talking import Heard, Talking, drained
from relembra.interfaces.chat.words import say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from relembra.interfaces.answering import Answering
    from relembra.memory import Memory
    from relembra.settings import Settings

__all__ = ["DiscordBot"]

SPEECH = (discord.MessageType.default, discord.MessageType.reply)
"""All else, like joining or pinning, is said by Discord itself."""

WAITS_SECONDS = (1.0, 4.0, 15.0, 60.0)
TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError)

log = logging.getLogger(__name__)


class DiscordBot(discord.Client):
    """The bot: start it with `start(token)`, end it with `close()`."""

    def __init__(
        self,
        memory: Memory,
        answering: Answering,
        settings: Settings,
        *,
        ready: Callable[[], None] = lambda: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody is spoken to here
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
        )
        self._sleep = sleep
        self._busy: set[asyncio.Task[Any]] = set()
        self._ready_once: Callable[[], None] | None = ready
        tenant = settings.tenant
        self._language = settings.language or "en"
        self.people = People(memory, APP, tenant=tenant)
        self.switches = Switches(memory, APP, tenant=tenant, spaces_off=settings.spaces_off)
        self.commands = Commands(memory, self.switches, tenant=tenant)
        self._talking = Talking(memory, answering, commands=self.commands, switches=self.switches, tenant=tenant)
        self.tree = app_commands.CommandTree(self)
        offer(self)

    async def setup_hook(self) -> None:
        """Tell Discord which commands there are."""
        await self.tree.set_translator(InPortuguese())
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Tell whoever started us that we listen; Discord says so again after every new session."""
        ready, self._ready_once = self._ready_once, None
        if ready is not None:
            ready()

    async def on_error(self, event: str, /, *_: object, **__: object) -> None:
        """Tell of an accident without what was said."""
        kind = sys.exc_info()[0]
        log.error("%s failed: %s", event, kind.__name__ if kind else "", exc_info=log.isEnabledFor(logging.DEBUG))

    async def on_message(self, message: discord.Message) -> None:
        """Keep a message and, where it is meant for us, answer it."""
        with self.at_work():
            await self._on_message(message)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let this task come to an end before the bot does."""
        task = asyncio.current_task()
        assert task is not None
        self._busy.add(task)
        try:
            yield
        finally:
            self._busy.discard(task)

    async def close(self) -> None:
        """Finish what is at hand, if that does not take long, and leave."""
        await drained(self._busy)
        await super().close()

    async def _on_message(self, message: discord.Message) -> None:
        if message.author.bot or message.webhook_id is not None or message.type not in SPEECH:
            return
        guild_id = message.guild.id if message.guild is not None else getattr(message.channel, "guild_id", None)
        spot = spot_of(message.channel, guild_id)
        if spot is None:
            return
        to_us = spot.guild is None or self._is_addressed(message)
        guild = message.guild
        language = tongue(guild.preferred_locale if guild is not None else None, self._language)
        try:
            heard = await self._taken_in(message, spot, to_us=to_us, language=language)
            if not to_us:
                return
            async with AsyncExitStack() as stack:
                with suppress(*TROUBLE):  # an ornament
                    await stack.enter_async_context(message.channel.typing())
                reply = await self._talking.heard(heard)
        except RelembraError as exc:
            log.warning("message %s: %s", message.id, type(exc).__name__)
            reply = say("trouble", language) if to_us else None
        if reply is not None:
            await self._send(message, reply)

    async def _taken_in(self, message: discord.Message, spot: Spot, *, to_us: bool, language: str) -> Heard:
        """Keep a message; Discord does not send it again, so a store out of reach is waited for a while."""
        for wait in WAITS_SECONDS:
            try:
                return await self._kept(message, spot, to_us=to_us, language=language)
            except StoreError as exc:
                log.warning("message %s waits: %s", message.id, type(exc).__name__)
                await self._sleep(wait)
        return await self._kept(message, spot, to_us=to_us, language=language)

    async def _kept(self, message: discord.Message, spot: Spot, *, to_us: bool, language: str) -> Heard:
        heard = await self._heard(message, spot, to_us=to_us, language=language)
        await self._talking.keep(heard)
        return heard

    async def _heard(self, message: discord.Message, spot: Spot, *, to_us: bool, language: str) -> Heard:
        author = message.author
        is_open = spot.guild is None or await self.switches.is_on(spot.guild)
        user = await self.people.user_of(author.id, author.name, keep=is_open)
        names = {author.id: user, self._own_id: ""}
        others = [one for one in message.mentions if not one.bot and one.id != author.id]
        answered = message.reference.resolved if message.reference is not None else None
        if isinstance(answered, discord.Message) and not answered.author.bot and answered.author.id != author.id:
            others.append(answered.author)
        for one in others:
            known = await self.people.known(one.id)
            if known is not None:
                names[one.id] = known
        mentioned = dict.fromkeys(names[one.id] for one in others if one.id in names)
        manages = False
        if isinstance(author, discord.Member) and message.guild is not None:  # else the roles are not known
            manages = author.guild_permissions.manage_guild
        asker = Asker(
            user=user,
            language=language,
            space=spot.space,
            channel=spot.channel,
            here=(spot.space, spot.channel),
            group=spot.guild,
            manages=manages,
        )
        return Heard(
            text=plain(message, names),
            asker=asker,
            external_id=f"{APP}:{message.id}",
            at=message.created_at,
            to_us=to_us,
            mentioned=tuple(mentioned),
            name=author.display_name,
        )

    @property
    def _own_id(self) -> int:
        return self.user.id if self.user is not None else 0

    def _is_addressed(self, message: discord.Message) -> bool:
        """Whether a message in a guild names us, the role that is ours, or answers us."""
        if any(one.id == self._own_id for one in message.mentions):
            return True
        own = message.guild.self_role if message.guild is not None else None
        if own is not None and own in message.role_mentions:
            return True
        answered = message.reference.resolved if message.reference is not None else None
        return isinstance(answered, discord.Message) and answered.author.id == self._own_id

    async def _send(self, message: discord.Message, text: str) -> None:
        """Answer in as many messages as it takes. Nobody is pinged, and no addresses are shown as cards."""
        reference: discord.MessageReference | None = message.to_reference(fail_if_not_exists=False)
        try:
            for piece in pieces(text, LONGEST):
                if reference is None:
                    await message.channel.send(piece, suppress_embeds=True)
                else:
                    await message.channel.send(piece, reference=reference, mention_author=False, suppress_embeds=True)
                reference = None
        except TROUBLE as exc:
            log.warning("message %s was not answered: %s", message.id, type(exc).__name__)
