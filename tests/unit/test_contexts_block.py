"""What a context tells first, what it never tells twice, how it says what is unsure, and what fills the rest."""

from __future__ import annotations

from typing import Any

import pytest

from angles import Angles
from builders import NOW, a_conversation, a_message, a_note, an_item, days, kept
from loops import each
from memories import a_memory
from relembra import Memory
from relembra.domain.knowledge import KnowledgeType, Source
from relembra.recall.formats import RENDERINGS
from relembra.recall.query import Miss
from relembra.recall.rendering import EarlierLine, FurtherLine, KnownLine, MemoryLine
from relembra.store.port import Store

FORMATS = sorted(RENDERINGS)
VITAL = {
    "name": ("Is called Maya", "Maya"),
    "allergy": ("Is allergic to peanuts", "peanuts"),
    "medication": ("Takes losartan 50 mg", "losartan 50 mg"),
    "residence": ("Lives in Leeds", "Leeds"),
    "occupation": ("Is a nurse", "nurse"),
    "communication": ("Wants short answers", "short answers"),
}


@pytest.fixture
async def maya(memory: Memory) -> Memory:
    """A memory that knows what is vital of somebody, and thirty things that are not."""
    for attribute, (content, value) in VITAL.items():
        await memory.add(content, user="ana", attribute=attribute, value=value)
    for thing in ("rain", "snow", "trains", "rivers", "bread", "ghosts", "bees", "maps", "clocks", "ships", "tea"):
        await memory.add(f"Likes the song about {thing}", user="ana", attribute="likes", value=f"song about {thing}")
    return memory


@each([(form, budget) for form in FORMATS for budget in (150, 300, 800, 2_000, 4_000)])
async def test_what_is_vital_is_told_before_all_else(form: str, budget: int, maya: Memory) -> None:
    context = await maya.load(user="ana", query="which song do I like?", format=form, budget=budget)
    at = [context.text.index(word) for word in ("Maya", "peanuts", "losartan", "Leeds", "nurse", "short answers")]
    assert at == sorted(at)
    assert context.text.index("song") > at[-1] if "song" in context.text else budget == 150
    assert context.tokens <= budget


async def test_health_is_the_last_to_go_but_the_name(maya: Memory) -> None:
    short = (await maya.load(user="ana", query="which song do I like?", budget=40)).text
    assert ["Maya" in short, "peanuts" in short, "Leeds" in short, "song" in short] == [True, True, False, False]


@each(
    [
        ("thanks a lot!", False),
        ("translate into German: my favourite song", False),
        ("write a regex that matches dates", False),
        ("what is the capital of Peru?", False),
        ("which song do I like?", True),
        ("write about the song about trains", True),  # a task, and yet of what is known
    ]
)
async def test_what_concerns_nobody_brings_only_what_is_vital(query: str, told: bool, maya: Memory) -> None:
    trace = await maya.why(query, user="ana", budget=2_000)
    context = trace.context
    assert ("song" in context.text) is told
    assert "peanuts" in context.text
    assert told or {type(line) for line in context.lines} == {MemoryLine}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("write a regex that matches addresses", "write a regex that matches dates"),
        ("translate good morning", "Morning!"),
    ],
)
async def test_earlier_words_that_concern_nobody_do_not_make_a_request_ones_own(
    query: str, said: str, store: Store
) -> None:
    await kept(store, a_conversation(id="old"), a_message(text=said, conversation="old", sent_at=NOW - days(9)))
    async with a_memory(store) as memory:
        await memory.reindex()
        assert (await memory.load(user="ana", query=query)).earlier == ()


async def test_an_item_of_the_same_topic_alone_does_not_make_a_request_ones_own() -> None:
    async with Memory.open(":memory:") as memory:
        said = "“Ruth, lives in Doncaster and she's turning 70 on January 12th”"
        await memory.add(said, user="ana", subject="Ruth", type="fact", attribute="age")
        for query, told in (("write a regex that matches an email address", False), ("write about Doncaster", True)):
            assert bool((await memory.load(user="ana", query=query)).hits) is told


async def test_a_message_does_not_fill_beside_the_note_that_holds_it(store: Store) -> None:
    texts = ("I keep bees in Leeds.", "The honey is dark this year.", "My sister paints boats.")
    said = [a_message(text=text, conversation="old", sent_at=NOW - days(9)) for text in texts]
    note = a_note(summary=" ".join(texts), message_ids=tuple(one.id for one in said))
    await kept(store, a_conversation(id="old"), *said, note)
    async with a_memory(store) as memory:
        await memory.reindex()
        context = await memory.load(user="ana", query="how are the bees in Leeds?", budget=2_000)
    assert context.notes
    assert context.text.count("paints boats") == 1


