"""What somebody does again and again: habits, hours, schedules, and how they want to be spoken to."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.health import CONDITION, DRUGS
from relembra.minds.offline.reader.english.saying import always, moment, predicate, said, states, told
from relembra.minds.offline.reader.english.words import clean

__all__ = ["OFTEN", "RULES", "VERBS"]

OFTEN = (
    r"(?:every (?:single )?(?:day|morning|night|evening|afternoon|week|weekend|weekday"
    r"|month|year|summer|winter|spring|autumn|fall|other \w+|two \w+|few \w+|(?:mon"
    r"|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june"
    r"|july|august|september|october|november|december|christmas|easter)"
    r"|each (?:day|morning|night|week|weekend|year|evening|summer)|daily|weekly|nightly"
    r"|(?:once|twice|three times|four times|five times|six times|\d+ ?(?:x|times)|a"
    r" few times|a couple of times) (?:a|per|every|/)\s?(?:day|week|month|year)|\d"
    r" ?x ?/?(?: ?(?:a|per) )?(?:week|wk|day)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days(?: (?:and|or|mornings?|nights?"
    r"|evenings?|afternoons?)(?: (?:mon|tues|wednes|thurs|fri|satur|sun)days?)?)?|on"
    r" weekends|at weekends|on weekdays|most (?:days|nights|mornings|weekends|evenings"
    r"|sundays)|before (?:bed|work|breakfast)|after (?:work|dinner|lunch)|first thing"
    r" in the morning|in the mornings|in the evenings|all the time|religiously|like"
    r" clockwork|(?:mon|tues|wednes|thurs|fri|satur|sun)days|without fail|alternate"
    r" \w+|every other \w+|most of the time|a day|a week)"
)
_OFTEN_RE = re.compile(rf"(?<![a-z])(?P<o>{OFTEN})(?![a-z])")
VERBS = (
    r"go|goes|run|runs|swim|swims|walk|walks|jog|jogs|cycle|cycles|bike|bikes|meditate"
    r"|meditates|pray|prays|read|reads|write|writes|journal|journals|cook|cooks|bake"
    r"|bakes|do|does|play|plays|practice|practise|practices|practises|train|trains"
    r"|lift|lifts|work out|works out|exercise|exercises|drink|drinks|eat|eats|have"
    r"|has|take|takes|watch|watches|listen|listens|call|calls|visit|visits|volunteer"
    r"|volunteers|donate|donates|attend|attends|meet|meets|knit|knits|paint|paints"
    r"|draw|draws|garden|gardens|hike|hikes|climb|climbs|dance|dances|sing|sings|fast"
    r"|fasts|nap|naps|skip|skips|stretch|stretches|smoke|smokes|vape|vapes|check|checks"
    r"|make|makes|get|gets|send|sends|spend|spends|study|studies|row|rows|ride|rides"
    r"|surf|surfs|bite|bites|teach|teaches|babysit|babysits|shop|shops|clean|cleans"
    r"|order|orders|commute|commutes|see|sees|use|uses|host|hosts|box|boxes|keep|keeps"
    r"|stay|stays|ski|skis|camp|camps|fish|fishes|walk my|foster|fosters|brew|brews"
    r"|coach|coaches|wear|wears|feed|feeds|pick|picks|drop|drops|leave|leaves|give"
    r"|gives|pay|pays|put|puts|start|starts|finish|finishes|wash|washes|water|waters"
    r"|tend|tends|help|helps|mentor|mentors|chair|chairs|lead|leads|turn|turns|switch"
    r"|switches|log|logs|weigh|weighs|track|tracks|buy|buys|bring|brings|try|tries"
    r"|invest|invests|save|saves"
)


_TRIVIAL = re.compile(
    r"^(?:(?:take|takes|have|has|do|does|use|uses) (?:one|it|them|that|mine)\b|have to|has to|get (?:a|this|the) (?:message|error)|see (?:you|the|this|it"
    r"|that)|do (?:you|it|this|that)|have (?:a )?(?:question|problem|doubt|feeling"
    r"|idea)|make sense|get it|try to|need|want|take (?:it|this)|use (?:this|it|you)"
    r"|start (?:with|to)|put it|give (?:me|up)|keep (?:getting|having|thinking|in)"
    r"|leave it|buy it|help me|check (?:this|it|that)|turn (?:it|this))\b"
)


_ILLNESS = re.compile(rf"^(?:have|has|get|gets) (?:\w+ ){{0,2}}{CONDITION}(?![a-z])")


def _habit(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == NOBODY or head.thought or head.future or head.be or (head.negated and not head.ended):
        return
    often = _OFTEN_RE.search(clause.flat)
    if re.match(
        r"(?:take|takes|use|uses) .{0,30}(?:\d ?m?c?g\b|pills?|meds|medication|tablets?)"
        r"|(?:have|has|get) (?:an? |the |my |another )?(?:\w+ )?(?:meeting|appointment"
        r"|interview|call|kids|allergy)|(?:make|get|makes) (?:about |around )?[$£€\d]|teach(?:es)?"
        r" |(?:get|gets|wake|wakes|go|goes) (?:up|to bed|to sleep)",
        clause.flat[match.start() :],
    ):
        return
    if often is None:
        opening = _OFTEN_RE.search(clause.sentence.lower()[:30])
        if opening is not None and opening.start() < 4 and clause.earlier.strip() and head.person == SPEAKER:
            rest = clean(clause.raw[match.start() :], stop="because|so|which|since|but|until", most=8, article=False)
            if len(rest.split()) >= 2:
                yield said("habit", f"{rest} {opening['o']}", head)
        return
    if _TRIVIAL.match(clause.flat[match.start() :]) or _ILLNESS.match(clause.flat[match.start() :]):
        return
    start = match.start()
    end = max(often.end(), start)
    if often.start() < start:
        body = clean(
            clause.raw[start:],
            stop="and then|because|so|which|since|but|until|for as",
            most=12,
            article=False,
            cut_and=False,
        )
        value = f"{body} {clause.raw[slice(*often.span('o'))]}"
    else:
        value = clause.raw[start:end]
        if len(value.split()) > 14:
            return
    value = value.strip(" ,.!")
    if len(value.split()) < 2 or "   " in value:
        return
    gone = head.used or head.ended
    yield told(head, attribute=(FORMER if gone else "") + "habit", value=value, changed=head.changed)


_HABIT_NOUN = (
    r"(?:smok\w+|vap\w+|drink\w+|alcohol|cigarettes|weed|caffeine|coffee|sugar|social"
    r" media|instagram|tiktok|facebook|twitter|meat|gambling|soda|energy drinks|biting"
    r" my nails|nail biting|the gym|running|weed|nicotine|junk food|snus|red meat|booze"
    r"|cigs|fizzy drinks|chewing tobacco|porn|sweets|chocolate|fast food)"
)


def _quit(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.negated:
        return
    begins, _ = moment(clause)
    value = clean(
        clause.cut(match, "v"),
        stop="in|on|for|last|this|when|\\d+|a|two|three|four|five|six|about|almost|cold|over"
        "|years|months|ago|back|because|after|since|completely",
        most=4,
    )
    if value:
        yield told(head, attribute="former_habit", value=value, held_from=begins)


def _used_to(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I used to smoke", "used to swim laps before work": what no other rule reads as something better."""
    if not head.used or head.be or head.negated or head.thought or head.person == NOBODY:
        return
    if re.match(
        r"(?:be|live|work|have|own|love|like|hate|think|believe|study|teach|speak|date"
        r"|weigh|take|want|rent|reside|know|need|feel|drive (?:a|an|the) (?:bus|taxi|truck"
        r"|lorry)|run a|manage|get (?:so|really|very|it|that|this)|support|prefer|enjoy"
        r"|adore|do (?:that|it|this))\b",
        match[0],
    ):
        return
    value = clean(
        clause.raw[match.start() :],
        stop="but|until|when|so|though|which|since|and (?:then|now)|because|my (?:husband|wife|partner)",
        most=8,
        article=False,
    )
    if value:
        yield said("former_habit", value, head)


