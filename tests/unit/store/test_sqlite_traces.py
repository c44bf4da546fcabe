"""After forgetting, the bytes of the files hold nothing of it."""

from __future__ import annotations

import asyncio
import random
import zlib
from collections.abc import AsyncIterator, Iterable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from builders import (
    ANA,
    BIA,
    MODEL,
    NOW,
    AnyRow,
    Words,
    a_conversation,
    a_job,
    a_key,
    a_message,
    a_note,
    a_run,
    a_vector,
    a_view,
    an_entry,
    an_item,
    buffering,
    ids_of,
    kept,
)
from relembra.domain.access import Link
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.scope import Place, shelf_of
from relembra.store.port import (
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
    IndexMessages,
    KeptReply,
    Kind,
    Op,
    Put,
    PutVectors,
    Record,
)
from relembra.store.sqlite import SqliteStore, threads
from relembra.store.sqlite.threads import Writer


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words(), durability="normal")
    yield store
    await store.close()


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


def long_text(seed: int) -> str:
    """Words in no order, which compressed fill more than a page."""
    chosen = random.Random(seed)
    return " ".join(f"sapphire{chosen.randrange(10_000)}" for _ in range(6_000))


def pieces(text: str) -> list[bytes]:
    """Parts of the compressed text, short enough to lie on one page each."""
    packed = zlib.compress(text.encode(), 9)
    return [packed[at : at + 24] for at in range(0, len(packed) - 24, 512)]


def traces(*rows: KnowledgeItem | Message | Note) -> list[bytes]:
    """The ids of rows as they lie in the file and as they stand in texts."""
    return [trace for row in rows for trace in (row.id.encode(), bytes.fromhex(row.id.replace("-", "")))]


def left_of(marks: Iterable[bytes], folder: Path) -> list[bytes]:
    left = bytes_of(folder)
    return [mark for mark in marks if mark in left]


async def test_a_forgotten_item_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    item = an_item(content="Ana hides sapphires beneath floorboards", title="Sapphires", evidence="she whispered zebu")
    other = an_item(content="Ana lives in the valley")
    archived = an_item(title="Vuvuzela", content=long_text(5))
    vector = a_vector(3, 4)
    quoting = an_entry(
        target_id=other.id, before={"content": item.content}, after={"content": other.content}, why=item.content
    )
    entry = an_entry(target_id=item.id, after={"content": item.content})
    await kept(store, item, other, archived, quoting, entry, a_job(payload={"ids": [item.id]}))
    await kept(store, *(an_item() for _ in range(40)), a_run(raw="plays the ocarina"))
    await store.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (vector,))])
    await store.apply(ANA, [Put(replace(archived, archived_at=NOW, version=2), 1)])
    marks = [b"apphires", b"floorboards", b"zebu", b"ocarina", vector, *traces(item)]
    packed = [b"sapphire", b"uvuzela", *pieces(archived.content), *traces(archived)]
    assert left_of([*marks[1:5], *packed[2:-2]], tmp_path) == [*marks[1:5], *packed[2:-2]]
    assert (await store.forget(ANA, ForgetItem(item.id))).erased
    assert left_of(marks, tmp_path) == []
    assert (await store.changes(ANA, [quoting.change]))[0].after == {"content": other.content}
    assert (await store.forget(ANA, ForgetItem(archived.id))).erased
    assert left_of(packed, tmp_path) == []
    assert (await store.verify()).problems == ()


