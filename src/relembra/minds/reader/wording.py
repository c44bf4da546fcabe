"""How what was read is worded: short sentences by templates, titles and summaries in people's own words."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from relembra.domain.candidate import Candidate, NoteText, Talk
from relembra.domain.knowledge import SELF, KnowledgeItem
from relembra.domain.message import Message, Role
from relembra.domain.text import fold, shortened
from relembra.minds.offline.analysis import lemma
from relembra.minds.offline.language import CHAT_WORDS, STOP_WORDS, Language, language_of
from relembra.minds.offline.names import RELATIONS
from relembra.minds.offline.text import split_sentences

__all__ = ["Phrase", "Vocabulary", "called", "sentence", "vocabulary"]

_FOLDER = Path(__file__).parent / "wording"
_VOWEL = re.compile(r"(?!uni|eu|one\b|us\b|uk\b)[aeiou]|hour|honest", re.IGNORECASE)
_UNCOUNTED = re.compile(r"(?:an?|the|my|our|self-employed|retired|unemployed|between|one of)\b|.*[^s]s$", re.IGNORECASE)
_JOINED = re.compile(r"\b(de|a) ([oa]s?) ", re.IGNORECASE)  # in Portuguese
_SEVERAL = re.compile(r"\s(?:and|e|&)\s")  # templates have their verbs in the singular
_HOUR = re.compile(r"\d|uma\b|duas\b|tr[êe]s\b|\w+ (?:horas|e meia)|half|quarter|noon|midnight", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a language that reading needs, as its file lists them."""

    own: frozenset[str]  # for the one who speaks
    pronouns: frozenset[str]
    meant: frozenset[str]  # those that stand for whom was spoken of before
    determiners: frozenset[str]
    places: frozenset[str]  # words before a place
    toward: Mapping[str, str]  # words before a place somebody goes to, and the one for being there
    years: str
    counted: frozenset[str]  # words before a thing that say how many
    phrases: Mapping[str, frozenset[str]]  # words that noun phrases stand behind, go on with, are listed by …
    labels: Mapping[str, str]  # by attribute: how a value is named that says little by itself
    after: Mapping[str, frozenset[str]]  # by attribute: words a value stands behind where its template fits
    leading: Mapping[str, frozenset[str]]  # by attribute: verbs and small words that are no part of a value
    ties: Mapping[str, str]  # words that tell a tie without naming it, and its name
    newly: frozenset[str]  # words that say that something was otherwise before
    shapes: Mapping[str, str]  # by attribute: a pattern its values fit
    over: Mapping[str, str]  # how it is said that a job, a couple, a life is over, and what takes that back
    sentences: Mapping[str, Mapping[str, Any]]
    guards: Mapping[str, re.Pattern[str]]  # words around a value that say it is no fact, or another one


@dataclass(frozen=True, slots=True)
class Phrase:
    """What is put into a sentence: the value as said, the word right before it, and who it is about."""

    attribute: str
    status: str
    value: str
    before: str | None = None  # None: nothing else was said
    subject: str | None = None  # None: the speaker, who is not named


@lru_cache(maxsize=2)
def vocabulary(language: Language) -> Vocabulary:
    told: dict[str, Any] = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    for name in ("own", "pronouns", "meant", "determiners", "places"):
        told[name] = frozenset(told[name])
    for name in ("counted", "newly"):
        told[name] = frozenset(told[name].split())
    for name in ("phrases", "after", "leading"):
        told[name] = {key: frozenset(words.split()) for key, words in told[name].items()}
    ties = RELATIONS[language]
    guards = {name: re.compile(words.replace("TIES", ties), re.IGNORECASE) for name, words in told["guards"].items()}
    return Vocabulary(**told | {"guards": guards})


def sentence(phrase: Phrase, language: Language) -> str | None:
    """The phrase in a sentence; None where no template says it well."""
    words, value = vocabulary(language), phrase.value
    template = words.sentences.get(phrase.attribute, {}).get(phrase.status)
    if isinstance(template, list):
        template = next(say for fits, say in template if re.search(fits, value, re.IGNORECASE))
    if template is None or (phrase.subject is not None and _SEVERAL.search(phrase.subject)):
        return None
    place = (("em" if language == "pt" else "in") if phrase.before is None else phrase.before).lower()
    if phrase.attribute == "residence":
        place = words.toward.get(place, place).lower()
    # The value is of the shape expected, behind a word that leads to it, and told of whoever it is told of: "my job" is
    # somebody else's there.
    if "{at}" in template and place not in words.places:
        return None
    if not (words.own & words.determiners).isdisjoint(value.lower().split()):
        return None
    if not re.search(words.shapes.get(phrase.attribute, ""), value, re.IGNORECASE):
        return None
    leading = words.after.get(phrase.attribute)
    if phrase.before is not None and leading is not None and phrase.before.lower() not in leading:
        return None
    if phrase.attribute == "age" and value.isdigit():
        value = f"{value} {words.years}"
    text: str = template.format(
        v=value,
        at=place,
        a="" if _UNCOUNTED.match(value) else "an " if _VOWEL.match(value) else "a ",
        the=_article(value) if language == "pt" else "",
        one=f"{place} " if place in words.counted else "",
        hour=("às " if language == "pt" else "at ") if _HOUR.match(value) else "",
        s=phrase.subject or "",
    )
    text = _JOINED.sub(_contracted, text) if language == "pt" else text
    if phrase.subject is None or "{s}" in template:
        return text
    return f"{phrase.subject}{',' if ':' in template else ''} {text[0].lower()}{text[1:]}"


