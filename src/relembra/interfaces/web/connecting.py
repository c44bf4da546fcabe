"""Connecting a program to this memory: what it has to be told, and whether something came in that way already."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from starlette.responses import Response

from relembra.domain.message import Message
from relembra.domain.scope import DEFAULT_TENANT
from relembra.interfaces.turns import VIA, Via
from relembra.interfaces.web import playing, talking
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import Visit

pages = Pages()

PROGRAM = "program"
WAYS = (Via.PROXY, Via.MCP, PROGRAM)
LOOKED_AT = 100
"""How many of the last messages are looked through for the way they came in."""
OWN = (talking.PREFIX, playing.DEMO)
"""How conversations begin that a page itself brought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """What programs have to be told, as they take it."""

    url: str
    needs_key: bool
    has_model: bool  # to answer behind the proxy
    stdio: str | None  # None: whoever looks may not know the paths of this machine
    mcp: str
    python: str
    heard: dict[str, datetime]  # when something last came in, by the way

    @property
    def is_complete(self) -> bool:
        return all(way in self.heard for way in WAYS)


@pages.get("/welcome/lights")
async def lights(visit: Visit) -> Response:
    """The lights alone, for a page that asks again and again."""
    return visit.page("connect_lights.html", title="", connection=await connection(visit))


async def connection(visit: Visit) -> Connection:
    url = visit.address
    needs_key = not visit.request.app.state.gate.is_open
    headers = {"X-Relembra-User": visit.user} | ({"Authorization": "Bearer rlb_…"} if needs_key else {})
    return Connection(
        url=url,
        needs_key=needs_key,
        has_model=bool(visit.request.app.state.upstreams),
        stdio=_servers(_started(visit)) if visit.caller.everywhere else None,
        mcp=_servers({"url": f"{url}/mcp", "headers": headers}),
        python=_python(visit, url, needs_key=needs_key),
        heard=heard_in(await visit.memory.messages(limit=LOOKED_AT, **visit.whose)),
    )


def heard_in(messages: list[Message]) -> dict[str, datetime]:
    """When a message last came in each way; what a page of ours brought came in none. Newest first."""
    found: dict[str, datetime] = {}
    for message in messages:
        if not message.conversation.startswith(OWN):
            found.setdefault(message.metadata.get(VIA, PROGRAM), message.saved_at)
    return found


def _started(visit: Visit) -> dict[str, object]:
    """How a client on this machine starts a server of its own on the same memory."""
    program, settings = Path(sys.executable).with_name("relembra"), visit.settings
    command, first = (str(program), []) if program.exists() else (sys.executable, ["-m", "relembra"])
    given = ["--user", visit.user]
    if settings.db:
        given = ["--db", str(Path(settings.db.removeprefix("sqlite:///")).expanduser().absolute()), *given]
    if visit.tenant != DEFAULT_TENANT:
        given += ["--tenant", visit.tenant]
    return {"command": command, "args": [*first, "mcp", *given]}


def _servers(server: dict[str, object]) -> str:
    """A server as clients list theirs, in JSON, one part a line."""
    parts = ",\n".join(f"  {json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in server.items())
    return f'{{"mcpServers": {{"relembra": {{\n{parts}\n}}}}}}'


def _python(visit: Visit, url: str, *, needs_key: bool) -> str:
    key = ', key="rlb_…"' if needs_key else ""
    user, said = (json.dumps(word, ensure_ascii=False) for word in (visit.user, visit.words("page.connect.said")))
    return (
        "from relembra.client import BlockingClient\n"
        f'memory = BlockingClient("{url}", user={user}{key})\n'
        f"memory.save(said={said})"
    )
