"""What stays on this machine: from the items marked local-only to whatever else would tell of them.

One definition for every adapter, which only fetches rows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note, NoteKind
from relembra.domain.scope import Scope
from relembra.store.port import Withheld
from relembra.store.traces import reports_quoting, words_of

DERIVED = (NoteKind.TOPIC_CLUSTER, NoteKind.WEEKLY, NoteKind.MONTHLY, NoteKind.APPOINTMENT)
"""Notes made of other notes, or of what is known."""


class Rows(Protocol):
    """What an adapter fetches of one tenant, in any order."""

    def people(self, space: str) -> Collection[Scope]:
        """Whose items learnt in a space are marked."""

    def marked(self, scope: Scope) -> Collection[KnowledgeItem]:
        """The items marked local-only, whatever became of them."""

    def replaced_by(self, scope: Scope, ids: Collection[str]) -> Collection[KnowledgeItem]:
        """The items superseded by one of these."""

    def insights(self, scope: Scope) -> Collection[KnowledgeItem]:
        """The items of type insight."""

    def messages(self, scope: Scope, ids: Collection[str]) -> Collection[Message]:
        """Those of these messages that are there."""

    def answers(self, message: Message) -> Collection[str]:
        """The messages that follow one in its conversation, up to the next of role user."""

    def notes(self, shelf: Scope, conversations: Collection[str]) -> Collection[Note]:
        """The notes of these conversations."""

    def derived(self, shelf: Scope) -> Collection[Note]:
        """The notes of a kind in `DERIVED`."""


@dataclass(slots=True)
class _Found:
    """What was found of one person or space so far."""

    items: dict[str, KnowledgeItem] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)  # id → conversation
    notes: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)


def withheld(rows: Rows, scope: Scope) -> Withheld:
    """What of a scope a model on another machine may not see."""
    found = _Found()
    if scope.space is None:
        _learnt(rows, scope, found)
    else:
        for person in rows.people(scope.space):
            _learnt(rows, person, found)
    if found.items:
        _noted(rows, scope, found)
    own = scope.space is None
    return Withheld(
        items=frozenset(found.items) if own else frozenset(),
        messages=frozenset(found.messages),
        notes=frozenset(found.notes),
        conversations=frozenset(found.messages.values()),
    )


def _learnt(rows: Rows, scope: Scope, found: _Found) -> None:
    """A person's items, what they replaced, the messages behind them, and the insights that rest on these."""
    items = {item.id: item for item in rows.marked(scope)}
    latest: Collection[str] = list(items)
    while latest:
        earlier = {item.id: item for item in rows.replaced_by(scope, latest) if item.id not in items}
        items |= earlier
        latest = list(earlier)
    if not items:
        return
    messages = rows.messages(scope, {id for item in items.values() for id in item.message_ids})
    for message in messages:
        found.messages[message.id] = message.conversation
        found.messages |= dict.fromkeys(rows.answers(message), message.conversation)
    for item in rows.insights(scope):
        if not found.messages.keys().isdisjoint(item.message_ids):
            items.setdefault(item.id, item)
    found.items |= items
    found.notes |= {item.note_id for item in items.values() if item.note_id is not None}
    found.texts |= {text for item in items.values() for text in words_of(item)}
    found.texts |= {text for message in messages for text in words_of(message)}


def _noted(rows: Rows, shelf: Scope, found: _Found) -> None:
    """The notes of a shelf that tell of what was found, and those made of such notes."""
    for note in rows.notes(shelf, set(found.messages.values())) if found.messages else ():
        if note.kind is NoteKind.SESSION or _tells(note, found):
            found.notes.add(note.id)
    derived = rows.derived(shelf)
    found.notes |= reports_quoting(found.texts, derived)
    left = [note for note in derived if note.id not in found.notes]
    while more := {note.id for note in left if _tells(note, found)}:
        found.notes |= more
        left = [note for note in left if note.id not in more]


def _tells(note: Note, found: _Found) -> bool:
    return not (found.messages.keys().isdisjoint(note.message_ids) and found.notes.isdisjoint(note.note_ids))
