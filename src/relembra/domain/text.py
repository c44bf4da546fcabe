"""What may enter: checks on names, choices and what was said; and small text helpers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from itertools import islice
from typing import TypeVar

from relembra.errors import InvalidInputError

LONGEST_NAME = 200
LONGEST_TEXT_BYTES = 1_048_576
LONGEST_LINE = 600
LONGEST_RUN = 40
LONGEST_WORDS = 160

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0"
)
_BLANKS = re.compile(rf"[\s{_INVISIBLE}]{{3,}}+")
_WORDS = re.compile("“[^“”]+”")
_RUN = re.compile(rf"(\S)\1{{{LONGEST_RUN},}}+")


def checked_name(name: str, field: str) -> str:
    """A name used as a key: not empty, not long, printable. Returned as given."""
    if not isinstance(name, str) or not name.strip():
        raise InvalidInputError(f"{field} must not be empty", field=field, kind="empty")
    if len(name) > LONGEST_NAME:
        said = f"{field} is longer than {LONGEST_NAME} characters"
        raise InvalidInputError(said, field=field, kind="long", most=LONGEST_NAME)
    if not name.isprintable():
        raise InvalidInputError(f"{field} may only hold printable characters", field=field, kind="unprintable")
    return name


def checked_text(text: str, field: str = "text") -> str:
    """Text to remember: valid Unicode, not blank, at most 1 MiB. Returned as given, for nothing said is rewritten."""
    if not isinstance(text, str):
        raise InvalidInputError(f"{field} must be text", field=field)
    try:
        size = len(text.encode())
    except UnicodeEncodeError as exc:
        raise InvalidInputError(
            f"{field} is not valid Unicode (lone surrogate at character {exc.start}); decode it properly first",
            field=field,
        ) from exc
    if "\x00" in text:
        raise InvalidInputError(f"{field} holds a NUL character; remove it first", field=field)
    if size > LONGEST_TEXT_BYTES:
        raise InvalidInputError(f"{field} is {size} bytes long; at most {LONGEST_TEXT_BYTES} are kept", field=field)
    if is_blank(text):
        raise InvalidInputError(f"{field} must not be empty", field=field, kind="empty")
    return text


def holds_more_than(most: int, json: bytes) -> bool:
    """Whether a JSON text has more values and names than so many, told without making any of them."""
    if sum(json.count(mark) for mark in b",:[{") < most:  # one of which stands before each, but for the first
        return False
    return next(islice(_JSON_VALUE.finditer(json), most, None), None) is not None


_JSON_VALUE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[{]|[^\s"\[\]{},:]++', re.DOTALL)


def is_blank(text: str) -> bool:
    """Whether nothing in it can be read: only spaces, controls and invisible marks."""
    return not text[:1].isalnum() and all(unicodedata.category(char)[0] in "CZ" for char in text)


def collapsed(text: str) -> str:
    """The text as it is read: of three blanks or invisible marks in a row one is left, or the ends of up to two lines.

    A sign repeated more than forty times is repeated forty times. What a pattern would try in every way there is to
    divide it says no more than its beginning does.
    """
    text = _BLANKS.sub(lambda run: "\n" * min(2, run[0].count("\n")) or " ", text)
    return _RUN.sub(lambda run: run[1] * LONGEST_RUN, text)


class _Folded(dict[int, str]):
    """What becomes of each character, worked out when it is first met; it does not depend on its neighbours."""

    def __missing__(self, code: int) -> str:
        small = unicodedata.normalize("NFKD", chr(code)).casefold()  # 𝕊 is a capital only once it is an S
        plain = "".join(char for char in unicodedata.normalize("NFKD", small) if not unicodedata.combining(char))
        self[code] = plain
        return plain


_FOLDED = _Folded()


def fold(text: str) -> str:
    """Lower case without accents, the form in which words are compared."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


_LATIN = re.compile(
    r"(?:NEGATIVE \w+ )?(?:LATIN(?: SMALL| CAPITAL)?|REGIONAL INDICATOR SYMBOL) LETTER"
    r" (?:SMALL CAPITAL |DOTLESS )?([A-Z])(?: WITH .*)?"
)
"""Names of characters that are a Latin letter in another dress, like ı, ɪ, ł and 🅰."""

