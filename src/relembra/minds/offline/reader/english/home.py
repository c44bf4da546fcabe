"""Where somebody lives, lived and comes from."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, said, states, told
from relembra.minds.offline.reader.english.words import clean, name_at

__all__ = ["RULES"]


def _born_in(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), stop="on|in|and|to|during|raised|with", most=5, article=False)
    if value and not re.match(
        r"(?:the (?:\d|early|late|mid|middle|year)|\d|(?:january|february|march|april|may"
        r"|june|july|august|september|october|november|december|winter|summer|spring|autumn)\b"
        r"|a (?:hospital|small|tiny|family|taxi))",
        value.lower(),
    ):
        yield said(
            "birthplace",
            re.sub(r"^the (?!netherlands|philippines|us|uk|bronx|gambia)", "", value, flags=re.IGNORECASE),
            head,
        )


_HOME_STOP = (
    "with|w/|near|and|on|for|since|by|next|close|at|right|about|alone|half|most|all"
    "|during|because|full|permanently|atm|where|together|not|we|my|bigger|smaller"
    "|to|myself|part|weekends|also"
)


_NOT_HOME = re.compile(
    r"^(?:(?:a|an|the)? ?(?:moment|present|past|fear|peace|hope|denial|dream|world"
    r"|hell|chaos|sin|same|middle|bubble|future|now|joggers|leggings|sweatpants|pajamas"
    r"|jeans|pjs|poverty|luxury|style|person|different|way|area|worst|house share$"
    r"|nightmare|constant|box|cave|car tonight|interesting times))\b|\bmy (?:head|mind)\b"
)


_NOT_SINCE = re.compile(r"\b(?:have|has)(?:n'?t| not)\b.*\bsince\b")
_NEAR = re.compile(
    r"\b(?:near|outside|outside of|north of|south of|east of|west of) (?P<p>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?)"
)


def _home(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    verb = match[0].split()[0]
    since = head.negated and bool(_NOT_SINCE.search(clause.flat))  # "I haven't lived in Rome since 2015"
    if head.thought or head.future or (head.negated and not (head.ended or since)) or head.person == NOBODY:
        return
    value = clean(clause.cut(match, "v"), stop=_HOME_STOP, most=6, article=False)
    value = re.sub(
        r"^(?:a |an |the )(?:\w+ ){0,3}?(?:flat|apartment|house|studio|room|place|cottage"
        r"|condo|duplex|bungalow|loft|townhouse|flatshare|house share|home)(?: \w+)? (?:in"
        r"|outside|near) (?:the )?",
        "",
        value,
        flags=re.IGNORECASE,
    )
    value = re.sub(
        r"^(?:the )(?!netherlands|philippines|us\b|uk\b|bronx|hague|usa|countryside|city"
        r"|country|suburbs|bay)",
        "",
        value,
        flags=re.IGNORECASE,
    )
    near = _NEAR.search(clause.raw, match.start("v"))
    if value and not value[0].isupper() and near:  # "out in the sticks near Hexham"
        value = near["p"]
    if not value or _NOT_HOME.search(value.lower()):
        return
    gone = (
        since
        or head.ended
        or head.used
        or head.past
        or (verb in ("lived", "stayed", "resided", "rented", "dwelt") and not head.have)
    )
    if verb in ("grew", "raised"):
        yield told(head, attribute="former_residence", value=value, content=_grew(head, value))
        return
    if gone:
        yield said("former_residence", value, head)
        return
    if (
        head.have
        and verb == "lived"
        and not re.search(r"\b(?:for|since|all my life|my whole life|always|now)\b", clause.flat)
    ):
        yield said("former_residence", value, head)
        return
    new = head.changed or bool(re.search(r"\b(?:now|these days|as of|since (?:last|this))\b", clause.flat))
    yield said("residence", value, head, changed=new)


def _grew(head: Head, value: str) -> str:
    return f"Grew up in {value}" if head.person != OTHER else f"{head.name} grew up in {value}"


_MOVE_STOP = (
    "with|and|for|because|on|in (?:january|february|march|april|may|june|july|august"
    "|september|october|november|december|\\d{4}|the|early|late|mid|spring|summer"
    "|autumn|fall|winter)|from|to be|to study|to work|to live|to start|next|at|after"
    "|when|by|this|permanently|full|ago|a|two|three|about|over|six|four|five|\\d+"
    "|together|just|during|back"
)


def _moved(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.used:
        return
    value = clean(clause.cut(match, "v"), stop=_MOVE_STOP, most=5, article=False)
    value = re.sub(
        r"^the (?!netherlands|philippines|us\b|uk\b|bronx|hague|usa|countryside|city|country"
        r"|suburbs|bay|coast)",
        "",
        value,
        flags=re.IGNORECASE,
    )
    if not value or re.match(
        r"(?:a |an |the |my |our |another|new|bigger|smaller|next|different|be |do |his"
        r" |her |their |windows|linux|mac|python|java|vegan|plant|team|group|teams|slack"
        r"|notion|vs ?code)",
        value.lower() + " ",
    ):
        if value and re.match(
            r"(?:a|an|the|our|my|his|her|their) (?:\w+ ){0,3}(?:flat|apartment|house|place"
            r"|home|condo|studio|cottage|farm|city|country|town|village)",
            value.lower(),
        ):
            begins, _ = moment(clause)
            yield told(head, attribute="event", value=f"moved to {value}", held_from=begins)
        return
    if head.future or (
        match[0].startswith(("relocating", "moving", "move", "relocate ")) and not match[0].startswith("moved")
    ):
        begins, ends = moment(clause, future=True)
        yield told(head, attribute="goal", value=f"move to {value}", expires_at=ends)
        del begins
        return
    begins, _ = moment(clause)
    later = re.search(r"\b(?:but|then) (?:\w+ ){0,3}(?:moved|came|went) (?:back|again|home)", clause.sentence.lower())
    if not later:
        yield told(head, attribute="residence", value=value, changed=True, held_from=begins)
    yield told(head, attribute="event", value=f"moved to {value}", held_from=begins)
    origin = re.search(r"\bfrom (?P<o>[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){0,2})(?: to\b|\s*$|[,.!])", clause.raw)
    if origin and name_at(clause.raw, origin.start("o"), lower=False) is not None:
        yield said("former_residence", origin["o"].rstrip(".,!"), head)


def _in_now(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I'm in Duluth these days": a home only when said to be so by now."""
    if (
        head.past
        or not (re.search(r"\b(?:these days|nowadays|now|as of \w+)\b", clause.flat))
        or re.search(r"\bright now\b|\b(?:meeting|call|hospital)\b", clause.flat)
    ):
        return
    value = clean(clause.cut(match, "v"), stop=_HOME_STOP, most=3)
    if value and value[0].isupper() and not re.match(r"(?:GMT|UTC|EST|PST|CET|[A-Z]+\+)", value):
        yield said("residence", value, head, changed=True)


