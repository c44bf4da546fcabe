from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import relembra.interfaces.cli as cli
from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.knowledge import KnowledgeType, LifeArea, Source
from relembra.interfaces.cli.catalogue import SENTENCES
from relembra.interfaces.cli.grammar import COMMANDS, GENERAL, GROUPS, VERSION
from relembra.interfaces.cli.manual import MANUAL
from relembra.interfaces.cli.words import Words, spoken

ALL = SENTENCES | MANUAL
FOLDER = Path(cli.__file__).parent
ASIDE = ("demo", "staging")  # they speak through their stories


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", ALL)
def test_both_languages_say_something_and_name_the_same_parts(key: str) -> None:
    english, portuguese = ALL[key]
    assert english.strip()
    assert portuguese.strip()
    general = key in ("error.invalid", "error.invalid.nothing", "error.store.version")  # their detail follows below
    assert placeholders(portuguese) == placeholders(english) or (
        general and placeholders(portuguese) <= placeholders(english)
    )


def test_no_key_stands_in_both_catalogues() -> None:
    assert not SENTENCES.keys() & MANUAL.keys()


def test_every_sentence_asked_for_by_name_is_there() -> None:
    asked = set()
    for path in FOLDER.glob("*.py"):
        if path.stem in ASIDE:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="words"), args=[ast.Constant(value=str(key)), *_]):
                    asked.add(key)
                case ast.Call(func=ast.Attribute(attr="say" | "words"), args=[ast.Constant(value=str(key)), *_]):
                    asked.add(key)
                case ast.Call(func=ast.Name(id="UsageError"), args=[ast.Constant(value=str(key)), *_]):
                    asked.add(key)
    assert len(asked) > 50
    assert asked <= ALL.keys()


def test_every_command_and_part_has_its_meaning() -> None:
    for command in COMMANDS:
        assert f"help.{command.key}" in MANUAL
        for key in [option.key for option in command.options] + [argument.name for argument in command.arguments]:
            assert f"{command.key}.{key}" in MANUAL or f"any.{key}" in MANUAL, (command.name, key)
        for meta in [option.meta for option in command.options] + [argument.meta for argument in command.arguments]:
            assert not meta or f"meta.{meta}" in MANUAL
    assert all(f"any.{option.key}" in MANUAL for option in (*GENERAL, VERSION))
    assert all(f"group.{group}" in MANUAL for group in GROUPS)


def test_no_meaning_is_left_over() -> None:
    parts = {option.key for command in COMMANDS for option in command.options}
    parts |= {argument.name for command in COMMANDS for argument in command.arguments}
    parts |= {option.key for option in (*GENERAL, VERSION)}
    known = {command.key for command in COMMANDS}
    for key in MANUAL:
        head, _, tail = key.partition(".")
        assert head != "any" or tail in parts, key
        assert head not in known or tail in parts, key


@pytest.mark.parametrize(
    ("kind", "words"),
    [("type", KnowledgeType), ("area", LifeArea), ("source", Source), ("level", ConfidenceLevel)],
)
def test_every_word_of_the_domain_has_a_name(kind: str, words: type[KnowledgeType]) -> None:
    assert {f"{kind}.{word}" for word in words} <= SENTENCES.keys()


@pytest.mark.parametrize(
    ("kind", "typed", "meant"),
    [
        ("type", "preferência", "preference"),
        ("type", "PREFERENCIA", "preference"),
        ("type", "goal", "goal"),
        ("area", "saúde-mental", "mental_health"),
        ("area", "mental_health", "mental_health"),
        ("area", "saúde", "health"),
        ("source", "digitado", "user_input"),
        ("type", "nonsense", "nonsense"),
    ],
)
def test_a_word_is_understood_in_either_language(kind: str, typed: str, meant: str) -> None:
    assert Words("en").token(kind, typed) == Words("pt").token(kind, typed) == meant


def test_numbers_are_written_as_the_reader_does() -> None:
    assert (Words("pt").number(0.5), Words("en").number(0.5)) == ("0,50", "0.50")
    assert (Words("pt").whole(12_345), Words("en").whole(12_345)) == ("12.345", "12,345")
    assert Words("pt").size(2_500_000) == "2,5 MB"
    assert Words("en").size(999) == "999 B"
    assert (Words("pt").count("item", 1), Words("pt").count("item", 0)) == ("1 item", "0 itens")


@pytest.mark.parametrize(
    ("argv", "env", "language"),
    [
        (["--lang", "pt"], {"LANG": "en_US.UTF-8"}, "pt"),
        (["list", "--lang=en"], {"LANG": "pt_BR.UTF-8"}, "en"),
        ([], {"RELEMBRA_LANGUAGE": "pt", "LANG": "en_US"}, "pt"),
        ([], {"LC_ALL": "pt_PT.UTF-8", "LANG": "en_US"}, "pt"),
        ([], {"LC_MESSAGES": "en_GB", "LANG": "pt_BR"}, "en"),
        ([], {"LANG": "C"}, "en"),
        ([], {}, "en"),
        (["add", "--", "--lang", "pt"], {}, "en"),
        (["--lang", "fr"], {"LANG": "pt_BR"}, "pt"),
        (["--lang"], {"LANG": "pt_BR"}, "pt"),
    ],
)
def test_the_language_is_the_one_asked_for_else_the_systems(
    argv: list[str], env: dict[str, str], language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert spoken(argv, env | {"XDG_CONFIG_HOME": str(tmp_path)}) == language


def test_a_settings_file_chooses_the_language_and_a_broken_one_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "relembra.toml"
    file.write_text('language = "pt"')
    assert spoken([], {"LANG": "en_US"}) == "pt"
    assert spoken([], {"RELEMBRA_LANGUAGE": "en"}) == "en"
    file.write_text("language = ")
    assert spoken([], {"LANG": "en_US"}) == "en"
