"""Making the compact user memory: what is said of someone in few tokens, and what goes when room is short."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain, islice
from typing import Any, TypedDict

from relembra.domain.knowledge import FAVORITE, FORMER, HEALTH, DoubtedItem, KnowledgeItem, KnowledgeType
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.text import bare_words, escaped, fold, quoted, shortened
from relembra.minds.port import Tokens
from relembra.recall.rendering import HEADINGS, MEMORY_TITLES, against, hedged, short_date, told
from relembra.views import timeline
from relembra.views.profile import Closeness, Person, is_challenge, is_past_feeling

SHORT_NAMES = {
    KnowledgeType.FACT: "bio",
    KnowledgeType.PREFERENCE: "pref",
    KnowledgeType.EMOTION: "emo",
    KnowledgeType.GOAL: "obj",
    KnowledgeType.PERSON: "per",
    KnowledgeType.MEMORY: "mem",
    KnowledgeType.INSIGHT: "ins",
}

SHORTEST_ID = 8


class MinifiedFact(TypedDict):
    """One item in short: id, type, content, weight, and since when as YYMMDD."""

    i: str
    t: str
    c: str
    w: float
    d: str


def minified(items: Iterable[KnowledgeItem], *, now: datetime, speaker: str | None = None) -> list[MinifiedFact]:
    """What is held now, the most important first; ids are as long as telling these items apart takes."""
    current = timeline.held(items, now, speaker=speaker)
    length = _telling_apart([item.id for item in current])
    return [
        MinifiedFact(
            i=_digits(item.id)[-length:],
            t=SHORT_NAMES[item.type],
            c=escaped(told(item, item.language)),
            w=round(item.weight, 2),
            d=f"{timeline.day_of(item.held_from, item.zone):%y%m%d}",
        )
        for item in current
    ]


def dumped(facts: Sequence[MinifiedFact]) -> str:
    """The list as JSON without a character too many."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def _telling_apart(ids: Sequence[str]) -> int:
    """How many of the last digits make all ids different; the first ones are a time, and much alike."""
    digits = [_digits(id) for id in ids]
    longest = max(map(len, digits), default=SHORTEST_ID)
    for length in range(SHORTEST_ID, longest):
        if len({one[-length:] for one in digits}) == len(digits):
            return length
    return longest


def _digits(id: str) -> str:
    return id.replace("-", "")


TITLES = {language: {"memory": HEADINGS[language]["memory"], **titles} for language, titles in MEMORY_TITLES.items()}
FACTS = ("pronouns", "age", "location", "occupation", "timezone", "communication_style", "family_context")
LISTS = ("health", "current_goals", "current_challenges", "top_of_mind", "values", "learnt_patterns")


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMemory:
    """What an assistant should always know about a person; every list has the most important first."""

    name: str
    pronouns: str | None = None
    age: int | None = None
    location: str | None = None
    occupation: str | None = None
    family_context: str | None = None
    health: tuple[str, ...] = ()  # what could harm the person, or those close to them
    current_goals: tuple[str, ...] = ()
    current_challenges: tuple[str, ...] = ()
    top_of_mind: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    communication_style: str | None = None
    timezone: str | None = None
    learnt_patterns: tuple[str, ...] = ()
    language: str = "en"  # of the words that are not the person's own
    version: int = 1
    made_at: datetime
    last_consolidated_at: datetime | None = field(default=None, compare=False)  # when a night last worked on it
    tokens: int = field(default=0, compare=False)  # of its text; counted when it is made

    @property
    def text(self) -> str:
        """The block for a prompt, in its own language."""
        return rendered(self)


def rendered(memory: UserMemory, language: str | None = None) -> str:
    """The memory as text, with what is remembered quoted; one without even a name is no text."""
    titles = TITLES[language or memory.language]
    rows = ["## " + titles["memory"].format(name=quoted(memory.name))] if memory.name else []
    for part in FACTS:
        value = getattr(memory, part)
        if value is not None:
            rows.append(f"{titles[part]}: {value}" if isinstance(value, int) else f"{titles[part]}: {quoted(value)}")
    for part in LISTS:
        if lines := getattr(memory, part):
            rows += [f"{titles[part]}:", *(f"- {quoted(line)}" for line in lines)]
    return "\n".join(rows)


