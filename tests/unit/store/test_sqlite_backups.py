"""Damaged files and backups: what is told, what takes a store's place, and what is brought out of a damaged one."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from builders import (
    ANA,
    MODEL,
    NOW,
    Words,
    a_key,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_entry,
    an_item,
    buffering,
    ids_of,
    items_where,
    kept,
)
from loops import each
from relembra.domain.access import Session
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import (
    ConflictError,
    InvalidInputError,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
    StoreVersionError,
)
from relembra.store.port import IndexMessages, Kind, Ledger, MessageFilter, NoteFilter, PutVectors, Whole
from relembra.store.rows import UNREADABLE
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite.backups import restore, salvage
from relembra.store.sqlite.connection import unreadable

ITEMS, MESSAGES = 300, 401
PAGE = 8192


async def opened(path: Path) -> SqliteStore:
    return await SqliteStore.open(path, analyzer=Words(), durability="normal")


async def filled(path: Path, *items: KnowledgeItem) -> None:
    store = await opened(path)
    await kept(store, *items)
    await store.close()


async def held(path: Path) -> list[str]:
    """The ids of a store that is in order."""
    store = await opened(path)
    try:
        assert (await store.verify()).problems == ()
        return sorted(ids_of((await store.page(ANA, items_where(), limit=100)).rows))
    finally:
        await store.close()


async def as_if_killed(path: Path) -> list[str]:
    """Leave a store with its last writes in the log alone, as a program that was killed does; all ids in it."""
    store = await opened(path)
    await kept(store, *(an_item(content=f"later {number} " * 30) for number in range(40)))
    files = {file: file.read_bytes() for file in (path, path.with_name(f"{path.name}-wal"))}
    ids = sorted(ids_of((await store.page(ANA, items_where(), limit=100)).rows))
    await store.close()
    for file, content in files.items():
        file.write_bytes(content)
    assert files[path.with_name(f"{path.name}-wal")]
    return ids


# ── putting a backup in a store's place ───────────────────────────────────────────────────────────────────────────


async def test_a_backup_copied_by_hand_over_a_log_is_damaged_and_a_restored_one_is_not(tmp_path: Path) -> None:
    path, copy, item = tmp_path / "memory.db", tmp_path / "copy.db", an_item()
    await filled(path, item)
    store = await opened(path)
    await store.backup(copy)
    await store.close()
    later = await as_if_killed(path)
    wrong = tmp_path / "wrong.db"
    shutil.copy(copy, wrong)
    shutil.copy(f"{path}-wal", f"{wrong}-wal")
    with pytest.raises((StoreError, AssertionError)):  # refused, or found damaged
        assert await held(wrong) == [item.id]
    done = restore(copy, path, now=NOW)
    assert done.bytes == path.stat().st_size
    assert await held(path) == [item.id]
    assert done.aside == tmp_path / "memory.db.before-20260301-120000"
    assert await held(done.aside) == later  # also those that were in the log alone
    assert restore(copy, path, now=NOW).aside == tmp_path / "memory.db.before-20260301-120000-2"


async def test_killed_before_the_backup_takes_its_place_the_old_store_is_whole(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    await filled(copy)
    later = await as_if_killed(path)
    script = (
        "import os, sys; from datetime import datetime; from pathlib import Path\n"
        "from relembra.store.sqlite.backups import restore\n"
        "Path.replace = lambda *_: os._exit(9)\n"
        "restore(Path(sys.argv[1]), Path(sys.argv[2]), now=datetime.now())\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(copy), str(path)], timeout=60).returncode == 9
    assert [file for file in tmp_path.iterdir() if file.name.endswith(".partial")]
    assert await held(path) == later
    others = tmp_path / f".memory.db.{os.getppid()}.partial"  # of a program that runs
    others.touch()
    restore(copy, path, now=NOW)
    assert [file for file in tmp_path.iterdir() if file.name.endswith(".partial")] == [others]


async def test_whatever_is_there_can_be_replaced_unless_somebody_has_it_open(tmp_path: Path) -> None:
    path, copy, item = tmp_path / "memory.db", tmp_path / "copy.db", an_item()
    await filled(copy, item)
    assert restore(copy, path, now=NOW).aside is None
    path.write_bytes(b"no database at all " * 1000)
    restore(copy, path, now=NOW)
    assert oct(path.stat().st_mode)[-3:] == "600"
    await as_if_killed(path)
    path.write_bytes(b"")  # a log beside an emptied file is put aside with it
    log = (tmp_path / "memory.db-wal").read_bytes()
    aside = restore(copy, path, now=NOW).aside
    assert aside is not None
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == log
    assert await held(path) == await held(copy) == [item.id]
    store = await opened(path)
    with pytest.raises(StoreUnavailableError, match="in use"):
        restore(copy, path, now=NOW)
    await store.close()
    later = await as_if_killed(copy)  # a copy taken by hand with its log is restored whole, and stays as it was
    restore(copy, path, now=NOW)
    assert (tmp_path / "copy.db-wal").stat().st_size > 0
    assert await held(path) == later


async def test_a_key_revoked_since_stays_revoked_or_is_spoken_of(tmp_path: Path) -> None:
    path, copy, (lost, kept_key) = tmp_path / "memory.db", tmp_path / "copy.db", (a_key(), a_key())
    store = await opened(path)
    await store.put_key(lost, bytes(32))
    await store.put_key(kept_key, bytes(32))
    await store.put_session(Session(key=kept_key.id, created_at=NOW, expires_at=NOW + timedelta(days=1)), bytes(32))
    await store.backup(copy)
    await store.revoke_key(lost.id, NOW)
    await store.close()
    by_hand = tmp_path / "by_hand.db"
    shutil.copy(path, by_hand)

    async def revoked_after(copy: Path, path: Path) -> tuple[set[str], int]:
        """The keys revoked in a store once it was restored, and how many are not known of."""
        done = restore(copy, path, now=NOW)
        store = await opened(path)
        revoked = {key.id for key in await store.keys() if key.revoked_at is not None}
        assert await store.session(bytes(32)) is None
        await store.close()
        return revoked, done.unchecked_keys

    assert await revoked_after(copy, path) == ({lost.id}, 0)
    assert await revoked_after(by_hand, path) == ({lost.id}, 0)
    path.write_bytes(b"no database at all " * 1000)
    assert await revoked_after(copy, path) == (set(), 2)
    assert await revoked_after(copy, tmp_path / "new.db") == (set(), 2)


async def test_what_is_no_backup_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    path, whole, copy = tmp_path / "memory.db", tmp_path / "whole.db", tmp_path / "copy.db"
    await filled(path, an_item())
    await filled(whole, *(an_item() for _ in range(50)))
    before = path.read_bytes()

    def changed(content: bytes, statement: str) -> bytes:
        copy.write_bytes(content)
        db = apsw.Connection(str(copy))
        db.execute(statement)
        db.close()
        return copy.read_bytes()

    pages = bytearray(whole.read_bytes())
    for page in range(3, len(pages) // PAGE):
        pages[page * PAGE : page * PAGE + 64] = b"\xff" * 64
    refused = {
        "a letter": b"Dear Ana, " * 2000,
        "pages of noise": bytes(pages),
        "a stranger": changed(b"", "CREATE TABLE recipes(name)"),
        "a newer one": changed(whole.read_bytes(), "PRAGMA user_version = 999"),
        "nothing": b"",
    }
    for content in refused.values():
        copy.write_bytes(content)
        with pytest.raises((StoreCorruptError, StoreVersionError)):
            restore(copy, path, now=NOW)
    for other in (path, tmp_path / "missing.db"):
        with pytest.raises(InvalidInputError):
            restore(other, path, now=NOW)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if ".before" in file.name or "partial" in file.name] == []


# ── files whose bytes are not those that were written ─────────────────────────────────────────────────────────────


async def a_store_of(path: Path, most_items: int, most_messages: int) -> None:
    """Something of every kind."""
    store = await opened(path)
    items = [an_item(content=f"Fact {number}: Ana lives in Recife since {number}") for number in range(most_items)]
    messages = [a_message(text=f"I was in Recife {number} times") for number in range(most_messages - 1)]
    note = a_note(message_ids=tuple(ids_of(messages[:9])))
    await kept(store, *items, *messages, note, *(an_entry(target_id=item.id) for item in items[:50]))
    vectors = [PutVectors(Kind.ITEM, item.id, MODEL, (a_vector(1, n, 2),)) for n, item in enumerate(items)]
    await store.apply(ANA, [*vectors, IndexMessages(tuple(ids_of(messages)))])
    await store.apply(ANA, [buffering(a_message(conversation="c2"))])
    await store.close()


@pytest.fixture(scope="module")
def whole_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "whole.db"
    asyncio.run(a_store_of(path, ITEMS, MESSAGES))
    return path.read_bytes()


@pytest.fixture
def whole(tmp_path: Path, whole_bytes: bytes) -> Path:
    path = tmp_path / "whole.db"
    path.write_bytes(whole_bytes)
    return path


READINGS: dict[str, Callable[[SqliteStore], Awaitable[object]]] = {
    "items": lambda store: store.page(ANA, items_where(), limit=1_000),
    "messages": lambda store: store.page(ANA, Whole(Ledger.MESSAGE), limit=1_000),
    "notes": lambda store: store.page(ANA, NoteFilter()),
    "search": lambda store: store.search(ANA, a_query("recife", vector=a_vector(1, 0, 0)), items_where()),
    "talk": lambda store: store.search(ANA, a_query("recife"), MessageFilter()),
    "counts": lambda store: store.count_items(ANA, items_where()), "trail": lambda store: store.page_trail(ANA),
    "entries": lambda store: store.trail(ANA, Target.ITEM, "x"), "buffers": lambda store: store.buffers(ANA),
    "jobs": lambda store: store.jobs(), "withheld": lambda store: store.withheld(ANA),
    "stats": lambda store: store.stats(), "verify": lambda store: store.verify(),
}  # fmt: skip


async def test_whatever_bytes_are_wrong_only_errors_of_the_store_come_out(tmp_path: Path) -> None:
    chance = random.Random(20_261_116)
    refused = read = 0
    db = tmp_path / "damaged.db"
    await a_store_of(db, 40, 60)
    whole_bytes = db.read_bytes()
    for number in range(100):
        damaged = bytearray(whole_bytes)
        for _ in range(chance.choice((1, 5, 25, 200))):
            damaged[chance.randrange(100, len(damaged))] = chance.randrange(256)
        for file in tmp_path.iterdir():
            file.unlink()
        db.write_bytes(damaged)
        try:
            store = await opened(db)
        except StoreError:
            refused += 1
            continue
        for name, reading in READINGS.items():
            try:
                await reading(store)
                read += 1
            except StoreError:
                refused += 1
            except Exception as exc:
                raise AssertionError(f"round {number}: {name} raised {exc!r}") from exc
        await store.close()
    assert refused > 20
    assert read > 100


async def test_a_page_of_noise_is_told_with_what_to_do_and_what_is_left_stays_usable(whole: Path) -> None:
    db = apsw.Connection(str(whole))
    root = int(db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'message'").get)
    db.close()
    damage(whole, [root])
    store = await opened(whole)
    with pytest.raises(StoreCorruptError, match=r"relembra backup restore.*restored by copying"):
        await kept(store, a_message())
    assert len((await store.page(ANA, items_where(), limit=1_000)).rows) == ITEMS
    assert (await store.verify()).problems
    await store.close()


def test_what_stood_in_a_row_is_in_no_message() -> None:
    for kind in UNREADABLE:
        assert "segredo" not in str(unreadable(kind("segredo"), Path("m.db")))


# ── bringing out what can be read ─────────────────────────────────────────────────────────────────────────────────


def leaves(path: Path, table: str) -> list[int]:
    """The pages that hold a table's rows, counted from 1."""
    db = apsw.Connection(str(path))
    found = db.execute("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno", (table,))
    pages = [int(str(page)) for (page,) in found]
    db.close()
    return pages


