"""Work and study: employer, profession, courses, and what happens to them."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, Head
from relembra.minds.offline.reader.english.jobs import JOB, JOBS, STOP_JOB, job_of
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, said, states, told
from relembra.minds.offline.reader.english.words import clean

__all__ = ["FIELDS", "NOT_EMPLOYER", "RULES", "employer_in", "happened", "is_new", "is_over"]

_STOP_PLACE = (
    "as|and|since|for|from|in|on|with|doing|full|part|who|so|but|because|where|which"
    "|now|right|these|remotely|downtown|here|to|until|making|selling|that|every|three"
    "|two|four|five|most|nights|mornings|days|only|all|just|there|twice|once|w/|next|last|this|tomorrow|today|yesterday|tonight|soon|i|i'm|we|my|they|he|she|it"
)


def is_over(head: Head, *, past_verb: bool = False) -> bool:
    return head.ended or head.used or head.past or (past_verb and not head.have)


def is_new(head: Head, clause: Clause) -> bool:
    return head.changed or bool(
        re.search(
            r"\b(?:now|these days|as of (?:today|now|last|this)|new job|since (?:last|this)"
            r" \w+)\b",
            clause.flat,
        )
    )


def _employer_after(clause: Clause, start: int) -> str:
    """The employer named after a profession: "… at Acme"."""
    match = re.compile(r"\b(?:at|for|with)\s(?P<v>[^;!?()\n]{2,80})").search(clause.flat, start)
    if (
        match is None
        or match.start() - start > 40
        or re.match(r"(?:at|for|with)\s(?:my|his|her|our|their|some|two|a (?:friend|partner|team))\b", match[0])
    ):
        return ""
    return employer_in(clause.cut(match, "v"))


NOT_EMPLOYER = re.compile(
    r"^(?:(?:a|an|the)? ?(?:living|moment|night|home|same|time|present|least|most|all"
    r"|best|once|years?|weekends?|myself|money|fun|free|peanuts|kids|children|people"
    r"|them|minute|day|while|long|change|first|last|cash|life|desk|computer|clients?"
    r"|number|team|big team|small team|tight|data(?! cent)|pace|speed|hour)s?)\b"
    r"|^(?:\d+|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|twenty|thirty|forty|many|several)\b.*years|my (?:own|mom|mum|dad|kids|family)"
    r"|his|her|their|your|this|that|it|him|me|you|over|about|almost|nearly|more|many"
    r"|a (?:few|couple|bit|while|long)|the (?:past|last|next|first|weekend|summer|night"
    r"|day|moment|time|same|most))\b"
)
_GERUND = re.compile(r"[a-z]+ing\b(?! )")


def employer_in(text: str) -> str:
    value = clean(text, stop=_STOP_PLACE, most=6, article=False)
    low = value.lower()
    if not value or NOT_EMPLOYER.search(low) or _GERUND.match(value):
        return "self-employed" if low in ("myself",) else ""
    return re.sub(r"^(?:the|an?|this|some) (?=[\w])", "", value, flags=re.IGNORECASE)


_AGED = re.compile(r"(?:an? )?(?P<n>\d\d)[- ]?(?:(?:year|yr)s?[- ]?old|y/?o)\s+")
_THEN = re.compile(r"\b(?:since|when|until|till)\s*$")


def _be_job(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.negated and not head.ended):
        return
    if re.search(
        r"\b(?:basically|clearly|obviously|practically|literally|apparently)\b", clause.flat[: match.start("v")]
    ):
        return
    if head.past and _THEN.search(clause.earlier):  # "since I was an apprentice"
        return
    retired = re.match(r"(?:an? )?(?:retired|former|ex)[- ]", match[0])
    aged = _AGED.match(clause.cut(match, "v"))
    value = job_of(clause.cut(match, "v")[aged.end() if aged else 0 :])
    if not value or value.lower() in (
        "owner",
        "head",
        "lead",
        "partner",
        "hand",
        "boss",
        "model",
        "server",
        "worker",
        "runner",
        "keeper",
        "player",
    ):
        return
    if aged and not head.past:
        yield said("age", aged["n"], head)
    low = value.lower()
    gone = is_over(head) or (retired is not None and not match[0].startswith("retired"))
    if re.search(r"\bstudents?$", low):
        field = re.sub(r"\s*\bstudents?$", "", value, flags=re.IGNORECASE).strip()
        if re.match(
            r"(?:bad|good|great|terrible|lazy|model|straight|poor|average|excellent|mediocre"
            r"|slow|quick|keen|best|worst)\b",
            field.lower(),
        ):
            return
        at = _employer_after(clause, match.start("v") + len(value))
        yield said(
            (FORMER if gone else "") + "study",
            " at ".join(x for x in (field or "student", at) if x),
            head,
            changed=head.changed,
        )
        return
    if low in ("friend", "colleague", "neighbour", "roommate"):
        return
    yield said(
        (FORMER if gone or retired else "") + "occupation", value, head, changed=not gone and is_new(head, clause)
    )
    place = re.compile(r"\s(?:in|from|based in|living in)\s(?P<p>[A-ZÀ-Þ][\w'’.-]+(?: [A-ZÀ-Þ][\w'’.-]+){0,2})").match(
        clause.raw, match.start("v") + len(value)
    )
    if place and not gone and not retired and " in" in place[0] and not FIELDS.match(place["p"].lower()):
        yield said("residence", place["p"].rstrip(".,!"), head)
    if retired and retired[0].startswith(("retired", "a retired")):
        yield said("employment", "retired", head)
    employer = _employer_after(clause, match.start("v") + len(value))
    if employer and not retired:
        yield said((FORMER if gone else "") + "employment", employer, head)


def _work_as(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    verb = match[0].split()[0]
    gone = is_over(head, past_verb=verb in ("worked", "trained", "served", "volunteered"))
    value = job_of(clause.cut(match, "v")) or clean(clause.cut(match, "v"), stop=STOP_JOB, most=4)
    if value and not head.thought and not head.future and (not head.negated or head.ended):
        yield said(
            (FORMER if gone else "") + "occupation",
            value,
            head,
            changed=not gone and (is_new(head, clause) or verb.startswith("start")),
        )
        employer = _employer_after(clause, match.start("v") + len(value))
        if employer:
            yield said((FORMER if gone else "") + "employment", employer, head)


FIELDS = re.compile(
    r"^(?:it|tech|finance|marketing|sales|hr|human resources|advertising|logistics"
    r"|construction|retail|healthcare|health care|hospitality|education|insurance|banking"
    r"|real estate|accounting|consulting|media|publishing|tourism"
    r"|customer (?:service|support|success)|software|software development|data|data"
    r" science|cyber ?security|product|engineering|law|medicine|nursing|research|academia"
    r"|fashion|film|tv|music|politics|agriculture|biotech|pharma|pharmaceuticals"
    r"|manufacturing|recruitment|recruiting|catering|childcare|social care|social work"
    r"|local government|government|the civil service|civil service|the public sector"
    r"|telecoms?|energy|oil and gas|oil|mining|aviation|shipping|transport|security"
    r"|events|pr|public relations|design|web design|animation|gaming|games|game dev\w*"
    r"|a?i|machine learning|admin|procurement|supply chain|investment banking|private"
    r" equity|compliance|audit|tax|forestry|conservation|the arts|theatre|charity|the"
    r" charity sector|nonprofits?|fintech|devops|qa|palliative care|social media|e-?commerce"
    r"|property|architecture|policing|the military|the army|the navy|the nhs|elder"
    r" care|mental health|physio|dentistry)\b"
)


def _work_at(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or (head.negated and not head.ended):
        return
    verb = match[0].split()[0]
    gone = is_over(head, past_verb=verb in ("worked", "interned", "taught", "volunteered"))
    text = clause.cut(match, "v")
    low = text.lower()
    if re.match(r"(?:from )?home\b", low) or head.future or re.search(r"\b(?:today|tonight|tomorrow)\b", low):
        return
    if match["p"] == "in" and (field := FIELDS.match(low)):
        yield said(
            (FORMER if gone else "") + "occupation",
            text[: field.end()],
            head,
            changed=not gone and is_new(head, clause),
        )
        return
    value = employer_in(text)
    if re.search(r"\b(?:named|called|guy|woman|man|people|kids|children|clients|who)\b", value.lower()):
        return
    if match["p"] == "on" and not re.search(
        r"\b(?:ferries|railways?|trains?|buses|ships?|boats?|farm|oil rigs?|rigs?|cruise"
        r" ships?|building sites?|site|ward|docks?|buses)\b",
        value.lower(),
    ):
        return
    if match["p"] == "in" and not re.search(
        r"(?:hospital|school|bank|shop|store|office|factory|warehouse|restaurant|cafe|bar"
        r"|pub|lab|laboratory|library|hotel|bakery|clinic|nursery|kitchen|company|firm"
        r"|startup|agency|pharmacy|university|college|museum|garage|salon|care home|call"
        r" cent\w+|department|studio|supermarket|ngo|bookshop|practice|surgery|mine|farm"
        r"|prison|hospice|kindergarten|gym|theatre|shipyard|plant|mill|brewery|vineyard)",
        value.lower(),
    ):
        return
    if not value:
        return
    if verb.startswith("volunteer"):
        yield said((FORMER if gone else "") + "habit", f"volunteers at {value}", head)
        return
    yield said(
        (FORMER if gone else "") + "employment",
        value,
        head,
        changed=not gone and (is_new(head, clause) or verb.startswith(("start", "join"))),
    )
    role = re.compile(r"\bas (?:an? |the )?(?P<v>[^;!?()\n]{2,60})").search(clause.flat, match.end("p"))
    if role and (job := job_of(clause.cut(role, "v"))):
        yield said((FORMER if gone else "") + "occupation", job, head)


def happened(value: str, clause: Clause, head: Head) -> Said:
    begins, _ = moment(clause)
    return told(head, attribute="event", value=value, held_from=begins)


def _owner(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I run a bakery", "I own a small shop", "I manage a team of six", "I teach maths at …", "I drive a bus"."""
    verb = match[0].split()[0]
    gone = is_over(head, past_verb=verb.endswith("ed") or verb in ("ran", "taught", "drove"))
    if head.thought or (head.negated and not head.ended) or head.future:
        return
    text = clause.cut(match, "v")
    value = clean(
        text, stop="at|from|with|since|in|for|near|out|called|named|and|out of|of my|on|to", most=5, article=False
    )
    if not value:
        return
    low = value.lower()
    employer = _employer_after(clause, match.start("v"))
    if verb in ("teach", "teaches", "teaching", "taught"):
        if re.match(r"(?:me|you|him|her|them|us|myself|people|my|how)\b", low):
            return
        job = f"teaches {clean(value)}"
    elif verb.startswith(("run", "ran", "own", "manag")):
        if not re.search(
            r"(?:shop|bakery|business|company|startup|restaurant|cafe|coffee|bar|pub|salon"
            r"|studio|agency|practice|store|farm|firm|hotel|b&b|gym|nursery|gallery|garage"
            r"|brewery|vineyard|lab|wetlab|clinic|team|department|blog|channel|podcast|bookshop"
            r"|bookstore|food truck|kennel|charity|ngo|consultancy|warehouse|theatre|school"
            r"|dojo)s?\b",
            low,
        ):
            return
        job = f"{'owns' if verb.startswith('own') else 'manages' if verb.startswith('manag') else 'runs'} {value}"
    elif verb.startswith(("driv", "drove")):
        if not re.search(
            r"\b(?:bus|truck|lorry|taxi|forklift|cab|tram|train|van for|ambulance|hgv|tractor)", low
        ) and not re.match(r"for (?:uber|lyft|amazon)", low):
            return
        job = f"drives {value}"
    else:
        return
    yield said((FORMER if gone else "") + "occupation", job, head, changed=not gone and is_new(head, clause))
    if employer:
        yield said((FORMER if gone else "") + "employment", employer, head)


