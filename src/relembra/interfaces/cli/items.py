"""What is known: items and everything done to them, and what is put together of them."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from rich.text import Text

from relembra.domain.audit import AuditEntry, ConfidenceLevel, level
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message
from relembra.errors import NotFoundError
from relembra.interfaces import shapes, trace
from relembra.interfaces.cli.call import Answer, Call, verb
from relembra.interfaces.cli.commands import UsageError, Words
from relembra.interfaces.cli.terminal import DIM, Cell, Terminal, clean, joined, note, short, stacked, table
from relembra.interfaces.sentences import attribute, differences, reason, texts_of, trait, who
from relembra.interfaces.trace import place, speaker
from relembra.memory import History, Memory
from relembra.recall.ranking import Hit, Why
from relembra.recall.rendering import SECTION_TITLES, against, short_date, told
from relembra.views import memory as user_memory
from relembra.views.profile import Line, Profile
from relembra.views.timeline import Counts, Moment

MARKS = {
    ConfidenceLevel.HIGH: ("●", "green"),
    ConfidenceLevel.MEDIUM: ("◐", "yellow"),
    ConfidenceLevel.LOW: ("○", "red"),
    ConfidenceLevel.DOUBTFUL: ("·", "red"),
}


async def add(call: Call, *, content: str, related: Sequence[str] = (), **parts: Any) -> Answer:
    async with call.writing() as memory:
        ids = [(await memory.find(id, **call.person)).id for id in related]
        item = await memory.add(content, related=ids, **parts, **call.person)
        is_new = item.observations == 1
        replaced = (await memory.history(item.id, **call.person)).predecessors if is_new else ()

    def show(terminal: Terminal, item: KnowledgeItem) -> None:
        show_done(terminal, item, "done.added" if is_new else "done.known")
        for old in replaced:
            terminal.say("done.replaces", DIM, id=f"{short(old.id)}: {old.content}")
        if item.superseded_by:
            terminal.say("done.replaced", "yellow", id=short(item.superseded_by))
        if item.needs_resolution:
            terminal.say("done.unsure", "yellow")

    return Answer(item, show)


async def list_items(call: Call, **asked: Any) -> Answer:
    return await verb("list", partial(show_items, empty=empty_key(asked)))(call, **asked)


def empty_key(filters: Mapping[str, object]) -> str:
    """What to say where nothing is found: nothing at all is known, or nothing under filters that narrow."""
    return "empty.filtered" if set(filters) - {"history", "deleted", "channel", "order", "limit"} else "empty.items"


async def show(call: Call, *, id: str) -> Answer:
    async with call.reading() as memory:
        item = await memory.find(id, **call.person)
        messages = await memory.sources(item.id, **call.person)
    return Answer(item, partial(show_item, messages=messages))


async def local(call: Call, *, off: bool = False, **asked: Any) -> Answer:
    return await (_let_out if off else _keep_local)(call, local=not off, **asked)


async def undo(call: Call, *, change: str, **by: Any) -> Answer:
    """An item may be named by a piece of its id; conversations and changes by the whole of theirs."""
    async with call.existing() as memory:
        try:
            entries = await memory.undo(change, **by, **call.person)
        except NotFoundError as unknown:
            try:
                item = await memory.find(change, **call.person)
            except NotFoundError:
                raise unknown from None
            entries = await memory.undo(item.id, **by, **call.person)
        texts = await texts_of(memory, differences(entries), call.person) if len(entries) > 1 else {}
    return Answer(entries, partial(_undone, texts=texts), json={"undone": entries})


# ── showing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def show_items(
    terminal: Terminal, rows: Sequence[KnowledgeItem | Hit], *, why: bool = False, empty: str = "empty.items"
) -> None:
    """What is known, or what answers, best first; with `why`, what each score is made of."""

    def of(row: KnowledgeItem | Hit) -> KnowledgeItem:
        return row.item if isinstance(row, Hit) else row

    def content(terminal: Terminal, row: KnowledgeItem | Hit) -> Text:
        words, by = terminal.words, of(row).claimed_by
        claim = Text(f"{words('label.claimed')} {clean(by)}" if by else "", DIM)
        cell = joined([terminal.cell(told(of(row), words.language)), claim, state(words, of(row))])
        return stacked([cell, Text(why_text(terminal.words, row.why), DIM)]) if why and isinstance(row, Hit) else cell

    if not rows:
        terminal.say(empty)
        return
    terminal.rows(
        f"{'score>' if isinstance(rows[0], Hit) else ''} content* kind/ confidence/ date/ id",
        rows,
        content=content,
        kind=lambda terminal, row: kind(terminal.words, of(row)),
        confidence=lambda terminal, row: confidence(terminal, of(row)),
        date=lambda terminal, row: terminal.date(of(row).held_from),
        id=lambda _, row: short(of(row).id),
    )


def confidence(terminal: Terminal, item: KnowledgeItem) -> Text:
    """How sure, as a mark and a word; a tick where the person confirmed it, a house where it stays on this machine."""
    how = level(item.confidence, terminal.policy.confidence)
    mark, colour = MARKS[how]
    marks = f"{' ✓' if item.validated else ''}{' ⌂' if item.local_only else ''}"
    return Text(f"{mark} {terminal.words(f'level.{how}')}{marks}", colour)


def kind(words: Words, item: KnowledgeItem) -> Text:
    """Its type, and its area of life where it has one."""
    return joined([words.name("type", item.type), words.name("area", item.area)])


def state(words: Words, item: KnowledgeItem) -> Text:
    """Why it is not current, or that it is in question, if so."""
    if item.deleted_at is not None:
        return Text(words("mark.deleted"), "red")
    if item.superseded_at is not None:
        return Text(words("mark.replaced"), "yellow")
    if item.archived_at is not None:
        return Text(words("mark.archived"), "yellow")
    return Text(words("mark.question") if item.needs_resolution else "", "yellow")


def arms(words: Words, why: Why) -> str:
    """What found a row, each with how well."""
    return " + ".join(clean(arm) for arm in trace.arms(words, why))


def why_text(words: Words, why: Why) -> str:
    """What a score is made of."""
    numbers = {name: words.number(getattr(why, name)) for name in ("similarity", "weight", "recency")}
    return words("why.rest", arms=arms(words, why) or words("why.named"), **numbers)


def show_item(terminal: Terminal, held: KnowledgeItem, messages: Sequence[Message]) -> None:
    """Everything about one item that has something to say."""
    words = terminal.words
    content = Text(clean(held.content, breaks=True), "bold")
    if newer := against(held, words.language):
        content.append(f"\n{clean(newer[:1].upper() + newer[1:])}", "not bold yellow")
    said = {
        one.id: f"{clean(speaker(words, one))}: “{clean(one.text)}” ({terminal.moment(one.sent_at)})"
        for one in messages
    }
    value = attribute(words, held.attribute) + (f" = {clean(held.value)}" if held.value else "")
    successor = short(held.superseded_by) if held.superseded_by else words("label.replaced.gone")
    rows = terminal.labels(
        {
            "type": words.name("type", held.type),
            "area": joined([words.name("area", held.area), clean(words.name("sub_area", held.sub_area))]),
            "subject": None if held.subject == SELF else held.subject,
            "claimed": held.speaker,
            "attribute": value if held.attribute or held.value else None,
            "confidence": confidence(terminal, held).append(f"  {words.number(held.confidence)}", DIM),
            "validated": held.validated,
            "local": words("label.local.text") if held.local_only else None,
            "resolve": words("label.resolve.text") if held.needs_resolution else None,
            "since": terminal.date(held.held_from),
            "until": terminal.date(held.held_until),
            "expires": terminal.date(held.expires_at),
            "replaced": None if held.superseded_at is None else successor,
            "archived": held.archived_at,
            "deleted": held.deleted_at,
            "tags": ", ".join(held.tags),
            "used": words("label.used.times", n=held.accesses) if held.accesses else None,
            "place": None if held.place.is_private else place(words, held.place),
            "source": words.name("source", held.source),
            "evidence": held.evidence,
            "messages": stacked(said.get(id, id) for id in held.message_ids),
            "note": held.note_id,
            "related": ", ".join(short(id) for id in held.related),
            "id": held.id,
        }
    )
    terminal.panel(rows, joined([kind(words, held), state(words, held)]), content)


def show_done(terminal: Terminal, held: KnowledgeItem, key: str, hint: str = "") -> None:
    """What happened to which item, and what can be done next."""
    words = terminal.words
    line = Text(words(key), "green bold").append("  ").append(terminal.cell(held.content, longest=200))
    details = joined([kind(words, held), confidence(terminal, held), Text(short(held.id), "cyan")])
    terminal.show(line, Text("  ").append(details))
    if hint:
        terminal.say(hint, DIM, id=short(held.id))


def _history(terminal: Terminal, found: History) -> None:
    """A timeline of what was believed, then who changed what, when and why."""
    words = terminal.words
    terminal.show(Text(words("history.line"), "bold"))
    for held in [*found.predecessors, found.item, *([found.successor] if found.successor else [])]:
        mark = Text("● " if held.id == found.item.id else "○ ", "cyan")
        until = terminal.date(held.held_until) if held.held_until else words("history.now")
        dates = Text(f"{terminal.date(held.held_from)} – {until}", DIM)
        parts = [terminal.cell(held.content), dates, state(words, held), Text(short(held.id), "cyan")]
        terminal.show(Text("  ").append(mark).append(joined(parts)))
    terminal.show(Text(), Text(words("history.changes"), "bold"))
    for entry in found.trail:
        terminal.show(_entry(terminal, entry))


def _undone(terminal: Terminal, entries: Sequence[AuditEntry], texts: Mapping[str, str]) -> None:
    """What was undone, said once, and beneath it each row it was done to where there were several."""
    changes: dict[str, tuple[Text, dict[str, None]]] = {}
    for entry in entries:
        line = _entry(terminal, entry)
        changes.setdefault(line.plain, (line, {}))[1][entry.target_id] = None
    for line, ids in changes.values():
        terminal.show(Text(terminal.words("done.undone") + ":", "green bold").append(line))
        for id in ids if len(entries) > 1 else ():
            content = texts.get(id) or terminal.words("diff.forgotten")
            terminal.show(Text("  ↺ ").append(terminal.named(content, id)))


def _entry(terminal: Terminal, entry: AuditEntry) -> Text:
    words = terminal.words
    line = Text("  ").append(terminal.moment(entry.at), DIM).append("  ")
    line.append(words.name("verb", entry.verb), "bold")
    line.append(" " + words("history.by", who=clean(who(words, entry.actor))))
    if entry.why:
        line.append("; " + words("history.why", why=clean(reason(words, entry.why))))
    return line.append("\n      " if terminal.watched else "  ").append(words("history.change", id=entry.change), DIM)


# ── commands that are one verb ────────────────────────────────────────────────────────────────────────────────────


def _changes(name: str, key: str, hint: str = "", *, settles: bool = False) -> Callable[..., Awaitable[Answer]]:
    """A command that does one thing to an item."""
    return verb(name, partial(show_done, key=key, hint=hint), opens="existing", of_item=True, settles=settles)


validate = _changes("validate", "done.validated")
correct = _changes("correct", "done.corrected", settles=True)
delete = _changes("delete", "done.deleted", "done.deleted.back")
restore = _changes("restore", "done.restored")
archive = _changes("archive", "done.archived", "done.archived.back")
recover = _changes("recover", "done.recovered")
_keep_local = _changes("keep_local", "done.kept_local", "done.kept_local.sources")
_let_out = _changes("keep_local", "done.let_out")
history = verb("history", _history, of_item=True)
related = verb("related", partial(show_items, empty="empty.related"), of_item=True)


# ── views ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def me(call: Call) -> Answer:
    """The block alone goes to standard output, so that it can be piped."""
    async with call.reading() as memory:
        made = await memory.me(language=call.words.language, **call.person)
        block = user_memory.rendered(made)
    is_empty = not any(getattr(made, name) for name in (*user_memory.FACTS, *user_memory.LISTS))

    def show(terminal: Terminal, _: Any) -> None:
        if is_empty:
            note(call.words("empty.me", user=call.user))
        else:
            terminal.show(Text(block))

    return Answer(made, show, json={**shapes.wire(made), "tokens": made.tokens})


async def profile(call: Call, *, cognitive: bool = False, minified: bool = False, **asked: Any) -> Answer:
    """The profile, the traits alone, or the facts as JSON on one line, which is made to be pasted."""
    if cognitive and minified:
        raise UsageError("profile.one", command="profile")
    if cognitive:
        return await _cognitive(call, **asked)
    async with call.reading() as memory:
        if minified:
            return Answer(await memory.minified(**asked, **call.person), partial(_write_json, text=user_memory.dumped))
        return Answer(await memory.profile(language=call.words.language, **asked, **call.person), _profile)


def _write_json(_: Terminal, data: Any, text: Callable[[Any], str] = shapes.json_text) -> None:
    sys.stdout.write(text(data) + "\n")


def tools(call: Call, *, format: Literal["openai", "anthropic", "plain"] = "openai") -> Answer:
    """JSON for people too: it is made to be handed on."""
    return Answer(Memory.tools(format, call.words.language), _write_json)


async def call_tool(call: Call, *, tool: str, by: str = "model:assistant", **asked: Any) -> Answer:
    async with call.writing() if tool == "add_knowledge" else call.reading() as memory:
        answer = await memory.call_tool(tool, by=by, language=call.words.language, **asked, **call.person)
    return Answer(answer, _write_json)


def _profile(terminal: Terminal, made: Profile) -> None:
    words = terminal.words
    if made.is_empty:
        terminal.say("empty.profile")
        return
    terminal.show(Text(words("profile.of", user=clean(made.name)), "bold"))
    titles = SECTION_TITLES[words.language]
    rows = {
        titles[section]: [row for line in lines for row in _lines(terminal, line)]
        for section, lines in made.sections.items()
    }
    terminal.sections("content* source~/", [(title, found) for title, found in rows.items() if found])


def _lines(terminal: Terminal, line: Line, mark: str = "") -> list[list[Cell]]:
    """One thing known and where it is from; what is known of the people it names stands under it."""
    words = terminal.words
    source = [terminal.cell(line.note_title or "", longest=32).plain, short_date(line.date, words.language)]
    doubt = ""
    if line.needs_resolution:
        doubt = words("mark.question")
    elif line.confidence < terminal.policy.confidence.medium:
        doubt = words("mark.unsure")
    content = Text(mark + clean(line.text)).append(" ✓" if line.validated else "", "green")
    row: list[Cell] = [content, joined([", ".join(filter(None, source)), doubt])]
    return [row, *(inner for about in line.about for inner in _lines(terminal, about, f"{mark}  "))]


_cognitive = verb(
    "cognitive",
    table(
        "trait~ content=value* seen> confidence>",
        "empty.cognitive",
        trait=lambda terminal, row: trait(terminal.words, row.key),
        seen=lambda terminal, trait: terminal.words("label.used.times", n=trait.observations),
    ),
)
people = verb(
    "people", table("name~ relation~ facts*", "empty.people", facts=lambda _, person: stacked(map(clean, person.facts)))
)


async def count(call: Call, **filters: Any) -> Answer:
    return await verb("count", partial(_counts, empty=empty_key(filters)))(call, **filters)


def _counts(terminal: Terminal, found: Counts, empty: str) -> None:
    words = terminal.words
    if not found.total:
        terminal.say(empty)
        return
    terminal.hint("counted.total", "bold", items=words.count("item", found.total))
    standing = {words(f"counted.{name}"): getattr(found, name) for name in ("validated", "unresolved")}
    groups = {
        "area": {words.name("area", area) or words("counted.none"): items for area, items in found.areas.items()},
        "type": {words.name("type", name): items for name, items in found.types.items()},
        "source": {words.name("source", name): items for name, items in found.sources.items()},
        "level": {words.name("level", name): items for name, items in found.levels.items()},
        "standing": {name: items for name, items in standing.items() if items},
    }
    rows: list[list[Cell]] = [
        [words(f"counted.{group}"), name, words.whole(items), terminal.bar(items, found.total)]
        for group, counts in groups.items()
        for name, items in counts.items()
    ]
    terminal.table("when~ group name> bar", rows, headed=False, wide=False)


def _happened(words: Words, moment: Moment) -> tuple[Cell, str]:
    """What it is, and what happened in few words."""
    if moment.note is not None:
        return words.name("kind", moment.note.kind), moment.note.title
    assert moment.item is not None
    return kind(words, moment.item), moment.item.content


timeline = verb(
    "timeline",
    table(
        "when kind/ note* id",
        "empty.timeline",
        when=lambda terminal, moment: terminal.date(moment.at),
        kind=lambda terminal, moment: _happened(terminal.words, moment)[0],
        note=lambda terminal, moment: terminal.cell(_happened(terminal.words, moment)[1], longest=240),
    ),
)
