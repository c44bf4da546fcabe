"""Every group of routes, in the order the document shows them."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI
from starlette.routing import Route

from relembra.interfaces.http import (
    access,
    chat,
    conflicts,
    context,
    doors,
    events,
    jobs,
    knowledge,
    learning,
    messages,
    nights,
    notes,
    tools,
    transfer,
    upkeep,
    views,
    webhooks,
)
from relembra.interfaces.http.callers import caller_of
from relembra.interfaces.web import door

ROUTERS: tuple[APIRouter, ...] = (
    messages.router,
    knowledge.router,
    context.router,
    learning.router,
    events.router,
    notes.router,
    views.router,
    conflicts.router,
    tools.router,
    nights.router,
    jobs.router,
    transfer.router,
    access.router,
    doors.router,
    upkeep.router,
    chat.router,
    webhooks.router,
)


def mount(app: FastAPI) -> None:
    """Doors that are applications of their own."""
    from relembra.interfaces.mcp.mounting import Mounted  # its package is loaded only where a server is

    settings = app.state.settings
    assistants = Mounted(
        app.state.memory,
        caller_of,
        user=settings.user or None,
        language=settings.language or "en",
        largest_body=settings.largest_body,
    )
    app.state.beside.append(assistants.running)
    door.mount(app)
    app.router.routes.append(Route("/mcp", endpoint=assistants, name="mcp", include_in_schema=False))