def changed_parts(before: UserMemory | None, after: UserMemory) -> tuple[str, ...]:
    """The names of the parts that differ; of those there are, where there was none before."""
    if before is None:
        return tuple(name for name in (*FACTS, *LISTS) if getattr(after, name))
    return tuple(name for name in (*FACTS, *LISTS) if getattr(after, name) != getattr(before, name))


def to_body(memory: UserMemory) -> dict[str, Any]:
    """The memory as plain JSON values, to be stored: all but what can be counted or read again."""
    body = {part.name: getattr(memory, part.name) for part in fields(UserMemory) if part.compare}
    return body | {name: list(body[name]) for name in LISTS} | {"made_at": memory.made_at.isoformat()}


def from_body(body: Mapping[str, Any]) -> UserMemory:
    """The memory of stored JSON values."""
    import msgspec  # not at import time: it would double the package's start

    return msgspec.convert(dict(body), UserMemory)


BUDGET_TOKENS = 800
SURE = ConfidencePolicy()
FLOOR = 5 / 8  # of the budget: below it, lines beyond the usual number are taken too
RECENT = timedelta(days=14)
LONGEST_LINE = 160
MOST_FAMILY = 8
LONGEST_FAMILY_LINE = 300

BIRTHDAY = {"en": "birthday: {name}", "pt": "aniversário: {name}"}
OWN_BIRTHDAY = {"en": "their own birthday", "pt": "o próprio aniversário"}

_USUAL = {
    **{"health": 12, "current_goals": 8, "current_challenges": 6, "top_of_mind": 8, "values": 5},
    "learnt_patterns": 10,
}
_MOST_WANTED = (
    *("pronouns", "health", "location", "occupation", "family_context", "age", "current_goals", "current_challenges"),
    *("communication_style", "timezone", "learnt_patterns", "top_of_mind", "values"),
)

_STATED_ELSEWHERE = frozenset(
    {"name", "nickname", "pronouns", "age", "birthday", "timezone", "residence", "employment", "occupation"}
    | {"communication", "marital_status", "children", "relation", "value"}
)
_ALONE = ("residence", "employment", "occupation", "pronouns")
_PATTERNS = frozenset(
    {"habit", "schedule", "wake_time", "bedtime", "diet", "likes", "dislikes"}
    | {"language", "skill", "opinion", "religion"}
)
_UTC = ("UTC", "Etc/UTC", "+00:00")
"""Clocks that nobody lives by: a program's own, where no other is known."""
PORTRAYED = tuple(sorted({*_STATED_ELSEWHERE, "deadline", "meeting", "contract", "goal", *_PATTERNS, *HEALTH}))
"""Attributes whose values are looked for however old they are; of anything else the newest tell enough."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One thing that may be taken into the memory: a whole fact, or one line of a list."""

    field: str
    value: int | str


def compact(
    items: Iterable[KnowledgeItem],
    people: Sequence[Person],
    *,
    name: str,
    now: datetime,
    language: str,
    tokens: Tokens,
    budget_tokens: int = BUDGET_TOKENS,
    version: int = 1,
    speaker: str | None = None,
    sure: ConfidencePolicy = SURE,
) -> UserMemory:
    """The memory whose text fits the budget in either language; the least important lines are the first to go.

    Goals come before challenges and these before patterns. The same values give the same memory, however ordered.
    """
    held = timeline.of_owner(timeline.held(items, now, speaker=speaker))
    mine = [_hedged(item, language, sure) for item in held]
    empty = UserMemory(name=shortened(name, LONGEST_LINE), language=language, version=version, made_at=now)
    if _size(empty, tokens) > budget_tokens:
        return replace(empty, name="")
    usual, further = _parts(mine, people, now=now, language=language, sure=sure)
    memory = _holding(empty, usual)
    while usual and _size(memory, tokens) > budget_tokens:
        usual.pop()
        memory = _holding(empty, usual)
        further = iter(())  # nothing less important comes in where something more important had to go
    for part in further:
        if tokens.count(rendered(memory)) >= budget_tokens * FLOOR:
            break
        longer = _holding(empty, [*usual, part])
        if _size(longer, tokens) <= budget_tokens:
            usual.append(part)
            memory = longer
    return replace(memory, tokens=tokens.count(rendered(memory)))


