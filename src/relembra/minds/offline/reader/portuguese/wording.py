"""A short Portuguese sentence of what was said: without a subject for the speaker, with one for others."""

from __future__ import annotations

import re
from dataclasses import replace

from relembra.domain.attributes import FAVORITE, FORMER
from relembra.domain.knowledge import SELF
from relembra.minds.offline.flat import flattened, listed
from relembra.minds.offline.reader.engine import Said

__all__ = ["composed", "feminine", "settled", "told", "worded"]

_PHRASES = {
    "name": "se chama {}",
    "nickname": "gosta de ser chamado de {}",
    "pronouns": "usa os pronomes {}",
    "age": "tem {}",
    "birthday": "faz aniversário em {}",
    "birthplace": "nasceu em {}",
    "nationality": "é {}",
    "residence": "mora em {}",
    "employment": "trabalha em {}",
    "occupation": "é {}",
    "study": "estuda {}",
    "marital_status": "é {}",
    "children": "tem {}",
    "condition": "tem {}",
    "allergy": "tem alergia a {}",
    "intolerance": "tem intolerância a {}",
    "medication": "toma {}",
    "diet": "segue a dieta: {}",
    "weight": "pesa {}",
    "height": "mede {}",
    "blood_type": "tem sangue tipo {}",
    "language": "fala {}",
    "skill": "sabe {}",
    "likes": "gosta de {}",
    "dislikes": "não gosta de {}",
    "habit": "costuma: {}",
    "wake_time": "acorda {}",
    "bedtime": "dorme {}",
    "schedule": "tem na rotina: {}",
    "communication": "prefere {}",
    "goal": "quer {}",
    "achieved": "conseguiu {}",
    "dropped_goal": "desistiu de {}",
    "event": "{}",
    "emotion": "{}",
    "religion": "é {}",
    "possession": "tem {}",
    "salary": "ganha {}",
    "debt": "deve {}",
    "meeting": "tem {}",
    "deadline": "tem prazo: {}",
    "contract": "tem contrato: {}",
    "client": "atende o cliente {}",
    "project": "trabalha no projeto {}",
    "timezone": "está no fuso {}",
    "opinion": "acha que {}",
    "value": "valoriza {}",
}
_FEMININE = frozenset(
    ["mae", "mulher", "avo", "vo", "nora", "atriz", "madrasta", "irma", "bff", "chefe"]
)  # beside those that end in a; "avo" is looked at with its accent
_MASCULINE = frozenset(["papa", "cunha"])
_EITHER = frozenset(
    listed(
        "chefe colega dentista terapeuta psiquiatra ginecologista cardiologista dermatologista "
        "pediatra nutricionista fisioterapeuta personal coach gerente lider assistente diarista ex "
        "bebe crush ficante conjuge bff bestie pet prof roommate fisio manicure vira-lata cacula"
    )
)


def feminine(relation: str | None) -> bool | None:
    """The gender of a word for a tie; None: either."""
    if not relation:
        return None
    flat = flattened(relation).text.split()[-1] if relation.split() else ""
    if flat in _EITHER:
        return None
    if flat in {"avo", "vo", "vovo", "bisavo"}:
        last = relation.rstrip()[-1:]
        return {"ó": True, "ô": False}.get(last)
    return flat in _FEMININE or (flat.endswith(("a", "as")) and flat not in _MASCULINE)


def composed(said: Said, phrase: str) -> str:
    """The predicate with its subject; the speaker has none."""
    phrase = " ".join(phrase.split())
    if said.subject == SELF:
        return phrase[:1].upper() + phrase[1:]
    if said.relation and not said.subject[:1].isupper():
        article = "A" if feminine(said.relation) else "O"
        article += "s" if said.subject.endswith("s") else ""
        return f"{article} {said.subject} {phrase}"
    return f"{said.subject} {phrase}"


