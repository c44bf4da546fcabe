"""Recalling on the command line: what comes back, why, what does not, and as it was at a moment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acceptance.running import Cli, answered, short
from relembra.interfaces.cli.commands import Words

HOME, FORMER = "Mora em Olinda", "Mora em Recife"
SISTER = "Marina trabalha na Embraer"
REPLY, ABOUT = "Marina deve gostar da Embraer.", "A Marina reclamou do chefe na Embraer."
ASIDE = "Joga vôlei na praia"
QUESTION = "Onde a Marina trabalha e onde eu moro?"
PT = Words("pt")
IN_PORTUGUESE = ("--lang", "pt")
HERE = ("--space", "firma", "--channel", "geral")


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A memory that was told a life."""
    home = ("--attribute", "residence")
    assert cli("add", FORMER, *home, "--value", "Recife", "--held-from", "2020-01-01").code == 0
    assert cli("add", HOME, *home, "--value", "Olinda", "--held-from", "2024-01-01").code == 0
    assert cli("add", SISTER, "--subject", "Marina", "--area", "career").code == 0
    said = ("save", "--said", ABOUT, "--replied", REPLY, "--at", "2026-03-01T10:00:00-03:00")
    assert cli(*said, "--conversation", "c1").code == 0
    assert cli("add", ASIDE, "--type", "preference", "--tag", "x").code == 0
    return cli


def test_why_tells_a_recall_from_the_question_to_the_cut_and_counts_nothing(told: Cli, tmp_path: Path) -> None:
    ran = told(*IN_PORTUGUESE, "why", QUESTION, "--limit", "50")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert "nomes\tMarina" in lines
    shown, _, left_out = ran.out.partition("substituído por “Mora em Olinda”")
    assert all(part in shown for part in (HOME, SISTER, ABOUT))
    assert all(part in left_out for part in ("pouco parecido com a pergunta", "Como os 2.000 tokens foram divididos"))
    assert "substituído por “Mora em Olinda”" in next(line for line in lines if FORMER in line)
    data = told("why", QUESTION, "--json").data
    assert set(data) == {"inquiry", "context", "missed"}
    assert list(data["inquiry"]["names"]) == ["Marina"]
    assert {HOME, SISTER} <= {hit["item"]["content"] for hit in data["context"]["hits"]}
    former = next(one for one in data["missed"] if one["kind"] == "item" and one["item"]["content"] == FORMER)
    assert former["miss"] == "superseded"
    assert set(former["why"]) >= {"cosine", "bm25", "focus", "rule", "similarity"}
    assert len(told("why", QUESTION, "--limit", "1", "--json").data["missed"]) == 1
    cut = told("why", QUESTION, "--budget", "1", "--json").data
    assert cut["context"]["text"] == ""
    assert {one["kind"] for one in cut["missed"] if one["miss"] == "cut"} == {"item", "message"}
    then = told("why", QUESTION, "--true-at", "2022-06-01", "--json").data
    assert FORMER in [hit["item"]["content"] for hit in then["context"]["hits"]]
    with_history = told("why", QUESTION, "--history", "--json").data
    assert {hit["item"]["content"]: hit["why"]["rule"] for hit in with_history["context"]["hits"]}[FORMER] == "history"
    assert all(item["accesses"] == 0 for item in told("list", "--json").data["items"])
    code, shown = answered(tmp_path, "", "--db", "m.db", *IN_PORTUGUESE, "why", QUESTION)
    assert (code, HOME in shown, "█" in shown, "\t" in shown) == (0, True, True, False)
    elsewhere = told(*IN_PORTUGUESE, "why", QUESTION, *HERE).out
    assert not [part for part in (HOME, FORMER, SISTER, ABOUT, REPLY) if part in elsewhere]
    assert "ana pode ouvir aqui" in elsewhere


def test_where_nothing_is_known_that_is_said_and_no_file_made(cli: Cli, tmp_path: Path) -> None:
    for words in (["why", "onde?"], ["recall", "x"]):
        ran = cli(*IN_PORTUGUESE, *words)
        assert (ran.code, ran.err, "Ainda não sei nada de ana" in ran.out) == (0, "", True)
    assert not (tmp_path / "m.db").exists()
    cli("save", "--said", "Bom dia")
    assert "I found nothing" in cli("recall", "quarks", "--kind", "item").out


