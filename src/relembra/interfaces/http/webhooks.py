"""Messages from other programs, signed: kept, and answered with what is remembered or with a model's reply."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from relembra.domain.access import account_name
from relembra.domain.text import holds_more_than
from relembra.domain.time import Clock, in_utc
from relembra.errors import BusyError, ConflictError, InvalidInputError, RelembraError
from relembra.interfaces import shapes
from relembra.interfaces.answering import Answering
from relembra.interfaces.http.callers import Gate, MemoryDep
from relembra.interfaces.http.problems import (
    ForbiddenError,
    UnauthorizedError,
    problem,
    too_many_values,
)
from relembra.interfaces.http.routes import MOST_VALUES
from relembra.interfaces.http.schemas import answered
from relembra.memory import Memory
from relembra.settings import Settings

OURS = "x-relembra-signature"
META = "x-hub-signature-256"
WINDOW = timedelta(minutes=5)
"""How far a signature's moment may lie from ours, either way; and how far ahead of ours a message's own."""

RETRIED_FOR = timedelta(hours=24)
"""How old a message may be whose signature has no moment of its own; a provider sends one again for about so long."""

HOW = (
    "sign the lines t, POST, the path with its query, and the body with HMAC-SHA256 and send"
    " 'X-Relembra-Signature: t=SECONDS,v2=HEX'"
)
_MOMENT = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class Sent:
    """What a signature is of."""

    target: str  # the path as it is asked for, with its query
    body: bytes
    method: str = "POST"


def signed(secret: str, sent: Sent, at: datetime) -> str:
    """The header for what is sent at a moment."""
    moment = str(int(at.timestamp()))
    return f"t={moment},v2={_of(secret, moment, sent)}"


def check(secret: str, headers: Mapping[str, str], sent: Sent, *, now: datetime) -> bool:
    """Whether the signature says when it was made; `UnauthorizedError` where it is missing, wrong or too old.

    Meta's is of the body alone, so that it tells nothing of the channel: believe it only by a secret no other has.
    """
    if given := headers.get(OURS):
        parts = dict(part.strip().partition("=")[::2] for part in given.split(","))
        moment = parts.get("t", "")
        if not _MOMENT.fullmatch(moment) or not _same(parts.get("v2", ""), _of(secret, moment, sent)):
            raise UnauthorizedError(f"the signature is not of this request and secret: {HOW}")
        if abs(now.timestamp() - int(moment)) > WINDOW.total_seconds():
            raise UnauthorizedError("the signature is too old, or from a clock that goes wrong; sign it anew")
        return True
    if given := headers.get(META):
        if not _same(given.removeprefix("sha256="), hexed(secret, sent.body)):
            raise UnauthorizedError("the signature is not of this body and secret: check the app secret")
        return False
    raise UnauthorizedError(f"a webhook must be signed: {HOW}")


def hexed(secret: str, content: bytes) -> str:
    return hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()


def _of(secret: str, moment: str, sent: Sent) -> str:
    return hexed(secret, f"{moment}\n{sent.method}\n{sent.target}\n".encode() + sent.body)


def _same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())


MOST = 1_000
"""Of entries, changes and messages each; providers send far fewer at once."""
WHATSAPP = "whatsapp_business_account"


class Delivery(BaseModel):
    """One message a user sent through another program."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"id": "wamid.7", "from": "+55 11 91234-5678", "text": "Mudei para Recife semana passada"}]
        },
    )

    id: Annotated[str, Field(min_length=1, description="The provider's id of the message; the same one twice is one.")]
    sender: Annotated[str, Field(alias="from", min_length=1, description="Who sent it: a number, an address, a name.")]
    name: Annotated[str | None, Field(description="How the app shows the sender, to address them by.")] = None
    text: Annotated[str, Field(min_length=1, description="What was said.")]
    at: Annotated[datetime | None, Field(description="When it was sent, with its offset; without it, now.")] = None
    conversation: Annotated[
        str | None, Field(description="The conversation; without it, the sender's on the channel.")
    ] = None
    budget: Annotated[int | None, Field(ge=0, le=1_000_000, description="How many tokens the context may have.")] = None


def is_from_whatsapp(body: object) -> bool:
    """Whether a body is of the shape of WhatsApp's Cloud API."""
    return isinstance(body, dict) and body.get("object") == WHATSAPP


def one(body: object) -> Delivery:
    """The message of a plain body."""
    try:
        return Delivery.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "body"
        raise InvalidInputError(f"{place}: {first['msg']}", field=place) from None


def several(body: dict[str, Any]) -> list[Delivery]:
    """The messages of a body of WhatsApp's Cloud API; pictures, reactions and receipts say nothing to remember."""
    try:
        changes = [change["value"] for entry in _few(body["entry"]) for change in _few(entry.get("changes", []))]
        found = [
            (said["id"], said["from"], int(said["timestamp"]), (said.get("text") or {}).get("body", ""), value)
            for value in changes
            for said in _few(value.get("messages", []))
        ]
        return [
            Delivery.model_validate(
                {"id": id, "from": sender, "name": _shown(sender, value), "text": text, "at": _at(timestamp)}
            )
            for id, sender, timestamp, text, value in found
            if text.strip()
        ]
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError, OSError):
        raise InvalidInputError("entry: this is not as WhatsApp's Cloud API sends messages", field="entry") from None


def _few(rows: list[Any]) -> list[Any]:
    if len(rows) > MOST:
        raise ValueError("too many")
    return rows


def _at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _shown(sender: str, value: dict[str, Any]) -> str | None:
    """The name a sender shows, by their number."""
    profiles = [one.get("profile") or {} for one in _few(value.get("contacts", [])) if one.get("wa_id") == sender]
    return profiles[-1].get("name") if profiles else None


