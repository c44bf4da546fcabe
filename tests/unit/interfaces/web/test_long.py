"""Very long texts: lists show their first words, their own page all of them, and forms say where they end."""

from __future__ import annotations

import pytest

from houses import House
from relembra.interfaces.web.memory import LONGEST_CONTENT
from web_pages import a_reader, seen

LONG = "Ana conta uma história comprida. " * 6_061  # 200,000 letters and some
MOST_BYTES = 300_000
LISTS = (
    "/",
    "/history",
    "/history/day",
    "/history/connections",
    "/profile",
    "/profile?see=people",
    "/settings/nights",
)


@pytest.mark.parametrize("address", LISTS)
async def test_a_long_item_makes_no_list_long(house: House, address: str) -> None:
    await house.memory.add(LONG, user="ana", type="memory", area="leisure")
    await house.memory.add(f"Outra vez: {LONG}", user="ana", type="person", subject="Davi")
    async with a_reader(house) as reader:
        answer = await reader.answer(address)
        assert answer.status_code == 200
        assert len(answer.content) < MOST_BYTES


@pytest.mark.parametrize(("language", "said"), [("en", "at most 20000"), ("pt", "no máximo 20000")])
async def test_more_than_one_item_takes_is_not_added_and_not_lost(house: House, language: str, said: str) -> None:
    typed = "a" * (LONGEST_CONTENT + 1)
    async with a_reader(house, language=language) as reader:
        answer = await reader.post("/add", content=typed)
        assert answer.status_code == 422
        assert said in seen(answer).text.casefold().replace(".", "").replace(",", "")
        assert typed in answer.text
        assert await house.memory.list(user="ana") == []
        await reader.done("/add", content=typed[1:])
        assert len(await house.memory.list(user="ana")) == 1


async def test_what_is_longer_already_can_be_put_right_but_grows_no_more(house: House) -> None:
    short = await house.memory.add("Mora em Olinda", user="ana")
    long = await house.memory.add(LONG, user="ana")
    async with a_reader(house) as reader:
        assert (await reader.post(f"/item/{short.id}/correct", content=LONG)).status_code == 422
        assert (await reader.post(f"/item/{long.id}/correct", content=LONG + LONG)).status_code == 422
        await reader.done(f"/item/{long.id}/correct", content=LONG.replace("Ana", "Eva"))
