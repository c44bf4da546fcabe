"""A context of any lines, in any form, under any budget: what always holds of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builders import ANA, NOW, a_message, a_note, an_id, an_item, days, minutes
from relembra.domain.knowledge import Section
from relembra.domain.message import Role
from relembra.domain.policy import LIFE, PRESETS, RankingName
from relembra.learn.casework import Question
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import Tokens
from relembra.recall.assembly import MemoryContext, assemble
from relembra.recall.formats import RENDERINGS
from relembra.recall.ranking import Hit, MessageHit, NoteHit, Why
from relembra.recall.rendering import KnownLine, MemoryLine, Part, ProfileLine


class Letters:
    """Counts every character as a token."""

    def count(self, text: str) -> int:
        return len(text)


class Dear:
    """Counts four for every word and one for every line, as a wordy encoder might."""

    def count(self, text: str) -> int:
        return 4 * len(text.split()) + text.count("\n")


WHY = Why(ranking=RankingName.DEFAULT, cosine=0.5, bm25=None, terms=(), similarity=0.5, weight=1.0, recency=1.0)
COUNTERS: list[Tokens] = [OfflineTokens(), Letters(), Dear()]

plain = st.sampled_from(
    ["gosta de café", "mora em Recife", "corre", "was laid off", "x", "toca violão na praça à noite"]
)
odd = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=120)
texts = plain | plain.map(lambda text: 12 * f"{text}. ") | odd
formats = st.sampled_from(sorted(RENDERINGS))
counters = st.sampled_from(COUNTERS)
languages = st.sampled_from(["en", "pt"])
policies = st.sampled_from(list(PRESETS.values()))
budgets = st.integers(0, 40) | st.integers(0, 600) | st.integers(0, 4_000)


@st.composite
def memories(draw: st.DrawFn) -> list[MemoryLine]:
    fields = st.sampled_from(["location", "occupation", "current_goals", "values"])
    return [MemoryLine(draw(fields), text) for text in draw(st.lists(texts, max_size=6))]


@st.composite
def profiles(draw: st.DrawFn) -> list[ProfileLine]:
    people, sections = st.sampled_from(["ana", "bia", "caio"]), st.sampled_from(list(Section))
    return [
        ProfileLine(draw(people), draw(sections), text, draw(st.none() | plain), NOW, draw(st.booleans()))
        for text in draw(st.lists(texts, max_size=6))
    ]


@st.composite
def asked(draw: st.DrawFn) -> dict[str, Any]:
    """What a question brings along, and the talk at hand."""
    hits = [
        Hit(an_item(id=an_id(number), content=text), 1.0 - number / 100, WHY)
        for number, text in enumerate(draw(st.lists(texts, max_size=6)))
    ]
    notes = [
        NoteHit(a_note(id=an_id(100 + number), summary=text, happened_at=NOW - days(number)), 0.5, WHY)
        for number, text in enumerate(draw(st.lists(texts, max_size=3)))
    ]
    said = [
        a_message(
            id=an_id(200 + number),
            text=text,
            role=Role.ASSISTANT if number % 2 else Role.USER,
            sent_at=NOW - minutes(30 - number),
        )
        for number, text in enumerate(draw(st.lists(texts, max_size=6)))
    ]
    earlier = [
        MessageHit(a_message(id=an_id(300 + number), text=text, sent_at=NOW - days(3 + number)), 0.5, WHY)
        for number, text in enumerate(draw(st.lists(texts, max_size=6)))
    ]
    return {
        "hits": hits, "notes": notes, "earlier": earlier, "recent": said, "summary": draw(st.none() | plain),
        "question": draw(st.none() | st.just(Question("c", "Mora em “Recife” ou em “Olinda”?"))),
    }  # fmt: skip


def assembled(**parts: Any) -> MemoryContext:
    ordinary: dict[str, Any] = {"name": ANA.user, "now": NOW, "language": "pt", "policy": LIFE, "tokens": COUNTERS[0]}
    return assemble(**ordinary | parts)


@given(memories(), profiles(), asked(), budgets, formats, counters, languages, policies)
def test_a_context_never_exceeds_its_budget_and_tells_what_was_cut(
    memory: Any, people: Any, parts: Any, budget: int, format: str, tokens: Tokens, language: str, policy: Any
) -> None:
    context = assembled(
        memory=memory, profiles=people, budget=budget, format=format, tokens=tokens, language=language, policy=policy,
        **parts,
    )  # fmt: skip
    assert context.tokens == tokens.count(context.text) <= budget
    again = assembled(
        memory=memory, profiles=people, budget=budget, format=format, tokens=tokens, language=language, policy=policy,
        **parts,
    )  # fmt: skip
    assert (again.text, again.lines) == (context.text, context.lines)
    if format == "chat":
        assert sum(tokens.count(message["content"]) for message in context.chat) <= budget
    own = {line.text.strip() for line in context.lines if isinstance(line, MemoryLine)}
    told = {line.hit.item.content for line in context.lines if isinstance(line, KnownLine)}
    assert not own & {text.strip() for text in told}  # nothing is said twice of one person
    assert told <= {hit.item.content for hit in context.hits}
    if Part.ASK in context.shares:
        assert context.shares[Part.ASK].tokens <= budget / 4
    assert context.cut == sum(share.cut for share in context.shares.values())
    shown = {part: sum(line.part is part for line in context.lines) for part in Part}
    assert {part: share.lines for part, share in context.shares.items()} == {
        part: shown[part] for part in context.shares
    }
    assert bool(context.lines) is bool(context.text)
    wanted = {
        Part.MEMORY: len(memory) + bool(memory), Part.PROFILES: len(people), Part.KNOWN: len(parts["hits"]),
        Part.NOTES: len(parts["notes"]), Part.EARLIER: len(parts["earlier"]),
        Part.RECENT: len(parts["recent"]) + (parts["summary"] is not None),
        Part.ASK: int(parts["question"] is not None),
    }  # fmt: skip
    for part, number in wanted.items():
        assert (part in context.shares) is (number > 0)
        if number:
            share = context.shares[part]
            repeated = number - share.lines - share.cut
            assert repeated >= 0
            assert repeated == 0 or part in (Part.MEMORY, Part.PROFILES, Part.KNOWN, Part.NOTES)


@given(memories(), profiles(), asked(), asked(), budgets, formats, counters)
def test_what_changes_least_does_not_depend_on_the_question(
    memory: Any, people: Any, one: Any, other: Any, budget: int, format: str, tokens: Tokens
) -> None:
    """A prompt's beginning stays the same from turn to turn, so that a provider may keep it."""
    contexts = [
        assembled(memory=memory, profiles=people, budget=budget, format=format, tokens=tokens, **parts)
        for parts in (one, other)
    ]
    steady = [[line for line in context.lines if line.part in (Part.MEMORY, Part.PROFILES)] for context in contexts]
    assert steady[0] == steady[1]


