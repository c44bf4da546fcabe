"""The code may only shrink: a change that makes it smaller lowers these figures, one that cannot says why."""

from __future__ import annotations

from bench.measure import measures

MOST = {
    "lines of Python in src": 51_899,
    "lines in interfaces": 14_475,
    "lines in store": 5_432,
    "lines in minds": 7_679,
    "modules": 192,
    "modules with one importer": 37,
    "files one message passes": 64,
    "functions one message passes": 536,
    "runs of six lines repeated": 0,
    "lines of tests": 42_956,
}


def test_the_code_does_not_grow() -> None:
    grown = {what: figure for what, figure in measures().items() if figure > MOST[what]}
    assert grown == {}, f"at most: { {what: MOST[what] for what in grown} }"
