"""The list of what is known, in a browser: areas, search as one types, filters, order, paging without a jump."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, Watched, items_of

SOUGHT = ("vegetariana", "É vegetariana")


def cards(page: Page) -> list[str]:
    found: list[str] = page.locator("#results .card.item").evaluate_all("cards => cards.map(card => card.id)")
    return found


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_items_are_found_by_area_search_filter_and_order_and_links_lead_back_to_what_was_seen(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    here = visitor(house.url, user=user)
    page, t = here.page, here.t
    here.open("/")
    known = items_of(house.url, user)
    expect(page.locator("#a-all .number")).to_have_text(str(len(known)))
    here.shows(t.count("item", len(known)))
    _has_areas(here, known)
    expect(page.get_by_role("button", name=t("page.memory.search.button"), exact=True)).to_have_count(0)

    page.locator("#a-health").click()
    here.settle()
    healthy = {f"i-{item['id']}" for item in known if item["area"] == "health"}
    assert set(cards(page)) == healthy
    assert query(page)["area"] == ["health"]
    page.reload()
    assert set(cards(page)) == healthy
    page.locator("#a-all").click()
    here.settle()

    typed, content = SOUGHT
    page.keyboard.press("/")
    page.keyboard.type(typed, delay=20)
    expect(page.locator("#results .card.item").first).to_contain_text(content)
    here.shows(t("page.memory.found"))
    expect(page.locator("#q")).to_be_focused()
    assert query(page)["q"] == [typed]
    shared = visitor(house.url, user=user)
    shared.open(page.url.removeprefix(house.url))
    assert cards(shared.page) == cards(page)

    here.open("/?view=list")
    page.get_by_text(t("page.memory.filters"), exact=True).first.click()
    here.field("page.memory.type").select_option("insight")
    expect(page).to_have_url(re.compile("type=insight"))
    here.settle()
    assert set(cards(page)) == {f"i-{item['id']}" for item in known if item["type"] == "insight"}
    page.locator(".pills .chip").click()
    here.settle()
    assert "type" not in query(page)
    here.field("page.memory.order").select_option("oldest")
    expect(page).to_have_url(re.compile("order=oldest"))
    here.settle()
    told_of = [f"i-{item['id']}" for item in items_of(house.url, user, order="oldest")]
    assert cards(page) == told_of

    here.open("/")
    page.locator(".summing a[href='/?state=unconfirmed']").click()
    here.settle()
    _shows_those(here, items_of(house.url, user, only="unconfirmed"))
    page.get_by_text(t("page.memory.filters"), exact=True).first.click()
    here.field("page.memory.state").select_option("confirmed")
    expect(page).to_have_url(re.compile("state=confirmed"))
    here.settle()
    _shows_those(here, items_of(house.url, user, only="confirmed"))

    note = next(item["note_id"] for item in known if item["note_id"])
    here.open(f"/note/{note}")
    page.get_by_text(t("page.note.learnt.all")).click()
    here.settle()
    past = "state" in query(page)
    _shows_those(here, items_of(house.url, user, note=note, history=past))
    page.locator(".pills .chip").last.click()
    here.settle()
    assert "note" not in query(page)

    here.open("/?state=past&view=list")
    assert len(cards(page)) == len(items_of(house.url, user, history=True))
    here.open("/?q=qwertyuiop&type=goal&area=spirituality")
    here.says("page.memory.nothing")


def _shows_those(here: Watched, items: list[dict[str, Any]]) -> None:
    """The number of these items, and of each area its newest."""
    here.shows(here.t.count("item", len(items)))
    assert items
    assert set(cards(here.page)) <= {f"i-{item['id']}" for item in items}
    expect(here.page.locator("#a-all .number")).to_have_text(str(len(items)))


def _has_areas(here: Watched, known: list[dict[str, Any]]) -> None:
    """Each area of life that has items, with its icon, its count and how sure its items are."""
    for area in {item["area"] for item in known if item["area"]}:
        panel = here.page.locator(f"section.panel.{area}")
        expect(panel.locator("h2")).to_have_text(here.t.name("area", area))
        expect(panel.locator("header use")).to_have_count(1)
        expect(panel.locator("header .number")).to_have_text(str(sum(item["area"] == area for item in known)))
    assert here.page.locator(".card.item .sure.high").count() > 0
    here.page.get_by_text(here.t("page.memory.levels")).click()
    expect(here.page.locator(".levels li")).to_have_count(4)
