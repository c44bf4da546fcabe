"""The doors to chat apps: a bot that listens until Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from relembra.errors import MissingExtraError, SettingsError
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.failures import OTHER
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.terminal import Terminal, note

if TYPE_CHECKING:
    from relembra.interfaces.answering import Answering
    from relembra.memory import Memory


async def discord(call: Call) -> Answer:
    """Listen on Discord until told to stop."""
    if find_spec("discord") is None:
        raise MissingExtraError("the Discord bot", "discord")
    token = call.settings.discord_token.strip()
    if not token:
        raise UsageError("chat.no_token", command="discord", setting="discord_token", variable="RELEMBRA_DISCORD_TOKEN")
    import aiohttp
    import discord as library

    from relembra.interfaces.chat.discord import DiscordBot

    logging.getLogger("discord").setLevel(logging.WARNING)  # below that it quotes what is said
    try:
        async with AsyncExitStack() as stack:
            memory, answering = await stack.enter_async_context(_opened(call))
            ready = partial(_told, call, "discord")
            bot = await stack.enter_async_context(DiscordBot(memory, answering, call.settings, ready=ready))
            await until_stopped(bot.start(token))
    except library.LoginFailure as exc:
        raise UsageError("chat.refused", command="discord", setting="discord_token") from exc
    except library.PrivilegedIntentsRequired as exc:
        raise UsageError("chat.intent", command="discord") from exc
    except (library.DiscordException, aiohttp.ClientError, OSError) as exc:
        return _unreachable(call, "Discord", exc)
    return _stopped()


async def telegram(call: Call) -> Answer:
    """Listen on Telegram until told to stop."""
    if find_spec("httpx") is None:
        raise MissingExtraError("the Telegram bot", "http")
    token = call.settings.telegram_token.strip()
    if not token:
        raise UsageError(
            "chat.no_token", command="telegram", setting="telegram_token", variable="RELEMBRA_TELEGRAM_TOKEN"
        )
    from relembra.interfaces.chat.telegram import TelegramBot
    from relembra.interfaces.chat.telegram_api import BotApi, TelegramError

    try:
        api = BotApi(token)
    except SettingsError as exc:
        raise UsageError("chat.refused", command="telegram", setting="telegram_token") from exc
    try:
        async with _opened(call) as (memory, answering):
            bot = TelegramBot(memory, answering, call.settings, api)
            await until_stopped(bot.run(ready=partial(_told, call, "telegram")))
    except SettingsError as exc:
        raise UsageError("chat.refused", command="telegram", setting="telegram_token") from exc
    except TelegramError as exc:
        return _unreachable(call, "Telegram", exc)
    finally:
        await api.close()
    return _stopped()


@asynccontextmanager
async def _opened(call: Call) -> AsyncIterator[tuple[Memory, Answering]]:
    """The memory at work, and who answers out of it."""
    from relembra.bootstrap import opened
    from relembra.interfaces.answering import Answering
    from relembra.interfaces.upstream import Upstreams

    upstreams = Upstreams.of(call.settings)
    if upstreams and find_spec("httpx") is None:
        raise MissingExtraError("calling a model", "http")
    if not call.line.has("debug"):
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(upstreams.close)
        memory = await stack.enter_async_context(opened(settings=call.settings))
        yield memory, Answering(memory, upstreams)


async def until_stopped(running: Awaitable[None]) -> None:
    """Run until the end, Ctrl-C or a request to terminate."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(running)
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        with suppress(NotImplementedError):  # where the loop has no signals, Ctrl-C ends the program itself
            loop.add_signal_handler(number, task.cancel)
    try:
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()
    finally:
        task.cancel()
        await asyncio.wait([task])
        for number in numbers:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)


def _told(call: Call, app: str) -> None:
    if not call.line.has("json"):
        Terminal(call.words).say(f"chat.{app}", "green")


def _unreachable(call: Call, app: str, error: BaseException) -> Answer:
    """Say that the app could not be reached; whoever runs this may try again later."""
    note(call.words("chat.unreachable", app=app, type=type(error).__name__))
    return Answer({"error": {"type": type(error).__name__}}, lambda _: None, OTHER)


def _stopped() -> Answer:
    return Answer({"stopped": True}, lambda terminal: terminal.say("chat.stopped", "dim"))
