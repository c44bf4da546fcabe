"""What the frames of the Portuguese grammar share: whose clause it is, names of places, years of age, moments.

A frame finds a fact by its place in the sentence ("aos 57", "aqui em Sobral", "como diarista"), so it must look around
for what would make it another's or untrue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule
from relembra.minds.offline.reader.portuguese.identity import TOWNS
from relembra.minds.offline.reader.portuguese.values import place
from relembra.minds.offline.reader.portuguese.vocabulary import MINE, RELATION

__all__ = ["KNOWN_PLACE", "NUMERAL", "YEARS", "known_place", "own", "presupposed", "real", "told_past"]

NUMERAL = (
    r"(?:(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)"
    r"(?:\se\s(?:um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove))?|dezesseis|dezasseis|dezessete|dezassete|"
    r"dezoito|dezenove|dezanove|quinze|quatorze|catorze)"
)
YEARS = rf"(?:1[2-9]|[2-9]\d|10\d|{NUMERAL})"
"""An age somebody who writes may have."""

KNOWN_PLACE = re.compile(
    r"(?:recife|rio|rio de janeiro|ceara|para|parana|maranhao|amazonas|acre|piaui|tocantins|amapa|espirito santo|"
    r"rio grande do (?:sul|norte)|mato grosso(?: do sul)?|df|distrito federal|porto|funchal|algarve|alentejo|minho|"
    r"douro|bahia|paraiba|brasil|japao|canada|chile|uruguai|paraguai|peru|mexico|reino unido|seixal|barreiro|montijo|"
    r"crato|guaruja|nordeste|norte|sul|sertao|agreste|abc|abc paulista|madeira|acores|suica|alemanha|franca|espanha|"
    r"italia|irlanda|holanda|belgica|argentina|australia|zona (?:sul|norte|leste|oeste)(?: d\w .{2,20})?|"
    r"interior(?: d\w .{2,20})?|baixada.{0,15}|litoral.{0,15}|serra gaucha|capital|vale do .{3,15}|grande \w+)$"
)
_OTHER = re.compile(rf"(?<![a-z])(?:{MINE}\s(?:\w+\s)?{RELATION}|el[ea]s?|del[ea]s?|alguem)(?![a-z])")
_PAST = re.compile(
    r"(?<![a-z])(?:(?!sei|lei|rei|hei|farei)[a-z]{2,}ei|[a-z]{3,}(?:ava|avam|ou|iu)|era|tinha|fui|foi|fiz|fez|tive|"
    r"teve|vim|veio|vivi|perdi|aprendi|conheci|sai|vi|decidi|descobri|queria|fazia|podia|ia|"
    r"quando|ate|desde|dos\s\w+|vou|quero|pretendo|posso|meta|chegar|aposentar|casar)(?![a-z])"
)
_SUPPOSED = re.compile(
    r"(?<![a-z])(?:se\s(?:eu|a\sgente|voce|vc|for|der|tiver|quiser)|caso|quem\sdera|[a-z]{2,}(?:sse|ssem|ssemos)|"
    r"[a-z]{3,}aria|[a-z]{3,}eria|imagin\w+|supo\w+|exemplo|ficcao|personagem|historia|conto|alguem|pessoas?|"
    r"quem\s(?:mora|vive|tem|trabalha|e))(?![a-z])"
)


def own(clause: Clause, before: int | None = None) -> bool:
    """Whether a clause speaks of nobody but the speaker, as far as it is looked at."""
    if clause.who is not None and clause.who.name:
        return False
    if clause.flat.startswith("eu e "):
        return True  # "eu e minha esposa temos"
    return not _OTHER.search(clause.flat, 0, len(clause.flat) if before is None else before)


def told_past(clause: Clause) -> bool:
    """Whether a clause tells of another time, so that an age in it is not today's."""
    return bool(_PAST.search(clause.flat))


def real(clause: Clause) -> bool:
    """Whether what a question or request takes for granted is so: not inside a supposition."""
    return not _SUPPOSED.search(flattened(clause.sentence).text)


def known_place(raw: str, preposition: str) -> str | None:
    """A town, quarter or country by name; behind an article only where it is known to be one."""
    value = place(_AFTER.split(raw)[0])
    if value is None:
        return None
    flat = flattened(value).text
    if KNOWN_PLACE.match(flat) or TOWNS.match(flat):
        return value
    if preposition in {"no", "na", "nos", "nas", "do", "da"} or not value[0].isupper():
        return None
    named = _NAME_RUN.match(value)
    value = named[0] if named else value
    words = value.split()
    return None if len(words) == 1 and value.isupper() and len(value) > 3 else value


_NAME_RUN = re.compile(r"[A-ZÀ-Þ][\w'’-]*(?:\s(?:d[aeo]s?\s)?[A-ZÀ-Þ][\w'’-]*)*")
_AFTER = re.compile(r"\s(?:até|ate|do\stipo|quando|tem|tá|ta|faz|é|são|fica|onde)\s|[,;.!?)]", re.IGNORECASE)


def presupposed(rules: Iterable[Rule]) -> list[Rule]:
    """Rules for what is true even inside a question or a request."""
    return [replace(rule, presupposed=True) for rule in rules]
