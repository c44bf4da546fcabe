"""The slash commands on Discord. Only whoever uses one sees its answer, so it may speak of all that is theirs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from relembra.errors import InvalidInputError, RelembraError
from relembra.interfaces.chat.commands import Asker
from relembra.interfaces.chat.discord_places import LONGEST, spot_of, tongue
from relembra.interfaces.chat.replies import pieces
from relembra.interfaces.chat.words import SUMMARIES, say

if TYPE_CHECKING:
    from relembra.interfaces.chat.discord import DiscordBot

__all__ = ["InPortuguese", "offer"]

LONGEST_TEXT = 1_500
SIDES = (("new", "novo"), ("old", "antigo"), ("both", "ambos"), ("neither", "nenhum"))

log = logging.getLogger(__name__)


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


def _summary(command: str) -> locale_str:
    en, pt = SUMMARIES[command]
    return locale_str(en, pt=pt)


def offer(bot: DiscordBot) -> None:
    """Put the commands on the bot's tree."""
    tree = bot.tree

    @tree.command(
        name=locale_str("remember", pt="guardar"),
        description=_summary("keep"),
    )
    @app_commands.rename(text=locale_str("text", pt="texto"))
    @app_commands.describe(text=locale_str("What to keep", pt="O que guardar"))
    async def remember(interaction: discord.Interaction, text: app_commands.Range[str, 1, LONGEST_TEXT]) -> None:
        await _answer(bot, interaction, "keep", text)

    @tree.command(
        name=locale_str("recall", pt="lembrar"),
        description=_summary("recall"),
    )
    @app_commands.rename(words=locale_str("words", pt="palavras"))
    @app_commands.describe(words=locale_str("What to look for", pt="O que procurar"))
    async def recall(interaction: discord.Interaction, words: app_commands.Range[str, 1, LONGEST_TEXT]) -> None:
        await _answer(bot, interaction, "recall", words)

    @tree.command(
        name=locale_str("forget", pt="esquecer"),
        description=_summary("forget"),
    )
    @app_commands.rename(what=locale_str("what", pt="que"))
    @app_commands.describe(
        what=locale_str("An id, words, “here” or “everything”", pt="Um id, palavras, “aqui” ou “tudo”")
    )
    async def forget(interaction: discord.Interaction, what: app_commands.Range[str, 1, LONGEST_TEXT]) -> None:
        await _answer(bot, interaction, "forget", what)

    @tree.command(
        name=locale_str("undo", pt="desfazer"),
        description=_summary("undo"),
    )
    async def undo(interaction: discord.Interaction, id: app_commands.Range[str, 4, 40]) -> None:
        await _answer(bot, interaction, "undo", id)

    @tree.command(
        name=locale_str("profile", pt="perfil"),
        description=_summary("profile"),
    )
    async def profile(interaction: discord.Interaction) -> None:
        await _answer(bot, interaction, "profile", "")

    @tree.command(
        name=locale_str("questions", pt="perguntas"),
        description=_summary("questions"),
    )
    @app_commands.rename(keep=locale_str("right", pt="certo"))
    @app_commands.describe(
        id=locale_str("The question you answer", pt="A pergunta que você responde"),
        keep=locale_str("Which side is right", pt="Qual dos lados vale"),
    )
    @app_commands.choices(keep=[Choice(name=locale_str(en, pt=pt), value=en) for en, pt in SIDES])
    async def questions(
        interaction: discord.Interaction,
        id: app_commands.Range[str, 4, 40] | None = None,
        keep: str | None = None,
    ) -> None:
        await _answer(bot, interaction, "questions", f"{id} {keep or ''}" if id is not None else "")

    @tree.command(
        name=locale_str("help", pt="ajuda"),
        description=_summary("help"),
    )
    async def help(interaction: discord.Interaction) -> None:
        await _answer(bot, interaction, "help", "")

    switch = app_commands.Group(
        name=locale_str("memory", pt="memória"),
        description=_summary("memory"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    @switch.command(
        name=locale_str("on", pt="ligar"),
        description=locale_str(
            "Keep what people say here from now on", pt="Guarda o que se disser aqui de agora em diante"
        ),
    )
    async def on(interaction: discord.Interaction) -> None:
        await _answer(bot, interaction, "memory", "on")

    @switch.command(
        name=locale_str("off", pt="desligar"),
        description=locale_str("Keep and recall nothing here", pt="Não guarda nem lembra nada aqui"),
    )
    async def off(interaction: discord.Interaction) -> None:
        await _answer(bot, interaction, "memory", "off")

    @switch.command(
        name=locale_str("status", pt="estado"),
        description=locale_str("Say whether memory is on here", pt="Diz se a memória está ligada aqui"),
    )
    async def status(interaction: discord.Interaction) -> None:
        await _answer(bot, interaction, "memory", "")

    tree.add_command(switch)

    @tree.error
    async def failed(_: discord.Interaction, error: app_commands.AppCommandError) -> None:
        log.warning("a command failed: %s", type(error.__cause__ or error).__name__)


async def _answer(bot: DiscordBot, interaction: discord.Interaction, name: str, rest: str) -> None:
    with bot.at_work():
        await _whisper(bot, interaction, name, rest)


async def _whisper(bot: DiscordBot, interaction: discord.Interaction, name: str, rest: str) -> None:
    """Do what was asked and tell only whoever asked."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    language = tongue(interaction.locale, "en")
    try:
        text = await bot.commands.answer(name, rest.strip(), await _asker(bot, interaction, name, language))
    except InvalidInputError as exc:
        log.warning("the command %s was given %s", name, exc.field)
        text = say("wrong", language)
    except RelembraError as exc:
        log.warning("the command %s failed: %s", name, type(exc).__name__)
        text = say("trouble", language)
    for piece in pieces(text, LONGEST):
        await interaction.followup.send(piece, ephemeral=True, suppress_embeds=True)


async def _asker(bot: DiscordBot, interaction: discord.Interaction, name: str, language: str) -> Asker:
    """Who asks: the answer is theirs alone, whatever place it is asked in."""
    spot = spot_of(interaction.channel, interaction.guild_id)
    is_open = interaction.guild_id is None or await bot.switches.is_on(interaction.guild_id)
    return Asker(
        user=await bot.people.user_of(interaction.user.id, interaction.user.name, keep=is_open and name != "memory"),
        language=language,
        here=(None, None) if spot is None else (spot.space, spot.channel),
        group=interaction.guild_id,
        manages=interaction.permissions.manage_guild,
    )
