"""Exports for programs: one document, a stream of lines, and how they reach their file."""

from __future__ import annotations

import io
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from builders import ANA, NOW, an_item, kept, puts
from loops import each
from memories import Clock, InMemoryStore
from relembra import Memory
from relembra.errors import InvalidInputError, StoreError
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import Ledger, Whole
from relembra.transfer.exports import write_lines


async def document(memory: Memory, **what: Any) -> dict[str, Any]:
    out = io.BytesIO()
    await memory.export(out, **{"user": "ana", **what})
    whole: dict[str, Any] = json.loads(out.getvalue())
    return whole


async def rows(memory: Memory, **what: Any) -> list[dict[str, Any]]:
    out = io.BytesIO()
    await memory.export(out, format="jsonl", **what)
    return [json.loads(line) for line in out.getvalue().splitlines()]


async def test_the_document_holds_all_of_the_person_s_and_nothing_of_others(memory: Memory) -> None:
    saved = await memory.save(user="ana", said="[likes=rowing]", conversation="c1")
    await memory.settle(flush=True)
    await memory.delete_conversation("c1", user="ana")
    await memory.save(user="bia", said="private words")
    await memory.add("Lives in Bergen", user="ana", tenant="other")
    whole = await document(memory)
    (item,), (note,) = whole["items"], whole["notes"]
    assert item["message_ids"] == note["message_ids"] == [saved.messages[0].id]
    assert item["note_id"] == note["id"]
    assert [row["deleted_at"] for row in (*whole["conversations"], *whole["messages"])] == ["2026-03-01T12:00:00Z"] * 2
    assert not any(word in json.dumps(whole) for word in ("private", "Bergen"))


@each(
    [
        ("json", None, {}, "one person"),
        ("xml", "ana", {}, "no format 'xml'"),
        ("markdown", "ana", {"language": "fr"}, "en or pt"),
    ]
)
async def test_what_cannot_be_exported_is_refused(
    format: Any, user: str | None, more: dict[str, Any], why: str, memory: Memory, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInputError, match=why):
        await memory.export(io.BytesIO(), user=user, format=format, **more)
    with pytest.raises(StoreError, match="nowhere"):
        await memory.export(tmp_path / "nowhere" / "ana.json", user="ana")


async def test_history_is_told_in_the_order_of_time_with_what_is_current(memory: Memory, clock: Clock) -> None:
    old = await memory.add("Lives in Recife", user="ana", attribute="residence", value="Recife")
    clock.move(days=1)
    new = await memory.add("Lives in Porto", user="ana", attribute="residence", value="Porto")
    wrong = await memory.add("Has a cat", user="ana")
    await memory.delete(wrong.id, user="ana")
    away = await memory.add("Likes rowing", user="ana")
    await memory.archive(away.id, user="ana")
    items = (await document(memory))["items"]
    assert [item["id"] for item in items] == [old.id, *sorted((new.id, wrong.id, away.id))]
    by_id = {item["id"]: item for item in items}
    assert {id: item["is_current"] for id, item in by_id.items()} == {
        old.id: False,
        new.id: True,
        wrong.id: False,
        away.id: False,
    }
    assert (by_id[old.id]["superseded_by"], by_id[old.id]["superseded_at"]) == (new.id, "2026-03-02T12:00:00Z")
    assert by_id[wrong.id]["deleted_at"] == by_id[away.id]["archived_at"] == "2026-03-02T12:00:00Z"


async def test_notes_of_spaces_are_told_to_those_who_took_part(memory: Memory) -> None:
    await memory.save(user="ana", said="hello all", space="guild")
    await memory.save(user="bia", said="hi ana", space="guild")
    await memory.save(user="bia", said="only us", space="den")
    await memory.settle(flush=True)
    (note,) = (await document(memory))["space_notes"]
    assert (set(note["participants"]), note["place"]["space"]) == ({"ana", "bia"}, "guild")
    assert (await document(memory, user="joe"))["space_notes"] == []


async def test_the_file_is_private_and_alone_in_its_folder(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    await memory.add("Lives in Recife", user="ana")
    told: list[tuple[int, int]] = []
    done = await memory.export(folder / "ana.json", user="ana", progress=lambda at, total: told.append((at, total)))
    assert (told[-1], [path.name for path in folder.iterdir()]) == ((done.total, done.total), ["ana.json"])
    found = (folder / "ana.json").stat()
    assert (stat.S_IMODE(found.st_mode), found.st_size) == (0o600, done.bytes)


class Busy(InMemoryStore):
    """Somebody adds an item while the first pages are read, so many times."""

    left = 0

    async def page(self, scope, wanted, *, after=None, limit=50):  # type: ignore[no-untyped-def]
        if wanted == Whole(Ledger.NOTE) and self.left:
            self.left -= 1
            await self.apply(scope, puts(an_item()))
        return await super().page(scope, wanted, after=after, limit=limit)


@each([(0, False, 1), (2, False, 3), (9, True, 4)])
async def test_what_changes_while_it_is_read_is_read_again(times: int, changed: bool, items: int) -> None:
    store = Busy(BilingualAnalyzer())
    await kept(store, an_item())
    store.left = times
    out = io.BytesIO()
    done = await write_lines(store, ANA, "default", out, now=NOW)
    assert (done.changed, done.counts["items"]) == (changed, items)
    rows = out.getvalue().splitlines()
    assert (len(rows), json.loads(rows[-1])["rows"]) == (items + 3, items)  # with a header, a person and a footer
