"""What an assistant may ask of a tool, and what it answers: arguments checked, then short JSON values.

A wrong argument is an error that says what to mend; remembered text is data. Nothing is looked up here. The
caller passes in what was found, and only what may be heard where it is asked.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import Any, Literal

import msgspec

from relembra.domain.case import Case, Outcome
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Note
from relembra.domain.policy import SearchPolicy
from relembra.domain.text import bare_words, checked_name, checked_text, escaped, fold, quoted
from relembra.errors import InvalidInputError
from relembra.locale import LANGUAGES, Words
from relembra.recall.rendering import short_date, told
from relembra.views.profile import is_pattern, wording
from relembra.views.timeline import day_of

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

Format = Literal["openai", "anthropic", "plain"]
FORMATS = ("openai", "anthropic", "plain")
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
    """The tools as a provider wants them listed, described in a language.

    Providers refuse what they do not know, so that only the plain format says whether a call asks the person first.
    """
    if format not in FORMATS:
        raise InvalidInputError(f"no tool format {format!r}; choose one of {', '.join(FORMATS)}", field="format")
    if language not in LANGUAGES:
        raise InvalidInputError(f"no language {language!r}; choose one of {', '.join(LANGUAGES)}", field="language")
    listed = []
    for tool in Tool:
        described: dict[str, Any] = {"name": tool.value, "description": Words(language, "tools")(tool.value)}
        parameters = schema(tool, language)
        if format == "anthropic":
            listed.append(described | {"input_schema": parameters})
        elif format == "plain":  # none of the three needs it: what one adds can be undone
            listed.append(described | {"parameters": parameters, "requiresConfirmation": False})
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


_WORTH = {"link": 8, "person": 4, "tag": 3, "word": 2, "area": 1}
_SHORTEST_WORD = 4
_EXPLAINS = frozenset({KnowledgeType.EMOTION, KnowledgeType.INSIGHT, KnowledgeType.GOAL})


@dataclass(frozen=True, slots=True)
class Connection:
    """Two items that may belong together, and the words for why; a suggestion, not a finding."""

    between: tuple[str, str]
    why: str
    score: int


def connections(items: Sequence[KnowledgeItem], *, language: str, limit: int) -> list[Connection]:
    """The strongest of the pairs that share something, each pair once; equal ones in the order given."""
    distinct = list({item.id: item for item in items}.values())
    words_of = {
        item.id: telling_words(f"{item.value or ''} {item.content}") - telling_words(item.scope.user)
        for item in distinct
    }
    words, made = Words(language, "tools"), []
    for one, other in combinations(distinct, 2):
        shared = _shared(one, other, words_of[one.id] & words_of[other.id])
        if shared:
            why = "; ".join(words(f"why.{kind}", what=quoted(what)) for kind, what in shared)
            score = sum(_WORTH[kind] for kind, _ in shared)
            made.append(Connection((one.id, other.id), why, score))
    return sorted(made, key=lambda connection: -connection.score)[:limit]


def telling_words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, folded and without a plural's s."""
    words = [word for word in re.findall(r"[^\W\d_]+", fold(text)) if len(word) >= _SHORTEST_WORD]
    return frozenset(word.removesuffix("s") for word in words if word not in common_words())


@cache
def common_words() -> frozenset[str]:
    return frozenset(wording()["common_words"].split())


def _shared(one: KnowledgeItem, other: KnowledgeItem, words: frozenset[str]) -> list[tuple[str, str]]:
    """What two items share, the most telling first, as kind and name.

    An area alone counts only with a feeling, a pattern or a goal, which the other may explain.
    """
    shared: list[tuple[str, str]] = []
    if one.id in other.related or other.id in one.related:
        shared.append(("link", ""))
    people = _people(one, other)
    shared += [("person", name) for name in people]
    tags = {fold(tag): tag for tag in one.tags}
    shared += [("tag", tags[tag]) for tag in sorted(tags.keys() & {fold(tag) for tag in other.tags})]
    named = {word for name in people for word in telling_words(name)}
    shared += [("word", word) for word in sorted(words - named)[:2]]
    if one.area is not None and one.area is other.area and (shared or {one.type, other.type} & _EXPLAINS):
        shared.append(("area", one.area.value))
    return shared


def _people(one: KnowledgeItem, other: KnowledgeItem) -> list[str]:
    """The people one is about and the other is about too, or names."""
    found: dict[str, str] = {}
    for about, elsewhere in ((one, other), (other, one)):
        name = fold(about.subject)
        named = fold(elsewhere.subject) == name or re.search(rf"\b{re.escape(name)}\b", fold(elsewhere.content))
        if about.subject != SELF and named:
            found.setdefault(name, about.subject)
    return list(found.values())


MOST_PATTERNS = 5
MOST_CONNECTIONS = 5
MOST_CONTRADICTIONS = 5


def found(items: Sequence[KnowledgeItem], *, notes: Iterable[Note] = (), language: str = "en") -> dict[str, Any]:
    """The answer of search_knowledge: what was found, in the order given, and how many; a hint when it is nothing."""
    titles = _titles(notes)
    answer: dict[str, Any] = {"items": [_shown(item, titles, language) for item in items], "count": len(items)}
    return answer if items else answer | {"hint": Words(language, "tools")("nothing")}


