"""Trying it out: what would be recalled and learnt, in both languages, with nothing kept."""

from __future__ import annotations

import pytest

from houses import House
from loops import each
from relembra.interfaces.web.talk import sentences
from web_pages import Reader, a_reader, seen


async def told(house: House, *said: str) -> None:
    for one in said:
        await house.memory.save(user="ana", said=one, conversation="c")
    await house.memory.learn(user="ana")


async def test_a_question_shows_the_block_what_was_found_and_how_the_room_was_shared(
    house: House, reader: Reader
) -> None:
    await told(house, "I live in Leeds.", "I love tea with oat milk.")
    page = await reader.get("/talk/recall", q="Which city do I live in?", budget="400")
    assert "“Lives in Leeds”" in page.text
    assert "of 400 tokens used" in page.text
    assert "Results and why (" in page.text
    assert "meaning 0." in page.text
    assert "Close, but left out (" in page.text
    [item] = await house.memory.list(user="ana", attribute="residence")
    assert f"/item/{item.id}" in page.links
    parts = [given for tag, given in page.tags if tag == "rect" and given.get("class", "").startswith("part-")]
    assert parts
    assert all(float(given["x"]) + float(given["width"]) <= 100.1 for given in parts)


async def test_nothing_is_counted_or_kept(house: House, reader: Reader) -> None:
    await told(house, "I live in Leeds.")
    before = [(item.id, item.accesses, item.version) for item in await house.memory.list(user="ana", history=True)]
    await reader.get("/talk/recall", q="Which city do I live in?")
    answer = await reader.post("/talk/learn", text="I moved, so now I live in Bristol. I have a dog called Rex.")
    assert answer.status_code == 200
    await house.memory.settle(flush=True)
    after = [(item.id, item.accesses, item.version) for item in await house.memory.list(user="ana", history=True)]
    assert after == before
    assert len(await house.memory.messages(user="ana")) == 1


@pytest.mark.parametrize(
    ("language", "known", "said", "shown"),
    [
        (
            "en",
            "I live in Leeds. My blood type is O negative. I love jazz.",
            "Good morning! We moved, so now I live in Bristol. My blood type is B positive. I love jazz. "
            "I have a cat called Pixel. Do you like rain?",
            (
                "replaces",
                "replaces",
                "known already",
                "new",
                "a question",
                "Good morning!",
            ),
        ),
        (
            "pt",
            "Eu moro no Recife. Meu tipo sanguíneo é O negativo. Eu adoro jazz.",
            "Bom dia! Agora moro no Porto. Meu tipo sanguíneo é B positivo. Eu adoro jazz. "
            "Tenho uma gata chamada Nina. Você gosta de chuva?",
            (
                "substitui",
                "substitui",
                "já sabido",
                "novo",
                "uma pergunta",
                "Bom dia!",
            ),
        ),
    ],
)
async def test_a_message_shows_what_would_become_of_each_thing_it_says(
    house: House, language: str, known: str, said: str, shown: tuple[str, ...]
) -> None:
    await told(house, known)
    async with a_reader(house, language=language) as reader:
        page = seen(await reader.post("/talk/learn", text=said))
    for words in shown:
        assert words in page.text
    assert "del" in [tag for tag, _ in page.tags]
    assert said in page.text  # what was typed is still there


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Do you like rain?", "Nothing is learnt from a question, only from what you say about yourself."),
        ("Hello there.", "nothing lasting in it"),
    ],
)
async def test_a_message_that_teaches_nothing_says_why(reader: Reader, text: str, why: str) -> None:
    page = seen(await reader.post("/talk/learn", text=text))
    assert "Nothing would be learnt" in page.text
    assert why in page.text


@each(["-3", "1e9", "many", "99999999999999999999"])
async def test_a_budget_that_is_no_number_keeps_the_question(budget: str, reader: Reader) -> None:
    answer = await reader.answer("/talk/recall", q="Where?", budget=budget)
    assert answer.status_code == 422
    page = seen(answer)
    assert page.forms["/talk/recall"]["q"] == "Where?"
    assert page.forms["/talk/recall"]["budget"] == budget
    assert "from 0 to 100,000" in page.text


async def test_what_was_left_out_can_be_seen_whole(house: House, reader: Reader) -> None:
    await house.memory.add("Plays the cello on Sundays", user="ana")
    for number in range(12):
        await house.memory.add(f"Read the book number {number} about gardens", user="ana")
    few = await reader.get("/talk/recall", q="cello", budget="40")
    many = await reader.get("/talk/recall", q="cello", budget="40", all="1")
    assert few.text.count("about gardens") < many.text.count("about gardens")


def test_a_message_is_taken_apart_into_its_sentences() -> None:
    assert sentences("Hi! I live in Leeds.\nDo you… know? !!") == ["Hi!", "I live in Leeds.", "Do you…", "know?"]
