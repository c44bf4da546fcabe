"""An empty memory in a browser: the story, an export or a first word, each one click away."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Visitor, items_of, told

KEPT = "Cria abelhas"


def test_an_empty_memory_offers_three_ways_to_begin_and_the_story_can_be_taken_out_again(
    house: Running, visitor: Visitor, story: bytes
) -> None:
    user = "first"
    here = visitor(house.url, user=user)
    page = here.page
    here.open("/")
    here.says("page.welcome.hello")
    expect(page.locator(".way")).to_have_count(3)
    here.press("page.welcome.talk.button")
    expect(page.locator("#said")).to_be_focused()

    here.open("/")
    page.locator("#welcome-file").set_input_files({"name": "ana.json", "mimeType": "application/json", "buffer": story})
    here.says("page.import.came")
    here.press("page.import.see")
    here.says("page.welcome.notice")
    assert len(items_of(house.url, user)) > 10
    here.press("page.welcome.remove")
    here.says("page.done.story_removed")
    assert items_of(house.url, user, history=True, deleted=True) == []

    told(house.url, user, {"content": KEPT})
    here.open("/welcome")
    here.press("page.welcome.story.button")
    here.says("page.welcome.sure.what")
    here.press("page.welcome.sure.button")
    expect(page).to_have_url(re.compile("/progress/"))
    expect(page.locator("progress")).to_be_visible()
    here.says("page.done.story")
    expect(page.locator("section.panel").first).to_be_visible()
    here.press("page.welcome.remove")
    here.says("page.done.story_removed")
    assert [item["content"] for item in items_of(house.url, user)] == [KEPT]


def test_what_to_tell_a_program_can_be_copied_by_hand(house: Running, visitor: Visitor) -> None:
    here = visitor(house.url, user="connecting")
    here.page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page = here.open("/")
    here.says("page.connect.what")
    button = page.locator("[data-copy=connect-mcp]")
    button.click()
    expect(button).to_have_text(here.t("page.chosen"))
    chosen = page.evaluate("(e => e.value.slice(e.selectionStart, e.selectionEnd))(document.activeElement)")
    assert f"{house.url}/mcp" in chosen
