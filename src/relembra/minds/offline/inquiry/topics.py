"""Which topics a text is about, by its words in any form, and where to look first for them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.flat import Flat, listed
from relembra.minds.offline.language import STOP_WORDS, Language
from relembra.minds.offline.people import FIRST_NAMES

__all__ = ["TOPICS", "Topic", "about", "areas_of", "topics_in", "types_of"]


@dataclass(frozen=True, slots=True)
class Topic:
    """The words it is told by, where to look first when it is, and itself in a few words; by language."""

    words: Mapping[Language, str]
    types: tuple[KnowledgeType, ...]
    areas: tuple[LifeArea, ...]
    said: Mapping[Language, str]


TOPICS = msgspec.convert(
    tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")), dict[str, Topic]
)

MOST_TOPICS = 4
_SHORTEST_LOAN = 4
_SHORTEST_STEM = 4
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_POSSESSIVE = re.compile(r"'s?$")
# Words that share their stem with a topic's and mean something else.
_OTHERS = frozenset(
    listed(
        "livre livres livrar livrou conta contar conto contei contou come coming time times date dates cara caras"
        " tomar general generally universe particular nada copo copos capital capitais posto pena penas meio meios"
        " lead leads planet planets planeta planetas original passado passada metade metades notar sendo important"
        " curto curta vida vidas saia contrato contratos marcar marcou marquei melhor melhores prata chamar conhecer"
        " conheci conhece conheco conheceu conhecem deu showed showing shown minute minutes test tests likely likes"
        " liked gate gates certo certa quarta quebrei quebrar termina terminar terminou sentido santa santos prazer"
        " caminho corrido metros mind minds minded break breaks breaking step stepping engaging engage short"
        " friendly related relatively relatable national park parks program programs physical hand hands positive"
        " promote promotes promoting promotional meet meets met present order orders production productive"
        " productivity raised raises store stored storing object objects apart install installed installation"
        " operate operating operations operators master mastering booking busy assign suited named fire addressing"
        " mechanism mechanisms lively boot drain draining coating coated stream manage managed manages manageable"
        " managing management challenging targeted vents published publishing"
    )
)
# Expressions whose words tell of no topic.
_IDLE = listed(
    "i'm_meeting am_meeting are_meeting is_meeting by_the_way in_class_of por_conta dar_conta em_conta de_graca"
)
_MONTHS = frozenset(
    listed(
        "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro january february"
        " march april may june july august september october november december"
    )
)
_NO_TOPIC = STOP_WORDS | _OTHERS | _MONTHS | FIRST_NAMES["pt"] | FIRST_NAMES["en"]
# Told apart only by their accents.
_ACCENTED = {"país": ("travel",), "avós": ("family",), "fé": ("faith",), "pé": (), "céu": ()}


class _Table(NamedTuple):
    exact: dict[str, tuple[str, ...]]
    stems: dict[str, tuple[str, ...]]
    expressions: dict[str, list[tuple[tuple[str, ...], str]]]  # by their first word, longest first


def topics_in(flat: Flat, language: Language | None) -> tuple[str, ...]:
    """Topics, most told first, and of those told as often the first named first."""
    found: dict[str, int] = {}
    for topic in _told(flat, language):
        found[topic] = found.get(topic, 0) + 1
    return tuple(sorted(found, key=lambda topic: -found[topic])[:MOST_TOPICS])


def types_of(topics: Iterable[str]) -> tuple[KnowledgeType, ...]:
    """Kinds of knowledge to look at first, the first topic's first."""
    return tuple(dict.fromkeys(type for topic in topics for type in TOPICS[topic].types))


def areas_of(topics: Iterable[str]) -> tuple[LifeArea, ...]:
    """Areas of life to look at first, the first topic's first."""
    return tuple(dict.fromkeys(area for topic in topics for area in TOPICS[topic].areas))


def about(topics: Sequence[str], language: Language | None) -> str | None:
    """The first topic in a few words of the question's language, to compare in meaning with what is known: a question
    about dinner looks for tastes. None where there is no topic."""
    return TOPICS[topics[0]].said[language or "en"] if topics else None


def _told(flat: Flat, language: Language | None) -> Iterator[str]:
    spans = [match.span() for match in _WORD.finditer(flat.text)]
    words = [flat.text[start:end] for start, end in spans]
    tables = [_table(one) for one in ((language,) if language else ("pt", "en"))]
    done = 0
    for place, (start, end) in enumerate(spans):
        if place < done:
            continue
        expression = next((found for table in tables if (found := _expression(words, place, table))), None)
        if expression:
            size, topics = expression
            done = place + size
            yield from filter(None, topics)
            continue
        accented = _ACCENTED.get(flat.raw[start:end].lower())
        yield from _of_word(words[place], language) if accented is None else accented


def _expression(words: list[str], place: int, table: _Table) -> tuple[int, list[str]] | None:
    """The longest expression that begins here, and every topic it tells of."""
    size, topics = 0, []
    for rest, topic in table.expressions.get(words[place], ()):
        if len(rest) + 1 < size:
            break
        if tuple(words[place + 1 : place + 1 + len(rest)]) == rest:
            size = len(rest) + 1
            topics.append(topic)
    return (size, topics) if topics else None


@lru_cache(maxsize=20_000)
def _of_word(word: str, language: Language | None) -> tuple[str, ...]:
    word = _POSSESSIVE.sub("", word)
    languages: tuple[Language, ...] = (language,) if language else ("pt", "en")
    for one in languages:
        if topics := _in_language(word, one):
            return topics
    if language and len(word) >= _SHORTEST_LOAN and word not in _NO_TOPIC:
        other = _table("en" if language == "pt" else "pt").exact.get(word)
        if other:
            return other
    if "-" in word:
        return tuple(dict.fromkeys(topic for part in word.split("-") for topic in _of_word(part, language)))
    return ()


def _in_language(word: str, language: Language) -> tuple[str, ...]:
    table = _table(language)
    if word in table.exact:
        return table.exact[word]
    if len(word) < 3 or word in _NO_TOPIC:
        return ()
    for form in _near_forms(word):
        if form in table.exact:
            return table.exact[form]
    stem = _stem(word, language)
    return table.stems.get(stem, ()) if len(stem) >= _SHORTEST_STEM else ()


def _near_forms(word: str) -> Iterator[str]:
    """The other number of a word, for stems too short to be told by."""
    yield word.removesuffix("s") if word.endswith("s") else word + "s"


_ANALYZER = BilingualAnalyzer()


def _stem(word: str, language: Language) -> str:
    terms = _ANALYZER.terms(word)
    return (terms[0] if language == "pt" else terms[-1]) if terms else word


@cache
def _table(language: Language) -> _Table:
    """Made once, when a question in this language is first read."""
    table = _Table({}, {}, {})
    for name, topic in TOPICS.items():
        for entry in topic.words[language].split():
            if "_" in entry:
                first, *rest = entry.split("_")
                table.expressions.setdefault(first, []).append((tuple(rest), name))
                continue
            for index, key in ((table.exact, entry), (table.stems, _stem(entry, language))):
                if name not in index.get(key, ()):
                    index[key] = (*index.get(key, ()), name)
    for first, *rest in (entry.split("_") for entry in _IDLE):
        table.expressions.setdefault(first, []).append((tuple(rest), ""))
    for choices in table.expressions.values():
        choices.sort(key=lambda choice: -len(choice[0]))
    return table
