"""What the recipe promises of its parts. `make test` runs these too; what needs torch is skipped where there is none."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from training.generate.authored import load_groups
from training.generate.facts import Writer, load_types
from training.generate.grammar import SLOT, Filling, Subject, render
from training.generate.lexicon import load
from training.generate.statements import FRAMES, StatementWriter, load_phrases

HERE = Path(__file__).parents[1]
ANA = Subject("Ana", "3s", "f", "a Ana", "Ana")


def test_a_template_agrees_with_its_subject_in_both_languages():
    filling = Filling(load(), random.Random(1))
    template = ("{s} <estar> cansad@ e [minha casa] é longe", "{s} <be> tired and [my house] is far")
    assert render(template, ANA, filling) == (
        "a Ana está cansada e a casa da Ana é longe",
        "Ana is tired and Ana's house is far",
    )
    me = Subject("I", "1s", "m", "", "I", "self")
    assert render(template, me, filling) == ("estou cansado e minha casa é longe", "I am tired and my house is far")


def test_every_wording_fills_the_same_slots_in_both_languages():
    lexicon = load()
    for fact in load_types():
        assert fact.statements
        assert fact.questions
        both = [text for text, _ in fact.statements + fact.questions] + fact.notes + fact.searches
        for portuguese, english in both:
            left, right = ({m[1] for m in SLOT.finditer(side)} - {"s", "se"} for side in (portuguese, english))
            assert left == right, (fact.name, portuguese)
            assert all(re.sub(r"\d+$", "", slot) in lexicon for slot in left), (fact.name, left)


def test_the_same_seed_writes_the_same_examples():
    lexicon, types = load(), load_types()
    first, second = (Writer(types, lexicon, random.Random(7)) for _ in range(2))
    assert [first.example() for _ in range(50)] == [second.example() for _ in range(50)]


def test_no_macro_is_left_in_a_sentence():
    lexicon, rng = load(), random.Random(3)
    facts, plain = Writer(load_types(), lexicon, rng), StatementWriter(load_phrases(), lexicon, rng)
    texts = [text for _ in range(2000) if (e := facts.example()) for pair in (e.question, e.statement) for text in pair]
    texts += [text for _ in range(len(FRAMES) * 30) for text in plain.statement()]
    assert not [text for text in texts if re.search(r"[{}<>\[\]@]", text)]


def test_every_group_by_hand_is_whole_and_its_near_misses_are_not_its_fact():
    groups = load_groups()
    assert len({group.name for group in groups}) == len(groups) > 3000
    for group in groups:
        assert len(group.told) == (1 if group.name.startswith("passage") else 2), group.name
        assert len(group.asked) >= 3, group.name
        assert not set(group.misses) & set(group.told), group.name
        assert all(portuguese and english for portuguese, english in group.told + group.misses + group.asked), (
            group.name
        )


MEASURED = "A menina toca violão na praça todo sábado de manhã."
REPEATED = "a menina toca violao na praça todo sábado"
APART = ("the cat sleeps", "o gato dorme")


@pytest.fixture
def bundle(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    pytest.importorskip("tokenizers")
    import build_bundle

    return build_bundle


def test_a_paragraph_loses_the_row_that_repeats_what_is_measured(bundle):
    row, leaking = ("s", *APART), ("s", "The girl plays", REPEATED)
    paragraphs = [[row, leaking, row, row], [row, row, leaking]]
    rows, runs, dropped = bundle.kept_pairs([row, leaking], paragraphs, bundle.Leak([MEASURED]))
    assert (rows, runs, dropped) == ([row] * 6, [(1, 3)], {"s": 3})


@pytest.mark.parametrize("at", range(2, 10))
def test_an_example_of_any_kind_goes_when_one_of_its_texts_repeats_what_is_measured(bundle, at):
    fine = ["heading", "heading:x:0", *(APART * 4)]
    leaking = ["reply", "reply:x:0", *(APART * 4)]
    leaking[at] = REPEATED
    assert bundle.kept_examples([fine, leaking], bundle.Leak([MEASURED])) == ([fine], {"reply": 1})


@pytest.mark.parametrize("source", ["grades", "inferbr", "assin"])
def test_graded_pairs_of_every_source_are_held_to_the_same(bundle, source):
    fine, first, second = (source, *APART, 0.5), (source, REPEATED, "x", 0.5), (source, "x", REPEATED, 0.5)
    assert bundle.kept_scores([first, fine, second], bundle.Leak([MEASURED])) == ([fine], {source: 2})
