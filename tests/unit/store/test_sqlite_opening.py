"""Opening the file: versions, strangers, damage, several processes at once."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import apsw
import pytest

from builders import (
    ANA,
    ANA_ELSEWHERE,
    BIA,
    MODEL,
    NOW,
    Words,
    a_job,
    a_message,
    a_note,
    a_query,
    a_vector,
    an_id,
    an_item,
    items_where,
    kept,
    minutes,
    puts,
)
from relembra.domain.access import Block, BlockKind
from relembra.domain.jobs import AT_ONCE, CONSOLIDATE, JobState
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.domain.scope import Place, shelf_of
from relembra.errors import StoreCorruptError, StoreError, StoreUnavailableError, StoreVersionError
from relembra.store import rows
from relembra.store.port import Enqueue, IndexMessages, Kind, MessageFilter, NoteFilter, PutVectors, Unaccounted
from relembra.store.sqlite import SqliteStore, connection
from relembra.store.sqlite import schema as migrating


async def opened(path: Path, **options: object) -> SqliteStore:
    return await SqliteStore.open(path, analyzer=Words(), **options)  # type: ignore[arg-type]  # options vary by test


def raw(path: Path) -> apsw.Connection:
    return apsw.Connection(str(path))


async def test_a_library_that_can_damage_the_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apsw, "SQLITE_VERSION_NUMBER", 3_051_002)
    with pytest.raises(StoreVersionError, match=r"3\.51\.3"):
        await opened(tmp_path / "memory.db")
    assert not (tmp_path / "memory.db").exists()


async def test_the_file_is_set_up_once_and_keeps_its_rows(tmp_path: Path) -> None:
    item = an_item()
    store = await opened(tmp_path / "memory.db")
    await kept(store, item)
    await store.close()
    store = await opened(tmp_path / "memory.db", create=False)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    await store.close()
    await store.close()
    db = raw(tmp_path / "memory.db")
    assert db.execute("PRAGMA page_size").get == 8192
    assert db.execute("PRAGMA journal_mode").get == "wal"
    assert [step.number for step in migrating.shipped()] == [
        row[0] for row in db.execute("SELECT number FROM migration")
    ]
    db.close()


async def test_a_file_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await (await opened(path)).close()
    db = raw(path)
    db.execute("INSERT INTO migration VALUES (9999, 'later', 'x', 0)")
    db.close()
    with pytest.raises(StoreVersionError, match="newer Relembra"):
        await opened(path)


async def test_a_file_made_by_another_build_of_a_migration_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await (await opened(path)).close()
    db = raw(path)
    db.execute("UPDATE migration SET checksum = 'other' WHERE number = 1")
    db.close()
    with pytest.raises(StoreVersionError, match="another build"):
        await opened(path)


async def test_a_file_of_the_first_schema_is_brought_up_to_date_with_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db = raw(path)
    migrating.migrate(db, path, migrating.shipped()[:1])
    db.execute("INSERT INTO meta VALUES ('analyzer', '1')")
    db.execute(
        "INSERT INTO note (tenant, owner, id, channel, kind, title, summary, participants, message_ids, note_ids,"
        " happened_at, created_at, version, analyzer, length)"
        " VALUES ('default', 'ana', ?, 'direct', 'conversation', 'A', 'B', '[]', '[]', '[]', 0, 0, 1, 1, 0)",
        (bytes.fromhex(an_id(7).replace("-", "")),),
    )
    db.close()
    store = await opened(path)
    [note] = await store.get(ANA, Note, [an_id(7)])
    assert (note.title, note.conversation) == ("A", None)
    told = a_note(conversation="c1")
    await kept(store, told)
    assert (await store.page(ANA, NoteFilter(conversation="c1"))).rows == (told,)
    await store.close()


async def test_a_file_of_the_second_schema_is_brought_up_to_date_with_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db = raw(path)
    migrating.migrate(db, path, migrating.shipped()[:2])
    db.execute("INSERT INTO meta VALUES ('analyzer', '1')")
    for number, archived_at in ((7, None), (8, 5)):
        key = ("default", "ana", bytes.fromhex(an_id(number).replace("-", "")))
        db.execute(
            "INSERT INTO note (tenant, owner, id, channel, kind, title, summary, participants, message_ids, note_ids,"
            " happened_at, created_at, archived_at, version, analyzer, length) VALUES"
            " (?, ?, ?, 'direct', 'conversation', 'fair', 'glass', '[]', '[]', '[]', 0, 0, ?, 1, 1, 2)",
            (*key, archived_at),
        )
        db.execute(
            "INSERT INTO item (tenant, owner, id, channel, type, subject, title, content, source, message_ids,"
            " confidence, weight, priority, validated, needs_resolution, related, tags, person, observations, accesses,"
            " held_from, archived_at, created_at, updated_at, zone, version, analyzer, length) VALUES (?, ?, ?,"
            " 'direct', 'fact', 'self', 'fair', 'glass', 'conversation', '[]', 1, 1, 5, 0, 0, '[]', '[]', '{}', 1, 0,"
            " 0, ?, 0, 0, '+00:00', 1, 1, 2)",
            (*key, archived_at),
        )
        for kind, term in product((1, 3), ("fair", "glass")):
            db.execute("INSERT INTO posting VALUES (?, ?, ?, ?, ?, 1, 2)", (*key[:2], kind, term, key[2]))
    for kind in (1, 3):
        db.execute("INSERT INTO slice VALUES ('default', 'ana', ?, 2, 4)", (kind,))
    db.close()
    store = await opened(path)
    assert (await store.verify()).problems == ()
    held, archived = await store.get(ANA, Note, [an_id(7), an_id(8)])
    assert [(note.summary, note.accesses, note.last_access) for note in (held, archived)] == [("glass", 0, None)] * 2
    assert [item.content for item in await store.get(ANA, KnowledgeItem, [an_id(7), an_id(8)])] == ["glass", "glass"]
    for query, ids in ((a_query("glass"), {an_id(7)}), (a_query("fair"), {an_id(7), an_id(8)})):
        assert {hit.id for hit in await store.search(ANA, query, NoteFilter(archived=True))} == ids
        assert {hit.id for hit in await store.search(ANA, query, items_where(archived=True))} == ids
    await store.close()


async def test_a_file_of_the_third_schema_keeps_its_vectors_as_those_of_whole_texts(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db = raw(path)
    migrating.migrate(db, path, migrating.shipped()[:3])
    db.execute("INSERT INTO meta VALUES ('analyzer', '1')")
    db.execute("INSERT INTO model (name, dimensions) VALUES (?, 2)", (MODEL,))
    for owner, number in (("ana", 1), ("ana", 2), ("bia", 3)):
        id = bytes.fromhex(an_id(number).replace("-", ""))
        db.execute(
            "INSERT INTO message (tenant, owner, id, conversation, role, author, text, sent_at, zone, channel,"
            " metadata, saved_at) VALUES ('default', ?, ?, 'c1', 'user', ?, 'glass', 0, '+00:00', 'direct', '{}', 0)",
            (owner, id, owner),
        )
        db.execute("INSERT INTO embedding VALUES ('default', ?, 1, 2, ?, ?)", (owner, id, a_vector(1, number)))
    db.close()
    store = await opened(path)
    assert (await store.verify()).problems == ()
    assert (await store.stats()).vectors == {MODEL: 3}
    hits = await store.search(ANA, a_query(vector=a_vector(1, 1)), MessageFilter())
    assert [(hit.id, hit.part) for hit in hits] == [(an_id(1), 0), (an_id(2), 0)]
    assert hits[0].cosine == hits[0].whole == pytest.approx(1.0)
    before = await store.stamps([ANA, BIA])
    assert min(before) > (0, 0)
    await store.apply(ANA, [PutVectors(Kind.MESSAGE, an_id(1), MODEL, (a_vector(1, 1), a_vector(0, 1)))])
    await kept(store, an_item())
    assert (await store.stamps([ANA]))[0] > before[0]
    assert (await store.verify()).problems == ()
    await store.close()


async def test_what_people_said_at_length_before_the_fourth_schema_is_to_be_embedded_with_its_passages(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    db = raw(path)
    migrating.migrate(db, path, migrating.shipped()[:3])
    long = "The glass is on the table. " * 10
    for number, role, text in ((1, "user", long), (2, "assistant", long), (3, "user", "glass")):
        db.execute(
            "INSERT INTO message (tenant, owner, id, conversation, role, author, text, sent_at, zone, channel,"
            " metadata, saved_at) VALUES ('default', 'ana', ?, 'c1', ?, 'ana', ?, 0, '+00:00', 'direct', '{}', 0)",
            (bytes.fromhex(an_id(number).replace("-", "")), role, text),
        )
    db.close()
    store = await opened(path)
    [job] = await store.jobs(kinds=["index"])
    assert (job.scope, job.kind, dict(job.payload)) == (ANA, "index", {"kind": "message", "ids": [an_id(1)]})
    await store.close()


async def test_everybody_of_whom_a_file_of_the_fifth_schema_keeps_something_gets_their_first_night(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    db = raw(path)
    migrating.migrate(db, path, migrating.shipped()[:5])
    db.execute("INSERT INTO meta VALUES ('analyzer', '1')")
    said = (
        ("default", "ana", 1, 5, "+00:00"),
        ("default", "ana", 2, 9, "America/Recife"),
        ("default", "ana", 3, 7, "Europe/Lisbon"),
        ("other", "ana", 4, 1, "Europe/Lisbon"),
    )
    for tenant, owner, number, at, zone in said:
        db.execute(
            "INSERT INTO message (tenant, owner, id, conversation, role, author, text, sent_at, zone, channel,"
            " metadata, saved_at) VALUES (?, ?, ?, 'c1', 'user', 'ana', 'glass', ?, ?, 'direct', '{}', ?)",
            (tenant, owner, bytes.fromhex(an_id(number).replace("-", "")), at, zone, at),
        )
    for owner in ("ana", "bia", shelf_of(ANA, Place("guild")).user):
        db.execute(
            "INSERT INTO item (tenant, owner, id, channel, type, subject, title, content, source, message_ids,"
            " confidence, weight, priority, validated, needs_resolution, related, tags, person, observations, accesses,"
            " held_from, created_at, updated_at, zone, version, analyzer, length) VALUES ('default', ?, ?,"
            " 'direct', 'fact', 'self', 'fair', 'glass', 'conversation', '[]', 1, 1, 5, 0, 0, '[]', '[]', '{}', 1, 0,"
            " 0, 3, 3, '+00:00', 1, 1, 0)",
            (owner, bytes.fromhex(an_id(8).replace("-", ""))),
        )
    db.execute(
        "INSERT INTO job (id, tenant, owner, kind, payload, due_at, created_at, state, attempts)"
        " VALUES (?, 'default', 'carol', 'index', '{}', 4, 4, 'waiting', 0)",
        (bytes.fromhex(an_id(9).replace("-", "")),),
    )
    db.close()
    store = await opened(path)
    nights = await store.jobs(kinds=[CONSOLIDATE])
    assert {job.scope: (dict(job.payload), rows.micros(job.created_at)) for job in nights} == {
        ANA: ({"zone": "America/Recife"}, 9),
        ANA_ELSEWHERE: ({"zone": "Europe/Lisbon"}, 1),
        BIA: ({"zone": "+00:00"}, 3),
    }
    assert {(job.key, job.due_at, job.state, job.attempts) for job in nights} == {
        (CONSOLIDATE, AT_ONCE, JobState.WAITING, 0)
    }
    assert len(nights) == 3
    [earlier] = await store.jobs(kinds=["index"])
    assert earlier.key is None
    assert await store.unaccounted(ANA, limit=9) == Unaccounted((), (), ())
    [item] = await store.get(ANA, KnowledgeItem, [an_id(8)])
    assert (item.weighed_at, item.zone, item.version) == (None, "+00:00", 1)
    await store.apply(ANA, [Enqueue(a_job(kind=CONSOLIDATE, key=CONSOLIDATE))])
    assert len(await store.jobs(kinds=[CONSOLIDATE])) == 3
    await store.close()


async def test_groups_that_were_switched_off_before_the_tenth_schema_stay_off(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db = raw(path)
    migrating.migrate(db, path, [step for step in migrating.shipped() if step.number < 10])
    for tenant, channel, id, owner in (
        ("default", "discord-switch", "184405311681986560", "relembra:off"),
        ("default", "telegram-switch", "1001234567890", "relembra:off"),  # its sign went with a telephone number's form
        ("other", "telegram-switch", "-42", "relembra:off"),
        ("default", "telegram", "777000111", "ana"),
        ("default", "signal-switch", "5", "relembra:off"),
        ("default", "discord-switch", "6", "ana"),
    ):
        db.execute("INSERT INTO link VALUES (?, ?, ?, ?, 1000)", (tenant, channel, id, owner))
    db.close()
    store = await opened(path)
    since = rows.moment(1000)
    named = [
        Block(kind=BlockKind.SPACE, name=name, since=since)
        for name in ("discord:184405311681986560", "telegram:-1001234567890")
    ]
    assert await store.blocks("default") == named
    assert [block.name for block in await store.blocks("other")] == ["telegram:-42"]
    assert [(link.channel, link.id) for link in await store.links("default")] == [
        ("discord-switch", "6"),
        ("signal-switch", "5"),
        ("telegram", "777000111"),
    ]
    await store.close()


async def test_a_new_file_has_no_work(tmp_path: Path) -> None:
    store = await opened(tmp_path / "memory.db")
    assert await store.jobs() == []
    await store.close()


async def test_a_migration_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await opened(path)
    await store.close()
    steps = [*migrating.shipped(), migrating.Migration(9000, "bad", "CREATE TABLE extra (a); SELECT no_such_thing;")]
    db = raw(path)
    with pytest.raises(apsw.SQLError):
        migrating.migrate(db, path, steps)
    assert not db.table_exists(None, "extra")
    assert not db.in_transaction
    db.close()


@pytest.mark.parametrize("content", [b"this is no database at all, but long enough to be read as one" * 40, b"short"])
async def test_what_is_not_a_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(content)
    with pytest.raises(StoreCorruptError, match="restore a backup"):
        await opened(path)
    assert path.read_bytes() == content


async def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    db = raw(path)
    db.execute("CREATE TABLE bookmark (url)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreCorruptError, match="another program"):
        await opened(path)
    assert path.read_bytes() == before


async def test_a_damaged_page_is_told_and_the_store_stays_usable(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    store = await opened(path)
    item = an_item()
    await kept(store, item)
    await store.close()
    db = raw(path)
    root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'message'").get
    db.close()
    with path.open("r+b") as file:
        file.seek((int(root) - 1) * 8192)
        file.write(b"\xff" * 8192)
    store = await opened(path)
    with pytest.raises(StoreCorruptError):
        await kept(store, a_message())
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    assert (await store.verify()).problems
    await store.close()


async def test_a_missing_file_or_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store"):
        await opened(tmp_path / "memory.db", create=False)
    with pytest.raises(StoreError, match="folder"):
        await opened(tmp_path / "nowhere" / "memory.db")


async def test_a_locked_file_is_unavailable_and_usable_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 50)
    store = await opened(tmp_path / "memory.db")
    other = raw(tmp_path / "memory.db")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailableError):
        await kept(store, an_item())
    other.execute("ROLLBACK")
    other.close()
    item = an_item()
    await kept(store, item)
    assert await store.get(ANA, KnowledgeItem, [item.id]) == [item]
    await store.close()


OPEN_AND_WRITE = """
import asyncio, sys
from itertools import product
from pathlib import Path
sys.path.insert(0, {tests!r})
from builders import Words, a_message, kept
from relembra.domain.ids import new_id
from relembra.store.sqlite import SqliteStore

