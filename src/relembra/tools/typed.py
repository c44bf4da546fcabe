"""A command as a person types it in a chat: `/name@program and what stands behind`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from relembra.domain.text import fold, is_blank

__all__ = ["Typed", "typed"]

_COMMAND = re.compile(r"\s*/(?P<name>[^\W\d_]+)(?:@(?P<bot>[\w.\-]*\w))?[.,;:!?…]*(?:\s+(?P<rest>.*))?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as it was typed. `bot`: the program it is meant for, where it says so."""

    name: str
    language: str
    rest: str
    bot: str | None

    def is_for(self, bot: str) -> bool:
        """Whether it may be meant for a program of this name."""
        return self.bot is None or fold(self.bot) == fold(bot.removeprefix("@"))


def typed(text: str, names: Mapping[str, tuple[str, str]]) -> Typed | None:
    """The command a text is, of those named; None for any other text."""
    found = _COMMAND.match(text)
    if found is None or (known := names.get(fold(found["name"]))) is None:
        return None
    rest = found["rest"] or ""
    return Typed(*known, "" if is_blank(rest) else rest.strip(), found["bot"])
