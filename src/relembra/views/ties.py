"""What people are to each other: words for ties in both languages, which mean the same, and how close they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from relembra.domain.text import fold

__all__ = ["Closeness", "Tie", "bare_tie", "tie_in_name", "tie_of", "words_for"]


class Closeness(IntEnum):
    """How near somebody stands, the nearest first."""

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


_WORDS = {
    Closeness.FAMILY: """
        mother: mae mamae mainha mother mom mum mama mommy mummy
        father: pai papai painho father dad daddy papa
        parents: pais parents
        sister: irma irmazinha sister sis
        brother: irmao irmaozinho brother bro
        siblings: irmaos irmas siblings sisters brothers
        daughter: filha filhinha daughter
        son: filho filhinho son
        child: bebe kid child baby
        children*: filhos filhas gemeos kids children daughters sons twins
        grandmother: avó vó vovó grandmother grandma granny nana
        grandfather: avô vô vovô grandfather grandpa granddad
        grandparent*: avo vo vovo avos grandparents
        granddaughter: neta granddaughter
        grandson: neto grandson
        grandchildren*: netos netas grandchildren grandkids
        aunt*: tia titia aunt auntie
        uncle*: tio titio uncle
        cousin*: prima primo primos primas cousin cousins
        niece*: sobrinha niece
        nephew*: sobrinho sobrinhos nephew
        mother-in-law: sogra mother-in-law
        father-in-law: sogro father-in-law
        sister-in-law*: cunhada sister-in-law
        brother-in-law*: cunhado brother-in-law
        son-in-law*: genro son-in-law
        daughter-in-law*: nora daughter-in-law
        stepmother: madrasta stepmother stepmom
        stepfather: padrasto stepfather stepdad
        stepdaughter: enteada stepdaughter
        stepson: enteado stepson
        goddaughter*: afilhada goddaughter
        godson*: afilhado godson
        godmother: madrinha godmother
        godfather: padrinho godfather
        family*: familia parente relative family
        """,
    Closeness.PARTNER: """
        wife: esposa mulher wife
        husband: esposo marido husband
        girlfriend: namorada girlfriend
        boyfriend: namorado boyfriend
        fiancee: noiva fiancee
        fiance: noivo fiance
        partner: companheira companheiro parceira parceiro conjuge partner spouse
        """,
    Closeness.FRIENDS: """
        friend*: amiga amigo amigos amigas amigona friend friends bestie buddy mate pal
        roommate*: roommate flatmate
        neighbour*: vizinha vizinho neighbor neighbour
        """,
    Closeness.PETS: """
        dog: cachorro cachorra cachorrinho cachorrinha cao cadela dog puppy
        cat: gato gata gatinho gatinha cat kitten
        bird: passarinho papagaio calopsita bird parrot
        horse: cavalo egua horse
        rabbit: coelho coelha rabbit
        hamster: hamster
        fish: peixe fish
        turtle: tartaruga jabuti turtle tortoise
        pet: bicho bichinho pet
        """,
    Closeness.WORK: """
        boss: chefe chefa patroa patrao boss manager gerente supervisor supervisora
        business partner: socia socio
        colleague*: colega colegas colleague coworker co-worker
        employee*: funcionaria funcionario empregada empregado employee
        client*: cliente client customer
        mentor*: mentora mentor
        student*: aluna aluno student
        """,
    Closeness.OTHER: """
        teacher*: professora professor teacher
        doctor*: medica medico doctor
        dentist: dentista dentist
        therapist: terapeuta psicologa psicologo therapist psychologist
        coach*: treinador treinadora coach trainer
        nanny: baba nanny
        landlord: landlord landlady senhorio senhoria
        """,
}


def _table() -> dict[str, Tie]:
    table: dict[str, Tie] = {}
    for closeness, lines in _WORDS.items():
        for line in lines.strip().splitlines():
            key, _, words = line.strip().partition(": ")
            tie = Tie(key.rstrip("*"), closeness, single=not key.endswith("*"))
            table |= dict.fromkeys(words.split(), tie)
    return table


_TIES = _table()
_ENDED = re.compile(r"\b(ex|former|antig[oa]|falecid[oa]|late)\b")
_OWNED = re.compile(r"^(minhas?|meus?|my|our|noss[oa]s?|a|o|the)\s+")
_KIN_TITLES = frozenset(
    {"tia", "titia", "tio", "titio", "vó", "vô", "vo", "vovó", "vovô", "vovo", "prima", "primo"}
    | {"aunt", "auntie", "uncle", "grandma", "grandpa", "granny", "cousin"}
)
_NAMES_TOO = frozenset({"Nora", "Neto"})  # with a capital they are names


def tie_of(relation: str) -> Tie | None:
    """The tie that words for one name ("irmã mais velha", "best friend", "mother in law"); None for others.

    Somebody of the past ("ex-marido") is close no longer, and is nobody else's mother or wife.
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
    """The tie a subject consists of when nobody said a name: "mãe", "minha mãe", "Dog"; None for a name."""
    if subject in _NAMES_TOO:
        return None
    return _tie_named(_OWNED.sub("", subject.casefold().strip()))


def words_for(tie: Tie) -> list[str]:
    """The words for one tie, in both languages."""
    return [word for word, other in _TIES.items() if other == tie]


def tie_in_name(name: str) -> str | None:
    """The tie a name begins with: "tia" of "Tia Rosa"."""
    first, _, rest = name.casefold().partition(" ")
    return first if rest and first in _KIN_TITLES else None


def _tie_named(word: str) -> Tie | None:
    """By the word as written, for avó and avô differ by an accent only, and then without accents."""
    return _TIES.get(word) or _TIES.get(fold(word))
