"""Forms pressed twice: each does what it does once, and the second answer is as good as the first."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from houses import House, a_house
from relembra.interfaces.web.background import PRESSED_TWICE, Once
from upstreams import says, upstream
from web_pages import Reader, a_reader, seen

KEY = {"name": "phone", "right": "read", "user": "", "expires": ""}
LINK = {"what": "link", "user": "ana", "right": "read"}


async def twice(reader: Reader, path: str, **fields: str) -> tuple[httpx.Response, httpx.Response]:
    """A form of a page, pressed twice in a moment."""
    page = await reader.get(path if path != "/settings/nights/now" else "/settings/nights")
    sent = {"once": page.forms[path]["once"], **fields}
    first, second = await asyncio.gather(reader.post(path, **sent), reader.post(path, **sent))
    return first, second


async def records(house: House) -> int:
    return len(await house.memory.consolidations(user="ana", kind=None))


# ── what is kept of forms ─────────────────────────────────────────────────────────────────────────────────────────


async def test_of_two_with_one_key_the_second_waits_for_the_first() -> None:
    once, may_go_on, begun = Once(), asyncio.Event(), 0

    async def work() -> int:
        nonlocal begun
        begun += 1
        await may_go_on.wait()
        return begun

    both = asyncio.gather(once.done("a", work), once.done("a", work))
    await asyncio.sleep(0)
    may_go_on.set()
    assert list(await both) == [1, 1]
    assert await once.done("a", work) == 1
    assert await once.done("b", work) == 2


async def test_what_failed_may_be_tried_again() -> None:
    once, troubles = Once(), [ValueError("no")]

    async def work() -> str:
        if troubles:
            raise troubles.pop()
        return "done"

    with pytest.raises(ValueError, match="no"):
        await once.done("a", work)
    assert await once.done("a", work) == "done"


async def test_what_is_kept_for_a_while_is_done_anew_after_it() -> None:
    once, done = Once(), iter(range(9))

    async def work() -> int:
        return next(done)

    assert await once.done("a", work, within=timedelta()) == 0
    assert await once.done("b", work, within=timedelta(hours=1)) == 1
    for _ in range(5):  # turns of the loop, in which what was left for later is done
        await asyncio.sleep(0)
    assert await once.done("a", work) == 2
    assert await once.done("b", work) == 1


async def test_no_more_than_so_many_are_kept() -> None:
    once, done = Once(most=2), iter(range(9))

    async def work() -> int:
        return next(done)

    assert [await once.done(key, work) for key in "abcb"] == [0, 1, 2, 1]
    assert await once.done("a", work) == 3


# ── keys and links ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_key_is_made_once_and_both_answers_show_it(house: House, reader: Reader) -> None:
    held = len(await house.memory.keys())
    first, second = await twice(reader, "/settings/keys", **KEY)
    assert len(await house.memory.keys()) == held + 1
    secrets = [re.findall(r"rlb_[\w-]{20,}", answer.text) for answer in (first, second)]
    assert secrets[0]
    assert secrets[0] == secrets[1]
    page = await reader.get("/settings/keys")
    assert secrets[0][0] not in page.text


@pytest.mark.parametrize("sent", [KEY, LINK], ids=["key", "link"])
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "This form was already sent, and the key or link was created then. It can't be shown again."),
        (
            "pt",
            "Este formulário já tinha sido enviado, e a chave ou o link",
        ),
    ],
)
async def test_a_form_that_comes_again_later_makes_nothing_and_shows_no_secret(
    house: House, language: str, said: str, sent: dict[str, str]
) -> None:
    async with a_reader(house, language=language) as reader:
        fields = sent | {"once": "a-form"}
        assert (await reader.post("/settings/keys", **fields)).status_code == 200
        held = await house.memory.keys()
        house.clock.now += PRESSED_TWICE
        again = await reader.post("/settings/keys", **fields)
    assert await house.memory.keys() == held
    assert said in seen(again).text
    assert not re.findall(r"rlb_[\w-]{20,}|/enter\?pass=", again.text)


# ── work, notes, commands, erasing, the story ─────────────────────────────────────────────────────────────────────


async def test_a_command_typed_in_the_talk_is_carried_out_once(house: House, reader: Reader) -> None:
    first, second = await twice(reader, "/talk", said="/remember I love jazz")
    assert [answer.status_code for answer in (first, second)] == [200, 200]
    assert seen(first).text == seen(second).text
    assert len(await house.memory.list(user="ana")) == 1


async def test_a_model_is_asked_once() -> None:
    async with (
        upstream(says("In Leeds, I think."), says("Again?")) as model,
        a_house(is_open=True, keys=False, upstream=model.url) as house,
        a_reader(house) as reader,
    ):
        first, second = await twice(reader, "/talk", said="Where do I live?")
        assert [answer.status_code for answer in (first, second)] == [303, 303]
        assert len(model.asked) == 1
        said = [message.text for message in await house.memory.messages(user="ana")]
        assert sorted(said) == ["In Leeds, I think.", "Where do I live?"]


async def test_who_pressed_twice_sees_the_receipt_of_erasing(house: House, reader: Reader) -> None:
    await house.memory.add("Plays the cello", user="ana")
    first, second = await twice(reader, "/erase", name="ana")
    assert first.status_code == second.status_code == 200
    receipts = [re.findall(r'href="(data:application/json[^"]+)"', answer.text) for answer in (first, second)]
    assert receipts[0]
    assert receipts[0] == receipts[1]
    assert "items" in receipts[0][0]


async def test_a_story_sent_for_twice_comes_once(tmp_path: Path) -> None:
    async with a_house(is_open=True, keys=False, folder=tmp_path) as house, a_reader(house) as reader:
        await reader.get("/welcome")
        first, second = await asyncio.gather(reader.post("/story"), reader.post("/story"))
        assert first.status_code == second.status_code == 303
        assert first.headers["location"] == second.headers["location"]
