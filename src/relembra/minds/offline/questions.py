"""What a question asks for: the words that carry it, whom and what it is about, and of what time.

How each language asks is in its `questions.toml`, the words of topics in its `topics.toml`. A question that does not
tell its language is read in all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache, partial
from typing import NamedTuple

from relembra.domain.knowledge import ADVICE, KINDS, TOPICS, KnowledgeType
from relembra.domain.message import Role
from relembra.domain.searchable import Inquiry, Period
from relembra.domain.text import collapsed, fold
from relembra.domain.time import check_time, in_utc
from relembra.minds.languages import (
    FALLBACK,
    LANGUAGES,
    Language,
    filled,
    in_any,
    known,
    pattern_of,
    words_in_any,
    words_of,
)
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.calendar import DateMention, Kind, Precision, plus_months, shifted
from relembra.minds.offline.date_grammar import grammar_of
from relembra.minds.offline.dates import read_dates
from relembra.minds.offline.language import STOP_WORDS, language_of
from relembra.minds.offline.names import FIRST_NAMES, RELATIONS
from relembra.minds.offline.text import Flat, flattened, split_sentences

_asks = partial(in_any, "questions")


RECENT = timedelta(days=30)
LONG_AGO_MONTHS = 12 * 50
MOST_DATES = 4
"""More than these do not narrow anything."""
_DAY = timedelta(days=1)
_HOURS = frozenset({Precision.MINUTE, Precision.HOUR})
_QUOTED = re.compile(r"\"[^\"]{1,200}\"|(?<!\w)'[^']{1,200}'(?!\w)|«[^»]{1,200}»")
_OPENING = re.compile(r"(?:^|[.!?,;:\n]\s*)$")
_GOES_ON = re.compile(rf"\s*(?:$|[^\w\s']|{_asks('goes_on').pattern})")
_LOOSE_IN = re.compile(_asks("loose_in").pattern, re.IGNORECASE)
# Said of itself, a mention is a time; otherwise it needs a word before it that makes it one.
_SAID = _asks("told", r"\d{1,2}[/.-]\d{1,2}|\b(?:19|20)\d\d-")
_CAPITAL_BEFORE = re.compile(r"[A-ZÀ-Ý][\wÀ-ÿ]* (?:d[eo] |of )?$")
_CAPITAL_AFTER = re.compile(r" (?!I\b)[A-ZÀ-Ý][a-zà-ÿ]+")


@dataclass(frozen=True, slots=True)
class _Stretch:
    begins: datetime
    ends: datetime
    start: int
    end: int
    precise: bool


def period_of(text: str, *, now: datetime, language: Language | None, past: bool) -> Period | None:
    """The one period named, or the whole that several span; `past`: the question's verbs look back."""
    text = _LOOSE_IN.sub("", text)
    flat = flattened(text)
    rolling = _rolling(flat, now)
    stretches = [rolling] if rolling else []
    quoted = [match.span() for match in _QUOTED.finditer(flat.text)]
    plain = Flat(flat.raw, flat.text)  # without places: spans stay those of the flat text until the end
    for mention in read_dates(flat.raw, plain, said_at=now, language=language):
        within = any(first <= mention.start < last for first, last in quoted)
        rolled = rolling is not None and mention.start < rolling.end and rolling.start < mention.end
        if within or rolled or _asks("vague").match(flat.text, mention.start) or not _narrows(flat, mention, past=past):
            continue
        try:
            stretch = _stretch(flat, mention, now=now, language=language, past=past)
        except (ValueError, OverflowError):
            continue
        if stretch is not None:
            stretches.append(stretch)
    if len(stretches) > MOST_DATES:
        return None
    if not stretches:
        today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        recent = now - RECENT if now.year > 1 else now
        loose = ((_asks("earlier_today").search(flat.text), today), (_asks("vague").search(flat.text), recent))
        stretches = [_Stretch(begins, now, *match.span(), False) for match, begins in loose if match][:1]
    return _whole(text, flat, stretches) if stretches else None


