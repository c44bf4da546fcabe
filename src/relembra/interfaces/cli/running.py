"""Running a command: load it, await it, and show its answer to a program or to a person."""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
from collections.abc import Awaitable, Callable

from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.reading import Line
from relembra.interfaces.cli.words import Words

Does = Callable[[Call], Answer | Awaitable[Answer]]


def run(line: Line, words: Words) -> int:
    """The exit code of the command a line names."""
    assert line.command is not None
    _set_up_logging(debug=line.has("debug"))
    module, _, name = line.command.does.partition(":")
    does: Does = getattr(importlib.import_module(f"relembra.interfaces.cli.{module}"), name)
    call = Call(line, words)
    answer = does(call)
    if not isinstance(answer, Answer):
        answer = asyncio.run(_awaited(answer))
    if line.has("json"):
        from relembra.interfaces.shapes import json_text

        sys.stdout.write(json_text(answer.data) + "\n")
    else:
        from relembra.interfaces.cli.terminal import Terminal

        answer.people(Terminal(words))
    return answer.code


async def _awaited(answer: Awaitable[Answer]) -> Answer:
    return await answer


def _set_up_logging(*, debug: bool) -> None:
    """What the library logs is for --debug; errors reach people as sentences."""
    if debug:
        logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    else:
        logging.getLogger("relembra").addHandler(logging.NullHandler())
