"""A small trial of the language tools and of the reader, for `relembra doctor`: plain sentences in each language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from relembra.errors import MindError
from relembra.minds.offline.dates import find_dates
from relembra.minds.offline.language import Language, language_of
from relembra.minds.offline.lemmas import lemma, table_of
from relembra.minds.offline.names import find_names
from relembra.minds.offline.sentences import split_sentences
from relembra.minds.reader.facts import read
from relembra.minds.reader.networks import Networks

__all__ = ["tried", "tried_reading"]

_SAID_AT = datetime(2026, 3, 11, 12, tzinfo=UTC)
_PLAIN: tuple[tuple[Language, str, str, str, str, str], ...] = (
    (
        "pt",
        "Minha chefe se chama Helena Prado. Pago R$ 1.450,00 de aluguel.",
        "a consulta é depois de amanhã",
        "Helena Prado",
        "morávamos",
        "morar",
    ),
    (
        "en",
        "My boss is called Helen Price. I weigh 71.5 kg.",
        "the appointment is the day after tomorrow",
        "Helen Price",
        "children",
        "child",
    ),
)
"""Language, something told, something dated, the name in the first, a word and its lemma."""

_READ: tuple[tuple[Language, str, list[str]], ...] = (
    ("pt", "Eu moro em Recife.", ["Recife"]),
    ("en", "I live in Boston.", ["Boston"]),
    ("pt", "Oi, tudo bem?", []),
    ("en", "Hey, how are you?", []),
)
"""Language, something said, and the values in it."""


def tried_reading(networks: Networks) -> int:
    """How many plain sentences the networks read, all of them right; `MindError` names the first that was not."""
    for language, said, wanted in _READ:
        told = read(networks, said, (), said_at=_SAID_AT, language=language, least=0.5).facts
        if [fact.value for fact in told] != wanted:
            raise MindError(f"the reader misread {said!r}: {[fact.value for fact in told]}; install relembra again")
    return len(_READ)


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
    for language, told, dated, name, word, root in _PLAIN:
        yield dated, language_of(dated), language
        yield dated, [found.begins.date() for found in find_dates(dated, said_at=_SAID_AT, language=language)], day
        yield told, [found.name for found in find_names(told, language)], [name]
        yield told, len(split_sentences(told)), 2
        if table_of(language):  # a package may come without
            yield word, lemma(word, language), root