def _parts(
    mine: Sequence[KnowledgeItem], people: Sequence[Person], *, now: datetime, language: str, sure: ConfidencePolicy
) -> tuple[list[_Part], Iterator[_Part]]:
    """All there is to say, the most important first: what is usually said, and what is said where room is left, which
    is worded only as far as it is taken."""
    zone = timeline.zone_lived_in(mine, _value(timeline.newest(mine, "timezone", now)))
    today = timeline.day_of(now, zone or "+00:00").date()
    mine = [item for item in mine if not is_past_feeling(item, now)]
    mine = timeline.without(mine, health := [item for item in mine if item.attribute in HEALTH])
    health = _each_danger_once([*sorted(health, key=_health_rank), *_health_of(people, language, sure)])
    goals = [item for item in mine if timeline.is_goal(item)]
    hard = [item for item in timeline.without(mine, goals) if is_challenge(item, now)]
    plain = timeline.without(mine, [*goals, *hard])
    patterns = sorted(filter(_is_pattern, plain), key=_pattern_rank)
    coming = _upcoming(plain, people, today=today, language=language)
    other = [item for item in timeline.without(plain, patterns) if item.attribute not in _STATED_ELSEWHERE]
    fresh = _fresh(other, now=now, language=language)
    work = [item for name in ("occupation", "employment") if (item := timeline.newest(mine, name, now)) is not None]
    style = [item for item in mine if item.attribute == "communication"]
    values: dict[str, Iterable[int | str | None]] = {
        "pronouns": [_worded(timeline.newest(mine, "pronouns", now), language)],
        "age": [_age(mine, now, today)],
        "location": [_worded(timeline.newest(mine, "residence", now), language)],
        "occupation": [_joined(work, [_value(item) for item in work], ", ", language)],
        "timezone": [None if zone in _UTC else zone],
        "communication_style": [_joined(style, [item.content for item in style], "; ", language)],
        "family_context": [_family(mine, people, now, language)],
        "health": _contents(health, language),
        "current_goals": _contents(goals, language),
        "current_challenges": _contents(hard, language),
        "top_of_mind": _each_once(chain(coming, fresh)),
        "values": _contents([item for item in mine if item.attribute == "value"], language),
        "learnt_patterns": _contents(patterns, language),
    }
    rest = _contents(
        [item for item in other if timeline.planned_for(item) is None and now - item.held_from > RECENT], language
    )
    parts = {wanted: _parts_of(wanted, values[wanted]) for wanted in _MOST_WANTED}
    usual = [part for wanted, own in parts.items() for part in islice(own, _USUAL.get(wanted, 1))]

    def further() -> Iterator[_Part]:
        told = {part.value for part in usual}
        for part in chain.from_iterable(parts.values()):
            told.add(part.value)
            yield part
        yield from (_Part("learnt_patterns", text) for text in rest if text not in told)

    return usual, further()


def _parts_of(field: str, values: Iterable[int | str | None]) -> Iterator[_Part]:
    return (_Part(field, value) for value in values if value is not None)


def _each_once(texts: Iterable[str]) -> Iterator[str]:
    seen = set[str]()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def _holding(empty: UserMemory, parts: Sequence[_Part]) -> UserMemory:
    facts = {part.field: part.value for part in parts if part.field in FACTS}
    lists = {field: tuple(str(part.value) for part in parts if part.field == field) for field in LISTS}
    return replace(empty, **facts, **lists)  # type: ignore[arg-type]  # the fields' own kinds, by their names


def _size(memory: UserMemory, tokens: Tokens) -> int:
    """Its tokens in the language that needs more of them, so that it fits in whichever it is asked."""
    return max(tokens.count(rendered(memory, language)) for language in TITLES)


# ── what is said ──────────────────────────────────────────────────────────────────────────────────────────────────


