"""One JSON object, for programs and for assistants that are asked to cite by id."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, assert_never

from relembra.domain.knowledge import DoubtedItem
from relembra.domain.moment import local
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
from relembra.recall.rendering import is_claim, is_unsure
from relembra.recall.renderings.lines import asked, grouped, note_day, over_since, plain

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
            return _known(line, frame)
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
            message = hit.message
            return {
                "id": message.id,
                "role": message.role.value,
                "author": plain(frame.names.get(message.author, message.author_name)),
                "text": plain(line.excerpt),
                "date": local(message.sent_at, message.zone).isoformat(timespec="seconds"),
                "score": round(hit.score, 4),
                "layer": line.layer.value,
            }
        case BeforeLine(text=text):
            return {"text": plain(text)}
        case RecentLine(message=message):
            return {
                "id": message.id,
                "role": message.role.value,
                "author": plain(frame.names.get(message.author, message.author_name)),
                "text": plain(message.text),
                "date": local(message.sent_at, message.zone).isoformat(timespec="seconds"),
            }
        case AskLine(question=question):
            return {"id": question.case_id, "text": _unescaped(asked(line))}
        case other:
            assert_never(other)


def _known(line: KnownLine, frame: Frame) -> dict[str, Any]:
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
