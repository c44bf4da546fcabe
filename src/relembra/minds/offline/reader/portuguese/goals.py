"""Goals: what somebody wants to reach, has reached, or has given up."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.values import coming, past, span
from relembra.minds.offline.reader.portuguese.wording import told

__all__ = ["GOALS", "LASTING", "wish"]

_END = re.compile(
    r"\s(?:mas|porque|pq|pois|so\sque|entao|senao|quando|enquanto|e\s(?:eu|to|estou|ja|sei|nao|"
    r"isso)|ne|viu|kk+|rs+|porem|ja\sque|por\sisso)(?![a-z]).*|[;.!?()…].*|,\s(?!\w+\se\s).*",
    re.DOTALL,
)
_SMALL = re.compile(
    r"(?:que|saber|uma?\s(?:dica|ideia|ajuda|receita|lista|sugestao|texto|nome|resposta|opiniao|"
    r"cafe|pizza|indicacao)|ajuda|sua|seu|te\s|agradecer|perguntar|pedir|"
    r"dormir|comer|ir\s(?:embora|dormir|pra\scasa|no\s(?:mercado|banheiro|shopping))|"
    r"sair\sd(?:aqui|esse)|tomar\sum|ver\sum\sfilme|descansar|desabafar|conversar|"
    r"entender\s(?:isso|melhor|como|o|a|por)|fazer\suma\s(?:pergunta|lista|pizza|sopa|torta)|isso|"
    r"nada|tudo|mais$|algo|voce|vc|tentar\s(?:isso|de\snovo)|chorar|morrer|sumir|falar|"
    r"um\s(?:texto|resumo|poema|conselho|roteiro|exemplo|cafe|abraco|plano|modelo)|umas|uns|mandar|"
    r"enviar|responder|almocar|jantar|assistir|jogar\s|"
    r"me\s(?:arrumar|deitar|matar|vestir)|contar|dizer|comentar|mostrar|confirmar|so\s|ver\s(?:se|"
    r"isso|como)|ficar\s(?:aqui|em\scasa|quiet)|ta$|tomar\s(?:banho|cafe)|"
    r"dar\suma|levar\s(?:o|a)\s(?:cachorro|carro|lixo)|passar\sno|buscar|pegar|lavar|cozinhar|"
    r"fazer\s(?:o|um|a|uma|as|compras)|"
    r"dele|dela|meu$|estar|ser\sdireto|acreditar|ouvir|sua\sopiniao|presentear|comprar\s(?:pao|"
    r"leite|um\spresente|presente)|saborear)(?![a-z])"
)


_TASK = re.compile(
    r"(?<![a-z])(?:sprint|deploy|release|codigo|modulo|script|botao|api|bug|bugs|refator\w+|planilha|slides?|arquivo|"
    r"relatorio|query|backlog|custos|funcao|layout|dicionario)(?![a-z])|^simples(?![a-z])"
)  # of the hour or the job, no aim of a life


def wish(raw: str, *, sure: bool = False) -> str | None:
    """What somebody wants, cut where the thought goes on; None: nothing lasting. `sure`: the words say it is a goal."""
    flat = flattened(raw).text
    cut = _END.search(flat)
    value = (raw[: cut.start()] if cut else raw).strip(" ,:-\"'*~").rstrip(" !.…")
    words = value.split()
    flat = flattened(value).text
    if _TASK.search(flat):
        return None
    if not 1 <= len(words) <= 16 or (not sure and _SMALL.match(flat) and not LASTING.match(flat)):
        return None
    if sure and re.match(
        r"(?:que|isso|nada|tudo|voce|vc|ta|sim|nao\ssei|saber|dormir|comer|te\s|perguntar|"
        r"ir\s(?:embora|dormir))(?![a-z])",
        flat,
    ):
        return None
    return re.sub(r"^(?:que é |é |de )", "", value)


_AND_DO = re.compile(r"\s+e\s+(?=\w+[aeio]r\s)")


_REACHED = re.compile(r"(?<![a-z])(?:bati|cumpri|alcancei|atingi|realizei|conquistei|completei)\s(?:[oa]\s)?$")


def _goal(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if _REACHED.search(clause.flat, 0, match.start()):
        return  # "bati minha meta: corri a maratona"
    value = wish(span(clause, match), sure=True)
    for one in _AND_DO.split(value) if value else ():
        yield say(who, "goal", one, f"quer {one}", expires_at=coming(clause)[1])


def _weak_goal(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """A plan or wish that is a goal only by its verb: to learn, to become, to lose weight."""
    value = wish(span(clause, match))
    if (
        value
        and (LASTING.match(flattened(value).text))
        and not re.search(r"(?<![a-z])(?:hoje|agora|amanha|hj|daqui\sa\spouco|mais\starde)(?![a-z])", clause.flat)
    ):
        yield say(who, "goal", value, f"quer {value}", expires_at=coming(clause)[1])


LASTING = re.compile(
    r"(?:muito\s|so\s|ainda\s|logo\s|me\s|voltar\sa\s|comecar\sa\s|conseguir\s|poder\s|um\sdia\s|"
    r"tentar\s){0,2}(?:aprend\w+|vazar|ir\s(?:embora|morar|viver|estudar)|zerar|realizar|alcancar|"
    r"bater\s(?:a|minha)|lancar|gravar|cursar|"
    r"superar|emagrec\w+|perder\s.*(?:kg|quilo|kilo|peso)|engord\w+|formar|"
    r"passar\s(?:n[oa]|em|pra|para)|comprar\s(?:um|uma|minha|meu|a|o|nossa|nosso)\s(?:casa|ape|"
    r"apartamento|carro|moto|terreno|sitio|chacara|imovel|casinha|kombi|bicicleta|piano|primeir|"
    r"propri|lote|cantinho)|"
    r"abrir\s(?:um|uma|meu|minha)|montar\s(?:um|uma|meu|minha)\s(?:negocio|empresa|loja|banda|"
    r"reserva|estudio|atelie)|viajar|conhecer|morar|mudar|correr|"
    r"escrever\s(?:(?:um|uma|meu|minhas?|o|as)\s)?(?:\w+\s)?(?:livros?|memorias|romance|biografia|poemas|"
    r"cronicas)|publicar|lancar|virar|tornar|ser\s(?:mae|pai|promovid|gerente|medic|"
    r"professor|diretor|fluente|escritor|\w+ista|tech)|ter\s(?:um\sfilho|filhos|uma\sfilha|"
    r"mais\sfilhos|outro\sfilho|minha|meu)|"
    r"casar|parar\sde|largar|deixar\sde|juntar|guardar|economizar|investir|quitar|pagar\sas|"
    r"sair\sd[oae]\s(?:aluguel|divida|spc|casa|vermelho|serasa)|"
    r"mudar\sde|trocar\sde|fazer\s(?:a\scrisma|a\sprimeira|mestrado|doutorado|faculdade|"
    r"intercambio|uma\smaratona|um\sintercambio|a\scrisma|pos|terapia|uma\spos|um\smochilao|"
    r"o\scaminho|medicina|direito|residencia|concurso|uma\sfaculdade|um\striatlo|ironman|o\senem)|"
    r"prestar|estudar|terminar\s(?:o|a|meu|minha)|concluir|ler\s(?:\d|mais|um|uma|a\sbiblia|todos)|"
    r"tocar|dominar|falar\s(?:ingles|espanhol|frances|italiano|alemao|japones)|adotar|"
    r"voltar\s(?:pra|para|a\s)|"
    r"aposent\w+|empreender|montar|construir|reformar\sa|chegar\s(?:a|em|aos|nos|n[oa])|completar|"
    r"ganhar\s(?:\w+\s)?(?:massa|musculo|musculos|peso|mais)|pedir\s(?:aumento|a\s\w+\sem|demissao)|treinar\spr[ao]|"
    r"participar|"
    r"tirar\s(?:a\s(?:carta|carteira|cnh|habilitacao)|o\spassaporte|cidadania)|organizar\s(?:minha|"
    r"minhas)|levar\s(?:a|os|minha|meu)|visitar\s(?:o|a|meu|minha)|plantar|criar\s(?:um|uma|meu)|"
    r"nadar|melhorar|diminuir|reduzir|acordar\smais|dormir\smais|fazer\sas\spazes)(?![a-z])"
)


_DONE = re.compile(
    r"(?:finalmente\s)?(?:passei|corri|quitei|terminei|tirei|zerei|completei|perdi|emagreci|"
    r"eliminei|(?:aprendi|comprei|li)(?![a-z]))"
)


def _achieved(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = wish(span(clause, match))
    if value and not re.match(
        r"(?:meta$|a\smeta$|objetivo$|\d+(?:\s(?:mes|ano|semana)\s\w+)?$|resolver\sisso|entender|achar|"
        r"fazer\sisso|falar\scom|dormir|ajeitar|abrir\so|instalar|"
        r"te\s|ver|chegar\sem\scasa|acordar|sair|terminar\s(?:de\scomer|o\sjantar)|abrir\sa|"
        r"um\s(?:tempo|minuto|desconto)|marcar|nada|aqui|nem)(?![a-z])",
        flattened(value).text,
    ):
        done = told(span(clause, match, 0).split(value)[0] + value) if _DONE.match(match[0]) else f"conseguiu {value}"
        yield say(who, "achieved", value, done, held_from=past(clause))


_FOR_NOW = re.compile(r"(?<![a-z])(?:hoje|hj|agora|amanha|isso|nisso|disso)(?![a-z])")


def _dropped(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = wish(span(clause, match), sure=True)
    if value and _FOR_NOW.search(flattened(value).text):
        return  # "não vou mais estudar hoje"
    if value and not re.match(
        r"(?:tentar$|vez|isso|tudo|voce|vc|entender|el[ea]|mim|vida|explicar|tentar\s(?:explicar|entender)|"
        r"dormir|jantar|sair|ir$|la$)(?![a-z])",
        flattened(value).text,
    ):
        value = f"ir {value}" if re.match(r"(?:pra|para|pro|a|ao)\s", flattened(value).text) else value
        yield say(who, "dropped_goal", value, f"desistiu de {value}", held_from=past(clause))


_AIM = r"(?:vontade|desejo|meta|objetivo|sonho|plano|proposito|desafio|projeto de vida|resolucao|promessa|missao|foco)"


def _done(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    value = span(clause, match) or clause.raw[: match.start()].strip(" ,.!-")
    kept = wish(value.split(",")[-1].strip()) if value else None
    if kept and len(kept.split()) <= 8:
        yield say(None, "achieved", kept, f"cumpriu a meta: {kept}", held_from=past(clause))


_IDEA = re.compile(r"(?:historia|ideia|plano|projeto|sonho|papo|lance)\sd[eao]\s(?P<v>[^?.!]{3,50})[?.!]+\s*$")


def _dropped_that(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Aquela história de abrir um café? larguei de mão": what it was stands before."""
    before = clause.message[: clause.offset + match.start()]
    idea = _IDEA.search(flattened(before).text)
    if idea:
        value = before[idea.start("v") : idea.end("v")].strip()
        yield say(who, "dropped_goal", value, f"desistiu de {value}", held_from=past(clause))


