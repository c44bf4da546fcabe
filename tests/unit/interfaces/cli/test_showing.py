"""What people see, at several widths, and what they never see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from builders import ANA, NOW, a_job, a_message, a_night, a_note, a_run, an_id, an_item, days
from loops import each
from relembra.background import RunDetail
from relembra.contexts import Trace
from relembra.domain.jobs import CONSOLIDATE, GARDEN, JobState, Run, RunKind, RunStatus, Tally
from relembra.domain.knowledge import Doubt, KnowledgeType, LifeArea, doubted
from relembra.domain.message import Role
from relembra.domain.policy import RankingName
from relembra.domain.scope import Place, shelf_of
from relembra.domain.searchable import Inquiry, Period
from relembra.interfaces.cli import doctor
from relembra.interfaces.cli.commands import Words
from relembra.interfaces.cli.conversations import markdown, outcomes
from relembra.interfaces.cli.items import show_item, show_items
from relembra.interfaces.cli.nights import show_jobs, show_plan, show_record, show_records
from relembra.interfaces.cli.recall import recalled, trace
from relembra.interfaces.cli.terminal import Terminal, clean, short
from relembra.interfaces.trace import Beside, told_otherwise
from relembra.lessons import Foreseen
from relembra.night.gardener import ActionKind, GardenAction
from relembra.recall.assembly import MemoryContext, Share
from relembra.recall.query import Listing, Miss, Missed
from relembra.recall.ranking import Focus, Hit, MessageHit, NoteHit, Rule, Why
from relembra.recall.rendering import Part
from relembra.store.port import Page
from terminals import a_terminal, fits, flat
from trails import a_nights_entries

NASTY = "\x1b]0;t\x07[bold]x[/bold] :smile:\u202e\nsegunda"
LONG = "Prefere café sem açúcar, de manhã bem cedo, e nunca depois das quatro da tarde porque atrapalha o sono"
WHY = Why(
    ranking=RankingName.DEFAULT, cosine=0.61, bm25=2.5, terms=("trabalh", "trabalho"), around=0.12,
    focus=(Focus.NAME,), rule=Rule.CURRENT, similarity=0.7, weight=1.0, recency=0.9,
)  # fmt: skip
OLD = an_item(content="Mora em Recife", superseded_at=NOW, superseded_by=an_id())
NEW = an_item(content=f"Mora em Olinda {NASTY}", id=OLD.superseded_by or "")
NOTE = a_note(title="Almoço com Marina", summary=NASTY, participants=("ana", NASTY))
CASE = an_id()


def some_items(terminal: Terminal) -> None:
    held = (
        an_item(content=LONG, type=KnowledgeType.PREFERENCE, area=LifeArea.HEALTH, validated=True),
        an_item(content=NASTY, confidence=0.5),
        an_item(content="gone", deleted_at=NOW, confidence=0.2),
        OLD,
    )
    show_items(terminal, Listing(Page(held, None)))


def one_item(terminal: Terminal) -> None:
    doubt = Doubt(words=f"o time acabou {NASTY}", said_at=NOW, item_id=an_id())
    held = doubted(an_item(content="Joga vôlei", needs_resolution=True, tags=(NASTY,), subject=NASTY), doubt)
    show_items(terminal, [held])
    show_item(terminal, replace(held, attribute="residence", value="Recife"), [])


def a_forecast(terminal: Terminal) -> None:
    rows = [
        Foreseen(an_item(content="Tem um gato", observations=3), "repeat", (OLD,), "known already"),
        Foreseen(NEW, "replace", (OLD,), "residence changed"),
        Foreseen(NEW, "ask", (OLD,), "birthday cannot change, so one of the two is wrong"),
    ]
    outcomes(terminal, rows, cases={NEW.id: CASE})


def some_runs() -> list[Run]:
    done = a_run(
        night=a_night(8), status=RunStatus.COMPLETED, tally=Tally(messages=1_200, created=2, superseded=1),
        model_calls=2, input_tokens=1_500, output_tokens=80, finished_at=NOW + timedelta(minutes=3),
    )  # fmt: skip
    failed = a_run(status=RunStatus.FAILED, error="the model openai:m is busy or in trouble", finished_at=NOW)
    return [done, failed, a_run(kind=RunKind.CLUSTERING, scope=shelf_of(ANA, Place("família")), tally=Tally(notes=3))]


def a_record(terminal: Terminal) -> None:
    entries, items = a_nights_entries()
    run = a_run(night=a_night(8), status=RunStatus.COMPLETED, memory_before=3, memory_after=4, changes=("c",))
    show_record(terminal, RunDetail(run, tuple(entries)), {item.id: item.content for item in items.values()})


def the_queue(terminal: Terminal) -> None:
    night = a_job(kind=CONSOLIDATE, key=CONSOLIDATE, due_at=NOW + timedelta(hours=4))
    dead = a_job(kind=GARDEN, state=JobState.DEAD, attempts=3, error=f"it took long {NASTY}")
    space = a_job(kind="cluster", scope=shelf_of(ANA, Place("família")), state=JobState.RUNNING)
    show_jobs(terminal, [night, dead, space], now=NOW)


def a_plan(terminal: Terminal) -> None:
    merge = GardenAction(
        kind=ActionKind.MERGE, ids=(an_id(), an_id()), shown="É vegetariana", why="the same words", rule="words",
        before="Não come carne", after="É vegetariana",
    )  # fmt: skip
    fade = GardenAction(
        kind=ActionKind.FADE, ids=(an_id(),), shown=NASTY, why="a feeling not said again for 2 weeks",
        numbers={"weeks": 2, "before": 0.8, "after": 0.6}, before="0.8", after="0.6",
    )  # fmt: skip
    show_plan(terminal, [merge, fade])


def a_trace() -> tuple[Trace, Beside]:
    works = an_item(content="Marina trabalha na Embraer", subject=NASTY, note_id=NOTE.id, speaker="bia")
    said = a_message(text="A Marina odeia o chefe " + "novo " * 80, role=Role.ASSISTANT)
    context = MemoryContext(
        text="…", tokens=90, budget=1_200, language="pt", recent=(), cut=2,
        hits=(Hit(works, 0.66, WHY),), notes=(NoteHit(NOTE, 0.4, WHY),),
        earlier=(MessageHit(said, 0.3, WHY, "A Marina odeia o chefe…"),),
        shares={Part.KNOWN: Share(40, 1, 0), Part.EARLIER: Share(30, 1, 2)},
    )  # fmt: skip
    missed = tuple(
        Missed(an_item(content=f"linha {n}"), miss, 0.1, replace(WHY, similarity=0.1, around=0.0))
        for n, miss in enumerate((Miss.WEAK, Miss.OUTRANKED, Miss.CUT))
    )
    inquiry = Inquiry(
        text=NASTY, core="x", language="pt", names=("Marina",), mentions=("clara",), topics=("work",), past=True,
        period=Period(start=NOW - days(8), end=NOW - days(1), text="semana passada", precise=True), ordered=True,
        types=(KnowledgeType.FACT, KnowledgeType.GOAL), areas=(LifeArea.CAREER,), role=Role.ASSISTANT,
        weights={"marin": 0.5, "marina": 0.5, "diss": 0.3},
    )  # fmt: skip
    beside = Beside({NOTE.id: NOTE}, {NEW.id: NEW}, told_otherwise(context))
    return Trace(inquiry=inquiry, context=context, missed=(Missed(OLD, Miss.SUPERSEDED, 0.2, WHY), *missed)), beside


def a_why(terminal: Terminal) -> None:
    traced, beside = a_trace()
    trace(terminal, traced, beside, empty="", limit=3)


def answers(terminal: Terminal) -> None:
    made = a_trace()[0].context
    recalled(terminal, [*made.hits, *made.notes, *made.earlier], why=True)


SHOWN: list[tuple[Callable[[Terminal], None], str]] = [
    (
        some_items,
        "preferência · saúde|● alta ✓|1 mar 2026|apagado|substituído|" + LONG[:30] + "|[bold]x[/bold] :smile:",
    ),
    (one_item, "m 1 de março disse: “o time acabou|residência = Recife"),
    (a_forecast, f"dito 3×|substitui “Mora em Recife” de 1 mar 2026|mudou: residência|{short(CASE)}"),
    (
        lambda terminal: show_records(terminal, some_runs(), everybody=True),
        "8 mar 2026|1.200 mensagens|2 novos|concluído|falhou|está ocupado|3 notas|espaço família",
    ),
    (a_record, "versão 3 → 4|+ |~ |− |⇒ |▾ |¶ |“Mora no Porto”|“É vegetariana”|0,80 → 0,70"),
    (the_queue, "consolidação|ana|abandonado|hoje às |(em 4 h)|espaço família|it took long|relembra jobs retry"),
    (a_plan, "(1)|É vegetariana|Não come carne|0,80 → 0,60|2 semanas"),
    (
        a_why,
        "nomes Marina|menções @clara|“semana passada”: 21 fev 2026 – 28 fev 2026|assuntos trabalho|diss 0,30|"
        "olhado primeiro fato, meta · carreira|palavras de quem do assistente|sentido 0,61|palavras 2,50 (trabalho)|"
        "vale agora|na nota “Almoço com Marina” · dito por bia|substituído por “Mora em Olinda|linha 2|"
        "Ficou de fora (4)|mais 1; veja com --limit 4|Como os 1.200 tokens foram divididos|dito antes 30 1 2",
    ),
    (answers, "O que se sabe|O que aconteceu|O que foi dito|A Marina odeia o chefe…|assistente|sentido 0,61"),
]


@each(SHOWN)
def test_everything_fits_the_terminal_and_remembered_text_cannot_steer_it(
    show: Callable[[Terminal], None], parts: str
) -> None:
    for width in (60, 80, 120, 300):
        terminal, file = a_terminal(width)
        show(terminal)
        assert fits(file, width)
        assert not {"\x1b", "\x07", "\u202e"} & set(file.getvalue())
    shown = flat(file)
    assert [part for part in parts.split("|") if part not in shown] == []


def test_text_and_markdown_are_shown_without_what_steers_a_terminal_or_marks_them_up() -> None:
    assert clean("a\x1b]0;title\x07b\r\n\u202ec\u200bd\te") == "a]0;titleb cd e"
    assert clean("família 👨\u200d👩\u200d👧") == "família 👨\u200d👩\u200d👧"
    terminal, file = a_terminal()
    terminal.show(markdown("*Made of it.*\n\n## What happened\n\n- **Mon:** 2 \\* 3\n- last"))
    assert flat(file) == "Made of it. What happened • Mon: 2 * 3 • last"


def test_the_check_up_tells_of_night_work_done_due_overdue_and_failed() -> None:
    words = Words("en")
    last = a_run(night=a_night(1), status=RunStatus.COMPLETED, started_at=NOW - timedelta(hours=9))
    well = doctor.nights(words, last, [a_job(kind=CONSOLIDATE, due_at=NOW + timedelta(hours=15))], NOW)
    assert (well.state, well.advice, "9 h ago" in well.found, "in 15 h" in well.found) == ("ok", None, True, True)
    late = doctor.nights(words, None, [a_job(kind=CONSOLIDATE, due_at=NOW - timedelta(hours=30))], NOW)
    assert (late.state, "overdue, the first for 30 h" in late.found) == ("warning", True)
    for place, whose in ((Place(), "--user ana"), (Place("club"), "--space club")):
        failed = a_run(scope=shelf_of(ANA, place), status=RunStatus.FAILED, error="away")
        assert whose in (doctor.nights(words, failed, [], NOW).advice or "")
