"""What somebody takes and eats: medicines and diets, begun and stopped."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import bare, both, mine, say
from relembra.minds.offline.reader.portuguese.people import about_whom, people_in
from relembra.minds.offline.reader.portuguese.values import clean, each, is_new, past, since, span
from relembra.minds.offline.reader.portuguese.vocabulary import CONDITION, DIET

__all__ = ["INTAKE", "SURE_DRUG"]


def _patient(match: re.Match[str], clause: Clause, who: Who | None) -> Who | None:
    """ "Aplico insulina na minha sogra": whom it is given to."""
    if who is not None or not re.match(r"(?:aplico|injeto|pingo|dou|ministro)(?![a-z])", match[0]):
        return who
    return next((one for one, start, _ in people_in(clause.raw, clause.flat) if start > match.start("v")), who)


def _medicine(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    who = _patient(match, clause, who)
    ill = re.search(rf"(?<![a-z]){CONDITION}(?![a-z])", clause.earlier)  # "tenho endometriose e tomo dienogeste"
    for value in each(span(clause, match), longest=7):
        flat = flattened(value).text
        if _DRINK.match(flat) or not (_DRUG.search(flat) or _DOSE.search(flat) or _FOR.search(clause.flat) or ill):
            return
        trimmed = re.split(
            r"\s(?:n[oa]\s(?:minha|meu)|por\scausa|pra|para|de\smanha|a\snoite|todo|toda|todos|duas|tres|"
            r"uma\svez|1x|2x|antes|depois|"
            r"em\sjejum|por|diario|diariamente)(?![a-z])",
            flat,
        )[0]
        yield say(
            who, "medication", value[: len(trimmed)], f"toma {value}", changed=is_new(clause), held_from=since(clause)
        )


_DRINK = re.compile(
    r"(?:cafe|cha|agua|cerveja|vinho|banho|sol|cuidado|conta|sorvete|susto|decis|iniciativa|leite|"
    r"suco|refri|coca|"
    r"chimarrao|mate|marcapasso|remedios?\s(?:forte|demais|nenhum|so|em|sem|quando|quase|bem)|remedio$|"
    r"partido|forma|vergonha|rumo|posse|nota|tempo|cachaca|whisky|gin|"
    r"energetico|whey|tacaca|"
    r"acai|sopa|caldo|bronca|multa|chuva|antibiotico|paracetamol$|lugar|oculos|lente|aparelho|"
    r"roupa|celular|android|"
    r"iphone|linux|windows|transporte|onibus|metro|bike|uber|excel|cartao|cadeira|salto|barba|"
    r"maquiagem)(?![a-z])"
)


_DRUG = re.compile(
    r"(?:ina|ona|ol|pril|artana|statina|prazol|oxetina|alina|pram|axina|pam|zolam|cilina|micina|"
    r"lito|litio|insulina|puran|"
    r"metformina|levotiroxina|sertralina|fluoxetina|losartana|rivotril|ritalina|venvanse|concerta|"
    r"roacutan|ozempic|mounjaro|"
    r"anticoncepcional|antidepressivo|ansiolitico|corticoide|vitamina\s?\w*|suplemento|ferro|"
    r"colirio|omega|aas|anti-hipertensivo|"
    r"estabilizador|remedio\s(?:pra|para|de|da|do)\s?.*|remedios\scontrolados|remedio\scontrolado|"
    r"bombinha|zolpidem|lamotrigina|"
    r"melatonina|creatina|pilula|minoxidil|hormonio|testosterona|estrogenio|formula|"
    r"quimioterapico|"
    r"anticoagulante|marevan|xarelto|glifage|selozok|aspirina|dipirona|ibuprofeno|pantoprazol|"
    r"homeopatia|wegovy|saxenda|"
    r"carbolitium|depakote|topiramato|pregabalina|duloxetina|escitalopram|quetiapina|bupropiona|"
    r"trazodona|enalapril|"
    r"atenolol|propranolol|sinvastatina|symbicort|aerolin|alenia|hidroxicloroquina|prednisona|"
    r"metotrexato|imunossupressor)(?![a-z])"
)


_DOSE = re.compile(r"\d\s?(?:mg|mcg|ml|ui|g|gotas|comprimidos?|capsulas?)(?![a-z])")


_FOR = re.compile(
    r"(?<![a-z])(?:remedio|comprimidos?|medicacao|medicamento|receitou|prescreveu|psiquiatra|" r"medic[oa])(?![a-z])"
)


def _stopped_medicine(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    for value in each(span(clause, match)):
        flat = flattened(value).text
        if _DRINK.match(flat) or not (_DRUG.search(flat) or _DOSE.search(flat)):
            return
        yield say(who, "former_medication", value, f"parou de tomar {value}", changed=True, held_from=past(clause))


def _diet(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "diet", value, f"é {value}", changed=is_new(clause), held_from=since(clause))


_NO_FOOD = re.compile(
    r"(?:nem|fora|muito|nada|desde|assim|bem|direito|hoje|ha|de|em|na|no|a|tao|tanto|mais|antes|depois|"
    r"sozinh\w*|isso|qualquer|quase|"
    r"sempre|todo|tudo|com|voce|se|antigamente|eu|ele|ela|que|deveria)(?![a-z])|\w+[aei]r(?![a-z])|.{26}"
)


def _no_food(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    raw = re.sub(
        r"\s(?:do (?:meu )?prato|da (?:minha )?(?:dieta|vida|alimentação|mesa))(?!\w).*", "", span(clause, match)
    )
    for value in each(raw, longest=5):
        flat = flattened(value).text
        eaten = " come" in match[0] or " como" in match[0]
        if not _FOOD.search(flat) and (not eaten or _NO_FOOD.match(flat)):
            return
        verb = (
            "bebe"
            if re.search(r"(?<![a-z])(?:beb\w+|tom[oa])(?![a-z])", match[0][: match.start("v") - match.start()])
            else "come"
        )
        yield say(
            who, "diet", f"não {verb} {value}", f"não {verb} {value}", changed=is_new(clause), held_from=since(clause)
        )


_FOOD = re.compile(
    r"(?:cafe|refri|cerveja|energetico|carne|porco|peixe|frango|gluten|lactose|leite|ovo|ovos|"
    r"acucar|doce|doces|glutem|queijo|"
    r"laticinios?|derivados|"
    r"frutos\sdo\smar|camarao|soja|trigo|pao|massa|fritura|frituras|carboidrato\w*|"
    r"industrializad\w+|alcool|refrigerante\w*|"
    r"nada\sde\sorigem\sanimal|nada\sanimal|amendoim|pimenta|cebola|alho|coentro|banana|mariscos?|"
    r"bacon|presunto|sal|cafeina|"
    r"boi|vaca|gordura|corante|milho|feijao|arroz|tomate|castanha\w*|chocolate|mel|figado|"
    r"ultraprocessad\w+|animais|bichos?)(?![a-z])"
)


def _only(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=5)
    if value and not re.match(r"(?:aqui|la|em\s|no\s|na\s|fora|besteira|depois|a\snoite)", flattened(value).text):
        yield say(who, "diet", f"só come {value}", f"só come {value}")


def _on_diet(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=4)
    if value:
        yield say(
            who, "diet", value, f"faz dieta {value}" if "dieta" not in value else f"faz {value}", changed=is_new(clause)
        )


def _ex_diet(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = span(clause, match)
    yield say(who, "former_diet", value, f"não é mais {value}", changed=True)


SURE_DRUG = (
    r"(?:[a-z]{2,}(?:pril|artana|statina|prazol|oxetina|tralina|pram|axina|azepam|zolam|cilina|micina|"
    r"formina|tiroxina|piona|apina|olol|"
    r"dipina|trigina|balina|gliptina|glutida|tadina|fentanila|metasona|nisona|xaban|farina|idona|fenida[t]o|"
    r"fenidato|litio)|insulina(?: (?:glargina|lispro|nph|regular|degludeca|basal|asparte|rapida|lenta))?|"
    r"puran|rivotril|ritalina|venvanse|concerta|roacutan|ozempic|mounjaro|wegovy|saxenda|glifage|selozok|"
    r"xarelto|marevan|lexapro|prozac|zoloft|"
    r"depakote|carbolitium|aerolin|symbicort|alenia|anticoncepcional|antidepressivo|ansiolitico|"
    r"anticoagulante|corticoide|metotrexato|"
    r"hidroxicloroquina|levotiroxina|euthyrox|concor|aas|clonazepam|melatonina|minoxidil|finasterida|"
    r"isotretinoina|bombinha)"
)


def _drug(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=6)
    dose = _DOSE_FIRST.search(clause.raw[match.start() : match.start("v")].lower())
    if value:
        value = f"{value} {dose[1]}" if dose else value
        changed = is_new(clause) or bool(_NOT_THAT.search(clause.earlier))
        yield say(who, "medication", value, f"toma {value}", changed=changed, held_from=since(clause))


def _own_drug(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    """ "Minha mãe toma 20 mg de insulina": a dose before the name says nothing of who takes it, the verb does."""
    takes = _TAKES.search(clause.flat[: match.start()])
    if takes and not re.search(r"(?<![a-z])a\sgente\s$", clause.flat[: takes.start()]):
        who = about_whom(clause, takes.start(), match)
        if who is None:
            return
    yield from _drug(match, clause, who)


_TAKES = re.compile(
    r"(?<![a-z])(?:toma|usa|tomou|usou|aplica|injeta|precisa\sde|(?:esta|ta|anda)\s(?:tomando|usando|com))"
    r"\s(?:[a-z]+\s){0,2}$"
)
_DOSE_FIRST = re.compile(r"(\d+ ?(?:mg|mcg|gotas|ui)) d")
_NOT_THAT = re.compile(r"(?<![a-z])nao\s(?:e|eh|era|sao|eram)\s")  # "não é 10mg, é 20mg"


def _told_diet(match: re.Match[str], clause: Clause, who: Who | None) -> Iterator[Said]:
    value = clean(span(clause, match), longest=8)
    if value and not re.match(
        r"(?:falar|voce|parar|ver|medo|pressa|vontade|fome|culpa|do|que|rigorosa$|nova$)", flattened(value).text
    ):
        phrase = f"come {value}" if "como" in match[0] or "come" in match[0] else f"faz dieta {value}"
        yield say(who, "diet", value, phrase, changed=is_new(clause), held_from=since(clause))


INTAKE: list[Rule] = [
    *bare(
        "medicine, by its dose",
        "mg mcg gotas comprimido ui dia manha noite 50 25 20 10 100 5 60 30 150 75",
        rf"(?P<v>{SURE_DRUG}(?: (?:de )?\d+(?:[.,]\d+)? ?(?:mg|mcg|g|ml|ui|gotas)?)(?![\w]))",
        _drug,
    ),
    *mine(
        "my medicine",
        "tambem agora mg minha meu mes caixa base tratamento comecei entrei voltei controlo controlada medicada medicado "
        "tratada tratado anticoagulado trato",
        rf"(?:(?:minha|meu) (?:dose de |caixa de |velh[oa] )?|(?:\d+ ?[oa]?|primeiro|segundo|terceiro|quarto|"
        rf"sexto) (?:mes|semana|dia|ano) d[eoa] |a base de |agora (?:e|eh|tomo|uso) (?:a |o )?|\d+ ?(?:mg|"
        rf"mcg|gotas|ui) d[eoa] |(?:tratamento|tratada?|tratado|medicad[oa]|controlad[oa]|"
        rf"anticoagulad[oa]|controlo \w+ \w+|trato \w+ \w+) com |(?:comecei|entrei|voltei|estou|to|tou|vivo|"
        rf"sigo) (?:com|n[oa]|pr[ao]|o|a|de) |(?:comecei|recomecei|tambem) (?:a tomar |com )?)(?:o |a )?(?P<v>{SURE_DRUG}(?: \d+ ?(?:mg|mcg|ui|gotas)?)?)(?![a-z])",
        _own_drug,
    ),
    *both(
        "medicine, given",
        "aplica aplico injeta injeto insulina dou",
        rf"(?:{{aplico|injeto|dependo de|dependo da/aplica|injeta|depende de|depende da|vive de|e "
        rf"medicad[oa] com|controla \w+ \w+ com}}) (?:o |a |uma? )?(?P<v>{SURE_DRUG})(?![a-z])(?!(?: \w+)? "
        rf"n[oa] (?:minha|meu))",
        _drug,
    ),
    *both(
        "diet, told",
        "dieta alimentacao como come",
        r"(?:{(?:sigo|faco|mantenho|cumpro|adotei|estou (?:em|com|a fazer|n[ao])|to (?:em|com|n[ao])|"
        r"comecei) (?:a |uma |o )?(?:dieta|alimentacao|plano alimentar)/(?:segue|faz|mantem) (?:a |uma "
        r")?(?:dieta|alimentacao)}) (?P<v>(?!de ferro|rigorosa|nova|hoje|que)[a-z][\w ]{3,40})",
        _told_diet,
    ),
    *both(
        "eats without",
        "sem como come",
        r"(?:{(?<!\bo )(?<!\ba )(?:so |eu )?como(?: tudo)?/come(?: tudo)?}) (?P<v>sem (?:sal|acucar|gluten|"
        r"lactose|carne|gordura|leite|proteina animal|tempero|oleo|fritura)(?: e (?:com|sem) [\w ]{3,25})?)",
        _told_diet,
        denied=True,
    ),
    *both(
        "medicine",
        "remedio receitou receitaram passou passaram prescreveu tomo toma uso usa tomando usando pingo "
        "injeto aplico comecei",
        r"(?:{(?<!\bo )(?<!\bde )(?:tomo|uso|pingo|aplico|injeto)|estou tomando|to tomando|tou tomando|"
        r"estou a tomar|comecei a tomar|comecei(?: com)?(?= \w+(?:ina|ona|ol|pram|prazol|am|ico|gic|ro)"
        r"\b)|passei a tomar|voltei a tomar|faco uso de|estou usando|to usando|(?:meu )?remedio(?: "
        r"(?:d[aeo]|pra|para)(?: [oa])? \w+)? (?:e|eh)|me (?:receitaram|passaram|prescreveram)|(?:[oa] "
        r")?(?:medic[oa]|psiquiatra|doutora?|cardiologista|endocrino\w*|neuro\w*|gineco\w*|dra?\.?) "
        r"(?:me )?(?:receitou|passou|prescreveu|deu)/toma|usa|esta tomando|ta tomando|comecou a tomar|"
        r"passou a tomar|faz uso de}) (?:(?:todo dia|todos os dias|diariamente|agora|ha anos|so|um|uma|"
        r"meu|minha|o|a|tambem|de) )*(?P<v>[a-z].{2,70})",
        _medicine,
    ),
    *both(
        "stopped medicine",
        "suspendeu tirou parei parou larguei tomo suspendi desmamei",
        r"(?:{parei (?:de tomar|com)|larguei|suspendi|(?:nao|n) tomo mais|nao uso mais|deixei de tomar|"
        r"desmamei d[aoe]|(?:o medico|a medica|a psiquiatra) (?:suspendeu|tirou)/parou (?:de tomar|com)"
        r"|largou|suspendeu|(?:nao|n) toma mais|deixou de tomar}) (?:o |a |os |as )?(?P<v>[a-z].{2,40})",
        _stopped_medicine,
        denied=True,
    ),
    *both(
        "diet",
        "sou e eh virei virou vegana vegano vegetariana vegetariano somos",
        rf"(?:{{sou|virei|me tornei|estou|to|agora sou|somos|me descobri/e|eh|virou|se tornou|esta|"
        rf"ta}}) (?:(?:praticamente|muito|totalmente|estritamente|agora|hoje) )?(?P<v>{DIET})"
        rf"s?(?![a-z-])",
        _diet,
    ),
    *both(
        "no longer diet",
        "sou vegana vegano vegetariana vegetariano deixei fui era",
        rf"(?:{{(?:nao|n) sou mais|ja (?:nao|n) sou|deixei de ser|ja fui|eu era|era/(?:nao|n) e mais|deixou de ser|ja "
        rf"foi|era}}) (?P<v>{DIET})(?![a-z-])",
        _ex_diet,
        denied=True,
    ),
    *both(
        "does not eat",
        "como come comer corto cortei evito evita bebo parei",
        r"(?:{(?:nao|n|nunca) (?:como|bebo|tomo|consumo)(?: mais)?|(?:nao|n) posso (?:comer|beber|com)|parei de "
        r"comer|cortei|evito(?: comer)?|deixei de comer|tirei/(?:nao|n|nunca) (?:come|bebe)(?: mais)?|"
        r"(?:nao|n) pode (?:comer|beber)|parou de comer|cortou|evita(?: comer)?}) (?:(?:nada com|nada "
        r"de|mais|o|a|os|as|nenhum|nenhuma|nenhum tipo de|qualquer) )*(?P<v>[a-z].{2,50})",
        _no_food,
        denied=True,
    ),
    *both("eats only", "so come como", r"(?:{so como/so come}) (?P<v>[a-z].{2,50})", _only),
    *both(
        "on a diet",
        "dieta jejum low cetogenica",
        r"(?:{faco|sigo|estou (?:fazendo|em|na|numa|de)|to (?:fazendo|em|na|numa|de)|comecei(?: a)?|"
        r"pratico|tou (?:a fazer|em)/faz|segue|esta (?:fazendo|em|na)|ta (?:fazendo|em|na)|comecou(?: "
        r"a)?}) (?:uma |a |o |minha )?(?:dieta )?(?P<v>(?:low[ -]?carb|cetogenica|mediterranea|paleo|"
        r"dash|sem (?:gluten|acucar|lactose|carboidrato)|vegana|vegetariana|hipocalorica|do "
        r"mediterraneo|jejum intermitente|detox|da proteina|restritiva|carnivora|sem glutem)(?: de \d+ "
        r"horas)?)(?![a-z])",
        _on_diet,
    ),
]
