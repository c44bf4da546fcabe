"""What a message says, fact by fact: the tagger's spans, judged, with names, dates and a sentence of their own."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from relembra.domain.knowledge import EVENTS, FAVORITE, FORMER, SELF, is_single
from relembra.domain.text import fold, is_words, shortened
from relembra.domain.time import check_time
from relembra.minds.languages import Language
from relembra.minds.offline.calendar import Kind, Tense
from relembra.minds.offline.dates import find_dates
from relembra.minds.offline.names import RELATIONS, NameMention, find_names
from relembra.minds.offline.text import listed, number_value, split_sentences
from relembra.minds.reader.networks import (
    LONGEST,
    Networks,
    Person,
    Span,
    Speaker,
    Tagged,
    Turn,
    Word,
    about_value,
    fitting,
    laid_out,
    pieces_of,
    spans_of,
    words_of,
)
from relembra.minds.reader.wording import Phrase, Vocabulary, called, sentence, vocabulary

_LEAST = 1e-4


def clues(span: Span, *, right: float, share: float, worth: float, is_earlier: bool) -> tuple[float, ...]:
    """What speaks for a value. `right`: the judge's likelihood for the person who has this share of the tagger's.

    `is_earlier`: the value stands in a turn before the message. The last clue is the same for all.
    """
    kept = (min(max(likely, _LEAST), 1 - _LEAST) for likely in (right, span.peak, span.level, share, worth))
    return (*(math.log(likely / (1 - likely)) for likely in kept), float(is_earlier), 1.0)


def certainty(weights: Sequence[float], found: Sequence[float], *, lift: float = 0.0) -> float:
    """The share of readings with such clues that are right; `lift`: by how much other reasons raise its odds."""
    return 1 / (1 + math.exp(-lift - sum(weight * clue for weight, clue in zip(weights, found, strict=True))))


_RIGHTS = (
    r"admin\w*|root|superuser|superusuari\w+|developer (?:mode|access)|authori[sz]\w+|autoriza\w+|approv\w+|aprova\w+|"
    r"discounts?|descontos?|refunds?|reembolsos?|permiss\w+|clearance|unlimited|ilimitad\w+|premium|passwords?|senhas?|"
    r"credencia\w+|credentials?|no (?:rules|limits|restrictions)|sem (?:regras|limites)|full access|acesso total|vip"
)
_ORDERS = re.compile(
    r"\A\s*/[a-z]+\b|"
    r"\b(?:remember|note|save|store|record|memori[sz]e|update your memory|from now on|going forward|henceforth|"
    r"lembr[ea]|anot[ae]|grav[ae]|guard[ae]|salv[ae]|registr[ae]|memoriz[ae]|a partir de agora|de agora em diante|"
    r"daqui pra frente)\b"
    rf"[^.!?]{{0,60}}\b(?:{_RIGHTS})\b"
    r"|\b(?:i(?:'m| am|m)|sou) (?:an? |the |your |now |o |a |um |uma |seu |sua )?(?:\w+ )?"
    r"(?:admin(?:istrator|istrador)?(?! (?:of|at|de|da|do)\b)|root|superuser|superusuari\w+|"
    r"(?:developer|creator) of (?:you|this))\b"
    r"|\b(?:all|every|any|tod[oa]s?|qualquer|cada) (?:os |as )?(?:users?|customers?|employees?|requests?|orders?|"
    r"usuari\w+|clientes?|funcionari\w+|pedidos?) (?:are|is|gets?|should|must|have|has|e|sao|tem|devem?|recebe\w*|"
    r"ganham?)\b"
    r"|\b(?:ignore|disregard|ignora|esquec[ae]) (?:(?:all|any|the|your|todas?|todos?|as|os|suas?|seus?) )*"
    r"(?:previous|prior|instruct\w*|rules|instruc\w+|regras)\b"
)
_QUOTED = re.compile(r"[\"“«][^\"”»\n]{25,}[\"”»]|`[^`\n]+`|```.*?```|^>.*$", re.MULTILINE | re.DOTALL)


_NO_CLAIM = re.compile(
    r"\?\W*$"
    r"|^\W*(?:if|se) .*\b(?:would|\w+[rd]ia|ia)\b"
    r"|^\W*(?:please |por favor,? )?(?:write|tell me a|make up|invent\w*|pretend|imagine|suppose|translate|"
    r"escrev\w+|conte|conta|finja|finge|imagin[ae]|suponha|tradu[zc]\w*)\b"
    r"|\b(?:if only|i wish|quem me dera|oxala|tomara)\b"
)


_OF_ITSELF = re.compile(
    r"\bi(?:'m| am) (?:an?|from|in|at)\b"
    r"|\bi (?:\w+ly )?(?:live|love|like|enjoy|adore|prefer|hate|dislike|work|come from|was born|eat|drink|speak)\b"
    r"|\b(?:moro|vivo|adoro|amo|gosto|curto|prefiro|odeio|detesto|trabalho|sou|nasci)\b"
)
_TO_YOU = re.compile(r"\?|\b(?:you|yours?|voces?|vcs?|seus?|suas?|teus?|tuas?|tu|te|lhe|senhora?)\b")


def tells_of_itself(sentence: str) -> bool:
    """Whether an assistant says where it lives or what it likes, and nothing to the person."""
    folded = fold(sentence).replace("’", "'")
    return _OF_ITSELF.search(folded) is not None and _TO_YOU.search(folded) is None


def claims_nothing(sentence: str) -> bool:
    """Whether a sentence is a question, a supposition, a wish, or a task to make something up."""
    return _NO_CLAIM.search(fold(sentence)) is not None


def gives_orders(text: str) -> bool:
    """Whether a message tells the memory or the assistant what to hold for true or to allow."""
    return _ORDERS.search(fold(text)) is not None


def without_quotations(text: str) -> str:
    """The text with a blank for each long quotation, quoted line and piece of code."""
    return _QUOTED.sub(lambda match: "\n" if "\n" in match[0] else " ", text)


LONGEST_CLAUSE = 160
FARTHEST_TIME = 6  # words between a value and a time that is its own
_LIFT = 0.45  # the rules here refuse what is mostly wrong; fitted on the held-out authors, on what they let pass
_SUREST = 0.98  # the judge's best answer, nearly: what would not do even so is not put to it
_WHOLE = 4  # words of a message that may stand alone
_SURE_OF_ONE = 0.9  # how right the judge must find a value of one person for no other to be tried
_MOVES, _LIKELY_NEW = ("residence", "employment"), 0.6  # "we moved to York", "yes": it need be less likely
_LIKELY_TIE, _SURE_TIE = 0.4, 0.95  # a tie that rules read too: how likely it must be, and how sure it is then
_NEVER_PLANNED = frozenset(listed("relation name nickname pronouns age birthday birthplace nationality blood_type"))
_LONG_AGO = timedelta(days=45)
_LONG_SENTENCE = 40  # words after which one without an end may be cut
_ROOM_FOR_CONTEXT = 90  # pieces of a long message's window left for what stands before it
_STEPWISE = ("residence", "employment", "birthplace")  # told in steps: "Boa Viagem, Recife" is one
_TITLES = "".join(rf"(?<!\b{title})" for title in ("dr", "dra", "sr", "sra", "st", "mr", "mrs", "ms", "prof", "profa"))
_TOGETHER = re.compile(rf"(?:[!?;…\n]|{_TITLES}\.(?=\s|$))+|,\s|\s[-–—]\s|\s(?:mas|but)\s", re.IGNORECASE)
_JOINS = re.compile(r"^(?:e|and|mas|but|so)\s+(?=\S)", re.IGNORECASE)
_ENDS = re.compile(r"[.!?\n]")
_LISTED = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_UNENDED = re.compile(r"\w$")
_HEAD = re.compile(r"\w{1,20}['’]$")
_ADDRESS = re.compile(r"[\w.+-]+@\w[\w.-]*\w")
_BLOOD = re.compile(
    r"\b(?=[^.!?\n]*(?i:blood|sangu))(?i:my blood|i(?:'m| am| have)|meu (?:tipo|sangue|grupo)|sou|tenho)\b"
    r"[^.!?\n]{0,30}?(?<!\w)(AB|A|B|O)\s?(\+|-|−|(?i:(?:rh )?positiv[oe])\b|(?i:(?:rh )?negativ[oe])\b)(?!\w)"
)
_VERBS = frozenset(listed("is was are were has lives works loves é era são foi tem mora trabalha gosta estuda"))
_LISTING = frozenset(listed(", e and & + ( ) caçula mais velho velha novo nova youngest oldest eldest little"))
_DENIED_WITHIN = 4  # words between a "not" and what it denies
_PLAINLY_SO = frozenset(
    listed(
        "residence employment occupation marital_status relation possession age study religion nationality birthplace"
        " language skill likes medication name nickname client project children"
    )
)
_YES = frozenset(listed("yes yeah yep yup sim isso exato claro aham"))
_OWN_MATTERS = ("likes", "dislikes", "medication", "residence", "employment", "habit", "diet")
_LOVE = re.compile(r"\b(?:love|like|enjoy|adore|adoro|amo|curto|prefiro|gosto)(?:\W+\w+)?\W*$")
_HEALTH = ("allergy", "intolerance", "condition", "diet", "medication")
_PASSING = (*_HEALTH, "likes", "habit", "relation", "possession")  # what may be over, as its verb says
_OF = ("de", "da", "do", "das", "dos", "of")
_STATES = ("allergy", "intolerance", "condition", "diet")
_FAVORITES = {
    "food": r"comidas?|pratos?|food|dish|meal",
    "team": r"times?|clubes?|team|club",
    "color": r"cor(?:es)?|colou?rs?",
    "film": r"filmes?|films?|movies?",
    "book": r"livros?|books?",
    "song": r"m[uú]sicas?|can[cç][aã]o|songs?",
    "band": r"bandas?|bands?",
    "series": r"s[eé]ries?|shows?",
    "drink": r"bebidas?|drinks?",
    "place": r"lugar(?:es)?|places?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing somebody said, with how likely it was read rightly."""

    attribute: str | None
    value: str
    subject: str
    relation: str | None
    content: str
    clause: str  # as it was said
    changed: bool
    likely: float
    happens: bool = False  # it is no lasting thing
    held_from: datetime | None = None
    held_until: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What a message says, how likely it holds something worth keeping, and how likely it ends something known."""

    facts: list[Fact] = field(default_factory=list)
    worth: float = 0.0
    turns: float = 0.0


@dataclass(frozen=True, slots=True)
class _Reading:
    """A message, or a window of a long one, as the networks get it."""

    text: str
    words: tuple[Word, ...]
    language: Language
    known: Vocabulary
    said_at: datetime
    names: Sequence[NameMention]  # with their ties, as rules read them


def read(
    networks: Networks, text: str, before: Sequence[Turn], *, said_at: datetime, language: Language, least: float
) -> Said:
    """A message read: its facts that are at least so likely, in the order said, each once."""
    known = vocabulary(language)
    # Without its greeting, the marks of its lists and a question asked back: lines are sentences.
    text = known.guards["opening"].sub("", known.guards["in_return"].sub("", text)) or text
    lines = [_LISTED.sub("", line).strip() for line in text.splitlines()]
    if len(lines) > 1:
        text = "\n".join(_UNENDED.sub(r"\g<0>.", line) for line in lines)
    is_asked = before and before[-1].speaker is not Speaker.SELF and "?" in before[-1].text
    if before and not is_asked and all(turn.speaker is not Speaker.OTHER for turn in before):
        said = re.findall(r"\w+", text.lower())
        if len(said) >= _WHOLE and known.meant.isdisjoint(said):
            before = ()  # it tells of the writer in whole words, of nobody meant by a pronoun, and answers nothing
    found: dict[tuple[str, str | None, str], Fact] = {}
    worth = turns = 0.0
    for piece, context in _windows(text, before, networks):
        whole, words = laid_out(piece, context)
        words = fitting(words, networks.cutter)
        if not words:
            continue
        own = len(whole) - len(piece)  # whom others call their sister is nobody's here
        ties = [one for one in find_names(whole, language) if one.start >= own and one.relation not in (None, SELF)]
        reading = _Reading(whole, words, language, known, said_at, ties)
        check_time()
        tagged = networks.tag(words)
        worth, turns = max(worth, tagged.worth), max(turns, tagged.turns)
        told = [fact for one in _judged(networks, reading, tagged, least) if (fact := _told(reading, *one)) is not None]
        names = {fold(fact.value): fact.subject for fact in told if fact.attribute == "relation"}
        for fact in told:
            if fact.relation and fact.attribute != "relation" and (name := names.get(fold(fact.relation))) is not None:
                # What is said of "minha irmã" is Clara's, where the message says who that is.
                content = fact.content.replace(called(fact.subject, fact.relation, language), name, 1)
                fact = replace(fact, subject=name, content=content)
            found.setdefault((fact.subject, fact.attribute, fold(fact.value)), fact)
    # The likelier of facts told by the same words, and of two values of which a person has one at a time.
    once: dict[tuple[str, str | None], Fact] = {}
    for fact in found.values():
        is_one = is_single(fact.attribute) and fact.held_from is None and fact.held_until is None
        key = (fact.subject, fact.attribute) if is_one else (fact.subject, f"“{fact.content}")
        if key not in once or fact.likely > once[key].likely:
            once[key] = fact
    facts = list(once.values())
    over = _over(text, said_at, language)
    if over is not None:
        ended = (over.attribute or "").removeprefix(FORMER)
        facts = [fact for fact in facts if fact.attribute != ended or not is_words(fact.content)]
        other = [fact for fact in facts if not (fact.happens or fact.attribute == over.attribute)]
        facts = [*other, *(fact for fact in facts if fact not in other and fact.clause not in over.clause), over]
        turns = 1.0
    if re.search(known.over["death"], fold(text)):
        turns = 1.0
    if blood := _BLOOD.search(text):  # the writer's own, which a rule reads better than any network
        value = blood[1] + ("+" if re.search(r"\+|posit", blood[2], re.IGNORECASE) else "-")
        content = sentence(Phrase("blood_type", "current", value), language) or value
        facts = [fact for fact in facts if fact.attribute != "blood_type" or fact.subject != SELF]
        facts.append(
            Fact(
                attribute="blood_type", value=value, subject=SELF, relation=None, content=content, clause=blood[0],
                changed=False, likely=0.98,
            )
        )  # fmt: skip
    return Said(facts, worth, turns)


def _over(text: str, said_at: datetime, language: Language) -> Fact | None:
    """What somebody says is over without naming it: "fui demitido", "we broke up". Not what was so long ago."""
    words = vocabulary(language)
    denied = words.guards["not"]
    for start, end in split_sentences(text):
        said = fold(text[start:end]).replace("’", "'")
        for name in ("employment", "marital_status"):
            found = re.search(words.over[name], said)
            if found is None or re.search(words.over["unless"], said) or denied.search(said[: found.start()]):
                continue
            days = find_dates(text[start:end], said_at=said_at, language=language)
            if any(said_at - day.begins > _LONG_AGO for day in days):
                continue
            clause = " ".join(text[start:end].split()).strip(" .,;:!")
            return Fact(
                attribute=FORMER + name, value="", subject=SELF, relation=None, content=_quoted(clause, None),
                clause=clause, changed=True, likely=_SURE_TIE,
            )  # fmt: skip
    return None


def _windows(text: str, before: Sequence[Turn], networks: Networks) -> Iterator[tuple[str, Sequence[Turn]]]:
    """The message with the turns before it; a long one sentence by sentence, each window after its own last words."""
    if len(pieces_of(laid_out(text, before)[1], networks.cutter).ids) <= LONGEST:
        yield text, before
        return
    start = end = 0
    for stop in [*_stops(text, networks), None]:
        if stop is None or (end > start and _size(text[start:stop], networks) > LONGEST - _ROOM_FOR_CONTEXT):
            yield text[start:end], [Turn(Speaker.SELF, text[:start])] if start else list(before)[-1:]
            start = end
        end = stop or end


def _stops(text: str, networks: Networks) -> Iterator[int]:
    """Where a long message may be cut: after its sentences, and within one that is too long by itself."""
    for start, stop in split_sentences(text):
        if _size(text[start:stop], networks) > LONGEST - _ROOM_FOR_CONTEXT:
            yield from (word.end for word in words_of(text[start:stop], start)[_LONG_SENTENCE::_LONG_SENTENCE])
        yield stop


def _size(text: str, networks: Networks) -> int:
    return len(pieces_of(words_of(text), networks.cutter).ids)


def _judged(networks: Networks, reading: _Reading, tagged: Tagged, least: float) -> list[tuple[Span, float]]:
    """The likeliest person of each span, and how likely that is; what is too unlikely is left out.

    The judge is not asked where no answer of it would be enough, nor about others once it is sure of one person.
    """
    words, kept = reading.words, list[tuple[Span, float]]()
    for found in _joined(spans_of(words, tagged, networks.tags), reading):
        span = _in_time(reading, found)
        if _is_refused(reading, span):
            continue
        said, speaker = _before(reading, span), words[span.start].speaker
        is_lived = span.tag != "residence" or reading.known.guards["lives"].search(said) is not None
        # The writer's own verb stands right before it: "prefiro café", whoever was spoken of before.
        is_own = (
            speaker is Speaker.NOW
            and span.tag in _OWN_MATTERS
            and is_lived
            and reading.known.guards["own_verb"].search(said)
        )
        # It stands in the assistant's question, and the message says yes to it.
        first = next((word.text for word in words if word.speaker is Speaker.NOW), "")
        is_affirmed = speaker is Speaker.ASSISTANT and fold(first) in _YES
        is_newly = span.tag in _MOVES and not reading.known.newly.isdisjoint(said.lower().split())
        enough = min(least, _LIKELY_TIE) if _tie_named(reading, span) else least
        if least < 0.93 and (is_affirmed or (is_newly and _is_settled(reading, span))):
            enough = min(least, _LIKELY_NEW)
        elif least < 0.93 and is_own:
            enough = min(least, 0.7)
        best: tuple[Person, float] | None = None
        for person, share in ((None, 1.0),) if is_own else span.persons:
            clue = partial(clues, span, share=share, worth=tagged.worth, is_earlier=speaker is not Speaker.NOW)
            if certainty(networks.weights, clue(right=_SUREST), lift=_LIFT) >= enough:
                check_time()
                asked = about_value(words, (span.start, span.end), span.tag, span.status, person, networks.cutter)
                right = networks.right(asked)
                sure = certainty(networks.weights, clue(right=right), lift=_LIFT)
                if best is None or sure > best[1]:
                    best = person, sure
                if right >= _SURE_OF_ONE:
                    break
        if best is None or best[1] < enough:
            continue
        is_about_now = best[0] is not None and words[best[0][0]].speaker is Speaker.NOW
        if speaker is Speaker.SELF and span.status == "current" and not is_about_now:
            continue  # the writer said it in a turn of their own before, and nothing of this message is about it
        kept += [(one, best[1]) for one in _each(reading, replace(span, person=best[0]))]
    kept.sort(key=lambda one: one[1])
    surest = {(span.start, span.end, span.person): (span, sure) for span, sure in kept}  # the same words say one thing
    return sorted(surest.values(), key=lambda one: one[0].start)


def _joined(spans: Iterable[Span], reading: _Reading) -> list[Span]:
    """Values that are one: "Boa Viagem, Recife" is one home, "5 mg of lisinopril" one medicine."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        other = next((one for one in reversed(joined) if _is_one(one, span, reading)), None)
        if other is None:
            joined.append(span)
        else:
            at, level = joined.index(other), min(other.level, span.level)
            joined[at] = replace(other, end=span.end, peak=max(other.peak, span.peak), level=level)
    return joined


