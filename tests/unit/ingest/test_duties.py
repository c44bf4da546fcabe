"""From a quiet channel to a note, from a note to knowledge; each step once, whatever happens between."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from builders import ANA, minutes
from memories import Clock, InMemoryStore, a_memory, a_store, days_work, duty_for
from readers import NotationReader
from relembra import Memory
from relembra.domain.candidate import Talk
from relembra.domain.jobs import CLUSTER, FLUSH, LEARN, NIGHT_WORK, JobState
from relembra.domain.message import Note
from relembra.domain.scope import Scope
from relembra.errors import MindError, StoreUnavailableError
from relembra.ingest.pipeline import TRIES_WITH_A_MODEL
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import EndBuffer, Op, Receipt


async def values(memory: Memory, user: str = "ana") -> set[str]:
    return {item.value or item.content for item in await memory.list(user=user)}


async def told(memory: Memory, **where: str) -> list[list[str]]:
    """The texts of the messages of each note, oldest note first."""
    texts = {message.id: message.text for message in await memory.messages(user="ana", limit=500)}
    notes = await memory.notes(user="ana", **where)  # type: ignore[arg-type]  # plain words
    return [[texts[id] for id in note.message_ids] for note in reversed(notes)]


async def test_talk_that_never_falls_quiet_is_noted_after_two_hours(listener: Memory, clock: Clock) -> None:
    for number in range(8):
        await listener.save(user="ana", said=f"m{number}")
        await listener.settle()
        clock.move(minutes=20)
    assert await told(listener) == [[f"m{number}" for number in range(6)]]
    await listener.settle(flush=True)
    assert await told(listener) == [[f"m{number}" for number in range(6)], ["m6", "m7"]]


async def test_a_buffer_and_its_timer_survive_a_restart(tmp_path: Path, clock: Clock) -> None:
    async with a_memory(await a_store("sqlite", tmp_path), clock=clock, reader=NotationReader()) as memory:
        await memory.save(user="ana", said="[residence=Recife]")
    clock.move(minutes=10)
    async with a_memory(await a_store("sqlite", tmp_path), clock=clock, reader=NotationReader()) as memory:
        await memory.save(user="ana", said="[likes=tea]")
        await memory.settle()
        assert await told(memory) == []
    clock.move(minutes=25)
    async with a_memory(await a_store("sqlite", tmp_path), clock=clock, reader=NotationReader()) as memory:
        await memory.settle()
        assert await told(memory) == [["[residence=Recife]", "[likes=tea]"]]
        assert await values(memory) == {"Recife", "tea"}


async def test_a_group_shares_a_note_and_each_learns(listener: Memory, clock: Clock, reader: NotationReader) -> None:
    for user, text in (("ana", "[residence=Recife]"), ("bia", "[residence=Porto]"), ("ana", "[bia.likes=tea]")):
        await listener.save(user=user, said=text, replied="ok", space="g1")
        clock.move(minutes=1)
    await listener.save(user="caio", said="hi", space="g1")
    clock.move(minutes=30)
    await listener.settle()
    [note] = await listener.notes(user="bia", space="g1")
    assert (note.participants, len(note.message_ids), note.scope.space) == (("ana", "bia", "caio"), 7, "g1")
    assert (await values(listener), await values(listener, "bia"), await values(listener, "caio")) == (
        {"Recife", "tea"}, {"Porto"}, set(),
    )  # fmt: skip
    [claim] = await listener.list(user="ana", attribute="likes")
    assert (claim.subject, claim.speaker, claim.place.space, claim.note_id) == ("bia", "ana", "g1", note.id)
    assert len(reader.digested) == 1
    for user in ("ana", "bia", "caio"):
        assert [row.id for row in await listener.notes(user=user)] == [note.id]
        assert await listener.note(note.id, user=user) == note
    assert await listener.notes(user="eve") == []


async def test_talk_without_a_persons_words_leaves_no_note(listener: Memory, reader: NotationReader) -> None:
    await listener.save(user="ana", replied="Hello! [residence=Recife]")
    await listener.settle(flush=True)
    assert (await told(listener), reader.digested, await days_work(listener)) == ([], [], [])
    assert await listener._store.buffers(ANA) == []


async def test_a_conversation_hidden_before_it_was_noted_is_not_noted(listener: Memory) -> None:
    await listener.save(user="ana", said="[residence=Recife]", conversation="c1")
    await listener.delete_conversation("c1", user="ana")
    await listener.settle(flush=True)
    assert (await told(listener), await values(listener)) == ([], set())


async def test_a_model_that_answers_uselessly_is_given_up_for_the_offline_reader(clock: Clock, tmp_path: Path) -> None:
    async def useless(_: Talk) -> None:
        raise MindError("nonsense")

    model = NotationReader(name="model:x", on_digest=useless)
    store = await a_store("memory", tmp_path)
    async with a_memory(store, clock=clock, reader=NotationReader(), model=model) as memory:
        await memory.save(user="ana", said="[residence=Recife]")
        await memory.settle(flush=True)
        for _ in range(TRIES_WITH_A_MODEL):
            clock.move(hours=6)
            await memory.settle()
        assert (len(model.digested), await values(memory)) == (TRIES_WITH_A_MODEL, {"Recife"})


async def test_a_worker_that_died_after_closing_is_followed_by_another(listener: Memory, clock: Clock) -> None:
    """The flush was claimed and the buffer closed, and then nothing more."""
    await listener.save(user="ana", said="[residence=Recife]")
    clock.move(minutes=30)
    store = listener._store
    [job] = await store.claim([FLUSH], now=clock.now, lease=minutes(10), limit=1)
    await store.apply(ANA, [EndBuffer(str(job.payload["buffer"]))])
    await listener.save(user="ana", said="[likes=tea]")
    await listener.settle()
    assert await told(listener) == []
    clock.move(minutes=11)
    await listener.settle()
    assert await told(listener) == [["[residence=Recife]"]]
    clock.move(minutes=30)
    await listener.settle()
    assert await told(listener) == [["[residence=Recife]"], ["[likes=tea]"]]
    assert await values(listener) == {"Recife", "tea"}


async def test_two_workers_note_and_learn_a_buffer_once(listener: Memory, clock: Clock, reader: NotationReader) -> None:
    """The first is so slow that its lease runs out, and the second does it all meanwhile."""

    async def meanwhile(_: Talk) -> None:
        reader.on_digest = None
        clock.move(minutes=11)
        jobs = await listener._store.claim([FLUSH], now=clock.now, lease=minutes(10), limit=8)
        await duty_for(listener, FLUSH).run(jobs)
        await duty_for(listener, LEARN).run(
            await listener._store.claim([LEARN], now=clock.now, lease=minutes(10), limit=8)
        )

    reader.on_digest = meanwhile
    await listener.save(user="ana", said="[likes=tea]")
    clock.move(minutes=30)
    await listener.settle()
    assert await told(listener) == [["[likes=tea]"]]
    [item] = await listener.list(user="ana")
    assert (item.observations, await days_work(listener)) == (1, [])
    assert await listener._store.jobs(state=JobState.DEAD) == []


async def session_notes(memory: Memory) -> list[Note]:
    return list(await memory.notes(user="ana", kind="session"))


async def talked(memory: Memory, clock: Clock, exchanges: int, **where: str) -> None:
    for number in range(exchanges):
        await memory.save(user="ana", said=f"said {number}", replied=f"replied {number}", **where)  # type: ignore[arg-type]
        await memory.settle()
        clock.move(minutes=1)


async def test_a_summary_is_made_every_four_exchanges(listener: Memory, clock: Clock, reader: NotationReader) -> None:
    await talked(listener, clock, 3)
    assert await session_notes(listener) == []
    await talked(listener, clock, 1)
    [note] = await session_notes(listener)
    assert (note.summary, len(note.message_ids)) == ("So far 8 messages (mood: neutral)", 8)
    await talked(listener, clock, 3)
    assert await session_notes(listener) == [note]
    await talked(listener, clock, 1)
    [renewed] = await session_notes(listener)
    assert (renewed.id, renewed.version, renewed.summary) == (note.id, 2, "So far 16 messages (mood: neutral)")
    assert [previous for _, previous in reader.summarised] == [None, note.summary]


async def test_the_summary_stands_before_six_messages_until_an_idle_hour(listener: Memory, clock: Clock) -> None:
    await talked(listener, clock, 4)
    context = await listener.load(user="ana", query="hello")
    assert context.summary == "So far 8 messages (mood: neutral)"
    assert [message.text for message in context.recent] == [
        "said 1", "replied 1", "said 2", "replied 2", "said 3", "replied 3"
    ]  # fmt: skip
    assert "- (before) “So far 8 messages (mood: neutral)”" in context.text
    clock.move(minutes=59)
    assert (await listener.load(user="ana", query="hello")).summary is not None
    clock.move(minutes=2)
    after = await listener.load(user="ana", query="hello")
    assert (after.summary, after.recent) == (None, ())


async def test_a_summary_of_what_is_shown_anyway_is_left_out(tmp_path: Path, clock: Clock) -> None:
    async with a_memory(await a_store("memory", tmp_path), clock=clock, reader=NotationReader()) as memory:
        for number in range(4):
            await memory.save(user="ana", said=f"said {number}")
        await memory.settle()
        context = await memory.load(user="ana")
        assert (context.summary, len(context.recent)) == (None, 4)


async def test_summaries_of_conversations_and_places_stay_apart(listener: Memory, clock: Clock) -> None:
    await talked(listener, clock, 4, conversation="c1")
    await talked(listener, clock, 4, space="g1", channel="x")
    assert (await listener.load(user="ana", conversation="c1")).summary is not None
    assert (await listener.load(user="ana", conversation="c2")).summary is None
    assert (await listener.load(user="ana", space="g1", channel="x")).summary is not None
    assert (await listener.load(user="ana", space="g1", channel="y")).summary is None
    assert (await listener.load(user="ana", space="g2", channel="x")).summary is None


async def test_a_long_talk_is_told_briefly_and_its_messages_stay(listener: Memory, clock: Clock) -> None:
    for number in range(6):
        await listener.save(user="ana", said=f"{number} " + "many words here " * 400)
        clock.move(minutes=1)
    context = await listener.load(user="ana", budget=50_000)
    told_briefly = 6 - len(context.recent)
    assert 0 < told_briefly < 6
    assert sum(listener._tokens.count(message.text) for message in context.recent) <= 4_000
    assert context.summary == f"So far {told_briefly} messages (mood: neutral)"
    assert len(await listener.messages(user="ana")) == 6
    assert context.recent[-1].text.startswith("5 ")


async def test_a_spaces_topics_are_left_for_the_night_of_who_spoke_last(listener: Memory, clock: Clock) -> None:
    recife = timezone(timedelta(hours=-3))
    for number in range(2):
        for user in ("ana", "bia"):
            await listener.save(user=user, said=f"hello {number}", space="g1", at=clock.now.astimezone(recife))
        clock.move(minutes=30)
        await listener.settle()
    [job] = await listener._store.jobs(kinds=(CLUSTER,))
    assert (job.scope.space, job.key, job.payload) == ("g1", CLUSTER, {"zone": "-03:00"})
    assert job.due_at == datetime(2026, 3, 2, 6, tzinfo=UTC)


class Flaky(InMemoryStore):
    """Breaks at one of its writes, before or after it was done, as a connection does."""

    def __init__(self) -> None:
        super().__init__(BilingualAnalyzer())
        self.left: int | None = None  # writes until it breaks
        self.too_late = False

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        breaks = self.left == 0
        if self.left is not None:
            self.left -= 1
        if breaks and not self.too_late:
            raise StoreUnavailableError("gone for a moment")
        receipt = await super().apply(scope, ops)
        if breaks:
            raise StoreUnavailableError("gone before it could say so")
        return receipt


@pytest.mark.parametrize("too_late", [False, True])
@pytest.mark.parametrize("write", range(12))
async def test_a_write_that_breaks_anywhere_is_made_up_for_once(clock: Clock, write: int, too_late: bool) -> None:
    """Closing, noting, learning of two people, settling a case that was asked about, a working summary."""
    store = Flaky()
    async with a_memory(store, clock=clock, reader=NotationReader()) as memory:
        await memory.save(user="ana", said="[birthday=5 May] [birthday=6 May]", space="g1")
        await memory.settle(flush=True)
        assert (await memory.load(user="ana", space="g1")).question is not None
        await memory.settle()
        await memory.save(user="ana", said="hello", replied="Which birthday is right?", space="g1")
        for number, (user, said) in enumerate((("ana", "the 6th"), ("bia", "[likes=tea]"), ("bia", "[likes=tea]"))):
            clock.move(minutes=1)
            await memory.save(user=user, said=f"{said} [weight={number} kg]", replied="ok", space="g1")
        store.left, store.too_late = write, too_late
        clock.move(minutes=30)
        await memory.settle()
        assert store.left < 0 or write > 6, "nothing broke"
        store.left = None
        for _ in range(4):
            clock.move(minutes=30)
            await memory.settle()
        assert {job.kind for job in await store.jobs()} <= {*NIGHT_WORK}
        assert (await memory.verify()).problems == ()
        [case] = await memory.conflicts(user="ana")
        assert (case.case.outcome, case.new.value, case.new.validated) == ("new", "6 May", True)
        notes = await memory.notes(user="ana", space="g1")
        assert [len(note.message_ids) for note in notes] == [8, 1]
        known = {user: await memory.list(user=user, history=True) for user in ("ana", "bia")}
        assert {user: sorted((item.value, item.observations) for item in items) for user, items in known.items()} == {
            "ana": [("0 kg", 1), ("5 May", 1), ("6 May", 1)],
            "bia": [("1 kg", 1), ("2 kg", 1), ("tea", 2)],
        }
        assert (len(await memory.conflicts(user="bia")), await memory.missing_vectors()) == (1, 0)


async def test_a_summary_keeps_nothing_of_whoever_is_forgotten_while_it_is_written(clock: Clock) -> None:
    async def forget_bia(_talk: Talk) -> None:
        await memory.forget(user="bia", all=True)

    reader = NotationReader(on_summary=forget_bia)
    store = InMemoryStore(BilingualAnalyzer())
    async with a_memory(store, clock=clock, reader=reader) as memory:
        for number in range(2):
            await memory.save(user="bia", said=f"secret {number}", space="g1")
            await memory.save(user="ana", said=f"hello {number}", space="g1")
        await memory.settle()
        assert len(reader.summarised) == 1
        [note] = await memory.notes(user="ana", space="g1", kind="session")
        assert (note.summary, note.participants, note.message_ids) == ("…", (), ())
        assert (await memory.load(user="ana", space="g1")).summary in (None, "…")
