"""Work without its usual verbs: "Infosys hired me", "line cook, six years", "I do hair"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.jobs import JOB, JOBS, STOP_JOB, job_of
from relembra.minds.offline.reader.english.passing import place_at
from relembra.minds.offline.reader.english.saying import anywhere, predicate, said
from relembra.minds.offline.reader.english.words import clean
from relembra.minds.offline.reader.english.work import FIELDS

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
    "|after|before|just|about|said|says|told|got|went|this|next|last|w|in (?:the|my|an?|\\d+)|ends?|starts?|pays?|n"
)


def _at_work(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "My shift at Wingstop", "clocked in at the diner": the employer beside a thing of work."""
    if head.thought or head.negated or head.future or (head.person == OTHER and not head.owned):
        return
    if re.search(
        r"\b(?:quit|left|lost|fired|leaving|resigned|notice|over|used to|was|were|miss|hated|ended)\b", clause.flat
    ):
        return
    if re.search(
        r"\b(?:my|the) (?:old|last|former|previous|ex|first(?! time)|dream)\b|\b(?:apply|applied|interview)",
        clause.flat,
    ):
        return
    value = clean(clause.raw[match.end() : match.end() + 60], stop=_PLACE, most=4, article=False)
    value = re.sub(r"^(?:the|an?) ", "", value)
    if value and not re.match(r"(?:work|home|night|noon|\d|my|this|that|it|all|least|once|the)\b", value.lower()):
        yield Said(attribute="employment", value=value, changed="first time" in clause.flat or head.changed)


_GIGS = (
    r"(?:lyft|uber(?: ?eats)?|doordash|grubhub|instacart|deliveroo|amazon flex|bolt|just eat|postmates|taskrabbit|ola)"
)


_IDIOM = re.compile(r"(?:wait|tend|flip|bag|stock|wash|bartend|waitress|cashier)")


_LONG_AGO = re.compile(
    r"\b(?:back )?in (?:19|20)\d\d\b|\b(?:years ago|back then|back in the day|as a (?:kid|teen|student))\b"
)


_NOT_EMPLOYER = re.compile(
    r"(?:home|my|me|us|him|her|them|you|family|friends|dinner|lunch|\d|night|it|this|that|fun|two|three|everyone|the)\b"
)


def _ing(task: str) -> str:
    """ "flipped burgers" and "flip burgers" are one task: "flipping burgers"."""
    verb, _, rest = task.partition(" ")
    low = re.sub(r"(?:ed|ing|e)$", "", verb.lower())
    low = {"flip": "flipp", "bag": "bagg", "run": "runn", "ran": "runn", "man": "mann"}.get(low, low)
    return f"{low}ing {rest}".strip()


