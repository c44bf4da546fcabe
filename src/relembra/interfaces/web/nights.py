"""Nights: the records of what was done, each as a difference that can be taken back, and work asked for now."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any, TypedDict
from urllib.parse import quote

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.audit import Target
from relembra.domain.run import Run, RunKind, RunStatus
from relembra.errors import BusyError, InvalidInputError, NotFoundError
from relembra.interfaces import recorded
from relembra.interfaces.differences import Difference, differences
from relembra.interfaces.times import span
from relembra.interfaces.web import queueing, records
from relembra.interfaces.web.errands import PATIENCE_SECONDS, Errand
from relembra.interfaces.web.once import done_once
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.unrolling import more, unrolled
from relembra.interfaces.web.visits import Visit, query_with
from relembra.learn.rollback import RolledBack
from relembra.memory import Memory
from relembra.tend.gardening import Deed
from relembra.tending import RunDetail

pages = Pages()
pages.pages += queueing.pages.pages

PAGE = 30
MOST_SHOWN, MOST_AT_ALL = 40, 500
"""Rows of one fate on a record's page: unasked, and where all are asked for."""
ICONS: dict[str, str] = {
    RunKind.CONSOLIDATION: "moon-star",
    RunKind.CLUSTERING: "tag",
    RunKind.GARDENING: "sprout",
    RunKind.INSIGHT: "zap",
    RunKind.REPORT: "notebook-text",
}
STATUSES: dict[str, str] = {
    RunStatus.RUNNING: "accent",
    RunStatus.COMPLETED: "good",
    RunStatus.PARTIAL: "warn",
    RunStatus.FAILED: "bad",
    RunStatus.ROLLED_BACK: "",
}
WORKS: dict[str, Callable[..., Awaitable[Run | None]]] = {
    "night": Memory.consolidate,
    "garden": Memory.garden,
    "insight": Memory.find_insights,
}
PLAN = "plan"
PLAN_SECONDS = 1.0
"""How long the page of the garden waits for the plan before it is shown without it, and looks again by itself."""


class Shelf(TypedDict):
    """A person or a space as a whole, and the tenant."""

    user: str | None
    space: str | None
    tenant: str


# ── the records ───────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/nights")
async def nights(visit: Visit) -> Response:
    kind, shelf = visit.asked("kind"), _shelf(visit)
    kind = kind if kind in set(RunKind) else ""
    first: dict[str, str | None] = {"after": None, "working": None}
    after = visit.asked("after") or None
    limit = unrolled(visit, PAGE, goes_on=after is not None)
    listing = await visit.memory.consolidations(kind=kind or None, limit=limit, after=after, **shelf)
    return visit.page(
        "nights.html",
        title=visit.words("page.nights"),
        named=(visit.words(f"page.nights.kind.{kind}") if kind else "", shelf["space"] or ""),
        runs=listing,
        kind=kind,
        kinds=[(name, query_with(visit, {"kind": name, **first})) for name in RunKind],
        all_kinds=query_with(visit, {"kind": None, **first}),
        more=more(visit, PAGE, {"after": listing.next}, working=None) if listing.next else None,
        errand=await _working(visit, WORKS),
        spaces=[(name, query_with(visit, {"space": name, **first})) for name in await _spaces(visit)],
        of_person=query_with(visit, {"space": None, **first}),
        **_told(visit, shelf),
    )


@pages.get("/nights/garden")
async def garden(visit: Visit) -> Response:
    """What the gardener would do were it to come now; of a large memory the page is there before that is known."""
    going = await _working(visit, (PLAN,)) or visit.errands.running(PLAN, owner=visit.owner)
    found = await _plan(visit) if going is None else going
    plan: list[Deed] = []
    if not isinstance(found, Errand):
        plan = found
    elif found.state != "running":
        plan = await found.outcome()
    return visit.page(
        "night_garden.html",
        title=visit.words("page.nights.garden"),
        working=found.id if isinstance(found, Errand) and found.state == "running" else "",
        groups=records.deeds(plan, most=MOST_SHOWN),
        total=len(plan),
        part_of=lambda deed: recorded.part_of(visit.words, deed),
        page_of=records.page_of,
    )


