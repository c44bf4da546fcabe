"""Changes told as a swap or a turn: "swapped coffee for matcha", "jumped ship from X to Y", "in a past life I was"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.dates import Kind, find_dates
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.agenda import coming, undated
from relembra.minds.offline.reader.english.heads import OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.health import CONDITION, DRUGS
from relembra.minds.offline.reader.english.jobs import job_of
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, said, told
from relembra.minds.offline.reader.english.words import clean
from relembra.minds.offline.reader.english.work import employer_in, happened

__all__ = ["RULES"]

_ILLNESS = re.compile(CONDITION)
_THINGS = re.compile(
    r"\b(?:car|bike|motorbike|van|truck|suv|scooter|boat|phone|iphone|android|pixel|samsung|galaxy|macbook|laptop|pc|mac"
    r"|ipad|tablet|kindle|console|xbox|playstation|switch|camera|guitar|piano|volvo|honda|toyota|ford|bmw|audi|tesla|vw|golf"
    r"|polo|fiat|mini|mazda|nissan|kia|hyundai|jeep|subaru|skoda|seat|peugeot|renault|vespa|caravan|campervan|watch|tv)\b"
)
_DRINK = re.compile(
    r"\b(?:coffee|tea|matcha|soda|coke|beer|wine|alcohol|cigarettes|smoking|vaping|vape|sugar|meat|milk|oat milk|juice|water|energy"
    r" drinks|running|swimming|cycling|driving|gym|yoga|pilates|the bus|the car|netflix|twitter|instagram|facebook|decaf|kombucha"
    r"|spin|crossfit|weights|walking|boxing|rugby|football|tennis|chess|crisps|chocolate|snacks|fast food|takeaways?)\b"
)


def _swapped(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """Old for new, of one kind: homes, things owned, medicines, or what one takes or does."""
    if head.thought or head.negated or head.future or (head.person == OTHER and not DRUGS.search(match["x"])):
        return
    old = clean(clause.cut(match, "x"), most=4)
    new = clean(clause.cut(match, "y"), most=5, stop="in|at|on|and|after|because|to")
    if not old or not new:
        return
    one, other = old.lower(), new.lower()
    speaker = Head(name="self", person=SPEAKER)
    if DRUGS.search(one) and DRUGS.search(other):
        kind, whom = "medication", speaker
    elif _THINGS.search(one) or _THINGS.search(other):
        kind, whom = "possession", head
    elif _DRINK.search(one) or _DRINK.search(other):
        kind, whom = "habit", head
    elif old[0].isupper() and new[0].isupper() and not match["from"]:
        kind, whom = "residence", head
    else:
        return
    begins, _ = moment(clause)
    yield told(whom, attribute=kind, value=new, changed=True, held_from=begins)
    yield told(whom, attribute=f"former_{kind}", value=old)


def _jumped(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "jumped ship from Deloitte to a four-person startup"."""
    if head.thought or head.negated or head.future:
        return
    old, new = employer_in(clause.cut(match, "x")), employer_in(clause.cut(match, "y"))
    if old and new:
        yield told(head, attribute="employment", value=new, changed=True)
        yield told(head, attribute="former_employment", value=old)


