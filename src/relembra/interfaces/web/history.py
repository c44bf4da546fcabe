"""History: what happened on which day, charts, connections between items, and the memory as it was one day."""

from __future__ import annotations

import textwrap
from asyncio import gather
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from http import HTTPStatus
from math import cos, radians, sin
from typing import Any, NamedTuple

from starlette.responses import Response

from relembra.domain.knowledge import SELF, KnowledgeItem, LifeArea
from relembra.domain.message import NoteKind
from relembra.domain.text import fold, visible_line
from relembra.errors import InvalidInputError, NotFoundError
from relembra.interfaces.web.filters import DAY, Paging, Period, last_month, next_month, read_day, start_of
from relembra.interfaces.web.visits import Pages, Visit
from relembra.recall.rendering import MONTHS
from relembra.views.people import people as put_together
from relembra.views.survey import Moment, OverTime

pages = Pages()

MOMENTS = 40
ITEMS = 30


# ── timeline ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Day:
    """A day and what happened on it; headings that are on the page already are not repeated."""

    day: date
    starts_day: bool
    starts_month: bool
    moments: list[Moment] = field(default_factory=list)


@pages.get("/history")
async def timeline(visit: Visit) -> Response:
    """Notes and events under their days, newest first; with `kind`, the notes of one kind."""
    kind, paging = visit.chosen("kind", NoteKind), Paging(visit, MOMENTS)
    try:
        period, wrong = Period.read(visit.asked("from"), visit.asked("to")), False
        shown = read_day(visit.asked("shown")) if visit.is_fragment else None
    except InvalidInputError:
        period, wrong, shown = Period(), True, None
    moments: Sequence[Moment]
    if kind:
        notes = await visit.memory.notes(kind=kind, **paging.portion, **visit.whose)
        moments, onward = [Moment(at=note.happened_at, note=note) for note in notes], notes.next
    else:
        since, until = period.since(visit.zone), period.until(visit.zone)
        listing = await visit.memory.timeline(since=since, until=until, **paging.portion, **visit.whose)
        moments, onward = listing, listing.next
    days = by_day(moments, zone=visit.zone, shown=shown)
    return visit.page(
        "history.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        days=days,
        more=paging.more(onward, shown=days[-1].day.isoformat()) if days else None,
        kind=kind or "",
        period=period,
        wrong=wrong,
        choices={
            "all": Period(),
            "month": Period.of_month(visit.today),
            "last_month": Period.of_month(last_month(visit.today)),
            "year": Period.of_year(visit.today),
        },
        beside=period.month and [Period.of_month(turn(period.month)) for turn in (last_month, next_month)],
        others=lambda user, names: [name for name in names if fold(name) != fold(user)],
    )


def by_day(moments: Sequence[Moment], *, zone: tzinfo, shown: date | None = None) -> list[Day]:
    """Moments, newest first, under their days; `shown`: the last day already on the page."""
    days: list[Day] = []
    before = shown
    for moment in moments:
        day = moment.at.astimezone(zone).date()
        if not days or days[-1].day != day:
            is_new_month = before is None or (before.year, before.month) != (day.year, day.month)
            days.append(Day(day, day != before, is_new_month))
            before = day
        days[-1].moments.append(moment)
    return days


# ── charts ────────────────────────────────────────────────────────────────────────────────────────────────────────

HEIGHT, BAND = 216, 64
MOST_LINES, MOST_MARKS = 4, 6
NO_AREA = "none"
"""The series of items of no area, also the name of its colour."""
AREAS = (*(area.value for area in LifeArea), NO_AREA)
MOODS = ("glad", "neither", "hard")
LEARNT, GONE = "learnt", ("ended", "archived", "deleted", "faded")
SPANS: dict[str, tuple[int | None, tuple[str, ...]]] = {
    "month": (30, ("day",)),
    "quarter": (12 * 7, ("week",)),
    "year": (364, ("week", "month")),
    "all": (None, ("month",)),
}
"""How many days back charts may go (None: all), and the steps each may be cut into, the usual one first."""
_ALL_DAYS = 390 * 28  # the engine gives 400 steps at most
_TOP = 10  # room for the number at the highest line
_STEP_DAYS = {"day": 1, "week": 7, "month": 30}
_FEWEST_STEPS = 6  # before today's, however young a memory is


