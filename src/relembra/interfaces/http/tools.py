"""Tools for an assistant, and commands typed in a chat."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from fastapi import Path, Query, Response
from pydantic import ConfigDict, Field

from relembra.domain.access import Right
from relembra.interfaces import shapes
from relembra.interfaces.http import schemas
from relembra.interfaces.http.answers import answered
from relembra.interfaces.http.callers import MemoryDep, Reading, Writing
from relembra.interfaces.http.documents import group, told
from relembra.interfaces.http.inputs import BODY, By, Handed, Spoken, Where, asked
from relembra.tools.arguments import Tool

router = group("tools")

READ_ONLY = frozenset({Tool.SEARCH_KNOWLEDGE, Tool.ANALYZE_CONTEXT})
NO_COMMAND: dict[str, Any] = {"name": None, "text": None, "done": False, "items": []}


class ToolFormat(StrEnum):
    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class ToolsQuery(Spoken):
    format: ToolFormat = Field(ToolFormat.OPENAI, description="Whose way of describing them.")


class CallBody(Handed, By, Spoken, Where):
    model_config = ConfigDict(
        **BODY,
        json_schema_extra={
            "examples": [
                {"user": "ana", "arguments": {"query": "alergias"}},
                {"user": "ben", "arguments": '{"query": "sister", "limit": 3}'},
            ]
        },
    )

    arguments: dict[str, Any] | str | None = Field(None, description="What the model gave, as it gave it.")


class CommandBody(Handed, Spoken, Where):
    model_config = ConfigDict(
        **BODY, json_schema_extra={"examples": [{"user": "ana", "text": "/lembrar sou alérgica a camarão"}]}
    )

    text: str


@router.get("/tools", responses=told(schemas.Tools))
async def tools(query: Annotated[ToolsQuery, Query()], _: Reading, memory: MemoryDep) -> Response:
    """The three tools for an assistant, as OpenAI or Anthropic want them described."""
    return answered({"tools": memory.tools(query.format.value, query.language or "en")})


@router.post("/tools/{name}", responses=told(schemas.ToolAnswer))
async def call_tool(
    name: Annotated[str, Path(description="The tool.", examples=["search_knowledge"])],
    body: CallBody,
    caller: Reading,
    memory: MemoryDep,
) -> Response:
    """Run one of the tools with the arguments a model gave; add_knowledge needs the right to write."""
    if name not in READ_ONLY:
        caller.must(Right.WRITE)
    given = asked(body, caller)
    return answered(await memory.call_tool(name, given.pop("arguments", None), **given))


@router.post("/command", responses=told(schemas.CommandAnswer))
async def command(body: CommandBody, caller: Writing, memory: MemoryDep) -> Response:
    """The answer to a command in chat ("/lembrar …", "/forget …", "/perfil")."""
    answer = await memory.command(**asked(body, caller))
    return answered(NO_COMMAND if answer is None else shapes.command_answer(answer))
