"""The forms a context is given in, by name.

The text of a context is never longer than its lines and headings together, each with the line breaks around it:
`len(text) <= sum(len(line) + 1) + sum(len(heading) + 2)`, over its lines and over the parts they lie in. No lines, no
text.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeGuard

from relembra.domain.knowledge import SELF, KnowledgeType
from relembra.domain.message import Role
from relembra.domain.text import escaped, quoted
from relembra.domain.time import local
from relembra.errors import InvalidInputError
from relembra.recall.ranking import Layer, layer_of
from relembra.recall.rendering import (
    BRACKETED,
    HEADINGS,
    LAYER_TITLES,
    UNSURE,
    AskLine,
    BeforeLine,
    EarlierLine,
    Frame,
    FurtherLine,
    KnownLine,
    Line,
    MemoryLine,
    NoteLine,
    Part,
    ProfileLine,
    RecentLine,
    TellLine,
    asked,
    attribute_title,
    continued,
    grouped,
    headed,
    hedged,
    is_hard,
    marks,
    memory_title,
    note_day,
    row,
    rows,
    said,
    summary,
    told,
    unbracketed,
    value,
    worded,
)


class Rendering:
    """A form a context is given in: blocks of rows under headings. The same lines and frame give the same bytes.

    All remembered text, names and titles too, is escaped so that nothing said once can close a block, open one, or
    pass for an instruction.
    """

    between = "\n"

    def blocks(self, lines: Sequence[Line], frame: Frame) -> list[list[str]]:
        """Each heading with the rows under it. Lines come in the order of their parts and are to stand in that order
        within one."""
        raise NotImplementedError

    def heading(self, part: Part, frame: Frame) -> str:
        """What a part adds to the text around its lines, about."""
        raise NotImplementedError

    def line(self, line: Line, frame: Frame) -> str:
        """What one line adds to the text, about; for sharing the budget before all is laid out."""
        return "\n".join(self.blocks([line], frame)[0][1:])

    def further(self, line: MemoryLine) -> str:
        """What a line of the compact memory adds behind another of its field, about."""
        return f"; {value(line.text)}"

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        return self.between.join("\n".join(block) for block in self.blocks(lines, frame))


def _by_heading(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of each part, and of each person's profile."""
    groups = grouped(lines, lambda line: (line.part, line.person if isinstance(line, ProfileLine) else ""))
    return [inside for part in Part for (of, _), inside in groups.items() if of is part]


def _named(line: Line, frame: Frame) -> str:
    """Whom a block is about that a line stands in."""
    return frame.called(line.person) if isinstance(line, ProfileLine) else frame.name


def _marked(words: Sequence[str], brackets: str = "()") -> str:
    return f" {brackets[0]}{', '.join(words)}{brackets[1]}" if words else ""


class Markdown(Rendering):
    """A `##` heading a part, and a list under it; a profile has the heading of its person."""

    def blocks(self, lines: Sequence[Line], frame: Frame) -> list[list[str]]:
        frame = replace(frame, years=True)
        # sources are for those who ask, and cost
        bare_lines = [KnownLine(line.hit, None) if isinstance(line, KnownLine) else line for line in lines]
        return [
            [_markdown_heading(inside[0].part, _named(inside[0], frame), frame), *rows(inside, frame)]
            for inside in _by_heading(bare_lines)
        ]

    def heading(self, part: Part, frame: Frame) -> str:
        return "" if part is Part.PROFILES else _markdown_heading(part, frame.name, frame)

    def line(self, line: Line, frame: Frame) -> str:
        """The row; a profile line counts the headings over it too, for it may be the first under them."""
        if isinstance(line, ProfileLine):
            return self.text([line], frame)
        return row(KnownLine(line.hit, None) if isinstance(line, KnownLine) else line, replace(frame, years=True))


def _markdown_heading(part: Part, name: str, frame: Frame) -> str:
    return "## " + HEADINGS[frame.language][part].format(name=quoted(name))


