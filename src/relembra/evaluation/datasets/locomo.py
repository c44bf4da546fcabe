"""LoCoMo: long talks between two people, with questions about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from relembra.evaluation.datasets.reading import moment
from relembra.evaluation.datasets.values import Dataset, Question, Turn, in_order, sessions_of

NAME = "locomo"
TYPES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "adversarial"}
LEFT_OUT = 5
EVERYBODY = "everybody"

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")  # also where several stand in one text


def read(data: Iterable[Mapping[str, Any]], *, pool: str = "question") -> Dataset:
    """Each talk a memory of its own, or with the pool `all` one memory of all; asked a day after the last word."""
    turns: list[Turn] = []
    questions: list[Question] = []
    left_out = 0
    for sample in data:
        talk = _turns(sample, str(sample["sample_id"]) if pool == "question" else EVERYBODY)
        turns += talk
        conversations = {turn.id: turn.conversation for turn in talk}
        for index, asked in enumerate(sample["qa"]):
            prefix = str(sample["sample_id"])
            named = [
                f"{prefix}/D{int(a)}:{int(b)}" for text in asked.get("evidence", ()) for a, b in _EVIDENCE.findall(text)
            ]
            evidence = tuple(dict.fromkeys(id for id in named if id in conversations))
            if asked["category"] == LEFT_OUT or not evidence:
                left_out += 1
                continue
            questions.append(
                Question(
                    id=f"{prefix}/{index}",
                    person=talk[0].person,
                    text=asked["question"],
                    type=TYPES.get(asked["category"], str(asked["category"])),
                    at=max(turn.at for turn in talk) + timedelta(days=1),
                    evidence=evidence,
                    sessions=sessions_of(evidence, conversations),
                    answer=str(asked.get("answer", "")),
                )
            )
    return Dataset(NAME, in_order(turns), tuple(questions), left_out)


def _turns(sample: Mapping[str, Any], person: str) -> list[Turn]:
    """Every session's turns, a second apart; a picture says what its caption says."""
    spoken, prefix = sample["conversation"], str(sample["sample_id"])
    numbers = sorted(int(found[1]) for key in spoken if (found := _SESSION.fullmatch(key)))
    return [
        Turn(
            id=f"{prefix}/{said['dia_id']}",
            person=person,
            conversation=f"{prefix}/session_{number}",
            text=_text(said),
            at=moment(spoken[f"session_{number}_date_time"]) + timedelta(seconds=index),
            author=said["speaker"],
        )
        for number in numbers
        for index, said in enumerate(spoken[f"session_{number}"])
        if _text(said).strip()
    ]


def _text(said: Mapping[str, Any]) -> str:
    caption = said.get("blip_caption")
    return f"{said['text']} [{caption}]" if caption else str(said["text"])
