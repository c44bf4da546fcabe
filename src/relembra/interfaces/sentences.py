"""Values in words for every interface: when and how long, why, and what a run of night work changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from functools import partial
from typing import Any

from relembra.domain.audit import Actor, ActorKind, AuditEntry, Target
from relembra.domain.jobs import AT_ONCE, Run, Tally
from relembra.domain.knowledge import FAVORITE, FORMER
from relembra.domain.scope import Whose
from relembra.errors import NotFoundError
from relembra.interfaces.failures import translated, trouble
from relembra.locale import Words
from relembra.memory import Memory
from relembra.night.gardener import ActionKind, GardenAction
from relembra.recall.rendering import short_date

# ── times ───────────────────────────────────────────────────────────────────────────────────────────────────────────


_DAY = timedelta(days=1)


def span(words: Words, length: timedelta) -> str:
    """A length of time in its largest unit: seconds, minutes, hours or days."""
    seconds = max(0.0, length.total_seconds())
    if seconds < 1:
        return words("time.seconds", n=("< " if seconds < 0.1 else "") + words.number(max(0.1, seconds), 1))
    for unit, size, end in (("seconds", 1, 60), ("minutes", 60, 3_600), ("hours", 3_600, 2 * 86_400)):
        if seconds < end:
            return words(f"time.{unit}", n=words.whole(round(seconds / size)))
    days = round(seconds / 86_400)
    return words(f"time.days.{'one' if days == 1 else 'many'}", n=words.whole(days))


def due(words: Words, moment: datetime, now: datetime, *, zone: tzinfo | None = None, later: str = "") -> str:
    """When something is to be done, by a zone's clock, else by this computer's; what is late says for how long.

    `later`: how a day after tomorrow is said, where an interface says days in its own manner.
    """
    if moment <= AT_ONCE or timedelta() <= now - moment < timedelta(minutes=1):
        return words("time.now")
    if moment < now:
        return words("time.overdue", span=span(words, now - moment))
    there, here = moment.astimezone(zone), now.astimezone(zone)
    clock = f"{there:%H:%M}"
    if there.date() == here.date():
        said = words("time.today", time=clock)
    elif there.date() == (here + _DAY).date():
        said = words("time.tomorrow", time=clock)
    else:
        return later or words("time.day", date=short_date(there, words.language), time=clock)
    return f"{said} ({words('time.in', span=span(words, moment - now))})"


def day(words: Words, when: date) -> str:
    """A day of the calendar, wherever it was."""
    return short_date(datetime.combine(when, time()), words.language)


# ── reasons ─────────────────────────────────────────────────────────────────────────────────────────────────────────


_SINCE = re.compile(r"(?P<who>\w+:.+) changed it since \((?P<verb>\w+)\)")


def reason(words: Words, why: str) -> str:
    """A recorded reason as a sentence; what a person or a language model wrote stays as it is."""
    return "; ".join(_one(words, part) for part in why.split("; "))


def attribute(words: Words, name: str | None) -> str:
    """What an attribute is called: "former residence" too, and "favourite colour" as far as it is known."""
    if name is None:
        return ""
    for mark, key in ((FORMER, "attribute.former"), (FAVORITE, "attribute.favorite")):
        if name.startswith(mark) and len(name) > len(mark):
            return words(key, name=attribute(words, name.removeprefix(mark)))
    return words.name("attribute", name).replace("_", " ")


def trait(words: Words, key: str) -> str:
    """A trait's key as people read it beside its words: `likes.coffee` is "likes"."""
    head = key.partition(".")[0]
    return words("trait.pattern") if head == "pattern" else attribute(words, head)


def who(words: Words, actor: Actor) -> str:
    """A person by their name, anybody else with what they are."""
    return actor.name if actor.kind is ActorKind.PERSON else words(f"actor.{actor.kind}", name=actor.name)


def why_left(words: Words, why: str) -> str:
    """Why a row stays as it is when a record is rolled back."""
    if found := _SINCE.fullmatch(why):
        changed_by = who(words, Actor.parse(found["who"]))
        return words("left.since", who=changed_by, verb=words.name("verb", found["verb"]))
    return words("left.forgotten" if "forgotten" in why else "left.changed")


def _one(words: Words, why: str) -> str:
    if why.startswith("keep "):  # how a person settled a contradiction
        return words.name("outcome", why.removeprefix("keep "))
    if (said := translated(words, "reason.", why, partial(_part, words))) is not None:
        return said
    first, _, rest = why.partition(", ")
    but = translated(words, "reason.but_", rest)
    return why if but is None else f"{_one(words, first)}, {but}"


