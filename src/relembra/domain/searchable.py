"""Which words a row is found by. What is indexed and what is embedded is the same text, said in this one place."""

from __future__ import annotations

from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note

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
