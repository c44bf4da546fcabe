"""What a person may do to what is believed about them, each as a function from an item to an item."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from relembra.domain.contradiction import superseded
from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.message import Note
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import shortened

LONGEST_TITLE = 80


def titled(content: str) -> str:
    """The short title an item gets when nobody gave it one."""
    return shortened(content, LONGEST_TITLE)


def deleted(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """Hidden from now on; deleting again changes nothing."""
    if item.deleted_at is not None:
        return item
    return replace(item, deleted_at=now, updated_at=now, version=item.version + 1)


def restored(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """Shown again; restoring what is not deleted changes nothing."""
    if item.deleted_at is None:
        return item
    return replace(item, deleted_at=None, updated_at=now, version=item.version + 1)


def archived(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """Put away from now on; archiving again changes nothing."""
    if item.archived_at is not None:
        return item
    return replace(item, archived_at=now, updated_at=now, version=item.version + 1)


def recovered(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """Taken out of the archive; recovering what is not there changes nothing."""
    if item.archived_at is None:
        return item
    return replace(item, archived_at=None, updated_at=now, version=item.version + 1)


def archived_note(note: Note, now: datetime) -> Note:
    """Put away from now on; archiving again changes nothing."""
    return note if note.archived_at is not None else replace(note, archived_at=now, version=note.version + 1)


def recovered_note(note: Note) -> Note:
    """Taken out of the archive; recovering what is not there changes nothing."""
    return note if note.archived_at is None else replace(note, archived_at=None, version=note.version + 1)


def kept_local(item: KnowledgeItem, local: bool, now: datetime) -> KnowledgeItem:
    """Marked local-only, or not any more; the same mark again changes nothing."""
    if item.local_only is local:
        return item
    return replace(item, local_only=local, updated_at=now, version=item.version + 1)


def _value_in(content: str, item: KnowledgeItem) -> str | None:
    """The value a corrected sentence gives, where it is worded as the old one was; else it has none known."""
    if item.value is None or item.value not in item.content:
        return None
    before, _, after = item.content.partition(item.value)
    body = content.rstrip(". ")
    tail = after.rstrip(". ")
    if body.startswith(before) and body.endswith(tail) and len(body) > len(before) + len(tail):
        return body[len(before) : len(body) - len(tail)].strip() or None
    return None


def corrected(
    item: KnowledgeItem, content: str, *, new_id: str, now: datetime, policy: ConfidencePolicy
) -> tuple[KnowledgeItem, KnowledgeItem]:
    """The wrong item, deleted and pointing to the right one, and the right one, certain and confirmed.

    What another value had taken the place of is history, and so is what is right about it.
    """
    right = replace(
        item,
        id=new_id,
        content=content,
        title=titled(content),
        value=_value_in(content, item),
        source=Source.USER_INPUT,
        evidence=None,
        confidence=policy.user_input,
        validated=True,
        needs_resolution=False,
        observations=1,
        accesses=0,
        last_access=None,
        held_until=item.held_until if item.superseded_at is not None else None,
        archived_at=None,
        deleted_at=None,
        created_at=now,
        updated_at=now,
        reinforced_at=None,
        version=1,
    )
    wrong = replace(superseded(item, right, now), deleted_at=now)
    return wrong, right
