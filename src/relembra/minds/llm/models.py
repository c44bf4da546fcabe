"""Where models live: from `provider:model` to something that can be asked. The only file that knows vendors' clients.

Vendors' clients look for keys, organisations and headers in the environment and send them to whatever address they are
given. Ours get every value from us, and any other header is taken off. Their retries and telemetry are switched off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from relembra.domain.text import fold
from relembra.errors import MissingExtraError, SettingsError
from relembra.minds.languages import FALLBACK, LANGUAGES, shared, words_in_any
from relembra.minds.offline.analysis import BilingualAnalyzer
from relembra.minds.offline.language import STOP_WORDS
from relembra.minds.offline.names import find_names
from relembra.minds.offline.text import split_sentences

if TYPE_CHECKING:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.openai import OpenAIChatModel

OPENAI_PROTOCOL = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "lmstudio": "http://127.0.0.1:1234/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "groq": "https://api.groq.com/openai/v1",
    "google-gla": "https://generativelanguage.googleapis.com/v1beta/openai",
}
"""Servers that speak OpenAI's chat completions, and where they are unless a base URL says otherwise."""

OTHERS = ("anthropic",)

KEY_VARIABLES = {
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "groq": "GROQ_API_KEY",
    "google-gla": "GOOGLE_API_KEY",
}
"""Providers that want a key, and the variable their own manuals keep it in."""

