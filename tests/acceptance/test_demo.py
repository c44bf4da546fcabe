"""The demo, through the real engine: what it shows has to be there, and what is private must not."""

from __future__ import annotations

import os
import re
import subprocess
from io import StringIO

import pytest
from rich.console import Console

from acceptance.running import RELEMBRA
from relembra.interfaces.cli.call import INTERRUPTED
from relembra.interfaces.cli.demo import run
from relembra.interfaces.stories import LANGUAGES, Ask, Correct, Forget, Learn, Load, Nights, Say, Wonder, story_in


class Played:
    """What one run showed, as lines without frames."""

    def __init__(self, language: str, width: int = 100) -> None:
        self.story = story_in(language)
        file = StringIO()
        self.status = run(language, fast=True, console=Console(file=file, width=width, highlight=False))
        self.raw = file.getvalue()
        self.text = flat(self.raw)

    def scene(self, title: str) -> str:
        """What was shown in one scene, frames included."""
        rest = self.raw.partition(title)[2]
        following = [scene.title for scene in self.story.scenes if scene.title in rest]
        end = self.story.words["remembered"].format(person=self.story.person)
        return rest.partition(following[0] if following else end)[0]

    def answers(self, title: str) -> list[str]:
        """The panels of a scene, each on one line with its title and the line below."""
        return [flat(panel) for panel in re.findall(r"╭─.*?─╯", self.scene(title), re.DOTALL)]


def flat(text: str) -> str:
    """On one line, without frames, so that a wrapped sentence can be looked for."""
    return " ".join(re.sub(r"[╭╮╰╯│─━]", " ", text).split())


@pytest.fixture(scope="module", params=LANGUAGES)
def played(request: pytest.FixtureRequest) -> Played:
    return Played(request.param)


def test_it_ends_well_with_a_clean_verification(played: Played) -> None:
    assert played.status == 0
    clean = played.story.words["end_clean"].partition("{checked}")
    assert re.search(re.escape(clean[0]) + r"\d+" + re.escape(clean[2]), played.text)


def test_every_scene_is_played(played: Played) -> None:
    assert all(scene.title in played.text for scene in played.story.scenes)


def test_each_question_asked_in_private_recalls_what_the_story_is_about(played: Played) -> None:
    expected = {
        "pt": {
            "Só conversando": "café sem açúcar",
            "De mala e cuia": "Porto",
            "Segredo é segredo": "Está preparando uma festa surpresa",
            "Duas semanas depois": "O irmão, Davi, é alérgico a camarão",
        },
        "en": {
            "Home from the night shift": "ginger tea",
            "Boxes everywhere": "Bristol",
            "Not in front of the book club": "Gave up reading Middlemarch at page forty",
            "Two weeks on": "A avó Rosa tem medo de avião",
        },
    }[played.story.language]
    for title, content in expected.items():
        asked = [panel for panel in played.answers(title) if panel.endswith(played.story.words["asked_private"])]
        best = re.search(r"\? .+?\? +\d[.,]\d\d (.+?) (?:\d[.,]\d\d|$)", asked[0])
        assert best is not None
        assert content in best[1]


def test_small_talk_and_the_assistants_words_teach_nothing(played: Played) -> None:
    first = played.story.scenes[0]
    shown = flat(played.scene(first.title))
    assert played.story.words["unmoved"] in shown
    said = next(step for step in first.steps if isinstance(step, Say))
    assert shown.index(said.replied) < shown.index(played.story.words["unmoved"]) < shown.index("+ ")
    assert all(word not in ending(played) for word in ("nuvem", "verão", "cloud", "rain"))


def test_what_is_said_is_learnt_by_listening(played: Played) -> None:
    shown = flat(played.scene(played.story.scenes[0].title))
    learnt = {"pt": ("Recife", "ilustradora", "3 de maio"), "en": ("Leeds", "nurse", "May 3")}[played.story.language]
    heard = shown.partition("+ ")[2]
    assert all(word in heard for word in learnt)
    assert heard.count(played.story.words["by_conversation"]) >= 5


def test_a_contradiction_is_asked_about_gently_and_settled_by_the_answer(played: Played) -> None:
    scene = next(scene for scene in played.story.scenes if any(isinstance(step, Wonder) for step in scene.steps))
    shown = flat(played.scene(scene.title))
    kept, doubted = {"pt": ("3 de maio", "5 de maio"), "en": ("May 3", "May 5")}[played.story.language]
    asked = {"pt": "Qual está certo?", "en": "Which one is right?"}[played.story.language]
    marks = [shown.index(mark) for mark in (played.story.words["in_question"], asked, played.story.words["settled"])]
    assert marks == sorted(marks)
    assert kept in ending(played)
    assert doubted not in ending(played)


def test_what_was_told_in_private_is_not_heard_in_the_group(played: Played) -> None:
    place = played.story.words["asked_space"].partition("{space}")[0]
    for scene in played.story.scenes:
        spaces = {step.space for step in scene.steps if isinstance(step, Ask) and step.space}
        private = [step.content for step in scene.steps if isinstance(step, Learn) and step.space is None]
        if spaces:
            in_group = [panel for panel in played.answers(scene.title) if place in panel]
            assert in_group
            assert all(content not in panel for content in private for panel in in_group)
            in_private = [panel for panel in played.answers(scene.title) if place not in panel]
            assert any(content in panel for content in private for panel in in_private)
            return
    pytest.fail("the story has no scene in a group")