def _past_life(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "in a past life I was a croupier", "31 years as a signalman and today was the last shift"."""
    if head.person == OTHER or head.thought or head.negated:
        return
    job = job_of(clause.cut(match, "v")) or clean(clause.cut(match, "v"), stop="on|in|at|for|and", most=3)
    if job:
        yield Said(attribute="former_occupation", value=job)


def _raised_to(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "they bumped me from line cook to sous chef"."""
    del head
    job = job_of(clause.cut(match, "v"))
    speaker = Head(name="self", person=SPEAKER)
    if job:
        yield happened(f"promoted to {job}", clause, speaker)
        yield told(speaker, attribute="occupation", value=job, changed=True)


def _no_more(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "no more energy drinks for me", "vape's gone in the bin"."""
    value = clean(clause.cut(match, "v"), most=3)
    if value and head.person != OTHER and _DRINK.search(value.lower()):
        yield Said(attribute="former_habit", value=value)


def _stopped(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), most=4, stop="last|this|in|at|when|because|to")
    if _MIDWAY.search(clause.flat, match.start()):
        return
    if value and not (head.thought or head.negated or head.future) and not _PASSING_ACT.match(value.lower()):
        yield said("former_habit", value, head)


_MIDWAY = re.compile(
    r"\b(?:at (?:page|chapter|episode|the)|halfway|after (?:page|chapter|\d)|midway|for a (?:sec|minute|moment|bit))\b"
)
_PASSING_ACT = re.compile(
    r"(?:by|for|at|working$|raining|crying|laughing|talking|talking to|worrying|thinking|caring|trying|being|feeling|listening"
    r"|reading (?:this|it)|having|getting|going out|doing (?:this|that|it)|it|that|growing|coming|making sense|believing)"
)


def _told_i_have(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "been told I've got an underactive thyroid", "they reckon it's fibromyalgia"."""
    del head
    value = clean(clause.cut(match, "v"), most=4, stop="and|so|which")
    if value and _ILLNESS.search(value.lower()):
        yield Said(attribute="condition", value=value)


def _hell(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "karaoke is my idea of hell"."""
    value = clean(clause.cut(match, "v"), most=4)
    if value and head.person != OTHER and value.lower() not in ("that", "this", "it", "there"):
        yield Said(attribute="likes" if "heaven" in match[0] else "dislikes", value=value)


def _feels_when(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I get weirdly jealous when my twin hangs out with her friends"."""
    if head.thought or head.negated or head.person == OTHER:
        return
    rest = clause.message[clause.offset + match.end() :]
    when = re.match(r"\s*,?\s*(?P<w>(?:when|whenever|every time|about|before|around)\s[^.;!?\n]{4,70})", rest)
    if when:
        yield Said(attribute="emotion", value=f"{match['v']} {when['w'].strip()}")


def _nerves(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "presentations make me sick with nerves"."""
    value = clean(clause.cut(match, "v"), most=4)
    if value and head.person != OTHER:
        yield Said(attribute="emotion", value=f"{match['f']} about {value}")


def _booked(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "booked in for a knee replacement on 12 August", "lunch w/ Verhoeven on 24 Feb", "pitch to Nordvik on 2 July"."""
    if head.thought or head.negated or head.used or head.past or (head.person == OTHER and not head.owned):
        return
    begins, ends = coming(clause)
    value = undated(clause.cut(match, "v"), clause)
    if begins is None or not 2 <= len(value.split()) <= 8 or (clause.raw.rstrip().endswith("?")):
        return
    yield Said(
        attribute="meeting", value=value, held_from=begins, expires_at=ends,
        content=f"{value[0].upper()}{value[1:]} ({begins:%Y-%m-%d})",
    )  # fmt: skip


_BY = re.compile(r"\s+(?:before|by|no later than)\b")


def _closing(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "the planning appeal must be lodged before May 6", "the lease on our studio ends 30 June"."""
    if head.thought or head.negated or "?" in clause.raw:
        return
    begins, ends = coming(clause)
    if begins is None:
        after = "it will be on" + _BY.sub("", clause.raw[match.end() :], count=1)
        for date in find_dates(after, said_at=clause.said_at, language=clause.language):
            if date.kind is Kind.MOMENT and date.ends > clause.said_at:
                begins, ends = date.begins, date.ends
                break
    value = clean(clause.cut(match, "v"), most=7, cut_and=False)
    if begins is None or not value:
        return
    lease = re.search(r"\b(?:lease|contract|tenancy|subscription)\b", value.lower())
    day = ends if ends is not None and begins <= clause.said_at else begins
    yield Said(
        attribute="contract" if lease else "deadline", value=value, held_from=None if lease else begins, expires_at=ends,
        content=f"{value[0].upper()}{value[1:]} ({'until ' if lease else ''}{day:%Y-%m-%d})",
    )  # fmt: skip


def _runs(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I run payroll for a chain of garden centres"."""
    if head.thought or head.negated or head.future:
        return
    gone = head.used or head.past or head.ended
    yield said(("former_" if gone else "") + "occupation", clause.cut(match, "v"), head)
    firm = employer_in(clause.cut(match, "w"))
    if firm:
        yield said(("former_" if gone else "") + "employment", firm, head)


_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: (?:mornings?|evenings?|nights?|afternoons?))?"


def _weekly(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Nico has football Tuesdays and speech therapy Thursdays", "Mondays I've got choir at 7.30"."""
    if head.thought or head.negated or head.used or head.past or head.future:
        return
    text = clause.raw[match.start("t") : match.end("t")]
    for one in re.finditer(rf"(?P<what>[A-Za-z][\w' -]{{2,25}}?) (?:on )?(?P<day>{_DAYS})", text, re.IGNORECASE):
        what = re.sub(r"^(?:and|then|got|a|an|the) ", "", one["what"])
        if not re.match(r"(?:no|a lot|to|nothing|free|every)\b", what):
            yield said("schedule", f"{what} on {one['day']}", head)


def _day_first(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.past or head.person == OTHER:
        return
    what = clean(clause.cut(match, "v"), most=5, stop="at|so|and|from|with")
    if what:
        yield Said(attribute="schedule", value=f"{what} on {clause.cut(match, 'd')}")


_CLOCK = r"\d{1,2}(?:[:.]\d\d)?\s?(?:am|pm|a\.m\.|p\.m\.)?(?![\d/])"
_HOUSES = (
    r"(?:bank|hospital|firm|agency|factory|force|army|navy|council|restaurant|company|hotel|warehouse|shop|bakery|school|law firm"
    r"|newspaper|civil service|police|startup|museum|lab|clinic|studio)"
)


def _moved_me(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Dr Osei moved me to 22 May": the appointment has another day."""
    del head
    begins, ends = coming(clause)
    who = clause.cut(match, "w")
    if begins is None or who.lower() in ("they", "he", "she", "it", "boss", "manager", "we", "you", "and"):
        return
    value = f"appointment with {who}"
    yield Said(
        attribute="meeting", value=value, held_from=begins, expires_at=ends, changed=True,
        content=f"Appointment with {who} ({begins:%Y-%m-%d})",
    )  # fmt: skip


def _hour_now(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "bedtime has slid to 11:30pm", "new alarm: 6:15 from now on"."""
    if head.person != OTHER and not (head.negated or head.thought):
        attribute = "bedtime" if match["k"] == "bedtime" else "wake_time"
        yield Said(attribute=attribute, value=clause.cut(match, "v"), changed=True)


def _greeted(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "greetings from Tokyo!": a trip."""
    del head
    place = clean(clause.cut(match, "v"), most=2)
    if place[:1].isupper():
        yield Said(attribute="event", value=f"trip to {place}", held_from=clause.said_at)


def _turns_on(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "he's 60 on 9 May"."""
    if not (head.negated or head.thought) and _MONTH.search(match["v"]):
        yield said("birthday", clause.cut(match, "v"), head)


_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september"
    r"|october|november|december)\b"
)


def _wont(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Juno won't touch anything green"."""
    value = clean(clause.cut(match, "v"), most=4, stop="except|but|unless|today|tonight|tomorrow|until|till")
    low = value.lower()
    if head.ended or head.past or not re.search(r"\bwo(?:n't|nt)\s+(?:even )?$", clause.flat[: match.start()]):
        return
    if value and not re.match(r"(?:my|his|her|their|its|lunch|dinner|breakfast|anything$|much|food$|until|the)\b", low):
        yield said("dislikes", value, head)


def _quit_house(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "quit the bank in March"."""
    if not (head.negated or head.thought or head.future):
        yield said("former_employment", clause.cut(match, "v"), head)


RULES: tuple[Rule, ...] = (
    anywhere(
        "change: swapped", "swapped traded switched ditched exchanged swapping changed moved",
        r"\b(?:swapped|traded|ditched|exchanged|switched|changed)(?: (?:in|out))? (?P<from>from )?(?:me from )?(?:the |my |our |an? )?(?P<x>[^;!?()\n,]{2,30}?)"
        r" (?:for|to|onto|over to) (?:the |my |an? |some )?(?P<y>[^;!?()\n,]{2,40})", _swapped,
    ),
    predicate(
        "employment: jumped ship", "jumped ship|defected|hopped|went|moved", r" from (?P<x>[^;!?()\n,]{2,30}?) to (?P<y>[^;!?()\n,]{2,40})",
        _jumped, bare=frozenset(["jumped", "defected", "hopped"]), whole=r"(?:jumped ship|defected|job[- ]hopped|hopped) from (?P<x>[^;!?()\n,]{2,30}?) to"
        r" (?:an? |the )?(?P<y>[^;!?()\n,]{2,40})",
    ),
    anywhere(
        "occupation: past life", "life as", r"\bin (?:a|my) (?:past|former|previous) life,? i (?:was|worked as) (?:an? )?(?P<v>[^;!?()\n,]{3,40})", _past_life,
    ),
    anywhere(
        "occupation: years as, over", "as", r"(?:^|\bafter )\W*(?:\d{1,2}|[a-z]+(?:-[a-z]+)?) years as an? (?P<v>[^;!?()\n,]{3,40}?)(?= and| today|,|\W*$)"
        r"(?=.*\b(?:last (?:shift|day)|retired|retiring|hung up|done|over|finished)\b)", _past_life,
    ),
    anywhere(
        "event: bumped me", "bumped promoted moved bumping", r"\b(?:bumped|promoted|moved|upgraded) me (?:up )?(?:from [^;!?()\n,]{2,25}? )?to (?P<v>[^;!?()\n,]{3,40})",
        _raised_to,
    ),
    anywhere(
        "meeting: moved me", "moved pushed rescheduled bumped", r"(?P<w>(?:dr\.? |mrs? |the )?[a-z][\w'-]+) (?:has |have )?(?:moved|pushed|rescheduled|bumped) me (?:back )?to ",
        _moved_me,
    ),
    anywhere(
        "bedtime: slid to", "bedtime alarm", rf"\b(?P<k>bedtime|alarm)(?:'s| is| has| now| been| set| gets)* ?(?:slid|moved|crept|slipped|shifted|gone|pushed|back|up|down|later|earlier|set|now| )*"
        rf"(?:to|at|for|:|is) ?(?P<v>{_CLOCK})", _hour_now,
    ),
    anywhere(
        "event: greetings from", "greetings hello postcard", r"\b(?:greetings|postcard) from (?P<v>[a-z][\w'-]+(?: [a-z][\w'-]+)?)", _greeted,
    ),
    anywhere(
        "event: made redundant", "redundant", r"\bmade (?:me|us) redundant\b", lambda m, c, h: [happened("made redundant", c, Head(name="self", person=SPEAKER))],
    ),
    predicate(
        "employment: quit the bank", "quit|left", rf" (?:the|my job at the) (?P<v>(?:[\w-]+ )?{_HOUSES})(?=\s*(?:$|[,.!]|in (?!tears|a )|last|after|for good|to |this|on|today|back))", _quit_house, bare=
        frozenset(["quit"]),
    ),
    anywhere(
        "schedule: moved to days", "moved switched put", r"\b(?:got|been|was|were|they) (?:moved|switched|put) (?:me )?(?:back )?(?:to|on|onto) (?:the )?(?P<v>days|nights|mornings|evenings|lates|earlies"
        r"|(?:day|night|morning|evening|late|early|graveyard|weekend) shifts?)\b", lambda m, c, h: [Said(attribute="schedule", value=c.cut(m, "v"), changed=True)] if not (
        h.thought or h.negated) and h.relation is None else [],
    ),
    predicate(
        "birthday: n on", "|".join(str(n) for n in range(1, 100)), r" on (?P<v>(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?)", _turns_on, be=True, when=always,
    ),
    predicate(
        "age: at n, of another", "at", r" (?P<v>\d{2})(?=,? (?:still|he|she|and|is|has|drives|lives|runs|works|plays))", lambda m, c, h: [said("age", m["v"], h)] if h.person == OTHER else [],
    ),
    predicate(
        "dislikes: won't touch", "touch|eat|go near|drink", r" {V}", _wont, when=lambda h: h.negated,
    ),
    anywhere(
        "habit: no more for me", "more bin", r"\bno more (?P<v>[a-z][a-z ]{2,25}?) for me\b", _no_more,
    ),
    anywhere(
        "habit: gone in the bin", "bin gone", r"^\W*(?:the |my )?(?P<v>[a-z]+)(?:'s| is| has| have|s)? (?:gone in|went in|in) the bin\b", _no_more,
    ),
    predicate(
        "habit: stopped", "stopped|quit", r" (?P<v>(?!crying|laughing)[a-z]{3,}ing\b[^;!?()\n]{0,40})", _stopped, bare=True,
    ),
    anywhere(
        "condition: been told", "told reckon reckons think says confirmed", r"\b(?:been told|told me|they told me|doctor says|they reckon|they think|gp reckons"
        r"|doctors? reckons?|confirmed) (?:that )?(?:i'?ve got|i have|it'?s|it is|i had) (?P<v>[^;!?()\n,]{3,50})", _told_i_have, presupposed=True,
    ),
    anywhere(
        "dislikes: idea of hell", "hell nightmare heaven", r"^\W*(?P<v>[a-z][\w' -]{2,30}?)(?:'s| is| are) (?:literally |basically )?my (?:idea of"
        r" (?:hell|heaven)|worst nightmare|personal hell)\b", _hell,
    ),
    predicate(
        "emotion: get x when", "get|gets|feel|become", r" (?:\w+ly |so |really |a bit |very |super )*(?P<v>jealous|anxious|nervous|homesick|sad|weepy|angry"
        r"|lonely|stressed|emotional|panicky|tense|guilty|overwhelmed|irritable|scared|embarrassed|shy)\b", _feels_when,
    ),
    anywhere(
        "emotion: sick with nerves", "nerves worry anxiety dread fear", r"^\W*(?P<v>[a-z][\w' -]{2,30}?) (?:always )?makes? me (?:sick|ill|shake|tremble) with (?P<f>nerves|worry"
        r"|anxiety|dread|fear)\b", _nerves,
    ),
    anywhere(
        "meeting: with, dated", "lunch dinner breakfast coffee appraisal pitch drinks brunch booked",
        r"(?:^|\b(?:have|got|a|an|the|my|our)\s)\W*(?P<v>(?:(?:client|team|business|work|annual|yearly|sales) )?(?:lunch|dinner|breakfast|coffee|appraisal|pitch|brunch"
        r"|drinks) (?:with|w/?|to|at) [^;!?\n]{2,60})", _booked,
    ),
    predicate(
        "meeting: booked in for", "booked in for|booked for|down for|scheduled for|in for|pencilled in for|due in for",
        r" (?:an? |my |the )?(?P<v>[a-z][^;!?()\n]{3,60})", _booked, be=None, bare=frozenset(["booked", "scheduled", "down"]),
    ),
    anywhere(
        "deadline: lodged by", "lodged submitted filed delivered goes ends closes expires due paid in",
        r"(?:^|\b(?:my|the|our)\s)\W*(?P<v>(?:[\w-]+ ){0,3}?(?:appeal|application|submission|manuscript|paper|proposal|bid|return|claim|thesis|dissertation|report|grant"
        r"|abstract|essay|portfolio|draft|tender|lease|tenancy|contract|subscription|invoice|form|survey)(?: (?:on|for|with|submission)(?: [\w'-]+){1,4}?)?)"
        r" (?:must be (?:lodged|submitted|filed|in|paid|sent|delivered)|has to be (?:in|filed|submitted|lodged|paid)|goes to the \w+|closes?|ends?|expires?|needs to be (?:in|filed"
        r"|submitted))\b", _closing,
    ),
    predicate(
        "occupation: run payroll", "run|runs|handle|handles|manage|manages|do|does|ran|lead|leads", r" (?P<v>(?:the )?(?:payroll|logistics|marketing|accounts|bookkeeping|purchasing|recruitment"
        r"|scheduling|procurement|it support|quality control|customer service|social media|pr|comms|operations|fundraising|events)) (?:for|at) (?P<w>[^;!?()\n,]{2,50})",
        _runs, when=always,
    ),
    predicate(
        "schedule: has x tuesdays", "has|have|got|'ve got|does|do", rf" (?P<t>(?:[a-z][\w'-]* ){{1,3}}?(?:on )?{_DAYS}(?:(?:,| and|, and) (?:[a-z][\w'-]* ){{1,3}}?(?:on )?{_DAYS})*)",
        _weekly, when=always,
    ),
    anywhere(
        "schedule: mondays i've got", "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
        rf"^\W*(?:and |so |on )?(?P<d>{_DAYS}),? (?:i'?ve got|i have|i do|i've|we have|it'?s) (?P<v>[^;!?()\n,]{{3,40}})", _day_first,
    ),
    anywhere(
        "schedule: only work days", "teach work works teaching working", rf"\bi (?:now )?only (?P<v>teach|work)(?: on)? (?P<d>{_DAYS}(?:(?:,| and|, and) {_DAYS})*)", _day_first,
    ),
)  # fmt: skip
