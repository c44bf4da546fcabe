"""Dated work in any frame: "zoom w the recruiter on June 9", "got until Friday to file it"; clients, contracts, projects."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from relembra.minds.offline.dates import Kind, find_dates
from relembra.minds.offline.dates.mention import Precision
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import OTHER, Head
from relembra.minds.offline.reader.english.saying import anywhere, moment, predicate
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES", "coming", "deadline_said", "undated"]

_DAY_SHORT = re.compile(r"\b(?:(mon|wed|fri|sun)|(tue|tues)|(thu|thur|thurs)|(sat))\b(?!\.\w)")
_LINKS = re.compile(
    r"(?:(?:\s|'|^)(?:is|s|are|was|will|be|on|at|by|for|this|next|due|before|until|from|to|moved|got|has|been|set|scheduled"
    r"|coming|up|in|of|w|with|around|about|the|a|an|and|every|starting|back|early|late|pushed|booked|not|or|n|needs?|must|have|runs?)|[:,;@–—-]|\s)+$"
)


def undated(text: str, clause: Clause) -> str:
    """What stands before the first date of a text: "dentist appointment on Friday at 3" is a "dentist appointment"."""
    for date in find_dates(text, said_at=clause.said_at, language=clause.language):
        if date.kind is Kind.MOMENT and date.start > 0:
            text = text[: date.start]
            break
    short = _DAY_SHORT.search(text.lower(), 1)
    text = text[: short.start()] if short else text
    tail = _LINKS.search(text.lower())
    return (text[: tail.start()] if tail else text).strip(" ,.;:!?'")


_DAY_LONG = {1: None, 2: "tuesday", 3: "thursday", 4: "saturday"}
_DAYS = {"mon": "monday", "wed": "wednesday", "fri": "friday", "sun": "sunday"}


def _spelt(match: re.Match[str]) -> str:
    return _DAYS.get(match[0]) or _DAY_LONG[match.lastindex or 1] or match[0]


def coming(clause: Clause) -> tuple[datetime | None, datetime | None]:
    """The first day to come that a clause names; a date without a year is read as the next one, not the last."""
    begins, ends = moment(clause, future=True)
    if begins is not None:
        return begins, ends
    text = _DAY_SHORT.sub(_spelt, clause.flat)
    for date in find_dates(text, said_at=clause.said_at, language=clause.language):
        if date.kind is not Kind.MOMENT:
            continue
        read = [date] if date.ends > clause.said_at else []
        read += find_dates(f"it will be on {date.text}", said_at=clause.said_at, language=clause.language)
        for one in read:
            if one.kind is Kind.MOMENT and one.ends > clause.said_at and one.precision is not Precision.YEAR:
                return one.begins, one.ends
    return None, None


def due_day(clause: Clause, begins: datetime, ends: datetime | None) -> datetime:
    """The day itself: "by April 15" runs from now until the end of it."""
    if ends is not None and begins <= clause.said_at:
        return ends - timedelta(seconds=1)
    return begins


def deadline_said(clause: Clause, value: str, begins: datetime, ends: datetime | None) -> Said:
    day = due_day(clause, begins, ends)
    return Said(
        attribute="deadline",
        value=value,
        held_from=day,
        expires_at=ends,
        content=f"{value[0].upper()}{value[1:]} ({day:%Y-%m-%d})",
    )


_NOUN = (
    r"(?P<k>appt|appointment|meeting|interview|zoom|video call|phone call|conference call|kick-?off|presentation|demo"
    r"|consultation|consult|check-?up|1[ -]on[ -]1|1:1|one[- ]on[- ]one|catch-?up|hearing|viewing|parents'? evening|(?:parent|meet)"
    r"[- ](?:the[- ])?teacher (?:conference|meeting|night|evening)|review|standup|workshop|webinar|inspection|fitting|physical|walk-?through"
    r"|call(?= (?:w|w/|with)\b)|session(?= (?:w|w/|with)\b)|mediation|closing|site visit|open house|orientation|audit|therapy|court date|court(?= (?:on|this|next|tomorrow)\b))"
)
_LEFT = re.compile(
    r"\b(?:have|has|got|get|a|an|the|my|our|is|s|for|to|at|booked|scheduled|set|another|next|big|i|i've|ive|we|and|so|but"
    r"|prep(?:are)?|before|after|this|that|first|just|quick|also|there's|theres|need|help|me|tips|his|her|their|of|in|on"
    r"|with|w|new|his|your|ready|moved|rescheduled|cancelled|canceled|about|nervous|had|no|any|n|or)\b\s*"
)
_HOUR = re.compile(
    r"\b(?:in (?:\d+|ten|five|twenty|a few) min\w*|in an hour|right now|in a (?:sec|minute|bit)|just (?:left|finished|had)"
    r"|went|was|were|missed|cancell?ed|skipped|if|what time|when is|every|each|weekly)\b"
)
_STOP = re.compile(
    r"\s(?:and (?:i|the|my|it|we|need)|so|but|because|cuz|bc|help|which|can|could|where|who|what|how|kinda|got|has|is|are"
    r"|was|will|'s|to (?:ask|discuss|go|talk|see|figure|review|plan)|n)\b|,|'s\s|\sis\b"
)


_WITH = re.compile(r"(?:\s(?:with|w/?|for|about)\s[^;!?()\n]{2,50})?")


def _met(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A meeting's noun and a day to come, in one sentence and in any order."""
    if head.thought or head.negated or head.used or head.past or (head.person == OTHER and not head.owned):
        return
    begins, ends = coming(clause)
    if begins is None or _HOUR.search(clause.flat) or (clause.sentence.rstrip().endswith("?") and "?" in clause.raw):
        return
    start = match.start("k")
    left = list(_LEFT.finditer(clause.flat, 0, start))
    begin = max([left[-1].end() if left else 0, clause.flat.rfind(",", 0, start) + 1])
    words = clause.raw[begin:start].split()[-4:]
    with_ = _WITH.match(clause.flat, match.end("k"))
    rest = clause.raw[start : with_.end() if with_ else match.end("k")]
    stop = _STOP.search(rest.lower(), match.end("k") - start)
    value = undated(" ".join([*words, rest[: stop.start()] if stop else rest]), clause)
    if (
        (len(value.split()) < 2 and match["k"] not in ("therapy", "court date", "court", "orientation"))
        or len(value.split()) > 10
        or _ASKED.match(value.lower())
    ):
        return
    yield Said(
        attribute="meeting", value=value, held_from=begins, expires_at=ends,
        content=f"{value[0].upper()}{value[1:]} ({begins:%Y-%m-%d})",
    )  # fmt: skip


