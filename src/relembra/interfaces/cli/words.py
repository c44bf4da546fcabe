"""Speaking the reader's language on a terminal: which one, and what people type in either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from relembra.interfaces import words
from relembra.interfaces.cli.catalogue import SENTENCES
from relembra.interfaces.cli.manual import MANUAL
from relembra.interfaces.words import LANGUAGES

TYPED = (
    *("type", "area", "source", "kind", "keep", "pool", "half", "run", "work", "job_state", "period", "right"),
    *("order", "step", "only"),
)
"""Kinds of words that people type, in either language."""


class Words(words.Words):
    """The command line's catalogues in one language."""

    def __init__(self, language: str) -> None:
        super().__init__(language, SENTENCES, MANUAL)

    def token(self, kind: str, word: str) -> str:
        """The program's word for what a person typed in either language: "preferência" means preference."""
        return self._tokens.get((kind, _folded(word)), word)

    @cached_property
    def _tokens(self) -> dict[tuple[str, str], str]:
        keys = [key for key in SENTENCES if key.partition(".")[0] in TYPED]
        return {
            (key.partition(".")[0], _folded(name)): key.partition(".")[2] for key in keys for name in SENTENCES[key]
        }


def _folded(word: str) -> str:
    from relembra.domain.text import fold

    return fold(word).replace(" ", "_").replace("-", "_")


def spoken(argv: Sequence[str], env: Mapping[str, str]) -> str:
    """The language to speak: the one asked for, else the settings', else the system's."""
    asked = _asked(argv) or env.get("RELEMBRA_LANGUAGE") or _in_file(env)
    if asked in LANGUAGES:
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if word := env.get(name):
            return "pt" if word.lower().startswith("pt") else "en"
    return "en"


def _asked(argv: Sequence[str]) -> str | None:
    """What follows --lang, wherever it stands: --help has to obey it too."""
    for place, word in enumerate(argv):
        if word == "--":
            break
        if word == "--lang":
            return argv[place + 1] if place + 1 < len(argv) else None
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return None


def _in_file(env: Mapping[str, str]) -> str | None:
    """The language in the settings file; a file that cannot be read is somebody else's to report."""
    from relembra.errors import SettingsError
    from relembra.settings import settings_file

    try:
        path = settings_file(env)
        if path is None:
            return None
        import tomllib

        language = tomllib.loads(path.read_text("utf-8")).get("language")
    except (SettingsError, OSError, ValueError, RuntimeError):
        return None
    return language if isinstance(language, str) else None
