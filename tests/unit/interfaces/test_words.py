"""The catalogues every door shares, and those of each door beside them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest

from loops import each
from relembra import interfaces
from relembra.domain.attributes import ATTRIBUTES
from relembra.domain.case import Outcome
from relembra.domain.confidence import ConfidenceLevel
from relembra.domain.implications import PHRASES
from relembra.domain.jobs import NIGHT_WORK, JobState
from relembra.domain.knowledge import KnowledgeType, LifeArea, Source
from relembra.domain.message import NoteKind
from relembra.domain.run import RunKind, RunStatus, Tally
from relembra.interfaces.differences import SHOWN, Fate
from relembra.interfaces.names_words import NAMES
from relembra.interfaces.words import LANGUAGES, Pair, Words
from relembra.listen.filters import Refusal
from relembra.tend.gardening import DeedKind

FOLDER = Path(str(interfaces.__file__)).parent
EN, PT = Words("en", NAMES), Words("pt", NAMES)
LESS_IN_PORTUGUESE = ("error.invalid", "error.invalid.nothing", "error.store.version")
"""The library's own words, which are English, follow the Portuguese sentence instead of standing in it."""


def written(*paths: Path) -> list[tuple[str, Pair]]:
    """Every sentence of the catalogues in some modules, as it stands there."""
    found = []
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "dict[str, Pair]":
                own = [part for part in ast.walk(node) if isinstance(part, ast.Dict)]
                found += [one for part in own for one in ast.literal_eval(part).items()]
    return found


SHARED = written(*FOLDER.glob("*.py"))
DOORS = {door: written(*(FOLDER / door).rglob("*.py")) for door in ("cli", "web") if (FOLDER / door).is_dir()}
EVERY = [*SHARED, *(one for sentences in DOORS.values() for one in sentences)]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_catalogues_were_found() -> None:
    assert dict(SHARED) == NAMES
    assert len(DOORS["cli"]) > 300


def test_both_languages_say_something_and_name_the_same_parts() -> None:
    assert [key for key, pair in EVERY if len(pair) != len(LANGUAGES) or not all(text.strip() for text in pair)] == []
    parts = [(key, placeholders(english), placeholders(portuguese)) for key, (english, portuguese) in EVERY]
    apart = [(key, english, portuguese) for key, english, portuguese in parts if english != portuguese]
    assert [one for one in apart if not (one[0] in LESS_IN_PORTUGUESE and one[2] < one[1])] == []


@pytest.mark.parametrize("door", DOORS)
def test_no_key_stands_twice_in_what_a_door_reads(door: str) -> None:
    counted = Counter(key for key, _ in (*SHARED, *DOORS[door]))
    assert [key for key, times in counted.items() if times > 1] == []


def test_what_doors_share_names_neither_commands_nor_options() -> None:
    assert [key for key, pair in SHARED if any("relembra " in text or "--" in text for text in pair)] == []


def test_every_sentence_the_shared_modules_ask_for_by_name_is_there() -> None:
    asked = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="words" | "Failing"), args=[ast.Constant(value=str(key)), *_]):
                    asked.add(key)
                case ast.Tuple(elts=[*_, ast.Constant(value=str(key))]) if re.match(r"(error|reason|trouble)\.", key):
                    asked.add(key)
    assert len(asked) > 50
    assert asked - NAMES.keys() == set()


@each([
        ("type", [*KnowledgeType]),
        ("area", [*LifeArea]),
        ("source", [*Source]),
        ("level", [*ConfidenceLevel]),
        ("attribute", [*ATTRIBUTES]),
        ("sub_area", [about.sub_area for about in ATTRIBUTES.values()]),
        ("outcome", [*Outcome]),
        ("kind", [*NoteKind]),
        ("refused", [*Refusal]),
        ("work", [*NIGHT_WORK, "index", "flush", "learn", "summarise"]),
        ("job_state", [*JobState]),
        ("run", [*RunKind]),
        ("run_status", [*RunStatus]),
        ("diff", [*Fate]),
        ("aspect", [*SHOWN]),
        ("deed", [*DeedKind]),
        ("living", [*PHRASES]),
        ("count.run", [f"{name}.{number}" for name in Tally.__dataclass_fields__.keys() - {"messages"}
                       for number in ("one", "many")]),
    ])  # fmt: skip
def test_every_word_of_the_domain_has_a_name(kind: str, words: list[str]) -> None:
    assert {f"{kind}.{word}" for word in words} <= NAMES.keys()


def test_a_key_is_looked_up_in_the_first_catalogue_that_has_it_and_a_missing_one_is_a_mistake() -> None:
    words = Words("pt", {"a": ("one", "um")}, {"a": ("two", "dois"), "b": ("{n} of us", "somos {n}")})
    assert (words("a"), words("b", n=2)) == ("um", "somos 2")
    assert (words.has("b"), words.has("c")) == (True, False)
    with pytest.raises(KeyError):
        words("c")


def test_a_word_without_a_name_stays_as_it_is() -> None:
    assert (PT.name("area", "health"), PT.name("area", "moon"), PT.name("area", None)) == ("saúde", "moon", "")


def test_numbers_are_written_as_the_reader_does() -> None:
    assert (PT.number(0.5), EN.number(0.5)) == ("0,50", "0.50")
    assert (PT.whole(12_345), EN.whole(12_345)) == ("12.345", "12,345")
    assert PT.size(2_500_000) == "2,5 MB"
    assert EN.size(999) == "999 B"
    assert (PT.count("item", 1), PT.count("item", 0)) == ("1 item", "0 itens")
