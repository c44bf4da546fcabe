"""Lists shown page by page: the address says how many rows were unrolled, within bounds."""

from __future__ import annotations

import re

import pytest

from houses import House
from relembra.interfaces.web import filters as unrolling
from relembra.interfaces.web import memory as knowing
from relembra.learn.drafts import Draft
from web_pages import Reader, Seen

MANY = 2 * knowing.PAGE + 10


def cards(page: Seen) -> list[str]:
    return [given["id"] for tag, given in page.tags if tag == "article"]


def onward(page: Seen) -> dict[str, str]:
    return next((given for _, given in page.tags if "hx-replace-url" in given and "hx-target" in given), {})


async def test_the_address_of_an_unrolled_list_shows_all_of_it_again(house: House, reader: Reader) -> None:
    await house.memory.add_many([Draft(content=f"Bread number {n}") for n in range(MANY)], user="ana")
    first = await reader.get("/?view=list")
    second = await reader.get(onward(first)["href"])
    whole = await reader.get(onward(first)["hx-replace-url"])
    assert len(cards(first)) == knowing.PAGE
    assert cards(whole) == [*cards(first), *cards(second)]
    assert onward(whole)["href"] == onward(second)["href"]
    assert onward(whole)["hx-replace-url"] == onward(second)["hx-replace-url"]
    all_of_them = await reader.get(onward(second)["hx-replace-url"])
    assert len(cards(all_of_them)) == MANY
    assert onward(all_of_them) == {}
    assert all("rows=" not in link for link in all_of_them.links)  # another list begins at its beginning


@pytest.mark.parametrize("word", ["0", "-5", "x", "²", "99999999999", "9" * 6])
async def test_no_number_of_rows_is_too_many_or_none_at_all(house: House, reader: Reader, word: str) -> None:
    await house.memory.add("Bread", user="ana")
    page = await reader.get("/", view="list", rows=word)
    assert len(cards(page)) == 1

    for path in ("/history", "/settings/nights", "/questions", "/history", "/history/day", "/profile"):
        assert re.search(r"\w", (await reader.get(path, rows=word)).text)


async def test_an_unrolled_list_has_an_end_and_goes_on_from_there(house: House, reader: Reader) -> None:
    drafts = [Draft(content=f"Bread number {n}") for n in range(unrolling.MOST_ROWS + 5)]
    await house.memory.add_many(drafts, user="ana")
    most = await reader.get("/", view="list", rows="9999")
    assert len(cards(most)) == unrolling.MOST_ROWS
    assert len(cards(await reader.get(onward(most)["href"]))) == 5
    assert f"rows={unrolling.MOST_ROWS}" in onward(most)["hx-replace-url"]
