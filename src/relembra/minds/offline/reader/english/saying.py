"""How rules are written: a predicate, the words it begins with, and what it says of whoever the clause is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from relembra.domain.attributes import FORMER
from relembra.domain.knowledge import SELF
from relembra.minds.offline.dates import Kind, find_dates
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head, head_of
from relembra.minds.offline.reader.english.words import V, clean, parts

__all__ = ["Made", "When", "always", "anywhere", "moment", "own", "plainly", "predicate", "said", "states", "told"]

Made = Callable[[re.Match[str], Clause, Head], Iterable[Said]]
When = Callable[[Head], bool]

_NEWER = re.compile(
    r"\b(?:now|these days|nowadays|as of|from now on|no longer|recently|lately|since"
    r" (?:last|yesterday|this))\b|\bthe new\b"
)


_ME = re.compile(r"\b(?:me|us|myself)\b")
"""What somebody does to the speaker is nothing said of them ("my doctor put me on …")."""


def told(
    head: Head,
    *,
    attribute: str,
    value: str,
    changed: bool = False,
    content: str | None = None,
    held_from: datetime | None = None,
    expires_at: datetime | None = None,
) -> Said:
    """A thing said of whomever a clause is about."""
    other = head.person == OTHER
    return Said(
        attribute=attribute,
        value=value,
        subject=head.name if other else SELF,
        relation=head.relation if other else None,
        changed=changed,
        content=content,
        held_from=held_from,
        expires_at=expires_at,
    )


def said(attribute: str, value: str, head: Head, *, changed: bool = False) -> Said:
    """An attribute of whomever a clause is about."""
    return told(head, attribute=attribute, value=value, changed=changed)


_NOW = re.compile(
    r"\b(?:now|these days|nowadays|as of (?:now|today|this|last)|from now on)\b(?! (?:that|and then|i know))"
)
_SINCE = re.compile(
    r"\bsince (?:early |late |mid[- ]?|about |around )?(?P<d>(?:last )?(?:\d{4}\b|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|yesterday"
    r"|(?:week|month|year|summer|winter|spring|autumn|fall)\b)(?: \d{4})?)"
)
_MOMENTS = ("event", "achieved", "dropped_goal", "goal", "meeting", "deadline", "birthday", "relation", "name")


_ADDED = re.compile(
    r"(?<=\w )also\b|\b(?:as well|in addition|on the side|on (?:the )?weekends|at weekends|(?:on|at) the weekends?|in my"
    r" (?:free|spare) time|as a (?:second|side) (?:job|gig)|part of the (?:year|week|time)|half the (?:year|week|time)"
    r"|on (?:saturdays|sundays))\b(?! as\b)|^\W*weekends\b"
)
_ADDED_BEFORE = re.compile(
    r"\b(?:besides|apart from|aside from|in addition to|as well as|on top of|not only)\b[^.!?;]*$"
)
_ALSO = {"employment": "works at", "residence": "lives in"}


_MOVED = re.compile(r"\b(?:moved|relocated|switched|transferred)\b")
_SOMETIMES = re.compile(
    r"\b(?:on (?:the )?weekends|at weekends|part of the (?:year|week|time)|on (?:saturdays|sundays))\b"
)


def _is_added(clause: Clause) -> bool:
    """Whether what a clause says stands beside what was so before: "I also work at …", "besides …, I live in …"."""
    if _MOVED.search(clause.flat):  # "I also moved": a move is one
        return False
    return bool(_ADDED.search(clause.flat) or _ADDED_BEFORE.search(clause.earlier))


def _beside(one: Said, clause: Clause) -> Said:
    """An employer or a home of the speaker that ends no other: told in words, under no attribute.

    A role changes nothing; of another person "also" may mean "as I do".
    """
    does = _ALSO.get(one.attribute or "")
    if does is None or one.value is None or one.subject != SELF:
        return replace(one, changed=False)
    when = _SOMETIMES.search(clause.flat)
    told_so = f"{does} {one.value} {when[0]}" if when else f"also {does} {one.value}"
    content = told_so[0].upper() + told_so[1:]
    return replace(one, attribute=None, value=None, changed=False, content=content)


def _placed(one: Said, clause: Clause) -> Said:
    """With what the clause says of when it began: "since 2019", "now"; and beside what else it stands: "also"."""
    attribute = one.attribute or ""
    if attribute in ("employment", "residence", "occupation") and _is_added(clause):
        return _beside(one, clause)
    if attribute in _MOMENTS or attribute.startswith(FORMER):
        return one
    since = _SINCE.search(clause.flat) if one.held_from is None and "since" in clause.flat else None
    if since:
        dates = find_dates(clause.raw[slice(*since.span())], said_at=clause.said_at, language=clause.language)
        begun = [date.begins for date in dates if date.begins <= clause.said_at]
        if begun:
            one = replace(one, held_from=begun[0])
    return one if one.changed or not _NOW.search(clause.flat) else replace(one, changed=True)


def own(
    attribute: str,
    *,
    stop: str = "",
    most: int = 6,
    article: bool = True,
    many: bool = False,
    changed: bool = False,
    refuse: re.Pattern[str] | None = None,
) -> Made:
    """Makes what group v says of the speaker, unless the clause is about another."""

    def make(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
        if (head.person == OTHER and not head.owned) or head.thought:
            return
        text = clause.cut(match, "v")
        values = parts(text, stop=stop, most=most) if many else [clean(text, stop=stop, most=most, article=article)]
        for value in values:
            if value and not _POINTING.match(value.lower()) and not (refuse and refuse.search(value.lower())):
                yield Said(attribute=attribute, value=value, changed=changed)

    return make


_POINTING = re.compile(
    r"(?:it|this|that|you|u|he|she|they|there|what|who|which|everything|nothing|something|someone|people|here|i|we|these"
    r"|those|not|all|and|but|so|just|one|me|him|her|them|us|your|yours|ur|his|their|the (?:weather|rain)|no|thats|its|im)\b"
)


def _heads(words: str) -> tuple[frozenset[str], str]:
    """Triggers and pattern of the beginnings a predicate may have, written "live|lives|living"."""
    found = [word.strip() for word in words.split("|")]
    triggers = frozenset(re.findall(r"[a-z]+(?:[-'][a-z]+)*|\d+", word)[0] for word in found)
    return triggers, "(?:" + "|".join(
        sorted((re.escape(w).replace(r"\ ", " ") for w in found), key=len, reverse=True)
    ) + ")"


def plainly(head: Head) -> bool:
    """Said as true: neither denied nor ended, nor only thought or planned."""
    return not (head.negated or head.ended or head.used or head.thought or head.future)


def always(head: Head) -> bool:
    """Whatever the helping verbs: the rule looks at them itself."""
    del head
    return True


def _real(head: Head) -> bool:
    return not head.thought


def predicate(
    name: str,
    heads: str,
    tail: str,
    make: Made,
    *,
    be: bool | None = None,
    owned: bool = False,
    bare: bool | frozenset[str] = False,
    third: bool = True,
    when: When = plainly,
    whole: str | None = None,
    to_speaker: bool = False,
) -> Rule:
    """A rule on a clause's predicate: one of `heads`, then `tail`; `whole` is the pattern where heads only trigger it.

    `be`: whether a form of "to be" has to (or must not) stand before; `bare`: whether it may be said with the speaker
    left out ("allergic to nuts"), or for which of its first words; `owned`: "my … is".
    """
    triggers, begins = _heads(heads)
    if owned:
        triggers |= {f"{word}'s" for word in triggers}
    ended = "" if heads[-1] == "'" else r"(?![a-z])"
    pattern = re.compile((whole or begins + ended + tail).replace("{V}", V))

    groups = pattern.groupindex

    def build(match: re.Match[str], clause: Clause) -> Iterator[Said]:
        head = head_of(clause)
        if head.person == NOBODY or head.owned != owned or not when(head) or (head.person == OTHER and not third):
            return
        if (
            head.person == OTHER
            and not to_speaker
            and _ME.search(match[0][: max(0, match.start("v") - match.start() + 3)] if "v" in groups else match[0])
        ):
            return
        if head.person == ELIDED and not (head.be or head.have or head.negated or head.ended or head.used):
            if bare is False or (bare is not True and match[0].split()[0] not in bare):
                return
        elif be is not None and head.be != be and head.person != ELIDED:
            return
        for one in make(match, clause, head):
            yield _placed(one, clause)

    return Rule(name, triggers, pattern, build, negatable=True, anchored=True)


def states(
    attribute: str,
    heads: str,
    tail: str = r"\s{V}",
    *,
    many: bool = False,
    stop: str = "",
    most: int = 8,
    article: bool = True,
    be: bool | None = None,
    owned: bool = False,
    bare: bool | frozenset[str] = False,
    third: bool = True,
    changed: bool = False,
    former: bool = True,
    fixed: str | None = None,
    past: str = "former",
    check: re.Pattern[str] | None = None,
    refuse: re.Pattern[str] | None = None,
) -> Rule:
    """A rule that says one attribute; "used to", "no longer" and, where `past` says so, "was" make it a former one.

    `past`: what a past form means: "former", "same" or "no" (nothing). `fixed`: the value, when the words name none.
    """

    def make(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
        if head.thought or head.future or (head.negated and not head.ended):
            return
        gone = head.ended or head.used or (head.past and past == "former")
        if (head.past and not head.used and past == "no") or (gone and not former):
            return
        named = FORMER + attribute if gone else attribute
        if fixed is not None:
            values = [fixed]
        elif many:
            values = parts(clause.cut(match, "v"), stop=stop, most=most)
        else:
            values = [clean(clause.cut(match, "v"), stop=stop, most=most, article=article)]
        new = not gone and (changed or head.changed or bool(_NEWER.search(clause.flat, match.start())))
        for value in values:
            low = value.lower()
            if value and (check is None or check.search(low)) and not (refuse and refuse.search(low)):
                yield told(head, attribute=named, value=value, changed=new)

    return predicate(
        f"{attribute}: {heads.split('|')[0]}", heads, tail, make, be=be, owned=owned, bare=bare, third=third, when=_real
    )


def anywhere(
    name: str, triggers: str, pattern: str, make: Made, *, speaker: bool = False, presupposed: bool = False
) -> Rule:
    """A rule searched in the whole clause; `speaker`: only where the clause is the speaker's own.

    `presupposed`: also inside questions, requests and suppositions.
    """
    found = re.compile(pattern.replace("{V}", V))

    def build(match: re.Match[str], clause: Clause) -> Iterator[Said]:
        head = head_of(clause)
        if speaker and head.person not in (SPEAKER, ELIDED):
            return
        for one in make(match, clause, head):
            yield _placed(one, clause)

    return Rule(name, frozenset(triggers.split()), found, build, presupposed=presupposed)


def moment(clause: Clause, *, future: bool = False) -> tuple[datetime | None, datetime | None]:
    """The interval the sentence's first date names: past unless `future` is asked."""
    for date in (*find_dates(clause.raw, said_at=clause.said_at, language=clause.language), *clause.dates):
        if date.kind is not Kind.MOMENT:
            continue
        if future and date.ends > clause.said_at:
            return date.begins, date.ends
        if not future and date.begins <= clause.said_at:
            return date.begins, date.ends
    return None, None
