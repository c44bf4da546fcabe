"""Two who become or cease to be a couple: weddings, engagements, break-ups, divorces, and with whom."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from relembra.domain.knowledge import KnowledgeType
from relembra.minds.offline.flat import flattened
from relembra.minds.offline.people import FIRST_NAMES
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, compiled, mine, say
from relembra.minds.offline.reader.portuguese.people import name_at, person_at
from relembra.minds.offline.reader.portuguese.ties import tie
from relembra.minds.offline.reader.portuguese.values import is_new, past, since
from relembra.minds.offline.reader.portuguese.vocabulary import MINE
from relembra.minds.offline.reader.portuguese.wording import feminine, tied

__all__ = ["COUPLES"]

_NAMES = FIRST_NAMES["pt"] | FIRST_NAMES["en"]

# What a verb makes of the two: the stem of their status, the event, its verb, and what they are to each other.
_KINDS: tuple[tuple[str, tuple[str, str, str, tuple[str, str]]], ...] = (
    ("divorc", ("divorciad", "divórcio", "divorciou-se", ("esposa", "marido"))),
    ("separ", ("separad", "separação", "separou-se", ("esposa", "marido"))),
    ("noivado", ("solteir", "fim do noivado", "terminou o noivado", ("noiva", "noivo"))),
    ("termin", ("solteir", "término do namoro", "terminou o namoro", ("namorada", "namorado"))),
    ("romp", ("solteir", "término do namoro", "terminou o namoro", ("namorada", "namorado"))),
    ("acab", ("solteir", "término do namoro", "terminou o namoro", ("namorada", "namorado"))),
    ("larg", ("solteir", "término do namoro", "terminou o namoro", ("namorada", "namorado"))),
    ("pe na bunda", ("solteir", "término do namoro", "terminou o namoro", ("namorada", "namorado"))),
    ("fora", ("solteir", "término do namoro", "terminou o namoro", ("namorada", "namorado"))),
    ("noiv", ("noiv", "noivado", "ficou de casamento marcado: noivado", ("noiva", "noivo"))),
    ("em casamento", ("noiv", "noivado", "ficou de casamento marcado: noivado", ("noiva", "noivo"))),
    ("viuv", ("viúv", "viuvez", "perdeu o cônjuge", ("esposa", "marido"))),
    ("namor", ("namorando", "começo de namoro", "começou a namorar", ("namorada", "namorado"))),
    ("", ("casad", "casamento", "casou-se", ("esposa", "marido"))),
)
_ENDED = frozenset(["divorciad", "separad", "solteir"])


def _kind(flat: str) -> tuple[str, str, str, tuple[str, str]]:
    return next(kind for part, kind in _KINDS if part in flat)


def _status_changed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    flat = match[0]
    if _NO_SPOUSE.match(clause.flat[match.end() :]) or ("separ" in flat and _A_THING.match(clause.raw, match.end())):
        return  # "casei com esse bug"
    stem, event, verb, _ = _kind(flat)
    partner = _WITH.search(clause.raw[match.start() :])
    joint = "de" if stem in _ENDED else "com"
    tail = f" {joint} {partner['name']}" if partner else ""
    begun = past(clause)
    yield _status(stem, flat, clause, who, begun)
    if stem != "viúv":  # whose death it was is the event
        yield say(who, "event", event + tail, verb + tail, held_from=begun)


def _status(stem: str, flat: str, clause: Clause, who: Who | None, begun: datetime | None) -> Said:
    """The status somebody has now, worded without a gender where none is known."""
    if stem == "namorando":
        return say(who, "marital_status", stem, "está namorando", changed=True, held_from=begun)
    own = _TOLD_ENDING.search(flat)
    ending = own[1] if own else _ending(clause, who)
    value = stem + (ending or "o")
    verb = "é" if stem in {"casad", "solteir", "viúv"} else "está"
    phrase = f"{verb} {value}" if ending else f"tem como estado civil: {stem}o(a)"
    return say(who, "marital_status", value, phrase, changed=True, held_from=begun)


_NO_SPOUSE = re.compile(r"\scom\s(?:ess[ea]|est[ea]|isso|o\s(?:trabalho|sofa)|a\s(?:ideia|cama))(?![a-z])")
_A_THING = re.compile(
    r"\sd[oa]s?\s(?!(?:meu|minha|ex|pai|mãe|marido|mulher|esposa|esposo|namorad|noiv|companheir)\b)(?:[a-zà-ÿ]{2,})(?!\w)"
)  # "me separei do grupo"
_WITH = re.compile(r"(?:\bcom|[Pp]edi|\bdo|\bda|\bde)\s(?:[oa]\s)?(?P<name>[A-ZÀ-Þ][\w-]+)")
_TOLD_ENDING = re.compile(r"(?:viuv|noiv|casad|pedid)([oa])(?![a-z])")
_SHE = re.compile(
    r"\b(?:sou|estou|tô|to|fiquei|me sinto|ando) (?:\w+ )?\w{2,}(?:ada|ida)\b|\bobrigada\b|\b(?:meu|do|pro) (?:ex-?)?"
    r"(?:marido|namorado|noivo|esposo)\b|\bsou (?:a |uma )?(?:casada|mãe|mulher|esposa|enfermeira|professora|médica)\b|"
    r"\bsozinha\b"
)
_HE = re.compile(
    r"\b(?:sou|estou|tô|to|fiquei|me sinto|ando) (?:\w+ )?\w{2,}(?:ado|ido)\b|\bobrigado\b|\b(?:minha|da|pra) (?:ex-?)?"
    r"(?:esposa|namorada|noiva|mulher)\b|\bsou (?:o |um )?(?:casado|pai|homem|marido|enfermeiro|professor|médico)\b|"
    r"\bsozinho\b"
)


def _ending(clause: Clause, who: Who | None) -> str | None:
    """The gender of the one it is about, where the words tell it."""
    if who is not None:
        female = feminine(who.relation) if who.relation else flattened(who.name).text.endswith("a")
        return "a" if female else "o"
    text = clause.message.lower()
    if _SHE.search(text):
        return "a"
    return "o" if _HE.search(text) else None


def _lives_together(_match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    yield say(
        who,
        "marital_status",
        "união estável",
        "vive em união estável (mora junto)",
        changed=is_new(clause),
        held_from=since(clause),
    )


def _splitting(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    begun = past(clause)
    yield say(who, "marital_status", "em separação", "está se separando", changed=True, held_from=begun)
    yield say(who, "event", "separação", "separou-se: fim do casamento", held_from=begun)


def _of(name: str, article: str | None, kind: tuple[str, str]) -> str:
    """What somebody of that name is or was to the speaker."""
    female = article == "a" if article else flattened(name).text.endswith("a")
    return kind[0] if female else kind[1]


def _parted(name: str, relation: str, clause: Clause) -> Said:
    """Somebody who was the speaker's partner; how it ended is the event."""
    article = "a" if feminine(relation) else "o"
    return Said(
        attribute="former_relation",
        value=relation,
        subject=name,
        relation=relation,
        content=tied(name, relation, was=True) if name[0].isupper() else f"Não está mais com {article} {relation}",
        changed=True,
        held_from=past(clause),
        type=KnowledgeType.MEMORY,
    )


