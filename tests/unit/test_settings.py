from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from relembra import SettingsError
from relembra.bootstrap import chosen_embedder, chosen_store
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.settings import Settings, load_settings


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


def test_without_anything_the_person_logged_in_is_the_user() -> None:
    assert load_settings({"USER": "ana", "XDG_CONFIG_HOME": "/nonexistent"}).user == "ana"


def test_numbers_in_the_environment_are_read_as_numbers() -> None:
    assert load_settings({"RELEMBRA_EMBEDDER_DIMENSIONS": "512"}).embedder_dimensions == 512


@pytest.mark.parametrize(
    ("content", "named"),
    [("databse = 'x'", "databse"), ("durability = 'maybe'", "durability"), ("preset = 'pirate'", "pirate"),
     ("[policy.context]\nbudget = 3", "budget"), ("[policy.weather]\nx = 1", "weather"),
     ("[policy.context]\nbudget_tokens = 'abc'", "budget_tokens"),
     ("[policy.ranking]\nname = 'pirate'", "name"), ("not toml", "relembra.toml")],
)  # fmt: skip
def test_a_wrong_setting_is_refused_by_name(tmp_path: Path, content: str, named: str) -> None:
    file = tmp_path / "relembra.toml"
    file.write_text(content)
    with pytest.raises(SettingsError, match=named):
        load_settings({"RELEMBRA_CONFIG": str(file)})


def test_a_named_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"gone\.toml"):
        load_settings({"RELEMBRA_CONFIG": str(tmp_path / "gone.toml")})


def test_the_key_is_never_shown() -> None:
    assert "s3cret" not in repr(Settings(embedder_api_key="s3cret"))


@pytest.mark.parametrize("embedder", ["magic", "folder:", "openai:", "openai:model-without-address"])
def test_an_embedder_that_cannot_be_chosen_is_refused(embedder: str) -> None:
    with pytest.raises(SettingsError):
        chosen_embedder(Settings(embedder=embedder))


async def test_an_address_no_store_answers_to_is_refused() -> None:
    with pytest.raises(SettingsError, match="mysql"):
        await chosen_store("mysql://x", Settings(), BilingualAnalyzer())
