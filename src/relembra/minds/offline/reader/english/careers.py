"""What happens to a job: begun, left, lost, promoted, retired."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, Head
from relembra.minds.offline.reader.english.jobs import JOB, STOP_JOB, job_of
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, said, told
from relembra.minds.offline.reader.english.words import clean
from relembra.minds.offline.reader.english.work import employer_in, happened

__all__ = ["RULES"]


def _began(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I started at Acme", "joined Acme", "got hired by Acme as a designer"."""
    if head.thought or head.negated or head.used:
        return
    value = employer_in(clause.cut(match, "v"))
    if (
        not value
        or (match[0].startswith("join") and not value[:1].isupper())
        or re.match(
            r"(?:gym|club|choir|band|call|meeting|zoom|discord|group|army of|church|team|party"
            r"|class|course|facebook|reddit|tinder|instagram|twitter)\b",
            value.lower(),
        )
    ):
        return
    if head.future or match[0].startswith(("starting", "joining", "start ")):
        _, ends = moment(clause, future=True)
        begins, _ = moment(clause, future=True)
        yield told(head, attribute="employment", value=value, changed=True, held_from=begins)
        del ends
    else:
        begins, _ = moment(clause)
        yield told(head, attribute="employment", value=value, changed=True, held_from=begins)
    role = re.compile(r"\bas (?:an? |the |their (?:new )?)?(?P<v>[^;!?()\n]{2,60})").search(
        clause.flat, match.start("v")
    )
    if role and (job := job_of(clause.cut(role, "v"))):
        yield said("occupation", job, head, changed=True)


def _suffered(match: re.Match[str], clause: Clause, head: Head) -> bool:
    """Whether "fired", "promoted" happened to the subject, rather than was done by them ("my boss promoted me")."""
    if head.be or match[0].startswith(("got ", "been ", "getting ", "took ")):
        return True
    return head.person == ELIDED and not re.match(
        r"\s(?:my|our|the|a|an|him|her|them|me|us|two|three|ten|half)\b",
        clause.flat[match.end("w") if "w" in match.re.groupindex else match.end() :],
    )


