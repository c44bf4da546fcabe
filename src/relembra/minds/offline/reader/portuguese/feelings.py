"""Feelings tied to a topic, opinions, values, and traits of character."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.values import clean, span
from relembra.minds.offline.reader.portuguese.vocabulary import VERY

__all__ = ["FEELINGS"]

_END = re.compile(
    r"\s(?:mas|porque|pq|pois|so\sque|entao|e\s(?:eu|to|estou|ja|nao|isso|por)|ne|kk+|rs+|porem|"
    r"senao|sempre\sme)(?![a-z]).*|[;.!?()…].*",
    re.DOTALL,
)
_NOW = re.compile(r"(?<![a-z])(?:hoje|agora|hj|nesse\smomento|neste\smomento|essa\ssemana)(?![a-z])")


def _topic(raw: str, *, longest: int = 14) -> str | None:
    flat = flattened(raw).text
    cut = _END.search(flat)
    value = (raw[: cut.start()] if cut else raw).strip(" ,:-\"'").rstrip(" !.…")
    if not 1 <= len(value.split()) <= longest or re.match(
        r"(?:isso|voce|vc|tudo|nada|dia|fome|sono|sede|pressa|frio|calor|ti|preguica|aqui)$", flattened(value).text
    ):
        return None
    return value


def _feels(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    topic = _topic(span(clause, match))
    feeling = span(clause, match, "f").strip()
    if topic and feeling and not (_NOW.search(match["f"])):
        link = span(clause, match, "link").strip()
        if match[0].startswith("me ") and feeling.endswith("o"):  # "me emociono com"
            value = f"se {feeling[:-1]}a {link} {topic}"
            yield say(who, "emotion", value, value)
            return
        value = f"{feeling} {link} {topic}"
        verb = "tem" if match["noun"] else "fica"
        yield say(who, "emotion", value, f"{verb} {value}")


def _makes(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    topic = _topic(span(clause, match), longest=8)
    topic = re.split(r"\s(?:é|e|eh)\s(?:o|a)\s(?:que|q|coisa)", topic)[0] if topic else None
    if topic is None or re.match(
        r"(?:a\sminha|o\smeu|isso|ele|ela|voce|vc|so|que|nao|ja|tudo|hoje|e|quem|eu|mas)(?![a-z])",
        flattened(topic).text,
    ):
        return
    if re.search(r"(?<![a-z])(?:intoler|alergi)", flattened(clause.message).text):
        return  # food that disagrees with one is no feeling
    feeling = re.split(r"[,.;!?]|\s(?:mas|porque|pq|sempre)\s", span(clause, match, "f"))[0].strip()
    yield say(who, "emotion", f"{topic}: {feeling}", f"sente com {topic}: {feeling}")


def _opinion(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = _topic(span(clause, match), longest=18)
    flat = flattened(value).text if value else ""
    if (
        value
        and not re.match(
            r"(?:que\s)?(?:sim|nao|vou|e\sisso|isso|ja|deu|vai|to|ta|tem|foi|era|voce|vc|melhor|esse|essa|"
            r"estou|preciso|devo|posso|so|seria|minha|meu|ele|ela|o\sproblema|consigo|entendi|da\spra|"
            r"nunca|faz)(?![a-z])",
            flat,
        )
        and len(value.split()) >= 3
    ):
        yield say(who, "opinion", value, f"acha que {value}" if not match["sobre"] else f"acha: {value}")


def _values(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = _topic(span(clause, match), longest=10)
    if value and not re.match(r"(?:num|numa|no|na|em|nas|nos)\s", flattened(value).text):
        yield say(who, "value", value, f"valoriza {value}")


def _values_topic(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(re.sub(r"\s(?:pra|para) mim$", "", span(clause, match)), longest=6)
    if value:
        yield say(who, "value", value, f"valoriza {value}")


def _trait(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, None, value, f"é {value}")


_STATES = (
    r"(?:sem chao|ansios[oa]|nervos[oa]|triste|feliz|irritad[oa]|apavorad[oa]|estressad[oa]|angustiad[oa]|"
    r"deprimid[oa]|insegur[oa]|frustrad[oa]|empolgad[oa]|animad[oa]|emocionad[oa]|culpad[oa]|"
    r"sozinh[oa]|sobrecarregad[oa]|preocupad[oa]|realizad[oa]|arrasad[oa]|orgulhos[oa]|travad[oa]|"
    r"tens[oa]|em panico|desesperad[oa]|magoad[oa]|chatead[oa]|pra baixo|mal|bem|em paz|calm[oa]|"
    r"relaxad[oa]|envergonhad[oa]|exaust[oa]|put[oa]|com raiva|com medo|com vergonha|pirad[oa]|"
    r"inquiet[oa]|melancolic[oa]|nostalgic[oa]|perdid[oa]|uma fraude|incapaz|invisivel|acolhid[oa]|"
    r"grat[oa]|encantad[oa]|assustad[oa]|com ciumes?|enciumad[oa]|entediad[oa]|sem graca|aflit[oa]|"
    r"leve|vazi[oa]|so)"
)
_LINK = (
    r"(?P<link>com|quando|sempre que|toda vez que|perto d[eao]s?|diante d[eao]|em relacao a|por "
    r"causa d[eao]s?|por conta d[eao]s?|por|antes d[eao]s?|depois d[eao]s?|desde que|em|no|na|nas|"
    r"nos|de|do|da|dos|das|se|ao|com relacao a|pelo|pela|sobre)"
)
_NOUNS = (
    r"(?:medo|pavor|panico|ansiedade|fobia|trauma|vergonha|ciumes?|saudades?|orgulho|raiva|"
    r"inseguranca|culpa|receio|angustia|odio|receio|gratidao|nervoso|pena|inveja|ranco|aflicao)"
)


def _whenever(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = f"{span(clause, match)} {span(clause, match, 'f')}"
    if len(value.split()) <= 18:
        yield say(who, "emotion", value, value)


def _opinion_of(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if re.match(r"(?:eu\s)?considero", match[0]) and not re.search(
        r"(?<![a-z])(?:um|uma|o|a|muito|mais|essencial|importante|fundamental|desnecessari)", match["v"]
    ):
        return
    head = re.match(r"(?:eu\s)?(?P<h>sou\s(?:contra|a\sfavor\sd[eao])|concordo\s\w+|discordo\s\w+)", match[0])
    value = _topic(span(clause, match), longest=18)
    if value and head:
        text = f"{head['h'].replace('sou ', 'é ')} {value}"
        yield say(who, "opinion", text, text)
        return
    yield from _opinion(match, clause, who)


def _values_mine(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    dear = "mim" in match[0] or re.search(
        r"sagrad|primeiro lugar|antes de tudo|acima de tudo|inegociavel|minha prioridade", match[0]
    )
    if dear and not re.match(r"(?:isso|ele|ela|e|que|nada|o\sque|voce)(?![a-z])", match["v"]):
        yield from _values_topic(match, clause, who)


def _irks(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Me irrita gente que chega atrasada"."""
    topic = _topic(span(clause, match), longest=10)
    empty = r"(?:isso|voce|vc|muito|demais|quando\svoce|um\spouco|uma?$|so)(?![a-z])"
    if topic and not re.match(empty, flattened(topic).text):
        feeling = span(clause, match, "f")
        yield say(who, "emotion", f"{feeling} {topic}", f"sente com {topic}: {feeling}")


