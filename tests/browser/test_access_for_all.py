"""Every page can be read by everybody: axe finds nothing grave, in both schemes, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import axe_playwright_python  # type: ignore[import-untyped]  # it has no stubs
import pytest
from playwright.sync_api import Page

from acceptance.served import Running
from browser.browsing import DESK, PHONE, Person, Visitor, Watched, places_of

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
RUN = "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
OPEN_ALL = "for (const part of document.querySelectorAll('main details')) part.open = true"
GRAVE = ("serious", "critical")
Scheme = Literal["dark", "light"]


@pytest.mark.parametrize(("language", "scheme", "size"), [("pt", "light", DESK), ("en", "dark", PHONE)])
@pytest.mark.parametrize("half", [0, 1])
def test_axe_finds_nothing_grave_and_nothing_scrolls_sideways_on_any_page(
    house: Running, person: Person, visitor: Visitor, language: str, scheme: Scheme, size: dict[str, int], half: int
) -> None:
    """Half of the pages to a test, so that two workers share them."""
    user = person(language)
    seen = visitor(house.url, language=language, user=user, viewport=size, reduced_motion="reduce")
    seen.expects("404 (Not Found)")
    places = places_of(house.url, user)[half::2]
    found = {place: troubles for place in places if (troubles := _troubles(seen, place, scheme))}
    assert found == {}


def _troubles(seen: Watched, place: str, scheme: Scheme) -> list[str]:
    page = seen.page
    page.emulate_media(color_scheme=scheme)
    seen.open(place)
    page.evaluate(OPEN_ALL)
    wider = page.evaluate(WIDER)
    page.evaluate(AXE)
    return _violations(page) + ([f"{wider} px wider than the screen"] if wider > 0 else [])


def _violations(page: Page) -> list[str]:
    violations: list[dict[str, Any]] = page.evaluate(RUN)
    return [
        f"{one['impact']} {one['id']}: {node['target']} {node.get('failureSummary', '')[:200]}"
        for one in violations
        if one["impact"] in GRAVE
        for node in one["nodes"][:3]
    ]
