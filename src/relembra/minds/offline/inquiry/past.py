"""Whether a question is about how things were before, and whether it wants several things, a count or an order."""

from __future__ import annotations

import re

from relembra.minds.offline.flat import listed

__all__ = ["asks_for_several", "asks_of_before", "speaks_of_past"]

_STATES = (
    "weight|salary|address|job|jobs|goal|plan|favou?rite|boss|title|position|phone|rent|diet|routine|hair|number|password"
    "|major|dream|nickname|name before|budget|record|personal best|commute|roommate|team"
)
_LEFT = (
    "job|jobs|apartment|house|home|address|phone|number|car|boss|school|company|place|city|neighbou?rhood|roommate|email"
    "|password|laptop|computer|name|team|employer|therapist|doctor|landlord|routine|salary|hairstyle|diet"
)
_BEFORE_ENGLISH = re.compile(
    rf"\b(?:use[d]? to (?!seeing|having)|previously|formerly|originally|original|initially|old (?:{_LEFT})\b"
    r"|former (?!student)|previous (?!(?:conversation|chat|discussion|message|session|talk|question|answer|reply)s?\b)"
    r"|back (?:then|when|in)\b|in the past(?= ?[?.!,]| ?$)|at first\b|my (?:very )?first\b"
    r"|(?:what|which|who) was (?:my|our|the) first\b"
    r"|as a (?:kid|child|teenager|teen|student)|when i was\b|when (?:i|we) (?:lived|worked|studied|dated)|growing up"
    r"|did (?:i|we|he|she|they|[a-z]{2,12}) (?:live|work(?! (?:out|on))|weigh|believe|drive|own|earn|prefer)\b"
    r"|was i (?:living|working|studying|dating|driving|using|earning)"
    rf"|(?:what|who|where|how much) (?:was|were) (?:my|our) (?:[a-z]+ )?(?:{_STATES})\b)"
)
_BEFORE_WORD = re.compile(
    r"\bbefore (?:i|we|he|she|they|my|moving|getting|becoming|starting|changing|switching|joining|having|then|that"
    r"|this|the"
    r" (?:move|wedding|pandemic|divorce|baby|accident|surgery))\b|\bbefore[?.! ]*$"
    r"|\bantes (?:d[aeo]s?|que|disso|daquilo|desse|dessa)\b|\bantes[?.! ]*$|\bantes (?:eu|a gente)\b|\beu antes\b"
)
_LASTING = re.compile(
    r"\b(?:used|did|was|were|had|worked|lived|[a-z]{3,}(?:ava|avam|avamos)|era|eram|[a-z]{2,}zia|tinha|vivia|dirigia"
    r"|[a-z]{3,}ei|fui|fiz)\b"
)
_NOT_BEFORE = re.compile(
    r"\b(?:how many|how long|quantos|quantas|quanto tempo)\b.{0,80}\b(?:before|antes)\b|\bbefore or after\b"
    r"|\bantes ou depois\b"
)
_BEFORE_PORTUGUESE = re.compile(
    r"\b(?:antigamente|antig[oa]s?\b|anterior(?:es)?\b(?! conversa)|ex-(?:chefe|emprego|empresa|casa|carro)"
    r"|(?:qual|quem|como|onde) era(?! mesmo)\b|quais eram(?! mesmo)\b|costumava(?:m|mos)?\b|originalmente|inicialmente"
    r"|(?:no|o) (?:comeco|inicio)(?! d[aeo]s?\b)(?! de\b)|a principio\b|(?:meu|minha) primeir[oa]\b"
    r"|qual foi (?:o|a|meu|minha) primeir[oa]\b|quando eu (?:era|morava|trabalhava|estudava|tinha|namorava)"
    r"|na (?:minha )?(?:infancia|adolescencia|juventude)|na(?:quela)? epoca\b|naquele tempo"
    r"|(?:mor|trabalh|estud|gost|pes|ganh|us|namor|pag|trein|jog|calc|fum|consider)av(?:a|am|amos)\b|dirigia|fazia"
    r"|vivia"
    r"|bebia|comia|lia\b|era (?:meu|minha|o meu|a minha)\b|eram (?:meus|minhas))"
)
_IMPERFECT = re.compile(r"\beu (?:[a-z]{2,8} )?([a-z]{2,}(?:ava|ia))\b")
_NOT_IMPERFECT = frozenset(
    listed("tava estava queria podia sabia devia havia dia academia familia terapia noticia comecava falava dizia")
)
_CONVERSATION_BEFORE = re.compile(r"\b(?:conversa|papo|mensagem|sessao|chat)s? (?:anterior|antig)")

