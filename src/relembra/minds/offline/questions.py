"""What a question asks for: the words that carry it, whom and what it is about, and of what time."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from relembra.domain.inquiry import Inquiry
from relembra.domain.knowledge import KnowledgeType, LifeArea
from relembra.domain.message import Role
from relembra.domain.text import collapsed, fold
from relembra.domain.time import check_time, in_utc
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.flat import Flat, flattened, listed
from relembra.minds.offline.language import STOP_WORDS, Language, language_of
from relembra.minds.offline.names import FIRST_NAMES, RELATIONS
from relembra.minds.offline.question_times import asks_for_several, asks_of_before, period_of, speaks_of_past
from relembra.minds.offline.sentences import split_sentences

_MOST_LAYERS = 8
_TAIL_CHARACTERS = 60
_LONGEST_SMALL_TALK = 60
_MARKS = r"[\s,.!?:;…\-–—]*+"
_EDGES = " \t\r\n,.!?:;…-–—()"

_QUESTION = (
    r"what|what's|whats|which|who|who's|whom|whose|where|when|how|why|if|whether|the name"
    r"|que|qual|quais|quem|onde|quando|quanto|quanta|quantos|quantas|como|por que|se|o nome|o que|oq|em que|de que"
)
_GREETING = (
    r"(?:hi|hey|hello|heya|yo|hiya|oi+e?|ola|opa|alo|salve|fala|eai|e ai|bom dia|boa tarde|boa noite|good (?:morning"
    r"|afternoon|evening|night))"
)
_NAMED = r"(?: (?:there|again|everyone|all|gente|pessoal|galera|amig[oa]|denovo|de novo)| [a-z]{2,15}(?=[,!.]))?"
_FILLER = (
    r"(?:(?:ok|okay|oh|um|uh|hmm+|by the way|btw|anyway|actually|please|pls|thanks|thank you|thx|sorry|quick question"
    r"|one more thing|another thing|one question|(?:a |just a )?question|ei|ah|ahn|hum|entao|olha|escuta|cara|mano"
    r"|amig[oa]"
    r"|vei|tipo|alias|a proposito|por favor|porfa|pfv|pfvr|pf|por gentileza|obrigad[oa]|brigad[oa]|valeu|vlw|desculpa"
    r"|(?:so )?(?:uma|outra) (?:duvida|pergunta|coisa)|mais uma (?:coisa|pergunta)|tudo bem|td bem|blz|beleza"
    r"|(?:so|just)(?= (?:can|could|do|did|what|which|who|where|when|how|i (?:can't|cant|don't|was))))(?![a-z'])"
    r"|(?:so|well|right|now|alright|bom|ta|meu|ai|aqui|agora)(?=,)|(?:agora|now)(?= (?:me|can|could|tell|remind|voce"
    r"|vc) )"
    r"|(?:k{3,40}|(?:ha){2,20}h?|(?:rs){1,20})(?![a-z']))" + _MARKS
)
_LINK_ENGLISH = (
    r"(?: (?:again|please|pls|real quick|quickly|exactly))*+(?![a-z'])(?! to )[,:]?\s*(?:(?:if|whether|about|of"
    r"|that)\s+)?"
)
_LINK_PORTUGUESE = (
    r"(?: (?:de novo|ai|por favor|pfv|uma coisa|novamente|rapidinho))*+(?![a-z'])[,:]?\s*"
    r"(?:(?:se|sobre)\s+|que\s+(?=(?:eu|a gente|voce|vc|o|a|minha|meu)\s)|(?:de|do|da|dos|das)\s+(?!que\s|qual\s"
    r"|quem\s))?"
)
_ASKING_ENGLISH = (
    r"(?:(?:(?:can|could|would|will) (?:you|u|ya) (?:(?:please|kindly|maybe|possibly|also|just) )*+"
    r"(?:(?:remind|tell) me|help me (?:remember|recall|figure out)|let me know|remember|recall|check"
    r"|mind (?:telling|reminding) me)"
    r"|do (?:you|u|ya) (?:(?:still|happen to|by any chance|even) )*+(?:remember|recall|know)"
    r"|(?:i was|i am|i'm|im|i've been|was) (?:(?:just|actually) )?(?:wondering|curious|trying to (?:remember|recall))"
    r"(?: (?:if|whether) you (?:(?:could|can|would|might|still|happen to) )*+(?:remember|recall|know|(?:remind"
    r"|tell) me))?"
    r"|i(?:'d| would) (?:like|love) to (?:know|ask|remember|check)(?: you)?"
    r"|i (?:just )?(?:want|wanted|need|needed|wanna) (?:to )?(?:know|ask|check|remember|find out|confirm)(?: you)?"
    r"|(?:remind|tell) me|help me (?:remember|recall)|any (?:idea|chance you (?:remember|recall|know))|remember)"
    + _LINK_ENGLISH
    + r"|(?:i (?:can't|cannot|can not|cant|don't|dont|do not|couldn't) (?:(?:quite|really|even) )?(?:remember|recall"
    r"|know)"
    rf"|i(?:'ve| have)? (?:forgot|forget|forgotten))(?: exactly)? (?=(?:{_QUESTION})[\s']))"
)
_YOU = r"(?:voce|vc|ce|tu)"
_ASKING_PORTUGUESE = (
    rf"(?:(?:(?:sera que )?{_YOU} (?:(?:ainda|por acaso|tambem|ja) )*+(?:se )?(?:lembra|lembras|sabe|sabes|recorda"
    rf"|saberia"
    r"|lembraria)(?: (?:me )?(?:dizer|falar|informar))?"
    rf"|(?:sera que )?(?:{_YOU} )?(?:pode|poderia|podia|podes|consegue|conseguiria|tem como|da pra|daria pra|da para)"
    rf"(?: {_YOU})?(?: por favor)? (?:me )?(?:lembrar|dizer|falar|contar|informar|relembrar|ajudar a lembrar|recordar)"
    r"|(?:eu )?(?:so )?(?:queria|gostaria de|quero|preciso|precisava|gostava de|(?:es)?tava querendo|to querendo)"
    r" (?:so )?(?:te )?(?:saber|lembrar|perguntar|relembrar|confirmar|descobrir)"
    r"|(?:eu )?(?:estava|tava|to|estou|fiquei|fico)(?: aqui)?(?: me)? (?:perguntando|curios[oa]|na duvida)"
    r"|(?:me|nos) (?:diz|diga|fala|fale|conta|conte|lembra|lembre|relembra|relembre|informa|informe)"
    r"|(?:diz|diga|fala|conta|lembra|lembre|recorda)-me|(?:diz|fala|conta) ai|lembra(?= (?:d[aeo]s?|se|que|qual|quem"
    r"|quando"
    r"|onde|quanto|quantos|quantas|o que|como) ))"
    + _LINK_PORTUGUESE
    + r"|(?:eu )?(?:(?:nao|n|nem) (?:me )?(?:lembro|to lembrando|sei|recordo)(?: mais)?(?: (?:direito|bem))?|esqueci)"
    rf"(?: de)? (?=(?:{_QUESTION})\s))"
)
_BACK_TO_TALK = (
    r"(?:(?:i(?:'m| am| was|'ve been)? )?(?:(?:just|actually) )?(?:thinking of )?(?:looking back (?:at|on|to)"
    r"|going back (?:to|through|over)|thinking (?:back )?(?:about|of|on|to)|going through|reviewing|following up on)"
    r"|i (?:want|wanted|would like) to (?:follow up on|go back to|come back to))"
    r" our (?:[a-z]{1,12} )?(?:conversation|chat|discussion|talk)s? (?:about|on|regarding|of) "
    r"|(?:eu )?(?:estava|tava|to|estou|fiquei) (?:pensando|lembrando|olhando|relendo|revendo)(?: em| na| da| a| de)?"
    r" ?nossa (?:ultima |outra )?conversa (?:sobre |d[aeo]s? )"
)
_HEAD = re.compile(
    rf"[\s,.!?:;…–—-]*+(?:{_GREETING}{_NAMED}(?![a-z']){_MARKS}|{_FILLER}|{_BACK_TO_TALK}|{_ASKING_ENGLISH}"
    rf"|{_ASKING_PORTUGUESE})"
)
_TAIL = re.compile(
    r"(?:[\s,.!?…]|(?<=\w)[\s]+)(?:por favor|por gentileza|porfa|pfv|pfvr|pf|please|pls|plz|thanks|thank you|thx"
    rf"|obrigad[oa]|brigad[oa]|valeu|vlw|ne|hein|{_YOU} (?:se )?(?:lembra|sabe)|lembra|do you (?:remember|know|recall)"
    rf"|if you (?:can |still )?(?:remember|recall)|se {_YOU} (?:lembrar|puder|souber)|k{{3,20}}|(?:rs){{1,9}}"
    rf"|(?:ha){{2,9}}h?)"
    r"[\s?!.,…]*+$"
)
_MIDDLE = re.compile(
    r"(?:,? and|,|;) (?:i was wondering if you (?:could|can) (?:please )?|(?:can|could) you (?:please )?)remind me"
    r"(?: (?:of|about))?(?= )"
)
_SMALL_TALK = re.compile(
    rf"(?:{_GREETING}{_NAMED}[\s,!.]*)?(?:tudo (?:bem|bom|certo|joia)(?: (?:ai|com voce|contigo|por ai))?|td bem|blz"
    rf"|beleza"
    r"|como (?:vai|voce (?:esta|ta|vai)|vc (?:esta|ta|vai)|vao as coisas|ta)(?: voce| vc)?|how are (?:you|things"
    r"|u)(?: doing)?"
    r"(?: today)?|how's it going|what's up|hope (?:you|all|everything|this)\b.{0,40}|sorry (?:to bother|for)\b.{0,30}"
    r"|(?:thanks|thank you|thx|obrigad[oa]|brigad[oa]|valeu|vlw|desculpa)\b[^,:;?]{0,30}|quick question|one more thing"
    r"|(?:eu )?tenho uma (?:duvida|pergunta)|i have a (?:quick )?question|(?:can|could) you help me(?: with something)?"
    rf"|{_YOU} pode me ajudar(?: com uma coisa)?|me ajuda(?: com uma coisa)?|k{{2,40}}|(?:ha){{2,20}}h?|(?:rs){{1,20}}"
    r"|nice|great|cool|perfect|perfeito|legal|otimo|show|massa|ok|okay|yes|sim|certo|entendi|got it|i'm back|voltei"
    r"|quanto"
    r" tempo|long time no see)?"
)


def unwrapped(text: str) -> str:
    """What is asked, in the asker's own words; the text itself, trimmed, when nothing but wrapping is there."""
    pieces = []
    for start, end in split_sentences(text):
        check_time()
        piece = _bare(text[start:end])
        if piece:
            pieces.append(piece)
    return " ".join(pieces) or text.strip() or text


