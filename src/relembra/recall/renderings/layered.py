"""Prose sections by layer: who the user is, what happened, what came before, and the conversation going on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from relembra.domain.knowledge import SELF
from relembra.domain.text import quoted
from relembra.recall.entries import (
    AskLine,
    BeforeLine,
    EarlierLine,
    Frame,
    KnownLine,
    Line,
    MemoryLine,
    NoteLine,
    Part,
    ProfileLine,
    RecentLine,
)
from relembra.recall.layers import Layer
from relembra.recall.rendering import HEADINGS, UNSURE, local, summary_line, told
from relembra.recall.renderings.lines import (
    ask_row,
    day,
    grouped,
    marks,
    memory_rows,
    note_day,
    recent_row,
    said_row,
    title,
)
from relembra.recall.renderings.words import LAYER_TITLES, attribute_title

_ORDER = (Layer.SEMANTIC, Layer.EPISODIC, Layer.LONG, Layer.MEDIUM, Layer.SHORT)
_REACHED = {
    Part.MEMORY: (Layer.SEMANTIC,),
    Part.PROFILES: (Layer.SEMANTIC,),
    Part.KNOWN: (Layer.SEMANTIC, Layer.EPISODIC, Layer.LONG),
    Part.NOTES: (Layer.EPISODIC, Layer.LONG, Layer.MEDIUM),
    Part.EARLIER: (Layer.LONG, Layer.MEDIUM),
    Part.RECENT: (Layer.SHORT,),
    Part.ASK: (),
}


class Layered:
    """A section a layer, with an empty line between them; the question comes last, in one of its own."""

    def line(self, line: Line, frame: Frame) -> str:
        return _rows([line], frame)[0]

    def heading(self, part: Part, frame: Frame) -> str:
        """The titles of all layers the lines of a part may lie in."""
        if part is Part.ASK:
            return _ask_title(frame)
        return "\n\n".join(LAYER_TITLES[frame.language][layer] for layer in _REACHED[part])

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        questions = [line for line in lines if isinstance(line, AskLine)]
        layers = grouped((line for line in lines if not isinstance(line, AskLine)), _layer)
        titles = LAYER_TITLES[frame.language]
        blocks = [[titles[layer], *_rows(layers[layer], frame)] for layer in _ORDER if layer in layers]
        if questions:
            blocks.append([_ask_title(frame), *_rows(questions, frame)])
        return "\n\n".join("\n".join(block) for block in blocks)


def _layer(line: Line) -> Layer:
    match line:
        case KnownLine() | NoteLine() | EarlierLine():
            return line.layer
        case BeforeLine() | RecentLine():
            return Layer.SHORT
        case _:
            return Layer.SEMANTIC


def _ask_title(frame: Frame) -> str:
    return HEADINGS[frame.language][Part.ASK].format(name=quoted(frame.name)) + ":"


def _rows(lines: Sequence[Line], frame: Frame) -> list[str]:
    memory = [line for line in lines if isinstance(line, MemoryLine)]
    others = [line for line in lines if not isinstance(line, MemoryLine)]
    return [*memory_rows(memory, frame), *(_row(line, frame) for line in others)]


def _row(line: Line, frame: Frame) -> str:
    match line:
        case MemoryLine():
            return memory_rows([line], frame)[0]
        case ProfileLine():
            unsure = [UNSURE[frame.language]] if line.unsure else []
            return f"- {quoted(frame.called(line.person))}: {quoted(line.text)}{_marked(unsure)}"
        case KnownLine():
            return _known(line, frame)
        case NoteLine():
            return (
                f"- {day(note_day(line, frame), frame)}: {title(line.hit.note.title)} — {quoted(line.hit.note.summary)}"
            )
        case EarlierLine():
            return said_row(line.hit.message, line.excerpt, frame, day)
        case BeforeLine(text=text):
            return summary_line(text, frame.language)
        case RecentLine(message=message):
            return recent_row(message, frame, day)
        case AskLine():
            return ask_row(line)
        case other:
            assert_never(other)


def _known(line: KnownLine, frame: Frame) -> str:
    """`key: value` for what holds of the user, the sentence for the rest, and the day of what happened."""
    item = line.hit.item
    if line.layer is not Layer.SEMANTIC:
        since = day(local(item.held_from, item.zone), frame)
        said = told(item, frame.language, quoted(item.content), quote=quoted)
        return f"- {said}{_marked([since, *marks(line, frame)])}"
    key = attribute_title(item.attribute, frame.language) if item.subject == SELF and item.value else None
    said = quoted(item.content) if key is None else f"{key}: {quoted(item.value or '')}"
    said = told(item, frame.language, said, quote=quoted)
    return f"- {said}{_marked(marks(line, frame))}"


def _marked(words: Sequence[str]) -> str:
    return f" [{', '.join(words)}]" if words else ""