def test_recall_brings_items_notes_and_messages_side_by_side(told: Cli) -> None:
    told("learn")
    data = told("recall", SISTER, "--json").data
    assert data["items"][0]["item"]["content"] == SISTER
    assert data["notes"][0]["note"]["conversation"] == "c1"
    assert ABOUT in {hit["excerpt"] for hit in data["messages"]}
    assert data["conversations"] == ["c1"]
    lines = told(*IN_PORTUGUESE, "recall", SISTER, "--why").out.splitlines()
    assert {line.split("\t")[0] for line in lines} == {PT(f"recalled.{kind}") for kind in ("item", "note", "message")}
    (said,) = [line for line in lines if line.startswith(PT("recalled.message")) and ABOUT in line]
    assert all(part in said for part in ("ana", "1 mar 2026 10:00"))
    only = told("recall", SISTER, "--kind", "mensagem", "--json").data
    assert (only["items"], only["notes"], len(only["messages"])) == ([], [], 2)
    two = told("recall", SISTER, "--kind", "item", "--kind", "message", "--limit", "1", "--json").data
    assert [len(two[kind]) for kind in ("items", "notes", "messages")] == [1, 0, 1]
    tagged = told("recall", ASIDE, "--tag", "x", "--json").data
    assert [hit["item"]["content"] for hit in tagged["items"]] == [ASIDE]
    weak = told("recall", "receita de pão de fermentação natural", *IN_PORTUGUESE)
    assert (bool(weak.out), weak.err.strip()) == (True, PT("empty.weak"))


def test_list_and_search_look_back_and_search_says_why(told: Cli) -> None:
    for command in (["list"], ["search", "residence casa moro"]):

        def contents(*options: str) -> set[str]:
            data = told(*command, "--attribute", "residence", *options, "--json").data  # noqa: B023 - called below
            return {item["content"] for item in data.get("items") or [hit["item"] for hit in data.get("hits", [])]}

        assert contents() == {HOME}
        assert contents("--true-at", "2022-06-01") == contents("--true-at", "2023-12-31") == {FORMER}
        assert contents("--as-of", "2001-01-01") == set()
        assert contents("--as-of", "2999-01-01T00:00:00-03:00") == {HOME}
    hit = told("search", "Embraer", "--json").data["hits"][0]
    assert set(hit) == {"item", "score", "why"}
    assert {"cosine", "bm25", "terms", "similarity", "weight", "recency", "ranking"} <= set(hit["why"])
    shown = told(*IN_PORTUGUESE, "search", "vôlei", "--why").out
    assert all(part in shown for part in ("preferência", "● alta", "sentido"))


def test_context_comes_in_every_format_from_any_time_within_its_budget(told: Cli) -> None:
    seen = {name: told("context", QUESTION, "--format", name) for name in ("xml", "compact", "layers")}
    assert all(ran.code == 0 and "Olinda" in ran.out for ran in seen.values())
    assert seen["xml"].out.startswith("<")
    assert told("context", QUESTION).out == told("context", QUESTION, "--format", "markdown").out
    assert json.loads(told("context", QUESTION, "--format", "chat").out)[0]["role"] == "system"
    data = told("context", QUESTION, "--budget", "120", "--json").data
    assert (data["format"], data["budget"], data["tokens"] <= 120) == ("markdown", 120, True)
    assert sum(share["cut"] for share in data["shares"].values()) == data["cut"]
    assert set(data["shares"]) <= {"memory", "profiles", "known", "notes", "earlier", "recent", "ask"}
    then = told("context", QUESTION, "--true-at", "2022-06-01").out
    assert (FORMER in then, f"“{HOME}”" in then) == (True, False)
    assert FORMER in told("context", QUESTION, "--history", "--json").data["text"]
    nothing = told(*IN_PORTUGUESE, "context", QUESTION, "--as-of", "2001-01-01")
    assert (nothing.out, "alcança essa época" in nothing.err) == ("", True)
    for name, city in (("bia", "Natal"), ("caio", "Belém"), ("davi", "Goiânia")):
        told("--user", name, "add", f"Mora em {city}", "--attribute", "residence", "--value", city, *HERE)
    asked = ("context", "quem mora onde?", *HERE, "--json")
    assert told(*asked).data["profiles"] == []
    people = ("--speaker", "bia", "--mention", "caio", "--mention", "davi")
    assert told(*asked, *people).data["profiles"] == ["bia", "caio", "davi"]


def test_an_item_is_archived_shown_so_and_recovered(cli: Cli) -> None:
    item = cli("add", "Fazia aula de cerâmica às terças", "--source", "ai_inference", "--json").data
    done = cli("archive", short(item))
    assert (done.code, f"relembra recover {short(item)}" in done.out) == (0, True)
    assert cli("list", "--json").data["items"] == []
    for words in (["list", "--history"], ["show", short(item)], ["history", short(item)]):
        assert "arquivado" in cli(*IN_PORTUGUESE, *words).out
    assert cli("recover", short(item), "--json").data["archived_at"] is None
    assert "tirado do arquivo" in cli(*IN_PORTUGUESE, "history", short(item)).out
    cli("archive", short(item))
    why = cli("why", "aula de cerâmica às terças", "--json").data["context"]["hits"]
    assert why[0]["why"]["rule"] == "archive"
    assert "cerâmica" in cli("context", "aula de cerâmica às terças").out
    assert [row["id"] for row in cli("list", "--json").data["items"]] == [item["id"]]  # a context brought it back