def worded(said: Said) -> str:
    """For what a rule left unworded."""
    value = said.value or ""
    name = said.attribute or ""
    if name == "relation":
        return f"{said.subject} é {value}"
    if name == f"{FORMER}relation":
        return f"{said.subject} era {value}"
    if name.startswith(FAVORITE):
        return composed(said, f"tem como preferido: {value}")
    if name.startswith(FORMER):
        phrase = _PHRASES.get(name.removeprefix(FORMER), "{}").format(value)
        return composed(said, f"antes: {phrase}")
    return composed(said, _PHRASES.get(name, "{}").format(value))


def settled(said: list[Said]) -> list[Said]:
    """What was said of a tie before its name was given, under that name; nothing where two bear the same tie."""
    names: dict[str, set[str]] = {}
    for one in said:
        if one.attribute == "relation" and one.relation:
            names.setdefault(one.relation, set()).add(one.subject)
    renamed = [_named(one, names.get(one.subject, set())) for one in said]
    return [one for one in renamed if not any(_says_more(other, one) for other in renamed if other is not one)]


def _says_more(other: Said, one: Said) -> bool:
    """Whether another item says the same and more: "faz pilates às terças" beside "faz pilates"."""
    if (other.subject, other.attribute) != (one.subject, one.attribute) or not other.value or not one.value:
        return False
    longer, shorter = flattened(other.value).text, flattened(one.value).text
    return len(longer) > len(shorter) and bool(re.search(rf"(?<!\w){re.escape(shorter)}(?!\w)", longer))


def _named(said: Said, names: set[str]) -> Said:
    if said.subject != said.relation or len(names) != 1:
        return said
    (name,) = names
    content = said.content
    for article in ("A", "O", "As", "Os"):
        content = content.replace(f"{article} {said.subject} ", f"{name} ", 1) if content else content
    return replace(said, subject=name, content=content)


_TOLD = {
    "fui": "foi",
    "pedi": "pediu",
    "fechei": "fechou",
    "renovei": "renovou",
    "cancelei": "cancelou",
    "viajo": "viaja",
    "opero": "opera",
    "embarco": "embarca",
    "defendo": "defende",
    "formo": "forma",
    "mudo": "muda",
    "faço": "faz",
    "começo": "começa",
    "quitei": "quitou",
    "terminei": "terminou",
    "tirei": "tirou",
    "zerei": "zerou",
    "completei": "completou",
    "aprendi": "aprendeu",
    "li": "leu",
    "emagreci": "emagreceu",
    "sofri": "sofreu",
    "operei": "operou",
    "fiz": "fez",
    "comprei": "comprou",
    "compramos": "comprou",
    "viajei": "viajou",
    "ganhei": "ganhou",
    "perdi": "perdeu",
    "bati": "bateu",
    "quebrei": "quebrou",
    "voltei": "voltou",
    "adotei": "adotou",
    "publiquei": "publicou",
    "defendi": "defendeu",
    "conheci": "conheceu",
    "cai": "caiu",
    "caí": "caiu",
    "recebi": "recebeu",
    "corri": "correu",
    "torci": "torceu",
    "fraturei": "fraturou",
    "lancei": "lançou",
    "abri": "abriu",
    "inaugurei": "inaugurou",
    "participei": "participou",
    "tive": "teve",
    "passei": "passou",
    "vendi": "vendeu",
    "fomos": "foi",
    "viajamos": "viajou",
    "machuquei": "machucou",
    "cheguei": "chegou",
    "reencontrei": "reencontrou",
    "internei": "internou",
    "adotamos": "adotou",
    "acabei": "acabou",
    "descobri": "descobriu",
    "estive": "esteve",
    "capotei": "capotou",
    "assinei": "assinou",
    "me": "se",
    "estreei": "estreou",
    "apresentei": "apresentou",
    "passamos": "passou",
    "entrei": "entrou",
}


def told(value: str) -> str:
    """A predicate said in the first person, in the third."""
    words = value.split()
    out = [_TOLD.get(word.lower(), word) if place < 3 else word for place, word in enumerate(words)]
    text = " ".join(out)
    return re.sub(r"\b(?:meu|minha|nosso|nossa)\s", "", text)
