"""Records of night work in words: what one did in numbers, what it changed row by row, and what a rollback left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from relembra.domain.audit import Target
from relembra.domain.run import Tally
from relembra.interfaces import recorded
from relembra.interfaces.differences import Difference, Fate
from relembra.interfaces.reasons import reason, why_left
from relembra.interfaces.recorded import Texts, note_fate, part_said
from relembra.interfaces.web.moments import Clockface
from relembra.interfaces.words import Words
from relembra.learn.rollback import RolledBack
from relembra.tend.gardening import Deed, DeedKind

TONES = {
    "created": "good",
    "inferences": "good",
    "updated": "accent",
    "superseded": "bad",
    "merged": "mix",
    "faded": "warn",
    "archived": "warn",
    "notes": "accent",
}
"""How a number of a record looks: as what it counts does in the difference."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a row before and after."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row a record changed, as it is shown."""

    id: str
    text: str
    address: str  # of its own page; empty where it is forgotten
    fate: str
    area: str | None = None  # told of what is new
    about: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    why: str = ""
    becomes: str = ""  # what is said of the row in its place
    becomes_address: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one fate: those shown, and how many there are."""

    fate: str
    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Taken:
    """A row after a rollback."""

    text: str
    address: str
    said: str
    is_left: bool


# ── in numbers ────────────────────────────────────────────────────────────────────────────────────────────────────


def counts(words: Words, tally: Tally) -> list[tuple[str, str]]:
    """What a record did, each number with how it looks."""
    return [(said, TONES[name]) for name, said in recorded.counts(words, tally).items()]


# ── row by row ────────────────────────────────────────────────────────────────────────────────────────────────────


def grouped(told: Sequence[Difference], *, most: int) -> list[tuple[Fate, list[Difference], int]]:
    """Rows by what became of them, so many of each at most, with how many there are."""
    found = []
    for fate in Fate:
        some = [row for row in told if row.fate is fate]
        if some:
            found.append((fate, some[:most], len(some)))
    return found


def groups(
    clock: Clockface, told: Sequence[tuple[Fate, list[Difference], int]], texts: Texts, *, linked: bool = True
) -> list[Group]:
    """What was changed, as it is shown; `linked`: whether its rows have pages to go to."""
    return [
        Group(fate, tuple(shown(clock, row, texts, linked=linked) for row in rows), total) for fate, rows, total in told
    ]


def shown(clock: Clockface, row: Difference, texts: Texts, *, linked: bool = True) -> Row:
    words = clock.words
    why = "" if row.why is None else reason(words, row.why)
    about: list[str] = []
    parts: list[Part] = []
    becomes = ""

    def side(name: str, part: Any) -> str:
        return part_said(words, name, part, clock.day) or words("diff.none")

    match row.fate:
        case Fate.NOTE:
            about = [note_fate(words, row)]
        case Fate.ENDED | Fate.MERGED:
            key = "page.nights.into" if row.fate is Fate.MERGED else "page.nights.replaced"
            if row.becomes is not None:
                becomes = words(key)
            elif row.after.get("deleted_at"):
                about.append(words("diff.deleted"))
            if row.before is None:
                about.insert(0, words("diff.same_record"))
        case Fate.CREATED:
            about = [words.name("type", row.after.get("type"))]
            why = why if row.after.get("type") == "insight" else ""
        case Fate.CHANGED | Fate.ARCHIVED:
            wanted = [part for part in row.parts if part[0] != "archived_at" or row.fate is not Fate.ARCHIVED]
            parts = [
                Part(words(f"aspect.{name}"), side(name, before), side(name, after)) for name, before, after in wanted
            ]
    text = texts.get(row.id)
    return Row(
        id=row.id,
        text=text or words("diff.forgotten"),
        address=_address(row.target, row.id) if text and linked else "",
        fate=row.fate,
        area=row.after.get("area") if row.fate is Fate.CREATED else None,
        about=tuple(part for part in about if part),
        parts=tuple(parts),
        why=why,
        becomes=f"{becomes} {_quoted(words, row.becomes, texts)}" if becomes else "",
        becomes_address=_address(Target.ITEM, row.becomes) if row.becomes in texts and linked else "",
    )


def _quoted(words: Words, id: str | None, texts: Texts) -> str:
    return f"“{texts[id]}”" if id is not None and id in texts else words("diff.forgotten")


def _address(target: Target, id: str | None) -> str:
    return f"/notes/{id}" if target is Target.NOTE else f"/item/{id}" if target is Target.ITEM else ""


# ── taken back ────────────────────────────────────────────────────────────────────────────────────────────────────


def taken(words: Words, done: RolledBack, told: Iterable[Difference], texts: Texts) -> list[Taken]:
    """What a rollback restored, then what it left and why."""
    rows = {row.id: row for row in told}
    left = {one.id: why_left(words, one.why) for one in done.left}
    found = []
    for id in done.restored:
        is_new = id in rows and rows[id].before is None
        said = words("rollback.gone" if is_new else "rollback.restored")
        found.append(_taken(words, rows, id, "; ".join(part for part in (said, left.pop(id, "")) if part), texts))
    return [*found, *(_taken(words, rows, id, why, texts, is_left=True) for id, why in left.items())]


def _taken(
    words: Words, rows: Mapping[str, Difference], id: str, said: str, texts: Texts, *, is_left: bool = False
) -> Taken:
    target = rows[id].target if id in rows else Target.ITEM
    text = texts.get(id)
    return Taken(text or words("diff.forgotten"), _address(target, id) if text else "", said, is_left)


# ── the gardener ──────────────────────────────────────────────────────────────────────────────────────────────────


def deeds(plan: Sequence[Deed], *, most: int) -> list[tuple[str, list[Deed], int]]:
    """What the gardener would do, kind by kind: those shown, and how many there are."""
    found = []
    for kind in DeedKind:
        some = [deed for deed in plan if deed.kind is kind]
        if some:
            found.append((kind.value, some[:most], len(some)))
    return found


def page_of(deed: Deed) -> str:
    """Where what a deed is about can be read."""
    is_note = deed.kind in (DeedKind.ARCHIVE_NOTE, DeedKind.CONDENSE)
    return _address(Target.NOTE if is_note else Target.ITEM, deed.ids[0])
