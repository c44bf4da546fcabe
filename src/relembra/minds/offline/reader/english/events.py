"""What happens in a life: births, deaths, trips, accidents, operations, purchases, and things had and lost."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import always, moment, predicate, said, told
from relembra.minds.offline.reader.english.words import KIN, PETS, clean, name_at

__all__ = ["RULES", "event"]


def event(value: str, clause: Clause, head: Head, *, future: bool = False) -> Said:
    """Something that happened, when the sentence says."""
    begins, ends = moment(clause, future=future)
    return told(head, attribute="event", value=value, held_from=begins, expires_at=ends if future else None)


def _died(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != OTHER or head.negated or head.thought or head.future:
        return
    of = re.match(r"\s(?:of|from|in) (?P<c>[^;!?(),\n]{2,40})", clause.flat[match.end() :])
    cause = (
        clean(
            clause.raw[match.end() + of.start("c") : match.end() + of.end("c")],
            stop="last|in|on|when|at|this|two|three|\\d+",
            most=4,
        )
        if of and " in " not in of[0][:4]
        else ""
    )
    yield event("passed away" if "pass" in match[0] else "died" + (f" of {cause}" if cause else ""), clause, head)


def _lost_one(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I lost my grandmother in May", "we put our old dog Biscuit down"."""
    if head.person not in (SPEAKER, ELIDED) or head.negated or head.thought or head.future:
        return
    tie = " ".join(match["tie"].split())
    at = match.end("tie")
    lead = re.compile(r",?\s").match(clause.flat, at)
    span = name_at(clause.raw, lead.end()) if lead else None
    name = clause.raw[slice(*span)] if span else tie
    if re.match(r"\s*(?:'s|s')", clause.flat[span[1] if span else at :]):
        return
    if name != tie:
        yield Said(attribute="relation", value=tie, subject=name, relation=tie, person={"name": name, "relation": tie})
    other = Head(name=name, relation=tie, person=OTHER)
    yield event("died", clause, other)