def _age(mine: Sequence[KnowledgeItem], now: datetime, today: date) -> int | None:
    """By the birthday where its year is known, else the age told and the full years since then."""
    born = timeline.newest(mine, "birthday", now)
    if born is not None:
        for text in (born.value or "", born.content):
            birthday = timeline.read_birthday(text, language=born.language)
            if birthday is not None and (age := birthday.age(today)) is not None:
                return age
    told = timeline.newest(mine, "age", now)
    number = None if told is None else re.search(r"\d{1,3}", timeline.said(told))
    if told is None or number is None:
        return None
    since = timeline.day_of(told.held_from, told.zone).date()
    age = int(number[0]) + max(0, today.year - since.year - ((today.month, today.day) < (since.month, since.day)))
    return age if age <= timeline.OLDEST else None


def _family(mine: Sequence[KnowledgeItem], people: Sequence[Person], now: datetime, language: str) -> str | None:
    """Marital status, children, and the near ones with what they are: "casada; irmã Clara; gata Luna"."""
    near = sorted(
        (one for one in people if one.closeness in (Closeness.FAMILY, Closeness.PARTNER, Closeness.PETS)),
        key=lambda one: one.closeness is not Closeness.PARTNER,
    )
    stated = [item for name in ("marital_status", "children") if (item := timeline.newest(mine, name, now)) is not None]
    pieces = [item.content if timeline.said(item).isdigit() else timeline.said(item) for item in stated]
    for one in near[:MOST_FAMILY]:
        relation = one.relation or ""
        pieces.append(one.name if relation.casefold() in one.name.casefold() else f"{relation} {one.name}")
        stated += [item for item in one.items if item.attribute == "relation"]
    return _joined(stated, pieces, "; ", language, LONGEST_FAMILY_LINE)


def _health_rank(item: KnowledgeItem) -> tuple[int, float, str]:
    """What to be careful of first, and of it the newest."""
    return HEALTH.index(item.attribute or ""), -item.held_from.timestamp(), item.id


def _each_danger_once(items: Sequence[KnowledgeItem]) -> list[KnowledgeItem]:
    """Without those whose value stands in the words of another of the kind: "allergic to peanuts and penicillin"."""

    def stands_in(item: KnowledgeItem, other: KnowledgeItem) -> bool:
        if (other.subject, other.attribute) != (item.subject, item.attribute) or not item.value:
            return False
        if isinstance(item, DoubtedItem) or other.confidence < min(item.confidence, SURE.high):
            return False
        return re.search(rf"\b{re.escape(fold(item.value))}\b", fold(other.content)) is not None

    kept: dict[str, KnowledgeItem] = {}
    for item in sorted(items, key=lambda item: -len(item.content)):
        if not any(stands_in(item, other) for other in kept.values()):
            kept[item.id] = item
    return [item for item in items if item.id in kept]


def _hedged(item: KnowledgeItem, language: str, sure: ConfidencePolicy) -> KnowledgeItem:
    """An item in words that tell how sure it is, and its value too where that stands alone."""
    if (content := hedged(item.content, item, language, sure)) is item.content:
        return item
    value = item.value and (hedged(item.value, item, language, sure) if item.attribute in _ALONE else item.value)
    return replace(item, content=content, value=value)


def _health_of(people: Sequence[Person], language: str, sure: ConfidencePolicy) -> list[KnowledgeItem]:
    """The same of those close to the person, named where the words alone do not."""
    near = [one for one in people if one.closeness in (Closeness.FAMILY, Closeness.PARTNER)]
    rows = [(one, item) for one in near for item in one.items if item.attribute in HEALTH]
    ordered = [(one, _hedged(item, language, sure)) for one, item in sorted(rows, key=lambda row: _health_rank(row[1]))]
    return [
        item if one.name in item.content else replace(item, content=f"{one.name}: {item.content}")
        for one, item in ordered
    ]


def _upcoming(mine: Sequence[KnowledgeItem], people: Sequence[Person], *, today: date, language: str) -> list[str]:
    """Deadlines, meetings and birthdays of the days to come, the soonest first."""
    found: list[tuple[date, str, KnowledgeItem | None]] = []
    for item in mine:
        if (planned := timeline.planned_for(item)) is not None:
            found.append((planned, item.content, item))
        if item.attribute == "birthday" and (own := timeline.birthday_of(item)) is not None:
            found.append((own.next(today), OWN_BIRTHDAY[language], None))
    found += [
        (one.birthday.next(today), BIRTHDAY[language].format(name=one.name), None)
        for one in people
        if one.birthday is not None
    ]
    coming = sorted((row for row in found if today <= row[0] <= today + RECENT), key=lambda row: row[:2])
    return [_dated(text, day, language, item) for day, text, item in coming]


