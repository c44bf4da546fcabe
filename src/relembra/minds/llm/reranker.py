"""The matcher that asks a language model how well each text answers a question: the finest order, and the dearest."""

from __future__ import annotations

import json
from collections.abc import Sequence

from relembra.domain.candidate import Spent
from relembra.domain.text import is_blank, shortened
from relembra.errors import SettingsError
from relembra.minds.llm.asking import Asker, Meter
from relembra.minds.llm.models import Place, need_extra
from relembra.minds.llm.prompts import Prompts
from relembra.minds.offline.language import language_of

__all__ = ["ModelMatcher"]

MOST_TEXTS = 20
LONGEST_QUESTION = 600
LONGEST_TEXT = 400
HIGHEST = 10  # the best mark the prompt offers


class ModelMatcher:
    """Marks texts with a language model, all in one call.

    Only the first `most_texts` are read, each shortened; a text behind them gets the mean of their marks, so that
    nothing moves it. Whatever is wrong with a reply is a `MindError`, and whoever asked goes on without.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        prompts: Prompts,
        most_texts: int = MOST_TEXTS,
        longest_text: int = LONGEST_TEXT,
        timeout_seconds: float = 10.0,
        most_output_tokens: int = 2_000,
    ) -> None:
        if most_texts <= 0 or longest_text <= 0 or timeout_seconds <= 0 or most_output_tokens <= 0:
            raise SettingsError("a model's timeout and limits must be above zero")
        self._prompts = prompts
        self._most_texts = most_texts
        self._longest_text = longest_text
        self._meter = Meter()
        self._asker = Asker(
            Place(model, base_url, api_key),
            self._meter,
            timeout_seconds=timeout_seconds,
            most_output_tokens=most_output_tokens,
        )

    @property
    def name(self) -> str:
        """The model and the version of its prompt, as in openai:gpt-5-mini/relevance@1."""
        return f"{self._asker.name}/relevance@{self._prompts.version('relevance')}"

    async def match(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, 0 to 1, in order."""
        if not texts:
            return []
        if is_blank(question):
            return [0.0] * len(texts)
        marks = await self._marks(question, texts[: self._most_texts])
        usual = sum(marks) / len(marks)
        return marks + [usual] * (len(texts) - len(marks))

    def spent(self) -> list[Spent]:
        """What the model was asked since this was last called, failed calls too."""
        return self._meter.take()

    async def close(self) -> None:
        """Close the connections; safe to call twice."""
        await self._asker.close()

    async def _marks(self, question: str, texts: Sequence[str]) -> list[float]:
        need_extra()
        from relembra.minds.llm.replies import RelevanceReply

        def problem_of(reply: RelevanceReply) -> str | None:
            numbers = sorted(mark.n for mark in reply.marks)
            right = numbers == list(range(1, len(texts) + 1))
            return None if right else f"- marks: exactly one for each n from 1 to {len(texts)}"

        language = language_of(question) or language_of("\n".join(texts)) or "en"
        listed = [_json(n=number, text=shortened(text, self._longest_text)) for number, text in enumerate(texts, 1)]
        prompt = self._prompts.get("relevance", language).rendered(
            question=_json(question=shortened(question, LONGEST_QUESTION)), texts="\n".join(listed)
        )
        reply = await self._asker.ask(
            "relevance",
            prompt,
            RelevanceReply,
            repair=lambda problems: self._prompts.get("repair", language).rendered(problems=problems).instructions,
            problem_of=problem_of,
        )
        return [mark.relevance / HIGHEST for mark in sorted(reply.marks, key=lambda mark: mark.n)]


def _json(**values: object) -> str:
    return json.dumps(values, ensure_ascii=False)
