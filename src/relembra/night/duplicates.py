"""Finding the items of a memory that say the same thing, and making one of each.

Rules are tried on items sorted by what they could share (the same words, the same value, the same plain state); a mind
is asked about those whose vectors lie near. A wrong merge is worse than a duplicate: where anything speaks against it,
they are two.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from itertools import pairwise

from relembra.domain.audit import Target, kept_local
from relembra.domain.candidate import Comparison
from relembra.domain.case import implied, state, superseded
from relembra.domain.knowledge import FORMER, OPPOSITES, KnowledgeItem, KnowledgeType, Source, is_single
from relembra.domain.policy import GardenPolicy
from relembra.domain.scope import Scope, reaches
from relembra.domain.searchable import item_text
from relembra.domain.text import fold
from relembra.errors import MindError
from relembra.learn.decisions import DOSED, MOST_SOURCES
from relembra.learn.trail import Change
from relembra.learn.values import overlap, same, words_of
from relembra.minds.port import Vector
from relembra.night.task import Task, batches
from relembra.store.port import CaseFilter, ItemFilter, Kind, Op, all_rows, pages

ONE_DAY = timedelta(days=1)
CONTRADICTS = 0.3  # a mind that thinks so much of a contradiction is not sure that they are the same
PLACES = frozenset({"residence", "birthplace"})  # a part of a town is said more exactly than the town
STATES = frozenset({KnowledgeType.FACT, KnowledgeType.PREFERENCE})  # readers differ in which of the two a taste is
UNMERGED = frozenset({KnowledgeType.INSIGHT})  # counted anew by whoever found them
RESTS_ON = {Source.USER_INPUT: 0, Source.CONVERSATION: 1, Source.IMPORT: 1, Source.AI_INFERENCE: 2}
_NOT = re.compile(
    r"\b(?:not|no|never|without|dont|doesnt|didnt|isnt|arent|wasnt|cant|cannot|wont|hardly|nao|nunca|sem|nem|jamais)\b"
)
_NUMBERS = (
    "two dois duas", "three tres", "four quatro", "five cinco", "six seis", "seven sete", "eight oito", "nine nove",
    "ten dez", "eleven onze", "twelve doze",
)  # fmt: skip
_COUNTED = {word: str(number) for number, words in enumerate(_NUMBERS, start=2) for word in words.split()}
_FIGURE = re.compile(r"\d+(?:[.,:h/]\d+)*")
_WORD = re.compile(r"\w+")
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_MARKS = re.compile(r"(?<!\d)[.,:]|[.,:](?!\d)|[^\w\s.,:+\-/%$€£#°&<>=*'\"]")
_SIGNS = re.compile(r"[+#*%]|(?<=\w)-(?!\w)|(?<!\w)-(?=\w)|(?<![\w'’])[A-Z](?![\w'’])")
_LONE = frozenset("AEIO")  # small words at the head of a sentence
_NAME = re.compile(r"(?<=[\w,;'’] )[A-ZÀ-Þ]\w+")


class Rule(StrEnum):
    """What tells that two items are one."""

    WORDS = "words"  # the same words
    VALUE = "value"  # the same value of one attribute
    PART = "part"  # one value is the other said less exactly
    IMPLIED = "implied"  # one follows from the other
    MEANING = "meaning"  # a mind is sure of it


@dataclass(frozen=True, slots=True)
class Why:
    """Why two items are the same thing; `wider`: the one that says all of both, where one says more."""

    rule: Rule
    text: str
    wider: str | None = None
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """One item that stays, and those that end in it, each for a reason."""

    keep: KnowledgeItem
    others: tuple[KnowledgeItem, ...]
    whys: tuple[Why, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.keep.id, *(other.id for other in self.others))

    @property
    def why(self) -> str:
        return "; ".join(dict.fromkeys(why.text for why in self.whys))


Same = tuple[KnowledgeItem, KnowledgeItem, Why]
"""Two items that are one."""


def same_thing(
    old: KnowledgeItem, new: KnowledgeItem, comparison: Comparison | None, *, policy: GardenPolicy
) -> Why | None:
    """Why two items are one, by rules and, where a mind compared them, by what it said; None: they are two."""
    if not _comparable(old, new):
        return None
    by_rule = _implied(old, new)
    if by_rule is None and _of_one_field(old, new):
        by_rule = _said_twice(old, new)
    if by_rule is not None:
        return replace(by_rule, comparison=comparison)
    if comparison is None or comparison.same < policy.same_at_least or comparison.contradicts >= CONTRADICTS:
        return None
    if not may_mean_the_same(old, new):
        return None
    text = f"the same in other words ({comparison.same:.2f})"
    return Why(Rule.MEANING, text, wider=_fuller(old, new), comparison=comparison)


def may_mean_the_same(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether a mind's word could make them one: nothing plain to see tells them apart."""
    if not _comparable(old, new) or not _of_one_field(old, new) or old.type is KnowledgeType.EMOTION:
        return False
    if not DOSED.isdisjoint((old.attribute, new.attribute)):
        return False  # when and how much matter too much
    if old.attribute is not None and old.attribute == new.attribute and not _may_be_one_value(old, new):
        return False
    return _details(old.content) == _details(new.content)


