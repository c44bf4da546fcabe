"""Whom people have appointments with about their health: what each is called, and how to tell from what was said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from relembra.domain.attributes import FORMER
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.text import fold
from relembra.views.held import is_claim, said

__all__ = ["DOCTOR", "Profession", "is_appointment", "profession_named", "profession_of", "visited"]


@dataclass(frozen=True, slots=True)
class Profession:
    """One kind of professional; a specialist is a doctor too."""

    key: str
    called: dict[str, str]  # as in "the appointment with …", by language
    is_doctor: bool = False
    feelings_first: bool = False

    def covers(self, other: Profession) -> bool:
        """Whether what is meant for the other may be meant for this one: "the doctor" is any doctor."""
        return self.key == other.key or (self.is_doctor and other.key == "doctor")


def _doctor(key: str, pt: str, en: str, *, feelings_first: bool = False) -> Profession:
    return Profession(key, {"pt": pt, "en": en}, is_doctor=True, feelings_first=feelings_first)


DOCTOR = _doctor("doctor", "médico", "doctor")
_TABLE: tuple[tuple[Profession, str], ...] = (
    (_doctor("cardiologist", "cardiologista", "cardiologist"), r"cardiolog\w*|cardio"),
    (_doctor("dermatologist", "dermatologista", "dermatologist"), r"dermato\w*"),
    (_doctor("neurologist", "neurologista", "neurologist"), r"neuro(?:log\w*)?"),
    (_doctor("gynaecologist", "ginecologista", "gynaecologist"), r"gine(?:colog\w*|co)?|gyna?ecolog\w*|ob-?gyn|gyno"),
    (_doctor("obstetrician", "obstetra", "obstetrician"), r"obstetr\w*|pre-?natal"),
    (_doctor("urologist", "urologista", "urologist"), r"urolog\w*|uro"),
    (_doctor("orthopaedist", "ortopedista", "orthopaedist"), r"ortoped\w*|orthop\w*"),
    (
        _doctor("ophthalmologist", "oftalmologista", "eye doctor"),
        r"oftalmo\w*|oculista|ophthalmolog\w*|optometrist|eye doctor",
    ),
    (_doctor("paediatrician", "pediatra", "paediatrician"), r"pediatra|pa?ediatrician"),
    (_doctor("psychiatrist", "psiquiatra", "psychiatrist", feelings_first=True), r"psiquiatra|psychiatrist"),
    (_doctor("endocrinologist", "endocrinologista", "endocrinologist"), r"endocrin\w*|endocrino"),
    (_doctor("gastroenterologist", "gastroenterologista", "gastroenterologist"), r"gastro(?:enterolog\w*)?"),
    (_doctor("oncologist", "oncologista", "oncologist"), r"oncolog\w*"),
    (_doctor("rheumatologist", "reumatologista", "rheumatologist"), r"rh?eumatolog\w*|reumato"),
    (_doctor("ear_nose_throat", "otorrino", "ear, nose and throat doctor"), r"otorrino\w*|ent (?:doctor|specialist)"),
    (_doctor("geriatrician", "geriatra", "geriatrician"), r"geriatr(?:a|ician)"),
    (_doctor("allergist", "alergista", "allergist"), r"alergista|alergolog\w*|allergist"),
    (_doctor("pulmonologist", "pneumologista", "pulmonologist"), r"pneumolog\w*|pneumo|pulmonolog\w*"),
    (_doctor("nephrologist", "nefrologista", "nephrologist"), r"ne(?:f|ph)rolog\w*"),
    (_doctor("haematologist", "hematologista", "haematologist"), r"ha?ematolog\w*"),
    (Profession("dentist", {"pt": "dentista", "en": "dentist"}), r"dentista|ortodontista|dentist|orthodontist"),
    (
        Profession("therapist", {"pt": "terapeuta", "en": "therapist"}, feelings_first=True),
        r"terapeuta|terapia|psicolog[oa]|psicanalista|therapist|therapy|psychologist|counsell?or|shrink",
    ),
    (
        Profession("nutritionist", {"pt": "nutricionista", "en": "nutritionist"}),
        r"nutricionista|nutrolog[oa]|nutri|nutritionist|dieti[ct]ian",
    ),
    (
        Profession("physiotherapist", {"pt": "fisioterapeuta", "en": "physiotherapist"}),
        r"fisioterap\w*|fisio|physiotherap\w*|physio|physical therap\w*",
    ),
    (DOCTOR, r"medic[oa]s?|doutora?|dra?\.?|clinic[oa] geral|doctor(?:'s)?|gp|physician"),
)
_PATTERNS = tuple((profession, re.compile(rf"\b(?:{pattern})(?!\w)")) for profession, pattern in _TABLE)
_CONSULTATION = re.compile(
    r"^(?:an? |uma |my |minha )?(?:consulta(?: medica)?|medical appointment|check-?up|consulta de rotina|retorno)\b"
    r"(?! (?:com|with|de) )"
)
_PLEASURE = re.compile(
    r"\b(?:jantar|almoco|cafe|festa|aniversario|casamento|churrasco|bar|cinema|viagem|dinner|lunch|coffee|party|"
    r"birthday|wedding|barbecue|drinks|movie|trip|show|aula|class|entrevista|interview)\b"
)
_PLANNED = ("meeting", "event", "appointment")
_WENT = re.compile(
    r"\b(?:fui|voltei d[oa]|passei n[oa]|sai d[oa]|consultei|me consultei|(?:i )?(?:went|was at|saw|visited|"
    r"came back from|have been to|had an? \w+ appointment))\b"
)
_TODAY = re.compile(r"[^.!?;\n]*[.!?;\n]?")


def profession_named(text: str) -> Profession | None:
    """The professional some words name, the most exact one; None where they name none."""
    small = fold(text)
    return next((profession for profession, pattern in _PATTERNS if pattern.search(small)), None)


def profession_of(item: KnowledgeItem) -> Profession | None:
    """Whom an appointment of the owner is with; None for anything that is no appointment about their health."""
    if item.attribute not in _PLANNED or item.subject != SELF or is_claim(item):
        return None
    small = fold(said(item))
    if _PLEASURE.search(small):
        return None
    return profession_named(small) or (DOCTOR if _CONSULTATION.search(small) else None)


def is_appointment(item: KnowledgeItem, profession: Profession | None = None) -> bool:
    """Whether it is an appointment about the owner's health, with that kind of professional where one is named."""
    found = None if (item.attribute or "").startswith(FORMER) else profession_of(item)
    return found is not None and (profession is None or profession.covers(found) or found.covers(profession))


def visited(text: str, said_on: date, profession: Profession) -> date | None:
    """The day somebody says they were there, where a message tells of that day or the one before."""
    for sentence in _TODAY.findall(fold(text)):
        went = _WENT.search(sentence)
        named = profession_named(sentence[went.end() :]) if went else None
        if named is not None and (profession.covers(named) or named.covers(profession)):
            yesterday = re.search(r"\b(?:ontem|yesterday)\b", sentence)
            return date.fromordinal(said_on.toordinal() - 1) if yesterday else said_on
    return None