def _is_one(span: Span, after: Span, reading: _Reading) -> bool:
    if (span.tag, span.status, span.person) != (after.tag, after.status, after.person):
        return False
    between = [word.text.lower() for word in reading.words[span.end : after.start]]
    if span.tag in _STEPWISE:
        return 0 < len(between) <= 2 and (reading.known.places | {","}).issuperset(between)
    return span.tag == "medication" and len(between) == 1 and between[0] in ("de", "of")


def _in_time(reading: _Reading, span: Span) -> Span:
    """A span with the status its verb says: what somebody had or took is over, where they moved to is not; how
    somebody lives is no place."""
    guards, said = reading.known.guards, _before(reading, span)
    value = fold(reading.text[reading.words[span.start].start : reading.words[span.end - 1].end])
    if span.tag == "residence" and span.status == "former" and guards["reached"].search(said):
        return replace(span, status="current", changed=1.0)
    is_named = any(word.text[0].isupper() for word in reading.words[span.start : span.end])
    if span.tag == "residence" and not is_named and guards["manner"].search(said + value):
        return replace(span, tag="other")
    is_past = span.tag in _PASSING and span.status == "current" and guards["past"].search(said) is not None
    return replace(span, status="former") if is_past and not guards["since"].search(_sentence(reading, span)) else span


