"""Night work: do a person's now, read its records, take one back, and what the gardener does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from shlex import quote as quoted
from typing import Any, TypedDict

from rich.text import Text

from relembra.background import RunDetail
from relembra.domain.jobs import Run, RunKind, RunStatus, Tally
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import InvalidInputError
from relembra.interfaces import recorded
from relembra.interfaces.cli.call import OTHER, Answer, Call, agreed, saying, stopped, table
from relembra.interfaces.cli.items import confidence
from relembra.interfaces.cli.jobs import owner
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, joined, short, working
from relembra.interfaces.cli.words import Words
from relembra.interfaces.differences import Difference, Fate, differences
from relembra.interfaces.reasons import reason, why_left
from relembra.interfaces.recorded import Texts
from relembra.interfaces.shapes import record
from relembra.interfaces.times import day, span
from relembra.learn.rollback import RolledBack
from relembra.memory import Memory
from relembra.night.gardener import ActionKind, GardenAction

ALL = "all"
TROUBLED = (RunStatus.PARTIAL, RunStatus.FAILED)
STYLES = {
    RunStatus.RUNNING: "cyan",
    RunStatus.COMPLETED: "green",
    RunStatus.PARTIAL: "yellow",
    RunStatus.FAILED: "red",
    RunStatus.ROLLED_BACK: DIM,
}
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


class _Owner(TypedDict):
    """A person or a space, and the tenant."""

    user: str | None
    space: str | None
    tenant: str


def _owner(call: Call, space: str | None) -> _Owner:
    """Whose records: a space's as a whole where one is named, else the person's."""
    return {"user": call.user if space is None else None, "space": space, "tenant": call.tenant}


async def consolidate(call: Call) -> Answer:
    """What is done stays done: stopped or half done, it says so, and its record tells the rest."""
    try:
        async with call.existing() as memory, working(call.words("consolidate.working")):
            run = await memory.consolidate(**call.person)
            if run is None:
                return saying(None, "consolidate.nothing", user=call.user)
            detail, texts = await _detail(call, memory, run)
    except asyncio.CancelledError:  # Ctrl-C; each step is stored as it comes
        return stopped("consolidate.stopped")

    def people(terminal: Terminal) -> None:
        show_record(terminal, detail, texts)
        if run.status in TROUBLED:
            terminal.say("run.unlearnt.how", DIM)
        if run.changes:
            terminal.hint("run.back.how", id=short(run.id))

    return Answer(detail, people, OTHER if run.status in TROUBLED else 0)


async def _detail(call: Call, memory: Memory, run: Run) -> tuple[RunDetail, Texts]:
    detail = await memory.consolidation(run.id, **call.person)
    return detail, await recorded.texts_of(memory, differences(detail.entries), call.person)


async def consolidations(
    call: Call,
    *,
    id: str | None = None,
    kind: Sequence[str] = (),
    space: str | None = None,
    everybody: bool = False,
    raw: bool = False,
    **page: Any,
) -> Answer:
    """All records, or one."""
    if id is not None:
        return await _one_record(call, id, space, raw)
    kinds = _kinds(kind, space)
    async with call.reading() as memory:
        listing = await memory.consolidations(
            user=None if everybody or space is not None else call.user,
            space=space,
            kind=kinds,
            tenant=call.tenant,
            **page,
        )

    empty = "empty.runs.everybody" if everybody else "empty.runs"
    if space is not None and not kind:
        empty = "empty.runs.space"
    elif kinds != [RunKind.CONSOLIDATION]:
        empty = "empty.runs.kind"
    shown = partial(show_records, everybody=everybody, empty=empty, space=clean(space or ""))
    return Answer(listing, lambda terminal: shown(terminal, listing))


def _kinds(asked: Sequence[str], space: str | None) -> list[str] | None:
    """The kinds of record asked for; None: every kind."""
    if ALL in asked:
        return None
    if unknown := [kind for kind in asked if kind not in set(RunKind)]:
        raise InvalidInputError(f"there is no kind of record {unknown[0]!r}", field="kind")
    if not asked and space is not None:
        return None
    return list(asked) or [RunKind.CONSOLIDATION]


async def _one_record(call: Call, id: str, space: str | None, raw: bool) -> Answer:
    async with call.reading() as memory:
        detail = await memory.consolidation(id, **_owner(call, space))
        texts = await recorded.texts_of(memory, differences(detail.entries), call.person, space=space)
    run = detail.run

    def hint(terminal: Terminal, key: str) -> None:
        """What to type next about this record."""
        of = run.scope.space
        terminal.hint(key if of is None else f"{key}.space", id=short(run.id), space=quoted(of or ""))

    def people(terminal: Terminal) -> None:
        words = terminal.words
        if raw:
            terminal.show(Text(words("run.raw") if run.raw else words("run.no_raw"), "bold" if run.raw else DIM))
            if run.raw:
                terminal.show(Text(clean(run.raw, breaks=True)))
            return
        show_record(terminal, detail, texts)
        if run.raw:
            hint(terminal, "run.raw.how")
        if run.changes and run.status is not RunStatus.ROLLED_BACK:
            hint(terminal, "run.back.how")

    return Answer(record(detail, raw=raw), people)


async def rollback(call: Call, *, id: str, space: str | None = None, yes: bool = False, **by: Any) -> Answer:
    """Says what will be taken back and asks; then what was, what was left and why, and how to undo it."""
    async with call.existing() as memory:
        detail = await memory.consolidation(id, **_owner(call, space))
        rows = differences(detail.entries)
        if not yes and not agreed(call, _question(call.words, detail.run), cannot="rollback.cannot"):
            return saying(RolledBack(detail.run, (), (), None), "rollback.kept")
        texts = await recorded.texts_of(memory, rows, call.person, space=space)
        done = await memory.rollback(detail.run.id, **by, **_owner(call, space))
    return Answer(done, lambda terminal: _back(terminal, done, rows, texts))


def _question(words: Words, run: Run) -> str:
    """What exactly will be taken back."""
    return words(
        "rollback.ask",
        work=words.name("run", run.kind),
        when=day(words, run.night or run.started_at.astimezone().date()),
        counts=counts(words, run.tally, messages=False) or words("run.nothing"),
    )


def _back(terminal: Terminal, done: RolledBack, rows: Sequence[Difference], texts: Texts) -> None:
    words = terminal.words
    if not done.restored and not done.left:
        terminal.say("rollback.nothing")
        return
    numbers = {"restored": len(done.restored), "left": len(done.left)}
    said = " · ".join(words.count(name, number) for name, number in numbers.items() if number)
    terminal.say("rollback.done", "green bold", counts=said)
    new = {row.id for row in rows if row.before is None}
    left = {one.id: clean(why_left(words, one.why)) for one in done.left}
    lines: list[tuple[Text, str, str]] = []
    for id in done.restored:
        state = words("rollback.gone" if id in new else "rollback.restored")
        lines.append((Text("↺", "green"), id, "; ".join(part for part in (state, left.pop(id, "")) if part)))
    lines += [(Text("=", "yellow"), id, why) for id, why in left.items()]
    terminal.marked(
        (mark, terminal.named(texts.get(id) or words("diff.forgotten"), id, said)) for mark, id, said in lines
    )
    if done.change is not None and done.run.scope.space is None:
        terminal.say("rollback.undo", DIM, change=done.change)


async def garden(call: Call, *, dry_run: bool = False) -> Answer:
    """Tends the memory and shows the record, or with --dry-run only says what it would do."""
    if dry_run:
        async with call.reading() as memory, working(call.words("garden.working")):
            plan = await memory.garden_plan(**call.person)
        return Answer({"deeds": plan}, lambda terminal: _plan(terminal, plan, call.user))
    try:
        async with call.existing() as memory, working(call.words("garden.working")):
            run = await memory.garden(**call.person)
            detail, texts = await _detail(call, memory, run)
    except asyncio.CancelledError:  # Ctrl-C; each step is stored as it comes
        return stopped("garden.stopped")

    def people(terminal: Terminal) -> None:
        if not differences(detail.entries) and run.error is None:
            terminal.say("garden.nothing", user=call.user)
            return
        show_record(terminal, detail, texts)
        if run.changes:
            terminal.hint("run.back.how", id=short(run.id))

    return Answer(detail, people, OTHER if run.status in TROUBLED else 0)


async def insights(call: Call, *, now: bool = False) -> Answer:
    """What was found so far; with --now what was said is looked through first."""
    run: Run | None = None
    async with call.existing() if now else call.reading() as memory:
        if now:
            async with working(call.words("insights.working")):
                run = await memory.find_insights(**call.person)
        found = await memory.insights(**call.person)

    def people(terminal: Terminal) -> None:
        words = terminal.words
        show_insights(terminal, found)
        if found:
            terminal.hint("insights.how")
        elif run is None:
            terminal.say("empty.insights.how")
        if run is not None and run.tally.messages:
            counted = counts(words, run.tally, messages=False) or words("insights.looked.nothing")
            terminal.hint("insights.looked", messages=words.count("message", run.tally.messages), counts=counted)

    return Answer({"items": found, "run": run}, people, OTHER if run is not None and run.status in TROUBLED else 0)


def _insight(terminal: Terminal, item: KnowledgeItem) -> Text:
    words = terminal.words
    details = [Text(words("insights.days", n=words.whole(item.observations))), Text(clean(item.evidence or ""))]
    content = Text(terminal.cell(item.content).plain, "bold").append("\n" if terminal.watched else "\t")
    return content.append(joined(details).plain, f"not bold {DIM}")


def _sure(terminal: Terminal, item: KnowledgeItem) -> Text:
    return confidence(terminal, item).append(f" {terminal.words.number(item.confidence)}")


show_insights = table("insight* confidence id", "empty.insights", insight=_insight, confidence=_sure)


def _plan(terminal: Terminal, plan: Sequence[GardenAction], user: str) -> None:
    if not plan:
        terminal.say("garden.nothing", user=user)
        return
    show_plan(terminal, plan)
    terminal.say("garden.would", "bold", count=terminal.words.count("deed", len(plan)))
    terminal.hint("garden.would.how")


def show_plan(terminal: Terminal, plan: Sequence[GardenAction], *, most: int = MOST_SHOWN) -> None:
    """What the gardener does, kind by kind, each with why and how it was before."""
    words = terminal.words
    for kind in ActionKind:
        some = [deed for deed in plan if deed.kind is kind]
        rows = []
        for deed in some:
            details = clean(" · ".join(filter(None, (recorded.part_of(words, deed), reason(words, deed.why)))))
            rows.append(terminal.named(deed.shown, deed.ids[0], details))
        _group(terminal, f"{words(f'deed.{kind}')} ({words.whole(len(some))})", kind, rows, most)


def _group(terminal: Terminal, title: str, kind: Fate | ActionKind, rows: Sequence[Text], most: int) -> None:
    """Rows of one kind under its title, each after its mark; for eyes not all of many."""
    if not rows:
        return
    if terminal.watched:
        terminal.show(Text(title, "bold"))
    mark, colour = MARKS[kind]
    terminal.marked((Text(mark, f"{colour} bold"), row) for row in (rows[:most] if terminal.watched else rows))
    if terminal.watched and len(rows) > most:
        terminal.show(Text(f"   … +{terminal.words.whole(len(rows) - most)}", DIM))


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────


def counts(words: Words, tally: Tally, *, messages: bool = True) -> str:
    """What a record did, in numbers; nothing that is none."""
    numbers = list(recorded.counts(words, tally).values())
    if messages and tally.messages:
        numbers.insert(0, words.count("message", tally.messages))
    return " · ".join(numbers)


def _night(terminal: Terminal, run: Run) -> str:
    """The night it was the work of, or when somebody asked for it."""
    if run.night is None:
        return f"{terminal.date(run.started_at)}, {terminal.words('run.by_hand')}"
    return day(terminal.words, run.night)


def status(words: Words, run: Run) -> Text:
    return Text(words(f"run_status.{run.status}"), STYLES[run.status])


def _error(words: Words, run: Run) -> str:
    return clean(recorded.trouble_of(words, run.error))


def _done(terminal: Terminal, run: Run) -> Text:
    words = terminal.words
    told = Text(counts(words, run.tally) or words("run.nothing"))
    if run.model_calls:
        told.append("\n").append(recorded.model(words, run), DIM)
    return told.append(f"\n{_error(words, run)}", "yellow") if run.error is not None else told


def show_records(
    terminal: Terminal, found: Sequence[Run], *, everybody: bool = False, empty: str = "empty.runs", **parts: str
) -> None:
    """Records, newest first."""
    if not found:
        terminal.say(empty, "", **parts)
        return
    terminal.rows(
        f"night work {'whose~' if everybody else ''} done* status/ took>/ id",
        found,
        night=_night,
        work=lambda terminal, run: terminal.words.name("run", run.kind),
        whose=lambda terminal, run: owner(terminal.words, run.scope),
        done=_done,
        status=lambda terminal, run: status(terminal.words, run),
        took=lambda terminal, run: "" if run.duration is None else span(terminal.words, run.duration),
    )


def show_record(terminal: Terminal, detail: RunDetail, texts: Texts) -> None:
    """One record whole: its figures, then what it changed."""
    words, run = terminal.words, detail.run
    rows = terminal.labels(
        [
            ("night", _night(terminal, run)),
            ("whose", owner(words, run.scope)),
            ("status", status(words, run)),
            ("error", Text(_error(words, run), "yellow")),
            ("covers", recorded.covers(words, run, terminal.moment)),
            ("read", words.count("message", run.tally.messages) if run.tally.messages else ""),
            ("did", counts(words, run.tally, messages=False) or words("run.nothing")),
            ("memory", recorded.version(words, run)),
            ("model", recorded.model(words, run) or words("run.no_model")),
            ("took", "" if run.duration is None else span(words, run.duration)),
            ("id", Text(run.id, "cyan")),
        ]
    )
    title = words.name("run", run.kind)
    terminal.panel(rows, title, *([] if terminal.watched else [Text(title)]))
    show_changes(terminal, differences(detail.entries), texts)


def show_changes(terminal: Terminal, rows: Sequence[Difference], texts: Texts, *, most: int = MOST_SHOWN) -> None:
    """What was changed: new, changed, ended, merged, put away, and notes, each with its parts before and after."""
    words = terminal.words
    for fate in Fate:
        lines = [
            terminal.named(texts.get(row.id) or words("diff.forgotten"), row.id, *_details(terminal, row, texts))
            for row in rows
            if row.fate is fate
        ]
        _group(terminal, words(f"diff.{fate}"), fate, lines, most)


def _details(terminal: Terminal, row: Difference, texts: Texts) -> list[str]:
    words = terminal.words
    why = "" if row.why is None else clean(reason(words, row.why))
    match row.fate:
        case Fate.NOTE:
            return [line for line in (recorded.note_fate(words, row), why) if line]
        case Fate.CREATED:
            kinds = (words.name(name, row.after.get(name)) for name in ("type", "area"))
            return [" · ".join(filter(None, (*kinds, why if row.after.get("type") == "insight" else "")))]
        case Fate.ENDED | Fate.MERGED:
            told = [words("diff.same_record")] if row.before is None else []
            if row.becomes is not None:
                key = "diff.merged_into" if row.fate is Fate.MERGED else "diff.replaced_by"
                told.append(words(key, content=clean(texts.get(row.becomes, words("diff.forgotten")))))
            elif row.after.get("deleted_at"):
                told.append(words("diff.deleted"))
            return [line for line in (" · ".join(filter(None, (*told, why))),) if line]
    lines = [
        words(
            "diff.part",
            name=words(f"aspect.{name}"),
            before=_shown(terminal, name, before),
            after=_shown(terminal, name, after),
        )
        for name, before, after in row.parts
        if name != "archived_at" or row.fate is not Fate.ARCHIVED
    ]
    return [line for line in (" · ".join(lines), why) if line]


def _shown(terminal: Terminal, name: str, part: Any) -> str:
    return clean(recorded.part_said(terminal.words, name, part, terminal.date)) or terminal.words("diff.none")