def _whole(text: str, flat: Flat, stretches: list[_Stretch]) -> Period | None:
    begins, ends = min(one.begins for one in stretches), max(one.ends for one in stretches)
    start, end = flat.span(min(one.start for one in stretches), max(one.end for one in stretches))
    try:
        begins, ends = begins.astimezone(UTC), ends.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if begins >= ends:
        return None
    return Period(start=begins, end=ends, text=text[start:end], precise=all(one.precise for one in stretches))


def _rolling(flat: Flat, now: datetime) -> _Stretch | None:
    """ "In the past week": so long, up to now."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for language in LANGUAGES:
        pattern = pattern_of(language, "questions", "rolling")
        if pattern and (match := pattern.search(flat.text)):
            begins = shifted(today, grammar_of(language).value("unit", match["unit"]), -1)
            return _Stretch(begins, now, *match.span("said"), True)
    return None


def _narrows(flat: Flat, mention: DateMention, *, past: bool) -> bool:
    """Whether a mention tells when, rather than naming an event, a habit, a length of time or a yearly day."""
    if mention.kind is not Kind.MOMENT:
        return False
    said = flat.text[mention.start : mention.end]
    if _SAID.search(said):
        return True
    before, after = flat.text[max(0, mention.start - 40) : mention.start], flat.text[mention.end : mention.end + 20]
    if (not past and _asks("birthday").search(flat.text)) or _asks("any_day").search(before):
        return False
    if _asks("event_before").search(before) or _CAPITAL_AFTER.match(flat.raw, mention.end):
        return False
    led = _asks("led").search(before)
    if said.isdigit():
        return (
            led is not None
            and not _asks("made_in").search(before)
            and not _CAPITAL_BEFORE.search(flat.raw, max(0, mention.start - 30), mention.start)
        )
    if after.startswith("'s") or not _GOES_ON.match(after):
        return False
    if led is not None or _OPENING.search(before):
        return True
    return _asks("alone", r"\d").match(said) is not None and not _asks("of").search(before)


def _stretch(
    flat: Flat, mention: DateMention, *, now: datetime, language: Language | None, past: bool
) -> _Stretch | None:
    said = flat.text[mention.start : mention.end]
    begins, ends, precise = mention.begins, mention.ends, not mention.approximate
    if _asks("ago").search(said) and mention.precision not in _HOURS:
        begins, ends = _about(mention, now)
    elif past and begins > now and not _asks("ahead").search(said):
        begins, ends = _last_time(flat.raw[mention.start : mention.end], now, language) or (begins, ends)
    before = flat.text[max(0, mention.start - 20) : mention.start]
    if _asks("until").match(said) or _asks("until_date").search(before):
        begins, precise = plus_months(begins, -LONG_AGO_MONTHS), False
    elif _asks("before_date").search(before):
        begins, ends, precise = plus_months(begins, -LONG_AGO_MONTHS), begins, False
    elif _asks("after_date").search(before):
        begins, ends, precise = ends, max(now, ends), False
    if begins >= ends:
        return None
    return _Stretch(begins, ends, mention.start, mention.end, precise)


def _about(mention: DateMention, now: datetime) -> tuple[datetime, datetime]:
    """Around so long ago: days exactly, weeks by three days, months and years by half of one; twice that if "some"."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    times = 2 if mention.approximate else 1
    months = (today.year - mention.begins.year) * 12 + today.month - mention.begins.month
    if mention.precision is Precision.WEEK:
        monday = today - today.weekday() * _DAY
        weeks = round((monday.date() - mention.begins.date()) / (7 * _DAY))
        middle = today - weeks * 7 * _DAY
        return middle - 3 * times * _DAY, middle + (3 * times + 1) * _DAY
    if mention.precision is Precision.MONTH:
        middle = plus_months(today, -months)
        return middle - 15 * times * _DAY, middle + (15 * times + 1) * _DAY
    if mention.precision is Precision.YEAR:
        middle = plus_months(today, -12 * (today.year - mention.begins.year))
        return plus_months(middle, -6 * times), plus_months(middle, 6 * times) + _DAY
    if mention.approximate:
        return mention.begins - _DAY, mention.ends + _DAY
    return mention.begins, mention.ends


