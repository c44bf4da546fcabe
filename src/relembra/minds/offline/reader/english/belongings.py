"""Money and dated work: salary, debts, meetings, deadlines, contracts, clients, projects."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.agenda import coming, deadline_said, undated
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, states, told
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES"]

_MONEY = (
    r"(?:(?:\$|£|€|us\$|r\$)\s?\d[\d,.]*\s?(?:k|m|grand|thousand|million|mil)?|\d[\d,.]*\s?(?:k"
    r"|grand|thousand|million|dollars|pounds|euros|quid|bucks|usd|gbp|eur|reais|lakhs?|crores?|lpa)\b(?:\s(?:dollars"
    r"|pounds|euros))?|\d{1,3},\d{3}|\d{4,6}|(?:a |one |two |three |four |five |six"
    r" |seven |eight |nine |ten |fifteen |twenty |thirty |forty |fifty |sixty )(?:grand"
    r"|thousand|hundred thousand)(?: (?:dollars|pounds|euros))?)"
)
_PER = (
    r"(?:\s?(?:a|per|an|/)\s?(?:year|month|week|hour|annum|yr|mo|hr)|\s?(?:yearly|annually"
    r"|monthly|gross|net|before tax|after tax|pa|p\.a\.))"
)


def _salary(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.negated or head.person == NOBODY or (head.used and not match):
        return
    gone = head.used or head.past or match[0].startswith(("earned", "made"))
    yield told(
        head,
        attribute=("former_" if gone else "") + "salary",
        value=clause.raw[slice(*match.span("v"))].strip(" ,."),
        changed=head.changed,
    )
    at = re.compile(r"\s(?:at|with|from) (?:the )?(?P<e>[a-z][^;!?(),\n]{2,40})").match(clause.flat, match.end("v"))
    employer = clean(clause.cut(at, "e"), stop="as|so|and|which|but", most=4) if at else ""
    if employer and not gone:
        yield told(head, attribute="employment", value=employer)


def _debt(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.negated or head.used or head.person == NOBODY:
        return
    start = match.start("v") if match["v"] else match.start()
    value = clean(
        clause.raw[start : match.end()], stop="and it|that|which|since|because|so|from when", most=10, article=False
    )
    if value:
        yield told(head, attribute="former_debt" if head.past else "debt", value=value)


_MEET = (
    r"(?:[\w'-]+\s){0,3}?(?:meeting|appointment|interview|call|kickoff|kick-off|review"
    r"|appt|presentation|demo|consultation|check-?up|session|standup|workshop|conference"
    r"|webinar|one-on-one|1:1|1-on-1|catch-?up|hearing|viva|court date|viewing|audition"
    r"|scan|lunch|dinner|coffee|conference call|board meeting|parents' evening|exam"
    r"|test|pitch)"
)


def _meeting(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """Only what has a day to come: a meeting without one is talk of the hour."""
    if head.thought or head.negated or head.used or (head.person == OTHER and not head.owned):
        return
    begins, ends = coming(clause)
    if begins is None:
        return
    if re.search(
        r"\b(?:in (?:\d+|ten|five|twenty|a few) min\w*|in an hour|right now|in a (?:sec"
        r"|minute|bit)|now)\b",
        clause.flat,
    ):
        return
    start = match.start("v")
    last = max((date.end for date in clause.dates), default=0)
    del last
    text = clause.raw[start:]
    stop = re.search(r"\s(?:and (?:i|the|my|it|we|need)|so|but|because|help|which|can you|where|who|what)\b|,\s", text)
    value = undated((text[: stop.start()] if stop else text).strip(" ,.!?"), clause)
    if not value or len(value.split()) > 16:
        return
    word = re.sub(r"^(?:(?:got|have|having|booked|another|an?|the|my|our) )+", "", value, flags=re.IGNORECASE)
    kind = "event" if re.search(r"\b(?:scan|exam|test|audition|court date|hearing)\b", match["v"]) else "meeting"
    if re.search(r"\b(?:lunch|dinner|coffee)\b", match["v"]) and not re.search(r"\bwith\b", value):
        return
    yield Said(
        attribute=kind,
        value=word,
        held_from=begins,
        expires_at=ends,
        content=f"{word[0].upper()}{word[1:]} ({begins:%Y-%m-%d})",
    )


def _deadline(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.used or (head.person == OTHER and not head.owned and head.name):
        return
    begins, ends = coming(clause)
    if begins is None:
        return
    text = clause.raw[match.start("v") :]
    stop = re.search(r"\s(?:and (?:i|my|it|we)|so|but|because|help|which|can you|where)\b|,\s", text)
    value = undated((text[: stop.start()] if stop else text).strip(" ,.!?"), clause)
    value = re.sub(r"^(?:an?|the|my|our|and|so|but) ", "", value, flags=re.IGNORECASE)
    if (
        not value
        or len(value.split()) > 16
        or re.match(
            r"(?:baby|i|he|she|it|rent|library book|bus|train|packages?|parcels?|movies?|films?|albums?|games?|episodes?|seasons?|delivery|orders?|flights?)\b",
            value.lower(),
        )
    ):
        return
    yield deadline_said(clause, value, begins, ends)


_ENDING = re.compile(
    r"\s(?:runs?(?: out)?|ends?|expires?|is up|finishes|goes|lasts|starts|begins|(?:got|was|gets) renewed|is for)$"
)


def _contract(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.used or (head.person == OTHER and not head.owned):
        return
    text = clause.raw[match.start("v") :]
    stop = re.search(r",\s|\s(?:and (?:i|my|it|we)|so|but|because|which|what)\b", text)
    value = re.sub(
        r"^(?:an?|the|my|our) ", "", (text[: stop.start()] if stop else text).strip(" ,.!?"), flags=re.IGNORECASE
    )
    if len(value.split()) > 16 or re.match(r"(?:contract|lease|agreement)$", value.lower()):
        return
    past, _ = moment(clause)
    _, ends = moment(clause, future=True)
    ending = re.search(r"\b(?:ends?|runs? out|expires?|until|till|up|finishes|is up|renew\w*)\b", clause.flat)
    until = ends if ending else None
    yield Said(
        attribute="contract",
        value=_ENDING.sub("", undated(value, clause)) or value,
        held_from=past if past != clause.said_at else None,
        expires_at=until,
        content=f"Contract: {value} (until {until - timedelta(seconds=1):%Y-%m-%d})" if until else None,
    )
    at = re.search(
        r"\b(?:contract|job|position) (?:at|with) (?:the )?(?P<e>[\w'&. -]{2,40}?)\s(?:runs?"
        r"|ends?|expires?|is|finishes)",
        clause.raw,
    )
    if at and head.owned and re.search(r"fixed-term|employment|temp|zero-hours|work|my contract", clause.flat):
        yield Said(attribute="employment", value=at["e"])


def _client(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future or (head.person == OTHER and not head.owned):
        return
    value = clean(
        clause.cut(match, "v"), stop="as|and|for|this|last|on|who|which|today|yesterday|from|in|since|with", most=6
    )
    called = re.search(r"\b(?:called|named) (?P<n>[A-Z][\w'&.-]*(?: (?:& )?[A-Z][\w'&.-]*){0,3})", clause.raw)
    if called:
        value = called["n"]
    if value and (value[0].isupper() or called):
        yield Said(attribute="former_client" if match[0].startswith("lost") else "client", value=value)


def _project(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future or head.used or head.past or head.person == NOBODY:
        return
    text = clause.cut(match, "v")
    value = clean(
        text,
        stop="and (?:i|it|we|need)|so|because|but|that's|which|for (?:fun|my|the|a)|in (?:the"
        "|my)|at work|right|this|with my|these|on (?:the side|weekends)|instead",
        most=10,
    )
    if not value or re.match(
        r"(?:to|from|at|about|in|on|it|this|that|(?:my |an? |the )?(?:letter|email|e-mail|note|text|message|list|post|card|cv"
        r"|resume|review|cake|dinner|lunch|reply)\b|my (?:sentence|text|email|cv|resume|fitness|essay|homework"
        r"|patience|tan|self|credit|savings|life|weight)|a team|a good|muscle|up|confidence"
        r"|the (?:kids|team) (?:home|out)|a (?:playlist|budget|spreadsheet|case|list|table"
        r"|website for you)|something|things|out|credit|myself|a (?:better|new) (?:life"
        r"|habit|me)|habits|me|you)\b",
        value.lower(),
    ):
        return
    code = re.search(r"\b(?:codenamed?|called|named|code name)\s(?P<n>[A-Z][\w'-]+)", clause.sentence)
    if code and code["n"] not in value:
        value = f"{value} ({code['n']})"
    yield told(head, attribute="project", value=value)


RULES: tuple[Rule, ...] = (
    predicate(
        "salary", "earn|earns|earning|make|makes|making|made|earned|on|bring home|brings home"
        "|taking home|bringing home|bringing in|paid|take home|takes home|get paid"
        "|gets paid|pull in|pulling in|net|gross",
        rf"(?:\s(?:about|around|roughly|like|just|over|under|only|almost|nearly|home"
        rf"|paid|currently|now))*\s(?P<v>{_MONEY}(?:{_PER})*)(?![a-z0-9])(?!\s(?:in"
        rf" (?:debt|rent|sales)|from|profit|off|of|views|steps|mistakes))(?=\s*(?:$"
        rf"|[,.!]|a\b|per|before|after|and|so|at|as|but|with|working|plus|is|now|doing"
        rf"|gross|net|/|which|in|for|right))", lambda m, c, h: _salary(m, c, h) if re.search(_PER, m["v"]) or re.
        search(r"\b(?:earn\w*|salary|bring|take home|grand|paid)\b|\bk\b|\dk\b", c.flat) else [], bare=frozenset([
        "earn", "on", "make", "making", "earning", "taking", "bringing"]), when=always,
    ),
    states(
        "salary", "salary|ctc|package|basic pay|starting salary|pay|income|take-home|take home|wage|base salary|monthly income|paycheck",
        rf"\s?(?:is|'s|went up to|:|just went up to|was)\s(?:about |around |now |only"
        rf" |currently )*(?P<v>{_MONEY}(?:{_PER})*)", owned=True, article=False,
    ),
    predicate(
        "debt: owe", "owe|owes|owing|in debt|behind on|still owe|paying off|have|has|got|carrying", "", _debt,
        bare=frozenset(["owe", "got", "in"]), whole=
        rf"(?:(?:owe|owes|owing) (?:about |around |like |over |roughly "
        rf")?(?P<v>{_MONEY})(?: (?:to|on|in|for"
        rf"|from)[^;!?(),\n]{{0,40}})?)", when=always,
    ),
    predicate(
        "debt: have", "have|has|got|carrying|paying off|in|behind|still have|drowning in|left with"
        "|sitting on", "", _debt, bare=frozenset(["got", "in", "have"]), whole=
        rf"(?:(?:have|has|got|carrying|paying off|sitting on|drowning in|in|left with)"
        rf" (?:about |around |still |over |like |roughly |got )*(?P<v>{_MONEY} (?:in"
        rf"|of|left on|worth of|on|left) (?:[\w' ]{{0,20}}?)(?:debt|loans?|mortgage"
        rf"|credit cards?|cards?|student loans?|overdraft|arrears|car loan|medical bills"
        rf"|finance|car|house|place|flat)\b)|(?:\w+ (?:months?|weeks?) )?behind on (?:my"
        rf" |the |our )?(?P<w>rent|mortgage|payments)|in debt)(?:[^;!?(),\n]{{0,20}})", when=lambda h: bool(h.
        person),
    ),
    anywhere(
        "debt: balance", "balance debt mortgage loan overdraft",
        rf"\b(?P<v>(?:credit card|student loan|student|loan|mortgage|card|overdraft"
        rf"|car loan|tax|medical)\s(?:balance|debt|bill)?\s?(?:is|'s|of|at|stands at"
        rf"|currently|:)\s(?:about |around |now )?{_MONEY})", lambda m, c, h: [Said(attribute="debt", value=c.
        cut(m, "v"))] if h.person != OTHER else [],
    ),
    predicate(
        "meeting: have", "have|has|got|i've got|having|a|an|attending|presenting|meeting|seeing|interviewing"
        "|booked|scheduled|see",
        rf"\s(?:got\s)?(?P<v>(?:an?\s|my\s|the\s|another\s|our\s|back-to-back\s)?{_MEET}\b.{{0,90}}" rf")",
        _meeting, bare=frozenset(["have", "got", "booked", "scheduled"]), when=always,
    ),
    predicate(
        "meeting: article", "a|an", "", _meeting, whole=rf"(?P<v>an?\s{_MEET}\b.{{0,90}})", when=lambda h: h.
        have and not h.be,
    ),
    predicate(
        "meeting: with", "meeting|seeing|presenting to|interviewing with|interviewing at|meeting up"
        " with|pitching to", r"\s(?:with\s)?(?P<v>[^;!?()\n]{2,70})", lambda m, c, h: _with(m, c, h), bare=frozenset(["interviewing", "presenting", "pitching"]), be=True,
        when=lambda h: not (h.negated or h.thought or h.past),
    ),
    predicate(
        "meeting: mine", "meeting|appointment|interview|review|probation review|performance review"
        "|appt|presentation|check-up|checkup|dentist appointment|doctor's appointment"
        "|job interview|call|hearing|viva|next appointment|next session|final interview"
        "|pitch|defense|defence", "", lambda m, c, h: _meeting(m, c, h), owned=True, whole=
        rf"(?P<v>{_MEET}\b[^;!?()\n]{{0,30}}?\s?(?:is|'s|was moved to|moved to|has been"
        rf" moved to|got moved to|will be)\s.{{2,60}}|(?:\w+ )?(?:viva|defen[sc]e)\s(?:is" rf"|'s)\s.{{2,40}})",
        when=always,
    ),
    anywhere(
        "meeting: noun first", "meeting appointment interview kickoff review presentation demo hearing call"
        " kick-off standup appt workshop",
        rf"^\W*(?:(?:and|so|also|btw|fyi|reminder|the|ok|oh|hey)\W+)*(?P<v>(?:{_MEET})(?:"
        rf" (?:with|for|at|about) [^;!?()\n]{{2,40}}?)?\s?(?:is|'s|will be|on|moved"
        rf" to|got moved to|at|tomorrow|this|next)\s.{{2,50}})", lambda m, c, h: _meeting(m, c, Head(name="self",
        person=1)) if h.person in (NOBODY, 2) and not c.sentence.rstrip().endswith("?") else [],
    ),
    anywhere(
        "deadline", "submitted delivered finished done before due deadline submit in by hand turn deliver finish",
        r"(?:^|\b(?:my|the|our|a|an)\s)(?P<v>(?:[\w'’-]+\s){0,5}?[\w'’-]+(?:'s|\sis"
        r"|\sare|\shas to be|\sneeds to be|\smust be|\shas to|\sneeds to|\smust)\s(?:(?:reach"
        r"|go out|go live|arrive|land|ship|launch|get to|due|in|done|finished|submitted"
        r"|delivered|handed in|turned in)\b).{2,60})", lambda m, c, h: _deadline(m, c, h) if re.search(
        r"\bdue\b(?! to\b)|(?:has to|needs to|must) (?:reach|go out|go live|arrive|land|ship"
        r"|launch|get to)\b|(?:has|need(?:s)?|must|have) (?:to )?be (?:in|done|finished"
        r"|submitted|delivered|handed in|turned in)\b", m["v"]) else [],
    ),
    anywhere(
        "deadline: noun", "deadline deadlines",
        r"(?:^|\b)(?P<v>(?:[\w'’-]+\s){0,3}?deadline(?: for [^;!?()\n]{2,40}?)?\s?(?:is"
        r"|'s|on|:|of)\s.{2,50})", _deadline,
    ),
    predicate(
        "deadline: have to", "have to|need to|must|got to|gotta|have until|has to|supposed to",
        r"\s(?P<v>(?:submit|deliver|hand in|turn in|file|finish|send|complete|ship"
        r"|renew|hand over|present|pay)\b[^;!?()\n]{2,50}?\s(?:by|before|until|on)\s.{2,40})", lambda m, c, h:
        _deadline(m, c, h), when=lambda h: h.person != OTHER, bare=frozenset(["have", "need", "gotta", "must"]),
    ),
    anywhere(
        "deadline: wants by", "wants want needs expects asked",
        r"\b(?P<s>my (?:boss|supervisor|editor|manager|client|advisor|professor|publisher"
        r"|landlord)|they|the client|[A-Z]\w+) (?:wants?|needs?|expects?) (?P<v>(?:an?"
        r"|the|my|it|all)\s[^;!?()\n]{2,40}?\s(?:by|before)\s.{2,30})", lambda m, c, h: _deadline(m, c, Head(
        name="self", person=1)),
    ),
    predicate(
        "contract: signed", "signed|renewed|got|won|landed|negotiated|signing|extended",
        r"\s(?P<v>(?:an?\s|the\s|my\s|our\s|another\s)?(?:[\w-]+\s){0,4}?(?:contract"
        r"|lease|agreement|deal|nda|retainer)\b[^;!?()\n]{0,70})", _contract, bare=True, when=always,
    ),
    predicate(
        "contract: mine", "contract|lease|fixed-term contract|tenancy|agreement|work contract|temp contract"
        "|freelance contract|rental contract|employment contract|phone contract|retainer", r"(?P<v>)", _contract,
        owned=True, whole=
        r"(?P<v>(?:[\w-]+\s){0,2}?(?:contract|lease|tenancy|agreement|retainer)\b[^;!?()\n]{0,40}?"
        r"\s(?:runs? out|ends?|expires?|is up|finishes|runs until|runs till|goes until"
        r"|lasts until|starts|begins|got renewed|was renewed|is for|gets renewed|is" r" with)\b.{0,40})", when=
        always,
    ),
    predicate(
        "client: landed", "landed|signed|won|got|have|lost|onboarded|took on|picked up|brought on|gained"
        "|working with|work with", r"\s(?P<v>[^;!?()\n]{2,60}?)\sas (?:an?|our|my) (?:\w+ )?(?:client|customer"
        r"|account)", _client, bare=True, when=always,
    ),
    predicate(
        "client: mine is", "client|biggest client|main client|new client|newest client|first client|best"
        " client|oldest client|customer|biggest customer|latest client|top client" "|clients",
        r"\s?(?:is|'s|are|include)?,?\s(?P<v>[^;!?()\n]{2,70})", _client, owned=True, when=always,
    ),
    anywhere(
        "client: is my client", "client customer",
        r"(?P<v>[A-Z]?[\w'&. -]{2,40}?) (?:is|are|became|has become) (?:now )?(?:my"
        r"|our|a) (?:\w+ )?client\b", lambda m, c, h: [Said(attribute="client", value=v)] if (v := clean(c.cut(m,
        "v"), most=5)) and v[0].isupper() else [],
    ),
    predicate(
        "project", "working on|building|leading|developing|writing|translating|editing|drafting"
        "|sewing|knitting a|painting a|putting together|setting up|restoring|renovating"
        "|launching|designing|coding|organising|organizing|running a project|heading"
        " up|in charge of|the lead on|lead on|responsible for|composing|directing"
        "|filming|making a documentary|making a film|making a game|making an album"
        "|making a quilt|making a podcast|shooting a film|restoring|producing|managing"
        "|illustrating|recording|curating", r"\s{V}", _project, be=True, bare=frozenset(["working", "building",
        "leading", "writing", "restoring", "renovating", "developing"]), when=always,
    ),
    states(
        "project", "side project|project|pet project|current project|main project|passion project"
        "|thesis|dissertation|startup|novel|new project|research",
        r"\s?(?:is|'s|is called|is about|is on)\s(?:called |about |on )?{V}", owned=True, most=9, refuse=re.
        compile(r"^(?:going|late|due|done|almost|nearly|not|finished|a mess|on hold|over|stuck"
        r"|behind|killing|great|so |very|really|too|ready|progressing|failing|fine" r"|good|dead|in)\b"),
    ),
)  # fmt: skip


def _with(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    begins, ends = coming(clause)
    if (
        begins is None
        or head.person == OTHER
        or re.search(r"\b(?:in (?:\d+|ten|five) min\w*|now|tonight)\b", clause.flat)
    ):
        return
    value = match[0].strip()
    text = clause.raw[match.start() : match.end()]
    stop = re.search(r"\s(?:and (?:i|the|my|it|we|need)|so|but|because|help|which)\b|,\s", text)
    value = undated((text[: stop.start()] if stop else text).strip(" ,.!?"), clause)
    if not value:
        return
    yield Said(
        attribute="meeting",
        value=value,
        held_from=begins,
        expires_at=ends,
        content=f"{value[0].upper()}{value[1:]} ({begins:%Y-%m-%d})",
    )
