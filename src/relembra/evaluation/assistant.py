"""How well an assistant would be served: scripted talks over several sessions, and probes of the context it would get.

What is asked of a probe's context: it holds what it must, it holds nothing of another person's, it does not hold true
what is outdated (old talk, which carries its date, may be quoted), and it carries the preferences to apply as knowledge
and not only as old talk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any

from relembra.domain.text import fold
from relembra.evaluation.datasets import DataError, mismatch, moment, parsed
from relembra.evaluation.runner import SetClock, mean, percentile
from relembra.memory import Memory

METRICS = ("relevance", "continuity", "personalisation")
BUDGET = 800
APART = timedelta(minutes=1)
"""Between the turns of a session that do not say when they were."""

Wanted = tuple[tuple[str, ...], ...]
"""Each a choice of wordings, one of which has to be there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One exchange of a script."""

    person: str
    conversation: str
    at: datetime
    said: str | None
    replied: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question to a memory at a moment, and what its context must and must not hold."""

    metric: str
    person: str
    at: datetime
    query: str
    contains: Wanted = ()
    lacks: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    applies: Wanted = ()


@dataclass(frozen=True, slots=True)
class Script:
    """A talk and its probes."""

    name: str
    language: str
    said: tuple[Said, ...]
    probes: tuple[Probe, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """A probe's outcome; `problems` says what was missing or should not have been there."""

    script: str
    probe: Probe
    problems: tuple[str, ...]
    tokens: int
    seconds: float
    days: float | None  # since what was asked for had been said

    @property
    def passed(self) -> bool:
        return not self.problems


def shipped() -> list[Script]:
    """The scripts that come with the package, by name."""
    folder = files("relembra.evaluation") / "scripts"
    paths = sorted((Path(str(path)) for path in folder.iterdir()), key=lambda path: path.name)
    return [script for path in paths if path.suffix == ".json" for script in scripts_in(path)]


def scripts_in(path: Path) -> list[Script]:
    """The script or the list of scripts in a file."""
    data = parsed(path)
    try:
        found = [_script(entry) for entry in (data if isinstance(data, list) else [data])]
    except (KeyError, TypeError, AttributeError) as exc:
        raise DataError(f"{path} is not a script: {mismatch(exc)}", field="script") from exc
    if not found or not all(script.probes for script in found):
        raise DataError(f"{path} has a script without probes", field="script")
    return found


def _script(entry: Mapping[str, Any]) -> Script:
    person = str(entry["person"])
    said = [
        Said(
            person=str(session.get("person", person)),
            conversation=str(session["conversation"]),
            at=moment(turn["at"]) if "at" in turn else moment(session["at"]) + place * APART,
            said=turn.get("said"),
            replied=turn.get("replied"),
        )
        for session in entry["sessions"]
        for place, turn in enumerate(session["turns"])
    ]
    probes = tuple(_probe(probe, person) for probe in entry["probes"])
    return Script(str(entry["name"]), str(entry["language"]), tuple(sorted(said, key=lambda turn: turn.at)), probes)


def _probe(entry: Mapping[str, Any], person: str) -> Probe:
    if entry["metric"] not in METRICS:
        raise DataError(f"no metric {entry['metric']!r}; there are {', '.join(METRICS)}", field="script")
    return Probe(
        metric=entry["metric"],
        person=str(entry.get("person", person)),
        at=moment(entry["at"]),
        query=entry["query"],
        contains=_wanted(entry.get("contains", ())),
        lacks=tuple(map(str, entry.get("lacks", ()))),
        outdated=tuple(map(str, entry.get("outdated", ()))),
        applies=_wanted(entry.get("applies", ())),
    )


def _wanted(given: Iterable[str | Sequence[str]]) -> Wanted:
    return tuple((one,) if isinstance(one, str) else tuple(one) for one in given)


async def play(script: Script, memory: Memory, clock: SetClock, *, found: list[Probed], budget: int = BUDGET) -> None:
    """Say a script's words at their moments and try each probe at its own; outcomes go into `found` at once."""
    said = list(script.said)
    for probe in sorted(script.probes, key=lambda probe: probe.at):
        while said and said[0].at <= probe.at:
            turn = said.pop(0)
            clock.now = turn.at
            await memory.save(
                user=turn.person, said=turn.said, replied=turn.replied, at=turn.at, conversation=turn.conversation
            )
        await memory.settle(flush=True)
        clock.now = probe.at
        began = perf_counter()
        context = await memory.load(user=probe.person, query=probe.query, budget=budget)
        seconds = perf_counter() - began
        known = " \n".join(item.content for item in context.items)
        found.append(
            Probed(
                script=script.name,
                probe=probe,
                problems=problems(probe, context.text, known),
                tokens=context.tokens,
                seconds=seconds,
                days=_days(probe, script.said),
            )
        )


def problems(probe: Probe, text: str, known: str) -> tuple[str, ...]:
    """What is wrong with a context: `-` missing, `+` there and should not be, `~` outdated and held, `!` not known."""
    text, known = fold(text), fold(known)
    missing = [f"-{choice[0]}" for choice in probe.contains if not any(fold(words) in text for words in choice)]
    unwanted = [f"+{words}" for words in probe.lacks if fold(words) in text]
    unapplied = [f"!{choice[0]}" for choice in probe.applies if not any(fold(words) in known for words in choice)]
    outdated = [f"~{words}" for words in probe.outdated if fold(words) in known]
    return (*missing, *unwanted, *outdated, *unapplied)


def _days(probe: Probe, said: Iterable[Said]) -> float | None:
    """How long ago what is asked for was said last."""
    wanted = [fold(words) for choice in (*probe.contains, *probe.applies) for words in choice]
    moments = [
        turn.at
        for turn in said
        if turn.person == probe.person
        and turn.at <= probe.at
        and any(words in fold(turn.said or "") for words in wanted)
    ]
    return (probe.at - max(moments)).total_seconds() / 86_400 if moments else None


def summary(found: Sequence[Probed], *, stopped: bool = False) -> dict[str, Any]:
    """The figures of a run: shares by metric, script and over all, how far back they reach, and what they cost."""

    def share(fits: Callable[[Probed], bool]) -> dict[str, Any]:
        chosen = [one for one in found if fits(one)]
        return {"probes": len(chosen), "passed": round(mean(one.passed for one in chosen), 4) if chosen else None}

    remembered = [one.days for one in found if one.probe.metric == "continuity" and one.passed and one.days is not None]
    return {
        "probes": len(found),
        "passed": round(mean(one.passed for one in found), 4),
        "stopped": stopped,
        "metrics": {name: share(lambda one, name=name: one.probe.metric == name) for name in METRICS},  # type: ignore[misc]
        "scripts": {name: share(lambda one, name=name: one.script == name) for name in _names(found)},  # type: ignore[misc]
        "days_remembered": round(mean(remembered), 1) if remembered else None,
        "performance": {
            "tokens": round(mean(one.tokens for one in found), 1),
            "load_p50": round(percentile([one.seconds * 1_000 for one in found], 0.5), 3),
            "load_p95": round(percentile([one.seconds * 1_000 for one in found], 0.95), 3),
        },
        "failed": [
            {
                "script": one.script,
                "metric": one.probe.metric,
                "query": one.probe.query,
                "problems": list(one.problems),
            }
            for one in found
            if not one.passed
        ],
    }


def _names(found: Iterable[Probed]) -> list[str]:
    return list(dict.fromkeys(one.script for one in found))