class View(NamedTuple):
    """The stretch of time and the steps that are shown."""

    span: str
    step: str
    first: date
    steps: tuple[str, ...]  # what else it may be cut into


class Row(NamedTuple):
    """One step in numbers; `end` is its last day."""

    start: date
    end: date
    counts: Mapping[str, int]


class Drawing(NamedTuple):
    """Columns of stacked bars, `(series, y, height)`, between lines, `(y, number)`."""

    height: int
    columns: Sequence[Sequence[tuple[str, float, float]]]
    lines: Sequence[tuple[float, int]]


class Chart(NamedTuple):
    """Drawings, by the series a strip is about ("" for all in one), and the numbers behind them."""

    drawings: Mapping[str, Drawing]
    series: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def totals(self) -> dict[str, int]:
        return {name: sum(row.counts[name] for row in self.rows) for name in self.series}


@pages.get("/history/charts")
async def charts(visit: Visit) -> Response:
    """What was learnt by area, moods, and what came and went."""
    oldest = await visit.memory.list(order="oldest", limit=1, history=True, **visit.whose)
    first = visit.clock.here(oldest[0].created_at).date() if oldest else None
    view = chosen(visit.asked("span"), visit.asked("step"), today=visit.today, oldest=first)
    over = await visit.memory.over_time(since=start_of(view.first, visit.zone), step=view.step, **visit.whose)
    return visit.page(
        "history_charts.html",
        view=view,
        spans=SPANS,
        is_empty=not oldest,
        charts={"areas": by_area(over), "moods": by_mood(over), "passing": come_and_gone(over)},
        marks=marks([step.start for step in over.steps]),
        months=MONTHS[visit.words.language],
    )


def chosen(span: str, step: str, *, today: date, oldest: date | None) -> View:
    """The stretch and the steps asked for, or those that fit the age of a memory."""
    age = (today - oldest).days if oldest else 0
    if span not in SPANS:
        span = "month" if age <= 35 else "quarter" if age <= 100 else "year"
    days, steps = SPANS[span]
    if days is None and age <= 2 * 365:
        steps = ("month", "week")
    cut = step if step in steps else steps[0]
    back = max(min(age, days or _ALL_DAYS), _FEWEST_STEPS * _STEP_DAYS[cut])
    return View(span, cut, today - timedelta(days=back), steps)


def by_area(over: OverTime) -> Chart:
    """What was learnt, area upon area."""
    counts = [{area or NO_AREA: number for area, number in step.learnt.items()} for step in over.steps]
    found = tuple(area for area in AREAS if any(step.get(area) for step in counts))
    return _chart(over, counts, found, {"": drawing(counts, found)})


def by_mood(over: OverTime) -> Chart:
    """How often glad, hard and other feelings were told: a strip each, on one scale."""
    counts = [dict(step.moods) for step in over.steps]
    most = max((number for step in counts for number in step.values()), default=1)
    return _chart(over, counts, MOODS, {mood: drawing(counts, [mood], height=BAND, most=most) for mood in MOODS})


def come_and_gone(over: OverTime) -> Chart:
    """What was learnt above the line, and below it what was replaced, archived, deleted or faded."""
    counts = [
        {LEARNT: sum(step.learnt.values()), **{name: getattr(step, name) for name in GONE}} for step in over.steps
    ]
    return _chart(over, counts, (LEARNT, *GONE), {"": drawing(counts, [LEARNT], GONE)})


def _chart(
    over: OverTime, counts: Sequence[Mapping[str, int]], series: tuple[str, ...], drawings: Mapping[str, Drawing]
) -> Chart:
    def last(day: date) -> date:
        return next_month(day) - DAY if over.step == "month" else day + DAY * (6 if over.step == "week" else 0)

    rows = tuple(
        Row(step.start, last(step.start), {name: held.get(name, 0) for name in series})
        for step, held in zip(over.steps, counts, strict=True)
    )
    return Chart(drawings, series, rows)


