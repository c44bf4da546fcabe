"""After forgetting, the bytes of the files hold nothing of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from builders import (
    ANA,
    BIA,
    MODEL,
    NOW,
    Words,
    a_conversation,
    a_job,
    a_message,
    a_note,
    a_run,
    a_vector,
    a_view,
    an_entry,
    an_id,
    an_item,
    buffering,
    kept,
)
from relembra.domain.access import Key, Link, Right
from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Place, shelf_of
from relembra.store.port import (
    Account,
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
    IndexMessages,
    Kind,
    Put,
    PutMessage,
    PutVectors,
    Record,
)
from relembra.store.sqlite import SqliteStore, threads
from relembra.store.sqlite import threads as scrubbing
from relembra.store.sqlite.threads import Writer


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    yield store
    await store.close()


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


async def test_a_forgotten_item_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    item = an_item(content="Ana hides sapphires beneath floorboards", title="Sapphires", evidence="she whispered zebu")
    vector = a_vector(3, 4)
    entry = an_entry(target_id=item.id, after={"content": item.content})
    await kept(store, item, entry, a_job(payload={"ids": [item.id]}), an_item())
    await store.apply(ANA, [PutVectors(Kind.ITEM, item.id, MODEL, (vector,))])
    assert b"sapphires beneath" in bytes_of(tmp_path)
    assert vector in bytes_of(tmp_path)
    await store.forget(ANA, ForgetItem(item.id))
    left = bytes_of(tmp_path)
    for trace in (
        b"apphires",
        b"floorboards",
        b"zebu",
        item.id.encode(),
        bytes.fromhex(item.id.replace("-", "")),
        vector,
    ):
        assert trace not in left


async def test_what_another_items_audit_quotes_of_it_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    old, new = an_item(content="Ana lives near the old lighthouse"), an_item(content="Ana lives in the valley")
    quoting = an_entry(
        target_id=new.id, before={"content": old.content}, after={"content": new.content}, why=f"was: {old.content}"
    )
    await kept(store, old, new, quoting)
    await store.forget(ANA, ForgetItem(old.id))
    assert b"lighthouse" not in bytes_of(tmp_path)
    (left,) = await store.changes(ANA, [quoting.change])
    assert left.after == {"content": new.content}


async def test_a_forgotten_conversation_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    messages = [a_message(conversation="diary", text=f"the xylophone {number} is stolen") for number in range(30)]
    note = a_note(summary="About a quokka", message_ids=tuple(message.id for message in messages))
    item = an_item(content="Ana owns a theremin", note_id=note.id, message_ids=(messages[0].id,))
    await kept(store, a_conversation(id="diary", title="Vuvuzela"), *messages, note, item)
    await store.apply(ANA, [IndexMessages(tuple(message.id for message in messages[:20]))])
    await store.forget(ANA, ForgetConversation("diary"))
    left = bytes_of(tmp_path)
    for trace in (b"xylophone", b"quokka", b"theremin", b"Vuvuzela", b"diary"):
        assert trace not in left
    assert (await store.verify()).problems == ()


async def test_what_others_quote_of_a_forgotten_conversation_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    message = a_message(conversation="diary", text="Somebody stole the xylophone last night")
    other = a_message(conversation="work")
    chat = a_conversation(id="diary", title="About a vuvuzela")
    item = an_item(message_ids=(message.id, other.id), evidence="stole the xylophone")
    inferred = an_item(evidence=f"for she said: {message.text}")
    entries = [
        an_entry(
            target=Target.CONVERSATION,
            target_id="diary",
            before={"title": chat.title},
            after={"title": "Ocarinas again"},
        ),
        an_entry(target_id=item.id, after={"evidence": item.evidence}),
        an_entry(target_id=inferred.id, after={"evidence": inferred.evidence}, why=f"heard: {message.text}"),
        an_entry(target_id=inferred.id, why="see About a vuvuzela"),
        an_entry(target_id=inferred.id, why="now Ocarinas again"),
    ]
    await kept(store, chat, message, other, item, inferred, *entries)
    await store.apply(ANA, [Put(replace(chat, title="Ocarinas again", version=2), 1)])
    gone = await store.forget(ANA, ForgetConversation("diary"))
    assert gone.erased
    left = bytes_of(tmp_path)
    for trace in (b"xylophone", b"vuvuzela", b"Ocarina", b"diary"):
        assert trace not in left


async def test_a_forgotten_person_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    await kept(store, an_item(content="a marimba"), a_message(text="an ocarina"), an_item(scope=BIA, content="a lute"))
    await store.forget(ANA, ForgetPerson())
    left = bytes_of(tmp_path)
    assert b"marimba" not in left
    assert b"ocarina" not in left
    assert b"lute" in left


async def test_what_a_space_told_of_a_forgotten_person_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    place = Place("guild", "general")
    guild = shelf_of(ANA, place)
    message = a_message(text="somebody stole my xylophone", place=place)
    note = a_note(scope=guild, place=place, summary="Ana misses a xylophone", message_ids=(message.id,))
    await store.apply(ANA, [PutMessage(message), buffering(message)])
    view = a_view(scope=BIA, body={"lines": ["Ana misses a xylophone"]})
    await store.apply(guild, [Put(note, None)])
    await store.apply(BIA, [Put(view, None)])
    assert b"xylophone" in bytes_of(tmp_path)
    assert (await store.forget(ANA, ForgetConversation("c1"))).erased
    left = bytes_of(tmp_path)
    for trace in (b"xylophone", *(bytes.fromhex(row.id.replace("-", "")) for row in (message, note))):
        assert trace not in left


async def test_a_view_alone_is_erased_with_its_person(store: SqliteStore, tmp_path: Path) -> None:
    await store.apply(ANA, [Put(a_view(body={"lines": ["plays the ocarina"]}), None)])
    assert (await store.forget(ANA, ForgetPerson())).erased
    assert b"ocarina" not in bytes_of(tmp_path)


@pytest.mark.parametrize("way", ["item", "conversation", "person"])
async def test_what_a_model_answered_at_night_is_erased(store: SqliteStore, tmp_path: Path, way: str) -> None:
    item, message = an_item(), a_message()
    await kept(store, item, message, an_entry(target_id=item.id, change="the change"), a_run(raw="plays the ocarina"))
    await store.apply(ANA, [Account(due="the change")])
    match way:
        case "item":
            gone = await store.forget(ANA, ForgetItem(item.id))
        case "conversation":
            gone = await store.forget(ANA, ForgetConversation("c1"))
        case _:
            gone = await store.forget(ANA, ForgetPerson())
    assert gone.erased
    left = bytes_of(tmp_path)
    assert b"ocarina" not in left
    assert (b"the change" in left) == (way == "conversation")
    assert (bytes.fromhex(message.id.replace("-", "")) in left) == (way == "item")


async def test_a_record_alone_is_erased_with_its_person(store: SqliteStore, tmp_path: Path) -> None:
    await kept(store, a_run(raw="plays the ocarina"))
    assert (await store.forget(ANA, ForgetPerson())).erased
    assert b"ocarina" not in bytes_of(tmp_path)


async def test_rows_that_moved_between_pages_leave_nothing_behind(store: SqliteStore, tmp_path: Path) -> None:
    """SQLite leaves moved rows in the gaps of pages; many rows of many sizes make it move some."""
    chance = random.Random(1)
    held: dict[str, tuple[KnowledgeItem, list[str]]] = {}
    forgotten: list[str] = []

    def word() -> str:
        return "zq" + "".join(chance.choices("abcdefghij", k=12))

    for _ in range(40):
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
    monkeypatch.setattr(threads, "scrub_gaps", lambda _db, _begin: erased.append(1))
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
    monkeypatch.setattr(scrubbing, "PIECE_PAGES", 40)
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
            writer._forgetting.clear()  # nobody is told any more
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
    monkeypatch.setattr(scrubbing, "PIECE_PAGES", 4)
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


async def test_keys_links_and_replies_of_somebody_forgotten_are_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    item = an_item()
    await kept(store, item)
    key = Key(
        id=an_id(),
        tenant=ANA.tenant,
        user=ANA.user,
        name="the xylophone",
        prefix="abcd1234",
        right=Right.READ,
        created_at=NOW,
    )
    await store.put_key(key, b"quokka" * 5)
    await store.put_link(Link(tenant=ANA.tenant, channel="discord", id="theremin", user=ANA.user, created_at=NOW))
    for name, body in (("first", b"ocarina " * 2_000), ("second", b"vuvuzela " * 2_000)):
        await store.begin_reply(ANA.tenant, "c", name, fingerprint="f", now=NOW, lease=timedelta(minutes=1))
        keep = timedelta(days=1)
        await store.end_reply(
            ANA.tenant, "c", name, user=ANA.user, status=200, headers={}, body=body, now=NOW, keep=keep
        )
        if name == "first":
            assert b"ocarina" in bytes_of(tmp_path)
            await store.forget(ANA, ForgetItem(item.id))
            assert b"ocarina" not in bytes_of(tmp_path)
    await store.forget(ANA, ForgetPerson())
    left = bytes_of(tmp_path)
    for trace in (b"xylophone", b"quokka", b"theremin", b"vuvuzela", b"abcd1234"):
        assert trace not in left
