"""The fact types: statements, notes, questions and search words that share their slots."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .grammar import Filling, Subject, Text, capital, myself, note, pronoun, render, somebody, the_user
from .lexicon import Entry

HERE = Path(__file__).parent


@dataclass(slots=True)
class FactType:
    """One kind of fact, with every wording we have for it."""

    name: str
    theme: str
    persons: str  # s anyone, i only the speaker, o only others
    statements: list[tuple[Text, str]] = field(default_factory=list)  # wording, persons it suits
    notes: list[Text] = field(default_factory=list)
    questions: list[tuple[Text, str]] = field(default_factory=list)
    searches: list[Text] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Example:
    """A question, two statements that answer it and one that only looks as if it did; texts are (Portuguese, English)."""

    fact: str
    subject: str  # "I", a person, or "" where the statement leaves its subject open
    question: Text
    statement: Text
    other: Text
    negative: Text


def parse(line: str, theme: str) -> tuple[Text, str]:
    body, bar, persons = line.partition(" | ")
    portuguese, mark, english = body.partition(" # ")
    if not mark:
        raise ValueError(f"{theme}: no ' # ' in {line!r}")
    return (portuguese.strip(), english.strip()), persons.strip() if bar else "s"


def load_types(folder: Path = HERE / "facts") -> list[FactType]:
    types: list[FactType] = []
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text(encoding="utf8").splitlines():
            kind, rest = line[:1], line[1:].strip()
            if kind == "@":
                name, persons = rest.split()
                types.append(FactType(name, path.stem, persons))
            elif kind == "+":
                types[-1].statements.append(parse(rest, path.stem))
            elif kind == "-":
                types[-1].notes.append(parse(rest, path.stem)[0])
            elif kind == "?":
                types[-1].questions.append(parse(rest, path.stem))
            elif kind == "=":
                types[-1].searches.append(parse(rest, path.stem)[0])
    return types


OPENERS: Sequence[Text] = (
    ("oi, ", "hi, "), ("me diz: ", "tell me: "), ("pergunta rápida: ", "quick question: "), ("me lembra: ", "remind me: "),
    ("lembra ", "do you remember: "), ("ei, ", "hey, "), ("então, ", "so, "), ("e ", "and "), ("escuta, ", "listen, "),
    ("por acaso sabe: ", "do you happen to know: "), ("afinal, ", "after all, "),
)  # fmt: skip
CLOSERS: Sequence[Text] = (
    (" mesmo", " again"), (", você lembra", ", do you remember"), (", você sabe", ", do you know"), (" hein", ", huh"),
    (" agora", " now"), (", afinal", ", after all"),
)  # fmt: skip


class Writer:
    """Writes examples of fact types with one seeded source of chance."""

    def __init__(self, types: Sequence[FactType], lexicon: Mapping[str, list[Entry]], rng: random.Random) -> None:
        self.types, self.lexicon, self.rng = types, lexicon, rng
        self.by_theme: dict[str, list[FactType]] = {}
        for fact in types:
            self.by_theme.setdefault(fact.theme, []).append(fact)

    def subject(self, persons: str) -> Subject:
        if persons == "i" or (persons == "s" and self.rng.random() < 0.5):
            return myself(self.rng)
        return somebody(self.rng, self.lexicon)

    def example(self) -> Example | None:
        rng = self.rng
        fact = rng.choice(self.types)
        subject = self.subject(fact.persons)
        filling = Filling(self.lexicon, rng)
        asked = self.question(fact, subject, filling)
        if asked is None:
            return None
        first, shown = self.statement(fact, subject, filling)
        second, _ = self.statement(fact, subject, filling)
        return Example(fact.name, shown, asked, first, second, self.negative(fact, subject, filling))

    def suited(self, wordings: Sequence[tuple[Text, str]], subject: Subject) -> list[Text]:
        mine = "i" if subject.key == "I" else "o"
        return [text for text, persons in wordings if persons in ("s", mine)]

    def statement(self, fact: FactType, subject: Subject, filling: Filling) -> tuple[Text, str]:
        """A wording, and whom it names: the subject's key, or "" when left open."""
        rng = self.rng
        chance = rng.random()
        if fact.notes and chance < 0.15:
            text = render(rng.choice(fact.notes), note(subject), filling)
            if subject.key != "I" and rng.random() < 0.6:
                return finished(
                    (f"{bare(subject.portuguese)}: {text[0]}", f"{subject.english}: {text[1]}"), rng
                ), subject.key
            return finished(text, rng), ""
        wordings = self.suited(fact.statements, subject)
        wording = rng.choice(wordings or [text for text, _ in fact.statements])
        free = "{s}" in wording[0] or "[" in wording[0] or "<" in wording[0]
        if free and chance < 0.35:
            return finished(render(wording, note(subject), filling), rng), ""
        if free and subject.key == "I" and chance < 0.5:
            return finished(render(wording, the_user(rng), filling), rng), "I"
        return finished(render(wording, subject, filling), rng), subject.key if free or subject.key == "I" else ""

    def question(self, fact: FactType, subject: Subject, filling: Filling) -> Text | None:
        rng = self.rng
        if fact.searches and rng.random() < 0.1:
            return render(rng.choice(fact.searches), subject, filling)
        wordings = self.suited(fact.questions, subject)
        if not wordings:
            return None
        asker = subject
        chance = rng.random()
        if subject.key != "I" and chance < 0.15:
            asker = pronoun(subject)
        elif subject.key == "I" and chance < 0.07 and fact.persons == "s":
            asker = the_user(rng)
        portuguese, english = render(rng.choice(wordings), asker, filling)
        if rng.random() < 0.15:
            opener = rng.choice(OPENERS)
            portuguese, english = opener[0] + portuguese, opener[1] + english
        elif rng.random() < 0.1:
            closer = rng.choice(CLOSERS)
            portuguese, english = portuguese + closer[0], english + closer[1]
        return capital(portuguese) + "?", capital(english) + "?"

    def negative(self, fact: FactType, subject: Subject, filling: Filling) -> Text:
        """Looks alike, answers something else: another person's same fact, or another fact of the same person and theme."""
        rng = self.rng
        chance = rng.random()
        named = dict(filling.values)
        if chance < 0.4 and fact.persons != "i":
            other = somebody(rng, self.lexicon)
            if other.key != subject.key:
                wordings = [text for text in self.suited(fact.statements, other) if "{s}" in text[0] or "[" in text[0]]
                if wordings:
                    return finished(render(rng.choice(wordings), other, Filling(self.lexicon, rng, dict(named))), rng)
        siblings = [f for f in self.by_theme[fact.theme] if f.name != fact.name]
        rng.shuffle(siblings)
        for sibling in siblings[:8]:
            wordings = self.suited(sibling.statements, subject)
            if wordings and (sibling.persons == "s" or (sibling.persons == "i") == (subject.key == "I")):
                shared = {k: v for k, v in named.items() if rng.random() < 0.7}
                return finished(render(rng.choice(wordings), subject, Filling(self.lexicon, rng, shared)), rng)
        other_theme = rng.choice(self.types)
        return finished(render(rng.choice(other_theme.statements)[0], subject, Filling(self.lexicon, rng)), rng)


def bare(name: str) -> str:
    return capital(re.sub(r"^[oa] ", "", name))


def finished(text: Text, rng: random.Random) -> Text:
    chance = rng.random()
    end = "." if chance < 0.75 else "" if chance < 0.95 else "!"
    return capital(text[0]) + end, capital(text[1]) + end
