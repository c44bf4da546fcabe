"""The embedder other tests lean on."""

from __future__ import annotations

import math
import struct

import pytest

from hashing import HashingEmbedder
from loops import each
from relembra.errors import MindUnavailableError


def cosine(one: bytes, other: bytes) -> float:
    size = len(one) // 4
    return math.fsum(
        a * b for a, b in zip(struct.unpack(f"<{size}f", one), struct.unpack(f"<{size}f", other), strict=True)
    )


@each([([],), (["", "a", "a b"],), (["ação", "日本", "\x00"],), (["tea " * 200],)])
async def test_every_text_has_a_unit_vector_of_its_own(texts: list[str]) -> None:
    embedder = HashingEmbedder(64)
    vectors = await embedder.embed(texts)
    assert [len(vector) for vector in vectors] == [256] * len(texts)
    assert all(cosine(vector, vector) == pytest.approx(1, abs=1e-5) for vector in vectors)
    assert vectors == [(await HashingEmbedder(64).embed([text]))[0] for text in texts]


async def test_shared_words_bring_texts_close() -> None:
    embedder = HashingEmbedder()
    assert embedder.name == "hashing-256"
    one, near, far = await embedder.embed(
        ["O cachorro da Ana corre no parque", "cachorros correm", "quarterly invoice printer"]
    )
    assert cosine(one, near) > cosine(one, far) + 0.2


async def test_it_fails_as_often_as_told() -> None:
    embedder = HashingEmbedder(8, fail_times=2, retry_after_seconds=7)
    for _ in range(2):
        with pytest.raises(MindUnavailableError) as caught:
            await embedder.embed(["x"])
        assert caught.value.retry_after_seconds == 7
    assert len(await embedder.embed(["x"])) == 1
    assert embedder.calls == 3
    await embedder.close()
    await embedder.close()