def _last_time(said: str, now: datetime, language: Language | None) -> tuple[datetime, datetime] | None:
    """The occurrence that has begun already of something that was read as lying ahead."""
    for one in (language,) if language else LANGUAGES:
        clause = known(one, "questions")["looking_back"] + said
        for mention in read_dates(clause, flattened(clause), said_at=now, language=one):
            if mention.begins <= now:
                return mention.begins, mention.ends
    return None


_MOST_LAYERS = 8
_TAIL_CHARACTERS = 60
_LONGEST_SMALL_TALK = 60
_MARKS = r"[\s,.!?:;…\-–—]*+"
_EDGES = " \t\r\n,.!?:;…-–—()"
_LAUGHTER = r"(?:k{3,40}|(?:h[ae]){2,20}h?|(?:rs){1,20}|lo{1,20}l|lmao)"
_WRAPPED = _asks("head", rf"{_LAUGHTER}(?![a-z']){_MARKS}", MARKS=_MARKS).pattern
_HEAD = re.compile(rf"[\s,.!?:;…–—-]*+(?:{_WRAPPED})")
_TAIL = re.compile(rf"(?:[\s,.!?…]|(?<=\w)[\s]+)(?:{in_any('questions', 'tail', _LAUGHTER).pattern})[\s?!.,…]*+$")
_MIDDLE = _asks("middle")
_SMALL_TALK = _asks("small_talk", f"kk|{_LAUGHTER}")


def unwrapped(text: str) -> str:
    """What is asked, in the asker's own words; nothing where it is all greetings, thanks and the like."""
    pieces = []
    for start, end in split_sentences(text):
        check_time()
        pieces.append(_bare(text[start:end]))
    return " ".join(filter(None, pieces))


def _bare(sentence: str) -> str:
    """One sentence without its wrapping; nothing for small talk."""
    flat = flattened(sentence)
    raw, low = flat.raw, flat.text
    if "?" not in low and len(low) <= _LONGEST_SMALL_TALK and _SMALL_TALK.fullmatch(low.strip(_EDGES)):
        return ""
    start = 0
    for _ in range(_MOST_LAYERS):
        head = _HEAD.match(low, start)
        if head is None or head.end() == start:
            break
        if low[head.end() - 1].isalnum() and low[head.end() :][:1].isalnum():  # within a word
            break
        start = head.end()
    kept, end = low[start:].strip(_EDGES), len(low)
    if not kept or (len(kept) <= _LONGEST_SMALL_TALK and _SMALL_TALK.fullmatch(kept)):
        return ""
    asked = ""
    for _ in range(_MOST_LAYERS):
        tail = _TAIL.search(low, max(start, end - _TAIL_CHARACTERS), end)
        if tail is None or not low[start : tail.start()].strip(_EDGES):
            break
        asked = asked or ("?" if "?" in tail[0] else "")
        end = tail.start()
    cut = raw[start:end].rstrip(" ,") + asked if end < len(low) else raw[start:]
    middle = _MIDDLE.search(low, start, end)
    if middle:
        cut = raw[start : middle.start()] + "," + raw[middle.end() : end].rstrip(" ,") + asked
    return " ".join(cut.split()) if "\n" in cut else cut.strip()


LIGHT = 0.3
"""Of a word that only builds a question, or names a time that was understood."""

_BUILDING = words_in_any("questions", "building")


def weights_of(
    text: str, analyzer: BilingualAnalyzer, *, dated: str = "", called: Sequence[str] = ()
) -> dict[str, float]:
    """The terms of a question with their weights; a word with two stems shares its weight between them.

    `dated`: the words that named a time; `called`: names of speakers, whose own messages hardly say them. A question of
    nothing but small words is looked for by all of them.
    """
    named = {word for name in called for word in fold(name).split()}
    times = set(analyzer.terms(dated)) if dated else set()
    weights: dict[str, float] = {}
    for word, terms in analyzer.words(text):
        bare = fold(word).replace("’", "'")
        if bare.removesuffix("'s") in named:
            continue
        weight = LIGHT if bare in _BUILDING else 1.0
        for term in terms:
            share = weight / len(terms)
            if term in times:
                share = min(share, LIGHT)
            weights[term] = max(weights.get(term, 0.0), share)
    return weights or dict.fromkeys(analyzer.terms(text), 1.0)


