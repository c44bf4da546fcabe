"""What a server's answers mean: what was asked for, or which error of ours, and when to ask again."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from relembra.client.verbs import Json
from relembra.errors import (
    BusyError,
    ConflictError,
    InvalidInputError,
    MindError,
    NotFoundError,
    RefusedError,
    RelembraError,
    StaleError,
    StoreFullError,
    StoreUnavailableError,
    TooLongError,
)

__all__ = ["answer_of", "error_of", "out_of_reach", "retry_after"]


def answer_of(response: httpx.Response) -> Json:
    try:
        answer = response.json() if response.content else {}
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise RefusedError("the answer is no JSON object; is this the address of a Relembra server?", status=502)
    return answer


def out_of_reach(failure: Exception) -> StoreUnavailableError:
    return StoreUnavailableError(f"the server cannot be reached ({type(failure).__name__}); is it running?")


def error_of(response: httpx.Response) -> RelembraError:
    """The error of ours that an answer tells of."""
    try:
        said = response.json()
    except ValueError:
        said = None
    told: Json = said if isinstance(said, dict) else {}
    status = response.status_code
    detail = str(told.get("detail") or f"the server answered {status}")
    wait = retry_after(response)
    match status:
        case 400 | 413 | 422:
            return InvalidInputError(detail, field=told.get("field"))
        case 404:
            return _not_found(detail, response)
        case 409:
            return ConflictError(detail) if wait is None else BusyError(detail)
        case 412:
            return StaleError(detail)
        case 502:
            return MindError(detail)
        case 503:
            return StoreUnavailableError(detail, retry_after_seconds=wait)
        case 504:
            return TooLongError(detail)
        case 507:
            return StoreFullError(detail)
        case _:
            return RefusedError(detail, status=status, retry_after_seconds=wait)


def _not_found(detail: str, response: httpx.Response) -> NotFoundError:
    """In the server's own words."""
    parts = response.url.path.strip("/").split("/")
    error = NotFoundError(parts[1] if len(parts) > 1 else "page", parts[2] if len(parts) > 2 else "")
    error.args = (detail,)
    return error


def retry_after(response: httpx.Response) -> float | None:
    """Seconds to wait, from either form of the header."""
    header = response.headers.get("retry-after")
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
