"""Which conversations of some are hidden."""

from __future__ import annotations

from builders import ANA, BIA, NOW, a_conversation
from relembra.store.port import PutConversation, Store


async def test_those_deleted_are_told_and_no_others(store: Store) -> None:
    for id, deleted_at in (("open", None), ("gone", NOW), ("unasked", NOW)):
        await store.apply(ANA, [PutConversation(a_conversation(id=id, deleted_at=deleted_at), None)])
    assert await store.hidden_conversations(ANA, ["open", "gone", "never there"]) == {"gone"}
    assert await store.hidden_conversations(BIA, ["gone"]) == set()
    assert await store.hidden_conversations(ANA, []) == set()