def _is_refused(reading: _Reading, span: Span) -> bool:
    """Whether the words around a value say that it is no fact, or nobody's here."""
    guards, said, tag = reading.known.guards, _before(reading, span), span.tag
    text, first = reading.text, reading.words[span.start]
    after = text[reading.words[span.end - 1].end :]
    is_current, is_over = span.status == "current", span.status in ("former", "denied")
    # A medicine that ran out or a habit left out once is not over.
    guard = {"medication": "ran_out", "habit": "skipped", "schedule": "skipped"}.get(tag) if is_over else None
    if guard is not None and guards[guard].search(_sentence(reading, span)):
        return True
    if tag == "medication" and guards["ran_out"].search(said):
        return True
    # What is not liked does not stand behind "I love", nor what holds behind "not" or "almost".
    if tag == "dislikes" and _LOVE.search(said) and not guards["not"].search(said):
        return True
    if is_current and tag in _PLAINLY_SO and guards["not"].search(" ".join(said.split()[-_DENIED_WITHIN:])):
        return True
    if is_current and tag in _STATES and guards["is_not"].search(f"{said}{fold(first.text)}"):
        return True
    if tag == "relation" and _is_anothers_tie(reading, span, said):
        return True
    if first.speaker is Speaker.ASSISTANT and tag not in EVENTS:  # "I live in the cloud" is nobody's home
        start = max(text.rfind(mark, 0, first.start) for mark in ".!?\n") + 1
        end = _ENDS.search(text, first.start)
        if tells_of_itself(text[start : end.end() if end else None]):
            return True
    # Given up for another; a secret; a move that was called off; somebody one parted from; only guessed at.
    if is_current and guards["gave"].search(said) and guards["taken"].match(fold(after)):
        return True
    if tag == "contact" and guards["secret"].search(_sentence(reading, span)):
        return True
    if tag in _MOVES and span.status != "denied" and guards["called_off"].search(said):
        return True
    if tag in ("relation", "name", "nickname") and is_current:
        starts = [span.start] + ([span.person[0]] if span.person else [])
        if any(guards["parted"].search(_before(reading, replace(span, start=start))) for start in starts):
            return True
    if tag in _HEALTH and guards["unsure"].search(said):
        return True
    # Somebody came from there, or only is there for now.
    if tag in _MOVES and is_current:
        if tag == "residence" and guards["left"].search(said):
            return True
        if guards["passing"].search(said) and not _is_settled(reading, span):
            return True
    # Answered with a no; no day of birth; the age of a child without a name.
    if first.speaker is Speaker.ASSISTANT:
        return span.status == "denied" or guards["no"].search(fold(_own_words(reading)).replace("’", "'")) is not None
    if tag == "birthday":
        return not re.search(r"(?<!\d)\d{1,2}(?!\d)", _cut(reading, span.start, span.end))
    return tag == "age" and span.person is None and re.search(r"\b(?:an?|my|our)\s$", said) is not None