def _smoke(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.past:
        return
    if head.negated and not head.ended:
        if head.person == OTHER or match["v"].startswith("a "):
            return
        yield Said(
            attribute="habit",
            value=f"does not {match['v'].split()[0].rstrip('s')}",
            content=f"Does not {match['v'].split()[0]}",
        )
        return
    yield told(
        head,
        attribute=(FORMER if head.ended or head.used else "") + "habit",
        value=clean(clause.cut(match, "v"), stop="when|because|but|if|since", most=8, article=False),
    )


def _took_up(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "took up pottery", "started going to the gym", "got into climbing"."""
    if head.thought or head.future or head.negated:
        return
    value = clean(
        clause.cut(match, "v"),
        stop="last|this|in|on|when|because|after|since|with|instead|as|recently|two|three|a"
        "|about|again|at|to (?:help|lose|get|relax|stay)|during",
        most=6,
    )
    if re.search(r" as (?:an?|our|my) ", clause.flat):
        return
    if re.match(r"(?:the|this|that|it|a) ", clause.cut(match, "v").lower()) and not re.match(
        r"the (?:mandolin|guitar|piano|violin|gym|drums|cello|banjo|ukulele|saxophone|flute)",
        clause.cut(match, "v").lower(),
    ):
        return
    if (
        not value
        or DRUGS.match(value.lower())
        or re.match(
            r"(?:\d|jan|feb|mar|apr|may|june|july|aug|sept|oct|nov|dec|adoption|process|waking"
            r"|school|year|nursery|kindergarten|reception|secondary|a|an|the|my|it|this|that"
            r"|work|feeling|getting|having|being|seeing|thinking|to|trouble|trying|noticing"
            r"|looking|an? argument|space|fights?|crying|reading (?:this|that|it)|watching"
            r" (?:this|that|it)|making|wondering|worrying|believing|saving|learning|wearing"
            r"|a fight|losing|at|as|working|studying|taking|dating|planning|writing (?:a|this)"
            r"|college|university|uni|bed|position)\b",
            value.lower(),
        )
    ) and not re.match(
        r"(?:the (?:mandolin|guitar|piano|violin|gym|drums|cello|banjo|ukulele)|wearing"
        r"|writing (?:a )?(?:journal|diary)|learning|a (?:new )?hobby)",
        value.lower(),
    ):
        return
    yield said("habit", value, head, changed=True)


RULES: tuple[Rule, ...] = (
    predicate(
        "habit", VERBS, r"\b.{0,120}", _habit, bare=frozenset(["go", "run", "swim", "walk", "meditate", "pray",
        "read", "journal", "drink", "work", "lift", "cycle", "jog"]), when=lambda h: not h.used,
    ),
    predicate(
        "habit: used to", VERBS + "|stay|party|gamble|collect|skateboard|compete|perform|box|fence|act|model"
        "|dj|blog|vape|stream|commute|binge|worry|bike|cycle|row|ski|surf|skate|dance", r"\b.{0,90}", _used_to,
        bare=True, when=lambda h: h.used,
    ),
    predicate(
        "habit: quit", "quit|stopped|gave up|given up|kicked|cut out|gave|off|done with|ditched|packed"
        " in|packed up|laid off|swore off|haven't touched",
        rf"\s(?:up\s|the\s)?(?P<v>{_HABIT_NOUN}[^;!?()\n]{{0,50}})", _quit, bare=True, when=always,
    ),
    predicate(
        "habit: smoke", "smoke|smokes|vape|vapes|drink|drinks|gamble|gambles", "", _smoke, whole=
        r"(?P<v>(?:smokes?|vapes?|gambles?)(?: (?:about |around |like )?[^;!?()\n,]{0,30})?"
        r"|drinks? (?:alcohol|socially|too much|heavily|wine most)\b[^;!?()\n,]{0,20}"
        r"|drinks?(?=\s*(?:$|[,.!]|and smoke|or smoke|at all|anymore|any more)))(?![a-z])", when=always,
    ),
    predicate(
        "habit: took up", "took up|taken up|got into|started|picked up|began|gotten into|taking up",
        r"\s(?:doing\s|going\s(?:to\s)?|playing\s|practi[cs]ing\s|learning\s|to (?:do" r"|go|play|learn)\s)?(?!(?:on |last |this |next |in )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may"
        r"|june|july|august|september|october|november|december|week|month|year|yesterday|today|there|here|at|with|as)\b){V}",
        _took_up, bare=frozenset(["took", "taken", "started", "picked", "got"]), when=always,
    ),
    predicate(
        "habit: haven't since", "smoked|vaped|gambled|drunk|had a drink|had a cigarette|touched alcohol|touched"
        " a drink|eaten meat|touched a cigarette", r"(?=\s(?:since|in|for))", lambda m, c, h: [Said(attribute=
        "former_habit", value=m[0])] if h.negated and h.person in (SPEAKER, ELIDED) else [], when=lambda h: h.
        negated,
    ),
    predicate(
        "habit: body", "crack|chew|twirl|grind|pick",
        r"\s(?P<v>my (?:knuckles|lips|hair|teeth|skin|cuticles|fingers|pens|nails))", lambda m, c, h: [said(
        "habit", m[0], h)] if not (h.negated or h.thought or h.future) else [], when=lambda h: not h.past,
    ),
    states(
        "habit", "bite|bites|biting", r"\s(?P<v>(?:my|his|her) nails[^;!?()\n]{0,10})", article=False, fixed=
        "bites nails",
    ),
    states(
        "habit", "hobby|hobbies|pastime|main hobby|ritual|biggest hobby|routine",
        r"\s?(?:is|are|'s|include|includes)\s{V}", owned=True, many=True, most=6,
    ),
    states(
        "habit", "collect|collects|collecting", r"\s{V}", stop=
        "since|for|from|as|because|with|my|his|her|in|on|at", many=True, refuse=re.compile(
        r"^(?:my|the|it|data|them|unemployment|kids|these|this|that|payment|rent)\b"),
    ),
    predicate(
        "habit: knit", "knit|knits|garden|crochet|crochets|birdwatch|sew|sews|bake|bakes|journal"
        "|paint|paints|climb|climbs|surf|surfs|sail|sails|hike|dance|dances|fish|skateboard"
        "|box|row|rows|cycle|cycles",
        r"(?=\s*(?:$|[,.!]|and\b|a lot|in my (?:spare|free)|for fun|competitively|mostly"
        r"|as a hobby|to relax|at the weekend))", lambda m, c, h: [said("habit", m[0], h)], when=lambda h: not (
        h.be or h.thought or h.negated or h.future or h.used or h.ended),
    ),
    predicate(
        "habit: member", "a member of|sing in|sings in|play in|plays in|train at|trains at|play for"
        "|plays for|sing with|a season ticket holder at|volunteer with|volunteers"
        " with|volunteer for|involved in|active in|play on", r"\s(?:an?\s|the\s)?{V}", lambda m, c, h: _member(m,
        c, h), when=always,
    ),
)  # fmt: skip


def _member(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.negated and not head.ended):
        return
    value = clean(clause.cut(match, "v"), stop="since|for|because|on|every|at|as|with|rehearsals?", most=6)
    verb = match[0][: match.start("v") - match.start()].strip()
    verb = re.sub(r"^(?:a|an|the) ", "", verb)
    if value and not re.match(r"(?:it|this|that|this project|them|traffic|bed)\b", value.lower()):
        yield said((FORMER if head.used or head.ended or head.past else "") + "habit", f"{verb} {value}", head)
