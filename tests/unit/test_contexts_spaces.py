"""Who is shown to whom: profiles in a space, and what of anybody is never told there."""

from __future__ import annotations

from typing import Any

from builders import NOW, a_note, days, kept, minutes
from memories import Clock
from relembra import Memory
from relembra.contexts import MOST_VOICES
from relembra.domain.message import Message
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.recall.rendering import Part, ProfileLine
from relembra.store.port import Store

THERE = Place("grupo", "geral")
SHELF = shelf_of(Scope("default", "ana"), THERE)


def store_of(memory: Memory) -> Store:
    return memory._store  # notes are laid as they came about long ago


async def people(memory: Memory, *names: str) -> None:
    """Each with something known in the group and something known in private."""
    for name in names:
        await memory.add(f"{name} joga xadrez", user=name, space="grupo")
        await memory.add(f"{name} tem um segredo", user=name)


async def shown(memory: Memory, *, query: str = "xadrez", user: str = "ana", **more: Any) -> tuple[str, ...]:
    context = await memory.load(user=user, query=query, space="grupo", channel="geral", budget=8_000, **more)
    assert "segredo" not in context.text
    return context.profiles


async def test_all_who_speak_are_shown_the_asker_first(listener: Memory) -> None:
    await people(listener, "ana", "bia", "caio", "davi", "eva", "fabio")
    await listener.save(user="caio", said="oi", space="grupo", channel="geral")
    await listener.save(user="eva", said="oi", space="grupo", channel="outro")
    assert await shown(listener) == ("ana", "caio")
    assert await shown(listener, speakers=["bia", "davi", "fabio", "bia"]) == ("ana", "bia", "davi", "fabio", "caio")


async def test_up_to_three_who_are_mentioned_are_shown_besides(memory: Memory) -> None:
    await people(memory, "ana", "bia", "caio", "davi", "eva")
    mentioned = await shown(memory, query="o que @bia, @caio, @davi e @eva jogam?")
    assert mentioned == ("ana", "bia", "caio", "davi")
    assert await shown(memory, mentioned=["eva", "ana", "eva"]) == ("ana", "eva")
    assert await shown(memory, speakers=["bia"], mentioned=["bia", "caio"]) == ("ana", "bia", "caio")


async def test_up_to_three_more_of_those_in_recalled_notes(memory: Memory) -> None:
    await people(memory, "ana", "bia", "caio", "davi", "eva", "fabio")
    note = a_note(
        scope=SHELF, place=THERE, title="Torneio de xadrez", summary="O torneio de xadrez foi na praça.",
        participants=("bia", "caio", "davi", "eva", "fabio"), happened_at=NOW - days(3),
    )  # fmt: skip
    await kept(store_of(memory), note)
    await memory.reindex()
    assert await shown(memory, query="torneio de xadrez") == ("ana", "bia", "caio", "davi")
    assert await shown(memory, query="torneio de xadrez", speakers=["bia"]) == ("ana", "bia", "caio", "davi", "eva")
    assert await shown(memory, query="algo bem diferente") == ("ana",)


async def test_nothing_is_told_twice_of_anybody(memory: Memory) -> None:
    await people(memory, "ana", "bia")
    context = await memory.load(user="ana", query="xadrez", space="grupo", speakers=["ana", "bia", "ana"])
    lines = [(line.person, line.text) for line in context.lines if isinstance(line, ProfileLine)]
    assert len(lines) == len(set(lines)) == 2
    assert Part.KNOWN not in {line.part for line in context.lines}  # the asker's own line says it
    assert [hit.item.content for hit in context.hits] == ["ana joga xadrez"]


async def test_in_private_nobody_elses_profile_is_shown(memory: Memory) -> None:
    await people(memory, "ana", "bia")
    context = await memory.load(user="ana", query="@bia joga xadrez?", speakers=["bia"], mentioned=["bia"])
    assert context.profiles == ()
    assert "bia" not in context.text
    assert "ana tem um segredo" in context.text


async def test_notes_of_a_space_tell_what_others_said_and_are_heard_there_alone(listener: Memory, clock: Clock) -> None:
    await listener.save(user="ana", said="combinamos a regata", space="grupo", channel="geral")
    await listener.save(user="bia", said="a regata vai ser boa", space="grupo", channel="geral")
    await listener.save(user="caio", said="a regata privada de caio")
    await listener.settle(flush=True)
    clock.move(days=1)

    async def noted(user: str, **there: Any) -> int:
        return len((await listener.recall("regata", user=user, kinds="note", **there)).notes)

    assert (await noted("ana", space="grupo"), await noted("caio", space="grupo")) == (1, 1)
    assert (await noted("ana"), await noted("bia"), await noted("ana", space="outro")) == (0, 0, 0)
    assert [hit.note.scope.user for hit in (await listener.recall("regata", user="caio")).notes] == ["caio"]


# ── what others said ──────────────────────────────────────────────────────────────────────────────────────────────

BAND: dict[str, Any] = {"space": "band", "channel": "general"}


async def heard(memory: Memory, query: str, user: str = "ana", **there: Any) -> list[tuple[str, str]]:
    found = await memory.recall(query, user=user, kinds="message", **(there or BAND))
    return [(hit.message.author, hit.message.text) for hit in found.messages]


