"""The sentences people read, by language, context and id, and numbers as people write them.

They stand in `LANGUAGE/LC_MESSAGES/relembra.po`; what is read here is the relembra.mo that `make locale` makes of it.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations
from pathlib import Path

__all__ = ["LANGUAGES", "Words", "ids"]

LANGUAGES = ("en", "pt")


class _Catalogue(GNUTranslations):
    """The sentences of a language. Those of a context are held under the context, a separator and their id."""

    _catalog: dict[str, str]

    def get(self, context: str, id: str) -> str | None:
        return self._catalog.get(self.CONTEXT % (context, id))

    def ids(self, context: str) -> list[str]:
        start = self.CONTEXT % (context, "")
        return [key.removeprefix(start) for key in self._catalog if key.startswith(start)]


@cache
def _catalogue(language: str) -> _Catalogue:
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; choose one of {', '.join(LANGUAGES)}")
    with (Path(__file__).parent / language / "LC_MESSAGES" / "relembra.mo").open("rb") as file:
        return _Catalogue(file)


def ids(context: str) -> list[str]:
    """What there are sentences for in a context; the same in every language."""
    return _catalogue(LANGUAGES[0]).ids(context)


class Words:
    """Sentences in one language; an id is looked up in the first of the contexts that has it."""

    def __init__(self, language: str, *contexts: str) -> None:
        self.language = language
        self._contexts = contexts

    def __call__(self, key: str, **parts: object) -> str:
        """The sentence of an id with its parts filled in; KeyError where there is none."""
        text = self._found(key)
        if text is None:
            raise KeyError(key)
        return text.format(**parts) if parts else text

    def has(self, key: str) -> bool:
        return self._found(key) is not None

    def _found(self, key: str) -> str | None:
        catalogue = _catalogue(self.language)  # read when the first sentence is asked for, not at start-up
        for context in self._contexts:
            if (text := catalogue.get(context, key)) is not None:
                return text
        return None

    def name(self, kind: str, word: str | None) -> str:
        """How one of a few words is called: a type, an area, a source; one without a translation as it is."""
        key = f"{kind}.{word}"
        return self(key) if word is not None and self.has(key) else (word or "")

    def count(self, what: str, number: int) -> str:
        """A number of things: "1 item", "3 items"."""
        return self(f"count.{what}.{'one' if number == 1 else 'many'}", n=self.whole(number))

    def number(self, value: float, digits: int = 2) -> str:
        return self.decimal(f"{value:.{digits}f}")

    def decimal(self, figures: str) -> str:
        """Figures with a decimal point, as the reader writes them."""
        return figures.replace(".", Words(self.language, "formats")("decimal"))

    def whole(self, value: int) -> str:
        return f"{value:,}".replace(",", Words(self.language, "formats")("thousands"))

    def size(self, size: int) -> str:
        amount, unit = float(size), "B"
        for unit in ("B", "KB", "MB", "GB", "TB"):
            if amount < 1000 or unit == "TB":
                break
            amount /= 1000
        return f"{self.number(amount, 0 if unit == 'B' else 1)} {unit}"
