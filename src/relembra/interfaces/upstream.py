"""The models behind the interfaces: which server a model's name means, and one client that asks them.

Neither keys nor addresses beyond the host are part of an error or a log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from relembra.domain.scope import DEFAULT_TENANT
from relembra.errors import (
    ConflictError,
    InvalidInputError,
    MissingExtraError,
    NotFoundError,
    RelembraError,
    SettingsError,
    UpstreamError,
)
from relembra.settings import is_local

if TYPE_CHECKING:
    import httpx

    from relembra.memory import Memory, Saved
    from relembra.recall.assembly import MemoryContext
    from relembra.settings import Settings

__all__ = ["Answering", "Reply", "Upstream", "Upstreams"]

log = logging.getLogger(__name__)

MAIN = "default"
CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 600.0  # those that think before they speak take minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """A server that speaks OpenAI's protocol."""

    name: str
    url: str = field(repr=False)  # may hold a secret
    api_key: str = field(default="", repr=False)
    model: str = ""  # where a request names none
    local: bool = False  # whether it may see what is marked local-only

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(f"the address of upstream {self.name!r} must begin with http:// or https://")

    @property
    def host(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.hostname}" if parts.port is None else f"{parts.hostname}:{parts.port}"

    def at(self, path: str) -> str:
        """The address of one of its routes, like chat/completions."""
        return f"{self.url.rstrip('/')}/{path}"


