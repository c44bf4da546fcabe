"""A short answer to the gentle question: did it change, did it not, are both so, or neither."""

from __future__ import annotations

import re

from relembra.domain.case import Outcome
from relembra.domain.text import fold

LONGEST_ANSWER = 160

_ALONE = (
    r"(?=$|[,.;:!…-]|\s(?:mudou|mudei|mudamos|sim|nao|nada|continua|ainda|i|it|it's|nothing|still|the same|that's)\b)"
)
"""A word that answers only when it stands for itself: "não, …" does, "não consigo dormir" is about something else."""

# In this order: "não, os dois" means both, and "mudou não" means no.
_ANSWERS: tuple[tuple[Outcome, re.Pattern[str]], ...] = (
    (
        Outcome.BOTH,
        re.compile(r"\b(?:os dois|as duas|ambos|ambas|both)\b(?!.{0,20}(?:errad|wrong|fals))"),
    ),
    (
        Outcome.NEITHER,
        re.compile(
            r"\b(?:nenhum(?:a)? d(?:os|as) (?:dois|duas)|nem um nem outro|nem uma nem outra|neither|(?:os dois|as duas)"
            r" est(?:ao|avam) errad[oa]s|both are wrong|none of (?:them|those))\b"
        ),
    ),
    (
        Outcome.OLD,
        re.compile(
            rf"^(?:nao|n|nope|no|nah)\b{_ALONE}(?!.{{0,40}}\b(?:mais|anymore|any more|longer)\b)|"
            r"\b(?:nao mudou|mudou nao|nada mudou|continua (?:igual|a mesma|o mesmo)|(?:vale|fica|e) (?:o|"
            r"a) (?:antig[oa]|primeir[oa]|de antes|anterior)|"
            r"me enganei agora|nothing (?:has )?changed|still the (?:same|old)|the (?:first|old|earlier|previous) one"
            r"|hasn't changed)\b"
        ),
    ),
    (
        Outcome.NEW,
        re.compile(
            r"^(?:sim|isso mesmo|yes|yep|yeah|yup|it has|it did)\b|"
            rf"^(?:s|isso|exato|mudou|mudei|verdade|correct|right|exactly)\b{_ALONE}|"
            r"\b(?:mudou sim|mudei sim|(?:vale|fica|e) (?:o|a) (?:nov[oa]|segund[oa]|de agora|atual)|agora e assim|"
            r"it (?:has )?changed|the (?:new|second|latest|current) one)\b"
        ),
    ),
)


def answer(text: str) -> Outcome | None:
    """Which outcome a message gives the case that was just asked about; None when it is no plain answer."""
    if len(text) > LONGEST_ANSWER or text.rstrip().endswith("?"):
        return None
    folded = " ".join(fold(text).replace("’", "'").strip(" .,!…").split())
    return next((outcome for outcome, pattern in _ANSWERS if pattern.search(folded)), None)
