"""A request for a page: its sender, whose memory it is about, the language and the form; and routes to its answer."""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from starlette.datastructures import FormData
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from relembra.domain.access import Right
from relembra.domain.scope import Whose, new_id
from relembra.domain.text import checked_name
from relembra.errors import ConflictError, InvalidInputError, RelembraError, StaleError
from relembra.interfaces.failures import sentence_of
from relembra.interfaces.http.callers import Caller, language_of
from relembra.interfaces.http.problems import ForbiddenError, UnauthorizedError, problem_of, route_of
from relembra.interfaces.upstream import Upstreams
from relembra.interfaces.web.background import BackgroundJobs, Once, Owner, StaleFormError
from relembra.interfaces.web.templates import Clockface, rendered
from relembra.locale import LANGUAGES, Words
from relembra.memory import Memory
from relembra.settings import Settings

log = logging.getLogger(__name__)

PASS = "relembra_pass"
"""The cookie with the pass of the signed-in user."""
FORM = "relembra_form"
"""The cookie that a form has to repeat: a page of another origin can send a form here, but cannot know it."""
LOOKS = "relembra_looks"
"""The cookie with how pages are shown: language, clock, light or dark, and whose memory."""
LOOKS_SECONDS = 400 * 86_400
THEMES = ("auto", "light", "dark")
MOST_COUNTED = 99
"""Open questions that a badge counts; more are shown as "99+"."""
MOST_FIELDS = 200
MOST_FIELD_BYTES = 1_048_576
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
DAY = timedelta(days=1)
FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Days beyond these are typing errors: a year being typed passes through 2, 20 and 202."""
MOST_ROWS = 500

E = TypeVar("E", bound=StrEnum)


class OtherOriginError(ForbiddenError):
    """A form sent by a page elsewhere, or through a proxy that does not pass the host on."""

    page_key = "page.other_origin"


class FormError(InvalidInputError):
    """A field that was filled in wrong, or not at all, with the sentence that says so."""

    def __init__(self, page_key: str, *, field: str) -> None:
        super().__init__(page_key, field=field)
        self.page_key = page_key


class Visit:
    """One request. Handlers read from it, call a verb or a few, and answer with `page` or `to`."""

    def __init__(self, request: Request) -> None:
        state = request.app.state
        self.request = request
        self.memory: Memory = state.memory
        self.settings: Settings = state.settings
        self.jobs: BackgroundJobs = state.background
        self.upstreams: Upstreams = state.upstreams  # the models that answer
        self.known: Caller | None = getattr(request.state, "caller", None)  # None: not signed in
        self.form = FormData()
        self.wrong = ""  # why what was sent could not be used, in the reader's words
        self.wrong_field = ""
        self.status = HTTPStatus.OK
        self.open_questions = 0
        self.looks = dict(parse_qsl(request.cookies.get(LOOKS, "")))
        if self.looks.get("theme") not in THEMES:  # what no page of ours would have written is passed over
            self.looks.pop("theme", None)
        try:
            checked_name(self.looks.get("user", "x"), "user")
        except InvalidInputError:
            self.looks.pop("user")
        language = self.looks.get("language", "")
        if language not in LANGUAGES:
            language = language_of(request.headers.get("accept-language", ""))
        self.words = Words(language, "web", "names")
        self.zone = zone_of(self.looks.get("zone", ""), state.settings)
        self.new_cookies: dict[str, tuple[str, int, Literal["lax", "strict"]]] = {}  # value, seconds, same-site
        self.token = request.cookies.get(FORM, "")  # what forms carry
        if len(self.token) < 20:
            self.token = secrets.token_urlsafe(18)
            self.new_cookies[FORM] = (self.token, LOOKS_SECONDS, "strict")

    # ── who and whose ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def caller(self) -> Caller:
        if self.known is None:
            raise ForbiddenError("nobody signed in")
        return self.known

    @property
    def whose(self) -> Whose:
        """Whose memory, as verbs take it: the user's own, or that an administrator chose to look at."""
        chosen = self.looks.get("user") if self.caller.user is None else None
        return self.caller.whose(chosen or None)

    @property
    def user(self) -> str:
        return str(self.whose["user"])

    @property
    def has_user(self) -> bool:
        """Whether it is known whose memory is meant: a key that is not bound to a user may not have chosen yet."""
        return self.known is not None and any((self.known.user, self.known.usual, self.looks.get("user")))

    @property
    def tenant(self) -> str:
        return self.caller.tenant

    @property
    def owner(self) -> Owner:
        return Owner(self.caller.id, self.tenant, self.user)

    @property
    def once(self) -> str:
        """A token for one form of a page, by which a second sending is known."""
        return new_id()

    async def sign_out(self) -> None:
        """End the pass this browser carries, here and in the browser."""
        if carried := self.request.cookies.get(PASS):
            await self.memory.end_pass(carried)
        self.new_cookies[PASS] = ("", 0, "lax")

    def may(self, right: str) -> bool:
        """Whether the caller has a right: "read", "write" or "admin"."""
        return self.known is not None and self.known.right.allows(Right(right))

    # ── what was sent ─────────────────────────────────────────────────────────────────────────────────────────────

    async def read_form(self) -> None:
        """The form, where one of our own pages sent it; else nothing is done."""
        headers = self.request.headers
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        is_ours = origin is None or origin.partition("://")[2] == headers.get("host")
        if not is_ours or site not in ("same-origin", "none"):
            raise OtherOriginError("a page of another origin may not send forms")
        most = MOST_FIELD_BYTES // (MOST_FIELDS if self.path == "/import" else 1)  # where a body may be this long
        self.form = await self.request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=most)
        sent = self.form.get("form")
        known = self.request.cookies.get(FORM, "")
        if not isinstance(sent, str) or not known or not hmac.compare_digest(sent.encode(), known.encode()):
            raise StaleFormError("this form is no longer good; load the page again", field="form")

    def field(self, name: str, default: str = "") -> str:
        """A field of the form, without blanks around it."""
        sent = self.form.get(name, default)
        return sent.strip() if isinstance(sent, str) else default

    def asked(self, name: str, default: str = "") -> str:
        """A part of the address after the question mark."""
        return self.request.query_params.get(name, default).strip()

    def chosen(self, name: str, kind: type[E]) -> E | None:
        """A part of the address that is one of a few words; None for any other."""
        return kind(self.asked(name)) if self.asked(name) in set(kind) else None

    @property
    def is_fragment(self) -> bool:
        """Whether a script asks, to put a part of the answer into the page that is there."""
        return "hx-request" in self.request.headers and "hx-boosted" not in self.request.headers

    def query_with(self, **changes: str | None) -> str:
        """The address of this page with some parts after the question mark changed; an empty one is taken out.

        A list begins anew, and nothing is said to be done.
        """
        left = {*changes, "done", "undo", "after", "rows", "shown"}
        kept = [(name, part) for name, part in self.request.query_params.multi_items() if name not in left]
        return with_query(self.path, [*kept, *((name, part) for name, part in changes.items() if part)])

    def portion(self, size: int) -> dict[str, Any]:
        """The part of a list a verb is asked for: `size` rows, or on a first page as many as were unrolled (`rows`)."""
        after = self.asked("after") or None
        return {"limit": size if after else min(MOST_ROWS, self._reach(size)), "after": after}

    def more(self, after: str | None, size: int, *, shown: str = "", **kept: str) -> dict[str, str] | None:
        """The addresses of the `next` page alone and of the `whole` list down to its end; None where nothing follows.

        `shown`: the last heading of the list, `kept`: what stays in the address.
        """
        if after is None:
            return None
        reach = min(self._reach(size), MOST_ROWS) + size
        whole = self.query_with(**kept, rows=str(min(reach, MOST_ROWS)))
        return {"next": self.query_with(**kept, after=after, shown=shown, rows=str(reach)), "whole": whole}

    def _reach(self, size: int) -> int:
        rows = self.asked("rows")
        return max(size, int(rows) if rows.isascii() and rows.isdigit() and len(rows) < 7 else 0)

    @property
    def id(self) -> str:
        return str(self.request.path_params["id"])

    @property
    def path(self) -> str:
        return self.request.url.path

    @property
    def address(self) -> str:
        """This server's address, as the browser reaches it."""
        base = self.request.base_url
        is_safe = self.request.headers.get("x-forwarded-proto") == "https"
        return f"{'https' if is_safe else base.scheme}://{base.netloc}"

    # ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def now(self) -> datetime:
        now: datetime = self.request.app.state.gate.clock()
        return now

    @property
    def clock(self) -> Clockface:
        """Moments as the reader says them."""
        return Clockface(self.words, self.zone, self.now)

    @property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    # ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────

    def sentence(self, error: Exception) -> str:
        """An error in the reader's language."""
        key = getattr(error, "page_key", "page.forbidden" if isinstance(error, ForbiddenError) else "")
        if isinstance(error, StaleError):
            key = "page.item.stale"
        elif isinstance(error, InvalidInputError) and error.field == "after":
            key = "page.lost_place"
        user = self.known.meant or "" if self.known else ""
        return self.words(key) if key else sentence_of(error, self.words, user=user)

    def refuse(self, error: RelembraError) -> None:
        """Have the next page say what was wrong with what was sent, with the status the API gives."""
        self.wrong, self.wrong_field = self.sentence(error), getattr(error, "field", None) or ""
        self.status = HTTPStatus(problem_of(error).status_code)

    def page(self, template: str, *, status: int | None = None, **parts: Any) -> Response:
        """A page made from a template, which also says its title and what was `wrong`."""
        answer = HTMLResponse(rendered(template, self, parts), status_code=status or self.status)
        answer.headers["Content-Security-Policy"] = POLICY
        answer.headers["Content-Language"] = self.words.language
        answer.headers["Referrer-Policy"] = "same-origin"  # without any, a form sent by no script has the origin "null"
        answer.headers["Vary"] = "Accept-Language, Cookie"
        return self.with_cookies(answer)

    def trouble(self, said: str, status: int) -> Response:
        """A page that only says what went wrong."""
        return self.page("error.html", status=status, said=said)

    def to(self, path: str, *, done: str = "", undo: str = "", **query: str) -> Response:
        """Go on to another page after something was done; `done` names what ("deleted"), `undo` what to take back."""
        given = [(name, part) for name, part in {"done": done, "undo": undo, **query}.items() if part]
        return self.with_cookies(RedirectResponse(with_query(path, given), HTTPStatus.SEE_OTHER))

    def back(self, *, done: str = "", undo: str = "", otherwise: str = "/") -> Response:
        """Go on to the page the form names in `back`, an address on this server; else to another."""
        parts = urlsplit(here(self.field("back"), otherwise))
        kept = [(name, part) for name, part in parse_qsl(parts.query) if name not in ("done", "undo")]
        return self.to(with_query(parts.path, kept), done=done, undo=undo)

    def look(self, **looks: str) -> None:
        """Remember how pages are shown; an empty word forgets it."""
        self.looks = {name: word for name, word in (self.looks | looks).items() if word}
        self.new_cookies[LOOKS] = (urlencode(self.looks), LOOKS_SECONDS, "lax")

    def with_cookies(self, answer: Response) -> Response:
        is_safe = "https" in (self.request.url.scheme, self.request.headers.get("x-forwarded-proto", ""))
        for name, (value, seconds, site) in self.new_cookies.items():
            answer.set_cookie(name, value, seconds, path="/", secure=is_safe, httponly=True, samesite=site)
        return answer


