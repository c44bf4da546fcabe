"""A test over many rows tries them all, and names each that fails."""

from __future__ import annotations

import pytest

from loops import each


def test_every_row_that_fails_is_named_with_why() -> None:
    tried = []

    @each([(1, 1), (1, 2), (0, 0), (3, 4)])
    def test_divides(one: int, other: int) -> None:
        """Divides."""
        tried.append((one, other))
        assert one // other == one / other

    with pytest.raises(AssertionError) as caught:
        test_divides()
    assert tried == [(1, 1), (1, 2), (0, 0), (3, 4)]
    said = str(caught.value)
    assert said.startswith("3 of 4 rows failed")
    for row in ("(1, 2)", "(0, 0)", "(3, 4)", "ZeroDivisionError"):
        assert row in said
    assert (test_divides.__name__, test_divides.__doc__) == ("test_divides", "Divides.")
