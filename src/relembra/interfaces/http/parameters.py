"""What requests may say: a model for each verb, made from its signature, with stricter types where JSON needs them."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema, create_model
from pydantic_core import PydanticCustomError

from relembra.domain.access import Right
from relembra.domain.jobs import JobState, RunKind
from relembra.domain.knowledge import ItemState, KnowledgeType, LifeArea, Source
from relembra.domain.message import NoteKind
from relembra.domain.text import LONGEST_NAME
from relembra.domain.time import in_utc
from relembra.errors import InvalidInputError
from relembra.learn.drafts import DraftParts
from relembra.memory import Memory
from relembra.recall.query import NO_AREA
from relembra.store.port import ItemOrder, Kind
from relembra.verbs import VERBS, Verb, described

LARGEST_PAGE = 1_000
LARGEST_LIMIT = 100
LARGEST_BUDGET = 1_000_000
LARGEST_NUMBER = 2**53 - 1
MOST_DRAFTS = 1_000
AREAS = (*(area.value for area in LifeArea), NO_AREA)
NEVER_ASKED = frozenset({"self", "tenant", "version", "progress"})  # said by the key, a header, or not at all


def _moment(given: object) -> datetime:
    """A moment as people write it; numbers are refused, since seconds and milliseconds look alike."""
    try:
        moment = datetime.fromisoformat(given) if isinstance(given, str) else None
    except ValueError:
        moment = None
    if moment is None:
        raise PydanticCustomError("moment", "not a moment; write it like 2026-03-01T10:00:00-03:00")
    try:
        in_utc(moment, "it")
    except InvalidInputError as error:
        raise PydanticCustomError("moment", "{said}", {"said": str(error)}) from None
    return moment


def _day(given: object) -> date:
    try:
        if isinstance(given, str):
            return date.fromisoformat(given)
    except ValueError:
        pass
    raise PydanticCustomError("day", "not a day; write it like 2026-03-01")


def _area(given: object) -> str:
    if isinstance(given, str) and given in AREAS:
        return given
    raise PydanticCustomError("area", "not an area of life; choose one of {areas}", {"areas": ", ".join(AREAS)})


Kept = StrEnum("Kept", "NEW OLD BOTH NEITHER")
Period = StrEnum("Period", "WEEKLY MONTHLY")
Stride = StrEnum("Stride", "DAY WEEK MONTH")
ToolFormat = StrEnum("ToolFormat", "OPENAI ANTHROPIC")


class Format(StrEnum):
    JSONL = "jsonl"
    JSON = "json"
    MARKDOWN = "markdown"
    NOTES = "notes"


def _choice(kind: type[StrEnum]) -> Any:
    """One of the words of an enum; bodies are strict otherwise, and JSON has no enums."""
    return Annotated[kind, Field(strict=False)]


def _whole(least: int, most: int | None = None) -> Any:
    return Annotated[int, Field(ge=least, le=most)]


Moment = Annotated[
    datetime,
    PlainValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-03-01T10:00:00-03:00"]}),
]
Day = Annotated[
    date, PlainValidator(_day), WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-03-01"]})
]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Share = Annotated[float, Field(ge=0, le=1)]
WantedArea = Annotated[str, PlainValidator(_area), WithJsonSchema({"type": "string", "enum": [*AREAS]})]


class Asked(BaseModel):
    """What a request may say; a word it does not know is refused, since it may be a mistyped one."""

    model_config = ConfigDict(extra="forbid")


class Body(Asked):
    """The same in a body, where values say their types; in addresses they cannot."""

    model_config = ConfigDict(strict=True)


TYPES: dict[str, Any] = {
    "user": Name,
    "space": Name,
    "channel": Name,
    "person": Name,
    "language": Annotated[str, Field(pattern="^(en|pt)$")],
    "limit": _whole(1, LARGEST_PAGE),
    "budget": _whole(0, LARGEST_BUDGET),
    "type": list[_choice(KnowledgeType)],  # type: ignore[misc]
    "area": list[WantedArea],
    "source": list[_choice(Source)],  # type: ignore[misc]
    "only": _choice(ItemState),
    "kinds": list[_choice(Kind)],  # type: ignore[misc]
    "confidence": Share,
    "below": Share,
    "weight": Share,
    "priority": _whole(1, 10),
    "state": _choice(JobState),
    "order": _choice(ItemOrder),
    "keep": _choice(Kept),
    "right": _choice(Right),
    "step": _choice(Stride),
    "messages": list[dict[str, Any]],
    "metadata": dict[str, str],
    "arguments": dict[str, Any] | str,
    "raw": bool,
    "every_tenant": bool,
    "add.type": _choice(KnowledgeType),
    "add.area": _choice(LifeArea),
    "add.source": _choice(Source),
    "consolidations.kind": list[_choice(RunKind)],  # type: ignore[misc]
    "export.format": _choice(Format),
    "jobs.kind": list[str],
    "notes.kind": list[_choice(NoteKind)],  # type: ignore[misc]
    "recall.limit": _whole(1, LARGEST_LIMIT),
    "related.limit": _whole(1, LARGEST_LIMIT),
    "report.kind": _choice(Period),
    "search.limit": _whole(1, LARGEST_LIMIT),
    "tools.format": _choice(ToolFormat),
    "watch.after": _whole(0, LARGEST_NUMBER),
    "why.limit": _whole(0),
}
"""What a parameter must be, where its type in the signature says too little: under its name or `verb.name`."""


class _Names(dict[str, Any]):
    """Names for annotations; what only type checkers import is anything."""

    def __missing__(self, name: str) -> Any:
        return Any


def hints_of(verb: Verb, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The types of a verb's parameters and of what it returns."""
    method = getattr(Memory, verb.name)
    names = inspect.unwrap(method).__globals__
    return get_type_hints(method, localns=_Names({**vars(builtins), **names, **(known or {})}))


