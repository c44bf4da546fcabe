"""From the words typed to a command and its parts; a mistake is a `UsageError` that knows what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from getopt import GetoptError, getopt, gnu_getopt

from relembra.errors import RelembraError
from relembra.interfaces.cli.grammar import ALIASES, BY_NAME, GENERAL, VERSION, Command, Option


class UsageError(RelembraError):
    """The command line cannot be understood; `key` and `parts` name the sentence that says why."""

    def __init__(self, key: str, *, command: str | None = None, **parts: str) -> None:
        super().__init__(f"{key}: {', '.join(parts.values())}")
        self.key = key
        self.command = command
        self.parts = parts


@dataclass(frozen=True, slots=True)
class Line:
    """A command line understood: the command, None for none, and every part by its key."""

    command: Command | None
    values: dict[str, list[str]] = field(default_factory=dict)

    def has(self, key: str) -> bool:
        return key in self.values

    def last(self, key: str) -> str | None:
        found = self.values.get(key)
        return found[-1] if found else None


def understood(words: Sequence[str]) -> Line:
    """General options may stand before the command or after it; later ones win."""
    values: dict[str, list[str]] = {}
    before = (*GENERAL, VERSION)
    rest = _options(words, before, values, command=None)
    if not rest:
        return Line(None, values)
    command, behind = _command(rest)
    left = _options(behind, (*GENERAL, *command.options), values, command=command)
    if "help" not in values:
        _arguments(command, left, values)
    return Line(command, values)


def _command(words: Sequence[str]) -> tuple[Command, Sequence[str]]:
    """The longest name the words begin with."""
    for length in (2, 1):
        name = " ".join(words[:length])
        command = BY_NAME.get(ALIASES.get(name, name))
        if len(words) >= length and command is not None:
            return command, words[length:]
    near = [name for name in BY_NAME if name.startswith(words[0] + " ")]
    near = near or get_close_matches(words[0], BY_NAME, n=1, cutoff=0.7)
    if near:
        raise UsageError("usage.near_command", name=words[0], near=near[0])
    raise UsageError("usage.no_command", name=words[0])


def _options(
    words: Sequence[str], options: Iterable[Option], values: dict[str, list[str]], *, command: Command | None
) -> list[str]:
    known = {option.name: option for option in options}
    names = [name + "=" if option.meta else name for name, option in known.items()]
    read = getopt if command is None else gnu_getopt
    try:
        found, rest = read(list(words), "h", names)
    except GetoptError as exc:
        short = f"--{exc.opt}" not in [word.partition("=")[0] for word in words] and len(exc.opt) == 1
        raise _mistake(("-" if short else "--") + exc.opt, known, command) from None
    for flag, value in found:
        option = known["help" if flag == "-h" else flag.removeprefix("--")]
        if option.many:
            values.setdefault(option.key, []).append(value)
        else:
            values[option.key] = [value]
    return rest


def _mistake(typed: str, known: dict[str, Option], command: Command | None) -> UsageError:
    """What is wrong with an option: unknown, without its value, or with one it does not take."""
    where = command.name if command else None
    name = typed.removeprefix("--")
    option = known.get(name)
    if option is not None:
        return UsageError("usage.needs_value" if option.meta else "usage.no_value", command=where, option=typed)
    begun = [f"--{each}" for each in known if each.startswith(name)]
    if begun:
        return UsageError("usage.unclear_option", command=where, option=typed, options=", ".join(begun))
    near = get_close_matches(name, known, n=1)
    if near:
        return UsageError("usage.near_option", command=where, option=typed, near=f"--{near[0]}")
    return UsageError("usage.no_option", command=where, option=typed)


def _spare(command: Command, words: str) -> UsageError:
    """What is wrong with words no argument is left for: an option is missing before them, or quotes around a text."""
    text = next((option for option in command.options if option.meta == "TEXT"), None)
    if command.arguments:
        return UsageError("usage.spare", command=command.name, words=words)
    if text is None:
        return UsageError("usage.spare_word", command=command.name, words=words)
    return UsageError("usage.spare_text", command=command.name, words=words, option=f"{command.name} --{text.name}")


def _arguments(command: Command, words: Sequence[str], values: dict[str, list[str]]) -> None:
    for argument, word in zip(command.arguments, words, strict=False):
        values[argument.name] = [word]
    spare = words[len(command.arguments) :]
    if spare:
        raise _spare(command, " ".join(spare))
    missing = [argument for argument in command.arguments[len(words) :] if argument.required]
    if missing:
        raise UsageError("usage.missing", command=command.name, argument=missing[0].name)
