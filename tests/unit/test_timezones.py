"""Three in the morning where people live, also where only offsets are given and the clock changes that night."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from loops import each
from relembra import Memory
from relembra.domain.jobs import CONSOLIDATE, MONTHLY, WEEKLY
from relembra.domain.time import zone_of
from relembra.settings import Settings

NEW_YORK, LISBON = ZoneInfo("America/New_York"), ZoneInfo("Europe/Lisbon")
NIGHTS = [
    (NEW_YORK, datetime(2026, 10, 31, 20, tzinfo=timezone(timedelta(hours=-4)))),  # new york goes back
    (LISBON, datetime(2026, 3, 28, 22, tzinfo=timezone(timedelta()))),  # lisbon goes forward
]


def settings(zone: str) -> Settings:
    return Settings(timezone=zone)


async def due(memory: Memory, zone: ZoneInfo) -> dict[str, datetime]:
    """When a person's night work is due, on the clock there."""
    return {job.kind: job.due_at.astimezone(zone) for job in await memory.jobs(user="ana")}


@each(NIGHTS)
async def test_an_offset_that_home_shows_too_is_kept_and_the_night_is_homes(zone: ZoneInfo, evening: datetime) -> None:
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
