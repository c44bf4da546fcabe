"""A backup a day: made once, the oldest removed, and nothing else in the folder touched."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from pathlib import Path

import pytest

from builders import Words, an_item, kept
from memories import Clock, InMemoryStore
from relembra.bootstrap import daily_backups
from relembra.errors import SettingsError
from relembra.interfaces.cli.commands import Words as Said
from relembra.interfaces.cli.doctor import backups as examined
from relembra.night.upkeep import Backups, backup_days, backup_name
from relembra.settings import Settings, load_settings
from relembra.store.sqlite import SqliteStore


async def test_one_is_made_a_day_and_the_oldest_go(tmp_path: Path) -> None:
    folder, clock = tmp_path / "backups", Clock()
    store = await SqliteStore.open(tmp_path / "memory.db", analyzer=Words())
    await kept(store, an_item())
    keeping = Backups(store, folder=folder, name="memory", kept=2, clock=clock)
    assert await keeping.make_due() == folder / "memory-2026-03-01.db"
    assert await keeping.make_due() is None
    (folder / "memory-2026-02-30x.db").touch()
    (folder / "memory-2026-13-45.db").touch()
    (folder / "other-2020-01-01.db").touch()
    for _ in range(3):
        clock.now += timedelta(days=1)
        assert await keeping.make_due() is not None
    assert backup_days(folder, "memory") == [date(2026, 3, 3), date(2026, 3, 4)]
    assert backup_days(folder, "other") == [date(2020, 1, 1)]
    assert (folder / "memory-2026-02-30x.db").exists()
    assert oct(folder.stat().st_mode)[-3:] == "700"
    await store.close()
    copy = await SqliteStore.open(folder / "memory-2026-03-04.db", analyzer=Words())
    assert (await copy.stats()).items["current"] == 1
    await copy.close()


class Broken(InMemoryStore):
    """Fails in a way nobody thought of."""

    def __init__(self) -> None:
        super().__init__(Words())
        self.was_asked = asyncio.Event()

    async def backup(self, target: Path) -> int:
        self.was_asked.set()
        raise RuntimeError("nobody thought of this")


async def test_whatever_fails_is_logged_and_tried_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Broken()
    keeping = asyncio.create_task(Backups(store, folder=tmp_path, name="m", kept=2, clock=Clock()).keep())
    await asyncio.wait_for(store.was_asked.wait(), timeout=60)
    assert not keeping.done()
    assert "nobody thought of this" in caplog.text
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


async def test_memories_of_one_name_have_backups_of_their_own(tmp_path: Path) -> None:
    settings, made = Settings(backup_folder=str(tmp_path / "backups")), []
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        file = tmp_path / place / "memory.db"
        store = await SqliteStore.open(file, analyzer=Words())
        backups = daily_backups(store, str(file), settings, Clock())
        assert backups is not None
        made.append(await backups.make_due())
        await store.close()
        assert backup_days(tmp_path / "backups", backup_name(file)) == [date(2026, 3, 1)]
    assert None not in made
    assert len(list((tmp_path / "backups").iterdir())) == 2


def test_the_doctor_tells_of_backups_that_are_late(tmp_path: Path) -> None:
    def state(today: date) -> str:
        [check] = examined(Said("en"), str(tmp_path), "memory", today)
        assert (check.advice is None) == (check.state == "ok")
        return check.state

    assert state(date(2026, 3, 2)) == "warning"
    (tmp_path / "memory-2026-03-01.db").touch()
    assert (state(date(2026, 3, 2)), state(date(2026, 3, 3))) == ("ok", "warning")
    [check] = examined(Said("en"), str(tmp_path / "a" / "b"), "memory", date(2026, 3, 2))
    assert "backup_folder" in (check.advice or "")
    assert examined(Said("en"), "", "memory", date(2026, 3, 2)) == []


def test_keeping_none_is_refused() -> None:
    with pytest.raises(SettingsError, match="backups_kept"):
        load_settings({}, backups_kept=0)
