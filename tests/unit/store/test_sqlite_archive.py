"""How what is archived lies in the file: compressed, and with no byte left once it is forgotten or comes back."""

from __future__ import annotations

import random
import zlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from builders import ANA, NOW, Words, a_conversation, a_message, a_note, an_item, items_where, kept
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.store.port import ForgetConversation, ForgetItem, ForgetPerson, Put
from relembra.store.sqlite import SqliteStore


def long_text(seed: int, words: int = 6_000) -> str:
    """Words in no order, which compressed fill more than a page."""
    chosen = random.Random(seed)
    return " ".join(f"sapphire{chosen.randrange(10_000)}" for _ in range(words))


PAGE_BYTES = 8192


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    yield store
    await store.close()


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


def pieces(text: str) -> list[bytes]:
    """Parts of the compressed text, short enough to lie on one page each."""
    packed = zlib.compress(text.encode(), 9)
    return [packed[at : at + 24] for at in range(0, len(packed) - 24, 512)]


async def raw(store: SqliteStore, folder: Path, table: str, text: str) -> list[tuple[str, bytes | None]]:
    db = apsw.Connection(str(folder / "memory.db"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [(row[0], row[1]) for row in db.execute(f"SELECT {text}, packed FROM {table} ORDER BY id")]  # noqa: S608
    finally:
        db.close()


async def test_archived_texts_lie_compressed_where_that_is_shorter(store: SqliteStore, tmp_path: Path) -> None:
    text = long_text(1)
    rows: list[KnowledgeItem | Note] = [
        an_item(content=text),
        an_item(content=text, archived_at=NOW),
        an_item(content="short", archived_at=NOW),
        a_note(summary=text),
        a_note(summary=text, archived_at=NOW),
        a_note(summary="short", archived_at=NOW),
    ]
    await kept(store, *rows)
    packed = zlib.compress(text.encode(), 9)
    assert PAGE_BYTES < len(packed) < len(text)
    expected = [(text, None), ("", packed), ("short", None)]
    assert await raw(store, tmp_path, "item", "content") == expected
    assert await raw(store, tmp_path, "note", "summary") == expected


async def test_what_comes_back_from_the_archive_is_not_kept_twice(store: SqliteStore, tmp_path: Path) -> None:
    item, note = an_item(content=long_text(2), archived_at=NOW), a_note(summary=long_text(3), archived_at=NOW)
    await kept(store, item, note)
    await store.apply(
        ANA,
        [
            Put(replace(item, archived_at=None, version=2), 1),
            Put(replace(note, archived_at=None, version=2), 1),
        ],
    )
    assert await raw(store, tmp_path, "item", "content") == [(item.content, None)]
    assert await raw(store, tmp_path, "note", "summary") == [(note.summary, None)]


async def test_a_person_s_bytes_count_what_is_compressed(store: SqliteStore) -> None:
    item = an_item(title="", content=long_text(4), archived_at=NOW)
    await kept(store, item)
    assert (await store.stats(ANA)).bytes == len(zlib.compress(item.content.encode(), 9))


async def test_an_archived_item_that_is_forgotten_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    item = an_item(title="Vuvuzela", content=long_text(5))
    await kept(store, item, *(an_item() for _ in range(40)))
    await store.apply(ANA, [Put(replace(item, archived_at=NOW, version=2), 1)])
    assert all(piece in bytes_of(tmp_path) for piece in pieces(item.content))
    assert (await store.forget(ANA, ForgetItem(item.id))).erased
    left = bytes_of(tmp_path)
    assert [piece for piece in pieces(item.content) if piece in left] == []
    for trace in (b"sapphire", b"uvuzela", bytes.fromhex(item.id.replace("-", ""))):
        assert trace not in left
    assert (await store.verify()).problems == ()


async def test_a_conversation_with_archived_notes_that_is_forgotten_is_in_no_file(
    store: SqliteStore, tmp_path: Path
) -> None:
    message = a_message(conversation="diary", text="the xylophone is stolen")
    note = a_note(title="Quokka", summary=long_text(6), participants=("Ocarina",), message_ids=(message.id,))
    week = a_note(summary=long_text(7), note_ids=(note.id,), archived_at=NOW)
    item = an_item(content=long_text(8), note_id=note.id, message_ids=(message.id,), archived_at=NOW)
    await kept(store, a_conversation(id="diary"), message, note, week, item, *(a_note() for _ in range(40)))
    await store.apply(ANA, [Put(replace(note, archived_at=NOW, version=2), 1)])
    texts = (note.summary, week.summary, item.content)
    assert all(piece in bytes_of(tmp_path) for text in texts for piece in pieces(text))
    assert (await store.forget(ANA, ForgetConversation("diary"))).erased
    left = bytes_of(tmp_path)
    assert [piece for text in texts for piece in pieces(text) if piece in left] == []
    for trace in (b"sapphire", b"xylophone", b"uokka", b"carina", b"diary"):
        assert trace not in left
    assert (await store.verify()).problems == ()


async def test_a_forgotten_person_s_archive_is_in_no_file(store: SqliteStore, tmp_path: Path) -> None:
    item, note = an_item(content=long_text(9), archived_at=NOW), a_note(summary=long_text(10), archived_at=NOW)
    await kept(store, item, note)
    assert (await store.forget(ANA, ForgetPerson())).erased
    left = bytes_of(tmp_path)
    assert [piece for text in (item.content, note.summary) for piece in pieces(text) if piece in left] == []
    assert b"sapphire" not in left


async def test_a_compressed_text_that_is_damaged_is_told(store: SqliteStore, tmp_path: Path) -> None:
    item = an_item(content=long_text(11), archived_at=NOW)
    await kept(store, item)
    db = apsw.Connection(str(tmp_path / "memory.db"))
    db.execute("UPDATE item SET packed = zeroblob(20)")
    db.close()
    [problem] = [told for told in (await store.verify()).problems if "could not be read" in told]
    assert "decompressing" in problem


async def test_terms_that_tell_the_content_of_an_archived_item_are_a_problem(
    store: SqliteStore, tmp_path: Path
) -> None:
    item = an_item(title="Vase", content="green glass")
    await kept(store, item)
    db = apsw.Connection(str(tmp_path / "memory.db"))
    db.execute("UPDATE item SET archived_at = 0")
    db.close()
    assert f"item {item.id} has other terms than its text" in (await store.verify()).problems
    assert (await store.page(ANA, items_where(archived=True))).rows == (
        replace(item, archived_at=NOW.fromtimestamp(0, NOW.tzinfo)),
    )
