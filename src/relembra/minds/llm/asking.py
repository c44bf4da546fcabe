"""One question to one model: the reply checked, repaired once and paid for, and every failure in our own words.

Neither prompts nor replies nor keys are part of an error or a log, so a vendor's own sentence is never passed on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from relembra.domain.candidate import Spent, Talk
from relembra.domain.knowledge import ATTRIBUTES, LifeArea
from relembra.errors import MindError, MindUnavailableError, MissingExtraError, SettingsError
from relembra.minds.llm.models import Place, Prompt, Rendered, opened, prompt_of, version_of
from relembra.minds.llm.proposals import Line, rendered_known, rendered_lines
from relembra.minds.offline.wordpiece import OfflineTokens
from relembra.minds.port import NightReader, Reader, Tokens

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.openai import OpenAIChatModel

__all__ = ["Asker", "Limits", "Meter", "ModelUser"]

TOOL = "answer"
MOST_PROBLEMS = 8
MOST_TOKENS = 1_000_000_000
"""Of one call; whoever says more is mistaken."""
LEAST_ROOM = 400
"""Tokens left for messages however much else a prompt holds."""
PASSING_STATUS = frozenset({408, 409, 425, 429})

_NOT_OF_THE_PROTOCOL = (LookupError, TypeError, ValueError, AttributeError, RecursionError, OverflowError)
"""What a body brings about that is JSON, but of another shape, or nested without end."""
_CHATTY = ("anthropic._base_client", "openai._base_client")
_asking: ContextVar[bool] = ContextVar("relembra_asking", default=False)

log = logging.getLogger(__name__)


class Meter:
    """Adds up what models were asked, by task and model; what works at the same time is counted apart."""

    def __init__(self) -> None:
        self._counts: dict[asyncio.Task[Any] | None, dict[tuple[str, str], list[int]]] = {}

    def add(self, task: str, model: str, *, calls: int = 0, input_tokens: int = 0, output_tokens: int = 0) -> None:
        counts = self._counts.setdefault(_at_work(), {}).setdefault((task, model), [0, 0, 0])
        for place, more in enumerate((calls, input_tokens, output_tokens)):
            counts[place] += more

    def take(self) -> list[Spent]:
        """What whoever asks for it added since they last did, and what was left by those who are done."""
        mine = _at_work()
        left = [who for who in self._counts if who is None or who is mine or who.done()]
        total: dict[tuple[str, str], list[int]] = {}
        for who in left:
            for key, counts in self._counts.pop(who).items():
                total[key] = [sum(pair) for pair in zip(total.get(key, [0, 0, 0]), counts, strict=True)]
        return [
            Spent(task=task, model=model, calls=calls, input_tokens=given, output_tokens=got)
            for (task, model), (calls, given, got) in total.items()
        ]


def _at_work() -> asyncio.Task[Any] | None:
    """What is running now, where anything is."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


@dataclass(frozen=True, slots=True)
class Limits:
    """What a model may take, and how long; all above zero."""

    timeout_seconds: float
    most_output_tokens: int
    most_input_tokens: int = 1
    most_a_message: int = 1

    def __post_init__(self) -> None:
        if min(astuple(self)) <= 0:
            raise SettingsError("a model's timeout and limits must be above zero")


Where = tuple[str, str | None, str | None]
"""A model, its server's address and its key, as settings have them."""


