"""What is known, put together: the compact memory, the profile, the people, counts and what happened."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, Literal

from rich.text import Text

from relembra.interfaces import shapes
from relembra.interfaces.cli.call import Answer, Call, verb
from relembra.interfaces.cli.items import empty_key
from relembra.interfaces.cli.items import kind as kind_name
from relembra.interfaces.cli.parser import UsageError
from relembra.interfaces.cli.terminal import Cell, Terminal, clean, joined, note, stacked, table
from relembra.interfaces.cli.words import Words
from relembra.interfaces.sentences import attribute
from relembra.memory import Memory
from relembra.recall.rendering import SECTION_TITLES, short_date
from relembra.views import memory as user_memory
from relembra.views.profile import Line, Profile
from relembra.views.survey import Counts, Moment

LONGEST_SOURCE = 32
WRITES = "add_knowledge"
"""The tool that needs a memory to write to."""


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
            return Answer(await memory.minified(**asked, **call.person), _show_minified)
        return Answer(await memory.profile(language=call.words.language, **asked, **call.person), _profile)


def _show_minified(_: Terminal, facts: Any) -> None:
    sys.stdout.write(user_memory.dumped(facts) + "\n")


def tools(call: Call, *, format: Literal["openai", "anthropic"] = "openai") -> Answer:
    """JSON for people too: it is made to be handed on."""
    return Answer(Memory.tools(format, call.words.language), _show_json)


async def call_tool(call: Call, *, tool: str, by: str = "model:assistant", **asked: Any) -> Answer:
    async with call.writing() if tool == WRITES else call.reading() as memory:
        answer = await memory.call_tool(tool, by=by, language=call.words.language, **asked, **call.person)
    return Answer(answer, _show_json)


def _show_json(_: Terminal, data: Any) -> None:
    sys.stdout.write(shapes.json_text(data) + "\n")


def _profile(terminal: Terminal, made: Profile) -> None:
    words = terminal.words
    if made.is_empty:
        terminal.say("empty.profile")
        return
    terminal.show(Text(words("profile.of", user=clean(made.name)), "bold"))
    for section, lines in made.sections.items():
        title = SECTION_TITLES[words.language][section]
        rows = [[*([] if terminal.watched else [title]), *row] for line in lines for row in _lines(terminal, line)]
        if rows:
            terminal.title(title)
            terminal.table("content* source~/" if terminal.watched else "section content source", rows, headed=False)


def _lines(terminal: Terminal, line: Line, mark: str = "") -> list[list[Cell]]:
    """One thing known and where it is from; what is known of the people it names stands under it."""
    words = terminal.words
    source = [terminal.cell(line.note_title or "", longest=LONGEST_SOURCE).plain, short_date(line.date, words.language)]
    doubt = ""
    if line.needs_resolution:
        doubt = words("mark.question")
    elif line.confidence < terminal.policy.confidence.medium:
        doubt = words("mark.unsure")
    content = Text(mark + clean(line.text)).append(" ✓" if line.validated and terminal.watched else "", "green")
    row: list[Cell] = [content, joined([", ".join(filter(None, source)), doubt])]
    deeper = f"{mark}  " if terminal.watched else ""
    return [row, *(inner for about in line.about for inner in _lines(terminal, about, deeper))]


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
        [words(f"counted.{group}"), name, words.whole(items), *terminal.bar(items, found.total)]
        for group, counts in groups.items()
        for name, items in counts.items()
    ]
    terminal.table("when~ group name> bar" if terminal.watched else "when group name", rows, headed=False, wide=False)


def _happened(words: Words, moment: Moment) -> tuple[Cell, str]:
    """What it is, and what happened in few words."""
    if moment.note is not None:
        return words.name("kind", moment.note.kind), moment.note.title
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
