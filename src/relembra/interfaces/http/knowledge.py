"""What is known: list, find, add, confirm, correct, hide, put away, undo, forget."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Request, Response
from pydantic import ConfigDict, Field

from relembra.domain.text import is_blank
from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered, expected_version, is_known, item_answer, page_answer
from relembra.interfaces.http.callers import MemoryDep, Reading, Writing
from relembra.interfaces.http.documents import ITEM_CHANGE, ITEM_READ, NOT_CHANGED, group, told
from relembra.interfaces.http.inputs import (
    BODY,
    LARGEST_LIMIT,
    MOST_DRAFTS,
    Area,
    Asked,
    By,
    From,
    Handed,
    Id,
    Moment,
    Paged,
    Type,
    Where,
    Whose,
    Wishes,
    asked,
)
from relembra.learn.drafts import Draft
from relembra.store.port import ItemOrder

router = group("knowledge")


class KnownQuery(Handed, Paged, Wishes, Where):
    q: str | None = Field(None, description="A question: the items that answer it best, instead of the newest.")
    order: ItemOrder | None = Field(None, description="What comes first; none: the newest.")


class DraftParts(Asked):
    model_config = BODY

    content: str = Field(description="What is to be known, in a sentence.")
    type: Type | None = Field(None, description="What kind of thing it is; none: as its words tell, else a fact.")
    area: Area | None = Field(None, description="The area of life it belongs to.")
    sub_area: str | None = None
    title: str | None = None
    subject: str | None = Field(
        None, description="Whom it is about; none: as its words tell, else the person themselves."
    )
    attribute: str | None = Field(
        None, description="residence, employment, weight, …: a new value ends the older; none: as its words tell."
    )
    value: str | None = None
    source: From | None = Field(None, description="How it came to be known; none: by hand from the person.")
    confidence: float | None = Field(None, ge=0, le=1)
    weight: float | None = Field(None, ge=0, le=1)
    priority: int | None = Field(None, ge=1, le=10)
    tags: list[str] | None = Field(None, fail_fast=True)
    related: list[str] | None = Field(None, fail_fast=True, description="Ids of items it is connected to.")
    evidence: str | None = Field(None, description="What it was concluded from.")
    message_ids: list[str] | None = Field(None, fail_fast=True, description="Ids of messages it was learnt from.")
    held_from: Moment | None = Field(None, description="Since when it is so; none: now.")
    expires_at: Moment | None = Field(None, description="When it ends by itself.")
    local_only: bool | None = Field(None, description="Never shown to a model on another machine.")


class AddBody(By, Where, DraftParts):
    model_config = ConfigDict(
        **BODY,
        json_schema_extra={
            "examples": [
                {"user": "ana", "content": "É alérgica a camarão.", "type": "fact", "area": "health"},
                {"user": "ben", "content": "Prefers short answers.", "type": "preference", "tags": ["style"]},
            ]
        },
    )


class AddManyBody(By, Where):
    model_config = ConfigDict(
        **BODY,
        json_schema_extra={
            "examples": [{"user": "ana", "drafts": [{"content": "Torce pelo Bahia."}, {"content": "Toca violão."}]}]
        },
    )

    drafts: list[DraftParts] = Field(min_length=1, max_length=MOST_DRAFTS, fail_fast=True)


class ChangeBody(By, Whose):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana"}]})


class CorrectBody(ChangeBody):
    model_config = ConfigDict(
        **BODY,
        json_schema_extra={"examples": [{"user": "ana", "content": "Mora no Porto.", "why": "mudou-se em maio"}]},
    )

    content: str = Field(description="What is right.")
    why: str | None = None


class KeepLocalBody(ChangeBody):
    local: bool | None = Field(None, description="False: models on other machines may see it again.")


class UndoBody(ChangeBody):
    model_config = ConfigDict(
        **BODY, json_schema_extra={"examples": [{"user": "ana", "id": "0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77"}]}
    )

    id: str = Field(description="A change, or an item or conversation whose last change is meant.")


class ForgetBody(Whose):
    model_config = ConfigDict(
        **BODY,
        json_schema_extra={"examples": [{"user": "ana", "conversation": "viagem"}, {"user": "ben", "all": True}]},
    )

    item: str | None = None
    conversation: str | None = Field(None, description="With what only it taught.")
    all: bool | None = Field(None, description="Everything of the person.")
    dry_run: bool = Field(False, description="Only say what would go.")


class DeleteQuery(By, Whose):
    why: str | None = None


class ItemQuery(Handed, Whose):
    pass


class FindQuery(ItemQuery):
    fragment: str = Field(description="Four or more characters its id begins or ends with.")


class RelatedQuery(Whose):
    limit: int | None = Field(None, ge=1, le=LARGEST_LIMIT)


@router.get("/knowledge", responses=told(schemas.Known, paged=True))
async def list_(
    request: Request, query: Annotated[KnownQuery, Query()], caller: Reading, memory: MemoryDep
) -> Response:
    """What is known, newest first or in another order; with `q`, what answers it best.

    An empty `q` is none. A search has no pages, so that `next` is null, and an order of its own.
    """
    given = asked(query, caller)
    question = given.pop("q", "")
    if is_blank(question):
        return page_answer(request, await memory.list(**given))
    if "after" in given:
        raise InvalidInputError("a search has no pages; leave out after, or q", field="after")
    if "order" in given:
        raise InvalidInputError("a search gives the best answers first; leave out order, or q", field="order")
    hits = await memory.search(question, **given)
    return answered({"items": [shapes.flat(hit.item) for hit in hits], "next": None} | shapes.hits(hits))


@router.post("/knowledge", status_code=201, responses=told(schemas.Item, 201, tagged=True))
async def add(body: AddBody, caller: Writing, memory: MemoryDep) -> Response:
    """Make something known. By hand it is certain and confirmed; a value that replaces another ends the older.

    Without an attribute the words are read as if the person had said them. What is known already is counted once more.
    """
    return item_answer(await memory.add(**asked(body, caller)), 201)


@router.post("/knowledge/many", status_code=201, responses=told(schemas.Items, 201))
async def add_many(body: AddManyBody, caller: Writing, memory: MemoryDep) -> Response:
    """Make many things known, some hundred to a transaction, as they are given: nothing is read in them."""
    given = asked(body, caller)
    drafts = [Draft(**draft) for draft in given.pop("drafts")]
    return answered({"items": [shapes.flat(item) for item in await memory.add_many(drafts, **given)]}, 201)


@router.get("/knowledge/find", responses=told(schemas.Item, tagged=True))
async def find(query: Annotated[FindQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """The one item whose id starts or ends with a fragment."""
    return item_answer(await memory.find(**asked(query, caller)))


@router.get("/knowledge/{id}", responses=told(schemas.Item, tagged=True) | NOT_CHANGED, openapi_extra=ITEM_READ)
async def get(
    id: Id, request: Request, query: Annotated[ItemQuery, Query()], caller: Reading, memory: MemoryDep
) -> Response:
    """One item, deleted or superseded ones too."""
    item = await memory.get(id, **asked(query, caller))
    return is_known(request, item) or item_answer(item)


@router.post("/knowledge/{id}/validate", responses=told(schemas.Item, tagged=True), openapi_extra=ITEM_CHANGE)
async def validate(id: Id, body: ChangeBody, request: Request, caller: Writing, memory: MemoryDep) -> Response:
    """The person confirms an item: it grows surer, and no machine overwrites it from now on."""
    return item_answer(await memory.validate(id, **_change(body, request, caller)))


@router.post("/knowledge/{id}/correct", responses=told(schemas.Item, tagged=True), openapi_extra=ITEM_CHANGE)
async def correct(id: Id, body: CorrectBody, request: Request, caller: Writing, memory: MemoryDep) -> Response:
    """Put a right item in the place of a wrong one; the answer is the right one, under an id of its own."""
    return item_answer(await memory.correct(id, **_change(body, request, caller)))


@router.delete("/knowledge/{id}", responses=told(schemas.Item, tagged=True), openapi_extra=ITEM_CHANGE)
async def delete(
    id: Id, query: Annotated[DeleteQuery, Query()], request: Request, caller: Writing, memory: MemoryDep
) -> Response:
    """Hide an item at once; restore or undo brings it back, and forget removes it for good."""
    return item_answer(await memory.delete(id, **_change(query, request, caller)))


@router.post("/knowledge/{id}/restore", responses=told(schemas.Item, tagged=True), openapi_extra=ITEM_CHANGE)
async def restore(id: Id, body: ChangeBody, request: Request, caller: Writing, memory: MemoryDep) -> Response:
    """Show a deleted item again."""
    return item_answer(await memory.restore(id, **_change(body, request, caller)))


@router.post("/knowledge/{id}/archive", responses=told(schemas.Item, tagged=True), openapi_extra=ITEM_CHANGE)
async def archive(id: Id, body: ChangeBody, request: Request, caller: Writing, memory: MemoryDep) -> Response:
    """Put an item away: no longer held, and brought back by recover or by a question it answers strongly."""
    return item_answer(await memory.archive(id, **_change(body, request, caller)))


@router.post("/knowledge/{id}/recover", responses=told(schemas.Item, tagged=True), openapi_extra=ITEM_CHANGE)
async def recover(id: Id, body: ChangeBody, request: Request, caller: Writing, memory: MemoryDep) -> Response:
    """Take an item out of the archive."""
    return item_answer(await memory.recover(id, **_change(body, request, caller)))


@router.post("/knowledge/{id}/keep_local", responses=told(schemas.Item, tagged=True), openapi_extra=ITEM_CHANGE)
async def keep_local(id: Id, body: KeepLocalBody, request: Request, caller: Writing, memory: MemoryDep) -> Response:
    """Never show an item to a model on another machine; with `local` false, show it again."""
    return item_answer(await memory.keep_local(id, **_change(body, request, caller)))


@router.get("/knowledge/{id}/history", responses=told(schemas.History))
async def history(id: Id, query: Annotated[Whose, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """An item's line through time and every change recorded of it."""
    return answered(shapes.history(await memory.history(id, **asked(query, caller))))


