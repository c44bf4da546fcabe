"""What can be typed: every command with its arguments and options, as plain values.

Nothing here is imported that a `--help` does not need; what a command does is named, and loaded when it runs.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """A named part of a command line. Without a `meta` it is a switch."""

    name: str
    meta: str = ""  # the word that stands for its value in help texts
    many: bool = False  # may be given more than once

    @property
    def key(self) -> str:
        return self.name.replace("-", "_")


@dataclass(frozen=True, slots=True)
class Argument:
    """A part of a command line known by its place."""

    name: str
    meta: str
    required: bool = True


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


JSON = Option("json")
DEBUG = Option("debug")
HELP = Option("help")
VERSION = Option("version")
GENERAL = (
    Option("db", "FILE"),
    Option("user", "NAME"),
    Option("tenant", "NAME"),
    Option("lang", "LANGUAGE"),
    JSON,
    DEBUG,
    HELP,
)
"""Understood before the command and after it."""

_ID = Argument("id", "ID")
_NAMED = Argument("name", "NAME")
_ACCOUNT = (Argument("channel", "CHANNEL"), _ID)
_PLACE = (Option("space", "NAME"), Option("channel", "NAME"))
_BY = Option("by", "WHO")
_PAGE = (Option("limit", "N"), Option("after", "CURSOR"))
_THEN = (Option("as-of", "DATE"), Option("true-at", "DATE"))
_FILTERS = (
    Option("type", "TYPE", many=True),
    Option("area", "AREA", many=True),
    Option("tag", "TAG", many=True),
    Option("source", "SOURCE", many=True),
    Option("subject", "NAME"),
    Option("attribute", "NAME"),
    Option("min-confidence", "0–1"),
    Option("below", "0–1"),
    Option("since", "DATE"),
    Option("until", "DATE"),
    *_THEN,
    Option("note", "ID"),
    Option("only", "STATE"),
    Option("history"),
    Option("deleted"),
    *_PLACE,
)

COMMANDS = (
    Command(
        "add",
        "known",
        "known:add",
        (Argument("content", "TEXT"),),
        (
            Option("type", "TYPE"),
            Option("area", "AREA"),
            Option("sub-area", "NAME"),
            Option("title", "TEXT"),
            Option("tag", "TAG", many=True),
            Option("subject", "NAME"),
            Option("attribute", "NAME"),
            Option("value", "TEXT"),
            Option("source", "SOURCE"),
            Option("confidence", "0–1"),
            Option("weight", "0–1"),
            Option("priority", "1–10"),
            Option("evidence", "TEXT"),
            Option("related", "ID", many=True),
            Option("message", "ID", many=True),
            Option("held-from", "DATE"),
            Option("expires", "DATE"),
            Option("local-only"),
            *_PLACE,
            _BY,
        ),
    ),
    Command("list", "known", "known:list_items", (), (*_FILTERS, Option("order", "ORDER"), *_PAGE)),
    Command("show", "known", "known:show", (_ID,)),
    Command("validate", "known", "known:validate", (_ID,), (_BY,)),
    Command("correct", "known", "known:correct", (_ID, Argument("content", "TEXT")), (Option("why", "TEXT"), _BY)),
    Command("delete", "known", "known:delete", (_ID,), (Option("why", "TEXT"), _BY)),
    Command("restore", "known", "known:restore", (_ID,), (_BY,)),
    Command("archive", "known", "known:archive", (_ID,), (_BY,)),
    Command("recover", "known", "known:recover", (_ID,), (_BY,)),
    Command("history", "known", "known:history", (_ID,)),
    Command("undo", "known", "known:undo", (Argument("change", "ID"),), (_BY,)),
    Command("related", "known", "recalled:related", (_ID,), (Option("limit", "N"),)),
    Command(
        "forget",
        "known",
        "forgetting:forget",
        (Argument("id", "ID", required=False),),
        (Option("conversation", "ID"), Option("all"), Option("dry-run"), Option("yes")),
    ),
    Command(
        "search",
        "recalled",
        "recalled:search",
        (Argument("query", "TEXT"),),
        (*_FILTERS, Option("limit", "N"), Option("why")),
    ),
    Command(
        "recall",
        "recalled",
        "recalled:recall",
        (Argument("query", "TEXT"),),
        (Option("kind", "KIND", many=True), *_FILTERS, Option("limit", "N"), Option("why")),
    ),
    Command(
        "context",
        "recalled",
        "recalled:context",
        (Argument("query", "TEXT", required=False),),
        (
            Option("budget", "N"),
            Option("format", "FORMAT"),
            Option("conversation", "ID"),
            Option("speaker", "NAME", many=True),
            Option("mention", "NAME", many=True),
            *_THEN,
            Option("history"),
            *_PLACE,
        ),
    ),
    Command(
        "why",
        "recalled",
        "recalled:why",
        (Argument("query", "TEXT"),),
        (Option("budget", "N"), *_THEN, Option("history"), *_PLACE, Option("limit", "N")),
    ),
    Command("command", "recalled", "recalled:command", (Argument("text", "TEXT"),), _PLACE),
    Command(
        "save",
        "said",
        "said:save",
        (),
        (
            Option("said", "TEXT"),
            Option("replied", "TEXT"),
            Option("messages", "FILE"),
            Option("at", "DATE"),
            Option("conversation", "ID"),
            *_PLACE,
            Option("external-id", "ID"),
            Option("author", "NAME"),
            Option("program"),
            Option("skip"),
            Option("meta", "KEY=VALUE", many=True),
        ),
    ),
    Command("messages", "said", "said:messages", (), (Option("conversation", "ID"), *_PLACE, *_PAGE)),
    Command("conversations", "said", "said:conversations", (), _PAGE),
    Command(
        "conversations rename",
        "said",
        "said:rename",
        (Argument("conversation", "ID"), Argument("title", "TEXT")),
        (_BY,),
    ),
    Command("conversations delete", "said", "said:delete", (Argument("conversation", "ID"),), (_BY,)),
    Command("learn", "learnt", "learnt:learn", (), _PLACE),
    Command("preview", "learnt", "learnt:preview", (Argument("text", "TEXT"),), (Option("at", "DATE"), *_PLACE)),
    Command(
        "notes",
        "learnt",
        "notes:notes",
        (),
        (Option("kind", "KIND", many=True), Option("conversation", "ID"), *_PLACE, *_PAGE),
    ),
    Command("notes show", "learnt", "notes:show", (_ID,), _PLACE),
    Command("conflicts", "learnt", "conflicts:conflicts", (), (Option("open"), *_PLACE, *_PAGE)),
    Command("conflicts show", "learnt", "conflicts:show", (_ID,)),
    Command("conflicts settle", "learnt", "conflicts:settle", (_ID,), (Option("keep", "SIDE"), _BY)),
    Command("conflicts undo", "learnt", "conflicts:undo", (_ID,), (_BY,)),
    Command("me", "views", "views:me"),
    Command(
        "profile",
        "views",
        "views:profile",
        (),
        (Option("cognitive"), Option("minified"), Option("limit", "N"), *_PLACE),
    ),
    Command("people", "views", "views:people", (), _PLACE),
    Command("count", "views", "survey:count", (), _FILTERS),
    Command(
        "over-time",
        "views",
        "survey:over_time",
        (),
        (Option("since", "DATE"), Option("until", "DATE"), Option("step", "STEP"), *_PLACE),
    ),
    Command(
        "timeline", "views", "survey:timeline", (), (Option("since", "DATE"), Option("until", "DATE"), *_PLACE, *_PAGE)
    ),
    Command("tools", "views", "tools:tools", (), (Option("format", "FORMAT"),), of_a_person=False),
    Command(
        "tools call",
        "views",
        "tools:call",
        (Argument("tool", "NAME"), Argument("arguments", "JSON", required=False)),
        (*_PLACE, _BY),
    ),
    Command("consolidate", "tended", "nights:consolidate"),
    Command(
        "consolidations",
        "tended",
        "nights:consolidations",
        (Argument("id", "ID", required=False),),
        (Option("kind", "KIND", many=True), Option("space", "NAME"), Option("everybody"), Option("raw"), *_PAGE),
    ),
    Command("rollback", "tended", "nights:rollback", (_ID,), (Option("space", "NAME"), Option("yes"), _BY)),
    Command("garden", "tended", "garden:garden", (), (Option("dry-run"),)),
    Command("insights", "tended", "garden:insights", (), (Option("now"),)),
    Command(
        "report",
        "tended",
        "reports:report",
        (Argument("period", "PERIOD"),),
        (Option("day", "DATE"), Option("save", "FOLDER")),
    ),
    Command(
        "appointment",
        "tended",
        "reports:appointment",
        (Argument("with", "WITH", required=False),),
        (Option("at", "DATE"), Option("save", "FOLDER")),
    ),
    Command(
        "jobs",
        "tended",
        "queue:jobs",
        (),
        (Option("state", "STATE"), Option("kind", "KIND", many=True), Option("limit", "N")),
    ),
    Command("jobs show", "tended", "queue:show", (_ID,), of_a_person=False),
    Command("jobs retry", "tended", "queue:retry", (Argument("id", "ID", required=False),), of_a_person=False),
    Command("jobs cancel", "tended", "queue:cancel", (_ID,), of_a_person=False),
    Command("jobs run", "tended", "queue:run", (Argument("id", "ID", required=False),), of_a_person=False),
    Command("serve", "doors", "serving:serve", (), (Option("host", "ADDRESS"), Option("port", "N"))),
    Command("keys", "doors", "keys:keys"),
    Command(
        "keys create",
        "doors",
        "keys:create",
        (),
        (
            Option("name", "NAME"),
            Option("scope", "RIGHT"),
            Option("for", "NAME"),
            Option("every-tenant"),
            Option("expires", "DATE"),
        ),
    ),
    Command(
        "keys link",
        "doors",
        "keys:link",
        (),
        (Option("scope", "RIGHT"), Option("url", "URL")),
    ),
    Command("keys revoke", "doors", "keys:revoke", (_ID,)),
    Command("link", "doors", "links:link", _ACCOUNT, (Option("bring"),)),
    Command("unlink", "doors", "links:unlink", _ACCOUNT),
    Command("links", "doors", "links:links"),
    Command("block", "doors", "doors:block", (_NAMED,)),
    Command("unblock", "doors", "doors:unblock", (_NAMED,)),
    Command("doors", "doors", "doors:doors"),
    Command("spaces", "doors", "doors:spaces"),
    Command("spaces on", "doors", "doors:space_on", (_NAMED,)),
    Command("spaces off", "doors", "doors:space_off", (_NAMED,)),
    Command("users", "doors", "doors:users", (), _PAGE),
    Command("local", "doors", "known:local", (_ID,), (Option("off"), _BY)),
    Command("discord", "doors", "chat:discord"),
    Command("telegram", "doors", "chat:telegram"),
    Command("mcp", "doors", "mcp:mcp", (), (Option("read-only"), Option("local"), *_PLACE)),
    Command("stats", "upkeep", "upkeep:stats", (), (Option("all"),)),
    Command("doctor", "upkeep", "doctor:doctor", of_a_person=False),
    Command("reindex", "upkeep", "upkeep:reindex", of_a_person=False),
    Command("retry", "upkeep", "upkeep:retry", of_a_person=False),
    Command(
        "export",
        "upkeep",
        "transfer:export",
        (Argument("file", "FILE", required=False),),
        (Option("format", "FORMAT"), Option("everybody"), Option("language", "LANGUAGE"), Option("overwrite")),
    ),
    Command("import", "upkeep", "transfer:take_in", (Argument("file", "FILE"),), (Option("dry-run"),)),
    Command("import facts", "upkeep", "transfer:facts", (Argument("file", "FILE"),), (Option("dry-run"),)),
    Command("backup", "upkeep", "upkeep:backup", (Argument("target", "FILE"),), of_a_person=False),
    Command("backup restore", "upkeep", "upkeep:restore_backup", (Argument("file", "FILE"),), of_a_person=False),
    Command(
        "salvage", "upkeep", "upkeep:salvage", (Argument("file", "FILE"),), (Option("to", "FILE"),), of_a_person=False
    ),
    Command("verify", "upkeep", "upkeep:verify", of_a_person=False),
    Command(
        "bench retrieval",
        "upkeep",
        "bench:retrieval",
        (),
        (
            Option("dataset", "NAME"),
            Option("data", "FILE"),
            Option("pool", "POOL"),
            Option("row", "NAME"),
            Option("half", "HALF"),
            Option("limit", "N"),
            Option("html", "FILE"),
        ),
        of_a_person=False,
    ),
    Command(
        "bench assistant",
        "upkeep",
        "bench:assistant",
        (),
        (Option("script", "FILE", many=True), Option("budget", "N")),
        of_a_person=False,
    ),
    Command("demo", "upkeep", "upkeep:demo", (), (Option("fast"),), of_a_person=False),
    Command("version", "upkeep", "upkeep:version", of_a_person=False),
)
GROUPS = ("known", "recalled", "said", "learnt", "views", "tended", "doors", "upkeep")
BY_NAME = {command.name: command for command in COMMANDS}
ALIASES = {
    f"{name} list": name
    for name in ("conversations", "notes", "conflicts", "jobs", "consolidations", "keys", "links", "spaces")
}
