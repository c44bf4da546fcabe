"""What somebody lives on, by its frames: work told as a deed or a role, and the places it is done at."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import mine, say
from relembra.minds.offline.reader.portuguese.frames import known_place, own, presupposed, real
from relembra.minds.offline.reader.portuguese.values import brief, is_new, span
from relembra.minds.offline.reader.portuguese.vocabulary import NUMBER, TRADE
from relembra.minds.offline.reader.portuguese.work import firm, firm_after, trade

__all__ = ["LIVELIHOOD"]

_LIVING = re.compile(
    r"(?<![a-z])(?:faco|ganho|tiro|recebo|assino|atendo|respondo|fecharam|fechei|contrat\w+|labuto|sirvo|presto|"
    r"entrei|fiquei|"
    r"estou|to|tou|rodo|viro|sobrevivo|sustento|atuo|cobro|preciso|sei|vejo|sinto|tenho|sou|quero|lido|trabalho|"
    r"comecei|"
    r"passo|viajo|posso|devo|entro|admitiram|admitid[oa]|trampo|fui|coordeno|lidero|cuido)(?![a-z])"
)
_SEEKING = re.compile(
    r"(?<![a-z])(?:quero|procur\w+|busc\w+|sonh\w+|queria|ser|virar|vaga|anuncio|contratar|preciso\sde\sum)(?![a-z])"
)


def _role(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Como diarista faço R$ 180": in a role, beside a deed of one's own."""
    value = trade(clause.raw[match.start("v") :])
    if (
        value
        and own(clause, match.start())
        and _LIVING.search(flattened(clause.sentence).text)
        and not _SEEKING.search(clause.flat[: match.start()])
    ):
        yield say(None, "occupation", value, f"é {value}", changed=is_new(clause))
        yield from firm_after(match, clause, None)