def damage(path: Path, pages: list[int]) -> None:
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * PAGE)
            file.write(random.Random(page).randbytes(PAGE))


async def brought_out(path: Path) -> tuple[int, int]:
    """How many items and messages a salvaged store has; it is in order, and found by its words again."""
    store = await opened(path)
    assert (await store.verify()).problems == ()
    assert await store.search(ANA, a_query("recife"), items_where())
    stats = await store.stats()
    await store.close()
    return sum(stats.items.values()), stats.messages


async def test_damaged_pages_in_several_places_cost_their_rows_alone(whole: Path, tmp_path: Path) -> None:
    before = whole.read_bytes()
    done = salvage(whole, tmp_path / "all.db", Words())
    assert (done.read["item"], done.read["message"], done.lost) == (ITEMS, MESSAGES, {})
    assert await brought_out(tmp_path / "all.db") == (ITEMS, MESSAGES)
    assert whole.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["all.db", "whole.db"]

    items, messages = leaves(whole, "item"), leaves(whole, "message")
    assert min(len(items), len(messages)) >= 6
    damage(whole, [items[2], items[-3], messages[3], messages[-2]])
    before = whole.read_bytes()
    done = salvage(whole, tmp_path / "new.db", Words())
    left = await brought_out(tmp_path / "new.db")
    assert left == (done.read["item"], done.read["message"])
    assert done.lost["item"] == ITEMS - left[0]  # the indexes tell how many there were
    assert done.lost["message"] == MESSAGES - left[1]
    assert left[0] >= ITEMS * (len(items) - 3) // len(items)
    assert left[1] >= MESSAGES * (len(messages) - 3) // len(messages)
    assert whole.read_bytes() == before


