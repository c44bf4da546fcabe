"""The first reading of an export: every row is checked, and what later rows depend on is kept for the second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from relembra.domain.audit import AuditEntry
from relembra.domain.case import Case
from relembra.domain.jobs import LEARNING
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message
from relembra.domain.scope import Place, Scope
from relembra.errors import InvalidInputError
from relembra.transfer.parts import FIELD, Part, Row, Waiting, Work, is_due, read
from relembra.transfer.reading import ExportFile, Section
from relembra.transfer.renaming import renamed
from relembra.transfer.telling import space_scope

BATCH = 200
MOST_EMPTY = 10_000  # people and spaces that are named and have no rows
AGES = timedelta(days=36_500)  # longer than any silence within a buffer
ROW_PARTS = frozenset(Part) - {Part.BUFFER, Part.WORK}

_ORDER = {part: number for number, part in enumerate(Part)}


@dataclass(slots=True)
class Whose:
    """One person or space of the file, and what is known of it before its rows are stored."""

    owner: Scope  # as the file calls them
    target: Scope | None  # whose memory it goes into; None: nobody's
    at: Part | None = None  # the part being read
    is_empty: bool = True
    has_messages: bool = False
    waiting: list[Waiting] = field(default_factory=list)
    buffer_of: dict[str, int] = field(default_factory=dict)  # by message
    learning: list[Work] = field(default_factory=list)
    learning_of: dict[str, list[int]] = field(default_factory=dict)  # by message
    last_of: dict[int, str] = field(default_factory=dict)  # the last message of each piece of learning
    nights: list[Work] = field(default_factory=list)

    def note(self, part: Part, row: Row) -> None:
        """Keep what rows to come depend on."""
        self.is_empty &= part not in ROW_PARTS
        match row:
            case Waiting():
                self.buffer_of |= dict.fromkeys(row.messages, len(self.waiting))
                self.waiting.append(row)
            case Work() if row.kind in LEARNING:
                for message in row.payload["messages"]:
                    self.learning_of.setdefault(message, []).append(len(self.learning))
                self.learning.append(row)
            case Work():
                self.nights.append(row)
            case Message():
                self.has_messages = True
                self.last_of |= dict.fromkeys(self.learning_of.get(row.id, ()), row.id)
                if (number := self.buffer_of.get(row.id)) is not None:
                    _check_waiting(row, self.waiting[number])
            case _:
                pass


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one part to be stored together."""

    whose: Whose
    part: Part
    rows: tuple[tuple[Any, bool], ...]  # each with whether it is still to be accounted for


