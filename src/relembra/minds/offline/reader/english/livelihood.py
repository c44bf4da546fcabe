"""Work, school and money without their usual verbs: "Infosys hired me", "second year of law", "I clear 600 a week"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, SPEAKER, Head, head_of
from relembra.minds.offline.reader.english.jobs import JOB, STOP_JOB, job_of
from relembra.minds.offline.reader.english.passing import place_at
from relembra.minds.offline.reader.english.saying import anywhere, predicate, said
from relembra.minds.offline.reader.english.words import clean
from relembra.minds.offline.reader.english.work import employer_in

__all__ = ["RULES"]

_AS = re.compile(r"(?: on)?,? as (?:an? |the |their (?:new )?)?(?P<r>[^;!?()\n]{2,50})")


def _hired_me(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Infosys hired me as a senior tester"; without a name the role alone."""
    if head.thought or head.negated or head.future:
        return
    name = clause.cut(match, "e") if match["e"] else ""
    if name[:1].isupper() and name.lower() not in ("they", "he", "she", "i", "who", "we", "nobody", "someone"):
        yield Said(attribute="employment", value=name, changed=True)
    role = _AS.match(clause.flat, match.end())
    job = job_of(clause.raw[slice(*role.span("r"))]) if role else ""
    if job:
        yield Said(attribute="occupation", value=job, changed=True)


_PLACE = (
    "as|and|since|for|from|on|with|so|but|because|where|which|now|is|was|are|has|keeps?|wants?|who|that|to|again|every"
    "|after|before|just|about|said|says|told|got|went|this|next|last|w|in (?:the|my|an?)|ends?|starts?|pays?|n"
)