def _bare(sentence: str) -> str:
    """One sentence without its wrapping; nothing for small talk."""
    flat = flattened(sentence)
    raw, low = flat.raw, flat.text
    if "?" not in low and len(low) <= _LONGEST_SMALL_TALK and _SMALL_TALK.fullmatch(low.strip(_EDGES)):
        return ""
    start = 0
    for _ in range(_MOST_LAYERS):
        head = _HEAD.match(low, start)
        if head is None or head.end() == start or (head.end() < len(low) and _splits_word(low, head.end())):
            break
        start = head.end()
    kept, end = low[start:].strip(_EDGES), len(low)
    if not kept or (len(kept) <= _LONGEST_SMALL_TALK and _SMALL_TALK.fullmatch(kept)):
        return ""
    asked = ""
    for _ in range(_MOST_LAYERS):
        tail = _TAIL.search(low, max(start, end - _TAIL_CHARACTERS), end)
        if tail is None or not low[start : tail.start()].strip(_EDGES):
            break
        asked = asked or ("?" if "?" in tail[0] else "")
        end = tail.start()
    cut = raw[start:end].rstrip(" ,") + asked if end < len(low) else raw[start:]
    middle = _MIDDLE.search(low, start, end)
    if middle:
        cut = raw[start : middle.start()] + "," + raw[middle.end() : end].rstrip(" ,") + asked
    return " ".join(cut.split()) if "\n" in cut else cut.strip()


