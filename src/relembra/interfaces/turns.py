"""What one request of a chat means to a memory, whichever wire format it came in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from relembra.domain.text import LONGEST_TEXT_BYTES, holds_more_than
from relembra.errors import InvalidInputError
from relembra.ingest.intake import text_of

Fields = dict[str, msgspec.Raw]

INSTRUCTING = ("system", "developer")
"""The roles of messages that tell the model what it is to do, and are no part of the talk."""

VIA = "via"
"""The metadata that says which way a message came in, where it came through a server of ours for other programs."""

LONGEST_QUERY = 4_000
"""Characters of what was said that are looked up; a text pasted along with a question tells little more."""

MOST_VALUES = 200_000
"""In one request: thousands of messages and tools, each described at length."""


class Via(StrEnum):
    PROXY = "proxy"
    MCP = "mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Who says what, as far as a request tells."""

    model: str
    user: str | None
    streamed: bool
    said: str | None  # by the person just now; None in a round of tools, or where it has no text
    asked: str | None  # the last thing they said, to recall by
    opening: str  # the first thing they said
    digest: str  # of the talk up to the last thing they said, so that the same request twice is one
    sent: frozenset[str]  # what the request tells the model itself, folded by `plain`
    answered: str | None = None  # the digest of the last reply the request tells, which a reply kept earlier may have
    thread: str | None = None  # the conversation, where the wire format has a name for it
    previous: str | None = None  # the reply this one follows, where the wire format says so
    name: str | None = None  # how the program calls the person


def fields_of(body: bytes) -> Fields:
    """The parts of a JSON object, each as it stands."""
    if holds_more_than(MOST_VALUES, body):
        raise InvalidInputError(f"the body holds more than {MOST_VALUES:,} values and names; send a shorter talk")
    try:
        return msgspec.json.decode(body, type=Fields)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as exc:
        raise InvalidInputError("the body is no JSON object; check quotes, commas and the encoding") from exc


def value_of(fields: Fields, name: str) -> Any:
    """One part, read; None where it is not there."""
    raw = fields.get(name)
    if raw is None:
        return None
    try:
        return msgspec.json.decode(raw)
    except RecursionError as exc:
        raise InvalidInputError(f"{name} is nested too deeply", field=name) from exc


def text_field(fields: Fields, name: str) -> str | None:
    value = value_of(fields, name)
    return value if isinstance(value, str) and value.strip() else None


def raw_of(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def addressed(fields: Fields, model: str) -> Fields:
    """The parts of a request, to a model by the name it has where they are sent."""
    return fields | ({"model": raw_of(model)} if model and model != text_field(fields, "model") else {})


def turn_of(
    fields: Fields, told: Sequence[Any], *, within: Sequence[str] = (), thread: str | None = None, previous: str = ""
) -> Turn:
    """What a request means, from its parts and its talk; `within` names what else the same talk may be part of."""
    talk = [message for message in told if isinstance(message, dict)]
    said = [place for place, message in enumerate(talk) if message.get("role") == "user"]
    texts = {place: text_of(talk[place].get("content")) for place in said}
    last = said[-1] if said else -1
    just_now = texts[last] if said and last == len(talk) - 1 else ""
    before = [
        [message["role"], message.get("content")]
        for message in talk[: last + 1]
        if "role" in message and message["role"] not in INSTRUCTING
    ]
    return Turn(
        model=text_field(fields, "model") or "",
        user=text_field(fields, "user"),
        streamed=value_of(fields, "stream") is True,
        said=just_now if just_now.strip() else None,
        asked=next((texts[place] for place in reversed(said) if texts[place].strip()), None),
        opening=digest_of([texts[said[0]] or talk[said[0]].get("content")]) if said else "",
        digest=digest_of([*within, *before]),
        sent=frozenset(plain(text_of(message.get("content"))) for message in talk),
        answered=_answered_in(talk),
        thread=thread,
        previous=previous or None,
        name=name if said and isinstance(name := talk[last].get("name"), str) else None,
    )


def plain(text: str) -> str:
    """A text as it is compared: without how it is laid out, and as much of it as could have been kept."""
    return " ".join(text[:LONGEST_TEXT_BYTES].split())


def _answered_in(talk: Sequence[dict[str, Any]]) -> str | None:
    """The digest of the last reply in a talk."""
    replies = (text_of(message.get("content")) for message in reversed(talk) if message.get("role") == "assistant")
    return next((digest_of([plain(reply)]) for reply in replies if reply.strip()), None)


def digest_of(parts: Iterable[object]) -> str:
    """A short name for the same things in the same order."""
    told = hashlib.blake2b(digest_size=16)
    for part in parts:
        written = part.encode() if isinstance(part, str) else msgspec.json.encode(part)
        told.update(len(written).to_bytes(8, "big") + written)
    return told.hexdigest()
