"""Questions: both sides with what they came from, each answer, the way back, and what rules decided."""

from __future__ import annotations

from builders import an_id
from houses import House
from relembra.domain.case import Outcome
from relembra.interfaces.web.questions import SHOWN
from relembra.learn.casework import Conflict
from relembra.locale import Words
from web_pages import Reader, a_reader, seen

EN, PT = Words("en", "web", "names"), Words("pt", "web", "names")


async def asked(house: House) -> Conflict:
    """A question only the person can answer."""
    for value in ("O+", "A-"):
        content = f"Tem sangue {value}."
        item = await house.memory.add(content, user="ana", attribute="blood_type", value=value, by="program:app")
        house.clock.move(days=2)
    return await house.memory.conflict(item.id, user="ana")


async def said(house: House, *sentences: str) -> None:
    for text in sentences:
        await house.memory.save(user="ana", said=text)
        await house.memory.learn(user="ana")
        house.clock.move(days=3)


async def test_each_answer_is_carried_out_and_can_be_taken_back_and_no_other_is_taken(
    house: House, reader: Reader
) -> None:
    found = await asked(house)
    address = f"/questions/{found.id}"
    page = await reader.get("/questions")
    assert "Tem sangue O+." in page.text
    assert page.text.index(EN("page.questions.earlier")) < page.text.index(EN("page.questions.later"))
    assert EN("page.questions.judged") in page.text
    before = {(item.id, item.confidence, item.validated) for item in await house.memory.list(user="ana")}
    for keep, known in (
        ("new", ["Tem sangue A-."]),
        ("old", ["Tem sangue O+."]),
        ("both", ["Tem sangue A-.", "Tem sangue O+."]),
        ("neither", []),
    ):
        page = await reader.done(f"{address}/answer", keep=keep, back="/questions")
        assert f"Saved: {EN.name('outcome', keep)}." in page.text
        assert "No open questions" in page.text
        assert sorted(item.content for item in await house.memory.list(user="ana")) == known
        page = await reader.done(f"{address}/reopen", **page.forms[f"{address}/reopen"])
        assert "Undone. The question is open again." in page.text
        after = await house.memory.list(user="ana")
        assert {(item.id, item.confidence, item.validated) for item in after} == before
    for keep in ("", "open", "undone", "all"):
        assert (await reader.post(f"{address}/answer", keep=keep)).status_code == 422
    assert (await reader.post(f"{address}/reopen")).status_code == 409
    assert (await reader.post(f"/questions/{an_id()}/answer", keep="new")).status_code == 404
    assert (await house.memory.conflict(found.id, user="ana")).case.outcome is Outcome.OPEN


async def test_what_a_rule_decided_can_be_decided_anew_until_something_newer_came(house: House) -> None:
    await said(house, "Moro em Recife.", "Moro em Olinda.")
    (found,) = await house.memory.conflicts(user="ana")
    address = f"/questions/{found.id}"
    async with a_reader(house, language="pt") as reader:
        page = await reader.get("/questions", see="decided")
        for word in ("Residência", "Resolvida por uma regra", "Mudou: residência"):
            assert word in page.text
        assert f"{address}/answer" not in page.forms
        page = await reader.done(f"{address}/reopen", back="/questions?see=decided")
        assert "Você desfez a resposta" in page.text
        assert {"Mora em Recife", "Mora em Olinda"} <= {item.content for item in await house.memory.list(user="ana")}
        page = await reader.done(f"{address}/answer", keep="new", back="/questions?see=decided")
        assert "Respondida por você" in page.text
        assert [item.content for item in await house.memory.list(user="ana")] == ["Mora em Olinda"]
        await house.memory.reopen(found.id, user="ana")
        await house.memory.resolve(found.id, keep="new", user="ana")
    await house.memory.forget(user="ana", all=True)
    await said(house, "Moro em Recife.", "Moro em Olinda.", "Moro em Natal.")
    first = (await house.memory.conflicts(user="ana"))[-1]
    async with a_reader(house) as reader:
        page = await reader.get(f"/questions/{first.id}")
    assert "This has been replaced by something newer since, so the answer can no longer be undone." in page.text
    assert f"/item/{first.new.superseded_by}" in page.links
    assert not [tag for tag, given in page.tags if tag == "button" and given.get("name") == "keep"]


async def test_long_lists_come_in_pages_that_miss_none(house: House, reader: Reader) -> None:
    number = SHOWN * 2 + 3
    for place in range(number):
        for value in ("O+", "A-"):
            name = f"Pessoa {place:02}"
            await house.memory.add(
                f"{name} tem sangue {value}.", user="ana", subject=name, attribute="blood_type", value=value,
                by="program:app",
            )  # fmt: skip
        house.clock.move(minutes=1)
    shown: list[str] = []
    page = await reader.get("/questions")
    assert f"Open {number}" in page.text
    assert f"Questions Open: {number}" in (await reader.get("/settings")).text  # the badge
    for _ in range(3):
        shown += [given["id"] for tag, given in page.tags if tag == "article"]
        following = next((link for link in page.links if "after=" in link), None)
        page = seen(await reader.client.get(following)) if following else page
    assert shown == [f"q-{found.id}" for found in await house.memory.conflicts(user="ana")]
