"""What people tell of their days: feelings and topics, sleep, exercise and the like."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from functools import cache
from re import Pattern
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

from relembra.domain.insight import ACTIVITY, FEELING, STATE, Feature, Observation
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.message import Message
from relembra.domain.text import collapsed, fold
from relembra.domain.time import check_time, local, time_limit
from relembra.errors import TooSlowError
from relembra.minds.languages import LANGUAGES, Language, filled, known
from relembra.minds.offline.language import language_of
from relembra.minds.offline.names import SELF, find_names
from relembra.minds.offline.text import flattened, short_sentences
from relembra.minds.port import Observer


@dataclass(frozen=True, slots=True)
class Telling:
    """Words that tell of a feature; `sign` −1: of its bad side or of its absence. Negated, they tell the opposite."""

    feature: Feature
    sign: int
    pattern: Pattern[str]
    only_denied: bool = False  # a form that tells something only where it is denied: "(didn't) go running"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How one language tells of a day. All patterns are matched on flat text: lower case, no accents."""

    tellings: tuple[Telling, ...]
    feelings: tuple[Telling, ...]
    felt: tuple[tuple[str, Pattern[str]], ...]  # the words of each feeling
    topics: tuple[tuple[str, Pattern[str]], ...]
    denied: Pattern[str]  # at the end of what comes before
    denied_within: Pattern[str]  # inside the words for a feeling: "I'm not anxious"
    unreal: Pattern[str]  # before it: wished, planned, supposed or asked
    general: Pattern[str]  # in a clause that tells of no day in particular
    long_ago: Pattern[str]
    yesterday: Pattern[str]
    day_before: Pattern[str]
    weekdays: tuple[Pattern[str], ...]  # Monday first
    first_person: Pattern[str]  # words that say by themselves who
    asks_who: Pattern[str]  # words that need a subject
    subjects: Pattern[str]  # at the end of what comes before, or nothing there: it may be the speaker
    another: Pattern[str]  # at the end of what comes before: someone else did or felt it
    others: Pattern[str]  # at the beginning of the clause, the same
    theirs: Pattern[str]  # right after it: "(headache) of my mother's"
    named: tuple[tuple[Pattern[str], str], ...]  # with `NAME` for a name that does or has it, and the pronoun instead
    clause_end: Pattern[str]


NAME = "\0"
"""Stands for someone's name."""

_SHARED = {"NAME": NAME, "START": r"(?:^|(?<=, ))"}  # the beginning of a clause, or of its next part


@cache
def lexicon_of(language: Language) -> Lexicon:
    """Read on first use: a file holds a few hundred patterns."""
    told = known(language, "diary")
    parts = _SHARED | {name: _joined(part) for name, part in told["parts"].items()}
    feelings, weekdays = told["feelings"], told["weekdays"]
    return Lexicon(
        tellings=tuple(
            Telling(
                Feature(kind, name), way.get("sign", 1), _any_of(way["words"], parts), way.get("only_denied", False)
            )
            for kind in (STATE, ACTIVITY)
            for name, ways in told[kind].items()
            for way in ways
        ),
        feelings=tuple(one for name in feelings for one in _feeling(name, feelings[name], told["frames"], parts)),
        felt=tuple((name, _any_of("\n".join(words.values()), parts)) for name, words in feelings.items()),
        topics=tuple((topic, _any_of(words, parts)) for topic, words in told["topics"].items()),
        weekdays=tuple(re.compile(filled(weekdays["said"], {"DAY": day})) for day in weekdays["days"]),
        named=tuple((re.compile(filled(_joined(one["does"]), parts)), one["pronoun"]) for one in told["named"]),
        **{name: re.compile(_joined(pattern)) for name, pattern in told["patterns"].items()},
    )


def _feeling(
    name: str, words: Mapping[str, str], frames: Mapping[str, Any], parts: Mapping[str, str]
) -> Iterator[Telling]:
    """How it is told: by adjectives and nouns in their frames, nouns said to be absent, and verbs by themselves."""
    ways = [
        *((frame, "adjectives", 1) for frame in frames["adjectives"]),
        *((frame, "nouns", 1) for frame in frames["nouns"]),
        (frames["absent"], "nouns", -1),
        ("<WORDS>", "verbs", 1),
    ]
    for frame, form, sign in ways:
        if form in words:
            yield Telling(Feature(FEELING, name), sign, _any_of(frame, {**parts, "WORDS": words[form]}))


def _any_of(words: str, parts: Mapping[str, str]) -> Pattern[str]:
    """Ways to say it, one a line, as one pattern between word ends."""
    return re.compile(r"(?<![\w'])(?:" + filled("|".join(words.splitlines()), parts) + r")(?![\w'])")