async def main() -> None:
    store = await SqliteStore.open(Path(sys.argv[1]), analyzer=Words())
    for _ in range(20):
        await kept(store, a_message(id=new_id()))
    await store.close()

asyncio.run(main())
"""


def test_several_processes_may_open_and_write_the_same_new_file(tmp_path: Path) -> None:
    script = OPEN_AND_WRITE.format(tests=str(Path(__file__).parents[2]))
    command = [sys.executable, "-c", script, str(tmp_path / "memory.db")]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(4)]
    assert [process.communicate()[1] for process in running] == [b""] * 4
    db = raw(tmp_path / "memory.db")
    assert db.execute("SELECT count(*) FROM message").get == 80
    assert db.execute("SELECT count(*) FROM migration").get == len(migrating.shipped())
    db.close()


UNCLOSED = """
import asyncio, sys
from itertools import product
from pathlib import Path
sys.path.insert(0, {tests!r})
from builders import ANA, Words, a_message, kept
from relembra.store.sqlite import SqliteStore

async def main() -> None:
    store = await SqliteStore.open(Path(sys.argv[1]), analyzer=Words())
    await kept(store, a_message())
    await store.buffers(ANA)

asyncio.run(main())
"""


def test_a_program_that_forgets_to_close_still_ends(tmp_path: Path) -> None:
    script = UNCLOSED.format(tests=str(Path(__file__).parents[2]))
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "memory.db")], timeout=120, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


async def test_a_store_of_before_a_fork_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await opened(tmp_path / "memory.db")
    pid = os.getpid()
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", lambda: pid + 1)
        with pytest.raises(StoreError, match="forked"):
            await kept(store, an_item())
        with pytest.raises(StoreError, match="forked"):
            await store.get(ANA, KnowledgeItem, [])
    await store.close()


async def test_a_closed_store_says_so_and_what_was_queued_is_done(tmp_path: Path) -> None:
    store = await opened(tmp_path / "memory.db")
    items = [an_item() for _ in range(50)]
    writes = [asyncio.ensure_future(store.apply(ANA, puts(item))) for item in items]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*writes)
    for call in (store.get(ANA, KnowledgeItem, []), store.verify(), kept(store, an_item())):
        with pytest.raises(StoreError, match="closed"):
            await call
    store = await opened(tmp_path / "memory.db")
    assert len((await store.page(ANA, items_where())).rows) == 50
    await store.close()


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


async def test_what_waits_to_be_noted_since_before_the_twelfth_schema_is_read_where_it_was_said_in_private(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    db = raw(path)
    migrating.migrate(db, path, [step for step in migrating.shipped() if step.number < 12])
    ids = [an_id() for _ in range(4)]
    for owner, space in (("ana", None), ("\x1fg1", "g1")):
        buffer = rows.id_bytes(an_id())
        values = ("default", owner, buffer, space, "direct", "c", 0, 0, 1)
        db.execute("INSERT INTO buffer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        for number, id in enumerate(ids[:3] if space is None else ids[3:]):
            said = ("default", owner, buffer, number, rows.id_bytes(id), "ana", int(number != 1))
            db.execute("INSERT INTO buffered VALUES (?, ?, ?, ?, ?, ?, ?)", said)
    db.close()
    store = await opened(path)
    [job] = await store.jobs(kinds=("read",))
    assert (job.scope.user, job.payload) == ("ana", {"messages": [ids[0], ids[2]]})
    assert await store.claim(("read",), now=NOW, lease=minutes(1), limit=1) != []
    await store.close()
