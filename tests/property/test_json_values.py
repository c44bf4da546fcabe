"""How many values a JSON text holds is told without reading it, whatever its texts look like."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relembra.domain.text import holds_more_than

TEXTS = st.text(alphabet='a"\\[]{},: \n🙂', max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def held(value: Any) -> int:
    """The value, the names in it and all that is in it."""
    if isinstance(value, dict):
        return 1 + sum(1 + held(inner) for inner in value.values())
    return 1 + sum(map(held, value)) if isinstance(value, list) else 1


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_as_many_as_it_holds(value: Any, ascii: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii, indent=indent).encode()
    assert holds_more_than(held(value) - 1, text)
    assert not holds_more_than(held(value), text)


@pytest.mark.parametrize("text", [b'"' + b'\\"' * 2_000_000, b'["' + b'\\"' * 2_000_000 + b'"]', b'"\\', b"", b"[" * 9])
def test_a_text_that_never_ends_is_one_value_and_read_once(text: bytes) -> None:
    """A look at each place from which it could begin would take hours."""
    assert not holds_more_than(9, text.replace(b'\\"', b'\\",'))