def _is_settled(reading: _Reading, span: Span) -> bool:
    """Whether the sentence of a place has a word for living or working there; to be at work somewhere for the moment is
    not enough."""
    told, guards = _sentence(reading, span), reading.known.guards
    if span.tag == "residence":
        return guards["lives"].search(told) is not None
    return guards["works"].search(told) is not None or not guards["moment"].search(told)


def _sentence(reading: _Reading, span: Span) -> str:
    """The sentence of a value, folded."""
    first, last = reading.words[span.start].start, reading.words[span.end - 1].end
    start = max(reading.text.rfind(mark, 0, first) for mark in ".!?\n") + 1
    end = _ENDS.search(reading.text, last)
    return fold(reading.text[start : end.end() if end else None]).replace("’", "'")


def _is_anothers_tie(reading: _Reading, span: Span, said: str) -> bool:
    """Whether a tie is somebody else's: told in their own words, or of a relative's relative."""
    first = reading.words[span.start]
    guards = reading.known.guards
    onwards = fold(reading.text[first.start : reading.words[span.end - 1].end + 30])
    ends = sorted([first.end, *(reading.words[at].start for at in (span.person or ())[:1])])
    if first.speaker is Speaker.OTHER or guards["through"].search(fold(reading.text[ends[0] : ends[-1]])):
        return True
    is_asked = first.speaker is Speaker.ASSISTANT  # whose "your" is the writer
    is_before = not is_asked and guards["anothers_before"].search(said)
    return bool(is_before or guards["anothers_after"].match(onwards))