@given(memories(), asked(), asked(), budgets)
def test_the_text_begins_with_the_same_memory_whatever_is_asked(memory: Any, one: Any, other: Any, budget: int) -> None:
    alone = assembled(memory=memory, budget=budget, **{**one, **NOTHING}).text
    for parts in (one, other):
        assert assembled(memory=memory, budget=budget, **parts).text.startswith(alone)


NOTHING: dict[str, Any] = {
    "hits": [], "notes": [], "earlier": [], "recent": [], "summary": None, "question": None,
}  # fmt: skip


@given(asked(), budgets)
def test_more_room_never_shows_less(parts: Any, budget: int) -> None:
    """Of one kind of line: with several kinds, what a longer line takes may cost two shorter ones."""
    only = {**NOTHING, "hits": parts["hits"]}
    less, more = (assembled(budget=room, **only) for room in (budget, 2 * budget + 10))
    assert sum(share.tokens for share in less.shares.values()) <= sum(share.tokens for share in more.shares.values())


def test_what_a_profile_says_of_somebody_else_is_still_said_of_the_asker() -> None:
    """Two people may say the same, and it is told of both."""
    people = [ProfileLine("bia", Section.INTERESTS, "Gosta de café", None, NOW, False)]
    hit = Hit(an_item(content="Gosta de café"), 0.5, WHY)
    context = assembled(profiles=people, budget=500, **{**NOTHING, "hits": [hit]})
    assert [line.part for line in context.lines] == [Part.PROFILES, Part.KNOWN]
    assert context.hits == (hit,)


def test_what_a_profile_of_the_same_person_says_is_not_said_again() -> None:
    people = [ProfileLine(ANA.user, Section.INTERESTS, "Gosta de café", None, NOW, False)]
    hit = Hit(an_item(content="gosta de café."), 0.5, WHY)
    context = assembled(profiles=people, budget=500, **{**NOTHING, "hits": [hit]})
    assert [line.part for line in context.lines] == [Part.PROFILES]
    assert context.hits == (hit,)
    assert context.cut == 0


def test_what_is_on_a_persons_mind_is_not_said_again_for_its_date() -> None:
    memory = [MemoryLine("top_of_mind", "Vai a Roma (1 mar 2026)"), MemoryLine("values", "Viu Roma (2019)")]
    hits = [Hit(an_item(content=text), 0.5, WHY) for text in ("Vai a Roma", "Viu Roma (2019)", "Viu Roma")]
    context = assembled(memory=memory, budget=500, **{**NOTHING, "hits": hits})
    assert context.hits == tuple(hits)
    assert [line.hit.item.content for line in context.lines if isinstance(line, KnownLine)] == ["Viu Roma"]


def test_the_same_words_about_somebody_else_are_something_else() -> None:
    memory = [MemoryLine("location", "Mora em Recife")]
    sister = Hit(an_item(content="Mora em Recife", subject="Clara"), 0.5, WHY)
    named = Hit(replace(sister.item, id=an_id(), content="Clara mora em Recife"), 0.4, WHY)
    context = assembled(memory=memory, budget=500, **{**NOTHING, "hits": [sister, named]})
    assert [hit.item.id for hit in context.hits] == [sister.item.id, named.item.id]
    assert context.shares[Part.KNOWN].lines == 2
