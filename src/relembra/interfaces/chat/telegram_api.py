"""Telegram's Bot API over HTTP: calls, patience where it asks for some, and the few parts of messages that are read.

The token is part of every address, so no address is ever logged or part of an error.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import msgspec

from relembra.errors import ConflictError, RelembraError, SettingsError

__all__ = ["BotApi", "Chat", "Entity", "Message", "TelegramError", "Update", "User"]

URL = "https://api.telegram.org"
POLL_SECONDS = 25
ANSWER_SECONDS = 15.0
LONGEST_WAIT_SECONDS = 60.0
MOST_TRIES = 6
MOST_CONFLICTS = 6
"""How often in a row another program may be found polling; after that it is no program that is just ending."""

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
        self._base = f"{(url or URL).rstrip('/')}/bot{token}/"
        self._sleep = sleep
        self._client = httpx.AsyncClient(timeout=ANSWER_SECONDS, follow_redirects=False)
        self._discreet = _Discreet(token)
        logging.getLogger("httpx").addFilter(self._discreet)

    async def close(self) -> None:
        logging.getLogger("httpx").removeFilter(self._discreet)
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

    async def _patiently(self, method: str, given: dict[str, Any], *, tries: int | None, seconds: float) -> Any:
        tried = conflicts = 0
        while True:
            status, answer = await self._asked(method, given, seconds)
            if status == 200 and answer.get("ok") is True:
                return answer.get("result")
            if status in (401, 404):
                raise SettingsError("Telegram does not know this telegram_token; set the one @BotFather gave you")
            tried += 1
            conflicts = conflicts + 1 if status == 409 else 0
            if conflicts >= MOST_CONFLICTS:
                raise ConflictError(
                    "another program or a webhook takes this bot's messages; end it, or remove the webhook"
                )
            passing = status in (0, 200, 409, 429) or status >= 500
            if not passing or (tries is not None and tried >= tries):
                raise TelegramError(method, status)
            await self._sleep(_wait(answer, tried))

    async def _asked(self, method: str, given: dict[str, Any], seconds: float) -> tuple[int, dict[str, Any]]:
        """The status and what was answered; 0 where nothing was, and nothing where it was no JSON object."""
        try:
            response = await self._client.post(self._base + method, json=given, timeout=seconds)
        except httpx.HTTPError as exc:
            log.warning("%s: %s", method, type(exc).__name__)
            return 0, {}
        try:
            answer = msgspec.json.decode(response.content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            answer = None
        if response.status_code != 200 or not isinstance(answer, dict):
            log.warning("%s: status %d", method, response.status_code)
        return response.status_code, answer if isinstance(answer, dict) else {}


def _wait(answer: dict[str, Any], tried: int) -> float:
    """How long to wait: as long as is asked for, else longer every time."""
    parameters = answer.get("parameters")
    asked = parameters.get("retry_after") if isinstance(parameters, dict) else None
    if isinstance(asked, int | float) and asked >= 0:
        return float(asked)
    return float(min(2 ** min(tried - 1, 10), LONGEST_WAIT_SECONDS))


class _Discreet(logging.Filter):
    """Takes the token out of what the HTTP client logs."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if self._token in text:
            record.msg, record.args = text.replace(self._token, "…"), ()
        return True
