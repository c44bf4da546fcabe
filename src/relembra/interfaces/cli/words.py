"""The command line's sentences: in which language they are, and what people type in either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from relembra import locale
from relembra.locale import LANGUAGES

TYPED = (
    *("type", "area", "source", "kind", "keep", "half", "run", "work", "job_state", "period", "right"),
    *("order", "only"),
)
"""Kinds of words that people type, in either language."""


class Words(locale.Words):
    """The command line's sentences in one language."""

    def __init__(self, language: str) -> None:
        super().__init__(language, "cli", "names")


def token(kind: str, word: str) -> str:
    """The program's word for what a person typed in either language: "preferência" means preference."""
    return _tokens().get((kind, _folded(word)), word)


@cache
def _tokens() -> dict[tuple[str, str], str]:
    keys = [key.partition(".") for key in (*locale.ids("names"), *locale.ids("cli"))]
    return {
        (kind, _folded(Words(language)(f"{kind}.{name}"))): name
        for kind, _, name in keys
        if kind in TYPED
        for language in LANGUAGES
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
    """What follows --lang, wherever it stands: --help and mistakes have to obey it too."""
    words = list(argv)[: argv.index("--") if "--" in argv else None]
    for place, word in enumerate(words):
        if word == "--lang" or word.startswith("--lang="):
            return word.partition("=")[2] or next(iter(words[place + 1 :]), None)
    return None


def _in_file(env: Mapping[str, str]) -> str | None:
    """The language in the settings file; that a file cannot be read is reported where settings are loaded.

    The settings are not imported where there is no file: that takes as long as all the rest of a `--help`.
    """
    config = Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "relembra" / "relembra.toml"
    if not env.get("RELEMBRA_CONFIG") and not Path("relembra.toml").is_file() and not config.is_file():
        return None
    import tomllib

    from relembra.errors import SettingsError
    from relembra.settings import settings_file

    try:
        path = settings_file(env)
        language = None if path is None else tomllib.loads(path.read_text("utf-8")).get("language")
    except (SettingsError, OSError, ValueError, RuntimeError):
        return None
    return language if isinstance(language, str) else None
