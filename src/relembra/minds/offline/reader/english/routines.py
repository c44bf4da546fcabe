"""Whatever somebody does again and again, by how often and not by which verb; days of the week; hours in passing."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.habits import OFTEN, VERBS
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.hours import TIME
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, said
from relembra.minds.offline.reader.english.syntax import VERB_S
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES"]

_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mons?|tues?|weds?|thurs?|thu|fris?|sats?|suns?|weekdays?|weekends?)"
_DAYS = rf"{_DAY}(?:(?:,| and|, and| n| &| or|/|-| to| through) ?{_DAY})*(?: (?:morning|evening|night|afternoon)s?)?"
_OFTEN = re.compile(
    rf"(?<![a-z])(?:{OFTEN}|(?:every|each) {_DAYS}|on {_DAY} (?:morning|evening|night|afternoon)s|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:morning|evening|night)s)(?![a-z])"
)
_KNOWN_VERBS = frozenset(word.split()[0] for word in VERBS.split("|"))
_STATES = frozenset(
    listed(
        "be am is are was were been being have has had want wants need needs think thinks know knows feel feels like likes love loves hate hates hope"
        " hopes wish guess mean means live lives earn earns owe owes die dies cry cries worry worries wonder can could should will would gotta forget"
        " forgets remember fail fails hear hears fall falls end ends wake wakes sleep sleeps work works went did got took made saw came ran met ate drank"
        " left said told felt thought knew became began bought broke brought built drove gave grew kept lost paid put quit read rode sang sat sent slept"
        " spent spoke stood swam taught threw woke won wore wrote born crash crashes glitch keep keeps seem seems look looks sound sounds agree miss misses"
        " deserve thank thanks dread dreads enjoy enjoys prefer prefers let lets going gonna having feeling getting thinking seeing being trying wondering"
        " looking struggling dying crying freaking not never always already still ask asks say says tell tells promise swear believe doubt update share"
        " wfh lose loses break breaks rain rains happen happens hurt hurts ache aches panic panics argue argues fight fights"
    )
)


def _any_verb(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I tutor on weekends", "pulling doubles every fri n sat", "my wife crochets on Sunday evenings"."""
    verb = match["w"]
    if (
        head.person == NOBODY
        or head.thought
        or head.future
        or head.past
        or head.used
        or head.ended
        or head.negated
        or head.owned
        or "'s" in (head.relation or "")
        or verb in _KNOWN_VERBS
        or verb in _STATES
        or verb.endswith(("ed", "ly", "'s", "n't"))
    ):
        return
    gerund = verb.endswith("ing")
    if gerund and not (head.be or head.person == ELIDED):
        return
    if not gerund and (
        head.be
        or head.have
        or head.person == ELIDED
        or (head.person == OTHER and not head.plural) != verb.endswith("s")
    ):
        return
    often = _OFTEN.search(clause.flat, match.end("w"))
    if often is None and _AT_IT.search(clause.sentence.lower()) and not clause.earlier.strip():
        value = clean(clause.raw[match.start() :], stop="been|because|so|but", most=8, article=False)
        if value and " " in value and not gerund:
            yield said("habit", value, head)
        return
    if (
        often is None
        or often.start() - match.start() > 70
        or re.search(r"\b(?:my (?:feet|body|back)|error|this app|it)\b", match["o"])
    ):
        return
    value = clause.raw[match.start() : often.end()].strip(" ,.!")
    if 2 <= len(value.split()) <= 12 and "," not in value:
        yield said("habit", value, head)


_NO_NOUN = re.compile(
    r"^(?:the|this|that|a|an|same|my|your|his|her|happy|merry|good|great|nice|so|very|too|not|no|it|there|here|all|some|more|deadline|error|rain|drama|fights?|headaches?"
    r"|meetings?|what|how|see|thanks|back|just|new|another|going|being|getting|having|tired|busy|late|stuck|same|updates?|sale|traffic|nothing|something|people|everyone)\b"
)