_BACKGROUND = (Part.MEMORY, Part.PROFILES, Part.KNOWN, Part.NOTES, Part.EARLIER)
_TAGS = {
    Part.MEMORY: "memory",
    Part.PROFILES: "user",
    Part.KNOWN: "knowledge",
    Part.NOTES: "notes",
    Part.EARLIER: "messages",
    Part.RECENT: "conversation",
    Part.ASK: "question",
    Part.TELL: "insight",
}
_ATTRIBUTES = {Part.MEMORY: "about", Part.PROFILES: "name", Part.KNOWN: "about", Part.ASK: "for", Part.TELL: "for"}
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Xml(Rendering):
    """What is remembered inside `<background_facts>`, then the conversation and the question in tags of their own."""

    def blocks(self, lines: Sequence[Line], frame: Frame) -> list[list[str]]:
        made = []
        for inside in _by_heading(lines):
            opening, closing = _tags(inside[0].part, _named(inside[0], frame))
            made.append([opening, *rows(inside, frame), closing])
        return made

    def heading(self, part: Part, frame: Frame) -> str:
        outer = ("<background_facts>", "</background_facts>") if part in _BACKGROUND else ()
        inner = () if part is Part.PROFILES else _tags(part, frame.name)
        return _NO_XML.sub("", "\n".join((*outer, *inner)))

    def line(self, line: Line, frame: Frame) -> str:
        """The row; a profile line counts the tags and the title around it too, for it may be the only one in them."""
        [block] = self.blocks([line], frame)
        return _NO_XML.sub("", "\n".join(block if isinstance(line, ProfileLine) else block[1:-1]))

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        background = super().text([line for line in lines if line.part in _BACKGROUND], frame)
        rest = super().text([line for line in lines if line.part not in _BACKGROUND], frame)
        if background:
            background = f"<background_facts>\n{background}\n</background_facts>"
        return _NO_XML.sub("", "\n".join(filter(None, (background, rest))))


def _tags(part: Part, name: str) -> tuple[str, str]:
    tag = _TAGS[part]
    if part not in _ATTRIBUTES:
        return f"<{tag}>", f"</{tag}>"
    value = escaped(name).replace('"', "&quot;")
    return f'<{tag} {_ATTRIBUTES[part]}="{value}">', f"</{tag}>"


LONGEST_JOINED = 90  # characters of a line that takes in another thing
LONGEST_SMALL = 45  # of one that may be joined
_APART = (Part.RECENT, Part.ASK, Part.TELL)


class Compact(Rendering):
    """What is remembered as a list, the summary of the conversation, and its last messages."""

    def blocks(self, lines: Sequence[Line], frame: Frame) -> list[list[str]]:
        groups = grouped(lines, _compact_title)
        return [
            [above, *_compact_rows(groups[name], frame)]
            for name, above in BRACKETED[frame.language].items()
            if name in groups
        ]

    def heading(self, part: Part, frame: Frame) -> str:
        names = {Part.RECENT: ("now", "recent"), Part.ASK: ("ask",), Part.TELL: ("tell",)}.get(part, ("memory",))
        return "\n".join(BRACKETED[frame.language][name] for name in names)


def _compact_title(line: Line) -> str:
    return "now" if isinstance(line, BeforeLine) else line.part if line.part in _APART else "memory"


def _compact_rows(lines: Sequence[Line], frame: Frame) -> list[str]:
    """A row a line, but small things of a kind share one, and so does what stands together in the compact memory."""
    made: list[str] = []
    open_rows: dict[object, int] = {}
    for line in lines:
        head, text, kind = _compact(line, frame)
        place = open_rows.get(kind) if kind is not None else None
        is_small = (
            place is not None and len(text) <= LONGEST_SMALL and len(made[place]) + len(text) + 2 <= LONGEST_JOINED
        )
        if place is not None and (place == len(made) - 1 if isinstance(line, MemoryLine) else is_small):
            made[place] += f"; “{continued(text[1:])}" if text[0] == "“" else f"; {text}"
        else:
            made.append(f"{head}{text}")
            if kind is not None:
                open_rows[kind] = len(made) - 1
    if lines[0].part in (Part.ASK, Part.TELL) or isinstance(lines[0], RecentLine):
        return [f"- {one}" for one in made]
    return [f"- {one}" if one.rstrip("”").endswith((".", "!", "?", "…", ":")) else f"- {one}." for one in made]