def _fired(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future or not _suffered(match, clause, head):
        return
    word = match["w"]
    value = employer_in(clause.cut(match, "v")) if match["v"] else ""
    yield happened(f"got {word} from {value}" if value else f"got {word}", clause, head)
    if value and value[0].isupper():
        yield said("former_employment", value, head)


def _quit(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future:
        return
    text = clause.cut(match, "v") if match["v"] else ""
    role = re.match(
        r"(?:my |the |an? )?(?:\w+ ){0,2}?(?:job|role|position|post|gig|work)(?: (?:as"
        r" an?|as|of) (?P<r>[\w ]+))?(?: (?:at|with|for|in) (?P<e>.+))?",
        text,
        re.IGNORECASE,
    )
    if role:
        value = employer_in(role["e"]) if role["e"] else ""
        yield happened("left the job" + (f" at {value}" if value else ""), clause, head)
        if value:
            yield said("former_employment", value, head)
        return
    value = employer_in(text)
    if value and value[0].isupper() and (_working(clause) or (value.isupper() and len(value) > 1)):
        yield said("former_employment", value, head)
        yield happened(f"left {value}", clause, head)


def _working(clause: Clause) -> bool:
    return bool(
        re.search(
            r"\b(?:job|work\w*|role|company|firm|boss|years|yrs|months|joined|join|position"
            r"|career|manager|notice|resign\w*|quit|freelanc\w+|start\w*|salary|team|startup"
            r"|employer|office)\b",
            clause.sentence.lower(),
        )
    )


def _promoted(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if (
        head.thought
        or head.negated
        or head.future
        or not (match[0].startswith("made") or _suffered(match, clause, head))
    ):
        return
    value = job_of(clause.cut(match, "v")) or clean(clause.cut(match, "v"), stop=STOP_JOB, most=5) if match["v"] else ""
    yield happened(f"promoted to {value}" if value else "got promoted", clause, head)
    if value:
        yield said("occupation", value, head, changed=True)


def _became(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future:
        return
    value = job_of(clause.cut(match, "v"))
    if value:
        yield said("occupation", value, head, changed=True)


def _retired(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if not match[0].startswith("retired"):
        return
    yield said("employment", "retired", head, changed=True)
    value = employer_in(clause.cut(match, "v")) if match["v"] else ""
    if value:
        yield said("former_employment", value, head)


def _lost(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    mine = match["w"] in ("my", "our")
    if (head.person == OTHER) == mine or head.negated or head.thought:
        return
    value = employer_in(clause.cut(match, "v")) if match["v"] else ""
    yield happened("lost the job" + (f" at {value}" if value else ""), clause, head)
    if value:
        yield said("former_employment", value, head)


_AT_FIRM = re.compile(r"\s(?:at|to|with) (?=[a-z])")


def _notice_at(match: re.Match[str], clause: Clause) -> str:
    """ " at Costco", where the firm is named."""
    at = _AT_FIRM.match(clause.flat, match.end())
    firm = employer_in(clause.raw[at.end() :]) if at else ""
    return f" at {firm}" if firm[:1].isupper() else ""


RULES: tuple[Rule, ...] = (
    predicate(
        "employment: began", "started|start|starting|joined|joining|join|begin|began|hired|got hired|got"
        " a job|landed a job|got a new job|accepted an offer|accepted a job|got an"
        " offer|signed|signed on|signed with|got the job|landed a role|new job",
        r"(?:\s(?:working|work|a (?:new )?(?:job|role|position)|my new (?:job|role)"
        r"|up|on|an? \w+ job|a contract))?(?:\s(?:at|with|for|by|from))?\s{V}", _began, bare=frozenset([
        "started", "starting", "joined", "hired", "got", "landed", "accepted", "signed"]), whole=
        r"(?:(?:started|start|starting|began|begin)(?: (?:working|work|a (?:new )?(?:job"
        r"|role|position)|my new (?:job|role)|as an? [a-z ]{3,30}?))? (?:at|with|for)"
        r"|join(?:ed|ing)?|(?:got |was |been )?(?:hired|recruited|headhunted)(?: as"
        r" an? [a-z ]{3,30}?)? (?:by|at)|(?:got|landed|accepted|took|found|start)(?:ed)?"
        r" (?:a|an|the|my)(?: \w+){0,3}? (?:job|role|position|offer|gig|post)(?: as"
        r" an? [a-z ]{3,30}?)? (?:at|with|from|for)|signed (?:on )?with)\s{V}", when=always,
    ),
    predicate(
        "event: fired", "took|got|been|was|were|getting|fired|sacked|laid|made|dismissed|let|furloughed", "",
        _fired, whole=r"(?:got |been |getting |just )*(?P<w>fired|sacked|laid off|made redundant"
        r"|let go|dismissed|furloughed|the sack|canned|took (?:voluntary )?redundancy)(?:"
        r" (?:from|by|at) (?:my (?:job|position|role) at )?(?P<v>[^;!?()\n]{2,60}))?", bare=True, when=always,
    ),
    anywhere(
        "event: they fired me", "fired sacked laid dismissed let",
        r"\b(?:they|company|boss|work|he|she|[a-z]+) (?:just |finally )?(?:fired|sacked"
        r"|dismissed|laid off|let) me(?: off| go)?\b", lambda m, c, h: [happened("got fired", c, Head(name=
        "self", person=1))],
    ),
    anywhere(
        "event: lost job", "lost lose",
        r"\b(?:i|we|'ve|ive|just|[a-z]+ has|^)\s?(?:just |recently |finally )?lost"
        r" (?P<w>my|his|her|their|our) (?:\w+ )?job(?: (?:at|with) (?P<v>[^;!?()\n,]{2,60}))?", lambda m, c, h:
        _lost(m, c, h),
    ),
    predicate(
        "event: quit", "quit|left|leaving|resigned|quitting|handed|gave|leave",
        r"(?:\s(?:in my notice|my notice|from))?(?:\s(?P<v>[^;!?()\n]{2,80}))?", _quit, bare=frozenset(["quit",
        "left", "resigned"]), whole=
        r"(?:quit|left|resigned(?: from)?|gave notice at|handed in my notice at)\s(?P<v>[^;!?()\n]" r"{2,80})",
        when=always,
    ),
    anywhere(
        "event: promoted me", "promoted bumped made moved",
        rf"\b(?:promoted|bumped|made|moved) me (?:up )?(?:to |into )?(?:an? |the )?(?P<v>(?:[\w-]+"
        rf" ){{0,2}}?{JOB}(?: of \w+)?)\b", lambda m, c, h: [happened(f"promoted to {c.cut(m, 'v')}", c, Head(
        name="self", person=1)), Said(attribute="occupation", value=c.cut(m, "v"), changed=True)] if not (h.
        thought or h.negated or h.future) else [],
    ),
    predicate(
        "event: notice", "handed in my notice|gave my notice|gave notice|handed in my resignation|put"
        " in my notice|put in my two weeks|turned in my notice", r"", lambda m, c, h: [happened(
        "handed in their notice" + _notice_at(m, c), c, h)] if not (h.thought or h.negated or h.future) else [], bare=True,
    ),
    predicate(
        "event: promoted", "got|been|was|promoted|made|get", "", _promoted, whole=
        r"(?:got |been |just |finally )*promoted(?: (?:to|as) (?:an? |the )?(?P<v>[^;!?()\n]{2,60}" r"))?", bare=
        True, when=always,
    ),
    predicate(
        "event: made", "made",
        r"\s(?P<v>(?:senior|partner|manager|team lead|lead|director|captain|head|principal"
        r"|vp|associate|staff|supervisor)[^;!?()\n]{0,40})", _promoted, bare=True, when=always,
    ),
    predicate(
        "occupation: became", "became|become|becoming|got a job as|started working as|switched to being"
        "|now work as|got licensed as|qualified as", r"\s(?:an? |the )?{V}", _became, bare=True, when=always,
    ),
    predicate(
        "employment: retired", "retired|retire|retiring", r"(?: from (?P<v>[^;!?()\n]{2,60}))?", lambda m, c, h:
        _retired(m, c, h), be=False, bare=frozenset(["retired"]),
    ),
)  # fmt: skip
