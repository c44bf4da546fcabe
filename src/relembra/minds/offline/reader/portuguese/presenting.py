"""How people present themselves in passing: names, ages, birthdays, origins, tongues and creeds by their frames."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.people import FIRST_NAMES
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import mine, say, theirs
from relembra.minds.offline.reader.portuguese.frames import YEARS, known_place, own, presupposed, real, told_past
from relembra.minds.offline.reader.portuguese.identity import DATE, REGIONAL, TOWNS
from relembra.minds.offline.reader.portuguese.people import name_at
from relembra.minds.offline.reader.portuguese.values import is_new, span
from relembra.minds.offline.reader.portuguese.vocabulary import DEMONYM, LANGUAGE, RELATION, TRADE

__all__ = ["PRESENTING"]


def _called(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    title = _TITLE.match(clause.flat, match.end())
    found = name_at(clause.raw, clause.flat, title.end() if title else match.end())
    if not found or not own(clause):
        return
    name = clause.raw[slice(*found)]
    first = flattened(name).text.split()[0]
    if TOWNS.match(flattened(name).text) or re.match(TRADE, first) or re.match(RELATION, first):
        return
    yield say(None, "name", name if name[0].isupper() else name.title(), f"se chama {name}")


_TITLE = re.compile(
    r"(?:eng|dra?|profa?|sra?)\.?\s|(?:dona|seu|doutora?|professora?|engenheir[oa])\s(?=[a-z]+(?:$|\W))"
)


def _here_is(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Rayane aqui, tudo bem?"."""
    name = span(clause, match)
    if clause.offset == 0 and flattened(name).text.split()[0] in FIRST_NAMES["pt"]:
        yield say(None, "name", name, f"se chama {name}")


