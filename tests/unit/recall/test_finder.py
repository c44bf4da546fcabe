"""Finding: what minds are asked with, and what is searched where they cannot answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from builders import ANA, Words, an_item, items_where, kept
from hashing import HashingEmbedder
from memories import InMemoryStore
from relembra.domain.policy import LIFE
from relembra.domain.searchable import Inquiry
from relembra.minds.port import Vector
from relembra.recall.finder import Finder
from relembra.recall.ranking import Focus

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


async def test_things_of_the_kind_asked_for_come_whatever_their_words_and_whosever_they_are_not() -> None:
    store = InMemoryStore(Words())
    allergies = [an_item(content=f"hives after {food}", attribute="allergy", value=food) for food in ("nuts", "crab")]
    pets = [an_item(content=name, subject=name, attribute="relation", value="dog") for name in ("Rex", "Pip")]
    boss = an_item(content="Lima", subject="Lima", attribute="relation", value="boss")
    hers = an_item(content="swells up", subject="Clara", attribute="allergy", value="eggs")
    others = [an_item(content=f"what is to be taken care of, {n}") for n in range(40)]
    await kept(store, *allergies, *pets, boss, hers, *others)
    finder = Finder(store, embedder=HashingEmbedder(), analyzer=Words(), policy=LIFE)

    async def first(**asked: Any) -> set[str]:
        inquiry = Inquiry(text=(text := "what is to be taken care of?"), core=text, **asked)
        hits = await finder.items(ANA, inquiry, items_where(), limit=48)
        return {hit.item.id for hit in hits if Focus.KIND in hit.why.focus}

    assert await first() == set()
    assert await first(attributes=("allergy", "intolerance")) == {item.id for item in allergies}
    assert await first(attributes=("allergy",), names=("Clara",)) == {hers.id}
    assert await first(attributes=("relation",), ties=("dog", "cat")) == {item.id for item in pets}
    assert await first(attributes=("relation",)) == {item.id for item in (*pets, boss)}