def _may_be_one_value(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether two values of one attribute could be one in other words: as many words, alike one by one."""
    mine, theirs = old.value, new.value
    if mine is None or theirs is None:
        return True
    alike = len(words_of(mine)) == len(words_of(theirs)) and overlap(mine, theirs) == 1.0
    return alike and not is_single(old.attribute) and _signs(mine) == _signs(theirs)


def type_class(item: KnowledgeItem) -> str:
    """Items of two classes are never one."""
    return "state" if item.type in STATES else item.type.value


def mouth(item: KnowledgeItem) -> str:
    """Who says it."""
    return item.speaker or item.scope.user


def content_key(item: KnowledgeItem) -> str:
    """Its words, folded and without the marks that say nothing: A+ and A- are two, and so are C and C#."""
    plain = _COMMA.sub(".", fold(item.content)).replace("’", "'")
    return " ".join(_MARKS.sub(" ", plain).split())


def _comparable(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Of one person's memory, place and mouth, of one kind and time, and neither in question."""
    return (
        old.id != new.id
        and old.scope == new.scope
        and fold(old.subject) == fold(new.subject)
        and mouth(old) == mouth(new)
        and reaches(old.place, new.place)
        and reaches(new.place, old.place)
        and type_class(old) == type_class(new)
        and old.type not in UNMERGED
        and not (old.needs_resolution or new.needs_resolution)
        and not (old.validated and new.validated)
        and _same_moment(old.expires_at, new.expires_at)
        and _same_moment(old.held_until, new.held_until)
        and (old.type is not KnowledgeType.MEMORY or abs(old.held_from - new.held_from) <= ONE_DAY)
    )


def _same_moment(one: datetime | None, other: datetime | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= ONE_DAY


def _of_one_field(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether their attributes do not set them apart; a former or opposite one always does."""
    if old.attribute == new.attribute:
        return True
    named = [attribute for attribute in (old.attribute, new.attribute) if attribute is not None]
    return len(named) == 1 and not named[0].startswith(FORMER) and named[0] not in OPPOSITES


def _said_twice(old: KnowledgeItem, new: KnowledgeItem) -> Why | None:
    values_differ = (
        old.attribute is not None
        and old.attribute == new.attribute
        and old.value is not None
        and new.value is not None
        and not same(old.attribute, old.value, new.value)
    )
    if content_key(old) == content_key(new):
        return None if values_differ else Why(Rule.WORDS, "the same words")
    if old.attribute is None or old.attribute != new.attribute or _negated(old.content) != _negated(new.content):
        return None
    if _same_value(old, new):
        fuller = _fuller(old, new)
        if fuller is None and old.attribute in DOSED and words_of(old.content) != words_of(new.content):
            return None  # one may tell when or how much, and the other not
        return Why(Rule.VALUE, f"the same {_worded(old.attribute)}", wider=fuller)
    for one, other in ((old, new), (new, old)):
        if old.attribute in PLACES and _is_part(one.value, other.value):
            return Why(Rule.PART, f"{_worded(old.attribute)} said more exactly", wider=other.id)
    return None


def _fuller(old: KnowledgeItem, new: KnowledgeItem) -> str | None:
    """The one that holds all the words of the other and more."""
    mine, theirs = words_of(old.content), words_of(new.content)
    return old.id if mine > theirs else new.id if theirs > mine else None


def _same_value(old: KnowledgeItem, new: KnowledgeItem) -> bool:
    """Whether both have one value: its words, its figures one after another, and signs and letters that stand alone."""
    mine, theirs = old.value, new.value
    if mine is None or theirs is None or not same(old.attribute, mine, theirs):
        return False
    if re.findall(r"\d", mine) != re.findall(r"\d", theirs) or _signs(mine) != _signs(theirs):
        return False
    return is_single(old.attribute) or _figures(old.content) == _figures(new.content)


def _signs(value: str) -> frozenset[str]:
    """What small marks and letters say: A+ and A-, C and C#, hepatitis A and B."""
    return frozenset(_SIGNS.findall(value))


def _implied(old: KnowledgeItem, new: KnowledgeItem) -> Why | None:
    if type_class(old) != "state":
        return None
    first, second = state(old), state(new)
    if first is None or second is None:
        return None
    if first == second:
        return Why(Rule.VALUE, f"both say: {_worded(first)}")
    for wide, narrow, by in ((first, second, old), (second, first, new)):
        if narrow in implied(wide):
            return Why(Rule.IMPLIED, f"{_worded(wide)} says {_worded(narrow)} as well", wider=by.id)
    return None


def _is_part(value: str | None, whole: str | None) -> bool:
    """Whether one value is the other said less exactly: "Recife" and "Boa Viagem, Recife"."""
    if value is None or whole is None:
        return False
    mine, theirs = words_of(value), words_of(whole)
    return bool(mine) and mine < theirs and not any(map(str.isdigit, "".join(theirs)))


def _details(content: str) -> tuple[frozenset[str], frozenset[str], frozenset[str], bool]:
    """What tells two statements apart however alike they sound: figures, signs, names and a "not"."""
    return (
        _figures(content),
        _signs(content) - _LONE,
        frozenset(fold(name) for name in _NAME.findall(content)),
        _negated(content),
    )


def _figures(content: str) -> frozenset[str]:
    folded = fold(content)
    counted = (_COUNTED[word] for word in _WORD.findall(folded) if word in _COUNTED)
    return frozenset((*_FIGURE.findall(folded), *counted))


def _negated(content: str) -> bool:
    return _NOT.search(re.sub(r"['’]", "", fold(content))) is not None


def _worded(name: str) -> str:
    return name.replace("_", " ")


# ── which stays ───────────────────────────────────────────────────────────────────────────────────────────────────


Standing = tuple[bool, int, bool, bool, datetime, str]


def standing(item: KnowledgeItem) -> Standing:
    """Of two that say the same the lower stays: confirmed, resting on more, better told apart, older."""
    return (
        not item.validated, RESTS_ON[item.source], item.attribute is None, item.value is None, item.created_at, item.id,
    )  # fmt: skip


def keeper_of(old: KnowledgeItem, new: KnowledgeItem, why: Why) -> tuple[KnowledgeItem, KnowledgeItem] | None:
    """The one that stays and the one that ends in it.

    None where the one that says more rests on less: a guess does not take in what was said, nor anything what the
    person confirmed.
    """
    keep, other = sorted((old, new), key=standing)
    if why.wider in (None, keep.id):
        return keep, other
    if keep.validated or RESTS_ON[other.source] > RESTS_ON[keep.source]:
        return None
    return other, keep


def merged(keep: KnowledgeItem, other: KnowledgeItem, now: datetime) -> tuple[KnowledgeItem, KnowledgeItem]:
    """The one kept, with what the other brings, and the other, ended by it. What is validated stays as it is, but for
    being local-only where the other is.

    The kept one's words and confidence never change; it counts as said again when either was.
    """
    if keep.validated:
        return kept_local(keep, keep.local_only or other.local_only, now), superseded(other, keep, now)
    sources = tuple(dict.fromkeys((*keep.message_ids, *other.message_ids)))
    if len(sources) > MOST_SOURCES:
        sources = (*sources[: MOST_SOURCES // 2], *sources[-MOST_SOURCES // 2 :])
    related = (id for id in (*keep.related, *other.related) if id not in (keep.id, other.id))
    kept = replace(
        keep,
        message_ids=sources,
        note_id=keep.note_id or other.note_id,
        observations=keep.observations + other.observations,
        reinforced_at=max(keep.reinforced_at or keep.held_from, other.reinforced_at or other.held_from),
        related=tuple(dict.fromkeys(related)),
        tags=tuple(dict.fromkeys((*keep.tags, *other.tags))),
        person={**other.person, **keep.person},
        weight=max(keep.weight, other.weight),
        local_only=keep.local_only or other.local_only,
        updated_at=now,
        version=keep.version + 1,
    )
    return kept, superseded(other, kept, now)


def gathered(merge: Merge, now: datetime) -> tuple[KnowledgeItem, tuple[KnowledgeItem, ...]]:
    """The one kept with what all the others bring, at its next version, and the others ended."""
    kept, ended = merge.keep, []
    for other in merge.others:
        kept, past = merged(kept, other, now)
        ended.append(past)
    if kept is not merge.keep:
        kept = replace(kept, version=merge.keep.version + 1)
    return kept, tuple(ended)


def grouped(pairs: Iterable[Same]) -> list[Merge]:
    """Merges from pairs that are the same, each item in one of them at most, whatever order the pairs come in.

    An item takes in only those it is the same as itself: with a~b and b~c alone, c stays until a rule joins it to a.
    """
    rows: dict[str, KnowledgeItem] = {}
    taking: dict[str, dict[str, Why]] = {}
    outdone: set[str] = set()
    for old, new, why in pairs:
        chosen = keeper_of(old, new, why)
        if chosen is not None:
            keep, other = chosen
            rows[keep.id], rows[other.id] = keep, other
            taking.setdefault(keep.id, {})[other.id] = why
            outdone.add(other.id)
    merges: list[Merge] = []
    used: set[str] = set()
    for row in sorted(rows.values(), key=lambda row: (row.id in outdone, standing(row))):
        if row.id in used:
            continue
        others = {id: why for id, why in sorted(taking.get(row.id, {}).items()) if id not in used}
        if others:
            used |= {row.id, *others}
            merges.append(Merge(row, tuple(rows[id] for id in others), tuple(others.values())))
    return sorted(merges, key=lambda merge: merge.keep.id)


def still_same(
    merges: Sequence[Merge], rows: dict[str, KnowledgeItem], now: datetime, policy: GardenPolicy
) -> list[Merge]:
    """The merges again, over rows as they are now: what is no longer held or no longer the same is left out."""
    pairs = []
    for merge in merges:
        keep = rows.get(merge.keep.id)
        for other, why in zip(merge.others, merge.whys, strict=True):
            fresh = rows.get(other.id)
            if keep is None or fresh is None or not (keep.is_current(now) and fresh.is_current(now)):
                continue
            again = same_thing(keep, fresh, why.comparison, policy=policy)
            if again is not None:
                pairs.append((keep, fresh, again))
    return grouped(pairs)


PAGE = 1_000
ASKED_AT_ONCE = 64
MOST_ASKED = 5_000  # pairs put to a mind in one go, the nearest first
MOST_LOOKED_AT = 5_000  # items whose neighbours are looked for in one go, the newest
AT_A_STRETCH = 50  # rows or pairs looked at before others have their turn: a server answers meanwhile
STATES_TRIED = 3  # items of the wider state each one of a narrower is tried with

log = logging.getLogger(__name__)

Pair = tuple[str, str]
Group = tuple[str, str, str, str]
"""Subject, space, mouth and class of type: items of two groups are never one."""


class _Sorted:
    """A memory sorted by what its items could share, without the items themselves."""

    def __init__(self) -> None:
        self._alike: dict[tuple[object, ...], list[tuple[datetime, Standing]]] = defaultdict(list)
        self._states: dict[Group, dict[str, list[Standing]]] = defaultdict(lambda: defaultdict(list))

    def add(self, item: KnowledgeItem) -> None:
        group: Group = (fold(item.subject), item.place.space or "", mouth(item), type_class(item))
        day = item.held_from.date() if item.type is KnowledgeType.MEMORY else None  # events of one day may be one
        held = (item.held_from, standing(item))
        self._alike[group, day, content_key(item)].append(held)
        if item.attribute is not None and item.value is not None:
            self._alike[group, item.attribute, words_of(item.value)].append(held)
        if (told := state(item)) is not None:
            self._states[group][told].append(held[1])

    def pairs(self) -> Iterator[Pair]:
        """Pairs that rules may find to be one: each with the first and the one before it, so as many as there are."""
        for alike in self._alike.values():
            first = min(one for _, one in alike)[-1]
            ordered = [one[-1] for _, one in sorted(alike, key=lambda row: (row[0], row[1][-1]))]
            yield from ((first, id) for id in ordered if id != first)
            yield from pairwise(ordered)
        for states in self._states.values():
            ids = {told: [one[-1] for one in sorted(alike)] for told, alike in states.items()}
            for told, rows in ids.items():
                yield from ((rows[0], row) for row in rows[1:])
                for narrower in sorted(implied(told) & ids.keys()):
                    yield from ((wide, row) for wide in rows[:STATES_TRIED] for row in ids[narrower])


class Merger(Task):
    """Finds what says the same thing. It changes nothing by itself: `write` puts merges into a change."""

    async def near(self, scope: Scope, ids: Sequence[str]) -> list[Merge]:
        """Duplicates of these items among all that is held; the cost is theirs and the store's search for each."""
        now, garden = self._clock(), self._policy.garden
        asked = await self._in_question(scope)
        held = await self._store.get(scope, KnowledgeItem, ids)
        items = {item.id: item for item in held if _may_merge(item, now) and item.id not in asked}
        vectors = await self._stored_vectors(scope, list(items))
        try:
            vectors |= await self._embedded([item for id, item in items.items() if id not in vectors])
        except MindError as exc:
            log.warning("%d items are not looked for by meaning: %s", len(items) - len(vectors), type(exc).__name__)
        near = await self._nearest(scope, vectors, min(self._policy.learn.near_at_least, garden.near_at_least))
        rows = await self._rows(scope, near, items)
        rows = {id: row for id, row in rows.items() if _may_merge(row, now) and id not in asked}
        near_enough = {pair for pair, cosine in near.items() if cosine >= garden.near_at_least}
        pairs, _ = await self._same(rows, sorted(near), near_enough)
        return await self._apart(scope, grouped(pairs))

    async def everywhere(
        self, scope: Scope, *, now: datetime | None = None, since: datetime | None = None
    ) -> list[Merge]:
        """Duplicates among all that is held of a scope, in the order of the ids that stay.

        `since`: what has not changed from then on was compared by its meaning before.
        """
        now = now or self._clock()
        memory, asked, held, new = _Sorted(), await self._in_question(scope), set[str](), list[str]()
        async for rows in pages(partial(self._store.page, scope, ItemFilter(now=now)), limit=PAGE):
            for number, item in enumerate(rows):
                if number % AT_A_STRETCH == 0:
                    await asyncio.sleep(0)
                if _may_merge(item, now) and item.id not in asked:
                    memory.add(item)
                    held.add(item.id)
                    if since is None or item.updated_at > since:
                        new.append(item.id)
        same: list[Same] = []
        for some in batches(sorted({_pair(*pair) for pair in memory.pairs()}), PAGE):
            same += (await self._same(await self._rows(scope, some), some))[0]
        near: dict[Pair, float] = {}
        for page in batches(new[:MOST_LOOKED_AT], PAGE):
            vectors = await self._stored_vectors(scope, page)
            near |= await self._nearest(scope, vectors, self._policy.garden.near_at_least)
        known = {_pair(old.id, new.id) for old, new, _ in same}
        room = MOST_ASKED
        nearest = sorted(near, key=lambda pair: (-near[pair], pair))
        for some in batches([pair for pair in nearest if pair not in known and held.issuperset(pair)], PAGE):
            more, asked_about = await self._same(await self._rows(scope, some), some, set(some), most=room)
            room -= asked_about
            same += more
            if room <= 0:
                break
        return await self._apart(scope, grouped(same))

    async def renewed(self, scope: Scope, merges: Sequence[Merge]) -> list[Merge]:
        """The merges over rows as they are now, without those that do not hold any more or are done."""
        ids = list(dict.fromkeys(id for merge in merges for id in merge.ids))
        asked = await self._in_question(scope)
        rows = {row.id: row for row in await self._store.get(scope, KnowledgeItem, ids) if row.id not in asked}
        return still_same(merges, rows, self._clock(), self._policy.garden)

    def write(self, change: Change, merges: Sequence[Merge], scope: Scope) -> list[Op]:
        """Put merges into a change, each row once; what is to be done beside it, for rows with other words now."""
        now = self._clock()
        other_words: list[str] = []
        for merge in merges:
            kept, ended = gathered(merge, now)
            if kept is not merge.keep:
                change.put(kept, merge.keep, verb="merge", why=merge.why, brief=True)
                if item_text(kept) != item_text(merge.keep):
                    other_words.append(kept.id)
            for past, other, why in zip(ended, merge.others, merge.whys, strict=True):
                change.put(past, other, verb="merge", why=why.text, brief=True)
        return self._index(scope, Kind.ITEM, other_words)

    # ── finding pairs ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _nearest(self, scope: Scope, vectors: Mapping[str, Vector], at_least: float) -> dict[Pair, float]:
        """Pairs of items with others whose vectors lie near, in one look, and their cosines."""
        found = await self._store.nearest(
            scope, Kind.ITEM, self._embedder.name, list(vectors.values()),
            limit=4 * self._policy.garden.compared, at_least=at_least,
        )  # fmt: skip
        return {
            _pair(id, other): cosine
            for id, hits in zip(vectors, found, strict=True)
            for other, cosine in hits
            if other != id
        }

    async def _stored_vectors(self, scope: Scope, ids: Sequence[str]) -> dict[str, Vector]:
        found = await self._store.vectors(scope, Kind.ITEM, self._embedder.name, [(id, 0) for id in ids])
        return {id: vector for (id, _), vector in found.items()}

    async def _embedded(self, items: Sequence[KnowledgeItem]) -> dict[str, Vector]:
        """The vectors of those items that may be embedded, made now."""
        items = [item for item in items if not (item.local_only and self._embeds_outside)]
        vectors = await self._embedder.embed([item_text(item) for item in items]) if items else []
        return {item.id: vector for item, vector in zip(items, vectors, strict=True)}

    # ── judging them ──────────────────────────────────────────────────────────────────────────────────────────────

    async def _rows(
        self, scope: Scope, pairs: Iterable[Pair], known: Mapping[str, KnowledgeItem] | None = None
    ) -> dict[str, KnowledgeItem]:
        rows = dict(known or {})
        unread = sorted({id for pair in pairs for id in pair if id not in rows})
        return rows | {row.id: row for row in await self._store.get(scope, KnowledgeItem, unread)}

    async def _same(
        self,
        rows: Mapping[str, KnowledgeItem],
        pairs: Sequence[Pair],
        near: Set[Pair] = frozenset(),
        most: int = MOST_ASKED,
    ) -> tuple[list[Same], int]:
        """Which pairs are one: by rules, and of the near ones by asking a mind; and how many it was asked about."""
        garden, same = self._policy.garden, []
        open_pairs: list[tuple[KnowledgeItem, KnowledgeItem]] = []
        for number, pair in enumerate(pairs, start=1):
            if number % AT_A_STRETCH == 0:
                await asyncio.sleep(0)
            if pair[0] not in rows or pair[1] not in rows:
                continue
            old, new = sorted((rows[pair[0]], rows[pair[1]]), key=lambda row: (row.created_at, row.id))
            why = same_thing(old, new, None, policy=garden)
            if why is not None:
                same.append((old, new, why))
            elif pair in near and may_mean_the_same(old, new):
                open_pairs.append((old, new))
        open_pairs = open_pairs[:most]
        for (old, new), comparison in zip(open_pairs, await self._compared(open_pairs), strict=False):
            why = same_thing(old, new, comparison, policy=garden)
            if why is not None:
                same.append((old, new, why))
        return same, len(open_pairs)

    async def _compared(self, pairs: Sequence[tuple[KnowledgeItem, KnowledgeItem]]) -> list[Comparison]:
        """What a mind says of pairs, the older first; of none any more once it cannot answer."""
        compared: list[Comparison] = []
        try:
            for some in batches(pairs, ASKED_AT_ONCE):
                compared += await self._reader.compare([(old.content, new.content) for old, new in some])
        except MindError as exc:
            log.warning("%d pairs stay apart for now: %s", len(pairs) - len(compared), type(exc).__name__)
        return compared

    async def _apart(self, scope: Scope, merges: Sequence[Merge]) -> list[Merge]:
        """The merges without those that were made before and taken back: whoever did that knows them to be two."""
        kept: list[Merge] = []
        for merge in merges:
            stay = [
                (other, why)
                for other, why in zip(merge.others, merge.whys, strict=True)
                if not await self._was_parted(scope, merge.keep, other)
                and not await self._was_parted(scope, other, merge.keep)
            ]
            if stay:
                kept.append(Merge(merge.keep, tuple(other for other, _ in stay), tuple(why for _, why in stay)))
        return kept

    async def _in_question(self, scope: Scope) -> set[str]:
        """The sides of what the person is being asked: a merge would take the ground from under the question."""
        cases = await all_rows(partial(self._store.page, scope, CaseFilter(open_only=True)), limit=PAGE)
        return {id for case in cases for id in (case.old_id, case.new_id)}

    async def _was_parted(self, scope: Scope, one: KnowledgeItem, other: KnowledgeItem) -> bool:
        """Whether one was ended by the other in a merge, and is held again."""
        if one.version == 1:
            return False
        trail = await self._store.trail(scope, Target.ITEM, one.id)
        return any(entry.verb == "merge" and (entry.after or {}).get("superseded_by") == other.id for entry in trail)


def _may_merge(item: KnowledgeItem, now: datetime) -> bool:
    return item.is_current(now) and item.type not in UNMERGED and not item.needs_resolution


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)
