"""Everything that can go wrong between us and a model, each over a real connection on loopback."""

from __future__ import annotations

import contextlib
import json
import traceback
from typing import Any

import pytest

from builders import a_message
from loops import each
from relembra.domain.candidate import Spent, Talk
from relembra.domain.knowledge import SELF
from relembra.errors import MindError, MindUnavailableError
from scripted import (
    KEY,
    Answer,
    Dropped,
    Raw,
    Request,
    Said,
    ScriptedModel,
    Silence,
    broken_arguments,
    broken_body,
    completion,
    empty,
    failing,
    rate_limited,
    reading,
    refusal,
    spoken,
    structured,
    too_long,
    wrong_schema,
)

SECRET = "I moved to Recife"
NOTE = {"title": "Moving house", "summary": "Ana moved to Recife."}
TALK = Talk((a_message(text=SECRET),))
WIRES = {"openai": "openai:gpt-5-mini", "anthropic": "anthropic:claude-haiku-4-5"}


async def failure(server: ScriptedModel, answer: Answer, wire: str = "openai", **options: Any) -> MindError:
    """The error a digest ends with; it tells nothing that was said, asked, replied or secret, nor does its trace."""
    server.afresh(answer)
    url = server.url if wire == "openai" else server.root
    async with reading(server, fast=WIRES[wire], deep=None, base_url=url, **options) as reader:
        with pytest.raises(MindError) as caught:
            await reader.digest(TALK)
    told = "".join(traceback.format_exception(caught.value))
    assert not any(word in told for word in ("Recife", KEY, "long-term memory", "as told", "I would rather"))
    assert WIRES[wire] in str(caught.value)
    return caught.value


PASSING = [
    (rate_limited(), "answered 429"),
    (failing(500), "answered 500"),
    (failing(529), "answered 529"),
    (failing(408), "answered 408"),
    (Dropped(), "could not be reached"),
]


@each([(answer, sentence, wire) for answer, sentence in PASSING for wire in WIRES])
async def test_passing_trouble_is_worth_another_try_later(
    answer: Answer, sentence: str, wire: str, server: ScriptedModel
) -> None:
    error = await failure(server, answer, wire)
    assert isinstance(error, MindUnavailableError)
    assert sentence in str(error)
    assert error.retry_after_seconds is None
    assert server.calls == 1


@each(WIRES)
async def test_a_server_that_says_nothing_is_unavailable(wire: str, server: ScriptedModel) -> None:
    error = await failure(server, Silence(), wire, timeout_seconds=0.2)
    assert isinstance(error, MindUnavailableError)
    assert "did not answer within 0.2 seconds" in str(error)


async def test_a_server_that_is_not_there_is_unavailable(server: ScriptedModel) -> None:
    async with reading(server, base_url="http://127.0.0.1:9/v1") as reader:
        with pytest.raises(MindUnavailableError, match="could not be reached"):
            await reader.digest(TALK)
        assert reader.spent() == [Spent(task="digest", model="openai:fast-1", calls=1, input_tokens=0, output_tokens=0)]


LASTING = [
    (failing(400), "refused with 400: check its name"),
    (failing(401), "refused with 401: check the API key"),
    (failing(403), "refused with 403: this key may not"),
    (failing(404), "refused with 404: check the model's name"),
    (refusal(), "refused the digest"),
    (empty(), "gave an empty digest reply"),
    (too_long(), "did not finish its digest reply within 8000 tokens"),
    (broken_body(), "not of its protocol"),
    (Raw(200, b"<html>hello</html>", {"Content-Type": "text/html"}), "not of its protocol"),
    (Raw(200, b"{}", {"Content-Type": "application/json"}), "not of its protocol"),
    (Raw(200, b'{"choices": ' + b"[" * 100_000, {"Content-Type": "application/json"}), "not of its protocol"),
]


@each([(answer, sentence, wire) for answer, sentence in LASTING for wire in WIRES])
async def test_lasting_trouble_is_told_at_once(answer: Answer, sentence: str, wire: str, server: ScriptedModel) -> None:
    error = await failure(server, answer, wire)
    assert not isinstance(error, MindUnavailableError)
    assert sentence in str(error)
    assert server.calls == 1


UNUSABLE = [
    broken_arguments(),
    wrong_schema(),
    spoken("Sure! Recife it is."),
    structured([]),
    Said(arguments='{"title": "A", "summary": ' + "[" * 800 + "]" * 800 + "}"),
]


@each([(answer, wire) for answer in UNUSABLE for wire in WIRES])
async def test_an_unusable_reply_is_repaired_once_and_then_given_up(
    answer: Answer, wire: str, server: ScriptedModel
) -> None:
    error = await failure(server, answer, wire)
    assert "cannot be used, also when asked to repair it" in str(error)
    assert server.calls == 2


