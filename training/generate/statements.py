"""Everyday statements and questions from verb phrases put through tenses and frames."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from .conjugate import english_word, portuguese
from .facts import Example, finished
from .grammar import Filling, Subject, Text, capital, myself, render, several, somebody
from .lexicon import Entry

HERE = Path(__file__).parent
Phrase = tuple[str, str, str, str]  # Portuguese infinitive, rest, English base, rest

# V/R: Portuguese verb and rest; E/F: English verb and rest. Weighted by repetition.
FRAMES: Sequence[Text] = (
    *[("{s} <V:T> R {tpast}", "{s} <E:T> F {tpast}")] * 6,
    *[("{s} <V:T> R {why}", "{s} <E:T> F {why}")] * 3,
    *[("{s} não <V:T> R {tpast}", "{s} didn't E F {tpast}")] * 2,
    ("{s} não <V:T> R {why}", "{s} didn't E F {why}"),
    *[("{s} <V> R {thab}", "{s} <E> F {thab}")] * 3,
    ("{s} não <V> mais R", "{s} no longer <E> F"),
    ("{s} nunca <V:T> R", "{s} <have> never E:PP F"),
    *[("{s} <ir> V R {tfut}", "{s} <be> going to E F {tfut}")] * 2,
    ("{s} <estar> V:G R", "{s} <be> E:G F"),
    ("{s} <costumar:I> V R", "{s} used to E F"),
    ("{s} <querer> V R {tfut}", "{s} <want> to E F {tfut}"),
    ("{s} <precisar> V R {tfut}", "{s} <need> to E F {tfut}"),
    ("{s} <ter> que V R {tfut}", "{s} <have> to E F {tfut}"),
    ("{s} <gostar> de V R", "{s} <like> to E F"),
    ("{s} <odiar> V R", "{s} <hate> to E F"),
    ("{s} <preferir> V R", "{s} <prefer> to E F"),
    ("{s} <começar:T> a V R {tpast}", "{s} started to E F {tpast}"),
    ("{s} <parar:T> de V R {tpast}", "{s} stopped E:G F {tpast}"),
    ("{s} <conseguir:T> V R", "{s} managed to E F"),
    ("{s} <decidir:T> V R {tpast}", "{s} decided to E F {tpast}"),
    ("{s} <tentar:T> V R {tpast}", "{s} tried to E F {tpast}"),
    ("{s} <esquecer:T> de V R {tpast}", "{s} forgot to E F {tpast}"),
    ("{s} <pretender> V R {tfut}", "{s} <intend> to E F {tfut}"),
    ("{s} <sonhar> em V R", "{s} <dream> of E:G F"),
    ("{s} <evitar> V R", "{s} <avoid> E:G F"),
    ("{s} <acabar> de V R", "{s} just <E:T> F"),
    ("{s} <ter> medo de V R", "{s} <be> afraid of E:G F"),
    ("{s} <sentir> falta de V R", "{s} <miss> E:G F"),
    ("{s} <estar> pensando em V R", "{s} <be> thinking about E:G F"),
)
ASKED: Sequence[tuple[Text, Text]] = (
    (("quando {s} <V:T> R", "when did {s} E F"), ("{s} <V:T> R {tpast}", "{s} <E:T> F {tpast}")),
    (("por que {s} <V:T> R", "why did {s} E F"), ("{s} <V:T> R {why}", "{s} <E:T> F {why}")),
    (("o que {s} <fazer:T> {tpast}", "what did {s} do {tpast}"), ("{s} <V:T> R {tpast}", "{s} <E:T> F {tpast}")),
    (("{s} já <V:T> R", "<have> {s} ever E:PP F"), ("{s} <V:T> R {tpast}", "{s} <E:T> F {tpast}")),
    (("{s} <costumar> V R", "<do> {s} usually E F"), ("{s} <V> R {thab}", "{s} <E> F {thab}")),
    (
        ("o que {s} <ir> fazer {tfut}", "what <be> {s} going to do {tfut}"),
        ("{s} <ir> V R {tfut}", "{s} <be> going to E F {tfut}"),
    ),
)


def load_phrases(path: Path = HERE / "lexicon" / "verb_phrases.txt") -> list[Phrase]:
    lines = path.read_text(encoding="utf8").splitlines()
    rows = [
        tuple(part.strip() for part in line.split("|")) for line in lines if line.count("|") == 3 and line[0] != "#"
    ]
    return [row for row in rows if len(row) == 4]


def framed(frame: Text, phrase: Phrase) -> Text:
    """A frame with a verb phrase put in: still a template for the grammar."""
    verb, rest, base, more = phrase
    head, _, tail = base.partition(" ")
    left = frame[0].replace("V:G", portuguese(verb, "G", "1s"))
    left = left.replace("<V:T>", f"<{verb}:T>").replace("<V>", f"<{verb}>")
    left = " ".join(rest if w == "R" else verb if w == "V" else w for w in left.split())
    right = (
        frame[1]
        .replace("E:PP", f"{english_word(head, 'PP', '1s')} {tail}")
        .replace("E:G", f"{english_word(head, 'G', '1s')} {tail}")
    )
    right = right.replace("<E:T>", f"<{head}:T> {tail}").replace("<E>", f"<{head}> {tail}")
    return left, " ".join(more if w == "F" else base if w == "E" else w for w in right.split())


class StatementWriter:
    def __init__(self, phrases: Sequence[Phrase], lexicon: Mapping[str, list[Entry]], rng: random.Random) -> None:
        self.phrases, self.lexicon, self.rng = phrases, lexicon, rng

    def subject(self) -> Subject:
        chance = self.rng.random()
        if chance < 0.45:
            return myself(self.rng)
        return several(self.rng) if chance < 0.6 else somebody(self.rng, self.lexicon)

    def statement(self) -> Text:
        template = framed(self.rng.choice(FRAMES), self.rng.choice(self.phrases))
        return finished(render(template, self.subject(), Filling(self.lexicon, self.rng)), self.rng)

    def example(self) -> Example:
        rng = self.rng
        at = rng.randrange(len(self.phrases))
        number = rng.randrange(len(ASKED))
        asked, told = ASKED[number]
        subject, filling = self.subject(), Filling(self.lexicon, rng)
        statement = finished(render(framed(told, self.phrases[at]), subject, filling), rng)
        question = render(framed(asked, self.phrases[at]), subject, filling)
        same = rng.random() < 0.5
        other = somebody(rng, self.lexicon) if same else subject
        phrase = self.phrases[at] if same else rng.choice(self.phrases)
        negative = finished(render(framed(told, phrase), other, Filling(self.lexicon, rng, dict(filling.values))), rng)
        again = finished(render(framed(told, self.phrases[at]), subject, filling), rng)
        open_question = number in (2, 5)
        return Example(
            f"do{number}" if open_question else f"vp{at}",
            subject.key,
            (capital(question[0]) + "?", capital(question[1]) + "?"),
            statement,
            again,
            negative,
        )
