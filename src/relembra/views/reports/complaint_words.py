"""How people say in both languages what ails them, how they slept and what they measured; compared folded."""

from __future__ import annotations

import re

__all__ = [
    "ASK",
    "BACK",
    "FIGURE",
    "FIGURED_AFTER",
    "FIGURED_BEFORE",
    "FOR",
    "HURTING_EN",
    "HURTING_PT",
    "LABELS",
    "MEASURES",
    "NAMED",
    "NOT",
    "NO_NAMES",
    "NO_OWNERS",
    "NUMBERS",
    "OF_SOMEBODY",
    "OTHERS",
    "OVER",
    "OVER_NOW",
    "PAIN_EN",
    "PAIN_PT",
    "PARTS",
    "SENTENCE",
    "SINCE",
    "SLEEP",
    "SOMEBODY",
    "STEMS",
    "UNITS",
    "UNREAL",
    "WEEKDAYS",
    "WISH",
]

_PARTS = {
    "head": ("dor de cabeça", "headache", "cabeca", "head"),
    "back": ("dor nas costas", "back pain", "costas|lombar|coluna", "back|spine"),
    "chest": ("dor no peito", "chest pain", "peito|torax", "chest"),
    "stomach": ("dor de barriga", "stomach ache", r"barriga|estomago|abdom\w*", r"stomach|belly|tummy|abdom\w*"),
    "throat": ("dor de garganta", "sore throat", "garganta", "throat"),
    "tooth": ("dor de dente", "toothache", "dentes?", "tooth|teeth"),
    "ear": ("dor de ouvido", "earache", "ouvidos?", "ears?"),
    "eye": ("dor nos olhos", "eye pain", "olhos?", "eyes?"),
    "neck": ("dor no pescoço", "neck pain", "pescoco|nuca", "neck"),
    "shoulder": ("dor no ombro", "shoulder pain", "ombros?", "shoulders?"),
    "knee": ("dor no joelho", "knee pain", "joelhos?", "knees?"),
    "hip": ("dor no quadril", "hip pain", "quadril", "hips?"),
    "leg": ("dor na perna", "leg pain", "pernas?|coxas?|panturrilhas?", "legs?|thighs?|calf|calves"),
    "foot": ("dor no pé", "foot pain", "pes?|tornozelos?|calcanhar", "foot|feet|ankles?|heels?"),
    "arm": ("dor no braço", "arm pain", "bracos?|cotovelos?", "arms?|elbows?"),
    "hand": ("dor na mão", "hand pain", "maos?|punhos?|dedos?", "hands?|wrists?|fingers?"),
    "muscles": ("dor muscular", "muscle pain", "muscular(?:es)?|musculos?|corpo", "muscles?|body"),
    "joints": ("dor nas articulações", "joint pain", r"articulac\w+|juntas", "joints?"),
}
_WORDS = {
    "head": ("dor de cabeça", "headache", "enxaquecas?|migraines?"),
    "dizziness": ("tontura", "dizziness", r"tonturas?|tont[oa]|vertige[mn]s?|dizz\w+|light-?headed\w*|vertigo"),
    "nausea": ("enjoo", "nausea", r"enjo\w+|nausea\w*|nauseous|queasy"),
    "vomiting": ("vômito", "vomiting", r"vomit\w*|threw up|throwing up"),
    "fever": ("febre", "fever", r"febre|febril|fever\w*"),
    "cough": ("tosse", "cough", r"tosse|tossindo|cough\w*"),
    "breath": ("falta de ar", "shortness of breath", "falta de ar|short(?:ness)? of breath|out of breath|breathless"),
    "palpitations": (
        "palpitação",
        "palpitations",
        r"palpita\w+|coracao (?:acelerado|disparado)|racing heart|heart racing",
    ),
    "tiredness": ("cansaço", "tiredness", "cansaco|fadiga|tiredness|fatigue|exaustao|exhaustion"),
    "itching": ("coceira", "itching", r"coceiras?|cocando|itch\w*|rash(?:es)?|alergia na pele|hives"),
    "diarrhoea": ("diarreia", "diarrhoea", "diarreia|diarrh?o?ea"),
    "constipation": ("prisão de ventre", "constipation", r"prisao de ventre|constipa\w+|intestino preso"),
    "heartburn": ("azia", "heartburn", "azia|refluxo|queimacao|heartburn|acid reflux"),
    "numbness": ("formigamento", "numbness", r"formiga(?:mento|ndo)|dormencia|dormente|numb\w*|tingl\w+"),
    "fainting": ("desmaio", "fainting", "desma(?:io|iei|iando)|faint(?:ed|ing)|passed out"),
    "swelling": ("inchaço", "swelling", "inchaco|inchad[oa]s?|swollen|swelling"),
    "bleeding": ("sangramento", "bleeding", r"sangrament\w+|sangrando|bleeding"),
    "vision": (
        "visão embaçada",
        "blurred vision",
        r"visao (?:embacada|turva)|vista embacada|blurr\w+ vision|vision is blurr\w+",
    ),
    "tinnitus": ("zumbido no ouvido", "tinnitus", "zumbidos?|tinnitus|ringing in my ears?"),
    "cramps": ("cãibra", "cramps", "caibras?|colicas?|cramps?"),
    "throat": ("dor de garganta", "sore throat", "sore throat"),
    "anxiety": ("crise de ansiedade", "anxiety attack", "crises? de (?:ansiedade|panico)|(?:anxiety|panic) attacks?"),
}
LABELS = {key: (pt, en) for key, (pt, en, *_) in (*_PARTS.items(), *_WORDS.items())}
"""What a complaint is called in Portuguese and in English."""