def zone_of(name: str, settings: Settings) -> tzinfo:
    """The time zone of the reader: their own choice, else this installation's."""
    for zone in filter(None, (name, settings.chosen_timezone())):
        with suppress(ZoneInfoNotFoundError, ValueError, OSError):
            return ZoneInfo(zone)
    return datetime.now().astimezone().tzinfo or UTC


def here(address: str, otherwise: str = "/") -> str:
    """An address on this server; another for any that leads elsewhere or is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return otherwise
    is_here = address.startswith("/") and not address.startswith(("//", "/\\")) and not parts.netloc
    return address if is_here else otherwise


def with_query(path: str, parts: list[tuple[str, str]]) -> str:
    """An address with some more parts after its question mark."""
    return f"{path}{'&' if '?' in path else '?'}{urlencode(parts)}" if parts else path


def read_day(text: str, *, field: str = "day") -> date | None:
    """A day as a date field sends it; None where none was given."""
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError:
        raise FormError("page.bad_day", field=field) from None
    if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise FormError("page.bad_day", field=field)
    return day


def start_of(day: date, zone: tzinfo) -> datetime:
    """The moment a day begins on a clock, in UTC."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def between(first: date | None, last: date | None, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """From the beginning of one day to the end of another; None: without a bound."""
    since = None if first is None else start_of(first, zone)
    return since, None if last is None else start_of(last + DAY, zone)


# ── routes ────────────────────────────────────────────────────────────────────────────────────────────────────────

Answer = Callable[[Visit], Coroutine[Any, Any, Response]]
Handler = TypeVar("Handler", bound=Callable[..., Coroutine[Any, Any, Response]])


@dataclass(frozen=True)
class Page:
    """One page or one action."""

    path: str
    method: str
    right: Right | None  # the least a caller needs; None: it is open to everyone
    handler: Answer
    again: Answer | None = None  # the page of a form, shown once more where what was sent could not be used

    def route(self) -> Route:
        return Route(self.path, self.answer, methods=[self.method], include_in_schema=False)

    async def answer(self, request: Request) -> Response:
        request.scope["route"] = self  # what logs and metrics call it
        visit = Visit(request)
        try:
            if self.right is not None:
                visit.caller.must(self.right)
                if not visit.has_user and self.path != "/whose":
                    return visit.to("/whose", next=_asked(request))
            if self.method == "POST":
                await visit.read_form()
            if visit.has_user:
                found = await visit.memory.conflicts(open_only=True, limit=MOST_COUNTED + 1, **visit.whose)
                visit.open_questions = len(found)
            try:
                return await self._acted(visit)
            except (InvalidInputError, ConflictError) as error:
                if self.again is None or isinstance(error, StaleFormError):
                    raise
                visit.refuse(error)
                return await self.again(visit)
        except RelembraError as error:
            return failed(visit, error)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        finally:
            await visit.form.close()  # uploaded files

    async def _acted(self, visit: Visit) -> Response:
        """The answer of the handler; a form with a token of its own acts once, though it was sent twice."""
        if not visit.field("once"):
            return await self.handler(visit)
        once: Once = visit.request.app.state.once
        sent = tuple((name, part) for name, part in visit.form.multi_items() if isinstance(part, str))
        return await once.done((visit.owner, visit.path, hash(sent)), lambda: self.handler(visit))


PAGES: list[Page] = []
"""All pages whose modules are imported, those of a module in the order they were written."""


def get(
    path: str, right: Right | None = Right.READ, *, method: str = "GET", again: Answer | None = None
) -> Callable[[Handler], Handler]:
    """Answers an address with a function."""

    def kept(handler: Handler) -> Handler:
        PAGES.append(Page(path, method, right, handler, again))
        return handler

    return kept


def post(path: str, right: Right | None = Right.WRITE, *, again: Answer | None = None) -> Callable[[Handler], Handler]:
    """Answers a form with a function; where it cannot use what was sent, `again` shows the form and what was wrong."""
    return get(path, right, method="POST", again=again)


async def refused(request: Request, error: RelembraError) -> Response:
    """Send a caller who is not let in to sign in, or say why not."""
    if not isinstance(error, UnauthorizedError):
        return failed(Visit(request), error)
    asked = _asked(request)
    return RedirectResponse(with_query("/enter", [("next", asked)] if asked else []), HTTPStatus.SEE_OTHER)


def broken(request: Request) -> Response:
    """The page for an unexpected error, which the log describes."""
    visit = Visit(request)
    return visit.trouble(visit.words("page.broken"), HTTPStatus.INTERNAL_SERVER_ERROR)


def failed(visit: Visit, error: RelembraError) -> Response:
    """What went wrong, as a page in the reader's language, with the status the API gives."""
    status = problem_of(error).status_code
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.warning("%s %s: %s", visit.request.method, route_of(visit.request.scope), type(error).__name__)
    return visit.trouble(visit.sentence(error), status)


def _asked(request: Request) -> str:
    """The page that was asked for, to come back to; empty where that is the first one, or none."""
    asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return asked if request.method in ("GET", "HEAD") and asked != "/" else ""
