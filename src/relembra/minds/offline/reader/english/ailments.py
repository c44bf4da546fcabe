"""What a body does not bear, said by what happens: reactions, refusals, doses, and measures in passing."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.body import BLOOD, HEIGHT, WEIGHT, height
from relembra.minds.offline.reader.english.heads import ELIDED, NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.health import ADJECTIVES, CONDITION, DRUGS
from relembra.minds.offline.reader.english.medicine import DIETS
from relembra.minds.offline.reader.english.saying import always, anywhere, own, predicate, said, told
from relembra.minds.offline.reader.english.words import clean, parts

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
_IF_EATEN = re.compile(
    rf"{_GRAVE}[^.;]{{0,25}}? (?:if|when|whenever|every time|any ?time) i (?:\w+ ){{1,6}}?(?:an? |any |some |the |raw )?(?P<v>[a-z]{{3,}})(?P<g>)\s*(?:$|[.!,])"
)
_NO_FOOD = re.compile(
    r"^(?:it|this|that|you|he|she|they|my|your|his|her|the (?:thought|idea|smell|sight)|work|school|traffic|thinking|watching"
    r"|seeing|talking|look|word|call|text|drink|song|more|day|night|week|minute|second|hour|step|run|workout|joke|comment"
    r"|email|meeting|mile|lap|these|those|what|who|love|stress|running|crying|walking)\b"
)


def _bite(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "one pistachio and my throat closes up": the reaction stands in the clause behind."""
    del match
    text = clause.sentence.lower()
    found = _BITE.search(text) or _IF_EATEN.search(text)
    if found is None or (head.person == OTHER and not head.owned):
        return
    value = clean(found["v"], most=3)
    if value and not _NO_FOOD.match(value):
        yield Said(attribute="allergy" if found["g"] is not None else "intolerance", value=value)


