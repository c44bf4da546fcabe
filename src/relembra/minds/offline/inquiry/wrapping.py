"""A question without its wrapping: greetings, thanks, and the polite words before and after what is asked."""

from __future__ import annotations

import re

from relembra.domain.deadline import check_time
from relembra.minds.offline.flat import flattened
from relembra.minds.offline.sentences import split_sentences

__all__ = ["unwrapped"]

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
