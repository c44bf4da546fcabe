"""Ids in part, and what becomes of what is said, as people read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from builders import NOW, a_note, an_id, an_item
from relembra.domain.message import Note
from relembra.domain.policy import LIFE
from relembra.errors import InvalidInputError
from relembra.interfaces.cli.call import by_piece
from relembra.interfaces.cli.conflicts import outcomes
from relembra.interfaces.cli.upkeep import show_stats, together
from relembra.lessons import Foreseen
from relembra.recall.query import Listing
from relembra.store.port import Cursor, Page, Stats, Use
from terminals import a_terminal, fits, flat

# ── ids in part ───────────────────────────────────────────────────────────────────────────────────────────────────


async def found(piece: str, notes: Sequence[Note], size: int = 2) -> Note | None:
    async def page(after: str | None) -> Listing[Note]:
        start = (
            0 if after is None else [Listing(Page((), Cursor(NOW, note.id))).next for note in notes].index(after) + 1
        )
        rows = tuple(notes[start : start + size])
        last = start + size >= len(notes)
        return Listing(Page(rows, None if last else Cursor(NOW, rows[-1].id)))

    return await by_piece(piece, page)


async def test_a_row_is_named_by_its_whole_id_or_a_piece_of_it_on_any_page() -> None:
    notes = [a_note(id=an_id(number)) for number in (0xA1111111, 0xB2222222, 0xC3333333)]
    assert await found(notes[2].id, notes) == notes[2]
    assert await found("c3333333", notes) == notes[2]
    assert await found("B2222222", notes) == notes[1]
    assert await found("222", notes) is None
    assert await found("4444", notes) is None
    with pytest.raises(InvalidInputError) as refused:
        await found("0190", notes)
    assert refused.value.field == "id"


# ── what becomes of it ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_what_becomes_of_what_is_said_fits_the_terminal(width: int) -> None:
    terminal, file = a_terminal(width)
    old, new = (
        an_item(content="Mora no Recife"),
        an_item(content="Mora no Porto \x1b[31m, perto da estação da Trindade"),
    )
    rows = [
        Foreseen(an_item(content="Prefere café sem açúcar"), "add", (), "new"),
        Foreseen(an_item(content="Tem um gato", observations=3), "repeat", (old,), "known already"),
        Foreseen(new, "replace", (old,), "residence changed"),
        Foreseen(new, "history", (old,), "an earlier residence"),
        Foreseen(new, "ask", (old,), "birthday cannot change, so one of the two is wrong"),
    ]
    case = an_id()
    outcomes(terminal, rows, LIFE.confidence, cases={new.id: case})
    shown = file.getvalue()
    assert fits(file, width)
    assert "\x1b" not in shown
    for part in ("novo", "dito 3×", "substitui “Mora no Recife” de 1 mar 2026", "mudou: residência", case[-8:]):
        assert part in flat(shown)


def test_the_days_of_a_task_and_a_model_are_counted_together() -> None:
    terminal, file = a_terminal(100)
    digest = Use(day=NOW.date(), task="digest", model="openai:m", calls=2, input_tokens=1_000, output_tokens=50)
    compare = replace(digest, task="compare", calls=1, input_tokens=10, output_tokens=5)
    uses = together([digest, compare, replace(digest, day=NOW.date() + timedelta(days=1))])
    assert [(use.task, use.calls, use.input_tokens) for use in uses] == [("compare", 1, 10), ("digest", 4, 2_000)]
    held = Stats(
        people=1, conversations=1, messages=1, notes=0, items={}, items_by_type={}, items_by_area={}, vectors={},
        jobs={"waiting": 1, "dead": 2}, bytes=0,
    )  # fmt: skip
    show_stats(terminal, held, uses, "Memória de ana")
    shown = " ".join(file.getvalue().split())
    assert "tokens, ler conversas openai:m: 4 chamadas, 2.000 de entrada, 100 de saída" in shown
    assert "relembra learn" in shown
    assert "relembra retry" in shown
