"""Turns of phrase that say a thing without its usual verb: "one bite of kiwi and my throat closes", "Bea for short"."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.health import CONDITION
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, told
from relembra.minds.offline.reader.english.words import PETS, clean, name_at

__all__ = ["RULES"]

Pick = Callable[[re.Match[str], Clause, Head], Iterator[Said]]


def _own(
    attribute: str, *, stop: str = "", most: int = 6, capital: bool = False, article: bool = True, changed: bool = False
) -> Pick:
    """Of the speaker: the value of group v, unless the clause is about another."""

    def pick(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
        if (head.person == OTHER and not head.owned) or (head.thought and attribute != "goal"):
            return
        value = clean(clause.cut(match, "v"), stop=stop, most=most, article=article)
        if value and not (capital and not value[0].isupper()) and not _EMPTY.match(value.lower()):
            yield Said(attribute=attribute, value=value, changed=changed)

    return pick


_EMPTY = re.compile(
    r"(?:it|this|that|you|he|she|they|there|what|who|which|everything|nothing|something"
    r"|someone|people|here|i|we|these|those|not|all|and|but|so|just|one|me|him|her"
    r"|them|us|your|his|their|the (?:weather|rain))\b"
)
_TIME = (
    r"(?:\d{1,2}(?::\d\d)?\s?(?:am|pm)?|half (?:past )?\w+|midnight|noon|one|two|three"
    r"|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"


def _name_here(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    span = name_at(clause.raw, match.start("v"), lower=False)
    if span and span[1] == match.end("v"):
        yield Said(attribute="nickname" if "short" in match[0] else "name", value=clause.cut(match, "v"))


def _not_friends(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "lactose and I are not friends", "dairy and I broke up"."""
    del match, head
    found = re.search(
        r"(?:^|[.,;!] )(?:and |but |so )?(?P<v>[a-z]+(?: [a-z]+)?) and (?:i|me|my (?:stomach"
        r"|gut|body))\b",
        clause.sentence.lower(),
    )
    if found and re.match(_FOODS, found["v"]):
        yield Said(attribute="intolerance", value=found["v"])


_FOODS = (
    r"(?:lactose|gluten|dairy|milk|cheese|fructose|caffeine|coffee|wheat|onions?|garlic"
    r"|eggs?|alcohol|beans|soy|spicy \w+|peppers|wine|beer|bread|shellfish|nuts|cream"
    r"|sugar|tomatoes|mushrooms|broccoli)\b"
)


