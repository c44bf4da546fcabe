"""Without JavaScript pages can be read, and the basic things can be done."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, items_of, places_of

SOUGHT = ("vegetariana", "É vegetariana")
NEW = ("Tem um caiaque", "Tem um caiaque vermelho")


def test_pages_can_be_read_and_the_basic_things_done(house: Running, person: Person, visitor: Visitor) -> None:
    user = person()
    here = visitor(house.url, user=user, java_script_enabled=False)
    page = here.page
    here.expects("404 (Not Found)")
    for place in places_of(house.url, user)[::4]:  # the others are the same page as with a script
        here.open(place)
        expect(page.locator("h1")).to_have_count(1)
        assert page.locator("main").inner_text().strip(), place

    typed, content = SOUGHT
    here.open("/")
    page.locator("#q").fill(typed)
    here.press("page.memory.search.button")
    expect(page.locator("#results .card.item").first).to_contain_text(content)
    here.open("/")
    page.locator("details.filters > summary").click()
    here.field("page.memory.type").select_option("insight")
    here.press("page.memory.filters.button")
    expect(page).to_have_url(re.compile("type=insight"))
    expect(page.locator(".pills .chip")).to_have_count(1)

    first, right = NEW
    here.open("/add")
    here.field("page.add.content").fill(first)
    here.press("page.add.button")
    here.says("page.done.added")
    here.press("page.item.correct")
    here.field("page.item.correct.new").fill(right)
    here.press("page.item.correct.button")
    expect(page.locator("h1")).to_have_text(right)
    here.press("page.item.delete")
    here.says("page.done.deleted")
    assert right not in {item["content"] for item in items_of(house.url, user)}
    here.press("page.undo")
    assert right in {item["content"] for item in items_of(house.url, user)}
    unsure = next(item for item in items_of(house.url, user) if not item["validated"] and not item["needs_resolution"])
    here.open(f"/item/{unsure['id']}")
    here.press("page.item.confirm")
    here.says("page.done.confirmed")
    here.open("/questions")
    here.press("page.questions.both")
    here.says("page.questions.empty")
    here.press("page.undo")
    expect(page.locator(".case .claim")).to_have_count(2)
    here.open("/talk")
    page.locator("#said").fill(right)
    here.press("page.talk.send")
    expect(page.locator(".bubble")).to_have_text(right)
    page.locator("button.language").click()
    expect(page.locator("html")).not_to_have_attribute("lang", re.compile("^pt"))
