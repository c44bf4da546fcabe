"""Entries of a record's trail, as a night writes them."""

from __future__ import annotations

from dataclasses import replace

from builders import NOW, a_note, an_entry, an_item
from relembra.domain.audit import Actor, AuditEntry, Target
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.message import Note
from relembra.learn.trail import snapshot

GARDENER = Actor.parse("program:gardener")


def changed(before: KnowledgeItem | Note | None, after: KnowledgeItem | Note, verb: str, why: str | None = None,
            *, brief: bool = False) -> AuditEntry:  # fmt: skip
    was, becomes = None if before is None else snapshot(before), snapshot(after)
    if brief and was is not None:
        parts = [name for name, part in becomes.items() if was[name] != part]
        was, becomes = {name: was[name] for name in parts}, {name: becomes[name] for name in parts}
    target = Target.NOTE if isinstance(after, Note) else Target.ITEM
    return an_entry(verb=verb, target=target, target_id=after.id, before=was, after=becomes, why=why, actor=GARDENER)


def ended(item: KnowledgeItem, by: KnowledgeItem) -> KnowledgeItem:
    return replace(item, superseded_at=NOW, superseded_by=by.id, version=2)


def a_nights_entries() -> tuple[list[AuditEntry], dict[str, KnowledgeItem]]:
    old, new = an_item(content="Mora no Recife"), an_item(content="Mora no Porto")
    meat, veg = an_item(content="Não come carne"), an_item(content="É vegetariana")
    sad, gone = an_item(content="Fica triste", weight=0.8, type=KnowledgeType.EMOTION), an_item(content="Fica brava")
    note = a_note(title="Uma conversa antiga", summary="x" * 400)
    said = "vegetarian says no meat as well"
    entries = [
        changed(None, new, "learn"),
        changed(old, ended(old, new), "supersede", "residence changed"),
        changed(veg, replace(veg, observations=2, version=2, updated_at=NOW), "merge", said, brief=True),
        changed(meat, ended(meat, veg), "merge", said, brief=True),
        changed(sad, replace(sad, weight=0.7, version=2), "fade", "a feeling not said again for 1 week", brief=True),
        changed(gone, replace(gone, archived_at=NOW, weight=0.2, version=2), "archive", brief=True),
        changed(note, replace(note, summary="x" * 90, version=2), "condense", "an old note", brief=True),
    ]
    items = {item.content: item for item in (old, new, meat, veg, sad, gone)}
    return entries, items
