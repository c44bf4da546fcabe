"""Schools, courses and degrees."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import Head
from relembra.minds.offline.reader.english.jobs import job_of
from relembra.minds.offline.reader.english.saying import always, plainly, predicate, said, states
from relembra.minds.offline.reader.english.words import clean
from relembra.minds.offline.reader.english.work import NOT_EMPLOYER, employer_in, happened, is_new, is_over

__all__ = ["RULES"]

_COURSE_STOP = (
    "at|with|for|in (?:my|the|a|london|paris|new|\\d+|evening)|to become|to be|because"
    "|full|part|online|and working|from|on|this|these|right|these days|every|as|hard"
    "|so|by|since|here|about|before|now"
)


_NOT_COURSE = re.compile(
    r"^(?:for (?:a|an|the|my|this)?|hard|late|all|a lot|at|in|tonight|now|today|too"
    r"|every|with|my notes|this|that|it|until|together|abroad|from|online|alone|better"
    r"|best|more|here|and|the (?:map|menu|question|bible))\b"
)


def _study(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if match[0].startswith("signed") and not re.search(
        r"\b(?:class(?:es)?|course|lessons|degree|program(?:me)?|bootcamp|workshop|certificate|diploma|apprenticeship|masters?)\b",
        match["v"],
    ):
        return
    if head.thought or (head.negated and not head.ended) or head.future:
        return
    verb = match[0].split()[0]
    gone = is_over(head, past_verb=verb in ("studied", "majored", "attended", "read"))
    text = clause.cut(match, "v")
    if match[0].rstrip().endswith((" at",)) or re.match(r"at\s", text.lower()):
        value = clean(
            re.sub(r"^at\s+", "", text, flags=re.IGNORECASE),
            stop="for|and|in|to|studying|doing|as|on|full|part",
            most=6,
        )
        if (
            value
            and not NOT_EMPLOYER.search(value.lower())
            and not re.match(r"(?:home|night|the library|library)", value.lower())
        ):
            yield said((FORMER if gone else "") + "study", value, head, changed=head.changed)
        return
    value = clean(text, stop=_COURSE_STOP, most=6)
    if not value or _NOT_COURSE.search(value.lower()):
        return
    at = re.compile(r"\bat (?P<v>[^;!?()\n]{2,60})").search(clause.flat, match.start("v"))
    place = employer_in(clause.cut(at, "v")) if at else ""
    yield said(
        (FORMER if gone else "") + "study",
        f"{value} at {place}" if place and place[0].isupper() else value,
        head,
        changed=is_new(head, clause) or verb.startswith(("start", "began")),
    )


_DEGREE_STOP = (
    "at|from|and|with|while|so|which|this|last|on|part|full|to|next|by|in (?:january|february|march|april|may|june|july"
    "|august|september|october|november|december|\\d+|the|a)"
)


def _degree(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated:
        return
    verb = match[0].split()[0]
    value = clean(clause.cut(match, "v"), stop=_DEGREE_STOP, most=7)
    value = re.sub(r"^(?:my|his|her|their|our) ", "", value, flags=re.IGNORECASE)
    if not value:
        return
    at = re.compile(r"\bat (?P<v>[^;!?()\n]{2,60})").search(clause.flat, match.start("v"))
    place = employer_in(clause.cut(at, "v")) if at else ""
    if place and place[0].isupper():
        value = f"{value} at {place}"
    if verb in (
        "did",
        "got",
        "finished",
        "completed",
        "earned",
        "received",
        "passed",
        "defended",
        "have",
        "has",
        "hold",
        "holds",
    ):
        yield (
            said("study", value, head)
            if verb in ("have", "has", "hold", "holds", "got", "did", "earned")
            else happened(f"finished {value}", clause, head)
        )
    elif not head.future:
        yield said("study", value, head, changed=verb.startswith(("start", "began")))


def _graduated(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future:
        return
    value = (
        clean(
            clause.cut(match, "v"),
            stop="last|yesterday|today|with|this|on|and|top|at \\d+|after|when",
            most=7,
            article=False,
        )
        if match["v"]
        else ""
    )
    yield happened(f"graduated {value}".strip(), clause, head)


_DEGREE = (
    r"(?:my |an? |the |his |her |their )?(?:[\w-]+ ){0,2}?(?:ph\.?d|masters?|master's"
    r"|degree|bachelors?|bachelor's|mba|msc|bsc|a-?levels?|gcses?|gcse|diploma|doctorate"
    r"|apprenticeship|certificate|certification|postgrad|undergrad|course|bootcamp"
    r"|foundation year|residency|llm|pgce|ged|associate's|nvq|btec|minor|major|b\.?tech|m\.?tech|b\.?com|bca|mca|bba|mbbs|llb|b\.?ed|hnd|hnc|ib|diploma|fellowship)\b"
)


RULES: tuple[Rule, ...] = (
    predicate(
        "study", "study|studies|studying|studied|major|majors|majoring|majored|minoring|attend"
        "|attends|attending|attended|doing a course in|taking a course in|taking classes"
        " in|signed up for|enrolled in|enrolled at|enrolled on|started studying|go"
        " to university at|go to college at|going to school for|in school for|back" " in school for",
        r"(?:\s(?:in|on|full[- ]time|part[- ]time))?\s{V}", _study, bare=frozenset(["studying", "studied",
        "majoring", "enrolled", "signed"]), when=always,
    ),
    predicate(
        "study: degree", "doing|do|does|finishing|finish|finished|completed|completing|getting|got"
        "|started|starting|began|pursuing|working|earned|have|has|hold|holds|defended"
        "|did|taking|halfway|studying", "", _degree, whole=
        rf"(?:doing|finishing|completing|getting|pursuing|working (?:on|towards?)|taking"
        rf"|started|began|starting|did|earned|finished|completed|defended|have|has|hold"
        rf"|holds|got|studying for|halfway through)\s(?P<v>{_DEGREE}[^;!?()\n]{{0,60}})", bare=True,
    ),
    states(
        "study", "major|degree|course|minor|field of study|concentration|subject", r"\s?(?:is|'s|was)\s(?:in\s)?{V}", owned=True, most=4,
        refuse=re.compile(r"^(?:hard|tough|going|so|too|boring|useless|killing|great|easy|online|over|done|full|not|a lot|expensive|fun|very|due|three|four|two"
        r"|really|starting|pretty|worth|almost|nearly|finished|part)\b"),
    ),
    predicate(
        "study: to be", "training to be|training to become|studying to be|studying to become|learning to be|retraining to be|in"
        " school to be|in training to be|training as|retraining as|in school to become", r"\s(?:an? |the )?{V}", lambda m, c, h: [
        said("study", f"{job} (in training)", h)] if (job := job_of(c.cut(m, "v"))) and plainly(h) and not h.past else [],
        bare=True,
    ),
    predicate(
        "study: year", "in|a|an", "", lambda m, c, h: [said("study", c.cut(m, "v"), h)] if plainly(h) else [],
        be=True, whole=r"(?:in (?:my |his |her |the )?|an? )(?P<v>(?:first|second|third|fourth|final"
        r"|last|1st|2nd|3rd|4th|freshman|sophomore|junior|senior|phd|grad)[- ](?:year"
        r"|student)(?: (?:of|at|in|studying|student)[^;!?()\n,]{2,50})?|(?:\d{1,2}(?:th"
        r"|st|nd|rd)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
        r" grader?|(?:med|medical|law|grad|nursing|business|high|middle|secondary|primary"
        r"|art|vet) school|college|uni|university|kindergarten|year \d{1,2}|(?:a |an"
        r" )?(?:college|uni|university|high school) (?:freshman|sophomore|junior|senior))(?![a-z])(?! (?:phd|student|masters|med|law)\b)",
    ),
    predicate(
        "event: graduated", "graduated|graduate|graduating",
        r"(?: (?P<v>(?:from|in|as|with a|with an|with)\s[^;!?()\n]{2,70}))?", _graduated, bare=frozenset([
        "graduated"]), when=always,
    ),
    predicate(
        "study: dropped", "dropped out of|dropping out of|quit|done with|finished with",
        r"\s(?P<v>(?:\w+ ){0,2}(?:school|college|uni|university|degree|phd|course|masters)\b[^;!?("
        r")\n]{0,30})", lambda m, c, h: [said("former_study", v, h)] if (v := clean(c.cut(m, "v"), stop=
        "in|after|last|when|this|to|at|because|before|during|twice", most=5)) else [], bare=True,
    ),
)  # fmt: skip
