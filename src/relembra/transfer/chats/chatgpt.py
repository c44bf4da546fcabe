"""ChatGPT: `conversations.json`, or `conversations-000.json` and so on, each a list of trees of messages.

Of a tree the branch that was shown last is taken; questions that were edited and answers that were made anew beside it
are left out. Some programs write conversations in this shape without the tree: then all messages are taken in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from relembra.domain.message import Role
from relembra.domain.text import is_blank
from relembra.transfer.chats import Context, Found, Left, Said, Sample, Why, with_files
from relembra.transfer.chats.fields import listed, moment, named, words
from relembra.transfer.sources import File

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
THOUGHTS = frozenset(
    {"thoughts", "reasoning_recap", "execution_output", "tether_quote", "tether_browsing_display", "system_error"}
)
MODEL_CONTEXT = frozenset({"user_editable_context", "model_editable_context"})
_FILE = re.compile(r"file[-_][A-Za-z0-9]+")
_MARKUP = re.compile(
    '\ue200(?:entity\ue202\\["[^"]*", ?"([^"]*)"|(?:url|link_title)\ue202([^\ue200-\ue202]*+))?[^\ue200\ue201]*+\ue201'
)
"""Sources and cards within an answer, which the page draws; of a name or a link its words are kept."""


def fits(sample: Sample) -> bool:
    return sample.has("mapping")


def read(file: File, _: Context) -> Iterator[Found]:
    files = {id[0]: name for name in file.all.by_name if (id := _FILE.match(name.rpartition("/")[2]))}
    for element in file.elements():
        if isinstance(element.value, dict) and isinstance(element.value.get("mapping"), dict):
            yield from _conversation(element.value, file, files)
        else:
            yield Left(Why.UNREADABLE)


def _conversation(conversation: Mapping[str, Any], file: File, files: Mapping[str, str]) -> Iterator[Found]:
    """`files`: what came along, by the ids messages name it by."""
    mapping: Mapping[str, Any] = conversation["mapping"]
    started = moment(conversation.get("create_time"))
    id = words(conversation.get("conversation_id") or conversation.get("id"))
    talk = id or f"{words(conversation.get('title'))} {conversation.get('create_time')}"
    branch = _branch(conversation, mapping)
    beside = sum(_is_shown(node) for name, node in mapping.items() if name not in branch)
    if beside:
        yield Left(Why.BRANCH, beside)
    for name in branch:
        node = named(mapping.get(name))
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        found = _text(message)
        if isinstance(found, Left):
            yield found
            continue
        shown = _files(message)
        role = ROLES[words(named(message.get("author")).get("role"))]
        at = moment(message.get("create_time")) or started
        said = Said(
            talk=talk, text=found, at=at, role=role, id=words(message.get("id")) or name,
            title=words(conversation.get("title")),
        )  # fmt: skip
        yield from with_files(said, [files.get(id, id) for id in shown], file)
        started = None


def _branch(conversation: Mapping[str, Any], mapping: Mapping[str, Any]) -> dict[str, None]:
    """The nodes from the root to the one shown last; without a tree all of them, by when they were said."""
    last = conversation.get("current_node")
    children = {id: listed(named(node).get("children")) for id, node in mapping.items()}
    has_tree = any(children.values()) or any(named(node).get("parent") for node in mapping.values())
    if not has_tree:
        return (
            dict.fromkeys(sorted(mapping, key=lambda id: _time(mapping[id])))
            if _all_timed(mapping)
            else dict.fromkeys(mapping)
        )
    if not isinstance(last, str) or last not in mapping:
        last = _last_leaf(mapping, children)
    path: dict[str, None] = {}
    while isinstance(last, str) and last in mapping and last not in path:
        path[last] = None
        last = named(mapping[last]).get("parent")
    return dict.fromkeys(reversed(path))


def _last_leaf(mapping: Mapping[str, Any], children: Mapping[str, list[Any]]) -> str | None:
    """The end of the branch that was made last, where the file does not name it: always the last child."""
    roots = [id for id, node in mapping.items() if named(node).get("parent") not in mapping]
    leaf, seen = (roots[0] if roots else None), set[str]()
    while leaf is not None and leaf not in seen:
        seen.add(leaf)
        below = [child for child in children[leaf] if isinstance(child, str) and child in mapping]
        if not below:
            break
        leaf = below[-1]
    return leaf


def _message(node: object) -> dict[str, Any]:
    return named(named(node).get("message"))


def _time(node: object) -> float:
    at = moment(_message(node).get("create_time"))
    return at.timestamp() if at is not None else 0.0


def _all_timed(mapping: Mapping[str, Any]) -> bool:
    return all(moment(_message(node).get("create_time")) for node in mapping.values() if _message(node))


def _is_shown(node: object) -> bool:
    message = _message(node)
    text = _text(message) if message else ""
    return isinstance(text, str) and not is_blank(text)


def _text(message: Mapping[str, Any]) -> str | Left:
    """What a message says, empty where there are only files, or why it is not taken."""
    role, content = words(named(message.get("author")).get("role")), named(message.get("content"))
    kind, meta = words(content.get("content_type")), named(message.get("metadata"))
    if role == "tool" or kind in THOUGHTS:
        return Left(Why.TOOL)
    is_hidden = meta.get("is_visually_hidden_from_conversation") or meta.get("is_user_system_message")
    if role not in ROLES or is_hidden or kind in MODEL_CONTEXT:
        return Left(Why.HIDDEN)
    recipient = words(message.get("recipient")) or "all"
    if recipient != "all":
        return Left(Why.TOOL)
    parts = content.get("parts")
    texts = [_part(part) for part in parts] if isinstance(parts, list) else [words(content.get("text"))]
    text = _MARKUP.sub(r"\1\2", "\n".join(one for one in texts if one))
    if kind == "code" and role == "assistant" and text:
        text = f"```{words(content.get('language')).replace('unknown', '')}\n{text}\n```"
    return text


def _part(part: object) -> str:
    """The words of a part: a text, or what was said aloud."""
    if isinstance(part, str):
        return part
    return words(named(part).get("text")) if named(part).get("content_type") == "audio_transcription" else ""


def _files(message: Mapping[str, Any]) -> list[str]:
    """The ids of what came with a message, shown in it or attached, most pictures both."""
    parts = [part for part in listed(named(message.get("content")).get("parts")) if isinstance(part, dict)]
    shown = [part for part in parts if part.get("content_type") != "audio_transcription"]
    pointers = [words(part.get("asset_pointer")).rpartition("://")[2].partition("#")[0] for part in shown]
    ids = [id or f"part {place}" for place, id in enumerate(pointers)]
    attached = listed(named(message.get("metadata")).get("attachments"))
    return list(dict.fromkeys([*ids, *(words(named(one).get("id")) for one in attached)]))