def _reacts(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "garlic and onion wreck my gut", "nickel makes my ears blow up"."""
    if head.person == OTHER and not head.owned:
        return
    text = re.sub(
        r"^(?:and|but|so|because|bc|remember|since|as|even|also)\s+", "", clause.cut(match, "v"), flags=re.IGNORECASE
    )
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


_LIKE_ME = re.compile(
    r"\b(?:asking for me|like me|like myself|aka me|thats me|that's me|i\.e\.? me|namely me)\b|\(me\)"
)


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


def _corrected(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I take 20mg of citalopram. Sorry, I meant 10mg": the dose of the medicine named before."""
    drug = DRUGS.search(clause.message.lower(), 0, clause.offset) if head.person != OTHER else None
    if drug:
        value = f"{clause.message[slice(*drug.span())]} {clause.cut(match, 'd')}"
        yield Said(attribute="medication", value=value, changed=True)


def _listed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "my meds: lisinopril 10, metformin 500 twice a day"."""
    if head.person != OTHER:
        for value in parts(clause.cut(match, "v"), stop="twice|once|daily|in the|at|every|three|nightly|for", most=3):
            if re.match(r"[a-z]{4,}", value.lower()) and not _NOT_DRUG.match(value.lower()):
                yield Said(attribute="medication", value=value)


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


def _weight(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if not (head.negated or head.thought or (head.person == OTHER and not head.owned)):
        value = clause.raw[slice(*match.span("v"))].strip(" ,;:.!?")
        yield told(head, attribute="weight", value=value, changed=True)


def _height(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    yield from height(match, clause, head if head.person != NOBODY else Head(name="self", person=SPEAKER))


def _blood(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != OTHER or not head.relation:
        yield Said(attribute="blood_type", value=clause.cut(match, "v"))


def _eats(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = re.split(r",|\s(?:because|so|what|since|when)\b", clause.cut(match, "v"))[0].strip()
    if value and not head.negated:
        yield said("diet", value, head)


_BARE_WEIGHT = (
    r"(?P<v>\d{2,3}(?:\.\d)?)(?=\s*(?:$|[,.!;]|(?:for|this|today|now|and|at|on|but|naked|in|before|after)\b))"
)
RULES: tuple[Rule, ...] = (
    anywhere(
        "allergy: one bite", "throat tongue lips lip face eyes skin mouth im i'm i stomach gut guts tummy",
        r"^\W*(?:my|i|i'm|im|i'll)\b", _bite,
    ),
    anywhere(
        "allergy: reacts", "gives give puts put sends send makes make wrecks wreck destroys destroy ruins ruin tears"
        " messes mess goes"
        " go does do closes close brings bring sets inflames inflame bloats bloat breaks break",
        rf"(?:^|[,:] )\W*(?P<v>{_THINGS}) (?:just |always |really |literally |absolutely |completely"
        rf" )*(?:(?P<g>(?:puts?"
        rf"|sends?|throws?) me (?:in|into|in to|straight to|to) (?:the )?(?:anaphyla\w+|shock|a&e|er|hospital"
        rf"|emergency)"
        rf"|makes? my (?:\w+ )?(?:throat|tongue|lips?|face|eyes?|ears?|skin|mouth|hands?|nose) (?:swell|close|itch"
        rf"|blow|puff"
        rf"|break|water|run|stream|burn|tingle)\w*|closes? (?:up )?my throat|(?:breaks?|brings?) me out)|(?:wrecks?"
        rf"|destroys?"
        rf"|ruins?|tears? up|mess(?:es)? (?:up|with)|does a number on|do a number on|sets? off|inflames?|bloats?) (?:my"
        rf" (?:\w+ )?(?:stomach|gut|guts|tummy|insides|digestion|belly|bowels?|ibs|reflux)|me\b)|(?:gives?|give) me"
        rf" (?:\w+ ){0,3}?(?:bloating|cramps|indigestion|heartburn|wind|gas|diarrho?ea|tummy ache|stomach ache|the"
        rf" (?:runs|jitters|shakes|sweats)|palpitations|migraines?|headaches?)|go(?:es)? (?:straight|right)"
        rf" through me)", _reacts,
    ),
    predicate(
        "allergy: break out from", "break out|breaks out|come out in|comes out in|come up in|get hives|get a rash"
        "|swell up|swells up|sneeze|itch|wheeze|react badly|react", r"[^,;.]{0,25}? (?:from|around|near|to)"
        r" (?P<v>[^;!?()\n,]{3,40})", lambda m, c, h: [
        said("allergy", v, h) for v in parts(c.cut(m, "v"), most=3) if not _NO_FOOD.match(v.lower())], when=lambda h:
        not (h.negated or h.past or h.thought or h.future),
    ),
    anywhere(
        "weight: beside height", "kg kilos lbs pounds stone st", rf"(?:\d'\d{{0,2}}|\d{{3}} ?cm|\d ?ft(?: \d{{1,2}})?"
        rf"|\d\.\d\d ?m)\"?,? (?:and |& |/ ?)?(?:i'?m )?{WEIGHT}", _weight,
    ),
    anywhere(
        "allergy: epipen for", "epipen epi-pen epipens", r"\bepi-?pens?\b[^,;.]{0,20}? (?:is |are |just |only )*for"
        r" (?:my )?"
        r"(?P<v>[a-z]+(?: (?:stings?|nuts?|allergy))?)", own("allergy", most=2, refuse=re.compile(
        r"^(?:emergenc|my|when)")),
    ),
    predicate(
        "intolerance: not tolerated", "tolerate|digest|metabolize|metabolise|stomach|process", r"\s{V}", _not_borne,
        when=
        lambda h: h.negated and not h.be,
    ),
    anywhere(
        "intolerance: it's x", "digest tolerate process eat have",
        rf"\bit'?s (?P<v>{_THING}) (?:that )?(?:i|my (?:body|gut|stomach)) (?:can'?t|cannot|don'?t|doesn'?t) (?:digest"
        rf"|tolerate"
        rf"|process|eat|have|handle)\b", own("intolerance", most=3),
    ),
    anywhere(
        "allergy: asked for oneself", "if when",
        rf"\b(?:if|when|since|given) i(?:'m| am|m)? (?:allergic to (?P<a>{_THINGS})(?=\s*(?:$|[?.,!]))|(?:don'?t"
        rf" tolerate"
        rf"|can'?t (?:have|eat|tolerate|digest)|intolerant to) (?P<i>{_THINGS})(?=\s*(?:$|[?.,!]))|(?:an?"
        rf" )?(?P<d>{DIETS})(?=\s*"
        rf"(?:$|[?.,!]))|(?:have|'ve got) (?P<c>{CONDITION})(?=\s*(?:$|[?.,!])))", _asked, presupposed=True,
    ),
    anywhere(
        "allergy: like me", "allergic", r"\bwho(?:'s|s| is| are) (?:\w+ly )?allergic to {V}", _like_me, presupposed=
        True,
    ),
    anywhere(
        "diet: as a", "as being for",
        rf"(?:^|[,.;:] )\W*(?:(?:so |and |but |also |honestly )*(?:as|being|speaking as) (?:an? )?(?:\w+ly |life-?long"
        rf" |strict"
        rf" |committed |long-?time |fellow |new )?(?P<d>{DIETS}|(?:raw )?vegan)|(?:as|being) (?:an? )?(?:\w+ly )?(?P<c>"
        rf"(?!deaf|in |left|right|an? |ocd|adhd){ADJECTIVES}))(?=[\s,.?!]|$)(?! (?:restaurant|dish|option|meal|chef"
        rf"|alternative"
        rf"|friend|protein))", _as_one, presupposed=True,
    ),
    anywhere(
        "diet: no x for me", "no", r"(?:^|[,.;] )\W*no (?P<v>[a-z]+(?:[ ,]+(?:or|and)? ?[a-z]+)?) for me\b(?! (?:to"
        r"|today|tonight|till|until|for (?:a|the|now)"
        r"|this))", lambda m, c, h: [Said(attribute="diet", value=f"no {v}") for v in parts(c.cut(m, "v"), most=2) if
        not re.match(
        r"(?:thanks|sleep|rush|problem|luck|more|such|way|plans?|work|school|date|prom|weekend|\w+ing$)", v.lower())],
    ),
    predicate(
        "diet: but no", "eat|eats", r"\s(?P<v>[a-z ,]{2,40}? (?:but|and) (?:no|not|never) [a-z ]{3,30})", _eats,
    ),
    predicate(
        "medication: take it", "take one|take it|take mine|take them|take that", r"(?=\s*(?:$|[,.!]|every|each|daily"
        r"|twice|once"
        r"|at|in|for|with|before|after|nightly))", _take_it,
    ),
    anywhere(
        "medication: dosed", " ".join(sorted(set(re.findall(r"[a-z]{5,}", DRUGS.pattern)))), _DOSED.pattern, _dosed,
    ),
    anywhere(
        "medication: dose corrected", "meant actually sorry correction now",
        r"\b(?:i meant|it'?s|make that|should be|now)(?: actually| now)? (?P<d>\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?))\b", _corrected,
    ),
    anywhere(
        "medication: list", "meds medication medications prescriptions tablets pills", r"\b(?:my|current|regular"
        r"|daily) (?:\w+ )?(?:meds|medications?|prescriptions?|tablets|pills)(?: are| include|:|"
        r" list:)\s(?P<v>[^;!?()\n]{3,90})", _listed,
    ),
    predicate(
        "medication: by position", "on|taking|prescribed|started on|put on",
        r"\s(?:\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?) (?:of )?)?(?P<v>[a-z][a-z-]{3,15})(?=,? (?:fwiw|for (?:my|the)"
        r" (?:\w+ )?"
        rf"(?:{CONDITION})|for {CONDITION}|\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?)\b))", _small_print, when=lambda h: h.be
        or h.
        person == SPEAKER,
    ),
    anywhere(
        "medication: dose changed", "upped increased raised doubled lowered reduced cut dropped halved changed bumped"
        " adjusted switched",
        r"\b(?:upped|increased|raised|doubled|lowered|reduced|cut|dropped|halved|changed|bumped|adjusted) (?:my|the)"
        r" (?P<v>[a-z][a-z-]{3,15})(?: dose| dosage)?(?:"
        r" up| down| back)?(?: from [\w .]{2,10})? to (?P<d>\d+(?:\.\d+)? ?(?:mg|mcg|ml|units?|iu|micrograms?))\b",
        lambda m, c, h: [Said(attribute="medication", value=
        f"{c.cut(m, 'v')} {c.cut(m, 'd')}", changed=True)] if m["v"] not in ("dose", "dosage") else [],
    ),
    anywhere(
        "condition: after a comma", " ".join(sorted(set(re.findall(r"[a-z]{4,}", CONDITION)))), rf"(?:,|-|\() (?:and "
        rf"|also |plus )?(?P<v>{CONDITION})(?= (?:since|for (?:\w+ )?(?:years|months)"
        rf"|all my life|as a kid|too|here)\b|\s*$)", lambda m, c, h: own("condition", most=5)(m, c, h) if m.end() < len(
        c.flat.rstrip()) or f"{m['v']} since" in c.sentence.lower()
        else [],
    ),
    anywhere(
        "condition: acts up", " ".join(sorted(set(re.findall(r"[a-z]{4,}", CONDITION)))), rf"(?:^|[,.] )\W*(?:and |but"
        rf" |so |when )?(?:the|my|these) (?P<v>{CONDITION})(?:'s|'re)? (?:is|are|hits?|came|comes?|flar\w+|acts?"
        rf"|acting|playing|keeps?|has been|have been|got|gets|getting|back|makes?|means)\b", lambda m, c, h: own(
        "condition", most=5)(m, c, h) if not h.others else [],
    ),
    anywhere(
        "height: first", "ft foot feet cm " + " ".join(str(n) for n in (*range(3, 8), *range(120, 220))),
        rf"^\W*(?:i'm )?{HEIGHT}(?:\s?tall)?(?=,? (?:here|and (?:shrinking|growing|\d)|so|what|which|with (?:long"
        rf"|short|wide)"
        rf"|male|female|guy|girl|\d)|,)", lambda m, c, h: _height(m, c, Head(name="self", person=SPEAKER)) if h.person
        == ELIDED else [],
    ),
    predicate(
        "weight: bare", "weigh|weighs|weighing|weighed in|weigh in", rf"(?:\s(?:at|in at|about|around|like|roughly"
        rf"|exactly))*\s"
        rf"{_BARE_WEIGHT}", _weight, bare=True,
    ),
    anywhere(
        "weight: scale bare", "scale scales", rf"\bscales?\b[^,;.\d]{{0,30}} (?:said|says|say|shows?|showed|read|reads"
        rf"|has me at)"
        rf" (?:i'?m |about )?{_BARE_WEIGHT}", _weight,
    ),
    anywhere(
        "weight: on the scales", "scale scales weight", rf"(?:^|[,.;] )\W*(?:\w+ )?{WEIGHT} on the scales?\b", _weight,
    ),
    anywhere(
        "weight: target", "weight", rf"\b(?:hit|reached|at|made|got to) (?:my |his |her )?(?:target|goal|dream|ideal)?"
        rf" ?weight\b"
        rf"[^.;\d]{{0,25}}{WEIGHT}", _weight,
    ),
    anywhere(
        "height: beside weight", "kg kilos lbs pounds stone cm ft foot",
        rf"(?:kgs?|kilos?|lbs?|pounds?|stone)(?:,| and|,? at|/| &)? (?:and )?(?:i'?m )?{HEIGHT}", _height,
    ),
    anywhere(
        "height: like me", "like", rf"\b(?:(?:someone|somebody|a person|an? (?:guy|girl|man|woman))(?: who'?s|"
        rf" that'?s)?|an?)"
        rf" {HEIGHT}(?: tall)?(?: (?:man|woman|guy|girl|person|bloke|lad|lass))? like me\b", _height,
    ),
    anywhere(
        "height: at, first", "at", rf"^\W*(?:being |at ){HEIGHT}(?:\s?tall)?(?=[\s,])(?!\s?(?:from|away|distance|deep"
        rf"|high|of|wide|long"
        rf"|apart|above|below))", lambda m, c, h: _height(m, c, Head(name="self", person=SPEAKER)) if h.person != OTHER
        else [],
    ),
    predicate(
        "height: clear", "clear|reach|top out at|hit", rf"\s(?:about |just |only )?{HEIGHT}", _height, bare=True,
    ),
    anywhere(
        "blood type: on a card", "chart donor donate donated donating transfusion blood cross tag bracelet",
        rf"(?:^|[\s,(]){BLOOD}(?=[\s,.)!]|$)", lambda m, c, h: _blood(m, c, h) if re.search(
        r"\b(?:my (?:\w+ )?(?:chart|tag|bracelet|card)|red cross|blood (?:bank|drive|type|donor)|donor|donat\w+"
        r"|transfusion)\b", c.
        message.lower()) and (c.raw[m.start("v")].isupper() or re.search(r"neg|pos", m["v"])) else [],
    ),
    predicate(
        "blood type: neg", "o|a|b|ab", "", _blood, be=True, bare=True, when=always, whole=
        r"(?P<v>(?:ab|a|b|o)[ -]?(?:\+|neg(?:ative)?|pos(?:itive)?))(?![a-z])(?!\s(?:student|grade|rating|average|plan"
        r"|list))",
    ),
)  # fmt: skip
