"""The first visit: three ways to begin, the story as it comes and as it goes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest

from houses import House
from loops import each
from memories import Clock
from relembra.interfaces.stories import story_in
from relembra.interfaces.web import demo as playing
from relembra.interfaces.web.background import BackgroundJob, Owner
from relembra.settings import Settings
from web_pages import Reader, a_reader, seen

OWNER = Owner("this machine", "default", "ana")
KINDS = ("conversation", "weekly", "appointment")


@pytest.fixture(scope="module")
def lived() -> bytes:
    """What the button brings, lived once."""
    living = playing.Living(story_in("en"), user="ana", now=Clock()(), zone=UTC, progress=lambda *_: None)
    return playing.marked(living.run(Settings()))


@pytest.fixture
async def storied(house: House, lived: bytes) -> House:
    await house.memory.import_export(BytesIO(lived), user="ana")
    return house


async def loaded(house: House, reader: Reader, **fields: str) -> str:
    """Load the story as the button does, to its end; the address of its progress."""
    answer = await reader.post("/story", **fields)
    assert answer.status_code == 303, answer.text[:2000]
    address = answer.headers["location"]
    job: BackgroundJob = await house.app.state.background.get(address.rpartition("/")[2], owner=OWNER)
    under_way = await reader.answer(address)
    assert 'hx-trigger="every 1s"' in under_way.text
    assert 'http-equiv="refresh"' in under_way.text
    assert job.task is not None
    await job.task
    assert job.error is None
    return str(address)


@each(["en", "pt"])
async def test_an_empty_memory_offers_three_ways_to_begin(language: str, house: House) -> None:
    async with a_reader(house, language=language) as reader:
        for path in ("/", "/welcome"):
            page = await reader.get(path)
            assert {"/story", "/import"} <= set(page.forms)
            assert "/talk" in page.links
            assert any(given.get("name") == "file" for tag, given in page.tags if tag == "input")


@pytest.mark.parametrize("language", ["en", "pt"])
async def test_the_story_fills_every_page_and_goes_without_what_was_there(house: House, language: str) -> None:
    memory = house.memory
    mine = await memory.add("Plays the cello", user="ana")
    await memory.save(user="ana", said="Hello from elsewhere", conversation="telegram-1")
    async with a_reader(house, language=language) as reader:
        sure = seen(await reader.post("/story"))
        assert sure.forms["/story"]["sure"] == "yes"
        assert not await playing.is_here(memory, {"user": "ana", "tenant": "default"})
        address = await loaded(house, reader, sure="yes")
        done = await reader.answer(address)
        assert done.headers["location"] == "/?done=story"
        polled = await reader.client.get(address, headers={"HX-Request": "true"})
        assert polled.headers["HX-Redirect"] == "/?done=story"
        home = await reader.get("/")
        assert "/story/remove" in home.forms

        assert await memory.conflicts(user="ana", open_only=True)
        known = await memory.list(user="ana", history=True, limit=100)
        assert any(item.superseded_at is not None for item in known)
        assert {note.kind.value for note in await memory.notes(user="ana", kind=KINDS)} == set(KINDS)
        assert await memory.insights(user="ana")
        assert len(await memory.consolidations(user="ana", kind=None)) > 5
        assert not (await memory.verify()).problems
        last = (await memory.messages(user="ana", limit=100))[1]
        assert last.sent_at.date() == (house.clock() - timedelta(days=1)).date()

        again = await reader.post("/story", sure="yes")
        assert again.headers["location"] == "/?done=story_here"

        await reader.done("/story/remove")
    assert [item.id for item in await memory.list(user="ana", history=True, deleted=True)] == [mine.id]
    assert [message.text for message in await memory.messages(user="ana")] == ["Hello from elsewhere"]
    assert list(await memory.notes(user="ana", kind=KINDS)) == []
    assert list(await memory.conflicts(user="ana")) == []
    assert not (await memory.verify()).problems


async def test_what_the_person_said_as_well_stays_when_the_story_goes(storied: House, reader: Reader) -> None:
    memory = storied.memory
    [tea] = [item for item in await memory.list(user="ana", limit=100) if "ginger tea" in item.content]
    storied.clock.move(hours=1)
    await memory.save(user="ana", said="I love ginger tea.", conversation="telegram-1")
    await memory.learn(user="ana")
    await reader.done("/story/remove")
    assert [item.id for item in await memory.list(user="ana")] == [tea.id]


async def test_the_story_of_one_person_is_nobody_elses(house: House, reader: Reader) -> None:
    may_go_on = asyncio.Event()

    async def slowly(_: BackgroundJob) -> None:
        await may_go_on.wait()

    address = f"/story/{house.app.state.background.start('story', owner=OWNER, work=slowly).id}"
    assert (await reader.answer(address)).status_code == 200
    async with a_reader(house, user="bia") as other:
        assert (await other.answer(address)).status_code == 404
        assert "/story" in (await other.get("/")).forms


async def test_a_story_that_could_not_be_loaded_says_so(house: House, reader: Reader) -> None:
    async def fails(_: BackgroundJob) -> None:
        raise ValueError("secret words")

    job = house.app.state.background.start("story", owner=OWNER, work=fails)
    await job.task
    page = await reader.get(f"/story/{job.id}")
    assert "The demo story couldn't be loaded." in page.text
    assert "secret words" not in page.text
    assert "every 1s" not in str(page.tags)


@each(["en", "pt"])
def test_moved_days_keep_their_order_and_hours_and_end_yesterday(language: str) -> None:
    story, now = story_in(language), datetime(2027, 3, 1, 0, 30, tzinfo=UTC)
    moments = playing.moved(story, now)
    assert moments[-1].at.date() == now.date() - timedelta(days=1)
    assert [moment.at.time() for moment in moments] == [moment.at.time() for moment in story.moments]
    assert [moment.at for moment in moments] == sorted(moment.at for moment in moments)
    days = (moments[-1].at.date() - moments[0].at.date()).days + 1
    assert days < playing.MOST_DAYS
