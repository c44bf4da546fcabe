"""Everything that can be typed: the commands with their arguments and options, and how each value is read.

Nothing is imported here that `--help` does not need; what a command does is named, and loaded when it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, cast

from relembra.interfaces.cli.words import token

Read = Callable[[str], Any]
"""Turns a word into a value; a ValueError names the sentence that says what is wrong with it."""

# ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────

_DAY = len("2026-03-01")


def whole(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise ValueError("usage.whole") from None


def positive(word: str) -> int:
    if (number := whole(word)) < 1:
        raise ValueError("usage.whole")
    return number


def number(word: str) -> float:
    """A number, with a point or a comma."""
    try:
        return float(word.replace(",", "."))
    except ValueError:
        raise ValueError("usage.number") from None


def moment(word: str, *, days: int = 0) -> datetime:
    """A moment; one without an offset is by this computer's clock. `days` are added to a day without a time."""
    try:
        if len(word) == _DAY:
            return datetime.combine(date.fromisoformat(word) + timedelta(days=days), time()).astimezone()
        found = datetime.fromisoformat(word)
        return found if found.tzinfo is not None else found.astimezone()
    except OverflowError:
        raise ValueError("usage.date_range") from None
    except ValueError:
        raise ValueError("usage.date") from None


def end(word: str) -> datetime:
    """A moment; a day ends where the next begins."""
    return moment(word, days=1)


def still_to_come(word: str) -> datetime:
    from relembra.domain.time import system_clock

    if (found := end(word)) <= system_clock():
        raise ValueError("usage.key_past")
    return found


def then(word: str) -> datetime:
    """A moment to look back to; a day alone means its last instant."""
    return end(word) - timedelta(microseconds=1) if len(word) == _DAY else moment(word)


def day(word: str) -> date:
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise ValueError("usage.date") from None


def path(word: str) -> Path:
    return Path(word).expanduser()


def pair(word: str) -> tuple[str, str]:
    name, sign, value = word.partition("=")
    if not name or not sign:
        raise ValueError("usage.pair")
    return name, value


def who(word: str) -> str:
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
class Option:
    """A named part of a command line. Without a `meta` it is a switch."""

    name: str
    meta: str = ""  # the word that stands for its value in help texts
    read: Read = str
    to: str = ""  # the parameter it becomes, where that is called otherwise
    many: bool = False  # may be given more than once
    filled: bool = False  # may not be blank

    @property
    def key(self) -> str:
        return self.name.replace("-", "_")


@dataclass(frozen=True, slots=True)
class Argument:
    """A part of a command line known by its place; a required one may not be blank."""

    name: str
    meta: str
    required: bool = True
    read: Read = str
    to: str = ""  # the parameter it becomes, where that is called otherwise


@dataclass(frozen=True, slots=True)
class Command:
    """One verb: what it takes, and the function that does it."""

    name: str
    group: str
    does: str  # module:function, under this package
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    of_a_person: bool = True  # whether --user and --tenant mean anything to it

    @property
    def key(self) -> str:
        return self.name.replace(" ", "_")


GENERAL = (
    Option("db", "FILE"),
    Option("user", "NAME"),
    Option("tenant", "NAME"),
    Option("lang", "LANGUAGE"),
    Option("json"),
    Option("debug"),
    Option("help"),
)
"""Understood before the command and after it."""
VERSION = Option("version")


def _plain(names: str, meta: str = "") -> list[Option]:
    """Options taken as they are typed; without a `meta`, switches."""
    return [Option(name, meta) for name in names.split()]


_OPTIONS = {
    option.name: option
    for option in (
        *_plain(
            "bring cognitive deleted dry-run every-tenant everybody fast history local local-only minified now off"
            " overwrite program raw read-only skip yes"
        ),
        *_plain("attribute author channel dataset row space sub-area subject", "NAME"),
        *_plain("conversation external-id note related", "ID"),
        *_plain("evidence replied said title value why", "TEXT"),
        Option("after", "CURSOR"),
        Option("all", to="everything"),
        Option("area", "AREA", one_of("area")),
        Option("as-of", "DATE", then),
        Option("at", "DATE", moment),
        Option("below", "0–1", number),
        Option("budget", "N", whole),
        Option("by", "WHO", who),
        Option("confidence", "0–1", number),
        Option("data", "FILE", path),
        Option("day", "DATE", day),
        Option("expires", "DATE", moment, to="expires_at"),
        Option("for", "NAME", to="user"),
        Option("format", "FORMAT"),
        Option("half", "HALF", one_of("half")),
        Option("held-from", "DATE", moment),
        Option("host", "ADDRESS"),
        Option("html", "FILE", path),
        Option("keep", "SIDE", one_of("keep")),
        Option("kind", "KIND", one_of("kind")),
        Option("language", "LANGUAGE"),
        Option("limit", "N", whole),
        Option("mention", "NAME", to="mentioned", filled=True),
        Option("message", "ID", to="message_ids"),
        Option("messages", "FILE", filled=True),
        Option("meta", "KEY=VALUE", pair, to="metadata"),
        Option("min-confidence", "0–1", number, to="confidence"),
        Option("name", "NAME", filled=True),
        Option("only", "STATE", one_of("only")),
        Option("open", to="open_only"),
        Option("order", "ORDER", one_of("order")),
        Option("pool", "POOL", one_of("pool")),
        Option("port", "N", whole),
        Option("priority", "1–10", whole),
        Option("save", "FOLDER", path, filled=True),
        Option("scope", "RIGHT", one_of("right"), to="right"),
        Option("script", "FILE", path),
        Option("since", "DATE", moment),
        Option("source", "SOURCE", one_of("source")),
        Option("speaker", "NAME", to="speakers", filled=True),
        Option("state", "STATE", one_of("job_state")),
        Option("step", "STEP", one_of("step")),
        Option("tag", "TAG", to="tags"),
        Option("to", "FILE", path, filled=True),
        Option("true-at", "DATE", then),
        Option("type", "TYPE", one_of("type")),
        Option("until", "DATE", end),
        Option("url", "URL"),
        Option("weight", "0–1", number),
    )
}