def _role_first(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if real(clause):
        yield from _role(match, clause, who)


def _post(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = trade(clause.raw[match.start("v") :])
    if value and own(clause, match.start()) and not _SEEKING.search(clause.flat[: match.start()]):
        yield say(None, "occupation", value, f"trabalha como {value}", changed=is_new(clause))
        yield from firm_after(match, clause, None)


def _post_being(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Por ser autônoma, não tenho férias"."""
    value = trade(clause.raw[match.start("v") :].split(",")[0])
    if value and own(clause):
        yield say(None, "occupation", value, f"é {value}")


def _changed_trade(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Subi de cargo! De caixa pra fiscal de loja"."""
    told = r"(?<![a-z])(?:mudei|subi|passei|fui|promovid[oa]|promocao|pulei|migrei|profissao|cargo|carreira)(?![a-z])"
    value = trade(clause.raw[match.start("v") :])
    if value and own(clause, match.start()) and re.search(told, flattened(clause.message).text):
        yield say(None, "occupation", value, f"é {value}", changed=True)
        yield say(None, "former_occupation", span(clause, match, "old"), f"já foi {span(clause, match, 'old')}")


def _bare_trade(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Enfermeira em Sobral, plantão de 12h": a trade that opens the message, and where it is done."""
    if clause.offset > _GREETING or not own(clause, match.start()):
        return
    value = trade(clause.raw[match.start("v") :])
    if value is None:
        return
    yield say(None, "occupation", value, f"é {value}")
    where = match["where"] and known_place(span(clause, match, "where"), "em")
    if where:
        yield say(None, "residence", where, f"mora em {where}")
    yield from firm_after(match, clause, None)


_GREETING = 14


def _apposed(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Quem escreve é a Iracema, professora de geografia da rede municipal"."""
    value = trade(clause.raw[match.start("v") :].split(",")[0])
    if value:
        yield say(None, "occupation", value, f"é {value}")
        yield from firm_after(match, clause, None)


def _deed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = brief(re.split(r"\sem\s\d|\sperto\s", span(clause, match))[0], longest=6)
    if value is None or re.match(
        r"(?:meus?|minhas?|filh|coragem|caso|vergonha|expectativa|isso|conta|que|um\s|uma\s|no\s|na\s|em\s|com\s)|"
        r".*(?<![a-z])(?:quintal|varanda|vaso|janela|apartamento|hobby)(?![a-z])",
        flattened(value).text,
    ):
        return
    verb = span(clause, match, "verb").lower()
    told = verb[:-1] + ("e" if flattened(verb).text in {"forneco", "revendo", "vendo"} else "a") if not who else verb
    told = _TOLD.get(flattened(verb).text, told)
    yield say(who, "occupation", f"{told} {value}", f"{told} {value}", changed=is_new(clause))


_TOLD = {
    "forneco": "fornece",
    "produzo": "produz",
    "conduzo": "conduz",
    "dirijo": "dirige",
    "faco": "faz",
    "guio": "guia",
    "revendo": "revende",
    "vendo": "vende",
}


def _makes(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause, match.start()):
        value = f"faz {span(clause, match)}"
        yield say(None, "occupation", value, value)


def _earns_by(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = brief(span(clause, match), longest=8)
    if value and not re.match(
        r"(?:olho|dieta|favor|mau\shumor|aluguel|boa|bem|graca|luz|brisa|esperanca|mim|aparencia|fe|amor|passado|"
        r"sonho|ilusao|cafe|"
        r"corrida$|plantao|aparencias|lembranca|saudade|migalha|miojo|ifood|cara)",
        flattened(value).text,
    ):
        yield say(None, "occupation", value, f"vive de {value}")


def _employed(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = firm(span(clause, match))
    if value and own(clause, match.start()):
        yield say(None, "employment", value, f"trabalha em {value}", changed=is_new(clause) or "carteira" in match[0])


def _worked(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = firm(span(clause, match))
    if value:
        yield say(None, "former_employment", value, f"trabalhou em {value}")


def _firm_years(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Bati 32 anos de Correios": an employer by the years spent there."""
    value = firm(span(clause, match))
    if value and value[0].isupper():
        gone = re.search(r"aposentad|reformad|pendurei", flattened(clause.message).text)
        yield say(
            None,
            "former_employment" if gone else "employment",
            value,
            f"{'trabalhou' if gone else 'trabalha'} em {value}",
        )


def _out_of_work(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause, match.start()):
        yield say(
            None, "employment", "desempregado", f"está {span(clause, match)} (desempregado)", changed=is_new(clause)
        )


def _seeks_work(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause, match.start()):
        value = span(clause, match)
        yield say(None, "employment", value, f"está {value}")


def _pensioner(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    if own(clause, match.start()):
        value = span(clause, match)
        yield say(None, "employment", value, f"está {value}", changed=is_new(clause))
        firm_of = re.match(r"\s(?:pel[oa]|d[oa])\s(?P<v>[A-Z0-9À-Þ][^,.;!?]{1,30})", clause.raw[match.end("v") :])
        if firm_of and (place := firm(firm_of["v"])):
            yield say(None, "former_employment", place, f"trabalhou em {place}")


_WARES = (
    r"(?:unhas?|sobrancelhas?|cabelos?|bolos?|salgados?|marmitas?|quentinhas?|faxinas?|fretes?|entregas?|corridas?|"
    r"trancas?|tatuagens?|tattoo|doces?|"
    r"brigadeiros?|sites?|logos?|artes?|edicao de videos?|croche pra vender|sabonetes?|velas artesanais|pao|paes|"
    r"depilacao|maquiagem|carretos?|mudancas?|"
    r"bicos?|pequenos reparos|manutencao de \w+|traducoes|revisoes|plantoes)"
)

LIVELIHOOD: list[Rule] = [
    *mine(
        "in a role",
        "como",
        rf"(?:como|na (?:qualidade|funcao|condicao) de|no cargo de) (?:um |uma |o |a )?(?P<v>{TRADE})",
        _role,
    ),
    *presupposed(
        mine(
            "in a role, leading",
            "como sendo",
            rf"^\W*(?:(?:oi|ola|bom dia|boa tarde|bem|entao|olha)\W+)?(?:como|sendo|na condicao de) (?:um |"
            rf"uma )?(?P<v>{TRADE})(?= [^?]*,| (?:que|e|faco|preciso|sei|tenho|vejo))",
            _role_first,
        )
    ),
    *mine(
        "holds a post",
        "emprego bico turno cargo funcao plantao servico trampo posto carreira oficio",
        rf"(?:(?:tenho|peguei|consegui|arrumei|faco|meu|minha|um|num|no|arranjei) )(?:\w+ )?(?:emprego|bico|turno|"
        rf"cargo|funcao|plantao|servico|trampo|posto|oficio|estagio)"
        rf"(?: fixo| novo)? (?:de|como) (?P<v>{TRADE})",
        _post,
    ),
    *mine(
        "trade, opening",
        "em na no ha desde faz com",
        rf"^\W*(?:(?:oi|ola|opa|bom dia|boa tarde|boa noite)\W+)?(?P<v>{TRADE})(?: (?:de|da) [a-z]+)?(?= (?:em [a-z]|"
        rf"na [a-z]|no [a-z]|d[ao] rede|ha |desde |faz |concursad|autonom|aqui[ ,]))"
        rf"(?: em (?P<where>[a-z][\w ]{{2,24}}))?",
        _bare_trade,
    ),
    *mine(
        "trade, apposed",
        "fala escreve chamo sou nome aqui assina",
        rf"(?:quem (?:fala|escreve) (?:e|eh)|me chamo|chamo-me|meu nome (?:e|eh)|aqui (?:e|eh)|"
        rf"sou) (?:[oa] )?(?!{TRADE})[a-z]+(?: [a-z]+){{0,3}}, (?:\d\d anos, )?(?:sou )?(?P<v>{TRADE})",
        _apposed,
    ),
    *mine(
        "trade by deed",
        "planto cultivo crio produzo fabrico conserto reparo restauro pesco forneco revendo confecciono conduzo piloto opero",
        r"(?:^|(?<=[,;:] )|eu |que |e )(?P<verb>planto|cultivo|crio|produzo|fabrico|conserto|reparo|restauro|pesco|"
        r"forneco|revendo|confecciono|conduzo) (?P<v>[a-z].{2,60})",
        _deed,
    ),
    *mine(
        "makes to sell",
        "faco fazendo",
        rf"(?:faco|vivo fazendo|to fazendo) (?:uns |umas |os |as )?(?P<v>{_WARES}(?: (?:em domicilio|pra fora|"
        rf"para fora|por encomenda|sob encomenda|pra vender|de \w+|a domicilio|no \w+))?)(?=$|[,.;!]| e )",
        _makes,
    ),
    *mine(
        "lives by",
        "ganho vivo sobrevivo sustento tiro volante",
        r"(?:ganho a vida|(?:^|eu |(?<=[,;] ))vivo|sobrevivo|me sustento|tiro (?:o |meu )+sustento|no volante|"
        r"pago as contas) (?:(?:ha|faz) \w+ anos )?(?:d[eoa]s?|com(?:o)?|a|fazendo|vendendo) (?P<v>[a-z].{2,50})",
        _earns_by,
    ),
    *mine(
        "on the books",
        "ponto carteira camisa cracha quadro",
        r"(?:bat(?:o|i|endo) (?:o )?(?:ponto|cartao) (?:na|no|em)|assinaram (?:a )?minha carteira (?:na|no|em)|"
        r"carteira assinada (?:na|no|pel[ao])|visto a camisa(?: \w+)? d[ao]|"
        r"uso o cracha d[ao]|sou do (?:quadro|time|staff) d[ao]|fui (?:admitid|efetivad|"
        r"contratad)[oa](?: \w+)? (?:na|no|pel[ao])|presto servico (?:pr[ao]|para [oa]|na|no)) (?P<v>[a-z0-9].{1,40})",
        _employed,
    ),
    *mine(
        "trade, retired",
        "aposentada aposentado reformada reformado",
        rf"(?:sou|eu) {TRADE}(?: \w+)? (?P<v>(?:aposentad|reformad)[oa])(?![a-z])",
        _pensioner,
    ),
    *mine(
        "new job at",
        "emprego trampo trabalho",
        r"(?:comecei|entrei|to|estou|consegui|arrumei|arranjei|peguei) (?:n?um |n?o |no meu |meu |"
        r"em um )?(?:novo )?(?:emprego|trampo|trabalho)(?: novo)? (?:na|no|em|pel[ao]) (?P<v>[a-z0-9].{1,40})",
        _employed,
    ),
    *mine(
        "being a",
        "ser",
        rf"(?:por (?:eu )?ser|pelo fato de (?:eu )?ser|apesar de (?:eu )?ser|alem de ser) (?:um |uma )?(?P<v>{TRADE})",
        _post_being,
    ),
    *mine(
        "works at, further on",
        "trabalho trampo",
        r"(?:^|eu |(?<=[,;] ))(?:trabalho|trampo|atuo) [^.;!?]{3,45}?, (?:num|numa|na|no) (?P<v>(?!verdade|real|"
        r"maior|medida|epoca)[a-z].{2,40})",
        _employed,
    ),
    *mine(
        "works at, after a word",
        "num numa",
        r"(?:^|eu |(?<=[,;] )|e )(?:trabalho|trampo) (?:[a-z]+ ){1,4}?(?:num|numa) (?P<v>[a-z].{2,40})",
        _employed,
    ),
    *mine("on leave", "licenca", r"(?:to|tou|estou) (?:de|em) (?P<v>licenca(?:[- ][a-z]+)?)", _seeks_work),
    *mine(
        "former job",
        "antigo ultimo primeiro emprego trampo",
        r"meu (?:antigo|ultimo|primeiro|ex) ?-?(?:emprego|trampo|trabalho) (?:era|foi) (?:na|no|em|num|"
        r"numa) (?P<v>[a-z].{1,40})",
        _worked,
    ),
    *mine(
        "sells by now",
        "vendo",
        r"(?:hoje|agora|atualmente) (?:eu )?(?P<verb>vendo) (?!(?:tv|um|uma|o|a|isso|que) )(?P<v>[a-z].{2,40})",
        _deed,
    ),
    *mine(
        "at a desk of",
        "turno area setor departamento rh ti financeiro comercial marketing estagiando",
        r"(?:(?:trabalho|trampo|atuo) (?:no|na) (?:turno|area|setor|parte|departamento|producao|"
        r"linha)(?: d[eoa] \w+)? (?:na|no|da|do)|sou d[oa] (?:rh|ti|financeiro|comercial|"
        r"marketing|juridico|atendimento|suporte|compras|logistica|(?:time|equipe|area|setor) d[eoa] \w+) (?:da|do|"
        r"na|no)|(?:to|tou|estou) estagiando (?:num|numa|na|no|em)) (?P<v>[a-z].{1,40})",
        _employed,
    ),
    *mine(
        "changed trades",
        "pra para",
        rf"(?:^|(?<=[,;:!] )|(?:mudei|subi|passei|fui|promovid[oa]|pulei|"
        rf"migrei) )\W*de (?P<old>{TRADE})(?: de \w+)? (?:pra|para|a) (?P<v>{TRADE})",
        _changed_trade,
    ),
    *mine(
        "firm of mine",
        "empresa loja marca startup",
        r"minha (?:empresa|loja|marca|startup|confeitaria|agencia|oficina) (?:se chama|chama|chama-se|e a|"
        r"e o) (?P<v>[a-z].{1,30})",
        _employed,
    ),
    *mine(
        "work is",
        "trampo emprego trabalho servico",
        rf"meu (?:trampo|emprego|trabalho|servico|ganha-pao)(?: \w+)? (?:e|eh) (?:de |como |ser )?(?P<v>{TRADE})",
        _post,
    ),
    *mine(
        "trade, here", "aqui", rf"^\W*(?P<v>{TRADE})(?: (?!aqui)[a-z]+){{0,2}} aqui(?=$|[,.!:])(?P<where>)", _bare_trade
    ),
    *mine(
        "years at a firm",
        "anos",
        rf"(?:bati|completei|fiz|tenho|com|sao|la se vao) {NUMBER} anos de (?P<v>[a-z].{{1,30}})",
        _firm_years,
    ),
    *mine(
        "out of work",
        "sem",
        r"(?:to|tou|estou|fiquei|ando|sigo|continuo|na pista)(?: \w+){0,2}? (?P<v>sem (?:emprego|trampo|trabalho|"
        r"servico)(?: nenhum)?)(?= ?(?:$|[,.;!]| desde| ha| faz| e | agora| nenhum))",
        _out_of_work,
    ),
    *mine(
        "seeks work",
        "procurando procura buscando atras",
        r"(?:to|tou|estou|ando|sigo)(?: \w+)? (?P<v>(?:procurando|buscando|a procura de|atras de|em busca de) (?:um |"
        r"uma |outro )?(?:emprego|trampo|trabalho|servico|estagio|recolocacao))(?![a-z])",
        _seeks_work,
    ),
    *mine(
        "pensioner",
        "aposentada aposentado reformada reformado desempregada desempregado",
        r"(?:(?:sou|estou|to|tou|mesmo|ja|agora|recem|enfim|como|fiquei|hoje)[ -]|(?<=: )|(?<=, )|"
        r"^\W*)(?P<v>(?:aposentad|reformad|desempregad)[oa])(?=$|[ ,.;!])(?! (?:por completo|de \d+|e pintad))",
        _pensioner,
    ),
]
