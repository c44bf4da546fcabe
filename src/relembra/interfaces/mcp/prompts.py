"""Prompts a person picks in their client: a question in their words, with what is remembered beneath it."""

from __future__ import annotations

from collections.abc import Mapping

from mcp import types

from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.mcp import resources
from relembra.interfaces.mcp.answers import NOTES
from relembra.interfaces.mcp.callers import Caller
from relembra.interfaces.mcp.words import Words
from relembra.memory import Memory
from relembra.recall.rendering import escaped

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
        outside=caller.outside,
        **caller.where,
        **caller.whose,
    )
    ask = words(f"{name}.ask.topic", topic=escaped(topic)) if topic else words(f"{name}.ask")
    parts = [context.text or words("found.none")]
    if name == "catch_up" and "conversation" not in given:
        latest = await resources.read(memory, caller, NOTES, words)
        parts.append(f"{words('found.notes')}\n{latest}")
    text = "\n\n".join([ask, words("prompt.frame"), *parts])
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=words(name), messages=[message])
