"""The reader that asks a language model. It proposes what people's own words back, and nothing else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from relembra.domain.candidate import Candidate, Comparison, Digest, Effect, NoteText, Talk
from relembra.domain.message import Message, Role
from relembra.domain.text import is_blank, shortened
from relembra.errors import MindError
from relembra.minds.languages import FALLBACK
from relembra.minds.llm.asking import Limits, ModelUser, one_for_each
from relembra.minds.llm.material import (
    Line,
    Worth,
    chunked,
    knowing,
    newest,
    rendered_lines,
    worthwhile,
)
from relembra.minds.llm.models import Prompt, Prompts, json_line
from relembra.minds.llm.proposals import candidates
from relembra.minds.offline.language import language_of
from relembra.minds.port import Reader, Tokens

__all__ = ["ModelReader"]

LONGEST_TITLE = 80
LONGEST_SUMMARY = 1_200
LONGEST_WHY = 200
DOUBTFUL_FROM = 0.3  # a contradiction the offline reader thinks less likely is not worth a model's tokens
SUMMARY_WORDS = 30
SUMMARY_TOKENS = 2_000

log = logging.getLogger(__name__)


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
        prompts: Prompts,
        tokens: Tokens | None = None,
        timeout_seconds: float = 60.0,
        most_input_tokens: int = 6_000,
        most_output_tokens: int = 8_000,
        most_a_message: int = 6,
    ) -> None:
        limits = Limits(timeout_seconds, most_output_tokens, most_input_tokens, most_a_message)
        super().__init__(prompts, limits, tokens, behind=offline)
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
        """Make sure that models and prompt can be used; `SettingsError` or `MissingExtraError` where they cannot."""
        self._fast.check()
        self._deep.check()
        self._prompts.version("digest")

    async def digest(self, talk: Talk) -> Digest:
        """The talk's note and what its people said that is worth knowing; one call a chunk."""
        talk, chosen = await worthwhile(talk, self._worth)
        if not chosen:
            return await self._offline.digest(talk)
        prompt = self._prompt("digest", talk.language)
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
        rendered = self._prompt("summary", talk.language).rendered(
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
        prompt = self._prompt("compare", language)
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
        kept = await asyncio.to_thread(
            candidates, reply.things, lines, talk, most_a_message=self._limits.most_a_message, why=why
        )
        if len(kept) < len(reply.things):
            log.info("%s: %d proposals were not backed by what was said", why, len(reply.things) - len(kept))
        return NoteText(title=title, summary=summary), kept

    async def _judged(self, batch: Sequence[tuple[str, str]], prompt: Prompt, language: str) -> list[Comparison]:
        listed = [json_line(n=number, old=old, new=new) for number, (old, new) in enumerate(batch, 1)]
        reply = await self._deep.ask(
            "compare",
            prompt.rendered(pairs="\n".join(listed)),
            "ComparisonReply",
            language=language,
            problem_of=lambda reply: one_for_each("answers", (one.n for one in reply.answers), len(batch)),
        )
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
