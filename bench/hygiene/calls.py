"""What a model costs: how often it is asked, and with how many tokens, for a thousand messages.

The model is a script behind a real server on loopback, which answers as a perfect one would: with the labels.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relembra.minds.offline.reader.engine import Said
from relembra.minds.offline.reader.english import GRAMMAR as ENGLISH
from relembra.minds.offline.reader.portuguese import GRAMMAR as PORTUGUESE

from bench.hygiene import labels
from bench.hygiene.labels import Label, LabelledMessage
from bench.hygiene.learning import QUIET, Clock, finished
from bench.minds.asking import ROOT, said
from bench.table import Row
from relembra import Memory
from relembra.errors import MissingExtraError
from relembra.settings import Settings

if TYPE_CHECKING:
    from scripted import Request
    from scripted import Said as Reply

CALLS_GOAL = 60
EXCHANGES = 500  # a thousand messages
SITTINGS = 40
REPLIED = {
    "pt": "Entendi, obrigado por contar. Posso ajudar em mais alguma coisa?",
    "en": "I see, thanks for telling me. Is there anything else I can do?",
}


@dataclass
class Bill:
    """What was asked of the model."""

    messages: int
    input_tokens: int = 0
    output_tokens: int = 0
    tasks: Counter[str] = field(default_factory=Counter)

    @property
    def calls(self) -> int:
        return self.tasks.total()


def rows(folder: Path) -> Iterator[Row]:
    """For a thousand messages, in about forty sittings."""
    try:
        bill = asyncio.run(asked(exchanges(folder, EXCHANGES), SITTINGS))
    except MissingExtraError as exc:
        said(f"left out: what a model is asked, since {exc}")
        return
    for what, count, goal in (
        ("calls", bill.calls, CALLS_GOAL),
        ("tokens in", bill.input_tokens, None),
        ("tokens out", bill.output_tokens, None),
    ):
        figure = count * 1_000 / bill.messages
        tasks = ", ".join(f"{number} {task}" for task, number in sorted(bill.tasks.items())) if goal else ""
        yield Row(f"model, {what} for 1,000 messages", f"{figure:,.0f}", tasks, figure, goal)


def exchanges(folder: Path, number: int) -> list[LabelledMessage]:
    """What is said: the first messages of every file, half of them Portuguese, one language after the other."""
    chosen = []
    for language in labels.LANGUAGES:
        both = [message for half in labels.halves("all") for message in labels.messages(folder, half, language)]
        chosen += both[: number // len(labels.LANGUAGES)]
    return chosen


async def asked(turns: Sequence[LabelledMessage], sittings: int) -> Bill:
    """Say everything, each with a reply, to the memory of one person a language, and let the model read it."""
    if str(ROOT / "tests") not in sys.path:
        sys.path.append(str(ROOT / "tests"))  # where the scripted model lives
    from scripted import scripted, structured

    bill = Bill(messages=2 * len(turns))
    by_text = {message.text: message for message in turns}

    def answer(request: Request) -> Reply:
        task, reply = answered(request.lines, by_text)
        bill.tasks[task] += 1
        return structured(reply)

    clock = Clock()
    with scripted(answer) as server:
        settings = Settings(llm="openai:scripted", llm_url=server.url)
        async with Memory.open(":memory:", settings=settings, clock=clock, background=False) as memory:
            for number, message in enumerate(turns):
                if number * sittings // len(turns) != (number - 1) * sittings // len(turns):
                    clock.now += QUIET + timedelta(hours=8)
                    await memory.settle()
                clock.now += timedelta(minutes=1)
                await memory.save(
                    user=message.language, said=message.text, replied=REPLIED[message.language], at=clock.now
                )
            await memory.settle(flush=True)
            await finished(memory)
        bill.input_tokens, bill.output_tokens = server.input_tokens, server.output_tokens
    return bill


def answered(lines: Sequence[Mapping[str, Any]], by_text: Mapping[str, LabelledMessage]) -> tuple[str, dict[str, Any]]:
    """Which task a prompt's lines set, and what a perfect model says: the labels, and that no two things clash."""
    pairs = [line for line in lines if "old" in line]
    if pairs:
        return "compare", {"answers": [{"n": line["n"], "contradicts": 0.0, "same": 0.0} for line in pairs]}
    if not any("m" in line for line in lines):
        return "summary", {"sentence": "They talked."}
    things = [
        _thing(line, label, by_text[line["text"]].language)
        for line in lines
        if line.get("learn") and line["text"] in by_text
        for label in by_text[line["text"]].expect
    ]
    return "digest", {"title": "A talk", "summary": "They talked about their days.", "things": things}


def worded(label: Label, language: str) -> str:
    """The label as the rules would say it, for a model does no worse."""
    said = Said(attribute=label.attribute, value=label.value, subject=label.subject)
    return (PORTUGUESE if language == "pt" else ENGLISH).worded(said)


def _thing(line: Mapping[str, Any], label: Label, language: str) -> dict[str, Any]:
    return {
        "m": line["m"],
        "quote": line["text"],
        "content": worded(label, language),
        "type": label.type,
        "subject": label.subject,
        "attribute": label.attribute,
        "value": label.value,
        "since": label.date,
    }
