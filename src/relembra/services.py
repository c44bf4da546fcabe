"""What all parts of a memory share, and the base they have in common."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.policy import Policy
from relembra.domain.scope import Scope
from relembra.domain.time import Clock
from relembra.errors import InvalidInputError
from relembra.ingest.pipeline import Listening
from relembra.learn.casework import Casework
from relembra.learn.keeper import Keeper
from relembra.learn.learner import Learner
from relembra.minds.port import Outside, Reader, Tokens
from relembra.recall.finder import Finder
from relembra.store.cache import Basis, Cache
from relembra.store.port import Cursor, ItemFilter, Store

T = TypeVar("T")

MANY = 1_000  # rows read at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What every part of a memory works with."""

    store: Store
    cache: Cache
    policy: Policy
    tokens: Tokens
    language_of: Callable[[str], str | None]
    language: str  # where no words decide it
    home: str  # the home clock, for moments with only an offset that it shows too
    outside: Outside
    clock: Clock
    now: Callable[[], datetime]  # the same in UTC
    new_id: Callable[[], str]
    offline: Reader
    reader: Reader
    finder: Finder
    keeper: Keeper
    casework: Casework
    learner: Learner
    listening: Listening


class Part:
    """A part of a memory. It has the services, and is given the other parts it needs."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._cache = services.cache
        self._policy = services.policy
        self._tokens = services.tokens
        self._language_of = services.language_of
        self._language = services.language
        self._home = services.home
        self._outside = services.outside
        self._clock = services.clock
        self._now = services.now
        self._new_id = services.new_id
        self._offline = services.offline
        self._finder = services.finder
        self._keeper = services.keeper
        self._casework = services.casework
        self._learner = services.learner
        self._listening = services.listening

    async def _cached(
        self,
        scope: Scope,
        key: str,
        stamp: Basis,
        kind: type[T],
        make: Callable[[], Awaitable[T]],
        *,
        holds: Callable[[T], Awaitable[bool]] | None = None,
        size: Callable[[T], int] | None = None,
    ) -> T:
        """What was made for a person and kept since, or is made anew where the stamp is another now (`Cache.kept`)."""
        idle = self._policy.context.session_idle
        return await self._cache.kept(scope, key, stamp, kind, make, idle, holds=holds, size=size)

    async def _all_items(
        self, scope: Scope, wanted: ItemFilter, most: float = math.inf
    ) -> tuple[list[KnowledgeItem], bool]:
        """Items page by page, up to about so many; and whether there are more."""
        rows: list[KnowledgeItem] = []
        after: Cursor | None = None
        while len(rows) < most:
            page = await self._store.page(scope, wanted, after=after, limit=MANY)
            rows += page.rows
            after = page.next
            if after is None:
                return rows, False
        return rows, True


async def whole_id(fragment: str, like: Callable[[str], Awaitable[Sequence[str]]], what: str) -> str:
    """The one id that starts or ends with a fragment of at least four characters; else the fragment as it is."""
    ids = await like(fragment.lower()) if len(fragment) >= 4 else []
    if len(ids) > 1:
        raise InvalidInputError(f"{fragment!r} fits several {what}; give more of the id", field="id")
    return ids[0] if ids else fragment
