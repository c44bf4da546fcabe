"""How a recall came about, as people see it: every reason in words, at several widths, in both languages."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from builders import NOW, a_message, a_note, an_item, days
from loops import each
from relembra.contexts import Trace
from relembra.domain.inquiry import Inquiry, Period
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea
from relembra.domain.message import Message, Note, Role
from relembra.domain.policy import RankingName
from relembra.domain.scope import Place
from relembra.interfaces.cli.recall import recalled, trace
from relembra.interfaces.cli.terminal import Terminal, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.recollected import Beside, told_otherwise
from relembra.minds.offline.questions import TOPICS
from relembra.recall.assembly import MemoryContext, Share
from relembra.recall.query import Miss, Missed
from relembra.recall.ranking import Focus, Hit, MessageHit, NoteHit, Rule, Why
from relembra.recall.rendering import Part
from relembra.store.port import Kind
from terminals import a_terminal, flat

EMPTY = "nada por aqui"


def a_why(**changes: object) -> Why:
    usual: dict[str, object] = {
        "ranking": RankingName.DEFAULT,
        "cosine": 0.61,
        "bm25": 2.5,
        "terms": ("trabalh", "trabalho"),
        "similarity": 0.7,
        "weight": 1.0,
        "recency": 0.9,
    }
    return Why(**usual | changes)  # type: ignore[arg-type]


def an_inquiry(**changes: object) -> Inquiry:
    usual: dict[str, object] = {"text": "o que a Marina disse?", "core": "o que a Marina disse?", "language": "pt"}
    return Inquiry(**usual | changes)  # type: ignore[arg-type]


def a_context(**changes: object) -> MemoryContext:
    usual: dict[str, object] = {
        "text": "…",
        "tokens": 90,
        "budget": 1_200,
        "language": "pt",
        "hits": (),
        "earlier": (),
        "recent": (),
        "cut": 0,
    }
    return MemoryContext(**usual | changes)  # type: ignore[arg-type]


def shown(told: Trace, *, width: int = 200, language: str = "pt", limit: int = 10, beside: Beside | None = None) -> str:
    terminal, file = a_terminal(width, language)
    trace(terminal, told, beside or Beside(), empty=EMPTY, limit=limit)
    return file.getvalue()


def a_full_trace() -> tuple[Trace, Beside]:
    note = a_note(title="Almoço com Marina", summary="Marina contou do emprego.", participants=("ana", "bia"))
    works = an_item(
        content="Marina trabalha na Embraer",
        area=LifeArea.CAREER,
        subject="Marina",
        note_id=note.id,
        speaker="bia",
    )
    new = an_item(content="Mora em Olinda", type=KnowledgeType.FACT)
    old = an_item(content="Mora em Recife", superseded_at=NOW, superseded_by=new.id)
    said = a_message(text="A Marina odeia o chefe " + "novo " * 80, role=Role.ASSISTANT)
    why = a_why(around=0.12, focus=(Focus.NAME, Focus.TIME), rule=Rule.CURRENT)
    context = a_context(
        hits=(Hit(works, 0.66, why),),
        notes=(NoteHit(note, 0.4, a_why(rule=Rule.ARCHIVE)),),
        earlier=(MessageHit(said, 0.3, a_why(cosine=None, rule=Rule.SAID), "A Marina odeia o chefe…"),),
        shares={Part.KNOWN: Share(40, 1, 0), Part.EARLIER: Share(30, 1, 2)},
        cut=2,
    )
    missed = (Missed(old, Miss.SUPERSEDED, 0.2, a_why(similarity=0.2)),)
    inquiry = an_inquiry(
        names=("Marina",),
        period=Period(start=NOW - days(8), end=NOW - days(1), text="semana passada", precise=True),
        topics=("work",),
        types=(KnowledgeType.FACT, KnowledgeType.GOAL),
        areas=(LifeArea.CAREER,),
        role=Role.ASSISTANT,
        weights={"marin": 0.5, "marina": 0.5, "diss": 0.3},
        past=True,
        ordered=True,
        mentions=("clara",),
    )
    return Trace(inquiry=inquiry, context=context, missed=missed), Beside(
        {note.id: note}, {new.id: new}, told_otherwise(context)
    )


@each([40, 60, 80, 120, 200])
def test_a_trace_fits_the_terminal_and_loses_no_id(width: int) -> None:
    told, beside = a_full_trace()
    seen = shown(told, width=width, beside=beside)
    assert all(len(line) <= width for line in seen.splitlines())
    made = told.context
    ids = [made.hits[0].item.id, made.notes[0].note.id, made.earlier[0].message.id, told.missed[0].row.id]
    assert all(short(id) in seen for id in ids)
    assert "\x1b" not in seen


PARTS = {
    "pt": """idioma português|nomes Marina|menções @clara|“semana passada”: 21 fev 2026 – 28 fev 2026|assuntos trabalho|
