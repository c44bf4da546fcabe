"""The server itself: the protocol's requests, answered from one memory for whoever calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS

import relembra
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.mcp import prompts, resources, tools
from relembra.interfaces.mcp.acting import done
from relembra.interfaces.mcp.answers import text_of
from relembra.interfaces.mcp.callers import Caller
from relembra.interfaces.mcp.failures import logged, sentence_of
from relembra.interfaces.mcp.words import Words
from relembra.memory import Memory

NAME = "relembra"

Context = ServerRequestContext[Any, Any]


def server(memory: Memory, caller_of: Callable[[Context], Caller], *, language: str = "en") -> Server[Any]:
    """A server over a memory; `caller_of` tells of each request who makes it."""
    words = Words(language)

    async def list_tools(context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools.allowed(caller_of(context).right, language))

    async def call_tool(context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        if asked.name not in tools.DEEDS:
            known = ", ".join(tool.name for tool in tools.allowed(caller_of(context).right, language))
            raise MCPError(INVALID_PARAMS, f"no tool {asked.name!r}; there are {known}")
        try:
            answer = await done(memory, caller_of(context), asked.name, asked.arguments, words)
        except Exception as error:  # noqa: BLE001 - the outermost handler; a model is told what to do instead
            logged(error, asked.name)
            return types.CallToolResult(content=[types.TextContent(text=sentence_of(error, words))], is_error=True)
        text = text_of(asked.name, answer, words)
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=answer)

    async def list_resources(context: Context, asked: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        after = None if asked is None else asked.cursor
        with_caller = caller_of(context)
        try:
            return await resources.listed(memory, with_caller, after, words)
        except Exception as error:
            raise _refused(error, "resources/list", words) from error

    async def list_templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=resources.templates(words))

    async def read_resource(context: Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            text = await resources.read(memory, caller_of(context), asked.uri, words)
        except Exception as error:
            raise _refused(error, "resources/read", words) from error
        contents = types.TextResourceContents(uri=asked.uri, mime_type=resources.MARKDOWN, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=prompts.listed(words))

    async def get_prompt(context: Context, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        try:
            return await prompts.got(memory, caller_of(context), asked.name, asked.arguments, words)
        except Exception as error:
            raise _refused(error, "prompts/get", words) from error

    return Server(
        NAME,
        version=relembra.__version__,
        title=words("server.title"),
        instructions=words("server.instructions"),
        get_tool_input_schema=lambda name: tools.input_schema(name, language),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _refused(error: Exception, doing: str, words: Words) -> MCPError:
    """The protocol's own kind of error, for what is no tool."""
    logged(error, doing)
    theirs = isinstance(error, NotFoundError | InvalidInputError)
    return MCPError(INVALID_PARAMS if theirs else INTERNAL_ERROR, sentence_of(error, words))
