"""A large memory in a browser: little is sent for the first page, and nothing on it moves."""

from __future__ import annotations

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Visitor, told

ITEMS = 300
AREAS = ("health", "finance", "relationships", "career", "growth", "leisure", "spirituality", "mental_health")
MOST_BYTES = 300_000
SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
"""The sum browsers call cumulative layout shift: what moved though nobody touched anything just before."""


def test_the_first_page_is_light_and_nothing_on_it_moves(house: Running, visitor: Visitor) -> None:
    user = "large"
    told(
        house.url,
        user,
        *(
            {"content": f"Item {n} of a long list, número {n % 17} de muitos", "area": AREAS[n % len(AREAS)]}
            for n in range(ITEMS)
        ),
    )
    here = visitor(house.url, user=user)
    page = here.page
    page.add_init_script(SHIFTS)
    network = page.context.new_cdp_session(page)
    sent: list[float] = []
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    page.goto(f"{house.url}/", wait_until="networkidle")
    assert len(sent) >= 4  # the page, its style, its script, its icons
    assert sum(sent) < MOST_BYTES

    page.locator("#q").press_sequentially("número 5")
    here.says("page.memory.found")
    here.settle()
    assert round(page.evaluate("window.shifted"), 3) == 0
    here.open("/?view=list")
    shown = page.locator("#results .card.item").count()
    here.button("page.show_more").click()
    expect(page.locator("#results .card.item")).not_to_have_count(shown)
    here.settle()
    assert round(page.evaluate("window.shifted"), 3) == 0
