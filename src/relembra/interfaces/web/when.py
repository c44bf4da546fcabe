"""The memory through time: what happened, pictures, a web of connections to walk, and the memory as it was one day."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from http import HTTPStatus

from starlette.responses import Response

from relembra import KnowledgeItem
from relembra.domain.knowledge import LifeArea
from relembra.errors import NotFoundError
from relembra.interfaces.web.days import (
    DAY,
    NoDayError,
    Period,
    end_of,
    last_month,
    next_month,
    read_day,
    start_of,
)
from relembra.interfaces.web.happenings import by_day
from relembra.interfaces.web.moments import MONTHS
from relembra.interfaces.web.pictures import SPANS, by_area, by_mood, chosen, come_and_gone, series_in
from relembra.interfaces.web.routing import Pages
from relembra.interfaces.web.unrolling import more, unrolled
from relembra.interfaces.web.visits import Visit, query_with
from relembra.interfaces.web.webs import NEAR, distinct, web_around
from relembra.views.people import Person
from relembra.views.people import people as put_together

pages = Pages()

MOMENTS = 40
ITEMS = 30
LEARNT = 12
"""How many of the things learnt on a day are shown before all that was known then."""
PEOPLE = 12
READ_FOR_PEOPLE = 100
"""How many of the newest items people are found in: somebody to begin with, not everybody there is."""
FAR = 4
"""How many of the nearest are asked what stands behind them."""
STEPS_BACK = 5
LONGEST_LINE = 20
LOOKED_AT = 12
"""How many related ones are asked for: of some that say the same only one is shown."""
_TICK = timedelta(microseconds=1)


def _today(visit: Visit) -> date:
    return visit.clock.here(visit.now).date()


# ── what happened ─────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/time")
async def timeline(visit: Visit) -> Response:
    """Notes and events under their days, newest first."""
    today = _today(visit)
    try:
        period, wrong = Period.read(visit.asked("from"), visit.asked("to")), False
        shown = read_day(visit.asked("shown")) if _goes_on(visit) else None
    except NoDayError:
        period, wrong, shown = Period(), True, None
    listing = await visit.memory.timeline(
        since=period.since(visit.zone),
        until=period.until(visit.zone),
        limit=unrolled(visit, MOMENTS, goes_on=bool(visit.asked("after"))),
        after=visit.asked("after") or None,
        **visit.whose,
    )
    days = by_day(listing, zone=visit.zone, now=visit.now, user=visit.user, shown=shown)
    following = None
    if listing.next is not None and days:
        following = more(visit, MOMENTS, {"after": listing.next, "shown": days[-1].day.isoformat()})
    choices = {
        "all": Period(),
        "month": Period.of_month(today),
        "last_month": Period.of_month(last_month(today)),
        "year": Period.of_year(today),
    }
    beside = None
    if period.month is not None:
        beside = {name: Period.of_month(turn(period.month)) for name, turn in _TURNS.items()}
    return visit.page(
        "time.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        title=visit.words("page.time"),
        named=(_period_name(visit, period),),
        days=days,
        more=following,
        period=period,
        wrong=wrong,
        choices=choices,
        beside=beside,
        address=lambda one: query_with(visit, {**one.query, "after": None, "shown": None}),
    )


def _period_name(visit: Visit, period: Period) -> str:
    """Which days, as the title of a tab says it; nothing for all."""
    first, last = period.first, period.last
    if period.month is not None:
        return visit.clock.month(period.month)
    if first and last:
        return visit.clock.days(first, last)
    if first:
        return f"{visit.words('page.time.from')} {visit.clock.day(first)}"
    return f"{visit.words('page.time.to')} {visit.clock.day(last)}" if last else ""


_TURNS = {"previous": last_month, "next": next_month}


def _goes_on(visit: Visit) -> bool:
    """Whether this is put under what is on the page already, and so repeats no heading."""
    headers = visit.request.headers
    return "hx-request" in headers and "hx-boosted" not in headers


# ── pictures ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/time/pictures")
async def pictures(visit: Visit) -> Response:
    """What was learnt by area, moods, and what came and went."""
    oldest = await visit.memory.list(order="oldest", limit=1, history=True, **visit.whose)
    first = visit.clock.here(oldest[0].created_at).date() if oldest else None
    view = chosen(visit.asked("span"), visit.asked("step"), today=_today(visit), oldest=first)
    over = await visit.memory.over_time(since=start_of(view.first, visit.zone), step=view.step, **visit.whose)
    areas, moods, passing = by_area(over), by_mood(over), come_and_gone(over)
    return visit.page(
        "time_pictures.html",
        title=visit.words("page.time.pictures"),
        named=(visit.words(f"page.time.span.{view.span.name}"),) if visit.asked("span") else (),
        view=view,
        spans=SPANS,
        is_empty=not oldest,
        areas=areas,
        moods=moods,
        passing=passing,
        series=series_in(visit.words, (areas, moods, passing)),
        short_month=lambda day: MONTHS[visit.words.language][day.month - 1],
        address=lambda **parts: query_with(visit, parts),
    )


# ── connections ───────────────────────────────────────────────────────────────────────────────────────────────────


@pages.get("/time/graph")
async def graph(visit: Visit) -> Response:
    """An item in the middle of what it is connected to; each leads on."""
    centre = await _centre(visit)
    if centre is None:
        return visit.page("time_graph.html", title=visit.words("page.time.graph"), web=None)
    near = distinct(await _related(visit, centre), [centre], limit=NEAR)
    behind = await gather(*(_related(visit, item) for item in near[:FAR]))
    web = web_around(centre, near, {item.id: found for item, found in zip(near, behind, strict=False)})
    path = walked(visit.asked("path"), centre.id)
    return visit.page(
        "time_graph.html",
        title=visit.words("page.time.graph"),
        named=(centre.content,) if visit.asked("at") else (),
        web=web,
        crumbs=[(item, ",".join(path[:number])) for number, item in enumerate(await _there(visit, path))],
        path=",".join([*path, centre.id][-STEPS_BACK:]),
        people=[(person, person.items[0]) for person in await _people(visit)][:PEOPLE],
    )


async def _centre(visit: Visit) -> KnowledgeItem | None:
    """The item asked for; else, of the newest, the one that names the most others."""
    if wanted := visit.asked("at"):
        return await visit.memory.get(wanted, **visit.whose)
    newest = await visit.memory.list(limit=50, **visit.whose)
    return max(newest, key=lambda item: len(item.related), default=None)


async def _people(visit: Visit) -> Sequence[Person]:
    """Those the newest items tell of, the closest first."""
    about, newest = await gather(
        visit.memory.list(type="person", limit=READ_FOR_PEOPLE, **visit.whose),
        visit.memory.list(limit=READ_FOR_PEOPLE, **visit.whose),
    )
    items = {item.id: item for item in (*about, *newest)}
    return put_together(items.values(), now=visit.now, speaker=visit.user)


async def _related(visit: Visit, item: KnowledgeItem) -> list[KnowledgeItem]:
    return [hit.item for hit in await visit.memory.related(item.id, limit=LOOKED_AT, **visit.whose)]


async def _there(visit: Visit, ids: Iterable[str]) -> list[KnowledgeItem]:
    """Items that are still there, in the order asked."""
    found = []
    for id in ids:
        try:
            found.append(await visit.memory.get(id, **visit.whose))
        except NotFoundError:
            continue
    return found


def walked(path: str, here: str) -> list[str]:
    """The last few ids somebody came by; a walk that comes back to one of them is forgotten from there on."""
    ids = list(dict.fromkeys(id for id in path.split(",") if id))[-STEPS_BACK:]
    return ids[: ids.index(here)] if here in ids else ids


# ── one day ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Then:
    """An item as it was believed on a day, and what became of it since."""

    item: KnowledgeItem
    fate: str = ""  # deleted, replaced or archived, or nothing
    at: datetime | None = None
    successor: KnowledgeItem | None = None


@pages.get("/time/day")
async def day(visit: Visit) -> Response:
    """What was believed when a day ended, and what has changed since."""
    today = _today(visit)
    try:
        chosen_day, wrong = min(read_day(visit.asked("on")) or today, today), False
    except NoDayError:
        chosen_day, wrong = today, True
    area = visit.asked("area") if visit.asked("area") in set(LifeArea) else None
    end = end_of(chosen_day, visit.zone)
    moment = min(end - _TICK, visit.now)
    as_of = moment if chosen_day < today else None  # what is believed now is counted already
    after = visit.asked("after") or None
    limit = unrolled(visit, ITEMS, goes_on=after is not None)
    listing = await visit.memory.list(as_of=as_of, area=area, limit=limit, after=after, **visit.whose)
    counts = await visit.memory.count(as_of=as_of, **visit.whose)
    still = counts if as_of is None else await visit.memory.count(until=moment + _TICK, **visit.whose)
    start = start_of(chosen_day, visit.zone)
    learnt = await visit.memory.list(as_of=as_of, since=start, until=end, limit=LEARNT, **visit.whose)
    on_that_day = await visit.memory.count(as_of=as_of, since=start, until=end, **visit.whose)
    return visit.page(
        "time_day.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        title=visit.words("page.time.day"),
        named=(visit.clock.day(chosen_day), visit.words.name("area", area).capitalize()),
        day=chosen_day,
        today=today,
        wrong=wrong,
        area=area,
        counts=counts,
        changed=max(0, counts.total - still.total),
        learnt=await _since(visit, learnt, moment),
        learnt_in_all=on_that_day.total,
        items=await _since(visit, listing, moment),
        more=None if listing.next is None else more(visit, ITEMS, {"after": listing.next}),
        steps={"week_before": -7 * DAY, "day_before": -DAY, "day_after": DAY, "week_after": 7 * DAY},
        address=lambda **parts: query_with(visit, {"after": None, **parts}),
    )


async def _since(visit: Visit, items: Sequence[KnowledgeItem], moment: datetime) -> list[Then]:
    """Items as they were believed at a moment, each with what became of it."""
    return [await _became(visit, item, moment) for item in items]


async def _became(visit: Visit, item: KnowledgeItem, moment: datetime) -> Then:
    fate, at = fate_after(item, moment)
    return Then(item, fate, at, await _successor(visit, item) if fate == "replaced" else None)


async def _successor(visit: Visit, item: KnowledgeItem) -> KnowledgeItem | None:
    """What holds in its place today: the end of its line; None where that was taken away, or is far off."""
    for _ in range(LONGEST_LINE):
        if item.superseded_by is None:
            break
        found = await _there(visit, [item.superseded_by])
        if not found:
            return None
        item = found[0]
    return item if item.is_current(visit.now) else None


def fate_after(item: KnowledgeItem, moment: datetime) -> tuple[str, datetime | None]:
    """What happened to an item after a moment, the last word first; and when."""
    for fate, at in (
        ("deleted", item.deleted_at),
        ("replaced", item.superseded_at),
        ("archived", item.archived_at),
    ):
        if at is not None and at > moment:
            return fate, at
    return "", None
