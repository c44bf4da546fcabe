"""Which of the two languages a text is in, and the small words that carry no meaning by themselves.

Both lists are closed and hold folded forms (lower case, no accents). Words that mean something in the other language
are left out although they are common: "ate" (até), "ai" (aí), "ti", "pro", "era", "may", "will".
"""

from __future__ import annotations

import re
from typing import Literal

from relembra.domain.text import fold

__all__ = ["ENGLISH_STOP_WORDS", "PORTUGUESE_STOP_WORDS", "STOP_WORDS", "Language", "language_of"]

Language = Literal["pt", "en"]


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


PORTUGUESE_STOP_WORDS = _words(
    """
    a o as os um uma uns umas
    de do da dos das dum duma duns dumas em no na nos nas num numa nuns numas
    ao aos pelo pela pelos pelas per por para pra pras com sem
    deste desta destes destas desse dessa desses dessas daquele daquela daqueles daquelas disto disso daquilo
    neste nesta nestes nestas nesse nessa nesses nessas naquele naquela naqueles naquelas nisto nisso naquilo
    dele dela deles delas nele nela neles nelas daqui dali aquele aquela aqueles aquelas aquilo
    este esta estes estas esse essa esses essas isto isso
    e ou mas nem que se porque pois quando enquanto embora como onde qual quais quem
    quanto quanta quantos quantas cujo cuja
    eu tu ele ela nos vos eles elas voce voces vc vcs me te lhe lhes mim si comigo contigo conosco consigo
    meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas
    nao sim ja tambem muito muita muitos muitas mais menos so aqui ali entao
    ser sou es somos sao foi fui foram fomos eram eramos seja sejam sera serao seria
    estou estas estamos estao estava estavam esteve estive tava tou
    ter tenho tem temos tinha tinham teve tive ha havia houve
    vai vou vamos vao
    """
)

ENGLISH_STOP_WORDS = _words(
    """
    a an the and or but nor so if then than that this these those there here
    of in on at by for with from to into onto about as up out off over under
    i you he she it we they me him her us them my your his hers its our their mine yours ours theirs
    myself yourself himself herself itself ourselves themselves
    is am are was were be been being do does did done doing have has had having
    would could should can cannot shall must
    not no yes too very just also only
    what which who whom whose when where why how
    im ive i'd i'll youre youve youll hes shes weve theyre theyve theyll thats whats wheres whos theres
    dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt cant couldnt wont wouldnt shouldnt lets
    """
)

STOP_WORDS = PORTUGUESE_STOP_WORDS | ENGLISH_STOP_WORDS

_ONLY_PORTUGUESE = PORTUGUESE_STOP_WORDS - ENGLISH_STOP_WORDS
_ONLY_ENGLISH = ENGLISH_STOP_WORDS - PORTUGUESE_STOP_WORDS

READ_CHARACTERS = 4_000
"""Longer texts are judged by their beginning."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PORTUGUESE_LETTERS = re.compile(r"[ãõçáéíóúâêôà]")
_PORTUGUESE_SHAPE = re.compile(
    r"nh[aeo]|lh[aeo]|(?:cao|coes|dade|mente|ando|endo|indo|inho|inha|aram|eram|avel|ei|ou)$"
)
_ENGLISH_SHAPE = re.compile(r"[wky]|th|sh|ck|ee|oo|(?:ing|ed|tion|ness|ght|ll|ss|nd|ct)$")

_STOP_WORD, _ACCENT, _SHAPE = 3, 2, 1


def language_of(text: str) -> Language | None:
    """The language most words speak for: small words first, then accents and spelling; None when they do not tell."""
    portuguese = english = 0
    for word in _WORD.findall(text[:READ_CHARACTERS].lower()):
        folded = fold(word).replace("’", "'")
        folded = folded if folded in STOP_WORDS else folded.replace("'", "")
        if folded in _ONLY_PORTUGUESE:
            portuguese += _STOP_WORD
        elif folded in _ONLY_ENGLISH:
            english += _STOP_WORD
        if _PORTUGUESE_LETTERS.search(word):
            portuguese += _ACCENT
        elif folded not in STOP_WORDS:
            portuguese += _SHAPE * bool(_PORTUGUESE_SHAPE.search(folded))
            english += _SHAPE * bool(_ENGLISH_SHAPE.search(folded))
    if portuguese == english:
        return None
    return "pt" if portuguese > english else "en"
