"""Everything that can be typed: the commands with their arguments and options, and how each value is read.

Nothing is imported here that `--help` does not need; what a command does is named, and loaded when it runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from relembra import locale
from relembra.errors import RelembraError

Read = Callable[[str], Any]
"""Turns a word into a value; a ValueError names the sentence that says what is wrong with it."""
STDIN = "-"

# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────

TYPED = (
    *("type", "area", "source", "kind", "keep", "half", "run", "work", "job_state", "period", "right"),
    *("order", "only"),
)
"""Kinds of words that people type, in either language."""


class Words(locale.Words):
    """The command line's sentences in one language."""

    def __init__(self, language: str) -> None:
        super().__init__(language, "cli", "names")


def token(kind: str, word: str) -> str:
    """The program's word for what a person typed in either language: "preferência" means preference."""
    return _tokens().get((kind, _folded(word)), word)


@cache
def _tokens() -> dict[tuple[str, str], str]:
    keys = [key.partition(".") for key in (*locale.ids("names"), *locale.ids("cli"))]
    return {
        (kind, _folded(Words(language)(f"{kind}.{name}"))): name
        for kind, _, name in keys
        if kind in TYPED
        for language in locale.LANGUAGES
    }


def _folded(word: str) -> str:
    from relembra.domain.text import fold

    return fold(word).replace(" ", "_").replace("-", "_")


class UsageError(RelembraError):
    """The command line cannot be understood; `key` and `parts` name the sentence that says why."""

    def __init__(self, key: str, *, command: str | None = None, **parts: str) -> None:
        super().__init__(f"{key}: {', '.join(parts.values())}")
        self.key = key
        self.command = command
        self.parts = parts


# ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────

_DAY = len("2026-03-01")


def text(word: str) -> str:
    """A text; a dash stands for what standard input holds."""
    return sys.stdin.read().removesuffix("\n") if word == STDIN else word


def _tried(read: Read, key: str) -> Read:
    """A reader whose mistakes are told by one sentence."""

    def tried(word: str) -> Any:
        try:
            return read(word)
        except ValueError:
            raise ValueError(key) from None

    return tried


whole = _tried(int, "usage.whole")
number = _tried(lambda word: float(word.replace(",", ".")), "usage.number")  # with a point or a comma
day = _tried(date.fromisoformat, "usage.date")


def moment(word: str, *, days: int = 0) -> datetime:
    """A moment; one without an offset is by this computer's clock. `days` are added to a day without a time."""
    try:
        if len(word) == _DAY:
            return datetime.combine(day(word) + timedelta(days=days), time()).astimezone()
        found = datetime.fromisoformat(word)
        return found if found.tzinfo is not None else found.astimezone()
    except OverflowError:
        raise ValueError("usage.date_range") from None
    except ValueError:
        raise ValueError("usage.date") from None


def end(word: str) -> datetime:
    """A moment; a day ends where the next begins."""
    return moment(word, days=1)


def past(word: str) -> datetime:
    """A moment to look back to; a day alone means its last instant."""
    return end(word) - timedelta(microseconds=1) if len(word) == _DAY else moment(word)


def path(word: str) -> Path:
    return Path(word).expanduser()


def pair(word: str) -> tuple[str, str]:
    name, sign, value = word.partition("=")
    if not name or not sign:
        raise ValueError("usage.pair")
    return name, value


def actor(word: str) -> str:
    """Who does it, as the library reads it."""
    from relembra.domain.audit import Actor
    from relembra.errors import InvalidInputError

    try:
        return str(Actor.parse(word))
    except InvalidInputError:
        raise ValueError("usage.who") from None


def one_of(kind: str) -> Read:
    """One of a few words, typed in either language."""
    return lambda word: token(kind, word)


# ── the parts of a command line ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Part:
    """An argument, known by its place, or an option; an option without a `meta` is a switch."""

    name: str
    meta: str = ""  # the word that stands for its value in help texts
    read: Read = str
    to: str = ""  # the parameter it becomes, where that is called otherwise
    many: bool = False  # may be given more than once
    filled: bool = False  # may not be blank
    required: bool = False

    @property
    def key(self) -> str:
        return self.name.replace("-", "_")

    @property
    def dest(self) -> str:
        return self.to or self.key


