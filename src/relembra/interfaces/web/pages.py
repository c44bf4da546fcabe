"""All pages as routes, and which addresses are theirs."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from relembra.interfaces.http.problems import http_problem
from relembra.interfaces.web import history, item, memory, nights, profile, questions, settings, talk, welcome  # noqa: F401 - each has pages
from relembra.interfaces.web.background import BackgroundJobs, Once
from relembra.interfaces.web.templates import send
from relembra.interfaces.web.visits import PAGES, Visit

STATIC = Route("/static/{name}", send, include_in_schema=False)
ICON = Route("/favicon.ico", send, include_in_schema=False)
OPEN = frozenset({"enter", "favicon.ico", "leave", "looks", "static"})
"""First words of addresses that say nothing of any user."""


def first_word(path: str) -> str:
    return path.split("/", 2)[1] if path.startswith("/") else ""


PLACES = frozenset(first_word(page.path) for page in PAGES) | OPEN


def is_page(path: str) -> bool:
    """Whether an address is one of a page's, and not of the API."""
    return first_word(path) in PLACES


def is_file(path: str) -> bool:
    """Whether an address of a page's gives a file to keep."""
    return is_page(path) and path.endswith("/file")


def is_open(path: str) -> bool:
    return first_word(path) in OPEN


def mount(app: FastAPI) -> None:
    jobs = app.state.background = BackgroundJobs()
    app.state.once = Once()
    app.state.beside.append(jobs.open)
    app.router.routes.extend((STATIC, ICON))
    app.router.routes.extend(page.route() for page in PAGES)
    app.add_exception_handler(HTTPException, turned_away)


async def turned_away(request: Request, error: Exception) -> Response:
    """An address that is not served, or a body too large: a page for a browser, a problem for the API.

    The address of a form, loaded again, leads to the page above it.
    """
    assert isinstance(error, HTTPException)
    path = request.url.path
    if "text/html" not in request.headers.get("accept", "") and not is_page(path):
        return await http_problem(request, error)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method == "GET" and is_page(path):
        return RedirectResponse(path.rpartition("/")[0] or "/", HTTPStatus.SEE_OTHER)
    visit = Visit(request)
    key = f"page.turned_away.{error.status_code}"
    return visit.trouble(visit.words(key if visit.words.has(key) else "page.turned_away"), error.status_code)
