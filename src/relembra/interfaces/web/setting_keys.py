"""Keys, which let programs and people in, and links by which somebody comes in once. Secrets are shown in the answer to
the form that made them, and nowhere again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from http import HTTPStatus
from urllib.parse import urlencode

from starlette.responses import Response

from relembra.admitting import LINK_PASS
from relembra.domain.access import EVERY_TENANT, Key, NewKey, Right, Standing, standing
from relembra.errors import InvalidInputError
from relembra.interfaces.http.access import unbound
from relembra.interfaces.web.once import PRESSED_TWICE, Once, form_key
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.setting_tabs import part
from relembra.interfaces.web.visits import Visit

pages = Pages()

MOST_NAMED = 100
FIELDS = ("name", "right", "user", "every", "expires")
SHOWN_AGAIN = PRESSED_TWICE
"""How long the answer to a form that comes again holds the secret again: whoever pressed twice sees the second one."""


@dataclass(frozen=True, slots=True)
class MadeLink:
    """A link just made."""

    user: str
    address: str
    ends: datetime


@dataclass(slots=True)
class Fresh:
    """What a form made, and until when its secret may be shown."""

    made: NewKey | MadeLink | None
    until: datetime

    def shown(self, now: datetime) -> NewKey | MadeLink | None:
        return self.made if now < self.until else None

    def hide(self) -> None:
        self.made = None


@pages.get("/settings/keys", Right.ADMIN)
async def keys(visit: Visit) -> Response:
    unbound(visit.caller)
    return await _shown(visit)


@pages.post("/settings/keys", Right.ADMIN)
async def make(visit: Visit) -> Response:
    """A key, or with `what` a link for somebody; a form that comes again makes no other."""
    unbound(visit.caller)
    once: Once = visit.request.app.state.once

    async def work() -> Fresh:
        made = await (_link(visit) if visit.field("what") == "link" else _key(visit))
        fresh = Fresh(made, visit.now + SHOWN_AGAIN)
        asyncio.get_running_loop().call_later(SHOWN_AGAIN.total_seconds(), fresh.hide)
        return fresh

    try:
        fresh = await once.done(form_key(visit, *map(visit.field, ("what", *FIELDS))), work)
    except InvalidInputError as error:
        wrong = _wrong(visit, error)
        return await _shown(visit, wrong=wrong, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return await _shown(visit, made=fresh.shown(visit.now), is_over=fresh.shown(visit.now) is None)


@pages.post("/settings/keys/revoke", Right.ADMIN)
async def revoke(visit: Visit) -> Response:
    unbound(visit.caller)
    await visit.memory.revoke_key(visit.field("id"), tenant=None if visit.caller.everywhere else visit.tenant)
    return visit.to("/settings/keys", done="revoked")


async def _key(visit: Visit) -> NewKey:
    every = visit.field("every") == "yes"
    if every:
        visit.caller.must_operate()
    return await visit.memory.create_key(
        visit.field("name"),
        right=visit.field("right") or Right.WRITE,
        user=visit.field("user") or None,
        expires_at=_end_of(visit.field("expires"), visit),
        tenant=EVERY_TENANT if every else visit.tenant,
    )


async def _link(visit: Visit) -> MadeLink:
    user = visit.field("user")
    carried = await visit.memory.link_pass(
        user,
        user=user,
        right=visit.field("right") or Right.WRITE,
        tenant=visit.tenant,
    )
    return MadeLink(user, f"{visit.address}/enter?{urlencode({'pass': carried})}", visit.now + LINK_PASS)


def _end_of(day: str, visit: Visit) -> datetime | None:
    """When a last day is over, by the reader's clock."""
    if not day:
        return None
    try:
        ends = datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(), visit.zone)
    except (ValueError, OverflowError):
        raise InvalidInputError(f"{day!r} is no day", field="expires") from None
    if ends <= visit.now:
        raise InvalidInputError(f"{day} is past", field="expires_at")
    return ends


def _wrong(visit: Visit, error: InvalidInputError) -> dict[str, str]:
    """What is wrong with which field."""
    match error.field:
        case "expires_at":
            return {"expires": visit.words("page.settings.keys.expires.past")}
        case "expires":
            return {"expires": visit.words("page.settings.keys.expires.wrong")}
        case "tenant":
            return {"user": visit.sentence(error)}
        case "name" | "right" | "user" as field if not (field == "name" and visit.field("what") == "link"):
            return {field: visit.sentence(error)}
    return {"user" if visit.field("what") == "link" else "name": visit.sentence(error)}


async def _shown(
    visit: Visit,
    *,
    made: NewKey | MadeLink | None = None,
    is_over: bool = False,
    wrong: dict[str, str] | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    held = await visit.memory.keys(tenant=None if visit.caller.everywhere else visit.tenant)
    good, over = _sorted(held, visit.now)
    typed = {name: visit.field(name) for name in FIELDS} if wrong else dict.fromkeys(FIELDS, "")
    return part(
        visit,
        "settings_keys.html",
        status=status,
        good=good,
        over=over,
        standing=lambda key: standing(key, visit.now),
        people=tuple(await visit.memory.users(limit=MOST_NAMED, tenant=visit.tenant)),
        rights=list(Right),
        every_tenant=EVERY_TENANT,
        made=made if isinstance(made, NewKey) else None,
        link=made if isinstance(made, MadeLink) else None,
        is_over=is_over,
        wrong=wrong or {},
        wrong_link=bool(wrong) and visit.field("what") == "link",
        typed=typed,
    )


def _sorted(held: list[Key], now: datetime) -> tuple[list[Key], list[Key]]:
    """Those that open something, and those that no longer do."""
    good = [key for key in held if standing(key, now) is Standing.VALID]
    return good, [key for key in held if standing(key, now) is not Standing.VALID]
