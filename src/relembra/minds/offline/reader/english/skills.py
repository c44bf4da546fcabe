"""Languages and skills."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import OTHER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, predicate, said, told
from relembra.minds.offline.reader.english.tastes import LANGUAGES
from relembra.minds.offline.reader.english.words import clean, parts

__all__ = ["RULES"]


def _language(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.negated:
        return
    verb = match[0].split()[0]
    found = re.finditer(rf"(?<![a-z])(?:{LANGUAGES})(?![a-z])", clause.flat[match.start("v") :])
    gone = head.used or head.ended or head.past or (verb == "spoke" and not head.have)
    last = 0
    for one in found:
        before = clause.flat[match.start("v") : match.start("v") + one.start()]
        if (
            one.start() > 60
            or (
                last
                and not re.fullmatch(
                    r"(?:[\s,&/]|and|or|plus|also|some|a little|a bit of|basic|both|fluent|at home"
                    r"|at work|with my \w+|decent|conversational|as well as|then|now|my|enough|broken"
                    r"|rusty)*",
                    clause.flat[match.start("v") + last : match.start("v") + one.start()],
                )
            )
            or re.search(
                r"\b(?:not|no|without|but (?:not|no|can't)|except|never|into|from|tutor|teacher"
                r"|class|people|friends|wife|husband)\b",
                before,
            )
        ):
            break
        last = one.end()
        value = clause.raw[match.start("v") + one.start() : match.start("v") + one.end()]
        if verb.startswith(("learn", "study", "pick", "start", "teach", "taking")) and not verb.startswith("picked"):
            if verb.startswith(("learned", "learnt")):
                yield said("language", value, head)
            else:
                yield told(head, attribute="study", value=value, content=None, changed=head.changed)
        else:
            yield said((FORMER if gone else "") + "language", value, head)


def _first_language(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    person = head if head.person == OTHER else Head(name="self", person=1)
    value = clause.cut(match, "v")
    if re.fullmatch(LANGUAGES, value.lower()):
        yield said("language", value, person)


_SKILL_STOP = (
    "really|pretty|quite|at|since|for|so|very|with|but|because|as|when|if|well|fluently"
    "|in (?:the|my|a|an|about|under|like|\\d+)|no cap|on|if needed|to|from|right|any|all|now|until"
    "|without"
)


_NOT_SKILL = re.compile(
    r"^(?:\w+ (?:it|this|that|you)\b|see|tell|say|get|go|come|do (?:it|this|that)|be"
    r"|have|help|understand|hear|think|believe|imagine|use (?:it|this)|make (?:it|this)"
    r"|always|only|barely|hardly|just|wait|feel|eat|drink|sleep|remember|afford|take"
    r"|give|find|start|try|stop|still|meet|talk|never|also|pay|work|live|handle|deal"
    r"|finally|relate|call|send|share|move|leave|stay|keep|bring|show|read (?:it|this)"
    r"|add|even|now|probably|pick|stand|put|please|you|not|smell|spend|relax|breathe"
    r"|walk|run (?:it|this)|confirm|assure)\b"
)


def _can(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated:
        return
    text = clause.cut(match, "v")
    if re.match(r"\w+ (?:it|this|that|you|them|him|her)\b", text.lower()):
        return
    anything = re.match(r"(?:fix|repair|mend|cook|build|play) (?:any|every)thing(?: with an? \w+)?", text.lower())
    for value in [text[: anything.end()]] if anything else parts(text, stop=_SKILL_STOP, most=5):
        low = value.lower()
        if (
            _NOT_SKILL.match(low + " ")
            or not re.match(
                r"(?:play|cook|bake|sew|knit|crochet|weld|solder|code|program|draw|paint|sing|dance"
                r"|drive|ride|ski|surf|swim|juggle|type|touch[- ]?type|touch[- ]?typing|read (?:music"
                r"|tarot|sheet)|fix|repair|rewire|change (?:a|an|the|my own)|mend|restring|build|carve"
                r"|photograph|edit|sail|fly|shoot|fence|skate|climb|dive|do (?:basic|magic|calligraphy"
                r"|a backflip|card|handstands|wiring|plumbing|carpentry|splits|the splits|machining"
                r"|my own)|lip[- ]?read|whistle|yodel|embroider|brew|forage|speak|sign|beatbox"
                r"|rap|dj|woodwork|lay bricks|tile|plaster|hem|upholster|spin|weave|throw pots"
                r"|make (?:my own|candles|furniture|bread|pasta|cheese|wine|soap)|use (?:excel"
                r"|photoshop|python|sql|blender|figma|a sewing)|write (?:python|code|sql|music"
                r"|songs|poetry|rust)|bench|deadlift|squat|run (?:a|\d)|hold my breath|solve|wire|backflip|moonwalk|cartwheel|do (?:an? )?(?:backflip|cartwheel|handstand)"
                r"|basic)",
                low,
            )
        ) and not _is_craft(low):
            return
        yield told(head, attribute="skill", value=value, content=None)


def _is_craft(low: str) -> bool:
    """A craft named with its level: "basic machining"."""
    return bool(re.match(r"(?:basic|some|simple|advanced) \w+", low))


def _good_at(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.future or head.negated or head.used or head.past:
        return
    for value in parts(clause.cut(match, "v"), stop="but|so|when|because|since|as|for|from|these|by|if|that", most=5):
        if re.match(r"(?:this|that|it|them|you|what|remembering|names?|being|making you)\b", value.lower()):
            return
        yield told(head, attribute="skill", value=value)


_INSTRUMENT = (
    r"(?:guitar|bass|piano|drums|violin|cello|viola|flute|sax\w*|trumpet|ukulele|uke"
    r"|banjo|mandolin|harp|clarinet|keyboards?|synth|harmonica|accordion|trombone|oboe"
    r"|fiddle|bagpipes|organ|tuba|percussion|double bass|french horn|bassoon|recorder"
    r"|keys|bodhran|erhu|sitar|tabla|oud|dulcimer|bouzouki|concertina|marimba|kora|didgeridoo|theremin|lute|koto|djembe"
    r"|tin whistle|euphonium|cornet|piccolo|xylophone|turntables|cajon|zither|lyre|mellotron|hurdy[- ]gurdy)"
)


def _plays(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    verb = match[0].split()[0]
    if (
        head.thought
        or head.future
        or (head.negated and not head.ended)
        or (verb == "played" and not (head.have or head.used))
    ):
        return
    gone = head.used or head.ended
    yield told(head, attribute=(FORMER if gone else "") + "skill", value=f"plays {clause.cut(match, 'v')}")


_TONGUES = rf"(?:{LANGUAGES}|spanglish|auslan|asl|bsl|libras|sign language|morse code|latin)"
_LEVELS = (
    r"(?:fluent|rusty|ok|okay|decent|conversational|passable|native|basic|shaky|proficient|bilingual|semi-fluent|not bad"
    r"|pretty good|half[- ]decent|getting by|get by|dream|think|swear|raised|brought up)"
)


def _tongue(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A language with a level, or in a frame only a speaker uses: "rusty in Portuguese", "can hold a convo in Korean"."""
    if (
        head.thought
        or head.negated
        or head.future
        or re.search(r"\b(?:want|wish|learn|if|could)\b", clause.flat[: match.start()])
    ):
        return
    for one in match.re.finditer(clause.flat):
        yield told(head, attribute="language", value=clause.cut(one, "v"))


