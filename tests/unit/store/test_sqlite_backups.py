"""Putting a backup in a store's place: what is checked, what is put aside, who may be there meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from builders import ANA, NOW, Words, a_key, an_item, kept
from relembra.domain.access import Session
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import InvalidInputError, StoreCorruptError, StoreError, StoreUnavailableError, StoreVersionError
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite.backups import restore


async def opened(path: Path) -> SqliteStore:
    return await SqliteStore.open(path, analyzer=Words())


async def filled(path: Path, *items: KnowledgeItem) -> None:
    store = await opened(path)
    for item in items:
        await kept(store, item)
    await store.close()


async def held(path: Path, *ids: str) -> list[str]:
    store = await opened(path)
    try:
        assert (await store.verify()).problems == ()
        return [item.id for item in await store.get(ANA, KnowledgeItem, ids)]
    finally:
        await store.close()


def as_if_killed(path: Path) -> None:
    """Leave a store with its last writes in the log alone, as a program that was killed does."""
    script = (
        "import asyncio, os, sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "from builders import Words, an_item, kept\n"
        "from relembra.domain.ids import new_id; from relembra.store.sqlite import SqliteStore\n"
        "async def main():\n"
        "    store = await SqliteStore.open(Path(sys.argv[1]), analyzer=Words())\n"
        "    for number in range(40): await kept(store, an_item(id=new_id(), content=f'later {number} ' * 30))\n"
        "    os._exit(9)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path), str(Path(__file__).parents[2])], timeout=60)
    assert done.returncode == 9
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


async def test_a_backup_copied_by_hand_over_a_log_is_damaged_and_a_restored_one_is_not(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    item = an_item()
    await filled(path, item)
    store = await opened(path)
    await store.backup(copy)
    await store.close()
    as_if_killed(path)
    wrong = tmp_path / "wrong.db"
    shutil.copy(copy, wrong)
    shutil.copy(f"{path}-wal", f"{wrong}-wal")
    with pytest.raises((StoreError, AssertionError)):  # refused, or found damaged
        await held(wrong, item.id)
    done = restore(copy, path, now=NOW)
    assert done.bytes == path.stat().st_size
    assert await held(path, item.id) == [item.id]
    store = await opened(path)
    assert (await store.stats()).items["current"] == 1
    await store.close()


async def test_what_was_there_is_kept_aside_with_its_log(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    await filled(path)
    await filled(copy, an_item())
    as_if_killed(path)
    done = restore(copy, path, now=NOW)
    assert done.aside == tmp_path / "memory.db.before-20260301-120000"
    assert not (tmp_path / "memory.db-wal").exists()
    store = await opened(done.aside)
    assert (await store.stats()).items["current"] == 40  # also those that were in the log alone
    await store.close()
    again = restore(copy, path, now=NOW)
    assert again.aside == tmp_path / "memory.db.before-20260301-120000-2"


async def test_killed_before_the_backup_takes_its_place_the_old_store_is_whole(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    await filled(copy)
    as_if_killed(path)
    script = (
        "import os, sys; from datetime import datetime; from pathlib import Path\n"
        "from relembra.store.sqlite.backups import restore\n"
        "Path.replace = lambda *_: os._exit(9)\n"
        "restore(Path(sys.argv[1]), Path(sys.argv[2]), now=datetime.now())\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(copy), str(path)], timeout=60).returncode == 9
    assert [file for file in tmp_path.iterdir() if file.name.endswith(".partial")]
    store = await opened(path)
    assert (await store.stats()).items["current"] == 40
    await store.close()
    others = tmp_path / f".memory.db.{os.getppid()}.partial"  # of a program that runs
    others.touch()
    restore(copy, path, now=NOW)
    assert [file for file in tmp_path.iterdir() if file.name.endswith(".partial")] == [others]


async def test_a_log_beside_an_emptied_file_is_put_aside_with_it(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    await filled(copy)
    as_if_killed(path)
    path.write_bytes(b"")
    log = (tmp_path / "memory.db-wal").read_bytes()
    done = restore(copy, path, now=NOW)
    assert done.aside is not None
    assert done.aside.with_name(f"{done.aside.name}-wal").read_bytes() == log


async def test_a_damaged_store_can_be_replaced_and_none_has_to_be_there(tmp_path: Path) -> None:
    path, copy, item = tmp_path / "memory.db", tmp_path / "copy.db", an_item()
    await filled(copy, item)
    assert restore(copy, path, now=NOW).aside is None
    assert await held(path, item.id) == [item.id]
    path.write_bytes(b"no database at all " * 1000)
    restore(copy, path, now=NOW)
    assert await held(path, item.id) == [item.id]
    assert await held(copy, item.id) == [item.id]
    assert oct(path.stat().st_mode)[-3:] == "600"


async def test_a_store_somebody_has_open_is_left_alone(tmp_path: Path) -> None:
    path, copy, item = tmp_path / "memory.db", tmp_path / "copy.db", an_item()
    await filled(path, item)
    await filled(copy)
    store = await opened(path)
    with pytest.raises(StoreUnavailableError, match="in use"):
        restore(copy, path, now=NOW)
    await store.close()
    assert await held(path, item.id) == [item.id]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", "memory.db"]


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
    assert await revoked_after(copy, path) == ({lost.id}, 0)
    assert await revoked_after(by_hand, path) == ({lost.id}, 0)
    db = apsw.Connection(str(path))
    assert db.execute("SELECT count(*) FROM access_session").get == 0
    db.close()
    path.write_bytes(b"no database at all " * 1000)
    assert await revoked_after(copy, path) == (set(), 2)
    assert await revoked_after(copy, tmp_path / "new.db") == (set(), 2)


async def revoked_after(copy: Path, path: Path) -> tuple[set[str], int]:
    """The keys revoked in a store once it was restored, and how many are not known of."""
    done = restore(copy, path, now=NOW)
    store = await opened(path)
    try:
        return {key.id for key in await store.keys() if key.revoked_at is not None}, done.unchecked_keys
    finally:
        await store.close()


@pytest.mark.parametrize("fault", ["letter", "page", "stranger", "newer", "missing", "itself"])
async def test_what_is_no_backup_is_refused_and_nothing_changes(tmp_path: Path, fault: str) -> None:
    path, copy, item = tmp_path / "memory.db", tmp_path / "copy.db", an_item()
    await filled(path, item)
    if fault == "letter":
        copy.write_bytes(b"Dear Ana, " * 2000)
    elif fault == "stranger":
        db = apsw.Connection(str(copy))
        db.execute("CREATE TABLE recipes(name)")
        db.close()
    elif fault in ("page", "newer"):
        await filled(copy, *(an_item() for _ in range(50)))
        if fault == "page":
            with copy.open("r+b") as file:
                for page in range(3, copy.stat().st_size // 8192):
                    file.seek(page * 8192)
                    file.write(b"\xff" * 64)
        else:
            db = apsw.Connection(str(copy))
            db.execute("INSERT INTO migration VALUES (9999, 'later', 'x', 0)")
            db.close()
    elif fault == "itself":
        copy = path
    before = path.read_bytes()
    with pytest.raises((StoreCorruptError, StoreVersionError, InvalidInputError)):
        restore(copy, path, now=NOW)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if ".before" in file.name or "partial" in file.name] == []


async def test_a_copy_taken_by_hand_with_its_log_is_restored_whole(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    await filled(copy)
    as_if_killed(copy)
    restore(copy, path, now=NOW)
    store = await opened(path)
    assert (await store.stats()).items["current"] == 40
    await store.close()
    assert (tmp_path / "copy.db-wal").stat().st_size > 0  # the backup is as it was