def _compact(line: Line, frame: Frame) -> tuple[str, str, object]:
    """What opens a row, what it says, and what others may share the row with it; None where none may."""
    match line:
        case MemoryLine(field=field):
            return f"{unbracketed(memory_title(field, frame.language))}: ", bare(line.text), ("memory", field)
        case ProfileLine():
            text = bare(line.text) + _marked([UNSURE[frame.language]] if line.unsure else [])
            return f"{bare(frame.called(line.person))}: ", text, ("profile", line.person)
        case KnownLine():
            return "", *_compact_known(line, frame)
        case NoteLine(hit=hit):
            return (
                f"{note_day(hit.note, frame)}, ",
                f"{headed(hit.note, ': ', frame.language)}{bare(hit.note.summary)}",
                None,
            )
        case BeforeLine():
            return "", bare(line.text), None
        case AskLine():
            return "", unbracketed(asked(line)), None
        case TellLine(item=item):
            return "", bare(item.content) + _marked([bare(item.evidence or "")]), None
        case EarlierLine() | RecentLine():
            return "", unbracketed(said(line, frame)), None


def _compact_known(line: KnownLine, frame: Frame) -> tuple[str, object]:
    item = line.hit.item
    words = marks(item, frame)
    if item.type is KnowledgeType.MEMORY:
        words.insert(0, frame.day(local(item.held_from, item.zone)))
    if item.type is KnowledgeType.EMOTION and is_hard(f"{item.content} {item.value or ''}"):
        words.append(worded("be_gentle", frame.language))
    text = bare(item.content)
    newer = unbracketed(told(item, frame.language, text, quote=quoted))
    newer = hedged(newer, item, frame.language, frame.sure)
    joins = not words and newer[0] == text[0] and item.subject == SELF and len(text) <= LONGEST_SMALL
    return newer + _marked(words), ("known", item.type) if joins else None


def bare(text: str) -> str:
    """A number as it is, words in quotation marks; no square brackets, no full stop."""
    line = unbracketed(text)
    return value(line.rstrip(" .") or line)


_ORDER = (Layer.SEMANTIC, Layer.EPISODIC, Layer.LONG, Layer.MEDIUM, Layer.SHORT)
_REACHED = {
    Part.MEMORY: (Layer.SEMANTIC,),
    Part.PROFILES: (Layer.SEMANTIC,),
    Part.KNOWN: (Layer.SEMANTIC, Layer.EPISODIC, Layer.LONG),
    Part.NOTES: (Layer.EPISODIC, Layer.LONG, Layer.MEDIUM),
    Part.EARLIER: (Layer.LONG, Layer.MEDIUM),
    Part.RECENT: (Layer.SHORT,),
}


class Layered(Rendering):
    """A section a layer, with an empty line between them; the question and the insight come last, each in its own."""

    between = "\n\n"

    def blocks(self, lines: Sequence[Line], frame: Frame) -> list[list[str]]:
        layers = grouped(lines, lambda line: _layer(line, frame))
        titles = LAYER_TITLES[frame.language]
        made = [[titles[layer], *_layered_rows(layers[layer], frame)] for layer in _ORDER if layer in layers]
        apart = _by_heading(layers.get(None, []))
        return [*made, *([self.heading(inside[0].part, frame), *rows(inside, frame)] for inside in apart)]

    def heading(self, part: Part, frame: Frame) -> str:
        """The titles of all layers the lines of a part may lie in."""
        if part not in _REACHED:
            return HEADINGS[frame.language][part].format(name=quoted(frame.name)) + ":"
        return "\n\n".join(LAYER_TITLES[frame.language][layer] for layer in _REACHED[part])


def _layer(line: Line, frame: Frame) -> Layer | None:
    """The layer a line lies in; None for the question and the insight."""
    match line:
        case KnownLine(hit=hit):
            return layer_of(hit.item, frame.now, frame.medium_for)
        case NoteLine(hit=hit):
            return layer_of(hit.note, frame.now, frame.medium_for)
        case EarlierLine(hit=hit):
            return layer_of(hit.message, frame.now, frame.medium_for)
        case BeforeLine() | RecentLine():
            return Layer.SHORT
        case _:
            return Layer.SEMANTIC if line.part in _REACHED else None