_ARGUMENTS = {
    argument.name: argument
    for argument in (
        Argument("arguments", "JSON"),
        Argument("change", "ID"),
        Argument("channel", "CHANNEL"),
        Argument("content", "TEXT"),
        Argument("conversation", "ID"),
        Argument("file", "FILE", read=path),
        Argument("id", "ID"),
        Argument("name", "NAME"),
        Argument("period", "PERIOD", read=one_of("period")),
        Argument("query", "TEXT"),
        Argument("target", "FILE", read=path),
        Argument("text", "TEXT"),
        Argument("title", "TEXT"),
        Argument("tool", "NAME"),
        Argument("with", "WITH", to="person"),
    )
}


def _command(
    group: str,
    name: str,
    does: str,
    arguments: str = "",
    options: str = "",
    *,
    of_a_person: bool = True,
    **changed: Option | Argument,
) -> Command:
    """A command with parts by their names: `id?` may be left out, `tag*` be repeated; `changed` are others here."""
    taken, offered = [], []
    for word in arguments.split():
        part = changed.get(word.strip("?"), _ARGUMENTS[word.strip("?")])
        taken.append(replace(cast(Argument, part), required=not word.endswith("?")))
    for word in options.split():
        option = changed.get(word.strip("*"), _OPTIONS[word.strip("*")])
        offered.append(replace(cast(Option, option), many=word.endswith("*")))
    return Command(name, group, does, tuple(taken), tuple(offered), of_a_person)


_FILTERS = (
    "type* area* tag* source* subject attribute min-confidence below since until as-of true-at note only history"
    " deleted space channel"
)
_REASONS = Option("why")
_FILE_OR_PIPE = Argument("file", "FILE")

