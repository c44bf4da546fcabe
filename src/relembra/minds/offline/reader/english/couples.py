"""Marriages, partnerships and partings."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.family import tie_of
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, told
from relembra.minds.offline.reader.english.words import (
    name_at,
)

__all__ = ["RULES"]

_STATUS = {
    "single": "single",
    "married": "married",
    "engaged": "engaged",
    "divorced": "divorced",
    "widowed": "widowed",
    "separated": "separated",
    "a widow": "widowed",
    "a widower": "widowed",
    "widower": "widowed",
    "widow": "widowed",
    "divorcee": "divorced",
    "a divorcee": "divorced",
    "newlywed": "married",
    "newlyweds": "married",
    "in a relationship": "in a relationship",
    "in a long-distance relationship": "in a long-distance relationship",
    "in a long distance relationship": "in a long-distance relationship",
    "a bachelor": "single",
    "getting divorced": "getting divorced",
    "getting a divorce": "getting divorced",
    "going through a divorce": "getting divorced",
    "happily married": "married",
    "dating": "dating",
    "seeing someone": "in a relationship",
    "in an open relationship": "in an open relationship",
    "remarried": "married",
    "recently divorced": "divorced",
    "a single mom": "single",
    "a single parent": "single",
    "a single mum": "single",
    "a single dad": "single",
    "a single mother": "single",
    "a single father": "single",
    "a married man": "married",
    "a married woman": "married",
}


_EVERY = re.compile(r"\b(?:every|each|not one|no)\W*$", re.IGNORECASE)  # "Every. Single. Morning."


_ME_AND = re.compile(
    r"(?:^|[.,!] )\W*(?:[Mm]e (?:and|n|&) )?(?P<n>[A-ZÀ-Þ][\w'’-]+)(?<!\bMe)(?: and (?:I|i|me))? (?:are|'re|got|just)\b"
)


def _status(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.negated and not head.ended):
        return
    word = match["w"]
    value = _STATUS[word]
    rest = clause.flat[match.end() :]
    if word == "engaged" and re.match(r"\s(?:in|with (?:the|my|work|content)|by)", rest):
        return
    if word in ("single", "separated", "dating") and re.match(
        r"\s(?:handed|file|track|source|use|out|malt|speed|player|from (?:the|a))", rest
    ):
        return
    if word == "dating" and not re.match(
        r"\s(?:an? |this |someone|my|again|for|since|[A-Z])", clause.raw[match.end() :]
    ):
        return
    if word == "single" and head.person == ELIDED and _EVERY.search(clause.message[: clause.offset]):
        return
    gone = head.ended or head.used or (head.past and word not in ("widowed",))
    if (
        head.past
        and word in ("married", "engaged", "divorced")
        and not head.used
        and not re.search(r"\bfor\b|\bonce\b|\bbefore\b", clause.flat)
    ):
        gone = False
        if word in ("married", "engaged"):
            yield _happened(f"got {word}", clause, head)
    yield told(head, attribute=("former_" if gone else "") + "marital_status", value=value, changed=head.changed)
    both = _ME_AND.search(clause.sentence) if value in ("engaged", "married", "dating", "divorced") else None
    if both and head.person == SPEAKER and not gone and name_at(clause.sentence, both.start("n"), lower=False):
        if value == "divorced":
            yield Said(attribute="former_relation", value="spouse", subject=both["n"], relation="spouse")
        else:
            yield tie_of(both["n"], {"married": "spouse", "engaged": "fiancé(e)"}.get(value, "partner"))
    partner = re.match(
        r"\s(?:to|with)\s(?:my (?:\w+ ){0,2}?(?:wife|husband|partner|fiancee?|girlfriend"
        r"|boyfriend|man|woman|love)?,?\s?)?",
        rest,
    )
    if partner and head.person in (SPEAKER, ELIDED):
        span = name_at(clause.raw, match.end() + partner.end())
        if span:
            tie = {"married": "spouse", "engaged": "fiancé(e)"}.get(value, "partner")
            said = re.search(r"wife|husband|fiancee?|girlfriend|boyfriend|partner", partner[0])
            yield tie_of(clause.raw[slice(*span)], said[0] if said else tie)


def _happened(value: str, clause: Clause, head: Head) -> Said:
    begins, _ = moment(clause)
    return told(head, attribute="event", value=value, held_from=begins)


_MATE = r"(girlfriend|boyfriend|partner|gf|bf|husband|wife|fiancee?|spouse|hubby)"
_WITH_MINE = re.compile(
    rf"\bmy {_MATE} and (?:i|me)\b|\b(?:divorced|separated|split|parted)\b[\w ]{{0,12}}? my {_MATE}\b(?!,? [a-z]+,? (?:last|in)\b)"
)
_WED = frozenset({"husband", "wife", "spouse", "hubby"})
_FEMALE = re.compile(r"\b(?:she|her|wife|bride)\b")


_MALE = re.compile(r"\b(?:he|him|his|husband|groom)\b")


def _wed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I married Paula", "got married in May", "tied the knot", "got engaged"."""
    if head.thought or head.negated or head.used:
        return
    word = match["w"]
    if head.be and not head.future and not match[0].startswith(("getting", "marrying", "been")):
        return
    kind = (
        "engaged"
        if "engaged" in word or "propos" in word or "knee" in word
        else "divorced"
        if "divorc" in word
        else "separated"
        if "separat" in word or "split" in word
        else "married"
    )
    if word == "separated" and re.match(r"\s(?:the|my|it|egg)", clause.flat[match.end() :]):
        return
    if re.match(r"\s(?:us|them|me|couples|people|him|her)\b", clause.flat[match.end() :]) or (
        head.person == ELIDED and match[0] in ("married", "divorced", "engaged")
    ):
        return
    if head.future or match[0].startswith(("getting", "marrying", "tie ", "tying", "get ")):
        begins, ends = moment(clause, future=True)
        if kind == "divorced":
            yield told(head, attribute="marital_status", value="getting divorced", changed=True)
        else:
            yield told(head, attribute="event", value=f"getting {kind}", held_from=begins, expires_at=ends)
        return
    rest = clause.flat[match.end() :]
    begins, _ = moment(clause)
    yield told(head, attribute="marital_status", value=kind, changed=True, held_from=begins)
    lead = re.match(
        r"\s?(?:to |with |from )?(?:my (?P<t>(?:\w+ ){0,3}?(?:wife|husband|partner|fiancee?"
        r"|girlfriend|boyfriend|sweetheart|love|boss))?,?\s?)?",
        rest,
    )
    name = ""
    if lead and head.person in (SPEAKER, ELIDED) and not (word == "eloped" and not rest.startswith(" with")):
        span = name_at(clause.raw, match.end() + lead.end())
        if span and re.match(r"\s?(?:to|with|from|my|[A-Za-z])", rest):
            name = clause.raw[slice(*span)]
    if not name and head.person in (SPEAKER, ELIDED):
        both = re.search(r"(?P<n>[A-Z][\w'’-]+) and (?:i|me)\b", clause.sentence, re.IGNORECASE)
        if both and name_at(clause.sentence, both.start("n")):
            name = both["n"]
    yield _happened(
        f"{'got ' if kind != 'separated' else ''}{kind}"
        + (f" to {name}" if name and kind in ("married", "engaged") else f" from {name}" if name else ""),
        clause,
        head,
    )
    if name:
        sex = (
            "wife"
            if _FEMALE.search(clause.sentence.lower())
            else "husband"
            if _MALE.search(clause.sentence.lower())
            else "spouse"
        )
        if kind == "married":
            yield tie_of(name, sex)
        elif kind == "engaged":
            yield tie_of(name, "fiancé(e)")
        else:
            known = lead["t"].split()[-1] if lead and lead["t"] else sex
            yield Said(attribute="former_relation", value=known, subject=name, relation=known)
    elif kind in ("divorced", "separated") and head.person in (SPEAKER, ELIDED):
        mine = _WITH_MINE.search(clause.sentence.lower())
        if mine:
            tie = mine[1] or mine[2]
            yield Said(attribute="former_relation", value=tie, subject=tie, relation=tie)


