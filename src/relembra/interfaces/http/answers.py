"""What routes answer with: JSON of the shapes every door shares, and the version an editor has to name."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import Request, Response
from starlette.datastructures import URL

from relembra.domain.knowledge import KnowledgeItem
from relembra.errors import StaleError
from relembra.interfaces import shapes
from relembra.recall.asked import Listing


def answered(data: Any, status: int = 200, **headers: str) -> Response:
    """Values as JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(msgspec.json.encode(data), status, headers=named, media_type="application/json")


def item_answer(item: KnowledgeItem, status: int = 200) -> Response:
    """An item with the tag that says which version of it this is."""
    where = {"Location": f"/v1/knowledge/{item.id}"} if status == HTTPStatus.CREATED else {}
    return answered(shapes.flat(item), status, ETag=f'"{item.version}"', **where)


def is_known(request: Request, item: KnowledgeItem) -> Response | None:
    """The short answer to whoever has this version of an item already."""
    tag = f'"{item.version}"'
    had = {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
    return Response(status_code=304, headers={"ETag": tag}) if had & {tag, "*"} else None


def page_answer(request: Request, listing: Listing[Any], shape: Callable[[Any], Any] = shapes.flat) -> Response:
    """A page, and where the page behind it is."""
    page = {"items": [shape(row) for row in listing], "next": listing.next}
    if listing.next is None:
        return answered(page)
    there = URL(scope=request.scope).include_query_params(after=listing.next)
    return answered(page, Link=f'<{there.path}?{there.query}>; rel="next"')


def expected_version(request: Request) -> int | None:
    """The version `If-Match` names, None where any will do."""
    given = request.headers.get("if-match", "*").strip()
    if given == "*":
        return None
    number = given.strip('"')
    if not number.isdecimal() or len(number) > 12:
        raise StaleError("If-Match names no version a reading gave; read it and decide again")
    return int(number)
