"""Who is meant: the people a message names, and whom each of its clauses is about.

A person is a tie ("minha irmã", "minha irmã Clara"), a first name, or a pronoun that can mean only one of those met so
far. Where two could be meant, nobody is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from relembra.minds.offline.flat import flattened, listed
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.people import AMBIGUOUS_NAMES, FIRST_NAMES, NOT_PEOPLE
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Who
from relembra.minds.offline.reader.portuguese.guards import speaks_of_self
from relembra.minds.offline.reader.portuguese.vocabulary import (
    ADVERBS,
    CREED,
    DEMONYM,
    DIET,
    MINE,
    NUMBER,
    RELATION,
    TRADE,
)
from relembra.minds.offline.reader.portuguese.wording import feminine

__all__ = ["MYSELF_BEFORE", "Person", "Scene", "about_whom", "name_at", "people_in", "person_at", "whom", "whose"]


@dataclass(frozen=True, slots=True)
class Person(Who):
    """Somebody met in the message; `feminine` None: either."""

    feminine: bool | None = None


@dataclass(frozen=True, slots=True)
class Scene(Who):
    """Whom a clause is about (no name: nobody), and who else has been met so far, latest first."""

    end: int = 0  # where the subject ends in the clause
    spoken: bool = False  # the clause names its subject
    cast: tuple[Person, ...] = ()
    closing: Person | None = None  # whose mention ends the clause
    relative: bool = False  # the clause is about its antecedent, and the one before goes on after it
    alone: bool = False  # the clause is nothing but its subject


_KNOWN = (FIRST_NAMES["pt"] | FIRST_NAMES["en"]) - STOP_WORDS
_UPPER = "A-ZÀ-ÖØ-ÞŠŽ"
_CAPITAL = rf"[{_UPPER}][\w'’]*(?:-[{_UPPER}]\w+)?"
_FULL = re.compile(rf"{_CAPITAL}(?:\s(?:(?:da|de|do|das|dos)\s)?{_CAPITAL}){{0,3}}")
_LOWER = re.compile(r"[a-zà-ÿ]{2,}")
_TITLE = r"(?:(?:dra?\.?|sra?\.?|dona|seu|prof\.?|profa\.?|professora?|tia|tio|vovo|vo|doutora?)\s)?"
_DETERMINER = (
    rf"(?:(?:[oa]s?\s)?{MINE}|(?:tenho|temos|(?:a\sgente|em\scasa)\stem|adotei|adotamos|ganhei|"
    rf"ganhamos|resgatei|peguei|"
    rf"criei|criamos|comprei)\s(?:so\s)?"
    r"(?:um|uma|dois|duas|tres|quatro|\d)|[oa](?=\s(?:sogr[oa]|mae|pai|chefe|patroa|patrao|irma|irmao|"
    r"filh[oa]|marido|mulher|"
    r"espos[oa]|vizinh[oa]|cunhad[oa])\s?,\s(?:dona|seu|[oa])\s)|sou\s(?:mae|pai)\sd[eao]s?|"
    r"[oa](?=\s\w+\s(?:aqui|daqui|"
    r"de\scasa|la\sde\scasa)\s))"
)
_TIE = re.compile(
    rf"(?<![\w-]){_DETERMINER}\s(?:(?P<melhor>melhor(?:es)?|ex)[\s-]|querid[oa]\s|velh[oa]\s|amad[oa]\s|"
    rf"saudos[oa]\s|finad[oa]\s|outr[oa]\s|primeir[oa]\s|"
    rf"nov[oa]\s|atual\s|futur[oa]\s|falecid[oa]\s|"
    r"grande\s|antig[oa]\s|proprio\s|propria\s|segund[oa]\s)?"
    rf"(?P<relation>{RELATION})(?![\w-])"
    r"(?:\s(?:mais\s(?:velh[oa]s?|nov[oa]s?)|menor(?:es)?|maior(?:es)?|cacula|d[oae]s?\s(?:trabalho|faculdade|facul|infancia|"
    r"quarto|escola|trampo|"
    r"ape|apartamento|republica|turma|time|equipe|sala|corrida|treino|yoga|banda|departamento|"
    r"setor|pos|mestrado|doutorado|igreja|academia|predio|meio|coracao|curso|servico|firma|empresa|"
    r"colegio|peito|longa\sdata|estimacao|criacao)|"
    r"pret[oa]|branc[oa]|cinza|amarel[oa]|filhote|vira-lata|caramelo|siames|persa|idos[oa]|laranja|"
    r"rajad[oa]|frajola|adolescente|aqui(?:\sde\scasa)?|daqui(?:\sde\scasa)?|(?:la\s)?de\scasa|"
    r"gemea|gemeo|matern[oa]|patern[oa]|biologic[oa]|adotiv[oa]|"
    r"(?:d[oae]s?|n[oa]s?)\s[a-z]{2,14}(?=\s(?:eh?\s[oa]|(?:se\s)?chama)\s|\s?,\s(?:[oa]|dona|seu|dra?\.?)\s[a-z])))?"
)
_NAMED = re.compile(
    rf",?\s(?:que\s)?(?:(?:se\s)?cham(?:a|ava)(?:-se)?\s|chamad[oa]s?\s|e\s[oa]\s|eh\s[oa]\s|"
    rf"[oa]\snome\sdel[ea]s?\se\s|"
    rf"(?P<plain>))(?:[oa]\s)?{_TITLE}"
)
_COMMA_NAMED = re.compile(rf"\s?[,(-]\s?(?:[oa]\s|que\se\s[oa]\s|se\schama\s|chamad[oa]\s)?{_TITLE}")
_AGED = re.compile(rf"(?:\s?,?\s(?:de|com)|\s?,)\s{NUMBER}\s(?:anos|aninhos|meses|mesinhos)\s?,?")
_OPEN = re.compile(
    r"\W*(?:(?:e|mas|ah|ahh|oi|ola|bom|entao|aqui|olha|olhe|tipo|tambem|tb|tbm|ja|so|pq|porque|"
    r"pois|gente|sim|poxa|cara|mano|"
    r"hoje|ontem|alias|infelizmente|felizmente|agora|amanha|sabe|inclusive|aff|eita|puts|putz|la|"
    r"ai|so\sque|lembrei|"
    r"enquanto|embora|ate|bom\sdia|boa\starde|boa\snoite|na\sverdade)[\s,:!]+){0,4}"
)
_PRONOUN = re.compile(r"(?P<who>el[ea])(?![\w-])")
_BARE_KIN = re.compile(
    r"(?:[oa]\s(?=(?:mainha|painho|vo|voinha|voinho|mae|pai|oma|nonna|nona|velha|vozinha)\s))?"
    r"(?P<relation>mae|mamae|papai|vovo|minha\svo|mainha|painho|voinha|voinho|vozinha|oma|nonna|nona|vo|pai)"
    r"(?=\s(?!de\s|d[oa]s?\s|e\s(?:tudo|sempre|mae|pai)|ou\s))"
)
_KIN_NAME = re.compile(
    r"(?<![\w-])(?<!\boi\s)(?<!olá\s)(?<!obrigada\s)(?<!obrigado\s)(?<!valeu\s)(?:[OoAa]\s)?"
    r"(?P<relation>[Tt]i[oa]|[Tt]iti[oa]|[Vv][óôo]|[Vv]ov[óôo]|[Aa]v[óô]|[Mm]adrinha|[Pp]adrinho|[Pp]rim[oa]|"
    r"[Cc]unhad[oa]|[Cc]omadre|[Cc]ompadre|[Mm]an[oa]|[Dd]ind[oa]|[Ss]ogr[oa]|[Nn]onn?a|[Oo]ma|[Bb]is[ao])"
    rf"\s(?P<name>{_CAPITAL})"
)
_ARTICLE = re.compile(r"(?P<article>[oa])\s(?:meu\s|minha\s|nosso\s|nossa\s)?")
_OTHERS = re.compile(r"\sd[oae]s?\s|\s(?:e|com|ou)\s(?:[oa]s?\s)?(?:meu|minha|eu|mim|noss[oa]|[A-ZÀ-Þ])")
_THIRD = re.compile(
    rf"(?:{ADVERBS}){{0,3}}(?:e|eh|esta|ta|tah|tem|tinha|era|foi|vai|mora|morava|morou|trabalha|"
    rf"trabalhava|trabalhou|faz|fez|gosta|"
    r"adora|odeia|ama|detesta|curte|prefere|toma|usa|estuda|estudou|nasceu|morreu|faleceu|casou|"
    r"ganha|sofre|fala|joga|toca|"
    r"dorme|acorda|mudou|virou|comecou|parou|quer|pretende|sonha|vende|dirige|cuida|pesa|mede|"
    r"chama|torce|vive|viveu|namora|"
    r"passou|entrou|saiu|voltou|operou|descobriu|teve|perdeu|conseguiu|aposentou|formou|separou|"
    r"divorciou|largou|come|bebe|"
    r"fuma|pratica|completa|completou|leciona|cria|canta|danca|da\saula|ensina|coleciona|treina|"
    r"corre|pinta|cozinha|"
    r"sabe|entende|apresenta|coordena|lidera|gerencia|precisa|nao|nunca|se|anda|levanta|pedala|le|"
    r"assiste|partiu|morre|adorava|odiava|surta|chora|prefere)(?![a-z-])"
)
_SAYS = re.compile(r"\b(?:disse|diz|falou|contou|descobriu|soube|avisou|confessou|falava)\s*$")
_GAP = re.compile(rf"[\s,:-]*(?:{ADVERBS}){{0,4}}[\s,]*")
_NOT_A_NAME = frozenset(
    listed(
        "tambem sempre nunca agora ainda nao ja hoje ontem que mora trabalha tem vai foi era gosta "
        "adora fez faz casou morreu nasceu ta esta se me do da de dos das e o a os as so ate quase "
        "mesmo mais bem muito acabou voltou ganhou disse falou acha quer sabe vive fica ficou "
        "virou vem veio usa toma come dorme joga toca estuda sofre anda com sem em no na por pra "
        "para eh ama odeia curte detesta prefere pode deve precisa teve perdeu passou entrou saiu "
        "deu da le ve sai parou ex menor maior pequeno pequena grande unico unica"
    )
)
_THEN_VERB = re.compile(
    r"\s(?:mora|trabalha|tem|se\schama|gosta|adora|odeia|ama|toma|estuda|nasceu|morreu|faleceu|"
    r"casou|faz|e\s(?:\w+[oa]|\w+ista|\w+e)\b|vive|"
    r"sofre|joga|toca|torce|fala)(?![a-z])"
)


_WHICH = re.compile(r"(?:mais\s(?:velh|nov)[oa]|cacula|do\smeio|gemea|gemeo|matern[oa]|patern[oa]|adotiv[oa])$")
_ARTICLE_NAME = re.compile(rf"(?<!\w)(?:[dn]|pel|com\s)?(?P<article>[OoAa])\s(?P<name>{_CAPITAL})")
_RELATIVE = re.compile(r"\s*(?:que|q)\s")
_TOGETHER = re.compile(
    r"\s(?:e|com)\s(?:[oa]s?\s)?(?:meus?|minhas?|eu|noss[oa]|[A-ZÀ-Þ]|marido|esposa|mulher|" r"filh[oa]s?|namorad[oa])"
)
_NAME_BEFORE = re.compile(rf"(?P<name>{_CAPITAL})\s?,\s$")
MYSELF_BEFORE = re.compile(r"(?<![a-z])(?:aqui\s(?:e|eh)|quem\s(?:fala|escreve)\s(?:e|eh)|sou|chamo)\s(?:[oa]\s)?$")
_PARTNER = re.compile(
    r"(?:(?:[Ss]ou|[Ee]stou|[Tt]ô|[Tt]o|[Tt]ou)\s(?:casad[oa]|namorando|noiv[oa])|(?<!\w\s)"
    r"[Cc]asei(?:-me)?|[Mm]e casei|(?<![oa]\s)(?<!eu\s)[Nn]amoro)"
    rf"(?:\scom|\sd[oa])?\s(?:(?P<article>[oa])\s)?(?P<name>{_CAPITAL})"
)
_IS_MY = re.compile(
    rf"(?:[OoAa]\s)?(?P<name>{_CAPITAL})(?:\s(?:é|eh)\s(?:[oa]\s)?(?:meu|minha|nosso|nossa)\s|"
    rf"\s?,\s(?:[oa]\s)?(?:meu|minha|nosso|nossa)?\s?)"
    rf"(?:melhor\s)?(?P<relation>irmã|irmão|mãe|avó|avô|{RELATION})(?![\w-])(?:\s(?:do\smeio|"
    rf"caçula|mais\s(?:velh|nov)[oa]))?\s?,?"
)


_TRAIT = re.compile(
    rf"(?:mais|cacula|favorit|velh|nov|gemea|preferid|falecid|querid|(?:{TRADE}|{DEMONYM}|{DIET}|"
    rf"{CREED})(?![a-z])|\w+(?:ista|ente|osa|oso)$)"
)
_OWNED = re.compile(rf"(?<![a-z]){MINE}\s(?:\w+\s)?$|(?<![a-z])(?:sua|seu|tua|teu|um|uma)\s$")


def name_at(raw: str, flat: str, at: int, *, told: bool = False) -> tuple[int, int] | None:
    """Where the name that begins here lies; `told`: the words say that a name comes."""
    match = _FULL.match(raw, at)
    if match:
        first = flat[at : match.end()].split()[0]
        if first in NOT_PEOPLE - AMBIGUOUS_NAMES or (first in _NOT_A_NAME and raw[at:].isupper()):
            return None
        if first in _NOT_A_NAME or (first in STOP_WORDS and first not in _KNOWN and not told):
            return None
        return match.span()
    match = _LOWER.match(raw, at)
    if match is None:
        return None
    word = flat[at : match.end()]
    if word in _KNOWN or (told and word not in STOP_WORDS and word not in _NOT_A_NAME):
        second = _LOWER.match(raw, match.end() + 1) if raw[match.end() : match.end() + 1] == " " else None
        if second and flat[second.start() : second.end()] in _KNOWN and word in _KNOWN:
            return at, second.end()
        return match.span()
    return None


def _titled(name: str) -> str:
    return " ".join(word if word[:1].isupper() or len(word) < 3 else word.capitalize() for word in name.split())


def person_at(raw: str, flat: str, at: int) -> tuple[Person, int] | None:
    """A tie that begins here, with its name where one is given, and where the mention ends."""
    tie = _TIE.match(flat, at)
    if tie is None:
        return _kin_by_name(raw, flat, at)
    relation = raw[slice(*tie.span("relation"))].lower()
    if tie["melhor"]:
        relation = f"{'ex-' if tie['melhor'] == 'ex' else 'melhor '}{relation}"
    end = tie.end()
    if aged := _AGED.match(flat, end):
        end = aged.end() - (flat[aged.end() - 1] == " ")
    found = _name_after(raw, flat, end)
    if (
        found
        and re.search(r"(?<![a-z])d[aoe]s?\s(?:[oa]s?\s)?$", flat[:at])
        and not re.fullmatch(r"[\s,]*(?:[oa]\s)?", flat[end : found[0]])
    ):
        found = None  # "o namorado da minha filha se chama Breno"
    if found is None:
        which = _WHICH.search(flat, tie.end("relation"), tie.end())
        name = f"{relation} {raw[which.start() : which.end()].lower()}" if which else relation
        return Person(name, relation, feminine(relation)), end
    start, finish, end = found
    name = _titled(raw[start:finish])
    if aged := _AGED.match(flat, end):
        end = aged.end() - (flat[aged.end() - 1] == " ")
    return Person(name, relation, _gender(name, relation)), end


def _kin_by_name(raw: str, flat: str, at: int) -> tuple[Person, int] | None:
    """ "Tia Lurdinha", "o vô Chico": the tie is said as a title."""
    match = _KIN_NAME.match(raw, at)
    if match is None or flat[match.start("name") : match.end("name")] in _NOT_A_NAME:
        return None
    relation = match["relation"].lower()
    return Person(match["name"], relation, feminine(relation)), match.end()


def _name_after(raw: str, flat: str, at: int) -> tuple[int, int, int] | None:
    """Start and end of the name given to a tie that ends here, and where the mention ends."""
    lead = _NAMED.match(flat, at)
    if lead and re.match(r",?\se\s", raw[at : at + 4]):
        lead = None  # "meu chefe e o João": and, not is
    if lead:
        told = lead["plain"] is None and "cham" in lead[0]
        name = name_at(raw, flat, lead.end(), told=told)
        weak = lead["plain"] is None and " e " in lead[0]  # "minha irmã é a Clara", "meu pai é o Melhor"
        if name and not (weak and flat[name[0] : name[1]].split()[0] not in _KNOWN and raw[name[0]].islower()):
            return *name, name[1] if lead["plain"] is not None else lead.start()
        lower = _LOWER.match(raw, lead.end())
        if lower and lead["plain"] is not None and not name:
            word = flat[lower.start() : lower.end()]
            plain = word not in _NOT_A_NAME and word not in STOP_WORDS and len(word) > 2
            trait = _TRAIT.match(word)
            if plain and not trait and _THEN_VERB.match(flat, lower.end()):
                return *lower.span(), lower.end()
    comma = _COMMA_NAMED.match(flat, at)
    if comma:
        name = name_at(raw, flat, comma.end())
        if name and (
            flat[name[1] : name[1] + 1] in {",", ")", "", ".", "?", "!", "-"} or flat[name[1] : name[1] + 3] == " e "
        ):
            after = name[1] + (flat[name[1] : name[1] + 1] in {",", ")"})
            return *name, after
    return None


def _gender(name: str, relation: str | None) -> bool | None:
    known = feminine(relation)
    if known is not None or not name:
        return known
    last = flattened(name.split()[0]).text[-1:]
    return {"a": True, "o": False}.get(last)


def people_in(raw: str, flat: str) -> tuple[tuple[Person, int, int], ...]:
    """Ties mentioned anywhere, with their places."""
    return _people_in(raw, flat)


@lru_cache(maxsize=64)  # several rules ask it of the same clause
def _people_in(raw: str, flat: str) -> tuple[tuple[Person, int, int], ...]:
    return tuple(_find_people(raw, flat))


def _find_people(raw: str, flat: str) -> Iterator[tuple[Person, int, int]]:
    told: set[str] = set()
    for tie in _TIE.finditer(flat):
        if found := person_at(raw, flat, tie.start()):
            person = found[0]
            told.add(person.name)
            before = (
                _NAME_BEFORE.search(raw, max(0, tie.start() - 40), tie.start())
                if not person.name[0].isupper()
                else None
            )
            if (
                before
                and before["name"] not in told  # "minha avó Perpétua, meus pais"
                and not (person.relation or "").endswith("s")
                and flattened(before["name"]).text not in _NOT_A_NAME
                and not MYSELF_BEFORE.search(flat, 0, before.start("name"))  # "aqui é a Dalva, minha neta que …"
            ):
                person = Person(before["name"], person.relation, person.feminine)
            yield person, tie.start(), found[1]
    for kin in _KIN_NAME.finditer(raw):
        if (titled := _kin_by_name(raw, flat, kin.start())) and not _OWNED.search(flat[: kin.start()]):
            yield titled[0], kin.start(), titled[1]
    for partner in _PARTNER.finditer(raw):
        female = partner["article"] == "a" if partner["article"] else _gender(partner["name"], None)
        relation = (
            ("namorada" if female else "namorado") if "namor" in partner[0] else ("esposa" if female else "marido")
        )
        yield Person(partner["name"], relation, female), partner.start(), partner.end()


def _named_at(raw: str, flat: str, at: int, cast: tuple[Person, ...]) -> tuple[Person, int] | None:
    """A first name as the subject: known as one, or met before in the message."""
    article = _ARTICLE.match(flat, at)
    start = article.end() if article else at
    title = re.match(_TITLE, flat[start : start + 14])
    start += title.end() if title else 0
    full = _FULL.match(raw, start)
    lower = None if full else _LOWER.match(raw, start)
    match = full or lower
    if match is None:
        return None
    words = flat[start : match.end()].split()
    for one in cast:
        if flattened(one.name).text.split()[0] == words[0]:
            return one, start + (len(words[0]) if lower or len(words) > 1 else match.end() - start)
    name = raw[start : match.end()]
    if words[0] not in _KNOWN or words[0] in NOT_PEOPLE - AMBIGUOUS_NAMES:
        return None
    if len(words) > 1 and not all(word in _KNOWN for word in words):
        return None  # a full name without a tie is more often somebody famous
    if words[0] in AMBIGUOUS_NAMES and (article is None or lower):
        return None
    if lower and article is None:
        return None
    female = article["article"] == "a" if article else _gender(name, None)
    return Person(_titled(name), None, female), match.end()


def whom(clause: Clause, before: Who | None) -> Who | None:
    """Whom a clause is about if its verb is in the third person, and who is known of after it."""
    scene = before if isinstance(before, Scene) else Scene("")
    raw, flat = clause.raw, clause.flat
    met = [(person, end) for person, _, end in people_in(raw, flat)]
    opening = _OPEN.match(flat)
    at = opening.end() if opening else 0
    if accented := re.match(r"\W*(?=[éÉ]\s)", raw):
        at = accented.end()
    subject, end, spoken = _subject(clause, scene, at)
    closing = next((person for person, ends in met if re.fullmatch(r"[\s,.!]*(?:eh?)?[\s,.!]*", flat[ends:])), None)
    known = (subject, *scene.cast) if subject else scene.cast
    if closing and not closing.name[0].isupper():
        closing = _met_before(closing, known)
    cast = _cast(
        ([subject] if subject else []) + [_met_before(one, known) for one, _ in reversed(met)],
        (*_by_name(raw), *scene.cast),
    )
    if subject is None:
        closing = closing or _loose_closing(clause, cast)
        cast = _cast([closing] if closing else [], cast)
        return Scene("", None, at, False, cast, closing if speaks_of_self(flat, at) or clause.muted else None)
    relative = bool(_RELATIVE.match(flat))
    alone = spoken and not flat[end:].strip(" ,.!")
    return Scene(subject.name, subject.relation, end, spoken, cast, closing, relative, alone)


def _by_name(raw: str) -> list[Person]:
    """First names with their article, whoever they are: "o João"."""
    found = _ARTICLE_NAME.finditer(raw)
    return [
        Person(one["name"], None, one["article"].lower() == "a")
        for one in found
        if flattened(one["name"]).text in _KNOWN and flattened(one["name"]).text not in NOT_PEOPLE
    ]


def _loose_closing(clause: Clause, cast: tuple[Person, ...]) -> Person | None:
    """A first name that ends the clause: "conheci a Clara, …"."""
    match = re.search(rf"(?<![\w])(?:(?P<article>[oa])\s)(?P<name>{_CAPITAL})[\s,.!]*$", clause.raw)
    if match is None:
        return None
    found = _named_at(clause.raw, clause.flat, match.start(), cast)
    return found[0] if found else None


def _subject(clause: Clause, scene: Scene, at: int) -> tuple[Person | None, int, bool]:
    raw, flat = clause.raw, clause.flat
    if _RELATIVE.match(flat):
        if scene.name and scene.alone:
            return Person(scene.name, scene.relation, _gender(scene.name, scene.relation)), 0, True
        if scene.closing:
            return scene.closing, 0, True
        if scene.name and _SAYS.search(clause.earlier):
            return Person(scene.name, scene.relation, _gender(scene.name, scene.relation)), 0, True
        return None, at, False
    if found := person_at(raw, flat, at):
        person, end = found
        if _TOGETHER.match(raw, end):
            return None, at, False  # "meu chefe e o João": whose verb it is cannot be told
        if _OTHERS.match(flat, end) and not re.match(r"\s(?:e|com)\s", flat[end:]):
            return None, at, False  # "minha amiga da Clara"
        return _met_before(person, scene.cast), end, True
    if tied := _IS_MY.match(raw, at):
        relation = tied["relation"].lower()
        return Person(tied["name"], relation, _gender(tied["name"], relation)), tied.end(), True
    if kin := _BARE_KIN.match(flat, at):
        relation = raw[slice(*kin.span("relation"))].lower()
        return Person(relation, relation, feminine(relation)), kin.end(), True
    if pronoun := _PRONOUN.match(flat, at):
        return _meant(scene, female=pronoun["who"] == "ela"), pronoun.end(), True
    if found := _named_at(raw, flat, at, scene.cast):
        return *found, True
    if _THIRD.match(flat, at):
        current = Person(scene.name, scene.relation, _gender(scene.name, scene.relation)) if scene.name else None
        if current and scene.closing and scene.closing.name != current.name and not scene.relative:
            return None, at, False
        return current or scene.closing, at, False
    return None, at, False


def _met_before(person: Person, cast: tuple[Person, ...]) -> Person:
    """The same tie by the name it was given earlier."""
    if person.name != person.relation:
        return person
    named = [one for one in cast if one.relation == person.relation and one.name != one.relation]
    return named[0] if len(named) == 1 else person


def _cast(latest: list[Person], earlier: tuple[Person, ...]) -> tuple[Person, ...]:
    kept: dict[str, Person] = {}
    for one in (*latest, *earlier):
        kept.setdefault(one.name, one)
    return tuple(kept.values())[:8]


def _meant(scene: Scene, *, female: bool) -> Person | None:
    """Whom "ela" or "ele" means: the one it fits, or nobody where it fits two and none of them is spoken of."""
    fitting = [one for one in scene.cast if one.feminine is None or one.feminine is female]
    if len(fitting) == 1:
        return fitting[0]
    current = next((one for one in fitting if one.name == scene.name), None)
    if current and not (scene.closing in fitting and scene.closing != current):
        return current
    return None


def whose(clause: Clause, pronoun: str) -> Person | None:
    """Whom "dela" or "dele" means in a clause."""
    scene = clause.who
    if not isinstance(scene, Scene):
        return None
    return _meant(scene, female=pronoun.endswith("a"))


def about_whom(clause: Clause, at: int, match: re.Match[str] | None = None) -> Who | None:
    """Whom a verb in the third person at this place is about: the clause's subject, with only adverbs between."""
    scene = clause.who
    if not isinstance(scene, Scene) or not scene.name or (at < scene.end and scene.spoken):
        return None
    if at > scene.end and not _GAP.fullmatch(clause.flat, scene.end, at):
        return None
    if clause.raw[at : at + 2] == "e " and not clause.message.isascii():
        return None  # who writes accents means "and"
    joined = clause.message.isascii() and clause.earlier.endswith((" e ", " e"))
    if (
        not scene.spoken
        and not joined
        and match
        and re.match(r"e\s", clause.flat[at : at + 2])
        and clause.raw[at] == "e"
    ):
        return None  # "e" may be "and"
    return Who(scene.name, scene.relation)