def doc_of(verb: Verb) -> str:
    return inspect.getdoc(getattr(Memory, verb.name)) or ""


def is_versioned(verb: Verb) -> bool:
    """Whether a request can say which version of an item is meant."""
    return "version" in inspect.signature(getattr(Memory, verb.name)).parameters


def parameters_of(verb: Verb) -> Iterator[tuple[str, Any, bool]]:
    """Name, type and whether it is needed, of everything a caller may say to a verb."""
    hints = hints_of(verb)
    for name, part in inspect.signature(getattr(Memory, verb.name)).parameters.items():
        if part.kind is inspect.Parameter.VAR_KEYWORD:
            yield from ((each, hint, False) for each, hint in get_type_hints(get_args(hints[name])[0]).items())
        elif name not in NEVER_ASKED and name not in verb.hidden:
            needed = (
                part.default is inspect.Parameter.empty and name != "user" and type(None) not in get_args(hints[name])
            )
            yield name, hints[name], needed
    yield from ((name, TYPES.get(name), False) for name in verb.extra)


def path_of(verb: Verb) -> dict[str, Any]:
    """The parameters in a verb's path."""
    names = [part.strip("{}").partition(":")[0] for part in verb.path.split("/") if part.startswith("{")]
    return {name: Annotated[str, Path(description=described(verb, name))] for name in names}


def request_model(verb: Verb) -> type[Asked] | None:
    """What a request for a verb may say beside its path; None: nothing."""
    path = path_of(verb)
    fields: dict[str, Any] = {
        name: _field(verb, name, *rest) for name, *rest in parameters_of(verb) if name not in path
    }
    if not fields:
        return None
    name = pascal(verb.name) + ("Body" if verb.has_body else "Query")
    made: type[Asked] = create_model(name, __base__=Body if verb.has_body else Asked, **fields)
    if verb.has_body:
        made.model_config["json_schema_extra"] = {"examples": [dict(one) for one in verb.examples]}
        made.model_rebuild(force=True)
    return made


def pascal(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _field(verb: Verb, name: str, hint: Any, needed: bool) -> tuple[Any, Any]:
    kind = TYPES.get(f"{verb.name}.{name}") or TYPES.get(name) or _kind_of(hint)
    more: dict[str, Any] = {"fail_fast": True} if get_origin(kind) is list else {}
    field = Field(... if needed else None, description=described(verb, name) or None, **more)
    return (kind if needed else kind | None, field)


def _kind_of(hint: Any) -> Any:
    """A parameter's type in JSON: a list for whatever can be gone through, and moments with their offset."""
    kinds = [one for one in get_args(hint) if one is not type(None)] if _is_union(hint) else [hint]
    for one in kinds:
        if get_origin(one) is not None and issubclass(get_origin(one), Iterable):
            return list[str]
    return {datetime: Moment, date: Day}.get(kinds[0], kinds[0])


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, UnionType)


_DRAFT: dict[str, Any] = {"content": (str, Field(description=described(VERBS["add"], "content")))} | {
    name: _field(VERBS["add"], name, hint, False) for name, hint in get_type_hints(DraftParts).items()
}
TYPES["drafts"] = Annotated[
    list[create_model("Draft", __base__=Body, **_DRAFT)],  # type: ignore[misc]
    Field(min_length=1, max_length=MOST_DRAFTS, fail_fast=True),
]
