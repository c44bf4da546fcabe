"""Finding: a text becomes a query, the store's arms answer, the ranking orders."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from relembra.domain.message import Message
from relembra.domain.policy import Policy, RankingName, RankingPolicy
from relembra.domain.scope import Scope
from relembra.domain.searchable import item_text, message_text
from relembra.errors import MindError
from relembra.minds.port import Analyzer, Embedder, Matcher, Vector
from relembra.recall.ranking import Hit, MessageHit, Ranked, rank, rematched, unasked
from relembra.store.port import ItemFilter, MessageFilter, Query, Store

log = logging.getLogger(__name__)


class Finder:
    """Asks the store with a text. Without an embedder that answers, words alone are searched."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder,
        analyzer: Analyzer,
        policy: Policy,
        matcher: Matcher | None = None,
        mend: Callable[[str], str] | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._analyzer = analyzer
        self._policy = policy
        self._matcher = matcher
        self._mend = mend

    async def vectors(self, texts: Sequence[str]) -> list[Vector] | None:
        """The texts' vectors, or None when the embedder cannot answer now."""
        try:
            return await self._embedder.embed(texts)
        except MindError as exc:
            log.warning("words alone, for the embedder cannot answer: %s", exc)
            return None

    async def items(
        self, scope: Scope, text: str, wanted: ItemFilter, *, limit: int, apart_from: Collection[str] = ()
    ) -> list[Hit]:
        """The items that answer best, weak ones too, but for some."""
        asked = await self._mended(text)
        query = await self._query(text, asked, max(self._policy.ranking.candidates, limit + len(apart_from)))
        return await self._items(scope, asked, query, wanted, limit=limit, apart_from=apart_from)

    async def recalled(
        self, scope: Scope, topic: str | None, wanted: ItemFilter, recent: Sequence[Message]
    ) -> tuple[list[Hit], list[MessageHit]]:
        """Knowledge and older messages about a topic that are strong enough; without a topic, what was learnt last."""
        limits, ranking = self._policy.context, self._policy.ranking
        if topic is None:
            page = await self._store.page_items(scope, wanted, limit=limits.recalled_items)
            return [unasked(item, ranking) for item in page.rows], []
        asked = await self._mended(topic)
        query = await self._query(topic, asked, ranking.candidates)
        least = ranking.least_similarity
        hits = await self._items(scope, asked, query, wanted, limit=limits.recalled_items, least=least)
        earlier = await self._messages(scope, asked, query, wanted, {message.id for message in recent})
        return hits, earlier

    async def _items(
        self,
        scope: Scope,
        asked: str,
        query: Query,
        wanted: ItemFilter,
        *,
        limit: int,
        least: float = 0.0,
        apart_from: Collection[str] = (),
    ) -> list[Hit]:
        found = await self._store.search_items(scope, query, wanted)
        others = (candidate for candidate in found if candidate.id not in apart_from)
        policy = self._policy.ranking
        best = rank(others, query, now=wanted.now, policy=policy, limit=max(limit, policy.matched), least=least)
        rows = {item.id: item for item in await self._store.items(scope, [ranked.id for ranked in best])}
        found_texts = {name: item_text(item) for name, item in rows.items()}
        best = await self._matched(asked, [ranked for ranked in best if ranked.id in rows], found_texts, policy)
        return [Hit(rows[ranked.id], ranked.score, ranked.why) for ranked in best[:limit]]

    async def _messages(
        self, scope: Scope, asked: str, query: Query, wanted: ItemFilter, shown: Collection[str]
    ) -> list[MessageHit]:
        """Older messages by similarity and recency: what was said has no weight, priority or use of its own."""
        policy = replace(self._policy.ranking, name=RankingName.DEFAULT)
        found = await self._store.search_messages(scope, query, MessageFilter(asked_in=wanted.asked_in))
        others = (candidate for candidate in found if candidate.id not in shown)
        limit = self._policy.context.recalled_messages
        most, least = max(limit, policy.matched), policy.least_similarity
        best = rank(others, query, now=wanted.now, policy=policy, limit=most, least=least)
        rows = {message.id: message for message in await self._store.messages(scope, [row.id for row in best])}
        found_texts = {name: message_text(message) for name, message in rows.items()}
        best = await self._matched(asked, [ranked for ranked in best if ranked.id in rows], found_texts, policy)
        return [MessageHit(rows[ranked.id], ranked.score, ranked.why) for ranked in best[:limit]]

    async def _matched(
        self, asked: str, best: list[Ranked], texts: Mapping[str, str], policy: RankingPolicy
    ) -> list[Ranked]:
        """The first few in the order a word-by-word comparison gives them, before the rest."""
        first, rest = best[: policy.matched], best[policy.matched :]
        if self._matcher is None or len(first) < 2:
            return best
        try:
            matches = await self._matcher.match(asked, [texts[ranked.id] for ranked in first])
        except MindError as exc:
            log.warning("whole texts alone are compared, for the matcher cannot answer: %s", exc)
            return best
        again = rematched(first, matches, policy)
        # whoever was not compared stays behind, and scores go on falling
        return again + [replace(one, score=min(one.score, again[-1].score)) for one in rest]

    async def _mended(self, text: str) -> str:
        """The text as minds are asked; beside the loop, since the first one loads tables."""
        return text if self._mend is None else await asyncio.to_thread(self._mend, text)

    async def _query(self, text: str, asked: str, limit: int) -> Query:
        """Words as they were typed, meaning as it was meant."""
        vectors = await self.vectors([asked])
        return Query(
            terms=tuple(dict.fromkeys(self._analyzer.terms(text))),
            vector=vectors[0] if vectors else None,
            model=self._embedder.name if vectors else None,
            limit=limit,
        )
