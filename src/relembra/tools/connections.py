"""What two things known may have to do with each other: a link, a person, a tag, a word or an area they share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType
from relembra.domain.text import fold
from relembra.recall.rendering import quoted

__all__ = ["Connection", "connections", "telling_words"]

WHY = {
    "en": {
        "link": "already noted as related",
        "person": "both have to do with {what}",
        "tag": "both tagged {what}",
        "word": "both mention {what}",
        "area": "both in the area {what}",
    },
    "pt": {
        "link": "já anotadas como relacionadas",
        "person": "ambas têm a ver com {what}",
        "tag": "ambas com a etiqueta {what}",
        "word": "ambas mencionam {what}",
        "area": "ambas na área {what}",
    },
}
_WORTH = {"link": 8, "person": 4, "tag": 3, "word": 2, "area": 1}
_SHORTEST_WORD = 4
_EXPLAINS = frozenset({KnowledgeType.EMOTION, KnowledgeType.INSIGHT, KnowledgeType.GOAL})
_PLAIN_WORDS = """
    about after again also always because been before being between both could does doing during each else even ever
    every from gets going gone have having here into itself just know like likes love loves made make makes many mais
    more most much must myself need needs never only other over really said same says should since some something
    still such than that their them then there these they thing things this those through time today very want wants
    wasnt went were what when where which while with without work works would year years your feel feels felt person
    agora ainda algo alguem algum alguma alguns algumas antes aquela aquele aquilo assim cada coisa coisas como
    comeca comecou contra depois desde deve dela dele delas deles dessa desse desta deste dia dias dizer durante ela
    elas eles entre enquanto essa essas esse esses esta estao estas estava este estes estou fazer fica ficar ficou foi
    foram gosta gosto hoje isso isto mesma mesmo minha minhas muita muitas muito muitos nada nao nossa nosso nunca onde
    outra outras outro outros para pela pelas pelo pelos pessoa pode porque pouco quando quase quem quer sabe seja
    sempre sendo sente seus sobre sinto tambem tanto tem tenho tinha toda todas todo todos trabalha tudo uma umas vai
    vezes voce
    """
_PLAIN = frozenset(_PLAIN_WORDS.split())


@dataclass(frozen=True, slots=True)
class Connection:
    """Two items that may belong together, and the words for why; a suggestion, not a finding."""

    between: tuple[str, str]
    why: str
    score: int


def connections(items: Sequence[KnowledgeItem], *, language: str, limit: int) -> list[Connection]:
    """The strongest of the pairs that share something, each pair once; equal ones in the order given."""
    distinct = list({item.id: item for item in items}.values())
    words = {
        item.id: telling_words(f"{item.value or ''} {item.content}") - telling_words(item.scope.user)
        for item in distinct
    }
    made = []
    for one, other in combinations(distinct, 2):
        shared = _shared(one, other, words[one.id] & words[other.id])
        if shared:
            why = "; ".join(WHY[language][kind].format(what=quoted(what)) for kind, what in shared)
            score = sum(_WORTH[kind] for kind, _ in shared)
            made.append(Connection((one.id, other.id), why, score))
    return sorted(made, key=lambda connection: -connection.score)[:limit]


def telling_words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, folded and without a plural's s."""
    words = re.findall(r"[^\W\d_]+", fold(text))
    return frozenset(word.removesuffix("s") for word in words if len(word) >= _SHORTEST_WORD and word not in _PLAIN)


def _shared(one: KnowledgeItem, other: KnowledgeItem, words: frozenset[str]) -> list[tuple[str, str]]:
    """What two items share, the most telling first, as kind and name.

    An area alone counts only with a feeling, a pattern or a goal, which the other may explain.
    """
    shared: list[tuple[str, str]] = []
    if one.id in other.related or other.id in one.related:
        shared.append(("link", ""))
    people = _people(one, other)
    shared += [("person", name) for name in people]
    tags = {fold(tag): tag for tag in one.tags}
    shared += [("tag", tags[tag]) for tag in sorted(tags.keys() & {fold(tag) for tag in other.tags})]
    named = {word for name in people for word in telling_words(name)}
    shared += [("word", word) for word in sorted(words - named)[:2]]
    if one.area is not None and one.area is other.area and (shared or {one.type, other.type} & _EXPLAINS):
        shared.append(("area", one.area.value))
    return shared


def _people(one: KnowledgeItem, other: KnowledgeItem) -> list[str]:
    """The people one is about and the other is about too, or names."""
    found: dict[str, str] = {}
    for about, elsewhere in ((one, other), (other, one)):
        if about.subject != SELF and _names(elsewhere, about.subject):
            found.setdefault(fold(about.subject), about.subject)
    return list(found.values())


def _names(item: KnowledgeItem, name: str) -> bool:
    wanted = fold(name)
    return fold(item.subject) == wanted or re.search(rf"\b{re.escape(wanted)}\b", fold(item.content)) is not None
