"""The reranker a setting chooses, through a whole memory: nobody, the shipped encoder, or a language model."""

from __future__ import annotations

from typing import Any

from loops import each
from memories import Clock
from relembra import Memory
from relembra.recall.ranking import Hit
from relembra.settings import Settings
from scripted import Request, Said, rate_limited, refusal, scripted, structured

QUESTION = "how does she take her tea?"
HELD = ("Takes her tea with oat milk", "Her tea set is from Porto", "Lives in Bristol")


async def found(settings: Settings) -> list[Hit]:
    async with Memory.open(":memory:", settings=settings, clock=Clock(), background=False) as memory:
        for content in HELD:
            await memory.add(content, user="nora")
        return await memory.search(QUESTION, user="nora")


def asking(url: str) -> Settings:
    return Settings(llm="openai:our-model", llm_url=url, reranker="model")


def liking(content: str) -> Any:
    """Marks one text 10 and all others 0."""

    def answer(request: Request) -> Said:
        lines = [line for line in request.lines if "n" in line]
        return structured({"marks": [{"n": line["n"], "relevance": 10 * (content in line["text"])} for line in lines]})

    return answer


async def test_the_shipped_encoder_compares_word_by_word() -> None:
    hits = await found(Settings(reranker="match"))
    matches = [hit.why.match for hit in hits if hit.why.match is not None]
    assert len(matches) == len(HELD)
    assert hits[0].item.content == HELD[0]


async def test_a_language_model_reads_and_marks() -> None:
    with scripted(liking(HELD[1])) as server:
        hits = await found(asking(server.url))
    assert hits[0].item.content == HELD[1]
    assert sorted(hit.why.match or 0.0 for hit in hits) == [0.0, 0.0, 1.0]
    assert server.calls == 1
    (asked,) = server.requests
    assert asked.lines[0] == {"question": QUESTION}
    assert all(any(text in line["text"] for line in asked.lines[1:]) for text in HELD)


@each([rate_limited(), refusal(), structured({"marks": []})])
async def test_a_language_model_that_fails_leaves_the_order_as_it_was(answer: Any) -> None:
    plain = await found(Settings())
    with scripted(answer) as server:
        hits = await found(asking(server.url))
    assert server.calls > 0
    assert [(hit.item.content, hit.score) for hit in hits] == [(hit.item.content, hit.score) for hit in plain]


async def test_what_a_language_model_was_asked_is_counted_behind_the_answer() -> None:
    with scripted(liking(HELD[1])) as server:
        async with Memory.open(":memory:", settings=asking(server.url), clock=Clock(), background=False) as memory:
            for content in HELD:
                await memory.add(content, user="nora")
            await memory.search(QUESTION, user="nora")
            assert await memory.usage(user="nora") == []
            await memory.settle()
            [use] = await memory.usage(user="nora")
    assert (use.task, use.model, use.calls) == ("relevance", "openai:our-model", 1)
    assert use.input_tokens > 0
