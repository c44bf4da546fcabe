"""The MCP tools: what each takes, who may call it, what it does to the memory and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote

from mcp import types

from relembra.domain.access import Right
from relembra.domain.case import Outcome
from relembra.domain.message import Note
from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import escaped
from relembra.domain.time import local
from relembra.errors import InvalidInputError, NotFoundError, RelembraError
from relembra.interfaces import shapes
from relembra.interfaces.requests import VIA, Via
from relembra.interfaces.sentences import reason
from relembra.learn.casework import Conflict
from relembra.locale import Words
from relembra.memory import Memory, Saved
from relembra.recall.query import Recall
from relembra.recall.ranking import MessageHit
from relembra.recall.rendering import author_of
from relembra.tools.answers import Tool, checked, contradiction, found
from relembra.verbs import VERBS

NOTES = "relembra://notes"


class RightError(RelembraError):
    """The caller may not do this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls: whose memory, with which right, from where; `local`: the model that reads the answers is ours."""

    user: str
    tenant: str = DEFAULT_TENANT
    right: Right = Right.WRITE
    local: bool = False
    space: str | None = None
    channel: str | None = None

    @property
    def whose(self) -> dict[str, Any]:
        return {"user": self.user, "tenant": self.tenant}

    @property
    def where(self) -> dict[str, Any]:
        return {"space": self.space, "channel": self.channel}

    @property
    def outside(self) -> bool:
        return not self.local

    @property
    def asking(self) -> dict[str, Any]:
        return {**self.where, **self.whose, "outside": self.outside}


# ── what is offered ───────────────────────────────────────────────────────────────────────────────────────────────────

RIGHTS = {
    "search_knowledge": Right.READ,
    "analyze_context": Right.READ,
    "recall": VERBS["recall"].right,
    "conflicts": VERBS["conflicts"].right,
    "add_knowledge": Right.WRITE,
    "save": VERBS["save"].right,
    "resolve": VERBS["resolve"].right,
    "forget": VERBS["forget"].right,
}
"""The tools in the order they are listed, those that only read first."""
PARTS: dict[str, dict[str, Any]] = {
    "save.messages": {"type": "array", "items": {"type": "object"}},
    "save.kind": {"type": "string", "enum": ["talk", "journal"], "default": "talk"},
    "recall.kinds": {"type": "array", "items": {"type": "string", "enum": ["item", "note", "message"]}},
    "recall.limit": {"type": "integer", "minimum": 1, "maximum": 25, "default": 5},
    "forget.all": {"type": "boolean", "default": False},
    "conflicts.open_only": {"type": "boolean", "default": True},
    "conflicts.limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
    "resolve.keep": {"type": "string", "enum": ["new", "old", "both", "neither"]},
}
"""The parameters that are not plain text."""
REQUIRED = {"recall": ["query"], "resolve": ["case", "keep"]}


@cache
def listed(language: str) -> tuple[types.Tool, ...]:
    """Every tool, described in a language."""
    words = Words(language, "mcp")
    shared = {each["name"]: each for each in Memory.tools("anthropic", language)}
    made = []
    for name, right in RIGHTS.items():
        described = shared.get(name) or {"description": words(name), "input_schema": _schema(name, words)}
        hints = types.ToolAnnotations(
            title=words(f"{name}.title"),
            read_only_hint=right is Right.READ,
            destructive_hint=name == "forget",
            idempotent_hint=name != "save",
            open_world_hint=False,
        )
        meta = {"requiresConfirmation": name == "forget"}
        made.append(
            types.Tool(title=words(f"{name}.title"), annotations=hints, _meta=meta, **{"name": name} | described)
        )
    return tuple(made)


def allowed(right: Right, language: str) -> list[types.Tool]:
    """The tools a right lets a client call."""
    return [tool for tool in listed(language) if right.allows(RIGHTS[tool.name])]


def input_schema(name: str, language: str = "en") -> dict[str, Any] | None:
    return next((tool.input_schema for tool in listed(language) if tool.name == name), None)


def _schema(name: str, words: Words) -> dict[str, Any]:
    """The JSON Schema of what a verb's tool takes."""
    text = {"type": "string", "minLength": 1}
    properties = {
        part: PARTS.get(f"{name}.{part}", text) | {"description": words(f"{name}.{part}")} for part in VERBS[name].tool
    }
    made = {"type": "object", "properties": properties, "additionalProperties": False}
    return made | ({"required": REQUIRED[name]} if name in REQUIRED else {})


