"""Ailments by their place in a sentence and by how such words end, reactions to food, and measures said in passing."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import bare, both, mine, say, theirs
from relembra.minds.offline.reader.portuguese.measures import in_figures
from relembra.minds.offline.reader.portuguese.people import Scene
from relembra.minds.offline.reader.portuguese.values import clean, each, is_new, since, span
from relembra.minds.offline.reader.portuguese.vocabulary import CONDITION, DIET

__all__ = ["AILMENTS", "IS_ILL"]

ENDS_LIKE_ILLNESS = (
    r"(?!noite|leite|limite|convite|apetite|site|elite|palpite|dose|pose|overdose|glicose|lactose|frutose|sacarose|"
    r"metamorfose|turismo|jornalismo|otimismo|ciclismo|cinismo|machismo|feminismo|racismo|ateismo|aquarismo|"
    r"montanhismo|capitalismo|socialismo|consumismo|espiritismo|catolicismo|budismo|academia|gemada|fotografia)"
    r"[a-z-]{3,}(?:ite|ose|emia|algia|patia|plasia|lexia|plegia|uria|somia|trofia|penia|opia|acusia|idismo|"
    r"strabismo)s?"
)
_ILLNESS = rf"(?:{CONDITION}|{ENDS_LIKE_ILLNESS})"
_KIND = r"(?: (?:falciforme|perniciosa|cronic[oa]|profunda|severa|aguda|reumatoide|atopica|nervosa|lombar|discal|bipolar|alergica|tipo [12i]+|de \w+(?: \w+)?|d[oa] \w+|n[oa]s? \w+|generalizad[oa]|refratari[oa]|ocular|renal|hepatica|pos-parto))?"
IS_ILL = (
    r"(?:hipertens[oa]|diabetic[oa]|asmatic[oa]|celiac[oa]|epiletic[oa]|epileptic[oa]|autista|bipolar|"
    r"daltonic[oa]|miope|"
    r"surd[oa]|ceg[oa]|cadeirante|anemic[oa]|cardiac[oa]|cardiopata|tdah|disletic[oa]|dislexic[oa]|hemofilic[oa]|"
    r"pre-diabetic[oa]|fibromialgic[oa]|alcoolatra|ansios[oa] diagnosticad[oa]|insone|obes[oa]|hipotensa?|"
    r"renal cronic[oa]|soropositiv[oa]|esquizofrenic[oa]|transplantad[oa]|imunossuprimid[oa]|pcd)"
)


def _ailment(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value and not _TOO_VAGUE.match(flattened(value).text):
        yield say(who, "condition", value, f"tem {value}", held_from=since(clause), changed=is_new(clause))


_TOO_VAGUE = re.compile(
    r"(?:pedras?|nodulo|cisto|doenca|sindrome|transtorno|protese|perda|tumor|derrame|infarto|sopro|problema|"
    r"panico|deficiencia|compulsao|tag|insuficiencia|colesterol alto demais)$"
)


def _is(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "condition", value, f"é {value}", held_from=since(clause))


_REACTION = (
    r"(?:empipoc\w+|empol\w+|inch\w+|fech\w+ (?:a |minha )?(?:garganta|glote)|(?:a |minha )?(?:garganta|"
    r"glote) fech\w+|"
    r"coc\w+|coceira|urticaria|placas?|manchas?|paro no (?:hospital|ps|pronto socorro)|vou (?:parar )?(?:no|pro) "
    r"(?:hospital|ps)|choque anafilatico|anafila\w+|alergi\w+|espirr\w+|morro(?! de)|fico (?:inchad|vermelh|"
    r"empolad)[oa]|"
    r"estour\w+|lacrimej\w+|falta de ar)"
)


def _reacts(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Não posso nem ver amendoim que incho inteira"."""
    for value in each(span(clause, match), longest=4):
        if not _NOT_EATEN.match(flattened(value).text):
            yield say(who, "allergy", value, f"tem alergia a {value}")


_REACTS = re.compile(rf"\W+(?:\w+\W+){{0,5}}?{_REACTION}".replace(" ", r"\s"))