class Upstreams:
    """The servers that are set, by name. Owns the connections to them, which the first question opens."""

    def __init__(
        self,
        every: Iterable[Upstream] = (),
        *,
        connect_seconds: float = CONNECT_SECONDS,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self._every = {upstream.name: upstream for upstream in every}
        self._connect_seconds = connect_seconds
        self._silence_seconds = silence_seconds
        self._client: httpx.AsyncClient | None = None
        self._closed = False

    @classmethod
    def of(cls, settings: Settings) -> Upstreams:
        chosen = {name: (one.url, one.model, one.api_key, one.local) for name, one in settings.upstreams.items()}
        if settings.upstream:
            main = (settings.upstream, settings.upstream_model, settings.upstream_api_key, settings.upstream_local)
            chosen = {MAIN: main, **{name: other for name, other in chosen.items() if name != MAIN}}
        return cls(
            Upstream(name=name, url=url, model=model, api_key=key, local=is_local(local, url))
            for name, (url, model, key, local) in chosen.items()
        )

    def __bool__(self) -> bool:
        return bool(self._every)

    def __iter__(self) -> Iterator[Upstream]:
        return iter(self._every.values())

    def chosen(self, model: str | None = None) -> tuple[Upstream, str]:
        """The server a model's name means, and the name it knows the model by: ollama/llama3 is llama3 of ollama.

        A name without a server's before it is the main one's, or the only one's. `NotFoundError` where there is none.
        """
        name, slash, rest = (model or "").partition("/")
        if slash and name in self._every:
            upstream = self._every[name]
            return upstream, rest or upstream.model
        if self.main is None:
            raise NotFoundError("upstream", name)
        return self.main, model or self.main.model

    @property
    def main(self) -> Upstream | None:
        """The one meant where none is named: the main one, or the only one."""
        return self._every.get(MAIN) or (next(iter(self._every.values())) if len(self._every) == 1 else None)

    async def send(
        self,
        upstream: Upstream,
        path: str,
        *,
        method: str = "POST",
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """The server's answer, whatever its status, as far as its headers; who asks reads on and closes it."""
        client = self._opened()
        import httpx

        sent = {name.encode(): value.encode("latin-1", "replace") for name, value in (headers or {}).items()}
        request = client.build_request(method, upstream.at(path), content=content, headers=sent)
        try:
            return await client.send(request, stream=True)
        except httpx.TransportError as exc:
            raise unreachable(upstream, exc) from exc

    async def complete(self, messages: Sequence[Mapping[str, Any]], *, model: str | None = None) -> str:
        """The reply of a model to a chat; `UpstreamError` where it gives none."""
        upstream, name = self.chosen(model)
        body: dict[str, Any] = {"messages": list(messages)} | ({"model": name} if name else {})
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {upstream.api_key}"} if upstream.api_key else {}
        content = msgspec.json.encode(body)
        answer = await self._asked(upstream, "chat/completions", method="POST", content=content, headers=headers)
        try:
            reply = answer["choices"][0]["message"]["content"] or ""
            is_empty = not reply.strip()
        except (LookupError, TypeError, AttributeError) as exc:
            raise UpstreamError(f"the model server {upstream.name!r} gave a reply that is no chat completion") from exc
        if is_empty:
            raise UpstreamError(f"the model server {upstream.name!r} gave an empty reply")
        return str(reply)

    async def models(self, upstream: Upstream, headers: Mapping[str, str]) -> list[dict[str, Any]]:
        """The models a server lists; `UpstreamError` where it lists none."""
        answer = await self._asked(upstream, "models", method="GET", headers=headers)
        rows = answer.get("data") if isinstance(answer, dict) else None
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    async def _asked(self, upstream: Upstream, path: str, **asked: Any) -> Any:
        """The JSON of a server's whole answer; `UpstreamError` where there is none."""
        response = await self.send(upstream, path, **asked)
        try:
            content = await read(upstream, response)
        finally:
            await response.aclose()
        if response.status_code != 200:
            raise UpstreamError(
                f"the model server {upstream.name!r} at {upstream.host} answered {response.status_code}: "
                f"{_ADVICE.get(response.status_code, 'see what it logged')}",
                status=response.status_code,
                retry_after=response.headers.get("retry-after"),
            )
        try:
            return msgspec.json.decode(content)
        except (msgspec.DecodeError, RecursionError) as exc:
            raise UpstreamError(f"the model server {upstream.name!r} gave an answer that is no JSON") from exc

    async def close(self) -> None:
        """Close the connections; safe to call twice."""
        self._closed = True
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def _opened(self) -> httpx.AsyncClient:
        if self._closed:
            raise UpstreamError("the connections to model servers were closed; open others", status=503)
        if self._client is None:
            try:
                import httpx
            except ImportError as exc:
                raise MissingExtraError("calling a model", "http") from exc
            self._client = httpx.AsyncClient(
                headers={"Accept-Encoding": "identity"},  # bytes go on as they come
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),  # kept, they would go on for everybody
                timeout=httpx.Timeout(self._silence_seconds, connect=self._connect_seconds),
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
            )
        return self._client


async def read(upstream: Upstream, response: httpx.Response) -> bytes:
    """The whole body of an answer."""
    import httpx

    try:
        return await response.aread()
    except httpx.TransportError as exc:
        raise unreachable(upstream, exc) from exc


def unreachable(upstream: Upstream, exc: httpx.TransportError) -> UpstreamError:
    """What to check where a server cannot be asked, or breaks off."""
    import httpx

    where = f"the model server {upstream.name!r} at {upstream.host}"
    if isinstance(exc, httpx.ConnectError | httpx.ConnectTimeout | httpx.UnsupportedProtocol):
        setting = "upstream" if upstream.name == MAIN else f"upstreams.{upstream.name}"
        return UpstreamError(f"{where} could not be reached: check that it runs, and the setting {setting}")
    if isinstance(exc, httpx.TimeoutException):
        return UpstreamError(f"{where} did not answer in time; try again, or check how it is doing", status=504)
    return UpstreamError(f"{where} broke off ({type(exc).__name__}); try again, or check how it is doing")


_ADVICE = {
    401: "check its API key",
    403: "its API key may not use this model",
    404: "check its address and the model's name",
    429: "it has too much to do; try again later",
}


RECALL_SECONDS = 2.0
"""The longest a chat waits for what is remembered; a hundred times what it takes, and still a pause one bears."""

RECALL, SAVE = "recall", "save"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came of a message. `text` is None where no model is set: then `context` is what one would be given."""

    text: str | None
    context: MemoryContext | None = None  # of the format chat where a model was asked, else Markdown
    saved: Saved | None = None  # what was said; None for a command, which is no talk
    command: bool = False
    trouble: str | None = None  # recall, save or both: what the memory could not do


class Answering:
    """Answers messages out of a memory: commands itself, all else with a model where one is set."""

    def __init__(self, memory: Memory, upstreams: Upstreams, *, recall_seconds: float = RECALL_SECONDS) -> None:
        self._memory = memory
        self._upstreams = upstreams
        self._recall_seconds = recall_seconds

    @property
    def asks_a_model(self) -> bool:
        """Whether a reply costs a model's call."""
        return bool(self._upstreams)

    async def answer(
        self,
        text: str,
        *,
        user: str,
        tenant: str = DEFAULT_TENANT,
        conversation: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        author: str | None = None,
        author_name: str | None = None,
        external_id: str | None = None,
        at: datetime | None = None,
        budget: int | None = None,
        speakers: Iterable[str] | str = (),
        mentioned: Iterable[str] | str = (),
        outside: bool = False,
    ) -> Reply:
        """The reply to a message, kept with it. What was said is kept before a model is asked, so that an
        `UpstreamError` loses nothing, and asking again with the same external id keeps it once.

        Trouble of the memory's own never holds up the reply; what is given wrongly is an `InvalidInputError`.
        `outside`: the reply goes by servers of others, so that nothing kept local is in it, whichever model answers.
        """
        whose: dict[str, Any] = {"user": user, "space": space, "channel": channel, "tenant": tenant}
        named: dict[str, Any] = {**whose, "conversation": conversation}
        trouble: list[str] = []
        command = await self._memory.command(text, outside=outside, **whose)
        if command is not None:
            return Reply(text=command.text, command=True)
        who = {"author": author, "author_name": author_name}
        saved = await self._saved(trouble, said=text, external_id=external_id, at=at, **who, **named)
        upstream = self._upstreams.chosen()[0] if self._upstreams else None
        context = await self._recalled(
            trouble,
            query=text,
            budget=budget,
            speakers=speakers,
            mentioned=mentioned,
            format="markdown" if upstream is None else "chat",
            outside=outside or (upstream is not None and not upstream.local),
            **named,
        )
        if upstream is None:
            return Reply(text=None, context=context, saved=saved, trouble=",".join(trouble) or None)
        replied = await self._upstreams.complete(turns(context, text))
        if saved is None or saved.refused is None:
            await self._saved(trouble, replied=replied, external_id=external_id, **named)
        return Reply(text=replied, context=context, saved=saved, trouble=",".join(dict.fromkeys(trouble)) or None)

    async def _saved(self, trouble: list[str], **given: Any) -> Saved | None:
        try:
            return await self._memory.save(**given)
        except (InvalidInputError, ConflictError):
            raise
        except RelembraError as exc:
            log.warning("what was said could not be kept: %s", type(exc).__name__)
            trouble.append(SAVE)
            return None

    async def _recalled(self, trouble: list[str], **given: Any) -> MemoryContext | None:
        try:
            async with asyncio.timeout(self._recall_seconds):
                return await self._memory.load(**given)
        except InvalidInputError:
            raise
        except (RelembraError, TimeoutError) as exc:
            log.warning("nothing could be recalled: %s", type(exc).__name__)
            trouble.append(RECALL)
            return None


def turns(context: MemoryContext | None, text: str) -> list[dict[str, str]]:
    """The chat to send: what is remembered, the conversation at hand, and the message once, at its end."""
    before = [] if context is None else context.chat
    now = {"role": "user", "content": text}
    return [*(before[:-1] if before[-1:] == [now] else before), now]
