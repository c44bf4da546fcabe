"""The few calls of `re` a grammar makes on the way, each pattern compiled once for good.

The standard module keeps 512 compiled patterns and then throws some away; two grammars have more, and compiling them
again took a tenth of all reading. A grammar's patterns are its own words, never anybody's, so their number is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from re import DOTALL, IGNORECASE, MULTILINE, Match, Pattern, escape
from typing import Any

__all__ = ["DOTALL", "IGNORECASE", "MULTILINE", "Match", "Pattern"]
__all__ += ["compile", "escape", "findall", "finditer", "fullmatch", "match", "search", "split", "sub"]


@cache
def compile(pattern: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def search(pattern: str, text: str, flags: int = 0) -> re.Match[str] | None:
    return compile(pattern, flags).search(text)


def match(pattern: str, text: str, flags: int = 0) -> re.Match[str] | None:
    return compile(pattern, flags).match(text)


def fullmatch(pattern: str, text: str, flags: int = 0) -> re.Match[str] | None:
    return compile(pattern, flags).fullmatch(text)


def sub(pattern: str, by: str | Callable[[re.Match[str]], str], text: str, count: int = 0, flags: int = 0) -> str:
    return compile(pattern, flags).sub(by, text, count=count)


def split(pattern: str, text: str, maxsplit: int = 0, flags: int = 0) -> list[Any]:
    return compile(pattern, flags).split(text, maxsplit)


def findall(pattern: str, text: str, flags: int = 0) -> list[Any]:
    return compile(pattern, flags).findall(text)


def finditer(pattern: str, text: str, flags: int = 0) -> Iterator[re.Match[str]]:
    return compile(pattern, flags).finditer(text)
