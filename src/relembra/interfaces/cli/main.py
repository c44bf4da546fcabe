"""The command `relembra`: reads the line, runs what it names, and turns any outcome into words and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from relembra.interfaces.cli.parser import Line, help_text, parsed
from relembra.interfaces.cli.words import Words, spoken

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from relembra.interfaces.cli.call import Answer


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; its exit code."""
    typed = list(sys.argv[1:] if argv is None else argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads would wait for the embedder's, which works beside
    _speak_unicode()
    words = Words(spoken(typed, os.environ))
    line = Line(None, {key: True for key in ("json", "debug") if f"--{key}" in typed})
    try:
        line = parsed(typed)
        code = _done(line, words)
        sys.stdout.flush()
    except BrokenPipeError:
        return _reader_left()
    except KeyboardInterrupt:
        print("\n" + words("error.interrupted"), file=sys.stderr)  # noqa: T201 - this is the terminal's edge
        return 130
    except Exception as error:  # noqa: BLE001 - the outermost handler
        return _failed(error, line, words)
    return code


def _done(line: Line, words: Words) -> int:
    """Answer with help or the version, which need nothing, or run the command."""
    if "version" in line.general:
        from relembra import __version__

        text = f'{{"version": "{__version__}"}}' if "json" in line.general else f"relembra {__version__}"
        return _printed(text + "\n")
    if "help" in line.general or line.command is None:
        from shutil import get_terminal_size

        bold = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        return _printed(help_text(line.command, words, width=get_terminal_size().columns, bold=bold))
    return _run(line, words)


def _run(line: Line, words: Words) -> int:
    """Load the command, await it, and show its answer to a program or to a person."""
    import asyncio
    import importlib
    import logging

    from relembra.interfaces.cli.call import Answer, Call

    assert line.command is not None
    if "debug" in line.general:
        logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    else:  # errors reach people as sentences
        logging.getLogger("relembra").addHandler(logging.NullHandler())
    module, _, name = line.command.does.partition(":")
    does = getattr(importlib.import_module(f"relembra.interfaces.cli.{module}"), name)
    call = Call(line, words)
    given: Answer | Coroutine[Any, Any, Answer] = does(call, **line.values)
    answer = given if isinstance(given, Answer) else asyncio.run(given)
    if call.json:
        from relembra.interfaces.shapes import json_text, wire

        _printed(json_text(wire(answer.data)) + "\n")
    else:
        from relembra.interfaces.cli.terminal import Terminal

        answer.people(Terminal(words, call=call))
    return answer.code


def _printed(text: str) -> int:
    sys.stdout.write(text)
    return 0


def _failed(error: Exception, line: Line, words: Words) -> int:
    """Say what went wrong on standard error, without a traceback unless asked for one."""
    import json

    from relembra.errors import RelembraError
    from relembra.interfaces.cli import failures
    from relembra.interfaces.cli.call import OTHER

    if "debug" in line.general:
        import traceback

        traceback.print_exception(error)
    if "json" in line.general:
        text = json.dumps(failures.data_of(error), ensure_ascii=False, indent=2, default=str)
    else:
        named = getattr(error, "command", None) or (line.command.name if line.command else None)
        text = failures.sentence_of(error, words, command=named, **_known(line, words))
    sys.stderr.write(text + "\n")
    return failures.code_of(error) if isinstance(error, RelembraError) else OTHER


def _known(line: Line, words: Words) -> dict[str, str]:
    """Whose memory and where, as far as it can be told when something went wrong."""
    from relembra.errors import RelembraError
    from relembra.interfaces.cli.call import Call

    call = Call(line, words)
    try:
        return {"user": call.user, "db": call.db}
    except (RelembraError, OSError):
        return {"user": call.typed.get("user", ""), "db": call.typed.get("db", "")}


def _reader_left() -> int:
    """Whoever read our output has gone, as `head` does; there is nobody left to tell."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _speak_unicode() -> None:
    """UTF-8 in and out, whatever the system's locale; a character nobody can show does not stop the answer."""
    streams: tuple[tuple[TextIO, str], ...] = (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    )
    for stream, errors in streams:
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(encoding="utf-8", errors=errors)
