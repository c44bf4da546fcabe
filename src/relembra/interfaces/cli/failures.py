"""What went wrong: an exit code for programs, a sentence in the reader's language for people."""

from __future__ import annotations

from typing import Any

from relembra.errors import (
    BusyError,
    ConflictError,
    InvalidInputError,
    MissingExtraError,
    NotFoundError,
    RelembraError,
    SettingsError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
)
from relembra.interfaces.cli.call import CONFLICT, NOT_FOUND, OTHER, STORE, USAGE, BackupError, CopyError, NoStoreError
from relembra.interfaces.cli.commands import BY_NAME
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.words import Words
from relembra.interfaces.failures import UNFORESEEN, Failing, failing, plain
from relembra.locale import Words as AnyWords

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
    (StoreReadOnlyError, "error.store.read_only"),
    (StoreCorruptError, "error.store.corrupt"),
    (StoreVersionError, "error.store.version"),
)
DETAILED = ("error.store.other", "error.field.file", "error.field.data", "error.field.script", "error.tool")
"""Sentences so general that the library's own words follow them."""
ARGUMENTS = ("content", "query", "conversation", "id", "change", "title", "target", "text", "tool", "arguments", "file")
"""What stands alone on a command line, and so has no option to be called by."""
OPTIONS = {"tags": "--tag", "message_ids": "--message", "metadata": "--meta", "expires_at": "--expires"}
"""Options that are spelt otherwise than the part they give."""


def code_of(error: Exception) -> int:
    known = plain(error)
    return next((code for kind, code in CODES if isinstance(known, kind)), OTHER)


def data_of(error: Exception) -> dict[str, Any]:
    """An error for programs: its type, the library's own words, and what it knows."""
    parts = getattr(error, "parts", {})
    known = {name: value for name, value in vars(error).items() if name not in ("parts", "key") and value is not None}
    message = Words("en")(error.key, **parts) if isinstance(error, UsageError) else str(error)
    return {"error": {"type": type(error).__name__, "message": message, "exit_code": code_of(error), **known, **parts}}


def sentence_of(error: Exception, words: Words, *, user: str, db: str, command: str | None) -> str:
    """An error for people, with what they can type about it."""
    error = plain(error)
    sentence = _typed(error, words, db=db, command=command) or failing(error, words, user=user, field_name=_field)
    if sentence.key in UNFORESEEN:
        sentence = Failing("error.crash", {"type": type(error).__name__, "message": str(error)})
    message = words(sentence.key, **sentence.parts)
    if words.has(hint := f"hint.{sentence.key}"):
        message += " " + words(hint)
    text = words("error.lead", message=message)
    if sentence.detailed or sentence.key in DETAILED:
        text += "\n" + words("error.detail", message=str(error))
    if isinstance(error, UsageError):
        text += "\n" + words("usage.help", command=" ".join(["relembra", *([error.command] if error.command else [])]))
    return text


def _typed(error: Exception, words: Words, *, db: str, command: str | None) -> Failing | None:
    """What only a command line says: of how it was typed, of files, of packages, and of what one command does."""
    match error:
        case UsageError(key="usage.missing", parts=parts):
            return Failing("usage.missing", {"argument": _meta(words, command, parts["argument"])})
        case UsageError(key=key, parts=parts):
            return Failing(key, dict(parts))
        case InvalidInputError() if command == "tools call":
            return Failing("error.tool")
        case InvalidInputError(field=str() as field) if words.has(key := f"error.field.{command}.{field}"):
            return Failing(key)
        case ConflictError() if type(error) is ConflictError:
            key = f"error.conflict.{(command or '').replace(' ', '_')}"
            return Failing(key) if words.has(key) else None
        case CopyError(target=target):
            return Failing("error.store.target", {"target": target})
        case BackupError(reason=reason, file=file):
            return Failing(f"error.backup.{reason}", {"db": db, "file": file})
        case StoreError():
            found = (key for kind, key in STORE_SENTENCES if isinstance(error, kind))
            return Failing(next(found, "error.store.other"), {"db": db, "message": str(error)})
        case MissingExtraError(feature=feature, extra=extra):
            return Failing("error.extra", {"feature": feature, "extra": extra})
    return None


def _field(words: AnyWords, field: str) -> str:
    """A part as the person knows it: the option they typed, or a word for what stands alone."""
    return words(f"field.{field}") if field in ARGUMENTS else OPTIONS.get(field, "--" + field.replace("_", "-"))


def _meta(words: Words, command: str | None, argument: str) -> str:
    """An argument as the help calls it."""
    found = [part.meta for part in BY_NAME[command].arguments if part.name == argument] if command in BY_NAME else []
    return words(f"meta.{found[0]}") if found else argument
