"""Learning from talk: items with where they are from, repeats counted, clashes filed, answers carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from angles import Angles
from hashing import HashingEmbedder
from memories import Clock, a_memory, a_store, days_work
from readers import NotationReader
from relembra import KnowledgeItem, Memory
from relembra.domain.candidate import Comparison
from relembra.domain.case import Outcome
from relembra.learn.casework import Conflict
from relembra.learn.learner import Learnt
from relembra.store.port import Store
from scripted import Request, Said, modelled, structured


async def learn(memory: Memory, *texts: str, user: str = "ana", **where: str) -> Learnt:
    """Let somebody say this, and learn from it now."""
    for text in texts:
        await memory.save(user=user, said=text, **where)  # type: ignore[arg-type]  # plain words
    where.pop("author", None)
    return await memory.learn(user=user, **where)


async def values(memory: Memory, attribute: str, **wishes: str | bool) -> set[str]:
    found = await memory.list(user="ana", attribute=attribute, **wishes)  # type: ignore[arg-type]
    return {item.value or "" for item in found}


async def cases(memory: Memory, **where: str | bool) -> list[Conflict]:
    return list(await memory.conflicts(user="ana", **where))  # type: ignore[arg-type]


async def confirmed(memory: Memory, text: str) -> KnowledgeItem:
    learnt = await learn(memory, text)
    return await memory.validate(learnt.added[0].id, user="ana")


async def test_everything_learnt_says_where_from(listener: Memory) -> None:
    saved = await listener.save(user="ana", said="moved! [residence=Recife]", replied="nice")
    [item] = (await listener.learn(user="ana")).added
    [note] = await listener.notes(user="ana")
    assert (item.note_id, item.message_ids) == (note.id, (saved.messages[0].id,))
    assert note.message_ids == tuple(message.id for message in saved.messages)
    assert [message.text for message in await listener.sources(item.id, user="ana")] == ["moved! [residence=Recife]"]
    [entry] = (await listener.history(item.id, user="ana")).trail
    assert (entry.verb, str(entry.actor)) == ("learn", "program:offline-notation@1")
    assert [hit.item.id for hit in await listener.search("Recife", user="ana")] == [item.id]
    assert ((await listener.verify()).problems, await listener.missing_vectors()) == ((), 0)


async def test_what_is_kept_names_at_once_what_it_belongs_to_and_may_be_heard_with(store: Store, clock: Clock) -> None:
    angles = Angles({"regatta": 1.0, "boat": 0.8, "choir": -0.2, "oars": 0.9})
    async with a_memory(store, clock=clock, embedder=angles) as memory:
        race = await memory.add("Won the regatta", user="ana")
        club = await memory.add("Sold the boat", user="ana", space="rowers")
        song = await memory.add("Sang in the choir", user="ana")
        oars = await memory.add("Lost the oars", user="ana")
        assert (race.related, club.related, song.related) == ((), (), ())  # what is near was said in a space
        assert oars.related == (race.id,)
        boat = await memory.add("Bought the boat", user="ana")
        assert boat.related == (oars.id, race.id)  # the nearest first
        assert [hit.item.id for hit in await memory.related(boat.id, user="ana", limit=2)] == [oars.id, race.id]
        chosen = await memory.add("Oiled the oars", user="ana", related=[song.id])
        assert chosen.related == (song.id,)
        await memory.forget(item=race.id, user="ana")
        assert (await memory.get(boat.id, user="ana")).related == (oars.id,)


async def test_things_learnt_together_name_one_another_but_not_what_they_end(store: Store, clock: Clock) -> None:
    angles = Angles({"rowing": 1.0, "sailing": 0.8, "Recife": 0.0, "Olinda": 0.1})
    async with a_memory(store, clock=clock, embedder=angles, reader=NotationReader()) as memory:
        first, second = (await learn(memory, "[likes=rowing] [likes=sailing]")).added
        assert (first.related, second.related) == ((), (first.id,))
        [recife] = (await learn(memory, "[residence=Recife]")).added
        learnt = await learn(memory, "[residence=Olinda!]")
        assert ([item.id for item in learnt.ended], learnt.added[0].related) == ([recife.id], (second.id,))


async def test_repeats_in_one_talk_and_in_later_ones_are_observations(listener: Memory, clock: Clock) -> None:
    first = await learn(listener, "[likes=rowing]", "[likes=Rowing] [likes=rowing]")
    assert (len(first.added), len(first.repeated)) == (1, 1)  # twice in one message is said once
    clock.move(days=3)
    await learn(listener, "[likes=rowing]")
    [item] = await listener.list(user="ana")
    assert (item.observations, len(item.message_ids), item.reinforced_at) == (3, 3, clock.now)
    assert [entry.verb for entry in (await listener.history(item.id, user="ana")).trail] == [
        "learn", "reinforce", "reinforce"
    ]  # fmt: skip
    assert await cases(listener) == []


async def test_a_new_home_ends_the_old_one_and_leaves_one_case(listener: Memory, clock: Clock) -> None:
    [old] = (await learn(listener, "[residence=Recife]")).added
    clock.move(days=3)
    learnt = await learn(listener, "[residence=Porto]")
    [new], [ended] = learnt.added, learnt.ended
    assert (ended.id, ended.superseded_by, ended.confidence) == (old.id, new.id, old.confidence)
    assert await values(listener, "residence") == {"Porto"}
    assert await values(listener, "residence", history=True) == {"Porto", "Recife"}
    [conflict] = await cases(listener)
    case = conflict.case
    assert (case.old_id, case.new_id, case.outcome, case.judged_by) == (old.id, new.id, Outcome.NEW, "rule")
    assert (case.why, case.settled_by, case.settled_at) == (
        "residence changed", "program:offline-notation@1", clock.now
    )  # fmt: skip
    assert await cases(listener, open_only=True) == []
    assert [row.id for row in (await listener.history(new.id, user="ana")).predecessors] == [old.id]


async def test_what_a_person_says_of_another_is_a_claim_apart(listener: Memory) -> None:
    await learn(listener, "[Bia.residence=Porto]", "[residence=Recife]")
    await learn(listener, "[residence=Lima]", user="bia")
    [claim] = await listener.list(user="ana", subject="Bia")
    assert (claim.speaker, claim.value) == ("ana", "Porto")
    assert await values(listener, "residence") == {"Porto", "Recife"}
    assert [item.value for item in await listener.list(user="bia")] == ["Lima"]
    profile = await listener.profile(user="bia")
    assert "Porto" not in repr(profile)
    assert await cases(listener) == []


async def test_a_judged_contradiction_is_put_to_the_person(tmp_path: Path, clock: Clock) -> None:
    reader = NotationReader(compared=lambda old, new: Comparison(contradicts=0.8, same=0.1, why="meat or not"))
    async with a_memory(await a_store("memory", tmp_path), clock=clock, reader=reader) as memory:
        await learn(memory, "[fact=Never eats meat at home]")
        learnt = await learn(memory, "[fact=Always eats meat at home]")
        assert learnt.added[0].needs_resolution
        [conflict] = await cases(memory, open_only=True)
        case = conflict.case
        assert (case.judged_by, case.why, case.certainty) == (reader.name, "meat or not", 0.8)


async def test_far_from_each_other_statements_are_not_compared(tmp_path: Path, clock: Clock) -> None:
    reader = NotationReader(compared=lambda old, new: Comparison(contradicts=1.0, same=0.0))
    async with a_memory(await a_store("memory", tmp_path), clock=clock, reader=reader) as memory:
        await learn(memory, "[fact=Never eats meat at home]")
        await learn(memory, "[fact=Sails across oceans]")
        assert await cases(memory) == []


async def test_without_an_embedder_learning_goes_by_words_and_vectors_follow(tmp_path: Path, clock: Clock) -> None:
    embedder = HashingEmbedder(fail_times=1_000)
    store = await a_store("sqlite", tmp_path)
    async with a_memory(store, clock=clock, reader=NotationReader(), embedder=embedder) as memory:
        await memory.save(user="ana", said="[residence=Recife]")
        await memory.settle(flush=True)
        assert await values(memory, "residence") == {"Recife"}
        embedder.fail_times = 0
        clock.move(hours=1)
        await memory.settle()
        assert await memory.missing_vectors() == 0


async def test_learning_from_two_talks_at_once_leaves_one_current_value(listener: Memory) -> None:
    for number, city in enumerate(("Oslo", "Roma", "Lima", "Bonn")):
        await listener.save(user="ana", said=f"[residence={city}]", conversation=f"c{number}")
    await asyncio.gather(*(listener.learn(user="ana") for _ in range(4)))
    assert len(await values(listener, "residence")) == 1
    assert (len(await values(listener, "residence", history=True)), len(await cases(listener))) == (4, 3)


async def test_a_preview_tells_what_would_come_of_it_and_stores_nothing(listener: Memory) -> None:
    await confirmed(listener, "[residence=Recife]")
    await learn(listener, "[likes=rowing] [weight=80 kg]")
    before = await listener.list(user="ana", history=True)
    said = "[likes=Rowing] [weight=79 kg] [weight=90 kg@2001-01-01] [residence=Porto] [likes=tea]"
    foreseen = await listener.preview(said, user="ana")
    assert [one.verdict for one in foreseen] == ["repeat", "replace", "history", "ask", "add"]
    assert await listener.list(user="ana", history=True) == before
    assert (len(await listener.messages(user="ana")), await cases(listener)) == (2, [])


async def test_a_private_change_is_not_seen_in_a_space_and_a_shared_one_is_seen_everywhere(listener: Memory) -> None:
    await learn(listener, "[residence=Recife]", space="g1")
    await learn(listener, "[residence=Porto]")
    assert await values(listener, "residence", space="g1") == {"Recife"}
    assert await values(listener, "residence", space="g1", history=True) == {"Recife"}
    assert await cases(listener) == []
    await learn(listener, "[residence=Lima]", space="g1")
    assert await values(listener, "residence") == {"Lima"}


async def test_what_was_told_in_private_is_not_asked_about_in_a_space(listener: Memory) -> None:
    await learn(listener, "[birthday=5 May]")
    await learn(listener, "[birthday=6 May]", space="g1")
    shared = await listener.load(user="ana", space="g1", query="birthday")
    assert shared.question is None
    assert "5 May" not in shared.text
    assert await cases(listener, space="g1") == []
    asked = await listener.load(user="ana", query="birthday")
    assert asked.question is not None
    assert "5 May" in asked.question.text


async def test_what_was_told_in_a_space_is_asked_about_in_no_other(listener: Memory, clock: Clock) -> None:
    await learn(listener, "[birthday=5 May]", space="g1")
    await learn(listener, "[birthday=6 May]", space="g1", channel="other")
    assert (await listener.load(user="ana", space="g2")).question is None
    assert (await listener.load(user="ana", space="g1")).question is not None
    assert (await listener.load(user="ana")).question is None, "it was handed out a moment ago"
    await listener.settle()
    clock.move(days=2)
    assert (await listener.load(user="ana")).question is not None


async def test_an_answer_in_another_space_settles_nothing(listener: Memory, clock: Clock) -> None:
    await learn(listener, "[birthday=5 May]", space="g1")
    await learn(listener, "[birthday=6 May]", space="g1")
    await listener.load(user="ana", space="g1")
    await listener.settle()
    clock.move(minutes=1)
    await learn(listener, "yes", "[birthday=6 May]", space="g2")
    assert len(await cases(listener, open_only=True)) == 1
    assert await values(listener, "birthday", space="g1") == {"5 May", "6 May"}


async def open_case(memory: Memory, clock: Clock) -> Conflict:
    """The person confirmed Recife, and said Porto later."""
    await confirmed(memory, "[residence=Recife]")
    clock.move(days=1)
    await learn(memory, "[residence=Porto]")
    [conflict] = await cases(memory, open_only=True)
    clock.move(hours=2)
    return conflict


async def asked(memory: Memory, clock: Clock) -> Conflict:
    """The same, and the question was put."""
    conflict = await open_case(memory, clock)
    context = await memory.load(user="ana", query="hello")
    assert context.question is not None
    assert context.question.case_id == conflict.id
    await memory.save(user="ana", replied=context.question.text)
    await memory.settle()
    clock.move(minutes=1)
    return conflict


async def test_a_question_that_does_not_fit_is_not_counted_as_asked(listener: Memory, clock: Clock) -> None:
    conflict = await open_case(listener, clock)
    assert (await listener.load(user="ana", budget=10)).question is None
    await listener.settle()
    assert (await listener.conflict(conflict.id, user="ana")).case.asked == 0


@pytest.mark.parametrize(
    ("reply", "outcome", "left"),
    [
        ("sim, mudou", Outcome.NEW, {"Porto"}),
        ("no, still the old one", Outcome.OLD, {"Recife"}),
        ("os dois", Outcome.BOTH, {"Porto", "Recife"}),
        ("neither", Outcome.NEITHER, set()),
    ],
)
async def test_a_plain_answer_settles_it(
    listener: Memory, clock: Clock, reply: str, outcome: Outcome, left: set[str]
) -> None:
    conflict = await asked(listener, clock)
    await learn(listener, reply)
    settled = await listener.conflict(conflict.id, user="ana")
    assert (settled.case.outcome, settled.case.settled_by) == (outcome, "person:ana")
    assert await values(listener, "residence") == left
    assert not any(item.needs_resolution for item in await listener.list(user="ana"))
    clock.move(days=2)
    assert (await listener.load(user="ana", query="hello")).question is None


@pytest.mark.parametrize("city", ["Porto", "Recife"])
@pytest.mark.parametrize("later", [{"minutes": 5}, {"days": 9}])
async def test_saying_one_side_settles_it(listener: Memory, clock: Clock, city: str, later: dict[str, float]) -> None:
    conflict = await asked(listener, clock)
    clock.move(**later)
    learnt = await learn(listener, f"[residence={city}]")
    assert (learnt.added, len(learnt.repeated)) == ([], 1)
    settled = await listener.conflict(conflict.id, user="ana")
    assert settled.case.outcome is (Outcome.NEW if city == "Porto" else Outcome.OLD)
    assert await values(listener, "residence") == {city}


async def test_the_answer_is_what_was_said_after_the_assistant_asked(listener: Memory, clock: Clock) -> None:
    """The usual order: load a context, answer with it, save the exchange; the person replies after that."""
    conflict = await open_case(listener, clock)
    assert (await listener.load(user="ana", query="No luck with the oven")).question is not None
    await listener.settle()
    clock.move(seconds=5)
    await listener.save(user="ana", said="No luck with the oven", replied="Oh! By the way, did you move?")
    clock.move(minutes=1)
    await learn(listener, "sim, mudou")
    assert (await listener.conflict(conflict.id, user="ana")).case.outcome is Outcome.NEW


async def test_only_the_first_words_after_the_question_answer_it(listener: Memory, clock: Clock) -> None:
    conflict = await open_case(listener, clock)
    await listener.load(user="ana", query="hello")
    await listener.settle()
    clock.move(seconds=5)
    await listener.save(user="ana", said="hello", replied="Did you move? And do you like tea?")
    clock.move(minutes=1)
    await listener.save(user="ana", said="I prefer coffee", replied="Shall I make one?")
    clock.move(minutes=1)
    await learn(listener, "yes")
    assert (await listener.conflict(conflict.id, user="ana")).case.outcome is Outcome.OPEN


@pytest.mark.parametrize(("hours", "who"), [(2, {}), (0, {"author": "bob"})])
async def test_no_other_yes_settles_it(listener: Memory, clock: Clock, hours: int, who: dict[str, str]) -> None:
    conflict = await asked(listener, clock)
    clock.move(hours=hours)
    await learn(listener, "sim", **who)
    assert (await listener.conflict(conflict.id, user="ana")).case.outcome is Outcome.OPEN


@pytest.mark.parametrize(
    ("said", "last"), [("6 May", Outcome.NEW), ("5 May, claro", Outcome.OLD), ("yes", Outcome.OPEN)]
)
async def test_one_answer_is_for_the_last_question(listener: Memory, clock: Clock, said: str, last: Outcome) -> None:
    first = await open_case(listener, clock)
    await learn(listener, "[birthday=5 May]", "[birthday=6 May]")
    clock.move(hours=2)
    for _ in range(2):
        question = (await listener.load(user="ana", query="hello")).question
        assert question is not None
        await listener.save(user="ana", replied=question.text)
        await listener.settle()
        clock.move(minutes=1)
    await learn(listener, said)
    outcomes = {conflict.id: conflict.case.outcome for conflict in await cases(listener)}
    assert outcomes.pop(first.id) is Outcome.OPEN
    assert list(outcomes.values()) == [last]


async def put_the_question(memory: Memory, clock: Clock) -> None:
    """The assistant asks what its context carries, some hours later."""
    clock.move(hours=2)
    question = (await memory.load(user="ana", query="hello")).question
    assert question is not None
    await memory.save(user="ana", replied=question.text)
    await memory.settle()
    clock.move(minutes=1)


@pytest.mark.parametrize("said", ["no, it's still the 3rd", "3 May, I typed it wrong"])
async def test_an_answer_is_no_news_and_puts_nothing_in_doubt(listener: Memory, clock: Clock, said: str) -> None:
    """Whatever a reader makes of "the 3rd", and of its meaning for what is known."""
    await learn(listener, "[birthday=3 May] [residence=Porto]", "[birthday=5 May]")
    await put_the_question(listener, clock)
    learnt = await learn(listener, f"{said} [birthday=the 3rd] (replaces 3 May 0.99) (ends Porto 0.99)")
    assert (learnt.added, learnt.ended, learnt.opened) == ([], [], [])
    known = {item.value: (item.validated, item.needs_resolution) for item in await listener.list(user="ana")}
    assert known == {"3 May": (True, False), "Porto": (False, False)}


async def test_an_answer_that_names_something_else_is_news(listener: Memory, clock: Clock) -> None:
    await learn(listener, "[birthday=3 May]", "[birthday=5 May]")
    await put_the_question(listener, clock)
    await learn(listener, "neither! [birthday=7 May]")
    assert await values(listener, "birthday") == {"7 May"}


async def test_an_answer_about_what_was_replaced_does_not_stop_the_learning(listener: Memory, clock: Clock) -> None:
    await asked(listener, clock)
    await learn(listener, "[residence=Lima]")
    clock.move(minutes=1)
    learnt = await learn(listener, "sim", "[residence=Porto] [likes=rowing]")
    assert "rowing" in {item.value for item in learnt.added}
    assert await days_work(listener) == []


async def test_a_yes_to_something_else_settles_nothing(listener: Memory, clock: Clock) -> None:
    conflict = await open_case(listener, clock)
    assert (await listener.load(user="ana", query="hello")).question is not None
    await listener.save(user="ana", said="a table for two", replied="Shall I book it for eight?")
    await listener.settle()
    clock.move(minutes=1)
    await learn(listener, "Yes, please.")
    assert (await listener.conflict(conflict.id, user="ana")).case.outcome is Outcome.OPEN


async def test_what_is_repeated_in_private_adds_nothing_that_a_group_could_hear(listener: Memory) -> None:
    await learn(listener, "[likes=tea]", space="g1")
    [held] = await listener.list(user="ana", space="g1")
    await learn(listener, "[likes=tea]")
    [again] = await listener.list(user="ana", space="g1")
    assert (again.observations, again.message_ids) == (2, held.message_ids)


async def test_in_a_space_neither_preview_nor_learning_shows_what_is_private(listener: Memory, clock: Clock) -> None:
    await learn(listener, "[residence=Recife]")
    clock.move(days=1)
    [seen] = await listener.preview("[residence=Porto]", user="ana", space="g1")
    assert (seen.verdict, seen.against) == ("add", ())
    learnt = await learn(listener, "[residence=Porto]", space="g1")
    assert (learnt.ended, learnt.opened, await values(listener, "residence")) == ([], [], {"Porto"})


HAS = {"m": "m1", "content": "Has a blue Fiat", "attribute": "possession", "value": "blue Fiat"}
GONE = {"m": "m1", "content": "The Fiat found a new owner", "type": "memory"}
SAID_GONE = "After all these years the Fiat found a new owner this morning, and I miss it already."


def told(quote: str, thing: dict[str, Any], ends: str | None = None) -> Callable[[Request], Said]:
    """A model's reply with one thing, which ends the known lines with a word in them."""

    def answered(request: Request) -> Said:
        over = [line["k"] for line in request.lines if ends is not None and ends in line.get("known", "")]
        things = [thing | {"quote": quote, "ends": over}]
        return structured({"title": "A car", "summary": "About a car.", "sentence": "A car.", "things": things})

    return answered


