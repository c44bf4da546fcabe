"""The tools of this door: what each takes and gives, whom it is for, and what it does to the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mcp import types

from relembra.domain.access import Right
from relembra.interfaces.mcp.words import Words
from relembra.memory import Memory

MOST_RECALLED = 25
MOST_CONFLICTS = 50
ANSWERS = ("new", "old", "both", "neither")
KINDS = ("item", "note", "message")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What a tool does to the memory, as clients are told before they let a model call it."""

    right: Right
    destroys: bool = False
    same_again: bool = False  # calling it twice does no more than once


DEEDS = {
    "search_knowledge": Deed(right=Right.READ),
    "analyze_context": Deed(right=Right.READ),
    "recall": Deed(right=Right.READ),
    "conflicts": Deed(right=Right.READ),
    "add_knowledge": Deed(right=Right.WRITE, same_again=True),
    "save": Deed(right=Right.WRITE),
    "resolve": Deed(right=Right.WRITE, same_again=True),
    "forget": Deed(right=Right.WRITE, destroys=True, same_again=True),
}


@cache
def listed(language: str) -> tuple[types.Tool, ...]:
    """Every tool, described in a language; those that only read come first."""
    words = Words(language)
    shared = {each["name"]: each for each in Memory.tools("anthropic", language)}
    made = []
    for name, deed in DEEDS.items():
        described = shared.get(name)
        reads = deed.right is Right.READ
        made.append(
            types.Tool(
                name=name,
                title=words(f"{name}.title"),
                description=words(name) if described is None else described["description"],
                input_schema=_taken(name, words) if described is None else described["input_schema"],
                output_schema=_given(name),
                annotations=types.ToolAnnotations(
                    title=words(f"{name}.title"),
                    read_only_hint=reads,
                    destructive_hint=deed.destroys,
                    idempotent_hint=reads or deed.same_again,
                    open_world_hint=False,
                ),
            )
        )
    return tuple(made)


def allowed(right: Right, language: str) -> list[types.Tool]:
    """Those a right lets somebody call."""
    return [tool for tool in listed(language) if right.allows(DEEDS[tool.name].right)]


def input_schema(name: str, language: str = "en") -> dict[str, Any] | None:
    return next((tool.input_schema for tool in listed(language) if tool.name == name), None)


def _taken(name: str, words: Words) -> dict[str, Any]:
    """The JSON Schema of what a tool takes."""

    def text(part: str) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "description": words(f"{name}.{part}")}

    def whole(part: str, default: int, most: int) -> dict[str, Any]:
        says = words(f"{name}.{part}")
        return {"type": "integer", "minimum": 1, "maximum": most, "default": default, "description": says}

    def flag(part: str, *, default: bool) -> dict[str, Any]:
        return {"type": "boolean", "default": default, "description": words(f"{name}.{part}")}

    match name:
        case "save":
            names = ("said", "replied", "conversation", "external_id", "author_name")
            says = {"description": words("save.messages")}
            listed = {"messages": {"type": "array", "items": {"type": "object"}, **says}}
            return _object({part: text(part) for part in names} | listed)
        case "recall":
            kinds = {"type": "array", "items": {"type": "string", "enum": list(KINDS)}}
            return _object(
                {
                    "query": text("query"),
                    "kinds": kinds | {"description": words("recall.kinds")},
                    "limit": whole("limit", 5, MOST_RECALLED),
                },
                "query",
            )
        case "forget":
            return _object(
                {
                    "item": text("item"),
                    "conversation": text("conversation"),
                    "all": flag("all", default=False),
                    "confirm": text("confirm"),
                }
            )
        case "conflicts":
            return _object(
                {
                    "open_only": flag("open_only", default=True),
                    "limit": whole("limit", 10, MOST_CONFLICTS),
                    "after": text("after"),
                }
            )
        case _:
            keep = {"type": "string", "enum": list(ANSWERS), "description": words("resolve.keep")}
            return _object({"case": text("case"), "keep": keep}, "case", "keep")


def _object(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    made = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return made | {"required": list(required)} if required else made


_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_ITEM = {
    "type": "object",
    "properties": {
        "id": _TEXT,
        "type": _TEXT,
        "content": _TEXT,
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "since": _TEXT,
        "source": _TEXT,
        "about": _TEXT,
        "claimed_by": _TEXT,
        "disputed": {"type": "boolean"},
        "observations": _COUNT,
    },
    "required": ["id", "type", "content", "confidence", "since", "source"],
}
_SIDE = {"type": "object", "properties": {"id": _TEXT, "content": _TEXT}, "required": ["id", "content"]}
_CASE = {
    "type": "object",
    "properties": {
        "case": _TEXT,
        "outcome": _TEXT,
        "earlier": _SIDE,
        "later": _SIDE,
        "why": _TEXT,
        "opened": _TEXT,
        "question": _TEXT,
    },
    "required": ["case", "earlier", "later"],
}
_NOTE = {
    "type": "object",
    "properties": dict.fromkeys(("id", "uri", "kind", "title", "summary", "when"), _TEXT),
    "required": ["id", "uri", "title", "summary", "when"],
}
_MESSAGE = {
    "type": "object",
    "properties": dict.fromkeys(("id", "conversation", "author", "text", "when"), _TEXT),
    "required": ["id", "conversation", "author", "text", "when"],
}
_LINK = {"type": "object", "properties": {"between": {"type": "array", "items": _TEXT}, "why": _TEXT}}


def _many(shape: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": shape}


def _given(name: str) -> dict[str, Any]:
    """The JSON Schema of what a tool answers."""
    match name:
        case "search_knowledge":
            return _answer({"items": _many(_ITEM), "count": _COUNT, "hint": _TEXT}, "items", "count")
        case "add_knowledge":
            return _answer({"kept": _ITEM, "replaced": _many(_SIDE)}, "kept")
        case "analyze_context":
            parts = {"related": _many(_ITEM), "patterns": _many(_ITEM), "contradictions": _many(_CASE)}
            return _answer(parts | {"connections": _many(_LINK), "hint": _TEXT}, "related", "patterns", "connections")
        case "recall":
            parts = {"items": _many(_ITEM), "notes": _many(_NOTE), "messages": _many(_MESSAGE)}
            return _answer(parts, *parts)
        case "conflicts":
            return _answer({"cases": _many(_CASE), "next": {"type": ["string", "null"]}}, "cases", "next")
        case "save":
            parts = {"conversation": _TEXT, "new": {"type": "boolean"}, "messages": _many(_TEXT)}
            return _answer(parts | {"refused": {"type": ["string", "null"]}, "left_out": _many(_TEXT)}, *parts)
        case "resolve":
            return _CASE
        case _:
            counts = {"type": "object", "additionalProperties": _COUNT}
            return _answer({"forgotten": counts, "total": _COUNT, "erased": {"type": "boolean"}}, "forgotten", "total")


def _answer(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(required)}
