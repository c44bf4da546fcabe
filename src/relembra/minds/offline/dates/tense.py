"""Whether the words around a mention look back or ahead: a list of verb forms and endings, nothing deeper.

The nearest cue in the sentence wins, and of two as near, the one before. Present tense says nothing, so a bare
weekday, month or holiday is then read as the next one.
"""

from __future__ import annotations

import re

from relembra.minds.offline.dates.mention import Tense
from relembra.minds.offline.language import Language

__all__ = ["tense_around"]

_READ_BEFORE, _READ_AFTER = 120, 80
_WORDS_BEFORE, _WORDS_AFTER = 10, 8
_STOP = re.compile(r"[.!?;\n](?:\s|$)")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_HAVE_GOT = re.compile(r"(?:\b(?:have|has)|'(?:ve|s)) got\b")  # which is present


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_PAST = {
    "pt": _words(
        "fui foi foram fomos era eram estava estavam tava estive esteve estivemos tive teve tivemos tiveram tinha"
        " tinham havia houve fiz fez fizemos fizeram vi viu vimos viram vim veio viemos vieram dei deu demos deram"
        " disse disseram soube pude pudemos quis quiseram pus trouxe li comi bebi dormi vivi perdi recebi conheci nasci"
        " cresci aprendi decidi consegui pedi senti vendi corri escrevi assisti esqueci parti abri caí cai ouvi"
        " descobri subi sofri venci defendi escolhi morri sai saí saimos fazia dizia vivia comia dormia sabia podia"
        " devia ia iam vinha mentiu"
    ),
    "en": _words(
        "was were did didn't wasn't weren't had hadn't went saw met came got ran ate drank slept bought brought thought"
        " took gave made said told felt found left lost kept held heard knew grew flew drove wrote rode spoke broke"
        " woke wore won sold sent spent built taught caught fought paid laid led read sat stood understood became"
        " began began drew fell forgot hid hung hurt put quit rang sang sank shook shot swam swore threw tore been"
        " couldn't played ago born beat bit bled blew chose cut dealt dug fed froze hit lent let lit meant rose"
        " shut slid spun split spread stole stuck struck swept swung wept wound"
    ),
}
_FUTURE = {
    "pt": _words(
        "vou vai vamos vao irei ira iremos irao sera serao terei tera farei fara estarei estara poderei verei darei"
        " ficarei quero quer queremos querem pretendo pretende preciso precisa precisamos devo deve pra"
    ),
    "en": _words(
        "will i'll we'll you'll he'll she'll they'll it'll won't gonna going shall let's want wants need needs plan"
        " plans planning should must"
    ),
}
_PAST_ENDING = {
    "pt": re.compile(r".{2,}(?:ei|ou|iu|aram|eram|iram|ava|avam|avamos|inha)$|.{2,}[^aeious]eu$"),
    "en": re.compile(r".{2,}ed$"),
}
_NOT_PAST = {
    "pt": _words(
        "estou irei farei serei terei estarei poderei verei darei ficarei direi museu europeu judeu vovozinha minha"
        " galinha cozinha farinha vizinha rainha linha sozinha madrinha caminha brava lava trava grava escrava"
        " sobrinha tinha"
    ),
    "en": _words("need bed red feed seed speed indeed hundred naked wed shed weed breed embed"),
}


def tense_around(flat: str, start: int, end: int, *, language: Language) -> Tense | None:
    """Past or future, as the verbs near `flat[start:end]` have it; None where they do not tell."""
    before = _HAVE_GOT.sub(" have", flat[max(0, start - _READ_BEFORE) : start])
    stops = list(_STOP.finditer(before))
    words = _WORD.findall(before[stops[-1].end() :] if stops else before)[-_WORDS_BEFORE:][::-1]
    after = flat[end : end + _READ_AFTER]
    stop = _STOP.search(after)
    following = _WORD.findall(after[: stop.start()] if stop else after)[:_WORDS_AFTER]
    for place in range(max(len(words), len(following))):
        for side in (words, following):
            if place < len(side) and (tense := _tense_of(side[place], language)):
                return tense
    return None


def _tense_of(word: str, language: Language) -> Tense | None:
    if word in _FUTURE[language]:
        return "future"
    if word in _PAST[language]:
        return "past"
    if _PAST_ENDING[language].match(word) and word not in _NOT_PAST[language]:
        return "past"
    return None
