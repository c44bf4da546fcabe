"""Words about people, in flat form, from `people.toml`: first names, ties, titles, and capitals that are no names."""

from __future__ import annotations

import tomllib
from pathlib import Path

__all__ = ["AMBIGUOUS_NAMES", "FIRST_NAMES", "KIN_TITLES", "NOT_PEOPLE", "RELATIONS", "TITLES"]

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

FIRST_NAMES: dict[str, frozenset[str]] = {
    language: frozenset(names.split()) for language, names in _TOLD["first_names"].items()
}
AMBIGUOUS_NAMES: frozenset[str] = frozenset(_TOLD["ambiguous_names"].split())
"""Names that are also words or places: at the beginning of a sentence they need more than their capital."""

NOT_PEOPLE: frozenset[str] = frozenset(_TOLD["not_people"].split())
RELATIONS: dict[str, str] = {language: "|".join(words.split()) for language, words in _TOLD["relations"].items()}
TITLES: dict[str, str] = _TOLD["titles"]
KIN_TITLES: dict[str, dict[str, str]] = _TOLD["kin_titles"]
"""As said, and the tie it tells of."""
