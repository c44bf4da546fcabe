"""Reading a message for what it tells of a day: clause by clause, denials, wishes and other people's doings apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from relembra.domain.deadline import check_time
from relembra.domain.insight import FEELING, STATE, Feature
from relembra.domain.text import collapsed
from relembra.minds.offline.diary.words import NAME, Lexicon, Telling, lexicon_of
from relembra.minds.offline.flat import flattened
from relembra.minds.offline.language import Language, language_of
from relembra.minds.offline.names import SELF, find_names
from relembra.minds.offline.sentences import short_sentences

__all__ = ["READ_CHARACTERS", "Noticed", "noticed", "stated", "tells_of_others", "topic_of"]

READ_CHARACTERS = 4_000
LONGEST_CLAUSE = 600
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»")
_SPACES = re.compile(r"\s+")
_COMMAS = re.compile(r"\s*,[\s,]*")
_MYSELF = re.compile(r"(?<![\w'])(?:eu|me|mim|comigo|i|i'm|i've|i'll|i'd|we|nos)(?![\w'])")
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
    spoken: list[Language] = ["pt", "en"] if language is None else [language]
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
    if found:  # names are looked for only where they could make it somebody else's
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


def tells_of_others(text: str) -> bool:
    """Whether every sentence is about somebody else and none about the speaker ("My sister is sad")."""
    shown = collapsed(text[:READ_CHARACTERS])
    language = language_of(shown)
    sentences = [shown[start:end] for start, end in short_sentences(shown)]
    spoken: list[Language] = ["pt", "en"] if language is None else [language]
    return bool(sentences) and all(any(_is_about_another(one, name) for name in spoken) for one in sentences)


def _is_about_another(sentence: str, language: Language) -> bool:
    lexicon = lexicon_of(language)
    flat = _unnamed(sentence, flattened(sentence).text, lexicon, language)
    return lexicon.others.match(_tidy(flat)) is not None and _MYSELF.search(flat) is None


def stated(text: str) -> list[Feature]:
    """The feelings with a topic that a learnt statement names ("anxious about deadlines"), whoever it speaks of."""
    flat = _tidy(flattened(collapsed(text[:READ_CHARACTERS])).text)
    found: dict[Feature, None] = {}
    for lexicon in (lexicon_of("pt"), lexicon_of("en")):
        for name, pattern in lexicon.felt:
            match = pattern.search(flat)
            if match and not lexicon.denied.search(flat[: match.start()]):
                topic = topic_in(flat, lexicon, match.start(), match.end())
                if topic:
                    found.setdefault(Feature(FEELING, name, topic))
    return list(found)


def topic_of(text: str) -> str:
    """The first topic of the list that a message names, or none."""
    flat = _tidy(flattened(collapsed(text[:READ_CHARACTERS])).text)
    return topic_in(flat, lexicon_of(language_of(text) or "en"), 0, 0)


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
    """Whether somebody else is the one who did or felt it."""
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
