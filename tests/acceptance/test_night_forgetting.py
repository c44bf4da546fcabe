"""Somebody is forgotten while a worker is at their things: whatever it had in hand, nothing of them comes back."""

from __future__ import annotations

import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from builders import ANA
from meanwhile import Meanwhile
from memories import Clock, a_store
from nights import WORLDS, World, made, remembering
from relembra.store.port import ForgetConversation, ForgetPerson, Store

EVERY = 16  # of the calls that only read

Forgets = Callable[[Store], Awaitable[object]]


async def a_person(store: Store) -> object:
    return await store.forget(ANA, ForgetPerson())


async def a_conversation(store: Store) -> object:
    return await store.forget(ANA, ForgetConversation("direct"))


FORGOTTEN: dict[str, tuple[Forgets, str]] = {
    "a person": (a_person, r"\bana\b"),
    "a conversation": (a_conversation, r"\bana (?:told|meant) \d|Reads book"),
}


@pytest.mark.parametrize(
    ("world", "what"),
    [
        *((world, "a person") for world in ("listen", "consolidate", "garden", "insight", "weekly")),
        *((world, "a conversation") for world in ("consolidate", "garden", "weekly")),
    ],
)
async def test_nothing_comes_back_whenever_it_is_forgotten(tmp_path: Path, world: str, what: str) -> None:
    store = await a_store("sqlite", tmp_path)
    clock = Clock(await made(store, WORLDS[world], tmp_path))
    forgets, words = FORGOTTEN[what]
    undisturbed = Meanwhile(await copied(tmp_path, "undisturbed"))
    await worked(undisturbed, clock, WORLDS[world], tmp_path)
    assert left(tmp_path / "undisturbed" / "m.db", words)  # what is looked for below is there to be found
    for number, call in enumerate(undisturbed.calls):
        if call == "apply" or number % EVERY == 0:
            disturbed = Meanwhile(await copied(tmp_path, "disturbed"), forgets, before=number)
            await worked(disturbed, clock, WORLDS[world], tmp_path)
            if disturbed.has_happened:  # two at work at once do not always need as many calls
                assert left(tmp_path / "disturbed" / "m.db", words) == [], f"forgotten before call {number}, {call}"


async def copied(folder: Path, name: str) -> Store:
    """A store on a copy of the world's file."""
    (folder / name).mkdir(exist_ok=True)
    for file in (folder / name).iterdir():
        file.unlink()
    shutil.copy(folder / "m.db", folder / name / "m.db")
    return await a_store("sqlite", folder / name)


async def worked(store: Meanwhile, clock: Clock, world: World, folder: Path) -> None:
    later = Clock(clock())
    async with remembering(store, later) as memory:
        await world.work(memory, folder)
        later.move(hours=1)
        await memory.settle()


def left(db: Path, words: str) -> list[tuple[Any, ...]]:
    """Rows of any table that hold the words."""
    with_words = re.compile(words)
    connection = apsw.Connection(str(db))
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found = [
        (table, *row)
        for table in tables
        for row in connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608 (the names are the file's own)
        if any(isinstance(value, str) and with_words.search(value) for value in row)
    ]
    connection.close()
    return found
