"""What was said: messages and the conversations they stand in."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request, Response
from pydantic import ConfigDict, Field

from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered, page_answer
from relembra.interfaces.http.callers import MemoryDep, Reading, Writing
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.idempotency import name_of
from relembra.interfaces.http.inputs import BODY, By, Handed, Moment, Paged, Where, Whose, asked

router = group("messages")

ConversationId = Annotated[
    str, Path(description="The conversation's id; one may hold a slash, as a space's does.", examples=["direct"])
]


class SaveBody(Where):
    model_config = ConfigDict(
        **BODY,
        json_schema_extra={
            "examples": [
                {
                    "user": "ana",
                    "said": "Moro em Lisboa desde março e sou alérgica a camarão.",
                    "replied": "Anotado. Quer sugestões de restaurantes?",
                    "conversation": "viagem",
                },
                {"user": "ben", "said": "My sister Kate moved to Oslo.", "at": "2026-03-01T10:00:00+01:00"},
                {
                    "user": "nora",
                    "messages": [
                        {"role": "user", "content": "We live in Bristol now.", "id": "m-1"},
                        {"role": "assistant", "content": [{"type": "text", "text": "Lovely!"}], "id": "m-2"},
                    ],
                },
            ]
        },
    )

    said: str | None = Field(None, description="What the person said.")
    replied: str | None = Field(None, description="What the assistant replied.")
    messages: list[dict[str, Any]] | None = Field(
        None,
        description="A list instead, as chat programs hold it, all kept or none: role (user, assistant, system, tool), "
        "content (text or parts, of which the texts are kept), and where you have them name, at or created_at, and id.",
    )
    at: Moment | None = Field(None, description="When it was said, on the speaker's own clock; none: now.")
    conversation: str | None = Field(None, description="The conversation; none: the place's own.")
    external_id: str | None = Field(None, description="Your id of it: saving the same one twice is one message.")
    author: str | None = Field(None, description="Who said it, where that is not the person.")
    author_name: str | None = Field(
        None, description="How an app shows whoever said it; used to address them until they state a name."
    )
    program: bool | None = Field(None, description="A program said it, so nothing is learnt from it.")
    skip: bool | None = Field(None, description="Pass over this one.")
    metadata: dict[str, str] | None = Field(None, description="Words of yours, kept with it.")


class MessagesQuery(Handed, Paged, Where):
    conversation: str | None = Field(None, description="Only of this conversation.")


class ConversationsQuery(Paged, Whose):
    pass


class StartBody(By, Where):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana", "title": "Viagem a Portugal"}]})

    id: str | None = Field(None, description="An id of yours; none: a new one.")
    title: str | None = None


class RenameBody(By, Whose):
    model_config = ConfigDict(**BODY, json_schema_extra={"examples": [{"user": "ana", "title": "Férias em Lisboa"}]})

    title: str


class HideQuery(By, Whose):
    pass


@router.post("/messages", status_code=201, responses=told(schemas.Saved, 201))
async def save(body: SaveBody, request: Request, caller: Writing, memory: MemoryDep) -> Response:
    """Keep what was said, what was replied, both, or a list of messages; durable once answered."""
    given = asked(body, caller)
    if (once := await name_of(request, caller)) is not None:
        given.setdefault("external_id", once)
    return answered(shapes.saved(await memory.save(**given)), 201)


@router.get("/messages", responses=told(schemas.Messages, paged=True))
async def messages(
    request: Request, query: Annotated[MessagesQuery, Query()], caller: Reading, memory: MemoryDep
) -> Response:
    """What was said, newest first."""
    return page_answer(request, await memory.messages(**asked(query, caller)))


@router.get("/conversations", responses=told(schemas.Conversations, paged=True))
async def conversations(
    request: Request, query: Annotated[ConversationsQuery, Query()], caller: Reading, memory: MemoryDep
) -> Response:
    """A person's conversations, last used first."""
    return page_answer(request, await memory.conversations(**asked(query, caller)))


@router.post("/conversations", status_code=201, responses=told(schemas.ConversationRow, 201))
async def start_conversation(body: StartBody, caller: Writing, memory: MemoryDep) -> Response:
    """Open a conversation under an id of yours or a new one."""
    return answered(shapes.flat(await memory.start_conversation(**asked(body, caller))), 201)


@router.patch("/conversations/{id:path}", responses=told(schemas.ConversationRow))
async def rename_conversation(id: ConversationId, body: RenameBody, caller: Writing, memory: MemoryDep) -> Response:
    """Give a conversation another title."""
    return answered(shapes.flat(await memory.rename_conversation(id, **asked(body, caller))))


@router.delete("/conversations/{id:path}", responses=told(schemas.ConversationRow))
async def delete_conversation(
    id: ConversationId, query: Annotated[HideQuery, Query()], caller: Writing, memory: MemoryDep
) -> Response:
    """Hide a conversation with its messages; undo brings both back."""
    return answered(shapes.flat(await memory.delete_conversation(id, **asked(query, caller))))
