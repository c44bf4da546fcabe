"""Health: allergies, intolerances, illnesses, medicines, diets, measures of the body."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import both, mine, say
from relembra.minds.offline.reader.portuguese.measures import in_figures
from relembra.minds.offline.reader.portuguese.values import clean, each, is_new, past, since, span
from relembra.minds.offline.reader.portuguese.vocabulary import CONDITION, VERY

__all__ = ["HEALTH"]

_WITHOUT = re.compile(
    r"(?<![a-z])(?:sem|leva|tem|com|comer)\s(?P<v>(?!mim|nada|isso|ser|ter|como|que)[a-z]{3,20})"
    r"(?:\s(?:e|nem|ou)\s(?P<w>(?!sem)[a-z]{3,20}))?[^.]{0,30}$"
)


def _allergy(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    for value in each(span(clause, match)):
        yield say(who, "allergy", value, f"tem alergia a {value}", changed=False)


def _allergy_before(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Bolo sem amendoim? sou alérgica": what it is to stands before."""
    attribute = "intolerance" if "intoler" in match[0] else "allergy"
    text = flattened(clause.message[: clause.offset + match.start()]).text.rstrip(" ,.;?!\n")
    found = _WITHOUT.search(text[-60:])
    if not found or len(text) != len(clause.message[: len(text)]):
        return
    base = max(0, len(text) - 60)
    for group in ("v", "w"):
        if found[group]:
            value = clause.message[base + found.start(group) : base + found.end(group)]
            noun = "alergia" if attribute == "allergy" else "intolerância"
            yield say(who, attribute, value, f"tem {noun} a {value}")