def _spent(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), stop=_HOME_STOP + "|after|before|as", most=3)
    if value and value[0].isupper():
        yield said("former_residence", value, head)


def _left_town(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I left Leeds": of a home only where the sentence speaks of one."""
    if not re.search(
        r"\b(?:live|living|lived|mov(?:e|ed|ing)|behind|for good|hometown|born|flat|apartment)\b",
        clause.sentence.lower(),
    ):
        return
    value = clean(clause.cut(match, "v"), most=3, stop="for|in|to|at|and|on|behind")
    if value and value[0].isupper() and match[0].startswith("left"):
        yield said("former_residence", value, head)


_NO_PLACE = re.compile(
    r"(?:work|home|school|there|here|future|now|me|you|scratch|what|where|past|outside"
    r"|above|abroad|today|a|my|this|that|it|bed|far)\b"
)


_FROM_STOP = "and|but|with|so|originally|near|then|by|now|living|though|where|via"


_DEPARTMENT = re.compile(
    r"(?:the )?(?:\w+ ){0,2}(?:hr|it|sales|marketing|finance|accounts|accounting|payroll|legal|support|operations|ops"
    r"|engineering|logistics|procurement|reception|customer (?:service|support|care|success)|human resources|admin"
    r"|purchasing|compliance|product|design|security|facilities|billing|research|r&d|pr|qa|data|communications)"
    r"(?: (?:department|team|dept|office|side|desk|division|group))?$"
    r"|.*\b(?:department|dept|team|office|division|desk|company|agency|firm|bank|council|committee|union|group|inc|ltd|llc|consulting|magazine|times|university)$"
)


def _from(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), stop=_FROM_STOP, most=4)
    if _DEPARTMENT.match(value.lower()):
        return
    if (
        not value
        or not value[0].isupper()
        or re.match(r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)", value.lower())
    ):
        low = bool(value) and clause.sentence.islower() and len(value.split()) <= 2
        if not (value and ("originally" in match[0] or (low and not _NO_PLACE.match(value)))):
            return
    yield said("birthplace", value, head)


