"""A model's arguments held against the schema it was shown; a wrong one is refused with what would be right."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from typing import Any

from relembra.errors import InvalidInputError

_KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def checked(tool: str, schema: Mapping[str, Any], arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments of a call; null counts as left out."""
    known: Mapping[str, Mapping[str, Any]] = schema["properties"]
    given: dict[str, Any] = {}
    for name, value in (arguments or {}).items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}" if near else ""
            said = name[:80]
            raise InvalidInputError(f"{tool} takes no {said!r}{hint}; it takes {', '.join(known)}", field=said)
        if value is not None:
            given[name] = _fitting(tool, name, known[name], value)
    for name in schema.get("required", ()):
        if name not in given:
            raise InvalidInputError(f"{tool} needs {name}: {_wanted(known[name])}", field=name)
    return given


def _fitting(tool: str, name: str, part: Mapping[str, Any], value: Any) -> Any:
    """A value as its part of the schema wants it."""
    if isinstance(value, str) and part["type"] == "array":
        value = [value]  # one word alone is taken for a list
    if part["type"] == "integer" and isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if not _is(part["type"], value):
        raise InvalidInputError(f"{name} of {tool} must be {_wanted(part)}", field=name)
    if part["type"] == "array":
        return [_fitting(tool, name, part["items"], each) for each in value]
    if part["type"] == "object":
        return value
    outside = part["type"] == "integer" and not part.get("minimum", value) <= value <= part.get("maximum", value)
    if outside or value not in part.get("enum", (value,)):
        raise InvalidInputError(f"{name} of {tool} must be {_wanted(part)}", field=name)
    if part["type"] == "string" and not value.strip():
        raise InvalidInputError(f"{name} of {tool} must not be empty", field=name)
    return value


def _is(kind: str, value: Any) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "object":
            return isinstance(value, dict)
        case _:
            return isinstance(value, list)


def _wanted(part: Mapping[str, Any]) -> str:
    """What would be right, in words."""
    if "enum" in part:
        return f"one of {', '.join(part['enum'])}"
    if "items" in part:
        items = part["items"]
        return f"a list of words from {', '.join(items['enum'])}" if "enum" in items else "a list of objects"
    if "minimum" in part and "maximum" in part:
        return f"a whole number from {part['minimum']} to {part['maximum']}"
    return _KINDS[part["type"]]
