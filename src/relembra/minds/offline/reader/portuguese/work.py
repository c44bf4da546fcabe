"""Work and study: employer, trade, course, pay, skills, and how those begin and end."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.identity import TOWNS
from relembra.minds.offline.reader.portuguese.study import course
from relembra.minds.offline.reader.portuguese.values import brief, clean, is_new, past, span
from relembra.minds.offline.reader.portuguese.vocabulary import IN, TRADE

__all__ = ["WORK"]

_NO_FIRM = re.compile(
    r"(?:escala|casa$|casa\s|home|remot|noite|manha|tarde|madrugada|dia|fim|final|feriado|sabado|"
    r"domingo|segunda|semana|turno|area|ramo|"
    r"equipe|mesm[oa]|projeto|campo\s|horario|periodo|pe$|pressao|grupo|dupla|rua$|computador|"
    r"setor|hora|cima|volta|conta\spropria|"
    r"regime|tempo|ritmo|silencio|lugar|empresa$|firma$|escritorio$|que|mim|isso|um\slugar|predio|"
    r"desde|meu|minha|frente|"
    r"proprio|media|janeiro|fevereiro|\d)"
)
_FIRM_CUT = re.compile(
    r"\s(?:como|de\ssegunda|como|na\sarea|no\ssetor|na\sparte|atuando|fazendo|com|ate|pra|para|por|"
    r"todo|toda|e|ou|ganhando|"
    r"ate|durante|sem|aos|(?:n?[oa]s?|de|em)\s(?:fins|finais|fim|final)\sde|aos?\s(?:sabado|domingo)s?|as\s\w+|meio\speriodo|remoto|remotamente|presencial)(?![a-z]).*|\s(?:em|"
    r"no|na)\s(?=[A-ZÀ-Þ]).*",
    re.DOTALL,
)


def firm(raw: str) -> str | None:
    """An employer: a name or a kind of place."""
    value = clean(raw, longest=30)
    if value is None or _NO_FIRM.match(flattened(value).text):
        return None
    cut = _FIRM_CUT.search(value if value[0].isupper() else flattened(value).text)
    return brief(value[: cut.start()] if cut else value, longest=6)


_TRADE_CUT = re.compile(
    r"\s(?:na(?!\sarea)|no|em|nos|nas|num|numa|e|ou|da\s(?=[A-ZÀ-Þ])|do\s(?=[A-ZÀ-Þ])|aqui|"
    r"formad[oa]|aposentad[oa]|recem|com|pra|para|"
    r"concursad[oa]|ha|há|por|dess[ae]|dest[ae]|ate|até|fa[cç]o|ganho|tiro|recebo|preciso|tenho|sei|vejo|posso|devo|estou|tô|to|"
    r"trabalho|sou|tem|faz|me|da\srede|aos|às|nos\sfins|que|nunca|sempre|a\svida)(?![a-z]).*",
    re.DOTALL,
)


def trade(raw: str) -> str | None:
    """A profession or role, without where it is done."""
    value = clean(raw, longest=30)
    if value is None:
        return None
    cut = _TRADE_CUT.search(value)
    return brief(value[: cut.start()] if cut else value, longest=5)


_FIRM_AFTER = re.compile(
    r"\s(?P<in>na|no|da|do|em|num|numa|pra|para)\s(?P<v>[A-Z0-9À-Þ].{1,40}|(?<=num\s)[a-z].{2,40}|(?<=numa\s)[a-z].{2,40}|(?:um|uma|hospital|"
    r"escola|banco|clinica|prefeitura|empresa|loja|fabrica|restaurante|universidade|ong|startup|"
    r"cartorio|posto|padaria|mercado|farmacia|escritorio|construtora|agencia|editora|grafica|"
    r"fintech|multinacional|creche|salao|hotel|laboratorio|rede)(?:\s.{1,40})?)"
)


def firm_after(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """The employer that follows a trade: "sou caixa no Bradesco"."""
    rest = clause.raw[match.start("v") :]
    found = _FIRM_AFTER.search(rest)
    if found and len(rest[: found.start()].split()) <= 5:
        value = firm(found["v"])
        if value and not re.match(r"area(?![a-z])", flattened(value).text):
            if found["in"] in {"da", "do", "em"} and not value[0].isupper() and not value.startswith("rede"):
                return
            if TOWNS.match(flattened(value).text):
                yield say(who, "residence", value, f"mora {found['in']} {value}")
                return
            if found["in"] == "em" or re.match(r"(?:noite|manha)", flattened(value).text):
                return
            gone = re.search(r"(?<![a-z])(?:aposentad|reformad)[oa](?![a-z])", clause.flat)
            yield say(
                who,
                "former_employment" if gone else "employment",
                value,
                f"trabalha na {value}" if found["in"] in {"na", "da"} else f"trabalha em {value}",
                changed=is_new(clause),
            )


def _job(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Sou enfermeira no Hospital X"."""
    value = trade(clause.raw[match.start("v") :])
    if value is None or re.match(r"\s[A-ZÀ-Þ][a-zà-ÿ]", clause.raw[match.end("v") :]):
        return  # "é o professor Aurélio" names somebody
    yield say(who, "occupation", value, f"é {value}", changed=is_new(clause), held_from=None)
    yield from firm_after(match, clause, who)