@pages.get("/nights/{id}")
async def record(visit: Visit) -> Response:
    shelf = _shelf(visit)
    told = await visit.memory.consolidation(visit.id, **shelf)
    rows = differences(told.entries)
    some = records.grouped(rows, most=MOST_AT_ALL if visit.asked("all") else MOST_SHOWN)
    texts = await recorded.texts_of(
        visit.memory, [row for _, shown, _ in some for row in shown], visit.whose, space=shelf["space"]
    )
    undo, is_undone = await _afterwards(visit, told, shelf)
    return visit.page(
        "night.html",
        title=_title(visit, told.run),
        run=told.run,
        groups=records.groups(visit.clock, some, texts, linked=shelf["space"] is None),
        has_more=any(total > len(shown) for _, shown, total in some),
        everything=query_with(visit, {"all": "1"}),
        taken=await _taken(visit, rows, shelf),
        can_go_back=_can_go_back(told.run),
        undo=undo,
        is_undone=is_undone,
        **_told(visit, shelf),
    )


# ── taking one back ───────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/nights/{id}/rollback", Right.WRITE)
async def before_rollback(visit: Visit) -> Response:
    """What would happen, and the button that does it."""
    shelf = _shelf(visit)
    told = await visit.memory.consolidation(visit.id, **shelf)
    if not _can_go_back(told.run):
        return visit.to(_address(told.run, shelf))
    some = records.grouped(differences(told.entries), most=0)
    return visit.page(
        "night_back.html",
        title=visit.words("page.nights.back"),
        named=(_title(visit, told.run),),
        run=told.run,
        name=_title(visit, told.run),
        numbers=[(fate.value, total) for fate, _, total in some],
        **_told(visit, shelf),
    )


@pages.post("/nights/{id}/rollback")
async def rollback(visit: Visit) -> Response:
    shelf = _shelf(visit)
    run = (await visit.memory.consolidation(visit.id, **shelf)).run
    errand = visit.errands.start("rollback", owner=visit.owner, work=lambda _: visit.memory.rollback(run.id, **shelf))
    done: RolledBack = await errand.outcome()
    undo = done.change if done.change is not None and shelf["space"] is None else ""
    return visit.to(_address(run, shelf), done="rolled_back", undo=undo, back=errand.id)


# ── work asked for now ────────────────────────────────────────────────────────────────────────────────────────────


@pages.post("/nights/now")
async def now(visit: Visit) -> Response:
    """Does it, and leads to the record; what takes long goes on by itself, and the page of all records says so."""
    work, owner, whose = visit.field("work"), visit.owner, visit.whose
    if work not in WORKS:
        raise InvalidInputError(f"there is no work called {work!r}", field="night_work")
    if (going := visit.errands.running(work, owner=owner)) is not None:
        return visit.to("/nights", working=going.id)

    async def begun() -> Errand:
        return visit.errands.start(work, owner=owner, work=lambda _: WORKS[work](visit.memory, **whose))

    errand = await done_once(visit, begun, work)
    run: Run | None = await errand.outcome(PATIENCE_SECONDS)
    if errand.state == "running":
        return visit.to("/nights", working=errand.id)
    if run is None:
        return visit.to("/nights", done="night_nothing")
    return visit.to(f"/nights/{run.id}", done=f"{work}_done")


# ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _told(visit: Visit, shelf: Shelf) -> dict[str, Any]:
    """What templates say of a record with."""
    words = visit.words
    return {
        "space": shelf["space"],
        "icons": ICONS,
        "statuses": STATUSES,
        "name_of": lambda run: _title(visit, run),
        "address_of": lambda run, *more: _address(run, shelf, *more),
        "counts": lambda run: records.counts(words, run.tally),
        "model": lambda run: recorded.model(words, run),
        "memory": lambda run: recorded.version(words, run),
        "covers": lambda run: recorded.covers(words, run, visit.clock.moment),
        "trouble": lambda run: recorded.trouble_of(words, run.error),
        "took": lambda run: "" if run.duration is None else span(words, run.duration),
    }


