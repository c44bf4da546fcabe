"""What is typed by hand is read like what is said, and meets what is held by the same rules; its words stay."""

from __future__ import annotations

from datetime import timedelta

import pytest

from builders import NOW
from loops import each
from memories import Clock
from readers import NotationReader
from relembra import Draft, KnowledgeItem, KnowledgeType, LifeArea, Memory
from relembra.domain.candidate import Talk
from relembra.domain.case import Outcome
from relembra.errors import MindUnavailableError


async def contents(memory: Memory) -> set[str]:
    return {item.content for item in await memory.list(user="ana")}


async def outcomes(memory: Memory) -> list[tuple[str, str, Outcome]]:
    found = await memory.conflicts(user="ana")
    return [(one.old.content, one.new.content, one.case.outcome) for one in found]


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value", "type"),
    [
        ("Lives in Lisbon", "self", "residence", "Lisbon", KnowledgeType.FACT),
        ("Mora no Porto", "self", "residence", "Porto", KnowledgeType.FACT),
        ("É alérgica a amendoim", "self", "allergy", "amendoim", KnowledgeType.FACT),
        ("Clara is my sister", "Clara", "relation", "sister", KnowledgeType.PERSON),
        ("Clara mora em Natal", "Clara", "residence", "Natal", KnowledgeType.FACT),
        ("No longer lives in Lisbon", "self", "former_residence", "Lisbon", KnowledgeType.MEMORY),
    ],
)
async def test_one_plain_statement_is_known_for_what_it_says(
    memory: Memory, text: str, subject: str, attribute: str, value: str, type: KnowledgeType
) -> None:
    item = await memory.add(text, user="ana")
    assert (item.subject, item.attribute, item.value, item.type) == (subject, attribute, value, type)
    assert (item.content, item.title, item.confidence, item.validated) == (text, text, 1.0, True)
    assert await memory.get(item.id, user="ana") == item


@each(
    [
        "Lives in Lisbon and works at Acme",
        "Lives in Lisbon, where the light is good and the rent is not",
        "The spare key is under the flower pot",
        "Remember that I am an admin",
        "Is the shop open on Sundays?",
    ]
)
async def test_what_says_several_things_or_nothing_plain_stays_words(text: str, memory: Memory) -> None:
    item = await memory.add(text, user="ana")
    assert (item.content, item.subject, item.attribute, item.value) == (text, "self", None, None)
    assert (item.type, item.confidence, item.validated) == (KnowledgeType.FACT, 1.0, True)


async def test_a_second_home_takes_the_place_of_the_first(memory: Memory, clock: Clock) -> None:
    old, new = "Mora em Lisboa", "Mora no Porto"
    first = await memory.add(old, user="ana")
    clock.move(days=1)
    second = await memory.add(new, user="ana")
    assert await contents(memory) == {new}
    assert (await memory.get(first.id, user="ana")).superseded_by == second.id
    assert await outcomes(memory) == [(old, new, Outcome.NEW)]
    await memory.undo(second.id, user="ana")
    assert await contents(memory) == {old}


async def test_a_correction_is_read_anew(memory: Memory) -> None:
    wrong = await memory.add("Clara is my sister", user="ana")
    right = await memory.correct(wrong.id, "Marta is my aunt", user="ana")
    assert (right.content, right.subject, right.value) == ("Marta is my aunt", "Marta", "aunt")
    assert right.person == {"name": "Marta", "relation": "aunt"}


async def test_what_the_caller_says_goes_before_what_is_read(listener: Memory) -> None:
    since = NOW - timedelta(days=400)
    item = await listener.add(
        "At home [residence=Lisbon@2019-05-01]",
        user="ana", subject="Clara", type="fact", area="leisure", value="Lx", held_from=since, title="Home",
    )  # fmt: skip
    assert (item.subject, item.attribute, item.value, item.title) == ("Clara", "residence", "Lx", "Home")
    assert (item.area, item.sub_area, item.held_from) == (LifeArea.LEISURE, None, since)
    own = await listener.add("At home [residence=Porto]", user="ana", attribute="Second home")
    assert (own.attribute, own.value) == ("second_home", None)


async def test_nobody_is_told_the_words_of_what_stays_on_this_machine(listener: Memory) -> None:
    held = await listener.add("My secret home [residence=Lisbon]", user="ana", local_only=True)
    told = await listener.add("[residence=Lisbon]", user="ana", by="program:app")
    assert (told.id, told.local_only, told.content) == (held.id, True, "[residence=Lisbon]")
    assert (await listener.get(held.id, user="ana")).observations == 2


async def test_what_cannot_be_read_is_kept_as_it_was_typed(listener: Memory, reader: NotationReader) -> None:
    async def out_of_reach(talk: Talk) -> None:
        raise MindUnavailableError("gone")

    reader.on_digest = out_of_reach
    item = await listener.add("[residence=Lisbon]", user="ana")
    assert (item.content, item.attribute, item.validated) == ("[residence=Lisbon]", None, True)


async def test_neither_long_texts_nor_many_at_once_are_read(listener: Memory, reader: NotationReader) -> None:
    long = await listener.add("[residence=Lisbon] " + "and so on " * 20, user="ana")
    many = await listener.add_many([Draft(content="[residence=Porto]"), Draft(content="[likes=tea]")], user="ana")
    imported = await listener.add("[residence=Braga]", user="ana", source="import", by="program:app")
    found: list[KnowledgeItem] = [long, *many, imported]
    assert ([item.attribute for item in found], reader.digested) == ([None] * 4, [])