def _intolerance(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    for value in each(span(clause, match)):
        if re.match(r"(?:gente|pessoa|falta|atraso|mentira|injustica|burrice|falsidade)", flattened(value).text):
            return
        yield say(who, "intolerance", value, f"tem intolerância a {value}")


def _condition(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    start = match.start("v")
    for piece in each(clause.raw[start:], longest=7):
        flat = flattened(piece).text
        if (
            not re.match(rf"(?:um|uma)?\s?{CONDITION}(?![a-z])", flat)
            and start == match.start("v")
            and piece != clause.raw[start : start + len(piece)]
        ):
            return
        flat = re.sub(r"\s(?=tipo\s[12i])", "_", flat)
        cut = re.split(
            r"\s(?:controlad[oa]|leve|forte|ha|faz|diagnosticad[oa]|no\smomento|brav[oa]|terrivel|horrivel|"
            r"desde|de\snascenca|gravissima)(?![a-z])",
            flat,
        )[0]
        value = piece[: len(cut)].strip()
        if value and re.match(rf"{CONDITION}(?![a-z])", flattened(value).text):
            if re.match(
                r"(?:pedra|pedras|nodulo|cisto|doenca|sindrome|transtorno|protese|perda)$|(?:panico|fobia)\sd[eo]\s",
                flattened(value).text,
            ):
                continue
            yield say(who, "condition", value, f"tem {value}", held_from=since(clause))
        elif value and piece:
            return


def _is_ill(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match).strip()
    yield say(who, "condition", value, f"é {value}")


def _diagnosed(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    since = past(clause)
    for value in each(span(clause, match), longest=6):
        if re.match(r"(?:um|uma|o|a)?\s?(?:medic|exame|hoje|ontem|semana)", flattened(value).text):
            return
        yield say(who, "condition", value, f"tem {value}", held_from=since)


def _had(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value:
        yield say(who, "former_condition", value, f"teve {value}", held_from=past(clause))


def _weight(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match).strip()
    yield say(who, "weight", value, f"pesa {value}", changed=is_new(clause))


def _height(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = in_figures(span(clause, match).strip())
    yield say(who, "height", value, f"mede {value}")


def _blood(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match).strip().upper().replace(" ", "") if len(match["v"]) <= 3 else span(clause, match)
    yield say(who, "blood_type", value, f"tem sangue tipo {value}")


_BLOOD = r"(?P<v>(?:ab|a|b|o) ?(?:\+|-(?!\w)|positivo|negativo|pos|neg))"
_KG = r"(?P<v>\d{2,3}(?:[.,]\d)? ?(?:kg|kgs|quilos|kilos|k)(?![a-z]))"
_TALL = (
    r"(?P<v>(?:1|2|um)(?:[.,]\d\d| ?m ?\d\d| metro e [\w ]{2,20}|m e \d\d)(?: ?(?:m|metros?|de " r"altura))*|1\d\d ?cm)"
)


def _pressure(match: re.Match[str], _clause: Clause, who: Who | None) -> Iterator[Said]:
    value = f"pressão {match['v']}"
    yield say(who, "condition", value, f"tem {value}")


def _was_ill(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "former_condition", value, f"teve {value}", held_from=past(clause))


def _treatment(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value:
        yield say(who, "condition", value, f"faz/usa {value}", held_from=past(clause))


def _at_odds(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Lactose e eu não nos damos", "camarão me manda pro hospital"."""
    value = clean(span(clause, match), longest=3)
    if value is None:
        return
    if re.search(r"(?<![a-z])(?:alergi\w+|incha\w*|empol\w+|garganta|glote)(?![a-z])", flattened(clause.sentence).text):
        yield say(who, "allergy", value, f"tem alergia a {value}")
    elif re.match(r"(?:lactose|gluten|leite|trigo|queijo|laticinios?)(?![a-z])", flattened(value).text):
        yield say(who, "intolerance", value, f"tem intolerância a {value}")


def _is_problem(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "condition", value, f"tem {value}")


HEALTH: list[Rule] = [
    *both(
        "allergy",
        "alergica alergico alergia alergicas alergias",
        r"(?:{(?:sou|so)(?: (?:\w+ e|muito|super|extremamente|bem|tambem|mto|altamente|gravemente|meio)"
        r")?|tenho|descobri (?:uma|que (?:sou|tenho))|descobri|desenvolvi|fiquei|tive|e alergic[oa]|"
        r"apresento/(?:e|eh)(?: (?:\w+ e|muito|super|extremamente|tambem|mto|meio))?|tem|descobriu|"
        r"desenvolveu|ficou}) (?:(?:uma|muita|forte|grave|seria|tambem) )*alergi(?:c[oa]|as?)(?: "
        r"(?:forte|grave|severa|seria|feia|braba))? (?:a|ao|aos|as|de|do|da|com|pra|contra|à) "
        r"(?P<v>[a-z].{1,70})",
        _allergy,
    ),
    *mine(
        "allergy, told",
        "alergia",
        r"(?:minha|a) alergia (?:a|ao|de|as|aos) (?P<v>[a-z].{2,40}?)(?= (?:e|ta|esta|piorou|atacou|"
        r"atacada|me|nao|foi|voltou|so)(?![a-z])|$|[,.!])",
        _allergy,
    ),
    *mine("allergy, by reaction", "alergia", r"(?P<v>[a-z]{4,18}) me (?:da|dao|causa|causam) alergia", _allergy),
    *both(
        "allergy, said before",
        "alergica alergico alergia intolerante",
        r"(?:{(?:eu )?sou (?:muito )?(?:alergic[oa]|intolerante)|tenho alergia/e (?:alergic[oa]|"
        r"intolerante)|tem alergia})(?=\W*$|\W+(?:daquelas|grave|severa))",
        _allergy_before,
    ),
    *both(
        "intolerance",
        "intolerante intolerancia lactose gluten celiaca",
        r"(?:{sou|tenho|descobri(?: que (?:sou|tenho))?|fiquei|virei|desenvolvi/e|eh|tem|descobriu|"
        r"ficou}) (?:(?:muito|super|bem|uma|meio|muita|tambem) )*intoler(?:ante|ancia) (?:a|ao|aos|as|"
        r"de|com|à) (?P<v>[a-z].{2,50})",
        _intolerance,
    ),
    *both(
        "intolerance, no",
        "posso pode consigo tolero lactose gluten",
        r"(?:{(?:nao|n) (?:posso com|tolero|digiro)|passo mal com|me faz mal/(?:nao|n) (?:pode com|"
        r"tolera|digere)|passa mal com}) (?:o |a |os )?(?P<v>(?:lactose|gluten|leite|laticinios|trigo)(?: e "
        r"(?:lactose|gluten|leite|trigo))?)",
        _intolerance,
        denied=True,
    ),
    *both(
        "condition",
        "tenho tem sofro sofre convivo to estou ta trato descobri",
        rf"(?:{{tenho|sofro (?:de|com|muito com)|convivo com|vivo com|trato(?: de| uma| um)?|"
        rf"portadora? de|to com|estou com|tou com|ando com|estou tratando(?: uma?)?|to tratando(?: "
        rf"uma?)?|luto contra|possuo|faco tratamento (?:de|pra|para|contra|da|do)|sou portadora? de|"
        rf"descobri(?: que tenho)?|desenvolvi|fiquei com|enfrento|acabei de descobrir|o medico disse "
        rf"que (?:eu )?tenho/tem|sofre (?:de|com|muito com)|convive com|trata(?: de)?|esta com|ta com|"
        rf"luta contra|e portadora? de|descobriu(?: que tem)?|desenvolveu|ficou com|enfrenta}}) "
        rf"(?:(?:muita|muito|uma|um|umas|uns|o|a|tambem|principio de|comeco de|historico de|crises? de|"
        rf"problema de|crise|episodios de|ataques de|sindrome de|bastante|cronica|inicio de|so|pouco "
        rf"de|grau \d de) )*(?P<v>{CONDITION})(?![a-z])",
        _condition,
    ),
    *both(
        "is ill",
        "sou e eh diabetica diabetico hipertensa hipertenso celiaca celiaco bipolar autista cardiaca cardiaco",
        rf"(?:{{sou|nasci|fiquei/e|eh|nasceu|ficou}} {VERY}(?:uma? |pessoa )?)(?P<v>(?:pre-)"
        rf"?diabetic[oa](?: tipo [12])?|hipertens[oa]|celiac[oa]|asmatic[oa]|bipolar(?: tipo [12])?|"
        rf"autista|epiletic[oa]|epileptic[oa]|cardiopata|cardiac[oa]|hemofilic[oa]|daltonic[oa]|miope|"
        rf"surd[oa]|ceg[oa]|cadeirante|anemic[oa]|depressiv[oa]|soropositiv[oa]|dislexic[oa]|tdah|"
        rf"neurodivergente|superdotad[oa]|hipocondriac[oa]|claustrofobic[oa]|pcd|transplantad[oa]|"
        rf"ostomizad[oa]|amputad[oa]|paraplegic[oa]|tetraplegic[oa]|gag[oa]|estrabic[oa]|"
        rf"fibromialgic[oa]|alcoolatra|alcoolista|dependente quimic[oa]|imunossuprimid[oa]|ansios[oa] "
        rf"(?:diagnosticad[oa]|cronic[oa]))(?![a-z])",
        _is_ill,
    ),
    *both(
        "diagnosed",
        "diagnosticada diagnosticado diagnostico diagnosticaram diagnosticou",
        r"(?:{fui diagnosticad[oa]|me diagnosticaram|recebi (?:o )?diagnostico|saiu (?:o )?(?:meu )"
        r"?diagnostico|tive (?:o )?diagnostico|meu diagnostico (?:e|foi)|fui diagnosticad[oa] \w+|o "
        r"medico me diagnosticou/foi diagnosticad[oa]|recebeu (?:o )?diagnostico|teve (?:o )"
        r"?diagnostico})(?: (?:hoje|ontem|agora|semana passada|esse ano|essa semana|mes passado|"
        r"recentemente|ano passado|aos \d+))?:? (?:com|de|como|por)? ?(?P<v>[a-z].{2,40})",
        _diagnosed,
    ),
    *both(
        "had",
        "tive teve curei curou venci venceu superei superou",
        rf"(?:{{ja tive|tive|me curei d[aeo]|venci (?:o|a|um|uma)?|superei (?:o|a|um|uma)?|nao tenho "
        rf"mais|n tenho mais|tratei/ja teve|teve|se curou d[aeo]|venceu (?:o|a|um)?|superou (?:o|a|um)"
        rf"?|nao tem mais}}) ?(?:um |uma |muita )?(?P<v>{CONDITION}(?: .{{2,30}})?)",
        _had,
        denied=True,
    ),
    *mine(
        "body part",
        "tem esta ta",
        rf"(?:[oa]|meu|minha) (?:joelho|coluna|ombro|quadril|pe|mao|tornozelo|cotovelo|olho|coracao|"
        rf"pulmao|rim|figado|lombar|cervical|punho)(?: (?:direit|esquerd)[oa])? (?:tem|esta com|ta com)"
        rf" (?:uma? )?(?P<v>{CONDITION})(?![a-z])",
        _condition,
    ),
    *both(
        "weight",
        "peso pesa pesando kg quilos balanca kilos",
        rf"(?:{{(?<!\bde )(?<!\bo )(?<!meu )peso|estou pesando|to pesando|estou com|to com|tou com|"
        rf"cheguei (?:a|aos|em|nos)|bati|deu|meu peso (?:e|esta|ta|hoje e|atual e|foi)|baixei (?:para|"
        rf"pra)|voltei (?:a|aos|pra|para)|a balanca (?:marcou|deu)|balanca[\w ]*[:,]?/pesa|esta "
        rf"pesando|ta pesando|esta com|ta com|chegou a}}) (?:(?:agora|hoje|quase|uns|cerca de|"
        rf"atualmente|em|os|a|de|exatos|por volta de|de peso) )*{_KG}(?! (?:d[eo] (?:carne|arroz|"
        rf"feijao|acucar|farinha|bagagem|frango|musculo)|a menos|a mais|em|por))",
        _weight,
    ),
    *mine("weight, alone", "kg quilos kgs", rf"^\W*{_KG}\W*(?:hoje|agora|cravados?|\W)*$", _weight),
    *both(
        "height",
        "1 2 meco mede altura metro metros tenho tem cm",
        rf"(?:{{meco|tenho|com meu|com meus|do alto d[oe]s? meus?|minha altura (?:e|eh)|altura:?/mede|"
        rf"tem|a altura del[ea] e}}) (?:(?:de altura|so|quase|uns) )?{_TALL}(?![\d%])",
        _height,
    ),
    *both(
        "blood",
        "sangue tipo sanguineo o- a- b- a+ sou o",
        rf"(?:{{meu tipo sanguineo (?:e|eh)|(?:meu )?tipo sanguineo:?|meu sangue (?:e|eh)|tenho sangue|"
        rf"sou (?:tipo|do tipo|sangue)|sou(?= (?:ab|a|b|o) ?(?:\+|-|positivo|negativo))|sangue "
        rf"tipo/tem sangue|e do tipo|tipo sanguineo del[ea] e|e(?= (?:ab|a|b|o) ?(?:\+|-|positivo|"
        rf"negativo))}}) (?:(?:tipo|e|o tipo|do tipo) )?{_BLOOD}",
        _blood,
    ),
    *mine("blood, alone", "o a b ab doador doadora", rf"^\W*{_BLOOD}(?= ?(?:e|,|$))", _blood),
    *mine("pressure", "pressao", r"minha pressao (?:e|eh|vive|sempre foi) (?P<v>alta|baixa)", _pressure),
    *both(
        "was ill",
        "tive teve peguei pegou",
        r"(?:{(?:ja )?(?:tive|peguei)|quase morri de/(?:ja )?(?:teve|pegou)}) (?P<v>covid|dengue|zika|"
        r"chikungunya|pneumonia|meningite|malaria|catapora|caxumba|hepatite|tuberculose|h1n1|trombose|"
        r"leptospirose|sepse)(?![a-z])",
        _was_ill,
    ),
    *both(
        "treated by",
        "fazendo faco faz quimio radio uso usa",
        r"(?:{(?:estou|to|tou) fazendo|comecei a?|uso|dependo de|ando de|ando com/(?:esta|ta) fazendo|"
        r"comecou a?|usa|anda de|anda com} ?)(?P<v>quimio(?:terapia)?|radioterapia|imunoterapia|"
        r"hemodialise|aparelho auditivo|oculos|lentes de contato|muletas?|bengala|cadeira de rodas|"
        r"protese|marcapasso|bolsa de colostomia|cpap|palmilha)(?![a-z])",
        _treatment,
    ),
    *mine(
        "weight, told",
        "peso",
        r"meu peso(?: atual| hoje| agora)? (?:e|eh|ta|esta)(?: de| em)? (?P<v>\d{2,3}(?:[.,]\d)?)(?! " r"?(?:ideal|%))",
        _weight,
    ),
    *mine(
        "at odds",
        "damos manda mata incha empola fecha cai caem acaba acabam ataca atacam",
        r"^\W*(?P<v>[a-z][a-z ]{2,24}?) (?:e eu (?:nao|n) (?:nos damos|combinamos|nos entendemos|da "
        r"certo)|(?:nao|n) me (?:cai|caem|faz|fazem) (?:nada )?bem|me (?:acaba|acabam|ataca|atacam|manda (?:pro|para o) hospital|mata|incha|empola|enche de|fecha a (?:garganta|"
        r"glote)|deixa (?:inchad|empolad)\w+|faz (?:muito )?mal))",
        _at_odds,
        denied=True,
    ),
    *mine(
        "weighing",
        "pesando",
        r"(?:estou|to|tou|ando) pesando (?:uns |quase |mais de )?(?P<v>\d{2,3}(?:[.,]\d)?)(?![\d%])",
        _weight,
    ),
    *both(
        "serious problem",
        "problema problemas",
        r"(?:{tenho|to com|estou com|sofro com/tem|ta com|esta com}) (?:um |uns )?(?P<v>problemas? "
        r"(?:serios? |graves? |cronicos? )?(?:de|na|no|nos|nas) (?:coluna|coracao|joelho|rim|rins|"
        r"figado|visao|audicao|tireoide|estomago|quadril|ombro|circulacao|pulmao|memoria|pele|lombar|"
        r"costas|prostata|vesicula))(?![a-z])",
        _is_problem,
    ),
]
