"""Which models see what is said, whether they run here, a test of each that really asks it, and how to set one."""

from __future__ import annotations

import asyncio
import os
import re
import time
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from importlib.util import find_spec
from urllib.parse import urlsplit

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.errors import InvalidInputError, MindError, RelembraError, UpstreamError
from relembra.interfaces.failing import plain, sentence_of
from relembra.interfaces.times import span
from relembra.interfaces.troubles import aside
from relembra.interfaces.upstream import Upstreams
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.setting_tabs import part
from relembra.interfaces.web.visits import Visit
from relembra.interfaces.words import Words
from relembra.settings import Settings
from relembra.settings_file import file_to_write

pages = Pages()

LONGEST = timedelta(seconds=60)
UPSTREAM = "upstream:"
GREETING = [{"role": "user", "content": "Reply with the word OK and nothing else."}]
TROUBLES = {401: "key", 403: "key", 404: "missing", 429: "busy", 502: "reach", 503: "busy", 504: "slow"}
SAID = (
    (re.compile(r"could not be reached|could not be connected to"), "reach"),
    (re.compile(r"did not answer within"), "slow"),
    (re.compile(r"is busy or in trouble|quota is used up|no credit left"), "busy"),
    (re.compile(r"reply that|empty .*reply|refused the |cannot be asked|not a list of|gave \d+ embeddings"), "answer"),
)
"""How the library says that a model did not answer, beside a status of its server."""
STATUS = re.compile(r"(?:answered|refused with) (?P<status>\d{3})")


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
class Provider:
    """A place to ask a language model at, and what the settings say then; a name in capitals is to be replaced."""

    name: str
    model: str
    url: str = ""
    key: str = ""  # how its keys begin; none: it needs none

    @property
    def lines(self) -> str:
        told = {"llm": self.model, "llm_url": self.url, "llm_api_key": self.key}
        return "\n".join(f'{name} = "{value}"' for name, value in told.items() if value)


PROVIDERS = (
    Provider("OpenAI", "openai:gpt-5-mini", key="sk-…"),
    Provider("Anthropic", "anthropic:claude-haiku-4-5", key="sk-ant-…"),
    Provider("Google", "google-gla:gemini-2.5-flash", key="AIza…"),
    Provider("Groq", "groq:llama-3.3-70b-versatile", key="gsk_…"),
    Provider("OpenRouter", "openrouter:openai/gpt-5-mini", key="sk-or-…"),
    Provider("Ollama", "ollama:qwen3", "http://127.0.0.1:11434/v1"),
    Provider("LM Studio", "lmstudio:MODEL", "http://127.0.0.1:1234/v1"),
    Provider("vLLM", "vllm:MODEL", "http://127.0.0.1:8000/v1"),
    Provider("", "openai:MODEL", "https://example.org/v1", "…"),  # any other that speaks OpenAI's protocol
)


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
    known = {mind.id: mind for mind in minds(visit.settings, _upstreams(visit), visit.words) if mind.can_be_tried}
    if which not in known:
        raise InvalidInputError(f"there is no model {which!r} to test", field="which")
    return _shown(visit, await tried(known[which], visit.settings, _upstreams(visit), visit.words))


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


async def tried(
    mind: Mind, settings: Settings, upstreams: Upstreams, words: Words, *, longest: timedelta = LONGEST
) -> Trial:
    """Ask a model, and how long it took or what went wrong and what to do about it, in plain words."""
    started = time.perf_counter()
    said = ""
    try:
        async with asyncio.timeout(longest.total_seconds()):
            await _ask(mind.id, settings, upstreams)
    except TimeoutError:
        said = words("page.settings.models.trouble.slow", **_set_by(mind))
    except (RelembraError, OSError) as error:
        said = why(error, mind, words)
    took = span(words, timedelta(seconds=time.perf_counter() - started))
    if said:
        return Trial(mind.id, is_good=False, said=f"{words('page.settings.models.bad', span=took)} {said}")
    return Trial(mind.id, is_good=True, said=words("page.settings.models.ok", name=mind.name, span=took))


async def _ask(which: str, settings: Settings, upstreams: Upstreams) -> None:
    from relembra.bootstrap import asked_reader, tried_matcher, tried_model, tried_offline_reader

    match which:
        case "embedder":
            await tried_model(settings)
        case "reader" if not settings.llm:
            await tried_offline_reader()
        case "reader" | "deep":
            await asked_reader(settings, deep=which == "deep")
        case "reranker":
            await tried_matcher(settings)
        case _:
            await upstreams.complete(GREETING, model=f"{which.removeprefix(UPSTREAM)}/")


def why(error: Exception, mind: Mind, words: Words) -> str:
    """What went wrong with a model, and where to look."""
    error = plain(error)
    if isinstance(error, UpstreamError):
        name = TROUBLES.get(error.status, "answer")
    elif isinstance(error, MindError):
        name = _trouble(str(error))
    else:
        return sentence_of(error, words, user="")
    told = words(f"page.settings.models.trouble.{name}", **_set_by(mind))
    return told if name != "other" else f"{told} {aside(words, str(error))}"


def _trouble(message: str) -> str:
    """Which trouble the library's sentence tells of."""
    if found := STATUS.search(message):
        status = int(found["status"])
        return TROUBLES.get(status, "busy" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "other")
    return next((name for pattern, name in SAID if pattern.search(message)), "other")


def _set_by(mind: Mind) -> dict[str, str]:
    """The settings that choose a model: its name, its address and its key."""
    if mind.what == "upstream" and mind.server != "default":
        one = f"upstreams.{mind.server}"
        return {"model": f"{one}.model", "url": f"{one}.url", "api_key": f"{one}.api_key"}
    if mind.what == "upstream":
        return {"model": "upstream_model", "url": "upstream", "api_key": "upstream_api_key"}
    kind = "embedder" if mind.what == "embedder" else "llm"
    return {"model": "llm_deep" if mind.what == "deep" else kind, "url": f"{kind}_url", "api_key": f"{kind}_api_key"}


def _shown(visit: Visit, trial: Trial | None = None) -> Response:
    return part(
        visit,
        "settings_models.html",
        minds=minds(visit.settings, _upstreams(visit), visit.words),
        trial=trial,
        providers=PROVIDERS if visit.caller.everywhere else (),
        file=str(file_to_write(os.environ)) if visit.caller.everywhere else "",
        is_missing=find_spec("pydantic_ai") is None,
    )


def _upstreams(visit: Visit) -> Upstreams:
    upstreams: Upstreams = visit.request.app.state.upstreams
    return upstreams


def _host(url: str) -> str:
    """The name of a server, without what an address may hold besides."""
    return urlsplit(url).hostname or ""


def _provider(model: str) -> str:
    return model.partition(":")[0]
