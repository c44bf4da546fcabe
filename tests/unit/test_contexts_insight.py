"""Insights in a context: told once, in private, and never weak ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from memories import Clock, InMemoryStore, a_memory
from relembra import Memory
from relembra.domain.insight import MENTIONED
from relembra.domain.policy import LIFE
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.store.port import Store

TEXTS = {"pt": "Estou ansiosa com o prazo.", "en": "I'm anxious about the deadline."}
HEADINGS = {"pt": "Algo que você pode contar", "en": "Something you could tell"}
WORDED = {
    "pt": "Sente ansiedade com prazos (em {} dias diferentes)",
    "en": "Feels anxious about deadlines (on {} different days)",
}


async def dreads(memory: Memory, days: int, language: str = "pt", **parts: Any) -> None:
    for day in range(1, days + 1):
        at = datetime.combine(date(2026, 2, day), time(20), timezone(timedelta(hours=-3)))
        await memory.save(user="ana", said=TEXTS[language], at=at, **parts)
    await memory.settle()
    await memory.find_insights(user="ana")


async def test_an_insight_is_told_once_with_its_evidence_in_private_and_in_either_language(clock: Clock) -> None:
    for language in TEXTS:
        async with a_memory(InMemoryStore(BilingualAnalyzer()), clock=clock) as memory:
            await dreads(memory, 5, language)
            asked: dict[str, Any] = {"user": "ana", "query": TEXTS[language], "language": language}
            shared = await memory.load(space="team", **asked)
            assert shared.insight is None
            traced = await memory.why(TEXTS[language], user="ana", language=language)
            first = await memory.load(**asked)
            [held] = await memory.insights(user="ana")
            assert first.insight == traced.context.insight == held  # looking into it told nobody
            assert held.content == WORDED[language].format(5)
            lines = first.text.splitlines()
            assert any(line.startswith(f"## {HEADINGS[language]}") and "“ana”" in line for line in lines)
            assert f"- “{held.content}” — “{held.evidence}”" in lines
            assert first.text.count(held.content) == 1  # not among what is known as well
            assert (await memory.load(**asked)).insight is None  # on its way to be written down
            await memory.settle()
            [after] = await memory.insights(user="ana")
            assert after.tags == (*held.tags, MENTIONED)
            assert (await memory.history(held.id, user="ana")).trail[-1].verb == "mention"
            assert (await memory.missing_vectors(), (await memory.verify()).problems) == (0, ())
            assert (await memory.load(**asked)).insight is None
            await dreads(memory, 8, language)  # renewed with other numbers, it is still told
            assert [one.content for one in await memory.insights(user="ana")] == [WORDED[language].format(8)]
            assert (await memory.load(**asked)).insight is None


async def test_weak_ones_and_confirmed_ones_are_not_told_but_where_the_policy_says_so(
    store: Store, clock: Clock
) -> None:
    async with a_memory(store, clock=clock) as memory:
        await dreads(memory, 3)
        assert [one.confidence < 0.6 for one in await memory.insights(user="ana")] == [True]
        assert (await memory.load(user="ana")).insight is None
    bold = replace(LIFE, insight=replace(LIFE.insight, told_at_least=0.5))
    async with a_memory(store, clock=clock, policy=bold) as memory:
        told = (await memory.load(user="ana")).insight
        assert told is not None
        assert (await memory.load(user="ana", as_of=clock())).insight is None
        await memory.forget(user="ana", item=told.id)  # before it is written down that it was told
        await memory.settle()
        await memory.find_insights(user="ana")
        [again] = await memory.insights(user="ana")
        await memory.validate(again.id, user="ana")
        assert (await memory.load(user="ana")).insight is None


async def test_a_question_goes_first(listener: Memory) -> None:
    await dreads(listener, 5)
    for day in (5, 6):
        await listener.save(user="ana", said=f"[birthday={day} May]")
        await listener.settle(flush=True)
    asked = await listener.load(user="ana")
    assert (asked.question is None, asked.insight) == (False, None)
    await listener.settle()
    assert (await listener.load(user="ana")).insight is not None


async def test_what_stays_here_or_does_not_fit_is_not_told(memory: Memory) -> None:
    await dreads(memory, 5)
    [held] = await memory.insights(user="ana")
    await memory.keep_local(held.id, user="ana")
    assert (await memory.load(user="ana", outside=True)).insight is None
    small = await memory.load(user="ana", budget=30)
    assert small.insight is None  # it did not fit, and so was not told
    assert (await memory.load(user="ana")).insight is not None
