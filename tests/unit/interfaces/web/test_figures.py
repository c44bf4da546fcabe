"""A memory in figures: what is counted, how it is drawn, and on the page, the terminal, in a file and as SQL."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import NOW
from houses import House
from relembra.domain.scope import Scope
from relembra.errors import InvalidInputError
from relembra.interfaces.cli.analysis import answered
from relembra.interfaces.cli.commands import UsageError
from relembra.interfaces.figures import COST_DAYS, HEIGHT, WIDTH, by_day, chart, figures_of
from relembra.interfaces.web.figures import page_alone
from relembra.interfaces.web.templates import Clockface
from relembra.locale import Words
from relembra.store.port import CountUse, Use
from web_pages import Reader

HOUSE = {"is_open": True, "keys": False}
EN = Words("en", "web", "names")
ANA = {"user": "ana", "tenant": "default"}


def used(day: date, tokens: int) -> Use:
    return Use(day=day, task="learn", model="m", calls=1, input_tokens=tokens, output_tokens=tokens // 2)


async def lived(house: House) -> None:
    """Some of everything there is to count."""
    memory = house.memory
    for weeks, content, area in (
        (20, "Mora em Recife", None),
        (8, "Corre no parque", "health"),
        (0, "Toca <b>", "leisure"),
    ):
        house.clock.now = NOW - timedelta(weeks=weeks)
        await memory.add(content, user="ana", area=area)
    tea = await memory.add("Prefere chá", user="ana", by="program:p", confidence=0.6)
    await memory.correct(tea.id, "Prefere café", user="ana")
    old = await memory.add("Estudava russo", user="ana")
    await memory.archive(old.id, user="ana")
    gone = await memory.add("Um engano", user="ana")
    await memory.delete(gone.id, user="ana")
    for _ in range(3):
        await memory.search("parque", user="ana")
    await memory.settle()
    today = NOW.date()
    for use in (used(today, 100), used(today, 50), used(today - timedelta(days=3), 10), used(date(2020, 1, 1), 999)):
        await memory._store.apply(Scope("default", "ana"), [CountUse(use)])


async def test_what_is_counted_is_what_is_there(house: House, reader: Reader) -> None:
    await lived(house)
    found = await figures_of(house.memory, ANA, NOW.date())  # type: ignore[arg-type]
    assert (found.known.total, found.past, found.deleted) == (4, 1, 2)  # what was corrected is deleted
    assert sum(sum(step.learnt.values()) for step in found.weeks.steps) == 7
    assert found.accesses >= 1
    assert found.recalled[0].accesses == max(item.accesses for item in found.recalled)
    assert (len(found.cost), found.cost[-1].input_tokens, found.cost[-1].calls) == (COST_DAYS, 150, 2)
    assert sum(use.input_tokens for use in found.cost) == 160

    page = await reader.get("/history/figures")
    for told in (EN("figures.growth"), EN("figures.passing"), EN("figures.cost"), "Corre no parque"):
        assert told in page.text
    assert f"/item/{found.recalled[0].id}" in page.links
    empty = await reader.get("/history/figures", user="nobody")
    assert EN("figures.growth") in empty.text or EN("page.memory.empty") in empty.text

    words = Words("pt", "web", "names")
    clock = Clockface(words, NOW.tzinfo, NOW)  # type: ignore[arg-type]
    alone = page_alone(found, words("figures.of", user="<ana>"), clock)
    assert "Corre no parque" in alone
    assert "&lt;ana&gt;" in alone
    assert "Toca <b>" not in alone
    assert not re.search(r"<script|<link|<img|href=|src=|url\(|@import", alone), "it fetches nothing"


async def test_nothing_known_gives_figures_of_nothing(house: House, reader: Reader) -> None:
    found = await figures_of(house.memory, ANA, NOW.date())  # type: ignore[arg-type]
    assert (found.known.total, found.cost, found.said, found.recalled) == (0, (), (), ())
    assert EN("page.memory.empty") in (await reader.get("/history/figures")).text
    words = Words("en", "web", "names")
    assert EN("figures.no_cost") in page_alone(found, "t", Clockface(words, NOW.tzinfo, NOW))  # type: ignore[arg-type]


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 50), max_size=4), max_size=30))
def test_columns_stand_side_by_side_and_their_pieces_one_upon_another(columns: list[dict[str, int]]) -> None:
    drawn = chart(columns)
    assert len(drawn.columns) == len(columns)
    for column, bars in zip(columns, drawn.columns, strict=True):
        assert [bar.name for bar in bars] == [name for name, number in column.items() if number]
        whole = sum(column.values())
        assert sum(bar.height for bar in bars) == pytest.approx(HEIGHT * whole / (drawn.largest or 1), abs=0.1)
        assert all(0 <= bar.x <= bar.x + bar.width <= WIDTH and -0.05 <= bar.y <= HEIGHT for bar in bars)
        for lower, upper in pairwise(bars):
            assert upper.y + upper.height == pytest.approx(lower.y, abs=0.05)


def test_days_without_a_call_are_there_and_those_without_any_are_not() -> None:
    first = NOW.date()
    assert by_day([], first) == ()
    days = by_day([used(first + timedelta(days=2), 7)], first)
    assert [use.input_tokens for use in days[:4]] == [0, 0, 7, 0]


# ── rows as tables ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_export_answers_sql_and_nothing_else_is_within_its_reach(house: House, tmp_path: Path) -> None:
    await lived(house)
    await house.memory.add("Secret of Bia", user="bia")
    file = tmp_path / "all.jsonl"
    await house.memory.export(file, format="jsonl")
    names, rows = answered(file, 'SELECT "user", count(*) AS held FROM item GROUP BY ALL ORDER BY ALL')
    assert (names, rows) == (["user", "held"], [("ana", 7), ("bia", 1)])
    _, [(moment,)] = answered(file, "SELECT max(created_at) FROM item")
    assert str(moment) >= "2026"
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n", "utf-8")
    for refused in (
        f"FROM read_csv('{other}')",
        f"COPY item TO '{tmp_path / 'copy.csv'}'",
        f"ATTACH '{tmp_path / 'new.db'}'",
        "INSTALL httpfs",
        f"FROM read_text('{other}')",
        "SELECT * FROM glob('/etc/*')",
        f"EXPORT DATABASE '{tmp_path / 'all'}'",
        "SET lock_configuration = false",
        "SET allowed_directories = ['/']",
        "SET enable_external_access = true",
        "SELECT * FROM nowhere",
        "SELEC",
        "SELECT content::INTEGER FROM item",
    ):
        with pytest.raises(UsageError) as said:
            answered(file, refused)
        assert not {"Recife", "Secret"} & set(re.findall(r"\w+", str(said.value))), "rows are in no error message"
    assert answered(file, " ; -- nothing") == ([], [])
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".csv") == ["other.csv"]
    broken = tmp_path / "broken.jsonl"
    for text in ("not json\n", json.dumps({"no": "row"}) + "\n"):
        broken.write_text(text, "utf-8")
        with pytest.raises(InvalidInputError):
            answered(broken, "SELECT 1")
