"""Runs of nightly work in words for every interface: what one did, what became of a row, what a cleanup does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from relembra.domain.audit import Target
from relembra.domain.jobs import Run, Tally
from relembra.domain.scope import Whose
from relembra.errors import NotFoundError
from relembra.interfaces.differences import Difference, moment_of
from relembra.interfaces.failures import trouble
from relembra.locale import Words
from relembra.memory import Memory
from relembra.night.gardener import ActionKind, GardenAction

Texts = Mapping[str, str]
"""The words of rows by id."""
Told = Callable[[datetime], str]
"""How an interface says a moment."""


async def texts_of(memory: Memory, told: Iterable[Difference], whose: Whose, *, space: str | None = None) -> Texts:
    """The words of rows: those the changes tell, and for the others what the memory says now."""
    rows = list(told)
    found = {row.id: row.text for row in rows if row.text is not None}
    others = [(row.target, row.id) for row in rows] + [(Target.ITEM, row.becomes) for row in rows if row.becomes]
    for target, id in others:
        if id not in found and (text := await _text(memory, target, id, whose, space)):
            found[id] = text
    return found


async def _text(memory: Memory, target: Target, id: str, whose: Whose, space: str | None) -> str | None:
    try:
        if target is Target.NOTE:
            return (await memory.note(id, space=space, **whose)).title
        return (await memory.get(id, **whose)).content if target is Target.ITEM else None
    except NotFoundError:
        return None


def counts(words: Words, tally: Tally) -> dict[str, str]:
    """What a record did, each number in words by its name; nothing that is none, and not what it read."""
    numbers = {part.name: int(getattr(tally, part.name)) for part in fields(tally) if part.name != "messages"}
    return {name: words.count(f"run.{name}", number) for name, number in numbers.items() if number}


def model(words: Words, run: Run) -> str:
    """What a model was asked; empty where none was."""
    if not run.model_calls:
        return ""
    return words(
        "run.model",
        calls=words.count("call", run.model_calls),
        input=words.whole(run.input_tokens),
        output=words.whole(run.output_tokens),
    )


def trouble_of(words: Words, error: str | None) -> str:
    """Why something could not be done, in the reader's language where the sentence has one."""
    return "" if error is None else trouble(words, error) or error


def version(words: Words, run: Run) -> str:
    """Which version of the compact memory came of it."""
    if run.memory_after is None:
        return ""
    if run.memory_before is None:
        return words("run.memory.first", after=run.memory_after)
    if run.memory_before == run.memory_after:
        return words("run.memory.same", after=run.memory_after)
    return words("run.memory", before=run.memory_before, after=run.memory_after)


def covers(words: Words, run: Run, moment: Told) -> str:
    """From when until when the messages it read were sent."""
    if run.since is None:
        return words("run.covers.first", end=moment(run.until))
    return words("run.covers", start=moment(run.since), end=moment(run.until))


def note_fate(words: Words, row: Difference) -> str:
    """What became of a note."""
    if row.before is None:
        return words("diff.written")
    if "condense" in row.verbs and isinstance(row.before.get("summary"), str):
        before, after = len(row.before["summary"]), len(str(row.after.get("summary", "")))
        return words("diff.shorter", before=words.whole(before), after=words.whole(after))
    if row.after.get("archived_at") is not None and row.before.get("archived_at") is None:
        return words("mark.archived")
    return words("diff.rewritten")


def part_said(words: Words, name: str, part: Any, moment: Told) -> str:
    """One side of a row's difference; empty where there was nothing."""
    if part is None or part == "":
        return ""
    match name:
        case "observations":
            return words("label.used.times", n=words.whole(int(part)))
        case "confidence" | "weight":
            return words.number(float(part))
        case "type" | "area":
            return words.name(name, str(part))
        case "related":
            return words.whole(len(part))
    if isinstance(part, bool):
        return words("yes" if part else "no")
    when = moment_of(part) if name.endswith(("_at", "_until")) else None
    return moment(when) if when is not None else str(part)


def part_of(words: Words, action: GardenAction) -> str:
    """What an action changes: a weight, a priority, or the words that are taken in."""
    key = f"deed.part.{action.kind}"
    if action.before is None or not words.has(key):
        return ""
    if action.kind is ActionKind.MERGE:
        return words(key, before=action.before)
    digits = 2 if action.kind in (ActionKind.FADE, ActionKind.ARCHIVE) else 0
    return words(key, **{name: words.number(action.numbers.get(name, 0), digits) for name in ("before", "after")})
