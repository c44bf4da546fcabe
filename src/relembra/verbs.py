"""Every verb of `Memory`, once: the right it needs, whom it is about, and where it is offered.

The HTTP routes, their document, the client and the MCP tools are made from these rows and from the signatures and
docstrings of `Memory`. Importing this loads nothing of the engine.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import Any

from relembra.domain.access import Right

__all__ = ["GROUPS", "NOT_OFFERED", "PARAMETERS", "VERBS", "About", "Verb", "described"]

READ, WRITE, ADMIN = Right.READ, Right.WRITE, Right.ADMIN


class About(Enum):
    """Whose memory a verb is about, which decides who may call it."""

    PERSON = auto()  # one person
    ANYONE = auto()  # one person, or for administrators everybody of the tenant
    EVERYONE = auto()  # one person, or for operators everybody of every tenant
    SPACE = auto()  # one person, or a space as a whole
    ANY_SPACE = auto()  # the same, or for administrators everybody of the tenant
    TENANT = auto()  # the tenant; no key bound to a person may call it
    INSTALLATION = auto()  # every tenant: operators only
    NOBODY = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb and where it is offered."""

    name: str
    right: Right
    route: str  # method and path below /v1
    group: str = ""
    about: About = About.PERSON
    bound: bool = True  # whether a key bound to a person may call it
    status: int = 200
    key: str = ""  # the name its answer stands under, where it is no object by itself
    positional: tuple[str, ...] = ()  # what may be given by position after what the path names
    extra: tuple[str, ...] = ()  # parameters of the route that the method has not
    hidden: tuple[str, ...] = ()  # parameters of the method that the route has not
    examples: tuple[Mapping[str, Any], ...] = ({"user": "ana"},)
    tool: tuple[str, ...] = ()  # the parameters of its MCP tool, if it is one

    @property
    def http_method(self) -> str:
        return self.route.partition(" ")[0]

    @property
    def path(self) -> str:
        return "/v1" + self.route.partition(" ")[2]

    @property
    def has_body(self) -> bool:
        """Whether its parameters stand in a JSON body; those of imports stand in the address, beside a file."""
        return self.http_method in ("POST", "PATCH") and self.group != "transfer"

    @property
    def idempotent(self) -> bool:
        """Whether it takes an Idempotency-Key: a kept reply must neither keep a secret nor open what was revoked."""
        return self.group not in ("access", "transfer")


def _verb(name: str, right: Right, route: str, **more: Any) -> Verb:
    return Verb(name=name, right=right, route=route, **more)


_ID = "0199f7a2-6c1e-7bb0-9d55-3f0c8a1e4b77"
_TENANT: dict[str, Any] = {"about": About.TENANT, "bound": False}
_OPERATOR: dict[str, Any] = {"about": About.INSTALLATION}

