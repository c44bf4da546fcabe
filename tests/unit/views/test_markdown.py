"""The document for people: by area, with its history, in both languages, and safe whatever was said."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from builders import NOW, a_case, an_item, days
from loops import each
from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.policy import LIFE
from relembra.views.documents import life_of
from relembra.views.profile import Person
from relembra.views.timeline import bare


def told(*items: KnowledgeItem, language: str = "en", **more: object) -> str:
    parts = {"people": (), "cases": ()} | more
    return life_of(
        "ana",
        items,
        parts["people"],  # type: ignore[arg-type]
        parts["cases"],  # type: ignore[arg-type]
        now=NOW,
        language=language,
        confidence=LIFE.confidence,
    )


def a_person(name: str, relation: str, *facts: str) -> Person:
    return Person(name=name, relation=relation, facts=facts, birthday=None, items=())


def test_what_was_before_stands_apart_and_what_was_deleted_nowhere() -> None:
    new = an_item(content="Lives in Porto", validated=True, source=Source.USER_INPUT, confidence=1.0)
    old = an_item(
        content="Lives in Recife", superseded_by=new.id, superseded_at=NOW, held_from=NOW - days(30), held_until=NOW
    )
    away = an_item(content="Has a pug", archived_at=NOW)
    gone = an_item(content="A lie", deleted_at=NOW)
    text = told(old, new, away, gone, language="pt")
    assert text.split("## Outros\n\n")[1] == (
        "- “Lives in Porto” — 1 mar 2026 · certo · confirmado · registrado pela pessoa\n\n"
        "### Antes\n\n"
        "- “Lives in Recife” — 30 jan 2026 a 1 mar 2026 · dito em conversa\n"
        "- “Has a pug” — 1 mar 2026 · guardado no arquivo em 1 mar 2026 · dito em conversa\n"
    )


def test_people_and_open_questions_have_their_own_parts() -> None:
    old, new = an_item(content="Lives in Recife"), an_item(content="Lives in Oslo", subject="Clara", speaker="bia")
    clara = a_person("Clara", "sister", "works at Vale", "plays cello")
    text = told(old, new, people=[clara], cases=[a_case(old_id=old.id, new_id=new.id), a_case(old_id=old.id)])
    assert "- **Clara**: “Lives in Oslo” — Mar 1, 2026 · sure · said in conversation · said by bia\n" in text
    assert text.endswith(
        "## People\n\n- **Clara** (sister): “works at Vale”; “plays cello”\n\n"
        "## Open questions\n\n- “Lives in Recife” or “Lives in Oslo”?\n"
    )


@each(
    [
        "# a heading",
        "a\n\n# heading\n- more",
        "<script>alert(1)</script>",
        "![x](http://evil/y.png)",
        "`code` **bold** _it_ ~~gone~~",
        "\u202egnihton\u2066",
        "a\u2028# b\u0085# c\r# d",
        "\\*not bold\\*",
    ]
)
def test_what_was_said_cannot_break_the_document(text: str) -> None:
    document = told(an_item(content=text, subject=text, speaker=text), people=[a_person(text, text, text)])
    headings = [line for line in document.splitlines() if line.startswith("#")]
    assert headings == ["# What is remembered of ana", "## Other", "## People"]
    assert len([line for line in document.splitlines() if line.startswith("-")]) == 2
    assert not re.search(r"(?<!\\)(?:\\\\)*[<`\[\]|~]", document)
    assert "\u202e" not in document


@given(st.text())
def test_remembered_text_is_one_line_in_which_every_mark_is_escaped(text: str) -> None:
    line = bare(text)
    assert len(line.splitlines()) <= 1
    assert not re.search(r"(?<!\\)(?:\\\\)*[<>`\[\]|~*_$]", line)
    assert bare("plain words, and more.") == "plain words, and more."