def _splits_word(low: str, at: int) -> bool:
    return low[at - 1].isalnum() and low[at].isalnum()


LIGHT = 0.3
"""Of a word that only builds a question, or names a time that was understood."""

_BUILDING = frozenset(
    listed(
        "remind reminds reminded recall recalls remember wonder wondering wondered know tell confirm clarify "
        "check find curious ask asking previous previously earlier before conversation conversations chat chats "
        "discussion discuss discussed discussing talk talked talking mention mentioned mentioning said say told "
        "referring refer referred follow going looking back many much total number amount often long times time "
        "happen happened happening event day days week weeks month months year years ago last past passed recent "
        "recently lately currently current now since between first second third earliest latest order most least "
        "more less which thing things something anything please thanks hi hey hello help want wanted like need "
        "get got think thinking thought suggest suggestions recommend recommendations advice tips ideas lembrar "
        "lembre lembra lembro recordar recorde saber sei dizer diga diz disse falou falar falamos contou contar "
        "confirmar perguntar pergunta anterior anteriores antes conversa conversas papo discussao discutimos "
        "conversamos mencionou mencionei citou comentou vezes vez quantidade numero aconteceu acontecer evento "
        "dia dias semana semanas mes meses ano anos atras ultimo ultima ultimos ultimas passado passada recente "
        "recentemente atualmente agora desde entre primeiro primeira segundo ordem coisa coisas algo alguma algum "
        "favor obrigado obrigada oi ola ajuda ajudar quero queria gostaria preciso acho pensando sugestao "
        "sugestoes recomendacao recomendacoes conselho dicas ideias sobre acerca respeito contei contamos falei "
        "comentei rolou fiz fizemos fez did done"
    )
)


