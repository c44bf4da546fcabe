"""A diary entry: kept word for word, read whole however long, noted by itself, and recalled as what it is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from loops import each
from memories import Clock
from relembra import Memory
from relembra.domain.message import NoteKind
from relembra.errors import InvalidInputError

ENTRIES = {
    "pt": (
        "Hoje o dia foi comprido e a chuva não deu trégua desde cedo. Passei um bom tempo na janela olhando a rua "
        "molhada, sem pensar em nada. Depois arrumei a estante, que estava uma bagunça, e fiz um café. A tarde passou "
        "devagar, entre uma coisa e outra, e o barulho dos carros me fez companhia. ",
        ("Mudei para Recife na semana passada.", "Minha irmã se chama Clara.", "Sou alérgica a camarão."),
        {"Recife", "Clara", "camarão"},
        "“ana” (diário)",
    ),
    "en": (
        "It was a long day and the rain did not stop since early morning. I spent a good while at the window looking "
        "at the wet street, thinking of nothing. Then I tidied the shelf, which was a mess, and made some coffee. The "
        "afternoon went by slowly, between one thing and another, and the noise of the cars kept me company. ",
        ("I moved to Bristol last week.", "My sister's name is Kate.", "I'm allergic to shrimp."),
        {"Bristol", "Kate", "shrimp"},
        "“ana” (journal)",
    ),
}


def an_entry(language: str, words: int = 2_000) -> str:
    """So many words, with what there is to learn at the beginning, in the middle and at the end."""
    filler, told, _, _ = ENTRIES[language]
    times = words // len(filler.split()) // 2
    first, second, third = told
    return f"{first} {filler * times}{second} {filler * times}{third}"


@pytest.mark.parametrize("language", ["pt", "en"])
async def test_a_long_entry_is_learnt_from_to_its_end_and_noted_by_itself(
    memory: Memory, clock: Clock, language: str
) -> None:
    text = an_entry(language)
    at = clock() - timedelta(days=1)
    await memory.save(user="ana", said="Boa noite!" if language == "pt" else "Good evening!", at=at)
    saved = await memory.save(user="ana", said=text, kind="journal", at=at, external_id="e1")
    again = await memory.save(user="ana", said=text, kind="journal", at=at, external_id="e1")
    assert (saved.new, again.new, again.conversation) == (True, False, saved.conversation)
    [message] = saved.messages
    assert (message.text, message.sent_at, message.is_journal) == (text, at, True)
    await memory.settle()
    held = await memory.list(user="ana", limit=100)
    values = {part for item in held for part in (item.value, item.person.get("name")) if part}
    assert ENTRIES[language][2] <= {next((want for want in ENTRIES[language][2] if want in v), v) for v in values}
    [note] = await memory.notes(user="ana", kind="journal")
    assert (note.kind, note.message_ids, note.conversation) == (NoteKind.JOURNAL, (message.id,), saved.conversation)
    assert note.id in [one.id for one in await memory.notes(user="ana")]
    assert all(item.note_id in (note.id, None) for item in held)
    found = await memory.recall(ENTRIES[language][1][0], user="ana")
    assert any(hit.message.is_journal for hit in found.messages)
    context = await memory.load(user="ana", query=ENTRIES[language][1][1], language=language)
    assert ENTRIES[language][3] in context.text
    assert [one.id for one in context.recent if one.is_journal] == []  # no part of the talk at hand


async def test_each_entry_is_a_conversation_and_a_note_of_its_own_at_once(memory: Memory, clock: Clock) -> None:
    kept = [
        await memory.save(user="ana", said=f"Entry {number}: I bought a red bicycle.", kind="journal")
        for number in range(3)
    ]
    await memory.settle()  # without waiting for quiet
    notes = await memory.notes(user="ana", kind="journal")
    assert {note.conversation for note in notes} == {one.conversation for one in kept}
    assert len(notes) == 3
    gone = await memory.forget(user="ana", conversation=kept[0].conversation)
    assert (gone.counts["messages"], gone.counts["notes"]) == (1, 1)
    named = await memory.save(user="ana", said="Another day.", kind="journal", conversation="diary")
    assert named.conversation == "diary"


WRONG: list[dict[str, Any]] = [
    {"said": "x", "replied": "y"},
    {"messages": [{"role": "user", "content": "x"}]},
    {"said": "x", "program": True, "author": "bot"},
    {"said": "x", "author": "bia"},
    {"said": "x", "space": "team"},
    {"replied": "x"},
    {"said": "x", "kind": "diary"},
]


@each(WRONG)
async def test_what_is_no_entry_is_refused_and_changes_nothing(given: dict[str, Any], memory: Memory) -> None:
    with pytest.raises(InvalidInputError):
        await memory.save(user="ana", **{"kind": "journal"} | given)
    assert await memory.messages(user="ana") == []


async def test_a_name_before_a_colon_is_no_author_in_a_diary(memory: Memory) -> None:
    saved = await memory.save(user="ana", said="Kate: call her tomorrow", kind="journal", metadata={"bridge": "yes"})
    assert [(one.author, one.text) for one in saved.messages] == [("ana", "Kate: call her tomorrow")]