def _joined(lines: str) -> str:
    return lines.replace("\n", "")


READ_CHARACTERS = 4_000
LONGEST_CLAUSE = 600
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»")
_SPACES = re.compile(r"\s+")
_COMMAS = re.compile(r"\s*,[\s,]*")
_NIGHT = re.compile(r"(?<!\w)(?:noite|night|madrugada)(?!\w)")


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something a message tells of a day: today, or `days_ago`."""

    feature: Feature
    polarity: int
    days_ago: int = 0


def noticed(text: str, weekday: int) -> list[Noticed]:
    """What a message sent on a weekday (0: Monday) tells, each thing once; a doubtful language is read as both."""
    shown = collapsed(_QUOTED.sub(" ", text[:READ_CHARACTERS]))
    language = language_of(shown)
    spoken = LANGUAGES if language is None else (language,)
    found: dict[Noticed, None] = {}
    for start, end in short_sentences(shown):
        check_time()
        sentence = shown[start:end]
        if sentence.rstrip("\"' )").endswith("?"):
            continue
        for name in spoken:
            for one in _in_sentence(sentence, name, weekday):
                found.setdefault(one)
    return list(found)


def _in_sentence(sentence: str, language: Language, weekday: int) -> list[Noticed]:
    lexicon = lexicon_of(language)
    flat = flattened(sentence).text
    found = _in_clauses(flat, lexicon, weekday)
    if found:  # names are looked for only where they could make it someone else's
        unnamed = _unnamed(sentence, flat, lexicon, language)
        found = found if unnamed == flat else _in_clauses(unnamed, lexicon, weekday)
    return found


def _in_clauses(flat: str, lexicon: Lexicon, weekday: int) -> list[Noticed]:
    return [
        one for clause in lexicon.clause_end.split(flat) for one in _in_clause(_tidy(clause), lexicon, weekday)
    ]  # fmt: skip


def _unnamed(sentence: str, flat: str, lexicon: Lexicon, language: Language) -> str:
    """The flat sentence with a pronoun for each name that does or has something ("Tom slept badly")."""
    if len(flat) != len(sentence):
        return flat
    for name in reversed(find_names(sentence, language)):
        marked = flat[: name.start] + NAME + flat[name.end :]
        for pattern, pronoun in lexicon.named:
            if name.name != SELF and pattern.search(marked):
                flat = pattern.sub(pronoun, marked)
                break
    return flat


def stated(text: str) -> list[Feature]:
    """The feelings with a topic that a learnt statement names ("anxious about deadlines"), whoever it speaks of."""
    flat = _tidy(flattened(collapsed(text[:READ_CHARACTERS])).text)
    found: dict[Feature, None] = {}
    for lexicon in map(lexicon_of, LANGUAGES):
        for name, pattern in lexicon.felt:
            match = pattern.search(flat)
            if match and not lexicon.denied.search(flat[: match.start()]):
                topic = topic_in(flat, lexicon, match.start(), match.end())
                if topic:
                    found.setdefault(Feature(FEELING, name, topic))
    return list(found)


def topic_in(text: str, lexicon: Lexicon, start: int, end: int) -> str:
    """The topic of a feeling: the nearest after its words, in the same part of the clause; else of those before them
    the most particular ("the project deadline makes me anxious"). None of the list: no topic."""
    best: tuple[bool, int, int, str] | None = None
    for rank, (topic, pattern) in enumerate(lexicon.topics):
        for match in pattern.finditer(text):
            if match.start() >= end and "," not in text[end : match.start()]:
                one = (False, match.start(), rank, topic)
            elif match.end() <= start:
                one = (True, rank, -match.start(), topic)
            else:
                continue
            best = one if best is None else min(best, one)
    return best[3] if best else ""


def _in_clause(clause: str, lexicon: Lexicon, weekday: int) -> Iterator[Noticed]:
    if not clause:
        return
    taken: list[tuple[int, int]] = []
    days_ago = _days_ago(clause, lexicon, weekday)
    if not lexicon.general.search(clause) and days_ago is not None:
        for telling in lexicon.tellings:
            check_time()
            for match in telling.pattern.finditer(clause):
                if (sign := _sign(telling, clause, match, lexicon, taken)) is not None:
                    taken.append(match.span())
                    last_night = telling.feature.kind == STATE and days_ago == 1 and _NIGHT.search(clause)
                    yield Noticed(telling.feature, sign, 0 if last_night else days_ago)
    felt = {name for name, pattern in lexicon.felt if pattern.search(clause)}
    if not felt or lexicon.long_ago.search(clause):
        return
    yesterday = 1 if lexicon.yesterday.search(clause) else 0
    for telling in lexicon.feelings:
        if telling.feature.name not in felt:
            continue
        for match in telling.pattern.finditer(clause):
            if (sign := _sign(telling, clause, match, lexicon, taken)) is not None:
                taken.append(match.span())
                topic = topic_in(clause, lexicon, match.start(), match.end())
                yield Noticed(replace(telling.feature, topic=topic), sign, yesterday)


def _sign(
    telling: Telling, clause: str, match: re.Match[str], lexicon: Lexicon, taken: list[tuple[int, int]]
) -> int | None:
    """What these words say here; None where they tell nothing of this person's day, or were read already."""
    if any(match.start() < end and match.end() > start for start, end in taken):
        return None
    before = clause[: match.start()].rpartition(", ")[2]
    denied = lexicon.denied.search(before) is not None
    if telling.feature.kind == FEELING and not denied:
        denied = lexicon.denied_within.search(match[0]) is not None
    if telling.only_denied:
        return -1 if denied and not lexicon.unreal.search(before) else None
    if lexicon.unreal.search(before) or _is_of_another(before, match[0], lexicon):
        return None
    if telling.feature.kind != FEELING and lexicon.theirs.match(clause, match.end()):  # a feeling may be about them
        return None
    return -telling.sign if denied else telling.sign


