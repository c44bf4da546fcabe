"""Terminals of a given width that write into a text."""

from __future__ import annotations

import io

from rich.console import Console

from relembra.interfaces.cli.commands import Words
from relembra.interfaces.cli.terminal import Terminal


def a_terminal(width: int = 80, language: str = "pt") -> tuple[Terminal, io.StringIO]:
    file = io.StringIO()
    return Terminal(Words(language), Console(file=file, width=width, highlight=False, markup=False, emoji=False)), file


def flat(file: io.StringIO | str) -> str:
    """What was written, without its line breaks and padding."""
    return " ".join((file if isinstance(file, str) else file.getvalue()).split())


def fits(file: io.StringIO, width: int) -> bool:
    return all(len(line) <= width for line in file.getvalue().splitlines())
