from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loops import each
from relembra.interfaces.cli.commands import ALIASES, BY_NAME, COMMANDS, GENERAL, VERSION, Command
from relembra.interfaces.cli.main import main
from relembra.interfaces.cli.parser import EXITS, help_text
from relembra.interfaces.cli.words import Words

DOC = Path(__file__).parents[4] / "docs" / "cli.md"
HEAVY = ("relembra.bootstrap", "numpy", "onnxruntime", "apsw", "msgspec", "rich", "typer", "pydantic")


AGREED = ("", "add", "keys create", "recall")
"""Pages whose every change is looked at: the overview, and commands with arguments, options and examples."""


@pytest.mark.parametrize("language", ["en", "pt"])
def test_help_is_as_it_was_agreed(
    language: str,
    golden: Callable[[str, str], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("", *BY_NAME):
        assert main([*name.split(), "--help", "--lang", language]) == 0
        shown = capsys.readouterr()
        assert shown.err == ""
        assert max(len(line) for line in shown.out.splitlines() if not line.startswith("  relembra")) <= 80
        if name in AGREED:
            golden(f"cli/{name.replace(' ', '_') or 'relembra'}.{language}.txt", shown.out)


@pytest.mark.parametrize("width", [20, 40, 60, 200])
def test_help_fits_any_width(width: int) -> None:
    for command in COMMANDS:
        lines = help_text(command, Words("pt"), width=width).splitlines()
        assert all(len(line) <= max(40, min(width, 100)) for line in lines if line.startswith(" " * 20))


def test_headings_are_bold_where_that_can_be_seen() -> None:
    assert "\x1b[1m" in help_text(None, Words("en"), bold=True)
    assert "\x1b" not in help_text(None, Words("en"))


def test_help_loads_nothing_slow() -> None:
    code = (
        "import sys; from relembra.interfaces.cli.main import main; main(['--help']); main(['add', '--help']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == "[]"


def section(command: Command) -> str:
    """The part of the page under a command's heading."""
    found = re.search(rf"^### {re.escape(command.name)}\n(.*?)(?=^##)", DOC.read_text("utf-8"), re.M | re.S)
    assert found is not None, f"docs/cli.md has no heading for {command.name}"
    return found[1]


@each(COMMANDS)
def test_every_command_and_option_is_documented(command: Command) -> None:
    named = set(re.findall(r"--([a-z][a-z-]*)", section(command)))
    assert {option.name for option in command.options} <= named
    assert f"relembra {command.name}" in section(command)


@each(COMMANDS)
def test_every_option_documented_is_there(command: Command) -> None:
    known = {option.name for option in (*command.options, *GENERAL, VERSION)}
    assert set(re.findall(r"--([a-z][a-z-]*)", section(command))) <= known


def test_every_command_documented_is_there() -> None:
    page = DOC.read_text("utf-8")
    assert set(re.findall(r"^### (.+)$", page, re.M)) == set(BY_NAME)
    assert all(name in BY_NAME for name in ALIASES.values())


def test_general_options_and_exit_codes_are_documented() -> None:
    page = DOC.read_text("utf-8")
    general, codes = page.split("## General options")[1].split("##")[0], page.split("## Exit codes")[1].split("##")[0]
    assert set(re.findall(r"^\| `--([a-z]+)", general, re.M)) == {option.name for option in (*GENERAL, VERSION)}
    assert tuple(int(code) for code in re.findall(r"^\| (\d+) ", codes, re.M)) == EXITS