def _noun_often(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "cold showers every morning", "gym three times a week": a thing and how often, no verb at all."""
    if head.person != ELIDED or head.be or head.have or head.negated or clause.flat[: match.start()].strip(" ,"):
        return
    often = _OFTEN.match(clause.flat, match.end("n") + 1)
    noun = match["n"]
    first, last = noun.split()[0], noun.split()[-1]
    if often is None or _NO_NOUN.match(noun) or re.match(r"\s*[a-z]", clause.flat[often.end() :]) or noun in _STATES:
        return
    second = noun.split()[1] if " " in noun else ""
    if second in VERB_S or second in ("needs", "takes", "wants", "gets", "goes"):  # somebody's doing: "Ziggy needs …"
        return
    if (
        first in _STATES
        or first in _KNOWN_VERBS
        or first.endswith(("ed", "ly"))
        or last in ("is", "are", "was", "for", "to", "in", "and")
    ):
        return
    yield said("habit", clause.raw[match.start() : often.end()].strip(" ,.!"), head)


def _be_at(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I'm at the gym by 6 most mornings"."""
    often = _OFTEN.search(clause.flat, match.end())
    often = often or _OFTEN.search(clause.flat, match.start("o"))
    if (
        often is None
        or head.negated
        or head.past
        or head.thought
        or head.future
        or head.used
        or often.start() - match.start() < 6
    ):
        return
    value = clause.raw[match.start() : often.end()].strip(" ,.!")
    if 4 <= len(value.split()) <= 11 and not re.search(r"\b(?:mg|mcg|pills?|meds|call|tablets?|diet)\b", value.lower()):
        yield said("habit", value, head)


_AT_IT = re.compile(r"\b(?:been (?:doing (?:it|that|this)|at it)|have (?:done )?(?:since|for))\b")


def _day_for(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "sundays = laundry, meal prep", "Mondays are my day off", "Fridays are for pizza"."""
    if head.person == OTHER and head.relation:
        return
    what = clean(clause.cut(match, "v"), stop="because|so|but|which", most=10, article=False, cut_and=False)
    if not what or re.match(
        r"(?:the (?:worst|best|day|deadline)|so|too|always (?:so|hard)|hard|awful|great|when|a (?:drag|nightmare|mess)|my (?:birthday|favou?rite|least))\b",
        what.lower(),
    ):
        return
    off = re.match(
        r"my (?:day|days|only day|rest day|one day)\b|(?:my )?(?:gym|rest|leg|wfh|office) days?", what.lower()
    )
    days = " ".join(clause.cut(match, "d").split())
    yield Said(attribute="schedule" if off else "habit", value=f"{days}: {re.sub(r'^(?:my|for) ', '', what)}")


def _works_days(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought or head.past or head.future or head.person == NOBODY:
        return
    value = " ".join(clause.raw[match.start() : match.end()].split())
    yield said("schedule", re.sub(r"^works? ", "", value, flags=re.IGNORECASE), head)


def _has_on(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I have choir practice on Wednesday evenings": a thing had on days that come again."""
    if head.negated or head.thought or head.past or head.future or head.person == NOBODY:
        return
    what = clean(clause.cut(match, "v"), most=5)
    if what and not re.match(r"(?:time|nothing|something|free|no|a (?:day|lot)|class(?:es)? with|off)\b", what.lower()):
        yield said("schedule", f"{what} {clause.cut(match, 'd')}", head)


def _not_since(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "haven't touched a vape since New Year's", "I haven't had a drink in two years"."""
    if not head.negated or head.person not in (SPEAKER, ELIDED, OTHER) or head.thought:
        return
    what = clean(clause.cut(match, "v"), stop="since|in|for|all", most=4)
    if what and _VICE.search(what.lower()):
        begins, _ = moment(clause)
        value = match[0].split()[0] if match[0].startswith(("smoked", "drunk", "vaped", "gambled")) else what
        yield (
            said("former_habit", value, head)
            if begins is None
            else Said(
                attribute="former_habit",
                value=value,
                subject=head.name if head.person == OTHER else "self",
                relation=head.relation,
                held_from=begins,
            )
        )


_VICE = re.compile(
    r"\b(?:vap\w*|cig\w*|smok\w*|drinks?|drop|booze|alcohol|beer|wine|weed|joint|soda|coffee|sugar|meat|fast food|casino|slot\w*|bet|tiktok|instagram|juul|nicotine"
    r"|chocolate|energy drinks?|pill|porn|gambl\w*)\b"
)


def _only(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I only shop second-hand": the word stands among the helping ones."""
    if (
        head.negated
        or head.thought
        or head.past
        or head.future
        or not clause.flat[: match.start()].rstrip().endswith("only")
    ):
        return
    value = clean(clause.raw[match.start() :], stop="because|so|but|when|if|on principle|where", most=7, article=False)
    if value and " " in value and not re.search(r"\b(?:this|that|it|one|once|a few|\d+|got|left)\b", value.lower()):
        yield said("habit", f"only {value}", head)


def _when_day_starts(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != OTHER:
        yield Said(attribute="wake_time", value=clause.cut(match, "v"))


def _us_in_bed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    if not re.search(r"\b(?:today|tonight|last night|tomorrow)\b", clause.flat):
        yield Said(attribute="bedtime", value=clause.cut(match, "v"))


_BEFORE = re.compile(rf"(?P<v>{TIME}) is\s*$")
_TRIGGERS = (
    "every|each|daily|weekly|nightly|once|twice|three|four|five|a|most|on|at|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays|religiously"
    "|monday|tuesday|wednesday|thursday|friday|saturday|sunday|been"
)
RULES: tuple[Rule, ...] = (
    predicate(
        "habit: any verb", _TRIGGERS, "", _any_verb, bare=True, when=always, whole=
        r"(?P<w>[a-z][a-z'-]{2,})(?P<o>\s.{2,110})",
    ),
    predicate(
        "habit: noun and how often", _TRIGGERS, "", _noun_often, bare=True, when=always, whole=
        r"(?P<n>[a-z][a-z'-]+(?: (?!every|each|on|at|most|once|twice)[a-z'-]+){0,3})(?P<o>\s.{3,40})",
    ),
    predicate(
        "habit: be at", "at|in|on|out|off", r" (?!it\b|this\b|that\b)(?P<o>.{3,60})", _be_at, be=True, when=always,
    ),
    anywhere(
        "habit: day for", "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays",
        rf"^\W*(?:and |so |my )?(?P<d>{_DAYS})(?:\s?[=:]\s?|\s(?:are|is|means?) (?:for |reserved for |all about"
        rf" )?)(?P<v>[^;!?()\n]{{3,80}})", _day_for,
    ),
    predicate(
        "schedule: works days", "wfh|work from home|works from home|work remotely|in the office|in office|work|works"
        "|off|on call|on site|on-site|remote", rf"(?: on| only on| every)? {_DAYS}(?![a-z])",
        _works_days, bare=frozenset(["wfh", "off", "work", "in"]), when=always,
    ),
    predicate(
        "schedule: has on", "have|has|got|do|does|'ve got", rf"\s(?P<v>[\w' -]{{3,35}}?) (?P<d>(?:on |every )(?:(?:mon"
        rf"|tues|wednes|thurs|fri|satur|sun)days\b(?: and {_DAY})?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
        rf" (?:morning|evening|night|afternoon)s))", _has_on, bare=frozenset(["have", "got"]),
    ),
    predicate(
        "former habit: not since", "touched|had|smoked|drunk|eaten|vaped|gambled|bought|opened", r"\s(?:an? |any |the "
        r"|one |a single )*(?P<v>[\w' -]{3,25}?)(?= (?:since|in (?:\w+ )?(?:years?|months?|weeks?|ages)|for (?:\w+"
        r" )?(?:years?"
        r"|months?|weeks?)))", _not_since, bare=True, when=lambda h: h.negated,
    ),
    predicate(
        "habit: only", "shop|shops|buy|buys|drink|drinks|wear|wears|read|reads|watch|watches|listen|listens|travel"
        "|travels|fly|flies|cook|cooks|use|uses|drive|drives|cycle|order|sleep|sleeps|date|dates|invest|play|plays",
        r"\s.{3,80}",
        _only, when=always,
    ),
    predicate(
        "habit: keeps a journal", "keep|keeps|write|writes", r" (?P<v>(?:an? |my |his |her )?(?:\w+ )?(?:journal|diary"
        r"|log|blog|scrapbook|allotment|sketchbook|newsletter|bees|chickens))(?![a-z])", lambda m, c, h: [said("habit",
        c.raw[m.start() : m.end()], h)] if not (h.negated or h.past or h.thought or h.future or h.used) else [], when=
        always,
    ),
    predicate(
        "habit: sober", "sober|teetotal|smoke-free|smoke free|alcohol-free|alcohol free", r"(?= (?:since|for|now|these days))", lambda m, c, h: [
        said("habit", m[0], h)] if not (h.negated or h.past or h.thought or h.future) else [], be=True, bare=True, when=always,
    ),
    anywhere(
        "schedule: days off", "off", r"(?:^|[,;] |\b(?:and|with|have|get|got|my) )(?P<v>(?:every )?(?:mon|tues|wednes"
        r"|thurs|fri|satur|sun)days(?:(?:,| and) (?:mon|tues|wednes|thurs|fri|satur|sun)days)* off)(?![a-z])", lambda m,
        c, h: [
        Said(attribute="schedule", value=c.cut(m, "v"))] if h.person != OTHER else [],
    ),
    anywhere(
        "wake time: is when", "when", rf"(?:^|[,.] )\W*(?P<v>{TIME}) is when (?:my (?:day|morning|alarm) \w+|i (?:get"
        rf"|wake|roll|crawl)\b)", _when_day_starts,
    ),
    anywhere(
        "wake time: is when, split", "day morning", r"^\W*when my (?:day|morning) starts", lambda m, c, h: [Said(
        attribute="wake_time", value=t["v"])] if (
        t := _BEFORE.search(c.earlier)) else [], presupposed=True,
    ),
    anywhere(
        "bedtime: has us in bed", "bed", rf"\b(?:has|have|puts?|gets?|wants?) (?:us|me|the whole \w+) (?:all )?(?:in"
        rf"|to) bed (?:by|at|before) (?P<v>{TIME})(?![a-z0-9])", _us_in_bed,
    ),
    predicate(
        "bedtime: goes down", "goes down|go down|is down|down|knocks out|conks out|out cold", rf" (?:at|by|around"
        rf"|before) (?P<v>{TIME})(?![a-z0-9])(?! (?:stairs|min))", lambda m, c, h: [said("bedtime", c.cut(m, "v"), h)]
        if h.person ==
        OTHER and re.search(r"baby|toddler|little|kid|son|daughter|twin|newborn|child|boy|girl", h.relation or "") else
        [], when=always,
    ),
)  # fmt: skip
