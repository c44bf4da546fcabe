"""What somebody owns, bought and sold."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.events import event
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, predicate, said
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES"]

_BIG = (
    r"(?:house|flat|apartment|condo|car|van|truck|motorbike|motorcycle|bike|boat|farm"
    r"|land|cottage|cabin|home|tesla|toyota|honda|ford|bmw|vw|golf|audi|mazda|subaru"
    r"|jeep|camper(?:van)?|caravan|scooter|vespa|piano|horse|place|studio|shop|narrowboat"
    r"|yacht|kayak|canoe|e-?bike|guitar|cello|violin|telescope|3d printer|drone|kiln"
    r"|loom|studio flat|townhouse|bungalow|allotment|vineyard|laptop|camera|ps5|switch"
    r"|saxophone|drum kit|hatchback|minivan|suv|pickup|motor ?home|rv|plot)"
)


def _bought(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future or head.person == NOBODY:
        return
    value = clean(
        clause.cut(match, "v"),
        stop="in|for|from|last|with|at|on|together|near|by|and|this|two|three|after|because|when|outside|so",
        most=5,
    )
    if not value:
        return
    if not re.search(rf"\b{_BIG}s?\b", value.lower()):
        return
    if re.search(
        r"\b(?:house|flat|apartment|condo|home|place|cottage|cabin|farm|land|townhouse"
        r"|bungalow)\b",
        value.lower(),
    ):
        yield event(f"bought {value}", clause, head)
    yield said("possession", value, head, changed=True)


def _sold(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future or head.person == NOBODY:
        return
    value = clean(
        clause.cut(match, "v"), stop="in|for|to|last|on|at|over|and|this|two|because|when|after|yesterday|so", most=4
    )
    value = re.sub(r"^(?:my|our|the|his|her|old) +(?:old +)?", "", value, flags=re.IGNORECASE)
    if (
        value
        and not re.match(r"(?:out|me|us|it|them|tickets?|on|everything|nothing|well|insurance|cars)\b", value.lower())
        and (re.search(rf"\b{_BIG}s?\b", value.lower()) or value[0].isupper())
    ):
        yield said("former_possession", value, head)


_OWN_STOP = "parked|sitting|moored|hanging|waiting|collecting|standing|gathering|kept|stored|under|behind|that|which|with|for|since|in|because|from|and|so|called|named|who|but|at|on|outside|worth|to"


def _owns(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.negated and not head.ended) or head.person == NOBODY:
        return
    verb = match[0].split()[0]
    value = clean(clause.cut(match, "v"), stop=_OWN_STOP, most=5)
    if " in mind" in clause.flat:
        return
    gone = head.used or head.ended or (verb in ("owned", "drove", "had") and not head.have)
    if not value or (
        verb in ("have", "has", "got", "had")
        and not re.match(r"(?:19|20)\d\d [A-Za-z]", value)
        and not re.search(rf"\b{_BIG}s?$", value.lower())
    ):
        return
    if verb in ("have", "has", "got", "had") and re.search(
        r"\b(?<!holiday )(?<!second )(?<!summer )(?:home|place|land|switch|golf|studio)$", value.lower()
    ):
        return
    if re.match(
        r"(?:it|this|that|up|my mistakes?|the|to|me|him|us|a bus|a truck|a taxi|too|fast"
        r"|slow|home|here|there|for|kids|everyone|you|them|stick|manual|automatic|business"
        r"|company|shop|bakery|everything|nothing|one|stocks)\b",
        value.lower(),
    ) or re.search(
        r"(?:bus|lorry|taxi|forklift|tram|ambulance|business|company|shop|bakery|restaurant"
        r"|agency|salon|cafe|bar|studio|gym|practice)$",
        value.lower(),
    ):
        return
    yield said((FORMER if gone else "") + "possession", value, head, changed=head.changed)


def _acquired(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """Come by in some way that makes it one's own, whatever the thing."""
    if head.thought or head.negated or head.future or head.used:
        return
    group = "w" if match.groupdict().get("w") else "v"
    value = clean(clause.cut(match, group), most=5)
    if value and not re.match(
        r"(?:it|this|that|fault|mistake|money|debt|pleasure|problem|choice|idea|place|job|lot|cold|seat|turn|round)\b|.*\b(?:eyes"
        r"|nose|hair|genes?|temper|cousin|kid|dog|cat|puppy|kitten|guy|girl|love|faith|fault|choice|idea)$",
        value.lower(),
    ):
        yield Said(attribute="possession", value=value)