@dataclass(frozen=True, slots=True)
class Command:
    """One verb: what it takes, and the function that does it."""

    name: str
    group: str
    does: str  # module:function, under this package
    arguments: tuple[Part, ...] = ()
    options: tuple[Part, ...] = ()
    of_a_person: bool = True  # whether --user and --tenant mean anything to it

    @property
    def key(self) -> str:
        return self.name.replace(" ", "_")


@dataclass(frozen=True, slots=True)
class Line:
    """A command line understood: the command, None for none, and only what was typed, read and by its key."""

    command: Command | None
    general: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


GENERAL = (
    *(Part("db", "FILE"), Part("user", "NAME"), Part("tenant", "NAME"), Part("lang", "LANGUAGE")),
    *(Part("json"), Part("debug"), Part("help")),
)
"""Understood before the command and after it."""
VERSION = Part("version")

_SWITCHES = (
    "bring cognitive deleted dry-run every-tenant everybody fast history local local-only minified no-worker now off"
    " overwrite photo-details"
    " program read-only skip yes"
)
_TEXTS = {
    "CURSOR": "after",
    "FORMAT": "format",
    "ID": "change conversation external-id id note related",
    "LANGUAGE": "language",
    "NAME": "attribute author channel dataset from-channel from-space space sub-area subject timezone tool",
    "TEXT": "evidence query title value why",
    "URL": "url",
}
"""Taken as they are typed."""
_WORDS = "area half order period source type"
"""Words of a few, typed in either language."""
_PARTS = {
    **{name: Part(name) for name in _SWITCHES.split()},
    **{name: Part(name, meta) for meta, names in _TEXTS.items() for name in names.split()},
    **{name: Part(name, "TEXT", text, filled=True) for name in ("content", "replied", "said", "text")},
    **{name: Part(name, name.upper(), one_of(name)) for name in _WORDS.split()},
    **{name: Part(name, "DATE", moment) for name in ("at", "held-from", "since")},
    **{name: Part(name, "DATE", past) for name in ("as-of", "true-at")},
    **{name: Part(name, "0–1", number) for name in ("below", "confidence", "weight")},
    **{name: Part(name, "N", whole) for name in ("budget", "limit", "port")},
    **{name: Part(name, "FILE", path) for name in ("data", "file", "script", "target")},
    "all": Part("all"),
    "attach": Part("attach", "FILE", path),
    "arguments": Part("arguments", "JSON", text, filled=True),
    "channel:account": Part("channel", "CHANNEL"),
    "conversation:id": Part("conversation", "ID", to="id"),
    "day": Part("day", "DATE", day),
    "by": Part("by", "WHO", actor),
    "expires": Part("expires", "DATE", moment, to="expires_at"),
    "expires:key": Part("expires", "DATE", end, to="expires_at"),
    "file:pipe": Part("file", "FILE"),
    "for": Part("for", "NAME", to="user"),
    "from:memory": Part("from", "URL", filled=True, to="source"),
    "host": Part("host", "ADDRESS"),
    "html": Part("html", "FILE", path),
    "journal": Part("journal", "FILE", filled=True),
    "sql": Part("sql", "SQL", text, filled=True),
    "keep": Part("keep", "SIDE", one_of("keep")),
    "kind": Part("kind", "KIND", one_of("kind")),
    "kind:run": Part("kind", "KIND", one_of("run")),
    "kind:work": Part("kind", "KIND", one_of("work")),
    "me": Part("me", "NAME", filled=True),
    "mention": Part("mention", "NAME", to="mentioned", filled=True),
    "message": Part("message", "ID", to="message_ids"),
    "messages": Part("messages", "FILE", filled=True),
    "meta": Part("meta", "KEY=VALUE", pair, to="metadata"),
    "min-confidence": Part("min-confidence", "0–1", number, to="confidence"),
    "name": Part("name", "NAME", filled=True),
    "name:person": Part("name", "NAME", to="person"),
    "name:space": Part("name", "NAME", to="space"),
    "only": Part("only", "STATE", one_of("only")),
    "open": Part("open", to="open_only"),
    "priority": Part("priority", "1–10", whole),
    "save": Part("save", "FOLDER", path, filled=True),
    "scope": Part("scope", "RIGHT", one_of("right"), to="right"),
    "speaker": Part("speaker", "NAME", to="speakers", filled=True),
    "state": Part("state", "STATE", one_of("job_state")),
    "tag": Part("tag", "TAG", to="tags"),
    "to": Part("to", "FILE", path, filled=True),
    "to:memory": Part("to", "URL", filled=True, to="target"),
    "until": Part("until", "DATE", end),
    "why:switch": Part("why"),
    "with": Part("with", "WITH", to="profession"),
}
"""By name; where commands mean different things by one name, with what is meant behind a colon."""


