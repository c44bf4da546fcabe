"""The profile: the compact memory with its size, six sections with sources, people with birthdays, traits, insights."""

from __future__ import annotations

from builders import NOW, an_item
from houses import House
from loops import each
from relembra.domain.attributes import Section
from relembra.domain.knowledge import Source
from relembra.interfaces.web.profile import FIRST_LINES, LINES_A_PAGE, apart_from, kind_of, origin
from relembra.learn.drafts import Draft
from relembra.locale import Words
from relembra.recall.rendering import SECTION_TITLES
from relembra.views.profile import cognitive_profile
from web_pages import Reader, a_reader, seen

EN, PT = Words("en", "web", "names"), Words("pt", "web", "names")


async def told(house: House, *sentences: str) -> None:
    for sentence in sentences:
        await house.memory.save(user="ana", said=sentence)
    await house.memory.learn(user="ana")


@each([
    ("en", ("Summary", "of 800 tokens", "version 1", "in Portuguese", "Lives in", "Bio", "said by you")),
    ("pt", ("Resumo", "de 800 tokens", "versão 1", "em português", "Mora em", "Biografia", "dito por")),
])  # fmt: skip
async def test_the_compact_memory_and_six_sections_with_their_sources(
    language: str, words: tuple[str, ...], house: House
) -> None:
    await told(house, "Moro em Recife.", "Sou alérgica a amendoim.", "Falo inglês.")
    made = await house.memory.me(user="ana")
    profile = await house.memory.profile(user="ana")
    async with a_reader(house, language=language) as reader:
        page = await reader.get("/profile")
    for word in (*words, "Recife", "Fala inglês", *SECTION_TITLES[language].values()):
        assert word in page.text
    assert str(house.memory._tokens.count(made.text)) in page.text
    for line in (*profile.bio, *profile.skills):
        assert {f"/item/{line.item_id}", f"/note/{line.note_id}"} <= set(page.links)
        assert (line.note_title or "?") in page.text
    assert sum(tag == "section" and "shelf" in given.get("class", "") for tag, given in page.tags) == len(Section)


async def test_of_an_empty_memory_each_part_says_what_would_stand_there(house: House) -> None:
    async with a_reader(house, language="pt") as reader:
        page = await reader.get("/profile")
        for word in ("Ainda sem resumo", "Nada ainda: do que você gosta e do que não gosta.", "Ninguém ainda: família"):
            assert word in page.text
        assert "Clara" in (await reader.get("/profile", see="people")).text  # as an example
        habits = (await reader.get("/profile", see="habits")).text
        assert PT("page.profile.traits.empty") in habits
        assert PT("page.profile.insights.empty") in habits
        for section in Section:
            assert SECTION_TITLES["pt"][section] in (await reader.get("/profile", see=section)).text


async def test_a_long_section_shows_its_first_lines_and_pages_the_rest(house: House, reader: Reader) -> None:
    number = LINES_A_PAGE + 5
    await house.memory.add_many(
        [Draft(content=f"Sabe a coisa {n:03}.", attribute="skill", value=f"c{n}") for n in range(number)], user="ana"
    )
    doubted = [
        await house.memory.add(f"Tem {value}.", user="ana", attribute="blood_type", value=value, by="program:app")
        for value in ("O+", "A-")
    ][-1]
    page = await reader.get("/profile")
    assert f"See all {number}" in page.text
    patterns = len((await house.memory.me(user="ana")).learnt_patterns)
    assert page.text.count("Sabe a coisa") - 2 * patterns == FIRST_LINES
    assert f"/questions/{doubted.id}" in page.links
    assert "added by you" in page.text
    page = await reader.get("/profile", see="skills")
    first = {link for link in page.links if link.startswith("/item/")}
    (following,) = {link for link in page.links if "from=" in link}
    rest = seen(await reader.client.get(following))
    second = {link for link in rest.links if link.startswith("/item/")}
    assert (len(first), len(second), len(first | second)) == (LINES_A_PAGE, 5, number)
    assert not [link for link in rest.links if "from=" in link]
    for odd in ("-1", "x", "9" * 30, "²"):
        assert (await reader.answer("/profile", see="skills", **{"from": odd})).status_code == 200


async def test_people_with_their_tie_birthday_and_what_is_known(house: House, reader: Reader) -> None:
    house.clock.now = NOW.replace(year=2026, month=11, day=16)
    await told(house, "Minha irmã se chama Clara e faz aniversário em 27 de novembro de 1994. Ela é médica.")
    await told(house, "Tenho um cachorro chamado Pipoca.")
    clara = next(one for one in await house.memory.people(user="ana") if one.name == "Clara")
    page = await reader.get("/profile", see="people")
    for word in (*("irmã", "Nov 27, 1994", "pet", "Clara", "Clara é médica", "Pipoca"),):
        assert word in page.text
    assert {f"/item/{item.id}" for item in clara.items} <= set(page.links)


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
    assert kind_of(PT, left) == "gosta"
    assert {kind_of(EN, trait) for trait in traits} == {"pattern", "likes"}
