"""Short sentences for what was read, by templates of its language; what no template says well stays as it was said."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from relembra.minds.offline.language import Language
from relembra.minds.offline.names import RELATIONS

__all__ = ["Phrase", "Vocabulary", "called", "sentence", "vocabulary"]

_FOLDER = Path(__file__).parent / "wording"
_VOWEL = re.compile(r"(?!uni|eu|one\b|us\b|uk\b)[aeiou]|hour|honest", re.IGNORECASE)
_UNCOUNTED = re.compile(r"(?:an?|the|my|our|self-employed|retired|unemployed|between|one of)\b|.*[^s]s$", re.IGNORECASE)
_JOINED = re.compile(r"\b(de|a) ([oa]s?) ", re.IGNORECASE)  # in Portuguese
_HOUR = re.compile(r"\d|uma\b|duas\b|tr[êe]s\b|\w+ (?:horas|e meia)|half|quarter|noon|midnight", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a language that reading needs, as its file lists them."""

    own: frozenset[str]  # for the one who speaks
    pronouns: frozenset[str]
    meant: frozenset[str]  # those that stand for whom was spoken of before
    determiners: frozenset[str]
    places: frozenset[str]  # words before a place
    toward: Mapping[str, str]  # words before a place somebody goes to, and the one for being there
    years: str
    counted: frozenset[str]  # words before a thing that say how many
    phrases: Mapping[str, frozenset[str]]  # words that noun phrases stand behind, go on with, are listed by …
    labels: Mapping[str, str]  # by attribute: how a value is named that says little by itself
    after: Mapping[str, frozenset[str]]  # by attribute: words a value stands behind where its template fits
    leading: Mapping[str, frozenset[str]]  # by attribute: verbs and small words that are no part of a value
    ties: Mapping[str, str]  # words that tell a tie without naming it, and its name
    newly: frozenset[str]  # words that say that something was otherwise before
    shapes: Mapping[str, str]  # by attribute: a pattern its values fit
    over: Mapping[str, str]  # how it is said that a job, a couple, a life is over, and what takes that back
    sentences: Mapping[str, Mapping[str, Any]]
    guards: Mapping[str, re.Pattern[str]]  # words around a value that say it is no fact, or another one


@dataclass(frozen=True, slots=True)
class Phrase:
    """What is put into a sentence: the value as said, the word right before it, and who it is about."""

    attribute: str
    status: str
    value: str
    before: str | None = None  # None: nothing else was said
    subject: str | None = None  # None: the speaker, who is not named


@lru_cache(maxsize=2)
def vocabulary(language: Language) -> Vocabulary:
    told = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    own, pronouns, meant, determiners, places = map(
        frozenset, (told[k] for k in ("self", "pronouns", "meant", "determiners", "places"))
    )
    after = {name: frozenset(words.split()) for name, words in told["after"].items()}
    phrases = {name: frozenset(words.split()) for name, words in told["phrases"].items()}
    leading = {name: frozenset(words.split()) for name, words in told["leading"].items()}
    ties = RELATIONS[language]
    guards = {name: re.compile(words.replace("TIES", ties), re.IGNORECASE) for name, words in told["guards"].items()}
    return Vocabulary(
        *(own, pronouns, meant, determiners, places, told["toward"], told["years"], frozenset(told["counted"].split())),
        *(phrases, told["labels"], after, leading, told["ties"], frozenset(told["newly"].split())),
        *(told["shapes"], told["over"], told["sentences"], guards),
    )


def sentence(phrase: Phrase, language: Language) -> str | None:
    """The phrase in a sentence; None where no template says it well."""
    template = _template(phrase, language)
    if template is None:
        return None
    words, place = (
        vocabulary(language),
        ("em" if language == "pt" else "in") if phrase.before is None else phrase.before,
    )
    if phrase.attribute == "residence":
        place = words.toward.get(place.lower(), place)
    if "{at}" in template and place.lower() not in words.places:
        return None
    if not _fits(phrase, words):
        return None
    value = _with_unit(phrase, language)
    text = template.format(
        v=value,
        at=place.lower(),
        a="" if _UNCOUNTED.match(value) else "an " if _VOWEL.match(value) else "a ",
        the=_article(value) if language == "pt" else "",
        one=f"{place.lower()} " if place.lower() in words.counted else "",
        hour=("às " if language == "pt" else "at ") if _HOUR.match(value) else "",
        s=phrase.subject or "",
    )
    text = _JOINED.sub(_contracted, text) if language == "pt" else text
    if phrase.subject is None or "{s}" in template:
        return text
    return f"{phrase.subject}{',' if ':' in template else ''} {text[0].lower()}{text[1:]}"


def called(subject: str, relation: str | None, language: Language) -> str:
    """Somebody as the subject of a sentence: by name, or by the tie ("A irmã", "Their sister")."""
    if relation is None:
        return subject
    told = f"{_article(subject)}{subject}" if language == "pt" else f"their {subject}"
    return told[0].upper() + told[1:]


def _template(phrase: Phrase, language: Language) -> str | None:
    options = vocabulary(language).sentences.get(phrase.attribute, {}).get(phrase.status)
    if options is None or isinstance(options, str):
        return options
    found: str | None = next(say for fits, say in options if re.search(fits, phrase.value, re.IGNORECASE))
    return found


def _fits(phrase: Phrase, words: Vocabulary) -> bool:
    """Whether the value is what the template expects: of its shape, behind a word that leads to it, and told of
    whoever it is told of: "my job" is somebody else's there.
    """
    if not (words.own & words.determiners).isdisjoint(phrase.value.lower().split()):
        return False
    if not re.search(words.shapes.get(phrase.attribute, ""), phrase.value, re.IGNORECASE):
        return False
    leading = words.after.get(phrase.attribute)
    return phrase.before is None or leading is None or phrase.before.lower() in leading


def _with_unit(phrase: Phrase, language: Language) -> str:
    is_bare = phrase.attribute == "age" and phrase.value.isdigit()
    return f"{phrase.value} {vocabulary(language).years}" if is_bare else phrase.value


def _contracted(found: re.Match[str]) -> str:
    """A preposition and an article in one word: "de o" is "do", "a as" is "às"."""
    preposition, article = found[1].lower(), found[2]
    if preposition == "a" and article.startswith("a"):
        return f"à{article[1:]} "
    return f"{preposition[0]}{article} "


def _article(relation: str) -> str:
    """The article before a tie in Portuguese, where its ending tells the gender: "a irmã", "o pai"."""
    first = relation.lower().split()[0]
    if first in ("amigo", "amiga", "colega", "chefe", "ex"):
        return ""
    if first.endswith(("a", "ã", "ó")) or first == "mãe":
        return "a "
    return "o " if first.endswith(("o", "ô", "ão", "i")) else ""
