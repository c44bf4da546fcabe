"""Who somebody is and where, said in passing: "as a Canadian", "a 52-year-old like me", "here in Leeds"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import listed
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.beliefs import CREEDS
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.identity import NATIONS
from relembra.minds.offline.reader.english.jobs import job_of
from relembra.minds.offline.reader.english.saying import anywhere, predicate, told

__all__ = ["RULES", "place_at"]


_CAPITAL = re.compile(
    r"(?:the )?(?:(?:[Ee]ast|[Ww]est|[Nn]orth|[Ss]outh|downtown|upstate|central|rural|inner|greater|old) )?"
    r"[A-ZÀ-Þ][\w'’-]+(?: (?:(?:on|upon|of|de|la|el|sur) )?[A-ZÀ-Þ][\w'’-]+){0,3}"
)


_SMALL = re.compile(
    r"(?:(?:east|west|north|south|downtown|upstate|new|san|santa|los|las|st|fort|port|el|la) )?[a-z]{3,14}"
    r"(?=\s*(?:$|[,.!?)(]|\b(?:and|so|but|by|near|for|where|since|now|rn|btw|with|w|over|these|cuz|bc|tho|n|til|at|in"
    r"|on|this|all|dude|lol|until|yall|if)\b))"
)


_NO_PLACE = STOP_WORDS | frozenset(
    listed(
        "bed class line court traffic town general hospital school work fact case total trouble debt love need charge"
        " life jail prison person public private stock progress session theory practice pain shock shape touch time"
        " house home office room kitchen basement car bus train plane garden yard shower bathroom lab library gym"
        " meeting english spanish french german winter summer spring autumn fall january february march april june"
        " july august september october november december monday tuesday wednesday thursday friday saturday sunday"
        " mountains country city suburbs countryside woods middle states area end front back past future morning"
        " evening afternoon night college uni university kindergarten therapy recovery remission uniform pyjamas"
        " meetings touch contact talks surgery jail rehab lockdown quarantine agony production print storage band bands sales"
        " tech finance retail construction nursing hospitality education banking marketing customer recruitment healthcare"
        " insurance politics relationship relationships business it hr media law medicine research accounting logistics music"
        " bitcoin crypto stocks cash advance detail person bulk mind favor favour secret silence peace hell heaven"
    )
)


def place_at(clause: Clause, start: int) -> str:
    """A place that may begin here: capitalised words, or, where nobody bothers with capitals, a word no place lacks."""
    found = _CAPITAL.match(clause.raw, start)
    if found:
        words = found[0].split()
        if words[-1].lower() in _NO_PLACE or words[0].lower() in _NO_PLACE - {"the", "new"}:
            return ""
        return "" if words[0] == "I" or re.fullmatch(r"(?:I'm|GMT|UTC|[A-Z]{2,5}\+.*)", found[0]) else found[0]
    if not clause.message.islower():
        return ""
    small = _SMALL.match(clause.flat, start)
    if small is None or any(word in _NO_PLACE for word in small[0].split()) or small[0].endswith(("ing", "ed", "ly")):
        return ""
    return clause.raw[slice(*small.span())]


_ROLES = frozenset(
    listed("owner head lead partner hand boss model server worker runner keeper player guide guard host")
)


_NATION = re.compile(rf"(?:{NATIONS}|us|uk|eu)(?:[- /](?:{NATIONS}))?(?![a-z])")


_AGED = re.compile(r"(?P<n>[1-9]\d)[- ]?(?:(?:year|yr)s?[- ]?olds?|y/?o)\b")


_DIET = re.compile(
    r"(?:strict |lifelong |long-?time |new |fellow |recent )?(?P<v>vegan|vegetarian|pescatarian|veggie)\b"
)


_CREED = re.compile(rf"(?P<v>{CREEDS})(?![a-z])(?! (?:school|church|wedding|holiday|country|service|festival))")


_COSTUME = re.compile(
    r"\b(?:dress\w*(?: up)?|went|go|going|act\w*|pos\w+|cast|work\w*|hired|train\w*|consider\w*|see[ns]?|treat\w*|used?"
    r"|job|role|disguised|known|such|same|serv\w+|start\w*|career|him|her|them|you|it|regarded|describ\w+|twice|soon"
    r"|well|far|long|same|much|many|good|bad|just|myself|me|us|(?:re)?train\w*|considering|life|qualified|identify)\s*$"
)


_SINCE = re.compile(r"\b(?:kid|child|teen\w*|joke|result|rule|gift|treat|favou?r|family|team|couple|group)\b")


_FIRST = re.compile(r"\b(?:i|i'm|im|i've|me|my|we|our|us)\b")


_OPENS = re.compile(r"\W*(?:(?:so|and|but|well|honestly|look|ok)\W+)*")


def _as_a(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "As a Canadian nurse in Leeds, …": what somebody says they are while asking for something else."""
    if head.person == OTHER or head.past or head.used or _COSTUME.search(clause.flat[: match.start()]):
        return
    if match[0].startswith("being") and not _OPENS.fullmatch(clause.flat[: match.start()]):  # "I stopped being a vegan"
        return
    if (
        clause.sentence.rstrip().endswith("?")
        and clause.flat[: match.start()].strip()
        and not _FIRST.search(clause.sentence.lower())
    ):
        return  # "what's it like living in Oslo as a student?" is nobody's own case
    at = match.start("v")
    if aged := _AGED.match(clause.flat, at):
        yield Said(attribute="age", value=aged["n"])
        at = aged.end() + 1
    if nation := _NATION.match(clause.flat, at):
        yield Said(attribute="nationality", value=clause.raw[slice(*nation.span())])
        at = nation.end() + 1
    if creed := _CREED.match(clause.flat, at):
        yield Said(attribute="religion", value=clause.raw[slice(*creed.span("v"))])
        at = creed.end() + 1
    if diet := _DIET.match(clause.flat, at):
        yield Said(attribute="diet", value=diet["v"])
        at = diet.end() + 1
    job = job_of(_SENTENCE.split(clause.raw[at:])[0])
    after = _AFTER.match(clause.flat, at + clause.flat[at:].find(job.lower()) + len(job)) if job else None
    if job and after and job.lower() not in _ROLES and not _SINCE.match(job.lower()):
        yield Said(attribute="study" if job.lower().endswith("student") else "occupation", value=job)
        at += len(job) + 1
    if at > match.start("v"):
        yield from _home_after(clause, at)


