"""Creeds, opinions, and what matters to somebody."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relembra.domain.attributes import FORMER
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


RULES: tuple[Rule, ...] = (
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
        r"|orthodox) (?:church|faith)|the jehovah's witnesses|buddhism|hinduism|religion)(?![a-z])", lambda m, c,
        h: [said("former_religion", c.cut(m, "v"), h)], when=lambda h: not (h.thought or h.negated or h.future),
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
