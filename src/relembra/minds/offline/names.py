"""Names of people and pets mentioned in a message, and what each is to the speaker where the words say so.

Words around a name count for more than the name: "minha irmã …", "my boss, …", "me chamo …" admit any name, lower case
included when it is a known one; a capital alone admits only known first names, or any after a few verbs of meeting.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from relembra.minds.offline.flat import Flat, flattened
from relembra.minds.offline.language import STOP_WORDS, Language

_TOLD = tomllib.loads(Path(__file__).with_name("people.toml").read_text(encoding="utf-8"))

FIRST_NAMES: dict[str, frozenset[str]] = {
    language: frozenset(names.split()) for language, names in _TOLD["first_names"].items()
}
AMBIGUOUS_NAMES: frozenset[str] = frozenset(_TOLD["ambiguous_names"].split())
"""Names that are also words or places: at the beginning of a sentence they need more than their capital."""

NOT_PEOPLE: frozenset[str] = frozenset(_TOLD["not_people"].split())
RELATIONS: dict[str, str] = {language: "|".join(words.split()) for language, words in _TOLD["relations"].items()}
TITLES: dict[str, str] = _TOLD["titles"]
KIN_TITLES: dict[str, dict[str, str]] = _TOLD["kin_titles"]
"""As said, and the tie it tells of."""


SELF = "self"
"""The relation of a name the speaker gives as their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMention:
    """`name` is as written, without title or article; `relation` is the speaker's word for the tie, in lower case."""

    start: int
    end: int
    name: str
    relation: str | None = None


_UPPER = "A-ZÀ-ÖØ-ÞŠŽ"
_LETTER = "a-zA-ZÀ-ÖØ-öø-ÿŠšŽžœ"
_CAPITAL = rf"(?:[{_UPPER}]['’](?=[{_UPPER}]))?[{_UPPER}][{_LETTER}]*(?:[-][{_UPPER}][{_LETTER}]+)?"
_FULL = re.compile(rf"{_CAPITAL}(?:\s(?:(?:da|de|do|das|dos|van|von|der|del|la|di)\s){{0,2}}{_CAPITAL}){{0,5}}")
_LOWER = re.compile(rf"[{_LETTER}]{{2,}}")
_AND = {"pt": re.compile(r"(?:,|\se)\s(?:[oa]\s)?"), "en": re.compile(r"(?:,|,?\sand)\s")}

_MINE = {"pt": r"(?:meus?|minhas?|nossos?|nossas?)", "en": r"(?:my|our)"}
_ADJECTIVE = {
    "pt": r"(?:(?:melhor|querid[oa]|grande|unic[oa]|primeir[oa]|bis|nov[oa])[\s-])?",
    "en": r"(?:(?:best|old|dear|older|younger|elder|little|big|late|new|great|good|only|first|twin|baby|"
    r"close|other)[\s-]){0,2}",
}
_MODIFIER = {
    "pt": r"(?:\s(?:mais\s(?:velh[oa]|nov[oa])|de\s(?:trabalho|faculdade|infancia|quarto|escola)|cacula|"
    r"do\smeio|gemea|gemeo))?",
    "en": r"(?:\s(?:from|at|in)\s(?:work|school|college|the\soffice))?",
}
_BEFORE_NAME = {
    "pt": re.compile(
        r"(?:,?\s(?:que\s)?(?:se\s)?chama(?:va)?(?:-se)?|,?\se|,?\schamad[oa]s?|,?\sera|,)?\s(?:[oa]s?\s)?"
        rf"(?:(?:{TITLES['pt']}|tia|tio|vovo)\s)?"
    ),
    "en": re.compile(
        r"(?:(?:'s)?\s(?:is|was)(?:\s(?:named|called))?|'s\sname\sis|,?\s(?:named|called)|,|\snames?\sare|\sare)?\s"
        rf"(?:(?:{TITLES['en']}|aunt|uncle)\s)?"
    ),
}
_RELATION = {
    language: re.compile(
        rf"(?<![a-z])(?:(?:o\s)?(?:nome|apelido)\sd[oae]s?\s|the\sname\sof\s|(?:chamo|chamamos|call)\s)?{_MINE[language]}\s"
        rf"{_ADJECTIVE[language]}(?P<relation>{RELATIONS[language]}){_MODIFIER[language]}(?![a-z-])"
    )
    for language in ("pt", "en")
}
_SELF = {
    "pt": re.compile(
        r"(?<![a-z])(?:me\schamo|meu\snome\s(?:completo\s)?e|sou\s[oa]|(?:pode|podem|podes)\s(?:me\s)?chamar\s(?:me\s)?de|"
        r"me\scham(?:a|am|e|em|avam)\sde|meu\sapelido\s(?:e|era)|me\sapelidaram\sde|aqui\se\s[oa]|pode\sme\schamar\sde)\s"
    ),
    "en": re.compile(
        r"(?<![a-z])(?:my\s(?:full\s|first\s|last\s)?name\sis|my\sname's|call(?:s|ed)?\sme|i'm|i\sam|i\sgo\sby|"
        r"my\snickname\s(?:is|was)|known\sas|this\sis)\s"
    ),
}
_IS_MINE = {
    language: re.compile(
        rf"\s(?:e|era|foi|is|was)\s(?:[oa]\s)?{_MINE[language]}\s{_ADJECTIVE[language]}(?P<relation>{RELATIONS[language]})(?![a-z-])"
    )
    for language in ("pt", "en")
}
_TITLE = {
    language: re.compile(
        rf"(?<![a-z])(?P<title>{TITLES[language]}|{'|'.join(KIN_TITLES[language])})\s(?=[{_UPPER}])", re.IGNORECASE
    )
    for language in ("pt", "en")
}
_MENTION = re.compile(r"(?<![\w.@])@(?P<name>\w[\w.]{1,38}\w)")
_CALLED = {
    "pt": re.compile(r"(?:chamad[oa]s?|(?:apelidaram|chamam|chamo|chamava)\s(?:el[ea]|o|a)\sde|apelido\s(?:e|de))\s$"),
    "en": re.compile(r"(?:named|called|nicknamed|goes\sby)\s$"),
}
_MEETING = {
    "pt": re.compile(
        r"(?:com|encontrei|conheci|vi|visitei|abracei|liguei\spr[ao]|falei\spr[ao]|casa\sd)\s?(?:[oa]s?)?\s$|"
        r"(?:encontrei|conheci|com|para|pra)\s[oa]\s$"
    ),
    "en": re.compile(r"(?:with|met|saw|visited|told|asked|called|hugged|from|married|dated|dating)\s$"),
}
_SENTENCE_START = re.compile(r"(?:^|[.!?…\n\"“:(*-])\s*$")
_PLACE_BEFORE = re.compile(r"(?:^|[^a-z])(?:em|in|at|from|to|para|rua|avenida|cidade de|street|near)\s$")


