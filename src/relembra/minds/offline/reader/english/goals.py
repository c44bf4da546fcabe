"""What somebody is after, has reached, or has let go."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, moment, predicate, told
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES"]

_HOUR = re.compile(
    r"\b(?:today|tonight|right now|this (?:morning|afternoon|evening)|in a (?:minute"
    r"|sec|bit|second)|later|real quick|soon as|now|for (?:lunch|dinner|breakfast)"
    r"|an? hour)\b"
)
_SMALL = re.compile(
    r"^(?:to )?(?:lie|leave early|be left|be buried|know|see|ask|hear|understand|thank"
    r"|say|tell|talk|check|get (?:this|it|that|some sleep|a coffee|home|going|dressed"
    r"|back to)|find out|make sure|use|try (?:this|it|that)|help|figure (?:out|this)"
    r"|be (?:sure|honest|clear|able)|do (?:this|that|it)|go (?:home|to bed|to sleep"
    r"|out|back|now|there|eat|grab|for a)|eat|sleep|nap|cry|scream|die|grab|order|cook"
    r"|watch|take a (?:break|nap|shower|bath)|have (?:a (?:coffee|nap|drink|snack)"
    r"|lunch|dinner|breakfast|it|this|some|fun)|make (?:a (?:sandwich|coffee|cake|playlist"
    r"|table|list|chart)|it|this|dinner|lunch|something)|fix (?:this|it|that|the)|print"
    r"|install|download|run (?:this|it|a (?:query|test|script))|write (?:this|it|an"
    r" email|a (?:message|text|letter|note|function|script|query))|change (?:this|it"
    r"|the)|add|remove|delete|sort|convert|calculate|explain|pick|choose|order|book"
    r" (?:a table)|return|call (?:him|her|them|you|it)|send|share|mention|point|start"
    r" (?:over|again)|stop (?:here|now)|keep (?:it|this|going)|show|give|look|believe"
    r"|think|wait|come|bring|reply|respond|apologi[sz]e|surprise|avoid|decide|compare"
    r"|discuss|clarify|test|put|set|turn|rename|translate|summari[sz]e|rewrite|shower"
    r"|complain|vent|chat|play|punch|leave (?:now|work)|like|feel|hate|sound|offend"
    r"|bother|dance with|replace|upload|center|swap|cut (?:this|it|that|the)|clean|wash|iron|hoover|vacuum"
    r"|tidy|mow|pee|laugh|hug|throw|hide|spend|listen|reach out|follow up|double check"
    r"|cancel|unsubscribe|reset|log in|charge)\b"
)
_GOAL_STOP = "thats|that's|but|because|so|and (?:i|it|my|we|then)|any|which|where|what|if|though|though|as|how"


_BARE_GOAL = frozenset(
    listed(
        "stay go be do leave come get have keep live move work start stop change learn help improve sleep relax understand win eat try"
    )
)


def _goal(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if (
        head.person == NOBODY
        or (head.thought and not re.match(r"(?:like|love)", match[0]))
        or (head.negated and not head.ended)
    ):
        return
    text = clause.cut(match, "v")
    value = clean(text, stop=_GOAL_STOP, most=14, article=False, cut_and=False)
    value = re.sub(
        r"^(?:to|on|for|towards?|at|be able to|actually|finally|eventually|really|just"
        r"|one day|someday) +(?=\w)",
        "",
        value,
        flags=re.IGNORECASE,
    )
    value = re.sub(r"^(?:finally|eventually|actually|really|just|one day|someday) +", "", value, flags=re.IGNORECASE)
    low = value.lower()
    if (
        not value
        or (_SMALL.match(low) and not re.search(r"\b(?:one day|some ?day|before i die)\b", clause.flat))
        or low in _BARE_GOAL
        or (_HOUR.search(clause.flat) and not re.search(r"\b(?:year|month|by|one day)\b", low))
    ):
        return
    if (
        re.match(
            r"(?:you|u|your|this|that|it|a (?:good|new|quick|simple|nice|recipe|list|gift|present"
            r"|recommendation|second opinion|refund|cake|pizza|coffee|break|hug|word|script"
            r"|table|function|way|snack|beer|drink|better)|some|the|something|someone|more"
            r" (?:info|details|help)|help|advice|an? (?:answer|example|email|explanation|opinion"
            r"|idea)|him|her|them|one|two|three|tips|ideas|suggestions|recommendations|out"
            r"|in|my (?:money|phone|bed|mom|mum|coffee)|food|me)\b",
            low,
        )
        and not re.match(
            r"(?:a |the |my |one |more )?(?:career|kids|dog|cat|house|promotion|degree|phd"
            r"|job|family|baby|child|own|raise|new job|tattoo|driving licen)",
            low,
        )
        and not match[0].startswith(("training for", "saving", "studying for"))
    ):
        return
    if re.search(r"\b(?:any ?more|any longer)\b", clause.flat) and (head.ended or head.negated):
        yield told(head, attribute="dropped_goal", value=value)
        return
    if head.used or head.past or (match[0].startswith(("wanted", "planned", "hoped")) and not head.have):
        if head.used or re.search(r"\bused to\b", clause.flat):
            yield told(head, attribute="former_goal", value=value)
        return
    yield told(head, attribute="goal", value=value)


def _plan(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I'm going to write a novel": a plan beyond the day, by its verb."""
    if head.person == NOBODY or not head.future or head.negated or head.thought or head.person == OTHER:
        return
    value = clean(clause.raw[match.start() :], stop=_GOAL_STOP, most=12, article=False, cut_and=False)
    low = value.lower()
    if (
        not value
        or _HOUR.search(clause.flat)
        or re.search(r"\b(?:tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b", low)
    ):
        return
    yield Said(attribute="goal", value=value)


