"""The training pairs: InferBR and ASSIN (never their test parts), the encoder's groups, and families of statements.

A family file groups ways to say one thing (`+`), ways to deny it (`-`) and things said near it that are neither (`o`).
`exclusive` families hold one value at a time, `open` ones several, `state` ones none. Held-out families calibrate.
"""

from __future__ import annotations

import csv
import gzip
import io
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.generate.authored import load_groups
from training.judges.grammar import read_slots
from training.judges.messages import CORPUS, LANGUAGES, OPENINGS, held_out, roughened
from training.judges.persons import third_person

__all__ = ["DATA", "Pair", "assin_pairs", "family_pairs", "group_pairs", "inferbr_pairs"]

DATA = Path("training/made/public/pt")
SAME, CONTRADICTS, NEITHER = range(3)
_INFERBR = {"0": CONTRADICTS, "1": SAME, "2": NEITHER}
_DENIAL = re.compile(r"\b(não|nenhum|nenhuma|ninguém|nunca|sem)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    first: str
    second: str
    label: int
    source: str
    language: str
    held_out: bool = False
    weight: float = 1.0


@dataclass(slots=True)
class Family:
    name: str
    kind: str
    slot: str | None
    says: list[str] = field(default_factory=list)
    denies: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)


def inferbr_pairs(part: str) -> list[Pair]:
    """`train`, `val` or `test`; pairs its authors marked as poor are left out of the first two."""
    text = gzip.decompress((DATA / "inferbr" / f"{part}.csv.gz").read_bytes()).decode()
    return [
        Pair(
            first=row["premise"],
            second=row["hypothesis"],
            label=_INFERBR[row["label"]],
            source="inferbr",
            language="pt",
            held_out=part == "val",
        )
        for row in csv.DictReader(io.StringIO(text))
        if part == "test" or row["low_quality"] != "S"
    ]


def assin_pairs() -> list[Pair]:
    """Paraphrases, entailments and clearly unrelated pairs of ASSIN's train parts, at a small weight."""
    pairs = []
    for name in ("assin-ptbr-train", "assin2-train-only"):
        root = ElementTree.fromstring(gzip.decompress((DATA / "assin" / f"{name}.xml.gz").read_bytes()))
        for pair in root.iter("pair"):
            first, second = (pair.findtext("t") or "").strip(), (pair.findtext("h") or "").strip()
            similarity, entailment = float(pair.get("similarity", "0")), pair.get("entailment")
            if entailment in ("Paraphrase", "Entailment") and similarity >= 4:
                label = SAME
            elif (
                entailment == "None" and similarity <= 3 and bool(_DENIAL.search(first)) == bool(_DENIAL.search(second))
            ):
                label = NEITHER
            else:
                continue
            pairs.append(Pair(first=first, second=second, label=label, source="assin", language="pt", weight=0.25))
    return pairs


def group_pairs(count: int, *, seed: int = 13) -> list[Pair]:
    """Of the groups written for the encoder: a fact in other words is the same, a near miss is neither."""
    rng = random.Random(seed)
    pairs = []
    for group in load_groups():
        if not group.name.startswith("told") or len(group.told) < 2:
            continue
        for side, language in enumerate(LANGUAGES):
            fact, again = group.told[0][side], group.told[1][side]
            near = rng.choice(group.misses)[side]
            for first, second, label in ((fact, again, SAME), (rng.choice((fact, again)), near, NEITHER)):
                pair = Pair(first=first, second=second, label=label, source="groups", language=language, weight=0.5)
                pairs.append(pair)
    rng.shuffle(pairs)
    return pairs[:count]


