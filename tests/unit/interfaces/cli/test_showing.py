"""What people see, at several widths, and what they never see."""

from __future__ import annotations

from pathlib import Path

import pytest

from builders import NOW, an_id, an_item
from relembra.domain.knowledge import Doubt, KnowledgeItem, KnowledgeType, LifeArea, doubted
from relembra.domain.policy import LIFE, RankingName
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
from relembra.interfaces.cli.call import CopyError, NoStoreError
from relembra.interfaces.cli.conversations import show_receipt
from relembra.interfaces.cli.failures import code_of, data_of, sentence_of
from relembra.interfaces.cli.knowledge import show_item, show_items
from relembra.interfaces.cli.parser import EmptyError, UsageError
from relembra.interfaces.cli.terminal import clean, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.reasons import reason
from relembra.recall.query import Listing
from relembra.recall.ranking import Hit, Why
from relembra.store.port import Cursor, Gone, Page
from terminals import a_terminal

LONG = "Prefere café sem açúcar, de manhã bem cedo, e nunca depois das quatro da tarde porque atrapalha o sono"


def items() -> list[KnowledgeItem]:
    return [
        an_item(content=LONG, type=KnowledgeType.PREFERENCE, area=LifeArea.HEALTH, validated=True),
        an_item(content="[bold]x[/bold] :smile: \x1b[31mred", confidence=0.5),
        an_item(content="gone", deleted_at=NOW, confidence=0.2),
        an_item(content="old", superseded_at=NOW, superseded_by=an_id()),
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_a_table_fits_the_terminal_and_loses_neither_ids_nor_words(width: int) -> None:
    terminal, file = a_terminal(width)
    held = items()
    show_items(terminal, held, LIFE.confidence)
    terminal.more(Listing(Page(tuple(held), Cursor(NOW, held[-1].id))).next)
    shown = file.getvalue()
    assert all(len(line) <= width for line in shown.splitlines() if "--after" not in line)
    assert all(short(item.id) in shown for item in held)
    assert set(LONG.split()) <= set(shown.split())
    assert "[bold]x[/bold] :smile: [31mred" in " ".join(shown.split())
    assert "\x1b" not in shown
    assert "apagado" in shown
    assert "substituído" in shown
    assert "--after" in shown


@pytest.mark.parametrize("width", [80, 200])
def test_what_is_in_doubt_stands_beside_the_newer_words(width: int) -> None:
    terminal, file = a_terminal(width)
    doubt = Doubt(words="o time \x1b[31macabou, né", said_at=NOW, item_id=an_id())
    held = doubted(an_item(content="Joga vôlei às quintas.", needs_resolution=True), doubt)
    show_items(terminal, [held], LIFE.confidence)
    show_item(terminal, held, [], LIFE.confidence)
    shown = " ".join(file.getvalue().replace("│", " ").split())
    assert shown.count("m 1 de março disse: “o time [31macabou, né”") == 2
    assert "Joga vôlei às quintas; em 1 de março" in shown
    assert "\x1b" not in shown
    assert shapes.wire(held)["doubt"]["words"] == "o time \x1b[31macabou, né"


def test_hits_show_score_level_date_and_why() -> None:
    terminal, file = a_terminal()
    why = Why(
        ranking=RankingName.DEFAULT, cosine=0.61, bm25=2.5, terms=("caf",), match=0.8, similarity=0.7, weight=1.0,
        recency=0.9,
    )  # fmt: skip
    show_items(terminal, [Hit(items()[0], 0.71, why)], LIFE.confidence, why=True)
    shown = " ".join(file.getvalue().split())
    arms = "sentido 0,61 + palavras 2,50 (caf) + palavra por palavra 0,80"
    for part in ("0,71", "● alta ✓", "preferência · saúde", "1 mar 2026", arms):
        assert part in shown


def test_a_panel_says_what_there_is_to_say_and_no_more() -> None:
    terminal, file = a_terminal()
    show_item(
        terminal, an_item(content="x", tags=("a", "b"), attribute="residence", value="Recife"), [], LIFE.confidence
    )
    shown = file.getvalue()
    assert "residência = Recife" in shown
    assert "a, b" in shown
    assert "evidência" not in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_a_receipt_names_places_in_the_readers_language_and_leaves_out_empty_ones() -> None:
    terminal, file = a_terminal()
    show_receipt(terminal, Gone({"items": 2, "vectors": 0, "somewhere": 1}))
    shown = file.getvalue()
    assert "Esquecido: 3 linhas." in shown
    assert "itens" in shown
    assert "vetores" not in shown
    assert "somewhere" in shown


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "still holds traces, which are being overwritten"), ("pt", "ainda guarda vestígios, que estão sendo")],
)
def test_a_receipt_says_while_traces_are_left(language: str, sentence: str) -> None:
    for erased in (True, False):
        terminal, file = a_terminal(200, language)
        show_receipt(terminal, Gone({"items": 2}, erased=erased))
        assert (sentence in file.getvalue()) is not erased
        assert shapes.wire(Gone({"items": 2}, erased=erased))["erased"] is erased


