"""Help as text: built from the grammar and the manual, without Rich, for it has to be quick."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from relembra.interfaces.cli.grammar import COMMANDS, GENERAL, GROUPS, VERSION, Argument, Command, Option
from relembra.interfaces.cli.words import Words

EXITS = (0, 1, 2, 3, 4, 5, 6, 130)
WIDEST = 100
NARROWEST = 40

Row = tuple[str, str]


class Manpage:
    """Writes help in one language, for one width; headings are bold where that can be seen."""

    def __init__(self, words: Words, *, width: int = 80, bold: bool = False) -> None:
        self._words = words
        self._width = max(NARROWEST, min(width, WIDEST))
        self._bold = bold

    def overview(self) -> str:
        """All commands, the general options and the exit codes."""
        words = self._words
        usage = f"relembra {words('help.options_word')} {words('help.command_word')} …"
        parts = [f"{self._head(words('help.usage'))} {usage}", self._wrapped(words("help.about"))]
        width = max(len(command.name) for command in COMMANDS) + 2
        for group in GROUPS:
            rows = [(command.name, self._brief(command)) for command in COMMANDS if command.group == group]
            parts.append(self._block(words(f"group.{group}"), rows, width))
        rows = [self._option(option, None) for option in (*GENERAL, VERSION)]
        parts.append(self._block(words("help.general"), rows))
        exits = [(str(code), words(f"exit.{code}")) for code in EXITS]
        parts.append(self._block(words("help.exits"), exits))
        parts.append(words("help.more"))
        return "\n\n".join(parts) + "\n"

    def command(self, command: Command) -> str:
        """One command, whole."""
        words = self._words
        pieces = ["relembra", command.name]
        pieces += [self._placeholder(argument) for argument in command.arguments]
        pieces.append(words("help.options_word"))
        parts = [f"{self._head(words('help.usage'))} {' '.join(pieces)}"]
        parts += [self._wrapped(line) for line in words(f"help.{command.key}").splitlines()]
        if command.arguments:
            rows = [(self._placeholder(part), self._meaning(part.name, command)) for part in command.arguments]
            parts.append(self._block(words("help.arguments"), rows))
        if command.options:
            parts.append(
                self._block(words("help.options"), [self._option(option, command) for option in command.options])
            )
        shown = [option for option in GENERAL if command.of_a_person or option.name not in ("user", "tenant")]
        parts.append(self._block(words("help.general"), [self._option(option, None) for option in shown]))
        example = f"example.{command.key}"
        if words.has(example):
            parts.append(f"{self._head(words('help.example'))}\n  {words(example)}")
        return "\n\n".join(parts) + "\n"

    def _brief(self, command: Command) -> str:
        return self._words(f"help.{command.key}").splitlines()[0]

    def _option(self, option: Option, command: Command | None) -> Row:
        meta = f" {self._words(f'meta.{option.meta}')}" if option.meta else ""
        many = f" {self._words('help.many')}" if option.many else ""
        return f"--{option.name}{meta}", self._meaning(option.key, command) + many

    def _placeholder(self, argument: Argument) -> str:
        meta = self._words(f"meta.{argument.meta}")
        return meta if argument.required else f"[{meta}]"

    def _meaning(self, key: str, command: Command | None) -> str:
        special = f"{command.key}.{key}" if command else ""
        return self._words(special if self._words.has(special) else f"any.{key}")

    def _block(self, title: str, rows: Iterable[Row], width: int = 0) -> str:
        rows = list(rows)
        width = min(width or max(len(term) for term, _ in rows) + 2, 26)
        lines = [self._head(title)]
        for term, meaning in rows:
            folded = textwrap.wrap(meaning, self._width - width - 2, break_on_hyphens=False) or [""]
            if len(term) + 1 > width:
                lines.append(f"  {term}")
            else:
                lines.append(f"  {term:<{width}}{folded.pop(0)}")
            lines += [" " * (width + 2) + line for line in folded]
        return "\n".join(line.rstrip() for line in lines)

    def _wrapped(self, text: str) -> str:
        return textwrap.fill(text, self._width, break_on_hyphens=False)

    def _head(self, text: str) -> str:
        return f"\x1b[1m{text}:\x1b[0m" if self._bold else f"{text}:"
