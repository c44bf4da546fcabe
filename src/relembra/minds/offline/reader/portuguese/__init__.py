"""The Portuguese grammar: Brazilian first, European too, with or without accents, as people type it in chat."""

from __future__ import annotations

from relembra.minds.offline.reader.engine import Grammar
from relembra.minds.offline.reader.portuguese.agenda import AGENDA
from relembra.minds.offline.reader.portuguese.ailments import AILMENTS
from relembra.minds.offline.reader.portuguese.days import DAYS
from relembra.minds.offline.reader.portuguese.events import EVENTS
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
from relembra.minds.offline.reader.portuguese.people import whom
from relembra.minds.offline.reader.portuguese.posts import POSTS
from relembra.minds.offline.reader.portuguese.presenting import PRESENTING
from relembra.minds.offline.reader.portuguese.study import STUDY
from relembra.minds.offline.reader.portuguese.tastes import TASTES
from relembra.minds.offline.reader.portuguese.ties import TIES
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
        *IDENTITY,
        *HOME,
        *PRESENTING,
        *WORK,
        *POSTS,
        *STUDY,
        *HEALTH,
        *AILMENTS,
        *INTAKE,
        *TASTES,
        *FONDNESS,
        *HABITS,
        *DAYS,
        *GOALS,
        *EVENTS,
        *FEELINGS,
        *AGENDA,
    ),
    worded=worded,
    split=split,
    settled=settled,
)
