"""Discord: the JSON that DiscordChatExporter writes of a channel, and the package of one's own words Discord sends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from relembra.domain.text import is_blank
from relembra.transfer.chats import GENERAL, Context, Found, Left, Said, Sample, Why, with_files
from relembra.transfer.chats.fields import listed, moment, named, words
from relembra.transfer.slices import decode
from relembra.transfer.sources import File

SPOKEN = frozenset({"Default", "Reply", "0", "19"})
DIRECT = frozenset({"DirectTextChat", "DM", "1"})
LARGEST_BESIDE = 1_000_000


def fits(sample: Sample) -> bool:
    owner = sample.first.owner if sample.first is not None else {}
    return sample.has("timestamp", "author") and "channel" in owner


def read(file: File, _: Context) -> Iterator[Found]:
    for element in file.elements():
        message = named(element.value)
        said = _read(message, element.owner)
        if isinstance(said, Left):
            yield said
            continue
        names = [unquote(words(named(one).get("url"))) for one in listed(message.get("attachments"))]
        yield from with_files(said, names, file, others=len(listed(message.get("stickers"))))


def _read(message: dict[str, Any], around: dict[str, Any]) -> Said | Left:
    channel, guild, author = named(around.get("channel")), named(around.get("guild")), named(message.get("author"))
    if words(message.get("type")) not in SPOKEN:
        return Left(Why.SERVICE if message.get("type") else Why.UNREADABLE)
    if author.get("isBot"):
        return Left(Why.BOT)
    name = words(author.get("nickname")) or words(author.get("name"))
    if not name:
        return Left(Why.UNREADABLE)
    is_direct = words(channel.get("type")) in DIRECT
    of_guild = words(guild.get("name")) if guild.get("id") not in (None, "0") else ""
    where = words(channel.get("name"))
    return Said(
        talk=words(channel.get("id")) or where, text=words(message.get("content")),
        at=moment(message.get("timestamp")), author=name, id=words(message.get("id")) or None, title=where,
        group=None if is_direct else of_guild or where or "Discord",
        channel=where if of_guild and where else GENERAL,
    )  # fmt: skip


def fits_package(sample: Sample) -> bool:
    return sample.has("ID", "Timestamp", "Contents")


def read_package(file: File, _: Context) -> Iterator[Found]:
    """One's own words alone, with no answers; newest first."""
    channel = next((_beside(one) for one in file.near("channel.json") if one.folder == file.folder), {})
    guild = words(named(channel.get("guild")).get("name"))
    where = words(channel.get("name"))
    id = words(channel.get("id")) or file.folder or "discord"
    for element in file.elements():
        message = named(element.value)
        text = words(message.get("Contents"))
        if is_blank(text):
            yield Left(Why.MEDIA if message.get("Attachments") else Why.EMPTY)
            continue
        number = message.get("ID")
        yield Said(
            talk=id, text=text, at=_utc(message.get("Timestamp")), id=None if number is None else str(number),
            title=where or guild, group=guild or None, channel=where if guild and where else GENERAL,
        )  # fmt: skip


def _utc(value: object) -> Any:
    at = moment(value)
    return moment(f"{value}+00:00") if at is not None and at.tzinfo is None else at


def _beside(file: File) -> dict[str, Any]:
    with file.open() as stream:
        return named(decode(stream.read(LARGEST_BESIDE), file.name))
