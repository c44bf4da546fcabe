"""Messages from other programs, signed: kept, and answered with what is remembered or with a model's reply."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response

from relembra.domain.access import account_name
from relembra.domain.moment import Clock, in_utc
from relembra.domain.text import holds_more_than
from relembra.errors import BusyError, ConflictError, InvalidInputError, RelembraError
from relembra.interfaces import shapes
from relembra.interfaces.answering import Answering
from relembra.interfaces.http import deliveries, signatures
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.bodies import MOST_VALUES
from relembra.interfaces.http.callers import WRONG_A_MINUTE, Gate, MemoryDep
from relembra.interfaces.http.deliveries import Delivery
from relembra.interfaces.http.problems import (
    ForbiddenError,
    TooManyError,
    TooManyValuesError,
    UnauthorizedError,
    problem,
)
from relembra.memory import Memory
from relembra.settings import Settings

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
    peer = request.client.host if request.client else "?"
    try:
        is_dated = signatures.check(secret, request.headers, _sent(request, content), now=gate.clock())
        if not is_dated and not own:
            raise UnauthorizedError(
                f"a signature of the body alone needs a secret of the channel's: [webhooks] {channel}"
            )
    except UnauthorizedError:
        if (wait := gate.wrong.take(peer, WRONG_A_MINUTE)) > 0:
            raise TooManyError("too many wrong signatures from this address; wait", retry_after_seconds=wait) from None
        raise
    if gate.rate_limit and (wait := gate.rates.take(f"webhook:{channel}", gate.rate_limit)) > 0:
        raise TooManyError(f"more than {gate.rate_limit} messages a minute; wait", retry_after_seconds=wait)
    body = _decoded(content)
    answering = Answering(memory, request.app.state.upstreams)
    taking = _Taking(memory, answering, channel, settings.tenant, gate.clock, is_dated=is_dated)
    if deliveries.is_from_whatsapp(body):
        return answered({"results": await taking.take_all(deliveries.several(body))})
    return answered(await taking.take(deliveries.one(body)))


def _sent(request: Request, content: bytes) -> signatures.Sent:
    """The request as it came over the wire."""
    path = request.scope.get("raw_path") or quote(request.scope["path"]).encode()
    query: bytes = request.scope["query_string"]
    return signatures.Sent((path + b"?" + query if query else path).decode("latin-1"), content, request.method)


def _decoded(content: bytes) -> Any:
    if holds_more_than(MOST_VALUES, content):
        raise TooManyValuesError(MOST_VALUES)
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError):
        raise InvalidInputError("the body is no JSON; check quotes, commas and the encoding") from None


class _Taking:
    """Takes messages of one channel, each once."""

    def __init__(
        self, memory: Memory, answering: Answering, channel: str, tenant: str, clock: Clock, *, is_dated: bool
    ) -> None:
        self._memory = memory
        self._answering = answering
        self._channel = channel
        self._tenant = tenant
        self._clock = clock
        self._is_dated = is_dated

    async def take_all(self, several: Sequence[Delivery]) -> list[Any]:
        """What came of each; one that can never be taken holds up no other, one that may be later is to come again."""
        told: list[Any] = []
        later: RelembraError | None = None
        for delivery in several:
            try:
                told.append(await self.take(delivery))
            except (InvalidInputError, ConflictError, UnauthorizedError) as error:
                if isinstance(error, BusyError):
                    later = error
                told.append({"id": delivery.id, "refused": str(error)})
            except RelembraError as error:
                later = error
        if later is not None:
            raise later
        return told

    async def take(self, delivery: Delivery) -> Any:
        """What came of a message; of one that came before, what came of it then."""
        age = None if delivery.at is None else in_utc(self._clock()) - in_utc(delivery.at)
        if age is not None and age < -signatures.WINDOW:
            raise InvalidInputError("at lies ahead of this server's clock; send when it was said", field="at")
        if not self._is_dated and (age is None or age > signatures.RETRIED_FOR):
            raise UnauthorizedError("the message is too old to be taken on a signature without a moment")
        whose = {"caller": f"webhook:{self._channel}", "key": _digest(delivery.id), "tenant": self._tenant}
        kept = await self._memory.begin_reply(fingerprint=_digest(delivery.model_dump_json(exclude={"name"})), **whose)
        if kept is not None:
            return msgspec.json.decode(kept.body)
        try:
            user, told = await self._answered(delivery)
        except BaseException:
            await self._memory.drop_reply(**whose)
            raise
        body = msgspec.json.encode(told)
        await self._memory.end_reply(user=user, status=200, body=body, headers={}, **whose)
        return told

    async def _answered(self, delivery: Delivery) -> tuple[str, dict[str, Any]]:
        account = account_name(self._channel, delivery.sender)
        user = await self._memory.linked(self._channel, delivery.sender, tenant=self._tenant) or account
        reply = await self._answering.answer(
            delivery.text,
            user=user,
            tenant=self._tenant,
            conversation=delivery.conversation or account,
            external_id=_digest(f"{self._channel}:{delivery.id}"),
            author_name=delivery.name,
            at=delivery.at,
            budget=delivery.budget,
            outside=True,
        )
        return user, {
            "user": user,
            "conversation": delivery.conversation or account,
            "reply": reply.text,
            "context": None if reply.context is None else shapes.context(reply.context),
            "command": reply.command,
            "refused": None if reply.saved is None else reply.saved.refused,
            "trouble": reply.trouble,
        }


def _digest(text: str) -> str:
    """A name of bounded length for whatever a provider calls its messages."""
    return hashlib.blake2b(text.encode(), digest_size=20).hexdigest()
