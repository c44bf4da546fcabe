"""Tastes said without "like": what is somebody's thing, tops everything, heals them, or makes their skin crawl."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FAVORITE
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import Made, always, anywhere, own, predicate, said
from relembra.minds.offline.reader.english.tastes import THING
from relembra.minds.offline.reader.english.words import clean, parts

__all__ = ["RULES"]

_KINDS = (
    r"(?:bands?|movies?|films?|books?|songs?|albums?|colou?rs?|foods?|drinks?|games?|teams?|seasons?|singers?|artists?|shows?"
    r"|series|places?|city|cities|dish(?:es)?|meals?|animals?|sports?|snacks?|desserts?|authors?|subjects?|class(?:es)?|flowers?"
    r"|holidays?|podcasts?|restaurants?|cuisines?|fruits?|beers?|wines?|cocktails?|ice creams?|pizzas?|anime|countr(?:y|ies)"
    r"|time of (?:the )?year|month|day|actors?|actress(?:es)?|directors?|poets?|composers?|painters?|perfumes?|number|word"
    r"|novels?|video games?|board games?|tv shows?|comfort food|comfort movie|bird|dogs? breed|breed|cheese|sandwich|cake)"
)
_MOST = (
    r"(?:hands down|by far|by a mile|by miles|no contest|ever|of all time|bar none|always|on earth|in the (?:whole )?world"
    r"|fight me|don'?t argue|easily|without question|no question)"
)
_NOT_THING = re.compile(
    r"^(?:it|this|that|he|she|you|they|what|how|which|who|there|here|not|these|those|my|your|his|her|their|i|we|im|one|the one"
    r"|everything|something|nothing|so|and|but|people|today|ok|okay|lol|yeah|thanks|mine)\b"
)
_OPENING = re.compile(
    r"^\W*(?:(?:and|but|so|honestly|tbh|i think|ngl|yeah|well|ok|for me|to me|anything|anything with|something about)[\s,]+)*"
)


def _favorite(thing: str) -> str:
    word = " ".join(thing.split())
    if word.startswith("time of"):
        word = "season"
    word = THING.get(word, word)
    one = re.sub(r"ies$", "y", word) if word.endswith("ies") and word != "series" else word
    one = re.sub(r"(?<=[shx])es$", "", one) if one.endswith(("shes", "sses", "xes")) else one
    one = one[:-1] if one.endswith("s") and not one.endswith(("ss", "series")) else one
    return FAVORITE + re.sub(r"[^a-z]+", "_", THING.get(one, one))


def _is_best(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "gin and tonic is my go-to drink", "fall is the only season that matters", "the best film ever made is Sholay"."""
    if head.person == OTHER and head.relation:
        return
    text = _OPENING.sub("", clause.cut(match, "v"))
    value = clean(text, stop="because|since|though|nobody|which|so|for|when|but", most=6, cut_and=False).split(",")[0]
    if value and not _NOT_THING.match(value.lower()):
        yield Said(attribute=_favorite(match["t"]), value=value)


