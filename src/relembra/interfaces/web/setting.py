"""The settings: how somebody reads, their accounts elsewhere, and where their data goes. The other parts, each of which
needs a further right, have modules of their own."""

from __future__ import annotations

from starlette.responses import Response

from relembra.errors import NotFoundError
from relembra.interfaces.web import setting_doors, setting_house, setting_keys, setting_models
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.setting_tabs import EVERYWHERE, is_listed, part, zones
from relembra.interfaces.web.transferring import offered
from relembra.interfaces.web.visits import THEMES, Visit
from relembra.interfaces.words import LANGUAGES

pages = Pages()


@pages.get("/settings")
async def reading(visit: Visit) -> Response:
    """The language, the clock and the colours, for this browser alone; `/looks` keeps them."""
    zone = visit.looks.get("zone", "")
    return part(
        visit,
        "settings.html",
        languages=LANGUAGES,
        themes=THEMES,
        zones=zones(),
        zone=zone,
        others=sorted({EVERYWHERE, zone} - {""} if not is_listed(zone) else {EVERYWHERE}),
        house_zone=visit.settings.chosen_timezone(),
    )


@pages.get("/settings/data")
async def data(visit: Visit) -> Response:
    return part(visit, "settings_data.html", **offered(visit))


@pages.get("/settings/accounts")
async def accounts(visit: Visit) -> Response:
    return part(visit, "settings_accounts.html", links=await visit.memory.links(**visit.whose))


@pages.post("/settings/accounts")
async def unlink(visit: Visit) -> Response:
    """Let go of an account of one's own; another's is not there."""
    channel, id = visit.field("channel"), visit.field("id")
    held = await visit.memory.links(**visit.whose)
    if not any((link.channel, link.id) == (channel, id) for link in held):
        raise NotFoundError("account", id)
    await visit.memory.unlink(channel, id, tenant=visit.tenant)
    return visit.to("/settings/accounts", done="unlinked")


for module in (setting_models, setting_keys, setting_doors, setting_house):
    pages.pages.extend(module.pages.pages)
