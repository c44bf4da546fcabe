"""Night work as people read it: times, records, differences, the queue, the gardener's plan and the check-up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from builders import ANA, NOW, a_job, a_night, a_run, an_entry, an_id, an_item, kept
from loops import each
from memories import Clock, a_memory, a_store
from relembra.background import RunDetail
from relembra.domain.audit import Target
from relembra.domain.jobs import CONSOLIDATE, GARDEN, JobState, Run, RunKind, RunStatus, Tally
from relembra.domain.scope import Place, shelf_of
from relembra.domain.time import system_clock
from relembra.interfaces import shapes
from relembra.interfaces.cli import doctor
from relembra.interfaces.cli.conversations import markdown
from relembra.interfaces.cli.jobs import show_jobs, waited_for
from relembra.interfaces.cli.nights import show_changes, show_plan, show_record, show_records
from relembra.interfaces.cli.terminal import Terminal, short
from relembra.interfaces.cli.words import Words
from relembra.interfaces.differences import differences
from relembra.interfaces.reasons import reason
from relembra.interfaces.stories import nights_between
from relembra.learn.rollback import Left, RolledBack
from relembra.night.gardener import ActionKind, GardenAction
from relembra.recall.query import Listing
from relembra.store.port import Page
from terminals import a_terminal, fits, flat
from trails import a_nights_entries, changed


@pytest.fixture(autouse=True)
def by_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import time

    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────


@each([(50, "pt"), (80, "en"), (120, "pt")])
def test_a_record_is_readable_as_a_difference(width: int, language: str) -> None:
    terminal, file = a_terminal(width, language)
    entries, items = a_nights_entries()
    run = a_run(night=a_night(8), status=RunStatus.COMPLETED, tally=Tally(messages=3, created=1, merged=1),
                finished_at=NOW + timedelta(seconds=2), memory_before=3, memory_after=4, changes=("c",))  # fmt: skip
    texts = {item.id: item.content for item in items.values()}
    show_record(terminal, RunDetail(run, tuple(entries)), texts)
    shown, words = flat(file), Words(language)
    assert fits(file, width)
    for part in (words("run_status.completed"), words("run.memory", before=3, after=4), words("run.no_model"), "2 s"):
        assert part in shown
    if width >= 80:
        bare = shown.replace("│ ", "").replace(" │", "")
        assert words("diff.replaced_by", content="Mora no Porto") in bare
        assert words("diff.merged_into", content="É vegetariana") in bare
        assert f"{words('aspect.weight')}: {words.number(0.8)} → {words.number(0.7)}" in bare
        assert words("diff.shorter", before=400, after=90) in bare
    assert [mark in shown for mark in ("+ ", "~ ", "− ", "⇒ ", "▾ ", "¶ ")] == [True] * 6


def test_words_that_were_forgotten_are_said_to_be_and_no_escape_reaches_a_terminal() -> None:
    terminal, file = a_terminal()
    show_changes(terminal, differences([an_entry(verb="fade", before={"weight": 0.8}, after={"weight": 0.7})]), {})
    assert "(esquecido)" in flat(file)
    item = an_item(content="Mora \x1b[31mno Porto")
    show_changes(terminal, differences([changed(None, item, "learn")]), {item.id: item.content})
    assert "\x1b" not in file.getvalue()


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────


def some_runs() -> list[Run]:
    done = a_run(
        night=a_night(8),
        status=RunStatus.COMPLETED,
        tally=Tally(messages=1_200, created=2, superseded=1),
        model_calls=2,
        input_tokens=1_500,
        output_tokens=80,
        finished_at=NOW + timedelta(minutes=3),
    )
    failed = a_run(status=RunStatus.FAILED, error="the model openai:m is busy or in trouble", finished_at=NOW)
    space = a_run(kind=RunKind.CLUSTERING, scope=shelf_of(ANA, Place("família")), tally=Tally(notes=3))
    return [done, failed, space]


@each([60, 80, 120, 160])
def test_records_fit_the_terminal_and_say_what_was_done(width: int) -> None:
    terminal, file = a_terminal(width)
    runs = some_runs()
    show_records(terminal, Listing(Page(tuple(runs), None)), everybody=True)
    assert fits(file, width)
    if width >= 120:
        shown = flat(file)
        for part in ("8 mar 2026", "1.200 mensagens", "2 novos", "completo", "falhou", "3 notas", short(runs[0].id)):
            assert part in shown
        assert "está ocupado" in shown


def test_where_nobody_watches_a_record_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    runs = some_runs()
    show_records(Terminal(Words("en")), Listing(Page(tuple(runs), None)), everybody=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[-1] for line in lines] == [short(run.id) for run in runs]


@each([60, 80, 120])
def test_queued_work_says_what_whose_when_and_why(width: int) -> None:
    terminal, file = a_terminal(width)
    night = a_job(kind=CONSOLIDATE, key=CONSOLIDATE, due_at=NOW + timedelta(hours=4))
    dead = a_job(kind=GARDEN, state=JobState.DEAD, attempts=3, error="it took longer than 5 minutes")
    space = a_job(kind="cluster", scope=shelf_of(ANA, Place("família")), state=JobState.RUNNING)
    show_jobs(terminal, [night, dead, space], NOW)
    shown = flat(file)
    assert fits(file, width)
    for part in ("consolidação", "ana", "abandonado", "relembra jobs retry", short(night.id)):
        assert part in shown
    if width >= 120:
        assert "hoje às 16:00 (em 4 h)" in shown
        assert "espaço família" in shown
        assert "it took longer than 5" in shown  # and the rest below


@each(["en", "pt"])
def test_what_the_gardener_would_do_is_told_kind_by_kind_with_why(language: str) -> None:
    terminal, file = a_terminal(90, language)
    plan = [
        GardenAction(
            kind=ActionKind.MERGE,
            ids=(an_id(), an_id()),
            shown="É vegetariana",
            why="the same words",
            rule="words",
            before="Não come carne",
            after="É vegetariana",
        ),
        GardenAction(
            kind=ActionKind.FADE,
            ids=(an_id(),),
            shown="Fica triste",
            why="a feeling not said again for 2 weeks",
            numbers={"weeks": 2, "before": 0.8, "after": 0.6},
            before="0.8",
            after="0.6",
        ),
        GardenAction(
            kind=ActionKind.RAISE,
            ids=(an_id(),),
            shown="Mora no Porto",
            why="used 3 times",
            numbers={"accesses": 3, "before": 5, "after": 7},
            before="5",
            after="7",
        ),
        GardenAction(
            kind=ActionKind.CONDENSE,
            ids=(an_id(),),
            shown="Uma nota",
            why="told in 300 tokens, and old enough for 80",
            before="long",
        ),
    ]
    show_plan(terminal, plan)
    shown, words = flat(file), Words(language)
    for deed in plan:
        assert f"{words(f'deed.{deed.kind}')} (1)" in shown
        assert reason(words, deed.why) in shown
    assert words("deed.part.merge", before="Não come carne") in shown
    assert words("deed.part.fade", before=words.number(0.8), after=words.number(0.6)) in shown
    assert words("deed.part.raise", before="5", after="7") in shown
    assert shapes.wire(plan[1])["numbers"] == {"weeks": 2, "before": 0.8, "after": 0.6}


def test_our_markdown_is_shown_without_its_marks() -> None:
    terminal, file = a_terminal()
    text = "*Made of what was said.*\n\n## What happened\n\n- **Mon:** 2 \\* 3\n- last"
    terminal.show(markdown(text))
    assert flat(file) == "Made of what was said. What happened • Mon: 2 * 3 • last"
    terminal, file = a_terminal()
    terminal.show(markdown(text, most=3))
    assert flat(file) == "Made of what was said. What happened …"


# ── the check-up ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_check_up_says_when_night_work_was_done_and_is_due() -> None:
    words = Words("pt")
    waiting = [a_job(kind=CONSOLIDATE, due_at=NOW + timedelta(hours=15))]
    assert doctor.nights(words, None, [], NOW).state == "ok"
    last = a_run(night=a_night(1), status=RunStatus.COMPLETED, started_at=NOW - timedelta(hours=9))
    check = doctor.nights(words, last, waiting, NOW)
    assert (check.state, check.advice) == ("ok", None)
    assert check.found == "último há 9 h: consolidação, completo; próximo amanhã às 03:00 (em 15 h)"


def test_the_check_up_warns_of_what_is_overdue_and_of_a_record_with_an_error() -> None:
    words = Words("en")
    late = doctor.nights(words, None, [a_job(kind=CONSOLIDATE, due_at=NOW - timedelta(hours=30))], NOW)
    assert late.state == "warning"
    assert "1 piece of work overdue, the first for 30 h" in late.found
    assert "relembra jobs run" in (late.advice or "")
    last = a_run(status=RunStatus.PARTIAL, error="the model openai:m is busy or in trouble", started_at=NOW)
    half = doctor.nights(words, last, [], NOW)
    assert half.state == "warning"
    assert "busy or in trouble" in half.found
    assert all(part in (half.advice or "") for part in (last.id[-8:], " --user ana"))
    club = a_run(scope=shelf_of(ANA, Place("club")), status=RunStatus.FAILED, error="away")
    assert " --space club" in (doctor.nights(words, club, [], NOW).advice or "")


# ── shapes, and the clock of the demo ─────────────────────────────────────────────────────────────────────────────


def test_records_and_jobs_are_flat_for_programs_and_a_space_is_named() -> None:
    run = a_run(scope=shelf_of(ANA, Place("família")), kind=RunKind.CLUSTERING, finished_at=NOW, raw="secret")
    shown = shapes.run(run, raw=False)
    assert (shown["user"], shown["space"], shown["seconds"], "raw" in shown) == (None, "família", 0.0, False)
    assert shapes.run(run, raw=True)["raw"] == "secret"
    assert shapes.wire(a_job(kind=GARDEN))["user"] == "ana"
    left = Left(Target.ITEM, "x", "person:ana changed it since (validate)")
    done = shapes.wire(RolledBack(a_run(), ("a",), (left,), "c"))
    assert (done["restored"], done["left"][0]["why"], done["change"]) == (["a"], left.why, "c")


def test_the_nights_of_the_demo_are_those_of_the_clock_last_spoken_by() -> None:
    recife = datetime.fromisoformat("2026-03-09T18:20:00-03:00")
    porto = datetime.fromisoformat("2026-03-11T12:00:00+00:00")
    assert [night.astimezone(UTC).isoformat() for night in nights_between(recife, porto)] == [
        "2026-03-10T06:00:00+00:00",
        "2026-03-11T06:00:00+00:00",
    ]
    assert nights_between(porto, porto + timedelta(hours=3)) == []


class Ticking(Clock):
    """The time it is."""

    def __call__(self) -> datetime:
        return system_clock()


async def test_work_that_was_put_off_by_seconds_is_waited_for_and_other_work_is_not(tmp_path: Path) -> None:
    store, now = await a_store("memory", tmp_path), system_clock()
    soon = a_job(kind=CONSOLIDATE, payload={}, due_at=now + timedelta(milliseconds=1), created_at=now)
    tonight = a_job(kind=GARDEN, payload={}, due_at=now + timedelta(hours=3), created_at=now)
    failed = a_job(
        kind=GARDEN, payload={}, due_at=now + timedelta(seconds=11), created_at=now, error="away", attempts=1
    )
    async with a_memory(store, clock=Ticking()) as memory:
        await kept(store, soon, tonight, failed)
        assert await waited_for(memory) == 1
        assert await waited_for(memory) == 0
        assert {job.id for job in await store.jobs()} == {tonight.id, failed.id}