def drawing(
    steps: Sequence[Mapping[str, int]],
    above: Sequence[str],
    below: Sequence[str] = (),
    *,
    height: int = HEIGHT,
    most: int | None = None,
) -> Drawing:
    """Each step as a column of its series: `above` the line upwards, `below` downwards; `most`: a given highest."""

    def highest(series: Sequence[str]) -> int:
        return max((sum(step.get(name, 0) for name in series) for step in steps), default=0)

    up, down = highest(above) if most is None else most, highest(below)
    each = spacing(max(up, down, 1), lines=MOST_LINES if height > BAND else 1)
    ups, downs = max(1, -(-up // each)), -(-down // each)
    pixels = (height - _TOP - (_TOP if downs else 0)) / ((ups + downs) * each)
    zero = _TOP + ups * each * pixels

    def stacked(step: Mapping[str, int], series: Sequence[str], way: float) -> list[tuple[str, float, float]]:
        bars, at = [], zero
        for name in series:
            if amount := step.get(name, 0):
                end = at + amount * way
                bars.append((name, round(min(at, end), 3), round(abs(end - at), 3)))
                at = end
        return bars

    return Drawing(
        height,
        [[*stacked(step, above, -pixels), *stacked(step, below, pixels)] for step in steps],
        [(round(zero - number * each * pixels, 3), abs(number) * each) for number in range(ups, -downs - 1, -1)],
    )


def spacing(most: int, *, lines: int = MOST_LINES) -> int:
    """How far apart lines stand, as a round number, for at most so many to reach `most`."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power * lines >= most:
                return digit * power
        power *= 10


def marks(days: Sequence[date]) -> list[tuple[float, date, bool]]:
    """The days to write under a chart, few enough for a phone: where (in percent), which, and whether with its year."""
    turns = [number for number, day in enumerate(days) if day.day == 1 or (number and day.day < days[number - 1].day)]
    picked = turns if len(turns) > 1 else list(range(len(days)))
    found: list[tuple[float, date, bool]] = []
    for number in picked[:: max(1, -(-len(picked) // MOST_MARKS))]:
        is_new_year = not found or days[number].year != found[-1][1].year
        found.append((round((number + 0.5) * 100 / len(days), 3), days[number], is_new_year and len(turns) > 1))
    return found


# ── connections ───────────────────────────────────────────────────────────────────────────────────────────────────

WEB_HEIGHT = 620
NEAR, FAR_EACH = 6, 2
"""At most so many stand around the centre, and behind each of those."""
FAR = 4
"""How many of the nearest are asked what stands behind them."""
LOOKED_AT = 12
"""How many related items are asked for: of some that say the same only one is shown."""
PEOPLE, READ_FOR_PEOPLE = 12, 100
STEPS_BACK = 5
_MIDDLE = WEB_HEIGHT / 2 - 14  # labels stand under their nodes
_RINGS = ((0.0, 0.0), (28.0, 176.0), (42.5, 268.0))  # percent across, pixels down
_LABELS = ((24, 2), (18, 2), (17, 1))  # characters of a line, and lines
_APART = 15.0  # degrees from the one they stand behind
_LETTER = 7


class Tie(StrEnum):
    """How two items are connected."""

    LINKED = "linked"  # one names the other
    PERSON = "person"  # both are about one person
    TOLD = "told"  # they were learnt from the same conversation
    ALIKE = "alike"  # they mean something alike


@dataclass(frozen=True, slots=True)
class Node:
    """An item's place; `ring`: 0 in the middle, 1 around it, 2 behind those."""

    item: KnowledgeItem
    ring: int
    x: float
    y: float
    lines: tuple[str, ...]  # its words, cut to what fits under it

    @property
    def width(self) -> int:
        """About how many pixels its words take."""
        return max(map(len, self.lines), default=0) * _LETTER + 6


class Edge(NamedTuple):
    one: Node
    other: Node
    tie: Tie


@dataclass(frozen=True, slots=True)
class Web:
    """The centre first, then the rings."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]

    @property
    def ties(self) -> list[Tie]:
        there = {edge.tie for edge in self.edges}
        return [tie for tie in Tie if tie in there]

    def around(self, node: Node) -> list[tuple[Tie, Node]]:
        """The nodes of the next ring that hang on one."""
        return [(edge.tie, edge.other) for edge in self.edges if edge.one == node and edge.other.ring > node.ring]


@pages.get("/history/connections")
async def connections(visit: Visit) -> Response:
    """An item in the middle of what it is connected to; each leads on."""
    if wanted := visit.asked("at"):
        centre = await visit.memory.get(wanted, **visit.whose)
    else:  # of the newest, the one that names the most others
        newest = await visit.memory.list(limit=50, **visit.whose)
        if not newest:
            return visit.page("history_connections.html", web=None)
        centre = max(newest, key=lambda item: len(item.related))
    near = distinct(await _related(visit, centre), [centre], limit=NEAR)
    behind = await gather(*(_related(visit, item) for item in near[:FAR]))
    path = walked(visit.asked("path"), centre.id)
    return visit.page(
        "history_connections.html",
        web=web_around(centre, near, {item.id: found for item, found in zip(near, behind, strict=False)}),
        height=WEB_HEIGHT,
        crumbs=[(item, ",".join(path[:number])) for number, item in enumerate(await _there(visit, path))],
        path=",".join([*path, centre.id][-STEPS_BACK:]),
        people=await _people(visit),
    )


async def _people(visit: Visit) -> list[tuple[Any, KnowledgeItem]]:
    """People to start from, found in the newest items, the closest first."""
    about, newest = await gather(
        visit.memory.list(type="person", limit=READ_FOR_PEOPLE, **visit.whose),
        visit.memory.list(limit=READ_FOR_PEOPLE, **visit.whose),
    )
    items = {item.id: item for item in (*about, *newest)}
    found = put_together(items.values(), now=visit.now, speaker=visit.user)
    return [(person, person.items[0]) for person in found][:PEOPLE]


async def _related(visit: Visit, item: KnowledgeItem) -> list[KnowledgeItem]:
    return [hit.item for hit in await visit.memory.related(item.id, limit=LOOKED_AT, **visit.whose)]


async def _there(visit: Visit, ids: Iterable[str]) -> list[KnowledgeItem]:
    """Items that are still there, in the order asked."""
    found = []
    for id in ids:
        with suppress(NotFoundError):
            found.append(await visit.memory.get(id, **visit.whose))
    return found


def walked(path: str, here: str) -> list[str]:
    """The last few ids somebody came by; a walk that comes back to one of them is forgotten from there on."""
    ids = list(dict.fromkeys(id for id in path.split(",") if id))[-STEPS_BACK:]
    return ids[: ids.index(here)] if here in ids else ids


def web_around(
    centre: KnowledgeItem, near: Sequence[KnowledgeItem], behind: Mapping[str, Sequence[KnowledgeItem]]
) -> Web:
    """An item, those related to it and, by the id of each of these, those related to them."""
    nodes, edges = [_node(centre, 0, 0)], list[Edge]()
    around = distinct(near, [centre], limit=NEAR)
    for number, item in enumerate(around):
        nodes.append(_node(item, 1, number * 360 / len(around)))
        edges.append(Edge(nodes[0], nodes[-1], tie_of(centre, item)))
    ring = nodes[1:]
    for number, node in enumerate(ring):
        others = behind.get(node.item.id, ())
        related = {item.id for item in others}
        beside = [(other, tie_of(node.item, other.item)) for other in ring[number + 1 :] if other.item.id in related]
        # Mere likeness within a ring would be a line from each to each.
        edges += [Edge(node, other, tie) for other, tie in beside if tie is not Tie.ALIKE]
        fresh = distinct(others, [placed.item for placed in nodes], limit=FAR_EACH)
        for at, item in enumerate(fresh):
            turn = _APART * (2 * at - len(fresh) + 1)
            nodes.append(_node(item, 2, number * 360 / len(ring) + turn))
            edges.append(Edge(node, nodes[-1], tie_of(node.item, item)))
    return Web(nodes, edges)


def distinct(items: Sequence[KnowledgeItem], told: Sequence[KnowledgeItem], *, limit: int) -> list[KnowledgeItem]:
    """The first few that are not there yet, each saying something else."""
    ids, words = {item.id for item in told}, {fold(item.content) for item in told}
    found: list[KnowledgeItem] = []
    for item in items:
        if len(found) < limit and item.id not in ids and fold(item.content) not in words:
            ids.add(item.id)
            words.add(fold(item.content))
            found.append(item)
    return found


def tie_of(one: KnowledgeItem, other: KnowledgeItem) -> Tie:
    """The strongest connection of two related items."""
    if other.id in one.related or one.id in other.related:
        return Tie.LINKED
    if one.subject != SELF and fold(one.subject) == fold(other.subject):
        return Tie.PERSON
    if (one.note_id and one.note_id == other.note_id) or set(one.message_ids) & set(other.message_ids):
        return Tie.TOLD
    return Tie.ALIKE


def _node(item: KnowledgeItem, ring: int, degrees: float) -> Node:
    """An item on a ring, so many degrees from straight up."""
    turn, (across, down) = radians(degrees - 90), _RINGS[ring]
    x, y = 50 + across * cos(turn), _MIDDLE + down * sin(turn)
    width, most = _LABELS[ring]
    lines = textwrap.wrap(visible_line(item.content), width, max_lines=most, placeholder="…")
    return Node(item, ring, round(x, 2), round(y, 1), tuple(lines))


# ── one day ───────────────────────────────────────────────────────────────────────────────────────────────────────

LEARNT_SHOWN = 12
"""How many of the things learnt on a day are shown before all that was known then."""
LONGEST_LINE = 20
_TICK = timedelta(microseconds=1)


class Then(NamedTuple):
    """An item as it was believed on a day, and what became of it since: deleted, replaced, archived or nothing."""

    item: KnowledgeItem
    fate: str
    at: datetime | None
    successor: KnowledgeItem | None


@pages.get("/history/day")
async def day(visit: Visit) -> Response:
    """What was believed when a day ended, and what has changed since."""
    try:
        chosen_day, wrong = min(read_day(visit.asked("on")) or visit.today, visit.today), False
    except InvalidInputError:
        chosen_day, wrong = visit.today, True
    area, paging = visit.chosen("area", LifeArea), Paging(visit, ITEMS)
    start, end = start_of(chosen_day, visit.zone), start_of(chosen_day + DAY, visit.zone)
    moment = min(end - _TICK, visit.now)
    as_of = moment if chosen_day < visit.today else None  # what is believed now is counted already
    listing = await visit.memory.list(as_of=as_of, area=area, **paging.portion, **visit.whose)
    counts = await visit.memory.count(as_of=as_of, **visit.whose)
    still = counts if as_of is None else await visit.memory.count(until=moment + _TICK, **visit.whose)
    learnt = await visit.memory.list(as_of=as_of, since=start, until=end, limit=LEARNT_SHOWN, **visit.whose)
    on_that_day = await visit.memory.count(as_of=as_of, since=start, until=end, **visit.whose)
    return visit.page(
        "history_day.html",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        day=chosen_day,
        wrong=wrong,
        area=area,
        counts=counts,
        changed=max(0, counts.total - still.total),
        learnt=[await _became(visit, item, moment) for item in learnt],
        learnt_in_all=on_that_day.total,
        items=[await _became(visit, item, moment) for item in listing],
        more=paging.more(listing.next),
        steps={"week_before": -7 * DAY, "day_before": -DAY, "day_after": DAY, "week_after": 7 * DAY},
    )


async def _became(visit: Visit, item: KnowledgeItem, moment: datetime) -> Then:
    fate, at = fate_after(item, moment)
    return Then(item, fate, at, await _successor(visit, item) if fate == "replaced" else None)


async def _successor(visit: Visit, item: KnowledgeItem) -> KnowledgeItem | None:
    """What is current in its place today; None where that was taken away, or is far off."""
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
    for fate, at in (("deleted", item.deleted_at), ("replaced", item.superseded_at), ("archived", item.archived_at)):
        if at is not None and at > moment:
            return fate, at
    return "", None