@each(["posting", "embedding", "item_by_time", "job", "buffer", "stamp", "clock"])
async def test_damage_to_what_is_made_anew_costs_nothing_that_was_said(
    table: str, tmp_path: Path, whole_bytes: bytes
) -> None:
    path, target = tmp_path / f"{table}.db", tmp_path / f"new {table}.db"
    path.write_bytes(whole_bytes)
    pages = leaves(path, table)
    assert pages
    damage(path, pages)
    done = salvage(path, target, Words())
    assert done.lost.get("message", 0) == done.lost.get("item", 0) == 0
    assert await brought_out(target) == (ITEMS, MESSAGES)


@each(["byte", "page", "third"])
async def test_of_a_file_cut_short_what_is_left_is_brought_out(
    missing: str, tmp_path: Path, whole_bytes: bytes
) -> None:
    path, target, size = tmp_path / f"{missing}.db", tmp_path / f"new {missing}.db", len(whole_bytes)
    path.write_bytes(whole_bytes)
    left = {"byte": size - 1, "page": size - PAGE, "third": size * 2 // 3}[missing]
    pages = [leaves(path, table) for table in ("item", "message")]
    there = [sum(page * PAGE <= left for page in some) / len(some) for some in pages]
    path.write_bytes(whole_bytes[:left])
    done = salvage(path, target, Words())
    brought = await brought_out(target)
    assert brought == (done.read.get("item", 0), done.read.get("message", 0))
    assert brought[0] >= ITEMS * (there[0] - 0.1)
    assert brought[1] >= MESSAGES * (there[1] - 0.1)
    assert brought[0] > ITEMS // 3
    assert path.read_bytes() == whole_bytes[:left]


def test_what_cannot_be_salvaged_is_said(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(ConflictError):
        salvage(whole, whole, Words())
    with pytest.raises(InvalidInputError):
        salvage(tmp_path / "none.db", tmp_path / "new.db", Words())
    damage(whole, [1])
    with pytest.raises(StoreCorruptError):
        salvage(whole, tmp_path / "new.db", Words())
    assert not (tmp_path / "new.db").exists()


async def test_a_copy_has_another_secret_than_what_it_was_copied_from(tmp_path: Path) -> None:
    async def secret(path: Path) -> str:
        store = await opened(path)
        try:
            return await store.identity()
        finally:
            await store.close()

    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    first = await secret(path)
    store = await opened(path)
    await store.backup(copy)
    await store.close()
    restore(copy, path, now=NOW)
    assert len({first, await secret(path), await secret(copy)}) == 3
    reading = await SqliteStore.open(tmp_path / "copy.db", analyzer=Words(), read_only=True)
    assert await reading.identity() == await secret(copy)
    await reading.close()
