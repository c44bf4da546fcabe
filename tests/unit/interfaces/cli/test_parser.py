from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from loops import each
from relembra.interfaces.cli.commands import COMMANDS, GENERAL
from relembra.interfaces.cli.parser import UsageError, parsed


def values(*words: str) -> dict[str, Any]:
    return parsed(words).values


def test_general_options_stand_before_the_command_or_after_it_and_the_later_wins() -> None:
    line = parsed(["--user", "ana", "list", "--user=bia", "--json"])
    assert line.command is not None
    assert (line.command.name, line.general) == ("list", {"user": "bia", "json": True})


def test_arguments_and_options_may_come_in_any_order() -> None:
    assert values("add", "--tag", "a", "the text", "--tag=b") == {"content": "the text", "tags": ["a", "b"]}
    assert values("forget", "--yes", "abcd") == {"id": "abcd", "yes": True}


def test_after_two_dashes_nothing_is_an_option() -> None:
    line = parsed(["add", "--", "--json"])
    assert (line.values, line.general) == ({"content": "--json"}, {})


def test_the_value_of_an_option_may_begin_with_a_dash() -> None:
    assert values("save", "--said", "-5 graus") == {"said": "-5 graus"}
    assert values("save", "--said", "-") == {"said": "-"}
    assert values("save", "--said=-x") == {"said": "-x"}


@each(
    [
        (["conversations"], "conversations"),
        (["conversations", "list"], "conversations"),
        (["conversations", "rename", "c", "t"], "conversations rename"),
        (["conversations", "delete", "c"], "conversations delete"),
    ]
)
def test_a_command_may_have_two_words(words: list[str], name: str) -> None:
    command = parsed(words).command
    assert command is not None
    assert command.name == name


def test_help_needs_no_arguments_and_nothing_typed_names_no_command() -> None:
    assert parsed(["correct", "--help"]).general == parsed(["-h"]).general == {"help": True}
    assert parsed([]).command is None


@each(
    [
        (["nonsense"], "usage.no_command"),
        (["serach", "x"], "usage.near_command"),
        (["list", "--zzz"], "usage.no_option"),
        (["list", "-z"], "usage.no_option"),
        (["--zzz", "list"], "usage.no_option"),
        (["list", "--lmit", "3"], "usage.near_option"),
        (["list", "--s", "3"], "usage.unclear_option"),
        (["list", "--de"], "usage.unclear_option"),
        (["list", "--limit"], "usage.needs_value"),
        (["list", "--json=1"], "usage.no_value"),
        (["show"], "usage.missing"),
        (["show", "a", "b"], "usage.spare"),
        (["verify", "x"], "usage.spare_word"),
        (["save", "I live in Recife"], "usage.spare_text"),
        (["--db"], "usage.needs_value"),
        (["list", "--limit", "many"], "usage.whole"),
        (["list", "--min-confidence", "high"], "usage.number"),
        (["list", "--since", "yesterday"], "usage.date"),
        (["list", "--since", "2026-13-01"], "usage.date"),
        (["list", "--until", "9999-12-31"], "usage.date_range"),
        (["save", "--meta", "nothing"], "usage.pair"),
        (["validate", "x", "--by", "somebody:"], "usage.who"),
    ]
)
def test_a_mistake_says_what_it_is_about(words: list[str], key: str) -> None:
    with pytest.raises(UsageError) as caught:
        parsed(words)
    assert caught.value.key == key


def test_values_are_read_before_a_command_gets_them() -> None:
    read = values("list", "--limit", "7", "--min-confidence", "0,7", "--since", "2026-03-01T10:00:00-03:00")
    assert read == {"limit": 7, "confidence": 0.7, "since": datetime(2026, 3, 1, 13, tzinfo=UTC)}
    assert dict(values("save", "--meta", "a=b=c", "--meta", "d=")["metadata"]) == {"a": "b=c", "d": ""}
    assert values("list", "--type", "preferência", "--type", "fact")["type"] == ["preference", "fact"]


def test_a_day_begins_at_midnight_here_and_ends_where_the_next_begins() -> None:
    read = values("list", "--since", "2026-03-01", "--until", "2026-03-01", "--as-of", "2026-03-01")
    assert read["since"] == datetime(2026, 3, 1).astimezone()
    assert read["until"] == datetime(2026, 3, 2).astimezone()
    assert read["as_of"] == read["until"] - timedelta(microseconds=1)
    naive = values("save", "--at", "2026-03-01T10:00:00")["at"]
    assert naive.utcoffset() == datetime(2026, 3, 1, 10).astimezone().utcoffset()


def test_no_command_has_an_option_that_is_general_too() -> None:
    general = {option.name for option in GENERAL}
    for command in COMMANDS:
        names = [option.name for option in command.options]
        assert general.isdisjoint(names)
        assert len(names) == len(set(names))