olhado primeiro fato, meta · carreira|palavras de quem do assistente|como as coisas eram antes|marina 1,00, diss 0,30|
sentido 0,61|palavras 2,50 (trabalho)|mensagens em volta 0,12|sobre quem foi citado|
dessa época|vale agora|de volta do arquivo|na nota “Almoço com Marina” · dito por bia|as palavras estão em outra parte|
substituído por “Mora em Olinda”|Como os 1.200 tokens foram divididos|dito antes 30 1 2""",
    "en": """language Portuguese|“semana passada”: Feb 21, 2026 – Feb 28, 2026|topics work|
looked at first fact, goal · career|whose words the assistant's|meaning 0.61|words 2.50 (trabalho)|
about who is named|held now|in the note “Almoço com Marina” · said by bia|superseded by “Mora em Olinda”|
How the 1,200 tokens were shared|said earlier 30 1 2""",
}


@each(PARTS.items())
def test_a_trace_tells_all_from_the_question_to_the_cut(language: str, parts: str) -> None:
    told, beside = a_full_trace()
    seen = flat(shown(told, width=300, language=language, beside=beside))
    assert [part for part in parts.replace("|\n", "|").split("|") if part not in seen] == []


def test_a_day_alone_is_one_date_and_a_vague_time_is_said_to_be_so() -> None:
    day = Period(start=NOW, end=NOW + timedelta(hours=2), text="hoje", precise=True)
    lately = Period(start=NOW - days(20), end=NOW, text="ultimamente", precise=False)
    for period, words in ((day, "“hoje”: 1 mar 2026\n"), (lately, "“ultimamente”: por volta de ")):
        told = Trace(inquiry=an_inquiry(period=period), context=a_context(), missed=())
        lines = [line.rstrip() + "\n" for line in shown(told).splitlines()]
        assert any(words in line for line in lines)


NEVER = an_item(content="x")
REASONS: list[tuple[Miss, KnowledgeItem | Note | Message, str, str]] = [
    (Miss.DELETED, an_item(deleted_at=NOW), "apagado em 1 mar 2026", "deleted on Mar 1, 2026"),
    (
        Miss.ELSEWHERE,
        an_item(place=Place("firma", "geral")),
        "aprendido em outro lugar: firma / geral",
        "learnt elsewhere: firma / geral",
    ),
    (Miss.UNKNOWN_THEN, NEVER, "ainda não se sabia; aprendido em 1 mar 2026", "not known yet then; learnt on Mar 1"),
    (Miss.UNTRUE_THEN, NEVER, "não era verdade então, e sim 1 mar 2026 – agora", "but Mar 1, 2026 – now"),
    (Miss.SUPERSEDED, an_item(superseded_at=NOW), "por um que já foi esquecido", "superseded by one since forgotten"),
    (
        Miss.ARCHIVED,
        a_note(archived_at=NOW),
        "a semelhança não bastou; com 0,60 volta",
        "archived, and the match was not",
    ),
    (Miss.EXPIRED, an_item(expires_at=NOW), "venceu em 1 mar 2026", "expired on Mar 1, 2026"),
    (Miss.OUTDONE, NEVER, "um valor mais novo do mesmo", "a newer value of the same is shown"),
    (Miss.FILTERED, NEVER, "não está entre o que foi pedido", "not among what was asked for"),
    (Miss.SHOWN, a_message(), "já está na conversa em curso", "stands in the conversation at hand already"),
    (Miss.TOLD, a_note(), "a própria mensagem está à mostra", "its message is shown itself"),
    (Miss.WEAK, a_message(), "pouco parecido com a pergunta; conta acima de 0,20", "too little like the question"),
    (Miss.OUTRANKED, NEVER, "outros eram melhores", "others were better"),
    (Miss.CUT, a_note(), "o limite de tokens acabou", "the budget was spent"),
]


@each(REASONS)
def test_why_something_was_left_out_is_said_in_words(
    miss: Miss, row: KnowledgeItem | Note | Message, portuguese: str, english: str
) -> None:
    told = Trace(inquiry=an_inquiry(), context=a_context(), missed=(Missed(row, miss, 0.1, a_why(similarity=0.1)),))
    assert portuguese in flat(shown(told))
    assert english in flat(shown(told, language="en"))


def test_every_word_of_a_trace_has_a_name_in_both_languages() -> None:
    assert {miss for miss, *_ in REASONS} == set(Miss)
    named = [
        *(f"miss.{one}" for one in Miss),
        *(f"missed.{one}" for one in Miss),
        *(f"focus.{one}" for one in Focus),
        *(f"rule.{one}" for one in Rule),
        *(f"part.{one}" for one in Part),
        *(f"topic.{one}" for one in TOPICS),
        *(f"kind.{one}" for one in Kind),
        *(f"trace.whose.{one}" for one in Role),
    ]
    assert [key for key in named if not Words("en").has(key)] == []


def test_what_came_nearest_is_shown_first_and_what_was_cut_before_it() -> None:
    rows = [an_item(content=f"linha {number}") for number in range(4)]
    missed = (
        Missed(rows[0], Miss.WEAK, 0.9, a_why(similarity=0.05)),
        Missed(rows[1], Miss.WEAK, 0.1, a_why(similarity=0.08, around=0.1)),
        Missed(rows[2], Miss.OUTRANKED, 0.1, a_why(similarity=0.15)),
        Missed(rows[3], Miss.CUT, 0.1, a_why(similarity=0.01)),
    )
    told = Trace(inquiry=an_inquiry(), context=a_context(), missed=missed)
    seen = shown(told, limit=3)
    assert re.findall(r"linha \d", seen) == ["linha 3", "linha 1", "linha 2"]
    assert "Ficou de fora (4)" in seen
    assert "pouco parecido 2 · " in flat(seen)
    assert "mais 1; veja com --limit 4" in seen
    assert "linha" not in shown(told, limit=0)


def test_nothing_to_show_says_so() -> None:
    seen = shown(Trace(inquiry=an_inquiry(), context=a_context(tokens=0), missed=()))
    assert EMPTY in seen
    assert "o contexto está vazio" in seen
    assert "Ficou de fora" not in seen


def test_remembered_text_in_a_trace_cannot_steer_the_terminal() -> None:
    nasty = "\x1b]0;t\x07[bold]x[/bold]\u202e\nsegunda"
    note = a_note(title=nasty, summary=nasty, participants=(nasty,))
    item = an_item(content=nasty, subject=nasty, speaker=nasty, note_id=note.id)
    inquiry = an_inquiry(text=nasty, core="x", names=(nasty,), mentions=(nasty,))
    context = a_context(hits=(Hit(item, 0.5, a_why(terms=(nasty,))),), notes=(NoteHit(note, 0.4, a_why()),))
    missed = (Missed(a_message(text=nasty, author=nasty), Miss.WEAK, 0.1, a_why()),)
    told = Trace(inquiry=inquiry, context=context, missed=missed)
    for width in (80, 200):
        seen = shown(told, width=width, beside=Beside({note.id: note}))
        assert not {"\x1b", "\x07", "\u202e"} & set(seen)
        assert "[bold]x[/bold]" in seen


def test_for_a_pipe_a_row_is_a_line_with_its_cells_apart(capsys: pytest.CaptureFixture[str]) -> None:
    told, beside = a_full_trace()
    trace(Terminal(Words("pt")), told, beside, empty=EMPTY)
    lines = capsys.readouterr().out.splitlines()
    (item,) = [line.split("\t") for line in lines if "Marina trabalha na Embraer" in line]
    assert (item[:2], item[-1]) == (["1", "0,66"], short(told.context.hits[0].item.id))
    assert "vale agora" in item[2]
    assert "dito antes\t30\t1\t2" in lines


@each([40, 80, 120])
def test_recalled_rows_stand_under_what_they_are(width: int) -> None:
    made = a_full_trace()[0].context
    terminal, file = a_terminal(width)
    recalled(terminal, [*made.hits, *made.notes, *made.earlier], why=True)
    seen = file.getvalue()
    assert all(len(line) <= width for line in seen.splitlines())
    headings = [line.strip() for line in seen.splitlines() if line.startswith("O que ")]
    assert headings == ["O que se sabe", "O que aconteceu", "O que foi dito"]
    assert all(part in flat(seen) for part in ("A Marina odeia o chefe…", "assistente", "sentido 0,61"))
    assert "novo novo" not in seen
