"""Errors as problem+json (RFC 9457): what was wrong and what to do; translated here and nowhere else."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from relembra.errors import (
    BusyError,
    ConflictError,
    InvalidInputError,
    MindError,
    MindUnavailableError,
    MissingExtraError,
    NotFoundError,
    RelembraError,
    StaleError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
    TooLongError,
    UpstreamError,
)

log = logging.getLogger(__name__)

PROBLEM = "application/problem+json"
BUSY_SECONDS = 1.0
MOST_SHOWN = 20
PLAIN_ROUTES = ("/mcp", "/openapi.json")  # the framework does not say that these were taken
NO_JSON = "the body is no JSON; check quotes, commas and the encoding, which is UTF-8"
UNREAD = "There was an error parsing the body"  # FastAPI's words for it
LONGEST_FIELD = 200
LONGEST_DETAIL = 2_000  # it may quote what was sent


class RequestError(RelembraError):
    """A request that is turned away before any verb is called."""

    def __init__(
        self, message: str, status: int = HTTPStatus.BAD_REQUEST, *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = dict(headers or {})


class UnauthorizedError(RequestError):
    """The request does not say who is asking, or not so that it can be believed."""

    def __init__(self, message: str) -> None:
        super().__init__(message, HTTPStatus.UNAUTHORIZED, headers={"WWW-Authenticate": "Bearer"})


class ForbiddenError(RequestError):
    """The caller may not do this."""

    def __init__(self, message: str) -> None:
        super().__init__(message, HTTPStatus.FORBIDDEN)


class TooManyError(RequestError):
    """Too many requests with one key, or too many wrong keys from one address."""

    def __init__(self, message: str, *, retry_after_seconds: float, status: int = HTTPStatus.TOO_MANY_REQUESTS) -> None:
        super().__init__(message, status, headers={"Retry-After": _seconds(retry_after_seconds)})


# While a body is read only HTTPException passes through the framework.


def too_large(most: int) -> HTTPException:
    detail = f"at most {most:,} bytes are taken in one request; send it in parts"
    return HTTPException(413, detail, headers={"Connection": "close"})


def too_many_values(most: int) -> HTTPException:
    return HTTPException(413, f"at most {most:,} values and names are taken in one request; send it in parts")


def too_slow(seconds: float) -> HTTPException:
    detail = f"the request did not arrive within {seconds:g} seconds; send it again"
    return HTTPException(408, detail, headers={"Connection": "close"})


STATUS: tuple[tuple[type[RelembraError], HTTPStatus], ...] = (
    (InvalidInputError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (NotFoundError, HTTPStatus.NOT_FOUND),
    (ConflictError, HTTPStatus.CONFLICT),
    (StoreUnavailableError, HTTPStatus.SERVICE_UNAVAILABLE),
    (StoreFullError, HTTPStatus.INSUFFICIENT_STORAGE),
    (StoreReadOnlyError, HTTPStatus.FORBIDDEN),
    (StoreError, HTTPStatus.INTERNAL_SERVER_ERROR),
    (MindUnavailableError, HTTPStatus.SERVICE_UNAVAILABLE),
    (MindError, HTTPStatus.BAD_GATEWAY),
    (UpstreamError, HTTPStatus.BAD_GATEWAY),
    (TooLongError, HTTPStatus.GATEWAY_TIMEOUT),
    (MissingExtraError, HTTPStatus.NOT_IMPLEMENTED),
)
"""The first that fits."""


OWN_AFFAIR = {
    HTTPStatus.SERVICE_UNAVAILABLE: "the memory is out of reach; try again in a moment, or see the log of the server",
    HTTPStatus.INTERNAL_SERVER_ERROR: "the memory could not do it; the log of the server says why",
}
"""What of a store's trouble callers are told: where it lies is for the log."""


