"""A file whose bytes are not those that were written: whatever is read of it, the errors are ours."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from crashing import opened
from relembra import Draft, Memory
from relembra.errors import StoreCorruptError, StoreError
from relembra.store.sqlite.connection import UNREADABLE, unreadable

ROUNDS = 100
HEADER_BYTES = 100


async def _export(memory: Memory, folder: Path) -> None:
    await memory.export(folder / "export.json", user="ana", overwrite=True)


READINGS: dict[str, Callable[[Memory, Path], Awaitable[object]]] = {
    "list": lambda memory, _: memory.list(user="ana", limit=100),
    "search": lambda memory, _: memory.search("mora em Recife", user="ana"),
    "recall": lambda memory, _: memory.recall("Recife", user="ana"),
    "load": lambda memory, _: memory.load(user="ana", query="Recife"),
    "messages": lambda memory, _: memory.messages(user="ana", limit=100),
    "notes": lambda memory, _: memory.notes(user="ana"),
    "verify": lambda memory, _: memory.verify(),
    "export": _export,
}


@pytest.fixture
async def whole(tmp_path: Path) -> bytes:
    """The bytes of a small store."""
    db = tmp_path / "whole.db"
    async with opened(db, background=False) as memory:
        facts = [Draft(content=f"Fato {n}: Ana mora em Recife", tags=["vida"]) for n in range(40)]
        await memory.add_many(facts, user="ana")
        for number in range(30):
            await memory.save(user="ana", said=f"Fui a Recife {number} vezes", replied="Que bom!", conversation="c1")
        await memory.settle(flush=True)
    return db.read_bytes()


async def test_whatever_bytes_are_wrong_only_errors_of_the_store_come_out(tmp_path: Path, whole: bytes) -> None:
    chance = random.Random(20_261_116)
    refused = read = 0
    for number in range(ROUNDS):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 5, 25))):
            damaged[chance.randrange(HEADER_BYTES, len(damaged))] = chance.randrange(256)
        db = tmp_path / f"{number}.db"
        db.write_bytes(damaged)
        try:
            async with opened(db, background=False) as memory:
                for name, reading in READINGS.items():
                    try:
                        await reading(memory, tmp_path)
                        read += 1
                    except StoreError:
                        refused += 1
                    except Exception as exc:
                        raise AssertionError(f"round {number}: {name} raised {exc!r}") from exc
        except StoreError:
            refused += 1
    assert refused > ROUNDS // 10
    assert read > ROUNDS


@pytest.mark.parametrize("page", [1, 2, 3, 5, 8, 13, 21, 34])
async def test_a_page_of_noise_is_said_with_what_to_do(tmp_path: Path, whole: bytes, page: int) -> None:
    noise = random.Random(page).randbytes(8192)
    db = tmp_path / "noisy.db"
    db.write_bytes(whole[: page * 8192] + noise + whole[(page + 1) * 8192 :])
    said = ""
    try:
        async with opened(db, background=False) as memory:
            assert (await memory.verify()).problems
    except StoreCorruptError as exc:
        said = str(exc)
    assert not said or ("relembra backup restore" in said and "restored by copying" in said)


def test_what_stood_in_a_row_is_in_no_message() -> None:
    for kind in UNREADABLE:
        assert "segredo" not in str(unreadable(kind("segredo"), Path("m.db")))
