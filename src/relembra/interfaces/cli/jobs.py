"""The queue of work: what waits, what failed and why; trying it again, doing it now, taking it out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from rich.text import Text

from relembra.domain.jobs import AT_ONCE, BEGIN, FLUSH, INDEX, LEARNING, NIGHT_WORK, SUMMARISE, Job, JobState
from relembra.domain.scope import Scope
from relembra.domain.time import system_clock
from relembra.errors import InvalidInputError
from relembra.interfaces.cli.call import OTHER, Answer, Call, verb
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, working
from relembra.interfaces.cli.words import Words
from relembra.interfaces.sentences import due, trouble_of

KINDS = (INDEX, FLUSH, *LEARNING, BEGIN, SUMMARISE, *NIGHT_WORK)
STYLES = {JobState.WAITING: "", JobState.RUNNING: "cyan", JobState.DEAD: "red"}
LOOKED_AT = 1_000


async def jobs(call: Call, *, kind: Sequence[str] = (), state: str | None = None, limit: int = 100) -> Answer:
    """Everybody's, or with --user one person's."""
    if unknown := [one for one in kind if one not in KINDS]:
        raise InvalidInputError(
            f"there is no work called {unknown[0]!r}; choose one of {', '.join(KINDS)}", field="work"
        )
    user = call.typed.get("user")
    async with call.reading() as memory:
        found = await memory.jobs(user=user, state=state, kind=kind, limit=limit, tenant=call.tenant)
    empty = "empty.jobs.filtered" if state or kind else "empty.jobs.person" if user else "empty.jobs"
    return Answer(found, partial(show_jobs, now=system_clock(), most=limit, empty=empty), json={"items": found})


async def retry(call: Call, *, id: str | None = None) -> Answer:
    """One piece with its tries counted anew, or everything that was given up."""
    if id is not None:
        return await _one(call, id)
    async with call.existing() as memory:
        revived = await memory.retry()
        with working(call.words("jobs.working")):
            await memory.settle()
        jobs = (await memory.stats()).jobs
        left = len(await memory.failed_jobs()) if revived else 0

    def show(terminal: Terminal, revived: int) -> None:
        count = terminal.words.count
        terminal.say("retry.done" if revived else "retry.nothing", "green", count=count("job", revived))
        if left:
            terminal.say("retry.left", "yellow", count=count("job", left))

    return Answer(revived, show, json={"retried": revived, "jobs": dict(jobs)})


async def run(call: Call, *, id: str | None = None) -> Answer:
    """One piece now, or everything that is due."""
    if id is not None:
        return await _one(call, id)
    async with call.existing() as memory:
        before = system_clock()
        with working(call.words("jobs.working")):
            claimed = await memory.settle()
        left = await memory.jobs(limit=LOOKED_AT, tenant=call.tenant)
    failed = [job for job in left if claimed and job.error is not None and _was_tried(job, before)]
    waiting = sorted(
        (job for job in left if job.state is JobState.WAITING and job not in failed), key=lambda job: job.due_at
    )
    return _ran(max(0, claimed - len(failed)), failed, waiting[:1])


async def _one(call: Call, id: str) -> Answer:
    """Do one piece of work, with whatever else is due."""
    async with call.existing() as memory:
        job = await memory.job(id)
        with working(call.words("jobs.working")):
            left = await memory.run_job(job.id)
    if left is None:
        return _ran(1)
    return _ran(0, failed=[left]) if left.error is not None else _ran(0, upcoming=[left], left=[left])


def _ran(done: int, failed: Sequence[Job] = (), upcoming: Sequence[Job] = (), left: Sequence[Job] = ()) -> Answer:
    """What was done, what failed, and what comes next; programs get what is left."""

    def show(terminal: Terminal, done: int) -> None:
        words, now = terminal.words, system_clock()
        if done:
            terminal.say("jobs.done", "green", count=words.count("job", done))
        elif not failed:
            terminal.say("jobs.nothing")
        if failed:
            terminal.say("jobs.failed", "red", count=words.count("job", len(failed)))
            show_jobs(terminal, failed, now=now)
        for job in upcoming:
            terminal.say("jobs.next", DIM, work=_work_of(words, job), due=due(words, job.due_at, now))

    return Answer(done, show, OTHER if failed else 0, json={"done": done, "left": [*failed, *left]})


def _work_of(words: Words, job: Job) -> str:
    """What the work is and whose: "consolidation (ana)"."""
    return f"{words.name('work', job.kind)} ({owner(words, job.scope)})"


def owner(words: Words, scope: Scope) -> str:
    """A person by their name, a space as one."""
    return clean(scope.user) if scope.space is None else words("jobs.space", space=clean(scope.space))


def _is_due(job: Job, now: datetime) -> bool:
    return job.state is JobState.WAITING and job.due_at <= now


def _was_tried(job: Job, since: datetime) -> bool:
    """Whether it failed just now: given up, or put off to a moment that was not there before."""
    return job.attempts > 0 and (job.state is JobState.DEAD or job.due_at > since)


def _due(words: Words, job: Job, now: datetime) -> str:
    return "" if job.state is not JobState.WAITING else due(words, job.due_at, now)


def _state(words: Words, job: Job) -> Text:
    return Text(words(f"job_state.{job.state}"), STYLES[job.state])


def show_jobs(
    terminal: Terminal, found: Sequence[Job], *, now: datetime, most: int = LOOKED_AT, empty: str = "empty.jobs"
) -> None:
    if not found:
        terminal.say(empty)
        return
    words = terminal.words
    terminal.rows(
        "work~ state due whose~/ tries=attempts>? reason*/ id"
        if terminal.roomy
        else "work* state due~ whose/ reason/ id",
        found,
        work=lambda _, job: words.name("work", job.kind),
        state=lambda _, job: _state(words, job),
        due=lambda _, job: _due(words, job, now),
        whose=lambda _, job: owner(words, job.scope),
        reason=lambda _, job: clean(trouble_of(words, job.error)),
    )
    if len(found) >= most:
        terminal.hint("jobs.full")
    if any(job.state is JobState.DEAD for job in found):
        terminal.hint("jobs.dead.how", "yellow")
    elif any(_is_due(job, now) and job.due_at > AT_ONCE for job in found):
        terminal.hint("jobs.left")


def _cancelled(terminal: Terminal, gone: Job) -> None:
    terminal.say("jobs.cancelled", "green", work=_work_of(terminal.words, gone))
    if gone.kind in NIGHT_WORK:
        terminal.say("jobs.cancelled.night", DIM)


def _panel(terminal: Terminal, job: Job) -> None:
    words = terminal.words
    rows = {
        "work": words.name("work", job.kind),
        "whose": owner(words, job.scope),
        "state": _state(words, job),
        "due": _due(words, job, system_clock()),
        "tries": job.attempts,
        "reason": clean(trouble_of(words, job.error)),
        "queued": job.created_at,
        "leased": job.lease_until,
        "id": job.id,
    }
    terminal.panel(terminal.labels(rows), words("jobs.title"))
    if job.state is JobState.DEAD:
        terminal.hint("jobs.dead.how", "yellow")


show = verb("job", _panel)
cancel = verb("cancel_job", _cancelled, opens="existing")
