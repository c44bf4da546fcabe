"""`relembra serve`: every door in one process, until Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import sys
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec
from rich.text import Text

from relembra.errors import InvalidInputError, MissingExtraError
from relembra.interfaces.cli.call import Answer, Call
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.terminal import Terminal

if TYPE_CHECKING:
    from relembra.interfaces.http.serving import Started

NEEDED = ("fastapi", "uvicorn", "httptools", "mcp", "prometheus_client", "jwt")
HIGHEST_PORT = 65_535


def serve(call: Call) -> Answer:
    """Serve until told to stop; --json says in one line where it listens."""
    if any(find_spec(name) is None for name in NEEDED):
        raise MissingExtraError("the server", "server")
    port = call.given.whole("port")
    if port is not None and not 0 <= port <= HIGHEST_PORT:
        raise InvalidInputError(f"port {port} is not between 0 and {HIGHEST_PORT}", field="port")
    settings = replace(
        call.settings,
        host=call.given.maybe("host") or call.settings.host,
        port=call.settings.port if port is None else port,
    )
    _log_warnings(debug=call.line.has("debug"))
    terminal, for_programs = Terminal(call.words), call.line.has("json")

    def told(started: Started) -> None:
        if for_programs:
            sys.stdout.write(msgspec.json.encode(data_of(started)).decode() + "\n")
            sys.stdout.flush()
        else:
            show(terminal, started)

    async def served() -> None:
        from relembra.bootstrap import opened
        from relembra.interfaces.http.serving import ListeningError, PortTakenError, UnguardedError
        from relembra.interfaces.http.serving import serve as serving

        async with opened(settings=settings) as memory:
            try:
                is_seen = for_programs or terminal.watched  # else a secret would end up in a log
                await serving(memory, settings, any_port=port is None, told=told, first_key=is_seen)
            except ListeningError as error:
                sentences = {PortTakenError: "serve.port_taken", UnguardedError: "serve.unguarded"}
                sentence = sentences.get(type(error), "serve.no_address")
                raise UsageError(sentence, command="serve", host=error.host, number=str(error.port)) from error

    with asyncio.Runner(loop_factory=_quick_loop()) as runner:
        runner.run(served())
    return Answer({"stopped": True}, lambda terminal: terminal.say("serve.stopped", "dim"))


def _quick_loop() -> type[asyncio.AbstractEventLoop] | None:
    """uvloop's where it runs."""
    try:
        import uvloop
    except ImportError:
        return None
    loop: type[asyncio.AbstractEventLoop] = uvloop.Loop
    return loop


def _log_warnings(*, debug: bool) -> None:
    """What goes wrong while nobody looks at a terminal is told on standard error, without anybody's words."""
    if not debug:
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)


def data_of(started: Started) -> dict[str, object]:
    first = started.first_key
    return {
        "url": started.url,
        "port": started.port,
        "keys_needed": not started.is_open,
        "first_key": None if first is None else first.secret,
    }


def show(terminal: Terminal, started: Started) -> None:
    """Where it listens, what is there, and the first key, which is shown this once."""
    if started.port != started.wanted_port != 0:
        terminal.say("serve.taken", "yellow", wanted=started.wanted_port, port=started.port)
    terminal.say("serve.listening", "bold green", url=started.url)
    rows = ("page", "docs", "v1", "chat", "mcp", "healthz")
    for row in rows:
        path = terminal.words(f"serve.path.{row}")
        terminal.show(Text(f"  {started.url}{path:<24}", "cyan").append(terminal.words(f"serve.what.{row}"), "default"))
    terminal.say("serve.open" if started.is_open else "serve.closed", "dim")
    if started.first_key is not None:
        terminal.say("serve.first_key", "yellow")
        terminal.show(Text(f"  {started.first_key.secret}", "bold"))
    elif not started.has_key:
        terminal.say("serve.no_key", "yellow")
    terminal.say("serve.stop", "dim")
