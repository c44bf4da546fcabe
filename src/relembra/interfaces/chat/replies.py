"""The form of what is sent: short lists of what is remembered, and long texts in pieces an app takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from relembra.domain.text import fold, shortened, visible_line
from relembra.locale import Words
from relembra.recall.rendering import short_date, told
from relembra.views.timeline import day_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from relembra.domain.knowledge import KnowledgeItem
    from relembra.domain.message import Message
    from relembra.recall.assembly import MemoryContext

MOST_ITEMS, MOST_NOTES, MOST_MESSAGES = 5, 2, 3
LONGEST_LINE = 200
LONGEST_OPENING = 40
"""How much of a code block's first line is kept, again in each piece where the block goes on."""

_FENCE = re.compile(r"^ {0,3}(`{3,10}|~{3,10})([^`\n]*)")


def say(key: str, language: str, **parts: object) -> str:
    """A sentence of chat apps in a language."""
    return Words(language, "chat")(key, **parts)


def spoken(locale: str | None, otherwise: str) -> str:
    """The language of ours that a locale like pt-BR or en-GB is nearest to; another tongue is answered in English."""
    if not locale:
        return otherwise
    return "pt" if locale.lower().startswith("pt") else "en"


def remembered(context: MemoryContext, messages: Sequence[Message], language: str) -> str:
    """What is remembered about a question, in a few lines for a person; `messages` that answer it where nothing else
    does.
    """
    lines = [_item_line(item, language) for item in context.items[:MOST_ITEMS]]
    lines += [
        f"• {short_date(hit.note.happened_at, language)}: {quotable(hit.note.summary or hit.note.title)}"
        for hit in context.notes[:MOST_NOTES]
    ]
    if not lines:
        lines = [_message_line(message, language) for message in messages[:MOST_MESSAGES]]
    text = "\n".join([say("found", language), *lines]) if lines else say("nothing", language)
    return text if context.question is None else f"{text}\n\n{context.question.text}"


def _item_line(item: KnowledgeItem, language: str) -> str:
    marks = [short_date(day_of(item.held_from, item.zone), language), Words(language, "tools")(f"source.{item.source}")]
    if item.speaker is not None and fold(item.speaker) != fold(item.scope.user):
        marks[1] = say("claimed", language, name=quotable(item.speaker))
    return f"• {told(item, language, quotable(item.content))} ({', '.join(marks)})"


def _message_line(said: Message, language: str) -> str:
    when = short_date(day_of(said.sent_at, said.zone), language)
    return f"• {when}, {quotable(said.author_name)}: “{quotable(said.text)}”"


def quotable(text: str, limit: int = LONGEST_LINE) -> str:
    """Remembered text on one short line, without invisible controls."""
    return shortened(visible_line(text), limit)


def width(text: str) -> int:
    """How long an app counts a text, in UTF-16 units."""
    return len(text) + sum(char > "\uffff" for char in text)


def pieces(text: str, limit: int) -> list[str]:
    """A text in pieces of at most `limit` UTF-16 units (some hundred at least), cut between lines where they allow it,
    else between words. A code block that has to be cut is closed at the end of a piece and opened again in the next.
    """
    made: list[str] = []
    held: list[str] = []
    opening = fence = ""  # of the code block we are in: how it began, and what ends it
    has_code = any(map(_FENCE.match, text.split("\n")))
    most = limit - 2 * LONGEST_OPENING if has_code else limit  # so that there is room for both
    for line in [part for whole in text.strip("\n").split("\n") for part in _parts(whole, most)]:
        found = _FENCE.match(line)
        ends = bool(fence and found and found[1].startswith(fence) and not found[2].strip())
        begins = None if fence else found
        closing = "" if ends else fence or (begins[1] if begins else "")
        if width("\n".join([*held, line, *([closing] if closing else [])])) > limit and held != [opening]:
            made.append("\n".join([*held, fence] if fence and held[-1] != opening else held[:-1] if fence else held))
            held = [opening] if fence else []
        held.append(line)
        if begins:
            fence, opening = begins[1], line[:LONGEST_OPENING].rstrip()
            held[-1] = opening
        elif ends:
            fence = opening = ""
    made.append("\n".join([*held, fence] if fence else held))
    return [piece for piece in made if piece.strip()]


def _parts(line: str, most: int) -> Iterator[str]:
    """A line cut into parts that are not too long, at a space where one is in the later half."""
    while width(line) > most:
        end = most - sum(char > "\uffff" for char in line[:most])
        cut = line.rfind(" ", end // 2, end)
        end = cut if cut > 0 else max(1, end)
        yield line[:end]
        line = line[end:].removeprefix(" ")
    yield line
