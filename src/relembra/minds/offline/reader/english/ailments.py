"""What a body does not bear, said by what happens: reactions, refusals, doses, and measures in passing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.body import BLOOD, HEIGHT, WEIGHT
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.health import ADJECTIVES, CONDITION, DRUGS
from relembra.minds.offline.reader.english.medicine import DIETS
from relembra.minds.offline.reader.english.saying import always, anywhere, own, predicate, said, told
from relembra.minds.offline.reader.english.words import NUMBER, clean, parts

__all__ = ["RULES"]

_THING = r"[a-z][\w'-]*(?: (?!and\b|or\b|n\b)[a-z][\w'-]*){0,2}?"
_THINGS = rf"{_THING}(?:(?:,| and| or|, and| n) {_THING}){{0,3}}"
_GRAVE = (
    r"(?:my (?:throat|tongue|lips?|face|eyes?|ears?|skin|mouth|airways?|hands?) (?:just |will |always )?(?:close|swell"
    r"|itch|blow|puff|burn|tingle|go|break|erupt|stream|water)\w*|i(?:'m| am|m|'ll be)? (?:just |always )?(?:in (?:a&e|the"
    r" er|hospital|the hospital|the emergency)|break(?:ing)? out|swell\w*|covered in|can'?t breathe|stop breathing|wheez\w+"
    r"|sneez\w+|itch\w*|need (?:my|an) epi\w*|go into (?:shock|anaphyla\w+)|blow up|get hives|come (?:up|out) in))"
)
_GUT = (
    r"(?:i(?:'m| am|m|'ll be)? (?:doubled (?:over|up)|bloated|on the (?:toilet|loo)|in the bathroom|sick|ill|cramping|up all"
    r" night|vibrating|throwing up)|my (?:stomach|gut|guts|tummy|belly) (?:\w+))"
)
_BITE = re.compile(
    rf"(?:^|[,.;:?!] |\b(?:so|but|because|and) )(?:just |even |literally )*(?:one|a single|two|half an?|a bit of|a)"
    rf" (?:(?:bites?|sips?|whiffs?|sniffs?|crumbs?|tastes?|slices?|glass|cup|drops?|sting) (?:of )?)?(?P<v>{_THING})"
    rf"(?: sting)?,? (?:and|&|n|then) (?:(?P<g>{_GRAVE})|{_GUT})"
)
_NO_FOOD = re.compile(
    r"^(?:it|this|that|you|he|she|they|my|your|his|her|the (?:thought|idea|smell|sight)|work|school|traffic|thinking|watching"
    r"|seeing|talking|look|word|call|text|drink|song|more|day|night|week|minute|second|hour|step|run|workout|joke|comment"
    r"|email|meeting|mile|lap|these|those|what|who|love|stress|running|crying|walking)\b"
)


def _bite(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "one pistachio and my throat closes up": the reaction stands in the clause behind."""
    del match
    found = _BITE.search(clause.sentence.lower())
    if found is None or (head.person == OTHER and not head.owned):
        return
    value = clean(found["v"], most=3)
    if value and not _NO_FOOD.match(value):
        yield Said(attribute="allergy" if found["g"] else "intolerance", value=value)


