"""What people see, at several widths, and what they never see."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from builders import NOW, a_note, an_id, an_item
from loops import each
from relembra.domain.knowledge import Doubt, KnowledgeItem, KnowledgeType, LifeArea, doubted
from relembra.domain.message import Note
from relembra.domain.policy import RankingName
from relembra.errors import (
    ConflictError,
    InvalidInputError,
    MindUnavailableError,
    MissingExtraError,
    NotFoundError,
    ProtectedError,
    RelembraError,
    SettingsError,
    StaleError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
)
from relembra.interfaces import shapes
from relembra.interfaces.cli.call import CopyError, NoStoreError, by_piece
from relembra.interfaces.cli.conflicts import outcomes
from relembra.interfaces.cli.conversations import show_receipt
from relembra.interfaces.cli.failures import code_of, data_of, sentence_of
from relembra.interfaces.cli.items import show_item, show_items
from relembra.interfaces.cli.parser import EmptyError, UsageError
from relembra.interfaces.cli.terminal import clean, short
from relembra.interfaces.cli.upkeep import show_stats, together
from relembra.interfaces.cli.words import Words
from relembra.lessons import Foreseen
from relembra.recall.query import Listing
from relembra.recall.ranking import Hit, Why
from relembra.store.port import Cursor, Gone, Page, Stats, Use
from terminals import a_terminal, fits, flat

LONG = "Prefere café sem açúcar, de manhã bem cedo, e nunca depois das quatro da tarde porque atrapalha o sono"


def items() -> list[KnowledgeItem]:
    return [
        an_item(content=LONG, type=KnowledgeType.PREFERENCE, area=LifeArea.HEALTH, validated=True),
        an_item(content="[bold]x[/bold] :smile: \x1b[31mred", confidence=0.5),
        an_item(content="gone", deleted_at=NOW, confidence=0.2),
        an_item(content="old", superseded_at=NOW, superseded_by=an_id()),
    ]


@each([40, 60, 80, 120, 200])
def test_a_table_fits_the_terminal_and_loses_neither_ids_nor_words(width: int) -> None:
    terminal, file = a_terminal(width)
    held = items()
    show_items(terminal, Listing(Page(tuple(held), Cursor(NOW, held[-1].id))))
    shown = file.getvalue()
    assert all(len(line) <= width for line in shown.splitlines() if "--after" not in line)
    assert all(short(item.id) in shown for item in held)
    assert set(LONG.split()) <= set(shown.split())
    assert "[bold]x[/bold] :smile: [31mred" in " ".join(shown.split())
    assert "\x1b" not in shown
    assert all(part in shown for part in ("apagado", "substituído", "--after"))


def test_what_is_in_doubt_stands_beside_the_newer_words() -> None:
    terminal, file = a_terminal(200)
    doubt = Doubt(words="o time \x1b[31macabou, né", said_at=NOW, item_id=an_id())
    held = doubted(an_item(content="Joga vôlei às quintas.", needs_resolution=True), doubt)
    show_items(terminal, [held])
    show_item(terminal, held, [])
    shown = flat(file.getvalue().replace("│", " "))
    assert shown.count("m 1 de março disse: “o time [31macabou, né”") == 2
    assert "Joga vôlei às quintas; em 1 de março" in shown
    assert "\x1b" not in shown
    assert shapes.wire(held)["doubt"]["words"] == "o time \x1b[31macabou, né"


def test_hits_show_score_level_date_and_why() -> None:
    terminal, file = a_terminal()
    why = Why(
        ranking=RankingName.DEFAULT, cosine=0.61, bm25=2.5, terms=("caf",), similarity=0.7, weight=1.0, recency=0.9
    )
    show_items(terminal, [Hit(items()[0], 0.71, why)], why=True)
    shown = " ".join(file.getvalue().split())
    arms = "sentido 0,61 + palavras 2,50 (caf)"
    for part in ("0,71", "● alta ✓", "preferência · saúde", "1 mar 2026", arms):
        assert part in shown


def test_a_panel_says_what_there_is_to_say_and_no_more() -> None:
    terminal, file = a_terminal()
    show_item(terminal, an_item(content="x", tags=("a", "b"), attribute="residence", value="Recife"), [])
    shown = file.getvalue()
    assert "residência = Recife" in shown
    assert "a, b" in shown
    assert "evidência" not in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_a_receipt_names_what_went_and_what_would() -> None:
    terminal, file = a_terminal(200)
    show_receipt(terminal, Gone({"items": 2, "vectors": 0, "somewhere": 1}))
    shown = file.getvalue()
    assert all(part in shown for part in ("Esquecido: 3 linhas.", "itens", "somewhere"))
    assert not any(part in shown for part in ("vetores", "ainda guarda vestígios"))
    show_receipt(terminal, Gone({"items": 2}, erased=False))
    assert "ainda guarda vestígios, que estão sendo" in file.getvalue()
    terminal, file = a_terminal(200)
    would = Gone({"items": 1, "notes": 2}, erased=False, notes=("a", "b"), dry_run=True)
    show_receipt(terminal, would, ["The week", "The month"])
    shown = file.getvalue()
    assert "Nada foi esquecido. Isto sumiria: 3 linhas" in shown
    assert "Também some por inteiro (2 notas)" in shown
    assert "The week\n" in shown
    assert "vestígios" not in shown


@each([40, 60, 80, 120])
def test_what_becomes_of_what_is_said_fits_the_terminal(width: int) -> None:
    terminal, file = a_terminal(width)
    old = an_item(content="Mora no Recife")
    new = an_item(content="Mora no Porto \x1b[31m, perto da estação da Trindade")
    rows = [
        Foreseen(an_item(content="Prefere café sem açúcar"), "add", (), "new"),
        Foreseen(an_item(content="Tem um gato", observations=3), "repeat", (old,), "known already"),
        Foreseen(new, "replace", (old,), "residence changed"),
        Foreseen(new, "history", (old,), "an earlier residence"),
        Foreseen(new, "ask", (old,), "birthday cannot change, so one of the two is wrong"),
    ]
    case = an_id()
    outcomes(terminal, rows, cases={new.id: case})
    assert fits(file, width)
    assert "\x1b" not in file.getvalue()
    for part in ("novo", "dito 3×", "substitui “Mora no Recife” de 1 mar 2026", "mudou: residência", case[-8:]):
        assert part in flat(file)


def test_the_days_of_a_task_and_a_model_are_counted_together() -> None:
    terminal, file = a_terminal(100)
    digest = Use(day=NOW.date(), task="digest", model="openai:m", calls=2, input_tokens=1_000, output_tokens=50)
    compare = replace(digest, task="compare", calls=1, input_tokens=10, output_tokens=5)
    uses = together([digest, compare, replace(digest, day=NOW.date() + timedelta(days=1))])
    assert [(use.task, use.calls, use.input_tokens) for use in uses] == [("compare", 1, 10), ("digest", 4, 2_000)]
    empty: dict[str, dict[str, int]] = {name: {} for name in ("items", "items_by_type", "items_by_area", "vectors")}
    held = Stats(people=1, conversations=1, messages=1, notes=0, jobs={"waiting": 1, "dead": 2}, bytes=0, **empty)
    show_stats(terminal, held, uses, "Memória de ana")
    assert "tokens, ler conversas openai:m: 4 chamadas, 2.000 de entrada, 100 de saída" in flat(file)
    assert all(hint in flat(file) for hint in ("relembra learn", "relembra retry"))


async def test_a_row_is_named_by_its_whole_id_or_a_piece_of_it_on_any_page() -> None:
    notes = [a_note(id=an_id(number)) for number in (0xA1111111, 0xB2222222, 0xC3333333)]
    first = Listing(Page(tuple(notes[:2]), Cursor(NOW, notes[1].id)))

    async def page(after: str | None) -> Listing[Note]:
        return first if after is None else Listing(Page(tuple(notes[2:]), None))

    assert await by_piece(notes[2].id, page) == await by_piece("c3333333", page) == notes[2]
    assert await by_piece("B2222222", page) == notes[1]
    assert await by_piece("222", page) is await by_piece("4444", page) is None
    with pytest.raises(InvalidInputError) as refused:
        await by_piece("0190", page)
    assert refused.value.field == "id"


def test_remembered_text_cannot_steer_the_terminal() -> None:
    assert clean("a\x1b]0;title\x07b\r\n\u202ec\u200bd\te") == "a]0;titleb cd e"
    assert clean("família 👨\u200d👩\u200d👧") == "família 👨\u200d👩\u200d👧"


ERRORS: list[tuple[RelembraError, int, str]] = [
    (UsageError("usage.needs_value", option="--db"), 2, "--db precisa de um valor"),
    (InvalidInputError("no type 'x'", field="type"), 2, "esse tipo não existe"),
    (EmptyError("content must not be empty", field="content"), 2, "falta o texto"),
    (
        EmptyError("said must not be empty", field="said"),
        2,
        "diga o que foi dito, o que foi respondido, ou os dois; nenhum pode ficar vazio. Use --said",
    ),
    (
        InvalidInputError("held_from … is out of range", field="held_from"),
        2,
        "distante demais para guardar: --held-from",
    ),
    (InvalidInputError("message_ids holds 'x', which is no id", field="message_ids"), 2, "não dá para usar --message"),
    (InvalidInputError("user is longer than 200 characters", field="user"), 2, "no máximo 200 letras: --user"),
    (InvalidInputError("say something"), 2, "(em inglês: say something)"),
    (SettingsError("no preset 'x'"), 2, "uma configuração não serve"),
    (NotFoundError("item", "abcd"), 3, "ana não tem nenhum item abcd"),
    (NotFoundError("conversation", "c"), 3, "ana não tem nenhuma conversa c"),
    (NotFoundError("change, item or conversation", "x"), 3, "item, conversa ou mudança x"),
    (ConflictError("no"), 4, "(em inglês: no)"),
    (ProtectedError("no"), 4, "a pessoa confirmou isto"),
    (InvalidInputError("whatever the words", field="by"), 2, "só ana pode fazer isso. Tire o --by"),
    (InvalidInputError("whatever the words", field="source"), 2, "essa origem não serve"),
    (InvalidInputError("no kind 'x'", field="kinds"), 2, "escolha item, nota ou mensagem"),
    (InvalidInputError("as_of … is out of range", field="as_of"), 2, "distante demais para guardar: --as-of"),
    (EmptyError("speaker must not be empty", field="speaker"), 2, "falta --speaker"),
    (StaleError("no"), 4, "mudou nesse meio-tempo"),
    (StoreUnavailableError("busy", retry_after_seconds=1.0), 5, "está em uso por outro programa"),
    (StoreFullError("full"), 5, "está cheio"),
    (StoreReadOnlyError("read only"), 5, "só pode ser lido"),
    (StoreCorruptError("bad"), 5, "está danificado"),
    (StoreVersionError("new"), 5, "pip install -U"),
    (NoStoreError("none"), 5, "não há memória em m.db"),
    (CopyError(Path("there/copy.db")), 5, "gravar a cópia em there/copy.db"),
    (StoreError("why"), 5, "(em inglês: why)"),
    (MindUnavailableError("away"), 1, "o modelo não conseguiu responder"),
    (MissingExtraError("a server", "http"), 1, "relembra[http]"),
]


@each(ERRORS)
def test_every_error_has_a_code_and_a_sentence(error: RelembraError, code: int, words: str) -> None:
    assert code_of(error) == code
    said = sentence_of(error, Words("pt"), user="ana", db="m.db", command=None)
    assert said.startswith("Não deu: ")
    assert words in said
    assert sentence_of(error, Words("en"), user="ana", db="m.db", command=None).startswith("That did not work: ")
    data = data_of(error)["error"]
    assert (data["type"], data["exit_code"]) == (type(error).__name__, code)
    assert data["message"]


def test_what_was_not_foreseen_says_so_and_a_command_adds_what_to_do() -> None:
    said = sentence_of(ZeroDivisionError("x"), Words("en"), user="", db="", command=None)
    assert all(part in said for part in ("ZeroDivisionError: x", "--debug"))
    assert data_of(ZeroDivisionError("x"))["error"]["exit_code"] == 1
    error: RelembraError = InvalidInputError("no format 'x'", field="format")
    assert "layers" in sentence_of(error, Words("pt"), user="", db="", command="context")
    assert "anthropic" in sentence_of(error, Words("pt"), user="", db="", command="tools")
    error = ConflictError("m.db exists already; name a new file for the backup")
    assert "já existe" in sentence_of(error, Words("pt"), user="", db="", command="backup")
