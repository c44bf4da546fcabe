"""What must hold when things break: kills at any moment, a full disk, forgetting, live backups."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
from datetime import datetime, timedelta
from pathlib import Path

from crashing import crash, opened
from memories import days_work
from relembra import Draft, Memory, Verification
from relembra.domain.time import system_clock
from relembra.errors import StoreFullError
from seeds import rounds


def later() -> datetime:
    """When every lease of a killed process has run out."""
    return system_clock() + timedelta(hours=1)


async def verified(db: Path, dimensions: int = 64) -> Verification:
    async with opened(db, dimensions, later) as memory:
        await memory.settle()
        return await memory.verify()


async def test_no_acknowledged_write_is_lost_to_kills(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    acknowledged = crash("writing", db, times=rounds(18))
    messages = [id for kind, *ids in acknowledged if kind == "message" for id in ids]
    items = [id for kind, *ids in acknowledged if kind == "item" for id in ids]
    assert messages
    assert items
    assert (await verified(db)).problems == ()
    async with opened(db) as memory:
        stats = await memory.stats()
        assert await days_work(memory) == []
        held = {message.id async for message in _all(memory)}
        assert set(messages) <= held
        for id in items:
            await memory.get(id, user="ana")
        assert stats.vectors["hashing-64"] == len(held) + stats.notes + sum(stats.items.values())
        current = await memory.list(user="ana", attribute="weight")
        assert len(current) == 1


async def _all(memory: Memory):  # type: ignore[no-untyped-def]  # a generator of messages
    after = None
    while True:
        page = await memory.messages(user="ana", limit=500, after=after)
        for message in page:
            yield message
        after = page.next
        if after is None:
            return


async def test_a_reindexing_killed_again_and_again_ends_complete(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    async with opened(db) as memory:
        await memory.add_many([Draft(content=f"Fato número {n} sobre a vida") for n in range(1_000)], user="ana")
        await memory.save(user="bia", said="Uma mensagem")
        await memory.settle()
    crash("reindexing", db, times=rounds(12))
    async with opened(db, dimensions=96) as memory:
        assert (await memory.verify()).problems == ()
        found = await memory.search("fato número 77", user="ana")
        assert found
        await memory.reindex()
        assert (await memory.stats()).vectors == {"hashing-96": 1_001}
        assert await memory.other_models() == []
        assert (await memory.verify()).problems == ()


async def test_forgetting_killed_at_any_moment_is_whole_or_not_at_all(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    async with opened(db) as memory:
        await memory.add_many([Draft(content=f"Segredo número {n}") for n in range(500)], user="ana")
    lives = rounds(12)
    gone = crash("forgetting", db, times=lives)
    assert (await verified(db)).problems == ()
    async with opened(db) as memory:
        left = sum((await memory.stats(user="ana")).items.values())
    assert gone
    assert 500 - left in range(len(gone), len(gone) + lives + 1)


async def test_a_full_disk_is_said_and_changes_nothing_by_halves(tmp_path: Path) -> None:
    """The file may not grow past a limit the system sets, as on a full disk; later there is room again."""
    db = tmp_path / "m.db"
    script = textwrap.dedent(
        """
        import asyncio, resource, signal, sys
        from pathlib import Path
        from crashing import opened
        from relembra.errors import StoreError

        async def main(db):
            saved = 0
            async with opened(Path(db)) as memory:
                await memory.save(user="ana", said="antes")
                await memory.settle()
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                limits = resource.getrlimit(resource.RLIMIT_FSIZE)
                resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, limits[1]))
                try:
                    for number in range(1_000):
                        await memory.save(user="ana", said="x" * 20_000, external_id=str(number))
                        saved += 1
                except StoreError as exc:
                    print(type(exc).__name__, saved)
                assert len(await memory.messages(user="ana", limit=500)) == saved + 1  # reading goes on
                assert await memory.recall("antes", user="ana")
                assert (await memory.verify()).problems == ()
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)
                await memory.save(user="ana", said="depois")
        asyncio.run(main(sys.argv[1]))
        """
    )
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-c", script, str(db)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 0, done.stderr
    error, saved = done.stdout.split()
    assert error == StoreFullError.__name__
    assert (await verified(db)).problems == ()
    async with opened(db) as memory:
        assert (await memory.stats()).messages == int(saved) + 2


async def test_what_was_forgotten_is_in_no_byte_of_the_files(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    async with opened(db) as memory:
        saved = await memory.save(user="ana", said="xilofonista clandestina", replied="xilofonista?", conversation="c1")
        item = await memory.add(
            "É xilofonista clandestina", user="ana", source="conversation", message_ids=[saved.messages[0].id]
        )
        await memory.correct(item.id, "Foi xilofonista clandestina", user="ana")
        await memory.load(user="ana", query="xilofonista")
        await memory.add("Gosta de maçãs", user="bia")
        await memory.settle()
        assert b"xilofonista" in _bytes(tmp_path)
        await memory.forget(user="ana", all=True)
        assert b"xilofon" not in _bytes(tmp_path)
        assert (await memory.verify()).problems == ()
    assert b"xilofon" not in _bytes(tmp_path)


def _bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("m.db*")))


async def test_a_backup_taken_while_writing_is_whole(tmp_path: Path) -> None:
    db, copy = tmp_path / "m.db", tmp_path / "copy.db"
    async with opened(db) as memory:

        async def write() -> None:
            for number in range(100):
                await memory.save(user="ana", said=f"mensagem {number}")

        writer = asyncio.create_task(write())
        await asyncio.sleep(0)
        assert await memory.backup(copy) == copy.stat().st_size
        await writer
    assert (await verified(copy)).problems == ()
