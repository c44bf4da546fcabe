"""How rules are made here: in the first person, in the third, or in both from one template.

A template writes the verb as `{first/third}`. A rule in the third person speaks only where its verb follows right on
the person the clause is about, so that nothing said of one is kept of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from relembra.minds.offline.flat import listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.people import Scene, about_whom
from relembra.minds.offline.reader.portuguese.values import since
from relembra.minds.offline.reader.portuguese.wording import composed

__all__ = ["Speak", "bare", "both", "compiled", "mine", "say", "theirs"]

Speak = Callable[[re.Match[str], Clause, Who | None], Iterable[Said]]
"""What a match says of somebody; None: of the speaker."""

_FORMS = re.compile(r"\{((?:[^{}/]|\{[\d,]+\})+)/((?:[^{}]|\{[\d,]+\})*)\}")


_WE = re.compile(
    r"(?<![a-z])(?:(?<!da )(?<!pra )(?<!com )a\sgente)\s(?:(?:ja|tambem|tb|so|sempre|ainda|agora|"
    r"se|nao|n|finalmente|acabou\sde)\s){0,3}$"
)
_NEVER = re.compile(r"(?<![a-z])(?:nunca|jamais|nem)\s$")


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern whose blanks are any blank."""
    return re.compile(pattern.replace(" ", r"\s"))


_SMALL = frozenset(
    listed(
        "de do da dos das em no na nos nas um uma uns umas me se te que pra para pro com sem por "
        "ao aos as os ou eu ele ela nao ja so mais muito mto meu minha meus minhas ano anos dia "
        "dias mes hoje ontem agora la aqui tambem tb bem foi esta ta to tem ser ter semana passada "
        "passado num numa vez toda todo como este esse essa esta sao era quando del antes depois "
        "ate vc voce sempre bastante pouco meio super quase pelo pela extremamente demais ainda "
        "atualmente totalmente muita novo nova completamente realmente uma tudo isso gente mesmo "
        "mesma tanto certo pouca"
    )
)
_HEAD_VERB = re.compile(r"(?<=[|:{/(])(esta|ta|to|era|sao|foi|tem)(?=[ |])(?! (?:e|de|o|a) )")
_EITHER = re.compile(r"([a-z]+)\[([a-z]{2,3})\](s?)")
_NOT_LITERAL = re.compile(r"\\[a-zA-Z]|\(\?P<\w+>|\(\?[:=!]|\(\?<[=!]|\{[\d,]+\}")


def _triggers(listed: str, pattern: str) -> frozenset[str]:
    """The words listed, and those of the verb forms a pattern opens with."""
    head = pattern[: pattern.find("(?P<v>")] if "(?P<v>" in pattern[12:] else pattern
    head = _NOT_LITERAL.sub(" ", head)
    if len(re.findall(r"[a-z]{3,}", head)) < 3:
        head = _NOT_LITERAL.sub(" ", pattern)
    words = set(re.findall(r"[a-z]{2,}", _EITHER.sub(_both_genders, head)))
    heads = set(_HEAD_VERB.findall(pattern))
    return frozenset(listed.split()) | heads | {word for word in words if word not in _SMALL and len(word) > 2}


def _both_genders(match: re.Match[str]) -> str:
    return " ".join(match[1] + ending + match[3] for ending in match[2])


def mine(name: str, triggers: str, pattern: str, speak: Speak, *, denied: bool = False) -> list[Rule]:
    """A rule about the speaker; `denied`: it reads the denial itself."""
    first = _FORMS.sub(lambda forms: f"(?:{forms[1]})", pattern)

    def build(match: re.Match[str], clause: Clause) -> Iterable[Said]:
        before = clause.flat[: match.start()]
        if (denied and _NEVER.search(before)) or (_IMPERFECT.match(match[0]) and _of_another(clause, before)):
            return ()
        return _lasting(speak(match, clause, None), clause)

    return [Rule(name, _triggers(triggers, first), compiled(rf"(?<![\w-]){first}"), build, negatable=denied)]


_HELD = frozenset(
    listed(
        "residence employment occupation study marital_status condition medication diet religion habit possession "
        "contract client project likes dislikes language skill"
    )
)


_BESIDES_BEFORE = re.compile(
    r"(?<![a-z])(?:alem\sd[eoa]\w*|em\sparalelo|nas\shoras\svagas|nos?\s(?:fins?|final|finais)\sde\ssemana|"
    r"aos\s(?:fins\sde\ssemana|sabados|domingos))(?![a-z])"
)
_BESIDES = re.compile(
    r"(?<![a-z])(?:(?<!\se\s)(?:tambem|tb|tbm)|alem\sd[eoa]\w*|de\squebra|em\sparalelo|paralelamente|nas\shoras\svagas|"
    r"nos?\s(?:fins?|final|finais)\sde\ssemana|aos\s(?:fins\sde\ssemana|sabados|domingos)|de\sbico|um\sbico|bicos?|"
    r"segund[oa]\s(?:emprego|trabalho|casa|renda|trampo)|renda\sextra|como\sextra|um\sextra|meio\speriodo\stambem|"
    r"parte\sdo\s(?:ano|mes))(?![a-z])"
)
_SINGLE = frozenset(["employment", "residence"])  # a new one would end the one before
_ADDED = _SINGLE | {"occupation", "diet", "religion", "habit"}


def _beside(said: Iterable[Said], clause: Clause) -> Iterable[Said]:
    """What was said, ending nothing where it is added: "também trabalho na Uber", "nos fins de semana sou DJ"."""
    if not _BESIDES.search(clause.flat) and not _BESIDES_BEFORE.search(clause.earlier[-40:]):
        return said
    return [
        replace(one, changed=False, attribute=None if one.attribute in _SINGLE else one.attribute)
        if one.attribute in _ADDED
        else one
        for one in said
    ]


