"""Facts of an older program: a flat table `facts`, read as what is known of the person each fact belongs to.

Programs named their columns differently, so every part is looked for under the names it had. Nothing is read or stored
here; rows come in as plain mappings, and a fact keeps a tag by which a second import knows it again.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from relembra.domain.text import LONGEST_TEXT_BYTES, checked_name, fold, is_blank
from relembra.domain.time import to_keep
from relembra.errors import InvalidInputError

Row = Mapping[str, Any]
Known = Collection[tuple[str, str]]
"""The tags and contents of facts imported before."""

TAG = "fact:"
IMPORTER = "program:import"

_TEXTS = ("fact", "text", "content", "fact_text", "statement")
_IDS = ("id", "fact_id")
_OWNERS = ("user_id", "owner_id", "person_id")
_NAMES = ("username", "user_name", "name", "display_name", "discord_id")
_SPOKEN_NAMES = ("display_name", "username", "user_name", "name")
_DATES = ("created_at", "created", "timestamp", "date", "updated_at")
_GONE = ("deleted", "is_deleted", "deleted_at", "superseded", "is_superseded", "superseded_at", "superseded_by",
         "replaced_by", "archived", "is_archived", "archived_at", "inactive")  # fmt: skip
_HERE = ("active", "is_active", "current", "is_current", "valid")
COLUMNS = frozenset((*_TEXTS, *_IDS, *_OWNERS, *_NAMES, *_DATES, *_GONE, *_HERE))
"""Everything that is looked at, in small letters."""
_NO = ("", "0", "false", "f", "no", "n", "none", "null")
_JOINS = ("and", "or", "e", "ou", "y", "with", "com")
_MILLISECONDS_FROM = 100_000_000_000  # a number of seconds this great would be a day of the year 5138


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact as it is to be known: whose, in which words, since when, and the tag that tells where it is from."""

    user: str
    content: str
    tag: str
    held_from: datetime | None = None  # None: nobody wrote down when


@dataclass(frozen=True, slots=True)
class OldFacts:
    """What a file holds: the facts that still hold, how many no longer do or belong to nobody, and who is in it."""

    facts: tuple[Fact, ...]
    left_out: int
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did, or would do: how many facts each person gained, and what was not taken over."""

    added: Mapping[str, int] = field(default_factory=dict)  # by person
    known: int = 0  # imported before
    repeated: int = 0  # the same words twice in the file
    left_out: int = 0  # deleted, replaced, empty or nobody's
    people: tuple[str, ...] = ()  # everybody the file knows, also those nothing was asked of
    dry_run: bool = False

    @property
    def total(self) -> int:
        return sum(self.added.values())


def facts_of(facts: Sequence[Row], users: Sequence[Row], *, user: str | None = None) -> OldFacts:
    """The facts of everybody, or of the one person some name of theirs names; those are then kept under that name."""
    rows = [_lower(row) for row in facts]
    people = {str(row["id"]): row for row in map(_lower, users) if row.get("id") is not None}
    column = _text_column(rows)
    found: list[Fact] = []
    left_out, names = 0, Counter[str]()
    for row in rows:
        owner = _owner(row, people)
        name = _name(owner)
        if name is None:
            left_out += 1
            continue
        names[name] += 1
        if user is not None and fold(user) not in {fold(word) for word in _all_names(owner)}:
            continue
        content = _content(row.get(column), owner)
        if content is None or not _holds(row):
            left_out += 1
            continue
        tag = TAG + _id(row, content)
        found.append(Fact(user=user or name, content=content, tag=tag, held_from=_moment(row)))
    return OldFacts(tuple(found), left_out, tuple(sorted(names)))


def report(
    old: OldFacts, known: Mapping[str, Known], *, dry_run: bool = False
) -> tuple[dict[str, list[Fact]], ImportReport]:
    """What is to be added of each person, apart from what each knows from an earlier import, and the report of it."""
    new: dict[str, list[Fact]] = {}
    seen: set[tuple[str, str]] = set()
    before = repeated = 0
    for fact in old.facts:
        if (fact.tag, fact.content) in known.get(fact.user, ()):
            before += 1
        elif (fact.user, fold(fact.content)) in seen:
            repeated += 1
        else:
            new.setdefault(fact.user, []).append(fact)
        seen.add((fact.user, fold(fact.content)))
    return new, ImportReport(
        added={user: len(facts) for user, facts in new.items()},
        known=before,
        repeated=repeated,
        left_out=old.left_out,
        people=old.people,
        dry_run=dry_run,
    )


def _lower(row: Row) -> dict[str, Any]:
    return {name.lower(): value for name, value in row.items()}


def _text_column(rows: Sequence[Row]) -> str:
    """The column with the words; a table without rows needs none."""
    if not rows:
        return _TEXTS[0]
    found = next((name for name in _TEXTS if name in rows[0]), None)
    if found is None:
        raise InvalidInputError(
            f"the table facts has no column {', '.join(_TEXTS[:3])} among {', '.join(rows[0])}", field="facts_file"
        )
    return found


def _owner(row: Row, people: Mapping[str, Row]) -> Row:
    """What is known of the fact's person: their row among the users, else what the fact itself says of them."""
    id = next((row[name] for name in _OWNERS if row.get(name) is not None), None)
    if id is None:
        return {name: row[name] for name in _NAMES if row.get(name) is not None}
    return {"id": id} | dict(people.get(str(id), {}))


