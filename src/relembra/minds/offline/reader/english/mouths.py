"""Where other people's words begin in an English message: pasted, forwarded and transcribed talk, and text to be written.

What follows such an opening is nobody's claim here: the speaker passes it on, or wants it made.
"""

from __future__ import annotations

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.people import AMBIGUOUS_NAMES, FIRST_NAMES
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.english.words import KIN

__all__ = ["own_until"]

_SAYING = (
    r"(?:wrote|writes|said|says|texted|texts|messaged|emailed|e-mailed|mailed|replied|replies|posted|posts|commented"
    r"|answered|answers|asked|asks|tweeted|announced|whispered|shouted|yelled|goes|went|quoted|dm'?e?d|told (?:me|us|them"
    r"|him|her)|sent(?: (?:me|us))?(?: (?:this|that|the following|a (?:text|message|voice note)))?)"
)
_TEXT = (
    r"(?:message|msg|text|texts|email|e-mail|mail|note|letter|reply|response|dm|voicemail|voice note|whatsapp|comment|post"
    r"|tweet|review|quote|caption|chat|transcript|conversation|screenshot|extract|excerpt|quotation|passage)"
)
_MADE = (
    r"(?:e-?mail|letter|speech|bio|biography|message|post|caption|toast|statement|essay|text|profile|about me|intro"
    r"|introduction|resume|cv|eulogy|obituary|vows|tweet|reply|response|note|card|article|blog|paragraph|summary|headline"
    r"|monologue|dialogue|scene|sketch|story|poem|verse|song|rap|script|ad|advert|listing|review|reference|testimonial"
    r"|application|personal statement|complaint|apology|invitation|announcement|press release|pitch|newsletter|prompt"
    r"|persona|character|template|sentence|description|thread|slogan|joke|excuse|diary|dream)s?"
)
_OPENED = re.compile(
    r"(?:"
    rf"(?<![a-z])(?!(?:i|we|i've|we've|and i|so i)\s)(?:[a-z][\w'’-]*)\s(?:(?:just|then|also|once|has|have|had|literally)"
    rf"\s){{0,2}}{_SAYING}(?:\s(?:me|us|back|again|this|that|to me|today|yesterday|earlier|last night|this morning"
    rf"|on \w+|in the [\w ]{{2,20}}|and (?:said|wrote)|the following|online)){{0,3}}\s?:"
    rf"|(?<![a-z]){_TEXT}\s(?:[\w' ]{{0,25}}\s)?(?:from|by|of|between|with)\s[^:.!?\n]{{1,45}}:"
    rf"|(?<![a-z])(?:this|the following|here'?s|here is) (?:is )?(?:the |a |my |an |what )?(?:\w+ ){{0,4}}?"
    rf"{_TEXT}(?: (?:i|she|he|they) (?:got|received|sent|wrote|found))?\s?:"
    r"|(?:^|\n)\s*(?:from|sent by|subject)\s?:"
    r"|(?<![a-z])\[?(?:forwarded|fwd|fw)(?: (?:message|email|as received))?\]?\s?[:>]"
    rf"|(?<![a-z])(?:write|draft|compose|generate|create|prepare|polish|rewrite|rephrase|edit|reword|improve|make|do|need"
    rf"|want|finish|continue|complete|type|design)\b[^:.!?\n]{{0,60}}?\b{_MADE}\b[^:.!?\n]{{0,50}}:(?!\s*(?:she|he|they|it|her|his|their|for)\b)"
    rf"|(?<![a-z])the {_MADE} (?:should|must|has to|needs to|can|could|will|would)?\s?(?:begins?|starts?|opens?|says?|reads?"
    r"|reading|goes)\b[^:.!?\n]{0,20}:"
    r"|(?:^|\n)\W*(?:(?:rough|first|second|final|my|new|here's (?:a|the|my)|quick)\s)*(?:draft|example(?: for [\w ]{2,20})?|sample"
    r"|quote|excerpt|transcript|script|lyrics|caption|headline)\s?\d?:"
    r")"
)
_STAMP = r"(?:\[[^\]\n]{3,25}\]\s*|\(?\d{1,2}[/.:-]\d{1,2}[^A-Za-z\n]{0,20}(?:[ap]m)?[\])]?\s*[-–—]?\s*)"
_STAMPED = re.compile(
    rf"^\s*(?:[>*-]\s*)?{_STAMP}(?P<n>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’.-]+){{0,2}})\s?:\s", re.MULTILINE
)
_TAGGED = re.compile(
    r"(?:^|\n|[.!?…]\s+)\W*(?P<n>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’.-]+)?)\s?(?:\((?:[^)\n]{1,20})\)\s?)?:\s+(?=\S)"
)
_KIN_TAG = re.compile(
    rf"(?:^|\n)\W*(?:my )?(?:{KIN}|him|her|them)\s?:\s+(?=[\"'“]?(?:i|i'm|im|i've|we|my|hi|hey|ok)\b)"
)
_NAMES = (FIRST_NAMES["en"] | FIRST_NAMES["pt"]) - (AMBIGUOUS_NAMES - {"grace", "mark", "will", "may"})


def _is_tag(name: str) -> bool:
    """Whether what stands before a colon names a person: a first name, alone or with a surname."""
    words = flattened(name).text.split()
    return words[0] in _NAMES


def own_until(raw: str, flat: str) -> int:
    """How much of a message is the speaker's own: all of it, or what stands before other people's words."""
    if ":" not in flat and "fw" not in flat:
        return len(flat)
    ends = [match.start() for match in (_OPENED.search(flat), _STAMPED.search(raw), _KIN_TAG.search(flat)) if match]
    tagged = next((match for match in _TAGGED.finditer(raw) if _is_tag(match["n"])), None)
    if tagged:
        ends.append(tagged.start("n"))
    return min(ends, default=len(flat))