async def test_a_forgotten_conversation_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    place = Place("guild", "general")
    guild = shelf_of(ANA, place)
    messages = [a_message(conversation="diary", text=f"the xylophone {number} is stolen") for number in range(30)]
    shared = a_message(conversation="diary", text="somebody took my balalaika", place=place)
    other = a_message(conversation="work")
    chat = a_conversation(id="diary", title="About a vuvuzela")
    note = a_note(title="Quokka", summary=long_text(6), message_ids=tuple(ids_of(messages)))
    week = a_note(summary=long_text(7), note_ids=(note.id,), archived_at=NOW)
    told = a_note(scope=guild, place=place, summary="Ana misses a balalaika", message_ids=(shared.id,))
    item = an_item(content="Ana owns a theremin", note_id=note.id, message_ids=(messages[0].id,))
    twice = an_item(message_ids=(messages[0].id, other.id), evidence="stole the xylophone")
    inferred = an_item(evidence=f"for she said: {messages[1].text}")
    renamed = {"before": {"title": chat.title}, "after": {"title": "Ocarinas again"}}
    entries = [
        an_entry(target=Target.CONVERSATION, target_id="diary", **renamed),
        an_entry(target_id=twice.id, after={"evidence": twice.evidence}),
        *(an_entry(target_id=inferred.id, why=why) for why in (f"heard: {messages[1].text}", "now Ocarinas again")),
    ]
    rows: list[AnyRow] = [chat, *messages, other, note, week, told, item, twice, inferred, *entries]
    await kept(store, *rows, *(a_note() for _ in range(40)), a_run(raw="plays the hurdy-gurdy"))
    await store.apply(ANA, [buffering(shared), IndexMessages(tuple(ids_of(messages[:20])))])
    await store.apply(ANA, [Put(replace(note, archived_at=NOW, version=2), 1)])
    await store.apply(BIA, [Put(a_view(scope=BIA, body={"lines": [told.summary]}), None)])
    marks = [b"xylophone", b"uokka", b"theremin", b"vuvuzela", b"carinas", b"diary", b"balalaika", b"hurdy-gurdy"]
    marks += [*pieces(note.summary), *pieces(week.summary), *traces(*messages, shared, note, week, told, item)[1::2]]
    assert left_of(marks, tmp_path) == marks
    assert (await store.forget(ANA, ForgetConversation("diary"))).erased
    assert left_of([b"sapphire", *marks], tmp_path) == []
    assert (await store.verify()).problems == ()


async def test_a_forgotten_person_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    archived = a_note(summary=long_text(9), archived_at=NOW)
    await kept(store, an_item(content="a marimba"), a_message(text="an ocarina"), an_item(scope=BIA, content="a lute"))
    await kept(store, archived, a_run(raw="plays the tuba"))
    await store.apply(ANA, [Put(a_view(body={"lines": ["plays the bassoon"]}), None)])
    key = a_key(user=ANA.user, name="the xylophone", prefix="abcd1234")
    await store.put_key(key, b"quokka" * 5)
    await store.put_link(Link(tenant=ANA.tenant, channel="discord", id="theremin", user=ANA.user, created_at=NOW))
    await store.begin_reply(ANA.tenant, "c", "k", fingerprint="f", now=NOW, lease=timedelta(minutes=1))
    reply = KeptReply(status=200, headers={}, body=b"vuvuzela " * 2_000)
    await store.end_reply(ANA.tenant, "c", "k", reply, user=ANA.user, until=NOW + timedelta(days=1))
    names = "marimba ocarina tuba bassoon xylophone abcd1234 quokka theremin vuvuzela"
    marks = [name.encode() for name in names.split()]
    marks += pieces(archived.summary)
    assert left_of(marks, tmp_path) == marks
    assert (await store.forget(ANA, ForgetPerson())).erased
    assert left_of(marks, tmp_path) == []
    assert b"lute" in bytes_of(tmp_path)
    for row in (a_view(body={"lines": ["an ocarina"]}), a_run(raw="an ocarina")):  # all there is of a person
        await store.apply(ANA, [Put(row, None)])
        assert (await store.forget(ANA, ForgetPerson())).erased
        assert b"ocarina" not in bytes_of(tmp_path)


async def test_archived_texts_lie_compressed_where_that_is_shorter_and_never_twice(
    store: SqliteStore, tmp_path: Path
) -> None:
    text = long_text(1)
    packed = zlib.compress(text.encode(), 9)
    assert 8192 < len(packed) < len(text)
    plain, item = an_item(title="", content=text), an_item(title="", content=text, archived_at=NOW)
    short, note = an_item(title="", content="short", archived_at=NOW), a_note(summary=text, archived_at=NOW)
    await kept(store, plain, item, short, note)

    def stored(table: str, column: str) -> list[tuple[Any, ...]]:
        with closing(apsw.Connection(str(tmp_path / "memory.db"))) as db:
            return db.execute(f"SELECT {column}, packed FROM {table} ORDER BY id").fetchall()  # noqa: S608

    assert stored("item", "content") == [(text, None), ("", packed), ("short", None)]
    assert stored("note", "summary") == [("", packed)]
    held = (await store.stats(ANA)).bytes
    assert held == len(text) + 2 * len(packed) + len("short") + len(note.title)
    back: list[Op] = [Put(replace(row, archived_at=None, version=2), 1) for row in (item, note)]
    await store.apply(ANA, back)
    assert stored("item", "content") == [(text, None), (text, None), ("short", None)]
    assert stored("note", "summary") == [(text, None)]


