"""Questions about paragraphs in SQuAD's format, as FaQuAD has them in Portuguese."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from relembra.evaluation.datasets.values import Dataset, Question, Turn

NAME = "faquad"
PERSON = "reader"
BEGINNING = datetime(2024, 1, 1, tzinfo=UTC)
STEP = timedelta(hours=2)


def read(data: Mapping[str, Any]) -> Dataset:
    """Each paragraph a message in a conversation of its own, its questions asked a day after the last."""
    paragraphs = [paragraph for article in data["data"] for paragraph in article["paragraphs"]]
    texts = list(dict.fromkeys(paragraph["context"] for paragraph in paragraphs))
    ids = {text: f"paragraph-{number}" for number, text in enumerate(texts)}
    turns = tuple(
        Turn(id=ids[text], person=PERSON, conversation=ids[text], text=text, at=BEGINNING + number * STEP)
        for number, text in enumerate(texts)
    )
    asked_at = BEGINNING + len(texts) * STEP + timedelta(days=1)
    questions = tuple(
        Question(
            id=str(asked["id"]),
            person=PERSON,
            text=asked["question"],
            type=NAME,
            at=asked_at,
            evidence=(ids[paragraph["context"]],),
            sessions=(ids[paragraph["context"]],),
            answer=asked["answers"][0]["text"] if asked.get("answers") else "",
        )
        for paragraph in paragraphs
        for asked in paragraph["qas"]
        if not asked.get("is_impossible")
    )
    unanswerable = sum(bool(asked.get("is_impossible")) for paragraph in paragraphs for asked in paragraph["qas"])
    return Dataset(NAME, turns, questions, unanswerable)
