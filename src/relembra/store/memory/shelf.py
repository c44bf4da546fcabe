"""One shelf, a person's or a space's: everything kept of them, in dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import date
from typing import TypeVar

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.case import Case
from relembra.domain.jobs import Job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, Role
from relembra.domain.run import Run
from relembra.domain.searchable import indexed_text, item_text, message_text, note_text
from relembra.minds.port import Vector
from relembra.store.port import Buffer, Kind, Use, View

Row = TypeVar("Row")
Key = tuple[Kind, str]


@dataclass(slots=True)
class Shelf:
    """All that is kept of a person or space. Rows are frozen, so a copy of the dictionaries is a copy of everything."""

    conversations: dict[str, Conversation] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    external: dict[tuple[str, Role], str] = field(default_factory=dict)  # → message id
    notes: dict[str, Note] = field(default_factory=dict)
    items: dict[str, KnowledgeItem] = field(default_factory=dict)
    terms: dict[Key, Counter[str]] = field(default_factory=dict)  # of every item and note, and of indexed messages
    vectors: dict[tuple[Kind, str, str], tuple[Vector, ...]] = field(default_factory=dict)  # by kind, id and model
    trail: dict[int, AuditEntry] = field(default_factory=dict)  # by number, in the order recorded
    jobs: dict[str, Job] = field(default_factory=dict)
    buffers: dict[str, Buffer] = field(default_factory=dict)
    cases: dict[str, Case] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)  # by name
    uses: dict[tuple[date, str, str], Use] = field(default_factory=dict)  # by day, task and model
    runs: dict[str, Run] = field(default_factory=dict)
    due_messages: set[str] = field(default_factory=set)  # to be accounted for
    due_changes: dict[str, None] = field(default_factory=dict)  # the same, in the order recorded

    def copy(self) -> Shelf:
        return Shelf(**{part.name: getattr(self, part.name).copy() for part in fields(self)})

    def reads_like(self, other: Shelf) -> bool:
        """Whether all rows are the same, whatever is derived from them or queued."""
        apart = ("terms", "vectors", "jobs", "uses", "runs", "due_messages", "due_changes")
        names = (part.name for part in fields(self) if part.name not in apart)
        return self is other or all(getattr(self, name) == getattr(other, name) for name in names)

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, part.name) for part in fields(self))

    def texts(self) -> Iterator[tuple[Kind, str, str]]:
        """Every row that can be found, with the text it is embedded by."""
        yield from ((Kind.ITEM, item.id, item_text(item)) for item in self.items.values())
        yield from ((Kind.MESSAGE, message.id, message_text(message)) for message in self.messages.values())
        yield from ((Kind.NOTE, note.id, note_text(note)) for note in self.notes.values())

    def indexed(self) -> Iterator[tuple[Kind, str, str]]:
        """Every row that can be found, with the text its terms are made of."""
        yield from ((Kind.ITEM, item.id, indexed_text(item)) for item in self.items.values())
        yield from ((Kind.MESSAGE, message.id, indexed_text(message)) for message in self.messages.values())
        yield from ((Kind.NOTE, note.id, indexed_text(note)) for note in self.notes.values())

    def row_of(self, entry: AuditEntry) -> KnowledgeItem | Note | Conversation | None:
        """The row an entry is about."""
        match entry.target:
            case Target.ITEM:
                return self.items.get(entry.target_id)
            case Target.NOTE:
                return self.notes.get(entry.target_id)
            case Target.CONVERSATION:
                return self.conversations.get(entry.target_id)

    def holds(self, kind: Kind, id: str) -> bool:
        match kind:
            case Kind.ITEM:
                return id in self.items
            case Kind.MESSAGE:
                return id in self.messages
            case Kind.NOTE:
                return id in self.notes
