"""Listening and learning, killed at any moment or done by two processes: each message is noted and learnt once."""

from __future__ import annotations

import textwrap
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

from crashing import QUIET_AT_ONCE, both, crash, opened, talk
from memories import days_work
from relembra import Memory
from relembra.domain.time import system_clock
from seeds import rounds

PEOPLE = ("ana", "bia")


def long_after() -> datetime:
    """When every lease of a killed process has run out and every channel is quiet."""
    return system_clock() + timedelta(days=3)


async def everything_once(db: Path, said: dict[str, set[str]]) -> None:
    """That all that was acknowledged is noted once and learnt once; `said`: people's message ids."""
    async with opened(db, clock=long_after) as memory:
        await memory.settle()
        await memory.settle(flush=True)
        assert await days_work(memory) == []
        assert (await memory.verify()).problems == ()
        assert await memory.missing_vectors() == 0
        noted: Counter[str] = Counter()
        for user, space in (("ana", None), ("bia", None), ("ana", "g1")):
            notes = await memory.notes(limit=1_000, user=user, space=space)
            noted.update({id: 1 for note in notes for id in note.message_ids if space or not note.scope.space})
        assert all(times == 1 for times in noted.values())
        for user in PEOPLE:
            await learnt_once(memory, user, said.get(user, set()), noted)


async def learnt_once(memory: Memory, user: str, said: set[str], noted: Counter[str]) -> None:
    messages = [row for row in await memory.messages(user=user, limit=1_000) if row.role == "user"]
    ids = {row.id for row in messages}
    assert said <= ids
    assert ids <= set(noted)
    items = await memory.list(user=user, history=True, limit=1_000)
    facts = [item for item in items if item.attribute is None]
    assert sorted(item.message_ids[0] for item in facts) == sorted(ids)
    assert all(item.observations == 1 and item.note_id is not None for item in facts)
    tastes = [item for item in items if item.attribute == "likes"]
    assert sum(item.observations for item in tastes) == len(ids)
    weights = [item for item in items if item.attribute == "weight"]
    assert len(weights) == len(ids)
    cases = await memory.conflicts(user=user, limit=1_000)
    assert len({(case.old.id, case.new.id) for case in cases}) == len(cases)
    ended = [item for item in items if item.superseded_by is not None]
    assert {(item.id, item.superseded_by) for item in ended} <= {
        pair for case in cases for pair in ((case.old.id, case.new.id), (case.new.id, case.old.id))
    }


async def test_talk_killed_at_any_moment_is_noted_and_learnt_once(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    acknowledged = crash("talking", db, times=rounds(12))
    said = {who: {id for user, id in acknowledged if user == who} for who in PEOPLE}
    assert all(said.values())
    await everything_once(db, said)


async def test_learning_killed_again_and_again_ends_complete(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    said: dict[str, set[str]] = {who: set() for who in PEOPLE}
    async with opened(db, background=False) as memory:
        for number in range(100):
            user = PEOPLE[number % 2]
            at = system_clock() - timedelta(days=10) + timedelta(minutes=26 * (number // 4))
            space = "g1" if number % 3 == 0 else None
            saved = await memory.save(user=user, said=talk(number), replied="ok", space=space, at=at)
            said[user].add(saved.messages[0].id)
    lives = rounds(12)
    done = crash("learning", db, times=lives)
    assert len(done) < lives, "no life was too short, so nothing was tried"
    await everything_once(db, said)


async def test_two_processes_that_flush_the_same_buffers_learn_each_message_once(tmp_path: Path) -> None:
    db = tmp_path / "m.db"
    program = textwrap.dedent(
        """
        import asyncio, sys
        from pathlib import Path
        from crashing import QUIET_AT_ONCE, both, crash, opened, talk

        async def main(db, name):
            async with opened(Path(db), policy=QUIET_AT_ONCE) as memory:
                for number in range(30):
                    told = talk(number + 100 * (name == "bia"))
                    await memory.save(user=name, said=told, replied="ok", space="g1" if number % 2 else None)
                    if number % 6 == 5:
                        await memory.settle(flush=True)
                await memory.settle(flush=True)
        asyncio.run(main(sys.argv[1], sys.argv[2]))
        """
    )
    both(program, db, *PEOPLE)
    async with opened(db, policy=QUIET_AT_ONCE) as memory:
        said = {
            user: {row.id for row in await memory.messages(user=user, limit=1_000) if row.role == "user"}
            for user in PEOPLE
        }
    assert [len(ids) for ids in said.values()] == [30, 30]
    await everything_once(db, said)
