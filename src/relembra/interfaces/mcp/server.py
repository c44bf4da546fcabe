"""The server itself: the protocol's requests, answered from one memory for whoever calls."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS

import relembra
from relembra.domain.text import escaped
from relembra.errors import (
    BusyError,
    InvalidInputError,
    MindError,
    NotFoundError,
    RelembraError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)
from relembra.interfaces import shapes
from relembra.interfaces.mcp import answers, resources, tools
from relembra.interfaces.mcp.answers import NOTES, text_of
from relembra.interfaces.mcp.callers import Caller
from relembra.interfaces.mcp.tools import TOOLS, input_schema
from relembra.interfaces.turns import VIA, Via
from relembra.locale import Words
from relembra.memory import Memory
from relembra.tools.arguments import Tool, checked


class RightError(RelembraError):
    """Whoever calls may not do this."""


async def done(
    memory: Memory, caller: Caller, tool: str, arguments: Mapping[str, Any] | None, words: Words
) -> dict[str, Any]:
    """The answer of a tool there is; an error of ours says what to mend."""
    if not caller.right.allows(TOOLS[tool].right):
        raise RightError(words("error.right"))
    if tool in set(Tool):
        return await memory.call_tool(tool, arguments, language=words.language, **caller.asking)
    schema = input_schema(tool)
    assert schema is not None
    given = checked(tool, schema, arguments)
    match tool:
        case "save":
            if not given.keys() & {"said", "replied", "messages"}:
                raise InvalidInputError(words("error.save.nothing"), field="said")
            via = {VIA: Via.MCP.value}
            return answers.saved(await memory.save(**given, metadata=via, **caller.where, **caller.whose))
        case "recall":
            kinds = given.pop("kinds", None) or None
            return answers.recalled(
                await memory.recall(**{"limit": 5, **given}, kinds=kinds, **caller.asking), words.language
            )
        case "conflicts":
            listing = await memory.conflicts(**{"open_only": True, "limit": 10, **given}, **caller.asking)
            return answers.cases(listing, words.language)
        case "forget":
            return await _forgotten(memory, caller, given, words)
        case _:
            return await _resolved(memory, caller, given, words)


async def _forgotten(memory: Memory, caller: Caller, given: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """One thing by its whole id; everything only where the name of the person is given with it."""
    item, conversation = given.get("item"), given.get("conversation")
    everything = given.get("all", False)
    if everything and (item is not None or conversation is not None):
        raise InvalidInputError(words("error.forget.one"), field="all")
    if everything and given.get("confirm") != caller.user:
        raise InvalidInputError(words("error.forget.confirm", name=caller.user), field="confirm")
    if not everything and (item is None) == (conversation is None):
        raise InvalidInputError(words("error.forget.one"), field="item")
    gone = await memory.forget(item=item, conversation=conversation, all=everything, **caller.whose)
    receipt: dict[str, Any] = shapes.wire(gone)
    return receipt


async def _resolved(memory: Memory, caller: Caller, given: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """The person's answer, passed on in their name; a case with a side that may not be shown is not there."""
    held = await memory.conflict(given["case"], **caller.whose)
    if caller.outside and (held.old.local_only or held.new.local_only):
        raise NotFoundError("case", given["case"])
    settled = await memory.resolve(held.case.id, keep=given["keep"], **caller.whose)
    return answers.case_shown(settled, words.language)


log = logging.getLogger(__name__)


def sentence_of(error: Exception, words: Words) -> str:
    """What went wrong and what to do, in the server's language where the sentence is this door's."""
    match error:
        case NotFoundError(what=what, id=id):
            key = f"error.{what}" if words.has(f"error.{what}") else "error.other"
            return words(key, what=what, id=repr(id))
        case BusyError() | StoreUnavailableError():
            return words("error.busy")
        case StoreFullError():
            return words("error.full")
        case StoreReadOnlyError():
            return words("error.read_only")
        case StoreError():
            return words("error.store")
        case MindError():
            return words("error.mind")
        case RelembraError():
            return str(error)
        case _:
            return words("error.unexpected", type=type(error).__name__)


def logged(error: Exception, doing: str) -> None:
    """Leave a trace of what should not happen: where, without the message, which may quote what somebody said."""
    if isinstance(error, StoreError | MindError):
        log.warning("%s: %s", doing, type(error).__name__)
    elif not isinstance(error, RelembraError):
        bare = RuntimeError(type(error).__name__)
        log.error("%s failed: %s", doing, type(error).__name__, exc_info=(RuntimeError, bare, error.__traceback__))


TAKES = {"what_do_you_know": ("topic",), "catch_up": ("conversation",)}


class NoPromptError(NotFoundError):
    """No prompt has this name."""

    def __init__(self, name: str) -> None:
        super().__init__("prompt", name)


def listed(words: Words) -> list[types.Prompt]:
    return [
        types.Prompt(
            name=name,
            title=words(f"{name}.title"),
            description=words(name),
            arguments=[
                types.PromptArgument(name=part, description=words(f"{name}.{part}"), required=False) for part in parts
            ],
        )
        for name, parts in TAKES.items()
    ]


async def got(
    memory: Memory, caller: Caller, name: str, arguments: Mapping[str, str] | None, words: Words
) -> types.GetPromptResult:
    """The prompt with what is remembered of its topic now."""
    if name not in TAKES:
        raise NoPromptError(name)
    given = {part: value.strip() for part, value in (arguments or {}).items() if value.strip()}
    if unknown := [part for part in given if part not in TAKES[name]]:
        raise InvalidInputError(f"{name} takes no {unknown[0]!r}; it takes {', '.join(TAKES[name])}", field=unknown[0])
    topic = given.get("topic")
    context = await memory.load(
        query=topic or (words("what_do_you_know.title") if name == "what_do_you_know" else None),
        conversation=given.get("conversation"),
        language=words.language,
        **caller.asking,
    )
    ask = words(f"{name}.ask.topic", topic=escaped(topic)) if topic else words(f"{name}.ask")
    parts = [context.text or words("found.none")]
    if name == "catch_up" and "conversation" not in given:
        latest = await resources.read(memory, caller, NOTES, words)
        parts.append(f"{words('found.notes')}\n{latest}")
    text = "\n\n".join([ask, words("prompt.frame"), *parts])
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=words(name), messages=[message])


NAME = "relembra"

Context = ServerRequestContext[Any, Any]


def server(memory: Memory, caller_of: Callable[[Context], Caller], *, language: str = "en") -> Server[Any]:
    """A server over a memory; `caller_of` tells of each request who makes it."""
    words = Words(language, "mcp")

    async def list_tools(context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools.allowed(caller_of(context).right, language))

    async def call_tool(context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        if asked.name not in tools.TOOLS:
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
        try:
            return await resources.listed(memory, caller_of(context), after, words)
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
        return types.ListPromptsResult(prompts=listed(words))

    async def get_prompt(context: Context, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        try:
            return await got(memory, caller_of(context), asked.name, asked.arguments, words)
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
