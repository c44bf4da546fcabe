"""Commands typed in a chat: what is one, what it answers, and what it touches."""

from __future__ import annotations

from typing import Any

import pytest

from builders import a_message, a_note, an_id, an_item, kept
from loops import each
from relembra import Memory
from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.message import Role
from relembra.domain.scope import Place
from relembra.tools.commands import CommandAnswer, answered, counted

CLUB = {"space": "book club", "channel": "general"}


async def ask(memory: Memory, text: str, **where: Any) -> CommandAnswer:
    """The answer to what is surely a command; it is short, plain, and one line an item."""
    answer = await memory.command(text, user="ana", **where)
    assert answer is not None
    lines = answer.text.split("\n")
    assert 1 <= len(lines) <= 10
    assert all(line.strip() == line != "" for line in lines)
    return answer


async def lines_of(memory: Memory, text: str, **where: Any) -> list[str]:
    return (await ask(memory, text, **where)).text.split("\n")


async def held(memory: Memory) -> set[str]:
    return {item.content for item in await memory.list(user="ana")}


@pytest.fixture
async def tea(memory: Memory) -> KnowledgeItem:
    item = an_item(id=an_id(0x1A2B3C4D5E6F), content="Likes mint tea")
    shed = an_item(id=an_id(0x2A2B3C4D5E60), content="The tea key hangs in the shed", source=Source.USER_INPUT)
    await kept(memory._store, item, shed)
    return item


@each(["", "hello", "remember the milk", "/", "/ remember tea", "/home/ana", "/recall/tea", "/etc", "/start",
     "/recallx", "//recall tea", "/1recall tea", "/re call tea", "we say /recall tea", "/lembrar_me chá",
     "/recall@ tea", "/recall-tea", "/recall@bot/tea", "https://x/recall"])  # fmt: skip
async def test_what_is_no_command_of_ours_is_left_to_others(text: str, memory: Memory) -> None:
    assert await memory.command(text, user="ana") is None


@each(["/recall tea", "/RECALL tea", " /Recall   tea ", "/recall@relembra_bot tea", "/recall: tea", "/recall\ntea",
     "/Lembrár tea", "/perfil.", "/PERFIL?!", "/perfil@bot", "/profile ,"])  # fmt: skip
async def test_a_command_is_known_however_it_is_typed(text: str, memory: Memory, tea: KnowledgeItem) -> None:
    answer = await ask(memory, text)
    assert answer.name == ("recall" if "tea" in text else "profile")
    assert answer.name == "profile" or tea in answer.items


async def test_a_command_for_another_bot_is_not_ours(memory: Memory) -> None:
    for bot in ("relembra_bot", "@Relembra_Bot"):
        assert await answered(memory, "/help@other_bot", user="ana", bot=bot) is None
        for text in ("/help@relembra_bot", "/help"):
            assert await answered(memory, text, user="ana", bot=bot) is not None


async def test_what_is_to_be_remembered_is_kept_where_it_is_said(memory: Memory) -> None:
    answer = await ask(memory, "/remember I keep “bees”\nhere", **CLUB)
    [item] = answer.items
    assert answer.text == f'Kept: “I keep "bees" here”\nTo forget it: /forget {item.id[-8:]}'
    assert item.place == Place("book club", "general")
    assert (await ask(memory, "/guardar crio abelhas")).text.startswith("Guardado: “crio abelhas”\nPara esquecer: /esq")
    await memory.block("ana")
    assert (await ask(memory, "/guardar crio galinhas")).text == "Nada é lembrado de você aqui."


async def test_recall_shows_items_notes_and_messages_with_date_source_and_id(memory: Memory) -> None:
    note = a_note(id=an_id(0x11), title="Tea time", summary="Ana spoke of tea.")
    shed = an_item(id=an_id(0x2A2B3C4D5E60), content="The tea key", source=Source.USER_INPUT)
    learnt = an_item(id=an_id(0x12), content="Had tea at four", note_id=note.id, needs_resolution=True)
    claim = an_item(id=an_id(0x13), content="Spills tea", speaker="Bia")
    said = a_message(id=an_id(0x14), text="Tea at “The Mill”?\nYes & <b>no</b>", zone="-03:00")
    reply = a_message(id=an_id(0x15), text="Tea it is", role=Role.ASSISTANT, author="bot")
    asked = a_message(id=an_id(0x16), text="/recall tea")  # commands are never shown
    await kept(memory._store, note, shed, learnt, claim, said, reply, asked)
    await memory.reindex()
    first, *shown = await lines_of(memory, "/recall tea")
    assert first == "What I remember about “tea”:"
    assert set(shown) == {
        "3c4d5e60 · “The tea key” · Mar 1, 2026, entered by the person",
        "00000012 · “Had tea at four” · Mar 1, 2026, Tea time, unsure",
        "00000013 · “Spills tea” · Mar 1, 2026, said in conversation, Bia",
        "00000011 · “Ana spoke of tea.” · Mar 1, 2026, note “Tea time”",
        '00000014 · “Tea at "The Mill"? Yes & <b>no</b>” · Mar 1, 2026, ana',
        "00000015 · “Tea it is” · Mar 1, 2026, assistant",
    }
    in_portuguese = await lines_of(memory, "/lembrar tea")
    assert in_portuguese[0] == "O que lembro sobre “tea”:"
    assert "3c4d5e60 · “The tea key” · 1 mar 2026, registrado pela pessoa" in in_portuguese
    assert await lines_of(memory, "/recall coffee?") == ["I remember nothing about “coffee?”."]


