"""High-precision rules in Portuguese and English: they decide what needs no model, and say why.

A rule speaks only where it is nearly always right and is silent elsewhere. All patterns are matched on folded text
(lower case, no accents, straight apostrophes). What guards against words in another's mouth comes first: a fact
inside a translation exercise, a story or a supposition is nobody's fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from relembra.domain.knowledge import KnowledgeType
from relembra.domain.text import collapsed, fold, is_blank
from relembra.minds.offline.judges.values import Act

__all__ = ["Ruling", "rule_of"]

READ_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a rule says of a message; `kind` and `act` are None where it leaves them to the model."""

    name: str
    worth: bool
    kind: KnowledgeType | None = None
    act: Act | None = None


def rule_of(text: str) -> Ruling | None:
    """The first rule that speaks, or none."""
    shown = collapsed(text[:READ_CHARACTERS])
    if is_blank(shown):
        return Ruling(name="blank", worth=False, act=Act.STATEMENT)
    folded = " ".join(fold(shown).replace("’", "'").replace("`", "'").split())
    if not _LETTERS.search(folded):
        return Ruling(name="no words", worth=False, act=Act.SMALL_TALK)
    for name, act, pattern in _JUNK_ANYWHERE:
        if pattern.search(folded):
            return Ruling(name=name, worth=False, act=act)
    if _CODE.search(shown):
        return Ruling(name="code or log", worth=False, act=None)
    words = _WORDS.findall(folded)
    if len(words) <= 8 and all(word in _PLEASANTRIES or _LAUGHTER.fullmatch(word) for word in words):
        return Ruling(name="pleasantries", worth=False, act=Act.SMALL_TALK)
    if _ONLY_LINK.fullmatch(folded):
        return Ruling(name="a bare link", worth=False, act=Act.STATEMENT)
    if _another_mouth(shown, folded):
        return None
    for name, kind, pattern in _FACTS:
        if pattern.search(folded):
            return Ruling(name=name, worth=True, kind=kind)
    if _impersonal_question(folded, words):
        return Ruling(name="question without a person", worth=False, act=Act.QUESTION)
    if _impersonal_request(folded, words):
        return Ruling(name="request without a person", worth=False, act=Act.REQUEST)
    return None


def _rule(text: str) -> re.Pattern[str]:
    """A pattern written over several lines; a blank is any blank."""
    return re.compile("".join(line.strip() for line in text.strip().splitlines()))


_LETTERS = re.compile(r"[^\W_]")
_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_LAUGHTER = re.compile(
    r"k{2,}|(?:ha|he|hi|hua|rs|ah)+h?s?|l+o+l+|lmao+|rofl|a{3,}|o+i+|he+y+|hi+|n+o+|s+i+m+|y+e+s+|o+k+"
)
_ONLY_LINK = re.compile(r"(?:https?://|www\.)\S+")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PLEASANTRIES = _listed(
    """
    oi oie oii ola opa eai iae e ai fala salve alo bom boa dia tarde noite tudo bem td blz beleza certo ok okay okk
    tchau
    ate mais logo amanha falou flw fui abraco abracos bjs beijo beijos obrigado obrigada brigado brigada valeu vlw obg
    muito muita mesmo demais grato grata gratidao agradeco por pela ajuda nada imagina de sim nao claro entendi entendo
    legal massa top show otimo otima perfeito maravilha excelente bacana joia tranquilo suave combinado fechado isso
    aham
    uhum hmm hum ah aff nossa caramba eita vixe putz uau serio verdade vdd tmj tendi sei la talvez pode ser exato feliz
    natal ano novo pascoa pessoal gente galera fim semana feriado
    hi hello hey hiya yo sup howdy morning evening afternoon night good bye goodbye see you u later ya cya ttyl thanks
    thank thx ty tysm cheers so much a lot many appreciated appreciate it np welcome you're youre no yes yeah yep
    nope nah
    sure right alright fine cool nice great awesome perfect excellent amazing lovely brilliant sweet wow whoa omg oh
    really seriously exactly agreed true got gotcha i maybe lol haha hehe k kk there everyone all folks guys for the
    help your that's thats
    """
)

