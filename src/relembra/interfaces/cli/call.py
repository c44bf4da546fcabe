"""One call of the program: what was typed, the settings it meets, the memory it opens and what it answers."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from relembra.domain.ids import is_id
from relembra.domain.message import Note, NoteKind
from relembra.domain.scope import DEFAULT_TENANT, Whose
from relembra.errors import InvalidInputError, MindError, NotFoundError, StoreError
from relembra.interfaces.cli.parser import EmptyError, Line, UsageError
from relembra.interfaces.cli.terminal import Cell, Terminal, note
from relembra.interfaces.cli.words import Words
from relembra.locale import LANGUAGES
from relembra.memory import Memory
from relembra.recall.query import Listing
from relembra.verbs import VERBS, About

if TYPE_CHECKING:
    from relembra.domain.policy import Policy
    from relembra.settings import Settings

OTHER, USAGE, NOT_FOUND, CONFLICT, STORE, PROBLEMS, INTERRUPTED = 1, 2, 3, 4, 5, 6, 130
"""Exit codes."""
IN_MEMORY = ":memory:"
STDIN = "-"
YES = ("s", "sim", "y", "yes")
SHORTEST_PIECE = 4
PAGE = 1_000
_NOBODY = "\0"  # no name can be this one

Show = Callable[[Terminal, Any], None]


class NoStoreError(StoreError):
    """There is no file where the store should be."""


class CopyError(StoreError):
    """A copy could not be written where it was asked for."""

    def __init__(self, target: Path) -> None:
        super().__init__(
            f"no copy could be written to {target}; check that its folder exists, may be written and has room"
        )
        self.target = str(target)


class BackupError(StoreError):
    """A backup could not take the memory's place; `reason`: the memory is in_use, or the file damaged or too new."""

    def __init__(self, error: StoreError, reason: str, file: Path) -> None:
        super().__init__(str(error))
        self.reason = reason
        self.file = str(file)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found: a value that programs get as JSON, and how people are shown it."""

    data: Any
    people: Callable[[Terminal], None]
    code: int = 0


Sentence = tuple[str, str]
"""The id of a sentence and its style."""


def saying(data: Any, key: str, style: str = "", *more: Sentence | None, code: int = 0, **parts: object) -> Answer:
    """An answer of one sentence or a few, of which those that are None are not said."""

    def people(terminal: Terminal) -> None:
        for one, how in filter(None, ((key, style), *more)):
            terminal.say(one, how, **parts)

    return Answer(data, people, code)


def stopped(key: str) -> Answer:
    """The answer after Ctrl-C, where what was done so far stays done."""
    return saying({"stopped": True}, key, code=INTERRUPTED)


def table(columns: str, empty: str, **said: Callable[[Terminal, Any], Cell]) -> Show:
    """Rows as a table, or a sentence where there are none."""

    def show(terminal: Terminal, rows: Any) -> None:
        if rows:
            terminal.rows(columns, rows, **said)
        else:
            terminal.say(empty)

    return show


class Call:
    """What a command needs to know of the world around it."""

    def __init__(self, line: Line, words: Words) -> None:
        self.words = words
        self.command = line.command.name if line.command else None
        self.typed = line.general
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

    @cached_property
    def names_a_person(self) -> bool:
        """Whether a person was chosen, by an option or a setting; a login name or nothing chooses nobody."""
        from relembra.settings import load_settings

        logged_in = dict.fromkeys(("USER", "USERNAME"), _NOBODY)
        chosen = load_settings(os.environ | logged_in, user=self.typed.get("user")).user
        return chosen != _NOBODY or self.tenant != DEFAULT_TENANT

    @property
    def person(self) -> Whose:
        """Whose memory, as every verb takes it."""
        return {"user": self.user, "tenant": self.tenant}

    @property
    def policy(self) -> Policy:
        return self.settings.chosen_policy()

    @property
    def db(self) -> str:
        return self.settings.chosen_db()

    @property
    def file(self) -> Path | None:
        """The store's file, whether or not it is there; None where it is no file."""
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
    async def existing(self) -> AsyncIterator[Memory]:
        """The memory, which has to be there."""
        if self.file is not None and not self.file.exists():
            raise NoStoreError(f"there is no store at {self.file}")
        async with self._opened(self._readable) as memory:
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

        return opened(settings=settings, background=False)

    async def _hint(self, memory: Memory) -> None:
        """Tell the person why meaning may not find everything, and what to do about it."""
        try:
            models = await memory.other_models()
        except MindError:
            note(self.words("hint.no_model"))
            return
        if models:
            note(self.words("hint.reindex", models=", ".join(models)))


