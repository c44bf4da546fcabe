from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relembra.errors import InvalidInputError
from relembra.interfaces.mcp.server import checked
from relembra.interfaces.mcp.tools import TOOLS, input_schema
from relembra.tools.arguments import Tool

jsonschema: Any = pytest.importorskip("jsonschema")
OURS = [name for name in TOOLS if name not in set(Tool)]
NAMES = ["query", "said", "item", "all", "confirm", "kinds", "limit", "case", "keep", "after", "open_only", "x"]

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["item", "old", "note", "", " ", "é"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)


def schema_of(tool: str) -> dict[str, Any]:
    schema = input_schema(tool)
    assert schema is not None
    return schema


@given(tool=st.sampled_from(OURS), arguments=st.dictionaries(st.sampled_from(NAMES), anything, max_size=4))
def test_whatever_comes_fits_the_schema_or_is_refused(tool: str, arguments: dict[str, Any]) -> None:
    try:
        taken = checked(tool, schema_of(tool), arguments)
    except InvalidInputError:
        return
    jsonschema.validate(taken, schema_of(tool))


@given(tool=st.sampled_from(OURS), arguments=st.dictionaries(st.sampled_from(NAMES), anything, max_size=4))
def test_what_fits_the_schema_is_taken_as_it_is(tool: str, arguments: dict[str, Any]) -> None:
    told = jsonschema.Draft202012Validator(schema_of(tool))
    blank = any(isinstance(value, str) and not value.strip() for value in arguments.values())
    if told.is_valid(arguments) and not blank:
        assert checked(tool, schema_of(tool), arguments) == arguments


def test_a_lone_word_is_a_list_and_a_whole_number_may_come_with_a_point() -> None:
    taken = checked("recall", schema_of("recall"), {"query": "x", "kinds": "note", "limit": 3.0})
    assert taken == {"query": "x", "kinds": ["note"], "limit": 3}


def test_null_counts_as_left_out() -> None:
    assert checked("save", schema_of("save"), {"said": "x", "replied": None}) == {"said": "x"}
    with pytest.raises(InvalidInputError, match="recall needs query: a text") as refused:
        checked("recall", schema_of("recall"), {"query": None})
    assert refused.value.field == "query"
