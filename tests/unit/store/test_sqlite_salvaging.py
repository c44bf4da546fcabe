"""What is brought out of a damaged file: all but what lay in damaged pages, in a store that is in order."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest

from crashing import opened
from relembra import Draft
from relembra.errors import ConflictError, InvalidInputError, StoreCorruptError
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.sqlite.backups import salvage

ANALYZER = BilingualAnalyzer()
ITEMS, EXCHANGES = 300, 200


@pytest.fixture
async def whole(tmp_path: Path) -> Path:
    db = tmp_path / "whole.db"
    async with opened(db, background=False) as memory:
        await memory.add_many(
            [Draft(content=f"Fato {n}: Ana mora em Recife desde {n}") for n in range(ITEMS)], user="ana"
        )
        for number in range(EXCHANGES):
            await memory.save(user="ana", said=f"Fui a Recife {number} vezes", replied="Que bom!", conversation="c1")
        await memory.settle(flush=True)
        await memory.save(user="ana", said="Isto ainda espera", conversation="c2")
    return db


def leaves(db: Path, table: str) -> list[int]:
    """The pages that hold a table's rows, counted from 1."""
    connection = apsw.Connection(str(db))
    try:
        found = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno", (table,)
        ).fetchall()
    finally:
        connection.close()
    return [int(str(page)) for (page,) in found]


def damage(db: Path, pages: list[int]) -> None:
    with db.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * 8192)
            file.write(random.Random(page).randbytes(8192))


async def counted(db: Path) -> tuple[int, int]:
    async with opened(db, background=False) as memory:
        assert (await memory.verify()).problems == ()
        await memory.reindex()
        assert (await memory.verify()).problems == ()
        assert await memory.search("Recife", user="ana")
        stats = await memory.stats()
    return sum(stats.items.values()), stats.messages


async def test_all_is_brought_out_of_a_file_in_order(whole: Path, tmp_path: Path) -> None:
    before = whole.read_bytes()
    done = salvage(whole, tmp_path / "new.db", ANALYZER)
    assert (done.read["item"], done.read["message"], done.lost) == (ITEMS, 2 * EXCHANGES + 1, {})
    assert await counted(tmp_path / "new.db") == (ITEMS, 2 * EXCHANGES + 1)
    assert whole.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["new.db", "whole.db"]


async def test_damaged_pages_in_several_places_cost_their_rows_alone(whole: Path, tmp_path: Path) -> None:
    items, messages = leaves(whole, "item"), leaves(whole, "message")
    assert min(len(items), len(messages)) >= 6
    damage(whole, [items[2], items[-3], messages[3], messages[-2]])
    before = whole.read_bytes()
    done = salvage(whole, tmp_path / "new.db", ANALYZER)
    kept = await counted(tmp_path / "new.db")
    assert kept == (done.read["item"], done.read["message"])
    assert done.lost["item"] == ITEMS - kept[0]  # the indexes tell how many there were
    assert done.lost["message"] == 2 * EXCHANGES + 1 - kept[1]
    assert kept[0] >= ITEMS * (len(items) - 3) // len(items)
    assert kept[1] >= 2 * EXCHANGES * (len(messages) - 3) // len(messages)
    assert whole.read_bytes() == before


@pytest.mark.parametrize(
    "table", ["posting", "embedding", "item_by_time", "job", "buffer", "stamp", "migration", "clock"]
)
async def test_damage_to_what_is_made_anew_costs_nothing_that_was_said(whole: Path, tmp_path: Path, table: str) -> None:
    pages = leaves(whole, table)
    assert pages
    damage(whole, pages)
    done = salvage(whole, tmp_path / "new.db", ANALYZER)
    assert done.lost.get("message", 0) == done.lost.get("item", 0) == 0
    assert await counted(tmp_path / "new.db") == (ITEMS, 2 * EXCHANGES + 1)


@pytest.mark.parametrize("missing", ["byte", "page", "third"])
async def test_of_a_file_cut_short_what_is_left_is_brought_out(whole: Path, tmp_path: Path, missing: str) -> None:
    size = whole.stat().st_size
    left = {"byte": size - 1, "page": size - 8192, "third": size * 2 // 3}[missing]
    pages = leaves(whole, "item"), leaves(whole, "message")
    there = [sum(page * 8192 <= left for page in held) / len(held) for held in pages]
    with whole.open("r+b") as file:
        file.truncate(left)
    before = whole.read_bytes()
    done = salvage(whole, tmp_path / "new.db", ANALYZER)
    kept = await counted(tmp_path / "new.db")
    assert kept == (done.read.get("item", 0), done.read.get("message", 0))
    assert kept[0] >= ITEMS * (there[0] - 0.1) > ITEMS // 3
    assert kept[1] >= (2 * EXCHANGES + 1) * (there[1] - 0.1)
    assert whole.read_bytes() == before


async def test_what_cannot_be_salvaged_is_said(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(ConflictError):
        salvage(whole, whole, ANALYZER)
    with pytest.raises(InvalidInputError):
        salvage(tmp_path / "none.db", tmp_path / "new.db", ANALYZER)
    damage(whole, [1])
    with pytest.raises(StoreCorruptError):
        salvage(whole, tmp_path / "new.db", ANALYZER)
    assert not (tmp_path / "new.db").exists()