def _based(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), stop=_HOME_STOP, most=4)
    if value and value[0].isupper():
        gone = head.past or head.used or head.ended
        yield said("former_residence" if gone else "residence", value, head, changed=head.changed and not gone)


RULES: tuple[Rule, ...] = (
    anywhere(
        "birthplace: born and bred", "born", r"^\W*(?!(?:i|we|he|she|was|my)\b)(?P<v>[a-z]+(?: [a-z]+)?) born and (?:bred|raised)\b", lambda
        m, c, h: [Said(attribute="birthplace", value=v)] if (v := clean(c.cut(m, "v"), most=2)) and v[0].isupper()
        else [],
    ),
    predicate(
        "birthplace: born", "born",
        r"(?: and (?:raised|bred|brought up))?(?:,? on [^,]{3,25}?,?|,? in (?:19|20)\d\d,?)?\s(?:i"
        r"n|at)\s{V}", _born_in, be=True, bare=True, when=lambda h: not (h.negated or h.thought),
    ),
    predicate(
        "residence: live", "live|lives|living|lived|reside|resides|residing|resided|rent|rents|renting"
        "|rented", r"(?:\s(?:alone|together|here|by myself|(?:with|w/?) (?:my|his|her|our) \w+(?: \w+)?"
        r"|a (?:\w+ ){0,3}(?:flat|apartment|house|place|room|studio|cottage)|with [A-Z]?\w+))?(?:\s"
        r"(?:over|up|down|out|right|just))?\s(?:in|outside|near)\s{V}", _home, bare=frozenset(["living", "lived",
        "live", "rent", "renting"]), when=always,
    ),
    predicate(
        "residence: grew up", "grew up|raised", r"\s(?:in|outside|near|around)\s{V}", _home, bare=True, when=
        always,
    ),
    predicate(
        "residence: moved", "moved|moving|relocated|relocating|move|moves|relocate",
        r"(?:\s(?:back|out|over|down|up|in|away|house|home|recently|permanently|together"
        r"|here|with (?:my|his|her|our) \w+|across (?:the )?\w+|all the way|cross[- ]country|from (?:[\w'’.-]+ ){1,3}?))?\s?(?:to|into)\s{V}", _moved, bare=
        frozenset(["moved", "moving", "relocated", "relocating"]), when=always,
    ),
    predicate(
        "residence: left", "left|leaving", r"\s(?P<v>[^;!?()\n]{2,60})", _left_town,
    ),
    predicate(
        "residence: based", "based|settled|stationed|located", r"\s(?:out of|in|near|outside)\s{V}", _based, be=
        True, bare=frozenset(["based"]), when=lambda h: not (h.thought or h.future or (h.negated and not h.ended)),
    ),
    predicate(
        "birthplace: from", "from|originally from|a native of", r"\s{V}", _from, be=True, bare=frozenset([
        "originally"]),
    ),
    predicate(
        "birthplace: come from", "come from|comes from|hail from|hails from|originally come from|originally"
        " came from", r"\s{V}", _from,
    ),
    anywhere(
        "residence: home is", "home resident",
        r"^\W*(?:my |our )?home(?: base)?(?:'s| is) (?:now |in |currently )*(?P<v>[A-Za-z][\w'"
        r" .-]{2,30})|\ba (?P<w>[a-z]+(?: [a-z]+)?) resident\b", lambda m, c, h: [Said(attribute="residence",
        value=v, changed=h.changed)] if (v := clean(c.cut(m, "v") if m["v"] else c.cut(m, "w"), stop=_HOME_STOP
        + "|in", most=3)) and v[0].isupper() and h.person != OTHER else [],
    ),
    predicate(
        "residence: gone to live", "gone to live in|went to live in|settled down in|ended up in|settled in|gone back to|went back to live in",
        r"\s{V}", lambda m, c, h: [said("residence", v, h, changed=True)] if (v := clean(c.cut(m, "v"), stop=
        _HOME_STOP, most=3)) and v[0].isupper() else [], bare=frozenset(["settled"]),
    ),
    anywhere(
        "residence: a finn living in", "living based",
        r"^\W*(?:i'm|im|i am) an? [\w -]{2,30}? (?:living|based) in\s{V}", lambda m, c, h: [said_home] if h.
        person == SPEAKER and (v := clean(c.cut(m, "v"), stop=_HOME_STOP, most=3)) and v[0].isupper() and (
        said_home := Said(attribute="residence", value=v)) else [],
    ),
    predicate(
        "residence: in x now", "in|over in|out in", r"\s{V}", _in_now, be=True,
    ),
    predicate(
        "residence: spent", "spent",
        r"\s(?:about |almost |over |nearly |the last |the past )?(?:\d+|a|an|two|three"
        r"|four|five|six|seven|eight|nine|ten|a few|several|many|my whole|most of my"
        r"|my|his|her|all my|the best part of my)\s(?:(?:and a half|early|late|mid)\s)?(?:years?"
        r"|months?|decades?|childhood|life|twenties|thirties|teens)\s(?:living |working"
        r" |studying |based )?in\s{V}", _spent, bare=True,
    ),
    predicate(
        "timezone: be", "on|in", "", lambda m, c, h: [said("timezone", c.cut(m, "v"), h)], be=True, bare=True,
        whole=r"(?:on|in) (?:the )?(?P<v>(?:mountain|eastern|central|pacific|atlantic|alaska"
        r"|hawaii|greenwich mean|uk|london|british summer|central european|indian standard"
        r"|japan standard|\w+ standard|[a-z]+)(?: daylight| standard)? time(?: ?zone)?"
        r"|(?:gmt|utc)\s?(?:[+-]\s?\d{1,2}(?::\d\d)?)?|cet|cest|est|pst|cst|mst|edt"
        r"|pdt|bst|ist|jst|aest|brt)(?![a-z])(?!\s(?:for|to))", when=lambda h: not (h.negated or h.thought or h.
        past),
    ),
    anywhere(
        "birthplace: where i was born", "born",
        r"\b(?P<v>[A-Z]?[a-z]+(?: [A-Z]?[a-z]+)?) is where (?:i was born|i grew up" r"|i'm from)", lambda m, c,
        h: [Said(attribute="birthplace", value=v)] if (v := clean(c.cut(m, "v"), most=3)) and v[0].isupper() and
        v.lower() != "it" else [],
    ),
    states(
        "timezone", "time zone|timezone", r"\s?(?:is|'s)\s{V}", owned=True, most=4,
    ),
    states(
        "birthplace", "hometown|birthplace|home town|place of birth|native place|native village|native town", r"\s?(?:is|'s|was)\s{V}", owned=True, most=
        4, stop="in",
    ),
)  # fmt: skip
