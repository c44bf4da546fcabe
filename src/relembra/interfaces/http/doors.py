"""Who is listened to, and whose memories there are; for whoever administers a tenant, but for what a person is told."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import ConfigDict, Field

from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.access import unbound
from relembra.interfaces.http.answers import answered, page_answer
from relembra.interfaces.http.callers import Administering, MemoryDep, Reading
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import BODY, LARGEST_PAGE, Asked, Name, Whose, asked

router = group("access", once=False)  # a kept reply would say that somebody is blocked who no longer is

USUAL = 100


class PersonBody(Asked):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"person": "mallory"}]})

    person: Name = Field(description="Their name, in whatever case and with or without accents.")


class SwitchBody(Asked):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"space": "poker night", "on": False}]})

    space: Name = Field(description="The guild, team or group.")
    on: bool = Field(description="Whether anything is kept and recalled there.")


class RefusalQuery(Whose):
    space: Name | None = Field(None, description="In this space; none: in private.")


class UsersQuery(Asked):
    limit: int = Field(USUAL, ge=1, le=LARGEST_PAGE, description="At most so many.")
    after: str | None = Field(None, description="The `next` of the page before.")


@router.get("/doors", responses=told(schemas.Closed))
async def doors(caller: Administering, memory: MemoryDep) -> Response:
    """Everybody who is blocked and every space that is switched off."""
    unbound(caller)
    return answered({"items": [shapes.flat(door) for door in await memory.doors(tenant=caller.tenant)]})


@router.post("/block", responses=told(schemas.DoorRow))
async def block(body: PersonBody, caller: Administering, memory: MemoryDep) -> Response:
    """Keep nothing of a person any more, and recall nothing for them."""
    unbound(caller)
    return answered(shapes.flat(await memory.block(body.person, tenant=caller.tenant)))


@router.post("/unblock", responses=told(schemas.Unblocked))
async def unblock(body: PersonBody, caller: Administering, memory: MemoryDep) -> Response:
    """Listen to a person again."""
    unbound(caller)
    return answered({"unblocked": await memory.unblock(body.person, tenant=caller.tenant)})


@router.get("/spaces", responses=told(schemas.Spaces))
async def spaces(caller: Administering, memory: MemoryDep) -> Response:
    """Every space anything was said in or that is switched off."""
    unbound(caller)
    return answered({"items": [shapes.flat(state) for state in await memory.spaces(tenant=caller.tenant)]})


@router.post("/switch_space", responses=told(schemas.SpaceRow))
async def switch_space(body: SwitchBody, caller: Administering, memory: MemoryDep) -> Response:
    """Keep and recall nothing in a space, or everything again."""
    unbound(caller)
    return answered(shapes.flat(await memory.switch_space(body.space, on=body.on, tenant=caller.tenant)))


@router.get("/refusal", responses=told(schemas.Refused))
async def refusal(query: Annotated[RefusalQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """Why nothing would be kept or recalled of a person, in a space, or both."""
    return answered({"refused": await memory.refusal(**asked(query, caller))})


@router.get("/users", responses=told(schemas.Users, paged=True))
async def users(
    request: Request, query: Annotated[UsersQuery, Query()], caller: Administering, memory: MemoryDep
) -> Response:
    """Everybody anything is kept of, by name."""
    unbound(caller)
    found = await memory.users(limit=query.limit, after=query.after, tenant=caller.tenant)
    return page_answer(request, found)