_LOOK_ALIKES = {
    other: letter
    for letter, others in {
        **{"a": "аαɑᎪ", "b": "вьβΒᏏᏴ", "c": "сϲᏟ", "d": "ԁᎠ", "e": "еєεҽ℮Ꭼ", "f": "ϝ", "g": "ɡցᏀ", "h": "һнΗհᎻ"},
        **{"j": "јϳᎫ", "k": "кκᏦ", "l": "i1іιɩӏǀլլᎥᏆᏞ", "m": "мΜᎷ", "n": "пΝηոռ", "o": "0оοσօ", "p": "рρᏢ"},
        **{"q": "ԛզ", "r": "гᎡᏒ", "s": "ѕՏᏚ", "t": "тτᎢ", "u": "υս", "v": "ѵνᏙ", "w": "ԝωա", "x": "хχ"},
        **{"y": "уүΥγᎩᎽ", "z": "ΖζᏃ"},
    }.items()
    for other in others
}
_FILLERS = "\u115f\u1160\u3164\uffa0"  # letters that show nothing


class _AsSeen(dict[int, str]):
    """What each character looks like, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        seen = "".join(map(self._letter, unicodedata.normalize("NFKD", chr(code))))
        self[code] = seen
        return seen

    @staticmethod
    def _letter(char: str) -> str:
        if char in _LOOK_ALIKES:  # as a capital: Ν is an N, and ν rather a v
            return _LOOK_ALIKES[char]
        if unicodedata.category(char)[0] not in "LNS" or char in _FILLERS:
            return ""
        latin = _LATIN.fullmatch(unicodedata.name(char, ""))
        small = latin[1].lower() if latin else char.casefold()
        return "".join(_LOOK_ALIKES.get(one, one) for one in small if one.isalnum())


_AS_SEEN = _AsSeen()


def as_seen(name: str) -> str:
    """A name by what it looks like, to tell whether one passes for another: letters and digits alone, in one case
    and without accents, those of other scripts as the Latin ones they are taken for. A name without any is as it is.
    """
    return name.translate(_AS_SEEN) or name


def shortened(text: str, limit: int) -> str:
    """One line of at most `limit` characters, cut between words."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    cut = head.rfind(" ")
    return (head[:cut] if cut > limit // 2 else head).rstrip(" ,;:.-") + "…"


def visible_line(text: str) -> str:
    """The text on one line, without invisible controls."""
    return "".join(char for char in " ".join(text.split()) if unicodedata.category(char) not in ("Cc", "Cf", "Cs"))


def without_controls(line: str) -> str:
    """The line without invisible controls, but for those that join signs."""
    if line.isprintable():
        return line
    return "".join(char for char in line if unicodedata.category(char) not in ("Cc", "Cf") or char == "\u200d")


def escaped(text: str, limit: int = LONGEST_LINE) -> str:
    """The text on one line, shortened, with markup, quotation marks and invisible controls made harmless."""
    line = without_controls(shortened(text, limit))
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("“", '"').replace("”", '"')


def quoted(text: str) -> str:
    """Remembered text as it stands in a prompt: escaped, inside quotation marks it cannot close."""
    return f"“{escaped(bare_words(text))}”"


def as_words(text: str, limit: int = LONGEST_WORDS) -> str:
    """What a person said, word for word: on one line, shortened, in quotation marks."""
    line = visible_line(text).replace("“", '"').replace("”", '"')
    return f"“{shortened(line, limit)}”"


def is_words(text: str) -> bool:
    """Whether a text is nothing but a person's words in quotation marks."""
    return _WORDS.fullmatch(text) is not None


def bare_words(text: str) -> str:
    """The text without the quotation marks around all of it, if there are any."""
    return text[1:-1] if is_words(text) else text


E = TypeVar("E", bound=StrEnum)

Choice = str | Iterable[str] | None
"""One word, several, or any."""


def one(kind: type[E], word: str, field: str) -> E:
    """The member a word names; what there is to choose from when it names none."""
    try:
        return kind(word)
    except ValueError:
        raise InvalidInputError(f"no {field} {word!r}; choose one of {', '.join(kind)}", field=field) from None


def each(kind: type[E], words: Choice, field: str) -> tuple[E, ...]:
    """The members several words name, or none for any."""
    if words is None:
        return ()
    return tuple(one(kind, word, field) for word in ([words] if isinstance(words, str) else words))


def several(words: Iterable[str], field: str) -> tuple[str, ...]:
    """A collection of words; a single one is refused, for it would fall into letters."""
    if isinstance(words, str):
        raise InvalidInputError(f"{field} is a list of words, not one: [{words!r}]", field=field)
    return tuple(words)


def checked_language(language: str | None) -> str | None:
    """The language asked for, if any; there are two."""
    if language not in (None, "en", "pt"):
        raise InvalidInputError(f"no language {language!r}; choose en or pt", field="language")
    return language
