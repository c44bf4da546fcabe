"""Which of the two languages a text is in, and the small words that carry no meaning by themselves.

All lists are closed and hold folded forms (lower case, no accents). Words that mean something in the other language
are left out although they are common: "ate" (até), "ai" (aí), "ti", "pro", "era", "may", "will".

Words in no list are judged by their letters, with `language.bin`: for each hashed run of letters, how much it speaks
for Portuguese. It is made by `training/language.py` from Tatoeba (CC BY 2.0 FR) and our own text, and loaded on first
use.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from functools import cache, lru_cache
from pathlib import Path
from zlib import crc32

from relembra.domain.text import fold
from relembra.minds.languages import Language

__all__ = ["CHAT_WORDS", "ENGLISH_STOP_WORDS", "PORTUGUESE_STOP_WORDS", "STOP_WORDS", "Language", "language_of"]


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

# What people type in chats, beside the small words. Not stop words: they say little, but not nothing.
_PORTUGUESE_CHAT = _words(
    """
    blz vlw flw tmj tb tbm td tds vc vcs pq hj mds slk obg obgd brigada brigado obrigada obrigado valeu falou
    beleza bjs bj pfv pfvr sqn ctz msm mt mto mta dboa deboa suave eai iai iae ae oxe oxi uai ne rs rsrs kd cade
    qnd qdo qto qts qm cmg ctg fds pqp tlgd tlg plmds sdd sdds nd ngm agr dps vdd mlk mano mina galera oi oie
    oii ola tchau aff afe eita vish vixe putz caraca caramba po poxa ue tava tamo bora partiu sextou claro pera
    perai entendi certo tranquilo joia demais saudades parabens feliz hein
    """
)
_ENGLISH_CHAT = _words(
    """
    brb thx thnx tnx ty tysm yw np omg omfg idk idc tbh ngl imo imho btw fyi gtg ttyl ikr smh wdym wtf wth wyd
    hbu plz pls ppl u ur yall gonna wanna gotta kinda sorta lemme gimme dunno yep yup nope yeah yea ya nah sup
    wassup wazzup yo hey heya hi hello bye cya thanks thank cheers gn bc cuz coz tho rn irl afk nvm asap welp
    meh ugh huh wow please sorry okay alright aight cool sure right great congrats sweet dude bro
    """
)
# Said in chats of both.
_BOTH = _words(
    "ok top show lol haha hehe hahaha hmm hm app chat post live game online email site blog link pix zap min km kg cm"
)
CHAT_WORDS = _PORTUGUESE_CHAT | _ENGLISH_CHAT | _words("ok lol haha hehe hahaha hmm")
# Small words of Spanish, French, Italian and German that are neither Portuguese nor English.
_FOREIGN = _words(
    """
    el los las y del pero muy yo mi hay cuando donde gracias hola buenos buenas dias tengo quiero soy eres estoy
    usted ustedes hasta tambien una hoy ayer manana ahora siempre mucho ella ellos nosotros su sus mis ya bien
    je le les des est et une pas bonjour merci suis avec pour dans sur cest vous nous elle sont mais tres oui du
    au qui mon
    il che di non sono ciao grazie perche questo questa gli della anche molto io mio buongiorno
    der das und ich nicht ist ein eine mit fur auf danke hallo guten wie geht wir sie bin bist habe auch aber
    """
)

READ_CHARACTERS = 4_000
"""Longer texts are judged by their beginning."""

TABLE_PATH = Path(__file__).with_name("language.bin")
TABLE_SIZE = 1 << 16
UNIT = 0.015
"""What 1 in the table says for Portuguese, in log odds."""

CACHED_WORDS = 20_000
LONGEST_WORD = 40
_SHORTEST_RUN, _LONGEST_RUN = 2, 4

# How much speaks for Portuguese, in log odds; for English with a minus.
_LISTED, _ACCENT, _LAUGH = 3.0, 2.0, 2.0
_MOST = 3.0  # by letters
_NAME = 0.25  # of that, for words with a capital inside the text
_LEAST = 1.0  # to tell at all
_LEAST_OF_NAME = 2.5  # when all there is is one word with a capital

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ADDRESS = re.compile(r"(?<!\S)(?=\S*(?:[@_\\]|://))\S+")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»")
_PORTUGUESE_LETTERS = re.compile(r"[ãõçáéíóúâêôà]")
_FOREIGN_LETTERS = re.compile(r"[ñßøåæœ]")
_LAUGHTER = re.compile(r"k{2,}|(?:rs){2,}|(?:hue){2,}")
_DRAWN_OUT = re.compile(r"(.)\1{2,}")


def language_of(text: str) -> Language | None:
    """The language most words speak for: listed words first, then accents and letters; None when they do not tell.

    What is quoted is only read when nothing else tells.
    """
    text = unicodedata.normalize("NFC", text[:READ_CHARACTERS])
    unquoted = _QUOTED.sub(" ", text)
    return _told(unquoted) or (_told(text) if unquoted != text else None)


def runs(folded: str) -> list[int]:
    """The places in the table that speak for a word: itself, then its runs of letters, ends marked."""
    marked = f"^{folded}$".encode()
    size = len(marked)
    return [crc32(b"=" + marked) % TABLE_SIZE] + [
        crc32(marked[start : start + length]) % TABLE_SIZE
        for length in range(_SHORTEST_RUN, _LONGEST_RUN + 1)
        for start in range(size - length + 1)
    ]


def _told(text: str) -> Language | None:
    score, foreign = 0.0, 2 * ("¿" in text or "¡" in text)
    words = _WORD.findall(_ADDRESS.sub(" ", text))
    for place, word in enumerate(words):
        if len(word) > LONGEST_WORD:
            continue
        speaks, is_foreign = _evidence(word if place else word.lower())
        score += speaks
        foreign += is_foreign
    least = _LEAST_OF_NAME if len(words) == 1 and not words[0].islower() else _LEAST
    if abs(score) < least or (foreign > 1 and 2 * _LISTED * foreign > abs(score)):
        return None
    return "pt" if score > 0 else "en"


@lru_cache(maxsize=CACHED_WORDS)
def _evidence(word: str) -> tuple[float, bool]:
    """How much one word speaks for Portuguese, and whether it is of another language."""
    may_be_name = word[0].isupper() and not word.isupper()
    word = word.lower()
    folded = (word if word.isascii() else fold(word)).replace("’", "'")
    if _LAUGHTER.fullmatch(folded):
        return _LAUGH, False
    folded = _DRAWN_OUT.sub(r"\1", folded)
    if folded not in STOP_WORDS:
        folded = folded.replace("'", "")
    accent = _ACCENT if _PORTUGUESE_LETTERS.search(word) else 0.0
    if folded in STOP_WORDS:
        return accent + _LISTED * ((folded in _ONLY_PORTUGUESE) - (folded in _ONLY_ENGLISH)), False
    if folded in _BOTH:
        return 0.0, False
    if folded in _PORTUGUESE_CHAT or folded in _ENGLISH_CHAT:
        return accent + (_LISTED if folded in _PORTUGUESE_CHAT else -_LISTED), False
    if not folded.isascii() or folded in _FOREIGN or _FOREIGN_LETTERS.search(word):
        return 0.0, True
    table = _table()
    by_letters = max(-_MOST, min(_MOST, UNIT * sum(table[place] for place in runs(folded))))
    return accent + (by_letters * _NAME if may_be_name else by_letters), False


@cache
def _table() -> array[int]:
    """Read once, when a word in no list is first met."""
    return array("b", TABLE_PATH.read_bytes())