# fmt: off
GROUPS: dict[str, tuple[Verb, ...]] = {
    "messages": (
        _verb(
            "save", WRITE, "POST /messages", status=201,
            tool=("said", "replied", "conversation", "external_id", "author_name", "messages", "kind"),
            examples=(
                {"user": "ana", "said": "Moro em Lisboa desde março e sou alérgica a camarão.",
                 "replied": "Anotado. Quer sugestões de restaurantes?", "conversation": "viagem"},
                {"user": "ben", "said": "My sister Kate moved to Oslo.", "at": "2026-03-01T10:00:00+01:00"},
                {"user": "nora", "kind": "journal", "at": "2026-03-01T22:00:00+00:00",
                 "said": "Long day. I started at the clinic, and Maya stayed with my sister Ruth."},
                {"user": "nora", "messages": [
                    {"role": "user", "content": "We live in Bristol now.", "id": "m-1"},
                    {"role": "assistant", "content": [{"type": "text", "text": "Lovely!"}], "id": "m-2"}]},
            ),
        ),
        _verb("messages", READ, "GET /messages"),
        _verb("conversations", READ, "GET /conversations", about=About.ANYONE),
        _verb("start_conversation", WRITE, "POST /conversations", status=201,
              examples=({"user": "ana", "title": "Viagem a Portugal"},)),
        _verb("conversation", READ, "GET /conversations/{id:path}"),
        _verb("rename_conversation", WRITE, "PATCH /conversations/{id:path}", positional=("title",),
              examples=({"user": "ana", "title": "Férias em Lisboa"},)),
        _verb("delete_conversation", WRITE, "DELETE /conversations/{id:path}"),
    ),
    "knowledge": (
        _verb("list", READ, "GET /knowledge"),
        _verb(
            "add", WRITE, "POST /knowledge", status=201, positional=("content",),
            examples=(
                {"user": "ana", "content": "É alérgica a camarão.", "type": "fact", "area": "health"},
                {"user": "ben", "content": "Prefers short answers.", "type": "preference", "tags": ["style"]},
            ),
        ),
        _verb("add_many", WRITE, "POST /knowledge/many", status=201, positional=("drafts",),
              examples=({"user": "ana", "drafts": [{"content": "Torce pelo Bahia."}, {"content": "Toca violão."}]},)),
        _verb("find", READ, "GET /knowledge/find", positional=("fragment",)),
        _verb("get", READ, "GET /knowledge/{id}"),
        _verb("validate", WRITE, "POST /knowledge/{id}/validate"),
        _verb("correct", WRITE, "POST /knowledge/{id}/correct", positional=("content",),
              examples=({"user": "ana", "content": "Mora no Porto.", "why": "mudou-se em maio"},)),
        _verb("delete", WRITE, "DELETE /knowledge/{id}"),
        _verb("restore", WRITE, "POST /knowledge/{id}/restore"),
        _verb("archive", WRITE, "POST /knowledge/{id}/archive"),
        _verb("recover", WRITE, "POST /knowledge/{id}/recover"),
        _verb("keep_local", WRITE, "POST /knowledge/{id}/keep_local"),
        _verb("history", READ, "GET /knowledge/{id}/history"),
        _verb("sources", READ, "GET /knowledge/{id}/sources"),
        _verb("related", READ, "GET /knowledge/{id}/related", key="hits"),
        _verb("undo", WRITE, "POST /undo", key="undone", positional=("id",), examples=({"user": "ana", "id": _ID},)),
        _verb("forget", WRITE, "POST /forget", tool=("item", "conversation", "all", "confirm"),
              examples=({"user": "ana", "conversation": "viagem"}, {"user": "ben", "all": True})),
    ),
    "recall": (
        _verb(
            "load", READ, "POST /context", positional=("query",),
            examples=(
                {"user": "ana", "query": "onde devo jantar hoje?", "budget": 600},
                {"user": "ben", "query": "what should I get my sister?", "space": "family", "mentioned": ["kate"]},
            ),
        ),
        _verb("search", READ, "POST /search", key="hits", positional=("query",),
              examples=({"user": "ana", "query": "alergias", "area": ["health"], "limit": 3},)),
        _verb("recall", READ, "POST /recall", positional=("query",), hidden=("trace",),
              tool=("query", "kinds", "limit"), examples=({"user": "ben", "query": "what did Kate say about Oslo?"},)),
        _verb("why", READ, "POST /why", positional=("query",), extra=("limit",),
              examples=({"user": "ana", "query": "onde eu moro?"},)),
    ),
    "learning": (
        _verb("learn", WRITE, "POST /learn"),
        _verb("preview", READ, "POST /preview", positional=("text",),
              examples=({"user": "ana", "text": "Mudei de emprego, agora estou na Embraer."},)),
        _verb("usage", READ, "GET /usage", about=About.EVERYONE),
    ),
    "events": (_verb("watch", READ, "GET /events", hidden=("every",)),),
    "notes": (
        _verb("notes", READ, "GET /notes"),
        _verb("note", READ, "GET /notes/{id}"),
        _verb("note_files", READ, "GET /notes/{id}/files"),
        _verb("report", WRITE, "POST /report", status=201, key="note", positional=("kind",),
              examples=({"user": "ana", "kind": "weekly", "day": "2026-03-01"},)),
        _verb("appointment", WRITE, "POST /appointment", status=201, positional=("profession",),
              examples=({"user": "ana", "profession": "cardiologista", "language": "pt"},)),
    ),
    "views": (
        _verb("profile", READ, "GET /profile"),
        _verb("cognitive", READ, "GET /cognitive", key="traits"),
        _verb("people", READ, "GET /people", key="people"),
        _verb("minified", READ, "GET /minified"),
        _verb("me", READ, "GET /me"),
        _verb("count", READ, "GET /count"),
        _verb("over_time", READ, "GET /over_time"),
        _verb("timeline", READ, "GET /timeline"),
        _verb("insights", READ, "GET /insights"),
    ),
    "conflicts": (
        _verb("conflicts", READ, "GET /conflicts", tool=("open_only", "limit", "after")),
        _verb("conflict", READ, "GET /conflicts/{id}"),
        _verb("resolve", WRITE, "POST /conflicts/{id}/resolve", about=About.ANYONE, tool=("case", "keep"),
              examples=({"user": "ana", "keep": "new"},)),
        _verb("reopen", WRITE, "POST /conflicts/{id}/reopen", about=About.ANYONE),
    ),
    "tools": (
        _verb("tools", READ, "GET /tools", about=About.NOBODY, key="tools"),
        _verb("call_tool", READ, "POST /tools/{name}", positional=("arguments",),
              examples=({"user": "ana", "arguments": {"query": "alergias"}},
                        {"user": "ben", "arguments": '{"query": "sister", "limit": 3}'})),
        _verb("command", WRITE, "POST /command", positional=("text",),
              examples=({"user": "ana", "text": "/lembrar sou alérgica a camarão"},)),
    ),
    "nights": (
        _verb("consolidate", WRITE, "POST /consolidate", key="run"),
        _verb("consolidations", READ, "GET /consolidations", about=About.ANY_SPACE),
        _verb("consolidation", READ, "GET /consolidations/{id}", about=About.SPACE, extra=("raw",)),
        _verb("rollback", WRITE, "POST /consolidations/{id}/rollback", about=About.SPACE),
        _verb("garden", WRITE, "POST /garden", key="run"),
        _verb("garden_plan", READ, "GET /garden", key="deeds"),
        _verb("find_insights", WRITE, "POST /insights", key="run"),
    ),
    "jobs": (
        _verb("jobs", ADMIN, "GET /jobs", about=About.ANYONE, hidden=("within",)),
        _verb("failed_jobs", ADMIN, "GET /failed_jobs", about=About.NOBODY, hidden=("within",)),
        _verb("job", ADMIN, "GET /jobs/{id}", about=About.NOBODY),
        _verb("retry_job", ADMIN, "POST /jobs/{id}/retry", about=About.NOBODY),
        _verb("run_job", ADMIN, "POST /jobs/{id}/run", about=About.NOBODY),
        _verb("cancel_job", ADMIN, "DELETE /jobs/{id}", about=About.NOBODY),
        _verb("retry", ADMIN, "POST /retry", key="count", **_OPERATOR),
        _verb("settle", ADMIN, "POST /settle", key="count", examples=({"flush": True},), **_OPERATOR),
    ),
    "transfer": (
        _verb("export", READ, "GET /export", about=About.ANYONE, hidden=("target", "overwrite")),
        _verb("import_", WRITE, "POST /import", about=About.ANYONE, hidden=("source", "spaces")),
    ),
    "access": (
        _verb("keys", ADMIN, "GET /keys", extra=("every_tenant",), **_TENANT),
        _verb(
            "create_key", ADMIN, "POST /keys", status=201, positional=("name",), extra=("every_tenant",),
            examples=(
                {"name": "laptop da Ana", "right": "write", "user": "ana"},
                {"name": "dashboard", "right": "read", "expires_at": "2027-01-01T00:00:00+00:00"},
            ), **_TENANT,
        ),
        _verb("revoke_key", ADMIN, "DELETE /keys/{id}", **_TENANT),
        _verb("links", READ, "GET /links", about=About.ANYONE),
        _verb("link", ADMIN, "POST /links", bound=False, status=201, positional=("channel", "id"),
              examples=({"user": "ana", "channel": "telegram", "id": "5511987654321"},)),
        _verb("linked", ADMIN, "GET /links/{channel}/{id:path}", key="user", **_TENANT),
        _verb("unlink", ADMIN, "DELETE /links/{channel}/{id:path}", key="unlinked", **_TENANT),
        _verb("blocks", ADMIN, "GET /blocks", **_TENANT),
        _verb("block", ADMIN, "POST /block", positional=("person",), examples=({"person": "mallory"},), **_TENANT),
        _verb("unblock", ADMIN, "POST /unblock", key="unblocked", positional=("person",),
              examples=({"person": "mallory"},), **_TENANT),
        _verb("spaces", ADMIN, "GET /spaces", **_TENANT),
        _verb("switch_space", ADMIN, "POST /switch_space", positional=("space",),
              examples=({"space": "poker night", "on": False},), **_TENANT),
        _verb("switch_spaces", ADMIN, "POST /switch_spaces", key="spaces", examples=({"on": False},), **_TENANT),
        _verb("refusal", READ, "GET /refusal", key="refused"),
        _verb("users", ADMIN, "GET /users", **_TENANT),
    ),
    "upkeep": (
        _verb("stats", READ, "GET /stats", about=About.EVERYONE),
        _verb("verify", ADMIN, "POST /verify", **_OPERATOR),
        _verb("reindex", ADMIN, "POST /reindex", key="count", **_OPERATOR),
        _verb("other_models", ADMIN, "GET /other_models", key="models", **_OPERATOR),
        _verb("missing_vectors", ADMIN, "GET /missing_vectors", key="count", **_OPERATOR),
        _verb("backup", ADMIN, "GET /backup", hidden=("target",), **_OPERATOR),
    ),
}
# fmt: on

