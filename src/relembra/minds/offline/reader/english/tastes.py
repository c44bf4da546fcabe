"""Likes, dislikes, favourites, languages and skills."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FAVORITE, FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import OTHER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, predicate, said, told
from relembra.minds.offline.reader.english.words import clean, parts

__all__ = ["LANGUAGES", "RULES", "THING"]

LANGUAGES = (
    r"english|portuguese|brazilian portuguese|spanish|french|german|italian|dutch|swedish"
    r"|norwegian|danish|finnish|icelandic|polish|czech|slovak|hungarian|romanian|bulgarian"
    r"|greek|turkish|russian|ukrainian|arabic|hebrew|hindi|urdu|punjabi|bengali|tamil"
    r"|telugu|gujarati|marathi|malayalam|kannada|nepali"
    r"|mandarin|cantonese|chinese|japanese|korean|vietnamese|thai|tagalog|filipino"
    r"|indonesian|malay|swahili|yoruba|igbo|hausa|zulu|xhosa|afrikaans|amharic|somali"
    r"|welsh|irish|gaelic|scottish gaelic|catalan|basque|galician|croatian|serbian"
    r"|slovenian|lithuanian|latvian|estonian|farsi|persian|dari|pashto|kurdish|armenian"
    r"|georgian|latin|esperanto|asl|bsl|sign language|creole|haitian creole|twi|albanian"
    r"|maltese|khmer|lao|burmese|mongolian|quechua|guarani|maori|hawaiian|yiddish|cebuano"
    r"|konkani|wolof|lingala"
)


_TASTE_STOP = (
    "so much|very much|a lot|to death|to bits|more than|most|best|at all|with all"
    "|with a passion|the most|for|from|that|since|when|as|ever since|every|on (?:monday"
    "|tuesday|wednesday|thursday|friday|saturday|sunday|weekends)|in the (?:morning"
    "|evening|afternoon|winter|summer)|enough|over|above|passionately|dearly|because"
    "|especially|though|too|on my|like crazy|no matter|lol|rn|like|not|these|about"
    "|right|by|if|how|who"
)
_NO_TASTE = re.compile(
    r"^(?:it|this|that|these|those|you|u|him|her|them|me|my (?:answers|replies|life"
    r"|new|kids|wife|husband|mom|mum|dad|family|dog|cat|girlfriend|boyfriend|son|daughter"
    r"|boss|name|hair|body|phone|little|baby|friends?)|your|his|their|to (?:know|see"
    r" you|hear|help|ask|say|thank|get|understand|think|be|have|admit|break|bother"
    r"|point|tell|do (?:this|that|it)|disappoint|die)|a (?:nice|bit|lot|little|good (?:one|idea|point|deal|laugh|thing|job|answer|start|morning|day))"
    r"|the (?:idea|way|fact|new|look|sound|first|second|version|answer|result|one|part"
    r"|vibe|draft|last|tone|thought|weather|rain today)|how|what|when|where|everything"
    r"|anything|nothing|something|someone|one|all|both|everyone|people|whoever|being"
    r" (?:here|able|told|stuck|late|right)|us|there|here|each other|yours|fridays?"
    r"|mondays?|weekends?|anything|its|an? (?:answer|option|one)|some (?:help|tips"
    r"|advice|more)|more|most|another|option|number|suggestion|our (?:chat|talk)s?"
    r"|hearing (?:that|this)|today|tonight|monday already|having you|talking to you"
    r"|so much|lots|him|an?)\b"
)


def _values(clause: Clause, match: re.Match[str]) -> Iterator[str]:
    text = clause.cut(match, "v")
    if re.match(r"people who\b", text.lower()):
        yield re.split(r"[,;]| and | but ", text)[0].strip()
        return
    if _NO_TASTE.match(text.lower() + " "):
        return
    text = re.sub(r"^(?:(?:hate|love|really) )+", "", text, flags=re.IGNORECASE)
    text = re.sub(r"\banything (?:with|made (?:with|of)|involving|containing) ", "", text, flags=re.IGNORECASE)
    for value in parts(text, stop=_TASTE_STOP, most=7):
        if _NO_TASTE.match(value.lower() + " "):
            return
        yield re.sub(r"^(?:drinking|eating|to (?:eat|drink)) ", "", value) if value.count(" ") else value


def _likes(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.have and head.past):
        return
    verb = match[0].split()[0]
    if verb == "like" and (head.be or _filler(clause, match)):
        return
    past = (
        verb.endswith(("ed", "oved")) and verb not in ("obsessed", "addicted", "fascinated", "hooked") and not head.have
    )
    if past and not head.used:
        return
    if head.negated and not head.ended:
        if match[0].startswith(("love", "adore")) or head.past:
            return
        attribute = "dislikes"
    elif head.ended or head.used:
        attribute = "former_likes"
    else:
        attribute = "likes"
    for value in _values(clause, match):
        yield said(attribute, value, head, changed=head.changed)


def _filler(clause: Clause, match: re.Match[str]) -> bool:
    """ "terrified of flying, like full panic": no verb where nobody stands before it and nothing joins it."""
    bare = not clause.flat[: match.start()].strip(" ,")
    return bare and not re.search(r"\b(?:and|but|also|n)\W*$|&\W*$", clause.earlier)


def _be_likes(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future:
        return
    attribute = "former_likes" if head.ended or head.used or head.past else "dislikes" if head.negated else "likes"
    for value in _values(clause, match):
        yield said(attribute, value, head, changed=head.changed)


def _dislikes(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or (head.negated and not head.ended):
        return
    verb = match[0].split()[0]
    if verb in ("hated", "disliked", "loathed", "detested") and not (head.have or head.used):
        return
    attribute = "former_dislikes" if head.ended or head.used else "dislikes"
    if re.match(r"can'?t stand|cant|can not|cannot", match[0]) and re.search(r"any ?more\b", clause.flat):
        attribute = "dislikes"
    for value in _values(clause, match):
        yield said(attribute, value, head, changed=head.changed)


THING = {
    "colour": "color",
    "film": "movie",
    "films": "movie",
    "movies": "movie",
    "tv show": "show",
    "tv series": "series",
    "football team": "team",
    "football club": "team",
    "baseball team": "team",
    "soccer team": "team",
    "meal": "food",
    "dish": "food",
    "cuisine": "food",
    "foods": "food",
    "colors": "color",
    "colours": "color",
    "books": "book",
    "singer": "artist",
    "flavour": "flavor",
    "beverage": "drink",
    "video game": "game",
    "video games": "game",
    "club": "team",
    "board game": "game",
    "group": "band",
    "holiday": "holiday",
    "ice cream": "ice_cream",
}


def _favorite(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought:
        return
    raw_thing = " ".join(match["t"].split())
    thing = THING.get(raw_thing, raw_thing).replace(" of all time", "").replace(" ever", "").strip()
    gone = match["b"] in ("was", "used to be")
    value = clean(
        clause.cut(match, "v"),
        stop="of all time|by far|hands down|ever|because|since|nobody|no contest|without|though"
        "|for|at the moment|followed|so|i|which",
        most=7,
    )
    value = re.sub(
        r"^(?:definitely|probably|always|still|easily|has to be|hands down|by far|called"
        r"|that|this|gotta be|got to be|obviously|actually|now|hard to beat)\s+",
        "",
        value,
        flags=re.IGNORECASE,
    )
    value = re.sub(r"^(?:be|the|definitely) ", "", value)
    if (
        not value
        or value.lower() in ("you", "this", "that one", "mine")
        or len(thing.split()) > 3
        or re.search(r"(?:person|robot|assistant|human|hobby|part|thing|way|time)$", thing)
    ):
        if (
            re.search(r"(?:part|thing|hobby|way)$", thing)
            and not gone
            and value
            and not re.match(r"(?:you|this|that|when|how)", value.lower())
        ):
            yield said("likes", value, head)
        return
    name = FAVORITE + re.sub(r"[^a-z]+", "_", thing).strip("_")
    person = head if head.person == OTHER else Head(name="self", person=1)
    yield said((FORMER if gone else "") + name, value, person, changed=head.changed)


def _favorite_last(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "blue is my favourite colour", "the band I love above all others is …"."""
    value = clean(
        re.sub(
            r"^\W*(?:and|but|so|honestly|tbh|i think|ngl|yeah|well)[\s,]+",
            "",
            clause.cut(match, "v"),
            flags=re.IGNORECASE,
        ),
        most=6,
    )
    if (
        not value
        or re.match(r"(?:it|that|this|he|she|you|they|what|how|which|who|there|here|not|these|those)\b", value.lower())
        or match["t"] in ("robot", "assistant", "person", "human", "ai")
    ):
        return
    thing = THING.get(match["t"], match["t"])
    if match["w"] in ("my", "our"):
        yield Said(attribute=FAVORITE + re.sub(r"[^a-z]+", "_", thing), value=value)
    elif head.person == OTHER and head.owned is False and head.others:
        yield Said(
            attribute=FAVORITE + re.sub(r"[^a-z]+", "_", thing),
            value=value,
            subject=head.others[0].name,
            relation=head.others[0].relation,
        )


