"""Telegram: the JSON of its desktop program, of one chat or of all in `result.json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from relembra.domain.text import is_blank
from relembra.transfer.chats import Context, Found, Left, LocalTimes, Said, Sample, Why, with_files
from relembra.transfer.chats.fields import listed, moment, named, words
from relembra.transfer.media import MediaKind, media_kind
from relembra.transfer.sources import File

DIRECT = frozenset({"personal_chat", "saved_messages", "bot_chat"})
PUBLIC = frozenset({"public_channel", "private_channel"})


def fits(sample: Sample) -> bool:
    has = sample.has("type", "from", "text") or (sample.has("type", "actor") or sample.has("type", "text_entities"))
    return has and (sample.has("date") or sample.has("date_unixtime"))


def own_names(file: File) -> Iterable[str]:
    """A whole export says whose it is."""
    first = next(file.elements(), None)
    person = named(first.root.get("personal_information")) if first is not None else {}
    full = f"{words(person.get('first_name'))} {words(person.get('last_name'))}".strip()
    return [full] if full else []


def read(file: File, context: Context) -> Iterator[Found]:
    times, chat = LocalTimes(context.zone), None
    for element in file.elements():
        if element.number == 0:
            chat, times = element.owner, LocalTimes(context.zone)
        message = named(element.value)
        said = _read(message, named(chat), times)
        if isinstance(said, Left):
            yield said
            continue
        is_sticker = message.get("media_type") == "sticker" or "sticker_emoji" in message
        names = [] if is_sticker else [name for key in ("photo", "file") if (name := words(message.get(key)))]
        others = is_sticker + sum(key in message for key in ("poll", "location_information", "contact_information"))
        if "forwarded_from" in message:  # and somebody else who speaks in a recording
            others += len(names)
            names = [name for name in names if media_kind(name) is not MediaKind.VOICE]
            others -= len(names)
        yield from with_files(said, names, file, others=others)


def _read(message: dict[str, Any], chat: dict[str, Any], times: LocalTimes) -> Said | Left:
    kind = message.get("type")
    if kind != "message":
        return Left(Why.SERVICE if kind in ("service", "unsupported") else Why.UNREADABLE)
    text = words_of(message.get("text"))
    author = words(message.get("from"))
    if not author:
        return Left(Why.DELETED if "from" in message else Why.UNREADABLE)  # of an account that is no more
    name, type = words(chat.get("name")), words(chat.get("type"))
    if message.get("via_bot") or type in PUBLIC or (type == "bot_chat" and author == name):
        return Left(Why.BOT)
    at = moment(message.get("date_unixtime"))
    if at is None and (at := moment(message.get("date"))) is not None and at.tzinfo is None:
        at = times(at)
    if "forwarded_from" in message and not is_blank(text):  # quoted, for it is nothing they say themselves
        text = "\n> ".join([f"[{words(message['forwarded_from']) or '…'}]", *text.split("\n")])
    id = chat.get("id")
    is_group = bool(type) and type not in DIRECT
    number = message.get("id")
    return Said(
        talk=str(id) if id is not None else name or "chat",
        text=text, at=at, author=author, title=name,
        id=str(number) if number is not None else None,
        group=(name or f"Telegram {id}") if is_group else None,
    )  # fmt: skip


def words_of(text: object) -> str:
    """The words of a message: a text, or a list of texts and of pieces with a format of their own."""
    if isinstance(text, str):
        return text
    return "".join(part if isinstance(part, str) else words(named(part).get("text")) for part in listed(text))
