"""What of a talk a model gets to read: people's messages, each with the one before, in chunks of bearable size."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from relembra.domain.candidate import Talk
from relembra.domain.message import Message, Role
from relembra.domain.text import shortened
from relembra.minds.port import Tokens

Worth = Callable[[Sequence[Message]], Awaitable[list[bool]]]
"""Which messages are worth a model's tokens, in order."""
LONGEST_CONTEXT = 600
"""Characters of a message that is shown only so that the next one is understood."""
MOST_PIECES = 4
"""Chunks a single message may fill; of a longer one the beginning is read."""
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LONGEST_TOKEN = 8  # characters; prose has about four

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Line:
    """A message, or a piece of one, as it stands in a prompt; `learn`: things may be learnt from it."""

    message: Message
    text: str
    learn: bool


def learnable(talk: Talk) -> list[int]:
    """The places of the messages that may be learnt from: a person's, and the speaker's where one is named."""
    return [
        place
        for place, message in enumerate(talk.messages)
        if message.role is Role.USER and talk.speaker in (None, message.author)
    ]


async def worthwhile(talk: Talk, worth: Worth) -> tuple[Talk, list[int]]:
    """The talk and the places to learn from: of a sitting in which `worth` lets one message through, all of them.

    The instructions cost more than many short messages, and one often tells what the next means. What was held back
    comes shortened, for it may be long.
    """
    places = learnable(talk)
    gate = await worth([talk.messages[place] for place in places]) if places else []
    if not any(gate):
        return talk, []
    messages = list(talk.messages)
    for place, is_worth in zip(places, gate, strict=True):
        if not is_worth:
            messages[place] = replace(messages[place], text=shortened(messages[place].text, LONGEST_CONTEXT))
    return replace(talk, messages=tuple(messages)), places


def chunked(messages: Sequence[Message], chosen: Collection[int], budget: int, tokens: Tokens) -> list[list[Line]]:
    """The chosen messages, each after the one before it, in chunks of at most `budget` tokens.

    At a chunk's beginning the message before is shown again, shortened. A message too long for a chunk comes in pieces.
    """
    chunks: list[list[Line]] = []
    room = 0
    last = -1  # the place of the last message in the present chunk
    for place in sorted(chosen):
        for text in _pieces(messages[place].text, budget, tokens):
            line = Line(messages[place], text, learn=True)
            cost = tokens.count(rendered_line(line)) + 1
            before = _before(messages, place)
            context = [] if before is None or last >= place - 1 else [before]
            if not chunks or cost + _cost(context, tokens) > room:
                chunks.append([])
                room = budget
                context = [] if before is None else [before]
            if cost + _cost(context, tokens) > room:
                context = []  # the message fills the chunk by itself
            chunks[-1] += [*context, line]
            room -= cost + _cost(context, tokens)
            last = place
    return chunks


def newest(messages: Sequence[Message], budget: int, tokens: Tokens) -> list[Line]:
    """As many of the last messages as fit, oldest first; the last one always, if need be only its end."""
    kept: list[Line] = []
    for message in reversed([message for message in messages if message.role is not Role.SYSTEM]):
        line = Line(message, message.text, learn=False)
        cost = tokens.count(rendered_line(line)) + 1
        if cost > budget:
            if not kept:
                kept.append(Line(message, _end(message.text, budget, tokens), learn=False))
            break
        kept.append(line)
        budget -= cost
    return kept[::-1]


def rendered_lines(lines: Sequence[Line]) -> str:
    """One JSON line each, numbered from m1: no message can be taken for two, or for anything but data."""
    return "\n".join(rendered_line(line, number) for number, line in enumerate(lines, 1))


def rendered_line(line: Line, number: int = 100) -> str:
    said = line.message
    at = said.sent_at.astimezone(zone_from(said.zone))
    shown: dict[str, object] = {
        "m": f"m{number}",
        "at": f"{at:%Y-%m-%dT%H:%M} {WEEKDAYS[at.weekday()]}",
        "by": said.author,
        "role": said.role.value,
    }
    if said.author_name != said.author:
        shown["called"] = said.author_name
    if line.learn:
        shown["learn"] = True
    return json.dumps(shown | {"text": line.text}, ensure_ascii=False)


def knowing(talk: Talk, budget: int, tokens: Tokens) -> Talk:
    """The talk with the first lines of what is known that fit."""
    fit = 0
    for number, line in enumerate(talk.known, 1):
        budget -= tokens.count(_known_line(number, line)) + 1
        if budget < 0:
            break
        fit = number
    return replace(talk, known=talk.known[:fit], known_ids=talk.known_ids[:fit])


def rendered_known(known: Sequence[str]) -> str:
    """What is held already, one JSON line each, numbered from 1."""
    return "\n".join(_known_line(number, line) for number, line in enumerate(known, 1))


def _known_line(number: int, line: str) -> str:
    return json.dumps({"k": number, "known": line}, ensure_ascii=False)


def zone_from(zone: str) -> tzinfo:
    """The clock of a speaker, from an offset or a place's name; UTC where this machine does not know the place."""
    try:
        if zone[:1] in ("+", "-"):
            return datetime.fromisoformat(f"2000-01-01T00:00{zone}").tzinfo or UTC
        return ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return UTC


def _before(messages: Sequence[Message], place: int) -> Line | None:
    if place == 0 or messages[place - 1].role is Role.SYSTEM:
        return None
    return Line(messages[place - 1], shortened(messages[place - 1].text, LONGEST_CONTEXT), learn=False)


def _cost(lines: Sequence[Line], tokens: Tokens) -> int:
    return sum(tokens.count(rendered_line(line)) + 1 for line in lines)


def _pieces(text: str, budget: int, tokens: Tokens) -> list[str]:
    """The text cut between words into pieces that leave a fifth of the budget for what stands around them."""
    most = budget * 4 // 5
    head = text[: most * _LONGEST_TOKEN * MOST_PIECES]
    pieces = list(_halved(head, most, tokens))
    if len(pieces) > MOST_PIECES or len(head) < len(text):
        log.info("a message of %d characters is read in part", len(text))
    return pieces[:MOST_PIECES]


def _halved(text: str, most: int, tokens: Tokens) -> Iterator[str]:
    if len(text) < 2 or tokens.count(json.dumps(text, ensure_ascii=False)) <= most:
        yield text
        return
    middle = len(text) // 2
    cut = max(text.rfind(" ", 1, middle), text.rfind("\n", 1, middle))
    cut = cut if cut > len(text) // 4 else middle
    yield from _halved(text[:cut], most, tokens)
    yield from _halved(text[cut:], most, tokens)


def _end(text: str, budget: int, tokens: Tokens) -> str:
    """The last piece of a long text that fits."""
    return list(_halved(text[-budget * _LONGEST_TOKEN :], budget * 4 // 5, tokens))[-1].strip()
