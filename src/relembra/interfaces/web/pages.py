"""All pages as routes, which addresses are theirs, and where pages that moved are now."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from relembra.interfaces.http.problems import http_problem
from relembra.interfaces.web import (
    history,
    item,
    memory,
    nights,
    note,
    profile,
    questions,
    settings,
    static,
    talk,
    transfer,
    welcome,
)
from relembra.interfaces.web.background import BackgroundJobs, Once
from relembra.interfaces.web.visits import Page, Pages, Visit

MODULES = (
    welcome, memory, item, questions, profile, history, note, nights, talk, settings, transfer,
)  # fmt: skip
MOVED = {
    "/time": "/history",
    "/time/pictures": "/history/charts",
    "/time/graph": "/history/connections",
    "/time/day": "/history/day",
    "/notes": "/history",
    "/notes/make": "/note/new",
    "/notes/{id}": "/note/{id}",
    "/notes/{id}/file": "/note/{id}/file",
    "/nights": "/settings/nights",
    "/nights/garden": "/settings/nights/cleanup",
    "/nights/jobs": "/settings/nights/queue",
    "/nights/{id}": "/settings/nights/{id}",
    "/nights/{id}/rollback": "/settings/nights/{id}/rollback",
    "/try": "/talk/recall",
    "/export": "/settings/data",
    "/import": "/settings/data",
    "/settings/listening": "/settings/blocked",
    "/settings/installation": "/settings/server",
}
STATIC = Route("/static/{name}", static.send, include_in_schema=False)
ICON = Route("/favicon.ico", static.send_icon, include_in_schema=False)
OPEN = frozenset({"enter", "favicon.ico", "leave", "looks", "static"})
"""First words of addresses that tell nothing of anybody."""

moved = Pages()


async def _moved(visit: Visit) -> Response:
    there = MOVED[visit.route].format(**visit.request.path_params)
    if visit.route == "/try" and visit.asked("tab") == "learn":
        there = "/talk/learn"
    query = visit.request.url.query
    return RedirectResponse(f"{there}?{query}" if query else there, HTTPStatus.PERMANENT_REDIRECT)


for old in MOVED:
    moved.get(old)(_moved)


def pages() -> Iterator[Page]:
    for module in MODULES:
        yield from module.pages.pages
    yield from moved.pages


def first_word(path: str) -> str:
    return path.split("/", 2)[1] if path.startswith("/") else ""


PLACES = frozenset(first_word(page.path) for page in pages()) | OPEN


def is_page(path: str) -> bool:
    """Whether an address is one of a page's, and not of the API."""
    return first_word(path) in PLACES


def is_file(path: str) -> bool:
    """Whether an address of a page's gives a file to keep."""
    return is_page(path) and path.endswith("/file")


def is_open(path: str) -> bool:
    return first_word(path) in OPEN


def mount(app: FastAPI) -> None:
    jobs = app.state.background = BackgroundJobs(app.state.memory)
    app.state.once = Once()
    app.state.beside.append(jobs.open)
    app.router.routes.extend((STATIC, ICON))
    app.router.routes.extend(page.route() for page in pages())
    app.add_exception_handler(HTTPException, turned_away)


async def turned_away(request: Request, error: Exception) -> Response:
    """An address nobody serves, or a body too large: a page for a browser, a problem for the API."""
    assert isinstance(error, HTTPException)
    if "text/html" not in request.headers.get("accept", "") and not is_page(request.url.path):
        return await http_problem(request, error)
    visit = await Visit.of(request)
    key = f"page.turned_away.{error.status_code}"
    return visit.trouble(visit.words(key if visit.words.has(key) else "page.turned_away"), error.status_code)
