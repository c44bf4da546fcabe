"""The settings: display, data, linked accounts, models; for administrators keys, who is blocked, and the server."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit
from zoneinfo import available_timezones

from starlette.responses import Response

from relembra.domain.access import EVERY_TENANT, BlockKind, NewKey, Right, Standing, standing
from relembra.domain.policy import KNOBS, LIFE, PRESETS, overridden, preset
from relembra.errors import InvalidInputError, MindError, NotFoundError, RelembraError, SettingsError, UpstreamError
from relembra.interfaces.failures import aside, plain, sentence_of
from relembra.interfaces.http.routes import unbound
from relembra.interfaces.times import span
from relembra.interfaces.upstream import Upstreams
from relembra.interfaces.web.background import PRESSED_TWICE, Once
from relembra.interfaces.web.filters import DAY, read_day, start_of
from relembra.interfaces.web.visits import THEMES, Pages, Visit
from relembra.keys import LINK_PASS
from relembra.locale import LANGUAGES, Words
from relembra.settings import Settings, file_to_write, held_in, overriding, write_settings

pages = Pages()

UNFIT = HTTPStatus.UNPROCESSABLE_ENTITY


# ── display, data and accounts ────────────────────────────────────────────────────────────────────────────────────

REGIONS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
"""What names of time zones begin with; other names are old ones for the same."""


@cache
def zones() -> dict[str, list[str]]:
    """The time zones by region."""
    found: dict[str, list[str]] = {region: [] for region in (*REGIONS, "UTC")}
    for name in sorted(available_timezones()):
        region, _, place = name.partition("/")
        if region in found and (place or name == "UTC"):
            found[region].append(name)
    return {region: names for region, names in found.items() if names}


@pages.get("/settings")
async def display(visit: Visit) -> Response:
    """The language, the time zone and the colours, for this browser alone; `/looks` keeps them."""
    return visit.page("settings.html", languages=LANGUAGES, themes=THEMES, zones=zones())


@pages.get("/settings/accounts")
async def accounts(visit: Visit) -> Response:
    return visit.page("settings_accounts.html", links=await visit.memory.links(**visit.whose))


@pages.post("/settings/accounts")
async def unlink(visit: Visit) -> Response:
    """Unlink an account of one's own; another's is not there."""
    channel, id = visit.field("channel"), visit.field("id")
    held = await visit.memory.links(**visit.whose)
    if not any((link.channel, link.id) == (channel, id) for link in held):
        raise NotFoundError("account", id)
    await visit.memory.unlink(channel, id, tenant=visit.tenant)
    return visit.to("/settings/accounts", done="unlinked")


# ── people and spaces that are not remembered ─────────────────────────────────────────────────────────────────────


@pages.get("/settings/blocked", Right.ADMIN)
async def blocked(visit: Visit) -> Response:
    unbound(visit.caller)
    return await _blocked(visit)


@pages.post("/settings/blocked", Right.ADMIN)
async def block(visit: Visit) -> Response:
    """Block or unblock a person, or switch the memory of a space on or off."""
    unbound(visit.caller)
    memory, name, what = visit.memory, visit.field("name"), visit.field("what")
    try:
        match what:
            case "block":
                await memory.block(name, tenant=visit.tenant)
            case "unblock":
                await memory.unblock(name, tenant=visit.tenant)
            case "space_on" | "space_off":
                await memory.switch_space(name, on=what == "space_on", tenant=visit.tenant)
            case _:
                raise InvalidInputError(f"there is no {what!r} to do", field="what")
    except InvalidInputError as error:
        return await _blocked(visit, wrong={"what": what, "name": name, "said": visit.sentence(error)}, status=UNFIT)
    return visit.to("/settings/blocked", done={"block": "blocked", "unblock": "unblocked"}.get(what, what))


async def _blocked(visit: Visit, *, wrong: dict[str, str] | None = None, status: int = HTTPStatus.OK) -> Response:
    blocks = await visit.memory.blocks(tenant=visit.tenant)
    return visit.page(
        "settings_blocked.html",
        status=status,
        blocked=[block for block in blocks if block.kind is BlockKind.PERSON],
        spaces=await visit.memory.spaces(tenant=visit.tenant),
        has_fixed=any(block.by_settings for block in blocks),
        wrong=wrong or {"what": "", "name": "", "said": ""},
    )


# ── the server ────────────────────────────────────────────────────────────────────────────────────────────────────

NAMES = ("language", "timezone", "preset")
USUAL = Settings()


class Number(NamedTuple):
    """A number of the policy, and what it is in the usual one."""

    name: str
    value: Any
    usual: Any
    is_own: bool  # the settings file says it


@pages.get("/settings/server", Right.ADMIN)
async def server(visit: Visit) -> Response:
    visit.caller.must_operate()
    return await _server(visit)


@pages.post("/settings/server", Right.ADMIN)
async def change_server(visit: Visit) -> Response:
    visit.caller.must_operate()
    allowed = {"language": ("", *LANGUAGES), "preset": tuple(PRESETS)}
    try:
        path = file_to_write(os.environ)
        filed = await asyncio.to_thread(_filed, path)
        chosen = {name: visit.field(name) for name in NAMES if name in visit.form and visit.field(name) != filed[name]}
        for name, word in chosen.items():
            if word not in allowed.get(name, (word,)):
                raise InvalidInputError(f"there is no {name} {word!r}", field=name)
        if chosen:
            await asyncio.to_thread(write_settings, path, chosen)
    except (InvalidInputError, SettingsError) as error:
        return await _server(visit, wrong=visit.sentence(error), status=UNFIT)
    return visit.to("/settings/server", done="server_saved" if chosen else "saved")


def _filed(path: Path) -> dict[str, str]:
    """What the settings file says, or leaves as usual."""
    held = held_in(path)
    return {name: str(held.get(name, getattr(USUAL, name))) for name in NAMES}


async def _server(visit: Visit, *, wrong: str = "", status: int = HTTPStatus.OK) -> Response:
    from relembra.bootstrap import system_language

    path, running = Path(), visit.settings
    filed = {name: str(getattr(running, name)) for name in NAMES}
    try:
        path = file_to_write(os.environ)
        filed = await asyncio.to_thread(_filed, path)
    except SettingsError as error:
        wrong = wrong or visit.sentence(error)
    typed = {name: visit.field(name) for name in NAMES} if wrong and visit.form else filed
    preset_shown = visit.asked("preset") if visit.asked("preset") in PRESETS else running.preset
    empty = {"language": system_language()}  # what an empty setting stands for

    def later(name: str) -> bool:
        usual = empty.get(name, "")
        return (filed[name] or usual) != (str(getattr(running, name)) or usual)

    return visit.page(
        "settings_server.html",
        status=status,
        path=str(path.absolute()) if path != Path() else "",
        typed=typed,
        later={name: filed[name] for name in NAMES if later(name)},
        winning={name: variable for name in NAMES for variable in overriding(os.environ, name)},
        running=running,
        presets=list(PRESETS),
        preset_shown=preset_shown,
        policy=numbers(preset_shown, running.policy),
        shown=lambda value: shown(value, visit.words),
        languages=LANGUAGES,
        zones=zones(),
        wrong=wrong,
    )


def numbers(name: str, own: dict[str, dict[str, Any]]) -> dict[str, list[Number]]:
    """Every settable number of a preset with what the settings file changes, by part of the policy."""
    chosen = overridden(preset(name), own)
    found: dict[str, list[Number]] = {}
    for part, field in (knob.split(".", 1) for knob in KNOBS):
        value, usual = (getattr(getattr(policy, part), field) for policy in (chosen, LIFE))
        found.setdefault(part, []).append(Number(field, value, usual, field in own.get(part, {})))
    return found


def shown(value: Any, words: Words) -> str:
    """A number of the policy as people write it."""
    match value:
        case bool():
            return words("page.settings.yes" if value else "page.settings.no")
        case timedelta():
            return span(words, value)
        case int():
            return words.whole(value)
        case float():
            return words.number(value, 6).rstrip("0").rstrip(".,")
    return str(value)


# ── keys and sign-in links ────────────────────────────────────────────────────────────────────────────────────────

MOST_NAMED = 100
FIELDS = ("name", "right", "user", "every", "expires")


class MadeLink(NamedTuple):
    user: str
    address: str
    ends: datetime


@dataclass(slots=True)
class Fresh:
    """What a form made; its secret may be shown until a moment, for whoever pressed twice."""

    made: NewKey | MadeLink | None
    until: datetime

    def hide(self) -> None:
        self.made = None


@pages.get("/settings/keys", Right.ADMIN)
async def keys(visit: Visit) -> Response:
    unbound(visit.caller)
    return await _keys(visit)


@pages.post("/settings/keys", Right.ADMIN)
async def make_key(visit: Visit) -> Response:
    """A key, or with `what` a sign-in link; a form that comes again makes no other."""
    unbound(visit.caller)
    once: Once = visit.request.app.state.once

    async def work() -> Fresh:
        made = await (_link(visit) if visit.field("what") == "link" else _key(visit))
        fresh = Fresh(made, visit.now + PRESSED_TWICE)
        asyncio.get_running_loop().call_later(PRESSED_TWICE.total_seconds(), fresh.hide)
        return fresh

    try:
        fresh = await once.done(visit.form_key(*map(visit.field, ("what", *FIELDS))), work)
    except InvalidInputError as error:
        return await _keys(visit, wrong=_wrong(visit, error), status=UNFIT)
    made = fresh.made if visit.now < fresh.until else None
    return await _keys(visit, made=made, is_over=made is None)


@pages.post("/settings/keys/revoke", Right.ADMIN)
async def revoke(visit: Visit) -> Response:
    unbound(visit.caller)
    await visit.memory.revoke_key(visit.field("id"), tenant=None if visit.caller.everywhere else visit.tenant)
    return visit.to("/settings/keys", done="revoked")


async def _key(visit: Visit) -> NewKey:
    every = visit.field("every") == "yes"
    if every:
        visit.caller.must_operate()
    return await visit.memory.create_key(
        visit.field("name"),
        right=visit.field("right") or Right.WRITE,
        user=visit.field("user") or None,
        expires_at=_end_of(visit.field("expires"), visit),
        tenant=EVERY_TENANT if every else visit.tenant,
    )


async def _link(visit: Visit) -> MadeLink:
    user, right = visit.field("user"), visit.field("right") or Right.WRITE
    carried = await visit.memory.link_pass(user, user=user, right=right, tenant=visit.tenant)
    return MadeLink(user, f"{visit.address}/enter?{urlencode({'pass': carried})}", visit.now + LINK_PASS)


def _end_of(text: str, visit: Visit) -> datetime | None:
    """When a last day is over, by the reader's clock."""
    day = read_day(text, field="expires")
    ends = None if day is None else start_of(day + DAY, visit.zone)
    if ends is not None and ends <= visit.now:
        raise InvalidInputError(f"{text} is past", field="expires_at")
    return ends


