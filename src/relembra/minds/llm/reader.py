"""The readers that ask a language model, by day and at night. They propose only what people's own words back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from relembra.domain.candidate import Candidate, Comparison, Digest, Effect, NoteText, Reread, Talk, Topic
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.message import Message, Note, Role
from relembra.domain.policy import ClusterPolicy, ConfidencePolicy
from relembra.domain.text import fold, is_blank, shortened
from relembra.errors import MindError
from relembra.minds.languages import FALLBACK
from relembra.minds.llm.asking import Limits, ModelUser
from relembra.minds.llm.models import Prompt, json_line, prompt_of, strays
from relembra.minds.llm.proposals import (
    Line,
    Worth,
    chunked,
    evidence,
    knowing,
    newest,
    one_line,
    proposed,
    rendered_lines,
    worthwhile,
)
from relembra.minds.offline.language import language_of
from relembra.minds.offline.text import split_sentences
from relembra.minds.port import NightReader, Reader, Tokens

if TYPE_CHECKING:
    from relembra.minds.llm.replies import ComparisonReply, Finding, RetoldReply, TopicReply, TopicsReply

log = logging.getLogger(__name__)

__all__ = ["ModelReader"]

LONGEST_TITLE = 80
LONGEST_SUMMARY = 1_200
LONGEST_WHY = 200
DOUBTFUL_FROM = 0.3  # a contradiction the offline reader thinks less likely is not worth a model's tokens
SUMMARY_WORDS = 30
SUMMARY_TOKENS = 2_000


class ModelReader(ModelUser):
    """Reads with a fast model, and compares with a deep one where there is one.

    A talk costs one call for each `most_input_tokens` of what people say in it, and none when `worth` lets nothing of
    it through: then the `offline` reader's digest is given. `base_url` and `api_key` are the fast model's; the deep one
    has the same unless it is of another provider or has its own.
    """

    def __init__(
        self,
        offline: Reader,
        *,
        fast: str,
        deep: str | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        deep_base_url: str | None = None,
        deep_api_key: str | None = None,
        worth: Worth,
        tokens: Tokens | None = None,
        timeout_seconds: float = 60.0,
        most_input_tokens: int = 6_000,
        most_output_tokens: int = 8_000,
        most_a_message: int = 6,
    ) -> None:
        limits = Limits(timeout_seconds, most_output_tokens, most_input_tokens, most_a_message)
        super().__init__(limits, tokens, behind=offline)
        self._offline = offline
        self._worth = worth
        where = (fast, base_url, api_key)
        self._fast = self._deep = self._asker(*where)
        if deep is not None:
            near = deep.partition(":")[0] == fast.partition(":")[0]
            url, key = deep_base_url or (base_url if near else None), deep_api_key or (api_key if near else None)
            if (deep, url, key) != where:
                self._deep = self._asker(deep, url, key)

    @property
    def name(self) -> str:
        """The model and the version of its prompt, as in openai:gpt-5-mini/digest@2."""
        return self._named(self._fast, "digest", "digest")

    def check(self) -> None:
        """Make sure that the models can be used; `SettingsError` or `MissingExtraError` where they cannot."""
        self._fast.check()
        self._deep.check()

    async def digest(self, talk: Talk) -> Digest:
        """The talk's note and what its people said that is worth knowing; one call a chunk."""
        talk, chosen = await worthwhile(talk, self._worth)
        if not chosen:
            return await self._offline.digest(talk)
        prompt = prompt_of("digest", talk.language)
        talk = knowing(talk, self._limits.most_input_tokens // 4, self._tokens)
        around = self._cost(self._talk_prompt(prompt, talk, [], before=""))
        chunks = chunked(talk.messages, chosen, self._room(around + LONGEST_SUMMARY // 3), self._tokens)
        note, found = NoteText(title="", summary=""), list[Candidate]()
        for lines in chunks:
            note, more = await self._read(talk, prompt, lines, before=note.summary)
            found += more
        log.info("%s: %d messages, %d calls, %d candidates", self.name, len(talk.messages), len(chunks), len(found))
        turning = (await self._offline.digest(talk)).turning
        return Digest(note=note, candidates=tuple(found), reader=self.name, turning=turning)

    async def working_summary(self, talk: Talk, previous: str | None) -> str:
        """Where the talk stands, in one sentence of at most 30 words; without a person's words, the offline one."""
        if all(message.role is not Role.USER for message in talk.messages):
            return await self._offline.working_summary(talk, previous)
        budget = min(self._room(SUMMARY_TOKENS // 4), SUMMARY_TOKENS)
        rendered = prompt_of("summary", talk.language).rendered(
            words=str(SUMMARY_WORDS),
            previous="" if previous is None or is_blank(previous) else json_line(previous=previous),
            messages=rendered_lines(newest(talk.messages, budget, self._tokens)),
        )
        reply = await self._fast.ask("summary", rendered, "SummaryReply", language=talk.language)
        words = reply.sentence.split()
        return " ".join(words) if len(words) <= SUMMARY_WORDS else " ".join(words[:SUMMARY_WORDS]).rstrip(",;:.") + "…"

    async def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        """How each second statement stands to its first; one call for all in doubt that fit into one.

        The offline reader compares first, and a model is asked only where that leaves a contradiction possible.
        """
        guesses = await self._offline.compare(pairs)
        doubtful = [index for index, guess in enumerate(guesses) if guess.contradicts >= DOUBTFUL_FROM]
        try:
            judged = await self._asked([pairs[index] for index in doubtful]) if doubtful else []
        except MindError as exc:  # a judgement less sure is better than nothing learnt
            log.warning("%d pairs are judged offline: %s", len(doubtful), exc)
            return guesses
        found = dict(zip(doubtful, judged, strict=True))
        return [found.get(index, guess) for index, guess in enumerate(guesses)]

    async def effects(self, talk: Talk, message: Message, known: Sequence[str]) -> list[Effect]:
        """The offline reader's."""
        return await self._offline.effects(talk, message, known)

    async def _asked(self, pairs: Sequence[tuple[str, str]]) -> list[Comparison]:
        language = language_of("\n".join(new for _, new in pairs)) or FALLBACK
        prompt = prompt_of("compare", language)
        room = self._room(prompt.rendered(pairs=""))
        batches = [await self._judged(batch, prompt, language) for batch in self._batches(pairs, room)]
        return [comparison for batch in batches for comparison in batch]

    async def _read(
        self, talk: Talk, prompt: Prompt, lines: list[Line], *, before: str
    ) -> tuple[NoteText, list[Candidate]]:
        so_far = json_line(before=before) if before else ""
        rendered = self._talk_prompt(prompt, talk, lines, before=so_far)
        reply = await self._fast.ask("digest", rendered, "DigestReply", language=talk.language)
        summary = shortened(reply.summary, LONGEST_SUMMARY)
        title = shortened(summary if is_blank(reply.title) else reply.title, LONGEST_TITLE)
        if is_blank(summary):
            raise MindError(f"the model {self._fast.name} gave a note without words")
        why = f"{self._fast.name}/digest@{prompt.version}"
        most = self._limits.most_a_message
        found = await asyncio.to_thread(proposed, reply.things, lines, talk, most_a_message=most, why=why)
        kept = [candidate for _, candidate in found]
        if len(kept) < len(reply.things):
            log.info("%s: %d proposals were not backed by what was said", why, len(reply.things) - len(kept))
        return NoteText(title=title, summary=summary), kept

    async def _judged(self, batch: Sequence[tuple[str, str]], prompt: Prompt, language: str) -> list[Comparison]:
        listed = [json_line(n=number, old=old, new=new) for number, (old, new) in enumerate(batch, 1)]
        rendered = prompt.rendered(pairs="\n".join(listed))

        def problem_of(reply: ComparisonReply) -> str | None:
            is_right = sorted(one.n for one in reply.answers) == list(range(1, len(batch) + 1))
            return None if is_right else f"- answers: exactly one for each n from 1 to {len(batch)}"

        reply = await self._deep.ask("compare", rendered, "ComparisonReply", language=language, problem_of=problem_of)
        return [
            Comparison(contradicts=one.contradicts, same=one.same, why=shortened(one.why, LONGEST_WHY))
            for one in sorted(reply.answers, key=lambda one: one.n)
        ]

    def _batches(self, pairs: Sequence[tuple[str, str]], room: int) -> list[list[tuple[str, str]]]:
        batches: list[list[tuple[str, str]]] = []
        left = 0
        for old, new in pairs:
            cost = self._tokens.count(json_line(n=100, old=old, new=new)) + 1
            if not batches or cost > left:
                batches.append([])
                left = room
            batches[-1].append((old, new))
            left -= cost
        return batches


BELOW_EXPLICIT = 0.05
"""How far under what people say themselves a conclusion stays, however sure a model is of it."""
LEAST_A_NOTE = 24  # tokens; notes that do not fit with so many each are left to the offline grouping
SHORTEST_SUMMARY = 40  # characters
WORDS_A_TOKEN = 0.6


class ModelNight(ModelUser):
    """Asks the deep model. `offline` groups the notes a reply leaves out and tells what it tells wrongly.

    `worth` says which messages are worth reading again; with one of them, its whole talk is read.
    """

    rereads = True

    def __init__(
        self,
        offline: NightReader,
        *,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        worth: Worth,
        tokens: Tokens | None = None,
        cluster: ClusterPolicy | None = None,
        confidence: ConfidencePolicy | None = None,
        timeout_seconds: float = 90.0,
        most_input_tokens: int = 12_000,
        most_output_tokens: int = 8_000,
        most_a_message: int = 6,
    ) -> None:
        limits = Limits(timeout_seconds, most_output_tokens, most_input_tokens, most_a_message)
        super().__init__(limits, tokens, behind=offline)
        self._offline = offline
        self._worth = worth
        self._cluster = cluster or ClusterPolicy()
        self._confidence = confidence or ConfidencePolicy()
        self._model = self._asker(model, base_url, api_key)

    @property
    def name(self) -> str:
        """The model and the versions of its three prompts, as in openai:gpt-5/night@2.1.1."""
        return self._named(self._model, "night", "reread", "topics", "retell")

    async def reread(self, talk: Talk) -> Reread:
        """What people said, changed or let one conclude beyond what is known; one call a chunk."""
        prompt = prompt_of("reread", talk.language)
        reader = f"{self._model.name}/reread@{prompt.version}"
        talk, chosen = await worthwhile(talk, self._worth)
        talk = knowing(talk, self._limits.most_input_tokens // 4, self._tokens)
        room = self._room(self._talk_prompt(prompt, talk, []))
        found, raw = list[Candidate](), list[str]()
        for lines in chunked(talk.messages, chosen, room, self._tokens):
            rendered = self._talk_prompt(prompt, talk, lines)
            reply = await self._model.ask("reread", rendered, "RereadReply", language=talk.language)
            kept = await asyncio.to_thread(self._backed, reply.things, lines, talk, why=reader)
            log.info("%s: %d of %d proposals are kept", reader, len(kept), len(reply.things))
            found += kept
            raw.append(reply.model_dump_json(exclude_defaults=True))
        return Reread(candidates=tuple(found), reader=reader, raw="\n".join(raw) or None)

    async def topics(self, notes: Sequence[Note], *, language: str, most: int) -> list[Topic]:
        """What these notes tell of, in one call; notes the model leaves out are put together offline, where any go."""
        if len(notes) < 2 or most < 1:
            return []
        prompt = prompt_of("topics", language)
        least = str(min(self._cluster.least, most))
        shown = self._shown(notes, self._room(prompt.rendered(notes="", least=least, most=str(most))))
        rendered = prompt.rendered(notes="\n".join(shown), least=least, most=str(most))
        asked = notes[: len(shown)]
        topics: list[Topic] = []
        if len(asked) > 1:
            reply = await self._model.ask("topics", rendered, "TopicsReply", language=language)
            kept = [(topic, of_it) for topic, of_it in _sorted_out(reply, asked) if len(of_it) > 1][:most]
            topics = [await self._topic(topic, of_it, language) for topic, of_it in kept]
        covered = {id for topic in topics for id in topic.note_ids}
        rest = [note for note in notes if note.id not in covered]
        return topics + await self._offline.topics(rest, language=language, most=most - len(topics))

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        """The texts told again in one call; more of them than a prompt holds are shortened offline first."""
        given = [text for text in texts if one_line(text) is not None]
        if not given or tokens < 1:
            return ""
        prompt = prompt_of("retell", language)
        words = str(max(1, int(tokens * WORDS_A_TOKEN)))
        room = self._room(prompt.rendered(texts="", words=words))
        if sum(self._tokens.count(json_line(text=text)) + 1 for text in given) > room:
            given = [await self._offline.retell(given, language=language, tokens=room * 4 // 5)]

        def problem_of(reply: RetoldReply) -> str | None:
            if strays(reply.text, given, language):
                return "- text: names or numbers that stand in none of the texts"
            return None

        reply = await self._model.ask(
            "retell",
            prompt.rendered(texts="\n".join(json_line(text=text) for text in given), words=words),
            "RetoldReply",
            language=language,
            problem_of=problem_of,
        )
        return self._cut(one_line(reply.text) or "", tokens)

    def _backed(self, things: Sequence[Finding], lines: list[Line], talk: Talk, *, why: str) -> list[Candidate]:
        """What people's own words back and nobody knows yet; a conclusion with all the words it rests on."""
        known = {_squeezed(line) for line in talk.known}
        kept: list[Candidate] = []
        for thing, candidate in proposed(things, lines, talk, most_a_message=self._limits.most_a_message, why=why):
            if _squeezed(candidate.content) in known and not candidate.ends:
                continue
            if candidate.inferred or candidate.type is KnowledgeType.INSIGHT:
                sure = self._confidence.inference if thing.confidence is None else thing.confidence
                candidate = replace(
                    candidate,
                    inferred=True,
                    confidence=min(sure, self._confidence.explicit_at_least - BELOW_EXPLICIT),
                    evidence=evidence(candidate, thing.also, lines),
                )
            kept.append(candidate)
        return kept

    async def _topic(self, reply: TopicReply, notes: Sequence[Note], language: str) -> Topic:
        """The topic as the model tells it or, where that does not rest on its notes, in their own sentences."""
        title, summary = one_line(reply.title), one_line(reply.summary)
        if title is None or summary is None or strays(f"{title}.\n{summary}", _given(notes), language):
            log.info("%s gave a topic of %d notes that is not in them", self._model.name, len(notes))
            title = shortened(notes[-1].title, LONGEST_TITLE)
            room = LONGEST_SUMMARY // 8
            own = await self._offline.retell([note.summary for note in notes], language=language, tokens=room)
            summary = own or title
        return Topic(
            title=shortened(title, LONGEST_TITLE),
            summary=shortened(summary, LONGEST_SUMMARY),
            note_ids=tuple(note.id for note in notes),
        )

    def _shown(self, notes: Sequence[Note], room: int) -> list[str]:
        """The notes as numbered JSON lines, each with an equal share of the room; as many of the first as fit."""
        share = max(LEAST_A_NOTE, room // len(notes))
        lines: list[str] = []
        for number, note in enumerate(notes, 1):
            line = self._note_line(number, note, share)
            room -= self._tokens.count(line) + 1
            if room < 0:
                break
            lines.append(line)
        return lines

    def _note_line(self, number: int, note: Note, share: int) -> str:
        title, summary, by = shortened(note.title, LONGEST_TITLE), shortened(note.summary, LONGEST_SUMMARY), ", "
        line = json_line(n=number, by=by.join(note.participants), title=title, summary=summary)
        while self._tokens.count(line) + 1 > share and len(summary) > SHORTEST_SUMMARY:
            summary = shortened(summary, len(summary) * 3 // 4)
            line = json_line(n=number, by=by.join(note.participants), title=title, summary=summary)
        return line

    def _cut(self, text: str, tokens: int) -> str:
        """As many of the first sentences as fit; of a first one too long, its beginning."""
        if self._tokens.count(text) <= tokens:
            return text
        ends = [end for _, end in split_sentences(text) if self._tokens.count(text[:end]) <= tokens]
        limit = len(text)
        while not ends and limit > 1:
            limit = limit * 4 // 5
            if self._tokens.count(shortened(text, limit)) <= tokens:
                return shortened(text, limit)
        return text[: ends[-1]] if ends else ""


def _sorted_out(reply: TopicsReply, notes: Sequence[Note]) -> list[tuple[TopicReply, list[Note]]]:
    """Each topic with those of the notes it names that are there and that no topic before it has."""
    free = dict(enumerate(notes, 1))
    sorted_out = []
    for topic in reply.topics:
        numbers = sorted(set(topic.notes) & free.keys())
        sorted_out.append((topic, [free.pop(number) for number in numbers]))
    return sorted_out


def _given(notes: Sequence[Note]) -> list[str]:
    return [part for note in notes for part in (note.title, note.summary, *note.participants)]


def _squeezed(text: str) -> str:
    return "".join(fold(text).split()).rstrip(".")