def _parted(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "broke up with Tom", "my girlfriend left me", "Dev and I split up"."""
    if head.person == OTHER and head.plural and head.relation in ("parent", "grandparent", "in-law", "folk"):
        yield told(head, attribute="marital_status", value="separated", changed=True)
        return
    if head.thought or head.negated or head.future or head.person == OTHER:
        return
    rest = clause.flat[match.end() :]
    lead = re.match(
        r"\swith\s(?:my (?P<t>(?:\w+ ){0,3}?(?:girlfriend|boyfriend|partner|gf|bf|fiancee?"
        r"|husband|wife|ex)),?\s?)?",
        rest,
    )
    name, tie = "", "partner"
    if lead:
        tie = lead["t"].split()[-1] if lead["t"] else tie
        span = name_at(clause.raw, match.end() + lead.end())
        name = clause.raw[slice(*span)] if span else (tie if lead["t"] else "")
    both = re.search(
        r"(?:my (?P<t>girlfriend|boyfriend|partner|gf|bf|husband|wife|fiancee?) )?(?P<n>[A-Z][\w'’-]+)"
        r" and i\b",
        clause.sentence,
        re.IGNORECASE,
    )
    if not name and both and name_at(clause.sentence, both.start("n")):
        name, tie = both["n"], both["t"] or tie
    if not name and not lead and not re.search(r"\bwe\b|and i\b|\bgot\b|\bgoing through a\b", clause.sentence.lower()):
        return
    if not name:
        mine = re.search(
            r"my (girlfriend|boyfriend|partner|gf|bf|husband|wife|fiancee?) and i", clause.sentence.lower()
        )
        if mine:
            name = tie = mine[1]
    yield _happened(
        f"broke up with {'their ' if name == tie else ''}{name}" if name else "went through a breakup", clause, head
    )
    if not re.search(r"\b(?:engagement|wedding)\b", match[0]):
        begins, _ = moment(clause)
        status = "separated" if tie in _WED else "single"
        yield told(head, attribute="marital_status", value=status, changed=True, held_from=begins)
    if name:
        yield Said(attribute="former_relation", value=tie, subject=name, relation=tie)


def _together(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Keisha and I are together"."""
    del match
    both = re.search(r"(?P<n>[A-Z][\w'’-]+) and (?:i|me)\b", clause.sentence, re.IGNORECASE)
    if head.person == SPEAKER and both and (span := name_at(clause.sentence, both.start("n"))):
        yield tie_of(clause.sentence[slice(*span)], "partner")


def _years(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "forty years married to my Alan"."""
    if head.person == OTHER:
        return
    yield Said(attribute="marital_status", value="married", content=f"Is married, {clause.cut(match, 'y').lower()}")
    span = name_at(clause.raw, match.start("n"), lower=False) if match["n"] else None
    if span:
        yield tie_of(clause.raw[slice(*span)], "spouse")


def _left_me(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del match
    if head.person == OTHER and not (head.negated or head.thought):
        speaker = Head(name="self", person=SPEAKER)
        if head.relation in _WED or head.relation in (
            "girlfriend",
            "boyfriend",
            "gf",
            "bf",
            "partner",
            "fiance",
            "fiancee",
        ):
            status = "separated" if head.relation in _WED else "single"
            yield told(speaker, attribute="marital_status", value=status, changed=True)
        who = head.name if head.name != head.relation else f"their {head.name}"
        yield _happened(f"{who} left", clause, speaker)
        yield Said(
            attribute="former_relation", value=head.relation or "partner", subject=head.name, relation=head.relation
        )


RULES: tuple[Rule, ...] = (
    predicate(
        "marital status", "|".join(_STATUS) + "|happily|recently|newly", "", _status, be=True, bare=True, whole=
        rf"(?:happily |recently |newly |freshly |still "
rf"|legally )*(?P<w>{'|'.join(sorted(_STATUS, key=len, reverse=True))}"
        rf")(?![a-z'])(?!\s(?:by|about|into|life))", when=always,
    ),
    predicate(
        "marital status: wed", "tie|tying|got|married|tied|getting|marrying|get|divorced|separated|split|eloped"
        "|remarried"
        "|filed|proposed|wed|be", "", _wed, bare=frozenset(["got", "married", "tied", "getting", "divorced",
        "separated", "eloped", "remarried"]), whole=
        r"(?:(?:got|getting|get|be|just|finally|been|gotten) )*(?P<w>married|engaged"
        r"|divorced|remarried|hitched|(?:tied|tie|tying) the knot|eloped|separated(?= (?:from|last"
        r"|in|after|on|this|$)))(?![a-z])(?!\sto (?:my|the) (?:job|work|idea))", when=always,
    ),
    anywhere(
        "marital status: years married", "married", r"(?:^|[,.!;] )\W*(?P<y>[\w-]+ years) (?:happily )?married(?: to"
        r" (?:my )?(?P<n>[a-z][\w'-]+))?(?![a-z])", _years,
    ),
    anywhere(
        "marital status: being a widow", "widow widower divorcee", r"\b(?:being|as) a (?P<w>widow|widower|divorcee)\b",
        lambda m, c, h: [Said(attribute="marital_status", value=_STATUS[m["w"]], changed=True)] if h.person != OTHER
        else [],
    ),
    predicate(
        "event: parted", "broke|split|breaking|broken|called|got|dumped|ended", "", _parted, bare=True, whole=
        r"(?:(?:just|finally|recently|got) )*(?:broke up|split up|broken up|breaking"
        r" up|parted ways|called off (?:the|our|my) (?:engagement|wedding)|got dumped"
        r"|dumped|ended things|broke it off)", when=lambda h: not h.negated,
    ),
    predicate(
        "event: left me", "left|dumped|walked out on|broke up with|cheated on|divorced", r"\sme\b", _left_me,
        to_speaker=True,
    ),
    predicate(
        "relation: together", "together|official|an item|dating|exclusive|a couple|seeing each other|back"
        " together|living together", "", _together, whole=
        r"(?:together|official|an item|dating|exclusive|a couple|seeing each other"
        r"|back together|living together)(?![a-z])", be=True,
    ),
    anywhere(
        "marital status: divorce", "divorce",
        r"\b(?:(?:since|after) (?:the|my|our) divorce\b|(?:the |my |our |^\W*)divorce"
        r" (?:is|was|got|came|has been|finally came|went) (?:final\w*|through|official)"
        r"|(?:i |i'm |im )(?:going through|getting) a divorce\b|filed for divorce)", lambda m, c, h: [Said(
        attribute="marital_status", value="divorced" if "going" not in m[0] and "getting" not in m[0] and
        "filed" not in m[0] else "getting divorced", changed=True)] if h.person != OTHER and not re.search(
        r"\b(?:parents|his|her|their|sister|brother|friend)\b", c.flat) else [],
    ),
)  # fmt: skip
