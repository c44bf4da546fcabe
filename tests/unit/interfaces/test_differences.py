"""What a record changed, row by row."""

from __future__ import annotations

from dataclasses import replace

from builders import NOW, an_item
from relembra.interfaces.differences import Fate, differences
from trails import a_nights_entries, changed


def test_each_row_is_told_once_by_what_became_of_it() -> None:
    entries, items = a_nights_entries()
    found = {row.id: row for row in differences(entries)}
    fates = {content: found[item.id].fate for content, item in items.items()}
    assert fates == {
        "Mora no Recife": Fate.ENDED, "Mora no Porto": Fate.CREATED, "Não come carne": Fate.MERGED,
        "É vegetariana": Fate.CHANGED, "Fica triste": Fate.CHANGED, "Fica brava": Fate.ARCHIVED,
    }  # fmt: skip
    assert found[items["É vegetariana"].id].parts == (("observations", 1, 2),)
    assert found[items["Mora no Recife"].id].becomes == items["Mora no Porto"].id
    assert found[items["É vegetariana"].id].text is None  # a brief entry tells no words


def test_several_changes_of_a_row_are_told_as_one_and_bookkeeping_as_none() -> None:
    first = an_item(weight=0.8)
    second, third = replace(first, weight=0.7, version=2), replace(first, weight=0.6, version=3, updated_at=NOW)
    (row,) = differences([changed(first, second, "fade"), changed(second, third, "fade")])
    assert row.parts == (("weight", 0.8, 0.6),)
    assert differences([changed(first, replace(first, version=2, accesses=4), "relate")]) == []
    new = an_item(content="Tem um gato")
    (both,) = differences(
        [changed(None, new, "learn"), changed(new, replace(new, observations=2, version=2), "reinforce")]
    )
    assert (both.fate, both.parts) == (Fate.CREATED, ())
