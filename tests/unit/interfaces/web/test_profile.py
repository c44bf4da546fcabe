"""The profile: the compact memory with its size, six sections with sources, people with birthdays, traits, insights."""

from __future__ import annotations

from builders import NOW, an_item
from houses import House
from loops import each
from relembra.domain.knowledge import Source
from relembra.interfaces.sentences import trait as named
from relembra.interfaces.web.profile import apart_from, origin
from relembra.locale import Words
from relembra.views.profile import cognitive_profile
from web_pages import Reader

EN, PT = Words("en", "web", "names"), Words("pt", "web", "names")


async def told(house: House, *sentences: str) -> None:
    for sentence in sentences:
        await house.memory.save(user="ana", said=sentence)
    await house.memory.learn(user="ana")


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


# ── shaping ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@each([
    ({"source": Source.CONVERSATION}, "dito por você"),
    ({"source": Source.CONVERSATION, "speaker": "ana"}, "dito por você"),
    ({"source": Source.CONVERSATION, "speaker": "Clara"}, "dito por Clara"),
    ({"source": Source.USER_INPUT}, "adicionado por você"),
    ({"source": Source.AI_INFERENCE}, "deduzido pelo assistente"),
    ({"source": Source.IMPORT}, "importado"),
])  # fmt: skip
def test_who_brought_something_in(changes: dict[str, object], said: str) -> None:
    assert origin(PT, an_item(**changes), "ana") == said


def test_a_trait_that_is_an_insight_is_told_once() -> None:
    insight = an_item(type="insight", content="Dorme melhor às segundas.")
    taste = an_item(type="preference", attribute="likes", value="café", content="Gosta de café.")
    traits = cognitive_profile([insight, taste], now=NOW)
    assert len(traits) == 2
    (left,) = apart_from([insight], traits)
    assert named(PT, left.key) == "gosta"
    assert {named(EN, trait.key) for trait in traits} == {"pattern", "likes"}