def _wrong(visit: Visit, error: InvalidInputError) -> dict[str, str]:
    """What is wrong with which field."""
    is_link = visit.field("what") == "link"
    dates = {"expires_at": "page.settings.keys.expires.past", "expires": "page.settings.keys.expires.wrong"}
    if error.field in dates:
        return {"expires": visit.words(dates[error.field])}
    known = {"tenant": "user", "right": "right", "user": "user", "name": "user" if is_link else "name"}
    return {known.get(error.field or "", "user" if is_link else "name"): visit.sentence(error)}


async def _keys(
    visit: Visit,
    *,
    made: NewKey | MadeLink | None = None,
    is_over: bool = False,
    wrong: dict[str, str] | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    held = await visit.memory.keys(tenant=None if visit.caller.everywhere else visit.tenant)
    return visit.page(
        "settings_keys.html",
        status=status,
        good=[key for key in held if standing(key, visit.now) is Standing.VALID],
        over=[key for key in held if standing(key, visit.now) is not Standing.VALID],
        standing=lambda key: standing(key, visit.now),
        people=tuple(await visit.memory.users(limit=MOST_NAMED, tenant=visit.tenant)),
        rights=list(Right),
        every_tenant=EVERY_TENANT,
        made=made if isinstance(made, NewKey) else None,
        link=made if isinstance(made, MadeLink) else None,
        is_over=is_over,
        wrong=wrong or {},
        wrong_link=bool(wrong) and visit.field("what") == "link",
        typed={name: visit.field(name) if wrong else "" for name in FIELDS},
    )


# ── models ────────────────────────────────────────────────────────────────────────────────────────────────────────

LONGEST = timedelta(seconds=60)
UPSTREAM = "upstream:"
GREETING = [{"role": "user", "content": "Reply with the word OK and nothing else."}]
TROUBLES = {401: "key", 403: "key", 404: "missing", 429: "busy", 500: "busy", 502: "reach", 503: "busy", 504: "slow"}
STATUS = re.compile(r"(?:answered|refused with) (?P<status>\d{3})")
PROVIDERS = {
    "OpenAI": ("openai:gpt-5-mini", "", "sk-…"),
    "Anthropic": ("anthropic:claude-haiku-4-5", "", "sk-ant-…"),
    "Google": ("google-gla:gemini-2.5-flash", "", "AIza…"),
    "Groq": ("groq:llama-3.3-70b-versatile", "", "gsk_…"),
    "OpenRouter": ("openrouter:openai/gpt-5-mini", "", "sk-or-…"),
    "Ollama": ("ollama:qwen3", "http://127.0.0.1:11434/v1", ""),
    "LM Studio": ("lmstudio:MODEL", "http://127.0.0.1:1234/v1", ""),
    "vLLM": ("vllm:MODEL", "http://127.0.0.1:8000/v1", ""),
    "": ("openai:MODEL", "https://example.org/v1", "…"),  # any other that speaks OpenAI's protocol
}
"""The model, address and beginning of a key to set for each provider; a name in capitals is to be replaced."""


_NAMES = ("llm", "llm_url", "llm_api_key")


class Mind(NamedTuple):
    """A model that is set, or what stands in its place."""

    id: str
    what: str  # of its sentence
    name: str
    is_here: bool
    host: str = ""  # where it is asked, if elsewhere
    server: str = ""  # an upstream's name


class Trial(NamedTuple):
    """How a test went."""

    id: str
    is_good: bool
    said: str


@pages.get("/settings/models")
async def models(visit: Visit) -> Response:
    return _models(visit)


@pages.post("/settings/models", Right.ADMIN)
async def test(visit: Visit) -> Response:
    """Ask one of the models, whatever that costs; for whoever runs the server."""
    visit.caller.must_operate()
    which, upstreams = visit.field("which"), visit.upstreams
    known = {mind.id: mind for mind in minds(visit.settings, upstreams, visit.words)}
    if which not in known:
        raise InvalidInputError(f"there is no model {which!r} to test", field="which")
    return _models(visit, await tried(known[which], visit.settings, upstreams, visit.words))


def _models(visit: Visit, trial: Trial | None = None) -> Response:
    is_operator = visit.caller.everywhere
    lines = {
        name: "\n".join(f'{key} = "{value}"' for key, value in zip(_NAMES, given, strict=True) if value)
        for name, given in PROVIDERS.items()
    }
    return visit.page(
        "settings_models.html",
        minds=minds(visit.settings, visit.upstreams, visit.words),
        trial=trial,
        providers=lines if is_operator else {},
        file=str(file_to_write(os.environ)) if is_operator else "",
        is_missing=find_spec("pydantic_ai") is None,
    )


def minds(settings: Settings, upstreams: Upstreams, words: Words) -> list[Mind]:
    """Every model that reads what is said or asked, with where it runs; never a key."""
    from relembra.bootstrap import outside_minds

    def named(what: str) -> str:
        return words(f"page.settings.models.{what}")

    def provider(model: str) -> str:
        return model.partition(":")[0]

    def host(url: str) -> str:
        return urlsplit(url).hostname or ""

    fast, outside = outside_minds(replace(settings, llm_deep="")), outside_minds(settings)
    asked_at = host(settings.llm_url) or provider(settings.llm)
    found = [Mind("reader", "reader", settings.llm or named("rules"), not fast.reader, asked_at)]
    if settings.llm and settings.llm_deep and settings.llm_deep != settings.llm:
        found.append(Mind("deep", "deep", settings.llm_deep, not outside.night, provider(settings.llm_deep)))
    embedder = {"offline": named("shipped"), "folder": named("folder")}.get(
        provider(settings.embedder), settings.embedder
    )
    found.append(Mind("embedder", "embedder", embedder, not outside.embedder, host(settings.embedder_url)))
    return found + [
        Mind(f"{UPSTREAM}{one.name}", "upstream", one.model or named("any"), one.local, one.host, one.name)
        for one in upstreams
    ]


async def tried(
    mind: Mind, settings: Settings, upstreams: Upstreams, words: Words, *, longest: timedelta = LONGEST
) -> Trial:
    """Ask a model: how long it took, or what went wrong and what to do about it."""
    started, said = perf_counter(), ""
    try:
        async with asyncio.timeout(longest.total_seconds()):
            await _ask(mind.id, settings, upstreams)
    except TimeoutError:
        said = words("page.settings.models.trouble.slow", **_set_by(mind))
    except (RelembraError, OSError) as error:
        said = why(error, mind, words)
    took = span(words, timedelta(seconds=perf_counter() - started))
    if said:
        return Trial(mind.id, is_good=False, said=f"{words('page.settings.models.bad', span=took)} {said}")
    return Trial(mind.id, is_good=True, said=words("page.settings.models.ok", name=mind.name, span=took))


async def _ask(which: str, settings: Settings, upstreams: Upstreams) -> None:
    from relembra.bootstrap import asked_reader, tried_model, tried_offline_reader

    match which:
        case "embedder":
            await tried_model(settings)
        case "reader" if not settings.llm:
            await tried_offline_reader()
        case "reader" | "deep":
            await asked_reader(settings, deep=which == "deep")
        case _:
            await upstreams.complete(GREETING, model=f"{which.removeprefix(UPSTREAM)}/")


def why(error: Exception, mind: Mind, words: Words) -> str:
    """What went wrong with a model, and where to look."""
    error = plain(error)
    if not isinstance(error, MindError | UpstreamError):
        return sentence_of(error, words, user="")
    found = STATUS.search(str(error))
    status = error.status if isinstance(error, UpstreamError) else int(found["status"]) if found else 0
    told = words(f"page.settings.models.trouble.{TROUBLES.get(status, 'other')}", **_set_by(mind))
    return told if status in TROUBLES else f"{told} {aside(words, str(error))}"


def _set_by(mind: Mind) -> dict[str, str]:
    """The settings that choose a model: its name, its address and its key."""
    if mind.what == "upstream" and mind.server != "default":
        return {name: f"upstreams.{mind.server}.{name}" for name in ("model", "url", "api_key")}
    if mind.what == "upstream":
        return {"model": "upstream_model", "url": "upstream", "api_key": "upstream_api_key"}
    kind = "embedder" if mind.what == "embedder" else "llm"
    return {"model": "llm_deep" if mind.what == "deep" else kind, "url": f"{kind}_url", "api_key": f"{kind}_api_key"}