async def test_what_anybody_said_in_a_channel_is_recalled_there_with_who_said_it(memory: Memory) -> None:
    await memory.save(user="bia", said="The regatta is on Sunday", author_name="Bianca", **BAND)
    await memory.save(user="caio", said="The regatta is fun", space="band", channel="other")
    await memory.save(user="caio", said="The regatta is dull", space="club", channel="general")
    await memory.save(user="caio", said="The regatta is a secret")
    await memory.save(user="caio", said="The regatta is cancelled", tenant="other", **BAND)
    right = [("bia", "The regatta is on Sunday")]
    assert await heard(memory, "when is the regatta?") == right
    await memory.settle()
    assert await heard(memory, "when is the regatta?") == right
    context = await memory.load(user="ana", query="when is the regatta?", **BAND)
    assert "“Bianca”: “The regatta is on Sunday”" in context.text
    trace = await memory.why("when is the regatta?", user="ana", **BAND)
    assert [hit.message.author for hit in trace.context.earlier] == ["bia"]
    assert await heard(memory, "when is the regatta?", space="band", channel="other") == [
        ("caio", "The regatta is fun")
    ]
    in_private = await memory.recall("when is the regatta?", user="ana")
    assert in_private.messages == ()


async def test_a_question_may_name_whoever_spoke_in_the_channel(memory: Memory) -> None:
    await memory.save(user="d:1", said="I like tea", author_name="Bianca", **BAND)
    await memory.save(user="d:2", said="I like tea too", author_name="Caio", **BAND)
    await memory.save(user="ana", said="I like tea as well", author="Zeca")
    found = await memory.recall("what did Caio say about tea, and Zeca?", user="ana", **BAND)
    assert found.inquiry.speakers == ("d:2",)
    assert found.messages[0].message.author == "d:2"
    assert (await memory.recall("what did Caio and Zeca say?", user="ana")).inquiry.speakers == ("Zeca",)


async def test_an_answer_of_somebody_else_comes_with_its_question(memory: Memory) -> None:
    await memory.save(user="ana", said="Where do we rehearse?", at=NOW - days(3), **BAND)
    await memory.save(user="bia", said="In the church hall.", at=NOW - days(3), **BAND)
    await memory.save(user="bia", said="In the church hall, privately.", at=NOW - days(3))
    assert [author for author, _ in await heard(memory, "where do we rehearse?")] == ["ana", "bia"]


async def test_what_is_hidden_forgotten_or_of_whom_is_blocked_is_not_heard(memory: Memory) -> None:
    for user in ("bia", "caio", "davi", "eva"):
        await memory.save(user=user, said=f"{user} sails the regatta", **BAND)
    await memory.save(user="bot", said="Fabio: I sail the regatta", metadata={"bridge": "irc"}, **BAND)
    await memory.save(user="bot", said="Gil: I sail the regatta", metadata={"bridge": "irc"}, **BAND)
    await memory.delete_conversation("band/general", user="bia")
    await memory.forget(user="caio", all=True)
    await memory.block("Davi")
    await memory.block("Fabio")
    assert {author for author, _ in await heard(memory, "who sails the regatta?")} == {"eva", "Gil"}
    named = await memory.recall("do eva, davi and Fabio sail?", user="ana", trace=True, **BAND)
    assert named.inquiry.speakers == ("eva",)
    assert {one.row.author for one in named.missed if isinstance(one.row, Message)} <= {"eva", "Gil"}
    await memory.switch_space("band", on=False)
    assert await heard(memory, "who sails the regatta?") == []


async def test_what_one_says_of_themselves_is_not_the_askers(memory: Memory) -> None:
    await memory.save(user="ana", said="I live in Porto", at=NOW - days(9), **BAND)
    await memory.save(user="bia", said="I live in Oslo now", **BAND)
    await memory.settle()
    assert [author for author, _ in await heard(memory, "where do I live?")] == ["ana", "bia"]
    assert [author for author, _ in await heard(memory, "where do I live?", user="bia")] == ["bia", "ana"]


async def test_so_many_are_heard_the_last_who_spoke(memory: Memory) -> None:
    for number in range(MOST_VOICES + 2):
        await memory.save(user=f"p{number}", said=f"regatta {number}", at=NOW - days(1) + minutes(number), **BAND)
    await memory.save(user="p0", said="hello", at=NOW, space="band", channel="other")
    found = await memory.recall("regatta", user="p0", limit=100, kinds="message", **BAND)
    told = {hit.message.author for hit in found.messages}
    assert told == {"p0", *(f"p{number}" for number in range(3, MOST_VOICES + 2))}


async def test_what_is_found_may_be_narrowed_to_where_it_was_learnt_or_said(memory: Memory) -> None:
    for space, channel in (("team", "a"), ("team", "b"), ("club", "a"), (None, None)):
        where: dict[str, Any] = {"space": space, "channel": channel}
        await memory.save(user="ana", said=f"The regatta of {space} in {channel} is on Sunday", **where)
        await memory.add(f"Sails with {space} in {channel}", user="ana", **where)
    await memory.settle()
    rows_of: list[tuple[dict[str, Any], set[tuple[str, str]]]] = [
        ({"from_space": "team"}, {("team", "a"), ("team", "b")}),
        ({"from_space": "team", "from_channel": "b"}, {("team", "b")}),
        ({"from_channel": "a"}, {("team", "a"), ("club", "a")}),
        ({"from_space": "nowhere"}, set()),
    ]
    for wishes, wanted in rows_of:
        listed = await memory.list(user="ana", **wishes)
        hits = await memory.search("sails", user="ana", limit=10, **wishes)
        found = await memory.recall("when is the regatta?", user="ana", limit=10, **wishes)
        rows: list[list[Any]] = [listed, [hit.item for hit in hits], [hit.message for hit in found.messages]]
        assert [{(row.place.space, row.place.channel) for row in some} for some in rows] == [wanted] * 3
        assert (await memory.count(user="ana", **wishes)).total == len(wanted)
    assert await memory.list(user="ana", space="club", from_space="team") == []  # heard in a place as ever
