"""Telegram: keeps what people say in private chats and groups, and answers what is meant for it, by long polling."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from relembra.domain.text import fold
from relembra.errors import RelembraError, StoreError
from relembra.interfaces.chat.commands import NAMES, Asker, Commands
from relembra.interfaces.chat.people import People
from relembra.interfaces.chat.replies import pieces
from relembra.interfaces.chat.switches import Switches
from relembra.interfaces.chat.talking import Heard, Talking, drained
from relembra.interfaces.chat.telegram_api import BotApi, Entity, Message, TelegramError, Update, User
from relembra.interfaces.chat.words import SUMMARIES, say, spoken
from relembra.tools.typed import typed

if TYPE_CHECKING:
    from relembra.interfaces.answering import Answering
    from relembra.memory import Memory
    from relembra.settings import Settings

__all__ = ["APP", "LONGEST", "TelegramBot"]

APP = "telegram"
LONGEST = 4_096
LONGEST_WAIT_SECONDS = 60.0
PRIVATE, GROUPS = "private", ("group", "supergroup")
ADMINS = ("creator", "administrator")

log = logging.getLogger(__name__)


class TelegramBot:
    """The bot: `run` it until it is cancelled."""

    def __init__(
        self,
        memory: Memory,
        answering: Answering,
        settings: Settings,
        api: BotApi,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        tenant = settings.tenant
        self._api = api
        self._sleep = sleep
        self._language = settings.language or "en"
        self._people = People(memory, APP, tenant=tenant)
        self._switches = Switches(memory, APP, tenant=tenant, spaces_off=settings.spaces_off)
        commands = Commands(memory, self._switches, tenant=tenant)
        self._talking = Talking(memory, answering, commands=commands, switches=self._switches, tenant=tenant)
        self._me = User(id=0)
        self._next = 0
        self._turns: dict[int, asyncio.Lock] = {}
        self._answers: set[asyncio.Task[None]] = set()

    async def run(self, *, ready: Callable[[], None] = lambda: None) -> None:
        """Listen until cancelled; `ready` is called when Telegram knows us."""
        await self.introduce()
        ready()
        try:
            while True:
                await self.poll()
        finally:
            await drained(self._answers)

    async def introduce(self) -> None:
        """Find out who we are, and tell Telegram which commands there are."""
        self._me = msgspec.convert(await self._api.call("getMe"), User)
        for language, code in (("en", None), ("pt", "pt")):
            offered = [
                {"command": name, "description": say(f"summary.{command}", language)}
                for name, (command, spelt) in NAMES.items()
                if spelt == language and command in SUMMARIES
            ]
            try:
                await self._api.call("setMyCommands", commands=offered, language_code=code)
            except TelegramError as exc:
                log.warning("the list of commands was not taken: %s", exc.status)

    async def poll(self) -> None:
        """Wait for messages, keep them, and begin to answer. What is kept is not asked for again."""
        for raw in await self._api.updates(self._next):
            try:
                update = msgspec.convert(raw, Update)
            except msgspec.ValidationError:
                log.warning("an update could not be read")
                self._next = max(self._next, _id_of(raw) + 1)
                continue
            if update.message is not None:
                await self._patiently(update.message)
            self._next = max(self._next, update.update_id + 1)

    async def finish(self) -> None:
        """Wait for the answers under way."""
        await asyncio.gather(*self._answers, return_exceptions=True)

    async def _patiently(self, message: Message) -> None:
        """Take a message in; while the store is out of reach Telegram keeps those that follow."""
        wait = 1.0
        while True:
            try:
                return await self._taken_in(message)
            except StoreError as exc:
                log.warning("message %s waits: %s", message.message_id, type(exc).__name__)
                await self._sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT_SECONDS)
            except RelembraError as exc:
                log.warning("message %s was passed over: %s", message.message_id, type(exc).__name__)
                return None

    async def _taken_in(self, message: Message) -> None:
        if message.migrate_to_chat_id is not None and not await self._switches.is_on(message.chat.id):
            await self._switches.turn(message.migrate_to_chat_id, on=False)
        heard = await self._heard(message)
        if heard is None:
            return
        await self._talking.keep(heard)
        if heard.to_us:
            task = asyncio.create_task(self._answer(message, heard), name=f"telegram-answer-{message.message_id}")
            self._answers.add(task)
            task.add_done_callback(self._answers.discard)

    async def _answer(self, message: Message, heard: Heard) -> None:
        """Answer a message, each chat's in the order they came."""
        async with self._turns.setdefault(message.chat.id, asyncio.Lock()):
            try:
                reply = await self._talking.heard(heard)
            except RelembraError as exc:
                log.warning("message %s was not answered: %s", message.message_id, type(exc).__name__)
                reply = say("trouble", heard.asker.language)
            if reply is not None:
                await self._send(message, reply)

    async def _send(self, message: Message, text: str) -> None:
        answered: dict[str, Any] | None = {"message_id": message.message_id, "allow_sending_without_reply": True}
        try:
            for piece in pieces(text, LONGEST):
                await self._api.call(
                    "sendMessage",
                    chat_id=message.chat.id,
                    text=piece,
                    message_thread_id=message.message_thread_id if message.is_topic_message else None,
                    reply_parameters=answered,
                    link_preview_options={"is_disabled": True},
                )
                answered = None
        except RelembraError as exc:
            log.warning("message %s was not answered: %s", message.message_id, type(exc).__name__)

    async def _heard(self, message: Message) -> Heard | None:
        """The message in our own words; None for what no person said, or said to another program."""
        sender, chat = message.sender, message.chat
        if sender is None or sender.is_bot or message.via_bot is not None or message.forward_origin is not None:
            return None
        if message.sender_chat is not None or (chat.type != PRIVATE and chat.type not in GROUPS):
            return None
        text, to_us = self._read(message)
        command = typed(text, NAMES)
        in_group = chat.type != PRIVATE
        if command is not None and not command.is_for(self._me.username or ""):
            return None
        if command is None and in_group and text.startswith("/"):
            return None  # another program's
        asker = Asker(user="", language=spoken(sender.language_code, self._language))
        if in_group:
            space = self._switches.space(chat.id)
            channel = str(message.message_thread_id) if message.is_topic_message else None
            asker = replace(asker, space=space, channel=channel, here=(space, channel), group=chat.id)
        is_open = not in_group or await self._switches.is_on(chat.id)
        asker = replace(asker, user=await self._people.user_of(sender.id, _handle(sender), keep=is_open))
        if command is not None and command.name == "memory" and in_group:
            asker = replace(asker, manages=await self._manages(chat.id, sender.id))
        return Heard(
            text=text,
            asker=asker,
            external_id=f"{APP}:{chat.id}:{message.message_id}",
            at=datetime.fromtimestamp(message.date, UTC),
            to_us=to_us or not in_group or command is not None,
            mentioned=tuple(await self._mentioned(message)) if in_group else (),
            name=f"{sender.first_name} {sender.last_name}".strip() or None,
        )

    def _read(self, message: Message) -> tuple[str, bool]:
        """What a message says without our name in it, and whether it names or answers us."""
        text = message.text or message.caption
        answered = message.reply_to_message
        to_us = answered is not None and answered.sender is not None and answered.sender.id == self._me.id
        own = fold(f"@{self._me.username}")
        for entity in sorted(_entities(message), key=lambda one: one.offset, reverse=True):
            before, part, after = _cut(text, entity)
            named = entity.type == "mention" and fold(part) == own
            if named or (entity.type == "text_mention" and entity.user is not None and entity.user.id == self._me.id):
                text, to_us = before.rstrip() + " " + after.lstrip(), True
        return text.strip(), to_us

    async def _mentioned(self, message: Message) -> list[str]:
        """The people a message in a group names or answers, as far as they spoke before."""
        names: list[str | None] = []
        text = message.text or message.caption
        for entity in _entities(message):
            if entity.type == "mention":
                names.append(await self._people.called(_cut(text, entity)[1].removeprefix("@")))
            elif entity.type == "text_mention" and entity.user is not None and not entity.user.is_bot:
                names.append(await self._people.known(entity.user.id))
        answered = message.reply_to_message.sender if message.reply_to_message is not None else None
        if answered is not None and not answered.is_bot:
            names.append(await self._people.known(answered.id))
        return list(dict.fromkeys(name for name in names if name is not None))

    async def _manages(self, chat: int, user: int) -> bool:
        try:
            member = await self._api.call("getChatMember", chat_id=chat, user_id=user)
        except TelegramError:
            return False
        return isinstance(member, dict) and member.get("status") in ADMINS


def _handle(user: User) -> str | None:
    return user.username or None


def _entities(message: Message) -> list[Entity]:
    return message.entities if message.text else message.caption_entities


def _cut(text: str, entity: Entity) -> tuple[str, str, str]:
    """What stands before an entity, in it, and behind it."""
    units = text.encode("utf-16-le")
    start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
    before, part, after = units[:start], units[start:end], units[end:]
    return tuple(some.decode("utf-16-le", "replace") for some in (before, part, after))  # type: ignore[return-value]


def _id_of(raw: object) -> int:
    id = raw.get("update_id") if isinstance(raw, dict) else None
    return id if isinstance(id, int) else -1
