"""What went wrong, in the reader's language: every error has a sentence that any interface can show.

Nothing here names a command, an option or the file of a memory; an interface that has more to say puts it around this.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from string import Formatter

from relembra import errors
from relembra.errors import (
    InvalidInputError,
    MindError,
    MissingExtraError,
    NotFoundError,
    SettingsError,
    UnknownSpeakerError,
)
from relembra.locale import Words, ids

_AT_NIGHT = re.compile(
    r"(?:not all was read again: (?P<unread>.+?))?(?:^|; |$)"
    r"(?:(?P<n>\d+) messages? could not be learnt from yet(?:: (?P<why>.+))?)?"
)


_GAPS = {
    **dict.fromkeys(("n", "status", "tokens", "limit"), r"\d+"),
    **dict.fromkeys(("seconds", "under", "likeness"), r"\S+"),
    **dict.fromkeys(("thing", "state", "wide", "narrow"), r"[\w ]+"),
    "attribute": r"\w+",
    "weeks": r"\d+ weeks?",
}
"""What stands in the gaps of the library's sentences, where it is not just anything."""


@cache
def _written(kind: str) -> list[tuple[re.Pattern[str], str]]:
    """Patterns of what the library writes, each with its id: the English sentences of a kind are just that."""
    patterns = []
    for id in (id for id in ids("names") if id.startswith(kind)):
        pattern = ""
        for text, name, *_ in Formatter().parse(Words("en", "names")(id)):
            pattern += re.escape(text) + (f"(?P<{name}>{_GAPS.get(name, '.+?')})" if name else "")
        patterns.append((re.compile(pattern), id))
    return patterns


def translated(
    words: Words, kind: str, text: str, part: Callable[[str, str], str] = lambda _, part: part
) -> str | None:
    """A sentence of the library in the reader's language, its gaps filled by `part`; None for one not known."""
    for pattern, id in _written(kind):
        if found := pattern.fullmatch(text):
            return words(id, **{name: part(name, held) for name, held in found.groupdict().items()})
    return None


def trouble(words: Words, message: str) -> str | None:
    """Why something could not be done, in the reader's language; None for a sentence without a translation."""
    return translated(words, "trouble.", message) or _at_night(words, message)


def _at_night(words: Words, message: str) -> str | None:
    """What a record says was left undone, each with its reason."""
    found = _AT_NIGHT.fullmatch(message)
    if not message or found is None:
        return None
    parts = []
    if unread := found["unread"]:
        parts.append(words("run.unread", why=trouble(words, unread) or unread))
    if found["n"]:
        told = words.count("run.unlearnt", int(found["n"]))
        parts.append(f"{told}: {trouble(words, why) or why}" if (why := found["why"]) else told)
    return "; ".join(parts)


def aside(words: Words, message: str) -> str:
    """The same in brackets, after a sentence of ours; one without a translation as it is, and said to be English."""
    told = trouble(words, message)
    return words("error.detail", message=message) if told is None else f"({told})"


UNFORESEEN = ("error.other", "error.unexpected")
"""What is said of an error that has no sentence of its own."""
_FOUND_BY_NAME = ("item", "conversation", "note", "case", "job", "record", "person", "key")
_OF_NO_USER = ("job", "key")
_KINDS: tuple[tuple[type[Exception], str], ...] = (
    (errors.StaleError, "error.stale"),
    (errors.ProtectedError, "error.protected"),
    (errors.BusyError, "error.busy"),
    (errors.StoreUnavailableError, "error.memory.unavailable"),
    (errors.StoreFullError, "error.memory.full"),
    (errors.StoreReadOnlyError, "error.memory.read_only"),
    (errors.StoreCorruptError, "error.memory.corrupt"),
    (errors.StoreVersionError, "error.memory.version"),
    (errors.StoreError, "error.memory.other"),
    (errors.UpstreamError, "error.upstream"),
    (errors.TooLongError, "error.too_long"),
)
_MOMENTS = ("at", "held_from", "expires_at", "since", "until", "as_of", "true_at")
"""What is given as a date, and is one by now: what can still be wrong with it is how far away it is."""


