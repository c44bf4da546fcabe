"""Instagram and Messenger: `message_1.json` of each chat, as both programs of one house export it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from relembra.transfer.chats import Context, Found, Left, Said, Sample, Why, with_files
from relembra.transfer.chats.fields import listed, moment, named, words
from relembra.transfer.sources import File

NAME = "instagram"
FILES = ("photos", "audio_files", "videos", "files", "gifs")


def fits(sample: Sample) -> bool:
    return sample.has("sender_name", "timestamp_ms")


def read(file: File, _: Context) -> Iterator[Found]:
    """The newest stands first in the file."""
    for element in file.elements():
        message = named(element.value)
        said = _read(message, element.owner, file)
        if isinstance(said, Left):
            yield said
            continue
        names = [words(named(one).get("uri")) for kind in FILES for one in listed(message.get(kind))]
        yield from with_files(said, names, file, others=("share" in message) + ("sticker" in message))


def _read(message: dict[str, Any], chat: dict[str, Any], file: File) -> Said | Left:
    text, author = readable(words(message.get("content"))), readable(words(message.get("sender_name")))
    if message.get("is_unsent"):
        return Left(Why.DELETED)
    if message.get("call_duration") is not None or message.get("is_geoblocked_for_viewer"):
        return Left(Why.SERVICE)
    if not author:
        return Left(Why.UNREADABLE)
    people = [readable(words(named(one).get("name"))) for one in listed(chat.get("participants"))]
    title = readable(words(chat.get("title"))) or ", ".join(sorted(people))
    return Said(
        talk=words(chat.get("thread_path")) or file.folder or title or "chat", text=text,
        at=moment(message.get("timestamp_ms")), author=author, title=title,
        group=title if len(people) > 2 else None,
    )  # fmt: skip


def readable(text: str) -> str:
    """The text as it was typed: these exports write its UTF-8 bytes as if each were a letter."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
