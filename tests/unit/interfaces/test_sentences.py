"""When, why and what was changed, as people read it in either language."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo

import pytest

import relembra.domain.case
import relembra.learn.decisions
import relembra.night.duplicates
import relembra.night.gardener
from builders import NOW, an_item
from loops import each
from relembra.domain.audit import Actor
from relembra.domain.jobs import AT_ONCE
from relembra.interfaces.sentences import Fate, attribute, day, differences, due, reason, span, who, why_left
from relembra.locale import Words
from trails import a_nights_entries, changed

EN, PT = Words("en", "names"), Words("pt", "names")


@each([
    (0.004, "< 0.1 s", "< 0,1 s"), (0.3, "0.3 s", "0,3 s"), (42, "42 s", "42 s"), (300, "5 min", "5 min"),
    (4 * 3_600, "4 h", "4 h"), (3 * 86_400, "3 days", "3 dias"),
])  # fmt: skip
def test_a_length_of_time_is_said_in_its_largest_unit(seconds: float, en: str, pt: str) -> None:
    assert (span(EN, timedelta(seconds=seconds)), span(PT, timedelta(seconds=seconds))) == (en, pt)


@each([
    (timedelta(), "agora"), (timedelta(hours=4), "hoje às 16:00 (em 4 h)"),
    (timedelta(hours=15), "amanhã às 03:00 (em 15 h)"), (timedelta(days=9), "10 mar 2026 às 12:00"),
    (timedelta(hours=-5), "atrasado há 5 h"),
])  # fmt: skip
def test_when_something_is_due_is_said_as_people_say_it(later: timedelta, said: str) -> None:
    assert due(PT, NOW + later, NOW, zone=UTC) == said


def test_what_is_due_whatever_the_clock_says_is_due_now() -> None:
    assert due(EN, AT_ONCE, NOW) == "now"


def test_the_day_and_the_hour_are_those_of_the_readers_zone() -> None:
    recife = ZoneInfo("America/Recife")
    late = datetime(2026, 3, 2, 1, 30, tzinfo=UTC)
    assert due(PT, late, NOW, zone=UTC) == "amanhã às 01:30 (em 14 h)"
    assert due(PT, late, NOW, zone=recife) == "hoje às 22:30 (em 14 h)"
    assert (day(EN, late.date()), day(PT, late.date())) == ("Mar 2, 2026", "2 mar 2026")


@each([
    ("an earlier residence", "valor mais antigo: residência"),
    ("birthday cannot change, so one of the two is wrong", "aniversário não muda, então um dos dois está errado"),
    ("employment is over, but the person had confirmed it",
     "acabou: emprego, mas a pessoa tinha confirmado o anterior"),
    ("an opposite taste, but the earlier one is confirmed by the person",
     "gosto oposto, mas o anterior é confirmado pela pessoa"),
    ("the taste turned; goal completed", "o gosto mudou; meta alcançada"),
    ("favorite_color changed", "mudou: color (favorito)"),
    ("porque sim, e pronto", "porque sim, e pronto"),
    ("the same blood type", "o mesmo: tipo sanguíneo"),
    ("both say: no meat", "os dois dizem o mesmo: não comer carne"),
    ("vegetarian says no meat as well", "ser vegetariano já diz não comer carne"),
    ("a feeling not said again for 1 week", "um sentimento que não se repetiu há 1 semana"),
    ("a feeling not said again for 6 weeks, and now under 0.3",
     "um sentimento que não se repetiu há 6 semanas, já abaixo de 0,3"), ("keep old", "o mais antigo está certo"),
    ("told in 300 tokens, and old enough for 80", "contada em 300 tokens, e pela idade bastam 80"),
])  # fmt: skip
def test_a_reason_is_said_in_the_readers_language(why: str, said: str) -> None:
    assert reason(PT, why) == said


@pytest.mark.parametrize("module", [relembra.domain.case, relembra.learn.decisions])
def test_every_reason_a_rule_writes_has_its_sentence(module: object) -> None:
    """The rules' own words are read from their source, so that a new one is noticed here."""
    text = Path(str(getattr(module, "__file__"))).read_text("utf-8")  # noqa: B009 - a module's type has no file
    written = re.findall(r"(?:Clash\(old|_temporal\(\w+, \w+|Ask\(|why=|, )\s*,?\s*f?\"([^\"]*[a-z] [^\"]*)\"", text)
    plain = [re.sub(r"\{[^}]*attribute\}", "residence", why) for why in written if "{verdict" not in why]
    rules = [why for why in plain if "{" not in why]
    assert len(rules) >= 3
    assert [why for why in rules if reason(PT, why) == why] == []


def test_an_attribute_of_the_past_and_one_without_a_name_are_readable() -> None:
    assert attribute(EN, "former_residence") == "former residence"
    assert attribute(EN, "favorite_ice_cream") == "favourite ice cream"
    assert attribute(PT, None) == ""


@each([
    (relembra.night.gardener, ("a feeling not said again for ", "and now under ", "neither used nor said for ",
                               "not looked at for ")),
    (relembra.night.duplicates, ("the same in other words (", "both say: ", " as well", " said more exactly")),
])  # fmt: skip
def test_the_reasons_of_the_gardener_are_still_written_as_they_are_read(
    module: ModuleType, phrases: tuple[str, ...]
) -> None:
    text = Path(str(module.__file__)).read_text("utf-8")
    assert [phrase for phrase in phrases if phrase not in text] == []


@each([
    ("person:ana changed it since (validate)", "ana mudou isto depois (confirmado)"),
    ("program:gardener changed it since (fade)", "programa gardener mudou isto depois (enfraquecido)"),
    ("item x changed since; undo the later change first", "mudou depois"),
    ("what item x was before has been forgotten", "o que era antes foi esquecido"),
])  # fmt: skip
def test_why_a_row_was_left_is_said_in_the_readers_language(why: str, said: str) -> None:
    assert why_left(PT, why) == said


def test_a_person_is_called_by_name_and_others_by_what_they_are() -> None:
    assert [who(EN, Actor.parse(by)) for by in ("person:ana", "model:openai:m")] == ["ana", "model openai:m"]


def test_each_row_is_told_once_by_what_became_of_it() -> None:
    entries, items = a_nights_entries()
    found = {row.id: row for row in differences(entries)}
    fates = {content: found[item.id].fate for content, item in items.items()}
    assert fates == {
        "Mora no Recife": Fate.ENDED, "Mora no Porto": Fate.CREATED, "Não come carne": Fate.MERGED,
        "É vegetariana": Fate.CHANGED, "Fica triste": Fate.CHANGED, "Fica brava": Fate.ARCHIVED,
    }  # fmt: skip
    assert found[items["É vegetariana"].id].parts == (("observations", 1, 2),)
    assert found[items["Mora no Recife"].id].becomes == items["Mora no Porto"].id
    assert found[items["É vegetariana"].id].text is None  # a brief entry tells no words


def test_several_changes_of_a_row_are_told_as_one_and_bookkeeping_as_none() -> None:
    first = an_item(weight=0.8)
    second, third = replace(first, weight=0.7, version=2), replace(first, weight=0.6, version=3, updated_at=NOW)
    (row,) = differences([changed(first, second, "fade"), changed(second, third, "fade")])
    assert row.parts == (("weight", 0.8, 0.6),)
    assert differences([changed(first, replace(first, version=2, accesses=4), "relate")]) == []
    new = an_item(content="Tem um gato")
    (both,) = differences(
        [changed(None, new, "learn"), changed(new, replace(new, observations=2, version=2), "reinforce")]
    )
    assert (both.fate, both.parts) == (Fate.CREATED, ())
