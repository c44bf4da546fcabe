"""People and animals around the speaker: who they are to them, marriages and partings, how many children."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.identity import NOT_NAME
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, told
from relembra.minds.offline.reader.english.words import (
    KIN,
    KIN_WORDS,
    MANY,
    NUMBER,
    PET_WORDS,
    PETS,
    TIE,
    name_at,
    one_tie,
)

__all__ = ["RULES", "tie_of"]

_ADJ = (
    r"(?:(?:two|three|four|five|six|\d|wee|older|younger|elder|eldest|oldest|youngest|middle|little|lil|kid|big|baby|late|deaf|blind|autistic"
    r"|best|good|close|dear|old|new|ex|former|twin|only|first|second"
    r"|lovely|rescue|adopted|childhood|college|work|uni|school|great|one-eyed|three-legged"
    r"|black|white|ginger|grey|gray|tabby|golden|german|border|french|mini|miniature"
    r"|tiny|fat|elderly"
    r"|wonderful|beautiful|sweet|newborn|teenage|dear|lifelong|oldest|closest|male"
    r"|female|\w+-old|\d{1,2}[- ](?:year|month|week|yr)s?[- ]old|\w+[- ]year[- ]old"
    r"|\d{1,2}yo)[\s-]+){0,3}"
)


def tie_of(name: str, relation: str) -> Said:
    """The tie itself."""
    return Said(
        attribute="relation",
        value=relation,
        subject=name,
        relation=relation,
        person={"name": name, "relation": relation},
    )


def _names(clause: Clause, at: int, *, many: bool) -> list[str]:
    """Names that begin here; after a plural tie several may follow."""
    found: list[str] = []
    while span := name_at(clause.raw, at):
        found.append(clause.raw[slice(*span)])
        more = (
            re.compile(r"(?:\s*\(?\d{0,2}\)?)?(?:,\s+(?:and\s+)?|\s+(?:and|&|n)\s+)").match(clause.flat, span[1])
            if many
            else None
        )
        if more is None:
            break
        at = more.end()
    return found


_APPOSED = (
    r"(?:,\s|\s\(|:\s|\s|(?='s (?:called|named))|(?=s (?:called|named)))(?:(?:'s called|s called|'s named|s named|named|called|is called|is named|are called|are named"
    r"|who is called|who's called|whose name is|whose name's|name is|is|are|'s)\s)?"
)


def _mine(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "my sister Clara", "our dogs Rex and Luna", "my boss is called Ingrid"."""
    if (
        clause.sentence.rstrip().endswith("?")
        and head.person == NOBODY
        and not re.match(r"\W*(?:gift|present|ideas?|what|any|how|where|can|could|should|is|need|help)", clause.flat)
    ):
        return
    many = match["many"] is not None
    tie = one_tie(match["many"]) if many else " ".join(match["tie"].split())
    before = match[0]
    if re.search(r"\bex[\s-]", before) and not tie.startswith("ex"):
        tie = f"ex-{tie}"
    if "best friend" in before:
        tie = "best friend"
    is_ = re.search(r"(?:\sis|\sare|'s)\s$", before)
    names = _names(clause, match.end(), many=many)
    for name in names:
        end = clause.flat.find(name.lower().split()[0], match.end()) + len(name)
        if is_ and (
            not re.match(r"\s*(?:$|[,.!()]|and\b|&|who\b|but\b|\d)", clause.flat[end:]) or NOT_NAME.match(name.lower())
        ):
            return
        if re.match(r"(?:'s|s')\s+(?:\w+\s)?(?:school|birthday|house|shop|wedding|party)", clause.flat[end:]) and is_:
            return
        yield tie_of(name, tie)
        age = re.match(
            r"\s*(?:,\s*|\(\s*|\s)(?:who(?:'s| is)\s|aged?\s)?(\d{1,2})(?=\s*(?:$|[,.)!]|and\b"
            r"|who\b|years? old))",
            clause.flat[end:],
        )
        if age and (not is_ or age):
            yield Said(attribute="age", value=age[1], subject=name, relation=tie)


