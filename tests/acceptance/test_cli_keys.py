"""Keys and linked accounts on the command line, in both languages."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from acceptance.running import Cli
from relembra import Memory
from relembra.interfaces.cli.words import Words

LANGUAGES = ("en", "pt")


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def opened_by(secret: str, folder: Path) -> bool:
    """Whether the store knows the secret."""

    async def known() -> bool:
        async with Memory.open(folder / "m.db", background=False) as memory:
            return await memory.key_of(secret) is not None

    return asyncio.run(known())


def test_the_key_alone_is_printed_and_that_it_will_not_be_shown_again(cli: Cli, tmp_path: Path, language: str) -> None:
    ran = cli("keys", "create", "--name", "laptop", "--scope", "write", "--lang", language)
    assert ran.code == 0
    assert re.fullmatch(r"rlb_[a-z0-9]{8}_[\w-]{43}\n", ran.out)
    assert Words(language)("keys.once") in ran.err
    assert ran.out.strip() not in ran.err
    assert opened_by(ran.out.strip(), tmp_path)
    shown = cli("keys", "list", "--lang", language)
    assert "laptop" in shown.out
    assert ran.out.split("_")[1] in shown.out
    assert ran.out.strip() not in shown.out


def test_a_key_for_a_person_is_theirs_until_its_last_day_ends(cli: Cli) -> None:
    key = cli(
        "keys", "create", "--name", "x", "--scope", "leitura", "--for", "bia", "--expires", "2990-01-01", "--json"
    )
    data = key.data
    assert (data["right"], data["user"], data["tenant"], data["standing"]) == ("read", "bia", "default", "valid")
    assert data["expires_at"] == "2990-01-02T03:00:00Z"
    (listed,) = cli("keys", "--json").data["items"]
    assert listed == {name: value for name, value in data.items() if name != "secret"}


def test_a_person_named_with_user_is_bound_as_well(cli: Cli) -> None:
    assert cli("keys", "create", "--name", "x", "--user", "bia", "--json").data["user"] == "bia"


def test_without_a_person_a_key_opens_its_tenant_or_all(cli: Cli) -> None:
    here = cli("keys", "create", "--name", "x", "--json").data
    there = cli("keys", "create", "--name", "x", "--tenant", "acme", "--json").data
    all_of_them = cli("keys", "create", "--name", "x", "--scope", "admin", "--every-tenant", "--json").data
    assert [(one["tenant"], one["user"], one["right"]) for one in (here, there, all_of_them)] == [
        ("default", None, "write"),
        ("acme", None, "write"),
        ("*", None, "admin"),
    ]
    assert [one["id"] for one in cli("keys", "--tenant", "acme", "--json").data["items"]] == [there["id"]]
    assert len(cli("keys", "--json").data["items"]) == 3


def test_a_key_is_taken_back_by_its_prefix(cli: Cli, tmp_path: Path, language: str) -> None:
    key = cli("keys", "create", "--name", "laptop", "--json").data
    ran = cli("keys", "revoke", key["prefix"], "--lang", language)
    assert ran.code == 0
    assert key["prefix"] in ran.out
    assert cli("keys", "--json").data["items"][0]["standing"] == "revoked"
    assert Words(language)("standing.revoked") in cli("keys", "--lang", language).out


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("keys", "create", "--scope", "write"), 2, "usage.key_name"),
        (("keys", "create", "--name", "x", "--scope", "owner"), 2, "error.field.right"),
        (("keys", "create", "--name", "x", "--for", "ana", "--every-tenant"), 2, "usage.key_whose"),
        (("keys", "create", "--name", "x", "--tenant", "acme", "--every-tenant"), 2, "usage.key_whose"),
    ],
)
def test_what_cannot_be_is_said_and_makes_no_key(
    cli: Cli, language: str, words: tuple[str, ...], code: int, sentence: str
) -> None:
    ran = cli(*words, "--lang", language)
    assert (ran.code, ran.out) == (code, "")
    assert Words(language)(sentence) in ran.err
    assert cli("keys", "--json").data == {"items": []}


def test_a_day_that_is_past_and_a_key_that_is_not_there_are_told(cli: Cli, language: str) -> None:
    words = Words(language)
    ran = cli("keys", "create", "--name", "x", "--expires", "2001-01-01", "--lang", language)
    assert ran.code == 2
    assert words("usage.key_past", option="--expires", word="2001-01-01") in ran.err
    cli("keys", "create", "--name", "x")
    ran = cli("keys", "revoke", "zzzzzzzz", "--lang", language)
    assert ran.code == 3
    assert words("error.not_found.key", id="zzzzzzzz") in ran.err


def test_a_link_opens_a_memory_once_and_is_printed_alone(cli: Cli, tmp_path: Path, language: str) -> None:
    words = Words(language)
    ran = cli("keys", "link", "--user", "bia", "--scope", "read", "--lang", language)
    assert ran.code == 0
    address, _, carried = ran.out.strip().partition("?pass=")
    assert address == "http://127.0.0.1:8484/enter"
    assert carried not in ran.err
    assert words("keys.link.name", user="bia") in cli("keys", "--lang", language).out

    async def opened() -> tuple[str | None, str, bool]:
        async with Memory.open(tmp_path / "m.db", background=False) as memory:
            held = await memory.page_pass(carried)
            key = await memory.key_of_pass(held or "")
            assert key is not None
            return key.user, key.right, await memory.page_pass(carried) is None

    assert asyncio.run(opened()) == ("bia", "read", True)


def test_a_link_has_the_address_people_reach(cli: Cli, language: str) -> None:
    made = cli("keys", "link", "--user", "bia", "--url", "https://memory.example.org/", "--json").data
    assert made["url"].startswith("https://memory.example.org/enter?pass=link.")
    assert (made["user"], made["tenant"], made["right"]) == ("bia", "default", "write")
    wrong = cli("keys", "link", "--url", "memory", "--lang", language)
    assert (wrong.code, wrong.out) == (2, "")
    assert Words(language)("usage.link_url", word="memory") in wrong.err


def test_there_are_no_keys_at_first(cli: Cli, language: str) -> None:
    assert Words(language)("empty.keys") in cli("keys", "--lang", language).out


def test_an_account_is_linked_shown_and_let_go(cli: Cli, language: str) -> None:
    words = Words(language)
    assert words("empty.links") in cli("links", "--lang", language).out
    assert (
        words("link.done", channel="discord", id="1", user="ana") in cli("link", "discord", "1", "--lang", language).out
    )
    again = cli("link", "discord", "1", "--user", "bia", "--lang", language).out
    assert words("link.instead", user="ana") in again
    shown = cli("links", "--lang", language).out
    assert "discord" in shown
    assert "bia" in shown
    assert words("empty.links.person", user="ana") in cli("links", "--user", "ana", "--lang", language).out
    named = {"channel": "discord", "id": "1"}
    assert words("unlink.done", **named) in cli("unlink", "discord", "1", "--lang", language).out
    assert words("unlink.nothing", **named) in cli("unlink", "discord", "1", "--lang", language).out


def test_what_an_account_said_is_brought_along(cli: Cli) -> None:
    cli("add", "Gosta de café", "--user", "discord:1")
    made = cli("link", "discord", "1", "--bring", "--json").data
    assert (made["user"], made["before"]) == ("ana", None)
    assert [item["content"] for item in cli("list", "--json").data["items"]] == ["Gosta de café"]
    assert cli("list", "--user", "discord:1", "--json").data["items"] == []


def test_the_real_program_makes_a_key_as_its_help_shows(process: Cli) -> None:
    ran = process("keys", "create", "--name", "laptop", "--scope", "write")
    assert ran.code == 0
    assert ran.out.startswith("rlb_")
