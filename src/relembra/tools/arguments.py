"""What an assistant asks of a tool, checked: a model's arguments become values, or an error that says what to mend."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, TypeVar

from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.policy import SearchPolicy
from relembra.domain.text import checked_name, checked_text, fold, is_blank
from relembra.errors import InvalidInputError
from relembra.locale import LANGUAGES, Words

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
    given = _Given(name, _named(name, _opened(name, arguments)), policy or SearchPolicy())
    return _REQUESTS[name](**{part: about.read(given, part) for part, about in _PARTS[name].items()})


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
        like = f'{{"{next(iter(_PARTS[tool]))}": …}}'
        raise InvalidInputError(
            f"the arguments of {tool} are a JSON object like {like}, not {_kind(arguments)}", field="arguments"
        )
    return arguments


def _named(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments under our names; an unknown one is refused with the nearest that exists."""
    named: dict[str, Any] = {}
    for given, value in arguments.items():
        name = _SNAKE.get(given, given)
        if name not in _PARTS[tool]:
            near = difflib.get_close_matches(str(given), _PARTS[tool], n=1)
            hint = f"; did you mean {near[0]!r}" if near else ""
            takes = f"it takes {', '.join(_PARTS[tool])}"
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
    policy: SearchPolicy

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

    def name(self, name: str) -> str | None:
        value = self.optional_text(name)
        return None if value is None else checked_name(value, name)

    def choice(self, kind: type[E], name: str, *, needed: bool = False) -> E | None:
        value = self.optional_text(name)
        if value is None and needed:
            raise self._missing(name, f"one of {', '.join(kind)}")
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

    def limit(self, name: str) -> int:
        value, most = self.values.get(name), self.policy.tool_limit
        if value is None:
            return self.policy.default_limit
        if not _is_number(value) or value != int(value):
            raise self._wrong(name, value, f"a whole number from 1 to {most}")
        if not 1 <= value <= most:
            raise InvalidInputError(f"{name} {value:g} is not between 1 and {most}; ask for {most} at most", field=name)
        return int(value)

    def confidence(self, name: str) -> float:
        value = self.values.get(name)
        if value is None:
            return DEFAULT_CONFIDENCE
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


Format = Literal["openai", "anthropic"]
FORMATS = ("openai", "anthropic")


def tools(
    format: Format = "openai", language: str = "en", *, policy: SearchPolicy | None = None
) -> list[dict[str, Any]]:
    """The tools as a provider wants them listed, described in a language."""
    if format not in FORMATS:
        raise InvalidInputError(f"no tool format {format!r}; choose one of {', '.join(FORMATS)}", field="format")
    if language not in LANGUAGES:
        raise InvalidInputError(f"no language {language!r}; choose one of {', '.join(LANGUAGES)}", field="language")
    listed = []
    for tool in Tool:
        described = {"name": tool.value, "description": Words(language, "tools")(tool.value)}
        parameters = schema(tool, language, policy=policy)
        if format == "anthropic":
            listed.append(described | {"input_schema": parameters})
        else:
            listed.append({"type": "function", "function": described | {"parameters": parameters}})
    return listed


def schema(tool: Tool, language: str = "en", *, policy: SearchPolicy | None = None) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    policy, words = policy or SearchPolicy(), Words(language, "tools")
    properties = {}
    for name, part in _PARTS[tool].items():
        numbers = {"maximum": policy.tool_limit, "default": policy.default_limit} if name == "limit" else {}
        properties[name] = {**part.schema, **numbers, "description": words(f"part.{part.sentence or name}")}
    required = [name for name, part in _PARTS[tool].items() if part.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class _Part:
    """One argument of a tool: how it is read, and how it is described."""

    read: Callable[[_Given, str], Any]
    schema: Mapping[str, Any]
    sentence: str = ""  # where it is not called as the argument
    required: bool = False


def _text(sentence: str = "") -> _Part:
    return _Part(_Given.text, {"type": "string", "minLength": 1}, sentence, required=True)


def _word(kind: type[StrEnum], sentence: str = "", *, required: bool = False) -> _Part:
    known = {"type": "string", "enum": [str(word) for word in kind]}
    return _Part(lambda given, name: given.choice(kind, name, needed=required), known, sentence, required)


_AREAS = {"type": "string", "enum": [str(area) for area in LifeArea]}
_REQUESTS: Mapping[Tool, Callable[..., Request]] = {
    Tool.SEARCH_KNOWLEDGE: SearchKnowledge,
    Tool.ADD_KNOWLEDGE: AddKnowledge,
    Tool.ANALYZE_CONTEXT: AnalyzeContext,
}
_PARTS: Mapping[Tool, Mapping[str, _Part]] = {
    Tool.SEARCH_KNOWLEDGE: {
        "query": _text(),
        "type": _word(KnowledgeType, "type_filter"),
        "area": _word(LifeArea, "area_filter"),
        "limit": _Part(_Given.limit, {"type": "integer", "minimum": 1}),
    },
    Tool.ADD_KNOWLEDGE: {
        "type": _word(KnowledgeType, required=True),
        "content": _text(),
        "area": _word(LifeArea),
        "sub_area": _Part(_Given.name, {"type": "string"}),
        "confidence": _Part(
            _Given.confidence, {"type": "number", "minimum": 0, "maximum": 1, "default": DEFAULT_CONFIDENCE}
        ),
    },
    Tool.ANALYZE_CONTEXT: {
        "current_topic": _text(),
        "related_areas": _Part(
            lambda given, name: given.choices(LifeArea, name), {"type": "array", "items": _AREAS}, required=True
        ),
        "look_for_contradictions": _Part(_Given.yes_or_no, {"type": "boolean", "default": False}),
    },
}


_COMMAND = re.compile(r"\s*/(?P<name>[^\W\d_]+)(?:@(?P<bot>[\w.\-]*\w))?[.,;:!?…]*(?:\s+(?P<rest>.*))?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it was typed. `bot`: the program it is meant for, where it says so."""

    name: str
    language: str
    rest: str
    bot: str | None

    def is_for(self, bot: str) -> bool:
        """Whether it may be meant for a program of this name."""
        return self.bot is None or fold(self.bot) == fold(bot.removeprefix("@"))


def typed(text: str, names: Mapping[str, tuple[str, str]]) -> Typed | None:
    """The command a text is, of those named; None for any other text."""
    found = _COMMAND.match(text)
    if found is None or (known := names.get(fold(found["name"]))) is None:
        return None
    rest = found["rest"] or ""
    return Typed(*known, "" if is_blank(rest) else rest.strip(), found["bot"])