_BEGINS_ANEW = re.compile(r"\s(?:is|was|has|lives|works)\b")  # "my kids are Ana and Bia, and Rex is our dog"
_IS = re.compile(r"^,?\s(?:is|was|e|era)\s$")
_KNOWN = FIRST_NAMES["pt"] | FIRST_NAMES["en"]
_DOES = re.compile(
    r"\s(?:vem|vêm|veio|vieram|foi|e|era|disse|falou|ligou|me|se|nao|esta|tem|vai|vao|gosta|mora|trabalha|chegou|quer|adora|"
    r"passou|fez|contou|mandou|said|told|called|came|is|was|has|lives|loves|works|went|and\si|wants|asked|got)(?![a-z])"
)


class _Found:
    """Names so far; a later rule never overlaps an earlier one."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.names: dict[int, tuple[int, str | None]] = {}
        self._taken: set[int] = set()

    def add(self, start: int, end: int, relation: str | None) -> None:
        if self._taken.isdisjoint(range(start, end)):
            self.names[start] = (end, relation)
            self._taken.update(range(start, end))

    def relate(self, start: int, relation: str) -> None:
        end, known = self.names[start]
        self.names[start] = (end, known or relation)


def find_names(text: str, language: Language) -> list[NameMention]:
    """Names in reading order, never overlapping."""
    flat = flattened(text)
    found = _Found(flat)
    for match in _MENTION.finditer(flat.raw):
        found.add(*match.span("name"), None)
    for match in _SELF[language].finditer(flat.text):
        _self_name(found, match, language)
    for match in _RELATION[language].finditer(flat.text):
        _related_names(found, match, language)
    for match in _TITLE[language].finditer(flat.raw):
        _titled_name(found, match, language)
    _capitalised(found, language)
    mentions = []
    for begin, (finish, relation) in sorted(found.names.items()):
        start, end = flat.span(begin, finish)
        mentions.append(NameMention(start=start, end=end, name=text[start:end], relation=relation))
    return mentions


def _name_at(flat: Flat, at: int, language: Language) -> tuple[int, int] | None:
    """A name where one is expected: capitalised and no common word, or a known first name in lower case."""
    match = _FULL.match(flat.raw, at)
    if match:
        first = re.split(r"[\s]", flat.text[at : match.end()], maxsplit=1)[0]
        return None if first in STOP_WORDS or first in NOT_PEOPLE - AMBIGUOUS_NAMES else match.span()
    match = _LOWER.match(flat.raw, at)
    if match and flat.text[at : match.end()] in FIRST_NAMES[language] - STOP_WORDS:
        return match.span()
    return None


def _self_name(found: _Found, match: re.Match[str], language: Language) -> None:
    flat = found.flat
    name = _FULL.match(flat.raw, match.end())
    first = flat.text[match.end() : name.end()].split()[0] if name else ""
    weak = match[0].startswith(("i'm", "i am", "this is", "sou"))
    if name and first not in STOP_WORDS and first not in NOT_PEOPLE:
        if not weak or first in _KNOWN or " " in name[0]:
            found.add(*name.span(), None if match[0].startswith("this is") else SELF)
    elif not name and not weak:
        span = _name_at(flat, match.end(), language)
        if span:
            found.add(*span, SELF)


def _related_names(found: _Found, match: re.Match[str], language: Language) -> None:
    flat = found.flat
    at = match.end()
    relation = flat.raw[slice(*match.span("relation"))].lower()
    lead = _BEFORE_NAME[language].match(flat.text, at)
    named = re.match(r"\sde\s(?:vovo\s|tia\s|tio\s)?", flat.text[at : at + 12]) if match[0].startswith("cham") else None
    if named:
        span = _name_at(flat, at + named.end(), language)
    elif match[0].startswith("call "):
        span = _name_at(flat, at + 1, language)
    else:
        span = _name_at(flat, lead.end(), language) if lead else None
        if span and lead and _IS.search(lead[0]) and not _told(flat, span):
            span = None  # "my manager is Great at this"
    many = relation.endswith("s") or relation == "children"
    while span:
        found.add(*span, relation)
        following = _AND[language].match(flat.text, span[1]) if many else None
        span = _name_at(flat, following.end(), language) if following else None
        if span and _BEGINS_ANEW.match(flat.text, span[1]):
            span = None


def _titled_name(found: _Found, match: re.Match[str], language: Language) -> None:
    name = _FULL.match(found.flat.raw, match.end())
    title = found.flat.text[slice(*match.span("title"))]
    if not name or (title == "seu" and name[0].split()[0].lower() in {"dia", "nome"}):
        return
    if found.flat.text[name.start() : name.end()].split()[0] in NOT_PEOPLE - AMBIGUOUS_NAMES:
        return
    relation = KIN_TITLES[language].get(title)
    if relation and name.start() in found.names:
        found.relate(name.start(), relation)
    else:
        found.add(*name.span(), relation)


def _capitalised(found: _Found, language: Language) -> None:
    """Known first names, unknown ones that someone met or that do something, and what "and" joins to either."""
    flat = found.flat
    last = 0
    for match in _FULL.finditer(flat.raw):
        start, end = match.span()
        words = flat.text[start:end].split()
        before = flat.text[max(0, start - 24) : start]
        opening = bool(_SENTENCE_START.search(before))
        while opening and len(words) > 1 and words[0] in STOP_WORDS:
            start += len(words[0]) + 1
            words, opening = words[1:], False
        if words[0] in STOP_WORDS or (words[0] in NOT_PEOPLE and words[0] not in AMBIGUOUS_NAMES):
            continue
        tie = _IS_MINE[language].match(flat.text, end)
        if opening and words[0] not in _KNOWN:
            known = next((place for place, word in enumerate(words) if word in _KNOWN), 0)
            start = flat.text.index(words[known], start) if known else start
            words, opening = words[known:], opening and not known
        joined = last and 0 < start - last <= 5 and _AND[language].fullmatch(flat.text, last, start)
        if not (tie or joined or _is_name(words, flat.text, (start, end), opening=opening, language=language)):
            continue
        last = end
        found.add(start, end, flat.raw[slice(*tie.span("relation"))].lower() if tie else None)


def _told(flat: Flat, span: tuple[int, int]) -> bool:
    """Whether a name after "is" is one: a known first name, or the last word said."""
    first = re.split(r"\s", flat.text[slice(*span)], maxsplit=1)[0]
    return first in _KNOWN or bool(re.match(r"\s*(?:$|[.,!?)\n]|e\s|and\s)", flat.text[span[1] : span[1] + 5]))


def _is_name(words: list[str], flat: str, span: tuple[int, int], *, opening: bool, language: Language) -> bool:
    before = flat[max(0, span[0] - 24) : span[0]]
    first = words[0].split("-")[0].replace("'", "")
    if _CALLED[language].search(before):
        return True
    if first in AMBIGUOUS_NAMES and len(words) == 1 and (opening or _PLACE_BEFORE.search(before)):
        return False
    if first in _KNOWN:
        return not (first in AMBIGUOUS_NAMES and _PLACE_BEFORE.search(before))
    if opening:
        return False
    article = language == "pt" and re.search(r"(?:^|[^a-z])[oa]\s$", before)
    return bool(_MEETING[language].search(before) or (article and _DOES.match(flat, span[1])))
