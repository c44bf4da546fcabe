"""Running a tool: checks the right and the arguments, calls the verb of the memory, and shapes what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relembra.errors import InvalidInputError, NotFoundError, RelembraError
from relembra.interfaces.mcp import answers
from relembra.interfaces.mcp.arguments import checked
from relembra.interfaces.mcp.callers import Caller
from relembra.interfaces.mcp.tools import DEEDS, input_schema
from relembra.interfaces.mcp.words import Words
from relembra.interfaces.turns import VIA, Via
from relembra.memory import Memory
from relembra.tools.arguments import Tool


class RightError(RelembraError):
    """Whoever calls may not do this."""


async def done(
    memory: Memory, caller: Caller, tool: str, arguments: Mapping[str, Any] | None, words: Words
) -> dict[str, Any]:
    """The answer of a tool there is; an error of ours says what to mend."""
    if not caller.right.allows(DEEDS[tool].right):
        raise RightError(words("error.right"))
    if tool in set(Tool):
        return await memory.call_tool(
            tool,
            arguments,
            language=words.language,
            outside=caller.outside,
            **caller.where,
            **caller.whose,
        )
    schema = input_schema(tool)
    assert schema is not None
    given = checked(tool, schema, arguments)
    match tool:
        case "save":
            return await _saved(memory, caller, given, words)
        case "recall":
            return await _recalled(memory, caller, given, words)
        case "forget":
            return await _forgotten(memory, caller, given, words)
        case "conflicts":
            return await _conflicts(memory, caller, given, words)
        case _:
            return await _resolved(memory, caller, given, words)


async def _saved(memory: Memory, caller: Caller, given: Mapping[str, Any], words: Words) -> dict[str, Any]:
    if not given.keys() & {"said", "replied", "messages"}:
        raise InvalidInputError(words("error.save.nothing"), field="said")
    saved = await memory.save(**given, metadata={VIA: Via.MCP.value}, **caller.where, **caller.whose)
    return answers.saved(saved)


async def _recalled(memory: Memory, caller: Caller, given: Mapping[str, Any], words: Words) -> dict[str, Any]:
    what = await memory.recall(
        given["query"],
        limit=given.get("limit", 5),
        kinds=given.get("kinds") or None,
        outside=caller.outside,
        **caller.where,
        **caller.whose,
    )
    return answers.recalled(what, words.language)


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
    return answers.forgotten(gone)


async def _conflicts(memory: Memory, caller: Caller, given: Mapping[str, Any], words: Words) -> dict[str, Any]:
    listing = await memory.conflicts(
        open_only=given.get("open_only", True),
        limit=given.get("limit", 10),
        after=given.get("after"),
        outside=caller.outside,
        **caller.where,
        **caller.whose,
    )
    return answers.cases(listing, words.language)


async def _resolved(memory: Memory, caller: Caller, given: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """The person's answer, passed on in their name; a case with a side that may not be shown is not there."""
    held = await memory.conflict(given["case"], **caller.whose)
    if caller.outside and (held.old.local_only or held.new.local_only):
        raise NotFoundError("case", given["case"])
    settled = await memory.resolve(held.case.id, keep=given["keep"], **caller.whose)
    return answers.case_shown(settled, words.language)
