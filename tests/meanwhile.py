"""A store in which something happens between two calls to it, as another process would let it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from relembra.store.port import Store


class Meanwhile:
    """Passes every call on; just before one of them, by its number or name, something happens, once."""

    def __init__(
        self, store: Store, happens: Callable[[Store], Awaitable[object]] | None = None, *, before: int | str = ""
    ) -> None:
        self._store = store
        self._happens = happens
        self._before = before
        self.calls: list[str] = []
        self.has_happened = False

    def __getattr__(self, name: str) -> Any:
        called = getattr(self._store, name)
        if not inspect.iscoroutinefunction(called) or name == "close":
            return called

        async def noted(*given: Any, **named: Any) -> Any:
            number = len(self.calls)
            self.calls.append(name)
            if self._happens is not None and not self.has_happened and self._before in (number, name):
                self.has_happened = True
                await self._happens(self._store)
            return await called(*given, **named)

        return noted
