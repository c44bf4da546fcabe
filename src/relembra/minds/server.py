"""Asking a model's server that speaks OpenAI's protocol: a few tries, and errors that quote neither text nor key."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from relembra.errors import MindError, MindUnavailableError, MissingExtraError, SettingsError

if TYPE_CHECKING:
    import httpx

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 20.0
"""A server that asks for more patience is reported instead of waited for."""

_PASSING_STATUS = frozenset({408, 409, 425, 429})


class ModelServer:
    """One model of one server, asked at one path below `url`, its base, such as `http://localhost:11434/v1`."""

    role: ClassVar = "model"
    path: ClassVar = "/"
    advice: ClassVar[Mapping[int, str]] = {}
    otherwise: ClassVar = "check the model's name"

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str | None = None,
        timeout_seconds: float = 30.0,
        attempts: int = 3,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(f"the {self.role}'s URL must begin with http:// or https:// and name a host")
        self._url = url.rstrip("/") + self.path
        self._host = parts.hostname if parts.port is None else f"{parts.hostname}:{parts.port}"
        self._model = model
        self._api_key = api_key
        self._timeout_seconds = timeout_seconds
        self._attempts = max(1, attempts)
        self._sleep = sleep
        self._client: httpx.AsyncClient | None = None
        self._closed = False
        self.is_lost = False  # whether it was out of reach when last asked

    @property
    def name(self) -> str:
        return f"{self._model}@{self._host}"

    async def close(self) -> None:
        """Close the connections; safe to call twice."""
        self._closed = True
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _ask(self, **body: Any) -> bytes:
        """What it answers to a request with this body; `MindUnavailableError` when it stays out of reach."""
        client = self._open()
        import httpx

        cause: httpx.RequestError | None = None
        for attempt in range(1, self._attempts + 1):
            wait = FIRST_WAIT_SECONDS * 2 ** (attempt - 1)
            try:
                response = await client.post(self._url, **body)
            except httpx.RequestError as exc:  # also an answer that cannot be unpacked
                trouble, cause = f"did not answer ({type(exc).__name__})", exc
            else:
                if response.status_code == 200:
                    self.is_lost = False
                    return response.content
                if response.status_code not in _PASSING_STATUS and response.status_code < 500:
                    raise MindError(self._refusal(response.status_code))
                trouble, cause = f"answered {response.status_code}", None
                asked = response.headers.get("retry-after", "")
                if asked.isdecimal() and len(asked) < 9:  # seconds; a date is not followed
                    wait = float(asked)
            if attempt == self._attempts or wait > LONGEST_WAIT_SECONDS:
                break
            await self._sleep(wait)
        self.is_lost = True
        raise MindUnavailableError(
            f"the {self.role} {self.name} {trouble}; tried {attempt} times", retry_after_seconds=wait
        ) from cause

    def _open(self) -> httpx.AsyncClient:
        if self._closed:
            raise MindError(f"this {self.role} was closed; open another")
        if self._client is None:
            try:
                import httpx
            except ImportError as exc:
                raise MissingExtraError(f"the HTTP {self.role}", "http") from exc
            headers = {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {}
            none = CookieJar(DefaultCookiePolicy(allowed_domains=()))  # what is asked for one person tells no other
            self._client = httpx.AsyncClient(headers=headers, timeout=self._timeout_seconds, cookies=none)
        return self._client

    def _refusal(self, status: int) -> str:
        """Says what to look at. The server's own sentence may quote the key or the text, so it is not passed on."""
        known = {
            401: "check the API key",
            403: "this key may not use the model",
            404: "check the URL and the model's name",
            **self.advice,
        }
        return f"the {self.role} {self.name} refused with {status}: {known.get(status, self.otherwise)}"
