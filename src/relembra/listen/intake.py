"""What arrives, checked and turned into messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from relembra.domain.message import AUTHOR_NAME, LONGEST_TITLE, Conversation, Message, Role, title_for
from relembra.domain.moment import in_utc, to_keep, zone_of
from relembra.domain.scope import DIRECT_CHANNEL, Place, Scope
from relembra.domain.text import as_seen, checked_name, checked_text, is_blank, shortened, visible_line
from relembra.errors import InvalidInputError

ASSISTANT = "assistant"
RESERVED = (ASSISTANT, "assistente", "system", "sistema", "relembra")
_RESERVED = frozenset(map(as_seen, RESERVED))
_NOT_SHOWN = _RESERVED | frozenset(map(as_seen, ("user", "usuario", "tool", "developer")))


@dataclass(frozen=True, slots=True)
class Exchange:
    """The messages of one save and the conversation they belong to, not yet stored."""

    conversation: Conversation
    messages: tuple[Message, ...]


def place_of(space: str | None, channel: str | None) -> Place:
    """A channel needs its space; a space without a channel means its general one."""
    if space is None:
        if channel not in (None, DIRECT_CHANNEL):
            raise InvalidInputError(f"channel {channel!r} needs a space", field="channel")
        return Place()
    return Place(space, channel or "general")


def conversation_of(given: str | None, place: Place) -> str:
    """The conversation's id: the one given, else the place's own."""
    if given is not None:
        return checked_name(given, "conversation")
    return DIRECT_CHANNEL if place.space is None else f"{place.space}/{place.channel}"


def exchange(
    scope: Scope,
    *,
    said: str | None,
    replied: str | None,
    at: datetime | None,
    now: datetime,
    place: Place,
    conversation: str | None,
    external_id: str | None,
    author: str | None,
    metadata: Mapping[str, str] | None,
    new_id: Callable[[], str],
    program: bool = False,
    author_name: str | None = None,
) -> Exchange:
    """The user's and the assistant's message of one turn; at least one of them."""
    if said is None and replied is None:
        raise InvalidInputError("nothing to save: give what was said, what was replied, or both", field="said")
    if external_id is not None:
        checked_name(external_id, "external_id")
    moment = now if at is None else at
    sent_at = to_keep(moment)
    thread = conversation_of(conversation, place)
    if program and (author is None or as_seen(author) == as_seen(scope.user)):
        raise InvalidInputError("a program that speaks needs a name of its own; give author", field="author")
    spoken = [
        (Role.SYSTEM if program else Role.USER, _speaker(author or scope.user), said, "said"),
        (Role.ASSISTANT, ASSISTANT, replied, "replied"),
    ]
    messages = tuple(
        Message(
            id=new_id(),
            scope=scope,
            conversation=thread,
            role=role,
            author=who,
            text=checked_text(text, field),
            sent_at=sent_at,
            zone=zone_of(moment),
            place=place,
            external_id=external_id,
            metadata=_metadata(metadata or {}, None if role is Role.ASSISTANT else author_name),
            saved_at=in_utc(now, "clock"),
        )
        for role, who, text, field in spoken
        if text is not None
    )
    opening = Conversation(
        id=thread,
        scope=scope,
        place=place,
        title=title_for(messages[0].text),
        created_at=messages[0].sent_at,
        updated_at=messages[0].sent_at,
    )
    return Exchange(opening, messages)


def _speaker(author: str) -> str:
    """Who said it; nobody may pass for the assistant, however spelt, in what is shown to it later."""
    if as_seen(checked_name(author, "author")) in _RESERVED:
        raise InvalidInputError(f"{author!r} cannot be the author of what a person said", field="author")
    return author


def display_name(given: str | None) -> str | None:
    """What an app calls somebody, on one short line; None for one that cannot be read or means no person."""
    if given is None or is_blank(given):
        return None
    name = shortened(visible_line(given), LONGEST_TITLE)
    return None if as_seen(name) in _NOT_SHOWN else name


def _metadata(given: Mapping[str, str], author_name: str | None) -> dict[str, str]:
    for name, value in given.items():
        if not isinstance(value, str):
            raise InvalidInputError(f"metadata {name!r} must be text, not {value!r}", field="metadata")
    shown = display_name(author_name or given.get(AUTHOR_NAME))
    others = {name: value for name, value in given.items() if name != AUTHOR_NAME}
    return others if shown is None else others | {AUTHOR_NAME: shown}
