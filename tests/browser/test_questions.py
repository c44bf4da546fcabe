"""Contradictions decided in a browser, and the profile that says who somebody is."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from acceptance.served import Running
from browser.browsing import Person, Visitor, Watched, asked, items_of, said

SIDES = ("Tipo sanguíneo: O-", "Tipo sanguíneo: B+")
PETS = "Nina"
SISTER = "Minha irmã se chama Clara e faz aniversário em 27 de novembro."


def test_a_question_shows_both_sides_and_why_and_any_answer_can_be_taken_back(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    old, new = SIDES
    here = visitor(house.url, user=user)
    page, t = here.page, here.t
    here.open("/questions")
    claims = page.locator(".case .claim")
    expect(claims).to_have_count(2)
    for claim, content, which in zip(claims.all(), (old, new), ("earlier", "later"), strict=True):
        expect(claim.locator(".content")).to_have_text(content)
        expect(claim).to_contain_text(t(f"page.questions.{which}"))
        expect(claim.locator("time").first).to_be_visible()
        expect(claim.locator("a[href^='/note/'], blockquote").first).to_be_visible()
    page.get_by_text(t("page.questions.how")).click()
    expect(page.locator(".case details dl")).to_contain_text(t("page.questions.judged"))

    _answered(here, user, "page.questions.both", {old, new})
    _answered(here, user, "page.questions.neither", set())
    keep = page.get_by_role("button", name=t("page.questions.keep.what", content=new))
    keep.focus()
    page.keyboard.press("Enter")
    here.says("page.questions.empty")
    assert _held(house.url, user) == {new}
    page.get_by_role("link", name=t("page.questions.decided")).click()
    decided = page.locator(".case", has_text=new)
    expect(decided.locator(".claim.kept")).to_contain_text(new)
    expect(decided).to_contain_text(t("page.questions.settled.you"))
    here.press("page.questions.take_back", within=decided)
    assert {old, new} <= _held(house.url, user)
    assert len(asked(house.url, "conflicts", user=user, open_only=True)["items"]) == 1


def _answered(here: Watched, user: str, answer: str, held: set[str]) -> None:
    """Answer, see what it came to, and take it back."""
    here.press(answer)
    here.says("page.questions.empty")
    assert _held(here.url, user) == held
    here.press("page.undo")
    expect(here.page.locator(".case .claim")).to_have_count(2)
    assert _held(here.url, user) == set(SIDES)


def _held(url: str, user: str) -> set[str]:
    return {item["content"] for item in items_of(url, user)} & set(SIDES)


def test_the_profile_says_who_somebody_is_with_whom_and_how_each_with_its_source(
    house: Running, person: Person, visitor: Visitor
) -> None:
    user = person()
    said(house.url, user, SISTER)
    here = visitor(house.url, user=user)
    page, t = here.page, here.t
    here.open("/profile")
    expect(page.locator(".budget strong")).to_have_text(re.compile(r"\d+ .*\d+"))
    expect(page.locator(".portrait dt").first).to_be_visible()
    expect(page.locator("section.shelf")).to_have_count(6)
    source = page.locator("section.shelf li a[href^='/item/']").first
    told = source.inner_text()
    page.get_by_role("link", name=t("page.profile.see.people")).click()
    expect(page.locator(".person", has_text="Clara").locator(".birthday")).to_contain_text("27")
    expect(page.locator(".person", has_text=PETS).locator(".badge")).to_have_text(t("page.profile.people.pet"))
    page.get_by_role("link", name=t("page.profile.see.habits")).click()
    here.says("page.profile.traits")
    expect(page.locator(".insight h3").first).to_be_visible()
    for part in ("people", "who"):
        page.evaluate("history.back()")
        expect(page.get_by_role("link", name=t(f"page.profile.see.{part}"))).to_have_attribute("aria-current", "page")
    page.locator("section.shelf li a[href^='/item/']", has_text=told).first.click()
    expect(page.locator(".item-page")).to_be_visible()
