"""How people present themselves in passing: names, ages, birthdays, origins, homes, tongues and creeds by their frames."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.people import FIRST_NAMES
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.frames import YEARS, known_place, own, presupposed, real, told_past
from relembra.minds.offline.reader.portuguese.identity import DATE, REGIONAL, TOWNS
from relembra.minds.offline.reader.portuguese.people import name_at
from relembra.minds.offline.reader.portuguese.values import clean, is_new, span
from relembra.minds.offline.reader.portuguese.vocabulary import CREED, DEMONYM, LANGUAGE, RELATION, TRADE

__all__ = ["PRESENTING"]


def _called(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    found = name_at(clause.raw, clause.flat, match.end())
    if not found or not own(clause):
        return
    name = clause.raw[slice(*found)]
    first = flattened(name).text.split()[0]
    if TOWNS.match(flattened(name).text) or re.match(TRADE, first) or re.match(RELATION, first):
        return
    yield say(None, "name", name if name[0].isupper() else name.title(), f"se chama {name}")


def _here_is(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Rayane aqui, tudo bem?"."""
    name = span(clause, match)
    if clause.offset == 0 and flattened(name).text.split()[0] in FIRST_NAMES["pt"]:
        yield say(None, "name", name, f"se chama {name}")


def _nicknamed(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    found = name_at(clause.raw, clause.flat, match.end())
    if found and clause.raw[found[0]].isupper() and own(clause, match.start()):
        name = clause.raw[slice(*found)]
        yield say(None, "nickname", name, f"gosta de ser chamado de {name}")


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
    if not told_past(clause):
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
    if own(clause):
        yield say(None, "nationality", span(clause, match), f"tem cidadania {span(clause, match)}")


def _lives(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = known_place(span(clause, match), match["in"])
    if value and own(clause, match.start()) and not _PASSING.search(clause.flat):
        yield say(None, "residence", value, f"mora {match['in']} {value}", changed=is_new(clause))


def _lives_here(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if real(clause):
        yield from _lives(match, clause, who)


def _moved_in(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = known_place(span(clause, match), match["in"])
    if value and own(clause, match.start()) and not re.search(r"praia|veraneio|temporada|ferias", clause.flat):
        yield say(None, "residence", value, f"mora {match['in']} {value}", changed=True)


_PASSING = re.compile(
    r"(?<![a-z])(?:viagem|viajando|ferias|passeio|passeando|visita\w*|congresso|aeroporto|rodoviaria|hotel|pousada|"
    r"turis\w+|passando|cheguei|chegamos|chegar|pousei|conexao|escala|a\strabalho|evento|fim\sde\ssemana|feriado|"
    r"por\sum\smes|ate\s(?:sexta|domingo|segunda|amanha|dia)|hospedad\w+|carnaval|lua\sde\smel)(?![a-z])"
)


def _building(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=6)
    if value:
        yield say(None, "residence", value, f"mora em {value}")


def _zone(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause) and _MY_CLOCK.search(clause.flat) and not clause.flat[: match.start()].count("fuso d"):
        value = span(clause, match)
        yield say(None, "timezone", value, f"está no fuso {value}")


_MY_CLOCK = re.compile(
    r"(?<![a-z])(?:aqui|ca|moro|fico|vivo|estou|to|tou|andamos|estamos|meu|minha|trabalho|uso|sigo|sou|fuso)(?![a-z])"
)


def _speaks(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(None, "language", value, f"fala {value}")


def _creed(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause):
        value = span(clause, match)
        yield say(None, "religion", value, f"é {value}", changed=is_new(clause))


def _faith(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=4)
    if value:
        yield say(None, "religion", value, f"religião: {value}")


def _house(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(None, "religion", value, f"é {value}")


_BORN = r"(?:nasci|vim ao mundo|fui parid[oa]|(?:o )?meu (?:aniversario|niver|aniver|bday|anivers)|faco (?:anos|aniversario|niver)|comemoro (?:o )?(?:meu )?(?:aniversario|niver))"
_IN = r"(?P<in>em|no|na|nos|nas)"
_HOME = r"(?:ap|ape|apto|apartamento|casa|casinha|quarto|kit|kitnet|kitinete|quitinete|republica|studio|t[0-4]|sobrado|chacara|sitio)"

PRESENTING: list[Rule] = [
    *mine(
        "name, given",
        "quem fala escreve certidao rg aqui aq assino assinar assina batismo baptismo nome prazer",
        r"(?:(?:aqui|aq)(?: quem (?:fala|escreve|vos fala|te fala|digita))? (?:e|eh)|quem (?:fala|escreve|digita|"
        r"ta falando|esta falando)(?: aqui)? (?:e|eh)|n[oa] (?:certidao|identidade|rg|documento|cracha|diploma|registro|"
        r"passaporte)(?: de nascimento)? (?:ta|esta|consta|e|eh|sou|aparece|diz)(?: como)?|assin(?:o|ar|a|e)(?: \w+){0,3} "
        r"como|(?:o )?meu nome (?:completo|de batismo|de baptismo|todo|mesmo|real|inteiro|artistico|civil|e)(?: (?:e|eh))?|"
        r"dou pelo nome de|fui (?:batizad|registrad)[oa] (?:como|de)|^\W*(?:muito )?prazer,|^\W*nome:) (?:[oa] )?",
        _called,
    ),
    *mine("name, leading", "aqui", r"^\W*(?P<v>[a-z]{3,15}(?: [a-z]{3,15})?) aqui(?=[,.!]| d[aoe] )", _here_is),
    *mine(
        "nickname, given",
        "apelido conhecid conhecido conhecida intimos chegados batizaram conhece conhecem",
        r"(?:me (?:chama|chamam|conhece|conhecem|trata|tratam|apelidaram|batizaram)(?: (?:so|sempre|apenas|ate hoje|mesmo|"
        r"la|aqui|carinhosamente|desde \w+))? (?:por|de|como)|apelido (?:de|e|eh|:|ficou|virou|sempre foi)|mais conhecid[oa] "
        r"(?:como|por)|(?:pros|para os|entre os|pras) (?:intimos|amigos|chegados|amigas|de casa),? (?:eu )?sou) (?:[oa] )?",
        _nicknamed,
    ),
    *mine("pronoun pair", "ele ela elu", r"(?P<v>(?:ele|ela|elu)/(?:dele|dela|delu|ele|ela|elu))(?![a-z])", _pronoun_pair),
    *mine(
        "pronouns, by gender",
        "masculino feminino neutro",
        r"(?:me (?:trat[ae]m?|cham[ae]m?)|trate-me|refir\w+-se a mim|(?:fal\w+|us\w+) (?:comigo|cmg)|pra mim) (?:\w+ ){0,3}?(?:no|pelo|o) "
        r"(?P<v>masculino|feminino|neutro)(?![a-z])",
        _pronoun_pair,
    ),
    *mine(
        "age, carried",
        "costas lombo idade vividos cara",
        rf"(?P<v>{YEARS}(?: anos| aninhos)?) (?:nas costas|no lombo|na cara|na carcaca|bem vividos|muito bem vividos|de idade|"
        rf"nos couros|na lomba)(?![a-z])",
        _aged,
    ),
    *mine(
        "age, reached",
        "entrei cheguei passei bati inteirei casa virei completo",
        rf"(?:(?:entrei|cheguei|to|tou|estou|ja vou)(?: ja)? (?:na casa dos|nos|aos)|(?:ja )?passei dos|inteirei|"
        rf"virei(?= \w+ anos)|bati(?: os)?(?= \w+ anos(?! d))|aqui(?: com)?(?= \d+ anos)) (?P<v>{YEARS}(?: anos)?)"
        rf"(?! (?:mil|reais|km|quilos|kg|por|graus|anos d|minutos|pontos|seguidores|dias|meses|horas)|[%\d/,.]\d|\s?h)(?![a-z])",
        _aged,
    ),
    *mine(
        "age, at",
        "aos",
        rf"(?<!d)aos (?:meus |quase )?(?P<v>{YEARS}(?: anos)?)(?! (?:mil|reais|minutos|segundos|graus|km)|\d)(?![a-z/%])",
        _aged_now,
    ),
    *mine(
        "age, with years",
        "anos",
        rf"(?:^|[,;] )\W*(?:(?:ja|agora|hoje|eu|mas|e) )*com (?:os )?(?:meus )?(?P<v>{YEARS} anos)(?! d)(?![a-z])",
        _aged_now,
    ),
    *mine(
        "age, of a person",
        "sou",
        rf"sou (?:um |uma )?(?:homem|mulher|rapaz|moca|senhora?|jovem|menin[oa]|garot[oa]|coroa|velh[oa]|idos[oa]|adolescente|"
        rf"viuv[oa]|mae|pai|pessoa|cara|guri|guria|{TRADE})(?: \w+){{0,2}}? (?:de|com) (?P<v>{YEARS} anos|\d\d(?=$|[,.;!]| e | que ))",
        _aged,
    ),
    *mine("age, first", "anos aninhos", rf"^\W*(?:(?:oi|ola|opa|eai|bom dia|boa tarde|boa noite)\W+)?(?P<v>{YEARS} (?:anos|aninhos))(?= ?[,;]| e (?:moro|sou|trabalho))", _aged_first),
    *mine("age, labelled", "idade", rf"(?:minha )?idade(?: (?:e|eh))?:? (?P<v>{YEARS})(?! (?:mil|d))(?![a-z\d])", _aged),
    *mine("age, bare", "tenho", rf"tenho (?P<v>{YEARS})(?=$|[.;!]|, (?!\d)| e (?:moro|sou|trabalho|estou|to|nunca|ja|ainda|quero))", _aged),
    *mine("birthday, told", "nasci aniversario niver aniver faco mundo parida parido comemoro", rf"{_BORN}(?P<gap>[^.;!?\d]{{1,45}}?){DATE}", _born_on),
    *mine(
        "birthday, turned",
        "aniversario niver aniver",
        rf"{DATE},? (?:e|eh|cai|faco|tem)(?P<gap>) (?:(?:o|o dia do) )?(?:meu )?(?:aniversario|niver|aniver|anos)(?! d[aoe])",
        _born_on,
    ),
    *mine(
        "birthplace, told",
        "cria parida parido criada criado nascida nascido natural raizes terra",
        r"(?:(?:sou )?cria|(?:fui )?parid[oa]|nascid[oa](?: e \w+d[oa])?|natural|(?:minhas )?raizes (?:estao|sao|ficam)|minha terra "
        r"(?:e|eh|fica)) (?:em|de|do|da|no|na) (?P<v>[a-z].{2,30})",
        _born_in,
    ),
    *mine(
        "birthplace, by the people",
        "mineiro mineira baiano baiana paulista carioca gaucho gaucha cearense goiano goiana paraense",
        rf"(?:sou )?{REGIONAL} (?:la )?(?:de|do|da) (?P<v>[a-z].{{2,24}})",
        _born_in,
    ),
    *mine(
        "papers",
        "passaporte cidadania nacionalidade naturalizei",
        rf"(?:(?:tenho|tirei|obtive|consegui|saiu|ganhei|peguei|chegou|renovei|viajo com|viajo de|meu|minha|possuo)(?: [oa]s?| um| uma| "
        rf"meu| minha| dupla)* (?:passaporte|cidadania|nacionalidade)|me naturalizei|naturalizei-me) (?P<v>{DEMONYM})(?![a-z])",
        _papers,
    ),
    *presupposed(mine("lives, here", "aqui ca", rf"(?:aqui|ca|por aqui) {_IN} (?P<v>[a-z].{{2,30}})", _lives_here)),
    *mine(
        "lives, settled",
        "radicada radicado instalada instalado sediada sediado baseada baseado estabelecida estabelecido domiciliada domiciliado "
        "residente enraizada enraizado fico",
        rf"(?:(?:radicad|instalad|sediad|basead|estabelecid|domiciliad|enraizad)[oa]|residente|(?:^|porque |pois |eu |que )fico) "
        rf"(?:(?:ha|faz) [\w ]{{3,14}}? )?{_IN} (?P<v>[a-z].{{2,30}})",
        _lives,
    ),
    *mine("lives, at home", "casa", rf"(?:la |aqui )?em casa,? {_IN} (?P<v>[a-z].{{2,30}})", _lives),
    *mine(
        "moved in",
        "aluguei aluguel comprei compramos trocamos troquei alugamos",
        rf"(?:aluguei|alugamos|fechei o aluguel|fechamos o aluguel|comprei|compramos|financiei|financiamos|troquei|trocamos)"
        rf"(?: \w+){{0,6}}? (?:uma?|[ao]|d[ao]|meu|minha|nossa|nosso) (?:\w+ )?{_HOME}(?: \w+){{0,3}}? {_IN} (?P<v>[a-z].{{2,30}})",
        _moved_in,
    ),
    *mine("shares a roof", "divido dividimos dividindo", rf"divid(?:o|imos|indo) (?:um |uma |o |a )?{_HOME}.{{0,40}}? {_IN} (?P<v>[a-z].{{2,30}})", _lives),
    *mine("lives in a building", "moro vivo", r"(?:moro|vivo) no (?:ap |apto |numero )?\d+[a-z]? (?:d[oa]|,) (?P<v>(?:edificio|predio|residencial|condominio|bloco|rua|avenida|conjunto) .{2,30})", _building),
    *mine(
        "time zone, by the clock",
        "utc gmt",
        r"(?P<v>(?:utc|gmt) ?[+-]?\d{1,2}(?::\d\d)?)(?![\d])",
        _zone,
    ),
    *mine(
        "time zone, by another",
        "menos mais atras frente",
        r"(?P<v>(?:\d|uma|duas|tres|quatro|cinco|seis) ?(?:h|hs|hrs|horas?) (?:a menos|a mais|atras|a frente|de diferenca)(?: (?:que|q|do que|"
        r"d[eoa]|em relacao a|pra))? (?:[oa] )?[a-z]+(?: [a-z]+)?)",
        _zone,
    ),
    *mine(
        "speaks",
        "conversamos conversa converso desenrasco fluente alfabetizada alfabetizado falante nativa nativo penso falando defendo",
        rf"(?:a gente (?:so |tambem )?(?:conversa|fala)|conversamos|converso|desenrasco-me|me desenrasco|me viro|me defendo|defendo-me|"
        rf"(?:sou )?fluente|fui alfabetizad[oa]|falante|nativ[oa]|cresci falando|cresci a falar)(?: (?:so|bem|muito bem|mais ou menos|"
        rf"em casa|super bem|de|tambem|ja|melhor))*(?: (?:em|no|de))? (?P<v>{LANGUAGE})(?![a-z])",
        _speaks,
    ),
    *mine(
        "mother tongue",
        "lingua idioma materna",
        rf"(?P<v>{LANGUAGE}) (?:e|eh|foi|sempre foi) (?:[oa] )?(?:minha|meu) (?:\w+ )?(?:lingua|idioma)|(?:minha|meu) (?:primeira |segunda )"
        rf"?(?:lingua|idioma)(?: matern[oa]| nativ[oa])? (?:e|eh|foi) (?:o )?(?P<w>{LANGUAGE})",
        lambda m, c, _w: [say(None, "language", span(c, m) or span(c, m, "w"), f"fala {span(c, m) or span(c, m, 'w')}")],
    ),
    *mine("tongue, turned", "falo aprendi domino", rf"(?P<v>{LANGUAGE}) (?:eu )?(?:tambem |ja |so )?(?:falo|aprendi|domino|leio|entendo)(?![a-z])", _speaks),
    *mine("creed, leading", "convicto convicta berco praticante fervorosa fervoroso desde", rf"(?:^\W*|, )(?P<v>{CREED})(?= (?:convict[oa]|de berco|(?:nao )?praticante|fervoros[oa]|desde))", _creed),
    *mine("faith", "fe religiao crenca doutrina", r"minha (?:fe|religiao|crenca|doutrina) (?:e|eh) (?:[oa] |n[oa] )?(?P<v>[a-z].{2,30})", _faith),
    *mine(
        "house of faith",
        "terreiro axe santo oxum iemanja ogum xango oxossi iansa oxala",
        r"sou (?P<v>(?:d[eoa] (?:terreiro|axe|santo|umbanda|candomble|santo daime)|filh[oa] de (?:oxum|iemanja|ogum|xango|oxossi|iansa|oxala|nana|"
        r"exu|omolu|obaluae|logun))(?:,? filh[oa] de \w+)?)(?![a-z])",
        _house,
    ),
    *both("goes by faith", "congregacao culto", r"(?:{congrego|sirvo/congrega|serve}) (?:na|no|em) (?P<v>[a-z].{2,30})", _faith),
]
