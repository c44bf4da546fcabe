"""A short Portuguese sentence of what was said: without a subject for the speaker, with one for others."""

from __future__ import annotations

from dataclasses import replace

from relembra.domain.attributes import FAVORITE, FORMER
from relembra.domain.knowledge import SELF
from relembra.minds.offline.flat import flattened, listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Said

__all__ = ["composed", "favored", "feminine", "settled", "tied", "told", "worded"]

_PHRASES = {
    "name": "se chama {}",
    "nickname": "atende por {}",
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
    flat = flattened(relation).text.split()[-1].removeprefix("ex-") if relation.split() else ""
    if flat in _EITHER:
        return None
    if flat in {"avo", "vo", "vovo", "bisavo"}:
        last = relation.rstrip()[-1:]
        return {"ó": True, "ô": False}.get(last)
    return flat in _FEMININE or (flat.endswith(("a", "as")) and flat not in _MASCULINE)


_NO_ARTICLE = frozenset(listed("amigo amiga amigao amigona colega conhecido conhecida ex bff bestie roommate pet"))


def tied(name: str, relation: str, *, was: bool = False) -> str:
    """What somebody is to the speaker: "Maria é a mãe", "Bia é amiga"."""
    verb = "era" if was else "é"
    last = flattened(relation).text.split()[-1:] or [""]
    female = feminine(relation)
    if female is None:
        female = {"a": True, "o": False}.get(flattened(name).text.split()[0][-1:]) if name.split() else None
    if last[0] in _NO_ARTICLE or female is None:
        return f"{name} {verb} {relation}"
    return f"{name} {verb} {'a' if female else 'o'} {relation}"


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


_SHE_THINGS = frozenset(
    listed("cor serie estacao estacoes cores flores flor cancao atriz viagem hq modalidade cidade")
)  # beside those that end in a
_HE_THINGS = frozenset(listed("cha poeta programa anime"))


def favored(thing: str, value: str, *, of_another: bool = False) -> str:
    """The predicate of a favourite: "comida preferida: moqueca"."""
    flat = flattened(thing).text
    female = flat in _SHE_THINGS or (flat.endswith("a") and flat not in _HE_THINGS)
    phrase = f"{thing.lower()} preferid{'a' if female else 'o'}: {value}"
    return f"tem como {phrase}" if of_another else phrase


def worded(said: Said) -> str:
    """For what a rule left unworded."""
    value = said.value or ""
    name = said.attribute or ""
    if name == "relation":
        return tied(said.subject, value)
    if name == f"{FORMER}relation":
        return tied(said.subject, value, was=True)
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
    renamed = [_named(one, names.get(one.subject, set())) for one in _felt_once(said)]
    renamed = [_in_full(one) for one in renamed]
    once = [one for one in renamed if not any(_says_more(other, one) for other in renamed if other is not one)]
    return [one for place, one in enumerate(once) if not any(_covers(other, one) for other in _others(once, place))]


_TOWNS_FOR_SHORT = {
    "jampa": "João Pessoa",
    "sampa": "São Paulo",
    "floripa": "Florianópolis",
    "bh": "Belo Horizonte",
    "beaga": "Belo Horizonte",
    "poa": "Porto Alegre",
    "cwb": "Curitiba",
    "bsb": "Brasília",
    "sp": "São Paulo",
    "rj": "Rio de Janeiro",
    "ssa": "Salvador",
}


def _in_full(said: Said) -> Said:
    """A town by its full name, so that it is one and the same however it is called: "Mora em João Pessoa (Jampa)"."""
    if said.attribute not in {"residence", "former_residence", "birthplace"} or not said.value:
        return said
    full = _TOWNS_FOR_SHORT.get(flattened(said.value).text)
    if full is None:
        return said
    content = said.content.replace(said.value, f"{full} ({said.value})", 1) if said.content else None
    return replace(said, value=full, content=content)


def _others(said: list[Said], place: int) -> list[tuple[Said, bool]]:
    """All but one, each with whether it was said before that one."""
    return [(other, at < place) for at, other in enumerate(said) if at != place]


_STRONGER = {"event": "achieved", "relation": f"{FORMER}relation"}


def _covers(beside: tuple[Said, bool], one: Said) -> bool:
    """Whether another item of the same words is the one to keep: a goal reached is no second event, nor a move two."""
    other, earlier = beside
    if other.subject != one.subject:
        return False
    if one.attribute == other.attribute == "salary":
        return bool(_EXACT.search(other.value or "")) and not _EXACT.search(one.value or "")
    if one.attribute == other.attribute == "religion":
        return (one.value or "").startswith("não acredita")  # "…, ateu convicto" says it
    if other.quote != one.quote:
        return False
    if one.attribute in _STRONGER and other.attribute == _STRONGER[one.attribute]:
        return one.attribute != "event" or _alike(other, one)
    if {one.attribute, other.attribute} <= {"habit", "schedule"} and _alike(other, one):
        return len(other.value or "") > len(one.value or "") or (
            len(other.value or "") == len(one.value or "") and earlier
        )
    if one.attribute == other.attribute == "timezone":
        return " hora" in (one.value or "") and " hora" not in (other.value or "")  # the town says it better
    return one.attribute == other.attribute == "event" and earlier and _alike(other, one)


def _alike(other: Said, one: Said) -> bool:
    """Whether two values share most of their words."""
    mine, theirs = (
        {word[:5] for word in flattened(said.value or "").text.split() if len(word) > _SMALL_WORD}
        for said in (one, other)
    )
    return bool(mine and theirs) and 2 * len(mine & theirs) >= min(len(mine), len(theirs))


_SMALL_WORD = 2
_EXACT = re.compile(r"\s(?:limpos?|l[ií]quidos?|brutos?|redondos?)$")  # "1 salário e meio, 2277 limpo"


def _felt_once(said: list[Said]) -> list[Said]:
    """One feeling a clause and subject: two rules may read the same words."""
    seen: set[tuple[str, str]] = set()
    kept: list[Said] = []
    for one in said:
        if one.attribute == "emotion":
            if (one.subject, one.quote) in seen:
                continue
            seen.add((one.subject, one.quote))
        kept.append(one)
    return kept


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
