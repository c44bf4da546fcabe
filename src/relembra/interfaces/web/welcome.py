"""Signing in, choosing a memory, display preferences; and the first visit with its ways to begin."""

from __future__ import annotations

import json
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from starlette.responses import Response

from relembra.domain.access import Right, Standing, read_pass, standing
from relembra.domain.scope import DEFAULT_TENANT
from relembra.domain.text import checked_name
from relembra.errors import InvalidInputError
from relembra.interfaces import stories
from relembra.interfaces.http.callers import Gate
from relembra.interfaces.web.background import BackgroundJob
from relembra.interfaces.web.visits import PASS, THEMES, Visit, get, here, post
from relembra.keys import PAGE_PASS
from relembra.locale import LANGUAGES
from relembra.settings import is_server, shown_db

# ── signing in ────────────────────────────────────────────────────────────────────────────────────────────────────────

MOST_NAMES = 60
"""How many people are named to choose from."""


@get("/enter", right=None)
async def enter(visit: Visit) -> Response:
    """The form for a key; or, come by a link, the button that uses it, so that a link preview uses up none.

    Whoever is in already goes on, also by the link they came in by.
    """
    carried, there = visit.asked("pass"), here(visit.asked("next") or visit.field("next"))
    link, prefix = read_pass(carried), await _prefix_in_use(visit)
    if not visit.wrong and prefix and (not carried or (link is not None and link[1] == prefix)):
        return visit.to(there)
    return visit.page("enter.html", by_link=carried, next=there)


@post("/enter", right=None)
async def entered(visit: Visit) -> Response:
    gate: Gate = visit.request.app.state.gate
    there = here(visit.field("next"))
    carried = await visit.memory.page_pass(visit.field("key") or visit.field("pass"))
    if carried is None:
        gate.guessed(visit.request.client.host if visit.request.client else None)
        if visit.field("pass") and await _prefix_in_use(visit):
            return visit.to(there)
        visit.wrong = visit.words("page.enter.wrong_link" if visit.field("pass") else "page.enter.wrong_key")
        visit.status = HTTPStatus.UNAUTHORIZED
        return await enter(visit)
    await visit.sign_out()  # of whatever this browser was in before
    visit.new_cookies[PASS] = (carried, int(PAGE_PASS.total_seconds()), "lax")
    return visit.to(there)


@post("/leave", right=None)
async def leave(visit: Visit) -> Response:
    await visit.sign_out()
    visit.look(user="")
    return visit.to("/enter", done="left")


@post("/looks", right=None)
async def looks(visit: Visit) -> Response:
    """The language, the clock, light or dark."""
    known = {"language": LANGUAGES, "theme": THEMES, "zone": available_timezones()}
    for name in known.keys() & visit.form.keys():
        word = visit.field(name)
        if word and word not in known[name]:
            raise InvalidInputError(f"there is no {name} {word!r}", field=name)
        visit.look(**{name: word})
    return visit.back(done=visit.field("said"))


@get("/whose")
async def choosing(visit: Visit) -> Response:
    """Whose memory may be opened; with `new`, a name nobody has yet."""
    there, new = here(visit.asked("next")), visit.asked("new")
    if visit.caller.user is not None:
        return visit.to(there)
    if new:
        checked_name(new, "user")
    names = list(await visit.memory.users(limit=MOST_NAMES, tenant=visit.tenant)) if visit.may("admin") else []
    return visit.page("whose.html", names=names, is_all=len(names) < MOST_NAMES, new=new, next=there)


@post("/whose", right=Right.READ)
async def whose(visit: Visit) -> Response:
    """Choose a memory, for callers who may open more than one; a new one is confirmed first."""
    user, there = visit.field("user"), here(visit.field("next"))
    if user:
        checked_name(user, "user")
        stats = await visit.memory.stats(**visit.caller.whose(user))
        is_known = any((*stats.items.values(), stats.messages, stats.conversations, stats.notes))
        if user != visit.caller.usual and visit.field("sure") != "yes" and not is_known:
            return visit.to("/whose", new=user, next="" if there == "/" else there)
    visit.look(user=user)
    return visit.to(there)


async def _prefix_in_use(visit: Visit) -> str:
    """The prefix of the key behind the browser's pass; empty where it opens nothing any more."""
    carried = visit.request.cookies.get(PASS)
    key = None if carried is None else await visit.memory.key_of_pass(carried)
    return key.prefix if key is not None and standing(key, visit.now) is Standing.VALID else ""


