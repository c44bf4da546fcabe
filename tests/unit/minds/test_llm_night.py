"""The night's reader with a model, against a scripted server: what it asks, and what it makes of any answer."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from builders import NOW, a_message, a_note, minutes
from hashing import HashingEmbedder
from loops import each
from relembra.domain.candidate import Talk
from relembra.domain.knowledge import SELF, KnowledgeType
from relembra.domain.message import Message, Note, Role
from relembra.errors import MindError, MindUnavailableError
from relembra.minds.llm import ModelNight
from relembra.minds.llm.models import strays
from relembra.minds.offline.night import OfflineNight
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import NightReader
from scripted import KEY, Said, ScriptedModel, all_worth, broken_arguments, failing, structured

TOKENS = OfflineTokens()


@asynccontextmanager
async def nightly(server: ScriptedModel, **options: Any) -> AsyncIterator[ModelNight]:
    ordinary: dict[str, Any] = {
        "model": "openai:deep-1", "base_url": server.url, "api_key": KEY, "worth": all_worth, "timeout_seconds": 10.0,
    }  # fmt: skip
    night = ModelNight(OfflineNight(HashingEmbedder(), TOKENS), **ordinary | options)
    try:
        yield night
    finally:
        await night.close()
        await night.close()


TIRED = (
    a_message(id="id1", text="I slept four hours again, third night in a row."),
    a_message(
        id="bot", role=Role.ASSISTANT, author="bot", text="You should drink less coffee.", sent_at=NOW + minutes(1)
    ),
    a_message(id="id2", text="The new job at the bakery starts at three in the morning.", sent_at=NOW + minutes(2)),
)
TALK = Talk(TIRED, known=("Works at a school",))


def a_finding(**changes: Any) -> dict[str, Any]:
    ordinary = {
        "m": "m3", "quote": "new job at the bakery", "content": "Works at a bakery", "type": "fact",
        "attribute": "employment", "value": "bakery", "changed": True,
    }  # fmt: skip
    return ordinary | changes


def a_conclusion(**changes: Any) -> dict[str, Any]:
    ordinary = {
        "m": "m3", "quote": "starts at three in the morning", "content": "Sleeps little because of the early shift",
        "type": "insight", "inferred": True, "also": [{"m": "m1", "quote": "slept four hours again"}],
    }  # fmt: skip
    return ordinary | changes


def found(*things: dict[str, Any]) -> Said:
    return structured({"things": list(things)})


async def test_a_second_reading_gives_changes_and_conclusions_with_their_words(server: ScriptedModel) -> None:
    server.afresh(found(a_conclusion(), a_finding()))
    async with nightly(server) as night:
        read = await night.reread(TALK)
        assert night.rereads
        assert night.name == "openai:deep-1/night@2.1.1"
    pattern, job = read.candidates
    assert (job.content, job.message_id, job.changed, job.inferred) == ("Works at a bakery", "id2", True, False)
    assert (job.confidence, job.evidence, job.why) == (None, "new job at the bakery", "openai:deep-1/reread@2")
    assert (pattern.type, pattern.message_id, pattern.subject) == (KnowledgeType.INSIGHT, "id2", SELF)
    assert (pattern.inferred, pattern.confidence) == (True, 0.7)
    assert pattern.evidence == "starts at three in the morning … slept four hours again"
    assert read.reader == "openai:deep-1/reread@2"
    assert read.raw is not None
    assert [thing["content"] for thing in json.loads(read.raw)["things"]] == [pattern.content, job.content]


@each(
    [
        a_finding(quote="I quit the school"),
        a_finding(content="works at a  School.", value=None, attribute=None),
        a_conclusion(quote="is depressed"),
    ]
)
async def test_what_nobodys_words_back_is_not_proposed(thing: dict[str, Any], server: ScriptedModel) -> None:
    server.afresh(found(thing))
    async with nightly(server) as night:
        assert (await night.reread(TALK)).candidates == ()


@each([(None, 0.7), (0.4, 0.4), (1.0, 0.85), ("high", 0.7)])
async def test_a_conclusion_is_never_as_sure_as_what_was_said(given: Any, held: float, server: ScriptedModel) -> None:
    server.afresh(found(a_conclusion(confidence=given), a_finding(confidence=0.2)))
    async with nightly(server) as night:
        pattern, job = (await night.reread(TALK)).candidates
    assert pattern.confidence == pytest.approx(held)
    assert job.confidence is None  # by the rules


async def test_what_is_known_already_counts_at_night_where_it_ends_something(server: ScriptedModel) -> None:
    again = a_finding(content=TALK.known[0], value=None, attribute=None)
    server.afresh(found(again | {"ends": [1]}))
    async with nightly(server) as night:
        (kept,) = (await night.reread(replace(TALK, known_ids=("i1",)))).candidates
    assert kept.ends == ("i1",)


async def test_nothing_worth_reading_costs_nothing(server: ScriptedModel) -> None:
    async def nothing(messages: Sequence[Message]) -> list[bool]:
        return [False] * len(messages)

    async with nightly(server, worth=nothing) as night:
        read = await night.reread(TALK)
        assert await night.reread(Talk(())) == read
        assert (read.candidates, read.raw, night.spent()) == ((), None, [])
    assert server.calls == 0


async def test_a_long_talk_is_read_in_parts_and_every_call_is_counted(server: ScriptedModel) -> None:
    said = tuple(a_message(id=f"id{n}", text=f"{n} " + "a day like any other " * 40) for n in range(20))
    server.afresh(found())
    async with nightly(server, most_input_tokens=3_000) as night:
        read = await night.reread(Talk(said))
        spent = night.spent()
    assert server.calls > 1
    assert read.raw is not None
    assert len(read.raw.splitlines()) == server.calls
    assert {line["text"] for request in server.requests for line in request.lines if line.get("learn")} == {
        message.text for message in said
    }
    [one] = spent
    assert (one.task, one.model, one.calls) == ("reread", "openai:deep-1", server.calls)
    assert (one.input_tokens, one.output_tokens) == (server.input_tokens, server.output_tokens)


NOTES = [
    a_note(title="Rowing on Sunday", summary="Ana rowed 12 km with Clara.", participants=("ana", "clara")),
    a_note(title="A new oar", summary="Bia bought an oar for rowing.", participants=("bia",)),
    a_note(title="Cake for Caio", summary="Caio turns 40; Bia bakes.", participants=("bia", "caio")),
    a_note(title="Flour", summary="Bia asks Ana for flour for the cake.", participants=("bia", "ana")),
    a_note(title="Tax office", summary="Caio waited three hours.", participants=("caio",)),
]


def a_topic(*notes: Any, **changes: Any) -> dict[str, Any]:
    return {"notes": list(notes), "title": "Rowing", "summary": "Ana and Bia row."} | changes


def topics_of(*topics: dict[str, Any]) -> Said:
    return structured({"topics": list(topics)})


def ids(*numbers: int) -> tuple[str, ...]:
    return tuple(NOTES[number - 1].id for number in numbers)


CAKE = {"title": "Cake for Caio", "summary": "Bia bakes for Caio, who turns 40, and needs flour."}


async def test_one_call_puts_a_day_in_order(server: ScriptedModel) -> None:
    server.afresh(topics_of(a_topic(1, 2), a_topic("n3", " 4 ", **CAKE)))
    async with nightly(server) as night:
        rowing, cake = await night.topics(NOTES, language="en", most=3)
        (spent,) = night.spent()
    assert (rowing.title, rowing.summary, rowing.note_ids) == ("Rowing", "Ana and Bia row.", ids(1, 2))
    assert (cake.title, cake.summary, cake.note_ids) == (CAKE["title"], CAKE["summary"], ids(3, 4))
    assert (spent.task, spent.calls, server.calls) == ("topics", 1, 1)
    assert server.requests[0].lines[0] == {
        "n": 1,
        "by": "ana, clara",
        "title": "Rowing on Sunday",
        "summary": "Ana rowed 12 km with Clara.",
    }
    assert not any(note.id in server.requests[0].user for note in NOTES)


async def test_unknown_notes_and_repeats_are_passed_over(server: ScriptedModel) -> None:
    wild = [99, 0, -1, "all", NOTES[2].id, 1, 1, 2, None]
    server.afresh(topics_of(a_topic(*[one for one in wild if one is not None]), a_topic(2, 3, 4, **CAKE), a_topic(5)))
    async with nightly(server) as night:
        topics = await night.topics(NOTES, language="en", most=2)
    assert [topic.note_ids for topic in topics] == [ids(1, 2), ids(3, 4)]


@each(
    [
        {"title": "A plan of Mallory's"},
        {"summary": "Maria came along. Ana rowed with Bia."},
        {"summary": "Ana rowed 900 km with Bia."},
        {"title": "\u200b"},
        {"summary": "\x00"},
    ]
)
async def test_a_topic_that_tells_what_is_in_no_note_is_told_by_its_notes(
    told: dict[str, str], server: ScriptedModel
) -> None:
    server.afresh(topics_of(a_topic(1, 2, **told), a_topic(3, 4, **CAKE)))
    async with nightly(server) as night:
        rowing, cake = await night.topics(NOTES, language="en", most=2)
    assert rowing.title == "A new oar"
    assert rowing.summary == "Ana rowed 12 km with Clara. Bia bought an oar for rowing."
    assert (rowing.note_ids, cake.summary) == (ids(1, 2), CAKE["summary"])


@each([topics_of(), structured({"topics": None}), structured({"say": "delete everything"})])
async def test_what_a_model_leaves_out_is_put_together_without_it(answer: Said, server: ScriptedModel) -> None:
    server.afresh(answer)
    async with nightly(server) as night:
        topics = await night.topics(NOTES, language="en", most=2)
    offline = OfflineNight(HashingEmbedder(), TOKENS)
    assert topics == await offline.topics(NOTES, language="en", most=2)
    assert topics
    assert server.calls == 1


async def test_a_large_day_stays_within_the_prompt(server: ScriptedModel) -> None:
    notes: list[Note] = [a_note(title=f"Talk {n}", summary="We spoke of this and that. " * 30) for n in range(120)]
    server.afresh(topics_of())
    async with nightly(server, most_input_tokens=4_000) as night:
        await night.topics(notes, language="en", most=8)
    (request,) = server.requests
    assert TOKENS.count(request.system) + TOKENS.count(request.user) <= 4_000 + 100
    assert 20 < len(request.lines) < 120


TEXTS = ["Ana moved to Recife in March 2026.", "Her sister Clara came to visit for two weeks."]


async def test_texts_are_told_again_in_one_call(server: ScriptedModel) -> None:
    server.afresh(structured({"text": "Ana moved to Recife;\nClara visited."}))
    async with nightly(server) as night:
        assert await night.retell(TEXTS, language="en", tokens=40) == "Ana moved to Recife; Clara visited."
        assert await night.retell(["", "\u200b"], language="en", tokens=40) == ""
        assert await night.retell(TEXTS, language="en", tokens=0) == ""
        (spent,) = night.spent()
    assert (spent.task, spent.calls) == ("retell", 1)
    assert server.requests[0].lines == [{"text": text} for text in TEXTS]


async def test_what_does_not_stand_in_the_texts_is_asked_for_again_and_then_refused(server: ScriptedModel) -> None:
    good = structured({"text": "Ana moved to Recife in March."})
    server.afresh(structured({"text": "Ana moved to Lisbon."}), good)
    async with nightly(server) as night:
        assert await night.retell(TEXTS, language="en", tokens=40) == "Ana moved to Recife in March."
        assert "names or numbers" in server.requests[1].system
        server.afresh(structured({"text": "In 1999 Ana moved."}))
        with pytest.raises(MindError, match="cannot be used"):
            await night.retell(TEXTS, language="en", tokens=40)


@each([1, 4, 10, 30])
async def test_a_telling_too_long_is_cut_to_the_budget(tokens: int, server: ScriptedModel) -> None:
    server.afresh(structured({"text": "Ana moved to Recife in March. Clara came to visit. " * 8}))
    async with nightly(server) as night:
        told = await night.retell(TEXTS, language="en", tokens=tokens)
    assert TOKENS.count(told) <= tokens
    if tokens >= 10:
        assert told.startswith("Ana moved to Recife in March.")
        assert told.endswith(".")


@each(
    [
        ("Ana moved to Recife. She likes it.", "en", set[str]()),
        ("She moved on Monday, in April.", "en", set[str]()),
        ("Ela mudou na Segunda para o Recife.", "pt", set[str]()),
        ("Ana moved to Oslo.", "en", {"oslo"}),
        ("Ana moved with Pedro.", "en", {"pedro"}),
        ("Maria moved to Recife.", "en", {"maria"}),
        ("Ana has 3 Recifes.", "en", {"3"}),
        ("In 02026 Ana moved.", "en", set[str]()),
    ]
)
def test_strays_are_names_and_numbers_out_of_nowhere(text: str, language: str, found: set[str]) -> None:
    assert strays(text, TEXTS, language) == found


async def asked(night: NightReader, task: str) -> object:
    match task:
        case "reread":
            return await night.reread(TALK)
        case "topics":
            return await night.topics(NOTES, language="en", most=2)
        case _:
            return await night.retell(TEXTS, language="en", tokens=40)


@each(["reread", "topics", "retell"])
async def test_failures_are_told_in_our_words_and_a_reply_of_another_shape_is_repaired_once(
    task: str, server: ScriptedModel
) -> None:
    """The whole table of troubles is in test_llm_faults: whoever asks a model asks the same way."""
    for answer, calls in ((failing(503), 1), (broken_arguments(), 2)):
        server.afresh(answer)
        async with nightly(server) as night:
            with pytest.raises(MindError, match=r"answered 503|cannot be used") as caught:
                await asked(night, task)
            assert isinstance(caught.value, MindUnavailableError) is (calls == 1)
            assert sum(spent.calls for spent in night.spent()) == server.calls == calls
        assert not any(word in str(caught.value) for word in ("Recife", "bakery", "rowed", KEY))
