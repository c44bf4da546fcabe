"""What webhooks bring: messages out of the bodies of WhatsApp-style providers, and of n8n and the like."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from relembra.errors import InvalidInputError

T = TypeVar("T", bound=BaseModel)

MOST = 1_000
"""Of entries, changes and messages each; providers send far fewer at once."""
WHATSAPP = "whatsapp_business_account"


class Delivery(BaseModel):
    """One message somebody sent through another program."""

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


class _Strict(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Text(_Strict):
    body: str


class _Said(_Strict):
    id: str
    sender: Annotated[str, Field(alias="from")]
    timestamp: Annotated[int, Field(ge=0, le=253_402_300_799)]
    text: _Text | None = None


class _Profile(_Strict):
    name: str | None = None


class _Contact(_Strict):
    wa_id: str | None = None
    profile: _Profile | None = None


class _Value(_Strict):
    contacts: Annotated[list[_Contact], Field(max_length=MOST, fail_fast=True)] = []
    messages: Annotated[list[_Said], Field(max_length=MOST, fail_fast=True)] = []

    @property
    def names(self) -> dict[str, str | None]:
        """How people show themselves, by their number."""
        return {one.wa_id: one.profile.name for one in self.contacts if one.wa_id and one.profile is not None}


class _Change(_Strict):
    value: _Value


class _Entry(_Strict):
    changes: Annotated[list[_Change], Field(max_length=MOST, fail_fast=True)] = []


class _Cloud(_Strict):
    entry: Annotated[list[_Entry], Field(max_length=MOST, fail_fast=True)]


def is_from_whatsapp(body: object) -> bool:
    """Whether a body is of the shape of WhatsApp's Cloud API."""
    return isinstance(body, dict) and body.get("object") == WHATSAPP


def one(body: object) -> Delivery:
    """The message of a plain body."""
    return _read(Delivery, body)


def several(body: object) -> list[Delivery]:
    """The messages of a body of WhatsApp's Cloud API; pictures, reactions and receipts say nothing to remember."""
    found = [
        (said, change.value.names.get(said.sender))
        for entry in _read(_Cloud, body).entry
        for change in entry.changes
        for said in change.value.messages
        if said.text is not None and said.text.body.strip()
    ]
    return [
        Delivery.model_validate(
            {
                "id": said.id,
                "from": said.sender,
                "name": name,
                "text": said.text.body if said.text else "",
                "at": datetime.fromtimestamp(said.timestamp, UTC),
            }
        )
        for said, name in found
    ]


def _read(kind: type[T], body: object) -> T:
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "body"
        raise InvalidInputError(f"{place}: {first['msg']}", field=place) from None
