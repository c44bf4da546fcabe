"""Why something was decided, ids in part, and what becomes of what is said, as people read it."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from rich.console import Console

import relembra.domain.contradiction
import relembra.learn.decisions
from builders import NOW, a_note, an_id, an_item
from relembra.domain.attributes import ATTRIBUTES
from relembra.domain.case import Outcome
from relembra.domain.message import Note, NoteKind
from relembra.domain.policy import LIFE
from relembra.errors import InvalidInputError
from relembra.interfaces import shapes
from relembra.interfaces.cli import panels, pieces, upkeep
from relembra.interfaces.cli.catalogue import SENTENCES
from relembra.interfaces.cli.learnt import outcomes
from relembra.interfaces.cli.learnt_words import LEARNT
from relembra.interfaces.cli.reasons import attribute, reason
from relembra.interfaces.cli.terminal import Terminal
from relembra.interfaces.cli.words import Words
from relembra.listen.filters import Refusal
from relembra.recall.asked import Listing
from relembra.store.port import Cursor, Page, Stats, Use
from relembra.understanding import Foreseen


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("residence changed", "mudou: residência"),
        ("an earlier residence", "valor mais antigo: residência"),
        ("birthday cannot change, so one of the two is wrong", "aniversário não muda, então um dos dois está errado"),
        ("residence changed, but the person had confirmed the earlier one",
         "mudou: residência, mas a pessoa tinha confirmado o anterior"),
        ("employment is over", "acabou: emprego"),
        ("employment is over, but the person had confirmed it",
         "acabou: emprego, mas a pessoa tinha confirmado o anterior"),
        ("an opposite taste, but the earlier one is confirmed by the person",
         "gosto oposto, mas o anterior é confirmado pela pessoa"),
        ("the taste turned; goal completed", "o gosto mudou; meta alcançada"),
        ("keep neither", "nenhum vale"),
        ("porque sim, e pronto", "porque sim, e pronto"),
        ("favorite_color changed", "mudou: color (favorito)"),
    ],
)  # fmt: skip
def test_a_reason_is_said_in_the_readers_language(why: str, said: str) -> None:
    assert reason(Words("pt"), why) == said


@pytest.mark.parametrize("module", [relembra.domain.contradiction, relembra.learn.decisions])
def test_every_reason_a_rule_writes_has_its_sentence(module: object) -> None:
    """The rules' own words are read from their source, so that a new one is noticed here."""
    text = Path(str(getattr(module, "__file__"))).read_text("utf-8")  # noqa: B009 - a module's type has no file
    written = re.findall(r"(?:Clash\(old|_temporal\(\w+, \w+|Ask\(|why=|, )\s*,?\s*f?\"([^\"]*[a-z] [^\"]*)\"", text)
    plain = [re.sub(r"\{[^}]*attribute\}", "residence", why) for why in written if "{verdict" not in why]
    rules = [why for why in plain if "{" not in why]
    assert len(rules) >= 3
    assert [why for why in rules if reason(Words("pt"), why) == why] == []


def test_every_attribute_outcome_kind_and_refusal_has_a_name() -> None:
    assert {f"attribute.{name}" for name in ATTRIBUTES} <= SENTENCES.keys()
    assert {f"sub_area.{about.sub_area}" for about in ATTRIBUTES.values()} <= LEARNT.keys()
    assert {f"outcome.{outcome}" for outcome in Outcome} <= LEARNT.keys()
    assert {f"kind.{kind}" for kind in NoteKind} <= LEARNT.keys()
    assert {f"refused.{why}" for why in Refusal} <= LEARNT.keys()


def test_an_attribute_of_the_past_and_one_without_a_name_are_readable() -> None:
    assert attribute(Words("en"), "former_residence") == "former residence"
    assert attribute(Words("en"), "favorite_ice_cream") == "favourite ice cream"
    assert attribute(Words("pt"), None) == ""


def test_no_sentence_of_learning_hides_another() -> None:
    text = (Path(pieces.__file__).parent / "catalogue.py").read_text("utf-8")
    assert not LEARNT.keys() & set(re.findall(r'^    "([^"]+)": ', text, re.MULTILINE))


# ── ids in part ───────────────────────────────────────────────────────────────────────────────────────────────────


async def found(piece: str, notes: Sequence[Note], size: int = 2) -> Note | None:
    async def page(after: str | None) -> Listing[Note]:
        start = (
            0 if after is None else [Listing(Page((), Cursor(NOW, note.id))).next for note in notes].index(after) + 1
        )
        rows = tuple(notes[start : start + size])
        last = start + size >= len(notes)
        return Listing(Page(rows, None if last else Cursor(NOW, rows[-1].id)))

    return await pieces.named(piece, page)


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
    file = io.StringIO()
    terminal = Terminal(Words("pt"), Console(file=file, width=width, highlight=False, markup=False, emoji=False))
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
    flat = " ".join(shown.split())
    assert all(len(line) <= width for line in shown.splitlines())
    assert "\x1b" not in shown
    for part in ("novo", "dito 3×", "substitui “Mora no Recife” de 1 mar 2026", "mudou: residência", case[-8:]):
        assert part in flat


def test_the_days_of_a_task_and_a_model_are_counted_together() -> None:
    file = io.StringIO()
    terminal = Terminal(Words("pt"), Console(file=file, width=100, highlight=False, markup=False, emoji=False))
    digest = Use(day=NOW.date(), task="digest", model="openai:m", calls=2, input_tokens=1_000, output_tokens=50)
    compare = replace(digest, task="compare", calls=1, input_tokens=10, output_tokens=5)
    together = upkeep.together([digest, compare, replace(digest, day=NOW.date() + timedelta(days=1))])
    assert [(use.task, use.calls, use.input_tokens) for use in together] == [("compare", 1, 10), ("digest", 4, 2_000)]
    held = Stats(
        people=1, conversations=1, messages=1, notes=0, items={}, items_by_type={}, items_by_area={}, vectors={},
        jobs={"waiting": 1, "dead": 2}, bytes=0,
    )  # fmt: skip
    panels.counts(terminal, held, together, "Memória de ana")
    shown = " ".join(file.getvalue().split())
    assert "tokens, ler conversas openai:m: 4 chamadas, 2.000 de entrada, 100 de saída" in shown
    assert "relembra learn" in shown
    assert "relembra retry" in shown
    assert shapes.stats(held, together)["usage"][1]["output_tokens"] == 100
