"""The page: one file, both languages, nothing from the data unescaped, nothing from elsewhere."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from relembra.evaluation.datasets import Dataset, Question, Turn
from relembra.evaluation.report import bars, curves, histogram, page, report
from relembra.evaluation.runner import ALL_METHODS, Measured
from relembra.interfaces.cli.words import Words

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
NASTY = "<script>alert('1')</script> & \"more\""
VOID = {"meta"}


class Balance(HTMLParser):
    """Which elements are open, and which there were."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def one(id: str, *, found: bool) -> Measured:
    question = Question(
        id=id, person="p", text=f"Where? {NASTY}", type=NASTY, at=NOON, evidence=("t1",), sessions=("c",),
        newest=("t1",), older=("t2",),
    )  # fmt: skip
    ranking = ("t1", "t2") if found else ("t2",)
    return Measured(
        question=question,
        turns=dict.fromkeys(ALL_METHODS, ranking),
        sessions=dict.fromkeys(ALL_METHODS, ("c",)),
        shown=ranking,
        tokens=40,
        items=2,
        plain_shown=ranking,
        plain_tokens=200,
        seconds={"recall": 0.004, "load": 0.009, "embed": 0.002},
    )


@pytest.fixture(params=["en", "pt"])
def written(request: pytest.FixtureRequest) -> str:
    turns = [Turn(id=id, person="p", conversation="c", text=f"{NASTY} {id}", at=NOON) for id in ("t1", "t2")]
    outcomes = [one("q1", found=True), one("q2", found=False)]
    dataset = Dataset(NASTY, tuple(turns), tuple(each.question for each in outcomes))
    return page(report(dataset, outcomes, stopped=True, version="relembra 0"), Words(request.param))


def test_nothing_from_the_data_is_markup(written: str) -> None:
    read = Balance()
    read.feed(written)
    assert read.open == []
    assert "script" not in read.seen
    assert "&lt;script&gt;" in written


def test_it_asks_for_nothing_from_elsewhere(written: str) -> None:
    assert "http" not in written
    assert "@import" not in written
    assert not re.search(r"\b(src|href|url)\b\s*[=(]", written)


def test_it_follows_light_and_dark_and_any_width(written: str) -> None:
    assert "prefers-color-scheme:dark" in written
    assert 'name="viewport"' in written


def test_what_was_missed_is_listed_with_what_came_first(written: str) -> None:
    assert "q2" in written
    assert "q1 ·" not in written
    assert "t2" in written


def test_plots_are_well_formed_and_hold_what_they_show() -> None:
    shares = {"all <&>": {"a": 0.5, "b": 0.0}, "other": {"a": 1.0, "b": 0.25}}
    for plot in (
        bars(shares, title='a "title"'),
        curves({"a": {1: 0.1, 5: 0.5}, "b": {1: 0.0, 5: 1.0}}, title="<t>"),
        histogram({"a": [0.5, 1.5, 900.0], "b": [2.0]}, title="t", unit="ms"),
        histogram({"a": [3.0]}, title="t", unit="ms"),
    ):
        ElementTree.fromstring(plot)
    assert bars(shares, title="t").count("<rect") == 4
    assert histogram({"a": []}, title="t", unit="ms") == ""
