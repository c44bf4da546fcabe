"""The rows of shelves that lead from what is marked local-only to whatever tells of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.message import Message, Note, Role
from relembra.domain.scope import Scope
from relembra.store.locality import DERIVED
from relembra.store.memory.choosing import known_rows
from relembra.store.memory.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Shelves:
    """`store.locality.Rows` over dictionaries."""

    shelves: Mapping[Scope, Shelf]
    tenant: str

    def people(self, space: str) -> Collection[Scope]:
        return [
            scope
            for scope, shelf in self.shelves.items()
            if scope.tenant == self.tenant
            and any(item.local_only and item.place.space == space for item in shelf.items.values())
        ]

    def marked(self, scope: Scope) -> Collection[KnowledgeItem]:
        return [item for item in self._shelf(scope).items.values() if item.local_only]

    def replaced_by(self, scope: Scope, ids: Collection[str]) -> Collection[KnowledgeItem]:
        return [item for item in self._shelf(scope).items.values() if item.superseded_by in ids]

    def insights(self, scope: Scope) -> Collection[KnowledgeItem]:
        return [item for item in self._shelf(scope).items.values() if item.type is KnowledgeType.INSIGHT]

    def messages(self, scope: Scope, ids: Collection[str]) -> Collection[Message]:
        return list(known_rows(self._shelf(scope).messages, ids))

    def answers(self, message: Message) -> Collection[str]:
        said = sorted(
            (row.sent_at, row.id, row.role)
            for row in self._shelf(message.scope).messages.values()
            if row.conversation == message.conversation and (row.sent_at, row.id) > (message.sent_at, message.id)
        )
        found: list[str] = []
        for _, id, role in said:
            if role is Role.USER:
                break
            found.append(id)
        return found

    def notes(self, shelf: Scope, conversations: Collection[str]) -> Collection[Note]:
        return [note for note in self._shelf(shelf).notes.values() if note.conversation in conversations]

    def derived(self, shelf: Scope) -> Collection[Note]:
        return [note for note in self._shelf(shelf).notes.values() if note.kind in DERIVED]

    def _shelf(self, scope: Scope) -> Shelf:
        return self.shelves.get(scope) or Shelf()
