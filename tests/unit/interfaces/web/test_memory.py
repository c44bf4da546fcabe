"""The list of what is known: search, filters, order, paging, areas; and adding to it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from builders import days
from houses import House
from loops import each
from relembra.domain.knowledge import KnowledgeItem
from relembra.interfaces.web.memory import LONGEST_CONTENT, PAGE
from relembra.interfaces.web.visits import MOST_ROWS
from relembra.learn.drafts import Draft
from web_pages import Reader, Seen, a_reader, seen

LONG = "Ana conta uma história comprida. " * 3_031  # 100,000 letters and some


def shown(page: Seen) -> list[str]:
    """The ids of the items on a page, in order."""
    return [given["id"].removeprefix("i-") for tag, given in page.tags if tag == "article"]


def onward(page: Seen) -> dict[str, str]:
    """The button that shows more."""
    return next((given for _, given in page.tags if "hx-replace-url" in given and "hx-target" in given), {})


async def known(house: House, content: str, **parts: str) -> KnowledgeItem:
    house.clock.move(minutes=1)
    return await house.memory.add(content, user="ana", **parts)  # type: ignore[arg-type]


async def test_filters_narrow_by_the_readers_clock_and_each_can_be_taken_off(house: House) -> None:
    fact = await known(house, "Mora em Olinda", area="health")
    goal = await known(house, "Quer morar no mar", type="goal")
    guess = await house.memory.add(
        "Dorme pouco", user="ana", source="ai_inference", confidence=0.6, by="model:assistant", evidence="disse isso"
    )
    there = fact.created_at.astimezone(ZoneInfo("Pacific/Auckland")).date()
    async with a_reader(house) as reader:
        reader.client.cookies.set("relembra_looks", "user=ana&zone=Pacific%2FAuckland")
        for query, ids in (
            ({"type": "goal"}, {goal.id}),
            ({"level": "low"}, {guess.id}),
            ({"level": "high"}, {fact.id, goal.id}),
            ({"source": "ai_inference"}, {guess.id}),
            ({"since": str(there), "until": str(there)}, {fact.id, goal.id, guess.id}),
            ({"until": str(there - days(1))}, set()),
            ({"since": str(there + days(1))}, set()),
        ):
            assert set(shown(await reader.get("/", **query))) == ids, query
        page = await reader.get("/", type="goal", source="user_input")
        assert {"/?source=user_input", "/?type=goal", "/"} <= set(page.links)


async def test_what_was_decided_is_counted_led_to_and_those_deleted_come_last_first(house: House) -> None:
    sure = await known(house, "Mora em Olinda", area="health")
    guess = await house.memory.add("Dorme pouco", user="ana", by="program:app", source="conversation")
    near = await house.memory.add("Tem um segredo", user="ana", by="program:app", local_only=True)
    old = await known(house, "Vive em Lisboa", subject="Bia", attribute="residence", value="Lisboa")
    new = await known(house, "Vive no Porto", subject="Bia", attribute="residence", value="Porto")
    gone, last = await known(house, "O armário é verde"), await known(house, "Gostava de chuchu", area="leisure")
    for item in (gone, last):
        house.clock.move(minutes=1)
        await house.memory.delete(item.id, user="ana")
    async with a_reader(house) as reader:
        first = await reader.get("/")
        assert "2 confirmed" in first.text
        assert "2 not confirmed" in first.text
        assert {"/?state=confirmed", "/?state=unconfirmed"} <= set(first.links)
        for query, ids in (
            ({}, {sure.id, guess.id, near.id, new.id}),
            ({"state": "confirmed"}, {sure.id, new.id}),
            ({"state": "unconfirmed"}, {guess.id, near.id}),
            ({"state": "local"}, {near.id}),
            ({"state": "past"}, {sure.id, guess.id, near.id, new.id, old.id}),
            ({"state": "deleted", "area": "none"}, {gone.id}),
        ):
            assert set(shown(await reader.get("/", **query))) == ids, query
        deleted = await reader.get("/", state="deleted")
        assert shown(deleted) == [last.id, gone.id]
        assert "2 items" in deleted.text
        assert "leisure 1" in deleted.text
        assert shown(await reader.get("/", state="deleted", order="oldest")) == [gone.id, last.id]
        assert shown(await reader.get("/", state="deleted", q="Gostava de chuchu"))[0] == last.id
        restored = await reader.done(f"/item/{gone.id}/restore", back="/?state=deleted")
        assert shown(restored) == [last.id]


async def test_pages_make_up_the_whole_in_every_order_and_are_shown_again_at_once(house: House, reader: Reader) -> None:
    drafts = [Draft(content=f"Leu o livro {n}", area=None if n % 2 else "leisure") for n in range(2 * PAGE + 4)]
    await house.memory.add_many(drafts, user="ana")
    for order in ("newest", "oldest", "surest", "unsure", "changed"):
        listed = await house.memory.list(user="ana", order=order, limit=2 * PAGE)
        first = await reader.get("/", order=order, view="list")
        second = await reader.get(onward(first)["href"])
        assert shown(first) + shown(second) == [item.id for item in listed], order
    whole = await reader.get(onward(first)["hx-replace-url"])
    assert shown(whole) == shown(first) + shown(second)
    assert onward(whole)["href"] == onward(second)["href"]
    everything = await reader.get(onward(second)["hx-replace-url"])
    assert len(shown(everything)) == 2 * PAGE + 4
    assert onward(everything) == {}
    assert all("rows=" not in link for link in everything.links)  # another list begins at its beginning
    few = await reader.get("/", area="none", view="list")  # far apart among the others
    rest = await reader.get(onward(few)["href"])
    assert (len(shown(few)), len(shown(rest)), onward(rest)) == (PAGE, 2, {})
    lost = await reader.answer("/", after="nonsense")
    assert lost.status_code == 422
    assert "This part of the list no longer exists. Start from the beginning." in lost.text


async def test_no_number_of_rows_is_too_many_or_none_at_all(house: House, reader: Reader) -> None:
    drafts = [Draft(content=f"Bread number {n}") for n in range(MOST_ROWS + 5)]
    await house.memory.add_many(drafts, user="ana")
    most = await reader.get("/", view="list", rows="9999")
    assert len(shown(most)) == MOST_ROWS
    assert len(shown(await reader.get(onward(most)["href"]))) == 5
    assert f"rows={MOST_ROWS}" in onward(most)["hx-replace-url"]
    for word in ("0", "-5", "x", "²", "99999999999"):
        assert len(shown(await reader.get("/", view="list", rows=word))) == PAGE
    for path in ("/history", "/settings/nights", "/questions", "/history/day", "/profile"):
        await reader.get(path, rows="²")


async def test_long_texts_make_no_list_long_and_forms_say_where_they_end(house: House, reader: Reader) -> None:
    short = await house.memory.add("Mora em Olinda", user="ana")
    long = await house.memory.add(LONG, user="ana", type="memory", area="leisure")
    await house.memory.add(f"Outra vez: {LONG}", user="ana", type="person", subject="Davi")
    for path in ("/", "/history", "/history/day", "/profile", "/profile?see=people"):
        assert len((await reader.answer(path)).content) < 100_000, path
    assert (await reader.post(f"/item/{short.id}/correct", content=LONG)).status_code == 422
    assert (await reader.post(f"/item/{long.id}/correct", content=LONG + LONG)).status_code == 422
    await reader.done(f"/item/{long.id}/correct", content=LONG.replace("Ana", "Eva"))
    typed = "a" * (LONGEST_CONTENT + 1)
    refused = await reader.post("/add", content=typed)
    assert refused.status_code == 422
    assert typed in refused.text
    await reader.done("/add", content=typed[1:])


async def test_everything_that_may_be_said_is_kept_as_certain_and_can_be_taken_back(house: House) -> None:
    async with a_reader(house, language="pt") as reader:
        reader.client.cookies.set("relembra_looks", "user=ana&zone=America%2FSao_Paulo")
        page = await reader.done(
            "/add", content="Davi mora em Olinda", type="person", area="relationships", held_from="2024-05-03",
            subject="Davi", attribute="residence", value="Olinda", tags="irmão, casa ,, família", local="1",
        )  # fmt: skip
        [item] = await house.memory.list(user="ana")
        near = await reader.get("/add", content="Davi mora em Olinda")
        far = await reader.get("/add", content="zzzz qqqq wwww")
    assert "Adicionado." in page.text
    assert f"/item/{item.id}" in page.forms["/undo"]["back"]
    assert (item.area, item.validated, item.source, item.local_only) == ("relationships", True, "user_input", True)
    assert (item.subject, item.attribute, item.value) == ("Davi", "residence", "Olinda")
    assert item.tags == ("irmão", "casa", "família")
    assert item.held_from == datetime(2024, 5, 3, 3, tzinfo=UTC)
    assert f"/item/{item.id}" in near.links  # shown while it is typed
    assert f"/item/{item.id}" not in far.links


@each([
    ({"content": " "}, "Falta o texto"),
    ({"held_from": "ontem"}, "Não foi possível entender a data. Escreva como 2026-03-31."),
    ({"area": "nowhere"}, "Essa área não existe"),
    ({"type": "nothing"}, "Esse tipo não existe"),
    ({"tags": "a\x01b"}, "só cabem letras que se possam ver"),
])  # fmt: skip
async def test_what_cannot_be_kept_is_asked_again_and_nothing_typed_is_lost(
    wrong: dict[str, str], said: str, house: House
) -> None:
    typed = {"content": "Mora em Olinda", "subject": "Davi", "value": "Olinda", "tags": "casa", "local": "1"}
    async with a_reader(house, language="pt") as reader:
        answer = await reader.post("/add", **{**typed, **wrong})
    page = seen(answer)
    assert answer.status_code == 422
    assert said.casefold() in page.text.casefold()
    left = {name: value for name, value in typed.items() if name not in wrong and name != "content"}
    assert left.items() <= page.forms["/add"].items()
    assert "content" in wrong or "Mora em Olinda" in page.text
    assert await house.memory.list(user="ana") == []


async def test_a_form_pressed_twice_adds_once_and_one_gone_back_to_what_is_new_in_it(
    house: House, reader: Reader
) -> None:
    once = (await reader.get("/add")).forms["/add"]["once"]
    typed = {"content": "Mora em Olinda", "once": once}
    answers = await asyncio.gather(reader.post("/add", **typed), reader.post("/add", **typed))
    [item] = await house.memory.list(user="ana")
    assert {answer.headers["location"].partition("?")[0] for answer in answers} == {f"/item/{item.id}"}
    await reader.done("/add", content="Tem um gato", once=once)
    assert len(await house.memory.list(user="ana")) == 2


async def test_a_row_says_where_it_was_learnt_and_the_place_filters(house: House, reader: Reader) -> None:
    item = await house.memory.add("Sails on Sundays", user="ana", space="team", channel="boats")
    await house.memory.add("Plays chess", user="ana")
    assert "team / boats" in (await reader.get("/")).text
    link = "/?from_space=team&from_channel=boats"
    assert link in (await reader.get(f"/item/{item.id}")).links
    page = (await reader.get(link)).text
    assert ("Sails on Sundays" in page, "Plays chess" in page, "channel boats" in page) == (True, False, True)
