"""Why something was decided, and what was done at night, in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import relembra.domain.case
import relembra.learn.decisions
import relembra.night.gardener
import relembra.night.merges
from loops import each
from relembra.domain.audit import Actor
from relembra.interfaces.reasons import attribute, reason, who, why_left
from relembra.locale import Words

EN, PT = Words("en", "names"), Words("pt", "names")


@each([
    ("an earlier residence", "valor mais antigo: residência"),
    ("birthday cannot change, so one of the two is wrong", "aniversário não muda, então um dos dois está errado"),
    (
        "employment is over, but the person had confirmed it",
        "acabou: emprego, mas a pessoa tinha confirmado o anterior",
    ),
    (
        "an opposite taste, but the earlier one is confirmed by the person",
        "gosto oposto, mas o anterior é confirmado pela pessoa",
    ),
    ("the taste turned; goal completed", "o gosto mudou; meta alcançada"),
    ("favorite_color changed", "mudou: color (favorito)"),
    ("porque sim, e pronto", "porque sim, e pronto"),
    ("the same blood type", "o mesmo: tipo sanguíneo"),
    ("both say: no meat", "os dois dizem o mesmo: não comer carne"),
    ("vegetarian says no meat as well", "ser vegetariano já diz não comer carne"),
    ("a feeling not said again for 1 week", "um sentimento que não se repetiu há 1 semana"),
    (
        "a feeling not said again for 6 weeks, and now under 0.3",
        "um sentimento que não se repetiu há 6 semanas, já abaixo de 0,3",
    ),
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


def test_the_reasons_of_the_gardener_are_still_written_as_they_are_read() -> None:
    """The phrases are read from their source, so that one worded anew is noticed here."""
    sources = [
        Path(str(module.__file__)).read_text("utf-8") for module in (relembra.night.gardener, relembra.night.merges)
    ]
    text = "\n".join(sources)
    phrases = (
        "a feeling not said again for ",
        "and now under ",
        "neither used nor said for ",
        "not looked at for ",
        "the same in other words (",
        "both say: ",
        " as well",
        " said more exactly",
    )
    assert [phrase for phrase in phrases if phrase not in text] == []


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("person:ana changed it since (validate)", "ana mudou isto depois (confirmado)"),
        ("program:gardener changed it since (fade)", "programa gardener mudou isto depois (enfraquecido)"),
        ("item x changed since; undo the later change first", "mudou depois"),
        ("what item x was before has been forgotten", "o que era antes foi esquecido"),
    ],
)
def test_why_a_row_was_left_is_said_in_the_readers_language(why: str, said: str) -> None:
    assert why_left(PT, why) == said


def test_a_person_is_called_by_name_and_others_by_what_they_are() -> None:
    assert [who(EN, Actor.parse(by)) for by in ("person:ana", "model:openai:m")] == ["ana", "model openai:m"]
