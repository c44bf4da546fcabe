"""Feelings tied to something, creeds, opinions, and what matters to somebody."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.domain.attributes import FORMER
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import always, anywhere, predicate, said
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES"]

_FEELING = (
    r"(?:so |really |very |super |quite |pretty |kind of |kinda |a bit |extremely "
    r"|incredibly |absolutely |still |always |terribly |deeply |genuinely |honestly"
    r" |just |insanely |a little |constantly |beyond )*"
    r"(?P<f>anxious|nervous|scared|afraid|terrified|petrified|worried|stressed(?: out)?"
    r"|sad|angry|furious|proud(?: as hell)?|ashamed|embarrassed|guilty|jealous|lonely"
    r"|overwhelmed|heartbroken|devastated|excited|thrilled|happy|relieved|grateful"
    r"|thankful|frustrated|hurt|upset|depressed|panicky|uneasy|insecure|self-conscious"
    r"|hopeful|disappointed|bitter|resentful|nostalgic|homesick|over the moon|gutted"
    r"|torn|annoyed|intimidated|claustrophobic|squeamish|burnt out|burned out|burnt-out"
    r"|exhausted|conflicted|apprehensive|phobic|paranoid|tearful|emotional|at peace"
    r"|calm|alone|isolated|frightened|dreading|stoked|psyched|shy|livid|miserable|shaken"
    r"|hopeless|optimistic|pessimistic|fearful|demotivated|unmotivated|fed up|lost)"
)
_TOPIC = (
    r"(?:\s(?P<g>)(?=[a-z]{3,}ing\b)|\s(?P<p>about|of|by|over|with|when|whenever|around|before|during|at|that|because"
    r" of|for|from|every time|without|since|in|on|how|to (?=(?:drive|fly|speak|be alone"
    r"|swim|talk|go outside)))\s?)(?P<v>[^;!?()\n\"]{3,90})"
)
_PASSING = re.compile(
    r"^(?:it|this|that|you|the (?:weather|rain|traffic|bus|wifi|meeting today)|today"
    r"|tonight|now|my (?:food|order|coffee|phone)|lunch|dinner|what you|your|how (?:good"
    r"|well) (?:this|that|it|you)|the (?:moment|help|answer|reply|result|movie|episode"
    r"|game|match|score)|hear|see|know|me|us|being late|being right|a (?:moment|minute"
    r"|second)|help|this|these|work today)\b"
)


_BUSY = frozenset(["lost", "calm", "exhausted", "happy", "alone", "hurt", "relieved", "thrilled", "stoked", "excited"])
_HERE = ("waiting", "sitting", "standing", "trying", "looking", "being here", "watching this", "reading this")


def _feels(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person == NOBODY or head.thought or head.future or (head.negated and not head.ended):
        return
    topic = clean(
        clause.cut(match, "v"),
        stop="so|because|and (?:i|it|can|my)|but|lately|right|today|which|any|this year|how do|what|tbh",
        most=10,
        article=False,
    )
    topic = re.sub(r"^(?:the fact that|how|that) +", "", topic, flags=re.IGNORECASE)
    low = topic.lower()
    if not topic or _PASSING.match(low) or re.search(r"\b(?:today|tonight|right now|this morning)\b", low):
        return
    feeling = match["f"].replace(" as hell", "")
    link = match["p"] or ""
    if not link and (feeling in _BUSY or head.past or low.startswith(_HERE)):
        return
    if (
        feeling in ("lost", "calm", "happy", "excited", "sad", "mad")
        and link in ("in", "on", "at", "for", "with", "of")
        and not re.search(r"\b(?:always|every time|whenever)\b", clause.flat)
    ) and not (feeling in ("happy", "excited", "sad", "mad") and link in ("for", "with", "at")):
        return
    past = head.past or match[0].startswith(("felt", "got "))
    if past and not head.used:
        return
    joined = "to " + topic if link.startswith("to") else f"{link} {topic}".strip()
    gone = head.ended or head.used
    yield said((FORMER if gone else "") + "emotion", f"{feeling} {joined}", head)


def _makes(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "deadlines make me anxious", "heights terrify me"."""
    topic = clean(
        re.sub(
            r"^(?:(?:and|but|so|because|honestly|ngl|tbh|also|i think|just|even|idk why|dunno why|not sure why)[\s,]+)+",
            "",
            clause.cut(match, "v"),
            flags=re.IGNORECASE,
        ),
        most=7,
        article=False,
    )
    if not topic or re.match(
        r"(?:it|this|that|you|he|she|they|there|what|which|who|trying|hoping|planning|aiming"
        r"|the (?:weather|news today|rain)|your|these|those|i|we|today|one)\b",
        topic.lower(),
    ):
        return
    if re.search(r"\b(?:today|tonight|just now|this morning|right now)\b", clause.flat):
        return
    del head
    yield Said(
        attribute="emotion",
        value=f"{match['h'].strip()}: {topic}",
        content=f"{topic[0].upper()}{topic[1:]} {_they(match['h'])}",
    )


