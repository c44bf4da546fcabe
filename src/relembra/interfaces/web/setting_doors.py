"""Who is not listened to, and where nothing is kept."""

from __future__ import annotations

from http import HTTPStatus

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.doors import DoorKind
from relembra.errors import InvalidInputError
from relembra.interfaces.http.access import unbound
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.setting_tabs import part
from relembra.interfaces.web.visits import Visit

pages = Pages()


@pages.get("/settings/listening", Right.ADMIN)
async def listening(visit: Visit) -> Response:
    unbound(visit.caller)
    return await _shown(visit)


@pages.post("/settings/listening", Right.ADMIN)
async def change(visit: Visit) -> Response:
    """Open or close a door; what is there says which."""
    unbound(visit.caller)
    memory, name, what = visit.memory, visit.field("name"), visit.field("what")
    try:
        match what:
            case "block":
                await memory.block(name, tenant=visit.tenant)
            case "unblock":
                await memory.unblock(name, tenant=visit.tenant)
            case "space_on" | "space_off":
                await memory.switch_space(name, on=what == "space_on", tenant=visit.tenant)
            case _:
                raise InvalidInputError(f"there is no {what!r} to do", field="what")
    except InvalidInputError as error:
        wrong = {"what": what, "name": name, "said": visit.sentence(error)}
        return await _shown(visit, wrong=wrong, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return visit.to("/settings/listening", done={"block": "blocked", "unblock": "unblocked"}.get(what, what))


async def _shown(visit: Visit, *, wrong: dict[str, str] | None = None, status: int = HTTPStatus.OK) -> Response:
    doors = await visit.memory.doors(tenant=visit.tenant)
    spaces = await visit.memory.spaces(tenant=visit.tenant)
    return part(
        visit,
        "settings_listening.html",
        status=status,
        blocked=[door for door in doors if door.kind is DoorKind.PERSON],
        spaces=spaces,
        has_fixed=any(door.by_settings for door in doors),
        wrong=wrong or {"what": "", "name": "", "said": ""},
    )
