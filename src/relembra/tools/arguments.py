"""What an assistant asks of a tool, checked: a model's arguments become values, or an error that says what to mend."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import msgspec

from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.policy import SearchPolicy
from relembra.domain.text import checked_name, checked_text
from relembra.errors import InvalidInputError
from relembra.locale import LANGUAGES, Words

DEFAULT_CONFIDENCE = 0.9


class Tool(StrEnum):
    """The tools an assistant may call."""

    SEARCH_KNOWLEDGE = "search_knowledge"
    ADD_KNOWLEDGE = "add_knowledge"
    ANALYZE_CONTEXT = "analyze_context"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchKnowledge:
    """Look for what is known about the person."""

    query: str
    type: KnowledgeType | None = None
    area: LifeArea | None = None
    limit: int = SearchPolicy().default_limit


@dataclass(frozen=True, slots=True, kw_only=True)
class AddKnowledge:
    """Keep something lasting that the person said."""

    type: KnowledgeType
    content: str
    area: LifeArea | None = None
    sub_area: str | None = None
    confidence: float = DEFAULT_CONFIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyzeContext:
    """See what is known around a topic: related things, patterns, connections, and contradictions when asked."""

    current_topic: str
    related_areas: tuple[LifeArea, ...] = ()  # none: all
    look_for_contradictions: bool = False


Request = SearchKnowledge | AddKnowledge | AnalyzeContext
REQUESTS: Mapping[Tool, type[Request]] = {
    Tool.SEARCH_KNOWLEDGE: SearchKnowledge,
    Tool.ADD_KNOWLEDGE: AddKnowledge,
    Tool.ANALYZE_CONTEXT: AnalyzeContext,
}


def parsed(tool: str, arguments: Mapping[str, Any] | str | None, *, policy: SearchPolicy | None = None) -> Request:
    """The request a call makes; `InvalidInputError` says which argument is wrong (`field`) and what would be right."""
    if tool not in set(Tool):
        raise InvalidInputError(f"no tool {tool!r}; there are {', '.join(Tool)}", field="tool")
    policy = policy or SearchPolicy()
    given = checked(tool, schema(Tool(tool), policy=policy), arguments)
    for name in given.keys() & {"query", "content", "current_topic"}:
        given[name] = checked_text(given[name], name)
    if "sub_area" in given:
        given["sub_area"] = checked_name(given["sub_area"], "sub_area")
    if tool == Tool.SEARCH_KNOWLEDGE:
        given.setdefault("limit", policy.default_limit)
    return msgspec.convert(given, REQUESTS[Tool(tool)])


# ── against a schema ──────────────────────────────────────────────────────────────────────────────────────────────────


def checked(tool: str, schema: Mapping[str, Any], arguments: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """The arguments of a call as a schema wants them; null counts as left out.

    They may be JSON text, and named in snake_case or camelCase. A word of a few is taken however it is capitalised or
    joined, and one word alone, or a list written as JSON text, for a list.
    """
    known: Mapping[str, Mapping[str, Any]] = schema["properties"]
    given: dict[str, Any] = {}
    for said, value in _opened(tool, known, arguments).items():
        name = re.sub(r"(?<=[a-z])[A-Z]", lambda found: f"_{found[0].lower()}", said)
        if name not in known:
            near = difflib.get_close_matches(said, known, n=1)
            hint = f"; did you mean {near[0]!r}" if near else ""
            short = said[:80]
            raise InvalidInputError(f"{tool} takes no {short!r}{hint}; it takes {', '.join(known)}", field=short)
        if value is not None:
            fitting = _fitting(tool, name, known[name], value)
            if given.setdefault(name, fitting) != fitting:
                raise InvalidInputError(f"{name} is given twice, with two values; give it once", field=name)
    for name in schema.get("required", ()):
        if name not in given and known[name]["type"] != "array":
            raise InvalidInputError(f"{tool} needs {name}: {_wanted(known[name])}", field=name)
    return given


def _opened(tool: str, known: Mapping[str, Any], arguments: Mapping[str, Any] | str | None) -> Mapping[str, Any]:
    """The arguments as an object, read from JSON where they came as text."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else None
        except (ValueError, RecursionError) as exc:
            raise InvalidInputError(f"the arguments of {tool} are not valid JSON: {exc}", field="arguments") from exc
    if not isinstance(arguments, Mapping | None):
        like = f'{{"{next(iter(known))}": …}}'
        raise InvalidInputError(f"the arguments of {tool} are a JSON object like {like}", field="arguments")
    return arguments or {}


