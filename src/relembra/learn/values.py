"""When two values say the same: spelling, gender, units and the names of a few states put aside."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from relembra.domain.knowledge import FORMER
from relembra.domain.text import fold
from relembra.learn import WORDS, pattern

_MARKS = re.compile(r"[^\w\s:/+-]|(?<!\d)[:/+-]|[:/+-](?!\d)")
_NUMBER = re.compile(r"\d{1,12}(?:[.,:h]\d{1,12})*")
_TOLD: dict[str, Any] = WORDS["values"]
_SMALL = frozenset(" ".join(_TOLD["small"]).split())
_STATES = {word: name for name, words in _TOLD["states"].items() for word in words.split()}
_UNITS = [(re.compile(rf"\d\s*{name}\b"), size) for name, size in _TOLD["units"].items()]
_AT_ODDS = [tuple(frozenset(words.split()) for words in pair) for pair in _TOLD["at_odds"]]
_AGAINST, _DENIED, _AFTER_NOON = pattern("against"), pattern("denied"), pattern("after_noon")
_HOURS = frozenset({"wake_time", "bedtime"})
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_SIGNS = ((re.compile(r"(?<=\w)\+{1,2}(?!\w)"), "plus"), (re.compile(r"(?<=\w)#(?!\w)"), "sharp"))
_BLOOD = re.compile(r"(?:tip[oe] |type )?(ab|a|b|o)\s*(?:rh\s*)?(\+|-|pos(?:itiv\w*)?|neg(?:ativ\w*)?)")
_FEET = re.compile(r"(\d)\s*(?:['’′]|ft|feet|foot|pes?)\s*(\d{1,2})?")
HEAD = 4  # letters in which the forms of a word agree

_MEASURED = frozenset({"age", "weight", "height", "wake_time", "bedtime", "salary", "children"})


def words_in(text: str) -> list[str]:
    """Every word of a text as it stands, but for case and accents."""
    return re.findall(r"\w+", fold(text))


@lru_cache(maxsize=64)  # one value is compared with many
def words_of(value: str) -> frozenset[str]:
    """The words that carry a value, in one form for both genders, plurals and languages where that is known."""
    text = fold(value)
    if (blood := _BLOOD.fullmatch(text.strip(" ."))) is not None:
        return frozenset({f"{blood[1]}{'+' if blood[2][0] in '+p' else '-'}"})
    for sign, word in _SIGNS:
        text = sign.sub(word, text)
    plain = _MARKS.sub(" ", text).split()
    kept = [word for word in plain if word not in _SMALL] or plain
    return frozenset(_STATES.get(word) or _stem(word) for word in kept)


def same(attribute: str | None, one: str | None, other: str | None) -> bool:
    """Whether two values of an attribute are the same thing said twice."""
    if one is None or other is None:
        return False
    if fold(one) == fold(other):
        return True
    if (attribute or "").removeprefix(FORMER) in _MEASURED:
        mine, theirs = (_amount((attribute or "").removeprefix(FORMER), fold(value)) for value in (one, other))
        if mine is not None and theirs is not None:
            return mine == theirs
    return words_of(one) == words_of(other) and not turned_round(one, other)


def at_odds(one: str, other: str) -> bool:
    """Whether two sentences differ in a word that turns the sense: buying and selling, mornings and evenings."""
    mine, theirs = (frozenset(words_in(text)) for text in (one, other))
    only_mine, only_theirs = mine - theirs, theirs - mine
    return any(
        (only_mine & first and only_theirs & second) or (only_mine & second and only_theirs & first)
        for first, second in _AT_ODDS
    )


def denies(value: str | None) -> bool:
    """Whether a value says what is not: there, more words say less ("no red meat" is not "no meat" more exactly)."""
    return value is not None and _DENIED.match(fold(value)) is not None


def turned_round(one: str | None, other: str | None) -> bool:
    """Whether the same words are put against one another the other way round: "tea to coffee", "coffee to tea"."""
    sides = [_AGAINST.split(fold(text or ""), maxsplit=1) for text in (one, other)]
    if any(len(parts) < 2 for parts in sides):
        return False
    (first, second), (third, fourth) = (tuple(words_of(part) for part in parts) for parts in sides)
    return first != third and (first, second) == (fourth, third)


def names(attribute: str | None, held: str | None, said: str | None) -> bool:
    """Whether what was said names the value held: the same, or its beginning or a part that tells ("Recife, PE")."""
    if held is None or said is None:
        return False
    if same(attribute, held, said):
        return True
    mine, theirs = words_of(held), words_of(said)
    return bool(mine and theirs) and (mine <= theirs or theirs <= mine)


def overlap(one: str, other: str) -> float:
    """How much of the shorter one's words the other has too, in whatever form ("pass", "passed"), 0 to 1."""
    fewer, more = sorted((words_of(one), words_of(other)), key=len)
    if not fewer:
        return 0.0
    heads = {word[:HEAD] for word in more}
    return sum(word in more or (len(word) >= HEAD and word[:HEAD] in heads) for word in fewer) / len(fewer)


def _stem(word: str) -> str:
    """A word without the endings of gender and number; short ones and figures stay."""
    if len(word) <= 3 or not word.isalpha():
        return word
    bare = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    return bare[:-1] if len(bare) > 3 and bare[-1] in "aoe" else bare


def _amount(attribute: str, text: str) -> float | None:
    """The first figure of a value as a number: hours for times of day, else with thousands and units put aside."""
    found = _NUMBER.search(text)
    if found is None:
        return None
    if attribute == "height" and (feet := _FEET.search(text)) is not None:
        return round((int(feet[1]) * 12 + int(feet[2] or 0)) * 0.0254, 3)
    if attribute in _HOURS:
        hours, minutes = (*map(int, re.split(r"\D", found[0])[:2]), 0)[:2]
        return (hours + 12 if hours < 12 and _AFTER_NOON.search(text) else hours) + minutes / 60
    plain = re.sub(r"[.,:h]", "", found[0]) if _THOUSANDS.fullmatch(found[0]) else found[0].replace(",", ".")
    number = float(re.match(r"\d+(?:\.\d+)?", plain)[0])  # type: ignore[index]  # it begins with a figure
    unit = next((size for name, size in _UNITS if name.search(text)), 1.0)
    return round(number * unit, 3)
