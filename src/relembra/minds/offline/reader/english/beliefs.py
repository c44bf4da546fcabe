"""Creeds, opinions, and what matters to somebody."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, predicate, said
from relembra.minds.offline.reader.english.words import clean

__all__ = ["CREEDS", "RULES"]

CREEDS = (
    r"(?:roman |greek |russian |eastern |practi[cs]ing |lapsed |devout |born-again"
    r" |reform |orthodox |sunni |shia |secular |cultural |committed |strict |evangelical"
    r" |non-practi[cs]ing |proud |lifelong |convinced )*(?:catholic|christian|protestant"
    r"|muslim|jewish|jew|hindu|buddhist|sikh|atheist|agnostic|mormon|quaker|baptist"
    r"|methodist|lutheran|anglican|presbyterian|evangelical|pentecostal|orthodox|jehovah's"
    r" witness|pagan|wiccan|taoist|jain|spiritist|baha'?i|humanist|secular humanist"
    r"|adventist|seventh-day adventist|episcopalian|unitarian|rastafarian|zoroastrian"
    r"|deist|latter-day saint|church of england|shinto|druid)s?"
)


_CREED = re.compile(rf"\b{CREEDS}\b")


def _creed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.negated and not head.ended):
        return
    if (
        re.match(
            r"\s(?:school|church|food|holiday|guilt|wedding|art|architecture|country|music"
            r"|friends?|family$|neighbou?rhood)\b",
            clause.flat[match.end() :],
        )
        and "family" not in clause.flat[match.end() : match.end() + 9]
    ):
        return
    verb = match[0].split()[0]
    gone = (
        head.ended
        or head.used
        or (head.past and verb not in ("converted",))
        or verb in ("raised", "brought", "left", "grew", "ex")
    )
    yield said(
        (FORMER if gone else "") + "religion",
        re.sub(r"^(?:an? )", "", clause.cut(match, "v")),
        head,
        changed=verb in ("converted", "became", "turned", "found") or head.changed,
    )


def _opinion(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER or head.negated or head.used:
        return
    value = clean(
        clause.cut(match, "v"), stop="and i'll|but|so|help|help me|because|and i", most=18, article=False, cut_and=False
    ) or clause.cut(match, "v")
    full = re.split(r",\s|\sand i'?ll\b|\sbut\s|\sbecause\s", clause.cut(match, "v"))[0].strip()
    if (
        len(full.split()) < 3
        or len(full.split()) > 22
        or re.match(
            r"(?:it's (?:ok|okay|fine|time|going|because)|i|you|we|it|that|this|he|she|they"
            r"|there|my|so|the (?:answer|code|file|link|problem|bug|meeting))\b",
            full.lower(),
        )
    ):
        return
    del value
    yield Said(attribute="opinion", value=full)


def _values(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER or head.negated:
        return
    value = clean(clause.cut(match, "v"), stop="because|so|but|money comes|which", most=10, article=False)
    value = re.sub(r"^(?:is|are|that) +", "", value)
    if value and not re.match(
        r"(?:it|this|that|you|your|he|she|they|what|these|nothing|your (?:help|time|opinion"
        r"|input))\b",
        value.lower(),
    ):
        yield Said(attribute="value", value=value)


_FIRM = re.compile(
    r"\b(?:die on (?:this|that) hill|imo|imho|hot take|unpopular opinion|change my mind|fight me|i said what i said|period"
    r"|no debate|don'?t @ me|mark my words|i stand by|controversial|if you ask me|in my book)\b"
)
_JUDGED = (
    r"(?:is|are|has|have|should(?:n'?t| not)?|needs?|deserves?|ruins?|ruined|beats?|makes?|does(?:n'?t)?|do(?:n'?t)?|will|can'?t"
    r"|was|were|aren'?t|isn'?t) (?!at\b|on\b|in\b|\d|due|late|coming|broken|down|here|there|going to|from|ready|open|closed)"
)
_DEFINITE = re.compile(
    r"(?:the|my|our|this|that|it|it's|its|he|she|they|i|i'm|im|you|we|there|someone|your|his|her|their|these|those|what|who|mom"
    r"|mum|dad|so|maybe|and|but|not|dinner|lunch|everyone here|[a-z]+'s)\b"
)


def _judged(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I think homework for under-tens is pointless": a judgement on things in general, not on the thing at hand."""
    if head.person == OTHER and not head.owned:
        return
    full = re.split(
        r",\s|\s(?:and|n) i(?:'?ll| will| say| mean)?\b|\sbut\s|\sbecause\s|\scuz\s", clause.cut(match, "v")
    )[0].strip()
    if not 3 <= len(full.split()) <= 22 or _DEFINITE.match(full.lower()):
        return
    yield Said(attribute="opinion", value=full)


