"""Pages as routes: who may come, forms that were really sent by one of our pages, and errors as pages."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from relembra.domain.access import Right
from relembra.errors import RelembraError
from relembra.interfaces.http.problems import ForbiddenError, UnauthorizedError, problem_of
from relembra.interfaces.web.visits import OtherOriginError, StaleFormError, Visit, to_choose, to_sign_in

log = logging.getLogger(__name__)

TYPED = ("content", "text", "subject", "tags", "value", "name", "user")
"""What people type into forms; the rest of what a form holds they chose, or never see."""

Handler = Callable[[Visit], Awaitable[Response]]


class Page:
    """One page or one thing done on it. `right`: the least whoever comes needs; None: it is open to anybody."""

    def __init__(self, path: str, method: str, right: Right | None, handler: Handler) -> None:
        self.path = path
        self.method = method
        self.right = right
        self._handler = handler

    def route(self) -> Route:
        return Route(self.path, self.answer, methods=[self.method], include_in_schema=False)

    async def answer(self, request: Request) -> Response:
        request.scope["route"] = self  # what logs and numbers call it
        visit = await Visit.of(request)
        try:
            if self.right is not None:
                visit.caller.must(self.right)
                if not visit.is_about_somebody and self.path != "/whose":
                    return to_choose(visit)
            if self.method == "POST":
                await visit.read_form()
            return await self._handler(visit)
        except StaleFormError as error:
            return failed(visit, error) if self.right is None else again(visit, error)
        except RelembraError as error:
            return failed(visit, error)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        finally:
            await visit.form.close()  # what was sent along


class Pages:
    """The pages of one module, in the order they were written."""

    def __init__(self) -> None:
        self.pages: list[Page] = []

    def get(self, path: str, right: Right | None = Right.READ) -> Callable[[Handler], Handler]:
        return self._page(path, "GET", right)

    def post(self, path: str, right: Right | None = Right.WRITE) -> Callable[[Handler], Handler]:
        return self._page(path, "POST", right)

    def _page(self, path: str, method: str, right: Right | None) -> Callable[[Handler], Handler]:
        def kept(handler: Handler) -> Handler:
            self.pages.append(Page(path, method, right, handler))
            return handler

        return kept


async def refused(request: Request, error: RelembraError) -> Response:
    """Whoever is not let in signs in first, or is told why not."""
    return to_sign_in(request) if isinstance(error, UnauthorizedError) else failed(await Visit.of(request), error)


async def broken(request: Request) -> Response:
    """A mistake of ours, which the log tells of, for whoever was looking."""
    visit = await Visit.of(request)
    title, said = visit.words("page.trouble"), visit.words("page.broken")
    return visit.page("error.html", status=HTTPStatus.INTERNAL_SERVER_ERROR, title=title, said=said)


def again(visit: Visit, error: StaleFormError) -> Response:
    """What was typed into a form that is no longer good, in one that is; nothing was done yet."""
    sent = visit.sent
    if not sent:
        return failed(visit, error)
    typed = {name: part for name, part in sent.items() if name in TYPED and part.strip()}
    return visit.page(
        "resend.html",
        status=problem_of(error).status_code,
        title=visit.words("page.resend"),
        said=visit.sentence(error),
        typed=typed,
        rest={name: part for name, part in sent.items() if name not in typed},
    )


def failed(visit: Visit, error: RelembraError) -> Response:
    """What went wrong, as a page in the reader's language; the status is the API's."""
    status = problem_of(error).status_code
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.warning("%s %s: %s", visit.request.method, visit.route, type(error).__name__)
    is_forbidden = isinstance(error, ForbiddenError) and not isinstance(error, OtherOriginError)
    said = visit.words("page.forbidden") if is_forbidden else visit.sentence(error)
    return visit.page("error.html", status=status, title=visit.words("page.trouble"), said=said)
