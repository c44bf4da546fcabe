"""What is known of each language, as data: a folder for each, so that another language changes no module."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["LANGUAGES", "Language", "filled", "known", "words_of"]

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


def words_of(listed: str) -> frozenset[str]:
    """A closed list of words, written as one string for whoever reads it."""
    return frozenset(listed.split())


def filled(pattern: str, parts: Mapping[str, str]) -> str:
    """A pattern with its parts, which may have parts themselves, in place of their names: <NAME>."""
    while _PLACEHOLDER.search(pattern):
        pattern = _PLACEHOLDER.sub(lambda match: parts[match[1]], pattern)
    return pattern