def verb(name: str, show: Show, *, opens: str = "reading", of_item: bool = False) -> Callable[..., Awaitable[Answer]]:
    """A command that calls one verb of the memory with what was typed, and shows what comes back.

    `of_item`: the id may be a piece of an item's.
    """
    row = VERBS[name]

    async def command(call: Call, **asked: Any) -> Answer:
        whose: Any = {About.PERSON: call.person, About.TENANT: {"tenant": call.tenant}}.get(row.about, {})
        async with getattr(call, opens)() as memory:
            if of_item:
                asked["id"] = (await memory.find(asked["id"], **call.person)).id
            value = await getattr(memory, row.name)(**await whole_note(call, memory, asked), **whose)
        key = row.key or ("items" if type(value) is list else "")
        return Answer({key: value} if key else value, lambda terminal: show(terminal, value))

    return command


# ── what stands for something else ────────────────────────────────────────────────────────────────────────────────


async def by_piece(piece: str, page: Callable[[str | None], Awaitable[Listing[Any]]]) -> Any:
    """The row a whole id or a piece of one names, None when no row does; a piece that fits several is refused."""
    word = piece.lower()
    found: dict[str, Any] = {}
    after: str | None = None
    while True:
        listing = await page(after)
        for row in listing:
            if row.id == word:
                return row
            if len(word) >= SHORTEST_PIECE and (row.id.startswith(word) or row.id.endswith(word)):
                found[row.id] = row
        after = listing.next
        if after is None:
            break
    if len(found) > 1:
        raise InvalidInputError(f"{piece!r} fits several ids; give more of it", field="id")
    return next(iter(found.values()), None)


async def note_named(call: Call, memory: Memory, word: str, **place: Any) -> Note:
    """The note an id or a piece of one names, of any kind."""
    kinds = list(NoteKind)
    found: Note | None = await by_piece(
        word, lambda after: memory.notes(kind=kinds, limit=PAGE, after=after, **place, **call.person)
    )
    if found is None:
        raise NotFoundError("note", word)
    return found


async def whole_note(call: Call, memory: Memory, filters: dict[str, Any]) -> dict[str, Any]:
    """Filters as typed, with the whole id of a note of which only a piece was given."""
    piece = filters.get("note")
    if piece is None or is_id(piece):
        return filters
    place = {name: filters[name] for name in ("space", "channel") if name in filters}
    return filters | {"note": (await note_named(call, memory, piece, **place)).id}


# ── standard input ────────────────────────────────────────────────────────────────────────────────────────────────


def text(word: str, key: str) -> str:
    """A text that says something; "-" is what standard input holds."""
    from relembra.domain.text import is_blank

    if word == STDIN:
        with _interruptible():
            word = sys.stdin.read().removesuffix("\n")
    if is_blank(word):
        raise EmptyError(f"{key} must not be empty", field=key)
    return word


@contextmanager
def input_file() -> Iterator[BinaryIO]:
    """All of standard input as a file that can be gone through more than once."""
    with tempfile.TemporaryFile() as kept:
        with _interruptible():
            shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.seek(0)
        yield cast(BinaryIO, kept)


def answered(call: Call, prompt: str, *, cannot: str, lead: Callable[[], None]) -> str:
    """The line a person types after a lead and a prompt; without a terminal `cannot` says what to type instead."""
    if not sys.stdin.isatty():
        raise UsageError(cannot, command=call.command)
    lead()
    sys.stderr.write(prompt)
    sys.stderr.flush()
    with _interruptible():
        return sys.stdin.readline().strip()


def agreed(call: Call, question: str, *, cannot: str) -> bool:
    """Whether the person at the terminal says yes."""
    return answered(call, call.words("ask.sure"), cannot=cannot, lead=lambda: note(question)).casefold() in YES


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end a wait for input at once; the event loop's own handler would wait for the input first."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:  # as nohup asks for
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
