"""The pages of nights: records as a difference, taking one back, work now, the gardener, and the queue."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from builders import NOW, a_run, kept
from houses import House
from relembra.domain.jobs import Run, RunStatus, Tally
from relembra.interfaces.web import nights
from web_pages import Reader, a_reader, seen


async def a_night(house: House, *said: str) -> Run:
    for text in said or ("I live in Recife.", "I am allergic to shrimp."):
        await house.memory.save(user="ana", said=text)
    run = await house.memory.consolidate(user="ana")
    assert run is not None
    return run


async def test_records_come_page_by_page_with_what_went_wrong(house: House) -> None:
    starts = [NOW - timedelta(hours=n) for n in range(nights.PAGE + 2)]
    runs = [a_run(started_at=start, finished_at=start + timedelta(minutes=2)) for start in starts]
    runs[0] = replace(
        runs[0], status=RunStatus.PARTIAL, error="2 messages could not be learnt from yet", model_calls=3,
        input_tokens=1200, output_tokens=80, tally=Tally(messages=4, created=2, merged=1),
    )  # fmt: skip
    await kept(house.memory._store, *runs)
    async with a_reader(house, language="pt") as reader:
        first = await reader.get("/settings/nights")
        assert "2 mensagens com que ainda não deu para aprender" in first.text
        assert "3 chamadas, 1.200 tokens de entrada" in first.text
        assert "levou 2 min" in first.text
        assert f"/settings/nights/{runs[-1].id}" not in first.links
        second = await reader.get(next(link for link in first.links if "after=" in link))
        assert f"/settings/nights/{runs[-1].id}" in second.links
        page = await reader.get(f"/settings/nights/{runs[0].id}")
        assert "parcial" in page.text
        assert "Nada se perde" in page.text


async def test_a_night_is_taken_back_but_for_what_was_changed_since(house: House, reader: Reader) -> None:
    run = await a_night(house)
    confirmed, other = await house.memory.list(user="ana")
    await house.memory.validate(confirmed.id, user="ana")
    address = f"/settings/nights/{run.id}"
    asked = await reader.get(f"{address}/rollback")
    assert ". They are removed." in asked.text
    assert len(await house.memory.list(user="ana")) == 2
    once = asked.forms[f"{address}/rollback"]["once"]
    answers = await asyncio.gather(*(reader.post(f"{address}/rollback", once=once) for _ in range(2)))
    for told in ("no longer known", "ana changed it since (confirmed)", other.content):
        assert all(told in seen(answer).text for answer in answers)
    assert [item.id for item in await house.memory.list(user="ana")] == [confirmed.id]
    later = await reader.get(address)
    assert "no longer known" not in later.text
    assert f"{address}/rollback" not in later.links
    again = await reader.answer(f"{address}/rollback")
    assert (again.status_code, again.headers["location"]) == (303, address)
    assert (await reader.post(f"{address}/rollback")).status_code == 409
    await reader.post("/undo", **seen(answers[0]).forms["/undo"])
    assert len(await house.memory.list(user="ana")) == 2


async def test_what_the_gardener_would_do_is_told_by_kind_and_then_done(house: House) -> None:
    await house.memory.add("Is sad about the book", user="ana", type="emotion", source="conversation")
    house.clock.move(days=60)
    async with a_reader(house) as reader:
        first = await reader.get("/settings/nights/cleanup")
        assert ("/settings/nights/cleanup", "load") in [(g.get("hx-get"), g.get("hx-trigger")) for _, g in first.tags]
        page = await reader.get("/settings/nights/cleanup", plan="1")
        (item,) = await house.memory.list(user="ana")
        assert "To fade" in page.text or "To be put away" in page.text
        assert f"/item/{item.id}" in page.links
        assert "a feeling not said again" in page.text
        before = item.weight
        done = await reader.done("/settings/nights/now", **{"work": page.forms["/settings/nights/now"]["work"]})
        assert "Cleanup finished." in done.text
        after = await house.memory.get(item.id, user="ana")
        assert after.weight < before
        assert "Nothing to clean up" in (await reader.get("/settings/nights/cleanup", plan="1")).text