RULES: tuple[Rule, ...] = (
    predicate(
        "occupation: be", "a|an|the|retired|former|ex|currently|freelance|self-employed|also|senior" "|junior|"
        + "|".join(w.split("-")[0] for w in JOBS), "", _be_job, be=True, whole=
        r"(?:an? |the |currently |still |also |officially |basically )*(?:(?:retired"
        r"|former|ex)[- ])?(?P<v>[a-z][^;!?()\n]{1,90})", when=lambda h: not h.thought, bare=False,
    ),
    anywhere(
        "occupation: my job as", "job role work position career life", r"\bmy (?:\w+ )?(?:job|role|work|position|career|life|day) as an? (?P<v>[^;!?()\n]{3,50})",
        lambda m, c, h: [Said(attribute="former_occupation" if re.search(r"\b(?:old|last|former|previous|quit|left|lost)\b", c.flat[: m.end()]) else
        "occupation", value=x)] if (x := job_of(c.cut(m, "v"))) and not (h.thought or h.negated or h.future or h.person == OTHER) else [],
    ),
    anywhere(
        "occupation: now a", "now", rf"\bnow (?:an? |the |full[- ]time |work as an? )+(?P<v>(?:[\w-]+ ){{0,2}}?{JOB})\b", lambda m, c, h: [
        said("occupation", x, h, changed=True)] if (x := job_of(c.cut(m, "v"))) and h.person != OTHER and not (
        h.thought or h.negated) else [],
    ),
    anywhere(
        "occupation: here", "here trade as",
        rf"^\W*(?P<v>(?:[\w-]+ ){{0,2}}?{JOB})(?: (?:in|from|near) [a-z]+(?: [a-z]+)?)? (?:over )?(?:here|by trade|as of)\b", lambda m, c, h: [said(
        "occupation", x, h)] if (x := job_of(c.cut(m, "v"))) and h.person == ELIDED else [], speaker=True,
    ),
    anywhere(
        "occupation: my business", "my our",
        r"\b(?:my|our) (?:own |little |small |new |tiny |family |online |side |freelance"
        r" )+(?P<v>(?:[\w-]+ ){0,2}?(?:business|service|shop|company|studio|agency"
        r"|bakery|startup|practice|salon|restaurant|cafe|store|firm|farm|consultancy" r"|brewery))\b", lambda m,
        c, h: [Said(attribute="occupation", value=f"runs {c.cut(m, 'v')}")] if h.person != OTHER and not h.
        thought and not h.negated and not re.search(
        r"\b(?:want|dream|open|opening|start|starting|someday|one day|plan|hope|if" r"|like)\b", c.flat) else [],
    ),
    predicate(
        "employment: be with", "with|at|been with|been at", r"\s(?:the\s)?{V}", lambda m, c, h: _be_with(m, c, h),
        be=True, bare=True, when=always,
    ),
    anywhere(
        "employment: years at", "at with",
        r"(?<![a-z])(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven"
        r"|twelve|fifteen|twenty) (?:years|yrs|months) (?:at|with) (?P<v>[A-Z]?[^;!?(),\n]{2,40})", lambda m, c,
        h: _years_at(m, c, h),
    ),
    predicate(
        "occupation: as", "work as|works as|working as|worked as|employed as|trained as|serve as|serves"
        " as|served as|job as|started as|starting as|volunteer as|hired as", r"\s(?:an? |the |their )?{V}",
        _work_as, bare=frozenset(["working", "work", "worked", "started", "hired", "employed"]), when=always,
    ),
    predicate(
        "employment: at", "work|works|working|worked|intern|interning|interned|teach|teaches|taught"
        "|volunteer|volunteers|volunteering|employed|freelance|nurse|consult|job",
        r"(?:\s(?:full[- ]time|part[- ]time|remotely|nights|weekends|days|shifts|night"
        r" shifts|(?:nights |days |weekends )?[a-z]+ing [a-z]+|over|now|here|currently|mainly))?\s(?P<p>at|for|in|with|on)\s{V}", _work_at, bare=frozenset([
        "working", "work", "worked", "employed"]), when=always,
    ),
    anywhere(
        "occupation: to become", "become",
        rf"\b(?:quit|left|retrained|trained|switched|gave up) [\w ]{{0,20}}?to become"
        rf" an? (?P<v>(?:[\w-]+ ){{0,2}}?{JOB})\b", lambda m, c, h: [told(h, attribute="occupation", value=c.cut(
        m, "v"), changed=True)] if h.person != NOBODY and not (h.thought or h.negated or h.future) else [],
    ),
    predicate(
        "occupation: run", "run|runs|running|ran|own|owns|owned|manage|manages|managing|managed|teach"
        "|teaches|teaching|taught|drive|drives|driving|drove", r"\s{V}", _owner, bare=False, when=always,
    ),
    states(
        "occupation", "job|side gig|side hustle|side job|second job|gig|main job|night job|weekend job|profession|occupation|day job|trade|work|career|current job|job title" "|title|role",
        r"\s?(?:is|'s)\s(?:as |being |working as |in )?(?:an? |the )?{V}", owned=True, stop=STOP_JOB, most=5,
        refuse=re.compile(r"^(?:stress|bor|hard|terrible|great|good|kill|exhaust|awful|fine|so |very"
        r"|really|too|going|not|getting|safe|done|due|ok|easy|tough|remote|piling|driving"
        r"|pretty|being|at|on|under|all|making)"),
    ),
    states(
        "employment", "employer|company|workplace|office", r"\s?(?:is|'s)\s(?:called )?{V}", owned=True, most=4,
        check=re.compile(r"^[a-z0-9]"), refuse=re.compile(
        r"(?:ing|ed)\b|^(?:great|good|terrible|small|big|closed|on|in|at|nice|awful"
        r"|so|very|too|really|not|a |pretty|moving|remote|open|near|far|huge|tiny|toxic"
        r"|cold|quiet|due|full|down)\b"),
    ),
    predicate(
        "employment: status", "unemployed|retired|self-employed|self employed|between jobs|out of work|out"
        " of a job|on benefits|on the dole|jobless|freelance|freelancing|a freelancer"
        "|on maternity leave|on disability|semi-retired|a stay at home mom|a stay-at-home"
        " mom|a stay at home mum|a stay-at-home mum|a stay at home dad|a stay-at-home"
        " dad|a full time mom|a full-time mom|a full time mum|a full-time mum|a full-time"
        " dad|a full time dad|a housewife|a homemaker|a househusband|a stay at home"
        " parent|a stay-at-home parent|a full-time carer|a full time carer|job hunting"
        "|job-hunting|on paternity leave|on sabbatical|on sick leave",
        r"(?=\s*(?:$|[,.!]|(?:now|and|but|since|after|for|at|from|last|in|because|so"
        r"|with|as|right|currently|again|these|parent|again|this|early|by|too|looking" r"|rn|atm|lol|n|tho|btw|still|until|til|unfortunately)\b))",
        lambda m, c, h: _status(m, c, h), be=True, bare=True, when=lambda h: not (h.thought or h.future),
    ),
)  # fmt: skip