def problem(status: int, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    """One answer that says what was wrong."""
    title = HTTPStatus(status).phrase if status in list(HTTPStatus) else "Error"
    body = {"type": "about:blank", "title": title, "status": status, "detail": _sendable(detail[:LONGEST_DETAIL])}
    body |= {name: part for name, part in more.items() if part is not None}
    return Response(msgspec.json.encode(body), status, headers=dict(headers or {}), media_type=PROBLEM)


def _sendable(text: str) -> str:
    """Text that can be sent as UTF-8, whatever half characters it quotes."""
    return text.encode("utf-8", "replace").decode()


def _seconds(wait: float) -> str:
    return str(max(1, math.ceil(wait)))


def problem_of(error: RelembraError, *, conditional: bool = False) -> Response:
    """The answer to an error of ours; `conditional`: the request named the version it expected."""
    if isinstance(error, RequestError):
        return problem(error.status, str(error), headers=error.headers)
    status = next((status for kind, status in STATUS if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR)
    if isinstance(error, StaleError) and conditional:
        status = HTTPStatus.PRECONDITION_FAILED
    wait = BUSY_SECONDS if isinstance(error, BusyError) else getattr(error, "retry_after_seconds", None)
    again = error.retry_after if isinstance(error, UpstreamError) else None if wait is None else _seconds(wait)
    field: str | None = getattr(error, "field", None)
    headers = {} if again is None else {"Retry-After": again}
    said = OWN_AFFAIR.get(status, str(error)) if isinstance(error, StoreError) else str(error)
    return problem(status, said, headers=headers, field=field and _sendable(field[:LONGEST_FIELD]))


async def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, RelembraError)
    if isinstance(error, StoreError):
        log.warning("%s %s: %s: %s", request.method, route_of(request.scope), type(error).__name__, error)
    return problem_of(error, conditional="if-match" in request.headers)


async def _invalid(_: Request, error: Exception) -> Response:
    """What does not fit the document; the value itself is not sent back, since it may be private."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()[:MOST_SHOWN]
    wrong = [{"field": _field(one["loc"]), "detail": _sendable(str(one["msg"]))} for one in found]
    first = wrong[0] if wrong else {"field": "body", "detail": "not understood"}
    if found and found[0]["type"] == "json_invalid":
        return problem(400, NO_JSON)
    said = f"{first['field']}: {first['detail']}"
    return problem(422, f"{said}; /docs shows what is taken", field=first["field"], errors=wrong)


def _field(place: tuple[Any, ...]) -> str:
    """Where it was, shortened: names may be anything."""
    named = ".".join(str(part) for part in place if part not in ("body", "query", "path", "header"))
    return _sendable(named[:LONGEST_FIELD]) or "body"


async def http_problem(_: Request, error: Exception) -> Response:
    """What the framework turns away, or a body that is too long or too slow."""
    assert isinstance(error, HTTPException)
    said = {404: "there is nothing at this address; /docs lists what there is", 405: "this address takes other methods"}
    if error.detail == UNREAD:
        return problem(400, NO_JSON)
    plain = HTTPStatus(error.status_code).phrase  # what the framework says by itself
    detail = said.get(error.status_code, error.detail) if error.detail in (plain, None, "") else error.detail
    return problem(error.status_code, str(detail), headers=error.headers)


def unforeseen(scope: Mapping[str, Any], error: Exception) -> Response:
    """A mistake of ours, reported without what it was about, which may be remembered text."""
    log.error("%s %s failed: %s", scope["method"], route_of(scope), type(error).__name__, exc_info=_bare(error))
    return problem(500, "something went wrong here that should not; the log of the server says where")


def _bare(error: Exception) -> tuple[type[BaseException], BaseException, Any]:
    """Where it went wrong, without the message of the error, which may quote what a user said."""
    return RuntimeError, RuntimeError(type(error).__name__), error.__traceback__


def route_of(scope: Mapping[str, Any]) -> str:
    """The pattern of the address, without the ids in it."""
    plain = scope["path"] if scope["path"] in PLAIN_ROUTES else "unknown"
    return str(getattr(scope.get("route"), "path", plain))


def handle(app: FastAPI) -> None:
    """Have every error we foresee answered as a problem; the others are the guard's."""
    app.add_exception_handler(RelembraError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, http_problem)
