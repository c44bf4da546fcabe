"""The list of what is known: search, filters, order, paging, areas of life, and what is shown when there is nothing."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from builders import NOW, a_note, an_id, an_item, days, kept
from houses import House
from relembra.domain.knowledge import KnowledgeItem
from relembra.interfaces.web.memory import FEW, FOUND, PAGE
from relembra.learn.drafts import Draft
from web_pages import Reader, Seen, a_reader

SCRIPT = '<script>alert("x")</script><img src=x onerror=alert(1)>'


def shown(page: Seen) -> list[str]:
    """The ids of the items on a page, in order."""
    return [given["id"].removeprefix("i-") for tag, given in page.tags if tag == "article"]


def links_with(page: Seen, part: str) -> list[str]:
    return [link for link in page.links if part in link]


async def known(house: House, content: str, **parts: str) -> KnowledgeItem:
    house.clock.move(minutes=1)
    return await house.memory.add(content, user="ana", **parts)  # type: ignore[arg-type]


# ── what is asked for ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_makes_no_sense_in_an_address_is_passed_over(house: House) -> None:
    item = await known(house, "Mora em Olinda")
    async with a_reader(house) as reader:
        page = await reader.get(
            "/", area="nowhere", type="x", level="9", since="soon", order="best", state="?", view="?"
        )
        assert shown(page) == [item.id]


# ── areas of life ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "health", "all_of_it"), [("en", "health", "See all 7"), ("pt", "saúde", "Ver todos os 7")]
)
async def test_areas_are_shown_with_their_newest_and_how_many_there_are(
    house: House, language: str, health: str, all_of_it: str
) -> None:
    said = "Dorme tarde", "Corre cedo", "Usa óculos", "Tem asma", "Toma sol", "Faz ioga", "Bebe água"
    ids = [(await known(house, text, area="health")).id for text in said]
    other = await known(house, "Joga xadrez", area="leisure")
    loose = await known(house, "Nasceu em maio")
    async with a_reader(house, language=language) as reader:
        page = await reader.get("/")
        assert shown(page) == [*ids[: -FEW - 1 : -1], other.id, loose.id]
        assert health in page.text
        assert all_of_it in page.text
        assert "/?area=health" in page.links


async def test_an_area_whose_items_are_older_than_a_page_is_shown_too(house: House) -> None:
    first = await known(house, "Corre aos domingos", area="health")
    house.clock.move(minutes=1)
    await house.memory.add_many(
        [Draft(content=f"Leu o livro {n}", area="leisure") for n in range(PAGE + 5)], user="ana"
    )
    async with a_reader(house) as reader:
        page = await reader.get("/")
        assert first.id in shown(page)
        assert len(shown(page)) == 1 + FEW


# ── search and filters ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_search_shows_what_answers_best_first(house: House) -> None:
    coffee = await known(house, "Prefere café sem açúcar")
    await known(house, "Trabalha na editora Maré")
    async with a_reader(house, language="pt") as reader:
        page = await reader.get("/", q="café sem açúcar")
        assert shown(page)[0] == coffee.id
        assert "Melhores resultados primeiro" in page.text


async def test_a_search_that_finds_more_than_it_shows_does_not_call_that_all(house: House) -> None:
    await house.memory.add_many(
        [Draft(content=f"Drinks tea number {number}") for number in range(FOUND + 5)], user="ana"
    )
    await house.memory.settle()
    async with a_reader(house) as reader:
        page = await reader.get("/", q="drinks tea")
        assert len(shown(page)) == FOUND
        assert f"{FOUND} best matches" in page.text
        assert f"{FOUND} items" not in page.text


async def test_where_nothing_answers_it_is_said_and_can_be_added(house: House) -> None:
    async with a_reader(house, language="pt") as reader:
        await known(house, "Prefere café sem açúcar")
        page = await reader.get("/", q="zzzz qqqq", area="finance")
        assert "Nenhum resultado" in page.text
        assert "/add?content=zzzz+qqqq" in page.links
        assert "/" in page.links


async def test_a_search_of_signs_only_finds_nothing_and_breaks_nothing(house: House) -> None:
    await known(house, "Prefere café sem açúcar")
    async with a_reader(house) as reader:
        for q in ("???", "\u200b", '"', "%", "\x01"):
            await reader.get("/", q=q)


async def test_filters_narrow_and_each_can_be_taken_off(house: House) -> None:
    fact = await known(house, "Mora em Olinda", area="health")
    goal = await known(house, "Quer morar no mar", type="goal")
    guess = await house.memory.add(
        "Dorme pouco", user="ana", source="ai_inference", confidence=0.6, by="model:assistant", evidence="disse isso"
    )
    async with a_reader(house) as reader:
        assert shown(await reader.get("/", type="goal")) == [goal.id]
        assert shown(await reader.get("/", level="low")) == [guess.id]
        assert set(shown(await reader.get("/", level="high"))) == {fact.id, goal.id}
        assert shown(await reader.get("/", source="ai_inference")) == [guess.id]
        page = await reader.get("/", type="goal", source="user_input")
        assert {"/?source=user_input", "/?type=goal", "/"} <= set(page.links)


async def test_days_are_those_of_the_readers_clock(house: House) -> None:
    item = await known(house, "Mora em Olinda")
    async with a_reader(house) as reader:
        reader.client.cookies.clear()
        reader.client.cookies.set("relembra_looks", "user=ana&zone=Pacific%2FAuckland")
        there = item.created_at.astimezone(ZoneInfo("Pacific/Auckland")).date()
        assert shown(await reader.get("/", since=str(there), until=str(there))) == [item.id]
        assert shown(await reader.get("/", until=str(there - days(1)))) == []
        assert shown(await reader.get("/", since=str(there + days(1)))) == []


@pytest.mark.parametrize("order", ["newest", "oldest", "surest", "unsure", "changed"])
async def test_two_pages_make_up_the_whole_in_every_order(house: House, order: str) -> None:
    drafts = [Draft(content=f"Leu o livro {n}", area="leisure") for n in range(PAGE + 7)]
    await house.memory.add_many(drafts, user="ana")
    async with a_reader(house) as reader:
        first = await reader.get("/", order=order, view="list")
        more = links_with(first, "after=")
        second = await reader.get(more[0])
        ids = shown(first) + shown(second)
        assert (len(shown(first)), len(ids), len(set(ids))) == (PAGE, PAGE + 7, PAGE + 7)
        assert links_with(second, "after=") == []
        listed = await house.memory.list(user="ana", order=order, limit=100)
        assert ids == [item.id for item in listed]


async def test_past_ones_come_on_request_and_deleted_ones_by_themselves(house: House) -> None:
    old = await known(house, "Mora em Lisboa", attribute="residence", value="Lisboa")
    new = await known(house, "Mora no Porto", attribute="residence", value="Porto")
    gone = await known(house, "Gosta de jiló")
    house.clock.move(minutes=1)
    await house.memory.delete(gone.id, user="ana")
    async with a_reader(house) as reader:
        assert shown(await reader.get("/")) == [new.id]
        assert set(shown(await reader.get("/", state="past"))) == {old.id, new.id}
        page = await reader.get("/", state="deleted")
        assert shown(page) == [gone.id]
        restored = await reader.done(f"/item/{gone.id}/restore", back="/?state=deleted")
        assert shown(restored) == []
        assert set(shown(await reader.get("/"))) == {new.id, gone.id}


async def decided(house: House) -> dict[str, str]:
    """Ids of items, one for each thing that can be decided about it; all but the last two are held."""
    sure = await known(house, "Mora em Olinda", area="health")
    guess = await house.memory.add("Dorme pouco", user="ana", by="program:app", source="conversation")
    near = await house.memory.add("Tem um segredo", user="ana", by="program:app", local_only=True)
    gone = await known(house, "O armário é verde")
    loose = await known(house, "Gostava de chuchu", area="leisure")
    house.clock.move(minutes=1)
    await house.memory.delete(gone.id, user="ana")
    house.clock.move(minutes=1)
    await house.memory.delete(loose.id, user="ana")
    return {"sure": sure.id, "guess": guess.id, "near": near.id, "gone": gone.id, "last gone": loose.id}


@pytest.mark.parametrize(
    ("language", "sure", "waiting"),
    [("en", "1 confirmed", "2 not confirmed"), ("pt", "1 confirmado", "2 não confirmados")],
)
async def test_what_was_decided_is_counted_on_the_first_page_and_led_to(
    house: House, language: str, sure: str, waiting: str
) -> None:
    ids = await decided(house)
    async with a_reader(house, language=language) as reader:
        first = await reader.get("/")
        assert sure in first.text
        assert waiting in first.text
        assert {"/?state=confirmed", "/?state=unconfirmed"} <= set(first.links)
        assert shown(await reader.get("/", state="confirmed")) == [ids["sure"]]
        assert set(shown(await reader.get("/", state="unconfirmed"))) == {ids["guess"], ids["near"]}
        assert shown(await reader.get("/", state="local")) == [ids["near"]]
        chosen = [given["value"] for tag, given in first.tags if tag == "option"]
        assert {"unconfirmed", "confirmed", "questioned", "local", "past", "deleted"} <= set(chosen)


async def test_those_deleted_are_counted_by_area_and_the_last_deleted_come_first(house: House) -> None:
    ids = await decided(house)
    async with a_reader(house) as reader:
        page = await reader.get("/", state="deleted")
        assert shown(page) == [ids["last gone"], ids["gone"]]
        assert "2 items" in page.text
        assert "leisure 1" in page.text
        assert shown(await reader.get("/", state="deleted", order="oldest")) == [ids["gone"], ids["last gone"]]
        assert shown(await reader.get("/", state="deleted", area="none")) == [ids["gone"]]
        assert shown(await reader.get("/", state="deleted", q="Gostava de chuchu"))[0] == ids["last gone"]


@pytest.mark.parametrize("wanted", [{"state": "deleted"}, {"area": "none", "view": "list"}])
async def test_pages_of_few_among_many_are_whole(house: House, wanted: dict[str, str]) -> None:
    """Deleted ones, and those of no area, lie far apart."""
    drafts = [Draft(content=f"Leu o livro {n}", area=None if n % 6 == 0 else "leisure") for n in range(6 * PAGE + 6)]
    items = await house.memory.add_many(drafts, user="ana")
    few = items[::6]
    if "state" in wanted:
        for item in few:
            await house.memory.delete(item.id, user="ana")
    async with a_reader(house) as reader:
        first = await reader.get("/", **wanted)
        second = await reader.get(links_with(first, "after=")[0])
        assert (len(shown(first)), len(shown(second))) == (PAGE, 1)
        assert {*shown(first), *shown(second)} == {item.id for item in few}
        assert f"{PAGE + 1} items" in first.text
        assert links_with(second, "after=") == []


@pytest.mark.parametrize(("language", "said"), [("en", "learnt in: "), ("pt", "aprendido em: ")])
async def test_what_a_note_taught_can_be_listed_and_the_filter_taken_off(
    house: House, language: str, said: str
) -> None:
    note = a_note(title="Conversa sobre o mar")
    taught = an_item(title="Nada", content="Nada todo domingo", note_id=note.id)
    old = an_item(title="Remava", content="Remava", note_id=note.id, superseded_by=an_id(), superseded_at=NOW)
    await kept(house.memory._store, note, taught, old, an_item())
    async with a_reader(house, language=language) as reader:
        page = await reader.get("/", note=note.id)
        assert shown(page) == [taught.id]
        assert f"{said}{note.title}" in page.text
        assert "/" in page.links
        assert page.forms["/"]["note"] == note.id
        assert set(shown(await reader.get("/", note=note.id, state="past"))) == {taught.id, old.id}
        assert shown(await reader.get("/", note=an_id())) == []
        assert len(shown(await reader.get("/", note="nonsense"))) == 2


# ── who sees what ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_memory_whose_items_are_all_deleted_is_not_a_new_one(house: House) -> None:
    item = await known(house, "Mora em Olinda")
    await house.memory.delete(item.id, user="ana")
    async with a_reader(house) as reader:
        page = await reader.get("/")
        assert "/?state=deleted" in page.links


async def test_a_cursor_nobody_gave_is_refused_kindly(house: House) -> None:
    await known(house, "Mora em Olinda")
    async with a_reader(house) as reader:
        answer = await reader.answer("/", after="nonsense")
        assert 400 <= answer.status_code < 500
        assert "cursor" not in answer.text
        assert "This part of the list no longer exists. Start from the beginning." in answer.text


async def test_each_row_can_be_confirmed_corrected_and_deleted_in_place(house: House, reader: Reader) -> None:
    item = await house.memory.add("Mora no Recife", user="ana", by="model:m", source="conversation")
    page = await reader.get("/", view="list")
    acts = {given["formaction"] for _, given in page.tags if given.get("form") == "acts"}
    assert acts == {f"/item/{item.id}/confirm", f"/item/{item.id}/delete"}
    [edit] = [given["hx-get"] for _, given in page.tags if given.get("hx-target") == f"#i-{item.id}"]
    form = await reader.get(edit)
    assert form.forms[f"/item/{item.id}/correct"]["back"] == "/?view=list"
    back = await reader.post(f"/item/{item.id}/correct", content="Mora em Olinda", back="/?view=list")
    assert back.headers["location"].startswith("/?view=list&done=corrected")
    assert [row.content for row in await house.memory.list(user="ana")] == ["Mora em Olinda"]