@router.get("/knowledge/{id}/sources", responses=told(schemas.Sources))
async def sources(id: Id, query: Annotated[Whose, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """The messages an item was learnt from, oldest first."""
    found = await memory.sources(id, **asked(query, caller))
    return answered({"items": [shapes.flat(message) for message in found]})


@router.get("/knowledge/{id}/related", responses=told(schemas.Hits))
async def related(id: Id, query: Annotated[RelatedQuery, Query()], caller: Reading, memory: MemoryDep) -> Response:
    """Items connected to one: those it names, then the nearest by meaning and words."""
    return answered(shapes.hits(await memory.related(id, **asked(query, caller))))


@router.post("/knowledge/{id}/undo", responses=told(schemas.Undone))
async def undo_item(id: Id, body: ChangeBody, caller: Writing, memory: MemoryDep) -> Response:
    """Reverse the last change of an item, whole."""
    return answered({"undone": [shapes.entry(entry) for entry in await memory.undo(id, **asked(body, caller))]})


@router.post("/undo", responses=told(schemas.Undone))
async def undo(body: UndoBody, caller: Writing, memory: MemoryDep) -> Response:
    """Reverse a change, whole: by its id, or the last one of an item or conversation."""
    return answered({"undone": [shapes.entry(entry) for entry in await memory.undo(**asked(body, caller))]})


@router.post("/forget", responses=told(schemas.Gone))
async def forget(body: ForgetBody, caller: Writing, memory: MemoryDep) -> Response:
    """Remove for good one item, one conversation with what only it taught, or everything of a person."""
    return answered(shapes.gone(await memory.forget(**asked(body, caller))))


def _change(given: Asked, request: Request, caller: Writing) -> dict[str, Any]:
    """What was asked, of the version the editor saw."""
    return asked(given, caller) | {"version": expected_version(request)}