def weights_of(text: str, analyzer: BilingualAnalyzer, *, dated: str = "") -> dict[str, float]:
    """The terms of a question with their weights; a word with two stems shares its weight between them.

    `dated`: the words that named a time. A question of nothing but small words is looked for by all of them.
    """
    times = set(analyzer.terms(dated)) if dated else set()
    weights: dict[str, float] = {}
    for word, terms in analyzer.words(text):
        weight = LIGHT if fold(word).replace("’", "'") in _BUILDING else 1.0
        for term in terms:
            share = weight / len(terms)
            if term in times:
                share = min(share, LIGHT)
            weights[term] = max(weights.get(term, 0.0), share)
    return weights or dict.fromkeys(analyzer.terms(text), 1.0)


LONGEST_NAME_WORDS = 5
_RELATIONS = frozenset(word for words in RELATIONS.values() for word in words.split("|"))
_NAME_WORD = re.compile(r"[^\W_]+")
_HANDLE = re.compile(r"(?<![\w@./])@(\w[\w.-]{0,63})")
# A relation word is the asker's own unless words around it give it to somebody else.
_MINE = re.compile(r"(?:^|[^a-z])(?:my|our|meu|minha|meus|minhas|nosso|nossa|nossos|nossas)(?: [a-z]{1,12}){0,2} $")
_THEIRS_BEFORE = re.compile(
    r"(?:(?:^|[^a-z])(?:his|her|their|your|seu|sua|seus|suas|teu|tua)"
    r"|(?<!when)(?<!who)(?<!what)(?<!where)(?<!how)(?<!why)(?<!that)(?<!here)(?<!it)'s) $"
)
_THEIRS_AFTER = re.compile(r" (?:d[aoe]s?|of|del[ea]s?)(?![a-z])")
_LOOKED_BACK = 40
_AMBIGUOUS = frozenset(listed("will may mark rose grace hope joy art faith sol rosa lua flor vitoria gloria clara luz"))


def handles_in(text: str) -> tuple[str, ...]:
    """Handles without their @, in order, each once however it is capitalised."""
    found: dict[str, str] = {}
    for match in _HANDLE.finditer(text):
        handle = match[1].rstrip(".-")
        found.setdefault(handle.casefold(), handle)
    return tuple(found.values())


