"""What somebody is called, and their pronouns."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.knowledge import SELF
from relembra.minds.offline.flat import listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, Head
from relembra.minds.offline.reader.english.identity import NOT_NAME
from relembra.minds.offline.reader.english.saying import anywhere, predicate, said
from relembra.minds.offline.reader.english.words import name_at

__all__ = ["RULES"]


def _my_name(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    start = match.start("v")
    span = name_at(clause.raw, start) or _lower_name(clause, start)
    if span is None:
        return
    name = clause.raw[slice(*span)]
    if head.person == OTHER:
        tie = head.relation or head.name
        if head.name == tie:  # "my sister's name is Clara"
            yield Said(
                attribute="relation", value=tie, subject=name, relation=tie, person={"name": name, "relation": tie}
            )
        return
    yield Said(attribute="name", value=name)


def _lower_name(clause: Clause, start: int) -> tuple[int, int] | None:
    match = re.compile(r"[a-z]{2,15}(?=\s*(?:$|[,.!]|and\b|but\b))").match(clause.flat, start)
    if match and match[0] not in (
        "not",
        "on",
        "in",
        "hard",
        "too",
        "very",
        "the",
        "so",
        "also",
        "really",
        "misspelled",
    ):
        return match.span()
    return None


_NICK = re.compile(
    r"(?:(?:please |just |u can |you can |you may |feel free to |everyone |everybody"
    r" |people |friends |my friends |they |all |most people |folks )+"
    r"(?:can |just |all |always |usually )?call(?:s)? me|call me|i (?:usually |mostly"
    r" |also |actually |prefer to |'d rather )?(?:go by|be called)"
    r"|(?:i )?(?:prefer|like) (?:to be called|being called)|(?:i'm|im|i am) (?:known"
    r" as|called|nicknamed)|my (?:nickname|nick|pen ?name) (?:is|'s)"
    r"|(?:i )?(?:only |also |happily |mostly |usually )?answer to(?! [a-z]+ (?:and|now|since|instead)\b)(?=(?: (?:just|the name))? [a-z]{2,6}\W*$)|goes by)\s(?:the name |just |by )?(?P<v>[^;!?()\n\"]{1,60})"
)


_NOT_NICK = frozenset(
    listed(
        "crazy when later back if at on in a an the sir tomorrow tonight now out maybe"
        " old boring dumb stupid lazy it by what weird"
        " late early again soon anyway names things first back-up daily weekly every"
    )
)


def _nickname(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    start = match.start("v")
    if re.search(r"\b(?:don'?t|do not|never|stop|hate|why|nobody|they'd|used to)\b", clause.flat[: match.start("v")]):
        return
    span = name_at(clause.raw, start)
    if span is None:
        low = re.compile(
            r"(?:mr\.? |ms\.? |mrs\.? |dr\.? )?[a-z]{2,14}(?=\s*(?:$|[,.!]|please|pls|instead"
            r"|from|not|for short|everyone))"
        ).match(clause.flat, start)
        if low is None or low[0] in _NOT_NICK:
            return
        span = low.span()
    yield Said(attribute="nickname", value=clause.raw[slice(*span)])


def _self_name(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I'm Clara": a name the finder took for the speaker's own."""
    if head.person not in (1, ELIDED) or head.negated or head.thought:
        return
    span = name_at(clause.raw, match.start(), lower=True)
    if span is None:
        return
    name = clause.raw[slice(*span)]
    rest = clause.flat[span[1] :]
    own = any(one.relation == SELF and one.name.startswith(name.split()[0]) for one in clause.names)
    opening = bool(
        re.match(
            r"\W*(?:(?:hi|hello|hey|hiya|yo|oh|sorry|morning|good \w+)\b\W*(?:there|all|everyone"
            r"|guys)?\W*)?(?:i'?m|i am|this is|it's)\s",
            clause.flat,
        )
    )
    ends = re.match(r"\s*(?:$|[,.!]|(?:from|but|and|by the way|btw|nice|pleased)\b|\d)", rest)
    if (own or (opening and ends)) and ends and not NOT_NAME.match(name.lower()):
        yield Said(attribute="name", value=name)


def _pronouns(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = re.sub(r"\s*/\s*|\s+and\s+", "/", clause.cut(match, "p").lower())
    yield said("pronouns", value, head)


RULES: tuple[Rule, ...] = (
    predicate(
        "name: my name is", "name|full name|first name|real name|actual name|legal name|government name|given name|birth name|proper name|maiden name|surname|last name|family name",
        r"\s?(?:is|was|'s|s|=|:)\s(?:actually |really )?(?P<v>.{1,60})", _my_name, owned=True,
    ),
    anywhere(
        "name: name's", "name's names name",
        r"^\W*(?:hi|hello|hey)?\W*(?:the |my )?(?:legal |full |real |first |given )?name(?:'?s"
        r"| is|:) (?P<v>[^,.;!?]{1,40})", _my_name, speaker=True,
    ),
    anywhere(
        "nickname", "call calls by called known nickname nick answer nicknamed penname", _NICK.pattern,
        _nickname,
    ),
    Rule(
        "name: i'm", frozenset(["i'm", "im", "i", "is", "it's"]), re.compile(r"(?:[a-z'’-]+)"), lambda m, c:
        _self_name(m, c, c.who) if isinstance(c.who, Head) and c.who.be and not c.who.owned else (), negatable=
        True, anchored=True,
    ),
    anywhere(
        "pronouns", "pronouns pronoun",
        r"pronouns?\s?(?:are|is|:|=|'re)?\s?(?P<p>(?:she|he|they|xe|ze|it)(?:\s?/\s?(?:her"
        r"|him|them|they|she|he|hers|his|theirs|xem|hir)| and \w+){1,2})", _pronouns,
    ),
    anywhere(
        "pronouns: me as", "he him she her they them",
        r"\b(?:refer to me as|me as|me with|for me,?|i'm|im|i am|me:) (?P<p>(?:she"
        r"|he|they)\s?/\s?(?:her|him|them|they))\b", _pronouns,
    ),
    anywhere(
        "pronouns: use", "use go uses goes",
        r"(?:i|she|he|they|[a-z]+) (?:use|go by|uses|goes by) (?P<p>(?:she|he|they"
        r"|xe|ze)\s?/\s?(?:her|him|them|they|she|he|xem|hir)(?:/\w+)?)", _pronouns,
    ),
    anywhere(
        "name: on my passport", "name",
        r"\bname on (?:my|the) (?:passport|birth certificate|id|card|licen[cs]e|badge"
        r"|account|ticket) is (?P<v>.{2,50})", lambda m, c, h: _my_name(m, c, Head(name=SELF, person=1)),
    ),
    anywhere(
        "nickname: says", "says say calls call",
        r"\b(?:everyone|everybody|people|friends|my (?:friends|family|mates|mum|mom"
        r"|wife|husband))(?: at work| at home| else| here)?,? (?:just |always |usually"
        r" )?(?:says?|calls? me) (?P<v>[A-Za-z]{2,15})\b", _nickname,
    ),
)  # fmt: skip
