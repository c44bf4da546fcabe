"""A browser's console on every page: nothing is complained of, neither by the content policy nor by anything else."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, Watched
from relembra.interfaces.web.pages import MOVED, pages

WORKING = ("/story", "/progress/")  # shown while something is under way
FILES = ("/export/file", "/note/{id}/file")
OTHERS = ("/docs", "/openapi.json", "/healthz", "/v1/knowledge?user=x", "/static/icons.svg", "/favicon.ico")
DEEDS = ("archive", "confirm", "delete", "local", "recover", "restore", "shared")  # forms; reloaded, they lead back
VIOLATED = "document.addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective))"


NOTE, PICTURE = "/note/{id}", "/note/{id}/picture/{name}"
NIGHT, ROLLBACK = "/settings/nights/{id}", "/settings/nights/{id}/rollback"


def routes() -> set[str]:
    """The pages a visitor may come to by a link."""
    found = {page.path for page in pages() if page.method == "GET"}
    return {path for path in found if not path.startswith(WORKING) and path not in (*FILES, *MOVED)}


def route_of(address: str) -> str | None:
    """Which page an address is of, by its longest pattern."""
    path = address.partition("?")[0].partition("#")[0]
    fits = [route for route in routes() if re.fullmatch(re.sub(r"{\w+(:path)?}", "[^/]+", route), path)]
    return min(fits, key=lambda route: route.count("{"), default=None)


def links(here: Watched) -> list[str]:
    """Where a page leads to, and the pictures it shows."""
    script = "all => all.map(one => one.getAttribute('href') ?? one.getAttribute('src'))"
    found: list[str] = here.page.eval_on_selector_all("a[href^='/'], img[src^='/note/']", script)
    items = [address.partition("#")[0] for address in found if address.startswith("/item/")]
    return found + [f"{item}/{deed}" for item in items[:1] for deed in DEEDS]


def test_no_page_gives_the_browser_anything_to_complain_of(house: Running, visitor: Visitor, person: Person) -> None:
    here = visitor(house.url, user=person("en"))
    here.page.add_init_script(VIOLATED)
    waiting = [route for route in sorted(routes()) if "{" not in route]
    left = routes()
    while waiting and left:
        address = waiting.pop(0)
        route = route_of(address)
        # not every note has a picture, nor every night something to take back
        wanted = (route == NOTE and PICTURE in left) or (route == NIGHT and ROLLBACK in left)
        if route not in left and not wanted:
            continue
        left.discard(str(route))
        here.open(address).wait_for_load_state("load")
        waiting += links(here)
    assert left == set()
    for address in OTHERS:
        answer = here.page.goto(house.url + address)
        assert answer is not None
        assert answer.status == 200, address


def test_going_from_page_to_page_gives_the_browser_nothing_to_complain_of(
    house: Running, visitor: Visitor, person: Person, language: str
) -> None:
    here = visitor(house.url, language=language, user=person(language))
    here.page.add_init_script(VIOLATED)
    here.open("/")
    for place in ("questions", "profile", "history", "talk", "settings", ""):
        here.page.locator(f"nav.places a[href='/{place}']").first.click()
        current = here.page.locator("nav.places a[aria-current=page]").first
        expect(current).to_contain_text(here.t(f"page.{place or 'memory'}"))
        here.settle()
