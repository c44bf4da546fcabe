"""Nightly work: what each run changed, rolling one back, and cleaning up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from starlette.responses import Response

from relembra.domain.access import Right
from relembra.domain.audit import AuditEntry
from relembra.domain.jobs import Run, RunKind, RunStatus
from relembra.errors import InvalidInputError
from relembra.interfaces import sentences
from relembra.interfaces.sentences import Difference, Fate, differences
from relembra.interfaces.web.background import BackgroundJob
from relembra.interfaces.web.visits import Visit, get, post
from relembra.learn.rollback import RolledBack
from relembra.memory import Memory
from relembra.night.gardener import ActionKind

NIGHTS = "/settings/nights"
PAGE = 30
MOST_SHOWN = 40
"""Rows of one fate on a run's page, unless all are asked for."""
WORKS: dict[str, Callable[..., Awaitable[Run | None]]] = {
    "night": Memory.consolidate,
    "garden": Memory.garden,
    "insight": Memory.find_insights,
}


@get(NIGHTS)
async def nights(visit: Visit) -> Response:
    kind = visit.chosen("kind", RunKind)
    runs = await visit.memory.consolidations(kind=kind, **visit.portion(PAGE), **visit.whose)
    more = visit.more(runs.next, PAGE)
    return visit.page("nights.html", runs=runs, kind=kind or "", kinds=RunKind, more=more, name_of=_named(visit))


@post(f"{NIGHTS}/now")
async def now(visit: Visit) -> Response:
    """Do work at once and lead to its run; what takes long goes on by itself, and a page says how far it is."""
    kind, memory, whose = visit.field("work"), visit.memory, visit.whose
    if kind not in WORKS:
        raise InvalidInputError(f"there is no work called {kind!r}", field="night_work")

    async def work(_: BackgroundJob) -> str:
        run = await WORKS[kind](memory, **whose)
        return f"{NIGHTS}?done=night_nothing" if run is None else f"{NIGHTS}/{run.id}?done={kind}_done"

    job = visit.jobs.start(kind, owner=visit.owner, work=work, joins=True)
    return visit.to(await job.outcome() or f"/progress/{job.id}")


@get(f"{NIGHTS}/cleanup")
async def cleanup(visit: Visit) -> Response:
    """What a cleanup would do now; a script asks for it once the page is there, for it may take a while."""
    is_asked = visit.is_fragment or bool(visit.asked("plan"))
    plan = await visit.memory.garden_plan(**visit.whose) if is_asked else []
    by_kind = {kind.value: [action for action in plan if action.kind is kind] for kind in ActionKind}
    groups = {kind: actions for kind, actions in by_kind.items() if actions}
    return visit.page("night_cleanup.html", is_asked=is_asked, groups=groups, most=MOST_SHOWN)


# ── one run ───────────────────────────────────────────────────────────────────────────────────────────────────────


@get(f"{NIGHTS}/{{id}}/rollback", Right.WRITE)
async def before_rollback(visit: Visit) -> Response:
    """What would happen, and the button that does it."""
    detail = await visit.memory.consolidation(visit.id, **visit.whose)
    if not _can_go_back(detail.run):
        return visit.to(f"{NIGHTS}/{detail.run.id}")
    numbers = {fate: len(rows) for fate, rows in by_fate(detail.entries).items()}
    return visit.page("night_back.html", run=detail.run, numbers=numbers, name_of=_named(visit))


@get(f"{NIGHTS}/{{id}}")
async def night(visit: Visit, *, taken: RolledBack | None = None) -> Response:
    detail = await visit.memory.consolidation(visit.id, **visit.whose)
    groups, most = by_fate(detail.entries), 500 if visit.asked("all") else MOST_SHOWN
    shown = [row for rows in groups.values() for row in rows[:most]]
    return visit.page(
        "night.html",
        run=detail.run,
        groups=groups,
        most=most,
        texts=await sentences.texts_of(visit.memory, shown, visit.whose),
        taken=taken,
        can_go_back=_can_go_back(detail.run),
        name_of=_named(visit),
    )


@post(f"{NIGHTS}/{{id}}/rollback")
async def rollback(visit: Visit) -> Response:
    """Take back what a run changed; its page then says what came back, and what stays as it is and why."""
    return await night(visit, taken=await visit.memory.rollback(visit.id, **visit.whose))


def by_fate(entries: Iterable[AuditEntry]) -> dict[Fate, list[Difference]]:
    """What a run changed, by what became of it."""
    rows = differences(entries)
    found = {fate: [row for row in rows if row.fate is fate] for fate in Fate}
    return {fate: some for fate, some in found.items() if some}


def _named(visit: Visit) -> Callable[[Run], str]:
    """Runs by name: "Night of 3 Mar", and for what was asked for its hour."""
    words, clock = visit.words, visit.clock

    def name_of(run: Run) -> str:
        day = clock.moment(run.started_at) if run.night is None else clock.day(run.night)
        if run.kind is RunKind.CONSOLIDATION and run.night is not None:
            return words("page.nights.night", day=day)
        return words("page.nights.work", work=words(f"page.nights.one.{run.kind}"), day=day)

    return name_of


def _can_go_back(run: Run) -> bool:
    return bool(run.changes) and run.status not in (RunStatus.ROLLED_BACK, RunStatus.RUNNING)