async def test_rows_that_moved_between_pages_leave_nothing_behind(store: SqliteStore, tmp_path: Path) -> None:
    """SQLite leaves moved rows in the gaps of pages; many rows of many sizes make it move some."""
    chance = random.Random(1)
    held: dict[str, tuple[KnowledgeItem, list[str]]] = {}
    forgotten: list[str] = []

    def word() -> str:
        return "zq" + "".join(chance.choices("abcdefghij", k=12))

    for _ in range(15):
        ops: list[Put | Record] = []
        for id in chance.sample(sorted(held), min(8, len(held))):
            item, words = held[id]
            changed = replace(item, content=f"{(new := word())} " * chance.randint(1, 60), version=item.version + 1)
            held[id] = (changed, [*words, new])
            ops.append(Put(changed, item.version))
            ops.append(Record(an_entry(target_id=id, before={"content": item.content})))
        for _ in range(20):
            item = an_item(content=f"{(new := word())} " * chance.randint(1, 60))
            held[item.id] = (item, [new])
            ops.append(Put(item, None))
        await store.apply(ANA, ops)
        for id in chance.sample(sorted(held), 4):
            await store.forget(ANA, ForgetItem(id))
            forgotten += held.pop(id)[1]
    left = bytes_of(tmp_path)
    assert [word for word in forgotten if word.encode() in left] == []
    assert (await store.verify()).problems == ()


async def test_forgetting_while_somebody_reads_is_finished_when_they_are_done(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    item = an_item(content="Ana hides sapphires")
    await kept(store, item)
    reader = apsw.Connection(str(tmp_path / "memory.db"))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM item").fetchall()
    assert not (await store.forget(ANA, ForgetItem(item.id))).erased
    assert await store.get(ANA, KnowledgeItem, [item.id]) == []
    assert not (await store.forget(ANA, ForgetItem(item.id))).erased
    reader.execute("ROLLBACK")
    assert (await store.forget(ANA, ForgetItem(item.id))).erased
    async with asyncio.timeout(60):
        while b"sapphires" in bytes_of(tmp_path):  # noqa: ASYNC110 - nobody tells when it is done
            await asyncio.sleep(0.05)
    reader.close()
    await store.close()


async def test_a_forgetting_that_was_cut_short_is_finished_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    item = an_item()
    await kept(store, item)
    with monkeypatch.context() as patched:
        patched.setattr(Writer, "_erase_piece", lambda *_args, **_options: False)
        await store.forget(ANA, ForgetItem(item.id))
        await store.close()
    erased: list[int] = []
    monkeypatch.setattr(threads, "scrub_gaps", lambda _db, _path, _begin: erased.append(1))
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    await store.close()
    assert erased == [1]
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    await store.close()
    assert erased == [1]


async def test_a_large_file_is_cleaned_in_pieces_which_a_kill_does_not_lose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.db"
    monkeypatch.setattr(threads, "PIECE_PAGES", 40)
    store = await SqliteStore.open(path, analyzer=Words())
    items = [an_item(content=f"hidden sapphire {number:04} " * 60) for number in range(400)]
    await store.apply(ANA, [Put(item, None) for item in items])
    piece = Writer._erase_piece
    with monkeypatch.context() as patched:
        done: list[bool] = []

        def once(writer: Writer, *, patience_ms: int) -> bool:
            if not done:
                done.append(piece(writer, patience_ms=patience_ms))
                return True
            return False

        patched.setattr(Writer, "_erase_piece", once)
        forgetting = asyncio.create_task(store.forget(ANA, ForgetItem(items[-1].id)))
        await store.close()
        forgetting.cancel()
    assert done == [True]
    assert place_of(path) == 41
    store = await SqliteStore.open(path, analyzer=Words())
    await store.close()
    assert place_of(path) == 0
    assert b"sapphire 0399" not in bytes_of(tmp_path)


def place_of(path: Path) -> int:
    db = apsw.Connection(str(path))
    try:
        return int(db.execute("SELECT value FROM meta WHERE name = 'traces_left'").get)
    finally:
        db.close()


async def test_others_write_between_the_pieces(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "PIECE_PAGES", 4)
    monkeypatch.setattr(threads, "_LONGEST_WAIT_SECONDS", 60.0)  # however slow the machine
    items = [an_item(content=f"hidden sapphire {number:04} " * 60) for number in range(200)]
    await store.apply(ANA, [Put(item, None) for item in items])
    order: list[str] = []

    async def forget() -> None:
        assert (await store.forget(ANA, ForgetItem(items[0].id))).erased
        order.append("erased")

    async def write() -> None:
        for number in range(5):
            await kept(store, an_item(content=f"Ana said {number}"))
            order.append("written")

    await asyncio.gather(forget(), write())
    assert order == ["written"] * 5 + ["erased"]
