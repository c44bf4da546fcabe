"""Discord: keeps what people say in guilds, threads and direct conversations, and answers what is meant for it."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from relembra.errors import DeliveryError, InvalidInputError, RelembraError
from relembra.interfaces.chat.bot import NAMES, Bot, Incoming, pieces, say, spoken
from relembra.transfer.media import MediaKind, media_kind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from relembra.interfaces.upstream import Answering
    from relembra.memory import Memory
    from relembra.settings import Settings

APP = "discord"
LONGEST = 2_000
"""The longest message Discord takes."""

SPEECH = (discord.MessageType.default, discord.MessageType.reply)
"""All else, like joining or pinning, is said by Discord itself."""

WAITS_SECONDS = (1.0, 4.0, 15.0, 60.0)
"""How long a store out of reach is waited for: Discord does not send a message again."""

TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError)
SIDES = (("new", "novo"), ("old", "antigo"), ("both", "ambos"), ("neither", "nenhum"))

Text = app_commands.Range[str, 1, 1_500]
Id = app_commands.Range[str, 4, 40]
Command = app_commands.Command[Any, ..., None]

_MARK = re.compile(
    r"<(?:@!?(?P<user>\d+)|@&(?P<role>\d+)|#(?P<channel>\d+)|a?:(?P<emoji>\w+):\d+|/(?P<slash>[^:>]+):\d+)>"
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on Discord as the memory knows it; in a direct conversation all is None."""

    space: str | None = None
    channel: str | None = None
    guild: int | None = None


def spot_of(channel: object, guild_id: int | None) -> Spot | None:
    """Where a channel is; None where that is not known, so that no message is taken for a private one.

    What everybody of a guild can see is one space. A channel or thread that only some can see is a space of its own:
    what is said there is not shown elsewhere.
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
        self.core = Bot(APP, memory, answering, settings, sleep=sleep)
        self._ready_once: Callable[[], None] | None = ready
        self.tree = app_commands.CommandTree(self)
        offer(self)

    async def setup_hook(self) -> None:
        """Register the commands with Discord."""
        await self.tree.set_translator(InPortuguese())
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Say once that the bot listens; Discord sends this after every new session."""
        ready, self._ready_once = self._ready_once, None
        if ready is not None:
            ready()

    async def on_error(self, event: str, /, *_: object, **__: object) -> None:
        """Log an accident without what was said."""
        kind = sys.exc_info()[0]
        log.error("%s failed: %s", event, kind.__name__ if kind else "", exc_info=log.isEnabledFor(logging.DEBUG))

    async def on_message(self, message: discord.Message) -> None:
        """Keep a message and, where it is meant for us, answer it."""
        await self.core.begin(self._on_message(message))

    def dispatch(self, event: str, /, *args: object, **kwargs: object) -> None:
        """Drop events while leaving: the library would have no loop to handle them in."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def close(self) -> None:
        """Finish what is at hand, if that does not take long, and leave."""
        await self.core.finish()
        await super().close()

    async def _on_message(self, message: discord.Message) -> None:
        if message.author.bot or message.webhook_id is not None or message.type not in SPEECH:
            return
        guild = message.guild
        spot = spot_of(message.channel, guild.id if guild is not None else getattr(message.channel, "guild_id", None))
        if spot is None:
            return
        to_us = spot.guild is None or self._is_addressed(message)
        language = spoken(guild.preferred_locale.value if guild is not None else None, self.core.language)

        async def kept() -> Incoming:
            incoming = await self._incoming(message, spot, to_us=to_us, language=language)
            await self.core.keep(incoming)
            return incoming

        try:
            incoming = await self.core.patiently(message.id, kept, WAITS_SECONDS)
        except RelembraError as exc:
            log.warning("message %s: %s", message.id, type(exc).__name__)
            reply = say("trouble", language) if to_us else None
        else:
            reply = await self._answered(message, incoming) if to_us else None
        if reply is not None:
            await self._send(message, reply)

    async def _answered(self, message: discord.Message, incoming: Incoming) -> str | None:
        async with AsyncExitStack() as stack:
            with suppress(*TROUBLE):  # an ornament
                await stack.enter_async_context(message.channel.typing())
            return await self.core.answer(incoming)

    async def _incoming(self, message: discord.Message, spot: Spot, *, to_us: bool, language: str) -> Incoming:
        author, answered = message.author, _answered(message)
        others = [*message.mentions, *([answered.author] if answered is not None else [])]
        others = [one for one in others if not one.bot and one.id != author.id]
        here = (spot.space, spot.channel)
        place: dict[str, Any] = {"space": spot.space, "channel": spot.channel, "here": here, "group": spot.guild}
        is_member = isinstance(author, discord.Member) and message.guild is not None  # else the roles are not known
        manages = is_member and author.guild_permissions.manage_guild  # type: ignore[union-attr]
        asker = await self.core.asker(author.id, author.name, language, manages=manages, **place)
        known = {one.id: await self.core.people.known(one.id) for one in others}
        names = {id: name for id, name in known.items() if name is not None}
        said = Incoming(
            text=plain(message, {author.id: asker.user, self._own_id: "", **names}),
            asker=asker,
            external_id=f"{APP}:{message.id}",
            at=message.created_at,
            to_us=to_us,
            mentioned=tuple(dict.fromkeys(names.values())),
            name=author.display_name,
        )
        voice = next((one for one in message.attachments if media_kind(one.filename) is MediaKind.VOICE), None)
        if voice is None or said.text.strip():
            return said
        return await self.core.heard(said, voice.filename, partial(_content, voice), size=voice.size)

    @property
    def _own_id(self) -> int:
        return self.user.id if self.user is not None else 0

    def _is_addressed(self, message: discord.Message) -> bool:
        """Whether a message in a guild names us, the role that is ours, or answers us."""
        own, answered = message.guild.self_role if message.guild is not None else None, _answered(message)
        return (
            any(one.id == self._own_id for one in message.mentions)
            or (own is not None and own in message.role_mentions)
            or (answered is not None and answered.author.id == self._own_id)
        )

    async def _send(self, message: discord.Message, text: str) -> None:
        """Answer in as many messages as it takes. Nobody is pinged, and no addresses are shown as cards."""
        first: dict[str, Any] = {"reference": message.to_reference(fail_if_not_exists=False), "mention_author": False}
        try:
            for piece in pieces(text, LONGEST):
                await message.channel.send(piece, suppress_embeds=True, **first)
                first = {}
        except TROUBLE as exc:
            log.warning("message %s was not answered: %s", message.id, type(exc).__name__)

    async def command(self, interaction: discord.Interaction, name: str, rest: str = "") -> None:
        """Do what a slash command asks for; only the user sees the answer."""
        await self.core.begin(self._command(interaction, name, rest))

    async def _command(self, interaction: discord.Interaction, name: str, rest: str) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        language = spoken(interaction.locale.value, "en")
        spot, user = spot_of(interaction.channel, interaction.guild_id) or Spot(), interaction.user
        try:
            asker = await self.core.asker(
                user.id,
                user.name,
                language,
                keep=name != "memory",
                here=(spot.space, spot.channel),
                group=interaction.guild_id,
                manages=interaction.permissions.manage_guild,
            )
            text = await self.core.command(name, rest.strip(), asker)
        except InvalidInputError as exc:
            log.warning("the command %s was given %s", name, exc.field)
            text = say("wrong", language)
        except RelembraError as exc:
            log.warning("the command %s failed: %s", name, type(exc).__name__)
            text = say("trouble", language)
        for piece in pieces(text, LONGEST):
            await interaction.followup.send(piece, ephemeral=True, suppress_embeds=True)


async def _content(file: discord.Attachment) -> bytes:
    """A file somebody sent; a `DeliveryError` where Discord does not hand it over."""
    try:
        return await file.read()
    except TROUBLE as exc:
        raise DeliveryError(f"a file could not be fetched ({type(exc).__name__})") from exc


def _answered(message: discord.Message) -> discord.Message | None:
    """The message that one answers, where Discord tells it."""
    answered = message.reference.resolved if message.reference is not None else None
    return answered if isinstance(answered, discord.Message) else None


# ── slash commands ────────────────────────────────────────────────────────────────────────────────────────────────────


class InPortuguese(app_commands.Translator):
    """The names and descriptions of commands for those whose Discord speaks Portuguese."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - as the base class has it
    ) -> str | None:
        translated: str | None = string.extras.get("pt")
        return translated if locale is discord.Locale.brazil_portuguese else None