GOALS: list[Rule] = [
    *mine(
        "aim",
        "meta objetivo sonho plano proposito desafio resolucao promessa foco metas missao",
        rf"(?:(?:[oa] )?(?:meu|minha|nosso|nossa|um dos meus|uma das minhas) (?:\w+ )?{_AIM}s?(?: "
        rf"(?:de vida|do ano|deste ano|desse ano|pra (?:este|esse) ano|para (?:este|esse) ano|pra "
        rf"\d{{4}}|para \d{{4}}|principal|pessoal|agora|atual|maior|pros \d+|este ano|esse ano|de "
        rf"consumo|e meta|da vida|em \d{{4}}|d[eo] [\w ]{{3,16}}?)){{0,3}}(?: (?:e|eh|sempre foi|sao|segue "
        rf"sendo|continua sendo|era|agora e)|:|,) |{_AIM} (?:do ano|de \d{{4}}|d[ae] vida|pra \d{{4}}|"
        rf"desse ano|deste ano|do mes|pessoal)(?: e)?:? |a {_AIM} (?:e|eh) )(?!el[ea]|voce|vc)"
        rf"(?P<v>[a-z0-9].{{2,120}})",
        _goal,
    ),
    *both(
        "dreams",
        "juntando guardando economizando juntar poupar inscrevi estudando treinando preparando esse "
        "este ano fila desafiando vontade determinada determinado espero ainda dia resolvi sonho sonha "
        "pretendo pretende planejo planeja planejando almejo decidi decidiu prometi",
        r"(?:{(?<!\bo )(?<!\bum )(?<!meu )sonho (?:em|com)|pretendo|planejo|estou planejando|to "
        r"planejando|tou planejando|almejo|estou determinad[oa] a|to determinad[oa] a|me comprometi a|"
        r"me prometi|prometi (?:pra mim|a mim|parar|que vou)|estou decidid[oa] a|decidi que vou|"
        r"decidi:? vou|decidi(?= (?:aprender|voltar|mudar|parar|estudar|prestar|abrir|largar|fazer|"
        r"correr|emagrecer|escrever))|resolvi que vou|coloquei na cabeca que vou|(?:estou|to|tou) "
        r"(?:estudando|treinando|me preparando|a estudar|a treinar) (?:pra|para)(?: (?:o|a|um|uma))?|"
        r"(?:estou|to|tou) (?:a juntar|a poupar|juntando|guardando|economizando|poupando)(?: "
        r"(?:dinheiro|grana|milhas|uma grana))? (?:pra|para)|me inscrevi (?:n[oa]|em|pra|para)|espero "
        r"um dia|ainda vou|um dia (?:eu )?(?:vou|quero|ainda vou)|tenho (?:como meta|o sonho de|o "
        r"objetivo de|vontade de|o plano de|planos de|a meta de)|estou na fila d[eao]|estamos na fila "
        r"d[eao]|estamos (?:planejando|juntando dinheiro (?:pra|para))|estou me desafiando a|to me "
        r"desafiando a|ano que vem (?:eu )?(?:vou|quero)|(?:esse|este) ano (?:eu )?(?:vou|quero)/sonha "
        r"(?:em|com)|pretende|planeja|esta planejando|ta planejando|decidiu que vai|esta (?:estudando|"
        r"treinando) (?:pra|para)|ta (?:estudando|treinando|juntando dinheiro) (?:pra|para)|tem o "
        r"sonho de}) (?:(?:o|a|muito|um dia|ainda) )?(?P<v>[a-z0-9].{2,110})",
        _goal,
    ),
    *both(
        "wants",
        "quero quer vou queremos vamos preciso",
        r"(?:{quero (?:muito |tanto |mto |ainda |mesmo |um dia )?|queremos (?:muito )?|vou (?=aprender|"
        r"parar|prestar|estudar (?:pr|para)|tentar (?:o|a|passar)|voltar a estudar|fazer (?:faculdade|"
        r"mestrado|doutorado|intercambio|uma faculdade)|largar|me formar|abrir|escrever um livro|"
        r"emagrecer|perder|pedir aumento|correr (?:a|uma)|comprar (?:minha|meu|a minha|uma casa|um ape)"
        r")|preciso (?=emagrecer|perder|aprender|parar de|largar|quitar|juntar|guardar|economizar|"
        r"estudar)/quer (?:muito |tanto |ainda |mesmo )?|vai (?=aprender|prestar|parar)})"
        r"(?P<v>[a-z].{3,110})",
        _weak_goal,
    ),
    *mine(
        "wants, turned",
        "ano dezembro julho ate 2027 2026 2028",
        r"(?:(?:esse|este) ano|ate (?:dezembro|julho|o fim do ano|o meio do ano|os \d+|\d{4}|o natal|"
        r"junho|\w+ro)|ano que vem|em \d{4}|antes dos \d+)(?: eu)? (?:eu )?(?:quero|vou|preciso|"
        r"aprendo a|pretendo) (?P<v>[a-z].{3,90})",
        _weak_goal,
    ),
    *mine(
        "achieved",
        "consegui conseguimos conquistei alcancei atingi bati realizei cumpri passei realizado "
        "cumprida cumprido completei zerei quitei finalmente",
        r"(?:(?:finalmente )?(?:consegui(?! (?:que|nao|emprego))|conseguimos|conquistei|conquistamos|"
        r"alcancei|atingi|cumpri|realizei (?:o|meu)|completei(?! \d+ anos)|zerei|bati (?:a|minha) "
        r"meta(?: de)?|finalmente (?:aprendi a|comprei|terminei|tirei|li)|quitei|terminei de (?:pagar|"
        r"escrever|ler)|corri (?:a|minha|os|uma)|passei (?:n[oa]|em|pra|para)(?! (?:frente|casa|"
        r"mercado|medico|padaria|sala|porta|mal|branco|rua|sua|loja|trabalho|farmacia|correio|banco|"
        r"shopping|uma blitz|cima))|tirei (?:a )?(?=carteira|cnh|carta|habilitacao)))(?: (?:finalmente|"
        r"enfim|hoje|ontem|ja|a|o|de|meu|minha))* (?P<v>[a-z0-9].{2,90})",
        _achieved,
    ),
    *mine(
        "aim reached",
        "meta objetivo sonho",
        rf"{_AIM} (?:d[eao] )?(?P<v>[a-z0-9][\w ]{{3,50}}?)?,? ?(?:cumprid[oa]|realizad[oa]|"
        rf"alcancad[oa]|batid[oa]|atingid[oa]|concluid[oa])",
        _done,
    ),
    *mine(
        "will not after all",
        "vou vamos",
        r"(?:ja (?:nao|n) (?:vou|vamos)|(?:nao|n) (?:vou|vamos) mais) (?P<v>(?!.*(?:hoje|agora|amanha|isso))(?:fazer (?:[oa] |um |"
        r"uma |meu |minha )?(?:mestrado|faculdade|curso|intercambio|viagem|concurso|doutorado|cirurgia|pos|enem|vestibular|"
        r"tatuagem|festa|mochilao|maratona)|abrir|comprar|morar|viajar|casar|mudar|prestar|cursar|montar|lancar|aprender)"
        r"(?![a-z]).{0,50})",
        _dropped,
        denied=True,
    ),
    *mine(
        "dropped",
        "desisti desistimos larguei abandonei abri quero mao pretendo adiei cancelei",
        r"(?:desisti (?:de vez )?d[eao]s?|desistimos d[eao]s?|abri mao d[eao]|(?:nao|n) (?:quero|"
        r"pretendo|vou) mais|larguei (?:de mao )?(?:o|a)(?= (?:concurso|sonho|ideia|projeto|plano|meta|"
        r"livro|curso de))|abandonei (?:o|a)(?= (?:concurso|sonho|ideia|projeto|plano|meta|livro))|"
        r"deixei (?:de lado|pra la) (?:o|a)|perdi a vontade de|tirei da cabeca|cancelei (?:o|a)(?= "
        r"(?:viagem|casamento|intercambio|plano))|mudei de ideia sobre|engavetei (?:o|a)) (?:(?:a "
        r"ideia de|o sonho de|o plano de|ideia de|sonho de|plano de|projeto de|de|o|a|meu|minha) )"
        r"*(?P<v>[a-z0-9].{2,80})",
        _dropped,
        denied=True,
    ),
    *mine(
        "lost weight",
        "perdi emagreci eliminei",
        r"(?:finalmente |ja |consegui )?(?:perdi|emagreci|eliminei) (?:os |as |mais de |quase )"
        r"?(?P<v>\d{1,3} (?:kg|quilos|kilos))(?! em)",
        _achieved,
    ),
    *mine(
        "dropped that",
        "larguei desisti desencanei esquece",
        r"(?:larguei(?: de mao)?|desisti(?: de vez)?|desencanei|ja era|deixei pra la|nao rolou)" r"(?![a-z])",
        _dropped_that,
    ),
    *mine("let go", "larguei", r"larguei (?:a )?mao d[eoa] (?P<v>[a-z].{3,60})", _dropped),
]