class Asker:
    """Asks one model, which is opened with the first question."""

    def __init__(self, where: Where, meter: Meter, limits: Limits) -> None:
        self.name = where[0]
        self._where = where
        self._meter = meter
        self._limits = limits
        self._model: OpenAIChatModel | AnthropicModel | None = None
        self._closed = False

    async def ask(
        self,
        task: str,
        prompt: Rendered,
        shape: str,
        *,
        language: str,
        problem_of: Callable[[Any], str | None] = lambda _: None,
    ) -> Any:
        """A reply of this shape, one of `replies`, that `problem_of` finds nothing wrong with.

        One that cannot be used is asked for once more, with what was wrong among the instructions.
        """
        self._open()
        from pydantic import ValidationError

        from relembra.minds.llm import replies

        model: type[BaseModel] = getattr(replies, shape)
        instructions = prompt.instructions
        for _ in range(2):
            answer = self._answer(task, await self._request(task, instructions, prompt.data, model))
            try:
                reply = model.model_validate_json(answer) if isinstance(answer, str) else model.model_validate(answer)
                problem = problem_of(reply)
            except ValidationError as exc:
                problem = _problems(exc)
            except (RecursionError, OverflowError):
                problem = "- the answer: nested too deeply, or with numbers too large"
            if problem is None:
                return reply
            repair = prompt_of("repair", language).rendered(problems=problem).instructions
            instructions = f"{prompt.instructions}\n\n{repair}"
            log.info("the model %s gave a %s reply that cannot be used", self.name, task)
        raise MindError(f"the model {self.name} gave a {task} reply that cannot be used, also when asked to repair it")

    async def close(self) -> None:
        """Close the connections; safe to call twice."""
        self._closed = True
        held, self._model = self._model, None
        if held is not None:
            await held.client.close()

    def _open(self) -> OpenAIChatModel | AnthropicModel:
        """The model; a setting or a package it lacks may come later, and so is an outage until then."""
        if self._closed:
            raise MindError("this reader was closed; open another")
        try:
            return self.check()
        except (SettingsError, MissingExtraError) as exc:
            raise MindUnavailableError(str(exc)) from exc

    def check(self) -> OpenAIChatModel | AnthropicModel:
        """The model, opened if need be; `SettingsError` or `MissingExtraError` where that cannot be."""
        if self._model is None:
            self._model = opened(Place(*self._where))
        return self._model

    async def _request(self, task: str, instructions: str, data: str, shape: type[BaseModel]) -> ModelResponse:
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError, UserError
        from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.settings import ModelSettings
        from pydantic_ai.tools import ToolDefinition

        tool = ToolDefinition(
            name=TOOL, description=shape.__doc__, parameters_json_schema=_bare(shape.model_json_schema()), kind="output"
        )
        settings = ModelSettings(
            max_tokens=self._limits.most_output_tokens,
            timeout=self._limits.timeout_seconds,
            request_timeout=self._limits.timeout_seconds,
            max_retries=0,
        )
        self._meter.add(task, self.name, calls=1)
        try:
            with _unheard():
                response = await model_request(
                    self._open(),
                    [ModelRequest(parts=[SystemPromptPart(instructions), UserPromptPart(data)])],
                    model_settings=settings,
                    model_request_parameters=ModelRequestParameters(
                        output_mode="tool", output_tools=[tool], allow_text_output=False
                    ),
                    instrument=False,
                )
        except (AgentRunError, UserError, *_NOT_OF_THE_PROTOCOL) as exc:
            failure = self._failure(exc)
        else:
            used = response.usage
            given, got = _counted(used.input_tokens), _counted(used.output_tokens)
            self._meter.add(task, self.name, input_tokens=given, output_tokens=got)
            return response
        raise failure  # out here, so that the vendor's error is not shown with ours

    def _answer(self, task: str, response: ModelResponse) -> str | dict[str, object]:
        """What the model gave to the function, or wrote instead of calling it."""
        if response.finish_reason == "length":
            most = self._limits.most_output_tokens
            raise MindError(
                f"the model {self.name} did not finish its {task} reply within {most} tokens; "
                "allow more output tokens, or give it less to read"
            )
        if response.finish_reason == "content_filter":
            raise MindError(f"the model {self.name} refused the {task}")
        if response.tool_calls:
            given = response.tool_calls[0].args
            if given is not None and given != "":
                return given
        written = response.text or ""
        if not written.strip():
            raise MindError(f"the model {self.name} gave an empty {task} reply")
        return _unfenced(written)

    def _failure(self, exc: Exception) -> MindError:
        from pydantic_ai import exceptions as theirs

        name = f"the model {self.name}"
        status = exc.status_code if isinstance(exc, theirs.ModelHTTPError) else None
        if isinstance(exc, theirs.ModelRequestTimeout | theirs.ModelTimeoutError):
            return MindUnavailableError(f"{name} did not answer within {self._limits.timeout_seconds:g} seconds")
        if isinstance(exc, theirs.ModelConnectionError):
            return MindUnavailableError(f"{name} could not be reached, or broke off")
        if isinstance(exc, theirs.ModelAPIError) and (
            isinstance(exc, theirs.ModelRateLimitError | theirs.ModelUnavailableError | theirs.ModelServerError)
            or (status is not None and (status in PASSING_STATUS or status >= 500))
        ):
            spent = "; the account's quota is used up" if isinstance(exc, theirs.ModelQuotaExceededError) else ""
            said = "is busy or in trouble" if status is None else f"answered {status}"
            return MindUnavailableError(f"{name} {said}{spent}", retry_after_seconds=exc.retry_after)
        if isinstance(exc, theirs.ModelContextWindowExceededError):
            return MindError(f"{name} cannot read that much at once; set a lower limit of input tokens")
        if isinstance(exc, theirs.ContentFilterError):
            return MindError(f"{name} refused")
        if status is not None:
            return MindError(f"{name} refused with {status}: {_ADVICE.get(status, 'check its name and its abilities')}")
        if isinstance(exc, theirs.UserError):
            return MindError(f"{name} cannot be asked this way; choose one that can call functions")
        return MindError(f"{name} gave a reply that is not of its protocol; check the base URL")


