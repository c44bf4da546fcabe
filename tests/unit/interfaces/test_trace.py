"""What every interface says of a recall: whole sentences, whatever was left out and why."""

from __future__ import annotations

import pytest

from builders import a_message, a_note, an_item
from relembra.domain.policy import LIFE, RankingName
from relembra.interfaces.trace import Beside, Manner, Recalled
from relembra.locale import LANGUAGES, Words
from relembra.recall.query import Miss, Missed
from relembra.recall.ranking import Why


def a_why(similarity: float = 0.3) -> Why:
    return Why(
        ranking=RankingName.DEFAULT, cosine=0.4, bm25=None, terms=(), similarity=similarity, weight=1.0, recency=1.0
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("miss", Miss)
@pytest.mark.parametrize("row", [an_item(), a_note(), a_message()], ids=["item", "note", "message"])
def test_every_reason_is_a_whole_sentence_for_every_row(language: str, miss: Miss, row: Recalled) -> None:
    manner = Manner(Words(language, "names"), lambda _: "3 Mar", lambda _: "3 Mar, 10:00", str)
    said = manner.why_missed(Missed(row, miss, 0.5, a_why()), Beside(), LIFE.ranking)
    assert said
    assert "{" not in said
