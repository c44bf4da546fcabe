"""Days and manners: habits, hours of sleep, the week, and how somebody wants to be spoken to."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.intake import SURE_DRUG
from relembra.minds.offline.reader.portuguese.values import clean, is_new, past, span

__all__ = ["HABITS"]

_OFTEN = (
    r"(?:tod[oa]s?\s(?:os?\s|as?\s)?(?:santo\s)?(?:dias?|manhas?|noites?|tardes?|semanas?|mes|"
    r"meses|ano|anos|fim\sde\ssemana|finais\sde\ssemana|segundas?|tercas?|"
    r"quartas?|quintas?|sextas?|sabados?|domingos?|madrugadas?)(?:-feiras?)?|(?:as|aos|nas|nos|de)"
    r"\s(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?)"
    r"(?:-feiras?)?|sempre|diariamente|semanalmente|(?:\d|uma|duas|tres|quatro|cinco|seis)"
    r"x?\s?(?:vez|vezes)?\s?(?:por|na|no|ao|a)\s(?:dia|semana|mes|ano)|por\s(?:dia|semana|mes)|"
    r"(?:\d|um|uma|dois|duas|tres)\s(?:maco|litros?|xicaras?|livros?|paginas?|km|quilometros|"
    r"minutos|horas)\s.{0,20}(?:por|ao)\s(?:dia|semana|mes)|"
    r"de\smanha(?:zinha)?(?:\scedo)?|antes\sde\sdormir|ao\sacordar|dia\ssim\sdia\snao|"
    r"fim\sde\ssemana\ssim|nos\sfins\sde\ssemana|no\sfim\sde\ssemana|"
    r"(?:seg|ter|qua|qui|sex|sab|dom)(?:,|\se)\s|a\snoite|quase\s(?:todo|toda)\s\w+|de\sdomingo|"
    r"ha\s(?:anos|meses|\w+\sanos|\d+\s(?:anos|meses))|faz\s(?:anos|\w+\s(?:anos|meses))|"
    r"de\svez\sem\squando|nas\shoras\svagas|(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:,|\se)\s"
    r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)|a\scada\s\w+\s\w+|(?:antes|depois)"
    r"\sd[oae]\s(?:almoco|jantar|cafe|"
    r"trabalho|treino|aula|meio-dia)|religiosamente|desde\s(?:crianca|pequen[oa]|os\s\d+|\d{4}|"
    r"sempre|adolescente))"
)
_HABIT_1 = (
    r"faco|treino|corro|caminho|nado|pedalo|medito|rezo|oro|leio|escrevo|pinto|desenho|danco|jogo|"
    r"toco|canto|cozinho|fumo|bebo|tomo|"
    r"assisto|vejo|ouco|escuto|ando|vou|saio|viajo|acampo|pesco|surfo|coleciono|planto|cultivo|"
    r"pratico|frequento|visito|ligo|acompanho|"
    r"cuido|costuro|bordo|tricoto|fotografo|programo|estudo|lavo|limpo|jejuo|malho|luto|"
    r"patino|escalo|ensaio|crocheto|velejo|almoco|janto|levo|busco|guardo|doo|poupo|invisto|pago|"
    r"mando|cuido|ajudo|acendo|rego|passeio|brinco|converso|publico|posto|gravo|vendo|entrego|"
    r"faxino"
)
_HABIT_3 = (
    r"faz|vem|treina|corre|caminha|nada|pedala|medita|reza|ora|le|escreve|pinta|desenha|danca|joga|"
    r"toca|canta|cozinha|fuma|bebe|toma|come|"
    r"assiste|ve|ouve|escuta|anda|vai|sai|viaja|acampa|pesca|surfa|coleciona|planta|cultiva|"
    r"pratica|frequenta|visita|liga|costura|borda|"
    r"tricota|fotografa|estuda|malha|luta|patina|escala|ensaia"
)
_CUT = re.compile(
    r"\s(?:mas|porque|pq|pois|que|so\sque|quando|e\s(?:eu|amo|adoro|gosto|sou|tenho|acho)|entao|"
    r"porem|senao|ne)(?![a-z]).*|[,;.!?()].*",
    re.DOTALL,
)
_VERBS = {
    "faco": "faz",
    "vou": "vai",
    "leio": "lê",
    "ouco": "ouve",
    "saio": "sai",
    "vejo": "vê",
    "caminho": "caminha",
    "durmo": "dorme",
}


def _third(verb: str) -> str:
    """The third person of a regular verb in the first."""
    if verb in _VERBS:
        return _VERBS[verb]
    if verb in {"corro", "escrevo", "bebo", "como"}:
        return verb[:-1] + "e"
    return verb[:-1] + "a" if verb.endswith("o") else verb


_IDLE = re.compile(
    r"(?:\w+\sanos|desempregad|com\s(?:falta|dor|medo|sono|raiva)|sem\s|isso|nada|tudo|questao|"
    r"ideia|parte|sentido|falta|favor|anos|\d+\sanos|aniversario|tempo|um\sano|dois|pouco|"
    r"muito\stempo|agora|hoje|"
    r"amanha|ontem|ali|la$|embora|te\s|dar|ser|ter|fazer\s(?:o|um|isso)|ver|tentar|precisar|querer|"
    r"morrer|ficar|poder|conseguir|"
    r"mal|bem|parte|faculdade|mestrado|doutorado|curso|casar|mudar|viajar|comprar|sair|passar|"
    r"voltar|pedir|usar|levar|aula|aulas|banho|medo|raiva)(?![a-z])"
)


_MEDICINE = re.compile(rf"^{SURE_DRUG}|\d\s?(?:mg|mcg|ml|ui|gotas)(?![a-z])")
_PAY = re.compile(r"(?<![a-z])(?:tiro|ganho|recebo|faturo|me|te)\s$")  # "tiro limpo R$ 4.870 por mês", "me faz rir"


def _habit(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """A verb of doing with how often it is done."""
    verb = match["verb"]
    raw = clause.raw[match.start("verb") :]
    flat = clause.flat[match.start("verb") :]
    if not re.search(_OFTEN, flat) or _PAY.search(clause.flat[: match.start("verb")]):
        return
    cut = _CUT.search(flat)
    raw = raw[: cut.start()] if cut and cut.start() > len(verb) else raw
    rest = raw[len(verb) :].strip(" .,!?…")
    if re.match(r"(?:ha|faz|desde|todo|toda|sempre|so)(?![a-z])", flattened(rest).text) and verb in {
        "faco",
        "leio",
        "vejo",
        "toco",
        "jogo",
        "faz",
        "toca",
        "joga",
        "vou",
        "vai",
        "tomo",
        "toma",
    }:
        return
    if not rest or _IDLE.match(flattened(rest).text) or len(rest.split()) > 14:
        return
    if verb in {"tomo", "toma"} and _MEDICINE.search(flattened(rest).text):
        return  # a medicine, said elsewhere
    done = verb if who else _third(verb)
    value = f"{done} {rest}"
    yield say(who, "habit", value, value, changed=is_new(clause))


_PRACTICES = (
    r"(?P<v>(?:yoga|ioga|pilates|crossfit|musculacao|academia|natacao|hidroginastica|boxe|"
    r"jiu-?jitsu|judo|karate|muay thai|capoeira|taekwondo|"
    r"futebol|futsal|volei|basquete|tenis|beach tennis|padel|surfe?|skate|escalada|trilhas?|"
    r"caminhadas?|corrida|ciclismo|spinning|zumba|danca|bale|ballet|"
    r"teatro(?: amador)?|terapia|analise|meditacao|trico|croche|bordado|ceramica|marcenaria|"
    r"trabalho voluntario|voluntariado|hemodialise|fisioterapia|"
    r"acupuntura|home office|artesanato|aquarela|xadrez|rpg de mesa|coral|"
    r"bicos?|hidroterapia|ginastica|aikido|mergulho|"
    r"patinacao|handebol|remo|paraquedismo|violao|piano|teclado|guitarra|bateria|flauta|violino|"
    r"saxofone|sax|cavaquinho|baixo|sanfona|ukulele|"
    r"gaita|viola|contrabaixo|percussao|pandeiro|trompete|clarinete|harpa|violoncelo)(?: .{2,50})?)"
)


def _practice(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = span(clause, match)
    cut = _CUT.search(flattened(raw).text)
    value = clean(raw[: cut.start()] if cut else raw, longest=9)
    if not value:
        return
    verb = match["verb"]
    done = (
        verb
        if who
        else _third(verb.split()[-1])
        if not verb.startswith(("to ", "estou", "tou ", "comecei", "entrei", "voltei"))
        else "faz"
    )
    attribute = "skill" if re.match(r"toc", verb) else "habit"
    yield say(
        who, attribute, f"{done} {value}" if attribute == "habit" else value, f"{done} {value}", changed=is_new(clause)
    )


def _used_to(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=8)
    if value and not re.match(
        r"(?:ser|ter|estar|ver|ir|me|te|acreditar|trabalhar|morar|tomar|entender|achar|estudar|namorar|"
        r"pensar|rir|chorar|chover|reclamar|responder|falar|funcionar|doer)(?![a-z])",
        flattened(value).text,
    ):
        yield say(who, "former_habit", value, f"parou de {value}", changed=True, held_from=past(clause))


def _did(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(" ".join(f"{span(clause, match, 'verb')} {span(clause, match)}".split()), longest=8)
    before = (
        r"(?<![a-z])(?:antes(?!\sd[eoa])|antigamente|quando|parei|epoca|costumava|hoje|ate|mais|fumava|bebia|"
        r"ja\snao)(?![a-z])"
    )
    if value and re.search(before, clause.flat + flattened(clause.sentence).text):
        yield say(who, "former_habit", value, f"antes {value}")


def _ex_smoker(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(
        who, "former_habit", value, f"é ex-{value} (parou de fumar)" if value.startswith("fum") else f"é ex-{value}"
    )


def _is_smoker(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    yield say(who, "habit", span(clause, match), f"é {span(clause, match)}")


def _began(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=8)
    if value and re.match(
        r"(?:correr|caminhar|treinar|meditar|nadar|pedalar|ler|escrever|pintar|desenhar|dancar|"
        r"cozinhar|malhar|fumar|beber|jogar|tocar|cantar|rezar|bordar|costurar|surfar|lutar|"
        r"fazer\s(?:yoga|ioga|pilates|terapia|academia|crossfit|boxe|natacao|musculacao|caminhada|"
        r"trilha|jejum|exercicio|dieta|danca|ceramica|trico|croche|atividade))(?![a-z])",
        flattened(value).text,
    ):
        yield say(who, "habit", value, f"começou a {value}", changed=True, held_from=past(clause))


def _usually(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = span(clause, match)
    cut = _CUT.search(flattened(raw).text)
    value = (raw[: cut.start()] if cut else raw).strip(" .,!?…")
    if 1 <= len(value.split()) <= 12 and not re.match(
        r"(?:ser|ter|estar|me|achar|gostar)(?![a-z])", flattened(value).text
    ):
        kind = re.match(
            r"(?:me\s)?(?:acordar|levantar|dormir|deitar)(?:-me)?\s(?P<when>.*(?:\d|\b(?:uma|duas|tres|"
            r"quatro|cinco|seis|sete|oito|nove|dez|onze|meia)\b).*)",
            flattened(value).text,
        )
        if kind:
            name = "wake_time" if re.match(r"(?:me )?(?:acord|levant)", value) else "bedtime"
            when = value[kind.start("when") :]
            yield say(who, name, when, f"{'acorda' if name == 'wake_time' else 'dorme'} {when}", changed=is_new(clause))
            return
        yield say(who, "habit", value, f"costuma {value}", changed=is_new(clause))


def _owns(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=6)
    if value:
        yield say(who, "possession", value, f"tem {value}", changed=is_new(clause))


def _sold(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value:
        yield say(who, "former_possession", value, f"não tem mais {value}", changed=True, held_from=past(clause))


_THINGS = (
    r"(?:carro|moto|motocicleta|bicicleta|bike|casa|apartamento|ape|ap|sitio|chacara|terreno|lote|"
    r"fazenda|notebook|macbook|iphone|celular|computador|pc|piano|violao|guitarra|kombi|fusca|gol|"
    r"uno|onix|hb20|corolla|civic|palio|celta|saveiro|scooter|barco|casa na praia|biz|cg|titan|"
    r"churrasqueira|videogame|playstation|ps5|xbox|switch|kindle|camera|impressora 3d|telescopio|"
    r"caminhao|van|jeep|fiat|honda|toyota|ford|chevrolet|renault|hilux|strada|creta|kwid|tesla|"
    r"drone|oficina|trailer|motorhome|maquina de costura|caminhonete|thinkpad|ipad|tablet|android|"
    r"samsung|nintendo|bateria|teclado|saxofone|horta|piscina|patinete)"
)


def _hobby(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=7)
    if value and not re.match(
        r"(?:expectativa|coragem|vergonha|problema|caso|conteudo\spra|\d+\sfilh|\w+\sfilh)", flattened(value).text
    ):
        verb = match["verb"] if who else _third(match["verb"])
        yield say(who, "habit", f"{verb} {value}", f"{verb} {value}")


def _often_first(match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    """ "Todo domingo eu faço feira"."""
    verb = match["verb"]
    raw = clause.raw[match.end("verb") :]
    cut = _CUT.search(flattened(raw).text)
    rest = (raw[: cut.start()] if cut else raw).strip(" ,.!?…")
    often = span(clause, match, "often").strip()
    if (
        (rest and _IDLE.match(flattened(rest).text))
        or len(rest.split()) > 10
        or (not rest and verb in {"faco", "vou", "tomo"})
    ):
        return
    if re.match(r"(?:sempre|a noite|de manha|ha |faz |desde )", flattened(often).text) and len(rest.split()) < 1:
        return
    value = " ".join(f"{_third(verb)} {rest} {often.lower()}".split())
    yield say(None, "habit", value, value, changed=is_new(clause))


def _owns_named(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Meu carro é um Celta", but not "meu carro é um lixo"."""
    value = span(clause, match)
    if value[:1].isupper() or re.search(rf"\d|{_THINGS}", match["v"]):
        yield from _owns(match, clause, who)


