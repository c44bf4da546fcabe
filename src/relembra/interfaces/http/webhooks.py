"""Messages from other programs, signed: kept, and answered with what is remembered or with a model's reply."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, TypeVar
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from relembra.domain.access import account_name
from relembra.domain.text import holds_more_than
from relembra.domain.time import in_utc
from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.http.callers import Gate, MemoryDep
from relembra.interfaces.http.problems import RequestError, UnauthorizedError, too_many_values
from relembra.interfaces.http.routes import MOST_VALUES, once
from relembra.interfaces.http.schemas import answered
from relembra.interfaces.upstream import Answering
from relembra.night.events import SIGNATURE, Sent, digest_of, signed
from relembra.settings import Settings

__all__ = ["SIGNATURE", "WINDOW", "Delivery", "Sent", "check", "signed"]

WINDOW = timedelta(minutes=5)
"""How far a signature's moment may lie from ours, either way; and how far ahead of ours a message's own."""

HOW = (
    "sign the lines t, POST, the path with its query, and the body with HMAC-SHA256 and send"
    " 'X-Relembra-Signature: t=SECONDS,v2=HEX'"
)
_MOMENT = re.compile(r"[0-9]{1,12}")


def check(secret: str, headers: Mapping[str, str], sent: Sent, *, now: datetime) -> None:
    """Raise `UnauthorizedError` where the signature is missing, wrong or too old."""
    given = headers.get(SIGNATURE)
    if not given:
        raise UnauthorizedError(f"a webhook must be signed: {HOW}")
    parts = dict(part.strip().partition("=")[::2] for part in given.split(","))
    moment = parts.get("t", "")
    right = digest_of(secret, moment, sent)
    if not _MOMENT.fullmatch(moment) or not hmac.compare_digest(parts.get("v2", "").encode(), right.encode()):
        raise UnauthorizedError(f"the signature is not of this request and secret: {HOW}")
    if abs(now.timestamp() - int(moment)) > WINDOW.total_seconds():
        raise UnauthorizedError("the signature is too old, or from a clock that goes wrong; sign it anew")


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


Shape = TypeVar("Shape", bound=BaseModel)

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])


@router.post("/{channel}", operation_id="webhook", summary="Take a message from another program")
async def webhook(
    request: Request,
    channel: Annotated[str, Path(description="Where it was said, like whatsapp; accounts are linked under this name.")],
    memory: MemoryDep,
) -> Response:
    """The context for the message, or with a model behind it the reply. Signed; the same message twice is one."""
    settings: Settings = request.app.state.settings
    gate: Gate = request.app.state.gate
    delivery = read(Delivery, await signed_body(request, channel))
    if delivery.at is not None and in_utc(gate.clock()) - in_utc(delivery.at) < -WINDOW:
        raise InvalidInputError("at lies ahead of this server's clock; send when it was said", field="at")
    account = account_name(channel, delivery.sender)
    user = await memory.linked(channel, delivery.sender, tenant=settings.tenant) or account
    conversation = delivery.conversation or account

    async def replied() -> Response:
        reply = await Answering(memory, request.app.state.upstreams).answer(
            delivery.text,
            user=user,
            tenant=settings.tenant,
            conversation=conversation,
            external_id=_name(f"{channel}:{delivery.id}"),
            author_name=delivery.name,
            at=delivery.at,
            budget=delivery.budget,
            outside=True,
        )
        return answered({
            "user": user,
            "conversation": conversation,
            "reply": reply.text,
            "context": shapes.wire(reply.context),
            "command": reply.command,
            "refused": None if reply.saved is None else reply.saved.refused,
            "trouble": reply.trouble,
        })  # fmt: skip

    whose = {"caller": f"webhook:{channel}", "key": _name(delivery.id), "tenant": settings.tenant}
    fingerprint = _name(delivery.model_dump_json(exclude={"name"}))
    return await once(memory, replied, lambda: user, fingerprint, whose)


async def signed_body(request: Request, channel: str) -> bytes:
    """The body, signed with the channel's secret."""
    settings: Settings = request.app.state.settings
    gate: Gate = request.app.state.gate
    secret = settings.webhook_secret_of(channel)
    if not secret:
        raise RequestError(f"no webhooks are taken from {channel}: set webhook_secret, or [webhooks] {channel}", 404)
    content = await request.body()
    try:
        path = request.scope.get("raw_path") or quote(request.scope["path"]).encode()
        query: bytes = request.scope["query_string"]
        target = (path + b"?" + query if query else path).decode("latin-1")  # as it was sent
        check(secret, request.headers, Sent(target, content, request.method), now=gate.clock())
    except UnauthorizedError:
        guessed(request, "signatures")
        raise
    return counted(request, channel, content)


def guessed(request: Request, what: str) -> None:
    """Note that somebody did not know a secret; `TooManyError` where that came too often."""
    gate: Gate = request.app.state.gate
    gate.guessed(request.client.host if request.client else None, what)


def counted(request: Request, channel: str, content: bytes) -> bytes:
    """The body, counted for the channel and found to hold no heap of values."""
    gate: Gate = request.app.state.gate
    gate.count(f"webhook:{channel}")
    if holds_more_than(MOST_VALUES, content):
        raise too_many_values(MOST_VALUES)
    return content


def read(kind: type[Shape], content: bytes) -> Shape:
    try:
        return kind.model_validate(msgspec.json.decode(content))
    except (msgspec.DecodeError, RecursionError):
        raise InvalidInputError("the body is no JSON; check quotes, commas and the encoding") from None
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


def _name(text: str) -> str:
    """A name of bounded length for whatever a provider calls its messages."""
    return hashlib.blake2b(text.encode(), digest_size=20).hexdigest()
