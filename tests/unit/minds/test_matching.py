"""Comparing a question with texts word by word: the method over a session that only counts, then the shipped model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relembra.minds import embedders
from relembra.minds.embedders import OfflineEmbedder
from relembra.minds.onnx import Model

WIDTH = 256
FITTING = 20  # texts of two words, each a row of four-byte numbers


class Words:
    """A session that gives each word a direction of its own, and counts what it computes."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.computed = 0

    def run(self, _: list[str], feed: dict[str, Any]) -> list[Any]:
        self.computed += 1
        rows = [self.numbers.setdefault(piece, len(self.numbers) % WIDTH) for piece in feed["input_ids"][0].tolist()]
        return [3 * np.eye(WIDTH, dtype=np.float32)[[rows]]]


@pytest.fixture
def words() -> Words:
    return Words()


@pytest.fixture
async def counted(words: Words) -> AsyncIterator[OfflineEmbedder]:
    """An embedder over the counting session."""
    embedder = OfflineEmbedder()
    embedder._model = Model(Path("m.onnx"), words)
    yield embedder
    await embedder.close()


async def test_each_word_of_the_question_takes_the_nearest_of_the_text(counted: OfflineEmbedder) -> None:
    texts = ["tea with milk", "milk and then tea", "milk", "coffee", ""]
    matches = await counted.match("tea milk", texts)  # the marks of beginning and end do not count
    assert matches == pytest.approx([1.0, 1.0, 0.5, 0.0, 0.0])
    assert (await counted.match("tea milk", texts[::-1]), await counted.match("tea", [])) == (matches[::-1], [])


async def test_a_text_is_computed_once_for_many_questions(counted: OfflineEmbedder, words: Words) -> None:
    texts = ["tea with milk", "black coffee", "tea with milk"]
    first = await counted.match("milk", texts)
    assert words.computed == 3  # the question and two texts
    assert await counted.match("milk", texts) == first
    assert await counted.match("coffee", texts[:2]) != first[:2]
    assert words.computed == 5  # two more questions


async def test_the_texts_asked_for_last_are_kept_and_no_more(
    counted: OfflineEmbedder, words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedders, "MATCHED_BYTES", FITTING * 2 * WIDTH * 4)
    texts = [f"number {number}" for number in range(FITTING)]
    await counted.match("which", texts)
    await counted.match("which", [texts[0], "another"])  # puts out the second, the oldest since the first was asked for
    assert len(counted._rows) == FITTING
    words.computed = 0
    await counted.match("which", [texts[0], "another", texts[2]])
    assert words.computed == 1
    await counted.match("which", [texts[1]])
    assert words.computed == 3
    await counted.match("which", [f"new {number}" for number in range(2 * FITTING)])
    assert len(counted._rows) == FITTING


async def test_a_match_waits_for_a_turn_of_embedding_and_not_for_all(counted: OfflineEmbedder) -> None:
    done: list[str] = []

    async def embed() -> None:
        await counted.embed([f"long text {number} " + "word " * 300 for number in range(40)])
        done.append("embed")

    async def match() -> None:
        await counted.match("tea", ["tea with milk"])
        done.append("match")

    await asyncio.gather(embed(), match())
    assert done == ["match", "embed"]


TEXTS = (
    "Moro em Lisboa.",
    "I take my tea with oat milk and no sugar.",
    "Minha avó Rosa tem medo de avião.",
    "",
    "😀",
    "The invoice for the new printer has not been paid yet.",
    "casa " * 300,
)


@pytest.fixture(scope="module")
def embedder() -> Iterator[OfflineEmbedder]:
    embedder = OfflineEmbedder()
    yield embedder
    asyncio.run(embedder.close())


async def test_a_text_matches_itself_wholly_and_others_less(embedder: OfflineEmbedder) -> None:
    for place, text in enumerate(TEXTS):
        matches = await embedder.match(text, TEXTS)
        assert matches[place] == pytest.approx(1, abs=1e-5)
        assert all(-1 <= match <= 1 for match in matches)
        assert max(range(len(TEXTS)), key=matches.__getitem__) == place


async def test_matches_do_not_depend_on_the_texts_beside_or_asked_before(embedder: OfflineEmbedder) -> None:
    question = "how does she take her tea?"
    together = await embedder.match(question, TEXTS)
    assert await embedder.match(question, TEXTS[::-1]) == together[::-1]
    fresh = OfflineEmbedder()
    assert [(await fresh.match(question, [text]))[0] for text in TEXTS] == pytest.approx(together, abs=1e-6)
    await fresh.close()


async def test_embedding_and_matching_at_the_same_time_disturb_neither(embedder: OfflineEmbedder) -> None:
    vectors = await embedder.embed(TEXTS)
    matches = await embedder.match("avião", TEXTS)
    answers = await asyncio.gather(
        *(embedder.embed(TEXTS) if number % 2 else embedder.match("avião", TEXTS) for number in range(8))
    )
    assert all(answer == (vectors if number % 2 else matches) for number, answer in enumerate(answers))
