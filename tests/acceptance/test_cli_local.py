"""Marking what stays on this machine, on the command line and in both languages."""

from __future__ import annotations

import pytest

from acceptance.running import Cli, short

WORDS = {
    "en": ("Stays on this machine", "no model on another machine sees it", "Any model may see it again"),
    "pt": ("Fica nesta máquina", "nenhum modelo em outra máquina o vê", "Qualquer modelo pode vê-lo de novo"),
}


@pytest.mark.parametrize("language", WORDS)
def test_an_item_is_marked_shown_so_and_let_out_again(cli: Cli, language: str) -> None:
    marked, shown, let_out = WORDS[language]
    item = cli("add", "Takes zoltanib", "--json").data
    assert item["local_only"] is False
    assert "⌂" not in cli("list").out
    assert marked in cli("--lang", language, "local", short(item)).out
    assert shown in cli("--lang", language, "show", short(item)).out
    assert "⌂" in cli("list").out
    assert cli("show", short(item), "--json").data["local_only"] is True
    assert let_out in cli("--lang", language, "local", short(item), "--off").out
    assert "⌂" not in cli("list").out
    verbs = [entry["verb"] for entry in cli("history", short(item), "--json").data["trail"]]
    assert verbs == ["add", "keep_local", "let_out"]


def test_an_item_is_added_with_its_mark_and_the_mark_is_undone(cli: Cli) -> None:
    item = cli("add", "Takes zoltanib", "--local-only", "--json").data
    assert item["local_only"] is True
    cli("local", short(item), "--off")
    cli("undo", short(item))
    assert cli("show", short(item), "--json").data["local_only"] is True


def test_nobody_else_lets_it_out(cli: Cli) -> None:
    item = cli("add", "Takes zoltanib", "--local-only", "--json").data
    assert cli("local", short(item), "--off", "--by", "model:x").code == 2
    assert cli("show", short(item), "--json").data["local_only"] is True