async def test_what_a_model_says_is_over_is_retired_and_can_be_undone(tmp_path: Path, clock: Clock) -> None:
    steps = told("I have a blue Fiat", HAS), told("the Fiat found a new owner", GONE, "Fiat")
    async with modelled(tmp_path, clock, *steps) as memory:
        await learn(memory, "I have a blue Fiat and I love it.")
        [car] = [item for item in await memory.list(user="ana") if "Fiat" in item.content]
        clock.move(days=3)
        learnt = await learn(memory, SAID_GONE)
        [ended] = learnt.ended
        [new] = [item for item in await memory.list(user="ana") if item.content == GONE["content"]]
        assert (ended.id, ended.superseded_by, ended.held_until) == (car.id, new.id, clock.now)
        [conflict] = await cases(memory)
        assert (conflict.case.why, conflict.case.outcome) == ("said to be over", Outcome.NEW)
        assert conflict.case.judged_by == "openai:fast-1/digest@2"
        entry = (await memory.history(car.id, user="ana")).trail[-1]
        assert (entry.verb, str(entry.actor)) == ("supersede", "model:openai:fast-1/digest@2")
        await memory.undo(entry.change, user="ana")
        assert car.id in {item.id for item in await memory.list(user="ana")}


async def test_what_is_said_again_may_end_something_too(tmp_path: Path, clock: Clock) -> None:
    bike = {"m": "m1", "content": "The bicycle is red", "attribute": "possession", "value": "bicycle"}
    steps = told("I have a blue Fiat", HAS), told("bicycle is red", bike), told("I have a blue Fiat", HAS, "bicycle")
    async with modelled(tmp_path, clock, *steps) as memory:
        [car] = (await learn(memory, "I have a blue Fiat and I love it.")).added
        clock.move(days=3)
        await learn(memory, "The best of it is that my bicycle is red, really.")
        clock.move(days=3)
        learnt = await learn(memory, "No bicycle any more, I have a blue Fiat for all that.")
        assert {item.superseded_by for item in learnt.ended} == {car.id}
        assert {item.held_until for item in learnt.ended if "red" in item.content} == {clock.now}
        assert "The bicycle is red" not in {item.content for item in await memory.list(user="ana")}
        assert {conflict.case.why for conflict in await cases(memory)} == {"said to be over"}
