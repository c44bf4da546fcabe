"""A grammar is a table of rules, found by the first word they may begin with and tried at that word only.

So a text without such words costs one look a word, and no rule ever searches: matching stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from relembra.minds.offline.dates.mention import Frame, Reading, TimeOfDay
from relembra.minds.offline.flat import filled

__all__ = ["DIGIT", "Grammar", "Rule"]

Read = Callable[[re.Match[str], Frame], Reading | TimeOfDay | None]

ReadT = TypeVar("ReadT", bound=Read)

DIGIT = "0"
"""Stands for any figure among the words a rule may begin with."""

_CLASS_OR_SPACE = re.compile(r"\[[^\]]*\]| ")
_SPACE = r"(?:\s{1,3})"


class Rule(NamedTuple):
    pattern: re.Pattern[str]
    read: Read


class Grammar:
    """Rules of one language, gathered with `rule` when its module is loaded."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = dict(words)
        self.rules: dict[str, list[Rule]] = {}

    def rule(self, starts: str | Iterable[str], pattern: str) -> Callable[[ReadT], ReadT]:
        """Register a reader. Patterns are over flat text; a space is any short gap, <NAME> a word list."""
        expanded = self.expand(pattern)
        compiled = re.compile(rf"(?:{expanded})(?![a-z0-9_])")

        def register(read: ReadT) -> ReadT:
            for start in sorted(set(starts.split() if isinstance(starts, str) else starts)):
                self.rules.setdefault(start, []).append(Rule(compiled, read))
            return read

        return register

    def expand(self, pattern: str) -> str:
        return _CLASS_OR_SPACE.sub(
            lambda match: _SPACE if match[0] == " " else match[0].replace(" ", r"\s"), filled(pattern, self._words)
        )
