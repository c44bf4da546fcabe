"""Talking with the memory: with a model, without one, and when the model is in trouble."""

from __future__ import annotations

import pytest

from houses import House, a_house
from loops import each
from upstreams import fails, hangs_up, says, upstream
from web_pages import Reader, a_reader, seen


async def said(house: House) -> list[str]:
    return [message.text for message in reversed(await house.memory.messages(user="ana"))]


async def test_without_a_model_it_is_said_and_shown_what_an_assistant_would_be_told(
    house: House, reader: Reader
) -> None:
    await house.memory.add("Lives in Leeds", user="ana", attribute="residence", value="Leeds")
    page = await reader.done("/talk", said="Which city do I live in?")
    assert "No model is configured to answer." in page.text
    assert "Which city do I live in?" in page.text
    assert "What an assistant would receive now" in page.text
    assert "Leeds" in page.text
    assert await said(house) == ["Which city do I live in?"]


@pytest.mark.parametrize(
    ("language", "words", "learnt", "heading"),
    [
        ("en", "I live in Leeds.", "Lives in Leeds", "Learnt from your messages"),
        ("pt", "Eu moro no Recife.", "Mora no Recife", "Aprendido com suas mensagens"),
    ],
)
async def test_what_was_learnt_is_shown_with_links(
    house: House, language: str, words: str, learnt: str, heading: str
) -> None:
    async with a_reader(house, language=language) as reader:
        await reader.done("/talk", said=words)
        page = seen(await reader.post("/talk", do="learn"))
    [item] = await house.memory.list(user="ana")
    assert item.content == learnt
    assert heading in page.text
    assert f"/item/{item.id}" in page.links


async def test_a_model_that_is_set_answers(house: House) -> None:
    async with (
        upstream(says("In Leeds, I think.")) as model,
        a_house(is_open=True, keys=False, upstream=model.url) as house,
        a_reader(house) as reader,
    ):
        page = await reader.done("/talk", said="Where do I live?")
        assert await said(house) == ["Where do I live?", "In Leeds, I think."]
    assert "In Leeds, I think." in page.text
    assert "No model is configured to answer." not in page.text


@each(
    [
        (fails(429), "está sobrecarregado"),
        (fails(401), "recusou a chave"),
        (fails(404), "O modelo não foi encontrado. Sua mensagem foi salva; quem administra pode corrigir isso."),
        (fails(504), "O modelo demorou demais. Sua mensagem foi salva; tente de novo em instantes."),
        (fails(500), "Não foi possível acessar o modelo. Sua mensagem foi salva; tente de novo em instantes."),
        (says(""), "Não foi possível acessar o modelo. Sua mensagem foi salva; tente de novo em instantes."),
        (hangs_up, "Não foi possível acessar o modelo. Sua mensagem foi salva; tente de novo em instantes."),
    ]
)
async def test_trouble_of_the_model_is_said_plainly_and_loses_nothing(trouble: object, words: str) -> None:
    async with (
        upstream(trouble, says("No Recife.")) as model,  # type: ignore[arg-type]
        a_house(is_open=True, keys=False, upstream=model.url) as house,
        a_reader(house, language="pt") as reader,
    ):
        page = await reader.done("/talk", said="Onde eu moro?")
        assert words in page.text
        assert "Sua mensagem foi salva" in page.text
        assert "Pedir de novo" in page.text
        assert await said(house) == ["Onde eu moro?"]
        again = await reader.done("/talk", do="again")
        assert "No Recife." in again.text
        assert await said(house) == ["Onde eu moro?", "No Recife."]


async def test_a_command_is_answered_and_not_kept(house: House, reader: Reader) -> None:
    page = seen(await reader.post("/talk", said="/help"))
    assert "/help" in page.text
    assert "A command. It is not saved as part of the conversation." in page.text
    assert await said(house) == []


async def test_a_deleted_conversation_is_not_gone_on_with_and_comes_back(house: House, reader: Reader) -> None:
    page = await reader.done("/talk", said="I live in Leeds.")
    id = page.forms["/talk/delete"]["id"]
    deleted = await reader.done("/talk/delete", id=id)
    assert "Conversation deleted. What was learnt from it is kept." in deleted.text
    assert deleted.forms["/undo"]["id"] == id
    assert await said(house) == []
    house.clock.move(seconds=5)
    other = await reader.done("/talk", said="I love jazz.")
    assert "I live in Leeds." not in other.text
    assert other.forms["/talk/delete"]["id"] != id
    await house.memory.undo(id, user="ana")
    assert await said(house) == ["I live in Leeds.", "I love jazz."]


async def test_forgetting_for_good_wants_to_be_meant_and_takes_what_it_taught_along(
    house: House, reader: Reader
) -> None:
    page = await reader.done("/talk", said="I live in Leeds.")
    await house.memory.learn(user="ana")
    id = page.forms["/talk/forget"]["id"]
    assert "Tick the box" in (await reader.done("/talk/forget", id=id)).text
    assert await said(house) == ["I live in Leeds."]
    gone = await reader.done("/talk/forget", id=id, sure="yes")
    assert "Permanently deleted: 1 message, 1 item." in gone.text
    assert await said(house) == []
    assert list(await house.memory.list(user="ana", history=True)) == []


async def test_an_empty_message_keeps_the_page(reader: Reader) -> None:
    answer = await reader.post("/talk", said="  ")
    assert answer.status_code == 422
    assert "/talk" in seen(answer).forms


async def test_nothing_of_somebody_blocked_is_kept_and_what_they_typed_stays_before_them(
    house: House, reader: Reader
) -> None:
    await house.memory.block("ana")
    answer = await reader.post("/talk", said="I live in Leeds.")
    assert (
        "Nothing is saved for this person because they are blocked. Your text is still in the box." in seen(answer).text
    )
    assert "I live in Leeds." in answer.text
    assert await said(house) == []


async def test_earlier_talks_are_found_again_and_only_read(house: House, reader: Reader) -> None:
    await reader.done("/talk", said="I live in Leeds.")
    house.clock.move(days=2)
    page = await reader.get("/talk")
    assert "No messages today" in page.text
    [link] = [link for link in page.links if link.startswith("/talk?on=")]
    earlier = await reader.get(link)
    assert "I live in Leeds." in earlier.text
    assert "said" not in earlier.forms.get("/talk", {})