def _named_goal(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought or _HOUR.search(clause.flat[: match.end("v")]):
        return
    value = clean(clause.cut(match, "v"), stop="but|because|so|though", most=14, article=False, cut_and=False)
    value = re.sub(r"^(?:to|of|that|finally|eventually|simple|just) +", "", value, flags=re.IGNORECASE)
    if value and not re.match(
        r"(?:great|good|crazy|dead|over|simple|not|too|on track|ruined|working|going|cancel"
        r"|up to|in place|ready|what|changed|this$|that$|here|the same|different)\b",
        value.lower(),
    ):
        yield told(head, attribute="goal", value=value)


_DROP_STOP = "because|so|but|after|when|since|for good|completely|entirely|this|last|in|too|not|which|after all"


def _dropped(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if (
        head.thought
        or head.future
        or (head.negated and not match[0].startswith(("going", "doing", "learning", "running", "buying", "moving")))
    ):
        return
    value = clean(clause.cut(match, "v"), stop=_DROP_STOP, most=9, article=False)
    value = re.sub(
        r"^(?:on|the idea of|the plan to|the idea to|my plan to|the plan of|my dream of"
        r"|the dream of|the whole idea of|trying to|the whole|my|the|being|doing|learning"
        r" to) +",
        "",
        value,
        flags=re.IGNORECASE,
    )
    if not value or re.match(
        r"(?:it|this|that|them|him|her|you|hope|smok\w*|drink\w*|alcohol|coffee|sugar|meat"
        r"|vap\w*|keto|cigar\w*|my job|on|the job|job|work|me|everything|weed|soda|caffeine"
        r"|trying$|seat)\b",
        value.lower(),
    ):
        return
    yield told(head, attribute="dropped_goal", value=value)


def _achieved(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.negated or head.used:
        return
    place = re.match(r"got in ?to (?P<p>.)", clause.raw[match.start() :], re.IGNORECASE)
    if (
        place
        and not place["p"].isupper()
        and not re.search(
            r"\b(?:school|college|uni\w*|course|programme?|stanford|harvard|oxford|cambridge"
            r"|yale|mit)\b",
            clause.flat,
        )
    ):
        return
    begins, _ = moment(clause)
    value = clean(
        clause.raw[match.start() :],
        stop="but|because|so|which|i|i'd|i've|that i|and (?:i|it|my|now)|though|last (?:week|month|year|night)"
        "|yesterday|today|this morning|on (?:monday|tuesday|wednesday|thursday|friday"
        "|saturday|sunday)|on the (?:first|second|third|fourth|fifth) (?:try|go|attempt)"
        "|after",
        most=12,
        article=False,
        cut_and=False,
    )
    if value:
        yield told(head, attribute="achieved", value=value, held_from=begins)


_PLAN_VERBS = (
    "write|learn|run|open|start|launch|build|train|become|study|get|buy|save|retire"
    "|travel|visit|apply|climb|hike|quit|finish|publish|adopt|propose|marry|move|go"
    " back|do a|lose|pay off|swim|cycle|complete|master|sell|renovate|found|walk the"
    "|backpack|record|be confirmed|have a baby|try for"
)
_ACHIEVED = (
    r"(?:passed (?:my|the|his|her|a|all my) [^;!?()\n]{2,60}|(?:finally |just |officially"
    r" )?(?:finished|completed|ran|did) (?:my |the |a |an |his |her |our )?(?:first"
    r" |second |third )?(?:[\w' ]{0,25}?)(?:marathon|half[- ]marathon|10k|5k|triathlon"
    r"|ironman|novel|book|thesis|dissertation|degree|course|phd|masters?|manuscript"
    r"|album|race|bootcamp|certification|challenge|training|couch to 5k|c25k|parkrun)\b[^;!?()\n]{"
    r"0,30}"
    r"|paid off [^;!?()\n]{2,50}|paid (?:the|my|our) [\w ]{3,25}? off|cleared (?:my|our|the|all) [^;!?()\n]{0,30}(?:debt"
    r"|debts|loan|overdraft|mortgage)s?|hit (?:my|the|our) [^;!?()\n]{0,30}(?:goal"
    r"|target|weight|pb|milestone)\b[^;!?()\n]{0,30}|reached (?:my|our|the) [^;!?()\n]{0,30}(?:goa"
    r"l|target|weight|milestone)\b[^;!?()\n]{0,20}"
    r"|got (?:my|his|her) (?:driving |driver'?s |pilot'?s )?(?:licen[cs]e|citizenship"
    r"|green card|black belt|degree|phd|masters|diploma|certificate|certification|visa"
    r"|permanent residency|pr)\b[^;!?()\n]{0,30}|(?:lost|shed|dropped) (?:the )?\d+(?:\.\d)?"
    r" ?(?:kg|kgs|kilos|lbs|pounds|stone)\b[^;!?()\n]{0,20}|won (?:the|a|an|my|our"
    r"|first|second|gold|silver|bronze|best) [^;!?()\n]{2,50}"
    r"|(?:got )?published (?:my|a|our) [^;!?()\n]{2,40}|launched (?:my|our|the) [^;!?()\n]{2,40}"
    r"|opened (?:my|our) (?:own )?[^;!?()\n]{2,40}|got (?:accepted|into|in to|admitted)(?:"
    r" (?:to|at|into))? [^;!?()\n]{2,40}|(?:swam|cycled|climbed|summited|hiked|walked"
    r"|rowed|deadlifted|benched|squatted) (?:the |my |a |up )?[^;!?()\n]{3,50}|learned"
    r" (?:how )?to (?:swim|drive|ride|cook|ski|surf|skate|knit|dance|code|read|type"
    r"|weld|sew)\b[^;!?()\n]{0,20}|saved (?:up )?(?:enough|the full|\$|£|€|\d)[^;!?()\n]{0,40}"
    r"|made it (?:to|into) the (?:final|team|top|summit)[^;!?()\n]{0,30}|finished (?:writing"
    r"|reading|paying|building|restoring|renovating) [^;!?()\n]{2,40})"
)
RULES: tuple[Rule, ...] = (
    predicate(
        "goal: want", "need|needs|want|wants|wanna|hope|hopes|hoping|plan|plans|planning|trying|tryna|aim|aims"
        "|aiming|dream|dreams|dreaming|intend|intends|determined|saving|saving up"
        "|looking|working|training|wanted|planned|hoped|aspire|hunting|decided|love"
        "|like|thinking|preparing|studying for|committed|gearing up|on a mission|set"
        " on|out to|longing|started saving|desperate", "", _goal, bare=frozenset(["need", "want", "wanna", "hoping",
        "planning", "trying", "tryna", "aiming", "saving", "training", "dreaming", "determined", "plan",
        "hunting", "looking", "decided", "working", "thinking"]), whole=
        r"(?:(?:want|wants|wanted|wanna|hopes?|hoping|hoped|plans?|planning|planned"
        r"|trying|tryna|aims?|aiming|intends?|determined|aspires?|decided|committed"
        r"|gearing up|on a mission|out|longing|desperate|preparing)(?: myself)? (?:to"
        r" |on |for )|wanna |tryna |dream(?:s|ing)? (?:of|about) |aim(?:s|ing)? (?:for"
        r"|at) |sav(?:ing|e)(?: up)?(?: (?:every|all|most|half|my|money)(?: [\w']+){0,3}?)? (?:for|to|towards?) "
        r"|(?:looking|hunting)"
        r" (?:to|for (?=(?:an? )?(?:new )?(?:job|flat|house|apartment|place|work|home"
        r"|internship|apprenticeship|room))) ?|working (?:towards?|on (?=(?:my|becoming"
        r"|getting|losing|quitting|a novel|a book|being))) ?|training for |set on "
        r"|needs? to (?=(?:lose (?:\d|an?|two|three|four|five|weight|some weight)|save (?:up|for)|quit|pass my|get"
        r" (?:fit|in shape|healthier)|pay off|learn (?:to|how)))|studying for |thinking (?:of|about) (?=(?:getting"
        r"|moving|quitting|buying"
        r"|starting|going back|adopting|becoming|leaving|selling|retiring|learning"
        r"|changing|applying|having)) ?|(?:love|like) to (?=(?:\w+ ){1,6}(?:one day"
        r"|someday|some day|eventually|before i|by the time))|want (?=(?:my own|a career"
        r"|kids|a dog|another baby|a promotion|to)))(?P<v>[^;!?()\n\"]{2,120})", when=always,
    ),
    predicate(
        "goal: plan", _PLAN_VERBS, r"\s.{2,100}", _plan, when=lambda h: h.future, bare=True,
    ),
    predicate(
        "goal: named", "goal|goals|dream|plan|ambition|aim|new year's resolution|resolution|target"
        "|big goal|main goal|biggest goal|biggest dream|big dream|lifelong dream|life"
        " goal|dream job|career goal|objective|bucket list item|mission|long-term"
        " goal|short-term goal|next goal",
        r"(?:\s(?:for|this|in|by|right now|at the moment|over)[^,;]{0,25}?)?\s?(?:is"
        r"|'s|are|:|has always been|would be)\s{V}", _named_goal, owned=True, when=always,
    ),
    anywhere(
        "goal: new year", "resolution goal goals aim target",
        r"^\W*(?:new year'?s? (?:resolution|thing|goal)|(?:my )?(?:\d{4} )?(?:goal"
        r"|resolution|target|aim)(?: for [\w ]{3,15})?)\s?(?::|is)\s(?P<v>[^;!?()\n]{3,90})", lambda m, c, h: [
        Said(attribute="goal", value=v)] if (v := re.sub(
        r"^(?:i'?m (?:going|gonna) to|to|i want to|i will|i'll) ", "", clean(c.cut(m, "v"), article=False, most=
        12, cut_and=False), flags=re.IGNORECASE)) and h.person != OTHER else [],
    ),
    anywhere(
        "goal: one day", "day someday",
        r"\b(?:one day|someday|some day)\b.{0,25}\b(?:i'd like|i want|i'd love|i will"
        r"|i'll|i hope)\s(?:to (?:have |own |open )?)?(?P<v>[^;!?()\n]{3,80})", lambda m, c, h: [Said(attribute=
        "goal", value=v)] if (v := clean(c.cut(m, "v"), most=10)) else [],
    ),
    predicate(
        "dropped goal", "given up|gave up|giving up|gave|abandoned|shelved|scrapped|dropped|ditched"
        "|no longer|not|quit|decided|going|learning|doing|running|called off|cancelled"
        "|canceled|pulled out of|buying|moving|backed out of|bailed on", "", _dropped, bare=True, whole=
        r"(?:(?:given|gave|giving) up (?:on )?(?:the idea of |trying to |learning "
        r"|my dream of )?|abandoned |shelved |scrapped |dropped (?=(?:the|my) (?:idea"
        r"|plan|goal|project|dream|course|language|class))|ditched (?=(?:the|my) (?:idea"
        r"|plan|goal|dream))|quit (?=(?:trying|learning|the race|training|my novel))"
        r"|decided (?:not to|against) |called off (?=(?:the|my|our) (?:trip|move|plan))"
        r"|pulled out of |backed out of |bailed on (?=(?:the|my)))(?P<v>[^;!?()\n]{2,80})", when=always,
    ),
    anywhere(
        "dropped goal: after all", "after",
        r"^\W*(?:i'?m |we'?re |i am )?not (?:going to |gonna )?(?P<v>\w[^;!?()\n]{3,60}?)" r" after all\b",
        lambda m, c, h: [Said(attribute="dropped_goal", value=v)] if h.person
        != OTHER and " " in (v := clean(c.cut(m, "v"), article=False)) else [],
    ),
    predicate(
        "achieved", "passed|finished|completed|ran|did|paid|cleared|hit|reached|got|lost|shed"
        "|dropped|won|published|launched|opened|swam|cycled|climbed|summited|hiked"
        "|walked|rowed|deadlifted|benched|squatted|learned|saved|made|finally", "", _achieved, bare=True, whole=
        _ACHIEVED, when=lambda h: not h.be,
    ),
)  # fmt: skip