_CALLED = re.compile(r"\b(?:named|called|(?:we )?(?:calling|call|called|named|naming) (?:him|her|it|them))\s")
_FROM_THERE = re.compile(r"\s(?:from|at|in) [\w' ]{2,25}?(?:,|:| -)\s")


def _have(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I have a sister called Clara", "we've got two cats, Pixel and Dorito"."""
    if (
        head.negated
        and head.person in (SPEAKER, ELIDED)
        and not head.past
        and re.fullmatch(r"(?:kids|children)", match["many"] or "")
    ):
        yield Said(attribute="children", value="none", content="Has no children")
        return
    if head.person == NOBODY or head.negated or head.thought or head.future or head.ended or (head.person == OTHER):
        return
    if (match["n"] or "").strip() in ("no", "no "):
        return
    many = match["many"] is not None
    tie = one_tie(match["many"]) if many else " ".join(match["tie"].split())
    lead = re.compile(
        r"(?:,\s|\s\(|\s)(?:(?:named|called|who's called|whose name is|whose names are)\s"
        r"|(?:his|her|their) names? (?:is|are)\s)?"
    ).match(clause.flat, match.end())
    names = _names(clause, lead.end(), many=many) if lead else []
    if not names:
        later = _CALLED.search(clause.flat[match.end() :])
        if later and later.start() < 40:
            names = _names(clause, match.end() + later.end(), many=many)
    if not names and many and (after := _FROM_THERE.match(clause.flat, match.end())):
        names = _names(clause, after.end(), many=True)
        names = names if len(names) > 1 else []
    once = match[0].startswith("had ") and not head.have
    for name in names:
        if once:
            yield Said(attribute="former_relation", value=tie, subject=name, relation=tie)
            continue
        yield tie_of(name, tie)
        if match["age"]:
            yield Said(attribute="age", value=match["age"], subject=name, relation=tie)
    kids = (
        r"(?:kids?|children|child|sons?|daughters?|boys?|girls?|baby|toddlers?|teenagers?"
        r"|teens|newborn|twins|triplets|lads?|lass(?:es)?|little ones?|stepkids?|stepsons?|stepdaughters?)"
    )
    word = match["many"] or match["tie"]
    used = "former_" if head.used or head.past or once else ""
    if re.fullmatch(kids, word) and match[0].startswith("lost"):
        return
    if re.fullmatch(kids, word):
        more = re.match(
            r" and (?:an? |\w+ )(?:toddlers?|babies|baby|boys?|girls?|sons?|daughters?)\b", clause.flat[match.end() :]
        )
        yield Said(attribute=used + "children", value=_count(match, word) + (more[0] if more else ""))
        return
    if not names:
        number = (match["n"] or "a").strip()
        if re.fullmatch(PETS, tie) or re.fullmatch(PETS, word) or re.fullmatch(rf"(?:{KIN}|{MANY})", word):
            yield Said(
                attribute=used + "relation",
                value=tie,
                subject=tie,
                relation=tie,
                content=f"{'Had' if used else 'Has'} {word if many and number == 'a' else f'{number} {word}'}",
            )


def _name_first(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Kofi, my stepson, 15"."""
    del head
    span = name_at(clause.raw, match.start("n"), lower=False)
    if span and span[1] == match.end("n"):
        name, tie = clause.cut(match, "n"), " ".join(match["tie"].split())
        yield tie_of(name, tie)
        if match["age"]:
            yield Said(attribute="age", value=match["age"], subject=name, relation=tie)


def _count(match: re.Match[str], word: str) -> str:
    number = (match["n"] or "").strip()
    number = {"a": "one", "an": "one", "": ""}.get(number, number)
    number = f"{number} twin".strip() if re.search(r"\btwin\s", match[0]) else number
    return " ".join(x for x in (number, word) if x)


def _is_my(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Clara is my sister"."""
    del clause
    if head.person != OTHER or (head.negated and not head.ended) or head.thought:
        return
    tie = " ".join(match["tie"].split())
    if "best friend" in match[0]:
        tie = "best friend"
    if re.search(r"\bex[\s-]", match[0]) and not tie.startswith("ex"):
        tie = f"ex-{tie}"
    if head.past or head.used or head.ended:
        yield Said(attribute="former_relation", value=tie, subject=head.name, relation=tie)
    elif head.name[0].isupper():
        yield tie_of(head.name, tie)


def _parent(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "mum of two", "dad to twin girls", "as a father of 3"."""
    others = head.person == OTHER and re.search(r"\b(?:my|our|his|her|their|is|'s)\b", clause.flat[: match.start()])
    if others or head.negated or head.thought:
        return
    yield Said(attribute="children", value=clause.cut(match, "n"))


def _expecting(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought or head.future:
        return
    text = "is pregnant" if head.person != OTHER or head.name else ""
    _, ends = moment(clause, future=True)
    due = clause.flat[match.start() :]
    value = "expecting a baby" if match[0].startswith("expecting") else "pregnant"
    number = re.search(
        r"(?:with|expecting) (?:our |my |her |a |an )?(first|second|third|fourth|twins"
        r"|girl|boy|baby girl|baby boy|triplets)",
        due,
    )
    if number:
        value += f" ({number[1]})"
    del text
    yield told(head, attribute="condition", value=value, expires_at=ends, changed=True)


_TIES = " ".join(
    sorted(
        {w for t in (*KIN_WORDS, *PET_WORDS) for w in (t, t.split("-")[0])}
        | {
            "guinea",
            "business",
            "personal",
            "line",
            "step",
            "half",
            "room",
            "pen",
            "team",
            "better",
            "significant",
            "foster",
            "climbing",
            "best",
            "ex",
        }
    )
)
_MANIES = " ".join(re.findall(r"[a-z-]+", MANY))
_HAVE_HEADS = "have|has|had|got|i've got|adopted|got ourselves|'ve got|raise|raised|own|owns|lost|rescued"
RULES: tuple[Rule, ...] = (
    anywhere(
        "relation: named", f"{_TIES} {_MANIES}",
        rf"(?<![a-z])(?:my|our|the(?=\s(?:dog|cat|puppy|kitten|baby|wife|husband|missus)(?:,| called|"
        rf" named)))\s+{_ADJ}(?:(?P<tie>{TIE})|(?P<many>{MANY}))(?:\s(?:from"
        rf"|at|in)\s(?:work|school|college|uni|church|the gym|the office))?(?:'s name)?{_APPOSED}", _mine,
    ),
    predicate(
        "relation: have", _HAVE_HEADS,
        rf"\s(?:got\s)?(?P<n>an?\s|the\s|{NUMBER}\s|some\s|just\s(?:one|a)\s|only one\s"
        rf"|no\s)?{_ADJ}(?:(?P<age>\d{{1,2}})[- ]?(?:year|yr|month)s?[- ]old\s)?(?:\w+\s)?{_ADJ}(?:"
        rf"(?P<many>{MANY})|(?P<tie>{TIE}))(?![a-z'-])(?!\s(?:appointment|appt|visit|bill|session|meeting|interview"
        rf"|call|checkup|check-up|food|lady|person|hair"
        rf"|bed|fight|treats|show|sitter|walker|years|school|day|issues|name)(?![a-z]))", _have, bare=frozenset([
        "have", "got", "adopted", "rescued"]), when=always,
    ),
    predicate(
        "relation: is my", "my|our", rf"\s{_ADJ}(?P<tie>{TIE})(?:\s(?:from|at)\s\w+)?(?![a-z'])", _is_my, be=
        True, when=always,
    ),
    anywhere(
        "children: parent of", "mom mum mother dad father parent mama daddy",
        rf"\b(?:mom|mum|mother|dad|father|parent|mama|daddy|mummy|mommy)\s(?:of|to)\s(?P<n>(?:an?"
        rf" |{NUMBER})\s?(?:[\w-]+\s)?(?:kids?|boys?|girls?|children|daughters?|sons?"
        rf"|teens?|teenagers?|toddlers?|twins|under \w+)?|twin (?:girls|boys)|twins"
        rf"|triplets)(?=\s*(?:$|[,.!()?]|and\b|here|so|who|with|under|but|in|at|now|changed|means|taught|is|has"
        rf"|makes))", _parent, speaker=False,
    ),
    predicate(
        "relation: counted", "one|two|three|four|five|six|seven|a|1|2|3|4|5|6|7", "", lambda m, c, h: _have(m, c,
        h), bare=True, whole=rf"(?P<n>{NUMBER}\s|an?\s){_ADJ}(?P<age>x{{9}})?(?:(?P<many>{MANY})|(?P<tie>{PETS}"
        rf"|toddler|newborn|teenager))(?=\s*(?:$|[,.!(]|under|aged|called|named|and"
        rf"|at home|in (?:this|the|my) house|here|to))", when=lambda h: (h.person == ELIDED and not h.be) or (h.
        have and not h.be),
    ),
    anywhere(
        "relation: name first", f"{_TIES}",
        rf"(?P<n>[a-z][\w'-]+),? (?:my|our) {_ADJ}(?P<tie>{TIE})(?:,? (?P<age>\d{{1,2}}))?(?=\s*(?:"
        rf"$|[,.!()]))", lambda m, c, h: _name_first(m, c, h),
    ),
    anywhere(
        "relation: several, named", _MANIES, rf"(?:^|\b(?:have|got|are|the)\s)\W*(?:{NUMBER}|our"
        rf"|my)\s{_ADJ}(?P<many>{MANY})\b[^:.,;]{{0,30}}:\s", lambda m, c, h: [
        tie_of(name, one_tie(m["many"])) for name in found] if len(found := _names(c, m.end(), many=True)) > 1 else [],
    ),
    anywhere(
        "relation: in brackets", _TIES, rf"^\W*(?:my|our)\s+{_ADJ}(?P<tie>{TIE})\W*$", lambda m, c, h: [tie_of(h.name,
        h.relation)] if h.person
        == OTHER and h.relation and h.name != h.relation and c.message[: c.offset].rstrip().endswith("(") else [],
    ),
    anywhere(
        "age: beside a tie", _TIES, rf"\b(?:my|our)\s+{_ADJ}(?P<tie>{TIE})(?:, |\s\()(?:aged |who's |who is"
        rf" )?(?P<v>\d{{1,2}})(?=[,)]|$)", lambda m, c, h: [
        Said(attribute="age", value=m["v"], subject=" ".join(m["tie"].split()), relation=" ".join(m["tie"].split()))],
    ),
    predicate(
        "relation: report to", "report to|reports to", r"\s(?P<v>[a-z][\w'-]+)", lambda m, c, h: [tie_of(c.raw[
        slice(*span)], "manager")] if h.person == SPEAKER and (span := name_at(c.raw, m.start("v"), lower=False))
        else [],
    ),
    anywhere(
        "relation: her name is", "name name's called named", r"\b(?:(?:his|her|their) name(?:'s| is)|(?:he|she|it"
        r"|they)(?:'s|s| is) (?:called|named))"
        r" (?:actually )?(?P<v>.{2,30})", lambda m,
        c, h: [tie_of(h.others[0].name, h.others[0].relation or "")] if h.others and h.others[0].relation and h.
        others[0].name != h.others[0].relation and c.flat[m.start("v") :].startswith(h.others[0].name.lower())
        else [],
    ),
    anywhere(
        "birthday: it's my dad's", "birthday bday",
        rf"\bit'?s (?:my|our) {_ADJ}(?P<tie>{TIE})'s (?:birthday|bday|\d+(?:th|st|nd"
        rf"|rd)(?: birthday)?) (?P<v>on|this|next|tomorrow|today)\b", lambda m, c, h: [Said(attribute="birthday",
        value=f"{c.dates[0].begins:%B} {c.dates[0].begins.day}", subject=" ".join(m["tie"].split()), relation=
        " ".join(m["tie"].split()))] if c.dates else [],
    ),
    predicate(
        "condition: pregnant", "pregnant|expecting|weeks pregnant|months pregnant",
        r"(?=\s*(?:$|[,.!]|with|our|a|my|in|and|twins|again|\d|due|now|so|but))", _expecting, be=True, bare=True,
    ),
    anywhere(
        "condition: weeks pregnant", "pregnant",
        r"(?:i'?m|i am|she'?s|is) (?:about |almost |now )?(?:\d{1,2}|\w+) (?:weeks" r"|months) (?P<v>pregnant)",
        _expecting,
    ),
)  # fmt: skip
