"""Whether a question is about how things were before, and whether it wants several things, a count or an order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from relembra.domain.inquiry import Period
from relembra.minds.offline.dates.calendar import plus_months
from relembra.minds.offline.dates.finder import read_dates
from relembra.minds.offline.dates.mention import DateMention, Kind, Precision
from relembra.minds.offline.flat import Flat, flattened, listed
from relembra.minds.offline.language import Language

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


RECENT = timedelta(days=30)
LONG_AGO_MONTHS = 12 * 50
MOST_DATES = 4
"""More than these do not narrow anything."""
_DAY = timedelta(days=1)

_VAGUE = re.compile(
    r"\b(?:recently|lately|of late|as of late|these days|nowadays|ultimamente|recentemente|n(?:os|esses) ultimos tempos"
    r"|de uns tempos pra ca|hoje em dia)\b"
)
_EARLIER_TODAY = re.compile(
    r"\b(?:just now|earlier today|a (?:moment|minute) ago|agora ha pouco|agora a pouco|agora pouco|mais cedo"
    r"|ainda agora)\b"
)
_ROLLING = re.compile(
    r"\b(?P<lead>in|over|during|within|for|n[oa]|dentro d[oa]) (?:the )?(?:past|last|ultim[oa]) (?P<unit>day|week"
    r"|month|year"
    r"|dia|semana|mes|ano)\b"
)
_DAYS_ROLLED = {"day": 1, "dia": 1, "week": 7, "semana": 7}
_MONTHS_ROLLED = {"month": 1, "mes": 1, "year": 12, "ano": 12}
_AGO = re.compile(r"^(?:ha|faz|tem|fazem|some|about)\b|\b(?:ago|atras|back)$")
_LOOKING_BACK: dict[Language, str] = {"pt": "foi em ", "en": "was in "}
_HOURS = frozenset({Precision.MINUTE, Precision.HOUR})
# "which race did I take part in a month ago": the preposition is the verb's
_LOOSE_IN = re.compile(
    r"\bin (?=(?:an?|one|two|three|four|five|six|\d{1,3}) (?:day|week|month|year)s? ago\b)", re.IGNORECASE
)
_AHEAD = re.compile(r"\b(?:next|proxim[oa]|que vem|amanha|tomorrow|tonight|hoje|today)\b")
_QUOTED = re.compile(r"\"[^\"]{1,200}\"|(?<!\w)'[^']{1,200}'(?!\w)|«[^»]{1,200}»")
_BEFORE = re.compile(r"\b(?P<word>before|prior to|until|till|by|up to|antes d[aeo]s?|ate|antes)(?: (?:the|o|a))? $")
_UNTIL = re.compile(r"(?:ate|until|till|by|up to)\b")
_AFTER = re.compile(r"\b(?:after|following|depois d[aeo]s?|apos|a partir d[aeo])(?: (?:the|o|a))? $")
# Said of itself, a mention is a time; otherwise it needs a word before it that makes it one.
_TOLD = re.compile(
    r"\b(?:last|this|next|past|ago|since|yesterday|today|tonight|tomorrow|week|weekend|month|(?<!new )year|years|now"
    r"|day"
    r"|passad[oa]s?|ultim[oa]s?|retrasad[oa]|est[ea]|ess[ea]|nest[ea]|ness[ea]|proxim[oa]s?|que vem|atras|ha|faz"
    r"|desde|ontem"
    r"|anteontem|hoje|amanha|semana|mes|ano|manha|tarde|noite|dia|between|from|entre)\b|\d{1,2}[/.-]\d{1,2}|\b(?:19"
    r"|20)\d\d-"
)
_LED = re.compile(
    r"\b(?:in|on|at|over|during|since|until|till|by|before|after|from|between|around|through|for|and|or|to|late"
    r"|early|mid"
    r"|em|n[oa]s?|durante|desde|ate|antes d[eoa]|depois d[eoa]|entre|la por|por volta de|ou|e|fim de|final de|comeco de"
    r"|inicio de|meados de|dia|pel[oa])(?: (?:the|o|a|dia|mes de|early|late|mid))? $"
)
_SINCE_MADE = frozenset({"from ", "of "})  # "a song from 1999"
_WEEKDAY = re.compile(r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)\b|\d")
_OF = re.compile(r"\bd[aeo]s? $")
_OPENING = re.compile(r"(?:^|[.!?,;:\n]\s*)$")
_GOES_ON = re.compile(
    r"\s*(?:$|[^\w\s']|(?:and|or|to|at|in|on|with|for|about|when|what|where|who|which|how|did|do|does|was|were|have"
    r"|had|has|is"
    r"|are|i|we|my|the|you|he|she|they|it|of|that|this|will|would|from|by|so|but|if|because|again|a|e|ou|o|os|as|com"
    r"|no|na"
    r"|em|de|do|da|eu|que|onde|quem|qual|quais|quando|como|para|pra|pro|por|meu|minha|vc|voce|quanto|quantas|quantos"
    r"|tenho"
    r"|tem|foi|fui|era|sobre|mesmo|passado|passada|sobre|a gente|ele|ela|ai|la)\b)"
)
_EVENT_BEFORE = re.compile(
    r"\b(?:copa|copa do mundo|mundial|olimpiadas?|jogos olimpicos|enem|fuvest|oscar|grammy|eleic(?:ao|oes)|rock in rio"
    r"|lollapalooza|bienal|gp|edicao|turma|modelo|versao|safra|world cup|olympics|super bowl|election|edition|class"
    r"|model"
    r"|version|festival|awards?|expo|cup|games|season|temporada)(?: d[eo]| of)?(?: the)? $"
)
_BIRTHDAY = re.compile(r"\b(?:birthdays?|born|aniversari\w{1,3}|niver|faz anos|nasc(?:i|eu|eram|imento))\b")
_CAPITAL_BEFORE = re.compile(r"[A-ZÀ-Ý][\wÀ-ÿ]* (?:d[eo] |of )?$")
_CAPITAL_AFTER = re.compile(r" (?!I\b)[A-ZÀ-Ý][a-zà-ÿ]+")


@dataclass(frozen=True, slots=True)
class _Stretch:
    begins: datetime
    ends: datetime
    start: int
    end: int
    precise: bool


def period_of(text: str, *, now: datetime, language: Language | None, past: bool) -> Period | None:
    """The one period named, or the whole that several span; `past`: the question's verbs look back."""
    text = _LOOSE_IN.sub("", text)
    flat = flattened(text)
    stretches: list[_Stretch] = []
    rolling = _ROLLING.search(flat.text)
    if rolling:
        stretches.append(_rolled(rolling, now))
    quoted = [match.span() for match in _QUOTED.finditer(flat.text)]
    plain = Flat(flat.raw, flat.text)  # without places: spans stay those of the flat text until the end
    for mention in read_dates(flat.raw, plain, said_at=now, language=language):
        within = any(first <= mention.start < last for first, last in quoted)
        rolled = rolling is not None and mention.start < rolling.end() and rolling.start() < mention.end
        if within or rolled or _VAGUE.match(flat.text, mention.start) or not _narrows(flat, mention, past=past):
            continue
        try:
            stretch = _stretch(flat, mention, now=now, language=language, past=past)
        except (ValueError, OverflowError):
            continue
        if stretch is not None:
            stretches.append(stretch)
    if len(stretches) > MOST_DATES:
        return None
    if not stretches:
        return _vague(text, flat, now)
    return _whole(text, flat, stretches)


