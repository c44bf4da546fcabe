"""Who may come in, from the command line: keys, linked accounts, blocked people, spaces, and what stays here."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from acceptance.running import Cli, short
from relembra import Memory
from relembra.interfaces.cli.commands import Words

PT = Words("pt")
IN_PORTUGUESE = ("--lang", "pt")


def test_a_key_is_made_shown_once_listed_and_revoked(cli: Cli, tmp_path: Path) -> None:
    assert PT("empty.keys") in cli("keys", *IN_PORTUGUESE).out
    ran = cli("keys", "create", "--name", "laptop", "--scope", "write")
    assert re.fullmatch(r"rlb_[a-z0-9]{8}_[\w-]{43}\n", ran.out)
    assert Words("en")("keys.once") in ran.err
    secret = ran.out.strip()
    assert secret not in ran.err

    async def known() -> bool:
        async with Memory.open(tmp_path / "m.db", background=False) as memory:
            return await memory.key_of(secret) is not None

    assert asyncio.run(known())
    shown = cli("keys", "list", *IN_PORTUGUESE).out
    assert all(part in shown for part in ("laptop", secret.split("_")[1]))
    assert secret not in shown
    revoked = cli("keys", "revoke", secret.split("_")[1], *IN_PORTUGUESE)
    assert (revoked.code, secret.split("_")[1] in revoked.out) == (0, True)
    assert cli("keys", "--json").data["items"][0]["standing"] == "revoked"
    assert PT("standing.revoked") in cli("keys", *IN_PORTUGUESE).out
    assert cli("keys", "revoke", "zzzzzzzz").code == 3


def test_a_key_opens_a_person_a_tenant_or_all(cli: Cli) -> None:
    create = ("keys", "create", "--name", "x", "--json")
    theirs = cli(*create, "--scope", "leitura", "--for", "bia", "--expires", "2990-01-01").data
    assert (theirs["right"], theirs["user"], theirs["tenant"], theirs["standing"]) == (
        "read", "bia", "default", "valid",
    )  # fmt: skip
    assert theirs["expires_at"] == "2990-01-02T03:00:00Z"
    (listed,) = cli("keys", "--json").data["items"]
    assert listed == {name: value for name, value in theirs.items() if name != "secret"}
    made = [
        cli(*create, *more).data
        for more in (["--user", "bia"], [], ["--tenant", "acme"], ["--scope", "admin", "--every-tenant"])
    ]
    opened = [("default", "bia", "write"), ("default", None, "write"), ("acme", None, "write"), ("*", None, "admin")]
    assert [(one["tenant"], one["user"], one["right"]) for one in made] == opened
    assert [one["id"] for one in cli("keys", "--tenant", "acme", "--json").data["items"]] == [made[2]["id"]]
    for words, sentence in (
        (("--scope", "owner"), "error.field.right"), (("--every-tenant",), "usage.key_whose"),
        (("--expires", "2001-01-01"), "error.field.keys create.expires_at"),
    ):  # fmt: skip
        ran = cli("keys", "create", "--name", "x", "--for", "ana", *words, *IN_PORTUGUESE)
        assert (ran.code, ran.out, PT(sentence) in ran.err) == (2, "", True)
    assert len(cli("keys", "--json").data["items"]) == 5


def test_a_link_opens_a_memory_once_and_is_printed_alone(cli: Cli, tmp_path: Path) -> None:
    ran = cli("keys", "link", "--user", "bia", "--scope", "read", *IN_PORTUGUESE)
    address, _, carried = ran.out.strip().partition("?pass=")
    assert (ran.code, address) == (0, "http://127.0.0.1:8484/enter")
    assert carried not in ran.err
    assert PT("keys.link.name", user="bia") in cli("keys", *IN_PORTUGUESE).out

    async def opened() -> tuple[str | None, str, bool]:
        async with Memory.open(tmp_path / "m.db", background=False) as memory:
            held = await memory.page_pass(carried)
            key = await memory.key_of_pass(held or "")
            assert key is not None
            return key.user, key.right, await memory.page_pass(carried) is None

    assert asyncio.run(opened()) == ("bia", "read", True)
    made = cli("keys", "link", "--user", "bia", "--url", "https://memory.example.org/", "--json").data
    assert made["url"].startswith("https://memory.example.org/enter?pass=link.")
    assert (made["user"], made["tenant"], made["right"]) == ("bia", "default", "write")


def test_an_account_is_linked_shown_and_let_go(cli: Cli) -> None:
    assert PT("empty.links") in cli("links", *IN_PORTUGUESE).out
    named = {"channel": "discord", "id": "1"}
    assert PT("link.done", user="ana", **named) in cli("link", "discord", "1", *IN_PORTUGUESE).out
    again = cli("link", "discord", "1", "--user", "bia", *IN_PORTUGUESE).out
    assert PT("link.instead", before="ana") in again
    assert cli("links").out.split("\t")[:3] == ["discord", "1", "bia"]
    assert PT("empty.links.person", user="ana") in cli("links", "--user", "ana", *IN_PORTUGUESE).out
    assert PT("unlink.done", **named) in cli("unlink", "discord", "1", *IN_PORTUGUESE).out
    assert PT("unlink.nothing", **named) in cli("unlink", "discord", "1", *IN_PORTUGUESE).out
    cli("add", "Gosta de café", "--user", "discord:1")
    made = cli("link", "discord", "1", "--bring", "--json").data
    assert (made["user"], made["before"]) == ("ana", None)
    assert [item["content"] for item in cli("list", "--json").data["items"]] == ["Gosta de café"]
    assert cli("list", "--user", "discord:1", "--json").data["items"] == []


def test_people_are_blocked_and_spaces_switched_off(cli: Cli, tmp_path: Path) -> None:
    for command in ("blocks", "spaces", "users"):
        assert PT(f"empty.{command}") in cli(command, *IN_PORTUGUESE).out
    assert PT("block.done", name="Ana") in cli("block", "Ana", *IN_PORTUGUESE).out
    refused = cli("save", "--said", "I live in York.", *IN_PORTUGUESE)
    assert refused.out.strip() == PT("refused.blocked", user="ana")
    assert cli("blocks", *IN_PORTUGUESE).out.split("\t")[:2] == ["Ana", PT("block.person")]
    (block,) = cli("blocks", "--json").data["items"]
    assert (block["kind"], block["name"], block["by_settings"]) == ("person", "Ana", False)
    assert cli("blocks", "--tenant", "other", "--json").data == {"items": []}
    assert PT("unblock.done", person="ana") in cli("unblock", "ana", *IN_PORTUGUESE).out
    assert cli("unblock", "ana", "--json").data == {"unblocked": False}
    assert cli("save", "--said", "hi", "--space", "square", "--json").data["refused"] is None
    assert PT("spaces.off.done", space="Club") in cli("spaces", "off", "Club", *IN_PORTUGUESE).out
    refused = cli("save", "--said", "hi", "--space", "club", *IN_PORTUGUESE)
    assert refused.out.strip() == PT("refused.switched_off", space="club")
    listed = [line.split("\t") for line in cli("spaces", *IN_PORTUGUESE).out.splitlines()]
    assert listed == [["Club", PT("space.off")], ["square", PT("space.on")]]
    assert cli("spaces", "on", "club", "--json").data == {"name": "club", "on": True, "by_settings": False}
    for user in ("bia", "cléa"):
        cli("add", "x", "--user", user)
    assert cli("users").out.splitlines() == ["ana", "bia", "cléa"]
    first = cli("users", "--limit", "2", "--json").data
    assert first["items"] == ["ana", "bia"]
    assert cli("users", "--after", first["next"], "--json").data == {"items": ["cléa"], "next": None}

    (tmp_path / "relembra.toml").write_text('blocked = ["eve"]\nspaces_off = ["club"]')
    assert cli("blocks", *IN_PORTUGUESE).out.count(PT("block.by_settings")) == 2
    assert PT("space.off_by_settings") in cli("spaces", *IN_PORTUGUESE).out
    for line in (("unblock", "Eve"), ("spaces", "on", "club")):
        ran = cli(*line, *IN_PORTUGUESE)
        assert (ran.code, ran.out, PT("error.conflict.settings") in ran.err) == (4, "", True)


def test_an_item_is_kept_on_this_machine_and_let_out_again_by_its_person_alone(cli: Cli) -> None:
    id = short(cli("add", "Takes zoltanib", "--json").data)
    assert "⌂" not in cli("list").out
    assert "Fica nesta máquina" in cli("local", id, *IN_PORTUGUESE).out
    assert "nenhum modelo em outra máquina o vê" in cli("show", id, *IN_PORTUGUESE).out
    assert "⌂" in cli("list").out
    assert cli("local", id, "--off", "--by", "model:x").code == 2
    assert cli("show", id, "--json").data["local_only"] is True
    assert "Qualquer modelo pode vê-lo de novo" in cli("local", id, "--off", *IN_PORTUGUESE).out
    verbs = [entry["verb"] for entry in cli("history", id, "--json").data["trail"]]
    assert verbs == ["add", "keep_local", "let_out"]
    cli("undo", id)
    assert cli("show", id, "--json").data["local_only"] is True
    assert cli("add", "Takes marvonil", "--local-only", "--json").data["local_only"] is True