class Checked:
    """A file that can be taken in whole: whose rows it holds, and how many."""

    def __init__(self, file: ExportFile, *, tenant: str, user: str | None, now: datetime, spaces: bool = True) -> None:
        self._file = file
        self._now = now
        self._spaces = spaces
        self._tenant = tenant
        self._user = user
        self.total = self.left_out = 0
        self.all: list[Whose] = []
        self._check()

    @property
    def people(self) -> tuple[str, ...]:
        targets = [whose.target for whose in self.all if whose.target is not None]
        return tuple(dict.fromkeys(target.user for target in targets if target.space is None))

    def batches(self) -> Iterator[Batch]:
        """The rows to be stored, some hundred of one part together."""
        passed: list[Whose] = []
        batch: list[tuple[Any, bool]] = []
        place: tuple[int, Part] | None = None
        for _, part, row, due in self._rows(passed):
            here = (len(passed) - 1, part)
            if self.all[here[0]].target is None or part not in ROW_PARTS or part is Part.SPACE_NOTE:
                continue
            if place is not None and batch and (here != place or len(batch) >= BATCH):
                yield Batch(self.all[place[0]], place[1], tuple(batch))
                batch = []
            place = here
            batch.append((row, due))
        if place is not None and batch:
            yield Batch(self.all[place[0]], place[1], tuple(batch))

    def _check(self) -> None:
        pointers = _Pointers()
        for whose, part, row, _ in self._rows(self.all):
            if whose.target is None or part is Part.SPACE_NOTE:
                self.left_out += part in ROW_PARTS
                continue
            self.total += part in ROW_PARTS
            if not self._spaces and _is_of_a_space(row):
                raise InvalidInputError("the file holds what was said in a space, which others would hear", field=FIELD)
            if whose.target.space is not None and part in (Part.MESSAGE, Part.BUFFER):
                raise InvalidInputError("a space has messages, which are only ever a person's", field=FIELD)
            whose.note(part, row)
            pointers.note(whose, row)
        pointers.check()
        if self._user is not None and not any(whose.target for whose in self.all):
            known = ", ".join(sorted(whose.owner.user for whose in self.all if whose.owner.space is None)[:10])
            why = f"the file holds nothing of {self._user}; it holds {known or 'nobody'}"
            raise InvalidInputError(why, field="user")

    def _rows(self, sections: list[Whose]) -> Iterator[tuple[Whose, Part, Row, bool]]:
        """The rows, checked and under the names they are to have; each one whose rows follow is added as they come."""
        empty = 0
        for found in self._file.rows():
            if isinstance(found, Section):
                empty += bool(sections) and sections[-1].at is None
                if empty > MOST_EMPTY:
                    raise InvalidInputError("the file names many people of whom it holds nothing", field=FIELD)
                sections.append(Whose(found.owner, self._target(found.owner)))
                continue
            if not sections:
                raise InvalidInputError(f"{found.where}: nobody was named yet whose row this is", field=FIELD)
            whose = sections[-1]
            if whose.at is not None and _ORDER[found.part] < _ORDER[whose.at]:
                raise InvalidInputError(
                    f"{found.where}: rows are out of order, {found.part} after {whose.at}", field=FIELD
                )
            whose.at = found.part
            row = read(found.part, found.values, whose.target or whose.owner, found.where, self._now)
            if whose.target is not None and whose.target.space is None:
                row = renamed(row, whose.owner.user, whose.target)
            yield whose, found.part, row, is_due(found.values)

    def _target(self, owner: Scope) -> Scope | None:
        """Whose memory rows go into: of one person's file the one asked for, of everybody's only theirs."""
        if self._file.header.user is not None:
            return Scope(self._tenant, self._user or owner.user)
        if self._user is not None:
            return Scope(self._tenant, owner.user) if owner.user == self._user else None
        return Scope(self._tenant, owner.user) if owner.space is None else space_scope(self._tenant, owner.space)


class _Pointers:
    """Whether rows that need one another are all in the file."""

    def __init__(self) -> None:
        self._items: set[tuple[int, bytes]] = set()
        self._needed: dict[tuple[int, bytes], str] = {}

    def note(self, whose: Whose, row: Row) -> None:
        match row:
            case KnowledgeItem():
                self._items.add(_key(whose, row.id))
                if row.superseded_by is not None:
                    self._needed[_key(whose, row.superseded_by)] = f"item {row.id} was superseded by"
            case Case():
                self._needed[_key(whose, row.old_id)] = f"a side of case {row.id} is"
                self._needed[_key(whose, row.new_id)] = f"a side of case {row.id} is"
            case _:
                pass

    def check(self) -> None:
        for key, why in self._needed.items():
            if key not in self._items:
                raise InvalidInputError(f"{why} item {key[1].hex()}, which is not in the file", field=FIELD)


def _is_of_a_space(row: Row) -> bool:
    """Whether others could come to hear of a row, or it of them."""
    if isinstance(row, AuditEntry):
        places = [(state or {}).get("place") for state in (row.before, row.after)]
        return any(isinstance(place, Mapping) and place.get("space") is not None for place in places)
    place = getattr(row, "place", None)
    return isinstance(place, Place) and place.space is not None


def _key(whose: Whose, item: str) -> tuple[int, bytes]:
    return id(whose), bytes.fromhex(item.replace("-", ""))


def _check_waiting(message: Message, waiting: Waiting) -> None:
    if (message.place, message.conversation) != (waiting.place, waiting.conversation):
        raise InvalidInputError(f"message {message.id} waits elsewhere than it was said", field=FIELD)
    ages = AGES / 4
    if abs(message.sent_at - waiting.opened_at) > ages or abs(message.saved_at - waiting.opened_at) > ages:
        raise InvalidInputError(f"message {message.id} waits in a buffer of another age", field=FIELD)
    if waiting.opened_at.year < 1900:
        raise InvalidInputError(f"message {message.id} waits since {waiting.opened_at.year}", field=FIELD)