def _before(reading: _Reading, span: Span) -> str:
    """What stands before a value in its clause, folded."""
    end = reading.words[span.start].start
    start = max((mark.end() for mark in _TOGETHER.finditer(reading.text, 0, end)), default=0)
    return fold(reading.text[start:end]).replace("’", "'")


def _each(reading: _Reading, span: Span) -> Iterator[Span]:
    """A tie of several people as one of each: "quatro netos: Davi, Sofia e o caçula Tomé"."""
    is_one = span.tag != "relation" or span.person is None or not _is_several(reading.words[span.end - 1].text.lower())
    if is_one or span.person is None or not _does(reading, span.person[1]):
        yield span
    if is_one or span.person is None:
        return
    for step, begin in ((-1, span.person[0]), (1, span.person[1] - 1)):
        at = _next_listed(reading, begin, step, span)
        while at is not None:
            last = at
            while 0 <= last + step < len(reading.words) and reading.words[last + step].text[0].isupper():
                last += step
            yield replace(span, person=(min(at, last), max(at, last) + 1))
            at = _next_listed(reading, last, step, span)


def _next_listed(reading: _Reading, at: int, step: int, span: Span) -> int | None:
    """The name beside one in a list: only commas, "and", articles and ages stand between."""
    joins = reading.known.determiners | _LISTING
    is_joined = False
    while 0 <= (at := at + step) < len(reading.words):
        word = reading.words[at]
        if span.start <= at < span.end or word.speaker is not reading.words[span.start].speaker:
            return None
        if word.text[0].isupper() and is_joined:
            return None if step > 0 and _does(reading, at + 1) else at
        if not (word.text.lower() in joins or word.text.isdigit()):
            return None
        is_joined = True
    return None


