"""Opening the file: versions, strangers, rights, several processes at once, reading only, and no file at all."""

from __future__ import annotations

import asyncio
import ctypes
import os
import stat
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import TypeVar, get_args

import apsw
import pytest

from builders import ANA, NOW, Words, a_job, a_message, a_query, an_item, items_where, kept, minutes, puts
from relembra import Memory
from relembra.bootstrap import opened as opened_memory
from relembra.domain.jobs import JobState
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import StoreCorruptError, StoreError, StoreReadOnlyError, StoreUnavailableError, StoreVersionError
from relembra.interchange import ExportFormat
from relembra.settings import Settings, private_folder
from relembra.store.port import ForgetItem, ForgetPerson, IndexMessages, MessageFilter
from relembra.store.sqlite import InMemoryStore, SqliteStore, connection
from relembra.store.sqlite.connection import BUSY_TIMEOUT_MS, Presence, alone
from relembra.store.sqlite.threads import Readers, Work

T = TypeVar("T")

PREAMBLE = f"""
import asyncio, sys
from datetime import timedelta
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from builders import NOW, Words, a_message, kept
from relembra.domain.scope import new_id
from relembra.store.sqlite import SqliteStore
"""
PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE = 1


async def opened(path: Path, **options: object) -> SqliteStore:
    return await SqliteStore.open(path, analyzer=Words(), **options)  # type: ignore[arg-type]  # options vary by test


async def made(path: Path) -> Path:
    await (await opened(path)).close()
    return path


def changed(path: Path, statement: str) -> None:
    db = apsw.Connection(str(path))
    db.execute(statement)
    db.close()


def process(script: str, path: Path, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PREAMBLE + textwrap.dedent(script), str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload,no-any-return]


# ── what is opened and what is refused ────────────────────────────────────────────────────────────────────────────


async def test_the_file_is_set_up_once_and_keeps_its_rows(tmp_path: Path) -> None:
    path, item = tmp_path / "memory.db", an_item()
    store = await opened(path)
    assert await store.jobs() == []
    await kept(store, item)
    await store.close()
    store = await opened(path, create=False)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    await store.close()
    await store.close()
    db = apsw.Connection(str(path))
    assert [db.execute(f"PRAGMA {name}").get for name in ("page_size", "journal_mode")] == [8192, "wal"]
    db.close()


async def test_a_library_that_can_damage_the_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apsw, "SQLITE_VERSION_NUMBER", 3_051_002)
    with pytest.raises(StoreVersionError, match=r"3\.51\.3"):
        await opened(tmp_path / "memory.db")
    assert not (tmp_path / "memory.db").exists()


async def test_a_file_of_another_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = await made(tmp_path / "memory.db")
    for version, said in ((connection.SCHEMA + 1, "newer Relembra"), (0, "in development")):
        changed(path, f"PRAGMA user_version = {version}")
        before = path.read_bytes()
        for options in ({}, {"read_only": True}):
            with pytest.raises(StoreVersionError, match=said):
                await opened(path, **options)
        assert path.read_bytes() == before


async def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    changed(path, "CREATE TABLE bookmark (url)")
    theirs = path.read_bytes()
    noise = b"this is no database at all, but long enough to be read as one" * 40
    for content, said in ((theirs, "another program"), (noise, "restore a backup"), (b"short", "restore a backup")):
        path.write_bytes(content)
        with pytest.raises(StoreCorruptError, match=said):
            await opened(path)
        assert path.read_bytes() == content
    with pytest.raises(StoreError, match="no store"):
        await opened(tmp_path / "memory.db", create=False)
    with pytest.raises(StoreError, match="no store"):
        await opened(tmp_path / "memory.db", read_only=True)
    with pytest.raises(StoreError, match=r"nowhere.*folder"):
        await opened(tmp_path / "nowhere" / "memory.db")
    assert not (tmp_path / "memory.db").exists()


class Reversed(Words):
    """Another version of the analyzer, with other terms."""

    version = 2

    def terms(self, text: str) -> list[str]:
        return [word[::-1] for word in super().terms(text)]


async def test_rows_of_another_analyzer_are_indexed_anew(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await opened(path)
    items = [an_item(content=f"glass number {number}") for number in range(3)]
    indexed, waiting = a_message(text="glass bell"), a_message(text="glass kiln")
    await kept(store, *items, indexed, waiting)
    await store.apply(ANA, [IndexMessages((indexed.id,))])
    await store.close()
    store = await SqliteStore.open(path, analyzer=Reversed())
    assert (await store.verify()).problems == ()
    assert len(await store.search(ANA, a_query("ssalg"), items_where())) == 3
    assert len(await store.search(ANA, a_query("ssalg"), MessageFilter())) == 2
    assert await store.search(ANA, a_query("glass"), items_where()) == []
    await store.close()


# ── several at once ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_locked_file_is_unavailable_and_usable_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 50)
    store = await opened(tmp_path / "memory.db")
    other = apsw.Connection(str(tmp_path / "memory.db"))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailableError):
        await kept(store, an_item())
    other.execute("ROLLBACK")
    other.close()
    item = an_item()
    await kept(store, item)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    await store.close()