def called(subject: str, relation: str | None, language: Language) -> str:
    """Somebody as the subject of a sentence: by name, or by the tie ("A irmã", "Their sister")."""
    if relation is None:
        return subject
    told = f"{_article(subject)}{subject}" if language == "pt" else f"their {subject}"
    return told[0].upper() + told[1:]


def _contracted(found: re.Match[str]) -> str:
    """A preposition and an article in one word: "de o" is "do", "a as" is "às"."""
    preposition, article = found[1].lower(), found[2]
    if preposition == "a" and article.startswith("a"):
        return f"à{article[1:]} "
    return f"{preposition[0]}{article} "


def _article(relation: str) -> str:
    """The article before a tie in Portuguese, where its ending tells the gender: "a irmã", "o pai"."""
    first = relation.lower().split()[0]
    if first in ("amigo", "amiga", "colega", "chefe", "ex"):
        return ""
    if first.endswith(("a", "ã", "ó")) or first == "mãe":
        return "a "
    return "o " if first.endswith(("o", "ô", "ão", "i")) else ""


LONGEST_TITLE = 60
LONGEST_PART = 40
MOST_FACTS = 3
LEAST_PARTS = 2  # where the facts are fewer, phrases join them
MOST_JOINED = 2

_TOKEN = re.compile(r"[^\W_]+(?:[-'’.&/][^\W_]+)*|[^\s\w]")
_WORD = re.compile(r"(?!k+\b|(?:rs)+\b)[^\W\d_]{3,}|\d+")
_BREAKS = re.compile(r"[,;:.!?…()\n]")
_PLAIN = re.compile(r"(?:[^\W\d_A-ZÀ-Þ]|['’-](?=\w))+(?![\w@/]|\.\w)")
_SMALL = STOP_WORDS | CHAT_WORDS
_INFINITIVE = re.compile(r"\w+(?:ar|er|ir|por|pôr)")


def said_words(text: str) -> frozenset[str]:
    """The words of a text that say something, folded."""
    return frozenset(word for word in _WORD.findall(fold(text)) if word not in _SMALL)


def title_of(texts: Sequence[str], found: Iterable[Candidate | KnowledgeItem], language: Language) -> str:
    """At most 60 characters, of whole phrases: the surest facts, then what the talk comes back to."""
    parts: dict[str, str] = {}  # by what it says, and whom it is about
    for fact in sorted(found, key=lambda one: (one.attribute == "relation", -(one.confidence or 0))):
        part = _of_fact(fact, language)
        is_known = fact.attribute == "relation" and fact.subject in parts.values()
        if part is not None and len(parts) < MOST_FACTS and not is_known and _is_new(part, fact.subject, parts):
            parts[part] = fact.subject
    spread = Counter(word for text in texts for word in said_words(text))
    weights = {
        phrase: math.sqrt(sum(spread[word] for word in said_words(phrase)))
        + 0.3 * sum(word[0].isupper() for word in phrase.split())
        for told in _sentences(texts)
        for phrase in phrases(told, language)
        if len(phrase) <= LONGEST_PART
    }
    for phrase in sorted(weights, key=lambda one: -weights[one]):  # that hold most of what the talk comes back to
        if len(parts) < LEAST_PARTS and _is_new(phrase, SELF, parts):
            parts[phrase] = SELF
    while len(title := _joined(parts, texts)) > LONGEST_TITLE:
        parts.popitem()
    return title or capitalised(_at_least(texts))


