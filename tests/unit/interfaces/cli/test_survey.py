"""A memory seen from above, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builders import NOW, a_note, an_id, an_item, days, kept
from memories import a_memory, a_store
from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.interfaces.cli.main import main

Told = Callable[..., str]
NOTE = an_id()
DOUBTED: Any = {"content": "Talvez durma mal", "created_at": NOW - days(1), "updated_at": NOW + days(1)}
SAD: Any = {"type": KnowledgeType.EMOTION, "content": "Está triste"}


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    store = await a_store("sqlite", tmp_path)
    async with a_memory(store):
        await kept(
            store,
            an_item(area=LifeArea.HEALTH, content="É alérgica a camarão", confidence=1.0, validated=True),
            an_item(**DOUBTED, confidence=0.6, note_id=NOTE, needs_resolution=True),
            an_item(**SAD, held_from=NOW, created_at=NOW - days(9), local_only=True),
            an_item(content="Comia jiló", created_at=NOW - days(90), deleted_at=NOW - days(60)),
            an_item(attribute="meeting", content="Reunião com o contador", held_from=NOW - days(2), deleted_at=None),
            a_note(id=NOTE, title="A morning", happened_at=NOW - days(1)),
        )
    return tmp_path / "m.db"


@pytest.fixture
def told(file: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    def run(*words: str, code: int = 0) -> str:
        assert main(["--db", str(file), "--user", "ana", *words]) == code
        shown = capsys.readouterr()
        return shown.out if code == 0 else shown.err

    return run


def data(text: str) -> Any:
    return json.loads(text)


def test_counts_for_people_and_for_programs(told: Told) -> None:
    portuguese = told("count", "--lang", "pt")
    assert all(row in portuguese for row in ("área\tsaúde\t1", "área\tsem área\t3", "certeza\tbaixa\t1"))
    found = data(told("count", "--json"))
    assert (found["total"], found["areas"]) == (4, {"health": 1, "none": 3})
    for filters in (("--below", "0,7"), ("--area", "saúde"), ("--note", NOTE), ("--note", NOTE[-8:])):
        assert data(told("count", *filters, "--json"))["total"] == 1
    assert "fewer filters" in told("count", "--area", "career", "--lang", "en")


def test_orders_and_states_are_typed_in_either_language(told: Told) -> None:
    def contents(*words: str) -> list[str]:
        return [item["content"] for item in data(told("list", "--json", *words))["items"]]

    orders = {"unsure": "Talvez", "mudados": "Talvez", "changed": "Talvez", "mais-certos": "É alérgica"}
    assert [order for order, first in orders.items() if not contents("--order", order)[0].startswith(first)] == []
    for states, found in (
        (("confirmed", "confirmados"), ["É alérgica a camarão"]),
        (("unconfirmed", "não confirmados"), ["Está triste", "Reunião com o contador", "Talvez durma mal"]),
        (("deleted", "apagados"), ["Comia jiló"]),
        (("questioned", "com-pergunta"), ["Talvez durma mal"]),
        (("local", "locais"), ["Está triste"]),
    ):
        assert [sorted(contents("--only", state)) for state in states] == [found, found]
    assert sorted(contents("--area", "none", "--area", "saúde")) == sorted(contents())
    for words, said in (
        (("list", "--order", "melhores"), "escolha mais-novos"),
        (("list", "--only", "melhores"), "escolha confirmados"),
        (("count", "--area", "nowhere"), "nenhuma"),
        (("save", "oi, tudo?"), '--said "oi, tudo?"'),
        (("verify", "x"), "só cabem opções"),
        (("search", "dois", "textos"), "entre aspas"),
    ):
        assert said in told(*words, "--lang", "pt", code=2)


def test_a_note_is_named_by_its_id_or_a_piece_of_it(told: Told) -> None:
    [item] = data(told("list", "--note", NOTE[-8:], "--json"))["items"]
    [hit] = data(told("search", "durma", "--note", NOTE[-8:], "--json"))["hits"]
    assert (item["content"], hit["item"]) == ("Talvez durma mal", item)
    assert data(told("list", "--note", an_id(), "--json"))["items"] == []
    assert "zzzz" in told("list", "--note", "zzzz", "--lang", "pt", code=3)
