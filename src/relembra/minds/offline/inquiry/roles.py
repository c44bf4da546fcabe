"""Whose words or life a question is about: the assistant's earlier words, or the asker."""

from __future__ import annotations

import re

from relembra.domain.message import Role
from relembra.minds.offline.flat import listed
from relembra.minds.offline.language import Language

__all__ = ["asks_advice", "role_of"]

_SAID_ENGLISH = (
    "said|told|recommended|suggested|mentioned|gave|given|wrote|written|explained|advised|proposed|listed|described"
    "|provided|shared|showed|shown|helped|made|came up with|created|sent|generated|drafted|answered|offered|named"
    "|taught|pointed|referred|promised|warned|talked about|brought up|put together|calculated|estimated|translated"
    "|summarized|outlined|taught|walked me|pitched|laid out|cited|compared"
)
_SAY_ENGLISH = (
    "say|tell|recommend|suggest|mention|give|write|explain|advise|propose|list|describe|provide|share|show|come up with"
    "|create|send|generate|draft|answer|offer|name|teach|point|refer|promise|warn|talk about|bring up|call|make|use"
)
_BETWEEN_ENGLISH = (
    r"(?:(?:also|just|already|once|originally|previously|first|had|have|guys|kindly|actually|recently|specifically|last"
    r"|earlier|even|initially|personally|never|ever|always|only) )*+"
)
_WORK_ENGLISH = (
    "recommendations?|suggestions?|advice|answers?|explanations?|repl(?:y|ies)|responses?|proposals?|tips?|instructions"
    "|summary|draft|recipes?|list"
)
_ASSISTANT_ENGLISH = re.compile(
    rf"\b(?:you(?:'ve|'d)? {_BETWEEN_ENGLISH}(?:{_SAID_ENGLISH})\b"
    rf"|(?:did|didn't) you {_BETWEEN_ENGLISH}(?:{_SAY_ENGLISH})\b"
    rf"|(?:have|had|haven't) you {_BETWEEN_ENGLISH}(?:{_SAID_ENGLISH})\b"
    r"|were you (?:saying|telling|recommending|suggesting|talking|explaining|describing)\b"
    rf"|your (?:(?!own\b)[a-z]{{1,15}} ){{0,2}}(?:{_WORK_ENGLISH})\b"
    r"|(?:recommended|suggested|given|provided|mentioned|written|proposed) by you\b)"
)
_SAID_PORTUGUESE = (
    "disse|disseste|falou|falaste|recomendou|recomendaste|sugeriu|sugeriste|indicou|indicaste|passou|passaste|escreveu"
    "|deu|deste|mencionou|explicou|explicaste|contou|contaste|listou|propos|aconselhou|citou|comentou|mandou|montou|fez"
    "|criou|ensinou|respondeu|mostrou|prometeu|avisou|calculou|resumiu|traduziu|ajudou|ofereceu|apresentou|descreveu"
    "|sugeria|dizia|falava|dito|falado|recomendado|sugerido|indicado|passado|explicado|escrito|dado|mencionado|elaborou"
)
_WORK_PORTUGUESE = (
    "recomendac(?:ao|oes)|sugest(?:ao|oes)|dicas?|indicac(?:ao|oes)|respostas?|conselhos?|explicac(?:ao|oes)|propostas?"
    "|receitas?|lista|resumo"
)
_ASSISTANT_PORTUGUESE = re.compile(
    r"\b(?:(?:voce|voces|vc|vcs|ce|tu)"
    r" (?:(?:ja|me|te|nos|so|nunca|sempre|tambem|tinha|havia|la|mesm[oa]|ai|antes|ate|um dia|ontem|acabou de me"
    r"|que) )*+"
    rf"(?:{_SAID_PORTUGUESE})\b"
    rf"|que (?:foi que )?me (?:{_SAID_PORTUGUESE})\b(?! (?:o|a|os|as|meu|minha) )"
    rf"|(?:sua|tua|suas|tuas|seu|teu|seus|teus) (?:(?!propri)[a-z]{{1,15}} ){{0,1}}(?:{_WORK_PORTUGUESE})\b"
    r"|(?:sugerid|recomendad|indicad|passad|escrit|dad)[oa]s? por (?:voce|vc|ti)\b)"
)
# "What's your advice for …" wants new advice, "what was your advice" the old.
_NEW_WORK = re.compile(
    r"\b(?:what(?:'s|s| is| are| would be)?|any of|qual|quais|que|eh?|sao|seria)(?: (?:a|o|as|os))? $"
)
# Who asks to be reminded of a talk wants what they did not say themselves, unless they say they did.
_OUR_TALK = re.compile(
    r"\b(?:our (?:[a-z]{1,12} )?(?:conversation|chat|discussion|talk|exchange|session)s?"
    r"|noss[ao]s? (?:ultim[ao]s? |outr[ao]s? |primeir[ao]s? )?(?:conversa|papo|bate-papo|chat|sessao)s?)\b"
)
_REMINDED = re.compile(
    r"\b(?:remind me|refresh my memory|do you (?:still |happen to )?(?:remember|recall)|me (?:re)?lembr(?:a|ar|e)"
    r"|(?:voce|vc|ce|tu) (?:ainda )?(?:se )?lembra)\b"
)
_OWN_WORDS = re.compile(
    r"\bi(?:'d|'ve| had| have| also| just)? (?:said|told|mentioned|asked|shared|described|wrote|gave|talked)\b"
    r"|\beu (?:te |lhe |ja )?(?:disse|falei|contei|mencionei|perguntei|comentei|pedi|mandei)\b"
)
_ADVICE = re.compile(
    r"\b(?:(?:any|some|have|got|few|more) (?:(?:good|other|new|more|quick|general) )?(?:tips|advice|suggestions"
    r"|recommendations|ideas|thoughts)\b|(?:tips|advice|suggestions|ideas) (?:on|for|to)\b|do you think\b"
    r"|how (?:can|should|could) (?:i|we)\b|dicas? (?:de|para|pra|pro)\b|(?:voce|vc|ce) acha\b|como (?:eu )?(?:posso"
    r"|devo)\b|(?:do|would|can|could|should) (?:you|u) (?:(?:please|also|maybe|kindly) )*+(?:recommend|suggest|advise"
    r"|propose)"
    r"|(?:^|please |and |any |some |got )(?:recommend|suggest|recommendations|suggestions|ideas)\b|should (?:i"
    r"|we) (?!know|remember|expect)"
    r"|what (?:can|could|should) (?:i|we) (?:cook|make|eat|watch|read|wear|do|buy|give|get|play|listen)"
    r"|give me (?:some |a few |an? )?(?:ideas?|tips?|suggestions?|recommendations?|advice)|help me (?:choose|pick"
    r"|decide|plan)"
    r"|(?:voce|vc|ce|tu) (?:me )?(?:sugere|sugeriria|recomenda|recomendaria|indica|indicaria|aconselha"
    r"|acha que eu devo)"
    r"|(?:voce |vc )?(?:pode|poderia|consegue) (?:me )?(?:sugerir|recomendar|indicar|aconselhar)"
    r"|me (?:sugere|sugira|recomenda|recomende|indica|indique|ajuda a (?:escolher|decidir|planejar)|da uma (?:dica"
    r"|ideia))"
    r"|(?:alguma|algumas|uma|umas|tem) (?:ideias?|dicas?|sugest(?:ao|oes)|recomendac(?:ao|oes)|indicac(?:ao|oes))\b"
    r"|(?:eu )?devo (?:comer|comprar|ler|assistir|vestir|fazer|usar|dar|ir)|devia (?:comer|comprar|ler|assistir|fazer)"
    rf"|what(?:'s|s| is| are) your (?:[a-z]{{1,15}} )?(?:{_WORK_ENGLISH})"
    rf"|(?:qual(?: eh?)?|quais(?: sao)?)(?: [oa]s?)? (?:su|tu|se"
    rf"|te)[a-z]{{1,2}} (?:[a-z]{{1,15}} )?(?:{_WORK_PORTUGUESE})"
    r"|o que (?:eu )?(?:posso )?(?:faco|fazer|comer|comprar|assistir|ler|vestir|cozinhar|ver)\b(?! (?:para"
    r"|pra) trabalho))"
)

