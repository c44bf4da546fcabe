"""Where sentences begin and end, in chat as in prose.

A line break ends a sentence; so do . ! ? … with the quotes, brackets and emoji that follow them, unless the stop
belongs to an abbreviation, a number, an address or initials, or the next word goes on in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from relembra.minds.languages import words_in_any
from relembra.minds.offline.flat import flattened

__all__ = ["short_sentences", "split_sentences"]

LONGEST_SENTENCE = 1_000  # characters that a pattern sees of one

# After these a sentence never ends: something they introduce follows. After the others only when a capital does.
_INTRODUCES = words_in_any("words", "introducing")
_MAY_END = words_in_any("words", "may_end")
_EMOJI = "[\U0001f000-\U0001faff\u2600-\u27bf\u200d\ufe0f]"
# Runs are taken whole (possessive, and never begun in their middle), so that a line of a million dots stays linear.
_END = re.compile(
    rf"\n\s*+|(?P<marks>(?<![.!?…。！？])[.!?…。！？]++)(?P<close>[\"'”’»)\]]{{0,4}})"
    rf"(?P<emoji>(?:[ \t]{{0,2}}{_EMOJI}++){{0,20}})(?=\s|$|[\"'“‘«(\[])"
    rf"|(?P<alone>(?<!{_EMOJI}){_EMOJI}++)(?=[ \t]{{1,4}}[^\s.!?,;:)])"
)
_WORD_BEFORE = re.compile(r"[a-z.]{1,12}$")
_INITIAL = re.compile(r"(?:^|[^a-z])[a-z]$")
_NEXT = re.compile(r"\s{0,4}[\"'“‘«(\[¿¡]{0,3}(\S?)")
_LINE_NUMBER = re.compile(r"(?:^|\n)[ \t]{0,8}\d{1,3}$")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Spans in order, without the blanks around them; together they hold everything that is not blank."""
    flat = flattened(text)
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(flat.raw):
        if match["marks"] and not _ends(flat.raw, flat.text, match, start):
            continue
        if match["alone"] and not _next_begins(flat.raw, match.end()):
            continue
        _keep(flat.raw, start, match.end(), spans)
        start = match.end()
    _keep(flat.raw, start, len(flat.raw), spans)
    return [flat.span(*span) for span in spans]


def short_sentences(text: str) -> list[tuple[int, int]]:
    """The same, with a sentence of more than `LONGEST_SENTENCE` cut between words."""
    return [piece for span in split_sentences(text) for piece in _pieces(text, *span)]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST_SENTENCE:
        cut = text.rfind(" ", start + 1, start + LONGEST_SENTENCE)
        cut = start + LONGEST_SENTENCE if cut < 0 else cut
        yield start, cut
        start = cut + (text[cut] == " ")
    yield start, end


def _keep(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    inner = text[start:end]
    begins = start + len(inner) - len(inner.lstrip())
    ends = start + len(inner.rstrip())
    if begins < ends:
        spans.append((begins, ends))


def _next_begins(text: str, at: int) -> bool:
    """Whether the next word opens a sentence; after an emoji chat goes on in lower case."""
    following = _NEXT.match(text, at)
    return bool(following and following[1])


def _ends(raw: str, flat: str, match: re.Match[str], start: int) -> bool:
    following = _NEXT.match(raw, match.end())
    after = following[1] if following else ""
    if not after:
        return True
    marks = match["marks"]
    if match["close"] and match["close"][0] in "\"'”’»" and after.islower():
        return False  # "Are you coming?" she asked.
    if marks in {"…", ".."} or (len(marks) > 2 and set(marks) == {"."}):
        return not after.islower()
    if marks != ".":
        return True
    word = _WORD_BEFORE.search(flat, max(start, match.start() - 12), match.start())
    said = word[0].strip(".") if word else ""
    if said in _MAY_END:
        return not after.islower() and not after.isdigit()
    if said in _INTRODUCES and not (said == "no" and after.isupper() and not after.isdigit()):
        return False
    if _LINE_NUMBER.search(flat, max(0, match.start() - 12), match.start()):
        return False
    at = match.start()
    if _INITIAL.search(flat, max(start, at - 2), at) and raw[at - 1 : at].isupper() and not after.islower():
        return raw[at - 1 : at] in "I" and after.isupper()
    return True