def names_in(flat: Flat, known: Mapping[str, str]) -> tuple[str, ...]:
    """Subjects named, in order, each once: whole words, the longest name that fits first."""
    if not known:
        return ()
    spans = [match.span() for match in _NAME_WORD.finditer(flat.text)]
    plain = flat.raw.isascii()
    found: dict[str, None] = {}
    place = 0
    while place < len(spans):
        start = spans[place][0]
        for last in range(min(place + LONGEST_NAME_WORDS, len(spans)) - 1, place - 1, -1):
            end = spans[last][1]
            subject = known.get(flat.text[start:end])
            if subject is None and not plain:
                subject = _otherwise_written(flat.raw[start:end], known)
            if subject is not None and _is_meant(flat, start, end):
                found.setdefault(subject)
                place = last
                break
        place += 1
    return tuple(found)


def _otherwise_written(name: str, known: Mapping[str, str]) -> str | None:
    """The subject of letters that flattening leaves alone, or of a key that kept its accents."""
    subject = known.get(fold(name))
    return known.get(name.lower()) if subject is None else subject


def _is_meant(flat: Flat, start: int, end: int) -> bool:
    """Whether the word is a name here: a relation of the asker's own, or a common word written as a name."""
    name = flat.text[start:end]
    if name in _RELATIONS:
        before = flat.text[max(0, start - _LOOKED_BACK) : start]
        if _MINE.search(before):
            return True
        return not _THEIRS_BEFORE.search(before) and not _THEIRS_AFTER.match(flat.text, end)
    if name in STOP_WORDS or name in _AMBIGUOUS:
        before = flat.raw[:start].rstrip()
        opens = not before or before[-1] in ".!?\n"
        return flat.raw[start].isupper() and (not opens or name not in STOP_WORDS | {"will", "may"})
    return True


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
_ROLE_WORD = re.compile(r"[a-z]+")


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
    words = _ROLE_WORD.findall(core)
    if language is None:
        return any(word in {"eu", "meu", "minha", "meus", "minhas", "comigo"} for word in words)
    return any(
        word in _FIRST_PORTUGUESE or (_FIRST_ENDING.fullmatch(word) and word not in _NOT_FIRST) for word in words
    )


@dataclass(frozen=True, slots=True)
class Topic:
    """The words it is told by, where to look first when it is, and itself in a few words; by language."""

    words: Mapping[Language, str]
    types: tuple[KnowledgeType, ...]
    areas: tuple[LifeArea, ...]
    said: Mapping[Language, str]


TOPICS = msgspec.convert(
    tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8")), dict[str, Topic]
)

MOST_TOPICS = 4
_SHORTEST_LOAN = 4
_SHORTEST_STEM = 4
_TOPIC_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_POSSESSIVE = re.compile(r"'s?$")
# Words that share their stem with a topic's and mean something else.
_OTHERS = frozenset(
    listed(
        "livre livres livrar livrou conta contar conto contei contou come coming time times date dates cara caras"
        " tomar general generally universe particular nada copo copos capital capitais posto pena penas meio meios"
        " lead leads planet planets planeta planetas original passado passada metade metades notar sendo important"
        " curto curta vida vidas saia contrato contratos marcar marcou marquei melhor melhores prata chamar conhecer"
        " conheci conhece conheco conheceu conhecem deu showed showing shown minute minutes test tests likely likes"
        " liked gate gates certo certa quarta quebrei quebrar termina terminar terminou sentido santa santos prazer"
        " caminho corrido metros mind minds minded break breaks breaking step stepping engaging engage short"
        " friendly related relatively relatable national park parks program programs physical hand hands positive"
        " promote promotes promoting promotional meet meets met present order orders production productive"
        " productivity raised raises store stored storing object objects apart install installed installation"
        " operate operating operations operators master mastering booking busy assign suited named fire addressing"
        " mechanism mechanisms lively boot drain draining coating coated stream manage managed manages manageable"
        " managing management challenging targeted vents published publishing"
    )
)
# Expressions whose words tell of no topic.
_IDLE = listed(
    "i'm_meeting am_meeting are_meeting is_meeting by_the_way in_class_of por_conta dar_conta em_conta de_graca"
)
_MONTHS = frozenset(
    listed(
        "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro january february"
        " march april may june july august september october november december"
    )
)
_NO_TOPIC = STOP_WORDS | _OTHERS | _MONTHS | FIRST_NAMES["pt"] | FIRST_NAMES["en"]
# Told apart only by their accents.
_ACCENTED = {"país": ("travel",), "avós": ("family",), "fé": ("faith",), "pé": (), "céu": ()}


