"""The MCP tools: what each takes and gives, whom it is for, and what it does to the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mcp import types

from relembra.domain.access import Right
from relembra.locale import Words
from relembra.memory import Memory
from relembra.verbs import VERBS


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a tool does to the memory, as clients are told before they let a model call it."""

    right: Right
    destroys: bool = False
    same_again: bool = False  # calling it twice does no more than once


def _verb(name: str, **more: bool) -> Effect:
    return Effect(right=VERBS[name].right, **more)


TOOLS = {
    "search_knowledge": Effect(right=Right.READ),
    "analyze_context": Effect(right=Right.READ),
    "recall": _verb("recall"),
    "conflicts": _verb("conflicts"),
    "add_knowledge": Effect(right=Right.WRITE, same_again=True),
    "save": _verb("save"),
    "resolve": _verb("resolve", same_again=True),
    "forget": _verb("forget", destroys=True, same_again=True),
}


@cache
def listed(language: str) -> tuple[types.Tool, ...]:
    """Every tool, described in a language; those that only read come first."""
    words = Words(language, "mcp")
    shared = {each["name"]: each for each in Memory.tools("anthropic", language)}
    made = []
    for name, effect in TOOLS.items():
        described = shared.get(name)
        reads = effect.right is Right.READ
        made.append(
            types.Tool(
                name=name,
                title=words(f"{name}.title"),
                description=words(name) if described is None else described["description"],
                input_schema=_taken(name, words) if described is None else described["input_schema"],
                output_schema=GIVEN[name],
                annotations=types.ToolAnnotations(
                    title=words(f"{name}.title"),
                    read_only_hint=reads,
                    destructive_hint=effect.destroys,
                    idempotent_hint=reads or effect.same_again,
                    open_world_hint=False,
                ),
            )
        )
    return tuple(made)


def allowed(right: Right, language: str) -> list[types.Tool]:
    """Those a right lets somebody call."""
    return [tool for tool in listed(language) if right.allows(TOOLS[tool.name].right)]


def input_schema(name: str, language: str = "en") -> dict[str, Any] | None:
    return next((tool.input_schema for tool in listed(language) if tool.name == name), None)


# ── what tools take ───────────────────────────────────────────────────────────────────────────────────────────────────


def _whole(default: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": most, "default": default}


def _flag(*, default: bool) -> dict[str, Any]:
    return {"type": "boolean", "default": default}


PARTS: dict[str, dict[str, Any]] = {
    "save.messages": {"type": "array", "items": {"type": "object"}},
    "recall.kinds": {"type": "array", "items": {"type": "string", "enum": ["item", "note", "message"]}},
    "recall.limit": _whole(5, 25),
    "forget.all": _flag(default=False),
    "conflicts.open_only": _flag(default=True),
    "conflicts.limit": _whole(10, 50),
    "resolve.keep": {"type": "string", "enum": ["new", "old", "both", "neither"]},
}
"""What is no text."""
NEEDED = {"recall": ["query"], "resolve": ["case", "keep"]}


def _taken(name: str, words: Words) -> dict[str, Any]:
    """The JSON Schema of what a verb's tool takes."""
    text = {"type": "string", "minLength": 1}
    properties = {
        part: PARTS.get(f"{name}.{part}", text) | {"description": words(f"{name}.{part}")} for part in VERBS[name].tool
    }
    made = {"type": "object", "properties": properties, "additionalProperties": False}
    return made | ({"required": NEEDED[name]} if name in NEEDED else {})


# ── what tools give ───────────────────────────────────────────────────────────────────────────────────────────────────


def _answer(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(required)}


def _many(shape: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": shape}


_TEXT = {"type": "string"}
_MAYBE = {"type": ["string", "null"]}
_COUNT = {"type": "integer", "minimum": 0}
_YES = {"type": "boolean"}


def _texts(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, _TEXT)


_ITEM = _answer(
    {
        **_texts("id", "type", "content"),
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        **_texts("since", "source", "about", "claimed_by"),
        "disputed": _YES,
        "observations": _COUNT,
    },
    "id", "type", "content", "confidence", "since", "source",
)  # fmt: skip
_SIDE = _answer(_texts("id", "content"), "id", "content")
_CASE = _answer(
    {**_texts("case", "outcome"), "earlier": _SIDE, "later": _SIDE, **_texts("why", "opened", "question")},
    "case", "earlier", "later",
)  # fmt: skip
_NOTE = _answer(_texts("id", "uri", "kind", "title", "summary", "when"), "id", "uri", "title", "summary", "when")
_SAID = ("id", "conversation", "author", "text", "when")
_LINK = {"type": "object", "properties": {"between": _many(_TEXT), "why": _TEXT}}
_FOUND = {"items": _many(_ITEM), "notes": _many(_NOTE), "messages": _many(_answer(_texts(*_SAID), *_SAID))}
_SAVED = {"conversation": _TEXT, "new": _YES, "messages": _many(_TEXT)}
GIVEN = {
    "search_knowledge": _answer({"items": _many(_ITEM), "count": _COUNT, "hint": _TEXT}, "items", "count"),
    "add_knowledge": _answer({"kept": _ITEM, "replaced": _many(_SIDE)}, "kept"),
    "analyze_context": _answer(
        {
            "related": _many(_ITEM),
            "patterns": _many(_ITEM),
            "contradictions": _many(_CASE),
            "connections": _many(_LINK),
            "hint": _TEXT,
        },
        "related",
        "patterns",
        "connections",
    ),
    "recall": _answer(_FOUND, *_FOUND),
    "conflicts": _answer({"cases": _many(_CASE), "next": _MAYBE}, "cases", "next"),
    "save": _answer(_SAVED | {"refused": _MAYBE, "left_out": _many(_TEXT)}, *_SAVED),
    "resolve": _CASE,
    "forget": _answer(
        {"forgotten": {"type": "object", "additionalProperties": _COUNT}, "total": _COUNT, "erased": _YES},
        "forgotten",
        "total",
    ),
}
"""The JSON Schema of each answer."""