def _lasting(said: Iterable[Said], clause: Clause) -> Iterable[Said]:
    """What was said, held from when the words say: "moro em Natal desde 2019"."""
    said = _beside(said, clause)
    if "desde" not in clause.flat:
        return said
    begun = since(clause)
    if begun is None:
        return said
    return [replace(one, held_from=begun) if one.held_from is None and one.attribute in _HELD else one for one in said]


_IMPERFECT = re.compile(
    r"(?:antes\s)?(?:era|tinha|morava|vivia|trabalhava|fumava|bebia|gostava|adorava|amava|curtia|"
    r"odiava|detestava|jogava|corria|"
    r"treinava|nadava|costumava|tocava|lutava|dancava|pedalava|malhava|surfava)(?![a-z])"
)
_MERE = re.compile(
    r"\W*(?:(?:e|mas|que|eu|antes|antigamente|ja|so|tambem|tb|ate|naquela\sepoca|na\sepoca|"
    r"em\s\d{4}|la|entao|quando\s(?:crianca|"
    r"jovem|pequen[oa]|mais\snov[oa])|lembrei|agora|sempre|nao|n|nunca|ainda|ha\s\w+\sanos|"
    r"ano\spassado|eu\sque|la\sem\s\w+)[\s,:]+)*"
)


def _of_another(clause: Clause, before: str) -> bool:
    """Whether a verb that is the same in both persons may have somebody else for its subject."""
    if re.search(r"(?<![a-z])eu\s(?:\w+\s){0,2}$", before):
        return False
    return bool(clause.who and clause.who.name) or not _MERE.fullmatch(before)


def theirs(
    name: str, triggers: str, pattern: str, speak: Speak, *, denied: bool = False, shared: bool = False
) -> list[Rule]:
    """A rule about whom the clause is about; `shared`: also about the speaker, as "a gente"."""
    third = _FORMS.sub(lambda forms: f"(?:{forms[2]})", pattern)

    def build(match: re.Match[str], clause: Clause) -> Iterable[Said]:
        if denied and _NEVER.search(clause.flat[: match.start()]):
            return ()
        who = about_whom(clause, match.start(), match)
        if who is None and shared and _WE.search(clause.flat[: match.start()]):
            return _lasting(speak(match, clause, None), clause)  # "a gente mora": the speaker among others
        return () if who is None else _lasting(speak(match, clause, who), clause)

    return [
        Rule(
            f"{name} (of another)", _triggers(triggers, third), compiled(rf"(?<![\w-]){third}"), build, negatable=denied
        )
    ]


def both(name: str, triggers: str, pattern: str, speak: Speak, *, denied: bool = False) -> list[Rule]:
    return [
        *mine(name, triggers, pattern, speak, denied=denied),
        *theirs(name, triggers, pattern, speak, denied=denied, shared=True),
    ]


def bare(name: str, triggers: str, pattern: str, speak: Speak, *, denied: bool = False) -> list[Rule]:
    """A rule about the speaker by words that name no subject ("casada, dois filhos"): only where nobody else was met."""

    def build(match: re.Match[str], clause: Clause) -> Iterable[Said]:
        return speak(match, clause, None) if _nobody_else(clause, match.start()) else ()

    return [Rule(name, _triggers(triggers, pattern), compiled(rf"(?<![\w-]){pattern}"), build, negatable=denied)]


_FILLER = re.compile(
    r"\W*(?:(?:oi|ola|e|mas|ah|entao|bom|so|ja|aqui|aq|eu|tipo|cara|mano|gente|olha|oficialmente|hoje|hj|agora|"
    r"atualmente|infelizmente|felizmente|ainda|sim|como|por\ssinal|alias|lembrando|obs|ps|info|detalhe|finalmente|"
    r"enfim|bem|muito|super|meio|completamente|totalmente|pq|porque|pois|ja\sque|visto\sque|uma\svez\sque)\W+)*"
)
_OF_MYSELF = re.compile(
    r"(?<![a-z])(?:sou|tenho|moro|trabalho|me\schamo|chamo-me|estou|to|tou|faco|estudo|eu|anos|anos\sde\sidade|"
    r"nasci|vivo|aqui|(?:pra|para)\smim|comigo|altura|me\s\w+ar)(?![a-z])"
)


def _nobody_else(clause: Clause, at: int) -> bool:
    """Whether words without a subject can only be about the speaker: they open the clause, or go on about them."""
    scene = clause.who
    if isinstance(scene, Scene) and (scene.name or scene.cast):
        return False
    before = clause.flat[:at]
    if "é" in clause.raw[:at].lower() or (clause.earlier.strip() and not _OF_MYSELF.search(clause.earlier)):
        return False  # "a Anitta nasceu no Rio e é vegana"
    return bool(_FILLER.fullmatch(before)) or (
        before.rstrip(" ").endswith((",", " e", "(", "-", ":", "/", "|")) and bool(_OF_MYSELF.search(before))
    )


def say(who: Who | None, attribute: str | None, value: str | None, phrase: str | None = None, **more: object) -> Said:
    """One thing said of somebody; `phrase`: its predicate in the third person ("mora em Recife")."""
    said = Said(attribute=attribute, value=value)
    if who is not None:
        said = replace(said, subject=who.name, relation=who.relation)
    said = replace(said, **more)  # type: ignore[arg-type]  # fields by name
    return replace(said, content=composed(said, phrase)) if phrase else said
