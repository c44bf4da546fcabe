"""The catalogues of sentences: the same in every language, compiled, asked for, and none left over."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from loops import each
from relembra import locale
from relembra.domain.audit import ConfidenceLevel
from relembra.domain.case import PHRASES, Outcome
from relembra.domain.jobs import NIGHT_WORK, JobState, RunKind, RunStatus, Tally
from relembra.domain.knowledge import ATTRIBUTES, ItemState, KnowledgeType, LifeArea, Source
from relembra.domain.message import NoteKind
from relembra.ingest.intake import Refusal
from relembra.interfaces.cli.commands import COMMANDS, TYPED
from relembra.interfaces.sentences import SHOWN, Fate
from relembra.locale import LANGUAGES, Words, ids
from relembra.night.gardener import ActionKind
from relembra.store.port import ItemOrder

FOLDER = Path(str(locale.__file__)).parent
ROOT = FOLDER.parent
EN, PT = Words("en", "names"), Words("pt", "names")
Id = tuple[str, str]
"""A context and an id in it."""

LESS_IN_PORTUGUESE = ("error.invalid", "error.invalid.nothing", "error.store.version")
"""The library's own words, which are English, follow the Portuguese sentence instead of standing in it."""

READS = {
    "interfaces/cli": ("cli", "names"),
    "interfaces/web": ("web", "names"),
    "interfaces/mcp": ("mcp", "names"),
    "interfaces/chat": ("chat", "commands"),
    "interfaces/http": ("http",),
    "interfaces/": ("names",),
    "night/insights.py": ("insights",),
    "views/documents.py": ("documents",),
    "views/vault.py": ("documents",),
    "tools/commands.py": ("commands",),
    "tools/": ("tools",),
    "views/appointment.py": ("appointment",),
    "views/": ("reports",),
}
"""In which contexts the modules of a folder look, where a call does not say."""
ASIDE = ("interfaces/cli/demo.py", "interfaces/stories/")
"""They speak through their stories."""