class ModelUser:
    """What all who ask models share: a count of what was spent, and room for what is asked about.

    `behind` is the offline reader that does what no model is needed for.
    """

    def __init__(
        self,
        limits: Limits,
        tokens: Tokens | None = None,
        *,
        behind: Reader | NightReader | None = None,
    ) -> None:
        self._limits = limits
        self._tokens = tokens or OfflineTokens()
        self._meter = Meter()
        self._behind = behind
        self._askers: list[Asker] = []

    def spent(self) -> list[Spent]:
        """What models were asked since this was last called, failed calls too."""
        return [*self._meter.take(), *(self._behind.spent() if self._behind is not None else ())]

    async def close(self) -> None:
        """Close the connections, and the offline reader; safe to call twice."""
        for asker in self._askers:
            await asker.close()
        if self._behind is not None:
            await self._behind.close()

    def _asker(self, model: str, base_url: str | None, api_key: str | None) -> Asker:
        self._askers.append(Asker((model, base_url, api_key), self._meter, self._limits))
        return self._askers[-1]

    def _named(self, model: Asker, task: str, *prompts: str) -> str:
        """The model and the versions of the prompts it is asked with."""
        return f"{model.name}/{task}@{'.'.join(map(version_of, prompts))}"

    def _room(self, prompt: Rendered | int) -> int:
        """Tokens left beside a prompt without what it is about."""
        taken = prompt if isinstance(prompt, int) else self._cost(prompt)
        return max(LEAST_ROOM, self._limits.most_input_tokens - taken)

    def _cost(self, prompt: Rendered) -> int:
        return self._tokens.count(prompt.instructions) + self._tokens.count(prompt.data)

    def _talk_prompt(self, prompt: Prompt, talk: Talk, lines: Sequence[Line], **more: str) -> Rendered:
        return prompt.rendered(
            areas=", ".join(LifeArea),
            attributes=", ".join(ATTRIBUTES),
            most=str(self._limits.most_a_message),
            known=rendered_known(talk.known),
            messages=rendered_lines(lines),
            **more,
        )


_ADVICE = {
    401: "check the API key",
    402: "the account has no credit left",
    403: "this key may not use the model",
    404: "check the model's name and the base URL",
    413: "set a lower limit of input tokens",
}


def _bare(schema: Any, *, names: bool = False) -> Any:
    """A schema without what a model has no need of: titles and the like; `names`: the keys are names."""
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _bare(part, names=key in ("properties", "$defs") and not names)
        for key, part in schema.items()
        if names or key not in ("title", "description", "default", "minLength")
    }


def _counted(tokens: object) -> int:
    """A count as a server tells it, as far as it can be one."""
    return min(max(0, tokens), MOST_TOKENS) if isinstance(tokens, int) else 0


def _unfenced(written: str) -> str:
    """The text without the marks of a block of code around it."""
    inner = written.strip()
    if len(inner) < 6 or not (inner.startswith("```") and inner.endswith("```")):
        return written
    return inner[3:-3].removeprefix("json").strip()


def _problems(exc: ValidationError) -> str:
    """What pydantic found wrong, without the values it found."""
    found = exc.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"- {'.'.join(map(str, error['loc'])) or 'the answer'}: {error['msg']}" for error in found[:MOST_PROBLEMS]]
    return "\n".join(lines + ["- …"] * (len(found) > MOST_PROBLEMS))


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep vendors' clients, some of which write whole requests, from logging for as long as we ask."""
    for name in _CHATTY:
        logging.getLogger(name).addFilter(_quiet)  # adding it again changes nothing
    token = _asking.set(True)
    try:
        yield
    finally:
        _asking.reset(token)


def _quiet(_: logging.LogRecord) -> bool:
    return not _asking.get()