def _at_least(texts: Sequence[str]) -> str:
    """Where no phrase says the matter: the first short thing said, or the first words of it that say something."""
    sentences = _sentences(texts)
    told = next(filter(said_words, sentences), sentences[0] if sentences else "")
    if len(told) <= LONGEST_TITLE:
        return told.rstrip(".,;: ")
    words = [word for token in _TOKEN.finditer(told) if said_words(word := token[0]) and len(word) < LONGEST_TITLE // 3]
    return ", ".join(words[:3]) or shortened(told, LONGEST_TITLE)


def _sentences(texts: Sequence[str]) -> list[str]:
    return [" ".join(text[start:end].split()) for text in texts for start, end in split_sentences(text)]


def _of_fact(fact: Candidate | KnowledgeItem, language: Language) -> str | None:
    """A fact's value in the phrase it stands in, or behind the word that says what it is; None where it says little."""
    value = _BREAKS.split(fact.value or "")[0].strip()
    if not value:  # corrected to other words
        return None
    label = vocabulary(language).labels.get(fact.attribute or "")
    if label is not None:
        return label.format(value) if len(label) + len(value) <= LONGEST_PART else None
    around = [phrase for phrase in phrases(fact.evidence or "", language) if fold(value) in fold(phrase)]
    # Without what leads to it: "consegui o emprego" is a job; a verb that names what is done stays ("emagrecer").
    words, is_last = value.split(), False
    while len(words) > 1 and not is_last:
        first = words[0].lower()
        is_denied = vocabulary(language).guards["not"].search(fold(first)) is not None
        if is_denied or (first not in STOP_WORDS and not _is_finite(first, language)):
            break
        is_last = first in vocabulary(language).determiners
        words = words[1:]
    for part in (*around, " ".join(words)):
        if _tells(part, language) and len(part) <= LONGEST_PART:
            return part
    return None


def _tells(part: str, language: Language) -> bool:
    return any(not word.isdigit() for word in said_words(part) - vocabulary(language).phrases["vague"])


def _is_finite(word: str, language: Language) -> bool:
    is_named = word == lemma(word, language) or word.endswith(("ing", "ndo"))
    return not is_named and _is_verb([word], 0, language)


def _is_new(part: str, subject: str, parts: dict[str, str]) -> bool:
    told = frozenset[str]().union(*(said_words(f"{other} {whose}") for other, whose in parts.items()))
    return not said_words(part) <= told and (subject == SELF or subject not in part)


def _joined(parts: Mapping[str, str], texts: Sequence[str]) -> str:
    """ "Pilates, casa nova; Clara: emprego na Globo": in the order said, each person's together, the writer's first."""
    whole = fold("\n".join(texts))
    told: dict[str, list[str]] = {SELF: []}
    for part, subject in sorted(parts.items(), key=lambda one: whole.find(fold(one[0]))):
        told.setdefault(subject, []).append(part)
    groups = (("" if who == SELF else f"{who}: ") + ", ".join(own) for who, own in told.items() if own)
    return capitalised("; ".join(groups))


def capitalised(text: str) -> str:
    """With a capital at its beginning, unless its first word is written in a way of its own ("iPhone", "parser.py")."""
    return text[:1].upper() + text[1:] if _PLAIN.match(text) else text


def phrases(text: str, language: Language) -> list[str]:
    """The noun phrases of a text as they were written, by the small words and verbs they stand behind."""
    known = vocabulary(language)
    behind, listed, joined = (known.phrases[name] for name in ("behind", "listed", "joined"))
    little = known.phrases["vague"] | joined | known.determiners
    tokens = list(_TOKEN.finditer(text))
    words = [token[0] for token in tokens]
    is_little = [word.lower() in little or fold(word) in little for word in words]
    found, at, ended = list[str](), 1, -1
    while at < len(words):
        # It may begin behind a small word or a verb, after another phrase, or with a name.
        before, is_name = fold(words[at - 1]), words[at][0].isupper() and words[at - 1][0].isalnum()
        opens = before in behind or (before in listed and ended == at - 1) or is_name
        if not (opens or _is_verb(words, at - 1, language)) or (end := _run(words, at, language)) == at:
            at += 1
            continue
        for _ in range(MOST_JOINED):  # it goes on behind "de", "of", "in" …
            if end >= len(words) or words[end].lower() not in joined:
                break
            start = end + 1
            while start < len(words) and words[start].lower() in known.determiners:
                start += 1
            stop = _run(words, start, language)
            end = stop if stop > start else end
        first, last = at, end  # without words at either side that say little: "lá", "de novo", "três vezes hoje"
        while last > first and is_little[last - 1]:
            last -= 1
        while last - first > 1 and is_little[first] and words[first + 1].lower() in joined:
            first += 2
        if last > first and _tells(phrase := text[tokens[first].start() : tokens[last - 1].end()], language):
            found.append(phrase)
        at = ended = end
    return found


def _run(words: Sequence[str], at: int, language: Language) -> int:
    """Where the words end that say something; a name is run together with small letters behind it where it owns."""
    known = vocabulary(language).phrases
    end = at
    while end < len(words):
        folded = fold(words[end]).replace("'", "").replace("’", "")
        if not words[end][0].isalnum() or folded in _SMALL or folded.endswith(("mente", "ly")):
            break
        if any(folded in known[name] for name in ("listed", "behind", "joined")) or _is_verb(words, end, language):
            break
        is_name = end > at and words[end - 1][0].isupper() and not words[end - 1].endswith(("'s", "’s"))
        if is_name and words[end].islower() and at > 0:
            break
        end += 1
    return at if end - at == 1 and words[at].isdigit() else end


def _is_verb(words: Sequence[str], at: int, language: Language) -> bool:
    """By its lemma; never right behind a determiner, where verbs are nouns ("a viagem", "the work")."""
    known = vocabulary(language)
    word = words[at].lower()
    if fold(word) in STOP_WORDS:
        return False
    root = lemma(word, language)
    behind = at > 0 and words[at - 1].lower() in known.determiners
    if behind and not (words[at - 1].lower() == "a" and word == root and _INFINITIVE.fullmatch(root)):
        return False
    if root in known.phrases["verbs"] or language == "en":
        return root in known.phrases["verbs"] or (
            word != root and not word.endswith("s") and not words[at][0].isupper()
        )
    return bool(_INFINITIVE.fullmatch(root)) and not re.search(r"[ai]d[oa]s?$", word) and not words[at][0].isupper()


SUMMARY_CHARACTERS = 400
MOST_SENTENCES = 4
LONGEST_SENTENCE = 200
LOOKED_AT = 4_000  # characters of a message
SHORTEST_SENTENCE = 3  # words
OF_A_FACT = 5.0  # what a sentence weighs more that tells a fact: more than most weigh by their words
OF_A_QUESTION = -0.2
VAGUE = vocabulary("pt").phrases["vague"] | vocabulary("en").phrases["vague"]

_MARKED = re.compile(r"[.!?…。！？][\"'”’»)\]]*$|[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]$")


def note_text(talk: Talk, found: Sequence[Candidate | KnowledgeItem] = ()) -> NoteText:
    """A title that says the matter, and a summary in the people's own words; `found` is what was read in the talk."""
    spoken = [message for message in talk.messages if message.role is Role.USER]
    texts = [message.text[:LOOKED_AT] for message in spoken]
    language = language_of("\n".join(texts)) or ("pt" if talk.language == "pt" else "en")
    title = title_of(texts, found, language) or "…"
    facts = [fold(fact.evidence) for fact in found if fact.evidence]
    summary = summary_of(spoken, most_characters=SUMMARY_CHARACTERS, title=title, facts=facts)
    return NoteText(title=title, summary=summary or title)


def summary_of(messages: Sequence[Message], *, most_characters: int, title: str = "", facts: Sequence[str] = ()) -> str:
    """The sentences that tell most, in the order said, each with its mark; who said what where several spoke.

    Pleasantries and what only repeats the title are left out, unless there is nothing else.
    """
    sentences = [
        (message.author_name, capitalised(ended(shortened(message.text[start:end], LONGEST_SENTENCE))))
        for message in messages
        for start, end in split_sentences(message.text[:LOOKED_AT])
    ]
    words, scores = weighed([text for _, text in sentences])
    for index, (_, text) in enumerate(sentences):
        if any(fact in fold(text) for fact in facts):
            scores[index] += OF_A_FACT
    told, taken, room = [said_words(title)], list[int](), most_characters
    for index in sorted(range(len(scores)), key=lambda index: (-scores[index], index)):
        length = len(sentences[index][1]) + 1
        tells = scores[index] > 0 and not any(words[index] <= other for other in told)
        if length <= room and len(taken) < MOST_SENTENCES and (tells or not taken):
            taken.append(index)
            told.append(words[index])
            room -= length
    several = len({message.author_name for message in messages}) > 1
    chosen = [sentences[index] for index in sorted(taken)]
    return " ".join(
        f"{who}: {text}" if several and (at == 0 or chosen[at - 1][0] != who) else text
        for at, (who, text) in enumerate(chosen)
    )


def weighed(sentences: Sequence[str]) -> tuple[list[frozenset[str]], list[float]]:
    """The words of each sentence that say something, and how much it tells among the others: by the words the talk
    comes back to, statements before questions."""
    words = [said_words(text) for text in sentences]
    spread = Counter(word for found in words for word in found)
    weights = []
    for text, found in zip(sentences, words, strict=True):
        if len(found) < SHORTEST_SENTENCE:
            weights.append(-0.1 / (1 + len(found)) if found <= VAGUE else 0.1 * len(found))
        else:
            told = sum(1.0 + 0.5 * (spread[word] - 1) for word in found) / (len(found) + 4)
            weights.append(told + OF_A_QUESTION * text.rstrip().endswith("?"))
    return words, weights


def ended(sentence: str) -> str:
    """With a mark at its end, so that another can follow."""
    return sentence if _MARKED.search(sentence) else sentence.rstrip(" ,;:-–—") + "."
