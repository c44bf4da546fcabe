from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from relembra.interfaces.cli.given import Given
from relembra.interfaces.cli.grammar import COMMANDS, GENERAL
from relembra.interfaces.cli.reading import UsageError, understood
from relembra.interfaces.cli.words import Words


def given(*words: str) -> Given:
    return Given(understood(words), Words("en"))


def mistake(*words: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        understood(words)
    return caught.value


def test_general_options_stand_before_the_command_or_after_it_and_the_later_wins() -> None:
    line = understood(["--user", "ana", "list", "--user=bia", "--json"])
    assert line.command is not None
    assert (line.command.name, line.last("user"), line.has("json")) == ("list", "bia", True)


def test_arguments_and_options_may_come_in_any_order() -> None:
    line = understood(["add", "--tag", "a", "the text", "--tag=b"])
    assert (line.last("content"), line.values["tag"]) == ("the text", ["a", "b"])


def test_after_two_dashes_nothing_is_an_option() -> None:
    assert understood(["add", "--", "--json"]).last("content") == "--json"
    assert not understood(["add", "--", "--json"]).has("json")


def test_the_value_of_an_option_may_begin_with_a_dash() -> None:
    assert understood(["save", "--said", "-5 graus"]).last("said") == "-5 graus"
    assert understood(["save", "--said", "-"]).last("said") == "-"


def test_a_command_may_have_two_words() -> None:
    for words, name in [
        (["conversations"], "conversations"),
        (["conversations", "list"], "conversations"),
        (["conversations", "rename", "c", "t"], "conversations rename"),
        (["conversations", "delete", "c"], "conversations delete"),
    ]:
        command = understood(words).command
        assert command is not None
        assert command.name == name


def test_help_needs_no_arguments() -> None:
    assert understood(["correct", "--help"]).has("help")
    assert understood(["-h"]).has("help")


def test_nothing_typed_names_no_command() -> None:
    assert understood([]).command is None


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["nonsense"], "usage.no_command"),
        (["serach", "x"], "usage.near_command"),
        (["list", "--zzz"], "usage.no_option"),
        (["list", "-z"], "usage.no_option"),
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
    ],
)
def test_a_mistake_says_what_it_is_about(words: list[str], key: str) -> None:
    assert mistake(*words).key == key


def test_numbers_dates_and_pairs_are_read() -> None:
    read = given("list", "--limit", "7", "--min-confidence", "0,7", "--since", "2026-03-01T10:00:00-03:00")
    assert (read.whole("limit"), read.number("min_confidence")) == (7, 0.7)
    assert read.moment("since") == datetime(2026, 3, 1, 13, tzinfo=UTC)
    assert given("save", "--meta", "a=b=c", "--meta", "d=").pairs("meta") == {"a": "b=c", "d": ""}


def test_a_day_begins_at_midnight_here_and_ends_where_the_next_begins() -> None:
    read = given("list", "--since", "2026-03-01", "--until", "2026-03-01")
    since, until = read.moment("since"), read.moment("until", whole_day=True)
    assert since is not None
    assert until is not None
    assert since == datetime(2026, 3, 1).astimezone()
    assert until == datetime(2026, 3, 2).astimezone()
    naive = given("save", "--at", "2026-03-01T10:00:00").moment("at")
    assert naive is not None
    assert naive.utcoffset() == datetime(2026, 3, 1, 10).astimezone().utcoffset()
    assert isinstance(naive.utcoffset(), timedelta)


@pytest.mark.parametrize(
    ("words", "read"),
    [
        (["list", "--limit", "many"], lambda it: it.whole("limit")),
        (["list", "--min-confidence", "high"], lambda it: it.number("min_confidence")),
        (["list", "--since", "yesterday"], lambda it: it.moment("since")),
        (["list", "--since", "2026-13-01"], lambda it: it.moment("since")),
        (["list", "--until", "9999-12-31"], lambda it: it.moment("until", whole_day=True)),
        (["save", "--meta", "nothing"], lambda it: it.pairs("meta")),
    ],
)
def test_what_cannot_be_read_is_a_mistake(words: list[str], read) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError):
        read(given(*words))


def test_no_command_has_an_option_that_is_general_too() -> None:
    general = {option.name for option in GENERAL}
    for command in COMMANDS:
        names = [option.name for option in command.options]
        assert general.isdisjoint(names)
        assert len(names) == len(set(names))
