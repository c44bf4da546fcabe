"""One call of the program: what was typed, the memory it opens, what it answers, and what went wrong."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra import errors
from relembra.domain.message import Note, NoteKind
from relembra.domain.scope import Whose, is_id
from relembra.interfaces.cli.commands import BY_NAME, Line, UsageError, Words
from relembra.interfaces.cli.terminal import Show, note, working
from relembra.interfaces.failures import UNFORESEEN, Failing, failing, field_of, plain
from relembra.locale import LANGUAGES
from relembra.locale import Words as AnyWords
from relembra.memory import Memory
from relembra.recall.query import Listing
from relembra.verbs import VERBS, About

if TYPE_CHECKING:
    from relembra.domain.policy import Policy
    from relembra.settings import Settings

OTHER, USAGE, NOT_FOUND, CONFLICT, STORE, PROBLEMS, INTERRUPTED = 1, 2, 3, 4, 5, 6, 130
"""Exit codes."""
IN_MEMORY = ":memory:"
YES = ("s", "sim", "y", "yes")
SHORTEST_PIECE = 4
PAGE = 1_000


class NoStoreError(errors.StoreError):
    """There is no file where the store should be."""


class CopyError(errors.StoreError):
    """A copy could not be written where it was asked for."""

    def __init__(self, target: Path) -> None:
        super().__init__(
            f"no copy could be written to {target}; check that its folder exists, may be written and has room"
        )
        self.target = str(target)


class BackupError(errors.StoreError):
    """A backup could not take the memory's place; `reason`: the memory is in_use, or the file damaged or too new."""

    def __init__(self, error: errors.StoreError, reason: str, file: Path) -> None:
        super().__init__(str(error))
        self.reason = reason
        self.file = str(file)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found, and how people are shown it; programs get `json`, which is the value unless given."""

    value: Any
    show: Show
    code: int = 0
    json: Any = ...


def saying(data: Any, key: str, style: str = "", *, code: int = 0, **parts: object) -> Answer:
    """An answer of one sentence."""
    return Answer(data, lambda terminal, _: terminal.say(key, style, **parts), code)


class Call:
    """What a command needs to know of the world around it; `memory`: one that is open already."""

    def __init__(
        self, line: Line, words: Words, *, memory: Memory | None = None, settings: Settings | None = None
    ) -> None:
        self._memory = memory
        if settings is not None:
            self.settings = settings
        self.words = words
        self.command = line.command.name if line.command else None
        self.does = line.command.does if line.command else ""
        self.typed, self.values = line.general, line.values
        self.json, self.debug = "json" in line.general, "debug" in line.general

    @cached_property
    def settings(self) -> Settings:
        from relembra.settings import load_settings

        asked = self.typed.get("lang")
        if asked is not None and asked not in LANGUAGES:
            raise UsageError("usage.language", name=asked)
        named = {name: self.typed.get(name) for name in ("db", "user", "tenant")}
        return load_settings(language=self.words.language, **named)

    @property
    def user(self) -> str:
        return self.settings.user

    @property
    def tenant(self) -> str:
        return self.settings.tenant

    @property
    def person(self) -> Whose:
        """Whose memory, as every verb takes it."""
        return {"user": self.user, "tenant": self.tenant}

    @property
    def policy(self) -> Policy:
        return self.settings.chosen_policy()

    @property
    def db(self) -> str:
        """The memory's file or address, as it may be shown."""
        from relembra.settings import shown_db

        return shown_db(self.settings.chosen_db())

    @property
    def file(self) -> Path | None:
        """The store's file, whether or not it is there; None where it is no file, or open already."""
        if self._memory is not None:
            return None
        name = self.db.removeprefix("sqlite:///")
        return None if name == IN_MEMORY or "://" in name else Path(name).expanduser()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Memory]:
        """The memory, made if it is not there; work it leaves behind is done before the end."""
        async with self._opened(self.settings) as memory:
            yield memory
            await memory.settle()

    @asynccontextmanager
    async def reading(self, *, by_meaning: bool = False) -> AsyncIterator[Memory]:
        """The memory; where there is none, an empty one that leaves no file behind.

        Read `by_meaning`, it says so beside the answer when its vectors are not all there for that.
        """
        there = self.file is None or self.file.exists()
        async with self._opened(self._readable if there else replace(self.settings, db=IN_MEMORY)) as memory:
            if by_meaning:
                await self._hint(memory)
            yield memory

    @asynccontextmanager
    async def existing(self, doing: str = "") -> AsyncIterator[Memory]:
        """The memory, which has to be there; `doing`: the sentence a terminal shows until the work is over."""
        if self.file is not None and not self.file.exists():
            raise NoStoreError(f"there is no store at {self.file}")
        async with self._opened(self._readable) as memory:
            with working(self.words(doing)) if doing else nullcontext():
                yield memory

    @property
    def _readable(self) -> Settings:
        """The settings, for reading alone where the file is there and cannot be written."""
        file = self.file
        if file is None or all(os.access(path, os.W_OK) for path in (file, file.absolute().parent)):
            return self.settings
        return replace(self.settings, read_only=True)

    def _opened(self, settings: Settings) -> AbstractAsyncContextManager[Memory]:
        from relembra.bootstrap import opened

        return nullcontext(self._memory) if self._memory else opened(settings=settings, background=False)

    async def _hint(self, memory: Memory) -> None:
        """Tell the person why meaning may not find everything, and what to do about it."""
        if models := await memory.other_models():
            note(self.words("hint.reindex", models=", ".join(models)))


