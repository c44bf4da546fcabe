"""Measures of a body: weight, height, blood."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.health import is_denied
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, said, states, told
from relembra.minds.offline.reader.english.words import NUMBER

__all__ = ["BLOOD", "HEIGHT", "RULES", "WEIGHT", "height"]

_STONE = r"\d{1,2}\s?(?:stone|st)(?:\s(?:and\s)?\d{1,2}(?:\s?(?:lbs?|pounds?))?)?"


WEIGHT = rf"(?P<v>{_STONE}|\d{{2,3}}(?:[.,]\d+)?\s?(?:kgs?|kilos?|kilograms?|lbs?|pounds?))(?![a-z])"


HEIGHT = (
    r"(?P<v>\d\s?(?:'|’|ft|feet|foot)\s?(?:\d{1,2}(?:\.5|½)?\s?(?:\"|''|”|in|inches)?)?"
    r"|\d\.\d{1,2}\s?(?:m|meters?|metres?)|\d{3}\s?cm|five(?:[- ]foot)?[- ](?:one|two"
    r"|three|four|five|six|seven|eight|nine|ten|eleven)|(?:four|five|six|seven)[- ](?:foot|feet|ft)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|\d{1,2}))?(?! (?:deep|away|long|wide|from|of))|six(?:[- ]foot)?(?:[- ](?:one"
    r"|two|three|four|five|six|seven))?(?=[- ](?:foot|feet|tall))|\d'\d{1,2})"
)


def _measure(attribute: str, match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if is_denied(head) or head.person == NOBODY:
        return
    start, end = match.span("v")
    value = clause.raw[start:end].strip(" ,;:.!?")
    begins, _ = (
        moment(clause)
        if attribute == "weight" and re.search(r"\b(?:today|this morning|now)\b", clause.flat)
        else (None, None)
    )
    gone = head.used or head.past
    yield told(head, attribute=(FORMER if gone else "") + attribute, value=value, changed=True, held_from=begins)


def _weight(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield from _measure("weight", match, clause, head)


def _scale(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    yield from _measure("weight", match, clause, Head(name="self", person=SPEAKER))


_AT_AGE = re.compile(rf"\s?(?:tall )?(?:at|aged) (?P<a>{NUMBER})(?=\s*(?:$|[,.!?]))")


def height(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A height, and the age it was reached at: "my lad's 6'5 at sixteen"."""
    yield from _measure("height", match, clause, head)
    age = _AT_AGE.match(clause.flat, match.end("v"))
    if age and head.person == OTHER and not head.past:
        yield said("age", age["a"], head)


def _blood(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if not is_denied(head):
        person = head if head.person == OTHER else Head(name="self", person=SPEAKER)
        yield said("blood_type", clause.cut(match, "v"), person)


BLOOD = r"(?P<v>(?:ab|a|b|o)(?:\s?(?:\+|-|positive|negative|pos|neg|rh\+|rh-)))(?![a-z])"


RULES: tuple[Rule, ...] = (
    predicate(
        "weight: weigh", "sitting at|hovering around|hovering at|stuck at|tipping the scales|tip the scales|weigh|weighs|weighed|weighing|at|down to"
        "|up to|hit|back to|back down to",
        r"(?:\s(?:in at|about|around|roughly|exactly|just|now|over|under|close to|almost" r"|a))*\s" + WEIGHT,
        _weight, bare=frozenset(["sitting", "hovering", "stuck", "tipping", "weigh", "down", "up", "weighed", "at", "back"]), when=always,
    ),
    predicate(
        "weight: be", "down|up|at|about|around|currently|roughly|just|over|" + "|".join(str(n) for n in range(6,
        400)), "", _weight, be=True, whole=
        r"(?:down to |up to |at |about |around |roughly |just |over |currently |now" r" )*" + WEIGHT +
        r"(?!\s(?:of|heavier|lighter|more|less|overweight|over|down|up|bench|squat" r"|deadlift|lost))", when=
        always,
    ),
    states(
        "weight", "weight|current weight", r"\s?(?:is|'s|=|:)\s(?:now |about |around |currently )*" + WEIGHT,
        owned=True,
    ),
    anywhere(
        "weight: scale", "scale scales",
        r"\bscales? (?:said|says|say|shows?|showed|read|reads)\s(?:i'?m |about )?" + WEIGHT, _scale,
    ),
    predicate(
        "height: be", "|".join(str(n) for n in (*range(1, 8), *range(100, 230))) +
        "|about|only|almost|just|five|six|around|nearly|over", "", height, be=True, whole=
        r"(?:about |only |almost |just |around |nearly |over |exactly )*" + HEIGHT +
        r"(?:\s?tall)?(?=\s*(?:$|[,.!)]|tall|and|at|so|but|in|with|on|barefoot|\d))", when=always,
    ),
    states(
        "height", "height", r"\s?(?:is|'s|=|:)\s(?:about |around )?" + HEIGHT, owned=True,
    ),
    anywhere(
        "height: at", "at", r"^\W*at\s" + HEIGHT + r"(?:\s?tall)?,?\s(?:i|my)\b", lambda m, c, h: [Said(
        attribute="height", value=c.raw[slice(*m.span("v"))].strip(" ,"))],
    ),
    predicate(
        "height: stand", "stand|stands|measure|measures|measured", r"(?:\s(?:at|in at|about|around))?\s" +
        HEIGHT, height, when=always,
    ),
    anywhere(
        "blood type", "blood", r"\bblood (?:type|group)(?:\s?(?:is|'s|=|:|says))?\s(?:type |actually )?" +
        BLOOD, _blood,
    ),
    predicate(
        "blood type: be", "o|a|b|ab|blood|type", "", _blood, be=True, bare=True, whole=
        r"(?:blood )?(?:type |group )?" + BLOOD + r"(?=\s*(?:$|[,.!]|here|blood|and|so|which|but|like))", when=
        always,
    ),
    anywhere(
        "blood type: note", "positive negative blood", r"^\W*" + BLOOD + r"(?= blood\b| here\b|,)", lambda m, c,
        h: _blood(m, c, Head(name="self", person=SPEAKER)) if c.raw[m.start("v")].isupper() else [],
    ),
    anywhere(
        "blood type: have", "blood", r"\b(?:i|i've|i have|he|she) (?:have |got |has )?(?:type )?" + BLOOD +
        r"\sblood", _blood,
    ),
)  # fmt: skip
