"""Questions: both sides with what they came from, each answer, the way back, and what rules decided."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import NOW, a_case, an_id, an_item, days
from houses import House
from relembra.domain.case import Outcome
from relembra.interfaces.web.questions import (
    SHOWN,
    about,
    asked_in,
    judged_by,
    moved_on_to,
    next_after,
    settled_by,
)
from relembra.learn.casework import Conflict
from relembra.locale import Words
from web_pages import Seen, a_reader, seen

EN, PT = Words("en", "web", "names"), Words("pt", "web", "names")
SCRIPT = '<script>alert("x")</script>'


async def asked(house: House, old: str = "Tem sangue O+.", new: str = "Tem sangue A-.") -> Conflict:
    """A question only the person can answer."""
    await house.memory.add(old, user="ana", attribute="blood_type", value="O+", by="program:app")
    house.clock.move(days=2)
    item = await house.memory.add(new, user="ana", attribute="blood_type", value="A-", by="program:app")
    return await house.memory.conflict(item.id, user="ana")


async def moved(house: House) -> Conflict:
    """Something a rule decided, from what was said."""
    for said in ("Moro em Recife.", "Moro em Olinda."):
        await house.memory.save(user="ana", said=said)
        await house.memory.learn(user="ana")
        house.clock.move(days=3)
    (found,) = await house.memory.conflicts(user="ana")
    assert found.case.outcome is Outcome.NEW
    return found


def headings(page: Seen) -> list[str]:
    return [tag for tag, _ in page.tags if tag in ("h1", "h2", "h3", "h4")]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            ("Before, you said", "Earlier", "Later", "Blood type cannot change", "This is right", "Neither is right"),
        ),
        (
            "pt",
            ("Antes você disse", "Antes", "Depois", "Tipo sanguíneo não muda", "Este está certo", "Nenhum está certo"),
        ),
    ],
)
async def test_a_question_shows_both_sides_and_why(house: House, language: str, words: tuple[str, ...]) -> None:
    found = await asked(house)
    async with a_reader(house, language=language) as reader:
        page = await reader.get("/questions")
        for word in (*words, "Tem sangue O+.", "Tem sangue A-."):
            assert word in page.text
        assert page.text.index("Tem sangue O+.") < page.text.index("Tem sangue A-.")
        assert f"/item/{found.old.id}" in page.links
        assert f"/item/{found.new.id}" in page.links
        assert headings(page)[:4] == ["h1", "h2", "h3", "h3"]


async def test_the_message_a_side_was_learnt_from_is_quoted_with_its_note(house: House) -> None:
    for said in ("Meu tipo sanguíneo é O positivo.", "Meu tipo sanguíneo é A negativo."):
        await house.memory.save(user="ana", said=said)
        await house.memory.learn(user="ana")
        house.clock.move(days=3)
    (found,) = await house.memory.conflicts(user="ana")
    async with a_reader(house) as reader:
        page = await reader.get("/questions")
        assert "Meu tipo sanguíneo é O positivo. ana, " in page.text
        assert f"/note/{found.old.note_id}" in page.links
        assert "not yet" in page.text
        await house.memory.load(user="ana")
        await house.memory.settle()
        assert (await house.memory.conflict(found.id, user="ana")).case.asked == 1
        assert "1×, last" in (await reader.get("/questions")).text


@pytest.mark.parametrize(
    ("keep", "known", "said"),
    [
        ("new", ["Tem sangue A-."], "the later holds"),
        ("old", ["Tem sangue O+."], "the earlier holds"),
        ("both", ["Tem sangue A-.", "Tem sangue O+."], "both hold"),
        ("neither", [], "neither holds"),
    ],
)
async def test_an_answer_is_carried_out_and_can_be_taken_back(
    house: House, keep: str, known: list[str], said: str
) -> None:
    found = await asked(house)
    before = await house.memory.list(user="ana")
    async with a_reader(house) as reader:
        page = await reader.done(f"/questions/{found.id}/answer", keep=keep, back="/questions")
        assert f"Saved: {said}." in page.text
        assert "No open questions" in page.text
        assert sorted(item.content for item in await house.memory.list(user="ana")) == known

        assert f"/questions/{found.id}/reopen" in page.forms
        page = await reader.done(f"/questions/{found.id}/reopen", back="/questions")
        assert "Undone. The question is open again." in page.text
        assert "This is right" in page.text
    after = await house.memory.list(user="ana")
    assert {(item.id, item.confidence, item.validated) for item in after} == {
        (item.id, item.confidence, item.validated) for item in before
    }
    assert (await house.memory.conflict(found.id, user="ana")).case.outcome is Outcome.OPEN


async def test_no_other_answer_is_taken(house: House) -> None:
    found = await asked(house)
    async with a_reader(house) as reader:
        for keep in ("", "open", "undone", "all"):
            assert (await reader.post(f"/questions/{found.id}/answer", keep=keep)).status_code == 422
        assert (await reader.post(f"/questions/{found.id}/reopen")).status_code == 409
        assert (await reader.post(f"/questions/{an_id()}/answer", keep="new")).status_code == 404
    assert (await house.memory.conflict(found.id, user="ana")).case.outcome is Outcome.OPEN


async def test_what_a_rule_decided_says_so_and_can_be_taken_back_and_decided_anew(house: House) -> None:
    found = await moved(house)
    async with a_reader(house, language="pt") as reader:
        assert "Nenhuma pergunta em aberto" in (await reader.get("/questions")).text
        page = await reader.get("/questions", see="decided")
        for word in ("Residência", "vale o mais novo", "Resolvida por uma regra", "Mudou: residência", "não vale mais"):
            assert word in page.text
        assert f"/questions/{found.id}/answer" not in page.forms

        page = await reader.done(f"/questions/{found.id}/reopen", back="/questions?see=decided")
        assert "Você desfez a resposta" in page.text
        known = {item.content for item in await house.memory.list(user="ana")}
        assert {"Mora em Recife", "Mora em Olinda"} <= known
        assert f"/questions/{found.id}/answer" in page.forms

        page = await reader.done(f"/questions/{found.id}/answer", keep="old", back="/questions?see=decided")
        assert "Respondida por você" in page.text
        known = {item.content for item in await house.memory.list(user="ana")}
        assert "Mora em Recife" in known
        assert "Mora em Olinda" not in known


async def test_what_was_replaced_since_offers_no_way_back(house: House) -> None:
    await moved(house)
    await house.memory.save(user="ana", said="Moro em Natal.")
    await house.memory.learn(user="ana")
    first = (await house.memory.conflicts(user="ana"))[-1]
    now = await house.memory.get(first.new.superseded_by or "", user="ana")
    assert now.content == "Mora em Natal"
    async with a_reader(house) as reader:
        page = await reader.get(f"/questions/{first.id}")
        assert "This has been replaced by something newer since, so the answer can no longer be undone." in page.text
        assert f"/item/{now.id}" in page.links
        assert not [tag for tag, given in page.tags if tag == "button" and given.get("name") == "keep"]
        assert "Undo" not in page.text


async def test_long_lists_come_in_pages_that_miss_none(house: House) -> None:
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
    async with a_reader(house) as reader:
        page = await reader.get("/questions")
        assert f"Open {number}" in page.text
        for _ in range(number):
            shown += [given["id"] for tag, given in page.tags if tag == "article"]
            following = next((link for link in page.links if "after=" in link), None)
            if following is None:
                break
            page = seen(await reader.client.get(following))
            assert "Back to the start" in page.text
    assert shown == [f"q-{found.id}" for found in await house.memory.conflicts(user="ana")]
    assert len(shown) == number


# ── shaping ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def a_conflict(outcome: Outcome = Outcome.OPEN, **changes: object) -> Conflict:
    old, new = an_item(content="Lives in Oslo."), an_item(content="Lives in Bergen.")
    return Conflict(a_case(old_id=old.id, new_id=new.id, outcome=outcome, **changes), old, new)


def test_the_question_speaks_the_readers_language_and_quotes_the_others() -> None:
    found = a_conflict()
    found = replace(found, old=replace(found.old, language="en"), new=replace(found.new, language="en"))
    assert asked_in(found, "en") == "Before, you said that you live in “Oslo”, and now that you live in “Bergen”. " + (
        "Has something changed?"
    )
    assert asked_in(found, "pt") == "Antes você disse “Lives in Oslo”, agora “Lives in Bergen”. Mudou algo?"


def test_what_it_is_about_is_said_in_few_words() -> None:
    found = a_conflict()
    at_home = replace(found, new=replace(found.new, attribute="residence"))
    assert about(PT, at_home) == "Residência"
    assert about(EN, replace(at_home, new=replace(at_home.new, subject="Bia"))) == "Bia: residence"
    assert (
        about(EN, replace(found, old=replace(found.old, attribute=None), new=replace(found.new, attribute=None)))
        == "Contradiction"
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"outcome": Outcome.NEW, "settled_by": "person:ana"}, "Answered by you"),
        ({"outcome": Outcome.NEW, "settled_by": "person:bia"}, "Answered by bia"),
        ({"outcome": Outcome.NEW, "settled_by": "program:offline@1"}, "Resolved by a rule"),
        ({"outcome": Outcome.NEW, "settled_by": "model:m", "judged_by": "m"}, "Answered by model m"),
        ({"outcome": Outcome.OLD}, "Closed automatically, because one of the two was deleted"),
        ({"outcome": Outcome.UNDONE, "settled_by": "person:ana"}, "You undid the answer"),
        ({"outcome": Outcome.UNDONE, "settled_by": "program:x"}, "The answer was undone"),
        ({}, ""),
    ],
)
def test_who_decided(changes: dict[str, object], said: str) -> None:
    assert settled_by(EN, a_conflict(**changes), "ana") == said  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("judge", "said"),
    [("rule", "uma regra"), ("offline@1", "o leitor incluído"), ("m:x", "modelo m:x")],
)
def test_who_noticed_it(judge: str, said: str) -> None:
    assert judged_by(PT, a_conflict(judged_by=judge)) == said


def test_only_what_comes_from_outside_a_case_stands_in_its_way() -> None:
    found = a_conflict()
    within = replace(found, old=replace(found.old, superseded_by=found.new.id))
    assert moved_on_to(within) is None
    other = an_id()
    assert moved_on_to(replace(within, new=replace(found.new, superseded_by=other))) == other


def test_keys_go_on_where_a_question_was_answered() -> None:
    newest, middle, oldest = (a_conflict(opened_at=NOW - days(ago)) for ago in (0, 1, 2))
    assert next_after(middle, [newest, oldest]) == oldest.id
    assert next_after(oldest, [newest, middle]) == middle.id
    assert next_after(newest, []) == ""
    assert next_after(None, [newest]) == ""