def _whole(text: str, flat: Flat, stretches: list[_Stretch]) -> Period | None:
    begins, ends = min(one.begins for one in stretches), max(one.ends for one in stretches)
    start, end = flat.span(min(one.start for one in stretches), max(one.end for one in stretches))
    try:
        begins, ends = begins.astimezone(UTC), ends.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if begins >= ends:
        return None
    return Period(start=begins, end=ends, text=text[start:end], precise=all(one.precise for one in stretches))


def _vague(text: str, flat: Flat, now: datetime) -> Period | None:
    for pattern, begins in (
        (_EARLIER_TODAY, now.replace(hour=0, minute=0, second=0, microsecond=0)),
        (_VAGUE, now - RECENT if now.year > 1 else now),
    ):
        match = pattern.search(flat.text)
        if match:
            return _whole(text, flat, [_Stretch(begins, now, match.start(), match.end(), False)])
    return None


def _rolled(match: re.Match[str], now: datetime) -> _Stretch:
    unit = match["unit"]
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    begins = today - _DAYS_ROLLED[unit] * _DAY if unit in _DAYS_ROLLED else plus_months(today, -_MONTHS_ROLLED[unit])
    return _Stretch(begins, now, match.start() + len(match["lead"]) + 1, match.end(), True)


def _narrows(flat: Flat, mention: DateMention, *, past: bool) -> bool:
    """Whether a mention tells when, rather than naming an event, a habit, a length of time or a yearly day."""
    if mention.kind is not Kind.MOMENT:
        return False
    said = flat.text[mention.start : mention.end]
    if _TOLD.search(said):
        return True
    before, after = flat.text[max(0, mention.start - 40) : mention.start], flat.text[mention.end : mention.end + 20]
    if not past and _BIRTHDAY.search(flat.text):
        return False
    if _EVENT_BEFORE.search(before) or _CAPITAL_AFTER.match(flat.raw, mention.end):
        return False
    led = _LED.search(before)
    if said.isdigit():
        return (
            led is not None
            and led[0] not in _SINCE_MADE
            and not _CAPITAL_BEFORE.search(flat.raw, max(0, mention.start - 30), mention.start)
        )
    if after.startswith("'s") or not _GOES_ON.match(after):
        return False
    if led is not None or _OPENING.search(before):
        return True
    return _WEEKDAY.match(said) is not None and not _OF.search(before)


