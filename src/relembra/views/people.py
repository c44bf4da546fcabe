"""The people and pets of someone's life, put together from everything said about each."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from functools import cache
from pathlib import Path

from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType
from relembra.domain.text import fold
from relembra.recall.rendering import against, told
from relembra.views.timeline import Birthday, by_importance, held, read_birthday


class Closeness(IntEnum):
    """How near someone stands, the nearest first."""

    FAMILY = 1
    PARTNER = 2
    FRIENDS = 3
    PETS = 4
    WORK = 5
    OTHER = 6


@dataclass(frozen=True, slots=True)
class Tie:
    """One kind of tie; `single`: whoever knows one such person usually means that one."""

    key: str
    closeness: Closeness
    single: bool = True


_ENDED = re.compile(r"\b(ex|former|antig[oa]|falecid[oa]|late)\b")
_OWNED = re.compile(r"^(minhas?|meus?|my|our|noss[oa]s?|a|o|the)\s+")
_KIN_TITLES = frozenset(
    {"tia", "titia", "tio", "titio", "vó", "vô", "vo", "vovó", "vovô", "vovo", "prima", "primo"}
    | {"aunt", "auntie", "uncle", "grandma", "grandpa", "granny", "cousin"}
)
_NAMES_TOO = frozenset({"Nora", "Neto"})  # with a capital they are names


@cache
def _ties() -> dict[str, Tie]:
    """The tie each word is for; read on first use."""
    data = tomllib.loads(Path(__file__).with_name("ties.toml").read_text(encoding="utf-8"))
    return {
        word: Tie(key.rstrip("*"), Closeness[closeness.upper()], single=not key.endswith("*"))
        for closeness, ties in data.items()
        for key, words in ties.items()
        for word in words.split()
    }


def tie_of(relation: str) -> Tie | None:
    """The tie that words for one name ("irmã mais velha", "best friend", "mother in law"); None for others.

    Someone of the past ("ex-marido") is close no longer, and is no one else's mother or wife.
    """
    small = relation.casefold().replace(" in law", "-in-law").replace("-in-laws", "-in-law")
    for word in re.findall(r"\w+(?:-\w+)*", small):
        if tie := _tie_named(word):
            ended = _ENDED.search(fold(small)) is not None
            return Tie(f"ex {tie.key}", Closeness.OTHER, single=False) if ended else tie
        if tie := _tie_named(word.removeprefix("ex-")):
            return Tie(f"ex {tie.key}", Closeness.OTHER, single=False)
    return None


def bare_tie(subject: str) -> Tie | None:
    """The tie a subject consists of when no one said a name: "mãe", "minha mãe", "Dog"; None for a name."""
    if subject in _NAMES_TOO:
        return None
    return _tie_named(_OWNED.sub("", subject.casefold().strip()))


def words_for(tie: Tie) -> list[str]:
    """The words for one tie, in both languages."""
    return [word for word, other in _ties().items() if other == tie]


def tie_in_name(name: str) -> str | None:
    """The tie a name begins with: "tia" of "Tia Rosa"."""
    first, _, rest = name.casefold().partition(" ")
    return first if rest and first in _KIN_TITLES else None


def _tie_named(word: str) -> Tie | None:
    """By the word as written, for avó and avô differ by an accent only, and then without accents."""
    return _ties().get(word) or _ties().get(fold(word))


_OWN_FIELDS = frozenset({"name", "relation", "birthday"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Someone in the owner's life: their name (or the tie, while no one said one), and all that is held of them."""

    name: str
    relation: str | None  # as the owner says it: "irmã", "best friend"
    facts: tuple[str, ...]  # the most important first, without the tie and the birthday
    birthday: Birthday | None
    items: tuple[KnowledgeItem, ...]  # all it was put together from: ties first, then the most important

    @property
    def closeness(self) -> Closeness:
        tie = tie_of(self.relation or "")
        return Closeness.OTHER if tie is None else tie.closeness


def people(items: Iterable[KnowledgeItem], *, now: datetime, speaker: str | None = None) -> tuple[Person, ...]:
    """Everyone the owner spoke of, the closest first and then by name; what others claimed about them is left out.

    "Mãe" and "Maria" are one when something says that Maria is the mother, and there is only one.
    """
    return put_together(held(items, now, speaker=speaker))


