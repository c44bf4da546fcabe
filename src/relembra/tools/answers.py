"""What a tool answers: short JSON values for a language model, with remembered text as data.

Nothing is looked up here. The caller passes in what was found, and only what may be heard where it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from relembra.domain.case import Case, Outcome
from relembra.domain.knowledge import SELF, KnowledgeItem, KnowledgeType
from relembra.domain.message import Note
from relembra.domain.text import bare_words, escaped, fold, quoted
from relembra.errors import InvalidInputError
from relembra.locale import Words
from relembra.recall.rendering import short_date, told
from relembra.tools.arguments import AnalyzeContext
from relembra.views.profile import is_pattern
from relembra.views.timeline import day_of

_WORTH = {"link": 8, "person": 4, "tag": 3, "word": 2, "area": 1}
_SHORTEST_WORD = 4
_EXPLAINS = frozenset({KnowledgeType.EMOTION, KnowledgeType.INSIGHT, KnowledgeType.GOAL})
_PLAIN_WORDS = """
    about after again also always because been before being between both could does doing during each else even ever
    every from gets going gone have having here into itself just know like likes love loves made make makes many mais
    more most much must myself need needs never only other over really said same says should since some something
    still such than that their them then there these they thing things this those through time today very want wants
    wasnt went were what when where which while with without work works would year years your feel feels felt person
    agora ainda algo alguem algum alguma alguns algumas antes aquela aquele aquilo assim cada coisa coisas como
    comeca comecou contra depois desde deve dela dele delas deles dessa desse desta deste dia dias dizer durante ela
    elas eles entre enquanto essa essas esse esses esta estao estas estava este estes estou fazer fica ficar ficou foi
    foram gosta gosto hoje isso isto mesma mesmo minha minhas muita muitas muito muitos nada nao nossa nosso nunca onde
    outra outras outro outros para pela pelas pelo pelos pessoa pode porque pouco quando quase quem quer sabe seja
    sempre sendo sente seus sobre sinto tambem tanto tem tenho tinha toda todas todo todos trabalha tudo uma umas vai
    vezes voce
    """
_PLAIN = frozenset(_PLAIN_WORDS.split())


@dataclass(frozen=True, slots=True)
class Connection:
    """Two items that may belong together, and the words for why; a suggestion, not a finding."""

    between: tuple[str, str]
    why: str
    score: int


def connections(items: Sequence[KnowledgeItem], *, language: str, limit: int) -> list[Connection]:
    """The strongest of the pairs that share something, each pair once; equal ones in the order given."""
    distinct = list({item.id: item for item in items}.values())
    words_of = {
        item.id: telling_words(f"{item.value or ''} {item.content}") - telling_words(item.scope.user)
        for item in distinct
    }
    words, made = Words(language, "tools"), []
    for one, other in combinations(distinct, 2):
        shared = _shared(one, other, words_of[one.id] & words_of[other.id])
        if shared:
            why = "; ".join(words(f"why.{kind}", what=quoted(what)) for kind, what in shared)
            score = sum(_WORTH[kind] for kind, _ in shared)
            made.append(Connection((one.id, other.id), why, score))
    return sorted(made, key=lambda connection: -connection.score)[:limit]


def telling_words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, folded and without a plural's s."""
    words = re.findall(r"[^\W\d_]+", fold(text))
    return frozenset(word.removesuffix("s") for word in words if len(word) >= _SHORTEST_WORD and word not in _PLAIN)


def _shared(one: KnowledgeItem, other: KnowledgeItem, words: frozenset[str]) -> list[tuple[str, str]]:
    """What two items share, the most telling first, as kind and name.

    An area alone counts only with a feeling, a pattern or a goal, which the other may explain.
    """
    shared: list[tuple[str, str]] = []
    if one.id in other.related or other.id in one.related:
        shared.append(("link", ""))
    people = _people(one, other)
    shared += [("person", name) for name in people]
    tags = {fold(tag): tag for tag in one.tags}
    shared += [("tag", tags[tag]) for tag in sorted(tags.keys() & {fold(tag) for tag in other.tags})]
    named = {word for name in people for word in telling_words(name)}
    shared += [("word", word) for word in sorted(words - named)[:2]]
    if one.area is not None and one.area is other.area and (shared or {one.type, other.type} & _EXPLAINS):
        shared.append(("area", one.area.value))
    return shared


def _people(one: KnowledgeItem, other: KnowledgeItem) -> list[str]:
    """The people one is about and the other is about too, or names."""
    found: dict[str, str] = {}
    for about, elsewhere in ((one, other), (other, one)):
        if about.subject != SELF and _names(elsewhere, about.subject):
            found.setdefault(fold(about.subject), about.subject)
    return list(found.values())


def _names(item: KnowledgeItem, name: str) -> bool:
    wanted = fold(name)
    return fold(item.subject) == wanted or re.search(rf"\b{re.escape(wanted)}\b", fold(item.content)) is not None


MOST_PATTERNS = 5
MOST_CONNECTIONS = 5
MOST_CONTRADICTIONS = 5


def found(items: Sequence[KnowledgeItem], *, notes: Iterable[Note] = (), language: str = "en") -> dict[str, Any]:
    """The answer of search_knowledge: what was found, in the order given, and how many; a hint when it is nothing."""
    titles = _titles(notes)
    answer: dict[str, Any] = {"items": [_shown(item, titles, language) for item in items], "count": len(items)}
    return answer if items else answer | {"hint": Words(language, "tools")("nothing")}


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
    return answer if everything else answer | {"hint": Words(language, "tools")("nothing")}


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
        return Words(language, "tools")(f"source.{item.source}")
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
    near_first = still_open[:MOST_CONTRADICTIONS]
    return [contradiction(case, items[case.old_id], items[case.new_id], language) for case in near_first]


def contradiction(case: Case, old: KnowledgeItem, new: KnowledgeItem, language: str) -> dict[str, Any]:
    """A case with both its sides, and a gentle question about it."""
    words = Words(language, "tools")
    earlier, later = (escaped(bare_words(side.content)) for side in (old, new))
    return {
        "case": case.id,
        "earlier": {"id": case.old_id, "content": earlier},
        "later": {"id": case.new_id, "content": later},
        "why": words("disagree") if case.why.startswith("model p=") else case.why,
        "question": words("question", old=earlier, new=later),
    }


def _titles(notes: Iterable[Note]) -> dict[str, Note]:
    return {note.id: note for note in notes if note.deleted_at is None}
