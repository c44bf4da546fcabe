"""What people type: the parser and its mistakes, the language of the answer, and the help, which loads quickly."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from loops import each
from relembra.interfaces.cli.commands import (
    ALIASES,
    BY_NAME,
    COMMANDS,
    GENERAL,
    GROUPS,
    VERSION,
    Command,
    Words,
)
from relembra.interfaces.cli.main import EXITS, help_text, main, parsed, spoken
from relembra.locale import ids

DOC = Path(__file__).parents[4] / "docs" / "cli.md"
HEAVY = ("relembra.bootstrap", "numpy", "onnxruntime", "apsw", "msgspec", "rich", "typer", "pydantic")
AGREED = ("", "add", "keys create", "recall")
"""Pages whose every change is looked at: the overview, and commands with arguments, options and examples."""


def values(*words: str) -> dict[str, Any]:
    return parsed(words).values


def test_options_and_arguments_may_come_in_any_order_and_the_later_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    line = parsed(["--user", "ana", "list", "--user=bia", "--json"])
    assert line.command is not None
    assert (line.command.name, line.general) == ("list", {"user": "bia", "json": True})
    assert values("add", "--tag", "a", "the text", "--tag=b") == {"content": "the text", "tags": ["a", "b"]}
    assert values("forget", "--yes", "abcd") == {"id": "abcd", "yes": True}
    line = parsed(["add", "--", "--json"])
    assert (line.values, line.general) == ({"content": "--json"}, {})
    assert values("save", "--said", "-5 graus") == {"said": "-5 graus"}
    assert values("save", "--said=-x") == {"said": "-x"}
    monkeypatch.setattr("sys.stdin", StringIO("de fora\n"))
    assert values("save", "--said", "-") == {"said": "de fora"}
    assert parsed(["correct", "--help"]).general == parsed(["-h"]).general == {"help": True}
    assert parsed([]).command is None
    for words in ("conversations", "conversations list", "conversations rename c t"):
        command = parsed(words.split()).command
        assert command is not None
        assert command.name == words.removesuffix(" list").removesuffix(" c t")


@each([
    (["--lang", "pt"], {"LANG": "en_US.UTF-8"}, "pt"), (["list", "--lang=en"], {"LANG": "pt_BR.UTF-8"}, "en"),
    ([], {"RELEMBRA_LANGUAGE": "pt", "LANG": "en_US"}, "pt"), ([], {"LC_ALL": "pt_PT.UTF-8", "LANG": "en_US"}, "pt"),
    ([], {"LC_MESSAGES": "en_GB", "LANG": "pt_BR"}, "en"), ([], {"LANG": "C"}, "en"), ([], {}, "en"),
    (["add", "--", "--lang", "pt"], {}, "en"), (["--lang", "fr"], {"LANG": "pt_BR"}, "pt"),
    (["--lang"], {"LANG": "pt_BR"}, "pt"),
])  # fmt: skip
def test_the_language_is_the_one_asked_for_else_the_systems(
    argv: list[str], env: dict[str, str], language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert spoken(argv, env | {"XDG_CONFIG_HOME": str(tmp_path)}) == language


def test_a_settings_file_chooses_the_language_and_a_broken_one_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "relembra.toml"
    file.write_text('language = "pt"')
    assert spoken([], {"LANG": "en_US"}) == "pt"
    assert spoken([], {"RELEMBRA_LANGUAGE": "en"}) == "en"
    file.write_text("language = ")
    assert spoken([], {"LANG": "en_US"}) == "en"


@each(["en", "pt"])
def test_help_is_as_it_was_agreed_and_fits_any_width(
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
    for width in (20, 200):
        for command in COMMANDS:
            lines = help_text(command, Words(language), width=width).splitlines()
            assert all(len(line) <= max(40, min(width, 100)) for line in lines if line.startswith(" " * 20))


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
def test_every_command_and_part_is_documented_and_has_its_meaning(command: Command) -> None:
    meant, general = set(ids("cli")), {option.name for option in (*GENERAL, VERSION)}
    named, offered = set(re.findall(r"--([a-z][a-z-]*)", section(command))), [one.name for one in command.options]
    assert set(offered) <= named <= set(offered) | general
    assert general.isdisjoint(offered)
    assert len(offered) == len(set(offered))
    assert f"relembra {command.name}" in section(command)
    assert f"help.{command.key}" in meant
    for part in (*command.options, *command.arguments):
        assert f"{command.key}.{part.key}" in meant or f"any.{part.key}" in meant, part
        assert not part.meta or f"meta.{part.meta}" in meant, part


def test_the_manual_and_the_catalogue_hold_every_command_and_nothing_more() -> None:
    page, meant = DOC.read_text("utf-8"), set(ids("cli"))
    assert set(re.findall(r"^### (.+)$", page, re.M)) == set(BY_NAME) >= set(ALIASES.values())
    general, codes = page.split("## General options")[1].split("##")[0], page.split("## Exit codes")[1].split("##")[0]
    everywhere = (*GENERAL, VERSION)
    assert set(re.findall(r"^\| `--([a-z]+)", general, re.M)) == {option.name for option in everywhere}
    assert tuple(int(code) for code in re.findall(r"^\| (\d+) ", codes, re.M)) == EXITS
    assert all(f"group.{group}" in meant for group in GROUPS)
    parts = {part.key for command in COMMANDS for part in (*command.options, *command.arguments)}
    parts |= {option.key for option in everywhere}
    assert {key for key in meant if key.startswith("any.")} <= {f"any.{part}" for part in parts}
