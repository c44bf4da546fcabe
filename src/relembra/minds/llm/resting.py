"""Whether a text a model wrote rests on what it was given: no name, number or matter that does not stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from relembra.domain.text import fold
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.flat import listed
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.names import find_names
from relembra.minds.offline.sentences import split_sentences

__all__ = ["borne_out", "strays"]

_ANALYZER = BilingualAnalyzer()
_LIGHT = listed(
    "currently now recently today already always usually often also still really very lot new old name called person "
    "user speaker says said told mentioned something someone thing things has have had get got be is was does goes "
    "takes uses makes gets years year ago since works work working job lives live living residing based city "
    "atualmente agora recentemente hoje sempre geralmente muito novo nova nome chama pessoa usuario disse contou falou "
    "algo alguem coisa tem teve possui faz usa toma vai fica anos ano ha desde trabalha trabalho emprego mora vive "
    "reside cidade"
)
"""Words a statement is made with, which claim nothing by themselves."""
_ALIKE = (
    "like likes love loves enjoy enjoys adore adores fond fan favorite favourite prefer prefers preferred into gosta "
    "gosto gostar adora adoro adorar ama amo curte curto prefere prefiro favorito favorita preferido preferida fa",
    "hate hates dislike dislikes detest detests loathe odeia odeio odiar detesta detesto suporta suporto gosta gosto",
    "move moved moving mudar mudou mudei mudanca",
    "study studies studying student course degree estuda estudo estudar estudante curso cursa faculdade",
    "want wants plan plans planning hope hopes goal goals dream dreams intend intends aim quer quero querer pretende "
    "pretendo planeja planejo planejar meta metas objetivo sonho sonha desejo",
    "birthday birthdays born birth aniversario niver nasceu nasci nascimento faz faco",
    "allergic allergy allergies alergico alergica alergia alergias",
    "mother mom mum mommy mama mae", "father dad daddy papa pai", "sister sis irma", "brother bro irmao",
    "wife esposa mulher", "husband hubby marido esposo", "daughter girl filha", "son boy filho",
    "children kids child kid filhos criancas", "grandmother grandma gran granny nan avo vo vovo",
    "grandfather grandpa grandad granddad avo vo vovo", "girlfriend gf namorada", "boyfriend bf namorado",
    "friend friends mate buddy pal amigo amiga amigos", "boss manager chefe", "dog dogs pup puppy cachorro cao cadela",
    "cat cats kitten gato gata", "speak speaks speaking fluent fala falo fluente",
    "play plays playing toca toco joga jogo",
)  # fmt: skip
"""Words of which one bears another out."""

_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_CALENDAR = frozenset(
    listed(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
        "september october november december segunda terca quarta quinta sexta sabado domingo janeiro fevereiro marco "
        "abril maio junho julho agosto setembro outubro novembro dezembro"
    )
)


def strays(text: str, given: Iterable[str], language: str) -> set[str]:
    """Names and numbers in the text, folded, that stand nowhere in what was given; days and months may be worked out.

    A name is a known one, or any word with a capital that does not open a sentence.
    """
    told = fold("\n".join(given))
    words, numbers = set(_WORD.findall(told)), {number.lstrip("0") for number in _DIGITS.findall(told)}
    found = {number for number in _DIGITS.findall(text) if number.lstrip("0") not in numbers}
    for name in find_names(text, "pt" if language == "pt" else "en"):
        found |= _unsaid(_WORD.findall(name.name), words)
    for start, end in split_sentences(text):
        inner = _WORD.findall(text[start:end])[1:]
        found |= _unsaid([word for word in inner if word[0].isupper() and len(word) > 1], words)
    return found


def borne_out(content: str, given: Iterable[str], language: str) -> bool:
    """Whether every word of a statement that claims something was said, in another form of it or in one alike."""
    told = list(given)
    if strays(content, told, language):
        return False
    said = _terms("\n".join(told)) | _LIGHT_TERMS
    said |= {term for alike in _ALIKE_TERMS if not alike.isdisjoint(said) for term in alike}
    claims = (word for word in _WORD.findall(content) if fold(word) not in STOP_WORDS)
    return all(not said.isdisjoint(_terms(word)) for word in claims)


def _terms(text: str) -> set[str]:
    return set(_ANALYZER.terms(text))


_LIGHT_TERMS = frozenset(_terms(" ".join(_LIGHT)))
_ALIKE_TERMS = tuple(frozenset(_terms(words)) for words in _ALIKE)


def _unsaid(written: Iterable[str], words: set[str]) -> set[str]:
    """Of these words, those that stand nowhere, also not in the plural or the singular."""
    folded = {fold(word) for word in written} - _CALENDAR
    return {word for word in folded if words.isdisjoint((word, word + "s", word.removesuffix("s")))}