def _voiced(text: str, called: Sequence[str], language: Language | None) -> str:
    """The question in the words of whom it names, as they would have said it: "my" for "Priya's", "I" for "Priya"."""
    names = "|".join(sorted(map(re.escape, called), key=len, reverse=True))
    flat = flattened(text)
    made, at = "", 0
    for match in re.finditer(rf"(?P<of>\b(?:do|da|de) )?\b(?:{names})\b(?P<s>['’]s?)?", flat.text):
        word = ("meu" if match["of"] else "eu") if language == "pt" else ("my" if match["s"] else "I")
        made, at = made + flat.raw[at : match.start()] + word, match.end()
    return made + flat.raw[at:]


LONGEST_NAME_WORDS = 5
_RELATIONS = frozenset(word for words in RELATIONS.values() for word in words.split("|"))
_NAME_WORD = re.compile(r"[^\W_]+")
_HANDLE = re.compile(r"(?<![\w@./])@(\w[\w.-]{0,63})")
# A relation word is the asker's own unless words around it give it to somebody else.
_MINE = _asks("mine")
_THEIRS_BEFORE = _asks("theirs_before")
_THEIRS_AFTER = _asks("theirs_after")
_LOOKED_BACK = 40
_AMBIGUOUS = words_in_any("questions", "ambiguous_names")
_NEVER_OPENING = STOP_WORDS | words_in_any("questions", "never_opening")


def handles_in(text: str) -> tuple[str, ...]:
    """Handles without their @, in order, each once however it is capitalised."""
    found: dict[str, str] = {}
    for match in _HANDLE.finditer(text):
        handle = match[1].rstrip(".-")
        found.setdefault(handle.casefold(), handle)
    return tuple(found.values())


def names_in(flat: Flat, known: Mapping[str, str]) -> tuple[str, ...]:
    """Subjects named, in order, each once: whole words, the longest name that fits first."""
    if not known:
        return ()
    spans = [match.span() for match in _NAME_WORD.finditer(flat.text)]
    plain = flat.raw.isascii()
    found: dict[str, None] = {}
    place = 0
    while place < len(spans):
        start = spans[place][0]
        for last in range(min(place + LONGEST_NAME_WORDS, len(spans)) - 1, place - 1, -1):
            end = spans[last][1]
            subject = known.get(flat.text[start:end])
            if subject is None and not plain:  # letters that flattening leaves alone, or a key that kept its accents
                name = flat.raw[start:end]
                subject = known.get(fold(name)) or known.get(name.lower())
            if subject is not None and _is_meant(flat, start, end):
                found.setdefault(subject)
                place = last
                break
        place += 1
    return tuple(found)


def _is_meant(flat: Flat, start: int, end: int) -> bool:
    """Whether the word is a name here: a relation of the asker's own, or a common word written as a name."""
    name = flat.text[start:end]
    if name in _RELATIONS:
        before = flat.text[max(0, start - _LOOKED_BACK) : start]
        if _MINE.search(before):
            return True
        return not _THEIRS_BEFORE.search(before) and not _THEIRS_AFTER.match(flat.text, end)
    if name in STOP_WORDS or name in _AMBIGUOUS:
        before = flat.raw[:start].rstrip()
        opens = not before or before[-1] in ".!?\n"
        return flat.raw[start].isupper() and (not opens or name not in _NEVER_OPENING)
    return True


_ROLE_WORD = re.compile(r"[a-z]+")


