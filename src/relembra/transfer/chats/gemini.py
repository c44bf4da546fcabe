"""Gemini: a session in JSON, and what Google Takeout writes of it, `MyActivity.json`."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta

from relembra.domain.message import Role
from relembra.domain.text import is_blank
from relembra.transfer.chats import Context, Found, Left, Said, Sample, Why, with_files
from relembra.transfer.chats.fields import content_text, listed, moment, named, words
from relembra.transfer.sources import File

ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT, "assistant": Role.ASSISTANT}
_PRODUCTS = ("Gemini", "Bard")
_ASKED = re.compile(r"^(?:Prompted|Asked|Said|Pedido:|Pediu|Solicitou|Perguntou)[:\s\u00a0]+", re.IGNORECASE)
_BLOCK_END = re.compile(r"<br\s*/?>|</(?:p|div|li|h\d|tr|pre|ul|ol|table)>", re.IGNORECASE)
_ITEM = re.compile(r"<li\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_ANSWERED = timedelta(milliseconds=1)


def fits(sample: Sample) -> bool:
    return sample.has("type", "content") and sample.first is not None and "sessionId" in sample.first.owner


def read(file: File, _: Context) -> Iterator[Found]:
    for element in file.elements():
        message = named(element.value)
        role = ROLES.get(words(message.get("type")))
        if role is None:
            yield Left(Why.TOOL if message.get("type") else Why.UNREADABLE)
            continue
        text = content_text(message.get("content"))
        if is_blank(text):
            yield Left(Why.TOOL if message.get("toolCalls") or message.get("thoughts") else Why.EMPTY)
            continue
        at = moment(message.get("timestamp")) or moment(element.owner.get("startTime"))
        talk = words(element.owner.get("sessionId"))
        yield Said(talk=talk, text=text, at=at, role=role, id=words(message.get("id")) or None)


def fits_activity(sample: Sample) -> bool:
    return sample.has("header", "title", "time") and _is_of_it(sample.first and sample.first.value)


def _is_of_it(entry: object) -> bool:
    told = [words(named(entry).get("header")), *map(words, listed(named(entry).get("products")))]
    return any(product in text for product in _PRODUCTS for text in told)


def read_activity(file: File, _: Context) -> Iterator[Found]:
    """What was asked each time, with the answer where it was kept; Takeout does not say which belong together, so a day
    is one conversation. The newest stands first in the file."""
    for element in file.elements():
        entry = named(element.value)
        at, title = moment(entry.get("time")), words(entry.get("title"))
        asked = _ASKED.sub("", title)
        if not _is_of_it(entry) or asked == title or is_blank(asked):
            yield Left(Why.SERVICE)
            continue
        day = words(entry.get("time"))[:10]
        talk = f"activity {day}"
        files = [words(named(one).get("url")) or words(one) for one in listed(entry.get("attachedFiles"))]
        files += [words(entry.get("imageFile"))] if entry.get("imageFile") else []
        yield from with_files(Said(talk=talk, text=asked, at=at, title=f"Gemini {day}"), files, file)
        for item in listed(entry.get("safeHtmlItem")):
            if not is_blank(answer := plain(words(named(item).get("html")))):
                later = None if at is None else at + _ANSWERED
                yield Said(talk=talk, text=answer, at=later, role=Role.ASSISTANT)


def plain(text: str) -> str:
    """The words of a piece of HTML."""
    text = _ITEM.sub("- ", _BLOCK_END.sub("\n", text))
    lines = (line.strip() for line in html.unescape(_TAG.sub("", text)).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
