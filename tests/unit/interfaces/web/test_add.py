"""Adding something: what is kept, what is asked again without losing a word, and what was known already."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from houses import House
from web_pages import a_reader, seen

SCRIPT = '"><script>alert("x")</script>'


@pytest.mark.parametrize(("language", "said"), [("en", "Added."), ("pt", "Adicionado.")])
async def test_what_is_added_is_certain_and_can_be_taken_back(house: House, language: str, said: str) -> None:
    async with a_reader(house, language=language) as reader:
        page = await reader.done("/add", content="Sou alérgica a camarão", area="health", type="fact")
        assert said in page.text
        [item] = await house.memory.list(user="ana")
        assert (item.content, item.area, item.validated) == ("Sou alérgica a camarão", "health", True)
        assert item.source == "user_input"
        assert f"/item/{item.id}" in page.forms["/undo"]["back"]


async def test_everything_that_may_be_said_about_it_is_kept(house: House) -> None:
    async with a_reader(house) as reader:
        reader.client.cookies.clear()
        reader.client.cookies.set("relembra_looks", "user=ana&zone=America%2FSao_Paulo")
        await reader.done(
            "/add",
            content="Davi mora em Olinda",
            type="person",
            area="relationships",
            held_from="2024-05-03",
            subject="Davi",
            attribute="residence",
            value="Olinda",
            tags="irmão, casa ,, família",
            local="1",
        )
        [item] = await house.memory.list(user="ana")
        assert (item.subject, item.attribute, item.value) == ("Davi", "residence", "Olinda")
        assert item.tags == ("irmão", "casa", "família")
        assert item.held_from == datetime(2024, 5, 3, 3, tzinfo=UTC)
        assert item.local_only


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"content": " "}, "Falta o texto"),
        ({"held_from": "ontem"}, "Não foi possível entender a data. Escreva como 2026-03-31."),
        ({"area": "nowhere"}, "Essa área não existe"),
        ({"type": "nothing"}, "Esse tipo não existe"),
        ({"tags": "a\x01b"}, "só cabem letras que se possam ver"),
    ],
)
async def test_what_cannot_be_kept_is_asked_again_and_nothing_typed_is_lost(
    house: House, wrong: dict[str, str], said: str
) -> None:
    typed = {"content": "Mora em Olinda", "subject": "Davi", "value": "Olinda", "tags": "casa", "local": "1"}
    async with a_reader(house, language="pt") as reader:
        answer = await reader.post("/add", **{**typed, **wrong})
        page = seen(answer)
        assert answer.status_code == 422
        assert said.casefold() in page.text.casefold()
        kept = {name: value for name, value in typed.items() if name not in wrong and name != "content"}
        assert kept.items() <= page.forms["/add"].items()
        assert "content" in wrong or "Mora em Olinda" in page.text
        assert await house.memory.list(user="ana") == []


@pytest.mark.parametrize(("language", "said"), [("en", "may already have this"), ("pt", "Talvez você já tenha isto")])
async def test_what_is_known_already_is_shown_while_typing(house: House, language: str, said: str) -> None:
    item = await house.memory.add("Prefere café sem açúcar", user="ana")
    async with a_reader(house, language=language) as reader:
        near = await reader.get("/add", content="Prefere café sem açúcar")
        assert said in near.text
        assert f"/item/{item.id}" in near.links
        far = await reader.get("/add", content="zzzz qqqq wwww")
        assert said not in far.text


async def test_a_form_pressed_twice_adds_once(house: House) -> None:
    async with a_reader(house) as reader:
        form = (await reader.get("/add")).forms["/add"]
        typed = {"content": "Mora em Olinda", "once": form["once"]}
        first, second = await asyncio.gather(reader.post("/add", **typed), reader.post("/add", **typed))
        third = await reader.post("/add", **typed)
        [item] = await house.memory.list(user="ana")
        leads = {answer.headers["location"].partition("?")[0] for answer in (first, second, third)}
        assert leads == {f"/item/{item.id}"}


async def test_a_form_gone_back_to_adds_what_is_new_in_it(house: House) -> None:
    async with a_reader(house) as reader:
        once = (await reader.get("/add")).forms["/add"]["once"]
        await reader.done("/add", content="Mora em Olinda", once=once)
        await reader.done("/add", content="Tem um gato", once=once)
        held = {item.content: item.id for item in await house.memory.list(user="ana")}
        assert set(held) == {"Mora em Olinda", "Tem um gato"}
        await house.memory.delete(held["Tem um gato"], user="ana")
        await reader.done("/add", content="Tem um gato", once=once)
        assert "Tem um gato" in [item.content for item in await house.memory.list(user="ana")]
