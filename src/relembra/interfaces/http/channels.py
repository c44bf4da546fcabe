"""Messages from WhatsApp and e-mail, which are kept and answered where they came from."""

from __future__ import annotations

import asyncio
import hmac
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from relembra.domain.time import in_utc
from relembra.interfaces.chat import mail, whatsapp
from relembra.interfaces.chat.replies import Apps, Replies, at_most_now
from relembra.interfaces.http.problems import ForbiddenError, RequestError, UnauthorizedError
from relembra.interfaces.http.schemas import answered
from relembra.interfaces.http.webhooks import counted, guessed, read, signed_body
from relembra.interfaces.upstream import Answering
from relembra.memory import Memory
from relembra.settings import REPLYING, Settings
from relembra.transfer.documents.mail import written

ANSWERS_AN_HOUR = 60
"""To one e-mail address, since some answering machines do not say that they are one."""

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])


def replies_of(memory: Memory, answering: Answering, settings: Settings) -> Apps:
    """Whoever sends replies on the channels that are set up whole."""
    every: dict[str, Replies] = {}
    if settings.lacking(whatsapp.APP) == []:
        api = whatsapp.CloudApi(settings.whatsapp_token, settings.whatsapp_number, settings.whatsapp_url)
        every[whatsapp.APP] = Replies(api, memory, answering, settings, fetch=api.recording)
    if settings.lacking(mail.APP) == []:
        every[mail.APP] = Replies(mail.Smtp(settings), memory, answering, settings, most_an_hour=ANSWERS_AN_HOUR)
    return Apps(every)


def _replies(request: Request, channel: str) -> Replies:
    """Whoever answers on a channel; a 404 that says what is missing."""
    settings: Settings = request.app.state.settings
    lacking = settings.lacking(channel)
    if missing := list(REPLYING[channel]) if lacking is None else lacking:
        raise RequestError(f"{channel} is not set up here: set {', '.join(missing)}", 404)
    apps: Apps = request.app.state.replies
    return apps[channel]


@router.get("/whatsapp/cloud", operation_id="confirm_whatsapp", summary="Answer Meta when it asks whether we are there")
async def confirm_whatsapp(
    request: Request,
    token: Annotated[str, Query(alias="hub.verify_token", max_length=500)],
    challenge: Annotated[str, Query(alias="hub.challenge", max_length=500)],
) -> Response:
    """The challenge, where the token is the setting `whatsapp_verify_token`."""
    _replies(request, whatsapp.APP)
    right: str = request.app.state.settings.whatsapp_verify_token
    if not hmac.compare_digest(token.encode(), right.encode()):
        guessed(request, "verify tokens")
        raise ForbiddenError("this is not the setting whatsapp_verify_token; enter the same one at Meta")
    return Response(challenge, media_type="text/plain")


@router.post("/whatsapp/cloud", operation_id="whatsapp", summary="Take messages from WhatsApp's Cloud API")
async def whatsapp_messages(request: Request) -> Response:
    """What people write or say is kept and answered in WhatsApp; all else is passed over. Meta signs with the app's
    secret.
    """
    replies = _replies(request, whatsapp.APP)
    settings: Settings = request.app.state.settings
    content = await request.body()
    if not whatsapp.is_signed(settings.whatsapp_app_secret, request.headers, content):
        guessed(request, "signatures")
        raise UnauthorizedError("the signature is not of this body: whatsapp_app_secret has to be the app's at Meta")
    now = in_utc(request.app.state.gate.clock())
    found = list(whatsapp.messages(counted(request, whatsapp.APP, content), settings.whatsapp_number))
    for said, name in found:
        about = {"message_id": said.id}
        at = at_most_now(said.at, now)
        message = await replies.incoming(
            said.sender, said.words, id=said.id, at=at, name=name, metadata=about, also=said.from_user_id
        )
        await replies.take(said.sender, message, now=now, recording=said.audio.id if said.audio is not None else "")
    return answered({"taken": len(found)})


class MailDelivery(BaseModel):
    """One e-mail that came in."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "from": "Ana Souza <ana@example.org>",
                    "subject": "Viagem",
                    "text": "Vou para Lisboa em maio.",
                    "message_id": "<abc@example.org>",
                }
            ]
        },
    )

    sender: Annotated[str, Field(alias="from", min_length=1, description="Who wrote it, with or without a name.")]
    to: Annotated[str, Field(description="Whom it was sent to.")] = ""
    subject: Annotated[str, Field(max_length=2_000, description="The subject.")] = ""
    text: Annotated[str, Field(description="The words, as they came: what is quoted is cut off here.")]
    message_id: Annotated[str, Field(min_length=1, max_length=998, description="The same one twice is one e-mail.")]
    in_reply_to: Annotated[str, Field(max_length=998, description="The e-mail it answers.")] = ""
    references: Annotated[str, Field(max_length=20_000, description="The thread so far.")] = ""
    at: Annotated[datetime | None, Field(description="When it was sent, with its offset; without it, now.")] = None
    headers: Annotated[
        dict[str, str], Field(description="Others, by which lists and answering machines are told from people.")
    ] = {}

    def mail(self) -> mail.Mail:
        sender, name = mail.address_of(self.sender)
        return mail.Mail(
            sender=sender,
            name=name,
            subject=" ".join(self.subject.split()),
            text=self.text,
            message_id=self.message_id.strip(),
            references=mail.thread(self.references or self.in_reply_to),
            headers={key.lower(): value for key, value in self.headers.items()},
            at=self.at,
        )


RAW = "message/rfc822"
TAKES_MAIL = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": MailDelivery.model_json_schema()},
            RAW: {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


@router.post("/email/inbound", operation_id="email", summary="Take an e-mail", openapi_extra=TAKES_MAIL)
async def email(request: Request) -> Response:
    """What somebody wrote is kept and answered by e-mail. JSON, or the e-mail itself as message/rfc822; signed."""
    replies = _replies(request, mail.APP)
    settings: Settings = request.app.state.settings
    content = await signed_body(request, mail.APP)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    came = await asyncio.to_thread(mail.parsed, content) if kind == RAW else read(MailDelivery, content).mail()
    if mail.must_not_be_answered(came, mail.address_of(settings.smtp_from)[0]):
        return answered({"taken": 0})
    now = in_utc(request.app.state.gate.clock())
    text = written(came.text[: mail.LONGEST_TEXT]) or came.subject
    incoming = await replies.incoming(
        came.sender,
        text,
        id=came.message_id,
        at=at_most_now(came.at, now),
        name=came.name,
        metadata=came.metadata,
    )
    await replies.take(came.sender, incoming, now=now)
    return answered({"taken": 1})
