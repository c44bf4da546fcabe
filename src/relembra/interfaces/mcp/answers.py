"""What the tools answer: values for programs, and the same for reading. Remembered text stands quoted and escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from relembra.domain.case import Outcome
from relembra.domain.message import Message, Note
from relembra.domain.text import bare_words, escaped, quoted
from relembra.domain.time import local
from relembra.interfaces.reasons import reason
from relembra.learn.casework import Conflict
from relembra.locale import Words
from relembra.memory import Saved
from relembra.recall.query import Listing, Recall
from relembra.recall.ranking import MessageHit
from relembra.recall.rendering import author_of
from relembra.tools.answers import found

NOTES = "relembra://notes"

Parts = Mapping[str, Any]


def recalled(what: Recall, language: str) -> dict[str, Any]:
    items = found([hit.item for hit in what.items], language=language)["items"]
    notes = [note_shown(hit.note) for hit in what.notes]
    return {"items": items, "notes": notes, "messages": [_message_shown(hit, language) for hit in what.messages]}


def note_shown(note: Note) -> dict[str, Any]:
    return {
        "id": note.id,
        "uri": uri_of(note),
        "kind": note.kind.value,
        "title": escaped(note.title),
        "summary": escaped(note.summary),
        "when": note.happened_at.date().isoformat(),
    }


def uri_of(note: Note) -> str:
    return f"{NOTES}/{quote(note.id, safe='')}"


def _message_shown(hit: MessageHit, language: str) -> dict[str, Any]:
    message: Message = hit.message
    return {
        "id": message.id,
        "conversation": message.conversation,
        "author": escaped(author_of(message, language)),
        "text": escaped(hit.excerpt or message.text),
        "when": local(message.sent_at, message.zone).isoformat(timespec="minutes"),
    }


def saved(kept: Saved) -> dict[str, Any]:
    ids = [message.id for message in kept.messages]
    refused = None if kept.refused is None else str(kept.refused)
    told = {"conversation": kept.conversation, "new": kept.new, "messages": ids, "refused": refused}
    return told | ({"left_out": list(kept.left_out)} if kept.left_out else {})


def case_shown(conflict: Conflict, language: str) -> dict[str, Any]:
    case = conflict.case
    old, new = (escaped(bare_words(side.content)) for side in (conflict.old, conflict.new))
    shown = {
        "case": case.id,
        "outcome": case.outcome.value,
        "earlier": {"id": case.old_id, "content": old},
        "later": {"id": case.new_id, "content": new},
        "why": escaped(reason(Words(language, "names"), case.why)),
        "opened": case.opened_at.date().isoformat(),
    }
    if case.outcome is Outcome.OPEN:
        shown["question"] = Words(language, "tools")("question", old=old, new=new)
    return shown


def cases(listing: Listing[Conflict], language: str) -> dict[str, Any]:
    return {"cases": [case_shown(each, language) for each in listing], "next": listing.next}


# ── for reading ───────────────────────────────────────────────────────────────────────────────────────────────────────


def text_of(tool: str, answer: Parts, words: Words) -> str:
    """An answer as a few lines; ids stand in it, for some clients show a model nothing else."""
    match tool:
        case "search_knowledge":
            return _lines([item_line(item, words) for item in answer["items"]]) or answer["hint"]
        case "analyze_context":
            return _analyzed(answer, words)
        case "recall":
            return _recalled(answer, words)
        case "conflicts":
            return _listed(answer, words)
        case "add_knowledge":
            replaced = [words("kept.replaced", line=_side(old)) for old in answer.get("replaced", ())]
            return _lines([words("kept", line=item_line(answer["kept"], words)[2:]), *replaced])
        case "save":
            return _saved(answer, words)
        case "resolve":
            return words("resolved", **_told(answer, words))
        case _:
            return words("gone", count=answer["total"])


def item_line(item: Parts, words: Words) -> str:
    marks = [str(item["type"]), words("item.since", day=item["since"]), str(item["source"])]
    if "about" in item:
        marks.append(words("item.about", name=item["about"]))
    if "claimed_by" in item:
        marks.append(words("item.claimed", name=item["claimed_by"]))
    if item["confidence"] < 1:
        marks.append(words("item.sure", share=f"{item['confidence']:.0%}"))
    if item.get("disputed"):
        marks.append(words("item.disputed"))
    if "observations" in item:
        marks.append(words("item.seen", count=item["observations"]))
    return f"- “{item['content']}” [{'; '.join(marks)}] (id {item['id']})"


def note_line(note: Parts) -> str:
    return f"- {note['when']} “{note['title']}”: “{note['summary']}” ({note['uri']})"


def _side(side: Parts) -> str:
    return f"“{side['content']}” (id {side['id']})"


def _analyzed(answer: Parts, words: Words) -> str:
    parts = [
        _part(words("found.known"), [item_line(item, words) for item in answer["related"]]),
        _part(words("found.patterns"), [item_line(item, words) for item in answer["patterns"]]),
        _part(
            words("found.contradictions"),
            [f"- {_side(one['earlier'])} / {_side(one['later'])}" for one in answer.get("contradictions", ())],
        ),
        _part(
            words("found.connections"),
            [f"- {' + '.join(one['between'])}: {one['why']}" for one in answer["connections"]],
        ),
    ]
    return "\n\n".join(part for part in parts if part) or words("found.none")


def _recalled(answer: Parts, words: Words) -> str:
    said = [
        f"- {one['when']} “{one['author']}”: “{one['text']}” (conversation {quoted(one['conversation'])})"
        for one in answer["messages"]
    ]
    parts = [
        _part(words("found.known"), [item_line(item, words) for item in answer["items"]]),
        _part(words("found.notes"), [note_line(note) for note in answer["notes"]]),
        _part(words("found.messages"), said),
    ]
    return "\n\n".join(part for part in parts if part) or words("found.none")


def _listed(answer: Parts, words: Words) -> str:
    lines = [words("conflicts.line", case=case["case"], **_told(case, words)) for case in answer["cases"]]
    if answer["next"] is not None:
        lines.append(words("conflicts.next", next=answer["next"]))
    return _lines(lines) or words("conflicts.none")


def _told(case: Parts, words: Words) -> dict[str, str]:
    outcome = words(f"outcome.{case['outcome']}")
    return {"outcome": outcome, "earlier": case["earlier"]["content"], "later": case["later"]["content"]}


def _saved(answer: Parts, words: Words) -> str:
    if answer["refused"] is not None:
        return words("saved.refused", why=answer["refused"])
    return words("saved" if answer["new"] else "saved.again", id=escaped(answer["conversation"]))


def _part(title: str, lines: Sequence[str]) -> str:
    return _lines([title, *lines]) if lines else ""


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(lines)
