"""What is in doubt is shown with the newer words beside it, wherever it is shown, and only where they may be heard."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories import Clock
from readers import UNSURE
from relembra import Memory
from relembra.domain.knowledge import DoubtedItem, KnowledgeItem
from relembra.recall.formats import RENDERINGS
from relembra.recall.query import Miss
from relembra.recall.rendering import told

WORDS = f"the team folded, so (ends volleyball {UNSURE})"
LINE = f"habit volleyball on Thursdays; on 3 March said: “{WORDS}”"
QUOTED = f"“habit volleyball on Thursdays”; on 3 March said: “{WORDS}”"
IN_ONE = LINE.replace("“", '"').replace("”", '"')  # inside quotation marks of its own


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 2, 1, 12, tzinfo=UTC))


async def said(memory: Memory, *texts: str, user: str = "ana", space: str | None = None) -> None:
    for text in texts:
        await memory.save(user=user, said=text, space=space)
    await memory.settle(flush=True)


async def in_doubt(memory: Memory, clock: Clock, *, space: str | None = None, words: str = WORDS) -> None:
    await said(memory, "[habit=volleyball on Thursdays]", space=space)
    clock.now = datetime(2026, 3, 3, 20, tzinfo=UTC)
    await said(memory, words, space=space)
    clock.move(days=10)


async def test_every_form_of_a_context_shows_the_newer_words(listener: Memory, clock: Clock) -> None:
    await in_doubt(listener, clock)
    for format in RENDERINGS:
        context = await listener.load(user="ana", query="volleyball on Thursdays", format=format, language="en")
        text = context.text.replace('\\"', '"').replace("“the", '"the').replace(")”", ')"')
        assert IN_ONE in text, format
        assert f"- “{WORDS}” [" not in context.text  # the words are not told by themselves as well


async def test_views_lists_and_tools_show_them(listener: Memory, clock: Clock) -> None:
    await in_doubt(listener, clock)
    me = await listener.me(user="ana", language="en")
    assert LINE in me.learnt_patterns
    assert IN_ONE in me.text
    assert all(not line.startswith("“") for line in me.top_of_mind)  # told once
    profile = await listener.profile(user="ana", language="pt")
    [line] = [line for lines in profile.sections.values() for line in lines]
    assert line.text == f"habit volleyball on Thursdays; em 3 de março disse: “{WORDS}”"
    [trait] = await listener.cognitive(user="ana")
    assert (trait.value, [row["c"] for row in await listener.minified(user="ana")]) == (LINE, [IN_ONE])
    words, habit = await listener.list(user="ana")
    assert (told(habit, "en"), told(words, "en")) == (LINE, f"“{WORDS}”")
    assert told(await listener.get(habit.id, user="ana"), "en") == LINE
    assert told((await listener.history(habit.id, user="ana")).item, "en") == LINE
    [hit, *_] = await listener.search("volleyball on Thursdays", user="ana")
    assert told(hit.item, "en") == LINE
    assert told((await listener.recall("volleyball on Thursdays", user="ana")).items[0].item, "en") == LINE
    answer = await listener.call_tool("search_knowledge", {"query": "volleyball on Thursdays"}, user="ana")
    assert answer["items"][0]["content"] == IN_ONE
    assert answer["items"][0]["disputed"] is True
    chat = await listener.command("/recall volleyball on Thursdays", user="ana", language="en")
    assert chat is not None
    assert QUOTED in chat.text


async def test_they_are_heard_only_where_they_may_be(listener: Memory, clock: Clock) -> None:
    await in_doubt(listener, clock, space="club")
    [habit] = [item for item in await listener.list(user="ana", space="club") if item.attribute]
    assert isinstance(habit, DoubtedItem)
    context = await listener.load(user="ana", query="volleyball", space="other")
    assert "folded" not in context.text
    then = await listener.list(user="ana", as_of=datetime(2026, 3, 2, tzinfo=UTC))
    assert [told(item, "en") for item in then] == ["habit volleyball on Thursdays"]


@pytest.mark.parametrize("what", ["item", "conversation"])
async def test_forgetting_the_words_takes_them_from_everywhere(what: str, listener: Memory, clock: Clock) -> None:
    await said(listener, "[habit=volleyball on Thursdays]")
    clock.now = datetime(2026, 3, 3, tzinfo=UTC)
    await listener.save(user="ana", said=WORDS, conversation="later")
    await listener.settle(flush=True)
    [words] = [item for item in await listener.list(user="ana") if item.attribute is None]
    await listener.me(user="ana")
    if what == "item":
        await listener.forget(user="ana", item=words.id)
    else:
        await listener.forget(user="ana", conversation="later")
    assert await listener.conflicts(user="ana") == []
    [habit] = await listener.list(user="ana")
    assert not isinstance(habit, DoubtedItem)
    assert not habit.needs_resolution
    for text in (
        (await listener.me(user="ana")).text,
        (await listener.profile(user="ana")).text,
        str((await listener.history(habit.id, user="ana")).trail),
    ):
        assert "folded" not in text


async def test_why_says_that_the_words_are_told_beside(listener: Memory, clock: Clock) -> None:
    await in_doubt(listener, clock)
    trace = await listener.why("volleyball on Thursdays", user="ana")
    left = [(one.miss, one.row.content) for one in trace.missed if isinstance(one.row, KnowledgeItem)]
    assert left == [(Miss.TOLD, f"“{WORDS}”")]
