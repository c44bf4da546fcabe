"""Finding with a matcher beside the arms: whom it is asked about, what its answer moves, and what its silence costs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import pytest

from builders import ANA, NOW, Words, a_conversation, a_message, an_item, days, items_where, kept
from hashing import HashingEmbedder
from memories import InMemoryStore
from relembra.domain.inquiry import Inquiry, default_relevance
from relembra.domain.policy import COMPANION, LIFE, WORK, Policy, RankingPolicy
from relembra.errors import MindError, MindUnavailableError
from relembra.minds.port import Matcher, Vector
from relembra.recall.finder import Finder, Wanted
from relembra.recall.query import Recall
from relembra.recall.ranking import Hit
from relembra.store.port import MessageFilter

QUESTION = "tea with oat milk"
ASKED = Inquiry(text=QUESTION, core=QUESTION)
ALL, THREE, TWO, ONE = "tea with oat milk", "tea with oat biscuits", "tea with lemon", "coffee with sugar"


class Favouring:
    """Finds every word of the question in texts that hold one certain word, and few in others."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[tuple[str, list[str]]] = []

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((question, list(texts)))
        return [0.9 if self.word in text else 0.3 for text in texts]


class Silent:
    """Cannot answer."""

    def __init__(self, error: MindError) -> None:
        self._error = error

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        raise self._error


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore(Words())


def ranking(**changes: float) -> Policy:
    return replace(LIFE, ranking=replace(LIFE.ranking, **{"match_share": 1.0, **changes}))  # type: ignore[arg-type]  # numbers by name


def a_finder(store: InMemoryStore, matcher: Matcher | None, policy: Policy | None = None) -> Finder:
    given = policy or ranking()
    return Finder(store, embedder=HashingEmbedder(), analyzer=Words(), policy=given, matcher=matcher)


async def keep(store: InMemoryStore, *contents: str) -> None:
    await kept(store, *(an_item(title=content, content=content) for content in contents))


async def found(finder: Finder, *, limit: int = 5) -> list[Hit]:
    return await finder.items(ANA, ASKED, items_where(), limit=limit)


async def recalled(finder: Finder, policy: Policy, *, shown: Sequence[str] = (), messages: int = 10) -> Recall:
    """What a context is made of."""
    return await finder.brought(
        ANA,
        ASKED,
        Wanted(
            items=items_where(),
            most_items=policy.context.recalled_items,
            messages=MessageFilter(),
            most_messages=messages,
            apart_from=shown,
            least=policy.ranking.least_similarity,
        ),
    )


def contents(hits: Sequence[Hit]) -> list[str]:
    return [hit.item.content for hit in hits]


async def test_a_matcher_that_favours_the_third_moves_it_up(store: InMemoryStore) -> None:
    await keep(store, ALL, THREE, TWO, ONE)
    assert contents(await found(a_finder(store, None))) == [ALL, THREE, TWO, ONE]
    matcher = Favouring("lemon")
    hits = await found(a_finder(store, matcher))
    assert contents(hits) == [TWO, ALL, THREE, ONE]
    assert [hit.why.match for hit in hits] == [0.9, 0.3, 0.3, 0.3]
    assert matcher.asked == [(QUESTION, [ALL, THREE, TWO, ONE])]


@pytest.mark.parametrize("error", [MindError("out of order"), MindUnavailableError("later", retry_after_seconds=5)])
async def test_a_matcher_that_cannot_answer_leaves_the_order_and_no_text_in_the_log(
    store: InMemoryStore, error: MindError, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await keep(store, ALL, THREE, TWO)
    assert await found(a_finder(store, Silent(error))) == await found(a_finder(store, None))
    (warning,) = caplog.records
    assert str(error) in warning.message
    assert not any(word in caplog.text for word in ("oat", "biscuits", "lemon"))


@pytest.mark.parametrize("preset", [LIFE, COMPANION, WORK], ids=lambda policy: policy.name)
async def test_older_messages_are_compared_too_and_keep_to_their_own_formula(
    store: InMemoryStore, preset: Policy
) -> None:
    texts = (ALL, THREE, TWO)
    said = [a_message(text=text, sent_at=NOW - days(40)) for text in texts]
    await kept(store, a_conversation(), *said)
    policy = replace(preset, ranking=replace(preset.ranking, match_share=1.0))
    earlier = (await recalled(a_finder(store, Favouring("lemon"), policy), policy, messages=2)).messages
    assert [hit.message.text for hit in earlier] == [TWO, ALL]
    assert [hit.why.match for hit in earlier] == [0.9, 0.3]
    for hit in earlier:
        assert hit.why.ranking == "default"
        expected = default_relevance(hit.why.similarity, hit.why.weight, hit.why.recency, RankingPolicy())
        assert hit.score == pytest.approx(expected)


class Listening(HashingEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        return await super().embed(texts)


async def test_minds_are_asked_with_slips_mended_and_words_are_searched_as_typed(store: InMemoryStore) -> None:
    await keep(store, ALL, THREE)
    embedder, matcher, mended = Listening(), Favouring("lemon"), list[str]()

    def mend(text: str) -> str:
        mended.append(text)
        return text.upper()

    finder = Finder(store, embedder=embedder, analyzer=Words(), policy=LIFE, matcher=matcher, mend=mend)
    hits = await found(finder)
    assert embedder.asked == [QUESTION.upper()]
    assert [question for question, _ in matcher.asked] == [QUESTION.upper()]
    assert hits[0].why.terms
    assert set(hits[0].why.terms) <= set(QUESTION.split())
    await recalled(finder, LIFE)
    assert mended == [QUESTION, QUESTION]  # once a question, however many ask with it
