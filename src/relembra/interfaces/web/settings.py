"""The settings: display, accounts, models, keys and who is blocked; and exporting, importing and erasing a memory."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial
from http import HTTPStatus
from tempfile import TemporaryFile
from time import perf_counter
from typing import BinaryIO, NamedTuple
from urllib.parse import quote, urlencode, urlsplit
from zoneinfo import available_timezones

from starlette.datastructures import UploadFile
from starlette.responses import Response

from relembra.domain.access import EVERY_TENANT, BlockKind, Right, Standing, standing
from relembra.domain.text import fold
from relembra.errors import BusyError, InvalidInputError, NotFoundError, RelembraError
from relembra.interfaces import shapes
from relembra.interfaces.failures import plain, sentence_of
from relembra.interfaces.http.handlers import EXPORTS, alone, file_answer
from relembra.interfaces.http.routes import unbound
from relembra.interfaces.http.schemas import Format
from relembra.interfaces.sentences import span
from relembra.interfaces.upstream import Upstreams
from relembra.interfaces.web.background import BackgroundJob
from relembra.interfaces.web.visits import DAY, THEMES, Visit, get, post, read_day, start_of
from relembra.keys import LINK_PASS
from relembra.locale import LANGUAGES, Words
from relembra.settings import Settings
from relembra.store.port import Gone
from relembra.transfer.imports import Imported

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


@get("/settings")
async def display(visit: Visit) -> Response:
    """The language, the time zone and the colours, for this browser alone; `/looks` keeps them."""
    return visit.page("settings.html", languages=LANGUAGES, themes=THEMES, zones=zones())


@get("/settings/accounts")
async def accounts(visit: Visit) -> Response:
    return visit.page("settings_accounts.html", links=await visit.memory.links(**visit.whose))


@post("/settings/accounts")
async def unlink(visit: Visit) -> Response:
    """Unlink an account of one's own; another's is not there."""
    channel, id = visit.field("channel"), visit.field("id")
    held = await visit.memory.links(**visit.whose)
    if not any((link.channel, link.id) == (channel, id) for link in held):
        raise NotFoundError("account", id)
    await visit.memory.unlink(channel, id, tenant=visit.tenant)
    return visit.to("/settings/accounts", done="unlinked")


# ── people and spaces that are not remembered ─────────────────────────────────────────────────────────────────────


@post("/settings/blocked", Right.ADMIN)
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


@get("/settings/blocked", Right.ADMIN)
async def _blocked(visit: Visit, *, wrong: dict[str, str] | None = None) -> Response:
    unbound(visit.caller)
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


@post("/settings/keys", Right.ADMIN)
async def make_key(visit: Visit) -> Response:
    """A key, or with `what` a sign-in link; a form that comes again makes no other."""
    unbound(visit.caller)

    is_link = visit.field("what") == "link"
    try:
        made = await visit.done_once(partial(_link if is_link else _key, visit), *map(visit.field, FIELDS))
    except InvalidInputError as error:
        field, said = error.field or "", visit.sentence(error)
        dates = {"expires_at": "page.settings.keys.expires.past", "expires": "page.settings.keys.expires.wrong"}
        if field in dates:
            return await _keys(visit, wrong={"expires": visit.words(dates[field])})
        known = {"tenant": "user", "right": "right", "user": "user"}
        return await _keys(visit, wrong={known.get(field, "user" if is_link else "name"): said})
    return await _keys(visit, made=made)


@post("/settings/keys/revoke", Right.ADMIN)
async def revoke(visit: Visit) -> Response:
    unbound(visit.caller)
    await visit.memory.revoke_key(visit.field("id"), tenant=None if visit.caller.everywhere else visit.tenant)
    return visit.to("/settings/keys", done="revoked")


async def _key(visit: Visit) -> Made:
    words, every = visit.words, visit.field("every") == "yes"
    if every:
        visit.caller.must_operate()
    day = read_day(visit.field("expires"), field="expires")
    ends = None if day is None else start_of(day + DAY, visit.zone)  # when a last day is over, by the reader's clock
    if ends is not None and ends <= visit.now:
        raise InvalidInputError(f"{day} is past", field="expires_at")
    new = await visit.memory.create_key(
        visit.field("name"),
        right=visit.field("right") or Right.WRITE,
        user=visit.field("user") or None,
        expires_at=ends,
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


@get("/settings/keys", Right.ADMIN)
async def _keys(visit: Visit, *, made: Made | None = None, wrong: dict[str, str] | None = None) -> Response:
    unbound(visit.caller)
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


@get("/settings/models")
async def models(visit: Visit) -> Response:
    return visit.page("settings_models.html", models=models_of(visit), trial=None)


@post("/settings/models", Right.ADMIN)
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
    from relembra.bootstrap import asked_reader, tried_model, tried_offline_reader

    started, wrong = perf_counter(), ""
    try:
        async with asyncio.timeout(longest.total_seconds()):
            match model.id:
                case "embedder":
                    await tried_model(settings)
                case "reader" if not settings.llm:
                    await tried_offline_reader()
                case "reader" | "deep":
                    await asked_reader(settings, deep=model.id == "deep")
                case _:
                    await upstreams.complete(GREETING, model=f"{model.id.removeprefix(UPSTREAM)}/")
    except TimeoutError:
        wrong = words("page.settings.models.slow")
    except (RelembraError, OSError) as error:
        wrong = sentence_of(plain(error), words, user="")
    took = span(words, timedelta(seconds=perf_counter() - started))
    if wrong:
        return False, f"{words('page.settings.models.bad', span=took)} {wrong}"
    return True, words("page.settings.models.ok", name=model.name, span=took)


# ── files and erasing ───────────────────────────────────────────────────────────────────────────────────────────

ENDINGS = {Format.JSON: "json", Format.JSONL: "jsonl", Format.MARKDOWN: "md", Format.NOTES: "zip"}


@get("/export/file")
async def export_file(visit: Visit) -> Response:
    """The export, written as it is asked for."""
    word = visit.asked("format")
    if word and word not in set(Format):
        raise InvalidInputError(f"no format {word!r}; choose one of {', '.join(Format)}", field="format")
    format = Format(word or Format.JSON)
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in fold(visit.user))[:60]
    return await file_answer(
        partial(visit.memory.export, format=format.value, language=visit.words.language, **visit.whose),
        name=f"relembra-{name}-{visit.today}.{ENDINGS[format]}",
        media_type=EXPORTS[format][1],
    )


@post("/import")
async def take_in(visit: Visit) -> Response:
    """Import an export into this memory; a page says how far it is."""
    upload = visit.form.get("file")
    if not isinstance(upload, UploadFile) or not upload.filename:
        return await _data(visit, wrong="page.import.none")
    file: BinaryIO = TemporaryFile()  # noqa: SIM115 - there after this request; the job that reads it closes it
    await asyncio.to_thread(shutil.copyfileobj, upload.file, file)
    file.seek(0)
    importing, spaces = visit.request.app.state.importing, visit.caller.user is None
    memory, whose = visit.memory, visit.whose

    async def work(job: BackgroundJob) -> Imported:
        with file, alone(importing, job.owner.caller):  # also of those that come by the API
            return await memory.import_export(file, spaces=spaces, progress=job.progress, **whose)

    try:
        job = visit.jobs.start("import", owner=visit.owner, work=work)
    except BusyError:
        file.close()
        return await _data(visit, wrong="page.job.busy", status=HTTPStatus.CONFLICT)
    return visit.to(f"/progress/{job.id}")


@get("/settings/data")
async def _data(visit: Visit, *, wrong: str = "", status: int | None = None) -> Response:
    """The page with everything about files; `wrong`: why one was not imported."""
    said = visit.words(wrong) if wrong else ""
    return visit.page("settings_data.html", status=status, wrong=said, formats=list(ENDINGS))


@get("/progress/{id}")
async def progress(visit: Visit) -> Response:
    """How far a job is, or its result; one whose result is an address leads there."""
    try:
        job = visit.jobs.get(visit.id, owner=visit.owner)
    except NotFoundError:
        return visit.page("progress_gone.html", status=HTTPStatus.NOT_FOUND)
    if isinstance(job.result, str):
        return Response(headers={"HX-Redirect": job.result}) if visit.is_fragment else visit.to(job.result)
    what = job.result if isinstance(job.result, Imported) else Imported(added={})
    rest = {"skipped": what.skipped, "conflicted": what.conflicted, "left_out": what.left_out}
    return visit.page(
        "progress.html",
        job=job,
        failed=visit.sentence(job.error) if job.error is not None else "",
        what=what,
        came={name: number for name, number in what.added.items() if number},
        rest={name: number for name, number in rest.items() if number},
    )


# ── erasing ───────────────────────────────────────────────────────────────────────────────────────────────────────


@post("/erase")
async def erased(visit: Visit) -> Response:
    """Forget everything of the person, where their name was typed; a caller whose key goes with it is signed out."""
    whose, user, words = visit.whose, visit.user, visit.words
    if visit.field("name") != user:
        return await _erase_form(visit, wrong=words("page.erase.name.wrong"))

    async def work() -> tuple[Gone, datetime]:
        visit.jobs.drop(visit.owner)
        return await visit.memory.forget(all=True, **whose), visit.now

    gone, when = await visit.done_once(work)
    is_out = visit.caller.user is not None
    if is_out:
        visit.known = None
        await visit.sign_out()
    told = {"user": user, "tenant": whose["tenant"], "erased_at": when.isoformat(), **shapes.wire(gone)}
    return visit.page(
        "erased.html",
        user=user,
        when=when,
        gone={name: number for name, number in gone.counts.items() if number},
        total=gone.total,
        is_clean=gone.erased,
        is_out=is_out,
        as_json=f"data:application/json;charset=utf-8,{quote(json.dumps(told, ensure_ascii=False, indent=2))}",
        as_text=f"data:text/markdown;charset=utf-8,{quote(receipt(words, user, visit.clock.exact(when), gone))}",
    )


def receipt(words: Words, user: str, moment: str, gone: Gone) -> str:
    """The receipt as a text to keep."""
    name = "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in user)
    lines = [f"- {words.name('gone', name)}: {words.whole(number)}" for name, number in gone.counts.items() if number]
    clean = words("page.erase.clean" if gone.erased else "page.erase.traces")
    head = f"# {words('page.erase.receipt')}\n\n{words('page.erase.whose')}: {name}  \n"
    head += f"{words('page.erase.when')}: {moment}\n"
    return "\n".join([head, *lines, f"- **{words('page.erase.total')}: {words.whole(gone.total)}**", "", clean, ""])


@get("/erase", Right.WRITE)
async def _erase_form(visit: Visit, *, wrong: str = "") -> Response:
    would = await visit.memory.forget(all=True, dry_run=True, **visit.whose)
    names = ("item", "message", "conversation", "note")
    return visit.page(
        "erase.html",
        is_own=visit.caller.user is not None or visit.user == visit.caller.usual,
        held={name: number for name in names if (number := would.counts[f"{name}s"])},
        shared=would.counts["notes"] - (await visit.memory.stats(**visit.whose)).notes,
        wrong=wrong,
    )
