"""Recalling on the command line, in both languages: what comes back, why, what does not, and as it was at a moment."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from acceptance.running import Cli, answered, short
from relembra.interfaces.cli.words import Words


@dataclass(frozen=True)
class Told:
    """A life in a few sentences, and the words its reasons are told in."""

    home: str
    former: str
    sister: str  # known, by her name
    reply: str
    about: str
    aside: str
    question: str
    names: str
    superseded: str
    weak: str
    shared: str
    recall: str
    no_command: str


TOLD = {
    "pt": Told(
        home="Mora em Olinda",
        former="Mora em Recife",
        sister="Marina trabalha na Embraer",
        reply="Marina deve gostar da Embraer.",
        about="A Marina reclamou do chefe na Embraer.",
        aside="Joga vôlei na praia",
        question="Onde a Marina trabalha e onde eu moro?",
        names="nomes",
        superseded="substituído por “Mora em Olinda”",
        weak="pouco parecido com a pergunta",
        shared="Como os 2.000 tokens foram divididos",
        recall="/lembrar Embraer",
        no_command="não é um comando de conversa",
    ),
    "en": Told(
        home="Lives in Bristol",
        former="Lives in Leeds",
        sister="Marina works at the hospital",
        reply="Marina must like the hospital.",
        about="Marina complained about her boss at the hospital.",
        aside="Plays volleyball on the beach",
        question="Where does Marina work and where do I live?",
        names="names",
        superseded="superseded by “Lives in Bristol”",
        weak="too little like the question",
        shared="How the 2,000 tokens were shared",
        recall="/recall hospital",
        no_command="is no command of a chat",
    ),
}


@pytest.fixture(params=TOLD)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def told(cli: Cli, language: str) -> Told:
    """A memory that was told a life."""
    told = TOLD[language]
    home = ("--attribute", "residence")
    assert cli("add", told.former, *home, "--value", told.former.split()[-1], "--held-from", "2020-01-01").code == 0
    assert cli("add", told.home, *home, "--value", told.home.split()[-1], "--held-from", "2024-01-01").code == 0
    assert cli("add", told.sister, "--subject", "Marina", "--area", "career").code == 0
    said = ("save", "--said", told.about, "--replied", told.reply, "--at", "2026-03-01T10:00:00-03:00")
    assert cli(*said, "--conversation", "c1").code == 0
    assert cli("add", told.aside, "--type", "preference", "--tag", "x").code == 0
    return told


# ── why ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_why_tells_a_recall_from_the_question_to_the_cut(cli: Cli, language: str, told: Told) -> None:
    ran = cli("--lang", language, "why", told.question, "--limit", "50")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert f"{told.names}\tMarina" in lines
    shown, _, left_out = ran.out.partition(told.superseded)
    assert told.home in shown
    assert told.sister in shown
    assert told.about in shown
    assert told.weak in left_out
    assert told.shared in left_out
    former = next(line for line in lines if told.former in line)
    assert told.superseded in former


def test_why_tells_programs_every_row_and_counts_nothing(cli: Cli, told: Told) -> None:
    data = cli("why", told.question, "--json").data
    assert set(data) == {"inquiry", "context", "missed"}
    assert list(data["inquiry"]["names"]) == ["Marina"]
    contents = [hit["item"]["content"] for hit in data["context"]["hits"]]
    assert {told.home, told.sister} <= set(contents)
    former = next(one for one in data["missed"] if one["kind"] == "item" and one["item"]["content"] == told.former)
    assert former["miss"] == "superseded"
    assert set(former["why"]) >= {"cosine", "bm25", "focus", "rule", "similarity"}
    assert sum(share["lines"] for share in data["context"]["shares"].values()) > 0
    assert len(cli("why", told.question, "--limit", "1", "--json").data["missed"]) == 1
    assert all(item["accesses"] == 0 for item in cli("list", "--json").data["items"])


def test_why_says_what_the_budget_cut(cli: Cli, told: Told) -> None:
    data = cli("why", told.question, "--budget", "1", "--json").data
    assert data["context"]["text"] == ""
    assert {one["kind"] for one in data["missed"] if one["miss"] == "cut"} == {"item", "message"}
    assert "the budget was spent" in cli("why", told.question, "--budget", "1").out
    assert cli("why", told.question, "--budget", "-1").code == 2
    assert cli("why", told.question, "--limit", "-1").code == 2


def test_why_looks_back(cli: Cli, told: Told) -> None:
    then = cli("why", told.question, "--true-at", "2022-06-01", "--json").data
    assert told.former in [hit["item"]["content"] for hit in then["context"]["hits"]]
    misses = {one["item"]["content"]: one["miss"] for one in then["missed"] if one["kind"] == "item"}
    assert misses[told.home] == "untrue then"
    before = cli("why", told.question, "--as-of", "2001-01-01", "--json").data
    assert before["context"]["hits"] == []
    assert "unknown then" in {one["miss"] for one in before["missed"]}
    with_history = cli("why", told.question, "--history", "--json").data
    rules = {hit["item"]["content"]: hit["why"]["rule"] for hit in with_history["context"]["hits"]}
    assert rules[told.former] == "history"


def test_why_in_a_space_tells_nothing_that_is_not_heard_there(cli: Cli, language: str, told: Told) -> None:
    here = ("--space", "firma", "--channel", "geral")
    shown = cli("--lang", language, "why", told.question, *here).out
    assert not [part for part in (told.home, told.former, told.sister, told.about, told.reply) if part in shown]
    assert ("ana may hear here" if language == "en" else "ana pode ouvir aqui") in shown
    cli("add", told.sister, *here)
    assert told.sister in cli("why", told.question, *here).out


def test_why_on_a_terminal_is_folded_to_it(told: Told, language: str, tmp_path: Path) -> None:
    code, shown = answered(tmp_path, "", "--db", "m.db", "--lang", language, "why", told.question)
    assert code == 0
    assert told.home in shown
    assert "█" in shown
    assert "\t" not in shown


@pytest.mark.parametrize(("words", "sentence"), [("en", "I know nothing about ana yet"), ("pt", "Ainda não sei nada")])
def test_why_of_nothing_says_so_and_makes_no_file(cli: Cli, words: str, sentence: str, tmp_path: Path) -> None:
    ran = cli("--lang", words, "why", "onde eu moro?")
    assert (ran.code, ran.err) == (0, "")
    assert sentence in ran.out
    assert not (tmp_path / "m.db").exists()
    assert cli("why", " ").code == 2
    assert cli("why").code == 2


# ── recall, search and list ───────────────────────────────────────────────────────────────────────────────────────


def test_recall_brings_items_notes_and_messages_side_by_side(cli: Cli, language: str, told: Told) -> None:
    cli("learn")
    data = cli("recall", told.sister, "--json").data
    assert data["items"][0]["item"]["content"] == told.sister
    assert data["notes"][0]["note"]["conversation"] == "c1"
    assert {hit["excerpt"] for hit in data["messages"]} >= {told.about}
    assert data["conversations"] == ["c1"]
    shown = cli("--lang", language, "recall", told.sister, "--why")
    kinds = [line.split("\t")[0] for line in shown.out.splitlines()]
    assert set(kinds) == ({"item", "note", "message"} if language == "en" else {"item", "nota", "mensagem"})
    (said,) = [line for line in shown.out.splitlines() if line.startswith("m") and told.about in line]
    assert "ana" in said
    assert ("Mar 1, 2026 10:00" if language == "en" else "1 mar 2026 10:00") in said


def test_recall_takes_kinds_limits_and_filters(cli: Cli, told: Told) -> None:
    only = cli("recall", told.sister, "--kind", "mensagem", "--json").data
    assert (only["items"], only["notes"], len(only["messages"])) == ([], [], 2)
    two = cli("recall", told.sister, "--kind", "item", "--kind", "message", "--limit", "1", "--json").data
    assert [len(two[kind]) for kind in ("items", "notes", "messages")] == [1, 0, 1]
    tagged = cli("recall", told.aside, "--tag", "x", "--json").data
    assert [hit["item"]["content"] for hit in tagged["items"]] == [told.aside]
    before = cli("recall", told.sister, "--as-of", "2026-02-01", "--kind", "message", "--json").data
    assert before["messages"] == []
    refused = cli("recall", told.sister, "--kind", "nonsense")
    assert (refused.code, "choose item, note or message" in refused.err) == (2, True)
    assert cli("recall", told.sister, "--limit", "0").code == 2


def test_recall_of_nothing_says_so(cli: Cli) -> None:
    assert "Ainda não sei nada de ana" in cli("--lang", "pt", "recall", "x").out
    cli("save", "--said", "Bom dia")
    assert "I found nothing" in cli("recall", "quarks", "--kind", "item").out


@pytest.mark.parametrize("command", [["list"], ["search", "residence casa moro"]])
def test_list_and_search_look_back(cli: Cli, told: Told, command: list[str]) -> None:
    def contents(*options: str) -> set[str]:
        data = cli(*command, "--attribute", "residence", *options, "--json").data
        return {item["content"] for item in data.get("items") or [hit["item"] for hit in data.get("hits", [])]}

    assert contents() == {told.home}
    assert contents("--true-at", "2022-06-01") == {told.former}
    assert contents("--true-at", "2024-01-01") == {told.home}
    assert contents("--true-at", "2023-12-31") == {told.former}
    assert contents("--as-of", "2001-01-01") == set()
    assert contents("--as-of", "2999-01-01T00:00:00-03:00") == {told.home}
    wrong = cli(*command, "--as-of", "ontem")
    assert (wrong.code, "--as-of" in wrong.err) == (2, True)


# ── context ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_context_comes_in_every_format(cli: Cli, told: Told) -> None:
    seen = {name: cli("context", told.question, "--format", name) for name in ("xml", "compact", "layers")}
    assert all(ran.code == 0 and told.home.split()[-1] in ran.out for ran in seen.values())
    assert seen["xml"].out.startswith("<")
    assert cli("context", told.question).out == cli("context", told.question, "--format", "markdown").out
    data = json.loads(cli("context", told.question, "--format", "json").out)
    assert data["name"] == "ana"
    chat = json.loads(cli("context", told.question, "--format", "chat").out)
    assert chat[0]["role"] == "system"
    refused = cli("context", told.question, "--format", "yaml")
    assert (refused.code, "choose markdown" in refused.err) == (2, True)
    assert cli("tools", "--format", "yaml").err != refused.err


def test_context_tells_programs_how_the_budget_was_shared(cli: Cli, told: Told) -> None:
    data = cli("context", told.question, "--budget", "120", "--json").data
    assert data["format"] == "markdown"
    assert sum(share["cut"] for share in data["shares"].values()) == data["cut"]
    assert all(set(share) == {"tokens", "lines", "cut"} for share in data["shares"].values())
    assert set(data["shares"]) <= {"memory", "profiles", "known", "notes", "earlier", "recent", "ask"}


def test_context_looks_back(cli: Cli, language: str, told: Told) -> None:
    then = cli("context", told.question, "--true-at", "2022-06-01").out
    assert told.former in then
    assert f"“{told.home}”" not in then
    assert told.former in cli("context", told.question, "--history", "--json").data["text"]
    nothing = cli("--lang", language, "context", told.question, "--as-of", "2001-01-01")
    assert nothing.out == ""
    assert ("goes back to that time" if language == "en" else "alcança essa época") in nothing.err


def test_context_in_a_space_shows_who_speaks_and_who_is_mentioned(cli: Cli) -> None:
    here = ("--space", "firma", "--channel", "geral")
    for name, city in (("bia", "Natal"), ("caio", "Belém"), ("davi", "Goiânia")):
        cli("--user", name, "add", f"Mora em {city}", "--attribute", "residence", "--value", city, *here)
    asked = ("context", "quem mora onde?", *here, "--json")
    assert cli(*asked).data["profiles"] == []
    people = ("--speaker", "bia", "--mention", "caio", "--mention", "davi")
    assert cli(*asked, *people).data["profiles"] == ["bia", "caio", "davi"]


# ── archive, recover and commands of a chat ───────────────────────────────────────────────────────────────────────


def test_an_item_is_archived_shown_so_and_recovered(cli: Cli, language: str) -> None:
    item = cli("add", "Fazia cerâmica", "--json").data
    done = cli("--lang", language, "archive", short(item))
    assert done.code == 0
    assert f"relembra recover {short(item)}" in done.out
    assert cli("list", "--json").data["items"] == []
    archived = "archived" if language == "en" else "arquivado"
    assert archived in cli("--lang", language, "list", "--history").out
    assert archived in cli("--lang", language, "show", short(item)).out
    told = cli("--lang", language, "history", short(item)).out
    assert told.splitlines()[1].count(archived) == 1
    assert f"{archived} " in told.split("\n\n")[1]
    back = cli("recover", short(item), "--json").data
    assert back["archived_at"] is None
    assert ("taken out of the archive" if language == "en" else "tirado do arquivo") in cli(
        "--lang", language, "history", short(item)
    ).out
    assert cli("archive", short(item), "--by", "program:tests").code == 4
    assert cli("--user", "bia", "archive", item["id"]).code == 3
    assert cli("--user", "bia", "recover", item["id"]).code == 3


def test_a_context_that_asks_for_just_this_brings_it_back_from_the_archive(cli: Cli) -> None:
    item = cli("add", "Fazia aula de cerâmica às terças", "--source", "ai_inference", "--json").data
    cli("archive", short(item))
    why = cli("why", "aula de cerâmica às terças", "--json").data["context"]["hits"]
    assert why[0]["why"]["rule"] == "archive"
    assert cli("list", "--json").data["items"] == []
    assert "cerâmica" in cli("context", "aula de cerâmica às terças").out
    assert [row["id"] for row in cli("list", "--json").data["items"]] == [item["id"]]


def test_a_command_of_a_chat_is_answered(cli: Cli, language: str, told: Told) -> None:
    answer = cli("command", told.recall)
    assert (answer.code, answer.err) == (0, "")
    assert told.sister in answer.out
    data = cli("command", told.recall, "--json").data
    assert (data["name"], data["done"]) == ("recall", True)
    assert data["text"] + "\n" == answer.out
    item = next(row for row in cli("list", "--json").data["items"] if row["content"] == told.sister)
    assert cli("command", f"/forget {short(item)}", "--json").data["items"][0]["id"] == item["id"]
    assert cli("show", item["id"], "--json").data["deleted_at"] is not None
    refused = cli("--lang", language, "command", "bom dia")
    assert refused.code == 2
    assert told.no_command in refused.err
    assert "/perfil" in cli("--lang", "pt", "command", "/help").out
    assert "/profile" in cli("--lang", "pt", "command", "/help", "--lang", "en").out


def test_a_command_where_nothing_is_kept_makes_no_file(cli: Cli, tmp_path: Path) -> None:
    assert cli("command", "/lembrar chá").out.startswith("Não lembro nada")
    assert not (tmp_path / "m.db").exists()


def test_what_nothing_is_about_is_said_beside_what_comes_nearest(cli: Cli, language: str, told: Told) -> None:
    unasked = {"pt": "receita de pão de fermentação natural", "en": "a recipe for sourdough bread"}[language]
    shown = cli("recall", unasked, "--lang", language)
    assert shown.out
    assert shown.err.strip() == Words(language)("empty.weak")
    assert cli("recall", told.about, "--lang", language).err == ""
