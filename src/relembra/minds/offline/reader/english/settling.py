"""A last look at what a message said: one thing said twice in other words is kept once, the fuller way."""

from __future__ import annotations

from dataclasses import replace

from relembra.domain.attributes import FAVORITE, FORMER
from relembra.domain.knowledge import SELF
from relembra.minds.offline.flat import listed
from relembra.minds.offline.reader import patterns as re
from relembra.minds.offline.reader.engine import Said
from relembra.minds.offline.reader.english.wording import theirs

__all__ = ["settled"]

_FULLER = frozenset(
    listed("habit schedule goal medication condition likes dislikes children event achieved diet deadline salary")
)
_EITHER = {
    "event": frozenset(["achieved", "event"]),
    "goal": frozenset(["event"]),
    "habit": frozenset(["project", "schedule"]),
}
"""Attributes under which one statement may be told twice, and which of them then keep it."""
_LIGHT = frozenset(
    listed(
        "a an the my our his her their to of in on at for from with and i we it got get gets moved move moving went go going"
        " made make started lost had has have left became passed new just finally do did done first"
    )
)
_WORD = re.compile(r"[a-z0-9']+")


def settled(found: list[Said]) -> list[Said]:
    """Without a like that is also a favourite, a tie that is over, and what another thing says as well or better."""
    found = [
        replace(said, content=theirs(said.content)) if said.content and said.subject == SELF else said for said in found
    ]
    if len(found) < 2:
        return found
    favorites = {(said.subject, said.value) for said in found if (said.attribute or "").startswith(FAVORITE)}
    shunned = {(said.subject, said.value) for said in found if said.attribute == "diet"}
    found = _named_once(_parted(found))
    return [
        said
        for place, said in enumerate(found)
        if not (said.attribute == "likes" and (said.subject, said.value) in favorites)
        and not (said.attribute == "dislikes" and (said.subject, f"no {said.value}") in shunned)
        and not _told_fuller(said, found)
        and not _told_otherwise(said, found[:place], found[place + 1 :])
    ]


def _parted(found: list[Said]) -> list[Said]:
    """ "My husband Tom and I got divorced": what Tom was is a husband, and he is one no more."""
    over = {said.subject for said in found if said.attribute == FORMER + "relation"}
    if not over:
        return found
    ties = {said.subject: said.value for said in found if said.attribute == "relation" and said.subject in over}
    return [
        replace(said, value=ties[said.subject], relation=ties[said.subject])
        if said.attribute == FORMER + "relation" and said.subject in ties
        else said
        for said in found
        if not (said.attribute == "relation" and said.subject in over)
    ]


def _named_once(found: list[Said]) -> list[Said]:
    """ "we got a greyhound, his name is Biscuit": one tie, the one with the name."""
    named = {said.value for said in found if said.attribute == "relation" and said.subject != said.value}
    return [
        said
        for said in found
        if not (said.attribute == "relation" and said.subject == said.value and said.value in named)
    ]


def _told_fuller(said: Said, found: list[Said]) -> bool:
    if said.attribute not in _FULLER or not said.value:
        return False
    words = f" {said.value.lower()} "
    return any(
        other is not said
        and other.subject == said.subject
        and other.attribute == said.attribute
        and other.value is not None
        and len(other.value) > len(said.value)
        and words in f" {other.value.lower()} "
        for other in found
    )


def _told_otherwise(said: Said, before: list[Said], after: list[Said]) -> bool:
    """Whether another attribute of the same subject holds the same statement; of two events the earlier stays."""
    instead = _EITHER.get(said.attribute or "")
    if instead is None or not said.value:
        return False
    words = _content(said.value)
    return bool(words) and any(
        other.attribute in instead
        and other.subject == said.subject
        and other.value is not None
        and _overlap(words, _content(other.value))
        for other in (*before, *(one for one in after if one.attribute != said.attribute))
    )


def _content(value: str) -> frozenset[str]:
    return frozenset(_WORD.findall(value.lower())) - _LIGHT


def _overlap(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and len(one & other) >= 0.6 * min(len(one), len(other))
