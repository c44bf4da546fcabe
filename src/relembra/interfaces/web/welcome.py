"""The first visit: the demo story, an import, a first message, and connecting a program to this memory."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from starlette.responses import Response

from relembra.domain.message import Message
from relembra.domain.scope import DEFAULT_TENANT
from relembra.interfaces.turns import VIA, Via
from relembra.interfaces.web import demo
from relembra.interfaces.web.background import STORY, BackgroundJob
from relembra.interfaces.web.talk import PREFIX
from relembra.interfaces.web.visits import Pages, Visit

pages = Pages()

MOST_OTHERS = 8


@pages.get("/welcome")
async def welcome(visit: Visit) -> Response:
    """Ways to begin, also where something is remembered already."""
    return visit.page(
        "welcome.html",
        is_empty=await is_empty(visit),
        story_here=await demo.is_here(visit.memory, visit.whose),
        connection=await connection(visit) if visit.may("write") else None,
        others=await others(visit),
    )


@pages.post("/story")
async def load(visit: Visit) -> Response:
    """Begin to load the demo story; into a memory that holds something only once that was confirmed."""
    if visit.jobs.running(STORY, owner=visit.owner) is None:
        if await demo.is_here(visit.memory, visit.whose):
            return visit.to("/", done="story_here")
        if visit.field("sure") != "yes" and not await is_empty(visit):
            return visit.page("story_sure.html")
    memory, whose, settings = visit.memory, visit.whose, visit.settings
    language, zone, now = visit.words.language, visit.zone, visit.now

    async def work(job: BackgroundJob) -> None:
        await demo.bring(
            memory, language=language, zone=zone, now=now, settings=settings, progress=job.progress, whose=whose
        )

    return visit.to(f"/progress/{visit.jobs.running_or_new(STORY, owner=visit.owner, work=work).id}")


@pages.get("/story")
async def nothing_under_way(visit: Visit) -> Response:
    """Whoever reloads what a form led to comes here."""
    return visit.to("/welcome")


@pages.post("/story/remove")
async def remove(visit: Visit) -> Response:
    """Forget what the story brought; one that is loading is waited for."""
    if (running := visit.jobs.running(STORY, owner=visit.owner)) is not None:
        return visit.to(f"/progress/{running.id}")
    await demo.take_away(visit.memory, visit.whose)
    return visit.to("/", done="story_removed")


async def others(visit: Visit) -> list[str]:
    """Some other people something is kept of, for whoever looks at an empty memory and may see theirs."""
    if visit.caller.user is not None or not visit.may("admin"):
        return []
    listing = await visit.memory.users(limit=MOST_OTHERS + 1, tenant=visit.tenant)
    return [name for name in listing if name != visit.user][:MOST_OTHERS]


async def is_empty(visit: Visit) -> bool:
    """Whether nothing is known of the person, and nothing was said."""
    if await visit.memory.list(limit=1, history=True, **visit.whose):
        return False
    return not await visit.memory.messages(limit=1, **visit.whose)


# ── connecting a program ──────────────────────────────────────────────────────────────────────────────────────────

PROGRAM = "program"
WAYS = (Via.PROXY, Via.MCP, PROGRAM)
LOOKED_AT = 100
"""How many of the last messages are looked through for the way they came in."""
OWN = (PREFIX, demo.DEMO)
"""How the ids of conversations begin that a page itself brought."""


class Connection(NamedTuple):
    """What programs have to be told, ready to copy."""

    url: str
    needs_key: bool
    has_model: bool  # to answer behind the proxy
    stdio: str | None  # None: the visitor may not know the paths of this machine
    mcp: str
    python: str
    heard: dict[str, datetime]  # when a message last came in, by the way

    @property
    def is_complete(self) -> bool:
        return all(way in self.heard for way in WAYS)


@pages.get("/welcome/lights")
async def lights(visit: Visit) -> Response:
    """The lights alone, for a page that asks again and again."""
    return visit.page("connect_lights.html", connection=await connection(visit))


async def connection(visit: Visit) -> Connection:
    url = visit.address
    needs_key = not visit.request.app.state.gate.is_open
    headers = {"X-Relembra-User": visit.user} | ({"Authorization": "Bearer rlb_…"} if needs_key else {})
    return Connection(
        url=url,
        needs_key=needs_key,
        has_model=bool(visit.upstreams),
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
