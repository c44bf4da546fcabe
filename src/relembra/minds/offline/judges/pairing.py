"""What a pair of statements shows beside its vectors: shared words, what each has alone, denials, numbers, opposites.

Change anything here and the heads have to be fitted again: `VERSION` is recorded in their file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from zlib import crc32

from relembra.domain.text import fold
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.judges.features import READ_CHARACTERS, words_of
from relembra.minds.offline.language import STOP_WORDS

__all__ = ["PAIR_BUCKETS", "SIGNS", "VERSION", "PairText", "pair_text"]

VERSION = 1
PAIR_BUCKETS = 8_192
SIGNS = 26
LONGEST_REST = 12


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NEGATION = _listed(
    "nao n nem nunca jamais nenhum nenhuma ninguem nada sem not don't dont doesn't doesnt didn't didnt never no none "
    "nobody nothing without isn't isnt aren't arent wasn't wasnt won't wont can't cant cannot couldn't hasn't haven't "
    "longer anymore mais deixou deixei parou parei stopped quit"
)
_PLAIN_NEGATION = _NEGATION - _listed("mais deixou deixei parou parei stopped quit longer anymore")
_QUANTIFIERS = _listed("todos todas sempre all always every apenas only nenhum nenhuma ninguem no none nunca")
_CHANGE = re.compile(
    r"\b(nao \w+ mais|ja nao|deixei de|parei de|larguei|no longer|not \w+ anymore|any ?more|stopped|quit|used to|"
    r"antes|antigamente|costumava|agora|hoje em dia|now|these days|mudei|moved|switched|troquei)\b"
)
_NUMBER_WORDS = {
    word: number
    for number, words in {
        "1": "um uma one", "2": "dois duas two", "3": "tres three", "4": "quatro four", "5": "cinco five",
        "6": "seis six", "7": "sete seven", "8": "oito eight", "9": "nove nine", "10": "dez ten", "11": "onze eleven",
        "12": "doze twelve", "15": "quinze fifteen", "20": "vinte twenty", "30": "trinta thirty",
        "40": "quarenta forty", "50": "cinquenta fifty", "60": "sessenta sixty", "70": "setenta seventy",
    }.items()
    for word in words.split()
}  # fmt: skip
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "janeiro january jan", "fevereiro february fev feb", "marco march mar", "abril april abr apr", "maio may",
            "junho june jun", "julho july jul", "agosto august ago aug", "setembro september set sep sept",
            "outubro october out oct", "novembro november nov", "dezembro december dez dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_OF_MONTH = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|o)? ?(?:de |of )?(?P<month>{_MONTH})\b"
    rf"|\b(?P<month2>{_MONTH})\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b"
    r"|\b(?P<day3>\d{1,2})/(?P<month3>\d{1,2})\b"
)
_ENDING = re.compile(r"(?<=\d)(?:st|nd|rd|th|x|h|am|pm|kg|mg|k)$")
_DATE_WORDS = _listed(
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta "
    "quinta sexta sabado domingo january february march april june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday manha tarde noite morning afternoon evening night"
)
# Words that cannot both be true of one thing, a group a line; slashes part the sides.
_OPPOSITES = """
amo adoro gosto curto gosta ama adora love like enjoy loves likes enjoys fan / odeio detesto odeia detesta hate hates
dislike despise can't
casado casada married casamos casei / solteiro solteira single divorciado divorciada divorced separado separada
separei viuvo viuva widowed
empregado employed trabalho contratado hired work / desempregado desempregada unemployed demitido demitida fired laid
vegetariano vegetariana vegano vegana vegetarian vegan / carnivoro churrasco carne meat steak
fumante fumo smoke smoker / parei larguei quit nao-fumante
acordado acordada awake / dormindo dorme asleep sleeping
aberto aberta open / fechado fechada closed
cheio cheia lotado lotada full crowded / vazio vazia empty deserto
vivo viva alive / morto morta morreu faleceu dead died
quente calor hot warm / frio fria gelado cold freezing
feliz alegre contente happy glad / triste infeliz sad unhappy deprimido
sorrindo sorri smiling / chorando chora crying
cedo early matutino / tarde late noturno
sempre always / nunca jamais never
antes before / depois after
dia day / noite night
homem man homens menino boy rapaz / mulher woman mulheres menina girl moca
cachorro cachorros dog cao caes / gato gatos cat cats
sentado sentada sentados sitting / pe standing correndo andando
dentro inside / fora outside ar livre
grande big large enorme / pequeno pequena small tiny
rico rica rich / pobre poor
novo nova new / velho velha old antigo
jovem young / idoso idosa velho elderly
primeiro first / ultimo last
passei passed aprovado / reprovei failed reprovado
comecei started começo / terminei parei finished stopped
ganhei won ganhou / perdi lost perdeu
comprei bought / vendi sold
alto alta tall high / baixo baixa short low
limpo limpa clean / sujo suja dirty
seco seca dry / molhado molhada wet
rapido rapida fast / devagar lento lenta slow
silencio quiet silencioso / barulho barulhento loud noisy
facil easy / dificil hard difficult
perto near / longe far
sozinho sozinha alone / acompanhado junto juntos together
manha morning / noite night
praia beach / montanha mountain
cafe coffee / cha tea
sim yes / nao no
todos all everyone / nenhum ninguem none nobody
azul blue / vermelho red / verde green / amarelo yellow / preto black / branco white
manha / tarde
inverno winter / verao summer
esquerda left canhoto / direita right destro
alergico alergica allergic / tolero posso
ateu ateia atheist / catolico catolica evangelico evangelica catholic religious
"""


def _read_opposites(text: str) -> frozenset[tuple[str, str]]:
    pairs: set[tuple[str, str]] = set()
    for line in text.strip().splitlines():
        sides = [side.split() for side in line.split("/")]
        for index, side in enumerate(sides):
            for other in sides[index + 1 :]:
                pairs |= {(one, two) for one in side for two in other} | {(two, one) for one in side for two in other}
    return frozenset(pairs)


OPPOSITES = _read_opposites(_OPPOSITES)
_ANALYZER = BilingualAnalyzer()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairText:
    """What the words of a pair say. `first_rest` and `second_rest`: what each has that the other lacks, as text."""

    signs: list[float]
    terms: list[int]
    first_rest: str
    second_rest: str
    denied_alone: bool
    numbers_differ: bool
    opposites: tuple[str, str] | None
    identical: bool


def pair_text(first: str, second: str) -> PairText:
    """Read two statements side by side; the order of the two matters to the words, not to the signs' meaning."""
    one, two = words_of(first), words_of(second)
    one_stems, two_stems = _stems(one), _stems(two)
    shared = one_stems.keys() & two_stems.keys()
    one_alone = [word for stem, word in one_stems.items() if stem not in shared]
    two_alone = [word for stem, word in two_stems.items() if stem not in shared]
    one_denials, two_denials = _denials(one), _denials(two)
    one_numbers, two_numbers = _numbers(first, one), _numbers(second, two)
    one_dates, two_dates = set(one) & _DATE_WORDS, set(two) & _DATE_WORDS
    opposites = next(((a, b) for a in one_alone for b in two_alone if (a, b) in OPPOSITES), None)
    if opposites is None:
        opposites = next(
            ((a, b) for a in one for b in two if (a, b) in OPPOSITES and a not in two and b not in one), None
        )
    numbers_differ = bool(one_numbers and two_numbers and one_numbers != two_numbers)
    one_changes, two_changes = bool(_CHANGE.search(" ".join(one))), bool(_CHANGE.search(" ".join(two)))
    least = max(1, min(len(one_stems), len(two_stems)))
    signs = [
        len(shared) / max(1, len(one_stems)),
        len(shared) / max(1, len(two_stems)),
        len(shared) / max(1, len(one_stems.keys() | two_stems.keys())),
        len(shared) / least,
        min(1.0, len(one_alone) / 6),
        min(1.0, len(two_alone) / 6),
        float(not one_alone),
        float(not two_alone),
        min(1.0, one_denials / 2),
        min(1.0, two_denials / 2),
        float(bool(one_denials) != bool(two_denials)),
        float(bool(one_denials and two_denials)),
        float(one_numbers == two_numbers and bool(one_numbers)),
        float(numbers_differ),
        float(bool(one_numbers) != bool(two_numbers)),
        float(bool(one_dates and two_dates and one_dates != two_dates)),
        float(opposites is not None),
        float(opposites is not None and bool(one_denials) != bool(two_denials)),
        float(one_changes),
        float(two_changes),
        min(1.0, len(one) / 20),
        min(1.0, len(two) / 20),
        min(1.0, abs(len(one) - len(two)) / 10),
        float(one == two),
        float(len(one_alone) == 1 and len(two_alone) == 1),
        float(bool(_quantifiers(one) ^ _quantifiers(two))),
    ]
    return PairText(
        signs=signs,
        terms=_terms(one_alone, two_alone, one, two),
        first_rest=" ".join(one_alone[:LONGEST_REST]),
        second_rest=" ".join(two_alone[:LONGEST_REST]),
        denied_alone=bool(one_denials) != bool(two_denials),
        numbers_differ=numbers_differ,
        opposites=opposites,
        identical=one == two and bool(one),
    )


