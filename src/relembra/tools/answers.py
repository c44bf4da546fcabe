"""What a tool answers: short JSON values for a language model, with remembered text as data.

Nothing is looked up here. Whoever runs the tool passes in what was found, and only what may be heard where it is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from relembra.domain.case import Case, Outcome
from relembra.domain.knowledge import SELF, KnowledgeItem, Source
from relembra.domain.message import Note
from relembra.domain.text import bare_words, fold
from relembra.errors import InvalidInputError
from relembra.recall.rendering import escaped, quoted, short_date, told
from relembra.tools.arguments import AnalyzeContext
from relembra.tools.connections import connections, telling_words
from relembra.views.calendar import day_of
from relembra.views.cognitive import is_pattern

__all__ = ["added", "analyzed", "failed", "found"]

MOST_PATTERNS = 5
MOST_CONNECTIONS = 5
MOST_CONTRADICTIONS = 5

SOURCES = {
    "en": {
        Source.CONVERSATION: "said in conversation",
        Source.USER_INPUT: "entered by the person",
        Source.AI_INFERENCE: "concluded, not said",
        Source.IMPORT: "imported",
    },
    "pt": {
        Source.CONVERSATION: "dito em conversa",
        Source.USER_INPUT: "registrado pela pessoa",
        Source.AI_INFERENCE: "concluído, não dito",
        Source.IMPORT: "importado",
    },
}
NOTHING = {
    "en": "Nothing is known about this. Ask the person if it matters, and do not guess.",
    "pt": "Nada se sabe sobre isso. Pergunte à pessoa se importar, e não suponha.",
}
DISAGREE = {"en": "the two seem to contradict each other", "pt": "os dois parecem se contradizer"}
QUESTION = {
    "en": "Earlier it was “{old}” and now “{new}”. Ask, kindly and once, which is right.",
    "pt": "Antes era “{old}” e agora “{new}”. Pergunte, com delicadeza e uma só vez, o que está certo.",
}


def found(items: Sequence[KnowledgeItem], *, notes: Iterable[Note] = (), language: str = "en") -> dict[str, Any]:
    """The answer of search_knowledge: what was found, in the order given, and how many; a hint when it is nothing."""
    titles = _titles(notes)
    answer: dict[str, Any] = {"items": [_shown(item, titles, language) for item in items], "count": len(items)}
    return answer if items else answer | {"hint": NOTHING[language]}


def added(item: KnowledgeItem, *, replaced: Sequence[KnowledgeItem] = (), language: str = "en") -> dict[str, Any]:
    """The answer of add_knowledge: the item as it is kept now, and what it took the place of."""
    answer: dict[str, Any] = {"kept": _shown(item, {}, language)}
    if replaced:
        answer["replaced"] = [{"id": old.id, "content": escaped(old.content)} for old in replaced]
    return answer


def analyzed(
    asked: AnalyzeContext,
    related: Sequence[KnowledgeItem],
    *,
    known: Sequence[KnowledgeItem] = (),
    cases: Sequence[Case] = (),
    notes: Iterable[Note] = (),
    language: str = "en",
) -> dict[str, Any]:
    """The answer of analyze_context: what is related, patterns, connections, and contradictions only when asked for.

    `related`: found for the topic, best first; `known`: more items to find patterns and the sides of cases in. A case
    whose two sides are not both among these is left out, for its sides may not be heard here.
    """
    titles = _titles(notes)
    everything = {item.id: item for item in [*related, *known]}
    patterns = _patterns(asked, related, list(everything.values()))
    recurring = {item.id for item in patterns}
    plain = [item for item in related if item.id not in recurring]
    linked = connections([*plain, *patterns], language=language, limit=MOST_CONNECTIONS)
    answer: dict[str, Any] = {
        "related": [_shown(item, titles, language) for item in plain],
        "patterns": [_shown(item, titles, language) | {"observations": item.observations} for item in patterns],
    }
    if asked.look_for_contradictions:
        near = {item.id for item in related}
        answer["contradictions"] = _contradictions(cases, everything, near, language)
    answer["connections"] = [{"between": list(one.between), "why": one.why} for one in linked]
    return answer if everything else answer | {"hint": NOTHING[language]}


def failed(error: InvalidInputError) -> dict[str, Any]:
    """The answer to a call that cannot be done, worded so that the model can mend it."""
    return {"error": str(error), "field": error.field}


def _shown(item: KnowledgeItem, notes: Mapping[str, Note], language: str) -> dict[str, Any]:
    """An item as a model gets it; whom it is about, who claimed it, and that it is disputed, only where it matters."""
    shown: dict[str, Any] = {
        "id": item.id,
        "type": item.type.value,
        "content": escaped(told(item, language)),
        "confidence": round(item.confidence, 2),
        "since": day_of(item.held_from, item.zone).date().isoformat(),
        "source": _source(item, notes, language),
    }
    if item.subject != SELF:
        shown["about"] = escaped(item.subject)
    if item.speaker is not None and fold(item.speaker) != fold(item.scope.user):
        shown["claimed_by"] = escaped(item.speaker)
    if item.needs_resolution:
        shown["disputed"] = True
    return shown


def _source(item: KnowledgeItem, notes: Mapping[str, Note], language: str) -> str:
    note = None if item.note_id is None else notes.get(item.note_id)
    if note is None:
        return SOURCES[language][item.source]
    return f"{quoted(note.title)}, {short_date(day_of(note.happened_at, item.zone), language)}"


def _patterns(
    asked: AnalyzeContext, related: Sequence[KnowledgeItem], known: Sequence[KnowledgeItem]
) -> list[KnowledgeItem]:
    """Patterns that were found for the topic, touch an area asked for, or share a word with the topic."""
    near = {item.id for item in related}
    topic = telling_words(asked.current_topic)

    def concerns(item: KnowledgeItem) -> bool:
        by_word = bool(topic & telling_words(item.content))
        return item.id in near or item.area in asked.related_areas or by_word

    fitting = [item for item in known if is_pattern(item) and concerns(item)]
    ranked = sorted(fitting, key=lambda item: (item.id not in near, -item.observations * item.confidence, item.id))
    return ranked[:MOST_PATTERNS]


def _contradictions(
    cases: Sequence[Case], items: Mapping[str, KnowledgeItem], near: set[str], language: str
) -> list[dict[str, Any]]:
    """The open cases with both sides and a gentle question, those near the topic first and then the newest."""
    still_open = [
        case for case in cases if case.outcome is Outcome.OPEN and case.old_id in items and case.new_id in items
    ]
    still_open.sort(
        key=lambda case: (near.isdisjoint((case.old_id, case.new_id)), -case.opened_at.timestamp(), case.id)
    )
    made = []
    for case in still_open[:MOST_CONTRADICTIONS]:
        old, new = (escaped(bare_words(items[id].content)) for id in (case.old_id, case.new_id))
        made.append(
            {
                "case": case.id,
                "earlier": {"id": case.old_id, "content": old},
                "later": {"id": case.new_id, "content": new},
                "why": DISAGREE[language] if case.why.startswith("model p=") else case.why,
                "question": QUESTION[language].format(old=old, new=new),
            }
        )
    return made


def _titles(notes: Iterable[Note]) -> dict[str, Note]:
    return {note.id: note for note in notes if note.deleted_at is None}
