"""Reading a command line and writing its help, with argparse, in the reader's language."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Any, NoReturn

from relembra.errors import InvalidInputError, RelembraError
from relembra.interfaces.cli.commands import (
    ALIASES,
    BY_NAME,
    COMMANDS,
    GENERAL,
    GROUPS,
    VERSION,
    Command,
    Part,
)
from relembra.interfaces.cli.words import Words

EXITS = (0, 1, 2, 3, 4, 5, 6, 130)
WIDEST = 100
NARROWEST = 40


class UsageError(RelembraError):
    """The command line cannot be understood; `key` and `parts` name the sentence that says why."""

    def __init__(self, key: str, *, command: str | None = None, **parts: str) -> None:
        super().__init__(f"{key}: {', '.join(parts.values())}")
        self.key = key
        self.command = command
        self.parts = parts


class EmptyError(InvalidInputError):
    """A text that has to say something says nothing."""

    command: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A command line understood: the command, None for none, and only what was typed, read and by its key."""

    command: Command | None
    general: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


def parsed(typed: Sequence[str]) -> Line:
    """General options may stand before the command or after it; later ones win."""
    top = _parser((*GENERAL, VERSION), None)
    top.add_argument("rest", nargs=argparse.REMAINDER)
    found, unknown = top.parse_known_args(list(typed))
    if unknown:
        raise _mistake(unknown[0], (*GENERAL, VERSION), None)
    general = vars(found)
    rest = general.pop("rest", [])
    if not rest:
        return Line(None, general)
    command, behind = command_of(rest)
    try:
        values = _values(command, behind)
    except EmptyError as error:
        error.command = command.name
        raise
    general |= {option.name: values.pop(option.name) for option in GENERAL if option.name in values}
    return Line(command, general, values)


def _values(command: Command, words: list[str]) -> dict[str, Any]:
    """What stands behind a command; after two dashes nothing is an option."""
    options = (*GENERAL, *command.options)
    end = words.index("--") if "--" in words else len(words)
    given, left = _parser(options, command).parse_known_args(words[:end])
    if unknown := [word for word in left if word.startswith("-") and word != "-" and " " not in word]:
        raise _mistake(unknown[0], options, command)
    values: dict[str, Any] = vars(given)
    return values if "help" in values else values | _arguments(command, [*left, *words[end + 1 :]])


def command_of(words: Sequence[str]) -> tuple[Command, list[str]]:
    """The command with the longest name the words begin with, and the words behind it."""
    for length in (2, 1):
        name = " ".join(words[:length])
        command = BY_NAME.get(ALIASES.get(name, name))
        if len(words) >= length and command is not None:
            return command, list(words[length:])
    near = [name for name in BY_NAME if name.startswith(words[0] + " ")]
    near = near or get_close_matches(words[0], BY_NAME, n=1, cutoff=0.7)
    if near:
        raise UsageError("usage.near_command", name=words[0], near=near[0])
    raise UsageError("usage.no_command", name=words[0])


class _Parser(argparse.ArgumentParser):
    """An argparse parser of options whose mistakes are sentences of the catalogue."""

    def __init__(self, options: Iterable[Part], command: Command | None) -> None:
        super().__init__(
            add_help=False,
            allow_abbrev=command is not None,
            exit_on_error=False,
            argument_default=argparse.SUPPRESS,
        )
        self.known, self.command = tuple(options), command

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        try:
            return super().parse_known_args(args, namespace)
        except argparse.ArgumentError as error:
            raise _mistake((error.argument_name or "").split("/")[-1], self.known, self.command) from None

    def error(self, message: str) -> NoReturn:
        """All that argparse reports this way, with abbreviations allowed, is one that fits several options."""
        typed = message.partition(": ")[2].partition(" ")[0].partition("=")[0]
        raise _mistake(typed, self.known, self.command)


def _parser(options: Sequence[Part], command: Command | None) -> _Parser:
    parser = _Parser(options, command)
    for option in options:
        flags = ["-h", "--help"] if option.name == "help" else [f"--{option.name}"]
        dest = option.to or option.key
        if option.meta:
            kind = "append" if option.many else "store"
            parser.add_argument(*flags, dest=dest, action=kind, type=partial(_read, option, command))
        else:
            parser.add_argument(*flags, dest=dest, action="store_true")
    return parser


def _read(option: Part, command: Command | None, word: str) -> Any:
    if option.filled:
        _filled(word, option.key)
    try:
        return option.read(word)
    except ValueError as error:
        name = command.name if command else None
        raise UsageError(str(error), command=name, option=f"--{option.name}", word=word or "''") from None


def _arguments(command: Command, words: Sequence[str]) -> dict[str, Any]:
    if spare := words[len(command.arguments) :]:
        raise _spare(command, " ".join(spare))
    if missing := [argument.name for argument in command.arguments[len(words) :] if argument.required]:
        raise UsageError("usage.missing", command=command.name, argument=missing[0])
    pairs = list(zip(command.arguments, words, strict=False))
    return {
        part.to or part.name: part.read(_filled(word, part.name) if part.required else word) for part, word in pairs
    }


