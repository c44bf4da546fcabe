"""What requests may say and what answers hold, a model for each verb made from its signature; and the document.

Answers are not turned into the models; tests hold every answer against them.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from enum import StrEnum
from functools import cache, partial, reduce
from http import HTTPStatus
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from fastapi import Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema, create_model
from pydantic_core import PydanticCustomError
from starlette.datastructures import URL

from relembra.contexts import Trace
from relembra.domain.access import Block, Key, Link, NewKey, Right, SpaceState
from relembra.domain.audit import AuditEntry
from relembra.domain.case import Case
from relembra.domain.jobs import JobState, RunKind
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, SavedKind
from relembra.domain.text import LONGEST_NAME
from relembra.domain.time import in_utc
from relembra.errors import InvalidInputError, StaleError
from relembra.interfaces.http.problems import PROBLEM
from relembra.interfaces.shapes import SHAPES, shape_of, wire
from relembra.items import Told
from relembra.learn.drafts import DraftParts
from relembra.learn.rollback import Left, RolledBack
from relembra.lessons import Forecast, Foreseen
from relembra.memory import History, Memory, Saved
from relembra.night.gardener import GardenAction
from relembra.recall.assembly import MemoryContext
from relembra.recall.query import NO_AREA, Listing, Recall
from relembra.recall.ranking import Hit, NoteHit
from relembra.store.port import ItemOrder, Kind, Stats, Use, Verification
from relembra.transfer.imports import Imported
from relembra.verbs import VERBS, Verb, described
from relembra.views.memory import UserMemory
from relembra.views.profile import Trait
from relembra.views.timeline import Counts, Moment, OverTime, Step

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
ToolFormat = StrEnum("ToolFormat", "OPENAI ANTHROPIC PLAIN")


class Format(StrEnum):
    JSONL = "jsonl"
    JSON = "json"
    MARKDOWN = "markdown"
    NOTES = "notes"
    VAULT = "vault"
    MEM0 = "mem0"
    CSV = "csv"


def _choice(kind: type[StrEnum]) -> Any:
    """One of the words of an enum; bodies are strict otherwise, and JSON has no enums."""
    return Annotated[kind, Field(strict=False)]


def _whole(least: int, most: int | None = None) -> Any:
    return Annotated[int, Field(ge=least, le=most)]


When = Annotated[
    datetime,
    PlainValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-03-01T10:00:00-03:00"]}),
]
Day = Annotated[
    date, PlainValidator(_day), WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-03-01"]})
]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Fraction = Annotated[float, Field(ge=0, le=1)]
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
    "confidence": Fraction,
    "below": Fraction,
    "weight": Fraction,
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
    "save.kind": _choice(SavedKind),
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
    is_union = get_origin(hint) in (Union, UnionType)
    kinds = [one for one in get_args(hint) if one is not type(None)] if is_union else [hint]
    for one in kinds:
        if get_origin(one) is not None and issubclass(get_origin(one), Iterable):
            return list[str]
    return {datetime: When, date: Day}.get(kinds[0], kinds[0])


_DRAFT: dict[str, Any] = {"content": (str, Field(description=described(VERBS["add"], "content")))} | {
    name: _field(VERBS["add"], name, hint, False) for name, hint in get_type_hints(DraftParts).items()
}
TYPES["drafts"] = Annotated[
    list[create_model("Draft", __base__=Body, **_DRAFT)],  # type: ignore[misc]
    Field(min_length=1, max_length=MOST_DRAFTS, fail_fast=True),
]


# ── what answers hold ─────────────────────────────────────────────────────────────────────────────────────────────────


class Problem(BaseModel):
    """What was wrong and what to do (RFC 9457)."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no item 'x' here"}]
        }
    )

    type: str = Field(description="about:blank; the status says which kind it is.")
    title: str
    status: int
    detail: str = Field(description="What was wrong and what to do.")
    field: str | None = Field(None, description="Which part of the request it is about.")
    errors: list[dict[str, str]] | None = Field(None, description="Everything that does not fit the document.")