_NO_KEY = "none"
_STANDARD = {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"}
_HEADERS = _STANDARD | {"anthropic-beta", "anthropic-version", "authorization", "transfer-encoding", "x-api-key"}


@dataclass(frozen=True, slots=True)
class Place:
    """A model's name, and the server it is asked at."""

    model: str  # provider:model
    base_url: str | None = None
    api_key: str | None = None

    def __post_init__(self) -> None:
        if self.provider not in (*OPENAI_PROTOCOL, *OTHERS) or not self.bare:
            known = ", ".join(f"{name}:" for name in (*OPENAI_PROTOCOL, *OTHERS))
            raise SettingsError(f"the model {self.model!r} must be written provider:model, with one of {known}")
        if self.base_url is not None:
            parts = urlsplit(self.base_url)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise SettingsError("the model's base URL must begin with http:// or https:// and name a host")
        elif not self.api_key and self.provider in KEY_VARIABLES:
            raise SettingsError(f"{self.provider}: needs an API key, or a base URL of a server that needs none")

    def __repr__(self) -> str:
        return f"Place({self.model!r})"  # neither the key nor what an address may hold

    @property
    def provider(self) -> str:
        return self.model.partition(":")[0]

    @property
    def bare(self) -> str:
        """The model's name at its provider; it may hold colons itself."""
        return self.model.partition(":")[2]


def opened(place: Place) -> OpenAIChatModel | AnthropicModel:
    """The model of a place; `MissingExtraError` when the packages it needs are not installed."""
    try:
        return _anthropic(place) if place.provider == "anthropic" else _openai(place)
    except ImportError as exc:
        raise MissingExtraError("language models", "llm") from exc


class _Request(Protocol):
    @property
    def headers(self) -> MutableMapping[str, str]: ...


async def _bare(request: _Request) -> None:
    """Take off every header that the protocol does not need."""
    for name in [name for name in request.headers if name.lower() not in _HEADERS]:
        del request.headers[name]


def _openai(place: Place) -> OpenAIChatModel:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    client = AsyncOpenAI(
        base_url=place.base_url or OPENAI_PROTOCOL[place.provider],
        api_key=place.api_key or _NO_KEY,
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(event_hooks={"request": [_bare]}),
    )
    if place.provider == "openai" and place.base_url is None:
        return OpenAIChatModel(place.bare, provider=OpenAIProvider(openai_client=client))
    return OpenAIChatModel(place.bare, provider=OpenAICompatibleProvider(place.provider, openai_client=client))


def _anthropic(place: Place) -> AnthropicModel:
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(
        base_url=place.base_url or "https://api.anthropic.com",
        api_key=place.api_key or _NO_KEY,
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(event_hooks={"request": [_bare]}),
        open_telemetry=False,
    )
    return AnthropicModel(place.bare, provider=AnthropicProvider(anthropic_client=client))


_ANALYZER = BilingualAnalyzer()
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_CALENDAR = words_in_any("words", "calendar")


def strays(text: str, given: Iterable[str], language: str) -> set[str]:
    """Names and numbers in the text, folded, that stand nowhere in what was given; days and months may be worked out.

    A name is a known one, or any word with a capital that does not open a sentence.
    """
    source = fold("\n".join(given))
    words, numbers = set(_WORD.findall(source)), {number.lstrip("0") for number in _DIGITS.findall(source)}
    found = {number for number in _DIGITS.findall(text) if number.lstrip("0") not in numbers}
    for name in find_names(text, language if language in LANGUAGES else FALLBACK):
        found |= _unsaid(_WORD.findall(name.name), words)
    for start, end in split_sentences(text):
        inner = _WORD.findall(text[start:end])[1:]
        found |= _unsaid([word for word in inner if word[0].isupper() and len(word) > 1], words)
    return found


def borne_out(content: str, given: Iterable[str], language: str) -> bool:
    """Whether every word of a statement that claims something was said, in another form of it or in one alike."""
    sources = list(given)
    if strays(content, sources, language):
        return False
    said = _terms("\n".join(sources)) | _LIGHT_TERMS
    said |= {term for alike in _ALIKE_TERMS if not alike.isdisjoint(said) for term in alike}
    claims = (word for word in _WORD.findall(content) if fold(word) not in STOP_WORDS)
    return all(not said.isdisjoint(_terms(word)) for word in claims)


def _terms(text: str) -> set[str]:
    return set(_ANALYZER.terms(text))


# Words a statement is made with, and words of which one bears another out.
_LIGHT_TERMS = frozenset(_terms(" ".join(words_in_any("words", "light"))))
_ALIKE_TERMS = tuple(frozenset(_terms(words)) for words in shared("alike"))


def _unsaid(written: Iterable[str], words: set[str]) -> set[str]:
    """Of these words, those that stand nowhere, also not in the plural or the singular."""
    folded = {fold(word) for word in written} - _CALENDAR
    return {word for word in folded if words.isdisjoint((word, word + "s", word.removesuffix("s")))}


DATA = "<!-- data -->"

_VERSION = re.compile(r"<!-- version: (\w+) -->")
_ROOM = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt filled in: what the model is to do, and what with."""

    instructions: str
    data: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as its file has it."""

    version: str
    instructions: str
    data: str

    def rendered(self, **values: str) -> Rendered:
        """Filled in once over: what is put in is never looked at for room itself. Empty lines go from the data."""
        data = "\n".join(line for line in _filled(self.data, values).split("\n") if line)
        return Rendered(_filled(self.instructions, values).strip(), data)


@cache
def prompt_of(name: str, language: str) -> Prompt:
    """The prompt of a name; languages without prompts get those of the last of ours.

    Its first line gives the version; after a line `<!-- data -->` stands what was said, never in the instructions.
    """
    folder = files("relembra.minds").joinpath("prompts", language if language in LANGUAGES else FALLBACK)
    first, _, rest = folder.joinpath(f"{name}.md").read_text("utf-8").partition("\n")
    instructions, _, data = rest.partition(f"\n{DATA}\n")
    return Prompt(_VERSION.findall(first)[0], instructions, data)


def version_of(name: str) -> str:
    """The version of a prompt; both, where the languages are not at the same one."""
    return "+".join(dict.fromkeys(prompt_of(name, language).version for language in sorted(LANGUAGES)))


def json_line(**values: object) -> str:
    """Values as a prompt's data shows them."""
    return json.dumps(values, ensure_ascii=False)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _ROOM.sub(lambda room: values[room[1]], text)
