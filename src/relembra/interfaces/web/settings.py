"""The settings: display, accounts, models, keys and who is blocked; and exporting, importing and erasing a memory."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import replace
from functools import cache, partial
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote, urlencode, urlsplit
from zoneinfo import available_timezones

from starlette.datastructures import UploadFile
from starlette.responses import Response

from relembra.domain.access import EVERY_TENANT, BlockKind, Right, Standing, standing
from relembra.domain.text import fold
from relembra.errors import BusyError, InvalidInputError, NotFoundError
from relembra.interfaces import shapes
from relembra.interfaces.http.handlers import EXPORTS, alone, file_answer
from relembra.interfaces.http.routes import unbound
from relembra.interfaces.http.schemas import Format
from relembra.interfaces.web.background import BackgroundJob
from relembra.interfaces.web.visits import DAY, THEMES, FormError, Visit, get, post, read_day, start_of
from relembra.keys import LINK_PASS
from relembra.locale import LANGUAGES
from relembra.settings import is_on_this_machine
from relembra.transfer.imports import Imported

REGIONS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
"""What names of time zones begin with; other names are old ones for the same."""


@cache
def zones() -> dict[str, list[str]]:
    """The time zones by region."""
    known = sorted(available_timezones())
    return {region: [name for name in known if name.startswith(f"{region}/")] for region in REGIONS} | {"UTC": ["UTC"]}


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


@get("/settings/blocked", Right.ADMIN)
async def blocked(visit: Visit) -> Response:
    unbound(visit.caller)
    blocks = await visit.memory.blocks(tenant=visit.tenant)
    return visit.page(
        "settings_blocked.html",
        blocked=[block for block in blocks if block.kind is BlockKind.PERSON],
        spaces=await visit.memory.spaces(tenant=visit.tenant),
        others=next((block for block in blocks if block.kind is BlockKind.SPACES), None),
        has_fixed=any(block.by_settings for block in blocks),
        what=visit.field("what"),
    )


@post("/settings/blocked", Right.ADMIN, again=blocked)
async def block(visit: Visit) -> Response:
    """Block or unblock a person, or switch the memory of a space on or off."""
    unbound(visit.caller)
    memory, name, what = visit.memory, visit.field("name"), visit.field("what")
    match what:
        case "block":
            await memory.block(name, tenant=visit.tenant)
        case "unblock":
            await memory.unblock(name, tenant=visit.tenant)
        case "space_on" | "space_off":
            await memory.switch_space(name, on=what == "space_on", tenant=visit.tenant)
        case "others_on" | "others_off":
            await memory.switch_spaces(on=what == "others_on", tenant=visit.tenant)
        case _:
            raise InvalidInputError(f"there is no {what!r} to do", field="what")
    return visit.to("/settings/blocked", done={"block": "blocked", "unblock": "unblocked"}.get(what, what))


# ── keys and sign-in links ────────────────────────────────────────────────────────────────────────────────────────

MOST_NAMED = 100


@get("/settings/keys", Right.ADMIN)
async def keys(visit: Visit, *, made: tuple[str, str] | None = None) -> Response:
    """The keys; `made`: whether a key or a link was made just now, and its secret, which is shown once."""
    unbound(visit.caller)
    held = await visit.memory.keys(tenant=None if visit.caller.everywhere else visit.tenant)
    return visit.page(
        "settings_keys.html",
        good=[key for key in held if standing(key, visit.now) is Standing.VALID],
        over=[key for key in held if standing(key, visit.now) is not Standing.VALID],
        standing=lambda key: standing(key, visit.now),
        people=tuple(await visit.memory.users(limit=MOST_NAMED, tenant=visit.tenant)),
        every_tenant=EVERY_TENANT,
        made=made,
        link_ends=visit.now + LINK_PASS,
        wrong_link=bool(visit.wrong) and visit.field("what") == "link",
        typed=lambda name: visit.field(name) if visit.wrong else "",
    )


@post("/settings/keys", Right.ADMIN, again=keys)
async def make_key(visit: Visit) -> Response:
    """A key, or with `what` a sign-in link."""
    unbound(visit.caller)
    user, right = visit.field("user"), visit.field("right") or Right.WRITE
    if visit.field("what") == "link":
        carried = await visit.memory.link_pass(user, user=user, right=right, tenant=visit.tenant)
        return await keys(visit, made=("link", f"{visit.address}/enter?{urlencode({'pass': carried})}"))
    if visit.field("every") == "yes":
        visit.caller.must_operate()
    day = read_day(visit.field("expires"), field="expires")
    ends = None if day is None else start_of(day + DAY, visit.zone)  # when a last day is over, by the reader's clock
    if ends is not None and ends <= visit.now:
        raise FormError("page.settings.keys.expires.past", field="expires")
    tenant = EVERY_TENANT if visit.field("every") == "yes" else visit.tenant
    new = await visit.memory.create_key(
        visit.field("name"), right=right, user=user or None, expires_at=ends, tenant=tenant
    )
    return await keys(visit, made=("keys", new.secret))


@post("/settings/keys/revoke", Right.ADMIN)
async def revoke(visit: Visit) -> Response:
    unbound(visit.caller)
    await visit.memory.revoke_key(visit.field("id"), tenant=None if visit.caller.everywhere else visit.tenant)
    return visit.to("/settings/keys", done="revoked")


# ── models ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Model(NamedTuple):
    """A model that is set, or what stands in its place."""

    what: str  # of its sentence
    name: str
    is_here: bool
    host: str = ""  # where it is asked, if elsewhere
    server: str = ""  # an upstream's name


@get("/settings/models")
async def models(visit: Visit) -> Response:
    """Every model that reads what is said or asked, with where it runs; never a key."""
    from relembra.bootstrap import outside_minds

    settings, words = visit.settings, visit.words

    def provider(model: str) -> str:
        return model.partition(":")[0]

    def host(url: str) -> str:
        return urlsplit(url).hostname or ""

    fast, outside = outside_minds(replace(settings, llm_deep="")), outside_minds(settings)
    reader = settings.llm or words("page.settings.models.rules")
    found = [Model("reader", reader, not fast.reader, host(settings.llm_url) or provider(settings.llm))]
    if settings.llm and settings.llm_deep and settings.llm_deep != settings.llm:
        found.append(Model("deep", settings.llm_deep, not outside.night, provider(settings.llm_deep)))
    embedder = words("page.settings.models.shipped") if settings.embedder == "offline" else settings.embedder
    found.append(Model("embedder", embedder, not outside.embedder, host(settings.embedder_url)))
    for what, model, url in (
        ("transcriber", settings.transcriber, settings.transcriber_url),
        ("vision", settings.vision, settings.vision_url),
    ):
        if model:
            is_ours = model == "ocr"
            name = words("page.settings.models.ocr") if is_ours else model
            found.append(Model(what, name, is_ours or is_on_this_machine(url), host(url)))
    for one in visit.upstreams:
        name = one.model or words("page.settings.models.any")
        found.append(Model("upstream", name, one.local, one.host, one.name))
    return visit.page("settings_models.html", models=found)


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────

ENDINGS = {
    **{Format.JSON: "json", Format.JSONL: "jsonl", Format.MARKDOWN: "md", Format.VAULT: "zip"},
    **{Format.NOTES: "zip", Format.MEM0: "json", Format.CSV: "csv"},
}


@get("/settings/data")
async def data(visit: Visit) -> Response:
    """The page with everything about files."""
    return visit.page("settings_data.html", formats=list(ENDINGS))


@get("/export/file")
async def export_file(visit: Visit) -> Response:
    """The export, written as it is asked for."""
    word = visit.asked("format") or Format.JSON
    if word not in set(Format):
        raise InvalidInputError(f"no format {word!r}; choose one of {', '.join(Format)}", field="format")
    format = Format(word)
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in fold(visit.user))[:60]
    return await file_answer(
        partial(visit.memory.export, format=format.value, language=visit.words.language, **visit.whose),
        name=f"relembra-{name}-{visit.today}.{ENDINGS[format]}",
        media_type=EXPORTS[format][1],
    )


@post("/import", again=data)
async def take_in(visit: Visit) -> Response:
    """Import an export into this memory; a page says how far it is."""
    upload = visit.form.get("file")
    if not isinstance(upload, UploadFile) or not upload.filename:
        raise FormError("page.import.none", field="file")
    file: BinaryIO = TemporaryFile()  # noqa: SIM115 - there after this request; the job that reads it closes it
    await asyncio.to_thread(shutil.copyfileobj, upload.file, file)
    file.seek(0)
    importing, spaces = visit.request.app.state.importing, visit.caller.user is None
    memory, whose = visit.memory, visit.whose
    how: dict[str, Any] = {"file_name": upload.filename, "me": own if (own := visit.field("me")) else [], **whose}
    how |= {"photo_details": bool(visit.field("photo_details")), "spaces": spaces}

    async def work(job: BackgroundJob) -> Imported:
        with file, alone(importing, job.owner.caller):  # also of those that come by the API
            return await memory.import_(file, progress=job.progress, **how)

    try:
        job = visit.jobs.start("import", owner=visit.owner, work=work)
    except BusyError:
        file.close()
        raise
    return visit.to(f"/progress/{job.id}")


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
        refused=[(one.file, visit.sentence(one.error)) for one in what.refused],
        rest={name: number for name, number in rest.items() if number},
    )


# ── erasing ───────────────────────────────────────────────────────────────────────────────────────────────────────


@get("/erase", Right.WRITE)
async def erase(visit: Visit) -> Response:
    would = await visit.memory.forget(all=True, dry_run=True, **visit.whose)
    return visit.page(
        "erase.html",
        is_own=visit.caller.user is not None or visit.user == visit.caller.usual,
        held={name: number for name in ("item", "message", "conversation", "note")
              if (number := would.counts[f"{name}s"])},
        shared=would.counts["notes"] - (await visit.memory.stats(**visit.whose)).notes,
    )  # fmt: skip


@post("/erase", again=erase)
async def erased(visit: Visit) -> Response:
    """Forget everything of the person, where their name was typed; a caller whose key goes with it is signed out."""
    user, whose, when = visit.user, visit.whose, visit.now
    if visit.field("name") != user:
        raise FormError("page.erase.name.wrong", field="name")
    visit.jobs.drop(visit.owner)
    gone = await visit.memory.forget(all=True, **whose)
    is_out = visit.caller.user is not None
    if is_out:
        visit.known = None
        await visit.sign_out()
    told = {"user": user, "tenant": whose["tenant"], "erased_at": when.isoformat(), **shapes.wire(gone)}
    receipt = f"data:application/json;charset=utf-8,{quote(json.dumps(told, ensure_ascii=False, indent=2))}"
    return visit.page("erased.html", user=user, when=when, gone=gone, is_out=is_out, receipt=receipt)
