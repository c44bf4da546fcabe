"""A form whose mark the browser lost: it is said in the reader's language, and nothing that was typed is lost."""

from __future__ import annotations

import pytest

from houses import House
from relembra.interfaces.web.visits import FORM
from web_pages import Reader, a_reader, seen

HERE = {"origin": "http://localhost:8484"}
LANGUAGES = pytest.mark.parametrize(
    ("language", "said", "again"),
    [
        ("en", "This form has expired, so nothing was done.", "Send again"),
        ("pt", "Este formulário expirou, então nada foi feito.", "Enviar de novo"),
    ],
)


async def known(house: House) -> list[str]:
    return [item.content for item in await house.memory.list(user="ana")]


@LANGUAGES
async def test_what_was_typed_comes_back_in_a_form_that_is_good(
    house: House, language: str, said: str, again: str
) -> None:
    async with a_reader(house, language=language) as reader:
        typed = {"content": "Mora em Olinda", "area": "leisure", "form": "of another visit"}
        answer = await reader.client.post("/add", data=typed, headers=HERE)
        page = seen(answer)
        assert answer.status_code == 422
        assert said in page.text
        assert again in page.text
        assert "em inglês" not in page.text
        assert "Mora em Olinda" in page.text
        assert await known(house) == []

        held = page.forms["/add"]
        assert held["form"] == reader.client.cookies[FORM]
        sent = held | {"content": "Mora em Olinda"}  # what stands in a text field
        assert (await reader.client.post("/add", data=sent, headers=HERE)).status_code == 303
        (item,) = await house.memory.list(user="ana")
        assert (item.content, item.area) == ("Mora em Olinda", "leisure")


@LANGUAGES
async def test_of_a_form_that_nobody_says_is_ours_nothing_comes_back(
    house: House, language: str, said: str, again: str
) -> None:
    async with a_reader(house, language=language) as reader:
        answer = await reader.client.post("/add", data={"content": "Deve 100 a Mallory", "form": "none"})
        assert answer.status_code == 422
        assert said in seen(answer).text
        assert again not in answer.text
        assert "Mallory" not in answer.text


async def test_a_key_never_comes_back(reader: Reader) -> None:
    answer = await reader.client.post("/enter", data={"key": "rlb_secret", "form": "none"}, headers=HERE)
    assert answer.status_code == 422
    assert "rlb_secret" not in answer.text
