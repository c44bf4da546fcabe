"""The offline reader over a stretch of talk, by the shipped networks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from builders import NOW, a_message
from relembra.domain.candidate import Talk
from relembra.domain.message import Role
from relembra.domain.policy import LearnPolicy
from relembra.minds.offline.tokens import OfflineTokens
from relembra.minds.reader.networks import shipped_networks
from relembra.minds.reader.reader import OfflineReader


@pytest.mark.parametrize(("ago", "found"), [(timedelta(hours=3), ["Lives in Leeds"]), (timedelta(days=6), [])])
async def test_an_answer_is_read_with_the_question_unless_that_was_long_ago(ago: timedelta, found: list[str]) -> None:
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=LearnPolicy(), summary_tokens=80)
    asked = a_message(text="Do you live in Leeds?", role=Role.ASSISTANT, author="assistant", sent_at=NOW - ago)
    talk = Talk((asked, a_message(text="Yes, I do.", sent_at=NOW)), language="en")
    assert [one.content for one in (await reader.digest(talk)).candidates] == found


@pytest.mark.parametrize(("other", "found"), [(Role.ASSISTANT, 1), (Role.USER, 0)])
async def test_more_is_asked_of_what_is_kept_where_people_talk_with_each_other(other: Role, found: int) -> None:
    policy = LearnPolicy(keep_at_least=0.1, keep_among_people=1.0)
    reader = OfflineReader(shipped_networks(), OfflineTokens(), policy=policy, summary_tokens=80)
    asked = a_message(text="Where do you live?", role=other, author="bia", sent_at=NOW - timedelta(minutes=1))
    said = a_message(text="I live in Leeds.", author="ana", sent_at=NOW)
    digest = await reader.digest(Talk((asked, said), speaker="ana", language="en"))
    assert len(digest.candidates) == found