VERBS: dict[str, Verb] = {verb.name: replace(verb, group=group) for group, verbs in GROUPS.items() for verb in verbs}

NOT_OFFERED = {
    "open": "a server has one open",
    "restore_backup": "nobody may have the memory open meanwhile",
    "salvage": "the command line does it, and no server needs to run",
    "close": "a server closes its own",
    "start": "a server works in the background anyway",
    "key_of": "every request with a key asks it",
    "page_pass": "POST /enter answers with it",
    "link_pass": "the page's settings make it",
    "key_of_pass": "every page asks it",
    "end_pass": "POST /leave asks it",
    "begin_reply": "an Idempotency-Key asks it",
    "end_reply": "an Idempotency-Key asks it",
    "drop_reply": "an Idempotency-Key asks it",
    "in_words": "a recording or picture goes along in the messages that save takes",
    "queue_reply": "webhooks of chat apps ask it",
    "send_replies": "a server sends its own",
}
"""Methods of `Memory` that are no route of their own, and why."""

PARAMETERS: dict[str, str] = tomllib.loads(Path(__file__).with_name("parameters.toml").read_text("utf-8"))
"""What each parameter means, under its name or `verb.name`."""


def described(verb: Verb, parameter: str) -> str:
    return PARAMETERS.get(f"{verb.name}.{parameter}", PARAMETERS.get(parameter, ""))