def _reacts_later(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Não posso com dipirona, fico toda empolada": the reaction is the next clause."""
    after = flattened(clause.message).text[clause.offset + match.end() :]
    if _REACTS.match(after[:60]):
        yield from _reacts(match, clause, who)


def _reacts_before(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Camarão? me fecha a garganta"."""
    before = flattened(clause.message[: clause.offset]).text
    named = re.search(r"(?:^|[.!\n]\s*)(?P<v>[a-z]{4,14}(?:\s[a-z]{3,12})?)\s?[?:]+\s*$", before)
    if named and not _NOT_EATEN.match(named["v"]):
        value = clause.message[named.start("v") : named.end("v")]
        yield say(who, "allergy", value, f"tem alergia a {value}")


_NOT_EATEN = re.compile(
    r"(?:isso|ele|ela|voce|gente|tudo|nada|chorar|rir|dormir|ver|ouvir|chefe|sogra|boleto)(?![a-z])"
)


def _upsets(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Leite e eu não combina … intolerante": which of the two it is, the rest of the message says."""
    value = clean(span(clause, match), longest=4)
    text = flattened(clause.message).text
    if value is None or _NOT_EATEN.match(flattened(value).text):
        return
    if re.search(r"(?<![a-z])intoler\w+", text) or re.match(
        r"(?:lactose|gluten|leite|trigo|queijo)", flattened(value).text
    ):
        yield say(who, "intolerance", value, f"tem intolerância a {value}")
    elif re.search(r"(?<![a-z])alergi\w+", text):
        yield say(who, "allergy", value, f"tem alergia a {value}")


def _upsets_before(_match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Lactose e eu não nos damos": the thing is the clause before."""
    before = re.search(r"(?P<v>(?:\w+\s)?[a-z]{4,})\s+e\s*$", clause.earlier)
    if before and re.search(r"(?<![a-z])(?:intoler|alergi)", flattened(clause.message).text):
        kind = "intolerance" if "intoler" in flattened(clause.message).text else "allergy"
        noun = "intolerância" if kind == "intolerance" else "alergia"
        value = clause.sentence[before.start("v") : before.end("v")]
        yield say(who, kind, value, f"tem {noun} a {value}")


_FIRST_THING = re.compile(
    r"(?:^|[.!?\n])\W*+(?P<v>(?!nao|nunca|sou|eu|como|que|qual|sem|tem|pode|posso|voce|vc|se|ja|oi|"
    r"ola)[a-z][a-z ]{2,24}?)"
    r"(?:\s(?:jamais|nunca|nao|nem\spensar|nem\smort[oa]|de\sjeito\snenhum|ta\sfora)|\?|:|,\s(?:nem|jamais|"
    r"nao|nunca))"
)


def _named_before(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Dipirona jamais!! … sou alérgica"."""
    first = _FIRST_THING.search(flattened(clause.message[: clause.offset + match.start()]).text)
    if first:
        value = clean(clause.message[first.start("v") : first.end("v")], longest=3)
        kind = "intolerance" if "intoler" in match[0] else "allergy"
        if value:
            yield say(who, kind, value, f"tem {'intolerância' if kind == 'intolerance' else 'alergia'} a {value}")


def _senses(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    swap = {
        "escuto": "escuta",
        "ouço": "ouve",
        "ouco": "ouve",
        "enxergo": "enxerga",
        "vejo": "vê",
        "ando": "anda",
        "sinto": "sente",
    }
    value = " ".join(swap.get(word.lower(), word) for word in span(clause, match).split(" desde")[0].split())
    yield say(who, "condition", value, value, held_from=since(clause))


def _bare_allergy(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    kind = "intolerance" if "intoler" in match[0] else "allergy"
    noun = "intolerância" if kind == "intolerance" else "alergia"
    for value in each(span(clause, match)):
        yield say(who, kind, value, f"tem {noun} a {value}", held_from=since(clause))


def _weight(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match).strip()
    number = re.match(r"\d+", value)
    if number and 2 <= int(number[0]) <= _HEAVIEST:
        value = value if re.search(r"[a-z]", value) else f"{value} kg"
        yield say(who, "weight", value, f"pesa {value}", changed=is_new(clause))


_HEAVIEST = 350
_TALL = (
    r"(?P<v>(?:1|2)(?:[.,]\d\d| ?m ?\d\d)(?!\d)(?: ?m(?:etros?)?(?![a-z]))?|um metro e (?:\w+ e \w+|\w+)|1\d\d ?cm|"
    r"metro e \w+(?: e \w+)?)"
)


def _height(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    group = next((one for one in ("v", "w", "x") if match.start(one) >= 0), None)
    if group:
        value = span(clause, match, group).strip()
        value = in_figures(value)
        yield say(who, "height", value, f"mede {value}")


_BLOOD = r"(?P<v>(?:ab|a|b|o) ?(?:\+|-(?![\w])|(?:rh )?positiv[oa]|(?:rh )?negativ[oa]))"
_OF_BLOOD = re.compile(
    r"(?<![a-z])(?:sangue|sanguine[oa]|doador\w*|tipo|tipagem|hemo\w+|fator|rh|transfus\w+)(?![a-z])"
)


def _blood(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    cast = clause.who.cast if isinstance(clause.who, Scene) else ()
    if cast and not re.match(r"sou|meu", match[0]):
        if len(cast) > 1:
            return
        who = cast[0]  # "da minha filha Heloísa: tipo A negativo"
    if _OF_BLOOD.search(flattened(clause.message).text):
        value = span(clause, match)
        yield say(who, "blood_type", value, f"tem sangue tipo {value}")


def _diet(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    verb = "é" if re.match(r"\w+(?:an[oa]|or[oa])$", value) else "segue a dieta"
    yield say(who, "diet", value, f"{verb} {value}", changed=is_new(clause), held_from=since(clause))


def _meatless(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = f"sem {span(clause, match)}"
    yield say(who, "diet", value, f"segue dieta {value}", changed=is_new(clause), held_from=since(clause))


_FOODS = (
    r"(?:carne(?: vermelha)?|gluten|lactose|acucar|alcool|leite|laticinios|derivados(?: de leite)?|"
    r"carboidratos?|fritura|"
    r"frituras|refrigerante|refri|cafeina|doces?|ultraprocessados?|industrializados?|sal)"
)

AILMENTS: list[Rule] = [
    *mine(
        "my ailment",
        "minha meu minhas meus",
        rf"(?:minhas?|meus?) (?:querida |bendita |maldit[oa] |velh[oa] |famos[oa] )?(?P<v>(?!derrame|infarto|"
        rf"tumor|cisto|"
        rf"pedra|doenca|sindrome|transtorno|protese|marcapasso|panico|compulsao|vesicula|tireoide|colesterol)"
        rf"{_ILLNESS}{_KIND})(?![a-z-])",
        _ailment,
    ),
    *both(
        "ailment",
        "era e deu confirmou acusou tratando trato descobri descobriu descobrimos peguei desenvolvi constatou fechou "
        "laudo diagnostico exame medico medica tenho tem sofro sofre",
        rf"(?:{{(?:descobri|soube|descobrimos|confirmei)(?: \w+){{0,5}} (?:e|eh|era|tenho|foi|com)|(?:o |a |"
        rf"meu |minha )?(?:exame|"
        rf"laudo|medic[oa]|resultado|psiquiatra|neuro\w*|diagnostico|biopsia|ressonancia)(?: \w+){{0,3}} "
        rf"(?:deu|confirmou|acusou|"
        rf"apontou|mostrou|fechou em|disse que (?:e|eh|tenho)|falou que (?:e|eh|tenho)|e de|foi de|veio com)|"
        rf"(?:estou|to|tou|ando) "
        rf"(?:tratando|cuidando) (?:de )?|(?:estou|to|tou|faco) (?:em )?tratamento (?:de|contra|para|pra)|me "
        rf"trato de|trato|desenvolvi|fiquei com|vivo com|convivo com|luto "
        rf"(?:com|contra)|"
        rf"(?:tenho|sofro)(?: (?:de|com))?|fui diagnosticad[oa] (?:com)?/(?:descobriu|soube)(?: \w+){{0,4}} "
        rf"(?:e|eh|era|tem|com)|"
        rf"descobriu|(?:esta|ta|faz) (?:em )?tratamento (?:de|contra|para|pra)|desenvolveu|ficou com|vive "
        rf"com|convive com|luta (?:com|contra)|(?:tem|sofre)(?: (?:de|"
        rf"com))?|trata}}) "
        rf"?(?:(?:um|uma|a|o|minha|essa|muita|uma certa|uma tal de|mesmo|tambem|ha \w+ anos|desde \w+|de) )*"
        rf"(?P<v>{_ILLNESS}{_KIND})(?![a-z-])",
        _ailment,
    ),
    *bare(
        "ailing",
        "desde ha aqui",
        rf"(?P<v>{IS_ILL})(?= (?:desde|ha|faz|aqui|de carteirinha|assumid|diagnosticad|confirmad|tratad|e "
        rf"(?:tenho|tomo|moro|sou|"
        rf"nao))|,|$|\.| \d)",
        _is,
    ),
    *theirs("is ill", "surdo surda", rf"{{x/e|eh|esta|ta|ficou|nasceu|e meio|e muito}} (?P<v>{IS_ILL})(?![a-z])", _is),
    *mine(
        "reacts",
        "posso pode comer chegar como cheiro encostar basta",
        r"(?:(?:nao|n) (?:posso|consigo) (?:nem )?(?:ver|comer|chegar perto de|encostar em|sentir (?:o "
        r")?cheiro de|tomar|com|"
        r"tocar em|ficar perto de|usar)|(?:basta|e so|se|so de|quando) (?:eu )?(?:como|comer|encosto em|"
        r"encostar em|tomo|tomar|"
        r"chego perto de|sentir|provo|provar|uso|usar)|toda vez que (?:eu )?(?:como|tomo|encosto em|uso)) "
        r"(?:um |uma |o |a )?"
        rf"(?P<v>[a-z][a-z ]{{2,24}}?)(?:,? (?:que|q|eu|ja|senao|porque|pq|me|e))+ (?:\w+ ){{0,3}}{_REACTION}",
        _reacts,
        denied=True,
    ),
    *mine(
        "cannot have",
        "posso com",
        r"(?:nao|n) posso (?:nem )?(?:com|comer|tomar|ver|usar|provar|encostar em|sentir cheiro de) (?:um |"
        r"uma |o |a )?(?P<v>[a-z][a-z ]{2,24}?)(?=\W*$|,|\.)",
        _reacts_later,
        denied=True,
    ),
    *mine(
        "and my throat closes",
        "garganta glote alergia inchada inchado empolada empolado incha",
        rf"^\W*(?:(?:isso|esse|essa|ai|ja|eu) )?(?:me )?(?:\w+ ){{0,3}}{_REACTION}",
        _reacts_before,
    ),
    *mine(
        "makes me swell",
        "da causa provoca dao causam",
        rf"^\W*(?P<v>[a-z][a-z ]{{2,24}}?) (?:sempre )?me (?:da|dao|causam?|provocam?|deixam?|faz|fazem) "
        rf"(?:\w+ ){{0,3}}{_REACTION}",
        _reacts,
    ),
    *mine(
        "does not agree",
        "combina combinamos combinam piripaque mal bucho barriga estomago diarreia gases intolerancia",
        r"^\W*(?P<v>[a-z][a-z ]{2,24}?) (?:e eu (?:nao|n) (?:combina\w*|nos \w+|da|damos|rola)|(?:sempre "
        r")?me (?:da|dao|faz|fazem|"
        r"causam?|deixam?|derrubam?|estouram?|destroem?|acabam?) (?:\w+ ){0,3}(?:piripaque|mal|diarreia|"
        r"gases|estufad[oa]|enjoo|"
        r"estomago|barriga|bucho|intestino|caganeira|dor|revertério|reverterio|azia))",
        _upsets,
        denied=True,
    ),
    *mine(
        "and I do not agree",
        "combino combina combinamos damos entendemos",
        r"^\W*eu (?:nao|n) (?:combino|combina\w*|nos (?:damos|entendemos|bicamos|toleramos)|da certo|rola)",
        _upsets_before,
        denied=True,
    ),
    *mine(
        "allergic to what was named",
        "alergica alergico alergia intolerante",
        r"(?:(?:eu )?sou (?:muito )?(?:alergic[oa]|intolerante)|tenho (?:alergia|intolerancia)|alergia "
        r"(?:braba|grave|seria))(?=\W*$)",
        _named_before,
    ),
    *mine(
        "called an intolerance",
        "intolerancia alergia",
        r"(?:chamou|chamaram|disse|falou|deu|diagnosticou|confirmou|acusou|descobri|era|e|eh) (?:que )?(?:e |"
        r"eh |de |uma |tenho |era |ser )*(?P<kind>intolerancia|alergia) (?:a|ao|as|aos|de) (?P<v>[a-z].{2,40})",
        _bare_allergy,
    ),
    *theirs(
        "swells",
        "incha empola mal ruim vermelha vermelho coca",
        r"{x/incha|empola|empipoca|passa mal|fica ruim|fica (?:vermelh|empolad|inchad)[oa]|se enche de "
        r"(?:placas?|manchas?)|para no hospital|tem reacao|fecha a garganta}(?: tod[oa]| inteir[oa]| muito)? "
        r"(?:com|se come|quando come|ao comer|so de ver|a) (?:o |a )?(?P<v>[a-z].{2,30})",
        _reacts,
    ),
    *mine(
        "told by me",
        "diagnosticaram-me diagnosticaram receitaram-me encontraram-me detectaram-me",
        rf"(?:diagnosticaram|detectaram|encontraram|descobriram|deram)-me (?:um |uma |o |a "
        rf")?(?P<v>{_ILLNESS}{_KIND})(?![a-z])",
        _ailment,
    ),
    *bare(
        "ailment, alone",
        "ha desde faz diagnosticada diagnosticado cronica cronico",
        rf"(?P<v>{_ILLNESS}{_KIND}) (?:diagnosticad[oa] )?(?:ha|desde|faz) (?:\w+ )?\w+",
        _ailment,
    ),
    *mine(
        "senses",
        "enxergo escuto ouco ando vejo",
        r"(?P<v>(?:(?:nao|n|mal) (?:escuto|ouco|enxergo|vejo|ando|sinto)(?: (?:bem|direito|nada|mais|quase "
        r"nada))* (?:d[oe]|com [oa]|n[oa]|sem) (?:lado|olho|ouvido|vista|perna|mao|oculos|aparelho|bengala|"
        r"ajuda)|(?:enxergo|ouco|escuto|vejo) so (?:com|d[eo]|por) )(?:[\w ]{0,24}))",
        _senses,
        denied=True,
    ),
    *bare(
        "allergic, alone",
        "alergica alergico alergia intolerante intolerancia",
        r"(?:(?:alergic[oa]|intolerante)|alergias?:?|intolerancia:?|com alergia|com intolerancia) (?:(?:a|ao|"
        r"aos|as|de|com) )?"
        r"(?P<v>[a-z].{2,40})",
        _bare_allergy,
    ),
    *both(
        "weight, plain",
        "peso pesa pesando bati quilo kilo quilos balanca",
        r"(?:{(?<!\bde )(?<!\bo )(?<!\bmeu )(?<!\bem )(?<!\bum )peso|(?:estou|to|tou|ando) (?:pesando|com)|"
        r"bati(?: n?os)?|cheguei (?:a|nos|aos)|"
        r"voltei (?:pros|aos|para os)|(?:sai|fui|desci|baixei|caí|cai|passei|emagreci) d[oe]s? \d+(?: ?kg)? "
        r"(?:pra|para|pros|a|aos)|fui (?:pra|para|a)|baixei (?:pra|para|a)|(?:a )?balanca (?:\w+ ){0,3}/pesa|"
        r"(?:esta|ta) "
        r"(?:pesando|com)|chegou (?:a|nos|aos)}) (?:(?:uns|quase|exatos|agora|hoje|ja|so|apenas|mais ou "
        r"menos|cerca de|na casa dos) )*"
        r"(?P<v>\d{2,3}(?:[.,]\d{1,2})? ?(?:kg|kgs|kilos?|quilos?|k(?![a-z])))",
        _weight,
    ),
    *bare(
        "weight, in a list",
        "kg quilos",
        r"(?P<v>\d{2,3}(?:[.,]\d)? ?(?:kg|quilos|kilos))(?: cravad[oa]s?| hoje)?(?= ?(?:,|\.|$|e ))",
        _weight,
    ),
    *mine(
        "weight, number alone",
        "peso pesando",
        r"(?:^|(?<=eu )|(?<=e )|(?<=, )|(?<=hoje )|(?<=agora ))(?:peso|(?:estou|to|tou) pesando) (?:uns |"
        r"quase |so |agora )?"
        r"(?P<v>\d{2,3}(?:[.,]\d)?)(?! ?(?:k|quilo|reais|conto|libras|%|g |gramas|dolares|mil|anos|vezes|"
        r"ton)|[\d.,/])",
        _weight,
    ),
    *mine(
        "height, said so",
        "altura baixinha baixinho alto alta baixa baixo crescer cresci metro tamanho meço",
        rf"(?:{_TALL} de (?:altura|alt|tamanho|pura)|(?:altura|baix[oa]|baixinh[oa]|alt[oa]|altinh[oa]|"
        rf"baixot[ea])\W+(?:com |tenho |so )?"
        rf"{_TALL.replace('?P<v>', '?P<w>')}|(?:parei (?:de crescer )?(?:em|nos|no)|cresci ate|com meus?|do "
        rf"alto dos meus|meco|tenho) "
        rf"(?:so |apenas |uns |quase )?{_TALL.replace('?P<v>', '?P<x>')})(?![\d%]| ?(?:reais|mi|kg|mil|litro))",
        _height,
    ),
    *mine(
        "blood, by its words",
        "positivo negativo positiva negativa ab o a b",
        rf"(?:(?:sou|e|eh|tipo|:|aqui|,|^|meu sangue|saiu|consta|deu|tenho|sangue)\W+){_BLOOD}(?![\w+-])",
        _blood,
    ),
    *bare(
        "diet, alone",
        "aqui desde ha",
        rf"(?P<v>{DIET})s?(?= (?:desde|ha|faz|aqui|convict|de carteirinha|raiz|assumid|estrit|btw|e (?:tenho|"
        rf"sou|moro|nao))|,|$|\.)",
        _diet,
    ),
    *both(
        "on a diet of",
        "low jejum dieta cetogenica",
        rf"(?:{{(?:estou|to|tou|entrei|sigo|vivo|ando|faco|comecei)/(?:esta|ta|entrou|segue|faz|comecou)}}) "
        rf"(?:n[oa]|num|numa|firme n[oa]|"
        rf"de|em|o|a|uma|um)? ?(?:dieta )?(?P<v>low[ -]?carb|{DIET}|jejum(?: intermitente)?|cetogenica|paleo|"
        rf"mediterranea|dash|"
        rf"carnivora|keto)(?![a-z])",
        _diet,
    ),
    *both(
        "has gone without",
        "sem",
        rf"(?:{{(?:(?:estou|to|tou|fiquei|vivo|como|completei|faz|ha|ja sao) )?(?:(?:ha|faz) )?(?:\w+ "
        rf"(?:anos?|meses|mes|semanas?|dias) )|(?:estou|to|tou|vivo) "
        rf"(?:\w+ )?/(?:esta|ta|vive) (?:\w+ (?:anos?|meses) )?}})sem (?:comer |tomar |consumir "
        rf")?(?P<v>{_FOODS})(?![a-z])",
        _meatless,
        denied=True,
    ),
]