def _layered_rows(lines: Sequence[Line], frame: Frame) -> list[str]:
    further = [line for line in lines if isinstance(line, FurtherLine)]
    memory = [line for line in lines if isinstance(line, MemoryLine) and line not in further]
    others = [line for line in lines if not isinstance(line, MemoryLine)]
    return [*rows(memory, frame), *(_layered_row(line, frame) for line in others), *rows(further, frame)]


def _layered_row(line: Line, frame: Frame) -> str:
    match line:
        case ProfileLine():
            unsure = [UNSURE[frame.language]] if line.unsure else []
            return f"- {quoted(frame.called(line.person))}: {quoted(line.text)}{_marked(unsure, '[]')}"
        case NoteLine(hit=hit):
            return f"- {note_day(hit.note, frame)}: {headed(hit.note, ' — ', frame.language)}{summary(hit.note)}"
        case KnownLine(hit=hit):  # key: value for what holds of the user, the day for what happened
            item, shown, words = hit.item, marks(hit.item, frame), quoted(hit.item.content)
            if _layer(line, frame) is not Layer.SEMANTIC:
                shown.insert(0, frame.day(local(item.held_from, item.zone)))
            elif item.subject == SELF and item.value and (key := attribute_title(item.attribute, frame.language)):
                words = f"{key}: {quoted(item.value)}"
            words = told(item, frame.language, words, quote=quoted)
            return f"- {hedged(words, item, frame.language, frame.sure)}{_marked(shown, '[]')}"
        case other:
            return row(other, frame)


_MARKDOWN = Markdown()


class Chat(Rendering):
    """The messages as a JSON list of roles and contents, one a row."""

    def further(self, line: MemoryLine) -> str:
        return dumped(super().further(line))[1:-1]

    def line(self, line: Line, frame: Frame) -> str:
        """The turn, or the row as it stands inside a JSON string."""
        return dumped(_turn(line)) + "," if _is_turn(line) else dumped(_MARKDOWN.line(line, frame) + "\n")[1:-1]

    def heading(self, part: Part, frame: Frame) -> str:
        """The part's heading, and the message around it all."""
        return f"[{dumped(_system(_MARKDOWN.heading(part, frame), frame))}],"

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        made = [dumped(message) for message in messages(lines, frame)]
        return "[" + ",\n".join(made) + "]" if made else ""


def messages(lines: Sequence[Line], frame: Frame) -> list[dict[str, str]]:
    """What to send. Recent messages keep their own words, for they are turns; a system's own are quoted with the rest,
    so that nothing remembered speaks for the system."""
    remembered = [line for line in lines if not _is_turn(line)]
    system = [_system(_MARKDOWN.text(remembered, frame), frame)] if remembered else []
    return [*system, *(_turn(line) for line in lines if _is_turn(line))]


def _is_turn(line: Line) -> TypeGuard[RecentLine]:
    return isinstance(line, RecentLine) and line.message.role is not Role.SYSTEM


def _turn(line: RecentLine) -> dict[str, str]:
    words = "".join(char for char in line.message.text if char != "\x7f")  # which JSON lets through as it is
    return {"role": line.message.role.value, "content": words}


def _system(text: str, frame: Frame) -> dict[str, str]:
    opening = worded("remembered", frame.language, name=quoted(frame.name))
    return {"role": Role.SYSTEM.value, "content": f"{opening}\n{text}"}


_UNSAFE = re.compile(r"[<>&]|[^\x00-\x7f]")


def dumped(value: object) -> str:
    """JSON without a character too many, in which no markup and no invisible control stands as itself."""
    return _UNSAFE.sub(_safe, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _safe(found: re.Match[str]) -> str:
    char = found[0]
    if char in "<>&":
        return f"\\u{ord(char):04x}"
    hidden = unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\u200d"
    return json.dumps(char)[1:-1] if hidden else char


RENDERINGS: Mapping[str, Rendering] = MappingProxyType(
    {"markdown": _MARKDOWN, "xml": Xml(), "compact": Compact(), "layers": Layered(), "chat": Chat()}
)


def rendering(name: str) -> Rendering:
    """The rendering of a name; what there is to choose from when there is none."""
    if name not in RENDERINGS:
        raise InvalidInputError(f"no context format {name!r}; choose one of {', '.join(RENDERINGS)}", field="format")
    return RENDERINGS[name]
