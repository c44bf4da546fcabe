"""Minds that are made when they are first needed, so that what needs none works while they cannot be made."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from relembra.domain.candidate import Comparison, Digest, Effect, Reread, Spent, Talk, Topic
from relembra.domain.message import Message, Note
from relembra.errors import MindUnavailableError, MissingExtraError, SettingsError
from relembra.minds.port import Embedder, Matcher, NightReader, Reader, Spending, Vector

log = logging.getLogger(__name__)


class DeferredEmbedder:
    """Stands for the embedder `make` gives; whatever is wrong with that one is said at its first use."""

    def __init__(self, make: Callable[[], Embedder]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Embedder:
        return self._make()

    @property
    def name(self) -> str:
        return self._made.name

    @property
    def dimensions(self) -> int:
        return self._made.dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order."""
        return await self._made.embed(texts)

    async def close(self) -> None:
        """Let go of what was made, if anything."""
        if "_made" in vars(self):
            await self._made.close()


class Asks(Spending, Protocol):
    """What asks a model, which costs and is held open."""

    async def close(self) -> None:
        """Let go of connections; safe to call twice."""


class SpendingMatcher(Matcher, Asks, Protocol):
    """A matcher that asks a model."""


M = TypeVar("M", bound=Asks)
N = TypeVar("N", bound=Reader | NightReader)


class _Deferred(Generic[M]):
    """Stands for the mind `make` gives, which asks a model and says what that took."""

    def __init__(self, make: Callable[[], M]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> M:
        return self._make()

    def spent(self) -> list[Spent]:
        """What the made one spent; nothing before."""
        return self._made.spent() if "_made" in vars(self) else []

    async def close(self) -> None:
        """Let go of what was made, if anything."""
        if "_made" in vars(self):
            await self._made.close()


class _DeferredReading(_Deferred[N]):
    """The same with a name: that of the `model` while there is none to ask for its own."""

    def __init__(self, make: Callable[[], N], *, model: str) -> None:
        super().__init__(make)
        self._model = model

    @property
    def name(self) -> str:
        try:
            return self._made.name
        except (SettingsError, MissingExtraError):
            return self._model


class DeferredReader(_DeferredReading[Reader]):
    """Stands for the reader `make` gives. A setting or a package it lacks may come later, so it is said as an outage.

    `offline` compares until then, so that what is added by hand never waits for a model. `model` is the name to go by
    while there is no reader to ask for its own.
    """

    def __init__(self, make: Callable[[], Reader], *, offline: Reader, model: str) -> None:
        super().__init__(make, model=model)
        self._offline = offline

    async def digest(self, talk: Talk) -> Digest:
        """The made reader's; `MindUnavailableError` says in the same words what is wrong with a setting."""
        with _as_outage():
            return await self._made.digest(talk)

    async def working_summary(self, talk: Talk, previous: str | None) -> str:
        """The made reader's; `MindUnavailableError` says in the same words what is wrong with a setting."""
        with _as_outage():
            return await self._made.working_summary(talk, previous)

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        """The made reader's, else the offline one's."""
        try:
            return await self._made.compare(pairs)
        except (SettingsError, MissingExtraError) as exc:
            log.warning("%d pairs are judged offline: %s", len(pairs), exc)
            return await self._offline.compare(pairs)

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:
        """The made reader's, else the offline one's."""
        try:
            return await self._made.effects(talk, message, known)
        except (SettingsError, MissingExtraError) as exc:
            log.warning("what a message does to %d statements is judged offline: %s", len(known), exc)
            return await self._offline.effects(talk, message, known)


class DeferredNight(_DeferredReading[NightReader]):
    """Stands for the night's reader `make` gives. What it lacks may come later, so it is said as an outage.

    `model` is the name to go by while there is none to ask for its own.
    """

    rereads = True

    async def reread(self, talk: Talk) -> Reread:
        """The made one's; `MindUnavailableError` says in the same words what is wrong with a setting."""
        with _as_outage():
            return await self._made.reread(talk)

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        """The made one's; `MindUnavailableError` says in the same words what is wrong with a setting."""
        with _as_outage():
            return await self._made.topics(notes, language=language, most=most)

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        """The made one's; `MindUnavailableError` says in the same words what is wrong with a setting."""
        with _as_outage():
            return await self._made.retell(texts, language=language, tokens=tokens)


class DeferredMatcher(_Deferred[SpendingMatcher]):
    """Stands for the matcher `make` gives. A setting or a package it lacks may come later: said as an outage."""

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        """The made matcher's; `MindUnavailableError` says in the same words what is wrong with a setting."""
        with _as_outage():
            return await self._made.match(question, texts)


@contextmanager
def _as_outage() -> Iterator[None]:
    try:
        yield
    except (SettingsError, MissingExtraError) as exc:
        raise MindUnavailableError(str(exc)) from exc