class _Table(NamedTuple):
    exact: dict[str, tuple[str, ...]]
    stems: dict[str, tuple[str, ...]]
    expressions: dict[str, list[tuple[tuple[str, ...], str]]]  # by their first word, longest first


def topics_in(flat: Flat, language: Language | None) -> tuple[str, ...]:
    """Topics, most told first, and of those told as often the first named first."""
    found: dict[str, int] = {}
    for topic in _told(flat, language):
        found[topic] = found.get(topic, 0) + 1
    return tuple(sorted(found, key=lambda topic: -found[topic])[:MOST_TOPICS])


def types_of(topics: Iterable[str]) -> tuple[KnowledgeType, ...]:
    """Kinds of knowledge to look at first, the first topic's first."""
    return tuple(dict.fromkeys(type for topic in topics for type in TOPICS[topic].types))


def areas_of(topics: Iterable[str]) -> tuple[LifeArea, ...]:
    """Areas of life to look at first, the first topic's first."""
    return tuple(dict.fromkeys(area for topic in topics for area in TOPICS[topic].areas))


def about(topics: Sequence[str], language: Language | None) -> str | None:
    """The first topic in a few words of the question's language, to compare in meaning with what is known: a question
    about dinner looks for tastes. None where there is no topic."""
    return TOPICS[topics[0]].said[language or "en"] if topics else None


def _told(flat: Flat, language: Language | None) -> Iterator[str]:
    spans = [match.span() for match in _TOPIC_WORD.finditer(flat.text)]
    words = [flat.text[start:end] for start, end in spans]
    tables = [_table(one) for one in ((language,) if language else ("pt", "en"))]
    done = 0
    for place, (start, end) in enumerate(spans):
        if place < done:
            continue
        expression = next((found for table in tables if (found := _expression(words, place, table))), None)
        if expression:
            size, topics = expression
            done = place + size
            yield from filter(None, topics)
            continue
        accented = _ACCENTED.get(flat.raw[start:end].lower())
        yield from _of_word(words[place], language) if accented is None else accented


def _expression(words: list[str], place: int, table: _Table) -> tuple[int, list[str]] | None:
    """The longest expression that begins here, and every topic it tells of."""
    size, topics = 0, []
    for rest, topic in table.expressions.get(words[place], ()):
        if len(rest) + 1 < size:
            break
        if tuple(words[place + 1 : place + 1 + len(rest)]) == rest:
            size = len(rest) + 1
            topics.append(topic)
    return (size, topics) if topics else None


@lru_cache(maxsize=20_000)
def _of_word(word: str, language: Language | None) -> tuple[str, ...]:
    word = _POSSESSIVE.sub("", word)
    languages: tuple[Language, ...] = (language,) if language else ("pt", "en")
    for one in languages:
        if topics := _in_language(word, one):
            return topics
    if language and len(word) >= _SHORTEST_LOAN and word not in _NO_TOPIC:
        other = _table("en" if language == "pt" else "pt").exact.get(word)
        if other:
            return other
    if "-" in word:
        return tuple(dict.fromkeys(topic for part in word.split("-") for topic in _of_word(part, language)))
    return ()


def _in_language(word: str, language: Language) -> tuple[str, ...]:
    table = _table(language)
    if word in table.exact:
        return table.exact[word]
    if len(word) < 3 or word in _NO_TOPIC:
        return ()
    for form in _near_forms(word):
        if form in table.exact:
            return table.exact[form]
    stem = _stem(word, language)
    return table.stems.get(stem, ()) if len(stem) >= _SHORTEST_STEM else ()


def _near_forms(word: str) -> Iterator[str]:
    """The other number of a word, for stems too short to be told by."""
    yield word.removesuffix("s") if word.endswith("s") else word + "s"


