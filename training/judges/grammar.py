"""Template lines to labelled messages: `[a|b]` chooses, `{slot}` fills, a heading labels the lines below it.

    ## worth kind area act valence emotion          (1 preference leisure s + joy)
    a line :: area=health emo=fear                  (labels that differ for this line)

`?` leaves a label out of training. Acts are letters: q question, r request, t small talk, s statement. A heading with
`##!` takes its lines as they stand, for code and logs. `\\n` is a new line. A filling may end in ` @area`, which is the
area of a line that leaves it open.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

__all__ = ["VALENCES", "Labels", "Line", "expand", "read_lines", "read_slots"]

_INNERMOST = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
_SLOT = re.compile(r"\{([a-z0-9]+)\}")
_AREA = re.compile(r" @(health|finance|relationships|career|growth|leisure|spirituality|mental_health)\b")
_FIELDS = {"emo": "emotion", "val": "valence", "kind": "kind", "area": "area", "act": "acts"}
VALENCES = {"-": "negative", "0": "neutral", "+": "positive", "?": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What is true of a message; None where it is left open."""

    worth: bool | None
    kind: str | None
    area: str | None
    acts: str
    valence: str | None
    emotion: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One template with its labels; `group` keeps all it generates on one side of a split."""

    text: str
    labels: Labels
    group: str
    raw: bool = False


def read_slots(path: Path) -> dict[str, list[str]]:
    """Slot names and their fillings, which may hold slots themselves."""
    slots: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, _, listed = line.partition(":")
        if listed:
            slots[name.strip()] = [item.strip() for item in listed.split(";")]
    return slots


def read_lines(path: Path) -> list[Line]:
    """The templates of one file, in order."""
    lines: list[Line] = []
    labels: Labels | None = None
    raw = False
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text.startswith("##"):
            raw = text.startswith("##!")
            labels = _heading(text.lstrip("#! "))
        elif text.strip():
            if labels is None:
                raise ValueError(f"{path}:{number}: a line before the first heading")
            body, _, changes = text.partition(" :: ")
            lines.append(
                Line(
                    text=body.strip().replace("\\n", "\n"),
                    labels=_changed(labels, changes),
                    group=f"{path.name}:{number}",
                    raw=raw,
                )
            )
    return lines


def expand(line: Line, slots: Mapping[str, Sequence[str]], rng: random.Random) -> tuple[str, Labels]:
    """One message of a template, with its labels."""
    text = line.text
    if line.raw:
        return text, line.labels
    chosen = filled = 1
    while chosen or filled:
        text, chosen = _INNERMOST.subn(lambda match: rng.choice(match[1].split("|")), text)
        text, filled = _SLOT.subn(lambda match: _fill(match[1], slots, rng), text)
    areas = _AREA.findall(text)
    labels = replace(line.labels, area=areas[0]) if areas and line.labels.area is None else line.labels
    return re.sub(r"[ \t]{2,}", " ", _AREA.sub("", text)).replace(" ,", ",").strip(), labels


def _fill(name: str, slots: Mapping[str, Sequence[str]], rng: random.Random) -> str:
    return rng.choice(slots[name])


def _heading(text: str) -> Labels:
    worth, kind, area, acts, valence, emotion = text.split()
    return Labels(
        worth=None if worth == "?" else worth == "1",
        kind=_open(kind),
        area=_open(area),
        acts=acts,
        valence=VALENCES[valence],
        emotion=_open(emotion),
    )


def _changed(labels: Labels, changes: str) -> Labels:
    for change in changes.split():
        name, _, value = change.partition("=")
        field = _FIELDS[name]
        labels = _with(labels, field, VALENCES[value] if field == "valence" else _open(value))
    return labels


def _with(labels: Labels, field: str, value: str | None) -> Labels:
    match field:
        case "kind":
            return replace(labels, kind=value)
        case "area":
            return replace(labels, area=value)
        case "valence":
            return replace(labels, valence=value)
        case "emotion":
            return replace(labels, emotion=value)
        case _:
            return replace(labels, acts=value or "")


def _open(value: str) -> str | None:
    return None if value == "?" else value
