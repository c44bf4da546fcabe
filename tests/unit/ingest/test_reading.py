"""What is said in private is learnt from at once, and the note that comes later adds to it and doubles nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from builders import ANA, NOW, an_id
from memories import Clock, a_memory, a_store, days_work, duty_for
from readers import NotationReader, PaidReader
from relembra import KnowledgeItem, Memory
from relembra.domain.candidate import Comparison, Digest, Talk
from relembra.domain.jobs import READ, read_job
from relembra.errors import MindUnavailableError
from relembra.minds.port import Outside
from relembra.store.port import Enqueue


async def known(memory: Memory, **wishes: bool) -> dict[str, KnowledgeItem]:
    """What is known of Ana, by value."""
    found = await memory.list(user="ana", **wishes)  # type: ignore[arg-type]  # plain words
    return {item.value or item.content: item for item in found}


async def recorded(memory: Memory) -> list[tuple[str, str]]:
    """Every entry of the trail: its verb, and the value or content of what it is about."""
    entries = [entry for _, entry in await memory._store.page_trail(ANA)]
    return [(entry.verb, (entry.after or {}).get("value") or (entry.after or {})["content"]) for entry in entries]


async def test_what_is_said_in_private_is_known_before_the_talk_is_noted(listener: Memory) -> None:
    saved = await listener.save(user="ana", said="[residence=Recife]", replied="Nice")
    await listener.settle()
    [item] = (await known(listener)).values()
    assert (item.value, item.message_ids, item.note_id) == ("Recife", (saved.messages[0].id,), None)
    assert [hit.item.id for hit in await listener.search("Recife", user="ana")] == [item.id]
    assert "Recife" in (await listener.me(user="ana")).text
    assert list(await listener.notes(user="ana")) == []


async def test_the_note_is_named_later_and_nothing_is_counted_or_recorded_twice(listener: Memory, clock: Clock) -> None:
    await listener.save(user="ana", said="[residence=Recife] [fact=rows at dawn]")
    await listener.settle()
    await listener.save(user="ana", said="[residence=Porto] [likes=tea]")
    await listener.settle()
    await listener.save(user="ana", said="[likes=tea]")
    await listener.settle()
    before, trail = await known(listener, history=True), await recorded(listener)
    cases = [case.id for case in await listener.conflicts(user="ana")]
    clock.move(minutes=25)
    await listener.settle()
    [note] = await listener.notes(user="ana")
    after = await known(listener, history=True)
    assert {value: item.note_id for value, item in after.items()} == dict.fromkeys(before, note.id)
    assert [item.version for item in after.values()] == [item.version for item in before.values()]
    assert (after["tea"].observations, after["Recife"].superseded_by) == (2, after["Porto"].id)
    assert await recorded(listener) == trail
    assert [case.id for case in await listener.conflicts(user="ana")] == cases
    assert (await days_work(listener), (await listener.verify()).problems) == ([], ())


async def test_many_saves_are_one_job_and_are_learnt_from_in_the_order_they_were_sent(listener: Memory) -> None:
    for hours, city in ((3, "Oslo"), (1, "Roma"), (2, "Lima")):
        await listener.save(user="ana", said=f"[residence={city}]", at=NOW - timedelta(hours=hours))
    assert len(await listener.jobs(user="ana", kind=READ)) == 1
    await listener.settle()
    held = await known(listener, history=True)
    assert {value for value, item in held.items() if item.superseded_at is None} == {"Roma"}
    assert (held["Oslo"].superseded_by, held["Lima"].superseded_by) == (held["Lima"].id, held["Roma"].id)


async def test_each_answer_of_a_talk_is_read_after_its_question(listener: Memory, reader: NotationReader) -> None:
    turns = [("user", "oi"), ("assistant", "Onde mora?"), ("user", "Recife"), ("assistant", "Idade?"), ("user", "34")]
    await listener.save(user="ana", messages=[{"role": role, "content": text} for role, text in turns])
    await listener.settle()
    assert [message.text for message in reader.digested[0].messages] == [text for _, text in turns]


async def test_what_stands_before_in_the_talk_is_read_along(listener: Memory, reader: NotationReader) -> None:
    await listener.save(user="ana", said="Hi [likes=tea]", replied="Where do you live?")
    await listener.settle()
    await listener.save(user="ana", said="In [residence=Recife]")
    await listener.settle()
    texts = [message.text for message in reader.digested[-1].messages]
    assert texts == ["Hi [likes=tea]", "Where do you live?", "In [residence=Recife]"]
    assert (await known(listener))["tea"].observations == 1


async def test_a_model_reads_once_a_sitting_and_repeats_nothing(tmp_path: Path, clock: Clock) -> None:
    model = NotationReader(name="model:x", compared=lambda _old, _new: Comparison(contradicts=0.9, same=0.0))
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=clock, reader=NotationReader(), model=model) as memory:
        for text in ("[residence=Recife] [fact=rows at dawn]", "[residence=Porto!]", "[likes=tea]"):
            await memory.save(user="ana", said=text)
            await memory.settle()
        assert model.digested == []
        before, trail = await known(memory, history=True), await recorded(memory)
        await memory.delete((await known(memory))["tea"].id, user="ana")
        await memory.settle(flush=True)
        assert len(model.digested) == 1
        after = await known(memory, history=True)
        assert after.keys() == before.keys() - {"tea"}
        assert [item.observations for item in after.values()] == [1] * len(after)
        assert await recorded(memory) == [*trail, ("delete", "tea")]


async def test_what_only_a_model_understands_replaces_a_sentence_kept_whole(tmp_path: Path, clock: Clock) -> None:
    class Deeper(NotationReader):
        """Finds an employment in what the other reader keeps whole."""

        async def digest(self, talk: Talk) -> Digest:
            found = await super().digest(talk)
            [whole] = found.candidates
            better = replace(whole, content="Works at Vale", attribute="employment", value="Vale")
            return replace(found, candidates=(better,))

    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=clock, reader=NotationReader(), model=Deeper(name="model:x")) as memory:
        saved = await memory.save(user="ana", said="[fact=Works at Vale since May]")
        await memory.settle()
        await memory.settle(flush=True)
        held = await known(memory, history=True)
        assert held["Works at Vale since May"].superseded_by == held["Vale"].id
        assert held["Vale"].message_ids == (saved.messages[0].id,)


async def test_no_model_is_asked_while_talk_goes_on_nor_told_what_stays_here(tmp_path: Path, clock: Clock) -> None:
    model = NotationReader(name="model:x")
    store = await a_store("memory", tmp_path)
    async with a_memory(
        store, clock=clock, reader=NotationReader(), model=model, outside=Outside(reader=True)
    ) as memory:
        await memory.save(user="ana", said="[residence=Recife]")
        await memory.settle()
        await memory.keep_local((await known(memory))["Recife"].id, user="ana")
        await memory.settle(flush=True)
        assert (model.digested, [item.local_only for item in (await known(memory)).values()]) == ([], [True])


async def test_a_model_out_of_reach_holds_up_the_note_and_not_what_is_known(tmp_path: Path, clock: Clock) -> None:
    async def away(_: Talk) -> None:
        raise MindUnavailableError("away")

    store = await a_store("memory", tmp_path)
    model = NotationReader(name="model:x", on_digest=away)
    async with a_memory(store, clock=clock, reader=NotationReader(), model=model) as memory:
        await memory.save(user="ana", said="[residence=Recife]")
        await memory.settle(flush=True)
        assert (list(await known(memory)), list(await memory.notes(user="ana"))) == (["Recife"], [])


async def test_a_reading_that_failed_is_made_up_for_by_the_note(listener: Memory, reader: NotationReader) -> None:
    async def broken(_: Talk) -> None:
        reader.on_digest = None
        raise RuntimeError("bug")

    reader.on_digest = broken
    await listener.save(user="ana", said="[residence=Recife] [fact=rows at dawn]")
    await listener.settle()
    await listener.settle(flush=True)  # the note is learnt from in its place
    [item, other] = (await known(listener)).values()
    assert item.note_id is not None
    assert (item.observations, other.observations, await days_work(listener)) == (1, 1, [])


async def test_messages_read_again_teach_nothing_again(listener: Memory, clock: Clock) -> None:
    saved = await listener.save(user="ana", said="[residence=Recife] [fact=rows at dawn]")
    await listener.settle()
    await listener.save(user="ana", said="[residence=Porto]")
    await listener.settle(flush=True)
    before, trail = await known(listener, history=True), await recorded(listener)
    again = read_job(ANA, "direct", [saved.messages[0].id], id=an_id(), now=NOW)
    await listener._store.apply(ANA, [Enqueue(again)])
    await listener.settle()
    assert (await known(listener, history=True), await recorded(listener)) == (before, trail)


async def test_a_job_two_workers_have_is_done_once(listener: Memory) -> None:
    await listener.save(user="ana", said="[likes=tea] [fact=rows at dawn]")
    [job] = await listener._store.claim((READ,), now=NOW, lease=timedelta(minutes=5), limit=1)
    duty = duty_for(listener, READ)
    await asyncio.gather(duty.run([job]), duty.run([job]))
    assert [item.observations for item in (await known(listener)).values()] == [1, 1]


async def test_undoing_works_whether_the_note_was_written_before_or_after(listener: Memory) -> None:
    await listener.save(user="ana", said="[residence=Recife]")
    await listener.settle()
    await listener.save(user="ana", said="[residence=Porto]")
    await listener.settle()
    porto = (await known(listener))["Porto"]
    await listener.settle(flush=True)
    await listener.undo(porto.id, user="ana")
    [recife] = (await known(listener)).values()
    [note] = await listener.notes(user="ana")
    assert (recife.value, recife.note_id) == ("Recife", note.id)


async def test_learning_for_one_person_leaves_others_work_to_others(listener: Memory) -> None:
    for number in range(20):
        await listener.save(user=f"other {number}", said="[likes=rum]")
    await listener.save(user="ana", said="[likes=tea]")
    before = {job.id for job in await days_work(listener) if job.scope != ANA}
    learnt = await listener.learn(user="ana")
    assert [item.value for item in learnt.added] == ["tea"]
    assert {job.id for job in await days_work(listener)} == before
    assert await listener.consolidate(user="ana") is not None
    assert {job.id for job in await days_work(listener)} == before


async def test_learning_is_answered_while_others_never_stop_talking(tmp_path: Path) -> None:
    goes_on = True

    async with a_memory(await a_store("memory", tmp_path), reader=NotationReader()) as memory:
        memory.start()

        async def others() -> None:
            while goes_on:
                await memory.save(user="bia", said="[likes=rum]")

        talking = asyncio.create_task(others())
        await memory.save(user="ana", said="[likes=tea]")
        async with asyncio.timeout(60):
            await memory.learn(user="ana")
        goes_on = False
        await talking
        assert (list(await known(memory)), len(await memory.notes(user="ana"))) == (["tea"], 1)


async def test_what_is_forgotten_before_its_note_is_not_learnt_again_by_a_model(tmp_path: Path, clock: Clock) -> None:
    opened = await a_store("memory", tmp_path)
    async with a_memory(opened, clock=clock, reader=NotationReader(), model=PaidReader()) as memory:
        await memory.save(user="ana", said="[residence=Recife]")
        await memory.save(user="ana", said="[likes=tea]")
        await memory.settle()
        home = next(item for item in await memory.list(user="ana") if item.attribute == "residence")
        await memory.forget(user="ana", item=home.id)
        clock.move(hours=1)
        await memory.learn(user="ana")
        await memory.consolidate(user="ana")
        assert [item.attribute for item in await memory.list(user="ana", history=True)] == ["likes"]
        assert len(await memory.messages(user="ana")) == 2
