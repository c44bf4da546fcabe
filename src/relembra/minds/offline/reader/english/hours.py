"""When somebody rises, sleeps and works."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, predicate, said, states
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES", "TIME"]

TIME = (
    r"(?:\d{1,2}(?::\d\d|\.\d\d)?\s?(?:am|pm|a\.m\.?|p\.m\.?|o'clock|h\b)?|(?:half"
    r" (?:past )?|quarter (?:past|to) )?(?:one|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve)(?: (?:thirty|fifteen|forty-five|o'clock|am|pm))?(?:"
    r" in the morning)?|noon|midnight|dawn|sunrise|the crack of dawn)"
)


def _wake(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if (
        head.thought
        or head.future
        or head.past
        or (head.negated and not re.search(r"\b(?:before|until|till)\b", match[0]))
        or head.person == NOBODY
    ):
        return
    if re.search(r"\b(?:today|tomorrow|this morning|yesterday|last night|tonight)\b", clause.flat) or (
        match[0].startswith(("woke", "got up")) and not head.used
    ):
        return
    gone = head.used or head.ended
    yield said((FORMER if gone else "") + "wake_time", clause.cut(match, "v"), head, changed=head.changed)


def _alarm(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if (
        (head.person == OTHER and not head.owned)
        or re.search(r"\b(?:tomorrow|today|tonight)\b", clause.flat)
        or (match.start() and clause.flat[: match.start()].strip().endswith(("his", "her")))
    ):
        return
    yield Said(attribute="wake_time", value=clause.cut(match, "v"))


def _bed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.past or head.person == NOBODY:
        return
    if head.negated and not re.search(r"\b(?:before|until|till)\b", match[0]):
        return
    if match[0].startswith(("sleep", "asleep")) and re.search(r"\b(?:until|till)\b", match[0]) and not head.negated:
        return
    if re.search(r"\b(?:today|tomorrow|yesterday|last night|tonight)\b", clause.flat) or (
        match[0].startswith("went") and not head.used
    ):
        return
    yield said(
        (FORMER if head.used or head.ended else "") + "bedtime", clause.cut(match, "v"), head, changed=head.changed
    )


def _lights(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    yield Said(attribute="bedtime", value=clause.cut(match, "v"))


_SHIFT = (
    r"(?:shift work|nights|night shifts?|the night shift|days|day shifts?|early shifts?"
    r"|earlies|late shifts?|lates|graveyard(?: shifts?)?|the graveyard shift|weekends(?:"
    r" only)?|part[- ]time|full[- ]time|shifts|12[- ]hour shifts|twelve[- ]hour shifts"
    r"|rotating shifts|split shifts|swing shifts?|from home(?: [\w ]{0,25})?|remotely"
    r"|remote|hybrid|\d (?:days|nights) a week|(?:one|two|three|four|five|six) (?:days"
    r"|nights) a week|four on four off|\d on \d off|two weeks on[\w, ]{0,15}|nine to"
    r" five|9 to 5|9-5|monday to \w+|mondays? (?:to|through) \w+|on call[\w ]{0,20}"
    r"|evenings|mornings|night crew|offshore)"
)


def _shift(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.negated and not head.ended):
        return
    if re.search(r"\b(?:today|tonight|tomorrow|this week|right now|this morning)\b", clause.flat) and not re.search(
        r"\b(?:usually|always|every)\b", clause.flat
    ):
        return
    gone = head.used or head.ended or head.past
    start, end = match.span("v")
    more = re.compile(
        r"(?:,? (?:from )?\d{1,2}(?::\d\d)?\s?(?:am|pm)?\s?(?:to|-|till|until)\s?\d{1,2}(?::\d\d)?\s?("
        r"?:am|pm)?|,? (?:mon|tues|wednes|thurs|fri|satur|sun)days?(?:(?:,| and| to| through"
        r"|, and) (?:mon|tues|wednes|thurs|fri|satur|sun)days?)*)"
    ).match(clause.flat, end)
    value = clause.raw[start : more.end() if more else end].strip(" ,.")
    yield said((FORMER if gone else "") + "schedule", value, head, changed=head.changed)


def _weekly(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I have choir on Mondays", "Tuesdays and Thursdays I teach until nine"."""
    if head.person == NOBODY or head.thought or head.negated or head.future or head.used:
        return
    value = clean(
        clause.raw[match.start() :], stop="because|so|but|which|since|please", most=10, article=False, cut_and=False
    )
    if value and len(value.split()) >= 2:
        yield said(
            "schedule", re.sub(r"^(?:have|has|got|'ve got) (?:an? |my |the )?", "", value, flags=re.IGNORECASE), head
        )


