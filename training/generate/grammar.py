"""Turns a bilingual template into a Portuguese and an English sentence about one subject.

A template is `portuguese # english`. In it
  {s}            is the subject: nothing or "eu" / "I"; "a Ana" / "Ana"; "minha irmã" / "my sister"; nothing in a note
  <gostar>       is a verb agreeing with the subject; <gostar:T> past, <gostar:I> imperfect, <gostar:G> gerund
  {se}           is the reflexive: me / se
  cansad@        ends in o or a by the subject's gender
  [minha casa]   is the subject's: minha casa / a casa da Ana; English [my house] / Ana's house
  [~minha casa]  is the same with a pronoun: a casa dela / her house
  {food} {food2} are fillers, the same in both languages; {hobby:G} puts the filler's verb in a form
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from . import conjugate
from .lexicon import Entry

Text = tuple[str, str]  # Portuguese, English


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a fact is about, and how they are named in a sentence."""

    key: str  # equal keys: the same person
    person: str  # 1s or 3s
    gender: str
    portuguese: str
    english: str
    kind: str = "named"  # self, user, named, pronoun, note
    english_person: str = ""  # where it differs: a gente vai / we go

    @property
    def spoken(self) -> str:
        return self.english_person or self.person


def myself(rng: random.Random) -> Subject:
    return Subject("I", "1s", rng.choice("mf"), "eu" if rng.random() < 0.3 else "", "I", "self")


def the_user(rng: random.Random) -> Subject:
    name = rng.choice(
        (("o usuário", "the user", "m"), ("a usuária", "the user", "f"), ("o utilizador", "the user", "m"))
    )
    return Subject("I", "3s", name[2], name[0], name[1], "user")


def note(subject: Subject) -> Subject:
    """The same person, left unnamed: "prefere café" / "prefers coffee"."""
    return Subject(subject.key, "3s", subject.gender, "", "", "note")


def pronoun(subject: Subject) -> Subject:
    words = ("ela", "she") if subject.gender == "f" else ("ele", "he")
    return Subject(subject.key, "3s", subject.gender, *words, "pronoun")


def several(rng: random.Random) -> Subject:
    """We, "a gente", or a group."""
    chosen = rng.choice(
        (
            ("nós", "we", "1p", ""), ("", "we", "1p", ""), ("a gente", "we", "3s", "1p"), ("meus pais", "my parents", "3p", ""),
            ("meus amigos", "my friends", "3p", ""), ("as crianças", "the kids", "3p", ""), ("os vizinhos", "the neighbors", "3p", ""),
            ("meus avós", "my grandparents", "3p", ""), ("meus colegas", "my colleagues", "3p", ""), ("eles", "they", "3p", ""),
        )
    )  # fmt: skip
    return Subject(chosen[1], chosen[2], "m", chosen[0], chosen[1], "group", chosen[3])


def somebody(rng: random.Random, lexicon: Mapping[str, list[Entry]]) -> Subject:
    """A named person or a relative."""
    gender = rng.choice("mf")
    if rng.random() < 0.55:
        chosen = rng.choice(lexicon["woman" if gender == "f" else "man"])
        article = "a " if gender == "f" else "o "
        return Subject(chosen.english, "3s", gender, article + chosen.masculine, chosen.english)
    chosen = rng.choice(lexicon["relative_f" if gender == "f" else "relative_m"])
    return Subject(chosen.english, "3s", gender, chosen.masculine, chosen.english)


@dataclass(slots=True)
class Filling:
    """Slot values shared by all sentences about one fact."""

    lexicon: Mapping[str, list[Entry]]
    rng: random.Random
    values: dict[str, Entry] = field(default_factory=dict)

    def get(self, slot: str) -> Entry:
        if slot not in self.values:
            entries = self.lexicon[re.sub(r"\d+$", "", slot)]
            taken = {self.values[k].english for k in self.values if re.sub(r"\d+$", "", k) == re.sub(r"\d+$", "", slot)}
            free = [e for e in entries if e.english not in taken] if taken else entries
            self.values[slot] = self.rng.choice(free)
        return self.values[slot]


