"""The shipped model: what it promises of its vectors, its loading and its closing."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator

import numpy as np
import pytest

from relembra.minds.embedders import DIMENSIONS, MODEL_NAME, MODEL_PATH, OfflineEmbedder
from relembra.minds.port import Vector


def cosine(one: Vector, other: Vector) -> float:
    return float(np.frombuffer(one, "<f4") @ np.frombuffer(other, "<f4"))


@pytest.fixture(scope="module")
def embedder() -> Iterator[OfflineEmbedder]:
    embedder = OfflineEmbedder()
    yield embedder
    asyncio.run(embedder.close())


def test_the_name_holds_the_hash_of_the_shipped_weights() -> None:
    assert f"pt-en-minilm@{hashlib.sha256(MODEL_PATH.read_bytes()).hexdigest()[:8]}" == MODEL_NAME


def test_the_card_is_this_models() -> None:
    card = (MODEL_PATH.parent / "MODEL_CARD.md").read_text("utf-8")
    pieces = len((MODEL_PATH.parent / "vocab.txt").read_text("utf-8").splitlines())
    assert f"`{MODEL_NAME}`" in card
    assert f"`model-int8.onnx`, {MODEL_PATH.stat().st_size / 1e6:.1f} MB" in card
    assert f"{pieces:,} word pieces" in card


async def test_vectors_are_unit_length_float32_in_the_order_of_the_texts(embedder: OfflineEmbedder) -> None:
    texts = ["Moro em Lisboa.", "a" * 5000, "", "I have two cats.", " \n", "Moro em Lisboa.", "😀"]
    vectors = await embedder.embed(texts)
    assert [len(vector) for vector in vectors] == [4 * DIMENSIONS] * len(texts)
    assert [cosine(vector, vector) for vector in vectors] == pytest.approx([1.0] * len(texts), abs=1e-5)
    assert vectors[0] == vectors[5] != vectors[3]


async def test_a_vector_does_not_depend_on_its_neighbours(embedder: OfflineEmbedder) -> None:
    texts = [f"Note number {number}: " + "word " * number for number in range(0, 30, 5)]
    together = await embedder.embed(texts)
    assert (await embedder.embed([]), together) == ([], [(await embedder.embed([text]))[0] for text in texts])
    assert together == (await embedder.embed(texts[::-1]))[::-1]


async def test_what_stands_after_the_longest_length_is_not_read(embedder: OfflineEmbedder) -> None:
    start = "casa " * 300
    one, other = await embedder.embed([start + "gato", start + "avião"])
    assert one == other


async def test_a_question_finds_its_fact_in_the_other_language(embedder: OfflineEmbedder) -> None:
    facts = [
        "Eu trabalho como enfermeira em um hospital.",
        "Meu filho tem alergia a amendoim.",
        "Moro em Porto Alegre.",
    ]
    question, *held = await embedder.embed(["What is my job?", *facts])
    assert max(range(3), key=lambda place: cosine(question, held[place])) == 0


async def test_the_event_loop_goes_on_while_texts_are_encoded(embedder: OfflineEmbedder) -> None:
    turns = 0
    task = asyncio.create_task(embedder.embed([f"text {number} " + "long " * 80 for number in range(20)]))
    while not task.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 20
