"""What somebody owns, bought and sold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.events import event
from relembra.minds.offline.reader.english.heads import NOBODY, Head
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
    value = re.sub(r"^(?:my|our|the|his|her|old) +(?:old +)?", "", value, flags=re.I)
    if (
        value
        and not re.match(r"(?:out|me|us|it|them|tickets?|on|everything|nothing|well|insurance|cars)\b", value.lower())
        and (re.search(rf"\b{_BIG}s?\b", value.lower()) or value[0].isupper())
    ):
        yield said("former_possession", value, head)


_OWN_STOP = (
    "parked|sitting|behind|that|which|with|for|since|in|because|from|and|so|called|named|who|but|at|on|outside|worth|to"
)


def _owns(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.negated and not head.ended) or head.person == NOBODY:
        return
    verb = match[0].split()[0]
    value = clean(clause.cut(match, "v"), stop=_OWN_STOP, most=5)
    gone = head.used or head.ended or (verb in ("owned", "drove", "had") and not head.have)
    if not value or (
        verb in ("have", "has", "got", "had")
        and not re.match(r"(?:19|20)\d\d [A-Z]", value)
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


RULES: tuple[Rule, ...] = (
    predicate(
        "event: bought", "bought|purchased|got myself|treated myself to|finally got|closed on|got the"
        " keys to|got the keys|picked up my new|invested in",
        r"\s(?:myself\s|ourselves\s|to\s)?(?:an?\s|the\s|my\s|our\s|her\s|his\s|some\s)?{V}", _bought, bare=True,
        when=always,
    ),
    predicate(
        "possession: sold", "sold|got rid of|traded in|gave away|parted with|scrapped",
        r"\s(?:an?\s|the\s|my\s|our\s|her\s|his\s)?{V}", _sold, bare=True, when=always,
    ),
    predicate(
        "possession: own", "own|owns|owned|drive|drives|have|has|had|got|ride|rides|riding",
        r"\s(?:got\s|around in\s)?(?:an?\s|the\s|my\s|our\s|two\s|three\s|this\s)?{V}", _owns, bare=frozenset([
        "own"]), when=lambda h: not h.be,
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
