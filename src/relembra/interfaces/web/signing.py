"""Signing in by a key or a link, signing out, and how somebody likes to read."""

from __future__ import annotations

from http import HTTPStatus
from zoneinfo import available_timezones

from starlette.responses import Response

from relembra.admitting import PAGE_PASS
from relembra.domain.access import Right
from relembra.domain.text import checked_name
from relembra.errors import InvalidInputError
from relembra.interfaces.http.callers import WRONG_A_MINUTE, Gate
from relembra.interfaces.http.problems import TooManyError
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import PASS, THEMES, Visit, here
from relembra.interfaces.words import LANGUAGES

pages = Pages()


@pages.get("/enter", right=None)
async def enter(visit: Visit) -> Response:
    """The form for a key; or, come by a link, the button that uses it: whoever only looks at links uses up none."""
    return _form(visit)


@pages.post("/enter", right=None)
async def entered(visit: Visit) -> Response:
    gate: Gate = visit.request.app.state.gate
    peer = visit.request.client.host if visit.request.client else "?"
    carried = await visit.memory.page_pass(visit.field("key") or visit.field("pass"))
    if carried is None:
        if (wait := gate.wrong.take(peer, WRONG_A_MINUTE)) > 0:
            raise TooManyError("too many wrong keys from this address; wait", retry_after_seconds=wait)
        wrong = "page.enter.wrong_link" if visit.field("pass") else "page.enter.wrong_key"
        return _form(visit, wrong=visit.words(wrong), status=HTTPStatus.UNAUTHORIZED)
    visit.new_cookies[PASS] = (carried, int(PAGE_PASS.total_seconds()), "lax")
    return visit.to(here(visit.field("next")))


@pages.post("/leave", right=None)
async def leave(visit: Visit) -> Response:
    visit.new_cookies[PASS] = ("", 0, "lax")
    visit.look(user="")
    return visit.to("/enter", done="left")


@pages.post("/looks", right=None)
async def looks(visit: Visit) -> Response:
    """The language, the clock, light or dark."""
    known = {"language": LANGUAGES, "theme": THEMES, "zone": available_timezones()}
    for name, choices in known.items():
        word = visit.field(name)
        if name in visit.form:
            if word and word not in choices:
                raise InvalidInputError(f"there is no {name} {word!r}", field=name)
            visit.look(**{name: word})
    return visit.back(done=visit.field("said"))


@pages.post("/whose", right=Right.READ)
async def whose(visit: Visit) -> Response:
    """Whose memory to look at, for whoever may look at more than one."""
    user = visit.field("user")
    if user:
        checked_name(user, "user")
        visit.caller.whose(user)
    visit.look(user=user)
    return visit.to("/")


def _form(visit: Visit, *, wrong: str = "", status: int = HTTPStatus.OK) -> Response:
    return visit.page(
        "enter.html",
        status=status,
        title=visit.words("page.enter.title"),
        wrong=wrong,
        by_link=visit.asked("pass"),
        next=here(visit.asked("next") or visit.field("next")),
    )
