"""Telegram: keeps what people say in private chats and groups, and answers what is meant for it, by long polling."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import msgspec

from relembra.domain.text import fold
from relembra.errors import ConflictError, RelembraError, SettingsError
from relembra.interfaces.chat.bot import NAMES, Bot, Incoming, pieces, say, spoken
from relembra.tools.commands import typed

if TYPE_CHECKING:
    from relembra.interfaces.upstream import Answering
    from relembra.memory import Memory
    from relembra.settings import Settings

APP = "telegram"
URL = "https://api.telegram.org"
POLL_SECONDS = 25
PAUSE_SECONDS = 1.0
ANSWER_SECONDS = 15.0
DOWNLOAD_SECONDS = 60.0
MOST_TRIES = 6
MOST_CONFLICTS = 6
"""How often in a row another program may be found polling; after that it is no program that is just ending."""

LONGEST = 4_096
LONGEST_WAIT_SECONDS = 60.0
PRIVATE, GROUPS = "private", ("group", "supergroup")
ADMINS = ("creator", "administrator")

log = logging.getLogger(__name__)


class TelegramError(RelembraError):
    """Telegram would not do what was asked. `status` 0: it could not be reached."""

    def __init__(self, method: str, status: int) -> None:
        super().__init__(f"Telegram refused {method}" if status else f"Telegram could not be reached for {method}")
        self.method = method
        self.status = status


class User(msgspec.Struct):
    id: int
    is_bot: bool = False
    first_name: str = ""
    last_name: str = ""
    username: str | None = None
    language_code: str | None = None


class Chat(msgspec.Struct):
    id: int
    type: str


class Entity(msgspec.Struct):
    """A marked part of a text, measured in UTF-16 units."""

    type: str
    offset: int
    length: int
    user: User | None = None


class Voice(msgspec.Struct):
    """A voice note, or a piece of sound sent as a file."""

    file_id: str
    file_size: int = 0
    file_name: str = "voice.ogg"


class Message(msgspec.Struct):
    message_id: int
    chat: Chat
    date: int
    sender: User | None = msgspec.field(default=None, name="from")
    text: str = ""
    caption: str = ""
    entities: list[Entity] = []
    caption_entities: list[Entity] = []
    message_thread_id: int | None = None
    is_topic_message: bool = False
    reply_to_message: Message | None = None
    via_bot: User | None = None
    forward_origin: dict[str, Any] | None = None
    sender_chat: Chat | None = None
    migrate_to_chat_id: int | None = None
    voice: Voice | None = None
    audio: Voice | None = None

    @property
    def said(self) -> str:
        return self.text or self.caption

    @property
    def marks(self) -> list[Entity]:
        return self.entities if self.text else self.caption_entities


class Update(msgspec.Struct):
    update_id: int
    message: Message | None = None


class BotApi:
    """Calls methods of the Bot API; waits and tries again where that helps."""

    def __init__(
        self, token: str, *, url: str | None = None, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        if not token or any(char.isspace() or char in "/?#%" for char in token):
            raise SettingsError("telegram_token is no token; set the one @BotFather gave you")
        server = (url or URL).rstrip("/")
        self._base, self._files = f"{server}/bot{token}/", f"{server}/file/bot{token}/"
        self._sleep = sleep
        self._client = httpx.AsyncClient(timeout=ANSWER_SECONDS, follow_redirects=False)
        logging.getLogger("httpx").addFilter(_says_no_address)

    async def close(self) -> None:
        logging.getLogger("httpx").removeFilter(_says_no_address)
        await self._client.aclose()

    async def updates(self, offset: int) -> list[Any]:
        """What came in since, waiting a while for something; asking with an offset lets Telegram forget all before."""
        wanted = {"offset": offset, "timeout": POLL_SECONDS, "allowed_updates": ["message"]}
        found = await self._patiently("getUpdates", wanted, tries=None, seconds=POLL_SECONDS + ANSWER_SECONDS)
        return found if isinstance(found, list) else []

    async def call(self, method: str, **given: Any) -> Any:
        """What a method gives; `TelegramError` where it refuses or cannot be reached."""
        wanted = {name: value for name, value in given.items() if value is not None}
        return await self._patiently(method, wanted, tries=MOST_TRIES, seconds=ANSWER_SECONDS)

    async def file(self, id: str) -> bytes:
        """A file somebody sent, of at most 20 MB, which is what Telegram hands over."""
        path = (await self.call("getFile", file_id=id)).get("file_path", "")
        try:
            response = await self._client.get(self._files + quote(path), timeout=DOWNLOAD_SECONDS)
        except httpx.HTTPError as exc:
            raise TelegramError("getFile", 0) from exc
        if response.status_code != 200:
            raise TelegramError("getFile", response.status_code)
        return response.content

    async def _patiently(self, method: str, given: dict[str, Any], *, tries: int | None, seconds: float) -> Any:
        conflicts = tried = 0
        delays = waits()
        while True:
            tried += 1
            status, answer = await self._asked(method, given, seconds)
            if status == 200 and answer.get("ok") is True:
                return answer.get("result")
            if status in (401, 404):
                raise SettingsError("Telegram does not know this telegram_token; set the one @BotFather gave you")
            conflicts = conflicts + 1 if status == 409 else 0
            if conflicts >= MOST_CONFLICTS:
                raise ConflictError(
                    "another program or a webhook takes this bot's messages; end it, or remove the webhook"
                )
            is_passing = status in (0, 200, 409, 429) or status >= 500
            if not is_passing or tried == tries:
                raise TelegramError(method, status)
            parameters = answer.get("parameters")
            asked = parameters.get("retry_after") if isinstance(parameters, dict) else None
            await self._sleep(float(asked) if isinstance(asked, int | float) and asked >= 0 else next(delays))

    async def _asked(self, method: str, given: dict[str, Any], seconds: float) -> tuple[int, dict[str, Any]]:
        """The status and what was answered; 0 where nothing was, and nothing where it was no JSON object."""
        try:
            response = await self._client.post(self._base + method, json=given, timeout=seconds)
        except httpx.HTTPError as exc:
            log.warning("%s: %s", method, type(exc).__name__)
            return 0, {}
        try:
            answer = msgspec.json.decode(response.content, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError):
            answer = {}
        if response.status_code != 200 or not answer:
            log.warning("%s: status %d", method, response.status_code)
        return response.status_code, answer


def waits() -> chain[float]:
    """How long to wait before each further try."""
    return chain((1.0, 2.0, 4.0, 8.0, 16.0, 32.0), repeat(LONGEST_WAIT_SECONDS))


def _says_no_address(record: logging.LogRecord) -> bool:
    """Keeps what the HTTP client logs of each request out of the log, for the address holds the token."""
    return record.levelno > logging.INFO


class TelegramBot(Bot):
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
        super().__init__(APP, memory, answering, settings, sleep=sleep)
        self._api = api
        self._me = User(id=0)
        self._next = 0
        self._taking: dict[int, asyncio.Task[None]] = {}  # by the ids of their updates
        self._takes: dict[int, asyncio.Lock] = {}  # by chat, as the turns of answers
        self._turns: dict[int, asyncio.Lock] = {}

    async def run(self, *, ready: Callable[[], None] = lambda: None) -> None:
        """Listen until cancelled; `ready` is called when Telegram knows us."""
        await self.introduce()
        ready()
        try:
            while True:
                await self.poll()
        finally:
            await self.finish()

    async def introduce(self) -> None:
        """Find out who we are, and register the commands."""
        self._me = msgspec.convert(await self._api.call("getMe"), User)
        for language, code in (("en", None), ("pt", "pt")):
            offered = [
                {"command": name, "description": say(f"summary.{command}", language)}
                for name, (command, spelt) in NAMES.items()
                if spelt == language
            ]
            try:
                await self._api.call("setMyCommands", commands=offered, language_code=code)
            except TelegramError as exc:
                log.warning("the list of commands was not taken: %s", exc.status)

    async def poll(self) -> None:
        """Wait for messages and begin to take them in, each chat's in the order they came.

        Telegram holds a message until it is taken in, and hands it over again after a crash; while some are still
        listened to, it is asked every second for what else came. While the store is out of reach, it keeps the rest.
        """
        if self._taking:
            await asyncio.wait(self._taking.values(), timeout=PAUSE_SECONDS)
        for done in [id for id, task in self._taking.items() if task.done()]:
            self._taking.pop(done).result()
        for raw in await self._api.updates(min(self._taking, default=self._next)):
            try:
                update = msgspec.convert(raw, Update)
            except msgspec.ValidationError:
                log.warning("an update could not be read")
                id = raw.get("update_id") if isinstance(raw, dict) else None
                self._next = max(self._next, id + 1 if isinstance(id, int) else 0)
                continue
            if update.update_id < self._next:
                continue  # it is being taken in
            self._next = update.update_id + 1
            if update.message is not None:
                self._taking[update.update_id] = self.begin(self._take(update.message))

    async def _take(self, message: Message) -> None:
        chat = message.migrate_to_chat_id or message.chat.id  # before anything is said where a group moved to
        async with self._takes.setdefault(chat, asyncio.Lock()):
            try:
                await self.patiently(message.message_id, partial(self._taken_in, message), waits())
            except RelembraError as exc:
                log.warning("message %s was passed over: %s", message.message_id, type(exc).__name__)

    async def _taken_in(self, message: Message) -> None:
        if message.migrate_to_chat_id is not None and not await self.switches.is_on(message.chat.id):
            await self.switches.turn(message.migrate_to_chat_id, on=False)
        incoming = await self._incoming(message)
        if incoming is None:
            return
        await self.keep(incoming)
        if incoming.to_us:
            self.begin(self._answer(message, incoming))

    async def _answer(self, message: Message, incoming: Incoming) -> None:
        """Answer a message, each chat's in the order they came."""
        async with self._turns.setdefault(message.chat.id, asyncio.Lock()):
            reply = await self.answer(incoming)
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

    async def _incoming(self, message: Message) -> Incoming | None:
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
        place: dict[str, Any] = {}
        if in_group:
            space = self.switches.space(chat.id)
            channel = str(message.message_thread_id) if message.is_topic_message else None
            is_switch = command is not None and command.name == "memory"
            manages = is_switch and await self._manages(chat.id, sender.id)
            place = {"space": space, "channel": channel, "here": (space, channel), "group": chat.id, "manages": manages}
        language = spoken(sender.language_code, self.language)
        said = Incoming(
            text=text,
            asker=await self.asker(sender.id, sender.username, language, **place),
            external_id=f"{APP}:{chat.id}:{message.message_id}",
            at=datetime.fromtimestamp(message.date, UTC),
            to_us=to_us or not in_group or command is not None,
            mentioned=tuple(await self._mentioned(message)) if in_group else (),
            name=f"{sender.first_name} {sender.last_name}".strip() or None,
        )
        if (voice := message.voice or message.audio) is None or text:
            return said
        return await self.heard(said, voice.file_name, partial(self._api.file, voice.file_id), size=voice.file_size)

    def _read(self, message: Message) -> tuple[str, bool]:
        """What a message says without our name in it, and whether it names or answers us."""
        text = message.said
        answered = message.reply_to_message
        to_us = answered is not None and answered.sender is not None and answered.sender.id == self._me.id
        own = fold(f"@{self._me.username}")
        for entity in sorted(message.marks, key=lambda one: one.offset, reverse=True):
            before, part, after = _cut(text, entity)
            named = entity.type == "mention" and fold(part) == own
            if named or (entity.type == "text_mention" and entity.user is not None and entity.user.id == self._me.id):
                text, to_us = before.rstrip() + " " + after.lstrip(), True
        return text.strip(), to_us

    async def _mentioned(self, message: Message) -> list[str]:
        """The people a message in a group names or answers, as far as they spoke before."""
        names = [
            await self.people.called(_cut(message.said, entity)[1].removeprefix("@"))
            if entity.type == "mention"
            else await self._known(entity.user)
            for entity in message.marks
        ]
        names.append(await self._known(message.reply_to_message.sender if message.reply_to_message else None))
        return list(dict.fromkeys(name for name in names if name is not None))

    async def _known(self, user: User | None) -> str | None:
        return None if user is None or user.is_bot else await self.people.known(user.id)

    async def _manages(self, chat: int, user: int) -> bool:
        try:
            member = await self._api.call("getChatMember", chat_id=chat, user_id=user)
        except TelegramError:
            return False
        return isinstance(member, dict) and member.get("status") in ADMINS


def _cut(text: str, entity: Entity) -> tuple[str, str, str]:
    """What stands before an entity, in it, and behind it."""
    units = text.encode("utf-16-le")
    start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
    before, part, after = units[:start], units[start:end], units[end:]
    return tuple(some.decode("utf-16-le", "replace") for some in (before, part, after))  # type: ignore[return-value]
