"""One call of the program: what was typed, the settings it meets, and the memory it opens."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra.domain.scope import DEFAULT_TENANT
from relembra.errors import MindError, StoreError
from relembra.interfaces.cli.given import Given
from relembra.interfaces.cli.reading import Line, UsageError
from relembra.interfaces.cli.words import Words
from relembra.interfaces.whose import Whose
from relembra.interfaces.words import LANGUAGES

if TYPE_CHECKING:
    from relembra.domain.policy import Policy
    from relembra.interfaces.cli.terminal import Terminal
    from relembra.memory import Memory
    from relembra.settings import Settings

IN_MEMORY = ":memory:"
_NOBODY = "\0"  # no name can be this one


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
    """What a command found, for programs and for people."""

    data: Any
    people: Callable[[Terminal], None]
    code: int = 0


class Call:
    """What a command needs to know of the world around it."""

    def __init__(self, line: Line, words: Words) -> None:
        self.line = line
        self.words = words
        self.given = Given(line, words)

    @cached_property
    def settings(self) -> Settings:
        from relembra.settings import load_settings

        asked = self.line.last("lang")
        if asked is not None and asked not in LANGUAGES:
            raise UsageError("usage.language", name=asked)
        return load_settings(
            db=self.line.last("db"),
            user=self.line.last("user"),
            tenant=self.line.last("tenant"),
            language=self.words.language,
        )

    @property
    def user(self) -> str:
        return self.settings.user

    @cached_property
    def names_somebody(self) -> bool:
        """Whether a person was chosen, by an option or a setting; a login name or nothing chooses nobody."""
        from relembra.settings import load_settings

        logged_in = dict.fromkeys(("USER", "USERNAME"), _NOBODY)
        chosen = load_settings(os.environ | logged_in, user=self.line.last("user")).user
        return chosen != _NOBODY or self.settings.tenant != DEFAULT_TENANT

    @property
    def whose(self) -> Whose:
        """Whose memory, as every verb takes it."""
        return {"user": self.settings.user, "tenant": self.settings.tenant}

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
        from dataclasses import replace

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
        from dataclasses import replace

        file = self.file
        if file is None or all(os.access(path, os.W_OK) for path in (file, file.absolute().parent)):
            return self.settings
        return replace(self.settings, read_only=True)

    def _opened(self, settings: Settings) -> AbstractAsyncContextManager[Memory]:
        from relembra.bootstrap import opened

        return opened(settings=settings, background=False)

    async def _hint(self, memory: Memory) -> None:
        """Tell the person why meaning may not find everything, and what to do about it."""
        from relembra.interfaces.cli.terminal import note

        try:
            models = await memory.other_models()
        except MindError:
            note(self.words("hint.no_model"))
            return
        if models:
            note(self.words("hint.reindex", models=", ".join(models)))
