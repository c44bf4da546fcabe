"""What a person types while a command runs."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast


def whole_input() -> str:
    """All of standard input, without the line break at its end."""
    with _interruptible():
        return sys.stdin.read().removesuffix("\n")


@contextmanager
def input_file() -> Iterator[BinaryIO]:
    """All of standard input as a file that can be gone through more than once."""
    with tempfile.TemporaryFile() as kept:
        with _interruptible():
            shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.seek(0)
        yield cast(BinaryIO, kept)


def one_line() -> str:
    with _interruptible():
        return sys.stdin.readline()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end a wait for input at once; the event loop's own handler would wait for the input first."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:  # as nohup asks for
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
