"""What other memories know: exports of mem0, of Letta, and the graph of MCP's reference memory server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from relembra.domain.message import Role
from relembra.domain.text import is_blank
from relembra.transfer.chats import Context, Fact, Found, Left, Said, Sample, Why
from relembra.transfer.chats.fields import content_text, listed, moment, named, words
from relembra.transfer.chats.plain import objects
from relembra.transfer.sources import File

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "user_message": Role.USER, "assistant_message": Role.ASSISTANT}
_PERSONA = "persona"  # of the assistant, and not of the person
_OWNERS = ("default_user", "user", "me")


def fits_mem0(sample: Sample) -> bool:
    return sample.has("memory", "id") or (sample.has("memory") and sample.has("user_id"))


def read_mem0(file: File, _: Context) -> Iterator[Found]:
    for element in file.elements():
        memory = named(element.value)
        text = words(memory.get("memory"))
        if is_blank(text):
            yield Left(Why.EMPTY if "memory" in memory else Why.UNREADABLE)
            continue
        told = memory.get("categories")
        tags = tuple(tag for tag in listed(told) if isinstance(tag, str))
        more = named(memory.get("metadata"))  # as we write it, beside what mem0 has itself
        at = moment(more.get("held_from")) or moment(memory.get("updated_at")) or moment(memory.get("created_at"))
        subject = words(more.get("subject")) or None
        yield Fact(text=text, at=at, subject=subject, owner=words(memory.get("user_id")), tags=tags)


def fits_letta(sample: Sample) -> bool:
    first = sample.first
    if first is None:
        return False
    is_block = first.key in ("blocks", "core_memory") and sample.has("label", "value")
    of_agent = "agent_type" in first.owner or "llm_config" in first.owner or "agents" in first.root
    return is_block or (of_agent and sample.has("role")) or sample.has("message_type", "date")


def read_letta(file: File, _: Context) -> Iterator[Found]:
    for element in file.elements():
        value = named(element.value)
        if "label" in value:
            yield from _block(value)
        else:
            agent = words(element.owner.get("name")) or words(element.owner.get("id")) or file.stem
            yield _letta(value, agent or "letta")


def _block(block: Mapping[str, Any]) -> Iterator[Found]:
    if words(block.get("label")) == _PERSONA:
        yield Left(Why.HIDDEN)
        return
    for line in words(block.get("value")).splitlines():
        if not is_blank(line := line.strip().lstrip("-*• ")):
            yield Fact(text=line)


def _letta(message: Mapping[str, Any], agent: str) -> Found:
    role = ROLES.get(words(message.get("message_type") or message.get("role")))
    if role is None:
        return Left(Why.TOOL)
    text = content_text(message.get("content", message.get("text")))
    if is_blank(text):
        return Left(Why.TOOL if message.get("tool_calls") else Why.EMPTY)
    if role is Role.USER and text.lstrip().startswith('{"type":'):
        return Left(Why.HIDDEN)  # heartbeats and logins, which the program tells its model
    at = moment(message.get("created_at") or message.get("date"))
    return Said(talk=agent, text=text, at=at, role=role, id=words(message.get("id")) or None, title=agent)


def fits_graph(sample: Sample) -> bool:
    return bool(sample.lines) and all(line.get("type") in ("entity", "relation") for line in sample.lines)


def read_graph(file: File, _: Context) -> Iterator[Found]:
    for row in objects(file):
        name, tag = words(row.get("name")), words(row.get("entityType"))
        match row.get("type"):
            case "entity" if name:
                for seen in listed(row.get("observations")):
                    if not is_blank(text := words(seen)):
                        yield Fact(text=text, subject=_subject(name), tags=(tag,) if tag else ())
            case "relation":
                told = [words(row.get(part)) for part in ("from", "relationType", "to")]
                if all(told):
                    name, verb, other = told[0], told[1].replace("_", " "), told[2]
                    yield Fact(text=f"{verb} {other}", subject=_subject(name))
                else:
                    yield Left(Why.UNREADABLE)
            case _:
                yield Left(Why.UNREADABLE)


def _subject(name: str) -> str | None:
    """Whom an entity is; None: the person whose memory it is, whom such programs call so."""
    return None if name.lower() in _OWNERS else name
