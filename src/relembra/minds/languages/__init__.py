"""What is known of each language, as data: a folder for each, so that another language changes no module."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

__all__ = [
    "FALLBACK",
    "LANGUAGES",
    "Language",
    "filled",
    "in_any",
    "known",
    "pattern_of",
    "shared",
    "words_in_any",
    "words_of",
]

HERE = Path(__file__).parent

Language = str
"""A code such as "pt": the name of a folder beside this module."""

_PLACEHOLDER = re.compile(r"<([A-Z_]+)>")


@cache
def known(language: Language, what: str) -> dict[str, Any]:
    """One file of a language, read once: `known("pt", "dates")`."""
    return tomllib.loads((HERE / language / f"{what}.toml").read_text(encoding="utf-8"))


LANGUAGES: tuple[Language, ...] = tuple(
    sorted(
        (path.parent.name for path in HERE.glob("*/words.toml")), key=lambda name: int(known(name, "words")["order"])
    )
)
"""All of them, in the order they are tried when a text does not tell which it is."""
FALLBACK = LANGUAGES[-1]
"""In which to speak of a text that does not tell."""


def words_of(listed: str) -> frozenset[str]:
    """A closed list of words, written as one string for whoever reads it."""
    return frozenset(listed.split())


def filled(pattern: str, parts: Mapping[str, str]) -> str:
    """A pattern with its parts, which may have parts themselves, in place of their names: <NAME>."""
    while _PLACEHOLDER.search(pattern):
        pattern = _PLACEHOLDER.sub(lambda match: parts[match[1]], pattern)
    return pattern


@cache
def pattern_of(language: Language, what: str, name: str, **shared: str) -> re.Pattern[str] | None:
    """A pattern of a language's file, its lines joined and its parts filled in; None where the language has none."""
    told = known(language, what)
    if name not in told["patterns"]:
        return None
    return re.compile(filled(told["patterns"][name], {**shared, **told.get("parts", {})}).replace("\n", ""))


@cache
def in_any(what: str, name: str, *others: str, **shared: str) -> re.Pattern[str]:
    """The pattern of that name in any language, or one of the others given, which belong to none."""
    found = (pattern_of(language, what, name, **shared) for language in LANGUAGES)
    return re.compile("|".join([*(f"(?:{one.pattern})" for one in found if one), *others]))


@cache
def words_in_any(what: str, name: str) -> frozenset[str]:
    """The words listed under that name, of all languages."""
    return frozenset().union(*(words_of(known(language, what)["words"].get(name, "")) for language in LANGUAGES))


@cache
def shared(name: str) -> Any:
    """What belongs to no language, or to all."""
    return tomllib.loads((HERE / "shared.toml").read_text(encoding="utf-8"))[name]
