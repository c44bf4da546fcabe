"""Listening and learning on the command line: what is said becomes known, doubted and settled, and is put together."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from acceptance.running import Cli
from relembra.interfaces.cli.commands import Words
from relembra.interfaces.failures import aside, trouble


@dataclass(frozen=True)
class Talk:
    """What somebody says over two weeks, and what has to come of it."""

    small: str
    replied: str  # with something in it that must not be learnt
    home: str
    moved: str
    cities: tuple[str, str]
    birthday: str
    another_birthday: str
    days: tuple[str, str]
    no: str
    sister: str
    food: str


TALK = Talk(
    small="Bom dia! Que calor hoje, hein? Rs.", replied="Bom dia! Eu moro em Brasília e adoro verão.",
    home="Moro no Recife.", moved="Me mudei e agora moro no Porto.", cities=("Recife", "Porto"),
    birthday="Meu aniversário é dia 3 de maio.", another_birthday="Meu aniversário é dia 5 de maio.",
    days=("3 de maio", "5 de maio"), no="Não, é dia 3 mesmo.", sister="Minha irmã Clara é alérgica a camarão.",
    food="Prefiro café sem açúcar.",
)  # fmt: skip
PT, EN = Words("pt"), Words("en")


def contents(items: Iterable[dict[str, Any]]) -> str:
    return " | ".join(str(item["content"]) for item in items)


def known(cli: Cli) -> str:
    return contents(cli("list", "--json").data["items"])


def told(cli: Cli) -> Talk:
    """A memory in which a move was learnt, and a birthday contradicted."""
    talk = TALK
    for minute, said in enumerate((talk.home, talk.birthday, talk.sister, talk.food)):
        cli("save", "--said", said, "--replied", talk.replied, "--at", f"2026-03-02T08:0{minute}:00-03:00")
    assert cli("learn").code == 0
    for minute, said in enumerate((talk.moved, talk.another_birthday)):
        cli("save", "--said", said, "--at", f"2026-03-10T08:0{minute}:00-03:00")
    assert cli("learn").code == 0
    return talk


def open_case(cli: Cli) -> dict[str, Any]:
    (case,) = cli("conflicts", "--open", "--json").data["items"]
    return dict(case)


# ── learning ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_said_is_learnt_moved_contradicted_and_settled(cli: Cli) -> None:
    talk = TALK

    def run(*line: str) -> Any:
        return cli("--lang", "pt", *line, "--json").data

    run("save", "--said", talk.small, "--replied", talk.replied, "--at", "2026-03-02T08:00:00-03:00")
    nothing = run("learn")
    assert {name: found for name, found in nothing.items() if found != []} == {"unread": 0, "waiting": 0, "why": None}
    assert set(nothing) == {"added", "repeated", "replaced", "opened", "settled", "unread", "waiting", "why"}
    assert cli("learn", "--lang", "pt").out.strip() == PT("learn.nothing", user="ana")
    run("save", "--said", talk.home, "--at", "2026-03-02T08:05:00-03:00")
    first = cli("learn", "--lang", "pt").out
    assert PT("learn.summary", counts=PT.count("learnt.added", 1)) in first
    run("save", "--said", talk.birthday, "--at", "2026-03-02T08:09:00-03:00")
    run("save", "--said", talk.moved, "--replied", talk.replied, "--at", "2026-03-10T08:00:00-03:00")
    assert talk.cities[0] in contents(run("learn")["replaced"])
    run("save", "--said", talk.another_birthday, "--at", "2026-03-11T08:00:00-03:00")
    (case,) = run("learn")["opened"]
    question = run("context")["question"]
    assert question["case"] == case["id"]
    assert all(day in question["text"] for day in talk.days)
    assert run("context")["question"] is None  # not again and again
    run("save", "--replied", question["text"])
    run("save", "--said", talk.no)
    run("learn")
    assert run("conflicts", "show", case["id"])["outcome"] == "old"
    held = contents(run("list")["items"])
    assert [part in held for part in (talk.cities[1], talk.days[0])] == [True, True]
    assert not any(part in held for part in (talk.cities[0], talk.days[1], "Brasília"))
    assert cli("verify").code == 0


def test_a_space_is_learnt_from_when_it_is_named_and_programs_teach_nothing(cli: Cli) -> None:
    cli("save", "--said", "I live in Leeds.", "--space", "club", "--channel", "general")
    assert cli("learn", "--json").data["added"] == []
    added = cli("learn", "--space", "club", "--json").data["added"]
    assert [item["space"] for item in added] == ["club"]
    home = "I live in Leeds."
    assert cli("save", "--said", home, "--program", "--author", "weather", "--json").data["refused"] is None
    assert cli("save", "--said", home, "--skip").out.strip() == EN("refused.skipped")
    assert cli("save", "--said", home, "--skip", "--json").data["refused"] == "skipped"
    assert cli("learn", "--json").data["added"] == []
    unnamed = cli("save", "--said", "x", "--program")
    assert (unnamed.code, "--author" in unnamed.err) == (2, True)


def test_preview_says_what_would_become_of_each_thing_and_keeps_nothing(cli: Cli, tmp_path: Path) -> None:
    ran = cli("--db", "m.db", "--user", "ana", "preview", "Tenho intolerância a lactose", "--json")
    (foreseen,) = ran.data["foreseen"]
    assert (foreseen["verdict"], foreseen["against"]) == ("add", [])
    assert (foreseen["item"]["attribute"], foreseen["item"]["value"]) == ("intolerance", "lactose")
    assert not (tmp_path / "m.db").exists()
    talk = told(cli)

    def verdicts(*line: str) -> list[str]:
        return [each["verdict"] for each in cli("preview", *line, "--json").data["foreseen"]]

    before = cli("stats", "--json").data
    assert verdicts(talk.food) == ["repeat"]
    assert verdicts(talk.home) == ["replace"]
    assert verdicts(talk.home, "--at", "2020-05-01") == ["history"]
    assert "ask" in verdicts(talk.birthday.replace("3", "9"))
    assert cli("stats", "--json").data | {"bytes": 0} == before | {"bytes": 0}
    shown = cli("preview", talk.home, "--lang", "pt").out
    assert all(part in shown for part in (PT("verdict.replace"), talk.cities[1], PT("preview.nothing_kept")))
    for text, key in (("ok", "preview.nothing"), ("ok?", "preview.question")):
        assert cli("preview", text, "--lang", "pt").out.strip() == PT(key)
    (tmp_path / "relembra.toml").write_text('blocked = ["ana"]\nspaces_off = ["club"]')
    assert cli("preview", talk.home, "--lang", "pt").out.strip() == PT("preview.blocked", user="ana")
    off = cli("--user", "bia", "preview", talk.home, "--space", "club", "--lang", "pt")
    assert off.out.strip() == PT("preview.off", space="club")


def test_what_a_model_could_not_read_waits_and_everything_else_works(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    talk, wrong = TALK, "openai: needs an API key, or a base URL of a server that needs none"
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with monkeypatch.context() as patched:
        patched.setenv("RELEMBRA_LLM", "openai:x")
        for line in (["add", "Oslo, Oslo"], ["save", "--said", talk.home], ["context", "Oslo"]):
            assert cli(*line).code == 0
        refused = cli("preview", talk.home, "--lang", "pt")
        assert (refused.code, PT("error.settings", message=trouble(PT, wrong)) in refused.err) == (2, True)
        for _ in range(4):  # more often than what fails is tried
            told = cli("learn", "--lang", "pt")
            assert told.code == 1
            assert PT("learn.waiting", count=PT.count("job", 1)) in told.out
            assert aside(PT, wrong) in told.out
        data = json.loads(cli("learn", "--json").out)
        assert (data["waiting"], data["why"], data["added"]) == (1, wrong, [])
        checks = {one["name"]: one for one in json.loads(cli("doctor", "--lang", "pt", "--json").out)["checks"]}
        assert (checks["llm"]["state"], checks["llm"]["found"]) == ("problem", trouble(PT, wrong))
        assert (checks["jobs"]["state"], aside(PT, wrong) in checks["jobs"]["found"]) == ("warning", True)
    assert cli("learn").code == 0  # no model is set any more
    assert talk.cities[0] in known(cli)


# ── notes and contradictions ──────────────────────────────────────────────────────────────────────────────────────


def test_notes_are_listed_and_shown(cli: Cli) -> None:
    assert cli("notes", "--lang", "pt").out.strip() == PT("empty.notes", user="ana")
    talk = told(cli)
    listed = cli("notes", "--json").data
    assert [note["kind"] for note in listed["items"]] == ["conversation", "conversation"]
    newest = listed["items"][0]
    lines = cli("notes", "--lang", "pt").out.splitlines()
    assert (len(lines), lines[0].split("\t")[0]) == (2, "10 mar 2026")
    shown = cli("notes", "show", newest["id"][-8:], "--lang", "pt").out
    assert all(part in shown for part in (newest["title"], talk.cities[1]))
    assert cli("notes", "show", newest["id"], "--json").data == newest
    assert cli("notes", "--kind", "semana", "--json").data["items"] == []
    assert cli("notes", "--conversation", "direct", "--json").data["items"] == listed["items"]
    assert cli("--user", "bia", "notes", "show", newest["id"]).code == 3
    cli("save", "--said", talk.home, "--space", "team")
    cli("learn", "--space", "team")
    [spoken] = cli("notes", "--space", "team", "--json").data["items"]
    assert cli("--user", "bia", "notes", "show", spoken["id"]).code == 3
    assert cli("--user", "bia", "notes", "show", spoken["id"], "--space", "team", "--json").data == spoken


def test_contradictions_are_listed_shown_settled_and_taken_back(cli: Cli) -> None:
    assert cli("conflicts", "--lang", "pt").out.strip() == PT("empty.conflicts", user="ana")
    talk = told(cli)
    cases = {case["outcome"]: case for case in cli("conflicts", "--json").data["items"]}
    assert set(cases) == {"new", "open"}
    shown = cli("conflicts", "--lang", "pt").out
    assert PT("outcome.new") in shown
    assert PT("reason.changed", attribute=PT("attribute.residence")) in shown
    case, id = open_case(cli), open_case(cli)["id"][-8:]
    whole = cli("conflicts", "show", id, "--lang", "pt").out
    assert all(day in whole for day in talk.days)
    assert PT("reason.fixed", attribute=PT("attribute.birthday")) in whole
    assert cli("conflicts", "show", case["new"]["id"][-8:], "--json").data["id"] == case["id"]

    missing = cli("conflicts", "show", "abcdef", "--lang", "pt")
    assert (missing.code, PT("error.not_found.case", user="ana", id="abcdef") in missing.err) == (3, True)
    wrong = cli("conflicts", "settle", id, "--keep", "maybe", "--lang", "pt")
    assert (wrong.code, PT("error.field.keep") in wrong.err) == (2, True)
    assert cli("conflicts", "settle", id, "--keep", "new", "--by", "model:m").code == 2
    assert cli("--user", "bia", "conflicts", "show", case["id"]).code == 3

    settled = cli("conflicts", "settle", id, "--keep", "antigo", "--lang", "pt").out
    assert PT("conflicts.settled", outcome=PT("outcome.old")) in settled
    assert cli("conflicts", "--open", "--lang", "pt").out.strip() == PT("empty.conflicts.open", user="ana")
    again = cli("conflicts", "settle", id, "--keep", "both", "--json").data
    assert (again["outcome"], again["old"]["superseded_at"], again["new"]["superseded_at"]) == ("both", None, None)
    assert cli("conflicts", "undo", id, "--json").data["outcome"] == "open"
    nothing = cli("conflicts", "undo", id, "--lang", "pt")
    assert (nothing.code, PT("error.conflict.conflicts_undo") in nothing.err) == (4, True)
    assert cli("conflicts", "undo", cases["new"]["id"][-8:], "--json").data["outcome"] == "undone"
    assert all(city in known(cli) for city in talk.cities)


# ── views and tools ───────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_known_is_put_together(cli: Cli, tmp_path: Path) -> None:
    for line in (["me"], ["profile"], ["people"], ["profile", "--cognitive"]):
        ran = cli(*line, "--lang", "pt")
        key = "empty.cognitive" if "--cognitive" in line else f"empty.{line[0]}"
        assert (ran.code, (ran.out + ran.err).strip()) == (0, PT(key, user="ana"))
    assert not (tmp_path / "m.db").exists()
    talk = told(cli)
    first = cli("me", "--lang", "pt", "--json").data
    assert (first["version"], first["location"]) == (1, talk.cities[1])
    assert 0 < first["tokens"] <= 800
    shown = cli("me", "--lang", "pt")
    assert (shown.out, shown.err) == (first["text"] + "\n", "")
    made = cli("profile", "--lang", "pt", "--json").data
    home = next(line for line in made["bio"] if talk.cities[1] in line["text"])
    assert home["note_title"]
    assert "Clara" in made["relationships"][0]["text"]
    lines = [line.split("\t") for line in cli("profile", "--lang", "pt").out.splitlines()]
    assert lines[0] == [PT("profile.of", user="ana")]
    assert any(
        title == "Biografia" and talk.cities[1] in text and "10 mar 2026" in source for title, text, source in lines[1:]
    )
    facts = json.loads(cli("profile", "--minified").out)
    assert facts == cli("profile", "--minified", "--json").data
    assert {tuple(fact) for fact in facts} == {("i", "t", "c", "w", "d")}
    assert len(cli("profile", "--minified", "--limit", "1", "--json").data) == 1
    traits = cli("profile", "--cognitive", "--json").data["traits"]
    assert any(trait["key"].startswith("likes.") for trait in traits)
    assert "açúcar" in cli("profile", "--cognitive", "--lang", "pt").out
    (clara,) = cli("people", "--json").data["people"]
    assert (clara["name"], clara["relation"], clara["birthday"]) == ("Clara", "irmã", None)
    assert cli("people", "--lang", "pt").out.startswith("Clara\t")


def test_tools_are_described_and_called_as_an_assistant_would(cli: Cli, tmp_path: Path) -> None:
    openai = json.loads(cli("tools", "--lang", "pt").out)
    assert [tool["type"] for tool in openai] == ["function"] * 3
    anthropic = cli("tools", "--format", "anthropic", "--lang", "pt", "--json").data
    assert openai[0]["function"]["description"] == anthropic[0]["description"]
    assert "pessoa" in anthropic[0]["description"]
    search = ("tools", "call", "search_knowledge", '{"query": "tea"}', "--json")
    assert cli(*search).data["count"] == 0
    assert not (tmp_path / "m.db").exists()
    added = json.dumps({"type": "preference", "content": "Loves tea", "area": "leisure"})
    assert json.loads(cli("tools", "call", "add_knowledge", added).out)["kept"]["content"] == "Loves tea"
    assert cli(*search).data["count"] == 1
    assert cli("tools", "call", "analyze_context", '{"current_topic": "tea"}', "--json").data["related"]
    wrong = cli("tools", "call", "search_knowledge", '{"qery": "tea"}', "--lang", "pt")
    assert (wrong.code, PT("error.tool") in wrong.err) == (2, True)
    assert "search_knowledge" in cli("tools", "call", "nonsense", "{}").err
