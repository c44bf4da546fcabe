"""The rows of a file that lead from what is marked local-only to whatever tells of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import apsw

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note, Role
from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.sqlite.reading import by_ids
from relembra.store.sqlite.statements import SQL, filled

_LOCAL = filled("local_items", columns=rows.ITEM_COLUMNS)
_REPLACED = filled("superseded_by", columns=rows.ITEM_COLUMNS)
_INSIGHTS = filled("insights", columns=rows.ITEM_COLUMNS)
_NOTES = filled("notes_of_conversations", columns=rows.NOTE_COLUMNS)
_DERIVED = filled("derived_notes", columns=rows.NOTE_COLUMNS)


@dataclass(frozen=True, slots=True)
class Shelves:
    """`store.locality.Rows` over one connection."""

    db: apsw.Connection
    tenant: str

    def people(self, space: str) -> Collection[Scope]:
        return [Scope(self.tenant, owner) for (owner,) in self.db.execute(SQL["local_people"], (self.tenant, space))]

    def marked(self, scope: Scope) -> Collection[KnowledgeItem]:
        return self._items(scope, _LOCAL)

    def replaced_by(self, scope: Scope, ids: Collection[str]) -> Collection[KnowledgeItem]:
        return self._items(scope, _REPLACED, apsw.carray(tuple(rows.id_bytes(id) for id in ids)))

    def insights(self, scope: Scope) -> Collection[KnowledgeItem]:
        return self._items(scope, _INSIGHTS)

    def messages(self, scope: Scope, ids: Collection[str]) -> Collection[Message]:
        columns = rows.MESSAGE_COLUMNS
        return by_ids(self.db, scope, list(ids), table="message", columns=columns, decode=rows.message_of)

    def answers(self, message: Message) -> Collection[str]:
        found: list[str] = []
        whose = (message.scope.tenant, message.scope.user, message.conversation)
        sent_at, last = rows.micros(message.sent_at), rows.id_bytes(message.id)
        for id, role in self.db.execute(SQL["answers"], (*whose, sent_at, last)):
            if role == Role.USER.value:
                break
            found.append(rows.id_text(id))
        return found

    def notes(self, shelf: Scope, conversations: Collection[str]) -> Collection[Note]:
        values = (shelf.tenant, shelf.user, apsw.carray(tuple(conversations)))
        return [rows.note_of(shelf, row) for row in self.db.execute(_NOTES, values)]

    def derived(self, shelf: Scope) -> Collection[Note]:
        return [rows.note_of(shelf, row) for row in self.db.execute(_DERIVED, (shelf.tenant, shelf.user))]

    def _items(self, scope: Scope, statement: str, *values: object) -> list[KnowledgeItem]:
        found = self.db.execute(statement, (scope.tenant, scope.user, *values))
        return [rows.item_of(scope, row) for row in found]
