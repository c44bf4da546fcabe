"""People named by where they stand in a life: "Magda from HR", "cousin Evander", "Amara, our seven-year-old"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.family import tie_of
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, SPEAKER, Head, colleagues
from relembra.minds.offline.reader.english.saying import anywhere, predicate
from relembra.minds.offline.reader.english.syntax import COLLEAGUE, KIN_TITLE
from relembra.minds.offline.reader.english.words import NUMBER, PETS, TIE, name_at, one_tie

__all__ = ["RULES"]

_N = r"(?P<n>[a-z][\w'’-]*[a-z](?: [a-z][\w'’-]+)?)"
_OLD = rf"(?P<a>\d{{1,2}}|{NUMBER})[- ]?(?:(?:year|yr)s?[- ]?olds?|yo)"


def _named(clause: Clause, at: int) -> str:
    span = name_at(clause.raw, at, lower=False)
    return clause.raw[slice(*span)] if span else ""


def _colleague(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Priyanka from accounts", "covering for Stellan at work", "Oyelaran in dispatch"."""
    del match, head
    for name in colleagues(clause):
        yield tie_of(name, "colleague")


def _titled(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "cousin Evander's wedding", "auntie Bea"."""
    del head
    name = _named(clause, match.end())
    if name:
        yield tie_of(name, match["tie"])


def _of_mine(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "niece of mine, Saoirse", "boss is called Grainne", "best friend since nursery, Caoimhe"."""
    del head
    name = _named(clause, match.end())
    if name:
        yield tie_of(name, "best friend" if "best friend" in match[0] else " ".join(match["tie"].split()))


def _child_aged(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Amara, our seven-year-old"."""
    del head
    name = _named(clause, match.start("n"))
    if name and name.lower() == match["n"]:
        yield tie_of(name, "child")
        yield Said(attribute="age", value=match["a"], subject=name, relation="child")


def _my_aged(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "my 6 yr old will only eat …"."""
    if re.search(r"\b(?:have|has|got|'ve|with|for|raising|chasing)\s*$", clause.flat[: match.start()]):
        return  # told as a child of the speaker's
    name = _named(clause, match.end() + 1)
    if name:
        yield tie_of(name, "child")
    if head.person == NOBODY or name or head.name == "child":
        yield Said(attribute="age", value=match["a"], subject=name or "child", relation="child")


def _in_my(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "the drummer in my band, Laszlo"."""
    del head
    name = _named(clause, match.end())
    if name:
        yield tie_of(name, clause.cut(match, "r").lower())


def _the_many(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "the twins, Otis and Pearl"."""
    del head
    first, second = _named(clause, match.end()), ""
    if first:
        rest = re.compile(r"(?:,| and| &| n)+ ").match(clause.flat, match.end() + len(first))
        second = _named(clause, rest.end()) if rest else ""
    if first and second:
        for name in (first, second):
            yield tie_of(name, one_tie(match["many"]))


def _boss_changed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I no longer report to Sigrid"."""
    name = _named(clause, match.start("v"))
    if name and head.person == SPEAKER and (head.ended or head.used):
        yield Said(attribute="former_relation", value="manager", subject=name, relation="manager")


def _thats_my(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Flora's birthday is … — that's my god-daughter": of whoever was named right before."""
    one = next((one for one in head.others if one.name != one.relation and one.relation is None), None)
    if one is not None and clause.earlier.strip():
        yield tie_of(one.name, " ".join(match["tie"].split()))


def _of_another(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Tariq's wife Huda"."""
    del head
    owner, name = _named(clause, match.start("n")), _named(clause, match.end())
    if owner and name and owner.lower() == match["n"]:
        yield tie_of(name, f"{owner}'s {match['tie']}")


def _newborn(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "second one arrived on Thursday — a girl, Maryam"."""
    name = _named(clause, match.end())
    if name and head.person != OTHER and _BORN.search(clause.message.lower()):
        yield tie_of(name, "daughter" if match["k"] in ("girl", "daughter") else "son")


_BORN = re.compile(r"\b(?:arrived|born|gave birth|welcomed|newborn|baby)\b(?!.*\b(?:niece|nephew|aunt|uncle|friend)\b)")


def _pet_called(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Waffles (our guinea pig)", "our sausage dog Pickles"."""
    name = _named(clause, match.start("n"))
    if name and name.lower() == match["n"] and head.person != OTHER:
        yield tie_of(name, match["tie"])


RULES: tuple[Rule, ...] = (
    anywhere(
        "relation: from accounts", "from in at next on", COLLEAGUE.pattern, _colleague, presupposed=True,
    ),
    anywhere(
        "relation: cousin x", "cousin auntie aunty aunt uncle nephew niece nan nana grandma grandpa grandad granny gran",
        KIN_TITLE.pattern, _titled, presupposed=True,
    ),
    anywhere(
        "relation: niece of mine", "mine called named friend",
        rf"(?:^|[,.;!] )\W*(?:an? |and |so |but )*(?:best )?(?P<tie>{TIE})(?: of mine(?: called| named)?,?| of ours,?|(?:'s| is)"
        rf" (?:called|named)| since [a-z ]{{3,20}},) ", _of_mine,
    ),
    anywhere(
        "relation: x, our seven-year-old", "old olds yo year yr", rf"{_N},? (?:my|our) (?:\w+ )?{_OLD}(?![a-z])",
        _child_aged, presupposed=True,
    ),
    anywhere(
        "age: my six year old", "old olds yo year yr", rf"(?<![a-z])(?<!, )(?:my|our) (?:\w+ )?{_OLD}(?![a-z])(?!\s(?:{TIE}|car|house"
        r"|laptop|phone|bike|computer|macbook|van|fridge|boiler|self|contract|company|business|tv|sofa))", _my_aged, presupposed=True,
    ),
    anywhere(
        "relation: in my band", "in on from at",
        r"\b(?:the|a|our) (?P<r>[a-z-]+(?: [a-z-]+)? (?:in|on|from|at) my (?:\w+ )?(?:band|team|class|choir|office|building"
        r"|street|gym|club|course|squad|department|school|church|block|group|crew|village|ward|lab)),? (?:called |named )?", _in_my,
    ),
    anywhere(
        "relation: the twins", "twins girls boys kids dogs cats", r"(?:^|[,.;!] )\W*the (?P<many>twins|girls|boys|kids|dogs|cats),? \(?",
        _the_many,
    ),
    predicate(
        "relation: no longer report to", "report to|answer to", r"\s(?P<v>[a-z][\w'-]+)", _boss_changed, when=lambda h: h.ended or h.used,
    ),
    anywhere(
        "relation: that's my", "that's thats that", rf"^\W*that(?:'s|s| is) (?:my|our) (?:\w+ )?(?P<tie>{TIE})(?=\s*(?:$|[,.!—-]))", _thats_my,
    ),
    anywhere(
        "relation: x's wife y", "wife husband son daughter girlfriend boyfriend partner sister brother baby", r"(?<![a-z])(?P<n>[a-z][\w-]+)'s (?P<tie>wife|husband|son|daughter|girlfriend"
        r"|boyfriend|partner|sister|brother|baby),? ", _of_another,
    ),
    anywhere(
        "relation: a girl, x", "girl boy daughter son", r"(?:^|[,.;!—-] ?)\W*(?:it's |its )?(?:a|our) (?:baby |little |beautiful )*(?P<k>girl|boy|daughter|son)[,:!]? (?:called |named )?", _newborn,
    ),
    anywhere(
        "relation: our pet in brackets", "our my", rf"{_N} \(?(?:my|our) (?:[\w-]+ ){{0,2}}?(?P<tie>{PETS})(?=\s*(?:$|[,.!)]))", _pet_called,
        presupposed=True,
    ),
)  # fmt: skip