def _sober(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != OTHER and not head.negated and not head.thought:
        yield Said(attribute="achieved", value=clause.cut(match, "v"))


def _no_longer_tie(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del match
    both = re.search(r"(?P<n>[A-Z][\w'’-]+) and (?:i|me)\b", clause.sentence, re.IGNORECASE)
    both = both or re.search(r"\bme and (?P<n>[A-Z][\w'’-]+)", clause.sentence)
    span = name_at(clause.sentence, both.start("n")) if both else None
    if span and head.person == SPEAKER:
        name = clause.sentence[slice(*span)]
        yield Said(
            attribute="former_relation",
            value="partner" if "together" in clause.flat else "friend",
            subject=name,
            relation=None,
        )


def _studies_at(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if (head.person == OTHER and not head.be) or head.negated or head.thought or head.past:
        return
    yield told(head, attribute="study", value=clean(clause.cut(match, "v"), stop="here|and|majoring|but|so", most=7))


def _only_eats(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), stop="at|in|when|because|on|for|with", most=5)
    if value and not _EMPTY.match(value.lower()) and head.person in (SPEAKER, ELIDED, OTHER):
        yield told(head, attribute="diet", value=f"only {value}")


def _waking(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != OTHER and not re.search(r"\b(?:today|tomorrow|tonight|yesterday)\b", clause.flat):
        yield Said(attribute="wake_time", value=clause.cut(match, "v"))


def _off_days(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if not head.thought and not head.negated and not head.future:
        yield told(head, attribute="schedule", value=clause.cut(match, "v"))


def _free(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER or head.negated or head.thought:
        return
    begins, _ = moment(clause)
    yield Said(attribute="achieved", value=clause.cut(match, "v"), held_from=begins)


RULES: tuple[Rule, ...] = (
    anywhere(
        "name: x here", "here short speaking",
        r"^\W*(?:(?:hi|hey|hello|hiya|all|everyone|there)[ ,!]+){0,2}(?P<v>[a-z][a-z'-]{1,14})(?:"
        r" here(?=\s*(?:$|[,.!]))| speaking\b| for short\b)", _name_here,
    ),
    anywhere(
        "nickname: to friends", "to",
        r"\b(?P<v>[a-z][a-z'-]{1,14}) to (?:my |all my )?(?:friends|mates|family)\W*$", lambda m, c, h: [Said(
        attribute="nickname", value=c.cut(m, "v"))] if h.person != OTHER and (span := name_at(c.raw, m.start("v"),
        lower=False)) and span[1] == m.end("v") else [],
    ),
    anywhere(
        "nickname: short for", "short", r"\b(?P<v>[a-z][a-z'-]{1,14}) (?:for short|is short for)\b", _name_here,
    ),
    anywhere(
        "nickname: it's x not y", "not",
        r"^\W*(?:btw |and |actually )?it'?s (?P<v>[a-z][a-z'-]{1,14}),? not (?P<w>[a-z][a-z'-]{1,1" r"4})\W*$",
        lambda m, c, h: [Said(attribute="nickname", value=c.cut(m, "v"))] if name_at(c.raw, m.start("v"), lower=
        False) and name_at(c.raw, m.start("w"), lower=False) else [],
    ),
    anywhere(
        "allergy: could kill", "kill throat hives epipen anaphylaxis anaphylactic swell",
        r"(?:^|\bof |\baround |\beat |\btouch |\bfrom |, )\W*(?:and |but |so |because"
        r" )?(?P<v>[a-z]+(?: [a-z]+)?) (?:could|can|will|would|might) (?:literally"
        r" )?kill me\b|\bone (?:bite|sip|whiff) of (?P<w>[a-z]+(?: [a-z]+)?) and (?:i"
        r"|my)\b|\bhives (?:from|around|when i (?:eat|touch)) (?P<x>[a-z]+(?: [a-z]+)?)", lambda m, c, h: [Said(
        attribute="allergy", value=v)] if (v := clean(c.cut(m, "v") if m["v"] else c.cut(m, "w") if m["w"] else
        c.cut(m, "x"), most=3)) and h.person != OTHER and not re.match(
        r"(?:my|this|that|it|he|she|work|mum|mom|you|boss|wife|the|these|traffic|heat" r"|meetings?)\b", v.lower())
        else [],
    ),
    anywhere(
        "intolerance: not friends", "friends mix agree along",
        r"\b(?:are not friends|aren'?t friends|don'?t (?:get along|mix|agree)|do not"
        r" (?:get along|mix|agree)|are enemies|are not on speaking terms)\b", _not_friends,
    ),
    anywhere(
        "intolerance: stomach", "stomach gut body",
        r"\bmy (?:stomach|gut|body|system|tummy) (?:can'?t|cannot|doesn'?t|does not"
        r"|won'?t) (?:handle|tolerate|digest|process|take|like|deal with)\s{V}", _own("intolerance", stop=
        "at|any|anymore|very|well", most=3),
    ),
    anywhere(
        "condition: my x", "asthma diabetes arthritis migraines anxiety depression adhd eczema psoriasis"
        " ibs epilepsy endometriosis gout fibromyalgia lupus pcos tinnitus sciatica"
        " scoliosis insomnia crohn's dyslexia ocd ptsd",
        r"\b(?:my|with my|thanks to my|because of my|due to my) (?P<v>(?:type \w+ )?(?:asthma"
        r"|diabetes|arthritis|migraines|anxiety|depression|adhd|eczema|psoriasis|ibs"
        r"|epilepsy|endometriosis|gout|fibromyalgia|lupus|pcos|tinnitus|sciatica|scoliosis"
        r"|insomnia|crohn's|dyslexia|ocd|ptsd))\b(?! (?:about|over|around|that|levels?" r"|is through))", _own(
        "condition"),
    ),
    anywhere(
        "possession: the car is", "car's truck's van's car truck van bike motorbike boat",
        r"^\W*(?:the|my|our) (?:car|truck|van|bike|motorbike|boat)(?:'s| is) an? (?P<v>(?:(?:19"
        r"|20)\d\d )?[a-z][\w-]+(?: [a-z0-9][\w-]+)?)", lambda m, c, h: [Said(attribute="possession", value=v)]
        if (v := re.sub(r" (?:and|that|but|with|which)$", "", c.cut(m, "v"))) and (v[0].isdigit() or v[0].
        isupper()) else [],
    ),
    anywhere(
        "condition: as someone with", "someone person",
        rf"^\W*(?:as|being|speaking as) (?:someone|a person|somebody) (?:with|who has"
        rf"|living with) (?P<v>{CONDITION})(?![a-z])", lambda m, c, _h: [Said(attribute="condition", value=c.cut(
        m, "v"))],
    ),
    anywhere(
        "age: at", "at", r"^\W*at (?P<v>[2-9]\d),? (?:i|i'm|im|my)\b", lambda m, c, h: [Said(attribute="age",
        value=m["v"])] if not re.search(r"\b(?:will|want|hope|plan|retire|'ll|was|lived|had)\b", c.flat) else [],
    ),
    predicate(
        "diet: off", "off", r"\s(?P<v>dairy|gluten|sugar|meat|carbs|alcohol|red meat|caffeine|wheat|bread"
        r"|booze)\b", lambda m, c, h: [told(h, attribute="diet", value=f"no {c.cut(m, 'v')}")] if not h.negated
        else [], be=True, bare=True,
    ),
    predicate(
        "habit: learning", "learning|teaching myself|been learning",
        r"\s(?P<v>(?:the (?:\w+ )?(?:guitar|piano|violin|cello|drums|ukulele|flute"
        r"|saxophone|harp|banjo|mandolin|accordion|trumpet)|(?:how )?to (?:sew|knit"
        r"|drive|swim|surf|ski|cook|code|weld|sail|dance|crochet|bake|skate|fly|sign"
        r"|draw|paint|type)|chess|calligraphy|pottery|python|rust|javascript|sql))\b", lambda m, c, h: [told(h,
        attribute="habit", value=f"learning {c.cut(m, 'v')}")] if not (h.past or h.negated) else [], be=True,
        bare=True,
    ),
    predicate(
        "relation: a beagle called", "a|an", "", lambda m, c, h: [Said(attribute="relation", value=m["tie"],
        subject=c.raw[slice(*span)], relation=m["tie"], person={"name": c.raw[slice(*span)], "relation": m["tie"]})]
        if h.person == OTHER and re.fullmatch(PETS, h.relation or "") and (span := name_at(c.raw, m.end())) else [],
        be=True, whole=rf"an? (?:[\w-]+ ){{0,3}}?(?P<tie>{PETS}) (?:named|called) ",
    ),
    anywhere(
        "weight: note", "weight",
        r"\bweight\b[^,;\d]{0,20}[:=] ?(?P<v>\d{2,3}(?:\.\d+)? ?(?:kg|kilos|lbs|pounds))\b", lambda m, c, h: [
        Said(attribute="weight", value=c.cut(m, "v"), changed=True)] if h.person != OTHER else [],
    ),
    anywhere(
        "client: called", "client customer",
        r"\b(?:took on|landed|signed|have|got|won) an? (?:new |big |first )?(?:client"
        r"|customer) (?:called|named) (?P<v>[a-z][\w'& -]{1,30})", _own("client", capital=True),
    ),
    anywhere(
        "diet: no-go", "no-go limits menu no nope",
        r"^\W*(?P<v>[a-z]+(?: [a-z]+)?) (?:is|are) (?:a no-go|a (?:big |hard |definite |firm )?(?:no|nope)|off[- ]limits|off the"
        r" menu|a hard no) for me\b", lambda m, c, h: [Said(attribute="diet", value=f"no {v}")] if (v := clean(c.
        cut(m, "v"), most=2)) and not _EMPTY.match(v.lower()) else [],
    ),
    anywhere(
        "diet: only eats", "eats eat", r"\bonly eats?\s{V}", _only_eats,
    ),
    anywhere(
        "favorite: my team", "team club",
        r"\bmy (?:football |soccer |baseball |basketball |rugby |hockey )?(?:team|club)"
        r" (?:is|has always been|will always be) (?P<v>[^;!?()\n,]{2,40})", _own("favorite_team", most=3,
        capital=True),
    ),
    predicate(
        "likes: x person", "a|more of a|not a|very much a", "", lambda m, c, h: [Said(attribute="dislikes" if h.
        negated else "likes", value=f"{m['v']}s" if m["v"] in ("cat", "dog") else m["v"], content=
        f"{'Is not' if h.negated else 'Is'} a {m['v']} person")] if h.person == SPEAKER and not h.thought else [],
        be=True, when=always, whole=
        r"(?:more of |very much |totally )?a (?P<v>cat|dog|tea|coffee|beach|mountain"
        r"|city|country|lake|summer|winter|morning|night|outdoors|book|car) person\b",
    ),
    anywhere(
        "timezone: behind", "behind ahead",
        r"\bi'?m (?P<v>(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)"
        r" hours? (?:behind|ahead of) (?:utc|gmt|london|new york|[a-z]+))\b", _own("timezone"),
    ),
    predicate(
        "salary: pay me", "pay me|pays me|paid me",
        r"\s(?P<v>(?:[$£€]\s?)?\d[\d,.]*\s?k?(?: (?:an hour|a year|a month|per hour"
        r"|per year|per month|an hr|a week))?)", lambda m, c, h: [Said(attribute="salary", value=c.cut(m, "v"))],
    ),
    anywhere(
        "salary: they pay me", "pay pays",
        r"\b(?:they|it|job|work|company|boss) pays? me (?P<v>(?:about )?(?:[$£€]\s?)?\d[\d,.]*\s?k"
        r"?(?: (?:an hour|a year|a month|per hour|per year|per month|an hr|a week|grand))?)", lambda m, c, h: [
        Said(attribute="salary", value=c.cut(m, "v"))],
    ),
    anywhere(
        "debt: overdrawn", "overdrawn overdraft",
        r"\b(?P<v>(?:[$£€]\s?)?\d[\d,.]*\s?k? (?:overdrawn|in my overdraft|into my" r" overdraft))\b", _own(
        "debt"),
    ),
    anywhere(
        "client: newest", "client clients account",
        r"^\W*(?:so |and |btw )?(?P<v>[a-z][\w'& .-]{1,40}?) is (?:now )?(?:my|our)"
        r" (?:newest|biggest|latest|main|first|oldest|new|best|only) client\b", _own("client", capital=True),
    ),
    anywhere(
        "wake time: day starts", "starts start begins",
        rf"\bmy (?:day|mornings?|shift|workday) (?:usually |always |normally )?(?:starts?"
        rf"|begins?) (?:at|around|by) (?P<v>{_TIME})(?![a-z0-9])", _waking,
    ),
    predicate(
        "schedule: days off", "have|get|has|take",
        rf"\s(?P<v>(?:every )?{_DAYS}(?:(?:,| and|, and) {_DAYS})* off)(?![a-z])", _off_days,
    ),
    predicate(
        "schedule: off on", "off on|off every|on call on|on call every",
        rf"\s(?P<v>{_DAYS}(?:(?:,| and|, and) {_DAYS})*)", lambda m, c, h: [told(h, attribute="schedule", value=
        f"{m[0].split()[0]} on {c.cut(m, 'v')}" if m[0].startswith("off") else c.raw[m.start() : m.end()])] if
        not h.negated else [], be=True,
    ),
    predicate(
        "schedule: work days", "work|works",
        rf"\s(?P<v>(?:from )?(?:{_DAYS}|mon|tue|tues|wed|thu|thurs|fri|sat|sun) ?(?:to"
        rf"|through|till|-|–) ?(?:{_DAYS}|mon|tue|tues|wed|thu|thurs|fri|sat|sun)\b[^;!?()\n,]{{0,2"
        rf"0}}|(?:from )?\d{{1,2}}(?::\d\d)?\s?(?:am|pm)?\s?(?:to|-|till|until)\s?\d{{1,2}}(?::\d\d"
        rf")?\s?(?:am|pm)?)", _off_days,
    ),
    anywhere(
        "schedule: activity", "is are",
        rf"^\W*(?:my |our )?(?P<v>(?:gym|yoga|choir|football|soccer|practice|training"
        rf"|rehearsal|rehearsals|class|classes|band practice|therapy|pilates|swimming"
        rf"|church|dance|ballet|piano|physio|dialysis|book club|date night) (?:is|are)"
        rf" (?:on |every )?(?:{_DAYS}|mon\b|tue\b|wed\b|thu\b|fri\b|sat\b|sun\b|mondays)[^;!?()\n]{{"
        rf"0,40}})", _own("schedule", most=12, article=False),
    ),
    anywhere(
        "favorite: nothing beats", "beats beat compares tops comes",
        r"\b(?:nothing (?:beats|compares to|comes close to|tops)|(?:you )?can'?t beat)\s{V}", _own("likes", stop=
        "for me|in my|when|on|after|imo"),
    ),
    anywhere(
        "likes: any day", "any", r"\bgive me (?P<v>[a-z][\w' -]{2,30}?) (?:any ?day|over \w+|every time)\b",
        _own("likes"),
    ),
    anywhere(
        "likes: can't live without", "without enough",
        r"\b(?:can'?t|cannot|couldn'?t|could not) (?:live|function|survive|go a day)"
        r" without\s{V}|\b(?:can'?t|cannot) get enough of\s(?P<w>[^;!?()\n]{2,40})", lambda m, c, h: [told(h,
        attribute="likes", value=v)] if (v := clean(c.cut(m, "v") if m["v"] else c.cut(m, "w"), most=5)) and not
        _EMPTY.match(v.lower()) and not re.match(r"(?:my phone|wifi|glasses|sleep)", v.lower()) else [],
    ),
    anywhere(
        "likes: a sucker", "sucker suker soft", r"\b(?:sucker|suker|soft spot) for\s{V}", lambda m, c, h: [told(
        h, attribute="likes", value=re.sub(r"^anything with ", "", v))] if h.person in (SPEAKER, ELIDED, OTHER)
        and (v := clean(c.cut(m, "v"), most=5)) and not _EMPTY.match(v.lower()) else [],
    ),
    anywhere(
        "opinion: overrated", "overrated underrated",
        r"^\W*(?:i think |honestly |imo |tbh |ngl |sorry but )*(?P<v>[a-z][\w' -]{2,40}?"
        r" (?:is|are) (?:so |way |totally |massively |really |hugely )?(?:overrated" r"|underrated))\b", _own(
        "opinion", most=10, article=False),
    ),
    predicate(
        "opinion: think should", "think|reckon|feel that|feel like",
        r"\s(?:that\s)?(?P<v>[a-z][^;!?()\n]{4,80}?\s(?:should(?:n't)?|ought to|must"
        r"|needs? to|deserves?|is a (?:scam|right|human right|waste of \w+)|are a (?:scam"
        r"|waste of \w+)|does more harm than good)\b[^;!?()\n]{0,60})", lambda m, c, h: [Said(attribute=
        "opinion", value=c.cut(m, "v"))] if h.person == SPEAKER and not h.negated and not re.match(
        r"(?:i|you|we|he|she|it|that|this|they|my|your|there)\b", m["v"]) else [], when=lambda h: not h.thought,
    ),
    anywhere(
        "achieved: sober", "sober clean free smoke-free",
        r"\b(?P<v>(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) (?:days?"
        r"|weeks?|months?|years?) (?:sober|clean|smoke[- ]free|alcohol[- ]free|cancer[-"
        r" ]free|self[- ]harm[- ]free|without (?:a )?(?:drink\w*|smok\w*|cigarettes?" r"|alcohol|gambling)))\b",
        _sober,
    ),
    anywhere(
        "achieved: debt free", "free",
        r"\b(?:i'?m|i am|we'?re|we are) (?:officially |finally |now )+(?P<v>debt[-"
        r" ]free|mortgage[- ]free|cancer[- ]free)\b", _free,
    ),
    anywhere(
        "dropped goal: changed mind", "mind done planning longer",
        r"\b(?:changed my mind (?:about|on)|done (?:trying to|with trying to)|no longer"
        r" (?:planning|going|trying|hoping) to|not (?:planning|going) to)\s(?P<v>[^;!?()\n]{3,60}?"
        r")(?: any ?more| after all|$)", lambda m, c, h: [Said(attribute="dropped_goal", value=v)] if h.person
        != OTHER and not m[0].startswith("not going") and (v := clean(c.cut(m, "v"), article=False, most=8)) and
        not _EMPTY.match(v.lower()) else [],
    ),
    anywhere(
        "relation: not any more", "anymore longer more",
        r"\b(?:aren'?t|are not|no longer|not) (?:friends|together|dating|speaking|a"
        r" couple)(?: any ?more)?\b", _no_longer_tie,
    ),
    predicate(
        "study: sophomore", "sophomore|freshman|a sophomore|a freshman|a junior|a senior|an undergrad"
        "|undergrad|a postgrad|a first-year|a second-year|a third-year|a final-year"
        "|first-year|second-year|third-year|final-year|grad student|phd student|a"
        " phd student|a grad student|med student|a med student|law student|a law student"
        "|a first year|a second year|a third year|a final year", "", _studies_at, be=True, bare=True, whole=
        r"(?:an? )?(?P<v>(?:sophomore|freshman|junior|senior|undergrad|postgrad|(?:first"
        r"|second|third|final)[- ]year|grad student|phd student|med student|law student)(?:"
        r" \w+)?(?: student)?(?: (?:at|in) (?!a row|business|charge|command)[^;!?()\n,]{2,40}))",
    ),
    predicate(
        "diet: only eats", "eat only|eats only|eat nothing but|eats nothing but|live on|lives on", r"\s{V}",
        _only_eats,
    ),
    anywhere(
        "habit: ritual", "always never",
        r"^\W*i (?P<k>always) (?P<v>(?:sleep|read|cook|walk|cycle|take|drink|eat|buy"
        r"|carry|wear|sit|travel|order|start|finish|keep|leave|listen|nap|shower|write"
        r"|stretch|pray|park|check|book|bring|bake|add|pay|drive|say grace|skip)\b[^;!?()\n]{3,60}" r")", lambda
        m, c, h: [Said(attribute="habit", value=f"always {v}")] if (v := clean(c.cut(m, "v"), article=False,
        most=9, stop="because|so|but|and it|when you")) and len(v.split()) >= 2 and not re.search(
        r"\b(?:this|that|it|error|you)\b", v.lower()) else [],
    ),
    anywhere(
        "possession: my brand", "my our",
        r"\b(?:my|our) (?:old |new |beloved |trusty |vintage |little |beat-up )?(?P<v>(?:toyota"
        r"|honda|ford|bmw|audi|vw|volkswagen|tesla|subaru|mazda|nissan|kia|hyundai"
        r"|volvo|fiat|mini|jeep|chevy|chevrolet|dodge|harley|vespa|ducati|fender|gibson"
        r"|les paul|strat|stratocaster|steinway|yamaha|canon|nikon|fuji|leica|macbook"
        r"|thinkpad|miata|civic|corolla|prius|tacoma|camry|golf gti|mustang|outback"
        r"|land rover|range rover|mercedes|porsche|kawasaki|triumph|bonneville)(?:" r" [a-z0-9-]+)?)\b", lambda
        m, c, h: [Said(attribute="possession", value=re.sub(r"^([\w-]+(?: [A-Z0-9][\w-]*)?).*", r"\1", c.cut(m,
        "v")))] if not h.thought and h.person != OTHER and c.raw[m.start("v")].isupper() else [],
    ),
)  # fmt: skip
