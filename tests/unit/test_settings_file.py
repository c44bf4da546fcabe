"""Changing settings in a file somebody wrote: what was asked for, and nothing else."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from loops import each
from relembra import SettingsError
from relembra.settings import changed, file_to_write, held_in, load_settings, write_settings

WRITTEN = """\
# my settings
db = "~/memories/ana.db"   # on the large disk
preset = 'work'  # since March
language="pt"

# what the preset has differently
[policy.context]
budget_tokens = 800

[upstreams.ollama]
url = "http://127.0.0.1:11434/v1"
"""


@each(
    [
        ("", 'preset = "work"\n'),
        ("# nothing set yet\n", '# nothing set yet\npreset = "work"\n'),
        ('user = "ana"', 'user = "ana"\npreset = "work"\n'),
        ("[policy.listen]\nquiet = 600\n", 'preset = "work"\n\n[policy.listen]\nquiet = 600\n'),
        ('user = "ana"\r\n', 'user = "ana"\r\npreset = "work"\r\n'),
        ('preset = "life" # ours\r\n', 'preset = "work" # ours\r\n'),
    ]
)
def test_every_kind_of_file_takes_a_setting(text: str, after: str) -> None:
    assert changed(text, {"preset": "work"}) == after


def test_what_only_looks_like_the_setting_is_left_alone() -> None:
    text = 'prompts = """\npreset = "life"\n[policy.context]\n"""\n'
    tricky = text + '[upstreams.preset]\nurl = "http://a"\nmodel = "preset = 1"\n'
    after = changed(tricky, {"preset": "work"})
    assert tomllib.loads(after) == tomllib.loads(tricky) | {"preset": "work"}
    assert after.replace('preset = "work"\n', "", 1).strip() == tricky.strip()


@given(
    some.sampled_from(["", "# said\n", 'user = "ana" # me\n', "[policy.context]\nbudget_tokens = 8\n", WRITTEN]),
    some.dictionaries(some.sampled_from(["language", "timezone", "preset", "db"]), some.text(max_size=20)),
)
def test_whatever_is_written_is_read_back_and_nothing_else_changed(text: str, changes: dict[str, str]) -> None:
    try:
        after = changed(text, changes)
    except SettingsError:
        assert any("\x7f" in value or not value.isprintable() for value in changes.values())
        return
    assert tomllib.loads(after) == tomllib.loads(text) | changes
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in after.splitlines() if line.startswith("#")
    ]


def test_a_file_is_replaced_whole_with_its_mode_and_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "mine.toml", tmp_path / "relembra.toml"
    file.write_text(WRITTEN)
    file.chmod(0o640)
    link.symlink_to(file)
    write_settings(link, {"preset": "companion", "timezone": "Europe/Lisbon"})
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    settings = load_settings({"RELEMBRA_CONFIG": str(link)})
    assert (settings.preset, settings.timezone, settings.policy["context"]["budget_tokens"]) == (
        "companion",
        "Europe/Lisbon",
        800,
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml", "relembra.toml"]


def test_settings_that_could_not_be_used_are_refused_and_the_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "relembra.toml"
    file.write_text(WRITTEN)
    for wrong in ({"preset": "pirate"}, {"timezone": "Atlantis/Centre"}, {"language": "xx"}, {"colour": "red"}):
        with pytest.raises(SettingsError):
            write_settings(file, wrong)
        assert file.read_text() == WRITTEN
    assert [path.name for path in tmp_path.iterdir()] == ["relembra.toml"]


def test_without_a_file_one_is_made_that_only_its_owner_reads(tmp_path: Path) -> None:
    env = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    path = file_to_write(env)
    assert path == tmp_path / "config" / "relembra" / "relembra.toml"
    assert held_in(path) == {}
    write_settings(path, {"language": "pt"})
    assert held_in(path) == {"language": "pt"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert file_to_write(env) == path
