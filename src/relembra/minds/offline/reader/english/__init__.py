"""The English grammar: what people say of themselves and theirs, in American, British and sloppy chat English."""

from __future__ import annotations

from relembra.minds.offline.reader.engine import Grammar
from relembra.minds.offline.reader.english import (
    ailments,
    asides,
    beliefs,
    belongings,
    body,
    careers,
    couples,
    events,
    family,
    feelings,
    goals,
    habits,
    health,
    home,
    hours,
    identity,
    intro,
    livelihood,
    manner,
    medicine,
    names,
    passing,
    possessions,
    skills,
    study,
    tastes,
    work,
)
from relembra.minds.offline.reader.english.guards import BREAKS, DENIAL, UNREAL, foreign, skipped
from relembra.minds.offline.reader.english.heads import who
from relembra.minds.offline.reader.english.wording import worded

__all__ = ["GRAMMAR"]

GRAMMAR = Grammar(
    language="en",
    foreign=foreign,
    skipped=skipped,
    breaks=BREAKS,
    unreal=UNREAL,
    denial=DENIAL,
    who=who,
    rules=(
        *identity.RULES,
        *names.RULES,
        *intro.RULES,
        *home.RULES,
        *work.RULES,
        *careers.RULES,
        *study.RULES,
        *family.RULES,
        *couples.RULES,
        *health.RULES,
        *medicine.RULES,
        *body.RULES,
        *ailments.RULES,
        *tastes.RULES,
        *skills.RULES,
        *habits.RULES,
        *hours.RULES,
        *manner.RULES,
        *goals.RULES,
        *events.RULES,
        *possessions.RULES,
        *feelings.RULES,
        *beliefs.RULES,
        *belongings.RULES,
        *asides.RULES,
        *passing.RULES,
        *livelihood.RULES,
    ),
    worded=worded,
)
