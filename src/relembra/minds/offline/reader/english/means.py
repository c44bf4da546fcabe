"""Courses, pay and debts in any frame: "second year of law", "I clear 600 a week", "still owe 3k"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said
from relembra.minds.offline.reader.english.heads import NOBODY, OTHER, Head
from relembra.minds.offline.reader.english.saying import anywhere, predicate, said
from relembra.minds.offline.reader.english.words import clean

__all__ = ["RULES"]


_YEAR = (
    r"(?P<v>(?:first|second|third|fourth|fifth|final|last|1st|2nd|3rd|4th|soph(?:omore)?|freshman|junior|senior)[- ]"
    r"(?:year|yr|semester|sem|term)(?:,? (?:of|at|in|on|doing|studying|for) [^,;.!?()\n]{2,50})?)"
)


_NO_COURSE = re.compile(
    r"\b(?:marriage|therapy|sobriety|running|sales|a row|business|recovery|treatment|dating|parenthood|retirement|life"
    r"|the (?:job|house|war|season|project)|chemo|trying)\b"
)


_COURSE_END = re.compile(
    r"\s(?:is|are|was|has|and|n|but|so|because|cuz|rn|kicking|killing|i|it's|its|already|starts?|ends?|w|with|this|now)\b"
)


def _course_year(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "Soph year of mech e at Purdue is kicking my butt", "back at uni, second year of law"."""
    if head.past or head.negated or head.thought or _NO_COURSE.search(match["v"]):
        return
    value = clause.cut(match, "v")
    end = _COURSE_END.search(value.lower())
    value = value[: end.start()] if end else value
    school = re.search(
        r"\b(?:uni|university|college|school|semester|sem|degree|course|exams?|dorm|major)\b", clause.sentence.lower()
    )
    told_whole = re.search(r" (?:of|at|doing|studying|in|on) ", value.lower())
    if not (told_whole or (school and head.person != OTHER)) or re.search(
        r"\b(?:since|after|in|by|during)(?: my| the)? $", clause.flat[: match.start()]
    ):
        return
    if not told_whole and re.search(r"\b(?:for|studying|doing|at)\b", clause.flat[: match.start()]):
        return
    yield said("study", value, head)


_SUBJECTS = (
    r"(?:nursing|engineering|law|medicine|accounting|business|biology|chemistry|physics|maths?|psych(?:ology)?|english"
    r"|history|art|music|film|comp(?:uter)? sci(?:ence)?|cs|economics|econ|finance|marketing|education|architecture"
    r"|design|journalism|nutrition|philosophy|politics|poli sci|social work|sociology|pharmacy|dentistry|graphic design"
    r"|fashion|culinary|cosmetology|welding|hvac|criminal justice|public health|linguistics|theatre|drama|geology|mech e"
    r"|kinesiology|pre-?med|data science|veterinary \w+|speech therapy|occupational therapy|physio(?:therapy)?)"
)