def _all_names(owner: Row) -> list[str]:
    return [str(owner[name]) for name in ("id", *_NAMES) if owner.get(name) is not None]


def _name(owner: Row) -> str | None:
    """The name a person's memory has: what they are called first, else their number."""
    for name in (*_NAMES, "id"):
        try:
            if owner.get(name) is not None:
                return checked_name(str(owner[name]).strip(), "user")
        except InvalidInputError:
            continue
    return None


def _content(text: object, owner: Row) -> str | None:
    """The fact in words that need no name, as what is known of somebody is worded; None when it says nothing."""
    if not isinstance(text, str) or is_blank(text) or "\0" in text or len(text.encode()) > LONGEST_TEXT_BYTES:
        return None
    line = " ".join(text.split())
    for name in sorted(_spoken(owner), key=len, reverse=True):
        match = re.match(rf"{re.escape(name)}(?:\s*[:–—]\s*|\s+-\s+|\s+)(?=(\w+))", line, re.IGNORECASE)
        if match and match[1][0].islower() and match[1] not in _JOINS:
            rest = line[match.end() :]
            return rest[0].upper() + rest[1:]
    return line


def _spoken(owner: Row) -> Iterable[str]:
    """The names a fact may begin with: whole ones, and the first word of each."""
    names = [str(owner[name]).strip() for name in _SPOKEN_NAMES if owner.get(name)]
    return {part for name in names if name for part in (name, name.split()[0])}


def _holds(row: Row) -> bool:
    gone = any(_is_yes(row[name]) for name in _GONE if name in row)
    return not gone and all(_is_yes(row[name]) for name in _HERE if row.get(name) is not None)


def _is_yes(value: object) -> bool:
    return value is not None and str(value).strip().lower() not in _NO


def _id(row: Row, content: str) -> str:
    """The fact's own number; where the table has none, a mark made of its words."""
    id = next((row[name] for name in _IDS if row.get(name) is not None), None)
    return str(id)[:64] if id is not None else hashlib.sha256(content.encode()).hexdigest()[:12]


def _moment(row: Row) -> datetime | None:
    """Since when: as SQLite, ISO 8601 or the seconds or milliseconds of a computer's clock write it."""
    return next((moment for name in _DATES if (moment := _read_moment(row.get(name))) is not None), None)


def _read_moment(value: object) -> datetime | None:
    try:
        if isinstance(value, (int, float)):
            seconds = value / 1000 if value >= _MILLISECONDS_FROM else value
            return to_keep(datetime.fromtimestamp(seconds, UTC))
        if isinstance(value, str) and value.strip():
            moment = datetime.fromisoformat(value.strip())
            return to_keep(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError, OSError, InvalidInputError):  # the first day there is stands for none
        return None
    return None
