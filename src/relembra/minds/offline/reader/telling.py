"""Plain telling that no rule reads: the sentences of a message that claim something, and whom each speaks of.

Such a sentence is kept as it was said when the gate is sure of it. Whom it is about is told by how it begins; where
that cannot be told it is left out, for the wrong person is worse than nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from relembra.domain.deadline import check_time
from relembra.domain.knowledge import SELF
from relembra.minds.offline.flat import flattened, listed
from relembra.minds.offline.language import STOP_WORDS, Language
from relembra.minds.offline.names import find_names
from relembra.minds.offline.people import RELATIONS
from relembra.minds.offline.reader.engine import Grammar
from relembra.minds.offline.sentences import split_sentences

__all__ = ["Telling", "tellings"]

LONGEST = 200
LONGEST_READ = 2_000
FEWEST_WORDS = 3

_OPENING = {
    "pt": r"^\W*(?:(?:e|ah|oi|entao|olha|bom|mas|tipo|gente|hoje|ontem|agora|so que|alias|"
    r"inclusive)\W+){0,2}(?:a |o )?",
    "en": r"^\W*(?:(?:and|oh|hey|so|well|but|btw|also|plus|today|yesterday|now|anyway)\W+){0,2}",
}
_MINE = {"pt": r"(?:minha|meu|nossa|nosso)", "en": r"(?:my|our)"}
_KIN = {
    language: re.compile(rf"{_OPENING[language]}{_MINE[language]}\s+(?:\w+\s+)??({RELATIONS[language]})\b")
    for language in ("pt", "en")
}
_MORE_KIN = {
    "pt": r"pais|avos|sogros|cacula|mais velh[oa]|mais nov[oa]|guri|guria|moleque|menin[oa]s?|pequen[oa]s?|familia|"
    r"gemeos|gemeas|galera|pessoal|turma|casal|irmaos|bichos?|pets?",
    "en": r"parents|grandparents|grandfathers|grandmothers|folks|in-laws|hubby|wifey|old man|missus|eldest|youngest|"
    r"oldest|toddler|newborn|teen|teenager|lad|lass|family|twins|couple|team|pets?|flatmates|mates?|nan|gran|grandad|"
    r"spaniel|pup",
}
_PRONOUNS = {
    "pt": r"ele|ela|eles|elas|voce|vc|voces|vcs|tu|dele|dela|a gente|nos|noss[oa]",
    "en": r"he|she|they|his|her|their|him|them|you|your|we|our|us|yr old|year old",
}
_ANYBODY = {
    language: re.compile(rf"\b(?:{RELATIONS[language]}|{_MORE_KIN[language]}|{_PRONOUNS[language]})\b")
    for language in ("pt", "en")
}
_KIN_ANYWHERE = {
    language: re.compile(rf"\b(?:{RELATIONS[language]}|{_MORE_KIN[language]})\b") for language in ("pt", "en")
}
_I_BEGIN = {
    "pt": re.compile(
        _OPENING["pt"]
        + r"(?:(?:ja|nao|so|tambem|sempre|nunca|hoje|agora|ate|quase|eu)\s){0,3}(?:\w{2,}(?:ei|ndo-me)|eu|me\s\w+ei|"
        r"sou|estou|to|tenho|tinha|fui|moro|trabalho|quero|preciso|gosto|odeio|adoro|amo|prefiro|tomo|faco|fiz|ganho|pago|"
        r"sinto|vou|posso|consigo|sei|acho|tive|estava|perdi|estudo|uso|vivo|peso|fico|jogo|toco|torco|durmo|acordo|"
        r"falo|devo|vim|cuido|crio|leio|escrevo|corro|ando|nado|danco|canto|cozinho|ensino|lidero|atendo|coleciono|caminho)\b"
    ),
    "en": re.compile(_OPENING["en"] + r"(?:i|i'm|im|i've|ive|i'd)\s"),
}
_SERVES = frozenset(
    listed(
        "medico medica dentista terapeuta psicologo psicologa chefe patrao patroa professor professora treinador"
        " treinadora doctor dentist therapist boss manager teacher landlord coach trainer mentor ex"
    )
)
"""What these people do they often do to the speaker: "my doctor changed the dose" is not about the doctor."""
_OWN = {
    "pt": re.compile(
        r"\b(?:eu|meu|minha|meus|minhas|me|mim|comigo|nosso|nossa|a gente|\w{2,}(?:ei|mos)|"
        r"sou|estou|to|tenho|tinha|fui|moro|trabalho|quero|preciso|gosto|odeio|adoro|amo|prefiro|tomo|faco|"
        r"fiz|ganho|pago|"
        r"sinto|vou|posso|consigo|sei|acho|tive|estava|parei|perdi|estudo|uso|vivo|peso|fico|jogo|toco|torco|"
        r"durmo|acordo|"
        r"falo|devo|vim|vi|cuido|crio|leio|escrevo|corro|ando|nado|danco|canto|cozinho|ensino|lidero|atendo|"
        r"coleciono)\b"
    ),
    "en": re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|mine|me|we|we're|our|us|myself)\b"),
}
_LOOSE = re.compile(
    r"\b(?:talvez|quem sabe|sei la|nao sei|maybe|perhaps|might|not sure|brincadeira|zoeira|jk|kidding|"
    r"so que nao|imagina|"
    r"ironia|parabens pra mim|ordem da|a partir de agora|de agora em diante|from now on|remember that|"
    r"lembre|anote|grave)\b"
    r"|🙄|🙃"
)


_WORD = re.compile(r"[a-z]{3,}|\d+")
_SECRET = re.compile(r"(?:\d[ .-]?){9,}|\b(?:senha|password|pin|cvv|cpf|token)\b")  # numbers of cards and papers


@dataclass(frozen=True, slots=True)
class Telling:
    """A sentence that claims something, as it was said, and whom it is about."""

    text: str
    subject: str = SELF
    relation: str | None = None


def tellings(text: str, grammar: Grammar, read_already: Sequence[str]) -> list[Telling]:
    """The sentences that claim something and hold nothing a rule has read (`read_already`: what rules quoted)."""
    flat = flattened(text[:LONGEST_READ])
    if grammar.foreign(flat.raw, flat.text) or "“" in text or text.count('"') > 1:
        return []
    own = len(flat.raw) if grammar.own_until is None else grammar.own_until(flat.raw, flat.text)
    found: list[Telling] = []
    for start, end in split_sentences(flat.raw[:own]):
        check_time()
        sentence, level = flat.raw[start:end], flat.text[start:end]
        if any(quote and quote in sentence for quote in read_already) or not _claims(sentence, level, grammar):
            continue
        if (telling := _told_of(sentence, level, grammar.language)) is not None:
            found.append(telling)
    return found


def _claims(sentence: str, flat: str, grammar: Grammar) -> bool:
    return (
        len(sentence) <= LONGEST
        and len({word for word in _WORD.findall(flat) if word not in STOP_WORDS}) >= FEWEST_WORDS
        and not _SECRET.search(flat)
        and "?" not in sentence
        and not grammar.skipped(sentence, flat)
        and not grammar.unreal.search(flat)
        and not _LOOSE.search(flat)
    )


def _told_of(sentence: str, flat: str, language: Language) -> Telling | None:
    """Whom a sentence is about: the speaker where they are its subject or nobody else is in it, one of theirs where it
    begins with them and the speaker is not in it. None: it cannot be told."""
    kin = _KIN[language].match(flat)
    if kin is not None:
        return _of_kin(sentence, flat, kin, language)
    if _I_BEGIN[language].match(flat):
        return Telling(sentence)
    names = [name for name in find_names(sentence, language) if name.relation != SELF]
    if names and not flat[: names[0].start].strip(" ,.") and not _OWN[language].search(flat):
        alone = len(names) == 1 and not _KIN_ANYWHERE[language].search(flat)
        return Telling(sentence, names[0].name, names[0].relation) if alone else None
    return None if names or _ANYBODY[language].search(flat) else Telling(sentence)


def _of_kin(sentence: str, flat: str, kin: re.Match[str], language: Language) -> Telling | None:
    if kin[1] in _SERVES or _OWN[language].search(flat, kin.end()):
        return None
    names = [name for name in find_names(sentence, language) if name.relation != SELF]
    called = next((name for name in names if name.relation is not None), None)
    if len(names) > (called is not None) or _KIN_ANYWHERE[language].search(flat, kin.end()):
        return None
    return Telling(sentence, kin[1] if called is None else called.name, kin[1])
