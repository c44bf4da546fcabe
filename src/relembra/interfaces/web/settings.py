"""The settings: display, linked accounts, models; for administrators keys and who is blocked."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit
from zoneinfo import available_timezones

from starlette.responses import Response

from relembra.domain.access import EVERY_TENANT, BlockKind, Right, Standing, standing
from relembra.errors import InvalidInputError, NotFoundError, RelembraError
from relembra.interfaces.failures import plain, sentence_of
from relembra.interfaces.http.routes import unbound
from relembra.interfaces.sentences import span
from relembra.interfaces.upstream import Upstreams
from relembra.interfaces.web.lists import DAY, read_day, start_of
from relembra.interfaces.web.visits import THEMES, Pages, Visit
from relembra.keys import LINK_PASS
from relembra.locale import LANGUAGES, Words
from relembra.settings import Settings

pages = Pages()

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
        return await _blocked(visit, wrong={"what": what, "name": name, "said": visit.sentence(error)})
    return visit.to("/settings/blocked", done={"block": "blocked", "unblock": "unblocked"}.get(what, what))


async def _blocked(visit: Visit, *, wrong: dict[str, str] | None = None) -> Response:
    blocks = await visit.memory.blocks(tenant=visit.tenant)
    return visit.page(
        "settings_blocked.html",
        blocked=[block for block in blocks if block.kind is BlockKind.PERSON],
        spaces=await visit.memory.spaces(tenant=visit.tenant),
        has_fixed=any(block.by_settings for block in blocks),
        wrong=wrong or {},
    )


# ── keys and sign-in links ────────────────────────────────────────────────────────────────────────────────────────

MOST_NAMED = 100
FIELDS = ("what", "name", "right", "user", "every", "expires")


class Made(NamedTuple):
    """A key or a link, shown once."""

    title: str
    label: str
    secret: str
    hint: str


@pages.get("/settings/keys", Right.ADMIN)
async def keys(visit: Visit) -> Response:
    unbound(visit.caller)
    return await _keys(visit)


@pages.post("/settings/keys", Right.ADMIN)
async def make_key(visit: Visit) -> Response:
    """A key, or with `what` a sign-in link; a form that comes again makes no other."""
    unbound(visit.caller)

    async def work() -> Made:
        return await (_link(visit) if visit.field("what") == "link" else _key(visit))

    try:
        made = await visit.done_once(work, *map(visit.field, FIELDS))
    except InvalidInputError as error:
        return await _keys(visit, wrong=_wrong(visit, error))
    return await _keys(visit, made=made)


@pages.post("/settings/keys/revoke", Right.ADMIN)
async def revoke(visit: Visit) -> Response:
    unbound(visit.caller)
    await visit.memory.revoke_key(visit.field("id"), tenant=None if visit.caller.everywhere else visit.tenant)
    return visit.to("/settings/keys", done="revoked")


async def _key(visit: Visit) -> Made:
    words, every = visit.words, visit.field("every") == "yes"
    if every:
        visit.caller.must_operate()
    new = await visit.memory.create_key(
        visit.field("name"),
        right=visit.field("right") or Right.WRITE,
        user=visit.field("user") or None,
        expires_at=_end_of(visit.field("expires"), visit),
        tenant=EVERY_TENANT if every else visit.tenant,
    )
    title, label = words("page.settings.keys.made", name=new.key.name), words("page.settings.keys.secret")
    return Made(title, label, new.secret, words("page.settings.keys.once"))


async def _link(visit: Visit) -> Made:
    words, user = visit.words, visit.field("user")
    right = visit.field("right") or Right.WRITE
    carried = await visit.memory.link_pass(user, user=user, right=right, tenant=visit.tenant)
    ends = visit.clock.moment(visit.now + LINK_PASS)
    return Made(
        words("page.settings.link.made", user=user),
        words("page.settings.link.secret"),
        f"{visit.address}/enter?{urlencode({'pass': carried})}",
        words("page.settings.link.once", when=ends),
    )


def _end_of(text: str, visit: Visit) -> datetime | None:
    """When a last day is over, by the reader's clock."""
    day = read_day(text, field="expires")
    ends = None if day is None else start_of(day + DAY, visit.zone)
    if ends is not None and ends <= visit.now:
        raise InvalidInputError(f"{text} is past", field="expires_at")
    return ends


