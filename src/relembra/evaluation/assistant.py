"""How well an assistant would be served: scripted talks over several sessions, and probes of the context it would get.

What is asked of a probe's context: it holds what it must, it holds nothing of another person's, it does not hold true
what is outdated (old talk, which carries its date, may be quoted), and it carries the preferences to apply as knowledge
and not only as old talk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal, get_args

import msgspec

from relembra.domain.text import fold
from relembra.evaluation.datasets import DataError, parsed
from relembra.evaluation.retrieval import SetClock, mean, percentile
from relembra.memory import Memory

Metric = Literal["relevance", "continuity", "personalisation"]
METRICS: tuple[Metric, ...] = get_args(Metric)
BUDGET = 800
APART = timedelta(minutes=1)
"""Between the turns of a session that do not say when they were."""

Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class Turn(msgspec.Struct, frozen=True):
    """One exchange of a session."""

    said: str | None = None
    replied: str | None = None
    at: Moment | None = None


class Session(msgspec.Struct, frozen=True):
    """A stretch of talk, of the script's person unless it names another."""

    conversation: str
    at: Moment
    turns: tuple[Turn, ...]
    person: str | None = None


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a memory at a moment, and what its context must and must not hold.

    A list in `contains` or `applies` is a choice of wordings, one of which has to be there.
    """

    metric: Metric
    at: Moment
    query: str
    person: str | None = None
    contains: tuple[str | list[str], ...] = ()
    lacks: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    applies: tuple[str | list[str], ...] = ()


class Script(msgspec.Struct, frozen=True):
    """A talk over several sessions, and its probes."""

    name: str
    language: str
    person: str
    sessions: tuple[Session, ...]
    probes: Annotated[tuple[Probe, ...], msgspec.Meta(min_length=1)]

    @property
    def said(self) -> list[dict[str, Any]]:
        """Every exchange as `save` takes it, in the order of time."""
        turns = [
            {
                "user": session.person or self.person,
                "conversation": session.conversation,
                "at": turn.at or session.at + place * APART,
                "said": turn.said,
                "replied": turn.replied,
            }
            for session in self.sessions
            for place, turn in enumerate(session.turns)
        ]
        return sorted(turns, key=lambda turn: turn["at"])


class Probed(msgspec.Struct, frozen=True, kw_only=True):
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
    folder = Path(str(files("relembra.evaluation") / "scripts"))
    return [script for path in sorted(folder.glob("*.json")) for script in scripts_in(path)]


def scripts_in(path: Path) -> list[Script]:
    """The script or the list of scripts in a file."""
    data = parsed(path)
    try:
        return msgspec.convert(data if isinstance(data, list) else [data], list[Script])
    except msgspec.ValidationError as exc:
        raise DataError(f"{path} is not a script: {exc}", field="script") from exc


async def play(script: Script, memory: Memory, clock: SetClock, *, found: list[Probed], budget: int = BUDGET) -> None:
    """Say a script's words at their moments and try each probe at its own; outcomes go into `found` at once."""
    said = script.said
    for probe in sorted(script.probes, key=lambda probe: probe.at):
        while said and said[0]["at"] <= probe.at:
            turn = said.pop(0)
            clock.now = turn["at"]
            await memory.save(**turn)
        await memory.settle(flush=True)
        clock.now = probe.at
        began = perf_counter()
        context = await memory.load(user=probe.person or script.person, query=probe.query, budget=budget)
        seconds = perf_counter() - began
        known = " \n".join(item.content for item in context.items)
        found.append(
            Probed(
                script=script.name,
                probe=probe,
                problems=problems(probe, context.text, known),
                tokens=context.tokens,
                seconds=seconds,
                days=_days(probe, script),
            )
        )


def problems(probe: Probe, text: str, known: str) -> tuple[str, ...]:
    """What is wrong with a context: `-` missing, `+` there and should not be, `~` outdated and held, `!` not known."""
    text, known = fold(text), fold(known)
    missing = [f"-{words[0]}" for words in map(_choice, probe.contains) if not any(fold(one) in text for one in words)]
    unwanted = [f"+{words}" for words in probe.lacks if fold(words) in text]
    unapplied = [
        f"!{words[0]}" for words in map(_choice, probe.applies) if not any(fold(one) in known for one in words)
    ]
    outdated = [f"~{words}" for words in probe.outdated if fold(words) in known]
    return (*missing, *unwanted, *outdated, *unapplied)


def _choice(wanted: str | list[str]) -> list[str]:
    return [wanted] if isinstance(wanted, str) else wanted


def _days(probe: Probe, script: Script) -> float | None:
    """How long ago what is asked for was said last."""
    wanted = [fold(words) for choice in (*probe.contains, *probe.applies) for words in _choice(choice)]
    moments = [
        turn["at"]
        for turn in script.said
        if turn["user"] == (probe.person or script.person)
        and turn["at"] <= probe.at
        and any(words in fold(turn["said"] or "") for words in wanted)
    ]
    return (probe.at - max(moments)).total_seconds() / 86_400 if moments else None


def summary(found: Sequence[Probed], *, stopped: bool = False) -> dict[str, Any]:
    """The figures of a run: shares by metric, script and over all, how far back they reach, and what they cost."""

    def share(fits: Callable[[Probed], bool]) -> dict[str, Any]:
        chosen = [one for one in found if fits(one)]
        return {"probes": len(chosen), "passed": round(mean(one.passed for one in chosen), 4) if chosen else None}

    scripts = dict.fromkeys(one.script for one in found)
    remembered = [one.days for one in found if one.probe.metric == "continuity" and one.passed and one.days is not None]
    return {
        "probes": len(found),
        "passed": round(mean(one.passed for one in found), 4),
        "stopped": stopped,
        "metrics": {name: share(lambda one, name=name: one.probe.metric == name) for name in METRICS},  # type: ignore[misc]
        "scripts": {name: share(lambda one, name=name: one.script == name) for name in scripts},  # type: ignore[misc]
        "days_remembered": round(mean(remembered), 1) if remembered else None,
        "performance": {
            "tokens": round(mean(one.tokens for one in found), 1),
            "load_p50": round(percentile([one.seconds * 1_000 for one in found], 0.5), 3),
            "load_p95": round(percentile([one.seconds * 1_000 for one in found], 0.95), 3),
        },
        "failed": [
            {"script": one.script, "metric": one.probe.metric, "query": one.probe.query, "problems": list(one.problems)}
            for one in found
            if not one.passed
        ],
    }
