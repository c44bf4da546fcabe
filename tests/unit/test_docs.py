"""The documentation, held to its word: examples run, links resolve, and every name and number is described."""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import relembra
from loops import each
from relembra.domain.case import Outcome
from relembra.domain.knowledge import SupersessionRule
from relembra.domain.message import NoteKind
from relembra.domain.policy import KNOBS, LIFE, PRESETS, RankingName
from relembra.ingest.intake import Refusal
from relembra.minds.llm.models import OPENAI_PROTOCOL, OTHERS
from relembra.settings import Settings
from relembra.tools.answers import Tool

ROOT = Path(__file__).parents[2]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md"))]
}
EXPECTED = "# →"  # what follows it is printed; an empty line prints nothing


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_the_examples_of_a_page_run_in_order_and_print_what_they_say(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("RELEMBRA_CONFIG", "RELEMBRA_DB"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    names: dict[str, Any] = {"__name__": "example"}
    for block in blocks(page, "python"):
        expected = [line.partition(EXPECTED)[2].removeprefix(" ") for line in block.splitlines() if EXPECTED in line]
        with closed_when_failing(names), contextlib.redirect_stdout(io.StringIO()) as shown:
            exec(compile(block, page, "exec"), names)
        if expected:
            assert shown.getvalue().splitlines() == expected


@contextlib.contextmanager
def closed_when_failing(names: dict[str, Any]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        if memory := names.get("memory"):
            memory.close()
        raise


NOT_HERE = ("relembra serve", "relembra mcp", "relembra demo")  # endless; the demo has acceptance tests of its own


def test_the_readme_works_line_by_line_for_somebody_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its Python, then its command lines, in one fresh home: each succeeds and shows something of the lines before."""
    main = pytest.importorskip("relembra.interfaces.cli.main").main
    for name in [name for name in os.environ if name.startswith(("RELEMBRA_", "XDG_", "LC_"))]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": str(tmp_path), "USER": "nora", "LANG": "en_US.UTF-8"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    for block in blocks("README.md", "python"):
        exec(compile(block, "README.md", "exec"), {"__name__": "example"})
    lines = [line for block in blocks("README.md", "sh") for line in block.splitlines()]
    shown = {}
    for line in lines:
        if line.startswith("relembra ") and not line.startswith(NOT_HERE):
            capsys.readouterr()
            assert main(shlex.split(line)[1:]) == 0, line
            shown[line] = capsys.readouterr().out
            assert shown[line].strip(), line
            assert not re.match("Nothing|Nada", shown[line]), line
    assert len(shown) >= 20
    assert "Bristol" in shown["relembra me"]  # what the Python lines saved


@each(PAGES)
def test_links_within_the_project_lead_somewhere(page: str) -> None:
    astray = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            astray.append(target)
    assert astray == []


def prose(page: str) -> str:
    return re.sub(r"^```.*?^```$", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)


def anchors(file: Path) -> set[str]:
    """The headings of a page, as a link names them."""
    titles = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_is_reached_from_the_overview() -> None:
    overview = PAGES["README.md"]
    assert [page for page in PAGES if page.startswith("docs/") and f"({page})" not in overview] == []


@each(relembra.__all__)
def test_every_public_name_is_described(name: str) -> None:
    assert re.search(rf"`[^`]*\b{name}\b[^`]*`", PAGES["docs/python.md"])


VERBS = [name for name, _ in inspect.getmembers(relembra.Memory, inspect.isfunction) if not name.startswith("_")]


@each(VERBS)
def test_every_verb_is_described(verb: str) -> None:
    assert re.search(rf"\*\*`(Memory\.)?{verb}\(", PAGES["docs/python.md"])


@each(VERBS)
def test_every_parameter_of_a_verb_is_named(verb: str) -> None:
    described = " ".join(PAGES["docs/python.md"].split())
    signature = re.search(rf"\*\*`(?:Memory\.)?{verb}\((.*?)\)`\*\*", described)
    assert signature is not None
    everywhere = {"self", "tenant", "by"}
    named = set(re.findall(r"\w+", signature[1]))
    asked = set(inspect.signature(getattr(relembra.Memory, verb)).parameters) - everywhere
    assert asked <= named or "…" in signature[1]


def table(page: str) -> dict[str, str]:
    """The first two columns of every table whose first holds a name in backticks."""
    return dict(re.findall(r"^\| `([\w.]+)` \| ([^|]+?) \|", PAGES[page], re.MULTILINE))


def test_every_setting_is_described_with_its_default() -> None:
    described = table("docs/settings.md")
    for entry in fields(Settings):
        default = entry.default if entry.default is not MISSING else ""
        shown = {"": "empty", None: "none"}.get(default, f"`{default}`")
        assert described.get(entry.name) == shown, entry.name


def numbers() -> Iterator[tuple[str, Any]]:
    for part in fields(LIFE):
        value = getattr(LIFE, part.name)
        if is_dataclass(value):
            yield from ((f"{part.name}.{entry.name}", getattr(value, entry.name)) for entry in fields(value))


def test_the_numbers_that_can_be_changed_are_described() -> None:
    rows = re.findall(r"^\| `(\w+\.\w+)` \| (.+?) \| .{10,} \|$", PAGES["docs/settings.md"], re.MULTILINE)
    assert sorted(rows) == sorted((name, written(value)) for name, value in numbers() if name in KNOBS)


@each(PAGES)
def test_thresholds_named_in_the_text_are_the_policys(page: str) -> None:
    told = re.findall(r"([\d.]+)(?: or more)? \(`(\w+\.\w+_at_least)`\)", PAGES[page])
    policy = dict(numbers())
    assert told == [(written(policy[name]), name) for _, name in told]


UNITS = (
    ("day", timedelta(days=1)),
    ("hour", timedelta(hours=1)),
    ("minute", timedelta(minutes=1)),
    ("second", timedelta(seconds=1)),
)


def written(value: object) -> str:
    """A default as the page writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, timedelta):
        unit, length = next((unit, length) for unit, length in UNITS if not value % length)
        count = value // length
        return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
    return str(value)


def test_every_preset_and_ranking_is_named() -> None:
    page = PAGES["docs/settings.md"]
    assert all(f"| `{name}` |" in page for name in PRESETS)
    assert all(f"`{name}`" in page for name in RankingName)


@each([page for page in PAGES if blocks(page, "toml")])
def test_the_settings_shown_are_accepted(page: str) -> None:
    for block in blocks(page, "toml"):
        values = tomllib.loads(block)
        Settings(**values).chosen_policy()


def tables() -> list[str]:
    """The tables of a store's file."""
    folder = ROOT / "src" / "relembra" / "store" / "sqlite" / "migrations"
    steps = "".join(step.read_text("utf-8") for step in sorted(folder.glob("*.sql")))
    return re.findall(r"^CREATE TABLE (\w+)", steps, re.MULTILINE)


@each(
    [
        ("docs/storage.md", tables()),
        ("docs/learning.md", [*SupersessionRule]),
        ("docs/learning.md", [*Refusal, *NoteKind]),
        ("docs/learning.md", [*Outcome]),
        ("docs/mcp.md", [*Tool]),
        ("docs/models.md", [*OPENAI_PROTOCOL, *OTHERS]),
    ]
)
def test_every_word_of_a_page_s_few_is_explained(page: str, names: list[str]) -> None:
    assert [name for name in names if f"`{name}`" not in PAGES[page]] == []


def test_the_command_lines_shown_are_understood() -> None:
    parsing = pytest.importorskip("relembra.interfaces.cli.main")
    lines = [line for page in PAGES for block in blocks(page, "sh") for line in block.splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("relembra ")]
    assert commands
    for words in commands:
        assert parsing.parsed(words[1:]).command is not None
