"""The first visit: a story to look at, an export to take in, or a first word. And the story taken away again."""

from __future__ import annotations

from http import HTTPStatus

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.errors import BusyError
from relembra.interfaces.web import playing
from relembra.interfaces.web.connecting import connection
from relembra.interfaces.web.errands import Errand
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.visits import Visit

pages = Pages()

KIND = "story"
MOST_OTHERS = 8


@pages.get("/welcome")
async def welcome(visit: Visit) -> Response:
    """What one may begin with, also where something is remembered already."""
    return visit.page(
        "welcome.html",
        title=visit.words("page.welcome.title"),
        is_empty=await is_empty(visit),
        story_here=await story_here(visit),
        connection=await connection(visit) if visit.may("write") else None,
        others=await others(visit),
    )


@pages.post("/story")
async def load(visit: Visit) -> Response:
    """Begin to load the demo story; into a memory that holds something only once that was said to be meant."""
    if (running := visit.errands.running(KIND, owner=visit.owner)) is not None:
        return visit.to(f"/story/{running.id}")
    if await story_here(visit):
        return visit.to("/", done="story_here")
    if visit.field("sure") != "yes" and not await is_empty(visit):
        return visit.page("story_sure.html", title=visit.words("page.welcome.sure.title"))
    memory, whose, settings = visit.memory, visit.whose, visit.settings
    language, zone, now = visit.words.language, visit.zone, visit.now

    async def work(errand: Errand) -> None:
        await playing.bring(
            memory, language=language, zone=zone, now=now, settings=settings, progress=errand.progress, whose=whose
        )

    try:
        errand = visit.errands.start(KIND, owner=visit.owner, work=work)
    except BusyError as error:
        if (running := visit.errands.running(KIND, owner=visit.owner)) is not None:  # begun in this moment
            return visit.to(f"/story/{running.id}")
        said = visit.sentence(error)
        return visit.page("error.html", status=HTTPStatus.CONFLICT, title=visit.words("page.trouble"), said=said)
    return visit.to(f"/story/{errand.id}")


@pages.get("/story/{id}", Right.WRITE)
async def progress(visit: Visit) -> Response:
    """How far the story is; once it is there, on to the memory."""
    errand = await visit.errands.get(visit.id, owner=visit.owner)
    if errand.state == "done":
        if "hx-request" in visit.request.headers and "hx-boosted" not in visit.request.headers:
            return Response(headers={"HX-Redirect": "/?done=story"})
        return visit.to("/", done="story")
    return visit.page(
        "story.html",
        title=visit.words("page.welcome.loading"),
        errand=errand,
        failed=visit.sentence(errand.error) if errand.error is not None else "",
    )


@pages.get("/story")
async def nothing_under_way(visit: Visit) -> Response:
    """Whoever reloads what a form led to comes here."""
    return visit.to("/welcome")


@pages.post("/story/remove")
async def remove(visit: Visit) -> Response:
    """Forget what the story brought; one on its way is waited for."""
    if (running := visit.errands.running(KIND, owner=visit.owner)) is not None:
        return visit.to(f"/story/{running.id}")
    await playing.take_away(visit.memory, visit.whose)
    return visit.to("/", done="story_removed")


async def others(visit: Visit) -> list[str]:
    """Some people something is kept of, for whoever looks at an empty memory and may see theirs."""
    if visit.caller.user is not None or not visit.may("admin"):
        return []
    listing = await visit.memory.users(limit=MOST_OTHERS + 1, tenant=visit.tenant)
    return [name for name in listing if name != visit.user][:MOST_OTHERS]


async def story_here(visit: Visit) -> bool:
    """Whether this memory holds the demo story."""
    return await playing.is_here(visit.memory, visit.whose)


async def is_empty(visit: Visit) -> bool:
    """Whether nothing is known of the person, and nothing was said."""
    if await visit.memory.list(limit=1, history=True, **visit.whose):
        return False
    return not await visit.memory.messages(limit=1, **visit.whose)
