"""Goals, ends of goals, blows of fate and feelings, as they are said in passing."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.goals import LASTING, wish
from relembra.minds.offline.reader.portuguese.people import people_in
from relembra.minds.offline.reader.portuguese.values import clean, coming, past, place, span
from relembra.minds.offline.reader.portuguese.wording import told

__all__ = ["AMBITIONS"]

_MOMENT = re.compile(r"(?<![a-z])(?:hoje|agora\smesmo|amanha|hj|daqui\sa\spouco|mais\starde)(?![a-z])")
_FIRST_TO_INFINITIVE = {
    "viro": "virar",
    "passo": "passar",
    "compro": "comprar",
    "tiro": "tirar",
    "quito": "quitar",
    "termino": "terminar",
    "abro": "abrir",
    "mudo": "mudar",
    "largo": "largar",
    "junto": "juntar",
    "perco": "perder",
    "emagreco": "emagrecer",
    "emagreço": "emagrecer",
    "chego": "chegar",
    "corro": "correr",
    "caso": "casar",
    "aprendo": "aprender",
    "publico": "publicar",
    "lanco": "lançar",
    "lanço": "lançar",
    "formo": "formar",
    "zero": "zerar",
    "pago": "pagar",
    "bato": "bater",
    "saio": "sair",
    "volto": "voltar",
}


def _goal(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = wish(span(clause, match), sure=True)
    if value and _NOBODYS.match(match[0]) and not LASTING.match(flattened(value).text):
        return  # "o plano é …": whose, is not said
    if value and not _MOMENT.search(clause.flat):
        yield say(who, "goal", value, f"quer {value}", expires_at=coming(clause)[1])


_NOBODYS = re.compile(r"\W*[oa]\s(?:\w+\s)?(?:plano|meta|objetivo|missao|intencao|proposito)\s")


_IDLE_TALK = re.compile(r"(?<![a-z])(?:so\s|nao\spassa\sde\s)(?:conversa|papo|devaneio|brincadeira)(?![a-z])")


def _lasting_goal(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if _IDLE_TALK.search(flattened(clause.sentence).text):
        return  # "às vezes penso em ir viver para Braga, mas não passa de conversa"
    value = wish(span(clause, match), sure=True)
    if value and LASTING.match(flattened(value).text) and not _MOMENT.search(clause.flat):
        yield say(who, "goal", value, f"quer {value}", expires_at=coming(clause)[1])


def _vowed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Até dezembro eu viro faixa preta": a verb in the present, with a date ahead."""
    value = wish(span(clause, match), sure=True)
    if value:
        text = f"{_FIRST_TO_INFINITIVE[match['verb']]} {value}"
        yield say(who, "goal", text, f"quer {text}", expires_at=coming(clause)[1])


