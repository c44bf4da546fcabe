"""Reads the groups written by hand in `authored/`: a fact, the same in other words, near misses, questions.

    = fact # English          ~ paraphrase # English
    ! near miss # English     ? question # English

Owns their format. A group gives one example for each question and wording of its fact.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .facts import Example
from .grammar import Text

HERE = Path(__file__).parent / "authored"


@dataclass(slots=True)
class Group:
    """One fact and what is asked about it; every text is Portuguese, English."""

    name: str
    told: list[Text] = field(default_factory=list)
    misses: list[Text] = field(default_factory=list)
    asked: list[Text] = field(default_factory=list)

    def examples(self, rng: random.Random) -> Iterator[Example]:
        for question in self.asked:
            for at, statement in enumerate(self.told):
                yield Example(
                    fact=self.name,
                    subject=self.name,
                    question=question,
                    statement=statement,
                    other=self.told[(at + 1) % len(self.told)],
                    negative=rng.choice(self.misses),
                )


def load_groups(folder: Path = HERE) -> list[Group]:
    made: list[Group] = []
    for path in sorted(folder.glob("*.txt")):
        kind = "passage" if path.stem.startswith("passages") else "told"
        for number, block in enumerate(path.read_text(encoding="utf8").split("\n= ")):
            group = Group(f"{kind}:{path.stem}:{number}")
            lists = {"=": group.told, "~": group.told, "!": group.misses, "?": group.asked}
            for line in ("= " + block.removeprefix("= ")).splitlines():
                portuguese, mark, english = line[1:].partition(" # ")
                if line[:1] in lists and mark:
                    lists[line[0]].append((portuguese.strip(), english.strip()))
            if group.told and group.misses and group.asked:
                made.append(group)
    return made
