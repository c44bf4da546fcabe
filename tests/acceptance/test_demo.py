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
from relembra.interfaces.cli.demo import run
from relembra.interfaces.stories import LANGUAGES, Ask, Correct, Forget, Learn, Load, Say, Show, Step, Wonder, story_in

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
        "completed": "completo",
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
        "completed": "completed",
    },
}


class Played:
    """What one run showed, as lines without frames."""

    def __init__(self, language: str, width: int = 100) -> None:
        self.story = story_in(language)
        self.told = TOLD[language]
        file = StringIO()
        self.status = run(language, fast=True, console=Console(file=file, width=width, highlight=False))
        self.raw = file.getvalue()

    def scene(self, title: str) -> str:
        """What was shown in one scene, frames included."""
        rest = self.raw.partition(title)[2]
        following = [scene.title for scene in self.story.scenes if scene.title in rest]
        return rest.partition(following[0] if following else self.end)[0]

    def with_step(self, kind: type[Step]) -> str:
        """The title of the first scene with a step of a kind."""
        scenes = self.story.scenes
        return next(scene.title for scene in scenes if any(isinstance(step, kind) for step in scene.steps))

    def panels(self, title: str) -> list[str]:
        """The panels of a scene, each on one line with its title and the line below."""
        return [flat(panel) for panel in re.findall(r"╭─.*?─╯", self.scene(title), re.DOTALL)]

    @property
    def end(self) -> str:
        return self.story.words["remembered"].format(person=self.story.person)

    @property
    def ending(self) -> str:
        return flat(self.raw.partition(self.end)[2])


def flat(text: str) -> str:
    """On one line, without frames, so that a wrapped sentence can be looked for."""
    return " ".join(re.sub(r"[╭╮╰╯│─━]", " ", text).split())


def longest_line(text: str) -> int:
    return max(map(len, text.splitlines()))


@pytest.fixture(scope="module", params=LANGUAGES)
def played(request: pytest.FixtureRequest) -> Played:
    return Played(request.param)


def test_it_plays_every_scene_and_ends_well_with_a_clean_verification(played: Played) -> None:
    assert played.status == 0
    clean = played.story.words["end_clean"].partition("{checked}")
    assert re.search(re.escape(clean[0]) + r"\d+" + re.escape(clean[2]), flat(played.raw))
    assert all(scene.title in played.raw for scene in played.story.scenes)
    assert longest_line(played.raw) <= 100
    assert set(story_in("en").words) == set(story_in("pt").words)
    assert story_in("fr").language == "en"


def test_what_is_said_is_learnt_and_small_talk_teaches_nothing(played: Played) -> None:
    first = played.story.scenes[0]
    shown = flat(played.scene(first.title))
    said = next(step for step in first.steps if isinstance(step, Say))
    assert shown.index(said.replied) < shown.index(played.story.words["unmoved"]) < shown.index("+ ")
    heard = shown.partition("+ ")[2]
    assert all(word in heard for word in played.told["learnt"])
    assert all(word not in played.ending for word in ("nuvem", "verão", "cloud", "rain"))


def test_each_question_asked_in_private_recalls_what_the_story_is_about(played: Played) -> None:
    for title, content in played.told["recalled"].items():
        asked = [panel for panel in played.panels(title) if panel.endswith(played.story.words["asked_private"])]
        first = asked[0].partition("? ")[2]
        assert content in first[: len(first) // 2 + len(content)], title


def test_a_contradiction_is_asked_about_gently_and_settled_by_the_answer(played: Played) -> None:
    kept, doubted, question = played.told["birthday"]
    shown = flat(played.scene(played.with_step(Wonder)))
    assert shown.index("?") < shown.index(question) < shown.rindex("✓")
    assert (kept in played.ending, doubted in played.ending) == (True, False)


def test_what_was_told_in_private_is_not_heard_in_the_group(played: Played) -> None:
    place = played.story.words["asked_space"].partition("{space}")[0]
    scenes = [
        scene for scene in played.story.scenes if any(isinstance(step, Ask) and step.space for step in scene.steps)
    ]
    assert scenes
    for scene in scenes:
        private = [step.content for step in scene.steps if isinstance(step, Learn) and step.space is None]
        panels = played.panels(scene.title)
        in_group = [panel for panel in panels if place in panel]
        assert in_group
        assert all(content not in panel for content in private for panel in in_group)
        assert any(content in panel for content in private for panel in panels if place not in panel)


def test_new_values_and_corrections_take_the_place_of_old_ones(played: Played) -> None:
    before, after = played.told["moved"]
    moved = next(
        flat(played.scene(scene.title)) for scene in played.story.scenes[1:] if after in played.scene(scene.title)
    )
    assert before in moved
    assert (before in played.ending, after in played.ending) == (False, True)
    steps = [step for scene in played.story.scenes for step in scene.steps]
    right = next(step for step in steps if isinstance(step, Correct))
    wrong = next(step for step in steps if isinstance(step, Learn) and step.name == right.name)
    assert right.content in played.ending
    assert f" {wrong.content} " not in played.ending


def test_the_receipt_says_what_went_and_nothing_of_it_is_left(played: Played) -> None:
    title = played.with_step(Forget)
    scene = next(scene for scene in played.story.scenes if scene.title == title)
    learnt = next(step.content for step in scene.steps if isinstance(step, Learn))
    before, receipt, after = played.panels(title)
    assert played.story.words["receipt"] in receipt
    assert (learnt in before, learnt in after, learnt in played.ending) == (True, False, False)


def test_the_context_stays_within_its_budget(played: Played) -> None:
    load = next(step for scene in played.story.scenes for step in scene.steps if isinstance(step, Load))
    before, _, _ = played.story.words["handed"].partition("{tokens}")
    tokens = re.search(re.escape(before) + r"(\d+)\D+(\d+)", flat(played.raw))
    assert tokens is not None
    assert int(tokens[1]) <= int(tokens[2]) == load.budget


def test_fourteen_nights_pass_and_what_they_did_is_shown(played: Played) -> None:
    words, panels = played.story.words, played.panels(played.with_step(Show))
    assert played.raw.count("☾ ") == 14
    table = next(panel for panel in panels if words["nights"] in panel)
    assert table.count(played.told["completed"]) == 14
    kept, ended = played.told["merged"]
    night = next(panel for panel in panels if words["one_night"].partition("{date}")[0].strip() in panel)
    assert re.search(rf"~ {kept} .*1× → 2×.*⇒ “{ended}” .*“{kept}”", night)
    assert "relembra rollback " in night
    assert f"“{ended}”" not in played.ending
    gardener = next(panel for panel in panels if words["gardener"] in panel)
    assert re.search(played.told["feeling"] + r" .{1,40}1[.,]00 → 0[.,]90", gardener)
    insights = next(panel for panel in panels if words["insights"] in panel)
    assert all(counted in insights for counted in played.told["recurs"])
    assert played.told["birthday"][2] in flat(played.scene(played.with_step(Show)))
    together = " ".join(panels)
    assert [part for part in played.told["views"] if part not in together] == []
    version = re.search(words["version"].format(version=r"(\d+)"), together)
    assert version is not None
    assert int(version[1]) >= 14


def test_the_command_plays_it_into_a_pipe_without_colours_and_no_wider_than_a_page() -> None:
    command, env = [*RELEMBRA, "demo", "--fast", "--lang", "pt"], os.environ | {"COLUMNS": "200"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert story_in("pt").title in done.stdout
    assert "\x1b" not in done.stdout
    assert 80 < longest_line(done.stdout) <= 100


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
