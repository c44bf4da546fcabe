"""A short answer to the gentle question: did it change, did it not, are both so, or neither."""

from __future__ import annotations

import re

from relembra.domain.case import Outcome
from relembra.domain.text import fold
from relembra.learn.values import same

LONGEST_ANSWER = 160

_ALONE = (
    r"(?=$|[,.;:!…-]|\s(?:mudou|mudei|mudamos|sim|nao|nada|continua|ainda|i|it|it's|nothing|still|the same|that's)\b)"
)
"""A word that answers only when it stands for itself: "não, …" does, "não consigo dormir" is about something else."""

# In this order: "não, os dois" means both, and "mudou não" means no.
_BARE: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    (Outcome.BOTH, re.compile(rf"^(?:(?:nao|no|sim|yes),? )?(?:os dois|as duas|ambos|ambas|both)\b{_ALONE}")),
    (Outcome.NEITHER, re.compile(rf"^(?:(?:nao|no),? )?(?:nenhum|nenhuma|neither)\b{_ALONE}")),
    (
        Outcome.OLD,
        re.compile(rf"^(?:nao|n|nope|no|nah)\b{_ALONE}(?!.{{0,40}}\b(?:mais|anymore|any more|longer)\b)"),
    ),
    (
        Outcome.NEW,
        re.compile(
            r"^(?:sim|isso mesmo|yes|yep|yeah|yup|it has|it did)\b|"
            rf"^(?:s|isso|exato|verdade|correct|right|exactly)\b{_ALONE}"
        ),
    ),
)
"""Words that answer only what was asked just before."""
_WHICH = (
    *_BARE[:2],
    (Outcome.OLD, re.compile(r"^(?:e )?(?:o|a|the) (?:primeir[oa]|de antes|antig[oa]|first|earlier|old)\b")),
    (Outcome.NEW, re.compile(r"^(?:e )?(?:o|a|the) (?:segund[oa]|de agora|nov[oa]|second|later|new)\b")),
)
"""The same, where the question was which of two."""

_PLAIN: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    (
        Outcome.NEITHER,
        re.compile(
            r"\b(?:nenhum(?:a)? d(?:os|as) (?:dois|duas)|nem um nem outro|nem uma nem outra|neither is|(?:os dois|"
            r"as duas)"
            r" est(?:ao|avam) errad[oa]s|both are wrong|none of (?:them|those) is)\b"
        ),
    ),
    (
        Outcome.BOTH,
        re.compile(
            r"\b(?:os dois|as duas|ambos|ambas) (?:valem|estao cert[oa]s|sao verdade|continuam)\b|"
            r"\bboth (?:are (?:true|right|correct)|still (?:stand|hold))\b"
        ),
    ),
    (
        Outcome.OLD,
        re.compile(
            r"\b(?:nao mudou|mudou nao|nada mudou|continua (?:igual|a mesma|o mesmo)|(?:vale|fica) (?:o|a) "
            r"(?:antig[oa]|primeir[oa]|de antes|anterior)|me enganei agora|nothing (?:has )?changed|"
            r"still the (?:same|old)"
            r"|the (?:first|old|earlier|previous) one|it hasn't changed)\b"
        ),
    ),
    (
        Outcome.NEW,
        re.compile(
            rf"^(?:sim,? )?(?:mudou|mudei)\b{_ALONE}|\b(?:mudou sim|mudei sim|(?:vale|fica) (?:o|a) "
            r"(?:nov[oa]|segund[oa]|de agora|atual)|agora e assim|it (?:has )?changed|the (?:new|second|latest|"
            r"current) one)\b"
        ),
    ),
)
"""Words that say by themselves what became of it."""


def answer(text: str, *, asked: bool, which: tuple[str | None, str | None] | None = None) -> Outcome | None:
    """Which outcome a message gives the case that is open; None when it is no answer to it.

    `asked`: the words before it put the question, so that a bare yes or no is meant for it. `which`: it asked which of
    these is right, to which yes and no are no answers, but one of them is.
    """
    if len(text) > LONGEST_ANSWER or text.rstrip().endswith("?"):
        return None
    folded = " ".join(fold(text).replace("’", "'").strip(" .,!…").split())
    if asked and which is not None and (named := _named(folded, which)) is not None:
        return named
    bare = _BARE if which is None else _WHICH
    patterns = (*_PLAIN, *bare) if asked else _PLAIN
    return next((outcome for outcome, pattern in patterns if pattern.search(folded)), None)


_BEGINS = re.compile(r"^(?:(?:nao|no|nope|sim|yes)\b[,.;:!]+ ?)?(?:(?:e|sou|it's|it is|i'm|i am) )?")
_DENIES = re.compile(r"\b(?:nao|nem|not|isn't|never|nunca)\b")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|o|a)\b")


def _named(folded: str, values: tuple[str | None, str | None]) -> Outcome | None:
    """The only side a short answer names, by a word the other one has not, unless to deny it."""
    words = _BEGINS.sub("", folded)
    if _DENIES.search(words):
        return None
    whole = [side for side, value in zip((Outcome.OLD, Outcome.NEW), values, strict=True) if same(None, words, value)]
    if len(whole) == 1:  # "A negative" for A-
        return whole[0]
    old, new = (_telling(value or "") for value in values)
    said = _telling(words)
    named = [side for side, own in ((Outcome.OLD, old - new), (Outcome.NEW, new - old)) if own & said]
    return named[0] if len(named) == 1 else None


def _telling(text: str) -> set[str]:
    """The words and numbers of a text, "3rd" as 3; not a letter alone, which may be an article."""
    words = re.findall(r"\w+[+-]?", _ORDINAL.sub("", fold(text)))
    return {word for word in words if len(word) > 1 or word.isdigit()}


_PUT = re.compile(
    r"mudou algo|has something changed|\bqual\b.{0,40}\b(?:cert[oa]|corret[oa]|vale|dos dois|das duas)\b|"
    r"\bwhich\b.{0,40}\b(?:right|correct|true|one)\b"
)


def puts_the_question(text: str, values: tuple[str | None, ...]) -> bool:
    """Whether the assistant's words ask about a case: as we word it, or by naming what it is about and asking."""
    folded = fold(text)
    if "?" not in text:
        return False
    return bool(_PUT.search(folded)) or any(value and fold(value) in folded for value in values)
