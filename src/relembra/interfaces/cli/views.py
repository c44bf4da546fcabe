"""What is known, put together: the compact memory, the profile, the people, counts and what happened."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any, Literal

from rich.table import Table
from rich.text import Text

from relembra import locale
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import Answer, Call, table, text, verb, whole_note
from relembra.interfaces.cli.items import empty_key
from relembra.interfaces.cli.items import kind as kind_name
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import DIM, Cell, Terminal, clean, note
from relembra.interfaces.cli.words import Words
from relembra.interfaces.reasons import attribute
from relembra.memory import Memory
from relembra.recall.rendering import MONTHS, SECTION_TITLES, short_date
from relembra.views import memory as user_memory
from relembra.views.people import Person
from relembra.views.profile import Line, Profile
from relembra.views.survey import Counts, Moment, OverTime
from relembra.views.timeline import Birthday

MOST_MINIFIED = 100
LONGEST_SOURCE = 32
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

    return Answer({**shapes.wire(made), "tokens": made.tokens}, people)


async def profile(
    call: Call, *, cognitive: bool = False, minified: bool = False, limit: int = MOST_MINIFIED, **place: Any
) -> Answer:
    """The profile, the traits alone, or the facts as JSON on one line, which is made to be pasted."""
    if cognitive and minified:
        raise UsageError("profile.one", command="profile")
    if cognitive:
        return await _cognitive(call, **place)
    async with call.reading() as memory:
        if minified:
            facts = await memory.minified(limit=limit, **place, **call.person)
            return Answer(facts, lambda _: _written(user_memory.dumped(facts)))  # type: ignore[arg-type]
        made = await memory.profile(language=call.words.language, **place, **call.person)
    return Answer(made, lambda terminal: _profile(terminal, made))


async def count(call: Call, **filters: Any) -> Answer:
    async with call.reading() as memory:
        found = await memory.count(**await whole_note(call, memory, filters), **call.person)

    def people(terminal: Terminal) -> None:
        if found.total:
            _counts(terminal, found, call.user)
        else:
            terminal.say(empty_key(filters))

    return Answer(found, people)


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


def _profile(terminal: Terminal, made: Profile) -> None:
    words = terminal.words
    if made.is_empty:
        terminal.say("empty.profile")
        return
    terminal.show(Text(words("profile.of", user=clean(made.name)), "bold"))
    for section, lines in made.sections.items():
        if not lines:
            continue
        title = SECTION_TITLES[words.language][section]
        if terminal.watched:
            terminal.show(Text(), Text(title, "cyan bold"))
        for line in lines:
            _line(terminal, line, title)


def _line(terminal: Terminal, line: Line, title: str, depth: int = 0) -> None:
    """One thing known and where it is from; what is known of the people it names stands under it."""
    words = terminal.words
    day = short_date(line.date, words.language)
    source = f"{terminal.cell(line.note_title, longest=LONGEST_SOURCE).plain}, {day}" if line.note_title else day
    if line.needs_resolution:
        source += " · " + words("mark.question")
    elif line.confidence < terminal.policy.confidence.medium:
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
        _line(terminal, inner, title, depth + 1)


def _trait(words: Words, key: str) -> str:
    """A key as people read it beside its words: likes.coffee is "likes"."""
    head = key.partition(".")[0]
    return words("trait.pattern") if head == "pattern" else attribute(words, head)


_cognitive = verb(
    "cognitive",
    table(
        "trait~ content=value* seen> confidence>",
        "empty.cognitive",
        trait=lambda terminal, trait: _trait(terminal.words, trait.key) if terminal.watched else str(trait.key),
        seen=lambda terminal, trait: terminal.words("label.used.times", n=trait.observations),
    ),
)


def _facts(terminal: Terminal, person: Person) -> Text:
    told = [Text(clean(fact)) for fact in person.facts]
    if person.birthday is not None:
        day = _birthday(terminal.words, person.birthday)
        told.insert(0, Text(terminal.words("people.birthday", day=day), DIM))
    return Text("\n" if terminal.watched else "; ").join(told)


people = verb("people", table("name~ relation~ facts*", "empty.people", facts=_facts))


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
            rows.append([heading, name, shown, *terminal.bar(items, found.total)])
    terminal.table("when~ group name> bar" if terminal.watched else "when group name", rows, headed=False, wide=False)


def _steps(terminal: Terminal, found: OverTime) -> None:
    words = terminal.words
    learnt = [sum(step.learnt.values()) for step in found.steps]
    rows: list[list[Cell]] = []
    for step, new in zip(found.steps, learnt, strict=True):
        counts = [_number(terminal, count) for count in (new, step.ended, step.archived, step.deleted, step.faded)]
        moods = ", ".join(f"{words(f'mood.{mood}')} {words.whole(times)}" for mood, times in step.moods.items())
        rows.append([_day(terminal, step.start), counts[0], *terminal.bar(new, max(learnt)), *counts[1:], moods])
    fates = " ".join(f"fate.{name}>" for name in ("ended", "archived", "deleted", "faded"))
    terminal.table(
        f"step.{found.step} fate.learnt> {'bar' if terminal.watched else ''} {fates} fate.moods~", rows, wide=False
    )


over_time = verb("over_time", _steps)


def _day(terminal: Terminal, day: date) -> str:
    return short_date(datetime.combine(day, time()), terminal.words.language) if terminal.watched else day.isoformat()


def _number(terminal: Terminal, count: int) -> str:
    """Nothing is a dot for eyes, so that the rest stands out."""
    return (terminal.words.whole(count) if count else "·") if terminal.watched else str(count)


def _happened(words: Words, moment: Moment) -> tuple[Cell, str]:
    """What it is, and what happened in few words."""
    if moment.note is not None:
        return words.name("kind", moment.note.kind), clean(moment.note.title)
    assert moment.item is not None
    return kind_name(words, moment.item), moment.item.content


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