def _nicknamed(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    found = name_at(clause.raw, clause.flat, match.end())
    if found and clause.raw[found[0]].isupper() and own(clause, match.start()):
        name = clause.raw[slice(*found)]
        yield say(None, "nickname", name, f"atende por {name}")


def _stuck(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "No quartel virei o Sargento Pipoca e o apelido pegou"."""
    name = span(clause, match)
    if name[0].isupper():
        yield say(None, "nickname", name, f"atende por {name}")


def _their_pronouns(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = {"masculino": "ele/dele", "feminino": "ela/dela"}.get(match["v"], span(clause, match))
    yield say(who, "pronouns", value, f"usa os pronomes {value}")


def _pronoun_pair(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    named = clause.who is not None and clause.who.name
    if "/" not in match["v"] and re.search(r"el[eau]/", clause.sentence):
        return
    if not named and not re.search(rf"(?<![a-z]){RELATION}(?![a-z])", clause.flat[: match.start()]):
        value = span(clause, match)
        yield say(None, "pronouns", value, f"usa os pronomes {value}")


def _aged(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause):
        value = span(clause, match)
        value = value if "ano" in value else f"{value} anos"
        yield say(None, "age", value, f"tem {value}", changed=is_new(clause))


def _aged_now(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if not told_past(clause) and not _ANYBODY.search(clause.flat):
        yield from _aged(match, clause, who)


_ANYBODY = re.compile(
    r"(?<![a-z])(?:pessoas?|idos[oa]s?|gente|criancas?|jovem|jovens|quem|pode|podem|deve|devem|todo\smundo|"
    r"alun[oa]s?)(?![a-z])"
)


def _aged_real(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if real(clause) and re.search(r"(?<![a-z])(?:mim|me|meu|minha|eu|sou)(?![a-z])", flattened(clause.sentence).text):
        yield from _aged(match, clause, who)


def _aged_first(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if clause.offset <= _GREETING and not clause.earlier.strip(" ,.!"):
        yield from _aged(match, clause, who)


_GREETING = 12  # characters before a presentation begins: "oi, ", "boa tarde, "


def _born_on(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if re.search(rf"(?<![a-z]){RELATION}(?![a-z])", match["gap"] or ""):
        return
    value = span(clause, match)
    yield say(who, "birthday", value, f"faz aniversário em {value}")


def _born_in(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = known_place(span(clause, match), "em")
    if value and own(clause) and not re.search(r"feriado|familia|berco", flattened(value).text):
        yield say(None, "birthplace", value, f"nasceu em {value}")


def _papers(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause, match.start()):
        yield say(None, "nationality", span(clause, match), f"tem cidadania {span(clause, match)}")


def _speaks(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(None, "language", value, f"fala {value}")


def _speaks_at(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value, level = span(clause, match), span(clause, match, "level")
    yield say(None, "language", f"{value} {level}", f"fala {value} ({level})")


def _tongues(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    for one in re.finditer(rf"(?<![a-z]){LANGUAGE}(?![a-z])", clause.flat[match.start("v") :]):
        value = clause.raw[match.start("v") + one.start() : match.start("v") + one.end()]
        yield say(None, "language", value, f"fala {value}")


_BORN = r"(?:nasci|vim ao mundo|fui parid[oa]|(?:o )?meu (?:aniversario|niver|aniver|bday|anivers)|faco (?:anos|aniversario|niver)|comemoro (?:o )?(?:meu )?(?:aniversario|niver)|(?:vou fazer|completo) \d\d(?: anos)?)"

PRESENTING: list[Rule] = [
    *mine(
        "name, given",
        "quem fala escreve certidao rg aqui aq assino assinar assina batismo baptismo nome prazer",
        r"(?:(?:aqui|aq)(?: quem (?:fala|escreve|vos fala|te fala|digita))? (?:e|eh)|quem (?:fala|escreve|digita|"
        r"ta falando|esta falando)(?: aqui)? (?:e|eh)|n[oa] (?:certidao|identidade|rg|documento|cracha|diploma|"
        r"registro|"
        r"passaporte)(?: de nascimento)? (?:ta|esta|consta|e|eh|sou|aparece|diz)(?: como)?|assin(?:o|ar|a|"
        r"e)(?: \w+){0,3} "
        r"como|(?:o )?meu nome (?:completo|social|de batismo|de baptismo|todo|mesmo|real|inteiro|artistico|civil|"
        r"e)(?: (?:e|eh))?|"
        r"dou pelo nome de|fui (?:batizad|registrad)[oa] (?:como|de)|^\W*(?:muito )?prazer,|^\W*nome:) (?:[oa] )?",
        _called,
    ),
    *mine("name, titled", "sou", r"(?:eu )?sou [oa] (?=(?:prof|profa|dra?|eng|sra?)\. )", _called),
    *mine("name, leading", "aqui", r"^\W*(?P<v>[a-z]{3,15}(?: [a-z]{3,15})?) aqui(?=[,.!]| d[aoe] )", _here_is),
    *mine(
        "nickname, given",
        "apelido conhecid conhecido conhecida intimos chegados batizaram conhece conhecem",
        r"(?:me (?:chama|chamam|conhece|conhecem|trata|tratam|apelidaram|batizaram)(?: (?:so|sempre|apenas|ate hoje|"
        r"mesmo|"
        r"la|aqui|carinhosamente|desde \w+))? (?:por|de|como)|apelido (?:de|e|eh|:|ficou|virou|sempre foi)|"
        r"mais conhecid[oa] "
        r"(?:como|por)|(?:pros|para os|entre os|pras) (?:intimos|amigos|chegados|amigas|"
        r"de casa),? (?:eu )?sou) (?:[oa] )?",
        _nicknamed,
    ),
    *mine(
        "nickname that stuck",
        "apelido virei",
        r"virei (?:[oa] )?(?P<v>[a-z]+(?: [a-z]+)?)(?= e o apelido (?:pegou|colou|ficou|grudou)|, (?:e )?o apelido "
        r"(?:pegou|colou|ficou|grudou))",
        _stuck,
    ),
    *mine(
        "nickname, at home",
        "casa rua familia trampo escola bairro amigos",
        r"(?:(?:la )?em casa|na (?:rua|familia|escola|firma|quebrada|roda)|no (?:bairro|trampo|trabalho|time|grupo)|"
        r"(?:pros|para os|entre os) amigos),? (?:eu )?(?:sou|viro)(?: so)? (?:[oa] )",
        _nicknamed,
    ),
    *presupposed(
        mine(
            "nickname, to be used",
            "tratar-me chamar-me trate-me trata-me tratem-me",
            r"(?:pode|podes|podem|prefiro|gosto de) (?:\w+ )?(?:tratar-me|chamar-me)(?: so| apenas)? (?:por|de) (?:[oa] )?|"
            r"(?:trate|trata|tratem)-me (?:por|de) (?:[oa] )?",
            _nicknamed,
        )
    ),
    *theirs(
        "pronouns, of another",
        "masculino feminino ele ela elu",
        r"{x/(?:agora )?(?:prefere|quer|pediu pra|pediu para|gosta de) ser (?:tratad[oa]|chamad[oa])(?: \w+)? (?:no|pelo|por|com)"
        r"(?: pronomes?)?} (?P<v>masculino|feminino|neutro|el[ea]|elu)(?![a-z])",
        _their_pronouns,
    ),
    *mine(
        "pronoun pair", "ele ela elu", r"(?P<v>(?:ele|ela|elu)/(?:dele|dela|delu|ele|ela|elu))(?![a-z])", _pronoun_pair
    ),
    *mine(
        "pronouns, by gender",
        "masculino feminino neutro",
        r"(?:me (?:trat[ae]m?|cham[ae]m?)|me tratar|trate-me|refir\w+-se a mim|(?:fal\w+|us\w+) (?:comigo|cmg)|"
        r"pra mim) (?:\w+ ){0,3}?(?:no|pelo|o) "
        r"(?P<v>masculino|feminino|neutro)(?![a-z])",
        _pronoun_pair,
    ),
    *mine(
        "age, carried",
        "fucas costelas costas lombo idade vividos cara",
        rf"(?P<v>{YEARS}(?: anos| aninhos)?) (?:nas costas|nas fucas|nas costelas|no lombo|na cara|na carcaca|"
        rf"bem vividos|muito bem vividos|de idade|"
        rf"nos couros|na lomba)(?![a-z])",
        _aged,
    ),
    *mine(
        "age, reached",
        "entrei cheguei passei bati inteirei casa virei completo",
        rf"(?:(?:entrei|cheguei|to|tou|estou|ja vou)(?: ja)? (?:na casa dos|nos|aos)|(?:ja )?passei dos|inteirei|"
        rf"virei(?= \w+ anos)|bati(?: os)?(?= \w+ anos(?! d))|aqui(?: com)?(?= \d+ anos)) (?P<v>{YEARS}(?: anos)?)"
        rf"(?! (?:mil|reais|km|quilos|kg|por|graus|anos d|minutos|pontos|seguidores|dias|meses|horas)|[%\d/,.]\d|"
        rf"\s?h)(?![a-z])",
        _aged,
    ),
    *mine(
        "age, at",
        "aos",
        rf"(?<!d)aos (?:meus |quase )?(?P<v>{YEARS}(?: anos)?)(?! (?:mil|reais|minutos|segundos|graus|km)|"
        rf"\d)(?![a-z/%])",
        _aged_now,
    ),
    *mine(
        "age, with years",
        "anos",
        rf"(?:^|(?<=[,;] ))\W*(?:(?:ja|agora|hoje|eu|mas|e) )*com (?:os )?(?:meus )?(?P<v>{YEARS} anos)(?! d)(?![a-z])",
        _aged_now,
    ),
    *mine(
        "age, of a person",
        "sou",
        rf"sou (?:um |uma )?(?:homem|mulher|rapaz|moca|senhora?|jovem|menin[oa]|garot[oa]|coroa|velh[oa]|idos[oa]|"
        rf"adolescente|"
        rf"viuv[oa]|mae|pai|pessoa|cara|guri|guria|{TRADE})(?: \w+){{0,2}}? (?:de|com) (?P<v>{YEARS} anos|\d\d(?=$|"
        rf"[,.;!]| e | que ))",
        _aged,
    ),
    *mine(
        "age, first",
        "anos aninhos",
        rf"^\W*(?:(?:oi|ola|opa|eai|bom dia|boa tarde|boa noite)\W+)?(?P<v>{YEARS} (?:anos|aninhos))(?= ?[,;]|"
        rf" e (?:moro|sou|trabalho)| hj| hoje)",
        _aged_first,
    ),
    *mine(
        "age, in full",
        "meus",
        rf"(?:do alto|no auge|na flor|com os|com) (?:dos )?meus (?P<v>{YEARS}(?: anos)?)(?! de )(?![a-z])",
        _aged,
    ),
    *presupposed(
        mine(
            "age, by sex",
            "homem mulher",
            rf"(?:pra mim,? |para mim,? |(?<=, ))(?:homem|mulher|sexo \w+),? (?:de )?(?P<v>{YEARS} anos)(?![a-z])",
            _aged_real,
        )
    ),
    *mine(
        "age, labelled", "idade", rf"(?:minha )?idade(?: (?:e|eh))?:? (?P<v>{YEARS})(?! (?:mil|d))(?![a-z\d])", _aged
    ),
    *mine(
        "age, bare",
        "tenho",
        rf"tenho (?P<v>{YEARS})(?=$|[.;!]|, (?!\d|falt|so )| e (?:(?:um|uma|dois|duas|tres|\d) filh|moro|sou|trabalho|estou|"
        rf"to|nunca|ja|ainda|quero))",
        _aged,
    ),
    *mine(
        "age, by the decade",
        "trintao trintona quarentao quarentona cinquentao cinquentona sessentao sessentona setentao setentona",
        r"(?:sou|virei|virar|ja|uma?) (?P<v>(?:trint|quarent|cinquent|sessent|setent)(?:ao|ona))(?![a-z])",
        lambda m, c, _w: [say(None, "age", span(c, m), f"é {span(c, m)}")] if own(c) else [],
    ),
    *presupposed(
        mine("age, like me", "anos", rf"(?P<v>{YEARS} anos),? (?:que nem|como|igual a?) (?:eu|mim)(?![a-z])", _aged)
    ),
    *mine(
        "birthday, told",
        "nasci aniversario niver aniver faco mundo parida parido comemoro",
        rf"{_BORN}(?P<gap>[^.;!?\d]{{1,45}}?){DATE}",
        _born_on,
    ),
    *mine(
        "birthday, turned",
        "aniversario niver aniver",
        rf"{DATE},? (?:e|eh|cai|faco|tem)(?P<gap>) (?:(?:o|o dia do) )?(?:meu )?(?:aniversario|niver|aniver|"
        rf"anos)(?! d[aoe])",
        _born_on,
    ),
    *mine(
        "birthplace, told",
        "cria parida parido criada criado nascida nascido natural raizes terra",
        r"(?:(?:sou )?cria|(?:fui )?parid[oa]|nascid[oa](?: e \w+d[oa])?|natural|(?:minhas )?raizes (?:estao|sao|"
        r"ficam)|minha terra "
        r"(?:e|eh|fica)) (?:em|de|do|da|no|na) (?P<v>[a-z].{2,30})",
        _born_in,
    ),
    *mine(
        "birthplace, by the people",
        "mineiro mineira baiano baiana paulista carioca gaucho gaucha cearense goiano goiana paraense",
        rf"(?:sou )?{REGIONAL},? (?:la )?(?:de|do|da) (?P<v>[a-z].{{2,24}})",
        _born_in,
    ),
    *mine("birthplace, nearer", "nasci", r"nasci [^.;!?]{2,40}, (?:em|la em|no|na) (?P<v>[a-z].{2,24})", _born_in),
    *mine(
        "second nation",
        "nacionalidade cidadania naturalizada naturalizado",
        rf"(?:dupla (?:nacionalidade|cidadania),? (?:{DEMONYM} e )?|naturalizad[oa] )(?P<v>{DEMONYM})(?![a-z])",
        _papers,
    ),
    *mine(
        "papers",
        "passaporte cidadania nacionalidade naturalizei",
        rf"(?:(?:tenho|tirei|obtive|consegui|saiu|ganhei|peguei|chegou|renovei|viajo com|viajo de|meu|minha|"
        rf"possuo)(?: [oa]s?| um| uma| "
        rf"meu| minha| dupla)* (?:passaporte|cidadania|nacionalidade)|me naturalizei|"
        rf"naturalizei-me) (?P<v>{DEMONYM})(?![a-z])",
        _papers,
    ),
    *mine(
        "introduced from",
        "sou",
        r"sou [oa] [a-z]+(?: [a-z]+)?, (?:la )?(?:de|do|da) (?P<v>[a-z].{2,24})(?=,|$|\.| e )",
        _born_in,
    ),
    *mine(
        "speaks",
        "arranho leio conversamos conversa converso desenrasco fluente alfabetizada alfabetizado falante nativa nativo penso falando defendo",
        rf"(?:a gente (?:so |tambem )?(?:conversa|fala)|conversamos|converso|desenrasco-me|me desenrasco|me viro|"
        rf"arranho|leio|me defendo|defendo-me|"
        rf"(?:sou )?fluente|fui alfabetizad[oa]|falante|nativ[oa]|cresci falando|cresci a falar)(?: (?:so|bem|um|"
        rf"muito bem|mais ou menos|"
        rf"em casa|super bem|de|tambem|ja|melhor))*(?: (?:em|no|de))? (?P<v>{LANGUAGE})(?![a-z])",
        _speaks,
    ),
    *mine(
        "tongue, at a level",
        "nivel basico intermediario avancado a1 a2 b1 b2 c1 c2 to tou estou cheguei",
        rf"(?:to|tou|estou|cheguei|parei) (?:no |na |ao )?(?:nivel )?(?P<level>[abc][12]|intermediario|avancado|"
        rf"basico) (?:de|do|em|no) (?P<v>{LANGUAGE})(?![a-z])",
        _speaks_at,
    ),
    *mine(
        "another tongue",
        "falo converso",
        rf"(?:falo|converso) [^.;!?,]{{3,40}} e (?:um pouco de |em )?(?P<v>{LANGUAGE})(?![a-z])",
        _speaks,
    ),
    *mine("tongues, listed", "linguas idiomas", rf"(?:linguas|idiomas): (?P<v>{LANGUAGE})", _tongues),
    *mine(
        "mother tongue",
        "lingua idioma materna",
        rf"(?P<v>{LANGUAGE}) (?:e|eh|foi|sempre foi) (?:[oa] )?(?:minha|meu) (?:\w+ )?(?:lingua|idioma)|(?:minha|"
        rf"meu) (?:primeira |segunda )"
        rf"?(?:lingua|idioma)(?: matern[oa]| nativ[oa])? (?:e|eh|foi) (?:o )?(?P<w>{LANGUAGE})",
        lambda m, c, _w: [
            say(None, "language", span(c, m) or span(c, m, "w"), f"fala {span(c, m) or span(c, m, 'w')}")
        ],
    ),
    *mine(
        "tongue, turned",
        "falo aprendi domino",
        rf"(?P<v>{LANGUAGE}) (?:eu )?(?:tambem |ja |so )?(?:falo|aprendi|domino|leio|entendo)(?![a-z])",
        _speaks,
    ),
]
