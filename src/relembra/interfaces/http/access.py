"""Keys and accounts: who may come in, and as whom. Neither is anything for a key bound to one person."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query, Response
from pydantic import ConfigDict, Field

from relembra.domain.access import EVERY_TENANT, Right
from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import Administering, Caller, MemoryDep, Reading
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import BODY, Asked, Id, Moment, Whose, anybody_asked, asked
from relembra.interfaces.http.problems import ForbiddenError

router = group("access", once=False)  # a kept reply would keep a secret, or open what was revoked

Program = Annotated[str, Path(description="Which program the account is of.", examples=["telegram"])]
Account = Annotated[str, Path(description="The account's id there.", examples=["5511987654321"])]


class KeysQuery(Asked):
    every_tenant: bool = Field(False, description="All keys there are; for an operator.")


class KeyBody(Asked):
    model_config = ConfigDict(
        **BODY,
        json_schema_extra={
            "examples": [
                {"name": "laptop da Ana", "right": "write", "user": "ana"},
                {"name": "dashboard", "right": "read", "expires_at": "2027-01-01T00:00:00+00:00"},
            ]
        },
    )

    name: str = Field(description="What you know it by.")
    right: Right = Field(Right.WRITE, strict=False, description="Each allows what those before it do.")
    user: str | None = Field(None, description="Bound to this person; none: any person of the tenant.")
    expires_at: Moment | None = Field(None, description="When it ends; none: when it is revoked.")
    every_tenant: bool = Field(False, description="An operator's key; only an operator may make one.")


class LinkBody(Whose):
    model_config = ConfigDict(
        **BODY, json_schema_extra={"examples": [{"user": "ana", "channel": "telegram", "id": "5511987654321"}]}
    )

    channel: str = Field(description="Which program the account is of.")
    id: str = Field(description="The account's id there.")
    bring: bool | None = Field(None, description="What it said while it was nobody's becomes theirs as well.")


@router.get("/keys", responses=told(schemas.Keys))
async def keys(query: Annotated[KeysQuery, Query()], caller: Administering, memory: MemoryDep) -> Response:
    """All keys of the tenant, newest first, without their secrets."""
    unbound(caller)
    if query.every_tenant:
        caller.must_operate()
    held = await memory.keys(tenant=None if query.every_tenant else caller.tenant)
    return answered({"items": [shapes.flat(key) for key in held]})


@router.post("/keys", status_code=201, responses=told(schemas.NewKeyRow, 201))
async def create_key(body: KeyBody, caller: Administering, memory: MemoryDep) -> Response:
    """Make a key; its secret is in this answer and nowhere else."""
    unbound(caller)
    if body.every_tenant:
        caller.must_operate()
    made = await memory.create_key(
        body.name,
        right=body.right,
        user=body.user,
        expires_at=body.expires_at,
        tenant=EVERY_TENANT if body.every_tenant else caller.tenant,
    )
    return answered({"key": shapes.flat(made.key), "secret": made.secret}, 201)


@router.delete("/keys/{id}", responses=told(schemas.KeyRow))
async def revoke_key(id: Id, caller: Administering, memory: MemoryDep) -> Response:
    """Let a key open nothing any more, by its id or prefix."""
    unbound(caller)
    return answered(shapes.flat(await memory.revoke_key(id, tenant=None if caller.everywhere else caller.tenant)))


@router.get("/links", responses=told(schemas.Links))
async def links(query: Annotated[Whose, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """Accounts and whose they are: a person's, or for an administrator everybody's of the tenant."""
    found = await memory.links(**anybody_asked(query, caller))
    return answered({"items": [shapes.flat(link) for link in found]})


@router.post("/links", status_code=201, responses=told(schemas.LinkRow, 201))
async def link(body: LinkBody, caller: Administering, memory: MemoryDep) -> Response:
    """Say that an account of another program is this person's; if it was another's, it is no longer."""
    unbound(caller)
    return answered(shapes.flat(await memory.link(**asked(body, caller))), 201)


@router.get("/links/{channel}/{id:path}", responses=told(schemas.Linked))
async def linked(channel: Program, id: Account, caller: Administering, memory: MemoryDep) -> Response:
    """Whose an account is."""
    unbound(caller)
    return answered({"user": await memory.linked(channel, id, tenant=caller.tenant)})


@router.delete("/links/{channel}/{id:path}", responses=told(schemas.Unlinked))
async def unlink(channel: Program, id: Account, caller: Administering, memory: MemoryDep) -> Response:
    """Let an account be nobody's again. What it said so far stays theirs."""
    unbound(caller)
    return answered({"unlinked": await memory.unlink(channel, id, tenant=caller.tenant)})


def unbound(caller: Caller) -> None:
    """Refuse a key of one person: what follows concerns the tenant."""
    if caller.user is not None:
        raise ForbiddenError("this key is for one person alone; what concerns everybody needs a key of the tenant")
