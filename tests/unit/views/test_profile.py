from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, a_note, an_id, an_item, days
from loops import each
from relembra.domain.knowledge import ATTRIBUTES, KnowledgeItem, KnowledgeType, LifeArea, Section
from relembra.views.profile import Line, Profile, profile, rendered, section_of


def made(*items: KnowledgeItem, **changes: Any) -> Profile:
    given: dict[str, Any] = {"notes": [], "name": "Ana", "now": NOW, "language": "en"}
    return profile(items, **given | changes)


def texts(lines: tuple[Line, ...]) -> list[str]:
    return [line.text for line in lines]


@each(
    [
        ({"type": KnowledgeType.FACT}, Section.BIO),
        ({"type": KnowledgeType.PREFERENCE}, Section.INTERESTS),
        ({"type": KnowledgeType.EMOTION}, Section.OTHER),
        ({"area": LifeArea.RELATIONSHIPS}, Section.RELATIONSHIPS),
        ({"area": LifeArea.LEISURE}, Section.INTERESTS),
        ({"sub_area": "languages"}, Section.SKILLS),
        ({"attribute": "former_residence", "type": KnowledgeType.MEMORY}, Section.BIO),
        ({"attribute": "favorite_color"}, Section.INTERESTS),
        ({"attribute": "shoe_size"}, Section.BIO),
    ]
)
def test_without_an_attribute_of_ours_the_rest_decides(changes: dict[str, Any], section: Section) -> None:
    assert section_of(an_item(**changes)) is section


def test_what_others_claim_and_what_is_over_is_left_out() -> None:
    found = made(
        an_item(content="Ana is rude", speaker="bob"),
        an_item(content="deleted", deleted_at=NOW),
        an_item(content="superseded", superseded_at=NOW),
        an_item(content="expired", expires_at=NOW),
        an_item(content="ended", held_until=NOW - days(1)),
        an_item(content="Used to smoke", attribute="former_habit", held_until=NOW - days(1)),
        an_item(content="own", speaker="Ana"),
        an_item(content="by another name", speaker="aninha"),
        speaker="Aninha",
    )
    assert (sorted(texts(found.bio)), texts(found.interests)) == (["by another name", "own"], ["Used to smoke"])


def test_the_owners_people_are_lines_with_what_is_known_of_them_below() -> None:
    clara = an_item(
        subject="Clara", type=KnowledgeType.PERSON, attribute="relation", value="sister", content="Clara: sister"
    )
    job = an_item(subject="Clara", attribute="occupation", content="Clara is a doctor")
    mother = an_item(subject="mother", content="Mother lives in Natal", attribute="residence", weight=0.2)
    stranger = an_item(subject="Bob", content="Bob plays chess")
    found = made(job, stranger, clara, mother)
    assert texts(found.relationships) == ["Clara: sister", "Mother lives in Natal"]
    assert (texts(found.relationships[0].about), found.bio) == (["Clara is a doctor"], ())


HOSTILE = st.text(alphabet='ab<>/&"“”[]\n\r\u2028\u202e ;:-', min_size=1, max_size=40)


@given(st.lists(st.tuples(HOSTILE, HOSTILE, st.sampled_from(sorted(ATTRIBUTES))), max_size=6), HOSTILE)
def test_remembered_text_can_not_leave_its_line(rows: list[tuple[str, str, str]], name: str) -> None:
    notes = [a_note(title=title) for _, title, _ in rows]
    items = [
        an_item(content=text, attribute=attribute, note_id=note.id)
        for (text, _, attribute), note in zip(rows, notes, strict=True)
    ]
    text = rendered(made(*items, notes=notes, name=name))
    assert len(re.findall(r"^\s*- “[^“”<>]*” \[[^\[\]<>]*\]$", text, re.MULTILINE)) == len(rows)
    assert text.count("</user>") == bool(rows)
    if rows:
        assert re.fullmatch(r'<user name="[^"<>]*">', text.splitlines()[0])


@given(st.lists(st.sampled_from([*sorted(ATTRIBUTES), "shoe_size"]), max_size=8, unique=True))
def test_each_thing_held_of_the_owner_stands_in_one_section_once(attributes: list[str]) -> None:
    items = [an_item(id=an_id(), attribute=attribute) for attribute in attributes]
    found = made(*items)
    ids = [line.item_id for lines in found.sections.values() for line in lines]
    assert sorted(ids) == sorted(item.id for item in items)
    assert made(*reversed(items)) == found
