"""The door for desktop clients: one client, served over standard input and output until it leaves."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from relembra.domain.access import Right
from relembra.errors import MissingExtraError
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.failures import INTERRUPTED
from relembra.interfaces.cli.reading import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


async def mcp(call: Call) -> Answer:
    """Nothing but the protocol is written to standard output, so there is nothing to say at the end either."""
    if call.line.has("json"):
        raise UsageError("usage.no_option", command="mcp", option="--json")
    try:
        from relembra.interfaces.mcp.callers import Caller
        from relembra.interfaces.mcp.stdio import served
    except ModuleNotFoundError as exc:
        raise MissingExtraError("the MCP server", "server") from exc
    from relembra.bootstrap import opened

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("mcp").setLevel(logging.WARNING)  # below that it quotes what is said
    given = call.given
    caller = Caller(
        **call.whose,
        right=Right.READ if given.flag("read_only") else Right.WRITE,
        local=given.flag("local"),
        space=given.maybe("space"),
        channel=given.maybe("channel"),
    )
    try:
        with _ended_by(signal.SIGTERM):
            async with opened(settings=call.settings) as memory:
                await served(memory, caller, language=call.words.language)
    except asyncio.CancelledError:
        return Answer(None, lambda _: None, INTERRUPTED)
    return Answer(None, lambda _: None)


@contextmanager
def _ended_by(number: signal.Signals) -> Iterator[None]:
    """A signal ends this task as Ctrl-C does, so that the memory is closed."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # where the loop has no signals
        loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            loop.remove_signal_handler(number)
