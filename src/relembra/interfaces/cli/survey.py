"""A memory seen from above: how much is known, what came and went, and what happened when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time

from rich.text import Text

from relembra.interfaces import shapes
from relembra.interfaces.cli import tables
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.tables import DIM
from relembra.interfaces.cli.terminal import Terminal, clean, joined, short
from relembra.interfaces.cli.wishing import wishes
from relembra.interfaces.cli.words import Words
from relembra.recall.asked import Listing
from relembra.recall.rendering import short_date
from relembra.views.survey import Counts, Moment, OverTime, Step

LONGEST_BAR = 20
"""Columns of the picture beside a number."""


async def count(call: Call) -> Answer:
    given = call.given
    async with call.reading() as memory:
        found = await memory.count(
            space=given.maybe("space"), channel=given.maybe("channel"), **call.whose, **await wishes(call, memory)
        )

    def people(terminal: Terminal) -> None:
        if found.total:
            _counts(terminal, found, call.user)
        else:
            terminal.say("empty.filtered" if given.filtered else "empty.items", user=call.user)

    return Answer(shapes.counts(found), people)


async def over_time(call: Call) -> Answer:
    given = call.given
    async with call.reading() as memory:
        found = await memory.over_time(
            since=given.moment("since"),
            until=given.moment("until", whole_day=True),
            step=given.token("step") or "week",
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            **call.whose,
        )
    return Answer(shapes.over_time(found), lambda terminal: _steps(terminal, found))


async def timeline(call: Call) -> Answer:
    given = call.given
    limit = given.whole("limit")
    async with call.reading() as memory:
        listing = await memory.timeline(
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            since=given.moment("since"),
            until=given.moment("until", whole_day=True),
            limit=50 if limit is None else limit,
            after=given.maybe("after"),
            **call.whose,
        )

    def people(terminal: Terminal) -> None:
        if listing:
            _line(terminal, listing)
        else:
            terminal.say("empty.timeline", user=call.user)

    return Answer(shapes.page(listing), people)


def _counts(terminal: Terminal, found: Counts, user: str) -> None:
    words = terminal.words
    if terminal.watched:
        terminal.say("counted.total", "bold", items=words.count("item", found.total), user=user)
    table = tables.blank(terminal)
    table.show_header = False
    table.expand = False
    table.add_column(style=DIM)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", style="bold")
    if terminal.watched:
        table.add_column(style="cyan")
    standing = {"validated": found.validated, "unresolved": found.unresolved}
    groups: list[tuple[str, Mapping[str, int]]] = [
        ("area", {words.name("area", area) or words("counted.none"): items for area, items in found.areas.items()}),
        ("type", _named(words, "type", found.types)),
        ("source", _named(words, "source", found.sources)),
        ("level", _named(words, "level", found.levels)),
        ("standing", {words(f"counted.{name}"): items for name, items in standing.items() if items}),
    ]
    for group, counts in groups:
        for number, (name, items) in enumerate(counts.items()):
            heading = words(f"counted.{group}") if number == 0 or not terminal.watched else ""
            picture = [_bar(items, found.total)] if terminal.watched else []
            table.add_row(heading, name, words.whole(items) if terminal.watched else str(items), *picture)
    terminal.show(table)


def _named(words: Words, kind: str, counts: Mapping[str, int]) -> dict[str, int]:
    return {words.name(kind, name): items for name, items in counts.items()}


def _steps(terminal: Terminal, found: OverTime) -> None:
    words = terminal.words
    most = max(_learnt(step) for step in found.steps)
    table = tables.blank(terminal)
    table.expand = False
    table.add_column(words(f"step.{found.step}"), no_wrap=True, style=DIM)
    table.add_column(words("fate.learnt"), justify="right", style="bold")
    if terminal.watched:
        table.add_column("", style="cyan", no_wrap=True)
    for fate in ("ended", "archived", "deleted", "faded"):
        table.add_column(words(f"fate.{fate}"), justify="right")
    table.add_column(words("fate.moods"))
    for step in found.steps:
        picture = [_bar(_learnt(step), most)] if terminal.watched else []
        numbers = _numbers(terminal, (_learnt(step), step.ended, step.archived, step.deleted, step.faded))
        moods = ", ".join(f"{words(f'mood.{mood}')} {words.whole(times)}" for mood, times in step.moods.items())
        table.add_row(_day(terminal, step.start), numbers[0], *picture, *numbers[1:], moods)
    terminal.show(table)


def _day(terminal: Terminal, day: date) -> str:
    return short_date(datetime.combine(day, time()), terminal.words.language) if terminal.watched else day.isoformat()


def _learnt(step: Step) -> int:
    return sum(step.learnt.values())


def _numbers(terminal: Terminal, counts: Iterable[int]) -> list[str]:
    """Nothing is a dot for eyes, so that the rest stands out."""
    if not terminal.watched:
        return [str(count) for count in counts]
    return [terminal.words.whole(count) if count else "·" for count in counts]


def _bar(part: int, whole: int) -> str:
    """How much of the whole, in blocks of eighths."""
    eighths = round(LONGEST_BAR * 8 * part / whole) if whole else 0
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]


def _line(terminal: Terminal, listing: Listing[Moment]) -> None:
    words = terminal.words
    table = tables.blank(terminal)
    table.add_column(words("head.when"), no_wrap=True, style=DIM)
    if terminal.roomy:
        table.add_column(words("head.kind"), no_wrap=True, style=DIM)
    table.add_column(words("head.note"), ratio=1 if terminal.watched else None)
    table.add_column(words("head.id"), no_wrap=True, style="cyan")
    for moment in listing:
        kind, told = _told(words, moment)
        text = terminal.cell(told, longest=240)
        if not terminal.roomy:
            text = Text("\n").join([text, Text(joined([kind]).plain, DIM)])
        table.add_row(terminal.date(moment.at), *([kind] if terminal.roomy else []), text, short(moment.id))
    terminal.show(table)
    tables.more(terminal, listing.next)


def _told(words: Words, moment: Moment) -> tuple[Text, str]:
    """What it is, and what happened in few words."""
    if moment.note is not None:
        return Text(words.name("kind", moment.note.kind)), clean(moment.note.title)
    assert moment.item is not None
    return tables.kind(words, moment.item), moment.item.content
