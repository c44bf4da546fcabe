"""Signing in by a key or a link, signing out, and how somebody likes to read."""

from __future__ import annotations

from http import HTTPStatus
from zoneinfo import available_timezones

from starlette.responses import Response

from relembra.domain.access import Right, Standing, read_pass, standing
from relembra.domain.scope import Whose
from relembra.domain.text import checked_name, fold
from relembra.errors import InvalidInputError
from relembra.interfaces.http.callers import Gate
from relembra.interfaces.web.visits import PASS, THEMES, Pages, Visit, here
from relembra.keys import PAGE_PASS
from relembra.locale import LANGUAGES

pages = Pages()

MOST_NAMES = 60
"""How many people are named to choose from."""
MOST_LOOKS = 5
"""How many pages of names are looked through for a part of one."""


@pages.get("/enter", right=None)
async def enter(visit: Visit) -> Response:
    """The form for a key; or, come by a link, the button that uses it: whoever only looks at links uses up none.

    Whoever is in already goes on, also by the link they came in by.
    """
    link = read_pass(visit.asked("pass"))
    prefix = await _prefix_in_use(visit)
    if prefix and (not visit.asked("pass") or (link is not None and link[1] == prefix)):
        return visit.to(here(visit.asked("next")))
    return _form(visit)


@pages.post("/enter", right=None)
async def entered(visit: Visit) -> Response:
    gate: Gate = visit.request.app.state.gate
    peer = visit.request.client.host if visit.request.client else None
    carried = await visit.memory.page_pass(visit.field("key") or visit.field("pass"))
    if carried is None:
        gate.guessed(peer)
        if visit.field("pass") and await _prefix_in_use(visit):
            return visit.to(here(visit.field("next")))
        wrong = "page.enter.wrong_link" if visit.field("pass") else "page.enter.wrong_key"
        return _form(visit, wrong=visit.words(wrong), status=HTTPStatus.UNAUTHORIZED)
    await visit.sign_out()  # of whatever this browser was in before
    visit.new_cookies[PASS] = (carried, int(PAGE_PASS.total_seconds()), "lax")
    return visit.to(here(visit.field("next")))


@pages.post("/leave", right=None)
async def leave(visit: Visit) -> Response:
    await visit.sign_out()
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


@pages.get("/whose")
async def choosing(visit: Visit) -> Response:
    """Whose memory may be opened; with `new`, a name nobody has yet, and those that look like it."""
    there, new = here(visit.asked("next")), visit.asked("new")
    if visit.caller.user is not None:
        return visit.to(there)
    if new:
        checked_name(new, "user")
    names, is_all = await _people(visit, new)
    if new and not names:
        names, is_all = await _people(visit, "")
    return visit.page("whose.html", names=names, is_all=is_all, new=new, next=there)


@pages.post("/whose", right=Right.READ)
async def whose(visit: Visit) -> Response:
    """Whose memory to look at, for whoever may look at more than one; a new one opens once that is said."""
    user, there = visit.field("user"), here(visit.field("next"))
    if user:
        checked_name(user, "user")
        meant = visit.caller.whose(user)
        if user != visit.caller.usual and visit.field("sure") != "yes" and not await _is_known(visit, meant):
            return visit.to("/whose", new=user, next="" if there == "/" else there)
    visit.look(user=user)
    return visit.to(there)


async def _is_known(visit: Visit, meant: Whose) -> bool:
    """Whether anything is kept of a person."""
    stats = await visit.memory.stats(**meant)
    return any((*stats.items.values(), stats.messages, stats.conversations, stats.notes))


async def _people(visit: Visit, part: str) -> tuple[list[str], bool]:
    """People something is kept of, with a part of a name or all; and whether there are no more of them."""
    if not visit.may("admin"):
        return [], True
    found: list[str] = []
    after = None
    for _ in range(MOST_LOOKS):
        most = visit.settings.chosen_policy().search.largest_page
        listing = await visit.memory.users(limit=most, after=after, tenant=visit.tenant)
        found += [name for name in listing if fold(part) in fold(name)]
        after = listing.next
        if after is None or len(found) > MOST_NAMES:
            break
    return found[:MOST_NAMES], after is None and len(found) <= MOST_NAMES


async def _prefix_in_use(visit: Visit) -> str:
    """The prefix of the key whose pass whoever came carries; empty where it opens nothing any more."""
    carried = visit.request.cookies.get(PASS)
    key = None if carried is None else await visit.memory.key_of_pass(carried)
    return key.prefix if key is not None and standing(key, visit.now) is Standing.VALID else ""


def _form(visit: Visit, *, wrong: str = "", status: int = HTTPStatus.OK) -> Response:
    there = here(visit.asked("next") or visit.field("next"))
    return visit.page("enter.html", status=status, wrong=wrong, by_link=visit.asked("pass"), next=there)