HABITS: list[Rule] = [
    *both(
        "practice",
        "faco pratico jogo toco treino faz pratica joga toca treina fazendo comecei danco luto",
        rf"(?:(?P<verb>{{faco|pratico|(?<!\bo )(?<!\bum )(?<!esse )jogo|toco|(?<!\bo )(?<!\bum )"
        rf"(?<!\bde )treino|luto|estou fazendo|to fazendo|tou fazendo|comecei(?: a fazer| a praticar| "
        rf"a jogar| o| a)?|entrei n[oa]|voltei (?:pra|para|a fazer|a praticar|ao?)/faz|pratica|joga|"
        rf"toca|treina|luta|esta fazendo|ta fazendo|comecou(?: a fazer)?}})) (?:(?:muito|bastante|"
        rf"aulas? de|aula de|curso de|um pouco de|sempre|o|a|uma|um) )*{_PRACTICES}(?![a-z])",
        _practice,
    ),
    *both(
        "habit",
        "vagas todo toda todos todas sempre diariamente cada almoco jantar depois antes vezes vez x domingo "
        "domingos sabado sabados segunda segundas terca tercas quarta quartas quinta quintas sexta "
        "sextas dia semana manha noite dormir ha faz desde religiosamente semanalmente 1x 2x 3x 4x 5x "
        "seg",
        rf"(?<!\bo )(?<!\bum )(?<!meu )(?<!como )(?P<verb>{{{_HABIT_1}/{_HABIT_3}}}) (?=\S)",
        _habit,
    ),
    *mine(
        "habit, frequency first",
        "todo toda todos todas sempre domingo sabado",
        rf"(?P<often>{_OFTEN}),? (?:eu )?(?P<verb>{_HABIT_1})(?![a-z])",
        _often_first,
    ),
    *both(
        "plays",
        "jogo joga",
        r"(?P<verb>(?<!\bo )(?<!\bum )(?<!esse )(?<!meu )(?<!\bde )(?<!cada )(?<!no )(?<!do )"
        r"{jogo/joga}) (?P<v>(?!de |do |da |fora|tudo|no |na |o |a |um |uma |com |e |foi|muito|chato|"
        r"online|esta|que|contra|todo|toda|sempre|dificil|legal|bom)[a-z].{2,40})",
        _hobby,
    ),
    *both(
        "drinks",
        "tomo bebo toma bebe",
        r"(?P<verb>{tomo|bebo/toma|bebe}) (?P<v>(?:(?:uns|umas|cerca de|mais de|so) )?(?:\d+|dois|duas|"
        r"tres|quatro|cinco|seis|um|uma|muito|bastante) (?:xicaras?|cafes?|cafezinhos?|litros?|copos?|"
        r"cuias?|latas?|garrafas?|tacas?|energeticos?|cervejas?|chas?|refri\w*|chimarrao|agua)(?: "
        r".{2,30})?)",
        _hobby,
    ),
    *both(
        "hobby",
        "coleciono coleciona crio cria cultivo cultiva planto planta",
        r"(?P<verb>{coleciono|crio|cultivo|planto/coleciona|cria|cultiva|planta}) (?P<v>(?!um |uma |"
        r"meu|minha|o |a )[a-z].{2,50})",
        _hobby,
    ),
    *both(
        "used to",
        "parei parou deixei deixou larguei largou abandonei",
        r"(?:{parei (?:de|com)|deixei de|larguei (?:o|a|de)|abandonei (?:o|a)|nunca mais|consegui "
        r"parar de/parou (?:de|com)|deixou de|largou (?:o|a|de)}) (?:o |a )?(?P<v>(?:fumar|beber|roer|"
        r"jogar|correr|treinar|cigarro|alcool|bebida|refrigerante|refri|acucar|cafe|vicio|academia|"
        r"pilates|yoga|natacao|crossfit|comer|malhar|nadar|ler|escrever|usar|apostar|apostas|drogas|"
        r"maconha|vape|terapia|pintar|dancar|meditar|ir|fazer|assistir|tocar|sair|pedalar|redes "
        r"sociais|instagram|nicotina)(?: .{2,40})?)",
        _used_to,
        denied=True,
    ),
    *both(
        "no longer",
        "fumo bebo fuma bebe jogo treino corro",
        r"(?:{(?:nao|n|ja nao) (?P<verb>fumo|bebo|jogo|treino|corro|nado|pedalo|danco|toco|malho)"
        r"/(?:nao|n|ja nao) (?P<verb>fuma|bebe|joga|treina|corre)}) mais(?P<v>(?: [a-z]{3,15}){0,2})",
        _did,
        denied=True,
    ),
    *both(
        "did before",
        "fumava bebia jogava corria treinava nadava costumava tocava lutava",
        r"(?:{(?:antes )?(?:eu )?(?P<verb>fumava|bebia|jogava|corria|treinava|nadava|costumava|tocava|"
        r"lutava|dancava|pedalava|malhava|surfava)/(?:antes )?(?P<verb>fumava|bebia|jogava|corria|"
        r"treinava|nadava|costumava|tocava)})(?P<v>(?: .{2,40})?)",
        _did,
    ),
    *both(
        "ex smoker",
        "ex-fumante ex-alcoolatra fumante ex-viciado",
        r"(?:{sou/e}) ex[ -](?P<v>fumante|alcoolatra|tabagista|viciad[oa](?: em \w+)?|atleta|" r"sedentari[oa])",
        _ex_smoker,
    ),
    *both(
        "was a smoker",
        "fumante sedentario sedentaria tabagista",
        r"(?:{(?:eu )?(?:era|ja fui)/(?:era|ja foi)}) (?:muito |um |uma |bem )?(?P<v>fumante|tabagista|"
        r"sedentari[oa]|alcoolatra|notivag[oa])(?![a-z])",
        lambda m, c, w: [say(w, "former_habit", span(c, m), f"já foi {span(c, m)}")],
    ),
    *both(
        "is a smoker",
        "fumante sedentaria sedentario tabagista notivaga madrugador",
        r"(?:{sou/e}) (?P<v>fumante|tabagista|sedentari[oa]|notivag[oa]|madrugadora?|abstemi[oa]|"
        r"doadora? de sangue|voluntari[oa](?: .{2,30})?)(?![a-z])",
        _is_smoker,
    ),
    *both(
        "began",
        "comecei comecou passei passou voltei voltou to",
        r"(?:{comecei a|passei a|voltei a|estou comecando a|to comecando a/comecou a|passou a|voltou "
        r"a}) (?P<v>[a-z].{3,60})",
        _began,
    ),
    *both(
        "usually",
        "costumo costuma tento mania habito",
        r"(?:{costumo|tenho (?:o )?(?:habito|costume|mania) de|tenho por habito|meu habito e|virei "
        r"de/costuma|tem (?:o )?(?:habito|costume|mania) de}) (?P<v>[a-z].{3,70})",
        _usually,
    ),
    *both(
        "owns",
        "tenho tem possuo comprei comprou ganhei dirijo",
        rf"(?:{{tenho|possuo|temos|dirijo|comprei|compramos|ganhei|sou (?:dona|dono) de|uso/tem|possui|"
        rf"dirige|comprou|ganhou}}) (?:(?:um|uma|meu|minha|dois|duas|o|a) )(?:(?:novo|nova|primeiro|"
        rf"primeira|velho|antig[oa]|proprio|propria|bel[oa]|pequen[oa]) )?(?P<v>{_THINGS}(?![a-z-])(?: "
        rf".{{1,40}})?)",
        _owns,
    ),
    *both(
        "sold",
        "vendi vendeu roubaram tenho doei",
        rf"(?:{{vendi|doei|roubaram|levaram|(?:nao|n) tenho mais|me desfiz d[oa]|bati e perdi|"
        rf"perdi/vendeu|doou|(?:nao|n) tem mais}}) (?:(?:o|a|meu|minha|os|as|um|uma) )?(?:velh[oa] )"
        rf"?(?P<v>{_THINGS}(?![a-z-])(?: .{{1,30}})?)",
        _sold,
        denied=True,
    ),
    *both(
        "without",
        "sem",
        r"(?:{(?:estou|to|tou|fiquei|completei \w+ \w+) sem/(?:esta|ta|ficou) sem}) (?P<v>fumar|beber|"
        r"alcool|cigarro|apostar|usar drogas)(?= (?:ha|a|faz|desde|ja)|$|[,.!])",
        _used_to,
    ),
    *mine(
        "my car is",
        "carro moto celular notebook note bike computador violao",
        r"(?:meu|minha) (?:carro|moto|celular|notebook|note|bike|bicicleta|computador|pc|violao|"
        r"guitarra|camera) (?:e|eh) (?:um |uma |o |a )(?P<v>[a-z0-9].{2,30})",
        _owns_named,
    ),
]
