"""What of a talk a model gets to read, in chunks of bearable size, and what of its reply is kept."""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

from relembra.domain.candidate import Candidate, Talk
from relembra.domain.knowledge import FORMER, SELF, KnowledgeType, about, is_known
from relembra.domain.message import Message, Role
from relembra.domain.text import collapsed, fold, is_blank, shortened
from relembra.domain.time import local, time_limit
from relembra.errors import TooSlowError
from relembra.minds.llm.models import borne_out, strays
from relembra.minds.offline.language import Language, language_of
from relembra.minds.offline.names import find_names
from relembra.minds.offline.text import split_sentences
from relembra.minds.port import Tokens
from relembra.minds.reader.facts import claims_nothing, gives_orders, read, without_quotations
from relembra.minds.reader.networks import shipped_networks

if TYPE_CHECKING:
    from relembra.minds.llm.replies import Backing, PersonReply, Thing

    T = TypeVar("T", bound=Thing)

log = logging.getLogger(__name__)

__all__ = ["evidence", "one_line", "proposed"]

Worth = Callable[[Sequence[Message]], Awaitable[list[bool]]]
"""Which messages are worth a model's tokens, in order."""
LONGEST_CONTEXT = 600
"""Characters of a message that is shown only so that the next one is understood."""
MOST_PIECES = 4
"""Chunks a single message may fill; of a longer one the beginning is read."""
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LONGEST_TOKEN = 8  # characters; prose has about four


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


LONGEST_CONTENT = 240
LONGEST_EVIDENCE = 300
LONGEST_SUBJECT = 60
LONGEST_VALUE = 120
LONGEST_TITLE = 60
MOST_ENDED = 6
"""Held items one thing may end; a model that names more was led astray, by the words or by itself."""
OWN_WORDS_CONFIDENCE = 0.9
"""Of what is kept as it was said, since a model made something else of it."""
LONGEST_LOOK_SECONDS = 3.0
SHORTEST_QUOTE = 4
"""Letters and digits of the least that proves anything, unless it is all that was said."""

