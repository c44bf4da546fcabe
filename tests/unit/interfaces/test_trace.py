"""What every interface says of a recall: whole sentences, whatever was left out and why."""

from __future__ import annotations

import pytest

from builders import NOW, a_message, a_note, an_item
from relembra.domain.message import NoteKind
from relembra.domain.policy import LIFE, RankingName
from relembra.interfaces.trace import Beside, Manner, Recalled, most_telling, note_text
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


def test_what_was_cut_comes_before_what_was_nearer() -> None:
    cut, near, far = (
        Missed(an_item(), miss, similarity, a_why(similarity))
        for miss, similarity in ((Miss.CUT, 0.1), (Miss.WEAK, 0.9), (Miss.WEAK, 0.2))
    )
    assert most_telling([far, near, cut]) == [cut, near, far]


def test_a_report_is_told_by_its_title_and_other_notes_by_what_they_sum_up() -> None:
    weekly = a_note(kind=NoteKind.WEEKLY, title="Week of 3 March", summary="# A long report", happened_at=NOW)
    talk = a_note(kind=NoteKind.CONVERSATION, title="Moving.", summary="Ana moves to Bristol.")
    same = a_note(kind=NoteKind.CONVERSATION, title="Ana moves…", summary="Ana moves to Bristol.")
    assert [note_text(note) for note in (weekly, talk, same)] == [
        "Week of 3 March",
        "Moving: Ana moves to Bristol.",
        "Ana moves to Bristol.",
    ]
