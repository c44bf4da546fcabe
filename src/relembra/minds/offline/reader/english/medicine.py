"""Medicines and their doses, and what somebody does not eat."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import ELIDED, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.health import DRUGS, is_denied, is_over
from relembra.minds.offline.reader.english.saying import always, anywhere, predicate, said, told
from relembra.minds.offline.reader.english.words import clean, parts

__all__ = ["DIETS", "RULES"]

_DOSE = r"(?P<dose>\d+(?:[.,]\d+)?\s?(?:mg|mcg|ml|g|iu|units?|milligrams?|micrograms?|puffs?|tablets?|pills?)\b)"


_DRUG_STOP = (
    "for|every|each|daily|twice|once|in|at|since|to|now|with|before|after|because"
    "|and (?:it|i|my|they)|three|two|per|so|as|on|a day|nightly|weekly|when|but|which"
    "|due|\\d+(?:\\.\\d+)?\\s?(?:mg|mcg|ml|g)"
)


def _takes(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if is_denied(head):
        return
    verb = match[0].split()[0]
    flat = clause.flat
    drug = DRUGS.search(flat, match.start("v"))
    dose = re.search(_DOSE, flat[match.start("v") :])
    if drug and drug.start() - match.start("v") < 45:
        value = clause.raw[slice(*drug.span())]
    elif dose and not drug:
        text = clause.cut(match, "v")
        bare = re.sub(r"^(?:\d+(?:[.,]\d+)?\s?\w+\s(?:of\s)?)", "", text)
        value = clean(bare, stop=_DRUG_STOP, most=3)
        if not value or re.match(
            r"(?:protein|creatine|sugar|coffee|caffeine|water|salt|sodium|carbs|fat|butter"
            r"|flour)",
            value.lower(),
        ):
            return
    else:
        return
    if (
        re.search(r"\b(?:today|tonight|an? hour ago|just now|this morning|yesterday|last night)\b", flat)
        and not dose
        and verb in ("took", "taking", "take", "had")
    ):
        return
    gone = is_over(head) or verb in ("took", "came", "come", "coming", "stopped", "quit", "off", "weaned", "weaning")
    if verb == "took" and not re.search(r"\b(?:for|until|years|months)\b", flat):
        return
    others = (
        re.finditer(rf"(?:,| and|, and|&|\+) (?:also )?(?P<d>{DRUGS.pattern})", flat[drug.end() : drug.end() + 60])
        if drug
        else ()
    )
    for one in others:
        start = drug.end() if drug else 0
        yield said(
            (FORMER if gone else "") + "medication", clause.raw[start + one.start("d") : start + one.end("d")], head
        )
    if dose and not gone and not re.search(re.escape(dose["dose"]), value.lower()):
        value = f"{value} {dose['dose']}"
    yield said(
        (FORMER if gone else "") + "medication",
        value,
        head,
        changed=verb in ("started", "switched", "put", "prescribed") or head.changed,
    )


def _put_on(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "they put me on warfarin", "my doctor prescribed me 10mg of …"."""
    yield from _takes(match, clause, Head(name="self", person=SPEAKER, changed=True, others=head.others))


