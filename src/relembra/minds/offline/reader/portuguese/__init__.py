"""The Portuguese grammar: Brazilian first, European too, with or without accents, as people type it in chat."""

from __future__ import annotations

from relembra.minds.offline.reader.engine import Grammar
from relembra.minds.offline.reader.portuguese.agenda import AGENDA
from relembra.minds.offline.reader.portuguese.ailments import AILMENTS
from relembra.minds.offline.reader.portuguese.ambitions import AMBITIONS
from relembra.minds.offline.reader.portuguese.asides import ASIDES
from relembra.minds.offline.reader.portuguese.cards import CARDS
from relembra.minds.offline.reader.portuguese.convictions import CONVICTIONS
from relembra.minds.offline.reader.portuguese.couples import COUPLES
from relembra.minds.offline.reader.portuguese.days import DAYS
from relembra.minds.offline.reader.portuguese.dwelling import DWELLING
from relembra.minds.offline.reader.portuguese.events import EVENTS
from relembra.minds.offline.reader.portuguese.faith import FAITH
from relembra.minds.offline.reader.portuguese.family import FAMILY
from relembra.minds.offline.reader.portuguese.feelings import FEELINGS
from relembra.minds.offline.reader.portuguese.fondness import FONDNESS
from relembra.minds.offline.reader.portuguese.goals import GOALS
from relembra.minds.offline.reader.portuguese.guards import BREAKS, DENIAL, UNREAL, foreign, skipped, split
from relembra.minds.offline.reader.portuguese.habits import HABITS
from relembra.minds.offline.reader.portuguese.health import HEALTH
from relembra.minds.offline.reader.portuguese.home import HOME
from relembra.minds.offline.reader.portuguese.identity import IDENTITY
from relembra.minds.offline.reader.portuguese.intake import INTAKE
from relembra.minds.offline.reader.portuguese.learning import LEARNING
from relembra.minds.offline.reader.portuguese.livelihood import LIVELIHOOD
from relembra.minds.offline.reader.portuguese.means import MEANS
from relembra.minds.offline.reader.portuguese.measures import MEASURES
from relembra.minds.offline.reader.portuguese.people import whom
from relembra.minds.offline.reader.portuguese.posts import POSTS
from relembra.minds.offline.reader.portuguese.presenting import PRESENTING
from relembra.minds.offline.reader.portuguese.routine import ROUTINE
from relembra.minds.offline.reader.portuguese.study import STUDY
from relembra.minds.offline.reader.portuguese.tastes import TASTES
from relembra.minds.offline.reader.portuguese.ties import TIES
from relembra.minds.offline.reader.portuguese.undertakings import UNDERTAKINGS
from relembra.minds.offline.reader.portuguese.wording import settled, worded
from relembra.minds.offline.reader.portuguese.work import WORK

__all__ = ["GRAMMAR"]

GRAMMAR = Grammar(
    language="pt",
    foreign=foreign,
    skipped=skipped,
    breaks=BREAKS,
    unreal=UNREAL,
    denial=DENIAL,
    who=whom,
    rules=(
        *TIES,
        *FAMILY,
        *COUPLES,
        *IDENTITY,
        *HOME,
        *CARDS,
        *PRESENTING,
        *FAITH,
        *DWELLING,
        *WORK,
        *POSTS,
        *STUDY,
        *LIVELIHOOD,
        *MEANS,
        *LEARNING,
        *ASIDES,
        *HEALTH,
        *MEASURES,
        *AILMENTS,
        *INTAKE,
        *TASTES,
        *FONDNESS,
        *HABITS,
        *DAYS,
        *ROUTINE,
        *GOALS,
        *EVENTS,
        *FEELINGS,
        *AMBITIONS,
        *CONVICTIONS,
        *AGENDA,
        *UNDERTAKINGS,
    ),
    worded=worded,
    split=split,
    settled=settled,
)
