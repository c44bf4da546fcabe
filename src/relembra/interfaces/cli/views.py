"""What is known, put together: the compact memory, the profile, the people, counts and what happened."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Literal

from rich.table import Table
from rich.text import Text

from relembra import locale
from relembra.domain.policy import ConfidencePolicy
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import Answer, Call, listed, tabled, text, whole_note
from relembra.interfaces.cli.knowledge import empty_key
from relembra.interfaces.cli.knowledge import kind as kind_name
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import DIM, ID, WHEN, Cell, Column, Terminal, clean, note, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.reasons import attribute
from relembra.memory import Memory
from relembra.recall.query import Listing
from relembra.recall.rendering import MONTHS, SECTION_TITLES, short_date
from relembra.views import memory as user_memory
from relembra.views.memory import dumped
from relembra.views.people import Person
from relembra.views.profile import Line, Profile, Trait
from relembra.views.survey import Counts, Moment, OverTime, Step
from relembra.views.timeline import Birthday

MOST_MINIFIED = 100
LONGEST_SOURCE = 32
LONGEST_BAR = 20
"""Columns of the picture beside a number."""
WRITES = "add_knowledge"
"""The tool that needs a memory to write to."""


async def me(call: Call) -> Answer:
    """The block alone goes to standard output, so that it can be piped; its version and size stand beside."""
    async with call.reading() as memory:
        made = await memory.me(language=call.words.language, **call.person)
        block = user_memory.rendered(made)
    says = any(getattr(made, name) for name in (*user_memory.FACTS, *user_memory.LISTS))

    def people(_: Terminal) -> None:
        words = call.words
        if not says:
            note(words("empty.me", user=call.user))
            return
        sys.stdout.write(block + "\n")
        if sys.stderr.isatty():
            when = short_date(made.made_at.astimezone(), words.language)
            note(words("me.made", version=made.version, tokens=words.count("token", made.tokens), when=when))

    return Answer(user_memory.to_body(made) | {"text": block, "tokens": made.tokens}, people)


async def profile(
    call: Call, *, cognitive: bool = False, minified: bool = False, limit: int = MOST_MINIFIED, **place: Any
) -> Answer:
    """The profile, the traits alone, or the facts as JSON on one line, which is made to be pasted."""
    if cognitive and minified:
        raise UsageError("profile.one", command="profile")
    async with call.reading() as memory:
        if cognitive:
            traits = await memory.cognitive(**place, **call.person)
            data = {"traits": [shapes.wire(trait) for trait in traits]}
            return tabled(data, traits, _traits, "empty.cognitive", user=call.user)
        if minified:
            facts = await memory.minified(limit=limit, **place, **call.person)
            return Answer(facts, lambda _: _written(dumped(facts)))  # type: ignore[arg-type]
        made = await memory.profile(language=call.words.language, **place, **call.person)

    def people(terminal: Terminal) -> None:
        if made.is_empty:
            terminal.say("empty.profile", user=call.user)
        else:
            _profile(terminal, made, call.policy.confidence)

    return Answer(shapes.wire(made), people)


async def people(call: Call, **place: Any) -> Answer:
    async with call.reading() as memory:
        found = await memory.people(**place, **call.person)
    data = {"people": [shapes.wire(each) for each in found]}
    return tabled(data, found, _people, "empty.people", user=call.user)


async def count(call: Call, **filters: Any) -> Answer:
    async with call.reading() as memory:
        found = await memory.count(**await whole_note(call, memory, filters), **call.person)

    def people(terminal: Terminal) -> None:
        if found.total:
            _counts(terminal, found, call.user)
        else:
            terminal.say(empty_key(filters), user=call.user)

    return Answer(shapes.wire(found), people)


async def over_time(call: Call, **asked: Any) -> Answer:
    async with call.reading() as memory:
        found = await memory.over_time(**asked, **call.person)
    return Answer(shapes.wire(found), lambda terminal: _steps(terminal, found))


async def timeline(call: Call, **asked: Any) -> Answer:
    return await listed(call, lambda memory: memory.timeline(**asked, **call.person), _timeline, "empty.timeline")


def tools(call: Call, *, format: Literal["openai", "anthropic"] = "openai") -> Answer:
    """JSON for people too: it is made to be handed on."""
    return _json(Memory.tools(format, call.words.language))


async def call_tool(
    call: Call, *, tool: str, arguments: str | None = None, by: str = "model:assistant", **place: Any
) -> Answer:
    given = None if arguments is None else text(arguments, "arguments")
    async with call.writing() if tool == WRITES else call.reading() as memory:
        answer = await memory.call_tool(tool, given, by=by, language=call.words.language, **place, **call.person)
    return _json(answer)


def _json(data: Any) -> Answer:
    return Answer(data, lambda _: _written(shapes.json_text(data)))


def _written(text: str) -> None:
    sys.stdout.write(text + "\n")


def _profile(terminal: Terminal, made: Profile, policy: ConfidencePolicy) -> None:
    words = terminal.words
    terminal.show(Text(words("profile.of", user=clean(made.name)), "bold"))
    for section, lines in made.sections.items():
        if not lines:
            continue
        title = SECTION_TITLES[words.language][section]
        if terminal.watched:
            terminal.show(Text(), Text(title, "cyan bold"))
        for line in lines:
            _line(terminal, line, policy, title)


def _line(terminal: Terminal, line: Line, policy: ConfidencePolicy, title: str, depth: int = 0) -> None:
    """One thing known and where it is from; what is known of the people it names stands under it."""
    words = terminal.words
    day = short_date(line.date, words.language)
    source = f"{terminal.cell(line.note_title, longest=LONGEST_SOURCE).plain}, {day}" if line.note_title else day
    if line.needs_resolution:
        source += " · " + words("mark.question")
    elif line.confidence < policy.medium:
        source += " · " + words("mark.unsure")
    if terminal.watched:
        row = Table.grid(padding=(0, 1))
        row.add_column(width=2 + 2 * depth, no_wrap=True, justify="right")
        row.add_column(overflow="fold")
        tick = " ✓" if line.validated else ""
        row.add_row(Text("•", DIM), Text(clean(line.text)).append(tick, "green").append(f"  {source}", DIM))
        terminal.show(row)
    else:
        terminal.show(Text("\t").join([Text(title), Text(clean(line.text)), Text(source)]))
    for inner in line.about:
        _line(terminal, inner, policy, title, depth + 1)


def _traits(terminal: Terminal, traits: Sequence[Trait]) -> None:
    words = terminal.words
    columns = (
        Column("trait", "cyan", most=26),
        Column("content", ratio=1),
        Column("seen", right=True, whole=True),
        Column("confidence", right=True, whole=True),
    )
    rows = [
        (
            _trait(words, trait.key) if terminal.watched else trait.key,
            terminal.cell(trait.value),
            words("label.used.times", n=trait.observations),
            words.number(trait.confidence),
        )
        for trait in traits
    ]
    terminal.table(columns, rows)


def _trait(words: Words, key: str) -> str:
    """A key as people read it beside its words: likes.coffee is "likes"."""
    head = key.partition(".")[0]
    return words("trait.pattern") if head == "pattern" else attribute(words, head)


def _people(terminal: Terminal, found: Sequence[Person]) -> None:
    words = terminal.words
    rows = []
    for person in found:
        facts = [Text(clean(fact)) for fact in person.facts]
        if person.birthday is not None:
            facts.insert(0, Text(words("people.birthday", day=_birthday(words, person.birthday)), DIM))
        shown = Text("\n" if terminal.watched else "; ").join(facts)
        rows.append((clean(person.name), clean(person.relation or ""), shown))
    terminal.table((Column("name", "bold", most=24), Column("relation", "cyan"), Column("facts", ratio=1)), rows)


def _birthday(words: Words, day: Birthday) -> str:
    formats = locale.Words(words.language, "formats")
    text = formats("day", day=day.day, month=MONTHS[words.language][day.month - 1])
    return text if day.year is None else formats("day.year", day=text, year=day.year)


def _counts(terminal: Terminal, found: Counts, user: str) -> None:
    words = terminal.words
    terminal.hint("counted.total", "bold", items=words.count("item", found.total), user=user)
    standing = {"validated": found.validated, "unresolved": found.unresolved}
    groups: list[tuple[str, Mapping[str, int]]] = [
        ("area", {words.name("area", area) or words("counted.none"): items for area, items in found.areas.items()}),
        ("type", {words.name("type", name): items for name, items in found.types.items()}),
        ("source", {words.name("source", name): items for name, items in found.sources.items()}),
        ("level", {words.name("level", name): items for name, items in found.levels.items()}),
        ("standing", {words(f"counted.{name}"): items for name, items in standing.items() if items}),
    ]
    rows: list[list[Cell]] = []
    for group, counts in groups:
        for number, (name, items) in enumerate(counts.items()):
            heading = words(f"counted.{group}") if number == 0 or not terminal.watched else ""
            shown = words.whole(items) if terminal.watched else str(items)
            rows.append([heading, name, shown, *_bar(terminal, items, found.total)])
    columns = [Column(style=DIM), Column(whole=True), Column(style="bold", right=True)]
    terminal.table(columns + ([Column(style="cyan")] if terminal.watched else []), rows, expand=False)


def _steps(terminal: Terminal, found: OverTime) -> None:
    words = terminal.words
    most = max(_learnt(step) for step in found.steps)
    columns = [Column(f"step.{found.step}", DIM, whole=True), Column("fate.learnt", "bold", right=True)]
    columns += [Column(style="cyan", whole=True)] if terminal.watched else []
    columns += [Column(f"fate.{name}", right=True) for name in ("ended", "archived", "deleted", "faded")]
    rows: list[list[Cell]] = []
    for step in found.steps:
        numbers = _numbers(terminal, (_learnt(step), step.ended, step.archived, step.deleted, step.faded))
        moods = ", ".join(f"{words(f'mood.{mood}')} {words.whole(times)}" for mood, times in step.moods.items())
        picture = _bar(terminal, _learnt(step), most)
        rows.append([_day(terminal, step.start), numbers[0], *picture, *numbers[1:], moods])
    terminal.table([*columns, Column("fate.moods")], rows, expand=False)


def _day(terminal: Terminal, day: date) -> str:
    return short_date(datetime.combine(day, time()), terminal.words.language) if terminal.watched else day.isoformat()


def _learnt(step: Step) -> int:
    return sum(step.learnt.values())


def _numbers(terminal: Terminal, counts: Iterable[int]) -> list[str]:
    """Nothing is a dot for eyes, so that the rest stands out."""
    if not terminal.watched:
        return [str(count) for count in counts]
    return [terminal.words.whole(count) if count else "·" for count in counts]


def _bar(terminal: Terminal, part: int, whole: int) -> list[str]:
    """How much of the whole, in blocks of eighths; nothing where nobody looks."""
    if not terminal.watched:
        return []
    eighths = round(LONGEST_BAR * 8 * part / whole) if whole else 0
    return ["█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]]


def _timeline(terminal: Terminal, listing: Listing[Moment]) -> None:
    rows: list[tuple[Cell, ...]] = []
    for moment in listing:
        kind, content = _happened(terminal.words, moment)
        rows.append((terminal.date(moment.at), kind, terminal.cell(content, longest=240), short(moment.id)))
    terminal.table((WHEN, Column("kind", DIM, whole=True, aside="below"), Column("note", ratio=1), ID), rows)


def _happened(words: Words, moment: Moment) -> tuple[Cell, str]:
    """What it is, and what happened in few words."""
    if moment.note is not None:
        return words.name("kind", moment.note.kind), clean(moment.note.title)
    assert moment.item is not None
    return kind_name(words, moment.item), moment.item.content