async def test_the_note_of_the_talk_at_hand_is_not_told_beside_it(store: Store) -> None:
    texts = ("I keep bees in Leeds.", "My sister paints boats.")
    said = [a_message(text=text, conversation="now", sent_at=NOW) for text in texts]
    note = a_note(summary=" ".join(texts), message_ids=tuple(one.id for one in said))
    await kept(store, a_conversation(id="now"), *said, note)
    async with a_memory(store) as memory:
        await memory.reindex()
        told = [await memory.load(user="ana", query="the bees", conversation=where) for where in ("now", "other")]
    assert [(len(one.recent), len(one.notes), one.text.count("paints boats")) for one in told] == [(2, 0, 1), (0, 0, 1)]


async def test_a_fact_told_in_the_compact_memory_is_not_told_again(memory: Memory) -> None:
    await memory.add("Lives in Leeds", user="ana", attribute="residence", value="Leeds")
    await memory.add("Has lived in York", user="ana", attribute="former_residence", value="York")
    await memory.add("Clara is their sister", user="ana", subject="Clara", attribute="relation", value="sister")
    for form in FORMATS:
        context = await memory.load(user="ana", query="where do I live, and my sister Clara?", format=form)
        assert [context.text.count(word) for word in ("Leeds", "York", "Clara")] == [1, 1, 1], form
        assert len(context.hits) == 3  # told in other words, they count as shown


@pytest.mark.parametrize(
    ("said", "shown"),
    [("I live in Leeds.", 0), ("I live in Leeds, in a narrow house by the canal that floods each spring.", 1)],
)
async def test_a_message_comes_only_for_what_it_tells_beyond_items(said: str, shown: int, store: Store) -> None:
    message = a_message(text=said, conversation="old", sent_at=NOW - days(9))
    item = an_item(content="Lives in Leeds", attribute="residence", value="Leeds", message_ids=(message.id,))
    await kept(store, a_conversation(id="old"), message, item)
    async with a_memory(store) as memory:
        await memory.reindex()
        trace = await memory.why("where in Leeds do I live?", user="ana")
    assert sum(isinstance(line, EarlierLine) for line in trace.context.lines) == shown
    assert [one.miss for one in trace.missed if one.row.id == message.id] == [Miss.TOLD] * (1 - shown)


UNSURE: list[tuple[dict[str, Any], str | None]] = [
    ({"attribute": "allergy", "value": "kiwi", "confidence": 0.6}, "perhaps"),
    ({"attribute": "allergy", "value": "kiwi", "confidence": 0.75}, ""),
    ({"attribute": "allergy", "value": "kiwi", "confidence": 0.75, "source": Source.AI_INFERENCE}, "probably"),
    ({"type": KnowledgeType.PREFERENCE, "confidence": 0.75, "source": Source.AI_INFERENCE}, "probably"),
    ({"type": KnowledgeType.PREFERENCE, "confidence": 0.6}, None),
    ({"type": KnowledgeType.PREFERENCE, "confidence": 0.75}, ""),
]


@pytest.mark.parametrize(("parts", "word"), UNSURE)
async def test_what_is_unsure_is_told_so_or_not_at_all(parts: dict[str, Any], word: str | None, store: Store) -> None:
    """Health is told however unsure; anything else below the medium is left out."""
    await kept(store, an_item(content="Avoids kiwi fruit", title="Kiwi", validated=False, **parts))
    async with a_memory(store) as memory:
        await memory.reindex()
        for form in FORMATS:
            context = await memory.load(user="ana", query="kiwi fruit?", format=form, language="en")
            assert ("kiwi" in context.text.casefold()) is (word is not None), form
            assert [mark for mark in ("perhaps", "probably") if mark in context.text] == ([word] if word else []), form
        misses = {one.miss for one in (await memory.why("kiwi fruit?", user="ana")).missed}
    assert (Miss.UNSURE in misses) is (word is None)


async def test_weaker_matches_fill_the_room_and_then_the_rest_of_the_memory(store: Store) -> None:
    strong = [a_message(text=f"strong {n}", conversation="old", sent_at=NOW - days(9)) for n in range(2)]
    weak = [a_message(text=f"weaker {n}", conversation="old", sent_at=NOW - days(9)) for n in range(30)]
    far = a_message(text="farther", conversation="old", sent_at=NOW - days(9))
    likes = [
        an_item(
            content=f"farther song {n}", title="song", type=KnowledgeType.PREFERENCE, attribute="likes", value=f"{n}"
        )
        for n in range(14)
    ]
    await kept(store, a_conversation(id="old"), *strong, *weak, far, *likes)
    async with a_memory(store, embedder=Angles({"strong": 0.9, "weaker": 0.3, "farther": 0.05})) as memory:
        await memory.reindex()
        for budget in (100, 200, 800):
            context = await memory.load(user="ana", query="Why did we?", budget=budget)
            shown = [hit.message.text.split()[0] for hit in context.earlier]
            assert shown.count("strong") == 2
            assert (shown.count("weaker") > 5) is (budget >= 200)
            assert "farther" not in shown
            assert context.tokens <= budget
            behind = [line for line in context.lines if isinstance(line, FurtherLine)]
            assert bool(behind) is (budget == 800)
            assert not any(isinstance(line, KnownLine) for line in context.lines)
