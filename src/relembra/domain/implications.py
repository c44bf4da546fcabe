"""What follows from what: a few plain states, in Portuguese and English, where saying one says another as well.

Only a statement that says nothing but the state counts: "doesn't eat meat" does, "doesn't eat meat on Fridays" not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from relembra.domain.attributes import FORMER
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.text import fold

NARROWER: dict[str, tuple[str, ...]] = {
    "vegan": ("vegetarian", "no_dairy", "no_eggs"),
    "vegetarian": ("no_meat", "no_fish", "dislikes_meat"),
    "pescatarian": ("no_meat",),
    "no_meat": ("no_red_meat", "no_pork"),
    "coeliac": ("no_gluten",),
    "teetotal": ("no_beer", "no_wine"),
}
"""A state and those that follow from it at once."""

_NOT = r"(?:does not|do not|doesnt|dont|never|no longer)"
_EATS = (
    rf"(?:no|sem|(?:{_NOT}|cannot|can not|cant) (?:eats?|touch(?:es)?)|(?:has )?(?:stopped|quit) eating"
    r"|nao (?:com[eo]|pode comer|posso comer)|nunca com[eo]|(?:parou|parei) de comer)"
)
_DRINKS = (
    rf"(?:no|sem|{_NOT} drinks?|(?:has )?(?:stopped|quit) drinking"
    r"|nao beb[eo]|nunca beb[eo]|(?:parou|parei) de beber)"
)
_DISLIKES = r"(?:(?:does not|do not|doesnt|dont) like|dislikes?|hates?|nao gost[ao] de|odei[ao]|detest[ao])"
_ANY = r"(?: (?:any|nenhum|nenhuma))?"
_ALL = r"(?: (?:at all|de jeito nenhum|nem de nenhum tipo))?"

PHRASES: dict[str, str] = {
    "vegan": r"(?:an? )?(?:vegan|vegan[oa])",
    "vegetarian": r"(?:an? )?(?:vegetarian|vegetarian[oa])",
    "pescatarian": r"(?:an? )?(?:pescatarian|pescetarian|pescetarian[oa]|piscetarian[oa])",
    "no_meat": rf"{_EATS}{_ANY} (?:meat|carnes?){_ALL}",
    "no_red_meat": rf"{_EATS}{_ANY} (?:red meat|carnes? vermelhas?){_ALL}",
    "no_pork": rf"{_EATS}{_ANY} (?:pork|porco|carne de porco){_ALL}",
    "no_fish": rf"{_EATS}{_ANY} (?:fish|peixes?){_ALL}",
    "no_eggs": rf"{_EATS}{_ANY} (?:eggs?|ovos?){_ALL}",
    "no_dairy": rf"{_EATS}{_ANY} (?:dairy|laticinios){_ALL}",
    "dislikes_meat": rf"{_DISLIKES} (?:meat|carnes?){_ALL}",
    "coeliac": r"(?:an? )?(?:coeliac|celiac|celiac[oa])|(?:has|have|tem|tenho) (?:coeliac|celiac)(?: disease)?"
    r"|(?:tem|tenho) doenca celiaca",
    "no_gluten": rf"{_EATS}{_ANY} gluten{_ALL}",
    "teetotal": r"(?:an? )?(?:teetotal(?:l?er)?|abstemi[oa])"
    rf"|{_DRINKS}{_ANY} (?:alcohol|alcool|bebidas? alcoolicas?){_ALL}|{_NOT} drink|nao beb[eo]",
    "no_beer": rf"{_DRINKS}{_ANY} (?:beer|cervejas?){_ALL}",
    "no_wine": rf"{_DRINKS}{_ANY} (?:wine|vinhos?){_ALL}",
    "no_smoke": rf"(?:an? )?non-?smoker|{_NOT} smokes?|(?:has )?(?:stopped|quit) smoking"
    r"|nao fum[ao]|nao (?:e|sou) fumante|(?:parou|parei) de fumar",
}
"""How each state is said, folded and without marks; a state may be its own and only member."""

_STATES = re.compile("|".join(f"(?P<{state}>{phrase})" for state, phrase in PHRASES.items()))
_LONGEST = 80  # characters; whoever says more says more than a state
_MARKS = re.compile(r"[^\w\s-]")
_OPENING = re.compile(
    r"(?:(?:i|he|she|they|ele|ela|eu|the user|o usuario|a usuaria) )?"
    r"(?:(?:am|is|are|im|hes|shes|e|sou|eh|diet|dieta) )?"
)


def state_of(text: str, subject: str = "") -> str | None:
    """The state a statement is of, where it says just that; a subject's name may open it ("Clara is vegan")."""
    if len(text) > _LONGEST:
        return None
    plain = " ".join(_MARKS.sub("", fold(text)).split())
    name = fold(subject)
    if name and plain.startswith(f"{name} "):
        plain = plain[len(name) + 1 :]
    said = _OPENING.match(plain)
    bare = plain[said.end() :] if said else plain
    found = _STATES.fullmatch(bare)
    return None if found is None else found.lastgroup


def state(item: KnowledgeItem) -> str | None:
    """The plain state it tells of, by its words or its value."""
    if item.attribute is not None and item.attribute.startswith(FORMER):
        return None
    said = state_of(item.content, item.subject)
    if said is None and item.attribute == "diet" and item.value is not None:
        return state_of(item.value)
    return said


@lru_cache(maxsize=64)
def implied(state: str) -> frozenset[str]:
    """Every state that follows from one, itself not among them."""
    found: set[str] = set()
    waiting = list(NARROWER.get(state, ()))
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += NARROWER.get(one, ())
    return frozenset(found)


def agree(one: KnowledgeItem, other: KnowledgeItem) -> bool:
    """Whether two items tell the same state, or one that follows from the other."""
    first, second = state(one), state(other)
    if first is None or second is None:
        return False
    return first == second or second in implied(first) or first in implied(second)