def _they(words: str) -> str:
    words = re.sub(r"\bmy\b", "their", re.sub(r"\bme\b", "them", words.strip()))
    return re.sub(r"\b[iI]\b", "they", words)


def _since(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.person != SPEAKER or head.thought or (head.negated and not match[0].startswith("felt like")):
        return
    value = clean(clause.raw[match.start() :], stop="and|but|so|because", most=12, article=False)
    full = clause.raw[match.start() : match.end()].strip(" ,.")
    yield said("emotion", ("not " if head.negated else "") + (full or value), head)


def _miss(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.thought or head.negated or head.future or head.past:
        return
    value = clean(
        clause.cut(match, "v"),
        stop="so|because|when|every|a lot|like|terribly|badly|sometimes|already|but|since|these",
        most=7,
        article=False,
    )
    if not value or re.match(
        r"(?:you|it|that|this|the (?:bus|train|point|meeting|call|deadline|boat|flight"
        r"|class|mark|button|link|file|days)|something|out|something|work|a|anything|one"
        r"|him|her|them)\b",
        value.lower(),
    ):
        return
    yield said("emotion", f"misses {value}", head)


_AFRAID = re.compile(
    r"\b(?:pit in my stomach|panic\w*|cry|tear up|anxi\w+|nervous|freak out|shak\w+|sweat\w*|heart (?:races|sinks|pounds|breaks)|spiral"
    r"|scared|stress\w*|sad|angry|dread|chest (?:tightens|gets)|stomach (?:drops|knots|turns|sinks)|freeze|goosebumps|emotional|homesick)\b"
)
RULES: tuple[Rule, ...] = (
    predicate(
        "emotion", "so|really|very|super|quite|pretty|kind|kinda|a|extremely|incredibly|absolutely"
        "|still|always|terribly|deeply|genuinely|honestly|just|insanely|constantly"
        "|feel|feels|feeling|get|gets|getting|anxious|nervous|scared|afraid|terrified"
        "|petrified|worried|stressed|sad|angry|mad|furious|proud|ashamed|embarrassed"
        "|guilty|jealous|lonely|overwhelmed|heartbroken|devastated|excited|thrilled"
        "|happy|relieved|grateful|thankful|frustrated|hurt|upset|depressed|panicky"
        "|uneasy|insecure|self-conscious|hopeful|disappointed|bitter|resentful|nostalgic"
        "|homesick|over|gutted|torn|annoyed|intimidated|claustrophobic|squeamish|burnt"
        "|burned|exhausted|conflicted|apprehensive|paranoid|tearful|emotional|at|calm"
        "|alone|isolated|frightened|dreading|stoked|psyched|shy|livid|miserable|hopeless"
        "|optimistic|fed|beyond|been|become", "", _feels, bare=frozenset(["scared", "afraid", "terrified",
        "proud", "so", "feeling", "heartbroken", "devastated", "worried", "anxious", "nervous", "stressed",
        "gutted", "really", "honestly"]), whole=r"(?:feel(?:s|ing)? |gets? |getting |been |become )*" + _FEELING
        + r"(?![a-z])" + _TOPIC, when=always,
    ),
    anywhere(
        "emotion: makes me", "fill turns turn frightens frighten spooks worries worry creeps what scares makes make"
        " gives give terrify terrifies scare scares stress stresses send"
        " sends freaks freak fills depresses depress keeps drains",
        r"^\W*(?P<v>[a-z][\w' ,-]{2,60}?)\s(?:still |always |really |just |only |genuinely"
        r" |absolutely )*(?P<h>(?:makes?|make) me (?:feel )?(?:so |really |very |super"
        r" |incredibly |a bit )*(?:anxious|nervous|sad|angry|cry|happy|panic|faint"
        r"|a (?:nervous )?wreck|dizzy|panicky|nauseous|shake|freeze|furious|uncomfortable"
        r"|uneasy|stressed|emotional|feel (?:\w+ )?\w+|miserable|homesick|jealous|insecure"
        r"|guilty|lonely|proud|calm|depressed|freak out|sick with worry|sweat|worthless"
        r"|small|alive|want to cry|tear up)\b|(?:gives?|give) me (?:so much |terrible"
        r" |awful |bad |such |real |a lot of )?(?:anxiety|panic(?: attacks)?|the creeps"
        r"|nightmares|joy|hope|dread|peace|stress|chills)|terrif(?:y|ies) me|scares?"
        r" me(?: to death| so much)?|stress(?:es)? me(?: out)?|sends? me into (?:a"
        r" )?(?:spiral|panic|meltdown)|freaks? me out|depress(?:es)? me|drains? me"
        r"|overwhelms? me|keeps? me up at night|upsets? me|intimidates? me|(?:frightens?|scares?|terrif(?:y|ies)"
        r"|spooks?|stress(?:es)?|creeps?|worr(?:y|ies)) (?:the \w+(?: \w+)? (?:out of|outta) )?me(?: out)?|(?:is|are)"
        r" what (?:makes|keeps) me (?:happ\w+|sane|going|alive|calm)|turns? me into an? (?:\w+ )?(?:wreck|mess|puddle"
        r"|baby|ball of \w+|bundle of nerves)|fills? me"
        r" with (?:dread|joy|rage|hope|anxiety))", _makes,
    ),
    anywhere(
        "emotion: every time", "every", r"\bevery time (?P<v>[^,;]{3,45}?),? (?P<r>(?:i|my) [^,;]{3,50})", lambda m, c,
        h: [Said(attribute=
        "emotion", value=f"{c.cut(m, 'r')}: {c.cut(m, 'v')}", content=f"When {c.cut(m, 'v')}: {_they(c.cut(m, 'r'))}")]
        if _AFRAID.search(m["r"])
        and h.person != OTHER else [],
    ),
    predicate(
        "emotion: fear", "have a fear of|have a phobia of|have a phobia about|have stage fright|have"
        " a huge fear of|have an irrational fear of|suffer from a fear of|panic when"
        "|panic whenever|freak out when|freak out whenever|cry when|cry every time"
        "|freeze when|get panic attacks|has a fear of|has a phobia of|dread|worry"
        " about|worry constantly about|worry a lot about|stress about", r"\s?(?P<v>[^;!?()\n]{0,70})", lambda m,
        c, h: [said("emotion", " ".join(
        f"{m[0][: m.start('v') - m.start()].strip()} {clean(c.cut(m, 'v'), article=False, most=9)}".split()), h)]
        if (clean(c.cut(m, "v"), article=False, most=9) or "fright" in m[0] or "attacks" in m[0]) and not re.
        match(r"(?:it|that|this|tomorrow|today)\b", c.cut(m, "v").lower()) else [], when=lambda h: not (h.
        negated or h.thought or h.future or h.used or h.past),
    ),
    predicate(
        "emotion: since", "felt|feel|hated|feeling|been feeling|struggling|been struggling|grieving"
        "|been grieving|mourning", r"\s(?:like myself|\w+ ){1,6}(?:ever )?since\s[^;!?(),\n]{3,40}", _since,
        when=always,
    ),
    predicate(
        "emotion: dreading", "dreading|not looking forward to", r"\s{V}", lambda m, c, h: [said("emotion",
        f"dreading {v}", h)] if (v := clean(c.cut(m, "v"), article=False, most=7)) and not _PASSING.match(v.lower())
        and not re.
        search(r"\b(?:tomorrow|monday|today)\b", v.lower()) and not (h.thought or h.past) else [], be=True, bare=True,
        when=always,
    ),
    predicate(
        "emotion: miss", "miss|misses|missing|grieving|grieving for|mourning", r"\s{V}", _miss, bare=frozenset([
        "miss", "missing"]), when=always,
    ),
    predicate(
        "emotion: lonely", "in love with|heartbroken over|grieving|grieving for|mourning|burnt out from"
        "|burned out from|burnt out by|fed up with", r"\s{V}", lambda m, c, h: [said("emotion",
        f"{m[0][: m.start('v') - m.start()].strip()} {v}", h)] if (v := clean(c.cut(m, "v"), article=False, most=
        6)) and re.match(r"my|our|the (?:loss|death)|work|being|[A-Z]", v) and not (h.negated or h.thought) else [],
        be=True, when=always,
    ),
)  # fmt: skip