def _judges(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = _topic(span(clause, match), longest=14)
    empty = r"(?:isso|esse|essa|ess[ea]s|voce|vc|ele|ela|que|melhor|um|uma|o\sque)(?![a-z])"
    if value and not re.match(empty, flattened(value).text):
        yield say(who, "opinion", value, f"acha {value}")


FEELINGS: list[Rule] = [
    *both(
        "feels",
        "fico fica sinto sente morro tenho tem estou to ando me deixo preocupo preocupa",
        rf"(?:{{(?:eu )?(?:fico|fiquei|me sinto|sinto-me|ando|tenho andado|me sinto sempre|(?:estou|to|tou)"
        rf"(?! (?:com|sem) )|ando me sentindo)/fica|se sente|anda|esta|ta}}) (?:(?:muito|mto|mt|super|"
        rf"bem|sempre|extremamente|meio|tao|bastante|completamente|toda|todo|um pouco|demais|morrendo|"
        rf"cada vez mais) )*(?P<f>{_STATES}(?: demais| pra caramba)?)(?P<noun>(?!x)x)?,? {_LINK} "
        rf"(?P<v>[a-z].{{2,90}})",
        _feels,
    ),
    *both(
        "has a feeling",
        "tenho tem morro morre sinto sente medo pavor panico vergonha saudade saudades orgulho ciume ciumes",
        rf"(?P<noun>{{tenho|sinto|morro de|sentindo|(?:estou|to|tou|ando) com|vivo com|peguei|fico "
        rf"com/tem|sente|morre de|esta com|ta com|anda com}}) (?:(?:muito|muita|mto|mta|um|uma|uns|"
        rf"umas|certo|certa|maior|o maior|tanto|tanta|bastante|enorme|grande|uma certa|um certo|mt) )"
        rf"*(?P<f>{_NOUNS}(?: (?:enorme|danad[oa]|horrivel|terrivel|constante|absurd[oa]|gigante|"
        rf"imens[oa]))?) {_LINK} (?P<v>[a-z].{{2,90}})",
        _feels,
    ),
    *mine(
        "worries",
        "preocupo estresso irrito emociono arrependo orgulho culpo incomodo sofro apavoro",
        rf"me (?P<f>preocupo|estresso|irrito|emociono|arrependo|orgulho|culpo|incomodo|apavoro|"
        rf"angustio|envergonho|cobro|desespero|magoo|divirto|realizo|acalmo)(?P<noun>(?!x)x)? (?:muito "
        rf"|demais |sempre |bastante |mto )?{_LINK} (?P<v>[a-z].{{2,80}})",
        _feels,
    ),
    *mine(
        "makes me",
        "deixa deixam da dao causa causam irrita irritam estressa acalma assusta incomoda derruba faz "
        "tira apavora emociona realiza angustia",
        rf"^\W*(?:(?:e|mas|que) )?(?P<v>[a-z][\w ]{{2,50}}?)(?<! nao) (?:sempre )?(?:(?:ta|esta|vem|anda|tem|"
        rf"estao|tao) )?me (?P<f>(?:tirando o sono|tira[m]? o sono|deixando {VERY}{_STATES}|"
        rf"estressando|matando|consumindo|corroendo|desgastando|angustiando|tirado o sono|deixa[m]? "
        rf"{VERY}(?:de )?{_STATES}|da[om]? (?:muit[oa] |uma |um |mta |mto |maior )?(?:medo|pavor|"
        rf"panico|ansiedade|raiva|nervoso|gatilho|vergonha|enjoo|palpitacao|angustia|alegria|paz|nojo|"
        rf"saudade|desespero|orgulho|agonia|aflicao|crise|tristeza|sono|insonia|energia|forca)|causam? "
        rf"(?:ansiedade|panico|estresse|angustia|desconforto|sofrimento)|irritam?|estressam?|acalmam?|"
        rf"assustam?|incomodam?|derrubam?|apavoram?|emocionam?|realizam?|angustiam?|tira[m]? do serio|"
        rf"faz(?:em)? (?:muito )?(?:bem|feliz|chorar|sofrer|falta)|relaxam?|entristecem?|machucam?|"
        rf"magoam?|frustram?|aterrorizam?)(?![a-z]).{{0,30}})",
        _makes,
    ),
    *mine(
        "whenever",
        "vez sempre quando todo toda",
        rf"(?P<v>(?:toda vez que|sempre que|toda vez q|sempre q|quando|tod[oa] (?:aniversario|natal|"
        rf"domingo|segunda|dezembro|inverno|reuniao|prova|viagem)) [\w ]{{2,50}}?),? (?:eu )"
        rf"?(?P<f>(?:fico|me sinto) {VERY}{_STATES}|(?:ja )?(?:comeco a (?:suar|tremer|chorar|gaguejar|"
        rf"passar mal)|travo|choro|entro em panico|surto|me tranco|passo mal|perco o sono|tremo))"
        rf"(?![a-z])",
        _whenever,
    ),
    *mine(
        "opinion",
        "mim ver sou acho acredito penso opiniao considero defendo concordo discordo",
        r"(?:(?:eu )?(?:acredito|penso|defendo|sou da opiniao|tenho pra mim|estou convencid[oa])(?: de)"
        r"? que|(?:^pra mim|na minha opiniao|no meu ponto de vista|ao meu ver|a meu ver),?(?P<sobre>)|"
        r"(?:eu )?sou (?:contra|a favor d[eao])(?P<sobre2>)|considero(?P<sobre3>)|(?:eu )"
        r"?acho(?P<sobre5>)(?= um (?:erro|absurdo|exagero|desperdicio|saco)| uma (?:bobagem|perda|"
        r"besteira|vergonha|palhacada)| (?:feio|errado|ridiculo|absurdo|desnecessario|importante|"
        r"fundamental|essencial|bonito) )|(?:eu )?acho(?: sempre)? (?:que )?(?=[a-z ]{3,40} "
        r"(?:superestimad|um absurdo|fundamental|essencial|bobagem|desnecessari|importante|perda de "
        r"tempo|ridicul|um erro|chat[oa]|overrated|injust|errad|lind[oa])))(?: que)? "
        r"(?P<v>[a-z].{5,120})",
        _opinion_of,
    ),
    *mine(
        "values",
        "valorizo prezo importante importa honestidade prioridade principio acredito",
        r"(?:(?:eu )?(?:valorizo|prezo|dou (?:muito |mto )?valor (?:a|ao)|dou muita importancia (?:a|"
        r"ao)|prezo muito (?:por|pela|pelo))(?: muito| demais| mais que tudo| acima de tudo| bastante)"
        r"?|(?:o que|o q) (?:(?:eu )?mais )?(?:importa|vale|conta|prezo|valorizo|(?:me )?importa)(?: "
        r"(?:pra|para) mim| na vida| nas pessoas| numa pessoa| num amigo)* (?:e|eh)|(?:minha )"
        r"?(?:maior )?prioridade (?:e|eh|na vida e)|meu principio e|nao abro mao d[eao]|(?:o )?mais "
        r"importante (?:pra|para) mim (?:e|eh)) (?:a |o )?(?P<v>[a-z].{3,70})",
        _values,
        denied=True,
    ),
    *mine(
        "values, turned",
        "importante fundamental essencial acima prioridade vem",
        r"^\W*(?:(?:pra|para) mim,? )?(?P<v>[a-z][\w ]{3,40}?) (?:e|eh|sao|vem|esta|fica) (?:(?:muito|"
        r"super|mto|o mais|a coisa mais|tudo|o que ha de mais) )?(?:importante|fundamental|essencial|"
        r"sagrad[oa]|em primeiro lugar|antes de tudo|acima de qualquer coisa|acima de tudo|inegociavel|"
        r"minha prioridade|prioridade|o que mais importa)(?: (?:pra|para) mim|$|,|\.)",
        _values_mine,
    ),
    *both(
        "trait",
        "sou e eh me",
        r"(?:{sou|me considero|sempre fui|fui sempre/e|eh|sempre foi}) (?:(?:uma? |pessoa |alguem |"
        r"um cara |uma pessoa |muito |mto |super |bem |meio |bastante |bem |do tipo |extremamente |"
        r"totalmente |mt )*)(?P<v>introvertid[oa]|extrovertid[oa]|timid[oa]|ansios[oa]|perfeccionista|"
        r"canhot[oa]|ambidestr[oa]|desastrad[oa]|organizad[oa]|desorganizad[oa]|bagunceir[oa]|"
        r"teimos[oa]|pessimista|otimista|competitiv[oa]|caseir[oa]|baladeir[oa]|notívag[oa]|"
        r"noturn[oa]|diurn[oa]|matutin[oa]|impaciente|paciente|sensivel|procrastinadora?|workaholic|"
        r"minimalista|feminista|trans|gay|lesbica|bi|bissexual|nao binari[oa]|nao-binari[oa]|assexual|"
        r"hetero|homossexual|pansexual|queer|travesti|de humanas|de exatas|esquecid[oa]|distraid[oa]|"
        r"reservad[oa]|comunicativ[oa]|romantic[oa]|curios[oa]|chorona?|medros[oa]|pontual|vaidos[oa]|"
        r"nerd|geek|gamer|leitora? (?:avid[oa]|voraz)|do dia|da noite|autodidata|ecologista|pacifista|"
        r"de esquerda|de direita|doadora? de orgaos|doadora? de medula|supersticios[oa]|cinefil[oa]|"
        r"noveleir[oa]|mestre)(?![a-z])(?! (?:com|em|de|por|pra|hoje))",
        _trait,
    ),
    *mine(
        "irks",
        "irrita incomoda estressa deixa da tira assusta emociona acalma",
        rf"^\W*(?:nada )?me (?P<f>irrita|incomoda|estressa|assusta|emociona|acalma|tira do serio|deixa "
        rf"(?:muito )?{_STATES}|da (?:muita |uma |um |muito )?(?:medo|raiva|agonia|aflicao|nervoso|"
        rf"ansiedade|panico|vergonha|alegria|paz|nojo|saudade|angustia|gatilho)) (?:demais |muito )"
        rf"?(?:de )?(?P<v>[a-z].{{3,60}})",
        _irks,
    ),
    *mine(
        "judges",
        "acho",
        r"(?:eu )?acho (?P<v>(?!que)[\w ]{3,25}? (?:uma questao|um direito|um dever|um absurdo|uma "
        r"bobagem|superestimad[oa]|supervalorizad[oa]|sobrevalorizad[oa]|uma perda de tempo|essencial|"
        r"fundamental|uma furada|injust[oa]|desnecessari[oa]|um crime|uma vergonha)(?![a-z]).{0,40})",
        _judges,
    ),
    *mine(
        "everything to me",
        "tudo mim",
        r"^\W*(?P<v>[a-z][\w ]{2,30}?) (?:e|eh|sao) (?:tudo|a base de tudo|inegociavel|o mais "
        r"importante|sagrad[oa]) (?:pra|para) mim",
        _values_mine,
    ),
]
