"""WhatsApp's Cloud API: what Meta delivers, and replies by its Graph API.

The shapes are those of Meta's documentation of webhooks and of messages.
"""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import httpx
import msgspec

from relembra.client import retry_after
from relembra.errors import DeliveryError, InvalidInputError

APP = "whatsapp"
SIGNATURE = "x-hub-signature-256"
LONGEST = 4_096
MEDIA_HOST = ".fbsbx.com"
ANSWER_SECONDS = 30.0
MOST = 1_000
"""Of entries, changes and messages each; Meta sends far fewer at once."""

PASSING = frozenset({1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131056, 133004, 133016})
"""Codes of errors that go by: limits of how much may be sent at once, and services that are down for a while."""

_USER_ID = re.compile(r"[A-Z]{2}\.")  # a business-scoped user id; sent as a number, it would be lost without a word

log = logging.getLogger(__name__)


class Profile(msgspec.Struct):
    name: str = ""


class Contact(msgspec.Struct):
    wa_id: str = ""
    user_id: str = ""
    profile: Profile = msgspec.field(default_factory=Profile)


class Body(msgspec.Struct):
    body: str


class Recording(msgspec.Struct):
    id: str


class Said(msgspec.Struct):
    """A message of type text or audio; others have neither."""

    id: str
    timestamp: str
    number: str = msgspec.field(name="from", default="")  # left out for people who show a username instead
    from_user_id: str = ""  # the same person for one business, also without a number
    group_id: str = ""
    text: Body | None = None
    audio: Recording | None = None

    @property
    def words(self) -> str:
        return "" if self.text is None else self.text.body

    @property
    def sender(self) -> str:
        return self.number or self.from_user_id

    @property
    def at(self) -> datetime:
        return datetime.fromtimestamp(int(self.timestamp), UTC)


class Number(msgspec.Struct):
    phone_number_id: str = ""


class Value(msgspec.Struct):
    """What changed: messages, or only how ours fared."""

    metadata: Number = msgspec.field(default_factory=Number)
    contacts: list[Contact] = []
    messages: list[msgspec.Raw] = []


class Change(msgspec.Struct):
    value: Value


class Entry(msgspec.Struct):
    changes: list[Change] = []


class Notification(msgspec.Struct):
    entry: list[Entry]


def is_signed(secret: str, headers: Mapping[str, str], content: bytes) -> bool:
    """Whether Meta signed just this body with the app's secret."""
    given = headers.get(SIGNATURE, "").removeprefix("sha256=")
    return hmac.compare_digest(given.encode(), hmac.new(secret.encode(), content, "sha256").hexdigest().encode())


def messages(content: bytes, number: str) -> Iterator[tuple[Said, str | None]]:
    """What people wrote or said in a delivery to a number of ours, each with the name its sender shows."""
    try:
        notification = msgspec.json.decode(content, type=Notification)
    except (msgspec.DecodeError, RecursionError):
        raise InvalidInputError("entry: this is not as WhatsApp's Cloud API sends messages", field="entry") from None
    values = [change.value for entry in notification.entry[:MOST] for change in entry.changes[:MOST]]
    for value in values:
        if value.metadata.phone_number_id != number:
            continue
        names = {id: one.profile.name for one in value.contacts for id in (one.wa_id, one.user_id)}
        for raw in value.messages[:MOST]:
            try:
                said = msgspec.json.decode(raw, type=Said)
                _ = said.at
            except (msgspec.DecodeError, ValueError, OverflowError, OSError):  # of a kind that is new to us
                log.warning("a message could not be read")
                continue
            if said.sender and not said.group_id and (said.words.strip() or said.audio is not None):
                yield said, names.get(said.sender) or None


class CloudApi:
    """Sends messages from one number."""

    name = APP
    longest = LONGEST

    def __init__(self, token: str, number: str, url: str) -> None:
        self._number = number
        self._client = httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=ANSWER_SECONDS,
            follow_redirects=False,
        )

    async def send(self, to: str, text: str, about: Mapping[str, str]) -> None:
        body: dict[str, Any] = {
            "messaging_product": "whatsapp",
            "recipient_type": "individual",
            "recipient" if _USER_ID.match(to) else "to": to,
            "type": "text",
            "text": {"preview_url": False, "body": text},
        }
        if id := about.get("message_id"):
            body["context"] = {"message_id": id}
        try:
            response = await self._client.post(f"{self._number}/messages", json=body)
        except httpx.HTTPError as exc:
            raise DeliveryError(f"WhatsApp could not be reached ({type(exc).__name__})") from exc
        if not response.is_success:
            raise _refusal(response)

    async def recording(self, id: str) -> bytes:
        """What somebody said; a `DeliveryError` where it cannot be fetched."""
        try:
            told = await self._client.get(quote(id, safe=""))
            where = httpx.URL(told.raise_for_status().json()["url"])
            if where.host != self._client.base_url.host and not where.host.endswith(MEDIA_HOST):
                raise DeliveryError("a recording lies at an address that is not Meta's")  # which would see the token
            found = await self._client.get(where)
            return found.raise_for_status().content
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError) as exc:
            raise DeliveryError(f"a recording could not be fetched ({type(exc).__name__})") from exc

    async def close(self) -> None:
        await self._client.aclose()


def _refusal(response: httpx.Response) -> DeliveryError:
    """Why a message was not taken, by Meta's status and code; its words may quote a number, and are left out."""
    status, code = response.status_code, 0
    try:
        error = msgspec.json.decode(response.content)["error"]
        code = int(error.get("code", 0))
    except (msgspec.DecodeError, LookupError, TypeError, ValueError, AttributeError):
        error = {}
    told = f"WhatsApp answered {status}" + (f", code {code}" if code else "")
    if status == 401 or code == 190:
        return DeliveryError(f"WhatsApp did not take whatsapp_token ({status}): make a new one, then try again")
    is_passing = status in (408, 429) or status >= 500 or code in PASSING or error.get("is_transient") is True
    return DeliveryError(told, retry_after_seconds=retry_after(response), final=not is_passing)
