"""The tools for an assistant: their description, and a way to try one."""

from __future__ import annotations

import sys
from typing import Any, Literal, cast

from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.terminal import Terminal
from relembra.interfaces.shapes import json_text
from relembra.memory import Memory

WRITES = "add_knowledge"


def tools(call: Call) -> Answer:
    """JSON for people too: it is made to be handed on."""
    format = cast(Literal["openai", "anthropic"], call.given.maybe("format") or "openai")
    return _json(Memory.tools(format, call.words.language))


async def call(call: Call) -> Answer:
    given = call.given
    name = given.required("tool")
    arguments = given.text("arguments")
    async with call.writing() if name == WRITES else call.reading() as memory:
        answer = await memory.call_tool(
            name,
            arguments,
            space=given.maybe("space"),
            channel=given.maybe("channel"),
            by=given.who("by") or "model:assistant",
            language=call.words.language,
            **call.whose,
        )
    return _json(answer)


def _json(data: Any) -> Answer:
    def people(_: Terminal) -> None:
        sys.stdout.write(json_text(data) + "\n")

    return Answer(data, people)
