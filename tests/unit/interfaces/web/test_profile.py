"""The profile: the compact memory with its size, six sections with sources, people with birthdays, traits, insights."""

from __future__ import annotations

from houses import House
from relembra.locale import Words
from web_pages import Reader

EN, PT = Words("en", "web", "names"), Words("pt", "web", "names")


async def told(house: House, *sentences: str) -> None:
    for sentence in sentences:
        await house.memory.save(user="ana", said=sentence)
    await house.memory.learn(user="ana")


async def test_who_somebody_is_in_six_sections_and_their_people_with_birthdays(house: House, reader: Reader) -> None:
    await told(house, "Moro no Porto. Adoro jazz.", "Minha irmã se chama Clara e faz aniversário em 27 de novembro.")
    await told(house, "Tenho uma gata chamada Nina.")
    page = await reader.get("/profile")
    assert len([tag for tag, given in page.tags if tag == "section" and "shelf" in given["class"].split()]) == 6
    assert {f"/item/{item.id}" for item in await house.memory.list(user="ana")} & set(page.links)
    people = await reader.get("/profile", see="people")
    for said in ("Clara", "27", "Nina", EN("page.profile.people.pet")):
        assert said in people.text


async def test_traits_with_how_sure_and_how_often_and_insights_to_judge(house: House, reader: Reader) -> None:
    for ago in range(4):
        await told(house, "Tenho medo de avião. Estou ansiosa com o trabalho.")
        house.clock.move(days=7 if ago < 3 else 1)
    await house.memory.find_insights(user="ana")
    insights = await house.memory.insights(user="ana")
    assert insights
    page = await reader.get("/profile", see="habits")
    for said in ("% sure", "noticed 4 times", "feeling"):
        assert said in page.text
    for item in insights:
        assert page.text.count(item.content) == 1
        assert f"/item/{item.id}" in page.links
        assert {f"/item/{item.id}/confirm", f"/item/{item.id}/delete"} <= set(page.forms)