def _is_listed(reading: _Reading, span: Span) -> bool:
    """Whether a word for several is said of several: "two nieces, … and a nephew, Max" is no niece."""
    if span.person is None or not _is_several(reading.words[span.end - 1].text.lower()):
        return True
    ends = ((-1, span.person[0]), (1, span.person[1] - 1))
    return any(_next_listed(reading, at, step, span) is not None for step, at in ends)


def _does(reading: _Reading, at: int) -> bool:
    """Whether a verb stands there that begins something new: "and Rex is our dog"."""
    return at < len(reading.words) and reading.words[at].text.lower() in _VERBS


def _tie_named(reading: _Reading, span: Span) -> NameMention | None:
    """Somebody's name and tie, as rules read them, where the tagger took one or the other for a value."""
    if span.tag not in ("relation", "name", "nickname") or span.status != "current":
        return None
    places = {span.start} | ({span.person[0]} if span.person else set())
    starts = {reading.words[at].start for at in places}
    return next((one for one in reading.names if one.relation and one.start in starts), None)


def _told(reading: _Reading, span: Span, likely: float) -> Fact | None:
    """The fact of a span; None where whom it is about has no name, or nothing is left to tell."""
    words, language = reading.words, reading.language
    mention = _tie_named(reading, span)
    if mention is not None and mention.relation is not None:
        # "Minha mãe se chama Helena": Helena is the mother, whether the tagger saw her name or the tie.
        named = mention.name.title() if mention.name.islower() else mention.name
        tie = _tie(mention.relation, language) if _is_listed(reading, span) else mention.relation
        clause = _clause(reading, span)
        worded = None if _is_several(tie) else sentence(Phrase("relation", "current", tie, None, named), language)
        return Fact(
            attribute="relation", value=tie, subject=named, relation=tie, content=worded or _quoted(clause, named),
            clause=clause, changed=False, likely=max(likely, _SURE_TIE),
        )  # fmt: skip
    subject, relation = _who(reading, span)
    leading = reading.known.leading.get(span.tag, frozenset())
    start = span.start  # without the verb where the tagger took it into the value: "Trabalho na Globo" is Globo
    while start < span.end - 1 and words[start].text.lower() in leading:
        start += 1
    is_cut = words[span.end - 1].text.lower() in ("sem", "without") and span.end < len(words)
    span = replace(span, start=start, end=span.end + is_cut)
    value = _cut(reading, span.start, span.end)
    if subject is None or value.lower() in leading:
        return None
    if span.tag == "weight" and not re.search(reading.known.shapes["weight"], value):  # "for 6,200 pounds"
        return None
    if span.tag in ("name", "nickname") and value.islower():
        value = value.title()
    if span.tag == "medication":  # "put up to 20 mg" is 20 mg
        value = reading.known.guards["dose"].sub(" ", value)
    clause = _clause(reading, span)
    if span.status == "former" and words[span.start].speaker is not Speaker.NOW:
        clause = _own_words(reading)  # "The dentist cancelled" ends what was said before, and is not that
    name = None if subject == SELF else called(subject, relation, language)
    is_told = True
    if span.tag == "relation":
        value = _tie(value, language) if _is_listed(reading, span) else value
        is_told = _is_tie(value, language) and not _is_several(value)
    is_asked = words[span.start].speaker is Speaker.ASSISTANT  # what stands before it there leads to nothing
    before = None  # the word right before it; None where the message says nothing else
    if not is_asked and span.start and words[span.start - 1].speaker is words[span.start].speaker:
        before = words[span.start - 1].text
    elif not is_asked:
        own = [word for word in words if word.speaker is words[span.start].speaker and word.text.isalnum()]
        before = None if len(own) <= span.end - span.start + 1 else ""
    phrase = Phrase(span.tag, span.status, value, before, name)
    last = "" if span.person is None else words[span.person[1] - 1].text
    is_told = is_told and not (last.islower() and _is_several(last))
    worded = sentence(phrase, language) if is_told else None
    if worded is None and span.status == "current" and is_asked:
        return None  # what the assistant asked is not what the person said
    # What is over is a former attribute, what is denied no value of it.
    attribute: str | None = span.tag
    if span.tag == "favorite":
        said = (thing for thing, words in _FAVORITES.items() if re.search(rf"\b(?:{words})\b", clause, re.IGNORECASE))
        attribute = FAVORITE + next(said, "thing")
    if span.tag == "other":
        attribute = None
    elif span.status == "former":  # a day that was called off, too: what happened is no former event
        attribute = f"{FORMER}{attribute}"
    elif span.status == "denied":
        attribute = "dislikes" if attribute == "likes" else attribute if attribute in ("habit", "diet") else None
    number = None  # in figures, so that "forty-six" is known again as 46
    if span.tag in ("age", "children", "wake_time", "bedtime"):
        number = number_value(fold(value), language)
    is_newly = not reading.known.newly.isdisjoint(clause.lower().split())
    fact = Fact(
        attribute=attribute,
        value=clause if span.status == "denied" else value if number is None else str(number),
        subject=subject,
        relation=value if span.tag == "relation" else relation,
        content=worded or _quoted(clause, name),
        clause=clause,
        changed=span.changed > 0.5 or span.status == "former" or is_newly,
        likely=likely,
        happens=span.tag in EVENTS,
    )
    return _dated(fact, reading, span)


