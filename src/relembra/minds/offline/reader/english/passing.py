"""Who somebody is, said in passing: "as a Canadian", "he/they btw", "Tyrell here", "a 52-year-old like me"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relembra.minds.offline.flat import listed
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.beliefs import CREEDS
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.identity import BIRTH_DATE, NATIONS
from relembra.minds.offline.reader.english.jobs import job_of
from relembra.minds.offline.reader.english.saying import anywhere
from relembra.minds.offline.reader.english.words import TIE, name_at

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
    if small is None or any(word in _NO_PLACE for word in small[0].split()) or small[0].endswith("ing"):
        return ""
    return clause.raw[slice(*small.span())]


_ROLES = frozenset(listed("owner head lead partner hand boss model server worker runner keeper player guide guard host"))
_NATION = re.compile(rf"(?:{NATIONS}|us|uk|eu)(?:[- /](?:{NATIONS}))?(?![a-z])")
_AGED = re.compile(r"(?P<n>[1-9]\d)[- ]?(?:(?:year|yr)s?[- ]?olds?|y/?o)\b")
_DIET = re.compile(r"(?:strict |lifelong |long-?time |new |fellow |recent )?(?P<v>vegan|vegetarian|pescatarian|veggie)\b")
_CREED = re.compile(rf"(?P<v>{CREEDS})(?![a-z])(?! (?:school|church|wedding|holiday|country|service|festival))")
_COSTUME = re.compile(
    r"\b(?:dress\w*(?: up)?|went|go|going|act\w*|pos\w+|cast|work\w*|hired|train\w*|consider\w*|see[ns]?|treat\w*|used?"
    r"|job|role|disguised|known|such|same|serv\w+|start\w*|career|him|her|them|you|it|regarded|describ\w+|twice|soon"
    r"|well|far|long|same|much|many|good|bad|just)\s*$"
)
_SINCE = re.compile(r"\b(?:kid|child|teen\w*|joke|result|rule|gift|treat|favou?r|family|team|couple|group)\b")


def _as_a(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "As a Canadian nurse in Leeds, …": what somebody says they are while asking for something else."""
    if head.person == OTHER or head.past or head.used or _COSTUME.search(clause.flat[: match.start()]):
        return
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
    job = job_of(clause.raw[at:])
    if job and job.lower() not in _ROLES and not _SINCE.match(job.lower()):
        yield Said(attribute="study" if job.lower().endswith("student") else "occupation", value=job)
        at += len(job) + 1
    if at > match.start("v"):
        yield from _home_after(clause, at)


_WHERE = re.compile(r"\s?(?:living |based |working )?(?:in|from|out past|near|just outside|outside|out of) ")


def _home_after(clause: Clause, at: int) -> Iterator[Said]:
    where = _WHERE.match(clause.flat, at - 1)
    place = place_at(clause, where.end()) if where else ""
    if place:
        yield Said(attribute="residence", value=place)


_PERSON = (
    r"(?:(?:single|stay[- ]at[- ]home|working|new|proud|divorced|retired|busy) )*(?:dad|mum|mom|mother|father|parent"
    r"|nan|gran|granny|grandma|grandpa|grandad|widow|widower|girl|guy|gal|lad|lass|bloke|chap)"
)