_SEVERAL = re.compile(
    r"\b(?:how many (?!years old)|how often|(?:the )?number of|all (?:the|my|of|our|those|these)\b|everything"
    r"|every time"
    r"|every [a-z]+ (?:i|we|that)\b|in (?:what|which) order|chronological|timeline|sequence of|order of (?:the|my)"
    r"|what (?:are|were) (?:my|the|our|some|all)\b|who are (?:my|the|our)\b|before or after|in total|altogether"
    r"|total (?:number|amount|cost|money|of|time|distance)|(?:each|various|different) [a-z]+s\b"
    r"|(?:make|give me|write) (?:me )?a (?:full |complete )?list"
    r"|quantos (?!anos (?:eu )?(?:tenho|tem|fiz|faz|vou fazer|ele|ela|[ao] ))|quantas|qtos|qtas|com que frequencia"
    r"|tod[oa]s (?:[oa]s|(?:meus|minhas|nossos|nossas|esses|essas))\b|tudo (?:o )?que|quais\b|(?:em|n[ao]) (?:que"
    r"|qual) ordem"
    r"|qual (?:foi )?a ordem|ordem cronologica|linha do tempo|sequencia d|antes ou depois|no total|ao todo|cada vez que"
    r"|fa(?:z|ca|zer) uma lista|quanto (?:eu )?(?:ja )?[a-z]+ (?:no|em) total)"
)
_LISTED = re.compile(r"(?:^|[.!?] )(?:me )?(?:list|lista|liste|listar|enumera|enumere|cite|cita|name all)\b")
_RANKED = re.compile(
    r"\b(?:first|earlier|earliest|later|last|sooner|primeiro|primeira|depois|antes|ultimo"
    r"|mais cedo)\b.{0,200}\b(?:or|ou)\b"
    r"|\b(?:or|ou)\b.{0,200}\b(?:first|earlier|later|sooner|primeiro|antes)\b"
)
_WHICH = re.compile(r"\b(?:which|what|who|qual|quem|o que|did|was)\b")
_PAST_CUE = re.compile(
    r"\b(?:did|didn't|was|were|had|went|told|said|have (?:i|we|you)|has (?:he|she)|i've|we've|fui|fiz|fez|foi|foram"
    r"|fomos|tive"
    r"|teve|era|estava|tava|disse|vi|comi|li|rolou|[a-z]{2,}(?:ei|ou|aram|ava|avam|avamos|eram|iram)|aconteceu)\b"
)
_NOT_PAST_CUE = re.compile(r"\b(?:vou|estou|sou|dou|irei|serei|farei|terei|estarei|volei)\b")


def asks_of_before(core: str) -> bool:
    """Whether it asks how things were, not how they are: "used to", "antigamente", "onde eu morava"."""
    if _CONVERSATION_BEFORE.search(core):
        core = _CONVERSATION_BEFORE.sub(" ", core)
    if _BEFORE_ENGLISH.search(core) or _BEFORE_PORTUGUESE.search(core):
        return True
    imperfect = _IMPERFECT.search(core)
    if imperfect and imperfect[1] not in _NOT_IMPERFECT and not imperfect[1].endswith("ria"):
        return True
    return bool(_BEFORE_WORD.search(core) and _LASTING.search(core) and not _NOT_BEFORE.search(core))


def asks_for_several(core: str) -> bool:
    """Whether one thing is not enough: a count, a list, or which came first."""
    if _SEVERAL.search(core) or _LISTED.search(core):
        return True
    return bool(_WHICH.search(core) and _RANKED.search(core))


def speaks_of_past(core: str) -> bool:
    """Whether any verb looks back."""
    return _PAST_CUE.search(_NOT_PAST_CUE.sub(" ", core)) is not None