def _stretch(
    flat: Flat, mention: DateMention, *, now: datetime, language: Language | None, past: bool
) -> _Stretch | None:
    said = flat.text[mention.start : mention.end]
    begins, ends, precise = mention.begins, mention.ends, not mention.approximate
    if _AGO.search(said) and mention.precision not in _HOURS:
        begins, ends = _about(mention, now)
    elif past and begins > now and not _AHEAD.search(said):
        begins, ends = _last_time(flat.raw[mention.start : mention.end], now, language) or (begins, ends)
    before = flat.text[max(0, mention.start - 20) : mention.start]
    bound = _BEFORE.search(before)
    if _UNTIL.match(said) or (bound and _UNTIL.match(bound["word"])):
        begins, precise = plus_months(begins, -LONG_AGO_MONTHS), False
    elif bound:
        begins, ends, precise = plus_months(begins, -LONG_AGO_MONTHS), begins, False
    elif _AFTER.search(before):
        begins, ends, precise = ends, max(now, ends), False
    if begins >= ends:
        return None
    return _Stretch(begins, ends, mention.start, mention.end, precise)


def _about(mention: DateMention, now: datetime) -> tuple[datetime, datetime]:
    """Around so long ago: days exactly, weeks by three days, months and years by half of one; twice that if "some"."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    times = 2 if mention.approximate else 1
    months = (today.year - mention.begins.year) * 12 + today.month - mention.begins.month
    if mention.precision is Precision.WEEK:
        monday = today - today.weekday() * _DAY
        weeks = round((monday.date() - mention.begins.date()) / (7 * _DAY))
        middle = today - weeks * 7 * _DAY
        return middle - 3 * times * _DAY, middle + (3 * times + 1) * _DAY
    if mention.precision is Precision.MONTH:
        middle = plus_months(today, -months)
        return middle - 15 * times * _DAY, middle + (15 * times + 1) * _DAY
    if mention.precision is Precision.YEAR:
        middle = plus_months(today, -12 * (today.year - mention.begins.year))
        return plus_months(middle, -6 * times), plus_months(middle, 6 * times) + _DAY
    if mention.approximate:
        return mention.begins - _DAY, mention.ends + _DAY
    return mention.begins, mention.ends


def _last_time(said: str, now: datetime, language: Language | None) -> tuple[datetime, datetime] | None:
    """The occurrence that has begun already of something that was read as lying ahead."""
    for one in (language,) if language else _LOOKING_BACK:
        clause = _LOOKING_BACK[one] + said
        for mention in read_dates(clause, flattened(clause), said_at=now, language=one):
            if mention.begins <= now:
                return mention.begins, mention.ends
    return None