NAMES: dict[type, str] = {
    AuditEntry: "Entry", Forecast: "Preview", Imported: "TakenIn", KnowledgeItem: "Item", MemoryContext: "Context",
    Recall: "Recalled", SpaceState: "Space", Told: "Event", UserMemory: "Me", Verification: "Verified",
}  # fmt: skip
"""Of values that the document calls something else."""
KNOWN = {
    *SHAPES, *NAMES, Block, Case, Conversation, Counts, Foreseen, GardenAction, History, Hit, Key, Left, Link, Message,
    Moment, NewKey, Note, NoteHit, OverTime, RolledBack, Saved, Stats, Step, Trace, Trait, Use,
}  # fmt: skip
"""What answers are made of, each with a model of its own; smaller values are described where they stand."""


def record(name: str, doc: str, /, **parts: Any) -> type[BaseModel]:
    """A shape of named parts, all of them always there."""
    fields: dict[str, Any] = {part: (_model(kind), ...) for part, kind in parts.items()}
    return create_model(name, __doc__=doc, __base__=BaseModel, **fields)


@cache
def model_of(kind: type) -> type[BaseModel]:
    """The model of a value as `shapes.wire` gives it."""
    known = get_type_hints(kind)
    shape, shown = shape_of(kind)
    parts: dict[str, Any] = {}
    for name in shown:
        spread = model_of(known[name]).model_fields if name in shape.flat else {}
        parts |= {one: (field.annotation, field) for one, field in spread.items()}
        parts |= {} if spread else {name: (_model(known[name]), ...)}
    parts |= {name: (_model(of), ...) for name, (of, _) in shape.parts.items()}
    parts |= {name: (_model(of), None) for name, (of, _) in shape.optional.items()}
    return create_model(NAMES.get(kind, kind.__name__), __doc__=str(kind.__doc__), **parts)


def _model(hint: Any) -> Any:
    """The type of a part, with the models of the values in it."""
    if isinstance(hint, type) and hint in KNOWN:
        return model_of(hint)
    args = [_model(one) for one in get_args(hint)]
    origin = get_origin(hint)
    if origin in (list, Iterable) or (origin is tuple and args[-1] is Ellipsis):
        return _list(args[0])
    if origin is Mapping:
        return dict[str, args[1]]  # type: ignore[valid-type]
    return reduce(or_, args) if origin in (Union, UnionType) else hint


def _list(model: Any) -> Any:
    return list[model]


Short = record("Short", "Id, type, content, weight, and since when.", i=str, t=str, c=str, w=float, d=str)
ToolAnswer = create_model(
    "ToolAnswer", __config__=ConfigDict(extra="allow"), __doc__="What the tool answers, for the model that called it."
)


def answer_model(verb: Verb) -> Any:
    """What a verb answers: lists under `items` or the verb's key, pages with where the next begins."""
    hint = hints_of(verb, {kind.__name__: kind for kind in KNOWN})["return"]
    kind, args = get_origin(hint), [one for one in get_args(hint) if one is not type(None)]
    inner = _model(args[0] if args else hint)
    named = partial(record, pascal(verb.name), summary_of(doc_of(verb)))
    if kind is Listing:
        return named(items=_list(inner), next=str | None)
    if kind is list:
        row = Short if verb.name == "minified" else inner
        return named(**{verb.key or "items": _list(row)})
    if kind is dict:
        return ToolAnswer
    return named(**{verb.key: inner if kind is None else inner | None}) if verb.key else inner