async def test_recall_is_short_whatever_there_is_and_each_thing_stays_on_its_line(memory: Memory) -> None:
    for number in range(9):
        long = f"tea {number} " + "long\n" * 200
        await kept(memory._store, an_item(content=long), a_note(summary=long), a_message(text=long))
    await memory.reindex()
    lines = await lines_of(memory, "/recall tea " + "long " * 100)
    assert len(lines) == 8
    assert all(len(line) < 240 for line in lines)
    for char in ("\u202e", "\u200b", "\x07", "\n", "\u2028", "“", "”"):
        item = await memory.add(f"zebra{char} · {char}forged", user="ana")
        _, line = await lines_of(memory, "/recall zebra")
        assert line.count("“") == line.count("”") == 1
        assert not set(line) & set("\u202e\u200b\x07\u2028")
        assert "forged” · Mar 1, 2026" in line
        await memory.delete(item.id, user="ana")


async def test_an_id_is_forgotten_softly_brought_back_and_forgotten_for_good(
    memory: Memory, tea: KnowledgeItem
) -> None:
    for typed in ("3c4d5e6f", "3c4d5e6f.", "“3C4D5E6F”", tea.id, "4d5e6f"):
        answer = await ask(memory, f"/forget {typed}")
        assert answer.done
        assert answer.text.split("\n") == [
            "Forgotten: “Likes mint tea”",
            "To bring it back: /undo 3c4d5e6f",
            "To remove it so that it cannot come back: /forget 3c4d5e6f for good",
        ]
        assert tea.content not in await held(memory)
        assert (await ask(memory, f"/forget {typed}")).text.startswith("That was forgotten already: “Likes mint tea”")
        assert (await ask(memory, "/undo 3c4d5e6f")).text == "It is back: “Likes mint tea”"
        assert tea.content in await held(memory)
    assert (await ask(memory, "/desfazer 3c4d5e60")).text.startswith("Isso não está esquecido")
    gone = await ask(memory, "/forget 3c4d5e6f, forever!")
    assert gone.text.startswith("Removed for good: 1 item, ")
    assert "mint" not in gone.text
    after = await ask(memory, "/undo 3c4d5e6f")
    assert (after.done, "What was removed for good does not come back" in after.text) == (False, True)
    assert await held(memory) == {"The tea key hangs in the shed"}


async def test_for_good_tells_what_is_left(memory: Memory) -> None:
    said = a_message(text="I like tea")
    await kept(memory._store, said, an_item(id=an_id(0x1A2B3C4D5E6F), message_ids=(said.id,)))
    lines = await lines_of(memory, "/esquecer 3c4d5e6f de vez")
    assert lines[1] == "As mensagens que dizem isso ficam onde foram ditas."
    assert (counted("vectors", 1, "pt"), counted("something new", 2, "en")) == ("1 vetor", "2 something new")


@each(["/forget tea", "/forget the tea for good", "/esquecer TEA!", "/forget tea 2026", "/forget 5e6f",
     "/forget cafe", "/forget 2026-03-01", "/forget 11987654321", "/forget 9f9f9f9f", "/forget 01900000",
     "/undo 01900000", "/forget 9f9f9f9f for good"])  # fmt: skip
async def test_words_numbers_and_unsure_ids_are_never_enough(text: str, memory: Memory, tea: KnowledgeItem) -> None:
    before = await held(memory)
    assert not (await ask(memory, text)).done
    assert await held(memory) == before


async def test_in_a_space_only_what_may_be_heard_there_is_shown_or_forgotten(
    memory: Memory, tea: KnowledgeItem
) -> None:
    club = an_item(id=an_id(0x3A2B3C4D5E61), content="Brings the tea to the club", place=Place("book club", "general"))
    await kept(memory._store, club, a_note(summary="tea in private"), a_message(text="tea in private"))
    assert (await ask(memory, "/recall tea", **CLUB)).items == (club,)
    assert len(await lines_of(memory, "/recall tea", **CLUB)) == 2
    assert (await ask(memory, "/forget tea", **CLUB)).items == (club,)
    assert (await ask(memory, "/recall tea", space="elsewhere")).items == ()
    private = (await ask(memory, "/recall tea")).items
    assert tea in private
    assert club in private
    for suffix in ("", " for good"):
        hidden = await ask(memory, f"/forget 3c4d5e6f{suffix}", **CLUB)
        unknown = await ask(memory, f"/forget 9f9f9f9f{suffix}", **CLUB)
        assert hidden.text == unknown.text.replace("9f9f9f9f", "3c4d5e6f")
        assert (hidden.done, hidden.items) == (False, ())
    assert tea.content in await held(memory)
    assert (await ask(memory, "/forget 3c4d5e61", **CLUB)).done
    await memory.delete(tea.id, user="ana")
    assert "mint" not in (await ask(memory, "/undo 3c4d5e6f", **CLUB)).text
    assert tea.content not in await held(memory)