async def test_a_repair_tells_the_model_what_was_wrong_and_not_among_peoples_words(server: ScriptedModel) -> None:
    server.afresh(structured({"title": "Moving", "summary": 7.5, "things": {"rumour": 1}}), structured(NOTE))
    async with reading(server) as reader:
        digest = await reader.digest(Talk(TALK.messages, language="pt"))
        (spent,) = reader.spent()
    assert digest.note.title == NOTE["title"]
    first, second = server.requests
    assert second.user == first.user
    assert second.system.startswith(first.system)
    assert "Sua última resposta não pôde ser usada" in second.system
    assert "things: Input should be a valid array" in second.system
    assert "rumour" not in second.system
    assert (spent.calls, spent.input_tokens) == (2, server.input_tokens)
    assert spent.output_tokens == server.output_tokens > 0


@each(
    [
        ({"type": "rumour"}, {"type": "fact"}),
        ({"area": "work"}, {"area": None}),
        ({"subject": "  "}, {"subject": SELF}),
        ({"subject": "Clara", "person": {"name": "Clara", "relation": {}, "likes": ["tea"]}},
         {"subject": "Clara", "person": {"name": "Clara", "likes": "tea"}}),
    ],
)  # fmt: skip
async def test_a_field_that_cannot_be_used_is_left_out_and_the_thing_is_kept(
    bad: dict[str, Any], left: dict[str, Any], server: ScriptedModel
) -> None:
    thing = {"m": "m1", "quote": "moved to Recife", "content": "Lives in Recife", "type": "fact"}
    server.afresh(structured(NOTE | {"things": [thing | bad]}))
    async with reading(server) as reader:
        (found,) = (await reader.digest(Talk(TALK.messages, known=("Clara is a friend",)))).candidates
    assert ({name: getattr(found, name) for name in left}, server.calls) == (left, 1)


@each(
    [{"m": "m1", "quote": "moved to Recife"}, {"m": None, "quote": "moved", "content": "Moved"}, "Moved", None, 3, []]
)
async def test_a_thing_that_cannot_be_used_is_left_out_and_the_rest_of_the_reply_counts(
    bad: object, server: ScriptedModel
) -> None:
    thing = {"m": "m1", "quote": "moved to Recife", "content": "Lives in Recife", "type": "fact"}
    server.afresh(structured(NOTE | {"things": [bad, thing]}))
    async with reading(server) as reader:
        digest = await reader.digest(TALK)
    assert digest.note.title == NOTE["title"]
    assert ([one.content for one in digest.candidates], server.calls) == (["Lives in Recife"], 1)


@each(
    [
        [],
        [{"n": 1, "contradicts": 0.5, "same": 0.5}] * 2,
        [{"n": 1, "contradicts": 1.5, "same": 0.5}, {"n": 2, "contradicts": 0.5, "same": 0.5}],
    ]
)
async def test_without_an_answer_for_every_pair_the_offline_judgement_stands(
    answers: list[dict[str, Any]], server: ScriptedModel
) -> None:
    server.afresh(structured({"answers": answers}))
    async with reading(server) as reader:
        assert [one.contradicts for one in await reader.compare([("a", "b"), ("c", "d")])] == [0.5, 0.5]
        assert [(one.task, one.calls) for one in reader.spent()] == [("compare", 2)]
    assert "- answers" in server.requests[1].system


@each(
    [
        ("17", 17),
        ("soon", None),
        ("9" * 400, 21_600),
        ("nan", None),
        ("-30", 0),
        ("Fri, 31 Dec 9999 23:59:59 -2359", 21_600),
    ]
)
async def test_no_server_puts_learning_off_for_longer_than_six_hours(
    asked: str, waited: float | None, server: ScriptedModel
) -> None:
    for wire in WIRES:
        error = await failure(server, rate_limited(asked), wire)
        assert isinstance(error, MindUnavailableError)
        assert error.retry_after_seconds in (None, waited)  # a client may take nonsense for nothing
        assert asked != "17" or error.retry_after_seconds == 17


@pytest.mark.filterwarnings("ignore:Failed to extract usage")
@each([10**30, -5, 1e300])
async def test_a_bill_that_cannot_be_is_not_believed(tokens: float, server: ScriptedModel) -> None:
    def billed(request: Request) -> Answer:
        told = completion(request, structured(NOTE))
        told["usage"] = {"prompt_tokens": tokens, "completion_tokens": tokens, "total_tokens": tokens}
        return Raw(200, json.dumps(told).encode(), {"Content-Type": "application/json"})

    server.afresh(billed)
    async with reading(server) as reader:
        with contextlib.suppress(MindError):  # a client may refuse it as well
            await reader.digest(TALK)
        [spent] = reader.spent()
    assert spent.calls >= 1
    assert 0 <= spent.input_tokens <= 2 * 10**9
