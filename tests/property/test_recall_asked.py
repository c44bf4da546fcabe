"""Whatever is asked of whatever memory: an answer comes, within its budget, the same twice."""

from __future__ import annotations

import asyncio

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import NOW, an_id, an_item, days, kept
from memories import Clock, InMemoryStore, a_memory
from readers import NotationReader
from relembra import InvalidInputError
from relembra.domain.policy import PRESETS
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.recall.formats import RENDERINGS
from seeds import rounds

words = st.sampled_from(
    [
        "violão",
        "Clara",
        "onde",
        "ontem",
        "em março",
        "last week",
        "@bia",
        "não",
        "mais",
        "jantar",
        "?",
        "“",
        "<x>",
        "\n",
    ]
)
questions = st.lists(words, min_size=1, max_size=8).map(" ".join) | st.text(min_size=1, max_size=200)


@settings(max_examples=rounds(30), suppress_health_check=[HealthCheck.too_slow])
@given(
    questions, st.lists(questions, max_size=5), st.integers(0, 500), st.sampled_from(sorted(PRESETS)),
    st.sampled_from(sorted(RENDERINGS)), st.sampled_from([None, "g1"]),
)  # fmt: skip
def test_every_question_is_answered_within_its_budget_and_the_same_twice(
    question: str, said: list[str], budget: int, preset: str, format: str, space: str | None
) -> None:
    async def ask() -> None:
        store = InMemoryStore(BilingualAnalyzer())
        items = [
            an_item(id=an_id(n + 1), content=f"Toca violão {n} com Clara", subject="Clara", held_from=NOW - days(n))
            for n in range(3)
        ]
        await kept(store, *items)
        clock = Clock()
        async with a_memory(store, clock=clock, policy=PRESETS[preset], reader=NotationReader()) as memory:
            await memory.reindex()
            for text in said:
                try:
                    await memory.save(user="ana", said=text, space=space)
                except InvalidInputError:
                    continue
                clock.move(minutes=40)
            await memory.settle(flush=True)
            try:
                one = await memory.load(user="ana", query=question, budget=budget, format=format, space=space)
            except InvalidInputError:
                return
            assert one.tokens <= budget
            other = await memory.load(user="ana", query=question, budget=budget, format=format, space=space)
            assert one.text == other.text
            assert (await memory.why(question, user="ana", budget=budget, space=space)).context.tokens <= budget
            found = await memory.recall(question, user="ana", limit=3, trace=True, space=space)
            for kind in (found.items, found.notes, found.messages):
                assert len(kind) <= 3
                assert [hit.score for hit in kind] == sorted((hit.score for hit in kind), reverse=True)
            shown = [hit.item.id for hit in found.items] + [hit.message.id for hit in found.messages]
            shown += [hit.note.id for hit in found.notes]
            left = [one.row.id for one in found.missed]
            assert len({*shown, *left}) == len(shown) + len(left)

    asyncio.run(ask())