def _fresh(mine: Sequence[KnowledgeItem], *, now: datetime, language: str) -> Iterator[str]:
    """What was said in the last days, the newest first; something planned is dated by its day.

    Of two that contradict each other, neither: a context asks which is right.
    """
    found = [
        (item.held_from if item.held_from <= now else item.created_at, item.id, item)
        for item in _without_parts(one for one in mine if not one.needs_resolution)
    ]
    recent = (row for row in found if timedelta() <= now - row[0] <= RECENT)
    for since, _, item in sorted(recent, key=lambda row: row[:2], reverse=True):
        day = timeline.planned_for(item) or timeline.day_of(since, item.zone).date()
        yield _dated(item.content, day, language, item)


def _is_pattern(item: KnowledgeItem) -> bool:
    """Whether it is learnt about how the person is; what was once so is no pattern."""
    name = item.attribute or ""
    if name in _STATED_ELSEWHERE or name.startswith(FORMER):
        return False
    by_type = item.type in (KnowledgeType.INSIGHT, KnowledgeType.PREFERENCE)
    return by_type or name in _PATTERNS or name.startswith(FAVORITE)


def _pattern_rank(item: KnowledgeItem) -> tuple[float, float, str]:
    seen = 1 + math.log(max(item.observations, 1))
    return (-item.weight * item.confidence * seen, -item.held_from.timestamp(), item.id)


def _contents(items: Iterable[KnowledgeItem], language: str) -> list[str]:
    whole = _without_parts(items)
    return list(dict.fromkeys(told(item, language, shortened(item.content, LONGEST_LINE)) for item in whole))


def _without_parts(items: Iterable[KnowledgeItem]) -> list[KnowledgeItem]:
    """Without those whose words stand within another's that was learnt from the same message."""
    every = list(items)
    of_message: dict[str, list[str]] = {}
    for item in every:
        for id in item.message_ids:
            of_message.setdefault(id, []).append(_plain(item))

    def is_part(item: KnowledgeItem) -> bool:
        words = _plain(item)
        others = (other for id in item.message_ids for other in of_message[id] if other != words)
        return not isinstance(item, DoubtedItem) and any(f" {words} " in f" {other} " for other in others)

    return [item for item in every if not is_part(item)]


def _plain(item: KnowledgeItem) -> str:
    return " ".join(re.findall(r"\w+", fold(item.content)))


def _value(item: KnowledgeItem | None) -> str | None:
    return None if item is None else shortened(timeline.said(item), LONGEST_LINE)


def _worded(item: KnowledgeItem | None, language: str) -> str | None:
    """Its value, with what stands against it."""
    return None if item is None else told(item, language, _value(item))


def _joined(
    items: Iterable[KnowledgeItem], texts: Iterable[str | None], mark: str, language: str, limit: int = LONGEST_LINE
) -> str | None:
    """Texts as one line, cut where it is too long, and after it what stands against the items they are of."""
    each = [text for text in texts if text]
    within = {one for one in each for other in each if f" {fold(one)} " in f" {fold(other)} " and one != other}
    line = shortened(mark.join(text for text in dict.fromkeys(each) if text not in within), limit)
    return "; ".join([line, *filter(None, (against(item, language) for item in items))]) if line else None


def _dated(text: str, day: date, language: str, item: KnowledgeItem | None = None) -> str:
    written = re.search(rf" \((?:{day:%d/%m/%Y}|{day})(?P<hour>, [\dh:]+)?\)$", text)  # said once, in one manner
    bare, hour = (text, None) if written is None else (text[: written.start()], written["hour"])
    moment = datetime.combine(day, time(), UTC)
    line = shortened(bare_words(bare), LONGEST_LINE)
    line = line if item is None else told(item, language, line)
    return f"{line} ({short_date(moment, language)}{hour or ''})"