_PEOPLE = (
    r"(?:architect|lawyer|solicitor|accountant|surgeon|specialist|consultant|dentist|doctor|gp|vet|physio|therapist|midwife"
    r"|cardiologist|dermatologist|neurologist|oncologist|bank manager|recruiter|landlord|estate agent|realtor|plumber"
    r"|electrician|builder|contractor|headteacher|advisor|adviser|counsell?or|optician|orthodontist|notary|caseworker"
    r"|client|investors?|board|supplier|mortgage \w+|head of \w+|hr)"
)


def _seeing(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.used or head.person == OTHER:
        return
    begins, ends = coming(clause)
    if begins is None or _HOUR.search(clause.flat):
        return
    value = undated(clause.raw[match.start() : match.end()], clause)
    yield Said(
        attribute="meeting", value=value, held_from=begins, expires_at=ends,
        content=f"{value[0].upper()}{value[1:]} ({begins:%Y-%m-%d})",
    )  # fmt: skip


_TASK_END = re.compile(
    r"\s(?:and (?:i|my|it|we)|n havent|so|but|because|help|which|can you|where|or else|no (?:extensions?|excuses)|rip)\b|,\s"
)


_ASKED = re.compile(
    r"(?:can|could|please|pls|help|would|how|what|is|are|do|should|check|review|remind|edit|fix|write) "
)


def _due(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A thing and the day it must be done by."""
    if head.thought or head.used or (head.past and match.groupdict().get("moved") is None):
        return
    begins, ends = coming(clause)
    if begins is None or "?" in clause.raw:
        return
    text = clause.raw[match.start("v") : match.end("v")]
    stop = _TASK_END.search(text.lower())
    value = undated(text[: stop.start()] if stop else text, clause)
    if _ASKED.match(value.lower()):
        value = re.split(r"\b(?:my|the|our)\s", value, flags=re.IGNORECASE)[-1]
    value = re.sub(r"^(?:an?|the|my|our|all|to|me|us|it) ", "", value, flags=re.IGNORECASE)
    if (
        not value
        or len(value.split()) > 12
        or re.match(
            r"(?:bed|home|work|sleep|baby|i|he|she|it|rent|bus|train|back|there|here|up|out|dinner|lunch|movies?|films?|albums?"
            r"|games?|episodes?|seasons?|packages?|parcels?|delivery|orders?|flights?|library books?|sequel)\b",
            value.lower(),
        )
    ):
        return
    yield deadline_said(clause, value, begins, ends)


_DEAL_END = re.compile(
    r",\s|\s(?:and (?:i|my|it|we)|so|but|because|which|what|inked|signed|no|yesterday|today|biggest)\b"
)


_ENDING = re.compile(r"\s(?:runs?(?: out)?|goes|lasts?|ends?|expires?|started|renews?|is up|finishes)$")


def _deal(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.used or head.future or (head.person == OTHER and not head.owned):
        return
    text = clause.raw[match.start("v") : match.end("v")]
    stop = _DEAL_END.search(text.lower())
    value = re.sub(
        r"^(?:an?|the|my|our) ", "", (text[: stop.start()] if stop else text).strip(" ,.!?"), flags=re.IGNORECASE
    )
    if len(value.split()) < 2 or len(value.split()) > 16:
        return
    past, _ = moment(clause)
    _, ends = coming(clause)
    value = _ENDING.sub("", undated(value, clause)) or value
    yield Said(
        attribute="contract", value=value, held_from=past if past != clause.said_at else None, expires_at=ends,
        content=None if ends is None else f"Contract: {value} (until {ends - timedelta(seconds=1):%Y-%m-%d})",
    )  # fmt: skip


_BUSINESS = re.compile(
    r"(?:the )?(?:(?:Mrs?|Ms|Dr)\.? )?[A-ZÀ-Þ][\w'’&.-]*(?: (?:(?:&|and|of|the) )?[A-ZÀ-Þ][\w'’&.-]*){0,3}"
)


_CALLED = re.compile(r"[^.;!?]{0,60}?\b(?:called|named) (?=[A-Z])")


def _client(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "One of my clients, Kapoor Textiles", "picked up a new student, Ethan", "newest account: a truck named Holy Dough"."""
    if head.thought or head.negated or head.future:
        return
    rest = clause.sentence[len(clause.earlier) + match.end() :]
    called = _CALLED.match(rest)
    at = called.end() if called else len(rest) - len(rest.lstrip(" ,:-–—("))
    found = _BUSINESS.match(rest, at)
    if found and found[0].split()[0] not in ("I", "I'm", "The", "It", "They", "He", "She", "We"):
        yield Said(attribute="client", value=found[0].rstrip(".,"))


def _lost_client(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.person == OTHER:
        return
    name = clause.cut(match, "v" if match["v"] else "w")
    if name[:1].isupper():
        yield Said(attribute="former_contract" if "contract" in match[0] else "former_client", value=name)


def _works_for(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Been walking dogs for the Hendersons, my best paying customers": whom, where the sentence calls them clients."""
    if head.negated or head.thought or head.person == OTHER:
        return
    if re.search(r"\b(?:clients?|customers?)\b", clause.sentence.lower()):
        found = _BUSINESS.match(clause.raw, match.end())
        called = _CALLED.match(clause.raw, match.end())
        found = _BUSINESS.match(clause.raw, called.end()) if called else found
        if found:
            yield Said(attribute="client", value=re.sub(r"^the ", "", found[0].rstrip(".,")))


_WORK_END = (
    "and (?:i|it|we|need)|so|because|but|need|which|at work|right|this|on (?:the side|weekends)|instead|kinda|since|before"
    "|help|n"
)


def _work_on(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if (
        head.thought
        or head.negated
        or head.future
        or head.used
        or head.past
        or (head.person == OTHER and not head.owned)
    ):
        return
    value = clean(clause.cut(match, "v"), stop=_WORK_END, most=10)
    if value and not re.match(
        r"(?:going|late|due|done|almost|nearly|not|finished|killing|ready|so|very|too|good)\b", value.lower()
    ):
        yield Said(attribute="project", value=value)


RULES: tuple[Rule, ...] = (
    anywhere(
        "meeting: dated", "appt appointment meeting meeting's interview zoom call kickoff kick-off presentation demo"
        " consultation consult checkup check-up catchup catch-up hearing viewing evening review standup workshop webinar"
        " inspection fitting therapy court physical parent-teacher 1 one walkthrough session mediation closing visit conference orientation audit",
        rf"(?<![\w-]){_NOUN}(?![\w-])", _met,
    ),
    predicate(
        "meeting: seeing", "seeing|meeting|see|got|visiting|meet",
        rf"\s(?:with\s|up with\s|w/?\s)?(?:my|the|our|an?)\s(?:[\w-]+\s)?{_PEOPLE}\b[^;!?()\n]{{0,60}}", _seeing, bare=True,
        when=lambda h: not (h.negated or h.thought or h.past),
    ),
    anywhere(
        "deadline: must", "submit file deliver finish send complete renew pay gotta turn hand return register apply upload",
        r"\b(?:gotta|have to|has to|need to|needs to|must|got to|supposed to|gonna have to) (?P<v>(?:submit|deliver|hand in"
        r"|turn in|file|finish|send(?: in| off)?|complete|ship|renew|hand over|present|pay|return|register|apply|upload|do)\b"
        r"[^;!?()\n]{2,60}?\s(?:by|before|due)\s.{2,40})", _due,
    ),
    anywhere(
        "deadline: in by", "in done ready finished out",
        r"\b(?:gotta|have to|has to|need to|needs to|must|got to|supposed to) (?:have|get) (?P<v>(?:the|my|our|all|this)\s[^;!?()\n]"
        r"{2,40}?) (?:in|done|ready|finished|out|over|sorted) (?:by|before)\s", _due,
    ),
    anywhere(
        "deadline: runs out", "visa passport licence license insurance permit warranty mot certification card registration",
        r"\b(?:my|our) (?P<v>(?:[\w-]+ )?(?:visa|passport|licen[cs]e|insurance|permit|warranty|mot|certification|green card"
        r"|registration|residence card)) (?:runs out|expires|is up|ends|needs renewing|has to be renewed|is due)\b", _due,
    ),
    anywhere(
        "deadline: closes", "closes close closing ends",
        r"(?:^|\b(?:my|the|our)\s)(?P<v>(?:[\w-]+ ){0,3}?(?:applications?|registration|enrol?ment|submissions?|entries|sign-?ups?|nominations|bids?))"
        r" (?:closes?|ends?) (?=on|this|next|in|\d|tomorrow|[a-z]+day|the)", _due,
    ),
    anywhere(
        "deadline: until to", "until till til",
        r"\b(?:got|have|'ve|gave me|given me|given|gives me|only) (?:only )?(?:until|till|til)\s(?:[\w,]+ ){1,4}?to (?P<v>(?:file|submit"
        r"|finish|pay|hand|turn|send|complete|deliver|renew|apply|register|decide|move|respond|reply|return|write|get)\b"
        r"[^;!?()\n]{2,60})", _due,
    ),
    anywhere(
        "deadline: moved", "moved pushed extended",
        r"\b(?P<moved>moved|pushed|extended) (?:back )?(?P<v>(?:the|my|our)? ?(?:[\w-]+ ){0,3}?(?:report|essay|paper|deadline"
        r"|assignment|project|submission|draft|proposal|launch|exam|final|thesis|homework|lab|application|due date)s?\b"
        r" (?:back )?(?:to|until|till)\s.{2,30})", _due,
    ),
    anywhere(
        "deadline: wants by", "wants want needs need expects by",
        r"\b(?:boss|supervisor|editor|manager|client|advisor|professor|prof|publisher|landlord|they|teacher|bank|school|hr"
        r"|customer) (?:wants?|needs?|expects?|is asking for|asked for) (?P<v>[^;!?()\n]{2,40}?\s(?:by|before)\s.{2,30})", _due,
    ),
    anywhere(
        "deadline: due", "due",
        r"(?:^|\b(?:my|the|our|an?|have|got)\s)(?P<v>(?:[\w'’-]+\s){1,5}?(?:(?:is|are|'s|r|thats|that's)\s)?due\s(?!to\b).{2,30})",
        _due,
    ),
    anywhere(
        "contract: struck", "deal contract lease agreement retainer",
        r"\b(?:locked in|inked|scored|closed|secured|got|landed|signed|won|renewed|agreed) (?P<v>(?:an?|the|my|our|another)"
        r" (?:[\w-]+ ){0,4}?(?:contract|deal|lease|agreement|retainer)\b (?:to|with|w/?|for|at|on) [^;!?()\n]{2,60})", _deal,
    ),
    anywhere(
        "contract: mine", "contract lease tenancy agreement retainer",
        r"\b(?:my|our) (?P<v>(?:[\w-]+ )?(?:contract|lease|tenancy|agreement|retainer)(?: (?:with|w/?|at) [^;!?(),\n]{2,30}?)?"
        r" (?:is|'s|runs?|goes|lasts?|ends?|expires?|covers|started|renews?)\b(?! (?:a|up to|so|too|really|very|confusing))"
        r" ?[^;!?()\n]{2,50})", _deal,
    ),
    anywhere(
        "client: one of mine", "clients client customers customer account student kid roster",
        r"\b(?:one of (?:my|our) (?:\w+ )?(?:clients|customers|accounts|students)|(?:my|our|the)? ?(?:newest|new|latest|biggest"
        r"|oldest|main|first|best) (?:client|customer|account)(?: on [\w ]{2,25})?|(?:picked up|took on|landed|signed|got) an?"
        r" (?:new |big |first |another )+(?:kid|student|client|customer|account|tutee|patient))(?=[\s,:(-])(?: is|'s)?", _client,
    ),
    anywhere(
        "client: lost", "lost client account contract",
        r"\blost (?:the )?(?P<v>[a-z][\w'&.-]+(?: [A-Z][\w'&.-]+)?) (?:contract|account|deal)\b|(?:^|[,;] )\W*(?P<w>[a-z][\w'&.-]+(?: [a-z][\w'&.-]+)?)"
        r" (?:isn'?t|is no longer|'s no longer|aren'?t) (?:my|our|a) client\b", _lost_client,
    ),
    anywhere(
        "deadline: was moved", "deadline",
        r"(?P<moved>)(?P<v>(?:[\w-]+ )?deadline)(?: for [\w ]{2,25})? (?:was|got|has been|is|'s been|is being) (?:moved|pushed|extended|brought)"
        r"(?: back| forward)? (?:to|until) ", _due,
    ),
    anywhere(
        "client: works for", "for",
        r"\b(?:[a-z]+ing|do|did|work|made|make) (?:[a-z]+ ){0,3}?for (?=(?:the )?[a-z])", _works_for,
    ),
    anywhere(
        "project: is", "capstone thesis dissertation project game startup app zine podcast album novel",
        r"\b(?:(?:senior|final|my|the|our|side|science fair|master's|phd|current|passion|group|pet|new) )+(?:capstone|thesis"
        r"|dissertation|project|startup) (?:is|'s) (?:about |on |called |to )?(?P<v>(?:an?|the|called|about|on)? ?[^;!?()\n]{3,70})",
        _work_on,
    ),
    anywhere(
        "project: into my", "into through",
        r"\b(?:\d[\d,]*k?|halfway|three|four|five|six|ten|two) ?(?:pages|chapters|words|episodes|scenes|rows|songs|tracks"
        r"|levels)? ?(?:into|through) (?:writing |making )?my (?P<v>(?!shift|day|20s|30s|trip|thirties|run)[^;!?()\n]{3,60})",
        _work_on,
    ),
    predicate(
        "project: lead", "lead|run|head up|own|manage|oversee|coordinate|heading|leading|running",
        r"\s(?P<v>(?:the|our)\s(?:[\w'-]+\s){1,4}?(?:rollout|launch|migration|project|redesign|initiative|campaign|rebrand"
        r"|programme|program|merger|relaunch|build|integration|upgrade)\b)", _work_on,
    ),
    predicate(
        "project: started", "started|launched|run|host|write|have|got|running|hosting|starting",
        r"\s(?P<v>(?:an?|my own|our own)\s(?:[\w-]+\s){0,2}?(?:podcast|newsletter|blog|zine|youtube channel|channel|etsy (?:shop|store)|band|startup"
        r"|non-?profit|side hustle|substack|webcomic)\b(?! (?:idea|post|name|episode|about to))[^;!?()\n]{0,50})", _work_on, bare=True,
    ),
    anywhere(
        "project: building", "building making writing developing designing coding filming recording",
        r"^\W*(?:(?:i'm|im|i am|we're|rn|currently|been|lately|still|now|so|also|btw|just|working on)\s+)*(?:building|developing"
        r"|coding|designing|writing|filming|recording|making) (?P<v>(?:an?|my|our|the) (?:[\w-]+ ){0,4}?(?:bot|app|game|website"
        r"|site|novel|book|album|ep|podcast|zine|comic|robot|drone|keyboard|pc|boat|cabin|shed|plugin|mod|library|engine"
        r"|documentary|short film|film|synth|tool|extension|script|dashboard|model|guitar|deck|treehouse|series|musical|memoir)"
        r"\b[^;!?()\n]{0,60})", _work_on,
    ),
)  # fmt: skip
