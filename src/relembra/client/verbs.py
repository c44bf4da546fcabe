"""The verbs of a memory, each as one request to its server; how a request is sent is left to the clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from relembra.errors import InvalidInputError

__all__ = ["Json", "Request", "Verbs"]

SEVERAL = frozenset({"area", "kinds", "mentioned", "source", "speakers", "tags", "type"})

Json = dict[str, Any]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    query: Json
    body: Json | None
    headers: dict[str, str] = field(default_factory=dict)
    writes: bool = False


class Verbs(Generic[Answer]):
    """Every verb as one request; how it is sent is left to those that have them.

    `user` may be left out where the key is bound to a person or the client was given one. `more` is whatever else the
    route takes; docs/http.md and /docs on the server list it.
    """

    def __init__(self, *, user: str | None) -> None:
        self._user = user

    def _send(self, request: Request) -> Answer:
        raise NotImplementedError

    def save(
        self,
        *,
        said: str | None = None,
        replied: str | None = None,
        messages: Sequence[Mapping[str, Any]] | None = None,
        conversation: str | None = None,
        user: str | None = None,
        **more: Any,
    ) -> Answer:
        """Keep what was said, what was replied, both, or a list of messages; durable on return."""
        more["messages"] = None if messages is None else [_plain(dict(message)) for message in messages]
        return self._post("/v1/messages", user, more, said=said, replied=replied, conversation=conversation)

    def messages(self, *, user: str | None = None, **more: Any) -> Answer:
        """What was said, newest first; `after` takes the `next` of the page before."""
        return self._get("/v1/messages", user, more)

    def load(
        self,
        query: str | None = None,
        *,
        budget: int | None = None,
        conversation: str | None = None,
        user: str | None = None,
        **more: Any,
    ) -> Answer:
        """The few lines that matter now, within a budget of tokens; `text` is what to put before the assistant."""
        return self._ask("/v1/context", user, more, query=query, budget=budget, conversation=conversation)

    def search(self, query: str, *, limit: int | None = None, user: str | None = None, **more: Any) -> Answer:
        """The items that answer best, each with its score and why."""
        return self._ask("/v1/search", user, more, query=query, limit=limit)

    def recall(self, query: str, *, limit: int | None = None, user: str | None = None, **more: Any) -> Answer:
        """What answers a question: items, notes and messages."""
        return self._ask("/v1/recall", user, more, query=query, limit=limit)

    def add(self, content: str, *, user: str | None = None, **more: Any) -> Answer:
        """Make something known."""
        return self._post("/v1/knowledge", user, more, content=content)

    def list(self, *, user: str | None = None, **more: Any) -> Answer:
        """What is known, newest first; `after` takes the `next` of the page before."""
        return self._get("/v1/knowledge", user, more)

    def get(self, id: str, *, user: str | None = None) -> Answer:
        """One item, deleted or superseded ones too."""
        return self._get(f"/v1/knowledge/{_part(id)}", user, {})

    def validate(self, id: str, *, version: int | None = None, user: str | None = None) -> Answer:
        """Confirm an item; with `version` only if nobody changed it since."""
        return self._post(f"/v1/knowledge/{_part(id)}/validate", user, {}, version=version)

    def correct(
        self, id: str, content: str, *, why: str | None = None, version: int | None = None, user: str | None = None
    ) -> Answer:
        """Put a right item in the place of a wrong one."""
        return self._post(f"/v1/knowledge/{_part(id)}/correct", user, {"content": content, "why": why}, version=version)

    def delete(self, id: str, *, why: str | None = None, version: int | None = None, user: str | None = None) -> Answer:
        """Hide an item; `undo` brings it back."""
        query = self._whose(user, {"why": why})
        return self._send(Request("DELETE", f"/v1/knowledge/{_part(id)}", query, None, _headers(version), True))

    def undo(self, id: str, *, user: str | None = None) -> Answer:
        """Take back a change: by its id, or the last one of an item or conversation."""
        return self._post("/v1/undo", user, {}, id=id)

    def forget(
        self,
        *,
        item: str | None = None,
        conversation: str | None = None,
        all: bool = False,
        dry_run: bool = False,
        user: str | None = None,
    ) -> Answer:
        """Remove for good one item, one conversation, or everything of a person; `dry_run`: only say what would go."""
        what = {"item": item, "conversation": conversation, "all": all or None, "dry_run": dry_run or None}
        return self._post("/v1/forget", user, what)

    def conflicts(self, *, user: str | None = None, **more: Any) -> Answer:
        """What cannot both be so, newest first."""
        return self._get("/v1/conflicts", user, more)

    def resolve(self, id: str, *, keep: str, user: str | None = None) -> Answer:
        """The person's answer to a case: keep "new", "old", "both" or "neither"."""
        return self._post(f"/v1/conflicts/{_part(id)}/resolve", user, {}, keep=keep)

    def notes(self, *, user: str | None = None, **more: Any) -> Answer:
        """What happened, newest first."""
        return self._get("/v1/notes", user, more)

    def profile(self, *, language: str | None = None, user: str | None = None, **more: Any) -> Answer:
        """Who the person is, in six sections."""
        return self._get("/v1/profile", user, more, language=language)

    def _get(self, path: str, user: str | None, more: Json, **parts: Any) -> Answer:
        return self._send(Request("GET", path, self._whose(user, parts | more), None))

    def _ask(self, path: str, user: str | None, more: Json, **parts: Any) -> Answer:
        several = {name: [part] if name in SEVERAL and isinstance(part, str) else part for name, part in more.items()}
        return self._send(Request("POST", path, {}, self._whose(user, parts | several)))

    def _post(self, path: str, user: str | None, more: Json, *, version: int | None = None, **parts: Any) -> Answer:
        return self._send(Request("POST", path, {}, self._whose(user, parts | more), _headers(version), True))

    def _whose(self, user: str | None, parts: Json) -> Json:
        return _plain({"user": self._user if user is None else user} | parts)


def _part(id: str) -> str:
    """An id as one part of a path, whatever is in it."""
    if not id.strip("."):
        raise InvalidInputError(f"{id!r} is no id", field="id")
    return quote(id, safe="")


def _plain(parts: Json) -> Json:
    """What is not None, moments as text."""
    given = {name: part for name, part in parts.items() if part is not None}
    return {name: part.isoformat() if isinstance(part, date) else part for name, part in given.items()}


def _headers(version: int | None) -> dict[str, str]:
    return {} if version is None else {"If-Match": f'"{version}"'}
