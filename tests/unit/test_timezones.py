"""Three in the morning where people are, also away from home."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memories import Clock, a_memory
from relembra import Memory, SettingsError
from relembra.domain.jobs import CLUSTER, CONSOLIDATE
from relembra.domain.policy import LIFE
from relembra.settings import Settings, load_settings
from relembra.store.port import Store


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


async def test_a_spaces_topics_are_told_at_an_hour_and_on_a_clock_of_their_own(store: Store, clock: Clock) -> None:
    midnight = replace(LIFE, tend=replace(LIFE.tend, space_hour=0.0))
    zones = {"Book Club": "America/New_York"}
    said: dict[str, Any] = {"user": "ana", "at": datetime(2026, 3, 1, 20, tzinfo=ZoneInfo("Europe/Lisbon"))}
    clock.now = datetime(2026, 3, 1, 20, tzinfo=UTC)
    due: dict[str, datetime] = {}
    async with a_memory(store, clock=clock, policy=midnight, space_zones=zones) as memory:
        for space in ("book club", "team"):
            for number in range(4):
                await memory.save(said=f"We read chapter {number}", space=space, channel=str(number), **said)
        await memory.settle(flush=True)
        for job in await store.jobs(limit=100):
            if job.kind in (CLUSTER, CONSOLIDATE):
                due[job.scope.space or job.scope.user] = job.due_at
        assert due == {
            "book club": datetime(2026, 3, 2, 5, tzinfo=UTC),  # midnight in New York
            "team": datetime(2026, 3, 2, 0, tzinfo=UTC),  # and in Lisbon
            "ana": datetime(2026, 3, 2, 3, tzinfo=UTC),
        }
        clock.now = due["book club"]
        await memory.settle()
        nights = {
            space: [run.night for run in await memory.consolidations(space=space, kind="clustering")]
            for space in ("book club", "team")
        }
        assert nights == {"book club": [date(2026, 3, 2)], "team": [date(2026, 3, 2)]}
    with pytest.raises(SettingsError, match="space_timezones"):
        load_settings({}, space_timezones={"book club": "New York"})