_PT = "|".join(f"(?P<pt_{key}>{words})" for key, (_, _, words, _) in _PARTS.items())
_EN = "|".join(f"(?P<en_{key}>{words})" for key, (_, _, _, words) in _PARTS.items())
PAIN_PT = re.compile(
    r"\b(?:dor(?:es)?(?: \w+)?(?: (?:de|d[oa]s?|n[oa]s?|em|no meu|na minha))? |"
    r"(?:doi|doem|doendo|doid[oa]s?|machuquei)(?: muito)?(?: (?:a|o|as|os|minhas?|meus?))? )"
    rf"(?:{_PT})\b"
)
HURTING_PT = re.compile(
    rf"\b(?:{_PT})(?: (?:direit[oa]|esquerd[oa]))? "
    r"(?:doi|doem|(?:ta|esta|estao|anda|vive|fica)(?:va)? doendo|doendo)\b"
)
PAIN_EN = re.compile(rf"\b(?:pain|ache|aching|sore\w*) (?:in|on) (?:my|the|both)(?: \w+)? (?:{_EN})\b")
HURTING_EN = re.compile(
    rf"\b(?:{_EN})[ -]?(?:aches?|pains?|(?:really |still )?hurts?|keeps? hurting|"
    r"(?:is|are|has been|have been|was) (?:\w+ )?(?:hurting|aching|sore|killing me))\b"
)
NAMED = re.compile("|".join(rf"(?P<{key}>\b(?:{words})\b)" for key, (_, _, words) in _WORDS.items()))

STEMS = (
    *("dor", "doi", "doe", "doid", "machuquei", "pain", "ache", "aching", "sore", "hurt", "killing me"),
    *("enxaquec", "migraine", "tont", "vertig", "dizz", "headed", "enjo", "nause", "queasy", "vomit", "threw up"),
    *("throwing up", "febr", "fever", "toss", "cough", "falta de ar", "breath", "palpita", "coracao", "heart"),
    *(
        "cansaco",
        "fadiga",
        "tiredness",
        "fatigue",
        "exaust",
        "exhaust",
        "coceira",
        "cocando",
        "itch",
        "rash",
        "alergia na pele",
    ),
    *("hives", "diarr", "prisao", "constipa", "intestino", "azia", "refluxo", "queimacao", "reflux", "formiga"),
    *("dormen", "numb", "tingl", "desma", "faint", "passed out", "incha", "swoll", "swell", "sangr", "bleed", "visao"),
    *("vista", "vision", "zumbido", "tinnitus", "ringing", "caibra", "colica", "cramp", "crise", "attack"),
)
"""Of these letters one at least stands in whatever names a complaint; looking for them first is ten times as quick."""

