"""A memory that is only read: what works, what is refused, and files that cannot be written at all."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from builders import Words
from relembra import Memory
from relembra.bootstrap import opened
from relembra.errors import StoreError, StoreReadOnlyError, StoreUnavailableError, StoreVersionError
from relembra.settings import Settings
from relembra.store.sqlite import SqliteStore
from relembra.store.sqlite.upkeep import alone

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE = 1


async def filled(path: Path) -> None:
    async with opened(settings=Settings(db=str(path)), background=False) as memory:
        await memory.add("Gosta de chá de hortelã", user="ana")
        await memory.save(user="ana", said="Bom dia!", conversation="c1")
        await memory.settle()


async def read(memory: Memory, folder: Path) -> None:
    assert [item.content for item in await memory.list(user="ana")] == ["Gosta de chá de hortelã"]
    assert await memory.search("chá", user="ana")
    assert "hortelã" in (await memory.load(user="ana", query="chá")).text
    assert len(await memory.messages(user="ana")) == 1
    assert (await memory.verify()).problems == ()
    await memory.export(folder / "export.json", user="ana")


async def refuse(memory: Memory) -> None:
    with pytest.raises(StoreReadOnlyError, match="reading only"):
        await memory.add("Algo", user="ana")
    with pytest.raises(StoreReadOnlyError):
        await memory.save(user="ana", said="Algo")
    with pytest.raises(StoreReadOnlyError):
        await memory.forget(user="ana", all=True)


async def test_everything_is_read_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    await filled(path)
    before = path.read_bytes()
    async with Memory.open(path, read_only=True) as memory:
        await read(memory, tmp_path)
        await refuse(memory)
        with pytest.raises(StoreUnavailableError), alone(path):
            pass
    assert path.read_bytes() == before


async def test_what_another_program_writes_meanwhile_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    await filled(path)
    settings = Settings(db=str(path), read_only=True)
    async with opened(settings=settings) as reading, opened(db=path, background=False) as writing:
        await writing.add("Tem um gato", user="ana")
        assert len(await reading.list(user="ana")) == 2


async def test_no_file_is_made_and_an_older_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store"):
        await SqliteStore.open(tmp_path / "none.db", analyzer=Words(), read_only=True)
    path = tmp_path / "m.db"
    await (await SqliteStore.open(path, analyzer=Words())).close()
    db = apsw.Connection(str(path))
    db.execute("DELETE FROM migration WHERE number = (SELECT max(number) FROM migration)")
    db.close()
    with pytest.raises(StoreVersionError, match="earlier version"):
        await SqliteStore.open(path, analyzer=Words(), read_only=True)
    assert not (tmp_path / "none.db").exists()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A folder that cannot be written while its mode says so."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    yield folder
    folder.chmod(0o700)


def heed_modes() -> None:
    """Let go of root's right to write whatever the mode says; nobody else has it."""
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


async def test_a_file_that_cannot_be_written_is_read(shelf: Path) -> None:
    path = shelf / "m.db"
    await filled(path)
    path.chmod(0o444)
    shelf.chmod(0o555)
    script = textwrap.dedent(
        """
        import asyncio, io, sys
        from relembra import Memory
        from relembra.errors import StoreReadOnlyError

        async def main(path):
            async with Memory.open(path, read_only=True) as memory:
                assert len(await memory.list(user="ana")) == 1
                assert await memory.search("chá", user="ana")
                assert (await memory.verify()).problems == ()
                await memory.export(io.BytesIO(), user="ana")
                try:
                    await memory.add("Algo", user="ana")
                except StoreReadOnlyError:
                    print("refused")
        asyncio.run(main(sys.argv[1]))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=heed_modes,
    )
    assert (done.stdout, done.stderr) == ("refused\n", "")
    assert [file.name for file in shelf.iterdir()] == ["m.db"]
