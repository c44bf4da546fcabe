"""Moving a memory between back ends: nothing is lost on the way, and a move that was killed goes on."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from postgres import Server
from relembra import Memory
from relembra.bootstrap import migrate
from relembra.errors import ConflictError, InvalidInputError, SettingsError, StoreVersionError
from relembra.settings import Settings
from relembra.store.sql import moving

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
END = START + timedelta(days=30)
SETTINGS = Settings()
KILLED = """
import asyncio, os, signal, sys
from relembra.bootstrap import migrate
from relembra.settings import Settings
def die(done, total):
    if done >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(migrate(sys.argv[1], sys.argv[2], settings=Settings(), progress=die))
"""

CHANGES = {
    "item": "UPDATE item SET confidence = confidence / 2",
    "audit": "DELETE FROM audit WHERE number = (SELECT min(number) FROM audit)",
    "message": "INSERT INTO message SELECT tenant, owner, zeroblob(16), conversation, role, author, text, sent_at,"
    " zone, space, channel, NULL, metadata, saved_at, deleted_at, analyzer, length FROM message LIMIT 1",
    "posting": "UPDATE posting SET tf = tf + 1",
    "embedding": "UPDATE embedding SET vector = zeroblob(length(vector))",
}


async def lived(db: str) -> None:
    """Some days of two tenants, with something of every kind in the store."""
    now = START

    def clock() -> datetime:
        nonlocal now
        now += timedelta(seconds=1)
        return now

    async with Memory.open(db, clock=clock, background=False) as memory:
        for day, said in enumerate(("Eu moro em Recife.", "Minha irmã Bia adora café.", "Agora eu moro em Olinda.")):
            await memory.save(user="ana", said=said, replied="Entendi.", conversation=f"c{day}", external_id=f"m{day}")
            await memory.save(user="bia", said="Bom dia a todos!", conversation="g", space="casa", channel="geral")
            now += timedelta(hours=3)
            await memory.settle(flush=True)
            now += timedelta(days=1)
        await memory.consolidate(user="ana")
        old, gone = [await memory.add(text, user="ana") for text in ("Gosta de chá" * 40, "Tem um gato")]
        await memory.archive(old.id, user="ana")
        await memory.delete(gone.id, user="ana")
        await memory.add("Vive em Oslo", user="ana", tenant="other")
        await memory.create_key("mine", user="ana")
        await memory.create_key("whole", tenant="other")
        await memory.link("telegram", "17", user="ana")
        await memory.block("Caio")
        await memory.save(user="ana", said="Comprei um barco.", replied="Que bom!", conversation="open")
        await memory.save(user="bia", said="Vou ao mercado.", conversation="g", space="casa", channel="geral")
        await memory.settle()


async def exported(db: str) -> dict[str, Any]:
    """All that can be asked of a memory, the same on every engine."""
    found: dict[str, Any] = {}
    async with Memory.open(db, clock=lambda: END, background=False, read_only=True) as memory:
        for tenant in ("default", "other"):
            file = io.BytesIO()
            await memory.export(file, format="jsonl", user=None, tenant=tenant)
            found[tenant] = file.getvalue()
            found[f"keys of {tenant}"] = await memory.keys(tenant=tenant)
        found["links"] = await memory.links(user="ana")
        found["blocks"] = await memory.blocks()
        found["jobs"] = [(job.id, job.kind, job.state, job.due_at) for job in await memory.jobs(limit=1_000)]
        found["search"] = [hit.item.id for hit in await memory.search("onde ela mora?", user="ana")]
        found["problems"] = (await memory.verify()).problems
    return found


@pytest.fixture
async def memory(tmp_path: Path) -> str:
    path = str(tmp_path / "memory.db")
    await lived(path)
    return path


async def test_a_memory_goes_to_a_server_and_back_and_is_the_same(
    memory: str, tmp_path: Path, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "PAGE", 7)
    server, back, before = postgres_server.new_database(), str(tmp_path / "back.db"), Path(memory).read_bytes()
    told: list[tuple[int, int]] = []
    there = await migrate(memory, server, settings=SETTINGS, progress=lambda *how: told.append(how))
    assert (there.problems, there.people, there.known) == ((), 3, 0)
    assert told[-1][0] == told[-1][1] == 2 * sum(there.rows.values())
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    kinds = "message note item audit job buffer buffered run posting embedding access_key link block unaccounted"
    assert set(kinds.split()) <= set(there.rows)
    again = await migrate(memory, server, settings=SETTINGS)
    assert (again.rows, again.problems, again.known > 0) == (there.rows, (), True)
    assert (await migrate(server, back, settings=SETTINGS)).rows == there.rows
    assert Path(memory).read_bytes() == before
    first, second, third = [await exported(db) for db in (memory, server, back)]
    assert first["problems"] == ()
    assert first["search"]
    assert first == second == third


@pytest.mark.parametrize("share", [0.02, 0.2, 0.45, 0.55, 0.97])
async def test_a_move_that_was_killed_goes_on(memory: str, tmp_path: Path, share: float) -> None:
    target, whole = tmp_path / "new.db", await migrate(memory, str(tmp_path / "whole.db"), settings=SETTINGS)
    at = str(int(2 * sum(whole.rows.values()) * share))
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, memory, target, at], timeout=120, env=os.environ, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    other = str(tmp_path / "other.db")
    await lived(other)
    if share < 0.4:
        with pytest.raises(ConflictError):  # another memory's may not come between
            await migrate(other, str(target), settings=SETTINGS)
    assert (await migrate(memory, str(target), settings=SETTINGS)).rows == whole.rows
    assert await exported(str(target)) == await exported(memory)


async def test_one_person_goes_alone_and_nobody_is_overwritten(memory: str, tmp_path: Path) -> None:
    target = str(tmp_path / "new.db")
    with pytest.raises(InvalidInputError, match="wait to be noted in spaces"):
        await migrate(memory, target, settings=SETTINGS, tenant="default", user="bia")
    one = await migrate(memory, target, settings=SETTINGS, tenant="default", user="ana")
    assert (one.people, "block" in one.rows, one.rows["access_key"]) == (1, False, 1)
    async with Memory.open(target, background=False) as there:
        assert (await there.stats()).people == 1
        await there.add("Tem um cão", user="ana")
    with pytest.raises(ConflictError, match="other data of ana"):
        await migrate(memory, target, settings=SETTINGS)
    async with Memory.open(target, background=False) as there:
        assert (await there.stats()).people == 1
    assert (await migrate(memory, target, settings=SETTINGS, tenant="other")).people == 1
    for pair in ((memory, memory), (":memory:", target), (memory, ":memory:")):
        with pytest.raises(SettingsError):
            await migrate(*pair, settings=SETTINGS)


async def test_a_row_that_came_otherwise_is_found(memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put = moving._put
    for table, change in CHANGES.items():

        def altered(db: Any, holder: Any, part: Any, found: Any, table: str = table, change: str = change) -> None:
            put(db, holder, part, found)
            if part.table == table:
                db.execute(change)

        with monkeypatch.context() as patch:
            patch.setattr(moving, "_put", altered)
            done = await migrate(memory, str(tmp_path / f"{table}.db"), settings=SETTINGS)
        assert [problem.partition(" ")[0] for problem in done.problems] == [table]
        assert done.of


async def test_every_table_is_moved_made_anew_or_left_on_purpose(memory: str) -> None:
    with closing(apsw.Connection(memory)) as file:
        tables = {name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert sorted({*(part.table for part in moving.PARTS), *moving.MADE_ANEW, *moving.LEFT_BEHIND}) == sorted(tables)


async def test_what_an_earlier_version_indexed_is_opened_first(memory: str, tmp_path: Path) -> None:
    with closing(apsw.Connection(memory)) as file:
        file.execute("UPDATE meta SET value = '0' WHERE name = 'analyzer'")
    with pytest.raises(StoreVersionError):
        await migrate(memory, str(tmp_path / "new.db"), settings=SETTINGS)