def _wrong(visit: Visit, error: InvalidInputError) -> dict[str, str]:
    """What is wrong with which field."""
    dates = {"expires_at": "page.settings.keys.expires.past", "expires": "page.settings.keys.expires.wrong"}
    if error.field in dates:
        return {"expires": visit.words(dates[error.field])}
    name = "user" if visit.field("what") == "link" else "name"
    known = {"tenant": "user", "right": "right", "user": "user"}
    return {known.get(error.field or "", name): visit.sentence(error)}


async def _keys(visit: Visit, *, made: Made | None = None, wrong: dict[str, str] | None = None) -> Response:
    held = await visit.memory.keys(tenant=None if visit.caller.everywhere else visit.tenant)
    return visit.page(
        "settings_keys.html",
        good=[key for key in held if standing(key, visit.now) is Standing.VALID],
        over=[key for key in held if standing(key, visit.now) is not Standing.VALID],
        standing=lambda key: standing(key, visit.now),
        people=tuple(await visit.memory.users(limit=MOST_NAMED, tenant=visit.tenant)),
        rights=list(Right),
        every_tenant=EVERY_TENANT,
        made=made,
        wrong=wrong or {},
        wrong_link=bool(wrong) and visit.field("what") == "link",
        typed={name: visit.field(name) if wrong else "" for name in FIELDS},
    )


# ── models ────────────────────────────────────────────────────────────────────────────────────────────────────────

LONGEST = timedelta(seconds=60)
UPSTREAM = "upstream:"
GREETING = [{"role": "user", "content": "Reply with the word OK and nothing else."}]


class Model(NamedTuple):
    """A model that is set, or what stands in its place."""

    id: str
    what: str  # of its sentence
    name: str
    is_here: bool
    host: str = ""  # where it is asked, if elsewhere
    server: str = ""  # an upstream's name


@pages.get("/settings/models")
async def models(visit: Visit) -> Response:
    return visit.page("settings_models.html", models=models_of(visit), trial=None)


@pages.post("/settings/models", Right.ADMIN)
async def test(visit: Visit) -> Response:
    """Ask one of the models, whatever that costs; for operators only."""
    visit.caller.must_operate()
    which, known = visit.field("which"), models_of(visit)
    model = next((one for one in known if one.id == which), None)
    if model is None:
        raise InvalidInputError(f"there is no model {which!r} to test", field="which")
    is_good, said = await tried(model, visit.settings, visit.upstreams, visit.words)
    return visit.page("settings_models.html", models=known, trial=(model.id, is_good, said))


def models_of(visit: Visit) -> list[Model]:
    """Every model that reads what is said or asked, with where it runs; never a key."""
    from relembra.bootstrap import outside_minds

    settings = visit.settings

    def named(what: str) -> str:
        return visit.words(f"page.settings.models.{what}")

    def provider(model: str) -> str:
        return model.partition(":")[0]

    def host(url: str) -> str:
        return urlsplit(url).hostname or ""

    fast, outside = outside_minds(replace(settings, llm_deep="")), outside_minds(settings)
    asked_at = host(settings.llm_url) or provider(settings.llm)
    found = [Model("reader", "reader", settings.llm or named("rules"), not fast.reader, asked_at)]
    if settings.llm and settings.llm_deep and settings.llm_deep != settings.llm:
        found.append(Model("deep", "deep", settings.llm_deep, not outside.night, provider(settings.llm_deep)))
    embedder = {"offline": named("shipped"), "folder": named("folder")}.get(
        provider(settings.embedder), settings.embedder
    )
    found.append(Model("embedder", "embedder", embedder, not outside.embedder, host(settings.embedder_url)))
    return found + [
        Model(f"{UPSTREAM}{one.name}", "upstream", one.model or named("any"), one.local, one.host, one.name)
        for one in visit.upstreams
    ]


async def tried(
    model: Model, settings: Settings, upstreams: Upstreams, words: Words, *, longest: timedelta = LONGEST
) -> tuple[bool, str]:
    """Ask a model: whether it answered, and how long it took or what went wrong."""
    started, wrong = perf_counter(), ""
    try:
        async with asyncio.timeout(longest.total_seconds()):
            await _ask(model.id, settings, upstreams)
    except TimeoutError:
        wrong = words("page.settings.models.slow")
    except (RelembraError, OSError) as error:
        wrong = sentence_of(plain(error), words, user="")
    took = span(words, timedelta(seconds=perf_counter() - started))
    if wrong:
        return False, f"{words('page.settings.models.bad', span=took)} {wrong}"
    return True, words("page.settings.models.ok", name=model.name, span=took)


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