_SENTENCE = re.compile(
    r"[,;:.!?]|\s(?:i|i'm|im|i've|i'd|my|we|do|does|can|could|what|which|how|is|are|should|would|will|you|who|any)\b",
    re.IGNORECASE,
)


_AFTER = re.compile(
    r"\s*(?:$|[,.;:!?)]|-|(?:in|at|from|i|i'm|im|i've|i'd|my|who|with|for|on|we|and|or|but|do|does|can|could|what|which|how|is|are|should"
    r"|living|based|working|here|to|it|you|whose|n|so|near|outside|out|now|myself|since|where|would|what's|any|will|please|pls|of|by"
    r"|trying|on|because|cuz|about)\b)"
)


_WHERE = re.compile(r"\s?(?:living |based |working )?(?:in|from|out past|near|just outside|outside|out of) ")


def _home_after(clause: Clause, at: int) -> Iterator[Said]:
    where = _WHERE.match(clause.flat, at - 1)
    place = place_at(clause, where.end()) if where else ""
    if place:
        yield Said(attribute="residence", value=place)


_PERSON = (
    r"(?:(?:single|stay[- ]at[- ]home|working|new|proud|divorced|retired|busy) )*(?:dad|mum|mom|mother|father|parent"
    r"|expats?|family|couple|nan|gran|granny|grandma|grandpa|grandad|widow|widower|girl|guy|gal|lad|lass|bloke|chap)"
)


_REPORTED = re.compile(r"\b(?:says|said|saw|met|heard|read|watched|know|knew|about|there's|theres)\b")


