from __future__ import annotations

import asyncio

from relembra.domain.candidate import Spent
from relembra.minds.llm.asking import Meter


def spent(calls: int) -> list[Spent]:
    return [Spent(task="reread", model="m", calls=calls, input_tokens=0, output_tokens=0)] if calls else []


async def test_what_works_at_the_same_time_pays_for_itself_alone() -> None:
    meter, both_asked = Meter(), asyncio.Barrier(2)

    async def works(calls: int) -> list[Spent]:
        for _ in range(calls):
            meter.add("reread", "m", calls=1)
        await both_asked.wait()
        return meter.take()

    assert (list(await asyncio.gather(works(1), works(3))), meter.take()) == ([spent(1), spent(3)], [])


async def test_what_was_stopped_before_it_paid_is_paid_by_the_next() -> None:
    meter = Meter()

    async def stops() -> None:
        meter.add("reread", "m", calls=2)
        raise ValueError("stopped")

    await asyncio.gather(asyncio.create_task(stops()), return_exceptions=True)
    meter.add("reread", "m", calls=1)
    assert meter.take() == spent(3)
