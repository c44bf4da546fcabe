"""Several workers on one file, clocks that jump, and people who decide while their night work runs."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memories import Clock, a_store
from nights import TUESDAY, NotationNight, remembering, say
from relembra import Memory
from relembra.domain.audit import ActorKind, AuditEntry, Target
from relembra.domain.candidate import Reread, Talk
from relembra.domain.jobs import CONSOLIDATE, Job, JobState, RunKind, RunStatus
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note, NoteKind
from relembra.domain.scope import Scope, new_id
from relembra.errors import NotFoundError
from relembra.store.port import Enqueue, Ledger, NoteFilter, Store, Whole
from seeds import a_seed

SHARING = Path(__file__).parent.parent / "sharing.py"
FOUR = datetime(2026, 3, 4, 4, tzinfo=UTC)


def together(work: str, db: Path, *words: str, workers: int = 2) -> None:
    """Let so many processes do the same work on one file, and wait for all."""
    command = [sys.executable, str(SHARING), work, str(db), *words]
    running = [subprocess.Popen([*command, str(number)], stderr=subprocess.PIPE) for number in range(workers)]
    for process in running:
        _, said = process.communicate(timeout=240)
        assert process.returncode == 0, said.decode()[-3_000:]
        assert b"failed" not in said, said.decode()[-3_000:]


async def test_two_workers_do_each_of_many_jobs_once(tmp_path: Path) -> None:
    """Every job writes one note; whoever else has it at hand too writes none."""
    store = await a_store("sqlite", tmp_path)
    people = [Scope("default", f"p{number}") for number in range(20)]
    for owner in people:
        jobs = [
            Job(id=new_id(), scope=owner, kind="write", payload={}, due_at=TUESDAY, created_at=TUESDAY)
            for _ in range(100)
        ]
        await store.apply(owner, [Enqueue(job) for job in jobs])
    await store.close()
    together("write", tmp_path / "m.db")
    store = await a_store("sqlite", tmp_path)
    written = Counter([note.title for owner in people for note in await notes_of(store, owner)])
    assert len(written) == 2_000
    assert set(written.values()) == {1}
    assert await store.jobs() == []
    assert {note.summary for owner in people for note in await notes_of(store, owner)} == {"by 0", "by 1"}
    assert (await store.verify()).problems == ()
    await store.close()


async def notes_of(store: Store, owner: Scope) -> list[Note]:
    return list((await store.page(owner, NoteFilter(kinds=(NoteKind.CONVERSATION,)), limit=1_000)).rows)


async def test_two_processes_that_begin_the_same_night_do_it_once_for_each_person(tmp_path: Path) -> None:
    people = [f"p{number}" for number in range(10)]
    clock = Clock(TUESDAY)
    async with remembering(await a_store("sqlite", tmp_path), clock) as memory:
        for user in people:
            await say(memory, clock, user, f"[fact={user} sings] {{fact={user} dances}}")
        clock.move(hours=1)
        await memory.settle()
    together("night", tmp_path / "m.db", FOUR.isoformat())
    async with remembering(await a_store("sqlite", tmp_path), Clock(FOUR)) as memory:
        for user in people:
            runs = await memory.consolidations(user=user, kind=None)
            assert [(run.kind, run.status, run.tally.created) for run in runs] == [
                (RunKind.CONSOLIDATION, RunStatus.COMPLETED, 2)
            ]
            assert sorted(item.content for item in await memory.list(user=user)) == [f"{user} dances", f"{user} sings"]
        left = await memory.jobs(limit=500)
        assert [job for job in left if job.kind == CONSOLIDATE or job.state is not JobState.WAITING] == []
        assert len(left) == 4 * len(people)
        assert (await memory.verify()).problems == ()


# ── clocks ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("jumps", [("forward", "back"), ("back", "forward")])
async def test_a_clock_that_jumps_between_nights(tmp_path: Path, jumps: tuple[str, ...]) -> None:
    clock = Clock(TUESDAY)
    async with remembering(await a_store("sqlite", tmp_path), clock) as memory:
        for number, jump in enumerate((None, *jumps)):
            clock.move(days={"forward": 365, "back": -7}.get(jump or "", 0))
            await say(memory, clock, "ana", f"[fact=told {number}] {{fact=meant {number}}}")
            clock.move(hours=1)
            await memory.settle()
            clock.move(days=1)
            await memory.settle()
        clock.move(days=2)
        await memory.settle()
        await assert_all_told(memory, len(jumps) + 1)


async def assert_all_told(memory: Memory, told: int) -> None:
    """Each thing once, accounted for, and nothing given up or stuck."""
    contents = sorted(item.content for item in await memory.list(user="ana"))
    assert contents == sorted(f"{verb} {number}" for number in range(told) for verb in ("told", "meant"))
    runs = await memory.consolidations(user="ana", limit=100)
    assert {run.status for run in runs} == {RunStatus.COMPLETED}
    assert sum(run.tally.messages for run in runs) == told
    assert len({run.night for run in runs}) == len(runs)
    due = await memory._store.unaccounted(Scope("default", "ana"), limit=100)
    assert (due.messages, due.changes) == ((), ())
    assert await memory.jobs(state="dead") == []
    assert await memory.jobs(state="running") == []
    assert (await memory.verify()).problems == ()


class Jumping(NotationNight):
    """Moves the clock by some days when it is first asked."""

    def __init__(self, clock: Clock, days: int) -> None:
        super().__init__()
        self.clock, self.days = clock, days

    async def reread(self, talk: Talk) -> Reread:
        self.clock.move(days=self.days)
        self.days = 0
        return await super().reread(talk)


@pytest.mark.parametrize("days", [365, -7])
async def test_a_clock_that_jumps_during_a_night(tmp_path: Path, days: int) -> None:
    """It jumps while the talk is read again; the night's work is done once all the same."""
    clock = Clock(TUESDAY)
    jumping = Jumping(clock, days)
    async with remembering(await a_store("sqlite", tmp_path), clock, night=jumping) as memory:
        for number in range(4):
            await say(memory, clock, "ana", f"[fact=told {number}] {{fact=meant {number}}}")
        clock.move(hours=1)
        await memory.settle()
        clock.now = FOUR
        await memory.settle()
        assert jumping.days == 0
        clock.move(days=8)
        await memory.settle()
        await assert_all_told(memory, 4)


