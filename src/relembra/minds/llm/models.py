"""Where models live: from `provider:model` to something that can be asked. The only file that knows vendors' clients.

Vendors' clients look for keys, organisations and headers in the environment and send them to whatever address they are
given. Ours get every value from us, and any other header is taken off. Their retries and telemetry are switched off.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from relembra.errors import MissingExtraError, SettingsError

if TYPE_CHECKING:
    from pydantic_ai.models import Model

__all__ = ["KEY_VARIABLES", "Opened", "Place", "need_extra", "opened"]

OPENAI_PROTOCOL = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "lmstudio": "http://127.0.0.1:1234/v1",
    "vllm": "http://127.0.0.1:8000/v1",
}
"""Servers that speak OpenAI's chat completions, and where they are unless a base URL says otherwise."""

OTHERS = ("anthropic", "groq", "google-gla")

KEY_VARIABLES = {
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "groq": "GROQ_API_KEY",
    "google-gla": "GOOGLE_API_KEY",
}
"""Providers that want a key, and the variable their own manuals keep it in; for whoever reads settings."""

FEATURE, EXTRA = "language models", "llm"
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


@dataclass(frozen=True, slots=True)
class Opened:
    """A model ready to be asked, and how to let go of it."""

    model: Model
    close: Callable[[], Awaitable[object]]


def need_extra() -> None:
    """`MissingExtraError` unless the packages are there that every model needs."""
    try:
        import pydantic_ai.direct  # noqa: F401 - to see whether it can be
    except ImportError as exc:
        raise MissingExtraError(FEATURE, EXTRA) from exc


def opened(place: Place) -> Opened:
    """The model of a place; `MissingExtraError` when the packages it needs are not installed."""
    try:
        match place.provider:
            case "anthropic":
                return _anthropic(place)
            case "groq":
                return _groq(place)
            case "google-gla":
                return _google(place)
            case _:
                return _openai(place)
    except ImportError as exc:
        raise MissingExtraError(FEATURE, EXTRA) from exc


class _Request(Protocol):
    @property
    def headers(self) -> MutableMapping[str, str]: ...


async def _bare(request: _Request) -> None:
    """Take off every header that the protocol does not need."""
    for name in [name for name in request.headers if name.lower() not in _HEADERS]:
        del request.headers[name]


def _openai(place: Place) -> Opened:
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
        return Opened(OpenAIChatModel(place.bare, provider=OpenAIProvider(openai_client=client)), client.close)
    compatible = OpenAICompatibleProvider(place.provider, openai_client=client)
    return Opened(OpenAIChatModel(place.bare, provider=compatible), client.close)


def _anthropic(place: Place) -> Opened:
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
    return Opened(AnthropicModel(place.bare, provider=AnthropicProvider(anthropic_client=client)), client.close)


def _groq(place: Place) -> Opened:
    from groq import AsyncGroq, DefaultAsyncHttpxClient
    from pydantic_ai.models.groq import GroqModel
    from pydantic_ai.providers.groq import GroqProvider

    client = AsyncGroq(
        base_url=place.base_url or "https://api.groq.com",
        api_key=place.api_key or _NO_KEY,
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(event_hooks={"request": [_bare]}),
    )
    return Opened(GroqModel(place.bare, provider=GroqProvider(groq_client=client)), client.close)


def _google(place: Place) -> Opened:
    """Google's client is large and no part of the extra: `pip install 'pydantic-ai-slim[google]'`."""
    try:
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider
    except ImportError as exc:
        raise SettingsError("google-gla: needs one package more: pip install 'pydantic-ai-slim[google]'") from exc
    provider = GoogleProvider(api_key=place.api_key or _NO_KEY, base_url=place.base_url)

    async def close() -> None:
        async with provider:  # leaving it is what closes it
            pass

    return Opened(GoogleModel(place.bare, provider=provider), close)
