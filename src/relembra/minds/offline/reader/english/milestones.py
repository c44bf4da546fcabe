"""Goals and turning points in passing: one day I'm opening a shop, the PhD plan is off, licence in hand, made partner."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import anywhere, moment, predicate, told
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES"]

_AHEAD = re.compile(
    r"\b(?:one day|some ?day|before i(?:'m| am| hit| turn| die| retire)|by the time|by (?:age|my)|by (?:\d{2}\b|\d{4})|(?:vision board"
    r"|bucket list)|next (?:year|summer|spring|fall|autumn)|this year|in \d{4}|eventually|at some point|when i (?:retire|graduate))\b"
)
_BASE = {"running": "run", "getting": "get", "planning": "plan", "swimming": "swim", "quitting": "quit"}


_STEMS = frozenset(listed("mov writ bik tak driv rid liv mak hik retir danc becom hav rais sav relocat leav"))


def _base(verb: str) -> str:
    """The plain form of a verb in -ing that a goal begins with."""
    if verb in _BASE:
        return _BASE[verb]
    stem = verb.removesuffix("ing")
    if stem in _STEMS:
        return stem + "e"
    return stem


def _ahead(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "one day im opening a nail salon", "running the marathon before I hit 30"."""
    if (
        head.person not in (SPEAKER, ELIDED)
        or head.negated
        or head.thought
        or head.past
        or not _AHEAD.search(clause.sentence.lower())
    ):
        return
    if head.person == SPEAKER and not head.be:
        return
    verb, rest = match["w"], clause.raw[match.end("w") :]
    value = clean(
        f"{_base(verb)}{rest}",
        stop="but|because|so|before i|by the|with my|w my|its|it's|one day|someday|next|this (?:year|summer|spring|autumn|fall|winter)|in \\d",
        most=10,
        article=False,
    )
    if value and " " in value:
        yield Said(attribute="goal", value=value)