def test_several_processes_may_make_and_write_one_file_and_end_without_closing_it(tmp_path: Path) -> None:
    script = """
    async def main():
        store = await SqliteStore.open(Path(sys.argv[1]), analyzer=Words())
        for _ in range(20):
            await kept(store, a_message(id=new_id()))
        await store.jobs()
    asyncio.run(main())
    """
    running = [process(script, tmp_path / "memory.db") for _ in range(3)]
    assert [child.communicate(timeout=120)[1] for child in running] == [""] * 3
    db = apsw.Connection(str(tmp_path / "memory.db"))
    assert db.execute("SELECT count(*) FROM message").get == 60
    db.close()


async def test_a_closed_store_says_so_and_what_was_queued_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await opened(tmp_path / "memory.db")
    pid = os.getpid()
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", lambda: pid + 1)
        for refused in (kept(store, an_item()), store.get(ANA, KnowledgeItem, [])):
            with pytest.raises(StoreError, match="forked"):
                await refused
    writes = [asyncio.ensure_future(store.apply(ANA, puts(an_item()))) for _ in range(50)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*writes)
    for call in (store.get(ANA, KnowledgeItem, []), store.verify(), kept(store, an_item())):
        with pytest.raises(StoreError, match="closed"):
            await call
    store = await opened(tmp_path / "memory.db")
    assert len((await store.page(ANA, items_where())).rows) == 50
    await store.close()


