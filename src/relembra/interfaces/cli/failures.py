"""What went wrong: an exit code for programs, a sentence in the reader's language for people."""

from __future__ import annotations

from typing import Any

from relembra.errors import (
    BusyError,
    ConflictError,
    InvalidInputError,
    MindError,
    MissingExtraError,
    NotFoundError,
    ProtectedError,
    RelembraError,
    SettingsError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
)
from relembra.interfaces.cli.call import CopyError, NoStoreError
from relembra.interfaces.cli.given import EmptyError
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.troubles import trouble
from relembra.interfaces.cli.words import Words

OTHER, USAGE, NOT_FOUND, CONFLICT, STORE, PROBLEMS, INTERRUPTED = 1, 2, 3, 4, 5, 6, 130

CODES: tuple[tuple[type[RelembraError], int], ...] = (
    (UsageError, USAGE),
    (InvalidInputError, USAGE),
    (SettingsError, USAGE),
    (NotFoundError, NOT_FOUND),
    (BusyError, OTHER),
    (ConflictError, CONFLICT),
    (StoreError, STORE),
)
STORE_SENTENCES: tuple[tuple[type[StoreError], str], ...] = (
    (NoStoreError, "error.store.missing"),
    (StoreUnavailableError, "error.store.unavailable"),
    (StoreFullError, "error.store.full"),
    (StoreCorruptError, "error.store.corrupt"),
    (StoreVersionError, "error.store.version"),
)
DETAILED = (
    "error.store.other",
    "error.conflict",
    "error.mind",
    "error.field.facts_file",
    "error.field.file",
    "error.field.data",
    "error.field.script",
    "error.tool",
)
"""Sentences so general that the library's own words follow them."""
FOUND_BY_NAME = ("item", "conversation", "note", "case", "job", "record", "person", "key")
"""What may not be there, and has a sentence of its own that says so."""
MOMENTS = ("at", "held_from", "expires_at", "since", "until", "as_of", "true_at")
"""What is given as a date, and is one by now: what can still be wrong with it is how far away it is."""


def code_of(error: RelembraError) -> int:
    error = _plain(error)
    return next((code for kind, code in CODES if isinstance(error, kind)), OTHER)


def data_of(error: Exception) -> dict[str, Any]:
    """An error for programs: its type, the library's own words, and what it knows."""
    parts = getattr(error, "parts", {})
    known = {name: value for name, value in vars(error).items() if name not in ("parts", "key") and value is not None}
    message = Words("en")(error.key, **parts) if isinstance(error, UsageError) else str(error)
    code = code_of(error) if isinstance(error, RelembraError) else OTHER
    return {"error": {"type": type(error).__name__, "message": message, "exit_code": code, **known, **parts}}


def sentence_of(error: Exception, words: Words, *, user: str, db: str, command: str | None) -> str:
    """An error for people."""
    error = _plain(error) if isinstance(error, RelembraError) else error
    key, parts = _sentence(error, words, user=user, db=db, command=command)
    text = words("error.lead", message=words(key, **parts))
    if key in DETAILED or (key in ("error.invalid", "error.invalid.nothing") and words.language != "en"):
        text += "\n" + words("error.detail", message=str(error))
    if isinstance(error, UsageError):
        text += "\n" + words("usage.help", command=" ".join(["relembra", *([error.command] if error.command else [])]))
    return text


def _plain(error: RelembraError) -> RelembraError:
    """The setting or package behind a model that cannot be used: whoever types has that to see to, and no outage."""
    cause = error.__cause__
    return cause if isinstance(error, MindError) and isinstance(cause, SettingsError | MissingExtraError) else error


def _sentence(
    error: Exception, words: Words, *, user: str, db: str, command: str | None
) -> tuple[str, dict[str, object]]:
    message = str(error)
    match error:
        case UsageError(key=key, parts=parts):
            if key == "usage.missing":
                return key, {"argument": _meta(words, command, parts["argument"])}
            return key, dict(parts)
        case NotFoundError(what=what, id=id):
            named = what if what in FOUND_BY_NAME else "other"
            return f"error.not_found.{named}", {"user": user, "id": id}
        case EmptyError(field=str() as field) if field != "said":
            return "error.empty", {"field": _field(words, field)}
        case InvalidInputError() if command == "tools call":
            return "error.tool", {"message": message}
        case InvalidInputError(field=None):
            return "error.invalid.nothing", {"message": message}
        case InvalidInputError(field=str() as field):
            return _invalid(words, field, message, user, command)
        case ProtectedError():
            return "error.protected", {}
        case BusyError():
            return "error.busy", {}
        case ConflictError():
            special = f"error.conflict.{(command or '').replace(' ', '_')}"
            return (special if words.has(special) else "error.conflict"), {}
        case CopyError(target=target):
            return "error.store.target", {"target": target}
        case StoreError():
            found = (key for kind, key in STORE_SENTENCES if isinstance(error, kind))
            return next(found, "error.store.other"), {"db": db, "message": message}
        case MindError():
            return "error.mind", {}
        case MissingExtraError(feature=feature, extra=extra):
            return "error.extra", {"feature": feature, "extra": extra}
        case SettingsError():
            return "error.settings", {"message": trouble(words, message) or message}
        case _:
            return "error.unexpected", {"type": type(error).__name__, "message": message}


def _invalid(words: Words, field: str, message: str, user: str, command: str | None) -> tuple[str, dict[str, object]]:
    if field in MOMENTS:
        return "error.moment", {"field": _field(words, field)}
    if field == "by":  # its shape was looked at before, so it is somebody who may not do this
        return "error.field.by", {"user": user}
    for special in (f"error.field.{command}.{field}", f"error.field.{field}"):
        if words.has(special):
            return special, {}
    return "error.invalid", {"field": _field(words, field), "message": message}


def _field(words: Words, field: str) -> str:
    """A part as the person knows it: the option they typed, or a word for what stands alone."""
    key = f"field.{field}"
    return words(key) if words.has(key) else "--" + field.replace("_", "-")


def _meta(words: Words, command: str | None, argument: str) -> str:
    """An argument as the help calls it."""
    from relembra.interfaces.cli.grammar import BY_NAME

    found = [part.meta for part in BY_NAME[command].arguments if part.name == argument] if command in BY_NAME else []
    return words(f"meta.{found[0]}") if found else argument
