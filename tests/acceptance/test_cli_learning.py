"""Listening and learning on the command line, in both languages: what is said becomes known, doubted and settled."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest

from acceptance.running import RELEMBRA, Cli, answered, environment, until_it_waits
from relembra.interfaces.cli.words import Words
from relembra.interfaces.failures import aside, trouble

LANGUAGES = ("en", "pt")


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


TALKS = {
    "pt": Talk(
        small="Bom dia! Que calor hoje, hein? Rs.",
        replied="Bom dia! Eu moro em Brasília e adoro verão.",
        home="Moro no Recife.",
        moved="Me mudei e agora moro no Porto.",
        cities=("Recife", "Porto"),
        birthday="Meu aniversário é dia 3 de maio.",
        another_birthday="Meu aniversário é dia 5 de maio.",
        days=("3 de maio", "5 de maio"),
        no="Não, é dia 3 mesmo.",
        sister="Minha irmã Clara é alérgica a camarão.",
        food="Prefiro café sem açúcar.",
    ),
    "en": Talk(
        small="Morning! What a night, ha.",
        replied="Good morning! I live in Boston and I love the rain.",
        home="I live in Leeds.",
        moved="We moved, so now I live in Bristol.",
        cities=("Leeds", "Bristol"),
        birthday="My birthday is May 3.",
        another_birthday="My birthday is May 5.",
        days=("May 3", "May 5"),
        no="No, it's still the 3rd.",
        sister="My sister Clara is allergic to peanuts.",
        food="I love ginger tea.",
    ),
}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def contents(items: Iterable[dict[str, Any]]) -> str:
    return " | ".join(str(item["content"]) for item in items)


def told(cli: Cli, language: str) -> Talk:
    """A memory in which a move was learnt, and a birthday contradicted."""
    talk = TALKS[language]
    cli("save", "--said", talk.home, "--replied", talk.replied, "--at", "2026-03-02T08:00:00-03:00")
    cli("save", "--said", talk.birthday, "--at", "2026-03-02T08:01:00-03:00")
    cli("save", "--said", talk.sister, "--at", "2026-03-02T08:02:00-03:00")
    cli("save", "--said", talk.food, "--at", "2026-03-02T08:03:00-03:00")
    assert cli("learn").code == 0
    cli("save", "--said", talk.moved, "--at", "2026-03-10T08:00:00-03:00")
    cli("save", "--said", talk.another_birthday, "--at", "2026-03-10T08:01:00-03:00")
    assert cli("learn").code == 0
    return talk


def open_case(cli: Cli) -> dict[str, Any]:
    (case,) = cli("conflicts", "--open", "--json").data["items"]
    return dict(case)


# ── as processes ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_preview_works_as_written_before_there_is_a_database(process: Cli, tmp_path: Path) -> None:
    ran = process("--db", "m.db", "--user", "ana", "preview", "Tenho intolerância a lactose", "--json")
    (foreseen,) = ran.data["foreseen"]
    assert (foreseen["verdict"], foreseen["against"]) == ("add", [])
    assert (foreseen["item"]["attribute"], foreseen["item"]["value"]) == ("intolerance", "lactose")
    assert not (tmp_path / "m.db").exists()


def test_what_is_said_is_learnt_moved_contradicted_and_settled(process: Cli, cli: Cli, language: str) -> None:
    talk = TALKS[language]
    command = process if language == "pt" else cli  # a process a step mostly waits for its start

    def run(*words: str) -> Any:
        return command("--db", "m.db", "--user", "ana", "--lang", language, *words, "--json").data

    run("save", "--said", talk.small, "--replied", talk.replied, "--at", "2026-03-02T08:00:00-03:00")
    assert run("learn")["added"] == []
    run("save", "--said", talk.home, "--at", "2026-03-02T08:05:00-03:00")
    assert talk.cities[0] in contents(run("learn")["added"])
    run("save", "--said", talk.birthday, "--at", "2026-03-02T08:09:00-03:00")
    run("save", "--said", talk.moved, "--replied", talk.replied, "--at", "2026-03-10T08:00:00-03:00")
    learnt = run("learn")
    assert talk.cities[0] in contents(learnt["replaced"])
    run("save", "--said", talk.another_birthday, "--at", "2026-03-11T08:00:00-03:00")
    (case,) = run("learn")["opened"]
    question = run("context")["question"]
    assert question["case"] == case["id"]
    assert all(day in question["text"] for day in talk.days)
    run("save", "--replied", question["text"])
    run("save", "--said", talk.no)
    run("learn")
    assert run("conflicts", "show", case["id"])["outcome"] == "old"
    known = contents(run("list")["items"])
    assert talk.cities[1] in known
    assert talk.days[0] in known
    assert talk.cities[0] not in known
    assert talk.days[1] not in known
    assert "Brasília" not in known
    assert "Boston" not in known
    assert command("--db", "m.db", "verify").code == 0


def test_settling_on_a_terminal_shows_both_sides_and_asks(cli: Cli, tmp_path: Path, language: str) -> None:
    talk = told(cli, language)
    id = open_case(cli)["id"][-8:]
    words = ("--db", "m.db", "conflicts", "settle", id, "--lang", language)
    code, shown = answered(tmp_path, "\n", *words)
    assert code == 0
    assert all(day in shown for day in talk.days)
    assert Words(language)("conflicts.left_open") in shown
    assert open_case(cli)["outcome"] == "open"
    code, shown = answered(tmp_path, "huh\n2\n", *words)
    assert code == 0
    assert Words(language)("conflicts.ask.again").split(";")[0] in shown
    assert cli("conflicts", "show", id, "--json").data["outcome"] == "new"
    assert cli("conflicts", "--open", "--json").data["items"] == []


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_while_it_waits_for_an_answer_leaves_the_question_open(cli: Cli, tmp_path: Path) -> None:
    told(cli, "en")
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [*RELEMBRA, "--db", "m.db", "conflicts", "settle", open_case(cli)["id"]],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    until_it_waits(running.pid)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=120)
    os.close(ours)
    assert (running.returncode, err.decode().splitlines()[-1]) == (130, "Stopped.")
    assert open_case(cli)["outcome"] == "open"


# ── learning ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_learn_says_what_came_of_it(cli: Cli, language: str) -> None:
    talk, words = TALKS[language], Words(language)
    cli("save", "--said", talk.home)
    first = cli("learn", "--lang", language).out
    assert words("learn.summary", counts=words.count("learnt.added", 1)) in first
    assert talk.cities[0] in first
    cli("save", "--said", talk.home)
    assert words.count("learnt.repeated", 1) in cli("learn", "--lang", language).out
    cli("save", "--said", talk.moved)
    moved = cli("learn", "--lang", language).out
    assert words.count("learnt.ended", 1) in moved
    assert all(city in moved for city in talk.cities)
    assert cli("learn", "--lang", language).out.strip() == words("learn.nothing", user="ana")
    nothing = cli("learn", "--json").data
    assert {name: found for name, found in nothing.items() if found != []} == {"unread": 0, "waiting": 0, "why": None}
    assert set(nothing) == {"added", "repeated", "replaced", "opened", "settled", "unread", "waiting", "why"}


def test_learn_needs_a_memory(cli: Cli, tmp_path: Path) -> None:
    assert cli("learn").code == 5
    assert not (tmp_path / "m.db").exists()


def test_a_space_is_learnt_from_when_it_is_named(cli: Cli) -> None:
    cli("save", "--said", "I live in Leeds.", "--space", "club", "--channel", "general")
    assert cli("learn", "--json").data["added"] == []
    added = cli("learn", "--space", "club", "--json").data["added"]
    assert [item["space"] for item in added] == ["club"]


def test_what_a_program_says_or_what_is_skipped_teaches_nothing(cli: Cli, language: str) -> None:
    talk, words = TALKS[language], Words(language)
    assert cli("save", "--said", talk.home, "--program", "--author", "weather", "--json").data["refused"] is None
    skipped = cli("save", "--said", talk.home, "--skip", "--lang", language)
    assert (skipped.code, skipped.out.strip()) == (0, words("refused.skipped"))
    assert cli("save", "--said", talk.home, "--skip", "--json").data["refused"] == "skipped"
    assert cli("learn", "--json").data["added"] == []
    assert len(cli("messages", "--json").data["items"]) == 1
    unnamed = cli("save", "--said", "x", "--program", "--lang", language)
    assert (unnamed.code, "--author" in unnamed.err) == (2, True)


def test_preview_says_what_would_become_of_each_thing(cli: Cli, language: str) -> None:
    talk, words = told(cli, language), Words(language)

    def verdicts(text: str) -> list[str]:
        return [each["verdict"] for each in cli("preview", text, "--json").data["foreseen"]]

    before = cli("stats", "--json").data
    assert verdicts(talk.food) == ["repeat"]
    assert verdicts(talk.home) == ["replace"]
    assert "ask" in verdicts(talk.birthday.replace("3", "9"))
    assert cli("stats", "--json").data | {"bytes": 0} == before | {"bytes": 0}
    shown = cli("preview", talk.home, "--lang", language).out
    assert words("verdict.replace") in shown
    assert talk.cities[1] in shown
    assert words("preview.nothing_kept") in shown


def test_a_preview_of_nothing_says_so_kindly(cli: Cli, language: str, tmp_path: Path) -> None:
    talk, words = TALKS[language], Words(language)
    assert cli("preview", "ok", "--lang", language).out.strip() == words("preview.nothing")
    assert cli("preview", "ok?", "--lang", language).out.strip() == words("preview.question")
    assert cli("preview", talk.small, "--json").data == {"foreseen": [], "unread": False}
    (tmp_path / "relembra.toml").write_text('blocked = ["ana"]\nspaces_off = ["club"]')
    assert cli("preview", talk.home, "--lang", language).out.strip() == words("preview.blocked", user="ana")
    off = cli("--user", "bia", "preview", talk.home, "--space", "club", "--lang", language)
    assert off.out.strip() == words("preview.off", space="club")
    refused = cli("save", "--said", talk.home, "--lang", language)
    assert refused.out.strip() == words("refused.blocked", user="ana")


def test_a_preview_may_be_dated(cli: Cli) -> None:
    told(cli, "en")
    (early,) = cli("preview", "I live in York.", "--at", "2020-05-01", "--json").data["foreseen"]
    assert (early["verdict"], early["item"]["held_from"]) == ("history", "2020-05-01T03:00:00Z")
    assert cli("preview", "I live in York.", "--at", "yesterday").code == 2


# ── notes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_notes_are_listed_and_shown(cli: Cli, language: str) -> None:
    words = Words(language)
    assert cli("notes", "--lang", language).out.strip() == words("empty.notes", user="ana")
    talk = told(cli, language)
    listed = cli("notes", "--json").data
    assert [note["kind"] for note in listed["items"]] == ["conversation", "conversation"]
    newest = listed["items"][0]
    page = cli("notes", "--limit", "1", "--json").data
    assert [note["id"] for note in page["items"]] == [newest["id"]]
    rest = cli("notes", "--limit", "1", "--after", page["next"], "--json").data
    assert [note["id"] for note in rest["items"]] == [listed["items"][1]["id"]]
    lines = cli("notes", "--lang", language).out.splitlines()
    assert len(lines) == 2
    assert lines[0].split("\t")[0] == {"pt": "10 mar 2026", "en": "Mar 10, 2026"}[language]
    shown = cli("notes", "show", newest["id"][-8:], "--lang", language).out
    assert newest["title"] in shown
    assert talk.cities[1] in shown
    assert cli("notes", "show", newest["id"], "--json").data == newest
    assert cli("notes", "--kind", "semana", "--json").data["items"] == []
    assert cli("notes", "--conversation", "direct", "--json").data["items"] == listed["items"]
    wrong = cli("notes", "--kind", "nonsense", "--lang", language)
    assert (wrong.code, words("error.field.kind") in wrong.err) == (2, True)
    missing = cli("notes", "show", "abcdef", "--lang", language)
    assert (missing.code, words("error.not_found.note", user="ana", id="abcdef") in missing.err) == (3, True)
    assert cli("--user", "bia", "notes", "show", newest["id"]).code == 3
    cli("save", "--said", TALKS[language].home, "--space", "team")
    cli("learn", "--space", "team")
    [spoken] = cli("notes", "--space", "team", "--json").data["items"]
    assert cli("--user", "bia", "notes", "show", spoken["id"]).code == 3
    shown_there = cli("--user", "bia", "notes", "show", spoken["id"], "--space", "team", "--json")
    assert shown_there.data == spoken


# ── contradictions ────────────────────────────────────────────────────────────────────────────────────────────────


def test_contradictions_are_listed_shown_settled_and_taken_back(cli: Cli, language: str) -> None:
    words = Words(language)
    assert cli("conflicts", "--lang", language).out.strip() == words("empty.conflicts", user="ana")
    talk = told(cli, language)
    outcomes = {case["outcome"] for case in cli("conflicts", "--json").data["items"]}
    assert outcomes == {"new", "open"}
    shown = cli("conflicts", "--lang", language).out
    assert words("outcome.new") in shown
    assert words("reason.changed", attribute=words("attribute.residence")) in shown
    case = open_case(cli)
    id = case["id"][-8:]
    whole = cli("conflicts", "show", id, "--lang", language).out
    assert all(day in whole for day in talk.days)
    assert words("reason.fixed", attribute=words("attribute.birthday")) in whole
    assert cli("conflicts", "show", case["new"]["id"][-8:], "--json").data["id"] == case["id"]
    keep = {"pt": "antigo", "en": "old"}[language]
    settled = cli("conflicts", "settle", id, "--keep", keep, "--lang", language).out
    assert words("conflicts.settled", outcome=words("outcome.old")) in settled
    assert cli("conflicts", "--open", "--lang", language).out.strip() == words("empty.conflicts.open", user="ana")
    again = cli("conflicts", "settle", id, "--keep", "both", "--json").data
    assert (again["outcome"], again["old"]["superseded_at"], again["new"]["superseded_at"]) == ("both", None, None)
    back = cli("conflicts", "undo", id, "--json").data
    assert back["outcome"] == "open"
    nothing = cli("conflicts", "undo", id, "--lang", language)
    assert (nothing.code, words("error.conflict.conflicts_undo") in nothing.err) == (4, True)
    assert cli("conflicts", "settle", id, "--keep", "neither").code == 0
    known = contents(cli("list", "--json").data["items"])
    assert not any(day in known for day in talk.days)
    assert words("outcome.neither") in cli("history", case["old"]["id"][-8:], "--lang", language).out


def test_a_decision_of_a_rule_is_taken_back_too(cli: Cli) -> None:
    talk = told(cli, "en")
    moved = next(case for case in cli("conflicts", "--json").data["items"] if case["outcome"] == "new")
    assert cli("conflicts", "undo", moved["id"][-8:], "--json").data["outcome"] == "undone"
    assert all(city in contents(cli("list", "--json").data["items"]) for city in talk.cities)


def test_a_wrong_case_or_answer_is_named(cli: Cli, language: str) -> None:
    words = Words(language)
    told(cli, language)
    id = open_case(cli)["id"][-8:]
    for verb in (["show"], ["settle"], ["undo"]):
        keep = ["--keep", "new"] if verb == ["settle"] else []
        missing = cli("conflicts", *verb, "abcdef", *keep, "--lang", language)
        assert (missing.code, words("error.not_found.case", user="ana", id="abcdef") in missing.err) == (3, True)
    wrong = cli("conflicts", "settle", id, "--keep", "maybe", "--lang", language)
    assert (wrong.code, words("error.field.keep") in wrong.err) == (2, True)
    unasked = cli("conflicts", "settle", id, "--lang", language)
    assert (unasked.code, words("conflicts.cannot_ask") in unasked.err) == (2, True)
    assert cli("conflicts", "settle", id, "--keep", "new", "--by", "model:m").code == 2
    assert cli("--user", "bia", "conflicts", "show", open_case(cli)["id"]).code == 3
    everything = cli("conflicts", "--json").data["items"]
    shared = everything[0]["id"][:6]
    if all(case["id"].startswith(shared) for case in everything):
        assert cli("conflicts", "show", shared, "--json").error["field"] == "id"
    assert open_case(cli)["outcome"] == "open"


def test_the_context_carries_the_gentle_question(cli: Cli, tmp_path: Path, language: str) -> None:
    talk, words = told(cli, language), Words(language)
    code, shown = answered(tmp_path, "", "--db", "m.db", "context", "--lang", language)
    flat = " ".join(shown.split())
    assert code == 0
    assert words("context.question", text="", id="").partition(":")[0] in flat
    assert all(day in flat for day in talk.days)
    assert f"relembra conflicts settle {open_case(cli)['id'][-8:]}" in flat
    assert cli("context", "--json").data["question"] is None  # not again and again


# ── views ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", [["me"], ["profile"], ["people"], ["profile", "--cognitive"]])
def test_an_empty_memory_says_so_and_makes_no_file(cli: Cli, tmp_path: Path, language: str, words: list[str]) -> None:
    ran = cli(*words, "--lang", language)
    key = {"--cognitive": "empty.cognitive"}.get(words[-1], f"empty.{words[0]}")
    assert (ran.code, (ran.out + ran.err).strip()) == (0, Words(language)(key, user="ana"))
    assert not (tmp_path / "m.db").exists()


def test_the_compact_memory_grows_a_version_when_it_changes(cli: Cli, language: str) -> None:
    talk = told(cli, language)
    first = cli("me", "--lang", language, "--json").data
    assert (first["version"], first["location"]) == (1, talk.cities[1])
    assert 0 < first["tokens"] <= 800
    assert cli("me", "--lang", language, "--json").data["version"] == 1
    shown = cli("me", "--lang", language)
    assert (shown.out, shown.err) == (first["text"] + "\n", "")
    cli("save", "--said", talk.home)
    cli("learn")
    assert cli("me", "--lang", language, "--json").data["version"] == 2


def test_a_profile_names_its_sources(cli: Cli, language: str) -> None:
    talk = told(cli, language)
    made = cli("profile", "--lang", language, "--json").data
    home = next(line for line in made["bio"] if talk.cities[1] in line["text"])
    assert home["note_title"]
    assert "Clara" in made["relationships"][0]["text"]
    lines = [line.split("\t") for line in cli("profile", "--lang", language).out.splitlines()]
    assert lines[0] == [Words(language)("profile.of", user="ana")]
    assert any(title == {"pt": "Biografia", "en": "Bio"}[language] for title, *_ in lines[1:])
    date = {"pt": "10 mar 2026", "en": "Mar 10, 2026"}[language]
    assert any(talk.cities[1] in text and date in source for _, text, source in lines[1:])


def test_the_other_forms_of_a_profile(cli: Cli, language: str) -> None:
    talk = told(cli, language)
    facts = json.loads(cli("profile", "--minified").out)
    assert facts == cli("profile", "--minified", "--json").data
    assert {tuple(fact) for fact in facts} == {("i", "t", "c", "w", "d")}
    assert len(cli("profile", "--minified", "--limit", "1", "--json").data) == 1
    assert re.fullmatch(r"\d{6}", facts[0]["d"])
    traits = cli("profile", "--cognitive", "--json").data["traits"]
    assert any(trait["key"].startswith("likes.") for trait in traits)
    assert talk.food.split()[-1].rstrip(".") in cli("profile", "--cognitive", "--lang", language).out
    assert cli("profile", "--cognitive", "--minified").code == 2


def test_people_are_shown_with_what_is_known_of_them(cli: Cli, language: str) -> None:
    told(cli, language)
    (clara,) = cli("people", "--json").data["people"]
    assert (clara["name"], clara["relation"], clara["birthday"]) == (
        "Clara",
        {"pt": "irmã", "en": "sister"}[language],
        None,
    )
    assert clara["facts"]
    assert cli("people", "--lang", language).out.startswith("Clara\t")


# ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_tools_are_described_as_each_provider_wants_them(cli: Cli, tmp_path: Path, language: str) -> None:
    openai = json.loads(cli("tools", "--lang", language).out)
    assert [tool["type"] for tool in openai] == ["function"] * 3
    anthropic = cli("tools", "--format", "anthropic", "--lang", language, "--json").data
    assert all("input_schema" in tool for tool in anthropic)
    assert openai[0]["function"]["description"] == anthropic[0]["description"]
    assert "pessoa" in anthropic[0]["description"] or language == "en"
    wrong = cli("tools", "--format", "nonsense", "--lang", language)
    assert (wrong.code, Words(language)("error.field.format") in wrong.err) == (2, True)
    assert not (tmp_path / "m.db").exists()


def test_a_tool_is_called_as_an_assistant_would(cli: Cli, tmp_path: Path, language: str) -> None:
    nothing = cli("tools", "call", "search_knowledge", '{"query": "tea"}', "--json").data
    assert nothing["count"] == 0
    assert not (tmp_path / "m.db").exists()
    added = json.dumps({"type": "preference", "content": "Loves tea", "area": "leisure"})
    assert json.loads(cli("tools", "call", "add_knowledge", added).out)["kept"]["content"] == "Loves tea"
    found = cli("tools", "call", "search_knowledge", '{"query": "tea"}', "--json").data
    assert found["count"] == 1
    about = cli("tools", "call", "analyze_context", '{"current_topic": "tea"}', "--json").data
    assert about["related"]
    for arguments in ('{"qery": "tea"}', "{", "[]"):
        wrong = cli("tools", "call", "search_knowledge", arguments, "--lang", language)
        assert (wrong.code, Words(language)("error.tool") in wrong.err) == (2, True)
    assert "search_knowledge" in cli("tools", "call", "nonsense", "{}").err


# ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_given_up_work_is_tried_again(cli: Cli, tmp_path: Path, language: str) -> None:
    words = Words(language)
    cli("save", "--said", TALKS[language].home)
    assert cli("retry", "--lang", language).out.strip() == words("retry.nothing")
    db = apsw.Connection(str(tmp_path / "m.db"))
    db.execute("UPDATE job SET state = 'dead' WHERE kind = 'flush'")
    db.close()
    assert cli("stats", "--json").data["jobs"]["dead"] == 1
    jobs = next(check for check in cli("doctor", "--json").data["checks"] if check["name"] == "jobs")
    assert (jobs["state"], "relembra retry" in jobs["advice"]) == ("warning", True)
    retried = cli("retry", "--lang", language)
    assert words("retry.done", count=words.count("job", 1)) in retried.out
    assert cli("stats", "--json").data["jobs"].get("dead", 0) == 0
    assert TALKS[language].cities[0] in contents(cli("list", "--json").data["items"])


def test_stats_say_what_models_were_asked(cli: Cli, language: str) -> None:
    cli("add", "x")
    assert cli("stats", "--json").data["usage"] == []
    assert Words(language)("stats.usage", task="") not in cli("stats", "--lang", language).out


def test_the_doctor_says_whether_there_is_a_language_model(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    def llm() -> dict[str, Any]:
        ran = cli("doctor", "--lang", language, "--json")
        return next(check for check in json.loads(ran.out)["checks"] if check["name"] == "llm")

    words = Words(language)
    assert llm()["found"] == words("doctor.llm.none")
    monkeypatch.setenv("RELEMBRA_LLM", "ollama:some-model")
    assert llm()["found"] == words("doctor.llm.ok", models="ollama:some-model")
    monkeypatch.setenv("RELEMBRA_LLM", "nonsense")
    assert (llm()["state"], llm()["advice"]) == ("problem", words("doctor.llm.advice"))
    checks = {check["name"] for check in json.loads(cli("doctor", "--json").out)["checks"]}
    assert {"extra.llm", "store"} <= checks


def wrong_setting(name: str, extra: bool, monkeypatch: pytest.MonkeyPatch) -> str:
    """Set up a model that cannot be used; what is wrong with it, in the library's words."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("RELEMBRA_LLM", name)
    if not extra:
        monkeypatch.setattr("relembra.bootstrap.find_spec", lambda _: None)
        return "a language model needs an optional package: pip install 'relembra[llm]'"
    return "openai: needs an API key, or a base URL of a server that needs none"


