from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from loops import each
from relembra import SettingsError
from relembra.bootstrap import chosen_embedder, chosen_store
from relembra.domain.policy import KNOBS, PRESETS, Policy, overridden
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.settings import Settings, load_settings, system_timezone


def test_later_wins_file_then_environment_then_caller(tmp_path: Path) -> None:
    file = tmp_path / "relembra.toml"
    file.write_text(
        'db = "file.db"\nuser = "file"\ntenant = "file"\n[policy.context]\nbudget_tokens = 800\nsession_idle = 600\n'
    )
    env = {"RELEMBRA_CONFIG": str(file), "RELEMBRA_USER": "env", "RELEMBRA_TENANT": "env"}
    settings = load_settings(env, tenant="caller", language=None)
    assert (settings.db, settings.user, settings.tenant) == ("file.db", "env", "caller")
    context = settings.chosen_policy().context
    assert (context.budget_tokens, context.session_idle) == (800, timedelta(minutes=10))


def test_without_anything_the_person_logged_in_is_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = {"XDG_CONFIG_HOME": "/nonexistent"}
    assert load_settings(nowhere | {"USER": "ana"}).user == "ana"
    monkeypatch.setattr("getpass.getuser", lambda: "bia")
    assert load_settings(nowhere).user == "bia"
    for error in (OSError, KeyError, ImportError):

        def unknown(error: type[Exception] = error) -> str:
            raise error("no such user")

        monkeypatch.setattr("getpass.getuser", unknown)
        assert load_settings(nowhere).user == "me"


@each([("databse = 'x'", "databse"), ("durability = 'maybe'", "durability"), ("preset = 'pirate'", "pirate"),
     ("[policy.context]\nbudget = 3", "budget"), ("[policy.weather]\nx = 1", "weather"),
     ("[policy.context]\nbudget_tokens = 'abc'", "budget_tokens"),
     ("[policy.ranking]\nname = 'pirate'", "name"), ("not toml", "relembra.toml")])  # fmt: skip
def test_a_wrong_setting_is_refused_by_name(content: str, named: str, tmp_path: Path) -> None:
    file = tmp_path / "relembra.toml"
    file.write_text(content)
    with pytest.raises(SettingsError, match=named):
        load_settings({"RELEMBRA_CONFIG": str(file)})


@each([("ranking", "vector_share = 0.5", r"ranking has no vector_share"),
     ("ranking", "recency_half_life_days = 0", r"half_life_days cannot be 0; it may be from 0\.001 to 36500"),
     ("ranking", "recency_half_life_days = nan", r"half_life_days cannot be nan"),
     ("learn", "keep_at_least = 7", r"learn\.keep_at_least cannot be 7; it may be from 0 to 1"),
     ("confidence", "low = -0.1", r"confidence\.low cannot be -0\.1; it may be from 0 to 1"),
     ("context", "budget_tokens = -1", r"context\.budget_tokens cannot be -1; it may be 0 or more"),
     ("context", "budget_tokens = inf", r"context\.budget_tokens cannot be inf"),
     ("context", "session_idle = -1", r"context\.session_idle cannot be -1; it may be from 0 to 3153600000"),
     ("search", "default_limit = -5", r"search\.default_limit cannot be -5; it may be 0 or more")])  # fmt: skip
def test_a_number_out_of_range_is_refused_with_its_range(part: str, line: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "relembra.toml"
    file.write_text(f"[policy.{part}]\n{line}")
    with pytest.raises(SettingsError, match=said):
        load_settings({"RELEMBRA_CONFIG": str(file)})


@each(PRESETS.values())
def test_a_presets_own_numbers_are_in_range(policy: Policy) -> None:
    numbers: dict[str, dict[str, Any]] = {}
    for knob in KNOBS:
        part, name = knob.split(".")
        held = getattr(getattr(policy, part), name)
        numbers.setdefault(part, {})[name] = held.total_seconds() if isinstance(held, timedelta) else held
    assert overridden(policy, numbers) == policy


@each(["magic", "openai:", "openai:model-without-address"])
def test_an_embedder_that_cannot_be_chosen_is_refused(embedder: str) -> None:
    with pytest.raises(SettingsError):
        chosen_embedder(Settings(embedder=embedder))


async def test_an_address_no_store_answers_to_is_refused() -> None:
    with pytest.raises(SettingsError, match="mysql"):
        await chosen_store("mysql://x", Settings(), BilingualAnalyzer())


SUMMER = datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=-4)))
"""As a clock in New York shows it."""


@each(["Nowhere/AtAll", "-03:00", "../etc/passwd", "America", "Lisboa"])
def test_a_timezone_nobody_knows_is_refused_by_name(name: str) -> None:
    with pytest.raises(SettingsError, match="timezone") as told:
        load_settings({"RELEMBRA_TIMEZONE": name, "XDG_CONFIG_HOME": "/nonexistent"})
    assert name in str(told.value)
    assert "IANA" in str(told.value)
    with pytest.raises(SettingsError):
        Settings(timezone=name).chosen_timezone()


@each([("America/New_York", "America/New_York"), (":America/New_York", "America/New_York"),
     ("/usr/share/zoneinfo/America/New_York", "America/New_York"), ("Canada/Eastern", "Canada/Eastern"), ("", ""),
     ("<-03>3", ""), ("EST5EDT4,M3.2.0,M11.1.0", ""), ("Nowhere/AtAll", "")])  # fmt: skip
def test_the_systems_timezone_is_that_of_its_variable_if_it_has_a_name(named: str, zone: str, tmp_path: Path) -> None:
    (tmp_path / "timezone").write_text("America/Halifax\n")
    assert system_timezone({"TZ": named}, now=SUMMER, etc=tmp_path) == zone


def test_without_a_variable_the_system_says_it_by_a_link_or_a_file(tmp_path: Path) -> None:
    assert system_timezone({}, now=SUMMER, etc=tmp_path) == ""
    (tmp_path / "timezone").write_text("America/New_York\n")
    assert system_timezone({}, now=SUMMER, etc=tmp_path) == "America/New_York"
    (tmp_path / "timezone").write_text("Europe/Rome\n")
    (tmp_path / "localtime").symlink_to("../usr/share/zoneinfo/America/New_York")
    assert system_timezone({}, now=SUMMER, etc=tmp_path) == "America/New_York"
