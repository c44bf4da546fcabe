"""The table of labelled messages: how well they were read at the thresholds that ship, and at others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

from bench.hygiene.fresh import Least, Line, Reading, counted, verdicts
from bench.hygiene.shares import Goal, share_row
from bench.minds.asking import of
from bench.table import Row
from relembra.domain.candidate import Candidate
from relembra.domain.policy import LearnPolicy

LEAST = 0.5  # from this confidence on readings are looked at
STEP = 0.05
LEVELS = [round(LEAST + STEP * number, 2) for number in range(10)]
LANGUAGES = ("pt", "en")


def rows(readings: Sequence[Reading], policy: LearnPolicy) -> Iterator[Row]:
    def least(line: Line, one: Candidate) -> float:
        return line.least(one, policy)

    yield from _kept(sums(readings, least))
    yield from _sure(readings, least)
    yield from _curves(readings)


def sums(readings: Sequence[Reading], least: Least) -> dict[str, Counter[str]]:
    """What was counted of messages by language, dialogues, plain statements and all; no entry where there are none."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for reading in readings:
        line = reading.line
        where = "dialogues" if line.in_dialogue else f"messages {line.language}"
        for name in ("all", where, *(["plain statements"] if line.is_plain else [])):
            found[name].update(counted(line, reading.kept(least)))
    return dict(found)


def sure(readings: Sequence[Reading], least: Least) -> list[tuple[float, list[bool]]]:
    """What is kept, in steps of confidence: how sure each is on average, and whether the things in it are right."""
    steps: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for reading in readings:
        kept = reading.kept(least)
        for one, verdict in zip(kept, verdicts(reading.line, kept), strict=True):
            confidence = 1.0 if one.confidence is None else one.confidence
            steps[min(int(confidence / STEP + 1e-9), 19)].append((confidence, verdict == "right"))
    return [
        (sum(said for said, _ in step) / len(step), [right for _, right in step]) for _, step in sorted(steps.items())
    ]


def calibration_error(steps: Sequence[tuple[float, Sequence[bool]]]) -> float:
    """How far what is said to be right is from what is, on average over everything kept."""
    total = sum(len(rights) for _, rights in steps)
    return sum(abs(said * len(rights) - sum(rights)) for said, rights in steps) / total if total else 0.0


def _kept(found: dict[str, Counter[str]]) -> Iterator[Row]:
    for name in (f"messages {language}" for language in LANGUAGES):
        if one := found.get(name):
            yield share_row(f"{name}, items found", one["found"], one["wanted"], Goal.least(0.55))
            yield share_row(f"{name}, junk of kept", one["kept"] - one["right"], one["kept"], Goal.most(0.1))
    if one := found.get("dialogues"):
        yield share_row("dialogues, items found", one["found"], one["wanted"])
        yield share_row("dialogues, right of kept", one["right"], one["kept"], Goal.least(0.85))
        yield share_row("dialogues, false of kept", one["false"], one["kept"], Goal.most(0.03))
        yield share_row("dialogues, wrong person of kept", one["wrong_person"], one["kept"], Goal.most(0.02))
    one = found["all"]
    yield share_row("messages with nothing that left something", one["empty_kept"], one["empty"], Goal.most(0.03))
    yield share_row("right status of those found", one["status"], one["met"], Goal.least(0.93))
    yield share_row("right attribute of those found", one["attribute"], one["met"])
    if one := found.get("plain statements"):
        yield share_row("plain statements, found", one["found"], one["wanted"], Goal.least(0.95))
        yield share_row("plain statements, junk of kept", one["kept"] - one["right"], one["kept"], Goal.most(0.03))


def ended(total: Counter[str]) -> Iterator[Row]:
    """What became of statements that a message ended, and of those it left alone."""
    for fates, kind, goal in (
        (("retired", "doubted"), "over", Goal.least(0.7)),
        (("retired",), "over", Goal.least(0.4)),
        (("retired",), "standing", Goal.most(0.01)),
        (("retired", "doubted"), "standing", None),
    ):
        what = " or ".join(fates) + " of what a message ends"
        what = what if kind == "over" else "wrongly " + what.replace("ends", "leaves")
        yield share_row(what, sum(total[f"{kind} {fate}"] for fate in fates), total[kind], goal)


def _sure(readings: Sequence[Reading], least: Least) -> Iterator[Row]:
    error = calibration_error(sure(readings, least))
    yield Row("calibration error of confidence", "", "", error, 0.05)
    for said, rights in sure(readings, partial(_same_for_all, LEAST)):
        yield Row(
            f"right of what is {int(said / STEP + 1e-9) * STEP:.2f} sure or little more",
            of(sum(rights), len(rights)),
            f"says {said:.3f}",
            sum(rights) / len(rights),
            None,
        )


def _curves(readings: Sequence[Reading]) -> Iterator[Row]:
    """What other thresholds would give."""
    at = {level: sums(readings, partial(_same_for_all, level)) for level in LEVELS}
    for name in (f"messages {language}" for language in LANGUAGES):
        for level in LEVELS if name in at[LEAST] else ():
            one = at[level][name]
            junk = _share(one["kept"] - one["right"], one["kept"])
            yield Row(
                f"{name}, found from confidence {level:.2f}",
                f"junk {junk:.3f}",
                "",
                _share(one["found"], one["wanted"]),
                None,
            )
    for level in LEVELS if "dialogues" in at[LEAST] else ():
        one = at[level]["dialogues"]
        yield Row(
            f"dialogues, right from confidence {level:.2f}",
            f"false {_share(one['false'], one['kept']):.3f}",
            f"other {_share(one['wrong_person'], one['kept']):.3f}",
            _share(one["right"], one["kept"]),
            None,
        )


def _same_for_all(level: float, *_: object) -> float:
    return level


def _share(hits: int, total: int) -> float:
    return hits / total if total else 0.0
