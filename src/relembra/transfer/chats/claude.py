"""Claude: `conversations.json`, a list of conversations, or an object that holds one; `projects.json` is left alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from relembra.domain.message import Role
from relembra.domain.text import is_blank
from relembra.transfer.chats import Context, Found, Left, Said, Sample, Why
from relembra.transfer.chats.fields import listed, moment, named, words
from relembra.transfer.sources import File

ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}


def fits(sample: Sample) -> bool:
    return sample.has("chat_messages")


def fits_projects(sample: Sample) -> bool:
    return sample.has("uuid", "name", "docs") or sample.has("uuid", "name", "prompt_template")


def read_projects(file: File, _: Context) -> Iterator[Found]:
    for _element in file.elements():
        yield Left(Why.PROJECT)


def read(file: File, _: Context) -> Iterator[Found]:
    for element in file.elements():
        if isinstance(element.value, dict) and isinstance(element.value.get("chat_messages"), list):
            yield from _conversation(element.value)
        else:
            yield Left(Why.UNREADABLE)


def _conversation(conversation: Mapping[str, Any]) -> Iterator[Found]:
    at = moment(conversation.get("created_at"))
    talk = words(conversation.get("uuid")) or f"{words(conversation.get('name'))} {conversation.get('created_at')}"
    branch, beside = _branch(conversation)
    if beside:
        yield Left(Why.BRANCH, beside)
    for message in branch:
        role = ROLES.get(words(message.get("sender")))
        if role is None:
            yield Left(Why.UNREADABLE)
            continue
        text, others = _text(message)
        if others:
            yield Left(Why.TOOL, others)
        if files := len(listed(message.get("attachments"))) + len(listed(message.get("files"))):
            yield Left(Why.ATTACHMENT, files)
        at = moment(message.get("created_at")) or at
        if is_blank(text):
            yield Left(Why.EMPTY)
            continue
        yield Said(
            talk=talk, text=text, at=at, role=role, id=words(message.get("uuid")) or None,
            title=words(conversation.get("name")),
        )  # fmt: skip


def _branch(conversation: Mapping[str, Any]) -> tuple[list[dict[str, Any]], int]:
    """The messages of the branch shown last, where they name their parents, and how many lie beside it."""
    messages = [named(message) for message in listed(conversation.get("chat_messages"))]
    by_id = {words(message.get("uuid")): message for message in messages}
    if not any(words(message.get("parent_message_uuid")) in by_id for message in messages):
        return messages, 0
    leaf = words(conversation.get("current_leaf_message_uuid"))
    id = leaf if leaf in by_id else words(messages[-1].get("uuid"))
    path: dict[str, dict[str, Any]] = {}
    while id in by_id and id not in path:
        path[id] = by_id[id]
        id = words(by_id[id].get("parent_message_uuid"))
    return list(reversed(path.values())), len(messages) - len(path)


def _text(message: Mapping[str, Any]) -> tuple[str, int]:
    """The words of a message, and how many of its parts are none: tools asked and what they gave back, thoughts."""
    parts = [named(part) for part in listed(message.get("content"))]
    texts = [words(part.get("text")) for part in parts if part.get("type") == "text"]
    said = "\n".join(text for text in texts if text) if parts else words(message.get("text"))
    return said, len(parts) - len(texts)
