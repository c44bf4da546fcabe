"""Night work and the queue: do it now, read its records, take one back, and what waits or failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from shlex import quote
from typing import Any

from rich.text import Text

from relembra.background import RunDetail
from relembra.domain import jobs as work
from relembra.domain.jobs import AT_ONCE, NIGHT_WORK, Job, JobState, Run, RunKind, RunStatus, Tally
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Scope
from relembra.domain.time import system_clock
from relembra.errors import InvalidInputError
from relembra.interfaces import sentences
from relembra.interfaces.cli.call import OTHER, Answer, Call, agreed, saying, verb
from relembra.interfaces.cli.commands import Words
from relembra.interfaces.cli.items import confidence
from relembra.interfaces.cli.terminal import DIM, Cell, Terminal, clean, joined, pairs, short, stacked, table
from relembra.interfaces.sentences import Difference, Fate, Texts, differences, due, reason, trouble_of
from relembra.learn.rollback import RolledBack
from relembra.memory import Memory
from relembra.night.gardener import ActionKind, GardenAction

ALL = "all"
TROUBLED = (RunStatus.PARTIAL, RunStatus.FAILED)
STYLES: dict[str, str] = {
    **{RunStatus.RUNNING: "cyan", RunStatus.COMPLETED: "green", RunStatus.PARTIAL: "yellow", RunStatus.FAILED: "red"},
    **{RunStatus.ROLLED_BACK: DIM, JobState.RUNNING: "cyan", JobState.DEAD: "red"},
}
KINDS = (work.INDEX, work.FLUSH, *work.LEARNING, work.BEGIN, work.EVENT, work.SUMMARISE, work.REPLY, *NIGHT_WORK)
LOOKED_AT = 1_000
MARKS: dict[Fate | ActionKind, tuple[str, str]] = {
    Fate.CREATED: ("+", "green"),
    Fate.CHANGED: ("~", "cyan"),
    Fate.ENDED: ("−", "red"),
    Fate.MERGED: ("⇒", "magenta"),
    Fate.ARCHIVED: ("▾", "yellow"),
    Fate.NOTE: ("¶", "blue"),
    ActionKind.MERGE: ("⇒", "magenta"),
    ActionKind.FADE: ("↓", "yellow"),
    ActionKind.ARCHIVE: ("▾", "yellow"),
    ActionKind.RAISE: ("↑", "green"),
    ActionKind.LOWER: ("↓", "cyan"),
    ActionKind.ARCHIVE_NOTE: ("▾", "yellow"),
    ActionKind.CONDENSE: ("≈", "blue"),
}
MOST_SHOWN = 40
"""Rows of one kind a person is shown at once; programs get all of them."""


def _owner(call: Call, space: str | None) -> dict[str, Any]:
    """Whose records: a space's as a whole where one is named, else the person's."""
    return {"user": call.user if space is None else None, "space": space, "tenant": call.tenant}


async def consolidate(call: Call) -> Answer:
    """What is done stays done; where some of it could not be done, the record says so."""
    async with call.existing("consolidate.working") as memory:
        run = await memory.consolidate(**call.person)
        return saying(None, "consolidate.nothing") if run is None else await _record(call, memory, run.id)


async def garden(call: Call, *, dry_run: bool = False) -> Answer:
    """Tends the memory and shows the record, or with --dry-run only says what it would do."""
    if dry_run:
        async with call.reading() as memory:
            plan = await memory.garden_plan(**call.person)
        return Answer(plan, show_plan, json={"deeds": plan})
    async with call.existing("garden.working") as memory:
        run = await memory.garden(**call.person)
        return await _record(call, memory, run.id, nothing="garden.nothing")


async def consolidations(
    call: Call,
    *,
    id: str | None = None,
    kind: Sequence[str] = (),
    space: str | None = None,
    everybody: bool = False,
    **page: Any,
) -> Answer:
    """All records, or one."""
    if id is not None:
        async with call.reading() as memory:
            return replace(await _record(call, memory, id, space=space), code=0)
    if unknown := [one for one in kind if one not in {*RunKind, ALL}]:
        raise InvalidInputError(f"there is no kind of record {unknown[0]!r}", field="kind")
    is_every = ALL in kind or (not kind and space is not None)
    kinds = None if is_every else list(kind) or [RunKind.CONSOLIDATION]
    whose = _owner(call, space) | ({"user": None} if everybody else {})
    async with call.reading() as memory:
        listing = await memory.consolidations(kind=kinds, **whose, **page)
    empty = "empty.runs.everybody" if everybody else "empty.runs"
    if space is not None and not kind:
        empty = "empty.runs.space"
    elif kinds != [RunKind.CONSOLIDATION]:
        empty = "empty.runs.kind"
    return Answer(listing, partial(show_records, everybody=everybody, empty=empty))


async def _record(call: Call, memory: Memory, id: str, *, space: str | None = None, nothing: str = "") -> Answer:
    """One record whole; `nothing`: what to say of one that changed nothing."""
    detail = await memory.consolidation(id, **_owner(call, space))
    rows, run = differences(detail.entries), detail.run
    texts = await sentences.texts_of(memory, rows, call.person, space=space)

    def show(terminal: Terminal, _: Any) -> None:
        if nothing and not rows and run.error is None:
            terminal.say(nothing)
            return
        show_record(terminal, detail, texts)
        if run.status in TROUBLED:
            terminal.say("run.unlearnt.how", DIM)
        if run.changes and run.status is not RunStatus.ROLLED_BACK:
            of_space = "" if space is None else f" --space {quote(space)}"
            terminal.hint("run.back.how", id=short(run.id) + of_space)

    return Answer(detail, show, OTHER if run.status in TROUBLED else 0)


async def rollback(call: Call, *, id: str, space: str | None = None, yes: bool = False, **by: Any) -> Answer:
    """Says what will be taken back and asks; then what was, what was left and why, and how to undo it."""
    async with call.existing() as memory:
        detail = await memory.consolidation(id, **_owner(call, space))
        rows, run, words = differences(detail.entries), detail.run, call.words
        question = words(
            "rollback.ask",
            work=words.name("run", run.kind),
            when=sentences.day(words, run.night or run.started_at.astimezone().date()),
            counts=counts(words, run.tally, messages=False) or words("run.nothing"),
        )
        if not yes and not agreed(call, question, cannot="rollback.cannot"):
            return saying(RolledBack(run, (), (), None), "rollback.kept")
        texts = await sentences.texts_of(memory, rows, call.person, space=space)
        done = await memory.rollback(run.id, **by, **_owner(call, space))
    return Answer(done, partial(_taken_back, rows=rows, texts=texts))


def _taken_back(terminal: Terminal, done: RolledBack, rows: Sequence[Difference], texts: Texts) -> None:
    words = terminal.words
    if not done.restored and not done.left:
        terminal.say("rollback.nothing")
        return
    numbers = {"restored": len(done.restored), "left": len(done.left)}
    said = " · ".join(words.count(name, number) for name, number in numbers.items() if number)
    terminal.say("rollback.done", "green bold", counts=said)
    new = {row.id for row in rows if row.before is None}
    left = {one.id: clean(sentences.why_left(words, one.why)) for one in done.left}
    lines: list[tuple[Text, str, Text]] = []
    for id in done.restored:
        state = words("rollback.gone" if id in new else "rollback.restored")
        lines.append((Text("↺", "green"), id, joined([state, left.pop(id, "")], "; ")))
    lines += [(Text("=", "yellow"), id, Text(why)) for id, why in left.items()]
    named = ((mark, terminal.named(texts.get(id) or words("diff.forgotten"), id, why)) for mark, id, why in lines)
    terminal.show(pairs(named, ""))
    if done.change is not None and done.run.scope.space is None:
        terminal.say("rollback.undo", DIM, change=done.change)


async def insights(call: Call, *, now: bool = False) -> Answer:
    """What was found so far; with --now what was said is looked through first."""
    run: Run | None = None
    async with call.existing("insights.working") if now else call.reading() as memory:
        if now:
            run = await memory.find_insights(**call.person)
        found = await memory.insights(**call.person)

    def show(terminal: Terminal, found: Sequence[KnowledgeItem]) -> None:
        show_insights(terminal, found)
        if found:
            terminal.hint("insights.how")
        elif run is None:
            terminal.say("empty.insights.how")
        if run is not None and run.tally.messages:
            did = counts(terminal.words, run.tally, messages=False) or terminal.words("insights.looked.nothing")
            terminal.hint("insights.looked", messages=terminal.words.count("message", run.tally.messages), counts=did)

    return Answer(found, show, OTHER if run and run.status in TROUBLED else 0, json={"items": found, "run": run})


def _insight(terminal: Terminal, item: KnowledgeItem) -> Text:
    days = terminal.words("insights.days", n=terminal.words.whole(item.observations))
    details = Text(joined([days, clean(item.evidence or "")]).plain, DIM)
    return stacked([terminal.cell(item.content, "bold"), details])


show_insights = table(
    "insight* confidence id",
    "empty.insights",
    insight=_insight,
    confidence=lambda terminal, item: confidence(terminal, item).append(f" {terminal.words.number(item.confidence)}"),
)


def show_plan(terminal: Terminal, plan: Sequence[GardenAction]) -> None:
    """What the gardener would do, kind by kind, each with why and how it was before."""
    words = terminal.words
    if not plan:
        terminal.say("garden.nothing")
        return

    def row(action: GardenAction) -> Text:
        details = joined(map(clean, (sentences.part_of(words, action), reason(words, action.why))))
        return terminal.named(action.shown, action.ids[0], details)

    for kind in ActionKind:
        rows = [row(action) for action in plan if action.kind is kind]
        _group(terminal, f"{words(f'deed.{kind}')} ({words.whole(len(rows))})", kind, rows)
    terminal.say("garden.would", "bold", count=words.count("deed", len(plan)))
    terminal.hint("garden.would.how")


def _group(terminal: Terminal, title: str, kind: Fate | ActionKind, rows: Sequence[Text]) -> None:
    """Rows of one kind under its title, each after its mark; on a terminal not all of many."""
    if not rows:
        return
    if terminal.watched:
        terminal.show(Text(title, "bold"))
    mark, colour = MARKS[kind]
    shown = rows[:MOST_SHOWN] if terminal.watched else rows
    terminal.show(pairs(((Text(mark, f"{colour} bold"), row) for row in shown), ""))
    if len(rows) > len(shown):
        terminal.show(Text(f"   … +{terminal.words.whole(len(rows) - MOST_SHOWN)}", DIM))


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────


def counts(words: Words, tally: Tally, *, messages: bool = True) -> str:
    """What a record did, in numbers; nothing that is none."""
    read = words.count("message", tally.messages) if messages and tally.messages else ""
    return joined([read, *sentences.counts(words, tally).values()]).plain


def _night(terminal: Terminal, run: Run) -> str:
    """The night it was the work of, or when the user asked for it."""
    if run.night is None:
        return f"{terminal.date(run.started_at)}, {terminal.words('run.by_hand')}"
    return sentences.day(terminal.words, run.night)


def _error(terminal: Terminal, row: Run | Job) -> Text:
    return Text(clean(trouble_of(terminal.words, row.error)), "yellow")


def _done(terminal: Terminal, run: Run) -> Text:
    words = terminal.words
    model = Text(sentences.model(words, run), DIM)
    return stacked([counts(words, run.tally) or words("run.nothing"), model, _error(terminal, run)])


RECORD: dict[str, Callable[[Terminal, Run], Cell]] = {
    "night": _night,
    "whose": lambda terminal, run: owner(terminal.words, run.scope),
    "status": lambda terminal, run: Text(terminal.words(f"run_status.{run.status}"), STYLES[run.status]),
    "took": lambda terminal, run: "" if run.duration is None else sentences.span(terminal.words, run.duration),
}
"""Parts of a record, in a table of many and on the page of one."""


def show_records(
    terminal: Terminal, found: Sequence[Run], *, everybody: bool = False, empty: str = "empty.runs"
) -> None:
    """Records, newest first."""
    columns = f"night work {'whose~' if everybody else ''} done* status/ took>/ id"
    show = table(columns, empty, work=lambda _, run: terminal.words.name("run", run.kind), done=_done, **RECORD)
    show(terminal, found)


def show_record(terminal: Terminal, detail: RunDetail, texts: Texts) -> None:
    """One record whole: its figures, then what it changed."""
    words, run = terminal.words, detail.run
    said = {name: part(terminal, run) for name, part in RECORD.items()}
    took = said.pop("took")
    rows = {
        "work": words.name("run", run.kind),
        **said,
        "error": _error(terminal, run),
        "covers": sentences.covers(words, run, terminal.moment),
        "read": words.count("message", run.tally.messages) if run.tally.messages else "",
        "did": counts(words, run.tally, messages=False) or words("run.nothing"),
        "memory": sentences.version(words, run),
        "model": sentences.model(words, run) or words("run.no_model"),
        "took": took,
        "id": run.id,
    }
    terminal.panel(terminal.labels(rows), rows["work"])
    changed = differences(detail.entries)
    for fate in Fate:
        lines = [
            terminal.named(texts.get(row.id) or words("diff.forgotten"), row.id, *_details(terminal, row, texts))
            for row in changed
            if row.fate is fate
        ]
        _group(terminal, words(f"diff.{fate}"), fate, lines)


def _details(terminal: Terminal, row: Difference, texts: Texts) -> list[Text | str]:
    """What became of a row, and why."""
    words = terminal.words
    why = "" if row.why is None else clean(reason(words, row.why))
    match row.fate:
        case Fate.NOTE:
            return [sentences.note_fate(words, row), why]
        case Fate.CREATED:
            kinds = (words.name(name, row.after.get(name)) for name in ("type", "area"))
            return [joined([*kinds, why if row.after.get("type") == "insight" else ""])]
        case Fate.ENDED | Fate.MERGED:
            came = words("diff.same_record") if row.before is None else ""
            became = words("diff.deleted") if row.after.get("deleted_at") else ""
            if row.becomes is not None:
                key = "diff.merged_into" if row.fate is Fate.MERGED else "diff.replaced_by"
                became = words(key, content=clean(texts.get(row.becomes, words("diff.forgotten"))))
            return [joined([came, became, why])]

    def part(name: str, value: Any) -> str:
        return clean(sentences.part_said(words, name, value, terminal.date)) or words("diff.none")

    lines = [
        words("diff.part", name=words(f"aspect.{name}"), before=part(name, before), after=part(name, after))
        for name, before, after in row.parts
        if name != "archived_at" or row.fate is not Fate.ARCHIVED
    ]
    return [joined(lines), why]


# ── the queue ───────────────────────────────────────────────────────────────────────────────────────────────────────


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


async def retry_jobs(call: Call, *, id: str | None = None) -> Answer:
    """One piece with its tries counted anew, or everything that was given up."""
    if id is not None:
        return await _one(call, id)
    async with call.existing("jobs.working") as memory:
        revived = await memory.retry()
        await memory.settle()
        jobs = (await memory.stats()).jobs
        left = len(await memory.failed_jobs()) if revived else 0

    def show(terminal: Terminal, revived: int) -> None:
        count = terminal.words.count
        terminal.say("retry.done" if revived else "retry.nothing", "green", count=count("job", revived))
        if left:
            terminal.say("retry.left", "yellow", count=count("job", left))

    return Answer(revived, show, json={"retried": revived, "jobs": dict(jobs)})


async def run_jobs(call: Call, *, id: str | None = None) -> Answer:
    """One piece now, or everything that is due."""
    if id is not None:
        return await _one(call, id)
    async with call.existing("jobs.working") as memory:
        before = system_clock()
        claimed = await memory.settle()
        left = await memory.jobs(limit=LOOKED_AT, tenant=call.tenant)
    tried = [job for job in left if claimed and job.error is not None and job.attempts > 0]
    # those that were given up, or put off just now
    failed = [job for job in tried if job.state is JobState.DEAD or job.due_at > before]
    waiting = [job for job in left if job.state is JobState.WAITING and job not in failed]
    return _ran(max(0, claimed - len(failed)), failed, sorted(waiting, key=lambda job: job.due_at)[:1])


async def _one(call: Call, id: str) -> Answer:
    """Do one piece of work, with whatever else is due."""
    async with call.existing("jobs.working") as memory:
        left = await memory.run_job((await memory.job(id)).id)
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


def _job_parts(now: datetime) -> dict[str, Callable[[Terminal, Job], Cell]]:
    """Parts of a piece of work, in a table of many and on the page of one."""
    return {
        "work": lambda terminal, job: terminal.words.name("work", job.kind),
        "whose": lambda terminal, job: owner(terminal.words, job.scope),
        "state": lambda terminal, job: Text(terminal.words(f"job_state.{job.state}"), STYLES.get(job.state, "")),
        "due": lambda terminal, job: due(terminal.words, job.due_at, now) if job.state is JobState.WAITING else "",
        "reason": lambda terminal, job: clean(trouble_of(terminal.words, job.error)),
    }


def show_jobs(
    terminal: Terminal, found: Sequence[Job], *, now: datetime, most: int = LOOKED_AT, empty: str = "empty.jobs"
) -> None:
    table("work* state due~ whose/ tries=attempts>? reason~/ id", empty, **_job_parts(now))(terminal, found)
    if len(found) >= most:
        terminal.hint("jobs.full")
    if any(job.state is JobState.DEAD for job in found):
        terminal.hint("jobs.dead.how", "yellow")
    elif any(job.state is JobState.WAITING and AT_ONCE < job.due_at <= now for job in found):
        terminal.hint("jobs.left")


def _cancelled(terminal: Terminal, gone: Job) -> None:
    terminal.say("jobs.cancelled", "green", work=_work_of(terminal.words, gone))
    if gone.kind in NIGHT_WORK:
        terminal.say("jobs.cancelled.night", DIM)


def _panel(terminal: Terminal, job: Job) -> None:
    said = {name: part(terminal, job) for name, part in _job_parts(system_clock()).items()}
    rest = {"tries": job.attempts, "queued": job.created_at, "leased": job.lease_until, "id": job.id}
    terminal.panel(terminal.labels(said | rest), terminal.words("jobs.title"))
    if job.state is JobState.DEAD:
        terminal.hint("jobs.dead.how", "yellow")


show_job = verb("job", _panel)
cancel_job = verb("cancel_job", _cancelled, opens="existing")
