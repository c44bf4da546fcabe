"""Which words a row is found by, said in this one place.

What is indexed and what is embedded is the same text, but for archived rows: their vectors stay, and their terms are
only those of what is known about them.
"""

from __future__ import annotations

from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message, Note, Role
from relembra.domain.passages import passages

_MARKS = str.maketrans(".,;:!?()", " " * 8)


def item_text(item: KnowledgeItem) -> str:
    """The content, with the title, value and tags where they add words the content does not have."""
    content = " ".join(item.content.split())
    held = content.casefold()
    title = item.title.rstrip("… .")
    parts = [] if held.startswith(title.casefold()) else [item.title]
    parts.append(item.content)
    if item.value and f" {item.value.casefold()} " not in f" {held.translate(_MARKS)} ":
        parts.append(item.value)
    if item.tags:
        parts.append(", ".join(item.tags))
    return "\n".join(parts)


def note_text(note: Note) -> str:
    """The title and the summary."""
    return f"{note.title}\n{note.summary}"


def message_text(message: Message) -> str:
    """What was said, and nothing around it."""
    return message.text


def message_pieces(message: Message) -> list[str]:
    """What a message's vectors are made of: all of it, and its passages where a person said it.

    A person tells several things in one message; an assistant's long answer is about one, and finer vectors of it found
    nothing more.
    """
    return [message.text, *(passages(message.text) if message.role is Role.USER else ())]


def item_metadata_text(item: KnowledgeItem) -> str:
    """The title, value, tags and attribute, and whom it is about."""
    subject = None if item.subject == SELF else item.subject
    attribute = None if item.attribute is None else item.attribute.replace("_", " ")
    parts = (item.title, item.value, ", ".join(item.tags), attribute, subject)
    return "\n".join(part for part in parts if part)


def note_metadata_text(note: Note) -> str:
    """The title, and who took part."""
    return "\n".join((note.title, *note.participants))


def indexed_text(row: KnowledgeItem | Note | Message) -> str:
    """What the row's terms are made of: its whole text, or of an archived one its metadata."""
    match row:
        case KnowledgeItem():
            return item_text(row) if row.archived_at is None else item_metadata_text(row)
        case Note():
            return note_text(row) if row.archived_at is None else note_metadata_text(row)
        case Message():
            return message_text(row)
