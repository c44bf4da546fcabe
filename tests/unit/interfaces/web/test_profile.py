"""The profile: the compact memory with its size, six sections with sources, people with birthdays, traits, insights."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from builders import NOW, an_id, an_item
from houses import House
from loops import each
from relembra.domain.attributes import Section
from relembra.domain.knowledge import Source
from relembra.interfaces.web.profile import (
    FIRST_LINES,
    LINES_A_PAGE,
    acquaintance,
    apart_from,
    birthday,
    kind_of,
    origin,
    soon,
)
from relembra.learn.drafts import Draft
from relembra.locale import Words
from relembra.recall.rendering import SECTION_TITLES
from relembra.views.people import people
from relembra.views.profile import cognitive_profile
from relembra.views.timeline import Birthday
from web_pages import Reader, a_reader, seen

EN, PT = Words("en", "web", "names"), Words("pt", "web", "names")
TODAY = date(2026, 11, 16)


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
        ways = (await reader.get("/profile", see="ways")).text
        assert PT("page.profile.traits.empty") in ways
        assert PT("page.profile.insights.empty") in ways
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
    for word in (
        *("irmã", "31 years old", "Nov 27, 1994", "turns 32 in", "pet", "Next birthdays"),
        *("Clara", "Clara é médica", "Pipoca"),
    ):
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
    (Birthday(11, 27, 1994), "Nov 27, 1994", "31 years old", "turns 32 in 11 days"),
    (Birthday(11, 16, 2025), "Nov 16, 2025", "1 year old", "turns 1 today!"),
    (Birthday(11, 17), "Nov 17", "", "tomorrow"),
    (Birthday(11, 15), "Nov 15", "", "in 364 days"),
    (Birthday(2, 29, 2000), "Feb 29, 2000", "26 years old", "turns 27 in 105 days"),
    (Birthday(1, 1, 1700), "Jan 1, 1700", "", "in 46 days"),
])  # fmt: skip
def test_a_birthday_as_it_is_said_today(born: Birthday, text: str, age: str, coming: str) -> None:
    day = birthday(EN, born, TODAY)
    assert (day.text, day.age, day.coming) == (text, age, coming)


def test_whose_birthday_comes_first_is_told_first() -> None:
    def one(name: str, day: str) -> list[object]:
        return [an_item(subject=name, attribute="birthday", value=day, content=f"{name}: {day}", language="pt")]

    items = [*one("Ana", "1990-12-24"), *one("Bia", "1990-11-20"), *one("Caio", "1990-06-01")]
    found = soon(PT, people(items, now=NOW), TODAY)  # type: ignore[arg-type]
    assert [(person.name, day.coming) for person, day in found] == [
        ("Bia", "faz 36 em 4 dias"),
        ("Ana", "faz 36 em 38 dias"),
    ]


def test_tie_and_birthday_stand_apart_from_what_else_is_known() -> None:
    tie = an_item(subject="Clara", attribute="relation", value="irmã", content="Clara é a irmã")
    born = an_item(subject="Clara", attribute="birthday", value="1994-11-27", content="Nasceu em 27/11/1994")
    work = an_item(subject="Clara", attribute="occupation", value="médica", content="Clara é médica")
    noted = replace(tie, id=an_id(), person={"name": "Clara", "phone": "1234"}, attribute=None)
    (person,) = people([tie, born, work, noted], now=NOW)
    shown = acquaintance(PT, person, TODAY)
    assert shown.tie is not None
    assert shown.tie.id == tie.id
    assert shown.born is born
    assert work in shown.known
    assert born not in shown.known
    assert tie not in shown.known
    assert shown.noted == ("phone: 1234",)


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
