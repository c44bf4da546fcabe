"""The pages about time, in both languages."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from builders import NOW, a_note, an_id, an_item, kept
from houses import ELSEWHERE, House, a_house
from relembra import Moment
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import NoteKind
from relembra.domain.scope import Place
from relembra.interfaces.web.happenings import by_day, happening
from relembra.interfaces.web.visits import PASS
from relembra.interfaces.web.when import ITEMS, MOMENTS, STEPS_BACK, fate_after, walked
from web_pages import Seen, a_reader, seen

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
ADDRESSES = ("/time", "/time/pictures", "/time/graph", "/time/day")
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
LANGUAGES = pytest.mark.parametrize("language", ["en", "pt"])


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(is_open=True, keys=False, timezone="America/Sao_Paulo") as house:
        yield house


async def happened(house: House, content: str, *, days_ago: float, **parts: object) -> KnowledgeItem:
    """An event that was made known when it happened."""
    now = house.clock.now
    house.clock.now = NOW - timedelta(days=days_ago)
    item = await house.memory.add(content, user="ana", type="memory", **parts)  # type: ignore[arg-type]
    house.clock.now = now
    return item


async def some_life(house: House) -> None:
    """Half a year: moves, feelings, a person, something deleted."""
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
    house.clock.now = NOW
    gone = await happened(house, "Corrida no parque", days_ago=60, area="health")
    await house.memory.delete(gone.id, user="ana")


def labels(page: Seen, kind: str) -> list[str]:
    return [given["aria-label"] for tag, given in page.tags if tag == kind and "aria-label" in given]


def with_class(page: Seen, tag: str, name: str) -> list[dict[str, str]]:
    return [given for found, given in page.tags if found == tag and name in given.get("class", "").split()]


# ── all of them ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "empty"),
    [
        ("en", ("Nothing happened here yet", "No pictures yet", "No connections yet", "Nothing is known yet")),
        (
            "pt",
            (
                "Ainda não aconteceu nada aqui",
                "Ainda não há gráficos",
                "Ainda não há conexões",
                "Ainda não se sabe nada",
            ),
        ),
    ],
)
async def test_an_empty_memory_says_so(house: House, language: str, empty: tuple[str, ...]) -> None:
    async with a_reader(house, language=language) as reader:
        for address, sentence in zip(ADDRESSES, empty, strict=True):
            assert sentence in (await reader.get(address)).text


@pytest.mark.parametrize(
    ("language", "then", "alone", "above"),
    [
        ("en", "Your memory began later.", "Nothing is connected to this yet.", "Choose somebody above"),
        ("pt", "Sua memória começou depois.", "Nada se liga a isto ainda.", "Escolha alguém acima"),
    ],
)
async def test_nobody_is_sent_to_a_later_day_or_a_person_that_is_not_there(
    house: House, language: str, then: str, alone: str, above: str
) -> None:
    async with a_reader(house, language=language) as reader:
        assert then not in (await reader.get("/time/day")).text
        await house.memory.add("Mora em Olinda", user="ana")
        assert then in (await reader.get("/time/day", on="2020-01-01")).text
        page = await reader.get("/time/graph")
        assert alone in page.text
        assert above not in page.text


@LANGUAGES
async def test_each_page_leads_to_the_others_and_says_which_it_is(house: House, language: str) -> None:
    await some_life(house)
    async with a_reader(house, language=language) as reader:
        for address in ADDRESSES:
            page = await reader.get(address)
            tabs = [given for tag, given in page.tags if tag == "a" and given.get("href") in ADDRESSES]
            chosen = [tab["href"] for tab in tabs if tab.get("aria-current") == "page"]
            assert address in chosen
            assert set(ADDRESSES) <= {tab["href"] for tab in tabs}
            assert [tag for tag, _ in page.tags].count("h1") == 1


async def test_nothing_remembered_becomes_markup(house: House) -> None:
    await happened(house, HOSTILE, days_ago=2, area="health")
    other = await house.memory.add(f"outra {HOSTILE}", user="ana", type="person", subject=HOSTILE, attribute="relation")
    await kept(house.memory._store, a_note(title=HOSTILE, summary=f"{HOSTILE} too", participants=(HOSTILE,)))
    async with a_reader(house) as reader:
        for address in (*ADDRESSES, f"/time/graph?at={other.id}&path={HOSTILE}", f"/time?from={HOSTILE}"):
            answer = await reader.client.get(address)
            assert answer.status_code in (200, 422)
            assert "<script>alert" not in answer.text
            assert "<img src=x" not in answer.text


async def test_another_persons_time_is_not_shown(house: House) -> None:
    await some_life(house)
    [item, *_] = await house.memory.list(user="ana")
    async with a_reader(house, user="bia") as reader:
        for address in ADDRESSES:
            assert "Florianópolis" not in (await reader.answer(address)).text
        assert (await reader.answer("/time/graph", at=item.id)).status_code == 404


async def test_whoever_may_only_read_is_offered_nothing_that_writes() -> None:
    async with a_house() as house, house.client(peer=ELSEWHERE) as client:
        carried = await house.memory.page_pass(house.secrets["ana-read"])
        assert carried is not None
        client.cookies.set(PASS, carried)
        for address in ADDRESSES:
            answer = await client.get(address)
            assert answer.status_code == 200
            assert "/add" not in seen(answer).links


# ── what happened ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "month", "day", "kind"),
    [
        ("en", "February 2026", "Thursday, February 26, 2026", "conversation"),
        ("pt", "Fevereiro de 2026", "quinta-feira, 26 de fevereiro de 2026", "conversa"),
    ],
)
async def test_notes_and_events_stand_under_their_days(
    house: House, language: str, month: str, day: str, kind: str
) -> None:
    await some_life(house)
    event = await happened(house, "Show da Marisa", days_ago=3, area="leisure")
    async with a_reader(house, language=language) as reader:
        page = await reader.get("/time")
    assert month in page.text
    assert day in page.text
    assert kind in page.text
    assert f"/item/{event.id}" in page.links
    assert any(link.startswith("/notes/") for link in page.links)
    assert page.text.index("Show da Marisa") < page.text.index("Minha irmã Clara")


async def test_days_are_those_of_the_readers_clock(house: House) -> None:
    await happened(house, "Festa", days_ago=0.45)  # 01:12 in Greenwich, the evening before here
    async with a_reader(house) as reader:
        page = await reader.get("/time")
    assert "Saturday, February 28, 2026" in page.text
    assert "22:12" in page.text


async def test_a_range_of_days_leaves_out_the_others(house: House) -> None:
    await happened(house, "Antes", days_ago=40)
    await happened(house, "Dentro", days_ago=20)
    await happened(house, "Depois", days_ago=2)
    async with a_reader(house) as reader:
        page = await reader.get("/time", **{"from": "2026-02-01", "to": "2026-02-15"})
        assert "Dentro" in page.text
        assert "Antes" not in page.text
        assert "Depois" not in page.text
        empty = await reader.get("/time", **{"from": "2020-01-01", "to": "2020-01-31"})
    assert "Nothing in these days" in empty.text
    assert "/time?from=2019-12-01&to=2019-12-31" in empty.links  # the month before, for a whole month was asked for


@pytest.mark.parametrize(("first", "last"), [("x", ""), ("2026-03-02", "2026-03-01"), ("", "0001-01-01")])
async def test_days_that_cannot_be_are_said_to_be_so_and_kept_in_the_form(house: House, first: str, last: str) -> None:
    async with a_reader(house, language="pt") as reader:
        answer = await reader.answer("/time", **{"from": first, "to": last})
    page = seen(answer)
    assert answer.status_code == 422
    assert "Esses dias não dão certo" in page.text
    assert page.forms["/time"] == {"from": first, "to": last}


async def test_more_is_shown_page_by_page_without_gaps_or_doubles(house: House) -> None:
    for number in range(MOMENTS + 5):
        await happened(house, f"Evento {number}", days_ago=number / 10)
    async with a_reader(house) as reader:
        first = await reader.get("/time")
        [more] = {link for link in first.links if "after=" in link}
        rest = await reader.get(more)
        part = seen(await reader.client.get(more, headers={"HX-Request": "true"}))
    told = [re.findall(r"Evento \d+", page.text) for page in (first, rest)]
    assert [len(one) for one in told] == [MOMENTS, 5]
    assert told[0] + told[1] == [f"Evento {number}" for number in range(MOMENTS + 5)]
    assert rest.text.count("February 2026") > part.text.count("February 2026")  # headings that stand there already


def test_headings_are_not_repeated_where_a_list_goes_on() -> None:
    moments = [Moment(at=NOW - timedelta(days=at), item=an_item(held_from=NOW - timedelta(days=at))) for at in range(3)]
    days = by_day(moments, zone=SAO_PAULO, now=NOW, user="ana")
    assert [(day.starts_month, day.starts_day) for day in days] == [(True, True), (True, True), (False, True)]
    going_on = by_day(moments[1:], zone=SAO_PAULO, now=NOW, user="ana", shown=days[1].day)
    assert [(day.starts_month, day.starts_day) for day in going_on] == [(False, False), (False, True)]


def test_a_line_says_what_a_note_is_about_once() -> None:
    def line(**changes: object) -> tuple[str, tuple[str, ...], str | None, bool]:
        note = a_note(**changes)
        told = happening(Moment(at=note.happened_at, note=note), zone=SAO_PAULO, now=NOW, user="ana")
        return told.summary, told.people, told.space, told.has_hour

    assert line(title="Peso 66 quilos", summary="Peso 66 quilos.") == ("", (), None, True)
    assert line(participants=("Ana", "Bia"), place=Place("obra", "geral"))[1:3] == (("Bia",), "obra")
    assert line(kind=NoteKind.WEEKLY, summary="Uma semana.\n\n## Mais\n- x") == ("Uma semana.", (), None, False)
    assert len(line(summary="palavra " * 200)[0]) < 330


def test_an_event_has_the_colour_of_its_area_and_may_be_to_come() -> None:
    item = an_item(type=KnowledgeType.MEMORY, area=LifeArea.CAREER, held_from=NOW + timedelta(days=2))
    told = happening(Moment(at=item.held_from, item=item), zone=SAO_PAULO, now=NOW, user="ana")
    assert (told.colour, told.icon, told.is_to_come) == ("career", "briefcase", True)
    midnight = an_item(held_from=NOW.replace(hour=3))
    assert not happening(Moment(at=midnight.held_from, item=midnight), zone=SAO_PAULO, now=NOW, user="ana").has_hour


# ── pictures ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "titles", "series"),
    [
        ("en", ("Learnt in each area, by week", "Moods, by week", "Learnt and faded, by week"), "deleted 1"),
        ("pt", ("Aprendido em cada área, por semana", "Humor, por semana", "O que veio e o que se foi"), "apagado 1"),
    ],
)
async def test_pictures_have_titles_legends_and_their_numbers_as_tables(
    house: House, language: str, titles: tuple[str, ...], series: str
) -> None:
    await some_life(house)
    async with a_reader(house, language=language) as reader:
        page = await reader.get("/time/pictures")
    assert all(title in page.text for title in titles)
    assert series in page.text
    drawings = [given for tag, given in page.tags if tag == "svg" and given.get("role") == "img"]
    assert len(drawings) == 5  # areas, three moods, come and gone
    assert all(drawing["aria-label"] for drawing in drawings)
    assert [tag for tag, _ in page.tags].count("table") == 3


async def test_a_picture_draws_what_was_learnt(house: House) -> None:
    await happened(house, "Corrida", days_ago=3, area="health")
    await happened(house, "Reunião", days_ago=3, area="career")
    async with a_reader(house) as reader:
        page = await reader.get("/time/pictures")
    assert len(with_class(page, "rect", "health")) == 1
    assert len(with_class(page, "rect", "career")) == 1
    assert not with_class(page, "rect", "finance")
    assert "/time?from=2026-02-26&to=2026-02-26" in page.links  # a row leads to its day


async def test_another_stretch_and_step_can_be_chosen(house: House) -> None:
    await happened(house, "Corrida", days_ago=300, area="health")
    async with a_reader(house) as reader:
        usual, months = await reader.get("/time/pictures"), await reader.get("/time/pictures", span="all")
        quarter = await reader.get("/time/pictures", span="quarter")
    assert "by week" in usual.text
    assert "by month" in months.text
    assert "Nothing to draw in this time." in quarter.text
    assert "/time/pictures?span=year&step=month" in usual.links


async def test_drawings_carry_no_style_of_their_own(house: House) -> None:
    await some_life(house)
    async with a_reader(house) as reader:
        for address in ADDRESSES:
            page = await reader.get(address)
            assert not [tag for tag, given in page.tags if "style" in given or tag == "style"]


# ── connections ───────────────────────────────────────────────────────────────────────────────────────────────────


@LANGUAGES
async def test_the_web_can_be_walked_from_node_to_node(house: House, language: str) -> None:
    await some_life(house)
    [clara] = [item for item in await house.memory.list(user="ana") if item.content == "Clara mora em Recife"]
    async with a_reader(house, language=language) as reader:
        page = await reader.get("/time/graph", at=clara.id)
        onward = _leading(page)
        assert "Clara é enfermeira" in page.text
        assert f"path={clara.id}" in onward[0]
        there = await reader.get(onward[0])
        assert f"/time/graph?at={clara.id}#here" in there.links  # the way back
        assert f"/item/{clara.id}" in page.links


async def test_every_node_is_a_link_with_its_whole_text_and_stands_in_the_list(house: House) -> None:
    long = "Caminhada na serra com as amigas do tempo da escola e o cachorro"
    first = await happened(house, long, days_ago=2, area="leisure")
    other = await happened(house, "Caminhada na serra com a Joana e os filhos dela", days_ago=1, area="leisure")
    async with a_reader(house) as reader:
        page = await reader.get("/time/graph", at=first.id)
    assert set(labels(page, "a")) >= {long, other.content}
    assert page.text.count(other.content) == 1  # cut under its node, whole in the list
    assert "alike in meaning" in page.text


async def test_it_begins_at_the_best_connected_or_at_somebody(house: House) -> None:
    await some_life(house)
    hub = await house.memory.add("Mapa de tudo", user="ana", related=[
        item.id for item in (await house.memory.list(user="ana"))[:3]
    ])  # fmt: skip
    await house.memory.add("Novidade", user="ana")
    async with a_reader(house) as reader:
        page = await reader.get("/time/graph")
    assert f"/item/{hub.id}" in page.links
    assert "linked" in page.text
    assert "Clara" in page.text
    assert "Start from somebody" in page.text


async def test_an_unknown_centre_is_not_found_and_lost_steps_are_passed_over(house: House) -> None:
    item = await happened(house, "Só isto", days_ago=1)
    async with a_reader(house) as reader:
        assert (await reader.answer("/time/graph", at=an_id())).status_code == 404
        page = await reader.get(f"/time/graph?at={item.id}&path={an_id()},nonsense")
    assert "Nothing is connected to this yet." in page.text


def test_a_walk_remembers_its_last_steps_and_comes_back() -> None:
    assert walked("a,b,c", "d") == ["a", "b", "c"]
    assert walked("a,b,c", "b") == ["a"]
    assert walked("", "a") == []
    assert walked(",".join("abcdefgh"), "x") == list("defgh")
    assert len(walked(",".join("abcdefgh"), "x")) == STEPS_BACK


# ── one day ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "replaced", "deleted", "learnt"),
    [
        ("en", "replaced since, on Jan 20", "deleted since, on Mar 1", "Learnt that day"),
        ("pt", "substituído depois, em 20 jan", "apagado depois, em 1 mar", "Aprendido nesse dia"),
    ],
)
async def test_a_day_shows_what_was_believed_then_and_what_became_of_it(
    house: House, language: str, replaced: str, deleted: str, learnt: str
) -> None:
    await some_life(house)
    async with a_reader(house, language=language) as reader:
        page = await reader.get("/time/day", on="2025-12-31")
        before = await reader.get("/time/day", on="2025-10-03")
        today = await reader.get("/time/day")
    assert "Mora em Curitiba" in page.text
    assert replaced in page.text
    assert "Mora em Florianópolis" in page.text  # what holds in its place now
    assert deleted in page.text
    assert "Corrida no parque" in page.text
    assert learnt in page.text
    assert "Corrida no parque" not in before.text
    assert "Mora em Curitiba" not in today.text


async def test_neighbouring_days_are_one_step_away_but_none_to_come(house: House) -> None:
    await some_life(house)
    async with a_reader(house) as reader:
        page = await reader.get("/time/day", on="2026-02-27", area="health")
        future = await reader.get("/time/day", on="2026-12-24")
    links = [link for link in page.links if link.startswith("/time/day?")]
    days = {found[0] for link in links if (found := re.findall(r"on=([\d-]+)", link))}
    assert {"2026-02-20", "2026-02-26", "2026-02-28"} <= days
    assert "2026-03-06" not in days
    assert all("area=health" in link for link in links if "on=2026-02-2" in link and "on=2026-02-27" not in link)
    assert "Sunday, March 1, 2026" in future.text


async def test_a_day_can_be_narrowed_to_an_area(house: House) -> None:
    await happened(house, "Corrida", days_ago=3, area="health")
    await happened(house, "Reunião", days_ago=3, area="career")
    async with a_reader(house) as reader:
        page = await reader.get("/time/day", area="health")
        nothing = await reader.get("/time/day", area="finance")
        unknown = await reader.get("/time/day", area="<b>")
    assert "Corrida" in page.text
    assert "Reunião" not in page.text
    assert "Nothing of this area that day" in nothing.text
    assert "Reunião" in unknown.text


async def test_a_day_that_cannot_be_is_said_to_be_so(house: House) -> None:
    async with a_reader(house) as reader:
        answer = await reader.answer("/time/day", on="2026-02-30")
    assert answer.status_code == 422
    assert "These days cannot be" in seen(answer).text


async def test_a_full_day_is_shown_page_by_page(house: House) -> None:
    for number in range(ITEMS + 3):
        await happened(house, f"Coisa {number}", days_ago=5 + number / 1000)
    async with a_reader(house) as reader:
        first = await reader.get("/time/day", on="2026-02-25")
        [more] = {link for link in first.links if "after=" in link}
        rest = await reader.get(more)
    listed = _listed(first) + _listed(rest)
    assert listed == [f"Coisa {number}" for number in range(ITEMS + 3)]


def test_what_became_of_an_item_is_told_only_if_it_came_later() -> None:
    later, earlier = NOW + timedelta(days=1), NOW - timedelta(days=1)
    assert fate_after(an_item(deleted_at=later, superseded_at=later), NOW) == ("deleted", later)
    assert fate_after(an_item(superseded_at=later), NOW) == ("replaced", later)
    assert fate_after(an_item(archived_at=later), NOW) == ("archived", later)
    assert fate_after(an_item(superseded_at=earlier), NOW) == ("", None)
    assert fate_after(an_item(), NOW) == ("", None)


def _leading(page: Seen) -> list[str]:
    return [link for link in page.links if link.startswith("/time/graph?at=") and "path=" in link]


def _listed(page: Seen) -> list[str]:
    return re.findall(r"Coisa \d+", page.text.split("Known at the end of that day")[1])
