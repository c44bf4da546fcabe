"""Time in a browser: what happened when, pictures of it, a graph that is walked, and the memory of another day."""

from __future__ import annotations

from datetime import date, timedelta

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, items_of, today

MOVED = ("Mora no Porto", "Mora no Recife")


def test_time_is_told_and_gone_back_to(house: Running, person: Person, visitor: Visitor) -> None:
    user = person()
    here = visitor(house.url, user=user)
    page = here.page
    here.open("/history")
    expect(page.locator(".happening").first).to_be_visible()
    assert page.locator(".happening a[href^='/note/']").count() > 5
    assert page.locator(".happening a[href^='/item/']").count() > 0
    day = today() - timedelta(days=3)
    here.field("page.history.from").fill(day.isoformat())
    here.field("page.history.to").fill(day.isoformat())
    here.press("page.history.show")
    shown = page.locator(".that-day h3 time").evaluate_all("days => days.map(day => day.dateTime)")
    assert set(shown) == {day.isoformat()}

    now, before = MOVED
    moved = next(item for item in items_of(house.url, user) if item["content"] == now)
    here.open(f"/history/day?on={(date.fromisoformat(moved['held_from'][:10]) - timedelta(days=2)).isoformat()}")
    known = page.locator(".card.item", has_text=before)
    expect(known.first).to_be_visible()
    expect(known.first.locator(".fate")).to_be_visible()
    expect(known.first.locator(".became a")).to_have_text(now)
    expect(page.locator(".card.item h3", has_text=now)).to_have_count(0)
    page.locator("#on").fill(today().isoformat())
    here.press("page.history.go")
    expect(page.locator(".card.item h3", has_text=now).first).to_be_visible()
