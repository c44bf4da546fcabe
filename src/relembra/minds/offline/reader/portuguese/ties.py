"""Who is who: people and animals by name, and what each is to the speaker."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.knowledge import KnowledgeType
from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Build, Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.ailments import IS_ILL
from relembra.minds.offline.reader.portuguese.building import compiled, mine, say
from relembra.minds.offline.reader.portuguese.people import MYSELF_BEFORE, Scene, name_at, people_in, whose
from relembra.minds.offline.reader.portuguese.values import is_new, span
from relembra.minds.offline.reader.portuguese.vocabulary import DEMONYM, DIET, MINE, NUMBER, RELATION, TRADE
from relembra.minds.offline.reader.portuguese.wording import tied

__all__ = ["TIES", "tie"]

_SINGULAR = {
    "filhos": "filho",
    "filhas": "filha",
    "irmaos": "irmão",
    "irmas": "irmã",
    "gatos": "gato",
    "gatas": "gata",
    "cachorros": "cachorro",
    "caes": "cão",
    "netos": "neto",
    "netas": "neta",
    "primos": "primo",
    "primas": "prima",
    "tios": "tio",
    "amigos": "amigo",
    "amigas": "amiga",
    "sobrinhos": "sobrinho",
    "sobrinhas": "sobrinha",
    "colegas": "colega",
    "gemeos": "filho",
    "gemeas": "filha",
    "avos": "avô",
    "pais": "pai",
    "cunhados": "cunhado",
    "tias": "tia",
    "sogros": "sogro",
    "vira-latas": "vira-lata",
}


def tie(name: str, relation: str, *, changed: bool = False) -> Said:
    """Somebody by name and what they are to the speaker; an "ex" is so no longer."""
    former = relation.startswith("ex-") or relation == "ex"
    person = {"name": name, "relation": relation}
    return Said(
        attribute="former_relation" if former else "relation",
        value=relation,
        subject=name,
        relation=relation,
        type=KnowledgeType.PERSON,
        content=tied(name, relation),
        changed=changed,
        person=person,
    )


def _singular(relation: str, name: str, *, female: bool = False) -> str:
    """The tie of one of several; a plural may be of both genders, and the name or its article tells."""
    flat = flattened(relation).text
    plural = flat.endswith("s") and flat not in {"tres", "siames", "maltes"}
    one = _SINGULAR.get(flat, relation[:-1] if plural else relation)
    mixed = flat in {"filhos", "irmaos", "primos", "netos", "sobrinhos", "amigos", "gemeos"}
    if mixed and (female or flattened(name).text.endswith("a")):
        return {"irmão": "irmã"}.get(one, one[:-1] + "a")
    return one


_AND_NAME = re.compile(r"(?:\s?,|\se)\s(?:[oa]\s)?")


_IN_BRACKETS = re.compile(r"(?P<name>[A-ZÀ-Þ][\w'’-]+)\s?\(\s*$")


def _ties(_match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """Everyone given with tie and name in the clause; after a plural, all that are listed."""
    for person, start, end in people_in(clause.raw, clause.flat):
        if person.relation is None or not person.name[0].isupper():
            before = _IN_BRACKETS.search(clause.message, max(0, clause.offset - 40), clause.offset)
            if before and person.relation and not clause.raw[:start].strip():
                yield tie(before["name"], person.relation)
            yield from _listed_names(clause, person.relation or "", end)
            continue
        if not clause.flat[start:].startswith(("tem ", "tinha ")):
            yield tie(person.name, _singular(person.relation, person.name))
        if flattened(person.relation).text.endswith("s"):
            at = clause.raw.find(person.name, start) + len(person.name)
            yield from _more_names(clause, person.relation, at)


def _listed_names(clause: Clause, relation: str, at: int) -> Iterator[Said]:
    """ "Tenho dois gatos, Mia e Frajola", "meus filhos: Ana e Davi", "minhas irmãs são a Ana e a Bia"."""
    flat_relation = flattened(relation).text
    if not flat_relation.endswith("s"):
        return
    lead = re.match(
        r"(?:\s(?:d[oae]s?\s)?(?!e\s|sao\s|que\s|se\s|cham)[a-zà-ÿ-]+){0,3}?\s?[,:(-]\s?(?:[oa]\s)?(?=[A-ZÀ-Þ])|"
        r"\s?[,:(-]\s?(?:[oa]\s)?|\s(?:(?:que\s)?se\s)?cham(?:am|ados|adas)(?:-se)?\s(?:de\s)"
        r"?(?:[oa]\s)?|\s(?:sao)\s(?:[oa]\s)?|\s(?=[A-ZÀ-Þ])",
        clause.raw[at:],
    )
    if not lead:
        return
    found = name_at(clause.raw, clause.flat, at + lead.end(), told="cham" in lead[0])
    if not found or (clause.raw[found[0]].islower() and "cham" not in lead[0]):
        return
    name = clause.raw[slice(*found)]
    yield tie(name if name[0].isupper() else name.title(), _singular(relation, name))
    yield from _more_names(clause, relation, found[1])


def _more_names(clause: Clause, relation: str, at: int) -> Iterator[Said]:
    for _ in range(6):
        joined = _AND_NAME.match(clause.flat, at)
        found = name_at(clause.raw, clause.flat, joined.end(), told=False) if joined else None
        if not found:
            return
        name = clause.raw[slice(*found)]
        female = bool(joined) and clause.flat[found[0] - 3 : found[0]] == " a "
        yield tie(name if name[0].isupper() else name.title(), _singular(relation, name, female=female))
        at = found[1]


def _is_my(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "A Clara é minha irmã", "Bianca, minha namorada"."""
    if clause.raw[match.start() : match.start() + 3] == " e ":
        return  # "Clara e minha irmã": and, not is
    before = clause.raw[: match.start()]
    words = re.search(r"(?P<name>[A-ZÀ-Þ][\w'’-]+)\sd[oae]s?\s[\w'’-]+$", before) or re.search(
        r"(?P<name>[A-ZÀ-Þ][\w'’-]+(?:\s[A-ZÀ-Þ][\w'’-]+){0,2})$", before
    )
    if words is None:
        lower = re.search(r"(?:^|\s)(?:[oa])\s(?P<name>[a-zà-ÿ]{3,})$", clause.raw[: match.start()])
        words = lower if lower and name_at(clause.raw, clause.flat, lower.start("name")) else None
    if words is None:
        return
    found = name_at(clause.raw, clause.flat, words.start("name"), told=True)
    if found is None or ("," in match[0] and MYSELF_BEFORE.search(clause.flat, 0, words.start("name"))):
        return  # "aqui é a Dalva, minha neta que instalou isso": the name is the speaker's
    name = clause.raw[slice(*found)]
    relation = clause.raw[slice(*match.span("relation"))].lower()
    if match["melhor"]:
        relation = f"{'ex-' if match['melhor'].startswith('ex') else 'melhor '}{relation}"
    if not relation.endswith("s") or relation in {"bestie"}:
        yield tie(name if name[0].isupper() else name.title(), relation, changed=is_new(clause))


