"""The pages of nights: records as a difference, taking one back, work now, the gardener, and the queue."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from builders import BIA, NOW, a_job, a_run, kept
from houses import ELSEWHERE, House, a_house
from relembra.domain.jobs import FLUSH, WEEKLY, JobState, Run, RunStatus, Tally
from relembra.interfaces.web import nights
from relembra.interfaces.web.visits import PASS
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


async def test_the_queue_is_told_in_words_and_by_state(house: House) -> None:
    dead = a_job(
        kind="learn", state=JobState.DEAD, attempts=3, error="the model openai:x did not answer within 30 seconds"
    )
    waiting = a_job(kind=WEEKLY, due_at=NOW + timedelta(hours=15))
    flush = a_job(kind=FLUSH, due_at=NOW + timedelta(minutes=5))
    others = a_job(scope=BIA, kind="garden", due_at=NOW + timedelta(hours=1))
    await kept(house.memory._store, dead, waiting, flush, others)
    async with a_reader(house, language="pt") as reader:
        page = await reader.get("/settings/nights/queue")
        assert "aprender" in page.text
        assert "abandonado" in page.text
        assert "tentado 3 vezes" in page.text
        assert "openai:x" in page.text
        assert "amanhã às 03:00" in page.text or "hoje às" in page.text
        assert "jardinagem" not in page.text
        assert f"/settings/nights/queue/{dead.id}/retry" in page.forms
        assert f"/settings/nights/queue/{waiting.id}/run" in page.forms
        assert f"/settings/nights/queue/{waiting.id}/cancel" in page.forms
        assert f"/settings/nights/queue/{flush.id}/cancel" not in page.forms
        everybody = await reader.get("/settings/nights/queue", whose="all")
        assert "jardinagem" in everybody.text
        some = await reader.get("/settings/nights/queue", state="dead")
        assert f"/settings/nights/queue/{dead.id}/retry" in some.forms
        assert f"/settings/nights/queue/{waiting.id}/run" not in some.forms


async def test_a_job_is_tried_again_done_now_and_taken_out(house: House) -> None:
    dead = a_job(kind=WEEKLY, key="w", state=JobState.DEAD, attempts=3, error="x", payload={"zone": "+00:00"})
    later = a_job(kind="garden", due_at=NOW + timedelta(days=2), payload={"zone": "+00:00"})
    gone = a_job(kind="monthly", due_at=NOW + timedelta(days=2), payload={"zone": "+00:00"})
    await house.memory.add("Has a cat", user="ana")
    await kept(house.memory._store, dead, later, gone)
    async with a_reader(house) as reader:
        assert "It will be tried again." in (await reader.done(f"/settings/nights/queue/{dead.id}/retry")).text
        assert "Done." in (await reader.done(f"/settings/nights/queue/{later.id}/run")).text
        assert "Removed from the queue." in (await reader.done(f"/settings/nights/queue/{gone.id}/cancel")).text
        assert (await reader.post(f"/settings/nights/queue/{gone.id}/cancel")).status_code == 404
        assert (await reader.post("/settings/nights/queue/garden/run")).status_code == 404
    left = {job.id for job in await house.memory.jobs(user="ana")}
    assert not left & {later.id, gone.id}


async def test_nobody_reaches_the_work_of_another_tenant_or_person() -> None:
    async with a_house() as house:
        job = a_job(scope=BIA, kind="garden", due_at=NOW + timedelta(days=2))
        await kept(house.memory._store, job)
        for key in ("ana-admin", "other"):
            async with house.client(peer=ELSEWHERE) as client:
                client.cookies.set(PASS, await house.memory.page_pass(house.secrets[key]) or "")
                client.cookies.set("relembra_looks", "user=ana")
                page = await client.get("/settings/nights/queue", params={"whose": "all"})
                assert job.id not in page.text
                token = client.cookies["relembra_form"]
                for action in ("retry", "run", "cancel"):
                    answer = await client.post(f"/settings/nights/queue/{job.id}/{action}", data={"form": token})
                    assert answer.status_code == 404
        assert await house.memory.job(job.id) == job
