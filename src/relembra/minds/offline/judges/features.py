"""What the heads read beside the vector: hashed words and letters, and a few signs of how a message is built.

Everything is computed from the folded text (lower case, no accents), so a message typed without accents reads the same.
Change anything here and the heads have to be fitted again: `VERSION` is recorded in their file.
"""

from __future__ import annotations

import re
from itertools import pairwise
from zlib import crc32

from relembra.domain.text import fold

__all__ = ["BUCKETS", "FLAGS", "READ_CHARACTERS", "VERSION", "flags_of", "hashed_terms", "words_of"]

VERSION = 1
BUCKETS = 16_384
READ_CHARACTERS = 2_000
"""Longer texts are read from both ends: the beginning says what a message is, and the end what is asked."""
LONGEST_WORDS = 160

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[^\w\s]|[^\W_]")
_URL = re.compile(r"https?://|www\.|\.com\b|\.net\b|@\w+\.")
_CODE = re.compile(r"[{}<>;=\\|`$#]|\w\(\)|\w\.\w+\(|::|->|=>|\+\+|&&|/\w+/\w")
_LETTER = re.compile(r"[a-z]")
_DIGIT = re.compile(r"\d")
_QUOTE = re.compile(r"[\"“”«»♪*]")
_EMOJI = re.compile(r"[\U0001f300-\U0001faff\u2600-\u27bf]")
_SENTENCE = re.compile(r"[.!?\n]+(?:\s|$)")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FIRST = _listed(
    "eu meu minha meus minhas me mim comigo nosso nossa gente i im i'm ive i've id i'd my me mine we our we're"
)
_FIRST_VERB = _listed(
    "sou tenho moro trabalho gosto adoro odeio prefiro quero estou to tou fui fiz nasci casei estudo faco tomo sinto "
    "amo detesto pretendo comecei ganho pago torco toco jogo uso peso fico acordo durmo vivo perdi terminei am"
)
_KIN = _listed(
    "mae pai irma irmao esposa marido namorada namorado filha filho avo tia tio prima primo chefe amigo amiga sogra "
    "sogro cunhada cunhado noiva noivo neto neta sobrinha sobrinho mom dad mother father sister brother wife husband "
    "girlfriend boyfriend daughter son grandma grandpa aunt uncle cousin boss friend partner fiance kids filhos "
    "roommate"
)
_SECOND = _listed("voce vc tu te cê ce seu sua you u your you're")
_ASKING = _listed(
    "o qual quais quem quando onde como quanto quantos quantas por porque pq que sera what who when where how "
    "why which "
    "whose is are do does did can could would should will tem da pode"
)
_IMPERATIVE = _listed(
    "escreve escreva faz faca crie cria gera gere traduz traduza resume resuma corrige corrija explica explique "
    "me manda "
    "conta calcula coloca toca liga desliga procura pesquisa converte reescreve lista liste compara recomenda indica "
    "sugere monta analisa revisa write make create generate translate summarize fix explain tell give show list "
    "compare "
    "recommend suggest set play open search find convert rewrite plan help please remind calculate describe "
    "draft finja "
    "imagine pretend ignore ignora esqueca forget save salve registre anote delete apague"
)
_IF = _listed("se if suponha suppose imagine imagina hypothetically hipoteticamente digamos caso")
_LASTING = _listed(
    "sempre nunca desde anos todo toda todos todas always never since years every favorito favorita favorite "
    "usually used "
    "geralmente ultimamente lately meses months semanas weeks costumo"
)
_PASSING = _listed("agora hoje now today rn hj ja right tonight just acabei amanha tomorrow")
_NEGATION = _listed("nao n nem nunca jamais sem not don't dont never no can't cant isn't won't nao")

FLAGS = 28


def words_of(text: str) -> list[str]:
    """Folded words and marks in order, of the beginning and the end of a long text."""
    if len(text) > READ_CHARACTERS:
        half = READ_CHARACTERS // 2
        text = f"{text[:half]} {text[-half:]}"
    words = _WORD.findall(fold(text).replace("’", "'"))
    return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 40] + words[-40:]


def hashed_terms(words: list[str]) -> list[int]:
    """Bucket numbers of words, pairs, triples, word beginnings and how the message opens; never empty."""
    plain = ["0" if word[0].isdigit() else word for word in words]
    terms = [f"1{word}" for word in plain]
    terms += [f"2{one} {two}" for one, two in pairwise(plain)]
    terms += [f"3{one} {two} {three}" for one, two, three in zip(plain, plain[1:], plain[2:], strict=False)]
    terms += [f"p{word[:5]}" for word in plain if len(word) > 5]
    terms += [f"s{word[-3:]}" for word in plain if len(word) > 4]
    terms += [f"^{' '.join(plain[:size])}" for size in (1, 2, 3)]
    terms.append(f"${plain[-1]}" if plain else "$")
    return [crc32(term.encode()) % BUCKETS for term in dict.fromkeys(terms)]


def flags_of(text: str, words: list[str]) -> list[float]:
    """Numbers between 0 and 1 about person, form and length, always `FLAGS` of them."""
    shown = text[:READ_CHARACTERS]
    count = max(1, len(words))
    characters = max(1, len(shown))
    firsts = sum(word in _FIRST for word in words)
    found = set(words)
    letters = sum(map(str.isalpha, shown))
    capitals = sum(map(str.isupper, shown))
    opening = words[0] if words else ""
    return [
        min(1.0, firsts / 4),
        firsts / count,
        float(bool(found & _FIRST_VERB)),
        float(opening in _FIRST or opening in _FIRST_VERB),
        min(1.0, sum(word in _KIN for word in words) / 2),
        float(bool(found & _SECOND)),
        float("?" in shown),
        float(shown.rstrip().endswith("?")),
        float(opening in _ASKING),
        float(opening in _IMPERATIVE),
        float(bool(found & _IMPERATIVE)),
        float(opening in _IF),
        float(bool(found & _IF)),
        float(bool(found & _LASTING)),
        float(bool(found & _PASSING)),
        float(bool(found & _NEGATION)),
        float(bool(_URL.search(shown))),
        min(1.0, 8 * len(_CODE.findall(shown)) / characters),
        float(len(_QUOTE.findall(shown)) >= 2),
        float(bool(_EMOJI.search(shown))),
        min(1.0, 4 * len(_DIGIT.findall(shown)) / characters),
        min(1.0, shown.count("\n") / 4),
        capitals / max(1, letters),
        min(1.0, len(words) / 60),
        float(len(words) <= 2),
        float(len(words) <= 5),
        min(1.0, len(_SENTENCE.findall(shown)) / 5),
        float(not _LETTER.search(fold(shown))),
    ]