def added(item: KnowledgeItem, *, replaced: Sequence[KnowledgeItem] = (), language: str = "en") -> dict[str, Any]:
    """The answer of add_knowledge: the item as it is kept now, and what it took the place of."""
    answer: dict[str, Any] = {"kept": _shown(item, {}, language)}
    if replaced:
        answer["replaced"] = [{"id": old.id, "content": escaped(old.content)} for old in replaced]
    return answer


def analyzed(
    asked: AnalyzeContext,
    related: Sequence[KnowledgeItem],
    *,
    known: Sequence[KnowledgeItem] = (),
    cases: Sequence[Case] = (),
    notes: Iterable[Note] = (),
    language: str = "en",
) -> dict[str, Any]:
    """The answer of analyze_context: what is related, patterns, connections, and contradictions only when asked for.

    `related`: found for the topic, best first; `known`: more items to find patterns and the sides of cases in. A case
    whose two sides are not both among these is left out, for its sides may not be heard here.
    """
    titles = _titles(notes)
    everything = {item.id: item for item in [*related, *known]}
    patterns = _patterns(asked, related, list(everything.values()))
    recurring = {item.id for item in patterns}
    plain = [item for item in related if item.id not in recurring]
    linked = connections([*plain, *patterns], language=language, limit=MOST_CONNECTIONS)
    answer: dict[str, Any] = {
        "related": [_shown(item, titles, language) for item in plain],
        "patterns": [_shown(item, titles, language) | {"observations": item.observations} for item in patterns],
    }
    if asked.look_for_contradictions:
        near = {item.id for item in related}
        answer["contradictions"] = _contradictions(cases, everything, near, language)
    answer["connections"] = [{"between": list(one.between), "why": one.why} for one in linked]
    return answer if everything else answer | {"hint": Words(language, "tools")("nothing")}


def failed(error: InvalidInputError) -> dict[str, Any]:
    """The answer to a call that cannot be done, worded so that the model can mend it."""
    return {"error": str(error), "field": error.field}


def _shown(item: KnowledgeItem, notes: Mapping[str, Note], language: str) -> dict[str, Any]:
    """An item as a model gets it; whom it is about, who claimed it, and that it is disputed, only where it matters."""
    note = None if item.note_id is None else notes.get(item.note_id)
    source = Words(language, "tools")(f"source.{item.source}")
    if note is not None:
        source = f"{quoted(note.title)}, {short_date(day_of(note.happened_at, item.zone), language)}"
    shown: dict[str, Any] = {
        "id": item.id,
        "type": item.type.value,
        "content": escaped(told(item, language)),
        "confidence": round(item.confidence, 2),
        "since": day_of(item.held_from, item.zone).date().isoformat(),
        "source": source,
    }
    if item.subject != SELF:
        shown["about"] = escaped(item.subject)
    if item.speaker is not None and fold(item.speaker) != fold(item.scope.user):
        shown["claimed_by"] = escaped(item.speaker)
    if item.needs_resolution:
        shown["disputed"] = True
    return shown


def _patterns(
    asked: AnalyzeContext, related: Sequence[KnowledgeItem], known: Sequence[KnowledgeItem]
) -> list[KnowledgeItem]:
    """Patterns that were found for the topic, touch an area asked for, or share a word with the topic."""
    near = {item.id for item in related}
    topic = telling_words(asked.current_topic)

    def concerns(item: KnowledgeItem) -> bool:
        by_word = bool(topic & telling_words(item.content))
        return item.id in near or item.area in asked.related_areas or by_word

    fitting = [item for item in known if is_pattern(item) and concerns(item)]
    ranked = sorted(fitting, key=lambda item: (item.id not in near, -item.observations * item.confidence, item.id))
    return ranked[:MOST_PATTERNS]


def _contradictions(
    cases: Sequence[Case], items: Mapping[str, KnowledgeItem], near: set[str], language: str
) -> list[dict[str, Any]]:
    """The open cases with both sides and a gentle question, those near the topic first and then the newest."""
    still_open = [
        case for case in cases if case.outcome is Outcome.OPEN and case.old_id in items and case.new_id in items
    ]
    still_open.sort(
        key=lambda case: (near.isdisjoint((case.old_id, case.new_id)), -case.opened_at.timestamp(), case.id)
    )
    near_first = still_open[:MOST_CONTRADICTIONS]
    return [contradiction(case, items[case.old_id], items[case.new_id], language) for case in near_first]


def contradiction(case: Case, old: KnowledgeItem, new: KnowledgeItem, language: str) -> dict[str, Any]:
    """A case with both its sides, and a gentle question about it."""
    words = Words(language, "tools")
    earlier, later = (escaped(bare_words(side.content)) for side in (old, new))
    return {
        "case": case.id,
        "earlier": {"id": case.old_id, "content": earlier},
        "later": {"id": case.new_id, "content": later},
        "why": words("disagree") if case.why.startswith("model p=") else case.why,
        "question": words("question", old=earlier, new=later),
    }


def _titles(notes: Iterable[Note]) -> dict[str, Note]:
    return {note.id: note for note in notes if note.deleted_at is None}