COMMANDS = (
    _command(
        "known",
        "add",
        "knowledge:add",
        "content",
        "type area sub-area title tag* subject attribute value source confidence weight priority evidence related*"
        " message* held-from expires local-only space channel by",
    ),
    _command("known", "list", "knowledge:list_items", "", f"{_FILTERS} order limit after"),
    _command("known", "show", "knowledge:show", "id"),
    _command("known", "validate", "knowledge:validate", "id", "by"),
    _command("known", "correct", "knowledge:correct", "id content", "why by"),
    _command("known", "delete", "knowledge:delete", "id", "why by"),
    _command("known", "restore", "knowledge:restore", "id", "by"),
    _command("known", "archive", "knowledge:archive", "id", "by"),
    _command("known", "recover", "knowledge:recover", "id", "by"),
    _command("known", "history", "knowledge:history", "id"),
    _command("known", "undo", "knowledge:undo", "change", "by"),
    _command("known", "related", "recall:related", "id", "limit"),
    _command("known", "forget", "conversations:forget", "id?", "conversation all dry-run yes"),
    _command("recalled", "search", "recall:search", "query", f"{_FILTERS} limit why", why=_REASONS),
    _command("recalled", "recall", "recall:recall", "query", f"kind* {_FILTERS} limit why", why=_REASONS),
    _command(
        "recalled",
        "context",
        "recall:context",
        "query?",
        "budget format conversation speaker* mention* as-of true-at history space channel",
    ),
    _command("recalled", "why", "recall:why", "query", "budget as-of true-at history space channel limit"),
    _command("recalled", "command", "recall:command", "text", "space channel"),
    _command(
        "said",
        "save",
        "conversations:save",
        "",
        "said replied messages at conversation space channel external-id author program skip meta*",
    ),
    _command("said", "messages", "conversations:messages", "", "conversation space channel limit after"),
    _command("said", "conversations", "conversations:conversations", "", "limit after"),
    _command("said", "conversations rename", "conversations:rename", "conversation title", "by"),
    _command("said", "conversations delete", "conversations:delete", "conversation", "by"),
    _command("learnt", "learn", "conflicts:learn", "", "space channel"),
    _command("learnt", "preview", "conflicts:preview", "text", "at space channel"),
    _command("learnt", "notes", "conversations:notes", "", "kind* conversation space channel limit after"),
    _command("learnt", "notes show", "conversations:show_note", "id", "space channel"),
    _command("learnt", "conflicts", "conflicts:conflicts", "", "open space channel limit after"),
    _command("learnt", "conflicts show", "conflicts:show_case", "id"),
    _command("learnt", "conflicts settle", "conflicts:settle", "id", "keep by"),
    _command("learnt", "conflicts undo", "conflicts:undo_case", "id", "by"),
    _command("views", "me", "views:me"),
    _command("views", "profile", "views:profile", "", "cognitive minified limit space channel"),
    _command("views", "people", "views:people", "", "space channel"),
    _command("views", "count", "views:count", "", _FILTERS),
    _command("views", "over-time", "views:over_time", "", "since until step space channel"),
    _command("views", "timeline", "views:timeline", "", "since until space channel limit after"),
    _command("views", "tools", "views:tools", "", "format", of_a_person=False),
    _command("views", "tools call", "views:call_tool", "tool arguments?", "space channel by"),
    _command("tended", "consolidate", "nights:consolidate"),
    _command(
        "tended",
        "consolidations",
        "nights:consolidations",
        "id?",
        "kind* space everybody raw limit after",
        kind=Option("kind", "KIND", one_of("run")),
    ),
    _command("tended", "rollback", "nights:rollback", "id", "space yes by"),
    _command("tended", "garden", "nights:garden", "", "dry-run"),
    _command("tended", "insights", "nights:insights", "", "now"),
    _command("tended", "report", "conversations:report", "period", "day save"),
    _command("tended", "appointment", "conversations:appointment", "with?", "at save"),
    _command("tended", "jobs", "jobs:jobs", "", "state kind* limit", kind=Option("kind", "KIND", one_of("work"))),
    _command("tended", "jobs show", "jobs:show", "id", of_a_person=False),
    _command("tended", "jobs retry", "jobs:retry", "id?", of_a_person=False),
    _command("tended", "jobs cancel", "jobs:cancel", "id", of_a_person=False),
    _command("tended", "jobs run", "jobs:run", "id?", of_a_person=False),
    _command("doors", "serve", "servers:serve", "", "host port"),
    _command("doors", "keys", "access:keys"),
    _command(
        "doors",
        "keys create",
        "access:create",
        "",
        "name scope for every-tenant expires",
        expires=Option("expires", "DATE", still_to_come, to="expires_at"),
    ),
    _command("doors", "keys link", "access:key_link", "", "scope url"),
    _command("doors", "keys revoke", "access:revoke", "id"),
    _command("doors", "link", "access:link", "channel id", "bring"),
    _command("doors", "unlink", "access:unlink", "channel id"),
    _command("doors", "links", "access:links"),
    _command("doors", "block", "access:block", "name"),
    _command("doors", "unblock", "access:unblock", "name"),
    _command("doors", "blocks", "access:blocks"),
    _command("doors", "spaces", "access:spaces"),
    _command("doors", "spaces on", "access:space_on", "name"),
    _command("doors", "spaces off", "access:space_off", "name"),
    _command("doors", "users", "access:users", "", "limit after"),
    _command("doors", "local", "knowledge:local", "id", "off by"),
    _command("doors", "discord", "servers:discord"),
    _command("doors", "telegram", "servers:telegram"),
    _command("doors", "mcp", "servers:mcp", "", "read-only local space channel"),
    _command("upkeep", "stats", "upkeep:stats", "", "all"),
    _command("upkeep", "doctor", "doctor:doctor", of_a_person=False),
    _command("upkeep", "reindex", "upkeep:reindex", of_a_person=False),
    _command("upkeep", "retry", "jobs:retry", of_a_person=False),
    _command("upkeep", "export", "upkeep:export", "file?", "format everybody language overwrite", file=_FILE_OR_PIPE),
    _command("upkeep", "import", "upkeep:take_in", "file", "dry-run", file=_FILE_OR_PIPE),
    _command("upkeep", "import facts", "upkeep:facts", "file", "dry-run"),
    _command("upkeep", "backup", "upkeep:backup", "target", of_a_person=False),
    _command("upkeep", "backup restore", "upkeep:put_back", "file", of_a_person=False),
    _command("upkeep", "salvage", "upkeep:salvage", "file", "to", of_a_person=False),
    _command("upkeep", "verify", "upkeep:verify", of_a_person=False),
    _command(
        "upkeep",
        "bench retrieval",
        "bench:retrieval",
        "",
        "dataset data pool row half limit html",
        of_a_person=False,
        limit=Option("limit", "N", positive),
    ),
    _command(
        "upkeep",
        "bench assistant",
        "bench:assistant",
        "",
        "script* budget",
        of_a_person=False,
        budget=Option("budget", "N", positive),
    ),
    _command("upkeep", "demo", "demo:demo", "", "fast", of_a_person=False),
    _command("upkeep", "version", "upkeep:version", of_a_person=False),
)
GROUPS = ("known", "recalled", "said", "learnt", "views", "tended", "doors", "upkeep")
BY_NAME = {command.name: command for command in COMMANDS}
ALIASES = {
    f"{name} list": name
    for name in ("conversations", "notes", "conflicts", "jobs", "consolidations", "keys", "links", "spaces")
}
