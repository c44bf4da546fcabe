"""From what a model proposed to candidates: only what a person's own words back is kept. Plain functions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from relembra.domain.attributes import is_known
from relembra.domain.candidate import Candidate, Talk
from relembra.domain.knowledge import SELF
from relembra.domain.message import Message
from relembra.domain.text import fold, is_blank, shortened
from relembra.minds.llm.material import Line, zone_from
from relembra.minds.offline.language import language_of

if TYPE_CHECKING:
    from relembra.minds.llm.replies import Backing, PersonReply, Thing

    T = TypeVar("T", bound=Thing)

__all__ = ["candidates", "evidence", "one_line", "proposed"]

LONGEST_CONTENT = 240
LONGEST_EVIDENCE = 300
LONGEST_SUBJECT = 60
LONGEST_VALUE = 120
LONGEST_TITLE = 60
SHORTEST_QUOTE = 4
"""Letters and digits of the least that proves anything, unless it is all that was said."""

_NUMBER = re.compile(r"\s*m?(\d{1,4})\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_MARKS = " \t\n\"'“”‘’«»…"
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def candidates(
    things: Sequence[Thing], lines: Sequence[Line], talk: Talk, *, most_a_message: int, why: str
) -> list[Candidate]:
    """What is kept of a reply to these lines, in the order said."""
    return [candidate for _, candidate in proposed(things, lines, talk, most_a_message=most_a_message, why=why)]


def proposed(
    things: Sequence[T], lines: Sequence[Line], talk: Talk, *, most_a_message: int, why: str
) -> list[tuple[T, Candidate]]:
    """The same, each with what it was in the reply."""
    shown = _squeezed(
        "\n".join([*(f"{line.message.author}\n{line.message.author_name}\n{line.text}" for line in lines), *talk.known])
    )
    kept: dict[tuple[str, str], tuple[int, T, Candidate]] = {}
    a_message: Counter[str] = Counter()
    for thing in things:
        place = _place(thing.m, lines)
        if place is None or not _backed(thing, lines[place].message.text):
            continue
        candidate = _candidate(thing, lines[place].message, talk, shown=shown, why=why)
        if candidate is None or a_message[candidate.message_id] >= most_a_message:
            continue
        key = _squeezed(candidate.subject), _squeezed(candidate.content)
        if key not in kept:
            a_message[candidate.message_id] += 1
            kept[key] = place, thing, candidate
    return [(thing, candidate) for _, thing, candidate in sorted(kept.values(), key=lambda one: one[0])]


def evidence(candidate: Candidate, backings: Sequence[Backing], lines: Sequence[Line]) -> str:
    """The words a conclusion rests on: its own quotation and those of further lines that really say them."""
    quotes = [candidate.evidence or ""]
    for backing in backings:
        place = _place(backing.m, lines)
        quote = one_line(backing.quote.strip(_MARKS))
        if place is not None and quote is not None and _is_quoted(quote, lines[place].message.text):
            quotes.append(quote)
    return shortened(" … ".join(dict.fromkeys(quotes)), LONGEST_EVIDENCE)


def _place(number: str, lines: Sequence[Line]) -> int | None:
    """Which line is meant; None for one that is not there or not to be learnt from."""
    found = _NUMBER.fullmatch(number)
    place = int(found[1]) - 1 if found else -1
    return place if 0 <= place < len(lines) and lines[place].learn else None


def _backed(thing: Thing, text: str) -> bool:
    """Whether the quoted words stand in the text, whole and in a row, and the value there too unless only concluded."""
    value = [] if thing.value is None or thing.inferred or _attribute(thing.attribute) is None else _words(thing.value)
    return _is_quoted(thing.quote, text) and (not value or _stand_in(value, _words(text), begun=True))


def _is_quoted(quote: str, text: str) -> bool:
    said, quoted = _words(text), _words(quote)
    return (quoted == said or sum(map(len, quoted)) >= SHORTEST_QUOTE) and _stand_in(quoted, said)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _stand_in(words: Sequence[str], said: Sequence[str], *, begun: bool = False) -> bool:
    """Whether these words stand there in a row; `begun`: the last may go on, as cat does in cats."""
    row = " ".join(words)
    return bool(row) and f" {row}{'' if begun else ' '}" in f" {' '.join(said)} "


def _candidate(thing: Thing, said: Message, talk: Talk, *, shown: str, why: str) -> Candidate | None:
    content = one_line(thing.content)
    subject = _subject(thing.subject, said, shown)
    if content is None or len(content) > LONGEST_CONTENT or subject is None:
        return None
    attribute = _attribute(thing.attribute)
    value = None if attribute is None or thing.value is None else one_line(thing.value)
    begun, ended = _day(thing.since, said), _day(thing.until, said, over=True)
    if begun is not None and (begun > said.sent_at or (ended is not None and ended <= begun)):
        begun = None  # what is only to begin is not so yet
    return Candidate(
        content=content,
        message_id=said.id,
        type=thing.type,
        area=thing.area,
        subject=subject,
        attribute=attribute,
        value=value if value is not None and len(value) <= LONGEST_VALUE else None,
        title=None if thing.title is None else _cut(thing.title, LONGEST_TITLE),
        language=language_of(said.text) or talk.language,
        person={} if subject == SELF or thing.person is None else _person(thing.person),
        changed=thing.changed,
        inferred=thing.inferred,
        evidence=shortened(thing.quote.strip(_MARKS), LONGEST_EVIDENCE),
        held_from=begun,
        held_until=ended if begun is not None and ended is not None and ended <= said.sent_at else None,
        expires_at=ended if ended is not None and ended > said.sent_at else None,
        why=why,
    )


def _subject(name: str, said: Message, shown: str) -> str | None:
    """The speaker, or somebody the lines or what is known speak of; None for a name out of nowhere."""
    line = one_line(name)
    if line is None or len(line) > LONGEST_SUBJECT:
        return None
    if _squeezed(line) in (SELF, _squeezed(said.author), _squeezed(said.author_name)):
        return SELF
    return line if _squeezed(line) in shown else None


def _attribute(name: str | None) -> str | None:
    tidy = (name or "").strip().lower()
    return tidy if tidy.isascii() and tidy.isprintable() and len(tidy) <= LONGEST_SUBJECT and is_known(tidy) else None


def _person(person: PersonReply) -> dict[str, str]:
    told = {part: _cut(value, LONGEST_VALUE) for part, value in person.model_dump(exclude_none=True).items()}
    return {part: value for part, value in told.items() if value is not None}


def _day(told: str | None, said: Message, *, over: bool = False) -> datetime | None:
    """When a day, month or year begins on the speaker's clock, or when it is over; None for anything else."""
    found = _DAY.fullmatch((told or "").strip())
    if found is None:
        return None
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        begins = datetime(year, month, day, tzinfo=zone_from(said.zone))
        if over and found[3]:
            begins += timedelta(days=1)
        elif over:
            begins = begins.replace(year=year + (month == 12 or not found[2]), month=month % 12 + 1 if found[2] else 1)
        return begins.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _cut(text: str, limit: int) -> str | None:
    line = one_line(text)
    return None if line is None else shortened(line, limit)


def one_line(text: str) -> str | None:
    """On one line, without what no store takes; None for nothing."""
    line = " ".join(text.encode(errors="ignore").decode().replace("\x00", "").split())
    return None if is_blank(line) else line


def _squeezed(text: str) -> str:
    return "".join(fold(text).split())