_NUMBER = re.compile(r"\s*m?(\d{1,4})\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_MARKS = " \t\n\"'“”‘’«»…"
_DENIAL = re.compile(
    r"(?<!\w)(?:not|never|no longer|nor|(?:do|does|did|is|are|was|were|has|have|had|wo|ai)n['’]?t"
    r"|nao|naum|nunca|jamais|nem)"
    r"(?!\w|\s+(?:only|just|so|apenas|somente)\b)"
)
_DENIED = re.compile(
    _DENIAL.pattern + r"(?:\s+(?!(?:but|and|because|since|so|mas|e|porque|pois|sim)\b)[\w'’-]+){0,6}\s+$"
)
"""What a denial reaches: the words behind it, up to a mark or to a word that begins something else."""
_DENYING = frozenset({"dislikes", "dropped_goal", "communication", "opinion", "value"})
"""Attributes of which a denial may be the very point, beside former ones."""
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def proposed(
    things: Sequence[T], lines: Sequence[Line], talk: Talk, *, most_a_message: int, why: str
) -> list[tuple[T, Candidate]]:
    """What is kept of a reply to these lines, in the order said, each with what it was in the reply."""
    shown = _squeezed(
        "\n".join([*(f"{line.message.author}\n{line.message.author_name}\n{line.text}" for line in lines), *talk.known])
    )
    kept: dict[tuple[str, str], tuple[int, T, Candidate]] = {}
    a_message: Counter[str] = Counter()
    for thing in things:
        place = _place(thing.m, lines)
        if place is None or not _is_quoted(thing.quote, lines[place].message.text):
            continue
        if _is_refused(thing, lines[place].message.text):
            continue
        given = [
            *(f"{line.message.author}\n{line.text}" for line in lines[:place]),
            lines[place].message.text,
            *talk.known,
        ]
        candidate = _candidate(thing, lines[place].message, talk, shown=shown, given=given, why=why)
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


def _is_refused(thing: Thing, text: str) -> bool:
    """Whether what is quoted is nobody's claim: an order to the memory, words pasted in, a question, fiction."""
    own, quoted = collapsed(text), _words(thing.quote)
    if gives_orders(own) or not _stand_in(quoted, _words(without_quotations(own))):
        return True
    if thing.type is KnowledgeType.PERSON:  # a question takes for granted that the person exists
        return False
    parts = [own[start:end] for start, end in split_sentences(own)]
    touched = [part for part in parts if _stand_in(_words(part), quoted) or _stand_in(quoted, _words(part))]
    return any(claims_nothing(part) for part in touched or [own])


def _is_anothers(attribute: str | None, value: str | None, subject: str, said: Message, language: str) -> bool:
    """Whether the offline reader reads this value of another for the speaker, or of the speaker for another."""
    if attribute is None or value is None or attribute == "relation":
        return False
    tongue: Language = "pt" if language == "pt" else "en"
    at = local(said.sent_at, said.zone)
    try:
        with time_limit(LONGEST_LOOK_SECONDS):
            found = read(shipped_networks(), collapsed(said.text), [], said_at=at, language=tongue, least=0.5).facts
    except TooSlowError:
        return True
    words = _words(value)
    whose = {one.subject == SELF for one in found if one.attribute == attribute and _words(one.value) == words}
    return whose == {subject != SELF}


def _is_backed(value: str, content: str, thing: Thing, said: Message, language: str) -> bool:
    """Whether a value stands in the message or the statement, whole and in a row, or the quotation bears it out."""
    words = _words(value)
    stands = (_stand_in(words, _words(text), begun=True) for text in (said.text, content))
    if not words or any(stands):
        return True
    return borne_out(value, [thing.quote], language) and not borne_out(value, [], language)  # which claims nothing


def _is_denied(sentence: str, attribute: str | None, words: Sequence[str]) -> bool:
    """Whether the words stand in the sentence behind a denial, and that is not the point of the attribute."""
    if not words or attribute in _DENYING or (attribute or "").startswith(FORMER):
        return False
    flat = fold(sentence)
    found = re.search(r"(?<!\w)" + r"[\W_]+".join(map(re.escape, words)), flat)
    return found is not None and _DENIED.search(flat[: found.start()]) is not None


def _own_words(thing: Thing, text: str) -> str:
    """The sentence the quotation is from, as it was said; where it is from several, the quotation."""
    words = _words(thing.quote)
    held = (text[start:end] for start, end in split_sentences(text))
    return shortened(next((one for one in held if _stand_in(words, _words(one))), thing.quote), LONGEST_CONTENT)


def _is_quoted(quote: str, text: str) -> bool:
    said, quoted = _words(text), _words(quote)
    return (quoted == said or sum(map(len, quoted)) >= SHORTEST_QUOTE) and _stand_in(quoted, said)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _stand_in(words: Sequence[str], said: Sequence[str], *, begun: bool = False) -> bool:
    """Whether these words stand there in a row; `begun`: the last may go on, as cat does in cats."""
    row = " ".join(words)
    return bool(row) and f" {row}{'' if begun else ' '}" in f" {' '.join(said)} "


def _candidate(
    thing: Thing, said: Message, talk: Talk, *, shown: str, given: Sequence[str], why: str
) -> Candidate | None:
    """The candidate a proposal makes; one that says more than was said is kept in the person's own words instead."""
    content = one_line(thing.content)
    subject = _subject(thing.subject, said, shown)
    if content is None or len(content) > LONGEST_CONTENT or subject is None:
        return None
    attribute = _attribute(thing.attribute)
    value = None if attribute is None or thing.value is None else one_line(thing.value)
    language = language_of(said.text) or talk.language
    is_concluded = thing.inferred or thing.type is KnowledgeType.INSIGHT
    rests, sentence = [*given, thing.subject], _own_words(thing, said.text)
    is_denied = _is_denied(sentence, attribute, _words(content)[-1:] if value is None else _words(value))
    is_anothers = _is_anothers(attribute, value, subject, said, language)
    is_borne_out = (
        not is_anothers
        and (not strays(content, rests, language) if is_concluded else borne_out(content, rests, language))
        and (not is_denied or _DENIAL.search(fold(content)) is not None)
    )
    if not is_borne_out:
        content = sentence
    if not is_borne_out or is_denied:
        attribute = value = None
    if value is not None and not (is_concluded or _is_backed(value, content, thing, said, language)):
        value = None
        if attribute is not None and attribute.startswith(FORMER):
            attribute = None  # without the value that is over, it would end whichever is held
    begun, ended, expires = _held(thing, said, attribute)
    if ended is not None and attribute is not None and about(attribute).type is not KnowledgeType.MEMORY:
        attribute = FORMER + attribute  # what is over is kept as such, and never as how things are
    person = {} if thing.person is None else _person(thing.person, shown)
    if (attribute or "").removeprefix(FORMER) == "relation":
        person |= _named(person, content, language)
        subject = person.get("name") or value or subject if subject == SELF else subject
        attribute = None if subject == SELF else attribute  # a relation is about the other one
    return Candidate(
        content=content,
        message_id=said.id,
        type=thing.type if attribute is None else about(attribute).type,
        area=thing.area,
        subject=subject,
        attribute=attribute,
        value=value if value is not None and len(value) <= LONGEST_VALUE else None,
        title=None if thing.title is None or not is_borne_out else _cut(thing.title, LONGEST_TITLE),
        language=language,
        person={} if subject == SELF else person,
        changed=thing.changed,
        inferred=is_concluded,
        confidence=None if is_borne_out else OWN_WORDS_CONFIDENCE,
        evidence=shortened(thing.quote.strip(_MARKS), LONGEST_EVIDENCE),
        held_from=begun,
        held_until=ended,
        expires_at=expires,
        ends=() if is_anothers else _over(thing.ends, talk),
        why=why,
    )


def _held(
    thing: Thing, said: Message, attribute: str | None
) -> tuple[datetime | None, datetime | None, datetime | None]:
    """Since when it is so, until when it was and, for what is still so, until when it will be.

    What is no longer so by its attribute is over by the time it was said, unless its last day is yet to come.
    """
    begun, last, over = (_day(thing.since, said), _day(thing.until, said), _day(thing.until, said, over=True))
    if last is None or over is None:
        return begun, None, None
    if begun is not None and over <= begun:
        return None, None, None  # one of the two is wrong
    if (attribute or "").startswith(FORMER):
        over = over if last > said.sent_at else min(over, said.sent_at)
    elif over > said.sent_at:
        return begun, None, over
    return begun or min(over, said.sent_at), over, None


def _over(numbers: Sequence[int], talk: Talk) -> tuple[str, ...]:
    """The items whose lines these numbers name; a number of no line that was shown names none, nor do too many."""
    shown = dict(enumerate(talk.known_ids, 1))
    named = tuple(shown[number] for number in dict.fromkeys(numbers) if number in shown)
    return named if len(named) <= MOST_ENDED else ()


def _subject(name: str, said: Message, shown: str) -> str | None:
    """The speaker, or a person the lines or what is known speak of; None for a name out of nowhere."""
    line = one_line(name)
    if line is None or len(line) > LONGEST_SUBJECT:
        return None
    if _squeezed(line) in (SELF, _squeezed(said.author), _squeezed(said.author_name)):
        return SELF
    return line if _squeezed(line) in shown else None


def _attribute(name: str | None) -> str | None:
    tidy = (name or "").strip().lower()
    return tidy if tidy.isascii() and tidy.isprintable() and len(tidy) <= LONGEST_SUBJECT and is_known(tidy) else None


def _person(person: PersonReply, shown: str) -> dict[str, str]:
    """What was said of a person; a name only if it was ever said."""
    given = {part: _cut(value, LONGEST_VALUE) for part, value in person.model_dump(exclude_none=True).items()}
    return {
        part: value
        for part, value in given.items()
        if value is not None and (part != "name" or _squeezed(value) in shown)
    }


def _named(person: Mapping[str, str], content: str, language: str) -> dict[str, str]:
    """The name of whom a statement is about, where it names one person and nothing else gives it."""
    found = {mention.name for mention in find_names(content, "pt" if language == "pt" else "en")}
    return {"name": found.pop()} if "name" not in person and len(found) == 1 else {}


def _day(text: str | None, said: Message, *, over: bool = False) -> datetime | None:
    """When a day, month or year begins on the speaker's clock, or when it is over; None for anything else."""
    found = _DAY.fullmatch((text or "").strip())
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