def _status(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated and not head.ended:
        return
    del clause
    value = re.sub(r"^an? ", "", match[0].strip())
    if head.past and value not in ("retired",):
        return
    yield said((FORMER if head.ended or head.used else "") + "employment", value, head, changed=head.changed)


def _be_with(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I used to be with Deloitte", "I've been at Acme for six years"; with no span it may be a place of the hour."""
    if head.thought or head.future or (head.negated and not head.ended):
        return
    value = employer_in(clause.cut(match, "v"))
    lasting = (
        head.used
        or head.ended
        or ((head.have or head.past) and re.search(r"\b(?:for|since|years|yrs|months)\b", clause.flat))
        or re.search(r"\b(?:now|these days)\b", clause.flat[match.end("v") - 4 :])
    )
    if value and value[0].isupper() and lasting and not re.match(r"(?:Mr|Mrs|Dr)\b", value):
        yield said((FORMER if head.used or head.ended or head.past else "") + "employment", value, head)


def _years_at(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = employer_in(clause.cut(match, "v"))
    if not value or not clause.raw[match.start("v") :][:1].isupper() or head.person == OTHER:
        return
    gone = re.search(
        r"\b(?:let (?:me )?go|fired|laid off|sacked|redundant|dismissed|left|quit|after"
        r"|resigned|retired|spent|used to)\b",
        clause.sentence.lower(),
    )
    yield Said(attribute=(FORMER if gone else "") + "employment", value=value)