_CODE = re.compile(
    r"Traceback \(most recent call last\)|^\s*at [\w.$]+\([\w.]+:\d+\)|npm ERR!|\b(?:SELECT|UPDATE|INSERT INTO"
    r"|DELETE FROM)\b"
    r".{1,200}\b(?:FROM|SET|VALUES|WHERE)\b|^\s*def \w+\(.*\):|^\s*class \w+.*[:{]\s*$|^\s*import \w+|#include\s*<"
    r"|\bfunction \w*\(.*\)\s*\{|console\.(?:log|error)\(|public static void|=>\s*\{|</(?:div|p|span|body|html|script)>"
    r"|^\s*(?:const|let|var) \w+ ?=|\b(?:[\w]+\.)+\w*(?:Exception|Error)\b|\b(?:Key|Value|Type|Attribute|Index"
    r"|Module\w*)Error:"
    r"|^\W*\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d.*\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG)\b|^\[?(?:ERROR|WARN|INFO"
    r"|DEBUG)\]? .*[:/=]"
    r"|^\s*\{\s*\"\w+\"\s*:|^\$ \w+|^\s*git (?:commit|push|pull|rebase|clone)\b|\bdocker(?: run|-compose|:)|\bsudo \w+"
    r"|\bchmod \+x|print\(f?\"",
    re.MULTILINE,
)

_MEMORY = (
    r"(?:ignore|ignora|disregard|desconsidere|esqueca|forget)\w* (?:all |todas? |as |the |your |suas? |any )*"
    r"(?:previous|prior|earlier|above|instruc\w+|regras|rules|anterior\w*|prompt)"
    r"|^\W*(?:system|sistema|admin|developer note|system note|nota do sistema)\s*[:\]]"
    r"|(?:save|store|write|add|commit|put|record|log|salv\w+|grav\w+|guard\w+|adicion\w+|escrev\w+|registr\w+"
    r"|anot\w+|inclu\w+) "
    r"(?:\w+ ){0,3}(?:to|in|into|na|no|em|a) (?:your |the |sua |a |tua )?(?:long.term )?(?:memory|memoria)\b"
    r"(?!.{0,40}\b(?:i'm|i am|my|meu|minha|sou|tenho|moro)\b)"
    r"|(?:from now on|going forward|henceforth|de agora em diante|a partir de agora|daqui pra frente|doravante).{0,60}"
    r"(?:approv|aprovad|authori|autoriza|admin|discount|desconto|refund|reembols|no rules|sem regras|obey|obedec"
    r"|unlimited|ilimitad)"
    r"|^(?:please |por favor,? )?(?:delete|clear|wipe|erase|reset|forget|apag\w+|limp\w+|delet\w+|zer\w+|esquec\w+) "
    r"(?:\w+ ){0,2}(?:memor\w+|everything you know|tudo que (?:voce |vc )?sabe|the history|o historico|all you know)"
    r"|^(?:what|o que|oq|quais|list|lista|mostra|show)\b.{0,25}\b(?:do you remember|have you (?:stored|saved)|memories|"
    r"(?:voce |vc )?(?:lembra|sabe|guardou) (?:de|sobre) mim|know about me|memorias)"
    r"|^(?:do not|don't|dont|nao|never|nunca) (?:save|store|remember|record|note|salv\w+|guard\w+|anot\w+"
    r"|registr\w+|memoriz\w+) "
    r"(?:this|isso|any of this|nada disso|essa conversa|this conversation|o que)"
)
_FRAMED = (
    r"^(?:(?:oi|ola|hi|hey|please|por favor|pode|can you|could you|me)[,! ]+)*"
    r"(?:traduz\w*|translate|corrij\w+|corrige\w*|correct|proofread|fix|reescrev\w+|rewrite|parafrase\w+"
    r"|paraphrase|resum\w+|summari[sz]e|"
    r"passe para|analis\w+|analy[sz]e)\b[^:\"“]{0,40}[:\"“](?!.{0,300}[\"”].{25,})"
    r"|^(?:(?:oi|please|por favor|pode|can you|could you|me)[,! ]+)*(?:escrev(?:a|e|er)|write|cri[ae]|create"
    r"|invent[ae]?|make up|conta|tell me) "
    r"(?:me |pra mim )?(?:a |an |um |uma )?(?:short |little |pequen\w )?(?:story|poem|conto|historia|poema"
    r"|cronica|fanfic|scene|cena|monolog\w+|haiku|haicai|soneto|sonnet|"
    r"limerick|cordel|song|musica|letra)\b(?!.{0,80}\b(?:my|meu|minha|meus|minhas|our|nosso|nossa)\b)(?!.{100})"
    r"|^(?:finj\w|finge|faz de conta|pretend|role ?play|let's role ?play|vamos (?:fazer um )?(?:rpg|role ?play)"
    r"|act as|aja como|imagine que voce e|imagine you are|you are now|voce agora e)\b"
)
_SPAM = (
    r"(?:click|clique|clica|acesse|tap) (?:here|aqui|no link|the link|ja)\b|link (?:in|na) bio|(?:\d+ ?%"
    r"|r\$ ?\d+).{0,40}(?:\b(?:frete gratis|free shipping)\b|\boff\b.{0,80}(?:!|\blink|\bcupom|\bcoupon|\bcode|http))"
    r"|(?:voce|you(?:'ve|r)?)\b.{0,25}(?:foi sorteado|ganhou um|have been selected|been selected"
    r"|won a)\b.{0,60}(?:clique|click|acesse|claim|resgate|link)"
    r"|(?:seu|your) (?:codigo|verification|confirmation)\b.{0,25}(?:code|verificacao|acesso)?.{0,8}(?:is|e|:) ?\d{3,}"
    r"|vagas limitadas|limited (?:spots|time offer)|sem consulta ao spc|no credit check|(?:shop|buy|order"
    r"|compre) (?:now|ja|agora)\b"
)
_JUNK_ANYWHERE: tuple[tuple[str, Act | None, re.Pattern[str]], ...] = (
    ("told to the memory", Act.REQUEST, re.compile(_MEMORY)),
    ("text to work on", Act.REQUEST, re.compile(_FRAMED)),
    ("advertisement", Act.STATEMENT, re.compile(_SPAM)),
)

