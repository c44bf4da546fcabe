"""Why something was decided, in the reader's language: the rules' own words are few, and each has a sentence here."""

from __future__ import annotations

import re

from relembra.domain.attributes import FAVORITE, FORMER
from relembra.interfaces.cli.words import Words

_AFTER_COMMA = {
    "but the person had confirmed the earlier one": "reason.but_confirmed",
    "but the person had confirmed it": "reason.but_confirmed",
    "but only by inference": "reason.but_inferred",
}
_WHOLE = {
    "known already": "reason.known",
    "new": "reason.new",
    "the taste turned": "reason.taste",
    "goal completed": "reason.goal_completed",
    "goal dropped": "reason.goal_dropped",
    "they disagree and no rule covers it": "reason.disagree",
    "the person said which": "reason.person",
    "confirmed by the person": "reason.confirmed",
    "more certain": "reason.more_certain",
    "newer": "reason.newer",
    "keep new": "outcome.new",
    "keep old": "outcome.old",
    "keep both": "outcome.both",
    "keep neither": "outcome.neither",
}
_ABOUT = (
    (re.compile(r"(\w+) changed"), "reason.changed"),
    (re.compile(r"an? later (\w+)"), "reason.later"),
    (re.compile(r"an? earlier (\w+)"), "reason.earlier"),
    (re.compile(r"(\w+) cannot change, so one of the two is wrong"), "reason.fixed"),
    (re.compile(r"(\w+) has two values and no rule covers it"), "reason.two_values"),
    (re.compile(r"(\w+) said more exactly"), "reason.exact"),
    (re.compile(r"(\w+) is over"), "reason.over"),
)
_OPPOSITE = "an opposite taste, but the earlier one is "


def reason(words: Words, why: str) -> str:
    """A recorded reason; what a person or a model wrote stays as it is."""
    return "; ".join(_one(words, part) for part in why.split("; "))


def attribute(words: Words, name: str | None) -> str:
    """What an attribute is called: "former residence" too, and "favourite colour" as far as it is known."""
    if name is None:
        return ""
    for mark, key in ((FORMER, "attribute.former"), (FAVORITE, "attribute.favorite")):
        if name.startswith(mark) and len(name) > len(mark):
            return words(key, name=attribute(words, name.removeprefix(mark)))
    return words.name("attribute", name).replace("_", " ")


def _one(words: Words, why: str) -> str:
    if why in _WHOLE:
        return words(_WHOLE[why])
    if why.startswith(_OPPOSITE):
        return words("reason.opposite", why=_one(words, why.removeprefix(_OPPOSITE)))
    for pattern, key in _ABOUT:
        if found := pattern.fullmatch(why):
            return words(key, attribute=attribute(words, found[1]))
    first, _, rest = why.partition(", ")
    if rest in _AFTER_COMMA:
        return f"{_one(words, first)}, {words(_AFTER_COMMA[rest])}"
    return why
