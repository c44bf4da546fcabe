"""Messages that stand alone: what was kept of each, beside what should have been."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields

from bench.hygiene.labels import LabelledMessage
from bench.hygiene.learning import Clock, finished, held, learning, rested, shown, standing
from bench.hygiene.matching import assigned, dated_right, fits, holds_words, ties_of
from bench.hygiene.shares import Goal, share_row
from bench.table import Row
from relembra.domain.knowledge import KnowledgeItem

FOUND_GOAL = 0.85
JUNK_GOAL = 0.03


@dataclass(kw_only=True)
class MessageTally:
    """What was counted over messages; adds up."""

    messages: int = 0
    wanted: int = 0  # items expected, without the optional ones
    found: int = 0
    named: int = 0  # found under the expected attribute
    dated: int = 0  # found, and the label has a date
    dated_right: int = 0
    kept: int = 0
    junk: int = 0  # fits no label
    again: int = 0  # fits a label that another item has met
    wrong_subject: int = 0  # junk that says of one what was said of another
    empty: int = 0  # messages of which nothing may be kept
    empty_kept: int = 0
    remarks: list[str] = field(default_factory=list)

    def __add__(self, other: MessageTally) -> MessageTally:
        return MessageTally(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})


async def learnt(messages: Sequence[LabelledMessage]) -> list[tuple[LabelledMessage, list[KnowledgeItem]]]:
    """What each message left in the memory of a person who said nothing else."""
    clock = Clock()
    async with learning(clock) as memory:
        for message in sorted(messages, key=lambda message: message.at):
            clock.now = message.at
            await memory.save(user=message.id, said=message.text, at=message.at)
            await rested(memory, clock, message.at)
        await finished(memory)
        return [(message, await held(memory, message.id)) for message in messages]


def counted(message: LabelledMessage, items: Sequence[KnowledgeItem]) -> MessageTally:
    """Hold what was kept against the labels."""
    items, ties = standing(items), ties_of(items)
    tally = MessageTally(
        messages=1, kept=len(items), empty=not message.expect, empty_kept=bool(items and not message.expect)
    )
    met = assigned(message.expect, items, ties)
    for number, label in enumerate(message.expect):
        if label.optional:
            continue
        tally.wanted += 1
        if number not in met:
            tally.remarks.append(f"MISSED {label}")
            continue
        item = items[met[number]]
        tally.found += 1
        tally.named += item.attribute == label.attribute
        if label.attribute != item.attribute:
            tally.remarks.append(f"NAMED {item.attribute}, not {label.attribute}")
        if label.date is not None:
            tally.dated += 1
            tally.dated_right += dated_right(label, item)
            if not dated_right(label, item):
                tally.remarks.append(f"DATED {item.held_from.date()}, not {label.date}: {shown(item)}")
    for number, item in enumerate(items):
        if number in met.values():
            continue
        if any(fits(label, item, ties) for label in message.expect):
            tally.again += 1
            tally.remarks.append(f"AGAIN {shown(item)}")
            continue
        of_another = any(holds_words(label, item) for label in message.expect)
        tally.junk += 1
        tally.wrong_subject += of_another
        tally.remarks.append(f"{'OF ANOTHER' if of_another else 'JUNK'} {shown(item)}")
    tally.remarks = [f"{message.id} {remark} | {message.text}" for remark in tally.remarks]
    return tally


def rows(name: str, tally: MessageTally) -> Iterator[Row]:
    """The figures of some messages, with their goals."""
    yield share_row(f"{name}, expected items found", tally.found, tally.wanted, Goal.least(FOUND_GOAL))
    yield share_row(f"{name}, attribute named right", tally.named, tally.found)
    yield share_row(f"{name}, dated right", tally.dated_right, tally.dated)
    yield share_row(f"{name}, junk of all kept", tally.junk, tally.kept, Goal.most(JUNK_GOAL))
    yield share_row(f"{name}, kept twice of all kept", tally.again, tally.kept)
    yield share_row(f"{name}, empty messages that left something", tally.empty_kept, tally.empty)
    yield share_row(f"{name}, said of the wrong person", tally.wrong_subject, tally.kept, Goal.most(0))