def _command(name: str, does: str, arguments: str = "", options: str = "", *, of_a_person: bool = True) -> Command:
    """A command with parts by their names: `id?` may be left out, `tag*` be repeated, `keep!` has to be given."""
    taken = tuple(replace(_PARTS[word.strip("?")], required=not word.endswith("?")) for word in arguments.split())
    offered = tuple(
        replace(_PARTS[word.strip("*!")], many=word.endswith("*"), required=word.endswith("!"))
        for word in options.split()
    )
    return Command(name, "", does, taken, offered, of_a_person)


_PLACE = "space channel"
_FILTERS = (
    "type* area* sub-area tag* source* subject attribute min-confidence below since until as-of true-at note only"
    " from-space from-channel"
    f" history deleted {_PLACE}"
)
_ADDED = (
    "type area sub-area title tag* subject attribute value source confidence weight priority evidence related*"
    f" message* held-from expires local-only {_PLACE} by"
)
_SAVED = f"said replied attach* messages journal at conversation {_PLACE} external-id author program skip meta*"

_GROUPS: dict[str, tuple[Command, ...]] = {
    "known": (
        _command("add", "items:add", "content", _ADDED),
        _command("list", "items:list_items", "", f"{_FILTERS} order limit after"),
        _command("show", "items:show", "id"),
        _command("validate", "items:validate", "id", "by"),
        _command("correct", "items:correct", "id content", "why by"),
        _command("delete", "items:delete", "id", "why by"),
        _command("restore", "items:restore", "id", "by"),
        _command("archive", "items:archive", "id", "by"),
        _command("recover", "items:recover", "id", "by"),
        _command("history", "items:history", "id"),
        _command("undo", "items:undo", "change", "by"),
        _command("related", "items:related", "id", "limit"),
        _command("forget", "conversations:forget", "id?", "conversation all dry-run yes"),
    ),
    "recalled": (
        _command("search", "recall:search", "query", f"{_FILTERS} limit why:switch"),
        _command("recall", "recall:recall", "query", f"kind* {_FILTERS} limit why:switch"),
        _command(
            "context",
            "recall:context",
            "query?",
            f"budget format conversation speaker* mention* as-of true-at history {_PLACE}",
        ),
        _command("why", "recall:why", "query", f"budget as-of true-at history {_PLACE} limit"),
    ),
    "said": (
        _command("save", "conversations:save", "", _SAVED),
        _command("messages", "conversations:messages", "", f"conversation {_PLACE} limit after"),
        _command("conversations", "conversations:conversations", "", "everybody limit after"),
        _command("conversations show", "conversations:show_conversation", "conversation:id", "limit after"),
        _command("conversations rename", "conversations:rename", "conversation:id title", "by"),
        _command("conversations delete", "conversations:delete", "conversation:id", "by"),
    ),
    "learnt": (
        _command("learn", "conversations:learn", "", _PLACE),
        _command("preview", "conversations:preview", "text", f"at {_PLACE}"),
        _command("notes", "conversations:notes", "", f"kind* conversation {_PLACE} limit after"),
        _command("notes show", "conversations:show_note", "id", _PLACE),
        _command("conflicts", "conversations:conflicts", "", f"open {_PLACE} limit after"),
        _command("conflicts show", "conversations:show_case", "id"),
        _command("conflicts settle", "conversations:settle", "id", "keep! by"),
        _command("conflicts undo", "conversations:undo_case", "id", "by"),
    ),
    "views": (
        _command("me", "items:me"),
        _command("profile", "items:profile", "", f"cognitive minified limit {_PLACE}"),
        _command("people", "items:people", "", _PLACE),
        _command("count", "items:count", "", _FILTERS),
        _command("analyze", "analysis:analyze", "file?", "html sql overwrite"),
        _command("timeline", "items:timeline", "", f"since until {_PLACE} limit after"),
        _command("tools", "items:tools", "", "format", of_a_person=False),
        _command("tools call", "items:call_tool", "tool arguments?", f"{_PLACE} by"),
    ),
    "tended": (
        _command("consolidate", "nights:consolidate"),
        _command("consolidations", "nights:consolidations", "id?", "kind:run* space everybody limit after"),
        _command("rollback", "nights:rollback", "id", "space yes by"),
        _command("garden", "nights:garden", "", "dry-run"),
        _command("insights", "nights:insights", "", "now"),
        _command("report", "conversations:report", "period", "day save"),
        _command("appointment", "conversations:appointment", "with?", "at save"),
        _command("jobs", "nights:jobs", "", "state kind:work* limit"),
        _command("jobs show", "nights:show_job", "id", of_a_person=False),
        _command("jobs retry", "nights:retry_jobs", "id?", of_a_person=False),
        _command("jobs cancel", "nights:cancel_job", "id", of_a_person=False),
        _command("jobs run", "nights:run_jobs", "id?", of_a_person=False),
    ),
    "access": (
        _command("serve", "access:serve", "", "host port no-worker"),
        _command("worker", "access:worker", of_a_person=False),
        _command("keys", "access:keys"),
        _command("keys create", "access:create", "", "name! scope for every-tenant expires:key"),
        _command("keys link", "access:key_link", "", "scope url"),
        _command("keys revoke", "access:revoke", "id"),
        _command("link", "access:link", "channel:account id", "bring"),
        _command("unlink", "access:unlink", "channel:account id"),
        _command("links", "access:links"),
        _command("block", "access:block", "name:person"),
        _command("unblock", "access:unblock", "name:person"),
        _command("blocks", "access:blocks"),
        _command("spaces", "access:spaces"),
        _command("spaces on", "access:space_on", "name:space"),
        _command("spaces off", "access:space_off", "name:space"),
        _command("spaces only", "access:spaces_only"),
        _command("spaces all", "access:spaces_all"),
        _command("users", "access:users", "", "limit after"),
        _command("local", "items:local", "id", "off by"),
        _command("discord", "access:discord"),
        _command("telegram", "access:telegram"),
        _command("mcp", "access:mcp", "", f"read-only local {_PLACE}"),
    ),
    "upkeep": (
        _command("stats", "upkeep:stats"),
        _command("doctor", "doctor:doctor", of_a_person=False),
        _command("reindex", "upkeep:reindex", of_a_person=False),
        _command("export", "upkeep:export", "file:pipe", "format everybody language overwrite"),
        _command("import", "upkeep:import_file", "file:pipe", "me* timezone photo-details dry-run"),
        _command("backup", "upkeep:backup", "target", of_a_person=False),
        _command("backup restore", "upkeep:restore", "file", of_a_person=False),
        _command("migrate", "upkeep:migrate", "", "from:memory! to:memory!"),
        _command("salvage", "upkeep:salvage", "file", "to!", of_a_person=False),
        _command("verify", "upkeep:verify", of_a_person=False),
        _command("bench retrieval", "bench:retrieval", "", "dataset data! half limit", of_a_person=False),
        _command("bench context", "bench:context", "", "dataset data! half limit", of_a_person=False),
        _command("bench assistant", "bench:assistant", "", "script* budget", of_a_person=False),
        _command("demo", "demo:demo", "", "fast", of_a_person=False),
    ),
}
GROUPS = tuple(_GROUPS)
COMMANDS = tuple(replace(command, group=group) for group, commands in _GROUPS.items() for command in commands)
BY_NAME = {command.name: command for command in COMMANDS}
ALIASES = {
    f"{name} list": name
    for name in ("conversations", "notes", "conflicts", "jobs", "consolidations", "keys", "links", "spaces")
}
