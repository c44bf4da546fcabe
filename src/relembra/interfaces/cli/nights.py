"""Night work: do a person's now, read its records, take one back, and what the gardener does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from shlex import quote
from typing import Any, TypedDict

from rich.text import Text

from relembra.background import RunDetail
from relembra.domain.jobs import Run, RunKind, RunStatus, Tally
from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import InvalidInputError
from relembra.interfaces import sentences
from relembra.interfaces.cli.call import OTHER, Answer, Call, agreed, saying
from relembra.interfaces.cli.items import confidence
from relembra.interfaces.cli.jobs import owner
from relembra.interfaces.cli.terminal import DIM, Terminal, clean, joined, pairs, short, stacked, table, working
from relembra.interfaces.cli.words import Words
from relembra.interfaces.sentences import Difference, Fate, Texts, day, differences, reason, span, why_left
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
    """What is done stays done; where some of it could not be done, the record says so."""
    async with call.existing() as memory:
        with working(call.words("consolidate.working")):
            run = await memory.consolidate(**call.person)
        if run is None:
            return saying(None, "consolidate.nothing")
        return await _record(call, memory, run.id)


async def garden(call: Call, *, dry_run: bool = False) -> Answer:
    """Tends the memory and shows the record, or with --dry-run only says what it would do."""
    if dry_run:
        async with call.reading() as memory:
            plan = await memory.garden_plan(**call.person)
        return Answer(plan, _plan, json={"deeds": plan})
    async with call.existing() as memory:
        with working(call.words("garden.working")):
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
            answer = await _record(call, memory, id, space=space)
        return Answer(answer.value, answer.show)
    kinds = _kinds(kind, space)
    whose = _owner(call, space) | ({"user": None} if everybody else {})
    async with call.reading() as memory:
        listing = await memory.consolidations(kind=kinds, **whose, **page)
    empty = "empty.runs.everybody" if everybody else "empty.runs"
    if space is not None and not kind:
        empty = "empty.runs.space"
    elif kinds != [RunKind.CONSOLIDATION]:
        empty = "empty.runs.kind"
    return Answer(listing, partial(show_records, everybody=everybody, empty=empty))


def _kinds(asked: Sequence[str], space: str | None) -> list[str] | None:
    """The kinds of record asked for; None: every kind."""
    if unknown := [kind for kind in asked if kind not in {*RunKind, ALL}]:
        raise InvalidInputError(f"there is no kind of record {unknown[0]!r}", field="kind")
    if ALL in asked or (not asked and space is not None):
        return None
    return list(asked) or [RunKind.CONSOLIDATION]


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
            when=day(words, run.night or run.started_at.astimezone().date()),
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
    left = {one.id: clean(why_left(words, one.why)) for one in done.left}
    lines: list[tuple[Text, str, Text]] = []
    for id in done.restored:
        state = words("rollback.gone" if id in new else "rollback.restored")
        lines.append((Text("↺", "green"), id, joined([state, left.pop(id, "")], "; ")))
    lines += [(Text("=", "yellow"), id, Text(why)) for id, why in left.items()]
    terminal.show(
        pairs(
            ((mark, terminal.named(texts.get(id) or words("diff.forgotten"), id, why)) for mark, id, why in lines), ""
        )
    )
    if done.change is not None and done.run.scope.space is None:
        terminal.say("rollback.undo", DIM, change=done.change)


async def insights(call: Call, *, now: bool = False) -> Answer:
    """What was found so far; with --now what was said is looked through first."""
    run: Run | None = None
    async with call.existing() if now else call.reading() as memory:
        if now:
            with working(call.words("insights.working")):
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
    content = Text(terminal.cell(item.content).plain, "bold")
    return stacked([content, details])


def _sure(terminal: Terminal, item: KnowledgeItem) -> Text:
    return confidence(terminal, item).append(f" {terminal.words.number(item.confidence)}")


show_insights = table("insight* confidence id", "empty.insights", insight=_insight, confidence=_sure)


def _plan(terminal: Terminal, plan: Sequence[GardenAction]) -> None:
    if not plan:
        terminal.say("garden.nothing")
        return
    show_plan(terminal, plan)
    terminal.say("garden.would", "bold", count=terminal.words.count("deed", len(plan)))
    terminal.hint("garden.would.how")


def show_plan(terminal: Terminal, plan: Sequence[GardenAction], *, most: int = MOST_SHOWN) -> None:
    """What the gardener does, kind by kind, each with why and how it was before."""
    words = terminal.words
    for kind in ActionKind:
        rows = [
            terminal.named(
                action.shown,
                action.ids[0],
                joined(map(clean, (sentences.part_of(words, action), reason(words, action.why)))),
            )
            for action in plan
            if action.kind is kind
        ]
        _group(terminal, f"{words(f'deed.{kind}')} ({words.whole(len(rows))})", kind, rows, most)


def _group(terminal: Terminal, title: str, kind: Fate | ActionKind, rows: Sequence[Text], most: int) -> None:
    """Rows of one kind under its title, each after its mark; on a terminal not all of many."""
    if not rows:
        return
    if terminal.watched:
        terminal.show(Text(title, "bold"))
    mark, colour = MARKS[kind]
    shown = rows[:most] if terminal.watched else rows
    terminal.show(pairs(((Text(mark, f"{colour} bold"), row) for row in shown), ""))
    if len(rows) > len(shown):
        terminal.show(Text(f"   … +{terminal.words.whole(len(rows) - most)}", DIM))


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────


def counts(words: Words, tally: Tally, *, messages: bool = True) -> str:
    """What a record did, in numbers; nothing that is none."""
    read = words.count("message", tally.messages) if messages and tally.messages else ""
    return joined([read, *sentences.counts(words, tally).values()]).plain


def _night(terminal: Terminal, run: Run) -> str:
    """The night it was the work of, or when the user asked for it."""
    if run.night is None:
        return f"{terminal.date(run.started_at)}, {terminal.words('run.by_hand')}"
    return day(terminal.words, run.night)


def _status(terminal: Terminal, run: Run) -> Text:
    return Text(terminal.words(f"run_status.{run.status}"), STYLES[run.status])


def _took(terminal: Terminal, run: Run) -> str:
    return "" if run.duration is None else span(terminal.words, run.duration)


def _done(terminal: Terminal, run: Run) -> Text:
    words = terminal.words
    error = Text(clean(sentences.trouble_of(words, run.error)), "yellow")
    return stacked([counts(words, run.tally) or words("run.nothing"), Text(sentences.model(words, run), DIM), error])


def show_records(
    terminal: Terminal, found: Sequence[Run], *, everybody: bool = False, empty: str = "empty.runs"
) -> None:
    """Records, newest first."""
    show = table(
        f"night work {'whose~' if everybody else ''} done* status/ took>/ id",
        empty,
        night=_night,
        work=lambda terminal, run: terminal.words.name("run", run.kind),
        whose=lambda terminal, run: owner(terminal.words, run.scope),
        done=_done,
        status=_status,
        took=_took,
    )
    show(terminal, found)


def show_record(terminal: Terminal, detail: RunDetail, texts: Texts) -> None:
    """One record whole: its figures, then what it changed."""
    words, run = terminal.words, detail.run
    rows = {
        "night": _night(terminal, run),
        "whose": owner(words, run.scope),
        "status": _status(terminal, run),
        "error": Text(clean(sentences.trouble_of(words, run.error)), "yellow"),
        "covers": sentences.covers(words, run, terminal.moment),
        "read": words.count("message", run.tally.messages) if run.tally.messages else "",
        "did": counts(words, run.tally, messages=False) or words("run.nothing"),
        "memory": sentences.version(words, run),
        "model": sentences.model(words, run) or words("run.no_model"),
        "took": _took(terminal, run),
        "id": run.id,
    }
    title = words.name("run", run.kind)
    terminal.panel(terminal.labels(rows), title, *([] if terminal.watched else [title]))
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
