from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.policy import SearchPolicy
from relembra.errors import InvalidInputError
from relembra.tools.arguments import AddKnowledge, AnalyzeContext, SearchKnowledge, Tool, parsed


def refused(tool: str, arguments: Any) -> InvalidInputError:
    with pytest.raises(InvalidInputError) as caught:
        parsed(tool, arguments)
    return caught.value


def test_a_search_takes_five_unless_told() -> None:
    assert parsed("search_knowledge", {"query": "coffee"}) == SearchKnowledge(query="coffee", limit=5)
    assert parsed("search_knowledge", {"query": "x", "type": "fact", "area": "mental_health", "limit": 10}) == (
        SearchKnowledge(query="x", type=KnowledgeType.FACT, area=LifeArea.MENTAL_HEALTH, limit=10)
    )


def test_the_policy_sets_the_numbers() -> None:
    policy = SearchPolicy(default_limit=2, tool_limit=3)
    assert parsed("search_knowledge", {"query": "x"}, policy=policy) == SearchKnowledge(query="x", limit=2)
    with pytest.raises(InvalidInputError, match="between 1 and 3"):
        parsed("search_knowledge", {"query": "x", "limit": 4}, policy=policy)


def test_what_is_added_is_nine_tenths_sure_unless_told() -> None:
    homely = AddKnowledge(type=KnowledgeType.FACT, content="Lives in Recife", area=None)
    assert parsed("add_knowledge", {"type": "fact", "content": "Lives in Recife"}) == homely
    given = {"type": "goal", "content": "Wants to run", "area": "health"}
    assert parsed("add_knowledge", given) == AddKnowledge(
        type=KnowledgeType.GOAL, content="Wants to run", area=LifeArea.HEALTH, confidence=0.9
    )
    more = given | {"subArea": "sport", "confidence": 1}
    assert parsed("add_knowledge", more) == AddKnowledge(
        type=KnowledgeType.GOAL, content="Wants to run", area=LifeArea.HEALTH, sub_area="sport", confidence=1.0
    )


def test_both_ways_of_writing_names_are_taken() -> None:
    expected = AnalyzeContext(current_topic="debts", related_areas=(LifeArea.FINANCE,), look_for_contradictions=True)
    camel = {"currentTopic": "debts", "relatedAreas": ["finance"], "lookForContradictions": True}
    snake = {"current_topic": "debts", "related_areas": ["finance"], "look_for_contradictions": True}
    assert parsed("analyze_context", camel) == parsed("analyze_context", snake) == expected
    assert parsed("analyze_context", camel | snake) == expected
    assert "given twice" in str(refused("analyze_context", camel | {"current_topic": "sleep"}))


def test_arguments_may_be_json_text() -> None:
    assert parsed("search_knowledge", '{"query": "café"}') == SearchKnowledge(query="café")
    assert parsed("analyze_context", '{"currentTopic": "x", "relatedAreas": "[\\"health\\", \\"finance\\"]"}') == (
        AnalyzeContext(current_topic="x", related_areas=(LifeArea.HEALTH, LifeArea.FINANCE))
    )


def test_words_are_taken_however_capitalised_and_one_word_for_a_list() -> None:
    assert parsed("analyze_context", {"current_topic": "x", "related_areas": "Mental Health"}) == (
        AnalyzeContext(current_topic="x", related_areas=(LifeArea.MENTAL_HEALTH,))
    )
    assert parsed("search_knowledge", {"query": "x", "type": " Fact ", "area": None, "limit": 3.0}) == (
        SearchKnowledge(query="x", type=KnowledgeType.FACT, limit=3)
    )


@each(
    [
        ("forget_all", {}, "tool", "there are search_knowledge, add_knowledge, analyze_context"),
        ("search_knowledge", {}, "query", "needs query"),
        ("search_knowledge", None, "query", "needs query"),
        ("search_knowledge", "", "query", "needs query"),
        ("search_knowledge", {"query": "  "}, "query", "must not be empty"),
        ("search_knowledge", {"query": 3}, "query", "must be a text, not a number"),
        ("search_knowledge", {"query": "x", "querry": "y"}, "querry", "did you mean 'query'"),
        ("search_knowledge", {"query": "x", "zzz": 1}, "zzz", "it takes query, type, area, limit"),
        ("search_knowledge", {"query": "x", "limit": 11}, "limit", "ask for 10 at most"),
        ("search_knowledge", {"query": "x", "limit": 0}, "limit", "between 1 and 10"),
        ("search_knowledge", {"query": "x", "limit": "5"}, "limit", "a whole number from 1 to 10, not a text"),
        ("search_knowledge", {"query": "x", "limit": True}, "limit", "not true or false"),
        ("search_knowledge", {"query": "x", "limit": 2.5}, "limit", "a whole number"),
        ("search_knowledge", {"query": "x", "limit": float("nan")}, "limit", "a whole number"),
        ("search_knowledge", {"query": "x", "type": "hobby"}, "type", "choose one of fact, preference, memory"),
        ("search_knowledge", {"query": "x", "area": ["health"]}, "area", "must be a text, not a list"),
        ("search_knowledge", '{"query": ', "arguments", "not valid JSON"),
        ("search_knowledge", "[1]", "arguments", "not a list"),
        ("search_knowledge", "[" * 100_000, "arguments", "not valid JSON"),
        ("add_knowledge", {"content": "x", "area": "health"}, "type", "needs type: one of fact"),
        ("add_knowledge", {"type": "fact", "area": "health"}, "content", "needs content"),
        ("add_knowledge", {"type": "fact", "content": "x", "area": "sport"}, "area", "no area 'sport'"),
        ("add_knowledge", {"type": "fact", "content": "x", "area": "health", "confidence": 2}, "confidence", "0 and 1"),
        (
            "add_knowledge",
            {"type": "fact", "content": "x", "area": "health", "confidence": "1"},
            "confidence",
            "0 to 1",
        ),
        ("add_knowledge", {"type": "fact", "content": "x", "area": "health", "sub_area": " "}, "sub_area", "empty"),
        ("analyze_context", {"related_areas": []}, "current_topic", "needs current_topic"),
        ("analyze_context", {"current_topic": "x", "related_areas": [1]}, "related_areas", "a list of words"),
        (
            "analyze_context",
            {"current_topic": "x", "related_areas": ["sport"]},
            "related_areas",
            "choose one of health",
        ),
        ("analyze_context", {"current_topic": "x", "related_areas": "[x"}, "related_areas", "no related_areas '[x'"),
        (
            "analyze_context",
            {"current_topic": "x", "look_for_contradictions": "yes"},
            "look_for_contradictions",
            "true or false, not a text",
        ),
    ]
)
def test_an_error_names_the_argument_and_what_would_be_right(tool: str, arguments: Any, field: str, says: str) -> None:
    error = refused(tool, arguments)
    assert error.field == field
    assert says in str(error)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(
    ["query", "type", "area", "limit", "content", "subArea", "confidence", "currentTopic", "relatedAreas", "odd"]
)


@given(st.sampled_from(list(Tool)), st.dictionaries(NAMES, JSON | st.sampled_from(["fact", "health"]), max_size=5))
def test_whatever_comes_is_a_request_or_an_error_of_ours(tool: Tool, arguments: dict[str, Any]) -> None:
    wrong = ""
    try:
        request = parsed(tool, arguments)
    except InvalidInputError as error:
        wrong = error.field or "unnamed"
    else:
        assert isinstance(request, (SearchKnowledge, AddKnowledge, AnalyzeContext))
        assert parsed(tool, json.dumps(arguments)) == request
    assert wrong != "unnamed"