def _firm(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if _FIRM.search(clause.sentence.lower()) and "?" not in clause.sentence:
        yield from _judged(match, clause, head)


def _not_believed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), most=7, article=False)
    if (
        head.person == SPEAKER
        and value
        and not re.match(r"(?:you|it|that|this|him|her|them|me|myself|us)\b", value.lower())
    ):
        yield Said(attribute="opinion", value=f"against {value}", content=f"Does not believe in {value}")


def _now_creed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != OTHER and not head.thought:
        yield Said(attribute="religion", value=clause.cut(match, "v"), changed=True)


_PATHS = (
    r"(?:wicca|paganism|buddhism|islam|christianity|judaism|hinduism|catholicism|sikhism|taoism|jainism|shinto|druidry"
    r"|quakerism|candombl[eé]|umbanda|santeria|spiritism|stoicism|zen)"
)


RULES: tuple[Rule, ...] = (
    anywhere(
        "opinion: i think", "think reckon feel swear",
        rf"\bi (?:honestly |really |just |still |genuinely |do |truly )*(?:think|reckon|feel|swear)(?: like| that)? (?P<v>[a-z][^;!?()\n\""
        rf"]{{2,60}}? {_JUDGED}[^;!?()\n\"]{{3,90}})", _judged,
    ),
    anywhere(
        "opinion: firm", "hill imo imho take opinion mind fight said period debate me words stand controversial should is are",
        rf"^\W*(?:(?:tbh|honestly|look|ok|so|imo|hot take|unpopular opinion)\W+)*(?P<v>[a-z][^;!?()\n\"]{{2,60}}? {_JUDGED}[^;!?()\n\"]"
        r"{3,90})", _firm,
    ),
    predicate(
        "opinion: don't believe", "believe in|agree with|hold with|approve of|see the point of|see the point in", r"\s{V}", _not_believed, third=False,
        when=lambda h: h.negated and not h.ended and not h.thought,
    ),
    predicate(
        "opinion: politics", "a|an|politically|pretty|very|staunchly|a lifelong|pro|anti|pro-choice|pro-life|left-wing|right-wing", "", lambda m, c, h: [Said(attribute="opinion", value=c.cut(m, "v"),
        content=f"Is {m[0]}")] if h.person == SPEAKER and not h.past else [], be=True, whole=
        r"(?:politically |pretty |very |staunchly )?(?:an? )?(?:lifelong |proud |committed |staunch |registered |card-carrying )*(?P<v>socialist|communist"
        r"|anarchist|libertarian|feminist|environmentalist|republican|democrat|tory|pacifist|labour (?:voter|member|supporter)|green party member"
        r"|monarchist|left-wing|right-wing|progressive|capitalist|(?:pro|anti)-[a-z]{3,})(?![a-z-])",
    ),
    anywhere(
        "religion: path", "path faith religion practice", rf"(?P<v>{_PATHS}) is my (?:path|faith|religion|practice)\b", _now_creed,
    ),
    anywhere(
        "religion: these days", "days now nowadays", rf"(?:^|, |\b(?:but|and|so|then) )\W*(?P<v>{CREEDS}) (?:now|these days|nowadays)\b",
        _now_creed,
    ),
    anywhere(
        "religion: until", "til till until",
        rf"\b(?:was|were) (?:an? )?(?P<v>{CREEDS}|jehovahs witness|mormon|in the church) (?:til|till|until)\b", lambda m, c, h: [said(
        "former_religion", c.cut(m, "v"), h)] if not h.negated else [],
    ),
    anywhere(
        "value: nothing more", "matters nothing", r"\bnothing (?:matters|means|is) (?:more|more important)(?: to me| for me)? than (?P<v>[^;!?()\n]{3,50})", _values,
    ),
    anywhere(
        "value: first", "first before over above",
        r"^\W*(?P<v>family|faith|honesty|loyalty|kids|health|people|freedom|safety|friends|god|quality|community|kindness|respect|peace"
        r"|integrity|my (?:kids|family|health|peace|word)) (?:first|before (?:everything|anything|work|money)|(?:over|above) (?:everything"
        r"|all|money|fame|success))\b", lambda m, c, h: [Said(attribute="value", value=c.cut(m, "v"))],
    ),
    predicate(
        "religion: be", "a|an|catholic|christian|protestant|muslim|jewish|hindu|buddhist|sikh|atheist"
        "|agnostic|mormon|quaker|baptist|methodist|lutheran|anglican|evangelical|pagan"
        "|wiccan|roman|greek|orthodox|practising|practicing|lapsed|devout|raised|brought"
        "|born-again|jehovah's|humanist|secular|spiritist|ex|still", "", _creed, be=True, bare=True, whole=
        rf"(?:raised |brought up |an? )*(?P<v>{CREEDS})(?![a-z])", when=always,
    ),
    predicate(
        "religion: left", "left",
        r"\s(?P<v>islam|christianity|judaism|catholicism|the (?:catholic|mormon|anglican"
        r"|orthodox) (?:church|faith)|the jehovah's witnesses|buddhism|hinduism|religion|the (?:church|faith|witnesses|lds church|temple))(?![a-z])", lambda m, c,
        h: [said("former_religion", c.cut(m, "v"), h)] if not (" church" in m["v"] or "faith" in m["v"]) or not _CREED.search(c.sentence.lower()) else [], when=lambda h: not (h.thought or h.negated or h.future),
    ),
    predicate(
        "religion: turned", "converted|became|turned|raised|brought|grew|found|left|follow|practice|practise"
        "|grew up", "", _creed, bare=True, whole=
        rf"(?:converted to|became|turned|raised|brought up|grew up|found|follow|practi[cs]e)\s(?:an"
        rf"?\s|in an?\s)?(?P<v>{CREEDS}|christianity|islam|judaism|buddhism|hinduism"
        rf"|catholicism|sikhism|the orthodox church)(?![a-z])", when=lambda h: not h.be,
    ),
    predicate(
        "religion: do", "pray five times|go to mass|goes to mass|go to church|goes to church|keep"
        " ramadan|observe ramadan|observe shabbat|keep shabbat|keep the sabbath|observe"
        " lent|fast during ramadan|go to temple|go to synagogue|go to mosque|observe"
        " the sabbath|don't believe in god|believe in god|don't believe in any god", r"(?P<v>[^;!?()\n,]{0,40})",
        lambda m, c, h: [said("religion", clean(c.raw[m.start() : m.end()], article=False, most=8), h)], when=
        lambda h: not (h.negated or h.thought or h.used or h.future or h.ended),
    ),
    anywhere(
        "opinion: believe", "believe imo imho opinion unpopular take think view convinced hill",
        r"(?:\bi(?:'m| am)? (?:firmly |truly |strongly |genuinely |honestly |really"
        r" |deeply |still )*(?:believe|convinced|reckon)(?: that)?|\bimo|\bimho|\bin"
        r" my (?:honest |humble )?(?:opinion|view|book)|\b(?:unpopular|hot|controversial)"
        r" (?:opinion|take)\s?:?|\bmy (?:view|opinion|take|stance) is(?: that)?|\bi(?:'m"
        r"| am) of the opinion that|\bif you ask me)[,:]?\s(?P<v>[^;!?()\n\"]{10,140})", _opinion,
    ),
    anywhere(
        "opinion: imo last", "imo imho opinion ask",
        r"^\W*(?P<v>[a-z][^;!?()\n\"]{8,120}?),? (?:imo|imho|in my (?:honest |humble"
        r" )?opinion|if you ask me)\W*$", _opinion,
    ),
    predicate(
        "opinion: against", "against|in favour of|in favor of|pro|opposed to|for|a believer in|a firm"
        " believer in|a big believer in|anti",
        r"\s(?P<v>(?!the (?:wall|clock)|it|this|that|you|now|me\b|life|real|sure)[^;!?()\n]{3,60})", lambda m, c,
        h: [Said(attribute="opinion", value=f"{m[0][: m.start('v') - m.start()].strip()} {v}")] if m[0].split()[
        0] != "for" and h.person == SPEAKER and not (h.negated or h.thought) and (v := clean(c.cut(m, "v"),
        article=False, most=8)) else [], be=True, when=always,
    ),
    predicate(
        "value: i value", "value|prize|cherish|treasure|stand for|live by", r"\s{V}", _values, when=lambda h:
        not h.thought, third=False,
    ),
    anywhere(
        "value: matters", "matters matter important sacred everything priority non-negotiable first"
        " comes means values", r"^\W*(?P<v>[a-z][\w' -]{2,50}?)\s(?:(?:really |always |truly )?matters? (?:most"
        r" |more |a lot |the most |deeply |so much )?to me|(?:is|are) (?:really |very"
        r" |so |extremely |super |incredibly )?(?:important|sacred|everything|non-negotiable"
        r"|crucial|paramount) (?:to|for) me|(?:is|are) (?:everything|my (?:top |number"
        r" one |first |biggest |main )?priority|sacred to me|non-negotiable)|(?:always"
        r" )?comes? first(?: for me| with me)?|means? (?:everything|the world|a lot)" r" to me)", lambda m, c, h:
        _values(m, c, Head(name="self", person=SPEAKER)) if not re.match(
        r"(?:it|this|that|you|your|what|which|everything|he|she|they|safety|customer)\b", m["v"]) and (h.person
        != OTHER or h.owned) else [],
    ),
    anywhere(
        "value: what matters", "matters important care value",
        r"\bwhat (?:really |truly )?(?:matters (?:most )?(?:to me)?|i (?:value|care"
        r" about) (?:most|the most|more than anything)|is (?:most )?important to me)(?:"
        r" [\w ]{0,20}?)? is (?P<v>[^;!?()\n]{3,70})", _values,
    ),
    anywhere(
        "value: most important", "important priority priorities values value",
        r"\b(?:the most important (?:thing|value|part)(?: in life| for me| to me| of"
        r" my life)*|my (?:top |biggest |main |number one |core )?(?:priority|value"
        r"|priorities|values)(?: in life| right now)?) (?:is|are) (?P<v>[^;!?()\n]{3,60})", _values,
    ),
    predicate(
        "value: care", "care deeply about|care a lot about|care about|care so much about|believe"
        " in|care most about", r"\s{V}", lambda m, c, h: _values(m, c, h) if not re.match(
        r"(?:you|it|that|this|god|him|her|them|my (?:hair|looks)|ghosts|santa|love" r" at|fate|astrology|the)\b",
        m["v"]) else [], third=False, when=lambda h: not (h.thought or h.negated or h.used),
    ),
)  # fmt: skip