@pytest.mark.parametrize("extra", [True, False], ids=["no key", "no extra"])
def test_a_model_that_cannot_be_used_keeps_nothing_else_from_working(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, language: str, extra: bool
) -> None:
    words, talk = Words(language), TALKS[language]
    wrong = wrong_setting("openai:x", extra, monkeypatch)
    added = cli("add", "--attribute", "residence", "--value", "Oslo", "Oslo", "--json").data
    assert cli("add", "Oslo, Oslo").code == 0
    assert [item["id"] for item in cli("list", "--json").data["items"]][-1] == added["id"]
    assert cli("save", "--said", talk.home).code == 0
    assert cli("context", "Oslo").code == 0

    told = cli("preview", talk.home, "--lang", language)
    assert told.code == (2 if extra else 1)
    if extra:
        assert words("error.settings", message=trouble(words, wrong)) in told.err
    else:
        assert words("error.extra", feature="", extra="llm").strip() in told.err
    assert cli("preview", talk.home, "--json").code == told.code
    doctor = {check["name"]: check for check in json.loads(cli("doctor", "--lang", language, "--json").out)["checks"]}
    assert (doctor["llm"]["state"], doctor["llm"]["found"]) == ("problem", trouble(words, wrong))
    assert cli("forget", "--all", "--yes").code == 0


