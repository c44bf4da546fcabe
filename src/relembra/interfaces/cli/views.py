"""What is known, put together: the compact memory, the profile, the people."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from relembra.domain.policy import ConfidencePolicy
from relembra.interfaces import shapes
from relembra.interfaces.cli import tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean, note
from relembra.interfaces.cli.words import Words
from relembra.interfaces.reasons import attribute
from relembra.recall.rendering import MONTHS, short_date
from relembra.views import user_memory
from relembra.views.calendar import Birthday
from relembra.views.cognitive import Trait
from relembra.views.minified import dumped
from relembra.views.people import Person
from relembra.views.profile import SECTION_TITLES, Line, Profile

MOST_MINIFIED = 100
LONGEST_SOURCE = 32


async def me(call: Call) -> Answer:
    """The block alone goes to standard output, so that it can be piped; its version and size stand beside."""
    async with call.reading() as memory:
        made = await memory.me(language=call.words.language, **call.whose)
        text = user_memory.rendered(made)
    says = any(getattr(made, name) for name in (*user_memory.FACTS, *user_memory.LISTS))

    def people(_: Terminal) -> None:
        words = call.words
        if not says:
            note(words("empty.me", user=call.user))
            return
        sys.stdout.write(text + "\n")
        if sys.stderr.isatty():
            when = short_date(made.made_at.astimezone(), words.language)
            note(words("me.made", version=made.version, tokens=words.count("token", made.tokens), when=when))

    return Answer(user_memory.to_body(made) | {"text": text, "tokens": made.tokens}, people)


async def profile(call: Call) -> Answer:
    given = call.given
    if given.flag("cognitive") and given.flag("minified"):
        raise UsageError("profile.one", command="profile")
    if given.flag("cognitive"):
        return await _cognitive(call)
    if given.flag("minified"):
        return await _minified(call)
    async with call.reading() as memory:
        made = await memory.profile(
            space=given.maybe("space"), channel=given.maybe("channel"), language=call.words.language, **call.whose
        )

    def people(terminal: Terminal) -> None:
        if made.is_empty:
            terminal.say("empty.profile", user=call.user)
        else:
            _profile(terminal, made, call.policy.confidence)

    return Answer(shapes.flat(made), people)


async def people(call: Call) -> Answer:
    given = call.given
    async with call.reading() as memory:
        found = await memory.people(space=given.maybe("space"), channel=given.maybe("channel"), **call.whose)

    def shown(terminal: Terminal) -> None:
        if found:
            _people(terminal, found)
        else:
            terminal.say("empty.people", user=call.user)

    return Answer({"people": [shapes.person(each) for each in found]}, shown)


async def _cognitive(call: Call) -> Answer:
    given = call.given
    async with call.reading() as memory:
        traits = await memory.cognitive(space=given.maybe("space"), channel=given.maybe("channel"), **call.whose)

    def people(terminal: Terminal) -> None:
        if traits:
            _traits(terminal, traits)
        else:
            terminal.say("empty.cognitive", user=call.user)

    return Answer({"traits": [shapes.flat(trait) for trait in traits]}, people)


async def _minified(call: Call) -> Answer:
    """JSON for people too, for it is made to be pasted; on one line then."""
    given = call.given
    limit = given.whole("limit")
    async with call.reading() as memory:
        facts = await memory.minified(
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            limit=MOST_MINIFIED if limit is None else limit,
            **call.whose,
        )
    return Answer(facts, lambda _: _written(dumped(facts)))  # type: ignore[arg-type]


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
    table = tables.blank(terminal)
    table.add_column(words("head.trait"), style="cyan", max_width=26 if terminal.watched else None)
    table.add_column(words("head.content"), ratio=1 if terminal.watched else None)
    table.add_column(words("head.seen"), justify="right", no_wrap=True)
    table.add_column(words("head.confidence"), justify="right", no_wrap=True)
    for trait in traits:
        seen = words("label.used.times", n=trait.observations)
        key = _trait(words, trait.key) if terminal.watched else trait.key
        table.add_row(key, terminal.cell(trait.value), seen, words.number(trait.confidence))
    terminal.show(table)


def _trait(words: Words, key: str) -> str:
    """A key as people read it beside its words: likes.coffee is "likes"."""
    head = key.partition(".")[0]
    return words("trait.pattern") if head == "pattern" else attribute(words, head)


def _people(terminal: Terminal, found: Sequence[Person]) -> None:
    words = terminal.words
    table = tables.blank(terminal)
    table.add_column(words("head.name"), style="bold", max_width=24 if terminal.watched else None)
    table.add_column(words("head.relation"), style="cyan")
    table.add_column(words("head.facts"), ratio=1 if terminal.watched else None)
    for person in found:
        facts = [Text(clean(fact)) for fact in person.facts]
        if person.birthday is not None:
            facts.insert(0, Text(words("people.birthday", day=_birthday(words, person.birthday)), DIM))
        told = Text("\n" if terminal.watched else "; ").join(facts)
        table.add_row(clean(person.name), clean(person.relation or ""), told)
    terminal.show(table)


def _birthday(words: Words, day: Birthday) -> str:
    month = MONTHS[words.language][day.month - 1]
    text = f"{day.day} {month}" if words.language == "pt" else f"{month} {day.day}"
    if day.year is None:
        return text
    return f"{text} {day.year}" if words.language == "pt" else f"{text}, {day.year}"