def offer(bot: DiscordBot) -> None:
    """Put the commands on the bot's tree."""
    tree = bot.tree
    for command, option, pt in (("keep", "text", "texto"), ("recall", "words", "palavras"), ("forget", "what", "que")):
        tree.add_command(_with_text(bot, command, locale_str(option, pt=pt)))
    for command in ("profile", "help"):
        tree.add_command(_alone(bot, command, "", **_named(command)))

    @tree.command(**_named("undo"))
    async def undo(interaction: discord.Interaction, id: Id) -> None:
        await bot.command(interaction, "undo", id)

    @tree.command(**_named("questions"))
    @app_commands.rename(keep=locale_str("right", pt="certo"))
    @app_commands.describe(id=_both("option.question"), keep=_both("option.side"))
    @app_commands.choices(keep=[Choice(name=locale_str(en, pt=pt), value=en) for en, pt in SIDES])
    async def questions(interaction: discord.Interaction, id: Id | None = None, keep: str | None = None) -> None:
        await bot.command(interaction, "questions", f"{id} {keep or ''}" if id is not None else "")

    switch = app_commands.Group(
        name=locale_str("memory", pt="memória"),
        description=_both("summary.memory"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )
    for word, pt in (("on", "ligar"), ("off", "desligar"), ("status", "estado")):
        named = {"name": locale_str(word, pt=pt), "description": _both(f"option.{word}")}
        switch.add_command(_alone(bot, "memory", word, **named))
    tree.add_command(switch)

    @tree.error
    async def failed(_: discord.Interaction, error: app_commands.AppCommandError) -> None:
        log.warning("a command failed: %s", type(error.__cause__ or error).__name__)


def _with_text(bot: DiscordBot, command: str, option: locale_str) -> Command:
    @app_commands.command(**_named(command))
    @app_commands.rename(text=option)
    @app_commands.describe(text=_both(f"option.{command}"))
    async def run(interaction: discord.Interaction, text: Text) -> None:
        await bot.command(interaction, command, text)

    return run


def _alone(bot: DiscordBot, command: str, rest: str, **named: Any) -> Command:
    @app_commands.command(**named)
    async def run(interaction: discord.Interaction) -> None:
        await bot.command(interaction, command, rest)

    return run


def _named(command: str) -> dict[str, Any]:
    """How a command is called and described."""
    called = {language: name for name, (one, language) in NAMES.items() if one == command}
    return {"name": locale_str(called["en"], pt=called["pt"]), "description": _both(f"summary.{command}")}


def _both(id: str) -> locale_str:
    return locale_str(say(id, "en"), pt=say(id, "pt"))
