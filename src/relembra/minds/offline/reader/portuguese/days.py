"""Hours and manners: sleep, the week's shape, and how somebody wants to be spoken to."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.values import is_new, span

__all__ = ["DAYS"]

_TIME = (
    r"(?P<v>(?:(?:as|a|la pelas|por volta d[ae]s?|pelas|perto das|tipo|antes das|depois d[ae]s?|so "
    r"depois d[ae]s?|so as|ate as|ate|umas) )*(?:\d{1,2}(?:h(?:oras)?)?(?:[:h]\d{2})?(?: ?(?:h|hs|"
    r"hrs|horas|da manha|da madrugada|da noite|da tarde|em ponto|e meia|e pouco|e \d{1,2})(?![a-z])"
    r")*|(?:uma|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|meia noite|meia-noite|"
    r"meio-dia|meio dia)(?: (?:e meia|da manha|horas|da madrugada|da noite|em ponto))*|meia-noite))"
    r"(?![\w%])"
)


def _wakes(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if re.search(r"(?<![a-z])(?:hoje|ontem|amanha|hj)(?![a-z])", clause.flat) and "desde" not in clause.flat:
        return
    value = re.sub(r"^(?:às|as|à|a|umas)\s", "", span(clause, match).strip(), flags=re.IGNORECASE)
    yield say(
        who,
        "wake_time",
        value,
        f"acorda às {value}" if value[0].isdigit() else f"acorda {span(clause, match)}",
        changed=is_new(clause),
    )


def _sleeps(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if re.search(r"(?<![a-z])(?:hoje|ontem|amanha|hj)(?![a-z])", clause.flat):
        return
    if re.match(r"\s?(?:horas|h)\s(?:por|de|e)", clause.flat[match.end() :]) or (
        re.match(r"\d+\s?h?(?:oras)?$", match["v"]) and re.match(r"\s(?:por|de\ssono)", clause.flat[match.end() :])
    ):
        return
    value = re.sub(r"^(?:às|as|à|a|umas)\s", "", span(clause, match).strip(), flags=re.IGNORECASE)
    yield say(
        who,
        "bedtime",
        value,
        f"dorme às {value}" if value[0].isdigit() else f"dorme {span(clause, match)}",
        changed=is_new(clause),
    )


def _schedule(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = clause.raw[match.start("v") :]
    flat = flattened(raw).text
    cut = re.search(
        r"\s(?:mas|porque|pq|pois|entao|so\sque|por\sisso)(?![a-z])|[;.!?()]|,\s(?!(?:segunda|terca|"
        r"quarta|quinta|sexta|sabado|domingo|seg|ter|qua|qui|sex|\d))",
        flat,
    )
    value = raw[: cut.start()].strip(" ,") if cut else raw.strip(" ,.!")
    if value and len(value.split()) <= 14:
        yield say(who, "schedule", value, _as_third(value), changed=is_new(clause))


def _as_third(value: str) -> str:
    first, _, rest = value.partition(" ")
    swaps = {
        "trabalho": "trabalha",
        "tenho": "tem",
        "folgo": "folga",
        "faço": "faz",
        "faco": "faz",
        "entro": "entra",
        "saio": "sai",
        "estou": "está",
        "tô": "está",
        "to": "está",
        "vou": "vai",
        "dou": "dá",
        "atendo": "atende",
        "rodo": "roda",
        "pego": "pega",
        "fico": "fica",
        "levo": "leva",
        "busco": "busca",
        "almoço": "almoça",
        "meu": "o",
        "minha": "a",
        "não": "não",
        "tiro": "tira",
        "cumpro": "cumpre",
        "só": "só",
        "estudo": "estuda",
        "descanso": "descansa",
    }
    return f"{swaps.get(first.lower(), first)} {rest}"


_ASKS = re.compile(
    r"(?:me\s)?(?:fala|fale|diz|diga|explica|explique|manda|mande)\s(?:so\s)?(?:qual|quais|quanto|onde|o\sque|se)\s"
)


def _manner(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = clause.raw[match.start("v") :]
    flat = flattened(raw).text
    if _ASKS.match(flat):
        return  # "me fala só qual peça é essa": asked once, no manner
    cut = re.search(
        r"\s(?:porque|pq|pois|senao|ta|tah|ok|ne|beleza|por\sfavor|pfv|mas)(?![a-z])|[;.!?()]|,\s(?:eu|"
        r"que|sou|nao\senten|ok|ta|ne|odeio|fico|tenho|pode|por\sfavor|blz)",
        flat,
    )
    value = raw[: cut.start()].strip(" ,") if cut else raw.strip(" ,.!?")
    if value and 0 < len(value.split()) <= 16:
        negative = re.match(r"(?:nao|n)\s(?:gosto|suporto|curto|quero|precisa)\s(?:de\s|que\s)?", flattened(value).text)
        phrase = f"não gosta: {value[negative.end() :]}" if negative else f"prefere: {value}"
        yield say(who, "communication", value, phrase, changed=is_new(clause))


_REPLY = (
    r"(?:resposta|respostas|texto|textos|mensagem|mensagens|audio|audios|email|emails|e-mail|"
    r"ligacao|ligacoes|telefone|telefonema|whats|whatsapp|zap|topicos|bullet|bullets|explicac\w+|"
    r"detalhe|detalhes|detalhada|detalhadas|resumo|resumos|emoji|emojis|girias?|formal|informal|"
    r"tabela|tabelas|exemplo|exemplos|passo a passo|rodeios?|enrolacao|direto|direta|objetiv[oa]s?|"
    r"curt[oa]s?|longas?|portugues|ingles|feedback|por escrito|chamada|video ?chamadas?|slack|"
    r"teams|jargao|termos tecnicos|linguagem|elogios?|bajulacao|sermao|sinceridade|piadas?|listas?)"
)


DAYS: list[Rule] = [
    *both(
        "wakes",
        "acordo acorda levanto levanta despertador acordando acordar levantar levantar-me pe",
        rf"(?:{{acordo|levanto|me levanto|levanto-me|(?:estou|to|tou|ando) (?:acordando|levantando)|"
        rf"(?:passei|comecei|voltei) a (?:acordar|levantar)(?:-me)?|(?:meu )?despertador(?: toca)?|tenho que acordar|preciso "
        rf"acordar|estou de pe|to de pe/acorda|levanta|se levanta|esta acordando|ta acordando|passou a "
        rf"acordar}})(?: (?:todo dia|todos os dias|sempre|cedo|muito cedo|de manha|cedinho|agora|"
        rf"normalmente|geralmente|durante a semana|religiosamente|por volta|bem cedo|la|pra trabalhar|"
        rf"pra correr|pra treinar))*,? {_TIME}",
        _wakes,
    ),
    *both(
        "sleeps",
        "durmo dorme deito deita dormindo dormir deitar deitar-me cama",
        rf"(?:{{durmo|deito|me deito|deito-me|vou (?:pra|para a) cama|vou dormir|(?:estou|to|tou|ando) "
        rf"(?:dormindo|deitando)|(?:passei|comecei|voltei) a (?:me )?(?:dormir|deitar)(?:-me)?|nunca durmo antes|so durmo|so consigo "
        rf"(?:ir )?dormir|pego no sono|vou deitar/dorme|deita|se deita|vai (?:pra|para a) cama|vai dormir|esta "
        rf"dormindo|ta dormindo}})(?: (?:todo dia|todos os dias|sempre|cedo|muito cedo|tarde|muito "
        rf"tarde|agora|normalmente|geralmente|so|cedinho|la|bem cedo|bem tarde|quase sempre))*,? "
        rf"(?=(?:as|a|la|por|pelas|perto|antes|depois|so|tipo|ate|meia|umas)\W?|\d{{1,2}}h){_TIME}",
        _sleeps,
    ),
    *mine(
        "in bed by",
        "cama dormindo deitada deitado",
        rf"{_TIME} (?:eu )?(?:ja )?(?:estou|to|tou) (?:na cama|dormindo|deitad[oa])",
        _sleeps,
    ),
    *mine(
        "schedule",
        "escala dou trabalho folgo folga plantao expediente turno escala remoto home horario entro "
        "saio segunda terca livre atendo guarda terapia aula hibrido presencial",
        r"(?P<v>(?:(?<!\bo )(?<!meu )trabalho (?:melhor (?:de|a)|de (?:segunda|terca|noite|madrugada|"
        r"casa|manha|domingo|home)|das|a noite|em (?:turno|escala|home|regime)|remoto|remotamente|no "
        r"turno|hibrido|presencial|aos|nos (?:fins|sabados)|meio periodo|so de|em horario|12x36|por "
        r"turnos?|\d)|folgo|tenho (?:folga|plantao|plantoes)|faco (?:plantao|plantoes|home office|"
        r"turno|escala)|meu (?:expediente|turno|horario|plantao)(?: de trabalho)? (?:e|eh|vai|comeca|termina|"
        r"acaba|encerra)|"
        r"minhas? (?:escala|folgas?|jornada|rotina)(?: \w+ \w+)? (?:e|eh|cai|sao|caem)|dou aulas? (?:as|aos|de|nas) "
        r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|manha|noite|tarde)\w*|entro (?:as|no "
        r"trabalho|no servico)|so (?:posso|consigo|tenho tempo|estou livre)(?! (?:ir )?(?:dormir|deitar))|estou livre|rodo de|atendo "
        r"(?:de|das|so|aos)|nao (?:trabalho|atendo) (?:as|aos|de|nas)|levo (?:meu|minha|as|os) .{3,30} "
        r"(?:as|todo|toda|de)|busco (?:meu|minha|as|os) .{3,30} (?:as|todo|toda)|pego (?:meu|minha|as|"
        r"os) .{3,30} (?:as|todo|toda)|tenho (?:aula|aulas|terapia|ingles|treino|ensaio|pilates|"
        r"natacao|reuniao|academia|yoga|missa|culto|futebol)(?: \w+){0,3} (?:as|toda|todo|aos|de|nas) "
        r"?(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?|semana|noite|manha)|"
        r"cumpro)(?![a-z]).{0,70})",
        _schedule,
        denied=True,
    ),
    *mine(
        "manner",
        "prefiro prefere responde responda respondas gosto quero fala fale fales trate trata seja usa "
        "use me sempre explica explique manda mande resposta respostas nao chama",
        rf"(?P<v>(?:prefiro (?:que (?:(?:vc|voce|tu|me|voces) )*(?:me )?(?:respond|fal|trat|expli|mand|"
        rf"escrev|use|seja|va |evit|envi|corrij|cham(?!e de|em de|es de)|deem|de |avise|contate|ligue|"
        rf"diga)\w*|{_REPLY}|"
        rf"receber {_REPLY}|(?:falar|conversar|tratar|resolver) (?:por|com|em|via) |ser (?:tratad|"
        rf"contatad|avisad|abordad|corrigid)\w+|coisas? (?:explicad|diret)\w+)|gosto (?:de|que) "
        rf"(?:(?:as )?{_REPLY}|(?:vc |voce )?(?:me )?(?:respond|explic|trat|fal[ae]|diga|digam|corrij)"
        rf"\w*|ser (?:tratad|corrigid)\w+|quando (?:vc|voce) \w+)|quero (?:que (?:(?:vc|voce|tu) )"
        rf"?(?:sempre )?(?:me )?(?:respond|fale|trate|expliqu|escrev|use|seja|corrij|diga)\w*|{_REPLY})"
        rf"|trat[ae]-me|(?:sempre )?me (?:responda|responde|trate|trata|fale|fala|explique|explica|"
        rf"mande|manda|avise|corrija|corrige|escreva|chame no|contate)(?: (?:sempre|em|com|de|por|como|"
        rf"as|no|na|so|respostas?|que|quando|sem))(?! mim)|(?<!ta )(?<!sa )(?<!\ba )(?<!ma )(?:pode "
        rf")?(?:responda|responde|fale|fala|"
        rf"escreva|escreve|seja|explique)(?: (?:sempre|comigo|em portugues|em ingles|de forma|sem|"
        rf"curto|mais|direto|como|breve|diret|objetiv|formal|informal|sinc))|(?:use|usa|evite|evita) "
        rf"(?:sempre |mais |menos )?{_REPLY}|sem (?:rodeios|enrolacao|emojis?|girias|bajulacao|elogios)"
        rf"|(?:nao|n) (?:gosto|curto|suporto|quero) (?:de |que )?(?:(?:me )?(?:liguem|mandem|chamem|"
        rf"respond\w+|trate\w*|falem|use\w*)|(?:resposta|respostas|emojis?|audios?|ligacao|ligacoes|"
        rf"textao|textoes|enrolacao|rodeios|girias|telefonema|bajulacao|sermao))|(?:nao|n) (?:use|usa|"
        rf"me mande|me manda|me ligue|me liga|me chame|me chama|me trate|me responda|precisa ser "
        rf"(?:tao |muito )?formal|mande|manda)(?! de).{{3,}}|pode (?:caprichar|ser diret\w*|falar palavrao|ser "
        rf"sincer\w*|ser franc\w*|me tratar|me corrigir|usar {_REPLY}|mandar {_REPLY}|responder)|"
        rf"respostas? (?:curtas?|longas?|diretas?|objetivas?|em|sem|com|sempre|de)|da proxima vez)"
        rf"(?![a-z]).{{0,90}})",
        _manner,
        denied=True,
    ),
    *mine(
        "day off",
        "folga livre",
        r"(?P<v>(?:as )?(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?)(?:-feira)? "
        r"(?:e|eh|sao|sempre e) (?:[oa] )?(?:minha folga|meu dia (?:livre|de folga)|meu descanso|dia "
        r"de \w+))",
        _schedule,
    ),
    *mine(
        "keep free",
        "marca marque marcar marques",
        r"(?P<v>(?:nao|n) (?:marca|marque|marques|agende|agenda) (?:nada|reuniao|compromisso)(?! "
        r"depois disso)(?: \w+)"
        r"{0,3} (?:as|aos|antes|depois|de|na|no|nas) .{3,30})",
        _schedule,
        denied=True,
    ),
    *mine(
        "manner, more",
        "precisa palavrao giria chamar tratar",
        r"(?P<v>(?:nao |n )?precisa (?:me )?(?:chamar|tratar) (?:de|por|com) .{3,30}|(?:pode|podes) "
        r"(?:usar|falar|mandar) (?:palavrao|giria|girias|memes?|figurinhas?)(?: comigo)?|(?:nao|n) me "
        r"(?:chame|chama|trate|trata) (?:de|por|como) (?:senhora?|dona|sr|voce|doutora?).{0,20})",
        _manner,
        denied=True,
    ),
    *mine(
        "may send",
        "pode podes manda mandar",
        r"(?P<v>(?:pode|podes|podem) (?:sempre )?(?:me )?(?:mandar|enviar|responder|escrever|ligar|"
        r"chamar) (?:(?:por|no|em|so|so por) )?(?:audios?|textos?|mensagem|email|e-mail|whats\w*|zap|"
        r"telefone|ingles|portugues|topicos|video)(?![a-z]).{0,30}|(?:textao|audio|ligacao|emoji|giria)"
        r"s? (?:nao|nem pensar|jamais|nunca))",
        _manner,
        denied=True,
    ),
]