def _reacts(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "garlic and onion wreck my gut", "nickel makes my ears blow up"."""
    if head.person == OTHER and not head.owned:
        return
    text = re.sub(r"^(?:and|but|so|because|bc|remember|since|as|even|also)\s+", "", clause.cut(match, "v"), flags=re.I)
    for value in parts(text, most=3):
        if not _NO_FOOD.match(value.lower()):
            yield Said(attribute="allergy" if match["g"] else "intolerance", value=value)


def _not_borne(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated and not head.past and not head.thought:
        for value in parts(clause.cut(match, "v"), stop="well|very|at|in|any|anymore|when|on|like", most=3):
            if not _NO_FOOD.match(value.lower()):
                yield said("intolerance", value, head)


_ASKS = re.compile(r"\b(?:can|could|should|may) i\b|\bi (?:drink|eat|have|use|take|order|cook)\b|\bfor me\b")


def _asked(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "what beer can I drink if I don't tolerate gluten": asked for oneself, so it is so."""
    del head
    if not _ASKS.search(clause.sentence.lower()) or re.search(r"\b(?:were|was|had|would|ever)\b", match[0]):
        return
    for group, attribute in (("a", "allergy"), ("i", "intolerance"), ("d", "diet"), ("c", "condition")):
        if match[group]:
            for value in parts(clause.cut(match, group), most=3):
                if not _NO_FOOD.match(value.lower()):
                    yield Said(attribute=attribute, value=value)


_LIKE_ME = re.compile(r"\b(?:asking for me|like me|like myself|aka me|thats me|that's me|i\.e\.? me|namely me)\b|\(me\)")


def _like_me(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "a pet for someone who's allergic to cats? asking for me"."""
    del head
    if _LIKE_ME.search(clause.message.lower()):
        for value in parts(clause.cut(match, "v"), most=3, stop="like|asking"):
            yield Said(attribute="allergy", value=value)


def _as_one(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    del head
    if match["d"]:
        yield Said(attribute="diet", value=re.sub(r"^an? ", "", clause.cut(match, "d")))
    else:
        yield Said(attribute="condition", value=re.sub(r"^an? ", "", clause.cut(match, "c")))


def _take_it(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Does grapefruit interact with atorvastatin? I take one every night."."""
    del match
    drug = DRUGS.search(clause.message.lower(), 0, clause.offset) if head.person == SPEAKER else None
    if drug and not head.negated and not head.thought:
        yield Said(attribute="medication", value=clause.message[slice(*drug.span())])


def _dosed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "adderall 20 in the am, melatonin at nite": names with a dose or an hour and no verb."""
    del match
    if head.person != ELIDED or head.be or head.negated:
        return
    for one in _DOSED.finditer(clause.flat):
        dose = (one["n"] or "").strip()
        yield Said(attribute="medication", value=f"{clause.raw[slice(*one.span('d'))]} {dose}".strip())


_DOSED = re.compile(
    rf"(?:^|, |\band )\W*(?P<d>{DRUGS.pattern})(?P<n>,? \d+(?:\.\d+)? ?(?:mg|mcg|ml|g|units?|iu)?\b)?"
    r"(?=,? (?:in the|at (?:night|nite|bedtime|noon)|every|daily|twice|once|nightly|for (?:my|the)|as needed|mornings?)\b)"
)


def _small_print(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A medicine nobody lists, by where it stands: "I'm on junel fwiw", "on 5 mg of xylotrex for my gout"."""
    value = clean(clause.cut(match, "v"), most=2)
    if head.negated or head.past or not value or _NOT_DRUG.match(value.lower()):
        return
    yield said("medication", value, head)


_NOT_DRUG = re.compile(
    r"(?:a|an|the|my|it|that|this|day|days|board|call|top|track|time|holiday|vacation|leave|duty|fire|edge|benefits|hold|hand"
    r"|way|foot|campus|site|twitter|instagram|tiktok|reddit|discord|facebook|youtube|zoom|mute|page|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|nights?|shift|break|lunch|season|episode|level|chapter|week|month|year|mac|windows"
    r"|linux|android|ios|iphone|ipad|wifi|minimum|commission|probation|parole|universal|food|disability|unemployment|and"
    r"|strike|tour|trial|team|staff|budget|welfare|sabbatical|course|medication|meds|diet|our|your|his|her|their|one|two)\b"
)


def _measured(attribute: str, match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought or (head.person == OTHER and attribute == "weight" and not head.owned):
        return
    value = clause.raw[slice(*match.span("v"))].strip(" ,;:.!?")
    yield told(head, attribute=attribute, value=value, changed=True)


def _weight(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield from _measured("weight", match, clause, head)


def _height(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield from _measured("height", match, clause, head)
    age = re.match(rf"\s?(?:tall )?(?:at|aged) (?P<a>{NUMBER})(?=\s*(?:$|[,.!?]))", clause.flat[match.end("v") :])
    if age and head.person == OTHER:
        yield said("age", age["a"], head)


def _blood(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != OTHER or not head.relation:
        yield Said(attribute="blood_type", value=clause.cut(match, "v"))


def _eats(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), stop="because|so|what|since", article=False, most=9, cut_and=False)
    if value and not head.negated:
        yield said("diet", value, head)


_BARE_WEIGHT = r"(?P<v>\d{2,3}(?:\.\d)?)(?=\s*(?:$|[,.!;]|(?:for|this|today|now|and|at|on|but|naked|in|before|after)\b))"
RULES: tuple[Rule, ...] = (
    anywhere(
        "allergy: one bite", "throat tongue lips lip face eyes skin mouth im i'm i stomach gut guts tummy",
        r"^\W*(?:my|i|i'm|im|i'll)\b", _bite,
    ),
    anywhere(
        "allergy: reacts", "puts put sends send makes make wrecks wreck destroys destroy ruins ruin tears messes mess goes"
        " go does do closes close brings bring sets inflames inflame bloats bloat breaks break",
        rf"(?:^|[,:] )\W*(?P<v>{_THINGS}) (?:just |always |really |literally |absolutely |completely )*(?:(?P<g>(?:puts?"
        rf"|sends?|throws?) me (?:in|into|in to|straight to|to) (?:the )?(?:anaphyla\w+|shock|a&e|er|hospital|emergency)"
        rf"|makes? my (?:\w+ )?(?:throat|tongue|lips?|face|eyes?|ears?|skin|mouth|hands?|nose) (?:swell|close|itch|blow|puff"
        rf"|break|water|run|stream|burn|tingle)\w*|closes? (?:up )?my throat|(?:breaks?|brings?) me out)|(?:wrecks?|destroys?"
        rf"|ruins?|tears? up|mess(?:es)? (?:up|with)|does a number on|do a number on|sets? off|inflames?|bloats?) (?:my"
        rf" (?:\w+ )?(?:stomach|gut|guts|tummy|insides|digestion|belly|bowels?|ibs|reflux)|me\b)|go(?:es)? (?:straight|right)"
        rf" through me)", _reacts,
    ),
    anywhere(
        "allergy: epipen for", "epipen epi-pen epipens", r"\bepi-?pens?\b[^,;.]{0,20}? (?:is |are |just |only )*for (?:my )?"
        r"(?P<v>[a-z]+(?: (?:stings?|nuts?|allergy))?)", own("allergy", most=2, refuse=re.compile(r"^(?:emergenc|my|when)")),
    ),
    predicate(
        "intolerance: not tolerated", "tolerate|digest|metabolize|metabolise|stomach|process", r"\s{V}", _not_borne, when=
        lambda h: h.negated and not h.be,
    ),
    anywhere(
        "intolerance: it's x", "digest tolerate process eat have",
        rf"\bit'?s (?P<v>{_THING}) (?:that )?(?:i|my (?:body|gut|stomach)) (?:can'?t|cannot|don'?t|doesn'?t) (?:digest|tolerate"
        rf"|process|eat|have|handle)\b", own("intolerance", most=3),
    ),
    anywhere(
        "allergy: asked for oneself", "if when",
        rf"\b(?:if|when|since|given) i(?:'m| am|m)? (?:allergic to (?P<a>{_THINGS})(?=\s*(?:$|[?.,!]))|(?:don'?t tolerate"
        rf"|can'?t (?:have|eat|tolerate|digest)|intolerant to) (?P<i>{_THINGS})(?=\s*(?:$|[?.,!]))|(?:an? )?(?P<d>{DIETS})(?=\s*"
        rf"(?:$|[?.,!]))|(?:have|'ve got) (?P<c>{CONDITION})(?=\s*(?:$|[?.,!])))", _asked, presupposed=True,
    ),
    anywhere(
        "allergy: like me", "allergic", r"\bwho(?:'s|s| is| are) (?:\w+ly )?allergic to {V}", _like_me, presupposed=True,
    ),
    anywhere(
        "diet: as a", "as being for",
        rf"(?:^|[,.;:] )\W*(?:(?:so |and |but |also |honestly )*(?:as|being|speaking as) (?:an? )?(?:\w+ly |life-?long |strict"
        rf" |committed |long-?time |fellow |new )?(?P<d>{DIETS}|(?:raw )?vegan)|(?:as|being) (?:an? )?(?:\w+ly )?(?P<c>"
        rf"(?!deaf|in |left|right|an? |ocd|adhd){ADJECTIVES}))(?=[\s,.?!]|$)(?! (?:restaurant|dish|option|meal|chef|alternative"
        rf"|friend|protein))", _as_one, presupposed=True,
    ),
    anywhere(
        "diet: no x for me", "no", r"(?:^|[,.;] )\W*no (?P<v>[a-z]+(?:[ ,]+(?:or|and)? ?[a-z]+)?) for me\b(?! (?:to|today|tonight"
        r"|this))", lambda m, c, h: [Said(attribute="diet", value=f"no {v}") for v in parts(c.cut(m, "v"), most=2) if not re.match(
        r"(?:thanks|sleep|rush|problem|luck|more|such|way|plans?|work|school|date|prom|weekend|\w+ing$)", v.lower())],
    ),
    predicate(
        "diet: but no", "eat|eats", r"\s(?P<v>[a-z ,]{2,40}? (?:but|and) (?:no|not|never) [a-z ]{3,30})", _eats,
    ),
    predicate(
        "medication: take it", "take one|take it|take mine|take them|take that", r"(?=\s*(?:$|[,.!]|every|each|daily|twice|once"
        r"|at|in|for|with|before|after|nightly))", _take_it,
    ),
    anywhere(
        "medication: dosed", " ".join(sorted(set(re.findall(r"[a-z]{5,}", DRUGS.pattern)))), _DOSED.pattern, _dosed,
    ),
    predicate(
        "medication: by position", "on|taking|prescribed|started on|put on",
        r"\s(?:\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?) (?:of )?)?(?P<v>[a-z][a-z-]{3,15})(?=,? (?:fwiw|for (?:my|the) (?:\w+ )?"
        rf"(?:{CONDITION})|for {CONDITION}|\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?)\b))", _small_print, when=lambda h: h.be or h.
        person == SPEAKER,
    ),
    predicate(
        "weight: bare", "weigh|weighs|weighing|weighed in|weigh in", rf"(?:\s(?:at|in at|about|around|like|roughly|exactly))*\s"
        rf"{_BARE_WEIGHT}", _weight, bare=True,
    ),
    anywhere(
        "weight: scale bare", "scale scales", rf"\bscales?\b[^,;.\d]{{0,30}} (?:said|says|say|shows?|showed|read|reads|has me at)"
        rf" (?:i'?m |about )?{_BARE_WEIGHT}", _weight,
    ),
    anywhere(
        "weight: on the scales", "scale scales weight", rf"(?:^|[,.;] )\W*(?:\w+ )?{WEIGHT} on the scales?\b", _weight,
    ),
    anywhere(
        "weight: target", "weight", rf"\b(?:hit|reached|at|made|got to) (?:my |his |her )?(?:target|goal|dream|ideal)? ?weight\b"
        rf"[^.;\d]{{0,25}}{WEIGHT}", _weight,
    ),
    anywhere(
        "height: beside weight", "kg kilos lbs pounds stone cm ft foot",
        rf"(?:kgs?|kilos?|lbs?|pounds?|stone)(?:,| and|,? at|/| &)? (?:and )?(?:i'?m )?{HEIGHT}", _height,
    ),
    anywhere(
        "height: like me", "like", rf"\b(?:someone|somebody|a person|a (?:guy|girl|man|woman))(?: who'?s| that'?s)? {HEIGHT}"
        rf"(?: tall)? like me\b", _height,
    ),
    anywhere(
        "height: at, first", "at", rf"^\W*(?:being |at ){HEIGHT}(?:\s?tall)?(?=[\s,])(?!\s?(?:from|away|distance|deep|high|of|wide|long"
        rf"|apart|above|below))", lambda m, c, h: _height(m, c, Head(name="self", person=SPEAKER)) if h.person in (NOBODY, SPEAKER,
        ELIDED) else [],
    ),
    predicate(
        "height: clear", "clear|reach|top out at|hit", rf"\s(?:about |just |only )?{HEIGHT}", _height, bare=True,
    ),
    anywhere(
        "blood type: on a card", "chart donor donate donated donating transfusion blood cross tag bracelet",
        rf"(?:^|[\s,(]){BLOOD}(?=[\s,.)!]|$)", lambda m, c, h: _blood(m, c, h) if re.search(
        r"\b(?:my (?:\w+ )?(?:chart|tag|bracelet|card)|red cross|blood (?:bank|drive|type|donor)|donor|donat\w+|transfusion)\b", c.
        message.lower()) and (c.raw[m.start("v")].isupper() or re.search(r"neg|pos", m["v"])) else [],
    ),
    predicate(
        "blood type: neg", "o|a|b|ab", "", _blood, be=True, bare=True, when=always, whole=
        r"(?P<v>(?:ab|a|b|o)[ -]?(?:\+|neg(?:ative)?|pos(?:itive)?))(?![a-z])(?!\s(?:student|grade|rating|average|plan|list))",
    ),
)  # fmt: skip