def verb(
    name: str, show: Show, *, opens: str = "reading", of_item: bool = False, settles: bool = False
) -> Callable[..., Awaitable[Answer]]:
    """A command that calls one verb of the memory with what was typed, and shows what comes back.

    `of_item`: the id may be a piece of an item's; `settles`: work it leaves behind is done before the end.
    """
    row = VERBS[name]

    async def command(call: Call, **asked: Any) -> Answer:
        whose: Any = {About.TENANT: {"tenant": call.tenant}, About.NOBODY: {}}.get(row.about, call.person)
        async with getattr(call, opens)() as memory:
            if of_item:
                asked["id"] = (await memory.find(asked["id"], **call.person)).id
            value = await getattr(memory, row.name)(**await whole_note(call, memory, asked), **whose)
            if settles:
                await memory.settle()
        key = row.key or ("items" if type(value) is list else "")
        return Answer(value, show, json={key: value} if key else value)

    return command


async def by_piece(piece: str, page: Callable[[str | None], Awaitable[Listing[Any]]]) -> Any:
    """The row a whole id or a piece of one names, None when no row does; a piece that fits several is refused."""
    word = piece.lower()
    found: dict[str, Any] = {}
    listing = await page(None)
    while True:
        for row in listing:
            if row.id == word:
                return row
            if len(word) >= SHORTEST_PIECE and (row.id.startswith(word) or row.id.endswith(word)):
                found[row.id] = row
        if listing.next is None:
            break
        listing = await page(listing.next)
    if len(found) > 1:
        raise errors.InvalidInputError(f"{piece!r} fits several ids; give more of it", field="id")
    return next(iter(found.values()), None)


async def note_named(call: Call, memory: Memory, word: str, **place: Any) -> Note:
    """The note an id or a piece of one names, of any kind."""
    asked: dict[str, Any] = {"kind": list(NoteKind), "limit": PAGE, **place, **call.person}
    found: Note | None = await by_piece(word, lambda after: memory.notes(after=after, **asked))
    if found is None:
        raise errors.NotFoundError("note", word)
    return found


async def whole_note(call: Call, memory: Memory, filters: dict[str, Any]) -> dict[str, Any]:
    """Filters as typed, with the whole id of a note of which only a piece was given."""
    piece = filters.get("note")
    if piece is None or is_id(piece):
        return filters
    place = {name: filters[name] for name in ("space", "channel") if name in filters}
    return filters | {"note": (await note_named(call, memory, piece, **place)).id}


def agreed(call: Call, question: str, *, cannot: str) -> bool:
    """Whether the person at the terminal says yes; without a terminal `cannot` says what to type instead."""
    if not sys.stdin.isatty():
        raise UsageError(cannot, command=call.command)
    note(question)
    return answered(call.words("ask.sure")).casefold() in YES


def answered(question: str) -> str:
    """What the person at the terminal types to a question."""
    sys.stderr.write(question)
    sys.stderr.flush()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # the event loop's own waits for the input first
    try:
        return sys.stdin.readline().strip()
    finally:
        signal.signal(signal.SIGINT, before)


# ── what went wrong ─────────────────────────────────────────────────────────────────────────────────────────────────


CODES: tuple[tuple[type[errors.RelembraError], int], ...] = (
    (UsageError, USAGE),
    (errors.InvalidInputError, USAGE),
    (errors.SettingsError, USAGE),
    (errors.NotFoundError, NOT_FOUND),
    (errors.BusyError, OTHER),
    (errors.ConflictError, CONFLICT),
    (errors.StoreError, STORE),
)
DETAILED = ("error.store.other", "error.field.file", "error.field.data", "error.field.script", "error.tool")
"""Sentences so general that the library's own words follow them."""


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
    sentence = _typed(error, words, db=db, command=command) or failing(
        error, words, user=user, field_name=partial(_field, command=command)
    )
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
    from relembra.settings import is_server

    match error:
        case UsageError(key="usage.missing", parts=parts):
            known = BY_NAME[command].arguments if command in BY_NAME else ()
            metas = [words(f"meta.{part.meta}") for part in known if part.name == parts["argument"]]
            return Failing("usage.missing", {"argument": [*metas, parts["argument"]][0]})  # as the help calls it
        case UsageError(key=key, parts=parts):
            return Failing(key, dict(parts))
        case errors.InvalidInputError() if command == "tools call":
            return Failing("error.tool")
        case errors.InvalidInputError(field=str() as field) if words.has(key := f"error.field.{command}.{field}"):
            return Failing(key)
        case errors.ConflictError() if type(error) is errors.ConflictError:
            key = f"error.conflict.{(command or '').replace(' ', '_')}"
            return Failing(key) if words.has(key) else None
        case CopyError(target=target):
            return Failing("error.store.target", {"target": target})
        case BackupError(reason=reason, file=file):
            return Failing(f"error.backup.{reason}", {"db": db, "file": file})
        case NoStoreError():
            return Failing("error.store.missing", {"db": db})
        case errors.StoreError() if is_server(db):
            return Failing("error.store.server", {"message": str(error)})
        case errors.StoreError():
            key = failing(error, words, user="").key.replace("memory", "store")
            return Failing(key, {"db": db, "message": str(error)})
        case errors.MissingExtraError(feature=feature, extra=extra):
            return Failing("error.extra", {"feature": feature, "extra": extra})
    return None


def _field(words: AnyWords, field: str, command: str | None = None) -> str:
    """A part as the person knows it: the option they typed, or a word for what stands alone."""
    typed = BY_NAME.get(command or "")
    if typed and any(part.dest == field for part in typed.arguments):
        return field_of(words, field)
    names = (part.name for part in (typed.options if typed else ()) if part.dest == field)
    return f"--{next(names, field.replace('_', '-'))}"