def _title(visit: Visit, run: Run) -> str:
    """ "Night of 3 Mar", and for what was asked for its hour."""
    words = visit.words
    if run.kind is RunKind.CONSOLIDATION and run.night is not None:
        return words("page.nights.night", day=visit.clock.day(run.night))
    day = visit.clock.moment(run.started_at) if run.night is None else visit.clock.day(run.night)
    return words("page.nights.work", work=words(f"page.nights.one.{run.kind}"), day=day)


def _can_go_back(run: Run) -> bool:
    return bool(run.changes) and run.status not in (RunStatus.ROLLED_BACK, RunStatus.RUNNING)


def _shelf(visit: Visit) -> Shelf:
    """Whose records: a space's as a whole where one is named, else the person's."""
    space = visit.asked("space") or None
    if space is None:
        return {**visit.whose, "space": None}
    visit.caller.enter(space)
    return {"user": None, "space": space, "tenant": visit.tenant}


async def _spaces(visit: Visit) -> list[str]:
    """The spaces whose records may be looked at: none by whoever is bound to one person."""
    if visit.caller.user is not None:
        return []
    return [space.name for space in await visit.memory.spaces(tenant=visit.tenant)]


def _address(run: Run, shelf: Shelf, *more: str) -> str:
    path = "/".join(("/nights", run.id, *more))
    return path if shelf["space"] is None else f"{path}?space={quote(shelf['space'])}"


async def _working(visit: Visit, kinds: Collection[str]) -> Errand | None:
    """The work a page was told to wait for, where it is of its kinds."""
    try:
        found = await visit.errands.get(visit.asked("working"), owner=visit.owner) if visit.asked("working") else None
    except NotFoundError:
        return None
    return found if found is not None and found.kind in kinds else None


async def _plan(visit: Visit) -> list[Deed] | Errand:
    """What the gardener would do, or the errand that finds it out where that takes a while."""
    task = asyncio.ensure_future(visit.memory.garden_plan(**visit.whose))
    await asyncio.wait({task}, timeout=PLAN_SECONDS)
    if not task.done():
        with suppress(BusyError):  # then whoever asked waits for it
            return visit.errands.start(PLAN, owner=visit.owner, work=lambda _: task)
    return await task


async def _afterwards(visit: Visit, told: RunDetail, shelf: Shelf) -> tuple[str, bool]:
    """The change by which a rollback can still be undone, as far as its first items tell; and whether it was undone."""
    if told.run.status is not RunStatus.ROLLED_BACK or shelf["space"] is not None:
        return "", False
    own = {entry.id for entry in told.entries}
    items = dict.fromkeys(entry.target_id for entry in told.entries if entry.target is Target.ITEM)
    changes: set[str] = set()
    for id in list(items)[:MOST_SHOWN]:
        with suppress(NotFoundError):  # it was forgotten
            trail = (await visit.memory.history(id, **visit.whose)).trail
            later = trail[max((at for at, entry in enumerate(trail, 1) if entry.id in own), default=0) :]
            back = [entry.change for entry in later if entry.verb == "rollback"]
            if any(entry.undoes in back for entry in later):
                return "", True
            if back and later[-1].change != back[0]:
                return "", False
            changes |= set(back)
    return changes.pop() if len(changes) == 1 else "", False


async def _taken(visit: Visit, rows: list[Difference], shelf: Shelf) -> list[records.Taken] | None:
    """What a rollback just did, where this visit comes from one."""
    try:
        done = (await visit.errands.get(visit.asked("back"), owner=visit.owner)).result if visit.asked("back") else None
    except NotFoundError:
        return None
    if not isinstance(done, RolledBack) or done.run.id != visit.id:
        return None
    texts = await recorded.texts_of(visit.memory, rows[:MOST_AT_ALL], visit.whose, space=shelf["space"])
    return records.taken(visit.words, done, rows, texts)