def test_the_value_that_was_replaced_is_shown_as_history(played: Played) -> None:
    before, after = {"pt": ("Recife", "Porto"), "en": ("Leeds", "Bristol")}[played.story.language]
    title = played.story.words["history"]
    shown = [panel for scene in played.story.scenes for panel in played.answers(scene.title) if title in panel]
    assert any(before in panel and after in panel for panel in shown)
    assert before not in ending(played)
    assert after in ending(played)


def test_a_correction_replaces_the_wrong_item(played: Played) -> None:
    steps = [step for scene in played.story.scenes for step in scene.steps]
    right = next(step for step in steps if isinstance(step, Correct))
    wrong = next(step for step in steps if isinstance(step, Learn) and step.name == right.name)
    assert right.content in ending(played)
    assert f" {wrong.content} " not in ending(played)


def test_the_receipt_says_what_went_and_nothing_of_it_is_left(played: Played) -> None:
    scene = next(scene for scene in played.story.scenes if any(isinstance(step, Forget) for step in scene.steps))
    learnt = next(step.content for step in scene.steps if isinstance(step, Learn))
    before, receipt, after = played.answers(scene.title)
    assert learnt in before
    assert played.story.words["receipt"] in receipt
    assert f"2 {played.story.words['gone_messages'].partition('|')[2]}" in receipt
    assert learnt not in after
    assert learnt not in ending(played)


def test_the_context_stays_within_its_budget(played: Played) -> None:
    load = next(step for scene in played.story.scenes for step in scene.steps if isinstance(step, Load))
    before, _, _ = played.story.words["handed"].partition("{tokens}")
    tokens = re.search(re.escape(before) + r"(\d+)\D+(\d+)", played.text)
    assert tokens is not None
    assert int(tokens[1]) <= int(tokens[2]) == load.budget


def nights_scene(played: Played) -> str:
    scene = next(scene for scene in played.story.scenes if any(isinstance(step, Nights) for step in scene.steps))
    return scene.title


def test_fourteen_nights_pass_and_each_has_its_record(played: Played) -> None:
    assert played.raw.count("☾ ") == 14
    table = next(panel for panel in played.answers(nights_scene(played)) if played.story.words["nights"] in panel)
    done = {"pt": "completo", "en": "completed"}[played.story.language]
    assert table.count(f" {done}") == 14
    assert re.findall(r" v(\d+) ", table) == [str(version) for version in range(1, 15)]


def test_a_night_merges_what_says_the_same_and_shows_it_as_a_difference(played: Played) -> None:
    start = played.story.words["one_night"].partition("{date}")[0].strip()
    shown = next(panel for panel in played.answers(nights_scene(played)) if start in panel)
    kept, ended = {"pt": ("É vegetariana", "“Não como carne”"), "en": ("Is vegetarian", "“I don't eat meat”")}[
        played.story.language
    ]
    assert re.search(rf"~ {kept} .*1× → 2×.*⇒ {ended} .*“{kept}”", shown)
    assert "relembra rollback " in shown
    assert ended not in ending(played)


def test_the_gardener_lets_a_feeling_fade(played: Played) -> None:
    title = played.story.words["gardener"]
    shown = next(panel for panel in played.answers(nights_scene(played)) if title in panel)
    feeling = {"pt": "Está triste por deixar a casa", "en": "Is sad about leaving the old flat"}
    assert re.search(feeling[played.story.language] + r" .{1,30}1[.,]00 → 0[.,]90", shown)


def test_a_question_is_left_for_the_person(played: Played) -> None:
    asked = {"pt": "Qual está certo?", "en": "Which one is right?"}[played.story.language]
    assert asked in flat(played.scene(nights_scene(played)))


def test_what_recurs_is_told_with_its_counts(played: Played) -> None:
    shown = next(panel for panel in played.answers(nights_scene(played)) if played.story.words["insights"] in panel)
    for counted in {"pt": ("7 de 7 dias, contra 0 de 7", "em 3 dias"), "en": ("7 of 7 days, against 0 of 7", "on 3 ")}[
        played.story.language
    ]:
        assert counted in shown


def test_the_week_the_visit_and_the_compact_memory_are_shown(played: Played) -> None:
    panels = " ".join(played.answers(nights_scene(played)))
    told = {
        "pt": ("A semana de 9 a 15 de março de 2026", "Para a consulta", "dor de cabeça", "agência Farol", "Porto"),
        "en": ("The week of March 9–15, 2026", "For the appointment", "headache", "Harbour Clinic", "Bristol"),
    }[played.story.language]
    assert [part for part in told if part not in panels] == []
    version = re.search(played.story.words["version"].format(version=r"(\d+)"), panels)
    assert version is not None
    assert int(version[1]) >= 14


def ending(played: Played) -> str:
    return played.text.partition(played.story.words["remembered"].format(person=played.story.person))[2]


def longest_line(text: str) -> int:
    return max(map(len, text.splitlines()))


def test_no_line_is_longer_than_the_terminal(played: Played) -> None:
    assert longest_line(played.raw) <= 100
    if played.story.language == "pt":
        assert longest_line(Played("pt", width=60).raw) <= 60


def test_the_command_plays_it_into_a_pipe_without_colours_and_no_wider_than_a_page() -> None:
    command, env = [*RELEMBRA, "demo", "--fast", "--lang", "pt"], os.environ | {"COLUMNS": "200"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert story_in("pt").title in done.stdout
    assert "\x1b" not in done.stdout
    assert 80 < longest_line(done.stdout) <= 100


def test_a_language_without_a_story_hears_the_english_one() -> None:
    assert story_in("fr").language == "en"


def test_both_stories_have_the_same_words() -> None:
    assert set(story_in("en").words) == set(story_in("pt").words)


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