def _who(reading: _Reading, span: Span) -> tuple[str | None, str | None]:
    """The name, else the tie, of whom a span is about, and the tie where it is one; None for a mere pronoun."""
    if span.person is None:
        return SELF, None
    known, words = reading.known, reading.words
    start, end = span.person
    said = [word.text for word in words[start:end]]
    while len(said) > 1 and said[0].lower() in known.determiners:
        said, start = said[1:], start + 1
    while len(said) > 1 and fold(said[-1]) in _OF:
        said, end = said[:-1], end - 1
    if all(word.lower() in known.pronouns or word.isdigit() for word in said):
        return None, None
    # Somebody's whose name ends there: "my wife's mother", "minha mãe tem uma amiga que".
    last = words[end - 1].end
    between = fold(reading.text[last : words[span.start].start])
    if known.guards["anothers"].match(reading.text[last : last + 40]) or known.guards["through"].search(between):
        return None, None
    if all(word.lower() in known.own for word in said):
        return SELF, None
    # A hyphenated word is whole: "ex-mulher", "sister-in-law".
    while end + 1 < len(words) and words[end].text == "-" and words[end + 1].start == words[end - 1].end + 1:
        end += 2
    name = _cut(reading, start, end)
    tie = _is_tie(name, reading.language)
    if not tie and name.islower() and len(name.split()) == 1:
        name = name.title()
    return name, name.lower() if tie else None


def _tie(value: str, language: Language) -> str:
    """A relation as a word for the other one: whoever somebody is "casado" with is the "cônjuge", each of the "boys" a
    boy. Portuguese "filhos" may be sons and daughters, and stays.
    """
    word = vocabulary(language).ties.get(value.lower(), value)
    one = word.removesuffix("ren") if word.endswith("children") else word.removesuffix("s")
    is_open = language == "pt" and not one.endswith(("a", "ã"))
    return word if is_open or not _is_tie(one, language) else one


