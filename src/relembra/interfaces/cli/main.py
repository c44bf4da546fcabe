"""The command `relembra`: reads the line, writes help, runs what it names, and turns any outcome into an exit code."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra.errors import InvalidInputError
from relembra.interfaces.cli.commands import (
    ALIASES,
    BY_NAME,
    COMMANDS,
    GENERAL,
    GROUPS,
    VERSION,
    Command,
    Line,
    Part,
    UsageError,
    Words,
)
from relembra.locale import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from relembra.interfaces.cli.call import Answer, Call

EXITS = (0, 1, 2, 3, 4, 5, 6, 130)
WIDEST, NARROWEST, WIDEST_NAME = 100, 40, 28


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; its exit code."""
    typed = list(sys.argv[1:] if argv is None else argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads would wait for the embedder's, which works beside
    for stream in (sys.stdin, sys.stdout, sys.stderr):  # UTF-8 whatever the locale; what cannot be shown stops nothing
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(encoding="utf-8", errors="surrogateescape" if stream is sys.stdin else "backslashreplace")
    words = Words(spoken(typed, os.environ))
    line = Line(None, {key: True for key in ("json", "debug") if f"--{key}" in typed})
    code = 0
    try:
        line = parsed(typed)
        if "version" in line.general:
            from relembra import __version__

            text = f'{{"version": "{__version__}"}}' if "json" in line.general else f"relembra {__version__}"
            sys.stdout.write(text + "\n")
        elif "help" in line.general or line.command is None:
            from shutil import get_terminal_size

            sys.stdout.write(help_text(line.command, words, width=get_terminal_size().columns))
        else:
            code = _run(line, words)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        key = f"stopped.{line.command.name.partition(' ')[0] if line.command else ''}"
        sys.stderr.write("\n" + words(key if words.has(key) else "error.interrupted") + "\n")
        return 130
    except Exception as error:  # noqa: BLE001 - the outermost handler
        return _failed(error, line, words)
    return code


def _run(line: Line, words: Words) -> int:
    """Run the command, and show its answer to a program or to a person."""
    import asyncio
    import logging

    from relembra.interfaces.cli.call import Answer, Call

    if "debug" in line.general:
        logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    else:  # errors reach people as sentences
        logging.getLogger("relembra").addHandler(logging.NullHandler())
    call = Call(line, words)
    given = answered(call)
    answer = given if isinstance(given, Answer) else asyncio.run(given)
    if call.json:
        from relembra.interfaces.shapes import json_text, wire

        sys.stdout.write(json_text(wire(answer.value if answer.json is ... else answer.json)) + "\n")
    else:
        from relembra.interfaces.cli.terminal import Terminal

        answer.show(Terminal(words, call=call), answer.value)
    return answer.code


def answered(call: Call) -> Answer | Coroutine[Any, Any, Answer]:
    """Load the command that was typed and call it with what was typed behind it."""
    import importlib

    module, _, name = call.does.partition(":")
    command = getattr(importlib.import_module(f"relembra.interfaces.cli.{module}"), name)
    given: Answer | Coroutine[Any, Any, Answer] = command(call, **call.values)
    return given


def _failed(error: Exception, line: Line, words: Words) -> int:
    """Say what went wrong on standard error, without a traceback unless asked for one."""
    import json

    from relembra.errors import RelembraError
    from relembra.interfaces.cli.call import Call, code_of, data_of, sentence_of
    from relembra.settings import shown_db

    if "debug" in line.general:
        import traceback

        traceback.print_exception(error)
    if "json" in line.general:
        text = json.dumps(data_of(error), ensure_ascii=False, indent=2, default=str)
    else:
        call = Call(line, words)
        try:
            known = {"user": call.user, "db": call.db}
        except (RelembraError, OSError):  # the settings cannot be read
            known = {"user": call.typed.get("user", ""), "db": shown_db(call.typed.get("db", ""))}
        named = getattr(error, "command", None) or call.command
        text = sentence_of(error, words, command=named, **known)
    sys.stderr.write(text + "\n")
    return code_of(error)


def spoken(argv: Sequence[str], env: Mapping[str, str]) -> str:
    """The language to speak: the one asked for, wherever --lang stands, else the settings', else the system's."""
    words = list(argv)[: argv.index("--") if "--" in argv else None]
    place = next((at for at, word in enumerate(words) if word == "--lang" or word.startswith("--lang=")), len(words))
    typed = [words[place].partition("=")[2], *words[place + 1 :], ""] if place < len(words) else [""]
    asked = next((word for word in typed[:2] if word), None) or env.get("RELEMBRA_LANGUAGE") or _in_file(env)
    if asked in LANGUAGES:
        return asked
    system = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return "pt" if system.lower().startswith("pt") else "en"


def _in_file(env: Mapping[str, str]) -> str | None:
    """The language in the settings file; that a file cannot be read is reported where settings are loaded.

    The settings are not imported where there is no file: that takes as long as all the rest of a `--help`.
    """
    config = Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "relembra" / "relembra.toml"
    if not env.get("RELEMBRA_CONFIG") and not Path("relembra.toml").is_file() and not config.is_file():
        return None
    import tomllib

    from relembra.errors import SettingsError
    from relembra.settings import settings_file

    try:
        path = settings_file(env)
        language = None if path is None else tomllib.loads(path.read_text("utf-8")).get("language")
    except (SettingsError, OSError, ValueError, RuntimeError):
        return None
    return language if isinstance(language, str) else None


# ── reading a line ────────────────────────────────────────────────────────────────────────────────────────────────


def parsed(typed: Sequence[str]) -> Line:
    """General options may stand before the command or after it, later ones win; behind two dashes is no option."""
    everywhere = (*GENERAL, VERSION)
    general, rest = _options(typed, everywhere, None, rest=True)
    if not rest:
        return Line(None, general)
    command, words = command_of(rest)
    end = words.index("--") if "--" in words else len(words)
    values, left = _options(words[:end], (*GENERAL, *command.options), command)
    if "help" not in values:
        left += words[end + 1 :]
        missing = [part.name for part in command.arguments[len(left) :] if part.required]
        missing += [f"--{part.name}" for part in command.options if part.required and part.dest not in values]
        if spare := left[len(command.arguments) :]:
            takes_said = any(part.name == "said" for part in command.options)
            told = "usage.spare" if command.arguments else "usage.said" if takes_said else "usage.only_options"
            raise UsageError(told, command=command.name, words=" ".join(spare))
        if missing:
            raise UsageError("usage.missing", command=command.name, argument=missing[0])
        values |= {part.dest: _read(part, command, word) for part, word in zip(command.arguments, left, strict=False)}
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


def _options(
    words: Sequence[str], known: Sequence[Part], command: Command | None, *, rest: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """The options among words and the words left, or with `rest` all from the first that is none."""
    flags = {f"--{part.name}": part for part in known}
    flags["-h"] = flags["--help"]

    def is_option(word: str) -> bool:  # neither a number below zero nor a sentence
        return word.partition("=")[0] in flags or (word[:1] == "-" and not re.fullmatch(r"-[\d.]*|.*\s.*", word, re.S))

    values: dict[str, Any] = {}
    left, waiting = list[str](), list(words)
    while waiting and not (rest and left):
        word = waiting.pop(0)
        if not is_option(word):
            left.append(word)
            continue
        flag, sign, value = word.partition("=")
        part = flags.get(flag)
        if part is None or (sign and not part.meta):
            raise _mistake(flag, known, command)
        if not part.meta:
            values[part.dest] = True
            continue
        if not sign and (not waiting or is_option(waiting[0])):
            raise _mistake(flag, known, command)
        read = _read(part, command, value if sign else waiting.pop(0))
        values[part.dest] = [*values.get(part.dest, []), read] if part.many else read
    return values, left + waiting


def _read(part: Part, command: Command | None, word: str) -> Any:
    """The value of an option or an argument."""
    from relembra.domain.text import is_blank

    try:
        value = part.read(word)
    except ValueError as error:
        name = command.name if command else None
        raise UsageError(str(error), command=name, option=f"--{part.name}", word=word or "''") from None
    if (part.filled or part.required) and (is_blank(word) or (isinstance(value, str) and is_blank(value))):
        raise InvalidInputError(f"{part.key} must not be empty", field=part.key, kind="empty")
    return value


def _mistake(flag: str, known: Sequence[Part], command: Command | None) -> UsageError:
    """What is wrong with an option: unknown, without its value, or with one it does not take."""
    where, name = command.name if command else None, flag.removeprefix("--")
    option = next((one for one in known if one.name == name), None)
    if option is not None:
        return UsageError("usage.needs_value" if option.meta else "usage.no_value", command=where, option=flag)
    if near := get_close_matches(name, [one.name for one in known], n=1):
        return UsageError("usage.near_option", command=where, option=flag, near=f"--{near[0]}")
    return UsageError("usage.no_option", command=where, option=flag)


# ── help ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def help_text(command: Command | None, words: Words, *, width: int = 80) -> str:
    """The help of one command, or of all of them."""
    width = max(NARROWEST, min(width, WIDEST))

    def options(parts: Iterable[Part]) -> list[tuple[str, str]]:
        return [
            (f"--{part.name}" + (f" {words(f'meta.{part.meta}')}" if part.meta else ""), meaning(part))
            for part in parts
        ]

    def meaning(part: Part) -> str:
        special = f"{command.key}.{part.key}" if command else ""
        said = words(special if words.has(special) else f"any.{part.key}")
        return said + (f" {words('help.many')}" if part.many else "")

    if command is None:
        usage = f"{words('help.options_word')} {words('help.command_word')} …"
        about, more = words("help.about"), words("help.more")
        blocks = {
            f"group.{name}": [
                (one.name, words(f"help.{one.key}").splitlines()[0]) for one in COMMANDS if one.group == name
            ]
            for name in GROUPS
        }
        blocks["help.general"] = options((*GENERAL, VERSION))
        blocks["help.exits"] = [(str(code), words(f"exit.{code}")) for code in EXITS]
    else:
        metas = [(words(f"meta.{part.meta}"), part) for part in command.arguments]
        named = [(meta if part.required else f"[{meta}]", meaning(part)) for meta, part in metas]
        usage = " ".join([command.name, *(name for name, _ in named), words("help.options_word")])
        about, more = "\n\n".join(words(f"help.{command.key}").splitlines()), ""
        if words.has(f"example.{command.key}"):
            more = f"{words('help.example')}:\n  {words(f'example.{command.key}')}"
        general = [part for part in GENERAL if command.of_a_person or part.name not in ("user", "tenant")]
        blocks = {"help.arguments": named, "help.options": options(command.options), "help.general": options(general)}
    column = min(WIDEST_NAME, max(len(name) for rows in blocks.values() for name, _ in rows) + 4)
    shown = [f"{words('help.usage')}: relembra {usage}", _filled(about, width)]
    shown += ["\n".join([f"{words(key)}:", *_rows(rows, column, width)]) for key, rows in blocks.items() if rows]
    return "\n\n".join([*shown, *([_filled(more, width)] if more else [])]) + "\n"


def _filled(text: str, width: int) -> str:
    """Paragraphs; lines that are set in are shown as they are, so that they can be copied."""
    fill = partial(textwrap.fill, width=width, break_on_hyphens=False)
    return "\n".join(line if line.startswith("  ") else fill(line) for line in text.splitlines())


def _rows(rows: Iterable[tuple[str, str]], column: int, width: int) -> Iterator[str]:
    """Names and what they mean, which begins at a column, or below a name too long for that."""
    for name, meaning in rows:
        first = f"  {name}".ljust(column)
        if len(first) > column or not first.endswith("  "):
            yield first.rstrip()
            first = " " * column
        for line in textwrap.wrap(meaning, width - column, break_on_hyphens=False):
            yield first + line
            first = " " * column