def _part(words: Words, name: str, part: str) -> str:
    """A number or name in a reason, as it is said in the reader's language."""
    match name:
        case "why":
            return _one(words, part)
        case "weeks":
            return words.count("week", int(part.split()[0]))
        case "under" | "likeness":
            return words.decimal(part)
        case "attribute" | "thing":
            return attribute(words, part.replace(" ", "_"))
        case "wide" | "narrow" | "state":
            return words.name("living", part.replace(" ", "_")).replace("_", " ")
    return part


# ── changes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


SHOWN = (
    *("content", "title", "type", "area", "value", "confidence", "weight", "priority", "observations", "validated"),
    *("local_only", "needs_resolution", "held_until", "expires_at", "related"),
    *("superseded_at", "archived_at", "deleted_at"),
)
"""The parts of an item that mean something to people; counters and moments of bookkeeping do not."""


class Fate(StrEnum):
    """What became of a row."""

    CREATED = "created"
    CHANGED = "changed"
    ENDED = "ended"
    MERGED = "merged"
    ARCHIVED = "archived"
    NOTE = "notes"


@dataclass(frozen=True, slots=True)
class Difference:
    """One row before a record's changes and after them."""

    target: Target
    id: str
    fate: Fate
    verbs: tuple[str, ...]
    why: str | None
    before: Mapping[str, Any] | None  # None: it did not exist
    after: Mapping[str, Any]  # the parts the changes tell of
    parts: tuple[tuple[str, Any, Any], ...] = ()  # name, before, after, of those people care about
    becomes: str | None = None  # the id of the row in its place

    @property
    def text(self) -> str | None:
        """Its words, where the changes tell them."""
        name = "content" if self.target is Target.ITEM else "title"
        for told in (self.after, self.before or {}):
            if isinstance(told.get(name), str):
                return str(told[name])
        return None


def differences(entries: Iterable[AuditEntry]) -> list[Difference]:
    """Each row the entries tell of, once, in the order they were first changed; what ends as it began is left out."""
    rows: dict[tuple[Target, str], list[AuditEntry]] = {}
    for entry in entries:
        rows.setdefault((entry.target, entry.target_id), []).append(entry)
    found = [_difference(*key, changes) for key, changes in rows.items()]
    return [row for row in found if row.fate is not Fate.CHANGED or row.parts]


def _difference(target: Target, id: str, changes: Sequence[AuditEntry]) -> Difference:
    before: dict[str, Any] | None = None if changes[0].before is None else {}
    after: dict[str, Any] = {}
    for entry in changes:
        if before is not None:
            before = {**(entry.before or {}), **before}
        after |= entry.after or {}
    verbs, whys = [entry.verb for entry in changes], [entry.why for entry in changes if entry.why]
    held = before or {}
    return Difference(
        target=target,
        id=id,
        fate=_fate(verbs, before, after) if target is Target.ITEM else Fate.NOTE,
        verbs=tuple(dict.fromkeys(verbs)),
        why=whys[-1] if whys else None,
        before=before,
        after=after,
        parts=tuple(
            (name, held[name], after[name])
            for name in SHOWN
            if name in held and name in after and held[name] != after[name]
        ),
        becomes=after.get("superseded_by"),
    )


def _fate(verbs: Sequence[str], before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Fate:
    def is_set(name: str) -> bool:
        return after.get(name) is not None and (before or {}).get(name) is None

    if is_set("superseded_at"):
        return Fate.MERGED if "merge" in verbs else Fate.ENDED
    if before is None:
        return Fate.CREATED
    return Fate.ENDED if is_set("deleted_at") else Fate.ARCHIVED if is_set("archived_at") else Fate.CHANGED


def moment_of(part: object) -> datetime | None:
    """A moment as a trail writes it down."""
    try:
        return datetime.fromisoformat(part) if isinstance(part, str) else None
    except ValueError:
        return None


# ── runs of night work ──────────────────────────────────────────────────────────────────────────────────────────────


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
        with suppress(NotFoundError):
            if id not in found and target is Target.NOTE:
                found[id] = (await memory.note(id, space=space, **whose)).title
            elif id not in found and target is Target.ITEM:
                found[id] = (await memory.get(id, **whose)).content
    return found


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
