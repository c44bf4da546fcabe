"""The command `relembra`: reads the line, runs what it names, and turns any outcome into words and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from relembra.interfaces.cli.reading import Line, UsageError, understood
from relembra.interfaces.cli.words import Words, spoken


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; its exit code."""
    words_typed = list(sys.argv[1:] if argv is None else argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads would wait for the embedder's, which works beside
    _speak_unicode()
    words = Words(spoken(words_typed, os.environ))
    line = Line(None, {key: [""] for key in ("json", "debug") if f"--{key}" in words_typed})
    try:
        line = understood(words_typed)
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
    if line.has("version"):
        from relembra.interfaces.cli.upkeep import version_text

        return _printed(version_text(as_json=line.has("json")))
    if line.has("help") or line.command is None:
        from shutil import get_terminal_size

        from relembra.interfaces.cli.manpage import Manpage

        bold = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        page = Manpage(words, width=get_terminal_size().columns, bold=bold)
        return _printed(page.command(line.command) if line.command else page.overview())
    from relembra.interfaces.cli.running import run

    return run(line, words)


def _printed(text: str) -> int:
    sys.stdout.write(text)
    return 0


def _failed(error: Exception, line: Line, words: Words) -> int:
    """Say what went wrong on standard error, without a traceback unless asked for one."""
    import json

    from relembra.errors import RelembraError
    from relembra.interfaces.cli import failures

    if line.has("debug"):
        import traceback

        traceback.print_exception(error)
    if line.has("json"):
        text = json.dumps(failures.data_of(error), ensure_ascii=False, indent=2, default=str)
    else:
        named = line.command.name if line.command else None
        if isinstance(error, UsageError):
            named = error.command
        user, db = _whose(line, words)
        text = failures.sentence_of(error, words, user=user, db=db, command=named)
    sys.stderr.write(text + "\n")
    return failures.code_of(error) if isinstance(error, RelembraError) else failures.OTHER


def _whose(line: Line, words: Words) -> tuple[str, str]:
    """Whose memory and where, as far as it can be told when something went wrong."""
    from relembra.errors import RelembraError
    from relembra.interfaces.cli.call import Call

    try:
        call = Call(line, words)
        return call.user, call.db
    except (RelembraError, OSError):
        return line.last("user") or "", line.last("db") or ""


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
