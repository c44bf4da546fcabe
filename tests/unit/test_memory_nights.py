"""Three in the morning where people live, also where only offsets are given and the clock changes that night."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from loops import each
from relembra import Memory
from relembra.domain.jobs import CONSOLIDATE, MONTHLY, WEEKLY
from relembra.domain.time import zone_of, zoned_clock
from relembra.settings import Settings

NEW_YORK, LISBON = ZoneInfo("America/New_York"), ZoneInfo("Europe/Lisbon")
NIGHTS = [
    (NEW_YORK, datetime(2026, 10, 31, 20, tzinfo=timezone(timedelta(hours=-4)))),  # new york goes back
    (LISBON, datetime(2026, 3, 28, 22, tzinfo=timezone(timedelta()))),  # lisbon goes forward
]


@pytest.fixture
def in_new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose clock is New York's."""
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def settings(zone: str) -> Settings:
    return Settings(timezone=zone)


async def due(memory: Memory, zone: ZoneInfo) -> dict[str, datetime]:
    """When a person's night work is due, on the clock there."""
    return {job.kind: job.due_at.astimezone(zone) for job in await memory.jobs(user="ana")}


@each(NIGHTS)
async def test_work_is_due_at_three_there_when_only_the_clock_of_the_memory_knows_the_place(
    zone: ZoneInfo, evening: datetime
) -> None:
    opening = Memory.open(
        ":memory:", settings=settings(zone.key), clock=lambda: evening.astimezone(zone), background=False
    )
    async with opening as memory:
        saved = await memory.save(user="ana", said="I live here.")
        assert saved.messages[0].zone == zone.key
        night = (await due(memory, zone))[CONSOLIDATE]
    assert (night.date(), night.hour, night.minute) == (evening.date() + timedelta(days=1), 3, 0)


@each(NIGHTS)
async def test_an_offset_that_home_shows_too_is_kept_as_given_and_the_night_is_homes(
    zone: ZoneInfo, evening: datetime
) -> None:
    now = evening + timedelta(minutes=5)
    async with Memory.open(":memory:", settings=settings(zone.key), clock=lambda: now, background=False) as memory:
        saved = await memory.save(user="ana", said="I live here.", at=evening)
        assert saved.messages[0].zone == zone_of(evening)
        night = (await due(memory, zone))[CONSOLIDATE]
        assert (night.date(), night.hour, night.minute) == (evening.date() + timedelta(days=1), 3, 0)
        now += timedelta(minutes=40)
        await memory.settle()
        await memory.consolidate(user="ana")
        later = await due(memory, zone)
    assert (later[WEEKLY].hour, later[WEEKLY].minute) == (3, 30)
    assert (later[MONTHLY].hour, later[MONTHLY].minute) == (3, 40)


async def test_somebody_away_from_home_has_the_night_of_where_they_are() -> None:
    tokyo = timezone(timedelta(hours=9))
    now = datetime(2026, 10, 31, 20, tzinfo=tokyo)
    async with Memory.open(
        ":memory:", settings=settings("America/New_York"), clock=lambda: now, background=False
    ) as memory:
        await memory.save(user="ana", said="I am in Tokyo.", at=now)
        [job] = await memory.jobs(user="ana", kind=CONSOLIDATE)
    assert (job.payload["zone"], job.due_at) == ("+09:00", datetime(2026, 11, 1, 3, tzinfo=tokyo))


async def test_a_space_is_clustered_at_three_at_home() -> None:
    now = datetime(2026, 10, 31, 20, tzinfo=timezone(timedelta(hours=-4)))
    async with Memory.open(
        ":memory:", settings=settings("America/New_York"), clock=lambda: now, background=False
    ) as memory:
        await memory.save(user="ana", said="The oven is broken again.", space="bakery", at=now)
        now += timedelta(hours=1)
        await memory.settle()
        nights = [job for job in await memory.jobs() if "zone" in job.payload]
    assert {job.kind for job in nights} == {"cluster", "consolidate"}
    assert {job.payload["zone"] for job in nights} == {"America/New_York"}
    assert {job.due_at for job in nights} == {datetime(2026, 11, 1, 8, tzinfo=UTC)}


@pytest.mark.usefixtures("in_new_york")
async def test_without_a_setting_the_systems_clock_says_the_place(tmp_path: Path) -> None:
    async with Memory.open(tmp_path / "m.db", settings=Settings(), background=False) as memory:
        saved = await memory.save(user="ana", said="I live in Boston.")
        assert saved.messages[0].zone == "America/New_York"
        await memory.add("Has a cat", user="bia")
        zones = {job.payload.get("zone") for job in await memory.jobs() if job.kind == CONSOLIDATE}
    assert zones == {"America/New_York"}


async def test_a_system_without_a_name_for_its_clock_goes_by_the_offset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "<-03>3")
    time.tzset()
    try:
        async with Memory.open(":memory:", settings=Settings(), background=False) as memory:
            saved = await memory.save(user="ana", said="I live in Boston.")
            [job] = await memory.jobs(user="ana", kind=CONSOLIDATE)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert (saved.messages[0].zone, job.payload["zone"]) == ("-03:00", "-03:00")


def test_a_zoned_clock_tells_now_by_the_name_of_its_place() -> None:
    now = zoned_clock("America/New_York")()
    assert zone_of(now) == "America/New_York"
    assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)
