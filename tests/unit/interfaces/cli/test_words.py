from __future__ import annotations

from pathlib import Path

import pytest

from relembra.interfaces.cli.commands import COMMANDS, GENERAL, GROUPS, VERSION
from relembra.interfaces.cli.words import spoken, token
from relembra.locale import ids

MANUAL = set(ids("cli"))


def test_every_command_and_part_has_its_meaning() -> None:
    for command in COMMANDS:
        assert f"help.{command.key}" in MANUAL
        for key in [option.key for option in command.options] + [argument.name for argument in command.arguments]:
            assert f"{command.key}.{key}" in MANUAL or f"any.{key}" in MANUAL, (command.name, key)
        for meta in [option.meta for option in command.options] + [argument.meta for argument in command.arguments]:
            assert not meta or f"meta.{meta}" in MANUAL
    assert all(f"any.{option.key}" in MANUAL for option in (*GENERAL, VERSION))
    assert all(f"group.{group}" in MANUAL for group in GROUPS)


def test_no_meaning_is_left_over() -> None:
    parts = {option.key for command in COMMANDS for option in command.options}
    parts |= {argument.name for command in COMMANDS for argument in command.arguments}
    parts |= {option.key for option in (*GENERAL, VERSION)}
    assert {key for key in MANUAL if key.startswith("any.")} - {f"any.{part}" for part in parts} == set()


@pytest.mark.parametrize(
    ("kind", "typed", "meant"),
    [
        ("type", "preferência", "preference"),
        ("type", "PREFERENCIA", "preference"),
        ("type", "goal", "goal"),
        ("area", "saúde-mental", "mental_health"),
        ("area", "mental_health", "mental_health"),
        ("area", "saúde", "health"),
        ("source", "digitado", "user_input"),
        ("type", "nonsense", "nonsense"),
    ],
)
def test_a_word_is_understood_in_either_language(kind: str, typed: str, meant: str) -> None:
    assert token(kind, typed) == meant


@pytest.mark.parametrize(
    ("argv", "env", "language"),
    [
        (["--lang", "pt"], {"LANG": "en_US.UTF-8"}, "pt"),
        (["list", "--lang=en"], {"LANG": "pt_BR.UTF-8"}, "en"),
        ([], {"RELEMBRA_LANGUAGE": "pt", "LANG": "en_US"}, "pt"),
        ([], {"LC_ALL": "pt_PT.UTF-8", "LANG": "en_US"}, "pt"),
        ([], {"LC_MESSAGES": "en_GB", "LANG": "pt_BR"}, "en"),
        ([], {"LANG": "C"}, "en"),
        ([], {}, "en"),
        (["add", "--", "--lang", "pt"], {}, "en"),
        (["--lang", "fr"], {"LANG": "pt_BR"}, "pt"),
        (["--lang"], {"LANG": "pt_BR"}, "pt"),
    ],
)
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
