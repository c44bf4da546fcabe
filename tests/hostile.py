"""Texts that make a pattern work hard: made from the pattern's own parts, so that each one meets its worst."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from re import _constants as ops  # how the standard library reads patterns
from re import _parser
from types import ModuleType
from typing import Any

Parsed = Iterable[tuple[Any, Any]]

PLAIN = (
    "a", "1", ",", ".", "-", '"', "(", "a ", "1 ", "a, ", "a-", "Ana ", "e ", "que eu ", "the ", "1/1/", "a\n", "é ",
)  # fmt: skip
"""What is said over and over to any pattern."""
QUOTED = ('"{}"', "“{}”", "'A {}'", "`{}`", "```\n{}\n```", "\n> {}\n")
"""How somebody else's words stand in a message."""
_TRIED = " ae1,.-'\"x\n("
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
MANY = 20  # times a part may be repeated before it counts as without end


def patterns_of(*packages: str, **read: object) -> dict[str, re.Pattern[str]]:
    """Every pattern that the modules of these packages hold, or what they read from files, by where it was found."""
    found = {pattern: name for name, value in read.items() for pattern in _held(value, set())}
    for name in packages:
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            for part, value in vars(importlib.import_module(module.name)).items():
                for pattern in _held(value, set()):
                    found.setdefault(pattern, f"{module.name}.{part}")
    return {f"{where}#{number}": pattern for number, (pattern, where) in enumerate(found.items())}


def _held(value: object, seen: set[int]) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
        return
    if id(value) in seen or isinstance(value, str | int | float | bytes | ModuleType | type):
        return
    seen.add(id(value))
    parts: Iterable[object] = ()
    if isinstance(value, dict):
        parts = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = value
    elif dataclasses.is_dataclass(value):
        parts = [getattr(value, field.name, None) for field in dataclasses.fields(value)]
    elif callable(value):
        cells = getattr(value, "__closure__", None) or ()
        parts = [*(cell.cell_contents for cell in cells), *(getattr(value, "__defaults__", None) or ())]
    for part in parts:
        yield from _held(part, seen)


def hostile_texts(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Beginnings and what is then said over and over; each part that may repeat without end is repeated."""
    yield from (("", part) for part in PLAIN)
    yield from dict.fromkeys(_repeated(_parser.parse(pattern.pattern, pattern.flags), ""))


def quoting_texts(size: int) -> Iterator[str]:
    """Messages that quote at length: one long quotation, one of many lines, and one short one after another."""
    for marks in QUOTED:
        for part in ("a ", "Ana, ", "a\n> ", "a. "):
            yield f"O meu nome é {marks.format(part * (size // len(part)))} e eu moro em Recife"
            yield f"My name is {marks.format(part * (size // len(part)))} and I live in Leeds"
        short = marks.format("palavras de outro")
        for between in ("", " ", "\n"):
            yield f"Eu {(short + between) * (size // len(short + between))} moro em Recife"


def _repeated(parsed: Parsed, before: str) -> Iterator[tuple[str, str]]:
    for op, given in parsed:
        if op in _REPEATS:
            if given[1] > MANY and (body := _sample(given[2])):
                yield before, body
            yield from _repeated(given[2], before)
        elif op is ops.BRANCH:
            for branch in given[1]:
                yield from _repeated(branch, before)
        elif inner := _inner(op, given):
            yield from _repeated(inner, before)
        before += _sample([(op, given)])


def _inner(op: object, given: Any) -> Parsed:
    if op is ops.SUBPATTERN:
        return list(given[3])
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return list(given[1])
    return list(given) if op is ops.ATOMIC_GROUP else []


def _sample(parsed: Parsed) -> str:
    """A short text that the parts match, as far as that can be told without looking around."""
    made = ""
    for op, given in parsed:
        if op is ops.LITERAL:
            made += chr(given)
        elif op in (ops.ANY, ops.NOT_LITERAL):
            made += "a" if given != ord("a") else "b"
        elif op is ops.IN:
            made += _one_of(given)
        elif op is ops.BRANCH:
            made += _sample(given[1][0])
        elif op in _REPEATS:
            made += _sample(given[2]) * given[0]
        elif op in (ops.SUBPATTERN, ops.ATOMIC_GROUP):
            made += _sample(_inner(op, given))
    return made


def _one_of(items: list[tuple[Any, Any]]) -> str:
    text = _parser.SubPattern(_parser.State(), [(ops.IN, items)])
    allowed = re._compiler.compile(text)  # type: ignore[attr-defined]
    return next((char for char in _TRIED if allowed.match(char)), "a")