_OTHER_MOUTH = re.compile(
    r"\b(?:personagem|character|protagonist\w*|vilao|villain|heroina|heroine|roleplay|rpg|d&d"
    r"|conto|novel|"
    r"romance que|roteiro|screenplay|fanfic|capitulo|chapter|novela|filme|movie|serie|lyrics|letra da|musica que|song|"
    r"traduz\w*|translat\w*|corrig\w*|corrij\w*|frase|sentence|exemplo|example|enunciado|suponha\w*|suppose|"
    r"hypothetical\w*|hipotetic\w*|imagin[ae]\w*|digamos|let's say|vamos supor|faz de conta|pretend|finj\w+|"
    r"se eu (?:fosse|tivesse|morasse|ganhasse|pudesse)|if i (?:were|was|had|lived|won|could)|i wish i|quem me dera|"
    r"post|tweet|reddit|comentario|comment|jornal|news|noticia|article|artigo|manchete|headline|depoimento|testimonial|"
    r"ata da|resume\b|curriculo|cv\b|scene|cena|dizia|said the|disse o|disse a|person [ab]|pessoa [ab]|dialog\w*|"
    r"candidat[oa]|applicant|rainha d\w+|queen of|king of|reino|realm)\b"
    r"|^[^\w]*[\"“«*♪]"
)


def _another_mouth(shown: str, folded: str) -> bool:
    """Whether first-person words may be somebody else's."""
    return bool(_OTHER_MOUTH.search(folded)) or sum(shown.count(mark) for mark in '"“”«»*♪') >= 2