def _filled(word: str, key: str) -> str:
    from relembra.domain.text import is_blank

    if is_blank(word):
        raise EmptyError(f"{key} must not be empty", field=key)
    return word


def _mistake(typed: str, known: Sequence[Part], command: Command | None) -> UsageError:
    """What is wrong with an option: unknown, without its value, or with one it does not take."""
    where = command.name if command else None
    flag = typed.partition("=")[0]
    name = flag.removeprefix("--")
    option = next((one for one in known if one.name == name), None)
    if option is not None:
        return UsageError("usage.needs_value" if option.meta else "usage.no_value", command=where, option=flag)
    begun = [f"--{one.name}" for one in known if one.name.startswith(name)]
    if flag.startswith("--") and begun:
        return UsageError("usage.unclear_option", command=where, option=flag, options=", ".join(begun))
    if near := get_close_matches(name, [one.name for one in known], n=1):
        return UsageError("usage.near_option", command=where, option=flag, near=f"--{near[0]}")
    return UsageError("usage.no_option", command=where, option=flag)


def _spare(command: Command, words: str) -> UsageError:
    """What is wrong with words no argument is left for: an option is missing before them, or quotes around a text."""
    text = next((option for option in command.options if option.meta == "TEXT"), None)
    if command.arguments:
        return UsageError("usage.spare", command=command.name, words=words)
    if text is None:
        return UsageError("usage.spare_word", command=command.name, words=words)
    return UsageError("usage.spare_text", command=command.name, words=words, option=f"{command.name} --{text.name}")


# ── help ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Formatter(argparse.HelpFormatter):
    """argparse's own, with headings that may be bold, paragraphs kept apart and no breaks at hyphens."""

    def __init__(self, prog: str, *, words: Words, width: int, bold: bool) -> None:
        super().__init__(prog, max_help_position=28, width=max(NARROWEST, min(width, WIDEST)))
        self._words, self._bold = words, bold

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        del prefix
        super().add_usage(usage, actions, groups, prefix=self._head(self._words("help.usage")) + ": ")

    def start_section(self, heading: str | None) -> None:
        super().start_section(self._head(heading) if heading else heading)

    def _head(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self._bold else text

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Lines that are set in are shown as they are: they can be copied."""
        del indent
        lines = text.splitlines()
        return "\n".join(
            line if line.startswith("  ") else textwrap.fill(line, width, break_on_hyphens=False) for line in lines
        )


def help_text(command: Command | None, words: Words, *, width: int = 80, bold: bool = False) -> str:
    """The help of one command, or of all of them."""
    formatter: Callable[[str], argparse.HelpFormatter] = partial(_Formatter, words=words, width=width, bold=bold)
    page = argparse.ArgumentParser("relembra", add_help=False, formatter_class=formatter)  # type: ignore[arg-type]

    def block(key: str, rows: Iterable[tuple[str, str]]) -> None:
        group = page.add_argument_group(words(key))
        for name, meaning in rows:
            group.add_argument(name, help=meaning.replace("%", "%%"))

    options, general = words("help.options_word"), words("help.general")
    if command is None:
        page.usage = f"relembra {options} {words('help.command_word')} …"
        page.description = words("help.about")
        for name in GROUPS:
            rows = [(one.name, words(f"help.{one.key}").splitlines()[0]) for one in COMMANDS if one.group == name]
            block(f"group.{name}", rows)
        _option_rows(page.add_argument_group(general), (*GENERAL, VERSION), None, words)
        block("help.exits", [(str(code), words(f"exit.{code}")) for code in EXITS])
        page.epilog = words("help.more")
        return page.format_help()
    named = {argument.name: _placeholder(argument, words) for argument in command.arguments}
    page.usage = " ".join(["relembra", command.name, *named.values(), options]).replace("%", "%%")
    page.description = "\n\n".join(words(f"help.{command.key}").splitlines())
    if named:
        block("help.arguments", [(meta, _meaning(name, command, words)) for name, meta in named.items()])
    if command.options:
        _option_rows(page.add_argument_group(words("help.options")), command.options, command, words)
    shown = [option for option in GENERAL if command.of_a_person or option.name not in ("user", "tenant")]
    _option_rows(page.add_argument_group(general), shown, None, words)
    if words.has(f"example.{command.key}"):
        page.epilog = f"{words('help.example')}:\n  {words(f'example.{command.key}')}"
    return page.format_help()


def _option_rows(group: Any, options: Iterable[Part], command: Command | None, words: Words) -> None:
    for option in options:
        meaning = _meaning(option.key, command, words) + (f" {words('help.many')}" if option.many else "")
        with_value = {"metavar": words(f"meta.{option.meta}")} if option.meta else {"action": "store_true"}
        group.add_argument(f"--{option.name}", help=meaning.replace("%", "%%"), **with_value)


def _placeholder(argument: Part, words: Words) -> str:
    meta = words(f"meta.{argument.meta}")
    return meta if argument.required else f"[{meta}]"


def _meaning(key: str, command: Command | None, words: Words) -> str:
    special = f"{command.key}.{key}" if command else ""
    return words(special if words.has(special) else f"any.{key}")