def _at_work(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "My shift at Wingstop", "clocked in at the diner": the employer beside a thing of work."""
    if head.thought or head.negated or head.future or (head.person == OTHER and not head.owned):
        return
    if re.search(r"\b(?:my|the) (?:old|last|former|previous|ex|first|dream)\b|\b(?:apply|applied|interview)", clause.flat):
        return
    value = clean(clause.raw[match.end() : match.end() + 60], stop=_PLACE, most=4, article=False)
    value = re.sub(r"^(?:the|an?) ", "", value)
    if value and not re.match(r"(?:work|home|night|noon|\d|my|this|that|it|all|least|once|the)\b", value.lower()):
        yield Said(attribute="employment", value=value, changed="first time" in clause.flat or head.changed)


_GIGS = r"(?:lyft|uber(?: ?eats)?|doordash|grubhub|instacart|deliveroo|amazon flex|bolt|just eat|postmates|taskrabbit|ola)"


def _gig(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future or head.person == OTHER:
        return
    yield Said(
        attribute="former_occupation" if head.used or head.past else "occupation",
        value=f"drives for {clause.cut(match, 'v')}",
    )


_TRADES = (
    r"(?:lashes|nails|hair|make-?up|tattoos|logos|roofs?|roofing|drywall|landscaping|lawns|taxes|the books|bookkeeping"
    r"|payroll|weddings?(?: photos?| photography)?|portraits|websites|web design|graphic design|data entry|tech support"
    r"|it support|customer (?:service|support)|security|construction|plumbing|wiring|carpentry|alterations|catering"
    r"|deliveries|removals|tiling|plastering|odd jobs|freelance \w+|voice ?overs?|transcription|translations?|home ?care"
    r"|childcare|night security|hvac|concrete|flooring|framing|paving|gardening|house ?cleaning|dog grooming|eyebrows)"
)


def _trade(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I do lashes out of my flat", "I do the books for three pubs"."""
    if head.thought or head.negated or head.future or head.past:
        return
    yield said("former_occupation" if head.used or head.ended else "occupation", f"does {clause.cut(match, 'v')}", head)


def _once_was(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Ex-firefighter, twenty years on the engines"."""
    if head.person not in (ELIDED, SPEAKER) or head.negated or head.thought:
        return
    job = job_of(clause.cut(match, "v"))
    if job:
        yield Said(attribute="former_occupation", value=job)
        if "retired" in match[0]:
            yield Said(attribute="employment", value="retired")


def _retired_from(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future:
        return
    yield said("former_occupation", clause.cut(match, "v"), head)


_DID = (
    r"(?:lifeguard|bartend|waitress|babysat|babysit|nann(?:y|i)|freelanc|teach|taught|coach|tutor|cater|nurs|farm|fish"
    r"|pastor|clerk|temp|DJ|deejay|model|wait(?:ed)? tables|drove (?:a )?(?:truck|taxi|bus|uber|lyft)s?)"
)


def _back_when(match: re.Match[str], clause: Clause) -> Iterator[Said]:
    """ "Back when I lifeguarded", "back when I was a bartender": true of then, whatever the sentence asks."""
    if not clause.earlier.rstrip().endswith(("back", "days", "years", "time")):
        return
    job = job_of(clause.cut(match, "v")) if match["v"] else clause.cut(match, "w")
    if job:
        yield Said(attribute="former_occupation", value=job)


def _work_in_as(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I work in Hyderabad as a chartered accountant"."""
    if head.thought or head.negated or head.future:
        return
    gone = "former_" if head.used or head.ended or head.past or match[0].startswith("worked") else ""
    job = job_of(clause.cut(match, "v")) or clean(clause.cut(match, "v"), stop=STOP_JOB, most=4)
    if job:
        yield said(f"{gone}occupation", job, head)
    place = place_at(clause, match.start("p"))
    if place and job:
        yield said(f"{gone}residence", place, head)


_EMPLOYERS = (
    r"(?:target|walmart|amazon|starbucks|mcdonald'?s|costco|tesco|asda|sainsbury'?s|aldi|lidl|ikea|kroger|walgreens|cvs"
    r"|best buy|home depot|lowe'?s|wendy'?s|chipotle|subway|chick-?fil-?a|taco bell|burger king|dunkin|trader joe'?s"
    r"|whole foods|fedex|ups|usps|google|meta|apple|microsoft|netflix|deloitte|kpmg|pwc|accenture|infosys|tcs|wipro"
    r"|boots|greggs|costa|primark|woolworths|coles|bunnings|kmart|petco|petsmart|gamestop|foot locker|old navy|sephora)"
)


def _quit_brand(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future:
        return
    yield said("former_employment", clause.cut(match, "v"), head)


_YEAR = (
    r"(?P<v>(?:first|second|third|fourth|fifth|final|last|1st|2nd|3rd|4th|soph(?:omore)?|freshman|junior|senior)[- ]"
    r"(?:year|yr|semester|sem|term)(?:,? (?:of|at|in|on|doing|studying|for) [^,;.!?()\n]{2,50})?)"
)
_NO_COURSE = re.compile(
    r"\b(?:marriage|therapy|sobriety|running|sales|a row|business|recovery|treatment|dating|parenthood|retirement|life"
    r"|the (?:job|house|war|season|project)|chemo|trying)\b"
)
_COURSE_END = re.compile(
    r"\s(?:is|are|was|has|and|n|but|so|because|cuz|rn|kicking|killing|i|it's|its|already|starts?|ends?|w|with|this|now)\b"
)


def _course_year(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Soph year of mech e at Purdue is kicking my butt", "back at uni, second year of law"."""
    if head.past or head.negated or head.thought or _NO_COURSE.search(match["v"]):
        return
    value = clause.cut(match, "v")
    end = _COURSE_END.search(value.lower())
    value = value[: end.start()] if end else value
    school = re.search(r"\b(?:uni|university|college|school|semester|sem|degree|course|exams?|dorm|major)\b", clause.sentence.lower())
    if not (school or re.search(r" (?:of|at|doing|studying) |(?:soph|freshman|junior|senior)", value.lower())):
        return
    yield said("study", value, head)


_SUBJECTS = (
    r"(?:nursing|engineering|law|medicine|accounting|business|biology|chemistry|physics|maths?|psych(?:ology)?|english"
    r"|history|art|music|film|comp(?:uter)? sci(?:ence)?|cs|economics|econ|finance|marketing|education|architecture"
    r"|design|journalism|nutrition|philosophy|politics|poli sci|social work|sociology|pharmacy|dentistry|graphic design"
    r"|fashion|culinary|cosmetology|welding|hvac|criminal justice|public health|linguistics|theatre|drama|geology|mech e"
    r"|kinesiology|pre-?med|data science|veterinary \w+|speech therapy|occupational therapy|physio(?:therapy)?)"
)


def _school_for(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.past or head.negated or head.thought:
        return
    yield said("study", f"{clause.cut(match, 'v')} at {clause.cut(match, 'p')}", head)


def _exams(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.past or head.negated or head.thought:
        return
    value = clean(clause.cut(match, "v"), stop="at|after|on|every|in|this|next|and|while|tonight", most=5)
    if value:
        yield said("study", value, head)


def _dropped(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought or head.future:
        return
    value = clean(clause.cut(match, "v"), stop="in|after|last|when|this|to|because|before|during|twice|at \\d+|my|for", most=5)
    if value:
        yield said("former_study", value, head)


_AMOUNT = (
    r"(?:[$£€₹]\s?)?(?:\d[\d,.]*|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty))"
    r"\s?(?:k\b|grand|thousand|lakhs?|crores?|million|bucks|quid|dollars|pounds|euros|rupees|hundred)?"
)
_MONEY = (
    r"(?:[$£€₹]\s?\d[\d,.]*\s?(?:k\b|grand|thousand|lakhs?|million)?|\d[\d,.]*\s?(?:k\b|grand|thousand|lakhs?|crores?"
    r"|million|bucks|quid|dollars|pounds|euros|rupees)|\d{1,3},\d{3}|(?:a|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|fifteen|twenty|thirty|forty|fifty) (?:grand|thousand|hundred|lakhs?|k\b)(?: (?:bucks|dollars|pounds|quid))?)"
)
_PER = r"\s?(?:(?:an?|per|each|every)\s|/\s?)(?:hour|hr|week|wk|month|mo|year|yr|annum|shift|day)\b|\s?(?:hourly|annually|p\.?a\.?\b)"
_PAY = re.compile(
    r"\b(?:pay(?:s|ing|check)?|paid|salary|earn\w*|mak(?:e|es|ing)|clear(?:s|ing)?|wages?|before tax\w*|after (?:tax\w*|gas)"
    r"|gross|net|offer|raise|take[- ]home|bring(?:ing)? (?:in|home)|pull(?:ing)? in|pocket\w*|hourly|income|tax regime|job"
    r"|shifts?)\b"
)
_COST = re.compile(
    r"\b(?:rent|costs?|charg\w+|fees?|subscription|mortgage|bills?|gym|price|child support|alimony|spend\w*|groceries|owe"
    r"|save|saving|budget|loan|insurance|tuition|parking|they make|he makes|she makes|from home|profit|tips are)\b"
)


def _pay(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A sum by the hour or year in a sentence about pay, and not about a price."""
    whole = clause.sentence.lower()
    if head.person == OTHER or head.thought or head.negated or head.future or not _PAY.search(whole) or _COST.search(whole):
        return
    if re.search(r"\b(?:could|should|would|might|want|wish|if|average|minimum wage|people|you)\b", clause.flat):
        return
    yield Said(attribute="former_salary" if head.used or head.past else "salary", value=clause.cut(match, "v"))


def _raised(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "They bumped me up to 95k", "the offer was 52k and I took it"."""
    if head.thought or head.negated or head.future:
        return
    if match[0].startswith(("offer", "starting")) and not re.search(r"\b(?:took|accepted|signed|said yes)\b", clause.sentence.lower()):
        return
    yield Said(attribute="salary", value=clause.cut(match, "v"), changed=True)


def _owed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I owe my uncle two grand", "Sallie Mae wants 38k from me", "borrowed two lakh from my cousin"."""
    if head.negated or head.thought or head.future or head.used or (head.person == OTHER and not match.groupdict().get("by")):
        return
    if re.search(r"\b(?:paid (?:it )?(?:off|back)|cleared|finally paid|no longer owe|debt[- ]free)\b", clause.sentence.lower()):
        return
    whom = match.groupdict().get("to") or match.groupdict().get("by") or ""
    start = match.start("to") if match.groupdict().get("to") else match.start("by") if whom else 0
    name = clause.raw[start : start + len(whom)].strip() if whom else ""
    value = clause.cut(match, "v")
    yield Said(attribute="debt", value=f"{value} to {re.sub(r'^my ', '', name)}" if name else value)


RULES: tuple[Rule, ...] = (
    anywhere(
        "employment: hired me", "hired recruited poached headhunted brought took",
        r"(?:\b(?P<e>[a-z][\w'&.-]+(?: [A-Z][\w'&.-]+)?) )?(?:(?:just|finally|has|have) )*(?:hired|recruited|poached"
        r"|headhunted|(?:brought|took) (?=me on)) ?me\b", _hired_me,
    ),
    anywhere(
        "employment: at work", "clocked clock shift shifts job gig internship boss manager coworkers coworker hours role",
        r"\b(?:(?:clock(?:ed|ing)?|clock) in|(?:my|our) (?:\w+ )?(?:job|shifts?|gig|internship|boss|manager|coworkers?"
        r"|colleagues|hours|role|desk job)) (?:at|over at|with) (?:the )?", _at_work,
    ),
    anywhere(
        "occupation: gig", "lyft uber ubereats doordash grubhub instacart deliveroo bolt postmates taskrabbit ola amazon"
        " just", rf"\b(?:driv(?:e|ing)|do|doing|deliver(?:ing)?|dash(?:ing)?|work(?:ing)?) (?:for |with |on )?"
        rf"(?P<v>{_GIGS})\b", _gig,
    ),
    predicate(
        "occupation: trade", "do|does|did|doing", rf"\s(?P<v>{_TRADES})(?=\s*(?:$|[,.!]|(?:for|outta|out|from|at|on|in|and"
        r"|by|full|part|as|with|since)\b))(?!\s(?:for (?:him|her|it|me|class|school|fun)|at home$|on sundays))", _trade,
    ),
    anywhere(
        "occupation: once", "ex former retired",
        rf"^\W*(?:(?:hi|hey|hello|i'm|im|i am|an?|as)\W+)*(?:ex|former|retired)[- ](?P<v>(?:[\w-]+ ){{0,2}}?{JOB})\b",
        _once_was,
    ),
    predicate(
        "occupation: retired from", "retired from|retiring from|retire from",
        r"\s(?P<v>(?:the )?(?:\w+ )?(?:teaching|nursing|policing|farming|engineering|medicine|law|the (?:army|navy|police"
        r"|force|military|railways?)|army|navy|police|force|military|marines|air force|\w+ing)\b)", _retired_from,
        bare=True,
    ),
    Rule(
        "occupation: back when", frozenset(["when"]),
        re.compile(rf"^\W*when i (?:(?:still )?was (?:an? |the )?(?P<v>[a-z][\w -]{{2,40}})|(?P<w>{_DID}\w*))"), _back_when,
        presupposed=True,
    ),
    predicate(
        "occupation: work in as", "work|works|working|worked",
        r"\s(?:in|out of|near|over in)\s(?P<p>[^;!?(),\n]{2,30}?)\sas (?:an? |the )?(?P<v>[^;!?()\n]{2,60})", _work_in_as,
        when=lambda h: not h.thought, bare=True,
    ),
    predicate("employment: quit brand", "quit|left|leaving", rf"\s(?P<v>{_EMPLOYERS})(?![a-z])", _quit_brand, bare=True),
    anywhere(
        "study: year of", "year yr semester sem term", rf"\b{_YEAR}", _course_year,
    ),
    predicate(
        "study: at for", "at", rf"\s(?P<p>[a-z][\w'&. -]{{1,30}}?) for (?P<v>{_SUBJECTS})\b", _school_for, be=True,
    ),
    predicate(
        "study: exams", "studying for|revising for|preparing for|prepping for|cramming for|study for",
        r"\s(?P<v>(?:my |the |an? )?(?:[\w-]+ ){0,2}?(?:exams?|bar|boards|finals|lsat|mcat|gre|gmat|sat|a-?levels|gcses"
        r"|certification|licen[cs]e|nclex|usmle|jee|neet|upsc)\b[^;!?()\n]{0,20})", _exams, bare=True,
    ),
    predicate(
        "study: dropped out", "dropped out of|dropping out of|dropped out", r"\s(?P<v>[^;!?()\n]{2,40})", _dropped, bare=True,
        when=lambda h: True,
    ),
    anywhere(
        "salary: by the hour", "hour hr week wk month mo year yr annum hourly annually pa shift a per an",
        rf"(?<![\w.,$£€])(?P<v>{_AMOUNT}(?:{_PER}))", _pay, speaker=False,
    ),
    anywhere(
        "salary: raised", "bumped raised moved offer raise salary",
        rf"\b(?:(?:bumped|raised|moved|took|upped) me (?:up )?to|(?:gave me )?a raise to|offer (?:was|is|came in at)|salary"
        rf" (?:of|to)|pay (?:up )?to|base of) (?:about |around |like )?(?P<v>{_MONEY}|\d{{4,6}})", _raised,
    ),
    anywhere(
        "debt: to somebody", "owe owes owed owing",
        rf"\bowe (?P<to>(?:my |the )?[\w'’]+(?: [\w'’]+)?) (?:about |around |like |over |almost |nearly )?(?P<v>{_MONEY})",
        _owed,
    ),
    anywhere(
        "debt: wants from me", "wants want from",
        rf"(?:^|[,;] )(?P<by>[a-z][\w' ]{{1,25}}?) (?:still )?wants? (?:about |like )?(?P<v>{_MONEY}) (?:back )?from me\b",
        _owed,
    ),
    anywhere(
        "debt: deep", "deep hole debt outstanding mortgage loan owed red",
        rf"(?<![\w.,$£€])(?P<v>{_MONEY}) (?:deep|in (?:the hole|debt|the red)|outstanding|still owed|left on (?:the|my|our)"
        r" (?:\w+ )?(?:mortgage|loan|car|card|house|student loans?))\b", _owed,
    ),
    anywhere(
        "debt: borrowed", "borrowed",
        rf"\bborrowed (?:about |around |like )?(?P<v>{_MONEY}) from (?P<to>(?:my |the )?[\w'’]+)", _owed,
    ),
)  # fmt: skip