def _dream(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "a farm with goats, that's the dream"."""
    if head.person == OTHER:
        return
    value = re.split(
        r"[,;.!?] |\s[-–—]\s", clause.sentence[: clause.sentence.lower().find(match["k"].split()[-1])].rstrip()
    )[0]
    value = re.sub(r"^\W*(?:saving|save)\b.*?\bfor (?:an? |the )?", "", value, flags=re.IGNORECASE)
    value = clean(re.sub(r"(?i)[,\s]*(?:that'?s|is|'s) the\s*$", "", value), article=False, most=9, cut_and=False)
    if value and not _EMPTY.match(value.lower()):
        yield Said(attribute="goal", value=value)


_EMPTY = re.compile(
    r"^(?:it|this|that|you|he|she|they|there|what|who|which|everything|nothing|something|i|we|these|those|not|all|so|just|one|me|him|her"
    r"|them|us|your|his|their|the (?:meeting|party|call|dinner|class|game|match|show|wifi|internet|server|battery|phone|laptop|car|website"
    r"|app|engine|link|gig|concert|event|wedding)|meeting|party|dinner|lunch|call|class|today|tonight|tomorrow|sleep|work|yeah|ok|okay)\b"
)
_LETTING_GO = re.compile(
    r"\b(?:not (?:doing|going|applying|happening|gonna|running|moving|buying|taking|pursuing|worth)|any ?more|after all|changed my mind"
    r"|(?:giving|gave|given) up|no longer|not for me|i'm out|im out|too (?:old|expensive|late|hard|much)|can'?t (?:afford|do it)|knee|injur"
    r"|isn'?t happening|ain'?t happening)\b"
)


def _let_go(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "forget the marathon, I'm not doing it anymore", "scrap the PhD plan"."""
    del head
    plan = bool(match["p"])
    if not (plan and match["k"] != "forget") and not _LETTING_GO.search(clause.message.lower()):
        return
    value = clean(clause.cut(match, "v"), stop="i|i'm|im|because|for|since", most=6)
    if value and not _EMPTY.match(value.lower()):
        yield Said(attribute="dropped_goal", value=value)


def _off(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "med school ain't happening", "the YouTube channel thing is dead"."""
    if head.person == OTHER and head.relation:
        return
    text = re.sub(
        r"^\W*(?:(?:yeah|so|ok|and|but|well|welp|honestly|turns out|looks like)[\s,]+)*",
        "",
        clause.cut(match, "v"),
        flags=re.IGNORECASE,
    )
    value = clean(re.sub(r"\s(?:thing|plan|idea|dream|goal|project)$", "", text), most=6)
    if value and not _EMPTY.match(value.lower()) and not re.search(r"\b(?:today|tonight|tomorrow)\b", clause.flat):
        yield Said(attribute="dropped_goal", value=re.sub(r"^(?:my|the|whole) ", "", value))


def _reached(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought or head.future or head.person == OTHER:
        return
    begins, _ = moment(clause)
    value = clean(
        clause.raw[match.start("v") : match.end("v")],
        stop="after|last|on|today|yesterday|in front",
        most=9,
        article=False,
    )
    if value and not _EMPTY.match(value.lower()):
        yield told(
            head if head.person else Head(name="self", person=SPEAKER),
            attribute="achieved",
            value=value,
            held_from=begins,
        )


def _crossed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Remember the 10k goal? Crossed the line on Sunday": the goal stands before."""
    if head.negated or head.thought or head.future or head.person == OTHER:
        return
    goal = re.search(
        r"\b(?P<g>(?:half[- ]|ultra[- ])?marathon|triathlon|iron ?man|5k|10k|21k|parkrun|(?:\w+ )?(?:race|ride|swim|climb|hike))\b",
        clause.message.lower(),
    )
    if goal:
        begins, _ = moment(clause)
        yield Said(
            attribute="achieved", value=f"finished the {clause.message[slice(*goal.span('g'))]}", held_from=begins
        )
    del match


def _befell(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if not head.negated and not head.thought:
        begins, _ = moment(clause)
        yield Said(attribute="event", value=clause.cut(match, "v"), held_from=begins)


def _befallen(value: str, clause: Clause, head: Head) -> Iterator[Said]:
    if not head.negated and not head.thought:
        begins, _ = moment(clause)
        yield told(head, attribute="event", value=f"was {value}", held_from=begins)


def _made(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I made shift lead!!", "made partner last week"."""
    if head.negated or head.thought or head.future or head.person not in (SPEAKER, ELIDED, OTHER):
        return
    begins, _ = moment(clause)
    yield told(head, attribute="event", value=f"made {clause.cut(match, 'v')}", held_from=begins)


_DOING = (
    "opening|starting|buying|moving|running|getting|writing|building|adopting|becoming|visiting|learning|hiking|climbing|backpacking|travelling"
    "|traveling|retiring|launching|publishing|finishing|applying|going back|owning|swimming|cycling|walking|competing|recording|relocating"
)
_RANKS = (
    r"(?:(?:shift|team|tech|squad|section|project) lead(?:er)?|(?:junior |senior |equity |managing |general )?partner|(?:assistant |store |general |ward"
    r" |night )?manager|supervisor|captain|sergeant|lieutenant|corporal|director|principal(?: engineer)?|staff engineer|foreman|head (?:chef|nurse|of"
    r" \w+)|sous chef|vp|associate|tenure|professor|varsity|the (?:team|squad|varsity|dean's list|honor roll|final|finals|playoffs|cut)|first chair)"
)
RULES: tuple[Rule, ...] = (
    predicate(
        "goal: one day", _DOING, "", _ahead, bare=True, whole=rf"(?P<w>{_DOING.replace('|going back', '')})\s.{{2,90}}",
    ),
    anywhere(
        "goal: that's the dream", "dream goal plan endgame", r"(?P<k>(?:^|[,;] )\W*(?:that'?s|thats|its|it's) the"
        r" (?:dream|goal|end ?goal|endgame|long-term plan))\b",
        _dream,
    ),
    anywhere(
        "dropped goal: scrap", "forget scrap scratch scrapping nix ditch kill",
        r"^\W*(?:ok |okay |so |well |and |yeah |actually )*(?P<k>forget|scrap|scratch|nix|ditch|kill|never mind"
        r"|nvm)(?: about)? (?:the|my|that|our) (?:whole )?(?P<v>"
        r"[\w' -]{2,35}?)(?P<p> (?:plan|idea|goal|dream|thing|project)s?)?(?=\s*(?:$|[,.!;-]))", _let_go,
    ),
    anywhere(
        "dropped goal: not happening", "happening dead table ice",
        r"^\W*(?P<v>[a-z][\w' -]{2,40}?) (?:(?:ain'?t|isn'?t|is not|not|aren'?t|won'?t be) happening|(?:thing|plan"
        r"|idea|dream|goal|project) (?:is|'s) (?:dead|off|over|off the"
        r" table|on ice|cancelled|canceled|done for)|(?:is|'s) off the table)\b", _off,
    ),
    anywhere(
        "dropped goal: on hold", "hold ice aside", r"\b(?:put|putting|parked) (?:the|my|our) (?P<v>[\w' -]{3,35}?)"
        r" (?:on (?:hold|ice|the back burner)|aside)\b", _off,
    ),
    anywhere(
        "event: to a thing", "got was been were flooded burned burnt caught collapsed", r"^\W*(?:and |but |so"
        r" )?(?P<v>(?:my|our|the) (?!boss|phone battery|flight|train|order|meeting|call)(?:[\w-]+ ){1,3}?(?:got|was"
        r"|were|has been|have been) (?:nicked|stolen|broken into|totall?ed|written off|burgled"
        r"|flooded|destroyed|repossessed|hacked|demolished|robbed|wrecked|condemned|vandali[sz]ed|struck by lightning)"
        r"|(?:my|our|the) (?:house|flat|apartment|basement|kitchen|cellar|shop|garage|car|van) (?:flooded|burne?d?"
        r" down|burnt down|caught fire|collapsed))\b", _befell,
    ),
    predicate(
        "event: was in", "in a coma|in hospital|in the hospital|in intensive care|in the icu|in rehab|in prison|in"
        " jail|in the army|in foster care|in an induced coma", r"(?=\s*(?:for|in|last|after|until|from|during|when|$"
        r"|[,.]))", lambda m, c, h: _befallen(m[0], c, h),
        be=True, when=lambda h: h.past,
    ),
    anywhere(
        "achieved: in hand", "hand", r"(?:^|[,.!] )\W*(?:finally |got |my |the )*(?P<v>(?:[\w']+ )?(?:licen[sc]e"
        r"|diploma|degree|certificate|visa|green card|passport"
        r"|offer letter|title deed|black belt|medal|keys)) (?:is |are )?(?:finally )?in hand\b", _reached,
    ),
    predicate(
        "achieved: reached", "hit|reached|cracked|broke|crossed", "", _reached, bare=True, whole=
        r"(?P<v>(?:hit|reached|cracked|broke|crossed) (?:(?:\$|£|€)\d[\d,.]*k?\b[\w ]{0,20}|\d[\d,.]*k? ?(?:followers"
        r"|subs\w*|users|customers|sales|downloads|days|members|streams|views|words|pages|km|miles|elo|rating)\b[\w"
        r" ]{0,15}|(?!the |my |a |an |by |on |up |him |her |me |it |them |traffic|that |this |you )"
        r"[\w' -]{2,25}? (?=after \w+ (?:seasons|years|months|tries|attempts|weeks))))(?! (?:am|pm|o'clock|km/h|mph"
        r"|degrees))",
    ),
    predicate(
        "achieved: crossed the line", "crossed the line|crossed the finish|crossed that finish|did it|nailed it"
        "|smashed it|finished it|ran it|done it", "", _crossed, bare=
        True, whole=r"(?:(?:just |finally )*(?:crossed (?:the|that) (?:finish )?(?:line)|(?:did|nailed|smashed"
        r"|finished|ran|done) it))\b",
    ),
    predicate(
        "event: made", "made", rf"\s(?P<v>{_RANKS})(?=\s*(?:$|[,.!]|last|this|at|in|on|today|yesterday|after|finally"
        rf"|and|so|for))", _made, bare=True,
    ),
)  # fmt: skip