def _prefers(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if (
        head.negated
        or head.ended
        or head.used
        or head.future
        or (head.thought and not match[0].startswith(("rather", "prefer", "sooner", "much")))
    ):
        return
    text = clause.cut(match, "v")
    value = clean(text, stop="to|over|than|rather|instead|because|when|if|any day|for|any time|honestly", most=7)
    if head.thought and re.search(r"\b(?:today|tonight|tomorrow|now|this time|you|this|that)\b", clause.flat):
        return
    if not value or _NO_TASTE.match(value.lower() + " ") or _NO_TASTE.match(text.lower() + " "):
        return
    other = re.search(r"\b(?:over|to|than|rather than|instead of)\s(?P<o>[^,;.!?]{2,40})$", text)
    if re.search(
        r"\b(?:call|text|email|message|answers?|replies|reply|bullet|responses?|explanations?"
        r"|being (?:called|spoken|addressed)|short|formal|informal)\b",
        value.lower(),
    ):
        yield said("communication", f"prefers {value}", head)
        return
    content = None
    if other and head.person != OTHER:
        content = f"Prefers {value} to {clean(other['o'], most=5)}"
    yield told(head, attribute="likes", value=value, content=content)


def _over(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "tea over coffee any day", "audiobooks over podcasts"."""
    del head
    value, other = (
        clean(clause.cut(match, "v").replace("'s", " is"), most=4),
        clean(clause.cut(match, "o"), stop="any|for|always|every|even", most=4),
    )
    if (
        value
        and other
        and "'s" not in match["v"]
        and not re.match(
            r"(?:i|he|she|they|it|we|you|my|the|this|a|an|that|all|went|go|come|came|head|work"
            r"|get|got|fell|ran|move|moved|talk|think|been|just|not|going|will)\b",
            value.lower(),
        )
    ):
        yield Said(attribute="likes", value=value, content=f"Prefers {value} to {other}")


_FAN = (
    r"(?:(?:a|an|the)\s)?(?:(?:big|huge|massive|total|real|die-?hard|lifelong|avid"
    r"|keen|such a|proper|secret|long-?time|great|complete|absolute|rabid|serious|mad)\s)*"
)
RULES: tuple[Rule, ...] = (
    predicate(
        "likes", "love|loves|like|likes|adore|adores|enjoy|enjoys|dig|loving|enjoying|loved"
        "|liked|enjoyed|appreciate|fancy|worship|crave|live for|lives for|live and" " breathe|liking|swear by",
        r"\s{V}", _likes, be=None, bare=frozenset(["love", "adore", "loving", "enjoy"]), when=lambda h: not (h.
        be and h.past),
    ),
    predicate(
        "likes: be", "into|fond of|obsessed with|obsessed w|in love w|addicted to|crazy about|mad about|mad on|mad for"
        "|nuts about|passionate about|keen on|hooked on|partial to|a fan of|big on"
        "|really into|a sucker for|a suker for|in love with|a fiend for|fascinated"
        " by|heavily into|huge on|mad keen on|bonkers about|wild about|a lover of"
        "|a devotee of|a huge fan of|a big fan of|a massive fan of|a lifelong fan"
        " of|the biggest fan of|not a fan of|fan of|an avid fan of|a total sucker"
        " for|a complete sucker for|devoted to|enamored with|gaga for", r"\s{V}", _be_likes, be=True, bare=True,
        when=always,
    ),
    predicate(
        "likes: fan", "a|an|huge|big|massive|lifelong|die-hard|the", "", _be_likes, be=True, bare=frozenset([
        "huge", "big", "massive", "lifelong", "die-hard"]), whole=_FAN +
        r"(?P<v>[\w' -]{2,40}?)\s(?:fan|lover|fanatic|buff|geek|nerd|enthusiast|junkie"
        r"|addict|aficionado|freak|obsessive|nut|supporter|follower)(?=\s*(?:$|[,.!]|and|but|so|since"
        r"|who|here|at|through|for|myself|too|now|these|not|over|because))", when=always,
    ),
    predicate(
        "dislikes", "hate|hates|dislike|dislikes|detest|detests|loathe|loathes|despise|despises"
        "|can't stand|cant stand|cannot stand|can not stand|couldn't stand|can't bear"
        "|cant bear|can't stomach|can't abide|hated|abhor|resent|dread|dreads|avoid"
        "|avoids|loathed|detested|don't care for|can't deal with|can't handle|refuse" " to eat|refuse to drink",
        r"\s{V}", _dislikes, bare=frozenset(["hate", "can't", "cant", "cannot", "detest", "loathe", "despise",
        "dislike"]), when=always,
    ),
    predicate(
        "dislikes: be", "sick of|put off by|turned off by|disgusted by|grossed out by|tired of|fed"
        " up with|over", r"\s(?P<v>(?!it|this|that|my|you|the)[^;!?()\n\"]{2,80})", lambda m, c, h: [said(
        "dislikes", v, h) for v in _values(c, m)] if not (h.negated or h.thought) and m[0].split()[0] not in (
        "over", "sick", "tired", "fed") else [], be=True,
    ),
    anywhere(
        "dislikes: to me", "me stomach gag off thing jam tea cup worst",
        r"^\W*(?P<v>[a-z][\w' -]{1,40}?)\s(?:tastes? (?:like|of) \w+(?: \w+)? to me"
        r"|(?:makes?|make) me (?:gag|want to (?:vomit|puke|scream)|leave the room|cringe"
        r"|furious)|bores? me(?: to (?:tears|death))?|drives? me (?:mad|crazy|nuts"
        r"|insane|up the wall)|(?:is|are) (?:not|so not|really not) (?:my (?:thing"
        r"|cup of tea|jam|bag)|for me)|isn'?t (?:my (?:thing|cup of tea|jam)|for me)"
        r"|aren'?t (?:my (?:thing|cup of tea|jam)|for me)|(?:is|are) the worst|(?:does"
        r"|do) nothing for me|turns? my stomach|grosses me out|(?:gives?|give) me the"
        r" ick|leaves? me cold|sets? my teeth on edge|puts? me off|annoys? me|grinds?" r" my gears)", lambda m,
        c, h: _of_thing("dislikes", m, c, h),
    ),
    anywhere(
        "likes: to me", "jam thing comfort happy favourite favorite place mine fills relaxes calms"
        " weakness pleasure makes life",
        r"^\W*(?P<v>[a-z][\w' -]{1,40}?)\s(?:(?:is|are) (?:totally |really |so |definitely"
        r" |absolutely )?my (?:jam|thing|comfort (?:food|watch|show|read|movie|blanket)"
        r"|happy place|guilty pleasure|weakness|passion|life|go-to(?: \w+)?|obsession"
        r"|great love|addiction|religion)|makes? me (?:so |really )?happy|relax(?:es)?"
        r" me|calms? me(?: down)?|fills? me (?:up|with joy))", lambda m, c, h: _of_thing("likes", m, c, h),
    ),
    predicate(
        "favorite", "comfort|go-to|go to|usual|favorite|favourite|fave|fav|all-time favorite|all-time favourite"
        "|all time favorite|all time favourite|absolute favorite|absolute favourite",
        r"\s(?P<t>[a-z][a-z ]{2,25}?)(?:\s(?:of all time|ever|in the world|right now"
        r"|to \w+|as a kid|growing up))*\s?(?P<b>is|'s|are|has to be|was|used to be"
        r"|would be|will always be|has always been|:)\s(?P<v>[^;!?()\n\"]{2,90})", _favorite, owned=True, when=
        always,
    ),
    anywhere(
        "favorite: last", "favorite favourite fave fav",
        r"^\W*(?P<v>[\w'&. -]{2,45}?)\s?(?:is|are|'s|has always been|will always be"
        r"|remains)\s(?:still |by far |definitely |easily |hands down |probably )?(?P<w>my"
        r"|our|her|his|their)\s(?:all[- ]time |absolute |new |current )?(?:favou?rite"
        r"|fave|fav)\s(?P<t>(?!time\b)[a-z]+)", _favorite_last,
    ),
    anywhere(
        "favorite: the x i love", "love like",
        r"\bthe (?P<t>band|movie|film|book|song|colou?r|food|drink|game|team|season"
        r"|singer|show|place|city|dish|animal|sport) i (?:love|like)(?P<w> )(?:the"
        r" )?(?:most|best|above all(?: others)?|more than (?:any|anything)[a-z ]{0,12})"
        r" is (?P<v>[^,;!?()]{2,40})", lambda m, c, h: [Said(attribute=FAVORITE + THING.get(m["t"], m["t"]),
        value=x)] if (x := clean(c.cut(m, "v"))) else [],
    ),
    predicate(
        "favorite: team", "support|supports|supported|supporting|been supporting|root for|roots for|rooting for|follow|a fan of|barrack for"
        "|cheer for", r"\s(?P<v>(?:[A-Za-z]+)[^;!?()\n,]{2,40})", lambda m, c, h: _team(m, c, h),
    ),
    anywhere(
        "favorite: till i die", "till until til",
        r"(?:it's |its )?(?P<v>[a-z]+(?: [a-z]+)?) (?:till|until|'til|til) i die\b", lambda m, c, h: [Said(
        attribute="favorite_team", value=c.cut(m, "v"))] if c.raw[m.start("v")].isupper() or h.person != OTHER
        else [],
    ),
    predicate(
        "likes: prefer", "prefer|prefers|rather have|rather|much prefer|much rather have|sooner|always"
        " go for|always pick|always choose|always order|tend to go for|gravitate towards" "|gravitate to",
        r"\s{V}", _prefers, bare=frozenset(["prefer"]), when=always,
    ),
    anywhere(
        "likes: over", "over", r"^\W*(?P<v>[\w' -]{3,30}?) over (?P<o>[\w' -]{3,30}?)(?: any ?day| any ?time"
        r"| for me| every time| always|$|(?=,))(?!\w)", _over, speaker=True,
    ),
)  # fmt: skip


def _of_thing(attribute: str, match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A thing that pleases or puts off the speaker."""
    value = clean(
        re.sub(
            r"^(?:and|but|so|honestly|tbh|ngl|sorry but|lol|also|because)[\s,]+",
            "",
            clause.cut(match, "v"),
            flags=re.IGNORECASE,
        ),
        most=5,
    )
    if not value or re.match(
        r"(?:it|that|this|he|she|you|they|there|what|who|which|i|we|mondays?|mornings?|today|my (?:boss|wife|husband"
        r"|mom|mum|dad|kid|son|daughter|sister|brother)|your|these|those|nothing|everything"
        r"|something|one|him|her|someone|people|his|talking about)\b",
        value.lower(),
    ):
        return
    if head.person == OTHER and head.name and not head.owned:
        return
    yield Said(attribute=attribute, value=value)


def _team(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(
        clause.cut(match, "v"), stop="since|because|through|in|as|and|but|like|for|even|so|on|with|from|all", most=3
    )
    if value and value[0].isupper() and not head.thought and match[0].split()[0] != "follow":
        yield said((FORMER if head.used or head.ended else "") + "favorite_team", value, head)