def _works_as(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = trade(span(clause, match))
    if value and not re.match(
        r"(?:home|escola|faculdade|turma|curso|portugues|historia|casa|segunda|noite|manha|madrugada|"
        r"domingo|graca|verdade|pe|forma|modo|voluntari|remot|sempre|\d|um\w*$|pijama|cas[oa]|tarde|"
        r"dia)(?![a-z])",
        flattened(value).text,
    ):
        yield say(who, "occupation", value, f"trabalha como {value}", changed=is_new(clause))
        yield from firm_after(match, clause, who)


def _works_at(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = firm(span(clause, match))
    if value is None:
        return
    where = {"da": "na", "do": "no", "": "em"}.get(match["in"], match["in"])
    yield say(who, "employment", value, f"trabalha {where} {value}", changed=is_new(clause))
    role = re.search(r"\scomo\s(?P<v>[a-z].{2,40})", clause.flat[match.start("v") :])
    if role:
        start = match.start("v") + role.start("v")
        named = trade(clause.raw[start:])
        if named:
            yield say(who, "occupation", named, f"trabalha como {named}", changed=is_new(clause))


def _works_with(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value and not re.match(
        r"(?:el[ea]|isso|tudo|gente|meu|minha|pessoas\s\w+$|mais|amor|medo|sono|raiva|fone|musica\s)",
        flattened(value).text,
    ):
        if value[0].isupper() and len(value.split()) == 1 and not value.isupper():
            return  # "trabalho com a Paula"
        place = re.search(r"\s(?:num|numa|na|no)\s(?P<v>.+)", value)
        value = value[: place.start()] if place else value
        yield say(who, "occupation", value, f"trabalha com {value}", changed=is_new(clause))
        if place and (employer := firm(place["v"])):
            yield say(who, "employment", employer, f"trabalha em {employer}")


def _jobless(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "employment", value, f"está {value}", changed=is_new(clause), held_from=past(clause))


def _salary(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match).strip(" ,.")
    if re.fullmatch(r"\d{1,2}|\d pila", value):
        return  # "1 salário e meio", "3 pila e 200"
    yield say(who, "salary", value, f"ganha {value}", changed=is_new(clause))


_MONEY = (
    r"(?P<v>(?:um|dois|tres|quatro|meio) salarios?(?: minimos?)?|(?:r\$ ?|€ ?|us\$ ?|\$ ?)"
    r"?\d[\d.,]*(?: ?(?:mil|k|milhoes|milhao))?(?: ?(?:reais|euros|dolares|conto|contos|pila|paus|"
    r"salarios? minimos?))?(?: (?:por|ao|/) ?(?:mes|hora|ano|semana)| limpos?| brutos?| liquidos?)"
    r"*)"
)
_NB = (
    r"(?<!\bo )(?<!\bum )(?<!meu )(?<!seu )(?<!\bde )(?<!\bdo )(?<!\bno )(?<!\bao )(?<!\bem )"
    r"(?<!sse )(?<!ste )(?<!\bpro )(?<!com )(?<!\bou )(?<!novo )(?<!antigo )"
)


def _told_firm(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = firm(span(clause, match))
    if value and value[0].isupper():
        yield say(None, "employment", value, f"trabalha em {value}")


def _told_job(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = trade(span(clause, match))
    if value and re.match(rf"(?:{TRADE}|\w+[aei]r(?![a-z]))", flattened(value).text):
        yield say(None, "occupation", value, f"trabalha: {value}")


def _sells(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = course(span(clause, match))
    if value:
        yield say(who, "occupation", f"vende {value}", f"vende {value}")


def _listed_job(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Sou a Noêmia, 51 anos, professora de química em Imperatriz"."""
    if not re.match(
        r"\W*(?:(?:oi|ola|bom dia)\W+)?(?:sou\s|me\schamo|meu\snome|\d\d\sanos)", flattened(clause.sentence).text
    ):
        return
    rest = clause.raw[match.start("v") :]
    value = trade(rest.split(",")[0])
    if value:
        yield say(None, "occupation", value, f"é {value}")
    where = re.match(r"[^,]{3,40}\sem\s(?P<place>[A-ZÀ-Þ][^,.;!?]{2,30})", rest)
    if where:
        yield say(None, "residence", where["place"].strip(), f"mora em {where['place'].strip()}")


def _leading_job(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if clause.raw[match.start("v")].islower() or clause.flat == clause.flat.strip():
        value = trade(clause.raw[match.start("v") :])
        if value:
            yield say(None, "occupation", value, f"é {value}")


def _teaches(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = course(span(clause, match))
    if value and not re.match(
        r"(?:na|no|em|pra|para|a|as|aos|que|como|todo|mim|um|uma|num|numa|segundas?|tercas?|quartas?|"
        r"quintas?|sextas?|medio)(?![a-z])",
        flattened(value).text,
    ):
        yield say(who, "occupation", f"professor de {value}", f"dá aula de {value}")


def _business(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=7)
    if value and not re.match(r"(?:escola|sitio|canal|bar)$", flattened(value).text):
        opened = match[0].startswith(("abri", "montei", "montou"))
        yield say(who, "employment", value, f"tem {value}", changed=opened)


def _drives(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = f"motorista de {span(clause, match)}"
    yield say(who, "occupation", value, f"é {value}")


def _closed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value:
        yield say(who, "former_employment", value, f"fechou {value}", changed=True, held_from=past(clause))


WORK: list[Rule] = [
    *both(
        "job",
        "sou e eh somos virei",
        rf"(?:{{sou|virei|eu sou|atuo como|me tornei|comecei(?: (?:hoje|ontem|agora|segunda|semana "
        rf"passada|mes passado|la))? como|estou como|to como|hoje sou|agora sou/e|eh|virou|atua como|"
        rf"se tornou|comecou como}}) (?:(?:um|uma|tambem|o|a|hoje|atualmente|agora) )?(?:(?:recem|ex) )"
        rf"?(?P<v>{TRADE})",
        _job,
    ),
    *mine(
        "job, leading",
        "aposentada aposentado motorista professora professor enfermeira dev",
        rf"^\W*(?:aqui )?(?P<v>{TRADE})(?= (?:aposentad[oa]|desde|ha|faz|d[ao] [a-z]|aqui\b|de (?:app|"
        rf"aplicativo|onibus|caminhao)))",
        _leading_job,
    ),
    *both(
        "works as",
        "trabalho trabalha atuo atua trampo trampa exerco comecei",
        rf"{_NB}(?:{{trabalho|atuo|trampo|comecei a trabalhar|estou trabalhando|to trabalhando|tou "
        rf"trabalhando|to trampando|passei a trabalhar|voltei a trabalhar|bulo/trabalha|atua|trampa|"
        rf"esta trabalhando|ta trabalhando|comecou a trabalhar|passou a trabalhar}}) (?:(?:agora|hoje|"
        rf"atualmente|la|ha [\w ]{{3,14}}|faz [\w ]{{3,14}}) )?(?:como|de) (?P<v>[a-z].{{2,60}})",
        _works_as,
    ),
    *both(
        "works at",
        "trabalho trabalha trampo trampa atuo atua trabalhando trampando emprego lecciono leciono "
        "leciona estagio estagia",
        rf"{_NB}(?:{{trabalho|trampo|atuo|leciono|lecciono|estagio|dou aulas?|comecei a trabalhar|"
        rf"estou trabalhando|to trabalhando|tou trabalhando|to trampando|passei a trabalhar|voltei a "
        rf"trabalhar|faco estagio|consegui emprego|arrumei emprego|arranjei emprego|arrumei (?:um )"
        rf"?trampo|estou a trabalhar|sou funcionari[oa]|tenho um cargo/trabalha|trampa|atua|leciona|"
        rf"estagia|da aulas?|esta trabalhando|ta trabalhando|comecou a trabalhar|passou a trabalhar|"
        rf"voltou a trabalhar|faz estagio|conseguiu emprego|arrumou emprego|esta a trabalhar}}) "
        rf"(?:(?:agora|hoje|atualmente|aqui|la|tambem|desde \d+|(?:ha|faz) [\w ]{{3,14}}?|ainda|remoto|"
        rf"de casa|como [a-z ]{{3,30}}?|de [a-z ]{{3,20}}?|de [a-z]+|e) )?(?P<in>{IN}|pra|para|pro) "
        rf"(?:o |a |os )?(?P<v>[a-z0-9].{{1,60}})",
        _works_at,
    ),
    *mine(
        "firm, told",
        "empresa firma",
        r"(?:[oa] )?(?:empresa|firma|lugar|loja|escola) (?:onde|em que|que|q) (?:eu )?trabalho (?:e|eh|"
        r"se chama|chama) (?:[oa] )?(?P<in>)(?P<v>[a-z].{1,40})",
        _told_firm,
    ),
    *mine(
        "job, told",
        "trabalho profissao oficio",
        r"(?:meu (?:trabalho|emprego|oficio|ganha-pao)|minha profissao) (?:e|eh|agora e) (?:de |ser )"
        r"?(?P<v>[a-z].{2,40})",
        _told_job,
    ),
    *both(
        "works with",
        "trabalho trabalha mexo trampo",
        rf"{_NB}(?:{{trabalho|mexo|trampo/trabalha|mexe|trampa}}) com (?P<v>[a-z].{{1,50}})",
        _works_with,
    ),
    *both(
        "teaches",
        "dou da leciono ensino",
        r"(?:{dou aulas?|leciono|eu ensino/da aulas?|leciona|ensina}) (?:particulare?s? |particular )"
        r"?(?:de )?(?P<v>[a-z].{2,40})",
        _teaches,
    ),
    *both(
        "sells",
        "vendo vende",
        r"(?:{eu vendo|^vendo(?! (?:tv|um|uma|o|a|isso|essa|esse|meu|minha|que))|vivo de vender/vende})"
        r" (?P<v>[a-z].{2,40})",
        _sells,
    ),
    *mine("trade in a list", "anos sou chamo nome", rf"(?<=, )(?P<v>{TRADE})", _listed_job),
    *both(
        "jobless",
        "desempregada desempregado desempregad aposentada aposentado reformada reformado afastada "
        "afastado autonoma autonomo encostada encostado",
        r"(?:{sou|estou|to|tou|fiquei|ando|continuo|sigo|eu/e|esta|ta|ficou|anda|eh}) (?:(?:agora|"
        r"ainda|ja|atualmente) )?(?P<v>desempregad[oa]|aposentad[oa]|reformad[oa]|afastad[oa] pelo "
        r"inss|encostad[oa] pelo inss|autonom[oa]|freelancer|freela)(?![a-z])",
        _jobless,
    ),
    *mine(
        "jobless, leading",
        "aposentado aposentada desempregado desempregada",
        r"^\W*(?P<v>aposentad[oa]|desempregad[oa])(?= (?:d[aoe]|desde|ha|faz)|\W*$)",
        _jobless,
    ),
    *both(
        "own business",
        "abri abriu tenho tem sou dona dono empresa loja negocio",
        r"(?:{tenho|abri|montei|sou (?:dona|dono) de|sou soci[oa] de|toco/tem|abriu|montou|e (?:dona|"
        r"dono) de}) (?:um|uma|minha|meu|minha propria|meu proprio) (?:pequen[oa] )?(?P<v>(?:empresa|"
        r"loja|lojinha|negocio|padaria|restaurante|salao|barbearia|consultorio|escritorio|oficina|"
        r"startup|agencia|confeitaria|lanchonete|food truck|pousada|brecho|estudio|escola|clinica|bar|"
        r"cafeteria|mercadinho|pet shop|petshop|floricultura|papelaria|marcenaria|atelie|studio|"
        r"e-commerce|canal|sitio)(?: .{2,40})?)",
        _business,
    ),
    *both(
        "salary",
        "ordenado vencimento ganho ganha salario recebo recebe tiro faturo salarios remuneracao",
        rf"(?:{{(?<!\bum )(?<!\bo )(?:ganho|recebo|tiro|faturo)|estou ganhando|to ganhando|passei a "
        rf"ganhar|passei a receber|(?:o )?meu (?:salario|ordenado|vencimento) (?:e|eh|foi|aumentou|"
        rf"subiu|passou|agora e|ficou|liquido e|bruto e)(?: de| pra| para| em| a)?/ganha|recebe|fatura|"
        rf"tira}}) (?:(?:uns|cerca de|mais ou menos|agora|quase|em torno de|por volta de|em media|so|"
        rf"liquido|por mes|hoje|de) ){{0,2}}(?=(?:dois|tres|quatro|um|meio) salario|(?:r\$|€|us\$)|"
        rf"[\d.,]+ ?(?:mil|k|reais|euros|conto|pila|dolares|por mes|salario|brut|liquid|\d*$)|\d{{4,}}|"
        rf"\d\.\d{{3}}){_MONEY}",
        _salary,
    ),
    *mine(
        "raise",
        "salario ordenado",
        rf"(?:salario|ordenado) (?:foi|passou|subiu|aumentou|pulou|caiu|baixou|diminuiu) (?:de "
        rf"[\d.,]+(?: mil)? )?(?:pra|"
        rf"para) {_MONEY}",
        _salary,
    ),
    *mine(
        "employed by",
        "terceirizada terceirizado temporaria temporario celetista contratada contratado clt pj funcionaria funcionario empregada empregado colaboradora concursada concursado servidora servidor",
        r"sou (?:clt|pj|terceirizad[oa]|temporari[oa]|celetista|comissionad[oa]|contratad[oa]|funcionari[oa]|empregad[oa]|colaboradora?|concursad[oa]|servidora?) (?P<in>da|"
        r"do|na|no) (?P<v>[a-z0-9].{1,40})",
        _works_at,
    ),
    *both(
        "drives",
        "dirijo dirige",
        r"{dirijo/dirige} (?:um |o )?(?P<v>uber|taxi|caminhao|onibus|carreta|van escolar|ambulancia|99|"
        r"aplicativo|guincho|trator)(?![a-z])",
        _drives,
    ),
    *both(
        "clocks in",
        "ponto",
        r"(?:{bato|bato o/bate|bate o}) (?:cartao|ponto) (?P<in>na|no|em) (?P<v>[a-z].{2,40})",
        _works_at,
    ),
    *both(
        "the new one",
        "novo nova atual unica unico sou",
        rf"(?:{{sou|virei/e|eh}}) [oa] (?:nov[oa]|atual|unic[oa]|mais nov[oa]) (?P<v>{TRADE})",
        _job,
    ),
    *mine(
        "closed shop",
        "fechei",
        r"fechei (?:a |o |minha |meu )(?P<v>(?:loja|empresa|restaurante|salao|padaria|oficina|"
        r"escritorio|consultorio|bar|lanchonete|negocio|atelie|clinica)(?![a-z]).{0,25})",
        _closed,
    ),
]
