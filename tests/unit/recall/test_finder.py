"""Finding: what minds are asked with, and what is searched where they cannot answer."""

from __future__ import annotations

from collections.abc import Sequence

from builders import ANA, Words, an_item, items_where, kept
from hashing import HashingEmbedder
from memories import InMemoryStore
from relembra.domain.policy import LIFE
from relembra.domain.searchable import Inquiry
from relembra.minds.port import Vector
from relembra.recall.finder import Finder

QUESTION = "tea with oat milk"


class Listening(HashingEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        return await super().embed(texts)


async def test_the_embedder_is_asked_with_slips_mended_and_words_are_searched_as_typed() -> None:
    store, embedder, mended = InMemoryStore(Words()), Listening(), list[str]()
    await kept(store, *(an_item(title=text, content=text) for text in (QUESTION, "tea with oat biscuits")))

    def mend(text: str) -> str:
        mended.append(text)
        return text.upper()

    finder = Finder(store, embedder=embedder, analyzer=Words(), policy=LIFE, mend=mend)
    hits = await finder.items(ANA, Inquiry(text=QUESTION, core=QUESTION), items_where(), limit=5)
    assert embedder.asked == [QUESTION.upper()]
    assert hits[0].why.terms
    assert set(hits[0].why.terms) <= set(QUESTION.split())
    assert mended == [QUESTION]  # once a question, however many ask with it
