"""A dry run of forgetting: the receipt of the deed, and nothing done."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builders import (
    ANA,
    BIA,
    MODEL,
    a_case,
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
from relembra.domain.audit import Target
from relembra.domain.message import NoteKind
from relembra.domain.scope import Place, shelf_of
from relembra.store.port import (
    ForgetConversation,
    ForgetItem,
    ForgetPerson,
    Gone,
    Kind,
    Ledger,
    Put,
    PutVectors,
    Store,
    Whole,
)
from relembra.store.sqlite import InMemoryStore

GENERAL = Place("guild", "general")
GUILD = shelf_of(ANA, GENERAL)
ITEM, OTHER, REPORT, TALK = (an_id() for _ in range(4))

WAYS: dict[str, Callable[..., Awaitable[Gone]]] = {
    "item": lambda store, **how: store.forget(ANA, ForgetItem(ITEM), **how),
    "conversation": lambda store, **how: store.forget(ANA, ForgetConversation("c1"), **how),
    "person": lambda store, **how: store.forget(ANA, ForgetPerson(), **how),
}


async def filled(store: Store) -> None:
    """Something of every kind that forgetting reaches, of two people and a space."""
    said = [a_message(text="we sold the boat house"), a_message(place=GENERAL, text="good morning to all of you")]
    theirs = a_message(scope=BIA, author="bia", place=GENERAL)
    for message in (*said, theirs):
        await store.apply(message.scope, [buffering(message)])
    talk = a_note(id=TALK, summary="we sold the boat house", message_ids=(said[0].id,))
    shared = a_note(scope=GUILD, place=GENERAL, summary="good morning to all of you", message_ids=(said[1].id,))
    item = an_item(id=ITEM, content="Sold the boat house", note_id=talk.id, message_ids=(said[0].id,))
    other = an_item(id=OTHER, content="Keeps bees", related=(ITEM,))
    report = a_note(id=REPORT, kind=NoteKind.WEEKLY, summary="- “Sold the boat house” [Mar 3]")
    pointing = an_item(scope=BIA, note_id=shared.id)
    entries = [an_entry(target_id=ITEM), an_entry(target=Target.NOTE, target_id=REPORT)]
    await kept(store, a_conversation(), talk, item, other, report, *entries, a_job(payload={"id": ITEM}))
    await kept(store, shared, pointing, a_case(old_id=OTHER, new_id=ITEM))
    await store.apply(ANA, [Put(a_run(raw="an answer"), None), Put(a_view(), None)])
    await store.apply(ANA, [PutVectors(Kind.ITEM, ITEM, MODEL, (a_vector(1, 0),))])


async def held(store: Store, folder: Path) -> Any:
    """All there is to read, down to stamps; of a file every row of every table."""
    told = [
        [[(await store.page(scope, Whole(ledger))).rows for ledger in Ledger] for scope in (ANA, BIA, GUILD)],
        [await store.page_trail(scope) for scope in (ANA, BIA, GUILD)],
        [await store.buffers(scope) for scope in (ANA, GUILD)],
        await store.stamps([ANA, BIA, GUILD]),
        await store.jobs(),
        (await store.stats()).vectors,
        await store.stats(),
    ]
    if isinstance(store, InMemoryStore):
        return told
    with closing(sqlite3.connect(f"file:{folder / 'memory.db'}?mode=ro", uri=True)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return told, {name: file.execute(f"SELECT * FROM {name}").fetchall() for name in tables}  # noqa: S608 (own names)


@pytest.mark.parametrize("way", WAYS)
async def test_a_dry_run_tells_the_receipt_and_changes_nothing(store: Store, way: str, tmp_path: Path) -> None:
    await filled(store)
    before = await held(store, tmp_path)
    would = await WAYS[way](store, dry_run=True)
    assert would.dry_run
    assert not would.erased
    assert await held(store, tmp_path) == before
    gone = await WAYS[way](store)
    assert replace(would, dry_run=False, erased=gone.erased) == gone
    assert gone.counts["items"]
    assert gone.counts["notes"]
    assert (await store.verify()).problems == ()


@pytest.mark.parametrize(
    ("way", "named"), [("item", {REPORT}), ("conversation", {REPORT, TALK}), ("person", set())], ids=WAYS
)
async def test_the_receipt_names_the_persons_own_notes_that_go_along(store: Store, way: str, named: set[str]) -> None:
    await filled(store)
    gone = await WAYS[way](store)
    assert gone.notes == tuple(sorted(named))


async def test_of_something_unknown_nothing_would_go(store: Store) -> None:
    await filled(store)
    for would in (
        await store.forget(ANA, ForgetItem(an_id()), dry_run=True),
        await store.forget(BIA, ForgetConversation("c9"), dry_run=True),
    ):
        assert would.dry_run
        assert (would.total, would.notes) == (0, ())
