"""The parts of a command line as typed values; one that cannot be read is a `UsageError` with its option."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from relembra.errors import InvalidInputError
from relembra.interfaces.cli.reading import Line, UsageError
from relembra.interfaces.cli.typed import whole_input
from relembra.interfaces.cli.words import Words

if TYPE_CHECKING:
    from relembra.recall.asked import ItemWishes

STDIN = "-"


class EmptyError(InvalidInputError):
    """A text that has to say something says nothing."""


class Given:
    """What was typed."""

    def __init__(self, line: Line, words: Words) -> None:
        self._line = line
        self._words = words

    def flag(self, key: str) -> bool:
        return self._line.has(key)

    def maybe(self, key: str) -> str | None:
        return self._line.last(key)

    def required(self, key: str) -> str:
        word = self._line.last(key)
        if word is None:
            raise UsageError("usage.missing", command=self._command, argument=key)
        return _said_something(word, key)

    def path(self, key: str) -> Path:
        return Path(self.required(key)).expanduser()

    def many(self, key: str) -> list[str]:
        return list(self._line.values.get(key, []))

    def names(self, key: str) -> list[str]:
        return [_said_something(word, key) for word in self.many(key)]

    def text(self, key: str) -> str | None:
        """A text; "-" is what standard input holds."""
        word = self._line.last(key)
        return None if word is None else _said_something(whole_input() if word == STDIN else word, key)

    def who(self, key: str) -> str | None:
        """Who does it, as the library reads it."""
        from relembra.domain.audit import Actor

        word = self._line.last(key)
        try:
            return None if word is None else str(Actor.parse(word))
        except InvalidInputError:
            raise self._mistake("usage.who", key, word) from None

    def token(self, key: str) -> str | None:
        """One of a few words, in either language."""
        word = self._line.last(key)
        return None if word is None else self._words.token(key, word)

    def tokens(self, key: str) -> list[str] | None:
        found = [self._words.token(key, word) for word in self.many(key)]
        return found or None

    def whole(self, key: str) -> int | None:
        word = self._line.last(key)
        try:
            return None if word is None else int(word)
        except ValueError:
            raise self._mistake("usage.whole", key, word) from None

    def number(self, key: str) -> float | None:
        """A number, with a point or a comma."""
        word = self._line.last(key)
        try:
            return None if word is None else float(word.replace(",", "."))
        except ValueError:
            raise self._mistake("usage.number", key, word) from None

    def moment(self, key: str, *, whole_day: bool = False) -> datetime | None:
        """A moment; one without an offset is by this computer's clock, and a day ends where the next begins."""
        word = self._line.last(key)
        if word is None:
            return None
        try:
            if len(word) == len("2026-03-01"):
                day = date.fromisoformat(word) + timedelta(days=1 if whole_day else 0)
                return datetime.combine(day, time()).astimezone()
            moment = datetime.fromisoformat(word)
            return moment if moment.tzinfo is not None else moment.astimezone()
        except OverflowError:
            raise self._mistake("usage.date_range", key, word) from None
        except ValueError:
            raise self._mistake("usage.date", key, word) from None

    def then(self, key: str) -> datetime | None:
        """A moment to look back to; a day alone means its end."""
        word = self._line.last(key)
        moment = self.moment(key, whole_day=True)
        whole_day = word is not None and len(word) == len("2026-03-01")
        return moment - timedelta(microseconds=1) if moment is not None and whole_day else moment

    def pairs(self, key: str) -> dict[str, str]:
        found = {}
        for word in self.many(key):
            name, sign, value = word.partition("=")
            if not name or not sign:
                raise self._mistake("usage.pair", key, word)
            found[name] = value
        return found

    def wishes(self) -> ItemWishes:
        """The filters of `list`, `count`, `search` and `recall`."""
        return {
            "type": self.tokens("type"),
            "area": self.tokens("area"),
            "source": self.tokens("source"),
            "tags": self.many("tag"),
            "subject": self.maybe("subject"),
            "attribute": self.maybe("attribute"),
            "confidence": self.number("min_confidence"),
            "below": self.number("below"),
            "since": self.moment("since"),
            "until": self.moment("until", whole_day=True),
            "as_of": self.then("as_of"),
            "true_at": self.then("true_at"),
            "note": self.maybe("note"),
            "only": self.token("only"),
            "history": self.flag("history"),
            "deleted": self.flag("deleted"),
        }

    @property
    def looks_back(self) -> bool:
        """Whether another moment than now is asked about."""
        return self._line.has("as_of") or self._line.has("true_at")

    @property
    def filtered(self) -> bool:
        """Whether anything narrows what is asked for."""
        narrowing = ("type", "area", "tag", "source", "subject", "attribute", "min_confidence", "below", "note", "only")
        return self.looks_back or any(self._line.has(key) for key in (*narrowing, "since", "until", "space", "after"))

    @property
    def _command(self) -> str | None:
        return self._line.command.name if self._line.command else None

    def _mistake(self, sentence: str, key: str, word: str | None) -> UsageError:
        option = "--" + key.replace("_", "-")
        return UsageError(sentence, command=self._command, option=option, word=word or "''")


def _said_something(text: str, key: str) -> str:
    from relembra.domain.text import is_blank

    if is_blank(text):
        raise EmptyError(f"{key} must not be empty", field=key)
    return text
