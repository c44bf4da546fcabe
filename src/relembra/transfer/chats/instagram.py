"""Instagram and Messenger: `message_1.json` of each chat, as both programs of one house export it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from relembra.transfer.chats import Context, Found, Left, Said, Sample, Why, with_files
from relembra.transfer.chats.fields import listed, moment, named, words
from relembra.transfer.slices import blocks, decode
from relembra.transfer.sources import File

_BEHIND = re.compile(rb'"(thread_path|title)"\s*:\s*("(?:[^"\\]|\\.)*+")')
LONGEST_BEHIND = 64 * 1024
_SERVICE = re.compile(
    r"(?:Liked a message|Reacted .{1,40} to your message|Curtiu uma mensagem|Reagiu com .{1,40} à sua mensagem)\s*"
)
FILES = ("photos", "audio_files", "videos", "files", "gifs")


def fits(sample: Sample) -> bool:
    return sample.has("sender_name", "timestamp_ms")


def read(file: File, _: Context) -> Iterator[Found]:
    """The newest stands first in the file."""
    behind = _behind(file)
    for element in file.elements():
        message = named(element.value)
        said = _read(message, behind | element.owner)
        if isinstance(said, Left):
            yield said
            continue
        names = [words(named(one).get("uri")) for kind in FILES for one in listed(message.get(kind))]
        yield from with_files(said, names, file, others=("share" in message) + ("sticker" in message))


@lru_cache(maxsize=8)
def _behind(file: File) -> dict[str, str]:
    """What a chat is called and which it is, which the file says behind its messages."""
    end = b""
    with file.open() as stream:
        for block in blocks(stream):
            end = (end + block)[-LONGEST_BEHIND:]
    return {name.decode(): words(decode(text, file.name)) for name, text in _BEHIND.findall(end)}


def _read(message: dict[str, Any], chat: dict[str, Any]) -> Said | Left:
    text, author = readable(words(message.get("content"))), readable(words(message.get("sender_name")))
    if message.get("is_unsent"):
        return Left(Why.DELETED)
    is_told_so = message.get("call_duration") is not None or message.get("is_geoblocked_for_viewer")
    if is_told_so or _SERVICE.fullmatch(text):
        return Left(Why.SERVICE)
    if not author:
        return Left(Why.UNREADABLE)
    people = [readable(words(named(one).get("name"))) for one in listed(chat.get("participants"))]
    everybody = ", ".join(sorted(people))
    title = readable(words(chat.get("title"))) or everybody
    path = words(chat.get("thread_path")).rpartition("/")[2]  # of those that are archived another folder
    return Said(
        talk=path or everybody or title or "chat", text=text,
        at=moment(message.get("timestamp_ms")), author=author, title=title,
        group=title if len(people) > 2 else None,
    )  # fmt: skip


def readable(text: str) -> str:
    """The text as it was typed: these exports write its UTF-8 bytes as if each were a letter."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
