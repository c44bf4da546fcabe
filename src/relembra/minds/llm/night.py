"""The night's reader that asks a language model: it reads again, puts notes together and tells them shorter.

What it answers is held to what it was given: quotations must stand in the messages, notes must be among those shown,
and a text with a name or a number out of nowhere is not used.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from relembra.domain.candidate import Candidate, Reread, Talk, Topic
from relembra.domain.knowledge import KnowledgeType
from relembra.domain.message import Note
from relembra.domain.policy import ClusterPolicy, ConfidencePolicy
from relembra.domain.text import fold, shortened
from relembra.minds.llm.asking import Limits, ModelUser
from relembra.minds.llm.material import Line, Worth, chunked, knowing, worthwhile
from relembra.minds.llm.models import Prompts, Rendered, json_line, strays
from relembra.minds.llm.proposals import evidence, one_line, proposed
from relembra.minds.llm.reader import LONGEST_SUMMARY, LONGEST_TITLE
from relembra.minds.offline.sentences import split_sentences
from relembra.minds.port import NightReader, Tokens

if TYPE_CHECKING:
    from relembra.minds.llm.replies import Finding, RetoldReply, TopicReply, TopicsReply


BELOW_EXPLICIT = 0.05
"""How far under what people say themselves a conclusion stays, however sure a model is of it."""
LEAST_A_NOTE = 24  # tokens; notes that do not fit with so many each are left to the offline grouping
SHORTEST_SUMMARY = 40  # characters
WORDS_A_TOKEN = 0.6

log = logging.getLogger(__name__)


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
        prompts: Prompts,
        tokens: Tokens | None = None,
        cluster: ClusterPolicy | None = None,
        confidence: ConfidencePolicy | None = None,
        timeout_seconds: float = 90.0,
        most_input_tokens: int = 12_000,
        most_output_tokens: int = 8_000,
        most_a_message: int = 6,
    ) -> None:
        limits = Limits(timeout_seconds, most_output_tokens, most_input_tokens, most_a_message)
        super().__init__(prompts, limits, tokens, behind=offline)
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
        prompt = self._prompt("reread", talk.language)
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
        prompt = self._prompt("topics", language)
        least = str(min(self._cluster.least, most))
        shown = self._shown(notes, self._room(prompt.rendered(notes="", least=least, most=str(most))))
        rendered = prompt.rendered(notes="\n".join(shown), least=least, most=str(most))
        asked = notes[: len(shown)]
        topics = await self._asked_topics(asked, rendered, language=language, most=most) if len(asked) > 1 else []
        covered = {id for topic in topics for id in topic.note_ids}
        rest = [note for note in notes if note.id not in covered]
        return topics + await self._offline.topics(rest, language=language, most=most - len(topics))

    async def retell(self, texts: Sequence[str], *, language: str, tokens: int) -> str:
        """The texts told again in one call; more of them than a prompt holds are shortened offline first."""
        given = [text for text in texts if one_line(text) is not None]
        if not given or tokens < 1:
            return ""
        prompt = self._prompt("retell", language)
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

    async def _asked_topics(
        self, notes: Sequence[Note], rendered: Rendered, *, language: str, most: int
    ) -> list[Topic]:
        reply = await self._model.ask("topics", rendered, "TopicsReply", language=language)
        kept = [(topic, of_it) for topic, of_it in _sorted_out(reply, notes) if len(of_it) > 1][:most]
        return [await self._topic(topic, of_it, language) for topic, of_it in kept]

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