def _school_for(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.past or head.negated or head.thought:
        return
    yield said("study", f"{clause.cut(match, 'v')} at {clause.cut(match, 'p')}", head)


def _exams(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.past or head.negated or head.thought:
        return
    group = "w" if match.groupdict().get("w") else "v"
    value = clean(clause.cut(match, group), stop="at|after|on|every|this|next|and|while|tonight", most=5)
    if value:
        yield said("study", value, head)


def _dropped(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    if head.negated or head.thought or head.future:
        return
    value = clean(
        clause.cut(match, "v"), stop="in|after|last|when|this|to|because|before|during|twice|at \\d+|my|for", most=5
    )
    if value:
        yield said("former_study", value, head)


_AMOUNT = (
    r"(?:[$£€₹]\s?)?(?:\d[\d,.]*|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty))"
    r"\s?(?:k\b|grand|thousand|lakhs?|crores?|million|bucks|quid|dollars|pounds|euros|rupees|hundred)?"
)


_MONEY = (
    r"(?:[$£€₹]\s?\d[\d,.]*\s?(?:k\b|grand|thousand|lakhs?|million)?|\d[\d,.]*\s?(?:k\b|grand|thousand|lakhs?|crores?"
    r"|million|bucks|quid|dollars|pounds|euros|rupees)|\d{1,3},\d{3}|(?:a|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|fifteen|twenty|thirty|forty|fifty) (?:grand|thousand|hundred|lakhs?|k\b)(?: (?:bucks|dollars|pounds|quid))?)"
)


_PER = r"\s?(?:(?:an?|per|each|every)\s|/\s?)(?:hour|hr|week|wk|month|mo|year|yr|annum|shift|day|fortnight|two weeks|other week|2 weeks)\b|\s?(?:hourly|annually|p\.?a\.?\b)"


_PAY = re.compile(
    r"\b(?:pay(?:s|ing|check)?|paid|salary|earn\w*|mak(?:e|es|ing)|clear(?:s|ing)?|wages?|before tax\w*|after (?:tax\w*|gas)"
    r"|gross|net|offer|raise|take[- ]home|bring(?:ing)? (?:in|home)|pull(?:ing)? in|pocket\w*|hourly|income|tax regime|job|plus tips"
    r"|shifts?)\b"
)


_COST = re.compile(
    r"\b(?:rent|costs?|charg\w+|fees?|subscription|mortgage|bills?|gym|price|child support|alimony|spend\w*|groceries|owe"
    r"|save|saving|budget|loan|insurance|tuition|parking|they make|he makes|she makes|from home|profit|tips are)\b"
)


def _pay(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """A sum by the hour or year in a sentence about pay, and not about a price."""
    whole = clause.sentence.lower()
    if (
        head.person == OTHER
        or head.thought
        or head.negated
        or head.future
        or not _PAY.search(whole)
        or _COST.search(whole)
    ):
        return
    if re.search(r"\b(?:could|should|would|might|want|wish|if|average|people|you)\b", clause.flat):
        return
    if head.person == NOBODY and not re.search(r"\b(?:i|i'm|im|me|my|we|our)\b", clause.flat):
        return
    yield Said(attribute="former_salary" if head.used or head.past else "salary", value=clause.cut(match, "v"))


def _raised(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "They bumped me up to 95k", "the offer was 52k and I took it"."""
    if head.thought or head.negated or head.future:
        return
    if match[0].startswith(("offer", "starting")) and not re.search(
        r"\b(?:took|accepted|signed|said yes)\b", clause.sentence.lower()
    ):
        return
    yield Said(attribute="salary", value=clause.cut(match, "v"), changed=True)


def _owed(match: re.Match[str], clause: Clause, head: Head) -> Iterator[Said]:
    """ "I owe my uncle two grand", "Sallie Mae wants 38k from me", "borrowed two lakh from my cousin"."""
    if (
        head.negated
        or head.thought
        or head.future
        or head.used
        or (head.person == OTHER and not match.groupdict().get("by"))
    ):
        return
    if re.search(
        r"\b(?:paid (?:it )?(?:off|back)|cleared|finally paid|no longer owe|debt[- ]free)\b", clause.sentence.lower()
    ):
        return
    whom = match.groupdict().get("to") or match.groupdict().get("by") or ""
    start = match.start("to") if match.groupdict().get("to") else match.start("by") if whom else 0
    name = clause.raw[start : start + len(whom)].strip() if whom else ""
    value = clause.cut(match, "v")
    yield Said(attribute="debt", value=f"{value} to {re.sub(r'^my ', '', name)}" if name else value)


RULES: tuple[Rule, ...] = (
    anywhere(
        "salary: paycheck", "paycheck salary wage wages", rf"\bmy (?:\w+ )?(?P<v>{_MONEY}) (?:paycheck|salary|wage)\b", lambda m, c, h: [Said(attribute="salary",
        value=c.cut(m, "v"))] if not (h.thought or h.past) else [],
    ),
    anywhere(
        "study: major", "major majors", rf"\b(?P<v>{_SUBJECTS}(?: and {_SUBJECTS})?) major\b", lambda m, c, h: [said("study", c.cut(m, "v"), h)]
        if not (h.past or h.negated or h.thought or h.used) else [],
    ),
    predicate(
        "study: doing", "doing|taking", rf"\s(?P<v>(?:a (?:degree|course|module) in )?{_SUBJECTS})(?=\s*(?:$|[,.!]|(?:at|and|n|in|now|for|but|so)\b))",
        lambda m, c, h: [said("study", c.cut(m, "v"), h, changed=h.changed)] if not h.past else [], be=True,
    ),
    predicate(
        "study: classes", "taking|doing|finishing|finishing up|in|started|starting", "", _exams, bare=frozenset(["taking", "finishing"]), whole=
        r"(?:(?:taking|doing|started|starting) (?:an? )?(?P<v>(?:[a-z]+ )?(?:classes|lessons|courses?) (?:in|for|on) [^;!?()\n,]{3,40})|(?:finishing"
        r"(?: up)?|in) (?P<w>(?:high|trade|beauty|culinary|flight|film|art|nursing|dental|barber|vet|night) school(?: for [a-z]+)?))",
    ),
    anywhere(
        "study: year of", "year yr semester sem term", rf"\b{_YEAR}", _course_year,
    ),
    predicate(
        "study: at for", "at", rf"\s(?P<p>[a-z][\w'&. -]{{1,30}}?) for (?P<v>{_SUBJECTS})\b", _school_for, be=True,
    ),
    predicate(
        "study: exams", "studying for|revising for|preparing for|prepping for|cramming for|study for",
        r"\s(?P<v>(?:my |the |an? )?(?:[\w-]+ ){0,2}?(?:exams?|bar|boards|finals|lsat|mcat|gre|gmat|sat|a-?levels|gcses"
        r"|certification|licen[cs]e|nclex|usmle|jee|neet|upsc)\b[^;!?()\n]{0,20})", _exams, bare=True,
    ),
    predicate(
        "study: dropped out", "dropped out of|dropping out of|dropped out", r"\s(?P<v>[^;!?()\n]{2,40})", _dropped, bare=True,
        when=lambda h: True,
    ),
    anywhere(
        "salary: by the hour", "hour hr week wk month mo year yr annum hourly annually pa shift a per an",
        rf"(?<![\w.,$£€])(?P<v>{_AMOUNT}(?:{_PER}))", _pay, speaker=False,
    ),
    anywhere(
        "salary: raised", "bumped raised moved offer raise salary",
        rf"\b(?:(?:bumped|raised|moved|took|upped) me (?:up )?to|(?:gave me )?a raise to|offer (?:was|is|came in at)|salary"
        rf" (?:of|to)|pay (?:up )?to|base of) (?:about |around |like )?(?P<v>{_MONEY}|\d{{4,6}})", _raised,
    ),
    anywhere(
        "debt: to somebody", "owe owes owed owing",
        rf"\bowe (?P<to>(?:my |the )?[\w'’]+(?: [\w'’]+)?) (?:about |around |like |over |almost |nearly )?(?P<v>{_MONEY})",
        _owed,
    ),
    anywhere(
        "debt: my loans", "loans loan debt cards card bills mortgage",
        rf"\bmy (?:\w+ )?(?:loans?|debt|credit cards?|bills|mortgage) (?:is|are|total|totals|come to|add up to|sits?|stands?)(?: (?:at|about"
        rf"|around|like|up to|now|over))* (?P<v>{_MONEY}|\d{{4,6}})", _owed,
    ),
    anywhere(
        "debt: wants from me", "wants want from",
        rf"(?:^|[,;] )(?P<by>[a-z][\w' ]{{1,25}}?) (?:still )?wants? (?:about |like )?(?P<v>{_MONEY}) (?:back )?from me\b",
        _owed,
    ),
    anywhere(
        "debt: deep", "deep hole debt outstanding mortgage loan owed red",
        rf"(?<![\w.,$£€])(?P<v>{_MONEY}) (?:deep|in (?:the hole|debt|the red)|outstanding|still owed|left on (?:the|my|our)"
        r" (?:\w+ )?(?:mortgage|loan|car|card|house|student loans?))\b", _owed,
    ),
    anywhere(
        "debt: borrowed", "borrowed",
        rf"\bborrowed (?:about |around |like )?(?P<v>{_MONEY}) from (?P<to>(?:my |the )?[\w'’]+)", _owed,
    ),
)  # fmt: skip