def _off(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or (head.person == OTHER and " me " not in f" {match[0]} "):
        return
    for group in ("v", "w", "x", "x2"):
        if match[group]:
            yield Said(attribute="former_medication", value=clause.cut(match, group))
    for group in ("y", "y2"):
        if match[group]:
            yield Said(attribute="medication", value=clause.cut(match, group).replace(",", ""), changed=True)


DIETS = (
    r"vegan|vegetarian|pescatarian|flexitarian|plant[- ]based|keto|paleo|carnivore"
    r"|low[- ]carb|gluten[- ]free|dairy[- ]free|halal|kosher|fodmap|low[- ]fodmap|mediterranean"
    r"|whole30|raw vegan|veggie|teetotal|teetotall?er|sugar[- ]free|lacto-vegetarian"
    r"|fruitarian|omnivore|a vegan|a vegetarian|a pescatarian|a flexitarian|a carnivore"
    r"|a veggie|pure veg|jain(?: vegetarian)?|lacto[- ]?ovo(?: vegetarian)?|wfpb|intermittent fasting|omad|calorie counting|low[- ]s(?:alt|odium)|slimming world|weight watchers"
)


def _diet(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if is_denied(head):
        return
    if re.match(
        r"[\s-](?:restaurants?|food|options?|recipes?|friends?|cheese|burgers?|menu|place"
        r"|leather|meals?|cake|brownies?|dish(?:es)?|friendly|sausage\w*|curry|chili|lasagn\w+"
        r"|bakery|cafe|cookbook|butter|milk|snacks?|version)\b",
        clause.flat[match.end("v") :],
    ):
        return
    verb = match[0].split()[0]
    if re.match(r"(?: diet)? (?:lasted|didn't|was|failed|sounds|works|seems|phase)\b", clause.flat[match.end("v") :]):
        return
    gone = is_over(head) or verb in ("quit", "gave", "stopped", "dropped", "off")
    value = re.sub(r"^an? ", "", clause.cut(match, "v"))
    yield said(
        (FORMER if gone else "") + "diet",
        value,
        head,
        changed=verb in ("went", "gone", "going", "became", "turned", "started", "switched") or head.changed,
    )


def _not_eat(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I don't eat pork", "I no longer eat meat", "can't have dairy"."""
    if head.thought or head.future or head.past:
        return
    verb = match[0].split()[0]
    if not (head.negated or head.ended) and not verb.startswith("can"):
        return
    text = re.sub(r"^(?:anything (?:with|containing)|any) ", "", clause.cut(match, "v"), flags=re.IGNORECASE)
    values = parts(
        text,
        stop="at|in|on|for|after|with|because|before|when|unless|any|much|that|as|without|since"
        "|during|all|or anything|out|by|late|like",
        most=4,
    )
    medical = "have" in match[0] or "digest" in match[0] or "tolerate" in match[0] or "do " in match[0] + " "
    for value in values:
        if re.match(
            r"(?:breakfast|lunch|dinner|much|enough|well|out|late|sleep|that|more|it|another"
            r"|a|one|today|tonight|now|anything|fun|kids|both|everything|conversations?|alone"
            r"|you|this)\b",
            value.lower(),
        ):
            return
        if verb.startswith("can") and medical:
            yield said("intolerance", value, head)
        else:
            yield told(head, attribute="diet", value=f"no {value}", changed=head.ended or head.changed)


RULES: tuple[Rule, ...] = (
    predicate(
        "medication: take", "take|takes|taking|took|on|using|started|switched|off|came off|come off|coming off|stopped taking"
        "|stopped|quit taking|weaned off|prescribed|been put on|put on|inject|injects"
        "|use|uses|need|needs|stopped needing|carry|carries|rely on",
        r"(?:\s(?:taking|on|off|to|with|my|an?|some|both|daily|about|around|me|of))*\s{V}", _takes, bare=
        frozenset(["take", "taking", "on", "started", "stopped", "came", "off", "weaned", "prescribed"]), when=always,
    ),
    anywhere(
        "medication: put me on", "put prescribed started switched gave",
        r"\b(?:switched)\s(?:me)\s(?:on|to|onto)\s{V}|\bprescribed\s(?:me\s)?(?P<x>.)", lambda m, c, h: _put_on(
        m, c, h) if m["v"] else [], speaker=False,
    ),
    anywhere(
        "medication: off", "took taken off swapped swapping swap stopped no switched changed moved",
        rf"\b(?:switched|moved|changed|swapped) (?:me )?from (?P<x2>{DRUGS.pattern})"
        rf" to (?P<y2>{DRUGS.pattern}(?:,? \d+ ?m?c?g)?)|\b(?:took|taken|taking|came"
        rf"|weaned) (?:me |him |her )?off (?:the |my )?(?P<v>{DRUGS.pattern})|\bno more"
        rf" (?P<w>{DRUGS.pattern})|\bswapp(?:ed|ing) (?:the |my )?(?P<x>{DRUGS.pattern})"
        rf" for (?P<y>{DRUGS.pattern})", lambda m, c, h: _off(m, c, h),
    ),
    anywhere(
        "medication: has me on", "me", r"\b(?:has|have|got|put|started) me on (?P<v>.{2,60})", lambda m, c, h:
        _put_on(m, c, h),
    ),
    anywhere(
        "medication: for me it's", "mg mcg",
        r"\b(?:for me it'?s|it'?s|dose is|i meant|now)\s(?P<v>\d+(?:\.\d+)?\s?m?c?g\b.{0,60})", lambda m, c, h:
        _takes(m, c, Head(name="self", person=SPEAKER)) if h.person != OTHER else [],
    ),
    predicate(
        "medication: name first", "metformin|sertraline|insulin|lamotrigine|lithium|citalopram|ozempic|warfarin"
        "|methotrexate|levothyroxine|" + "prozac|lexapro|zoloft|adderall|statins|propranolol|prednisone|humira",
        "", _takes, bare=True, whole=rf"(?P<v>{DRUGS.pattern}\b.{{0,60}})", when=lambda h: h.person == ELIDED,
    ),
    predicate(
        "diet", DIETS + "|on|a|an|eating|strictly|mostly|fully|raw|lifelong|practically", "", _diet, be=True,
        bare=True, whole=rf"(?:on |doing |eating |following |a |an |the |strict(?:ly)? |mostly |fully"
        rf" |100% |lifelong |completely |basically |practically |pretty much |currently"
        rf" |long[- ]time |\w+-time )*(?P<v>{DIETS})(?![a-z])(?: diet| here| for| since)?", when=always,
    ),
    predicate(
        "diet: go", "went|go|gone|going|became|become|turned|eat|eats|eating|follow|follows|following"
        "|keep|keeps|do|does|doing|started|switched|quit|gave up on|gave up|stopped"
        "|dropped|off|trying|stick to|sticking to|on", "", _diet, bare=True, whole=
        rf"(?:trying|went|gone|became|become|turned|eats?|follows?|following|keeps?|does|doing"
        rf"|do|started(?: eating| doing)?|switched to|quit|gave up on|gave up|stopped"
        rf" (?:being|doing)|dropped|stick(?:ing)? to)\s(?:to\s)?(?:an?\s|the\s|only\s"
        rf"|strict(?:ly)?\s|being\s|fully\s)*(?P<v>{DIETS})(?![a-z])", when=lambda h: not h.be,
    ),
    predicate(
        "diet: not eat", "eat|eats|drink|drinks|touch|can't eat|cant eat|cannot eat|can't have|cant"
        " have|can't do|cant do|can't tolerate|can't digest|consume", r"\s{V}", _not_eat, bare=frozenset([
        "can't", "cant"]), when=always,
    ),
)  # fmt: skip
