"""Names, pronouns and birthdays said in passing: "Tyrell here", "he/they btw", "a May baby"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import OTHER, Head
from relembra.minds.offline.reader.english.identity import BIRTH_DATE
from relembra.minds.offline.reader.english.saying import anywhere
from relembra.minds.offline.reader.english.words import TIE, name_at

__all__ = ["RULES"]


_ME = re.compile(r"\b(?:me|my|i|im|i'm|btw|fyi|myself|here)\b")


def _slashed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "he/they btw": of the speaker where the clause is short or speaks of them."""
    if head.person == OTHER or clause.sentence.rstrip().endswith("?"):
        return
    if len(clause.flat.split()) <= 4 or _ME.search(clause.flat):
        yield Said(attribute="pronouns", value=match["p"])


_NAMING = re.compile(
    r"\b(?:call(?:s|ed|ing)? me|names?|spell\w*|user|mispronounce\w*|ppl always|people always|w/ an?|with (?:an?|two|one|no) [a-z](?=\W|$))\b"
)


def _it_is(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "You keep calling me user, it's Dwayne": a name because the message speaks of one."""
    del head
    low = clause.message.lower()
    if not _NAMING.search(low):
        return
    span = name_at(clause.raw, match.end()) or _last_word(clause, match.end())
    if span is None:
        return
    short = re.search(r"\b(?:nobody|no one|everyone|friends|people|ppl) (?:\w+ )?calls? me\b", low)
    yield Said(attribute="nickname" if short else "name", value=clause.raw[slice(*span)], changed=True)


_LAST_WORD = re.compile(r"[a-z]{3,12}(?=\W*$)")


def _last_word(clause: Clause, start: int) -> tuple[int, int] | None:
    found = _LAST_WORD.match(clause.flat, start)
    if found is None or found[0] in STOP_WORDS or not re.search(r"calls? me", clause.message.lower()):
        return None
    return found.span()


def _full_name(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Nobody calls me Alexandria except my gran": the name on paper."""
    del head
    span = name_at(clause.raw, match.end())
    if span:
        yield Said(attribute="name", value=clause.raw[slice(*span)])


def _known_as(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "The lads know me as Spud", "the squad's been calling me Moose"."""
    del head
    if re.search(r"\b(?:nobody|no one|don'?t|stop|hate|never|why|if|used to|keep)\b", clause.flat[: match.end()]):
        return
    span = name_at(clause.raw, match.end(), lower=False)
    if span:
        yield Said(attribute="nickname", value=clause.raw[slice(*span)])


def _is_fine(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    span = name_at(clause.raw, match.start("v"))
    if span and span[1] == match.end("v") and re.search(r"\bname|\bcall|\bi'?m [A-Z]", clause.message):
        yield Said(attribute="nickname", value=clause.cut(match, "v"))


def _name_here(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    span = name_at(clause.raw, match.start("v"))
    if span and span[1] == match.end("v"):
        yield Said(attribute="name", value=clause.cut(match, "v"))


_DAY = (
    r"(?P<v>halloween|christmas(?: day| eve)?|leap[- ](?:day|year)|new year'?s?(?: eve| day)?|valentine'?s?(?: day)?"
    r"|boxing day|bonfire night|july 4th|4th of july|st\.? patrick'?s(?: day)?|april fools?'?(?: day)?)"
)


def _day_baby(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought:
        return
    if head.person == OTHER:
        yield Said(attribute="birthday", value=clause.cut(match, "v"), subject=head.name, relation=head.relation)
        return
    dates = BIRTH_DATE.finditer(clause.message.lower(), clause.offset)
    date = next((one for one in dates if re.search(r"\d", one["d"])), None)
    value = clause.cut(match, "v")
    yield Said(
        attribute="birthday", value=value if date is None or date["d"] in value.lower() else f"{value}, {date['d']}"
    )


def _my_date(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "My 20th lands on a Monday. May 11": the date stands near, not always in the same sentence."""
    if head.person == OTHER and not match["t"]:
        return
    start = clause.offset + match.end()
    date = BIRTH_DATE.search(clause.message.lower(), start, start + 60)
    if date is None or not re.search(r"\d|[a-z]+ (?:day|eve)", date["d"]):
        return
    value = clause.message[date.start("d") : date.end("d")]
    tie = match["t"]
    yield Said(attribute="birthday", value=value, subject=tie or "self", relation=tie)


def _is_my_birthday(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    yield Said(attribute="birthday", value=clause.cut(match, "v"))


RULES: tuple[Rule, ...] = (
    anywhere(
        "pronouns: slashed", "he him she her they them she xe ze",
        r"(?<![\w/])(?P<p>(?:she|he|they|xe|ze)/(?:her|him|them|they|she|he|hers|xem|zir)(?:/\w+)?)(?![\w/])(?! (?:is|are|as|means?|was)\b)", _slashed,
    ),
    anywhere(
        "name: x here", "here again",
        r"^\W*(?:(?:hi|hey|hello|hiya|all|everyone|there|sup|yo|g'day|howdy|heya|ello|evening|morning|afternoon|good"
        r" (?:morning|evening|afternoon|day)|greetings|namaste|wassup|folks|team)[ ,!.]+){0,3}"
        r"(?P<v>[a-z][a-z'-]{1,14}(?: [a-z][a-z'-]{1,14})?) (?:here|again)(?=\s*(?:$|[,.!:;-]|from\b|again\b))", _name_here,
    ),
    anywhere(
        "name: your boy", "boy girl",
        r"^\W*(?:yo|hey|hi|sup|whats up|ayo)?\W*it'?s (?:ya|your|ur|yo) (?:boy|girl|pal|favorite \w+) (?=[a-z])", _full_name,
    ),
    anywhere(
        "nickname: middle name", "middle", r"\b(?:go|goes|going) by (?:my )?(?:middle|second|last) name,? (?=[a-z])", _known_as,
    ),
    anywhere("name: it's", "it's its", r"\bit'?s (?:actually |just |spelled |only )?(?=[a-z]{3})", _it_is),
    anywhere("name: nobody calls me", "calls call", r"\b(?:nobody|no one|no-one) (?:ever )?calls? me ", _full_name),
    anywhere(
        "nickname: known as", "calling know knows called call",
        r"\b(?:been calling|always called?|all call|just call|know|knows|calls?) me (?:as )?(?=[a-z])", _known_as,
    ),
    anywhere(
        "nickname: is fine", "fine works cool good okay ok",
        r"\b(?P<v>[a-z]{2,12})(?: is|'s)? (?:fine|works|cool|good|ok|okay)\b", _is_fine,
    ),
    anywhere("birthday: baby", "baby kid child", rf"\b{_DAY} (?:baby|kid|child)\b(?! (?:shower|clothes|names|gift|party|announcement|photo|outfit))", _day_baby),
    anywhere(
        "birthday: my date", "birthday bday b-day birthday's bday's th st nd rd",
        rf"\b(?:my|our) (?:(?:\w+ )?(?P<t>{TIE})'s )?(?:birthday|bday|b-day|[1-9]\d(?:th|st|nd|rd)(?! (?:grade|floor"
        r"|street|century|anniversary|time|year)))\b", _my_date,
    ),
    anywhere(
        "birthday: is also mine", "birthday bday",
        rf"(?:^|, |\b){_DAY}(?: is|'s) (?:also |actually |literally )?my (?:birthday|bday)\b", _is_my_birthday,
    ),
    anywhere(
        "birthday: bare", "birthday bday bday's birthday's b-day",
        r"^\W*(?:btw |and |also |so )*(?:birthday|bday|b-day)(?P<t>x{9})?(?:'s| is|:)? (?:is |on )*(?=the|\d|jan|feb|mar|apr|may|jun|jul"
        r"|aug|sep|oct|nov|dec)", _my_date,
    ),
)  # fmt: skip
