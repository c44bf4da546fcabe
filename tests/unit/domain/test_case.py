from __future__ import annotations

from loops import each
from relembra.domain.case import NARROWER, PHRASES, implied, state_of


@each(
    [
        ("Sou vegetariana.", "vegetarian"),
        ("I'm a vegetarian", "vegetarian"),
        ("Ela é vegana", "vegan"),
        ("Diet: no meat", "no_meat"),
        ("Nunca come carne", "no_meat"),
        ("Doesn’t eat any red meat", "no_red_meat"),
        ("Tem doença celíaca", "coeliac"),
        ("Não bebo álcool", "teetotal"),
        ("Não fuma", "no_smoke"),
        ("He's a non-smoker", "no_smoke"),
        ("Come carne", None),
        ("Doesn't eat meat at work", None),
        ("Quase não come carne", None),
        ("Wants to be vegan", None),
        ("Era vegetariana", None),
        ("", None),
    ]
)
def test_a_statement_is_of_a_state_when_it_says_nothing_else(text: str, state: str | None) -> None:
    assert state_of(text) == state


def test_a_name_opens_a_statement_about_its_owner_only() -> None:
    assert state_of("Clara is vegan", "Clara") == "vegan"
    assert state_of("Clara is vegan", "Bia") is None


@each(NARROWER)
def test_every_state_can_be_said_and_none_implies_itself(state: str) -> None:
    assert implied(state) <= PHRASES.keys()
    assert state in PHRASES
    assert state not in implied(state)
