"""What an assistant asks of a tool, checked: a model's arguments become values, or an error that says what to mend."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.policy import SearchPolicy
from relembra.domain.text import checked_name, checked_text
from relembra.errors import InvalidInputError

__all__ = [
    "DEFAULT_CONFIDENCE",
    "AddKnowledge",
    "AnalyzeContext",
    "Request",
    "SearchKnowledge",
    "Tool",
    "parsed",
]

DEFAULT_CONFIDENCE = 0.9

E = TypeVar("E", bound=StrEnum)


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

_TAKES = {
    Tool.SEARCH_KNOWLEDGE: ("query", "type", "area", "limit"),
    Tool.ADD_KNOWLEDGE: ("type", "content", "area", "sub_area", "confidence"),
    Tool.ANALYZE_CONTEXT: ("current_topic", "related_areas", "look_for_contradictions"),
}
_SNAKE = {
    "subArea": "sub_area",
    "currentTopic": "current_topic",
    "relatedAreas": "related_areas",
    "lookForContradictions": "look_for_contradictions",
}


def parsed(tool: str, arguments: Mapping[str, Any] | str | None, *, policy: SearchPolicy | None = None) -> Request:
    """The request a call makes; arguments may be JSON text, and named in snake_case or camelCase.

    `InvalidInputError` says which argument is wrong (`field`) and what would be right.
    """
    if tool not in set(Tool):
        raise InvalidInputError(f"no tool {tool!r}; there are {', '.join(Tool)}", field="tool")
    name = Tool(tool)
    given = _Given(name, _named(name, _opened(name, arguments)))
    match name:
        case Tool.SEARCH_KNOWLEDGE:
            policy = policy or SearchPolicy()
            return SearchKnowledge(
                query=given.text("query"),
                type=given.optional_choice(KnowledgeType, "type"),
                area=given.optional_choice(LifeArea, "area"),
                limit=given.whole("limit", policy.default_limit, most=policy.tool_limit),
            )
        case Tool.ADD_KNOWLEDGE:
            sub_area = given.optional_text("sub_area")
            return AddKnowledge(
                type=given.choice(KnowledgeType, "type"),
                content=given.text("content"),
                area=given.optional_choice(LifeArea, "area"),
                sub_area=None if sub_area is None else checked_name(sub_area, "sub_area"),
                confidence=given.share("confidence", DEFAULT_CONFIDENCE),
            )
        case Tool.ANALYZE_CONTEXT:
            return AnalyzeContext(
                current_topic=given.text("current_topic"),
                related_areas=given.choices(LifeArea, "related_areas"),
                look_for_contradictions=given.yes_or_no("look_for_contradictions"),
            )


def _opened(tool: Tool, arguments: Mapping[str, Any] | str | None) -> Mapping[str, Any]:
    """The arguments as an object, read from JSON where they came as text."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError) as exc:
            raise InvalidInputError(f"the arguments of {tool} are not valid JSON: {exc}", field="arguments") from exc
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise InvalidInputError(
            f'the arguments of {tool} are a JSON object like {{"{_TAKES[tool][0]}": …}}, not {_kind(arguments)}',
            field="arguments",
        )
    return arguments


def _named(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments under our names; an unknown one is refused with the nearest that exists."""
    named: dict[str, Any] = {}
    for given, value in arguments.items():
        name = _SNAKE.get(given, given)
        if name not in _TAKES[tool]:
            near = difflib.get_close_matches(str(given), _TAKES[tool], n=1)
            hint = f"; did you mean {near[0]!r}" if near else ""
            takes = f"it takes {', '.join(_TAKES[tool])}"
            name = str(given)[:80]
            raise InvalidInputError(f"{tool} takes no {name!r}{hint}; {takes}", field=name)
        if name in named and named[name] != value:
            raise InvalidInputError(f"{name} is given twice, with two values; give it once", field=name)
        named[name] = value
    return named


@dataclass(frozen=True, slots=True)
class _Given:
    """The arguments of one call, each read as the kind it should be; an argument of null counts as left out."""

    tool: Tool
    values: Mapping[str, Any]

    def text(self, name: str) -> str:
        value = self.optional_text(name)
        if value is None:
            raise self._missing(name, "a text")
        return checked_text(value, name)

    def optional_text(self, name: str) -> str | None:
        value = self.values.get(name)
        if value is not None and not isinstance(value, str):
            raise self._wrong(name, value, "a text")
        return value

    def choice(self, kind: type[E], name: str) -> E:
        value = self.optional_choice(kind, name)
        if value is None:
            raise self._missing(name, f"one of {', '.join(kind)}")
        return value

    def optional_choice(self, kind: type[E], name: str) -> E | None:
        value = self.optional_text(name)
        return None if value is None else _member(kind, value, name)

    def choices(self, kind: type[E], name: str) -> tuple[E, ...]:
        """A list of words; one word alone, or a list written as JSON text, is taken for a list too."""
        value = self.values.get(name)
        if isinstance(value, str):
            value = _listed(value)
        if value is None:
            return ()
        if not isinstance(value, (list, tuple)) or not all(isinstance(word, str) for word in value):
            raise self._wrong(name, value, f"a list of words from {', '.join(kind)}")
        return tuple(dict.fromkeys(_member(kind, word, name) for word in value))

    def whole(self, name: str, default: int, *, most: int) -> int:
        value = self.values.get(name)
        if value is None:
            return default
        if not _is_number(value) or value != int(value):
            raise self._wrong(name, value, f"a whole number from 1 to {most}")
        if not 1 <= value <= most:
            raise InvalidInputError(f"{name} {value:g} is not between 1 and {most}; ask for {most} at most", field=name)
        return int(value)

    def share(self, name: str, default: float) -> float:
        value = self.values.get(name)
        if value is None:
            return default
        if not _is_number(value):
            raise self._wrong(name, value, "a number from 0 to 1")
        if not 0 <= value <= 1:
            raise InvalidInputError(f"{name} {value:g} is not between 0 and 1", field=name)
        return float(value)

    def yes_or_no(self, name: str) -> bool:
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(name, value, "true or false")
        return bool(value)

    def _missing(self, name: str, wanted: str) -> InvalidInputError:
        return InvalidInputError(f"{self.tool} needs {name}: {wanted}", field=name)

    def _wrong(self, name: str, value: Any, wanted: str) -> InvalidInputError:
        return InvalidInputError(f"{name} of {self.tool} must be {wanted}, not {_kind(value)}", field=name)


def _member(kind: type[E], word: str, name: str) -> E:
    """The member a word names, however it is capitalised or joined."""
    plain = word.strip().casefold().replace("-", "_").replace(" ", "_")
    if plain not in set(kind):
        raise InvalidInputError(f"no {name} {word[:80]!r}; choose one of {', '.join(kind)}", field=name)
    return kind(plain)


def _listed(text: str) -> Any:
    if text.lstrip().startswith("["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return [text]
    return [text] if text.strip() else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _kind(value: Any) -> str:
    """What a value is, as JSON calls it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return "a list"
        case _:
            return "an object"