@pytest.mark.parametrize("extra", [True, False], ids=["no key", "no extra"])
def test_what_a_model_could_not_read_waits_and_learn_and_doctor_say_why(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, language: str, extra: bool
) -> None:
    words, talk = Words(language), TALKS[language]
    with monkeypatch.context() as patched:
        wrong = wrong_setting("openai:x", extra, patched)
        cli("save", "--said", talk.home)
        for _ in range(4):  # more often than what fails is tried
            told = cli("learn", "--lang", language)
            assert told.code == 1
            assert words("learn.waiting", count=words.count("job", 1)) in told.out
            assert aside(words, wrong) in told.out
            assert words("learn.nothing", user="ana") not in told.out
        ran = cli("learn", "--json")
        data = json.loads(ran.out)
        assert (ran.code, data["waiting"], data["why"], data["added"]) == (1, 1, wrong, [])
        checks = json.loads(cli("doctor", "--lang", language, "--json").out)["checks"]
        jobs = next(check for check in checks if check["name"] == "jobs")
        assert jobs["state"] == "warning"
        assert words("work.flush") in jobs["found"]
        assert aside(words, wrong) in jobs["found"]
        assert jobs["advice"] == words("doctor.jobs.failed.advice")
    assert cli("learn", "--lang", language).code == 0  # no model is set any more
    assert talk.cities[0] in contents(cli("list", "--json").data["items"])