_ANALYZER = BilingualAnalyzer()


def _stem(word: str, language: Language) -> str:
    terms = _ANALYZER.terms(word)
    return (terms[0] if language == "pt" else terms[-1]) if terms else word


@cache
def _table(language: Language) -> _Table:
    """Made once, when a question in this language is first read."""
    table = _Table({}, {}, {})
    for name, topic in TOPICS.items():
        for entry in topic.words[language].split():
            if "_" in entry:
                first, *rest = entry.split("_")
                table.expressions.setdefault(first, []).append((tuple(rest), name))
                continue
            for index, key in ((table.exact, entry), (table.stems, _stem(entry, language))):
                if name not in index.get(key, ()):
                    index[key] = (*index.get(key, ()), name)
    for first, *rest in (entry.split("_") for entry in _IDLE):
        table.expressions.setdefault(first, []).append((tuple(rest), ""))
    for choices in table.expressions.values():
        choices.sort(key=lambda choice: -len(choice[0]))
    return table


LONGEST_LOOKED_AT = 40_000
READ_CHARACTERS = 4_000
"""Longer texts are judged by their end, where the question is."""
DATED_CHARACTERS = 1_500
"""As far back from the end as dates are looked for: those further up are a story's and not a question's."""

# Words that ask for one kind of knowledge whatever the topic.
_KINDS = (
    (
        KnowledgeType.PREFERENCE,
        re.compile(
            r"\b(?:favou?rites?|prefer(?:s|red|ence|ences)?|do i (?:like|love|hate|enjoy)|does [a-z]+ (?:like|love"
            r"|hate)"
            r"|favorit[oa]s?|preferid[oa]s?|prefir?[oae]|prefere|preferencias?|gost[oa]|odei[oa]|adoro|detesto|curto)\b"
        ),
    ),
    (KnowledgeType.GOAL, re.compile(r"\b(?:goals?|resolutions?|metas?|objetivos?|sonhos?|want to|pretendo|planejo)\b")),
    (
        KnowledgeType.PERSON,
        re.compile(r"\b(?:who(?:'s| is| are)|quem (?:e|eh|sao)|birthdays?|aniversarios?|niver)\b"),
    ),
)


class OfflineInquirer:
    """Reads questions in Portuguese and English by rules alone; safe to share between threads."""

    def read(self, text: str, *, now: datetime, known: Mapping[str, str] = {}) -> Inquiry:
        """The question taken apart; `InvalidInputError` only for a moment without a timezone."""
        in_utc(now, "now")
        read = _end_of(collapsed(text[-LONGEST_LOOKED_AT:]), READ_CHARACTERS)
        language = language_of(read)
        core = unwrapped(read)
        check_time()
        flat, bare = flattened(read), flattened(core)
        topics = topics_in(bare, language)
        check_time()
        role = role_of(bare.text, flat.text, language)
        advice = role is not Role.ASSISTANT and asks_advice(bare.text)
        before = asks_of_before(bare.text)
        check_time()
        looks_back = before or speaks_of_past(bare.text)
        kinds = [kind for kind, words in _KINDS if words.search(bare.text)]
        if advice:
            kinds.insert(0, KnowledgeType.PREFERENCE)
        dated = "" if advice else _end_of(read, DATED_CHARACTERS)
        check_time()
        period = period_of(dated, now=now, language=language, past=looks_back)
        return Inquiry(
            text=text,
            language=language,
            core=core,
            names=names_in(flat, known),
            mentions=handles_in(read),
            period=period,
            weights=weights_of(read, _ANALYZER, dated="" if period is None else period.text),
            topics=topics,
            about=about(topics, language),
            types=tuple(dict.fromkeys((*kinds, *types_of(topics)))),
            areas=areas_of(topics),
            role=role,
            past=before,
            ordered=asks_for_several(bare.text),
        )


def _end_of(text: str, limit: int) -> str:
    """The end of a long text, from the beginning of a word."""
    if len(text) <= limit:
        return text
    end = text[-limit:]
    space = end.find(" ")
    return end[space + 1 :] if 0 <= space < limit // 2 else end