def _her_name(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "O nome dela é Otília": the tie met before gets its name."""
    person = whose(clause, match["pronoun"])
    found = name_at(clause.raw, clause.flat, match.end(), told=True)
    if person and person.relation and not person.name[0].isupper() and found:
        name = clause.raw[slice(*found)]
        yield tie(name if name[0].isupper() else name.title(), person.relation)


def _name_of(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "O nome da minha gata é Mia"."""
    found = name_at(clause.raw, clause.flat, match.end(), told=True)
    if found:
        name = clause.raw[slice(*found)]
        yield tie(name if name[0].isupper() else name.title(), clause.raw[slice(*match.span("relation"))].lower())


def _called(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Se chama Thor" of an animal or tie that the clause before brought in."""
    scene = clause.who
    found = name_at(clause.raw, clause.flat, match.end(), told=True)
    if not isinstance(scene, Scene) or not found:
        return
    person = scene.closing or next((one for one in scene.cast if one.name == (scene.name or one.name)), None)
    if person and person.relation and not person.name[0].isupper():
        owner = rf"(?<![a-z])d[aoe]s?\s{MINE}\s{re.escape(flattened(person.relation).text)}(?![a-z])"
        if re.search(owner, flattened(clause.message).text):
            return  # "a gata da minha irmã pariu … chama Paçoca"
        name = clause.raw[slice(*found)]
        yield tie(name if name[0].isupper() else name.title(), _singular(person.relation, name))


def _married_to(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    found = name_at(clause.raw, clause.flat, match.end())
    if not found or who is not None:
        return
    name = clause.raw[slice(*found)]
    name = name if name[0].isupper() else name.title()
    female = match["article"] == "a" if match["article"] else flattened(name).text.endswith("a")
    verb = match["verb"]
    if "namor" in verb or "fico com" in verb or "pedi em namoro" in verb:
        relation = "namorada" if female else "namorado"
    elif "noiv" in verb or "pedi" in verb:
        relation = "noiva" if female else "noivo"
    else:
        relation = "esposa" if female else "marido"
    yield tie(name, relation, changed=is_new(clause) or "casei" in verb)


def _aged(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Minha filha Lia, de 4 anos, …"."""
    for person, start, end in people_in(clause.raw, clause.flat):
        if start <= match.start() and match.start("v") <= end:
            if (
                not person.name[0].isupper()
                and isinstance(clause.who, Scene)
                and clause.who.relation == person.relation
            ):
                yield say(clause.who, "age", span(clause, match), f"tem {span(clause, match)}")
                return
            yield say(person, "age", span(clause, match), f"tem {span(clause, match)}")
            return


def _presupposed(name: str, triggers: str, pattern: str, build: Build) -> Rule:
    """A rule about who is who, which holds inside a question too."""
    return Rule(name, frozenset(triggers.split()), compiled(pattern), build, negatable=True, presupposed=True)


_OWN = "meu minha meus minhas nosso nossa nossos nossas"


_CHILD = {
    "mae": "filh",
    "pai": "filh",
    "avo": "net",
    "tia": "sobrinh",
    "tio": "sobrinh",
    "madrinha": "afilhad",
    "padrinho": "afilhad",
}


def _parent_of(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Sou mãe do Davi e da Ana"."""
    at = match.end()
    while found := name_at(clause.raw, clause.flat, at):
        if not clause.raw[found[0]].isupper():
            return
        name = clause.raw[slice(*found)]
        female = flattened(clause.raw[at - 2 : at]).text == "a " or flattened(name).text.endswith("a")
        stem = _CHILD.get(match["role"])
        yield tie(name, f"{stem}{'a' if female else 'o'}" if stem else "pet")
        joined = re.match(r"(?:\s?,|\se)\sd[eoa]\s", clause.flat[found[1] :])
        if not joined:
            return
        at = found[1] + joined.end()


def _all_aged(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Gêmeas, a Maitê e a Lorena, 6 aninhos": the age of all that were just listed."""
    listed = [one for one in _ties(match, clause) if one.attribute == "relation"]
    if len(listed) > 1 and not re.search(r"\d\se\s$", clause.flat[: match.start("v")]):
        value = span(clause, match)
        for one in listed:
            yield say(Who(one.subject, one.relation), "age", value, f"tem {value}")


_APPOSED = re.compile(
    rf"(?P<mark>\s?,\s|\s\(|\s)(?:que\s(?:e|eh)\s)?(?:uma?\s)?(?:(?P<condition>{IS_ILL})|(?P<diet>{DIET})|"
    rf"(?P<nationality>{DEMONYM})|"
    rf"(?P<marital_status>viuv[oa]|divorciad[oa]|solteir[oa])|"
    rf"(?P<occupation>{TRADE}))(?![a-z-])(?!\s(?:favorit|preferid|particular|da\sfamilia))"
)
_A_TRADE = re.compile(TRADE)


def _apposed(_match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Minha cunhada, contadora, …", "meu filho autista": what stands right beside the one it is said of."""
    for person, start, end in people_in(clause.raw, clause.flat):
        after = _APPOSED.match(clause.flat, end)
        if after is None or not person.relation or _A_TRADE.match(flattened(person.relation).text):
            continue
        if person.relation.endswith("s") or (
            after["mark"] == " " and person.name in clause.raw[start:end] and person.name[0].isupper()
        ):
            continue
        attribute = str(after.lastgroup)
        value = clause.raw[slice(*after.span(attribute))]
        yield say(person, attribute, value, f"é {value}")


def _named_by_me(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Uma vira-lata caolha que batizei de Pirata"."""
    found = name_at(clause.raw, clause.flat, match.end(), told=True)
    if found and clause.raw[found[0]].isupper():
        yield tie(clause.raw[slice(*found)], clause.raw[slice(*match.span("relation"))].lower())


_DAY = re.compile(
    r"[\s,]*(?:(?:e|eh|cai|sera|em|no|dia|comemoramos)\s)*(?P<v>\d{1,2}\s?(?:/\d{1,2}|de\s(?:janeiro|"
    r"fevereiro|marco|abril|"
    r"maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)))"
)


def _birthday_of(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "O aniversário do meu marido, o Valdir, em 19 de setembro"."""
    for person, start, end in people_in(clause.raw, clause.flat):
        day = _DAY.match(clause.flat, end)
        if start == match.end() and day:
            value = span(clause, day)
            yield say(person, "birthday", value, f"faz aniversário em {value}")


_CHILD_AGED = re.compile(
    r"(?P<article>[oa])\s(?P<name>[a-z]{3,})\s?(?:,\s?|\(|)(?:de|com|tem)?\s?(?P<age>\d{1,2})(?!\d|/|:|h)"
)


def _children_aged(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Tenho um casal: a Bia de 9 e o Otávio de 4"."""
    stem = _STEMS.get(match["kin"], "filh")
    found = [
        one
        for one in _CHILD_AGED.finditer(clause.flat, match.end())
        if clause.raw[one.start("name")].isupper() and name_at(clause.raw, clause.flat, one.start("name"))
    ]
    if match["kin"] == "casal" and found:
        yield say(None, "children", "um casal", "tem um casal de filhos (dois filhos)")
    for one in found:
        name = clause.raw[slice(*one.span("name"))]
        relation = stem + ("a" if one["article"] == "a" else "o")
        yield tie(name, relation)
        yield say(Who(name, relation), "age", f"{one['age']} anos", f"tem {one['age']} anos")


_STEMS = {"netos": "net", "netas": "net", "sobrinhos": "sobrinh", "sobrinhas": "sobrinh"}


TIES: list[Rule] = [
    _presupposed(
        "children, each aged",
        "casal filhos filhas netos netas sobrinhos sobrinhas",
        r"(?<![a-z])(?:(?:tenho|temos) (?:um |dois |duas |tres |quatro |\d )?(?=\w+)|meus |minhas )(?P<kin>casal|filhos|filhas|netos|"
        r"netas|sobrinhos|sobrinhas)(?: de filhos| de filhotes| pequenos)?(?:[:,(-]| sao|,? que sao) ?(?=(?:[oa] )[a-z]+)",
        _children_aged,
    ),
    _presupposed(
        "named by me",
        "batizei batizamos chamei apelidei chamamos nome",
        rf"(?<![a-z])(?P<relation>{RELATION})(?: \w+){{0,2}},? (?:(?:que|q) (?:eu )?(?:batizei|batizamos|chamei|"
        rf"apelidei|chamamos)(?: (?:ele|ela))? (?:de |como )?|(?:a )?(?:que|quem) (?:dei|demos) o nome de |de nome )"
        rf"(?:[oa] )?",
        _named_by_me,
    ),
    _presupposed(
        "birthday of a tie", "aniversario niver", r"(?:aniversario|niver) d[oa]s? (?=meu|minha)", _birthday_of
    ),
    _presupposed(
        "apposed",
        f"{_OWN} tenho temos",
        rf"(?<![a-z])(?:{MINE}|(?:tenho|temos) (?:um|uma)) (?:\w+ )?{RELATION}(?![\w-])",
        _apposed,
    ),
    _presupposed(
        "tie",
        f"{_OWN} dona seu sou aqui daqui casa tenho temos tem adotei ganhei adotamos resgatei criei criamos "
        f"peguei comprei",
        rf"(?:{MINE}|sou (?:mae|pai) d[eao]s?|[oa](?= \w+ (?:aqui|daqui|de casa|la de casa) )|[oa](?= "
        rf"\w+ ?, (?:dona|seu) )|(?:tenho|"
        rf"temos|em casa tem|a gente tem|adotei|adotamos|ganhei|resgatei|peguei|comprei|criei|criamos|perdi) "
        rf"(?:um|uma|"
        rf"dois|duas|tres|quatro|\d)) "
        rf"(?:\w+[ -])?{RELATION}(?![\w-])",
        _ties,
    ),
    _presupposed(
        "is my",
        f"{_OWN} irma irmao mae pai filha filho tia tio prima primo esposa marido",
        rf"(?: (?:e|eh|era|virou|foi) (?:(?:[oa] )?{MINE} |(?=ex-))|, ?(?:[oa] )?{MINE} |, (?=(?:irma|"
        rf"irmao|mae|pai|filh[oa]|ti[oa]|prim[oa]|espos[oa]|marido|namorad[oa]|sogr[oa]|cunhad[oa]) "
        rf"?(?:do meio|cacula|mais (?:velh|nov)[oa])?(?:,|$)))(?:(?P<melhor>melhor|ex)[ -]|querid[oa] |"
        rf"nov[oa] |atual )?(?P<relation>{RELATION})(?![\w-])",
        _is_my,
    ),
    _presupposed(
        "kin by name",
        "tia tio titia titio vo vovo avo madrinha padrinho prima primo cunhada cunhado comadre compadre mana mano "
        "dinda dindo sogra sogro nona nonna oma bisa biso",
        r"(?<![a-z-])(?:ti[oa]|titi[oa]|vo|vovo|avo|madrinha|padrinho|prim[oa]|cunhad[oa]|comadre|compadre|man[oa]|"
        r"dind[oa]|sogr[oa]|nonn?a|oma|bis[ao]) (?=[a-z])",
        _ties,
    ),
    _presupposed("her name", "nome", r"(?<![a-z])nome d(?P<pronoun>el[ea]) (?:e|eh|era) ", _her_name),
    _presupposed(
        "name of",
        "nome",
        rf"(?<![a-z])nome d[oae]s? {MINE} (?P<relation>{RELATION}) (?:e|eh|era|:) (?:[oa] )?",
        _name_of,
    ),
    _presupposed(
        "called",
        "batizei chamei batizamos nome chamar chama chamado chamada",
        r"^(?:\W*(?:e|que|ele|ela|so|ja))?\W*(?:(?:se )?chama(?:-se)?|chamad[oa]|(?:batizei|chamei|"
        r"batizamos|apelidei)(?: (?:ele|ela))? de|(?:dei|demos|botei|pus|coloquei) o nome de|ganhou o "
        r"nome de|vai se chamar) (?:[oa] )?",
        _called,
    ),
    _presupposed(
        "aged",
        f"{_OWN} tenho temos anos meses aninhos",
        rf"(?<![a-z])(?:{MINE}|(?:tenho|temos) (?:um|uma)) .{{2,40}}?(?: (?:de|com)|,) (?P<v>{NUMBER} "
        rf"(?:anos|aninhos|meses))(?! (?:de|que|atras))",
        _aged,
    ),
    *mine(
        "partner",
        "casada casado casei namoro noiva noivo casamos noivei namorando ficando",
        r"(?P<verb>(?:sou|estou|to|tou) (?:casad[oa]|noiv[oa])|(?:me )?casei(?:-me)?|casamos|namoro|"
        r"(?:estou|to|tou|comecei a|a) namora(?:ndo|r)|noivei|fiquei noiv[oa]|vivo junto|moro junto|vivo em "
        r"uniao (?:de facto|estavel))(?: (?:ontem|sabado|domingo|hoje|semana passada|ano passado|"
        r"mes passado|em \d{4}|ha [\w ]{3,12}|faz [\w ]{3,12}))?(?: com)? (?:(?P<article>[oa]) )"
        r"?(?=[a-z])",
        _married_to,
    ),
    *mine(
        "parent of",
        "mae pai avo tia tio madrinha padrinho dona dono tutora tutor",
        r"(?:sou|eu sou) (?:[oa] )?(?P<role>mae|pai|avo|tia|tio|madrinha|padrinho|dona|dono|tutora?)(?: "
        r"(?:solo|solteir[oa]|corujas?|babao|babona|orgulhos[oa]|feliz))? "
        r"d[eoa] (?=[a-z])",
        _parent_of,
    ),
    _presupposed(
        "all aged",
        "anos aninhos meses",
        rf", (?:(?:os|as) (?:dois|duas|tres) com |ambos com )?(?P<v>{NUMBER} (?:anos|aninhos|meses))"
        rf"(?: cada)?\W*$",
        _all_aged,
    ),
]
