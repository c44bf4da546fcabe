"""Labelled messages as rows of words: where values, people and times stand, ready for a tagger.

Owns reading the files and aligning labels with words; knows nothing of models.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from relembra.minds.offline.text import listed
from relembra.minds.reader.networks import Speaker, Turn, Word, laid_out

DETERMINERS = frozenset(
    listed(
        "my our his her their the a an meu minha meus minhas nosso nossa nossos nossas seu sua seus suas o os as um uma"
        " dele dela"
    )
)


@dataclass(frozen=True, slots=True)
class Label:
    """A value span (words `start` to `end`), what it is, and whom it is about (None: the writer)."""

    start: int
    end: int
    tag: str
    status: str
    subject: tuple[int, int] | None
    changed: bool = False
    optional: bool = False
    others: tuple[str, ...] = ()
    when: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One message with the turns before it."""

    id: str
    author: str
    lang: str
    kind: str
    text: str
    words: tuple[Word, ...]
    labels: tuple[Label, ...] = ()
    unaligned: int = 0
    held: tuple[tuple[str, str], ...] = field(default=())
    mood: int = -1  # 0 negative, 1 neutral, 2 positive, -1 unknown
    soft: Any = None  # how likely taggers that did not learn from it find each tag of each word

    @property
    def first(self) -> int:
        """The first word of the message itself."""
        return next((i for i, w in enumerate(self.words) if w.speaker is Speaker.NOW), len(self.words))


def tag_of(attribute: str | None) -> str:
    """Attributes as tags: all favourites are one, things without an attribute are `other`."""
    if attribute is None:
        return "other"
    if attribute == "dropped_goal":
        return "goal"
    return "favorite" if attribute.startswith("favorite_") else attribute


def turn_of(by: str, text: str) -> Turn:
    known = {"assistant": Speaker.ASSISTANT, "self": Speaker.SELF}
    return Turn(known.get(by, Speaker.OTHER), text, by)


def places(text: str, wanted: str) -> list[tuple[int, int]]:
    """Where a string stands, whole words before parts of words."""
    found, at = [], text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        cut = (at > 0 and text[at - 1].isalnum() and text[at].isalnum()) or (
            end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
        )
        found.append((cut, at, end))
        at = text.find(wanted, at + 1)
    return [(a, b) for cut, a, b in found if cut == min(c for c, _, _ in found)]


def span(words: tuple[Word, ...], start: int, end: int) -> tuple[int, int] | None:
    inside = [i for i, w in enumerate(words) if w.start < end and w.end > start]
    return (inside[0], inside[-1] + 1) if inside else None


def nearest(options: list[tuple[int, int]], to: int) -> tuple[int, int]:
    return min(options, key=lambda o: abs(o[0] - to))


def aligned(row_text: str, words: tuple[Word, ...], first: int, item: dict) -> Label | None:
    """A label as word spans; in the message itself where it can be, else in the turns before."""
    own = words[first].start if first < len(words) else len(row_text)
    values = places(row_text, item["value"])
    if not values:
        return None
    said_now = [v for v in values if v[0] >= own] or values
    subjects = [] if item["subject"] == "self" else places(row_text, item["subject"])
    if item["subject"] != "self" and not subjects:
        return None
    value = min(said_now, key=lambda v: min(abs(v[0] - s[0]) for s in subjects)) if subjects else said_now[0]
    stretch = span(words, *value)
    if stretch is None:
        return None
    who = None
    if subjects:
        outside = [s for s in subjects if s[1] <= value[0] or s[0] >= value[1]] or subjects
        outside = [s for s in outside if s[0] >= own] or outside
        who = span(words, *nearest(outside, value[0]))
        while who and who[1] - who[0] > 1 and words[who[0]].text.lower() in DETERMINERS:
            who = (who[0] + 1, who[1])
    when = None
    if item.get("when"):
        times = places(row_text, item["when"])
        when = span(words, *nearest(times, value[0])) if times else None
    return Label(
        *stretch,
        tag_of(item["attribute"]),
        item["status"],
        who,
        bool(item.get("changed")),
        bool(item.get("optional")),
        tuple(tag_of(o) for o in item.get("or", ())),
        when,
    )


def unlabelled(text: str, id: str) -> Row:
    """A row of which nobody has said what it holds."""
    whole, words = laid_out(text)
    return Row(id, "", "", "unlabelled", whole, words)


def row_of(line: dict) -> Row:
    text, words = laid_out(line["text"], [turn_of(t["by"], t["text"]) for t in line.get("before") or ()])
    first = next((i for i, w in enumerate(words) if w.speaker is Speaker.NOW), len(words))
    labels = [aligned(text, words, first, item) for item in line["items"]]
    return Row(
        line["id"],
        line["author"],
        line["lang"][:2],
        line["kind"],
        text,
        words,
        tuple(x for x in labels if x),
        sum(x is None for x in labels),
        tuple((h["known"], h["does"]) for h in line.get("held") or ()),
    )


def read(folder: Path) -> list[Row]:
    moods = {}
    if (folder / "moods.tsv").exists():
        lines = (line.split("\t") for line in (folder / "moods.tsv").read_text(encoding="utf-8").splitlines())
        moods = {id: "n0p".index(mood) for id, mood in lines}
    rows = []
    for path in sorted(folder.glob("*.jsonl")):
        for raw in path.read_text(encoding="utf-8").splitlines():
            if raw.strip():
                row = row_of(json.loads(raw))
                if row.words:
                    rows.append(replace(row, mood=moods.get(row.id, -1)))
    return rows
