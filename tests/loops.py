"""One test for many rows of data, where a test for each would cost more than what it tries."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def each(rows: Iterable[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a test try each row, a tuple being its first arguments; every row that fails is named, with the reason.

    What a test takes beyond a row is a fixture that all rows share, so rows have to leave it as they found it.
    """
    table = [row if type(row) is tuple else (row,) for row in rows]
    assert table, "no rows, so nothing would be tried"
    failed: list[str] = []

    @contextmanager
    def trying(row: tuple[Any, ...]) -> Iterator[None]:
        try:
            yield
        except (Exception, pytest.fail.Exception) as exc:  # noqa: BLE001 - told below, with the other rows
            failed.append(f"{row!r}\n{type(exc).__name__}: {exc}")

    def tell() -> None:
        assert not failed, "\n\n".join([f"{len(failed)} of {len(table)} rows failed", *failed])

    def looped(test: Callable[..., Any]) -> Callable[..., Any]:
        def tried(**fixtures: Any) -> None:
            failed.clear()
            for row in table:
                with trying(row):
                    test(*row, **fixtures)
            tell()

        async def awaited(**fixtures: Any) -> None:
            failed.clear()
            for row in table:
                with trying(row):
                    await test(*row, **fixtures)
            tell()

        wrapper = awaited if inspect.iscoroutinefunction(test) else tried
        wrapper.__name__, wrapper.__qualname__, wrapper.__doc__ = test.__name__, test.__qualname__, test.__doc__
        wrapper.__module__ = test.__module__
        signature = inspect.signature(test)
        shared = list(signature.parameters.values())[len(table[0]) :]
        setattr(wrapper, "__signature__", signature.replace(parameters=shared))  # noqa: B010 - pytest reads it
        return wrapper

    return looped
