"""Lists shown page by page: how far one was unrolled stands in its address, so that coming back shows as much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from relembra.interfaces.web.visits import Visit, query_with

ROWS = "rows"
"""The part of an address that says how many rows are shown, counted from the beginning of the list."""
MOST_ROWS = 500


@dataclass(frozen=True, slots=True)
class More:
    """What follows: the address of the next page alone, and that of the list down to its end."""

    next: str
    whole: str


def unrolled(visit: Visit, page: int, *, goes_on: bool) -> int:
    """How many rows to show: a page that goes on from another has `page`, the beginning as many as were unrolled."""
    return page if goes_on else min(MOST_ROWS, _reach(visit, page))


def more(visit: Visit, page: int, onward: Mapping[str, str | None], **kept: str | None) -> More:
    """The way on; `onward` says where the next page begins, `kept` what the address of either has besides."""
    reach = str(min(_reach(visit, page), MOST_ROWS) + page)
    return More(
        query_with(visit, {**kept, **onward, ROWS: reach}),
        query_with(visit, {**kept, **dict.fromkeys(onward), ROWS: str(min(int(reach), MOST_ROWS))}),
    )


def _reach(visit: Visit, page: int) -> int:
    word = visit.asked(ROWS)
    return max(page, int(word)) if word.isascii() and word.isdigit() and len(word) < 7 else page