router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])

VERIFY = ".verify"

Channel = Annotated[str, Path(description="Where it was said, like whatsapp; accounts are linked under this name.")]


@router.get("/{channel}", operation_id="confirm_webhook", summary="Answer a provider that asks whether we are there")
async def confirm_webhook(
    request: Request,
    channel: Channel,
    token: Annotated[str, Query(alias="hub.verify_token")],
    challenge: Annotated[str, Query(alias="hub.challenge", max_length=200)],
) -> Response:
    """As WhatsApp's Cloud API asks once; the token is the setting `webhooks` holds under CHANNEL.verify."""
    settings: Settings = request.app.state.settings
    right = settings.webhooks.get(channel + VERIFY, "")
    if not right or not hmac.compare_digest(token.encode(), right.encode()):
        raise ForbiddenError(f'wrong verify token; set [webhooks] "{channel}.verify"')
    return Response(challenge, media_type="text/plain")


@router.post("/{channel}", operation_id="webhook", summary="Take a message from another program")
async def webhook(request: Request, channel: Channel, memory: MemoryDep) -> Response:
    """The context for the message, or with a model behind it the reply. Signed; the same message twice is one."""
    settings: Settings = request.app.state.settings
    gate: Gate = request.app.state.gate
    own = settings.webhooks.get(channel)
    secret = own or settings.webhook_secret
    if not secret or channel.endswith(VERIFY):  # such a token is sent in addresses, and signs nothing
        return problem(404, f"no webhooks are taken from {channel}: set webhook_secret, or [webhooks] {channel}")
    content = await request.body()
    try:
        is_dated = check(secret, request.headers, _sent(request, content), now=gate.clock())
        if not is_dated and not own:
            raise UnauthorizedError(
                f"a signature of the body alone needs a secret of the channel's: [webhooks] {channel}"
            )
    except UnauthorizedError:
        gate.guessed(request.client.host if request.client else None, "signatures")
        raise
    gate.count(f"webhook:{channel}")
    body = _decoded(content)
    answering = Answering(memory, request.app.state.upstreams)
    taking = _Channel(memory, answering, channel, settings.tenant, gate.clock, is_dated)
    if is_from_whatsapp(body):
        return answered({"results": await taking.take_all(several(body))})
    return answered(await taking.take(one(body)))


def _sent(request: Request, content: bytes) -> Sent:
    """The request as it was sent."""
    path = request.scope.get("raw_path") or quote(request.scope["path"]).encode()
    query: bytes = request.scope["query_string"]
    return Sent((path + b"?" + query if query else path).decode("latin-1"), content, request.method)


def _decoded(content: bytes) -> Any:
    if holds_more_than(MOST_VALUES, content):
        raise too_many_values(MOST_VALUES)
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError):
        raise InvalidInputError("the body is no JSON; check quotes, commas and the encoding") from None


@dataclass(frozen=True, slots=True)
class _Channel:
    """Takes messages of one channel, each once."""

    memory: Memory
    answering: Answering
    name: str
    tenant: str
    clock: Clock
    is_dated: bool  # whether the signature says when it was made

    async def take_all(self, several: Sequence[Delivery]) -> list[Any]:
        """What came of each; one that can never be taken holds up no other, one that may be later is to come again."""
        results: list[Any] = []
        later: RelembraError | None = None
        for delivery in several:
            try:
                results.append(await self.take(delivery))
            except (InvalidInputError, ConflictError, UnauthorizedError) as error:
                if isinstance(error, BusyError):
                    later = error
                results.append({"id": delivery.id, "refused": str(error)})
            except RelembraError as error:
                later = error
        if later is not None:
            raise later
        return results

    async def take(self, delivery: Delivery) -> Any:
        """What came of a message; of one that came before, what came of it then."""
        age = None if delivery.at is None else in_utc(self.clock()) - in_utc(delivery.at)
        if age is not None and age < -WINDOW:
            raise InvalidInputError("at lies ahead of this server's clock; send when it was said", field="at")
        if not self.is_dated and (age is None or age > RETRIED_FOR):
            raise UnauthorizedError("the message is too old to be taken on a signature without a moment")
        whose = {"caller": f"webhook:{self.name}", "key": _digest(delivery.id), "tenant": self.tenant}
        kept = await self.memory.begin_reply(fingerprint=_digest(delivery.model_dump_json(exclude={"name"})), **whose)
        if kept is not None:
            return msgspec.json.decode(kept.body)
        try:
            user, answer = await self._answered(delivery)
        except BaseException:
            await self.memory.drop_reply(**whose)
            raise
        body = msgspec.json.encode(answer)
        await self.memory.end_reply(user=user, status=200, body=body, headers={}, **whose)
        return answer

    async def _answered(self, delivery: Delivery) -> tuple[str, dict[str, Any]]:
        account = account_name(self.name, delivery.sender)
        user = await self.memory.linked(self.name, delivery.sender, tenant=self.tenant) or account
        reply = await self.answering.answer(
            delivery.text,
            user=user,
            tenant=self.tenant,
            conversation=delivery.conversation or account,
            external_id=_digest(f"{self.name}:{delivery.id}"),
            author_name=delivery.name,
            at=delivery.at,
            budget=delivery.budget,
            outside=True,
        )
        return user, {
            "user": user,
            "conversation": delivery.conversation or account,
            "reply": reply.text,
            "context": shapes.wire(reply.context),
            "command": reply.command,
            "refused": None if reply.saved is None else reply.saved.refused,
            "trouble": reply.trouble,
        }


def _digest(text: str) -> str:
    """A name of bounded length for whatever a provider calls its messages."""
    return hashlib.blake2b(text.encode(), digest_size=20).hexdigest()
