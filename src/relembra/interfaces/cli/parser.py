"""Reading a command line and writing its help, with argparse, in the reader's language."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Any

from relembra.errors import InvalidInputError, RelembraError
from relembra.interfaces.cli.commands import ALIASES, BY_NAME, COMMANDS, GENERAL, GROUPS, VERSION, Command, Part
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
    general = _options(top, typed, (*GENERAL, VERSION), None)[0]
    rest = general.pop("rest", [])
    if not rest:
        return Line(None, general)
    command, behind = command_of(rest)
    values = _values(command, behind)
    general |= {option.name: values.pop(option.name) for option in GENERAL if option.name in values}
    return Line(command, general, values)


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


def _values(command: Command, words: list[str]) -> dict[str, Any]:
    """What stands behind a command; after two dashes nothing is an option."""
    options = (*GENERAL, *command.options)
    end = words.index("--") if "--" in words else len(words)
    values, left = _options(_parser(options, command), words[:end], options, command)
    if "help" in values:
        return values
    left += words[end + 1 :]
    missing = [part.name for part in command.arguments[len(left) :] if part.required]
    missing += [f"--{part.name}" for part in command.options if part.required and (part.to or part.key) not in values]
    if spare := left[len(command.arguments) :]:
        raise UsageError("usage.spare", command=command.name, words=" ".join(spare))
    if missing:
        raise UsageError("usage.missing", command=command.name, argument=missing[0])
    given = zip(command.arguments, left, strict=False)
    return values | {part.to or part.key: _read(part, command, word) for part, word in given}


def _parser(options: Sequence[Part], command: Command | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        add_help=False, allow_abbrev=False, exit_on_error=False, argument_default=argparse.SUPPRESS
    )
    for option in options:
        flags = ["-h", "--help"] if option.name == "help" else [f"--{option.name}"]
        dest = option.to or option.key
        if option.meta:
            kind = "append" if option.many else "store"
            parser.add_argument(*flags, dest=dest, action=kind, type=partial(_read, option, command))
        else:
            parser.add_argument(*flags, dest=dest, action="store_true")
    return parser


def _options(
    parser: argparse.ArgumentParser, words: Sequence[str], known: Sequence[Part], command: Command | None
) -> tuple[dict[str, Any], list[str]]:
    """The options among words and the words left; an unknown option is a mistake."""
    try:
        found, left = parser.parse_known_args(list(words))
    except argparse.ArgumentError as error:
        raise _mistake((error.argument_name or "").split("/")[-1], known, command) from None
    unknown = [word for word in left if word.startswith("-") and word != "-" and " " not in word]
    if unknown:
        raise _mistake(unknown[0], known, command)
    return vars(found), left


def _read(part: Part, command: Command | None, word: str) -> Any:
    """The value of an option or an argument."""
    from relembra.domain.text import is_blank

    try:
        value = part.read(word)
    except ValueError as error:
        name = command.name if command else None
        raise UsageError(str(error), command=name, option=f"--{part.name}", word=word or "''") from None
    if (part.filled or part.required) and (is_blank(word) or (isinstance(value, str) and is_blank(value))):
        raise InvalidInputError(f"{part.key} must not be empty", field=part.key)
    return value


def _mistake(typed: str, known: Sequence[Part], command: Command | None) -> UsageError:
    """What is wrong with an option: unknown, without its value, or with one it does not take."""
    where = command.name if command else None
    flag = typed.partition("=")[0]
    name = flag.removeprefix("--")
    option = next((one for one in known if one.name == name), None)
    if option is not None:
        return UsageError("usage.needs_value" if option.meta else "usage.no_value", command=where, option=flag)
    if near := get_close_matches(name, [one.name for one in known], n=1):
        return UsageError("usage.near_option", command=where, option=flag, near=f"--{near[0]}")
    return UsageError("usage.no_option", command=where, option=flag)


# ── help ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Formatter(argparse.HelpFormatter):
    """argparse's own, with paragraphs kept apart and no breaks at hyphens."""

    def __init__(self, prog: str, *, words: Words, width: int) -> None:
        super().__init__(prog, max_help_position=28, width=max(NARROWEST, min(width, WIDEST)))
        self._words = words

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, prefix=prefix or self._words("help.usage") + ": ")

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Lines that are set in are shown as they are: they can be copied."""
        del indent
        lines = text.splitlines()
        return "\n".join(
            line if line.startswith("  ") else textwrap.fill(line, width, break_on_hyphens=False) for line in lines
        )


def help_text(command: Command | None, words: Words, *, width: int = 80) -> str:
    """The help of one command, or of all of them."""
    formatter: Callable[[str], argparse.HelpFormatter] = partial(_Formatter, words=words, width=width)
    page = argparse.ArgumentParser("relembra", add_help=False, formatter_class=formatter)  # type: ignore[arg-type]

    def block(key: str, rows: Iterable[tuple[str, str]]) -> None:
        group = page.add_argument_group(words(key))
        for name, meaning in rows:
            group.add_argument(name, help=meaning.replace("%", "%%"))

    def options(key: str, parts: Iterable[Part], of: Command | None) -> None:
        group = page.add_argument_group(words(key))
        for part in parts:
            meaning = _meaning(part, of, words) + (f" {words('help.many')}" if part.many else "")
            with_value: dict[str, Any] = (
                {"metavar": words(f"meta.{part.meta}")} if part.meta else {"action": "store_true"}
            )
            group.add_argument(f"--{part.name}", help=meaning.replace("%", "%%"), **with_value)

    if command is None:
        page.usage = f"relembra {words('help.options_word')} {words('help.command_word')} …"
        page.description = words("help.about")
        for name in GROUPS:
            rows = [(one.name, words(f"help.{one.key}").splitlines()[0]) for one in COMMANDS if one.group == name]
            block(f"group.{name}", rows)
        options("help.general", (*GENERAL, VERSION), None)
        block("help.exits", [(str(code), words(f"exit.{code}")) for code in EXITS])
        page.epilog = words("help.more")
        return page.format_help()
    metas = [words(f"meta.{part.meta}") for part in command.arguments]
    named = [meta if part.required else f"[{meta}]" for part, meta in zip(command.arguments, metas, strict=True)]
    page.usage = " ".join(["relembra", command.name, *named, words("help.options_word")]).replace("%", "%%")
    page.description = "\n\n".join(words(f"help.{command.key}").splitlines())
    if named:
        meanings = [_meaning(part, command, words) for part in command.arguments]
        block("help.arguments", zip(named, meanings, strict=True))
    if command.options:
        options("help.options", command.options, command)
    options("help.general", [one for one in GENERAL if command.of_a_person or one.name not in ("user", "tenant")], None)
    if words.has(f"example.{command.key}"):
        page.epilog = f"{words('help.example')}:\n  {words(f'example.{command.key}')}"
    return page.format_help()


def _meaning(part: Part, command: Command | None, words: Words) -> str:
    special = f"{command.key}.{part.key}" if command else ""
    return words(special if words.has(special) else f"any.{part.key}")
