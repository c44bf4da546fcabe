"""Speaking a reader's language: sentences by their keys, and numbers as people write them."""

from __future__ import annotations

__all__ = ["LANGUAGES", "Pair", "Words"]

LANGUAGES = ("en", "pt")
Pair = tuple[str, str]
"""A sentence in each language, in their order."""


class Words:
    """Catalogues of sentences in one language; a key is looked up in the first that has it."""

    def __init__(self, language: str, *catalogues: dict[str, Pair]) -> None:
        self.language = language
        column = LANGUAGES.index(language)
        self._sentences = {key: pair[column] for held in reversed(catalogues) for key, pair in held.items()}

    def __call__(self, key: str, **parts: object) -> str:
        """The sentence of a key with its parts filled in; KeyError where there is none."""
        text = self._sentences[key]
        return text.format(**parts) if parts else text

    def has(self, key: str) -> bool:
        return key in self._sentences

    def name(self, kind: str, word: str | None) -> str:
        """How one of a few words is called: a type, an area, a source; one without a translation as it is."""
        key = f"{kind}.{word}"
        return self(key) if word is not None and self.has(key) else (word or "")

    def count(self, what: str, number: int) -> str:
        """A number of things: "1 item", "3 items"."""
        return self(f"count.{what}.{'one' if number == 1 else 'many'}", n=self.whole(number))

    def number(self, value: float, digits: int = 2) -> str:
        text = f"{value:.{digits}f}"
        return text.replace(".", ",") if self.language == "pt" else text

    def whole(self, value: int) -> str:
        text = f"{value:,}"
        return text.replace(",", ".") if self.language == "pt" else text

    def size(self, size: int) -> str:
        amount, unit = float(size), "B"
        for unit in ("B", "KB", "MB", "GB", "TB"):
            if amount < 1000 or unit == "TB":
                break
            amount /= 1000
        return f"{self.number(amount, 0 if unit == 'B' else 1)} {unit}"
