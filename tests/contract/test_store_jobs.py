"""What the queue promises: claimed once, leased, given back, finished with its effects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import ANA, BIA, NOW, STRANGERS, a_job, an_id, an_item, ids_of, kept, minutes, puts
from relembra.domain.jobs import Job, JobState
from relembra.domain.scope import Scope
from relembra.errors import ConflictError
from relembra.store.port import Enqueue, FinishJob, Store

LEASE = minutes(5)


async def claim(store: Store, *kinds: str, at: float = 0, limit: int = 10) -> list[Job]:
    """Claim the given minutes after NOW."""
    return await store.claim(kinds or ("index",), now=NOW + minutes(at), lease=LEASE, limit=limit)


async def test_every_part_of_a_job_is_kept(store: Store) -> None:
    job = a_job(payload={"ids": [an_id(), an_id()], "n": 1, "ok": True, "deep": {"a": [None, 0.5]}})
    await kept(store, job)
    assert await store.jobs() == [job]


async def test_a_due_job_is_taken_for_the_length_of_the_lease_and_the_attempt_counted(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    running = replace(job, state=JobState.RUNNING, attempts=1, lease_until=NOW + LEASE)
    assert await claim(store) == [running]
    assert await store.jobs() == [running]


async def test_each_job_goes_to_one_claimer(store: Store) -> None:
    jobs = [a_job() for _ in range(5)]
    await kept(store, *jobs)
    first, second, third = await claim(store, limit=3), await claim(store, limit=3), await claim(store, limit=3)
    assert sorted(ids_of([*first, *second])) == sorted(ids_of(jobs))
    assert third == []


async def test_the_oldest_due_is_taken_first(store: Store) -> None:
    late, early, middle = (a_job(due_at=NOW - minutes(ago)) for ago in (1, 3, 2))
    await kept(store, late, early, middle)
    assert ids_of(await claim(store, limit=2)) == [early.id, middle.id]


async def test_a_job_not_yet_due_waits(store: Store) -> None:
    await kept(store, a_job(due_at=NOW + minutes(1)))
    assert await claim(store) == []
    assert len(await claim(store, at=1)) == 1


async def test_only_jobs_of_the_asked_kinds_are_taken(store: Store) -> None:
    index, note, other = a_job(kind="index"), a_job(kind="note"), a_job(kind="other")
    await kept(store, index, note, other)
    assert set(ids_of(await claim(store, "index", "note"))) == {index.id, note.id}
    assert await store.claim((), now=NOW, lease=LEASE, limit=10) == []


async def test_jobs_of_everybody_are_taken(store: Store) -> None:
    await kept(store, a_job(), a_job(scope=BIA))
    assert {job.scope for job in await claim(store)} == {ANA, BIA}


async def test_a_job_whose_lease_ran_out_is_due_again(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    await claim(store)
    assert await claim(store, at=4) == []
    [again] = await claim(store, at=6)
    assert again == replace(job, state=JobState.RUNNING, attempts=2, lease_until=NOW + minutes(11))


async def test_a_failed_job_is_given_back_with_its_reason_due_later(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    await claim(store)
    await store.fail(job.id, error="no model", retry_at=NOW + minutes(10))
    assert await store.jobs() == [replace(job, attempts=1, error="no model", due_at=NOW + minutes(10))]
    assert await claim(store, at=9) == []
    [again] = await claim(store, at=10)
    assert again.attempts == 2


async def test_a_job_handed_back_is_due_as_before_and_the_try_is_not_counted(store: Store) -> None:
    job, other, waiting = a_job(), a_job(), a_job(due_at=NOW + minutes(5))
    await kept(store, job, other, waiting)
    await claim(store)
    await store.fail(other.id, error="no model", retry_at=NOW + minutes(1))
    await store.hand_back([job.id, other.id, waiting.id, an_id(), "no id"])
    held = {row.id: row for row in await store.jobs()}
    assert held == {
        job.id: job,
        other.id: replace(other, attempts=1, error="no model", due_at=NOW + minutes(1)),
        waiting.id: waiting,
    }
    [again] = await claim(store)
    assert (again.id, again.attempts) == (job.id, 1)


async def test_a_job_failed_for_good_is_dead(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    await claim(store)
    await store.fail(job.id, error="broken", retry_at=None)
    [dead] = await store.jobs(state=JobState.DEAD)
    assert (dead.id, dead.state, dead.error, dead.lease_until) == (job.id, JobState.DEAD, "broken", None)
    assert await claim(store, at=1_000) == []
    assert await store.next_due() is None


async def test_a_dead_job_lives_again_when_somebody_retries_it(store: Store) -> None:
    job = a_job()
    await kept(store, job)
    await store.fail(job.id, error="broken", retry_at=None)
    await store.fail(job.id, error="broken", retry_at=NOW)
    assert ids_of(await claim(store)) == [job.id]


async def test_failing_a_gone_job_leaves_it_gone(store: Store) -> None:
    await store.fail(an_id(), error="late", retry_at=NOW)
    assert await store.jobs() == []


async def test_jobs_are_listed_by_state_oldest_due_first(store: Store) -> None:
    jobs = [a_job(due_at=NOW - minutes(ago)) for ago in (1, 3, 2)]
    late = a_job(due_at=NOW + minutes(5), scope=BIA)
    await kept(store, *jobs, late)
    assert ids_of(await store.jobs()) == [jobs[1].id, jobs[2].id, jobs[0].id, late.id]
    assert len(await store.jobs(limit=2)) == 2
    [taken] = await claim(store, limit=1)
    assert ids_of(await store.jobs(state=JobState.RUNNING)) == [taken.id]
    assert ids_of(await store.jobs(state=JobState.WAITING)) == [jobs[2].id, jobs[0].id, late.id]


async def test_next_due_is_the_next_waiting_job_or_the_end_of_the_next_lease(store: Store) -> None:
    assert await store.next_due() is None
    await kept(store, a_job(due_at=NOW))
    assert await store.next_due() == NOW
    await claim(store)
    assert await store.next_due() == NOW + LEASE
    await kept(store, a_job(due_at=NOW + minutes(2)))
    assert await store.next_due() == NOW + minutes(2)
    await kept(store, a_job(due_at=NOW + minutes(9)))
    assert await store.next_due() == NOW + minutes(2)


async def test_a_finished_job_goes_with_its_effects(store: Store) -> None:
    job, item = a_job(), an_item()
    await kept(store, job)
    await claim(store)
    await store.apply(ANA, [*puts(item), FinishJob(job.id)])
    assert await store.jobs() == []
    assert await store.items(ANA, [item.id]) == [item]


async def test_a_job_that_is_gone_already_is_a_conflict_and_has_no_effects(store: Store) -> None:
    job, item = a_job(), an_item()
    await kept(store, job)
    await store.apply(ANA, [FinishJob(job.id)])
    with pytest.raises(ConflictError):
        await store.apply(ANA, [*puts(item), FinishJob(job.id)])
    assert await store.items(ANA, [item.id]) == []


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_another_persons_job_cannot_be_finished(store: Store, stranger: Scope) -> None:
    job = a_job()
    await kept(store, job)
    with pytest.raises(ConflictError):
        await store.apply(stranger, [FinishJob(job.id)])
    assert await store.jobs() == [job]


async def test_a_job_left_and_finished_together_leaves_nothing(store: Store) -> None:
    job = a_job()
    await store.apply(ANA, [Enqueue(job), FinishJob(job.id)])
    assert await store.jobs() == []


async def test_jobs_of_a_kind_in_a_state_are_dropped_for_everybody_and_counted(store: Store) -> None:
    dead = [a_job(state=JobState.DEAD), a_job(scope=BIA, state=JobState.DEAD)]
    others = [a_job(), a_job(kind="note", state=JobState.DEAD)]
    await kept(store, *dead, *others)
    assert await store.drop_jobs(kind="index", state=JobState.DEAD) == 2
    assert set(ids_of(await store.jobs())) == set(ids_of(others))
    assert await store.drop_jobs(kind="index", state=JobState.DEAD) == 0
    assert (await store.stats(BIA)).people == 0


async def test_hastening_makes_the_waiting_jobs_of_a_kind_due_now(store: Store) -> None:
    later, theirs = (a_job(due_at=NOW + minutes(30), scope=scope) for scope in (ANA, BIA))
    overdue = a_job(due_at=NOW - minutes(1))
    others = [a_job(kind="note", due_at=NOW + minutes(9)), a_job(state=JobState.DEAD, due_at=NOW + minutes(9))]
    await kept(store, later, theirs, overdue, *others)
    assert await store.hasten("index", now=NOW) == 2
    assert await store.hasten("index", now=NOW) == 0
    hastened = [replace(job, due_at=NOW) for job in (later, theirs)]
    assert await store.jobs() == [overdue, *sorted(hastened, key=lambda job: job.id), *others]


async def test_hastening_may_be_for_one_scope_only(store: Store) -> None:
    mine, theirs = (a_job(due_at=NOW + minutes(30), scope=scope) for scope in (ANA, BIA))
    await kept(store, mine, theirs)
    assert await store.hasten("index", now=NOW, scope=BIA) == 1
    assert await store.jobs() == [replace(theirs, due_at=NOW), mine]


async def test_a_job_under_way_is_not_hastened(store: Store) -> None:
    await kept(store, a_job())
    running = await claim(store)
    assert await store.hasten("index", now=NOW - minutes(5)) == 0
    assert await store.jobs() == running


async def test_retrying_makes_dead_jobs_due_now_with_their_tries_counted_from_none(store: Store) -> None:
    job, other, waiting = a_job(), a_job(kind="note", scope=BIA), a_job(due_at=NOW + minutes(9))
    await kept(store, job, other, waiting)
    await claim(store, "index", "note")
    for id in (job.id, other.id):
        await store.fail(id, error="broken", retry_at=None)
    later = NOW + minutes(3)
    assert await store.retry(now=later, kind="index") == 1
    assert (await store.jobs())[:2] == [
        replace(other, state=JobState.DEAD, attempts=1, error="broken"),
        replace(job, due_at=later, error="broken"),
    ]
    assert await store.retry(now=later) == 1
    assert await store.retry(now=later) == 0
    assert [(again.attempts, again.error) for again in await claim(store, "index", "note", at=3)] == [(1, "broken")] * 2
