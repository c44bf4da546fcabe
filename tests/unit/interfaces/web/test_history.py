"""The history: the timeline, its charts, connections between items, and the memory of one day."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from builders import NOW, a_note, an_id, an_item, kept
from houses import House, a_house
from loops import each
from relembra import Moment, OverTime, Step
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import NoteKind
from relembra.domain.scope import Place
from relembra.errors import InvalidInputError
from relembra.interfaces.web.filters import Period, last_month, next_month, read_day, start_of
from relembra.interfaces.web.history import (
    BAND,
    FAR_EACH,
    ITEMS,
    MOMENTS,
    MOST_LINES,
    MOST_MARKS,
    NEAR,
    WEB_HEIGHT,
    Tie,
    by_area,
    by_day,
    by_mood,
    chosen,
    come_and_gone,
    distinct,
    drawing,
    fate_after,
    marks,
    spacing,
    tie_of,
    walked,
    web_around,
)  # fmt: skip
from relembra.locale import Words
from web_pages import Reader, Seen, a_reader, seen

ADDRESSES = ("/history", "/history/charts", "/history/connections", "/history/day")
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
EN = Words("en", "web", "names")
TODAY = date(2026, 3, 1)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(is_open=True, keys=False, timezone="America/Sao_Paulo") as house:
        yield house


async def happened(house: House, content: str, *, days_ago: float, **parts: object) -> KnowledgeItem:
    """An event that was made known when it happened."""
    house.clock.now = NOW - timedelta(days=days_ago)
    item = await house.memory.add(content, user="ana", type="memory", **parts)  # type: ignore[arg-type]
    house.clock.now = NOW
    return item


async def test_a_life_is_told_by_days_as_charts_as_connections_and_as_it_was_on_a_day(
    house: House, reader: Reader
) -> None:
    for days_ago, said, felt in (
        (150, "Moro em Curitiba.", "Está triste com o trabalho"),
        (90, "Minha irmã Clara mora em Recife e trabalha como enfermeira.", None),
        (40, "Mudei para Florianópolis.", "Está feliz com a casa nova"),
        (3, "Peso 66 quilos.", None),
    ):
        house.clock.now = NOW - timedelta(days=days_ago)
        await house.memory.save(user="ana", said=said, conversation=f"c{days_ago}")
        await house.memory.settle(flush=True)
        if felt is not None:
            await house.memory.add(felt, user="ana", type="emotion", area="mental_health")
    gone = await happened(house, "Corrida no parque", days_ago=60, area="health")
    await house.memory.delete(gone.id, user="ana")
    event = await happened(house, "Show da Marisa", days_ago=3.45, area="leisure")  # 01:12 UTC, the evening before here
    coming = await house.memory.add("Viagem", user="ana", type="memory", held_from=NOW + timedelta(days=2))
    shared = a_note(title="Obra", summary="Obra.", participants=("Ana", "Bia"), place=Place("obra", "geral"))
    await kept(house.memory._store, shared)

    page = await reader.get("/history")
    for told in ("February 2026", "Thursday, February 26, 2026", "22:12", EN("page.history.to_come")):
        assert told in page.text
    assert {f"/item/{event.id}", f"/item/{coming.id}"} <= set(page.links)
    assert page.text.index("Show da Marisa") < page.text.index("Minha irmã Clara")
    assert EN("page.note.empty") in (await reader.get("/history", kind=NoteKind.APPOINTMENT)).text
    talks = await reader.get("/history", kind=NoteKind.CONVERSATION)
    assert ("Peso 66 quilos" in talks.text, "Show da Marisa" in talks.text) == (True, False)

    charts = await reader.get("/history/charts")
    drawings = [given for tag, given in charts.tags if tag == "svg" and given.get("role") == "img"]
    assert len(drawings) == 5  # areas, three moods, come and gone
    assert all(one["aria-label"] for one in drawings)
    assert [tag for tag, _ in charts.tags].count("table") == 3
    assert "deleted 1" in charts.text
    assert "/history/charts?span=year&step=month" in charts.links
    month = await reader.get("/history/charts", span="month")
    assert "/history?from=2026-02-26&to=2026-02-26" in month.links  # a row leads to its day

    [clara] = [item for item in await house.memory.list(user="ana") if item.content == "Clara mora em Recife"]
    web = await reader.get("/history/connections", at=clara.id)
    onward = [link for link in web.links if link.startswith("/history/connections?at=") and "path=" in link]
    assert "Clara é enfermeira" in web.text
    assert EN("page.history.people") in web.text
    assert "Clara mora em Recife" in {given.get("aria-label") for tag, given in web.tags if tag == "a"}
    assert f"path={clara.id}" in onward[0]
    there = await reader.get(onward[0])
    assert f"/history/connections?at={clara.id}#here" in there.links  # the way back
    lost = await reader.get(f"/history/connections?at={clara.id}&path={an_id()},nonsense")
    assert "Clara mora em Recife" in lost.text
    hub = await house.memory.add("Mapa de tudo", user="ana", related=[clara.id, event.id, coming.id])
    await house.memory.add("Novidade", user="ana")
    assert f"/item/{hub.id}" in (await reader.get("/history/connections")).links  # it begins at the best connected

    then = await reader.get("/history/day", on="2025-12-31")
    for told in ("Mora em Curitiba", "replaced on Jan 20", "Mora em Florianópolis", "deleted on Mar 1", "Corrida no"):
        assert told in then.text
    assert "Corrida no parque" not in (await reader.get("/history/day", on="2025-10-03")).text
    assert "Mora em Curitiba" not in (await reader.get("/history/day")).text

    async with a_reader(house, user="bia", language="pt") as other:
        none = ("page.history.none", "page.history.none.charts", "page.history.none.connections", "page.memory.empty")
        for address, key in zip(ADDRESSES, none, strict=True):
            page = await other.get(address)
            assert Words("pt", "web", "names")(key) in page.text
            assert set(ADDRESSES) <= set(page.links)
            assert "Florianópolis" not in page.text
        assert (await other.answer("/history/connections", at=clara.id)).status_code == 404


# ── days and the timeline ─────────────────────────────────────────────────────────────────────────────────────────


def test_days_and_periods_are_read_as_date_fields_send_them() -> None:
    assert (read_day("2026-03-01"), read_day("")) == (date(2026, 3, 1), None)
    for text in ("tomorrow", "2026-02-30", "0001-01-01", "9999-12-31", "<script>"):
        with pytest.raises(InvalidInputError):
            read_day(text)
    assert start_of(date(2026, 3, 1), SAO_PAULO) == datetime(2026, 3, 1, 3, tzinfo=UTC)
    assert next_month(date(2026, 12, 5)) == date(2027, 1, 1)
    assert last_month(date(2026, 1, 31)) == date(2025, 12, 1)
    period = Period.read("2026-02-01", "2026-02-28")
    assert (period.since(UTC), period.until(UTC)) == (
        datetime(2026, 2, 1, tzinfo=UTC),
        datetime(2026, 3, 1, tzinfo=UTC),
    )
    assert (period.month, Period.read("2026-02-01", "2026-02-27").month) == (date(2026, 2, 1), None)
    assert (Period().since(UTC), Period().until(UTC), Period().month) == (None, None, None)


async def test_days_that_cannot_be_are_said_to_be_so_and_kept_in_the_form(house: House, reader: Reader) -> None:
    for content, days_ago in (("Antes", 40), ("Dentro", 20), ("Depois", 2)):
        await happened(house, content, days_ago=days_ago)
    page = await reader.get("/history", **{"from": "2026-02-01", "to": "2026-02-15"})
    assert [word in page.text for word in ("Antes", "Dentro", "Depois")] == [False, True, False]
    empty = await reader.get("/history", **{"from": "2020-01-01", "to": "2020-01-31"})
    assert EN("page.history.none.period") in empty.text
    assert "/history?from=2019-12-01&to=2019-12-31" in empty.links  # the month before, for a whole month was asked for
    for first, last in (("x", ""), ("2026-03-02", "2026-03-01"), ("", "0001-01-01")):
        answer = await reader.answer("/history", **{"from": first, "to": last})
        assert answer.status_code == 422
        assert EN("page.history.wrong") in seen(answer).text
        assert seen(answer).forms["/history"] == {"from": first, "to": last}
    assert (await reader.answer("/history/day", on="2026-02-30")).status_code == 422


async def test_more_is_shown_page_by_page_without_gaps_or_doubles(house: House, reader: Reader) -> None:
    for number in range(MOMENTS + 5):
        await happened(house, f"Evento {number}", days_ago=number / 10)
    first = await reader.get("/history")
    [more] = {link for link in first.links if "after=" in link}
    rest = await reader.get(more)
    part = seen(await reader.client.get(more, headers={"HX-Request": "true"}))
    told = [re.findall(r"Evento \d+", page.text) for page in (first, rest)]
    assert told[0] + told[1] == [f"Evento {number}" for number in range(MOMENTS + 5)]
    assert rest.text.count("February 2026") > part.text.count("February 2026")  # headings that stand there already

    def listed(page: Seen) -> list[str]:
        return re.findall(r"Evento \d+", page.text.split(EN("page.history.known_then"))[1])

    day = await reader.get("/history/day")
    [more] = {link for link in day.links if "after=" in link}
    assert len(listed(day)) == ITEMS
    assert listed(day) + listed(await reader.get(more)) == [f"Evento {number}" for number in range(MOMENTS + 5)]


def test_headings_are_not_repeated_where_a_list_goes_on() -> None:
    moments = [Moment(at=NOW - timedelta(days=at), item=an_item(held_from=NOW - timedelta(days=at))) for at in range(3)]
    days = by_day(moments, zone=SAO_PAULO)
    assert [(day.starts_month, day.starts_day) for day in days] == [(True, True), (True, True), (False, True)]
    going_on = by_day(moments[1:], zone=SAO_PAULO, shown=days[1].day)
    assert [(day.starts_month, day.starts_day) for day in going_on] == [(False, False), (False, True)]


# ── charts ────────────────────────────────────────────────────────────────────────────────────────────────────────

WEEKS = OverTime(
    step="week",
    zone="UTC",
    steps=(
        Step(start=date(2026, 2, 9), learnt={"career": 1, "health": 2, None: 1}, moods={"glad": 2}),
        Step(start=date(2026, 2, 16)),
        Step(start=date(2026, 2, 23), learnt={"health": 1}, ended=1, archived=2, deleted=3, faded=4, moods={"hard": 1}),
    ),
)


def test_charts_count_what_was_learnt_felt_and_lost() -> None:
    areas, moods, passing = by_area(WEEKS), by_mood(WEEKS), come_and_gone(WEEKS)
    assert areas.totals == {"health": 3, "career": 1, "none": 1}
    columns = [[name for name, _, _ in column] for column in areas.drawings[""].columns]
    assert columns == [["health", "career", "none"], [], ["health"]]
    assert list(moods.drawings) == ["glad", "neither", "hard"]
    assert len({tuple(one.lines) for one in moods.drawings.values()}) == 1  # on one scale
    assert passing.totals == {"learnt": 5, "ended": 1, "archived": 2, "deleted": 3, "faded": 4}
    assert [row.end for row in passing.rows][::2] == [date(2026, 2, 15), date(2026, 3, 1)]
    month = OverTime(step="month", zone="UTC", steps=(Step(start=date(2026, 2, 1), learnt={"health": 1}),))
    assert by_area(month).rows[0].end == date(2026, 2, 28)


def test_columns_grow_from_the_line_and_stay_within_the_drawing() -> None:
    for most in (1, 3, 17, 999, 1_000_000):
        drawn = drawing([{"a": most, "b": 1}, {}, {"c": most // 2 + 1}], ["a", "b"], ["c"])
        [zero] = [y for y, number in drawn.lines if number == 0]
        (a, b), nothing, (c,) = drawn.columns
        assert a[1] + a[2] == pytest.approx(zero, abs=0.01)
        assert b[1] + b[2] == pytest.approx(a[1], abs=0.01)
        assert c[1] == pytest.approx(zero, abs=0.01)
        assert not nothing
        assert b[1] >= 0
        assert c[1] + c[2] <= drawn.height
        assert most <= spacing(most) * MOST_LINES
    assert drawing([{"a": 1}], ["a"], height=BAND, most=8).columns[0][0][2] < BAND / 4


def test_few_days_are_marked_under_a_chart() -> None:
    found = marks([date(2025, 9, 1) + timedelta(days=7 * number) for number in range(52)])
    assert len(found) <= MOST_MARKS
    assert [(day.month, with_year) for _, day, with_year in found][:2] == [(9, True), (11, False)]
    assert len(marks([TODAY + timedelta(days=number) for number in range(20)])) <= MOST_MARKS


@each([
    (0, "", "", ("month", "day", 6)),
    (90, "", "", ("quarter", "week", 84)),
    (800, "", "", ("year", "week", 364)),
    (300, "all", "week", ("all", "week", 300)),
    (2000, "all", "week", ("all", "month", 2000)),
    (300, "<b>", "<i>", ("year", "week", 300)),
])  # fmt: skip
def test_charts_fit_the_age_of_a_memory(days: int, span: str, step: str, view: tuple[str, str, int]) -> None:
    found = chosen(span, step, today=TODAY, oldest=TODAY - timedelta(days=days))
    assert (found.span, found.step, (TODAY - found.first).days) == view
    assert chosen("", "", today=TODAY, oldest=None).span == "month"


# ── connections ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_web_is_bounded_and_holds_nobody_twice() -> None:
    near = [an_item(content=f"perto {number}") for number in range(NEAR + 4)]
    behind = {item.id: [*near, *(an_item(content=f"{item.content} {at}") for at in range(5))] for item in near}
    web = web_around(an_item(content="meio"), near, behind)
    assert len(web.nodes) == len({node.item.id for node in web.nodes}) == 1 + NEAR + NEAR * FAR_EACH
    assert len({(node.x, node.y) for node in web.nodes}) == len(web.nodes)
    assert all(0 < node.x < 100 and 0 < node.y < WEB_HEIGHT and node.lines for node in web.nodes)
    assert all(len(line) <= 24 for node in web.nodes for line in node.lines)


def test_edges_lead_from_ring_to_ring_and_within_one_unless_only_alike() -> None:
    centre, far = an_item(content="a"), an_item(content="e")
    clara, nurse = an_item(content="b", subject="Clara"), an_item(content="c", subject="clara")
    everybody = [clara, nurse, an_item(content="d"), an_item(content="D")]
    assert distinct([*everybody, centre], [centre], limit=6) == everybody[:3]
    web = web_around(centre, everybody, {item.id: [*everybody, far] for item in everybody})
    beside = [edge for edge in web.edges if edge.one.ring == edge.other.ring]
    assert [(edge.one.item, edge.other.item, edge.tie) for edge in beside] == [(clara, nurse, Tie.PERSON)]
    assert [node.item for _, node in web.around(web.nodes[0])] == everybody[:3]
    assert [node.item for _, node in web.around(web.nodes[1])] == [far]
    assert web.ties == [Tie.PERSON, Tie.ALIKE]


@each([
    ({"id": an_id(1)}, {"related": (an_id(1),), "subject": "Clara"}, Tie.LINKED),
    ({"subject": "Clara", "note_id": "n"}, {"subject": "CLARA", "note_id": "n"}, Tie.PERSON),
    ({"note_id": "n"}, {"note_id": "n"}, Tie.TOLD),
    ({"message_ids": ("m", "l")}, {"message_ids": ("m",)}, Tie.TOLD),
    ({"subject": "self"}, {"subject": "self"}, Tie.ALIKE),
])  # fmt: skip
def test_the_strongest_tie_is_told_either_way(one: dict[str, object], other: dict[str, object], tie: Tie) -> None:
    first, second = an_item(**one), an_item(**other)
    assert tie_of(first, second) is tie_of(second, first) is tie


def test_a_walk_remembers_its_last_steps_and_comes_back() -> None:
    assert walked("a,b,c", "d") == ["a", "b", "c"]
    assert walked("a,b,c", "b") == ["a"]
    assert walked(",".join("abcdefgh"), "x") == list("defgh")


# ── one day ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_neighbouring_days_and_areas_are_one_step_away_but_none_to_come(house: House, reader: Reader) -> None:
    await happened(house, "Corrida", days_ago=3, area="health")
    await happened(house, "Reunião", days_ago=3, area="career")
    page = await reader.get("/history/day", on="2026-02-27", area="health")
    future = await reader.get("/history/day", on="2026-12-24", area="<b>")
    links = [link for link in page.links if link.startswith("/history/day?")]
    days = {found[0] for link in links if (found := re.findall(r"on=([\d-]+)", link))}
    assert {"2026-02-20", "2026-02-26", "2026-02-28"} <= days
    assert "2026-03-06" not in days
    assert "area=health" in next(link for link in links if "on=2026-02-26" in link)
    assert ("Corrida" in page.text, "Reunião" in page.text, "Reunião" in future.text) == (True, False, True)
    assert "Sunday, March 1, 2026" in future.text
    assert EN("page.history.none.day.area") in (await reader.get("/history/day", area="finance")).text


def test_what_became_of_an_item_is_told_only_if_it_came_later() -> None:
    later, earlier = NOW + timedelta(days=1), NOW - timedelta(days=1)
    assert fate_after(an_item(deleted_at=later, superseded_at=later), NOW) == ("deleted", later)
    assert fate_after(an_item(superseded_at=later), NOW) == ("replaced", later)
    assert fate_after(an_item(archived_at=later), NOW) == ("archived", later)
    assert fate_after(an_item(superseded_at=earlier), NOW) == ("", None)