def summary_of(text: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(text.strip().partition("\n\n")[0].split())


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def answered(data: Any, status: int = 200, **headers: str) -> Response:
    """Values as JSON."""
    return Response(msgspec.json.encode(data), status, headers=headers, media_type="application/json")


def answer(verb: Verb, request: Request, value: Any) -> Response:
    """What a verb returned: an item with its version, a page with a link to the next."""
    headers: dict[str, str] = {}
    if isinstance(value, KnowledgeItem):
        headers["ETag"] = f'"{value.version}"'
        if verb.status == HTTPStatus.CREATED:
            headers["Location"] = f"/v1/knowledge/{value.id}"
    elif isinstance(value, Listing) and value.next is not None:
        there = URL(scope=request.scope).include_query_params(after=value.next)
        headers["Link"] = f'<{there.path}?{there.query}>; rel="next"'
    data = wire(value)
    if verb.key or isinstance(data, list):
        data = {verb.key or "items": data}
    return answered(data, verb.status, **headers)


def expected_version(request: Request) -> int | None:
    """The version `If-Match` names, None where any will do."""
    given = request.headers.get("if-match", "*").strip()
    if given == "*":
        return None
    number = given.strip('"')
    if not number.isdecimal() or len(number) > 12:
        raise StaleError("If-Match names no version a reading gave; read it and decide again")
    return int(number)


# ── the document ──────────────────────────────────────────────────────────────────────────────────────────────────────

Responses = dict[int | str, dict[str, Any]]

ANYWHERE = (401, 403, 404, 409, 422, 429)
WITH_A_BODY = (400, 413, 415)
WITH_A_VERSION = 412
BEARER = "key"
IDEMPOTENCY_KEY = "Idempotency-Key"
READ_ONLY = frozenset({"GET", "HEAD", "OPTIONS"})
TEXT = {"type": "string"}
BYTES = {"type": "string", "format": "binary"}
PROBLEMS = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
TAG = {"ETag": {"description": "The version of the item, for If-Match.", "schema": TEXT}}
PLACE = {"Location": {"description": "Where it is.", "schema": TEXT}}
NEXT = {"Link": {"description": 'The next page, as rel="next"; none on the last.', "schema": TEXT}}


def header(name: str, description: str, kind: dict[str, Any] = TEXT, **more: Any) -> dict[str, Any]:
    """A header an operation takes."""
    schema = kind | {"title": name}
    return {"name": name, "in": "header", "required": False, "schema": schema, "description": description, **more}


IF_MATCH = header("If-Match", "The ETag you read; where the item has changed since, the answer is 412.", example='"3"')
ONCE_SAID = "A word of yours for this write; sent again with it, it is done once and answered the same."
WORD = {"maxLength": 200, "minLength": 1, "type": "string"}
ONCE = header(
    IDEMPOTENCY_KEY,
    ONCE_SAID,
    {"anyOf": [WORD, {"type": "null"}], "description": ONCE_SAID, "examples": ["2026-03-01-0001"]},
)


def documented(verb: Verb, model: Any) -> Responses:
    """What an operation answers when all is well."""
    is_item = model is model_of(KnowledgeItem)
    headers = (TAG if is_item else {}) | (PLACE if is_item and verb.status == HTTPStatus.CREATED else {})
    headers |= NEXT if "next" in model.model_fields else {}
    said = {"model": model, "description": summary_of(model.__doc__ or "") or "Done"}
    return {verb.status: said | ({"headers": headers} if headers else {})}


def binary(description: str, *media: str) -> Responses:
    """What an operation answers that gives a file."""
    content = {kind: {"schema": {"type": "object"} if kind == "application/json" else BYTES} for kind in media}
    return {200: {"description": description, "content": content}}


def takes(description: str, *media: str) -> dict[str, Any]:
    """What an operation takes whose body is a file."""
    content = {kind: {"schema": BYTES} for kind in media}
    return {"requestBody": {"required": True, "description": description, "content": content}}


def completed(made: dict[str, Any]) -> dict[str, Any]:
    """The document with problems, keys and the headers every operation takes."""
    components = made.setdefault("components", {})
    schemas: dict[str, Any] = components.setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    said = "A key (rlb_…) or a token of your identity provider."
    components["securitySchemes"] = {BEARER: {"type": "http", "scheme": "bearer", "description": said}}
    for path, operation in [(path, one) for path, operations in made["paths"].items() for one in operations.values()]:
        text = operation.pop("description", "")
        if first := summary_of(text):
            operation["summary"] = first.rstrip(".")
        if rest := text.strip().partition("\n\n")[2]:
            operation["description"] = rest
        answers: dict[str, Any] = operation["responses"]
        if not path.startswith("/v1/"):
            answers.pop("422", None)
            continue
        operation["security"] = [{BEARER: []}, {}]
        conditional = any(one.get("name") == "If-Match" for one in operation.get("parameters", ()))
        statuses = [*ANYWHERE, *((WITH_A_VERSION,) if conditional else ())]
        statuses += WITH_A_BODY if "requestBody" in operation else ()
        for status in statuses:
            answers[str(status)] = {"description": HTTPStatus(status).phrase, "content": PROBLEMS}
        answers["default"] = {"description": "Whatever else went wrong", "content": PROBLEMS}
        operation["responses"] = dict(sorted(answers.items()))
    return made