def role_of(core: str, text: str, language: Language | None) -> Role | None:
    """The assistant when its own earlier words are asked for; else the user when the asker speaks of themselves.

    `text` is the whole question, flat, and `core` what is left of it without its wrapping. Who asks to be reminded of a
    talk wants what they did not say themselves, unless they say they did.
    """
    if _asks("our_talk").search(text) and _asks("reminded").search(text) and not _asks("own_words").search(text):
        return Role.ASSISTANT
    spoken = (language,) if language else LANGUAGES
    for one in spoken:
        said, work, new = (pattern_of(one, "questions", name) for name in ("assistant", "assistants_work", "new_work"))
        owned = work.finditer(core) if work else ()
        is_old = any(not (new and new.search(core, max(0, made.start() - 30), made.start())) for made in owned)
        if is_old or (said and said.search(core)):
            return Role.ASSISTANT
    for one in spoken:
        by_itself = pattern_of(one, "questions", "first_person")
        if by_itself and by_itself.search(core):
            return Role.USER
        if language is not None:  # verbs alone tell only in a language that is sure
            ending, listed = pattern_of(one, "questions", "first_person_ending"), known(one, "questions")["words"]
            verbs, others = words_of(listed["first_person"]), words_of(listed["not_first_person"])
            for word in _ROLE_WORD.findall(core):
                if word in verbs or (ending is not None and ending.fullmatch(word) and word not in others):
                    return Role.USER
    return None


_TOLD = {language: known(language, "topics")["topics"] for language in LANGUAGES}
"""By language: each topic in a few words, and the words it is told by."""

MOST_TOPICS = 4
_SHORTEST_LOAN = 4
_SHORTEST_STEM = 4
_TOPIC_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_POSSESSIVE = re.compile(r"'s?$")
_NO_TOPIC = STOP_WORDS.union(
    *FIRST_NAMES.values(),
    *(words_of(known(language, "topics")["others"]) for language in LANGUAGES),
    *(known(language, "dates")["values"]["month"] for language in LANGUAGES),
)
_ACCENTED: dict[str, Sequence[str]] = {
    word: topics for language in LANGUAGES for word, topics in known(language, "topics")["accented"].items()
}


class _Table(NamedTuple):
    exact: dict[str, tuple[str, ...]]
    stems: dict[str, tuple[str, ...]]
    expressions: dict[str, list[tuple[tuple[str, ...], str]]]  # by their first word, longest first


def topics_in(flat: Flat, language: Language | None) -> tuple[str, ...]:
    """Topics, most told first, and of those told as often the first named first."""
    found: Counter[str] = Counter()
    spans = [match.span() for match in _TOPIC_WORD.finditer(flat.text)]
    words = [flat.text[start:end] for start, end in spans]
    tables = [_table(one) for one in ((language,) if language else LANGUAGES)]
    done = 0
    for place, (start, end) in enumerate(spans):
        if place < done:
            continue
        for table in tables:  # the longest expression that begins here, and every topic it tells of
            told = list[str]()
            for rest, topic in table.expressions.get(words[place], ()):
                if place + len(rest) + 1 < done:
                    break
                if tuple(words[place + 1 : place + 1 + len(rest)]) == rest:
                    done = place + len(rest) + 1
                    told.append(topic)
            if told:
                found.update(filter(None, told))
                break
        else:
            accented = _ACCENTED.get(flat.raw[start:end].lower())
            found.update(_of_word(words[place], language) if accented is None else accented)
    return tuple(sorted(found, key=lambda topic: -found[topic])[:MOST_TOPICS])


@lru_cache(maxsize=20_000)
def _of_word(word: str, language: Language | None) -> tuple[str, ...]:
    word = _POSSESSIVE.sub("", word)
    for one in (language,) if language else LANGUAGES:
        if topics := _in_language(word, one):
            return topics
    if language and len(word) >= _SHORTEST_LOAN and word not in _NO_TOPIC:
        for one in LANGUAGES:
            if other := _table(one).exact.get(word):
                return other
    if "-" in word and word not in _NO_TOPIC:
        return tuple(dict.fromkeys(topic for part in word.split("-") for topic in _of_word(part, language)))
    return ()


