"""Whom a clause is about and how its verb stands: the speaker or another, denied or not, present, past or only thought.

A clause is read as lead words, a subject, helping verbs, and a predicate; rules are matched where the predicate begins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from relembra.domain.knowledge import SELF
from relembra.minds.offline.flat import flattened, listed
from relembra.minds.offline.people import FIRST_NAMES
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Who
from relembra.minds.offline.reader.english.guards import UNREAL
from relembra.minds.offline.reader.english.syntax import (
    AFTER_NAME,
    APPOSED,
    BESIDE,
    CALLED,
    COLLEAGUE,
    EXCLAIMED,
    HE,
    HELP,
    KIN_TITLE,
    LEAD,
    MENTION,
    OWN,
    PERSONAL,
    QUESTION,
    REQUEST,
    SHE,
    SUBJECT,
    SUBJECTLESS,
    VERB_S,
    WHEN,
)
from relembra.minds.offline.reader.english.words import PETS, TIE, name_at, one_tie

__all__ = ["ELIDED", "NOBODY", "OTHER", "SPEAKER", "Head", "colleagues", "head_of", "who"]

NOBODY, SPEAKER, OTHER, ELIDED = 0, 1, 3, 2


@dataclass(frozen=True, slots=True)
class Head(Who):
    """The subject and helping verbs of a clause; `person` tells the speaker (said, or left out) from another."""

    person: int = NOBODY
    be: bool = False  # a form of "to be" is the last helping verb
    have: bool = False
    past: bool = False  # was, did, had
    used: bool = False  # used to
    ended: bool = False  # no longer, not any more
    negated: bool = False
    thought: bool = False  # would, could, might, should: claimed of no real moment
    future: bool = False
    changed: bool = False
    owned: bool = False  # the predicate begins with a thing the subject has: "(my) birthday is"
    plural: bool = False
    stranger: bool = False  # the clause is about somebody or something that is nobody's here
    others: tuple[Who, ...] = ()  # people spoken of so far, the latest first


_SELF_BARE = re.compile(r"(?:am|i'm|im)\b")
_WORD = re.compile(r"[a-z']+")


def head_of(clause: Clause) -> Head:
    """The head `who` found for a clause."""
    return clause.who if isinstance(clause.who, Head) else Head(name="")


def who(clause: Clause, before: Who | None) -> Who:
    """Reads subject and helping verbs, sets where the predicate begins, and remembers who was spoken of."""
    last = before if isinstance(before, Head) else Head(name="")
    first = not clause.earlier.strip(" ,;-")
    head = _who(clause, last, first=first)
    tied = _tied(clause, head)
    met = (*_introduced(clause, head.others), *(tied or _mentioned(clause)))
    named = {one.relation for one in met if one.name != one.relation}
    called = {one.name for one in met}
    kept = (
        one
        for one in head.others
        if one.name not in called and not (one.name == one.relation and one.relation in named)
    )
    return replace(head, others=(*met, *kept)[:4]) if met else head


_NO_COLLEAGUE = re.compile(
    r"(?:some|every|any|no)(?:one|body|thing)|people|folks|guys?|lads|girls?|ladies|lady|email|mail|message|letter|call|feedback"
    r"|news|memo|someone|friends?|colleagues?|team|boss|manager|things?|stuff|jobs?|work\w*|life|slack|zoom|outlook|laptop|[a-z]+ing|[a-z]+s"
)


def colleagues(clause: Clause) -> list[str]:
    """The people a clause places in the speaker's company; a sentence's first word must look like a name."""
    found = []
    for match in COLLEAGUE.finditer(clause.flat):
        span = name_at(clause.raw, match.start("n"), lower=False)
        if span is None or span[1] != match.end("n"):
            continue
        name = clause.raw[slice(*span)]
        opens = not clause.earlier.strip() and not clause.flat[: match.start()].strip(" ,.")
        placed = " from " in match[0] or "next desk" in match[0]
        known = name.lower() in _FIRST
        if known or not (_NO_COLLEAGUE.fullmatch(match["n"]) or (opens and not placed)):
            found.append(name)
    return found


def _is_new_pet(clause: Clause, tie: str) -> bool:
    """ "we got a rescue greyhound": its name may follow."""
    return bool(_GOT.search(clause.flat) and re.fullmatch(PETS, tie))


_GOT = re.compile(r"\b(?:i|we|'ve) (?:just |finally )?(?:got|adopted|rescued|bought|have|brought home)\b")


def _mentioned(clause: Clause) -> tuple[Who, ...]:
    """People a clause names in passing, whom a pronoun may mean next: "took my mother Ana home"."""
    found: list[Who] = []
    found.extend(Who(name, "colleague") for name in colleagues(clause))
    for match in KIN_TITLE.finditer(clause.flat):
        span = name_at(clause.raw, match.end(), lower=False)
        if span:
            found.append(Who(clause.raw[slice(*span)], match["tie"]))
    if not re.search(r"(?<![a-z])(?:my|our|an?)\s", clause.flat):
        return tuple(found)
    for match in MENTION.finditer(clause.flat):
        called = CALLED.match(clause.flat, match.end("tie"))
        span = (
            name_at(clause.raw, called.end()) if called else None if match["own"] else name_at(clause.raw, match.end())
        )
        tie = _tie(match["tie"])
        if span is None and (match["own"] or (match[0].startswith("a") and not _is_new_pet(clause, tie))):
            continue
        found.append(Who(clause.raw[slice(*span)] if span else tie, tie))
    return tuple(reversed(found))


_IS_MY = re.compile(
    r"(?:(?:is|was|'s|s)\s)?(?:my|our)\s+(?:(?!my\b|our\b)[\w-]+\s){0,2}?" + rf"(?P<tie>{TIE})(?![a-z'-])"
)
_SHOWN = re.compile(r"(?:^|[\s,.!?(])(?:that'?s|this is|thats|meet|met|named|called|it's)\s")


def _tied(clause: Clause, head: Head) -> tuple[Who, ...]:
    """ "Harold's my grandson", "that's Biscuit barking, he's my corgi": the name and the tie are one person."""
    found = _IS_MY.match(clause.flat, clause.at) if clause.at < len(clause.flat) else None
    if found is not None and head.person == OTHER and head.name != head.relation and head.name:
        return (Who(head.name, _tie(found["tie"])),)
    shown = _THATS_MY.match(clause.flat)
    unknown = next((one for one in head.others if one.relation is None), None) if shown else None
    if shown and unknown and clause.earlier.strip():
        return (Who(unknown.name, _tie(shown["tie"])),)
    claim = _PRONOUN_MY.match(clause.flat)
    if claim is None or any(one.name != one.relation for one in head.others):
        return ()
    before = clause.message[: clause.offset]
    for shown in _SHOWN.finditer(flattened(before).text):
        span = name_at(before, shown.end(), lower=False)
        if span:
            return (Who(before[slice(*span)], _tie(claim["tie"])),)
    return ()


_THATS_MY = re.compile(rf"\W*that(?:'s|s| is) (?:my|our)\s+(?:[\w-]+\s)??(?P<tie>{TIE})(?![a-z'-])")
_PRONOUN_MY = re.compile(
    rf"\W*(?:and |but |so )?(?:he|she|they|it)(?:'s|s| is|'re) (?:my|our)\s+(?:[\w-]+\s){{0,2}}?(?P<tie>{TIE})(?![a-z'-])"
)
_NAMED = re.compile(
    r"(?<![a-z])(?:(?:his|her|their) name(?:'s| is)|(?:he|she|it|they)(?:'s|s| is|'re) (?:called|named)) (?:actually )?"
)


def _introduced(clause: Clause, others: tuple[Who, ...]) -> tuple[Who, ...]:
    """ "seeing someone new, her name's Leila": the name of whoever was just spoken of without one."""
    match = _NAMED.search(clause.flat)
    span = name_at(clause.raw, match.end()) if match else None
    if span is None:
        return ()
    name = clause.raw[slice(*span)]
    if re.search(r"\b(?:seeing|dating|met) (?:someone|somebody|a (?:guy|girl|man|woman))\b", clause.earlier):
        return (Who(name, "partner"),)
    return (Who(name, others[0].relation),) if others and others[0].name == others[0].relation else ()


def _who(clause: Clause, last: Head, *, first: bool) -> Head:
    flat = clause.flat
    others = last.others
    nobody = Head(name="", others=others)
    ending = clause.sentence.rstrip()
    if (
        ending.endswith("?")
        and ending.endswith(clause.raw.strip())
        and not (ending.endswith("??") and EXCLAIMED.match(flat))
    ):
        return _dead(clause, nobody)
    lead = LEAD.match(flat)
    at = lead.end() if lead else 0
    when = WHEN.match(flat, at)
    changed = bool(re.search(r"\b(?:actually|correction|update|meant)\b", flat[:at])) or bool(
        _MENDED.fullmatch(clause.earlier)
    )
    if when and when.end() > at:
        changed = changed or bool(when["now"])
        at = when.end()
    subject = SUBJECT.match(flat, at)
    asks = QUESTION.match(flat, at) and not (not first and re.match(r"(?:who|is|are|was|were|has|had) ", flat[at:]))
    if asks and not (subject and subject["pro"] == "who" and not first):
        return _dead(clause, nobody)
    if subject is None:
        return _unmarked(clause, at, last, first=first, changed=changed)
    if subject["i"]:
        head = Head(name=SELF, person=SPEAKER, changed=changed, others=others, plural=subject["i"].startswith("we"))
        end = subject.end()
        if flat[at:end] in ("im", "iam"):
            head = replace(head, be=True)
        if flat[at:end] == "ive":
            head = replace(head, have=True)
        return _helped(clause, end, head)
    if subject["topic"] and subject["topic"].startswith("our"):
        span = name_at(clause.raw, subject.end(), lower=False)
        if span and clause.raw[slice(*span)].lower() in _FIRST and AFTER_NAME.match(flat, span[1]):
            known = Who(clause.raw[slice(*span)], None)
            return _possessed(clause, span[1], Head(name=known.name, person=OTHER, others=(known, *others)[:4]))
    if subject["topic"]:
        clause.at = subject.end()
        return Head(name=SELF, person=SPEAKER, owned=True, changed=changed, others=others)
    if subject["pro"]:
        return _pronoun(clause, subject, last, changed=changed)
    if subject["their"]:
        clause.at = subject.end()
        if not others:
            return nobody
        return Head(name=others[0].name, relation=others[0].relation, person=OTHER, owned=True, others=others)
    if subject["kid"]:
        child = Who("child", "child")
        return _possessed(
            clause,
            subject.end(),
            Head(name="child", relation="child", person=OTHER, changed=changed, others=(child, *others)[:4]),
        )
    if subject["many"]:
        tie = {"girls": "daughter", "boys": "son"}.get(subject["ties"]) or one_tie(subject["ties"])
        return _helped(
            clause,
            subject.end(),
            Head(name=tie, relation=tie, person=OTHER, plural=True, changed=changed, others=others),
        )
    return _related(clause, subject, others, changed=changed)


def _dead(clause: Clause, head: Head) -> Head:
    clause.at = len(clause.flat)
    return head


def _tie(text: str) -> str:
    tie = " ".join(text.split())
    return "father" if tie == "old man" else tie


_SIZED = re.compile(r"^(?:the|(?:big|little|lil|baby|kid)(?= (?:sis|bro|sister|brother)\b)) ")


def _related(clause: Clause, subject: re.Match[str], others: tuple[Who, ...], *, changed: bool) -> Head:
    """A tie, and the name that may stand beside it: "my sister Clara", "mum", "her husband Tom"."""
    flat, raw = clause.flat, clause.raw
    end = subject.end()
    tie = _tie(subject["tie2"] or subject["tie"] or subject["tie3"] or _SIZED.sub("", subject["bare"]))
    if subject["mine"] and re.search(r"\bex[\s-]", subject["mine"]) and not tie.startswith("ex"):
        tie = f"ex-{tie}"
    if subject["more"]:
        tie = f"{_tie(subject['tie'])}'s {tie}"
    if subject["tie3"]:
        if not others:
            return Head(name="", others=others)
        tie = f"{others[0].name}'s {tie}"
    if "best friend" in flat[subject.start() : end]:
        tie = "best friend"
    name = tie
    bracketed = (
        _BRACKETED.search(clause.message[: clause.offset]) if subject["mine"] and not flat[end:].strip(" ).,") else None
    )
    if bracketed and name_at(bracketed["n"], 0, lower=False):
        name = bracketed["n"]
    apposed = APPOSED.match(flat, end)
    if apposed and not (subject["bare"] and not subject["bare"].startswith("the ")):
        span = name_at(raw, apposed.end())
        if span and not (raw[span[0]].islower() and re.match(r"\s+(?:and|or)\b", flat[span[1] :])):
            name, end = raw[slice(*span)], span[1]
            rest = re.match(r"\s*(?:,\s*(?:\d{1,3}\s*,)?|\(\d{1,3}\)|\))", flat[end:])
            if rest:
                end += rest.end()
    known = Who(name, tie)
    others = (known, *(one for one in others if one.name != name))[:4]
    return _possessed(clause, end, Head(name=name, relation=tie, person=OTHER, changed=changed, others=others))


_BRACKETED = re.compile(r"(?P<n>[A-Z][\w’-]+)\s*\(\s*$")


def _possessed(clause: Clause, end: int, head: Head) -> Head:
    """After a person: their thing ("Clara's birthday"), or their verb."""
    own = OWN.match(clause.flat, end)
    if own and not re.match(
        r"(?:a|an|the|my|our|not|now|in|at|on|been|got|just|so|very|really|always|also"
        r"|allergic|\w+ing|\w+ed|gone|broken|had|taken|lost|become|left|bought|sold|met|won|back|away|called|"
        r"\d+|from|still|"
        r"pregnant|vegan|vegetarian|diabetic|both|celiac|coeliac|deaf|blind|autistic|dead|ill|sick|single|offshore|abroad|mad"
        r"|crazy|fluent|teetotal|pescatarian)\b|(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-[a-z]+)?|three|four"
        r"|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)\b(?=\s*(?:$|[,.!;)]|(?:and|now|but|years?|today|so|this|next|in|with)\b))",
        clause.flat[own.end() :],
    ):
        clause.at = own.end()
        return replace(head, owned=True)
    return _helped(clause, end, head)


_MENDED = re.compile(r"\W*(?:(?:quick |small )?correction|update|actually|oops|my bad)\W*")
_AS_SOMEONE = re.compile(r"\b(?:as|being|speaking as) (?:someone|somebody|a person)\s*$")


def _pronoun(clause: Clause, subject: re.Match[str], last: Head, *, changed: bool) -> Head:
    word = subject["pro"]
    others = last.others
    if word == "who" and _AS_SOMEONE.search(clause.earlier):  # "as someone who works nights": the speaker
        return _helped(clause, subject.end(), Head(name=SELF, person=SPEAKER, others=others))
    if not others or (word in ("it", "its") and not re.fullmatch(PETS, others[0].relation or "")):
        return _dead(clause, Head(name="", others=others, stranger=True))
    one = _fitting(word, others)
    before = clause.earlier.rstrip(" ,(")
    if one is None or (word == "who" and not before.endswith((flattened(one.name).text, one.relation or "?"))):
        return _dead(clause, Head(name="", others=others, stranger=True))
    head = Head(name=one.name, relation=one.relation, person=OTHER, changed=changed, others=others)
    if word in ("hes", "shes", "theyre", "its"):
        head = replace(head, be=True)
    return _helped(clause, subject.end(), head)


def _fitting(word: str, others: tuple[Who, ...]) -> Who | None:
    """The latest person the pronoun can mean; None when the words leave it open."""
    wrong = HE if word.startswith("s") else SHE if word.startswith("h") else None
    fits = [one for one in others if not (wrong and wrong.fullmatch(one.relation or ""))]
    return fits[0] if fits else None


def _unmarked(clause: Clause, at: int, last: Head, *, first: bool, changed: bool) -> Head:
    """No pronoun and no tie: a name, a subject carried on from the clause before, or a speaker left out."""
    flat, raw = clause.flat, clause.raw
    span = name_at(raw, at)
    beside = BESIDE.match(flat, span[1]) if span else None
    if span and beside:
        known = Who(raw[slice(*span)], _tie(beside["tie"] or "child"))
        others = (known, *(one for one in last.others if one.name != known.name))[:4]
        return _possessed(
            clause, beside.end(), Head(name=known.name, relation=known.relation, person=OTHER, others=others)
        )
    if span and AFTER_NAME.match(flat, span[1]):
        found = _named(clause, span, last)
        if found is not None:
            return found
    if REQUEST.match(flat, at) or SUBJECTLESS.match(flat, at):
        return _dead(clause, Head(name="", others=last.others, stranger=not REQUEST.match(flat, at)))
    if not first and (last.stranger or UNREAL.search(clause.earlier[-90:])):
        return _dead(clause, Head(name="", others=last.others, stranger=True))
    word = _WORD.match(flat, at)
    verb = word[0] if word else ""
    beside_it = last.others[0] if last.others else None
    if (
        beside_it
        and not first
        and last.person in (NOBODY, ELIDED)
        and clause.earlier.rstrip(" ,(-").endswith((flattened(beside_it.name).text, beside_it.relation or "?"))
        and (verb in VERB_S or verb in _PREDICATIVE or verb in ("aged", "big", "huge"))
    ):
        known = Head(name=beside_it.name, relation=beside_it.relation, person=OTHER, others=last.others)
        return _helped(clause, at, replace(known, be=verb not in VERB_S))
    if not first and last.owned and (verb in _OF_THINGS or verb in VERB_S):
        return _dead(clause, Head(name="", others=last.others, stranger=True))
    if not first and last.person in (SPEAKER, ELIDED) and verb in VERB_S:
        return _dead(clause, Head(name="", others=last.others, stranger=True))
    if not first and last.person in (SPEAKER, OTHER, ELIDED) and not last.owned:
        carried = replace(
            last, be=False, have=False, negated=False, used=last.used, changed=changed, past=False, future=False
        )
        carried = replace(carried, thought=last.thought, ended=False)
        if verb in _PREDICATIVE:
            carried = replace(carried, be=True)
        elif last.person == OTHER and not (verb in VERB_S or verb.endswith(("s", "ed")) or verb in _CARRY):
            carried = replace(carried, be=last.be and not verb.endswith("s"))
        return _helped(clause, at, carried)
    if verb in VERB_S and not _SELF_BARE.match(flat, at):
        return _dead(clause, Head(name="", others=last.others))
    if first and last.others and _TOPIC.search(clause.message[: clause.offset]):  # "Uncle Desmond? Retired driver."
        topic = last.others[0]
        return _helped(
            clause, at, Head(name=topic.name, relation=topic.relation, person=OTHER, be=True, others=last.others)
        )
    return _helped(clause, at, Head(name=SELF, person=ELIDED, changed=changed, others=last.others))


_TOPIC = re.compile(r"(?:^|[.!\n]\s*)(?:[\w'’-]+\s){0,2}[\w'’-]+\?\s*$")


_OF_THINGS = frozenset(listed("had was were has is went died"))
_PREDICATIVE = frozenset(
    listed(
        "born raised based married allergic vegan vegetarian obsessed terrified scared"
        " fluent retired single divorced engaged diabetic"
        " big huge originally lactose pregnant expecting afraid addicted into hooked living working studying"
    )
)
_CARRY = frozenset(
    listed("just also now recently got went took gave left became began never always still both can't cant can")
)


def _named(clause: Clause, span: tuple[int, int], last: Head) -> Head | None:
    """A name as subject: one spoken of before, or a first name by itself. Full names of strangers are passed over."""
    name = clause.raw[slice(*span)]
    known = next((one for one in last.others if one.name == name), None)
    if known is None:
        tie = next(
            (one.relation for one in clause.names if one.name == name and one.relation not in (None, SELF)), None
        )
        listed_name = any(one.name == name for one in clause.names) or name.lower() in _FIRST
        listed_name = listed_name or bool(PERSONAL.match(clause.flat, span[1]))
        if tie is None and (" " in name and not re.match(r"(?:Dr|Mrs?|Ms|Aunt|Uncle|Auntie)\b", name)):
            return _dead(clause, Head(name="", others=last.others, stranger=True))
        if tie is None and not listed_name:
            return None
        if any(one.name == name and one.relation == SELF for one in clause.names):
            return None
        known = Who(name, tie)
    others = (known, *(one for one in last.others if one.name != name))[:4]
    return _possessed(clause, span[1], Head(name=name, relation=known.relation, person=OTHER, others=others))


_FIRST = FIRST_NAMES["en"] | FIRST_NAMES["pt"]


def _helped(clause: Clause, at: int, head: Head) -> Head:
    """Reads helping verbs and adverbs up to the predicate."""
    flat = clause.flat
    for _ in range(9):
        gap = _GAP.match(flat, at)
        at = gap.end() if gap else at
        help_ = HELP.match(flat, at)
        if help_ is None or (help_["future"] == "going to" and clause.raw[help_.end() + 1 : help_.end() + 2].isupper()):
            break
        head = _with(head, help_)
        at = help_.end()
    gap = _GAP.match(flat, at)
    clause.at = gap.end() if gap else at
    return head


_GAP = re.compile(r"[\s,]*")
_NEW = frozenset(listed("now just finally recently newly officially suddenly currently actually"))


def _with(head: Head, help_: re.Match[str]) -> Head:
    word = help_[0]
    if help_["adv"]:
        return replace(head, changed=head.changed or word in _NEW)
    if help_["ended"]:
        be = head.be or bool(re.match(r"(?:am|is|are|isn|aren|'m|m)", word))
        return replace(head, ended=True, be=be)
    if help_["used"]:
        return replace(head, used=True, be=bool(help_["usedbe"]))
    if help_["neg"]:
        be = head.be or bool(re.match(r"(?:is|are|was|were|ain)", word))
        past = head.past or word.startswith(("didn", "did ", "was", "were"))
        return replace(head, negated=True, be=be, past=past)
    if help_["thought"]:
        return replace(head, thought=True)
    if help_["future"]:
        return replace(head, future=True, thought=head.thought or head.past, be=bool(help_["futbe"]))
    if help_["been"]:
        return replace(head, be=True, have=True, negated=head.negated or " never " in word or " not " in word)
    if help_["perf"]:
        return replace(head, have=True, past=word == "had")
    if help_["am"]:
        return replace(head, be=True)
    if help_["was"]:
        return replace(head, be=True, past=True)
    return replace(head, past=head.past or word == "did")
