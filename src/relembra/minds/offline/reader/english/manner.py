"""How somebody wants to be spoken to."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import OTHER, SPEAKER, Head
from relembra.minds.offline.reader.english.saying import anywhere, predicate
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES"]

_TONE = (
    r"(?:short|brief|concise|blunt|direct|straight(?:forward)?|to the point|formal"
    r"|informal|casual|simple|plain|gentle|kind|honest|detailed|long|friendly|polite"
    r"|snappy|succinct|specific|patient|upfront|brutal(?:ly honest)?|frank|less \w+"
    r"|more \w+|bullet points?|plain (?:english|words|language)|no[- ]nonsense)(?![a-z])"
)


_ADDRESS = re.compile(
    rf"(?:please |pls |plz |can you |could you |just |always |i (?:really )?(?:prefer"
    rf"|like|want|need|appreciate|love) (?:it (?:when|if) you )?|i'd (?:rather|prefer"
    rf"|like|appreciate)(?: it if)?(?: you)? |i would (?:prefer|like)(?: you to)? |from"
    rf" now on,? |give me |when you (?:\w+ ){{1,4}}(?:to me)?,? |for me,? |with me,?"
    rf" )*"
    rf"(?P<v>(?:(?:keep|make) (?:it|your|all|things|answers|replies|responses|everything"
    rf"|the (?:answers|replies|responses|explanations|messages|chat))(?: \w+){{0,2}}?"
    rf" {_TONE}[^;!?()\n]{{0,40}}"
    rf"|(?:answers?|replies|responses|explanations|messages)(?: (?:that are|to be|which"
    rf" are))? {_TONE}[^;!?()\n]{{0,30}}"
    rf"|(?:be|get|stay) (?:more |very |really |extremely |brutally |a bit more |always"
    rf" )?{_TONE}(?: (?:with me|when|to me|please|and)[^;!?()\n]{{0,40}})?(?=\s*(?:$"
    rf"|[,.!]|with|when|and|please|in))"
    rf"|(?:{_TONE},? (?:and )?)+(?:answers?|replies|responses|explanations|messages"
    rf"|sentences|bullet points|language)\b[^;!?()\n]{{0,30}}"
    r"|(?:talk|speak|write|reply|respond|answer|text|chat)(?: to| with)?(?: me)?(?:"
    r" back)?(?: only)? (?:in|like|as if|as though|slowly|formally|informally|directly"
    r"|always in)\b[^;!?()\n]{2,40}"
    r"|(?:don'?t|do not|never|stop) (?:call(?:ing)?|text(?:ing)?|use|using|send(?:ing)?"
    r"|sugar-?coat\w*|apologi[sz]\w*|add(?:ing)?|call|email(?:ing)?|give|giving|lecture"
    r"|lecturing|be so|being so|start(?:ing)?|talk(?:ing)? (?:to me )?like|repeat(?:ing)?"
    r"|patroni[sz]\w*|explain(?:ing)?|mess(?:age|aging)|ring(?:ing)?|contact(?:ing)?"
    r"|write|writing|end(?:ing)?|over-?explain\w*|beat around)\b[^;!?()\n]{0,50}"
    r"|skip (?:all )?the (?:fluff|intros?|basics|small talk|preamble|pleasantries|jargon|disclaimers?|explanations?|apolog\w+|emojis?|lectures?"
    r"|greetings?|formalit\w+|waffle|theory|history|details|summar\w+|filler|chit-?chat|sugar-?coating|caveats|warnings|pep talks?|flattery)\b"
    r"[^;!?()\n]{0,30}|no (?:emojis?|jargon|small talk|fluff|sugar-?coating"
    r"|exclamation (?:marks|points)|pep talks?|preamble|bullet points|lists|markdown"
    r"|waffle|cheerleading|long (?:answers|intros|explanations)|disclaimers|pet names"
    r"|flattery|filler|phone calls|voice notes|calls)[^;!?()\n]{0,40}"
    r"|explain (?:things|it all|everything|stuff)(?: to me)? (?:like|as if|simply|slowly|step|in)\b[^;!?()\n,]{0,40}|(?:use|give me|write in|show|quote|put|list)(?: (?!a\b|an\b|the\b|this)\w+){0,3}?(?: in)? (?:metric|imperial|celsius|fahrenheit|bullet points"
    r"|simple words|plain english|short sentences|british (?:english|spelling)|american"
    r" (?:english|spelling)|us spelling|uk spelling|kilometres|kilometers|24[- ]hour(?:"
    r" clock| time)?|(?:she|he|they)/\w+ pronouns|my (?:first|full|last|real) name"
    r"|emojis)[^;!?()\n]{0,30}"
    r"|(?:text|email|message|dm|whatsapp|ring|call|contact|reach) me (?:on|at|by|via"
    r"|instead|rather|only|after|before|in|through)\b[^;!?()\n]{2,40}"
    r"|step[- ]by[- ]step (?:instructions|explanations|answers)[^;!?()\n]{0,30}"
    r"|correct my (?:english|spanish|french|german|portuguese|italian|spelling|grammar"
    r"|japanese|mistakes)[^;!?()\n]{0,40}))"
)


_ONE_OFF = re.compile(
    r"\b(?:this (?:email|text|message|letter|essay|paragraph|one|time|recipe|post|story"
    r"|list|sentence|draft|report|summary|poem|answer|section|intro)|the (?:email|text"
    r"|message|letter|essay|paragraph|recipe|post|story|list|report|summary|poem|section"
    r"|speech|toast|draft|caption|intro|tone|title|invite|invitation|bio|cv|resume)"
    r"|it (?:short|brief|simple|formal|casual|concise|under|to|more)|my (?:email|text"
    r"|message|letter|essay|cv|boss|landlord|friend|mom|mum)|today|tonight|tomorrow"
    r"|now|spaces?|commas?|recursion|loops?|pandas|numpy|regex|eggs?|butter|sugar(?!-?coat)|salt"
    r"|onions?)\b"
)


def _address(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """How the speaker wants to be spoken to; a wish about one text is none."""
    if head.person == OTHER:
        return
    flat = clause.flat
    standing = bool(
        re.search(
            r"\b(?:always|from now on|going forward|in general|with me|to me|generally|i (?:prefer"
            r"|like|need|want|hate)|when you|never|your (?:answers|replies|responses)|for me)\b",
            flat,
        )
    )
    if _ONE_OFF.search(flat) and not standing:
        return
    if re.match(r"call me\b", match["v"]) and not re.search(r"(?:after|before|on|at)", match["v"]):
        return
    value = re.split(
        r",\s(?!no |and )|\s(?:because|so|but|thanks|please|pls|since|ok|if|unless)\b", clause.cut(match, "v")
    )[0].strip(" .!,")
    if 2 <= len(value.split()) <= 14:
        yield Said(attribute="communication", value=value)


def _rather(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), stop="because|so|but", most=9, article=False)
    if value and head.person != OTHER and not _ONE_OFF.search(clause.flat):
        yield Said(attribute="communication", value=value, content=f"Would rather be answered so: {value}")


def _reach(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    groups = match.groupdict()
    text = clause.cut(match, "v") if groups["v"] else clause.cut(match, "w")
    value = clean(text, stop="because|so|but|since", most=9, article=False)
    if (
        value
        and head.person != OTHER
        and not re.search(r"\b(?:today|tonight|tomorrow|this (?:week|time|email))\b", clause.flat)
    ):
        yield Said(attribute="communication", value=value)


def _minded(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    value = clean(clause.cut(match, "v"), stop="because|so|but", most=9, article=False)
    if value and head.person != OTHER:
        wish = "Prefers" if match["k"] in ("love", "like", "prefer", "appreciate") else "Dislikes when"
        yield Said(attribute="communication", value=value, content=f"{wish} {value}")


RULES: tuple[Rule, ...] = (
    anywhere(
        "communication", "explain quote show list put can could keep make answers replies responses be short brief"
        " concise blunt direct talk"
        " speak write reply respond answer don't dont do never stop skip no use text"
        " email message give step-by-step correct ring call contact formal informal"
        " plain simple honest bullet detailed whatsapp explanations long chat gentle"
        " get stay casual polite straight friendly",
        r"^\W*(?:(?:hey|hi|btw|also|ok|okay|and|so|but|fyi|oh|one thing|note)[\s,:]+)*" + _ADDRESS.pattern,
        _address,
    ),
    anywhere(
        "communication: tones", "short blunt direct brief concise emojis emoji plain simple formal informal"
        " honest bullet", rf"^\W*(?P<v>(?:{_TONE}|no [a-z]+|zero [a-z]+|straight to the point)(?:,? (?:and"
        rf" |but |& )?(?:{_TONE}|no [a-z]+|zero [a-z]+|straight to the point)){{1,4}})(?:,?"
        rf" (?:please|pls|thanks|always))?\W*$", lambda m, c, h: [Said(attribute="communication", value=c.cut(m,
        "v"))],
    ),
    anywhere(
        "communication: helps me", "help helps easier works better best",
        r"\b(?P<v>(?:bullet points|short (?:sentences|answers|paragraphs)|plain (?:english"
        r"|language)|examples|diagrams|step[- ]by[- ]step \w+|visuals|analogies|large"
        r" print|summaries)(?: [^;!?()\n]{0,40}?)?) (?:would )?(?:really )?(?:helps?"
        r"|works? (?:best|better)|(?:is|are) (?:easier|better|best))(?: (?:for )?me)?\b", lambda m, c, h: [Said(
        attribute="communication", value=c.cut(m, "v"))],
    ),
    anywhere(
        "communication: rather you", "rather prefer like want appreciate",
        r"\b(?:i'd|i would|id) (?:much )?(?:rather|prefer(?: it if)?|like it if|appreciate it if) (?:you|u)"
        r" (?P<v>(?:used?|spoke|wrote|answered"
        r"|replied|kept|called|texted|emailed|didn'?t|stuck|gave|explained|were|skipped|avoided|addressed"
        r"|messaged)\b[^;!?()\n]{2,50})", _rather,
    ),
    anywhere(
        "communication: so short please", "please pls thanks plz", rf"(?:\bso|,|\band) (?P<v>(?:only )?(?:{_TONE},?"
        rf" (?:and )?)+(?:answers?|replies|responses|explanations|messages|sentences|paragraphs|words|steps"
        rf"|language)(?: only)?),? (?:please|pls|plz|thanks)\b", _reach,
    ),
    anywhere(
        "communication: reach me", "reach contact text email message call dm whatsapp ring phone",
        r"(?:^|[,.;] )\W*(?:(?:it's |its )?(?:best|easiest|better) (?:way )?to (?P<v>(?:reach|contact|get|text|email"
        r"|message|call|dm) me (?:is |by |on |via |at"
        r" |through |over )[^;!?()\n]{3,40})|(?P<w>(?:text|email|message|dm|whatsapp) me,? (?:don'?t|do not|never|not"
        r"|instead of) (?:call|ring|phone|text"
        r"|email)\w*))", _reach,
    ),
    anywhere(
        "communication: always", "always only never bullet bullets",
        r"^\W*(?P<v>(?:bullet points?|bullets|short (?:answers|replies|sentences)|plain english|metric|celsius|24[-"
        r" ]hour (?:time|clock)|examples?"
        r"|step[- ]by[- ]step|tl;?dr first|voice notes|emails?|texts?)(?: only)?),? (?:always|only|every time|for me"
        r"|please|pls|from now on)\b", _reach,
    ),
    anywhere(
        "communication: hate when", "hate dislike prefer like love appreciate stand",
        r"\bi (?:really )?(?P<k>hate|dislike|can'?t stand|love|like|prefer|appreciate) (?:it )?(?:when"
        r" )?(?P<v>(?:bots?|ais?|assistants?|people|ppl|folks) (?:to"
        r" (?:be|get|talk|speak|just)|use|are|talk|sugar-?coat|ramble|apologi[sz]e|call me|explain|give|add|say|beat"
        r" around)\b[^;!?()\n,]{2,40})",
        _minded,
    ),
    predicate(
        "communication: like", "prefer|like|want|need|hate|appreciate|respond better to|learn best|learn"
        " better|learn by|rather",
        r"\s(?P<v>(?:when (?:people|you|u) [^;!?()\n]{3,50}|(?:being called|to be called"
        r"|being addressed|to be addressed)(?! \w+ing)[^;!?()\n]{2,30}|(?:you to|it"
        r" when you|it if you|if you) [^;!?()\n]{3,50}|with (?:examples|pictures|diagrams"
        r"|visuals)[^;!?()\n]{0,30}|doing\b[^;!?()\n]{0,20}|from examples|(?:texts?"
        r"|emails?|messages?|voice notes|phone calls) (?:over|to|rather than|instead" r" of) [^;!?()\n]{3,30}))",
        lambda m, c, h: [Said(attribute="communication", value=v, content=
        f"{'Dislikes' if m[0].startswith('hate') or h.negated else 'Prefers'} {v}")] if h.person == SPEAKER and (
        v := clean(c.cut(m, "v"), most=10, article=False, stop="because|so|but")) and not re.search(
        r"\b(?:this|that|it) (?:for|now|today)", v.lower()) and not re.match(
        r"(?:you|u) to (?:write|help|make|tell|give|find|plan|create|draft|check|look"
        r"|act|pretend|translate|explain (?:the|how|why|what)|know|remember|review" r"|summari|list|do)", v.
        lower()) else [], when=lambda h: not h.future,
    ),
)  # fmt: skip
