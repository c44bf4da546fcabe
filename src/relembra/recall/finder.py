"""Finding: a text becomes a query, the store's arms answer, the ranking orders."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from relembra.domain.message import Message
from relembra.domain.policy import Policy
from relembra.domain.scope import Scope
from relembra.errors import MindUnavailableError
from relembra.minds.port import Analyzer, Embedder, Vector
from relembra.recall.ranking import Hit, MessageHit, rank_items, rank_messages, unasked
from relembra.store.port import ItemFilter, MessageFilter, Query, Store

log = logging.getLogger(__name__)


class Finder:
    """Asks the store with a text. Without an embedder that answers, words alone are searched."""

    def __init__(self, store: Store, *, embedder: Embedder, analyzer: Analyzer, policy: Policy) -> None:
        self._store = store
        self._embedder = embedder
        self._analyzer = analyzer
        self._policy = policy

    async def vectors(self, texts: Sequence[str]) -> list[Vector] | None:
        """The texts' vectors, or None when the embedder cannot answer now."""
        try:
            return await self._embedder.embed(texts)
        except MindUnavailableError as exc:
            log.warning("no vectors for now: %s", type(exc).__name__)
            return None

    async def items(self, scope: Scope, text: str, wanted: ItemFilter, *, at_least: int = 0) -> list[Hit]:
        """Items that answer at all, best first."""
        query = await self._query(text, max(self._policy.ranking.candidates, at_least))
        return await self._items(scope, query, wanted)

    async def recalled(
        self, scope: Scope, topic: str | None, wanted: ItemFilter, recent: Sequence[Message]
    ) -> tuple[list[Hit], list[MessageHit]]:
        """Knowledge and older messages about a topic that are strong enough; without a topic, what was learnt last."""
        limits, ranking = self._policy.context, self._policy.ranking
        if topic is None:
            page = await self._store.page_items(scope, wanted, limit=limits.recalled_items)
            return [unasked(item, ranking) for item in page.rows], []
        query = await self._query(topic, ranking.candidates)
        hits = await self._items(scope, query, wanted)
        said = await self._store.search_messages(scope, query, MessageFilter(asked_in=wanted.asked_in))
        earlier = rank_messages(said, query, now=wanted.now, policy=ranking)
        shown = {message.id for message in recent}
        strong = [hit for hit in hits if hit.why.similarity >= ranking.least_similarity]
        older = [
            hit for hit in earlier if hit.why.similarity >= ranking.least_similarity and hit.message.id not in shown
        ]
        return strong[: limits.recalled_items], older[: limits.recalled_messages]

    async def _items(self, scope: Scope, query: Query, wanted: ItemFilter) -> list[Hit]:
        found = await self._store.search_items(scope, query, wanted)
        policy = self._policy.ranking
        hits = rank_items(found, query, now=wanted.now, policy=policy)
        return [hit for hit in hits if hit.why.similarity > 0]

    async def _query(self, text: str, limit: int) -> Query:
        vectors = await self.vectors([text])
        return Query(
            terms=tuple(dict.fromkeys(self._analyzer.terms(text))),
            vector=vectors[0] if vectors else None,
            model=self._embedder.name if vectors else None,
            limit=limit,
        )