def _somebody_in(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I'm a single dad in Phoenix", "25yo guy from Leeds"."""
    if head.person not in (SPEAKER, ELIDED) or head.negated or head.past or head.thought:
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


_ME = re.compile(r"\b(?:me|my|i|im|i'm|btw|fyi|myself|here)\b")


def _slashed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "he/they btw": of the speaker where the clause is short or speaks of them."""
    if head.person == OTHER or clause.sentence.rstrip().endswith("?"):
        return
    if len(clause.flat.split()) <= 4 or _ME.search(clause.flat):
        yield Said(attribute="pronouns", value=match["p"])


_NAMING = re.compile(r"\b(?:call(?:s|ed|ing)? me|names?|spell\w*|user|mispronounce\w*|ppl always|people always|w/ an?)\b")


def _it_is(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "You keep calling me user, it's Dwayne": a name because the message speaks of one."""
    del head
    low = clause.message.lower()
    if not _NAMING.search(low):
        return
    span = name_at(clause.raw, match.end()) or _last_word(clause, match.end())
    if span is None:
        return
    short = re.search(r"\b(?:nobody|no one|everyone|friends|people|ppl) (?:\w+ )?calls? me\b", low)
    yield Said(attribute="nickname" if short else "name", value=clause.raw[slice(*span)], changed=True)


_LAST_WORD = re.compile(r"[a-z]{3,12}(?=\W*$)")


def _last_word(clause: Clause, start: int) -> tuple[int, int] | None:
    found = _LAST_WORD.match(clause.flat, start)
    if found is None or found[0] in STOP_WORDS or not re.search(r"calls? me", clause.message.lower()):
        return None
    return found.span()


def _full_name(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Nobody calls me Alexandria except my gran": the name on paper."""
    del head
    span = name_at(clause.raw, match.end())
    if span:
        yield Said(attribute="name", value=clause.raw[slice(*span)])


def _known_as(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "The lads know me as Spud", "the squad's been calling me Moose"."""
    del head
    if re.search(r"\b(?:nobody|no one|don'?t|stop|hate|never|why|if|used to|keep)\b", clause.flat[: match.end()]):
        return
    span = name_at(clause.raw, match.end(), lower=False)
    if span:
        yield Said(attribute="nickname", value=clause.raw[slice(*span)])


def _is_fine(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    span = name_at(clause.raw, match.start("v"))
    if span and span[1] == match.end("v") and re.search(r"\bname|\bcall\b|\bi'?m [A-Z]", clause.message):
        yield Said(attribute="nickname", value=clause.cut(match, "v"))


def _name_here(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    span = name_at(clause.raw, match.start("v"))
    if span and span[1] == match.end("v"):
        yield Said(attribute="name", value=clause.cut(match, "v"))


_NUMBERS = (
    r"(?P<n>[1-9]\d|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven"
    r"|eight|nine))?|eighteen|nineteen|thirteen|fourteen|fifteen|sixteen|seventeen)"
)


def _age_said(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if re.search(r"\b(?:was|were|when|until|till|by the time|before|wish|if|feel|like i'?m)\b", clause.flat[: match.end()]):
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


_DAY = (
    r"(?P<v>halloween|christmas(?: day| eve)?|leap[- ](?:day|year)|new year'?s?(?: eve| day)?|valentine'?s?(?: day)?"
    r"|boxing day|july 4th|4th of july|st\.? patrick'?s(?: day)?|april fools?'?(?: day)?)"
)


def _day_baby(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought:
        return
    if head.person == OTHER:
        yield Said(attribute="birthday", value=clause.cut(match, "v"), subject=head.name, relation=head.relation)
        return
    date = BIRTH_DATE.search(clause.sentence.lower())
    value = clause.cut(match, "v")
    yield Said(attribute="birthday", value=value if date is None or date["d"] in value else f"{value}, {date['d']}")


def _my_date(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "My 20th lands on a Monday. May 11": the date stands near, not always in the same sentence."""
    if head.person == OTHER and not match["t"]:
        return
    start = clause.offset + match.end()
    date = BIRTH_DATE.search(clause.message.lower(), start, start + 60)
    if date is None or not re.search(r"\d|[a-z]+ (?:day|eve)", date["d"]):
        return
    value = clause.message[date.start("d") : date.end("d")]
    tie = match["t"]
    yield Said(attribute="birthday", value=value, subject=tie or "self", relation=tie)


def _is_my_birthday(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    yield Said(attribute="birthday", value=clause.cut(match, "v"))


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
        "pronouns: slashed", "he him she her they them she xe ze",
        r"(?<![\w/])(?P<p>(?:she|he|they|xe|ze)/(?:her|him|them|they|she|he|hers|xem|zir)(?:/\w+)?)(?![\w/])", _slashed,
    ),
    anywhere(
        "name: x here", "here",
        r"^\W*(?:(?:hi|hey|hello|hiya|all|everyone|there|sup|yo|g'day|howdy|heya|ello|evening|morning|afternoon|good"
        r" (?:morning|evening|afternoon|day)|greetings|namaste|wassup|folks|team)[ ,!.]+){0,3}"
        r"(?P<v>[a-z][a-z'-]{1,14}(?: [a-z][a-z'-]{1,14})?) here(?=\s*(?:$|[,.!:;-]|from\b|again\b))", _name_here,
    ),
    anywhere("name: it's", "it's its", r"\bit'?s (?:actually |just |spelled |only )?(?=[a-z]{3})", _it_is),
    anywhere("name: nobody calls me", "calls call", r"\b(?:nobody|no one|no-one) (?:ever )?calls? me ", _full_name),
    anywhere(
        "nickname: known as", "calling know knows called call",
        r"\b(?:been calling|always called?|all call|just call|know|knows|calls?|called) me (?:as )?(?=[a-z])", _known_as,
    ),
    anywhere(
        "nickname: is fine", "fine works cool good okay ok",
        r"\b(?P<v>[a-z]{2,12})(?: is|'s)? (?:fine|works|cool|good|ok|okay)\b", _is_fine,
    ),
    anywhere("birthday: baby", "baby kid child", rf"\b{_DAY} (?:baby|kid|child)\b", _day_baby),
    anywhere(
        "birthday: my date", "birthday bday b-day " + " ".join(f"{n}th" for n in range(13, 100)) + " 21st 30th 40th",
        rf"\b(?:my|our) (?:(?:\w+ )?(?P<t>{TIE})'s )?(?:birthday|bday|b-day|[1-9]\d(?:th|st|nd|rd)(?! (?:grade|floor"
        r"|street|century|anniversary|time|year)))\b", _my_date,
    ),
    anywhere(
        "birthday: is also mine", "birthday bday",
        rf"(?:^|, |\b){_DAY}(?: is|'s) (?:also |actually |literally )?my (?:birthday|bday)\b", _is_my_birthday,
    ),
    anywhere(
        "birthplace: papers", "birth world had",
        r"\b(?:birth certificate|place of birth(?: on my \w+)?) (?:says|is|reads|:)\s"
        r"|\bcame into (?:this|the) world (?:at|in) (?:an? [\w ]{2,25}? in )?"
        r"|\bhad me in (?:an? [\w ]{2,25}? in )?", _birthplace,
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
        " widower girl guy gal lad lass bloke chap", rf"\b{_PERSON} (?:living |based )?(?:in|from|out of) ",
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
