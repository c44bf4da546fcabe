"""Routines said in other ways: any verb with how often it is done, rites, hours of bed and clock, days of a week."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened, listed
from relembra.minds.offline.lemmas import lemma
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import Speak, bare, both, compiled, mine, say
from relembra.minds.offline.reader.portuguese.intake import SURE_DRUG
from relembra.minds.offline.reader.portuguese.values import clean, is_new, since, span

__all__ = ["ROUTINE"]

_DAY = r"(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?|seg|ter|qua|qui|sex|sab|dom)(?:-feiras?)?"
_OFTEN = re.compile(
    rf"(?<![a-z])(?:tod[oa]s?\s(?:os\s|as\s)?(?:santo\s|santa\s)?(?:dias?|manha|manhas|noites?|tardes?|"
    rf"semanas?|mes|meses|ano|"
    rf"fim|finais|madrugada|almoco|natal|ferias|carnaval|virada|verao|inverno|{_DAY})|ao\s{_DAY}|"
    rf"sempre(?=\s[aondp])|td\sdia|tds?\sos\sdias|(?:as|aos|nas|nos)\s{_DAY}(?:(?:,|\se)\s(?:(?:as|aos)\s)?{_DAY})*(?![a-z])|"
    rf"de\s{_DAY}\sa\s{_DAY}|diariamente|semanalmente|mensalmente|(?:\d+|uma|duas|tres|quatro|cinco)\s?(?:x|"
    rf"vez|vezes)\s?(?:por|na|no|ao|a|/)\s?"
    rf"(?:dia|semana|mes|ano)|dia\ssim,?\s(?:e\s)?dia\snao|religiosamente|(?:nos|todo)\s(?:fins?|finais)\sde\ssemana|"
    rf"antes\sd[eoa]\s(?:dormir|trabalho|trampo|servico|aula|facul|almoco|jantar|cafe|janta|sol\snascer)|"
    rf"ha\s(?:mais\sde\s)?\w+\sanos|depois\sd[oea]\s(?:janta|trabalho|trampo|servico|"
    rf"almoco|jantar|aula|expediente|missa)|assim\sque\s(?:eu\s)?acordo|ao\sacordar|{_DAY}(?:,\s|"
    rf"\se\s){_DAY}|a\scada\s\w+\s(?:dias|semanas|meses))"
    rf"(?![a-z])"
)
_STATIVE = frozenset(
    listed(
        "gosto tenho sou moro vivo quero posso preciso acho sei devo peso meco ganho recebo amo adoro odeio "
        "detesto curto prefiro "
        "acordo durmo levanto deito pretendo planejo sinto fico penso acredito espero consigo torco namoro "
        "falo pareco digo "
        "queria estou ando morro sofro entendo lembro esqueco concordo discordo conheco duvido juro prometo "
        "garanto tudo muito "
        "quando tanto pouco santo dito certo mesmo outro nosso nisso disso isso cedo lado fundo mundo ano "
        "tempo trabalho atendo capoto apago desmaio desperto madrugo recolho despertador"
    )
)
_ALSO_VERBS = frozenset(
    listed(
        "solto corro passo treino rego jogo canto danco pesco planto estudo caminho escuto luto nado toco "
        "pinto bordo costuro "
        "remo patino pulo fumo bebo como faco bato corto lavo cozinho desenho medito"
    )
)
_BARE_VERBS = frozenset(
    listed(
        "corro nado medito rezo oro treino pedalo caminho fumo bebo malho danco pinto escrevo viajo pesco "
        "surfo cozinho canto desenho jejuo"
    )
)
_MEDICINE = re.compile(rf"^{SURE_DRUG}|\d\s?(?:mg|mcg|ml|ui|gotas)(?![a-z])")
_CUT = re.compile(
    r",\s(?:e|mas)\s.*|\s(?:mas|porque|pq|pois|que|q|so\sque|quando|e\s(?:depois|as|aos|eu|amo|adoro|gosto|"
    r"sou|tenho|acho|nao|ja|me)|entao|porem|senao|ne|kk+|rs+|haha\w*)"
    r"(?![a-z]).*|[;.!?()].*",
    re.DOTALL,
)
_THIRD = {
    "faco": "faz",
    "vou": "vai",
    "leio": "lê",
    "releio": "relê",
    "ouco": "ouve",
    "saio": "sai",
    "vejo": "vê",
    "corro": "corre",
    "bebo": "bebe",
}
_THIRD |= {
    "como": "come",
    "escrevo": "escreve",
    "dou": "dá",
    "abro": "abre",
    "tusso": "tosse",
    "assisto": "assiste",
    "sirvo": "serve",
}


def _spoken_of(verb: str) -> str | None:
    """The third person of a verb in the first; None: it is no verb of doing."""
    if verb in _STATIVE or (
        verb.endswith(("ndo", "ado", "ido", "inho", "mento", "ou", "ao"))
        and verb not in {"vou", "dou"}
        and verb not in _ALSO_VERBS
    ):
        return None
    if verb in _THIRD:
        return _THIRD[verb]
    base = lemma(verb, "pt")
    if verb in _ALSO_VERBS or (base != verb and base.endswith(("ar", "er", "ir"))):
        return verb[:-1] + ("a" if base.endswith("ar") or base == verb else "e")
    return None


_ALWAYS = re.compile(r"^\s(?:sempre|quase sempre|religiosamente)(?=\s)")


def _done_often(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    if not _OFTEN.search(clause.flat) and not _OFTEN.search(clause.earlier[-40:]):
        return
    if "primeira vez" in clause.flat or "ultima vez" in clause.flat:
        return
    verb = next((one for one in _VERB.finditer(clause.flat, match.start()) if _is_done(one, clause)), None)
    if verb is None:
        return
    done = _spoken_of(verb["verb"])
    raw = _ALWAYS.sub("", clause.raw[verb.end() :])
    cut = _CUT.search(flattened(raw).text)
    rest = (raw[: cut.start()] if cut else raw).strip(" ,.!?…")
    flat_rest = flattened(rest).text
    if _MEDICINE.search(flat_rest) or (_OFTEN.match(flat_rest) and verb["verb"] not in _BARE_VERBS):
        return  # "leio todo ano": what, was said elsewhere
    often = _OFTEN.search(clause.flat[: verb.start()])
    lead = clause.raw[often.start() : often.end()].strip(" ,").lower() if often else ""
    value = " ".join(f"{done} {rest} {lead}".split())
    if 2 <= len(value.split()) <= _LONGEST and not _IDLE.match(flattened(rest).text):
        yield say(who, "habit", value, value, changed=is_new(clause), held_from=since(clause))


_VERB = re.compile(r"(?<![\w-])(?P<verb>[a-z]{1,14}(?:o|ou))(?:-me)?(?=\s)")


def _is_done(verb: re.Match[str], clause: Clause) -> bool:
    return _spoken_of(verb["verb"]) is not None and not _AFTER_NOUN.search(clause.flat[: verb.start()])


_LONGEST = 14
_AFTER_NOUN = re.compile(r"(?<![a-z])(?:o|um|meu|esse|este|do|no|de|ao|pelo|cada|como|muito|nao|n|nunca|nem)\s$")
_IDLE = re.compile(
    r"(?:(?:com|pra|para|d[eo])\s)?(?:voce|vc|isso|nada|tudo|te|essa\sconversa|mal|bem|sono|fome|raiva|dor|"
    r"falta|a\smesma|aniversario|anos?)(?![a-z])"
)


def _rite(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=7)
    if value and not re.match(r"(?:isso|el[ea]|familia|mae|minha|meu|palavra|amizade|a vida)", flattened(value).text):
        yield say(who, "habit", value, f"tem como hábito: {value}")


def _never_without(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = clause.raw[match.start("v") :]
    cut = _CUT.search(flattened(raw).text)
    value = (raw[: cut.start()] if cut else raw).split(",")[0].strip(" .!?…")
    swap = {
        "durmo": "dorme",
        "saio": "sai",
        "comeco": "começa",
        "começo": "começa",
        "vou": "vai",
        "acordo": "acorda",
        "levanto": "levanta",
    }
    words = [swap.get(word.lower(), word) for word in value.split()]
    if _SHORTEST <= len(words) <= _LONGEST:
        text = re.sub(r"^n\s", "não ", " ".join(words))
        yield say(who, "habit", text, text)


_SHORTEST = 3


def _addicted(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=8)
    if value:
        yield say(who, "habit", value, f"costuma {value}")


_HOUR = (
    r"(?P<v>(?:(?:as|a|la pelas|por volta d[ae]s?|pelas|perto d[ae]s?|tipo|antes d[ae]s?|depois d[ae]s?|so|"
    r"umas|ali pelas|mais ou menos|quase|la pras) )*"
    r"(?:\d{1,2}(?:[:h]\d{2})?(?: ?(?:h|hs|hrs|horas))?(?: (?:da (?:manha|madruga\w*|noite|tarde|matina)|e "
    r"meia|e pouco|e \w+|em ponto)){0,3}|"
    r"(?:uma|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze)(?: horas)?(?: (?:e (?:meia|pouco|\w+)|"
    r"da (?:manha|madruga\w*|noite|matina)|"
    r"em ponto|horas)){0,3}|meia[ -]noite|meio[ -]dia))(?![\w%])"
)
_TODAY = re.compile(r"(?<![a-z])(?:hoje|ontem|amanha|hj)(?![a-z])")


def _hour(attribute: str, verb: str) -> Speak:
    """What is said by an hour of the day."""

    def build(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
        if _TODAY.search(clause.flat) and not _OFTEN.search(clause.flat):
            return
        if re.match(r"\s?(?:horas|h)?\s(?:por|de\ssono|km|minutos|anos)(?![a-z])", clause.flat[match.end("v") :]):
            return
        value = re.sub(r"^(?:às|as|à|a|umas)\s", "", span(clause, match).strip(), flags=re.IGNORECASE)
        never = "nunca " if match[0].startswith("nunca") else ""
        phrase = f"{verb} às {value}" if value[:1].isdigit() else f"{never}{verb} {span(clause, match).strip()}"
        yield say(who, attribute, value, phrase, changed=is_new(clause))

    return build


_wakes = _hour("wake_time", "acorda")
_sleeps = _hour("bedtime", "dorme")
_RECURRING = (
    r"(?:aulas?|cursinho|curso|treinos?|ensaios?|terapia|ingles|espanhol|plantao|plantoes|monitoria|estagio|"
    r"natacao|culto|missa|faculdade|facul|"
    r"academia|futebol|fut|pelada|volei|catequese|pilates|yoga|ioga|danca|bale|ballet|judo|jiu|jiu-jitsu|"
    r"muay thai|capoeira|coral|celula|"
    r"fisio|fisioterapia|dialise|hemodialise|quimio|laboratorio|grupo de (?:estudos?|oracao|leitura)|reforco|"
    r"escola|creche|feira|turno|expediente)"
)


def _week(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = clause.raw[match.start("v") :]
    cut = re.search(
        r"\s(?:mas|porque|pq|pois|entao|so\sque|por\sisso|ne|nesses?)(?![a-z])|[;.!?()]|,\s(?!(?:seg|ter|qua|"
        r"qui|sex|sab|dom|\d|das|as\s))",
        flattened(raw).text,
    )
    value = (raw[: cut.start()] if cut else raw).strip(" ,.!")
    if value and len(value.split()) <= _LONGEST:
        third = re.sub(r"(?:^|(?<=\s))(?:tenho|temos)\s", "tem ", value, count=1, flags=re.IGNORECASE)
        third = re.sub(r"^(?:meu|minha)\s", "", third, flags=re.IGNORECASE)
        yield say(
            who,
            "schedule",
            value,
            third if third.startswith("tem ") else f"tem na rotina: {third}",
            changed=is_new(clause),
        )


def _manner(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = clause.raw[match.start("v") :]
    cut = re.search(
        r"\s(?:porque|pq|pois|senao|ta|ok|ne|beleza|blz|mas)(?![a-z])|[;.!?()]|,\s(?:eu|que|sou|ok|ta|ne|"
        r"odeio|fico|tenho|sempre)",
        flattened(raw).text,
    )
    value = (raw[: cut.start()] if cut else raw).strip(" ,.!?")
    if value and len(value.split()) <= _LONGEST + 2:
        yield say(who, "communication", value, f"prefere: {value}", changed=is_new(clause))


_MEDIUM = (
    r"(?:audios?|textao|textoes|ligac(?:ao|oes)|emojis?|figurinhas?|girias?|enrolacao|rodeios?|firulas?|"
    r"termos? tecnicos?|juridiques|economes|"
    r"ingles|estrangeirismos?|jargao|jargoes|palavrao|palavroes|sermao|sermoes|elogios?|bajulacao|"
    r"formalidades?|cerimonia|piadinhas?|ironia|"
    r"diminutivos?|respostas? longas?|paragrafos? longos?|listas? enormes?|caps lock|videos?|links?)"
)

ROUTINE: list[Rule] = [
    Rule(
        "manner, always",
        frozenset(["sempre"]),
        compiled(
            r"^\W*(?:por favor,? |e |entao )?(?P<v>(?:me )?(?:explica|explique|responde|responda|mande|escreva|use|trate|"
            r"avise|resuma|fale comigo) sempre (?:com|em|de|por|como|no|na|pelo|sem|direto|respostas?|as|os|o|a) .{3,60})"
        ),
        lambda match, clause: _manner(match, clause, None),
        negatable=True,
        presupposed=True,  # a request, but for good
    ),
    Rule(
        "manner, asked for",
        frozenset(["pode", "podes", "consegue", "podia"]),
        compiled(
            r"^\W*(?:por favor,? |entao |e |voce |vc )*(?:pode|podes|podia|consegue) (?:sempre )?(?P<v>(?:me )?(?:responder|explicar|"
            r"escrever|falar)(?:-me)?(?: comigo| sempre)? (?:em topicos(?: curtos)?|mais curto|curtinho|sem rodeios|sem enrolacao|"
            r"de forma (?:direta|simples|curta|resumida)|em poucas palavras|mais devagar|com calma|sem girias?|sem emojis?))\W*$"
        ),
        lambda match, clause: _manner(match, clause, None),
        presupposed=True,  # a request, but for good
    ),
    *mine(
        "done often",
        "todo toda todos todas td religiosamente diariamente semanalmente seg segunda segundas terca tercas "
        "quarta quartas quinta quintas sexta "
        "sextas sabado sabados domingo domingos dia semana mes vezes x antes depois cada acordar eu sempre "
        "ha dou vou faco leio saio levo busco corro",
        r"[a-z]{1,14}(?:o|ou)(?:-me)? (?=\S)",
        _done_often,
    ),
    *mine(
        "rite",
        "sagrada sagrado lei ritual religioso religiosa certo tradicao costume mania rotina",
        r"^\W*(?:[oa] |meu |minha |aquele |aquela )?(?P<v>[a-z][\w ]{3,40}?) (?:e|eh|virou) (?:o meu |a "
        r"minha |meu |minha |um |uma )?(?:sagrad[oa]|lei|de lei|ritual|"
        r"religios[oa]|tradicao|mania|rotina|rito|compromisso fixo|habito)(?:(?: \w+){0,4}\W*$|,| (?:aqui|em "
        r"casa|pra mim|todo|toda|la em casa))",
        _rite,
    ),
    *mine(
        "never without",
        "durmo saio comeco acordo sem levanto",
        r"(?P<v>(?:nao|n|nunca) (?:durmo|saio(?: de casa)?|comeco (?:o|meu) dia|levanto|acordo|vou dormir|"
        r"vou (?:pra|para a) cama|trabalho|estudo|como|funciono) "
        r"(?:\w+ )?sem (?:antes )?[a-z].{2,50})",
        _never_without,
        denied=True,
    ),
    *mine(
        "way of mine",
        "mania habito ritual costume tradicao vicio rotina",
        r"(?:(?:minha|uma) (?:mania|tradicao|rotina|terapia)|meu (?:habito|ritual|costume|vicio|rito|"
        r"programa))(?: (?:de \w+|diari[oa]|favorit[oa]|minha|"
        r"semanal|matinal|noturn[oa]|mais antig[oa]|d[eo] \w+))? (?:e|eh|sempre foi|:) (?P<v>\w+[aei]r .{2,50})",
        _addicted,
    ),
    *both(
        "up at",
        "cama despertador pe acordo levanto olho acordada acordado relogio acorda levanta celular alarme "
        "madrugo desperto",
        rf"(?:{{(?:pulo|saio|caio|levanto|saltei) (?:fora )?da cama|(?:(?:o |meu )?(?:despertador|alarme|"
        rf"celular|relogio) )(?:aqui )?(?:grita|toca|berra|apita|desperta|me acorda|"
        rf"chama|ta (?:marcado|programado) (?:pra|para)|e|eh)|(?:estou|to|tou) (?:de pe|acordad[oa]|em pe|no "
        rf"ar)|abro (?:o|os) olhos?|desperto|(?:me )?levanto|acordo|madrugo|"
        rf"(?:tenho|preciso) (?:que |de )?(?:acordar|levantar|estar de pe)|meu (?:dia comeca|corpo "
        rf"(?:levanta|acorda))|comeco (?:o|meu) dia/(?:pula|sai|levanta) da cama|acorda|levanta|(?:esta|ta) de pe|"
        rf"(?:o )?despertador del[ea] (?:toca|e)}})(?: (?:todo (?:santo )?dia|todos os dias|sempre|ja|cedo|"
        rf"bem cedo|normalmente|geralmente|agora|durante a semana|em geral|quase sempre|"
        rf"\w+mente|sozinh[oa]|pra \w+|de segunda a sexta|la|cedinho|antes do sol|com (?:as galinhas|o galo|"
        rf"o sol)))*,? {_HOUR}",
        _wakes,
    ),
    *mine(
        "up by",
        "pe acordada acordado acordo",
        rf"(?:^\W*|(?<=[:,;] )|(?<=eu )){_HOUR} (?:em ponto )?(?:eu )?(?:ja )?(?:acordo|levanto|desperto|"
        rf"(?:estou|to|tou) (?:de pe|acordad[oa]|na rua|em pe|no batente|saindo de casa|no onibus))",
        _wakes,
    ),
    *both(
        "in bed at",
        "capoto apago desmaio cama sono dormir durmo deito durma recolho luz capota apaga desligo deitar",
        rf"(?:{{(?:eu )?(?:nunca (?:me )?(?:deito|durmo)|capoto|desmaio|me recolho|me apago|apago(?: (?:a|"
        rf"as) luz(?:es)?| tudo)?|fecho (?:o|os) olhos?|caio (?:no sono|na cama|dura|duro)|pego no sono|"
        rf"vou (?:pra|para a|pro) (?:cama|berco|rede)|vou (?:dormir|deitar|nanar)|(?:me )?deito|durmo|"
        rf"desligo|consigo dormir|viro abobora)/capota|apaga|cai no sono|pega no sono|"
        rf"vai (?:pra|para a) cama|vai dormir|dorme|(?:se )?deita}})(?: (?:todo (?:santo )?dia|todos os dias|"
        rf"sempre|so|cedo|tarde|normalmente|geralmente|agora|la|depois|quase sempre|"
        rf"religiosamente|so mesmo|no maximo|durante a semana))*,? (?=(?:as|a|la|ali|por|pelas|perto|antes|"
        rf"depois|so|tipo|ate|meia|umas|mais|quase)\W|\d{{1,2}}[h:]|\w+ (?:da|e|horas)|\d+ (?:da|horas)){_HOUR}",
        _sleeps,
    ),
    *mine(
        "in bed by then",
        "cama rede dormindo deitada deitado roncando sono berco sofa apagada apagado capotada",
        rf"(?:^\W*|(?<=[:,;] )){_HOUR} (?:em ponto )?(?:eu )?(?:ja )?(?:estou|to|tou) (?:na cama|na rede|"
        rf"dormindo|deitad[oa]|roncando|no (?:setimo|quinto|decimo|terceiro) sono|capotad[oa]|apagad[oa]|no "
        rf"berco|de pijama|debaixo)",
        _sleeps,
    ),
    *mine(
        "lights out",
        "desligo apago fecho durmo",
        rf"(?:^\W*|(?<=[:,;] )){_HOUR} (?:em ponto )?(?:eu )?(?:ja )?(?:desligo|apago|fecho|largo) (?:tudo|a luz|as luzes|"
        rf"o celular|a tv)(?: e (?:durmo|deito|vou dormir|capoto))?(?![a-z])",
        _sleeps,
    ),
    *mine(
        "week",
        "tarde manha noite seg segunda segundas terca tercas quarta quartas quinta quintas sexta sextas "
        "sabado sabados domingo domingos",
        rf"(?P<v>(?:tenho|temos) {_RECURRING}(?: d[eo] \w+)? (?:(?:de|a|pela|na parte da) (?:tarde|manha|"
        rf"noite)|(?:toda|todo|as|aos|nas) {_DAY}|(?:de )?{_DAY}(?:,| e| a) {_DAY}).{{0,60}})",
        _week,
    ),
    *mine(
        "week, days first",
        "tenho temos",
        rf"^\W*(?P<v>(?:(?:as|aos|toda|todo|nas) )?{_DAY}(?:(?:,| e|, e) (?:(?:as|aos) )?{_DAY})*,? (?:eu )?(?:tenho|temos) "
        rf"{_RECURRING}(?![a-z]).{{0,50}})",
        _week,
    ),
    *mine(
        "week, by what it is",
        "seg segunda segundas terca tercas quarta quartas quinta quintas sexta sextas sabado sabados domingo domingos",
        rf"^\W*(?:[oa] )?(?P<v>(?:meu |minha |meus |minhas )?{_RECURRING}(?: d[eoa] [\w-]+)?(?: (?:e|eh|sao|"
        rf"fica|rola|cai|acontece|tem))? ?(?:(?:toda|todo|as|aos|nas|de) {_DAY}|{_DAY}(?:,| e| a|) {_DAY}).{{0,50}})",
        _week,
    ),
    *mine(
        "manner, asked",
        "quando leve fala fale direto textao audio audios emoji nada zoar evita evite gente ponto zap liga "
        "ligue mensagem escrito calma paciencia resumido",
        rf"(?P<v>(?:gosto|adoro|prefiro|odeio|detesto) quando (?:vc|voce|tu|voces) .{{4,40}}|(?:pega|pegue) "
        rf"leve (?:nos|nas|com|no|na) .{{3,30}}|(?:fala|fale|explica|explique|escreve|responde|responda)(?: "
        rf"(?:comigo|isso|pra mim|tudo))? (?:q|que) nem (?:gente|\w+ \w+)|"
        rf"(?:fala|fale|explica|explique|responde|responda|escreve|escreva)(?: (?:comigo|pra mim|sempre|tudo|"
        rf"por favor))* (?:com calma|devagar|simples|facil|sem .{{3,25}}|como se .{{5,30}}|de forma "
        rf".{{4,20}}|na lata|na moral|"
        rf"resumido|curto|curtinho|em (?:topicos|portugues|bullets?|poucas palavras))|(?:vai|va|pode ir|seja|"
        rf"so) (?:sempre )?(?:direto|reto) (?:ao|no) (?:ponto|assunto)|"
        rf"(?:sem|nada de|chega de|evita|evite|dispensa|dispense|corta|corte|poupe-me d[eo]s?|me poupa "
        rf"d[eo]s?) {_MEDIUM}(?: \w+){{0,5}}|{_MEDIUM} (?:eu )?(?:nao|n) (?:leio|ouco|escuto|atendo|rola|"
        rf"curto|abro|entendo|vejo)|"
        rf"(?:nao|n) (?:leio|ouco|escuto|atendo|abro) {_MEDIUM}|(?:pode|podes) me (?:zoar|xingar|cobrar|"
        rf"corrigir|tratar|cutucar|dar bronca|provocar|interromper|ligar|chamar(?! de)).{{0,40}}|"
        rf"(?:so )?me (?:chama|chame|procura|procure|avisa|avise|contata|contacte|escreve|manda|mande)(?: "
        rf"(?:sempre|so|mensagem|msg|tudo|as coisas))* (?:no|pelo|por|via) (?:zap|whats\w*|wpp|email|e-mail|"
        rf"telegram|direct|sms|insta\w*|slack|teams|escrito|mensagem)(?![a-z]).{{0,30}})",
        _manner,
        denied=True,
    ),
    *bare(
        "works by",
        "turno escala plantao noturno",
        r"(?P<v>(?:turno|escala|plantao|horario|regime) (?:d[aeo] )?(?:madruga\w*|noite|noturn[oa]|manha|"
        r"tarde|dia|12x36|6x1|5x2|4x2|24x\d+|comercial|flexivel|integral|parcial)(?: \w+){0,5})",
        _week,
    ),
]