def _somebody_in(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I'm a single dad in Phoenix", "25yo guy from Leeds"."""
    if (
        head.person not in (SPEAKER, ELIDED)
        or head.negated
        or head.past
        or head.thought
        or _REPORTED.search(clause.flat)
    ):
        return
    place = place_at(clause, match.end())
    if place:
        yield Said(attribute="residence", value=place)


_PASSING = re.compile(
    r"\b(?:this (?:week|weekend|month|morning|afternoon|evening)|today|tonight|tomorrow|for (?:the|a|two|three|\d+)"
    r" (?:week|weekend|day|night|conference|wedding)\w*|until|till|holiday|vacation|visiting|visit|trip|conference"
    r"|airport|hotel|layover|business|right now|hospital|meeting|call)\b"
)


def _here_in(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Here in Galway", "I'm over in east Boise by the river": where somebody is at home, unless on the road."""
    if head.person == OTHER or head.past or head.negated or _PASSING.search(clause.flat):
        return
    place = place_at(clause, match.end())
    if place:
        yield Said(attribute="residence", value=place, changed=head.changed)


def _place_in(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "My apartment in Queens has roaches", "still crashing in my parents' basement in Dayton"."""
    if re.search(r"\b(?:was|were|had)\b", clause.flat[match.end() :]):
        return
    if re.search(r"\b(?:holiday|second|summer|dream|vacation|airbnb|weekend|rental|investment|old|ex)\b", match[0]):
        return
    yield from _here_in(match, clause, head)


_NAMED_PLACE = re.compile(r"\b(?:in|to|around|for) (?=[A-Z])")


def _moved_here(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "What's the bin collection like in Kilkenny, we've just moved here": the place was named before."""
    if head.person == OTHER or head.negated or head.past:
        return
    for named in _NAMED_PLACE.finditer(clause.sentence):
        found = _CAPITAL.match(clause.sentence, named.end())
        if found and found[0].split()[0].lower() not in _NO_PLACE:
            yield Said(attribute="residence", value=found[0], changed="moved" in match[0])
            return


def _local(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER or head.negated or head.past or match["v"] in _NO_PLACE or match["v"].endswith("er"):
        return
    yield Said(attribute="residence", value=clause.cut(match, "v"), changed=True)


def _no_longer_in(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    place = place_at(clause, match.end())
    if place and head.person in (SPEAKER, OTHER, ELIDED):
        yield told(head, attribute="former_residence", value=place)


_ENDS_IN_PLACE = re.compile(rf"(?:in|from|to|of|at) (?P<v>{_CAPITAL.pattern})[ ,]*$")


def _where_live(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Greetings from Tromsø, where I live"."""
    found = _ENDS_IN_PLACE.search(
        re.sub(r"[?.!,\s]*(?:[Ii]t'?s|[Tt]hat'?s)?[ ,]*$", "", clause.message[: clause.offset])
    )
    attribute = {"live": "residence", "grew up": "former_residence"}.get(match["k"], "birthplace")
    if found:
        yield Said(attribute=attribute, value=found["v"])


_NUMBERS = (
    r"(?P<n>[1-9]\d|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven"
    r"|eight|nine))?|eighteen|nineteen|thirteen|fourteen|fifteen|sixteen|seventeen)"
)


def _age_said(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if re.search(
        r"\b(?:was|were|when|until|till|by the time|before|wish|if|feel|like i'?m)\b", clause.flat[: match.end()]
    ):
        return
    if head.person == OTHER and match[0].startswith("at "):
        return
    yield Said(attribute="age", value=match["n"])


def _at_age(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "At 71 I reckon …", "divorced at 26": an age of now, unless the clause tells of then."""
    if head.person == OTHER or head.past or head.future:
        return
    if re.search(
        r"\b(?:was|were|had|lived|will|'ll|want|hope|plan|retire|got|became|moved|started|left|married|worked|did)\b",
        clause.flat,
    ):
        return
    yield Said(attribute="age", value=match["n"])


def _birthplace(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER and not re.search(r"\b(?:my birth|had me|my passport)\b", match[0]):
        return
    place = place_at(clause, match.end())
    if place:
        yield Said(attribute="birthplace", value=place)


def _passport(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER and not head.owned:
        return
    place = place_at(clause, match.end())
    if place and "birth" not in clause.flat:
        yield Said(attribute="nationality", value=place)


def _citizen(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER or head.negated or head.thought or head.future:
        return
    new = bool(re.match(r"became|got|sworn", match[0]))
    yield Said(attribute="nationality", value=clause.cut(match, "v"), changed=new)


_ZONE = (
    r"(?P<v>(?:gmt|utc)\s?(?:[+-]\s?\d{1,2}(?::\d\d)?)?|(?:cet|cest|est|pst|cst|mst|edt|pdt|mdt|cdt|bst|ist|jst|aest|aedt"
    r"|acst|awst|nzst|nzdt|brt|sgt|hkt|eet|wat|eat|sast|pkt|et|pt)\b|(?:mountain|central|eastern|pacific|atlantic|london"
    r"|uk|irish|indian|sydney|tokyo|berlin|paris|new york|brisbane|perth)(?: (?:standard |daylight |summer )?time)?)"
    r"(?![a-z])"
)


_MY_ZONE = re.compile(
    r"\b(?:for me|that'?s (?:my|where|what|us)|my time ?zone|where i'?m|we'?re on|i'?m on|i'?m in|always|pls|please|thx"
    r"|thanks|from now on|over here|here)\b"
)


def _zone(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "All times in GMT please": of the speaker where the sentence asks for it or says so."""
    if head.person == OTHER or not _MY_ZONE.search(clause.sentence.lower()):
        return
    yield Said(attribute="timezone", value=clause.cut(match, "v"))


RULES: tuple[Rule, ...] = (
    anywhere("as a", "as being", r"\b(?:as|being|speaking as|coming from) an? (?P<v>[a-z0-9][^;!?()\n]{2,80})", _as_a),
    anywhere(
        "age: like me", "me myself",
        r"\b(?P<n>[1-9]\d)[- ]?(?:(?:year|yr)s?[- ]?old|y/?o)s?(?: [a-z]+){0,2} (?:like me|like myself)\b", _age_said,
    ),
    anywhere(
        "age: yes i'm", "i'm im i",
        r"\b(?:lol|yes|no|nah|now|because|tho|haha|lmao|bro|dude|n|cuz|bc|ok|god|and|since|that)\s(?:i'm|im|i am)"
        rf" (?:only |just |already |literally |now |like )*{_NUMBERS}(?=\s*(?:$|[,.!]|(?:and|so|i|but|n|yo|yrs|years"
        r"|now|lol|cant|can't|tho)\b))(?!\s*(?:years|yrs) (?!old))", _age_said,
    ),
    anywhere(
        "age: at n", "at",
        r"(?:^\W*(?:and |but |so |honestly |lol )*|, |\b(?:divorced|single|pregnant|retired|widowed|toddler|dad|mom|mum"
        r"|uni|school|college|kids?) )at (?P<n>[2-9]\d)(?=,? (?:i|i'm|im|i've|my)\b|\W*$|,)", _at_age,
    ),
    anywhere(
        "age: the big", "big", r"\b(?:turned|turning|hit|hitting|am|i'm|im) the big (?P<n>[2-9])-?0\b", lambda m, c, h: [
        told(h, attribute="age", value=f"{m['n']}0", changed=True)] if not (h.thought or h.negated or h.future) else [],
    ),
    anywhere(
        "nationality: dual", "dual", rf"\bdual (?:national|citizen)(?:ship)?,? (?:of |in )?(?P<v>(?:{NATIONS}) (?:and|/|&) (?:{NATIONS}))\b",
        lambda m, c, h: [Said(attribute="nationality", value=c.cut(m, "v"))] if h.person != OTHER else [],
    ),
    predicate(
        "residence: no longer", "in|over in|up in|down in|based in|living in|at home in", r"\s(?=[a-z])", _no_longer_in,
        be=True, when=lambda h: h.ended,
    ),
    Rule(
        "residence: where i live", frozenset(["where"]), re.compile(r"^\W*where (?:i|we)(?:'m|'re)? (?P<k>live|was born|were born|grew up|from)\b"), _where_live,
        presupposed=True,
    ),
    anywhere(
        "birthplace: papers", "birth world had",
        r"\b(?:birth certificate|place of birth(?: on my \w+)?) (?:says|is|reads|:)\s"
        r"|\bcame into (?:this|the) world (?:at|in) (?:an? [\w ]{2,25}? in )?"
        r"|\bhad me in (?:an? [\w ]{2,25}? in )?", _birthplace,
    ),
    anywhere(
        "residence: been in", "been", r"\b(?:i've|ive|we've|i have|we have|^\W*|, |and )\s?been in (?=[a-z])(?=[^,;.!?]{3,30} (?:since|for|going on"
        r"|\d+ (?:years|yrs|months)|now|ever since))", _here_in,
    ),
    anywhere(
        "residence: now", "now days",
        r"\b(?:originally|from|born|grew up|raised|used to|moved)\b[^;.!?]{2,40}?(?:,| but| and) (?:in |live in |now in )?(?=[a-z]{3,14}(?: [a-z]{3,12})?"
        r" (?:now|these days|nowadays)\W*$)", _here_in,
    ),
    anywhere(
        "residence: place in", "place apartment flat house studio condo apt basement room loft crib neighborhood neighbourhood street landlord",
        r"\b(?:(?:got|have|found|bought|rent|renting|live in|living in|crashing in|crashing at|staying in|staying at|moved into|own|closed on|got the keys to)"
        r" (?:an? |the |our |my |this )(?:[\w'’-]+ ){0,3}?|(?<!old )(?:my|our) (?:(?:tiny|new|little|shared|one[- ]bed|studio|rented|own|current)"
        r" )*)(?:place|apartment|flat|house|studio|condo|apt|basement|room|loft|crib|bedsit|terrace|bungalow|neighbou?rhood"
        r"|street|landlord) (?:is |over |out |up |down )?(?:in|near|outside) (?=[a-z])", _place_in,
    ),
    anywhere("nationality: passport", "passport", r"\bpassport (?:says|is from|'s from|reads) (?=[a-z])", _passport),
    anywhere(
        "nationality: citizen", "citizen citizens national",
        rf"(?:\b(?:became|got|sworn in as|as|i'm|im|i am|we're|a proud|now|officially)\s)an? (?P<v>(?:{NATIONS}|us|uk|eu)"
        r"(?: citizen| national))\b", _citizen,
    ),
    anywhere(
        "residence: here in", "here over out up down back im i'm",
        r"\b(?:(?:down |over |up |out |back )?here in|(?:i'm|im|we're|i am) (?:over|out|up|down|back) (?:in|near)) ",
        _here_in,
    ),
    anywhere(
        "residence: somebody in", "dad mum mom mother father parent nan gran granny grandma grandpa grandad widow"
        " widower expat expats family couple girl guy gal lad lass bloke chap", rf"\b{_PERSON} (?:living |based )?(?:in|from|out of) ",
        _somebody_in,
    ),
    anywhere(
        "residence: moved here", "here",
        r"\b(?:moved|live|living|based|settled|relocated|moving) (?:in |over )?here\b(?! (?:in|to)\b)", _moved_here,
    ),
    anywhere(
        "residence: a local", "girl guy boy local resident gal",
        r"\b(?:officially|i'm|im|i am|now) an? (?P<v>[a-z]{4,12}(?: [a-z]{3,12})?) (?:girl|guy|boy|local|resident|gal)"
        r" now\b", _local,
    ),
    anywhere(
        "timezone: times in", "in to on",
        rf"\b(?:times?|everything|meetings?|schedules?|that|it|em|them|dates?|this|stuff)\b[\w ,']{{0,14}}? (?:in|to|on)"
        rf" (?:the )?{_ZONE}", _zone,
    ),
)  # fmt: skip
