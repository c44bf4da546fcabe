"""A stand-in for Telegram's Bot API: real HTTP on loopback that keeps updates until they are confirmed, as the real one
does, notes what it is asked, and can fail in every way a real one does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from loopbacks import listening
from relembra import Memory
from relembra.interfaces.chat.telegram import BotApi, TelegramBot
from relembra.interfaces.upstream import Answering, Upstreams
from relembra.settings import Settings

Payload = dict[str, Any]

TOKEN = "123456:very-secret"
US: Payload = {"id": 900, "is_bot": True, "first_name": "Relembra", "username": "Relembra_bot"}
ANA: Payload = {"id": 1, "is_bot": False, "first_name": "Ana", "username": "ana", "language_code": "pt-br"}
BOB: Payload = {"id": 2, "is_bot": False, "first_name": "Bob", "language_code": "en"}
ANA_NAME, BOB_NAME = "telegram:ana", "telegram:2"
"""Whom they are remembered as: Bob chose no handle."""

GROUP: Payload = {"id": -100_500, "type": "supergroup", "title": "Vila"}
OTHER_GROUP: Payload = {"id": -100_501, "type": "group", "title": "Outra"}


def a_message(text: str, *, id: int, sender: Payload = ANA, chat: Payload | None = None, **parts: Any) -> Payload:
    """What somebody wrote; without a chat, to us in private."""
    there = chat or {"id": sender["id"], "type": "private"}
    return {"message_id": id, "from": sender, "chat": there, "date": 1_772_366_340, "text": text, **parts}


def marked(text: str, part: str, type: str = "mention", **parts: Any) -> Payload:
    """An entity for a part of a text, measured as Telegram does."""
    before = text[: text.index(part)]
    units = [len(some.encode("utf-16-le")) // 2 for some in (before, part)]
    return {"type": type, "offset": units[0], "length": units[1], **parts}


class Telegram:
    """The server, and whoever writes to the bot."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[tuple[str, Payload]] = []
        self.written = asyncio.Event()  # set when the bot wrote something
        self.script: dict[str, list[tuple[int, Any]]] = {}  # what a method answers first: status and body
        self.admins: set[int] = set()
        self.waiting = asyncio.Event()  # set when the bot waits for updates and there are none
        self.holds = False  # whether it then lets the bot wait
        self.released = asyncio.Event()
        self._updates: list[Payload] = []
        self._number = 0

    def write(self, *messages: Payload) -> None:
        for message in messages:
            self._number += 1
            self._updates.append({"update_id": self._number, "message": message})

    def put(self, update: Payload) -> None:
        """An update just as it is."""
        self._number = max(self._number, update.get("update_id", 0))
        self._updates.append(update)

    @property
    def sent(self) -> list[Payload]:
        return [given for method, given in self.asked if method == "sendMessage"]

    @property
    def left(self) -> int:
        """How many updates were never confirmed."""
        return len(self._updates)

    async def file(self, request: web.Request) -> web.Response:
        """A recording, as long as there is one of that name."""
        assert request.match_info["token"] == TOKEN
        return web.Response(body=b"OggS sound", status=200 if request.match_info["name"] == "file_1.oga" else 404)

    async def answer(self, request: web.Request) -> web.Response:
        method, given = request.match_info["method"], await request.json()
        self.asked.append((method, given))
        if request.match_info["token"] != TOKEN:
            return _said(401, {"ok": False, "error_code": 401, "description": "Unauthorized"})
        if self.script.get(method):
            return _said(*self.script[method].pop(0))
        if method == "getUpdates":
            self._updates = [one for one in self._updates if one.get("update_id", 0) >= given["offset"]]
            if not self._updates:
                self.waiting.set()
                if self.holds:
                    await self.released.wait()
            return _said(200, {"ok": True, "result": self._updates})
        if method == "sendMessage":
            self.written.set()
        answers: dict[str, Any] = {
            "getMe": US,
            "getFile": {"file_id": given.get("file_id"), "file_path": f"voice/{given.get('file_id')}.oga"},
            "sendMessage": {"message_id": 1_000 + len(self.asked)},
            "getChatMember": {"status": "administrator" if given.get("user_id") in self.admins else "member"},
        }
        return _said(200, {"ok": True, "result": answers.get(method, True)})


def _said(status: int, body: Any) -> web.Response:
    text = body if isinstance(body, str) else json.dumps(body)
    return web.Response(status=status, text=text, content_type="application/json")


class Bot:
    """A bot on the scripted server."""

    def __init__(self, bot: TelegramBot, api: BotApi, server: Telegram, slept: list[float]) -> None:
        self.bot = bot
        self.api = api
        self.server = server
        self.slept = slept  # the pauses it made, none of which took any time

    async def hears(self, *messages: Payload) -> list[str]:
        """Somebody writes; what is written back."""
        before = len(self.server.sent)
        self.server.write(*messages)
        await self.bot.poll()
        await self.bot.finish()
        return [given["text"] for given in self.server.sent[before:]]


@asynccontextmanager
async def a_telegram(
    memory: Memory, upstreams: Upstreams | None = None, *, server: Telegram | None = None, **settings: Any
) -> AsyncIterator[Bot]:
    """A bot that knows who it is; with a `server` of before it goes on with what that one holds."""
    served = server or Telegram()
    async with serving(served):
        slept: list[float] = []

        async def sleep(seconds: float) -> None:
            slept.append(seconds)

        chosen = Settings(**{"user": "operator", **settings})
        api = BotApi(TOKEN, url=served.url, sleep=sleep)
        bot = TelegramBot(
            memory, Answering(memory, upstreams or Upstreams(), recall_seconds=60), chosen, api, sleep=sleep
        )
        try:
            await bot.introduce()
            yield Bot(bot, api, served, slept)
        finally:
            await api.close()


@asynccontextmanager
async def serving(server: Telegram) -> AsyncIterator[None]:
    app = web.Application()
    app.router.add_post("/bot{token}/{method}", server.answer)
    app.router.add_get("/file/bot{token}/voice/{name}", server.file)
    async with listening(app) as address:
        server.url = f"http://{address}"
        try:
            yield
        finally:
            server.released.set()
