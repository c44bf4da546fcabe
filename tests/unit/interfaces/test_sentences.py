"""When, why and what was changed, as people read it in either language."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo

import pytest

import relembra.domain.case
import relembra.learn.decisions
import relembra.night.duplicates
import relembra.night.gardener
from builders import NOW
from loops import each
from relembra.domain.jobs import AT_ONCE
from relembra.interfaces.sentences import Fate, day, differences, due, reason
from relembra.locale import Words
from trails import a_nights_entries

EN, PT = Words("en", "names"), Words("pt", "names")


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