# ── an older program's facts ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    path = tmp_path / "old.db"
    db = sqlite3.connect(path)
    db.executescript(
        """
        CREATE TABLE users (id INTEGER PRIMARY KEY, discord_id TEXT, username TEXT, display_name TEXT);
        CREATE TABLE facts (
            id INTEGER PRIMARY KEY, user_id INTEGER, fact TEXT, deleted INTEGER, created_at DATETIME
        );
        INSERT INTO users VALUES (1, '111', 'alex', 'Alex'), (2, '222', 'sam', 'Sam Lee');
        INSERT INTO facts VALUES
            (1, 1, 'Alex likes RPGs', 0, '2026-02-20 10:00:00'),
            (2, 1, 'Lives in Austin', 0, '2026-02-23 10:00:00'),
            (3, 2, 'Sam Lee tem um cachorro', 0, '2026-02-18 10:00:00'),
            (4, 2, 'Sam Lee has a cat', 1, '2026-02-18 10:00:00');
        """
    )
    db.commit()
    db.close()
    return path


def test_facts_are_imported_once_and_their_file_stays_as_it_is(
    cli: Cli, old_file: Path, tmp_path: Path, language: str
) -> None:
    words, before = Words(language), old_file.read_bytes()
    tried = cli("import", "facts", "old.db", "--dry-run", "--lang", language)
    assert words("import.would", count=words.count("fact", 3), path="old.db") in tried.out
    assert not (tmp_path / "m.db").exists()
    report = cli("import", "facts", "old.db", "--json").data
    assert report == {
        "added": {"alex": 2, "sam": 1}, "known": 0, "repeated": 0, "left_out": 1, "people": ["alex", "sam"],
        "dry_run": False, "total": 3,
    }  # fmt: skip
    items = cli("--user", "alex", "list", "--json").data["items"]
    assert [(item["content"], item["source"], item["tags"], item["held_from"]) for item in items] == [
        ("Lives in Austin", "import", ["fact:2"], "2026-02-23T10:00:00Z"),
        ("Likes RPGs", "import", ["fact:1"], "2026-02-20T10:00:00Z"),
    ]
    again = cli("import", "facts", "old.db", "--lang", language)
    assert words("import.nothing", path="old.db") in again.out
    assert len(cli("--user", "alex", "list", "--json").data["items"]) == 2
    assert old_file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.glob("old.db*")) == ["old.db"]


def test_one_persons_facts_are_imported_under_the_name_given(cli: Cli, old_file: Path, language: str) -> None:
    assert cli("--user", "222", "import", "facts", str(old_file), "--json").data["added"] == {"222": 1}
    assert cli("--user", "alex", "list", "--json").data["items"] == []
    nobody = cli("--user", "joe", "import", "facts", str(old_file), "--lang", language)
    assert nobody.out.strip() == Words(language)("import.nobody", user="joe", people="alex, sam")


def test_a_file_without_facts_is_refused(cli: Cli, tmp_path: Path, language: str) -> None:
    (tmp_path / "no.db").write_text("not a database " * 100)
    sqlite3.connect(tmp_path / "empty.db").execute("CREATE TABLE x (y)").connection.close()
    for name in ("missing.db", "no.db", "empty.db"):
        ran = cli("import", "facts", name, "--lang", language)
        assert (ran.code, Words(language)("error.field.facts_file") in ran.err, name in ran.err) == (2, True, True)
    assert cli("import", "old.db").code == 2
