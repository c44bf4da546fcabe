"""People in passing: ages of several, bonds of friendship, children counted without a verb, proposals and partings."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.family import tie_of
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, told
from relembra.minds.offline.reader.english.words import NUMBER, PETS, TIE, name_at

__all__ = ["RULES"]

_KIDS = r"(?:kids?|children|child|sons?|daughters?|boys?|girls?|babies|toddlers?|teenagers?|teens|bairns|littles|little ones)"


def _ages(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "my daughters are 4 and 9"."""
    if head.person != OTHER or not head.plural or head.negated or head.past:
        return
    for number in re.findall(NUMBER, match["v"]):
        yield told(head, attribute="age", value=number)
    del clause


def _tie_said(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "he's my corgi", of somebody named before: `who` knows who is meant."""
    del clause
    if head.others and head.others[0].relation == " ".join(match["tie"].split()):
        one = head.others[0]
        if one.name != one.relation and one.relation:
            yield tie_of(one.name, one.relation)


def _friend(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "me and Omar go way back", "Priya and I have been friends since school"."""
    del head
    span = name_at(clause.raw, match.start("n"))
    if span and span[1] == match.end("n"):
        best = re.search(r"\bbest|bestie|bff", clause.message.lower())
        yield tie_of(clause.raw[slice(*span)], "best friend" if best else "friend")


def _counted(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "with four grown-up children I …", "no children ourselves", "three under three"."""
    if head.person == OTHER and head.relation and match.start() > 0:
        return
    value = " ".join(clause.cut(match, "n").split())
    if clause.muted and not re.match(r"\W*(?:and |but |so )?(?:with|as|having)\b", clause.flat):
        return
    none = value.lower().startswith(("no ", "zero ")) or value.lower() in ("no", "zero")
    yield Said(
        attribute="children",
        value="none" if none else value,
        content="Has no children" if none else f"Has children: {value}",
    )


def _in_list(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "not married, no kids, two cats"."""
    if head.person != ELIDED or clause.muted or len(re.findall(",", clause.sentence)) < 1:
        return
    for one in _LISTED.finditer(clause.flat):
        number, kind = one["n"], one["k"]
        none = number in ("no", "zero")
        if kind in ("kids", "children"):
            yield Said(
                attribute="children",
                value="none" if none else f"{number} {kind}",
                content="Has no children" if none else None,
            )
        elif not none:
            yield Said(
                attribute="relation",
                value=kind[:-1],
                subject=kind[:-1],
                relation=kind[:-1],
                content=f"Has {number} {kind}",
            )
    del match


_LISTED = re.compile(
    rf"(?:^|, |\band )\W*(?P<n>no|zero|{NUMBER}) (?P<k>kids|children|cats|dogs)(?=\s*(?:$|[,.!]|and\b))"
)


def _proposed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "he proposed at the game!!", "I popped the question and she said yes"."""
    begins, _ = moment(clause)
    if (
        head.thought
        or head.negated
        or re.match(r"\s(?:that|a|an|to (?:change|move|the)|we|as)\b", clause.flat[match.end() :])
    ):
        return
    close = head.person == SPEAKER or re.fullmatch(
        r"(?:\w+ )?(?:boyfriend|girlfriend|partner|bf|gf|man|woman)", head.relation or ""
    )
    alone = head.person == NOBODY and re.match(r"\W*(?:omg |so |and |then )*(?:he|she|they)\b", clause.flat)
    accepted = re.search(r"\b(?:said yes|of course|obv|ring|engaged|fianc)", clause.message.lower())
    if (close or alone) and (accepted or head.person == SPEAKER or close):
        yield Said(attribute="marital_status", value="engaged", changed=True, held_from=begins)


def _parted(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "me n kayla broke up"."""
    del head
    span = name_at(clause.raw, match.start("n")) or (match.span("n") if match["n"] not in _NOT_NAME else None)
    if span is None or span[1] != match.end("n"):
        return
    name = clause.raw[slice(*span)]
    begins, _ = moment(clause)
    yield Said(attribute="event", value=f"broke up with {name}", held_from=begins)
    yield Said(attribute="former_relation", value="partner", subject=name, relation="partner")


_NOT_NAME = frozenset(["he", "she", "they", "we", "you", "them", "him", "her", "it", "who", "both", "then"])


def _will_be(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I'm gonna be an aunt!!!": a birth in the family ahead."""
    if head.person == SPEAKER and not head.negated and not head.thought and head.future:
        yield told(head, attribute="event", value=f"going to be {clause.cut(match, 'v')}")


def _owns_pet(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "we're a two-dog household", "as a cat mom": how many, of what."""
    del head
    tie = match["tie"]
    yield Said(
        attribute="relation", value=tie, subject=tie, relation=tie, content=f"Has {clause.cut(match, 'n') or 'a'} {tie}"
    )


RULES: tuple[Rule, ...] = (
    predicate(
        "age: of several", "1|2|3|4|5|6|7|8|9|" + "|".join(str(n) for n in range(10, 40)) + "|two|three|four|five|six"
        "|seven|eight|nine"
        "|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen", "", _ages, be=True, when=always,
        whole=
        rf"(?P<v>{NUMBER}(?:,? (?:and|&) {NUMBER}|(?:, {NUMBER})+,? (?:and|&) {NUMBER}))(?=\s*(?:$|[,.!;]|years?|yrs?"
        rf"|so|now|and|but))",
    ),
    anywhere(
        "relation: he's my", "my our", rf"^\W*(?:and |but |so )?(?:he|she|they|it)(?:'s|s| is|'re) (?:my"
        rf"|our)\s+(?:[\w-]+\s){{0,2}}?"
        rf"(?P<tie>{TIE})(?![a-z'-])", _tie_said,
    ),
    anywhere(
        "relation: go way back", "back friends besties tight together mates buddies close",
        r"(?:\bme (?:and|n|&) (?P<n>[a-z][\w'-]+)) (?:(?:have |'ve |are |been )*(?:go way back|grew up together"
        r"|(?:best |good |close |old )?"
        r"(?:friends|mates|besties|buddies)|tight|inseparable))\b", _friend,
    ),
    anywhere(
        "children: counted", "kids children child sons daughters boys girls toddlers teenagers teens under littles"
        " babies kid",
        rf"(?:^\W*(?:and |but |so )?(?:with |having |we have |i have )?|\b(?:as )?(?:parents?|mum|mom|dad|mother"
        rf"|father) (?:of|to)"
        rf" )(?P<n>(?:{NUMBER}|no|zero)(?= (?:[\w-]+ ){{0,2}}?{_KIDS}\b(?! (?:in (?:my|the|a) class|per|a day|at"
        rf" (?:the|my) (?:school|work)))(?:"
        rf" ourselves| of (?:my|our) own| at home| i\b| under| to | and|,|$| in tow| here))(?: (?:[\w-]+"
        rf" ){{0,2}}?{_KIDS})?|{NUMBER} under"
        rf" {NUMBER}(?=\s*(?:$|[,.!])))", _counted, presupposed=True,
    ),
    anywhere(
        "relation: we named", "named called calling naming", rf"\b(?:named|called|calling|naming) (?:the|our|my)"
        rf" (?:new |little )?(?P<tie>{PETS}|baby|son|daughter|boy|girl) (?P<n>[a-z][\w'-]+)", lambda m, c, h: [tie_of(
        c.cut(m, "n"), m["tie"])] if h.person == SPEAKER and name_at(c.raw, m.start("n"), lower=False) else [],
    ),
    anywhere(
        "children: in a list", "kids children dogs cats", rf"(?:^|, |\band )\W*(?P<n>no|zero|{NUMBER}) (?P<k>kids"
        rf"|children|cats|dogs)(?=\s*(?:$|[,.!]|and\b))", _in_list,
    ),
    predicate(
        "event: became", "became|become|becoming|just became", r" (?P<v>(?:an? )?(?:first-time )?(?:grand(?:ma|pa"
        r"|mother|father|parents?|ad)|uncle|aunt(?:ie)?|dad|mum|mom|father|mother|parents?|godmother"
        r"|godfather))(?![a-z])", lambda m, c, h: [told(h,
        attribute="event", value=f"became {c.cut(m, 'v')}", held_from=moment(c)[0])] if not (h.negated or h.thought or
        h.future) else [], bare=True,
    ),
    anywhere(
        "children: an age for a child", "old olds yo", rf"\b(?:have|has|got|'ve|with|ve got|for my|raising|chasing)"
        rf" (?P<n>(?:an? |my |our )?(?:{NUMBER}|\d{{1,2}})[ -]?(?:year|yr|month|week)s?[ -]olds?(?: (?:and|&) (?:an?"
        rf" )?(?:{NUMBER}|\d{{1,2}})[ -]?(?:year|yr|month|week)s?[ -]olds?)?)"
        rf"(?=\s*(?:$|[,.!?;]|and|so|who|at home|to|but|in tow))", lambda m, c, h: [Said(attribute="children", value=
        c.cut(m, "n"), content=f"Has a child: {c.cut(m, 'n')}")] if h.person != OTHER and not h.negated else [],
    ),
    anywhere(
        "marital status: proposed", "proposed question knee", r"\b(?:proposed|popped the question|got down on one"
        r" knee)(?![a-z])", _proposed,
    ),
    anywhere(
        "event: me and x parted", "broke split", r"\bme (?:and|n|&) (?P<n>[a-z][\w'-]+) (?:just |finally |recently"
        r" )?(?:broke"
        r" up|split up|split|called it quits)(?![a-z])", _parted,
    ),
    predicate(
        "event: going to be", "an aunt|an uncle|a dad|a mom|a mum|a father|a mother|a grandma|a grandpa|a grandmother"
        "|a grandfather|a parent"
        "|parents|grandparents|a big sister|a big brother|a godmother|a godfather|a nan|a grandad", "", _will_be, when=
        always, whole=
        r"(?P<v>(?:an? )?(?:big )?(?:aunt|auntie|uncle|dad|mom|mum|father|mother|grandma|grandpa|grandmother"
        r"|grandfather|parents?|grandparents"
        r"|sister|brother|godmother|godfather|nan|grandad))(?=\s*(?:$|[,.!]|in|again|soon|by|this|next))",
    ),
    anywhere(
        "relation: pet parent", "mom mum dad mama parent owner household", rf"\b(?:as an? |i'?m an? |we'?re an?"
        rf" )(?:proud |new )?(?:(?P<n>two"
        rf"|three|four|one)[- ])?(?P<tie>{PETS})[- ](?:mom|mum|dad|mama|parent|owner|household)\b", _owns_pet, speaker=
        False,
    ),
)  # fmt: skip