def _is_of_another(before: str, words: str, lexicon: Lexicon) -> bool:
    """Whether someone else is the one who did or felt it."""
    if lexicon.first_person.match(words):
        return False
    if before and lexicon.asks_who.match(words) and not lexicon.subjects.search(before):
        return True
    return bool(lexicon.another.search(before) or lexicon.others.match(before))


def _tidy(clause: str) -> str:
    return _COMMAS.sub(", ", _SPACES.sub(" ", clause)).strip(" .!…,-")[:LONGEST_CLAUSE]


def _days_ago(clause: str, lexicon: Lexicon, weekday: int) -> int | None:
    """Which day a clause tells of; None for none of the last week."""
    if lexicon.long_ago.search(clause):
        return None
    if lexicon.day_before.search(clause):
        return 2
    if lexicon.yesterday.search(clause):
        return 1
    named = [number for number, pattern in enumerate(lexicon.weekdays) if pattern.search(clause)]
    return (weekday - named[0]) % 7 if len(named) == 1 else 0


BATCH = 500
log = logging.getLogger(__name__)


class OfflineObserver:
    """Reads messages by themselves, without a model."""

    def __init__(self, *, read_within: timedelta = timedelta(seconds=3)) -> None:
        self._read_seconds = read_within.total_seconds()

    async def observe(self, messages: Sequence[Message], items: Sequence[KnowledgeItem] = ()) -> list[Observation]:
        found: list[Observation] = []
        for start in range(0, len(messages), BATCH):
            found += await asyncio.to_thread(self._read, messages[start : start + BATCH])
        said = {message.id: message for message in messages}
        told = {(one.message_id, one.feature.name) for one in found if one.feature.kind == FEELING}
        found += [one for item in items for one in _of_item(item, said, told)]
        return found

    def _read(self, messages: Sequence[Message]) -> list[Observation]:
        found: list[Observation] = []
        for message in messages:
            try:
                with time_limit(self._read_seconds):
                    for one in noticed(message.text, _day(message).weekday()):
                        day = _day(message) - timedelta(days=one.days_ago)
                        made = Observation(day=day, feature=one.feature, polarity=one.polarity, message_id=message.id)
                        found.append(made)
            except TooSlowError:
                log.warning("message %s is left unread: it took longer than %g seconds", message.id, self._read_seconds)
        return found


def _of_item(
    item: KnowledgeItem, said: Mapping[str, Message], told: set[tuple[str | None, str]]
) -> Iterator[Observation]:
    """A feeling of the person's own that was learnt, on each day it was said: a reader may know it where the words
    alone do not tell."""
    claimed = item.speaker is not None and fold(item.speaker) != fold(item.scope.user)
    if item.type is not KnowledgeType.EMOTION or item.subject != SELF or claimed:
        return
    for feature in stated(item.value or item.content):
        for id in item.message_ids:
            if id in said and (id, feature.name) not in told:
                yield Observation(day=_day(said[id]), feature=feature, message_id=id)


def _day(message: Message) -> date:
    """The day it was said, on the speaker's own clock; an unknown clock is read as UTC."""
    try:
        return local(message.sent_at, message.zone).date()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return message.sent_at.astimezone(UTC).date()


_: type[Observer] = OfflineObserver