SENTENCE = re.compile(r"[^.!?;\n]+(?:[.,](?=\d)[^.!?;\n]+)*[.!?;\n]?")
NOT = re.compile(
    r"\b(?:nao(?! me engano)|nunca|sem|nenhuma?|not|never|without|don'?t|doesn'?t|didn'?t|isn'?t|haven'?t|hasn'?t)\b"
    r"(?:\W+\w+){0,4}\W*$|\bno(?: (?:more|real|major|other|further|significant|signs? of))*\W*$"
)
OVER = re.compile(
    r"\b(?:passou|sumiu|sumiram|melhorou|melhoraram|acabou|foi embora|nao (?:tenho|sinto|doi|estou)(?: \w+)? mais|"
    r"(?:is|are|was|it'?s) gone|went away|(?:got|is|are) better|no longer|anymore|any more|(?:has|have) stopped|"
    r"cleared up)\b"
)
OTHERS = re.compile(r"\b(?:ele|ela|eles|elas|dele|dela|he|she|they|his|her|their)\b")
OVER_NOW = re.compile(
    r"(?:(?:mas|e|gracas a deus|felizmente|hoje|hj|agora|ja|depois|finalmente|but|and|luckily|thankfully|today|"
    r"now|then|finally)[, ]+)*(?:passou|sumiu|melhorou|acabou|foi embora|"
    r"(?:estou|to|tou) (?:bem |muito )?(?:melhor|bem|boa|bom)|"
    r"(?:it'?s|it is|it was) (?:all |completely |finally )?(?:gone|over|better)|it (?:has |'s )?(?:went away|gone away|"
    r"passed|stopped|cleared up|got better)|i'?m (?:fine|better|ok|okay|all right|alright)|i am (?:fine|better))"
    r"(?:,? (?:ja|hoje|agora|tudo|de vez|now|today|already|completely|this morning))*[.!; \n]*"
)
"""A whole sentence after a complaint that says it is over: "Hoje passou", "It's gone now"."""
SOMEBODY = re.compile(
    r"^(?:(?:[OA]|Meus?|Minhas?|Os|As) (?P<told>[A-ZÀ-Ý]\w+)"
    r"|(?!I\b)(?P<name>[A-ZÀ-Ý][a-zà-ÿ]+)(?: (?:has|had|is|was|came|got|woke|went|gets|broke|"
    r"está|esta|tá|ta|estava|tava|anda|tem|teve|ficou|acordou|pegou|passou|voltou)|['’]s))(?!\w)"
)
"""An opening that makes a name the one who has it: "O Davi acordou com", "Theo came out in", "Tom's"."""
_NO_NAMES = (
    "hoje ontem anteontem agora ainda ja eu aqui isso isto tudo nada quem que quando onde tambem sempre nunca nao "
    "i we just also then and so but only never again "
    "today yesterday it that this there here what everything nothing tonight work life who where how let "
    "segunda terca quarta quinta sexta sabado domingo monday tuesday wednesday thursday friday saturday sunday "
    "manha noite tarde morning night afternoon evening trabalho pele skin nariz nose corpo body rosto face"
)
NO_NAMES = frozenset(_NO_NAMES.split())
"""Words that open a sentence with a capital and are nobody; parts of the body are none either."""
PARTS = re.compile(rf"(?:{'|'.join(f'{pt}|{en}' for _, _, pt, en in _PARTS.values())})")

OF_SOMEBODY = re.compile(
    r"\s+(?:del[ea]s?\b|of (?:his|hers|theirs)\b|"
    r"(?:d[aeo]s?|of)\s+(?:(?:minhas?|meus?|nossas?|nossos?|suas?|seus?|my|our|his|her|their|the)\s+)?(?P<whose>\w+))"
)
"""What may follow a complaint to say whose it is: "(a dor de cabeça) da minha mãe"."""
NO_OWNERS = frozenset({"covid", "dengue", "zika", "chikungunya", "influenza", "pascoa", "natal", "carnaval"})

UNREAL = re.compile(
    r"\b(?:(?:se|caso)(?: eu| a gente)?(?: tambem| ja| ainda| um dia)? (?:tivesse|estivesse|tiver|estiver|ficasse|"
    r"ficar|pegasse|pegar|sentisse|sentir|acordasse|acordar|aparecesse|aparecer|viesse|vier|desse|der|tenha|esteja|fique)"
    r"(?:\W+\w+){0,4}|(?:se|caso) (?:a|o|essa|esse|minha|meu)(?: \w+)?|"
    r"(?:teria|ficaria com|daria|me daria)(?: \w+){0,2}|"
    r"if (?:i|we)(?:'d| ever| also| should| still)? (?:had|have|get|got|were|was|feel|felt|develop|developed|"
    r"start|started|catch|caught|wake up|woke up|run|ran)(?:\W+(?!i\b)\w+){0,4}|"
    r"if (?:the|my|this|that|any|an?|another)(?: \w+)?|"
    r"(?:would(?:n'?t)?|i'd|it'd) (?:have|get|give me|be)(?:\W+\w+){0,2})\W*$"
)
"""Before a complaint that is only supposed: "se eu tivesse", "if I had a"."""

FIGURE = re.compile(r"(?:dor(?:es)? de cabeca|headaches?|pain in the neck)")
FIGURED_BEFORE = re.compile(
    r"(?<!\w)(?:(?<!tenho )(?<!sinto )(?<!sintoma )(?<!problema )(?<!queixa )"
    r"(?:é|eh|foi|era|são|virou|vira|sendo|sido|ser)(?: (?:só|mesmo|sempre|mais|realmente|apenas))* uma?(?: \w+)?|"
    r"(?<!there )(?<!symptom )(?<!problem )(?<!complaint )"
    r"(?:is|was|are|were|been|being|be|becoming|became|(?<!there)['’]s)"
    r"(?: (?:such|just|really|only|always|quite|still|turning into))* an?(?: \w+)?)\s+$"
)
FIGURED_AFTER = re.compile(
    r"\s*,?\s+(?:(?:ess[ea]s?|est[ea]s?|aquel[ea]s?) (?!(?:manha|tarde|noite|semana|mes|dia|hora|madrugada|fim)\b)\w+|"
    r"(?:this|that|these|those) (?:\w+ )?(?:project|job|client|thing|code|paperwork|deal|system|report|tax(?:es)?|"
    r"bug|task|meeting|move|renovation|contract|migration)s?\b|of an? (?:project|job|client|day|week|system|meeting)|"
    r"for (?:everyone|everybody|us|the (?:team|company|boss)))"
)
"""A headache that is a nuisance: "this project is such a headache", "que dor de cabeça esse projeto"."""

