"""How the page behaves in a browser: nothing jumps, back leads back, focus goes on, and no answer empties it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from acceptance.served import Running
from browser.browsing import PHONE, Visitor, Watched, items_of, posted, told

MANY, PAGE = 170, 50
NEAR = 3
"""Pixels a place may differ by."""
AREAS = ("health", "finance", "relationships", "career", "growth", "leisure", "spirituality", "mental_health")
MOST_BYTES = 300_000
SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
"""The sum browsers call cumulative layout shift: what moved though nobody touched anything just before."""
NEW = "Coleciona selos da Islândia"


@pytest.fixture(scope="module")
def baker(house: Running) -> str:
    """Somebody of whom much is known."""
    words = (f"Bread number {n} was baked with rye" for n in range(MANY))
    told(house.url, "baker", *({"content": one, "area": "leisure", "source": "import"} for one in words))
    return "baker"


def at(page: Page) -> float:
    return float(page.evaluate("scrollY"))


def steps(page: Page) -> int:
    return int(page.evaluate("history.length"))


def shown(page: Page) -> int:
    return page.locator("#results .card.item").count()


def focused(page: Page) -> str:
    """The heading or row that has the focus, by its text or id."""
    return str(page.evaluate("(e => e.closest('article')?.id || e.id || e.textContent)(document.activeElement)"))


def more(here: Watched) -> None:
    before = shown(here.page)
    here.button("page.show_more").click()
    expect(here.page.locator("#results .card.item")).not_to_have_count(before)
    here.settle()


def test_the_reader_stays_where_they_act_and_comes_back_to_where_they_were(
    house: Running, baker: str, visitor: Visitor
) -> None:
    here = visitor(house.url, user=baker, viewport=PHONE)
    page = here.open("/?view=list")
    more(here)
    first_new = page.locator("#results .card.item").nth(PAGE).get_attribute("id")
    assert focused(page) == first_new
    page.keyboard.press("j")
    assert focused(page) == page.locator("#results .card.item").nth(PAGE + 1).get_attribute("id")
    more(here)
    assert shown(page) == 3 * PAGE
    assert "rows=150" in page.url

    card = page.locator("#results .card.item").nth(120)
    id = card.get_attribute("id")
    card.scroll_into_view_if_needed()
    place, before = at(page), steps(page)
    card.locator("button.confirm").click()
    here.says("page.done.confirmed")
    assert (shown(page), steps(page), focused(page)) == (3 * PAGE, before, id)
    assert abs(at(page) - place) <= NEAR
    here.press("page.undo")
    here.says("page.done.undone")
    assert (shown(page), steps(page), focused(page)) == (3 * PAGE, before, id)
    assert abs(at(page) - place) <= NEAR

    card.locator("h3 a").click()
    expect(page).to_have_url(re.compile("/item/"))
    here.settle()
    assert at(page) == 0
    assert focused(page) == page.locator("h1").inner_text()
    before = steps(page)
    here.press("page.item.delete")
    here.press("page.undo")
    assert steps(page) == before
    page.go_back()
    expect(page.locator("#results .card.item")).to_have_count(3 * PAGE)
    assert abs(at(page) - place) <= NEAR
    page.reload()
    assert shown(page) == 3 * PAGE
    assert abs(at(page) - place) <= NEAR

    here.open("/")
    page.locator(".panel footer a").scroll_into_view_if_needed()
    page.locator(".panel footer a").click()
    expect(page).to_have_url(re.compile("area=leisure"))
    here.settle()
    assert at(page) == 0


def test_what_is_clicked_after_a_search_has_its_own_address_and_typing_fills_no_history(
    house: Running, reader: str, visitor: Visitor
) -> None:
    here = visitor(house.url, user=reader, allowed=("htmx:",))  # it tells of searches given up for later ones
    page = here.open("/")
    before = steps(page)
    page.locator("#q").press_sequentially("vegetariana", delay=300)  # slower than it is waited for
    expect(page).to_have_url(re.compile("q=vegetariana$"))
    here.settle()
    assert steps(page) == before
    expect(page.locator("#q")).to_be_focused()
    page.locator("#results .card.item h3 a").first.click()
    expect(page).to_have_url(re.compile("/item/[^?]*$"))
    here.settle()
    assert page.title().split(" · ")[0] != here.t("page.memory")
    page.go_back()
    expect(page).to_have_url(re.compile("q=vegetariana$"))
    expect(page.locator("html.script #q")).to_have_value("vegetariana")  # the page is there, and what it does
    here.settle()
    page.locator("#q").press_sequentially("a")
    page.locator("nav.places a[href='/history']").first.click()
    expect(page).to_have_url(f"{house.url}/history")
    expect(page.locator("h1")).to_have_text(here.t("page.history"))
    here.open("/?area=health")
    page.locator("#q").press_sequentially("a")
    page.locator("#a-all").click()
    here.settle()
    expect(page.locator("#a-all")).to_have_attribute("aria-current", "true")
    assert "area=" not in page.url

    known = items_of(house.url, reader)
    here.open("/?view=list")
    page.get_by_text(here.t("page.memory.filters"), exact=True).first.click()
    here.field("page.memory.type").select_option("insight")
    expect(page).to_have_url(re.compile("type=insight"))
    here.settle()
    cards = "cards => cards.map(card => card.id)"
    found = page.locator("#results .card.item").evaluate_all(cards)
    assert set(found) == {f"i-{item['id']}" for item in known if item["type"] == "insight"}
    page.locator(".pills .chip").click()
    here.settle()
    assert "type=" not in page.url
    here.field("page.memory.order").select_option("oldest")
    expect(page).to_have_url(re.compile("order=oldest"))
    here.settle()
    oldest = [f"i-{item['id']}" for item in items_of(house.url, reader, order="oldest")]
    assert page.locator("#results .card.item").evaluate_all(cards) == oldest


def test_an_answer_that_is_none_leaves_the_page_as_it_is_and_says_so(
    house: Running, baker: str, visitor: Visitor
) -> None:
    here = visitor(house.url, user=baker)
    page, t = here.page, here.t
    for said in ("429", "500", "404", "ERR_INTERNET_DISCONNECTED", "htmx:"):
        here.expects(said)
    here.open("/?view=list")
    toast = page.locator(".toast.kept")

    def answers(status: int) -> None:
        page.route("**/?*", lambda route: route.fulfill(status=status, body="{}"))

    answers(500)
    here.button("page.show_more").click()
    expect(toast).to_contain_text(t("page.failed"))
    assert shown(page) == PAGE
    page.unroute("**/?*")
    toast.get_by_role("button", name=t("page.again"), exact=True).click()
    expect(page.locator("#results .card.item")).to_have_count(2 * PAGE)
    expect(toast).to_have_count(0)

    answers(429)
    page.locator("#q").fill("rye")
    expect(toast).to_be_visible()
    assert shown(page) == 2 * PAGE
    page.unroute("**/?*")
    page.locator("#q").fill("number")
    expect(toast).to_have_count(0)
    expect(page).to_have_url(re.compile("q=number"))

    page.context.set_offline(True)
    page.locator("nav.places a[href='/history']").first.click()
    expect(toast).to_contain_text(t("page.offline"))
    assert shown(page) > 0
    page.context.set_offline(False)
    toast.get_by_role("button").click()
    expect(page).to_have_url(f"{house.url}/history")
    expect(page.locator("h1")).to_have_text(t("page.history"))


def test_a_page_that_waits_for_work_nobody_knows_of_any_more_says_so(house: Running, visitor: Visitor) -> None:
    here = visitor(house.url, user="waits")
    here.expects("404")
    page = here.page
    waiting = '<section id="errand" hx-get="/progress/gone" hx-trigger="every 1s" hx-select="#errand"></section>'

    def put(route: Route) -> None:
        body = route.fetch().text()
        route.fulfill(body=body.replace("</main>", f"{waiting}</main>"), content_type="text/html")

    page.route("**/settings/data", put)
    here.open("/settings/data")
    expect(page).to_have_url(re.compile("/progress/gone"))
    here.says("page.job.gone.what")


def test_what_was_typed_stays_where_the_item_changed_or_is_gone(house: Running, visitor: Visitor) -> None:
    (id,) = told(house.url, "types", {"content": "The oven is new"})
    here = visitor(house.url, user="types", allowed=("404", "409 (Conflict)"))
    page, box = here.open(f"/item/{id}/correct"), here.field("page.item.correct.new")
    posted(house.url, f"knowledge/{id}/keep_local", user="types")
    box.fill("The oven is old")
    here.press("page.item.correct.button")
    here.says("page.item.stale")
    expect(box).to_have_value("The oven is old")
    posted(house.url, "forget", user="types", item=id)
    here.press("page.item.correct.button")
    expect(page.locator(".toast.kept")).to_be_visible()
    expect(box).to_have_value("The oven is old")
    assert page.url.endswith("/correct")


def test_something_new_is_added_and_what_is_known_already_is_shown_while_typing(
    house: Running, visitor: Visitor
) -> None:
    told(house.url, "adds", {"content": NEW})
    here = visitor(house.url, user="adds")
    page = here.open("/")
    page.keyboard.press("n")
    box = here.field("page.add.content")
    expect(box).to_be_focused()
    box.press_sequentially(NEW, delay=5)
    expect(page.locator("#near a")).to_have_text(NEW)
    box.fill(NEW + " & <Faroe>")
    page.locator(".area-card.leisure").click()
    here.field("page.add.type").select_option("preference")
    here.press("page.add.button")
    here.says("page.done.added")
    expect(page.locator("h1")).to_have_text(NEW + " & <Faroe>")
    kept = next(item for item in items_of(house.url, "adds") if "Faroe" in item["content"])
    assert (kept["area"], kept["type"]) == ("leisure", "preference")


def test_the_first_page_is_light_and_nothing_on_it_moves(house: Running, visitor: Visitor) -> None:
    many = ({"content": f"Item {n}, número {n % 17} de muitos", "area": AREAS[n % len(AREAS)]} for n in range(300))
    told(house.url, "large", *many)
    here = visitor(house.url, user="large")
    page, sent = here.page, list[float]()
    page.add_init_script(SHIFTS)
    network = page.context.new_cdp_session(page)
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
    more(here)
    assert round(page.evaluate("window.shifted"), 3) == 0


def test_lists_are_walked_and_menus_closed_by_keyboard(house: Running, reader: str, visitor: Visitor) -> None:
    here = visitor(house.url, user=reader, viewport=PHONE)
    page = here.page
    inside = "document.activeElement.closest('main article, main li') !== null"
    paths = (
        "/questions",
        "/history",
        "/talk/recall?q=Porto",
        "/profile?see=habits",
        "/settings/nights",
        "/history/day",
    )
    for path in paths:
        here.open(path)
        page.locator("main article, main li").first.wait_for()  # what takes long is shown when it is there
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("j")
        assert page.evaluate(inside), path
        first = page.evaluate("document.activeElement.closest('main article, main li').innerText")
        page.keyboard.press("j")
        page.keyboard.press("k")
        assert page.evaluate("document.activeElement.closest('main article, main li').innerText") == first, path
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("Escape")
    page.locator("details.choose > summary").click()
    page.locator("details.choose").locator("a, input").first.focus()
    page.keyboard.press("Escape")
    expect(page.locator("details.choose[open]")).to_have_count(0)
    expect(page.locator("details.choose > summary")).to_be_focused()
    page.locator("nav.places a[href='/questions']").first.click()
    expect(page.locator("h1")).to_be_focused()