def _fitting(tool: str, name: str, part: Mapping[str, Any], value: Any) -> Any:
    """A value as its part of the schema wants it."""
    wrong = InvalidInputError(f"{name} of {tool} must be {_wanted(part)}", field=name)
    match part["type"], value:
        case "array", list() | tuple() | str():
            listed = _listed(value) if isinstance(value, str) else value
            return [_fitting(tool, name, part["items"], each) for each in listed]
        case "string", str() if "enum" in part:
            plain = value.strip().casefold().replace("-", "_").replace(" ", "_")
            if plain not in part["enum"]:
                raise wrong
            return plain
        case "string", str():
            if not value.strip():
                raise InvalidInputError(f"{name} of {tool} must not be empty", field=name)
            return value
        case ("boolean", bool()) | ("object", Mapping()):
            return value
        case ("number" | "integer") as kind, int() | float() if not isinstance(value, bool) and math.isfinite(value):
            if (kind == "integer" and value != int(value)) or not part["minimum"] <= value <= part["maximum"]:
                raise wrong
            return int(value) if kind == "integer" else value
    raise wrong


def _listed(text: str) -> list[Any]:
    if text.lstrip().startswith("["):
        try:
            read = json.loads(text)
        except (ValueError, RecursionError):
            return [text]
        return read if isinstance(read, list) else [text]
    return [text] if text.strip() else []


def _wanted(part: Mapping[str, Any]) -> str:
    """What would be right, in words."""
    if "enum" in part:
        return f"one of {', '.join(part['enum'])}"
    match part["type"]:
        case "array":
            words = part["items"].get("enum")
            return f"a list of words from {', '.join(words)}" if words else "a list of objects"
        case "integer":
            return f"a whole number from {part['minimum']} to {part['maximum']}"
        case "number":
            return f"a number from {part['minimum']} to {part['maximum']}"
    return {"string": "a text", "boolean": "true or false", "object": "an object"}[part["type"]]


# ── the schemas ───────────────────────────────────────────────────────────────────────────────────────────────────────

Format = Literal["openai", "anthropic"]
FORMATS = ("openai", "anthropic")
_TEXT = {"type": "string", "minLength": 1}
_TYPE = {"type": "string", "enum": [str(type) for type in KnowledgeType]}
_AREA = {"type": "string", "enum": [str(area) for area in LifeArea]}
_PARTS: Mapping[Tool, Mapping[str, Mapping[str, Any]]] = {
    Tool.SEARCH_KNOWLEDGE: {"query": _TEXT, "type": _TYPE, "area": _AREA, "limit": {"type": "integer", "minimum": 1}},
    Tool.ADD_KNOWLEDGE: {
        "type": _TYPE,
        "content": _TEXT,
        "area": _AREA,
        "sub_area": {"type": "string"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1, "default": DEFAULT_CONFIDENCE},
    },
    Tool.ANALYZE_CONTEXT: {
        "current_topic": _TEXT,
        "related_areas": {"type": "array", "items": _AREA},
        "look_for_contradictions": {"type": "boolean", "default": False},
    },
}
_REQUIRED = {
    Tool.SEARCH_KNOWLEDGE: ["query"],
    Tool.ADD_KNOWLEDGE: ["type", "content"],
    Tool.ANALYZE_CONTEXT: ["current_topic", "related_areas"],
}
_FILTERS = {"type": "type_filter", "area": "area_filter"}


def tools(format: Format = "openai", language: str = "en") -> list[dict[str, Any]]:
    """The tools as a provider wants them listed, described in a language."""
    if format not in FORMATS:
        raise InvalidInputError(f"no tool format {format!r}; choose one of {', '.join(FORMATS)}", field="format")
    if language not in LANGUAGES:
        raise InvalidInputError(f"no language {language!r}; choose one of {', '.join(LANGUAGES)}", field="language")
    listed = []
    for tool in Tool:
        described = {"name": tool.value, "description": Words(language, "tools")(tool.value)}
        parameters = schema(tool, language)
        if format == "anthropic":
            listed.append(described | {"input_schema": parameters})
        else:
            listed.append({"type": "function", "function": described | {"parameters": parameters}})
    return listed


def schema(tool: Tool, language: str = "en", *, policy: SearchPolicy | None = None) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    policy, words = policy or SearchPolicy(), Words(language, "tools")
    names = _FILTERS if tool is Tool.SEARCH_KNOWLEDGE else {}
    properties = {}
    for name, part in _PARTS[tool].items():
        numbers = {"maximum": policy.tool_limit, "default": policy.default_limit} if name == "limit" else {}
        properties[name] = {**part, **numbers, "description": words(f"part.{names.get(name, name)}")}
    return {"type": "object", "properties": properties, "required": _REQUIRED[tool], "additionalProperties": False}
