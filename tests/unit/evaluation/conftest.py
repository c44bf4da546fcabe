from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from relembra.domain.text import fold


@dataclass
class Remembered:
    """A memory that finds what shares longer words with the question, the latest first, and tells what it was asked."""

    clock: Callable[[], datetime]
    saved: list[dict[str, Any]] = field(default_factory=list)
    settled: list[bool] = field(default_factory=list)
    asked_at: list[datetime] = field(default_factory=list)
    known: list[str] = field(default_factory=list)

    async def save(
        self,
        *,
        user: str,
        said: str | None = None,
        replied: str | None = None,
        at: datetime | None = None,
        conversation: str | None = None,
        external_id: str | None = None,
        author: str | None = None,
    ) -> None:
        assert at == self.clock()
        given = {"user": user, "text": said or replied, "conversation": conversation, "external_id": external_id}
        self.saved.append(given | {"author": author, "assistant": said is None})

    async def settle(self, *, flush: bool = False) -> int:
        self.settled.append(flush)
        return 0

    async def recall(self, query: str, *, user: str, limit: int = 20) -> Any:
        self.asked_at.append(self.clock())
        found = self._found(query, user)[:limit]
        conversations = tuple(dict.fromkeys(message.conversation for message in found))
        return SimpleNamespace(
            messages=tuple(SimpleNamespace(message=message, score=1.0) for message in found),
            conversations=conversations,
        )

    async def load(self, *, user: str, query: str | None = None, budget: int | None = None) -> Any:
        found = self._found(query or "", user)[:1]
        items = [SimpleNamespace(content=text) for text in self.known]
        text = "\n".join(message.text for message in found)
        return SimpleNamespace(messages=found, tokens=len(text.split()), items=items, text=text)

    def _found(self, query: str, user: str) -> list[SimpleNamespace]:
        words = _words(query)
        mine = [row for row in reversed(self.saved) if row["user"] == user]
        return [SimpleNamespace(**row) for row in mine if words & _words(row["text"])]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", fold(text)))


@pytest.fixture
def remembered() -> type[Remembered]:
    return Remembered
