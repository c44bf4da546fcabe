from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from loops import each
from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.policy import SearchPolicy
from relembra.errors import InvalidInputError
from relembra.tools.arguments import FORMATS, Format, Tool, parsed, schema, tools


@each(["en", "pt"])
def test_the_form_of_each_provider(language: str) -> None:
    for listed in tools("openai", language):
        assert set(listed) == {"type", "function"}
        assert listed["type"] == "function"
        assert set(listed["function"]) == {"name", "description", "parameters"}
    for listed in tools("anthropic", language):
        assert set(listed) == {"name", "description", "input_schema"}
    assert [one["function"] | {} for one in tools("openai", language)] == [
        {"name": one["name"], "description": one["description"], "parameters": one["input_schema"]}
        for one in tools("anthropic", language)
    ]
    json.dumps(tools("openai", language))


def test_the_three_tools_are_listed_with_words_for_when_and_when_not() -> None:
    assert [one["name"] for one in tools("anthropic")] == ["search_knowledge", "add_knowledge", "analyze_context"]
    assert all("Do not use it" in one["description"] for one in tools("anthropic", "en"))
    assert all("Não use" in one["description"] for one in tools("anthropic", "pt"))


@each(Tool)
def test_both_languages_have_one_schema_but_for_the_words(tool: Tool) -> None:
    def bare(node: Any) -> Any:
        if isinstance(node, dict):
            return {
                name: bare(value) for name, value in node.items() if not isinstance(value, str) or name != "description"
            }
        return node

    assert bare(schema(tool, "en")) == bare(schema(tool, "pt"))
    for language in ("en", "pt"):
        assert all(part["description"] for part in schema(tool, language)["properties"].values())


def test_the_schema_has_the_numbers_and_words_of_the_domain() -> None:
    search = schema(Tool.SEARCH_KNOWLEDGE)["properties"]
    assert (search["limit"]["default"], search["limit"]["maximum"]) == (5, 10)
    assert search["type"]["enum"] == list(KnowledgeType)
    assert search["area"]["enum"] == list(LifeArea)
    assert schema(Tool.SEARCH_KNOWLEDGE, policy=SearchPolicy(tool_limit=7))["properties"]["limit"]["maximum"] == 7
    assert schema(Tool.ADD_KNOWLEDGE)["required"] == ["type", "content"]


@each(Tool)
def test_what_the_schema_requires_is_enough(tool: Tool) -> None:
    made: dict[str, Any] = {}
    wanted = schema(tool)
    for name in wanted["required"]:
        part = wanted["properties"][name]
        made[name] = [] if part["type"] == "array" else part.get("enum", ["words"])[0]
    parsed(tool, made)


def test_other_forms_and_languages_are_refused() -> None:
    assert get_args(Format) == FORMATS
    with pytest.raises(InvalidInputError, match="choose one of openai, anthropic"):
        tools("gemini")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(InvalidInputError, match="choose one of en, pt"):
        tools("openai", "fr")