# ── the first visit ───────────────────────────────────────────────────────────────────────────────────────────────────

STORY = "story"


@get("/welcome")
async def welcome(visit: Visit) -> Response:
    """Ways to begin, also where something is remembered already."""
    story_here = await stories.is_here(visit.memory, visit.whose)
    return visit.page("welcome.html", story_here=story_here, **await beginnings(visit, is_empty=await is_empty(visit)))


async def beginnings(visit: Visit, *, is_empty: bool) -> dict[str, Any]:
    """What the page says of ways to begin: to connect a program, or to look at the memory of somebody else."""
    parts: dict[str, Any] = {"is_empty": is_empty, "others": (), "connection": None}
    if is_empty and visit.caller.user is None and visit.may("admin"):
        listing = await visit.memory.users(limit=9, tenant=visit.tenant)
        parts["others"] = [name for name in listing if name != visit.user][:8]
    if visit.may("write"):
        parts["connection"] = connection(visit)
    return parts


@post("/story")
async def load(visit: Visit) -> Response:
    """Begin to load the demo story; into a memory that holds something only once that was confirmed."""
    if visit.jobs.running(STORY, owner=visit.owner) is None:
        if await stories.is_here(visit.memory, visit.whose):
            return visit.to("/", done="story_here")
        if visit.field("sure") != "yes" and not await is_empty(visit):
            return visit.page("story_sure.html")
    memory, whose, settings = visit.memory, visit.whose, visit.settings
    language, now = visit.words.language, visit.now.astimezone(visit.zone)

    async def work(job: BackgroundJob) -> str:
        await stories.bring(memory, language=language, now=now, settings=settings, progress=job.progress, whose=whose)
        return "/?done=story"

    job = visit.jobs.start(STORY, owner=visit.owner, work=work, joins=True)
    return visit.to(f"/progress/{job.id}")


@post("/story/remove")
async def remove(visit: Visit) -> Response:
    """Forget what the story brought; one that is loading is waited for."""
    if (running := visit.jobs.running(STORY, owner=visit.owner)) is not None:
        return visit.to(f"/progress/{running.id}")
    await stories.take_away(visit.memory, visit.whose)
    return visit.to("/", done="story_removed")


async def is_empty(visit: Visit) -> bool:
    """Whether nothing is known of the person, and nothing was said."""
    if await visit.memory.list(limit=1, history=True, **visit.whose):
        return False
    return not await visit.memory.messages(limit=1, **visit.whose)


def connection(visit: Visit) -> dict[str, Any]:
    """What programs have to be told, ready to copy; the paths of this machine for operators alone."""
    url, needs_key = visit.address, not visit.request.app.state.gate.is_open
    headers = {"X-Relembra-User": visit.user} | ({"Authorization": "Bearer rlb_…"} if needs_key else {})
    key = ', key="rlb_…"' if needs_key else ""
    user, said = (json.dumps(word, ensure_ascii=False) for word in (visit.user, visit.words("page.connect.said")))
    client = f'memory = BlockingClient("{url}", user={user}{key})\nmemory.save(said={said})'
    return {
        "url": url,
        "needs_key": needs_key,
        "has_model": bool(visit.upstreams),  # to answer behind the proxy
        "stdio": _servers(_started(visit)) if visit.caller.everywhere else None,
        "mcp": _servers({"url": f"{url}/mcp", "headers": headers}),
        "python": f"from relembra.client import BlockingClient\n{client}",
    }


def _started(visit: Visit) -> dict[str, object]:
    """How a client on this machine starts a server of its own on the same memory."""
    program, settings = Path(sys.executable).with_name("relembra"), visit.settings
    command, first = (str(program), []) if program.exists() else (sys.executable, ["-m", "relembra"])
    given = ["--user", visit.user]
    if is_server(settings.db):
        given = ["--db", shown_db(settings.db), *given]  # whose password is the reader's to add
    elif settings.db:
        given = ["--db", str(Path(settings.db.removeprefix("sqlite:///")).expanduser().absolute()), *given]
    if visit.tenant != DEFAULT_TENANT:
        given += ["--tenant", visit.tenant]
    return {"command": command, "args": [*first, "mcp", *given]}


def _servers(server: dict[str, object]) -> str:
    """A server as clients list theirs, in JSON, one part a line."""
    parts = ",\n".join(f"  {json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in server.items())
    return f'{{"mcpServers": {{"relembra": {{\n{parts}\n}}}}}}'