_ME = (
    r"(?:^|[.!?,;:\n] ?|\b(?:e|and|que|that|so|mas|but|pois|porque|because|actually|alias|btw|na verdade) )(?:eu |ja )?"
)
_KIN_PT = (
    r"(?:mae|pai|irma|irmao|esposa|mulher|marido|namorad[oa]|filh[oa]|avo|vo|tia|tio|prim[oa]|chefe|sogr[oa]"
    r"|cunhad[oa]|"
    r"noiv[oa]|net[oa]|sobrinh[oa]|enteado|enteada|melhor amig[oa]|ex)"
)
_KIN_EN = (
    r"(?:mom|mum|mother|dad|father|sister|brother|wife|husband|girlfriend|boyfriend|daughter|son|grandma"
    r"|grandmother|nan|"
    r"grandpa|grandfather|aunt|uncle|cousin|boss|best friend|fiancee?|nephew|niece|roommate|partner|ex)"
)
_FACTS: tuple[tuple[str, KnowledgeType | None, re.Pattern[str]], ...] = (
    ("states a name", KnowledgeType.FACT, _rule(rf"""
        {_ME}(?:meu nome (?:completo )?e |me chamo |my (?:full )?name is |my name's |i go by )[a-z]+
    """)),
    ("states an age", KnowledgeType.FACT, _rule(rf"""
        {_ME}(?:tenho \d\d anos(?! de )|i'm \d\d years old|i am \d\d years old|acabei de fazer \d\d anos|
        just turned \d\d)\b
    """)),
    ("states an allergy", KnowledgeType.FACT, _rule(rf"""
        {_ME}(?:sou (?:muito )?alergic[oa] a|tenho alergia a|i'm (?:\w+ )?allergic to|i am (?:\w+ )?allergic to|
        i have an? (?:\w+ )?allergy to|sou intolerante a|sou celiac[oa]|sou diabetic[oa])\b
    """)),
    ("states a home", KnowledgeType.FACT, _rule(rf"""
        {_ME}(?:moro em|moro no|moro na|nasci em|me mudei pra|mudei pra|i live in|i was born in|i grew up in|
        i moved to|i've lived in|
        i just moved to|we moved to|we live in) [a-z]
    """)),
    ("states a job", KnowledgeType.FACT, _rule(rf"""
        {_ME}(?:trabalho (?:como|de|na|no|com|numa|num) (?!tudo|isso)|i work (?:as an?|at|for|in) (?!night|all|home)|
        i'm an? (?:\w+ )?(?:nurse|teacher|engineer|lawyer|doctor|accountant|designer|chef|electrician|developer|
        programmer|student|architect)\b|
        sou (?:enfermeir[oa]|professora?|programadora?|advogad[oa]|engenheir[oa]|medic[oa]|arquitet[oa]|dentista|
        motorista|designer|jornalista))
    """)),
    ("states a tie", KnowledgeType.FACT, _rule(rf"""
        {_ME}(?:sou (?:casad[oa]|solteir[oa]|divorciad[oa]|viuv[oa]|separad[oa]|noiv[oa])|i'm (?:married|divorced|
        widowed|engaged|separated)|
        tenho (?:\d|um|uma|dois|duas|tres|quatro) (?:filh[oa]s?|irmaos?|irmas?)|i have (?:\d|a|one|two|three|
        four) (?:kids|sons?|daughters?|children|brothers?|sisters?))\b
    """)),
    ("states a diet or creed", None, _rule(rf"""
        {_ME}(?:sou (?:vegan[oa]|vegetarian[oa]|catolic[oa]|evangelic[oa]|espirita|ateu|ateia|budista|judeu|judia|
        muculman[oa]|umbandista)|
        i'm (?:a )?(?:vegan|vegetarian|catholic|atheist|muslim|jewish|buddhist|hindu|celiac|coeliac|diabetic))\b
    """)),
    ("tells of a person", KnowledgeType.PERSON, _rule(rf"""
        \b(?:minha|meu) {_KIN_PT} (?:[a-z]+ )?(?:se chama|chama-se|tem \d+ anos|mora em|trabalha (?:na|no|como|com)|
        faz aniversario|e alergic)|
        \bmy {_KIN_EN}(?:'s name is|'s called| is called| is named| [a-z]+ lives in| lives in| works (?:at|for|as|in)|
        's birthday is| is allergic)
    """)),
    ("tells of a turning point", KnowledgeType.MEMORY, _rule(rf"""
        {_ME}(?:fui (?:demitid[oa]|promovid[oa]|diagnosticad[oa]|contratad[oa]|aprovad[oa])|me formei|me casei|
        me divorciei|me separei|
        me aposentei|i (?:just )?(?:got|was) (?:fired|laid off|promoted|diagnosed|engaged|married|divorced|hired)|
        i (?:just )?graduated|i retired)\b|
        \b(?:minha|meu) {_KIN_PT} (?:[a-z]+ )?(?:morreu|faleceu)\b|\bmy {_KIN_EN} (?:died|passed away)\b|
        \bnasceu (?:a |o )?(?:minha|meu) (?:filh|net|sobrinh)|\bmy (?:son|daughter|baby|grandson|granddaughter) was born
    """)),
)  # fmt: skip

