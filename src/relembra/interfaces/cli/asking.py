"""Asking whoever sits at the terminal whether they are sure."""

from __future__ import annotations

import sys

from relembra.interfaces.cli.call import Call
from relembra.interfaces.cli.reading import UsageError
from relembra.interfaces.cli.terminal import note
from relembra.interfaces.cli.typed import one_line

YES = ("s", "sim", "y", "yes")


def agreed(call: Call, question: str, *, cannot: str) -> bool:
    """Whether the person at the terminal says yes; without one nobody is asked, and `cannot` says what to do."""
    if not sys.stdin.isatty():
        raise UsageError(cannot, command=call.line.command.name if call.line.command else None)
    note(question)
    sys.stderr.write(call.words("ask.sure"))
    sys.stderr.flush()
    return one_line().strip().casefold() in YES
