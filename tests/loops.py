"""One test for many rows of data, where a test for each would cost more than what it tries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def each(rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Let a test try each row, a tuple being its arguments; every row that fails is told, and why."""
    table = [row if type(row) is tuple else (row,) for row in rows]
    assert table, "no rows, so nothing would be tried"

    def looped(test: Callable[..., None]) -> Callable[[], None]:
        def tried() -> None:
            failed = []
            for row in table:
                try:
                    test(*row)
                except Exception as exc:  # noqa: BLE001 - told below, with those of the other rows
                    failed.append(f"{row!r}\n{type(exc).__name__}: {exc}")
            assert not failed, "\n\n".join([f"{len(failed)} of {len(table)} rows failed", *failed])

        tried.__name__, tried.__qualname__, tried.__doc__ = test.__name__, test.__qualname__, test.__doc__
        tried.__module__ = test.__module__
        return tried

    return looped