def _best_ever(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """An opinion of the best of a kind is a favourite where the speaker makes it theirs."""
    if re.search(
        r"\bfav|favou?rite|\bfor me\b|\bto me\b|\bimo\b|argue|\bmy\b|hands down|fight me", clause.sentence.lower()
    ):
        yield from _is_best(match, clause, head)


def _named_before(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "capybaras. fav animal hands down", "baja blast is the greatest liquid ever and my fav": what it is stands before."""
    if head.person == OTHER and head.relation:
        return
    before = clause.message[: clause.offset + match.start()]
    stated = re.search(
        r"(?:^|[.!?;] )\W*(?P<v>[\w' &-]{2,40}?)(?:,? (?:is|are|will always be|has always been)\b|'s |[.!]\s|,\s|\s?[-–—]\s)",
        before,
    )
    value = clean(_OPENING.sub("", stated["v"]), most=5, cut_and=False) if stated else ""
    if value and not _NOT_THING.match(value.lower()) and len(value.split()) <= 5:
        kind = match["t"]
        yield Said(attribute=_favorite(kind) if kind else "likes", value=value)


def _liked(attribute: str, match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == OTHER and head.relation and not head.owned:
        return
    for value in parts(
        _OPENING.sub("", clause.cut(match, "v")), stop="just|always|really|still|for|when|because", most=5
    ):
        if not _NOT_THING.match(value.lower()):
            yield Said(attribute=attribute, value=value)


def _likes(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield from _liked("likes", match, clause, head)


def _dislikes(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield from _liked("dislikes", match, clause, head)


_CONTENT = re.compile(
    r"\b(?:put me in front of|give me|hand me|sit me (?:down )?(?:in front of|with)|feed me) (?:any |an? |some |the |good )*"
    r"(?P<v>[a-z][\w' -]{2,30}?),? (?:and|n|&) i(?:'m|m| am|'ll be) (?:happy|sold|set|good|content|in heaven|yours|there|in)\b"
)


def _content(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del match, head
    found = _CONTENT.search(clause.sentence.lower())
    value = clean(clause.sentence[slice(*found.span("v"))], most=4) if found else ""
    if value and not _NOT_THING.match(value.lower()):
        yield Said(attribute="likes", value=value)


_PLEADED = re.compile(
    r"\bno (?P<v>[a-z]+(?: [a-z]+)?),?(?: please,?| pls,?| thanks,?)? (?:they|it|that stuff|those|i)\b"
)


def _pleaded(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "please no musicals, they make my skin crawl"."""
    del match, head
    found = _PLEADED.search(clause.sentence.lower())
    value = clean(found["v"], most=2) if found else ""
    if value and not _NOT_THING.match(value) and value not in ("worries", "problem", "rush", "thanks", "need", "way"):
        yield Said(attribute="dislikes", value=value)


def _fan_guy(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), most=3)
    if value and not re.match(
        r"(?:family|city|business|ladies|old|young|big|bad|nice|good|tall|tough|loud|people)\b", value.lower()
    ):
        yield said("dislikes" if head.negated else "likes", value, head)


def _not_done(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I don't do horror films"."""
    if head.past or head.thought or head.future or head.ended:
        return
    value = clean(clause.cut(match, "v"), stop="so|because|at|in|on|well|very", most=3)
    if (
        value
        and not _NOT_THING.match(value.lower())
        and not re.match(
            r"(?:any|much|well|enough|drugs|a lot|anything|the|both|more|too|mornings?|homework|dishes|that|drama|favou?rs|refunds|sarcasm)\b",
            value.lower(),
        )
    ):
        yield said("dislikes", value, head)


_ANSWER = re.compile(r"\s*(?:probably |definitely |easily |gotta be |has to be |easy,? )*(?P<v>[^,.;!?\n]{2,40})")


def _own_answer(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "favourite book? Rebecca, no question"."""
    del head
    found = _ANSWER.match(clause.message, clause.offset + match.end())
    value = clean(found["v"], most=5, cut_and=False) if found else ""
    if value and not _NOT_THING.match(value.lower()):
        yield Said(attribute=_favorite(match["t"]), value=value)


def _greater(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "cats > dogs, sorry"."""
    del head
    value, other = clean(clause.cut(match, "v"), most=3), clean(clause.cut(match, "o"), most=3)
    if value and other and not _NOT_THING.match(value.lower()):
        yield Said(attribute="likes", value=value, content=f"Prefers {value} to {other}")


def _fan_of(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.past:
        return
    denied = (
        head.negated
        or match[0].startswith(("not", "never"))
        or bool(re.search(r"\bnever\b", clause.flat[: match.start()]))
    )
    for value in parts(clause.cut(match, "v"), stop="for|since|when|because|so|what|from", most=5):
        if not _NOT_THING.match(value.lower()):
            yield said("former_likes" if head.used or head.ended else "dislikes" if denied else "likes", value, head)


def own_thought(attribute: str) -> Made:
    """Like `own`, where "could" makes no thought of it."""
    make = own(attribute, most=4)
    return lambda match, clause, head: (
        make(match, clause, Head(name="self", person=SPEAKER)) if head.person != OTHER else []
    )


_ASKED = re.compile(r"(?:^|[.!?,] )\W*(?P<v>[a-z][\w'-]*(?: [\w'-]+){0,2})\?+\s*(?:um,? |oh,? |ha,? )?$", re.IGNORECASE)


def _answered(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "olives? absolutely not": asked and answered by the speaker."""
    del head
    found = _ASKED.search(clause.message[: clause.offset])
    value = clean(found["v"], most=3) if found else ""
    if (
        value
        and not _NOT_THING.match(value.lower())
        and not re.match(
            r"(?:really|seriously|right|why|any|is|are|do|does|can|kids|sure|again|another|more)\b", value.lower()
        )
    ):
        yield Said(attribute="dislikes" if match["no"] else "likes", value=value)


_SICKENS = (
    r"(?:makes? my (?:skin crawl|blood boil|teeth itch|stomach turn|eyes (?:glaze|roll))|(?:gives?|give) me (?:the (?:creeps|heebie"
    r"\S*|shivers|ick)|a headache)|turns? my stomach|bores? me|drives? me (?:mad|crazy|nuts|insane|up the wall|round the bend))"
)
RULES: tuple[Rule, ...] = (
    anywhere(
        "favorite: my go-to", "my our",
        rf"^\W*(?P<v>[\w'&., -]{{2,50}}?)(?: is|'s| are|s| has to be| will always be| has always been|,)(?: still| by"
        rf" far| easily"
        rf"| definitely| hands down| also)* (?:my|our) (?:(?:all[- ]time|absolute|new|current|personal|forever|true"
        rf"|number one|#1"
        rf"|no\.? ?1|go-to|favou?rite|fave?|best|ultimate|usual|top|comfort) )+(?P<t>{_KINDS})\b(?! (?:is|are|was))",
        _is_best,
    ),
    anywhere(
        "favorite: only one that matters", "only",
        rf"^\W*(?P<v>[\w' -]{{2,40}}?)(?: is|'s| are) the only (?P<t>{_KINDS}) (?:that matters|i (?:need|care about"
        rf"|watch|read|listen"
        rf" to|eat|drink|want|trust)|worth|for me)\b", _is_best,
    ),
    anywhere(
        "favorite: best ever", "best greatest",
        rf"\b(?:best|greatest|finest|top) (?P<t>{_KINDS})(?: ever(?: \w+)?| of all time| in the world| on earth| out"
        rf" there| going)?"
        rf" (?:is|has to be|will always be|'s|would be|gotta be) (?P<v>[^;!?()\n]{{2,60}})", _best_ever,
    ),
    anywhere(
        "favorite: named before", "fav fave favorite favourite #1 favs",
        rf"(?:^\W*|\band |\bn |, )(?:(?:it's |its |still |definitely |easily |and )*my )?(?:all[- ]time |absolute "
        rf"|personal )?(?:fave?"
        rf"|favou?rite)(?: (?P<t>{_KINDS}))?(?:,? {_MOST})(?=\s*(?:$|[,.!]))", _named_before,
    ),
    anywhere(
        "likes: nothing more than", "nothing", r"\bnothing (?:that )?(?:i|we) (?:like|love|enjoy) (?:more|better) than"
        r" {V}", own(
        "likes", many=True),
    ),
    anywhere(
        "likes: heals me", "heals heal soothes soothe calms calm relaxes grounds centers language happy joy sane alive"
        " day heaven everything"
        " therapy life",
        r"^\W*(?!(?:life|work|it|this|that|such|family|business|love) (?:is|=))(?P<v>[a-z][\w' +,-]{1,50}?)\s?(?:just |always |really |still |honestly |literally )*(?:heals? (?:me|my"
        r" \w+)|soothes? me"
        r"|grounds? me|cent(?:er|re)s? me|makes? my (?:day|week|heart sing)|brings? me (?:so much |real |pure )?joy"
        r"|keeps? me (?:sane"
        r"|going|alive)|(?:is|are|=) (?:literally |honestly |basically )?(?:everything to me|my (?:therapy|heaven|love"
        r" language|happy"
        r" place|whole (?:life|personality)|life|everything)|heaven|life|the (?:best|dream)))(?=\s*(?:$|[,.!;]))",
        _likes,
    ),
    anywhere(
        "likes: and i'm happy", "happy sold set content heaven", r"^\W*i(?:'m|m| am|'ll be) (?:happy|sold|set|content"
        r"|in heaven)",
        _content,
    ),
    anywhere(
        "dislikes: skin crawl", "crawl boil stomach creeps heebie-jeebies ick glaze roll bore bores",
        rf"^\W*(?P<v>(?!they|it|that)[a-z][\w' -]{{2,40}}?) (?:just |always |really )*{_SICKENS}", _dislikes,
    ),
    anywhere(
        "dislikes: pleaded", "they it i'm can't hate", rf"^\W*(?:they|it|that stuff|those)(?:'re|'s|s)? (?:just "
        rf"|always |really )*(?:"
        rf"{_SICKENS}|(?:is|are|'s|'re|s)? ?(?:gross|vile|disgusting|the worst|awful|not for me))", _pleaded,
    ),
    anywhere(
        "dislikes: personal hell", "crime abomination hell nemesis bane vile gross disgusting devil torture nightmare"
        " enemy",
        r"^\W*(?P<v>[a-z][\w' -]{2,40}?)(?: is|'s| are) (?:just |literally |honestly |absolutely |so |truly )*(?:my"
        r" (?:personal |own )?"
        r"(?:hell|nemesis|worst nightmare|sworn enemy|mortal enemy)|the bane of my (?:life|existence)|an? (?:war"
        r" )?crime|an abomination|the food of the devil|the devil"
        r"|torture)\b", _dislikes,
    ),
    anywhere(
        "former likes: was my everything", "everything life jam thing obsession",
        r"^\W*(?P<v>[a-z][\w' -]{2,40}?) (?:was|were|used to be) my (?:everything|whole life|life|jam|thing|obsession"
        r"|go-to)\b", own(
        "former_likes", most=4),
    ),
    anywhere(
        "favorite: no better", "better finer", rf"\b(?:no|isn'?t a|not a) (?:better|finer|greater) (?P<t>{_KINDS})"
        rf" than (?P<v>[^;!?()\n]{{2,40}})", _is_best,
    ),
    anywhere(
        "likes: team x", "team", r"(?:^|[,.] )\W*team (?P<v>[a-z]+(?: [a-z]+)?) (?:here|all the way|forever|for life"
        r"|always)\b", own("likes", most=2),
    ),
    anywhere(
        "likes: more of a x than", "more", r"\bmore (?:of )?an? (?P<v>[a-z]+(?: [a-z]+)?) (?:than an? [a-z]+(?:"
        r" [a-z]+)? )?(?:person|guy|girl|gal|kind of person)\b", own("likes", most=2),
    ),
    anywhere(
        "dislikes: is vile", "vile gross disgusting revolting foul minging rank yuck nasty",
        r"(?:^|[,;] )\W*(?P<v>[a-z][\w' -]{2,30}?)(?:'s| is| are) (?:just |so |absolutely |honestly |proper )*(?:vile"
        r"|gross|disgusting|revolting|foul|minging|yuck)(?=\s*(?:$|[,.!]|to me|tbh|imo))", _dislikes,
    ),
    predicate(
        "dislikes: don't do", "do|does", r" (?P<v>[^;!?()\n]{3,40})", _not_done, when=lambda h: h.negated,
    ),
    anywhere(
        "favorite: asked and answered", "favorite favourite fave fav", rf"^\W*(?:my )?(?:all[- ]time )?(?:fave?"
        rf"|favou?rite) (?P<t>{_KINDS})\?", _own_answer,
    ),
    anywhere(
        "likes: or nothing", "nothing bust", r"^\W*(?P<v>(?!all|everything|it)[a-z][\w' -]{2,30}?) or (?:nothing"
        r"|bust)\W*$", own("likes", most=4),
    ),
    anywhere(
        "likes: greater than", "dogs cats tea coffee summer winter beach mountains books movies sorry always any day"
        " football pizza", r"^\W*(?P<v>[a-z][a-z' ]{2,25}?)\s?>+\s?(?P<o>[a-z][a-z' ]{2,25})", _greater,
    ),
    anywhere(
        "likes: is my favourite", "favorite favourite fave fav faves favs favourites favorites", r"^\W*(?P<v>[a-z][\w'"
        r" -]{2,35}?)(?: is|'s| are|s) (?:still |definitely |by far |honestly )*my (?:absolute |all[- ]time"
        r" )?(?:favou?rites?|faves?|favs?)(?=\s*(?:$|[,.!]))", _likes,
    ),
    predicate(
        "likes: fan of", "a|an|big|huge|massive|total|lifelong|the|not|fan|never|long-time|longtime", "", _fan_of, be=
        True, bare=True, when=always, whole=
        r"(?:(?:a|an|the|such a|really|real|not|much of a|big|huge|massive|total|lifelong|long-?time|avid|die-?hard"
        r"|proper|great|biggest|major|secret|lover) )*(?:fan|lover|admirer|devotee|supporter|follower)s? of {V}",
    ),
    anywhere(
        "favorite: my colour", "my", r"^\W*(?P<v>[a-z][\w' -]{1,30}?)(?: is|'s| are|s) (?:totally |so |always been"
        r" )?my (?P<t>colou?r|drink|song|season|sport|show|band|team|book|city|food|animal|number)(?=\s*(?:$|[,.!;]))",
        _is_best,
    ),
    anywhere(
        "likes: could all day", "could", r"\b(?:i|we) could (?:happily |easily |literally |honestly |just )*(?:eat"
        r"|drink|watch|listen to|live on|play|read|talk about) (?P<v>[a-z][\w' -]{1,30}?) (?:every (?:single )?(?:day"
        r"|night|meal)"
        r"|all (?:day|night)|forever|for (?:the rest of my life|hours|ever)|daily|24/7|on repeat|for breakfast)",
        own_thought("likes"),
    ),
    predicate(
        "former likes: went off", "went off|gone off|gone right off|fell out of love with|fallen out of love with|got"
        " sick of|grew out of|gotten tired of", r"\s{V}", lambda m, c, h: [said("former_likes", v, h) for v in parts(c.
        cut(m, "v"), stop="completely|when|in|after|on|at|last|this|to", most=4) if not _NOT_THING.match(v.lower()) and
        not re.match(r"(?:script|topic|road|rails|air|tangent)", v.lower())] if not (h.negated or h.thought or h.future)
        else [], bare=True, when=always,
    ),
    anywhere(
        "dislikes: asked and answered", "absolutely hard hell no nope yuck gross ew never yes always love",
        r"^\W*(?:(?P<no>absolutely not|hard pass|hell no|nope|no thanks|no way|yuck|gross|eww?|never again|not for me)"
        r"|(?P<yes>yes please|hell yes|always|love (?:it|them)|give me))\b", _answered,
    ),
    predicate(
        "likes: x guy", "a|big|huge|massive|total|real|such", "", _fan_guy, be=True, bare=frozenset(["big", "huge",
        "massive", "total",
        "such"]), when=always, whole=r"(?:an? |such a )?(?:big|huge|massive|total|real|proper) (?P<v>[\w' -]{3,25}?)"
        r" (?:guy|gal|girl|person"
        r"|man|woman|lad|head)(?=\s*(?:$|[,.!?]))",
    ),
)  # fmt: skip