# ── calling one ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def call(
    memory: Memory, caller: Caller, tool: str, arguments: Mapping[str, Any] | None, words: Words
) -> dict[str, Any]:
    """The answer of a tool that exists; remembered text in it is escaped. An error of ours says what to mend."""
    if not caller.right.allows(RIGHTS[tool]):
        raise RightError(words("error.right"))
    if tool in set(Tool):
        return await memory.call_tool(tool, arguments, language=words.language, **caller.asking)
    schema = input_schema(tool)
    assert schema is not None
    given = checked(tool, schema, arguments)
    match tool:
        case "save":
            if not given.keys() & {"said", "replied", "messages"}:
                raise InvalidInputError(words("error.save.nothing"), field="said")
            via = {VIA: Via.MCP.value}
            return _saved(await memory.save(**given, metadata=via, **caller.where, **caller.whose))
        case "recall":
            kinds = given.pop("kinds", None) or None
            what = await memory.recall(**{"limit": 5, **given}, kinds=kinds, **caller.asking)
            return _recalled(what, words.language)
        case "conflicts":
            page = await memory.conflicts(**{"open_only": True, "limit": 10, **given}, **caller.asking)
            return {"cases": [_case(each, words.language) for each in page], "next": page.next}
        case "forget":
            return await _forget(memory, caller, given, words)
        case _:
            return await _resolve(memory, caller, given, words)


async def _forget(memory: Memory, caller: Caller, given: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """One thing by its whole id; everything only where the name of the person is given with it."""
    item, conversation = given.get("item"), given.get("conversation")
    everything = given.get("all", False)
    if everything and (item is not None or conversation is not None):
        raise InvalidInputError(words("error.forget.one"), field="all")
    if everything and given.get("confirm") != caller.user:
        raise InvalidInputError(words("error.forget.confirm", name=caller.user), field="confirm")
    if not everything and (item is None) == (conversation is None):
        raise InvalidInputError(words("error.forget.one"), field="item")
    gone = await memory.forget(item=item, conversation=conversation, all=everything, **caller.whose)
    receipt: dict[str, Any] = shapes.wire(gone)
    return receipt


async def _resolve(memory: Memory, caller: Caller, given: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """The person's answer, passed on in their name; a case with a side that may not be shown is not there."""
    held = await memory.conflict(given["case"], **caller.whose)
    if caller.outside and (held.old.local_only or held.new.local_only):
        raise NotFoundError("case", given["case"])
    return _case(await memory.resolve(held.case.id, keep=given["keep"], **caller.whose), words.language)


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _saved(kept: Saved) -> dict[str, Any]:
    ids = [message.id for message in kept.messages]
    refused = None if kept.refused is None else str(kept.refused)
    answer = {"conversation": kept.conversation, "new": kept.new, "messages": ids, "refused": refused}
    return answer | ({"left_out": list(kept.left_out)} if kept.left_out else {})


def _recalled(what: Recall, language: str) -> dict[str, Any]:
    items = found([hit.item for hit in what.items], language=language)["items"]
    notes = [note_shown(hit.note) for hit in what.notes]
    return {"items": items, "notes": notes, "messages": [_message(hit, language) for hit in what.messages]}


def note_shown(note: Note) -> dict[str, Any]:
    return {
        "id": note.id,
        "uri": uri_of(note),
        "kind": note.kind.value,
        "title": escaped(note.title),
        "summary": escaped(note.summary),
        "when": note.happened_at.date().isoformat(),
    }


def uri_of(note: Note) -> str:
    return f"{NOTES}/{quote(note.id, safe='')}"


def _message(hit: MessageHit, language: str) -> dict[str, Any]:
    message = hit.message
    return {
        "id": message.id,
        "conversation": message.conversation,
        "author": escaped(author_of(message, language)),
        "text": escaped(hit.excerpt or message.text),
        "when": local(message.sent_at, message.zone).isoformat(timespec="minutes"),
    }


def _case(conflict: Conflict, language: str) -> dict[str, Any]:
    case = conflict.case
    shown = contradiction(case, conflict.old, conflict.new, language)
    if case.outcome is not Outcome.OPEN:
        del shown["question"]
    why = escaped(reason(Words(language, "names"), case.why))
    return shown | {"outcome": case.outcome.value, "why": why, "opened": case.opened_at.date().isoformat()}
