"""What is written is for its owner's eyes only, whatever the umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import Words, an_item, kept
from memories import InMemoryStore
from relembra.bootstrap import opened
from relembra.settings import Settings, private_folder
from relembra.store.sqlite import SqliteStore


@pytest.fixture(params=[0o022, 0o000], ids=["umask 022", "umask 000"], autouse=True)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_the_files_of_a_store_are_its_owners_alone(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    await kept(store, an_item())
    await store.backup(tmp_path / "copy.db")
    files = sorted(tmp_path.iterdir())
    assert {"copy.db", "memory.db", "memory.db-shm", "memory.db-wal"} <= {path.name for path in files}
    assert {path.name: oct(mode(path)) for path in files} == {path.name: "0o600" for path in files}
    await store.close()


async def test_files_from_before_are_tightened_when_opened(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await (await SqliteStore.open(path, analyzer=Words())).close()
    path.chmod(0o664)
    await (await SqliteStore.open(path, analyzer=Words())).close()
    assert mode(path) == 0o600


async def test_a_store_without_a_file_backs_up_for_its_owner_alone(tmp_path: Path) -> None:
    await InMemoryStore(Words()).backup(tmp_path / "copy")
    assert mode(tmp_path / "copy") == 0o600


async def test_an_export_is_its_owners_alone(tmp_path: Path) -> None:
    async with opened(settings=Settings(db=str(tmp_path / "m.db")), background=False) as memory:
        await memory.add("Gosta de chá", user="ana")
        for format in ("json", "jsonl", "markdown", "notes"):
            await memory.export(tmp_path / format, user="ana", format=format)
            assert mode(tmp_path / format) == 0o600


def test_folders_that_are_made_are_private_and_others_left_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir(mode=0o755)
    before = mode(tmp_path / "there")
    private_folder(tmp_path / "there" / "new" / "newer")
    assert mode(tmp_path / "there" / "new") == mode(tmp_path / "there" / "new" / "newer") == 0o700
    private_folder(tmp_path / "there")
    assert mode(tmp_path / "there") == before