@pytest.mark.parametrize(
    ("language", "said", "along"),
    [
        ("en", "Nothing was forgotten. This would go: 3 rows", "Also removed, whole (2 notes)"),
        ("pt", "Nada foi esquecido. Isto sumiria: 3 linhas", "Também some por inteiro (2 notas)"),
    ],
)
def test_a_dry_run_is_told_as_one_with_the_notes_that_would_go(language: str, said: str, along: str) -> None:
    terminal, file = a_terminal(200, language)
    would = Gone({"items": 1, "notes": 2}, erased=False, notes=("a", "b"), dry_run=True)
    show_receipt(terminal, would, ["The week", "The month"])
    shown = file.getvalue()
    assert said in shown
    assert along in shown
    assert "The week\n" in shown
    assert "The month\n" in shown
    assert "traces" not in shown
    assert "vestígios" not in shown


def test_remembered_text_cannot_steer_the_terminal() -> None:
    assert clean("a\x1b]0;title\x07b\r\n\u202ec\u200bd\te") == "a]0;titleb cd e"
    assert clean("família 👨\u200d👩\u200d👧") == "família 👨\u200d👩\u200d👧"


def test_reasons_the_rules_write_are_said_in_the_readers_language() -> None:
    assert reason(Words("pt"), "residence changed") == "mudou: residência"
    assert reason(Words("en"), "a later weight") == "a later weight"
    assert reason(Words("pt"), "porque sim") == "porque sim"


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


@pytest.mark.parametrize(("error", "code", "words"), ERRORS, ids=lambda value: type(value).__name__)
def test_every_error_has_a_code_and_a_sentence(error: RelembraError, code: int, words: str) -> None:
    assert code_of(error) == code
    said = sentence_of(error, Words("pt"), user="ana", db="m.db", command=None)
    assert said.startswith("Não deu: ")
    assert words in said
    assert sentence_of(error, Words("en"), user="ana", db="m.db", command=None).startswith("That did not work: ")
    data = data_of(error)["error"]
    assert (data["type"], data["exit_code"]) == (type(error).__name__, code)
    assert data["message"]


def test_what_was_not_foreseen_says_so() -> None:
    said = sentence_of(ZeroDivisionError("x"), Words("en"), user="", db="", command=None)
    assert "ZeroDivisionError: x" in said
    assert "--debug" in said
    assert data_of(ZeroDivisionError("x"))["error"]["exit_code"] == 1


def test_a_format_is_refused_with_those_of_its_command() -> None:
    error = InvalidInputError("no format 'x'", field="format")
    assert "layers" in sentence_of(error, Words("pt"), user="", db="", command="context")
    assert "anthropic" in sentence_of(error, Words("pt"), user="", db="", command="tools")


def test_a_conflict_says_what_to_do_where_that_is_known() -> None:
    error = ConflictError("m.db exists already; name a new file for the backup")
    assert "já existe" in sentence_of(error, Words("pt"), user="", db="", command="backup")
