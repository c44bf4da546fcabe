"""What happened in a life: births, deaths, travels, accidents, operations, purchases, prizes, losses."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.people import FIRST_NAMES, NOT_PEOPLE
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say, theirs
from relembra.minds.offline.reader.portuguese.people import Scene, name_at, person_at
from relembra.minds.offline.reader.portuguese.values import past, place, span
from relembra.minds.offline.reader.portuguese.vocabulary import MINE, RELATION
from relembra.minds.offline.reader.portuguese.wording import tied, told

__all__ = ["EVENTS"]

_END = re.compile(
    r"\s(?:mas|porque|pq|pois|so\sque|entao|e\s(?:eu|to|estou|ja|nao|agora|foi|fiquei|chorei|amei|"
    r"adorei|me)|ne|kk+|rs+|que|ainda|to\s|estou|foi\s(?:lindo|demais|otimo|muito|horrivel|"
    r"incrivel|bom|uma))(?![a-z]).*|[;.!?()…].*|,.*",
    re.DOTALL,
)


def _short(raw: str) -> str | None:
    flat = flattened(raw).text
    cut = _END.search(flat)
    value = (raw[: cut.start()] if cut else raw).strip(" ,:-\"'").rstrip(" !.…")
    return value if 1 <= len(value.split()) <= 14 else None


def _happened(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = _short(clause.raw[match.start("v") :])
    if value:
        yield say(who, "event", told(value), told(value), held_from=past(clause))


def _trip(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    where = place(span(clause, match))
    if where is None or not (where[0].isupper() or re.search(r"viaj|viagem|ferias|lua|passei", match[0])):
        return
    if re.match(
        r"(?:mal|medico|dentista|trabalho|casa|mim|reuniao|mercado|academia|cinema|praia$|shopping|"
        r"festa|isso)(?![a-z])",
        flattened(where).text,
    ):
        return
    yield say(who, "event", f"viagem: {where}", f"viajou para {where} (viagem)", held_from=past(clause))


def _bought(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = _short(span(clause, match))
    if value:
        yield say(who, "event", f"compra: {value}", f"comprou {value}", held_from=past(clause))


def _died(_match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if who is None:
        return
    yield say(who, "event", "morte", "morreu", held_from=past(clause), changed=True)


def _lost(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Perdi minha avó em 2020", "enterrei meu pai"."""
    found = person_at(clause.raw, clause.flat, match.start("who"))
    if found:
        yield from _died(match, clause, found[0])