_COUNTS = (
    *("um uma a an one", "dois duas two couple", "tres three", "quatro four", "cinco five", "seis six"),
    *("sete seven", "oito eight", "nove nine", "dez ten", "onze eleven", "doze twelve"),
)
NUMBERS = {word: count for count, words in enumerate(_COUNTS, start=1) for word in words.split()}
UNITS = {"dia": 1, "day": 1, "semana": 7, "week": 7, "mes": 30, "month": 30, "ano": 365, "year": 365}
FOR = re.compile(
    r"\b(?:ha|faz|tem|por|for|the last|the past|nos ultimos|nas ultimas)"
    r"(?: (?:cerca de|uns|umas|quase|mais de|about|almost|over|the last|the past|a))? "
    rf"(?P<number>\d{{1,3}}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})(?: of)? "
    r"(?P<unit>dia|semana|mes|ano|day|week|month|year)(?:e?s)?\b"
)
BACK = {"hoje": 0, "today": 0, "this morning": 0, "ontem": 1, "yesterday": 1, "anteontem": 2}
_NAMES = (
    "segunda monday, terca tuesday, quarta wednesday, quinta thursday, sexta friday, sabado saturday, domingo sunday"
)
WEEKDAYS = {name: number for number, names in enumerate(_NAMES.split(", ")) for name in names.split()}
SINCE = re.compile(rf"\b(?:desde|since)(?: (?:a|o|ultim[ao]|last))* (?P<day>{'|'.join([*BACK, *WEEKDAYS])})\b")

SLEEP = re.compile(
    r"\b(?:(?:dorm\w+|durm\w+) (?:\w+ )?(?:mal|pouco|nada|pessim\w*|bem|melhor|\d+ horas?|so)|"
    r"nao (?:dormi|durmo|consigo dormir|consegui dormir)|insonia|noite (?:em claro|mal dormida)|"
    r"acord\w+ (?:no meio|de madrugada|varias vezes|cansad[oa])|"
    r"(?:slept|sleep|sleeping) (?:\w+ )?(?:badly|poorly|well|better|terribly|\d+ hours?|only)|"
    r"(?:can'?t|couldn'?t|didn'?t|trouble|hard to) (?:fall asleep|sleep\w*)|insomnia|sleepless|"
    r"woke up (?:\w+ )?(?:tired|exhausted|in the middle|at night))\b"
)
MEASURES = {
    "blood_pressure": re.compile(
        r"\b(?:pressao|blood pressure|bp)\b[^.!?;\n]{0,30}?\b\d{1,3} ?(?:por|x|/|over) ?\d{1,3}\b"
    ),
    "glucose": re.compile(r"\b(?:glicemia|glicose|glucose|blood sugar)\b[^.!?;\n]{0,30}?\b\d{2,3}\b"),
    "temperature": re.compile(
        r"\b(?:febre|temperatura|fever|temperature)\b[^.!?;\n]{0,20}?\b(?:3[5-9]|4[0-2]|9[5-9]|10[0-6])(?:[.,]\d)?\b"
    ),
    "heart_rate": re.compile(r"\b(?:batimentos?|frequencia cardiaca|heart rate|pulse)\b[^.!?;\n]{0,30}?\b\d{2,3}\b"),
}

ASK = re.compile(
    r"\b(?:(?:perguntar|questionar|confirmar|ver com|falar|contar|dizer|avisar|mencionar|tirar (?:\w+ )?duvida com)"
    r"(?: (?:pr[ao]|para|aos?|as?|os?|n[ao]|com|minha|meu))*|"
    r"(?:ask|asking|check with|confirm with|talk to|tell|mention to|bring up with)(?: (?:my|the|our|to|a))*) (?=\w)"
)
"""What stands before whom somebody wants to ask or tell something."""
WISH = re.compile(
    r"\b(?:preciso|precisava|tenho que|tenho de|quero|queria|vou|lembr\w+|nao (?:posso )?esquecer|devo|anot\w+|"
    r"need to|have to|want to|wanted to|should|must|gotta|going to|gonna|remember to|remind me|i'?ll|i'?d like to|"
    r"don'?t (?:let me )?forget)\b"
)
