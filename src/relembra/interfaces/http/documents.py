"""The OpenAPI document: one name for each operation, what it answers, and what may go wrong."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel

from relembra.interfaces.http.bodies import Strict
from relembra.interfaces.http.idempotency import READ_ONLY, Idempotent
from relembra.interfaces.http.problems import PROBLEM
from relembra.interfaces.http.schemas import Problem

ANYWHERE = (401, 403, 404, 409, 422, 429)
WITH_A_BODY = (400, 413, 415)
WITH_A_VERSION = 412
BEARER = "key"
IDEMPOTENCY_KEY = "Idempotency-Key"
IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "title": "If-Match"},
    "description": "The ETag you read; where the item has changed since, nothing is done and the answer is 412.",
    "example": '"3"',
}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "title": "If-None-Match"},
    "description": "The ETag you have; where it is still that one, the answer is 304 without a body.",
    "example": '"3"',
}
PROBLEMS = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
TAG = {"ETag": {"description": "The version of the item, for If-Match.", "schema": {"type": "string"}}}
PLACE = {"Location": {"description": "Where it is.", "schema": {"type": "string"}}}
NEXT = {"Link": {"description": 'The page behind, as rel="next"; none on the last.', "schema": {"type": "string"}}}

Responses = dict[int | str, dict[str, Any]]


def group(tag: str, *, once: bool = True) -> APIRouter:
    """A group of routes under /v1. `once`: whether its writes may be sent twice under an Idempotency-Key."""
    return APIRouter(
        prefix="/v1",
        route_class=Idempotent if once else Strict,
        tags=[tag],
        dependencies=[Depends(_keyed)] if once else [],
        generate_unique_id_function=operation_of,
    )


async def _keyed(
    key: Annotated[
        str | None,
        Header(
            alias=IDEMPOTENCY_KEY,
            min_length=1,
            max_length=200,
            description="A word of yours for this write; sent again with it, it is done once and answered the same.",
            examples=["2026-03-01-0001"],
        ),
    ] = None,
) -> None:
    """Only for the document: the route itself looks at it before anything else."""


def operation_of(route: APIRoute) -> str:
    """The verb's name, which is the function's."""
    return route.name.rstrip("_")


def told(model: type[BaseModel], status: int = 200, *, tagged: bool = False, paged: bool = False) -> Responses:
    """What an operation answers when all is well."""
    made = tagged and status == HTTPStatus.CREATED
    headers = {**(TAG if tagged else {}), **(PLACE if made else {}), **(NEXT if paged else {})}
    said: dict[str, Any] = {"model": model, "description": summary_of(model.__doc__ or "") or "Done"}
    return {status: said | ({"headers": headers} if headers else {})}


def summary_of(text: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(text.strip().partition("\n\n")[0].split())


def describe(app: FastAPI) -> None:
    """Have the application give the document, made once."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = completed(
                get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            )
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # how FastAPI wants it replaced


def completed(made: dict[str, Any]) -> dict[str, Any]:
    """The document with problems, keys and the headers every operation takes."""
    components = made.setdefault("components", {})
    schemas: dict[str, Any] = components.setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    components["securitySchemes"] = {
        BEARER: {
            "type": "http",
            "scheme": "bearer",
            "description": "A key (rlb_…) or a token of your identity provider.",
        }
    }
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            _complete(operation, method.upper(), is_ours=path.startswith("/v1/"))
    return made


def _complete(operation: dict[str, Any], method: str, *, is_ours: bool) -> None:
    text = operation.get("description", "")
    if first := summary_of(text):
        operation["summary"] = first.rstrip(".")
        rest = text.strip().partition("\n\n")[2]
        operation.pop("description")
        if rest:
            operation["description"] = rest
    answers: dict[str, Any] = operation["responses"]
    if not is_ours:
        answers.pop("422", None)
        return
    operation["security"] = [{BEARER: []}, {}]
    conditional = any(one.get("name") == "If-Match" for one in operation.get("parameters", ()))
    statuses = [*ANYWHERE, *((WITH_A_VERSION,) if conditional else ())]
    statuses += WITH_A_BODY if "requestBody" in operation else ()
    for status in statuses:
        answers[str(status)] = {"description": HTTPStatus(status).phrase, "content": PROBLEMS}
    answers["default"] = {"description": "Whatever else went wrong", "content": PROBLEMS}
    operation["responses"] = dict(sorted(answers.items()))
    if method in READ_ONLY:
        kept = [one for one in operation.get("parameters", ()) if one.get("name") != IDEMPOTENCY_KEY]
        operation.pop("parameters", None)
        if kept:
            operation["parameters"] = kept


ITEM_CHANGE: dict[str, Any] = {"parameters": [IF_MATCH]}
ITEM_READ: dict[str, Any] = {"parameters": [IF_NONE_MATCH]}
NOT_CHANGED: Responses = {304: {"description": "It is still the version you have.", "headers": TAG}}
