"""Slack: the export of a workspace, a folder or zip with a folder for each channel and in it a file for each day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from relembra.domain.text import is_blank
from relembra.transfer.chats import GENERAL, Context, Found, Left, Said, Sample, Why
from relembra.transfer.chats.fields import moment, named, words
from relembra.transfer.sources import File

TALK = frozenset({"", "thread_broadcast", "me_message", "file_share", "file_comment", "reply_broadcast"})
_DIRECT = re.compile(r"D[A-Z0-9]+")  # no channel is written in capitals
_SEVERAL = "mpdm-"
_USER = re.compile(r"<@([UW][A-Z0-9]+)(?:\|([^<>]*))?>")
_LINK = re.compile(r"<(#[A-Z0-9]+|![^<>|]+|[^<>|@#!:]+:[^<>|]+)(?:\|([^<>]*))?>")


def fits(sample: Sample) -> bool:
    return sample.has("ts", "type") and sample.has("text")


def fits_lists(sample: Sample) -> bool:
    """`users.json` and the lists of channels, which are read along with the days."""
    is_users = sample.has("id", "team_id", "profile") or sample.has("id", "name", "profile")
    return is_users or sample.has("id", "members", "created") or sample.has("id", "name", "creator")


def read_lists(_file: File, _context: Context) -> Iterator[Found]:
    yield from ()


def read(file: File, _: Context) -> Iterator[Found]:
    people = next((_people(beside) for beside in file.near("users.json")), {})
    workspace = file.inside.partition(" Slack export ")[0] or "Slack"  # and then its days
    for element in file.elements():
        yield _read(named(element.value), file.folder or file.stem, people, workspace)


def _read(message: dict[str, Any], channel: str, people: dict[str, str], workspace: str) -> Found:
    subtype = words(message.get("subtype"))
    if message.get("bot_id") or subtype == "bot_message":
        return Left(Why.BOT)
    if message.get("type") != "message" or subtype not in TALK:
        return Left(Why.DELETED if subtype == "tombstone" else Why.SERVICE)
    text = as_read(words(message.get("text")), people)
    if is_blank(text):
        return Left(Why.MEDIA if message.get("files") else Why.EMPTY)
    id = words(message.get("user"))
    profile = named(message.get("user_profile"))
    author = people.get(id) or words(profile.get("display_name")) or words(profile.get("real_name")) or id
    if not author:
        return Left(Why.UNREADABLE)
    is_direct = _DIRECT.fullmatch(channel) is not None
    is_apart = channel.startswith(_SEVERAL)  # not to be heard in the channels
    ts = words(message.get("ts"))
    return Said(
        talk=channel if is_direct else f"{workspace} {channel}", title="" if is_direct else f"#{channel}",
        text=text, at=moment(ts) if ts else None, author=author, id=f"{ts} {id}" if ts else None,
        group=None if is_direct else f"{channel} {workspace}" if is_apart else workspace,
        channel=GENERAL if is_apart else channel,
    )  # fmt: skip


def as_read(text: str, people: dict[str, str]) -> str:
    """The text as Slack shows it, its marks for people, channels and links replaced by their names."""
    text = _USER.sub(lambda found: f"@{people.get(found[1]) or found[2] or found[1]}", text)
    text = _LINK.sub(lambda found: found[2] or found[1].lstrip("!"), text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@lru_cache(maxsize=4)
def _people(users: File) -> dict[str, str]:
    rows = (named(element.value) for element in users.elements())
    return {id: name for user in rows if (id := words(user.get("id"))) and (name := _called(user))}


def _called(user: dict[str, Any]) -> str:
    profile = named(user.get("profile"))
    return (
        words(profile.get("real_name")) or words(user.get("real_name"))
        or words(profile.get("display_name")) or words(user.get("name"))
    )  # fmt: skip