def _named_death(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """Somebody named without a tie: "o Paçoca se foi hoje"."""
    scene = clause.who
    if isinstance(scene, Scene) and scene.name:
        return
    name = clause.raw[slice(*match.span("name"))]
    if flattened(name).text in NOT_PEOPLE or not name[0].isupper():
        return
    yield from _died(match, clause, Who(name))


def _my_named_death(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "O meu Armindo partiu no domingo"."""
    name = clause.raw[slice(*match.span("name"))]
    flat = flattened(name).text
    if name[0].isupper() and (flat in _NAMES or ("morreu" not in match[0] and flat not in NOT_PEOPLE)):
        yield from _died(match, clause, Who(name))


def _born(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Nasceu minha filha! Helena", "minha filha nasceu ontem"."""
    found = person_at(clause.raw, clause.flat, match.start("who"))
    if not found:
        return
    person = found[0]
    since = past(clause) or clause.said_at
    if not person.name[0].isupper():
        after = re.match(r"\W*(?:a\s|o\s|se\schama\s)?", clause.message[clause.offset + match.end() :])
        at = clause.offset + match.end() + (after.end() if after else 0)
        named = name_at(clause.message, flattened(clause.message).text, at)
        if (
            named
            and clause.message[named[0]].isupper()
            and flattened(clause.message[slice(*named)]).text.split()[0] in _NAMES
        ):
            name = clause.message[slice(*named)]
            person = type(person)(name, person.relation, person.feminine)
            yield Said(
                attribute="relation",
                value=person.relation,
                subject=name,
                relation=person.relation,
                content=tied(name, person.relation or ""),
                person={"name": name, "relation": person.relation or ""},
            )
    yield from _birth(person, since.strftime("%d/%m/%Y"), clause)


def _born_by_name(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Nasceu a Maitê, minha neta"."""
    found = person_at(clause.raw, clause.flat, match.start("who")) if match["who"] else None
    name = clause.raw[slice(*match.span("name"))]
    if name[0].isupper() and (found or flattened(name).text in _NAMES):
        yield from _birth(
            Who(name, found[0].relation if found else None),
            (past(clause) or clause.said_at).strftime("%d/%m/%Y"),
            clause,
        )


_NAMES = FIRST_NAMES["pt"] | FIRST_NAMES["en"]


def _birth(person: Who, day: str, clause: Clause) -> Iterator[Said]:
    since = past(clause) or clause.said_at
    yield say(person, "birthday", day, f"nasceu em {day}", held_from=since)


def _was_born(_match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if who is not None and re.search(
        r"(?<![a-z])(?:dia \d+|ontem|hoje|hj|semana passada|mes passado|anteontem|agora|essa semana|esta "
        r"semana|madrugada|sabado|domingo|segunda|terca|quarta|quinta|sexta)(?![a-z])",
        clause.flat,
    ):
        since = past(clause) or clause.said_at
        yield from _birth(who, since.strftime("%d/%m/%Y"), clause)


_CITY = r"(?P<v>[a-z].{2,40})"


EVENTS: list[Rule] = [
    *theirs(
        "died",
        "morreu faleceu foi partiu perdemos descansou",
        r"{x/morreu|faleceu|se foi(?! embora)|nos deixou|partiu(?! (?:pra|para))|veio a (?:falecer|"
        r"obito)|descansou|foi atropelad[oa] e morreu|morreu atropelad[oa]}(?![a-z])",
        _died,
    ),
    Rule(
        "death of one named",
        frozenset(["morreu", "faleceu", "foi", "partiu", "deixou"]),
        re.compile(
            r"^\W*(?:[oa]\s)?(?P<name>[a-z]{3,15})\s(?:morreu|faleceu|se\sfoi|nos\sdeixou)(?![a-z])" r"(?!\sembora)"
        ),
        _named_death,
    ),
    Rule(
        "death of mine, named",
        frozenset(["meu", "minha", "nosso", "nossa"]),
        re.compile(
            r"(?<![a-z])(?:meu|minha|nosso|nossa)\s(?P<name>[a-z]{3,15})\s(?:morreu|faleceu|se\sfoi|nos\sdeixou|me\sdeixou|"
            r"partiu|descansou)(?![a-z])(?!\s(?:embora|pra|para|meu|minha|o|a|ao)\s)"
        ),
        _my_named_death,
    ),
    *mine(
        "lost",
        "perdi enterrei perdemos enterramos morte falecimento velorio enterro",
        rf"(?:perdi|perdemos|enterrei|enterramos|(?:a )?morte d[oae]|(?:o )?falecimento d[oae]|(?:o )"
        rf"?(?:enterro|velorio) d[oae]) (?:[oa] )?(?P<who>{MINE} (?:\w+ )?{RELATION})(?! de vista)(?![a-z-])",
        _lost,
    ),
    Rule(
        "born",
        frozenset(["nasceu", "nasceram"]),
        re.compile(
            rf"(?<![a-z])nasceu\s(?:ontem\s|hoje\s|hj\s)?(?:[oa]\s)?(?P<who>{MINE}\s(?:\w+\s)?{RELATION})"
            rf"(?![a-z-])"
        ),
        _born,
    ),
    Rule(
        "born, by name",
        frozenset(["nasceu", "chegou"]),
        re.compile(
            rf"^\W*(?:nasceu|"
            rf"chegou\sao\smundo)\s(?:[oa]\s)?(?P<name>[a-z]{{3,14}})(?:\s?,\s(?:[oa]\s)?(?P<who>{MINE}\s(?:\w+\s)?{RELATION})(?![a-z-])|\W*$)"
        ),
        _born_by_name,
    ),
    *theirs("was born", "nasceu", r"{x/nasceu}(?![a-z])", _was_born),
    *both(
        "trip",
        "viajei viajamos viagem ferias fui fomos cheguei passei voltei viajou estive foi",
        rf"(?:{{(?:viajei|viajamos|fomos|acab(?:ei|amos) de (?:viajar|chegar|voltar))(?: (?:ontem|sozinh[oa]|"
        rf"de ferias|com [a-z ]+?|semana passada|mes passado|ano passado|em \w+|de carro|de aviao|a "
        rf"trabalho))? (?:de viagem )?(?:pra|para|pro|ao?|por|de|do|da)|passei (?:as |minhas |umas )"
        rf"?(?:ferias|o natal|o carnaval|o reveillon|a lua de mel|uma semana|\d+ dias|o feriado|o ano "
        rf"novo|um mes|duas semanas) (?:em|no|na|por|pela|pelo)|voltei (?:ontem |hoje |agora |de "
        rf"viagem )?(?:de|do|da)|cheguei (?:ontem|hoje|agora|de viagem) (?:a|em|no|na|de|do|da)|estive "
        rf"(?:em|no|na)|fui (?:visitar|conhecer)(?! (?:minha|meu|um|uma))|fui (?:ontem |de ferias |"
        rf"semana passada |ano passado |mes passado |em \w+ |passear |viajar )?(?:pra|para|pro|ao?)(?= "
        rf"(?:o |a )?[a-z])|(?:minhas )?ferias (?:em|no|na)|lua de mel (?:em|no|na)|fiz (?:um |uma )"
        rf"?(?:mochilao|viagem|cruzeiro|intercambio) (?:pel[ao]|n[ao]|em|pra|para|de)|conheci(?= (?:a|"
        rf"o|as|os) (?:italia|franca|europa|japao|argentina|chile|chapada|amazonia|patagonia|disney|"
        rf"espanha|grecia|bahia|pantanal|deserto))/viajou (?:pra|para|pro)|foi (?:pra|para|pro)(?= "
        rf"(?:o |a )?(?:europa|italia|franca|disney|japao|portugal|chile|argentina))|passou as ferias "
        rf"(?:em|no|na)|voltou (?:de viagem )?(?:de|do|da)(?= (?:europa|italia|franca|disney|japao|"
        rf"portugal|chile|argentina))}}) (?:o |a |os |as )?{_CITY}",
        _trip,
    ),
    *both(
        "operation",
        "operei operou cirurgia operada operado bariatrica cesarea transplante implante quimio "
        "internada internado internei",
        r"(?P<v>{(?:fui (?:operad[oa]|internad[oa]|submetid[oa])|operei|me operei|(?:fiz|passei por) "
        r"(?:uma |a |minha )?(?:cirurgia|bariatrica|transplante|cesarea|quimio\w*|radio\w*|operacao|"
        r"biopsia|cateterismo|histerectomia|vasectomia|laqueadura|puncao|mastectomia|rinoplastia|"
        r"plastica|lipo)|tirei (?:a vesicula|o apendice|o siso|as amigdalas|o utero|um cisto|a "
        r"tireoide|os sisos)|coloquei (?:um )?(?:marcapasso|protese|diu|silicone|stent)|recebi alta|"
        r"tive alta|fiquei internad[oa]|coloquei aparelho)/(?:foi (?:operad[oa]|internad[oa]|"
        r"submetid[oa])|operou|se operou|(?:fez|passou por) (?:uma |a )?(?:cirurgia|bariatrica|"
        r"transplante|quimio\w*|operacao|cateterismo)|recebeu alta|teve alta|saiu da uti|ta na uti|"
        r"esta na uti|ta internad[oa]|esta internad[oa]|ficou internad[oa]|entrou no hospital)"
        r"}(?![a-z]))",
        _happened,
    ),
    *both(
        "accident",
        "acidente bati bateu quebrei quebrou cai caiu capotei assaltada assaltado atropelada "
        "atropelado roubaram sofri sofreu torci fraturei infarto avc arrombaram clonaram golpe",
        r"(?P<v>{(?:sofri (?:um|uma) (?:acidente|assalto|avc|infarto|aborto|queda|golpe|sequestro|"
        r"tentativa)|(?:bati|capotei) (?:o|a|meu|minha|de) (?:carro|moto)|quebrei (?:o|a|meu|minha|um|uma) "
        r"(?:braco|perna|pe|mao|dedo|tornozelo|costela|pulso|clavicula|nariz|dente|joelho|femur)|"
        r"fraturei|torci o (?:pe|tornozelo|joelho)|rompi o (?:ligamento|menisco|tendao)|cai (?:da|de|"
        r"num golpe|no golpe|na)|fui (?:assaltad[oa]|atropelad[oa]|roubad[oa]|sequestrad[oa]|"
        r"furtad[oa])|me (?:assaltaram|roubaram|atropelaram|acidentei)|tive (?:um|uma|meu|minha) "
        r"(?:infarto|avc|derrame|acidente|aborto|convulsao|primeir[oa] (?:ataque|crise)|crise de "
        r"panico|parada|embolia)|bateram no meu carro|roubaram (?:meu|minha)|arrombaram (?:minha|meu|a)"
        r"|clonaram meu|perdi (?:o bebe|a visao|a audicao|o dedo|um dedo|um rim|tudo))/(?:sofreu (?:um|"
        r"uma) (?:acidente|assalto|avc|infarto|aborto|queda|golpe|sequestro)|bateu (?:o|de) (?:carro|"
        r"moto)|quebrou (?:o|a) (?:braco|perna|pe|mao|dedo|tornozelo|costela|pulso|clavicula|femur|"
        r"bacia)|fraturou|foi (?:assaltad[oa]|atropelad[oa]|sequestrad[oa])|teve (?:um|uma) (?:infarto|"
        r"avc|derrame|acidente|aborto|convulsao|parada|embolia))}(?![a-z]))",
        _happened,
    ),
    *both(
        "bought",
        "comprei compramos comprou financiei chaves escritura consorcio",
        r"(?:{(?:(?:finalmente )?(?:comprei|compramos)|acab(?:ei|amos) de comprar|financiei|financiamos)"
        r"/comprou|financiou}) (?P<v>(?:(?:um|uma|meu|minha|nosso|nossa|o|a) )(?:(?:meu|minha|"
        r"primeir[oa]|propri[oa]|nov[oa]) ){0,2}(?:casa|apartamento|ape|carro|moto|terreno|sitio|"
        r"chacara|imovel|lote|fazenda|casinha|kombi|sala comercial|caminhao|fusca|onix|hb20|corolla|"
        r"civic)(?![a-z]).{0,40})",
        _bought,
    ),
    *mine(
        "keys",
        "chaves chave",
        r"(?P<v>(?:pegamos|peguei|recebi|recebemos|pegar|receber) as chaves d[oae] .{3,50})",
        _happened,
    ),
    *both(
        "milestone",
        "ganhei ganhou publiquei publicou defendi defendeu lancei lancou artigo aceito batizei adotei "
        "adotamos reencontrei premio premiada premiado aprovada aprovado passei nomeacao oab concurso "
        "vestibular enem casamento noivado pedi traiu",
        r"(?P<v>{(?:ganhei (?:um|o|uma|a|\d[\w ]+?) ?(?:premio|concurso|bolsa|medalha|mil|campeonato|"
        r"sorteio|loteria|trofeu|processo)|publiquei (?:um|meu|o|uma)|defendi (?:minha|meu|a|o) "
        r"(?:tese|tcc|mestrado|dissertacao|doutorado)|lancei (?:meu|um|o|minha)|fui (?:aprovad[oa]|"
        r"premiad[oa]|convocad[oa]|selecionad[oa]|aceit[oa]|chamad[oa] (?:pra|para) (?:assumir|a vaga)|"
        r"traid[oa]|despejad[oa]|reprovad[oa]|convidad[oa] (?:pra|para) ser|campea|campeao)|adotei "
        r"(?:um|uma) (?:crianca|menin[oa]|filh[oa]|bebe)|adotamos (?:um|uma) (?:crianca|menin[oa]|filh[oa]|"
        r"bebe)|reencontrei (?:meu|"
        r"minha)|fiz (?:meu|minha|o meu|a minha|uma|um) (?:primeir[oa]|batizado|estreia|crisma|"
        r"tatuagem|santo|salto)|inaugurei|abri (?:minha|meu) (?:empresa|loja|negocio|consultorio|"
        r"escritorio|atelie)|pedi .{2,20} em (?:casamento|namoro|noivado)|me batizei|tirei a "
        r"(?:carteira|cnh|carta)|estreei|meu (?:artigo|livro|projeto) foi (?:aceito|aprovado|publicado)"
        r"|minha (?:tese|redacao) foi|saiu (?:minha|meu|a minha|o meu) (?:nomeacao|visto|divorcio|"
        r"aposentadoria|cidadania|aprovacao|promocao)|corri (?:minha primeira|a minha primeira|uma|a) "
        r"(?:maratona|meia|sao silvestre)|fui (?:no|ao) show d[oae]|conheci (?:meu|minha) (?:sogr|"
        r"namorad|marid|espos|noiv)\w+)/(?:teve (?:um |uma |o |a )?(?:bebe|filh[oa]|nenem|gemeos)|"
        r"ganhou (?:um|o|uma|a) ?(?:premio|concurso|bolsa|medalha|campeonato)|publicou (?:um|o)|"
        r"defendeu (?:a|o) (?:tese|tcc|mestrado|dissertacao)|foi (?:aprovad[oa]|premiad[oa]|"
        r"convocad[oa]|selecionad[oa]|aceit[oa]|pres[oa]|reprovad[oa])|passou (?:no|na|em) "
        r"(?:vestibular|concurso|enem|oab|faculdade|prova|federal|usp|ufmg|ufrj|medicina)|me traiu|"
        r"aceitou casar|tirou a (?:carteira|cnh))}(?![a-z]))",
        _happened,
    ),
    *mine(
        "made peace",
        "pazes pai mae",
        r"(?P<v>(?:fiz as pazes com|me reconciliei com|reatei com|briguei feio com|rompi com) .{3,40}|"
        r"fui (?:pai|mae) (?:aos|com|pela) .{2,20})",
        _happened,
    ),
]
