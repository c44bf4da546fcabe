"""What was said and noted, what is learnt from it, and the contradictions that come up."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

from relembra.conversations import Thread
from relembra.domain.audit import Actor
from relembra.domain.case import Outcome
from relembra.domain.message import Note, SavedKind
from relembra.domain.scope import person
from relembra.errors import InvalidInputError, NotFoundError, StoreError, StoreReadOnlyError
from relembra.ingest.intake import Refusal
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import (
    OTHER,
    PAGE,
    Answer,
    Call,
    CopyError,
    agreed,
    by_piece,
    note_named,
    saying,
    verb,
)
from relembra.interfaces.cli.commands import STDIN, UsageError, path, text
from relembra.interfaces.cli.items import confidence, kind, state
from relembra.interfaces.cli.terminal import (
    DIM,
    Cell,
    Rows,
    Terminal,
    clean,
    joined,
    note,
    pairs,
    says,
    short,
    stacked,
    table,
)
from relembra.interfaces.failures import aside
from relembra.interfaces.sentences import reason, who
from relembra.interfaces.shapes import wire
from relembra.interfaces.trace import place, speaker
from relembra.learn.casework import ANSWERS, Conflict
from relembra.learn.learner import Learnt
from relembra.lessons import Foreseen
from relembra.memory import Memory
from relembra.settings import private_folder
from relembra.store.port import Gone
from relembra.transfer.exports import written
from relembra.transfer.media import LARGEST, MediaKind, media_kind
from relembra.views.period_report import is_markdown

MOST_NAMED = 10
"""How many of the notes that go along are named."""


async def save(
    call: Call,
    *,
    messages: str | None = None,
    journal: str | None = None,
    attach: Sequence[Path] = (),
    metadata: Sequence[tuple[str, str]] = (),
    space: str | None = None,
    **rest: Any,
) -> Answer:
    held: Any = None
    if messages is not None:  # a JSON list, alone or under "messages", as a request to a model has it
        try:
            held = msgspec.json.decode(text(messages) if messages == STDIN else path(messages).read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError("usage.messages", command="save", word=messages) from error
        held = held.get("messages", held) if isinstance(held, dict) else held
    if journal is not None:
        if "said" in rest:
            raise UsageError("usage.journal.said", command="save")
        try:
            entry = text(journal) if journal == STDIN else path(journal).read_text("utf-8")
        except (OSError, ValueError) as error:
            raise UsageError("usage.journal", command="save", word=journal) from error
        rest |= {"said": entry, "kind": SavedKind.JOURNAL}
    if attach:
        if held is not None or journal is not None:
            raise UsageError("usage.attach.alone", command="save")
        held = _sent_along(attach, rest.pop("said", ""), rest.pop("replied", ""))
        for file in attach:
            setting = "transcriber" if media_kind(file.name) is MediaKind.VOICE else "vision"
            if not getattr(call.settings, setting):
                raise UsageError("usage.attach.unread", command="save", word=str(file), setting=setting)
    async with call.writing() as memory:
        saved = await memory.save(messages=held, metadata=dict(metadata), space=space, **rest, **call.person)

    def show(terminal: Terminal, _: Any) -> None:
        if saved.refused is not None:
            terminal.say(f"refused.{saved.refused}", "yellow", user=call.user, space=space)
            return
        count = terminal.words.count("message", len(saved.messages))
        key = "done.saved" if saved.new else "done.saved.known"
        terminal.say(key, "green" if saved.new else "", conversation=saved.conversation, count=count)
        if saved.left_out:
            terminal.say("done.saved.left_out", "yellow", places=", ".join(saved.left_out))

    return Answer(saved, show)


def _sent_along(files: Sequence[Path], said: str, replied: str) -> list[dict[str, Any]]:
    """A turn with recordings and pictures, as chat programs hold it."""
    parts: list[dict[str, Any]] = [{"type": "text", "text": said}] if said else []
    for file in files:
        kind = media_kind(file.name)
        try:
            if kind is None or file.stat().st_size > LARGEST:
                raise UsageError("usage.attach", command="save", word=str(file))
            content = b64encode(file.read_bytes()).decode()
        except OSError as error:
            raise UsageError("usage.attach", command="save", word=str(file)) from error
        ending = file.suffix.lower().lstrip(".")
        if kind is MediaKind.VOICE:
            parts.append({"type": "input_audio", "input_audio": {"data": content, "format": ending}})
        else:
            parts.append({"type": "image_url", "image_url": {"url": f"data:image/{ending};base64,{content}"}})
    turn: list[dict[str, Any]] = [{"role": "user", "content": parts}]
    return turn + ([{"role": "assistant", "content": replied}] if replied else [])


def _place(terminal: Terminal, row: Any) -> str:
    return clean(place(terminal.words, row.place))


_SPOKEN: dict[str, Callable[[Terminal, Any], Any]] = {
    "who": lambda terminal, message: clean(speaker(terminal.words, message)),
    "id": lambda _, message: str(message.id),
}
messages = verb("messages", table("when=sent_at who~ text* conversation~? id?", "empty.messages", **_SPOKEN))


async def conversations(call: Call, *, everybody: bool = False, **page: Any) -> Answer:
    """A person's, or everybody's."""
    async with call.reading() as memory:
        found = await memory.conversations(user=None if everybody else call.user, tenant=call.tenant, **page)
    show = table(
        f"used=updated_at title* {'whose~' if everybody else ''} place~ id~",
        "empty.conversations.everybody" if everybody else "empty.conversations",
        place=_place,
        whose=lambda _, row: clean(row.scope.user),
        id=lambda _, row: Text(clean(row.id), overflow="fold"),
    )
    return Answer(found, show)


def _thread(terminal: Terminal, thread: Thread) -> None:
    """What it is called and when it was, then what was said."""
    row = thread.conversation
    terminal.show(Text(clean(row.title) or clean(row.id), "bold"))
    when = " – ".join(dict.fromkeys(map(terminal.moment, (row.created_at, row.updated_at))))
    terminal.show(Text(f"{when} · {_place(terminal, row)} · {clean(row.id)}", DIM))
    terminal.rows("when=sent_at who~ text* id?", thread.messages, **_SPOKEN)
    if thread.next is not None:
        terminal.hint("more", cursor=thread.next)


show_conversation = verb("conversation", _thread)
rename = verb("rename_conversation", says("done.renamed"), opens="existing")
delete = verb("delete_conversation", says("done.hidden"), opens="existing")


# ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────────


async def forget(
    call: Call,
    *,
    id: str | None = None,
    conversation: str | None = None,
    all: bool = False,
    dry_run: bool = False,
    yes: bool = False,
) -> Answer:
    """Says what will go and asks, unless it is only a trial or --yes was given."""
    if sum((id is not None, conversation is not None, all)) != 1:
        raise InvalidInputError("say what to forget: one item, one conversation, or all", field="forget")
    async with call.existing() as memory:
        item = await memory.find(id, **call.person) if id is not None else None
        what: dict[str, Any] = {"item": item and item.id, "conversation": conversation, "all": all, **call.person}
        if dry_run or not yes:
            would = await memory.forget(**what, dry_run=True)
            titles = [clean((await memory.note(id, **call.person)).title) for id in would.notes[:MOST_NAMED]]
            if rest := len(would.notes) - len(titles):
                titles.append(call.words("ask.notes.more", n=call.words.whole(rest)))
            show = partial(show_receipt, named=titles)
            if dry_run:
                return Answer(would, show)
            named = {"content": item.content} if item else {"id": conversation} if conversation else {"user": call.user}
            about = "item" if item else "conversation" if conversation else "all"
            show(Terminal(call.words, Console(stderr=True)), would)
            if not agreed(call, call.words(f"ask.{about}", **named), cannot="ask.cannot"):
                return saying(Gone({}), "ask.kept")
        return Answer(await memory.forget(**what), show_receipt)


def show_receipt(terminal: Terminal, gone: Gone, named: Sequence[str] = ()) -> None:
    """What was forgotten or would be, place by place; `named`: the notes that would go along."""
    words = terminal.words
    if not gone.total:
        terminal.say("done.forgotten.nothing")
        return
    key, style = ("would.forget", "bold") if gone.dry_run else ("done.forgotten", "green bold")
    terminal.say(key, style, count=words.count("row", gone.total))
    terminal.show(pairs((words.name("gone", name), words.whole(n)) for name, n in gone.counts.items() if n))
    if named:
        terminal.say("ask.notes", notes=words.count("note", len(gone.notes)))
        terminal.show(*(Text(f"  {title}") for title in named))
    if not gone.erased and not gone.dry_run:
        terminal.say("done.forgotten.traces", "yellow")


# ── notes and reports ─────────────────────────────────────────────────────────────────────────────────────────────


def _note_cell(terminal: Terminal, note: Note) -> Text:
    """Its title, and its summary where that says more; of a page of its own the first paragraph."""
    summary = note.summary
    if is_markdown(note):
        summary = next((line for line in summary.splitlines() if line and not line.startswith("#")), "").strip("*")
    is_alike = clean(summary).rstrip(".") == clean(note.title).rstrip(".")
    return stacked([Text(clean(note.title), "bold"), "" if is_alike else terminal.cell(summary, longest=240)])


notes = verb(
    "notes",
    table(
        "when note* with~/ place~/ id",
        "empty.notes",
        when=lambda terminal, note: terminal.date(note.happened_at),
        note=_note_cell,
        place=_place,
        **{"with": lambda _, note: clean(", ".join(note.participants))},
    ),
)


async def show_note(call: Call, *, id: str, **where: Any) -> Answer:
    async with call.reading() as memory:
        return Answer(await note_named(call, memory, id, **where), _note_panel)


def _note_panel(terminal: Terminal, found: Note) -> None:
    words = terminal.words
    rows = {
        "when": found.happened_at,
        "where": _place(terminal, found),
        "with": clean(", ".join(found.participants)),
        "conversation": clean(found.conversation or ""),
        "made_of": words.count("message", len(found.message_ids)),
        "id": found.id,
    }
    body = markdown(found.summary) if terminal.watched and is_markdown(found) else clean(found.summary, breaks=True)
    title = Text(clean(found.title), "bold")
    terminal.panel(terminal.labels(rows), words.name("kind", found.kind), title, body)


async def report(call: Call, *, period: str, day: date | None = None, save: Path | None = None) -> Answer:
    """Written now, in place of any before; nothing is written where nothing happened."""
    if period not in ("weekly", "monthly"):
        raise InvalidInputError(f"a report is weekly or monthly, not {period}", field="period")
    async with call.existing() as memory:
        note = await memory.report(period, day=day, language=call.typed.get("lang"), **call.person)
        if note is not None:
            return await _kept(call, memory, note, save)
    parts: dict[str, Any] = {"period": call.words.name("period", period), "word": period}
    if day is not None:
        return saying(None, "report.nothing", **parts)
    return saying(None, "report.nothing.last", day=datetime.now().astimezone().date(), **parts)


async def appointment(call: Call, *, save: Path | None = None, **asked: Any) -> Answer:
    """For the next appointment known, or with whom and when is said."""
    async with call.existing() as memory:
        note = await memory.appointment(language=call.typed.get("lang"), **asked, **call.person)
        return await _kept(call, memory, note, save)


async def _kept(call: Call, memory: Memory, note: Note, folder: Path | None) -> Answer:
    """What was written, as a note of the memory where it can be kept there, and as files where a folder was named."""
    await memory.settle()
    try:
        is_kept = bool(await memory.note(note.id, **call.person))
    except NotFoundError:  # the memory is only read
        is_kept = False
    if folder is not None and not is_kept:
        raise StoreReadOnlyError("a report is not kept in a memory that is only read")
    saved: list[str] = []
    if folder is not None:  # files of the same report are replaced
        files = await memory.note_files(note.id, **call.person)
        try:
            private_folder(folder)
            for name, content in files.items():
                with written(folder / name, overwrite=True) as file:
                    file.write(content)
        except (OSError, StoreError) as error:
            raise CopyError(folder) from error
        saved = [str(folder / name) for name in files]

    def show(terminal: Terminal, _: Any) -> None:
        title = Text(clean(note.title), "bold")
        if not terminal.watched:
            terminal.show(f"# {title}\n\n{clean(note.summary, breaks=True)}")
        else:
            body = markdown(note.summary)
            terminal.show(Panel(body, title=title, title_align="left", border_style=DIM, padding=(1, 2)))
            if is_kept:
                terminal.say("report.kept", DIM, id=short(note.id))
        for name in saved:
            terminal.say("report.saved", "green", path=name)

    return Answer({**wire(note), "files": saved}, show)


def markdown(text: str) -> Markdown:
    """Our own Markdown on a terminal."""
    return Markdown(clean(text, breaks=True).strip(), hyperlinks=False)


# ── learning ────────────────────────────────────────────────────────────────────────────────────────────────────────

MARKS = {
    "add": ("+", "green"),
    "repeat": ("=", "cyan"),
    "replace": ("→", "green"),
    "history": ("↺", "yellow"),
    "ask": ("?", "yellow"),
}
STYLES = {Outcome.OPEN: "yellow", Outcome.UNDONE: DIM}


async def learn(call: Call, **place: Any) -> Answer:
    """Flushes and learns; without the model it needs, it says that nothing is lost."""
    scope = person(call.tenant, call.user)
    asking: dict[str, Any] = {"open_only": True, "limit": PAGE, **call.person}
    async with call.existing("learn.working") as memory:
        open_before = await memory.conflicts(**asking)  # some of which what was said may answer
        learnt = await memory.learn(**place, **call.person)
        still = {conflict.id for conflict in await memory.conflicts(**asking)} if open_before else set()
        asked = [await memory.conflict(one.id, **call.person) for one in open_before if one.id not in still]
        settled = [conflict for conflict in asked if conflict.case.outcome is not Outcome.OPEN]
        left = [job for job in await memory.failed_jobs() if job.scope == scope]

    def show(terminal: Terminal, learnt: Learnt) -> None:
        words = terminal.words
        rows = [Foreseen.of(decision) for decision in learnt.decisions]
        outcomes(terminal, rows, cases={case.new_id: case.id for case in learnt.opened})
        for conflict in settled:
            title = Text(words("learn.settled"), "green").append(f"  {words(f'outcome.{conflict.case.outcome}')}")
            sides = words("conflicts.sides", old=clean(conflict.old.content), new=clean(conflict.new.content))
            terminal.show(pairs([("✓", stacked([title, Text(sides, DIM)]))], "green bold"))
        if rows or settled:
            numbers = {name: len(getattr(learnt, name)) for name in ("added", "repeated", "ended", "opened")}
            numbers["settled"] = len(settled)
            counts = " · ".join(words.count(f"learnt.{name}", number) for name, number in numbers.items() if number)
            terminal.say("learn.summary", "bold", counts=counts)
        elif not learnt.waiting:
            terminal.say("learn.nothing")
        if learnt.unread:
            terminal.say("learn.unread", "yellow", count=words.count("message", learnt.unread))
        if learnt.waiting:
            terminal.say("learn.waiting", "yellow", count=words.count("job", learnt.waiting))
            if learnt.why:
                terminal.show(Text(clean(aside(words, learnt.why)), DIM))
        elif left:
            note(words("learn.left", count=words.count("job", len(left))))

    return Answer(learnt, show, OTHER if learnt.waiting else 0, shapes.learnt(learnt, settled))


async def preview(call: Call, *, text: str, space: str | None = None, **rest: Any) -> Answer:
    async with call.reading() as memory:
        refused = await memory.refusal(space=space, **call.person)
        foreseen = await memory.preview(text, space=space, **rest, **call.person)

    def show(terminal: Terminal, _: Any) -> None:
        outcomes(terminal, foreseen)
        if foreseen:
            terminal.say("preview.nothing_kept", DIM)
        elif foreseen.unread:
            terminal.say("preview.unread")
        elif refused is not None:
            terminal.say("preview.blocked" if refused is Refusal.BLOCKED else "preview.off", space=space)
        else:
            terminal.say("preview.question" if text.rstrip().endswith("?") else "preview.nothing")

    return Answer(foreseen, show)


def outcomes(terminal: Terminal, rows: Sequence[Foreseen], cases: dict[str, str] | None = None) -> None:
    """What becomes of each thing said; `cases`: the case about a new item, where what was foreseen has happened."""
    words = terminal.words
    shown: list[tuple[Cell, Cell]] = []
    for row in rows:
        mark, colour = MARKS[row.verdict]
        id = Text("" if cases is None else short(row.item.id), "cyan")
        details = joined([Text(joined([kind(words, row.item), confidence(terminal, row.item)]).plain, DIM), id])
        content = Text(clean(row.item.content), "bold")
        key = f"verdict.{row.verdict}.against"
        rest = (
            [Text(words("verdict.times", n=row.item.observations), DIM)]
            if row.verdict == "repeat"
            else [
                Text(words(key, content=clean(old.content), date=terminal.date(old.held_from)), DIM)
                for old in row.against
            ]
        )
        if rest and row.verdict != "repeat":
            rest[-1].append(f" ({clean(reason(words, row.why))})", DIM)
        if cases and row.item.id in cases:
            rest.append(Text(words("conflicts.settle.how", id=short(cases[row.item.id])), DIM))
        verdict = Text(words(f"verdict.{row.verdict}"), colour)
        shown.append((Text(mark, f"{colour} bold"), stacked([content, joined([verdict, details]), *rest])))
    if shown:
        terminal.show(pairs(shown, ""))


# ── contradictions ────────────────────────────────────────────────────────────────────────────────────────────────


async def conflicts(call: Call, **asked: Any) -> Answer:
    show = table(
        "when sides* outcome~/ why~/ id",
        "empty.conflicts.open" if "open_only" in asked else "empty.conflicts",
        when=lambda terminal, found: terminal.date(found.case.opened_at),
        sides=lambda terminal, found: joined(
            [terminal.cell(found.old.content, DIM), terminal.cell(found.new.content)],
            "\n",
        ),
        outcome=_outcome,
        why=lambda terminal, found: clean(reason(terminal.words, found.case.why)),
    )
    return await verb("conflicts", show)(call, **asked)


async def show_case(call: Call, *, id: str) -> Answer:
    async with call.reading() as memory:
        return Answer(await _case(call, memory, id), _case_panel)


async def settle(call: Call, *, id: str, keep: str, **by: Any) -> Answer:
    if keep not in ANSWERS:
        raise InvalidInputError(f"keep {keep!r} is no answer; say new, old, both or neither", field="keep")
    async with call.existing() as memory:
        found = await _case(call, memory, id)
        settled = await memory.resolve(found.id, keep=keep, **by, **call.person)
    return Answer(settled, partial(_decided, key="conflicts.settled"))


async def undo_case(call: Call, *, id: str, **by: Any) -> Answer:
    async with call.existing() as memory:
        back = await memory.reopen((await _case(call, memory, id)).id, **by, **call.person)
    return Answer(back, partial(_decided, key="conflicts.undone"))


def _decided(terminal: Terminal, found: Conflict, key: str) -> None:
    """What was decided, both sides as they stand now, and how to decide otherwise."""
    outcome = found.case.outcome
    terminal.say(key, "green bold", outcome=terminal.words(f"outcome.{outcome}"))
    terminal.show(pairs(_sides(terminal, found)))
    if outcome is not Outcome.UNDONE:
        how = "conflicts.settle.how" if outcome is Outcome.OPEN else "conflicts.undo.how"
        terminal.say(how, DIM, id=short(found.id))


async def _case(call: Call, memory: Memory, word: str) -> Conflict:
    """The case an id or a piece of one names: its own, or that of an item in it."""
    found: Conflict | None = await by_piece(
        word, lambda after: memory.conflicts(limit=PAGE, after=after, **call.person)
    )
    if found is not None:
        return found
    try:
        item = await memory.find(word, **call.person)
        return await memory.conflict(item.id, **call.person)
    except NotFoundError:
        raise NotFoundError("case", word) from None


def _outcome(terminal: Terminal, found: Conflict) -> Text:
    outcome = found.case.outcome
    return Text(terminal.words(f"outcome.{outcome}"), STYLES.get(outcome, "green"))


def _sides(terminal: Terminal, found: Conflict) -> Rows:
    rows: Rows = []
    for label, item in (("conflicts.before", found.old), ("conflicts.now", found.new)):
        details = joined([terminal.date(item.held_from), state(terminal.words, item), Text(short(item.id), "cyan")])
        content = Text(terminal.cell(item.content).plain, "bold")
        rows.append((terminal.words(label), stacked([content, details])))
    return rows


def _case_panel(terminal: Terminal, found: Conflict) -> None:
    words, case = terminal.words, found.case
    judged = words("conflicts.by_rule") if case.judged_by == "rule" else clean(case.judged_by)
    settler = "" if case.settled_by is None else clean(who(words, Actor.parse(case.settled_by)))
    rows = {
        "outcome": _outcome(terminal, found),
        "why": clean(reason(words, case.why)),
        "judged": joined([judged, words.number(case.certainty) if case.certainty < 1 else ""], "  "),
        "opened": case.opened_at,
        "asked": joined(
            [words("label.used.times", n=case.asked) if case.asked else "", terminal.value(case.asked_at)], ", "
        ),
        "settled": joined([terminal.value(case.settled_at), settler and words("history.by", who=settler)], "  "),
        "id": case.id,
    }
    terminal.panel([*_sides(terminal, found), *terminal.labels(rows)], words("conflicts.title"))
    if case.outcome is Outcome.OPEN:
        terminal.hint("conflicts.settle.how", id=short(case.id))