_KNACK_STOP = "but|so|when|because|since|as|for|from|these|if|that|hopeless|no|not|bad|useless|and|rusty"


def _knack(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I know my way around a sewing machine", "good with Excel"."""
    if head.thought or head.future or head.negated or head.used or head.past:
        return
    value = clean(clause.cut(match, "v"), stop=_KNACK_STOP, most=5)
    if value and not re.match(
        r"(?:this|that|it|them|you|what|here|people|kids|town|children|me|animals$)\b", value.lower()
    ):
        yield told(head, attribute="skill", value=value)


def _years_of(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.past:
        return
    yield told(head, attribute="skill", value=clause.cut(match, "v"))


RULES: tuple[Rule, ...] = (
    anywhere(
        "language: level", "in at fluent rusty talking speaking convo conversation speak picked",
        rf"\b(?:{_LEVELS} (?:in|at|with my)|grew up (?:talking|speaking|with|on|hearing)|hold an? (?:\w+ )?(?:convo|conversation)"
        rf" in|picked up (?:a (?:good |fair |little )?bit of |some |enough |basic )?|(?:speak|talk) to (?:my|her|his) [a-z]+ in"
        rf"|(?:native|fluent|heritage)) (?P<v>{_TONGUES})(?![a-z])(?! (?:food|music|class|tutor|teacher|lessons|at school))",
        _tongue,
    ),
    predicate(
        "skill: way around", "know my way around|knows his way around|knows her way around|know their way around|good with"
        "|handy with|great with|decent with|a dab hand at|a natural at|a wizard with|a whiz with|solid at|solid with|a beast at"
        "|cracked at|nice with|fluent in|well versed in|pretty handy with", r"\s(?:an?\s|the\s)?{V}", lambda m, c, h: _knack(m, c, h)
        if not re.match(LANGUAGES, m["v"]) else [], bare=True,
    ),
    predicate(
        "skill: years of", "coding|programming|knitting|sewing|welding|skating|surfing|climbing|drawing|painting|boxing|dancing"
        "|photographing|woodworking|skiing|fencing|crocheting|baking|playing chess|doing judo|doing karate|doing jiu jitsu"
        "|doing bjj|doing yoga|writing code", r"(?P<v>)", _years_of, be=True, whole=
        r"(?P<v>(?:[a-z]+ing)(?: (?:in |with )?[a-z+#]+){0,2}?) (?:for |about |around |over |almost )*(?:\d+|ten|two|three|four"
        r"|five|six|seven|eight|nine|twelve|fifteen|twenty|a decade|most of my life)(?: years| yrs)?\b",
        when=lambda h: h.have or h.be,
    ),
    predicate(
        "skill: belt", "a|an", "", lambda m, c, h: [told(h, attribute="skill", value=c.cut(m, "v"))] if not h.past else [], be=True, whole=
        r"an? (?P<v>(?:(?:first|second|third|\d\w\w)[- ](?:degree|dan) )?(?:black|brown|blue|purple|green|red|orange) belt(?: in [a-z]+(?: [a-z]+)?)?)",
    ),
    predicate(
        "skill: speed", "type|bench|deadlift|squat|run|press",
        r"\s(?:like |about |around |over |almost |at )*(?P<v>\d[\d.,:]*\s?(?:wpm|words (?:a|per) minute|lbs?|kg|kilos|pounds))",
        lambda m, c, h: [told(h, attribute="skill", value=f"{m[0].split()[0]} {c.cut(m, 'v')}")] if not (h.negated or h.past
        or h.thought) else [],
    ),
    predicate(
        "language: speak", "read and write|speak and read|can read|speak|speaks|speaking|spoke|fluent in|bilingual in|fluent|trilingual in|understand"
        "|grew up speaking|raised speaking|picked up|learned|learnt|conversational"
        " in|know|knows|proficient in|native|a native|learning|studying|bilingual"
        "|trilingual|can speak|teaching myself|started learning|relearning|brushing" " up on|taking",
        rf"(?:\s(?:in|some|a little|a bit of|a little bit of|basic|fluent|decent|mostly"
        rf"|only|both|pretty good|okay|conversational|broken|enough|intermediate|native"
        rf"|good|rusty|perfect|excellent|passable|bad|terrible|my|how to speak|,))*[:,]?\s(?P<v>(?:[\w']"
        rf"+[\s,]+){{0,2}}?(?:{LANGUAGES})(?![a-z]).{{0,80}})", _language, bare=frozenset(["fluent", "speak",
        "learning", "studying", "bilingual", "trilingual", "native"]), when=always,
    ),
    anywhere(
        "language: native", "language tongue",
        r"(?P<v>[a-z]+)(?:\s(?:is|'s)|'s)\s(?:my|her|his|our) (?:first|native|second"
        r"|third|mother|main|home) (?:language|tongue)", _first_language,
    ),
    anywhere(
        "language: my native is", "language tongue languages",
        r"\b(?:my|our|her|his) (?:first|native|second|third|mother|main|home) (?:language"
        r"|tongue) (?:is|was|'s) (?P<v>[a-z]+)", _first_language,
    ),
    anywhere(
        "language: at home", "home work",
        rf"(?:^|, |and )\W*(?P<v>{LANGUAGES}) (?:at home|at work|with my (?:family|mum"
        rf"|mom|dad|wife|husband|parents|kids|in-laws|partner))", lambda m, c, h: [Said(attribute="language",
        value=c.cut(m, "v"))] if h.person != OTHER else [],
    ),
    predicate(
        "language: my x is", "|".join(re.findall(r"[a-z]+", LANGUAGES)),
        r"\s(?:is|'s)\s(?:pretty |quite |very |really |about |around |only |at |still"
        r" |a bit |fairly )*(?P<l>good|fluent|ok|okay|decent|rusty|basic|native|a1"
        r"|a2|b1|b2|c1|c2|intermediate|conversational|terrible|bad|better|not great"
        r"|limited|excellent|passable|shaky)\b", lambda m, c, h: [said("language", c.raw[m.start() :].split()[0],
        h)], owned=True,
    ),
    predicate(
        "skill: can", "can|able to|know how to|knows how to|learned to|learnt to|learned how to"
        "|taught myself to|taught myself how to|taught myself", r"\s{V}", _can, when=lambda h: not h.negated,
        bare=frozenset(["can"]),
    ),
    predicate(
        "skill: good at", "good at|great at|really good at|skilled in|skilled at|experienced in|experienced"
        " with|trained in|proficient in|proficient with|amazing at|decent at|excellent"
        " at|brilliant at|an expert in|an expert at|a pro at|certified in|self-taught"
        " in|handy with|pretty good at|not bad at|comfortable with|quite good at|well"
        " versed in|gifted at|talented at|a whiz at|qualified in", r"\s{V}", _good_at, be=True, bare=frozenset([
        "good", "skilled", "experienced", "proficient"]), when=always,
    ),
    predicate(
        "skill: plays", "play|plays|playing|played|playing the|been playing|picked up|taught myself" "|learned",
        rf"\s(?:the\s|some\s|a bit of\s|a little\s|a\s|lead\s|both\s|rhythm\s|electric\s"
        rf"|classical\s|jazz\s|bass\s|acoustic\s)*(?P<v>(?:electric |bass |classical"
        rf" |jazz |acoustic |double |lead |rhythm )?{_INSTRUMENT}(?:(?:,| and|, and)"
        rf" (?:the )?{_INSTRUMENT})*)(?![a-z])", _plays, when=always,
    ),
    predicate(
        "skill: typing", "been|touch|type", r"(?:\stouch)?[\s-](?P<v>typ(?:ing|e)[^;!?()\n,]{0,40})", lambda m,
        c, h: [told(h, attribute="skill", value=f"touch {clean(c.cut(m, 'v'))}")], bare=True, whole=
        r"(?P<v>touch[\s-]typ(?:ing|e)[^;!?()\n,]{0,40}|type \d+ (?:wpm|words)[^;!?()\n,]{0,20})",
    ),
)  # fmt: skip