SLOT = re.compile(r"\{([a-z_]+\d*)(?::([A-Z]+))?\}")
VERB = re.compile(r"<([\wà-ÿ]+)(?::([A-Z]+))?>")
OWNED = re.compile(r"\[(~?)([^\]]+)\]")
ARTICLES = {"meu": "o", "minha": "a", "meus": "os", "minhas": "as"}
CONTRACTIONS = (
    (r"\b([Dd])e (o|a|os|as|ele|ela|eles|elas) ?\b", r"\1\2 "),
    (r"\b([Ee])m (o|a|os|as|um|uma) \b", lambda m: ("N" if m[1] == "E" else "n") + m[2] + " "),
    (r"\bpor (o|a|os|as) \b", r"pel\1 "),
    (r"\b([Aa]) o \b", r"\1o "),
    (r"\b([Aa]) a \b", lambda m: "À " if m[1] == "A" else "à "),
    (r"\bcom (eu)\b", "comigo"),
)


def render(template: Text, subject: Subject, filling: Filling) -> Text:
    """Both sides of a template, agreeing with the subject, without final punctuation."""
    return portuguese_side(template[0], subject, filling), english_side(template[1], subject, filling)


def portuguese_side(text: str, subject: Subject, filling: Filling) -> str:
    def slot(match: re.Match[str]) -> str:
        name, form = match[1], match[2]
        if name == "s":
            return subject.portuguese
        if name == "se":
            return "me" if subject.person == "1s" else "se"
        value = filling.get(name).portuguese(subject.gender)
        if form:
            head, space, rest = value.partition(" ")
            value = conjugate.portuguese(head, form, subject.person) + space + rest
        return value

    text = OWNED.sub(lambda m: owned_portuguese(m[2], subject, by_pronoun=bool(m[1])), text)
    text = VERB.sub(lambda m: conjugate.portuguese(m[1], m[2] or "P", subject.person), text)
    text = SLOT.sub(slot, text).replace("@", "a" if subject.gender == "f" else "o")
    for pattern, replacement in CONTRACTIONS:
        text = re.sub(pattern, replacement, text)  # type: ignore[arg-type]
    return tidy(text)


def owned_portuguese(phrase: str, subject: Subject, *, by_pronoun: bool) -> str:
    word, _, rest = phrase.partition(" ")
    if subject.kind == "self":
        return phrase
    if subject.kind == "note":
        return rest
    article = ARTICLES[word]
    if by_pronoun or subject.kind == "pronoun":
        return f"{article} {rest} del{'a' if subject.gender == 'f' else 'e'}"
    return f"{article} {rest} de {subject.portuguese}"


def english_side(text: str, subject: Subject, filling: Filling) -> str:
    def slot(match: re.Match[str]) -> str:
        name, form = match[1], match[2]
        if name == "s":
            return subject.english
        value = filling.get(name).english
        return conjugate.english(value, form, subject.spoken) if form else value

    text = OWNED.sub(lambda m: owned_english(m[2], subject, by_pronoun=bool(m[1])), text)
    text = VERB.sub(lambda m: conjugate.english_word(m[1], m[2] or "P", subject.spoken), text)
    return tidy(SLOT.sub(slot, text))


def owned_english(phrase: str, subject: Subject, *, by_pronoun: bool) -> str:
    if subject.kind == "self":
        return phrase
    rest = phrase.removeprefix("my ")
    if subject.kind == "note" and not by_pronoun:
        return rest
    if by_pronoun or subject.kind == "pronoun":
        return ("her " if subject.gender == "f" else "his ") + rest
    return f"{subject.english}'s {rest}"


def tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip(" ,")
    return re.sub(r" ([,.?!;:])", r"\1", text)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
