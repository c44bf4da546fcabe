"""The command `relembra`: reads the line, runs what it names, and turns any outcome into words and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from relembra.interfaces.cli.parser import Line, help_text, parsed
from relembra.interfaces.cli.words import Words, spoken

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from relembra.interfaces.cli.call import Answer, Call


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; its exit code."""
    typed = list(sys.argv[1:] if argv is None else argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads would wait for the embedder's, which works beside
    _use_utf8()
    words = Words(spoken(typed, os.environ))
    line = Line(None, {key: True for key in ("json", "debug") if f"--{key}" in typed})
    try:
        line = parsed(typed)
        code = _done(line, words)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        key = f"stopped.{line.command.name.partition(' ')[0] if line.command else ''}"
        sys.stderr.write("\n" + words(key if words.has(key) else "error.interrupted") + "\n")
        return 130
    except Exception as error:  # noqa: BLE001 - the outermost handler
        return _failed(error, line, words)
    return code


def _done(line: Line, words: Words) -> int:
    """Answer with help or the version, which need nothing, or run the command."""
    if "version" in line.general:
        from relembra import __version__

        text = f'{{"version": "{__version__}"}}' if "json" in line.general else f"relembra {__version__}"
        sys.stdout.write(text + "\n")
    elif "help" in line.general or line.command is None:
        from shutil import get_terminal_size

        sys.stdout.write(help_text(line.command, words, width=get_terminal_size().columns))
    else:
        return _run(line, words)
    return 0


def _run(line: Line, words: Words) -> int:
    """Run the command, and show its answer to a program or to a person."""
    import asyncio
    import logging

    from relembra.interfaces.cli.call import Answer, Call

    if "debug" in line.general:
        logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    else:  # errors reach people as sentences
        logging.getLogger("relembra").addHandler(logging.NullHandler())
    call = Call(line, words)
    given = answered(call)
    answer = given if isinstance(given, Answer) else asyncio.run(given)
    if call.json:
        from relembra.interfaces.shapes import json_text, wire

        sys.stdout.write(json_text(wire(answer.value if answer.json is ... else answer.json)) + "\n")
    else:
        from relembra.interfaces.cli.terminal import Terminal

        answer.show(Terminal(words, call=call), answer.value)
    return answer.code


def answered(call: Call) -> Answer | Coroutine[Any, Any, Answer]:
    """Load the command that was typed and call it with what was typed behind it."""
    import importlib

    module, _, name = call.does.partition(":")
    command = getattr(importlib.import_module(f"relembra.interfaces.cli.{module}"), name)
    given: Answer | Coroutine[Any, Any, Answer] = command(call, **call.values)
    return given


def _failed(error: Exception, line: Line, words: Words) -> int:
    """Say what went wrong on standard error, without a traceback unless asked for one."""
    import json

    from relembra.errors import RelembraError
    from relembra.interfaces.cli.call import Call, code_of, data_of, sentence_of

    if "debug" in line.general:
        import traceback

        traceback.print_exception(error)
    if "json" in line.general:
        text = json.dumps(data_of(error), ensure_ascii=False, indent=2, default=str)
    else:
        call = Call(line, words)
        try:
            known = {"user": call.user, "db": call.db}
        except (RelembraError, OSError):  # the settings cannot be read
            known = {name: call.typed.get(name, "") for name in ("user", "db")}
        named = getattr(error, "command", None) or call.command
        text = sentence_of(error, words, command=named, **known)
    sys.stderr.write(text + "\n")
    return code_of(error)


def _use_utf8() -> None:
    """UTF-8 in and out, whatever the system's locale; one that cannot be shown does not stop the answer."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(encoding="utf-8", errors="surrogateescape" if stream is sys.stdin else "backslashreplace")