async def test_nobody_takes_what_a_living_worker_is_at_and_whoever_starts_alone_what_a_killed_one_was(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    store = await opened(path)
    await kept(store, a_job(kind="test", due_at=NOW))
    await store.close()
    child = process(
        """
        async def main():
            store = await SqliteStore.open(Path(sys.argv[1]), analyzer=Words())
            [job] = await store.claim(["test"], now=NOW, lease=timedelta(minutes=10), limit=1)
            print(job.attempts, flush=True)
            await asyncio.sleep(600)
        asyncio.run(main())
        """,
        path,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == "1"
        first, second = await opened(path), await opened(path)
        for store in (first, second):
            assert await store.claim(["test"], now=NOW, lease=minutes(10), limit=1) == []
        assert [job.state for job in await first.jobs()] == [JobState.RUNNING]
    finally:
        child.kill()
        child.communicate()
    await first.close()
    assert (tmp_path / "memory.db-lock").exists()
    await second.close()
    assert not (tmp_path / "memory.db-lock").exists()
    store = await opened(path)
    [job] = await store.claim(["test"], now=NOW, lease=minutes(10), limit=1)
    assert job.attempts == 2  # the try that was killed counts
    await store.close()


async def test_alone_is_nobody_while_another_program_is_there(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    viewer = apsw.Connection(str(path))
    viewer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(x); SELECT * FROM t").fetchall()
    with pytest.raises(StoreUnavailableError, match="in use"), alone(path):
        pass
    viewer.close()
    with alone(path), pytest.raises(StoreUnavailableError):
        Presence(path, patience_ms=0)
    first = Presence(path)
    waiting = asyncio.create_task(asyncio.to_thread(Presence, path))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    first.leave()  # whoever waited for a lock that was taken away gets the new one
    second = await waiting
    assert second.is_alone
    assert (tmp_path / "memory.db-lock").exists()
    second.leave()
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]


# ── only read ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def filled(path: Path) -> None:
    async with opened_memory(settings=Settings(db=str(path)), background=False) as memory:
        await memory.add("Gosta de chá de hortelã", user="ana")
        await memory.save(user="ana", said="Bom dia!", conversation="c1")
        await memory.settle()


async def test_everything_is_read_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    await filled(path)
    before = path.read_bytes()
    async with Memory.open(path, read_only=True) as memory:
        assert [item.content for item in await memory.list(user="ana")] == ["Gosta de chá de hortelã"]
        assert "hortelã" in (await memory.load(user="ana", query="chá")).text
        assert (await memory.verify()).problems == ()
        await memory.export(tmp_path / "export.json", user="ana")
        with pytest.raises(StoreReadOnlyError, match="reading only"):
            await memory.add("Algo", user="ana")
        with pytest.raises(StoreReadOnlyError):
            await memory.forget(user="ana", all=True)
        with pytest.raises(StoreUnavailableError), alone(path):
            pass
        assert path.read_bytes() == before
        async with opened_memory(db=path, background=False) as writing:
            await writing.add("Tem um gato", user="ana")
            assert len(await memory.list(user="ana")) == 2  # what others write meanwhile is seen


async def test_a_file_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    def heed_modes() -> None:
        """Let go of root's right to write whatever the mode says; nobody else has it."""
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)

    shelf = tmp_path / "shelf"
    shelf.mkdir()
    store = await opened(shelf / "m.db")
    await kept(store, a_message())
    await store.close()
    (shelf / "m.db").chmod(0o444)
    shelf.chmod(0o555)
    script = """
    from builders import ANA
    from relembra.errors import StoreReadOnlyError
    from relembra.store.port import MessageFilter

    async def main():
        store = await SqliteStore.open(Path(sys.argv[1]), analyzer=Words(), read_only=True)
        assert len((await store.page(ANA, MessageFilter())).rows) == 1
        assert (await store.verify()).problems == ()
        try:
            await kept(store, a_message())
        except StoreReadOnlyError:
            print("refused")
        await store.close()
    asyncio.run(main())
    """
    try:
        assert process(script, shelf / "m.db", preexec_fn=heed_modes).communicate(timeout=120) == ("refused\n", "")
        assert [file.name for file in shelf.iterdir()] == ["m.db"]
    finally:
        shelf.chmod(0o700)


# ── for its owner's eyes only ─────────────────────────────────────────────────────────────────────────────────────


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("umask", [0o022, 0o000])
async def test_what_is_written_is_its_owners_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        async with opened_memory(settings=Settings(db=str(tmp_path / "memory.db")), background=False) as memory:
            await memory.add("Gosta de chá", user="ana")
            await memory.backup(tmp_path / "copy.db")
            for format in get_args(ExportFormat):
                await memory.export(tmp_path / format, user="ana", format=format)
            files = {path.name: oct(mode(path)) for path in tmp_path.iterdir()}
            assert {"copy.db", "memory.db", "memory.db-shm", "memory.db-wal", "notes"} <= files.keys()
            assert set(files.values()) == {"0o600"}
        (tmp_path / "memory.db").chmod(0o664)
        await made(tmp_path / "memory.db")
        assert mode(tmp_path / "memory.db") == 0o600
        (tmp_path / "there").mkdir(mode=0o755)
        held = mode(tmp_path / "there")
        private_folder(tmp_path / "there" / "new" / "newer")
        assert mode(tmp_path / "there" / "new") == mode(tmp_path / "there" / "new" / "newer") == 0o700
        private_folder(tmp_path / "there")
        assert mode(tmp_path / "there") == held
    finally:
        os.umask(before)


# ── without a file ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_stores_in_memory_are_apart_write_no_file_and_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one, other = InMemoryStore(Words()), InMemoryStore(Words())
    item = an_item()
    await kept(one, item, *(an_item(content=f"xylophone {number} {'glass ' * 40}") for number in range(300)))
    assert await other.get(ANA, KnowledgeItem, [item.id]) == []
    assert (await one.forget(ANA, ForgetItem(item.id))).erased
    assert (await one.stats()).bytes == 0
    await one.forget(ANA, ForgetPerson())
    assert b"xylophone" not in await one._turns.aside(lambda db: db.serialize("main"))
    assert list(tmp_path.iterdir()) == []
    await kept(one, item)
    await one.backup(tmp_path / "copy.db")
    for store in (one, other):
        await store.close()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.get(ANA, KnowledgeItem, [item.id])
    copy = await opened(tmp_path / "copy.db")
    assert await copy.get(ANA, KnowledgeItem, [item.id]) == [item]
    await copy.close()


async def test_a_store_in_memory_serves_several_event_loops_at_once() -> None:
    store, items = InMemoryStore(Words()), [an_item() for _ in range(40)]

    def keeping(some: list[KnowledgeItem]) -> None:
        async def keep() -> None:
            for item in some:
                await kept(store, item)
                assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]

        asyncio.run(keep())

    await asyncio.gather(*(asyncio.to_thread(keeping, items[start::4]) for start in range(4)))
    assert len((await store.page(ANA, items_where(), limit=100)).rows) == 40
    await store.close()


async def test_a_few_rows_are_read_by_whoever_asks_and_where_the_file_is_held_by_a_thread(tmp_path: Path) -> None:
    class Impatient(Readers):
        def _read(self, work: Work[T], patience_ms: int = BUSY_TIMEOUT_MS) -> T:
            if self.is_held and not patience_ms:
                raise StoreUnavailableError("held")
            return super()._read(work, patience_ms)

        is_held = False

    readers = Impatient(await made(tmp_path / "held.db"), 1)
    found = list[int]()
    for held in (False, True):
        readers.is_held = held
        found.append(await readers.at_once(lambda db: threading.get_ident() if db.rows("model_names") == [] else 0))
    readers.close()
    assert found[0] == threading.get_ident() != found[1] > 0
    with pytest.raises(StoreError, match="closed"):
        await readers.at_once(lambda db: db.rows("model_names"))
