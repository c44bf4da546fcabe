"""Who is listened to, from the command line, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.running import Cli
from relembra.interfaces.cli.words import Words


@pytest.fixture(params=["en", "pt"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_somebody_is_blocked_shown_and_listened_to_again(cli: Cli, language: str) -> None:
    words = Words(language)
    assert words("empty.blocks") in cli("blocks", "--lang", language).out
    assert words("block.done", name="Ana") in cli("block", "Ana", "--lang", language).out
    refused = cli("save", "--said", "I live in York.", "--lang", language)
    assert refused.out.strip() == words("refused.blocked", user="ana")
    foreseen = cli("preview", "I live in York.", "--lang", language)
    assert foreseen.out.strip() == words("preview.blocked", user="ana")
    shown = cli("blocks", "--lang", language).out
    assert "Ana" in shown
    assert words("block.person") in shown
    assert words("unblock.done", name="ana") in cli("unblock", "ana", "--lang", language).out
    assert words("unblock.nothing", name="ana") in cli("unblock", "ana", "--lang", language).out
    assert cli("save", "--said", "I live in York.", "--json").data["refused"] is None


def test_a_space_is_switched_off_shown_and_switched_on(cli: Cli, language: str) -> None:
    words = Words(language)
    assert words("empty.spaces") in cli("spaces", "--lang", language).out
    cli("save", "--said", "hi", "--space", "square")
    assert words("spaces.off.done", space="Club") in cli("spaces", "off", "Club", "--lang", language).out
    refused = cli("save", "--said", "hi", "--space", "club", "--lang", language)
    assert refused.out.strip() == words("refused.switched_off", space="club")
    listed = [line.split("\t") for line in cli("spaces", "--lang", language).out.splitlines()]
    assert listed == [["Club", words("space.off")], ["square", words("space.on")]]
    assert words("spaces.on.done", space="club") in cli("spaces", "on", "club", "--lang", language).out
    assert cli("spaces", "list", "--json").data["items"] == [{"name": "square", "on": True, "by_settings": False}]


def test_what_the_settings_close_stays_closed(cli: Cli, language: str, tmp_path: Path) -> None:
    words = Words(language)
    cli("save", "--said", "hi")
    (tmp_path / "relembra.toml").write_text('blocked = ["eve"]\nspaces_off = ["club"]')
    shown = cli("blocks", "--lang", language).out
    assert shown.count(words("block.by_settings")) == 2
    assert words("space.off_by_settings") in cli("spaces", "--lang", language).out
    for line in (("unblock", "Eve"), ("spaces", "on", "club")):
        ran = cli(*line, "--lang", language)
        assert (ran.code, ran.out) == (cli(*line).code, "")
        assert ran.code != 0
        assert words("error.conflict.settings") in ran.err


def test_users_are_shown_by_name_and_by_the_page(cli: Cli, language: str) -> None:
    words = Words(language)
    assert words("empty.users") in cli("users", "--lang", language).out
    for user in ("bia", "ana", "cléa"):
        cli("add", "x", "--user", user)
    cli("block", "CLEA")
    shown = cli("users", "--lang", language).out.splitlines()
    assert shown == ["ana", "bia", f"cléa  {words('block.person')}"]
    first = cli("users", "--limit", "2", "--json").data
    assert first["items"] == ["ana", "bia"]
    assert cli("users", "--after", first["next"], "--json").data == {"items": ["cléa"], "next": None}


def test_programs_get_doors_as_they_are_kept(cli: Cli) -> None:
    block = cli("block", "eve", "--json").data
    assert (block["kind"], block["name"], block["by_settings"]) == ("person", "eve", False)
    assert cli("blocks", "--json").data == {"items": [block]}
    assert cli("spaces", "off", "club", "--json").data == {"name": "club", "on": False, "by_settings": False}
    assert cli("unblock", "eve", "--json").data == {"unblocked": True}
    assert cli("blocks", "--tenant", "other", "--json").data == {"items": []}


@pytest.mark.parametrize("line", [("block",), ("unblock",), ("spaces", "on"), ("spaces", "off"), ("block", "a", "b")])
def test_a_name_is_needed(cli: Cli, line: tuple[str, ...]) -> None:
    assert cli(*line).code == 2