_FIRST_PERSON = re.compile(
    r"\b(?:eu|meu|minha|meus|minhas|mim|comigo|nosso|nossa|nossos|nossas|a gente|nos|i|i'm|im|i've|ive|i'd|i'll"
    r"|my|mine|"
    r"we|our|we're|we've|us|myself|sou|tenho|tinha|estou|tou|to|fui|moro|trabalho|quero|queria|preciso|gosto"
    r"|odeio|adoro|amo|"
    r"prefiro|tomo|faco|fiz|ganho|pago|sinto|vou|ia|posso|consigo|devo|sei|acho|tive|estava|comecei|parei|perdi"
    r"|comprei|"
    r"estudo|uso|como eu|vivo|peso|fico|tenho|jogo|toco|torco|durmo|acordo|me)\b"
)
_FIRST_VERB_SHAPE = re.compile(r"\b\w{2,}(?:ei|mos)\b")
_QUESTION_WORD = re.compile(
    r"^(?:e |mas |and |so |but |ok |oi |hey |hi )?(?:o que|oq|q e|qual|quais|quem|quando|onde|como|quanto|quantos"
    r"|quantas|"
    r"por que|porque|pq|what|what's|whats|who|who's|when|where|where's|how|how's|why|which|is it|is there"
    r"|are there|does|do (?:you|people|cats|dogs|they))\b"
)
_REQUEST_WORD = re.compile(
    r"^(?:please |por favor,? |pode |can you |could you |me )?(?:escrev(?:a|e|er)\b|write|draft|cri[ae]\b|create"
    r"|ger[ae]\b|generate|faz\b(?! (?:\d|mais|tempo|um|uma|dois|duas|tres|quatro|cinco|seis|dez|anos|dias|meses))"
    r"|faca\b|make\b|traduz(?:a|ir)?\b|translate|resum(?:a|e|ir)\b|summari|expli(?:ca|que|car)\b|explain|describe"
    r"|descrev(?:a|e|er)\b|list[ae]?\b(?! d[aeo])|compar(?:e|a|ar)\b|calcul(?:e|a|ar|ate)\b|convert|recomend(?:e|a)\b"
    r"|recommend|"
    r"sugira|sugere|suggest|indica\b|procure\b|procura\b|pesquis[ae]\b|search|find\b|toca\b|play (?:some|me|the"
    r"|a)\b|set (?:a|an)\b|turn (?:on|off)|liga\b|desliga\b|open\b|abre\b|"
    r"give me|tell me|show me|manda\b|conta\b|mostra\b|plan (?:a|an|the)\b|mont[ae]\b)"
)
_ASKS_FOR_ONESELF = re.compile(r"^(?:e |mas )?(?:como|onde|quando) \w{3,}o\b|^como d[eo] ")
_REASON = re.compile(r"[,;.] ?(?!por favor|please|pls|pfv)\w+ \w|\b(?:always|never|sempre|nunca)\b")
"""What follows a comma may be the reason for asking, and a standing wish is a preference."""
_OPEN_PERSON = re.compile(r"\b(?:she|he|her|his|ela|ele|dele|dela)\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")


def _impersonal_question(folded: str, words: list[str]) -> bool:
    """A question about the world: asked as one, and nobody of the speaker's in it."""
    return (
        len(words) <= 25
        and bool(_QUESTION_WORD.search(folded))
        and ("?" in folded or (len(words) <= 10 and "," not in folded))  # "onde ele dorme, eu durmo" asks nothing
        and not _ASKS_FOR_ONESELF.search(folded)
        and not _FIRST_PERSON.search(folded)
        and not _FIRST_VERB_SHAPE.search(folded)
        and not _OPEN_PERSON.search(folded)
        and not re.search(r"\?.*\w{3,}.*\w", folded)
    )


def _impersonal_request(folded: str, words: list[str]) -> bool:
    """A thing to do for the assistant, with nothing of the speaker's in it."""
    bare = re.sub(r"^(?:please |por favor,? |pode |can you |could you )?(?:me )?", "", folded)
    bare = re.sub(r"\b(?:give|tell|show|help|recommend|suggest) me\b|\b(?:pra|para) mim\b|\bfor me\b", "", bare)
    return (
        len(words) <= 20
        and bool(_REQUEST_WORD.search(folded))
        and not _REASON.search(folded)
        and not _FIRST_PERSON.search(bare)
        and not _FIRST_VERB_SHAPE.search(bare)
        and not _OPEN_PERSON.search(bare)
    )