@dataclass(frozen=True, slots=True)
class Failing:
    """The sentence of an error, by its key, and what is filled in."""

    key: str
    parts: dict[str, object] = field(default_factory=dict)
    detailed: bool = False  # so general a sentence that the library's own words may follow it


def sentence_of(error: Exception, words: Words, *, user: str) -> str:
    """An error for people, as whole sentences; `user`: whose memory it was about, empty for none."""
    found = failing(error, words, user=user)
    text = words(found.key, **found.parts)
    if not words(found.key).startswith("{user}"):
        text = text[:1].upper() + text[1:]
    if isinstance(error, MindError) and found.detailed and (told := trouble(words, str(error))):
        text += f" ({told})"
    elif isinstance(error, InvalidInputError) and found.detailed:
        text += " " + words("error.detail", message=str(error))
    return text


def plain(error: Exception) -> Exception:
    """The setting or package behind a model that cannot be used: there is that to see to, and no outage."""
    cause = error.__cause__
    return cause if isinstance(error, MindError) and isinstance(cause, SettingsError | MissingExtraError) else error


def failing(
    error: Exception, words: Words, *, user: str, field_name: Callable[[Words, str], str] | None = None
) -> Failing:
    """Which sentence says what went wrong; `field_name`: what the reader calls a part they gave."""
    error = plain(error)
    message = str(error)
    match error:
        case NotFoundError(what=what, id=id):
            named = what if what in _FOUND_BY_NAME else "other"
            kind = named if user or named in _OF_NO_USER else "here"
            return Failing(f"error.not_found.{kind}", {"user": user, "id": id})
        case InvalidInputError(field=None):
            return Failing("error.invalid.nothing", {"message": message}, words.language != "en")
        case InvalidInputError(field=str() as field):
            return _invalid(words, error, field, user=user, field_name=field_name or field_of)
        case MindError():
            return Failing("error.mind", detailed=True)
        case MissingExtraError(extra=extra):
            return Failing("error.missing", {"extra": extra})
        case SettingsError():
            return Failing("error.settings", {"message": trouble(words, message) or message})
    if (key := next((key for kind, key in _KINDS if isinstance(error, kind)), None)) is not None:
        return Failing(key)
    if isinstance(error, errors.ConflictError):
        return Failing("error.conflict" + (f".{error.kind}" if error.kind else ""), detailed=not error.kind)
    if isinstance(error, errors.RelembraError):
        key = f"error.status.{getattr(error, 'status', 0):d}"  # of a server that says no
        return Failing(key if words.has(key) else "error.other")
    return Failing("error.unexpected")


def field_of(words: Words, field: str) -> str:
    """A field in words; one without any in quotes."""
    key = f"field.{field}"
    return words(key) if words.has(key) else f"“{field.replace('_', ' ')}”"


def _invalid(
    words: Words, error: InvalidInputError, field: str, *, user: str, field_name: Callable[[Words, str], str]
) -> Failing:
    kind = error.kind
    if isinstance(error, UnknownSpeakerError):
        return Failing(f"error.field.me.{kind}", {"names": ", ".join(error.names), "me": error.me})
    if kind and field != "said":
        own = f"error.field.{field}.{kind}"
        key = own if words.has(own) else f"error.{kind}"
        return Failing(key, {"field": field_name(words, field), "n": words.whole(error.most or 0)})
    if field in _MOMENTS:
        return Failing("error.moment", {"field": field_name(words, field)})
    if field == "by":
        return Failing("error.field.by" if user else "error.field.by.nobody", {"user": user})
    if words.has(key := f"error.field.{field}"):
        return Failing(key)
    return Failing("error.invalid", {"field": field_name(words, field), "message": str(error)}, words.language != "en")
