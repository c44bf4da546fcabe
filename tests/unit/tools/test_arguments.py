"""What a model gives a tool: checked against one schema, for the three tools everywhere and for those of MCP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loops import each
from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.errors import InvalidInputError
from relembra.interfaces.mcp.tools import RIGHTS, input_schema
from relembra.tools.answers import AddKnowledge, AnalyzeContext, SearchKnowledge, Tool, checked, parsed, tools

jsonschema: Any = pytest.importorskip("jsonschema")
GOAL = {"type": "goal", "content": "Wants to run", "area": "health"}
DEBTS = AnalyzeContext(current_topic="debts", related_areas=(LifeArea.FINANCE,), look_for_contradictions=True)
CAMEL = {"currentTopic": "debts", "relatedAreas": ["finance"], "lookForContradictions": True}
SNAKE = {"current_topic": "debts", "related_areas": ["finance"], "look_for_contradictions": True}


@each(
    [
        ("search_knowledge", {"query": "coffee"}, SearchKnowledge(query="coffee", limit=5)),
        ("search_knowledge", '{"query": "café"}', SearchKnowledge(query="café")),
        (
            "search_knowledge",
            {"query": "x", "type": " Fact ", "area": "Mental Health", "limit": 3.0},
            SearchKnowledge(query="x", type=KnowledgeType.FACT, area=LifeArea.MENTAL_HEALTH, limit=3),
        ),
        ("search_knowledge", {"query": "x", "area": None}, SearchKnowledge(query="x")),
        (
            "add_knowledge",
            GOAL,
            AddKnowledge(type=KnowledgeType.GOAL, content="Wants to run", area=LifeArea.HEALTH, confidence=0.9),
        ),
        (
            "add_knowledge",
            {"type": "goal", "content": "Run", "subArea": "sport", "confidence": 1},
            AddKnowledge(type=KnowledgeType.GOAL, content="Run", sub_area="sport", confidence=1.0),
        ),
        ("analyze_context", CAMEL, DEBTS),
        ("analyze_context", SNAKE, DEBTS),
        ("analyze_context", CAMEL | SNAKE, DEBTS),
        (
            "analyze_context",
            '{"currentTopic": "x", "relatedAreas": "[\\"health\\", \\"finance\\"]"}',
            AnalyzeContext(current_topic="x", related_areas=(LifeArea.HEALTH, LifeArea.FINANCE)),
        ),
        (
            "analyze_context",
            {"current_topic": "x", "related_areas": "health"},
            AnalyzeContext(current_topic="x", related_areas=(LifeArea.HEALTH,)),
        ),
    ]
)
def test_what_is_meant_is_understood(tool: str, arguments: Any, request: object) -> None:
    assert parsed(tool, arguments) == request


FACT = {"type": "fact", "content": "x"}


@each(
    [
        ("forget_all", {}, "tool", "there are search_knowledge, add_knowledge, analyze_context"),
        ("search_knowledge", {}, "query", "needs query: a text"),
        ("search_knowledge", "", "query", "needs query"),
        ("search_knowledge", {"query": "  "}, "query", "must not be empty"),
        ("search_knowledge", {"query": "x", "querry": "y"}, "querry", "did you mean 'query'"),
        ("search_knowledge", {"query": "x", "zzz": 1}, "zzz", "it takes query, type, area, limit"),
        ("search_knowledge", {"query": "x", "limit": 11}, "limit", "a whole number from 1 to 10"),
        ("search_knowledge", {"query": "x", "limit": True}, "limit", "a whole number"),
        ("search_knowledge", {"query": "x", "limit": float("nan")}, "limit", "a whole number"),
        ("search_knowledge", {"query": "x", "type": "hobby"}, "type", "one of fact, preference, memory"),
        ("search_knowledge", '{"query": ', "arguments", "not valid JSON"),
        ("search_knowledge", "[1]", "arguments", 'a JSON object like {"query": …}'),
        ("search_knowledge", "[" * 100_000, "arguments", "not valid JSON"),
        ("add_knowledge", {"content": "x"}, "type", "needs type: one of fact"),
        ("add_knowledge", FACT | {"confidence": 2}, "confidence", "a number from 0 to 1"),
        ("add_knowledge", FACT | {"sub_area": " "}, "sub_area", "empty"),
        ("analyze_context", {"current_topic": "x", "related_areas": 1}, "related_areas", "a list of words from health"),
        ("analyze_context", {"current_topic": "x", "related_areas": ["sport"]}, "related_areas", "one of health"),
        ("analyze_context", SNAKE | {"look_for_contradictions": "yes"}, "look_for_contradictions", "true or false"),
        ("analyze_context", CAMEL | {"current_topic": "sleep"}, "current_topic", "given twice"),
    ]
)
def test_an_error_names_the_argument_and_what_would_be_right(tool: str, arguments: Any, field: str, says: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parsed(tool, arguments)
    assert caught.value.field == field
    assert says in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["fact", "health", "old", "", " ", "é"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)
NAMES = ["query", "type", "area", "limit", "content", "subArea", "confidence", "currentTopic", "relatedAreas", "odd"]
MCP_NAMES = ["query", "said", "item", "all", "confirm", "kinds", "limit", "case", "keep", "after", "open_only", "x"]


@given(st.sampled_from(list(Tool)), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=5))
def test_whatever_comes_is_a_request_or_an_error_of_ours(tool: Tool, arguments: dict[str, Any]) -> None:
    try:
        request = parsed(tool, arguments)
    except InvalidInputError as error:
        wrong = error.field
        assert wrong
    else:
        assert parsed(tool, json.dumps(arguments)) == request


@given(st.sampled_from(list(RIGHTS)), st.dictionaries(st.sampled_from(MCP_NAMES), JSON, max_size=4))
def test_what_is_taken_fits_the_schema_and_what_fits_is_taken_as_it_is(tool: str, arguments: dict[str, Any]) -> None:
    wanted = input_schema(tool)
    assert wanted is not None
    told = jsonschema.Draft202012Validator(wanted)
    blank = any(isinstance(value, str) and not value.strip() for value in arguments.values())
    fits = told.is_valid(arguments) and not blank
    try:
        taken = checked(tool, wanted, arguments)
    except InvalidInputError:
        assert not fits
        return
    assert taken == arguments or not fits
    if "related_areas" not in wanted["properties"]:  # which is asked for, and may be left out
        told.validate(taken)


def test_the_tools_are_described_for_both_providers_in_both_languages() -> None:
    for language, never in (("en", "Do not use it"), ("pt", "Não use")):
        theirs = tools("anthropic", language)
        assert [(one["name"], one["requiresConfirmation"]) for one in tools("plain", language)] == [
            (tool, False) for tool in Tool
        ]
        assert [one["name"] for one in theirs] == list(Tool)
        assert [one["function"] for one in tools("openai", language)] == [
            {"name": one["name"], "description": one["description"], "parameters": one["input_schema"]}
            for one in theirs
        ]
        assert all(never in one["description"] for one in theirs)
        assert all(part["description"] for one in theirs for part in one["input_schema"]["properties"].values())
    for wrong, said in ((("gemini", "en"), "openai, anthropic"), (("openai", "fr"), "en, pt")):
        with pytest.raises(InvalidInputError, match=f"choose one of {said}"):
            tools(*wrong)  # type: ignore[arg-type]  # on purpose