def _lost_name(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "We lost Juniper to colic"."""
    span = name_at(clause.raw, match.start("v"), lower=False)
    if span is None or head.person not in (SPEAKER, ELIDED) or re.fullmatch(r"(?:a|an|the|to)", match["c"] or ""):
        return
    name = clause.raw[slice(*span)]
    known = next((one for one in head.others if one.name == name), None)
    illness = clean(match["c"] or "", stop="on|in|last|this|at", most=2)
    cause = f" of {illness}" if illness else ""
    yield event(f"died{cause}", clause, Head(name=name, relation=known.relation if known else None, person=OTHER))


def _born(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A child's birth: the child's birthday is left to the rule of birthdays."""
    del match
    if head.person != OTHER or head.negated or head.thought:
        return
    begins, _ = moment(clause)
    recent = re.search(
        r"\b(?:today|yesterday|last (?:night|week|month|monday|tuesday|wednesday|thursday"
        r"|friday|saturday|sunday)|this (?:morning|week|month)|on (?:monday|tuesday|wednesday"
        r"|thursday|friday|saturday|sunday)|just|finally|at \d)\b",
        clause.flat,
    )
    if begins is not None and recent:
        yield said("birthday", f"{begins:%B} {begins.day}, {begins.year}", head)
    if (recent or begins) and re.fullmatch(
        r"(?:\w+ )?(?:son|daughter|baby|grandson|granddaughter|niece|nephew|child|kid|grandchild"
        r"|twin|sister|brother|grandbaby|boy|girl)",
        head.relation or "",
    ):
        yield Said(
            attribute="event",
            value=f"{head.relation} {head.name} was born" if head.name != head.relation else f"{head.name} was born",
            held_from=begins,
        )


_COMING = frozenset(
    ["going", "flying", "travelling", "traveling", "visiting", "off", "heading", "taking", "spending", "leaving"]
)
_TRIP_STOP = (
    "with|for|last|this|in (?:january|february|march|april|may|june|july|august|september"
    "|october|november|december|\\d|the|two|a)|on|to see|to visit|and|because|next"
    "|when|after|over|during|from|yesterday|two|three|a|by|at|as|every|twice|once"
    "|where|together|back|all|the whole"
)


def _trip(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.used or head.person == NOBODY:
        return
    if re.search(
        r"\b(?:years?|months|twenties|thirties|childhood|life|teens)\b", match[0][: match.start("v") - match.start()]
    ):
        return
    value = clean(clause.cut(match, "v"), stop=_TRIP_STOP, most=4)
    if not value or not (
        value[0].isupper()
        or re.search(
            r"(?i)thailand|japan|italy|france|spain|iceland|greece|portugal|brazil|mexico|india"
            r"|tokyo|paris|london|rome|bali|vietnam|peru|egypt|canada|turkey|morocco|kenya|colombia|chile|argentina|croatia|ireland|scotland|wales|korea|china|germany"
            r"|austria|switzerland|norway|sweden|denmark|finland|poland|hungary|cuba|jamaica|costa rica|new zealand|australia|hawaii|florida"
            r"|california|texas|vegas|new york|barcelona|amsterdam|berlin|lisbon|dublin|prague|budapest|istanbul|dubai|singapore",
            value,
        )
    ):
        return
    low = value.lower()
    if re.match(
        r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february"
        r"|march|april|may|june|july|august|september|october|november|december|starbucks"
        r"|tesco|walmart|costco|target|ikea|aldi|lidl|netflix|mcdonald|google|amazon|church"
        r"|i$|mass)\b",
        low,
    ):
        return
    verb = match[0].split()[0]
    coming = head.future or (head.be and verb in _COMING) or verb in ("trip",)
    if coming and not head.past:
        yield event(f"trip to {value}", clause, head, future=True)
    elif match[0].startswith(
        (
            "went",
            "visited",
            "travelled",
            "traveled",
            "flew",
            "spent",
            "back",
            "came",
            "got back",
            "been",
            "backpacked",
            "took",
            "toured",
            "honeymooned",
            "just back",
        )
    ):
        yield event(f"trip to {value}", clause, head)


_HURT = (
    r"(?:(?:broke|broken|torn|fractured|sprained|tore|dislocated|ruptured|twisted|cracked|injured"
    r"|tore up|shattered) (?:my|his|her|their|a|an|both|two) [^;!?()\n]{2,40}|(?:had"
    r"|have|having|got|had to have|need|getting|needs?) (?:an? |my |his |her |the "
    r"|emergency |open |major |minor )*(?:[\w-]+ ){0,2}?(?:surgery|operation|transplant"
    r"|bypass|c-section|caesarean|hysterectomy|appendectomy|vasectomy|mastectomy|hip"
    r" replacement|knee replacement|heart attack|stroke|miscarriage|biopsy|root canal"
    r"|colonoscopy|car accident|accident|car crash|crash|concussion)\b"
    r"|(?:was|were|been|got) (?:in (?:an?|a bad) (?:[\w-]+ )?(?:car )?(?:accident|crash"
    r"|wreck)|hit by an? \w+|hospitali[sz]ed[^;!?()\n]{0,30}|burgled|robbed|mugged"
    r"|evicted|t-?boned|rear-?ended|run over|side-?swiped|attacked|scammed|deported|sued|adopted|baptised|baptized|evacuated|rushed to hospital|admitted to hospital)"
    r"|(?:had|got|getting|have) (?:my|his|her) (?:appendix|tonsils|wisdom teeth|gallbladder"
    r"|spleen|kidney|knee|hip|tooth|cast)\s(?:out|removed|replaced|taken out|off|done)"
    r"|gave birth(?: to [\w ]{3,25})?|had (?:(?:a|our|my|her|his|their) )?(?:first |second )?(?:baby(?: (?:boy|girl))?|little (?:boy|girl)|twins)(?=\s*(?:$|[,.!]|last|on|in|this|yesterday))|miscarried|totaled (?:my|the|our) car|crashed (?:my|the|our) \w+|came out (?:to"
    r" (?:my|everyone)|as)\b[^;!?()\n]{0,30}|(?:house|home|flat|apartment) (?:burned"
    r"|burnt) down|(?:got|became|become) (?:my |an? )?(?:[\w-]+ ){0,2}?(?:citizenship|citizen)\b|went bankrupt"
    r"|filed for bankruptcy|(?:survived|beat) (?:breast |lung |skin )?(?:cancer|a stroke"
    r"|a heart attack|leukemia|covid))"
)


def _hurt(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.person == NOBODY or head.used:
        return
    verb = match[0].split()[0]
    future = head.future or verb in ("have", "having", "need", "needs", "getting")
    start, end = match.span()
    value = clean(
        clause.raw[start:end],
        stop="when|last|in (?:january|february|march|april|may|june|july|august|september|october"
        "|november|december|\\d)|while|and|on|so|skiing|playing|at|as|(?:two|three) (?:years|weeks|months|days)",
        most=9,
        article=False,
    )
    if value and not re.search(
        r"\b(?:heart|record|promise|the (?:ice|bank|news)|phone|laptop|screen|car|mug|glass"
        r"|rules?|vase|bottle|window)\b",
        value.lower()
        .replace("heart attack", "")
        .replace("open heart", "")
        .replace("car accident", "")
        .replace("car crash", "")
        .replace("crashed my car", "")
        .replace("totaled my car", ""),
    ):
        yield event(re.sub(r"^(?:was|were|been|have|having) ", "", value), clause, head, future=future)


def _noun_event(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "my surgery is on the 11th", "our wedding is in June", "our anniversary is"."""
    del head
    begins, ends = moment(clause, future=True)
    if begins is None:
        return
    value = clause.cut(match, "v")
    yield Said(attribute="event", value=value, held_from=begins, expires_at=ends)


def _shut(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person in (SPEAKER, ELIDED) and not head.negated and not head.thought:
        yield event(clean(match[0], article=False, stop="on|for|after|last", most=6), clause, head)


def _moved_in(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future:
        return
    yield event(
        clean(clause.raw[match.start() : match.end()], article=False, stop="last|in|on|this|and", most=7), clause, head
    )


def _is_moving(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != OTHER or head.negated or head.thought or not head.be:
        return
    value = clean(clause.raw[match.start() :], stop="and|so|because|but|which", most=8, article=False)
    yield event(value, clause, head, future=True)


RULES: tuple[Rule, ...] = (
    predicate(
        "event: died", "died|passed away|passed|passed on",
        r"(?=\s*(?:$|[,.!]|last|this|in|on|of|from|when|yesterday|today|two|three|a"
        r"|at|suddenly|peacefully|after|before|years|\d|and|during|while|back|just"
        r"|recently|tonight|so|away|earlier|four|five|six|ten))", _died, when=always,
    ),
    predicate(
        "event: lost", "lost|buried|put", "", _lost_one, bare=True, whole=
        rf"(?:lost|buried|put) (?:my|our) (?:(?:older|younger|old|dear|best|late|beloved"
        rf"|poor|sweet|little|elderly|baby|rescue|first) )*(?P<tie>{KIN}|{PETS})(?![a-z])(?!\s(?:in"
        rf" (?:the|a) (?:crowd|store|mall|park|woods)|at the))", when=always,
    ),
    predicate(
        "event: born", "born|here|arrived",
        r"(?=\s*(?:$|[,.!]|on|at|last|this|yesterday|today|in|\d|and|three|two|safely" r"|early))", _born, when=
        always,
    ),
    predicate(
        "event: lost name", "lost",
        r"\s(?P<v>[a-z][\w'-]+)\s(?:to (?:an? )?(?P<c>[a-z]+(?: [a-z]+)?)|last (?:week"
        r"|month|year|night)|on \w+day|this (?:week|morning))", lambda m, c, h: _lost_name(m, c, h), bare=True,
    ),
    predicate(
        "event: got the job", "got the job|got in|passed|failed|met|got my|won", "", lambda m, c, h: [event(
        clean(c.raw[m.start() : m.end()], article=False, most=9), c, h)] if h.person in (SPEAKER, ELIDED) else [],
        bare=True, whole=r"(?:got the job|failed my (?:\w+ )?(?:test|exam|driving test|class)|met my"
        r" (?:[\w-]+ ){1,2}?for the first time)(?![a-z])", when=lambda h: not (h.be or h.thought or h.negated or
        h.future),
    ),
    predicate(
        "event: trip", "went|going|go|visited|visiting|visit|travelled|traveled|travelling|traveling"
        "|flew|flying|fly|spent|spending|back|came|got back|backpacked|took|heading"
        "|off|toured|been|trip|taking|leaving|honeymooned", "", _trip, bare=frozenset(["went", "visited",
        "travelled", "traveled", "flew", "spent", "back", "came", "got", "going", "backpacked", "off", "flying"]),
        whole=r"(?:(?:went|going|go|came back|got back|flew|flying|travell?ed|travell?ing"
        r"|heading|off|been)(?: (?:back|over|down|up|out|on (?:holiday|vacation|honeymoon"
        r"|a trip|a road trip)|solo|alone))?(?: (?:to|from|through|around|for|in))"
        r"|(?:visited|visiting)(?: (?:my|our|the) [a-z][\w -]{2,20}? in)?|toured|backpacked (?:through|thru|around"
        r"|across|in)|(?:just )?back"
        r" from(?: [\w ]{1,20}? in)?|spent [\w ]{2,25}? in|honeymooned in|(?:took|taking)"
        r" (?:a|our|my)(?: \w+)? trip to|leaving for)\s{V}", when=always,
    ),
    predicate(
        "event: hurt", "broke|broken|torn|fractured|sprained|tore|dislocated|ruptured|twisted|cracked|injured"
        "|gave|had|have|having|got|need|needs|was|were|been|miscarried|totaled|crashed"
        "|came out|went bankrupt|filed|survived|beat|in|hit|hospitalised|hospitalized"
        "|burgled|robbed|mugged|evicted|baptised|baptized|getting|became|shattered" "|rushed|admitted|adopted",
        "", _hurt, bare=True, whole=_HURT, when=lambda h: not h.be,
    ),
    predicate(
        "event: hurt, be", "in|hit|hospitalised|hospitalized|burgled|robbed|mugged|evicted|adopted|baptised"
        "|baptized|evacuated|rushed|admitted|getting|having", "", _hurt, whole=
        r"(?:in (?:an?|a bad) (?:[\w-]+ )?(?:car )?(?:accident|crash|wreck)|hit by"
        r" an? \w+|hospitali[sz]ed[^;!?()\n]{0,30}|burgled|robbed|mugged|evicted|adopted(?="
        r" (?:when|as|from|by|at|in|$))|bapti[sz]ed[^;!?()\n]{0,20}|evacuated|rushed"
        r" to hospital|admitted to (?:the )?hospital|(?:getting|having) (?:my |an?"
        r" |the )?(?:[\w-]+ ){0,2}(?:surgery|operation|transplant|bypass|hip replacement"
        r"|knee replacement|c-section))", be=True, bare=True, when=always,
    ),
    predicate(
        "event: noun", "surgery|operation|wedding|due date|graduation|honeymoon|anniversary|funeral"
        "|baptism|bar mitzvah|bat mitzvah|baby shower|driving test|citizenship test"
        "|court date|retirement party|flight|trip to|exam|procedure|hip replacement" "|knee surgery", "",
        _noun_event, owned=True, whole=
        r"(?P<v>(?:\w+ )?(?:surgery|operation|wedding|due date|graduation|honeymoon"
        r"|anniversary|funeral|baptism|bar mitzvah|bat mitzvah|baby shower|driving"
        r" test|citizenship test|court date|trip to [A-Z]?\w+|exam|procedure|hip replacement"
        r"|knee surgery))\s?(?:is|'s|will be|was)\s(?:on|in|next|this|scheduled|set"
        r"|booked|at|tomorrow|the|\w+ \d|\d)", when=always,
    ),
    predicate(
        "event: closed", "closed|shut down|sold|opened",
        r"\s(?:the|my|our)\s(?:shop|business|restaurant|cafe|bakery|company|store|salon"
        r"|studio|practice)\b.{0,20}", _shut, bare=True, when=always,
    ),
    predicate(
        "event: moved in", "moved in|moved into|moved out|moved back in|moving in",
        r"(?:\s(?:the|our|my|a|an)\s(?:\w+ ){0,2}(?:house|home|flat|apartment|place|condo|studio)|\s(?:with|of"
        r"|together|at)[^;!?(),\n]{0,40})?", _moved_in, bare=frozenset(["moved"]), when=lambda h:
        not h.be, to_speaker=True,
    ),
    predicate(
        "event: is moving", "moving|retiring|having a baby|leaving|relocating|starting|graduating|transferring"
        "|emigrating|going through", r"\s.{2,70}", _is_moving, when=always,
    ),
)  # fmt: skip