def _achieved(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = wish(span(clause, match) or span(clause, match, "w"), sure=True)
    if value and not re.match(
        r"(?:meta|isso|tudo|o dia|a semana|compra|grana|dinheiro)(?![a-z])", flattened(value).text
    ):
        yield say(who, "achieved", value, f"conseguiu: {value}", held_from=past(clause))


def _dropped(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = wish(span(clause, match), sure=True)
    value = re.sub(r"^(?:(?:a |da )?(?:ideia|plano|sonho|projeto|historia) de )", "", value) if value else None
    if value and not re.match(
        r"(?:vez|isso|tudo|voce|entender|explicar|tentar|mim|vida|gente)(?![a-z])", flattened(value).text
    ):
        yield say(who, "dropped_goal", value, f"desistiu de {value}", held_from=past(clause))


_IDEA = re.compile(
    r"(?<![a-z])(?:historia|ideia|plano|projeto|sonho|papo|lance|vontade|"
    r"meta)\sd[eao]\s(?P<v>[^?.!,:]{3,50}?)\s*[?.!,:…]+\s*"
    r"(?:(?:eu|a\sgente|nos|eu\se\s\w+\s\w+|ja|isso|essa|esse|ai|olha)\s)*$"
)


def _dropped_that(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    before = clause.message[: clause.offset + match.start()]
    idea = _IDEA.search(flattened(before).text)
    if idea:
        value = before[idea.start("v") : idea.end("v")].strip()
        yield say(who, "dropped_goal", value, f"desistiu de {value}", held_from=past(clause))


def _befell(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Desde o enfarte", "depois da minha separação": that it happened is taken for granted."""
    raw = span(clause, match)
    cut = re.search(
        r"\s(?:que|mas|e|eu|nao|so|to|estou|fiquei|minha|meu|tenho|como|ando)(?![a-z])|[,;.!?()]", flattened(raw).text
    )
    value = (raw[: cut.start()] if cut else raw).strip()
    if re.search(r"(?<![a-z])d(?:el[ea]s?|[oa]s?\s(?:meu|minha|[A-Z]))(?![a-z])", flattened(raw).text[:40]) or any(
        start < match.start() for _, start, _ in people_in(clause.raw, clause.flat)
    ):
        return  # somebody else's
    if value and 1 <= len(value.split()) <= 7:
        yield say(who, "event", value, f"passou por: {value}", held_from=past(clause))


def _struck(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(f"{span(clause, match)} {span(clause, match, 'what')}", longest=12)
    if value:
        yield say(who, "event", value, value, held_from=past(clause))


def _stayed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    where = place(span(clause, match))
    if where and where[0].isupper():
        yield say(who, "event", f"viagem: {where}", f"viajou para {where} (viagem)", held_from=past(clause))


def _happened(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = clause.raw[match.start("v") :]
    cut = re.search(r"[,;.!?()…]|\s(?:mas|porque|pq|que|e\s(?:eu|to|ja|nao|agora))(?![a-z])", flattened(raw).text)
    value = told((raw[: cut.start()] if cut else raw).strip())
    if value and len(value.split()) <= _LONGEST:
        yield say(who, "event", value, value, held_from=past(clause))


_LONGEST = 12
_FEELING = (
    r"(?:(?:[a-z]{4,14}(?:ad|id|os|ost|ent|ist|aust|ens)[oa]|triste|feliz|mal|pessim[oa]|na bad|na fossa|no "
    r"chao|pra baixo|em panico|sem ar|sem sono|"
    r"sem chao|gelad[oa]|tens[oa]|apreensiv[oa]|ansios[oa]|put[oa]|pistola|um caco|em frangalhos|com (?:medo|"
    r"raiva|vergonha|o coracao \w+|um no na garganta|"
    r"as maos \w+|a mao \w+|frio na barriga|borboletas?|ciumes?|saudades?|culpa|dor de barriga|crise|"
    r"taquicardia|os nervos \w+|o estomago \w+|vontade de "
    r"(?:chorar|sumir|fugir|gritar)|lagrimas? \w+|peito apertado))(?: (?:por|durante) \w+)?)"
)


def _whenever(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    topic, feeling = span(clause, match).strip(" ,.!?"), span(clause, match, "f").strip(" ,.!?")
    if 1 <= len(topic.split()) <= _LONGEST and not re.match(r"(?:isso|voce|vc|tudo|nada|aqui)$", flattened(topic).text):
        yield say(who, "emotion", f"{feeling} ({topic})", f"sente: {feeling} ({topic})")


_TIME_CLAUSE = re.compile(
    r"(?:^|[.!,]\s)\W*(?P<v>(?:(?:cada|toda|todas\sas)\svez(?:es)?\s(?:que|q|em\sque)|sempre\s(?:que|q)|"
    r"quando|qd|qnd|so\sde)\s[^,.]{4,60}),\s*$"
)


def _then_feels(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Cada vez que ele viaja, fico com o coração apertado": when, is the clause before."""
    when = _TIME_CLAUSE.search(clause.earlier)
    if when:
        topic = clause.sentence[when.start("v") : when.end("v")]
        yield say(
            who, "emotion", f"{span(clause, match, 'f')} ({topic})", f"sente: {span(clause, match, 'f')} ({topic})"
        )


AMBITIONS: list[Rule] = [
    *mine(
        "aim, told plainly",
        "plano meta ideia corre objetivo missao foco intencao projeto sonho",
        r"(?:^\W*(?:[oa]|meu|minha|nosso|nossa) (?:\w+ )?(?:plano|meta|corre|objetivo|missao|intencao|"
        r"proposito|sonho|grande sonho|desejo)(?: (?:agora|atual|mesmo|aqui|maior|pra \w+|do ano|"
        r"da vez|principal|por enquanto|d[ao] \w+))* (?:e|eh|:|continua sendo|segue sendo|sempre foi)|"
        r"(?:estou|to|tou|ando|sigo) (?:focad[oa]|determinad[oa]|empenhad[oa]|decidid[oa]|na luta|correndo atras|"
        r"batalhando|lutando|na batalha|na missao|com a meta|com planos|a pensar|a planear|de olho)(?: \w+)? "
        r"(?:em|n[oa]|pra|para|a|d[eoa]|por)|corro atras d[eoa]|(?:meti|botei|coloquei|enfiei|pus) na cabeca "
        r"(?:que (?:vou|hei[ -]de|quero|ainda vou|tenho que)|de)|(?:hei|havemos)[ -]de|ainda (?:hei[ -]de|"
        r"chego|quero)|(?:estou|to|tou|estamos|tamos|ando) (?:juntando|guardando|poupando|economizando|a "
        r"juntar|a poupar) "
        r"(?:\w+ ){0,4}(?:pra|para)|(?:me )?preparo-?(?:me)? (?:pra|para)|tenciono|conto (?=\w+[aei]r )|faco "
        r"questao de um dia|quero (?:porque quero|mesmo e)) (?P<v>(?!que |saber |isso )[a-z0-9].{3,90})",
        _goal,
    ),
    *mine(
        "would like",
        "queria gostava gostaria desejo quero adorava vontade penso ando bora",
        r"(?:queria (?:muito |tanto |ainda |mesmo |um dia )?|gostava (?:muito )?de |gostaria (?:muito )?de |"
        r"desejo (?:muito )?|adorava |(?:tenho|morro de|estou com|to com) (?:muita |uma )?vontade (?:louca |"
        r"enorme )?de |"
        r"(?:ando|estou|to) (?:pensando|a pensar|querendo|a querer|doid[oa] (?:pra|para)|louc[oa] (?:pra|"
        r"para))(?: (?:em|de))? |penso (?:seriamente )?em |vou (?:tentar|conseguir|finalmente) )(?P<v>[a-z].{4,80})",
        _lasting_goal,
    ),
    *mine(
        "vowed",
        "ate ano dezembro janeiro julho 2026 2027 2028 mes",
        r"(?:ate (?:o (?:fim|final|meio) d[eoa] \w+|\w+ro|julho|maio|junho|abril|marco|agosto|\d{4}|os "
        r"\d+(?: anos)?|o natal|o carnaval)|(?:esse|este|neste|nesse) ano|ano que vem|em \d{4}|antes dos \d+)"
        rf"(?: ainda)?,? (?:eu )?(?:me )?(?P<verb>{'|'.join(_FIRST_TO_INFINITIVE)}) (?P<v>[a-z0-9].{{2,70}})",
        _vowed,
    ),
    *mine(
        "achieved, in passing",
        "conta tirei saiu passei enfim finalmente check batida cumprida concluida realizado consegui cruzei fechei",
        r"(?:(?:enfim|finalmente|pronto|feito|check)[,:!]? (?:[oa] |minha |meu )?(?P<v>[a-z0-9][\w ]{4,50}?) "
        r"(?:na conta|no bolso|conquistad[oa]|batid[oa]|cumprid[oa]|concluid[oa]|realizad[oa]|na parede|na mao)|"
        r"(?P<w>(?:tirei (?:(?:nota )?\w+|\d+) n[oa] (?:toefl|ielts|enem|oab|prova|vestibular|tcc|celpe|dele|"
        r"delf|jlpt|concurso|exame)\w*|(?:virei|cheguei (?:a|em|n[oa])|bati|subi pr[ao]|alcancei) (?:faixa|"
        r"nivel|diamante|mestre|"
        r"challenger|\d+ (?:mil|k) seguidores)[\w ]{0,25}|saiu (?:minha|a minha) (?:cnh|carteira|habilitacao|"
        r"cidadania|nomeacao|aposentadoria)|(?:terminei|conclui|acabei|finalizei|cruzei) (?:a |o |meu |minha "
        r"|enfim )?(?:\w+ )?(?:maratona|"
        r"faculdade|graduacao|mestrado|doutorado|tcc|curso|livro|pos|caminho de santiago|travessia|"
        r"tratamento|meia)[\w ]{0,30})))",
        _achieved,
    ),
    *mine(
        "dropped, more",
        "toalha desistir desencanei abdiquei abortei engavetei abandonei adiei desfiz enterrei renunciei "
        "cabeca larguei",
        r"(?:joguei a toalha (?:d[eoa]s?|n[oa]s?|com [oa]?|em relacao a)|atirei a toalha|(?:acabei|terminei|"
        r"decidi|resolvi|optei|pensei bem e|tive que|tive de|preferi) ?(?:por |de |mesmo )?(?:desistir|abrir "
        r"mao|largar mao|abdicar) "
        r"d[eoa]s?|desencanei d[eoa]s?|abdiquei d[eoa]s?|renunciei (?:a|ao)|abortei (?:o|a)|abandonei de vez "
        r"(?:o|a)|(?:ja )?nao (?:penso|quero|sonho|tenho vontade|tenciono|pretendo|faco questao) (?:mais "
        r")?(?:em|de|com)?(?= \w+[aei]r )|"
        r"tirei d[ao] (?:cabeca|papel|planos?|lista) (?:[oa]|a ideia de)|deixei (?:de lado|pra la|para la|"
        r"pra tras) (?:o|a)|(?:nao|n) vai (?:mais )?rolar (?:mais )?(?:o|a)|larguei (?:de vez )?(?:o sonho|a "
        r"ideia|o plano|o projeto) d[eoa]) "
        r"(?:(?:o|a|meu|minha|de|sonho de|ideia de|plano de|projeto de) )*(?P<v>[a-z0-9].{2,60})",
        _dropped,
        denied=True,
    ),
    *mine(
        "dropped what was named",
        "enterrei enterramos larguei esquece desisti desistimos abandonei engavetei morreu deixei acabou "
        "rolou era cancelei",
        r"(?:enterrei|enterramos|larguei|esquece|desisti|desistimos|abandonei|engavetei|engavetamos|deixei "
        r"pra la|morreu|ja era|(?:nao|n) (?:rolou|vai rolar|quero mais|deu)|cancelei|caiu por terra|foi pro "
        r"(?:brejo|espaco|saco)|tirei da cabeca)(?![a-z])",
        _dropped_that,
        denied=True,
    ),
    *mine(
        "befell",
        "desde depois apos causa enfarte infarto avc acidente cirurgia bariatrica divorcio separacao "
        "transplante parto derrame queda operacao",
        r"(?:desde|depois d|apos|por causa d|por conta d|recuperando d|me recupero d|sequela d|sobrevivi "
        r"a)(?: ?(?:o|a|os|as))? ?(?:meu |minha |ultim[oa] |primeir[oa] |segund[oa] )?(?P<v>(?:enfarte|"
        r"infarto|avc|acidente|cirurgia|bariatrica|divorcio|separacao|"
        r"transplante|parto|cesarea|derrame|queda|operacao|quimioterapia|quimio|demissao|aborto|assalto|"
        r"sequestro|incendio|enchente|falencia|internacao|atropelamento|histerectomia|mastectomia|"
        r"amputacao)(?![a-z]).{0,40})",
        _befell,
    ),
    *mine(
        "struck",
        "enchente incendio fogo chuva temporal tornado ladrao ladroes vendaval terremoto pandemia granizo",
        r"(?P<v>(?:a |o |um |uma |as |os )?(?:enchente|incendio|fogo|temporal|tornado|vendaval|ladroes|"
        r"ladrao|granizo|deslizamento|tempestade)(?: d[eoa] [\w ]{3,14}?)? (?:levou|destruiu|queimou|arrasou|"
        r"alagou|derrubou|acabou com|consumiu|arrancou))"
        r" (?P<what>(?:a |o )?(?:minha|meu|nossa|nosso) .{3,40})",
        _struck,
    ),
    *mine(
        "struck, mine",
        "casa carro loja moto apartamento sitio fogo alagou desabou",
        r"(?P<v>(?:a |o )?(?:minha|meu|nossa|nosso) (?P<what>casa|carro|loja|moto|apartamento|ape|sitio|"
        r"empresa|barraco|predio|rua) (?:pegou fogo|foi (?:assaltad|arrombad|roubad|alagad|invadid|"
        r"penhorad|furtad|levad)[oa]|alagou|desabou|deu (?:pt|perda total)|inundou))(?! (?:de novo )?hoje)",
        _happened,
    ),
    *mine(
        "stayed",
        "passei passamos dias dia semana semanas ferias",
        r"(?:passei|passamos|fiquei|ficamos|estive|estivemos) (?:uns |umas |mais de |quase )?(?:\d+|uma?|"
        r"dois|duas|tres|quatro|cinco|dez|quinze|vinte) (?:dias?|semanas?|mes|meses)(?: \w+)? (?:em|no|na|"
        r"por|pel[oa]|entre) (?P<v>[a-z].{2,40})",
        _stayed,
    ),
    *both(
        "turning point",
        "cargo promovida promovido aposentei reformei herdei ganhei publiquei mudei abri fechei fali perdi "
        "batizado subi",
        r"(?P<v>{(?:subi de (?:cargo|posto|nivel)|fui (?:promovid[oa]|efetivad[oa]|eleit[oa]|transferid[oa]|"
        r"nomead[oa]|despedid[oa]|homenagead[oa]|vitima de)|virei (?:avo|vovo|pai|mae|tia|tio)|fechei (?:a|"
        r"minha|o|meu) (?:loja|empresa|negocio|restaurante|salao|bar)|"
        r"fali|fiz (?:minha|a minha|meu) primeir[oa]|corri (?:a |minha )?(?:primeira )?(?:maratona|sao "
        r"silvestre|meia)|sobrevivi a|fui pra (?:uti|cirurgia)|abri (?:meu|minha|um|uma) (?:\w+ )?(?:negocio|"
        r"loja|empresa|salao|"
        r"consultorio|restaurante|escritorio|atelie|mei)|realizei o sonho d[eoa])/(?:foi (?:promovid[oa]|"
        r"eleit[oa]|transferid[oa]|nomead[oa])|virou (?:pai|mae|avo|vovo)|passou na|entrou na (?:faculdade|"
        r"universidade|ufmg|usp))}(?![a-z]))",
        _happened,
    ),
    *mine(
        "the mere thought",
        "so pensar imaginar lembrar abrir ver ouvir falar basta",
        r"so d[eo] (?:eu )?(?P<v>(?:pensar|imaginar|lembrar|abrir|ver|ouvir|falar|entrar|chegar|saber|"
        r"sentir)(?: (?:em|n[oa]|d[eoa]|que|o|a|sobre))? .{3,40}?),? (?:eu |ja |ja me |me )*(?P<f>(?:fico "
        r"|sinto |da |vem |entro |comeco |bate |me da |tremo|choro|suo|gelo|travo|surto|passo mal|"
        r"arrepio|(?:minha|meu|a|o|as) (?:mao|maos|coracao|estomago|barriga|pernas?|cabeca|voz) (?:sua|suam|"
        r"dispara|embrulha|gela|treme|tremem|doi|aperta|some)).{0,30})",
        _whenever,
    ),
    *mine(
        "fear at the mere thought",
        "panico medo raiva choro tremo so",
        r"(?P<f>(?:entro em panico|morro de medo|fico (?:nervos|ansios|apavorad|tens)[oa]|tremo|choro|travo|"
        r"me da (?:panico|medo|raiva|angustia|gatilho)|passo mal|perco o sono|gelo|surto)) so (?:d[eo]|em|"
        r"com) (?P<v>(?:pensar|imaginar|lembrar|abrir|ver|ouvir|falar|entrar|chegar).{3,40})",
        _whenever,
    ),
    *mine(
        "each time",
        "vez sempre quando qd qnd qdo cada toda",
        rf"(?P<v>(?:(?:cada|toda|todas as|tds as) (?:vez|vezes) (?:que|q|em que)|sempre (?:que|q)|quando|qd|"
        rf"qnd|qdo) [\w ,]{{4,55}}?),? (?:eu )?(?:ja )?(?P<f>(?:fico|me sinto|sinto-me|volto|saio|acordo|"
        rf"ando) (?:muito |mto |super |bem |toda? |meio |sempre )?{_FEELING})",
        _whenever,
    ),
    *mine(
        "then feels",
        "fico sinto choro travo tremo surto",
        rf"^\W*(?:eu )?(?:ja )?(?P<f>(?:fico|me sinto|sinto-me) (?:muito |mto |super |bem |toda? |meio |"
        rf"sempre |logo )?{_FEELING}|choro|travo|tremo|surto|passo mal|entro em panico|perco o sono)(?![a-z])",
        _then_feels,
    ),
    *mine(
        "feels when",
        "fico sinto fica qd quando qnd qdo",
        rf"(?P<f>(?:fico|me sinto|sinto-me|ando) (?:muito |mto |super |bem |toda? |meio |sempre "
        rf")?{_FEELING}) (?P<v>(?:qd|quando|qnd|qdo|cada vez que|toda vez que|sempre que|so de|ao) .{{4,50}})",
        _whenever,
    ),
    *mine(
        "does it to me",
        "deixa deixam da tira tiram aperta parte mata enche poe faz tira-me deixa-me da-me parte-me",
        rf"^\W*(?:[oa]s? |ess[ea]s? )?(?P<v>(?!isso|ele|ela|voce|vc|que|tudo|nada|hoje|nao|ja|so|minha|"
        rf"meu)[a-z][\w -]{{3,50}}?) (?:ja |sempre |so |ainda )?(?P<f>me deixam? (?:muito |mto |super |"
        rf"tod[oa] |sempre |bem )?{_FEELING}|deixam?-me (?:muito |sempre )?{_FEELING}|"
        r"(?:tiram?-me|me tiram?) (?:o sono|do serio|a paz|o ar|a fome)|(?:partem?-me|me partem?) o coracao|"
        r"(?:enchem?-me|me enchem?) de (?:orgulho|alegria|tristeza|raiva|medo|esperanca|paz|saudades?)|"
        r"(?:apertam?-me|me apertam?) o (?:peito|coracao)|(?:dao?-me|metem?-me|fazem?-me|causam?-me) "
        r"(?:muit[oa] |uma? )?(?:medo|pena|raiva|ansiedade|nervos|vergonha|alegria|tristeza|impressao|"
        r"confusao|falta|gatilho|aflicao|angustia|panico)|me (?:da|dao) (?:um |uma )?(?:frio na barriga|no "
        r"na garganta|aperto no peito|vontade de chorar|crise de choro|gatilho|desespero))(?![a-z])",
        _whenever,
    ),
]