def _model(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "What oil for my John Deere 5055E?": a make with its number, or a make everybody knows."""
    if head.thought and "?" not in clause.raw:
        return
    raw = clause.raw[match.start("v") : match.end("v")]
    numbered = re.match(
        r"(?!Top|Chapter|Week|Day|Level|Year|Grade|Part|Phase|Room|Unit|Stage)(?:[A-Z][\w-]+ ){1,2}[A-Z]*\d[\w-]*$", raw
    )
    known = re.fullmatch(r"(?:'?\d\d )?[A-Za-z5 -]+", raw)
    old = re.search(r"\b(?:sold|totall?ed|crashed|used to|had to sell|old)\b", clause.flat[: match.end()])
    lost = re.match(
        r"\s(?:died|broke|is dead|got stolen|was stolen|is gone|got totall?ed|is totall?ed)\b",
        clause.flat[match.end() :],
    )
    if (numbered or known) and not lost and head.person != OTHER and not old:
        yield Said(attribute="possession", value=raw)


RULES: tuple[Rule, ...] = (
    predicate(
        "event: bought", "bought|purchased|got myself|treated myself to|finally got|closed on|got the"
        " keys to|got the keys|picked up my new|invested in",
        r"\s(?:myself\s|ourselves\s|to\s)?(?:an?\s|the\s|my\s|our\s|her\s|his\s|some\s)?{V}", _bought, bare=True,
        when=always,
    ),
    predicate(
        "possession: sold", "sold|got rid of|traded in|gave away|parted with|scrapped|had to sell|had to pawn|ended up"
        " selling|pawned|had to get rid of|totaled|totalled|crashed",
        r"\s(?:an?\s|the\s|my\s|our\s|her\s|his\s)?{V}", _sold, bare=True, when=always,
    ),
    predicate(
        "possession: own", "own|owns|owned|drive|drives|have|has|had|got|ride|rides|riding",
        r"\s(?:got\s|around in\s)?(?:an?\s|the\s|my\s|our\s|two\s|three\s|this\s)?{V}", _owns, bare=frozenset([
        "own"]), when=lambda h: not h.be,
    ),
    predicate(
        "possession: we've a", "a|an", rf"\s(?P<v>(?:[\w-]+\s){{0,3}}?{_BIG})\b(?! (?:booked|appointment|to))", lambda m, c, h: [said("possession", c.cut(m, "v"), h)]
        if h.have and not (h.be or h.past or h.negated) and h.person != NOBODY else [],
    ),
    anywhere(
        "possession: second hand", "copped scored snagged grabbed found bought got picked won inherited",
        r"\b(?:copped|scored|snagged|grabbed|found|bought|got|picked up) (?:myself )?an? (?P<v>[\w' -]{2,40}?) (?:on|off|from|thru"
        r"|through) (?:fb|facebook|marketplace|craigslist|ebay|gumtree|vinted|depop|etsy|a (?:garage|yard|car boot|estate)"
        r" sale|an auction|kijiji|olx)\b|\binherited (?:an? |the |my |her |his )?(?P<w>(?:[\w']+ ){0,3}[\w']+?)(?= (?:from|when|last"
        r"|and|in|which|so|but)\b|\W*$)", _acquired,
    ),
    anywhere(
        "possession: mine now", "mine",
        r"^\W*(?:my |the |our )?(?:late |old )?(?P<v>(?:[\w'-]+ ){1,3}?[\w'-]+) is (?:finally |officially |all )?mine(?: now)?\b",
        _acquired,
    ),
    anywhere(
        "possession: hanging", "hanging sitting parked mounted", r"\b(?:got|have) (?:my|an?|the) (?P<v>(?:[\w'-]+ ){0,3}?[\w'-]+)"
        r" (?:hanging|sitting|parked|mounted|moored) (?:in|on|at|outside|up)\b", _acquired,
    ),
    anywhere(
        "possession: my model", "my our",
        r"\b(?:my|our) (?:(?:old|new|beloved|trusty|beat[- ]?up|little|ancient|rusty|used|first) )*(?P<v>(?:[a-z][\w-]+ ){1,2}"
        r"(?=[\w-]*\d)[\w-]{2,8}|(?:'?\d\d )?(?:civic|corolla|camry|tacoma|miata|prius|accord|toyota|honda|subaru|hyundai"
        r"|kia|nissan|altima|jetta|passat|fiesta|corsa|chevy|f-?150|silverado|harley|vespa|les paul|strat|telecaster|macbook"
        r"|thinkpad|ps5|xbox|steam deck))(?![\w'])", _model,
    ),
    anywhere(
        "possession: the x we own", "own", r"\bthe (?P<v>[a-z]+(?: [a-z]+)?) (?:i|we) own\b", lambda m, c, h: [
        Said(attribute="possession", value=c.cut(m, "v"))],
    ),
    anywhere(
        "possession: my make", "my our",
        r"\b(?:my|our) (?:old |new |beloved |trusty |beat-up )?(?P<v>(?:(?:19|20)\d\d"
        r" )(?:[A-Z]?[\w-]+)(?: [A-Z][\w-]+)?)", lambda m, c, h: [Said(attribute="possession", value=re.sub(
        r" (?:that|which|with|is|has)$", "", c.cut(m, "v")))] if re.match(r"\d{4} [A-Z]", c.raw[m.start("v") :])
        and not re.search(r"(?i)tax|goal|resolution|plan|budget|trip|report|season|review|taxes|calendar", c.cut(
        m, "v")) else [],
    ),
)  # fmt: skip