def _in_language(word: str, language: Language) -> tuple[str, ...]:
    table = _table(language)
    if word in table.exact:
        return table.exact[word]
    if len(word) < 3 or word in _NO_TOPIC:
        return ()
    other = word.removesuffix("s") if word.endswith("s") else word + "s"  # for stems too short to be told by
    if other in table.exact:
        return table.exact[other]
    stem = _ANALYZER.stem(word, language)
    return table.stems.get(stem, ()) if len(stem) >= _SHORTEST_STEM else ()


_ANALYZER = BilingualAnalyzer()


@cache
def _table(language: Language) -> _Table:
    """Made once, when a question in this language is first read."""
    table = _Table({}, {}, {})
    for name, topic in _TOLD[language].items():
        for entry in topic["words"].split():
            if "_" in entry:
                first, *rest = entry.split("_")
                table.expressions.setdefault(first, []).append((tuple(rest), name))
                continue
            for index, key in ((table.exact, entry), (table.stems, _ANALYZER.stem(entry, language))):
                if name not in index.get(key, ()):
                    index[key] = (*index.get(key, ()), name)
    for one in LANGUAGES:
        for first, *rest in (entry.split("_") for entry in known(one, "topics")["idle"].split()):
            table.expressions.setdefault(first, []).append((tuple(rest), ""))
    for choices in table.expressions.values():
        choices.sort(key=lambda choice: -len(choice[0]))
    return table


@cache
def _kinds(language: Language) -> re.Pattern[str]:
    """How each kind of things is asked for in a language, under its name; what is told in other words ends in `_`."""
    asked = known(language, "questions")
    named = "|".join(f"(?P<{kind}>{words})" for kind, words in asked["kinds"].items())
    told = "|".join(f"(?P<{kind}_>{words})" for kind, words in asked["kinds_told"].items())
    pattern = filled(f"<LISTED>(?:{named})\\b|\\b(?:{told})", asked["parts"])
    return re.compile(pattern.replace("\n", ""))


def kinds_in(flat: str, language: Language | None) -> tuple[str, ...]:
    """The kinds of things that are asked for, each once, in order."""
    found = [match for one in ((language,) if language else LANGUAGES) for match in _kinds(one).finditer(flat)]
    return tuple(dict.fromkeys((match.lastgroup or "").removesuffix("_") for match in found))


_TIES = {
    kind: sorted({tie for one in LANGUAGES for tie in known(one, "questions")["ties"][kind].split()})
    for kind in known(FALLBACK, "questions")["ties"]
}
"""Which relations are of a kind, in any language: an item may be in another than the question."""


_SAID_DATE = re.compile(r"[^\W\d]")  # a word of it; figures alone may be a fraction
_GIVEN = re.compile(r"(?<=\S):\s|\n|```")  # what is to be worked on follows


class Task(NamedTuple):
    """Work to be done, or what anybody may know, in words that are not about the asker."""

    on_given: bool  # on words that are given with it, which tell nothing of the asker either


def task_in(asked: Flat, language: Language | None, dated: str) -> Task | None:
    """The task a request is; none where a word of it is about the asker, or names a time.

    What the work is done on stands behind a colon or in quotation marks, and is not looked at.
    """
    head = _QUOTED.sub(" ", _GIVEN.split(asked.text, maxsplit=1)[0]).lstrip()
    for one in (language,) if language else LANGUAGES:
        task, given, own = (pattern_of(one, "questions", name) for name in ("task", "given", "own"))
        opening = task.match(head) if task else None
        if opening is not None and own is not None and given is not None:
            is_dated = _SAID_DATE.search(dated) and fold(dated) in head
            if is_dated or own.search(head, opening.end()):
                return None
            return Task(on_given=len(head) < len(asked.text.rstrip()) and given.search(opening[0]) is not None)
    return None


LONGEST_LOOKED_AT = 40_000
READ_CHARACTERS = 4_000
"""Longer texts are judged by their end, where the question is."""
DATED_CHARACTERS = 1_500
"""As far back from the end as dates are looked for: those further up are a story's and not a question's."""