def family_pairs(count: int, *, seed: int = 11) -> list[Pair]:
    """About `count` pairs a language and label, and a tenth as many between the languages."""
    rng = random.Random(seed)
    made: dict[tuple[str, str], Pair] = {}
    families = {language: _read(CORPUS / f"families.{language}.txt") for language in LANGUAGES}
    slots = {language: _slots(language) for language in LANGUAGES}
    for language in LANGUAGES:
        for label in (SAME, CONTRADICTS, NEITHER):
            for _ in range(count):
                family = rng.choice(families[language])
                texts = _texts(label, family, families[language], slots[language], rng)
                if texts and texts[0] != texts[1]:
                    pair = _pair(texts, label, family, language, rng)
                    made[pair.first, pair.second] = pair
    by_name = {family.name: family for family in families["en"]}
    for _ in range(count // 3):
        family = rng.choice([family for family in families["pt"] if family.slot in (None, "nome", "num", "idade")])
        other = by_name[family.name]
        label = rng.choice((SAME, CONTRADICTS))
        value = rng.choice(slots["pt"][family.slot]) if family.slot else ""
        denied = other.denies if label == CONTRADICTS else other.says
        if denied and family.says:
            texts = (_filled(rng.choice(family.says), value), _filled(rng.choice(denied), value, value))
            pair = _pair(texts, label, family, "both", rng)
            made[pair.first, pair.second] = pair
    return list(made.values())


def _texts(
    label: int, family: Family, families: Sequence[Family], slots: dict[str, list[str]], rng: random.Random
) -> tuple[str, str] | None:
    value, other = rng.sample(slots[family.slot], 2) if family.slot else ("", "")
    if label == SAME:
        one, two = rng.sample(family.says, 2)
        return _filled(one, value, other), _filled(two, value, other)
    if label == CONTRADICTS:
        if family.denies and (family.kind != "exclusive" or rng.random() < 0.4):
            return _filled(rng.choice(family.says), value), _filled(rng.choice(family.denies), value, other)
        if family.kind == "exclusive":
            return _filled(rng.choice(family.says), value), _filled(rng.choice(family.says), other)
        return None
    chance = rng.random()
    if chance < 0.4 and family.near:
        return _filled(rng.choice(family.says), value), _filled(
            rng.choice(family.near), rng.choice([value, value, other])
        )
    if chance < 0.65 and family.kind == "open":
        return _filled(rng.choice(family.says), value), _filled(rng.choice(family.says), other)
    plain = [text for text in family.denies if "{v}" in text and "{w}" not in text]
    if chance < 0.75 and family.kind != "state" and plain:
        return _filled(rng.choice(family.says), value), _filled(rng.choice(plain), other)
    stranger = rng.choice(
        [one for one in families if one.name != family.name and held_out(one.name) == held_out(family.name)]
    )
    if {stranger.name, family.name} in _KINDRED:
        return None
    second = rng.choice(slots[stranger.slot]) if stranger.slot else ""
    return _filled(rng.choice(family.says), value), _filled(rng.choice(stranger.says), second)


# Families that say or deny each other: left out when strangers are wanted.
_KINDRED = (
    {"food", "dislike"}, {"food", "favfood"}, {"kids", "kidcount"}, {"kids", "son"}, {"married", "dating"},
    {"job", "unemployed"}, {"company", "unemployed"}, {"havedog", "petname"}, {"music", "band"}, {"sport", "gym"},
    {"vegetarian", "food"}, {"drink", "alcohol"}, {"drink", "coffee"}, {"rent", "owns"}, {"hobby", "sport"},
    {"married", "wedding"}, {"dating", "wedding"}, {"kids", "pregnant"}, {"company", "job"}, {"drive", "car"},
    {"job", "study"}, {"goal", "drive"}, {"goal", "smoke"}, {"goal", "kids"}, {"remote", "company"},
    {"illness", "insomnia"}, {"jobfeel", "unemployed"}, {"remote", "unemployed"}, {"morning", "wake"},
    {"moveplan", "goal"}, {"pool", "sport"}, {"twojobs", "unemployed"}, {"kids", "sonbirth"}, {"crowd", "hobby"},
    {"illness", "diabetes"}, {"instrument", "hobby"}, {"instrument", "study"}, {"kids", "schoolkid"},
    {"budget", "saver"},
    {"religion", "job"}, {"age", "birthday"}, {"vegetarian", "favfood"}, {"goal", "married"}, {"goal", "study"},
)  # fmt: skip


def _pair(texts: tuple[str, str], label: int, family: Family, language: str, rng: random.Random) -> Pair:
    rough = []
    spoken_of = rng.random() < 0.5
    female = rng.random() < 0.5
    for text in texts:
        speech = "en" if language == "en" or (language == "both" and text is texts[1]) else "pt"
        if spoken_of:
            told = third_person(text, speech, rng, female=female)
            rough.append(told + "." if rng.random() < 0.6 else told)
            continue
        opened = rng.choice(OPENINGS[speech][:10]) + text if rng.random() < 0.08 else text
        rough.append(roughened(opened, speech, rng) if rng.random() < 0.5 else opened)
    if rng.random() < 0.5:
        rough.reverse()
    return Pair(
        first=rough[0],
        second=rough[1],
        label=label,
        source="families",
        language=language,
        held_out=held_out(family.name),
    )


def _filled(template: str, value: str, other: str = "") -> str:
    return template.replace("{v}", value).replace("{w}", other)


def _slots(language: str) -> dict[str, list[str]]:
    slots = read_slots(CORPUS / f"slots.{language}.txt")
    plain = {}
    for name, values in slots.items():
        cleaned = [re.sub(r" @\w+", "", value) for value in values]
        plain[name] = [value for value in cleaned if "{" not in value]
    return plain


def _read(path: Path) -> list[Family]:
    families: list[Family] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "#":
            name, kind, *slot = rest.split()
            families.append(Family(name, kind, slot[0] if slot else None))
        elif rest:
            {"+": families[-1].says, "-": families[-1].denies, "o": families[-1].near}[mark].append(rest)
    return families