_FIRST_ENGLISH = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|im|ive|my|mine|me|myself|we|we're|we've|our|ours|us)\b(?!')")
_FIRST_PORTUGUESE = frozenset(
    listed(
        "eu meu minha meus minhas me mim comigo conosco nosso nossa nossos nossas"
        " moro tenho gosto quero preciso sou estou to tou vou sinto acho faco sei posso devo bebo durmo tomo odeio amo"
        " prefiro curto corro ando fico digo falo leio ouco assisto ganho pago pretendo planejo chamo detesto adoro"
        " costumo consigo sofro nasci cresci comi bebi li vi vim fui fiz tive dei pude quis pus trouxe estive"
        " dormi vivi perdi recebi conheci aprendi decidi consegui pedi senti vendi corri escrevi assisti esqueci abri"
        " descobri subi escolhi sai cai morri prometi vesti investi parti dividi discuti"
        " fomos tivemos temos vamos somos estamos"
    )
)
_FIRST_ENDING = re.compile(r"[a-z]{2,}ei|[a-z]{3,}(?:amos|emos|imos)")
_NOT_FIRST = frozenset(
    listed("volei jersey ultimos proximos maximos minimos legitimos extremos supremos anonimos intimos otimos pessimos")
)
_ASKED_OF_SELF = re.compile(
    r"\ba gente\b|\b(?:onde|quando|quanto|como|que|com que) (?:trabalho|estudo|peso|treino|jogo|gasto|calco|visto"
    r"|uso)\b(?! d)"
)
_WORD = re.compile(r"[a-z]+")


def role_of(core: str, text: str, language: Language | None) -> Role | None:
    """The assistant when its own earlier words are asked for; else the user when the asker speaks of themselves.

    `text` is the whole question, flat, and `core` what is left of it without its wrapping.
    """
    if _OUR_TALK.search(text) and _REMINDED.search(text) and not _OWN_WORDS.search(text):
        return Role.ASSISTANT
    if language != "pt" and _said(_ASSISTANT_ENGLISH, core):
        return Role.ASSISTANT
    if language != "en" and _said(_ASSISTANT_PORTUGUESE, core):
        return Role.ASSISTANT
    return Role.USER if _first_person(core, language) else None


def asks_advice(core: str) -> bool:
    """Whether something new is wanted, for which what is liked matters and no date narrows."""
    return _ADVICE.search(core) is not None


def _said(pattern: re.Pattern[str], core: str) -> bool:
    for match in pattern.finditer(core):
        owned = match[0].startswith(("your", "su", "seu", "tua", "teu"))
        if not owned or not _NEW_WORK.search(core, max(0, match.start() - 30), match.start()):
            return True
    return False


def _first_person(core: str, language: Language | None) -> bool:
    if language != "pt" and _FIRST_ENGLISH.search(core):
        return True
    if language == "en":
        return False
    if _ASKED_OF_SELF.search(core):
        return True
    words = _WORD.findall(core)
    if language is None:
        return any(word in {"eu", "meu", "minha", "meus", "minhas", "comigo"} for word in words)
    return any(
        word in _FIRST_PORTUGUESE or (_FIRST_ENDING.fullmatch(word) and word not in _NOT_FIRST) for word in words
    )