def _tasks(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I flip burgers at Five Guys": the task is the job, and the place the employer."""
    if re.search(r"\b(?:today|tonight|tomorrow|wedding|party|event)\b", clause.flat):
        return
    done = re.match(r"\w+ed\b|ran\b", match["v"]) and not head.have
    past = head.used or head.ended or head.past or done or _LONG_AGO.search(clause.sentence.lower())
    gone = "former_" if past else ""
    value = ""
    if match["at"]:
        text = clause.raw[match.end() : match.end() + 50]
        value = re.sub(
            r"^(?:the|an?) ", "", clean(text, stop=_PLACE + "|til|till|until|downtown|rn", most=4, article=False)
        )
        if not value or _NOT_EMPLOYER.match(value.lower()):
            return
    elif not _IDIOM.match(match["v"]) or (done and not _LONG_AGO.search(clause.sentence.lower())):
        return
    yield said(f"{gone}occupation", _ing(clause.cut(match, "v")), head)
    if value:
        yield said(f"{gone}employment", value, head)


def _spent_at(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.raw[match.end() : match.end() + 50], stop=_PLACE, most=4)
    if value[:1].isupper() and not (head.thought or head.negated or head.future):
        yield said("former_employment", value, head)


def _bare_job(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Line cook. Six years.", "night shift nurse in Sobral": a profession and nothing else is the speaker's own."""
    if head.person not in (ELIDED, SPEAKER) or clause.earlier.strip() or "?" in clause.sentence or head.negated:
        return
    if head.others or clause.message[: clause.offset].rstrip().endswith("?"):  # "Uncle Desmond? Retired bus driver."
        return
    text, more = clause.cut(match, "v"), match["more"].strip()
    job = job_of(text)
    if not job or not text.lower().endswith(job.lower()) or (" " not in text and more in (",", "", ".", "!")):
        return
    if more == "," and not re.match(r"[^,]{1,25}(?:,|\W*$)", clause.flat[match.end() :]):
        return
    rest = re.split(r"[,.;!]", clause.raw[match.end() :].strip())[0]
    place = place_at(clause, match.end() + 1) if more in ("in", "near") else ""
    firm = clean(rest, stop=_PLACE, most=4, article=False) if more in ("at", "for") else ""
    if more in ("in", "near", "at", "for") and (rest not in (place, firm) or re.match(r"\d", rest)):
        return
    if firm and not (all(word[0].isupper() for word in firm.split()) or len(firm.split()) <= 2):
        return
    yield Said(attribute="study" if job.lower().endswith("student") else "occupation", value=job)
    if place:
        yield Said(attribute="residence", value=place)
    if firm[:1].isupper():
        yield Said(attribute="employment", value=firm)


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
    r"|childcare|night security|hvac|concrete|flooring|framing|paving|gardening|house ?cleaning|dog grooming|eyebrows|hr|admin|sales|marketing|accounts|logistics|procurement|pr|qa|reception|front desk|research)"
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


RULES: tuple[Rule, ...] = (
    anywhere(
        "employment: hired me", "hired recruited poached headhunted brought took",
        r"(?:\b(?P<e>[a-z][\w'&.-]+(?: [A-Z][\w'&.-]+)?) )?(?:(?:just|finally|has|have) )*(?:hired|recruited|poached"
        r"|headhunted|(?:brought|took) (?=me on)) ?me\b", _hired_me,
    ),
    anywhere(
        "employment: at work", "day week clocked clock shift shifts job gig internship boss manager coworkers coworker hours role",
        r"\b(?:(?:clock(?:ed|ing)?|clock) in|(?:my|our) (?:\w+ )?(?:job|shifts?|gig|internship|boss|manager|coworkers?"
        r"|colleagues|hours|role|desk job)|(?:first|second|third) (?:day|week|shift)(?: as an? [\w -]{3,30}?)?) (?:at|over at|with) (?:the )?", _at_work,
    ),
    predicate(
        "occupation: tasks", "flip|flipping|flipped|bag|bagging|bagged|wait|waiting|waited|stock|stocking|stocked|clean|cleaning|cleaned"
        "|cook|cooking|cooked|bartend|bartending|bartended|serve|serving|cashier|cashiering|deliver|delivering|delivered|tend|tending|tended"
        "|waitress|waitressing|waitressed|pack|packing|packed|pick|picking|picked|run|running|ran|work|working|worked"
        "|coach|coaching|coached|lifeguard|lifeguarding|tutor|tutoring|tutored|temp|temping|temped|wash|washing|washed|man|manning",
        "", _tasks, bare=True, when=lambda h: not (h.thought or h.negated or h.future), whole=
        r"(?P<v>(?:flip(?:ping|ped)? burgers|bag(?:ging|ged)? groceries|wait(?:ing|ed)? tables|stock(?:ing|ed)? shelves|wash(?:ing|ed)? dishes"
        r"|clean(?:ing|ed)? (?:rooms|offices|houses|pools)|cook(?:ing|ed)?|bartend(?:ing|ed)?|serv(?:e|ing)|cashier(?:ing)?|deliver(?:ing|ed)?"
        r" (?:\w+)|tend(?:ing|ed)? bar|waitress(?:ing|ed)?"
        r"|pack(?:ing|ed)? (?:boxes|orders)|pick(?:ing|ed)? orders|(?:man|run|work|ran)(?:ning|ing|ed)? (?:the )?(?:register|till|counter"
        r"|front desk|reception|door|grill|drive[- ]thru|bar|kitchen|line)|coach(?:ing|ed)?(?: \w+)?|lifeguard(?:ing)?|tutor(?:ing|ed)?"
        r"(?: \w+)?|temp(?:ing|ed)?))(?P<at> (?:at|for) (?=[a-z])|(?=\s*(?:$|[,.!;]|(?:and|in|when|back|while|then|since|on|n)\b)))",
    ),
    anywhere(
        "employment: spent years", "spent",
        r"\bspent (?:about |almost |over |nearly |the last |the past )?(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen"
        r"|twenty|thirty|several|many) (?:years|months|decades?|yrs) (?:working )?(?:at|with|for) (?=(?:the )?[a-z])", _spent_at,
    ),
    anywhere(
        "occupation: bare", " ".join(sorted({w.split("-")[0] for w in JOBS})),
        rf"^\W*(?!(?:the|my|our|your|his|her|any|good|best|need|find|call|great|nice|some|dear|thanks|no|more|cheap|local|hire|get|see|become"
        rf"|ask|be|as|what|which|who|how|is|are|new|every|that|this|an?|hi|hey|hello|to|for|with|like|not)\b)(?P<v>(?:[a-z][\w-]* ){{0,3}}?{JOB})"
        r"(?P<more>\W*$|,(?= )|(?: (?:at|for|in|near|since|by trade)\b))", _bare_job,
    ),
    anywhere(
        "occupation: been in", "been",
        r"\bbeen in (?P<v>[a-z][a-z &]{1,25}?) (?:for (?:the (?:last|past) )?(?:\d+|over|about|almost|two|three|four|five|ten|twenty|years|decades)"
        r"|since|\d+ (?:years|yrs)|my whole (?:life|career)|all my life)\b", lambda m, c, h: [said("occupation", c.cut(m, "v"), h)] if
        (f := FIELDS.match(m["v"])) and f.end() == len(m["v"]) and not (h.negated or h.thought) else [],
    ),
    predicate(
        "occupation: been doing", "nursing|teaching|farming|bartending|tattooing|welding|plumbing|roofing|cutting hair|freelancing|policing|lecturing"
        "|practising law|practicing law|modelling|modeling|fishing|mining|landscaping|driving trucks|driving a cab|framing houses|waiting tables|barbering"
        "|doing hair|doing nails|photographing weddings|translating|ministering|preaching|firefighting|trucking|ranching|soldiering",
        r"(?=\s(?:for|since|about|almost|over|nearly|\d+|going on|all my|my whole|twenty|ten|thirty)\b)", lambda m, c, h: [said("occupation", m[0], h)] if h.have
        and not (h.past or h.negated) else [], be=True, bare=False,
    ),
    predicate(
        "employment: stopped", "stopped working at|stopped working for|quit working at|quit working for|done working at|finished working at|finished up at",
        r"\s(?:the )?{V}", lambda m, c, h: [said("former_employment", v, h)] if (v := clean(c.cut(m, "v"), stop=_PLACE + "|in \\d+|back|last", most=4)) and
        not (h.negated or h.thought or h.future) else [], bare=True,
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
)  # fmt: skip
