"""How echoes, leaks and stories are counted, and that nothing leaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bench import hygiene
from bench.hygiene import echo, leaks, stories
from bench.hygiene.leaks import Asking, LeakTally, Secret
from bench.hygiene.shares import Goal, count_row, share_row
from bench.hygiene.stories import End, Story, fits

from builders import NOW, an_item
from loops import each
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType


def said(content: str, attribute: str | None = None, value: str | None = None, **changes: Any) -> KnowledgeItem:
    return an_item(content=content, attribute=attribute, value=value, **changes)


def wanted(*words: str, **parts: Any) -> dict[str, Any]:
    return {"subject": "self", "words": list(words)} | parts


def ended(item: KnowledgeItem, by: KnowledgeItem) -> KnowledgeItem:
    return replace(item, superseded_at=NOW, superseded_by=by.id, held_until=NOW)


# ---- stories

CURITIBA, FLORIPA = said("Mora em Curitiba", "residence", "Curitiba"), said("Mora em Floripa", "residence", "Floripa")
MOVED = said("Saiu de Curitiba", "event", type=KnowledgeType.MEMORY)
LIVED = said("Morou em Curitiba", "former_residence", "Curitiba")


def figures(*items: KnowledgeItem) -> tuple[str, ...]:
    """Held, still held and doubted, of one who moved."""
    story = Story("s1", "pt", "ana", (), (wanted("floripa|florianopolis"),), (wanted("curitiba"),))
    return tuple(row.measured for row in stories.rows([End(story, items, NOW)]))


def test_a_label_fits_what_holds_its_words_of_the_same_person() -> None:
    item = said("Acorda às 16h em São Luís")
    assert fits(wanted("sao luis|slz", "16h"), item)
    assert not fits(wanted("6h"), item)
    assert not fits(wanted("sao luis", subject="Clara"), item)
    assert fits(wanted("medica", "irma", subject="Clara"), said("É médica", subject="Clara", person={"tie": "irmã"}))


@each(
    [
        ((CURITIBA, FLORIPA, MOVED), ("1 of 1", "1 of 1", "0 of 1")),
        ((replace(CURITIBA, needs_resolution=True), FLORIPA), ("1 of 1", "0 of 1", "1 of 1")),
        ((ended(CURITIBA, FLORIPA), FLORIPA, MOVED, LIVED), ("1 of 1", "0 of 1", "0 of 1")),
        ((MOVED, LIVED), ("0 of 1", "0 of 0", "0 of 0")),
    ]
)
def test_what_is_over_is_ended_in_doubt_or_still_held(items: tuple[KnowledgeItem, ...], expected: Any) -> None:
    assert figures(*items) == expected


# ---- echo and leaks


def test_an_echo_is_whatever_changed() -> None:
    old = said("Mora em Recife")
    assert echo.differences([old], [old]) == []
    for changed in (replace(old, observations=2), ended(old, FLORIPA), FLORIPA):
        assert echo.differences([old], [changed]) == [changed]


@each(
    [
        (Asking("default", "ana", "família"), False),
        (Asking("default", "ana", None), False),
        (Asking("default", "bia", "família"), False),
        (Asking("default", "ana", "trabalho"), True),
        (Asking("default", "bia", None), True),
        (Asking("other", "ana", "família"), True),
    ]
)
def test_what_is_said_in_a_space_stays_there_and_with_whoever_said_it(asking: Asking, must_not: bool) -> None:
    secret = Secret("Zuzu", "default", "ana", "família", "Minha irmã Zuzu")
    assert leaks.forbidden(secret, asking) is must_not
    tally = LeakTally()
    leaks.count(tally, [secret], asking, "load", "a ZUZU ligou")
    assert tally.leaked == int(must_not)


def test_what_is_said_in_private_is_shown_in_no_space() -> None:
    secret = Secret("Zuzu", "default", "ana", None, "Moro em Zuzu")
    assert not leaks.forbidden(secret, Asking("default", "ana", None))
    assert leaks.forbidden(secret, Asking("default", "ana", "família"))


def test_shares_and_counts_say_what_they_were_counted_from() -> None:
    assert share_row("found", 0, 0, Goal.least(0.85)).holds is False
    assert share_row("junk", 0, 0, Goal.most(0.03)).holds is True
    assert share_row("named", 3, 4).holds is None
    assert count_row("leaks", 1, 900).holds is False
    assert count_row("leaks", 0, 900).measured == "0 of 900"


# ---- the memory itself


def test_nothing_leaks() -> None:
    assert [row for row in hygiene.about_leaks() if row.holds is False] == []