_KINDS = (KnowledgeType.PREFERENCE, KnowledgeType.GOAL, KnowledgeType.PERSON)
"""Kinds of knowledge that some words ask for, whatever the topic."""


class OfflineInquirer:
    """Reads questions by rules alone; safe to share between threads."""

    def topics(self, text: str, language: str | None) -> tuple[str, ...]:
        """What a text is about, most told first."""
        spoken = next((one for one in LANGUAGES if one == language), None)
        return topics_in(flattened(text[:READ_CHARACTERS]), spoken)

    def read(
        self, text: str, *, now: datetime, known: Mapping[str, str] = {}, speakers: Mapping[str, str] = {}
    ) -> Inquiry:
        """The question taken apart; `InvalidInputError` only for a moment without a timezone."""
        in_utc(now, "now")
        read = _end_of(collapsed(text[-LONGEST_LOOKED_AT:]), READ_CHARACTERS)
        language = language_of(read)
        asked = unwrapped(read)
        core = asked or read.strip() or read
        check_time()
        flat, bare = flattened(read), flattened(core)
        topics = topics_in(bare, language)
        check_time()
        role = role_of(bare.text, flat.text, language)
        # Where something new is wanted, what is liked matters and no date narrows.
        advice = role is not Role.ASSISTANT and _asks("advice").search(bare.text) is not None
        # How things were, not how they are: "used to", "antigamente", "onde eu morava".
        talk = _asks("earlier_talk").sub(" ", bare.text)
        is_lasting = _asks("before_something").search(talk) and _asks("lasting").search(talk)
        before = bool(_asks("before").search(talk) or (is_lasting and not _asks("not_before").search(talk)))
        before = before and not _asks("now_after_all").search(talk)
        check_time()
        looks_back = before or _asks("past").search(bare.text) is not None
        kinds = [kind for kind in _KINDS if _asks(kind.value).search(bare.text)]
        if advice:
            kinds.insert(0, KnowledgeType.PREFERENCE)
        dated = "" if advice else _end_of(read, DATED_CHARACTERS)
        check_time()
        period = period_of(dated, now=now, language=language, past=looks_back)
        spoken = names_in(flat, speakers)
        named = names_in(flat, known)
        called = [name for name, whom in speakers.items() if whom in spoken]
        task = None if named or spoken else task_in(bare, language, period.text if period else "")
        # One thing is not enough: a count, a list, or which came first.
        is_ranked = _asks("which").search(bare.text) and _asks("ranked").search(bare.text)
        is_several = bool(is_ranked or _asks("several").search(bare.text))
        kinds_asked = () if role is Role.ASSISTANT else kinds_in(bare.text, language)
        heeded = [name for topic in topics if advice for name in ADVICE.get(topic, ())]
        asked_for = [name for kind in kinds_asked for name in KINDS[kind]]
        return Inquiry(
            text=text,
            language=language,
            core=core,
            is_small_talk=(not asked and bool(read.strip())) or (task is not None and task.on_given),
            is_task=task is not None,
            names=named,
            speakers=spoken,
            voiced=_voiced(read, called, language) if spoken else None,
            mentions=handles_in(read),
            period=period,
            weights=weights_of(read, _ANALYZER, dated="" if period is None else period.text, called=called),
            topics=topics,
            about=_TOLD[language or FALLBACK][topics[0]]["said"] if topics else None,
            types=tuple(dict.fromkeys([*kinds, *(type for topic in topics for type in TOPICS[topic].types)])),
            areas=tuple(dict.fromkeys(area for topic in topics for area in TOPICS[topic].areas)),
            attributes=tuple(dict.fromkeys([*asked_for, *heeded])),
            ties=tuple(tie for kind in kinds_asked for tie in _TIES.get(kind, ())),
            role=role,
            past=before,
            ordered=is_several,
        )


def _end_of(text: str, limit: int) -> str:
    """The end of a long text, from the beginning of a word."""
    if len(text) <= limit:
        return text
    end = text[-limit:]
    space = end.find(" ")
    return end[space + 1 :] if 0 <= space < limit // 2 else end