# ── people ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_person_who_decides_while_their_nights_run_has_the_last_word(tmp_path: Path) -> None:
    """One process runs night after night; meanwhile Ana validates, deletes and forgets in another."""
    db, chance = tmp_path / "m.db", random.Random(a_seed())
    clock = Clock(TUESDAY)
    async with remembering(await a_store("sqlite", tmp_path), clock) as memory:
        for number in range(60):
            await memory.add(f"Knows song{number}", user="ana")
        await memory.settle()
    nights = subprocess.Popen([sys.executable, str(SHARING), "nights", str(db), "8", "0"], stderr=subprocess.PIPE)
    enough = db.with_suffix(".enough")
    validated, deleted, forgotten = set[str](), set[str](), set[str]()
    try:
        async with remembering(await a_store("sqlite", tmp_path), clock) as memory:
            while nights.poll() is None:
                await decided(memory, chance, validated, deleted, forgotten)
                if min(len(validated), len(deleted), len(forgotten)) > 3:
                    enough.touch()
    finally:
        nights.kill()
        _, said = nights.communicate()
    assert nights.returncode == 0, said.decode()[-3_000:]
    assert min(len(validated), len(deleted), len(forgotten)) > 3, "the nights were over too soon"
    async with remembering(await a_store("sqlite", tmp_path), Clock(TUESDAY + timedelta(days=90))) as memory:
        await memory.settle()
        await memory.settle()
        ana = Scope("default", "ana")
        for item in (await memory._store.page(ana, Whole(Ledger.ITEM), limit=10_000)).rows:
            after_all = machines_after_validation(await memory._store.trail(ana, Target.ITEM, item.id))
            assert after_all == []
        held = {item.id: item for item in await memory._store.get(ana, KnowledgeItem, sorted(validated - deleted))}
        assert all(item.validated for item in held.values())
        for id in deleted:
            [item] = await memory._store.get(ana, KnowledgeItem, [id])
            assert item.deleted_at is not None
        assert (await memory.verify()).problems == ()
        assert await memory.jobs(state="dead") == []
    everything = b"".join(path.read_bytes() for path in sorted(tmp_path.glob("m.db*")))
    assert [word for word in forgotten if word.encode() in everything] == []


SAID_AGAIN = {"observations", "reinforced_at", "message_ids", "updated_at", "version"}


def machines_after_validation(trail: Sequence[AuditEntry]) -> list[str]:
    """What programs and models did to a row its person had validated, but for counting that they said it again."""
    sure, found = False, []
    for entry in trail:
        before, after = entry.before or {}, entry.after or {}
        changed = {name for name in after if before.get(name) != after[name]}
        if sure and entry.actor.kind is not ActorKind.PERSON and not changed <= SAID_AGAIN:
            found.append(f"{entry.actor} {entry.verb}: {changed - SAID_AGAIN}")
        sure = bool(after.get("validated", sure))
    return found


async def decided(
    memory: Memory, chance: random.Random, validated: set[str], deleted: set[str], forgotten: set[str]
) -> None:
    """One act of Ana's on something the nights may be busy with; now and then she says something to be forgotten."""
    await memory.add(f"Knows song{chance.randrange(40)}", user="ana")
    items = await memory.list(user="ana", limit=200)
    item = chance.choice([item for item in items if not item.validated] or items)
    try:
        match chance.choice(["validate", "delete", "forget", "correct"]):
            case "validate":
                validated.add((await memory.validate(item.id, user="ana")).id)
            case "delete":
                deleted.add((await memory.delete(item.id, user="ana")).id)
            case "correct":
                await memory.correct(item.id, f"Knows tune{chance.randrange(10**9)}", user="ana")
            case _:
                word = f"marker{chance.randrange(10**12)}"
                said = f"[fact=Hides {word}] {{fact=Loves {word}}}"
                user = chance.choice(["ana", word])  # something is taken back, or somebody comes and goes
                await memory.save(user=user, said=said, conversation=word)
                await asyncio.sleep(chance.uniform(0, 0.15))
                await (
                    memory.forget(user=word, all=True) if user == word else memory.forget(user="ana", conversation=word)
                )
                forgotten.add(word)
    except NotFoundError:
        pass
