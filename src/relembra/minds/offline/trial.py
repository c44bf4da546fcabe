"""A small trial of the language tools and of the reader, for `relembra doctor`: plain sentences in each language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from relembra.errors import MindError
from relembra.minds.languages import LANGUAGES, known
from relembra.minds.offline.dates import find_dates
from relembra.minds.offline.language import language_of
from relembra.minds.offline.lemmas import lemma, table_of
from relembra.minds.offline.names import find_names
from relembra.minds.offline.sentences import split_sentences
from relembra.minds.reader.facts import read
from relembra.minds.reader.networks import Networks

__all__ = ["tried", "tried_reading"]

_SAID_AT = datetime(2026, 3, 11, 12, tzinfo=UTC)


def tried_reading(networks: Networks) -> int:
    """How many plain sentences the networks read, all of them right; `MindError` names the first that was not."""
    plain = [(language, *pair) for language in LANGUAGES for pair in known(language, "words")["trial"]["read"].items()]
    for language, said, wanted in plain:
        told = read(networks, said, (), said_at=_SAID_AT, language=language, least=0.5).facts
        if [fact.value for fact in told] != wanted:
            raise MindError(f"the reader misread {said!r}: {[fact.value for fact in told]}; install relembra again")
    return len(plain)


def tried() -> int:
    """How many cases were read, all of them right; `MindError` names the first that was not."""
    count = 0
    for name, found, wanted in _cases():
        count += 1
        if found != wanted:
            raise MindError(f"the language tools misread {name}: {found!r}, not {wanted!r}; install relembra again")
    return count


def _cases() -> Iterator[tuple[str, object, object]]:
    day = [date(2026, 3, 13)]
    for language in LANGUAGES:
        plain = known(language, "words")["trial"]
        dated, told, word = plain["dated"], plain["told"], plain["word"]
        yield dated, language_of(dated), language
        yield dated, [found.begins.date() for found in find_dates(dated, said_at=_SAID_AT, language=language)], day
        yield told, [found.name for found in find_names(told, language)], [plain["name"]]
        yield told, len(split_sentences(told)), 2
        if table_of(language):  # a package may come without
            yield word, lemma(word, language), plain["lemma"]