def file_of(language: str, kind: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"relembra.{kind}"


@cache
def catalogue(language: str) -> Catalog:
    with file_of(language, "po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


@cache
def sentences(language: str) -> dict[Id, str]:
    return {
        (str(message.context), str(message.id)): str(message.string) for message in catalogue(language) if message.id
    }


def held(file: BytesIO) -> dict[str, str]:
    messages: dict[str, str] = vars(GNUTranslations(file))["_catalog"]
    return {id: text for id, text in messages.items() if id}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_language_has_the_same_sentences_each_once_and_in_order() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(LANGUAGES)
    for language in LANGUAGES:
        listed = re.findall(r'^msgctxt "(.*)"\nmsgid "(.*)"$', file_of(language, "po").read_text("utf-8"), re.MULTILINE)
        assert (listed, listed) == (sorted(sentences(LANGUAGES[0])), sorted(set(listed)))
        assert len(listed) == len(sentences(language)) > 2500


def test_every_sentence_says_something_and_names_the_same_parts() -> None:
    english = sentences("en")
    for language in LANGUAGES:
        told = sentences(language)
        assert [id for id, text in told.items() if not text.strip()] == []
        apart = {
            id: (placeholders(english[id]), placeholders(text))
            for id, text in told.items()
            if placeholders(english[id]) != placeholders(text)
        }
        assert {id for id, (more, less) in apart.items() if id[1] not in LESS_IN_PORTUGUESE or not less < more} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_read_is_what_was_written(language: str) -> None:
    """If this fails: `make locale`."""
    made = BytesIO()
    write_mo(made, catalogue(language))
    made.seek(0)
    assert held(BytesIO(file_of(language, "mo").read_bytes())) == held(made)


def test_no_id_stands_in_two_contexts_that_are_read_together() -> None:
    together = [set(ids("names")) & set(ids(context)) for context in ("cli", "web")]
    assert together == [set(), set()]


MODULES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8"))
    for room in ("interfaces", "tools", "views", "night", "transfer", "evaluation", "locale")
    for path in sorted((ROOT / room).rglob("*.py"))
}
TEMPLATES = "\n".join(
    path.read_text("utf-8") for path in (ROOT / "interfaces" / "web").rglob("*") if path.suffix in (".html", ".js")
)


BEHIND = {"saying": 1, "table": 1, "tabled": 3, "listed": 3}
"""Calls that do not name a sentence first, and the place where they do."""


def contexts_of(call: ast.Call, module: str) -> tuple[str, ...]:
    """Where a call looks a sentence up; nowhere, if it asks for none."""
    match call.func:
        case ast.Call(func=ast.Name(id="Words") | ast.Attribute(attr="Words"), args=[_, *named]):
            return tuple(str(one.value) for one in named if isinstance(one, ast.Constant))
        case (
            ast.Name(id="words" | "say" | "says" | "either" | "saying" | "table" | "tabled" | "listed")
            | ast.Name(id="Failing" | "UsageError")
            | ast.Attribute(attr="words" | "say" | "hint")
        ):
            return next((found for folder, found in READS.items() if module.startswith(folder)), ())
        case ast.Name(id="formats"):
            return ("formats",)
    return ()


def literals(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*literals(body), *literals(orelse))


def asked() -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Each module, the contexts it looks in, and the id it asks for by name."""
    for module, tree in MODULES.items():
        if module.startswith(ASIDE):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args and (contexts := contexts_of(node, module)):
                place = BEHIND.get(getattr(node.func, "id", ""), 0)
                yield from ((module, contexts, id) for arg in node.args[place : place + 1] for id in literals(arg))


def test_every_sentence_asked_for_by_name_is_there() -> None:
    found = list(asked())
    assert len(found) > 400
    known = sentences("en")
    assert [(module, id) for module, contexts, id in found if not any((one, id) in known for one in contexts)] == []


def strings() -> tuple[set[str], set[str]]:
    """Every text in the code and the pages, and every beginning of one that is put together there."""
    whole, beginnings = set(re.findall(r"""["']([\w. ]+)["']""", TEMPLATES)), {f"{kind}." for kind in TYPED}
    beginnings |= set(re.findall(r"""["']([\w.]+\.)["'] ?[~+]""", TEMPLATES))
    beginnings |= {f"count.{what}." for what in re.findall(r"""\bt\.count\(["']([\w.]+)""", TEMPLATES)}
    beginnings |= {f"{kind}." for kind in re.findall(r"""\bt\.name\(["']([\w.]+)""", TEMPLATES)}
    for node in (node for tree in MODULES.values() for node in ast.walk(tree)):
        match node:
            case ast.Constant(value=str(text)):
                whole.add(text)
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if re.fullmatch(r"[\w.]+[._]", text):
                beginnings.add(text)
            case ast.Call(func=ast.Name(id="translated"), args=[_, kind, *_]):
                beginnings |= set(literals(kind))
            case ast.Call(func=ast.Attribute(attr="name"), args=[first, *_]):
                beginnings |= {f"{kind}." for kind in literals(first)}
            case ast.Call(func=ast.Attribute(attr="count"), args=[first, *_]):
                beginnings |= {f"count.{what}." for what in literals(first)}
    return whole, beginnings


def test_no_sentence_is_left_over() -> None:
    """As far as can be told: one put together as the program runs counts by its beginning.

    What pages say is looked at more closely in `interfaces/web/test_nothing_unused.py`.
    """
    whole, beginnings = strings()
    parts = {
        ("cli", f"{command.key}.{part}")
        for command in COMMANDS
        for part in (*(one.key for one in command.options), *(one.name for one in command.arguments))
    }

    def is_used(context: str, id: str) -> bool:
        if id in whole or id.removesuffix("_one") in whole or (context, id) in parts:
            return True
        if context == "mcp":  # a tool's or prompt's name, and one of its parts
            return all(part in whole for part in id.split("."))
        return id.startswith(tuple(beginnings))

    assert [one for one in sentences("en") if not is_used(*one)] == []


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
        ("item_state", ["archived", "current", "deleted", "superseded"]),
        ("job_state", [*JobState]),
        ("run", [*RunKind]),
        ("run_status", [*RunStatus]),
        ("diff", [*Fate]),
        ("aspect", [*SHOWN]),
        ("deed", [*ActionKind]),
        ("order", [*ItemOrder]),
        ("only", [*ItemState]),
        ("living", [*PHRASES]),
        ("count.run", [f"{name}.{number}" for name in Tally.__dataclass_fields__.keys() - {"messages"}
                       for number in ("one", "many")]),
    ])  # fmt: skip
def test_every_word_of_the_domain_has_a_name(kind: str, words: list[str]) -> None:
    assert {f"{kind}.{word}" for word in words} <= set(ids("names"))


def test_an_id_is_looked_up_in_the_first_context_that_has_it_and_a_missing_one_is_a_mistake() -> None:
    assert Words("pt", "chat", "commands")("keep.forget", id="7") == "Para esquecer: /esquecer 7"
    ours, theirs = Words("en", "chat", "commands")("help"), Words("en", "commands", "chat")("help")
    assert (ours, theirs) == (Words("en", "chat")("help"), Words("en", "commands")("help"))
    assert ours != theirs
    assert (PT.has("area.health"), PT.has("area.moon")) == (True, False)
    with pytest.raises(KeyError):
        PT("area.moon")
    with pytest.raises(ValueError, match="choose one of en, pt"):
        Words("fr", "names")("area.health")


def test_no_catalogue_is_read_before_it_is_needed() -> None:
    code = (
        "import relembra.interfaces.cli.main, relembra.memory, relembra.locale as l; print(l._catalogue.cache_info())"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "currsize=0" in said


def test_numbers_are_written_as_the_reader_does() -> None:
    assert (PT.number(0.5), EN.number(0.5)) == ("0,50", "0.50")
    assert (PT.whole(12_345), EN.whole(12_345), PT.size(2_500_000)) == ("12.345", "12,345", "2,5 MB")
    assert (EN.size(999), PT.count("item", 1), PT.count("item", 0)) == ("999 B", "1 item", "0 itens")