def put_together(current: Iterable[KnowledgeItem]) -> tuple[Person, ...]:
    """The same from what is held and claimed by no one else, in the order of `held`."""
    groups: dict[str, list[KnowledgeItem]] = defaultdict(list)
    for item in current:
        if (name := _name(item)) is not None:
            groups[_key(name)].append(item)
    _join_aliases(groups)
    made = [_person(group) for group in groups.values()]
    return tuple(
        sorted(made, key=lambda person: (person.closeness, person.relation is None, fold(person.name), person.name))
    )


def _name(item: KnowledgeItem) -> str | None:
    """Whom an item is about, by the best name it gives; None when it is about the owner alone."""
    if item.subject != SELF and bare_tie(item.subject) is None:
        return item.subject
    named = item.person.get("name")
    if named and (item.type is KnowledgeType.PERSON or item.subject != SELF):
        return named
    return None if item.subject == SELF else item.subject


def _key(name: str) -> str:
    """What people are told apart by: the folded name, or the tie where there is no name."""
    tie = bare_tie(name)
    return f"tie:{tie.key}" if tie is not None else fold(name)


def _join_aliases(groups: dict[str, list[KnowledgeItem]]) -> None:
    """Give what was said of "the mother" to the one who is known by name to be her."""
    named: dict[str, list[str]] = defaultdict(list)
    for key, group in groups.items():
        if not key.startswith("tie:") and (tie := tie_of(_relation(group) or "")) is not None:
            named[tie.key].append(key)
    for key in [key for key in groups if key.startswith("tie:")]:
        group = groups[key]
        tie = bare_tie(group[0].subject)
        told = next((item.value for item in group if item.attribute == "name" and item.value), None)
        if told is not None and bare_tie(told) is None:
            groups[_key(told)].extend(groups.pop(key))
        elif tie is not None and tie.single and len(named[tie.key]) == 1:
            groups[named[tie.key][0]].extend(groups.pop(key))


def _relation(group: Sequence[KnowledgeItem]) -> str | None:
    """How the owner calls the tie: as stated, as a word stood for the name, or as the name begins."""
    for item in sorted(group, key=by_importance):
        if item.attribute == "relation" and item.value:
            return item.value
        if item.person.get("relation"):
            return item.person["relation"]
    for item in sorted(group, key=by_importance):
        if item.subject != SELF and bare_tie(item.subject) is not None:
            return item.subject
    return next((tie for item in group if (tie := tie_in_name(item.subject)) is not None), None)


def _person(group: Sequence[KnowledgeItem]) -> Person:
    ordered = sorted(group, key=lambda item: (not _is_tie(item), by_importance(item)))
    return Person(
        name=_called(ordered),
        relation=_relation(ordered),
        facts=_facts(ordered),
        birthday=next((day for item in ordered if (day := _birthday(item)) is not None), None),
        items=tuple(ordered),
    )


def _is_tie(item: KnowledgeItem) -> bool:
    return item.attribute == "relation" or (item.type is KnowledgeType.PERSON and item.attribute is None)


def _called(group: Sequence[KnowledgeItem]) -> str:
    """The name; a tie only while no item gives a name."""
    names = [name for item in group if (name := _name(item)) is not None]
    names += [item.value for item in group if item.attribute == "name" and item.value]
    return next((name for name in names if bare_tie(name) is None), names[0])


def _facts(group: Sequence[KnowledgeItem]) -> tuple[str, ...]:
    said = [told(item, item.language) for item in group if not _is_tie(item) and item.attribute not in _OWN_FIELDS]
    newer = [doubt for item in group if _is_tie(item) and (doubt := against(item, item.language))]
    noted = [
        f"{field}: {value}"
        for item in group
        for field, value in sorted(item.person.items())
        if field not in _OWN_FIELDS
    ]
    return tuple(dict.fromkeys([*newer, *said, *noted]))


def _birthday(item: KnowledgeItem) -> Birthday | None:
    noted = item.person.get("birthday")
    if noted and (day := read_birthday(noted, language=item.language)) is not None:
        return day
    if item.attribute != "birthday":
        return None
    texts = [item.content] if item.value is None else [item.value, item.content]
    return next((day for text in texts if (day := read_birthday(text, language=item.language)) is not None), None)
