"""Names of people and pets mentioned in a message, and what each is to the speaker where the words say so.

Words around a name count for more than the name: "minha irmã …", "my boss, …", "me chamo …" admit any name, lower case
included when it is a known one; a capital alone admits only known first names, or any after a few verbs of meeting.
The words are in `names.toml` of each language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from relembra.minds.languages import LANGUAGES, Language, in_any, known, pattern_of, words_in_any, words_of
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.text import Flat, flattened

FIRST_NAMES: dict[Language, frozenset[str]] = {
    language: words_of(known(language, "names")["words"]["first_names"]) for language in LANGUAGES
}
RELATIONS: dict[Language, str] = {
    language: "|".join(known(language, "names")["words"]["relations"].split()) for language in LANGUAGES
}
_KNOWN = words_in_any("names", "first_names")
_AMBIGUOUS = words_in_any("names", "ambiguous")
"""Names that are also words or places: at the beginning of a sentence they need more than their capital."""
_NOT_PEOPLE = words_in_any("names", "not_people")

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
_PARTICLE = in_any("names", "particle").pattern
_FULL = re.compile(rf"{_CAPITAL}(?:\s(?:(?:{_PARTICLE})\s){{0,2}}{_CAPITAL}){{0,5}}")
_LOWER = re.compile(rf"[{_LETTER}]{{2,}}")
_MENTION = re.compile(r"(?<![\w.@])@(?P<name>\w[\w.]{1,38}\w)")
_SENTENCE_START = re.compile(r"(?:^|[.!?…\n\"“:(*-])\s*$")
_NEVER = re.compile("(?!)")


@cache
def _pattern(language: Language, name: str) -> re.Pattern[str]:
    return pattern_of(language, "names", name, RELATION=RELATIONS[language]) or _NEVER


@cache
def _title(language: Language) -> re.Pattern[str]:
    told = known(language, "names")
    kin = "|".join(told["kin_titles"])
    return re.compile(rf"(?<![a-z])(?P<title>{told['parts']['TITLE']}|{kin})\s(?=[{_UPPER}])", re.IGNORECASE)


@dataclass(slots=True)
class _Found:
    """Names so far; a later rule never overlaps an earlier one."""

    flat: Flat
    names: dict[int, tuple[int, str | None]] = field(default_factory=dict)
    _taken: set[int] = field(default_factory=set)

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
    for match in _pattern(language, "self").finditer(flat.text):
        _self_name(found, match, language)
    for match in _pattern(language, "relation").finditer(flat.text):
        _related_names(found, match, language)
    for match in _title(language).finditer(flat.raw):
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
        return None if first in STOP_WORDS or first in _NOT_PEOPLE - _AMBIGUOUS else match.span()
    match = _LOWER.match(flat.raw, at)
    if match and flat.text[at : match.end()] in FIRST_NAMES[language] - STOP_WORDS:
        return match.span()
    return None


def _self_name(found: _Found, match: re.Match[str], language: Language) -> None:
    flat = found.flat
    name = _FULL.match(flat.raw, match.end())
    first = flat.text[match.end() : name.end()].split()[0] if name else ""
    said = match.groupdict()
    weak = bool(said["weak"])
    if name and first not in STOP_WORDS and first not in _NOT_PEOPLE:
        if not weak or first in _KNOWN or " " in name[0]:
            found.add(*name.span(), None if said.get("other") else SELF)
    elif not name and not weak:
        span = _name_at(flat, match.end(), language)
        if span:
            found.add(*span, SELF)


def _related_names(found: _Found, match: re.Match[str], language: Language) -> None:
    flat = found.flat
    at = match.end()
    relation = flat.raw[slice(*match.span("relation"))].lower()
    lead = _pattern(language, "before_name").match(flat.text, at)
    called = _pattern(language, "call").match(flat.text, at) if match["call"] else None
    if called:
        span = _name_at(flat, called.end(), language)
    else:
        span = _name_at(flat, lead.end(), language) if lead else None
        if span and lead and _pattern(language, "is").search(lead[0]) and not _told(flat, span, language):
            span = None  # "my manager is Great at this"
    many = relation.endswith("s") or relation in words_in_any("names", "plural_relations")
    while span:
        found.add(*span, relation)
        following = _pattern(language, "and").match(flat.text, span[1]) if many else None
        span = _name_at(flat, following.end(), language) if following else None
        if span and _pattern(language, "begins_anew").match(flat.text, span[1]):
            span = None


def _titled_name(found: _Found, match: re.Match[str], language: Language) -> None:
    name = _FULL.match(found.flat.raw, match.end())
    title = found.flat.text[slice(*match.span("title"))]
    if not name or _pattern(language, "no_title").match(found.flat.text, match.start()):
        return
    if found.flat.text[name.start() : name.end()].split()[0] in _NOT_PEOPLE - _AMBIGUOUS:
        return
    relation = known(language, "names")["kin_titles"].get(title)
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
        if words[0] in STOP_WORDS or (words[0] in _NOT_PEOPLE and words[0] not in _AMBIGUOUS):
            continue
        tie = _pattern(language, "is_mine").match(flat.text, end)
        if opening and words[0] not in _KNOWN:
            known = next((place for place, word in enumerate(words) if word in _KNOWN), 0)
            start = flat.text.index(words[known], start) if known else start
            words, opening = words[known:], opening and not known
        joined = last and 0 < start - last <= 5 and _pattern(language, "and").fullmatch(flat.text, last, start)
        if not (tie or joined or _is_name(words, flat.text, (start, end), opening=opening, language=language)):
            continue
        last = end
        found.add(start, end, flat.raw[slice(*tie.span("relation"))].lower() if tie else None)


def _told(flat: Flat, span: tuple[int, int], language: Language) -> bool:
    """Whether a name after "is" is one: a known first name, or the last word said."""
    first = re.split(r"\s", flat.text[slice(*span)], maxsplit=1)[0]
    ends = re.match(r"\s*(?:$|[.,!?)\n])", flat.text[span[1] :]) or _pattern(language, "and").match(flat.text, span[1])
    return first in _KNOWN or bool(ends)


def _is_name(words: list[str], flat: str, span: tuple[int, int], *, opening: bool, language: Language) -> bool:
    before = flat[max(0, span[0] - 24) : span[0]]
    first = words[0].split("-")[0].replace("'", "")
    if _pattern(language, "called").search(before):
        return True
    if first in _AMBIGUOUS and len(words) == 1 and (opening or in_any("names", "place_before").search(before)):
        return False
    if first in _KNOWN:
        return not (first in _AMBIGUOUS and in_any("names", "place_before").search(before))
    if opening:
        return False
    article = _pattern(language, "article").search(before)
    does = article and _pattern(language, "does").match(flat, span[1])
    return bool(does or _pattern(language, "meeting").search(before))