def _is_several(tie: str) -> bool:
    """Whether a word is one for several people: "filhos", "children", but not "boss"."""
    return tie.endswith(("s", "children")) and not tie.endswith("ss")


def _is_tie(words: str, language: Language) -> bool:
    return re.match(rf"(?:ex-? ?)?(?:{RELATIONS[language]})\b", fold(words)) is not None and len(words.split()) <= 4


def _clause(reading: _Reading, span: Span) -> str:
    """The words around a value, from mark to mark, with the person where they stand in the same sentence."""
    first, last = reading.words[span.start].start, reading.words[span.end - 1].end
    if span.person is not None and reading.words[span.person[0]].speaker is reading.words[span.start].speaker:
        first = min(first, reading.words[span.person[0]].start)
        last = max(last, reading.words[span.person[1] - 1].end)
    marks = list(_TOGETHER.finditer(reading.text))
    start = max((mark.end() for mark in marks if mark.end() <= first), default=0)
    end = min((mark.start() for mark in marks if mark.start() >= last), default=len(reading.text))
    if end - start > LONGEST_CLAUSE:  # nobody set a mark: the words around the value
        room = max(0, LONGEST_CLAUSE - (last - first)) // 2
        cut = max(start, first - room)
        start = start if cut == start else reading.text.index(" ", cut) + 1 if " " in reading.text[cut:first] else first
        cut = min(end, last + room)
        end = end if cut == end else reading.text.rindex(" ", last, cut) if " " in reading.text[last:cut] else last
    return _JOINS.sub("", " ".join(reading.text[start:end].split()).strip(" ,;:"))


def _own_words(reading: _Reading) -> str:
    """What the message itself says."""
    first = next((word.start for word in reading.words if word.speaker is Speaker.NOW), 0)
    return shortened(" ".join(reading.text[first:].split()), LONGEST_CLAUSE)


def _dated(fact: Fact, reading: _Reading, span: Span) -> Fact:
    """With the time its words tell: since when it holds, on which day it is, when it was over.

    What is planned holds from its day on; without a day it is a goal, and a happening the words that announce it.
    """
    is_planned, is_former = span.status == "planned", span.status == "former"
    if is_planned and span.tag in _NEVER_PLANNED:  # "58 next birthday" is no age yet
        name = None if fact.subject == SELF else called(fact.subject, fact.relation, reading.language)
        return replace(fact, attribute=None, content=_quoted(fact.clause, name))
    words, when = reading.words, span.when
    if when is None and span.tag in _MOVES:  # "moved to Bristol in March"
        start, end = words[span.end - 1].end, words[span.end - 1].end + 5
    elif when is not None:
        first, last = (when[1], span.start) if when[0] < span.start else (span.end, when[0])
        between = [word.text for word in words[first:last]]
        is_before = words[when[0]].speaker is not Speaker.NOW  # it tells when something else was
        is_far = is_before or len(between) > FARTHEST_TIME or any(word in ".!?;…" for word in between)
        start, end = (0, 0) if is_far else (words[when[0]].start, words[when[1] - 1].end)
    else:
        start = end = 0
    mention = None
    if end:
        # "In May" is the next one or the last, as the value lies ahead or behind.
        is_over = is_former or (span.status == "current" and span.tag in EVENTS)
        tense: Tense | None = "future" if is_planned else "past" if is_over else None
        found = find_dates(reading.text, said_at=reading.said_at, language=reading.language, tense=tense)
        mention = next((one for one in found if one.start < end and one.end > start), None)
    if mention is None or mention.kind is Kind.RECURRING:
        return replace(fact, attribute=None if span.tag in EVENTS else "goal") if is_planned else fact
    is_to_come = mention.begins > reading.said_at
    if span.tag in EVENTS:
        if is_former:
            return fact
        if is_planned and mention.ends <= reading.said_at:
            return replace(fact, attribute=None)
        return replace(fact, held_from=mention.begins, expires_at=mention.ends if is_to_come else None)
    if is_former:
        return fact if is_to_come else replace(fact, held_until=mention.begins)
    if is_planned:
        return replace(fact, held_from=mention.begins) if is_to_come else replace(fact, attribute="goal")
    return fact if is_to_come else replace(fact, held_from=mention.begins)


def _quoted(clause: str, name: str | None) -> str:
    """The words as they were said, and before them whom they are about, where they do not begin with that."""
    begins = name is None or re.match(rf"(?:\w{{1,5}} )?{re.escape(fold(name))}\b", fold(clause))
    return f"“{clause}”" if begins else f"{name}: “{clause}”"


def _cut(reading: _Reading, start: int, end: int) -> str:
    """The words as they were said, and none of them in part: "t eat meat" begins with "don't"."""
    first, last = reading.words[start].start, reading.words[end - 1].end
    head = _HEAD.search(reading.text[:first])
    address = next((one for one in _ADDRESS.finditer(reading.text) if one.start() <= first < one.end()), None)
    if address is not None:
        return address[0]
    return reading.text[head.start() if head else first : last]