def _broke_up(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Me separei da Marta", "terminei com o João", "larguei meu namorado"."""
    stem, event, verb, kind = _kind(match[0])
    met = person_at(clause.raw, clause.flat, match.end())
    found = None if met else name_at(clause.raw, clause.flat, match.end())
    if met is not None:
        name, relation = met[0].name, met[0].relation or ""
        if not _LOVE.match(flattened(relation).text):
            return  # "rompi com meu sócio"
    elif found is not None:
        name = clause.raw[slice(*found)]
        known = flattened(name).text.split()[0] in _NAMES
        if (stem == "solteir" or name.islower()) and not known:
            return  # "larguei o Botafogo"
        if _FINISHED.match(clause.flat, found[1]):
            return  # "terminei com o João o projeto"
        name = name if name[0].isupper() else name.title()
        relation = _of(name, match["article"], kind)
    else:
        return
    yield _parted(name, relation, clause)
    if "oficialmente" in match[0]:
        yield say(None, "event", f"{event} de {name}", f"{verb} de {name}", held_from=past(clause))
    if stem == "solteir":
        yield _status(stem, "", clause, None, past(clause))
        if name[0].isupper():
            yield say(None, "event", f"{event} com {name}", f"{verb} com {name}", held_from=past(clause))


_LOVE = re.compile(
    r"(?:ex-?)?(?:namorad|noiv|marid|espos|mulher|companheir|parceir|ficante|crush|boy|mozao|conjuge|namo)"
)


_FINISHED = re.compile(r"\s(?:o|a|os|as|um|uma|esse|essa|meu|minha)\s")


def _left_me(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "O Pedro terminou comigo", "minha namorada me largou"."""
    met = person_at(clause.raw, clause.flat, match.start("who"))
    stem, _, _, kind = _kind(match["verb"])
    stem = "solteir" if stem == "casad" else stem
    if met is not None and met[0].relation:
        if not _LOVE.match(flattened(met[0].relation).text):
            return
        name, relation = met[0].name, met[0].relation
    else:
        found = name_at(clause.raw, clause.flat, match.start("who"))
        if found is None or flattened(clause.raw[slice(*found)]).text.split()[0] not in _NAMES:
            return
        name = clause.raw[slice(*found)]
        name = name if name[0].isupper() else name.title()
        relation = _of(name, match["article"], kind if kind[0] != "esposa" else ("namorada", "namorado"))
    yield _parted(name, relation, clause)
    yield _status(stem, "", clause, None, past(clause))


def _joint(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Eu e o Renan noivamos", "a Paula e eu nos divorciamos"."""
    place = "other" if match["other"] else "name"
    article = match["before"] if match["other"] else match["article"]
    met = person_at(clause.raw, clause.flat, match.start(place))
    found = name_at(clause.raw, clause.flat, match.start(place))
    stem, event, verb, kind = _kind(match["verb"])
    if met is not None and met[0].relation:
        name, relation = met[0].name, met[0].relation
        if not _LOVE.match(flattened(relation).text):
            return
    elif found is not None:
        name = clause.raw[slice(*found)]
        name = name if name[0].isupper() else name.title()
        relation = _of(name, article, kind)
    else:
        return
    begun = past(clause)
    yield _status(stem, "", clause, None, begun)
    if stem in _ENDED:
        yield _parted(name, relation, clause)
    elif name[0].isupper():
        yield tie(name, relation, changed=True)
    if stem != "namorando":
        joint = "de" if stem in {"divorciad", "separad"} else "com"
        if not name[0].isupper():
            article = "a" if feminine(relation) else "o"
            joint = f"d{article}" if joint == "de" else f"com {article}"
        yield say(None, "event", f"{event} {joint} {name}", f"{verb} {joint} {name}", held_from=begun)


_TOGETHER = (
    r"(?P<verb>(?:a gente )?(?:ja |nao |finalmente |oficialmente )?(?:(?:nos )?cas(?:amos|ou)(?:-nos)?|noiv(?:amos|ou)|"
    r"ficamos noivos|estamos noivos|(?:nos |se )?separ(?:amos|ou)(?:-nos)?|separamo-nos|(?:nos |se )?divorci(?:amos|"
    r"ou)(?:-nos)?|divorciamo-nos|termin(?:amos|ou)(?! (?:o|a|de|um|uma) )|rompemos|namoramos|"
    r"estamos (?:namorando|separados|divorciados|casados)|comecamos a namorar))"
)


COUPLES: list[Rule] = [
    *both(
        "status changed",
        "casei casou casamos divorciei divorciou separei separou separamos noivei noivos alianca papel "
        "papeis assinamo assinamos cartorio homem viuva viuvo "
        "viuvei terminei terminamos terminou namorando namorar casei-me separei-me",
        r"(?:{(?:me )?casei(?:-me)?(?! de (?!novo))|(?:a gente |nos )?casamos|(?:me |nos )?divorci(?:ei|amos)"
        r"(?:-me)?|(?:me |nos )?separ(?:ei|amos)(?:-me)?(?! (?:as|os|o|a|um|uma|uns) )|noivei|ficamos "
        r"noivos|fiquei noiv[oa]|a gente ficou noivo|fiquei viuv[oa]|enviuvei|comecei a namorar|a "
        r"gente (?:se separou|casou)|terminei (?:o )?(?:namoro|noivado|"
        r"casamento|relacionamento)|me pediram em casamento|fui pedid[oa] em casamento|divorcio "
        r"assinado|saiu (?:o )?(?:meu |nosso )?divorcio|assin(?:ei|amos|amo) (?:os? )?(?:papel|papeis|"
        r"papelada|documentos|processo) d[oe] (?:divorcio|separacao|casamento)|(?:coloquei|pus|botei|"
        r"colocamos|trocamos) (?:a |as )?aliancas?|(?:levei|tomei) um pe na bunda|assinei o divorcio|enfim "
        r"casad[oa]s|agora sou "
        r"casad[oa]|(?:a gente )?oficializ(?:ou|amos)(?: no cartorio)?/(?:se )?casou(?:-se)?|se "
        r"divorciou|divorciou-se|se separou|separou-se|noivou|ficou noiv[oa]|ficou viuv[oa]|enviuvou|"
        r"comecou a namorar})(?![a-z])",
        _status_changed,
    ),
    *both(
        "lives together",
        "amasiada amasiado amasiados juntos juntei juntamos uniao escova escovas",
        r"(?:{(?:vivo|moro|estou|to|vivemos|moramos|estamos) (?:em uniao (?:de facto|estavel)|amasiad[oa]s?|"
        r"juntad[oa]s?|ajuntad[oa]s?|juntos(?= (?:ha|faz|desde))|maritalmente)|junt(?:ei|amos) (?:as?|os) "
        r"(?:escovas?|trapos|panos|trapinhos)|(?:tenho|temos|assinei|assinamos|oficializamos) uniao "
        r"estavel/(?:vive|mora) (?:em uniao estavel|amasiad[oa])})(?![a-z])",
        _lives_together,
    ),
    *mine(
        "splitting",
        "separando separar casamento divorcio divorciando",
        r"(?:(?:estou|to|tou|estamos|tamos) (?:me|nos|se) (?:separando|divorciando)|(?:meu|nosso) "
        r"(?:casamento|noivado|relacionamento|namoro) (?:acabou|terminou|chegou ao fim)|(?:estou|to) "
        r"em processo de (?:divorcio|separacao))",
        _splitting,
    ),
    *mine(
        "never married",
        "casei casar",
        r"(?:nunca|jamais) (?:me )?(?:casei|quis (?:me )?casar)(?![a-z])|nao (?:me )?casei(?! (?:com|de|na|"
        r"no|em|ainda))",
        lambda _m, _c, w: [say(w, "marital_status", "solteiro(a)", "nunca se casou (solteiro)")],
        denied=True,
    ),
    *mine(
        "broke up",
        "terminei larguei rompi separei acabei divorciei fora",
        r"(?:terminei|rompi|acabei|(?:me )?separei(?:-me)?|larguei|(?:me )?divorciei(?:-me)?|(?:levei|tomei) um "
        r"(?:fora|pe na bunda))(?: (?:o namoro|o noivado|o relacionamento|tudo|de vez|mesmo|ontem|hoje))? "
        r"(?:com |de |d(?=[oa] ))?(?:(?P<article>[oa]) )?(?=[a-z])",
        _broke_up,
    ),
    *mine(
        "parted from",
        "divorciada divorciado separada separado",
        r"(?:sou|estou|to|tou|fiquei)(?: \w+)? (?:divorciad|separad)[oa] d(?:e |(?=[oa] ))(?:(?P<article>[oa]) )?(?=[a-z])",
        _broke_up,
    ),
    Rule(
        "left me",
        frozenset(["comigo", "largou", "deixou", "terminou"]),
        compiled(
            rf"^\W*(?:(?:e|mas|entao|ai|hoje|ontem|gente)[ ,]+)*(?:(?P<article>[oa]) )?(?P<who>(?:{MINE} )?[a-z]{{2,}}"
            r"(?: [a-z]{3,})?) (?P<verb>(?:terminou|rompeu|acabou)(?: tudo)? comigo|(?:se separou|se divorciou) de mim|"
            r"me (?:largou|deixou)(?=$|[,.!]| (?:por|ontem|hoje|semana|mes|ano|em (?:\d|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez))))"
        ),
        _left_me,
    ),
    Rule(
        "we two",
        frozenset(
            [
                "casamos",
                "casou",
                "noivamos",
                "noivou",
                "noivos",
                "separamos",
                "separou",
                "divorciamos",
                "divorciou",
                "terminamos",
                "terminou",
                "rompemos",
                "namoramos",
                "namorando",
                "namorar",
                "separados",
                "divorciados",
                "casados",
                "separamo-nos",
                "divorciamo-nos",
            ]
        ),
        compiled(
            rf"(?<![a-z])(?:eu e (?:(?P<article>[oa]) )?(?P<name>(?:{MINE} )?[a-z]{{2,}}(?: [a-z]{{3,}})??)|"
            rf"(?:(?P<before>[oa]) )?(?P<other>(?:{MINE} )?[a-z]{{2,}}) e eu) {_TOGETHER}(?![a-z])"
        ),
        _joint,
    ),
]