def _stems(words: list[str]) -> dict[str, str]:
    """First stem of each telling word, with the word."""
    stems: dict[str, str] = {}
    for word in words:
        if word not in STOP_WORDS and (word[0].isalnum()):
            found = _ANALYZER.terms(word)
            stems.setdefault(found[0] if found else word, word)
    return stems


def _denials(words: list[str]) -> int:
    return sum(word in _PLAIN_NEGATION for word in words)


def _numbers(text: str, words: list[str]) -> set[str]:
    """Numbers in digits or words, and days of the month in one form; a lone "one" is an article more often."""
    shown = fold(text[:READ_CHARACTERS])
    days = {_day_of_month(match) for match in _DAY_OF_MONTH.finditer(shown)}
    if days:
        words = words_of(_DAY_OF_MONTH.sub(" ", shown))
    plain = {
        _ENDING.sub("", _NUMBER_WORDS.get(word, word)) for word in words if word[0].isdigit() or word in _NUMBER_WORDS
    }
    return (plain | days) - {"1"}


def _day_of_month(match: re.Match[str]) -> str:
    day = match["day"] or match["day2"] or match["day3"]
    month = match["month"] or match["month2"]
    return f"{int(day)}.{_MONTHS[month] if month else int(match['month3'])}"


def _quantifiers(words: list[str]) -> frozenset[str]:
    return _QUANTIFIERS.intersection(words)


def _terms(one_alone: list[str], two_alone: list[str], one: list[str], two: list[str]) -> list[int]:
    """Buckets of the words each has alone, of pairs of them, and of the small words that differ; never empty."""
    found = [f"a{word}" for word in one_alone] + [f"b{word}" for word in two_alone]
    found += [f"x{min(a, b)} {max(a, b)}" for a in one_alone[:4] for b in two_alone[:4]]
    small_one = [word for word in one if word in STOP_WORDS or word in _NEGATION]
    small_two = [word for word in two if word in STOP_WORDS or word in _NEGATION]
    found += [f"c{word}" for word in dict.fromkeys(small_one) if word not in small_two]
    found += [f"d{word}" for word in dict.fromkeys(small_two) if word not in small_one]
    found.append("=")
    return [crc32(term.encode()) % PAIR_BUCKETS for term in dict.fromkeys(found)]
