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
from typing import Any, TypeGuard, assert_never

from relembra.domain.knowledge import SELF, DoubtedItem, KnowledgeType
from relembra.domain.message import Message, Role
from relembra.domain.text import escaped, quoted
from relembra.domain.time import local
from relembra.errors import InvalidInputError
from relembra.recall.ranking import Layer
from relembra.recall.rendering import (
    BRACKETED,
    HEADINGS,
    LAYER_TITLES,
    UNSURE,
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
    Rendering,
    asked,
    attribute_title,
    by_part,
    continued,
    day,
    grouped,
    heading,
    is_claim,
    is_hard,
    is_idle,
    is_unsure,
    marks,
    memory_rows,
    memory_title,
    note_day,
    over_since,
    part_rows,
    plain,
    profile_rows,
    speaker,
    talk_row,
    title,
    told,
    unbracketed,
    value,
    whole_day,
    worded,
)

_KEYS = ("memory", "profiles", "known", "notes", "earlier", "before", "recent", "ask")
_UNSAFE = re.compile(r"[<>&]|[^\x00-\x7f]")


class Json:
    """The name, then a list a part, one entry a row; a part without lines is left out."""

    def line(self, line: Line, frame: Frame) -> str:
        return dumped(_entry(line, frame)) + ","

    def heading(self, part: Part, frame: Frame) -> str:
        keys = ("before", "recent") if part is Part.RECENT else (part.value,)
        return _opening(frame) + "}" + "".join(f',\n"{key}":[\n]' for key in keys)

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        if not lines:
            return ""
        groups = grouped(lines, _key)
        blocks = [
            f'"{key}":[\n' + ",\n".join(dumped(_entry(line, frame)) for line in groups[key]) + "]"
            for key in _KEYS
            if key in groups
        ]
        return ",\n".join([_opening(frame), *blocks]) + "}"