RULES: tuple[Rule, ...] = (
    anywhere(
        "wake time: gets me up", "me",
        rf"\b(?:gets?|wakes?|have|has) me (?:up )?(?:at|by|around) (?P<v>{TIME})(?![a-z0-9])", lambda m, c, h: [
        Said(attribute="wake_time", value=c.cut(m, "v"))] if re.search(
        r"\b(?:every|always|each|usually|most|daily)\b", c.flat) else [],
    ),
    predicate(
        "wake time", "started waking|started waking up|started getting up|wake up|wakes up|wake"
        "|wakes|get up|gets up|up|rise|rises|awake|woke up|waking up|getting up|out" " of bed|got up",
        rf"(?:\s(?:up|every (?:day|morning|weekday)|most (?:days|mornings)|each (?:day"
        rf"|morning)|on weekdays|daily|usually|early|naturally|around|about|at|by|before"
        rf"|after|like|always|no later than|weekdays|from))*\s(?P<v>{TIME})(?![a-z0-9])(?!\s(?:min"
        rf"utes|hours|times|days|people|nights))", _wake, bare=frozenset(["wake", "up", "get", "waking"]), when=
        always,
    ),
    anywhere(
        "wake time: alarm", "alarm",
        rf"^(?!\W*(?:please |pls |can you |could you )?(?:set|add|create|put|make)\b).*?\balarm(?::|'s| is|s are| goes off| rings| set| is set|'s set| clock goes"
        rf" off)?\s?(?:for|at)?\s(?:every (?:day|morning) at )?(?P<v>{TIME})(?![a-z0-9])", _alarm,
    ),
    predicate(
        "bedtime", "out cold|out like a light|dead to the world|hit the pillow|hit the sack|nod off|conk out|pass out|get to sleep|go to"
        " bed|goes to bed|go to sleep|goes to sleep|in bed|asleep|sleep|sleeps|to"
        " bed|turn in|turns in|fall asleep|crash|hit the hay|going to bed|get to bed"
        "|went to bed|head to bed|gets to bed|bed",
        rf"(?:\s(?:every night|most nights|at|by|around|about|before|after|until|till"
        rf"|like|usually|past|no later than|early|from|every day|always))+\s(?P<v>{TIME})(?![a-z0-"
        rf"9])(?!\s(?:minutes|hours|times|days))", _bed, bare=frozenset(["in", "go", "asleep", "out"]), when=always,
    ),
    anywhere(
        "bedtime: lights out", "lights bedtime",
        rf"\b(?:lights out|my bedtime|bedtime)(?:'s| is| for me is| has (?:slid|moved"
        rf"|shifted|crept) to| is now)?\s?(?:at|around|by)?\s(?P<v>{TIME})(?![a-z0-9])", _lights,
    ),
    predicate(
        "schedule: shift", "work|works|working|do|does|on|doing|worked|i'm on|part-time|full-time|gone"
        " down to|down to|went down to|moved to|switched to|stuck on|worked from",
        rf"(?:\s(?:mostly|only|full|the|a|in|to|on|as|every|about))*\s(?P<v>{_SHIFT})(?![a-z])", _shift, when=
        always, bare=frozenset(["working", "work", "on"]),
    ),
    anywhere(
        "schedule: moved me to", "moved switched put",
        rf"\b(?:they|boss|work|manager)\s(?:have |has |'ve |just )?(?:moved|switched"
        rf"|put) me (?:on|to|onto) (?P<v>{_SHIFT})(?![a-z])", lambda m, c, h: _shift(m, c, Head(name="self",
        person=SPEAKER, changed=True)),
    ),
    states(
        "schedule", "rota|shift pattern|schedule|shift|shifts|hours|working hours|work schedule"
        "|roster|timetable|days off|day off|work hours|work week", r"\s?(?:is|are|'s)\s{V}", owned=True, most=9,
        refuse=re.compile(r"^(?:full|crazy|packed|tight|busy|insane|weird|over|done|so |too|very|really"
        r"|all over|a mess|flexible|free|clear|ok|fine|chaos|nuts|hectic|empty|starting"
        r" in|about to|pretty|always changing|open)"),
    ),
    predicate(
        "schedule: weekly", "have|has|got|teach|teaches|take|takes|go|goes|attend|attends|train|trains"
        "|volunteer|volunteers|rehearse|rehearses|coach|coaches|see|sees",
        r"\s(?=[^;!?()\n]{2,70}\b(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
        r"|every (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:mon|tues|wednes|thurs"
        r"|fri|satur|sun)days at)).{2,90}", lambda m, c, h: _weekly(m, c, h) if re.search(
        r"\b(?:class|classes|practice|lessons?|choir|rehearsals?|training|therapy|yoga"
        r"|pilates|custody|lectures?|meetings?|dialysis|physio|band|church|mass|club"
        r"|league|game night|shifts?|tutoring|seminars?|ballet|football|soccer|swimming)\b", c.flat) else [],
        when=always,
    ),
    anywhere(
        "schedule: days first", "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
        r"^\W*(?P<d>(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days(?:,| and|, and)?\s?){1,3})[,:]?"
        r"\s?(?:i|we)\s(?P<v>(?:teach|have|work|coach|volunteer|train|go|do|see|take"
        r"|play|host)\b[^;!?()\n]{2,60})", lambda m, c, h: [Said(attribute="schedule", value=
        f"{clean(c.cut(m, 'v'), stop='so|because|but', article=False, most=10, cut_and=False)}"
        f" {c.cut(m, 'd')}")],
    ),
)  # fmt: skip
