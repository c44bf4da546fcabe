"""Which models see what is said, whether they run here, and a test of each that really asks it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.errors import InvalidInputError, MindError, RelembraError, UpstreamError
from relembra.interfaces.failing import plain
from relembra.interfaces.times import span
from relembra.interfaces.troubles import aside, trouble
from relembra.interfaces.upstream import Upstreams
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.setting_tabs import part
from relembra.interfaces.web.visits import Visit
from relembra.interfaces.words import Words
from relembra.settings import Settings

pages = Pages()

LONGEST = timedelta(seconds=60)
UPSTREAM = "upstream:"
GREETING = [{"role": "user", "content": "Reply with the word OK and nothing else."}]
TROUBLES = {401: "key", 403: "key", 404: "missing", 429: "busy"}


@dataclass(frozen=True, slots=True)
class Mind:
    """A model that is set, or what stands in its place."""

    id: str
    what: str  # of its sentence
    name: str
    is_here: bool
    host: str = ""  # where it is asked, if elsewhere
    server: str = ""  # an upstream's name
    can_be_tried: bool = True


@dataclass(frozen=True, slots=True)
class Trial:
    """How a test went."""

    id: str
    is_good: bool
    said: str


@pages.get("/settings/models")
async def models(visit: Visit) -> Response:
    return _shown(visit)


@pages.post("/settings/models", Right.ADMIN)
async def test(visit: Visit) -> Response:
    """Ask one of the models, whatever that costs; for whoever runs the installation."""
    visit.caller.must_operate()
    which = visit.field("which")
    known = {mind.id for mind in minds(visit.settings, _upstreams(visit), visit.words) if mind.can_be_tried}
    if which not in known:
        raise InvalidInputError(f"there is no model {which!r} to test", field="which")
    return _shown(visit, await tried(which, visit.settings, _upstreams(visit), visit))


def minds(settings: Settings, upstreams: Upstreams, words: Words) -> list[Mind]:
    """Everything that reads what is said or asked, with where it runs; never a key."""
    from relembra.bootstrap import outside_minds

    fast = outside_minds(replace(settings, llm_deep=""))
    outside = outside_minds(settings)
    reader = Mind(
        "reader",
        "reader",
        settings.llm or words("page.settings.models.rules"),
        not fast.reader,
        _host(settings.llm_url) or _provider(settings.llm),
    )
    found = [reader]
    if settings.llm and settings.llm_deep and settings.llm_deep != settings.llm:
        found.append(Mind("deep", "deep", settings.llm_deep, not outside.night, _provider(settings.llm_deep)))
    kind = settings.embedder.partition(":")[0]
    named = {"offline": "page.settings.models.shipped", "folder": "page.settings.models.folder"}
    embedder = words(named[kind]) if kind in named else settings.embedder
    found.append(Mind("embedder", "embedder", embedder, not outside.embedder, _host(settings.embedder_url)))
    orderer = {"off": words("page.settings.models.nobody"), "match": words("page.settings.models.shipped")}
    found.append(
        Mind(
            "reranker",
            "reranker",
            orderer.get(settings.reranker, settings.llm),
            not fast.matcher,
            reader.host,
            can_be_tried=settings.reranker != "off",
        )
    )
    found += [
        Mind(
            f"{UPSTREAM}{one.name}",
            "upstream",
            one.model or words("page.settings.models.any"),
            one.local,
            one.host,
            one.name,
        )
        for one in upstreams
    ]
    return found


async def tried(which: str, settings: Settings, upstreams: Upstreams, visit: Visit) -> Trial:
    """Ask a model, and how long it took or what went wrong, in plain words."""
    words, started = visit.words, time.perf_counter()
    try:
        async with asyncio.timeout(LONGEST.total_seconds()):
            await _ask(which, settings, upstreams)
    except TimeoutError:
        return Trial(which, is_good=False, said=words("page.settings.models.slow", span=span(words, LONGEST)))
    except (RelembraError, OSError) as error:
        took = span(words, timedelta(seconds=time.perf_counter() - started))
        said = f"{words('page.settings.models.bad', span=took)} {why(error, visit)}"
        return Trial(which, is_good=False, said=said)
    took = span(words, timedelta(seconds=time.perf_counter() - started))
    return Trial(which, is_good=True, said=words("page.settings.models.ok", span=took))


async def _ask(which: str, settings: Settings, upstreams: Upstreams) -> None:
    from relembra.bootstrap import asked_reader, tried_judges, tried_matcher, tried_model

    match which:
        case "embedder":
            await tried_model(settings)
        case "reader" if not settings.llm:
            await tried_judges()
        case "reader" | "deep":
            await asked_reader(settings, deep=which == "deep")
        case "reranker":
            await tried_matcher(settings)
        case _:
            await upstreams.complete(GREETING, model=f"{which.removeprefix(UPSTREAM)}/")


def why(error: Exception, visit: Visit) -> str:
    """What went wrong with a model, and where to look."""
    words, error = visit.words, plain(error)
    if isinstance(error, UpstreamError):
        if (name := TROUBLES.get(error.status)) is None:
            name = "reach" if error.status in (HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT) else "reply"
        return words(f"page.settings.models.trouble.{name}", status=error.status)
    said = visit.sentence(error)
    if isinstance(error, MindError) and trouble(words, str(error)) is None:
        said += " " + aside(words, str(error))
    return said


def _shown(visit: Visit, trial: Trial | None = None) -> Response:
    found = minds(visit.settings, _upstreams(visit), visit.words)
    return part(visit, "settings_models.html", minds=found, trial=trial)


def _upstreams(visit: Visit) -> Upstreams:
    upstreams: Upstreams = visit.request.app.state.upstreams
    return upstreams


def _host(url: str) -> str:
    """The name of a server, without what an address may hold besides."""
    return urlsplit(url).hostname or ""


def _provider(model: str) -> str:
    return model.partition(":")[0]