def dumped(value: object) -> str:
    """JSON without a character too many, in which no markup and no invisible control stands as itself."""
    return _UNSAFE.sub(_safe, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _safe(found: re.Match[str]) -> str:
    char = found[0]
    if char in "<>&":
        return f"\\u{ord(char):04x}"
    hidden = unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\u200d"
    return json.dumps(char)[1:-1] if hidden else char


def _opening(frame: Frame) -> str:
    return '{"name":' + dumped(plain(frame.name))


def _key(line: Line) -> str:
    return "before" if isinstance(line, BeforeLine) else line.part.value


def _entry(line: Line, frame: Frame) -> dict[str, Any]:
    match line:
        case MemoryLine(field=field, text=text):
            return {"field": plain(field), "text": plain(text)}
        case ProfileLine():
            source = None if line.source is None else plain(line.source)
            entry = {
                "person": plain(frame.called(line.person)),
                "section": line.section.value,
                "text": plain(line.text),
                "date": line.date.date().isoformat(),
                "source": source,
            }
            return entry | ({"unsure": True} if line.unsure else {})
        case KnownLine():
            return _json_known(line, frame)
        case NoteLine(hit=hit):
            return {
                "id": hit.note.id,
                "title": plain(hit.note.title),
                "text": plain(hit.note.summary),
                "date": note_day(line, frame).date().isoformat(),
                "score": round(hit.score, 4),
                "layer": line.layer.value,
            }
        case EarlierLine(hit=hit):
            said = _said(hit.message, line.excerpt, frame)
            return said | {"score": round(hit.score, 4), "layer": line.layer.value}
        case BeforeLine(text=text):
            return {"text": plain(text)}
        case RecentLine(message=message):
            return _said(message, message.text, frame)
        case AskLine(question=question):
            return {"id": question.case_id, "text": _unescaped(asked(line))}
        case other:
            assert_never(other)


def _said(message: Message, text: str, frame: Frame) -> dict[str, Any]:
    return {
        "id": message.id,
        "role": message.role.value,
        "author": plain(frame.names.get(message.author, message.author_name)),
        "text": plain(text),
        "date": local(message.sent_at, message.zone).isoformat(timespec="seconds"),
    }


def _json_known(line: KnownLine, frame: Frame) -> dict[str, Any]:
    item = line.hit.item
    entry: dict[str, Any] = {
        "id": item.id,
        "text": plain(item.content),
        "date": local(item.held_from, item.zone).date().isoformat(),
        "source": None if line.note is None else plain(line.note.title),
        "score": round(line.hit.score, 4),
        "layer": line.layer.value,
        "confidence": round(item.confidence, 4),
    }
    if (end := over_since(item, frame)) is not None:
        entry["until"] = end.date().isoformat()
    if is_unsure(item, frame.sure_from):
        entry["unsure"] = True
    if isinstance(item, DoubtedItem):
        entry["newer"] = {"text": plain(item.doubt.words), "date": item.doubt.said_at.date().isoformat()}
    if is_claim(item):
        entry["speaker"] = plain(frame.called(item.speaker or ""))
    return entry


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


LONGEST_JOINED = 90  # characters of a line that takes in another thing
LONGEST_SMALL = 45  # of one that may be joined

_TITLES = {Part.RECENT: ("now", "recent"), Part.ASK: ("ask",)}


class Compact:
    """What is remembered as a list, the summary of the conversation, and its last messages."""

    def line(self, line: Line, frame: Frame) -> str:
        return _remembered([line], frame)[0] if _title(line) == "memory" else _compact_row(line, frame)

    def heading(self, part: Part, frame: Frame) -> str:
        return "\n".join(BRACKETED[frame.language][name] for name in _TITLES.get(part, ("memory",)))

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        groups = grouped(lines, _title)
        blocks = []
        for name, above in BRACKETED[frame.language].items():
            if inside := groups.get(name):
                rows = (
                    _remembered(inside, frame) if name == "memory" else [_compact_row(line, frame) for line in inside]
                )
                blocks.append("\n".join([above, *rows]))
        return "\n".join(blocks)


def _title(line: Line) -> str:
    match line:
        case BeforeLine():
            return "now"
        case RecentLine():
            return "recent"
        case AskLine():
            return "ask"
        case _:
            return "memory"


def _remembered(lines: Sequence[Line], frame: Frame) -> list[str]:
    """A row a line, but small things of a kind share one."""
    rows: list[str] = []
    open_rows: dict[object, int] = {}
    for line in lines:
        head, text, kind = _thing(line, frame)
        place = open_rows.get(kind) if kind is not None else None
        if place is not None and len(text) <= LONGEST_SMALL and len(rows[place]) + len(text) + 2 <= LONGEST_JOINED:
            rows[place] += f"; “{continued(text[1:])}" if text[0] == "“" else f"; {text}"
        else:
            rows.append(f"{head}{text}")
            if kind is not None:
                open_rows[kind] = len(rows) - 1
    return [_ended(f"- {row}") for row in rows]


def _thing(line: Line, frame: Frame) -> tuple[str, str, object]:
    """What opens a row, what it says, and what others may share the row with it; None where none may."""
    match line:
        case MemoryLine(field=field):
            return f"{unbracketed(memory_title(field, frame.language))}: ", bare(line.text), ("memory", field)
        case ProfileLine():
            unsure = [UNSURE[frame.language]] if line.unsure else []
            return (
                f"{bare(frame.called(line.person))}: ",
                bare(line.text) + _marked(unsure),
                ("profile", line.person),
            )
        case KnownLine():
            return "", *_compact_known(line, frame)
        case NoteLine():
            note = line.hit.note
            return f"{day(note_day(line, frame), frame)}, ", f"{title(note.title)}: {bare(note.summary)}", None
        case EarlierLine():
            return "", _compact_said(line.hit.message, line.excerpt, frame, dated=True), None
        case _:
            return "", _compact_row(line, frame), None


def _compact_known(line: KnownLine, frame: Frame) -> tuple[str, object]:
    item = line.hit.item
    words = marks(line, frame)
    if item.type is KnowledgeType.MEMORY:
        words.insert(0, day(local(item.held_from, item.zone), frame))
    if item.type is KnowledgeType.EMOTION and is_hard(f"{item.content} {item.value or ''}"):
        words.append(worded("be_gentle", frame.language))
    text = bare(item.content)
    joins = not words and item.subject == SELF and len(text) <= LONGEST_SMALL
    newer = unbracketed(told(item, frame.language, text, quote=quoted))
    return newer + _marked(words), ("known", item.type) if joins else None


def _compact_row(line: Line, frame: Frame) -> str:
    """The row of a line that shares it with no other."""
    match line:
        case BeforeLine(text=text):
            return _ended(f"- {bare(text)}")
        case RecentLine(message=message):
            return "- " + _compact_said(message, message.text, frame, dated=is_idle(message, frame))
        case AskLine():
            return f"- {unbracketed(asked(line))}"
        case MemoryLine() | ProfileLine() | KnownLine() | NoteLine() | EarlierLine():
            return _remembered([line], frame)[0]
        case other:
            assert_never(other)


def _compact_said(message: Message, text: str, frame: Frame, *, dated: bool) -> str:
    when = day(local(message.sent_at, message.zone), frame) + ", " if dated else ""
    return f"{when}{unbracketed(speaker(message, frame.language, frame.names))}: {unbracketed(quoted(text))}"


def bare(text: str) -> str:
    """A number as it is, words in quotation marks; no square brackets, no full stop."""
    line = unbracketed(text)
    return value(line.rstrip(" .") or line)


def _marked(words: Sequence[str], brackets: str = "()") -> str:
    return f" {brackets[0]}{', '.join(words)}{brackets[1]}" if words else ""


def _ended(row: str) -> str:
    return row if row.rstrip("”").endswith((".", "!", "?", "…", ":")) else f"{row}."


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
        return _layered_rows([line], frame)[0]

    def heading(self, part: Part, frame: Frame) -> str:
        """The titles of all layers the lines of a part may lie in."""
        if part is Part.ASK:
            return _ask_title(frame)
        return "\n\n".join(LAYER_TITLES[frame.language][layer] for layer in _REACHED[part])

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        questions = [line for line in lines if line.part is Part.ASK]
        layers = grouped((line for line in lines if line.part is not Part.ASK), _layer)
        titles = LAYER_TITLES[frame.language]
        blocks = [[titles[layer], *_layered_rows(layers[layer], frame)] for layer in _ORDER if layer in layers]
        if questions:
            blocks.append([_ask_title(frame), *_layered_rows(questions, frame)])
        return "\n\n".join("\n".join(block) for block in blocks)


def _layer(line: Line) -> Layer:
    if isinstance(line, KnownLine | NoteLine | EarlierLine):
        return line.layer
    return Layer.SHORT if line.part is Part.RECENT else Layer.SEMANTIC


def _ask_title(frame: Frame) -> str:
    return HEADINGS[frame.language][Part.ASK].format(name=quoted(frame.name)) + ":"


def _layered_rows(lines: Sequence[Line], frame: Frame) -> list[str]:
    memory = [line for line in lines if isinstance(line, MemoryLine)]
    others = [line for line in lines if not isinstance(line, MemoryLine)]
    return [*memory_rows(memory, frame), *(_layered_row(line, frame) for line in others)]


def _layered_row(line: Line, frame: Frame) -> str:
    match line:
        case MemoryLine():
            return memory_rows([line], frame)[0]
        case ProfileLine():
            unsure = [UNSURE[frame.language]] if line.unsure else []
            return f"- {quoted(frame.called(line.person))}: {quoted(line.text)}{_marked(unsure, '[]')}"
        case KnownLine():
            return _layered_known(line, frame)
        case NoteLine():
            return (
                f"- {day(note_day(line, frame), frame)}: {title(line.hit.note.title)} — {quoted(line.hit.note.summary)}"
            )
        case said:
            return talk_row(said, frame, day)


def _layered_known(line: KnownLine, frame: Frame) -> str:
    """`key: value` for what holds of the user, the sentence for the rest, and the day of what happened."""
    item = line.hit.item
    if line.layer is not Layer.SEMANTIC:
        since = day(local(item.held_from, item.zone), frame)
        said = told(item, frame.language, quoted(item.content), quote=quoted)
        return f"- {said}{_marked([since, *marks(line, frame)], '[]')}"
    key = attribute_title(item.attribute, frame.language) if item.subject == SELF and item.value else None
    said = quoted(item.content) if key is None else f"{key}: {quoted(item.value or '')}"
    said = told(item, frame.language, said, quote=quoted)
    return f"- {said}{_marked(marks(line, frame), '[]')}"


class Markdown:
    """A `##` heading a part, and a list under it; a profile has the heading of its person."""

    def line(self, line: Line, frame: Frame) -> str:
        """The row; a profile line counts the headings over it too, for it may be the first under them."""
        block = self._blocks([line], frame)[0]
        return "\n".join(block if isinstance(line, ProfileLine) else block[1:])

    def heading(self, part: Part, frame: Frame) -> str:
        return "" if part is Part.PROFILES else heading(frame.name, part, frame.language)

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        blocks = [block for inside in by_part(lines).values() for block in self._blocks(inside, frame)]
        return "\n".join(row for block in blocks for row in block)

    def _blocks(self, lines: Sequence[Line], frame: Frame) -> list[list[str]]:
        """The headings and rows of one part."""
        profiles = [line for line in lines if isinstance(line, ProfileLine)]
        if profiles:
            return [
                [heading(frame.called(person), Part.PROFILES, frame.language), *profile_rows(inside, frame, whole_day)]
                for person, inside in grouped(profiles, lambda line: line.person).items()
            ]
        # sources are for those who ask, and cost
        bare_lines = [replace(line, note=None) if isinstance(line, KnownLine) else line for line in lines]
        return [[self.heading(lines[0].part, frame), *part_rows(bare_lines, frame, whole_day)]]


_MARKDOWN = Markdown()
_TURNS = (Role.USER, Role.ASSISTANT)


class Chat:
    """The messages as a JSON list of roles and contents, one a row."""

    def line(self, line: Line, frame: Frame) -> str:
        return dumped(_turn(line)) + "," if _is_turn(line) else _inside(_MARKDOWN.line(line, frame) + "\n")

    def heading(self, part: Part, frame: Frame) -> str:
        """The part's heading, and the message around it all."""
        return f"[{dumped(_system(_MARKDOWN.heading(part, frame), frame))}],"

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        rows = [dumped(message) for message in messages(lines, frame)]
        return "[" + ",\n".join(rows) + "]" if rows else ""


def messages(lines: Sequence[Line], frame: Frame) -> list[dict[str, str]]:
    """What to send. Recent messages keep their own words, for they are turns; a system's own are quoted with the rest,
    so that nothing remembered speaks for the system."""
    remembered = [line for line in lines if not _is_turn(line)]
    system = [_system(_MARKDOWN.text(remembered, frame), frame)] if remembered else []
    return [*system, *(_turn(line) for line in lines if _is_turn(line))]


def _is_turn(line: Line) -> TypeGuard[RecentLine]:
    return isinstance(line, RecentLine) and line.message.role in _TURNS


def _turn(line: RecentLine) -> dict[str, str]:
    words = "".join(char for char in line.message.text if char != "\x7f")  # which JSON lets through as it is
    return {"role": line.message.role.value, "content": words}


def _system(text: str, frame: Frame) -> dict[str, str]:
    opening = worded("remembered", frame.language, name=quoted(frame.name))
    return {"role": Role.SYSTEM.value, "content": f"{opening}\n{text}"}


def _inside(text: str) -> str:
    """A text as it stands inside a JSON string."""
    return dumped(text)[1:-1]


_BACKGROUND = (Part.MEMORY, Part.PROFILES, Part.KNOWN, Part.NOTES, Part.EARLIER)
_FACTS = ("<background_facts>", "</background_facts>")
_TAGS = {
    Part.MEMORY: "memory",
    Part.PROFILES: "user",
    Part.KNOWN: "knowledge",
    Part.NOTES: "notes",
    Part.EARLIER: "messages",
    Part.RECENT: "conversation",
    Part.ASK: "question",
}
_ATTRIBUTES = {Part.MEMORY: "about", Part.PROFILES: "name", Part.KNOWN: "about", Part.ASK: "for"}
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Xml:
    """What is remembered inside `<background_facts>`, then the conversation and the question in tags of their own."""

    def line(self, line: Line, frame: Frame) -> str:
        """The row; a profile line counts the tags and the title around it too, for it may be the only one in them."""
        rows = (
            _block([line], frame.called(line.person), frame)
            if isinstance(line, ProfileLine)
            else part_rows([line], frame, day)
        )
        return _NO_XML.sub("", "\n".join(rows))

    def heading(self, part: Part, frame: Frame) -> str:
        outer = _FACTS if part in _BACKGROUND else ()
        inner = () if part is Part.PROFILES else _tags(part, frame.name)
        return _NO_XML.sub("", "\n".join((*outer, *inner)))

    def text(self, lines: Sequence[Line], frame: Frame) -> str:
        parts = by_part(lines)
        background = [row for part in _BACKGROUND if part in parts for row in _part(parts[part], frame)]
        rest = [row for part in parts if part not in _BACKGROUND for row in _part(parts[part], frame)]
        if background:
            background = [_FACTS[0], *background, _FACTS[1]]
        return _NO_XML.sub("", "\n".join([*background, *rest]))


def _part(lines: Sequence[Line], frame: Frame) -> list[str]:
    profiles = [line for line in lines if isinstance(line, ProfileLine)]
    if not profiles:
        return _block(lines, frame.name, frame)
    people = grouped(profiles, lambda line: line.person)
    return [row for person, inside in people.items() for row in _block(inside, frame.called(person), frame)]


def _block(lines: Sequence[Line], name: str, frame: Frame) -> list[str]:
    opening, closing = _tags(lines[0].part, name)
    return [opening, *part_rows(lines, frame, day), closing]


def _tags(part: Part, name: str) -> tuple[str, str]:
    tag = _TAGS[part]
    if part not in _ATTRIBUTES:
        return f"<{tag}>", f"</{tag}>"
    value = escaped(name).replace('"', "&quot;")
    return f'<{tag} {_ATTRIBUTES[part]}="{value}">', f"</{tag}>"


RENDERINGS: Mapping[str, Rendering] = MappingProxyType(
    {
        "markdown": Markdown(),
        "xml": Xml(),
        "compact": Compact(),
        "layers": Layered(),
        "json": Json(),
        "chat": Chat(),
    }
)


def rendering(name: str) -> Rendering:
    """The rendering of a name; what there is to choose from when there is none."""
    if name not in RENDERINGS:
        raise InvalidInputError(f"no context format {name!r}; choose one of {', '.join(RENDERINGS)}", field="format")
    return RENDERINGS[name]
