"""Three in the morning where people are, also away from home."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from relembra import Memory
from relembra.domain.jobs import CONSOLIDATE
from relembra.settings import Settings


def settings(zone: str) -> Settings:
    return Settings(timezone=zone)


async def test_somebody_away_from_home_has_the_night_of_where_they_are() -> None:
    tokyo = timezone(timedelta(hours=9))
    now = datetime(2026, 10, 31, 20, tzinfo=tokyo)
    async with Memory.open(
        ":memory:", settings=settings("America/New_York"), clock=lambda: now, background=False
    ) as memory:
        await memory.save(user="ana", said="I am in Tokyo.", at=now)
        [job] = await memory.jobs(user="ana", kind=CONSOLIDATE)
    assert (job.payload["zone"], job.due_at) == ("+09:00", datetime(2026, 11, 1, 3, tzinfo=tokyo))
