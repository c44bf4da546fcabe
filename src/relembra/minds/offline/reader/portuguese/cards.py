"""The card people hand over when asked who they are: "Karina, 33, fisioterapeuta, Joinville"."""

from __future__ import annotations

from collections.abc import Iterator

from relembra.minds.offline.flat import flattened
from relembra.minds.offline.people import FIRST_NAMES
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Clause, Rule, Said, Who
from relembra.minds.offline.reader.portuguese.building import mine, say
from relembra.minds.offline.reader.portuguese.frames import KNOWN_PLACE, YEARS
from relembra.minds.offline.reader.portuguese.identity import REGIONAL, TOWNS
from relembra.minds.offline.reader.portuguese.vocabulary import DEMONYM, RELATION, TRADE
from relembra.minds.offline.reader.portuguese.work import trade

__all__ = ["CARDS"]

FEWEST = 2  # tokens that must be of a known kind
LONGEST = 12  # words
_GREETING = 14  # characters

_JOINED = re.compile(r"\s*[,;|/•·–]\s*|\s-\s")
_OPENING = re.compile(
    r"\W*(?:(?:oi|ola|opa|eai|bom dia|boa tarde|boa noite|prazer|apresentacao|sobre mim|dados|perfil|eu|bio)\W+)*"
    r"(?:(?:eu\s)?sou\s(?:[oa]\s)?|(?:me\schamo|chamo-me|meu\snome\se)\s(?:[oa]\s)?|aqui\s(?:e|eh)\s(?:[oa]\s)?|"
    r"tenho\s)?"
)
_AGE = re.compile(rf"(?:tenho\s)?(?P<v>{YEARS})(?:\s(?:anos|aninhos))?(?:\sde\sidade)?$")
_TRADE = re.compile(rf"(?P<v>{TRADE}(?:\s.{{2,40}})?)$")
_STUDENT = re.compile(
    r"(?:estudante|estudo|curso|cursando|alun[oa]|universitari[oa]|calour[oa])\sd[eoa]\s(?P<v>[a-z].{2,30})$"
)
_STATUS = re.compile(r"(?P<v>solteir[oa]|casad[oa]|divorciad[oa]|separad[oa]|viuv[oa]|noiv[oa])(?:\s.{2,20})?$")
_HOME = re.compile(r"(?:de|do|da|em|no|na|moro\sem|aqui\sde|aqui\sem)\s(?P<v>[a-z].{1,24})$")
_PARENT = re.compile(r"(?P<v>(?:mae|pai)\s(?:solo|d[eoa]\s.{2,20}))$")
_PEOPLE = re.compile(rf"(?P<v>{DEMONYM}|{REGIONAL})(?:\sd[eoa]\s.{{2,20}})?$")


def _card(_match: re.Match[str], clause: Clause, _who: Who | None) -> Iterator[Said]:
    named = clause.who.name if clause.who is not None else ""
    if named and (clause.offset > _GREETING or not clause.raw.strip().startswith(named)):
        return
    start = _OPENING.match(clause.flat)
    raw = clause.raw[start.end() if start else 0 :].strip(" .!")
    tokens = [token.strip(" .!") for token in _JOINED.split(raw)]
    if len(tokens) < FEWEST or len(raw.split()) > LONGEST or any(not token for token in tokens):
        return
    found = [_kind(token, first=place == 0) for place, token in enumerate(tokens)]
    known = [one for one in found if one is not None]
    kinds = {one[0] for one in known}
    if len(known) < max(FEWEST, len(tokens) - 1) or len(kinds) < FEWEST or found[0] is None:
        return
    if not kinds & {"age", "occupation", "study"} or ("name" in kinds and "age" not in kinds and clause.offset):
        return
    if "name" in kinds and "?" in clause.sentence:
        return  # "Pedro, 35, casado: qual imposto ele paga?"
    for attribute, value in known:
        yield say(None, attribute, value, _PHRASES[attribute].format(value))


_PHRASES = {
    "age": "tem {}",
    "name": "se chama {}",
    "occupation": "é {}",
    "study": "estuda {}",
    "marital_status": "é {}",
    "residence": "mora em {}",
    "children": "é {}",
    "birthplace": "é {}",
}


def _kind(token: str, *, first: bool) -> tuple[str, str] | None:
    """What a token of the card tells, and its value."""
    flat = flattened(token).text
    if len(flat) != len(token):
        return None
    if age := _AGE.match(flat):
        return "age", f"{age['v']} anos"
    if parent := _PARENT.match(flat):
        return "children", token[slice(*parent.span("v"))]
    if re.match(rf"{RELATION}(?![a-z])", flat) and not _TRADE.match(flat):
        return None
    if student := _STUDENT.match(flat):
        return "study", token[slice(*student.span("v"))]
    if status := _STATUS.match(flat):
        return "marital_status", token[slice(*status.span("v"))]
    if people := _PEOPLE.match(flat):
        return "birthplace", token[slice(*people.span("v"))]
    if _TRADE.match(flat) and (value := trade(token)):
        return "occupation", value
    if first and token[0].isupper() and flat.split()[0] in FIRST_NAMES["pt"] and len(token.split()) <= 3:
        return "name", token
    home = _HOME.match(flat)
    place = token[slice(*home.span("v"))] if home else token
    level = flattened(place).text
    town = (
        TOWNS.match(level)
        or KNOWN_PLACE.match(level)
        or (home and place[0].isupper())
        or re.fullmatch(r"[a-z]{2} capital", level)
    )
    return ("residence", place) if town else None


CARDS: list[Rule] = [
    *mine(
        "card",
        " ".join(str(age) for age in range(13, 100))
        + " anos aninhos solo solteira solteiro casada casado estudante mae pai",
        r"^.*[,;|/•·–-].*$",
        _card,
    ),
]
