"""The demo, through the real engine: what it shows has to be there, and what is private must not."""

from __future__ import annotations

import os
import re
import subprocess
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from acceptance.running import RELEMBRA
from relembra.interfaces.cli.call import INTERRUPTED
from relembra.interfaces.cli.commands import Words
from relembra.interfaces.cli.demo import run
from relembra.interfaces.stories import LANGUAGES, Ask, Forget, Learn, Scene, Show, Step, Wonder, story_in

TOLD: dict[str, dict[str, Any]] = {
    "pt": {
        "recalled": {
            "Só conversando": "café sem açúcar",
            "De mala e cuia": "Porto",
            "Segredo é segredo": "Está preparando uma festa surpresa",
            "Duas semanas depois": "O irmão, Davi, é alérgico a camarão",
        },
        "learnt": ("Recife", "ilustradora", "3 de maio"),
        "moved": ("Recife", "Porto"),
        "birthday": ("3 de maio", "5 de maio", "Qual está certo?"),
        "merged": ("É vegetariana", "Não como carne"),
        "feeling": "Está triste por deixar a casa",
        "recurs": ("7 de 7 dias, contra 0 de 7", "3 dias"),
        "views": ("A semana de 9 a 15 de março de 2026", "Para a consulta", "dor de cabeça", "agência Farol", "Porto"),
    },
    "en": {
        "recalled": {
            "Home from the night shift": "ginger tea",
            "Boxes everywhere": "Bristol",
            "Not in front of the book club": "Gave up reading Middlemarch at page forty",
            "Two weeks on": "A avó Rosa tem medo de avião",
        },
        "learnt": ("Leeds", "nurse", "May 3"),
        "moved": ("Leeds", "Bristol"),
        "birthday": ("May 3", "May 5", "Which one is right?"),
        "merged": ("Is vegetarian", "I don't eat meat"),
        "feeling": "Is sad about leaving the old flat",
        "recurs": ("7 of 7 days, against 0 of 7", "on 3 "),
        "views": ("The week of March 9–15, 2026", "For the appointment", "headache", "Harbour Clinic", "Bristol"),
    },
}


class Played:
    """What one run showed."""

    def __init__(self, language: str, shown: str, status: int) -> None:
        self.language, self.story, self.told = language, story_in(language), TOLD[language]
        self.raw, self.status = shown, status
        self.ending = flat(shown.rpartition("$ relembra list")[2])

    def scene(self, title: str) -> str:
        """What was shown in one scene."""
        rest = self.raw.partition(title)[2]
        following = [scene.title for scene in self.story.scenes if scene.title in rest]
        return rest.partition(following[0] if following else "$ relembra list")[0]

    def with_step(self, kind: type[Step]) -> Scene:
        return next(scene for scene in self.story.scenes if any(isinstance(step, kind) for step in scene.steps))

    def answers(self, title: str, command: str) -> list[str]:
        """What was typed in a scene that begins with a command, each with what came of it."""
        return [flat(part) for part in self.scene(title).split("$ relembra ")[1:] if part.startswith(command)]


def flat(text: str) -> str:
    """On one line, without frames, so that a wrapped sentence can be looked for."""
    return " ".join(re.sub(r"[╭╮╰╯│─━]", " ", text).split())


def longest_line(text: str) -> int:
    return max(map(len, text.splitlines()))


@pytest.fixture(scope="module", params=LANGUAGES)
def played(request: pytest.FixtureRequest) -> Played:
    """One story as the command plays it into a pipe, the other in this process."""
    if request.param == "en":
        file = StringIO()
        status = run("en", fast=True, console=Console(file=file, width=100, highlight=False))
        return Played("en", file.getvalue(), status)
    command, env = [*RELEMBRA, "demo", "--fast", "--lang", "pt"], os.environ | {"COLUMNS": "200"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, env=env, check=False)
    assert (done.stderr, "\x1b" in done.stdout) == ("", False)
    return Played("pt", done.stdout, done.returncode)


def test_it_plays_every_scene_and_ends_well_with_a_clean_verification(played: Played) -> None:
    assert played.status == 0
    well = Words(played.language)("verify.well", count=r"[\d.,]+ \w+")
    assert re.search(well, flat(played.raw.partition("$ relembra verify")[2]))
    assert all(scene.title in played.raw for scene in played.story.scenes)
    assert 80 < longest_line(played.raw) <= 100


def test_what_is_said_is_learnt_recalled_replaced_and_settled(played: Played) -> None:
    told, first = played.told, played.story.scenes[0].title
    small, heard = played.answers(first, "learn")
    assert Words(played.language)("learn.nothing", user=played.story.user) in small
    assert all(word in heard for word in told["learnt"])
    for title, content in told["recalled"].items():
        found = next(shown for shown in played.answers(title, "search") if "--space" not in shown)
        assert content in found[: len(found) // 2 + len(content)], title
    before, after = told["moved"]
    assert (before in played.ending, after in played.ending) == (False, True)
    kept, doubted, question = told["birthday"]
    shown = flat(played.scene(played.with_step(Wonder).title))
    settled = Words(played.language)("outcome.old")
    assert shown.index("?") < shown.index(question) < shown.rindex(settled)
    assert (kept in played.ending, doubted in played.ending) == (True, False)


def test_what_was_told_in_private_is_not_heard_in_the_group_and_what_is_forgotten_is_gone(played: Played) -> None:
    scene = next(
        scene for scene in played.story.scenes if any(isinstance(one, Ask) and one.space for one in scene.steps)
    )
    private = [step.content for step in scene.steps if isinstance(step, Learn) and step.space is None]
    asked = played.answers(scene.title, "search")
    for content in private:
        assert not any(content in shown for shown in asked if "--space" in shown)
    assert any(content in shown for content in private for shown in asked if "--space" not in shown)
    scene = played.with_step(Forget)
    learnt = next(step.content for step in scene.steps if isinstance(step, Learn))
    before, after = played.answers(scene.title, "search")
    receipt = Words(played.language)("done.forgotten", count="").partition(":")[0]
    assert (learnt in before, receipt in before, learnt in after, learnt in played.ending) == (True, True, False, False)


def test_fourteen_nights_pass_and_what_they_did_is_shown(played: Played) -> None:
    told, title = played.told, played.with_step(Show).title
    assert played.raw.count("☾ ") == 14
    listed, night, *gardening = played.answers(title, "consolidations")
    assert listed.count(Words(played.language)("run_status.completed")) == 14
    kept, ended = told["merged"]
    assert re.search(rf"~ {kept} .*1× → 2×.*⇒ “{ended}” .*“{kept}”", night)
    assert "relembra rollback " in night
    assert any(re.search(told["feeling"] + r" .{1,40}1[.,]00 → 0[.,]90", shown) for shown in gardening)
    insights, *_ = played.answers(title, "insights")
    assert all(counted in insights for counted in told["recurs"])
    assert [part for part in told["views"] if part not in flat(played.scene(title))] == []


class _Interrupted(Console):
    """A console at which somebody presses Ctrl-C after a while."""

    shown = 0

    def print(self, *args: object, **kwargs: object) -> None:
        self.shown += 1
        if self.shown == 12:
            raise KeyboardInterrupt
        super().print(*args, **kwargs)  # type: ignore[arg-type]


def test_ctrl_c_ends_it_politely() -> None:
    file = StringIO()
    assert run("en", fast=True, console=_Interrupted(file=file, width=90)) == INTERRUPTED
    assert file.getvalue().rstrip().endswith(story_in("en").words["interrupted"])
